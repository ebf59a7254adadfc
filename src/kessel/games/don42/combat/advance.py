"""13.6 Attacker advances."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.procedure import AGAIN, DONE, Out, Procedure
from kessel.core.verbs import Choice
from kessel.games.don42.board import OOS, Board
from kessel.games.don42.combat.retreat import why_not_step
from kessel.games.don42.movement.movement import is_roadbound, may_enter
from kessel.games.don42.movement.stacking import why_not_fit
from kessel.games.don42.movement.zones import stopping_zone


def advance_length(g: Board, u: Unit, length: int) -> int:
    """13.6, 13.6.1 How many hexes a unit may advance: artillery none, infantry one, tank and motorized all of them.

    A motorized HQ by the switch hq_advance; others never.
    """
    kind = g.forces.advance[u]
    if kind == "none" or (g.forces.hq[u] and g.reads("hq_advance") == "never"):
        return 0
    if kind == "vacated" or g.supply[u] == OOS:
        return min(1, length)
    return length


def advance_hexes(g: Board, u: Unit, vacated: Hex, length: int) -> dict[Hex, tuple[Hex, ...]]:
    """Where a unit may advance to, with the way; the first hex is the vacated one."""
    side = g.forces.side[u]
    most = advance_length(g, u, length)
    allowed = may_enter(g, u) if not is_roadbound(g, u) else g.map.grid.all
    start = g.place[u]
    if not most or not allowed >> vacated & 1 or not g.map.grid.adjacent(start, vacated):
        return {}
    if why_not_step(g, side, start, g.map.grid.direction(start, vacated)) is not None:
        return {}
    stop = stopping_zone(g, side)
    ways: dict[Hex, tuple[Hex, ...]] = {vacated: (vacated,)}
    edge = [vacated]
    for _ in range(most - 1):
        nxt = []
        for h in edge:
            if stop >> h & 1:
                continue
            for d, n in enumerate(g.map.grid.neighbours[h]):
                if n != NO_HEX and n not in ways and allowed >> n & 1 and why_not_step(g, side, h, d) is None:
                    ways[n] = (*ways[h], n)
                    nxt.append(n)
        edge = nxt
    return {h: way for h, way in ways.items() if h != start and why_not_fit(g, side, h, [u]) is None}


@dataclass(slots=True)
class Advance(Procedure):
    """13.6 The attackers advance one after the other."""

    side: Side
    units: tuple[Unit, ...]
    vacated: Hex
    length: int

    about_units = ("units",)

    advance = Choice("side", "13.6", "Advance a unit, or stop advancing.", passing=DONE)

    def _ways(self, g: Board) -> list[tuple[Unit, Hex]]:
        return [(u, h) for u in self.units for h in advance_hexes(g, u, self.vacated, self.length)]

    def why_not_advance(self, g: Board, u: Unit, h: Hex) -> Refusal | None:
        if u not in self.units:
            return Refusal("3.1.5", f"{g.name(u)} did not take part in the attack, or has advanced")
        most = advance_length(g, u, self.length)
        if not most:
            return Refusal("13.6", f"{g.name(u)} never advances")
        if g.map.grid.distance(g.place[u], h) > most:
            return Refusal("13.6", f"{g.name(u)} advances {most} hexes at most")
        if why := why_not_fit(g, self.side, h, [u]):
            return why
        if h in advance_hexes(g, u, self.vacated, self.length):
            return None
        return Refusal("13.6", "the first hex is the vacated one, and an A-rated zone of control stops an advance")

    @advance.verb("advance", legal=_ways, why_not=why_not_advance)
    def go(self, g: Board, u: Unit, h: Hex) -> Out:
        path = advance_hexes(g, u, self.vacated, self.length)[h]
        for step in path:
            g.control_hex(step, self.side)
        g.tell_way(u, "advances to", path, "13.6")
        g.move(u, h)
        self.units = tuple(v for v in self.units if v != u)
        return AGAIN
