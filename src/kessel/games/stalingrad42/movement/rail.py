"""5.6 Rail Movement."""

from __future__ import annotations

from kessel.core.board import Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, LAST, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, flood_links, members
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, FLIPPED, MOVED, MOVED_FAR, TRAIN, UNUSABLE
from kessel.games.stalingrad42.columns import DONE as HAS_MOVED
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.entering import entered
from kessel.games.stalingrad42.movement.moving import moved_far
from kessel.games.stalingrad42.movement.ways.modes import RAIL, why_not_mode
from kessel.games.stalingrad42.movement.ways.zones import enemy_zoc
from kessel.games.stalingrad42.supply.railroads import ferry_ends, rail_hexes, railhead_hexes, rails, repaired_hexes


def open_rails(g: Board, side: Side) -> Bits:
    """5.6.3 The rail hexes a train of that side may be in: no EZOC (friends do not negate it), no enemy, repaired for
    the Axis, no Axis Railhead for the Soviets. Units may come out of a Reserve Army and bar its hex (34.6.2)."""
    shut = enemy_zoc(g, side) | g.sets[COMBAT + 1 - side]
    if side == AXIS:
        shut |= bits(g.place[a] for a in g.forces.reserve_armies if g.on_map(a)) if any(g.assigned) else 0
        return repaired_hexes(g) & ~shut
    return rail_hexes(g) & ~shut & ~railhead_hexes(g)


def line_of(g: Board, side: Side, start: Bits) -> Bits:
    """All rail hexes a train can get to from there, without the Ferry."""
    through = open_rails(g, side)
    parts = _memo_of_parts(g, side, through, g.turn)
    found = 0
    for part in parts:
        if part & start:
            found |= part
    missing = start & through & ~found
    while missing:
        part = flood_links(g.map.grid, missing & -missing, rails(g), through)
        parts.append(part)
        found |= part
        missing &= ~part
    return found


@fact(LAST)
def _memo_of_parts(g: Board, side: Side, through: Bits, turn: int) -> list[Bits]:
    """The lines found so far, apart from each other."""
    return []


def start_of(g: Board, u: Unit) -> Bits:
    """The rail hexes a unit starts from: its own, or those next to its Entry Area."""
    here, side = g.place[u], g.forces.side[u]
    if g.map.is_hex(here):
        return 1 << here
    return _edge_start(g, here, side)


@fact(GAME)
def _edge_start(g: Board, here: Place, side: Side) -> Bits:
    found = g.map.box(here).hexes if here in g.ground.land_boxes else 0
    for p in g.ground.land_boxes if side == SOVIET else ():
        if g.map.box(p).facts.get("edge") in g.scenario.special.get("entrained_edges", ()):
            found |= g.map.box(p).hexes  # S1.2: entrained from the east or south edge
    return found


def why_not_start(g: Board, u: Unit) -> Refusal | None:
    """Why a unit cannot use Rail Movement from where it is."""
    return why_not_mode(g, u, RAIL) or _why_not_line(g, u)


def _why_not_line(g: Board, u: Unit) -> Refusal | None:
    """The same for a unit that may use Rail Movement."""
    side, here = g.forces.side[u], g.place[u]
    if g.map.is_hex(here):
        if not rail_hexes(g) >> here & 1:
            return Refusal("5.6.3", f"{g.hex_name(here)} is not a rail hex")
        if enemy_zoc(g, side) >> here & 1:
            return Refusal("5.6.3", "Rail Movement may not start in an EZOC")
        if side == AXIS and not g.repaired[here]:
            return Refusal("5.6.3", f"the railroad in {g.hex_name(here)} is not repaired")
    elif g.box_side(here) != side:
        return Refusal("5.6.3", "Rail Movement starts in a friendly Entry Area")
    if g.forces.is_leader(u):
        return None
    limit = rail_limit(g, u)
    if limit and not g.map.is_hex(here) and g.limited_rail >= limit:
        return Refusal("S1.2", f"only {limit} of these units may use Rail Movement")
    if g.rail_used >= g.charts.constant("rail_units"):
        return Refusal("5.6.2", "four units have used Rail Movement this turn")
    if g.map.is_hex(here) and g.rail_from_map >= g.charts.constant("rail_units_from_map"):
        return Refusal("5.6.2", "one unit has used Rail Movement from a hex of the map this turn")
    return None


def rail_limit(g: Board, u: Unit) -> int:
    """S1.2 How many units of its group may enter the map by rail; 0 = no limit."""
    return _rail_limits(g).get(g.id(u), 0)


@fact(GAME)
def _rail_limits(g: Board) -> dict[str, int]:
    return {e.id: a.rail_limit for a in reversed(g.scenario.arrivals) if a.rail_limit for e in a.units}


def can_carry(g: Board, u: Unit) -> bool:
    """5.5.7 The Vladimirovka Ferry carries one Soviet Combat Unit or Supply Point a turn."""
    fit = g.forces.combat[u] or g.forces.is_supply_point(u)
    return g.forces.side[u] == SOVIET and bool(fit) and g.ferry_rail < g.charts.constant("vladimirovka_units")


def reachable(g: Board, u: Unit) -> tuple[Bits, Bits]:
    """Rail hexes within reach: without the Ferry, and only with it."""
    side = g.forces.side[u]
    land = line_of(g, side, start_of(g, u))
    one, two = ferry_ends(g)
    across = 0
    if one != NO_HEX and can_carry(g, u):
        for near, far in ((one, two), (two, one)):
            if land >> near & 1:
                across |= line_of(g, side, 1 << far) & ~land
    return land, across


def can_lead_anywhere(g: Board, u: Unit) -> bool:
    """Whether `ends` finds any place for a unit that may use Rail Movement; most stand on no open railroad."""
    here, side = g.place[u], g.forces.side[u]
    if g.map.is_hex(here) and not (rail_hexes(g) >> here & 1 and open_rails(g, side) >> here & 1):
        return False
    if _why_not_line(g, u) is not None:
        return False
    land, across = reachable(g, u)
    line = land | across
    if line & ~train_hexes(g, u) & ~(1 << here):
        return True
    return any(p != here and _area_reached(g, u, p, line) for p in g.ground.land_boxes)


def ends(g: Board, u: Unit) -> list[Place]:
    """All places a unit can reach by rail."""
    if why_not_start(g, u) is not None:
        return []
    land, across = reachable(g, u)
    here = g.place[u]
    line = (land | across) & ~train_hexes(g, u)
    found: list[Place] = [h for h in _members(g, g.forces.side[u], line) if h != here]
    found.extend(p for p in g.ground.land_boxes if p != here and _area_reached(g, u, p, land | across))
    return found


@fact(LAST)
def _members(g: Board, side: Side, line: Bits) -> list[Hex]:
    return members(line)


def _area_reached(g: Board, u: Unit, place: Place, line: Bits) -> bool:
    """5.6.1, 5.6.3 Units may rail into a friendly Entry Area, also together (reading A47)."""
    if g.box_side(place) != g.forces.side[u] or not g.map.box(place).hexes & line:
        return False
    f = g.forces
    if g.reads("railed_in_entry_area") == "may_share" or not f.combat[u]:
        return True
    return not any(g.status[v] & TRAIN and f.combat[v] for v in g.units(place))


def train_hexes(g: Board, u: Unit) -> Bits:
    """5.6.3 Hexes with an entrained Combat Unit: another one may not end its Rail Movement there."""
    f = g.forces
    if not f.combat[u] or not g.rail_used:
        return 0
    return bits(g.place[v] for v in g.marked_with(f.side[u], TRAIN) if f.combat[v] and g.on_map(v))


def why_not_end(g: Board, u: Unit, place: Place) -> Refusal | None:
    """Why a unit cannot go there by rail."""
    if why := why_not_start(g, u):
        return why
    side = g.forces.side[u]
    land, across = reachable(g, u)
    if not g.map.is_hex(place):
        if place in g.ground.land_boxes and place != g.place[u] and _area_reached(g, u, place, land | across):
            return None
        return Refusal("5.6.1", "Rail Movement leads only into friendly Entry Areas along a connected line")
    name = g.hex_name(place)
    if not rail_hexes(g) >> place & 1:
        return Refusal("5.6.3", f"{name} is not a rail hex")
    if side == AXIS and not g.repaired[place]:
        return Refusal("5.6.3", f"the railroad in {name} is not repaired")
    if enemy_zoc(g, side) >> place & 1:
        return Refusal("5.6.3", f"{name} is in an EZOC")
    if side == SOVIET and railhead_hexes(g) >> place & 1:
        return Refusal("5.6.3", "Soviet units may not rail into or past an Axis Railhead")
    if place == g.place[u]:
        return Refusal("5.6.1", "the unit is there already")
    if not (land | across) >> place & 1:
        return Refusal("5.6.3", f"no open railroad leads to {name}")
    if train_hexes(g, u) >> place & 1:
        return Refusal("5.6.3", "Combat Units using Rail Movement may not end stacked together")
    return None


def route(g: Board, u: Unit, place: Place, *, by_ferry: bool) -> tuple[Hex, ...]:
    """The rail hexes a train enters on its shortest way to a place, the last one included."""
    grid, six, through = g.map.grid, rails(g), open_rails(g, g.forces.side[u])
    goal = 1 << place if g.map.is_hex(place) else g.map.box(place).hexes
    ferry = ferry_ends(g) if by_ferry else (NO_HEX, NO_HEX)
    before: dict[Hex, Hex] = dict.fromkeys(members(start_of(g, u) & through), NO_HEX)
    for h in (todo := list(before)):  # the list grows while it is read
        if goal >> h & 1:
            way = [h]
            while (h := before[h]) != NO_HEX:
                way.append(h)
            return tuple(reversed(way[:-1] if g.map.is_hex(g.place[u]) else way))
        joined = [n for e, n in enumerate(grid.neighbours[h]) if n != NO_HEX and six[e] >> h & 1]
        joined += [ferry[1 - i] for i in (0, 1) if ferry[i] == h]
        new = [n for n in joined if through >> n & 1 and n not in before]
        before |= dict.fromkeys(new, h)
        todo += new
    return ()


def ride(g: Board, u: Unit, place: Place) -> tuple[Hex, ...]:
    """5.6.1 Carry out a Rail Move; the answer is its way."""
    land, _ = reachable(g, u)
    by_ferry = not land & (1 << place if g.map.is_hex(place) else g.map.box(place).hexes)
    way = route(g, u, place, by_ferry=by_ferry)
    start, far = g.place[u], len(way) > g.charts.constant("asu_hexes_in_order")
    if not g.forces.is_leader(u):
        g.rail_used += 1
        g.rail_from_map += g.map.is_hex(start)
        if rail_limit(g, u) and not g.map.is_hex(start):
            g.limited_rail += 1
    g.ferry_rail += by_ferry
    g.move(u, place)
    for h in way:
        entered(g, (u,), h, by_rail=True)
    if g.forces.is_leader(u):
        g.set_status(u, FLIPPED)  # 28.1.5
    else:
        g.set_status(u, TRAIN)
    if g.forces.is_immobile(u):
        g.set_status(u, UNUSABLE)  # 18.6.8
    g.set_status(u, HAS_MOVED | MOVED | MOVED_FAR)
    g.tell_move(u, "goes by rail to {}", "5.6.1", start, way, place=g.place_name(place))
    if far:
        moved_far(g, u)
    return way


def detrain(g: Board, side: Side) -> None:
    """5.6.5 All units under a Train marker detrain in their Initial Phase."""
    for u in g.marked_with(side, TRAIN):
        g.set_status(u, TRAIN, False)
