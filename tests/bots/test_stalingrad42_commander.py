"""The stronger program for Stalingrad '42: raids, garrisons, marches and the screen, each by itself and in play."""

from __future__ import annotations

from kessel.bots import decide, player
from kessel.bots.stalingrad42.aftermath import opened_by
from kessel.bots.stalingrad42.errands import posts, raids
from kessel.bots.stalingrad42.marches import NOT_THERE, Marches, open_way
from kessel.bots.stalingrad42.reserves import reserve_of
from kessel.bots.stalingrad42.screens import Screen, risk_now, risk_without, without_weak
from kessel.bots.stalingrad42.situation import brink, is_behind, situation
from kessel.bots.stalingrad42.weights import CAMPAIGN, COMMANDER, HURRY, TEMPERS
from kessel.core.forces import Unit
from kessel.core.game import Game
from kessel.core.procedure import asked, push
from kessel.core.title import title
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import REMOVED
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.turn.victory import victory_points

GAME = "stalingrad42"


def stripped(*names: str, turn: int = 5, scenario: str = "fall-blau") -> tuple[Board, dict[str, Unit]]:
    """A scenario with these units alone on the map."""
    g = Game.new(GAME, scenario, seed=1).board
    assert isinstance(g, Board)
    units = [v for side in (AXIS, SOVIET) for v in g.forces.units_of[side]]
    kept = {g.id(v): v for v in units if g.id(v) in names}
    for v in units:
        if g.place[v] >= 0 and v not in kept.values():
            g.take(v, REMOVED)
    g.set_track("turn", turn)
    return g, kept


def hex_of(g: Board, name: str) -> int:
    return g.map.grid.hex(name)


def test_on_the_last_turn_the_soviets_go_where_it_costs_the_axis_points():
    g, of = stripped("23TC", turn=8)
    tank = of["23TC"]
    g.move(tank, hex_of(g, "1312"))
    s = situation(g, SOVIET, COMMANDER[SOVIET])
    found = raids(g, s, [tank], "")
    before = victory_points(g).total
    g.move(tank, found[tank].place)
    assert g.hex_name(g.place[tank]) == "1015", "Kharkov, at the edge"
    assert victory_points(g).total == before - 6


def test_before_that_nobody_is_thrown_away_on_raids():
    g, of = stripped("23TC", turn=5)
    g.move(of["23TC"], hex_of(g, "1312"))
    assert raids(g, situation(g, SOVIET, COMMANDER[SOVIET]), [of["23TC"]], "") == {}


def test_an_objective_the_enemy_can_come_to_gets_a_garrison_and_keeps_it():
    g, of = stripped("23TC", "57Inf", "3Pz")
    valuyki = hex_of(g, "2013")
    g.set_control(valuyki, AXIS)
    g.move(of["23TC"], hex_of(g, "2313"))
    g.move(of["57Inf"], hex_of(g, "1914"))
    g.move(of["3Pz"], hex_of(g, "1913"))
    units = [of["57Inf"], of["3Pz"]]
    found = posts(g, situation(g, AXIS, COMMANDER[AXIS]), units, "")
    assert {v: e.place for v, e in found.go.items()} == {of["57Inf"]: valuyki}, "tanks have something else to do"
    g.move(of["57Inf"], valuyki)
    found = posts(g, situation(g, AXIS, COMMANDER[AXIS]), units, "")
    assert (found.stay, found.go) == ({of["57Inf"]}, {})


def test_a_march_leads_round_the_enemy():
    g, of = stripped("23TC", "3Pz")
    g.move(of["23TC"], hex_of(g, "2513"))
    target = hex_of(g, "3013")
    way = open_way(g, AXIS, 1 << target)
    assert way[hex_of(g, "2813")] == 2
    assert way[target] == 0
    assert way[g.place[of["23TC"]]] == NOT_THERE
    straight = g.map.grid.distance(hex_of(g, "2313"), target)
    assert straight < way[hex_of(g, "2313")] < NOT_THERE


def test_units_march_on_objectives_that_nobody_holds():
    g, of = stripped("3Pz", "57Inf")
    millerovo = hex_of(g, "3322")
    g.move(of["3Pz"], hex_of(g, "2620"))
    g.move(of["57Inf"], hex_of(g, "1914"))
    s = situation(g, AXIS, COMMANDER[AXIS])
    found = Marches(g, s, [of["3Pz"], of["57Inf"]], "").run()
    distance = g.map.grid.distance
    assert distance(found[of["3Pz"]].place, millerovo) < distance(g.place[of["3Pz"]], millerovo)
    assert "marches on" in found[of["3Pz"]].words


def test_enough_mechanized_units_march_off_the_map_and_no_others():
    g, of = stripped("3Pz", "23Pz", "57Inf")
    for name in ("3Pz", "23Pz", "57Inf"):
        g.move(of[name], hex_of(g, "4016"))
    march = Marches(g, situation(g, AXIS, COMMANDER[AXIS]), sorted(of.values()), "")
    march.leave()
    gone = {v: e.place for v, e in march.found.items() if not g.map.is_hex(e.place)}
    assert set(gone) == {of["3Pz"], of["23Pz"]}
    assert {g.map.box(p).id for p in gone.values()} <= set("MNOP")


def test_a_screen_closes_the_ways_of_raiders():
    g, of = stripped("23TC", "57Inf", "336Inf", "79Inf")
    g.move(of["23TC"], hex_of(g, "1612"))
    for name, where in (("57Inf", "1411"), ("336Inf", "1413"), ("79Inf", "1412")):
        g.move(of[name], hex_of(g, where))
    before = risk_now(g, {})
    found = Screen(g, [of["57Inf"], of["336Inf"], of["79Inf"]], "", {}).run()
    for v, errand in found.items():
        g.move(v, errand.place)
    assert found
    assert risk_now(g, {}) < before - 1
    now = risk_now(g, {})
    assert any(risk_without(g, [v], hex_of(g, "1301"), {}) > now + 0.5 for v in found), "somebody in it may not leave"


def test_units_that_can_be_run_over_close_nothing():
    g, of = stripped("23TC", "57Inf")
    here = hex_of(g, "1612")
    g.move(of["57Inf"], here)
    strength = g.defense(of["57Inf"])
    assert without_weak(g, {here: [9 * strength]}).place[of["57Inf"]] != here
    assert without_weak(g, {here: [9 * strength - 1]}).place[of["57Inf"]] == here


def test_it_plays_listed_actions_says_why_and_plays_alike_from_one_position():
    t = title(GAME)
    g = Game.new(GAME, "fall-blau", seed=5).board
    sides = [player(GAME, "elite", 1), player(GAME, "elite", 2)]
    while g.turn < 2:
        push(g, decide(sides[asked(g)], t, g, asked(g)))
    twin, seen = g.copy(), set()
    fresh = [player(GAME, "elite", 7), player(GAME, "elite", 8)]
    for _ in range(120):
        side = asked(g)
        action = decide(fresh[side], t, g, side)
        assert fresh[side].reason
        seen.add(action[0])
        push(g, action)
    again = [player(GAME, "elite", 9), player(GAME, "elite", 10)]
    for _ in range(120):
        push(twin, decide(again[asked(twin)], t, twin, asked(twin)))
    assert twin.digest() == g.digest()
    assert {"move", "to"} <= seen


def test_a_unit_behind_the_front_is_put_in_reserve_and_one_beside_the_enemy_is_not():
    g, of = stripped("23TC", "57Inf", "336Inf")
    g.move(of["23TC"], hex_of(g, "1912"))
    g.move(of["57Inf"], hex_of(g, "1613"))
    g.move(of["336Inf"], hex_of(g, "1812"))
    s = situation(g, AXIS, COMMANDER[AXIS])
    assert reserve_of(g, s, [of["57Inf"], of["336Inf"]]) == of["57Inf"]
    assert reserve_of(g, s, [of["336Inf"]]) == -1


def test_nobody_runs_in_circles_with_a_new_player_for_every_decision():
    t = title(GAME)
    g, of = stripped("23TC", "57Inf", "336Inf", turn=2)
    g.move(of["23TC"], hex_of(g, "2013"))
    g.move(of["57Inf"], hex_of(g, "1610"))
    g.move(of["336Inf"], hex_of(g, "1616"))
    for _ in range(60):
        push(g, decide(player(GAME, "elite", 1), t, g, AXIS))
        if g.phasing != AXIS:
            break
    assert g.phasing == SOVIET


# --- 24.2 where points end the game at once --------------------------------------------------------------------------


def test_an_attack_is_judged_by_where_the_beaten_would_go():
    g, of = stripped("212Rfl", "3Pz", "57Inf", "75Inf", "168Inf", scenario="campaign")
    target, attackers = hex_of(g, "1712"), (of["3Pz"],)
    for name, h in (("212Rfl", "1712"), ("3Pz", "1812"), ("57Inf", "2020"), ("75Inf", "2022"), ("168Inf", "2024")):
        g.move(of[name], hex_of(g, h))
    assert risk_now(g, {}) == 0, "it cannot come so far by itself"
    assert opened_by(g, AXIS, target, attackers) > 0.5, "thrown back to the west it gets to the edge of the map"
    for name, h in (("57Inf", "1609"), ("75Inf", "1611"), ("168Inf", "1613")):
        g.move(of[name], hex_of(g, h))
    assert opened_by(g, AXIS, target, attackers) == 0, "the way to the west is closed"


def test_the_edge_of_the_map_is_guarded_where_the_enemy_is_near():
    g, of = stripped("23TC", scenario="campaign")
    g.move(of["23TC"], hex_of(g, "1312"))
    s = situation(g, AXIS, COMMANDER[AXIS])
    edge = brink(g, s.away)
    assert list(edge.values()) == [3.0], "24.1.4: one Entry Area"
    assert g.map.grid.distance(min(edge), hex_of(g, "1312")) <= 4
    g.move(of["23TC"], hex_of(g, "2212"))
    assert brink(g, situation(g, AXIS, COMMANDER[AXIS]).away) == {}


def test_in_the_campaign_objectives_far_from_the_enemy_get_a_garrison_too():
    for scenario, wanted in (("campaign", {"3322"}), ("fall-blau", set())):
        g, of = stripped("3Pz", "212Rfl", scenario=scenario)
        g.move(of["3Pz"], hex_of(g, "1918"))
        g.move(of["212Rfl"], hex_of(g, "3522"))
        s = situation(g, SOVIET, COMMANDER[SOVIET])
        found = Marches(g, s, [of["212Rfl"]], "").run()
        assert {g.hex_name(e.place) for e in found.values()} == wanted


def test_a_western_city_gets_a_garrison_when_it_is_threatened():
    g, of = stripped("23TC", "57Inf", scenario="campaign")
    kharkov = hex_of(g, "1015")
    g.move(of["23TC"], hex_of(g, "1412"))
    g.move(of["57Inf"], hex_of(g, "1115"))
    found = posts(g, situation(g, AXIS, COMMANDER[AXIS]), [of["57Inf"]], "")
    assert {v: e.place for v, e in found.go.items()} == {of["57Inf"]: kharkov}, "24.1.4: three points"


def test_the_axis_hurries_only_when_it_is_behind_the_benchmark():
    g, of = stripped("3Pz", scenario="campaign", turn=8)
    assert situation(g, AXIS, CAMPAIGN[AXIS]).temper == HURRY, "no point on Turn 8"
    assert situation(g, AXIS, COMMANDER[AXIS]).temper == TEMPERS[AXIS]
    g.move(of["3Pz"], hex_of(g, "1015"))
    g.set_track("turn", 1)
    assert not is_behind(g, 0), "none is asked for on Turn 1"
    assert not is_behind(stripped(turn=8)[0], 1), "Fall Blau knows no benchmarks"
