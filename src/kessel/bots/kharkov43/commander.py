"""The German who knows which turn is the last.

He plays as `greedy` does until then. On it nothing is saved: regiments, cards and supply are of no use afterwards,
while every town counts (18.35), Kharkov most of all, and whoever stands in the way to it is driven off.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from kessel.bots.kharkov43.advice import KharkovAdviser
from kessel.bots.kharkov43.greedy import Greedy
from kessel.bots.kharkov43.situation import Situation
from kessel.bots.kharkov43.weights import WEIGHTS
from kessel.bots.purpose import Aim, place_words
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.forces import SOVIET
from kessel.games.kharkov43.turn.victory import is_kharkov

ABOUT = (
    "Plays like regular until the last turn. On that it saves nothing, and all its corps go for towns, for Kharkov "
    "first."
)
IN_THE_WAY = 8
"""From how far a Soviet stack is in the way to Kharkov."""
FINISH = replace(
    WEIGHTS,
    opens_way=2.0,
    vacated=0.6,
    kharkov=3.0,
    siege=0.6,
    worth_attacking=0.3,
    step=0.2,
    card=0.1,
    replacement=0.0,
    reserve_point=0.1,
    exposed=0.0,
    unsafe=0.0,
    cut_off=0.3,
    gives_way=6.0,
)


def is_last(g: Board) -> bool:
    """Whether the points of this game-turn are those that count in the end."""
    return g.scenario is not None and g.turn == g.scenario.last_turn


class Finish(Situation):
    """The board as it is seen on the last turn."""

    @cached_property
    def boldness(self) -> float:
        return 1.0

    @cached_property
    def goal(self) -> Hex | None:
        """Kharkov, if it must be retaken."""
        g = self.g
        return next((h for h in members(g.towns_of(SOVIET)) if is_kharkov(g, h)), None)

    def hex_value(self, h: Hex) -> float:
        found = super().hex_value(h)
        if self.goal is None:
            return found
        away = max(0, self.g.ground.distances(self.goal)[h] - 1)
        return found + self.w.opens_way * max(0.0, 1 - away / IN_THE_WAY)


class CommanderAdviser(KharkovAdviser):
    def aims(self, program: Greedy, seen: Situation) -> list[Aim]:
        found = super().aims(program, seen)
        if not isinstance(seen, Finish):
            return found
        g = seen.g
        words = f"save nothing on the last turn; the Soviets have {g.vp} points as they stand"
        if seen.goal is not None:
            words += f", and {place_words(g, seen.goal)} comes first"
        return [Aim("all corps", words, -1 if seen.goal is None else seen.goal), *found]


class Commander(Greedy):
    adviser = CommanderAdviser()

    def look(self, g: Any, side: int) -> Situation:
        return Finish(g, self.tuned(FINISH)) if is_last(g) else super().look(g, side)
