"""The commander of Strike of the Heron: the corridor to the Volga, Tank Corps kept awake, the last turn."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from kessel.bots import decide, player
from kessel.bots.advice import advise
from kessel.bots.don42.commander import COMMANDERS, LAST, Commander, Posting, can_mend, is_held_back
from kessel.bots.don42.corridor import VAN, Corridor, corps_hq, find_corridor, van_of
from kessel.bots.don42.staff import chance_of, waking
from kessel.bots.levels import Recruit
from kessel.bots.purpose import place_words
from kessel.core.game import Game
from kessel.core.procedure import asked, legal, push
from kessel.core.title import title
from kessel.games.don42.board import ACTIVE, G_MOTORIZED, G_MOVEMENT, S_MOVEMENT, Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement import allowance, ends_of
from kessel.games.don42.movement.zones import enemy_zone, open_hexes
from kessel.games.don42.supply.activation import activation_roll
from kessel.games.don42.supply.supply import has_ground_supply
from kessel.games.don42.turn.victory import at_the_volga

HERON = title("don42")


@cache
def at_phase(phase: int, turn: int, programs: tuple[str, str] = ("elite", "elite")) -> Board:
    """A board at which that phase begins; every choice is checked."""
    g = Game.new("don42", "crossing-the-don", seed=701).board
    assert isinstance(g, Board)
    g.events = None
    seats = {side: player("don42", programs[side], side) for side in HERON.played}
    while (g.turn, g.phase) < (turn, phase):
        action = decide(seats[asked(g)], HERON, g, asked(g))
        assert action in legal(g)
        push(g, action)
    return g


def found(g: Board) -> Corridor:
    corridor = find_corridor(g)
    assert corridor is not None
    return corridor


@pytest.mark.rule("don42", "17.1.8.b")
@pytest.mark.parametrize("turn", [5, 6])
def test_a_corridor_is_a_chain_of_supply(turn: int) -> None:
    """With everybody in place and nobody in the way the van at the Volga is in supply by ground."""
    g = at_phase(G_MOVEMENT, turn).copy()
    c = found(g)
    assert all(g.map.grid.adjacent(a, b) for a, b in pairwise(c.way))
    soviets, germans, zone = g.hexes_of(SOVIET), g.hexes_of(GERMAN), enemy_zone(g, GERMAN)
    assert all(soviets >> h & 1 for h in c.blocks)
    assert all(zone >> h & 1 and not germans >> h & 1 for h in c.posts)
    assert all(open_hexes(g, GERMAN) >> h & 1 for h in c.way if h not in c.posts and h not in c.blocks)
    assert g.ground.on_road >> c.corps & 1
    for h in c.blocks:
        for u in g.units(h):
            g.steps[u] = 0
            g.move(u, -1)
    van = van_of(g, c.hq)
    posts = [h for h in c.way if enemy_zone(g, GERMAN) >> h & 1 and not g.occupied(h)]
    spare = [u for u in g.units_on_map(GERMAN) if g.place[u] not in c.way and not g.forces.hq[u] and u not in van]
    assert len(spare) >= len(posts)
    for u, h in [*zip(spare, posts, strict=False), *((u, c.van) for u in van[:VAN])]:
        g.move(u, h)
    g.move(corps_hq(g), c.corps)
    g.move(c.hq, c.division)
    g.changed()
    assert set(van[:VAN]) <= set(at_the_volga(g, g.scenario.victory["volga"]))
    assert all(has_ground_supply(g, u) for u in van[:VAN])


@pytest.mark.parametrize("phase", [G_MOVEMENT, G_MOTORIZED])
def test_posts_are_where_units_can_go(phase: int) -> None:
    g = at_phase(phase, 6)
    before = g.digest()
    posts = Posting(g, found(g)).run()
    assert posts
    for u, h in posts.items():
        assert g.forces.side[u] == GERMAN
        assert not g.forces.hq[u]
        assert h == g.place[u] or ends_of(g, u, allowance(g, u).total * POINT, True) >> h & 1
    assert g.digest() == before


@pytest.mark.rule("don42", "9.1.d")
def test_a_third_army_is_held_back_so_that_tank_corps_act() -> None:
    g = at_phase(S_MOVEMENT, 7)
    hq = g.forces.command_hq[g.command_index("1GdA")]
    assert g.is_waiting(hq)
    assert is_held_back(g, hq)
    awake = {g.command_name(u) for u in g.units_on_map(SOVIET) if g.status[u] & ACTIVE}
    assert len(awake & set(g.charts.tank_corps)) == g.charts.constants.free_tank_corps
    last = g.copy()
    last.set_track("turn", last.scenario.last_turn)
    assert not is_held_back(last, hq), "on the last turn it brings a free activation"
    fewer = g.copy()
    fewer.move(fewer.forces.command_hq[fewer.command_index("62A")], -1)
    assert not is_held_back(fewer, hq), "with one Army on the map a second one is wanted"
    assert not is_held_back(g, g.forces.command_hq[g.command_index("4TkC")])


@pytest.mark.rule("don42", "9.3.b")
def test_the_chance_that_an_army_wakes_up_is_that_of_the_table() -> None:
    g = at_phase(S_MOVEMENT, 7)
    hq = g.forces.command_hq[g.command_index("62A")]
    if g.ground.on_road >> g.place[hq] & 1:
        assert waking(g, g.place[hq]) == chance_of(activation_roll(g, "62A")["needs"])
    assert chance_of(2) == 1
    assert chance_of(13) == 0


def test_nothing_is_saved_on_the_last_turn() -> None:
    g = at_phase(G_MOVEMENT, 6).copy()
    u = van_of(g, found(g).hq)[0]
    program = Commander(1)
    assert program.weights(g, u) == COMMANDERS[GERMAN]
    g.set_track("turn", g.scenario.last_turn)
    assert program.weights(g, u) == LAST[GERMAN]
    assert Commander(1, {"risk": 0.7}).weights(g, u).risk == 0.7


def test_two_commanders_play_alike_and_leave_the_board() -> None:
    """One for the whole turn, or one that begins anew in the middle of a phase where the plan is the same."""
    g = at_phase(G_MOVEMENT, 6)
    before = g.digest()
    one, two = Commander(3), Commander(3)
    a, b = g.copy(), g.copy()
    for _ in range(120):
        side = asked(a)
        if side != GERMAN:
            break
        first, second = decide(one, HERON, a, side), decide(two, HERON, b, side)
        assert first == second
        push(a, first)
        push(b, second)
    assert a.digest() == b.digest()
    assert g.digest() == before


@pytest.mark.rule("don42", "7.4.c")
def test_soviet_planes_go_for_a_bridge_that_cannot_be_mended() -> None:
    g = at_phase(G_MOVEMENT, 5).copy()
    bridge = g.ground.bridges[0]
    ends = bridge // 6, g.map.grid.neighbours[bridge // 6][bridge % 6]
    for u in [u for u in g.units_on_map(GERMAN) if min(g.map.grid.distance(g.place[u], h) for h in ends) <= 1]:
        g.move(u, -1)
    assert not can_mend(g, bridge)
    u = next(u for u in g.units_on_map(GERMAN) if not g.forces.hq[u])
    g.move(u, ends[0])
    soviets = [u for u in g.units_on_map(SOVIET) if min(g.map.grid.distance(g.place[u], h) for h in ends) <= 1]
    assert can_mend(g, bridge) is not bool(soviets)


def test_it_says_where_the_corridor_is_to_lead() -> None:
    g = at_phase(G_MOVEMENT, 6)
    c = found(g)
    told = advise(HERON, HERON.known_to(g, GERMAN), "elite")
    assert f"14PzC is to stand at the Volga in supply: a corridor by {place_words(g, c.corps)}" in told.says
    missing = c.blocks or c.posts
    assert all(g.hex_name(h) in told.says for h in missing[:3])


def test_a_veteran_is_an_elite_that_breaks_off_attacks() -> None:
    veteran, elite = player("don42", "veteran", 4), player("don42", "elite", 4)
    assert isinstance(veteran, Recruit)
    assert isinstance(veteran.program, Commander)
    assert isinstance(elite, Commander)
    assert 0 < veteran.breaks_off < 1 / 3


@pytest.mark.parametrize("scenario", ["kotluban", "short-game", "freestyle"])
def test_it_plays_every_scenario(scenario: str) -> None:
    game = Game.new("don42", scenario, seed=1)
    last = game.board.turn + 1
    seats = [player("don42", "elite", side) for side in HERON.played]
    while not game.over and game.board.turn < last:
        side = asked(game.board)
        game.play(decide(seats[side], HERON, game.board, side), side)
    assert HERON.faults(game.board) == []
