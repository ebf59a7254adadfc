"""4.5.4, 4.5.5, 22.0 Units that stay together, and formations that stay where they are."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, fact
from kessel.core.forces import NO_UNIT, Unit
from kessel.games.korsun44.board import Board


@fact(GAME)
def releases(g: Board) -> tuple[int, ...]:
    """The turn each unit is free to move."""
    f, release = g.forces, g.scenario.release
    formations = (f.division, f.corps, f.army, f.front)
    return tuple(map(max, *([release.get(word, 0) if word else 0 for word in words] for words in formations)))


def held_back(g: Board, u: Unit) -> Refusal | None:
    """A scenario may keep formations where they are until a turn."""
    if not g.scenario.release or g.turn >= releases(g)[u]:
        return None
    f = g.forces
    for formation in (f.division[u], f.corps[u], f.army[u], f.front[u]):
        first = g.scenario.release.get(formation, 0)
        if formation and g.turn < first:
            return Refusal("22.0", f"{g.formation(formation)} neither moves nor attacks before turn {first}")
    return None


@fact(GAME)
def bound_units(g: Board) -> frozenset[Unit]:
    """All units that stay with another, or with whom another stays."""
    pairs = ((u, v) for u, v in enumerate(g.forces.stays_with) if v != NO_UNIT)
    return frozenset(u for pair in pairs for u in pair)


def is_bound(g: Board, u: Unit) -> bool:
    """Whether a unit ever stays with another, or another with it."""
    return u in bound_units(g)


def group_of(g: Board, u: Unit) -> tuple[Unit, ...]:
    """4.5.4, 4.5.5 The unit and those that always stay with it."""
    if u not in bound_units(g):
        return (u,)
    f, h = g.forces, g.place[u]
    found = {u}
    partner = f.stays_with[u]
    if partner != NO_UNIT and g.place[partner] == h:
        found.add(partner)
    found |= {v for v in g.units(h) if f.stays_with[v] in found}
    return tuple(sorted(found))
