"""The program that plays The Jaws of Victory: parts of games with it on either side, and what it must not do."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import pytest

from kessel.bots import RandomPlayer
from kessel.bots.korsun44 import PLAYERS, fights
from kessel.bots.korsun44.marches import Marches
from kessel.bots.korsun44.orders import ORDERS, POCKET, task_of, tasks
from kessel.bots.korsun44.pocket import MANY
from kessel.bots.korsun44.ring import Ring, road_out, way_out
from kessel.bots.korsun44.roads import needed_roads
from kessel.bots.korsun44.situation import Situation
from kessel.bots.korsun44.wall import INNER, Builder
from kessel.bots.korsun44.weights import WEIGHTS, Weights
from kessel.bots.player import Player
from kessel.core.game import Game
from kessel.core.hexset import members, within
from kessel.core.pack import Pack
from kessel.core.procedure import asked, legal
from kessel.core.title import title
from kessel.games.korsun44.board import GERMAN, OOS1, SOVIET, Board
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT, Battle
from kessel.games.korsun44.combat.odds import chances_of
from kessel.games.korsun44.data.charts import ARMOR, parse_result
from kessel.games.korsun44.movement.movement import Move, reach_of
from kessel.games.korsun44.supply.markers import serves
from kessel.games.korsun44.supply.paths import path_lengths, road_within, supply_range
from kessel.games.korsun44.supply.sources import all_edges, edge_sources

MAKERS = {"random": RandomPlayer, "greedy": PLAYERS["greedy"]}
TITLE = title("korsun44")


@lru_cache(maxsize=1)
def the_pack() -> Pack:
    return Pack("korsun44")


def new_game(scenario: str, seed: int = 1) -> Game:
    return Game.new("korsun44", scenario, seed=seed, pack=the_pack())


def play(scenario: str, programs: tuple[str, str], turns: int, seed: int = 1) -> tuple[Game, Counter[str]]:
    """Play so many turns; each choice is checked. Counts actions, and marches back to where a unit came from."""
    game, counted = new_game(scenario, seed), Counter[str]()
    last = game.board.turn + turns
    sides: list[Player] = [MAKERS[level](seed + i) for i, level in enumerate(programs)]
    came: dict[int, int] = {}
    while not game.over and game.board.turn < last:
        g, side = game.board, asked(game.board)
        action = sides[side].choose(TITLE, TITLE.known_to(g, side), side)
        assert action in legal(g)
        counted[action[0]] += 1
        assert counted.total() < 1200 * turns, f"no end: {action}, {sides[side].reason}"
        p = g.stack[-1]
        if action[0] == "to" and isinstance(p, Move):
            counted["marches"] += 1
            counted["back"] += came.get(p.units[0]) == action[1]
            came[p.units[0]] = g.place[p.units[0]]
        game.play(action, side)
    return game, counted


@pytest.mark.parametrize("scenario", ["tinovka", "vormann", "wanda", "lysyanka"])
def test_greedy_plays_without_running_in_circles(scenario: str) -> None:
    game, counted = play(scenario, ("greedy", "greedy"), 2)
    assert TITLE.faults(game.board) == []
    assert counted["marches"] > 40
    assert counted["back"] <= counted["marches"] / 20, "hardly anybody goes back where he came from"
    assert counted["combat"] > 4
    again = Game.replay(game.record, pack=the_pack())
    assert again.board.digest() == game.board.digest()


@pytest.mark.parametrize(
    ("programs", "winner"), [(("greedy", "random"), GERMAN), (("random", "greedy"), SOVIET)], ids=["german", "soviet"]
)
def test_greedy_beats_random(programs: tuple[str, str], winner: int) -> None:
    game, _ = play("kapitanovka", programs, 5, seed=3)
    outcome = TITLE.outcome(game.board)
    assert outcome is not None
    assert outcome.winner == winner


def test_the_same_position_gives_the_same_choice() -> None:
    game = new_game("kapitanovka")
    a, b = PLAYERS["greedy"](1), PLAYERS["greedy"](1)
    for _ in range(120):
        side = asked(game.board)
        first = a.choose(TITLE, TITLE.known_to(game.board, side), side)
        assert b.choose(TITLE, TITLE.known_to(game.board, side), side) == first
        assert a.reason == b.reason
        game.play(first, side)


def test_a_new_player_in_the_middle_of_a_phase_goes_on() -> None:
    game, counted = new_game("lysyanka"), Counter[str]()
    while game.board.turn == game.board.scenario.first_turn and counted.total() < 250:
        side = asked(game.board)
        action = PLAYERS["greedy"](1).choose(TITLE, TITLE.known_to(game.board, side), side)
        counted[action[0]] += 1
        game.play(action, side)
    assert counted["to"] > 10


def test_it_never_sees_what_is_hidden() -> None:
    """Two boards that differ in the chits of the enemy alone look alike to the side that may not see them."""
    g = new_game("kapitanovka").board
    assert isinstance(g, Board)
    h = g.copy()
    for u in h.on_the_map(SOVIET):
        if h.forces.counters[u].chit and h.steps[u] > 3:
            h.steps[u] -= 1
    h.changed()
    choices = [PLAYERS["greedy"](1).choose(TITLE, TITLE.known_to(x, GERMAN), SOVIET) for x in (g, h)]
    assert choices[0] == choices[1]


def test_averages_are_those_of_the_table() -> None:
    g = new_game("kapitanovka").board
    assert isinstance(g, Board)
    u = g.forces.unit("214.53A")
    target = next(h for h in g.map.grid.around[g.place[u]] if g.of_side(h, GERMAN))
    b = Battle(SOVIET, COMBAT_SEGMENT, (target,), (u,), tuple(g.of_side(target, GERMAN)))
    exact = {parse_result(o.result): p for o, p in chances_of(g, b).items()}
    column = next(iter(chances_of(g, b))).column
    quick = fights.averages(g.charts, g.charts.odds.index(column))
    assert quick.retreat == pytest.approx(float(sum(p for r, p in exact.items() if r.defender.retreat)))
    assert quick.steps == pytest.approx(float(sum(p * r.defender.steps for r, p in exact.items())))
    assert quick.own_steps == pytest.approx(float(sum(p * r.attacker.steps for r, p in exact.items())))


def test_every_order_names_a_formation_and_places_of_the_game() -> None:
    g = new_game("campaign").board
    assert isinstance(g, Board)
    known = {x for u in range(len(g.forces)) for x in (g.forces.division[u], g.forces.corps[u], g.forces.army[u])}
    for side in (GERMAN, SOVIET):
        for order in ORDERS[side]:
            assert {x.removeprefix(f"{POCKET}.") for x in order.formations.split()} <= known | {POCKET}
            assert all(g.playable >> g.map.grid.hex(name) & 1 for name in order.goals.split())


def test_a_formation_goes_for_the_first_place_it_does_not_hold() -> None:
    g = new_game("campaign").board
    assert isinstance(g, Board)
    u = g.forces.unit("8G.20TkC")
    first = task_of(g, tasks(g, SOVIET), u)
    assert first.attack
    g.control[first.goal] = SOVIET
    second = task_of(g, tasks(g, SOVIET), u)
    assert second.goal != first.goal


def test_distances_grow_from_the_objective_and_enemies_lengthen_them() -> None:
    g = new_game("kapitanovka").board
    assert isinstance(g, Board)
    s = Situation(g, SOVIET, WEIGHTS[SOVIET], {})
    goal, u = g.map.grid.hex("4225"), g.forces.unit("8G.20TkC")
    far = s.field(goal, ARMOR)
    assert far[goal] == 0
    assert all(far[n] > 0 for n in g.map.grid.around[goal])
    assert s.delay(u, g.place[u]) > 0


def test_nobody_is_sent_beyond_the_boundary_of_his_front() -> None:
    g = new_game("campaign").board
    assert isinstance(g, Board)
    u = g.forces.unit("8G.20TkC")

    def costs(name: str) -> float:
        """What the boundary takes off the worth of a hex."""
        free, bound = (Marches(Situation(g, SOVIET, Weights(beyond=x), {})) for x in (0.0, 4.0))
        return free.value((u,), g.map.grid.hex(name)) - bound.value((u,), g.map.grid.hex(name))

    assert costs("3825") == 0
    assert costs("2728") == pytest.approx(4)


def test_weights_are_one_place() -> None:
    careful = PLAYERS["greedy"](1, {"least_attack": 99.0, "least_holding": 99.0})
    game, attacks = new_game("kapitanovka"), 0
    while game.board.turn == 1:
        side = asked(game.board)
        action = careful.choose(TITLE, TITLE.known_to(game.board, side), side)
        attacks += action[0] == "combat"
        game.play(action, side)
    assert not attacks


def test_korsun_is_declared_when_many_of_its_korps_are_out_of_supply() -> None:
    """13.1.3 It is a source of their own then, whether or not a road still leads there."""
    g = new_game("campaign").board
    korps = g.charts.game.formations.pocket_korps
    mine = [u for u in g.on_the_map(GERMAN) if g.forces.corps[u] in korps]
    player = PLAYERS["greedy"](1)
    assert not player._is_cut_off(player.look(g, GERMAN))
    for u in mine[:MANY]:
        g.set_status(u, OOS1)
    assert player._is_cut_off(player.look(g, GERMAN))


def test_the_road_to_korsun_is_a_way_out_that_a_zone_closes() -> None:
    g = new_game("campaign").board
    road = members(road_out(g))
    assert all_edges(g, GERMAN) >> next(h for h in road if all_edges(g, GERMAN) >> h & 1) & 1
    links = g.ground.roads
    assert all(any(links[d] >> h & 1 for d in range(6)) for h in road)
    empty = next(h for h in road if not g.occupied(h))
    g.put(next(u for u in g.on_the_map(SOVIET) if g.forces.star[u]), empty)
    assert not road_out(g) >> empty & 1


def test_an_sdm_without_anybody_to_supply_is_worth_nothing_for_its_points() -> None:
    """It goes where its units are, not where its source fills it."""
    g = new_game("campaign").board
    player = PLAYERS["greedy"](1)
    s = player.look(g, SOVIET)
    for sdm in g.sdms(SOVIET):
        mine = [u for u in g.on_the_map(SOVIET) if serves(g, sdm, u)]
        best = player.best_hex(s, sdm)
        lengths = path_lengths(g, SOVIET, 1 << best, supply_range(g, SOVIET))
        assert not mine or any(g.place[u] in lengths for u in mine), g.id(sdm)


# --- the ring ------------------------------------------------------------------------------------------------------


def test_a_gap_is_the_fewest_hexes_that_close_the_ring() -> None:
    g = new_game("campaign").board
    assert isinstance(g, Board)
    ring = Ring(g)
    corridor = within(g.map.grid, ring.way(0), 2)
    closed = g.playable & ~corridor
    gap = ring.gap(closed, g.playable & ~(1 << ring.korsun))
    assert gap
    assert not ring.leaks(closed | gap)
    assert all(ring.leaks(closed | gap & ~(1 << h)) for h in members(gap)), "none is superfluous"
    assert gap.bit_count() <= 5, "a corridor of five hexes"
    assert ring.gap(closed, 0) is None, "nobody can close anything"
    assert ring.gap(closed | gap, 0) == 0, "it is closed"


def planned(g: Board) -> Marches:
    """The marches of the Soviets, made on a copy of the board."""
    marches = Marches(Situation(g.copy(), SOVIET, WEIGHTS[SOVIET], {}))
    marches.make()
    return marches


def test_soviets_close_a_ring_that_is_open_and_keep_it_closed() -> None:
    g = new_game("lysyanka").board
    assert isinstance(g, Board)
    assert not way_out(g)
    before = planned(g)
    wall = before.plan.wall
    assert not way_out(before.g), "the marches of all others leave it closed"
    opened = g.copy()
    for u in wall:
        aside = [h for h in g.map.grid.around[g.place[u]] if g.playable >> h & 1 and not g.occupied(h)]
        for h in aside:
            opened.move(u, h)
            if way_out(opened):
                break
    assert way_out(opened)
    assert not way_out(planned(opened).g)


def test_while_the_ring_is_open_those_whom_nobody_needs_narrow_the_gap() -> None:
    """A way leads round the armies along the edge of the map: one unit closes it there."""
    g = new_game("wanda").board
    assert isinstance(g, Board)
    marches = Marches(Situation(g.copy(), SOVIET, WEIGHTS[SOVIET], {}))
    for group in marches.groups():
        marches.reach[group] = reach_of(g, group[0]).hexes | 1 << g.place[group[0]]
    builder = Builder(marches.s, marches.reach, marches.gain)
    can = g.playable & ~g.hexes_of(GERMAN) & ~within(g.map.grid, 1 << g.ground.korsun, INNER)
    before = builder.ring.gap(builder.closed(), can)
    walls = builder.approach()
    assert before
    assert walls is not None
    assert walls.moves
    after = builder.ring.gap(builder.closed(), can)
    assert after is not None
    assert after.bit_count() < before.bit_count()
    for group in walls.moves:
        u = group[0]
        assert not marches.s.near.get(g.place[u])
        assert not (task_of(g, marches.s.tasks, u).attack and g.forces.armor[u])


def test_a_road_in_an_enemy_zone_wants_a_guard() -> None:
    """13.3 An enemy zone closes a road where nobody stands: the hex is one to stand in, its enemy one to attack."""
    g = new_game("campaign").board
    assert isinstance(g, Board)
    known = needed_roads(g, SOVIET).holes
    german = next(u for u in g.on_the_map(GERMAN) if g.forces.infantry_type[u] and g.steps[u] > 2)
    rifles = next(u for u in g.on_the_map(SOVIET) if g.forces.army[u] == "53A")
    road = road_within(g, SOVIET, edge_sources(g, SOVIET, ("53A",)), 4)
    h = next(h for h in members(road)[1:] if not g.occupied(h))
    beside = next(n for n in g.map.grid.around[h] if not g.occupied(n) and not road >> n & 1)
    g.move(german, beside)
    found = needed_roads(g, SOVIET)
    assert beside in found.blocks
    hole = min(set(found.holes) - set(known))
    g.move(rifles, hole)
    assert hole not in needed_roads(g, SOVIET).holes
