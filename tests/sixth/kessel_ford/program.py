"""A program for The Ford: go for the town, attack at good odds."""

from __future__ import annotations

from dataclasses import dataclass

from kessel_ford.board import Board
from kessel_ford.rules import Combat, Movement, attackers, column

from kessel.bots.program import Program, on
from kessel.core.procedure import PASS, Action, Options


@dataclass(frozen=True, slots=True)
class Weights:
    town: float = 1.0


class Greedy(Program[Board]):
    numbers = Weights

    def look(self, g: Board, side: int) -> Board:
        return g

    @on(Movement.pick)
    def march(self, g: Board, p: Movement, found: Options) -> Action:
        town, w = g.map.grid.hex(g.scenario["town"]), self.tuned(WEIGHTS)

        def gain(a: Action) -> float:
            return w.town * (g.map.grid.distance(g.place[a[1]], town) - g.map.grid.distance(a[2], town))

        best = max((a for a in found if a != PASS), key=gain)
        return self.say(best, "the town decides") if gain(best) > 0 else PASS

    @on(Combat.choose)
    def fight(self, g: Board, p: Combat, found: Options) -> Action:
        good = [a for a in found if a != PASS and column(g, attackers(g, p.side, a[1]), a[1]) in ("2:1", "3:1")]
        return self.say(good[0], "the odds are good") if good else PASS

    @on(Combat.gather)
    def gather(self, g: Board, p: Combat, found: Options) -> Action:
        return self.say(found.all()[-1], "all that can attack do")

    @on(Combat.advance)
    def advance(self, g: Board, p: Combat, found: Options) -> Action:
        return found.all()[-1]


WEIGHTS = Weights()
PLAYERS = {"greedy": Greedy}
