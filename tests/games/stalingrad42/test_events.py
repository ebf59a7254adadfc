"""What the log says of pieces that have moved: `unit`, `from`, `to`, and `path` where the way is known."""

from __future__ import annotations

from typing import Any

from .helpers import area, at, choices, do, start


def told(g: Any, unit: str) -> list[dict[str, Any]]:
    return [e for e in g.events if e.get("unit") == unit and "to" in e]


def test_a_move_tells_the_places_entered():
    g = start({"A": "axis 3-5-4 0,0"}, phase="movement")
    do(g, "move A", "step 1,0 normal", "step 2,0 normal", "halt")
    (event,) = told(g, "A")
    assert (event["from"], event["to"], event["path"]) == ("0,0", "2,0", ["1,0", "2,0"])
    g = start({"A": "axis 3-5-4 0,0"}, phase="movement")
    do(g, "move A", "to 3,0 normal")
    (event,) = told(g, "A")
    assert (event["from"], event["to"], event["path"][-1], len(event["path"])) == ("0,0", "3,0", "3,0", 3)


def test_a_unit_dropped_on_the_way_tells_its_part():
    g = start({"A": "axis 3-5-4 0,0", "B": "axis 3-5-4 0,0"}, phase="movement")
    do(g, "move A", "with B", "step 1,0 normal", "drop B", "step 2,0 normal", "halt")
    assert [e["path"] for e in told(g, "A") + told(g, "B")] == [["1,0", "2,0"], ["1,0"]]


def test_a_rail_move_and_a_transfer_tell_where_from():
    rails = [("rail", "0,0 1,0 2,0")]
    g = start({"A": "axis 3-5-4 0,0"}, phase="movement", links=rails, repaired="all")
    do(g, "move A", "rail 2,0")
    (event,) = told(g, "A")
    assert (event["from"], event["to"]) == ("0,0", "2,0")
    boxes = [area("P", "axis", "-4,0"), area("Q", "axis", "-4,4")]
    g = start({"A": "axis 3-5-4 P"}, phase="movement", boxes=boxes)
    do(g, "move A", "transfer Q")
    (event,) = told(g, "A")
    assert (event["from"], event["to"]) == ("P", "Q")


def test_a_retreat_tells_its_way():
    g = start({"A": "axis 3-5-3;1-3-3 -1,0", "X": "soviet 3-5-3 0,0"}, phase="combat", dice=[6])
    do(g, "disengage A")
    do(g, min(c for c in choices(g) if c.startswith("retreat")))
    (event,) = told(g, "A")
    assert event["from"] == "-1,0"
    assert event["to"] == at(g, "A") == event["path"][-1]


def test_an_advance_tells_its_way():
    units = {"A": "axis 20-8-6 -1,0 tank", "X": "soviet 1-1-3 0,0"}
    g = start(units, phase="combat", dice=[1, 1, 1, 1])
    do(g, "attack 0,0", "add A", "declare")
    while "advance A" not in choices(g):
        do(g, "pass" if "pass" in choices(g) else min(choices(g)))
    do(g, "advance A")
    do(g, min(c for c in choices(g) if c.startswith("go ")))
    while not told(g, "A"):
        do(g, "halt")
    event = told(g, "A")[-1]
    assert event["from"] == "-1,0"
    assert event["to"] == at(g, "A") == event["path"][-1]
