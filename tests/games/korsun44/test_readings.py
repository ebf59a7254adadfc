"""Points the text leaves open: each reading both ways, where no chapter's own tests do it."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.breakdown import Refusal
from kessel.core.dice import Dice
from kessel.games.korsun44.board import (
    BACK,
    DISORGANIZED,
    FROM_KORSUN,
    GERMAN,
    GUEST,
    NOBODY,
    OOS2,
    OUT,
    OUT_OF_AMMO,
    SOVIET,
    STUBBORN,
    Board,
)
from kessel.games.korsun44.combat.no_retreat import why_not_stand
from kessel.games.korsun44.combat.phase import CombatPhase, NoRetreatDeclaration, Resolution
from kessel.games.korsun44.combat.shifts import gives_bonus, standing_shifts
from kessel.games.korsun44.combat.terrain import is_bridged
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.data.terrain import RIVER
from kessel.games.korsun44.engineering.building import why_not_build, why_not_improve
from kessel.games.korsun44.movement.allowance import allowance
from kessel.games.korsun44.movement.arrival import Arrival
from kessel.games.korsun44.movement.costs import TACTICAL, kind_of, may_walk, prices
from kessel.games.korsun44.movement.interception import why_not_intercept
from kessel.games.korsun44.movement.movement import reach_of, why_not_end
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.movement.zones import zoc_sources
from kessel.games.korsun44.special.declarations import SpecialDeclarations
from kessel.games.korsun44.supply.markers import points_at, why_not_place
from kessel.games.korsun44.supply.sources import edge_sources, special_sources
from kessel.games.korsun44.turn.air import availability_roll
from kessel.games.korsun44.turn.reinforcements import entry_hexes
from kessel.games.korsun44.turn.setup import new_board
from kessel.games.korsun44.turn.special_replacements import SpecialReplacements
from kessel.games.korsun44.units.breakdown import breakdowns
from kessel.games.korsun44.units.strength import black_dots, is_cadre, steps_here, strength, white_dots

from .fights import D1, PZ4, R1, R2, R3, T1, battle, phase
from .helpers import PACK, board, choices, h, moving, names, play, position, refused, start, u, unit
from .supply_helpers import isolate, row, supplied_by, supply_board, with_points

MARK = "180x.27A"


def both(name: str, *cases: tuple[str, Any]) -> Any:
    """A test for each reading of a switch, with what is expected."""
    return pytest.mark.parametrize(
        ("options", "expected"), [({name: value}, found) for value, found in cases], ids=[v for v, _ in cases]
    )


@pytest.mark.rule("korsun44", "10.3.1.4")
@both("zoc_halt", ("on_entering", True), ("always", False))
def test_zoc_halt(options: dict[str, str], expected: bool) -> None:
    g = position(unit(D1, "0,0"), unit(R1, "1,0"), options=options)
    assert ("-1,0" in names(g, reach_of(g, u(g, D1)).hexes)) == expected, "it starts in a ZOC"
    free = position(unit(T1, "0,0"), unit(R1, "1,0"), options=options)
    assert "-1,0" in names(free, reach_of(free, u(free, T1)).hexes), "a star brigade is never held"


@pytest.mark.rule("korsun44", "4.5.3.1a", "12.14.1a")
@both("star_alone", ("losses_only", True), ("everything", False))
def test_star_alone(options: dict[str, str], expected: bool) -> None:
    """Against armor alone a star brigade keeps combined arms and its infantry step, or not."""
    g = position(unit(T1, "0,0"), unit(PZ4, "1,0"), on=board(terrain={"0,0": "woods"}), options=options)
    b = battle(g, T1, on=("1,0",))
    assert ("combined arms" in str(standing_shifts(g, b))) == expected
    b = battle(g, PZ4)
    assert (why_not_stand(g, b, h(g, "0,0"), ()) is None) == expected
    g = position(unit(T1, "0,0"), unit(R1, "1,0"), options=options)
    assert "combined arms" in str(standing_shifts(g, battle(g, T1, on=("1,0",)))), "infantry makes no difference"


@pytest.mark.rule("korsun44", "4.7.2.1b")
@both("extended_steps", ("zones_and_terrain", (3, 2)), ("stacking_only", (5, 5)))
def test_extended_steps(options: dict[str, str], expected: tuple[int, int]) -> None:
    g = position(unit(D1, "0,0", steps=5), unit(MARK, "0,1"), options=options)
    assert (steps_here(g, u(g, D1)), steps_here(g, u(g, MARK))) == expected
    assert bool(zoc_sources(g, SOVIET) >> h(g, "0,1") & 1) == (expected[1] >= 3)


@pytest.mark.rule("korsun44", "4.7.1.5b")
@both("extended_zoc", ("direct_only", True), ("two_zones", False))
def test_extended_zoc(options: dict[str, str], expected: bool) -> None:
    g = position(unit(D1, "0,0"), unit(R1, "2,-1"), unit(R2, "2,0"), options=options, phase="soviet_movement")
    play(moving(g), f"extend {D1}")
    assert ("marker_to 1,0" in choices(g)) == expected


# --- combat --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.14.1a", "12.14.1b", "12.1.3.A6")
@both("no_retreat_when", ("last_declaration", False), ("segment", True))
def test_no_retreat_when(options: dict[str, str], expected: bool) -> None:
    g = position(unit(D1, "0,0"), unit(R1, "1,0"), on=board(terrain={"0,0": "woods"}), options=options)
    phase(g, GERMAN)
    play(g, "attack 0,0")
    assert isinstance(g.stack[-1], NoRetreatDeclaration) == expected
    if expected:
        assert refused(g, "no_retreat 1,0").rule == "12.14.1"
        play(g, "no_retreat 0,0")
        assert g.combats[h(g, "0,0")] & STUBBORN
        play(g, "combat 0,0", "from 1,0", "engage", dice=[4, 4])
        assert not any(c.startswith("no_retreat") for c in choices(g)) if g.stack else True
    else:
        play(g, "combat 0,0", "from 1,0", "engage")
        assert "no_retreat 0,0" in choices(g)


@pytest.mark.rule("korsun44", "12.14.1d")
def test_no_retreat_declared_early_needs_its_reason_when_the_dice_fall() -> None:
    """All who could attack are across the stream; those who do must be too."""
    on = board(sides={"0,0|1,0": "stream"})
    g = position(unit(D1, "0,0"), unit(R1, "1,0"), on=on, options={"no_retreat_when": "segment"})
    phase(g, GERMAN)
    play(g, "attack 0,0", "no_retreat 0,0")
    play(g, "combat 0,0", "from 1,0", "engage", dice=[4, 4])
    g = position(unit(D1, "0,0"), unit(R1, "1,0"), unit(R2, "-1,0"), on=on, options={"no_retreat_when": "segment"})
    phase(g, GERMAN)
    play(g, "attack 0,0")
    assert isinstance(g.stack[-1], Resolution), "one of them stands on the near bank"


@pytest.mark.rule("korsun44", "12.10.5b", "12.10.5e")
@both("regiment_ammo", ("state", BACK | OUT_OF_AMMO), ("refill", 0))
def test_regiment_ammo(options: dict[str, str], expected: int) -> None:
    gone = ["back", "out_of_ammo"]
    g = position(unit("Art188.88ID", "0,0", status=gone), unit("I-108.42K", "0,1", status=["back"]), options=options)
    start(g, CombatPhase(SOVIET))
    assert g.status[u(g, "Art188.88ID")] & (BACK | OUT_OF_AMMO) == expected
    assert g.status[u(g, "I-108.42K")] & BACK, "a battalion waits for its point"


@pytest.mark.rule("korsun44", "11.0b", "11.1.2a", "11.1.2b")
@both("stacking_check", ("phase_end", False), ("segment_end", True))
def test_stacking_check(options: dict[str, str], expected: bool) -> None:
    """Three regiments in a hex; a reserve that can still move away keeps the phase going."""
    g = position(
        unit(R1, "0,0"), unit(R2, "0,0"), unit(R3, "0,0"), unit(PZ4, "4,0", status=["reserve"]), unit(D1, "-4,0"),
        options=options,
    )  # fmt: skip
    phase(g, GERMAN)
    hit = bool(g.status[u(g, R1)] & DISORGANIZED)
    assert hit == expected
    if not expected:
        assert any(c.startswith("move") for c in choices(g)), "the Reserve Segment goes on"
        assert not g.status[u(g, R1)] & GUEST
        while not any(c.startswith("step_loss") for c in choices(g)):
            play(g, "pass")
        assert g.status[u(g, R1)] & DISORGANIZED, "at the end of the phase all the same"


@pytest.mark.rule("korsun44", "12.9.2a")
@both("fortified_area_parts", ("no", False), ("yes", True))
def test_fortified_area_parts(options: dict[str, str], expected: bool) -> None:
    g = position(unit("54FAa.27A", "0,0"), unit(R1, "1,0"), options=options)
    b = battle(g, "54FAa.27A", on=("1,0",))
    assert gives_bonus(g, b, u(g, "54FAa.27A")) == expected


@pytest.mark.rule("korsun44", "13.5.2f")
@both("top_dot", ("white_first", (-1, 0)), ("black_first", (0, -1)))
def test_top_dot(options: dict[str, str], expected: tuple[int, int]) -> None:
    g = position(unit(PZ4, "0,0"), options=options)
    mixed = [v for v in range(len(g.forces)) if g.forces.white[v] and g.forces.black[v]]
    for v in mixed or [u(g, PZ4)]:
        before = (white_dots(g, v), black_dots(g, v))
        g.status[v] |= OOS2
        g.changed()
        lost = (white_dots(g, v) - before[0], black_dots(g, v) - before[1])
        assert lost == (expected if before[1] else (-1, 0)), "who has one kind loses that"


# --- units ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "4.6.p1c")
@both("second_dot", ("first_battalion", ["2 2"]), ("owner", ["2* 2", "2 2*"]))
def test_second_dot(options: dict[str, str], expected: list[str]) -> None:
    g = position(unit(R1, "0,0"), options=options, phase="german_movement")
    moving(g)
    assert [" ".join(s) for s in breakdowns(g, u(g, R1)) if len(s) == 2] == expected
    play(g, f"break_down {R1} into {expected[-1]}")
    first, second = u(g, "245a.88ID"), u(g, "245b.88ID")
    assert (black_dots(g, first), black_dots(g, second)) == ((1, 0) if len(expected) == 1 else (0, 1))
    play(g, f"recombine {R1}")
    assert black_dots(g, u(g, R1)) == 1
    wrong = "2* 2" if len(expected) == 1 else "2 2"
    assert refused(g, f"break_down {R1} into {wrong}").rule == "4.6"


@pytest.mark.rule("korsun44", "4.6.p1d", "4.4.3")
@both("three_step_battalion", ("cadre", True), ("dies", False))
def test_three_step_battalion(options: dict[str, str], expected: bool) -> None:
    g = position(options=options)
    part = next(v for v in range(len(g.forces)) if g.forces.full_steps[v] == 3 and g.forces.role[v] == 1)
    g.steps[part] = 1
    g.put(part, h(g, "0,0"))
    assert is_cadre(g, part) == expected
    cadre = g.forces.strength[g.forces.parent[part]][1]
    assert (strength(g, part) == cadre) == (expected or g.forces.strength[part][1] == cadre)


# --- movement ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "9.11a")
@both("intercept_reserve", ("yes", True), ("no", False))
def test_intercept_reserve(options: dict[str, str], expected: bool) -> None:
    g = position(unit(PZ4, "0,0"), unit(T1, "1,0"), options=options)
    p = Arrival(SOVIET, (u(g, T1),), h(g, "1,-1"), h(g, "1,0"), (), True)
    p.at = p.index["intercept"]
    assert (p.intercept.fn(p, g) is not None) == expected  # type: ignore[attr-defined]
    p.reserve = False
    assert p.intercept.fn(p, g) is not None  # type: ignore[attr-defined]


@pytest.mark.rule("korsun44", "9.11.c2a")
@both("intercept_hexes", ("text", True), ("strict", False))
def test_intercept_hexes(options: dict[str, str], expected: bool) -> None:
    g = position(unit(PZ4, "0,0"), unit(T1, "1,0"), on=board(terrain={"0,0": "woods"}), options=options)
    why = why_not_intercept(g, u(g, PZ4), GERMAN, h(g, "1,-1"), h(g, "1,0"), ())
    assert (why is None) == expected


@pytest.mark.rule("korsun44", "9.10.2a")
@both("unarmed_stop", ("adjacency", False), ("zones", True))
def test_unarmed_stop(options: dict[str, str], expected: bool) -> None:
    """Next to an enemy across a river there is no zone."""
    g = position(unit("gun.27A", "-1,0"), unit(R1, "1,0"), on=board(sides={"0,0|1,0": "river"}), options=options)
    assert (why_not_end(g, (u(g, "gun.27A"),), h(g, "0,0")) is None) == expected


@pytest.mark.rule("korsun44", "15.2.3a")
@both("bare_bridge", ("free", 0), ("stream_cost", 1))
def test_bare_bridge(options: dict[str, str], expected: int) -> None:
    g = position(unit(R1, "0,0"), on=board(sides={"0,0|1,0": "river"}), options=options)
    i = len(g.ground.bridges)
    g.bridge_at[i] = g.map.grid.canonical(g.map.grid.hexside(h(g, "0,0"), h(g, "1,0")))
    g.bridge_kind[i] = 1
    g.set_bridge(i, 0)
    d = g.map.grid.direction(h(g, "0,0"), h(g, "1,0"))
    cost = prices(g, GERMAN, kind_of(g, u(g, R1), TACTICAL), False).step(h(g, "0,0"), d)
    assert cost == (1 + expected) * POINT


@pytest.mark.rule("korsun44", "9.1.1a")
@both("engineer_foot", ("yes", True), ("no", False))
def test_engineer_foot(options: dict[str, str], expected: bool) -> None:
    g = position(unit("Pio.16Pz", "0,0"), unit("79.16Pz", "0,0"), options=options)
    assert may_walk(g, u(g, "Pio.16Pz")) == expected
    assert may_walk(g, u(g, "79.16Pz"))
    bridgers = [v for v in range(len(g.forces)) if g.forces.engineer[v] & {"bridge_K", "bridge_J"}]
    assert bridgers
    assert not any(may_walk(g, v) for v in bridgers)


@pytest.mark.rule("korsun44", "9.3b", "9.3c")
@both("mud_costs", ("allowance_and_column", (4, 10)), ("column_only", (5, 12)))
def test_mud_costs(options: dict[str, str], expected: tuple[int, int]) -> None:
    g = position(unit(R1, "0,0"), unit(PZ4, "1,0"), ground="Mud", options=options)
    assert (allowance(g, u(g, R1)).total, allowance(g, u(g, PZ4)).total) == expected


@pytest.mark.rule("korsun44", "11.0.s1a", "11.0.s1c")
@both("front_stack", ("with_armies", True), ("alone", False))
def test_front_stack(options: dict[str, str], expected: bool) -> None:
    rockets = unit("Guards", "0,0", side="soviet", type="rocket_artillery", faces="2", front="1Uk")
    g = position(rockets, unit(D1, "1,0"), options=options)
    assert (why_not_stack(g, SOVIET, h(g, "0,0"), (u(g, D1),)) is None) == expected
    other = unit("Guards", "0,0", side="soviet", type="rocket_artillery", faces="2", front="2Uk")
    g = position(other, unit(D1, "1,0"), options=options)
    assert why_not_stack(g, SOVIET, h(g, "0,0"), (u(g, D1),)) is not None, "never with another Front"


# --- trails --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "9.2.2a", "13.2.1b", "15.2a")
@both("trails", ("roads", True), ("not_roads", False))
def test_trails(options: dict[str, str], expected: bool) -> None:
    on = supply_board(8, sources={"-8,0": "1PzA"}, roads=(("trail", row(-8, 4)),), sides={"0,0|1,0": "river"})
    g = position(unit(R1, "0,0"), on=on, options=options)
    sdm = u(g, "SDM1.42K")
    g.steps[sdm] = 1
    assert (why_not_place(g, GERMAN, sdm, h(g, "-2,0")) is None) == expected
    assert is_bridged(g, h(g, "0,0"), h(g, "1,0"), RIVER) == expected
    d = g.map.grid.direction(h(g, "0,0"), h(g, "1,0"))
    step = prices(g, GERMAN, kind_of(g, u(g, PZ4), TACTICAL), False).step(h(g, "0,0"), d)
    assert isinstance(step, Refusal) != expected
    here = prices(g, GERMAN, kind_of(g, u(g, PZ4), TACTICAL), False).step(h(g, "-1,0"), d)
    assert here == POINT, "for movement a trail is a road"
    mixed = supply_board(8, roads=(("trail", row(0, 1)), ("secondary", row(0, 1))), sides={"0,0|1,0": "river"})
    g = position(on=mixed, options=options)
    assert is_bridged(g, h(g, "0,0"), h(g, "1,0"), RIVER), "a road beside the trail has its bridge"


# --- supply and engineering ----------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "14.2.1", "14.2.3")
@both("sdm_in_source", ("full", [4, 4, 4, 3]), ("one_increment", [4, 4, 4, 3]))
def test_sdm_in_source(options: dict[str, str], expected: list[int]) -> None:
    """Both readings come to the same: the first increment costs nothing."""
    g = position(options=options)
    sdm = u(g, "SDM.14Pz")
    assert [points_at(g, sdm, n) for n in (0, 1, 6, 7)] == expected


@pytest.mark.rule("korsun44", "13.1a")
@both("source_held", ("occupied", True), ("occupied_or_zone", False))
def test_source_held(options: dict[str, str], expected: bool) -> None:
    on = supply_board(4, sources={"-4,0": "27A"})
    g = position(unit(R1, "-3,0"), on=on, options=options)
    assert bool(edge_sources(g, SOVIET, ("27A",))) == expected
    g = position(unit(R1, "-4,0"), on=on, options=options)
    assert not edge_sources(g, SOVIET, ("27A",))


@pytest.mark.rule("korsun44", "14.5.1a", "14.5.1.2")
@both("korsun_at_once", ("next_supply", (False, True)), ("at_once", (True, False)))
def test_korsun_at_once(options: dict[str, str], expected: tuple[bool, bool]) -> None:
    on = supply_board(8, korsun="0,0", roads=(("secondary", row(-3, 3)),))
    g = isolate(position(unit(R1, "1,0", status=["OOS1"]), on=on, turn=5, options=options), 5)
    assert (FROM_KORSUN in special_sources(g)) == expected[0]
    g.set_track("turn", 6)
    g.changed()
    assert FROM_KORSUN in special_sources(g)
    g = position(unit(R1, "1,0", status=["OOS1"]), on=on, turn=5, options=options)
    start(g, SpecialDeclarations())
    play(g, "declare_korsun")
    assert bool(g.status[u(g, R1)] & OUT) == expected[1]


@pytest.mark.rule("korsun44", "8.6.4a")
@both("abandon_when", ("replacement_segment", (True, False)), ("event_phase", (False, True)))
def test_abandon_when(options: dict[str, str], expected: tuple[bool, bool]) -> None:
    for kind, may in zip((SpecialReplacements, SpecialDeclarations), expected, strict=True):
        g = position(unit("SDM1.42K", "0,0"), unit(R1, "0,1", steps=2), turn=12, options=options)
        isolate(g, 3)
        g.dice = Dice(1)
        start(g, kind(GERMAN))
        assert ("abandon_korsun" in choices(g)) == may
        if may:
            play(g, "abandon_korsun")
            assert g.track("korsun_abandoned") == 12
        else:
            assert refused(g, "abandon_korsun").rule == "8.6.4"


@pytest.mark.rule("korsun44", "8.6.3a", "8.6.3c")
@both("alarm_point", ("next_segment", False), ("at_once", True))
def test_alarm_point(options: dict[str, str], expected: bool) -> None:
    on = supply_board(8, sources={"-8,0": "1PzA"}, roads=(("secondary", row(-8, 4)),))
    for moves in (False, True):
        g = position(
            unit("Alarm1", "0,0", status="alarm"), unit(R1, "0,0"), unit(R2, "1,0", steps=2), unit("SDM1.42K", "-1,0"),
            on=on, options=options, phase="german_movement",
        )  # fmt: skip
        supplied_by(with_points(g, SDM1_42K=3), "SDM1.42K", R1, R2)
        moving(g)
        play(g, *((f"move {R1}",) if moves else ()), "convert_alarm 0,0 42K")
        assert (f"replace {R2} 1" in choices(g)) == expected
        assert g.rp("42K", False) == 1
        if expected:
            assert refused(g, "replace 305.198ID 1").rule == "8.6.3"
            play(g, f"replace {R2} 1")
            assert (g.steps[u(g, R2)], g.rp("42K", False)) == (3, 0)
            assert ("halt" in choices(g)) == moves, "then the phase goes on"


@pytest.mark.rule("korsun44", "15.2.3b")
@both("construction_builds", ("no", False), ("yes", True))
def test_construction_builds(options: dict[str, str], expected: bool) -> None:
    g = _bridge_site("Bau.42K", options)
    why = why_not_build(g, GERMAN, _side(g, "0,1|1,1"), u(g, "Bau.42K"))
    assert (why is None) == expected
    assert why is None or why.rule == "15.2.3"


@pytest.mark.rule("korsun44", "18.3.1a")
@both("bridge_improvers", ("all_three", True), ("korps_and_construction", False))
def test_bridge_improvers(options: dict[str, str], expected: bool) -> None:
    bridger = next(v for v in range(800) if "bridge_K" in position().forces.engineer[v])
    name = position().forces.ids[bridger]
    g = _bridge_site(name, {**options, "bridge_collapse": "on"})
    assert (why_not_improve(g, GERMAN, _side(g, "0,0|1,0"), u(g, name)) is None) == expected
    g = _bridge_site("Pio.42K", {**options, "bridge_collapse": "on"})
    assert why_not_improve(g, GERMAN, _side(g, "0,0|1,0"), u(g, "Pio.42K")) is None


def _bridge_site(name: str, options: dict[str, str]) -> Board:
    """An engineer in 0,0 beside a bridge, and at 0,1 beside a river without one."""
    on = board(sides={"0,0|1,0": "river", "0,1|1,1": "river"}, roads=[("secondary", row(0, 1))])
    at = "0,1" if name == "Bau.42K" else "0,0"
    g = position(unit(name, at), unit("SDM1.42K", "-1,0"), on=on, options=options)
    for x in ("0,0", "1,0", "0,1", "1,1"):
        g.take_control(h(g, x), GERMAN)
    return supplied_by(with_points(g, SDM1_42K=3), "SDM1.42K", name)


def _side(g: Board, name: str) -> int:
    return g.map.grid.canonical(g.map.grid.parse_hexside(name))


# --- set-up and air ------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "15.2b")
@both("bridge_control", ("both_ends", True), ("near_end", False))
def test_bridge_control(options: dict[str, str], expected: bool) -> None:
    g = new_board(PACK, "campaign", options, Dice(1))
    contested = []
    for i, side in enumerate(g.ground.bridges):
        a, d = divmod(side, 6)
        b = g.map.grid.neighbours[a][d]
        if b >= 0 and g.control[a] != g.control[b]:
            contested.append(g.bridge_owner[i])
        elif b >= 0:
            assert g.bridge_owner[i] == g.control[a]
    assert contested, "some bridges lie between the lines"
    assert all((owner == NOBODY) == expected for owner in contested)


@pytest.mark.rule("korsun44", "6.1.1.2")
@both("visibility_air", ("table", 1), ("flat", 3))
def test_visibility_air(options: dict[str, str], expected: int) -> None:
    g = position(visibility="Overcast", options=options)
    roll = availability_roll(g, "german", 3)
    assert roll is not None
    assert roll.total == expected


@pytest.mark.rule("korsun44", "7.1.c4")
@both("entry_blocked", ("next_road_hex", True), ("wait", False))
def test_entry_blocked(options: dict[str, str], expected: bool) -> None:
    g = position(
        *(unit(x, at) for x, at in zip((R1, R2, R3, "Fus.88ID", "Pio.88ID"), ("-4,0", "-4,1", "-4,2", "-3,-1", "-2,-2"),
                                       strict=True)),
        on=board(4, roads=[("secondary", row(-4, 4))]), options=options,
    )  # fmt: skip
    found = names(g, entry_hexes(g, SOVIET, h(g, "-4,0")))
    assert bool(found) == expected
    assert found <= {"4,0"}
