"""1.0 Introduction and 2.0 Components."""

from __future__ import annotations

import pytest

from kessel.core.dice import Dice
from kessel.core.errors import BadInput
from kessel.games.don42 import board
from kessel.games.don42.answers.view import side_view
from kessel.games.don42.board import DRG, HASTY
from kessel.games.don42.data.charts import TURNS, turn_name, turn_number
from kessel.games.don42.data.forces import SIZES
from kessel.games.don42.movement.stacking import why_not_together
from kessel.games.don42.title import TITLE

from .helpers import PACK, ask, fresh, ger, h, pos, sov, u


@pytest.mark.rule("don42", "1.2")
def test_one_player_is_german_the_other_soviet():
    assert TITLE.sides == ("german", "soviet")
    assert TITLE.played == (0, 1)


@pytest.mark.rule("don42", "1.3.a", "1.3.b")
def test_one_die_gives_1_to_6_two_dice_2_to_12():
    dice = Dice(1)
    single = {dice.roll() for _ in range(200)}
    double = {dice.roll() + dice.roll() for _ in range(600)}
    assert single == set(range(1, 7))
    assert double == set(range(2, 13))


@pytest.mark.rule("don42", "2.1.a", "2.1.b", "10.0.c")
def test_every_playable_hex_has_a_four_digit_number_and_others_do_not_exist():
    grid = PACK.map.grid
    assert all(len(n) == 4 and n.isdigit() for n in grid.names(grid.hexes))
    assert "1046" not in grid
    g = pos(ger("A", "1044"), on="printed", phase="german_movement")
    assert all("1046" not in str(x) for x in ask(g, "moves", unit="A")["reach"])
    with pytest.raises(BadInput, match="there is no hex 1046"):
        ask(g, "moves", unit="A", to="1046")


@pytest.mark.rule("don42", "2.1.c")
def test_a_counter_is_in_exactly_one_hex():
    g = fresh("crossing-the-don")
    assert g.faults() == []
    unit = u(g, "HQ62A")
    g.move(unit, h(g, "2920"))
    assert [x for x in g.map.grid.hexes if unit in g.units(x)] == [h(g, "2920")]


@pytest.mark.rule("don42", "2.1.1")
@pytest.mark.example("don42", "D-E08")
def test_the_turn_track_runs_from_aug_21_to_sep_8_in_half_days():
    assert (TURNS[0], TURNS[-1], len(TURNS)) == ("Aug 21 AM", "Sep 8 PM", 38)
    assert turn_number("Aug 24 PM") == 8
    assert turn_name(turn_number("Sep 2 AM")) == "Sep 2 AM"
    with pytest.raises(BadInput, match="there is no turn"):
        turn_number("Sep 9 AM")


@pytest.mark.rule("don42", "2.1.2")
def test_the_number_track_counts_supply_points_and_victory_points():
    g = fresh("crossing-the-don")
    g.sp[u(g, "HQ14PzC")] = 12
    g.award(1, 3, "17.1.8", "test")
    g.move(u(g, "HQ14PzC"), h(g, "1744"))
    view = side_view(g)
    assert next(p for p in view.pieces if p.id == "HQ14PzC").note == "12 SP"
    assert {t.name: t.value for t in view.tracks}["Soviet VP with the hexes held now"] == 235 + 3


@pytest.mark.rule("don42", "2.1.3")
def test_air_units_wait_in_the_holding_box_of_their_side():
    g = fresh("crossing-the-don")
    for plane, box in (("Ju52-1", "german_air"), ("Il2-1", "soviet_air")):
        assert g.place_name(g.place[u(g, plane)]) == box


@pytest.mark.rule("don42", "2.3.a", "2.3.b")
def test_counters_show_type_and_size():
    g = fresh("crossing-the-don")
    pieces = {p.id: p for p in side_view(g).pieces}
    assert (pieces["534Rgt"].kind, pieces["534Rgt"].size) == ("infantry", "III")
    assert (pieces["193Tk"].kind, pieces["193Tk"].size) == ("t34", "X")
    assert (pieces["184Div"].kind, pieces["184Div"].size) == ("infantry", "XX")
    assert SIZES[:5] == ("company", "battalion", "regiment", "brigade", "division")


@pytest.mark.rule("don42", "2.4.a")
def test_motorized_units_are_marked_as_such():
    g = fresh("crossing-the-don")
    assert g.forces.motorized[u(g, "I-2Pz")]
    assert g.forces.motorized[u(g, "40Mot")]
    assert not g.forces.motorized[u(g, "534Rgt")]


@pytest.mark.rule("don42", "2.4.b")
def test_a_unit_on_its_last_step_shows_it():
    g = fresh("crossing-the-don")
    g.steps[u(g, "534Rgt")] = 1
    found = next(p for p in side_view(g).pieces if p.id == "534Rgt")
    assert (found.steps, found.full_steps, found.values) == (1, 2, "2-3-6")


@pytest.mark.rule("don42", "2.5")
def test_markers_never_count_for_stacking():
    g = pos(ger("A", "0,0", size="battalion"), ger("B", "0,0", size="battalion"), sov("X", "3,0"))
    g.position[h(g, "0,0")] = HASTY
    g.set_disorder(u(g, "A"), DRG)
    assert why_not_together(g, 0, g.units(h(g, "0,0"))) is None


@pytest.mark.rule("don42", "3.5")
def test_both_sides_see_every_stack():
    g = fresh("crossing-the-don")
    assert TITLE.view(g, 0) == TITLE.view(g, 1) == TITLE.view(g, None)
    assert len(TITLE.view(g, 1).pieces) == 100 + 11


def test_every_mark_of_a_unit_and_of_a_command_is_its_own():
    flags = (*board.STATUS_WORDS.values(), *board.FLAG_WORDS.values(), board.LEFT)
    assert sorted(flags) == [1 << i for i in range(16)]
    commands = (board.C_ACTIVE, board.C_TRIED, board.C_RELEASED, board.C_ATTACKED, board.C_MOTHERLESS)
    assert sorted(commands) == [1 << i for i in range(5)]
