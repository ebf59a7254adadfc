"""16.0 Victory Points, 17.1.8, 17.2.8 and the rest of scenario 3."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kessel.games.don42.board import ENTERED
from kessel.games.don42.data.charts import turn_number
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.supply.supply import has_ground_line
from kessel.games.don42.turn.victory import at_the_volga, hex_points, outcome, score_turn, total

from .helpers import PACK, at, do, fresh, h, pos, u


def empty(scenario, turn, *units, **fields):
    """The printed map with a few counters, in a scenario."""
    return pos(*units, on="printed", scenario=scenario, turn=turn, **fields)


@pytest.mark.rule("don42", "16.1.a", "16.1.b")
def test_the_last_unit_to_occupy_or_pass_a_hex_controls_it_a_zone_does_not():
    g = empty("crossing-the-don", "Aug 24 AM", {"id": "I-2Pz", "at": "1915"}, {"id": "I-64", "at": "1807"},
              control={"1916": "soviet", "1906": "soviet"}, phase="german_movement")  # fmt: skip
    kuzmichi = next(i for i, (x, _) in enumerate(g.objectives) if x == h(g, "1916"))
    orlovka = next(i for i, (x, _) in enumerate(g.objectives) if x == h(g, "1906"))
    do(g, "move I-2Pz", "to 1917", "halt")
    assert at(g, "I-2Pz") == "1917"
    assert g.control[kuzmichi] == GERMAN, "it passed through"
    assert g.map.grid.adjacent(h(g, "1807"), h(g, "1906"))
    assert g.control[orlovka] == SOVIET


@pytest.mark.rule("don42", "16.1.c", "16.1.d", "16.1.e")
def test_nine_hexes_of_5_nine_of_10_and_four_of_25():
    by_value = {5: set(), 10: set(), 25: set()}
    for hex_, (_, vp) in fresh("crossing-the-don").charts.objectives.items():
        by_value[vp].add(hex_)
    assert by_value[5] == {"1402", "1602", "2005", "2627", "3033", "1505", "1806", "2224", "2626"}
    assert by_value[10] == {"1611", "1607", "1807", "2423", "2222", "1412", "1906", "1801", "3042"}
    assert by_value[25] == {"1916", "2924", "2621", "2921"}
    printed = {n: x.vp for n, x in PACK.map.doc.hexes.items() if x.vp}
    assert printed == {n: v for v, s in by_value.items() for n in s}


@pytest.mark.rule("don42", "16.0.b")
def test_at_the_start_hexes_belong_to_the_side_on_whose_side_of_the_front_they_lie():
    one = fresh("crossing-the-don")
    assert set(one.control) == {SOVIET}
    two = fresh("kotluban")
    owner = {two.hex_name(x): two.control[i] for i, (x, _) in enumerate(two.objectives)}
    assert owner["1801"] == owner["1611"] == owner["2924"] == GERMAN
    assert owner["1412"] == owner["1906"] == SOVIET


@pytest.mark.rule("don42", "16.0.c", "17.1.9", "17.2.8.a")
def test_hexes_count_only_for_their_owner_at_the_end():
    for scenario in ("crossing-the-don", "kotluban"):
        g = fresh(scenario)
        g.control[:] = bytes([SOVIET]) * len(g.control)
        assert (hex_points(g, GERMAN), hex_points(g, SOVIET)) == (0, 235)
        i = next(i for i, (x, _) in enumerate(g.objectives) if x == h(g, "1916"))
        g.control[i] = GERMAN
        assert (hex_points(g, GERMAN), hex_points(g, SOVIET)) == (25, 210)
        assert outcome(g).points == {"german": 25 + g.points(GERMAN), "soviet": 210 + g.points(SOVIET)}
        g.scenario = replace(g.scenario, victory={**g.scenario.victory, "geographic": False})
        assert (hex_points(g, GERMAN), hex_points(g, SOVIET)) == (0, 0)


@pytest.mark.rule("don42", "16.2", "17.1.10", "17.2.9")
@pytest.mark.parametrize("scenario", ["crossing-the-don", "kotluban"])
def test_scenario_points_are_added_and_the_most_wins(scenario):
    g = fresh(scenario)
    g.control[:] = bytes([SOVIET]) * 11 + bytes([GERMAN]) * 11
    german, soviet = hex_points(g, GERMAN), hex_points(g, SOVIET)
    g.tracks[5 + GERMAN] = 500
    g.tracks[5 + SOVIET] = 1
    assert outcome(g).points == {"german": german + 500, "soviet": soviet + 1}
    assert outcome(g).winner == GERMAN
    g.tracks[5 + SOVIET] = 900
    assert outcome(g).winner == SOVIET
    g.tracks[5 + GERMAN] = total(g, SOVIET) - german
    assert outcome(g).winner is None


# --- 17.1.8 --------------------------------------------------------------------------------------------------------

SPEARHEAD = [{"id": "HQ14PzC", "at": "1814"}, {"id": "HQ16Pz", "at": "1810"}, {"id": "I-64", "at": "1803"}]
AT_RYNOK = [{"id": "I-2Pz", "at": "1801"}, {"id": "II-2Pz", "at": "1802"}]
"""1814 lies on roads that lead to the bridges; with no Soviets about the line is open."""
CUT = [{"id": "NKVD-1", "at": "1740"}, {"id": "NKVD-2", "at": "2841"}]
"""Soviets on the eastern ends of both bridges."""


def end_of(turn, *units, met=False):
    g = empty("crossing-the-don", turn, *units)
    g.set_track("volga_met", met)
    score_turn(g)
    return g


@pytest.mark.rule("don42", "17.1.8.a", "17.1.8.b")
def test_two_units_of_the_panzer_corps_at_the_volga_with_an_open_line_meet_the_objective():
    g = end_of("Aug 24 PM", *SPEARHEAD, *AT_RYNOK)
    assert len(at_the_volga(g, g.scenario.victory["volga"])) == 2
    assert has_ground_line(g, g.command_index("14PzC"))
    assert g.track("volga_met") == 1
    assert g.points(SOVIET) == 0
    for village in ("1602", "1402"):
        both = [{"id": "I-2Pz", "at": village}, {"id": "II-2Pz", "at": village}]
        near = end_of("Aug 23 PM", *SPEARHEAD, *both)
        assert near.track("volga_met") == 1
    one = end_of("Aug 24 PM", *SPEARHEAD, AT_RYNOK[0])
    assert one.track("volga_met") == 0
    cut = end_of("Aug 24 PM", *SPEARHEAD, *AT_RYNOK, *CUT)
    assert not has_ground_line(cut, cut.command_index("14PzC"))
    assert cut.track("volga_met") == 0


SCHEDULE = {"Aug 24 AM": 0, "Aug 24 PM": 3, "Aug 25 AM": 3, "Aug 25 PM": 6, "Aug 26 AM": 6, "Aug 26 PM": 9,
            "Aug 27 AM": 9, "Aug 27 PM": 12, "Aug 28 AM": 12, "Aug 28 PM": 12}  # fmt: skip


@pytest.mark.rule("don42", "17.1.8.c")
@pytest.mark.parametrize("turn", SCHEDULE)
def test_until_then_the_soviets_score_by_the_schedule(turn):
    assert end_of(turn, *SPEARHEAD).points(SOVIET) == SCHEDULE[turn]
    assert sum(SCHEDULE.values()) == 72


@pytest.mark.rule("don42", "17.1.8.d")
def test_once_met_the_schedule_is_over_even_if_the_units_are_driven_off():
    g = end_of("Aug 26 PM", *SPEARHEAD, met=True)
    assert g.points(SOVIET) == 0


@pytest.mark.rule("don42", "17.1.8.e")
def test_met_but_cut_off_gives_one_point_a_turn():
    g = end_of("Aug 26 PM", *SPEARHEAD, *AT_RYNOK, *CUT, met=True)
    assert g.points(SOVIET) == 1
    open_ = end_of("Aug 26 PM", *SPEARHEAD, *AT_RYNOK, met=True)
    assert open_.points(SOVIET) == 0


# --- 17.2.8 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "17.2.8.b")
def test_scenario_2_one_point_for_each_interrupted_line():
    g = empty("kotluban", "Sep 4 AM", {"id": "HQ14PzC", "at": "1611"}, *CUT)
    assert not has_ground_line(g, g.command_index("14PzC"))
    score_turn(g)
    assert g.points(SOVIET) == 1
    free = empty("kotluban", "Sep 4 AM", {"id": "HQ14PzC", "at": "1814"})
    score_turn(free)
    assert free.points(SOVIET) == 0


@pytest.mark.rule("don42", "17.2.8.c")
def test_scenario_2_germans_score_for_each_35_guards_unit_still_there_from_sep_3():
    guards = [{"id": f"35Gds-{i}", "at": f"{2718 + i}"} for i in (1, 2, 3)]
    for turn, vp in (("Sep 2 PM", 0), ("Sep 3 AM", 3), ("Sep 6 PM", 3)):
        g = empty("kotluban", turn, *guards)
        score_turn(g)
        assert g.points(GERMAN) == vp


# --- scenario 3 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "17.3.7ff", "RX-17.3")
def test_scenario_3_interruptions_and_the_prize_for_the_relief():
    cut = empty("short-game", "Aug 27 AM", *SPEARHEAD, *CUT)
    score_turn(cut)
    assert cut.points(SOVIET) == 1
    both = [*SPEARHEAD, {"id": "HQ3Mot", "at": "1811"}]
    relieved = empty("short-game", "Aug 29 PM", *both)
    assert outcome(relieved).points["german"] == hex_points(relieved, GERMAN) + 10
    alone = empty("short-game", "Aug 29 PM", *both, *CUT)
    assert outcome(alone).points["german"] == hex_points(alone, GERMAN)
    assert turn_number("Aug 29 PM") == 18
    assert ENTERED
    assert u(alone, "HQ3Mot") >= 0
