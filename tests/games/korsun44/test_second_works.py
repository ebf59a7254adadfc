"""Engineering Phases of random positions against the second implementation: whole lists of what is legal."""

from __future__ import annotations

import random
from typing import Any

import pytest

from . import second
from .second import World
from .second_supply import Network
from .second_works import Works
from .worlds import GERMANS, SOVIETS, ask, with_network

BUILDERS = ["Pio.88ID", "Pio.42K", "Bau.42K", "Kbr.42K", "Pio.3PzK", "Bau.3PzK", "Jbr.3PzK", "Pio.16Pz", "Pio.11K",
            "Bau.11K"]  # fmt: skip
SAPPERS = ["Eng.27A", "Aslt.27A", "Eng.40A", "Aslt.40A", "180.27A", "206.27A", "63cav.5GCC"]
POOLS = ([*BUILDERS, *GERMANS[:6]], [*SAPPERS, *SOVIETS[-12:]])
VERBS = ("destroy", "repair", "build", "lay_bridge", "improve", "repair_rail", "dig", "level", "lay_mines",
         "lift_mines", "build_airfield", "build_depot")  # fmt: skip


def works_doc(rng: random.Random) -> dict[str, Any]:
    """A position with engineers, SDMs that can pay some of them, and Korsun."""
    doc = with_network(rng, 24, POOLS)
    hexes = doc["board"]["hexes"]
    linked = {frozenset(x["path"].split()) for x in doc["board"]["links"]}
    doc["bridges"] = {
        k: said
        for k, said in doc["bridges"].items()
        if said.get("kind", "printed") == "printed" or frozenset(k.split("|")) not in linked
    }
    for said in doc["bridges"].values():
        said["state"] = (
            "intact" if said.get("kind", "printed") != "printed" else rng.choice(["intact", "destroyed", "destroyed"])
        )
        said |= {"owner": rng.choice(["german", "soviet"])} | ({"ok": True} if rng.random() < 0.2 else {})
    doc["options"] |= {
        o: rng.choice(["on", "off"]) for o in ("bridge_collapse", "alternate_airfield", "alternate_depot")
    }
    hexes[rng.choice(sorted(hexes))]["name"] = "Korsun"
    doc["tracks"] = {"korsun_declared": 1, "korsun_active": 1, "korsun_sp": rng.randint(0, 3), "mines_left": 1}
    net = Network(World(doc), doc)
    for said in doc["units"]:
        row = second.printed()[said["id"]]
        if row["role"] == "sdm":
            said["sp"] = rng.choice([0, 1, 2])
        elif rng.random() < 0.8:
            m = second.card(row)
            able = [d.id for d in net.depots if net.serves(d, m)]
            said |= {"supplied_by": rng.choice(able)} if able else {}
        if row["role"] == "unit" and rng.random() < 0.1:
            said["status"] = [*said["status"], "attacked"]
        if row["engineer"] and rng.random() < 0.7:
            banks = [h for k in doc["bridges"] for h in k.split("|")]
            said["at"] = rng.choice([*doc["rail_cuts"] * 4, *doc["minefields"], *banks, said["at"]])
    doc["control"] = {h: rng.choice(["german", "soviet"]) for h in hexes}
    clear_stacks(doc)
    return doc


def clear_stacks(doc: dict[str, Any]) -> None:
    """Nobody stands with an enemy: who came later goes."""
    owner: dict[str, str] = {}
    kept = []
    for said in doc["units"]:
        row = second.printed()[said["id"]]
        if row["role"] == "sdm" or owner.setdefault(said["at"], row["side"]) == row["side"]:
            kept.append(said)
    ids = {x["id"] for x in kept}
    doc["units"] = [
        x
        for x in kept
        if second.printed()[x["id"]]["role"] != "extension" or second.printed()[x["id"]]["parent"] in ids
    ]
    at = {
        x["at"]: second.printed()[x["id"]]["side"] for x in doc["units"] if second.printed()[x["id"]]["role"] != "sdm"
    }
    doc["improved_positions"] = [h for h in doc["improved_positions"] if at.get(h) != "soviet"]
    doc["minefields"] = {h: said for h, said in doc["minefields"].items() if at.get(h) != "german"}
    doc["control"] = {h: side for h, side in doc["control"].items() if h not in at}


def turned(action: str) -> str:
    """An action with its hexside in one way of writing."""
    words = action.split()
    return " ".join("|".join(sorted(x.split("|"))) if "|" in x else x for x in words)


def check_works(seed: int, count: dict[str, int]) -> None:
    rng = random.Random(seed)
    doc = works_doc(rng)
    for side in ("german", "soviet"):
        w = World(doc)
        first = Works(w, doc, side)
        mended = {k for k in first.wet() if first.repairs_stream(k)}
        for key in mended:  # 15.2.2.2 before anything else is done
            w.bridges[frozenset(key.split("|"))][0] |= {"state": "intact"}
        here = {**doc, "phase": f"{side}_engineering", "minefields": fields(doc, side)}
        (found,) = ask(here, {"question": "legal"})
        expected = Works(w, {**doc, "minefields": here["minefields"]}, side).legal()
        got = {turned(a) for a in found["actions"] if not a.startswith("take_up")}
        assert got == expected, (seed, side, sorted(got - expected), sorted(expected - got))
        for action in expected:
            count[action.split()[0]] = count.get(action.split()[0], 0) + 1
        doc = works_doc(random.Random(seed))


def fields(doc: dict[str, Any], side: str) -> dict[str, Any]:
    """15.3.1 Fields under construction are finished first, with a choice of their own: none for the Soviets."""
    return {h: said for h, said in doc["minefields"].items() if said or side == "german"}


def check_bridge_answers(seed: int, count: dict[str, int]) -> None:
    """15.2.2-15.2.4, 18.3.1 What the engineers beside each hexside may do, by the question about its bridge."""
    doc = works_doc(random.Random(seed))
    w = World(doc)
    sides = [Works(w, doc, side) for side in ("german", "soviet")]
    keys = sides[0].wet()
    for key, found in zip(keys, ask(doc, *({"question": "bridges", "hexside": k} for k in keys)), strict=True):
        for word in ("repair", "build", "lay", "improve"):
            able = {u for u, said in found.get(word, {}).items() if said["legal"]}
            assert able == {u for one in sides for u in getattr(one, word)(key)}, (seed, key, word, found)
            count[word] = count.get(word, 0) + len(able)


@pytest.mark.parametrize("seed", range(4))
def test_bridge_answers(seed: int) -> None:
    check_bridge_answers(seed, {})


@pytest.mark.parametrize("seed", range(4))
def test_engineering_phases(seed: int) -> None:
    check_works(seed, {})
