"""Pockets in random positions against the second implementation: Breakout, declarations, air supply."""

from __future__ import annotations

import random
from typing import Any

import pytest

from . import second
from . import second_breakout as breakout
from .second import World
from .test_second_works import clear_stacks
from .worlds import ask, with_network

POCKET = ["245.88ID", "246.88ID", "248.88ID", "Fus.88ID", "Pio.88ID", "Art188.88ID", "245a.88ID", "245b.88ID",
          "I-108.42K", "Pio.42K", "StuG239.42K", "105.72ID", "124.72ID", "Pio.72ID", "Art172.72ID",
          "Alarm1"]  # fmt: skip
OUTER = ["I-2.16Pz", "64.16Pz", "II-2.16Pz", "305.198ID", "Pio.16Pz"]
SOVIETS = ["180.27A", "206.27A", "54FAa.27A", "AT1.27A", "gun.27A", "20G.5GTkC", "6G.5GTkC", "SU.27A"]


def pocket_doc(rng: random.Random) -> dict[str, Any]:
    """Units of Gruppe Stemmermann, Soviets, and Germans outside, on a board with a net of roads."""
    names = second.printed()
    inner, outer = [n for n in POCKET if n in names], [n for n in OUTER if n in names]
    doc = with_network(rng, 26, ([*inner, *outer], SOVIETS))
    for said in doc["units"]:
        row = names[said["id"]]
        if row["role"] == "sdm":
            continue
        said["status"] = [x for x in said["status"] if x not in ("truck", "on_foot")]
        if said["id"] in inner and row["role"] != "alarm" and rng.random() < 0.9:
            said["status"] = [*said["status"], "Stemmermann"]
            mates = [x["at"] for x in doc["units"] if names[x["id"]]["division"] == row["division"] != ""]
            if mates and rng.random() < 0.5:
                said["at"] = rng.choice(mates)
    doc["turn"], doc["tracks"] = 20, {"korsun_declared": 5, "korsun_active": 5, "breakout": 20}
    doc["minefields"], doc["rail_cuts"] = {}, []
    clear_stacks(doc)
    parts = {names[x["id"]]["parent"] for x in doc["units"] if names[x["id"]]["role"] == "part"}
    doc["units"] = [x for x in doc["units"] if x["id"] not in parts]
    there = {x["id"] for x in doc["units"]} | parts
    fallen = [n for n in ("245.88ID", "246.88ID", "248.88ID", "105.72ID", "124.72ID") if n not in there]
    doc["units"] += [{"id": n, "box": "eliminated"} for n in fallen]
    return doc


def legal(doc: dict[str, Any], *after: str) -> set[str]:
    (found,) = ask(doc, {"question": "legal", "after": list(after)})
    return set(found.get("actions", []))


def check_breakout(seed: int, count: dict[str, int]) -> None:
    rng = random.Random(seed)
    doc = {**pocket_doc(rng), "phase": "breakout"}
    w = World(doc)
    fallen = {m.id: m for m in w.men if not m.at and m.role != "sdm"}
    done: list[str] = []
    merges, moves = breakout.mergers(w, fallen), breakout.one_hex(w)
    by_wave = breakout.waves(w, breakout.outside(w, doc))
    for verb, expected in (("merge", merges), ("one_hex", moves)):
        count[verb] = count.get(verb, 0) + len(expected)
        if not expected:
            continue
        got = legal(doc, *done) - {"pass"}
        assert got == expected, (seed, verb, got ^ expected)
        done.append("pass")
    for n in sorted(by_wave):
        got = legal(doc, *done) - {"pass"}
        assert got == {f"break_out {h}" for h in by_wave[n]}, (seed, n, got, by_wave)
        for h in by_wave[n]:
            to = {a for a in legal(doc, *done, f"break_out {h}") if a.startswith("to ")}
            assert to == {f"to {x}" for x in breakout.first_steps(w, h)}, (seed, n, h, to)
            count[f"wave {n}"] = count.get(f"wave {n}", 0) + len(to)
            for x in [x for x in w.around(h) if f"to {x}" in to and w.here(x, "soviet")]:
                check_fight(doc, w, [*done, f"break_out {h}", f"to {x}"], n, rng.choice([2, 5, 7, 9, 12]))
                count["fights"] = count.get("fights", 0) + 1
        done.append("pass")


def check_fight(doc: dict[str, Any], w: World, after: list[str], wave: int, dice: int) -> None:
    """16.5.3 The first fight of a wave."""
    first = min(6, dice - 1)
    question = {"question": "legal", "after": after, "dice": [first, dice - first, 1, 1, 1, 1, 1, 1]}
    (found,) = ask(doc, question)
    told = next(x["what"] for x in found["told"] if x["what"].startswith("breakout at"))
    expected = breakout.fight(w, after[-2].split()[1], after[-1].split()[1], wave == 1, dice)
    assert told.endswith(f": {expected}"), (after, told, expected)


@pytest.mark.parametrize("seed", range(4))
def test_breakout(seed: int) -> None:
    check_breakout(seed, {})


def check_declarations(seed: int, count: dict[str, int]) -> None:
    """3.2.F1B"""
    rng = random.Random(seed)
    doc = {**pocket_doc(rng), "phase": "german_declarations", "turn": rng.choice([8, 10, 20])}
    hexes = doc["board"]["hexes"]
    ends = sorted({h for x in doc["board"]["links"] if x["kind"] == "railroad" for h in x["path"].split()})
    korsun = rng.choice(ends)
    hexes[korsun] |= {"name": "Korsun", "features": sorted({*hexes[korsun].get("features", []), "rail_terminal"})}
    declared = rng.choice([0, 5])
    doc["tracks"] = {"korsun_declared": declared, "korsun_active": declared, "wanda_end": rng.choice([0, 20])}
    w = World(doc)
    expected = breakout.declarations(w, doc, korsun)
    got = legal(doc) - {"pass"}
    assert got == expected, (seed, got, expected)
    for action in expected:
        count[action] = count.get(action, 0) + 1


@pytest.mark.parametrize("seed", range(6))
def test_declarations(seed: int) -> None:
    check_declarations(seed, {})
