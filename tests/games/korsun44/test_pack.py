"""The pack of The Jaws of Victory against what the rulebook states, and against itself."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from itertools import pairwise, product
from pathlib import Path

import pytest

from kessel.core.errors import BadPack
from kessel.core.forces import NO_UNIT
from kessel.core.pack import PROVENANCES, Pack
from kessel.core.provenance import provenance_of
from kessel.core.rules import MOST_NOTES, statements
from kessel.games.korsun44.data.charts import (
    ALL,
    ARMOR,
    FOOT,
    FROZEN,
    MOTORIZED,
    MUD,
    NO,
    POINT,
    Charts,
    Part,
    charts_of,
    parse_part,
    parse_result,
)
from kessel.games.korsun44.data.forces import (
    AIR,
    ALARM,
    BARRAGE,
    EXTENSION,
    GERMAN,
    PART,
    SDM,
    SIDES,
    SOVIET,
    UNIT,
    Forces,
    forces_of,
)
from kessel.lab.pack_statistics import korsun44 as stats
from kessel.lab.pack_statistics.pages import printed
from kessel.render.symbols import KINDS

PACK = Pack("korsun44", overlays=())
ROWS = {r["id"]: r for r in PACK.rows("counters.csv")}
RULES = {s.rule for s in statements(PACK)}
DIE = range(1, 7)
PAGE = Path(__file__).parents[3] / "docs" / "reconstruction-korsun44.md"


@pytest.fixture(scope="module")
def charts() -> Charts:
    return charts_of(PACK)


@pytest.fixture(scope="module")
def forces() -> Forces:
    return forces_of(PACK, charts_of(PACK))


def units_of(forces: Forces, formation: str) -> list[int]:
    return [u for u in forces.of(formation) if forces.role[u] == UNIT]


# --- the statements, provenance ------------------------------------------------------------------------------------


def test_every_statement_stands_once_and_few_are_notes() -> None:
    every = statements(PACK)
    assert len(every) == len(RULES) == 1095
    assert all(s.title and s.kind for s in every)
    assert sum(bool(s.note) for s in every) <= MOST_NOTES * len(every)


def test_every_value_has_a_provenance() -> None:
    found = provenance_of(PACK)
    assert set(found) == set(PROVENANCES)
    assert found["stated"] > 1000


@pytest.mark.parametrize("unit", ROWS)
def test_marks_of_a_counter_name_columns(unit: str) -> None:
    row = ROWS[unit]
    assert row["provenance"] in PROVENANCES
    for word in (*row.words("stated"), *row.words("ours")):
        assert word in row, f"{word} is no column"


# --- switches, options, constants ----------------------------------------------------------------------------------


def test_every_open_reading_has_a_switch(charts: Charts) -> None:
    """Four readings leave nothing to choose: a wrong cross-reference (Q27, Q60), row or column (Q30), Q37."""
    numbers = Counter(charts.game.numbers.values())
    settled = {"Q27", "Q30", "Q37", "Q60"}
    assert {f"Q{n:02d}" for n in range(1, 72)} - set(numbers) == settled
    assert all(numbers[q] == 1 for q in numbers if q.startswith("Q"))
    for key, s in charts.readings.switches.items():
        assert len(s.values) >= 2, key
        assert len(set(s.values)) == len(s.values), key
        assert s.about, key


def test_switches_and_options_cite_rules_that_exist(charts: Charts) -> None:
    cited = {k: o.rule for k, o in charts.readings.all.items()}
    for key, rule in cited.items():
        pattern = re.compile(re.escape(rule) + r"(?![0-9])")
        assert any(pattern.match(r) for r in RULES), f"{key}: {rule}"


def test_every_optional_rule_of_chapter_18_is_an_option(charts: Charts) -> None:
    sections = {o.rule for o in charts.readings.optional.values()}
    assert {f"18.{n}" for n in range(1, 15)} - sections == {"18.12"}, "18.12 is removed"


def test_stated_numbers(charts: Charts) -> None:
    c = charts.constants
    assert (c.soviet_range_frozen, c.soviet_range_mud, c.german_range_frozen, c.german_range_mud) == (10, 8, 6, 4)
    assert (c.stack, c.stack_forest, c.zoc_steps) == (3, 2, 3)
    assert (c.korsun_points, c.korsun_road_points, c.air_supply_missions, c.air_drops) == (15, 2, 5, 2)
    assert charts.game.superiority == {"1": 1, "2": 2, "3": 2, "4": 2, "5": 3}
    assert charts.game.breakout_waves == (3, 4, 5)


# --- the order of battle -------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "1.0a")
def test_five_korps_in_two_armees_and_eight_armies_in_two_fronts(charts: Charts, forces: Forces) -> None:
    f = charts.game.formations
    assert (len(f.german_korps), len(f.armees), len(f.soviet_armies), len(f.fronts)) == (5, 2, 8, 2)
    for u in range(len(forces)):
        if forces.role[u] in (UNIT, PART) and forces.side[u] == GERMAN:
            assert forces.corps[u] in f.korps_of[forces.army[u]], forces.ids[u]
        elif forces.role[u] in (UNIT, PART) and forces.corps[u] != "5GCC":
            assert forces.army[u] in f.front_of[forces.front[u]], forces.ids[u]
    for army, corps in f.corps_of.items():
        for c in corps:
            assert {forces.army[u] for u in forces.of(c)} == {army}


@pytest.mark.rule("korsun44", "4.2b")
def test_tank_and_mechanized_corps_have_eight_to_ten_units(charts: Charts, forces: Forces) -> None:
    for corps in charts.game.formations.soviet_corps:
        assert 8 <= len(units_of(forces, corps)) <= 10, corps


@pytest.mark.rule("korsun44", "4.2c")
def test_most_infantry_divisions_have_six_units_and_most_panzer_divisions_nine(charts: Charts, forces: Forces) -> None:
    infantry = sorted({d for d in forces.division if re.fullmatch(r"\d+ID", d)})
    sizes = Counter(len(units_of(forces, d)) for d in infantry)
    assert sizes[6] >= len(infantry) - 1
    panzer = Counter(len(units_of(forces, d)) for d in charts.game.formations.panzer_divisions)
    assert panzer[9] > len(charts.game.formations.panzer_divisions) / 2


@pytest.mark.rule("korsun44", "4.2a", "4.4.4d")
def test_a_soviet_division_is_one_unit_with_a_chit(forces: Forces) -> None:
    for u in forces.of_role[SOVIET][UNIT]:
        if ROWS[forces.ids[u]]["size"] == "division":
            assert forces.counters[u].chit
            assert [v for v in units_of(forces, forces.division[u]) if forces.type[v] == forces.type[u]] == [u]
        if forces.star[u] or forces.type[u] == "motorized_infantry":
            assert forces.counters[u].chit


@pytest.mark.rule("korsun44", "4.4.1a", "4.4.2", "4.4.3")
def test_steps_by_type(forces: Forces) -> None:
    for u in (*forces.of_role[GERMAN][UNIT], *forces.of_role[SOVIET][UNIT]):
        if forces.artillery[u]:
            assert forces.full_steps[u] == 1
            assert not forces.attacks[u]
        elif forces.anti_armor[u]:
            assert forces.full_steps[u] == 2
        assert 1 <= forces.full_steps[u] <= 6


@pytest.mark.rule("korsun44", "4.9a")
def test_german_armor_has_one_to_four_steps_and_large_battalions_two_counters(forces: Forces) -> None:
    for u in forces.of_role[GERMAN][UNIT]:
        if forces.armor[u]:
            assert 1 <= forces.full_steps[u] <= 4
            assert forces.counters[u].counters == (2 if forces.full_steps[u] > 2 else 1)


def test_strengths_fall_with_every_step(forces: Forces) -> None:
    for u in range(len(forces)):
        if forces.role[u] in (UNIT, PART):
            ladder = forces.strength[u]
            assert ladder[0] == 0
            assert all(a < b for a, b in pairwise(ladder)), forces.ids[u]


@pytest.mark.rule("korsun44", "4.5.4a", "4.5.5a")
def test_shermans_stay_with_their_divisions_and_brigades(forces: Forces) -> None:
    found = [u for u in range(len(forces)) if forces.type[u] == "M4"]
    assert len(found) == 6
    for u in found:
        assert forces.white[u] == 1
        with_ = forces.stays_with[u]
        assert forces.type[with_] in ("cavalry", "motorized_infantry")
        assert forces.corps[with_] == forces.corps[u]
    assert Counter(forces.corps[u] for u in found) == {"5GCC": 3, "5MC": 3}


def test_every_type_has_a_symbol(charts: Charts) -> None:
    assert set(charts.types) <= set(KINDS)


def test_dots(charts: Charts, forces: Forces) -> None:
    """PzIV three white and T-34 two (9.11), FlaK 88 three black (18.11); a die never hits for certain."""
    assert charts.dots["PzIV"] == (3, 0)
    assert charts.dots["T-34"] == (2, 0)
    assert charts.dots["flak_88"] == (0, 3)
    for u in range(len(forces)):
        assert forces.white[u] + forces.black[u] <= 5
        assert not (forces.white[u] and not forces.armor[u])
    assert max(forces.white) == 5


def test_stars_are_tank_brigades(forces: Forces) -> None:
    for u in range(len(forces)):
        if forces.star[u]:
            assert (forces.type[u], ROWS[forces.ids[u]]["size"], forces.side[u]) == ("T-34", "brigade", SOVIET)


@pytest.mark.rule("korsun44", "13.2.2a", "13.2.3a", "13.2.3b")
def test_supply_distribution_markers(charts: Charts, forces: Forces) -> None:
    f = charts.game.formations
    soviet, german = forces.of_role[SOVIET][SDM], forces.of_role[GERMAN][SDM]
    for army in f.soviet_armies:
        own = [u for u in soviet if forces.army[u] == army and not forces.corps[u]]
        assert len(own) == (1 if army in f.tank_armies else 2)
    for corps in f.soviet_corps:
        assert len([u for u in soviet if forces.corps[u] == corps]) == 1
    for korps in f.german_korps:
        assert len([u for u in german if forces.corps[u] == korps and not forces.division[u]]) == 2
    divisions = {forces.division[u] for u in german if forces.division[u]}
    assert divisions == {*f.panzer_divisions, "Wal", "Haake"}
    assert forces.find("SDM.Korsun") in german
    for u in (*soviet, *german):
        assert 1 <= forces.counters[u].capacity <= 4
        assert forces.counters[u].increments[FROZEN] > forces.counters[u].increments[MUD] > 0


def test_the_supply_example(forces: Forces) -> None:
    """14.2: 14th Panzer, capacity 4, increment 6, eight road hexes: three points."""
    c = forces.counters[forces.unit("SDM.14Pz")]
    increments = -(-8 // c.increments[FROZEN])
    assert c.capacity - (increments - 1) == 3


@pytest.mark.rule("korsun44", "6.2a")
def test_ten_air_counters_a_side_some_of_them_without_effect(forces: Forces) -> None:
    for side in (GERMAN, SOVIET):
        found = [forces.counters[u] for u in forces.of_role[side][AIR]]
        assert len(found) == 10
        assert min(min(c.ocas, c.dcas) for c in found) == 0
        assert len({(c.ocas, c.dcas) for c in found}) > 3


def test_alarm_units_defend_with_one_step(forces: Forces) -> None:
    found = forces.of_role[GERMAN][ALARM]
    assert len(found) == 20
    assert all(forces.full_steps[u] == 1 and not forces.attacks[u] for u in found)
    assert len({forces.strength[u][1] for u in found}) > 2


@pytest.mark.rule("korsun44", "22.4", "4.6.p1c", "4.6.p1d")
def test_parents_break_down_into_parts_of_equal_steps(forces: Forces) -> None:
    for u in range(len(forces)):
        parts = forces.parts[u]
        kind, size = forces.type[u], ROWS[forces.ids[u]]["size"]
        breaks = forces.role[u] == UNIT and forces.counters[u].chit and not forces.star[u] and kind != "fortified_area"
        assert bool(parts) == bool(breaks), forces.ids[u]
        if not parts:
            continue
        steps = sum(forces.full_steps[p] for p in parts)
        if size == "division" and kind != "cavalry":
            assert (len(parts), steps) == (3, 6)
        else:
            assert steps == forces.full_steps[u]
        assert sum(forces.black[p] for p in parts) == forces.black[u]
        for p in parts:
            assert forces.formations[p] == forces.formations[u]
            if forces.full_steps[p] == 3:
                assert forces.strength[p][1] == forces.strength[u][1], "ends as the regiment's cadre"


def test_every_soviet_division_has_an_extension(forces: Forces) -> None:
    for u in forces.of_role[SOVIET][UNIT]:
        division = ROWS[forces.ids[u]]["size"] == "division"
        assert (forces.extension[u] != NO_UNIT) == division
    assert len(forces.of_role[SOVIET][EXTENSION]) == 41


@pytest.mark.rule("korsun44", "22.3", "17.1a")
def test_barrage_units_have_five_components_of_their_army(charts: Charts, forces: Forces) -> None:
    assert set(charts.game.barrage) == {"53A", "4GA"}
    for army, b in charts.game.barrage.items():
        assert forces.role[forces.unit(b.unit)] == BARRAGE
        assert len(b.parts) == charts.constants.barrage_components == 5
        for p in b.parts:
            u = forces.unit(p)
            assert forces.artillery[u]
            assert forces.army[u] == army == b.army
        assert max(forces.strength[forces.unit(b.unit)]) == charts.constants.barrage_defence


def test_german_divisional_artillery_alone_keeps_a_dbs_on_its_back(forces: Forces) -> None:
    for u in range(len(forces)):
        if forces.artillery[u]:
            regiment = forces.side[u] == GERMAN and ROWS[forces.ids[u]]["size"] == "regiment"
            assert bool(forces.counters[u].back_dbs) == regiment
            assert regiment == (forces.side[u] == GERMAN and bool(forces.division[u]) and forces.division[u] != "Bake")


# --- charts --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "4.4.4a", "4.4.4f")
def test_the_example_of_the_soviet_division(forces: Forces) -> None:
    ladder = forces.strength[forces.unit("180.27A")]
    assert (ladder[4], ladder[3]) == (12, 9)


def ladder_rank(charts: Charts) -> dict[str, int]:
    """The results from worst to best for the attacker: down the column 1:1, then along the last row."""
    even = charts.odds.index("1:1")
    first = [charts.crt[t, "1:1"].text for t in range(2, 13)]
    last = [charts.crt[12, o].text for o in charts.odds[even + 1 :]]
    return {text: n for n, text in enumerate(dict.fromkeys([*first, *last]))}


def test_the_combat_table_keeps_to_what_is_stated(charts: Charts) -> None:
    assert (charts.odds[0], charts.odds[-1]) == ("1:3", "10:1")
    cells = [r.text for r in charts.crt.values()]
    assert "1/1DR" in cells
    assert max(r.attacker.steps for r in charts.crt.values()) == 2
    assert not any(r.attacker.breakthrough for r in charts.crt.values())


def test_no_shift_and_no_pip_ever_hurts_the_attacker(charts: Charts) -> None:
    rank = ladder_rank(charts)
    assert len(rank) == 15
    for t, o in product(range(2, 13), charts.odds):
        here = rank[charts.crt[t, o].text]
        if t < 12:
            assert rank[charts.crt[t + 1, o].text] >= here
        i = charts.odds.index(o)
        if i + 1 < len(charts.odds):
            assert rank[charts.crt[t, charts.odds[i + 1]].text] >= here


def test_combat_results_are_read_as_written() -> None:
    assert parse_part("1DR") == Part(1, True, 1)
    assert parse_part("-") == Part(0, False, 0)
    assert parse_part("2R>") == Part(2, False, 2)
    assert parse_result("1/1DR").defender == Part(1, True, 1)
    for wrong in ("3", "DR1", ""):
        with pytest.raises(BadPack):
            parse_part(wrong)
    with pytest.raises(BadPack, match="arrow"):
        parse_result("1R>/1")


@pytest.mark.parametrize("side", [GERMAN, SOVIET])
def test_artillery_shifts_fall_with_the_roll_and_rise_with_the_points(charts: Charts, side: int) -> None:
    for points in range(1, 16):
        shifts = [charts.shifts(side, points, roll) for roll in range(1, 10)]
        assert shifts == sorted(shifts, reverse=True)
        assert charts.shifts(side, 1, 6) == 0
        for roll in range(1, 10):
            assert charts.shifts(side, points + 1, roll) >= charts.shifts(side, points, roll)


def test_the_artillery_example(charts: Charts, forces: Forces) -> None:
    """12.10.2: German guns of 1, 2 and 2 points that may fire together, die 4: two shifts."""
    points = sorted(forces.counters[forces.unit(u)].obs for u in ("I-88.Bake", "Werf1.3PzK", "II-67.3PzK"))
    assert points == [1, 2, 2]
    assert charts.shifts(GERMAN, sum(points), 4) == 2


def test_the_air_examples(charts: Charts) -> None:
    assert charts.german_missions(FROZEN, 2) == 1
    assert charts.soviet_missions("1Uk", FROZEN, 0) == 0
    assert charts.soviet_missions("2Uk", FROZEN, 3) == 2
    assert charts.german_missions(MUD, 99) >= 4 or charts.german_missions(FROZEN, 9) >= 4


@pytest.mark.rule("korsun44", "5.2.3", "5.2.4a", "5.2.4b")
def test_visibility(charts: Charts) -> None:
    for first in range(1, 5):
        assert charts.visibility_of(first, 1) == 0
    for first, second in product((5, 6), DIE):
        assert charts.visibility_of(first, second) == (2 if second == 6 else 1)


@pytest.mark.rule("korsun44", "2.3a")
def test_turns_are_days_from_25_january(charts: Charts) -> None:
    assert [t.date for t in charts.turns[:8]] == [*(f"1944-01-{d}" for d in range(25, 32)), "1944-02-01"]
    assert charts.turn(10).date == "1944-02-03"
    assert len(charts.turns) == 25
    assert all(charts.ground_of(die + t.ground) == FROZEN for t in charts.turns[:7] for die in DIE)
    assert sum(charts.ground_of(die + charts.turn(14).ground) == MUD for die in DIE) == 5


@pytest.mark.rule("korsun44", "8.5.2b", "8.5.2c")
def test_german_armor_replacement(charts: Charts) -> None:
    table = charts.armor_replacement
    assert sorted(table) == list(range(2, 13))
    of = {t: sorted(n for n, x in table.items() if x == t) for t in set(table.values())}
    assert of == {"StuG": [2, 6, 10, 12], "PzIV": [4, 7, 8], "PzV": [5, 9], "PzVI": [3, 11]}
    for kind in of:
        assert charts.types[kind].replacement == "armor"
    assert charts.types["Marder"].replacement == charts.types["PzIII"].replacement == "none"


def test_costs_are_sixths(charts: Charts) -> None:
    """9.4.2: a third of a point for a motorized unit on a secondary road in frost; 9.2.1: rivers."""
    assert charts.terrain["secondary_strategic"].cost[MOTORIZED][FROZEN] * 3 == POINT
    assert charts.terrain["river"].cost[FOOT] == (ALL, ALL)
    assert charts.terrain["river"].cost[ARMOR] == (NO, NO)
    assert charts.terrain["clear"].cost[FOOT][FROZEN] == POINT
    for name in ("primary", "secondary", "trail"):
        for cls in (FOOT, MOTORIZED, ARMOR):
            frozen, mud = charts.terrain[name].cost[cls]
            assert frozen <= mud <= charts.terrain["clear"].cost[cls][MUD]
            fast = charts.terrain[f"{name}_strategic"].cost[cls]
            assert (fast[FROZEN], fast[MUD]) <= (frozen, mud)


def test_terrain_in_combat(charts: Charts) -> None:
    rows = charts.terrain_combat
    assert rows["village"].halved == "none"
    assert rows["town"].combined_arms == 1
    assert rows["forest"].combined_arms == 0
    assert not rows["town"].superiority
    assert {w for w, r in rows.items() if r.points == "two"} == {"village", "woods", "improved_position"}
    assert {w for w, r in rows.items() if r.halved == "all"} == {"stream", "river"}


# --- the page of figures -------------------------------------------------------------------------------------------


def test_the_page_shows_the_figures_of_the_pack() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert printed(text) == stats.report(PACK)


def test_pack_toml_is_sorted_out_for_players() -> None:
    doc = tomllib.loads(PACK.text("pack.toml"))
    assert [s["id"] for s in doc["sides"]] == list(SIDES)
    assert sorted(doc["scenarios"]) == PACK.scenarios()
