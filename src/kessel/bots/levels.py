"""The levels offered to a person: programs under honest names, each with what it does and what it leaves out.

A weaker level thinks less or has handicaps that are named; none cheats, and none blunders on purpose.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from kessel.bots.program import Program
from kessel.bots.search.plans import Domain
from kessel.bots.search.player import SearchPlayer, Settings
from kessel.bots.search.tactics import Fights, Tactician, Tactics
from kessel.bots.weights import Changes
from kessel.core.board import Board
from kessel.core.procedure import PASS, Action, options
from kessel.core.title import Title


@dataclass(frozen=True, slots=True)
class Level:
    """A program as it is offered. One that is not `offered` can still be had by its name."""

    make: Callable[..., Any]
    about: str
    offered: bool = True

    def __call__(self, seed: int = 0, changes: Changes | None = None) -> Any:
        return self.make(seed, changes) if changes else self.make(seed)


ATTACKS = frozenset({"attack", "combat", "assault", "hasty", "prepared"})
"""Verbs that begin an attack."""
BREAKS_OFF = 1 / 3
"""How often a recruit ends its attacks instead of making the next one."""
RECRUIT = (
    "Plays like regular with two handicaps: it does not look at what the enemy could do next, and one time in three it "
    "breaks off its attacks before the next one. For a first game."
)
REGULAR = "Looks at each decision by itself and takes what seems best now. It has no plan beyond the turn."

TACTICIAN = (
    "Regular, but it looks at what comes of its best attacks, and anew after each battle. On trial in the arena."
)
LOOKAHEAD = Settings(seconds=8.0, plans=14)
LOOKS_AHEAD = "Compares fourteen plans for its turn, playing on for 8 seconds. On trial in the arena."


class Recruit:
    """A program with handicaps: numbers that leave out the danger, and attacks broken off."""

    def __init__(self, program: Program[Any], seed: int, breaks_off: float = BREAKS_OFF) -> None:
        self.program, self.random, self.breaks_off = program, random.Random(seed), breaks_off

    @property
    def reason(self) -> str:
        return self.program.reason

    def choose(self, t: Title, g: Board, side: int) -> Action:
        action = self.program.choose(t, g, side)
        if action[0] in ATTACKS and self.random.random() < self.breaks_off and options(g).allows(PASS):
            return self.program.say(PASS, "enough attacks for now")
        return action


def usual_levels(
    regular: type[Program[Any]],
    blind: Mapping[str, float],
    domain: Domain | None = None,
    fights: Fights | None = None,
) -> dict[str, Level]:
    """The levels of a game from its program, weakest first. `blind` are the numbers by which it sees no danger, with a
    `domain` it can look ahead, with `fights` it can look at each attack before it makes it.
    """

    def recruit(seed: int = 0, changes: Changes | None = None) -> Recruit:
        return Recruit(regular(seed, {**blind, **(changes or {})}), seed)

    found = {
        "recruit": Level(recruit, RECRUIT),
        "regular": Level(regular, REGULAR),
        "greedy": Level(
            regular, f"Another name of regular, by which it is known in the arena. {REGULAR}", offered=False
        ),
    }
    if domain is not None:
        found["lookahead"] = Level(partial(SearchPlayer, domain, LOOKAHEAD), LOOKS_AHEAD, offered=False)
    if fights is not None:
        found["tactician"] = Level(partial(Tactician, fights, Tactics()), TACTICIAN, offered=False)
    return found
