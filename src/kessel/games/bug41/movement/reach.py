"""RX-7.3, PA-TEC, PA-road: what a step costs, and where a unit or stack can go.

A stack goes one way together; leg and motorized units pay their own costs from their own allowances, so a way has a
price for each class. Costs are halves of a movement point.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Direction, Hex
from kessel.core.hexset import bits
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import HALF
from kessel.games.bug41.data.forces import GERMAN
from kessel.games.bug41.data.terrain import BOTH, MOTORIZED, NO_ENTRY, SLOWEST
from kessel.games.bug41.movement.flood import Flood, FloodForTwo
from kessel.games.bug41.movement.pillboxes import cheap_pillboxes, has_pillbox_cost
from kessel.games.bug41.movement.stacking import fits, full_for
from kessel.games.bug41.movement.zones import near_units, zone_of
from kessel.wargame.board import other

Spent: TypeAlias = tuple[int, ...]
"""Halves of a movement point, by class of the group."""
Found: TypeAlias = Flood | FloodForTwo


class Group(NamedTuple):
    """Units that move together, and what they have done so far in this Action."""

    units: tuple[Unit, ...]
    spent: Spent = ()
    near: bool = False
    """Whether the way so far came next to an enemy, its start included."""
    first: bool = True
    """Whether nothing has been entered yet."""
    boats: int = 0


def payers_of(g: Board, units: Sequence[Unit]) -> tuple[int, ...]:
    """The classes in a group, each of which pays for itself."""
    found = tuple(sorted({g.forces.motorized[u] for u in units}))
    return (SLOWEST,) if len(found) > 1 and g.reads("mixed_stacks") == "slowest" else found


def allowance(g: Board, u: Unit, *, bonus: bool = False) -> Breakdown:
    """The movement points of a unit; PA-TEC.leg2: leg units have more while they stay away from enemies."""
    found = Breakdown("movement points").add("printed", g.forces.ma[u], "PA-AP.move")
    if bonus and not g.forces.motorized[u]:
        found.add("a leg unit away from enemies", g.numbers.movement.leg_bonus, "PA-TEC.leg2")
    return found


def budgets(g: Board, units: Sequence[Unit], payers: Sequence[int], *, bonus: bool) -> Spent:
    """RX-7.3.1 The halves each class of a group may spend: the least `allowance` among its units."""
    ma, motorized, more = g.forces.ma, g.forces.motorized, g.numbers.movement.leg_bonus if bonus else 0
    found = {}
    for kind in payers:
        some = [ma[u] + (0 if motorized[u] else more) for u in units if kind in (SLOWEST, motorized[u])]
        found[kind] = min(some) * HALF
    return tuple(found.values())


def has_road_rate(g: Board, units: Sequence[Unit], h: Hex, d: Direction) -> bool:
    """PA-road.3 The rate of a road or railway is not to be had into or out of an enemy zone."""
    zones = zone_of(g, other(g.forces.side[units[0]]))
    return not (zones >> h | zones >> g.map.grid.neighbours[h][d]) & 1


def boat_price(g: Board, units: Sequence[Unit], h: Hex, d: Direction, boats: int) -> int:
    """PA-TEC.e1 What crossing the Bug without a bridge costs leg units; NO_ENTRY if the boats left do not carry all."""
    carried = (
        g.forces.side[units[0]] == GERMAN and not any(g.forces.motorized[u] for u in units) and len(units) <= boats
    )
    pillbox = has_pillbox_cost(g, g.map.grid.neighbours[h][d])
    return g.ground.step_price(h, d, motorized=False, pillbox=pillbox, boat=carried)


def is_barred(g: Board, units: Sequence[Unit], h: Hex, d: Direction, boats: int) -> bool:
    """Whether the water between two hexes stops the units."""
    return bool(g.ground.path_blocked[d] >> h & 1) and boat_price(g, units, h, d, boats) == NO_ENTRY


def is_boat_step(g: Board, h: Hex, d: Direction) -> bool:
    """PA-TEC.e1 Whether a step goes over the Bug where there is no bridge."""
    return bool(g.ground.open_bug[d] >> h & 1)


def has_marsh_check(g: Board, u: Unit, h: Hex, d: Direction) -> bool:
    """PA-TEC.a AFV units check when they enter marsh not along a road or railway."""
    if not g.forces.afv[u] or not g.ground.marsh >> g.map.grid.neighbours[h][d] & 1:
        return False
    if g.ground.link_price(h, d, motorized=True) is None:
        return True
    return g.reads("marsh_on_road") == "check" and not has_road_rate(g, (u,), h, d)


class Ways:
    """Where a group can get to, at what cost, by which way: within its allowance, else with the bonus of leg units."""

    def __init__(
        self, start: Hex, zone: Bits, full: Bits, usual: Flood | FloodForTwo, away: Flood | FloodForTwo | None
    ) -> None:
        self.start, self.zone, self._usual, self._away = start, zone, usual, away
        self.usual: Bits = usual.hexes if away is None else usual.hexes & ~(usual.whole & away.hexes)
        """Hexes within the printed allowance; not those that only the bonus pays for in full."""
        self.hexes: Bits = usual.hexes | (0 if away is None else away.hexes)
        self.ends: Bits = self.hexes & ~full
        """Where the move may end: wherever there is room."""

    @cached_property
    def spent(self) -> dict[Hex, Spent]:
        usual = {h: spent for h, spent in self._usual.spent.items() if self.usual >> h & 1}
        return {**({} if self._away is None else self._away.spent), **usual}

    @cached_property
    def cost(self) -> dict[Hex, int]:
        """The halves the class pays that pays most."""
        return {h: max(s) for h, s in self.spent.items()}

    def __eq__(self, found: object) -> bool:
        return isinstance(found, Ways) and (self.start, self.spent) == (found.start, found.spent)

    __hash__ = None  # type: ignore[assignment]

    def _run(self, h: Hex) -> Found:
        return self._usual if self._away is None or self.usual >> h & 1 else self._away

    def has_bonus(self, h: Hex) -> bool:
        """Whether only leg units away from enemies get there."""
        return not self.usual >> h & 1

    def stops(self, h: Hex) -> bool:
        """Whether the move ends there: an enemy zone, or a step that takes all points."""
        return bool((self.zone | self._run(h).whole) >> h & 1)

    def path(self, h: Hex) -> tuple[Hex, ...]:
        """The way, first hex entered first."""
        return self._run(h).path(h)

    def spent_in(self, h: Hex) -> Spent:
        """What the way to a hex costs each class."""
        return self._run(h).spent_in(h)

    @cached_property
    def steps(self) -> Bits:
        """The hexes with room that can be entered next to go on from: no other way is cheaper, no move ends there."""
        usual, away = self._usual, self._away
        found = usual.beside & ~usual.whole
        if away is not None:
            found |= away.beside & ~away.whole & ~self.usual
        return found & ~self.zone & self.ends


@fact(NOW)
def ways_of(g: Board, group: Group) -> Ways:
    """RX-7.3.2, RX-5.3 All hexes the group can enter with what it has left, whether or not it may end there."""
    units = group.units
    enemy = other(g.forces.side[units[0]])
    start, near, zone = g.place[units[0]], near_units(g, enemy), zone_of(g, enemy)
    full = full_for(g, units)
    may = g.map.grid.all & ~g.hexes_with_combat_units(enemy) & ~(zone & full & ~(1 << start))
    payers, bogs = payers_of(g, units), _bogs(g, units, may)
    payer = payers[0] if len(payers) == 1 else BOTH
    first = _first_steps(g, group, payer, zone, may, bogs)
    begun, most = group.spent or (0,) * len(payers), budgets(g, units, payers, bonus=False)
    usual = _flood(g, payer, start, zone, may).go(begun, most, bogs, first, minimum=group.first)
    away = None
    if not group.near and payers != (MOTORIZED,) and not near >> start & 1:
        first = [step for step in first if not near >> step[0] & 1]
        most = budgets(g, units, payers, bonus=True)
        away = _flood(g, payer, start, zone, may & ~near).go(begun, most, bogs, first, minimum=False)
    return Ways(start, zone, full, usual, away)


def _flood(g: Board, payer: int, start: Hex, zone: Bits, may: Bits) -> Found:
    return (FloodForTwo if payer == BOTH else Flood)(g.ground, payer, start, zone, may, cheap_pillboxes(g))


def _has_room(g: Board, h: Hex, units: Sequence[Unit]) -> bool:
    return g.place[units[0]] == h or fits(g, h, units)


def _bogs(g: Board, units: Sequence[Unit], may: Bits) -> Bits:
    """Marsh without room, which an AFV unit enters only where it needs no check: one that fails stays there."""
    if not any(g.forces.afv[u] for u in units):
        return 0
    return g.ground.marsh & may & full_for(g, units) & ~(1 << g.place[units[0]])


def _first_steps(g: Board, group: Group, payer: int, zone: Bits, may: Bits, bogs: Bits) -> list[tuple[Hex, int]]:
    """The hexes next to a group that it may enter, and what each costs; boats may carry it."""
    start = g.place[group.units[0]]
    in_zone, bug, near = zone >> start & 1, _boat_sides(g, group, start), g.map.grid.near[start]
    cheap = cheap_pillboxes(g)
    may, zone, bogs = may & near, zone & near, bogs & near
    if in_zone:
        may &= ~zone
    found = []
    for n, d, price, plain, boxed in g.ground.priced_steps(payer).out[start]:
        if not may >> n & 1:
            continue
        if bogs and bogs >> n & 1 and _checks(g, group.units, start, d):
            continue
        if bug >> d & 1:
            price = boat_price(g, group.units, start, d, group.boats)
        elif price is None or in_zone or (zone and zone >> n & 1):
            price = plain if cheap >> n & 1 else boxed
        if price != NO_ENTRY:
            found.append((n, price))
    return found


def _boat_sides(g: Board, group: Group, h: Hex) -> int:
    """The directions in which boats may carry a group, as bits."""
    if not group.first or not group.boats:
        return 0
    return bits(d for d in range(6) if is_boat_step(g, h, d))


def _checks(g: Board, units: Sequence[Unit], h: Hex, d: Direction) -> bool:
    return any(has_marsh_check(g, u, h, d) for u in units)


def why_no_way(g: Board, group: Group, h: Hex) -> Refusal:
    """Why a hex cannot be reached, as far as one reason tells it."""
    units, grid = group.units, g.map.grid
    side, start = g.forces.side[units[0]], g.place[units[0]]
    here, who = g.hex_name(h), g.name(units[0]) if len(units) == 1 else "the stack"
    if h == start:
        return Refusal("RX-7.3.1", f"{who} stands in {here}")
    if g.hexes_with_combat_units(other(side)) >> h & 1:
        return Refusal("RX-7.3.6", f"enemy combat units are in {here}")
    zone = zone_of(g, other(side))
    if zone >> h & 1 and not _has_room(g, h, units):
        return Refusal("RX-5.3", f"{who} would have to stop in {here}, which has no room")
    if grid.adjacent(start, h):
        d = grid.direction(start, h)
        if zone >> start & zone >> h & 1:
            return Refusal("PA-infil.1", f"from one enemy zone straight into another {who} can only infiltrate")
        if is_barred(g, units, start, d, group.boats if group.first else 0):
            rule = "PA-TEC.lake.move" if g.ground.lake[d] >> start & 1 else "PA-TEC.bug.move"
            return Refusal(rule, f"{who} cannot cross the water between {g.hex_name(start)} and {here}")
    return Refusal("RX-7.3.2", f"{who} has not the movement points to get to {here}")
