"""What is wrong with a position that no play can lead to."""

from __future__ import annotations

from kessel.core.forces import NO_UNIT
from kessel.core.hexset import members
from kessel.games.bug41.board import DISRUPTED, IMPROVED, Board
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.movement.stacking import why_not_stack


def faults(g: Board) -> list[str]:
    found = g.faults()
    both = g.hexes_of(GERMAN) & g.hexes_of(SOVIET)
    found += [f"both sides stand in {g.hex_name(h)}" for h in members(both)]
    for side in (GERMAN, SOVIET):
        for h in members(g.hexes_of(side) & ~both):
            if refusal := why_not_stack(g, side, h, ()):
                found.append(str(refusal))
    for u in range(len(g.forces)):
        if g.on_map(u) and not g.forces.hq[u] and not g.steps[u]:
            found.append(f"{g.name(u)} is on the map without a strength point")
        if g.status[u] & DISRUPTED and g.status[u] & IMPROVED:
            found.append(f"{g.name(u)} is Disrupted and in Improved Defense")
    for f, hq in enumerate(g.forces.hq_of):
        if hq != NO_UNIT and g.levels[f] > g.forces.reaction[hq]:
            found.append(f"{g.formation_name(f)} has level {g.levels[f]}, more than its HQ allows")
    return found
