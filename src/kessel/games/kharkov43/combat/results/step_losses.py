"""12.6 Applying step losses: which unit loses the step. Elimination itself is in `losses` (12.62)."""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.battle import Battle, alive
from kessel.games.kharkov43.combat.results.losses import lose_step
from kessel.games.kharkov43.data.forces import GERMAN

MOST_STEPS = 3


def unhit_first(units: Sequence[Unit], lost: Sequence[Unit]) -> list[Unit]:
    """12.61 No unit loses a second step until every unit of its side in this combat has lost one."""
    return [u for u in units if u not in lost] or list(units)


def must_take_first_loss(g: Board, u: Unit) -> bool:
    """12.6 Units of which one must take the first German loss: of three steps, or armor."""
    return g.steps[u] == MOST_STEPS or g.is_armor(u)


def loss_candidates(g: Board, units: Sequence[Unit], lost: Sequence[Unit]) -> list[Unit]:
    """12.6, 12.61 The units of one side that may lose the next step; the German player chooses among several.

    Of Soviet units the one with the most steps, then the higher selector; several are left only with equal selectors.
    """
    pool = unhit_first(alive(g, units), lost)
    if not pool:
        return []
    if g.forces.side[pool[0]] == GERMAN:
        if not any(u in lost for u in units):
            pool = [u for u in pool if must_take_first_loss(g, u)] or pool
        return pool
    most = max((g.steps[u], g.selector(u)) for u in pool)
    return [u for u in pool if (g.steps[u], g.selector(u)) == most]


def why_not_lose(g: Board, units: Sequence[Unit], lost: Sequence[Unit], u: Unit) -> Refusal | None:
    """Why that unit may not lose the next step."""
    if u not in alive(g, units):
        return Refusal("12.6", f"{g.name(u)} did not take part in the combat")
    if u in loss_candidates(g, units, lost):
        return None
    if u not in unhit_first(alive(g, units), lost):
        return Refusal("12.61", f"{g.name(u)} has lost a step, others of its side have not")
    if g.forces.side[u] == GERMAN:
        return Refusal("12.6", "the first German step loss falls on a three-step or an armor unit")
    return Refusal("12.6", "a Soviet step loss falls on the unit with the most steps, then the higher selector")


def take_loss(g: Board, b: Battle, u: Unit, rule: str = "12.6") -> None:
    """One step of a unit, remembered for 12.61."""
    b.lost = (*b.lost, u)
    lose_step(g, u, rule)


def must_eliminate(g: Board, units: Sequence[Unit], lost: Sequence[Unit], number: int) -> bool:
    """12.72 Whether so many step losses eliminate a unit, however the owner may assign them."""
    steps = {u: g.steps[u] for u in alive(g, units)}
    return _must(g, steps, tuple(lost), number)


def _must(g: Board, steps: dict[Unit, int], lost: tuple[Unit, ...], number: int) -> bool:
    if not number:
        return False
    units = list(steps)
    pool = unhit_first(units, lost)
    if g.forces.side[units[0]] == GERMAN:
        if not any(u in lost for u in units):
            pool = [u for u in pool if must_take_first_loss(g, u)] or pool
    else:
        order = {u: (steps[u], g.forces.selector[u][steps[u]]) for u in pool}
        pool = [u for u in pool if order[u] == max(order.values())]
    able = [u for u in pool if steps[u] > 1]
    return all(_must(g, {**steps, u: steps[u] - 1}, (*lost, u), number - 1) for u in able)
