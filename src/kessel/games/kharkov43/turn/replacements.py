"""16 Replacements."""

from __future__ import annotations

from collections.abc import Iterable

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.games.kharkov43.board import ELIMINATED, ON_MAP, RESERVE, UNSUPPLIED, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.supply.supply import can_trace
from kessel.games.kharkov43.supply.support import is_in_support


def why_not_replace(g: Board, u: Unit) -> Refusal | None:
    """16.2, 16.21 Why the unit can't receive a replacement step."""
    name, side = g.name(u), g.forces.side[u]
    if g.forces.full_steps[u] == 1:
        return Refusal("16.2", f"{name} has only one step at full strength")
    if g.box[u] == ELIMINATED:
        return None
    if g.box[u] != ON_MAP:
        return Refusal("16.2", f"{name} is neither on the map nor in the Eliminated Units box")
    if g.steps[u] >= 2:
        return Refusal("16.2", f"{name} has {g.steps[u]} steps")
    h = g.place[u]
    if g.steps_in(h) >= g.charts.constants.stack_steps:
        return Refusal("16.2", f"the stack of {name} has six steps")
    if g.status[u] & UNSUPPLIED:
        return Refusal("16.21", f"{name} is not in supply")
    if not can_trace(g, h, side):
        return Refusal("16.21", f"{name} can't trace supply")
    if side == SOVIET and not is_in_support(g, h):
        return Refusal("16.2", f"{name} is outside Soviet support")
    if side == SOVIET and not can_trace(g, h, SOVIET, reserve=True):
        return Refusal("16.21", f"{name} can't trace reserve supply")
    return None


def priority(g: Board, u: Unit) -> int:
    """16.1 The unit's place in the order of priority, 1 to 4."""
    mech, eliminated = _is_mech(g, u), g.box[u] == ELIMINATED
    if g.forces.side[u] == GERMAN:
        return 1 + 2 * mech + eliminated
    return 1 + 2 * mech + (not eliminated)


def _is_mech(g: Board, u: Unit) -> bool:
    """Of an eliminated unit its one-step side counts: that is the side it lies on (12.62)."""
    return bool(g.forces.mech[u][max(1, g.steps[u])])


def candidates(g: Board, units: Iterable[Unit], *, most: int = 4) -> list[Unit]:
    """16.1 The units of the first priority that has any; priorities after `most` do not count."""
    able = [u for u in units if why_not_replace(g, u) is None and priority(g, u) <= most]
    first = min((priority(g, u) for u in able), default=0)
    return [u for u in able if priority(g, u) == first]


def soviet_choice(g: Board, units: Iterable[Unit], *, most: int = 4) -> Unit | None:
    """16.1 Within a priority the Soviet unit with the lowest selector."""
    found = g.ascending(candidates(g, units, most=most))
    return found[0] if found else None


def give_step(g: Board, u: Unit, rule: str = "16.1") -> None:
    """16.1 On the map: to the two-step side. Eliminated: to the Reserve Units box with one step."""
    if g.box[u] == ELIMINATED:
        g.box[u], g.steps[u] = RESERVE, 1
        g.changed()
        g.tell(f"{g.name(u)} returns to the reserve with one step", rule, unit=g.id(u))
    else:
        g.set_steps(u, g.steps[u] + 1)
        g.tell(f"{g.name(u)} regains a step", rule, unit=g.id(u))
