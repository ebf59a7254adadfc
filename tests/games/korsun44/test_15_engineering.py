"""15.0 Engineering: positions, bridges, railroads, minefields; 18.3 heavy tanks on bridges."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.breakdown import Refusal
from kessel.games.korsun44.answers.moving import AskMoves, moves
from kessel.games.korsun44.board import (
    ATTACKED,
    BRIDGE_OK,
    BUILDING,
    DESTROYED,
    ENGINEERING,
    FACING,
    GERMAN,
    INTACT,
    IP,
    J_BRIDGE,
    K_BRIDGE,
    MINES,
    MINES_BUILDING,
    MOVEMENT,
    NEW,
    NO_BRIDGE,
    NOBODY,
    RAIL_CUT,
    RAIL_REPAIR,
    REPAIRING,
    SOVIET,
    Board,
)
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.engineering.bridges import (
    bridge_attempts,
    destruction_roll,
    forget_attempts,
    note_crossing,
    why_not_destroy,
)
from kessel.games.korsun44.engineering.building import rail_menders, why_not_build, why_not_repair
from kessel.games.korsun44.engineering.minefields import mine_check
from kessel.games.korsun44.engineering.phase import EngineeringPhase
from kessel.games.korsun44.engineering.positions import overrun_position, why_not_dig
from kessel.games.korsun44.movement.costs import TACTICAL, kind_of, prices
from kessel.games.korsun44.movement.movement import reach_of
from kessel.games.korsun44.supply.paths import barriers_of
from kessel.games.korsun44.supply.sources import open_terminals

from .helpers import board, choices, h, moving, names, play, position, refused, start, told, u, unit
from .supply_helpers import row, supplied_by, supply_board, with_points

PIO, ENG, DIVISION, REGIMENT, KORPS, CONSTRUCTION = "Pio.88ID", "Eng.27A", "180.27A", "245.88ID", "Pio.42K", "Bau.42K"
BRIDGE = "0,0|1,0"


def at_river(*units: dict[str, Any], water: str = "river", road: str = "secondary", **fields: Any) -> Board:
    """A bridge at 0,0|1,0; both hexes German, the bridge too, SDMs with four points."""
    roads = [(road, row(-5, 5))] if road else []
    on = board(sides={BRIDGE: water}, roads=roads)
    g = position(unit("SDM1.42K", "-5,0"), unit("SDM1.27A", "5,0"), *units, on=on, **fields)
    with_points(g, SDM1_42K=4, SDM1_27A=4)
    for name in g.forces.ids:
        v = u(g, name)
        if g.on_map(v):
            supplied_by(g, "SDM1.42K" if g.forces.side[v] == GERMAN else "SDM1.27A", name)
    for x in ("0,0", "1,0"):
        g.control[h(g, x)] = GERMAN
    if road:
        g.bridge_owner[0] = GERMAN
    g.set_track("phase", ENGINEERING)
    g.changed()
    return g


def side(g: Board, text: str = BRIDGE) -> int:
    return g.map.grid.parse_hexside(text)


def phase(g: Board, side_: int, dice: tuple[int, ...] = ()) -> Board:
    g.set_track("phasing", side_)
    return start(g, EngineeringPhase(side_), dice=dice)


# --- 15.1 improved positions ---------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "15.1.1a", "15.1.1b", "15.1.1d", "14.3d", "14.3b")
def test_an_engineer_builds_a_position_for_a_point() -> None:
    g = phase(at_river(unit(PIO, "-2,0"), unit(DIVISION, "-2,1")), GERMAN)
    play(g, f"dig {PIO}")
    assert g.works[h(g, "-2,0")] & IP
    assert g.sdm_sp[u(g, "SDM1.42K")] == 3


@pytest.mark.rule("korsun44", "15.1.1a", "15.1.1c", "15.1.1e")
def test_who_cannot_dig_and_where() -> None:
    g = at_river(unit(PIO, "-2,0"))
    assert why_not_dig(g, GERMAN, u(g, PIO)) is None
    g.set_status(u(g, PIO), ATTACKED)
    assert "has attacked" in str(why_not_dig(g, GERMAN, u(g, PIO)))
    g = at_river(unit(PIO, "-2,0", status=["OOS1"]))
    assert "out of supply" in str(why_not_dig(g, GERMAN, u(g, PIO)))
    for more in ({"terrain": {"-2,0": "woods"}}, {"features": {"-2,0": ["village"]}}):
        g = supplied_by(position(unit("SDM1.42K", "-5,0"), unit(PIO, "-2,0"), on=board(**more)), "SDM1.42K", PIO)
        assert "is not clear" in str(why_not_dig(with_points(g, SDM1_42K=1), GERMAN, u(g, PIO)))
    g = at_river(unit(PIO, "-2,0"))
    g.set_works(h(g, "-2,0"), IP)
    assert "has an improved position" in str(why_not_dig(g, GERMAN, u(g, PIO)))
    g = with_points(at_river(unit(PIO, "-2,0")), SDM1_42K=0)
    assert "Supply Points" in str(why_not_dig(g, GERMAN, u(g, PIO)))


@pytest.mark.rule("korsun44", "15.1.1b")
def test_a_position_may_be_free_with_that_reading() -> None:
    g = with_points(at_river(unit(PIO, "-2,0"), options={"ip_point": "free"}), SDM1_42K=0)
    assert why_not_dig(g, GERMAN, u(g, PIO)) is None


@pytest.mark.rule("korsun44", "15.1.3a", "15.1.3b")
def test_positions_go_when_soviets_enter_or_germans_wish() -> None:
    g = at_river(unit(PIO, "-2,0"))
    for x in ("-1,0", "-1,1"):
        g.set_works(h(g, x), IP)
    overrun_position(g, SOVIET, h(g, "-1,0"))
    assert not g.works[h(g, "-1,0")] & IP
    play(phase(g, GERMAN), "level -1,1")
    assert not g.works[h(g, "-1,1")] & IP


# --- 15.2 control --------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "15.2a", "15.2b", "15.2c")
def test_who_crossed_last_controls_a_bridge() -> None:
    g = position(
        on=board(sides={BRIDGE: "stream", "0,0|0,1": "river"}, roads=[("trail", "0,0 1,0"), ("primary", "0,0 0,1")])
    )
    first, second = (g.bridge_of(side(g, x))[0] for x in (BRIDGE, "0,0|0,1"))
    assert g.bridge_owner[first] == NOBODY
    note_crossing(g, SOVIET, h(g, "0,0"), h(g, "1,0"))
    assert (g.bridge_owner[first], g.bridge_owner[second]) == (SOVIET, NOBODY)


# --- 15.2.1 destruction --------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "15.2.1.1c", "15.2.1.p2")
@pytest.mark.parametrize(("die", "state"), [(1, DESTROYED), (5, DESTROYED), (6, INTACT)])
def test_a_bridge_is_destroyed_on_one_to_five(die: int, state: int) -> None:
    g = phase(at_river(unit(PIO, "-2,0")), GERMAN)
    play(g, f"destroy {BRIDGE}", dice=[die])
    assert g.bridge_state[0] == state


@pytest.mark.rule("korsun44", "15.2.1.2")
def test_one_attempt_on_a_bridge_in_a_phase() -> None:
    g = phase(at_river(unit(PIO, "-2,0")), GERMAN)
    play(g, f"destroy {BRIDGE}", dice=[6])
    assert why_not_destroy(g, GERMAN, side(g)) is not None
    g.set_track("phase", MOVEMENT)
    assert why_not_destroy(g, GERMAN, side(g)) is None
    g.set_track("phase", ENGINEERING)
    forget_attempts(g)
    assert why_not_destroy(g, GERMAN, side(g)) is None


@pytest.mark.rule("korsun44", "15.2.1.1c")
def test_only_the_owner_destroys() -> None:
    g = at_river(unit(PIO, "-2,0"), unit(ENG, "2,0"))
    assert why_not_destroy(g, SOVIET, side(g)) is not None
    g.bridge_owner[0] = NOBODY
    assert why_not_destroy(g, GERMAN, side(g)) is not None


@pytest.mark.rule("korsun44", "15.2.1.e1", "15.2.1.e2")
def test_an_engineer_must_be_near_by_a_free_way() -> None:
    def may(*units: dict[str, Any]) -> bool:
        g = at_river(*units)
        return why_not_destroy(g, GERMAN, side(g)) is None

    assert may(unit(PIO, "-3,0"))
    assert not may(unit(PIO, "-4,0"))
    assert not may(unit(REGIMENT, "0,0"))
    assert not may(unit(PIO, "-3,0"), unit(DIVISION, "-2,0")), "the straight way is three hexes"
    assert may(unit(PIO, "-2,0"), unit(DIVISION, "-1,0")), "round the enemy"


@pytest.mark.rule("korsun44", "15.2.1.e2")
@pytest.mark.parametrize(("reading", "may"), [("may_be_held", True), ("may_not", False)])
def test_the_bridge_hex_may_hold_an_enemy(reading: str, may: bool) -> None:
    enemies = [unit("180.27A", "0,0"), unit("206.27A", "1,0")]
    g = at_river(unit(PIO, "-2,0"), *enemies, options={"bridge_end": reading})
    assert (why_not_destroy(g, GERMAN, side(g)) is None) == may


@pytest.mark.rule("korsun44", "15.2.1.p1a", "15.2.1.p1b")
def test_modifiers_of_the_demolition() -> None:
    g = at_river(unit(PIO, "-2,0"), road="railroad")
    assert destruction_roll(g, GERMAN, side(g), 2).total == 4
    for reading, more in (("plus_one", 1), ("plus_two", 2), ("none", 0)):
        g = at_river(unit(PIO, "-2,0"), unit(DIVISION, "1,0"), options={"enemy_at_bridge": reading})
        assert destruction_roll(g, GERMAN, side(g), 2).total == 2 + more
    g.set_track("phase", MOVEMENT)
    assert destruction_roll(g, GERMAN, side(g), 2).total == 2


@pytest.mark.rule("korsun44", "15.2.1.1a")
def test_a_bridge_is_blown_when_an_enemy_moves_into_its_hex() -> None:
    g = at_river(unit(PIO, "-2,0"), unit(DIVISION, "3,0"), phase="soviet_movement")
    play(moving(g), f"move {DIVISION}", "to 1,0", f"destroy {BRIDGE}", dice=[3])
    assert g.bridge_state[0] == DESTROYED
    assert "is destroyed" in told(g)


@pytest.mark.rule("korsun44", "15.2.1.1b")
def test_attempts_arise_wherever_an_enemy_comes() -> None:
    g = at_river(unit(PIO, "-2,0"), unit(DIVISION, "1,0"))
    assert bridge_attempts(g, GERMAN, h(g, "1,0")) is not None
    assert bridge_attempts(g, GERMAN, h(g, "3,0")) is None


# --- 15.2.2 repair -------------------------------------------------------------------------------------------------


def broken(*units: dict[str, Any], **more: Any) -> Board:
    g = at_river(*units, **more)
    g.set_bridge(0, DESTROYED)
    return g


@pytest.mark.rule("korsun44", "15.2.2.2g", "15.2.2a")
def test_germans_repair_stream_bridges_with_an_engineer_near() -> None:
    assert phase(broken(unit(PIO, "-3,0"), water="stream"), GERMAN).bridge_state[0] == INTACT
    assert phase(broken(unit(REGIMENT, "0,0"), water="stream"), GERMAN).bridge_state[0] == DESTROYED
    g = broken(unit(PIO, "-3,0"), water="stream")
    g.control[h(g, "1,0")] = SOVIET
    assert phase(g, GERMAN).bridge_state[0] == DESTROYED


@pytest.mark.rule("korsun44", "15.2.2.2s")
def test_soviets_repair_stream_bridges_with_a_division_beside_them() -> None:
    for name, at, state in ((DIVISION, "1,0", INTACT), (DIVISION, "2,0", DESTROYED), (ENG, "3,0", INTACT)):
        g = broken(unit(name, at), water="stream")
        for x in ("0,0", "1,0"):
            g.control[h(g, x)] = SOVIET
        assert phase(g, SOVIET).bridge_state[0] == state


@pytest.mark.rule("korsun44", "15.2.2b")
def test_a_zone_over_the_bridge_needs_a_unit() -> None:
    g = broken(unit(PIO, "0,0"), unit(DIVISION, "2,0"))
    assert "is in an enemy zone" in str(why_not_repair(g, GERMAN, side(g), u(g, PIO)))
    g = broken(unit(PIO, "0,0"), unit(DIVISION, "2,0"), unit(REGIMENT, "1,0"))
    assert why_not_repair(g, GERMAN, side(g), u(g, PIO)) is None


@pytest.mark.rule("korsun44", "15.2.2.1")
def test_railroad_bridges_are_not_repaired() -> None:
    g = broken(unit(PIO, "0,0"), road="railroad")
    assert "railroad bridges" in str(why_not_repair(g, GERMAN, side(g), u(g, PIO)))


@pytest.mark.rule("korsun44", "15.2.2.3a", "15.2.2.3c", "15.2.2.3d")
def test_a_river_bridge_is_repaired_in_the_next_phase() -> None:
    g = phase(broken(unit(PIO, "0,0")), GERMAN)
    play(g, f"repair {BRIDGE} by {PIO}")
    assert g.bridge_state[0] == REPAIRING
    assert g.sdm_sp[u(g, "SDM1.42K")] == 3
    phase(g, GERMAN, dice=(6,))
    assert g.bridge_state[0] == REPAIRING
    phase(g, GERMAN, dice=(5,))
    assert g.bridge_state[0] == INTACT


# --- 15.2.3, 15.2.4 new bridges --------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "15.2.3a", "15.2.3b")
def test_korps_engineers_build_new_bridges() -> None:
    g = at_river(unit(KORPS, "0,0"), unit(PIO, "0,0"), unit(CONSTRUCTION, "1,0"), road="")
    assert why_not_build(g, GERMAN, side(g), u(g, PIO)) is not None
    assert why_not_build(g, GERMAN, side(g), u(g, CONSTRUCTION)) is not None
    phase(g, GERMAN)
    play(g, f"build {BRIDGE} by {KORPS}")
    (i,) = g.bridge_of(side(g))
    assert (g.bridge_kind[i], g.bridge_state[i]) == (NEW, BUILDING)
    phase(g, GERMAN, dice=(2,))
    assert g.bridge_state[i] == INTACT
    table = prices(g, GERMAN, kind_of(g, u(g, CONSTRUCTION), TACTICAL), False)
    assert not isinstance(table.step(h(g, "0,0"), g.map.grid.direction(h(g, "0,0"), h(g, "1,0"))), Refusal)


@pytest.mark.rule("korsun44", "15.2.3b")
def test_soviet_army_engineers_build_new_bridges() -> None:
    g = at_river(unit(ENG, "1,0"), road="")
    for x in ("0,0", "1,0"):
        g.control[h(g, x)] = SOVIET
    assert why_not_build(g, SOVIET, side(g), u(g, ENG)) is None


@pytest.mark.rule("korsun44", "15.2.4a", "15.2.4b", "15.2.4.1", "15.2.4.2", "15.2.4.4")
@pytest.mark.parametrize(("name", "kind", "heavy"), [("Kbr.42K", K_BRIDGE, False), ("Jbr.3PzK", J_BRIDGE, True)])
def test_bridge_engineers_lay_k_and_j_bridges(name: str, kind: int, heavy: bool) -> None:
    g = phase(at_river(unit(name, "0,0"), road=""), GERMAN)
    play(g, f"lay_bridge {BRIDGE} by {name}", dice=[5])
    (i,) = g.bridge_of(side(g))
    assert (g.bridge_kind[i], g.bridge_state[i]) == (kind, INTACT)
    d = g.map.grid.direction(h(g, "0,0"), h(g, "1,0"))
    for tank, may in (("503.Bake", heavy), ("II-2.16Pz", True), ("110.18TkC", True)):
        v = u(g, tank)
        step = prices(g, g.forces.side[v], kind_of(g, v, TACTICAL), False).step(h(g, "0,0"), d)
        assert (not isinstance(step, Refusal)) == may, tank


@pytest.mark.rule("korsun44", "15.2.4.2", "15.2.4.5")
def test_a_six_takes_another_turn_and_engineers_take_bridges_up() -> None:
    g = phase(at_river(unit("Kbr.42K", "0,0"), road=""), GERMAN)
    play(g, f"lay_bridge {BRIDGE} by Kbr.42K", dice=[6])
    (i,) = g.bridge_of(side(g))
    assert g.bridge_state[i] == BUILDING
    phase(g, GERMAN)
    assert g.bridge_state[i] == INTACT
    play(g, f"take_up {BRIDGE} by Kbr.42K")
    assert g.bridge_state[i] == NO_BRIDGE


@pytest.mark.rule("korsun44", "15.2.4c")
def test_the_far_hex_of_a_laid_bridge() -> None:
    g = phase(at_river(unit("Kbr.42K", "0,0"), unit(DIVISION, "2,0"), road=""), GERMAN)
    assert not any(c.startswith("lay_bridge") for c in choices(g))
    g = phase(at_river(unit("Kbr.42K", "0,0"), unit(DIVISION, "2,0"), unit(REGIMENT, "1,0"), road=""), GERMAN)
    assert f"lay_bridge {BRIDGE} by Kbr.42K" in choices(g)


@pytest.mark.rule("korsun44", "15.2.4.3")
def test_a_destroyed_k_bridge_leaves_the_game() -> None:
    g = phase(at_river(unit("Kbr.42K", "0,0"), road=""), GERMAN)
    play(g, f"lay_bridge {BRIDGE} by Kbr.42K", f"destroy {BRIDGE}", dice=[1, 1])
    assert not g.bridge_of(side(g))


# --- 15.2.5 railroads ----------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "15.2.5.1", "15.2.5.2", "15.2.5.3")
def test_a_construction_engineer_repairs_the_railroad_in_two_phases() -> None:
    on = supply_board(6, sources={"-6,0": "1PzA"}, terminals=("3,0",), roads=(("railroad", row(-6, 6)),))
    g = position(unit("SDM1.42K", "-5,0"), unit(CONSTRUCTION, "0,0"), unit(KORPS, "1,0"), on=on)
    supplied_by(with_points(g, SDM1_42K=4), "SDM1.42K", CONSTRUCTION, KORPS)
    for x in ("0,0", "1,0"):
        g.set_works(h(g, x), RAIL_CUT)
    phase(g, GERMAN)
    assert f"repair_rail {KORPS}" not in choices(g)
    play(g, f"repair_rail {CONSTRUCTION}")
    assert g.works[h(g, "0,0")] & (RAIL_CUT | RAIL_REPAIR) == RAIL_REPAIR
    play(phase(g, GERMAN), f"repair_rail {CONSTRUCTION}")
    assert not g.works[h(g, "0,0")]
    assert g.sdm_sp[u(g, "SDM1.42K")] == 2
    assert not open_terminals(g), "another cut is left"
    g.set_works(h(g, "1,0"), RAIL_CUT, on=False)
    assert names(g, open_terminals(g)) == {"3,0"}


# --- 15.3 minefields -----------------------------------------------------------------------------------------------


def mines(*units: dict[str, Any], left: int = 2, **more: Any) -> Board:
    g = position(unit("SDM1.27A", "5,0"), *units, **more)
    with_points(g, SDM1_27A=4)
    for name in g.forces.ids:
        if g.on_map(u(g, name)) and g.forces.side[u(g, name)] == SOVIET:
            supplied_by(g, "SDM1.27A", name)
    g.set_track("mines_left", left)
    g.set_track("phase", ENGINEERING)
    return g


@pytest.mark.rule("korsun44", "15.3a", "15.3b", "15.3.1a", "15.3.1b", "15.3.1.2", "15.3.1.3")
def test_a_minefield_takes_two_phases_and_faces_three_hexsides() -> None:
    g = phase(mines(unit(DIVISION, "0,0"), unit(ENG, "2,0"), left=1), SOVIET)
    play(g, f"lay_mines {DIVISION}")
    assert g.works[h(g, "0,0")] & MINES_BUILDING
    assert (g.sdm_sp[u(g, "SDM1.27A")], g.track("mines_left")) == (3, 0)
    assert not any(c.startswith("lay_mines") for c in choices(g)), "the scenario has no more"
    phase(g, SOVIET)
    play(g, "face_mines 0,0 1")
    assert [g.mined(h(g, "0,0"), d) for d in range(6)] == [False, True, True, True, False, False]


@pytest.mark.rule("korsun44", "15.3.1a", "15.3.1b")
def test_where_mines_are_laid_and_left() -> None:
    on = board(terrain={"0,0": "woods"}, features={"2,0": ["village"]})
    g = phase(mines(unit(DIVISION, "0,0"), unit("206.27A", "2,0"), on=on), SOVIET)
    assert [c for c in choices(g) if c.startswith("lay_mines")] == ["lay_mines 206.27A"]
    play(g, "lay_mines 206.27A")
    g.put(u(g, "206.27A"), h(g, "3,0"))
    phase(g, SOVIET)
    assert not g.works[h(g, "2,0")]
    assert g.track("mines_left") == 2


def field(g: Board, at: str = "0,0", d: int = 0) -> Board:
    """A completed field that faces direction d and the two after it."""
    g.set_works(h(g, at), MINES | d << FACING)
    return g


@pytest.mark.rule("korsun44", "15.3.2b", "15.3.2.m1a", "15.3.2.m1b")
@pytest.mark.parametrize(("die", "steps"), [(3, -1), (4, 0)])
def test_armor_that_crosses_may_lose_a_step(die: int, steps: int) -> None:
    tank = "II-2.16Pz"
    g = position(unit(tank, "0,-2"), phase="german_movement")
    full = g.steps[u(g, tank)]
    field(g, "0,0", 5)
    play(moving(g), f"move {tank}", "to 0,0", dice=[die])
    assert g.steps[u(g, tank)] == full + steps
    if full + steps:
        assert any(c.startswith("to ") for c in choices(g)), "it may go on"


@pytest.mark.rule("korsun44", "15.3.2a", "15.3.2b", "15.3b")
def test_who_meets_no_mines() -> None:
    g = field(position(unit(REGIMENT, "0,-1"), unit(DIVISION, "0,1")))
    assert mine_check(g, GERMAN, (u(g, REGIMENT),), h(g, "0,-1"), h(g, "0,0")) is not None
    assert mine_check(g, GERMAN, (u(g, REGIMENT),), h(g, "0,1"), h(g, "0,0")) is None, "from behind"
    assert mine_check(g, SOVIET, (u(g, DIVISION),), h(g, "0,-1"), h(g, "0,0")) is None
    g.set_works(h(g, "0,0"), MINES, on=False)
    g.set_works(h(g, "0,0"), MINES_BUILDING)
    assert mine_check(g, GERMAN, (u(g, REGIMENT),), h(g, "0,-1"), h(g, "0,0")) is None


@pytest.mark.rule("korsun44", "15.3.2.m2")
def test_infantry_halts_and_the_field_goes_in_the_engineering_phase() -> None:
    g = field(position(unit(REGIMENT, "0,-1"), phase="german_movement"))
    play(moving(g), f"move {REGIMENT}", "to 0,0")
    assert not any(c.startswith("to ") for c in choices(g))
    assert g.works[h(g, "0,0")] & MINES
    phase(g, GERMAN)
    assert not g.works[h(g, "0,0")]
    assert g.track("mines_left") == 0


@pytest.mark.rule("korsun44", "15.3.2.m3a", "15.3.2.m3b", "15.3.3.2")
@pytest.mark.parametrize(("die", "lost"), [(3, 1), (4, 0)])
def test_an_engineer_clears_the_field_at_once(die: int, lost: int) -> None:
    g = field(position(unit(PIO, "0,-1"), phase="german_movement"))
    full = g.steps[u(g, PIO)]
    play(moving(g), f"move {PIO}", "to 0,0", dice=[die])
    assert not g.works[h(g, "0,0")]
    assert g.steps[u(g, PIO)] == full - lost


@pytest.mark.rule("korsun44", "15.3.2.m4")
@pytest.mark.parametrize("name", ["Art188.88ID", "Flak.16Pz"])
def test_guns_do_not_cross_a_field(name: str) -> None:
    g = position(unit(name, "0,-1"))
    assert len(reach_of(g, u(g, name)).path(h(g, "0,0"))) == 1
    assert len(reach_of(field(g), u(g, name)).path(h(g, "0,0"))) > 1, "round the field, or not at all"


@pytest.mark.rule("korsun44", "12.17.2.7")
def test_disorganized_engineers_do_no_work() -> None:
    g = at_river(unit(PIO, "-2,0", status=["disorganized"]))
    assert why_not_destroy(g, GERMAN, side(g)) is not None
    assert why_not_dig(g, GERMAN, u(g, PIO)) is not None


@pytest.mark.rule("korsun44", "15.3.3.1")
def test_soviet_engineers_lift_a_field_for_reuse() -> None:
    g = field(mines(unit(ENG, "0,0"), left=0))
    play(phase(g, SOVIET), f"lift_mines {ENG}")
    assert not g.works[h(g, "0,0")]
    assert g.track("mines_left") == 1


@pytest.mark.rule("korsun44", "15.3.2.s1")
def test_german_supply_does_not_cross_a_field() -> None:
    g = field(position())
    d = 0
    assert barriers_of(g, GERMAN)[d] >> h(g, "0,0") & 1
    assert not barriers_of(g, SOVIET)[d] >> h(g, "0,0") & 1


# --- 18.3 heavy tanks ----------------------------------------------------------------------------------------------

TIGER = "503.Bake"
COLLAPSE = {"bridge_collapse": "on"}


@pytest.mark.rule("korsun44", "18.3a", "18.3.p1", "18.3.p2", "18.3.p3")
@pytest.mark.parametrize(("die", "holds"), [(1, True), (2, True), (3, False), (6, False)])
def test_a_tiger_may_break_a_bridge(die: int, holds: bool) -> None:
    g = at_river(unit(TIGER, "0,0"), options=COLLAPSE, phase="german_movement")
    play(moving(g), f"move {TIGER}", "to 1,0", dice=[die])
    assert (g.place[u(g, TIGER)] == h(g, "1,0")) == holds
    assert (g.bridge_state[0] == INTACT) == holds
    assert bool(g.bridge_flags[0] & BRIDGE_OK) == holds
    if holds:
        play(g, "to 0,0", dice=[])
        assert g.place[u(g, TIGER)] == h(g, "0,0"), "no second roll"


@pytest.mark.rule("korsun44", "18.3b", "15.2.3c")
@pytest.mark.parametrize("road", ["primary", "railroad"])
def test_bridges_that_carry_everything(road: str) -> None:
    g = at_river(unit(TIGER, "0,0"), road=road, options=COLLAPSE, phase="german_movement")
    play(moving(g), f"move {TIGER}", "to 1,0", dice=[])
    assert g.place[u(g, TIGER)] == h(g, "1,0")


@pytest.mark.rule("korsun44", "18.3.1a", "18.3.1b", "18.3.1.1", "18.3.1.2")
def test_engineers_make_a_bridge_fit_for_tigers() -> None:
    g = phase(at_river(unit(KORPS, "0,0"), unit(PIO, "0,0"), options=COLLAPSE), GERMAN)
    assert refused(g, f"improve {BRIDGE} by {PIO}").rule == "18.3.1"
    play(g, f"improve {BRIDGE} by {KORPS}")
    assert g.bridge_flags[0] & BRIDGE_OK
    assert g.sdm_sp[u(g, "SDM1.42K")] == 3
    play(g, f"destroy {BRIDGE}", dice=[1])
    assert not g.bridge_flags[0] & BRIDGE_OK


@pytest.mark.rule("korsun44", "18.3.1.3")
def test_a_bridge_begun_is_not_improved_in_the_same_turn() -> None:
    g = phase(at_river(unit(KORPS, "0,0"), unit(CONSTRUCTION, "1,0"), road="", options=COLLAPSE), GERMAN)
    play(g, f"build {BRIDGE} by {KORPS}")
    assert not any(c.startswith("improve") for c in choices(g))


@pytest.mark.rule("korsun44", "18.3.1.1")
def test_a_bridge_half_held_is_not_improved() -> None:
    g = at_river(unit(KORPS, "0,0"), options=COLLAPSE)
    g.control[h(g, "1,0")] = SOVIET
    assert not any(c.startswith("improve") for c in choices(phase(g, GERMAN)))


@pytest.mark.rule("korsun44", "15.3.2.m1b")
@pytest.mark.parametrize(("ma", "on"), [(4, False), (6, False), (7, False), (9, True)])
def test_a_tank_that_cannot_pay_for_going_on_still_enters_the_field(ma: int, on: bool) -> None:
    """Two points for each clear hex; three more only to go on from the field."""
    tank = unit("tank", "0,-2", side="german", type="PzIV", faces="6 3", ma=ma)
    g = field(position(tank, phase="german_movement"), "0,0", 5)
    assert reach_of(g, u(g, "tank")).cost[h(g, "0,0")] == 4 * POINT
    play(moving(g), "move tank", "to 0,0", dice=[6])
    assert g.place[u(g, "tank")] == h(g, "0,0")
    assert ("to 0,1" in choices(g)) == on


@pytest.mark.rule("korsun44", "15.3.2.m1b")
def test_what_a_way_over_mines_costs() -> None:
    fields = {"minefields": {"0,0": {"facing": "NW"}}}
    tank = unit("tank", "0,-2", side="german", type="PzIV", faces="6 3", ma=9)
    g = position(tank, on=board(terrain=dict.fromkeys(("1,0", "-1,0", "1,-1", "-1,1"), "forest")), **fields)
    found = moves(g, AskMoves(question="moves", unit="tank", to="0,1"))
    assert (found["cost"], found["path"]) == (9.0, ["0,-1", "0,0", "0,1"])
    assert [s["cost"] for s in found["steps"]] == [2.0, 5.0, 2.0]
    assert found["steps"][1]["items"][-1] == {"what": "minefield", "rule": "15.3.2", "value": 3.0}
    here = moves(g, AskMoves(question="moves", unit="tank", to="0,0"))
    assert (here["cost"], here["stops"]) == (4.0, False)


@pytest.mark.rule("korsun44", "15.3.2.m2")
def test_infantry_that_comes_round_the_field_goes_on() -> None:
    """Straight into the field costs a point and ends the move; from the side nobody meets the mines."""
    lakes = {f"1,0|{x}": "lake" for x in ("1,-1", "2,-1", "2,0", "1,1", "0,1")}
    g = field(position(unit(REGIMENT, "0,-1"), on=board(sides=lakes)), "0,0", 0)
    assert [g.mined(h(g, "0,0"), g.map.grid.direction(h(g, "0,0"), h(g, x))) for x in ("0,-1", "-1,0")] == [True, False]
    reach = reach_of(g, u(g, REGIMENT))
    assert reach.cost[h(g, "0,0")] == POINT
    assert reach.ends >> h(g, "0,0") & 1
    assert reach.cost[h(g, "1,0")] == 3 * POINT
    assert reach.path(h(g, "1,0")) == tuple(h(g, x) for x in ("-1,0", "0,0", "1,0"))


@pytest.mark.rule("korsun44", "15.2.4c", "15.2.3a", "15.2c")
@pytest.mark.parametrize("road", ["secondary", "railroad"])
def test_a_bridge_is_laid_beside_a_destroyed_one(road: str) -> None:
    g = at_river(unit("Kbr.42K", "0,0"), unit(KORPS, "1,0"), road=road)
    assert "a bridge is there" in str(why_not_build(g, GERMAN, side(g), u(g, KORPS)))
    g.set_bridge(0, DESTROYED)
    assert why_not_build(g, GERMAN, side(g), u(g, KORPS)) is None
    play(phase(g, GERMAN), f"lay_bridge {BRIDGE} by Kbr.42K", dice=[5])
    step = prices(g, GERMAN, kind_of(g, u(g, "II-2.16Pz"), TACTICAL), False).step(h(g, "0,0"), g.map.grid.direction(
        h(g, "0,0"), h(g, "1,0")))  # fmt: skip
    assert step == 2 * POINT, "the ground beyond it, without the road"
    assert "a bridge is there" in str(why_not_build(g, GERMAN, side(g), u(g, KORPS)))


@pytest.mark.rule("korsun44", "15.3.2.m4", "15.3b")
@pytest.mark.parametrize("first", range(6))
def test_guns_cross_none_of_the_three_hexsides(first: int) -> None:
    for d in range(6):
        g = field(position(unit("Art188.88ID", "2,2")), "0,0", first)
        gun = u(g, "Art188.88ID")
        g.put(gun, g.map.grid.neighbours[h(g, "0,0")][d])
        straight = len(reach_of(g, gun).path(h(g, "0,0"))) == 1
        assert straight == ((d - first) % 6 > 2)


@pytest.mark.rule("korsun44", "15.3.2.m4")
@pytest.mark.parametrize("first", range(6))
def test_a_field_may_face_the_edge_of_the_map(first: int) -> None:
    g = field(position(unit("Art188.88ID", "1,-5")), "0,-5", first)
    mined = g.mined(h(g, "0,-5"), g.map.grid.direction(h(g, "0,-5"), h(g, "1,-5")))
    assert (len(reach_of(g, u(g, "Art188.88ID")).path(h(g, "0,-5"))) == 1) != mined


@pytest.mark.rule("korsun44", "15.3.2.s1")
@pytest.mark.parametrize("first", range(6))
def test_supply_passes_a_field_by_its_other_hexsides(first: int) -> None:
    g = field(position(unit(REGIMENT, "0,0")), "0,0", first)
    barred = [bool(barriers_of(g, GERMAN)[d] >> h(g, "0,0") & 1) for d in range(6)]
    assert barred == [(d - first) % 6 < 3 for d in range(6)]
    assert not any(barriers_of(g, SOVIET)[d] >> h(g, "0,0") & 1 for d in range(6))


@pytest.mark.rule("korsun44", "15.1.1a", "13.1.1a")
def test_an_improved_position_beside_the_line_cuts_no_railroad() -> None:
    rail = " ".join(f"{q},0" for q in range(-5, 6))
    doc = supply_board(5, sources={"-5,0": "1PzA"}, terminals=("4,0",), roads=(("railroad", rail),))
    g = position(unit("Pio.88ID", "0,0"), on=doc, improved_positions=["0,0"])
    assert g.works[h(g, "0,0")] == IP
    assert open_terminals(g) >> h(g, "4,0") & 1
    assert not rail_menders(g)
