"""3.1 Stacking.

Limits hold at the end of the owner's Movement Phase and of a Combat Phase; in between units may pile up (3.1.4).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, Action, Options, Out, Procedure, ask
from kessel.games.don42.board import POSITION, Board
from kessel.games.don42.data.forces import COMPANY, GERMAN, REGIMENT
from kessel.games.don42.supply.headquarters import eliminate


def why_not_together(g: Board, side: Side, units: Iterable[Unit]) -> Refusal | None:
    """Why these units cannot stand together in one hex at the end of a phase; None if they can."""
    forces = g.forces
    if side != GERMAN:
        if sum(not forces.air[u] for u in units) > 1:
            return Refusal("3.1.2", "Soviet ground units never stack")
        return None
    hqs = companies = battalions = regiments = 0
    for u in units:
        if forces.hq[u]:
            hqs += 1
        elif forces.size[u] == COMPANY:
            companies += 1
        elif forces.size[u] < REGIMENT:
            battalions += 1
        elif not forces.air[u]:
            regiments += 1
    limit = g.charts.constants
    if hqs > 1:
        return Refusal("3.1.3", "a hex holds one German HQ")
    if regiments:
        if regiments > 1 or companies or battalions:
            return Refusal("3.1.3", "a regiment fills the hex")
        return None
    if companies > limit.companies or (companies and battalions > 1):
        return Refusal("3.1.3", f"a hex holds one battalion and {limit.companies} companies")
    if battalions > limit.battalions:
        return Refusal("3.1.3", f"a hex holds {limit.battalions} battalions")
    return None


def why_not_fit(g: Board, side: Side, h: Hex, arriving: Iterable[Unit]) -> Refusal | None:
    """Why units may not end in a hex together with the friends already there; None if they may."""
    if g.enemies_in(h, side):
        return Refusal("3.1", "only friendly units share a hex")
    arriving = set(arriving)
    there = g.units(h)
    if not there and len(arriving) == 1:
        return None
    return why_not_together(g, side, arriving.union(there))


def excess(g: Board, side: Side, units: Iterable[Unit]) -> int:
    """How many of these units must go before the rest can stand together in one hex."""
    forces, limit = g.forces, g.charts.constants
    ground = [u for u in units if not forces.air[u]]
    if side != GERMAN:
        return max(0, len(ground) - 1)
    others = [forces.size[u] for u in ground if not forces.hq[u]]
    companies, regiments = sum(size == COMPANY for size in others), sum(size >= REGIMENT for size in others)
    battalions = len(others) - companies - regiments
    room = max(
        min(regiments, 1),
        min(battalions, limit.battalions),
        min(battalions, 1) + min(companies, limit.companies),
    )
    return max(0, len(ground) - len(others) - 1) + len(others) - room


def too_many(g: Board, side: Side) -> str:
    """3.1 What the side must be told while units of it would be eliminated at the end of the phase."""
    return " ".join(
        f"{g.hex_name(h)} is over the stacking limit ({why.rule}: {why.reason}); {excess(g, side, g.units(h))} of "
        f"{', '.join(g.name(u) for u in g.units(h))} will be eliminated at the end of the Movement Phase."
        for h in overstacked(g, side)
        if (why := why_not_together(g, side, g.units(h)))
    )


@fact(POSITION)
def overstacked(g: Board, side: Side) -> list[Hex]:
    """All hexes where that side is over its limit."""
    place, under = g.place, g._under
    shared = {place[u] for u in g.units_on_map(side) if under[u] != NO_UNIT}
    return [h for h in sorted(shared) if why_not_together(g, side, g.units(h))]


@dataclass(slots=True)
class Overstacked(Procedure):
    """3.1 Units found to be in excess of stacking limits are eliminated; their owner says which."""

    side: Side

    @ask("side", "3.1")
    def eliminate_excess(self, g: Board) -> Generator[Options, Action, Out]:
        """Eliminate a unit in excess of the stacking limit."""
        hexes = overstacked(g, self.side)
        units = g.units(hexes[0]) if hexes else []
        most = excess(g, self.side, units)
        _, unit = yield Options(
            [("eliminate", u) for u in units if excess(g, self.side, [v for v in units if v != u]) < most]
        )
        eliminate(g, unit, "3.1", "over the stacking limit")
        return AGAIN
