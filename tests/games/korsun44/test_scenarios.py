"""The scenarios of The Jaws of Victory: every set-up is legal, supplied and where the front was."""

from __future__ import annotations

from collections import defaultdict, deque
from pathlib import Path

import pytest

from kessel.core.errors import BadPack
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, spread
from kessel.core.pack import Pack
from kessel.games.korsun44.board import Board
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT, why_not_attack_with
from kessel.games.korsun44.data.charts import charts_of
from kessel.games.korsun44.data.forces import BARRAGE, GERMAN, SIDES, SIZES, SOVIET, UNIT, forces_of
from kessel.games.korsun44.data.scenario import Placed, Scenario, alarms_of, read_scenario
from kessel.games.korsun44.data.terrain import ground_of
from kessel.games.korsun44.movement.movement import why_not_move
from kessel.games.korsun44.title import TITLE

PACK = Pack("korsun44", overlays=())
CHARTS = charts_of(PACK)
FORCES = forces_of(PACK, CHARTS)
GROUND = ground_of(PACK, CHARTS)
GRID = GROUND.grid
SCENARIOS = {name: read_scenario(PACK, name) for name in PACK.scenarios()}
EARLY = ("kapitanovka", "tinovka", "closing-the-ring", "campaign")
REGIMENTS = ("infantry", "security", "motorized_infantry", "mechanized_infantry")

every = pytest.mark.parametrize("name", sorted(SCENARIOS))


def stacks(s: Scenario) -> dict[Hex, list[int]]:
    found: dict[Hex, list[int]] = defaultdict(list)
    for p in s.setup:
        found[p.hex].append(p.unit)
    return found


def size(u: int) -> str:
    return SIZES[FORCES.size[u]]


def held(s: Scenario, side: int) -> Bits:
    return bits(p.hex for p in s.setup if FORCES.side[p.unit] == side)


def sheets(s: Scenario) -> Bits:
    found = 0
    for area in s.areas:
        found |= GROUND.sheet[area]
    return found


# --- what each says ------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "1.0b")
def test_seven_scenarios_of_differing_length() -> None:
    assert sorted(s.number for s in SCENARIOS.values()) == list(range(1, 8))
    listed = {s.id: s.turns for s in TITLE.scenarios(PACK)}
    assert listed == {name: s.last_turn - s.first_turn + 1 for name, s in SCENARIOS.items()}
    assert len(set(listed.values())) >= 4
    assert {len(s.areas) for s in SCENARIOS.values()} == {1, 2}, "one- and two-map scenarios (18.6)"


@every
def test_it_says_what_it_is_about(name: str) -> None:
    s = SCENARIOS[name]
    assert s.id == name
    assert s.summary.endswith(".")
    assert all(aim.endswith(".") for aim in s.aims)
    first, last = CHARTS.turn(s.first_turn), CHARTS.turn(s.last_turn)
    for turn, word in ((first, s.dates.split(" to ")[0]), (last, s.dates.split(" to ")[1])):
        assert int(word.split()[0]) == int(turn.date[-2:])


@every
def test_victory_has_levels_for_every_score(name: str) -> None:
    s = SCENARIOS[name]
    assert [x.winner for x in s.levels] == ["german", "german", "", "soviet", "soviet"]
    assert s.level(500) is s.levels[0]
    assert s.level(-500) is s.levels[-1]
    for x in s.levels:
        assert s.level(x.at_least) is x
    assert {p.side for p in s.points} == set(SIDES)
    inside = sheets(s)
    for p in s.points:
        for h in p.places:
            assert inside >> GRID.hex(h) & 1, h


def test_the_campaign_counts_what_the_campaign_was_about() -> None:
    kinds = {p.kind for p in SCENARIOS["campaign"].points}
    assert {"steps_out", "link", "hexes"} <= kinds
    assert {p.kind for p in SCENARIOS["lysyanka"].points} >= {"steps_out", "link"}


# --- set-ups -------------------------------------------------------------------------------------------------------


@every
def test_no_stack_breaks_its_limit(name: str) -> None:
    """11.0"""
    for h, units in stacks(SCENARIOS[name]).items():
        where = GROUND.name(h)
        limit = CHARTS.constants.stack_forest if GROUND.forest >> h & 1 else CHARTS.constants.stack
        assert len(units) <= limit, where
        assert len({FORCES.side[u] for u in units}) == 1, where
        if FORCES.side[units[0]] == GERMAN:
            assert len({FORCES.corps[u] for u in units}) == 1, where
            assert len({FORCES.division[u] for u in units if FORCES.division[u]}) <= 1, where
            assert sum(bool(FORCES.counters[u].chit) and FORCES.type[u] in REGIMENTS for u in units) <= 2, where
        else:
            check_soviet_stack(units, where)


def check_soviet_stack(units: list[int], where: str) -> None:
    assert len({FORCES.army[u] for u in units}) == 1, where
    assert len({FORCES.corps[u] for u in units}) == 1, where
    assert sum(size(u) == "division" for u in units) <= 1, where
    assert sum(size(u) == "brigade" and bool(FORCES.counters[u].chit) for u in units) <= 2, where
    assert len({FORCES.division[u] for u in units if FORCES.division[u]}) <= 1, where
    if any(FORCES.role[u] == BARRAGE for u in units):
        assert len(units) == 1, where


@every
def test_nobody_stands_where_he_could_not_go(name: str) -> None:
    for p in SCENARIOS[name].setup:
        assert GROUND.playable >> p.hex & 1
        if GROUND.forest >> p.hex & 1 and FORCES.armor[p.unit]:
            assert (GROUND.on_road | GROUND.on_railroad) >> p.hex & 1, FORCES.ids[p.unit]
        if FORCES.role[p.unit] == BARRAGE:
            assert GROUND.clear >> p.hex & 1
            assert not spread(GRID, held(SCENARIOS[name], GERMAN)) >> p.hex & 1


@every
def test_no_gun_stands_alone_before_the_enemy(name: str) -> None:
    """9.10.2"""
    s = SCENARIOS[name]
    for h, units in stacks(s).items():
        facing = spread(GRID, held(s, 1 - FORCES.side[units[0]])) >> h & 1
        if facing and not any(FORCES.attacks[u] for u in units):
            pytest.fail(f"{GROUND.name(h)}: {[FORCES.ids[u] for u in units]}")


@every
def test_units_stand_beside_their_formation(name: str) -> None:
    s = SCENARIOS[name]
    at = {p.unit: p.hex for p in s.setup}
    for u, h in at.items():
        if (mate := FORCES.stays_with[u]) in at:
            assert at[mate] == h, FORCES.ids[u]
        own = next((f for f in (FORCES.division[u], FORCES.corps[u], FORCES.army[u]) if f), "")
        mates = [at[v] for v in at if v != u and own in FORCES.formations[v]]
        if mates:
            assert min(GRID.distance(h, m) for m in mates) <= 6, FORCES.ids[u]


@pytest.mark.parametrize("name", EARLY)
def test_the_early_set_ups_stand_on_the_front_of_24_january(name: str) -> None:
    for p in SCENARIOS[name].setup:
        behind = bool(GROUND.german_lines >> p.hex & 1)
        assert behind == (FORCES.side[p.unit] == GERMAN), FORCES.ids[p.unit]


def test_the_german_line_of_24_january_has_no_gap_of_three_hexes() -> None:
    s = SCENARIOS["campaign"]
    foe = GROUND.playable & ~GROUND.german_lines
    front = GROUND.german_lines & spread(GRID, foe)
    near = spread(GRID, held(s, GERMAN)) | held(s, GERMAN)
    assert {GRID.name(h) for h in members(front & ~near)} == {"2401"}, "a corner of the Dnieper's bank"


def test_the_weak_sector_lies_before_kapitanovka_and_the_armor_behind_it() -> None:
    s = SCENARIOS["campaign"]
    where = {FORCES.ids[p.unit]: GRID.name(p.hex) for p in s.setup}
    kapitanovka = GRID.hex("4824")
    sector = [p for p in s.setup if GRID.distance(p.hex, kapitanovka) <= 7 and FORCES.side[p.unit] == GERMAN]
    assert {FORCES.division[p.unit] for p in sector} >= {"389ID", "3Pz", "106ID"}
    steps = {FORCES.ids[p.unit]: p.steps for p in s.setup}
    assert all(steps[u] < FORCES.full_steps[FORCES.unit(u)] for u in ("544.389ID", "545.389ID", "546.389ID", "3.3Pz"))
    assert where["I-36.14Pz"] == "4929", "14th Panzer at Novomirgorod"
    soviet = [p for p in s.setup if FORCES.corps[p.unit] in ("20TkC", "29TkC") and FORCES.side[p.unit] == SOVIET]
    assert min(GRID.distance(p.hex, GRID.hex("5021")) for p in soviet) <= 4


@every
def test_barrage_units_formed_have_their_components_in_the_box(name: str) -> None:
    s = SCENARIOS[name]
    on_map = {FORCES.ids[p.unit] for p in s.setup}
    boxed = {FORCES.ids[u] for u in s.holding}
    formed = [b for b in CHARTS.game.barrage.values() if b.unit in on_map]
    assert boxed == {p for b in formed for p in b.parts}
    for b in formed:
        h = next(p.hex for p in s.setup if FORCES.ids[p.unit] == b.unit)
        reach = [x for x in members(held(s, GERMAN)) if 2 <= GRID.distance(h, x) <= CHARTS.constants.barrage_range]
        assert len(reach) >= 3, "three hexes to mark (17.1.3)"


# --- supply --------------------------------------------------------------------------------------------------------


def road_hexes(start: Bits, closed: Bits, most: int) -> Bits:
    """Hexes within that many road hexes of the start."""
    seen = frontier = start & ~closed
    for _ in range(most):
        onward = 0
        for d in range(6):
            for h in members(frontier & GROUND.roads[d]):
                onward |= 1 << GRID.neighbours[h][d]
        frontier = onward & ~closed & ~seen
        seen |= frontier
    return seen


def supply_path(start: Hex, goal: Bits, closed: Bits, most: int) -> bool:
    """13.3: a path free of enemies, over bridged rivers only."""
    seen, queue = {start}, deque([(start, 0)])
    while queue:
        h, n = queue.popleft()
        if goal >> h & 1:
            return True
        if n == most:
            continue
        for d, x in enumerate(GRID.neighbours[h]):
            wet = GROUND.lake[d] >> h & 1 or (
                (GROUND.river[d] >> h & 1 or GROUND.swamp[d] >> h & 1) and not GROUND.links[d] >> h & 1
            )
            if x >= 0 and x not in seen and not closed >> x & 1 and not wet:
                seen.add(x)
                queue.append((x, n + 1))
    return False


def sources(s: Scenario, side: int, closed: Bits) -> dict[str, Bits]:
    found = {k: v & sheets(s) for k, v in GROUND.sources.items()}
    for x in s.sources:
        if x.side == side:
            for who in x.serves:
                found[who] = found.get(who, 0) | 1 << x.hex
    if side == GERMAN:
        rails = found["8A"] | found["1PzA"]
        terminals = GROUND.terminals & GROUND.rail_net(rails & ~closed, closed)
        found = {k: v | terminals for k, v in found.items()}
    else:
        found["5GCC"] = found.get("5GCC", 0) | found.get("4GA", 0) | found.get("5GTkA", 0)
    return found


def closed_to(s: Scenario, side: int) -> Bits:
    """Enemies, their zones without a friend in them, the Dnieper and the sheet that is not in play."""
    enemy, friend = held(s, 1 - side), held(s, side)
    return (enemy | spread(GRID, enemy) & ~friend | ~sheets(s)) & ((1 << GRID.size) - 1)


def is_supplied(s: Scenario, p: Placed, closed: Bits, from_: dict[str, Bits]) -> bool:
    side = FORCES.side[p.unit]
    korps = FORCES.corps[p.unit]
    start = from_.get(FORCES.army[p.unit] or korps, 0)
    if korps in s.pocket:
        start = 1 << GROUND.korsun
    c = CHARTS.constants
    reach, increment = (
        (c.german_range_frozen, 6) if side == GERMAN else (c.soviet_range_frozen, 10)
    )  # the increments of counters.csv
    return supply_path(p.hex, road_hexes(start, closed, increment * 4), closed, reach)


@every
def test_everybody_can_be_supplied_on_the_first_turn(name: str) -> None:
    """In frost: an SDM on a road that leads to the source, and a path to it within range."""
    s = SCENARIOS[name]
    for side in (GERMAN, SOVIET):
        closed = closed_to(s, side)
        from_ = sources(s, side, closed)
        out = [
            FORCES.ids[p.unit]
            for p in s.setup
            if FORCES.side[p.unit] == side and FORCES.role[p.unit] == UNIT and not is_supplied(s, p, closed, from_)
        ]
        assert out == []


@every
def test_the_sdms_belong_to_those_who_are_there(name: str) -> None:
    s = SCENARIOS[name]
    for side in (GERMAN, SOVIET):
        present = {f for p in s.setup if FORCES.side[p.unit] == side for f in FORCES.formations[p.unit]}
        for u in s.sdms[side]:
            own = next((f for f in (FORCES.division[u], FORCES.corps[u], FORCES.army[u]) if f), "Korsun")
            assert own in present or own == "Korsun", FORCES.ids[u]
        armies = {FORCES.army[p.unit] for p in s.setup if FORCES.side[p.unit] == side} - {""}
        assert armies <= {FORCES.army[u] for u in s.sdms[side]}


# --- arrivals and the rest -----------------------------------------------------------------------------------------


@every
def test_arrivals_enter_in_time_at_the_edge_by_road_or_rail(name: str) -> None:
    s = SCENARIOS[name]
    for a in s.arrivals:
        assert s.first_turn <= a.turn <= s.last_turn
        assert sheets(s) >> a.hex & 1
        assert any(n < 0 for n in GRID.neighbours[a.hex])
        assert (GROUND.on_railroad if a.rail else GROUND.on_road) >> a.hex & 1
        assert not (a.rail and a.side == SOVIET), "rail movement is German (9.5)"


def test_the_panzers_come_when_they_came() -> None:
    turns = {FORCES.division[u]: a.turn for a in SCENARIOS["campaign"].arrivals for u, _ in a.units}
    assert turns["11Pz"] == 2, "to attack on 27 January"
    assert turns["13Pz"] <= 8, "to attack on 1 February"
    assert max(turns["16Pz"], turns["17Pz"]) <= 10, "to attack on 4 February"
    assert turns["1Pz"] <= 17, "to attack on 11 February"
    assert turns["24Pz"] == 13
    assert [a.option for a in SCENARIOS["campaign"].arrivals if FORCES.division[a.units[0][0]] == "24Pz"] == ["pz24"]


def test_every_unit_of_the_game_takes_part_in_the_campaign() -> None:
    s = SCENARIOS["campaign"]
    there = {p.unit for p in s.setup} | set(s.holding) | {u for a in s.arrivals for u, _ in a.units}
    missing = [FORCES.ids[u] for side in (GERMAN, SOVIET) for u in FORCES.of_role[side][UNIT] if u not in there]
    assert missing == []


@every
def test_alarm_units_and_partisans_have_their_hexes(name: str) -> None:
    s = SCENARIOS[name]
    assert len(s.alarm) <= len(alarms_of(FORCES))
    for h in s.alarm:
        assert sheets(s) >> h & 1
        assert not held(s, SOVIET) >> h & 1
        assert not held(s, GERMAN) >> h & 1
        assert (GROUND.town | GROUND.village) >> h & 1
    for h in s.partisans.values():
        assert (GROUND.woods | GROUND.forest) >> h & 1, "18.1.2"
        assert GROUND.sheet["map_a"] >> h & 1


@pytest.mark.parametrize("name", EARLY)
def test_alarm_units_are_many_where_the_rear_was(name: str) -> None:
    assert len(SCENARIOS[name].alarm) >= 5


@every
def test_improved_positions_lie_behind_the_german_front(name: str) -> None:
    s = SCENARIOS[name]
    assert all(GROUND.german_lines >> h & 1 for h in s.improved)
    assert bool(s.improved) == (name in EARLY and "map_b" in s.areas)


@every
def test_rail_capacity_hexes_lie_on_their_line_in_order(name: str) -> None:
    s = SCENARIOS[name]
    for r in s.rail_capacity:
        assert GROUND.on_railroad >> r.source & 1
        beyond = GROUND.rail_net(1 << r.source, 1 << r.minus_one)
        assert not beyond >> r.minus_two & 1, "the -2 hex lies beyond the -1 hex"


def test_the_late_scenario_begins_with_the_pocket_closed() -> None:
    s = SCENARIOS["lysyanka"]
    assert s.start.korsun_isolated < s.first_turn
    assert s.pocket == CHARTS.game.formations.pocket_korps
    closed = closed_to(s, GERMAN)
    edge = GROUND.sources["1PzA"]
    pocket = held(s, GERMAN) & bits(p.hex for p in s.setup if FORCES.corps[p.unit] in s.pocket)
    assert not GROUND.road_net(pocket, closed) & edge
    near = min(GRID.distance(a, b) for a in members(pocket) for b in members(held(s, GERMAN) & ~pocket))
    assert near > CHARTS.constants.breakout_distance, "no breakout on the first turn (16.4)"


# --- faults --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("3.3Pz:3", "3.3Pz:6", "1 to 5 steps"),
        ("3.3Pz:3", "33.3Pz", "no unit 33.3Pz"),
        ('"4927" =', '"9927" =', "not a hex in play"),
        ("394.3Pz:3", "3.3Pz:3", "stands also in"),
        ('fords = "on"', 'fords = "maybe"', "fords"),
        ('kind = "units_near"', 'kind = "units_far"', "units_far"),
        ("last_turn = 14", "last_turn = 41", "not on the track"),
        ('side = "german"\nhex = "4145"', 'side = "german"\nhex = "4146"', "4146"),
        ('control = "nearest"', 'control = "somebody"', "somebody"),
        ("at_least = 4", "at_least = 9", "must fall"),
        ("minefields = 4", 'minefields = "four"', "minefields"),
    ],
)
def test_a_fault_names_file_and_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    name = "scenarios/vormann.toml"
    text = PACK.text(name)
    assert old in text
    path = tmp_path / "korsun44" / name
    path.parent.mkdir(parents=True)
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadPack) as e:
        read_scenario(Pack("korsun44", overlays=(tmp_path,)), "vormann")
    assert told in str(e.value)
    line = int(e.value.where.rsplit(":", 1)[1])
    changed = text.replace(old, new, 1).splitlines()
    assert any(word in changed[line - 1] for word in new.splitlines()) or changed[line - 1].startswith("[")


def test_a_scenario_keeps_formations_back_until_a_turn(campaign: Board) -> None:
    """The 1st Ukrainian Front and the cavalry neither move nor attack before 26 January; the 2nd does both."""
    g = campaign
    first, second = g.forces.unit("180.27A"), g.forces.unit("31.4GA")
    why = why_not_move(g, first)
    assert why is not None
    assert (why.rule, why.reason) == ("22.0", "1Uk neither moves nor attacks before turn 2")
    assert why_not_move(g, second) is None
    near = g.map.grid.around[g.place[first]]
    attack = why_not_attack_with(g, first, SOVIET, COMBAT_SEGMENT, (near[0],))
    assert attack is not None
    assert attack.rule == "22.0"
    g.set_track("turn", 2)
    assert why_not_move(g, first) is None
