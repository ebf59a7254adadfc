"""4.0 Supply: lines, and the state of every unit.

`check` sets the states at the beginning of a phase; they hold for the whole phase. The functions below it answer where
lines run; `explanation` tells the same for one unit with paths and rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kessel.core.facts import fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, spread_through, within
from kessel.games.don42.board import ATTACK, ENTERED, ENTRIES, GENERAL, OOS, POSITION, RTD, Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, NO_COMMAND, SOVIET, Standing, Team
from kessel.games.don42.data.lines import Lines
from kessel.games.don42.movement.zones import open_hexes

# --- 4.1 the path of supply ----------------------------------------------------------------------------------------


def halved(g: Board, u: Unit, points: int) -> int:
    """4.1 A routed unit traces half as far (round down). In half MPs."""
    return (points // 2 if g.status[u] & RTD else points) * POINT


def lines_to(g: Board, side: Side, goal: Bits, points: int) -> Lines:
    """Where lines of at most that many MPs to the goal can start."""
    kind = "german" if side == GERMAN else "soviet"
    return g.crossings.lines(kind, g.weather, goal, points * POINT, open_hexes(g, side))


def has_line(g: Board, u: Unit, hq: Unit, points: int) -> bool:
    """Whether the unit's line to an HQ is short enough (4.1: half as long when routed)."""
    side = g.forces.side[u]
    kind, limit = "german" if side == GERMAN else "soviet", halved(g, u, points)
    return g.crossings.has_line(kind, g.weather, g.place[hq], limit, open_hexes(g, side), g.place[u])


def is_in_reach(g: Board, u: Unit, lines: Lines, points: int) -> bool:
    """Whether the unit's line is short enough (4.1: half as long when routed)."""
    h = g.place[u]
    if not lines.reached >> h & 1:
        return False
    if not g.status[u] & RTD:
        return True
    cost = lines.cost(h)
    return cost is not None and cost <= halved(g, u, points)


# --- 4.2 Soviet supply ---------------------------------------------------------------------------------------------


def soviet_net(g: Board) -> Bits:
    """4.2.1 The road hexes from which roads lead off the northern or eastern edge, free of Germans and their zones."""
    open_ = open_hexes(g, SOVIET)
    return g.crossings.road_net(g.ground.soviet_sources & open_, open_)


@fact(POSITION)
def general_lines(g: Board) -> Lines:
    return lines_to(g, SOVIET, soviet_net(g), g.charts.constants.soviet_trace)


def has_road(g: Board, hq: Unit) -> bool:
    """4.2.2 The HQ is within one hex of a road that leads off the map."""
    return bool(near_net(g) >> g.place[hq] & 1)


def gives_supply(g: Board, hq: Unit) -> bool:
    """4.2.2, 9.5 Whether units that reach an HQ are in Attack Supply.

    It is near a road home itself; or it is that of a Tank Corps of 9.5, and traces to an Army HQ that is.
    """
    return has_road(g, hq) or bool(army_above(g, hq))


def army_above(g: Board, hq: Unit) -> list[Unit]:
    """9.5 The HQs near a road home that the HQ of 4 or 16 Tank Corps has a line of 7 MPs to."""
    if hq == g.forces.kovachenko or not g.forces.under_kovachenko[hq]:
        return []
    points = g.charts.constants.soviet_trace
    return [army for army in _guards_hqs(g) if has_road(g, army) and has_line(g, hq, army, points)]


@fact(POSITION)
def near_net(g: Board) -> Bits:
    """The hexes within one hex of the Soviet road net, not across the Volga."""
    return _beside(g, soviet_net(g))


def _beside(g: Board, net: Bits) -> Bits:
    for _ in range(g.charts.constants.soviet_hq_road_hexes):
        net |= spread_through(g.map.grid, net, g.ground.volga)
    return net


def parent_hqs(g: Board, u: Unit) -> list[Unit]:
    """The Corps or Army HQs on the map that a Soviet unit answers to (4.2.2; 9.5 by the switch kovachenko)."""
    if g.forces.under_kovachenko[u] and g.reads("kovachenko") == "supply":
        return [u] if g.forces.hq[u] else _own_hq(g, u)
    return supply_hqs(g, u)


def supply_hqs(g: Board, u: Unit) -> list[Unit]:
    """The Corps or Army HQs on the map that a Soviet unit may trace supply to (4.2.2, 9.5)."""
    forces = g.forces
    if forces.hq[u]:
        found = [u]
        if u == forces.kovachenko:
            found.append(_army_hq(g, "1GdA"))
        elif forces.under_kovachenko[u]:
            found += _guards_hqs(g)
        return [h for h in found if is_present(g, h)]
    if forces.under_kovachenko[u]:
        return list(dict.fromkeys((*_own_hq(g, u), *_guards_hqs(g))))
    return _own_hq(g, u)


def _guards_hqs(g: Board) -> list[Unit]:
    """9.5 The HQs on the map that the formations named there may trace supply to."""
    return [h for h in (_army_hq(g, "1GdA"), g.forces.kovachenko) if is_present(g, h)]


def _own_hq(g: Board, u: Unit) -> list[Unit]:
    """The HQ of a unit's Army or Tank Corps, if it is on the map."""
    forces, c = g.forces, g.command[u]
    own = NO_UNIT if c == NO_COMMAND else forces.command_hq[c]
    if c != NO_COMMAND and forces.commands[c] == "1GdA" and not is_present(g, own):
        own = forces.kovachenko if g.scenario.says("kovachenko_commands") else NO_UNIT
    return [own] if is_present(g, own) else []


def _army_hq(g: Board, name: str) -> Unit:
    return g.forces.command_hq[g.command_index(name)] if name in g.forces.commands else NO_UNIT


def is_present(g: Board, u: Unit) -> bool:
    return u != NO_UNIT and g.on_map(u)


def has_general_supply(g: Board, u: Unit) -> bool:
    return is_in_reach(g, u, general_lines(g), g.charts.constants.soviet_trace)


def has_attack_supply(g: Board, u: Unit) -> bool:
    """4.2.2 A line of 7 MPs to a parent HQ that is near a road home."""
    points = g.charts.constants.soviet_trace
    return any(gives_supply(g, hq) and has_line(g, u, hq, points) for hq in supply_hqs(g, u))


def supplied_hexes(g: Board, u: Unit, open_: Bits, wanted: Bits) -> Bits:
    """4.2.3 Those of the wanted hexes where a Soviet unit would be in General or Attack Supply, given the open ones."""
    limit = halved(g, u, g.charts.constants.soviet_trace)
    crossings, weather = g.crossings, g.weather
    net = crossings.road_net(g.ground.soviet_sources & open_, open_)
    s = crossings.reaching("soviet", weather, net, limit, open_, wanted)
    s |= g.ground.soviet_sources & wanted  # 4.1: it negates an EZOC in its own hex, where the road leaves the map too
    if s == wanted:
        return s
    near = _beside(g, net)
    for hq in supply_hqs(g, u):
        if hq == u:
            s |= near & wanted
        elif near >> g.place[hq] & 1 or _is_fed(g, hq, near, open_):
            s |= crossings.reaching("soviet", weather, 1 << g.place[hq], limit, open_, wanted)
    return s


def _is_fed(g: Board, hq: Unit, near: Bits, open_: Bits) -> bool:
    """The same as `army_above` where other hexes are open or near the road net."""
    if hq == g.forces.kovachenko or not g.forces.under_kovachenko[hq]:
        return False
    limit = halved(g, hq, g.charts.constants.soviet_trace)
    armies = bits(g.place[army] for army in _guards_hqs(g)) & near
    return bool(armies and g.crossings.reaching("soviet", g.weather, armies, limit, open_, 1 << g.place[hq]))


def soviet_state(g: Board, u: Unit) -> int:
    if has_attack_supply(g, u):
        return ATTACK
    return GENERAL if has_general_supply(g, u) else OOS


# --- 4.3 German supply ---------------------------------------------------------------------------------------------


def corps_hqs(g: Board, corps: int) -> list[Unit]:
    """The HQ of a Corps, or while it waits to come back any other Corps HQ (13.2.3, 13.2.4)."""
    own = g.forces.command_hq[corps]
    if is_present(g, own):
        return [own]
    if own == NO_UNIT or not g.due[own]:
        return []
    others = (g.forces.command_hq[g.command_index(c)] for c in g.charts.german_corps if c in g.forces.commands)
    return [h for h in others if h != own and is_present(g, h)]


def don_bridges(g: Board) -> Iterator[tuple[Hex, Hex]]:
    """The two end hexes of every bridge and pontoon over the Don that stands."""
    yield from g.crossings.bridge_ends


def road_home(g: Board, hq: Unit) -> tuple[Hex, ...] | None:
    """4.3.1 The road hexes of a German Corps HQ's line to a Don bridge, from its hex on; None if there is none.

    The Corps HQ is on a road, and roads lead from there through open hexes over a bridge whose ends are both open
    (switch german_source). On the west bank the west edge of the map will do (switch west_edge).
    """
    h = g.place[hq]
    if not g.ground.on_road >> h & 1:
        return None
    ends = home_ends(g)
    net = g.crossings.road_net(1 << h, open_hexes(g, GERMAN))
    if not net & ends:
        return None
    line = g.crossings.lines("road", g.weather, net & ends, 200 * POINT, open_hexes(g, GERMAN))
    way = line.path(h)
    return None if way is None else (h, *way)


@fact(POSITION)
def home_ends(g: Board) -> Bits:
    """The hexes where a German road line is home."""
    open_ = open_hexes(g, GERMAN)
    reading = g.reads("german_source")
    ends = g.ground.german_sources & open_
    if reading == "west_edge":
        return ends
    if g.reads("west_edge") == "bridge":
        ends = 0
    for a, b in don_bridges(g):
        both = bool(open_ >> a & 1 and open_ >> b & 1)
        if both or reading == "to_bridge":
            ends |= (1 << a | 1 << b) & open_
    return ends


def has_road_home(g: Board, hq: Unit) -> bool:
    return bool(home_net(g) >> g.place[hq] & 1)


@fact(POSITION)
def home_net(g: Board) -> Bits:
    """All road hexes from which open roads lead home."""
    return g.crossings.road_net(home_ends(g), open_hexes(g, GERMAN))


@fact(POSITION)
def has_ground_line(g: Board, corps: int) -> bool:
    """Whether a Corps HQ has a ground line to the Don."""
    return any(has_road_home(g, hq) for hq in corps_hqs(g, corps))


def river_lines(g: Board) -> Lines:
    """4.3.3 Lines of 14 MPs to the Don, for units whose bridge is lost or road blocked."""
    return lines_to(g, GERMAN, g.ground.don_hexes, g.charts.constants.german_river_trace)


@fact(POSITION)
def can_reach_corps(g: Board, u: Unit) -> bool:
    """4.3.1 The chain of a German unit to its Division HQ and on to its Corps HQ, 12 MPs each."""
    forces, points = g.forces, g.charts.constants.german_trace
    hqs = corps_hqs(g, g.command[u])
    if forces.is_command_hq(u):
        return u in hqs
    division_hq = forces.division_hq[u]
    if not is_present(g, division_hq):
        return False
    if u != division_hq:
        goal, here = 1 << g.place[division_hq], 1 << g.place[u]
        limit, open_ = halved(g, u, points), open_hexes(g, GERMAN)
        near = can_reach_corps(g, division_hq) and g.crossings.reaching("german", g.weather, goal, limit, open_, here)
        return bool(near)
    return any(has_line(g, u, hq, points) for hq in hqs)


@fact(POSITION)
def has_open_bridge(g: Board) -> bool:
    """Whether a Don bridge stands whose ends are both free of Soviets and their zones (or shut, switch shut_bridge)."""
    open_ = open_hexes(g, GERMAN) if g.reads("shut_bridge") == "lost" else g.map.grid.all
    return any(open_ >> a & open_ >> b & 1 for a, b in don_bridges(g))


@fact(POSITION)
def is_bridge_lost(g: Board, corps: int) -> bool:
    """4.3.3 No Don bridge can be crossed, or the road of the Corps HQ to one is blocked; off a road it has none."""
    if not has_open_bridge(g):
        return True
    on_road = any(g.ground.on_road >> g.place[hq] & 1 for hq in corps_hqs(g, corps))
    return on_road and not has_ground_line(g, corps)


def has_river_supply(g: Board, u: Unit) -> bool:
    """4.3.3 Within 14 MPs of the Don while the bridge is lost or the road blocked."""
    if not is_bridge_lost(g, g.command[u]):
        return False
    points = g.charts.constants.german_river_trace
    limit = points * POINT if g.reads("limit_14") == "full" else halved(g, u, points)
    return bool(river_supply(g, limit, 1 << g.place[u]))


def river_supply(g: Board, limit: int, wanted: Bits) -> Bits:
    """Those of the wanted hexes, all with Germans in them, from which a line reaches the Don."""
    return g.crossings.reaching("german", g.weather, g.ground.don_hexes, limit, open_hexes(g, GERMAN), wanted)


def has_ground_supply(g: Board, u: Unit) -> bool:
    """A German unit in Attack Supply without Supply Points."""
    if g.command[u] == NO_COMMAND:
        return False
    if has_ground_line(g, g.command[u]) and can_reach_corps(g, u):
        return True
    return has_river_supply(g, u) or has_contact_supply(g, u)


def is_isolated(g: Board, u: Unit) -> bool:
    """4.4 Its Corps cannot trace to the Don, nor can it by itself (4.3.3)."""
    if g.command[u] == NO_COMMAND or has_ground_line(g, g.command[u]):
        return False
    return not has_river_supply(g, u) and not has_contact_supply(g, u)


# --- 17.3.3 contact with the 60 Motorized Division -----------------------------------------------------------------


def contact_hexes(g: Board) -> dict[str, Bits]:
    """For each division that may be relieved: the hexes of supplied 60 Mot units on or next to its units."""
    divisions = g.scenario.says("contact_supply") or ()
    return {division: bits(g.place[u] for u in _relievers(g, division)) for division in divisions}


def _relievers(g: Board, division: str) -> Iterator[Unit]:
    """The supplied 60 Mot units on or next to units of a division."""
    able = [u for u in g.forces.of(g.scenario.says("contact_by")) if g.on_map(u)]
    if not able:
        return
    theirs = bits(g.place[u] for u in g.forces.of(division) if g.on_map(u))
    near = within(g.map.grid, theirs, 1)
    for u in able:
        if near >> g.place[u] & 1 and _has_line_across_don(g, u):
            yield u


def _has_line_across_don(g: Board, u: Unit) -> bool:
    """Whether a unit is supplied from the Don: by its Corps HQ, or while that is cut off by 4.3.3."""
    return (has_ground_line(g, g.command[u]) and can_reach_corps(g, u)) or has_river_supply(g, u)


def note_contact(g: Board) -> None:
    """17.3.3 At the end of German movement: which divisions a supplied 60 Mot unit has reached (counts next turn)."""
    mask = 0
    for i, division in enumerate(g.scenario.says("contact_supply") or ()):
        mask |= any(True for _ in _relievers(g, division)) << i
    g.set_track("contact", g.track("contact") | mask << 8)


def has_contact(g: Board, division: str) -> bool:
    """Whether a supplied unit of 60 Mot reached the division last turn."""
    divisions = g.scenario.says("contact_supply") or ()
    return division in divisions and bool(g.track("contact") >> divisions.index(division) & 1)


def contact_lines(g: Board, division: str) -> Bits:
    """17.3.3 Where units of a division have a line of 12 MPs to a supplied unit of 60 Mot that touches it."""
    if not has_contact(g, division):
        return 0
    links = contact_hexes(g)[division]
    return lines_to(g, GERMAN, links, g.charts.constants.german_trace).reached if links else 0


def has_contact_supply(g: Board, u: Unit) -> bool:
    """17.3.3 A line through a supplied unit of 60 Mot that reached its division last turn."""
    division = g.forces.division[u]
    if not contact_lines(g, division) >> g.place[u] & 1:
        return False
    points = g.charts.constants.german_trace
    return is_in_reach(g, u, lines_to(g, GERMAN, contact_hexes(g)[division], points), points)


# --- the check -----------------------------------------------------------------------------------------------------


def is_fully_supplied(g: Board) -> bool:
    """17.2.3, 17.3.3 Turns on which everybody is in supply."""
    return g.turn in g.scenario.full_supply


def state_now(g: Board, u: Unit) -> int:
    """The supply state of a unit as the map stands, Supply Points apart."""
    if is_fully_supplied(g) or g.status[u] & ENTERED:
        return ATTACK
    if g.forces.side[u] == SOVIET:
        return soviet_state(g, u)
    return ATTACK if has_ground_supply(g, u) else OOS


def check(g: Board, side: Side, rule: str) -> None:
    """4.0 Set the supply state of all units of a side for the phase that begins."""
    supply, place, size = g.supply, g.place, g.map.grid.size
    for units, state in verdicts(g, side):
        for u in units:
            if supply[u] != state and 0 <= place[u] < size:
                if state == OOS:
                    g.tell(f"{g.name(u)} is out of supply", rule, unit=g.id(u))
                supply[u] = state
    if side == GERMAN:
        _drop_points(g)
    g.touched()


def verdicts(g: Board, side: Side) -> list[tuple[Sequence[Unit], int]]:
    """The state of every unit of a side that is on the map; the same answers as `state_now`, found quickly."""
    return _verdicts(g, side, g.turn, g.track("contact"))


@fact(ENTRIES)
def _verdicts(g: Board, side: Side, turn: int, contact: int) -> list[tuple[Sequence[Unit], int]]:
    return list(_judged(g, side))


def _judged(g: Board, side: Side) -> Iterator[tuple[Sequence[Unit], int]]:
    """Where many units share their lines one look at the flooded hexes serves all of them."""
    if is_fully_supplied(g):
        yield g.forces.ground[side], ATTACK
        return
    place, bit = g.place, g.ground.bit
    apart = g.units_with(ENTERED | RTD)
    for team in _teams(g, side):
        key = team.key
        if key is not None and team.members.isdisjoint(apart):
            units, standing = team.units, team.standing(place, bit)
        else:
            units = []
            for u in team.units:
                if not bit[place[u]]:
                    continue
                if key is None or u in apart:
                    yield (u,), state_now(g, u)
                else:
                    units.append(u)
            standing = Standing(units, [place[u] for u in units], bit)
        wanted = standing.hexes
        if not wanted:
            continue
        attack = wanted & (near_net(g) if key == "hq" else _attack_hexes(g, units[0], wanted))
        rest = wanted ^ attack
        if not rest:
            yield units, ATTACK
            continue
        general = rest & general_lines(g).reached if side == SOVIET else 0
        for state, hexes in ((ATTACK, attack), (GENERAL, general), (OOS, rest ^ general)):
            if hexes:
                yield standing.units_in(hexes), state


def _teams(g: Board, side: Side) -> list[Team]:
    """A side's units by what they share; a team changes only when units come under another command."""
    kept, key = g.forces.teams, (side, bytes(g.command))
    if key not in kept:
        found: dict[Any, list[Unit]] = {}
        for u in g.forces.ground[side]:
            found.setdefault(_sharing(g, u), []).append(u)
        kept[key] = [Team(shared, units) for shared, units in found.items()]
    return kept[key]


def _sharing(g: Board, u: Unit) -> Any:
    """Units with the same key have the same lines; None for one that must be looked at by itself."""
    forces = g.forces
    if forces.side[u] == SOVIET:
        if forces.hq[u]:
            return None if u == forces.kovachenko or forces.under_kovachenko[u] else "hq"
        return g.command[u], forces.under_kovachenko[u]
    return None if forces.is_command_hq(u) else (g.command[u], forces.division[u])


def _attack_hexes(g: Board, u: Unit, wanted: Bits) -> Bits:
    """Those of the wanted hexes where a unit in good order with this unit's superiors is in Attack Supply."""
    constants = g.charts.constants
    s = 0
    if g.forces.side[u] == SOVIET:
        for hq in supply_hqs(g, u):
            if wanted & ~s and gives_supply(g, hq):
                s |= _reaching(g, SOVIET, hq, constants.soviet_trace, wanted)
        return s
    if g.command[u] == NO_COMMAND:
        return 0
    if is_bridge_lost(g, g.command[u]):
        s = river_supply(g, constants.german_river_trace * POINT, wanted)
    if wanted & ~s and has_ground_line(g, g.command[u]):
        division_hq = g.forces.division_hq[u]
        if is_present(g, division_hq) and _can_division_reach_corps(g, division_hq):
            s |= _reaching(g, GERMAN, division_hq, constants.german_trace, wanted)
    return s | contact_lines(g, g.forces.division[u])


def _can_division_reach_corps(g: Board, division_hq: Unit) -> bool:
    if g.status[division_hq] & RTD:
        return can_reach_corps(g, division_hq)
    here, points = 1 << g.place[division_hq], g.charts.constants.german_trace
    return any(_reaching(g, GERMAN, hq, points, here) for hq in corps_hqs(g, g.command[division_hq]))


def _reaching(g: Board, side: Side, hq: Unit, points: int, wanted: Bits) -> Bits:
    kind = "german" if side == GERMAN else "soviet"
    return g.crossings.reaching(kind, g.weather, 1 << g.place[hq], points * POINT, open_hexes(g, side), wanted)


def _drop_points(g: Board) -> None:
    """4.4.2 Points stored at an HQ are lost when it has a ground line."""
    for hq in stores(g):
        if g.on_map(hq) and not is_isolated(g, hq):
            g.sp[hq] = g.fuel[hq] = g.ammo[hq] = 0
            g.tell(f"{g.name(hq)} has a ground line: its Supply Points are lost", "4.4.2", unit=g.id(hq))


def stores(g: Board) -> list[Unit]:
    """HQs that hold Supply, Fuel or Ammo Points."""
    return [u for u in g.forces.hqs[GERMAN] if g.sp[u] or g.fuel[u] or g.ammo[u]]
