"""Strike of the Heron: who holds Victory Point hexes, and whom the Soviet guns fire at."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any, cast

import pytest

from kessel.bots import decide, player
from kessel.bots.don42.barrage import effect, shared_out
from kessel.bots.don42.commander import Commander
from kessel.bots.don42.garrisons import Garrisons, Threat, attacked, holds, room_around, threat_to
from kessel.bots.don42.plans import to_enemy
from kessel.bots.don42.roads import counted, find_roads, ways_home
from kessel.bots.don42.staff import towards_home
from kessel.bots.don42.waiting import CLOSE, keeps_off, lies_low
from kessel.bots.purpose import place_words
from kessel.core.game import Game
from kessel.core.procedure import asked, legal, push
from kessel.core.title import title
from kessel.games.don42.board import G_MOTORIZED, G_MOVEMENT, S_BOMBARDMENT, S_MOVEMENT, Board
from kessel.games.don42.combat.bombardment import why_not_aim, why_not_bombard
from kessel.games.don42.combat.odds import work_out
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement import allowance, ends_of
from kessel.games.don42.movement.zones import enemy_zone
from kessel.games.don42.supply.supply import home_net

HERON = title("don42")


@cache
def at_phase(phase: int, turn: int) -> Board:
    """A board at which that phase begins."""
    g = Game.new("don42", "crossing-the-don", seed=702).board
    assert isinstance(g, Board)
    g.events = None
    seats = {side: player("don42", "elite", side) for side in HERON.played}
    while (g.turn, g.phase) < (turn, phase):
        push(g, decide(seats[asked(g)], HERON, g, asked(g)))
    return g


def test_a_fresh_unit_holds_where_a_worn_one_does_not() -> None:
    g = at_phase(S_MOVEMENT, 8).copy()
    u = g.forces.find("37Gds-1")
    panzers = [g.forces.find(x) for x in ("II-2Pz", "I-64")]
    h = g.map.grid.hex("2621")
    threat = Threat([(v, 1.0) for v in panzers])
    g.steps[u] = 2
    fresh = holds(g, u, h, threat, 3)
    g.steps[u] = 1
    assert fresh > holds(g, u, h, threat, 3) + 0.3
    assert holds(g, u, h, Threat(), 3) == holds(g, u, h, threat, 0) == 1.0


def test_an_attack_is_foretold_as_it_is_worked_out() -> None:
    """The same results as the rules find, without guns, planes and rivers between."""
    g = at_phase(S_MOVEMENT, 8).copy()
    grid, seen = g.map.grid, 0
    for h in grid.hexes:
        units = g.units(h)
        near = [v for n in grid.around[h] for v in g.units(n) if g.forces.side[v] == GERMAN]
        fit = [v for v in near if g.attack_value(v) and not g.disorder(v) and g.supply[v]]
        one = [v for v in fit if not g.ground.gorge[grid.direction(g.place[v], h)] >> g.place[v] & 1][:1]
        if len(units) != 1 or g.forces.side[units[0]] != SOVIET or not one:
            continue
        if any(g.crossings.unbridged[d] >> g.place[one[0]] & 1 for d in range(6)):
            continue
        odds = work_out(g, GERMAN, one, h)
        assert attacked(g, SOVIET, units[0], h, odds.attack.total, one) == odds.results
        seen += 1
    assert seen


@pytest.mark.parametrize("turn", [6, 10])
def test_garrisons_can_go_where_they_are_wanted(turn: int) -> None:
    g = at_phase(S_MOVEMENT, turn)
    before = g.digest()
    places = Garrisons(g, SOVIET).run()
    assert places
    assert g.digest() == before
    prizes = {h for h, _ in g.objectives}
    assert max(Counter(places.values()).values()) == 1
    for u, h in places.items():
        assert h in prizes
        assert not g.enemies_in(h, SOVIET)
        assert not g.forces.hq[u]
        assert not g.forces.gun[u]
        assert h == g.place[u] or ends_of(g, u, allowance(g, u).total * POINT, True) >> h & 1


def test_who_is_relieved_makes_room_and_the_garrisons_stand_when_movement_ends() -> None:
    g = at_phase(S_MOVEMENT, 10).copy()
    places = Garrisons(g, SOVIET).run()
    program = player("don42", "elite", 5)
    said: dict[int, str] = {}
    while g.phase == S_MOVEMENT and asked(g) == SOVIET:
        action = decide(program, HERON, g, SOVIET)
        assert action in legal(g)
        if "hold" in program.reason:
            said[cast(Any, g.stack[-1]).unit] = program.reason
        push(g, action)
    assert sum(g.place[u] == h for u, h in places.items()) >= len(places) - 1
    assert said
    for u, words in said.items():
        assert g.id(u) in words
        assert g.ground.name(g.place[u]) in words


# --- Germans: garrisons behind their front, and the roads home -------------------------------------------------------


@cache
def in_september(phase: int, turn: int) -> Board:
    """The same in the second scenario, which begins with turn 25."""
    g = Game.new("don42", "kotluban", seed=702).board
    assert isinstance(g, Board)
    g.events = None
    seats = {side: player("don42", "elite", side) for side in HERON.played}
    while (g.turn, g.phase) < (turn, phase):
        push(g, decide(seats[asked(g)], HERON, g, asked(g)))
    return g


@pytest.mark.parametrize("phase", [G_MOVEMENT, G_MOTORIZED])
def test_germans_hold_what_soviets_could_walk_into(phase: int) -> None:
    g = in_september(phase, 27).copy()
    program = Commander(5)
    places = program.garrisons(g)
    program.forget()
    prizes, posts = {h for h, _ in g.objectives}, find_roads(g).posts
    assert set(places.values()) & prizes
    assert max(Counter(places.values()).values()) == 1
    for u, h in places.items():
        assert h in prizes | posts
        assert not g.forces.hq[u]
        assert not g.forces.gun[u]
        assert h == g.place[u] or ends_of(g, u, allowance(g, u).total * POINT, True) >> h & 1
    while g.phase == phase:
        push(g, decide(program, HERON, g, GERMAN))
    assert sum(g.place[u] == h for u, h in places.items()) >= len(places) - 1


def test_after_the_last_soviet_turn_only_roads_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    g = in_september(G_MOVEMENT, 27).copy()
    monkeypatch.setattr(g, "scenario", replace(g.scenario, last_turn=27))
    program = Commander(5)
    assert set(program.garrisons(g).values()) <= find_roads(g).posts


def test_a_garrison_does_not_advance() -> None:
    g = in_september(G_MOVEMENT, 27)
    program = Commander(5)
    alone = [u for u in g.units_on_map(GERMAN) if program._is_needed(g, u)]
    assert alone
    for u in alone:
        assert g.control[g.objective_index[g.place[u]]] == GERMAN
        assert [v for v in g.units(g.place[u]) if not g.forces.hq[v] and not g.forces.gun[v]] == [u]
    other = g.copy()
    other.control[other.objective_index[g.place[alone[0]]]] = SOVIET
    other.changed()
    assert not program._is_needed(other, alone[0])


def test_hqs_that_count_stay_where_a_road_leads_home() -> None:
    """With posts where the roads want them, no Corps is cut off at the end of the turn."""
    g = in_september(G_MOVEMENT, 28).copy()
    assert {g.command_name(u) for u in counted(g)} == {"8C", "51C", "14PzC"}
    roads = find_roads(g)
    assert all(g.enemies_in(h, GERMAN) for h in roads.blocks)
    assert not any(g.enemies_in(h, GERMAN) for h in roads.posts)
    zone = enemy_zone(g, GERMAN)
    assert all(zone >> h & 1 for h in roads.posts)
    seats = {side: Commander(5 + side) for side in HERON.played}
    while g.turn == 28 and g.phase <= G_MOTORIZED:
        push(g, decide(seats[asked(g)], HERON, g, asked(g)))
    assert all(home_net(g) >> g.place[u] & 1 for u in counted(g))


def test_an_hq_that_can_get_to_no_road_home_goes_where_least_is_in_its_way() -> None:
    g = in_september(G_MOVEMENT, 28)
    u = counted(g)[0]
    ways = ways_home(g)
    far = [h for h in ways if not home_net(g) >> h & 1]
    assert towards_home(g, u, [*far[:9], g.place[u]]) == [g.place[u]]
    if len(far) > 1:
        assert towards_home(g, u, far) == [min(far, key=lambda h: (ways[h][0], h))]
    assert towards_home(at_phase(S_MOVEMENT, 6), u, [5, 6]) == [5, 6]


def test_it_ends_each_phase_with_a_new_player_for_every_decision_and_does_not_march_to_and_fro() -> None:
    """As at the table, where each decision is made by a player that remembers nothing: no unit moves twice in a phase,
    and few go back where they came from.
    """
    g = Game.new("don42", "short-game", seed=3).board
    assert isinstance(g, Board)
    first, came, moved, back, steps = g.turn, dict[int, int](), 0, 0, 0
    seen: set[tuple[int, int, int]] = set()
    while g.turn < first + 2:
        side, p = asked(g), cast(Any, g.stack[-1])
        action = decide(player("don42", "elite", side), HERON, g, side)
        if action[0] == "to":
            key = (g.turn, g.phase, p.unit)
            assert key not in seen or action[1] != came.get(p.unit)
            seen.add(key)
            moved += 1
            back += came.get(p.unit) == action[1]
            came[p.unit] = g.place[p.unit]
        push(g, action)
        steps += 1
        assert steps < 3000
    assert moved > 40
    assert back <= moved / 10


def test_more_room_and_more_enemies_are_more_danger() -> None:
    g = at_phase(S_MOVEMENT, 8)
    for h, _ in g.objectives:
        assert 0 <= room_around(g, SOVIET, h) <= 6
        assert 0 <= threat_to(g, SOVIET, h).likely <= 1


def test_guns_are_shared_out_among_targets_they_may_aim_at() -> None:
    g = at_phase(S_BOMBARDMENT, 11)
    fire = shared_out(g)
    guns = [u for several in fire.values() for u in several]
    assert guns
    assert len(guns) == len(set(guns))
    for h, several in fire.items():
        assert g.enemies_in(h, SOVIET)
        for u in several:
            assert why_not_bombard(g, u) is None
            assert why_not_aim(g, u, h) is None


def test_what_a_barrage_does_never_falls_with_its_strength() -> None:
    g = at_phase(S_MOVEMENT, 6)
    found = [effect(g, factors) for factors in range(25)]
    assert found[0] == 0.0
    assert found == sorted(found)
    assert found[1] < found[-1]


def test_advice_names_the_garrisons() -> None:
    g = at_phase(S_MOVEMENT, 10)
    program = cast(Any, player("don42", "elite", 5))
    told = program.adviser.keeps(program, program.look(g, SOVIET))
    assert {(a.units[0], a.place) for a in told} == set(Garrisons(g, SOVIET).run().items())
    for aim in told:
        assert aim.who == g.id(aim.units[0])
        assert place_words(g, aim.place) in aim.words
        assert ("stays" in aim.words) is (g.place[aim.units[0]] == aim.place)


def test_soviets_wait_out_of_the_way_until_the_last_turn() -> None:
    g = Game.new("don42", "kotluban", seed=3).board
    assert isinstance(g, Board)
    g.events = None
    seats = {side: player("don42", "elite", 5) for side in HERON.played}
    waited = 0
    while g.turn == g.scenario.first_turn and g.phase <= S_MOVEMENT:
        side = asked(g)
        action = decide(seats[side], HERON, g, side)
        if action[0] == "to" and "waits for the last blow" in seats[side].reason:
            u, far = cast(Any, g.stack[-1]).unit, to_enemy(g, SOVIET)
            assert keeps_off(g, u)
            assert far[action[1]] >= min(far[g.place[u]], CLOSE)
            waited += 1
        push(g, action)
    assert waited > 3
    units = [u for u in g.units_on_map(SOVIET) if keeps_off(g, u)]
    assert units
    assert not any(g.forces.gun[u] for u in units)
    g.set_track("turn", g.scenario.last_turn)
    assert not lies_low(g)
    assert not any(keeps_off(g, u) for u in units)


def test_nobody_waits_where_the_scenario_lets_everybody_act() -> None:
    assert not lies_low(at_phase(S_MOVEMENT, 8))
