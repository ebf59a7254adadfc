"""13.0 Supply: sources, SDMs, paths, supply states."""

from __future__ import annotations

import pytest

from kessel.core.board import NOWHERE
from kessel.core.forces import NO_UNIT
from kessel.games.korsun44.board import (
    DESTROYED,
    FROM_KORSUN,
    GERMAN,
    NO_COMMAND,
    ON_FOOT,
    OOS1,
    OOS2,
    RAIL_CUT,
    SOVIET,
    STEMMERMANN,
    TRANSFERRING,
    Board,
)
from kessel.games.korsun44.supply.determination import determine, supply_of, why_not_supplied_by, why_not_transfer
from kessel.games.korsun44.supply.displacement import Displacement, displacement
from kessel.games.korsun44.supply.markers import sdm_hexes, serves, traced, why_not_place
from kessel.games.korsun44.supply.phases import Determination, MarkerPhase, SupplyStage
from kessel.games.korsun44.supply.rail import cut_railroads
from kessel.games.korsun44.supply.sources import designated, open_terminals
from kessel.games.korsun44.supply.stage import in_range_of_supply, paying_sdm, traced_korps

from .helpers import choices, h, names, play, position, refused, start, told, u, unit
from .supply_helpers import isolate, row, supplied_by, supply_board, with_points

ROAD = (("secondary", row(-12, 12)),)
EDGE = {"-12,0": "1PzA", "12,0": "27A"}
REGIMENT, TANKS, DIVISION = "245.88ID", "II-2.16Pz", "180.27A"


def supplied(g: Board, name: str) -> bool:
    return bool(supply_of(g, u(g, name)))


# --- 13.1 sources --------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "13.1a", "13.1b", "13.1d")
@pytest.mark.parametrize(
    ("sdm", "sources"),
    [
        ("SDM1.42K", {"1145", "1745"}),
        ("SDM.14Pz", {"5445", "4145", "3445"}),
        ("SDM1.27A", {"0113", "0102", "1201"}),
        ("SDM1.53A", {"6224"}),
        ("SDM.18TkC", {"6217"}),
    ],
)
def test_each_source_serves_its_army(campaign: Board, sdm: str, sources: set[str]) -> None:
    found = designated(campaign, u(campaign, sdm)) & ~open_terminals(campaign)
    assert names(campaign, found) == sources


@pytest.mark.rule("korsun44", "13.1c")
def test_guards_cavalry_uses_the_sources_of_two_armies(campaign: Board) -> None:
    assert names(campaign, designated(campaign, u(campaign, "SDM.5GCC"))) == {"6213", "6217"}


@pytest.mark.rule("korsun44", "13.1.1a", "13.1.1b", "13.1.3a")
def test_open_terminals_serve_all_germans(campaign: Board) -> None:
    ends = names(campaign, open_terminals(campaign))
    assert {"2715", "2537", "4513"} <= ends
    for sdm in ("SDM1.42K", "SDM1.47PzK"):
        assert ends <= names(campaign, designated(campaign, u(campaign, sdm)))


RAIL = (("railroad", row(-12, 6)),)


@pytest.mark.rule("korsun44", "13.1.1c")
def test_a_soviet_unit_or_zone_interrupts_the_railroad() -> None:
    on = supply_board(sources=EDGE, terminals=("-4,0", "4,0"), roads=RAIL)
    g = position(unit(DIVISION, "0,1"), on=on)
    assert names(g, open_terminals(g)) == {"-4,0"}
    g = position(unit(DIVISION, "0,2"), on=on)
    assert names(g, open_terminals(g)) == {"-4,0", "4,0"}


@pytest.mark.rule("korsun44", "13.1.1c")
@pytest.mark.parametrize(("reading", "ends"), [("friend_cancels", {"-4,0", "4,0"}), ("never", {"-4,0"})])
def test_a_german_in_the_rail_hex_may_cancel_the_zone(reading: str, ends: set[str]) -> None:
    on = supply_board(sources=EDGE, terminals=("-4,0", "4,0"), roads=RAIL)
    friends = [unit(REGIMENT, "0,0"), unit("246.88ID", "1,0"), unit("248.88ID", "-1,0")]
    g = position(unit(DIVISION, "0,1"), *friends, on=on, options={"rail_zone": reading})
    assert names(g, open_terminals(g)) == ends


@pytest.mark.rule("korsun44", "13.1.1d")
def test_a_destroyed_bridge_interrupts_the_railroad() -> None:
    on = supply_board(sources=EDGE, terminals=("-4,0", "4,0"), roads=RAIL, sides={"0,0|1,0": "river"})
    g = position(on=on)
    assert names(g, open_terminals(g)) == {"-4,0", "4,0"}
    g.set_bridge(0, DESTROYED)
    assert names(g, open_terminals(g)) == {"-4,0"}


@pytest.mark.rule("korsun44", "13.1.2a", "13.1.2b")
@pytest.mark.parametrize(
    ("name", "reading", "cut"),
    [(DIVISION, "no", True), ("110.18TkC", "no", True), ("AT1.27A", "no", False), ("AT1.27A", "yes", True)],
)
def test_divisions_and_brigades_cut_the_railroad(name: str, reading: str, cut: bool) -> None:
    on = supply_board(sources=EDGE, terminals=("-4,0", "0,0", "4,0"), roads=RAIL)
    g = position(unit(name, "0,0"), on=on, options={"regiment_cuts_rail": reading})
    cut_railroads(g)
    assert bool(g.works[h(g, "0,0")] & RAIL_CUT) == cut
    g.take_off(u(g, name), 0)
    assert names(g, open_terminals(g)) == ({"-4,0"} if cut else {"-4,0", "0,0", "4,0"})


# --- 13.2 SDMs -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "13.2.1a", "13.2.1b")
def test_sdms_are_placed_on_road_hexes_each_turn() -> None:
    g = position(unit("SDM1.42K"), on=supply_board(sources=EDGE, roads=ROAD))
    start(g, MarkerPhase(GERMAN))
    play(g, "place_sdm SDM1.42K")
    assert refused(g, "at 0,1").rule == "13.2.1"
    play(g, "at 0,0")
    assert g.sdm_at[u(g, "SDM1.42K")] == h(g, "0,0")
    start(g, MarkerPhase(GERMAN))
    play(g, "place_sdm SDM1.42K", "at 2,0")
    assert g.sdm_at[u(g, "SDM1.42K")] == h(g, "2,0")


@pytest.mark.rule("korsun44", "13.2.1c")
def test_the_road_of_an_sdm_avoids_enemies_and_their_zones() -> None:
    on = supply_board(sources=EDGE, roads=ROAD)
    g = position(unit("SDM1.42K"), unit(DIVISION, "0,1"), on=on)
    s = u(g, "SDM1.42K")
    assert why_not_place(g, GERMAN, s, h(g, "-1,0")) is None
    assert str(why_not_place(g, GERMAN, s, h(g, "2,0"))).startswith("no free road")
    g = position(unit("SDM1.42K"), unit(DIVISION, "0,1"), unit(REGIMENT, "0,0"), unit("246.88ID", "1,0"), on=on)
    assert why_not_place(g, GERMAN, s, h(g, "2,0")) is None


@pytest.mark.rule("korsun44", "13.2.1d", "14.2.4")
def test_an_sdm_lies_at_most_one_increment_beyond_its_capacity() -> None:
    on = supply_board(sources={"-12,0": "8A"}, roads=ROAD)
    g = position(unit("SDM.Wal"), on=on)
    s = u(g, "SDM.Wal")
    assert why_not_place(g, GERMAN, s, h(g, "6,0")) is None, "capacity 2: three increments of six hexes"
    refusal = why_not_place(g, GERMAN, s, h(g, "7,0"))
    assert refusal is not None
    assert refusal.rule == "14.2.4"
    assert names(g, sdm_hexes(g, GERMAN, s)) == {f"{q},0" for q in range(-12, 7)}


@pytest.mark.rule("korsun44", "13.2.1a")
def test_an_sdm_without_a_path_comes_off() -> None:
    g = position(unit("SDM1.42K", "2,0"), unit(DIVISION, "0,0"), on=supply_board(sources=EDGE, roads=ROAD))
    start(g, MarkerPhase(GERMAN))
    play(g, "pass")
    assert g.sdm_at[u(g, "SDM1.42K")] == NOWHERE
    assert "comes off the map" in told(g)


@pytest.mark.rule("korsun44", "13.2.2a", "13.2.3a", "13.2.3b")
def test_how_many_sdms_there_are() -> None:
    g = position()
    f = g.charts.game.formations
    ids = set(g.forces.ids)
    for army in f.soviet_armies:
        two = {f"SDM1.{army}", f"SDM2.{army}"}
        assert ({f"SDM.{army}"} if army in f.tank_armies else two) <= ids
    assert {f"SDM.{c}" for c in f.soviet_corps} <= ids
    assert {f"SDM{n}.{k}" for k in f.german_korps for n in (1, 2)} <= ids
    assert {f"SDM.{d}" for d in f.panzer_divisions} | {"SDM.Korsun", "SDM.Wal", "SDM.Haake"} <= ids


@pytest.mark.rule("korsun44", "13.2.2b", "13.2.2c", "13.2.2d", "13.2.3c", "13.2.3d")
@pytest.mark.parametrize(
    ("sdm", "name", "does"),
    [
        ("SDM1.27A", DIVISION, True),
        ("SDM1.40A", DIVISION, False),
        ("SDM.5GTkA", "110.18TkC", True),
        ("SDM.18TkC", "110.18TkC", True),
        ("SDM.18TkC", "32.29TkC", False),
        ("SDM1.27A", "11.5GCC", True),
        ("SDM1.4GA", "11.5GCC", False),
        ("SDM1.42K", REGIMENT, True),
        ("SDM1.7K", REGIMENT, False),
        ("SDM1.3PzK", TANKS, True),
        ("SDM.16Pz", TANKS, True),
        ("SDM.17Pz", TANKS, False),
        ("SDM.Korsun", TANKS, True),
        ("SDM.Korsun", REGIMENT, True),
    ],
)
def test_whom_an_sdm_supplies(sdm: str, name: str, does: bool) -> None:
    g = position()
    if name not in g.forces.ids:
        name = next(n for n in g.forces.ids if n.endswith("." + name.split(".")[1]) and not n.startswith("SDM"))
    assert serves(g, u(g, sdm), u(g, name)) == does


# --- 13.2.4 displacement -------------------------------------------------------------------------------------------


def threatened(*more: dict[str, object], at: str = "1,0", enemy: str = "2,0") -> Board:
    on = supply_board(6, sources={"-6,0": "1PzA"}, roads=(("secondary", row(-6, 6)),))
    return position(unit("SDM1.42K", at), unit(DIVISION, enemy), *more, on=on)


@pytest.mark.rule("korsun44", "13.2.4a", "13.2.4b")
def test_an_sdm_displaces_one_or_two_hexes_toward_its_source() -> None:
    g = threatened()
    p = displacement(g, GERMAN, h(g, "2,0"))
    assert isinstance(p, Displacement)
    start(g, p)
    assert choices(g) == ["displace SDM1.42K -1,0", "displace SDM1.42K 0,0"]
    assert refused(g, "displace SDM1.42K 3,0").rule == "13.2.4"
    play(g, "displace SDM1.42K -1,0")
    assert g.sdm_at[u(g, "SDM1.42K")] == h(g, "-1,0")


@pytest.mark.rule("korsun44", "13.2.4a", "13.2.4e")
def test_an_sdm_with_a_friend_stays() -> None:
    g = threatened(unit(REGIMENT, "1,0"))
    assert displacement(g, GERMAN, h(g, "2,0")) is None


@pytest.mark.rule("korsun44", "13.2.4c")
def test_an_sdm_passes_zones_but_not_units() -> None:
    g = threatened(unit("206.27A", "0,1"))
    start(g, displacement(g, GERMAN, h(g, "2,0")) or Displacement(GERMAN, ()))
    assert "displace SDM1.42K -1,0" in choices(g), "0,0 is in the zone of the division at 0,1"
    g = threatened(unit("206.27A", "0,0"))
    start(g, displacement(g, GERMAN, h(g, "2,0")) or Displacement(GERMAN, ()))
    assert g.sdm_at[u(g, "SDM1.42K")] == NOWHERE


@pytest.mark.rule("korsun44", "13.2.4d")
def test_an_sdm_that_cannot_displace_is_back_next_turn() -> None:
    g = threatened(unit("206.27A", "0,0"))
    start(g, displacement(g, GERMAN, h(g, "2,0")) or Displacement(GERMAN, ()))
    assert "cannot displace" in told(g)
    assert paying_sdm(supplied_by(g, "SDM1.42K", REGIMENT), u(g, REGIMENT), 1) == NO_UNIT
    start(g, MarkerPhase(GERMAN))
    assert "place_sdm SDM1.42K" in choices(g)


@pytest.mark.rule("korsun44", "13.2.4a")
def test_a_unit_that_moves_next_to_an_sdm_displaces_it() -> None:
    on = supply_board(6, sources={"-6,0": "1PzA"}, roads=(("secondary", row(-6, 6)),))
    g = position(unit("SDM1.42K", "1,0"), unit(DIVISION, "3,0"), on=on, phase="soviet_movement")
    play(g, "pass", f"move {DIVISION}", "to 2,0", "displace SDM1.42K 0,0")
    assert g.sdm_at[u(g, "SDM1.42K")] == h(g, "0,0")


@pytest.mark.rule("korsun44", "13.2.4a")
@pytest.mark.parametrize(("reading", "left"), [("pays", 4), ("silent", 0)])
def test_a_displaced_sdm_may_still_pay(reading: str, left: int) -> None:
    on = supply_board(6, sources={"-6,0": "1PzA"}, roads=(("secondary", row(-6, 6)),))
    g = position(unit("SDM1.42K", "1,0"), unit(DIVISION, "2,0"), on=on, options={"displaced_sdm": reading})
    with_points(g, SDM1_42K=4)
    start(g, displacement(g, GERMAN, h(g, "2,0")) or Displacement(GERMAN, ()))
    play(g, "displace SDM1.42K 0,0")
    assert g.sdm_sp[u(g, "SDM1.42K")] == left


# --- 13.3 paths ----------------------------------------------------------------------------------------------------


def near_sdm(at: str, *more: dict[str, object], sdm: str = "0,0", **board: object) -> Board:
    """A regiment and an SDM that traces to its source along a road."""
    doc = supply_board(sources=EDGE, roads=(*ROAD, *board.pop("roads", ())), **board)  # type: ignore[arg-type,misc]
    return position(unit("SDM1.42K", sdm), unit(REGIMENT, at), *more, on=doc)


@pytest.mark.rule("korsun44", "13.3a")
def test_a_path_avoids_enemies_and_zones_unless_a_friend_is_there() -> None:
    wall = [unit(n, at) for n, at in zip(("180.27A", "206.27A", "337.27A"), ("-2,5", "1,3", "4,1"), strict=True)]
    open_ = near_sdm("1,5")
    assert supplied(open_, REGIMENT)
    shut = near_sdm("1,5", *wall)
    assert not supplied(shut, REGIMENT)
    friends = [unit("246.88ID", "0,4"), unit("248.88ID", "1,4"), unit("Fus.88ID", "0,3")]
    assert supplied(near_sdm("1,5", *wall, *friends), REGIMENT)


RIVER = {f"{q},1|{q - n},2": "river" for q in range(-12, 12) for n in (0, 1) if q - n >= -12 and q - n + 2 <= 12}


@pytest.mark.rule("korsun44", "13.3c", "13.3e")
def test_a_path_crosses_a_river_by_bridge_or_beside_the_unit() -> None:
    assert not supplied(near_sdm("0,3", sides=RIVER), REGIMENT)
    assert supplied(near_sdm("0,2", sides=RIVER), REGIMENT), "it stands beside the river"
    bridged = near_sdm("0,3", sides=RIVER, roads=(("trail", "0,1 0,2"),))
    assert supplied(bridged, REGIMENT)
    bridged.set_bridge(0, DESTROYED)
    assert not supplied(bridged, REGIMENT)


@pytest.mark.rule("korsun44", "13.3b")
def test_a_path_never_crosses_a_lake() -> None:
    sides = dict.fromkeys(RIVER, "lake")
    assert not supplied(near_sdm("0,2", sides=sides), REGIMENT)


@pytest.mark.rule("korsun44", "13.3d")
@pytest.mark.parametrize(("reading", "ok"), [("link", True), ("none", False)])
def test_a_path_crosses_a_swamp_only_by_road(reading: str, ok: bool) -> None:
    sides = dict.fromkeys(RIVER, "swamp")
    doc = supply_board(sources=EDGE, roads=(*ROAD, ("secondary", "0,1 0,2")), sides=sides)
    g = position(unit("SDM1.42K", "0,0"), unit(REGIMENT, "0,2"), on=doc, options={"swamp_bridge": reading})
    assert supplied(g, REGIMENT) == ok
    assert not supplied(near_sdm("0,2", sides=sides), REGIMENT)


@pytest.mark.rule("korsun44", "13.3e")
@pytest.mark.parametrize(("reading", "ok"), [("sdm_only", False), ("source_too", True)])
def test_the_river_exception_and_sources(reading: str, ok: bool) -> None:
    ring = ("-12,3", "-12,4", "-11,2", "-10,2", "-10,3", "-11,4")
    sides = {"|".join(sorted((x, "-11,3"))): "river" for x in ring}
    doc = supply_board(sources={"-12,3": "1PzA"}, sides=sides)
    g = position(unit(REGIMENT, "-11,3"), on=doc, options={"river_source": reading})
    assert supplied(g, REGIMENT) == ok


@pytest.mark.rule("korsun44", "13.3a")
@pytest.mark.parametrize(("reading", "ok"), [("blocked", False), ("open", True)])
def test_an_sdm_alone_in_an_enemy_zone(reading: str, ok: bool) -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(
        unit("SDM1.42K", "0,0"), unit(REGIMENT, "0,-2"), unit(DIVISION, "0,1"), on=doc,
        options={"sdm_in_zone": reading},
    )  # fmt: skip
    assert supplied(g, REGIMENT) == ok


@pytest.mark.rule("korsun44", "13.2.1c")
@pytest.mark.parametrize(("switch", "value", "ok"), [("trails", "roads", True), ("trails", "not_roads", False)])
def test_trails_as_roads(switch: str, value: str, ok: bool) -> None:
    doc = supply_board(sources=EDGE, roads=(("trail", row(-12, 0)),))
    g = position(unit("SDM1.42K"), on=doc, options={switch: value})
    assert (why_not_place(g, GERMAN, u(g, "SDM1.42K"), h(g, "-3,0")) is None) == ok


@pytest.mark.rule("korsun44", "13.2.1c")
@pytest.mark.parametrize(("value", "ok"), [("road", False), ("road_or_rail", True)])
def test_an_sdm_may_trace_along_a_railroad_with_that_reading(value: str, ok: bool) -> None:
    roads = (("railroad", row(-12, -6)), ("secondary", row(-6, 0)))
    g = position(unit("SDM1.42K"), on=supply_board(sources=EDGE, roads=roads), options={"sdm_path": value})
    assert (why_not_place(g, GERMAN, u(g, "SDM1.42K"), h(g, "-3,0")) is None) == ok


# --- 13.4 states ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "13.4.1a", "13.4.1b", "13.4.1d")
@pytest.mark.parametrize(
    ("sdm", "name", "ground", "most"),
    [
        ("SDM1.42K", REGIMENT, "Frozen", 6),
        ("SDM1.42K", REGIMENT, "Mud", 4),
        ("SDM1.27A", DIVISION, "Frozen", 10),
        ("SDM1.27A", DIVISION, "Mud", 8),
    ],
)
def test_supply_ranges(sdm: str, name: str, ground: str, most: int) -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    for n, ok in ((most, True), (most + 1, False)):
        g = position(unit(sdm, "0,0"), unit(name, f"0,{n}"), on=doc, ground=ground)
        assert supplied(g, name) == ok
        assert in_range_of_supply(g, u(g, name)) == ok


@pytest.mark.rule("korsun44", "13.4.1c")
def test_a_source_in_range_supplies_without_an_sdm() -> None:
    doc = supply_board(sources=EDGE, terminals=("0,0",), roads=RAIL)
    g = position(unit(REGIMENT, "-12,6"), unit("246.88ID", "0,6"), unit("248.88ID", "-9,9"), on=doc)
    assert supplied(g, REGIMENT)
    assert supplied(g, "246.88ID")
    assert not supplied(g, "248.88ID")
    determine(g, GERMAN)
    assert paying_sdm(g, u(g, REGIMENT), 1) == NO_UNIT, "no SDM, no points"


@pytest.mark.rule("korsun44", "13.4.1e")
def test_the_road_between_sdm_and_source_supplies() -> None:
    doc = supply_board(sources={"-12,0": "1PzA"}, roads=(("secondary", row(-12, 8)), ("secondary", "-2,0 -2,1")))
    g = position(unit("SDM1.42K", "8,0"), unit(REGIMENT, "-2,0"), unit("246.88ID", "-2,1"), on=doc)
    assert supplied(g, REGIMENT)
    assert not supplied(g, "246.88ID"), "beside the road"


@pytest.mark.rule("korsun44", "13.4a", "13.4.1f", "13.4.1.p1", "13.4.1.p2", "13.4.1.p3", "13.5.2k")
def test_supply_determination_places_keeps_and_removes_markers() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(
        unit("SDM1.42K", "0,0"), unit(REGIMENT, "0,2", status=["OOS2"]), unit("246.88ID", "0,9"),
        unit("248.88ID", "1,9", status=["OOS2"]), on=doc,
    )  # fmt: skip
    start(g, Determination(GERMAN))
    assert not g.status[u(g, REGIMENT)] & (OOS1 | OOS2)
    assert g.status[u(g, "246.88ID")] & OOS1
    assert g.status[u(g, "248.88ID")] & OOS2
    assert not g.status[u(g, "248.88ID")] & OOS1
    assert g.supplier[u(g, REGIMENT)] == u(g, "SDM1.42K")
    assert "246.88ID is out of supply" in told(g)


@pytest.mark.rule("korsun44", "13.4b")
def test_the_state_holds_for_the_turn() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(unit("SDM1.42K", "0,0"), unit(REGIMENT, "0,2"), on=doc)
    determine(g, GERMAN)
    g.put(u(g, REGIMENT), h(g, "0,11"))
    assert not g.status[u(g, REGIMENT)] & (OOS1 | OOS2)
    assert paying_sdm(with_points(g, SDM1_42K=1), u(g, REGIMENT), 1) == u(g, "SDM1.42K")


@pytest.mark.rule("korsun44", "13.4.1d")
def test_vehicles_come_back_when_supply_is_traced_over_a_bridge() -> None:
    g = near_sdm("0,2", sides=RIVER)
    g.set_status(u(g, REGIMENT), ON_FOOT)
    determine(g, GERMAN)
    assert g.status[u(g, REGIMENT)] & ON_FOOT
    g = near_sdm("0,2", sides=RIVER, roads=(("trail", "0,1 0,2"),))
    g.set_status(u(g, REGIMENT), ON_FOOT)
    determine(g, GERMAN)
    assert not g.status[u(g, REGIMENT)] & ON_FOOT


@pytest.mark.rule("korsun44", "14.3a", "14.3c")
@pytest.mark.parametrize(("reading", "may"), [("owner_picks", True), ("nearest", False)])
def test_the_owner_may_name_the_sdm_that_supplies_a_unit(reading: str, may: bool) -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(
        unit("SDM1.42K", "0,0"), unit("SDM2.42K", "-3,0"), unit(REGIMENT, "0,2"), on=doc,
        options={"supplying_sdm": reading},
    )  # fmt: skip
    start(g, Determination(GERMAN))
    assert g.supplier[u(g, REGIMENT)] == u(g, "SDM1.42K")
    if may:
        play(g, f"supplied_by {REGIMENT} SDM2.42K")
        assert g.supplier[u(g, REGIMENT)] == u(g, "SDM2.42K")
    else:
        assert not g.stack


@pytest.mark.rule("korsun44", "13.0a", "13.0b", "13.2")
def test_a_network_from_source_to_marker_to_unit() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(unit("SDM1.42K"), unit(REGIMENT, "0,2"), on=doc)
    start(g, SupplyStage())
    play(g, "place_sdm SDM1.42K", "at 0,0")
    assert not g.stack
    assert g.sdm_sp[u(g, "SDM1.42K")] == 3
    assert paying_sdm(g, u(g, REGIMENT), 3) == u(g, "SDM1.42K")
    assert paying_sdm(g, u(g, REGIMENT), 4) == NO_UNIT
    start(g, SupplyStage())
    play(g, "pass")
    assert g.sdm_sp[u(g, "SDM1.42K")] == 3, "nothing had to be spent"
    g.put(u(g, DIVISION), h(g, "-6,0"))
    g.steps[u(g, DIVISION)] = 4
    g.changed()
    start(g, SupplyStage())
    while g.stack:
        play(g, "pass")
    assert g.status[u(g, REGIMENT)] & OOS1, "the road is cut: no marker, no supply"


# --- 13.4.3 transfer -----------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "13.4.3.1", "13.4.3.2", "13.4.3.3", "13.4.3.4")
def test_a_unit_that_cannot_trace_is_transferred() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(unit("SDM1.7K", "0,0"), unit(REGIMENT, "0,2"), on=doc)
    r = u(g, REGIMENT)
    start(g, Determination(GERMAN))
    assert refused(g, f"transfer {REGIMENT} 42K").rule == "13.4.3"
    play(g, f"transfer {REGIMENT} 7K")
    assert g.status[r] & OOS1
    assert g.status[r] & TRANSFERRING
    assert not supplied(g, REGIMENT), "not before the next phase"
    determine(g, GERMAN)
    assert not g.status[r] & OOS1
    assert g.supplier[r] == u(g, "SDM1.7K")
    g.steps[u(g, "SDM1.42K")] = 1
    g.place_sdm(u(g, "SDM1.42K"), h(g, "1,0"))
    determine(g, GERMAN)
    assert g.transferred[r] == NO_COMMAND
    assert g.supplier[r] == u(g, "SDM1.42K")


@pytest.mark.rule("korsun44", "13.4.3.1", "13.4.3.5")
def test_who_is_not_transferred() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(unit("SDM1.42K", "0,0"), unit(REGIMENT, "0,9"), unit("503.Bake", "2,9"), on=doc)
    determine(g, GERMAN)
    why = why_not_transfer(g, GERMAN, u(g, REGIMENT), "7K")
    assert why is not None
    assert why.reason.endswith("can trace a path to its SDM")
    why = why_not_transfer(g, GERMAN, u(g, "503.Bake"), "7K")
    assert why is not None
    assert "its own division or korps alone" in why.reason


@pytest.mark.rule("korsun44", "14.5.1b", "13.1.3c", "13.2.3d")
def test_units_that_trace_to_the_isolated_korsun_are_gruppe_stemmermann() -> None:
    doc = supply_board(korsun="0,0", roads=ROAD)
    g = isolate(position(unit("SDM1.42K", "3,0"), unit(REGIMENT, "5,0"), unit("Recon.16Pz", "1,0"), on=doc, turn=5), 4)
    start(g, MarkerPhase(GERMAN))
    play(g, "pass")
    assert g.sdm_flags[u(g, "SDM1.42K")] & FROM_KORSUN
    determine(g, GERMAN)
    assert g.status[u(g, REGIMENT)] & STEMMERMANN
    assert not g.status[u(g, "Recon.16Pz")] & STEMMERMANN, "not of 11th or 42nd Korps"
    way = traced(g, u(g, "SDM.Korsun"), h(g, "3,0"))
    assert way is not None
    assert way.flag == FROM_KORSUN


@pytest.mark.rule("korsun44", "8.6.3a")
def test_korps_traced_to_from_a_hex() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(unit("SDM1.42K", "0,0"), unit("SDM1.7K", "4,0"), unit("SDM.16Pz", "2,0"), on=doc)
    assert traced_korps(g, h(g, "-6,0")) == ("42K", "7K"), "of any length, and not to a division"
    g.put(u(g, "180.27A"), h(g, "3,0"))  # a German SDM alone in its zone
    assert traced_korps(g, h(g, "-6,0")) == ("42K",)
    assert g.forces.side[u(g, "SDM1.27A")] == SOVIET


@pytest.mark.rule("korsun44", "12.4.r")
def test_a_unit_that_no_sdm_supplies_names_none() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(unit("SDM1.42K", "0,0"), unit("SDM2.42K", "1,0"), unit(REGIMENT, "0,1"), on=doc)
    why = why_not_supplied_by(g, GERMAN, u(g, REGIMENT), u(g, "SDM2.42K"))
    assert why is not None
    assert "is not supplied" in why.reason
    g.supplier[u(g, REGIMENT)] = u(g, "SDM1.42K")
    assert why_not_supplied_by(g, GERMAN, u(g, REGIMENT), u(g, "SDM2.42K")) is None


@pytest.mark.rule("korsun44", "13.0a", "13.2")
def test_an_sdm_without_a_road_to_its_source_supplies_nobody() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    men = (unit("SDM1.42K", "0,0"), unit(REGIMENT, "2,0"))
    assert supplied(position(*men, on=doc), REGIMENT)
    cut = position(*men, unit(DIVISION, "-6,0"), on=doc)
    assert not supplied(cut, REGIMENT), "the road is held, though the way to the SDM is free"
    fixed = position(unit("SDM1.42K", "0,0", status=["isolated"], sp=2), men[1], unit(DIVISION, "-6,0"), on=doc)
    assert supplied(fixed, REGIMENT), "16.2.2: an SDM of an isolated korps is a source itself"
