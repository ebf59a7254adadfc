"""18.0 Optional rules: partisans, rail capacity, trucks, fords, 24th Panzer, airfield, depot, relays."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.breakdown import Refusal
from kessel.core.dice import Dice
from kessel.games.korsun44.board import (
    FORD_GERMAN,
    FORD_SOVIET,
    FROM_AIRFIELD,
    FROM_DEPOT,
    FROM_RELAY,
    GERMAN,
    ON_TRACK,
    RELAY,
    SOVIET,
    TRUCK,
    Board,
)
from kessel.games.korsun44.engineering.phase import EngineeringPhase
from kessel.games.korsun44.movement.allowance import allowance
from kessel.games.korsun44.movement.costs import TACTICAL, kind_of, prices
from kessel.games.korsun44.movement.fords import attempts_left, why_not_seek
from kessel.games.korsun44.movement.phase import MovementPhase
from kessel.games.korsun44.movement.zones import zoc_of, zone_of
from kessel.games.korsun44.special.panzer24 import Panzer24
from kessel.games.korsun44.special.partisans import home_of, reconstitute
from kessel.games.korsun44.supply.air_supply import AirDrops, AirSupplyStage
from kessel.games.korsun44.supply.determination import determine, judged
from kessel.games.korsun44.supply.korsun import DepotTransfer, captures
from kessel.games.korsun44.supply.markers import why_not_choose
from kessel.games.korsun44.supply.phases import MarkerPhase, receive_points
from kessel.games.korsun44.supply.rail import RailReduction, clear_rail_markers, note_rail_capacity
from kessel.games.korsun44.turn.setup import new_board

from .helpers import PACK, board, choices, h, moving, names, play, position, refused, start, u, unit
from .supply_helpers import isolate, row, supply_board, with_points

ROAD = (("secondary", row(-12, 12)),)
REGIMENT, TANKS, KORPS = "245.88ID", "II-2.16Pz", "Pio.42K"


def game(scenario: str, **options: str) -> Board:
    return new_board(PACK, scenario, options, Dice(1))


# --- 18.1 partisans ------------------------------------------------------------------------------------------------


def partisans() -> tuple[Board, int]:
    g = game("campaign", partisans="on")
    return g, next(iter(g.scenario.partisans))


@pytest.mark.rule("korsun44", "18.1a", "18.1.1", "18.1.2a", "18.1.2b")
def test_partisans_live_in_the_forests_and_need_no_supply() -> None:
    g, p = partisans()
    assert g.place[p] == home_of(g, p)
    assert g.steps[p] == 2
    assert p not in judged(g, SOVIET)
    assert g.ground.sheet["map_a"] >> home_of(g, p) & 1
    assert (g.ground.woods | g.ground.forest) >> home_of(g, p) & 1
    alone = position(unit(g.id(p), "0,0"))
    assert zone_of(alone, SOVIET)
    assert not zoc_of(alone, SOVIET), "a ZOI only"


@pytest.mark.rule("korsun44", "18.1.4.2", "18.1.4.3", "18.1.5.1", "18.1.5.2", "18.1.5.3")
def test_partisans_come_back_to_their_base() -> None:
    g, p = partisans()
    home = home_of(g, p)
    g.lose_step(p, "12.12")
    assert g.steps[p] == 1
    g.put(p, next(n for n in g.map.grid.around[home] if g.playable >> n & 1 and not g.units(n)))
    reconstitute(g)
    assert g.steps[p] == 1, "not at home"
    start(g, MovementPhase(SOVIET))
    play(moving(g), f"go_home {g.id(p)}")
    assert g.place[p] == home
    reconstitute(g)
    assert g.steps[p] == 2
    g.eliminate(p, "12.12")
    assert (g.box[p], g.due[p]) == (ON_TRACK, g.turn + 2)
    reconstitute(g)
    assert not g.on_map(p)
    g.set_track("turn", g.turn + 2)
    reconstitute(g)
    assert (g.place[p], g.steps[p]) == (home, 2)


# --- 18.4 rail capacity --------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "18.4.1", "18.4.2", "18.4.3", "18.4.5")
def test_the_marker_by_how_far_units_were_railed() -> None:
    g = game("campaign", rail_capacity="on")
    line = next(i for i, x in enumerate(g.scenario.rail_capacity) if g.hex_name(x.source) == "5445")
    for terminal, marker in (("4929", 0), ("4513", 1), ("3416", 2)):
        clear_rail_markers(g)
        note_rail_capacity(g, 1 << h(g, terminal))
        assert g.rail_marker[line] == marker, terminal
    clear_rail_markers(g)
    assert not any(g.rail_marker)


@pytest.mark.rule("korsun44", "18.4.4")
def test_sdms_beyond_the_marker_lose_points() -> None:
    g = game("campaign", rail_capacity="on")
    s = u(g, "SDM1.11K")
    g.place_sdm(s, h(g, "4513"))
    receive_points(g, GERMAN)
    before = g.sdm_sp[s]
    line = next(i for i, x in enumerate(g.scenario.rail_capacity) if g.hex_name(x.source) == "5445")
    g.rail_marker[line] = 1
    start(g, RailReduction(GERMAN))
    assert choices(g) == ["reduce SDM1.11K"]
    play(g, "reduce SDM1.11K")
    assert g.sdm_sp[s] == before - 1
    assert not g.stack


@pytest.mark.rule("korsun44", "18.4.4")
def test_a_marker_of_two_takes_two_points_and_no_more() -> None:
    g = game("campaign", rail_capacity="on")
    s = u(g, "SDM1.42K")
    g.place_sdm(s, h(g, "3416"))
    g.changed()
    receive_points(g, GERMAN)
    g.set_sp(s, 4)
    line = next(i for i, x in enumerate(g.scenario.rail_capacity) if g.hex_name(x.source) == "5445")
    g.rail_marker[line] = 2
    start(g, RailReduction(GERMAN))
    play(g, "reduce SDM1.42K", "reduce SDM1.42K")
    assert not g.stack
    assert g.sdm_sp[s] == 2


# --- 18.5 trucks ---------------------------------------------------------------------------------------------------


def with_trucks(reading: str = "one_each", **status: Any) -> Board:
    g = position(
        unit("SDM1.42K", "0,0"), unit(REGIMENT, "0,1", **status), unit("246.88ID", "1,0"), unit(TANKS, "2,0"),
        on=supply_board(6), options={"trucks": "on", "truck_moves": reading}, phase="german_movement",
    )  # fmt: skip
    return moving(with_points(g, SDM1_42K=3))


@pytest.mark.rule("korsun44", "18.5.1.1", "18.5.1.2", "18.5.2", "18.5.2.3", "18.5.2.1", "18.5.2.2")
def test_a_point_puts_a_regiment_on_trucks() -> None:
    g = with_trucks()
    assert not any(TANKS in c for c in choices(g) if c.startswith("truck"))
    play(g, f"truck SDM1.42K for {REGIMENT}")
    assert g.sdm_sp[u(g, "SDM1.42K")] == 2
    assert allowance(g, u(g, REGIMENT)).total == g.charts.game.truck_ma
    assert refused(g, "truck SDM1.42K for 246.88ID").rule == "18.5.2"
    play(g, f"move {REGIMENT}", "to 0,5", "halt")
    assert g.place[u(g, REGIMENT)] == h(g, "0,5")
    assert not g.status[u(g, REGIMENT)] & TRUCK


@pytest.mark.rule("korsun44", "18.5.2.3", "18.5.1.2")
def test_trucks_with_the_other_reading_and_out_of_supply() -> None:
    g = with_trucks("marker")
    play(g, f"truck SDM1.42K for {REGIMENT}")
    assert "truck SDM1.42K for 246.88ID" in choices(g)
    g = with_trucks(status=["OOS1"])
    assert refused(g, f"truck SDM1.42K for {REGIMENT}").rule == "18.5.1"


# --- 18.6 fords ----------------------------------------------------------------------------------------------------


def river(*units: dict[str, Any], **fields: Any) -> Board:
    doc = board()
    doc["hexsides"]["0,0|1,0"] = {"features": ["river"], "name": "Shpolka"}
    return position(*units, on=doc, options={"fords": "on"}, **fields)


@pytest.mark.rule("korsun44", "18.6a", "18.6.1", "18.6.2", "18.6.3", "18.6.4")
@pytest.mark.parametrize(("die", "found"), [(4, False), (5, True), (6, True)])
def test_a_ford_is_found_on_five_or_six(die: int, found: bool) -> None:
    g = river(unit(TANKS, "-1,0"), phase="german_movement")
    play(moving(g), f"move {TANKS}", "to 0,0", "seek_ford 0,0|1,0", dice=[die])
    assert bool(g.fords[0] & FORD_GERMAN) == found
    assert refused(g, "seek_ford 0,0|1,0").rule == "18.6"
    d = g.map.grid.direction(h(g, "0,0"), h(g, "1,0"))
    for name, may in ((TANKS, found), ("Recon.16Pz", found), ("Flak.16Pz", False), ("79.16Pz", False)):
        v = u(g, name)
        step = prices(g, GERMAN, kind_of(g, v, TACTICAL), False).step(h(g, "0,0"), d)
        assert (not isinstance(step, Refusal)) == may, name
    if found:
        v = u(g, TANKS)
        plain = prices(position(), GERMAN, kind_of(g, v, TACTICAL), False).step(h(g, "0,0"), d)
        forded = prices(g, GERMAN, kind_of(g, v, TACTICAL), False).step(h(g, "0,0"), d)
        assert isinstance(plain, int)
        assert isinstance(forded, int)
        assert forded > plain


@pytest.mark.rule("korsun44", "18.6a", "18.6.c1", "18.6.c3")
def test_who_looks_for_fords_and_how_often() -> None:
    g = river(unit(TANKS, "0,0"), unit(REGIMENT, "0,0"))
    side = g.map.grid.parse_hexside("0,0|1,0")
    assert why_not_seek(g, GERMAN, (u(g, TANKS),), side, 1) is None
    assert why_not_seek(g, GERMAN, (u(g, TANKS),), side, 0) is not None
    assert why_not_seek(g, GERMAN, (u(g, REGIMENT),), side, 1) is not None
    assert attempts_left(game("wanda", fords="on"), GERMAN) == 4
    assert attempts_left(game("campaign", fords="on"), SOVIET) == 8


@pytest.mark.rule("korsun44", "18.6.c2")
def test_the_ford_of_the_enemy_needs_both_hexes() -> None:
    g = river(unit(TANKS, "0,0"))
    g.fords[0] = FORD_SOVIET
    g.changed()
    d = g.map.grid.direction(h(g, "0,0"), h(g, "1,0"))
    kind = kind_of(g, u(g, TANKS), TACTICAL)
    assert isinstance(prices(g, GERMAN, kind, False).step(h(g, "0,0"), d), Refusal)
    g.take_control(h(g, "1,0"), GERMAN)
    g.changed()
    assert not isinstance(prices(g, GERMAN, kind, False).step(h(g, "0,0"), d), Refusal)


# --- 18.7 24th Panzer ----------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "18.7.1", "18.7.3", "18.7.4", "18.7.5")
def test_24th_panzer_arrives_by_die() -> None:
    g = game("campaign", pz24="on")
    g.set_track("turn", next(a.turn for a in g.scenario.arrivals if a.option == "pz24"))
    start(g, Panzer24())
    calls = [c for c in choices(g) if c.startswith("call_up")]
    assert len(calls) > 5
    play(g, *calls[:5], dice=[1, 4, 5, 6, 2])
    assert not g.stack, "five units a turn"
    here = [v for v in g.on_the_map(GERMAN) if g.forces.division[v] == "24Pz"]
    assert len(here) == 3
    assert why_not_choose(g, GERMAN, u(g, "SDM.24Pz")) is not None, "four units are needed"
    start(g, Panzer24())
    again = [c for c in choices(g) if c.startswith("call_up")]
    assert set(calls[2:4]) <= set(again)
    play(g, again[0], dice=[1])
    assert why_not_choose(g, GERMAN, u(g, "SDM.24Pz")) is None


# --- 18.8, 18.9 airfield and depot ---------------------------------------------------------------------------------

BOTH = {"alternate_airfield": "on", "alternate_depot": "on"}


def pocket(*units: dict[str, Any], turn: int = 8) -> Board:
    doc = supply_board(korsun="0,0", airfield="0,-1", roads=ROAD, terrain={"2,0": "woods"})
    return isolate(position(*units, on=doc, turn=turn, options=BOTH), 5)


@pytest.mark.rule(
    "korsun44", "18.8a", "18.8.1", "18.8.3", "18.8.4", "18.8.c1", "18.8.c2", "18.8.c3", "18.8.c4", "14.5.4"
)
def test_an_alternate_airfield() -> None:
    g = start(pocket(unit(KORPS, "4,0"), unit("SDM1.42K", "5,0")), EngineeringPhase(GERMAN))
    play(g, f"build_airfield {KORPS}")
    assert g.track("korsun_sp") == 13
    start(g, AirSupplyStage())
    assert not any(c.startswith("allocate_alternate") for c in choices(g))
    start(g, EngineeringPhase(GERMAN))
    start(g, AirSupplyStage())
    play(g, "pass", "allocate_lift 3")
    assert refused(g, "allocate_alternate 3").rule == "18.8"
    play(g, "allocate_alternate 2")
    start(g, AirSupplyStage(), dice=[6, 6])
    assert (g.track("korsun_sp"), g.track("airfield_sp")) == (16, 2)
    g.set_track("korsun_sp", 0)
    start(g, MarkerPhase(GERMAN))
    assert g.sdm_flags[u(g, "SDM1.42K")] & FROM_AIRFIELD


@pytest.mark.rule("korsun44", "18.8a")
@pytest.mark.parametrize(("name", "at"), [("Pio.88ID", "4,0"), (KORPS, "7,0"), (KORPS, "4,1"), (KORPS, "2,0")])
def test_where_no_airfield_is_built(name: str, at: str) -> None:
    g = start(pocket(unit(name, at)), EngineeringPhase(GERMAN))
    assert not any(c.startswith("build_airfield") for c in choices(g))


@pytest.mark.rule("korsun44", "18.9a", "18.9.1", "18.9.3", "18.9.4")
def test_an_alternate_depot() -> None:
    g = start(pocket(unit(KORPS, "9,0"), unit("SDM1.42K", "10,0")), EngineeringPhase(GERMAN))
    play(g, f"build_depot {KORPS} from korsun")
    assert g.track("korsun_sp") == 14
    start(g, DepotTransfer(GERMAN))
    assert refused(g, "fill_depot korsun 5").rule == "18.9"
    play(g, "fill_depot korsun 3")
    assert refused(g, "fill_depot korsun 2").rule == "18.9"
    play(g, "fill_depot korsun 1")
    assert (g.track("korsun_sp"), g.track("depot_sp")) == (10, 4)
    start(g, AirDrops(GERMAN, 1))
    play(g, "drop_depot", dice=[6])
    assert g.track("depot_sp") == 7
    start(g, MarkerPhase(GERMAN))
    assert g.sdm_flags[u(g, "SDM1.42K")] & FROM_DEPOT


# --- 18.14 relays --------------------------------------------------------------------------------------------------


def relayed(ground: str = "Mud") -> Board:
    doc = supply_board(sources={"-12,0": "1PzA"}, roads=ROAD)
    return position(
        unit("SDM1.42K"), unit("SDM2.42K"), unit("SDM1.7K"), unit(REGIMENT, "-8,2"), on=doc, ground=ground,
        options={"sdm_relay": "on"},
    )  # fmt: skip


@pytest.mark.rule("korsun44", "18.14.1", "18.14.1b", "18.14.2")
def test_an_sdm_relays_supply_for_one_other() -> None:
    g = start(relayed(), MarkerPhase(GERMAN))
    play(g, "place_sdm SDM1.42K")
    assert refused(g, "relay_at -7,0").rule == "18.14"
    play(g, "relay_at -8,0", "place_sdm SDM2.42K", "at -4,0", "pass")
    assert g.sdm_flags[u(g, "SDM1.42K")] & RELAY
    assert g.sdm_flags[u(g, "SDM2.42K")] & FROM_RELAY
    receive_points(g, GERMAN)
    assert (g.sdm_sp[u(g, "SDM1.42K")], g.sdm_sp[u(g, "SDM2.42K")]) == (0, 4)
    determine(g, GERMAN)
    assert g.supplier[u(g, REGIMENT)] == u(g, "SDM1.42K")
    assert names(g, 1 << g.sdm_at[u(g, "SDM2.42K")]) == {"-4,0"}


@pytest.mark.rule("korsun44", "18.14.1")
def test_relays_need_mud() -> None:
    g = start(relayed("Frozen"), MarkerPhase(GERMAN))
    play(g, "place_sdm SDM1.42K")
    assert refused(g, "relay_at -8,0").rule == "18.14"


@pytest.mark.rule("korsun44", "18.14.2")
def test_a_second_sdm_cannot_draw_on_the_relay_in_the_same_phase() -> None:
    g = position(
        unit("SDM1.3PzK"), unit("SDM2.3PzK"), unit("SDM.16Pz"), ground="Mud", options={"sdm_relay": "on"},
        on=supply_board(24, sources={"-24,0": "1PzA"}, roads=(("secondary", row(-24, 24)),)),
    )  # fmt: skip
    start(g, MarkerPhase(GERMAN))
    play(g, "place_sdm SDM1.3PzK", "relay_at -20,0", "place_sdm SDM2.3PzK", "at -2,0", "place_sdm SDM.16Pz")
    assert refused(g, "at -2,0").rule == "14.2.4", "twenty-two hexes are too far, and the relay is taken"


@pytest.mark.rule("korsun44", "18.14.2")
def test_a_relay_serves_its_own_command_alone() -> None:
    g = position(
        unit("SDM1.3PzK"), unit("SDM2.3PzK"), unit("SDM1.7K"), ground="Mud", options={"sdm_relay": "on"},
        on=supply_board(24, sources={"-24,0": "1PzA"}, roads=(("secondary", row(-24, 24)),)),
    )  # fmt: skip
    start(g, MarkerPhase(GERMAN))
    play(g, "place_sdm SDM1.3PzK", "relay_at -20,0", "place_sdm SDM1.7K")
    assert refused(g, "at -2,0").rule == "14.2.4", "the relay is another korps'"
    play(g, "at -20,0", "place_sdm SDM2.3PzK", "at -2,0")
    assert g.sdm_flags[u(g, "SDM2.3PzK")] & FROM_RELAY


@pytest.mark.rule("korsun44", "18.14.1")
def test_one_relay_a_command_which_may_be_laid_elsewhere() -> None:
    g = start(relayed(), MarkerPhase(GERMAN))
    play(g, "place_sdm SDM1.42K", "relay_at -8,0")
    start(g, MarkerPhase(GERMAN))
    play(g, "place_sdm SDM1.42K")
    assert "relay_at -9,0" in choices(g)
    play(g, "relay_at -9,0", "place_sdm SDM2.42K")
    assert "another SDM" in refused(g, "relay_at -8,0").reason


@pytest.mark.rule("korsun44", "18.8.c4", "14.5.2.2")
def test_an_alternate_airfield_is_captured_with_its_stock() -> None:
    g = position(
        unit("180.27A", "2,1"), on=supply_board(5, korsun="0,0"),
        tracks={"airfield_at": "2,1", "airfield_state": 2, "airfield_sp": 3, "depot_at": "1,1", "depot_state": 2,
                "depot_sp": 4},
    )  # fmt: skip
    captures(g)
    assert [g.track(x) for x in ("airfield_at", "airfield_state", "airfield_sp")] == [0, 0, 0]
    assert [g.track(x) for x in ("depot_state", "depot_sp")] == [2, 4]
