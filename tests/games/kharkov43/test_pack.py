"""The pack of Kharkov '43 against what the rulebook states and what its examples need."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

from kessel.core.pack import PROVENANCES
from kessel.core.rules import MOST_NOTES, statements
from kessel.games.kharkov43.data.forces import read_counters
from kessel.lab.pack_statistics import kharkov43 as stats
from kessel.lab.pack_statistics.pages import printed
from tests.games.kharkov43.pack_facts import (
    ADJUSTMENTS,
    ARMIES,
    CARDS,
    CHITS,
    CORPS,
    DOC,
    GAME,
    GERMAN_HEXES,
    GRID,
    IN_PLAY,
    PACK,
    START,
    UNITS,
    distance,
    face,
    faces,
    kind,
    near,
    of,
    strength,
)

# --- counters ------------------------------------------------------------------------------------------------------


def test_every_counter_is_complete_and_says_where_it_comes_from():
    for u, r in UNITS.items():
        assert r["provenance"] in PROVENANCES, u
        assert set(r.words("stated")) <= set(r), u
        assert r.number("steps") == len(faces(u)), u
        assert len(r.words("type")) in (1, len(faces(u))), u
        assert u.split(".")[-1] == r["army"], u
        assert r["division"] == (u.split(".")[1] if u.count(".") == 2 else ""), u
        assert (r["setup"] == "reserve") == bool(r["turn"]), u


@pytest.mark.rule(GAME, "2.21a")
@pytest.mark.rule(GAME, "2.21b")
def test_armies_and_corps_belong_to_their_fronts_and_armies():
    higher = dict(zip(ARMIES, "VVVSSS", strict=True)) | dict(zip(CORPS, "444411", strict=True))
    names = {"V": "Voronezh", "S": "Southwest", "4": "4Pz", "1": "1Pz"}
    for u, r in UNITS.items():
        assert r["front"] == names[higher[r["army"]]], u
        assert r["side"] == ("soviet" if r["army"] in ARMIES else "german"), u
    for army, data in (DOC["formations"]["soviet"] | DOC["formations"]["german"]).items():
        assert data["higher"] == names[higher[army]]
    assert DOC["formations"]["german"]["Raus"]["area"] == "Kempf"


@pytest.mark.rule(GAME, "2.21i")
def test_units_have_one_to_three_steps_and_weaken_with_each():
    assert {len(faces(u)) for u in UNITS} == {1, 2, 3}
    for u in UNITS:
        for full, less in itertools.pairwise(faces(u)):
            assert less[0] < full[0], u


@pytest.mark.rule(GAME, "2.21j")
def test_some_armor_loses_its_armor_with_a_step_and_no_unit_gains_any():
    changes = {tuple(r.words("type")) for r in UNITS.values() if len(set(r.words("type"))) > 1}
    assert changes == {("armor", "mechanized")}
    for side in ("soviet", "german"):
        assert any(r["type"] == "armor mechanized" for r in UNITS.values() if r["side"] == side)


@pytest.mark.rule(GAME, "2.21m")
@pytest.mark.parametrize("army", ARMIES + CORPS)
def test_selectors_run_from_1_to_36_and_differ_on_every_face_of_a_formation(army):
    numbers = [f[2] for u, r in UNITS.items() if r["army"] == army for f in faces(u)]
    assert len(set(numbers)) == len(numbers)
    assert all(1 <= n <= 36 for n in numbers)


@pytest.mark.rule(GAME, "2.21l")
def test_three_units_of_40th_army_have_an_asterisk():
    unused = {u for u in UNITS if u not in IN_PLAY}
    assert len(unused) == 3
    assert {UNITS[u]["army"] for u in unused} == {"40"}
    assert {c.id for c in read_counters(PACK)} == set(UNITS) - unused


def test_allowances_of_the_examples():
    allowance = {"infantry": 4, "cavalry": 5, "mechanized": 6, "armor": 6, "armored_cavalry": 6}
    for u in UNITS:
        for i, f in enumerate(faces(u)):
            assert f[1] == allowance[kind(u, i)], u


def test_there_are_units_of_every_type():
    assert {kind(u) for u in UNITS} == {"infantry", "cavalry", "mechanized", "armor", "armored_cavalry"}


def test_set_up_hexes_exist_and_hold_at_most_three_units_or_six_steps():
    stacks: dict[str, list[str]] = {}
    for u, h in START.items():
        assert h in GRID, u
        stacks.setdefault(h, []).append(u)
    for h, units in stacks.items():
        assert len(units) <= DOC["constants"]["stack_units"], h
        assert sum(len(faces(u)) for u in units) <= DOC["constants"]["stack_steps"], h
        assert len({UNITS[u]["side"] for u in units}) == 1, h


def test_reserves_enter_within_the_game():
    turns = {int(r["turn"]) for r in UNITS.values() if r["turn"]}
    assert turns <= set(range(1, 15))
    soviet_gt1 = {a: [u for u in of(a) if UNITS[u]["turn"] == "1"] for a in ARMIES}
    assert sorted(soviet_gt1["Popov"]) == ["18.Popov", "41G.Popov"]
    assert soviet_gt1["1G"] == ["38G.1G"]
    assert len(soviet_gt1["40"]) == 1
    iiss = [u for u in of("IISS") if UNITS[u]["turn"] == "1"]
    assert {u.split(".")[0] for u in iiss} == {"AH", "DF", "LG", "DL"}
    assert not [u for u in of("IISS") if u in START]


NAMED = (
    "A.12.3T 1GC.3T 10.Popov 18.Popov 41G.Popov A.4G.Popov 3.Popov 172.6 106.6 38G.1G 585.320.Raus 586.320.Raus "
    "587.320.Raus 417.168.Raus 429.168.Raus Fus.GD.XLVIII Gre.GD.XLVIII 298.LVII 27.19P.III 73.19P.III 679.333.XL "
    "Wes.Wik.XL AH.LAH.IISS"
)


@pytest.mark.parametrize("unit", NAMED.split())
def test_units_the_text_names_are_there(unit):
    assert {"id", "army"} <= set(UNITS[unit].words("stated"))


@pytest.mark.parametrize(
    ("hex", "units"),
    [
        ("0205", "417.168.Raus 429.168.Raus"),
        ("0604", "Fus.GD.XLVIII"),
        ("0803", "Gre.GD.XLVIII"),
        ("1003", "298.LVII"),
        ("1203", "585.320.Raus"),
        ("1402", "586.320.Raus"),
        ("1503", "587.320.Raus"),
        ("1604", "679.333.XL"),
        ("1802", "27.19P.III"),
    ],
)
def test_german_positions_the_set_up_reports_attack(hex, units):
    assert sorted(u for u, h in START.items() if h == hex) == units.split()


# --- counters: what the examples need ------------------------------------------------------------------------------

DISTANCES = {1: 8, 3: 9, 4: 8, 5: 8, 6: 9, 8: 8, 9: 9}
"""9.21 example: hexes from Chuguev at the start."""


def test_3rd_tank_army_at_the_start_has_the_selectors_and_distances_of_the_example():
    at_start = {faces(u)[0][2]: START[u] for u in of("3T") if u in START}
    assert sorted(at_start) == [1, 3, 4, 5, 6, 8, 9, 10, 15, 24]
    assert {s: distance(at_start[s], "1009") for s in DISTANCES} == DISTANCES
    beside = {s for s, h in at_start.items() if any(near(h, g) for g in GERMAN_HEXES)}
    assert beside == {5, 10, 15, 24}
    assert face("3T", 1) == ("A.12.3T", 2)


def test_the_hexes_of_the_9_21_example_fill_up_as_printed():
    def steps(h: str, *selectors: int) -> int:
        there = [u for u, x in START.items() if x == h] + [face("3T", s)[0] for s in selectors]
        return sum(len(faces(u)) for u in there)

    assert [UNITS[u]["army"] for u, h in START.items() if h == "1103"] == ["6"]
    assert not {"0504", "0802"} & set(START.values())
    assert all(UNITS[u]["army"] == "3T" for u, h in START.items() if h in ("0903", "1002"))
    assert steps("1103", 1, 4) == 6
    assert steps("0903", 8) == 6
    assert steps("1002", 9) == 6
    assert steps("0703") > 0
    assert len([u for u, h in START.items() if h == "0603"]) == 3


def test_germans_before_3rd_tank_army_tie_as_the_9_21_example_needs():
    full = {h: faces(next(u for u, x in START.items() if x == h))[0][0] for h in ("0604", "0803", "1003")}
    assert full["0604"] == full["0803"]
    assert full["1003"] <= full["0803"]


def test_reserves_of_the_12_2_example_make_the_attack_overwhelming_only_with_the_second():
    attack = [4, 5, 15]
    total = [sum(strength("3T", s) for s in s_) for s_ in (attack, [*attack, 2], [*attack, 2, 9])]
    chits = [sum(2 if face("3T", s)[1] == 3 else 1 for s in s_) for s_ in (attack, [*attack, 2], [*attack, 2, 9])]
    assert (total[2], chits[2]) == (22, 7)
    for t, c in zip(total[:2], chits[:2], strict=True):
        assert t < 24
        assert not (c >= 7 and t >= 18)
    assert len({face("3T", s)[0] for s in (2, 4, 5, 9, 15)}) == 5


def test_popov_units_of_the_examples():
    assert (strength("Popov", 2), strength("Popov", 14)) == (6, 3)
    assert sum(strength("Popov", s) for s in (2, 8, 21)) == 12
    assert sum(strength("Popov", s) for s in (6, 7)) == 8
    assert all(face("Popov", s)[1] >= 2 for s in (2, 6, 14)), "they lead attack checks on supplied Germans"
    for s, word in ((1, "armor"), (3, "armor"), (6, "armor"), (5, "infantry"), (8, "infantry")):
        u, steps = face("Popov", s)
        assert kind(u, len(faces(u)) - steps) == word, s
    assert face("Popov", 6)[0] == "A.4G.Popov"
    assert face("Popov", 14)[0] == "3.Popov"
    for together in ((2, 6, 7, 8, 14, 17, 21), (14, 6, 21, 7), (1, 3, 5, 6, 7, 8), (3, 6, 8)):
        assert len({face("Popov", s)[0] for s in together}) == len(together)
    assert len(faces("10.Popov")) == 3


def test_6th_army_units_of_the_examples():
    assert len([u for u in of("6") if (UNITS[u]["turn"] or "1") in "1234"]) == 4
    assert len({face("6", s)[0] for s in (2, 4, 8, 13)}) == 4


def test_an_army_has_a_04_that_is_armor_and_a_05_that_is_infantry():
    assert kind(face("3T", 4)[0]) == "armor"
    assert kind(face("3T", 5)[0]) == "infantry"


def test_german_units_of_the_examples():
    steps = {u.split(".")[0]: len(faces(u)) for u in of("IISS") if u.split(".")[0] in ("DF", "LG", "DL")}
    assert steps["DF"] + steps["LG"] <= 6 < sum(steps.values())
    assert {kind(u) for u in of("XL") if ".333." not in u} <= {"armor", "mechanized"}
    assert {kind(u) for u in of("XL") if ".333." in u} == {"infantry"}
    assert (kind("73.19P.III"), faces("73.19P.III")[0][1]) == ("armor", 6)
    assert len(faces("Wes.Wik.XL")) == 2
    army = [h for u, h in START.items() if UNITS[u]["army"] in ("XLVIII", "LVII", "IISS")]
    assert any(distance(h, "1108") <= 3 for h in army)
    german = {f[0] for u in IN_PLAY if UNITS[u]["side"] == "german" for f in faces(u)}
    assert {2, 3, 5} <= german


# --- chits ---------------------------------------------------------------------------------------------------------

SIDES = [(x.front, x.front_hits) for x in CHITS] + [(x.back, x.back_hits) for x in CHITS]
WORDS = {w for situation, _ in SIDES for w in situation.split()}


@pytest.mark.rule(GAME, "2.22a")
@pytest.mark.rule(GAME, "2.22e")
def test_sixty_chits_three_of_them_dark():
    assert len(CHITS) == len({x.id for x in CHITS}) == 60
    assert sum(x.dark for x in CHITS) == 3


SITUATIONS = (
    "ratio>=3 ratio>1 ratio<2 ratio>=8 ratio<1.5 clear broken woods town city german_airpower soviet_airpower "
    "attacker_artillery defender_artillery combat_engineers defender_adjacent dispersed_or_unsupplied flank_attack "
    "large_attack ip_crossfire one_hex_attack only_attacker_armor only_defender_armor nkvd attack_not_supported "
    "defender_not_supported soviets_not_supported command_value_1 command_value_2 command_value_3 command_value_4 "
    "command_value_5"
)


def test_every_situation_of_the_rules_is_on_a_chit_and_no_unknown_one():
    assert set(SITUATIONS.split()) <= WORDS
    rest = {w for w in WORDS - set(SITUATIONS.split()) if not re.fullmatch(r"ratio(>=|>|<)[\d.]+", w)}
    assert rest == {"marsh"}


@pytest.mark.rule(GAME, "2.22d")
def test_hit_codes_of_the_rules_are_on_chits():
    codes = {c for _, c in SIDES}
    assert {"A1", "D1", "D2", "A1 D1", "D-1", "S1", "G1"} == codes


@pytest.mark.parametrize(
    ("codes", "soviets_attack", "total"),
    [
        ("A1, A1 D1, D1", True, (2, 2)),
        ("D2, D1, A1 D1, D-1", True, (1, 3)),
        ("D2, D1, A1 D1, D-1, D-1", True, (1, 2)),
        ("S1, D1, D1, D1", True, (1, 3)),
        ("S1, D1, D1, D1", False, (0, 4)),
    ],
)
def test_the_sums_of_the_12_5_examples_can_be_drawn(codes, soviets_attack, total):
    wanted = Counter(codes.split(", "))
    have = Counter(c for x in CHITS for c in {x.front_hits, x.back_hits})
    assert all(have[c] >= n for c, n in wanted.items())
    hits = [stats.hits_of(c, soviets_attack) for c in codes.split(", ")]
    assert (sum(h[0] for h in hits), sum(h[1] for h in hits)) == total


TERRAIN = {"clear", "broken", "woods", "marsh", "town", "city"}
EXCLUSIVE = [
    {"flank_attack", "one_hex_attack"},
    {"only_attacker_armor", "only_defender_armor"},
    {"attack_not_supported", "defender_not_supported"},
]


def both_possible(a: str, b: str) -> bool:
    """Whether two situations can hold in one combat."""
    if a.startswith("ratio") and b.startswith("ratio"):
        samples = [stats.Combat(n, 20) for n in range(1, 400)]
        return any(stats.applies(a, c) and stats.applies(b, c) for c in samples)
    pair = {a, b}
    one_value = all(w.startswith("command_value") for w in pair)
    return a == b or not (pair <= TERRAIN or one_value or pair in EXCLUSIVE)


@pytest.mark.parametrize("chit", CHITS, ids=lambda x: x.id)
def test_one_side_has_priority_exactly_where_both_can_apply(chit):
    both = any(both_possible(a, b) for a in chit.front.split() for b in chit.back.split())
    assert chit.front_priority + chit.back_priority == both


def test_a_chit_with_clear_on_one_side_and_neither_clear_nor_town_on_the_other():
    assert any(
        "clear" in x.front.split() and not {"clear", "town"} & set(x.back.split()) <= TERRAIN for x in CHITS
    ) or any(x.front == "clear" and set(x.back.split()) <= TERRAIN - {"clear", "town"} for x in CHITS)


def test_better_odds_never_help_the_defender_nor_hurt_the_attacker():
    for n in (3, 6):
        found = [stats.expectation(CHITS, stats._combat_at(r, n, "clear")) for r in stats.RATIOS]
        for worse, better in itertools.pairwise(found):
            assert better.attacker <= worse.attacker
            assert better.defender >= worse.defender


def test_more_chits_hit_harder():
    for ratio in stats.RATIOS:
        found = [stats.expectation(CHITS, stats._combat_at(ratio, n, "clear")) for n in stats.DRAWS]
        for fewer, more in itertools.pairwise(found):
            assert more.attacker > fewer.attacker
            assert more.defender > fewer.defender


def test_every_tactic_with_a_situation_is_seen_at_least_one_time_in_seven():
    base = stats.Combat(12, 4, True, 6, frozenset({"clear", "command_value_3"}))
    for word in ("attacker_artillery", "soviet_airpower", "german_airpower", "combat_engineers", "nkvd"):
        assert stats.chance_of_change(CHITS, base, base.with_(word)) > 1 / 7, word


def test_statistics_draw_exactly():
    combat = stats._combat_at("3:1", 1, "clear")
    hits = [stats.counted(x, combat) for x in CHITS]
    e = stats.expectation(CHITS, combat)
    assert e.attacker == pytest.approx(sum(a for a, _ in hits) / 60)
    assert e.defender == pytest.approx(sum(max(d, 0) for _, d in hits) / 60)
    assert sum(stats.draw(hits, 7).values()) == 1


# --- charts --------------------------------------------------------------------------------------------------------


def test_movement_costs_of_the_10_2_examples():
    terrain, river = PACK.table("terrain"), PACK.table("hexsides")
    assert {t: terrain.at(t, "infantry") for t in terrain.rows} == {
        "clear": "1",
        "broken": "1",
        "marsh": "2",
        "woods": "2",
        "town": "1",
        "city": "1",
    }
    assert terrain.at("clear", "mechanized") == "1"
    assert all(terrain.number(t, "mechanized") > terrain.number(t, "infantry") for t in ("woods", "marsh"))
    assert (river.at("minor_river", "mechanized_frozen"), river.at("donets", "mechanized_frozen")) == ("1", "2")
    assert river.at("donets", "infantry_frozen") == "1"
    for r, unit in itertools.product(("minor_river", "donets"), ("infantry", "mechanized")):
        assert river.number(r, f"{unit}_light_mud") > river.number(r, f"{unit}_frozen")
    assert set(terrain.rows) == {PACK.map.doc.hexes[h].terrain for h in PACK.map.doc.hexes}


def test_objective_tables_name_hexes_of_the_map_and_lead_from_the_first_to_the_third():
    second, third = PACK.table("second_objective"), PACK.table("third_objective")
    starts = {h.split()[0] for a in ADJUSTMENTS.values() for h in a["objectives"].values()}
    assert starts <= set(second.rows)
    assert {c.split()[0] for c in second.cells.values()} == set(third.rows)
    for cell in (*second.cells.values(), *third.cells.values()):
        hex_, side = cell.split()
        assert hex_ in GRID
        assert side in "WS"
    assert second.at("1410", "1-6") == "2214 S"
    assert third.at("0614", "10") == "0821 S"
    chain = PACK.table("army_objectives")
    assert [chain.at("40", n) for n in "123"] == ["0311", "1012", "0215"]
    assert (chain.at("1G", "1"), chain.at("1G", "3")) == ("2102", "2701")


def test_attacker_hits_as_printed():
    t = PACK.table("attacker_hits")
    assert t.at(5, 2) == "D"
    assert t.at(1, 6) == t.at(4, 6) == "E"
    assert t.at(10, 4) == "4 2D"
    assert t.row(6) == t.row(7)
    assert t.row(8) == t.row(9)
    first = [t.at(s, 1) for s in range(1, 11)]
    assert first == ["D"] * 3 + ["1 0D"] * 2 + ["1"] * 5


def test_advance_table_as_printed():
    t = PACK.table("soviet_advance")
    assert [tuple(t.row(r).values()) for r in t.rows] == [("10", "6", "0")] * 6 + [("7", "3", "0")] * 3 + [
        ("0", "0", "0")
    ]


def test_calendar_agrees_with_the_cards_and_never_goes_back():
    t = PACK.table("calendar")
    assert t.rows == tuple(str(n) for n in range(1, 15))
    for turn in t.rows:
        for column, letter in (("german_cards", "P"), ("soviet_cards", "E")):
            coming = [c.id for c in CARDS.values() if c.id[0] == letter and c.enters == int(turn) > 1]
            assert t.at(turn, column).split() == coming
    hands = [t.number(n, "hand") for n in t.rows]
    assert hands[:2] == [4, 4]
    assert hands == sorted(hands)
    assert hands[-1] > hands[0]
    dealt = [t.number(n, "supplementals") for n in t.rows]
    assert dealt[:2] == [2, 4]
    assert dealt[6:13] == [7] * 7
    assert [t.at(n, "ground") for n in t.rows] == ["frozen"] * 6 + ["marker"] * 7 + ["frozen"]


def test_victory_levels_start_on_turn_4_and_leave_no_gap_on_the_last():
    t = PACK.table("calendar")
    levels = PACK.table("victory_levels")
    for n in range(1, 15):
        both = t.at(n, "defeat_above"), t.at(n, "victory_below")
        assert bool(both[0]) == bool(both[1]) == (n >= 4)
        if n >= 4:
            assert int(both[0]) >= int(both[1]) - 1
            assert f"german_{t.at(n, 'defeat_level')}_defeat" in levels.rows
            assert f"german_{t.at(n, 'victory_level')}_victory" in levels.rows
    assert t.number(14, "defeat_above") == t.number(14, "victory_below") - 1
    assert (t.number(6, "defeat_above"), t.number(6, "victory_below")) == (25, 15)


def test_five_ground_markers_of_three_kinds():
    t = PACK.table("ground_markers")
    numbers = {r: t.number(r, "markers") for r in t.rows}
    assert sum(numbers.values()) == 5
    assert set(numbers) == {"frozen", "light_mud", "heavy_mud"}
    assert min(numbers.values()) >= 1


def test_no_table_row_or_cell_claims_to_be_stated_without_existing():
    for name in PACK.files():
        if name.startswith("tables/"):
            table = PACK.table(name.removeprefix("tables/").removesuffix(".csv"))
            for cell in table.stated:
                row, _, column = cell.partition("/")
                assert (row, column) in table.cells, f"{name} {cell}"


# --- scenarios, readings, rules --------------------------------------------------------------------------------------


def test_three_scenarios_with_the_stated_turns_and_levels():
    docs = {n: PACK.toml(f"scenarios/{n}.toml") for n in DOC["scenarios"]}
    assert sorted(docs) == PACK.scenarios()
    assert {n: (d["first_turn"], d["last_turn"]) for n, d in docs.items()} == {
        "initial-assault": (1, 2),
        "star-and-gallop": (1, 6),
        "campaign": (1, 14),
    }
    levels = [(v["at_least"], v["level"]) for v in docs["star-and-gallop"]["victory"]]
    assert [n for n, _ in levels] == [24, 21, 18, 15, 0]
    assert docs["star-and-gallop"]["early_end"]["vp_at_least"] == 26
    assert [v["at_least"] for v in docs["initial-assault"]["victory"]] == [9, 0]
    known = set(PACK.table("victory_levels").rows)
    for d in docs.values():
        assert {v["level"] for v in d.get("victory", [])} <= known
        assert d["options"]["adjustment"] == ["roll", *ADJUSTMENTS]


def test_open_readings_are_switches_with_a_default_and_an_alternative():
    switches = {k: v for k, v in DOC["switches"].items() if isinstance(v, dict)}
    assert {f"O{n}" for n in range(1, 15)} <= {v["id"] for v in switches.values()}
    for name, v in switches.items():
        assert len(set(v["choices"])) >= 2, name
        assert v["rule"], name
        assert v["note"], name


def test_rules_list_is_complete():
    found = statements(PACK)
    assert len(found) == len({s.rule for s in found}) == 879
    assert all(s.title and s.kind for s in found)
    assert sum(bool(s.note) for s in found) <= MOST_NOTES * len(found)


def test_the_figures_in_the_reconstruction_notes_are_those_of_the_pack():
    path = Path(__file__).parents[3] / "docs" / "reconstruction-kharkov43.md"
    text = path.read_text(encoding="utf-8")
    assert printed(text) == stats.report(PACK)
