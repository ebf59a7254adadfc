"""What the game gives to the rest of the system: view, previews, overlays, faults, worth of a position."""

from __future__ import annotations

from kessel.core.pack import Pack
from kessel.games.bug41.notation import NOTATION, PHRASES
from kessel.games.bug41.title import TITLE

from .helpers import act, board, do, fresh, ger, h, hq, pos, sov, u


def test_scenarios_are_listed_with_their_readings() -> None:
    found = TITLE.scenarios(Pack("bug41"))
    assert [s.id for s in found] == ["ustyluh", "voinitsa", "campaign"]
    assert [s.turns for s in found] == [3, 3, 7]
    assert [s.first for s in found] == [True, False, False]
    assert all(len(s.options) == 36 for s in found)
    assert TITLE.check_pack(Pack("bug41")) == []


def test_the_view_shows_units_levels_and_points() -> None:
    g = act(pos(ger("A", "0,0", status="disrupted"), sov("S", "3,0", steps=2)), points=4)
    view = TITLE.view(g, 0)
    pieces = {p.id: p for p in view.pieces}
    assert pieces["A"].status == ["disrupted"]
    assert pieces["S"].values == "2-1-5"
    assert (pieces["S"].steps, pieces["S"].full_steps) == (2, 7)
    tracks = {t.name: t.value for t in view.tracks}
    assert tracks["action points of 298ID"] == 4
    assert tracks["level of 298ID"] == 4
    assert view.phase == "298. Infantry Division is active, 4 AP left"


def test_previews() -> None:
    g = act(pos(ger("A", "0,0"), sov("S", "1,0")))
    odds = TITLE.preview(g, NOTATION.parse(g, "regular 1,0 with A"))
    assert odds["attack"]["total"] == 8
    assert odds["cost"]["total"] == 2
    assert TITLE.preview(g, NOTATION.parse(g, "move A"))["cost"]["total"] == 1
    do(g, "move A")
    way = TITLE.preview(g, NOTATION.parse(g, "to -1,0"))
    assert way == {"path": ["-1,0"], "cost": 1, "action_points": 1, "stops": False, "leg_bonus": False}
    assert TITLE.preview(g, NOTATION.parse(g, "infiltrate 0,1"))["chances"] == {"A": "3/5"}
    do(g, "to -1,0")
    g = do(act(pos(ger("A", "-1,0"), sov("S", "2,0"))), "move A", "to 1,0")
    assert TITLE.preview(g, ("react", "215MD")) == {"rating": 5, "probability": 0.5, "level": 4}
    g = act(pos(ger("A", "0,0", status="disrupted"), hq("HQ", "-3,0", "298ID"), on=board(terrain={"-2,0": "village"})))
    assert TITLE.preview(g, ("refit", h(g, "0,0")))["chances"] == {"A": "3/5"}
    assert TITLE.preview(g, ("relocate", h(g, "-2,0"))) == {"path": ["-3,0", "-2,0"], "action_points": 1}


def test_overlays_name_zones_supply_and_danger() -> None:
    g = fresh("ustyluh")
    found = TITLE.overlays(g, 0)
    assert {"German zones", "Soviet zones", "Victory hexes", "Soviet reach", "Soviet threat"} <= set(found)
    assert found["Victory hexes"]["hexes"]["1212"] == "soviet"
    assert "1312" in found["Pillboxes that work"]["hexes"]
    assert "German reach" not in found
    assert "German reach" in TITLE.overlays(g, None)


def test_faults_are_found() -> None:
    g = pos(ger("A", "0,0"), ger("B", "0,0"), sov("S", "0,0", status="disrupted improved"))
    found = " ".join(TITLE.faults(g))
    assert "both sides stand in 0,0" in found
    assert "S is Disrupted and in Improved Defense" in found
    assert TITLE.faults(fresh("campaign")) == []


def test_the_worth_of_a_position_has_two_sides() -> None:
    g = fresh("campaign")
    before = TITLE.evaluate(g, 0)
    assert TITLE.evaluate(g, 1) == -before
    g.lose(u(g, "I-16"), 3, "")
    assert TITLE.evaluate(g, 0) > before


def test_phrases_are_of_verbs_that_exist() -> None:
    assert set(PHRASES) <= set(NOTATION.verbs)
