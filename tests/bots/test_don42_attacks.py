"""Strike of the Heron: attacks planned before moves."""

from __future__ import annotations

from functools import cache

import pytest

from kessel.bots import decide, player
from kessel.bots.don42.attacks import AttackPlanner
from kessel.bots.don42.fights import gain_of
from kessel.bots.don42.massed import Massed
from kessel.bots.don42.weights import WEIGHTS, Weights
from kessel.core.forces import Unit
from kessel.core.game import Game
from kessel.core.procedure import asked, legal, push
from kessel.core.title import title
from kessel.games.don42.board import ATTACK, G_MOVEMENT, S_MOVEMENT, Board
from kessel.games.don42.combat.air import strikers
from kessel.games.don42.combat.combat import supporters
from kessel.games.don42.combat.odds import work_out
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement import ends_of
from kessel.games.don42.movement.stacking import why_not_together
from kessel.games.don42.supply.supply import state_now

HERON = title("don42")


@cache
def at_phase(phase: int, turn: int) -> Board:
    """A board at which that phase begins."""
    g = Game.new("don42", "crossing-the-don", seed=700).board
    g.events = None
    programs = {side: player("don42", "greedy", side) for side in HERON.played}
    while (g.turn, g.phase) < (turn, phase):
        push(g, decide(programs[asked(g)], HERON, g, asked(g)))
    assert isinstance(g, Board)
    return g


def plain(g: Board, u: Unit) -> Weights:
    return WEIGHTS[g.forces.side[u]]


@pytest.mark.parametrize(("phase", "side"), [(S_MOVEMENT, SOVIET), (G_MOVEMENT, GERMAN)])
def test_planned_attacks_can_be_made(phase: int, side: int) -> None:
    g = at_phase(phase, 7)
    before = g.digest()
    orders = AttackPlanner(g, plain, side).run()
    assert orders
    assert g.digest() == before
    after = g.copy()
    for u, order in orders.items():
        assert order.place == g.place[u] or ends_of(g, u, g.allowance(u) * POINT, True) >> order.place & 1
        assert g.map.grid.distance(order.place, order.target) == 1
        assert g.enemies_in(order.target, side)
        after.move(u, order.place)
    planes = min(len(strikers(g, side)), g.charts.constants.air_support)
    for target in {o.target for o in orders.values()}:
        group = tuple(u for u, o in orders.items() if o.target == target)
        for u in group:
            there = after.units(after.place[u])
            assert len(there) == 1 or why_not_together(after, side, list(there)) is None
            assert side == GERMAN or state_now(after, u) == ATTACK
        guns = tuple(supporters(after, side, target, group, attacking=True))[:4]
        odds = work_out(after, side, group, target, guns, range(planes))
        w = WEIGHTS[side]
        assert gain_of(after, w, side, target, group, odds) > w.good_enough


def test_nothing_is_planned_that_promises_too_little() -> None:
    g = at_phase(S_MOVEMENT, 7)
    assert not AttackPlanner(g, lambda g, u: Weights(good_enough=99.0), SOVIET).run()


def test_units_go_where_they_are_to_attack_from() -> None:
    g = at_phase(S_MOVEMENT, 7).copy()
    program = Massed(1)
    moved: dict[int, tuple[int, str]] = {}
    while g.phase == S_MOVEMENT and asked(g) == SOVIET:
        action = decide(program, HERON, g, SOVIET)
        assert action in legal(g)
        if action[0] == "to" and "to attack" in program.reason:
            moved[g.stack[-1].unit] = action[1], program.reason  # type: ignore[attr-defined]
        push(g, action)
    assert moved
    for u, (place, reason) in moved.items():
        assert g.place[u] == place
        assert any(g.ground.name(n) in reason and g.enemies_in(n, SOVIET) for n in g.map.grid.around[place])
