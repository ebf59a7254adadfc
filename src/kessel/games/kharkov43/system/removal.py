"""9.6 Removing Soviet units to reserve."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Unit
from kessel.games.kharkov43.board import ATTACKED, MOVED, PLACED, RESERVE, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.arrival import leave_hex
from kessel.games.kharkov43.supply.supply import can_trace, field_of
from kessel.games.kharkov43.supply.support import limit_of
from kessel.games.kharkov43.system.terms.terminology import (
    beside_germans,
    other_front,
    surrounded_hexes,
    why_nearly_surrounded,
)
from kessel.games.kharkov43.system.trace import unit_text
from kessel.games.kharkov43.turn.victory import is_kharkov

REMOVED_FROM = 2
"""9.0 step 5 begins on this game-turn."""


@fact(NOW)
def without(g: Board, u: Unit) -> Board:
    """The board if the unit were in the reserve box."""
    x = g.copy()
    x.take_off(u, RESERVE)
    return x


# --- the prerequisites -----------------------------------------------------------------------------------------------


def why_not_removed(g: Board, u: Unit) -> Refusal | None:
    """9.6 The first prerequisite for removal that the unit does not meet; cheap questions come first."""
    return next(_reasons(g, u), None)


def _reasons(g: Board, u: Unit) -> Iterator[Refusal]:
    here, front = g.place[u], g.forces.higher[u]
    if g.status[u] & MOVED:
        yield Refusal("9.6", "it moved in this activation")
    if g.status[u] & PLACED:
        yield Refusal("9.6", "it was placed from reserve in this activation")
    if g.status[u] & ATTACKED:
        yield Refusal("9.6", "it attacked in this activation")
    if not beside_germans(g) >> here & 1:
        yield Refusal("9.6", "it is not adjacent to a German unit")
    if is_kharkov(g, here):
        yield Refusal("9.6", "it is in Kharkov")
    if not can_trace(g, here, SOVIET):
        yield Refusal("9.6", "it can't trace supply")
    x = without(g, u)
    if limit_of(g, front) >> here & 1:
        freed = surrounded_hexes(g, GERMAN) & ~surrounded_hexes(x, GERMAN)
        if freed:
            yield Refusal("9.6", "a German unit would no longer be surrounded")
    yield from _harm_to_others(g, x, u)


def _harm_to_others(g: Board, x: Board, u: Unit) -> Iterator[Refusal]:
    before, after = field_of(g, SOVIET), field_of(x, SOVIET)
    others = [v for v in g.on_map_of(SOVIET) if v != u]
    lost = before.hexes & ~after.hexes
    for v in others if lost else ():
        if lost >> g.place[v] & 1:
            yield Refusal("9.6", f"{g.name(v)} would be unable to trace supply")
    for h in sorted({g.place[v] for v in others}):
        if (found := why_nearly_surrounded(x, h)) and why_nearly_surrounded(g, h) is None:
            yield Refusal("9.6", f"a unit would become nearly surrounded: {found.reason}")


# --- the four situations ---------------------------------------------------------------------------------------------


def why_removed(g: Board, u: Unit) -> Refusal | None:
    """9.6 The situation in which a unit that meets the prerequisites is removed; None if it is in none of the four."""
    here, front, ground = g.place[u], g.forces.higher[u], g.ground
    foreign = ground.villages & ground.targets[other_front(front)] & ~ground.targets[front]
    if (g.map.grid.near[here] | 1 << here) & foreign:
        return Refusal("9.6", "in or beside a village of the other front alone")
    others = [v for v in g.units(here) if v != u]
    if ground.vp_hexes >> here & 1:
        if sum(g.steps[v] for v in others) >= 2:
            return Refusal("9.6", "in a VP hex with at least two other steps")
        return None
    beside = (g.map.grid.near[here] & g.hexes_of(SOVIET)).bit_count()
    inside = bool(limit_of(g, front) >> here & 1)
    if others:
        return Refusal("9.6", "stacked with another unit")
    if beside >= (2 if inside else 1):
        where = "within" if inside else "outside"
        return Refusal("9.6", f"{where} the operational limit and beside {beside} Soviet-occupied hexes")
    return None


class Removal(NamedTuple):
    """One unit checked: removed if it is in one of the situations and no prerequisite fails."""

    unit: Unit
    situation: Refusal | None
    prerequisite: Refusal | None
    """The one that fails; not asked of a unit in none of the situations."""

    @property
    def removed(self) -> bool:
        return self.situation is not None and self.prerequisite is None

    def as_json(self, g: Board) -> dict[str, Any]:
        found: dict[str, Any] = {"unit": g.id(self.unit), "removed": self.removed, "rule": "9.6"}
        found["situation"] = self.situation.reason if self.situation is not None else "none of the four"
        if self.prerequisite is not None:
            found["prerequisite"] = self.prerequisite.reason
        return found


def remove_units(g: Board) -> list[Removal]:
    """9.0 step 5: check the active units on the map one at a time in descending order."""
    found: list[Removal] = []
    if g.turn < REMOVED_FROM:
        return found
    for u in g.descending(u for u in g.active_units() if g.on_map(u)):
        why = why_removed(g, u)
        check = Removal(u, why, why_not_removed(g, u) if why is not None else None)
        found.append(check)
        if not check.removed:
            continue
        here, reason = g.place[u], why.reason if why is not None else ""
        g.tell(f"{unit_text(g, u)} returns to reserve from {g.ground.name(here)}: {reason}", "9.6", unit=g.id(u))
        g.take_off(u, RESERVE)
        leave_hex(g, here)
    return found
