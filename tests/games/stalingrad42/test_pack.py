"""The data of Stalingrad '42: what the rulebook pins down about its charts and counters."""

from __future__ import annotations

import gc
import re
import tomllib
import weakref
from collections import Counter
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from kessel.core.game import Game
from kessel.core.pack import PROVENANCES, Pack
from kessel.lab.pack_statistics import stalingrad42 as statistics

PACK = Pack("stalingrad42", overlays=())
GAME = "stalingrad42"
CRT = statistics.crt(PACK)
DD = statistics.determined_defense(PACK)
COUNTERS = {row["id"]: row for row in PACK.rows("counters.csv")}
FACE = re.compile(r"(?:(\d+|S)(?:\[(\d+)\])?-(\(\d+\)|\d+)-(?:(\d+)(b?)|T))|R")


def members(group: str) -> list[str]:
    return [i for i, row in COUNTERS.items() if group in row.words("group")]


# --- Combat Results Table ------------------------------------------------------------------------------------------


def test_the_nine_columns_and_six_rows() -> None:
    """8.4.1 and the odds of 8.3: 1-3 to 7-1 in whole steps; one die."""
    assert list(CRT) == ["1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1"]
    assert list(CRT) == PACK.toml("pack.toml")["constants"]["crt_columns"]
    assert PACK.table("crt").rows == tuple("123456")


def test_only_the_nine_codes_and_every_one_of_them() -> None:
    """10.1 lists the results; there is no other."""
    assert {r.code for column in CRT.values() for r in column} == set(PACK.table("results").rows)


@pytest.mark.parametrize(
    ("code", "row"),
    [
        ("DS", "0 1 opponent 4 full_retreat 0 printed"),
        ("DR4", "0 0 owner 4 full_retreat 0 printed"),
        ("D1", "0 1 owner 3 disrupted 1 printed"),
        ("A1/D1", "1 1 owner 2 disrupted 1 printed"),
        ("DR2", "0 0 owner 2 disrupted 1 printed"),
        ("A1/DR2", "1 0 owner 2 disrupted 1 printed"),
        ("DRX", "1 1 opponent 2 disrupted 1 printed"),
        ("EX", "1 1 opponent 0 none 0 limited"),
        ("A1", "1 0 owner 0 none 0 none"),
    ],
)
def test_what_a_code_does(code: str, row: str) -> None:
    assert " ".join(PACK.table("results").row(code).values()) == row


def test_a_retreat_carries_an_advance_and_nothing_else_does() -> None:
    for column in CRT.values():
        for r in column:
            assert (r.advance in (2, 3, 4)) is (r.retreat > 0), r


def test_all_three_advances_occur_and_ds_goes_with_four() -> None:
    """10.1, 15.1; the examples all read DS Adv 4."""
    cells = [r for column in CRT.values() for r in column]
    assert {r.advance for r in cells} == {0, 2, 3, 4}
    assert {r.advance for r in cells if r.code == "DS"} == {4}
    assert {(r.retreat, r.advance) for r in cells if (r.retreat > 0)} == {(2, 2), (3, 3), (4, 4)}


def test_colours() -> None:
    """11.2.2: DS and DR4 forbid a Determined Defense; orange stands on cancellable results only, at least once."""
    cells = [r for column in CRT.values() for r in column]
    for r in cells:
        assert (r.colour == "noDD") is (r.code in ("DS", "DR4")), r
        assert r.colour != "orange" or r.code in ("D1", "A1/D1", "DR2", "A1/DR2", "DRX"), r
    assert any(r.colour == "orange" for r in cells)


def test_a_d1_without_orange_exists() -> None:
    """The Desperate Defense of 11.5.2 adds +1 for the Elite lead and nothing else."""
    assert any(r.code == "D1" and r.colour == "plain" for column in CRT.values() for r in column)


def test_seven_to_one_is_not_all_ds() -> None:
    """8.4.1: otherwise 8-1 and 9-1 would not need that column."""
    assert {r.code for r in CRT["7-1"]} != {"DS"}
    assert any(r.code == "DS" for r in CRT["7-1"])


def test_better_odds_are_never_worse() -> None:
    """Means and chances move one way from column to column."""
    figures = [statistics.column_statistics(c) for c in CRT.values()]
    for worse, better in pairwise(figures):
        assert better.attacker_loss <= worse.attacker_loss
        for name in ("defender_loss", "retreat", "retreat_hexes", "adv3", "ds"):
            assert getattr(better, name) >= getattr(worse, name), name


def test_the_table_is_smooth_in_odds() -> None:
    """No column differs from the next by more than two of the six cells' worth of any mean."""
    figures = [statistics.column_statistics(c) for c in CRT.values()]
    for one, other in pairwise(figures):
        for name in ("attacker_loss", "defender_loss", "retreat", "adv3", "ds"):
            assert abs(getattr(one, name) - getattr(other, name)) <= Fraction(1, 3), name


def test_a_better_roll_is_never_worse_for_the_attacker() -> None:
    order = ["A1", "EX", "A1/DR2", "DRX", "A1/D1", "DR2", "D1", "DR4", "DS"]
    for column in CRT.values():
        ranks = [order.index(r.code) for r in column]
        assert ranks == sorted(ranks, reverse=True)
    assert PACK.toml("pack.toml")["constants"]["crt"]["best_roll"] == "low"


# --- Determined Defense Table --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("roll", "cell"), [(3, "F -/-"), (5, "S -/1")])
def test_the_two_known_cells(roll: int, cell: str) -> None:
    table = PACK.table("determined_defense")
    assert table.at(roll, "other") == cell
    assert f"{roll}/other" in table.stated


def test_determined_defense_columns_and_open_ends() -> None:
    table = PACK.table("determined_defense")
    assert table.columns == ("clear_desert", "other", "city")
    assert table.rows == ("1-", "2", "3", "4", "5", "6", "7+")
    assert all(set(column) == set(range(-1, 9)) for column in DD.values())


def test_determined_defense_entries() -> None:
    """11.4.1, 11.5.2, 11.6: S, P, F; F costs nothing or one defender step; P in the City and elsewhere; an asterisk."""
    cells = [(name, o) for name, column in DD.items() for o in column.values()]
    for _, o in cells:
        assert o.code in "SPF"
        assert o.attacker_loss <= 1
        assert o.defender_loss <= 1
        assert o.code != "F" or o.attacker_loss == 0
    assert {o.defender_loss for _, o in cells if o.code == "F"} == {0, 1}
    assert {name for name, o in cells if o.code == "P"} >= {"city", "other"}
    assert any(o.code == "P" and o.defender_loss for _, o in cells)
    assert any(o.defender_picks for _, o in cells)


def test_a_higher_roll_and_a_better_place_help_the_defender() -> None:
    order = "FPS"
    for column in DD.values():
        ranks = [order.index(column[roll].code) for roll in range(-1, 9)]
        assert ranks == sorted(ranks)
    for roll in range(-1, 9):
        ranks = [order.index(DD[name][roll].code) for name in ("clear_desert", "other", "city")]
        assert ranks == sorted(ranks)


def test_determined_defense_modifiers() -> None:
    table = PACK.table("determined_defense_modifiers")
    assert {r: table.number(r, "drm") for r in table.rows} == {
        "elite_lead": 1,
        "low_lead": -1,
        "defensive_support": 1,
        "orange_result": -1,
    }


# --- charts that are complete in the text --------------------------------------------------------------------------


@pytest.mark.rule(GAME, "13.5a")
def test_rally_table() -> None:
    table = PACK.table("rally")
    assert [table.at(roll, "result") for roll in range(1, 7)] == ["stay"] * 4 + ["recover"] * 2


@pytest.mark.rule(GAME, "16.5.2")
def test_attrition_table() -> None:
    table = PACK.table("attrition")
    assert [table.number(roll, "steps_lost") for roll in range(1, 7)] == [1, 1, 1, 1, 0, 0]


@pytest.mark.rule(GAME, "23.1a")
def test_weather_table() -> None:
    table = PACK.table("weather")
    assert [table.at(roll, "summer") for roll in range(1, 7)] == ["clear"] * 6
    assert [table.at(roll, "early_fall") for roll in range(1, 7)] == ["overcast"] * 2 + ["clear"] * 4
    assert [table.at(roll, "rasputitsa") for roll in range(1, 7)] == ["rain"] * 2 + ["overcast"] * 2 + ["clear"] * 2
    assert [table.at(roll, "winter") for roll in range(1, 7)] == ["snow"] * 2 + ["overcast_w"] * 2 + ["clear"] * 2


@pytest.mark.rule(GAME, "27.2a")
def test_disengagement_table() -> None:
    table = PACK.table("disengagement")
    found = [(table.at(r, "result"), table.number(r, "steps_lost")) for r in range(1, 7)]
    assert found == [("no", 0), ("no", 0), ("yes", 1), ("yes", 0), ("yes", 0), ("yes", 0)]


@pytest.mark.parametrize(
    ("crossing", "mech", "foot", "start_adjacent"),
    [
        ("minor_river", 0, 0, 0),
        ("major_river", 6, 4, 1),
        ("major_river_pontoon", 6, 4, 0),
        ("major_river_ferry", 6, 4, 0),
        ("major_river_rail_bridge", 4, 2, 0),
        ("major_river_road_bridge", 0, 0, 0),
        ("major_river_frozen", 4, 2, 0),
        ("lake_frozen", 4, 2, 0),
    ],
)
def test_river_surcharges(crossing: str, mech: int, foot: int, start_adjacent: int) -> None:
    """5.5, 23.4, in half Movement Points."""
    row = PACK.table("hexsides").row(crossing)
    found = [int(row[k]) for k in ("mech_halves", "foot_halves", "start_adjacent")]
    assert found == [mech, foot, start_adjacent]


def test_minor_rivers_cost_one_in_rain() -> None:
    table = PACK.table("hexsides")
    assert (table.number("minor_river", "mech_halves_rain"), table.number("minor_river", "foot_halves_rain")) == (2, 2)


def test_terrain_chart() -> None:
    """Chapters 9, 11, 14, 16: what the Terrain Effects Chart must say about combat, advance and supply."""
    table = PACK.table("terrain")
    rows = {t: table.row(t) for t in table.rows}
    assert {t for t, r in rows.items() if r["shift"] == "-1"} == {"rough", "wooded_rough"}
    no_shift = {"woods", "wooded_rough", "marsh", "mountain", "alpine", "minor_city", "major_city"}
    assert {t for t, r in rows.items() if r["tank_shift"] == "0"} == no_shift
    assert {t for t, r in rows.items() if r["dd_column"] == "city"} == {"minor_city", "major_city"}
    assert {t for t, r in rows.items() if r["dd_column"] == "clear_desert"} == {"clear", "desert", "seasonal_marsh"}
    assert {t for t, r in rows.items() if r["los_weight"] == "2"} == {"marsh", "mountain", "alpine"}
    assert {t for t, r in rows.items() if r["ends_advance"] == "1"} == {"marsh", "mountain", "alpine"}
    no_fort = {"wooded_rough", "marsh", "mountain", "alpine", "minor_city", "major_city"}
    assert {t for t, r in rows.items() if r["fort_buildable"] == "0"} == no_fort
    assert {t for t, r in rows.items() if r["mech_halves"] == "-"} == {"mountain", "alpine"}
    assert rows["clear"]["foot_halves"] == "2"
    for row in rows.values():
        assert row["mech_halves"] == "-" or int(row["mech_halves"]) >= int(row["foot_halves"])


# --- turn tracks ---------------------------------------------------------------------------------------------------


@cache
def track(name: str) -> dict[int, dict[str, str]]:
    table = PACK.table(name)
    return {int(row): table.row(row) for row in table.rows}


def test_the_track_runs_from_28_june_to_the_end_of_december() -> None:
    turns = track("turns")
    assert list(turns) == list(range(1, 37))
    days = [(date.fromisoformat(t["first_day"]), date.fromisoformat(t["last_day"])) for t in turns.values()]
    assert days[0][0] == date(1942, 6, 28)
    assert days[-1][1] == date(1942, 12, 31)
    assert days[7][0] <= date(1942, 7, 28) <= days[7][1]
    assert all((b[0] - a[1]).days == 1 for a, b in pairwise(days))
    assert track("turns_caucasus_uranus").keys() == set(range(10, 37))
    for turn, row in track("turns_caucasus_uranus").items():
        assert (row["first_day"], row["season"]) == (turns[turn]["first_day"], turns[turn]["season"])


def test_seasons() -> None:
    """23.1, 23.3, 23.4: nothing is rolled before Turn 17, Winter starts on Turn 28."""
    seasons = [t["season"] for t in track("turns").values()]
    assert seasons == ["summer"] * 16 + ["early_fall"] * 4 + ["rasputitsa"] * 7 + ["winter"] * 9


def test_benchmarks_leave_room_for_the_scenario_thresholds() -> None:
    """24.2 with S4.4: 24 VPs on Turn 28 and 20 or 21 VPs on Turn 36 must not be decided by the benchmark."""
    marks = [int(t["benchmark"]) for t in track("turns").values()]
    assert 19 <= marks[27] <= 29
    assert 15 <= marks[35] <= 26
    assert marks[:28] == sorted(marks[:28])
    assert all(abs(b - a) <= 2 for a, b in pairwise(marks))


@pytest.mark.rule(GAME, "S3.2c")
def test_no_replacements_on_the_first_turn_of_uranus() -> None:
    row = track("turns_caucasus_uranus")[28]
    assert {row[k] for k in row if k.startswith(("axis_", "soviet_"))} == {"0"}


@pytest.mark.rule(GAME, "S2.4b")
def test_no_axis_replacements_on_the_first_turn_of_caucasus() -> None:
    row = track("turns_caucasus_uranus")[10]
    assert {row[k] for k in row if k.startswith("axis_")} == {"0"}


# --- counters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", COUNTERS.values(), ids=COUNTERS)
def test_counter_row(row: dict[str, str]) -> None:
    assert re.fullmatch(r"[A-Za-z0-9+-]+", row["id"])
    assert row["side"] in ("axis", "soviet")
    assert row["provenance"] in PROVENANCES
    assert set(row["stated"].split()) <= set(row)
    faces = row["faces"].split(";")
    assert len(faces) == int(row["steps"])
    assert all(FACE.fullmatch(f) for f in faces), faces
    assert "R" not in faces[:-1]
    assert (faces[-1] == "R") is bool(row["remnant"])
    assert not row["back"] or FACE.fullmatch(row["back"])
    assert 1 <= int(row["start_steps"]) <= int(row["steps"])
    kind = PACK.table("unit_types").row(row["type"])
    assert (row["mech"], row["infantry_type"]) == (kind["mech"], kind["infantry_type"])
    assert row["quality"] in ("elite", "normal", "low")
    assert row["tank_dot"] in ("none", "black", "red", "white")
    assert row["tank_dot"] != "red" or row["side"] == "axis"


def test_strength_falls_with_each_step() -> None:
    for row in COUNTERS.values():
        strengths = []
        for face in row["faces"].split(";"):
            shown = PACK.table("remnants").at(row["remnant"], "face") if face == "R" else face
            found = FACE.fullmatch(shown)
            assert found
            strengths.append((int(found[1]) if found[1] != "S" else 0, int(found[3].strip("()"))))
        for more, less in pairwise(strengths):
            assert less[0] <= more[0], row["id"]
            assert less[1] < more[1], row["id"]


@pytest.mark.parametrize(
    ("group", "count"),
    [("garrison", 12), ("nkvd", 8), ("bluecher", 5), ("volunteer", 6), ("reserve_army_5", 5), ("reserve_army_6", 4)],
)
def test_stated_numbers_of_units(group: str, count: int) -> None:
    """20.3, 20.4, 20.7, 20.8, S1.2."""
    assert len(members(group)) == count


def test_north_caucasus_group() -> None:
    """20.6: fifteen units and two Front HQs."""
    found = Counter(COUNTERS[i]["asu"] for i in members("north_caucasus"))
    assert found == {"": 15, "front_hq": 2}


@pytest.mark.parametrize(
    ("kind", "count"),
    [("army_hq", 3), ("leader", 2), ("reserve_army", 6), ("mountain", 11), ("engineer", 1)],
)
def test_stated_numbers_by_type(kind: str, count: int) -> None:
    """20.1, 28.1, 34.1, 20.2, 20.9."""
    assert sum(row["type"] == kind for row in COUNTERS.values()) == count


@pytest.mark.parametrize(("side", "count"), [("axis", 5), ("soviet", 4)])
def test_mobile_supply_points(side: str, count: int) -> None:
    """18.6.8."""
    found = [r for r in COUNTERS.values() if r["side"] == side and (r["faces"], r["back"]) == ("0-0-5b", "S-0-T")]
    assert len(found) == count == int(PACK.table("markers").at("mobile_supply_point", side))


@pytest.mark.parametrize(
    ("unit", "faces", "facts"),
    [
        ("9Pz", "10-8-6;7-6-6;R", "red elite"),
        ("11Pz", "10-8-6;7-6-6;R", "red elite"),
        ("23Pz", "10-8-6;7-6-6;R", "red elite"),
        ("75Inf", "6-7-3;4-5-3;R", "none normal"),
        ("GD", "7-8-6;5-6-6;R", "black elite"),
        ("121Rfl", "3-5-3;1-3-3", "none normal"),
        ("16TC", "7-5-5;4-3-5", "black normal"),
        ("Wiking-T13", "8-10-6;6-8-6;4-5-6;R", "black elite"),
        ("1TD", "1-3-5", "white normal"),
        ("5ShkA-HQ", "0-0-3", "none normal"),
        ("5TkA-HQ", "0-0-6", "none normal"),
    ],
)
def test_values_the_text_shows(unit: str, faces: str, facts: str) -> None:
    row = COUNTERS[unit]
    assert (row["faces"], f"{row['tank_dot']} {row['quality']}") == (faces, facts)


def test_a_four_six_three_exists() -> None:
    """The example of 8.5.2."""
    assert any(row["faces"].startswith("4-6-3") and row["infantry_type"] == "1" for row in COUNTERS.values())


def test_special_units() -> None:
    """20.2, 20.9, 32.3, 32.5, 14.2.2."""
    axis_mountain = [r for r in COUNTERS.values() if r["type"] == "mountain" and r["side"] == "axis"]
    assert all(r["doubled"] == "mountain" and "[" in r["faces"] for r in axis_mountain)
    soviet_mountain = [r for r in COUNTERS.values() if r["type"] == "mountain" and r["side"] == "soviet"]
    assert all(r["doubled"] == "" for r in soviet_mountain)
    assert (COUNTERS["Linden"]["doubled"], COUNTERS["Linden"]["replacements"]) == ("city", "")
    assert COUNTERS["1RFSS"]["branch"] == "ss"
    assert int(COUNTERS["1RFSS"]["steps"]) >= 2
    assert (COUNTERS["Barbo"]["nation"], COUNTERS["Barbo"]["type"]) == ("italian", "cavalry")
    assert int(COUNTERS["27Pz"]["steps"]) >= 2
    assert COUNTERS["1GdsA-HQ"]["faces"] == COUNTERS["5ShkA-HQ"]["faces"] == "0-0-3"


def test_superscript_is_twice_the_attack() -> None:
    for row in COUNTERS.values():
        for face in row["faces"].split(";"):
            found = FACE.fullmatch(face)
            if found and found[2]:
                assert int(found[2]) == 2 * int(found[1])


@pytest.mark.rule(GAME, "2.3.2e")
def test_guards_are_elite() -> None:
    guards = [r for r in COUNTERS.values() if r["branch"] == "guards" and r["type"] not in ("army_hq",)]
    assert guards
    assert {r["quality"] for r in guards} == {"elite"}


@pytest.mark.rule(GAME, "20.5")
def test_the_axis_allies() -> None:
    nations = {r["nation"] for r in COUNTERS.values() if r["side"] == "axis"} - {"german"}
    assert nations == {"romanian", "hungarian", "italian", "slovak", "croat", "caucasian"}
    assert nations == set(PACK.toml("pack.toml")["sides"][0]["allies"])


def test_three_step_units_have_a_remnant_to_take() -> None:
    pool = PACK.table("remnants")
    for row in COUNTERS.values():
        if row["remnant"]:
            assert pool.number(row["remnant"], "count") > 0
            assert pool.at(row["remnant"], "type") == row["type"]


def test_asus() -> None:
    """18.2: one step, a Ready and a Used side, a range; HQs of four Axis nations, Soviet Artillery Divisions."""
    asus = [r for r in COUNTERS.values() if r["asu"]]
    for row in asus:
        assert (row["steps"], row["mech"]) == ("1", "1")
        assert row["faces"].startswith("S-(")
        assert row["back"].startswith("0-(")
        assert int(row["range"]) > 0
    assert {r["nation"] for r in asus if r["asu"] == "army_hq"} == {"german", "romanian", "hungarian", "italian"}
    assert {r["side"] for r in asus if r["asu"] == "artillery_division"} == {"soviet"}


# --- pack.toml, rules.csv ------------------------------------------------------------------------------------------


def test_switches_have_a_rule_and_two_choices() -> None:
    known = {row["rule"] for row in PACK.rows("rules.csv")}
    for name, switch in PACK.toml("pack.toml")["switches"].items():
        if name == "provenance":
            continue
        assert len(switch["choices"]) >= 2, name
        assert any(rule.startswith(switch["rule"]) for rule in known), name
        assert switch["note"], name


def test_rules_list() -> None:
    rows = PACK.rows("rules.csv")
    assert len(rows) == 836
    assert len({r["rule"] for r in rows}) == 836
    assert sum(bool(r["note"]) for r in rows) <= 0.08 * 836
    assert all(r["title"] and r["kind"] for r in rows)


def test_marker_limits() -> None:
    table = PACK.table("markers")
    stated = {"fortification": ("12", "24"), "reserve": ("3", "3"), "planned_offensive": ("2", "2")}
    assert {m: (table.at(m, "axis"), table.at(m, "soviet")) for m in stated} == stated


def test_every_toml_file_reads() -> None:
    for name in PACK.files():
        if name.endswith(".toml"):
            tomllib.loads(Path(PACK.path(name)).read_text(encoding="utf-8"))


@pytest.mark.parametrize("report", [statistics.crt_report, statistics.defense_report, statistics.held_report])
def test_the_printed_statistics_are_those_of_the_tables(report: Callable[[Pack], str]) -> None:
    page = Path(__file__).parents[3] / "docs" / "reconstruction-stalingrad42.md"
    assert report(PACK) in page.read_text(encoding="utf-8")


def test_a_pack_goes_with_the_last_game_played_with_it() -> None:
    pack = Pack("stalingrad42", overlays=())
    game = Game.new(GAME, "fall-blau", seed=1, pack=pack)
    game.board.map.cache["test"] = 1
    gone = weakref.ref(pack), weakref.ref(game.board), weakref.ref(game.board.map)
    del pack, game
    gc.collect()
    assert [ref() for ref in gone] == [None] * 3
