"""4.6 Breakdown and recombination."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, LAST, fact, nearby
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.games.korsun44.board import DISORGANIZED, DOTTED, GERMAN, NEAR, OOS1, OOS2, REGROUP, STANDING, UNUSED, Board
from kessel.games.korsun44.data.forces import PART
from kessel.games.korsun44.units.strength import is_extended
from kessel.wargame.parts import break_down as exchange
from kessel.wargame.parts import recombine as merge

Shares = tuple[str, ...]
"""Steps of each part as they are written: ("2", "1", "1"); a star marks the battalion that keeps the black dot, where
its owner names it (switch second_dot): ("2", "2*")."""


@cache
def shares(steps: int, limits: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All ways to give out steps to parts, at least two of them; equal parts are not told apart.

    >>> shares(4, (2, 2, 2))
    ((2, 2, 0), (2, 1, 1))
    """
    found = []
    for first in range(min(steps, limits[0]), -1, -1):
        rest = steps - first
        if len(limits) == 1:
            tails: tuple[tuple[int, ...], ...] = ((),) if rest == 0 else ()
        else:
            tails = tuple(t for t in _tails(rest, limits[1:]) if limits[1] != limits[0] or t[0] <= first)
        found += [(first, *t) for t in tails]
    return tuple(s for s in found if sum(n > 0 for n in s) > 1)


def _tails(steps: int, limits: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(limits) == 1:
        if steps <= limits[0]:
            yield (steps,)
        return
    for first in range(min(steps, limits[0]), -1, -1):
        for tail in _tails(steps - first, limits[1:]):
            if limits[1] != limits[0] or tail[0] <= first:
                yield (first, *tail)


def limits_of(g: Board, u: Unit) -> tuple[int, ...]:
    return tuple(g.forces.full_steps[v] for v in g.forces.parts[u])


def why_not_break_down(g: Board, u: Unit, given: Shares) -> Refusal | None:
    """4.6 Why a unit may not be exchanged for parts with those steps."""
    f = g.forces
    if not g.on_map(u):
        return Refusal("4.6", f"{g.name(u)} is not on the map")
    if not f.parts[u]:
        return Refusal("4.6", f"{g.name(u)} does not break down")
    if is_extended(g, u):
        return Refusal("4.7", f"{g.name(u)} is extended")
    if any(g.on_map(v) for v in f.parts[u]):
        return Refusal("4.6", f"parts of {g.name(u)} are on the map")
    plain = [n.removesuffix(DOT) for n in given]
    if not all(n.isdigit() for n in plain) or tuple(map(int, plain)) not in shares(g.steps[u], limits_of(g, u)):
        return Refusal("4.6", f"{g.name(u)} has {g.steps[u]} steps to give out to its parts")
    dotted = [n for n in given if n.endswith(DOT)]
    if len(dotted) != picks_dot(g, u) or f"0{DOT}" in dotted:
        return Refusal("4.6", "one battalion keeps the black dot" if picks_dot(g, u) else "the first part has the dot")
    return None


DOT = "*"


def picks_dot(g: Board, u: Unit) -> bool:
    """4.6 Whether the owner says which breakdown battalion keeps the black dot (switch second_dot)."""
    return g.reads("second_dot") == "owner" and g.forces.side[u] == GERMAN and g.forces.black[u] > 0


@fact(GAME)
def _ways_of(g: Board, u: Unit, steps: int) -> tuple[Shares, ...]:
    """All ways to give out its steps to its parts, with the dot."""
    found: list[Shares] = [tuple(map(str, s)) for s in shares(steps, limits_of(g, u))]
    if picks_dot(g, u):
        found = [(*s[:i], s[i] + DOT, *s[i + 1 :]) for s in found for i, n in enumerate(s) if n != "0"]
    return tuple(found)


def breakdowns(g: Board, u: Unit) -> list[Shares]:
    """4.6 The ways a unit may break down now."""
    found = _ways_of(g, u, g.steps[u]) if g.forces.parts[u] and g.on_map(u) else ()
    return [s for s in found if why_not_break_down(g, u, s) is None]


@fact(GAME)
def _has_parts(g: Board) -> list[bool]:
    return [bool(parts) for parts in g.forces.parts]


@nearby(NEAR, 1, of=_has_parts)
def _ways(g: Board, side: Side, u: Unit) -> tuple[tuple[Unit, Shares], ...]:
    """Each unit with each way it may break down, parts on the map aside."""
    return () if is_extended(g, u) else tuple((u, s) for s in _ways_of(g, u, g.steps[u]))


@fact(STANDING)
def broken_down(g: Board, side: Side) -> list[Unit]:
    """The units of which parts are on the map."""
    return sorted({g.forces.parent[v] for v in g.on_the_map(side) if g.forces.role[v] == PART})


def all_breakdowns(g: Board, side: Side) -> tuple[tuple[Unit, Shares], ...]:
    """4.6 The units of a side that may break down, and how."""
    return _all_but(g, side, broken_down(g, side), _ways(g, side))


@fact(LAST)
def _all_but(
    g: Board, side: Side, down: list[Unit], ways: dict[Unit, tuple[tuple[Unit, Shares], ...]]
) -> tuple[tuple[Unit, Shares], ...]:
    """The same from the units of which parts are on the map, and the ways of all."""
    return tuple([one for u, mine in ways.items() if u not in down for one in mine])


def break_down(g: Board, u: Unit, given: Shares) -> tuple[Unit, ...]:
    """4.6 The parts take the place, the supply and the order of the unit. Gives those that stand on the map."""
    status, supplier, h = g.status[u], g.supplier[u], g.place[u]
    shared = [(v, n.removesuffix(DOT), n.endswith(DOT)) for v, n in zip(g.forces.parts[u], given, strict=True)]
    into = {v: int(n) for v, n, _ in shared if int(n)}
    exchange(g, u, into)
    g.take_off(u, UNUSED)
    for v in into:
        g.supplier[v], g.transferred[v], g.box[v] = supplier, g.transferred[u], UNUSED
        g.become(v, status)
    for v, _, dotted in shared:
        if dotted:
            g.set_status(v, DOTTED)
    g.tell(f"{g.name(u)} breaks down into {g.list_of(into)} in {g.hex_name(h)}", "4.6", unit=g.id(u))
    g.reveal()
    return tuple(into)


# --- recombination -------------------------------------------------------------------------------------------------


def parts_on_map(g: Board, u: Unit) -> list[Unit]:
    return [v for v in g.forces.parts[u] if g.on_map(v)]


def may_recombine(g: Board, u: Unit) -> bool:
    """4.6 Whether the parts of a unit may become the unit again."""
    return g.place[u] == NOWHERE and len({h for v in g.forces.parts[u] if (h := g.place[v]) != NOWHERE}) == 1


def why_not_recombine(g: Board, u: Unit) -> Refusal | None:
    """4.6 Why the parts of a unit may not become the unit again: all that are left must stand in one hex."""
    if may_recombine(g, u):
        return None
    if g.on_map(u):
        return Refusal("4.6", f"{g.name(u)} is on the map")
    if not parts_on_map(g, u):
        return Refusal("4.6", f"no part of {g.name(u)} is on the map")
    return Refusal("4.6", f"the parts of {g.name(u)} must be in one hex")


def worst_of(status: int) -> int:
    """4.6.5 Of two states of supply or order the worse one counts."""
    if status & DISORGANIZED:
        status &= ~REGROUP
    return status & ~OOS1 if status & OOS2 else status


def recombine(g: Board, u: Unit) -> None:
    """4.6 The unit comes back with the steps of its parts and the worst of their states."""
    parts = parts_on_map(g, u)
    worst = 0
    for v in parts:
        worst |= g.status[v]
    worst = worst_of(worst) & ~DOTTED
    supplier = next((g.supplier[v] for v in parts if g.supplier[v] != NO_UNIT), NO_UNIT)
    merge(g, parts, u, sum(g.steps[v] for v in parts))
    for v in parts:
        g.take_off(v, UNUSED)
    g.supplier[u], g.box[u] = supplier, UNUSED
    g.become(u, worst)
    g.tell(f"{g.list_of(parts)} recombine into {g.name(u)}", "4.6", unit=g.id(u))
