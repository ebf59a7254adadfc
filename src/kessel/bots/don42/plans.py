"""What is worth going for: hexes with a value for one side, and how far everything is from them."""

from __future__ import annotations

from kessel.bots.don42.weights import SPEARHEAD, Weights
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, within
from kessel.games.don42.board import OTHER, POSITION, Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.zones import zone_of
from kessel.games.don42.supply.supply import don_bridges, has_ground_line, road_home
from kessel.games.don42.turn.victory import at_the_volga

FAR = 90 * POINT
"""Half MPs beyond which distances are not told apart."""


def distances(g: Board, goal: Hex) -> list[int]:
    """Half MPs from every hex to the goal as the ground lies, enemies left out."""
    key = ("bot distances", goal, g.weather)
    kept: dict[object, list[int]] = g.crossings.remembered
    found = kept.get(key)
    if found is None:
        lines = g.crossings.line_costs("soviet", g.weather).flood(1 << goal, FAR, g.map.grid.all)
        found = [FAR] * g.map.grid.size
        for cost, s in lines.layers:
            for h in members(s):
                found[h] = cost
        g.crossings.remember(key, found)
    return found


def german_goals(g: Board, u: Unit, w: Weights) -> dict[Hex, float]:
    """Victory Point hexes not yet German; for the panzer corps the Volga first."""
    goals = {h: float(vp) for (h, vp), owner in zip(g.objectives, g.control, strict=True) if owner != GERMAN}
    barred = g.map.area("east_of_line") if g.command_name(u) in (g.scenario.says("flank_line_corps") or ()) else 0
    goals = {h: v for h, v in goals.items() if not barred >> h & 1}
    volga = g.scenario.victory.get("volga")
    if volga and g.forces.division[u] == SPEARHEAD:
        there = at_the_volga(g, volga)
        if not g.track("volga_met") or len(there) < 4 or u in there:
            by_the_way = {h: v for h, v in goals.items() if distances(g, h)[g.place[u]] <= w.detour * POINT}
            return {**by_the_way, **{g.map.grid.hex(name): w.volga for name in volga["at"].split()}}
    if g.command_name(u) == "14PzC" and g.forces.division[u] != SPEARHEAD:
        for h, value in corridor(g, w).items():
            goals[h] = max(goals.get(h, 0.0), value)
    return goals


def to_the_volga(g: Board) -> list[Hex]:
    """17.1.8 The hexes at the Volga, as long as the panzer corps has not reached them in supply."""
    volga = g.scenario.victory.get("volga")
    return [g.map.grid.hex(name) for name in volga["at"].split()] if volga and not g.track("volga_met") else []


def corridor(g: Board, w: Weights) -> dict[Hex, float]:
    """Hexes of the shortest road between the XIV Panzer Corps HQ and the Don that Soviets stand on or reach into."""
    if "14PzC" not in g.forces.commands:
        return {}
    hq = g.forces.command_hq[g.command_index("14PzC")]
    if hq < 0 or not g.on_map(hq) or not g.ground.on_road >> g.place[hq] & 1:
        return {}
    ends = 0
    for a, b in don_bridges(g):
        ends |= 1 << a | 1 << b
    way = g.crossings.lines("road", g.weather, ends & g.ground.on_road, FAR, g.map.grid.all).path(g.place[hq])
    if way is None:
        return {}
    blocked = (zone_of(g, SOVIET) & ~g.hexes_of(GERMAN)) | g.hexes_of(SOVIET)
    return {h: w.guard for h in way if blocked >> h & 1}


def soviet_goals(g: Board, u: Unit, w: Weights) -> dict[Hex, float]:
    """German-held Victory Point hexes, own ones the Germans are near, and the road behind the panzer corps."""
    goals: dict[Hex, float] = {}
    germans = within(g.map.grid, g.hexes_of(GERMAN), w.near)
    there = g.hexes_of(GERMAN)
    for (h, vp), owner in zip(g.objectives, g.control, strict=True):
        if owner == GERMAN:
            goals[h] = vp * (w.retake if there >> h & 1 else w.regain)
        elif germans >> h & 1:
            held = g.occupied(h) and g.place[u] != h
            goals[h] = vp * (w.held if held else w.screen)
    for h in supply_road(g):
        goals[h] = max(goals.get(h, 0.0), w.cut)
    return goals


def supply_road(g: Board) -> list[Hex]:
    """Every third hex of the road that the XIV Panzer Corps HQ is supplied by, east of the Don."""
    if "14PzC" not in g.forces.commands:
        return []
    corps = g.command_index("14PzC")
    hq = g.forces.command_hq[corps]
    if hq < 0 or not g.on_map(hq) or not has_ground_line(g, corps):
        return []
    way = road_home(g, hq) or ()
    return [h for h in way if g.ground.east_bank >> h & 1][2::3]


def goals_of(g: Board, u: Unit, w: Weights) -> dict[Hex, float]:
    goals = (german_goals if g.forces.side[u] == GERMAN else soviet_goals)(g, u, w)
    if w.focus >= 0:
        goals[w.focus] = max(goals.get(w.focus, 0.0), w.focus_worth)
    return goals


def threat(g: Board, side: Side, h: Hex) -> int:
    """Attack strength of enemies next to a hex."""
    found = 0
    for n in g.map.grid.around[h]:
        for u in g.units(n):
            if g.forces.side[u] != side:
                found += g.attack_value(u)
    return found


def worth(g: Board, u: Unit) -> float:
    """What losing a unit costs."""
    if g.forces.hq[u]:
        return 12.0 if g.forces.is_command_hq(u) else 8.0
    value = g.forces.value[u][g.steps[u]]
    return value[0] + value[1] + 1.0


def objective_value(g: Board, h: Hex, side: Side) -> float:
    """Victory Points of a hex that the side does not control."""
    i = g.objective_index.get(h)
    return 0.0 if i is None or g.control[i] == side else float(g.objectives[i][1])


def held_value(g: Board, h: Hex, side: Side) -> float:
    """Victory Points of a hex the side controls."""
    i = g.objective_index.get(h)
    return 0.0 if i is None or g.control[i] != side else float(g.objectives[i][1])


def enemies_near(g: Board, side: Side, h: Hex, far: int) -> bool:
    """Whether an enemy is within that many hexes."""
    return bool(_near(g, OTHER[side], far) >> h & 1)


@fact(POSITION)
def _near(g: Board, side: Side, far: int) -> Bits:
    """The hexes within that many of a side's units."""
    return within(g.map.grid, g.hexes_of(side), far)


@fact(FOREVER)
def far_from(g: Board, h: Hex) -> bytes:
    """The distance of every hex from one, in hexes."""
    distance = g.map.grid.distance
    found = bytearray(g.map.grid.size)
    for x in g.map.grid.hexes:
        found[x] = distance(h, x)
    return bytes(found)


def to_enemy(g: Board, side: Side) -> bytes:
    """The distance of every hex from the nearest enemy, in hexes."""
    grid = g.map.grid
    found = bytearray(grid.size)
    reached = g.hexes_of(OTHER[side])
    for far in range(1, 255):
        ring = within(grid, reached, 1) & ~reached
        if not ring or not reached:
            break
        for h in members(ring):
            found[h] = far
        reached |= ring
    return bytes(found)


def centre_of(g: Board, units: list[Unit]) -> Hex:
    """The hex of the unit with the least distance to all others."""
    spots = [g.place[u] for u in units]

    def all_ways(h: Hex) -> int:
        far = far_from(g, h)
        return sum(far[x] for x in spots)

    return min(set(spots), key=lambda h: (all_ways(h), h))
