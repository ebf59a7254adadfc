"""9.1 Soviet front and army objectives."""

from __future__ import annotations

import pytest

from kessel.core.game import Game
from kessel.core.procedure import run
from kessel.games.kharkov43.board import NOT_PLACED, OBJECTIVES, REMOVED
from kessel.games.kharkov43.movement.arrival import enter_hex
from kessel.games.kharkov43.movement.movement import move_unit, reach_of
from kessel.games.kharkov43.sequence import SupplyPhase, end_turn
from kessel.games.kharkov43.supply.support import limit_of
from kessel.games.kharkov43.system.objective_markers import remove_objective, stage_of
from kessel.games.kharkov43.system.objectives import (
    check_in_supply_phase,
    check_objective,
    check_third_objectives,
    new_objective,
    place_army_objectives,
    why_relocated,
)
from kessel.games.kharkov43.system.soviet_activation import SovietActivation
from kessel.games.kharkov43.system.soviet_movement import must_use_methods_a

from .helpers import PACK, german, hx, panzer, position, soviet, unit
from .soviet_helpers import activate, active, arena, objective, shown, southwest, voronezh, with_dice

rule = pytest.mark.rule
example = pytest.mark.example


def printed(*units, **doc):
    """On the printed map."""
    return position(board="", units=list(units), **doc)


@rule("kharkov43", "9.1a")
def test_each_front_has_one_marker():
    assert OBJECTIVES[:2] == ("Voronezh", "Southwest")
    g = printed(objectives=voronezh("1009") | southwest("1608"))
    assert g.hex_name(g.objective_of("Voronezh")) == "1009"
    assert g.hex_name(g.objective_of("Southwest")) == "1608"


# --- 9.11 ------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.11b")
@rule("kharkov43", "9.11c")
@rule("kharkov43", "9.11d")
def test_when_a_front_marker_is_relocated():
    def why(*units, front="Southwest"):
        g = position(board=arena(), objectives=southwest("1910") | voronezh("1515"), units=list(units))
        found = why_relocated(g, front)
        return found and found.reason

    assert why(soviet("S", "1910")) == "S is in 1910"
    assert why(soviet("S", "1911"), german("G", "1910")) == "S is beside German-occupied 1910"
    assert why(soviet("S", "1912"), german("G", "1910")) is None, "not beside it"
    assert why(soviet("S", "1914")) == "S is proximate to unoccupied 1910"
    assert why(soviet("S", "1915")) is None, "five hexes away"
    assert why(soviet("S", "1911", army="3T")) is None, "a unit of the other front"
    assert why(soviet("S", "1914"), soviet("T", "1910", army="3T")) is None, "1910 is occupied, by the other front"


@rule("kharkov43", "9.11a")
def test_the_marker_of_the_active_front_is_checked_at_every_activation_by_active_and_inactive_units():
    g = printed(
        soviet("S", "1608", army="1G"), active("A", "1501", army="6"), objectives=southwest("1608") | voronezh("1009")
    )
    check_objective(with_dice(g, 3), "Southwest")
    assert g.hex_name(g.objective_of("Southwest")) == "2015"
    assert g.hex_name(g.objective_of("Voronezh")) == "1009", "the other front's marker is left alone"


SECOND = PACK.table("second_objective")
THIRD = PACK.table("third_objective")
DICE = {"1-6": range(1, 7), "7-9": range(7, 10), "10": (10,)}


@rule("kharkov43", "9.11e")
@pytest.mark.parametrize("row", SECOND.rows)
def test_first_to_second_objective(row):
    front = "Voronezh" if row in ("1009", "0608", "1311") else "Southwest"
    g = printed(objectives={front: objective(row)})
    for column, dice in DICE.items():
        for die in dice:
            assert new_objective(g, front, die) == SECOND.at(row, column)


@rule("kharkov43", "9.11f")
@pytest.mark.parametrize("row", THIRD.rows)
def test_second_to_third_objective(row):
    front = "Voronezh" if row in ("1116", "0912", "0614", "1615") else "Southwest"
    g = printed(objectives={front: objective(row, stage=2)})
    for column, dice in DICE.items():
        for die in dice:
            assert new_objective(g, front, die) == THIRD.at(row, column)


@rule("kharkov43", "9.11e")
@rule("kharkov43", "9.11f")
def test_stated_cells_of_the_tables():
    """Chuguev 1-6: Valki W; Zmiyev 10: Kharkov S; 1410 7-9: Lozovaya W; 0614 10: 0821 S; 2809 10: 3314 W."""
    assert (SECOND.at("1009", "1-6"), SECOND.at("1311", "10"), SECOND.at("1410", "7-9")) == (
        "1116 W",
        "0912 S",
        "1910 W",
    )
    assert (THIRD.at("0614", "10"), THIRD.at("2809", "10"), THIRD.at("1615", "10")) == ("0821 S", "3314 W", "1421 W")


@rule("kharkov43", "9.11g")
def test_the_marker_shows_the_direction_of_the_table():
    g = printed(soviet("S", "1410", army="6"), objectives=southwest("1410", facing="west"))
    check_objective(with_dice(g, 1), "Southwest")
    i = OBJECTIVES.index("Southwest")
    assert (g.hex_name(g.objective[i]), g.facing[i], g.stage[i]) == ("2214", 2, 2), "2214 S"
    g = printed(soviet("S", "1410", army="6"), objectives=southwest("1410", facing="south"))
    check_objective(with_dice(g, 8), "Southwest")
    assert (g.hex_name(g.objective[i]), g.facing[i]) == ("1910", 1), "Lozovaya W"


@rule("kharkov43", "9.11a")
def test_a_marker_is_relocated_once_in_an_activation_at_most():
    """Lozovaya, the new hex, is occupied as well."""
    g = printed(soviet("S", "1410", army="6"), soviet("T", "1910", army="6"), objectives=southwest("1410"))
    check_objective(with_dice(g, 7), "Southwest")
    assert g.hex_name(g.objective_of("Southwest")) == "1910"
    assert stage_of(g, "Southwest") == 2


@rule("kharkov43", "9.11e")
@pytest.mark.parametrize(("option", "hex"), [("1311", "1311"), ("1210", "1210")])
def test_the_row_of_zmiyev_whatever_the_reading(option, hex):
    g = printed(objectives=voronezh(hex), options={"zmiyev_objective": option})
    assert new_objective(g, "Voronezh", 1) == "1116 W"


# --- 9.12 ------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.12a")
def test_from_the_third_hex_there_is_no_relocation():
    g = printed(soviet("S", "1421", army="3T"), objectives=voronezh("1421", stage=3), soviet_towns="1421")
    check_objective(with_dice(g), "Voronezh")
    assert g.hex_name(g.objective_of("Voronezh")) == "1421"


@rule("kharkov43", "9.12a")
@pytest.mark.parametrize(("stage", "relocated"), [(1, True), (2, True), (3, False)])
def test_a_marker_in_its_third_hex_is_not_relocated(stage, relocated):
    g = position(board=arena(**OPEN), turn=3, objectives=southwest("1910", stage=stage), units=[soviet("A", "1910")])
    assert (why_relocated(g, "Southwest") is not None) is relocated


@rule("kharkov43", "9.12b")
@pytest.mark.parametrize("army", ["3T", "6"])
def test_the_marker_goes_at_the_end_of_an_activation_in_which_a_unit_enters_the_third_hex(army):
    """A Soviet unit of either front."""
    g = printed(soviet("S", "1420", army=army), objectives=voronezh("1421", stage=3))
    move_unit(g, unit(g, "S"), hx(g, "1421"))
    assert g.has_objective("Voronezh"), "not before the end"
    check_third_objectives(g)
    assert not g.has_objective("Voronezh")
    g = printed(soviet("S", "1421", army=army), objectives=voronezh("1421", stage=3))
    check_third_objectives(g)
    assert g.has_objective("Voronezh"), "nobody entered it in this activation"
    g = printed(soviet("S", "1117", army=army), objectives=voronezh("1116", stage=2))
    move_unit(g, unit(g, "S"), hx(g, "1116"))
    check_third_objectives(g)
    assert g.has_objective("Voronezh"), "not its third hex"


@rule("kharkov43", "9.12b")
def test_a_unit_that_entered_the_third_hex_need_not_be_there_at_the_end():
    """It may have advanced from it, or have been removed to the reserve (9.6)."""
    g = printed(soviet("S", "1220", army="3T"), objectives=voronezh("1221", facing="south", stage=3))
    for to in ("1221", "1321"):
        move_unit(g, unit(g, "S"), hx(g, to))
    check_third_objectives(g)
    assert not g.has_objective("Voronezh")


@rule("kharkov43", "9.12b")
def test_what_entered_the_third_hex_before_the_activation_does_not_count():
    """A Soviet unit that retreats into it in a German impulse does not remove the marker."""
    ground = arena(terrain={"1910": "town"}, features={"1910": "target_southwest"})
    units = [soviet("S", "1911", "3-4-05", army="3T"), active("A", "2107", "3-4-06", status=["dispersed"])]
    g = position(board=ground, turn=5, objectives=southwest("1910", stage=3), units=units, cards={"command": "E10"})
    move_unit(g, unit(g, "S"), hx(g, "1910"))
    g.stack = [SovietActivation(g.charts.card_index("E10"), "Southwest", ("6",))]
    run(g)
    assert g.has_objective("Southwest")


@rule("kharkov43", "9.12b")
def test_the_whole_activation_removes_the_marker_of_the_third_hex():
    ground = arena(terrain={"1910": "town"}, features={"1910": "target_southwest"})
    g = position(
        board=ground,
        turn=5,
        objectives=southwest("1910", stage=3),
        units=[active("A", "1907")],
        cards={"command": "E10"},
    )
    g.stack = [SovietActivation(g.charts.card_index("E10"), "Southwest", ("6",))]
    run(g)
    assert g.hex_name(g.place[unit(g, "A")]) == "1910"
    assert stage_of(g, "Southwest") == REMOVED


@rule("kharkov43", "9.12c")
def test_in_the_supply_phase_of_turn_7_a_marker_without_a_unit_in_reserve_supply_beside_it_goes():
    def stays(turn, *units, **doc):
        g = position(board=arena(), turn=turn, objectives=southwest("1910", stage=2), units=list(units), **doc)
        g.stack = [SupplyPhase()]
        run(g)
        return g.has_objective("Southwest")

    assert stays(7, soviet("S", "1909"))
    assert stays(7, soviet("S", "1909", army="3T")), "a Soviet unit of any front"
    assert not stays(7, soviet("S", "1908")), "not adjacent"
    assert not stays(7)
    assert stays(6), "only on turn 7"
    ring = [german("G", "1809"), german("H", "2009"), german("I", "1808"), german("J", "2008")]
    assert not stays(7, soviet("S", "1909"), *ring), "no reserve supply"


@rule("kharkov43", "9.12c")
@pytest.mark.parametrize(("at", "kept"), [("1910", True), ("1909", True), ("1908", False), ("1810", True)])
def test_on_game_turn_7_a_marker_needs_a_unit_in_or_beside_its_hex(at, kept):
    g = position(board=arena(), turn=7, objectives=southwest("1910", stage=3), units=[soviet("A", at)])
    check_in_supply_phase(g)
    assert g.has_objective("Southwest") is kept


@rule("kharkov43", "4.IIIf")
def test_the_check_is_the_last_step_of_the_supply_phase():
    assert SupplyPhase.steps[-1].name == "objective_markers"
    g = position(board=arena(), turn=7, objectives=southwest("1910"))
    check_in_supply_phase(g)
    assert not g.has_objective("Southwest")


@rule("kharkov43", "9.12d")
def test_at_the_end_of_turn_7_both_front_markers_go():
    for turn, there in ((6, True), (7, False)):
        g = position(
            board=arena(), turn=turn, objectives=southwest("1910") | voronezh("1515"), units=[soviet("S", "1909")]
        )
        end_turn(g)
        assert [g.has_objective(f) for f in ("Voronezh", "Southwest")] == [there, there]


@rule("kharkov43", "9.12e")
@rule("kharkov43", "9.12f")
def test_from_its_removal_the_front_has_the_operational_limit_and_the_methods_of_9_22():
    zone = " ".join(f"{r}06-{r}08" for r in range(15, 23))
    ground = arena(areas={"far_limit_zone": zone, "west_support_zone": zone})
    g = position(board=ground, turn=6, vp=30, objectives=southwest("1910") | voronezh("1515"))
    assert limit_of(g, "Southwest") == g.ground.all
    assert must_use_methods_a(g, "Southwest")
    remove_objective(g, "Southwest", "test", "9.12")
    assert limit_of(g, "Southwest") == g.ground.far_zone
    assert not must_use_methods_a(g, "Southwest")
    assert limit_of(g, "Voronezh") == g.ground.all, "the other front is not concerned"
    assert must_use_methods_a(g, "Voronezh")


# --- 9.13 ------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.13a")
def test_the_army_marker_is_placed_upon_the_first_activation():
    g = printed(objectives=voronezh("1009") | southwest("1608"))
    assert [stage_of(g, a) for a in ("40", "1G")] == [NOT_PLACED, NOT_PLACED]
    place_army_objectives(g, ("3T",))
    assert [g.has_objective(a) for a in ("40", "1G")] == [False, False]
    place_army_objectives(g, ("40",))
    assert g.hex_name(g.objective_of("40")) == "0311"
    place_army_objectives(g, ("1G",))
    assert g.hex_name(g.objective_of("1G")) == "2102"
    enter_hex_of(g, "40")
    place_army_objectives(g, ("40",))
    assert g.hex_name(g.objective_of("40")) == "1012", "only the first time"


def enter_hex_of(g, army):
    """Some Soviet unit enters the marker's hex."""
    from kessel.games.kharkov43.system.objective_markers import reach_army_objectives

    reach_army_objectives(g, g.objective_of(army))


@rule("kharkov43", "9.13b")
@rule("kharkov43", "9.13c")
@rule("kharkov43", "9.13d")
@example("kharkov43", "X12")
def test_the_marker_of_40th_army_marches_from_hex_to_hex():
    g = printed(
        soviet("S", "0310", army="40"),
        soviet("T", "1011", army="3T"),
        soviet("U", "0214", army="6"),
        objectives=voronezh("1421", stage=3),
    )
    place_army_objectives(g, ("40",))
    move_unit(g, unit(g, "S"), hx(g, "0311"))
    assert g.hex_name(g.objective_of("40")) == "1012"
    move_unit(g, unit(g, "T"), hx(g, "1012"))
    assert g.hex_name(g.objective_of("40")) == "0215", "a unit of any army"
    move_unit(g, unit(g, "U"), hx(g, "0215"))
    assert stage_of(g, "40") == REMOVED


@rule("kharkov43", "9.13d")
@example("kharkov43", "X12")
def test_the_last_hex_removes_the_marker_even_if_others_were_not_entered():
    for army, last, near in (("40", "0215", "0214"), ("1G", "2701", "2601")):
        g = printed(soviet("S", near, army="6"), objectives=voronezh("1009") | southwest("1608"))
        place_army_objectives(g, (army,))
        enter_hex(g, unit(g, "S"), hx(g, last))
        assert stage_of(g, army) == REMOVED


@rule("kharkov43", "9.13a")
@pytest.mark.parametrize(("option", "second"), [("1012", "1012"), ("0912", "0912")])
def test_the_second_hex_of_40th_army_is_a_switch(option, second):
    g = printed(objectives=voronezh("1009"), options={"second_objective_40": option})
    place_army_objectives(g, ("40",))
    enter_hex_of(g, "40")
    assert g.hex_name(g.objective_of("40")) == second


@rule("kharkov43", "9.13d")
def test_on_a_board_without_the_hexes_listed_the_marker_goes_when_its_hex_is_entered():
    g = position(
        board=arena(),
        units=[soviet("S", "1907", army="40")],
        objectives=voronezh("1917") | {"40": objective("1908", facing="")},
    )
    move_unit(g, unit(g, "S"), hx(g, "1909"))
    assert g.has_objective("40")
    move_unit(g, unit(g, "S"), hx(g, "1908"))
    assert stage_of(g, "40") == REMOVED


@rule("kharkov43", "9.13e")
def test_the_army_marker_goes_with_its_fronts_marker_and_is_not_placed_without_it():
    g = printed(objectives=voronezh("1009") | southwest("1608"))
    place_army_objectives(g, ("40", "1G"))
    remove_objective(g, "Voronezh", "test", "9.12")
    assert stage_of(g, "40") == REMOVED
    assert g.has_objective("1G")
    late = printed(objectives=voronezh("1009"))
    place_army_objectives(late, ("1G",))
    assert not late.has_objective("1G")


@rule("kharkov43", "9.13a")
def test_an_activation_by_a_front_card_places_the_marker_too():
    g = printed(soviet("S", "0105", army="40"), objectives=voronezh("1009"), turn=4)
    activate(g, "S")
    g.stack = [SovietActivation(g.charts.card_index("E21"), "Voronezh", ("40",))]
    run(g)
    assert stage_of(g, "40") == 1


# --- 9.14 ------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.14a")
def test_markers_do_not_touch_german_units():
    plain = position(board=arena(), units=[panzer("G", "1910"), soviet("S", "1807")])
    marked = position(
        board=arena(), objectives=southwest("1910") | voronezh("1909"), units=[panzer("G", "1910"), soviet("S", "1807")]
    )
    assert shown(plain, reach_of(plain, 0).hexes) == shown(marked, reach_of(marked, 0).hexes)
    assert not marked.faults(), "a marker may lie in a German-occupied hex"


@rule("kharkov43", "9.11e")
def test_a_marker_placed_by_the_set_up_is_at_the_first_of_its_three_hexes():
    for adjustment in ("raus-overrun", "voronezh-front-breakout"):
        g = Game.new("kharkov43", "campaign", seed=1, options={"adjustment": adjustment}, pack=PACK).board
        assert [stage_of(g, front) for front in ("Voronezh", "Southwest")] == [1, 1]


@rule("kharkov43", "9.12b")
@rule("kharkov43", "9.13c")
@pytest.mark.parametrize("name", ["Voronezh", "40"])
def test_a_hex_passed_along_the_arrows_has_been_entered(name):
    """The unit goes 1907-1908-1909-1910-1911; the arrows leave it no other way."""
    arrows = [{"from": f"19{c:02d}", "to": f"19{c + 1:02d}", "kind": "primary"} for c in range(7, 13)]
    markers = {"Voronezh": voronezh("1909", stage=3), "40": voronezh("1517", stage=3) | {"40": {"hex": "1909"}}}
    g = position(
        board=arena(arrows=arrows, roads_on=()),
        turn=3,
        objectives=markers[name],
        units=[active("A", "1907", army="69")],
    )
    g.stack = [SovietActivation(g.charts.card_index("E08"), "Voronezh", ("69",))]
    run(g)
    assert g.hex_name(g.place[unit(g, "A")]) == "1911"
    assert not g.has_objective(name)
    assert g.has_objective("Voronezh") == (name == "40")


OPEN = {"roads_on": ()}
