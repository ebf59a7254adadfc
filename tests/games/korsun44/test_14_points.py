"""14.0 Supply Points, Korsun, air supply."""

from __future__ import annotations

import pytest

from kessel.core.forces import NO_UNIT
from kessel.games.korsun44.board import (
    BACK,
    DISORGANIZED,
    FROM_KORSUN,
    GERMAN,
    HOLDING,
    OOS1,
    OOS2,
    OUT,
    OUT_OF_AMMO,
    SOVIET,
    STEMMERMANN,
    STORED,
    Board,
)
from kessel.games.korsun44.combat.artillery import flip
from kessel.games.korsun44.supply.air_supply import (
    AirDrops,
    AirSupplyStage,
    loss_roll,
    missions_left,
    why_not_allocate_lift,
)
from kessel.games.korsun44.supply.determination import determine, extend_supply, extended_units, extensions
from kessel.games.korsun44.supply.korsun import (
    Abandonment,
    captures,
    declare_korsun,
    road_to_korsun,
    why_not_declare_korsun,
)
from kessel.games.korsun44.supply.markers import points_at, reception
from kessel.games.korsun44.supply.phases import (
    ExtendedSupply,
    MarkerPhase,
    Resupply,
    SovietDrop,
    receive_points,
    why_not_resupply,
)
from kessel.games.korsun44.supply.stage import paying_sdm

from .helpers import choices, h, play, position, refused, start, told, u, unit
from .supply_helpers import isolate, row, supplied_by, supply_board, with_points

ROAD = (("secondary", row(-12, 12)),)
EDGE = {"-12,0": "1PzA", "12,0": "27A"}
REGIMENT, DIVISION, GUN = "245.88ID", "180.27A", "Art188.88ID"


# --- 14.2 reception ------------------------------------------------------------------------------------------------


@pytest.mark.example("korsun44", "E18")
@pytest.mark.rule("korsun44", "14.2.1", "14.2.2", "14.2.3")
def test_the_sdm_of_14th_panzer_eight_hexes_from_its_terminal() -> None:
    doc = supply_board(
        sources={"-12,0": "8A"}, terminals=("-8,0",), roads=(("railroad", row(-12, -8)), ("secondary", row(-8, 8)))
    )
    g = position(unit("SDM.14Pz", "0,0"), on=doc)
    receive_points(g, GERMAN)
    assert g.sdm_sp[u(g, "SDM.14Pz")] == 3
    assert reception(g, u(g, "SDM.14Pz")).total == 3


@pytest.mark.rule("korsun44", "14.2.2", "14.2.3", "14.2.5")
@pytest.mark.parametrize(
    ("ground", "length", "points"),
    [
        ("Frozen", 0, 4),
        ("Frozen", 6, 4),
        ("Frozen", 7, 3),
        ("Frozen", 24, 1),
        ("Frozen", 25, 0),
        ("Mud", 4, 4),
        ("Mud", 5, 3),
    ],
)
def test_points_by_increments(ground: str, length: int, points: int) -> None:
    g = position(ground=ground)
    assert points_at(g, u(g, "SDM1.42K"), length) == points


@pytest.mark.rule("korsun44", "14.2.c2")
def test_points_are_not_saved() -> None:
    g = with_points(position(unit("SDM1.42K", "2,0"), on=supply_board(sources=EDGE, roads=ROAD)), SDM1_42K=9)
    receive_points(g, GERMAN)
    assert g.sdm_sp[u(g, "SDM1.42K")] == 2


@pytest.mark.rule("korsun44", "14.2.5")
def test_an_sdm_without_points_still_supplies() -> None:
    doc = supply_board(sources={"-12,0": "8A"}, roads=ROAD)
    g = position(unit("SDM.Wal", "6,0"), unit("I.Wal", "6,2"), on=doc)
    receive_points(g, GERMAN)
    determine(g, GERMAN)
    assert g.sdm_sp[u(g, "SDM.Wal")] == 0
    assert not g.status[u(g, "I.Wal")] & OUT
    assert paying_sdm(g, u(g, "I.Wal"), 1) == NO_UNIT


@pytest.mark.rule("korsun44", "13.5.1a")
def test_units_out_of_supply_receive_no_points() -> None:
    g = position(unit("SDM1.42K", "0,0"), unit(REGIMENT, "0,1", status=["OOS1"]), on=supply_board(roads=ROAD))
    supplied_by(with_points(g, SDM1_42K=4), "SDM1.42K", REGIMENT)
    assert paying_sdm(g, u(g, REGIMENT), 1) == NO_UNIT


# --- 14.4 artillery ------------------------------------------------------------------------------------------------


def guns(status: list[str], name: str = GUN, points: int = 4, at: str = "0,2") -> Board:
    g = position(
        unit("SDM1.42K", "0,0"), unit("SDM1.27A", "5,0"), unit(name, at, status=status),
        on=supply_board(sources=EDGE, roads=ROAD),
    )  # fmt: skip
    german = g.forces.side[u(g, name)] == GERMAN
    supplied_by(with_points(g, SDM1_42K=points, SDM1_27A=points), "SDM1.42K" if german else "SDM1.27A", name)
    return start(g, Resupply(GERMAN if german else SOVIET))


@pytest.mark.rule("korsun44", "14.4a", "14.4.1r2", "14.4.1r1")
@pytest.mark.parametrize(("points", "left"), [(2, 0), (1, BACK)])
def test_a_german_regiment_out_of_ammo(points: int, left: int) -> None:
    g = guns(["back", "out_of_ammo"])
    play(g, f"resupply {GUN} {points}")
    assert g.status[u(g, GUN)] & (BACK | OUT_OF_AMMO) == left
    assert g.sdm_sp[u(g, "SDM1.42K")] == 4 - points


@pytest.mark.rule("korsun44", "14.4.1r0", "14.4.1b", "14.4.1s")
@pytest.mark.parametrize("name", [GUN, "I-108.42K", "gun.27A"])
def test_one_point_turns_a_gun_to_its_front(name: str) -> None:
    g = guns(["back"], name)
    assert refused(g, f"resupply {name} 2").rule == "14.4.1"
    play(g, f"resupply {name} 1")
    assert not g.status[u(g, name)] & BACK


@pytest.mark.rule("korsun44", "14.4.1", "14.4.2", "14.4.3", "14.2.c1")
def test_guns_are_resupplied_by_their_sdm_in_range() -> None:
    assert not guns(["back"], at="0,9").stack
    assert not guns(["back"], points=0).stack
    assert not guns([]).stack, "a gun with ammunition needs none"


@pytest.mark.rule("korsun44", "17.1.4")
def test_components_are_resupplied_in_their_box() -> None:
    doc = supply_board(sources={"12,0": "53A"}, roads=ROAD)
    part = "61gun.16Art"
    g = position(unit("SDM1.53A", "0,0"), unit("Barrage.53A", "0,3"), on=doc)
    p = u(g, part)
    g.steps[p], g.box[p] = 1, HOLDING
    g.status[p] = BACK
    start(with_points(g, SDM1_53A=1), Resupply(SOVIET))
    play(g, f"resupply {part} 1")
    assert not g.status[p] & BACK
    assert g.sdm_sp[u(g, "SDM1.53A")] == 0


# --- 14.7 extended supply ------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "14.7a", "14.7b", "14.7c", "14.3f")
def test_a_point_extends_supply_to_twice_the_range() -> None:
    names = ("245.88ID", "246.88ID", "248.88ID", "Fus.88ID")
    units = [unit(n, "0,12", status=["OOS2"]) for n in names]
    far = unit("Pio.88ID", "-1,12", status=["OOS1"])
    g = position(unit("SDM1.42K", "0,0"), *units, far, on=supply_board(13, sources=EDGE, roads=ROAD))
    start(with_points(g, SDM1_42K=2), ExtendedSupply(GERMAN))
    assert "nobody out of supply in 0,11" in refused(g, "extend_supply SDM1.42K 0,11").reason
    play(g, "extend_supply SDM1.42K 0,12", "supply Fus.88ID", "supply 245.88ID")
    assert refused(g, "supply Fus.88ID").rule == "14.7"
    assert refused(g, "supply Pio.88ID").rule == "14.7"
    play(g, "supply 248.88ID")
    assert [bool(g.status[u(g, n)] & OUT) for n in names] == [False, True, False, False], "three units, by choice"
    assert g.sdm_sp[u(g, "SDM1.42K")] == 1
    done = next(n for n in names if not g.status[u(g, n)] & OUT)
    assert paying_sdm(g, u(g, done), 1) == NO_UNIT, "no points come that far"


@pytest.mark.rule("korsun44", "14.7a")
def test_extended_supply_has_an_end() -> None:
    g = position(unit("SDM1.42K", "0,0"), unit(REGIMENT, "0,13", status=["OOS1"]),
                 on=supply_board(13, sources=EDGE, roads=ROAD))  # fmt: skip
    assert not start(with_points(g, SDM1_42K=2), ExtendedSupply(GERMAN)).stack


# --- 14.8 Soviet drops ---------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "14.8a", "14.8b")
@pytest.mark.parametrize(("die", "ok"), [(1, True), (2, True), (3, False), (6, False)])
def test_a_front_drops_supply(die: int, ok: bool) -> None:
    g = position(unit(DIVISION, "0,0", status=["OOS2"]), unit("gun.27A", "0,0", status=["OOS1"]),
                 unit("110.18TkC", "3,0", status=["OOS1"]))  # fmt: skip
    start(g, SovietDrop(SOVIET, "1Uk"))
    assert choices(g) == ["pass", "drop_on 0,0"]
    assert refused(g, "drop_on 3,0").rule == "14.8"
    play(g, "drop_on 0,0", dice=[die])
    assert (not g.status[u(g, DIVISION)] & OUT and not g.status[u(g, "gun.27A")] & OUT) == ok
    assert not g.stack


# --- 14.5 Korsun ---------------------------------------------------------------------------------------------------


def pocket(
    *more: dict[str, object], turn: int = 6, ground: str = "Frozen", roads: tuple[tuple[str, str], ...] = ROAD
) -> Board:
    doc = supply_board(sources={"-12,0": "1PzA"}, korsun="0,0", airfield="0,-1", roads=roads)
    return position(*more, on=doc, turn=turn, ground=ground)


@pytest.mark.example("korsun44", "E19")
@pytest.mark.rule("korsun44", "13.1.3b", "14.5.1.1", "14.5.1a")
def test_korsun_is_declared_isolated_and_has_fifteen_points() -> None:
    g = pocket(unit(REGIMENT, "1,0"))
    assert why_not_declare_korsun(g) is None
    declare_korsun(g)
    assert g.track("korsun_sp") == 15
    assert why_not_declare_korsun(g) is not None


@pytest.mark.rule("korsun44", "13.1.3a", "13.1.3b")
def test_korsun_with_a_railroad_is_not_isolated() -> None:
    g = pocket(roads=(("railroad", row(-12, 0)),))
    why = why_not_declare_korsun(g)
    assert why is not None
    assert why.rule == "13.1.3"


@pytest.mark.rule("korsun44", "14.5.1b")
@pytest.mark.parametrize(("reading", "joins"), [("both", True), ("cut_off", True), ("tracing", False)])
def test_who_is_cut_off_at_the_declaration(reading: str, joins: bool) -> None:
    doc = supply_board(sources={"-12,0": "1PzA"}, korsun="0,0")
    ring = [unit(n, at) for n, at in zip(("180.27A", "206.27A", "337.27A", "4GAbn.40A", "42G.40A", "58.40A"),
            ("2,0", "0,2", "-2,2", "-2,0", "0,-2", "2,-2"), strict=True)]  # fmt: skip
    g = position(*ring, unit("Recon.16Pz", "0,0"), unit(REGIMENT, "-8,0"), on=doc, options={"stemmermann": reading})
    declare_korsun(g)
    assert bool(g.status[u(g, "Recon.16Pz")] & STEMMERMANN) == joins
    assert not g.status[u(g, REGIMENT)] & STEMMERMANN


@pytest.mark.rule("korsun44", "14.5.1.2")
def test_what_sdms_spend_comes_off_the_korsun_track() -> None:
    doc = supply_board(korsun="0,0", roads=ROAD)
    g = isolate(position(unit("SDM1.42K", "2,0"), unit("SDM2.42K", "3,0"), on=doc, turn=6), 5, points=3)
    start(g, MarkerPhase(GERMAN))
    play(g, "pass")
    receive_points(g, GERMAN)
    a, b = u(g, "SDM1.42K"), u(g, "SDM2.42K")
    assert (g.sdm_sp[a], g.sdm_sp[b]) == (3, 3)
    g.set_sp(a, 1)
    assert g.track("korsun_sp") == 1
    assert (g.sdm_sp[a], g.sdm_sp[b]) == (1, 1)


@pytest.mark.rule("korsun44", "14.5.1.2")
def test_korsun_is_a_source_from_the_next_turn_on() -> None:
    doc = supply_board(korsun="0,0", roads=ROAD)
    for turn, ok in ((5, False), (6, True)):
        g = isolate(position(unit("SDM1.42K", "2,0"), on=doc, turn=turn), 5)
        start(g, MarkerPhase(GERMAN))
        play(g, *(["pass"] if g.stack else []))
        assert (g.sdm_at[u(g, "SDM1.42K")] >= 0) == ok
        assert bool(g.sdm_flags[u(g, "SDM1.42K")] & FROM_KORSUN) == ok


@pytest.mark.rule("korsun44", "14.5.1.5")
def test_two_points_come_by_road() -> None:
    g = isolate(pocket(), 5)
    road_to_korsun(g)
    assert g.track("korsun_sp") == 17
    g = isolate(pocket(unit(DIVISION, "-4,0")), 5)
    road_to_korsun(g)
    assert g.track("korsun_sp") == 15


@pytest.mark.rule("korsun44", "14.5.2.1", "14.5.2.1b", "14.5.2.3")
def test_the_airfield_is_captured_and_activated_again() -> None:
    g = isolate(pocket(unit(DIVISION, "0,-1"), turn=8), 5)
    captures(g)
    assert g.track("korsun_active") == 0
    assert g.track("korsun_sp") == 15
    why = why_not_declare_korsun(g)
    assert why is not None
    assert why.rule == "14.5.2"
    assert why_not_allocate_lift(g, 1) is not None
    g.take_off(u(g, DIVISION), 0)
    declare_korsun(g)
    assert g.track("korsun_sp") == 15, "no new points"
    assert g.track("korsun_active") == 8


@pytest.mark.rule("korsun44", "14.5.2.2")
def test_the_town_is_captured_with_its_points() -> None:
    g = isolate(pocket(unit(DIVISION, "0,0"), turn=8), 5)
    captures(g)
    assert g.track("korsun_sp") == 0


@pytest.mark.rule("korsun44", "14.5.3", "8.6.4.3a", "8.6.4.3b", "8.6.4.3c", "8.6.4.3d")
def test_points_of_an_abandoned_korsun_are_kept_in_sdms() -> None:
    doc = supply_board(korsun="0,0", roads=ROAD)
    g = isolate(position(unit("SDM1.42K", "2,0"), unit("SDM2.42K", "9,0"),
                         unit(REGIMENT, "1,0", status=["Stemmermann"]), on=doc, turn=6), 5, points=9)  # fmt: skip
    start(with_points(g, SDM1_42K=2), Abandonment(GERMAN))
    assert g.sdm_sp[u(g, "SDM1.42K")] == 0
    assert refused(g, "store SDM2.42K 1").rule == "8.6.4"
    assert refused(g, "store SDM1.42K 5").rule == "8.6.4"
    play(g, "store SDM1.42K 4")
    assert not g.stack
    assert g.track("korsun_sp") == 0
    assert g.sdm_flags[u(g, "SDM1.42K")] & STORED
    receive_points(g, GERMAN)
    assert g.sdm_sp[u(g, "SDM1.42K")] == 4, "kept until spent"


@pytest.mark.rule("korsun44", "8.6.4.3c")
@pytest.mark.parametrize("word", ["airfield", "depot"])
def test_points_of_an_abandoned_korsun_go_to_the_alternate_airfield_or_depot(word: str) -> None:
    g = isolate(position(on=supply_board(korsun="0,0", roads=ROAD), turn=6), 5, points=9)
    g.set_track(f"{word}_state", 1)
    assert not start(g.copy(), Abandonment(GERMAN)).stack, "it is not completed yet"
    g.set_track(f"{word}_state", 2)
    g.set_track(f"{word}_sp", 1)
    start(g, Abandonment(GERMAN))
    assert refused(g, f"move_stock {word} 10").rule == "8.6.4"
    play(g, f"move_stock {word} 5", "pass")
    assert (g.track(f"{word}_sp"), g.track("korsun_sp")) == (6, 0), "the rest is lost"


# --- 14.6 air supply -----------------------------------------------------------------------------------------------


@pytest.mark.example("korsun44", "E20")
@pytest.mark.example("korsun44", "E21")
@pytest.mark.rule("korsun44", "14.6.c1", "14.6.1a", "14.6.1b", "14.6.2", "14.5.1.3")
def test_five_missions_of_which_two_are_drops() -> None:
    g = start(isolate(pocket(turn=6), 5), AirSupplyStage())
    assert choices(g) == ["pass", "allocate_drops 1", "allocate_drops 2"]
    assert refused(g, "allocate_drops 3").rule == "14.6.1"
    play(g, "allocate_drops 1")
    assert refused(g, "allocate_lift 5").rule == "14.6.2"
    play(g, "allocate_lift 4")
    assert (g.track("uman_drop"), g.track("uman_korsun"), missions_left(g)) == (1, 4, 0)


@pytest.mark.rule("korsun44", "14.5.1.3", "14.5.1.4")
def test_when_korsun_is_supplied_by_air() -> None:
    for turn, allocated in ((5, False), (6, True)):
        g = isolate(pocket(turn=turn), 5)
        assert (why_not_allocate_lift(g, 1) is None) == allocated
    for turn, flown in ((6, False), (7, True)):
        g = isolate(pocket(turn=turn), 5)
        g.set_track("uman_korsun", 4)
        start(g, AirSupplyStage(), dice=[6] if flown else [])
        assert g.track("korsun_sp") == (19 if flown else 15)


@pytest.mark.rule("korsun44", "14.6.3.1", "14.6.3.2a", "14.6.3.2b", "14.6.3.2c", "14.6.3.2d", "14.6.3.3")
def test_the_roll_for_losses() -> None:
    def total(ground: str, *more: dict[str, object]) -> int:
        g = pocket(*more, ground=ground)
        return loss_roll(g, g.ground.airfield, 3).total

    flak = [unit("Flak.42K", "0,-2"), unit("Flak.11K", "1,-1")]
    some = [unit(n, at) for n, at in (("gun.27A", "2,-1"), ("gun.40A", "-2,0"), ("gun.4GA", "-1,1"))]
    assert total("Frozen") == 3
    assert total("Frozen", *flak) == 5
    assert total("Mud") == 2
    assert total("Frozen", *some[:2]) == 2
    assert total("Frozen", *some) == 1
    out = [{**s, "status": ["OOS1"]} for s in some]
    assert total("Frozen", *out) == 3


@pytest.mark.rule("korsun44", "14.6.3.4", "14.6.3.5", "14.6.3.6")
@pytest.mark.parametrize(
    ("points", "allocated", "die", "after"), [(5, 5, 1, 7), (5, 5, 6, 10), (18, 5, 6, 20), (5, 2, 1, 5)]
)
def test_losses_are_taken_off_and_the_track_has_an_end(points: int, allocated: int, die: int, after: int) -> None:
    g = isolate(pocket(turn=8), 5, points=points)
    g.set_track("uman_korsun", allocated)
    start(g, AirSupplyStage(), dice=[die])
    assert g.track("korsun_sp") == after
    assert g.track("uman_korsun") == 0


@pytest.mark.rule("korsun44", "14.5.2.2", "14.5.2.3")
def test_nothing_is_flown_while_the_soviets_hold_the_town() -> None:
    for held in (True, False):
        g = isolate(pocket(turn=9), 5)
        if held:
            g.put(u(g, "180.27A"), g.ground.korsun)
            g.steps[u(g, "180.27A")] = 6
            g.changed()
        g.set_track("uman_korsun", 4)
        start(g, AirSupplyStage(), dice=[] if held else [6])
        assert g.track("korsun_sp") == (15 if held else 19)
        assert g.track("uman_korsun") == 0


@pytest.mark.rule("korsun44", "14.5.2.1")
def test_nothing_is_flown_to_a_captured_airfield() -> None:
    g = isolate(pocket(unit(DIVISION, "0,-1"), turn=8), 5)
    g.set_track("uman_korsun", 5)
    start(g, AirSupplyStage())
    assert g.track("korsun_sp") == 15
    assert "holds the airfield" in told(g)


@pytest.mark.rule("korsun44", "14.6a", "14.6.4.1", "14.6.4.2", "14.6.4.3", "14.6.4.4a", "14.6.4.5", "14.6.4.6")
@pytest.mark.parametrize(("die", "points"), [(1, 0), (3, 1), (6, 2)])
def test_a_drop_to_an_sdm(die: int, points: int) -> None:
    g = pocket(unit("SDM1.42K", "2,0"))
    g.set_track("uman_drop", 1)
    start(g, AirSupplyStage())
    play(g, "drop_to SDM1.42K", dice=[die])
    assert g.sdm_sp[u(g, "SDM1.42K")] == points
    assert g.track("uman_drop") == 0


@pytest.mark.rule("korsun44", "14.6.4.1", "14.6.4.4b", "14.6.4.4c", "13.4.2")
def test_a_drop_on_a_hex_supplies_units_in_it_and_beside_it() -> None:
    g = pocket(
        unit(REGIMENT, "3,0", status=["OOS2"]), unit(GUN, "3,1", status=["OOS1", "back", "out_of_ammo"]),
        unit("246.88ID", "6,0", status=["OOS1"]), unit("248.88ID", "3,-1"),
    )  # fmt: skip
    start(g, AirDrops(GERMAN, 1))
    assert refused(g, "drop_on 3,-1").rule == "14.6"
    play(g, "drop_on 3,0", dice=[4])
    assert refused(g, "supply 246.88ID").rule == "14.6.4"
    play(g, f"supply {REGIMENT}", f"supply {GUN}")
    assert not g.status[u(g, REGIMENT)] & (OOS1 | OOS2)
    assert not g.status[u(g, GUN)] & (OUT | BACK | OUT_OF_AMMO | DISORGANIZED)
    assert g.status[u(g, "246.88ID")] & OOS1


@pytest.mark.rule("korsun44", "14.6.4.4a", "14.5.1.2")
@pytest.mark.parametrize(("korsun", "spent", "left"), [(5, 1, 5), (5, 2, 5), (5, 3, 4), (0, 1, 0), (0, 2, 0)])
def test_points_dropped_to_an_sdm_cost_korsun_nothing(korsun: int, spent: int, left: int) -> None:
    g = pocket(unit("SDM1.42K", "2,0"))
    s = u(g, "SDM1.42K")
    g.set_track("korsun_sp", korsun)
    g.sdm_flags[s] |= FROM_KORSUN
    g.sdm_sp[s] = min(4, korsun)
    start(g, AirDrops(GERMAN, 1))
    play(g, "drop_to SDM1.42K", dice=[6])
    have = g.sdm_sp[s]
    assert have == min(4, korsun) + 2
    for n in range(spent):
        g.set_sp(s, have - n - 1)
    assert g.sdm_sp[s] == have - spent
    assert g.track("korsun_sp") == left


@pytest.mark.rule("korsun44", "8.6.4.3d")
def test_stored_points_are_spent_one_by_one_in_later_turns() -> None:
    g = pocket(unit("SDM1.42K", "2,0"))
    s = u(g, "SDM1.42K")
    g.set_track("korsun_abandoned", g.turn - 1)
    g.set_track("korsun_sp", 0)
    g.sdm_sp[s], g.sdm_flags[s] = 3, STORED
    for left in (2, 1):
        start(g, MarkerPhase(GERMAN))
        play(g, "pass")
        receive_points(g, GERMAN)
        assert g.sdm_sp[s] == left + 1
        g.set_sp(s, left)
        assert g.sdm_sp[s] == left


@pytest.mark.rule("korsun44", "14.5.1.2")
@pytest.mark.parametrize(("declared", "left"), [(1, 14), (0, 15)])
def test_an_sdm_of_a_position_draws_on_korsun_if_it_traces_there(declared: int, left: int) -> None:
    doc = supply_board(korsun="0,0", sources={"-12,0": "1PzA"}, roads=(("secondary", row(0, 3)),))
    g = position(
        unit("SDM1.42K", "3,0", sp=4), on=doc, turn=5,
        tracks={"korsun_declared": declared, "korsun_active": declared, "korsun_sp": 15},
    )  # fmt: skip
    g.set_sp(u(g, "SDM1.42K"), 3)
    assert g.track("korsun_sp") == left


@pytest.mark.rule("korsun44", "8.6.4.3d")
def test_a_stored_sdm_of_a_position_spends_its_own_points() -> None:
    doc = supply_board(korsun="0,0", sources={"-12,0": "1PzA"}, roads=(("secondary", row(0, 3)),))
    tracks = {"korsun_declared": 1, "korsun_active": 0, "korsun_abandoned": 3}
    g = position(unit("SDM1.42K", "3,0", sp=3, status=["stored"]), on=doc, turn=5, tracks=tracks)
    for left in (2, 1, 0):
        g.set_sp(u(g, "SDM1.42K"), left)
        assert g.sdm_sp[u(g, "SDM1.42K")] == left


@pytest.mark.rule("korsun44", "12.10.5c", "14.4.1r2", "14.4.1r1", "8.6.2a")
@pytest.mark.parametrize(("size", "dbs", "regiment"), [("regiment", 0, True), ("battalion", 1, True),
                                                       ("battalion", 0, False)])  # fmt: skip
def test_a_german_gun_regiment_fires_out_of_ammunition(size: str, dbs: int, regiment: bool) -> None:
    """By its size, or by the DBS on its back that only a regiment has."""
    gun = unit("gun", "0,0", side="german", type="artillery", faces="3", size=size, obs=2, dbs=1, back_dbs=dbs, range=2)
    g = position(gun)
    flip(g, u(g, "gun"), True)
    assert bool(g.status[u(g, "gun")] & OUT_OF_AMMO) == regiment
    assert g.status[u(g, "gun")] & BACK


@pytest.mark.rule("korsun44", "14.4a")
def test_who_is_not_resupplied() -> None:
    g = position(unit(REGIMENT, "0,0"), unit(GUN, "1,0"), unit("gun.27A", "3,0", status=["back"]))
    for name, told_ in ((REGIMENT, "no artillery of yours"), ("gun.27A", "no artillery of yours"), (GUN, "ammunition")):
        why = why_not_resupply(g, GERMAN, u(g, name), 1)
        assert why is not None
        assert told_ in why.reason


@pytest.mark.rule("korsun44", "14.7a", "14.7b")
def test_extended_supply_serves_its_own_command_out_of_supply_alone() -> None:
    doc = supply_board(sources={"-12,0": "1PzA"}, roads=(("secondary", row(-12, 0)),))
    g = position(
        unit("SDM1.42K", "0,0", sp=1), unit("245.88ID", "8,0", status=["OOS1"]), unit("246.88ID", "8,0"),
        unit("Pio.7K", "8,0", status=["OOS1"]), unit("248.88ID", "9,0", status=["OOS2"]), on=doc,
    )  # fmt: skip
    assert [g.id(v) for v in extended_units(g, u(g, "SDM1.42K"), h(g, "8,0"))] == ["245.88ID"]
    assert extensions(g, GERMAN) == [(u(g, "SDM1.42K"), h(g, "8,0")), (u(g, "SDM1.42K"), h(g, "9,0"))]
    extend_supply(g, u(g, "SDM1.42K"), extended_units(g, u(g, "SDM1.42K"), h(g, "9,0")))
    assert not g.status[u(g, "248.88ID")] & OUT
    assert g.status[u(g, "245.88ID")] & OUT
    assert g.sdm_sp[u(g, "SDM1.42K")] == 0
