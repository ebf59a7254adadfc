"""12.1.3, 12.2 Where units can retreat to: all ways at once as hex sets, then the guidelines in their order.

A walk from the battle hex is kept as two sets per step: hexes entered in safety, and hexes entered in an EZOC that no
friend negates (`lone`), of which no two may follow each other and none may be the last. A walk of n steps that ends n
hexes away has never turned back, so only bent retreats (reading A03) need a look at single paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Grid, Hex
from kessel.core.hexset import bits, members, spread
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, RETREATED, STEADY
from kessel.games.stalingrad42.combat.strength.fortifications import shelters
from kessel.games.stalingrad42.movement.entering import alert
from kessel.games.stalingrad42.movement.ways.crossings import next_to, passable
from kessel.games.stalingrad42.movement.ways.reach import field, flight_bans
from kessel.games.stalingrad42.movement.ways.zones import Bonds, enemy_bonds, enemy_zoc, zoc_exerters
from kessel.games.stalingrad42.supply.supply import source_edges, supply, trace, why_not_use_area
from kessel.wargame.board import other

FULL, AREA, EXTRA, STOP, PAID, BENT = "full", "entry area", "extra hex", "city or fort", "paid", "bent"
KINDS = (FULL, AREA, EXTRA, STOP, PAID, BENT)
"""How an end satisfies the guidelines, the plainest first."""


class Flight(NamedTuple):
    """One retreat: who leaves which hex, and how far."""

    side: Side
    battle: Hex
    lengths: tuple[int, ...]
    """The lengths to choose from: (2,), or (1, 2) for a Delay (11.6.1) and a Disengagement (27.2.3)."""
    leaving: tuple[Unit, ...] = ()
    """All units still to retreat from the hex."""
    shun: bool = False
    """27.2.3 No EZOC may be entered unless a friendly unit is there."""
    full: bool = False
    """The units are in Full Retreat, or go into it."""


class End(NamedTuple):
    place: Place
    kind: str
    path: tuple[Place, ...]
    pay: int
    """12.1.3 #4 Steps to be lost for it by the units that go there together."""
    los: bool


# --- what retreating units meet --------------------------------------------------------------------------------------


class Country(NamedTuple):
    enter: Bits
    """No enemy Combat Unit, no enemy Hex Bond."""
    lone: Bits
    """EZOCs that no friendly unit negates (12.2)."""
    friends: Bits
    """Hexes with friendly Combat Units: they make Pontoon Bridges and negate bonds."""
    held: Bits
    """Hexes with friendly Combat Units that have not retreated in this phase."""
    stops: Bits
    """12.1.3 #5 Friendly controlled Cities and Forts."""
    bonds: Bonds


@fact(NOW)
def country(g: Board, flight: Flight) -> Country:
    side, battle = flight.side, flight.battle
    enemy = other(side)
    friends = g.sets[COMBAT + side]
    bonds = enemy_bonds(g, side)
    held = unretreated(g, side) & ~(1 << battle)
    negating = friends if g.reads("retreated_friends") == "occupied" else held
    if g.reads("fr_negates") == "no":
        negating &= g.sets[STEADY + side]
    zone = enemy_zoc(g, side)
    enter = g.ground.playable & ~(g.sets[COMBAT + enemy] & ~friends) & ~bonds.hexes & ~(1 << battle)
    if flight.shun:
        enter &= ~(zone & ~friends)
    if flight.full and g.reads("fr_retreat_bans") == "also_retreat":
        enter &= ~flight_bans(g, side)  # 13.3.2; as played, these bans hold for movement alone
    stops = g.ground.city & g.control_hexes[side] | shelters(g, side)
    return Country(enter, zone & ~negating, friends, held, stops & ~g.sets[COMBAT + enemy], bonds)


@fact(NOW)
def unretreated(g: Board, side: Side) -> Bits:
    """12.2 Hexes with friendly Combat Units that have not retreated in the current phase."""
    status, place, combat = g.status, g.place, g.forces.combat
    gone = [u for u in g.marked_with(side, RETREATED) if combat[u] and place[u] != NOWHERE]
    found = g.sets[COMBAT + side]
    for h in {place[u] for u in gone}:
        if g.map.is_hex(h) and not any(
            combat[u] and g.forces.side[u] == side and not status[u] & RETREATED for u in g.units(h)
        ):
            found &= ~(1 << h)
    return found


def open_sides(g: Board, u: Unit, c: Country) -> tuple[Bits, ...]:
    """The hexsides a unit survives crossing: bridged or frozen Major Rivers, no Volga, no bond (12.2).

    Where a friend stands beyond, a Pontoon Bridge (5.5.5) spans the river, and the two negate a Hexside Bond (7.3).
    """
    p = passable(g, u)
    found = []
    for d in range(6):
        beyond = next_to(g, c.friends, d)
        found.append((p.land[d] | p.river[d] & beyond) & ~(c.bonds.sides[d] & ~beyond))
    return tuple(found)


@fact(FOREVER)
def rings(g: Board, h: Hex) -> list[Bits]:
    """The hexes at distance 0, 1, 2, ... of a hex."""
    found, seen, edge = [1 << h], 1 << h, 1 << h
    for _ in range(6):
        edge = spread(g.map.grid, edge) & ~seen
        seen |= edge
        found.append(edge)
    return found


def step_through(grid: Grid, s: Bits, sides: tuple[Bits, ...]) -> Bits:
    """All neighbours reached over open hexsides."""
    out = 0
    for d, o in enumerate(grid.offsets):
        go = s & sides[d]
        if go:
            out |= go << o if o > 0 else go >> -o
    return out & grid.all


class Walk(NamedTuple):
    """All walks that do not kill, by number of steps."""

    sides: tuple[Bits, ...]
    safe: list[Bits]
    risky: list[Bits]
    """Hexes entered in a lone EZOC."""


def walk(g: Board, u: Unit, c: Country, battle: Hex, steps: int) -> Walk:
    grid, sides = g.map.grid, open_sides(g, u, c)
    safe, risky = [1 << battle], [0]
    for _ in range(steps):
        out = step_through(grid, safe[-1], sides) & c.enter
        more = step_through(grid, risky[-1], sides) & c.enter if risky[-1] else 0
        safe.append((out | more) & ~c.lone)
        risky.append(out & c.lone)
    return Walk(sides, safe, risky)


# --- ends ------------------------------------------------------------------------------------------------------------


class Raw(NamedTuple):
    """An end before its path is known."""

    place: Place
    kind: str
    steps: int
    pay: int


def ends_of(g: Board, u: Unit, flight: Flight, purse: int) -> tuple[End, ...]:
    """12.1.3 The ends a unit may choose now; none: it is eliminated. `purse`: steps it may spend on paying."""
    f = g.forces
    known, key = _memo_of_ends(g, flight), (f.mech[u], f.mountain[u], f.combat[u], min(purse, max(flight.lengths)))
    if key not in known:
        known[key] = _guided(g, u, flight, purse)
    return known[key]


@fact(NOW)
def _memo_of_ends(g: Board, flight: Flight) -> dict[tuple[int, ...], tuple[End, ...]]:
    """By class of unit and the steps it may spend."""
    return {}


def can_survive(g: Board, u: Unit, flight: Flight, purse: int) -> bool:
    """Whether a unit has any end at all."""
    c = country(g, flight)
    w = walk(g, u, c, flight.battle, max(flight.lengths) + 1)
    for n in flight.lengths:
        if next(_proper(g, flight, c, w, n, purse), None) is not None:
            return True
    return g.reads("retreat_bends") == "yes" and bool(_bent(g, flight, c, w))


def has_to_pay(g: Board, u: Unit, flight: Flight) -> bool:
    """Whether a unit has no end free of charge: it pays for one (12.1.3 #4), with others or alone, or is eliminated."""
    purse = g.steps[u] - 1
    if not can_survive(g, u, flight, purse):
        return True
    c = country(g, flight)
    w = walk(g, u, c, flight.battle, max(flight.lengths) + 1)
    if not purse or not any(raw.pay for n in flight.lengths for raw in _proper(g, flight, c, w, n, purse)):
        return False
    return all(e.pay for e in ends_of(g, u, flight, purse))


def _guided(g: Board, u: Unit, flight: Flight, purse: int) -> tuple[End, ...]:
    c = country(g, flight)
    w = walk(g, u, c, flight.battle, max(flight.lengths) + 1)
    proper: dict[Place, Raw] = {}
    for n in flight.lengths:
        for raw in _proper(g, flight, c, w, n, purse):
            known = proper.get(raw.place)
            if known is None or _plainer(raw, known):
                proper[raw.place] = raw
    if g.reads("extra_hex") == "last_resort" and any(r.kind in (FULL, AREA) for r in proper.values()):
        proper = {p: r for p, r in proper.items() if r.kind != EXTRA}
    lines = _supplied(g, flight)
    found = []
    for raw in _by_supply(g, flight, c, w, list(proper.values()), lines):
        los = bool(lines >> raw.place & 1)
        for path in _ways(g, flight, c, w, raw):
            found.append(End(raw.place, raw.kind, path, raw.pay, los))
    return tuple(found)


def _plainer(a: Raw, b: Raw) -> bool:
    return (a.pay, KINDS.index(a.kind), a.steps) < (b.pay, KINDS.index(b.kind), b.steps)


def _by_supply(g: Board, flight: Flight, c: Country, w: Walk, proper: list[Raw], lines: Bits) -> list[Raw]:
    """12.1.3 #2: ends with a LOS if there are any, bent ones included; then #3: those that satisfy the distance."""
    good = [r for r in proper if lines >> r.place & 1]
    if g.reads("optional_forces") == "no" and not any(r.kind in (FULL, AREA, EXTRA) for r in good):
        plain = [r for r in proper if r.kind in (FULL, AREA, EXTRA)]
        good = [*good, *plain] if plain else good
    if good:
        return good
    bent = _bent(g, flight, c, w) if g.reads("retreat_bends") == "yes" else []
    good = [r for r in bent if lines >> r.place & 1]
    return good or proper or bent


def _proper(g: Board, flight: Flight, c: Country, w: Walk, n: int, purse: int) -> Iterator[Raw]:
    """Ends that satisfy guideline 3: the whole distance, an Entry Area, a paid retreat, a City or Fort."""
    ring = rings(g, flight.battle)
    for h in members(w.safe[n] & ring[n]):
        yield Raw(h, FULL, n, 0)
    yield from _areas(g, flight, w, n)
    if w.risky[n]:
        beyond = step_through(g.map.grid, w.risky[n], w.sides) & c.enter & ~c.lone
        near = g.reads("extra_near") == "yes"
        for h in members(beyond if near else beyond & (ring[n] | ring[n + 1])):
            raw = Raw(h, EXTRA, n + 1, 0)
            if not near or next(_ways(g, flight, c, w, raw), None) is not None:
                yield raw
    for m in range(1, n + 1):
        if w.safe[m] & c.stops:
            for h in members(w.safe[m] & c.stops):
                yield Raw(h, STOP, m, 0)
        if m < n and n - m <= purse and w.safe[m] & c.held:
            paid = w.safe[m] & c.held
            for h in members(paid & ring[m] if g.reads("pay_bent") == "exact" else paid):
                yield Raw(h, PAID, m, n - m)


def _areas(g: Board, flight: Flight, w: Walk, n: int) -> Iterator[Raw]:
    """12.2, 22.5 A friendly Entry Area fulfils the number of hexes; not across a bond at the map edge (22.3.2). As the
    one more hex that saves a unit only by the reading `extra_area`."""
    extra = w.risky[n] if g.reads("extra_area") == "yes" else 0
    if not any((w.safe[k] | w.risky[k]) & g.friendly_edges[flight.side] for k in range(n)) and not extra:
        return
    for place in g.ground.entry_boxes:
        if (
            g.box_side(place) != flight.side
            or g.map.box(place).kind != "entry"
            or why_not_use_area(g, place, flight.side)
        ):
            continue
        edge = g.map.box(place).hexes & ~field(g, flight.side).shut
        for k in range(n):
            if (w.safe[k] | w.risky[k]) & edge:
                yield Raw(place, AREA, k + 1, 0)
                break
        else:
            if extra & edge:
                yield Raw(place, EXTRA, n + 1, 0)


def _bent(g: Board, flight: Flight, c: Country, w: Walk) -> list[Raw]:
    """Reading A03: the number of hexes moved, but the end nearer than that."""
    found: dict[Place, Raw] = {}
    for n in flight.lengths:
        ring = rings(g, flight.battle)
        for h in members(w.safe[n] & ~ring[n]):
            raw = Raw(h, BENT, n, 0)
            if h not in found and next(_ways(g, flight, c, w, raw), None) is not None:
                found[h] = raw
    return list(found.values())


def has_los(g: Board, flight: Flight, place: Place) -> bool:
    """12.1.3 #2 Whether a Line of Supply leads from there, all other units as they stand (reading A75)."""
    return bool(_supplied(g, flight) >> place & 1)


def _supplied(g: Board, flight: Flight) -> Bits:
    """The places with a Line of Supply once the retreating units have left the battle hex."""
    return _supplied_once(g, flight.side, flight.battle, flight.leaving)


@fact(NOW)
def _supplied_once(g: Board, side: Side, battle: Hex, leaving: tuple[Unit, ...]) -> Bits:
    if any(g.forces.side[u] == side and u not in leaving for u in g.units(battle)):
        h = g.copy()
        for u in leaving:
            if h.place[u] == battle:
                h.move(u, NOWHERE)
    else:
        h = g.without(battle, side)
    found = supply(h, side).starts
    found |= source_edges(h, side) & ~trace(h, side).shut  # a City of the enemy there is one no more
    for place in g.ground.entry_boxes:
        if g.box_side(place) == side:
            found |= 1 << place
    return found


# --- paths -----------------------------------------------------------------------------------------------------------


def _ways(g: Board, flight: Flight, c: Country, w: Walk, raw: Raw) -> Iterator[tuple[Place, ...]]:
    """One path to an end; several where they pass different hexes in which something follows."""
    if not g.map.is_hex(raw.place):
        edge = g.map.box(raw.place).hexes & ~field(g, flight.side).shut
        last = w.risky[raw.steps - 1] | (w.safe[raw.steps - 1] if raw.kind != EXTRA else 0)
        for h in members(last & edge):
            if raw.steps == 1:
                yield (raw.place,)
                return
            for path in _routes(g, flight, c, w, h, raw.steps - 1, last_risky=None):
                yield (*path, raw.place)
                return
        return
    watch = _watched(g, flight, w)
    if not watch and raw.kind != BENT and (path := _straight(g, w, raw)):
        yield path
        return
    seen: set[Bits] = set()
    for path in _routes(g, flight, c, w, raw.place, raw.steps, last_risky=raw.kind == EXTRA):
        mark = bits(path[:-1]) & watch
        if mark not in seen:
            seen.add(mark)
            yield path
        if not watch:
            return


def _watched(g: Board, flight: Flight, w: Walk) -> Bits:
    """The hexes on the way in which something follows when they are entered."""
    known = _memo_of_watched(g)
    if flight not in known:
        passed = 0
        for k in range(1, len(w.safe) - 1):
            passed |= w.safe[k] | w.risky[k]
        known[flight] = passed & alert(g, flight.side)
    return known[flight]


@fact(NOW)
def _memo_of_watched(g: Board) -> dict[Flight, Bits]:
    return {}


def _straight(g: Board, w: Walk, raw: Raw) -> tuple[Hex, ...]:
    """A path found backward from its end; () where it would enter a hex twice."""
    grid, here, way = g.map.grid, raw.place, [raw.place]
    risky = False
    for k in range(raw.steps - 1, 0, -1):
        before = w.risky[k] if raw.kind == EXTRA and k == raw.steps - 1 else w.safe[k] | (0 if risky else w.risky[k])
        for d, n in enumerate(grid.neighbours[here]):
            if n != NO_HEX and before >> n & 1 and w.sides[(d + 3) % 6] >> n & 1 and n not in way:
                break
        else:
            return ()
        here = n
        risky = not w.safe[k] >> n & 1
        way.append(here)
    return tuple(reversed(way))


def _routes(
    g: Board, flight: Flight, c: Country, w: Walk, end: Hex, steps: int, *, last_risky: bool | None
) -> Iterator[tuple[Hex, ...]]:
    """Paths of exactly so many steps that do not kill. `last_risky`: whether the hex before the end is a lone EZOC
    (the extra hex of 12.2); None where the end itself may be one."""
    grid, again = g.map.grid, g.reads("retreat_revisit") == "yes"

    def go(path: tuple[Hex, ...], here: Hex, came_risky: bool) -> Iterator[tuple[Hex, ...]]:
        k = len(path) + 1
        for d, n in enumerate(grid.neighbours[here]):
            if n == NO_HEX or not w.sides[d] >> here & 1 or grid.distance(n, end) > steps - k:
                continue
            risky = w.risky[k] >> n & 1 and not came_risky and c.lone >> n & 1
            if not (risky or (w.safe[k] >> n & 1)) or (n in path and not again):
                continue
            if k == steps:
                if risky and last_risky is not None:
                    continue
                yield (*path, n)
            elif not (last_risky and k == steps - 1 and not risky):
                yield from go((*path, n), n, bool(risky))

    yield from go((), flight.battle, False)


# --- why not ---------------------------------------------------------------------------------------------------------


def why_not_survive_step(
    g: Board, u: Unit, flight: Flight, here: Hex, n: Place, came_risky: bool = False
) -> Refusal | None:
    """12.2 Why a unit that retreats from a hex into the next is eliminated; None if that step does not kill it."""
    side = flight.side
    if n == NO_HEX:
        return Refusal("12.2", "it would retreat off the map")
    if not g.map.is_hex(n):
        if g.box_side(n) != side or why_not_use_area(g, n, side):
            return Refusal("22.5", f"{g.where(n)} is not a friendly Entry Area")
        return None
    c = country(g, flight)
    d, where, name = g.map.grid.direction(here, n), g.hex_name(n), g.name(u)
    if c.bonds.hexes >> n & 1:
        return Refusal("12.2", f"{where} lies in an enemy Hex Bond")
    if g.sets[COMBAT + other(side)] >> n & 1 and not c.friends >> n & 1:
        return Refusal("12.2", f"an enemy unit is in {where}")
    beyond = c.friends >> n & 1
    hexside = g.map.grid.between(here * 6 + d)
    if c.bonds.sides[d] >> here & 1 and not beyond:
        return Refusal("12.2", f"the hexside {hexside} lies in an enemy Hexside Bond")
    p = passable(g, u)
    if g.ground.volga[d] >> here & 1:
        return Refusal("12.2", f"{name} would retreat across the Volga")
    if p.river[d] >> here & 1 and not beyond:
        return Refusal("12.2", f"an unbridged Major River flows {hexside}")
    if not (p.land[d] | p.river[d]) >> here & 1:
        return Refusal("12.2", f"{name} may not enter {where} over the side {hexside} in the Movement Phase")
    if flight.shun and not c.enter >> n & 1:
        return Refusal("27.2.3", f"{where} is in an EZOC and holds no friendly unit")
    if came_risky and c.lone >> n & 1:
        return Refusal("12.2", f"{where} would be the second vacant hex in an EZOC in a row")
    return None


def why_not_end(g: Board, u: Unit, flight: Flight, purse: int, path: tuple[Place, ...]) -> Refusal | None:
    """Why a unit may not retreat along a path; None if it may."""
    ends = ends_of(g, u, flight, purse)
    if any(e.path == path for e in ends):
        return None
    if not path:
        return Refusal("12.1.1", "a retreat leads out of the hex")
    here, risky = flight.battle, False
    c = country(g, flight)
    for n in path:
        if g.map.is_hex(n) and (not g.map.is_hex(here) or not g.map.grid.adjacent(here, n)):
            return Refusal("12.1.1", f"{g.where(n)} is not next to {g.where(here)}")
        if why := why_not_survive_step(g, u, flight, here, n, risky):
            return why
        here, risky = n, g.map.is_hex(n) and bool(c.lone >> n & 1) and not risky
    if risky:
        return Refusal("12.2", f"{g.where(here)} is in an EZOC and would be the last hex of the retreat")
    if any(e.place == here for e in ends):
        return Refusal("12.1.1", f"another way leads to {g.where(here)}; the listed one serves")
    return _why_not_guideline(g, flight, here, ends, len(path))


def _why_not_guideline(g: Board, flight: Flight, end: Place, ends: tuple[End, ...], steps: int) -> Refusal:
    name = g.place_name(end)
    if ends and all(e.los for e in ends) and not has_los(g, flight, end):
        return Refusal("12.1.3", f"a hex with a Line of Supply must be chosen before {name}")
    if g.map.is_hex(end) and g.map.grid.distance(flight.battle, end) not in flight.lengths:
        far = " or ".join(map(str, flight.lengths))
        return Refusal("12.1.3", f"{name} is not {far} hexes away from the battle hex")
    return Refusal("12.1.1", f"a retreat of {steps} hexes is not what the result says")


def explain_death(g: Board, u: Unit, flight: Flight) -> list[dict[str, str]]:
    """What kills a unit in every direction: one line per way out of the hex."""
    c = country(g, flight)
    found = []
    places: list[Place] = [n for n in g.map.grid.neighbours[flight.battle] if n != NO_HEX]
    places += [p for p in g.ground.entry_boxes if g.map.box(p).hexes >> flight.battle & 1]
    for n in places:
        why = why_not_survive_step(g, u, flight, flight.battle, n)
        if why is None:
            text = "every way on from there is closed"
            if g.map.is_hex(n) and c.lone >> n & 1:
                who = [g.name(v) for v in zoc_exerters(g, n, other(flight.side))]
                text = f"the way on is closed; {' and '.join(who)} exert{'s' if len(who) == 1 else ''} a ZOC"
            why = Refusal("12.2", text)
        found.append({"to": g.place_name(n), **why.as_json()})
    return found
