"""Named layers for the map: zones, command, supply, places that count, and what the enemy can reach."""

from __future__ import annotations

from typing import Any

from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, union
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.bug41.movement.move import destinations
from kessel.games.bug41.movement.pillboxes import working_pillboxes
from kessel.games.bug41.movement.zones import zone_of
from kessel.games.bug41.supply.command import command_ways
from kessel.games.bug41.supply.supply import supply_path
from kessel.games.bug41.turn.activation import Activation
from kessel.wargame.board import other
from kessel.wargame.overlays import layer, owners, targets


def overlays(g: Board, side: Side | None) -> dict[str, Any]:
    found: dict[str, Any] = {f"{SIDES[s].capitalize()} zones": layer(g, zone_of(g, s)) for s in (GERMAN, SOVIET)}
    acting = [p for p in g.stack if isinstance(p, Activation)]
    if acting:
        f = acting[-1].formation
        found[f"Command of {g.formation_name(f)}"] = layer(
            g, command_area(g, f), "Within range of the HQ (PA-command.2)."
        )
    found["Supply of HQs"] = layer(g, supply_lines(g), "Paths from HQs to their supply areas (PA-supply.1).")
    found["Pillboxes that work"] = layer(g, working_pillboxes(g), "With Soviet infantry in them (PA-TEC.c2).")
    found["Victory hexes"] = owners(g, places(g), SIDES, "Places that count and who holds them (RX-9).")
    for s in (GERMAN, SOVIET) if side is None else (side,):
        found.update(danger(g, s))
    return found


def command_area(g: Board, f: int) -> Bits:
    hq = g.hq_of(f)
    found = 0
    if hq != NO_UNIT:
        for ring in command_ways(g, f)[: g.forces.range[hq] + 1]:
            found |= ring
    return found


def supply_lines(g: Board) -> Bits:
    hqs = [hq for hq in g.forces.hq_of if hq != NO_UNIT and g.on_map(hq)]
    return bits(h for hq in hqs for h in supply_path(g, hq))


def places(g: Board) -> list[tuple[Hex, Side | None]]:
    victory = g.scenario.victory
    names = [v.hex for v in victory.hexes] + [h for line in victory.holds for h in (*line.german, *line.soviet)]
    hexes = [g.map.grid.hex(n) for n in dict.fromkeys(names) if n in g.map.grid]
    return [(h, g.owner[h]) for h in hexes]


def reach_of_side(g: Board, side: Side) -> dict[Unit, Bits]:
    """Where each unit of a side could end a Movement Action, and where it stands."""
    able = [u for u in g.forces.combat_units(side) if g.on_map(u) and not g.is_disrupted(u)]
    return {u: destinations(g, (u,)) | 1 << g.place[u] for u in able}


def danger(g: Board, side: Side) -> dict[str, Any]:
    """Where the enemy can get to with one Movement Action, and whom he could then attack."""
    enemy = other(side)
    reach = reach_of_side(g, enemy)
    near = targets(g, side, reach, lambda u: True)
    name = SIDES[enemy].capitalize()
    return {
        f"{name} reach": layer(g, union(reach.values()), "Hexes in reach of one Movement Action (RX-7.3)."),
        f"{name} threat": layer(g, bits(near), "Units that such a move could attack (RX-7.5)."),
    }
