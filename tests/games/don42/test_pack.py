"""The pack of Strike of the Heron against what the rulebook states."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest

from kessel.core.hexes import hex_list
from kessel.core.pack import PROVENANCES, Pack
from kessel.lab.pack_statistics import don42 as stats
from kessel.lab.pack_statistics.pages import printed

PACK = Pack("don42")
COUNTERS = {r["id"]: r for r in PACK.rows("counters.csv")}
SCENARIOS = {name: PACK.toml(f"scenarios/{name}.toml") for name in PACK.scenarios()}
COLUMNS = tuple(str(c) for c in range(-4, 5))


def faces(unit: str) -> list[tuple[int, ...]]:
    return [tuple(map(int, f.split("-"))) for f in COUNTERS[unit]["faces"].split()]


def of(formation: str) -> list[str]:
    return [u for u, r in COUNTERS.items() if formation in (r["division"], r["corps"], r["army"])]


def entries(scenario: str, kind: str = "setup") -> dict[str, list[dict[str, object]]]:
    """The entries of a scenario by the statement they come from."""
    found: dict[str, list[dict[str, object]]] = {}
    for e in SCENARIOS[scenario].get(kind, []):
        found.setdefault(e["rule"], []).append(e)
    return found


# --- counters ------------------------------------------------------------------------------------------------------


def test_235_ground_units_and_11_air_units_leave_32_of_280_counters_for_markers():
    air = [u for u, r in COUNTERS.items() if r["size"] == "air"]
    assert (len(COUNTERS) - len(air), len(air)) == (235, 11)
    assert 280 - len(COUNTERS) - PACK.toml("pack.toml")["constants"]["pontoons"] == 32


COUNTS = (
    "384Div 6, 389Div 6, 76Div 6, 295Div 6, 71Div 6, 16Pz 18, 3Mot 18, 60Mot 17, 87Div 3, 98Div 2, 35Gds 3, 33Gds 2, "
    "399Div 2, 298Div 2, 18Div 2, 27Gds 3, 37Gds 3, 39Gds 2, 315Div 2, 84Div 3, 64Div 2, 38Gds 2, 41Gds 3, "
    "NKVD 3, 2TkC 5, 4TkC 5, 7TkC 5, 16TkC 5, 22TkC 5, 23TkC 4, 28TkC 5, 24A 10, 66A 18"
)


@pytest.mark.parametrize(("formation", "count"), [tuple(x.split()) for x in COUNTS.split(", ")])
def test_formations_have_the_stated_number_of_counters(formation, count):
    assert len(of(formation)) == int(count)


@pytest.mark.parametrize(
    ("units", "value"),
    [
        (["16MG-1", "16MG-2", "3MG-1", "3MG-2", "3MG-3", "60MG-1", "60MG-2"], (0, 2, 6)),
        (["76AT", "384AT"], (3, 3, 10)),
        (["60PzJg"], (3, 5, 10)),
        (["60Rcn"], (1, 2, 12)),
    ],
)
def test_the_four_stated_values(units, value):
    for u in units:
        assert faces(u) == [value]
        assert "faces" in COUNTERS[u].words("stated")


@pytest.mark.rule("don42", "RX-CTR")
def test_every_counter_is_complete_and_says_where_it_comes_from():
    types = PACK.table("unit-types")
    for u, r in COUNTERS.items():
        assert r["provenance"] in PROVENANCES, u
        assert r["note"] or u[0] in "I", u
        assert r["type"] in types.rows, u
        assert set(r.words("stated")) <= set(r), u
        assert u.replace("-", "").isalnum(), u
        if r["size"] == "air":
            assert r["bombard"] or r["sp"], u
        else:
            assert r["quality"] in "ABC", u
            assert r["size"] in ("company", "battalion", "regiment", "brigade", "division", "corps", "army"), u
            assert 1 <= len(faces(u)) <= 2, u


def test_a_reduced_face_is_weaker_and_moves_alike():
    for u in COUNTERS:
        if len(two := faces(u) if COUNTERS[u]["faces"] else []) == 2:
            full, reduced = two
            assert reduced[0] < full[0], u
            assert reduced[1] < full[1], u
            assert reduced[2] == full[2], u


def test_divisions_belong_to_their_corps():
    for corps, divisions in PACK.toml("pack.toml")["formations"]["divisions"].items():
        for d in divisions:
            assert {COUNTERS[u]["corps"] for u in of(d)} == {corps}
            assert sum(COUNTERS[u]["type"] == "hq" for u in of(d)) == 1


def test_every_army_and_corps_has_one_hq():
    doc = PACK.toml("pack.toml")["formations"]
    for f in (*doc["armies"], *doc["tank_corps"], *doc["german_corps"]):
        assert COUNTERS[f"HQ{f}"]["type"] == "hq"


# --- charts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("odds", stats.ODDS)
def test_combat_tables_rise_with_die_and_column_one_rung_at_a_time(odds):
    t = stats.crt(PACK, odds)
    assert (t.rows, t.columns) == (tuple("123456"), COLUMNS)
    rung = {(d, c): stats.LADDER.index(t.at(d, c)) for d, c in itertools.product(t.rows, t.columns)}
    for d in t.rows:
        for left, right in itertools.pairwise(t.columns):
            assert 0 <= rung[d, right] - rung[d, left] <= 1
    for c in t.columns:
        for low, high in itertools.pairwise(t.rows):
            assert rung[low, c] <= rung[high, c]


def test_a_better_ratio_is_never_worse_and_every_result_occurs():
    tables = [stats.crt(PACK, o) for o in stats.ODDS]
    for worse, better in itertools.pairwise(tables):
        for d, c in itertools.product(worse.rows, worse.columns):
            assert stats.LADDER.index(worse.at(d, c)) <= stats.LADDER.index(better.at(d, c))
    assert {x for t in tables for x in t.cells.values()} == set(stats.LADDER)


def test_bombardment_rises_and_has_asterisks():
    t = PACK.table("bombardment")
    order = ("NE", "DRG", "DPT", "RTD")
    rung = {k: order.index(v.rstrip("*")) for k, v in t.cells.items()}
    for d, c in itertools.product(t.rows, t.columns):
        for d2, c2 in itertools.product(t.rows, t.columns):
            if d2 >= d and t.columns.index(c2) >= t.columns.index(c):
                assert rung[d, c] <= rung[d2, c2]
    assert any(v.endswith("*") for v in t.cells.values())


def test_activation_gets_harder_with_a_longer_line():
    t = PACK.table("activation")
    needed = [t.number("activates_on", c) for c in t.columns]
    assert needed == sorted(needed)
    assert all(2 < n <= 12 for n in needed)


def test_terrain_chart_keeps_the_stated_cells():
    t = PACK.table("terrain")
    stated = {
        ("major_road", "rain"): "1",
        ("major_road", "mud"): "1",
        ("minor_road", "clear"): "1",
        ("minor_road", "rain"): "2",
        ("minor_road", "mud"): "3",
        ("minor_river", "clear"): "2",
        ("gorge", "clear"): "3",
        ("major_river", "clear"): "no",
    }
    for (row, column), value in stated.items():
        assert t.at(row, column) == value
        assert f"{row}/{column}" in t.stated
    for row in ("clear", "hill", "town", "city"):
        clear, rain, mud = (int(t.at(row, w)) for w in ("clear", "rain", "mud"))
        assert (rain - clear, mud - clear) == (1, 2)


def test_statistics_in_the_notes_are_those_of_the_tables():
    text = (Path(__file__).parents[3] / "docs" / "reconstruction-don42.md").read_text()
    assert printed(text) == stats.report(PACK)


def test_objectives_are_worth_235():
    t = PACK.table("objectives")
    values = Counter(t.number(h, "vp") for h in t.rows)
    assert values == {5: 9, 10: 9, 25: 4}
    assert sum(t.number(h, "vp") for h in t.rows) == 235


# --- readings ------------------------------------------------------------------------------------------------------


def test_every_switch_has_a_rule_and_at_least_two_choices():
    switches = PACK.toml("pack.toml")["switches"]
    for name, s in switches.items():
        if isinstance(s, dict):
            assert len(set(s["choices"])) == len(s["choices"]) >= 2, name
            assert s["rule"], name
            assert s["note"], name


def test_rules_list_is_complete_and_few_statements_are_mere_notes():
    rows = PACK.rows("rules.csv")
    assert len(rows) == len({r["rule"] for r in rows}) == 681
    assert sum(bool(r["note"]) for r in rows) <= 0.08 * len(rows)


# --- scenarios -----------------------------------------------------------------------------------------------------


def test_the_four_scenarios():
    assert set(SCENARIOS) == set(PACK.toml("pack.toml")["scenarios"])
    assert [SCENARIOS[s]["number"] for s in PACK.toml("pack.toml")["scenarios"]] == [1, 2, 3, 4]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_entries_name_known_units_and_one_kind_of_place(scenario):
    for kind in ("setup", "reinforcement", "exit"):
        for e in SCENARIOS[scenario].get(kind, []):
            for u in e.get("units", "").split():
                assert u in COUNTERS, e
                assert COUNTERS[u]["side"] == e["side"], e
            if "formation" in e:
                assert of(e["formation"]), e
            if kind == "setup":
                assert sum(k in e for k in ("in", "near", "area", "each", "with", "beside", "bank")) == 1, e
                assert ("near" not in e and "area" not in e) or "within" in e, e


@pytest.mark.parametrize("scenario", ["crossing-the-don", "kotluban", "short-game"])
def test_no_unit_is_placed_twice_and_free_choices_fit_their_formations(scenario):
    named: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    for e in SCENARIOS[scenario]["setup"]:
        if "any" in e:
            taken[e["formation"]] += e["any"]
        else:
            named.update(e["units"].split())
        if "each" in e:
            assert len(hex_list(e["each"])) == e.get("any", len(e.get("units", "").split())), e
    assert max(named.values()) == 1
    for formation, count in taken.items():
        assert count == len(of(formation)) - sum(u in named for u in of(formation)), formation
