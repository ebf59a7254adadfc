"""10.0 Movement."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import Sides, bits, members
from kessel.core.paths import Reach, reach
from kessel.core.procedure import AGAIN, DONE, Out, Procedure
from kessel.core.verbs import Choice
from kessel.games.don42.board import (
    ACTIVE,
    DPT,
    DRG,
    ENTERED,
    G_MOTORIZED,
    GOING,
    MOVED,
    OOS,
    RTD,
    Board,
)
from kessel.games.don42.data.charts import CLEAR, POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.withdrawal import can_leave, exit_cost, leave_map, must_leave, rule_of, way_out
from kessel.games.don42.movement.zones import enemy_zone, open_hexes
from kessel.games.don42.supply.activation import command_distance, has_reserve, is_in_command, is_in_reserve
from kessel.games.don42.supply.supply import is_fully_supplied, state_now, supplied_hexes

# --- who may move, and how far -------------------------------------------------------------------------------------


def why_not_move(g: Board, u: Unit) -> Refusal | None:
    """Why a unit may not move in this phase; None if it may."""
    forces, status = g.forces, g.status[u]
    if not g.on_map(u) or forces.air[u]:
        return Refusal("10.0", f"{g.name(u)} is not on the map")
    side = forces.side[u]
    if status & MOVED:
        return Refusal("10.0", f"{g.name(u)} has moved")
    if status & DPT:
        return Refusal("10.6", "units with a DPT marker never move")
    if status & RTD and g.reads("rtd_moves") == "never":
        return Refusal("10.6", "units with a RTD marker do not move")
    if side == GERMAN:
        if g.phase == G_MOTORIZED and not forces.motorized[u]:
            return Refusal("5.0.10", f"{g.name(u)} is not motorized")
        return None
    if not status & ACTIVE:
        return Refusal("5.0.5", f"{g.name(u)} is not activated")
    if not status & ENTERED:
        if is_in_reserve(g, u):
            return Refusal("9.7", f"{g.name(u)} is in Operational Reserve")
        if g.supply[u] == OOS and not is_in_command(g, u):
            return Refusal("9.2", f"{g.name(u)} is out of supply and more than 12 MPs from its HQ")
    return None


def movers(g: Board, side: Side) -> list[Unit]:
    """All units that may move now; the same answer as `why_not_move` for each, found quickly."""
    if side == GERMAN:
        return g.unmoved()
    never = MOVED | DPT | (RTD if g.reads("rtd_moves") == "never" else 0)
    status, wanted, supply, reserve = g.status, never | ACTIVE, g.supply, has_reserve(g)
    found = [u for u in g.units_on_map(side) if status[u] & wanted == ACTIVE]
    return [
        u
        for u in found
        if (not reserve and supply[u] != OOS)
        or status[u] & ENTERED
        or (not is_in_reserve(g, u) and (supply[u] != OOS or is_in_command(g, u)))
    ]


def is_far(g: Board, u: Unit) -> bool:
    """9.2 A Soviet unit outside 12 MPs from its HQ."""
    return g.forces.side[u] == SOVIET and not g.status[u] & ENTERED and not is_in_command(g, u)


def allowance(g: Board, u: Unit) -> Breakdown:
    """10.0 The MPs a unit may spend in this phase."""
    printed = g.allowance(u)
    b = Breakdown("MPs").add(f"{g.name(u)} printed", printed, "2.4")
    if g.status[u] & DPT:
        return b.cap("DPT", 0, "10.6")
    if g.supply[u] == OOS and g.forces.oos_half[u]:
        b.halve("out of supply", "4.3.2" if g.forces.side[u] == GERMAN else "4.2.3", up=False)
    elif is_far(g, u):
        b.halve("outside 12 MPs from its HQ", "9.2", up=False)
    if g.status[u] & DRG:
        b.cap("DRG", g.charts.constants.drg_move, "10.5")
    return b


def is_roadbound(g: Board, u: Unit) -> bool:
    """10.3 Soviet artillery, and German artillery outside the panzer and motorized divisions."""
    if not g.forces.artillery[u]:
        return False
    return g.forces.side[u] == SOVIET or g.forces.division[u] not in g.charts.divisions["14PzC"]


@fact(GOING)
def near_roads(g: Board) -> Bits:
    """10.3 The hexes within 3 MPs of a road (switch road_limit)."""
    crossings, reading = g.crossings, g.reads("road_limit")
    weather = CLEAR if reading == "clear_costs" else g.weather
    limit = g.charts.constants.artillery_road * POINT
    if reading != "road_to_hex":
        return crossings.lines("soviet", weather, g.ground.on_road, limit, g.map.grid.all).reached
    return _spread_from(g, g.ground.on_road, limit)


def _spread_from(g: Board, start: Bits, limit: int) -> Bits:
    """All hexes that movement from the start reaches at that cost."""
    edges = g.crossings.going(g.weather).costs.edges
    best = dict.fromkeys(members(start), 0)
    todo = [(0, h) for h in best]
    while todo:
        spent, h = heapq.heappop(todo)
        if spent > best[h]:
            continue
        for n, cost, _ in edges[h]:
            if spent + cost < best.get(n, limit + 1):
                best[n] = spent + cost
                heapq.heappush(todo, (spent + cost, n))
    return bits(best)


# --- where it may go -----------------------------------------------------------------------------------------------


def may_enter(g: Board, u: Unit) -> Bits:
    """The hexes a unit may enter at all: no enemies, the road limit of guns, the flank line of scenario 1."""
    side = g.forces.side[u]
    s = g.map.grid.all & ~g.hexes_of(1 - side)
    if is_roadbound(g, u):
        s &= near_roads(g)
    behind = g.scenario.says("flank_line_corps")
    if behind and side == GERMAN and g.command_name(u) in behind:
        s &= ~g.map.area("east_of_line")
    return s


def is_beyond_line(g: Board, u: Unit, h: Hex) -> bool:
    """17.1.3 Whether a hex lies east of the line that the unit's Corps may not cross."""
    return g.command_name(u) in (g.scenario.says("flank_line_corps") or ()) and bool(
        g.map.area("east_of_line") >> h & 1
    )


def is_don_closed(g: Board, side: Side) -> bool:
    """17.2.3 The Soviets may not cross the Don."""
    return side == SOVIET and g.scenario.says("soviets_cross_don") is False


@fact(NOW)
def reach_of(g: Board, u: Unit, left: int, first: bool) -> Reach:
    """10.0-10.2 All hexes a unit can get to with that many half MPs; `first`: it has not moved yet."""
    side, here = g.forces.side[u], g.place[u]
    zone = enemy_zone(g, side)
    enter = may_enter(g, u)
    first_enter = enter
    infiltrates = side == GERMAN and not g.status[u] & DRG
    if zone >> here & 1 and not infiltrates:
        first_enter &= ~zone
    going = g.crossings.going(g.weather, is_don_closed=is_don_closed(g, side))
    barred = going.barred
    if closer := _closer_sides(g, u):
        barred = tuple(x | y for x, y in zip(barred, closer, strict=True))
    return reach(
        going.costs,
        here,
        left,
        enter=enter,
        stop=zone,
        first_enter=first_enter,
        barred=barred,
        opened=going.opened,
        at_least_one=first,
    )


def _closer_sides(g: Board, u: Unit) -> Sides | None:
    """9.2 With the reading every_hex a far unit may not take a step that does not bring it nearer to its HQ."""
    if g.reads("closer") != "every_hex" or not is_far(g, u):
        return None
    lines = command_distance(g, u)
    grid = g.map.grid
    six = [grid.all] * 6
    if lines is not None:
        nearer = 0
        for _, here in lines.layers:
            for d, o in enumerate(grid.offsets):
                six[d] &= ~((nearer >> o if o > 0 else nearer << -o) & here)
            nearer |= here
    return tuple(six)


def ends_of(g: Board, u: Unit, left: int, first: bool) -> Bits:
    """The hexes a unit may end a move in: Soviets never move out of supply (4.2.3), far ones only closer (9.2).

    One under orders to leave the map goes to where it may leave (17.1.5, 17.2.2), whatever becomes of its supply.
    """
    if must_leave(g, u):
        found = reach_of(g, u, left, first)
        out = way_out(g, u, found, left)
        return found.hexes if out is None else out
    return reach_of(g, u, left, first).hexes if g.forces.side[u] == GERMAN else _soviet_ends(g, u, left, first)


@fact(NOW)
def _soviet_ends(g: Board, u: Unit, left: int, first: bool) -> Bits:
    s = reach_of(g, u, left, first).hexes
    if g.supply[u] != OOS and not g.status[u] & ENTERED and not is_fully_supplied(g) and not _is_by_fiat(g, u):
        s = supplied_hexes(g, u, _open_without(g, u), s)
    if is_far(g, u):
        s &= nearer_hexes(g, u)
    return s


def _is_by_fiat(g: Board, u: Unit) -> bool:
    """A position may say that a unit is in supply where it has no line; then its move needs none either."""
    return bool(g.scenario.says("supply_assumed")) and state_now(g, u) == OOS


def nearer_hexes(g: Board, u: Unit) -> Bits:
    """9.2 The hexes at fewer MPs from the parent HQ than the unit's own."""
    lines = command_distance(g, u)
    cost = None if lines is None else lines.cost(g.place[u])
    return 0 if lines is None or not cost else lines.within(cost - 1)


def _open_without(g: Board, u: Unit) -> Bits:
    """The hexes open to Soviet lines once the unit has left its own."""
    open_, here = open_hexes(g, SOVIET), g.place[u]
    if enemy_zone(g, SOVIET) >> here & 1 and len(g.units(here)) == 1:
        open_ &= ~(1 << here)
    return open_


def why_not_there(g: Board, u: Unit, h: Hex, left: int, first: bool) -> Refusal | None:
    """The rule that keeps a unit from ending its move in a hex; None if it may."""
    if ends_of(g, u, left, first) >> h & 1:
        return None
    side, here = g.forces.side[u], g.place[u]
    name, where = g.name(u), g.hex_name(h)
    if g.enemies_in(h, side):
        return Refusal("10.0", f"an enemy unit is in {where}")
    if is_roadbound(g, u) and not near_roads(g) >> h & 1:
        return Refusal("10.3", f"{where} is more than {g.charts.constants.artillery_road} MPs from a road")
    if not may_enter(g, u) >> h & 1:
        return Refusal("17.1.3", f"{g.command_name(u)} may not move east of the flank line")
    if reach_of(g, u, left, first).hexes >> h & 1:
        if must_leave(g, u):
            return Refusal(rule_of(side), f"{name} is under orders to leave the map and must go the way out")
        if is_far(g, u) and not nearer_hexes(g, u) >> h & 1:
            return Refusal("9.2", f"{name} must come nearer to its HQ")
        return Refusal("4.2.3", f"{name} would be out of supply in {where}")
    if g.map.grid.adjacent(here, h):
        d = g.map.grid.direction(here, h)
        if is_don_closed(g, side) and g.ground.don[d] >> here & 1:
            return Refusal("17.2.3", "the Soviets may not cross the Don in this scenario")
        step = g.crossings.step(g.weather, here, d, h)
        if isinstance(step, Refusal):
            return step
        zone = enemy_zone(g, side)
        if zone >> here & zone >> h & 1:
            rule = "10.5" if side == GERMAN else "10.2"
            return Refusal(rule, f"{name} may not move from one enemy zone of control to another")
    going = g.crossings.going(g.weather, is_don_closed=is_don_closed(g, side))
    free = reach(going.costs, here, left, enter=may_enter(g, u), barred=going.barred, opened=going.opened)
    if h in free:
        if is_far(g, u) and not nearer_hexes(g, u) >> h & 1:
            return Refusal("9.2", f"{name} must come nearer to its HQ")
        return Refusal("3.2.3", f"an enemy zone of control on the way stops {name}")
    rule, why = _what_limits(g, u, h) if first else ("10.0", "")
    return Refusal(rule, f"{where} is out of reach with {left / POINT:g} MPs{why}")


def _what_limits(g: Board, u: Unit, h: Hex) -> tuple[str, str]:
    """The rule that keeps a unit from a hex its printed MPs would reach, and its word; else 10.0."""
    going = g.crossings.going(g.weather, is_don_closed=is_don_closed(g, g.forces.side[u]))
    printed, enter = g.allowance(u) * POINT, may_enter(g, u)
    full = reach(going.costs, g.place[u], printed, enter=enter, barred=going.barred, opened=going.opened)
    last = allowance(g, u).items[-1]
    return (last.rule, f": {last.what}") if h in full else ("10.0", "")


def overdue(g: Board, side: Side) -> Unit | None:
    """17.1.5, 17.2.2 A unit under orders to leave that can still come nearer to where it leaves, or leave."""
    for u in g.schedule.leaving(g.turn):
        if g.forces.side[u] != side or not g.on_map(u) or why_not_move(g, u) is not None:
            continue
        if can_leave(g, u):
            if side == SOVIET:
                return u
            continue  # Germans are taken off at the end of the phase
        left = allowance(g, u).total * POINT
        if way_out(g, u, reach_of(g, u, left, True), left):
            return u
    return None


# --- one move ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Move(Procedure):
    """10.0 One unit moves, hex by hex, until it halts, is stopped by a zone of control, or has spent its MPs."""

    side: Side
    unit: Unit
    left: int
    """Half MPs."""
    first: bool = True

    about_units = ("unit",)

    go = Choice("side", "10.0", "Move the unit, or halt.")

    def why_not_halt(self, g: Board) -> Refusal | None:
        u = self.unit
        if not must_leave(g, u):
            return None
        if self.side == SOVIET and self.why_not_leave(g) is None:  # Germans are taken off at the end of the phase
            return Refusal(rule_of(self.side), f"{g.name(u)} must leave the map")
        if way_out(g, u, reach_of(g, u, self.left, self.first), self.left):
            return Refusal(rule_of(self.side), f"{g.name(u)} must go on to where it leaves the map")
        return None

    @go.verb("halt", why_not=why_not_halt)
    def halt(self, g: Board) -> Out:
        g.set_status(self.unit, MOVED)
        return DONE

    def why_not_leave(self, g: Board) -> Refusal | None:
        if can_leave(g, self.unit) and (self.first or self.left >= exit_cost(g)):
            return None
        return Refusal("10.0", f"{g.name(self.unit)} may not leave the map here")

    @go.verb("leave", why_not=why_not_leave)
    def leave(self, g: Board) -> Out:
        leave_map(g, self.unit, rule_of(self.side))
        return DONE

    @go.verb(
        "to",
        legal=lambda p, g: ends_of(g, p.unit, p.left, p.first),
        why_not=lambda p, g, h: why_not_there(g, p.unit, h, p.left, p.first),
    )
    def walk(self, g: Board, h: Hex) -> Out:
        u, found = self.unit, reach_of(g, self.unit, self.left, self.first)
        cost, stops = cost_of(found, h), found.stops(h)
        if g.events is None and not self._may_pass(g, found, cost):
            g.control_hex(h, self.side)
        else:
            path = found.path(h)
            for step in path:
                g.control_hex(step, self.side)
            g.tell_way(u, "moves to", path, "10.0")
        g.move(u, h)
        self.left = max(0, self.left - cost)
        self.first = False
        if stops or self.left < g.crossings.going(g.weather).costs.cheapest:
            g.set_status(u, MOVED)
            return DONE
        return AGAIN

    def _may_pass(self, g: Board, found: Reach, cost: int) -> bool:
        """Whether the way may pass a hex to take control of: it leads through cheaper hexes alone."""
        contested = (g.contested(self.side) & found.hexes) >> found.low
        return bool(contested) and any(here & contested for here in found.levels[:cost])


def cost_of(found: Reach, h: Hex) -> int:
    """What the cheapest way to a hex costs."""
    if h in found.over:
        return found.over[h]
    k, bit = 0, 1 << h - found.low
    while not found.levels[k] & bit:
        k += 1
    return k
