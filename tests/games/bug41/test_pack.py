"""The pack of Across the Bug River against what the player aid states, and against itself."""

from __future__ import annotations

import itertools
import shutil
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from kessel.core.errors import BadPack
from kessel.core.hexset import members
from kessel.core.pack import PROVENANCES, Pack
from kessel.core.provenance import provenance_of
from kessel.core.rules import MOST_NOTES, coverage, find, statements
from kessel.games.bug41.data.charts import DICE, ActionPoints, Charts, Hits
from kessel.games.bug41.data.forces import GERMAN, SIDES, SOVIET, Forces, read_counters
from kessel.games.bug41.data.scenario import Scenario, faults_of, read_scenario
from kessel.games.bug41.data.terrain import ALL_POINTS, NO_ENTRY, Ground
from kessel.lab.pack_statistics import bug41 as stats
from kessel.lab.pack_statistics.pages import printed

PACK = Pack("bug41")
CHARTS = Charts(PACK)
FORCES = Forces(read_counters(PACK, CHARTS), CHARTS)
GROUND = Ground(PACK.map, CHARTS)
SCENARIOS = {name: read_scenario(PACK, name) for name in PACK.scenarios()}
ROWS = PACK.rows("counters.csv")
RULES = {s.rule: s for s in statements(PACK)}


LADDER = "1:8 1:6 1:4 1:3 1:2 2:3 1:1 3:2 2:1 3:1 4:1 6:1 8:1 10:1 14:1 18:1 26:1"
"""The ratios of all rows of the Combat Results Table, one after the other."""


def units_of(formation: str) -> list[int]:
    return [u for u in range(len(FORCES)) if FORCES.formations[u] == (formation,)]


# --- statements ----------------------------------------------------------------------------------------------------


def test_303_statements_of_which_few_are_notes() -> None:
    assert len(RULES) == len(statements(PACK)) == 303
    notes = [s for s in RULES.values() if s.note]
    assert 0 < len(notes) <= MOST_NOTES * 303
    assert coverage(PACK, ())["notes"] == len(notes)


def test_a_reconstructed_statement_says_so_and_why() -> None:
    for s in RULES.values():
        assert s.provenance == ("reconstructed" if s.rule.startswith("RX-") else "stated")
        assert s.why or s.provenance == "stated", s.rule
        assert s.title
        assert "reconstructed" not in s.title.lower()
    found = find(PACK, "RX-6.1")
    assert [s.rule for s in found] == ["RX-6.1", "RX-6.1.track"]
    assert all(s.source.startswith("reconstructed: ") for s in found)


def test_every_rule_a_value_cites_is_a_statement() -> None:
    def cited(value: object) -> list[str]:
        if isinstance(value, dict):
            own = [value["rule"]] if "rule" in value else []
            return own + [r for v in value.values() for r in cited(v)]
        return [r for v in value for r in cited(v)] if isinstance(value, list) else []

    files = ["pack.toml", *(f"scenarios/{name}.toml" for name in SCENARIOS)]
    rules = [r for f in files for r in cited(PACK.toml(f))]
    assert len(rules) > 50
    assert set(rules) <= set(RULES)


# --- provenance ----------------------------------------------------------------------------------------------------


def test_every_value_says_where_it_comes_from() -> None:
    found = provenance_of(PACK)
    assert set(found) <= set(PROVENANCES)
    assert found["stated"] > 500
    for name in PACK.files():
        if name.startswith("tables/"):
            assert PACK.text(name).startswith("# provenance: "), name
    for r in ROWS:
        assert r["provenance"] in PROVENANCES
        assert set(r.words("stated")) <= set(r)


def test_a_switch_has_its_rule_its_choices_and_a_reason() -> None:
    assert len(CHARTS.readings.switches) == 36
    for key, switch in CHARTS.readings.switches.items():
        assert len(set(switch.values)) >= 2, key
        assert switch.about, key
        assert all(c.replace("_", "").isalnum() and c.islower() for c in switch.values), key


# --- Action Points -------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", *(f"PA-APT.L{n}" for n in range(1, 8)))
def test_action_points_follow_die_and_level() -> None:
    caps = {"even_steps": (1, 2, 3, 4, 5, 6, 7), "double_step": (1, 3, 4, 5, 6, 7, 7)}
    for reading, row in caps.items():
        for level, die in itertools.product(range(1, 8), range(1, DICE + 1)):
            n = max(1, die - 3, min(die, row[level - 1]))
            assert CHARTS.points_of(level, die, reading) == ActionPoints(n, -(-n // 2))


def test_the_two_repairs_of_the_action_points_differ_where_the_table_says() -> None:
    every = itertools.product(range(1, 8), range(1, DICE + 1))
    differ = {
        f"{n}/{d}" for n, d in every if len({CHARTS.points_of(n, d, r) for r in ("even_steps", "double_step")}) == 2
    }
    assert set(PACK.table("action-points").ours) == differ
    assert set(PACK.table("action-points-double-step").ours) == differ
    assert CHARTS.readings.switches["action_points"].default == "even_steps"


def test_prices_of_actions() -> None:
    assert CHARTS.costs == {
        "movement": (1,),
        "hq_relocation": (1, 2, 3),
        "refit": (1,),
        "improved_defense": (1,),
        "hasty_attack": (1,),
        "regular_attack": (2,),
        "prepared_attack": (3,),
    }


# --- combat charts -------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "PA-CRT", "PA-CRT.order", *(f"PA-CRT.r{n:02d}" for n in range(1, 21)))
def test_the_combat_results_are_a_diagonal() -> None:
    """Outside the last three columns a cell depends on roll and column alone; there 2/2 and 1/3 come a row early."""
    by_sum = [(1, "4/0"), (6, "3/0"), (7, "3/1"), (12, "2/1"), (13, "2/2"), (18, "1/2"), (19, "1/3"), (24, "0/3")]
    by_sum += [(28, "0/4"), (31, "0/5")]
    for roll, column in itertools.product(range(1, 21), range(1, 13)):
        n = roll + column - 1
        text = next(t for most, t in by_sum if n <= most)
        if column >= 10 and n in (12, 18):
            text = {12: "2/2", 18: "1/3"}[n]
        assert CHARTS.hits_of(roll, column, "mended") == Hits(*map(int, text.split("/"))), (roll, column)


def test_row_7_as_the_text_reads() -> None:
    changed = [
        (r, c)
        for r, c in itertools.product(range(1, 21), range(1, 13))
        if CHARTS.hits_of(r, c, "mended") != CHARTS.hits_of(r, c, "as_read")
    ]
    assert changed == [(7, 6), (7, 7)]
    assert [CHARTS.hits_of(7, c, "as_read") for c in (6, 7)] == [Hits(2, 2), Hits(1, 2)]
    assert set(PACK.table("crt").ours) == {"7/c6", "7/c7"}


def test_rolls_are_held_to_the_table() -> None:
    for column in range(1, 13):
        assert CHARTS.hits_of(-6, column, "mended") == CHARTS.hits_of(1, column, "mended")
        assert CHARTS.hits_of(29, column, "mended") == CHARTS.hits_of(20, column, "mended")


@pytest.mark.rule("bug41", "PA-CRT.t.clear", "PA-CRT.t.village", "PA-CRT.t.town", "PA-CRT.t.dense", "PA-CRT.t.pillf")
def test_each_terrain_moves_the_ladder_of_ratios() -> None:
    ladder = LADDER.split()
    steps = {"clear": 0, "village": 2, "marsh": 2, "town": 3, "light_forest": 3, "pillbox_in_clear": 3}
    steps |= {"dense_forest": 4, "pillbox_in_forest": 5}
    for terrain, by in steps.items():
        t = PACK.table("crt-ratios")
        assert [t.at(terrain, f"c{i}") for i in range(1, 13)] == ladder[by : by + 12]
    assert set(CHARTS.ratios) == set(steps)
    assert CHARTS.column_of("clear", Fraction(1)) == 7
    assert CHARTS.column_of("clear", Fraction(149, 100)) == 7
    assert CHARTS.column_of("clear", Fraction(1, 9)) == 0
    assert CHARTS.column_of("pillbox_in_forest", Fraction(30)) == 12


def test_support_and_hq() -> None:
    assert CHARTS.support == {
        "hasty": (0, 0),
        "regular": (1, 0),
        "prepared": (2, 1),
        "disrupted": (0, 0),
        "defense": (-1, 0),
        "improved": (-2, -1),
    }
    assert CHARTS.hq_support == {"hasty": 0, "regular": Fraction(1, 2), "prepared": 1}


def test_twelve_chits() -> None:
    assert len(CHARTS.chits) == 12
    assert all(c.left < c.right for c in CHARTS.chits)
    assert sum(c.left for c in CHARTS.chits) / 12 == Fraction(11, 12)
    assert sum(c.right for c in CHARTS.chits) / 12 == Fraction(5, 3)


def test_preparation_pays_and_cover_holds() -> None:
    """Mean hits move the right way: better prepared attacks hurt more, better terrain less."""

    def means(attack: str, modifier: int, terrain: str) -> tuple[Fraction, Fraction]:
        c = stats.outcomes(CHARTS, stats.Fight("", attack, 8, (7,), (5,), terrain, modifier))
        assert sum(c.values()) == 1
        return sum(h.attacker * p for h, p in c.items()), sum(h.defender * p for h, p in c.items())  # type: ignore[return-value]

    for terrain in stats.TERRAINS:
        found = [means(a, m, terrain) for a, m in (("hasty", 0), ("regular", 2), ("prepared", 7))]
        assert [f[0] for f in found] == sorted((f[0] for f in found), reverse=True)
        assert [f[1] for f in found] == sorted(f[1] for f in found)
    for attack, modifier in (("hasty", 0), ("regular", 2), ("prepared", 7)):
        found = [means(attack, modifier, t) for t in stats.TERRAINS]
        assert [f[1] for f in found] == sorted((f[1] for f in found), reverse=True)


def test_statistics_in_the_notes_are_those_of_the_tables() -> None:
    text = (Path(__file__).parents[3] / "docs" / "reconstruction-bug41.md").read_text(encoding="utf-8")
    assert printed(text) == stats.report(PACK)


# --- the other charts ----------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", *(f"PA-interdiction.t{n}" for n in range(1, 8)))
def test_interdiction() -> None:
    lines = {1: "0" * 10, 2: "0000000011", 3: "0001111111", 4: "0000111111", 5: "1111111122", 6: "0011111111"}
    lines[7] = "0111111222"
    for turn, line in lines.items():
        assert "".join(str(CHARTS.interdiction_of(turn, d)) for d in range(1, 11)) == line


@pytest.mark.rule("bug41", "PA-HQR.g7", "PA-HQR.g6", "PA-HQR.s6", "PA-HQR.s5", "PA-HQR.s4", "PA-HQR.dash")
def test_recovery_of_hqs() -> None:
    assert [CHARTS.recovery_of("german", c, 2) for c in (7, 6, 5, 4)] == [5, 4, 0, 0]
    found = {c: [CHARTS.recovery_of("soviet", c, i) for i in range(3)] for c in (7, 6, 5, 4)}
    assert found == {7: [0, 0, 0], 6: [4, 3, 2], 5: [3, 2, 1], 4: [2, 1, 0]}


@pytest.mark.rule("bug41", "PA-attrition.2", "PA-attrition.3", "PA-attrition.4")
def test_attrition() -> None:
    assert [CHARTS.attrition_of(n) for n in range(-5, 7)] == [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_replacements() -> None:
    assert CHARTS.replacements == {t: {"infantry": 2, "afv": 2} for t in (3, 5, 7)}
    price = {t: row.replacement for t, row in CHARTS.types.items()}
    assert price["infantry"] == ("infantry", 1)
    assert all(price[t] == ("infantry", 2) for t in ("motorized_infantry", "engineer", "motorized_engineer"))
    assert price["afv"] == ("afv", 1)
    assert price["hq"] is None


def test_ten_pairs_reorganize() -> None:
    assert len(CHARTS.reorganization) == 10
    into = {f: sorted(u for u, x in CHARTS.reorganization if x == f) for _, f in CHARTS.reorganization}
    assert into == {
        "infantry": ["anti_tank", "border_guard", "engineer", "infantry", "machine_gun"],
        "motorized_infantry": ["motorized_engineer", "motorized_infantry"],
        "machine_gun": ["machine_gun"],
        "engineer": ["engineer"],
        "motorized_engineer": ["motorized_engineer"],
    }


def test_worth_of_losses() -> None:
    worth = {t: CHARTS.losses[row.losses] for t, row in CHARTS.types.items() if row.losses}
    assert worth.pop("afv") == Fraction(1, 15)
    assert set(worth.values()) == {Fraction(1, 30)}


@pytest.mark.rule("bug41", "RX-6.1.track")
def test_initiative_track() -> None:
    assert CHARTS.track == (2, 4, 6, 8)
    assert "1/modifier" in PACK.table("initiative-track").stated


def test_seven_turns() -> None:
    assert list(CHARTS.turns) == [1, 2, 3, 4, 5, 6, 7]
    assert CHARTS.turn_name(1) == "Turn 1 (22 June, dawn to noon)"


# --- counters ------------------------------------------------------------------------------------------------------


def test_154_counters_of_eleven_formations() -> None:
    assert len(FORCES) == 154
    found = {f: len(units_of(f)) - 1 for f in FORCES.commands}
    assert found == {
        "298ID": 12, "44ID": 12, "299ID": 12, "14Pz": 16, "87RD": 21, "124RD": 13, "41TD": 16, "1AT": 7, "135RD": 11,
        "19TD": 10, "215MD": 13,
    }  # fmt: skip
    for f, hq in zip(FORCES.commands, FORCES.hq_of, strict=True):
        assert [u for u in units_of(f) if FORCES.hq[u]] == [hq]


def test_classes_of_hqs_are_those_of_the_recovery_chart() -> None:
    classes = {side: {FORCES.reaction[u] for u in FORCES.hqs(side)} for side in (GERMAN, SOVIET)}
    assert classes == {GERMAN: {7, 6}, SOVIET: {6, 5, 4}}
    for u in (*FORCES.hqs(GERMAN), *FORCES.hqs(SOVIET)):
        assert CHARTS.recovery_of(SIDES[FORCES.side[u]], FORCES.reaction[u], 0) > 0
        assert FORCES.strength[u] == 0
        assert min(FORCES.relocation[u], FORCES.range[u], FORCES.support[u]) > 0


@pytest.mark.rule("bug41", "PA-counter.inf", "PA-counter.afv", "PA-counter.hq")
def test_counters_have_the_fields_of_the_aid() -> None:
    for r in ROWS:
        kind = CHARTS.types[r["type"]].points
        filled = {key for key in ("effectiveness", "ma", "strength", "at", "tank", "reaction") if r[key]}
        unit = {"effectiveness", "ma", "strength"}
        assert filled == {"at": unit | {"at"}, "tank": unit | {"tank"}, "none": {"reaction"}}[kind], r["id"]
        assert kind != "tank" or r["class"] == "motorized"


def test_units_are_battalions_tanks_and_border_guards_companies() -> None:
    for u, c in enumerate(FORCES.counters):
        if FORCES.hq[u] or c.id == "AA40":
            continue
        company = c.type in ("afv", "border_guard")
        assert c.size == ("company" if company else "battalion"), c.id
        assert 4 <= c.effectiveness <= 7
        assert 3 <= c.strength <= 8


def test_motorized_types_move_on_wheels_and_border_guards_walk() -> None:
    for u, c in enumerate(FORCES.counters):
        if c.type in ("infantry", "engineer", "machine_gun", "border_guard"):
            assert not c.motorized
        elif not FORCES.hq[u]:
            assert c.motorized


def test_assignments_have_units_to_lend() -> None:
    assert len(CHARTS.assignments) == 6
    for a in CHARTS.assignments:
        for lender in a.lenders:
            units = units_of(lender)
            infantry = a.units == "infantry"
            fit = [u for u in units if (FORCES.stacks_as_infantry[u] if infantry else FORCES.type[u] == a.units)]
            assert len(fit) >= a.most, a.rule
        assert CHARTS.formations[a.lenders[0]].side == CHARTS.formations[a.receivers[0]].side


def test_who_counts_as_infantry_for_stacking() -> None:
    stacks = {t for t, row in CHARTS.types.items() if row.stacks_as_infantry}
    assert stacks == {"infantry", "motorized_infantry", "machine_gun", "engineer", "motorized_engineer"}
    assert {t for t, row in CHARTS.types.items() if row.infantry} - stacks == {"anti_tank", "border_guard"}


# --- scenarios -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "RX-11")
def test_three_scenarios() -> None:
    assert PACK.toml("pack.toml")["scenarios"] == ["ustyluh", "voinitsa", "campaign"]
    assert set(SCENARIOS) == {"ustyluh", "voinitsa", "campaign"}
    spans = {name: (s.first_turn, s.last_turn) for name, s in SCENARIOS.items()}
    assert spans == {"ustyluh": (1, 3), "voinitsa": (4, 6), "campaign": (1, 7)}
    surprise = {name: s.surprise.activations for name, s in SCENARIOS.items()}
    assert surprise == {"ustyluh": 2, "voinitsa": 0, "campaign": 3}


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_a_scenario_can_be_played(name: str) -> None:
    s = SCENARIOS[name]
    assert faults_of(s, PACK, CHARTS, FORCES, GROUND) == []
    assert s.dates
    assert s.summary
    assert s.aims.german
    assert s.aims.soviet


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_units_stand_where_they_can(name: str) -> None:
    """Motorized units off marsh and forest unless on a road, each side on its own bank, machine guns in pillboxes."""
    s, m = SCENARIOS[name], PACK.map
    on_road = m.on_link("road", "railway")
    for unit, place in s.setup.items():
        u, h = FORCES.unit(unit), m.grid.hex(place)
        bad = (GROUND.marsh | GROUND.forest) & ~on_road
        assert not (FORCES.motorized[u] and bad >> h & 1), (unit, place)
        if name != "voinitsa":
            assert (FORCES.side[u] == GERMAN) == bool(GROUND.west_bank >> h & 1), (unit, place)
        if FORCES.type[u] == "machine_gun":
            assert GROUND.pillboxes >> h & 1, (unit, place)


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_hqs_start_inside_their_tethers_and_in_supply_reach(name: str) -> None:
    s = SCENARIOS[name]
    for formation, tether in CHARTS.tethers.items():
        hq = FORCES.ids[FORCES.hq_of[FORCES.commands.index(formation)]]
        if hq in s.setup and s.first_turn <= tether.through:
            near = GROUND.near(tether.of, tether.hexes)
            assert near >> PACK.map.grid.hex(s.setup[hq]) & 1, hq


def test_nobody_starts_voinitsa_next_to_an_enemy() -> None:
    grid = PACK.map.grid
    places = {u: grid.hex(h) for u, h in SCENARIOS["voinitsa"].setup.items()}
    sides = [[h for u, h in places.items() if FORCES.side[FORCES.unit(u)] == side] for side in (GERMAN, SOVIET)]
    assert min(grid.distance(a, b) for a in sides[0] for b in sides[1]) >= 2


def _within(s: Scenario, formation: str, hexes: int) -> bool:
    grid = PACK.map.grid
    hq = grid.hex(s.setup[FORCES.ids[FORCES.hq_of[FORCES.commands.index(formation)]]])
    return all(grid.distance(hq, grid.hex(s.setup[FORCES.ids[u]])) <= hexes for u in units_of(formation))


def test_voinitsa_units_stand_within_two_hexes_of_their_hq() -> None:
    s = SCENARIOS["voinitsa"]
    assert all(_within(s, f.id, 2) for f in s.formations)


def test_campaign_brings_every_formation() -> None:
    s = SCENARIOS["campaign"]
    assert set(s.in_play()) == set(CHARTS.formations)
    assert s.units(FORCES) == set(FORCES.ids)
    assert {a.formation: a.turn for a in s.arrivals} == {"1AT": 2, "135RD": 3, "19TD": 4, "215MD": 4}
    for a in s.arrivals:
        assert PACK.map.on_link("road") >> PACK.map.grid.hex(a.entry) & 1


def test_victory_hexes_are_those_of_the_map() -> None:
    m = PACK.map
    points = {v.hex: v.vp for v in SCENARIOS["campaign"].victory.hexes}
    assert points == {m.grid.name(h): vp for h, vp in m.vp.items()}
    assert sum(points.values()) == 12
    for s in SCENARIOS.values():
        for v in s.victory.hexes:
            assert (m.name[m.grid.hex(v.hex)], m.vp[m.grid.hex(v.hex)]) == (v.name, v.vp)


def test_levels_fall_from_german_to_soviet() -> None:
    for name in ("ustyluh", "campaign"):
        levels = SCENARIOS[name].victory.levels
        assert [v.at_least for v in levels] == sorted((v.at_least for v in levels), reverse=True)
        assert [v.winner for v in levels] == ["german", "german", "none", "soviet"]
        assert levels[-1].at_least == 0


# --- errors say where ----------------------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    root = tmp_path / "bug41"
    shutil.copytree(PACK.root, root)
    return root


def broken(root: Path, name: str, old: str, new: str) -> Pack:
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return Pack("bug41", (), root)


def test_a_wrong_cell_is_told_with_file_and_line(copy: Path) -> None:
    pack = broken(copy, "tables/crt.csv", "\n3,3/0", "\n3,x/0")
    with pytest.raises(BadPack, match=r"tables/crt\.csv:8: c1 is 'x/0'"):
        Charts(pack)


def test_a_wrong_constant_is_told_with_file_and_line(copy: Path) -> None:
    pack = broken(copy, "pack.toml", "most_hexes = 2", 'most_hexes = "two"')
    with pytest.raises(BadPack, match=r"pack\.toml:\d+: constants\.retreat\.most_hexes: Expected `int`"):
        Charts(pack)


def test_a_wrong_counter_is_told_with_file_and_line(copy: Path) -> None:
    pack = broken(copy, "counters.csv", "I-525,I/525,german,298ID,infantry", "I-525,I/525,german,87RD,infantry")
    with pytest.raises(BadPack, match=r"counters\.csv:3: '87RD' is not a german formation"):
        read_counters(pack, CHARTS)


def test_a_wrong_set_up_is_told_with_file_and_line(copy: Path) -> None:
    pack = broken(copy, "scenarios/ustyluh.toml", '"II-525" = "1012"', '"II-525" = "1113"')
    (fault,) = faults_of(read_scenario(pack, "ustyluh"), pack, CHARTS, FORCES, GROUND)
    assert "scenarios/ustyluh.toml:" in fault
    assert "1113 holds more than the stacking limits allow: I-525 II-525" in fault


@pytest.mark.parametrize(
    ("line", "bad"), [('low_odds = "no_attack"', 0), ('low_odds = "never"', 1), ('nonsense = "on"', 1)]
)
def test_a_scenario_sets_switches_of_the_pack_only(copy: Path, line: str, bad: int) -> None:
    pack = broken(copy, "scenarios/ustyluh.toml", "[surprise]", f"[options]\n{line}\n\n[surprise]")
    found = faults_of(read_scenario(pack, "ustyluh"), pack, CHARTS, FORCES, GROUND)
    assert len(found) == bad
    assert all("pack.toml has no switch" in fault for fault in found)


def test_a_missing_part_of_a_scenario_is_told(copy: Path) -> None:
    pack = broken(copy, "scenarios/voinitsa.toml", "[aims]", "[goals]")
    with pytest.raises(BadPack, match="aims"):
        read_scenario(pack, "voinitsa")


def test_a_value_can_be_put_in_from_outside(tmp_path: Path) -> None:
    over = tmp_path / "bug41"
    over.mkdir()
    (over / "counters-overlay.csv").write_text("id,strength\nI-525,9\n")
    pack = Pack("bug41", (tmp_path,))
    f = Forces(read_counters(pack, CHARTS), CHARTS)
    assert f.strength[f.unit("I-525")] == 9


# --- the ground ----------------------------------------------------------------------------------------------------


def test_bridges() -> None:
    """Two over the Bug; over streams where a road or railway crosses, and at every town."""
    grid = PACK.map.grid
    over_bug = {grid.name(h) for d in range(6) for h in members(GROUND.bridged_bug[d])}
    assert over_bug == {"0416", "0516", "1113", "1212"}
    brandenburg = {grid.name(h) for d in range(6) for h in members(GROUND.brandenburg[d])}
    assert brandenburg == over_bug
    for h in members(GROUND.towns):
        for d in range(6):
            row = GROUND.side_row(h, d)
            assert row is None or row.name.startswith("bridged_")
    roads_only = Ground(PACK.map, CHARTS, {"stream_bridges": "roads_alone", "town_bridges": "bug_alone"})
    count = [sum(len(members(s)) for s in g.bridged_stream) for g in (GROUND, roads_only)]
    assert count[0] > count[1] > 0


def step(a: str, b: str, **kwargs: bool) -> int:
    grid = PACK.map.grid
    h = grid.hex(a)
    return GROUND.step_price(h, grid.direction(h, grid.hex(b)), **({"motorized": False, "pillbox": False} | kwargs))


def test_prices_of_a_step_come_from_the_chart() -> None:
    """In halves of a movement point."""
    assert step("1011", "0911") == 3, "marsh on foot"
    assert step("1011", "0911", motorized=True) == 6
    assert step("0912", "0911") == NO_ENTRY, "the Bug without a boat"
    assert step("0912", "0911", boat=True) == 5, "by boat one point more"
    assert step("0912", "0911", boat=True, motorized=True) == NO_ENTRY
    assert step("1113", "1212", motorized=True) == 2, "over the bridge"
    assert step("1513", "1514") == 5, "a stream on foot, then marsh"
    assert step("1513", "1514", motorized=True) == ALL_POINTS
    assert step("1113", "1114") == NO_ENTRY
    assert step("1211", "1111", motorized=True, pillbox=True) == 4, "a pillbox in the open"
    grid = PACK.map.grid
    h = grid.hex("1212")
    d = grid.direction(h, grid.hex("1313"))
    assert [GROUND.link_price(h, d, motorized=m) for m in (False, True)] == [2, 1]


def test_rows_of_pillboxes() -> None:
    grid = PACK.map.grid
    assert GROUND.row_of(grid.hex("1312"), pillbox=True).name == "pillbox_in_clear", "in a village, as in the open"
    assert GROUND.row_of(grid.hex("1312"), pillbox=False).name == "village"
    as_village = Ground(PACK.map, CHARTS, {"village_pillbox": "as_the_village"})
    assert as_village.row_of(grid.hex("1312"), pillbox=True).name == "village"


def test_room_for_hqs() -> None:
    found = Counter(GROUND.hq_room(h) for h in PACK.map.grid.hexes)
    assert found == {0: 1188 - 173, 1: 165, 2: 8}
