"""4 Sequence of play: the phases of a game-turn. Soviet impulses have their own tests (chapter 8)."""

from __future__ import annotations

import pytest

from kessel.core.procedure import apply, legal, run
from kessel.games.kharkov43.board import (
    ASIDE,
    CALENDAR,
    DISCARD,
    DRAW,
    DRAWN,
    ENTERING,
    HAND,
    OBJECTIVES,
    OUT,
    REMOVED,
    RESERVE,
    Board,
)
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.data.scenario import read_scenario
from kessel.games.kharkov43.sequence import CommandPhase, GameTurn, SupplyPhase, end_turn
from kessel.games.kharkov43.turn.german_cards import german_pile
from kessel.games.kharkov43.turn.setup import new_board

from .helpers import PACK, board, german, hexes, names, position, soviet, unit

rule = pytest.mark.rule
ROW = hexes(19, 19, range(8, 16))


def turn(scenario: str = "campaign", number: int = 2) -> Board:
    """The printed set-up at the start of a game-turn, with no card in any pile but those of the German display."""
    g = new_board(PACK, read_scenario(PACK, scenario), {})
    g.set_track("turn", number)
    return g


def begin(g: Board, step: str) -> Board:
    g.stack = [GameTurn()]
    g.stack[0].at = GameTurn.index[step]
    return g


@rule("kharkov43", "4.0a")
def test_five_phases_in_sequence():
    order = [s.name for s in GameTurn.steps if s.name.endswith("_phase")]
    assert order == [
        "reserve_phase",
        "card_preparation_phase",
        "supply_phase",
        "command_phase",
        "end_of_turn_phase",
    ]


@rule("kharkov43", "4.0b")
def test_turn_1_begins_with_the_command_phase():
    g = turn(number=1)
    g.stack = [GameTurn()]
    run(g)
    assert isinstance(g.stack[1], CommandPhase)
    assert g.stack[-1].german == GERMAN
    assert [g.box[u] for u in range(len(g.forces))].count(CALENDAR) > 40
    assert len(german_pile(g, HAND)) == 1, "no card preparation either"


@rule("kharkov43", "4.Ia")
def test_units_of_the_turn_enter_their_reserve_boxes():
    g = begin(turn(number=2), "reserve_phase")
    entering = {u for u in range(len(g.forces)) if g.forces.entry_turn[u] == 2}
    later = {u for u in range(len(g.forces)) if g.forces.entry_turn[u] > 2}
    assert entering
    g.cards[:] = bytes([DRAW if c.is_german else OUT for c in g.charts.cards])
    run(g)
    assert all(g.box[u] == RESERVE for u in entering)
    assert all(g.box[u] == CALENDAR for u in later)
    assert {g.forces.side[u] for u in entering} == {GERMAN, SOVIET}


@rule("kharkov43", "4.IIIa")
@rule("kharkov43", "15.1a")
def test_garrisons_are_placed_from_turn_4_on_before_supply_is_judged():
    b = board((19, 19), range(8, 16), soviet_edge="1908", german_edge="1915", terrain={"1911": "town"}, vp={"1911": 1})
    for number, expected in ((3, set()), (4, {"1911"})):
        g = position(board=b, turn=number, soviet_towns="1911", units=[german("A", "1915")], phase="supply_phase")
        assert names(g, g.garrisons) == expected
    assert next(s.name for s in SupplyPhase.steps) == "place_garrisons"


@rule("kharkov43", "13.0a")
@rule("kharkov43", "4.IIIb")
def test_both_sides_are_judged_before_any_marker_changes():
    """The German cannot trace and becomes isolated now; its zone still counts against the Soviet unit behind it."""
    b = board((19, 19), range(8, 16), soviet_edge="1908", german_edge="1915")
    units = [german("A", "1911", status=["out_of_supply"]), soviet("S", "1913"), soviet("B", "1914")]
    g = position(board=b, turn=4, units=units, phase="supply_phase")
    assert g.is_isolated(unit(g, "A"))
    assert not g.is_supplied(unit(g, "S"))


@rule("kharkov43", "4.IVi")
@rule("kharkov43", "4.IVj")
def test_a_side_with_cards_left_goes_on_alone_until_all_are_gone():
    units = [german("A", "1910", corps="XL"), german("B", "1912", corps="III")]
    edge = " ".join(ROW)
    g = position(board=board((19, 19), range(8, 16), german_edge=edge), cards={"hand": "P26 P25"}, units=units, turn=2)
    g.stack = [CommandPhase()]
    run(g)
    played = []
    while g.stack:
        action = next((a for a in legal(g) if a[0] == "play"), legal(g)[0])
        played += [action[1]] if action[0] == "play" else []
        apply(g, action)
    assert sorted(played) == ["P25", "P26"], "two German impulses in a row; then the phase is over"
    assert not german_pile(g, HAND)


@rule("kharkov43", "4.IVa")
@rule("kharkov43", "4.0b")
def test_impulses_alternate_the_soviets_first_except_on_turn_1():
    """The order in which the procedures of the impulses come, with cards left on both sides."""
    units = [german("A", "1910", corps="XL"), german("B", "1912", corps="III"), soviet("S", "1914", army="40")]
    b = board((19, 19), range(8, 16), german_edge="1908 1909", soviet_edge="1914 1915")

    def order(number: int) -> list[str]:
        g = position(board=b, turn=number, cards={"hand": "P26 P25", "draw": "E11 E12 E06 E02"}, units=units)
        g.stack = [CommandPhase()]
        g.events = []
        run(g)
        while g.stack:
            apply(g, next((a for a in legal(g) if a[0] in ("play", "pass")), legal(g)[0]))
        return ["S" if e["rule"] == "8.1" else "G" for e in g.events if e["rule"] in ("8.1", "5.1") and "card" in e]

    assert order(2)[0] == "S"
    assert order(1)[:2] == ["G", "S"], "the set-up took the place of the first Soviet impulse"
    assert order(2).index("G") < len(order(2)) - 1, "the sides take turns"


@rule("kharkov43", "4.Va")
def test_victory_is_checked_if_the_calendar_lists_levels():
    quiet = turn(number=3)
    quiet.set_track("vp", 40)
    begin(quiet, "end_of_turn_phase")
    run_phase(quiet)
    assert quiet.track("result") == 0, "turn 3 lists none"
    g = turn(number=4)
    g.set_track("vp", 40)
    begin(g, "end_of_turn_phase")
    run(g)
    assert g.track("result")
    assert not g.stack


def run_phase(g: Board) -> None:
    """The End of Turn Phase alone."""
    run(g)


@rule("kharkov43", "4.Vb")
@rule("kharkov43", "4.Vf")
def test_chits_return_and_the_turn_advances():
    g = position(turn=3)
    g.chits[0], g.chits[1] = ASIDE, DRAWN
    end_turn(g)
    assert not any(g.chits)
    assert g.turn == 4


@rule("kharkov43", "4.Vd")
def test_village_garrisons_are_checked_from_turn_4_on():
    b = board((19, 19), range(8, 16), soviet_edge="1908", german_edge="1915", features={"1911": "village"})
    for number, expected in ((3, {"1911"}), (4, set())):
        g = position(board=b, turn=number, garrisons="1911", units=[soviet("S", "1913")])
        end_turn(g)
        assert names(g, g.garrisons) == expected, "S cuts German supply to the village"


@rule("kharkov43", "4.Ve")
def test_objective_markers_leave_play_at_the_end_of_turn_7():
    marker = {"hex": "1910", "facing": "west", "stage": 3}
    for number, expected in ((6, True), (7, False)):
        g = position(turn=number, objectives={"Voronezh": marker, "Southwest": marker, "1G": marker})
        end_turn(g)
        assert g.has_objective("Voronezh") == expected
        assert g.has_objective("Southwest") == expected
        assert (g.stage[OBJECTIVES.index("40")] == REMOVED) == (not expected)


@rule("kharkov43", "4.Vc")
def test_the_log_tells_every_marker_that_goes_at_the_end_of_the_turn():
    marker = {"hex": "1910", "facing": "west", "stage": 3}
    units = [soviet("S", "1913", status=["dispersed"]), german("G", "1813")]
    g = position(turn=7, units=units, objectives={"Voronezh": marker}, forward_support="1912")
    g.events = []
    end_turn(g)
    told = {(e["rule"], e["what"]) for e in g.events}
    assert ("4.V", "S is no longer dispersed") in told
    assert ("13.54", "the Forward Support marker in 1912 is removed") in told
    assert ("4.V", "the objective marker of the Voronezh Front is removed: the end of game-turn 7") in told
    assert not any("G is" in what for _, what in told)


@rule("kharkov43", "4.Ia")
@rule("kharkov43", "4.IIf")
def test_the_log_tells_which_units_and_cards_arrive():
    g = position(turn=3, units=[german("G", "calendar", entry=3), soviet("S", "calendar", entry=4)])
    g.cards[g.charts.card_index("E18")] = ENTERING
    g.events = []
    begin(g, "reserve_phase")
    run(g)
    told = [(e["rule"], e["what"]) for e in g.events]
    assert ("4.I", "G comes to the Reserve Units box") in told
    assert ("4.II", "3rd Tank Army (E18) enters play") in told
    assert not any(what.startswith("S comes") for _, what in told)


def test_once_a_turn_rights_are_renewed():
    g = position(turn=3, one_unit_used=True, activated="XL")
    end_turn(g)
    assert g.track("one_unit_used") == 0
    assert not any(g.activated)


def test_cards_are_never_lost_over_a_turn():
    g = turn(number=2)
    count = len(g.cards)
    begin(g, "card_preparation_phase")
    run(g)
    assert len(g.cards) == count
    assert sum(p in (HAND, DRAW, DISCARD) or p == OUT for p in g.cards) <= count
    assert len(german_pile(g, HAND)) == 4
