"""A trial: a plan played on a copy until the side makes its next, the other side's answer included."""

from __future__ import annotations

import hashlib

from kessel.bots.program import Program
from kessel.bots.search.plans import PLAIN, Domain, Plan, orders_of
from kessel.core.board import Board
from kessel.core.dice import Dice
from kessel.core.procedure import asked, push
from kessel.core.title import Title

LONGEST = 6000
"""Decisions after which a trial is over whatever happens."""


class KeyedDice(Dice):
    """Dice by event: a roll is decided by what it is for, so that two plans that attack the same hex roll the same
    there, whatever was rolled before.
    """

    __slots__ = ("board", "seen")

    def __init__(self, seed: bytes, board: Board) -> None:
        super().__init__(seed)
        self.board = board
        self.seen: dict[tuple[object, ...], int] = {}

    def _draw(self, sides: int) -> int:
        g = self.board
        p = g.stack[-1] if g.stack else None
        about = getattr(p, "target", getattr(p, "unit", 0))
        key = (g.turn, type(p).__name__, about, sides)
        n = self.seen[key] = self.seen.get(key, 0) + 1
        self.count += 1
        text = self.seed + repr((key, n)).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") % sides

    def copy(self) -> Dice:
        new = Dice(self.seed)
        new.count = self.count
        return new


class Trial:
    """Plays plans from one position. The same salt deals the same hidden things and the same luck to every plan."""

    def __init__(
        self, t: Title, domain: Domain, g: Board, side: int, seed: int, *, fitted: bool = False, usual: Plan = PLAIN
    ) -> None:
        self.title, self.domain, self.g, self.side, self.seed = t, domain, g, side, seed
        self.usual = usual
        """What PLAIN comes to, where that is known."""
        self.evaluate = domain.worth if fitted else domain.evaluate
        self.hides = type(t).known_to is not Title.known_to
        self.done = 0
        self._known: dict[tuple[Plan, int], float] = {}

    def value(self, plan: Plan, salt: int) -> float:
        """What the plan comes to; the same plan with the same luck is played once."""
        if (plan, salt) not in self._known:
            self._known[plan, salt] = self._play(plan, salt)
        return self._known[plan, salt]

    def _play(self, plan: Plan, salt: int) -> float:
        h = self.world(salt)
        side, moment, left = self.side, self.domain.moment, self.domain.ahead
        first = last = moment(h, side)
        programs = {s: self._program(s) for s in self.title.played}
        plan = plan or self.usual
        programs[side].order(orders_of(plan))
        following = bool(plan)
        for _ in range(LONGEST):
            if not h.stack:
                break
            s = asked(h)
            if s == side:
                now = moment(h, side)
                if now is not None and now != last:
                    last, left = now, left - 1
                    if not left:
                        break
                if following and ((now != first and now is not None) or not self.domain.holds(h, side)):
                    following = False  # the plan is for this moment only
                    programs[side].order({})
            push(h, programs[s].choose(self.title, self._seen_by(h, s), s))
        self.done += 1
        return self.evaluate(h, side)

    def world(self, salt: int) -> Board:
        """What may be, as far as the side knows."""
        h = self.g.copy()
        seed = b"trial %d %d" % (self.seed, salt)
        h.dice = Dice(seed)
        if self.hides:
            h = self.title.known_to(h, self.side)
        h.events = None
        h.dice = KeyedDice(seed, h)
        return h

    def _program(self, side: int) -> Program[object]:
        return self.domain.model(self.seed + side)

    def _seen_by(self, h: Board, side: int) -> Board:
        """The other side is not handed what only this one knows."""
        return self.title.known_to(h, side) if self.hides and side != self.side else h
