"""16.1-16.4 Supply: sources and Lines of Supply.

A Line of Supply is found from the sources outward for a whole side at once: first the road hexes that lead home (the
Road Portion), then the hexes within five of them (the Overland Portion). `line_of_supply` follows the layers back from
a hex and gives the path.
"""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, GAME, LAST, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import Sides, bits, flood_links, members, shift, spread_along, spread_through
from kessel.games.stalingrad42.board import POSITION, Board
from kessel.games.stalingrad42.columns import COMBAT, PRESENT, STEADY
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.zones import Bonds, enemy_bonds, enemy_zoc, shut_edges
from kessel.wargame.board import other

AZOV, BLACK_SEA = "azov", "black"

UNLIMITED = 1 << 12
"""An Overland Portion of any length (16.5.1)."""


@dataclass(slots=True)
class Trace:
    """What a side's Lines of Supply may use at this instant (16.3)."""

    side: Side
    enter: Bits
    """Hexes a line may enter: no enemy Combat Unit, no enemy Hex Bond, no vacant City or VP hex of the enemy."""
    zone: Bits
    """EZOCs that no friendly unit negates: two in a row may not be entered, on roads none."""
    road_enter: Bits
    """Hexes the Road Portion may enter."""
    walls: tuple[Bits, ...]
    """Hexsides the Overland Portion may not cross, by direction from either hex."""
    roads: tuple[Bits, ...]
    """Roads the line may follow, ferries between roads included."""
    heavy: Bits
    """Mountain and Marsh: two hexes unless entered along a road."""
    shut: Bits
    """Hexes from which an enemy bond at the map's edge keeps a line from an Entry Area (7.2, 22.3.2)."""


def negators(g: Board, side: Side) -> Bits:
    """Hexes whose EZOC friendly units negate for supply (16.3.2); switch fr_negates leaves out Full Retreat."""
    return g.sets[(COMBAT if g.reads("fr_negates") == "yes" else STEADY) + side]


@fact(POSITION)
def trace(g: Board, side: Side) -> Trace:
    sets, ground = g.sets, g.ground
    zone = enemy_zoc(g, side) & ~negators(g, side)
    held = g.control_hexes[other(side)] & (ground.city | ground.vp_hexes) & ~sets[PRESENT + side]
    bonds, roads = enemy_bonds(g, side), flotilla_roads(g, side)
    return _trace(g, side, zone, held, sets[COMBAT + other(side)], bonds, roads, g.marsh, g.winter)


@fact(LAST)
def _trace(
    g: Board, side: Side, zone: Bits, held: Bits, enemies: Bits, bonds: Bonds, ways: Sides, wet: int, winter: bool
) -> Trace:
    """Mostly the one before: few moves of units change what lines may use."""
    ground = g.ground
    enter = ground.playable & ~enemies & ~bonds.hexes
    road_enter = enter & ~zone & ~(held & ground.city)
    if g.reads("los_control") == "both_legs":
        enter &= ~held
        road_enter &= enter
    walls = tuple([a | b for a, b in zip(_walls(g, winter), bonds.sides, strict=True)])
    roads = tuple([r & ~w for r, w in zip(ways, walls, strict=True)])
    marsh = ground.marsh | (ground.seasonal if wet else 0)
    return Trace(side, enter, zone, road_enter, walls, roads, ground.mountain | marsh, shut_edges(g, bonds))


@fact(GAME)
def _walls(g: Board, winter: bool) -> Sides:
    """16.3.2 Hexsides no Overland Portion crosses: impassable ones, Alpine ones off a road, the Volga if so read."""
    ground, season = g.ground, g.ground.seasons[winter]
    six = [a | b & ~r for a, b, r in zip(season.impassable, season.alpine, ground.any_road, strict=True)]
    if g.reads("los_over_volga") == "no":
        six = [a | b for a, b in zip(six, ground.volga, strict=True)]
    return tuple(six)


@fact(FOREVER)
def supply_roads(g: Board) -> Sides:
    """16.3.3 Roads, and Ferries at which roads meet."""
    ground, grid = g.ground, g.map.grid
    six = []
    for d in range(6):
        meeting = ground.ferry[d] & ground.on_road & shift(grid, ground.on_road, (d + 3) % 6)
        six.append(ground.any_road[d] | meeting)
    return tuple(six)


def flotilla_roads(g: Board, side: Side) -> Sides:
    """The same for a side: the Volga Flotilla is a Ferry of the Soviets (5.5.3)."""
    six = supply_roads(g)
    if side != SOVIET or not g.flotilla:
        return six
    h, d = divmod(g.flotilla - 1, 6)
    n, on = g.map.grid.neighbours[h][d], g.ground.on_road
    if not on >> h & on >> n & 1:
        return six
    meeting = {d: 1 << h, (d + 3) % 6: 1 << n}
    return tuple(r | meeting.get(i, 0) for i, r in enumerate(six))


# --- 16.2 Supply Sources -------------------------------------------------------------------------------------------


def why_not_use_area(g: Board, place: Place, side: Side | None = None) -> Refusal | None:
    """23.4 Entry Area K is no longer usable in Winter; 24.1.3 nor is G for the Soviets while Axis units are there."""
    if g.map.is_hex(place):
        return None
    box = g.map.box(place)
    if g.winter and g.turn >= box.facts.get("closes", g.winter_turn if box.id == "K" else g.turn + 1):
        return Refusal("23.4", f"Entry Area {box.id} is closed in Winter")
    if side == SOVIET and box.id == "G" and any(g.forces.side[u] == AXIS for u in g.units(place)):
        return Refusal("24.1.3", "Axis units are in Entry Area G")
    return None


@fact(FOREVER)
def baku_area(g: Board) -> Place:
    """Entry Area G, which leads to the oil fields; NOWHERE where the board has none."""
    return next((p for p in g.ground.land_boxes if g.map.box(p).id == "G"), NOWHERE)


def is_baku_shut(g: Board, side: Side) -> bool:
    """24.1.3 Whether Axis units keep the Soviets from using Entry Area G."""
    area = baku_area(g)
    return side == SOVIET and area != NOWHERE and why_not_use_area(g, area, side) is not None


@fact(POSITION)
def usable_areas(g: Board, side: Side) -> list[Place]:
    """23.4, 24.1.3 Friendly Entry Areas that may be used."""
    return [p for p in g.ground.area_boxes if g.box_side(p) == side and why_not_use_area(g, p, side) is None]


def source_areas(g: Board, side: Side) -> list[Place]:
    """16.2.2 Those among them from which supply comes over land."""
    return [p for p in g.ground.land_boxes if p in usable_areas(g, side)]


def source_edges(g: Board, side: Side) -> Bits:
    """The hexes next to friendly Entry Areas, where a scenario does not say otherwise (S2.2)."""
    return _edges_of(g, side, g.winter and g.turn, is_baku_shut(g, side))


@fact(LAST)
def _edges_of(g: Board, side: Side, winter_turn: int, baku_shut: bool) -> Bits:
    found = 0
    for p in source_areas(g, side):
        found |= g.map.box(p).hexes & g.scenario.supply_hexes(g.map, p)
    return found


def has_control_of_sea(g: Board, side: Side, sea: str) -> bool:
    """16.2.3 The Soviets always control the Black Sea; 16.2.4 whoever holds Temryuk with a Line of Supply the Sea of
    Azov. That line may not itself end in an Azov port (reading A33)."""
    if sea == BLACK_SEA:
        return side == SOVIET
    base = g.map.grid.find(g.charts.hex("temryuk"))
    if base == NO_HEX or g.controller(base) != side:
        return False
    if g.reads("azov_ports") == "any" and g.ground.on_road >> base & 1:
        return True  # Temryuk is an Azov port itself
    return bool(supply(g, side, azov=False).starts >> base & 1)


def source_ports(g: Board, side: Side, *, azov: bool = True) -> Bits:
    """16.2.3-16.2.5 Ports that are Supply Sources; Taman for the Axis alone."""
    if not g.ground.port:
        return 0
    taman, azov_ports, black_sea_ports = _ports(g)
    found = taman & g.control_hexes[AXIS] if side == AXIS else black_sea_ports & ~g.control_hexes[AXIS]
    if azov and _azov(g, side):
        found |= azov_ports & ~g.control_hexes[other(side)]
    return found


@fact(GAME)
def _ports(g: Board) -> tuple[Bits, Bits, Bits]:
    """Taman, the other ports of the Sea of Azov, and those of the Black Sea."""
    port, base = g.ground.port, g.map.grid.find(g.charts.hex("taman"))
    taman = port & 1 << base if base != NO_HEX else 0
    azov = bits(h for h in members(port & ~taman) if g.map.sea.get(h) == AZOV)
    return taman, azov, port & ~taman & ~azov


@fact(POSITION)
def _azov(g: Board, side: Side) -> bool:
    return has_control_of_sea(g, side, AZOV)


# --- 16.3 Lines of Supply ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Supply:
    """The Lines of Supply of one side."""

    trace: Trace
    sources: Bits
    """Where the Road Portion may end."""
    heads: Bits
    """Road hexes from which the Road Portion leads to a source."""
    areas: Bits
    """Hexes next to a friendly Entry Area: the Overland Portion may end there (16.3.2)."""
    layers: list[Bits]
    """`layers[k]`: hexes a line may enter whose way on costs k."""
    ends: Bits
    """Where the Overland Portion may end."""
    limit: int
    starts: Bits
    """All hexes a line can start from."""
    shared: Bits
    """Contested City hexes at a source: a line need not enter the hex it starts from (29.1.1)."""


def supply(g: Board, side: Side, *, limit: int = 0, azov: bool = True) -> Supply:
    """Where that side has a Line of Supply now; `limit` = hexes overland, 0 as the weather allows (16.3.2, 23.2.3)."""
    return _supply(g, side, limit, azov)


@fact(POSITION)
def _supply(g: Board, side: Side, limit: int, azov: bool) -> Supply:
    t = trace(g, side)
    edges = source_edges(g, side) & ~t.shut
    sources = edges | source_ports(g, side, azov=azov)
    most = (limit or g.effects.overland) + (g.reads("first_road_hex") == "free")
    shared = g.sets[COMBAT] & g.sets[COMBAT + 1] & (edges | sources & g.ground.on_road)
    return _lines(g, (side, limit, azov), t, edges, sources, most, shared)


@fact(LAST)
def _lines(
    g: Board, of: tuple[Side, int, bool], t: Trace, edges: Bits, sources: Bits, limit: int, shared: Bits
) -> Supply:
    """The last answer where units have moved but no line has become better or worse."""
    heads = _heads(g, t, sources)
    areas = edges & t.enter
    counted = areas if g.reads("entry_counts") == "yes" else 0
    goal = heads | _heads_in_zone(g, t, heads) | _ports_in_zone(g, t, sources & ~edges) | areas & ~counted
    layers = _layers(g, t, goal, limit, also=counted)
    ends = layers[0] | counted
    starts = _starts(g, t, layers, limit) | counted | shared
    return Supply(t, sources, heads, areas, layers, ends, limit, starts, shared)


def _heads(g: Board, t: Trace, sources: Bits) -> Bits:
    """16.3.3 The Road Portion: along contiguous roads, not through enemies, EZOCs or Cities of the enemy."""
    enter = t.road_enter
    start = sources & enter & g.ground.on_road
    known = g.old.get(("heads", t.side))
    if known is not None and _still_leads(known, start, t.roads, enter):
        start |= known[3]
    found = flood_links(g.map.grid, start, t.roads, enter)
    g.old["heads", t.side] = (start & sources, t.roads, enter, found)
    return found


def _still_leads(known: tuple[Bits, Sides, Bits, Bits], start: Bits, roads: Sides, enter: Bits) -> bool:
    """Whether nothing was lost of the roads that led home a moment ago; then the search goes on from there."""
    old_start, old_roads, old_enter, heads = known
    if old_start & ~start or old_enter & ~enter & heads:
        return False
    return not any(was & ~now & heads for was, now in zip(old_roads, roads, strict=True))


def _heads_in_zone(g: Board, t: Trace, heads: Bits) -> Bits:
    """A road hex in an EZOC, entered overland, from which the road leads on to a good one (reading A30)."""
    return spread_along(g.map.grid, heads, t.roads) & t.enter & t.zone


def _ports_in_zone(g: Board, t: Trace, ports: Bits) -> Bits:
    """16.3.1 A source on a road in an EZOC, entered overland: the Road Portion is no longer than that hex."""
    return ports & g.ground.on_road & t.zone & t.enter


def _layers(g: Board, t: Trace, goal: Bits, limit: int, *, also: Bits = 0) -> list[Bits]:
    """16.3.2 The Overland Portion backward from its goal, hex by hex."""
    layers = [0] * (min(limit, UNLIMITED) + 2)
    layers[0] = goal & t.enter
    done, k = 0, 0
    while k < len(layers) - 1:
        if k == 1:
            layers[1] |= also & t.enter
        here = layers[k] & ~done
        layers[k] = here
        done |= here
        if not here and not any(layers[k + 1 : k + 3]) and k:
            break
        if k < limit:
            light, heavy = _before(g, t, here, t.zone)
            layers[k + 1] |= light & t.enter & ~done
            if k + 2 <= limit:
                layers[k + 2] |= heavy & t.enter & ~done
        k += 1
    del layers[k + 1 :]
    return layers


def _before(g: Board, t: Trace, s: Bits, zone: Bits = 0) -> tuple[Bits, Bits]:
    """The hexes from which a line may go on into s: at the cost of one hex, and of two. No step within the zone."""
    grid = g.map.grid
    one = two = 0
    for entered, origin in ((s & ~zone, grid.all), (s & zone, ~zone)):
        if not entered:
            continue
        plain = entered & ~t.heavy
        one |= spread_through(grid, plain, t.walls) & origin
        slow = entered & t.heavy
        if slow:
            one |= spread_along(grid, slow, t.roads) & origin
            two |= spread_through(grid, slow, t.walls) & origin
    return one, two & ~one


def _starts(g: Board, t: Trace, layers: list[Bits], limit: int) -> Bits:
    """All hexes a line can start from; the first hex itself need not be one a line could enter."""
    near = 0
    for here in layers[: max(limit - 1, 0)]:
        near |= here
    one, two = _before(g, t, near)
    s = layers[0] | one | two
    if 0 < limit <= len(layers):
        s |= _before(g, t, layers[limit - 1])[0]  # from there on there is no way for a slow first hex
    return s


# --- answers -------------------------------------------------------------------------------------------------------


def in_supply_hexes(g: Board, side: Side) -> Bits:
    """The hexes whose units can trace a Line of Supply now."""
    return supply(g, side).starts


def los(g: Board, u: Unit) -> bool:
    """16.3 Whether a unit can trace a Line of Supply now; units in Entry Areas always can."""
    if g.inside[u] > 0:  # in a Holding Box (34.2)
        u = g.carrier(u)
    here = g.place[u] if u != NO_UNIT else NOWHERE
    if here == NOWHERE:
        return False
    side = g.forces.side[u]
    if not g.map.is_hex(here):
        return is_area_in_supply(g, here, side)
    return bool(supply(g, side).starts >> here & 1)


def is_area_in_supply(g: Board, place: Place, side: Side) -> bool:
    """A friendly Entry Area is a source; Axis units in Area G need a road-bound line to one (24.1.2)."""
    if g.box_side(place) == side or g.map.box(place).kind != "entry":
        return True
    return bool(supply(g, side).heads & g.map.box(place).hexes)


def has_los(g: Board, h: Hex, side: Side) -> bool:
    """16.3 Whether a Line of Supply can be traced from a hex now."""
    return bool(supply(g, side).starts >> h & 1)


def is_isolated(g: Board, u: Unit) -> bool:
    """16.5.1 No Line of Supply even with an Overland Portion of unlimited length."""
    if g.inside[u] > 0:
        u = g.carrier(u)
    if u == NO_UNIT or g.place[u] == NOWHERE:
        return False
    here, side = g.place[u], g.forces.side[u]
    if not g.map.is_hex(here):
        edge = g.map.box(here).hexes & ~trace(g, side).shut
        return not (is_area_in_supply(g, here, side) or _unlimited(g, side, supply(g, side))[0] & edge)
    return not unlimited_starts(g, side) >> here & 1


def is_supplied_via(g: Board, h: Hex, side: Side, areas: tuple[str, ...]) -> bool:
    """Whether a hex has a Line of Supply to one of these Entry Areas (34.4)."""
    t = trace(g, side)
    edges = 0
    for p in source_areas(g, side):
        if g.map.box(p).id in areas:
            edges |= g.map.box(p).hexes & ~t.shut
    heads = _heads(g, t, edges)
    goal = heads | _heads_in_zone(g, t, heads) | edges & t.enter
    limit = g.effects.overland
    return bool(_starts(g, t, _layers(g, t, goal, limit), limit) >> h & 1)


def unlimited_starts(g: Board, side: Side) -> Bits:
    """16.5.1 The hexes a Line of Supply can start from if its Overland Portion may have any length."""
    return _unlimited(g, side, supply(g, side))[1]


@fact(LAST)
def _unlimited(g: Board, side: Side, s: Supply) -> tuple[Bits, Bits]:
    """The hexes such a line may enter, and those it may start from."""
    near = 0
    for here in s.layers:
        near |= here
    inner = _joined(g, s.trace, near)
    return inner, _begun(g, s.trace, near, inner) | s.shared


@fact(POSITION)
def reaching(g: Board, side: Side, goal: Bits) -> Bits:
    """16.5.4 The hexes from which an Overland Portion of unlimited length leads to one of these hexes."""
    t = trace(g, side)
    near = goal & t.enter
    return _begun(g, t, near, _joined(g, t, near))


def _joined(g: Board, t: Trace, goal: Bits) -> Bits:
    """The hexes a line of any length to the goal may enter: `_layers` without counting."""
    done = new = goal
    while new:
        one, two = _before(g, t, new, t.zone)
        new = (one | two) & t.enter & ~done
        done |= new
    return done


def _begun(g: Board, t: Trace, goal: Bits, inner: Bits) -> Bits:
    """The hexes such a line can start from, as `_starts`."""
    one, two = _before(g, t, inner)
    return goal | one | two


def line_of_supply(g: Board, h: Hex, side: Side, *, limit: int = 0) -> tuple[list[Hex], list[Hex]] | None:
    """A cheapest Line of Supply from a hex: its Overland and its Road Portion; None if there is none."""
    s = supply(g, side, limit=limit)
    if not s.starts >> h & 1:
        return None
    if s.shared >> h & 1:
        return [], []
    overland = _walk(g, s, h)
    end = overland[-1] if overland else h
    return overland, _ride(g, s, end)


def _layer_of(s: Supply, h: Hex) -> int | None:
    return next((k for k, here in enumerate(s.layers) if here >> h & 1), None)


def _walk(g: Board, s: Supply, h: Hex) -> list[Hex]:
    way: list[Hex] = []
    here, left, was_zone = h, s.limit, False
    if s.ends >> h & 1:
        return way
    while True:
        best = None
        for d, n in enumerate(g.map.grid.neighbours[here]):
            if n == NO_HEX or s.trace.walls[d] >> here & 1 or (was_zone and s.trace.zone >> n & 1):
                continue
            rest = _layer_of(s, n)
            if rest is None:
                continue
            slow = s.trace.heavy >> n & 1 and not s.trace.roads[d] >> here & 1
            cost = rest + (2 if slow else 1)
            if cost <= left and (best is None or (cost, rest, n) < best):
                best = (cost, rest, n)
        assert best is not None
        _, rest, here = best
        way.append(here)
        if s.ends >> here & 1:
            return way
        left, was_zone = min(rest, left - 1), bool(s.trace.zone >> here & 1)


def _ride(g: Board, s: Supply, h: Hex) -> list[Hex]:
    """The Road Portion from a road hex to the nearest source, hex by hex."""
    grid = g.map.grid
    sources = s.sources & s.heads
    if s.sources >> h & 1 or not (s.heads | s.trace.zone) >> h & 1 or not s.heads:
        return []
    came: dict[Hex, Hex] = {h: h}
    queue = [h]
    for x in queue:
        if sources >> x & 1:
            way = []
            while x != h:
                way.append(x)
                x = came[x]
            return way[::-1]
        for d, n in enumerate(grid.neighbours[x]):
            if n != NO_HEX and n not in came and s.trace.roads[d] >> x & 1 and s.heads >> n & 1:
                came[n] = x
                queue.append(n)
    return []
