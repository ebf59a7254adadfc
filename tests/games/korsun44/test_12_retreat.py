"""12.13, 12.16 Retreat after combat."""

from __future__ import annotations

import pytest

from kessel.core.hexes import NO_HEX
from kessel.games.korsun44.board import (
    DESTROYED,
    DISORGANIZED,
    GERMAN,
    GUEST,
    HOLDING,
    IP,
    LEFT,
    ON_FOOT,
    REGROUP,
    SOVIET,
    Board,
)
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT, RESERVE_SEGMENT
from kessel.games.korsun44.combat.losses import components
from kessel.games.korsun44.combat.retreat import Retreat, is_at_edge, retreat_paths
from kessel.games.korsun44.movement.zones import zone_of

from .fights import (
    ART,
    AT,
    D1,
    D2,
    D3,
    FLAK,
    FUS,
    MECH,
    MOT,
    PIO,
    PZ4,
    R1,
    R2,
    R3,
    T1,
    UNARMED,
    applied,
    asked_verbs,
    on_map,
)  # fmt: skip
from .helpers import board, choices, h, play, position, refused, start, told, u, unit


def ways(g: Board, name: str, n: int = 1) -> set[str]:
    x = u(g, name)
    return {"-".join(g.hex_name(p) for p in path) for path in retreat_paths(g, x, g.place[x], n)}


def order(g: Board, name: str) -> int:
    return g.status[u(g, name)] & (DISORGANIZED | REGROUP)


# --- 12.13.1 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.13", "12.13.1.1", "12.13.1.2", "12.13.1.5c", "12.13.1.5a")
def test_the_owner_retreats_out_of_enemy_zones() -> None:
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"))
    applied(g, "-/R", D1)
    assert g.stack[-1].chooser == GERMAN  # type: ignore[attr-defined]
    assert set(choices(g)) == {f"retreat {FUS} {x}" for x in ("-1,0", "-1,1", "0,-1")}
    assert refused(g, f"retreat {FUS} 0,1").rule == "12.13.1"
    play(g, f"retreat {FUS} -1,0")
    assert on_map(g, FUS) == "-1,0"
    assert order(g, FUS) == 0
    assert g.status[u(g, FUS)] & GUEST


@pytest.mark.rule("korsun44", "15.2b", "15.1.3a", "12.13")
def test_who_retreats_over_a_bridge_holds_it_and_soviets_level_positions() -> None:
    on = board(sides={"0,0|-1,0": "river"}, roads=[("primary", "0,0 -1,0")])
    g = position(unit(R1, "1,0"), unit(D1, "0,0"), unit(R2, "0,2"), unit(R3, "0,-2"), on=on)
    (bridge,) = g.bridge_of(g.map.grid.hexside(h(g, "0,0"), h(g, "-1,0")))
    g.bridge_owner[bridge] = GERMAN
    for x in ("-1,0", "-1,1"):
        g.set_works(h(g, x), IP)
        g.control[h(g, x)] = GERMAN
    applied(g, "-/R>", R1)
    play(g, f"retreat {D1} -1,0--2,0")
    assert on_map(g, D1) == "-2,0"
    assert g.bridge_owner[bridge] == SOVIET
    assert [bool(g.works[h(g, x)] & IP) for x in ("-1,0", "-1,1")] == [False, True]
    assert [g.control[h(g, x)] for x in ("-1,0", "-2,0", "-1,1")] == [SOVIET, SOVIET, GERMAN]


@pytest.mark.rule("korsun44", "12.13.1.1", "12.13.2", "12.13.1.3", "12.13.1.5b", "12.12.2")
def test_after_a_breakthrough_the_attacker_retreats_them_two_hexes() -> None:
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"))
    applied(g, "-/R>", D1)
    assert g.stack[-1].chooser == SOVIET  # type: ignore[attr-defined]
    ends = {x.split()[-1] for x in choices(g)}
    assert all(g.map.grid.distance(h(g, "0,0"), path[-1]) == 2 for path in retreat_paths(g, u(g, FUS), h(g, "0,0"), 2))
    assert "-1,0--2,0" in ends
    assert refused(g, f"retreat {FUS} -1,0").rule == "12.13.1"


@pytest.mark.rule("korsun44", "12.13.1.5b", "12.13.1.5c")
def test_distance_comes_before_zones_or_after() -> None:
    ring = [unit(x, at) for x, at in ((D2, "-2,1"), (D3, "0,-2"))]
    units = unit(D1, "1,0"), unit(FUS, "0,0"), *ring
    g = position(*units)
    assert all(g.map.grid.distance(h(g, "0,0"), p[-1]) == 2 for p in retreat_paths(g, u(g, FUS), h(g, "0,0"), 2))
    zones = zone_of(g, SOVIET)
    zoned = min(sum(zones >> x & 1 for x in p) for p in retreat_paths(g, u(g, FUS), h(g, "0,0"), 2))
    g = position(*units, options={"retreat_order": "zones_first"})
    assert min(sum(zones >> x & 1 for x in p) for p in retreat_paths(g, u(g, FUS), h(g, "0,0"), 2)) <= zoned


@pytest.mark.rule("korsun44", "12.13.1.4", "12.13.1.6", "11.2")
def test_a_stack_may_scatter_and_overstack() -> None:
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"), unit(PIO, "0,0"), *(unit(x, "-1,0") for x in (R1, R2, ART)))
    applied(g, "-/R", D1)
    play(g, f"retreat {FUS} -1,0", f"retreat {PIO} -1,1")
    assert [on_map(g, x) for x in (FUS, PIO)] == ["-1,0", "-1,1"]


@pytest.mark.rule("korsun44", "12.13.1.5d", "12.13.1.5e", "12.5.2.lk")
def test_never_onto_the_enemy_or_through_prohibited_terrain() -> None:
    on = board(sides={"0,0|-1,0": "lake"}, terrain={"-1,1": "forest"})
    g = position(unit(D1, "1,0", steps=2), unit(PZ4, "0,0"), unit(T1, "0,-1", steps=1), on=on)
    found = ways(g, PZ4)
    assert not found & {"-1,0", "-1,1", "0,-1"}
    assert "-1,1" in ways(position(unit(D1, "1,0", steps=2), unit(FUS, "0,0"), on=on), FUS)


@pytest.mark.rule("korsun44", "12.5.2.fo-r", "12.5.2.rd")
def test_armor_leaves_and_enters_forests_by_road_alone() -> None:
    on = board(terrain={"0,0": "forest"}, roads=[("trail", "0,0 -1,0")])
    assert ways(position(unit(PZ4, "0,0"), on=on), PZ4) == {"-1,0"}
    on = board(terrain={"0,0": "forest"}, roads=[("railroad", "0,0 0,-1")])
    assert ways(position(unit(PZ4, "0,0"), on=on), PZ4) == {"0,-1"}


RING = ("1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1")


@pytest.mark.rule("korsun44", "12.13.1.7", "12.13.1.3")
@pytest.mark.parametrize(("reading", "left"), [("each_unit", [2, 1]), ("each_stack", [2, 2])])
def test_units_that_cannot_retreat_lose_a_step_a_hex(reading: str, left: list[int]) -> None:
    lakes = {f"0,0|{x}": "lake" for x in RING if x != "1,0"}
    g = position(
        unit(D1, "1,0"),
        unit(R1, "0,0", steps=3),
        unit(FUS, "0,0"),
        on=board(sides=lakes),
        options={"stuck_loss": reading},
    )
    applied(g, "-/R", D1)
    while asked_verbs(g) == {"pass", "break_down"}:
        play(g, "pass")
    assert [g.steps[u(g, x)] for x in (R1, FUS)] == left
    assert on_map(g, R1) == "0,0"


@pytest.mark.rule("korsun44", "12.13.1.7")
def test_who_gets_one_hex_of_two_loses_one_step() -> None:
    lakes = {f"0,0|{x}": "lake" for x in RING if x not in ("1,0", "-1,0")}
    lakes |= {f"-1,0|{x}": "lake" for x in ("-2,0", "-1,-1", "0,-1", "-2,1", "-1,1")}
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"), on=board(sides=lakes))
    applied(g, "-/R>", D1)
    play(g, f"retreat {FUS} -1,0")
    assert g.steps[u(g, FUS)] == 1


@pytest.mark.rule("korsun44", "12.13.3a", "4.6.c6", "12.1.3.D2a")
def test_german_regiments_may_break_down_after_losses_before_they_retreat() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"))
    applied(g, "-/1R", D1)
    assert g.steps[u(g, R1)] == 3
    assert asked_verbs(g) == {"pass", "break_down"}
    play(g, next(x for x in choices(g) if x != "pass"))
    parts = list(g.of_side(h(g, "0,0"), GERMAN))
    assert sum(g.steps[x] for x in parts) == 3
    assert len(parts) > 1
    assert asked_verbs(g) == {"retreat"}


@pytest.mark.rule("korsun44", "12.13.3b")
def test_soviet_divisions_do_not_break_down_in_retreat() -> None:
    g = position(unit(R1, "1,0"), unit(D1, "0,0"))
    applied(g, "-/R", R1)
    assert asked_verbs(g) == {"retreat"}


@pytest.mark.rule("korsun44", "12.13.3c", "12.13.3d")
def test_guns_are_disorganized_and_unarmed_engineers_lose_a_step() -> None:
    g = position(unit(D1, "1,0"), unit(ART, "0,0"), unit(UNARMED, "0,0"), unit(FUS, "0,0"))
    applied(g, "-/R", D1)
    play(g, f"retreat {ART} -1,0", f"retreat {UNARMED} -1,0", f"retreat {FUS} -1,0")
    assert [order(g, x) for x in (ART, UNARMED, FUS)] == [DISORGANIZED, 0, 0]
    assert [g.steps[u(g, x)] for x in (UNARMED, FUS)] == [1, 2]


@pytest.mark.rule("korsun44", "12.13.4a", "12.13.4b", "12.13.4c", "12.17.d4", "12.17.r2")
def test_retreating_into_a_zoc() -> None:
    enemy = [(D2, "-2,1"), (D3, "0,-2"), ("54FAa.27A", "-2,0"), ("54FAb.27A", "-1,2")]
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"), *(unit(x, at) for x, at in enemy))
    applied(g, "-/R", D1)
    play(g, choices(g)[0])
    assert order(g, FUS) == REGROUP
    g = position(unit(D1, "1,0"), unit(FUS, "0,0", status=["disorganized"]), *(unit(x, at) for x, at in enemy))
    applied(g, "-/R", D1)
    play(g, choices(g)[0])
    assert order(g, FUS) == DISORGANIZED
    enemy = [(R2, "-2,1"), ("248.88ID", "0,-2"), (MECH, "-2,0"), (MOT, "-1,2")]
    g = position(unit(R1, "1,0"), unit(D1, "0,0", steps=2), *(unit(x, at) for x, at in enemy))
    applied(g, "-/R", R1)
    play(g, choices(g)[0])
    assert order(g, D1) == DISORGANIZED


@pytest.mark.rule("korsun44", "12.13.4c")
def test_a_zoi_does_no_harm() -> None:
    enemy = [(PZ4, "-2,1"), (FLAK, "0,-2"), (ART, "-2,0"), ("Flak.17Pz", "-1,2"), ("I-39.17Pz", "2,-2")]
    g = position(unit(R1, "1,0", steps=2), unit(D1, "0,0"), *(unit(x, at) for x, at in enemy))
    applied(g, "-/R", R1)
    play(g, choices(g)[0])
    assert order(g, D1) == 0


@pytest.mark.rule("korsun44", "12.13.4a")
@pytest.mark.parametrize(("reading", "found"), [("any_hex", REGROUP), ("last_hex", 0)])
def test_a_zoc_passed_through_counts_or_not(reading: str, found: int) -> None:
    g = position(unit(FUS, "0,0"), unit(D1, "-1,-1"), options={"retreat_zoc": reading})
    from kessel.games.korsun44.combat.retreat import retreated

    retreated(g, u(g, FUS), h(g, "0,0"), (h(g, "-1,0"), h(g, "-1,1")))
    assert order(g, FUS) == found


# --- 12.16 ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.16.3a", "12.16.3d", "12.17.r5", "12.5.2.br")
def test_rivers() -> None:
    rivers = {f"0,0|{x}": "river" for x in RING}
    bare, bridged = board(sides=rivers), board(sides=rivers, roads=[("primary", "0,0 -1,0")])
    for name in (PZ4, FLAK, ART):
        assert ways(position(unit(name, "0,0"), on=bare), name) == set()
        assert ways(position(unit(name, "0,0"), on=bridged), name) == {"-1,0"}
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"), on=bare)
    applied(g, "-/R", D1)
    play(g, f"retreat {FUS} -1,0")
    assert order(g, FUS) == REGROUP
    g = position(unit(D1, "1,0"), unit(FUS, "0,0", status=["disorganized"]), on=bare)
    applied(g, "-/R", D1)
    play(g, f"retreat {FUS} -1,0")
    assert order(g, FUS) == DISORGANIZED


@pytest.mark.rule("korsun44", "12.16.3d")
def test_a_destroyed_bridge_does_not_help() -> None:
    rivers = {f"0,0|{x}": "river" for x in RING}
    g = position(unit(PZ4, "0,0"), on=board(sides=rivers, roads=[("primary", "0,0 -1,0")]))
    g.set_bridge(g.bridge_of(g.map.grid.hexside(h(g, "0,0"), h(g, "-1,0")))[0], DESTROYED)
    assert ways(g, PZ4) == set()


@pytest.mark.rule("korsun44", "12.16.3d", "12.13.1.5e")
@pytest.mark.parametrize(("reading", "free"), [("on_foot", True), ("no", False)])
def test_motorized_infantry_swims_on_foot_by_a_switch(reading: str, free: bool) -> None:
    rivers = {f"0,0|{x}": "river" for x in RING}
    g = position(unit(D1, "1,0"), unit(MOT, "0,0"), on=board(sides=rivers), options={"retreat_motor": reading})
    assert bool(ways(g, MOT)) == free
    if free:
        applied(g, "-/R", D1)
        play(g, "pass", f"retreat {MOT} -1,0")
        assert g.status[u(g, MOT)] & ON_FOOT


@pytest.mark.rule("korsun44", "12.16.5b", "12.16.5c", "12.5.2.sw", "12.17.r5")
@pytest.mark.parametrize(
    ("name", "reading", "found"),
    [(PZ4, "by_class", DISORGANIZED), (FUS, "by_class", REGROUP), (PZ4, "regroup", REGROUP)],
)
def test_swamps(name: str, reading: str, found: int) -> None:
    swamps = {f"0,0|{x}": "swamp" for x in RING}
    assert ways(position(unit(PZ4, "0,0"), on=board(sides=swamps)), PZ4) == set()
    on = board(sides=swamps, roads=[("primary", "0,0 -1,0")])
    g = position(unit(D1, "1,0"), unit(name, "0,0"), on=on, options={"swamp_retreat": reading})
    applied(g, "-/R", D1)
    play(g, f"retreat {name} -1,0")
    assert order(g, name) == found


def cornered(*, supplied: bool = True, edge: str = "open") -> Board:
    """A unit at the map's edge whose other ways are lakes."""
    lakes = {f"5,0|{x}": "lake" for x in ("5,-1", "4,1")}
    status = [] if supplied else ["OOS1"]
    units = unit(D1, "4,0"), unit(FUS, "5,0", status=status)
    return position(*units, on=board(sides=lakes), options={"off_map": edge})


@pytest.mark.rule("korsun44", "12.16.1a", "12.16.1b")
@pytest.mark.parametrize("supplied", [True, False])
def test_off_the_map_only_if_nothing_else_is_left(supplied: bool) -> None:
    g = cornered(supplied=supplied)
    applied(g, "-/R", D1, on=("5,0",))
    assert on_map(g, FUS) == ""
    assert (g.box[u(g, FUS)] == LEFT) == supplied
    if supplied:
        assert g.due[u(g, FUS)] == g.turn + 1
        assert "retreats off the map" in told(g)
    g = position(unit(D1, "4,0"), unit(FUS, "5,0"), options={"off_map": "open"})
    applied(g, "-/R", D1, on=("5,0",))
    assert asked_verbs(g) == {"retreat"}


@pytest.mark.rule("korsun44", "12.16.1a", "12.13.1.7")
def test_the_edge_of_a_board_cut_out_of_the_map_is_closed(campaign: Board) -> None:
    g = cornered(edge="closed")
    full = g.steps[u(g, FUS)]
    applied(g, "-/R", D1, on=("5,0",))
    assert (on_map(g, FUS), g.steps[u(g, FUS)]) == ("5,0", full - 1)
    edge = next(
        x for x in campaign.map.grid.hexes if campaign.playable >> x & 1 and NO_HEX in campaign.map.grid.neighbours[x]
    )
    assert is_at_edge(campaign, edge), "that of the printed map is open"
    inner = next(x for x in campaign.map.grid.hexes if NO_HEX not in campaign.map.grid.neighbours[x])
    assert not is_at_edge(campaign, inner)


# --- attackers, extended divisions, barrage units ------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.13", "12.15.1.5")
def test_attackers_retreat_too_unless_all_defenders_died() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"))
    applied(g, "R/-", D1)
    assert {x.split()[1] for x in choices(g)} == {D1}
    g = position(unit(D1, "1,0"), unit(FUS, "0,0", steps=1))
    applied(g, "R/1", D1)
    assert "retreat" not in asked_verbs(g)
    assert on_map(g, D1) == "1,0"


@pytest.mark.rule("korsun44", "4.7.2.4", "4.7.2.6a", "4.7.2.6b")
def test_only_the_attacked_half_retreats_and_not_into_itself() -> None:
    g = position(unit(R1, "1,0"), unit(D1, "0,0"), unit("180x.27A", "-1,0"))
    assert "-1,0" not in ways(g, D1)
    applied(g, "-/R", R1)
    assert {x.split()[1] for x in choices(g)} == {D1}
    lakes = {f"0,0|{x}": "lake" for x in RING if x not in ("1,0", "-1,0")}
    g = position(unit(R1, "1,0"), unit(D1, "0,0"), unit("180x.27A", "-1,0"), on=board(sides=lakes))
    applied(g, "-/R", R1)
    play(g, f"retreat {D1} -1,0")
    assert on_map(g, "180x.27A") == ""
    assert on_map(g, D1) == "-1,0"


@pytest.mark.rule("korsun44", "4.7.2.7")
def test_a_breakthrough_draws_an_extended_division_together() -> None:
    g = position(unit(R1, "1,0"), unit("180x.27A", "0,0"), unit(D1, "-1,0"), unit(AT, "-1,0"))
    applied(g, "-/R>", R1)
    assert on_map(g, "180x.27A") == ""
    assert on_map(g, D1) == "0,0"
    play(g, choices(g)[0])
    assert {x.split()[1] for x in choices(g)} == {AT}


@pytest.mark.rule("korsun44", "17.1.2g")
def test_a_barrage_unit_that_retreats_becomes_its_guns() -> None:
    g = position(unit(R1, "1,0"), unit("Barrage.53A", "0,0"))
    held = components(g, u(g, "Barrage.53A"))
    for x in held:
        g.box[x], g.steps[x] = HOLDING, 1
    applied(g, "-/R", R1)
    assert on_map(g, "Barrage.53A") == ""
    assert {x.split()[1] for x in choices(g)} == {g.id(x) for x in held}
    assert all(g.status[x] & DISORGANIZED for x in held)


@pytest.mark.rule("korsun44", "12.13.2")
def test_a_retreat_asks_for_each_unit_until_all_are_gone() -> None:
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"), unit(PIO, "0,0"))
    start(g, Retreat(SOVIET, GERMAN, h(g, "0,0"), 1, (u(g, FUS), u(g, PIO))))
    play(g, choices(g)[0])
    assert len({x.split()[1] for x in choices(g)}) == 1
    assert refused(g, f"retreat {D1} 2,0").rule == "12.13"
    assert refused(g, f"retreat {PIO} 3,0").rule == "12.13.1"


@pytest.mark.rule("korsun44", "12.13", "12.1.6a")
@pytest.mark.parametrize(("segment", "goes"), [(COMBAT_SEGMENT, True), (RESERVE_SEGMENT, False)])
def test_attackers_take_their_guns_along_but_not_who_was_not_in_reserve(segment: int, goes: bool) -> None:
    g = position(unit(R1, "1,0"), unit("Art188.88ID", "1,0"), unit(D1, "0,0"))
    play(applied(g, "R/-", R1, segment=segment), "pass")
    assert {c.split()[1] for c in choices(g)} == ({R1, "Art188.88ID"} if goes else {R1})


@pytest.mark.rule("korsun44", "12.13.1.3", "12.13.1.5b")
def test_why_a_way_is_no_retreat() -> None:
    g = position(unit(R1, "1,0"), unit(D1, "0,0"))
    retreat = Retreat(GERMAN, SOVIET, h(g, "0,0"), 2, (u(g, D1),))

    def why(*path: str) -> str:
        found = retreat.why_not(g, u(g, D1), tuple(h(g, x) for x in path))
        return "" if found is None else found.reason

    assert not why("-1,0", "-2,0")
    assert "from hex to hex" in why("-1,0", "-3,0")
    assert "from hex to hex" in why("-2,0", "-3,0")
    assert "from hex to hex" in why()
    assert "an enemy unit" in why("1,0", "2,0")
    assert "full length" in why("-1,0")
    assert "as far away" in why("-1,0", "-1,1")
