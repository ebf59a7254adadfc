"""The luck of a game: for every throw of the dice what could be expected and what came, by side and exactly.

Dice between which nothing is told belong to one throw, and the first thing told after them says what came of it. A
game's readers (`Title.luck`, by the rule of that event) say what it means: whose luck it was, how many hits it gave to
each side, what it was worth. What could have come is found by letting the same step of the rules run again with every
other fall of those dice; where these are too many, the game counts them out itself (`Counted`). Where a player then
takes one of the dice, a fall means what the best of them does.

    found = ledger(game)
    found.sums()[0].luck        what the dice were worth to the first side, in steps

Hits are compared with their expectation. `worth` puts a throw's results in order: a step lost by the enemy is worth
one, a position that is thrown back half of one. Only differences to the expectation are ever added up, so that a side
which attacks often has no more luck for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod, sqrt
from typing import Any, NamedTuple, TypeAlias

from kessel.core.board import Board, Event
from kessel.core.dice import NeedRoll, Roll, Scripted
from kessel.core.game import Game
from kessel.core.procedure import Action, Procedure, asked, follow, legal, push, run

MOST = 250
"""So many falls of a throw are tried out."""
FIGHT, CHECK = "fight", "check"


class Fall(NamedTuple):
    """What one fall of the dice means."""

    side: int
    """Whose throw it is."""
    result: str
    worth: Fraction
    """To that side."""
    hits: tuple[int, ...] = ()
    """Steps it asks of each side; by retreating a side may avoid some of them."""
    kind: str = CHECK
    about: str = ""
    """What the throw is about, in words that do not depend on its result."""
    place: str = ""


Reader: TypeAlias = Callable[[Any, Event], "Fall | None"]
Falls: TypeAlias = Sequence[tuple[Fraction, Fall]]


@dataclass(frozen=True, slots=True)
class Counted:
    """A reader of throws with too many falls to try out: it is given the board at the moment of the throw, the throw,
    and the action if the step began with one, and gives all falls and the one that came."""

    count: Callable[[Any, Throw, Action | None], tuple[Falls, Fall]]


@dataclass(slots=True)
class Throw:
    entry: int
    """The number of the action it came with."""
    dice: tuple[Roll, ...]
    event: Event | None = None
    """What was told of it."""
    fell: Fall | None = None
    """None: it is nobody's luck, or nothing is known about it."""
    falls: Falls = ()
    before: tuple[int, ...] = ()
    """The dice of the same step that were thrown before it."""

    @property
    def expected(self) -> Fraction:
        return sum((p * f.worth for p, f in self.falls), Fraction(0))

    @property
    def luck(self) -> Fraction:
        """What it was worth to its side beyond what could be expected."""
        return self.fell.worth - self.expected if self.fell is not None else Fraction(0)

    @property
    def variance(self) -> Fraction:
        mean = self.expected
        return sum((p * (f.worth - mean) ** 2 for p, f in self.falls), Fraction(0))

    @property
    def chance(self) -> Fraction:
        """Of the result that came."""
        fell = self.fell
        return sum((p for p, f in self.falls if fell is not None and f.result == fell.result), Fraction(0))

    def expected_hits(self, side: int) -> Fraction:
        return sum((p * f.hits[side] for p, f in self.falls if f.hits), Fraction(0))

    def hits(self, side: int) -> int:
        return self.fell.hits[side] if self.fell is not None and self.fell.hits else 0


@dataclass(slots=True)
class Sum:
    """A side's luck."""

    fights: int = 0
    checks: int = 0
    expected_hits: Fraction = field(default_factory=Fraction)
    """Hits it could expect, in its own fights and the enemy's."""
    hits: int = 0
    good_checks: Fraction = field(default_factory=Fraction)
    """What its checks were worth, and what could be expected of them."""
    expected_checks: Fraction = field(default_factory=Fraction)
    luck: Fraction = field(default_factory=Fraction)
    """What all dice were worth to it beyond expectation, in steps: its own, less the enemy's."""
    deviation: float = 0.0
    """How far that usually lies from nothing (the standard deviation)."""


class Ledger(list[Throw]):
    """All throws of a game in order."""

    def __init__(self, sides: int) -> None:
        super().__init__()
        self.sides = sides

    @property
    def counted(self) -> list[Throw]:
        return [t for t in self if t.fell is not None]

    def sums(self) -> list[Sum]:
        found = [Sum() for _ in range(self.sides)]
        variance = Fraction(0)
        for t in self.counted:
            fell = t.fell
            assert fell is not None
            variance += t.variance
            mine = found[fell.side]
            if fell.kind == FIGHT:
                mine.fights += 1
            else:
                mine.checks += 1
                mine.good_checks += fell.worth
                mine.expected_checks += t.expected
            for side, one in enumerate(found):
                one.luck += t.luck if side == fell.side else -t.luck
                one.expected_hits += t.expected_hits(side)
                one.hits += t.hits(side)
        for one in found:
            one.deviation = sqrt(variance)
        return found


def ledger(game: Game) -> Ledger:
    """The luck of a game so far. It is played again for that, so that nothing must be kept while it is played."""
    found = Ledger(len(game.title.sides))
    if not any(e.dice for e in game.entries):
        return found
    g = game.at(0)
    for number, entry in enumerate(game.entries, start=1):
        if entry.dice:
            found += throws(g, game.title.luck, number, entry.action, entry.dice)
        else:
            push(g, entry.action)
    return found


# --- one action ------------------------------------------------------------------------------------------------------


class _Heard(list[Event]):
    """Events, each with the number of dice that had been thrown."""

    def __init__(self, g: Board) -> None:
        super().__init__()
        self.g = g
        self.rolled: list[int] = []

    def append(self, event: Event) -> None:
        super().append(event)
        self.rolled.append(self.g.dice.count)


class _Step(NamedTuple):
    """A step in which dice were thrown: the board before it, its action if it asked, its first and last die."""

    before: Board
    action: Action | None
    first: int
    last: int


def throws(
    g: Board, readers: Mapping[str, Reader | Counted], number: int, action: Action, dice: Sequence[Roll]
) -> list[Throw]:
    """Carry out an action with these dice, and read its throws."""
    g.dice = Scripted([r.value for r in dice])
    g.events = heard = _Heard(g)
    steps = _walk(g, action, len(dice))
    g.events = None
    found = []
    for step in steps:
        ends = sorted({n for n in heard.rolled if step.first < n < step.last} | {step.last})
        start = step.first
        for end in ends:
            event = next((e for e, n in zip(heard, heard.rolled, strict=True) if n == end), None)
            values = tuple(r.value for r in dice[step.first : start])
            throw = Throw(number, tuple(dice[start:end]), event, before=values)
            _read(throw, step, readers)
            found.append(throw)
            start = end
    return found


def _walk(g: Board, action: Action, dice: int) -> list[_Step]:
    """Go on to the next question as the engine does, and keep the board before every step that throws dice."""
    found: list[_Step] = []
    chosen: Action | None = action
    while g.stack:
        p = g.stack[-1]
        if p.at >= len(p.steps):
            g.stack.pop()
            continue
        before, first = (g.copy() if g.dice.count < dice else None), g.dice.count
        goes_on = _step(g, p, chosen)
        if before is not None and g.dice.count > first:
            found.append(_Step(before, chosen, first, g.dice.count))
        chosen = None
        if not goes_on:
            break
    return found


def _step(g: Board, p: Procedure, chosen: Action | None) -> bool:
    """One step; False where somebody must choose."""
    s = p.steps[p.at]
    if s.who is None:
        follow(g, p, s.fn(p, g))
        return True
    body, asks = s.ask(p, g)
    if chosen is None:
        if asks.exist():
            return False
        p.at += 1
        return True
    g.cache.pop("asked", None)
    follow(g, p, s.answer(p, g, body, chosen))
    return True


def _read(throw: Throw, step: _Step, readers: Mapping[str, Reader | Counted]) -> None:
    reader = None if throw.event is None else readers.get(throw.event["rule"], plain_check)
    if isinstance(reader, Counted):
        throw.falls, throw.fell = reader.count(_at_throw(step, throw), throw, step.action)
        return
    if prod(r.sides for r in throw.dice) > MOST:
        return
    falls: dict[tuple[int, ...], Fall] = {}
    for values in product(*(range(1, r.sides + 1) for r in throw.dice)):
        fall = _try(step, throw, values, reader, readers)
        if fall is None:
            return
        falls[values] = fall
    if len({f.result for f in falls.values()}) < 2 and len({f.worth for f in falls.values()}) < 2:
        return  # nothing hung on it
    throw.fell = falls[tuple(r.value for r in throw.dice)]
    throw.falls = together((Fraction(1, len(falls)), f) for f in falls.values())


def together(falls: Any) -> list[tuple[Fraction, Fall]]:
    """Falls that mean the same counted as one."""
    found: dict[Fall, Fraction] = {}
    for p, f in falls:
        found[f] = found.get(f, Fraction(0)) + p
    return [(p, f) for f, p in found.items()]


def _at_throw(step: _Step, throw: Throw) -> Board:
    """The board at the moment the dice were thrown."""
    h = step.before.copy()
    h.dice = Scripted(throw.before)
    try:
        _go(h, step.action)
    except NeedRoll:
        return h
    raise AssertionError("no die was thrown")


def _go(h: Board, action: Action | None) -> None:
    if action is None:
        run(h)
    else:
        push(h, action)


class _Told(Exception):
    pass


class _Until(list[Event]):
    """Events; the first one after so many dice ends the trial."""

    def __init__(self, g: Board, dice: int) -> None:
        super().__init__()
        self.g, self.dice = g, dice

    def append(self, event: Event) -> None:
        super().append(event)
        if self.g.dice.count >= self.dice:
            raise _Told


def _try(
    step: _Step,
    throw: Throw,
    values: tuple[int, ...],
    reader: Reader | None,
    readers: Mapping[str, Reader | Counted],
) -> Fall | None:
    """What the throw would have meant if it had fallen so; None where that cannot be told."""
    h = step.before.copy()
    script = (*throw.before, *values)
    h.dice = Scripted(script)
    h.events = heard = _Until(h, len(script))
    try:
        _go(h, step.action)
    except _Told:
        return _by_rule(h, heard[-1], readers) if reader is None else reader(h, heard[-1])
    except NeedRoll:
        return None
    return _taken(h, len(values), readers)


def _taken(h: Board, dice: int, readers: Mapping[str, Reader | Counted]) -> Fall | None:
    """Where a player takes one of several dice, they mean what the best of them does."""
    side, choices, found = asked(h), legal(h), []
    if not 0 < len(choices) <= dice:
        return None
    for action in choices:
        k = h.copy()
        k.dice, k.events = Scripted(()), (heard := _Until(k, 0))
        try:
            push(k, action)
        except _Told:
            fall = _by_rule(k, heard[-1], readers)
        except NeedRoll:
            return None
        else:
            return None
        if fall is None or fall.kind != FIGHT:
            return None
        found.append(fall)
    return max(found, key=lambda f: f.worth if f.side == side else -f.worth)


def _by_rule(h: Board, event: Event, readers: Mapping[str, Reader | Counted]) -> Fall | None:
    reader = readers.get(event["rule"])
    return None if reader is None or isinstance(reader, Counted) else reader(h, event)


# --- reading ---------------------------------------------------------------------------------------------------------

GOOD = re.compile(r"\b(passes|hits|advances|success|recovers|succeeds|holds|mended|yes|is found|is destroyed)\b")
BAD = re.compile(r"\b(fails|misses|does not|in vain|not yet|there is no|no|stands|is not)\b|\bremains\b", re.IGNORECASE)


def side_of(g: Board, event: Event) -> int:
    """The side a throw belongs to: that of the unit it is about, else of the procedure that asks for it."""
    unit = event.get("unit")
    if isinstance(unit, str) and unit in g.forces.ids:
        return g.forces.side[g.forces.ids.index(unit)]
    return next((s for p in reversed(g.stack) if (s := getattr(p, "side", -1)) >= 0), -1)


def plain_check(g: Any, event: Event) -> Fall | None:
    """A check that is passed or failed, by the words of the log."""
    what, side = str(event["what"]), side_of(g, event)
    good, bad = GOOD.search(what), BAD.search(what)
    if side < 0 or (good is None and bad is None):
        return None
    passed = bad is None or (good is not None and good.start() < bad.start())
    said = good if passed else bad
    assert said is not None
    return check(side, passed, str(event.get("unit", "")) or what[: said.start()].strip(" :,"))


def fight(side: int, result: str, own: int, enemy: int, *, more: Fraction = Fraction(0), **said: str) -> Fall:
    """A fall of a fight's dice: hits on the side that throws and on its enemy; `more` is what else it is worth."""
    hits = (own, enemy) if side == 0 else (enemy, own)
    return Fall(side, result, Fraction(enemy - own) + more, hits, FIGHT, **said)


def lost_steps(n: int) -> str:
    return "nothing lost" if not n else "a step lost" if n == 1 else f"{n} steps lost"


HALF = Fraction(1, 2)


def check(side: int, passed: bool, about: str, *, worth: Fraction = Fraction(1, 2)) -> Fall:
    """A check that was passed or failed; half a step hangs on it."""
    return Fall(side, "passed" if passed else "failed", worth if passed else Fraction(0), about=about)
