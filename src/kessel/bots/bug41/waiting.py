"""RX-6.2.pass Who lets the enemy go first has the last word: passing costs nothing as long as the enemy goes on."""

from __future__ import annotations

from collections.abc import Collection

from kessel.bots.bug41.greedy import Greedy
from kessel.core.dice import Dice
from kessel.core.forces import Side
from kessel.core.hexes import Bits
from kessel.core.procedure import PASS, Action, asked, options, push
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.turn.activation import Activation
from kessel.games.bug41.turn.initiative import Operations, able
from kessel.wargame.board import other

LEAST = 2
"""Activations the enemy must have left for it to be worth waiting."""
LONGEST = 60
"""Decisions after which an activation has certainly done something."""


class Watch:
    """Which enemy formations may have nothing left to do: those that acted while the front stood as it stands now."""

    def __init__(self) -> None:
        self.turn = 0
        self.levels: dict[Formation, int] = {}
        self.front: Bits = 0
        self.fronts: dict[Formation, set[Bits]] = {}
        """Where this side stood before and after a formation acted."""

    def look(self, g: Board, side: Side) -> set[Formation]:
        enemy = other(side)
        levels = {f: g.levels[f] for f in g.formations_of(enemy)}
        front = g.hexes_with_combat_units(side)
        if g.turn != self.turn:
            self.levels, self.fronts = levels, {}
        for f, n in levels.items():
            if n < self.levels.get(f, n):
                self.fronts.setdefault(f, set()).update((self.front, front))
        self.turn, self.levels, self.front = g.turn, levels, front
        return {f for f, fronts in self.fronts.items() if front in fronts}


def goes_on(g: Board, side: Side, doubtful: Collection[Formation]) -> bool:
    """Whether the enemy would make something of an activation if this side passed now: two passes end the turn."""
    h, enemy, model = g.copy(), other(side), Greedy(0)
    h.events = None
    h.dice = Dice(b"waiting")
    push(h, PASS)
    if not h.stack or asked(h) != enemy or not isinstance(h.stack[-1], Operations):
        return False
    seen = model.look(h, enemy)
    ready = [f for f in able(h, enemy) if f not in doubtful and h.levels[f] > model._reserve(seen, f)]
    if sum(h.levels[f] for f in ready) < LEAST:
        return False
    return any(_uses(h.copy(), model, enemy, ("activate", h.forces.commands[f])) for f in ready)


def _uses(h: Board, model: Greedy, enemy: Side, action: Action) -> bool:
    """Whether an activation spends anything."""
    push(h, action)
    points = -1
    for _ in range(LONGEST):
        if not h.stack or asked(h) != enemy:
            return True
        p = h.stack[-1]
        if isinstance(p, Operations):
            return False
        if isinstance(p, Activation):
            if 0 <= p.points < points:
                return True
            points = p.points
        found = options(h)
        chosen = model.wanted(h, enemy, found)
        push(h, chosen if chosen is not None and found.allows(chosen) else model.fall_back(found, chosen))
    return True
