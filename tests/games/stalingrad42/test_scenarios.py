"""S1-S4 The scenarios: openings, special rules, first turns."""

from __future__ import annotations

import functools

import pytest

from kessel.core.dice import Dice
from kessel.core.hexset import members
from kessel.core.procedure import PASS, legal, push, run
from kessel.games.stalingrad42 import TITLE
from kessel.games.stalingrad42.board import NOWHERE, Board
from kessel.games.stalingrad42.columns import FROZEN, IN_PLAY, PHASES, WAITING
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.movement_phase import MovementPhase
from kessel.games.stalingrad42.movement.rail import ends as rail_ends
from kessel.games.stalingrad42.movement.ways.stacking import overstacked
from kessel.games.stalingrad42.supply.supply import los, source_edges
from kessel.games.stalingrad42.turn.replacements import points_left, receive
from kessel.games.stalingrad42.turn.victory import victory_points

from .helpers import PACK, at, choices, do, h, read, refused, rule, u

SCENARIOS = ("fall-blau", "caucasus", "uranus", "campaign")


@functools.cache
def _opened(name: str) -> Board:
    options = TITLE.check_options(TITLE.scenario(PACK, name), {})
    g = TITLE.new(PACK, name, options, Dice(7))
    assert isinstance(g, Board)
    run(g)
    return g


def opened(name: str) -> Board:
    return _opened(name).copy()


def until(g: Board, turn: int, phase: str, side: int) -> Board:
    """Pass on until that phase of that side's Player Turn."""
    steps = 0
    while g.stack and (g.turn, PHASES[g.phase], g.phasing) != (turn, phase, side):
        found = legal(g)
        push(g, PASS if PASS in found else found[0])
        steps += 1
        assert steps < 6000
    return g


def names(g: Board, place: str) -> set[str]:
    return {g.id(x) for x in g.units(h(g, place))}


@rule("S1.1b")
@rule("S4.1b")
@rule("S2.1b")
@rule("S3.1b")
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_starts_sound(name):
    g = opened(name)
    assert g.faults() == []
    for side in (AXIS, SOVIET):
        assert overstacked(g, side) == [], [g.hex_name(x) for x in overstacked(g, side)]
        cut_off = [
            g.id(x) for x in g.forces.units_of[side] if g.pool[x] == IN_PLAY and g.place[x] >= 0 and not los(g, x)
        ]
        assert cut_off == []


@rule("S1.1b")
@rule("S2.1b")
@rule("S3.1b")
@rule("S4.1a")
def test_the_sheets_in_play():
    def sheets(name: str) -> set[str]:
        g = opened(name)
        return {k for k in ("sheet_a", "sheet_b", "sheet_c1", "sheet_c2") if g.map.area(k)}

    a = opened("fall-blau")
    assert a.map.grid.find("4100") >= 0
    assert a.map.grid.find("4200") < 0
    assert a.map.grid.find("3044") < 0
    c = opened("caucasus")
    assert c.map.grid.find("3139") < 0
    assert c.map.grid.find("3140") >= 0
    assert opened("uranus").map.grid.find("3060") < 0
    assert sheets("campaign") == {"sheet_a", "sheet_b", "sheet_c1", "sheet_c2"}


# --- S1 ------------------------------------------------------------------------------------------------------------


@rule("S1.2a")
@rule("S1.1a")
def test_fall_blau_begins_with_the_axis_initial_phase_of_turn_1():
    g = opened("fall-blau")
    assert (g.turn, PHASES[g.phase], g.phasing, g.scenario.last_turn) == (1, "initial", AXIS, 8)


@rule("S1.2b")
@rule("S4.2")
@pytest.mark.parametrize("name", ["fall-blau", "campaign"])
def test_on_turn_1_axis_combat_units_move_tactically_and_supply_points_fully(name):
    g = until(opened(name), 1, "movement", AXIS)
    do(g, "move 24Pz")
    assert {c.split()[2] for c in choices(g) if c.startswith("to ")} == {"tactical"}
    assert refused(g, "extended") == {"fall-blau": "S1.2", "campaign": "S4.2"}[name]
    do(g, "halt", "move AxSP1")
    assert "normal" in {c.split()[2] for c in choices(g) if c.startswith("to ")}
    g = until(opened(name), 1, "movement", SOVIET)
    do(g, "move 16TC")
    assert "normal" in {c.split()[2] for c in choices(g) if c.startswith("to ")}
    g = until(opened(name), 2, "movement", AXIS)
    do(g, "move 24Pz")
    assert "normal" in {c.split()[2] for c in choices(g) if c.startswith("to ")}


@rule("S1.2h")
def test_three_divisions_of_1st_panzer_army_are_idle_on_turn_1():
    g = until(opened("fall-blau"), 1, "movement", AXIS)
    for name in ("14Pz", "22Pz", "60PzG"):
        assert refused(g, f"move {name}") == "S1.2"
    g = until(g, 2, "movement", AXIS)
    for name in ("14Pz", "22Pz", "60PzG"):
        assert f"move {name}" in choices(g)


@rule("S1.2c")
def test_soviet_arrivals_enter_at_a_or_b_or_entrained_from_the_east_and_south():
    g = until(opened("fall-blau"), 1, "initial", SOVIET)
    assert {c.split()[2] for c in choices(g) if c.startswith("arrive 1TC")} == {"A", "B"}
    do(g, "arrive 1TC A", "arrive 8CC B")
    g = until(g, 1, "movement", SOVIET)
    places = {g.place_name(p) for p in rail_ends(g, u(g, "1TC"))}
    edges = {g.hex_name(x) for b in "MNOPQR" for x in members(g.map.box(h(g, b)).hexes)}
    assert places & edges
    do(g, "move 1TC")
    assert {"transfer B", "transfer M", "transfer R"} <= choices(g)


@rule("S1.2d")
def test_axis_units_exit_through_m_to_r_for_good():
    g = until(opened("fall-blau"), 2, "movement", AXIS)
    unit = u(g, "24Pz")
    g.move(unit, h(g, "4105"))
    do(g, "move 24Pz", "step M normal")
    assert at(g, "24Pz") == "M"
    g = until(g, 3, "movement", AXIS)
    do(g, "move 24Pz")
    assert not any(c.startswith(("to ", "transfer", "step", "rail")) for c in choices(g))
    assert refused(g, "to 4105 normal") == "S1.2"
    assert g.box_side(h(g, "M")) == SOVIET, "the Soviets still use it"


@rule("S1.2e")
def test_units_south_of_rostov_are_frozen_and_the_66th_naval_comes_on_turn_5():
    g = opened("fall-blau")
    frozen = {g.id(x) for x in range(len(g.forces)) if g.status[x] & FROZEN}
    assert "116KK" in frozen
    assert g.pool[u(g, "66Nav")] == WAITING
    g = until(g, 5, "initial", SOVIET)
    assert any(c.startswith("arrive 66Nav") for c in choices(g))


@rule("S1.2f")
def test_the_5th_reserve_army_enters_at_m_on_turn_3_one_unit_by_rail():
    g = until(opened("fall-blau"), 3, "initial", SOVIET)
    army = ("14GRfl", "1Rfl", "127Rfl", "153Rfl", "197+203Rfl")
    assert {c for c in choices(g) if c.startswith("arrive") and c.endswith(" M")} == {f"arrive {x} M" for x in army}
    g = until(g, 3, "movement", SOVIET)
    assert names(g, "M") >= set(army)
    do(g, "move 1Rfl")
    assert {c.split()[1] for c in choices(g) if c.startswith("to ") and c.endswith("normal")} >= {"4100", "4111"}
    place = next(c for c in sorted(choices(g)) if c.startswith("rail "))
    do(g, place, "move 127Rfl")
    assert not any(c.startswith("rail") for c in choices(g))


@rule("S1.2g")
def test_the_6th_reserve_army_stands_at_3806_and_moves_on_turn_2():
    g = until(opened("fall-blau"), 1, "movement", SOVIET)
    army = {"141+206Rfl", "174+232Rfl", "219Rfl", "309Rfl"}
    assert names(g, "3806") == army
    assert refused(g, "move 219Rfl") == "S1.2g"
    g = until(g, 2, "movement", SOVIET)
    assert "move 219Rfl" in choices(g)


# --- S2 ------------------------------------------------------------------------------------------------------------


@rule("S2.1a")
@rule("S2.4a")
def test_caucasus_opens_with_a_soviet_pre_move_by_normal_movement():
    g = opened("caucasus")
    assert (g.turn, g.phasing, PHASES[g.phase], g.scenario.last_turn) == (10, SOVIET, "movement", 27)
    top = g.stack[-1]
    assert isinstance(top, MovementPhase)
    assert top.limit == "normal"
    mover = next(c for c in sorted(choices(g)) if c.startswith("move"))
    do(g, mover)
    assert refused(g, "extended") == "S2.4.1"
    assert refused(g, "by rail") == refused(g, "reserve") == "S2.4.1"
    assert not any(c.startswith("rail") for c in choices(g))
    g = opened("caucasus")
    assert refused(g, "move NovGar") == "20.4", "Garrison Units do not move"


@rule("S2.4b")
@rule("S2.4c")
@rule("S2.2d")
def test_the_axis_has_no_initial_phase_on_the_first_turn_and_enters_at_2740_to_4240():
    g = opened("caucasus")
    push(g, PASS)
    assert (g.phasing, PHASES[g.phase]) == (AXIS, "movement")
    edge = h(g, "NORTH_EDGE")
    assert g.units(edge)
    assert points_left(g, AXIS, "infantry") == 0
    unit = next(x for x in g.units(edge) if g.forces.combat[x] and not g.forces.mech[x])
    do(g, f"move {g.id(unit)}")
    first = {c.split()[1] for c in choices(g) if c.startswith("step ")}
    assert first
    assert {x for x in first if x.endswith("40")} == first
    assert min(first) >= "2740"
    assert max(first) <= "4240"
    g = until(g, 11, "movement", AXIS)
    spare = u(g, "444Sec")
    do(g, f"move {g.id(spare)}")
    later = {c.split()[1] for c in choices(g) if c.startswith("step ")}
    assert min(later) == "2140"
    assert max(later) == "4740"


@rule("S2.2a")
def test_caucasus_air():
    from kessel.games.stalingrad42.columns import AIR_READY
    from kessel.games.stalingrad42.combat.strength.air import collect_air
    from kessel.games.stalingrad42.data.charts import WEATHERS

    g = opened("caucasus")
    for turn, word, ready in (
        (12, "clear", 1),
        (18, "clear", 0),
        (24, "overcast", 1),
        (24, "rain", 0),
        (15, "clear", 0),
        (22, "clear", 0),
        (23, "clear", 1),
        (27, "clear", 1),
        (27, "overcast", 1),
    ):
        g.set_track("turn", turn)
        g.weather = g.rolled = WEATHERS.index(word)
        collect_air(g, g.scenario.air_limit(turn))
        assert sum(a == AIR_READY for a in g.air) == ready, (turn, word)


@rule("S2.2c")
@rule("S2.3a")
def test_caucasus_resource_points():
    from kessel.games.stalingrad42.supply.resources import points_of

    g = opened("caucasus")
    assert (points_of(g, AXIS), points_of(g, SOVIET)) == (0, 1)
    g.set_track("turn", 11)
    assert (points_of(g, AXIS), points_of(g, SOVIET)) == (1, 1)


@rule("S2.2e")
def test_bluecher_and_volunteers_are_there():
    g = opened("caucasus")
    assert names(g, "W") == {"46Inf", "3RomMtn", "10Rom", "19Rom", "249StuG"}
    assert len(g.scenario.boxes["volunteers"]) == 6


@rule("S2.2f")
def test_axis_sources_lie_west_of_4440():
    g = opened("caucasus")
    edge = {g.hex_name(x) for x in members(source_edges(g, AXIS))}
    assert edge == {"2240", "2840", "3140", "3740", "4140"}, "where a road leads off the map"
    lone = read({"game": "stalingrad42", "areas": {"NORTH_EDGE": "axis"}, "units": [{"id": "24Pz", "at": "3640"}]})
    assert los(lone, u(lone, "24Pz")), "elsewhere the Overland Portion may end in an Entry Area (16.3.2)"


@rule("S2.2g")
@rule("S2.3c")
def test_caucasus_replacements_come_from_its_own_track():
    g = opened("caucasus")
    assert g.scenario.track == "turns_caucasus_uranus"
    g.set_track("turn", 12)
    for side, word in ((AXIS, "axis"), (SOVIET, "soviet")):
        receive(g, side)
        table = g.charts.table("turns_caucasus_uranus")
        assert points_left(g, side, "tank") == table.number(12, f"{word}_tank")


@rule("S2.2h")
def test_the_first_railhead_appears_at_3140_on_turn_13():
    g = until(opened("caucasus"), 13, "movement", AXIS)
    assert h(g, "3140") in g.railheads
    assert g.repaired[h(g, "3140")]
    early = until(opened("caucasus"), 12, "movement", AXIS)
    assert all(x == NOWHERE for x in early.railheads)
    assert g.scenario.railhead_moves == 2


@rule("S2.3b")
def test_caucasus_arrivals():
    g = opened("caucasus")
    for a in g.scenario.arrivals:
        if a.side == SOVIET:
            for e in a.units:
                code = g.forces.specs[g.forces.unit(e.id)].arrival
                southern = code.endswith("C") or code == "TC"
                assert set(a.areas) == (set("GHJKL") if southern else {"F"}), e.id
    g = until(g, 12, "initial", SOVIET)
    do(g, "arrive 10GRC F")
    g = until(g, 12, "movement", SOVIET)
    do(g, "move 10GRC")
    assert {"transfer G", "transfer L"} <= choices(g)


@rule("S2.5a")
@rule("S2.5b")
def test_caucasus_victory():
    v = opened("caucasus").scenario.victory
    assert (v.axis_vp, v.automatic, v.elbrus, v.start_vp, v.every_turn) == (12, False, "permanent", 0, False)


# --- S3 ------------------------------------------------------------------------------------------------------------


@rule("S3.1a")
@rule("S3.4a")
@rule("S3.4b")
def test_uranus_opens_with_the_soviet_movement_phase_in_overcast():
    g = opened("uranus")
    assert (g.turn, g.phasing, PHASES[g.phase], g.scenario.last_turn) == (28, SOVIET, "movement", 36)
    assert g.weather_word == "overcast_w"


@rule("S3.4b")
@rule("33.2.1a")
@rule("23.2.2b")
def test_uranus_has_no_air_in_overcast_and_never_a_romanian_air_unit():
    from kessel.games.stalingrad42.columns import AIR_AWAY, AIR_READY
    from kessel.games.stalingrad42.combat.strength.air import collect_air
    from kessel.games.stalingrad42.data.charts import WEATHERS

    g = opened("uranus")
    assert set(g.air) == {AIR_AWAY}, "the weather of the first turn is Overcast-W"
    g.set_track("turn", 29)
    g.weather = g.rolled = WEATHERS.index("clear")
    collect_air(g, g.scenario.air_limit(29))
    names_ = list(g.charts.table("air_units").rows)
    assert [n for n, a in zip(names_, g.air, strict=True) if a == AIR_READY] == ["VIII-FK"]


@rule("S3.1c")
def test_q_and_r_are_axis_areas():
    g = opened("uranus")
    assert g.box_side(h(g, "Q")) == g.box_side(h(g, "R")) == AXIS
    from kessel.games.stalingrad42.movement.ways.reach import may_enter_area

    assert not may_enter_area(g, SOVIET, h(g, "Q"))
    assert may_enter_area(g, AXIS, h(g, "Q"))


@rule("S3.1d")
@rule("29.0")
def test_contested_cities_are_compulsory_in_uranus():
    g = opened("uranus")
    assert g.plays("contested_cities")
    assert "contested_cities" not in {o.id for o in TITLE.scenario(PACK, "uranus").options}
    assert "contested_cities" in {o.id for o in TITLE.scenario(PACK, "campaign").options}


@rule("S3.2a")
@rule("S3.2b")
@rule("S3.2d")
def test_uranus_arrivals():
    g = opened("uranus")
    for a in g.scenario.arrivals:
        if a.side == SOVIET:
            assert set(a.areas) == set("ABC")
        else:
            assert set(a.areas) in (set("QR"), set("XYZ"))
    wiking = next(a for a in g.scenario.arrivals if any(e.id == "Wiking-T13" for e in a.units))
    assert wiking.turn == 35
    assert set(wiking.areas) == set("QR")
    assert wiking.units[0].steps == 0, "at full strength"


@rule("S3.2c")
def test_no_replacements_on_the_first_turn_of_uranus():
    g = opened("uranus")
    for side in (AXIS, SOVIET):
        receive(g, side)
        assert not any(g.points)


@rule("S3.4c")
def test_on_its_first_turn_the_soviets_move_tactically_or_by_rail():
    g = opened("uranus")
    found = set()
    for text in sorted(c for c in choices(g) if c.startswith("move"))[:40]:
        t = g.copy()
        do(t, text)
        found |= {c.split()[2] for c in choices(t) if c.startswith("to ")}
    assert found == {"tactical"}
    do(g, next(c for c in sorted(choices(g)) if c.startswith("move")))
    assert refused(g, "extended") == "S3.4"


@rule("S3.4d")
@rule("S3.3")
def test_the_interchange_turn_comes_before_turn_29_in_which_the_soviets_go_first():
    g = opened("uranus")
    seen = []
    while g.stack and g.turn < 30:
        frames = {type(p).__name__ for p in g.stack}
        what = (g.turn, g.phasing, "InterchangeTurn" in frames)
        if not seen or seen[-1] != what:
            seen.append(what)
        found = legal(g)
        push(g, PASS if PASS in found else found[0])
    assert seen[:4] == [(28, SOVIET, False), (28, AXIS, True), (29, SOVIET, False), (29, AXIS, False)]
    assert (29, AXIS, True) not in seen


@rule("S3.5b")
def test_uranus_starts_with_fifteen_points():
    g = opened("uranus")
    assert g.scenario.victory.axis_vp == 11
    assert victory_points(g).total == 15


# --- S4 ------------------------------------------------------------------------------------------------------------


@rule("S4.1a")
@rule("S4.4a")
@rule("S4.4b")
def test_the_campaign_has_36_turns_on_all_maps():
    g = opened("campaign")
    assert (g.turn, g.phasing, PHASES[g.phase]) == (1, AXIS, "initial")
    assert (g.scenario.first_turn, g.scenario.last_turn) == (1, 36)
    v = g.scenario.victory
    assert (v.axis_vp, v.gate.turn, v.gate.vp, v.automatic) == (21, 28, 24, True)


@rule("S4.1c")
@rule("17.1a")
def test_rails_west_of_the_start_line_begin_repaired():
    from kessel.games.stalingrad42.supply.railroads import rail_hexes

    g = opened("campaign")
    west = g.map.area("west_of_start_line") & rail_hexes(g)
    assert west
    assert west & ~g.repaired_hexes() == 0
    green_east = 0
    for six in g.map.links_with("rail", "green"):
        green_east |= six
    green_east &= g.map.area("east_of_start_line")
    assert green_east & g.repaired_hexes() == 0


@rule("S4.1b")
def test_the_campaigns_set_up_is_fall_blaus_on_map_a():
    a, c = opened("fall-blau"), opened("campaign")
    for x in range(len(a.forces)):
        if a.on_map(x) and a.pool[x] == IN_PLAY:
            name = a.id(x)
            assert at(c, name) == at(a, name)


@rule("S4.3")
def test_rules_30_to_34_apply_to_the_campaign():
    g = opened("campaign")
    for number in ("30.0", "31.0", "32.1", "32.2", "32.3", "33.0", "34.0"):
        assert g.scenario.has(number)
    assert len(g.scenario.boxes["trans_caucasus"]) >= 10
    assert {x.id for x in g.scenario.frozen} >= {f"reserve_army_{n}" for n in (5, 6, 7, 8)}


@rule("28.1.1a")
@rule("26.1")
def test_leaders_and_planned_offensives_come_only_where_their_rules_are_used():
    from kessel.core.game import Game
    from kessel.games.stalingrad42.turn.reinforcements import due

    for word, used in (("on", True), ("off", False)):
        g = Game.new("stalingrad42", "uranus", seed=1, options={"leaders": word, "planned_offensive": word}).board
        assert isinstance(g, Board)
        assert g.on_map(u(g, "Chuikov")) is used
        assert any(g.offensives) is used
        arrivals = {e.id for turn in range(29, 37) for _, e, _ in due(g, AXIS, turn)}
        assert ("Manstein" in arrivals) is used
        assert "23Pz" in arrivals


@rule("S3.1d")
def test_contested_cities_may_be_asked_for_but_not_switched_off_in_uranus():
    from kessel.core.errors import BadInput
    from kessel.core.game import Game

    g = Game.new("stalingrad42", "uranus", seed=1, options={"contested_cities": "on"})
    assert isinstance(g.board, Board)
    assert g.board.plays("contested_cities")
    assert g.options == Game.new("stalingrad42", "uranus", seed=1).options
    with pytest.raises(BadInput, match="always on in uranus"):
        Game.new("stalingrad42", "uranus", seed=1, options={"contested_cities": "off"})
