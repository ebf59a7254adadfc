"""12.16.1, 12.17, 12.5.2 What other chapters carry out of chapter 12; the question about an attack; off the map."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kessel.core.analysis import answer
from kessel.games.korsun44.answers.view import side_view
from kessel.games.korsun44.board import (
    DECLARED,
    DISORGANIZED,
    FORD_GERMAN,
    GERMAN,
    LEFT,
    REGROUP,
    SOVIET,
    Board,
)
from kessel.games.korsun44.combat.off_map import return_hexes, why_not_return
from kessel.games.korsun44.combat.shifts import combined_arms
from kessel.games.korsun44.combat.strengths import attack_strength
from kessel.games.korsun44.movement.movement import why_not_strategic
from kessel.games.korsun44.movement.stacking import Overstacked
from kessel.games.korsun44.turn.reinforcements import ReinforcementSegment
from kessel.games.korsun44.turn.replacements import why_not_eligible

from .fights import ART, D1, FUS, GUN, HOW, PIO, R1, R2, R3, T1, applied, battle, on_map
from .helpers import TITLE, board, choices, h, moving, play, position, refused, start, u, unit


def asked(g: Board, **fields: Any) -> dict[str, Any]:
    return answer(TITLE, g, msgspec.json.encode({"question": "attack", **fields}))


@pytest.mark.rule("korsun44", "12.16.1c")
def test_units_that_left_the_map_come_back_by_the_next_edge_road() -> None:
    lakes = {f"5,0|{x}": "lake" for x in ("5,-1", "4,1")}
    on = board(sides=lakes, roads=[("primary", "5,-2 4,-2"), ("primary", "5,-4 4,-4")])
    g = position(unit(D1, "4,0"), unit(FUS, "5,0"), on=on, options={"off_map": "open"})
    applied(g, "-/R", D1, on=("5,0",))
    assert g.box[u(g, FUS)] == LEFT
    why = why_not_return(g, GERMAN, u(g, FUS), h(g, "5,-2"))
    assert why is not None
    assert why.rule == "12.16.1"
    g.set_track("turn", g.turn + 1)
    assert return_hexes(g, GERMAN, u(g, FUS)) == [h(g, "5,-2")]
    start(g, ReinforcementSegment(GERMAN))
    assert refused(g, f"enter {FUS} 5,-4").rule == "12.16.1"
    play(g, f"enter {FUS} 5,-2")
    assert on_map(g, FUS) == "5,-2"
    assert not g.stack


@pytest.mark.rule("korsun44", "12.5.2.fd", "18.6.3")
def test_a_ford_does_away_with_the_river() -> None:
    on = board(sides={"1,0|0,0": "river"})
    on["hexsides"] = {"1,0|0,0": {"features": ["river"], "name": "Shpolka"}}
    g = position(unit(T1, "1,0"), unit(R1, "0,0"), on=on, options={"fords": "on"})
    b = battle(g, T1)
    assert (attack_strength(g, b).total, combined_arms(g, b).total) == (5, 0)
    g.fords[0] = FORD_GERMAN << 1
    g.changed()
    assert (attack_strength(g, b).total, combined_arms(g, b).total) == (10, 1)


@pytest.mark.rule("korsun44", "12.17.d3")
def test_overstacked_units_are_disorganized() -> None:
    g = position(*(unit(x, "0,0") for x in (R1, R2, R3)))
    start(g, Overstacked(GERMAN))
    assert all(g.status[u(g, x)] & DISORGANIZED for x in (R1, R2, R3))


@pytest.mark.rule("korsun44", "12.17.r3", "12.17.r4")
def test_regroup_by_movement() -> None:
    g = position(unit(R1, "0,0"), unit(D1, "1,-1"), unit("206.27A", "1,1"), phase="german_movement")
    moving(g)
    play(g, f"move {R1}", "to 0,1")
    while f"move {R1}" not in choices(g) and "halt" in choices(g):
        play(g, "halt")
    assert g.status[u(g, R1)] & REGROUP
    g = position(unit(ART, "0,0"), on=board(roads=[("primary", "0,0 1,0 2,0")]), phase="german_movement")
    moving(g)
    play(g, f"move {ART}", "strategic", "to 1,0")
    play(g, "halt")
    assert g.status[u(g, ART)] & REGROUP


@pytest.mark.rule("korsun44", "12.17.2.2", "12.17.3a")
@pytest.mark.parametrize("flag", [DISORGANIZED, REGROUP])
def test_disordered_units_do_not_move_strategically(flag: int) -> None:
    g = position(unit(R1, "0,0"))
    assert why_not_strategic(g, u(g, R1)) is None
    g.set_status(u(g, R1), flag)
    assert why_not_strategic(g, u(g, R1)) is not None


@pytest.mark.rule("korsun44", "12.17.2.8")
@pytest.mark.parametrize("flag", [DISORGANIZED, REGROUP])
def test_disordered_units_take_no_replacements(flag: int) -> None:
    g = position(unit(R1, "0,0", steps=2))
    before = why_not_eligible(g, GERMAN, u(g, R1), "infantry")
    g.set_status(u(g, R1), flag)
    after = why_not_eligible(g, GERMAN, u(g, R1), "infantry")
    assert before is None
    assert after is not None
    assert "Disorganized" in after.reason


@pytest.mark.rule("korsun44", "4.7b", "4.7c", "4.7.p2", "12.13.3b")
def test_a_division_may_push_its_marker_into_the_hex_instead_of_advancing() -> None:
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"))
    applied(g, "-/R", D1)
    play(g, f"retreat {FUS} -1,0", f"extend_into {D1} 0,0")
    assert [on_map(g, x) for x in (D1, "180x.27A")] == ["1,0", "0,0"]
    assert g.control[h(g, "0,0")] == SOVIET
    g = position(unit(D1, "1,0", steps=1), unit(FUS, "0,0"))
    applied(g, "-/R", D1)
    play(g, f"retreat {FUS} -1,0")
    assert refused(g, f"extend_into {D1} 0,0").rule == "4.7"


# --- answers -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.1.3.B1", "12.1.3.B2", "12.10.2.5")
def test_the_question_about_an_attack() -> None:
    units = unit(D1, "1,0"), unit(GUN, "2,0"), unit(HOW, "2,0"), unit(R1, "0,0"), unit(ART, "-1,0")
    g = position(*units)
    found = asked(g, target="0,0", units=[D1], guns=[GUN, HOW], gun=ART)
    assert (found["attack"]["total"], found["defence"]["total"], found["odds"]) == (20, 10, "2:1")
    assert found["shifts"]["total"] == 1
    assert sum(c["probability"] for c in found["chances"]) == pytest.approx(1, abs=1e-4)
    found = asked(g, target="0,0", units=[D1], unsupported=["27A"], guns=[GUN])
    assert found["refusal"]["rule"] == "12.4"
    assert asked(g, target="0,0", units=[GUN])["refusal"]["rule"] == "12.2"
    g = position(unit(PIO, "1,0"), unit(R1, "1,0"), unit(D1, "0,0"))
    assert asked(g, target="0,0", units=[PIO, R1], engineer=PIO)["shifts"]["total"] == 1
    assert asked(g, target="0,0", units=[PIO, R1], engineer=R1)["refusal"]["rule"] == "12.9.1"


@pytest.mark.rule("korsun44", "12.1.1.1a")
def test_the_view_shows_combat_markers() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), phase="soviet_combat")
    g.mark_combat(h(g, "0,0"), DECLARED)
    assert ("combat", "0,0") in {(m.kind, m.place) for m in side_view(g, SOVIET).markers}
