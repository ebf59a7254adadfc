"""9.5 German rail movement: reinforcements on the turn they enter."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import flood_links, members, within
from kessel.games.korsun44.board import ENTERED, GERMAN, MOVED, REGROUP, Board
from kessel.games.korsun44.movement.costs import TACTICAL, kind_of, prices
from kessel.games.korsun44.movement.movement import silence, why_not_move
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.supply.rail import note_rail_capacity
from kessel.games.korsun44.supply.sources import cut_hexes


@fact(NOW)
def rail_reach(g: Board, start: Hex) -> Bits:
    """9.5, 13.1.1, 9.4.2 The railroad hexes joined to a hex by line that no Soviet, cut or blown bridge interrupts."""
    enemy, grid = 1 - GERMAN, g.map.grid
    shut = within(grid, g.hexes_of(enemy), g.charts.constants.strategic_distance - 1) | zone_of(g, enemy)
    shut |= cut_hexes(g)
    links = list(g.ground.railroad)
    for side in g.broken():
        for s in (side, grid.flip(side)):
            links[s % 6] &= ~(1 << s // 6)
    if shut >> start & 1 or not g.ground.on_railroad >> start & 1:
        return 0
    return flood_links(grid, 1 << start, links, g.playable & ~shut)


def why_not_rail(g: Board, u: Unit) -> Refusal | None:
    """9.5 Why a unit may not move by rail at all."""
    if g.forces.side[u] != GERMAN or not g.status[u] & ENTERED or u not in g.schedule:
        return Refusal("9.5", "only German reinforcements move by rail, on the turn they enter")
    if why := why_not_move(g, u):
        return why
    arrival = g.scenario.arrivals[g.schedule[u]]
    if not arrival.rail:
        return Refusal("9.5", f"{g.name(u)} is not to enter by rail")
    if g.place[u] != arrival.hex:
        return Refusal("9.5", f"rail movement begins in the entry hex {g.hex_name(arrival.hex)}")
    if g.track("rail_used") >= g.charts.constants.rail_units:
        return Refusal("9.5", f"{g.charts.constants.rail_units} units have used the railroad this turn")
    return None


def why_not_rail_to(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """9.5 Rail movement ends in a rail terminal, or one hex beside it (9.5.3)."""
    if why := why_not_rail(g, u):
        return why
    ends = terminals_from(g, g.place[u])
    if ends >> h & 1:
        return None
    grid = g.map.grid
    from_ = [t for t in grid.around[h] if ends >> t & 1]
    if not from_:
        return Refusal("9.5", f"{g.hex_name(h)} is no rail terminal on the line, nor next to one")
    if not g.playable >> h & 1 or g.enemies_in(h, GERMAN):
        return Refusal("9.5", f"{g.hex_name(h)} cannot be entered")
    if within(grid, g.hexes_of(1 - GERMAN), g.charts.constants.strategic_distance - 1) >> h & 1:
        return Refusal("9.4.2", f"{g.hex_name(h)} is less than three hexes from an enemy unit")
    table = prices(g, GERMAN, kind_of(g, u, TACTICAL), False)
    steps = [table.step(t, grid.direction(t, h)) for t in from_]
    if all(isinstance(s, Refusal) for s in steps):
        return next(s for s in steps if isinstance(s, Refusal))
    return why_not_stack(g, GERMAN, h, (u,))


def terminals_from(g: Board, start: Hex) -> Bits:
    return rail_reach(g, start) & g.ground.terminals & ~(1 << start)


def rail_moves(g: Board) -> list[tuple[Unit, Hex]]:
    found = []
    for u in g.flagged(ENTERED):
        if why_not_rail(g, u) is None:
            ends = terminals_from(g, g.place[u])
            near = within(g.map.grid, ends, g.charts.constants.rail_displacement) if ends else 0
            found += [(u, h) for h in members(near) if why_not_rail_to(g, u, h) is None]
    return found


def go_by_rail(g: Board, u: Unit, h: Hex) -> None:
    g.tell_way(u, "goes by rail to", (h,), "9.5")
    g.put(u, h)
    g.set_status(u, MOVED)
    silence(g, u)
    g.set_track("rail_used", g.track("rail_used") + 1)
    if g.plays("rail_capacity"):
        note_rail_capacity(g, within(g.map.grid, 1 << h, 1) & g.ground.terminals)
    if g.forces.artillery[u] or g.forces.engineer[u]:
        g.set_status(u, REGROUP)
        g.tell(f"{g.name(u)} is in Regroup after rail movement", "9.4.2", unit=g.id(u))
