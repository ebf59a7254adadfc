"""The commander of The Jaws of Victory: reserves where points are at stake, and the last turn."""

from __future__ import annotations

from collections import Counter
from time import process_time

from kessel.bots import decide, player
from kessel.bots.korsun44.attacks import Attack
from kessel.bots.korsun44.commander import MORE_ORDERS, Aware, Commander, Errands, counted
from kessel.bots.korsun44.weights import LAST_TURN
from kessel.core.game import Game
from kessel.core.procedure import asked, legal, push
from kessel.core.title import title
from kessel.games.korsun44.board import GERMAN, OUT, SOVIET, Board
from kessel.games.korsun44.movement.movement import Move
from kessel.games.korsun44.special.victory import is_brigade

JAWS = title("korsun44")


def board(turn: int = 1, scenario: str = "kapitanovka") -> Board:
    g = Game.new("korsun44", scenario, seed=1).board
    assert isinstance(g, Board)
    g.set_track("turn", turn)
    return g


def hex_of(g: Board, name: str) -> int:
    return g.map.grid.hex(name)


def seen(g: Board, side: int) -> Aware:
    s = Commander().look(g, side)
    assert isinstance(s, Aware)
    return s


def test_orders_of_a_scenario_come_before_those_of_the_campaign() -> None:
    g = board()
    westland = g.forces.unit("Westland.5SSPz")
    assert seen(g, GERMAN).task(westland).goal == hex_of(g, "4225")
    assert seen(board(scenario="campaign"), GERMAN).task(westland).goal != hex_of(g, "4225")


def test_orders_name_formations_and_places_of_their_scenario() -> None:
    for scenario, sides in MORE_ORDERS.items():
        g = board(scenario=scenario)
        known = {x for u in range(len(g.forces)) for x in (g.forces.division[u], g.forces.corps[u], g.forces.army[u])}
        for order in (x for orders in sides for x in orders):
            assert set(order.formations.split()) <= known
            assert all(g.playable >> hex_of(g, name) & 1 for name in order.goals.split())


def test_on_the_last_turn_somebody_takes_what_stands_empty() -> None:
    for turn, taken in ((4, False), (5, True)):
        g = board(turn)
        lebedin = hex_of(g, "4225")
        g.control[lebedin] = SOVIET
        for u in g.units(lebedin):
            g.move(u, hex_of(g, "3612"))
        g.changed()
        marches = Errands(seen(g, GERMAN).on(g.copy()))
        marches.make()
        for_it = [r for r in marches.plan.reasons.values() if r.endswith("stands empty")]
        assert bool(for_it) == taken
        if taken:
            assert any(h == lebedin for _, h in marches.plan.moves.values())


def test_brigades_that_count_are_worth_attacking_on_the_last_turn() -> None:
    for turn, more in ((4, False), (5, True)):
        g = board(turn)
        u = g.forces.unit("8G.20TkC")
        west, east = hex_of(g, "4020"), hex_of(g, "4320")
        g.move(u, west)
        g.changed()
        s = seen(g, GERMAN)
        assert (s.prize(west) > s.prize(east)) == more
        assert seen(g, SOVIET).prize(west) == 0


def test_on_the_last_turn_nobody_waits_in_reserve_who_has_somewhere_to_go() -> None:
    marches = Errands(seen(board(5), SOVIET).on(board(5)))
    marches.make()
    assert marches.plan.moves
    assert not marches.plan.reserve & set(marches.plan.moves)


def test_on_the_last_turn_brigades_that_cannot_cross_wait_for_the_attacks() -> None:
    waiting = {}
    for turn in (4, 5):
        g = board(turn)
        marches = Errands(seen(g, SOVIET).on(g))
        marches.reach = {group: 1 << g.place[group[0]] for group in marches.groups()}
        marches.hold_back([Attack(hex_of(g, "4520"), 1.0)], set())
        waiting[turn] = {u for u in marches.plan.reserve if is_brigade(g, u)}
    assert waiting[4] < waiting[5]


def test_a_brigade_counts_west_of_the_line_and_in_supply() -> None:
    g = board(5)
    u = g.forces.unit("8G.20TkC")
    west, east = hex_of(g, "4020"), hex_of(g, "4320")
    assert (counted(g, (u,), west), counted(g, (u,), east)) == (2, 0)
    g.status[u] |= OUT
    assert counted(g, (u,), west) == 0


def test_nothing_is_saved_on_the_last_turn() -> None:
    assert all(w.own_step < 0.1 for w in LAST_TURN)
    assert seen(board(5), SOVIET).w == LAST_TURN[SOVIET]


def test_it_plays_without_running_in_circles_alike_from_one_position_and_keeps_time() -> None:
    g = board()
    twin, counted, begun = g.copy(), Counter[str](), process_time()
    seats = {x: player("korsun44", "elite", x) for x in JAWS.played}
    others = {x: player("korsun44", "elite", 5 + x) for x in JAWS.played}
    came: dict[int, int] = {}
    while g.turn == 1 and counted.total() < 1200:
        side, p = asked(g), g.stack[-1]
        action = decide(seats[side], JAWS, g, side)
        assert action in legal(g)
        counted[action[0]] += 1
        if counted.total() < 300:
            assert decide(others[side], JAWS, twin, side) == action
            push(twin, action)
        if action[0] == "to" and isinstance(p, Move):
            counted["back"] += came.get(p.units[0]) == action[1]
            came[p.units[0]] = g.place[p.units[0]]
        push(g, action)
    assert g.turn == 2
    assert counted["to"] > 40
    assert counted["back"] <= counted["to"] / 20
    assert process_time() - begun < 2 * 10


def test_it_never_sees_what_is_hidden() -> None:
    """Two boards that differ in the chits of the enemy alone look alike to the side that may not see them."""
    g = board()
    for side in (SOVIET, GERMAN):
        while asked(g) != side:
            push(g, decide(player("korsun44", "elite"), JAWS, g, asked(g)))
        other = g.copy()
        hidden = [u for u in other.on_the_map(1 - side) if other.forces.counters[u].chit and other.steps[u] > 3]
        for u in hidden:
            other.steps[u] -= 1
        other.changed()
        assert other.digest() != g.digest() or side == SOVIET
        one, two = Commander(), Commander()
        assert decide(one, JAWS, g, side) == decide(two, JAWS, other, side)
        assert one.reason == two.reason
