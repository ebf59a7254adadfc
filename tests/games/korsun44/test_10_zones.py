"""10.0 Zones of Control and Zones of Influence."""

from __future__ import annotations

import pytest

from kessel.core.breakdown import Refusal
from kessel.games.korsun44.board import DISORGANIZED, GERMAN, REGROUP, SOVIET, Board
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.movement.costs import TACTICAL
from kessel.games.korsun44.movement.movement import reach_of
from kessel.games.korsun44.movement.search import Party, Step, rules_of, step_of
from kessel.games.korsun44.movement.zones import river_zoc_of, zoc_of, zoi_of, zone_of, zone_word

from .helpers import board, h, moving, names, play, position, u, unit

REGIMENT, REGIMENT2 = "245.88ID", "246.88ID"
DIVISION = "180.27A"
RING = {"0,-1", "1,-1", "1,0", "0,1", "-1,1", "-1,0"}


def cost(g: Board, name: str, to: str) -> float:
    return reach_of(g, u(g, name)).cost[h(g, to)] / POINT


def straight(g: Board, to: str, *units: str) -> Step | Refusal:
    """The one step of these units into a hex beside them; ways round are not looked at."""
    who = tuple(sorted(u(g, x) for x in units))
    party = Party(g.forces.side[who[0]], who, TACTICAL, 5 * POINT, (0,) * len(who), True)
    here, there = g.place[who[0]], h(g, to)
    return step_of(g, party, rules_of(g, party), here, g.map.grid.direction(here, there), there, first=True)


@pytest.mark.rule("korsun44", "10.0", "10.1.1a", "10.1.1b")
@pytest.mark.parametrize(("steps", "word"), [(4, "ZOC"), (3, "ZOC"), (2, "ZOI"), (1, "ZOI")])
def test_three_infantry_steps_make_a_zoc(steps: int, word: str) -> None:
    g = position(unit(REGIMENT, "0,0", steps=steps))
    assert {zone_word(g, GERMAN, h(g, x)) for x in RING} == {word}
    assert names(g, zone_of(g, GERMAN)) == RING
    assert zone_word(g, GERMAN, h(g, "0,0")) == ""


@pytest.mark.rule("korsun44", "10.1.1a")
def test_the_steps_of_a_stack_are_added() -> None:
    g = position(unit(REGIMENT, "0,0", steps=2), unit("Fus.88ID", "0,0", steps=1))
    assert names(g, zoc_of(g, GERMAN)) == RING


@pytest.mark.rule("korsun44", "10.1.2")
def test_armor_guns_and_unarmed_units_never_add_to_a_zoc() -> None:
    g = position(unit("II-2.16Pz", "0,0"), unit("Flak.16Pz", "0,0"), unit("Art16.16Pz", "0,0"))
    assert zoc_of(g, GERMAN) == 0
    assert names(g, zoi_of(g, GERMAN)) == RING
    g = position(unit(REGIMENT, "0,0", steps=2), unit("Kbr.42K", "0,0"))
    assert zoc_of(g, GERMAN) == 0


@pytest.mark.rule("korsun44", "10.1.3", "4.8.2b")
def test_alarm_units_and_sdms_have_no_zone() -> None:
    g = position(unit("Alarm1", "0,0"), unit("SDM1.42K", "0,0"))
    assert zone_of(g, GERMAN) == 0


@pytest.mark.rule("korsun44", "12.17.2.12")
@pytest.mark.parametrize("flag", [DISORGANIZED, REGROUP])
def test_disorder_turns_a_zoc_into_a_zoi(flag: int) -> None:
    g = position(unit(REGIMENT, "0,0"))
    g.set_status(u(g, REGIMENT), flag)
    assert zoc_of(g, GERMAN) == 0
    assert names(g, zoi_of(g, GERMAN)) == RING


@pytest.mark.rule("korsun44", "10.6.1a", "10.6.1b")
def test_zones_go_out_of_towns_and_forests_but_not_into_them() -> None:
    g = position(unit(REGIMENT, "0,0"), on=board(terrain={"0,0": "town", "1,0": "town", "0,1": "forest"}))
    assert names(g, zoc_of(g, GERMAN)) == RING - {"1,0", "0,1"}


@pytest.mark.rule("korsun44", "10.6.2", "10.6.3a")
@pytest.mark.parametrize("water", ["river", "lake"])
def test_zones_do_not_cross_rivers_and_lakes(water: str) -> None:
    g = position(unit(REGIMENT, "0,0"), on=board(sides={"0,0|1,0": water}))
    assert names(g, zoc_of(g, GERMAN)) == RING - {"1,0"}


def test_zones_cross_streams_and_swamps() -> None:
    g = position(unit(REGIMENT, "0,0"), on=board(sides={"0,0|1,0": "stream", "0,0|0,1": "swamp"}))
    assert names(g, zoc_of(g, GERMAN)) == RING


# --- movement ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "10.2a", "9.10.1")
def test_entering_and_leaving_zones_costs_points_beside_the_terrain() -> None:
    # a foot unit: clear 1, enter ZOC 1, leave ZOC 1; ZOI nothing
    g = position(unit(DIVISION, "-2,0"), unit(REGIMENT, "0,0"))
    assert cost(g, DIVISION, "-1,0") == 2
    g = position(unit(DIVISION, "-1,0"), unit(REGIMENT, "0,0"))
    assert cost(g, DIVISION, "-2,0") == 2
    # motorized: clear 2, enter ZOC 2; ZOI 1 in and 1 out
    g = position(unit("79.16Pz", "-2,0"), unit(DIVISION, "0,0"))
    assert cost(g, "79.16Pz", "-1,0") == 4
    g = position(unit("79.16Pz", "-2,0"), unit(DIVISION, "0,0", steps=2))
    assert cost(g, "79.16Pz", "-1,0") == 3
    g = position(unit("79.16Pz", "-1,0"), unit(DIVISION, "0,0", steps=2))
    assert cost(g, "79.16Pz", "-2,0") == 3


@pytest.mark.rule("korsun44", "10.5.1a", "10.5.1b")
def test_a_zoc_comes_before_a_zoi_and_nothing_adds_up() -> None:
    g = position(
        unit(DIVISION, "-2,0"), unit(REGIMENT, "0,0"), unit(REGIMENT2, "-1,1"), unit("Fus.88ID", "0,-1")
    )  # -1,0 is next to all three
    assert cost(g, DIVISION, "-1,0") == 2


@pytest.mark.rule("korsun44", "10.5.2")
def test_own_zones_do_not_take_away_enemy_ones() -> None:
    g = position(unit(DIVISION, "-2,0"), unit("206.27A", "-1,-1"), unit(REGIMENT, "0,0"))
    assert cost(g, DIVISION, "-1,0") == 2


@pytest.mark.rule("korsun44", "10.3", "10.3.1.4")
def test_soviet_infantry_halts_in_a_zoc_and_does_not_go_from_one_to_another() -> None:
    g = position(unit(DIVISION, "-1,0"), unit(REGIMENT, "0,0"), phase="soviet_movement")
    assert straight(g, "0,-1", DIVISION) == Refusal(
        "10.3.1", f"{DIVISION} may not move from ZOC to ZOC and halts where it enters one"
    )
    play(moving(g), f"move {DIVISION}", "to -2,0")  # out of the ZOC it may go (Q05)
    assert g.place[u(g, DIVISION)] == h(g, "-2,0")
    g = position(unit(DIVISION, "-2,1"), unit(REGIMENT, "0,0"), phase="soviet_movement")
    play(moving(g), f"move {DIVISION}", "to -1,1")
    assert not [p for p in g.stack if type(p).__name__ == "Move"]  # it had to halt


@pytest.mark.rule("korsun44", "10.3.1.1")
def test_a_star_brigade_goes_from_zoc_to_zoc() -> None:
    g = position(unit("110.18TkC", "-1,0"), unit(REGIMENT, "0,0"))
    assert cost(g, "110.18TkC", "-1,1") == 2 + 1 + 2  # clear, leave and enter for armor
    g = position(unit("110.18TkC", "-1,0", steps=1), unit(REGIMENT, "0,0"))
    assert isinstance(straight(g, "-1,1", "110.18TkC"), Refusal)


@pytest.mark.rule("korsun44", "10.3.1.2")
@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("32.18TkC", True),
        ("78mc.18TkC", True),
        ("1438.18TkC", True),
        ("736AT.18TkC", False),
        ("292mortar.18TkC", False),
    ],
)
def test_motorized_infantry_recon_and_assault_guns_go_with_the_brigade(name: str, may: bool) -> None:
    g = position(unit("110.18TkC", "-1,0"), unit(name, "-1,0"), unit(REGIMENT, "0,0"), phase="soviet_movement")
    assert isinstance(straight(g, "0,-1", name), Refusal)
    assert isinstance(straight(g, "0,-1", name, "110.18TkC"), Step) == may
    if may:
        play(moving(g), f"move {name}", "join 110.18TkC", "to 0,-1")
        assert g.place[u(g, name)] == g.place[u(g, "110.18TkC")] == h(g, "0,-1")


@pytest.mark.rule("korsun44", "10.3.1.3", "4.5.4b")
def test_a_cavalry_division_goes_with_its_shermans() -> None:
    g = position(unit("11Gcav.5GCC", "-1,0"), unit("11GM4.5GCC", "-1,0"), unit(REGIMENT, "0,0"))
    assert isinstance(straight(g, "-1,1", "11Gcav.5GCC", "11GM4.5GCC"), Step)
    assert isinstance(straight(g, "-1,1", "11Gcav.5GCC"), Refusal)


@pytest.mark.rule("korsun44", "10.3.1.2", "11.0.s1c")
@pytest.mark.parametrize(("army", "corps", "may"), [("6TkA", "", True), ("27A", "", False), ("6TkA", "5MC", False)])
def test_an_assault_gun_of_the_army_goes_beside_a_brigade_it_may_stack_with(army: str, corps: str, may: bool) -> None:
    guns = unit("guns", "-1,0", side="soviet", type="SU-76", faces="4 2", size="regiment", front="1Uk", army=army,
                corps=corps)  # fmt: skip
    g = position(guns, unit("20G.5GTkC", "-1,0"), unit(REGIMENT, "0,0"))
    assert isinstance(straight(g, "-1,1", "guns", "20G.5GTkC"), Step if may else Refusal)


@pytest.mark.rule("korsun44", "10.3.2.1a")
def test_german_armor_goes_from_zoc_to_zoc_freely() -> None:
    g = position(unit("II-2.16Pz", "-1,0"), unit(DIVISION, "0,0"), phase="german_movement")
    play(moving(g), "move II-2.16Pz", "to -1,1", "halt")
    assert not g.status[u(g, "II-2.16Pz")] & REGROUP


@pytest.mark.rule("korsun44", "10.3.2.1b", "10.3.2.1c", "10.3.2.2a")
@pytest.mark.parametrize(
    ("name", "friend", "regroups"),
    [
        ("64.16Pz", "II-2.16Pz", False),
        ("Recon.16Pz", "II-2.16Pz", False),
        ("64.16Pz", "", True),
        (REGIMENT, "", True),
        (REGIMENT, "StuG239.42K", True),
        ("Pio.16Pz", "II-2.16Pz", False),
        ("Pio.16Pz", "", True),
    ],
)
def test_german_infantry_regroups_after_zoc_to_zoc(name: str, friend: str, regroups: bool) -> None:
    units = [unit(name, "-1,0"), unit(DIVISION, "0,0")] + ([unit(friend, "-1,0")] if friend else [])
    g = position(*units, phase="german_movement")
    play(moving(g), f"move {name}", *([f"join {friend}"] if friend else []), "to -1,1", "halt")
    assert bool(g.status[u(g, name)] & REGROUP) == regroups
    if friend:
        assert not g.status[u(g, friend)] & REGROUP


@pytest.mark.rule("korsun44", "10.3.2.2b")
def test_a_disorganized_german_stays_so() -> None:
    g = position(unit(REGIMENT, "-1,0", status="disorganized"), unit(DIVISION, "0,0"), phase="german_movement")
    play(moving(g), f"move {REGIMENT}", "to -1,1", "halt")
    assert g.status[u(g, REGIMENT)] & (DISORGANIZED | REGROUP) == DISORGANIZED


@pytest.mark.rule("korsun44", "10.3.2.3")
@pytest.mark.parametrize("name", ["Art188.88ID", "Flak.42K", "Kbr.42K"])
def test_german_guns_and_unarmed_units_do_not_go_from_zoc_to_zoc(name: str) -> None:
    g = position(unit(name, "-1,0"), unit(REGIMENT, "-1,1"), unit(DIVISION, "0,0"))
    found = straight(g, "-1,1", name)
    assert isinstance(found, Refusal)
    assert found.rule == "10.3.2"


@pytest.mark.rule("korsun44", "10.4")
def test_all_go_from_zoc_to_zoi_and_from_zoi_to_zoc() -> None:
    # -1,0 lies in the ZOC of 0,0; -1,1 in the ZOI of -2,2 and the ZOC; so use hexes apart
    g = position(unit(DIVISION, "0,-1"), unit(REGIMENT, "1,-1"), unit("Fus.88ID", "-2,1"))
    found = reach_of(g, u(g, DIVISION))
    assert h(g, "-1,0") in found  # ZOI alone
    g = position(unit(DIVISION, "-1,0"), unit(REGIMENT, "1,-1"), unit("Fus.88ID", "-2,1"))
    assert h(g, "0,-1") in reach_of(g, u(g, DIVISION))


# --- rivers --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "10.6.2.1", "10.6.2.4")
def test_who_moves_over_a_river_leaves_a_zoc_of_those_on_the_other_bank() -> None:
    # the river runs between 0,0 and 1,0 and between 0,0 and 1,-1; a bridge leads to 1,0; the enemy stands in 1,-1
    on = board(sides={"0,0|1,0": "river", "0,0|1,-1": "river"}, roads=[("secondary", "0,0 1,0")])
    g = position(unit("Fus.88ID", "0,0"), unit(DIVISION, "1,-1", steps=2), on=on)
    assert names(g, river_zoc_of(g, SOVIET)) == {"0,0"}
    assert zone_word(g, SOVIET, h(g, "0,0")) == ""
    # a ZOI of two steps, but over the river a ZOC: leave 1, road 1, enter ZOI 0
    assert cost(g, "Fus.88ID", "1,0") == 2
    assert cost(g, "Fus.88ID", "-1,0") == 1


@pytest.mark.rule("korsun44", "10.6.2.1")
def test_a_soviet_division_does_not_cross_a_bridge_into_a_zoc_against_a_defended_bank() -> None:
    on = board(sides={"0,0|1,0": "river", "0,0|1,-1": "river"}, roads=[("secondary", "0,0 1,0")])
    g = position(unit(DIVISION, "0,0"), unit(REGIMENT, "1,-1"), on=on)
    found = straight(g, "1,0", DIVISION)
    assert isinstance(found, Refusal)
    assert found.rule == "10.3.1"
    g = position(unit(DIVISION, "0,0"), unit(REGIMENT, "2,-1"), on=on)  # nobody across the river from 0,0
    assert isinstance(straight(g, "1,0", DIVISION), Step)
