"""12.16.1 Units that retreated off the map come back."""

from __future__ import annotations

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.hexset import members
from kessel.games.korsun44.board import LEFT, Board


def has_left(g: Board, u: Unit) -> bool:
    """Whether a unit is off the map after a retreat; withdrawn units never come back."""
    return g.box[u] == LEFT and g.left_at[u] != NOWHERE and not g.on_map(u)


def return_hexes(g: Board, side: Side, u: Unit) -> list[Hex]:
    """The road hexes of the map edge nearest to the one it left by, without an enemy."""
    start, grid = g.left_at[u], g.map.grid
    edge = [h for h in members(g.playable & g.ground.on_road) if NO_HEX in grid.neighbours[h]]
    open_ = [h for h in edge if h != start and not g.enemies_in(h, side)]
    near = min((grid.distance(start, h) for h in open_), default=0)
    return [h for h in open_ if grid.distance(start, h) == near]


def why_not_return(g: Board, side: Side, u: Unit, h: Hex) -> Refusal | None:
    """Why a unit may not come back in a hex."""
    if g.forces.side[u] != side or not has_left(g, u):
        return Refusal("12.16.1", f"{g.name(u)} has not retreated off the map")
    if g.turn < g.due[u]:
        return Refusal("12.16.1", f"{g.name(u)} may come back on turn {g.due[u]}")
    if h not in return_hexes(g, side, u):
        return Refusal("12.16.1", f"{g.name(u)} comes back in the nearest road hex of its map edge")
    return None


def returns(g: Board, side: Side) -> list[tuple[Unit, Hex]]:
    """All units that may come back, with their hexes."""
    if LEFT not in g.box:
        return []
    gone = [u for u in range(len(g.forces)) if g.forces.side[u] == side and has_left(g, u) and g.turn >= g.due[u]]
    return [(u, h) for u in gone for h in return_hexes(g, side, u)]
