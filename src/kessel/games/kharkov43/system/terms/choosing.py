"""8.3 Selection preferences: narrowing a choice letter by letter, and remembering what each letter cut.

A preference keeps some of a set of hexes. One that applies to none of them is skipped. What is forbidden is asked only
of the hex the preferences lead to: if it is forbidden, the next best one is looked for (9.23). That gives the same
hex as leaving out all forbidden hexes first, because a preference judges each hex by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.citations import of_preference

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


def narrow(s: Bits, preferences: Iterable[Preference], cuts: list[Cut]) -> Bits:
    """8.3 Apply the preferences in their order until one hex is left, or none of them is."""
    if not s & s - 1:
        return s
    for p in preferences:
        kept = p.keep(s)
        if kept and kept != s:
            cuts.append(Cut(p.rule, p.what, s & ~kept, kept))
            s = kept
            if not s & s - 1:
                break
    return s


class _Lazily:
    """Preferences that are made when they are first needed."""

    __slots__ = ("made", "more")

    def __init__(self, preferences: Iterable[Preference]) -> None:
        self.made: list[Preference] = []
        self.more = iter(preferences)

    def __iter__(self) -> Iterator[Preference]:
        yield from self.made
        for p in self.more:
            self.made.append(p)
            yield p


def choose(
    s: Bits, preferences: Iterable[Preference], why_not: Callable[[Hex], Refusal | None] | None = None
) -> Choice:
    """The most preferred hex that is not forbidden; NO_HEX where there is none."""
    if not isinstance(preferences, tuple | list):
        preferences = _Lazily(preferences)
    found = Choice(s)
    while s:
        found.cuts = []
        best = narrow(s, preferences, found.cuts)
        h = (best & -best).bit_length() - 1
        refusal = why_not(h) if why_not is not None else None
        if refusal is None:
            found.hex = h
            break
        found.refused.append((h, refusal))
        s &= ~(1 << h)
    return found
