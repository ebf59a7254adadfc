"""Where a unit or stack can go by land: the searches behind 5.1-5.5, 6.2 and 7.2.

A `Field` holds what bars and stops a side's movers at this instant. `plan` searches with it for a group: normal,
Extended and Tactical Movement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kessel.core.board import Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, LAST, NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, within
from kessel.core.paths import Costs, Edge, Reach, reach
from kessel.games.stalingrad42.board import POSITION, Board
from kessel.games.stalingrad42.columns import COMBAT, FULL_RETREAT, STEADY
from kessel.games.stalingrad42.data.charts import POINT
from kessel.games.stalingrad42.data.forces import SOVIET
from kessel.games.stalingrad42.movement.ways.costs import Ways, price_at_flotilla, ways_of
from kessel.games.stalingrad42.movement.ways.modes import (
    EXTENDED,
    NORMAL,
    TACTICAL,
    allowance,
    common_modes,
    exit_cost,
    tactical_hexes,
)
from kessel.games.stalingrad42.movement.ways.zones import (
    Bonds,
    enemy_bonds,
    enemy_zoc,
    is_contested,
    next_to_enemies,
    shut_edges,
)
from kessel.games.stalingrad42.supply.supply import why_not_use_area

RINGS = 3
"""Sets of hexes around a place are kept for every third distance."""


class Field(NamedTuple):
    """What a side's movers meet."""

    enter: Bits
    """Hexes they may enter: no enemy Combat Unit (5.1), not inside an enemy Hex Bond (7.2)."""
    zone: Bits
    """EZOCs: the move ends there (6.2)."""
    near: Bits
    """Hexes next to an enemy Combat Unit: closed to Extended Movement (5.3)."""
    barred: tuple[Bits, ...]
    """Hexsides inside an enemy Hexside Bond (7.2)."""
    shut: Bits
    """Hexes closed to and from Entry Areas by an enemy bond at the map edge (22.3.2)."""


@fact(POSITION)
def field(g: Board, side: Side) -> Field:
    """The field of that side, at this instant."""
    enemies, zone, near = g.sets[COMBAT + 1 - side], enemy_zoc(g, side), next_to_enemies(g, side)
    return _field_of(g, side, enemies, zone, near, enemy_bonds(g, side))


@fact(LAST)
def _field_of(g: Board, side: Side, enemies: Bits, zone: Bits, near: Bits, bonds: Bonds) -> Field:
    """Mostly the one before: a side's own moves leave it as it is."""
    enter = g.ground.playable & ~enemies & ~bonds.hexes
    return Field(enter, zone, near, bonds.sides, shut_edges(g, bonds))


def entry_hexes(g: Board, place: Place) -> Bits:
    """The hexes through which units enter the map from an Entry Area now."""
    return g.scenario.entry_hexes(g.map, place, g.turn)


def may_enter_area(g: Board, side: Side, place: Place) -> bool:
    """22.3.1, 22.4 Friendly Entry Areas, and those a scenario opens for exit (S1.2, 24.1.2)."""
    if place not in g.ground.land_boxes or why_not_use_area(g, place, side) is not None:
        return False
    return g.box_side(place) == side or g.scenario.is_exit(g.map, place, side)


def why_not_enter_area(g: Board, side: Side, place: Place) -> Refusal | None:
    """Why a side's units may not enter an Entry Area."""
    if may_enter_area(g, side, place):
        return None
    why = why_not_use_area(g, place, side) if g.box_side(place) == side else None
    return why or Refusal("22.4", f"{g.where(place)} is not a friendly Entry Area")


# --- groups --------------------------------------------------------------------------------------------------------


class Group(NamedTuple):
    """Units that move together, and how far they have come."""

    units: tuple[Unit, ...]
    place: Place
    spent: tuple[int, ...] = ()
    """Half Movement Points by unit; empty before the first step."""
    hexes: int = 0
    mode: int = 0
    """0 before the first step, then NORMAL, EXTENDED or TACTICAL."""
    exposed: bool = False
    """Has come next to an enemy Combat Unit: no Extended Movement (5.3)."""
    extended: bool = False
    """Extended Movement has been declared."""
    limit: str = ""


class Plan(NamedTuple):
    """Where a group can go; each place once, by Movement Points if they suffice, else by Tactical Movement."""

    march: Reach | None
    """Normal Movement, or Extended Movement if that has been declared."""
    short: Reach | None
    """Tactical Movement."""
    mode: int
    """NORMAL or EXTENDED: what `march` is."""
    areas: dict[Place, tuple[int, Place]]
    """Entry Areas within reach: kind of movement and the hex left."""

    @property
    def marched(self) -> Bits:
        return self.march.hexes if self.march is not None else 0

    @property
    def short_hexes(self) -> Bits:
        return self.short.hexes if self.short is not None else 0

    @property
    def tactical(self) -> Bits:
        """What only Tactical Movement reaches."""
        return self.short_hexes & ~self.marched

    def mode_to(self, place: Place) -> int:
        """The kind of movement that leads there; 0 if none does."""
        if place in self.areas:
            return self.areas[place][0]
        if self.march is not None and self.march.hexes >> place & 1:
            return self.mode
        return TACTICAL if self.short is not None and self.short.hexes >> place & 1 else 0

    def way(self, place: Place) -> tuple[Place, ...]:
        """The places entered on the way there."""
        found = self.short if self.mode_to(place) == TACTICAL else self.march
        assert found is not None
        if place not in self.areas:
            return found.path(place)
        last = self.areas[place][1]
        return (*(found.path(last) if last != found.start else ()), place)


def group_modes(g: Board, group: Group) -> int:
    """The kinds of land movement all units of the group may use, as far as they have come."""
    found = common_modes(g, group.units, group.limit) & (NORMAL | EXTENDED | TACTICAL)
    if group.extended:
        return found & EXTENDED
    if group.mode == TACTICAL:
        return found & TACTICAL
    if group.mode:
        found &= NORMAL | EXTENDED
    return found & ~EXTENDED if group.exposed else found


@fact(NOW)
def plan(g: Board, group: Group) -> Plan:
    """All places the group can reach by land, and how; by Extended Movement once that has been declared."""
    march, short = march_of(g, group), short_of(g, group)
    mode = EXTENDED if group.extended else NORMAL
    areas = {place: (TACTICAL, last) for place, last in areas_of(g, group, TACTICAL).items()}
    areas |= {place: (mode, last) for place, last in areas_of(g, group, mode).items()}
    return Plan(march, short, mode, areas)


def march_of(g: Board, group: Group) -> Reach | None:
    """Where the group gets by Movement Points; None if it may not move so."""
    return _search(g, group) if group_modes(g, group) & (EXTENDED if group.extended else NORMAL) else None


def short_of(g: Board, group: Group) -> Reach | None:
    """Where the group gets by Tactical Movement; None if it may not move so."""
    return _short(g, group) if group_modes(g, group) & TACTICAL else None


def way_to(g: Board, group: Group, place: Place, mode: int) -> tuple[Place, ...]:
    """The places entered on the way to a place by a kind of movement."""
    found = short_of(g, group) if mode == TACTICAL else march_of(g, group)
    assert found is not None
    if g.map.is_hex(place):
        return found.path(place)
    last = areas_of(g, group, mode)[place]
    return (*(found.path(last) if last != found.start else ()), place)


class Seeker(NamedTuple):
    """One class of mover within a group: its price lists and what its slowest unit has left."""

    ways: Ways
    unit: Unit
    budget: int
    exit: int
    """What leaving the first hex costs extra (6.2)."""


def seekers(g: Board, group: Group) -> list[Seeker]:
    f = field(g, g.forces.side[group.units[0]])
    in_zone = not group.hexes and g.map.is_hex(group.place) and f.zone >> group.place & 1
    more = g.charts.constant("extended_movement") * POINT if group.extended else 0
    if len(group.units) == 1:
        u = group.units[0]
        left = allowance(g, u) + more - (group.spent[0] if group.spent else 0)
        return [Seeker(ways_of(g, u), u, left, exit_cost(g, u) if in_zone else 0)]
    found: dict[tuple[int, int], Seeker] = {}
    for i, u in enumerate(group.units):
        key = (g.forces.mech[u], g.forces.mountain[u])
        left = allowance(g, u) + more - (group.spent[i] if group.spent else 0)
        leave = exit_cost(g, u) if in_zone else 0
        known = found.get(key)
        if known is None or left - leave < known.budget - known.exit:
            found[key] = Seeker(ways_of(g, u), u, left, leave)
    return list(found.values())


def _open_to(g: Board, group: Group, f: Field) -> Bits:
    """The hexes the group may enter."""
    enter = f.enter & ~f.near if group.extended else f.enter
    for u in group.units:
        if g.status[u] & FULL_RETREAT:
            return enter & ~flight_bans(g, g.forces.side[u])
    return enter


@fact(NOW)
def _search(g: Board, group: Group) -> Reach:
    """5.1 By Movement Points. A stack of several classes goes where a cheapest way of one of them suits all."""
    f = field(g, g.forces.side[group.units[0]])
    enter, who = _open_to(g, group, f), seekers(g, group)
    first = None if g.map.is_hex(group.place) else enter & ~f.shut & entry_hexes(g, group.place)
    found = []
    for s in who:
        later = bool(group.hexes)
        found.append(
            reach(
                s.ways.normal_later if later else s.ways.normal,
                group.place,
                max(s.budget, 0),
                enter=enter,
                stop=f.zone,
                first_enter=first,
                first_extra=s.exit,
                barred=f.barred,
                opened=opened(g, group, s.ways, s.budget // s.ways.normal.cheapest, normal=True),
            )
        )
    if len(found) == 1:
        return found[0]
    return _common(g, group, who, found, (enter if first is None else first, enter, f.zone))


class _Joint(Reach):
    """The ways a stack of several classes can go together."""

    def __init__(
        self, start: Place, ways_: dict[Place, tuple[Place, ...]], costs: dict[Place, int], first: dict[Place, int]
    ) -> None:
        self.start, self.over, self.ends = start, {}, 0
        self.low, self.levels = 0, [0] * (max(costs.values(), default=0) + 1)
        for h, c in costs.items():
            self.levels[c] |= 1 << h
        self._ways = ways_
        self.first = first

    def path(self, h: Hex) -> tuple[Hex, ...]:
        return self._ways[h]


def _common(g: Board, group: Group, who: list[Seeker], found: list[Reach], field_: tuple[Bits, Bits, Bits]) -> Reach:
    """5.1 Where all classes of a stack get by one way: a cheapest one of any of them, or one between."""
    both = found[0].hexes
    for r in found[1:]:
        both &= r.hexes
    ways_: dict[Place, tuple[Place, ...]] = {}
    costs: dict[Place, int] = {}
    tolls = [[Toll(g, group, s) for s in who] for _ in found]
    for h in members(both):
        for r, several in zip(found, tolls, strict=True):
            way = r.path(h)
            prices = [toll.of(way) for toll in several]
            if all(p is not None and p <= s.budget for p, s in zip(prices, who, strict=True)):
                ways_[h], costs[h] = way, max(p for p in prices if p is not None)
                break
    missing = both & ~sum(1 << h for h in ways_)
    if missing:
        for h, (paid, way) in _between(group, who, tolls[0], *field_).items():
            if missing >> h & 1:
                ways_[h], costs[h] = way, max(paid)
    near = {h: tuple(r.first.get(h) for r in found) for h in found[0].first}
    first = {h: max(c for c in paid if c is not None) for h, paid in near.items() if None not in paid}
    return _Joint(group.place, ways_, costs, first)


Label = tuple[tuple[int, ...], tuple[Place, ...]]
"""What each class has paid, and the way."""


def _between(
    group: Group, who: list[Seeker], tolls: list[Toll], first: Bits, enter: Bits, zone: Bits
) -> dict[Place, Label]:
    """All hexes a stack of several classes reaches: of the ways to a hex those best for some class are kept."""
    begin: Label = (tuple(s.exit for s in who), ())
    best: dict[Place, list[Label]] = {group.place: [begin]}
    todo = [begin]
    for paid, way in todo:
        here = way[-1] if way else group.place
        if (way and zone >> here & 1) or (paid, way) not in best[here]:
            continue
        for n in tolls[0].next_to(here):
            steps = [toll.step(here, n) for toll in tolls]
            if not (enter if way else first) >> n & 1 or any(c is None for c in steps):
                continue
            now = tuple(p + c for p, c in zip(paid, steps, strict=True) if c is not None)
            known = best.setdefault(n, [])
            if any(p > s.budget for p, s in zip(now, who, strict=True)):
                continue
            if any(all(o <= p for o, p in zip(old, now, strict=True)) for old, _ in known):
                continue
            known[:] = [x for x in known if not all(p <= o for o, p in zip(x[0], now, strict=True))]
            known.append((now, (*way, n)))
            todo.append(known[-1])
    return {h: min(labels) for h, labels in best.items() if labels and h != group.place}


class Toll:
    """What ways cost one class of a group, in half Movement Points.

    For ways that branch and never join, such as the cheapest ones of another class: the price of a hex is kept.
    """

    def __init__(self, g: Board, group: Group, s: Seeker) -> None:
        self._edges, self._first = s.ways.normal.edges, {} if group.hexes else s.ways.normal.first
        self._opened = opened(g, group, s.ways, s.budget // s.ways.normal.cheapest, normal=True)
        self._barred = field(g, g.forces.side[s.unit]).barred
        self._start = group.place
        self._known: dict[Place, int | None] = {group.place: s.exit}

    def of(self, way: Sequence[Place]) -> int | None:
        """None where the class may not go."""
        here = way[-1] if way else self._start
        if here not in self._known:
            before, spent = way[-2] if len(way) > 1 else self._start, self.of(way[:-1])
            step = self.step(before, here)
            self._known[here] = None if spent is None or step is None else spent + step
        return self._known[here]

    def _out(self, here: Place) -> tuple[Edge, ...]:
        edges = (*self._edges[here], *self._opened.get(here, ()))
        return edges + tuple(self._first.get(here, ())) if here == self._start else edges

    def next_to(self, here: Place) -> list[Place]:
        """The places one step away."""
        return list(dict.fromkeys(n for n, _, _ in self._out(here)))

    def step(self, here: Place, n: Place) -> int | None:
        """What one step costs; None where the class may not take it."""
        edges = self._out(here)
        return min((c for m, c, side in edges if m == n and not self._barred[side % 6] >> here & 1), default=None)


def flight_bans(g: Board, side: Side) -> Bits:
    """13.3.2 Units in Full Retreat enter no EZOC without steady friends, and no City the enemy controls."""
    return enemy_zoc(g, side) & ~g.sets[STEADY + side] | g.ground.city & g.control_hexes[1 - side]


class _Hops(Reach):
    """Tactical Movement of one class: at most two hexes, each remembering where it was entered from."""

    def __init__(self, start: Place, first: dict[Hex, int], second: dict[Hex, Hex]) -> None:
        self.start, self.first, self.over = start, first, {}
        self._second = second
        one = two = 0
        for h in first:
            one |= 1 << h
        for h in second:
            two |= 1 << h
        self.low, self.levels = 0, [0, one, two]
        self.hexes = one | two

    def path(self, h: Hex) -> tuple[Hex, ...]:
        return (h,) if h in self.first else (self._second[h], h)


def hops(
    costs: Costs, start: Place, left: int, enter: Bits, first: Bits, f: Field, more: dict[Hex, list[Edge]]
) -> _Hops:
    """5.4 One or two hexes; an EZOC ends the move."""
    near: dict[Hex, int] = {}
    far: dict[Hex, Hex] = {}
    if left > 0:
        for n, _, side in (*costs.edges[start], *costs.first.get(start, ()), *more.get(start, ())):
            if first >> n & 1 and not f.barred[side % 6] >> start & 1:
                near[n] = 1
    for h in near if left > 1 else ():
        if f.zone >> h & 1:
            continue
        for n, _, side in (*costs.edges[h], *more.get(h, ())):
            if n not in near and n not in far and n != start and enter >> n & 1 and not f.barred[side % 6] >> h & 1:
                far[n] = h
    return _Hops(start, near, far)


@fact(NOW)
def _short(g: Board, group: Group) -> Reach:
    """5.4 Tactical Movement: hexes instead of Movement Points."""
    f = field(g, g.forces.side[group.units[0]])
    enter, who = _open_to(g, group._replace(extended=False), f), seekers(g, group)
    left = min(tactical_hexes(g, u) for u in group.units) - group.hexes
    if contested := g.sets[COMBAT] & g.sets[COMBAT + 1]:
        enter = tactical_enter(g, group, contested, enter)
    first = enter if g.map.is_hex(group.place) else enter & ~f.shut & entry_hexes(g, group.place)
    lists = [s.ways.tactical_later if group.hexes else s.ways.tactical for s in who]
    more = [opened(g, group, s.ways, left, normal=False) for s in who]
    if len(who) == 1:
        return hops(lists[0], group.place, left, enter, first, f, more[0])
    near = [hops(costs, group.place, min(left, 1), enter, first, f, x) for costs, x in zip(lists, more, strict=True)]
    one = {h: 1 for h in near[0].first if all(h in r.first for r in near)}
    two: dict[Hex, Hex] = {}
    for h in one if left > 1 else ():
        if not f.zone >> h & 1:
            on = [hops(s.ways.tactical_later, h, 1, enter, enter, f, x).first for s, x in zip(who, more, strict=True)]
            two = {n: h for n in on[0] if all(n in r for r in on) and n not in one and n != group.place} | two
    return _Hops(group.place, one, two)


def tactical_enter(g: Board, group: Group, contested: Bits, enter: Bits) -> Bits:
    """29.1.2 A Contested City hex is entered by Tactical Movement; leaving one leads into no EZOC without friends."""
    enter |= contested
    if g.map.is_hex(group.place) and is_contested(g, group.place):
        side = g.forces.side[group.units[0]]
        enter &= ~(enemy_zoc(g, side) & ~g.sets[COMBAT + side])
    return enter


def opened(g: Board, group: Group, w: Ways, most: int, *, normal: bool) -> dict[Hex, list[Edge]]:
    """5.5.5 Pontoon Bridges: friendly Combat Units on both banks, one of which may be the mover; and the Flotilla.
    Only those that a group may come to which moves so many hexes at most."""
    side = g.forces.side[group.units[0]]
    friends = g.sets[COMBAT + side]
    found: dict[Hex, list[Edge]] = {}
    banks = w.banks & friends
    if banks:
        banks &= vicinity(g, group.place, max(most, 0) // RINGS * RINGS + RINGS)
    if banks:
        fighters = any(g.forces.combat[u] for u in group.units)
        near = -1 if fighters else friends
        for n in members(banks):
            for a, one, two in w.into[n]:
                if near >> a & 1:
                    edge = one if normal else two
                    if a in found:
                        found[a].append(edge)
                    else:
                        found[a] = [edge]
    if g.flotilla and side == SOVIET:
        u = next((v for v in group.units if ways_of(g, v) is w), group.units[0])
        for a, n, hexside in flotilla_steps(g):
            cost = price_at_flotilla(g, u, n)
            if cost is not None:
                found.setdefault(a, []).append((n, cost.total if normal else 1, hexside))
    return found


def vicinity(g: Board, place: Place, radius: int) -> Bits:
    """The hexes within a distance of a place; all of the map for an Entry Area."""
    if not g.map.is_hex(place):
        return g.map.grid.all
    return _around(g, place, radius)


@fact(FOREVER)
def _around(g: Board, h: Hex, radius: int) -> Bits:
    return within(g.map.grid, 1 << h, radius)


def flotilla_steps(g: Board) -> list[tuple[Hex, Hex, int]]:
    """5.5.3 The two steps over the Flotilla's hexside: from, to, hexside."""
    here = g.flotilla - 1
    return [(s // 6, g.map.grid.neighbours[s // 6][s % 6], s) for s in (here, g.map.grid.flip(here))]


def areas_of(g: Board, group: Group, mode: int) -> dict[Place, Place]:
    """22.3.1 Entry Areas within reach of a kind of movement, and the hex left: 1 MP from a hex next to them, or one hex
    of Tactical Movement."""
    found: dict[Place, Place] = {}
    r = short_of(g, group) if mode == TACTICAL else march_of(g, group)
    if r is None or not g.map.is_hex(group.place):
        return found
    near = r.hexes | 1 << group.place
    side = g.forces.side[group.units[0]]
    f = field(g, side)
    if mode == TACTICAL:
        left, first = min(tactical_hexes(g, u) for u in group.units) - group.hexes - 1, 0
    else:
        who = seekers(g, group)
        left = min(s.budget for s in who) - g.charts.constant("entry_area_cost") * POINT
        first = max(s.exit for s in who)
    open_ = near & ~f.shut
    for place, edge in g.ground.land_edges:
        if edge & open_ and may_enter_area(g, side, place):
            last = _last_hex(r, edge & ~f.shut, f.zone, left, first)
            if last is not None:
                found[place] = last
    return found


def _last_hex(r: Reach, edge: Bits, zone: Bits, left: int, first: int) -> Place | None:
    """The cheapest hex at the edge from which the rest of the allowance leads off the map."""
    if edge >> r.start & 1:
        return r.start if first <= left else None
    for here in r.at[: max(left, -1) + 1]:
        if open_ := here & edge & ~zone:
            return members(open_)[0]
    return None
