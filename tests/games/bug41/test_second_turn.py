"""Lists of legal actions against the second reading, on random positions in the middle of a turn."""

from __future__ import annotations

import random
from typing import Any

import pytest

from .second import side_of, under
from .second_turn import Turn
from .test_second import RATINGS, SEEDS, asked, document, number


def legal(doc: dict[str, Any], **more: Any) -> list[str]:
    return list(asked({**doc, **more}, {"question": "legal"})[0]["actions"])


def worn(seed: int) -> dict[str, Any]:
    """The same board with units that have lost strength, have moved, or fill a line of the loans."""
    doc, r = document(seed), random.Random(seed + 5000)
    for u in doc["units"]:
        if u["type"] != "hq":
            u["strength"] = u["steps"] + r.choice((0, 0, 1, 3))
            u["moved"] = r.random() < 0.2
    return {**doc, "lost": {"afv": r.randint(0, 40), "infantry": r.randint(0, 90)}}


@pytest.mark.parametrize("seed", SEEDS)
def test_actions_of_a_formation(seed: int) -> None:
    doc = worn(seed)
    world = Turn(doc)
    for n, formation in enumerate(RATINGS):
        if formation == "87RD":
            continue  # its tether needs the map's Volodymyr
        points = (seed + n) % 4 + 1
        found = legal(doc, phase="activation", active={"formation": formation, "points": points})
        assert len(found) == len(set(found))
        assert set(found) == world.actions(formation, points)


@pytest.mark.parametrize("seed", SEEDS)
def test_reinforcement_segment(seed: int) -> None:
    doc = worn(seed)
    world = Turn(doc)
    expected = world.rebuilt(2, 2)
    found = set(legal({**doc, "turn": 3}, phase="replacements")) - {"pass"}
    if expected:
        assert found == expected
    for phase, wanted in (
        ("reorganization", world.filled()),
        ("german_reassignment", world.loans(0)),
        ("soviet_reassignment", world.loans(1)),
    ):
        if wanted:
            assert set(legal(doc, phase=phase)) - {"pass"} == wanted, phase


@pytest.mark.parametrize("seed", SEEDS)
def test_attrition_and_points(seed: int) -> None:
    doc = worn(seed)
    world = Turn(doc)
    weak = [u for u in world.units.values() if u["type"] != "hq" and world.is_disrupted(u)]
    lost = [u for u in weak if world.command(u)[0] == "isolated"]
    for u, found in zip(lost, asked(doc, *({"question": "recovery", "unit": u["id"]} for u in lost)), strict=True):
        chances = found["attrition"]["strength_lost"]
        assert {c["result"]: number(c["chance"]) for c in chances} == world.attrition(u)
    exact, whole = world.points()
    victory = asked(doc, {"question": "victory"})[0]
    assert (number(victory["losses"]), victory["points"]["total"]) == (exact, whole)


@pytest.mark.parametrize("seed", SEEDS)
def test_displacement(seed: int) -> None:
    """An enemy HQ alone in a hex is displaced to the nearest place with room."""
    doc = document(seed)
    world = Turn(doc)
    alone = [u for u in world.units.values() if u["type"] == "hq" and not world.fighters(u["at"])]
    for hq in (u for u in alone if u["formation"] != "87RD"):
        movers = [u for u in world.units.values() if u["type"] != "hq" and side_of(u) != side_of(hq)]
        for u in movers:
            if world.is_disrupted(u) or hq["at"] not in world.ends([u], 2) or world.command(u)[0] == "isolated":
                continue
            beside = [h for h in world.reach([u], 2) if world.there(h) and h != hq["at"]]
            if any(v["type"] == "hq" and side_of(v) != side_of(u) for h in beside for v in world.there(h)):
                continue  # another HQ may be in the way
            way = asked(doc, {"question": "moves", "unit": u["id"], "to": hq["at"]})[0]
            assert way["displaces"] == [hq["id"]]
            active = {"formation": under(u), "points": 7}
            before = ([u["at"], *way["path"]])[-2]
            moved = [{**v, "at": before} if v is u else v for v in doc["units"]]
            wanted = Turn({**doc, "units": moved}).refuges(hq)  # the mover stands before the HQ when it goes
            steps = [f"move {u['id']}", f"to {hq['at']}"]
            question = {"question": "legal", "after": steps, "dice": [1] * 4}
            if len(wanted) > 1 and "marsh_checks" not in way:
                found = asked({**doc, "phase": "activation", "active": active}, question)[0]
                assert set(found["actions"]) == {f"displace {hq['id']} {h}" for h in wanted}
                break
