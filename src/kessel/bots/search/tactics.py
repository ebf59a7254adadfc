"""A player that chooses its next attack by looking at what comes of it, and thinks anew after each battle.

Where the program of the game is asked for the next attack, the attacks that seem best to it, and stopping, are carried
out on copies, once for every way the dice can fall, up to the next such question; the program decides for both sides
meanwhile. The attack with the best mean of what the positions are worth is made. Everything else is the program's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kessel.bots.player import decide
from kessel.bots.program import Program
from kessel.bots.purpose import Weighed
from kessel.bots.weights import Changes, changed, check_changes
from kessel.core.board import Board
from kessel.core.dice import Dice, NeedRoll
from kessel.core.forces import Side
from kessel.core.procedure import Action, Step, asked, outcomes, push
from kessel.core.title import Title

LONGEST = 60
"""Decisions after which a battle is over whatever happens."""


class Fights(Protocol):
    """What a game tells the tactician."""

    @property
    def program(self) -> type[Program[Any]]: ...

    @property
    def chooses(self) -> Sequence[Step]:
        """The questions at which the next attack is chosen."""

    def attacks(self, program: Any, g: Any, side: Side, chosen: Action) -> list[Weighed]:
        """The attacks that can be made now, as the program weighs them; [] where it is to do as it has chosen."""

    def instead(self, program: Any, chosen: Action) -> Action:
        """What is done where no attack is good."""

    def price(self, g: Any, action: Action) -> float:
        """What an attack costs of what there is to spend."""

    def worth(self, g: Any, side: Side) -> float:
        """What a position is worth for a side, in Victory Points."""


@dataclass(frozen=True, slots=True)
class Tactics:
    """How much it looks at."""

    attacks: int = 4
    """Attacks compared, those that seem best."""
    ways: int = 12
    """Ways the dice can fall at one moment; where there are more, so many are drawn."""
    trust: float = 0.3
    """What the program's own worth of an attack counts beside what came of it."""
    least: float = 0.0
    """What an attack must bring beyond stopping."""


class Tactician:
    """Its plans are the program's own, its next attack is looked at first."""

    def __init__(self, fights: Fights, settings: Tactics, seed: int = 0, changes: Changes | None = None) -> None:
        check_changes(Tactics, changes or {})
        self.fights, self.settings, self.seed = fights, changed(settings, changes or {}), seed
        self.program = fights.program(seed)

    @property
    def reason(self) -> str:
        return self.program.reason

    def choose(self, t: Title, g: Board, side: int) -> Action:
        action = self.program.choose(t, g, side)
        if g.stack[-1].step not in self.fights.chooses:
            return action
        s, fights = self.settings, self.fights
        seemed = sorted(fights.attacks(self.program, g, side, action), key=lambda w: -w.worth)[: int(s.attacks)]
        if not seemed:
            return action
        instead = fights.instead(self.program, action)
        now = fights.worth(g, side)
        look = Outlook(t, fights, g, side, s.ways)
        found = []
        for i, w in enumerate(seemed):
            gain = (look.mean(w.action) - now) / fights.price(g, w.action) + s.trust * w.worth
            found.append((gain, -i, w))
        self.program.weighed = lambda: [
            Weighed(s.least, "attack nobody", instead),
            *(w._replace(worth=gain) for gain, _, w in found),
        ]
        gain, _, best = max(found)
        if gain <= s.least:
            return self.program.say(instead, "no attack leads to anything better")
        return self.program.say(best.action, f"it brings {gain:.1f} on average")


class Outlook:
    """What attacks from one position lead to, on average."""

    def __init__(self, t: Title, fights: Fights, g: Board, side: Side, ways: int) -> None:
        self.title, self.fights, self.g, self.side, self.ways = t, fights, g, side, int(ways)
        self.depth = len(g.stack)
        self.programs = {s: fights.program(s) for s in t.played}
        self.seed = hashlib.blake2b(g.digest().encode(), digest_size=8).digest()

    def mean(self, action: Action) -> float:
        """The mean worth of the positions after an attack."""
        start = self.g.copy()
        start.events = None
        total, todo = 0.0, [(1.0, start, action, 0)]
        while todo:
            chance, h, do, steps = todo.pop()
            for share, after in self.falls(h, do):
                if steps >= LONGEST or self.is_over(after):
                    total += chance * share * self.fights.worth(after, self.side)
                else:
                    s = asked(after)
                    todo.append((chance * share, after, decide(self.programs[s], self.title, after, s), steps + 1))
        return total

    def is_over(self, h: Board) -> bool:
        return len(h.stack) <= self.depth

    def falls(self, h: Board, action: Action) -> list[tuple[float, Board]]:
        """Every way the dice can fall, or some of them where they are too many."""
        try:
            return [(float(p), after) for p, _, after in outcomes(h, action, self.ways)]
        except NeedRoll:
            found = []
            for n in range(self.ways):
                after = h.copy()
                after.dice = Dice(self.seed + bytes([n]))
                push(after, action)
                found.append((1 / self.ways, after))
            return found
