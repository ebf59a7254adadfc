"""8.3 Selection preferences: narrowing a choice letter by letter, and remembering what each letter cut.

A preference keeps some of a set of hexes. One that applies to none of them is skipped. What is forbidden is asked only
of the hex the preferences lead to: if it is forbidden, the next best one is looked for (9.23). That gives the same
hex as leaving out all forbidden hexes first, because a preference judges each hex by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.citations import of_preference

MOST_PREFERENCES = 100
"""No choice has so many."""
Keep = Callable[[Bits], Bits]
Score = Callable[[Hex], Any]


class Preference(NamedTuple):
    rule: str
    what: str
    keep: Keep


def those(rule: str, what: str, s: Callable[[], Bits]) -> Preference:
    """Prefer the hexes of a set, which is made only when it is needed."""
    return Preference(rule, what, lambda among: among & s())


def least(rule: str, what: str, score: Score) -> Preference:
    """Prefer the hexes with the least score; a score of None is worse than all others."""

    def keep(among: Bits) -> Bits:
        best, found = None, 0
        for h in members(among):
            value = score(h)
            if value is None:
                continue
            if best is None or value < best:
                best, found = value, 1 << h
            elif value == best:
                found |= 1 << h
        return found

    return Preference(rule, what, keep)


def closest(rule: str, what: str, g: Board, to: Hex) -> Preference:
    """Prefer the hexes closest to a hex."""
    return Preference(rule, what, lambda among: g.ground.closest(to, among))


def farthest(rule: str, what: str, g: Board, to: Hex) -> Preference:
    return Preference(rule, what, lambda among: g.ground.farthest(to, among))


def most(rule: str, what: str, score: Callable[[Hex], int | float]) -> Preference:
    return least(rule, what, lambda h: -score(h))


def by_score(
    rule: str, what: tuple[str, ...], score: Callable[[Hex], tuple[float, ...] | None]
) -> tuple[Preference, ...]:
    """Preferences a, b, ... that speak of what a hex is beside (a VP hex, a German unit), not of the hex itself.

    `score` judges the best of the things beside a hex, part by part, the least is best; None if there is none.
    """

    known: dict[Hex, tuple[float, ...] | None] = {}

    def part(i: int) -> Preference:
        def value(h: Hex) -> float | None:
            found = known[h] if h in known else known.setdefault(h, score(h))
            return None if found is None else found[i]

        return least(f"{rule}{'abcdef'[i]}", what[i], value)

    return tuple(part(i) for i in range(len(what)))


def highest_number(g: Board, rule: str, what: str = "the highest hex number") -> Preference:
    return Preference(rule, what, lambda s: 1 << max(members(s), key=g.hex_name))


def lowest_number(g: Board, rule: str, what: str = "the lowest hex number") -> Preference:
    return Preference(rule, what, lambda s: 1 << min(members(s), key=g.hex_name))


class Cut(NamedTuple):
    """A preference that mattered: what it took out and what it left."""

    rule: str
    what: str
    out: Bits
    left: Bits

    def as_json(self, g: Board) -> dict[str, Any]:
        found = {"rule": of_preference(self.rule), "what": self.what}
        return {**found, "out": names(g, self.out), "left": names(g, self.left)}


@dataclass(slots=True)
class Choice:
    """One choice among hexes: the candidates, what cut them, what was forbidden, and the hex."""

    candidates: Bits
    cuts: list[Cut] = field(default_factory=list)
    refused: list[tuple[Hex, Refusal]] = field(default_factory=list)
    hex: Hex = NO_HEX

    def as_json(self, g: Board) -> dict[str, Any]:
        found: dict[str, Any] = {"candidates": names(g, self.candidates)}
        if self.refused:
            found["forbidden"] = [{"hex": g.hex_name(h), **r.as_json()} for h, r in self.refused]
        if self.cuts:
            found["preferences"] = [c.as_json(g) for c in self.cuts]
        found["hex"] = g.hex_name(self.hex) if self.hex != NO_HEX else ""
        return found


def names(g: Board, s: Bits) -> list[str]:
    return sorted(g.map.grid.names(members(s)))


class _Ordered:
    """Preferences in their order, made when they are first needed."""

    __slots__ = ("made", "more")

    def __init__(self, preferences: Iterable[Preference]) -> None:
        self.made: list[Preference] = []
        self.more = iter(preferences)

    def at(self, n: int) -> Preference | None:
        while len(self.made) <= n:
            p = next(self.more, None)
            if p is None:
                return None
            self.made.append(p)
        return self.made[n]


def _narrow(s: Bits, ordered: _Ordered, n: int, cuts: list[Cut], numbers: list[int]) -> Bits:
    """8.3 Apply the preferences in their order, from that number on, until one hex is left or none of them is.

    `numbers`: of the preferences that cut something.
    """
    while s & s - 1 and (p := ordered.at(n)) is not None:
        kept = p.keep(s)
        if kept and kept != s:
            cuts.append(Cut(p.rule, p.what, s & ~kept, kept))
            numbers.append(n)
            s = kept
        n += 1
    return s


def _without(s: Bits, gone: Bits, cuts: list[Cut], numbers: list[int]) -> tuple[Bits, int]:
    """What is left of a set narrowed, a hex left out of all, and the preference to go on with.

    A preference judges each hex by itself, so that what it kept stays kept without that hex, if anything else was.
    """
    for i, cut in enumerate(cuts):
        before, left = (cut.out | cut.left) & ~gone, cut.left & ~gone
        if not left or not before & before - 1:
            n = numbers[i]
            del cuts[i:], numbers[i:]
            return before, n
        cuts[i] = Cut(cut.rule, cut.what, cut.out, left)
    return s & ~gone, MOST_PREFERENCES


def choose(
    s: Bits, preferences: Iterable[Preference], why_not: Callable[[Hex], Refusal | None] | None = None
) -> Choice:
    """The most preferred hex that is not forbidden; NO_HEX where there is none."""
    ordered, n = _Ordered(preferences), 0
    numbers: list[int] = []
    found = Choice(s)
    while s:
        s = _narrow(s, ordered, n, found.cuts, numbers)
        h = (s & -s).bit_length() - 1
        refusal = why_not(h) if why_not is not None else None
        if refusal is None:
            found.hex = h
            break
        found.refused.append((h, refusal))
        s, n = _without(s, 1 << h, found.cuts, numbers)
    return found
