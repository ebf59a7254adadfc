"""17.1 The Soviet artillery barrage."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.board import NOWHERE
from kessel.games.korsun44.board import BACK, HOLDING, INTACT, ON_TRACK, SOVIET, STAYS, UNUSED, Board
from kessel.games.korsun44.engineering.building import repair_streams
from kessel.games.korsun44.engineering.minefields import lays_mines
from kessel.games.korsun44.movement.movement import why_not_move
from kessel.games.korsun44.special.barrage import (
    BarrageSegment,
    Components,
    Creation,
    Redeployment,
    barrage_units,
    parts_of,
    why_not_form,
)
from kessel.games.korsun44.units.strength import strength

from .helpers import board, choices, h, play, position, refused, start, u, unit

UNIT = "Barrage.53A"
PARTS = ("61gun.16Art", "52how.16Art", "90hvhow.16Art", "109BMhow.16Art", "49light.16Art")
REGIMENT = "245.88ID"


def guns(places: tuple[str, ...] = ("0,0", "0,0", "1,0", "0,1", "-1,0"), **fields: Any) -> Board:
    return position(*(unit(n, at) for n, at in zip(PARTS, places, strict=True)), **fields)


@pytest.mark.rule("korsun44", "17.1a", "22.3")
def test_two_barrage_units_of_five_components() -> None:
    g = position()
    assert [g.forces.army[v] for v in barrage_units(g)] == ["53A", "4GA"]
    assert all(len(parts_of(g, v)) == 5 for v in barrage_units(g))


@pytest.mark.rule("korsun44", "17.1.1.1", "17.1.1.2", "17.1.1.3", "17.1.1.5")
def test_a_barrage_unit_is_formed_of_five_fresh_components() -> None:
    g = start(guns(), Creation())
    play(g, f"form_barrage {UNIT} 0,0")
    assert g.place[u(g, UNIT)] == h(g, "0,0")
    for n in PARTS:
        assert g.box[u(g, n)] == HOLDING
        assert not g.on_map(u(g, n))
        assert not g.status[u(g, n)] & BACK


@pytest.mark.rule("korsun44", "17.1.1.1", "17.1.1.2", "17.1.1.3")
def test_where_none_is_formed() -> None:
    def why(g: Board, at: str = "0,0") -> str:
        return str(why_not_form(g, u(g, UNIT), h(g, at)))

    assert why(guns()) == "None"
    assert "neither" in why(guns(("0,0", "0,0", "1,0", "0,1", "-2,0")))
    assert "is not clear" in why(guns(on=board(terrain={"0,0": "woods"})))
    g = guns()
    g.set_status(u(g, PARTS[2]), BACK)
    assert "back side" in why(g)
    g = guns()
    g.put(u(g, REGIMENT), h(g, "1,-1"))
    g.steps[u(g, REGIMENT)] = 4
    g.changed()
    assert "German zone" in why(g)
    g = guns()
    g.take_off(u(g, PARTS[0]), 0)
    assert "not on the map" in why(g)


@pytest.mark.rule("korsun44", "17.1.1.1")
@pytest.mark.parametrize(("reading", "ok"), [("clear", True), ("not_clear", False)])
def test_a_village_may_be_clear(reading: str, ok: bool) -> None:
    g = guns(on=board(features={"0,0": ["village"]}), options={"village_clear": reading})
    assert (why_not_form(g, u(g, UNIT), h(g, "0,0")) is None) == ok


def formed(*germans: tuple[str, str], **fields: Any) -> Board:
    g = guns(**fields)
    start(g, Creation())
    play(g, f"form_barrage {UNIT} 0,0")
    for name, at in germans:
        g.steps[u(g, name)] = 1
        g.put(u(g, name), h(g, at))
    g.changed()
    return g


TARGETS = (("245.88ID", "2,0"), ("246.88ID", "3,0"), ("248.88ID", "0,2"), ("Fus.88ID", "0,-3"), ("Pio.88ID", "4,0"),
           ("I-62.7K", "-1,0"))  # fmt: skip


@pytest.mark.rule("korsun44", "17.1.3.1a", "17.1.3.1b", "17.1.3.1c", "17.1.3.2", "17.1.3.3", "17.1.3.4")
def test_three_markers_by_distance() -> None:
    g = start(formed(*TARGETS), BarrageSegment())
    assert refused(g, f"shell {UNIT} 4,0").rule == "17.1.3"
    assert refused(g, f"shell {UNIT} -1,0").rule == "17.1.3"
    play(g, f"shell {UNIT} 2,0")
    assert refused(g, f"shell {UNIT} 2,0").rule == "17.1.3"
    play(g, f"shell {UNIT} 3,0", f"shell {UNIT} 0,2")
    found = {g.hex_name(at): g.barrage_shift[i] for i, at in enumerate(g.barrage_at) if at != NOWHERE}
    assert found == {"2,0": 3, "3,0": 2, "0,2": 3}
    assert not g.stack, "three markers at most"
    assert g.status[u(g, UNIT)] & BACK
    assert all(g.status[u(g, n)] & BACK for n in PARTS)
    start(g, BarrageSegment())
    assert not g.stack, "it has fired"


@pytest.mark.rule("korsun44", "17.1.3.2")
def test_hexes_next_to_the_unit_with_that_reading() -> None:
    g = start(formed(*TARGETS, options={"barrage_adjacent": "three_shifts"}), BarrageSegment())
    assert f"shell {UNIT} -1,0" in choices(g)


@pytest.mark.rule("korsun44", "17.1.2a", "17.1.2b", "17.1.2e")
def test_a_barrage_unit_does_not_move() -> None:
    g = formed()
    why = why_not_move(g, u(g, UNIT))
    assert why is not None
    assert why.rule == "17.1.2"


@pytest.mark.rule("korsun44", "17.1.5a", "17.1.5b", "17.1.5.1", "17.1.5.3", "17.1.5.4")
def test_a_unit_that_fired_becomes_its_components_and_comes_back_three_turns_later() -> None:
    g = start(formed(("245.88ID", "2,0"), turn=4), BarrageSegment())
    play(g, f"shell {UNIT} 2,0")
    start(g, Redeployment())
    assert g.box[u(g, UNIT)] == ON_TRACK
    assert g.due[u(g, UNIT)] == 7
    play(g, f"place_gun {PARTS[0]} 1,0", f"place_gun {PARTS[1]} 0,1")
    assert refused(g, f"place_gun {PARTS[2]} 0,1").rule == "17.1.5"
    play(g, *(f"place_gun {n} 0,0" for n in PARTS[2:]))
    assert not g.stack
    for n in PARTS:
        assert g.status[u(g, n)] & BACK
        assert g.status[u(g, n)] & STAYS
        assert why_not_move(g, u(g, n)) is not None
    g.set_track("turn", 6)
    start(g, Redeployment())
    assert g.box[u(g, UNIT)] == ON_TRACK
    g.set_track("turn", 7)
    start(g, Redeployment())
    assert g.box[u(g, UNIT)] == UNUSED


@pytest.mark.rule("korsun44", "17.1.5a")
def test_a_unit_that_has_not_fired_stays() -> None:
    g = start(formed(), Redeployment())
    assert g.on_map(u(g, UNIT))
    assert g.forces.side[u(g, UNIT)] == SOVIET


@pytest.mark.rule("korsun44", "17.1.5b")
def test_where_components_may_not_be_placed() -> None:
    g = position(unit(UNIT, "0,0"), unit(REGIMENT, "1,0"))
    for n in PARTS:
        g.steps[u(g, n)], g.box[u(g, n)] = 1, HOLDING
    p = Components(SOVIET, u(g, UNIT), h(g, "0,0"))
    gun = u(g, PARTS[0])
    assert p.why_not_put(g, gun, h(g, "-1,0")) is None
    for bad in ("2,-1", "1,0"):
        why = p.why_not_put(g, gun, h(g, bad))
        assert why is not None, bad
        assert why.rule == "17.1.5"


@pytest.mark.rule("korsun44", "17.1.2d")
@pytest.mark.parametrize(("left", "strength_"), [(5, 9), (4, 8), (1, 2)])
def test_a_barrage_unit_defends_with_its_components_and_nine_at_most(left: int, strength_: int) -> None:
    g = position(unit("Barrage.53A", "0,0", steps=left))
    assert strength(g, u(g, "Barrage.53A")) == strength_
    g = position(unit("Barrage.53A", "0,0", faces="20 18 16 14 12"))
    assert strength(g, u(g, "Barrage.53A")) == 9


@pytest.mark.rule("korsun44", "17.1.2b", "15.3.1a", "15.2.2.2s")
def test_a_barrage_unit_is_no_division_that_works() -> None:
    on = board(sides={"0,0|1,0": "stream"}, roads=[("secondary", "0,0 1,0")])
    for name, works in (("Barrage.53A", False), ("78G.53A", True)):
        g = position(unit(name, "0,0"), on=on, bridges={"0,0|1,0": {"state": "destroyed"}}, control={"1,0": "soviet"})
        assert lays_mines(g, u(g, name)) == works
        repair_streams(g, SOVIET)
        assert (g.bridge_state[0] == INTACT) == works
