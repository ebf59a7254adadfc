"""13.4 Unit supply: who is in supply, by which SDM; transfers; extended supply (14.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread_along, union
from kessel.games.korsun44.board import (
    FIXED_SDM,
    FROM_KORSUN,
    GERMAN,
    LINES,
    NETWORK,
    NO_COMMAND,
    ON_FOOT,
    OOS1,
    OUT,
    RELAY,
    SOVIET,
    STANDING,
    STEMMERMANN,
    STORED,
    SUPPLY,
    TRANSFERRING,
    Board,
)
from kessel.games.korsun44.data.forces import EXTENSION, PART, UNIT
from kessel.games.korsun44.special.boundary import is_out_of_bounds, may_be_out_of_bounds
from kessel.games.korsun44.supply.markers import (
    Command,
    command_of,
    is_supplying,
    own_commands,
    reaches,
    servers,
    serves,
    traced,
)
from kessel.games.korsun44.supply.paths import (
    Lengths,
    connected,
    free_of,
    in_reach,
    joined,
    path_length,
    path_lengths,
    road_lengths,
    roads_of,
    shortest,
    supply_range,
)
from kessel.games.korsun44.supply.sources import (
    all_sources,
    all_sources_of,
    armies_of,
    designated,
    is_korsun_sdm,
    others,
    special_sources,
)
from kessel.games.korsun44.units.strength import is_extended, whole_of


class Supply(NamedTuple):
    """13.4.1 How a unit is supplied."""

    sdms: tuple[tuple[int, Unit], ...] = ()
    """SDMs in range, nearest first: length and SDM."""
    source: int | None = None
    """The length of the path to a source in range."""
    road: Unit = NO_UNIT
    """The SDM on whose road to its source the unit stands."""
    dry: bool = False
    """A path that crosses no river without a bridge (9.2.1)."""

    def __bool__(self) -> bool:
        return bool(self.sdms) or self.source is not None or self.road != NO_UNIT

    def words(self, g: Board) -> str:
        if self.sdms:
            length, sdm = self.sdms[0]
            return f"{length} hexes from {g.name(sdm)} in {g.hex_name(g.sdm_at[sdm])}"
        if self.source is not None:
            return f"{self.source} hexes from a source"
        return f"on the road of {g.name(self.road)}" if self.road != NO_UNIT else "no path in range"


NO_SUPPLY = Supply()


def length_to(g: Board, u: Unit, sdm: Unit, most: int, *, across: bool = True) -> int | None:
    """13.4.1 The length of the path from a unit to an SDM."""
    if not is_supplying(g, sdm):
        return None
    return path_length(g, g.forces.side[u], g.place[u], 1 << g.sdm_at[sdm], most, across=across)


def own_sdms(g: Board, u: Unit) -> list[Unit]:
    """The SDMs on the map that may supply a unit."""
    return [s for s in servers(g, u) if g.sdm_at[s] != NOWHERE]


@fact(SUPPLY)
def _in_range(g: Board, side: Side, h: Hex, sdms: tuple[Unit, ...]) -> tuple[tuple[Unit, int, bool], ...]:
    """13.4.1 The SDMs that can supply units in a hex: length of the path, whether one crosses no river."""
    return tuple(found for found in _near(g, side, h, sdms) if has_network(g, found[0]))


@fact(SUPPLY)
def has_network(g: Board, sdm: Unit) -> bool:
    """13.0, 13.2 An SDM is no network without its source; those of an isolated korps (16.2.2), and those that keep what
    Korsun gave them (8.6.4), need none. Alone in an enemy zone it has a path with that reading (Q45)."""
    h = g.sdm_at[sdm]
    if g.sdm_flags[sdm] & (FIXED_SDM | STORED) or traced(g, sdm, h) is not None:
        return True
    return g.reads("sdm_in_zone") == "open" and not free_of(g, g.forces.side[sdm]) >> h & 1


@fact(NETWORK)
def _reached_from(g: Board, side: Side, sdms: tuple[Unit, ...]) -> Bits:
    """The hexes in supply range of one of these SDMs."""
    return union(hexes for _, _, hexes in _ranges(g, side, sdms))


@fact(NETWORK)
def _ranges(g: Board, side: Side, sdms: tuple[Unit, ...]) -> list[tuple[Unit, Lengths, Bits]]:
    """13.4.1 Those of these SDMs that give supply: how far hexes are, and all hexes in range."""
    return [(s, *_range_of(g, side, g.sdm_at[s])) for s in sdms if is_supplying(g, s)]


@fact(LINES)
def _range_of(g: Board, side: Side, h: Hex) -> tuple[Lengths, Bits]:
    """The same for an SDM in a hex."""
    start, most = 1 << h, supply_range(g, side)
    return path_lengths(g, side, start, most), in_reach(g, side, start, most)


@fact(NETWORK)
def _near(g: Board, side: Side, h: Hex, sdms: tuple[Unit, ...]) -> tuple[tuple[Unit, int, bool], ...]:
    """13.4.1 The SDMs within range of a hex."""
    near = [(s, to) for s, to, hexes in _ranges(g, side, sdms) if hexes >> h & 1]
    if not near:
        return ()
    most = supply_range(g, side)
    lengths = ((s, shortest(g, side, h, to, most), h in to) for s, to in near)
    return tuple((s, n, dry) for s, n, dry in lengths if n is not None)


@fact(SUPPLY)
def road_between(g: Board, sdm: Unit) -> Bits:
    """13.4.1 The hexes of the shortest roads from an SDM to its source; none where it has no path."""
    h, side = g.sdm_at[sdm], g.forces.side[sdm]
    found = traced(g, sdm, h)
    if found is None:
        return 0
    starts = next(s for flag, s in reaches(g, sdm) if flag == found.flag)
    return _on_way(g, side, starts, h, found.length)


@fact(SUPPLY)
def _roads_of(g: Board, sdms: tuple[Unit, ...]) -> list[tuple[Unit, Bits]]:
    """Those of them on the map, with such roads."""
    roads = ((s, road_between(g, s)) for s in sdms if g.sdm_at[s] != NOWHERE)
    return [(s, way) for s, way in roads if way]


@fact(LINES)
def _on_way(g: Board, side: Side, starts: Bits, h: Hex, length: int) -> Bits:
    """The hexes of the roads of that length from a hex to one of the starts."""
    links, free = roads_of(g, side), free_of(g, side)
    found = front = 1 << h
    for ring in reversed(road_lengths(g, side, starts).rings(length - 1)):
        front = spread_along(g.map.grid, front, links) & ring & free
        found |= front
    return found


def supply_of(g: Board, u: Unit) -> Supply:
    """13.4.1 Whether a unit can be supplied where it stands now, and how; for an extended division either half does
    (4.7.4)."""
    found = _supply_at(g, u)
    if found or not is_extended(g, u):
        return found
    whole = whole_of(g, u)
    return _supply_at(g, g.forces.extension[whole] if u == whole else whole)


def _supply_at(g: Board, u: Unit) -> Supply:
    side, h, command = g.forces.side[u], g.place[u], command_of(g, u)
    if not _served(g, side, *command) >> h & 1 or is_out_of_bounds(g, u):
        return NO_SUPPLY
    return _supply_in(g, side, h, *command)


@fact(SUPPLY)
def _served(g: Board, side: Side, servers: tuple[Unit, ...], armies: tuple[str, ...]) -> Bits:
    """13.4.1 The hexes in which units of one command are in supply."""
    starts, most = all_sources_of(g, side, armies), supply_range(g, side)
    over = g.reads("river_source") == "source_too"
    from_source = in_reach(g, side, starts, most) if over else path_lengths(g, side, starts, most).within()
    roads = union(way for _, way in _roads_of(g, servers))
    return _reached_from(g, side, _networks(g, servers)) | from_source | roads


@fact(SUPPLY)
def _networks(g: Board, servers: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Those of these SDMs that are on the map and have a network."""
    return tuple([s for s in servers if g.sdm_at[s] != NOWHERE and has_network(g, s)])


@fact(SUPPLY)
def _supply_in(g: Board, side: Side, h: Hex, servers: tuple[Unit, ...], armies: tuple[str, ...]) -> Supply:
    """13.4.1 How units of one command are supplied in a hex."""
    most, sdms = supply_range(g, side), _in_range(g, side, h, servers)
    dry = any(is_dry for _, _, is_dry in sdms)
    over = g.reads("river_source") == "source_too"
    starts = all_sources_of(g, side, armies)
    source = path_length(g, side, h, starts, most, across=over)
    dry = dry or (bool(starts) and h in path_lengths(g, side, starts, most))
    road = NO_UNIT
    if not sdms and source is None:
        road = next((s for s, way in _roads_of(g, servers) if way >> h & 1), NO_UNIT)
        dry |= road != NO_UNIT
    return Supply(tuple(sorted((length, s) for s, length, _ in sdms)), source, road, dry)


# --- the Supply Determination Phase --------------------------------------------------------------------------------


@fact(STANDING)
def judged(g: Board, side: Side) -> tuple[Unit, ...]:
    """Whose supply is judged: alarm units, partisans (18.1.1) and markers need none."""
    role = g.forces.role
    return tuple([u for u in g.on_the_map(side) if role[u] in (UNIT, PART)])


def determine(g: Board, side: Side, spared: bool = False) -> None:
    """13.4.1 Markers come off units in supply, stay on those that are not, and are put on new ones (`spared`: 16.5.4,
    nobody new in Gruppe Stemmermann or of the Soviets)."""
    units = judged(g, side)
    for u in units:
        if g.status[u] & TRANSFERRING:
            g.set_status(u, TRANSFERRING, on=False)
        if g.transferred[u] != NO_COMMAND:
            _revert(g, u)
    for u, found in zip(units, _supplies(g, side, units), strict=True):
        g.supplier[u] = found.sdms[0][1] if found.sdms else NO_UNIT
        if found.sdms or found:
            _in_supply(g, u, found)
        elif not g.status[u] & OUT and not (spared and (side == SOVIET or g.status[u] & STEMMERMANN)):
            g.set_status(u, OOS1)
            g.tell(f"{g.name(u)} is out of supply", "13.4.1", unit=g.id(u))
        marker = g.forces.extension[u]
        if marker != NO_UNIT and g.on_map(marker):
            _like_its_division(g, marker, u)


def _supplies(g: Board, side: Side, units: tuple[Unit, ...]) -> list[Supply]:
    """13.4.1 How each of these units is supplied; hex by hex only where it can be."""
    place, status = g.place, g.status
    fields: dict[Command, tuple[Bits, tuple[Unit, ...]]] = {}
    bounds = may_be_out_of_bounds(g, side)
    found = []
    for u, command in zip(units, commands_of(g, units), strict=True):
        known = fields.get(command)
        if known is None:
            sdms = _networks(g, command[0])
            known = fields[command] = _reached_from(g, side, sdms), sdms
        by_sdm, sdms = known
        h = place[u]
        if by_sdm >> h & 1 and not (status[u] & ON_FOOT or (bounds and is_out_of_bounds(g, u))):
            found.append(_by_sdm(g, side, h, sdms))
        else:
            found.append(supply_of(g, u))
    return found


def commands_of(g: Board, units: Sequence[Unit]) -> list[Command]:
    """13.2.2, 13.4.3 The SDMs and armies that supply each of these units."""
    own, transferred = own_commands(g, bool(g.track("stalin"))), g.transferred
    return [own[u] if transferred[u] == NO_COMMAND else command_of(g, u) for u in units]


@fact(NETWORK)
def _by_sdm(g: Board, side: Side, h: Hex, sdms: tuple[Unit, ...]) -> Supply:
    """The SDMs that supply units in a hex, where nothing else about their supply matters: with their vehicles, in their
    bounds."""
    return Supply(tuple(sorted((length, s) for s, length, _ in _near(g, side, h, sdms))))


def _in_supply(g: Board, u: Unit, found: Supply) -> None:
    status = g.status[u]
    if status & OUT:
        g.set_status(u, OUT, on=False)
        g.tell(f"{g.name(u)} is in supply again: {found.words(g)}", "13.4.1", unit=g.id(u))
    if status & ON_FOOT and found.dry:
        g.set_status(u, ON_FOOT, on=False)
        g.tell(f"{g.name(u)} has its vehicles again", "9.2.1", unit=g.id(u))
    if g.forces.side[u] == GERMAN:
        join_stemmermann(g, u, found)


def _like_its_division(g: Board, marker: Unit, u: Unit) -> None:
    """4.7 An extension marker shares the supply of its division."""
    assert g.forces.role[marker] == EXTENSION
    g.supplier[marker] = g.supplier[u]
    for flag in (OOS1, OUT & ~OOS1):
        g.set_status(marker, flag, on=bool(g.status[u] & flag))


def join_stemmermann(g: Board, u: Unit, found: Supply) -> None:
    """14.5.1, Q11 Units of 11th and 42nd Korps that trace to the isolated Korsun belong to Gruppe Stemmermann."""
    if g.reads("stemmermann") == "cut_off" or g.forces.corps[u] not in g.charts.game.formations.pocket_korps:
        return
    if g.status[u] & STEMMERMANN or not special_sources(g).get(FROM_KORSUN):
        return
    by_sdm = any(g.sdm_flags[s] & FROM_KORSUN for _, s in found.sdms)
    direct = path_length(g, GERMAN, g.place[u], 1 << g.ground.korsun, supply_range(g, GERMAN), across=False)
    if by_sdm or direct is not None:
        g.set_status(u, STEMMERMANN)
        g.tell(f"{g.name(u)} belongs to Gruppe Stemmermann", "14.5.1", unit=g.id(u))


# --- 13.4.3 transfer -----------------------------------------------------------------------------------------------


def _revert(g: Board, u: Unit) -> None:
    """13.4.3 A transferred unit that can trace to its own command again goes back to it."""
    number = g.transferred[u]
    if number == NO_COMMAND or g.status[u] & TRANSFERRING:
        return
    g.transferred[u] = NO_COMMAND
    g.cache.clear()
    if supply_of(g, u):
        g.tell(f"{g.name(u)} is back under its own command", "13.4.3", unit=g.id(u))
        return
    g.transferred[u] = number
    g.cache.clear()


def why_not_transfer(g: Board, side: Side, u: Unit, command: str) -> Refusal | None:
    """13.4.3 Why a unit may not be named for transfer to another korps or army."""
    if g.forces.side[u] != side or not g.on_map(u) or g.forces.role[u] not in (UNIT, PART):
        return Refusal("13.4.3", f"{g.name(u)} is no unit of yours on the map")
    if g.status[u] & TRANSFERRING:
        return Refusal("13.4.3", f"{g.name(u)} was named for transfer in this phase")
    if command not in others(g, side):
        return Refusal("13.4.3", f"{g.formation(command)} is no {'korps' if side == GERMAN else 'army'}")
    if why := _why_not_join(g, side, u, command):
        return why
    if _traces_to_own(g, u):
        return Refusal("13.4.3", f"{g.name(u)} can trace a path to its SDM")
    return None


def _why_not_join(g: Board, side: Side, u: Unit, command: str) -> Refusal | None:
    """13.4.3 Why a unit is never transferred to that command."""
    if g.forces.heavy[u]:
        return Refusal("13.4.3", f"{g.name(u)} is supplied by its own division or korps alone")
    if command == (g.forces.corps[u] if side == GERMAN else g.forces.army[u]):
        return Refusal("13.4.3", f"{g.name(u)} is of {g.formation(command)}")
    if g.transferred[u] != NO_COMMAND and others(g, side)[g.transferred[u]] == command:
        return Refusal("13.4.3", f"{g.name(u)} is transferred to {g.formation(command)} already")
    return None


@fact(GAME)
def _joinable(g: Board, side: Side, u: Unit, transferred: int) -> tuple[tuple[Unit, str], ...]:
    """13.4.3 A unit with each command it may be transferred to from the one it is with."""
    return tuple([(u, c) for c in others(g, side) if _why_not_join(g, side, u, c) is None])


def _traces_to_own(g: Board, u: Unit) -> bool:
    """13.4.3 Whether a path of any length leads to an SDM of its command."""
    return bool(_connected_to(g, g.forces.side[u], servers(g, u)) >> g.place[u] & 1)


@fact(NETWORK)
def _connected_to(g: Board, side: Side, sdms: tuple[Unit, ...]) -> Bits:
    """13.3 The hexes from which a path of any length leads to one of these SDMs."""
    return union(connected(g, side, g.sdm_at[s]) for s in sdms if is_supplying(g, s))


def transfers(g: Board, side: Side) -> list[tuple[Unit, str]]:
    """13.4.3 Units out of supply and the commands they may be named for."""
    status, place = g.status, g.place
    found: list[tuple[Unit, str]] = []
    out = [u for u in judged(g, side) if status[u] & OUT and not status[u] & TRANSFERRING]
    known: dict[Command, Bits] = {}
    for u, command in zip(out, commands_of(g, out), strict=True):
        if command not in known:
            known[command] = _connected_to(g, side, command[0])
        if not known[command] >> place[u] & 1:
            found += _joinable(g, side, u, g.transferred[u])
    return found


def transfer(g: Board, u: Unit, command: str) -> None:
    g.transferred[u] = others(g, g.forces.side[u]).index(command)
    g.set_status(u, TRANSFERRING)
    g.tell(f"{g.name(u)} is to be transferred to {g.formation(command)}", "13.4.3", unit=g.id(u))


# --- 12.4, Q07 which SDM -------------------------------------------------------------------------------------------


def why_not_supplied_by(g: Board, side: Side, u: Unit, sdm: Unit) -> Refusal | None:
    """12.4, Q07 Why a unit's owner may not name that SDM as the one that supplies it."""
    if g.reads("supplying_sdm") != "owner_picks":
        return Refusal("12.4", "the nearest SDM supplies a unit")
    if g.forces.side[u] != side or not g.on_map(u) or g.supplier[u] == NO_UNIT:
        return Refusal("12.4", f"{g.name(u)} is not supplied by an SDM of yours")
    if sdm == g.supplier[u]:
        return Refusal("12.4", f"{g.name(sdm)} supplies it already")
    if not serves(g, sdm, u) or length_to(g, u, sdm, supply_range(g, side)) is None:
        return Refusal("13.4.1", f"{g.name(u)} is not in supply range of {g.name(sdm)}")
    return None


def other_suppliers(g: Board, side: Side) -> list[tuple[Unit, Unit]]:
    if g.reads("supplying_sdm") != "owner_picks":
        return []
    supplier = g.supplier
    mine = [u for u in judged(g, side) if supplier[u] != NO_UNIT]
    several = [(u, sdms) for u, (sdms, _) in zip(mine, commands_of(g, mine), strict=True) if len(sdms) > 1]
    return [(u, s) for u, sdms in several for s, _, _ in _in_range(g, side, g.place[u], sdms) if s != supplier[u]]


# --- 14.7 extended supply ------------------------------------------------------------------------------------------


def extended_units(g: Board, sdm: Unit, h: Hex) -> list[Unit]:
    """14.7 The units out of supply in a hex that an SDM's point can bring into supply; it reaches three of them."""
    side = g.forces.side[sdm]
    most = supply_range(g, side) * g.charts.constants.extended_range
    found = [
        u for u in g.of_side(h, side) if g.forces.role[u] in (UNIT, PART) and g.status[u] & OUT and serves(g, sdm, u)
    ]
    return found if found and length_to(g, found[0], sdm, most) is not None else []


def why_not_extend_supply(g: Board, side: Side, sdm: Unit, h: Hex) -> Refusal | None:
    if sdm not in g.sdms(side):
        return Refusal("14.7", f"{g.name(sdm)} is no SDM of yours on the map")
    if not g.sdm_sp[sdm] or g.sdm_flags[sdm] & RELAY:
        return Refusal("14.7", f"{g.name(sdm)} has no Supply Point")
    if not extended_units(g, sdm, h):
        return Refusal("14.7", f"nobody out of supply in {g.hex_name(h)} is within twice the range of {g.name(sdm)}")
    return None


def extensions(g: Board, side: Side) -> list[tuple[Unit, Hex]]:
    """14.7 The SDMs that can pay, and the hexes they reach."""
    status, place = g.status, g.place
    served: dict[tuple[Unit, ...], Bits] = {}
    out = [u for u in judged(g, side) if status[u] & OUT]
    for u, (sdms, _) in zip(out, commands_of(g, out), strict=True):
        served[sdms] = served.get(sdms, 0) | 1 << place[u]
    most = supply_range(g, side) * g.charts.constants.extended_range
    found = []
    for s in g.sdms(side) if served else ():
        if g.sdm_sp[s] and not g.sdm_flags[s] & RELAY and is_supplying(g, s):
            hexes = union(places for sdms, places in served.items() if s in sdms)
            found += [(s, h) for h in members(hexes & in_reach(g, side, 1 << g.sdm_at[s], most))]
    return found


def extend_supply(g: Board, sdm: Unit, units: list[Unit]) -> None:
    """14.7 A point spent; the units are in supply, but no SDM gives them points."""
    where = g.hex_name(g.place[units[0]])
    g.set_sp(sdm, g.sdm_sp[sdm] - 1)
    g.tell(f"{g.name(sdm)} extends supply to {g.list_of(units)} in {where}", "14.7", place=where)
    for u in units:
        g.set_status(u, OUT, on=False)


# --- what others ask -----------------------------------------------------------------------------------------------


def is_in_range(g: Board, u: Unit) -> bool:
    """8.4 Whether a unit is within supply range of its source or of an SDM of its, whether that has a path or not."""
    most, side = supply_range(g, g.forces.side[u]), g.forces.side[u]
    across = g.reads("river_source") == "source_too"
    if path_length(g, side, g.place[u], all_sources(g, u), most, across=across) is not None:
        return True
    return any(length_to(g, u, s, most) is not None for s in own_sdms(g, u))


def can_trace_anywhere(g: Board, u: Unit) -> bool:
    """16.2 Whether a unit has a path of any length to Korsun or to a source."""
    side = g.forces.side[u]
    if is_korsun_sdm(g, u):
        return bool(joined(g, side, all_sources(g, u)) >> g.place[u] & 1)
    return bool(_joined_to_sources(g, side, armies_of(g, u)) >> g.place[u] & 1)


@fact(SUPPLY)
def _joined_to_sources(g: Board, side: Side, armies: tuple[str, ...]) -> Bits:
    """13.3 The hexes joined to a source of these armies."""
    return joined(g, side, all_sources_of(g, side, armies))


def supplied_from_edge(g: Board, u: Unit) -> bool:
    """3.2.G Whether a unit is supplied by edge or terminal, itself or by an SDM that draws on none in the pocket."""
    found = supply_of(g, u)
    side = g.forces.side[u]
    direct = path_length(g, side, g.place[u], designated(g, u), supply_range(g, side), across=False)
    if direct is not None:
        return True
    sdms = [s for _, s in found.sdms] + [found.road] * (found.road != NO_UNIT)
    for s in sdms:
        way = traced(g, s, g.sdm_at[s]) if g.sdm_at[s] != NOWHERE else None
        if way is not None and not way.flag and not g.sdm_flags[s] & FIXED_SDM:
            return True
    return False


def traced_by(g: Board, h: Hex, side: Side) -> list[Unit]:
    """8.6.3 The SDMs of a side to which a path of any length leads from a hex."""
    return [s for s in g.sdms(side) if is_supplying(g, s) and connected(g, side, g.sdm_at[s]) >> h & 1]
