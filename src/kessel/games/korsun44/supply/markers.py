"""13.2, 14.2 Supply Distribution Markers: whom they supply, where they may lie, what they receive."""

from __future__ import annotations

from typing import NamedTuple

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import GAME, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import union
from kessel.games.korsun44.board import (
    DRAWN_FROM,
    FIXED_SDM,
    FROM_KORSUN,
    FROM_RELAY,
    GERMAN,
    LINES,
    MARKERS,
    RELAY,
    SDM_ROLE,
    SOURCES,
    SOVIET,
    Board,
)
from kessel.games.korsun44.data.charts import MUD
from kessel.games.korsun44.supply.paths import free_of, on_road, road_lengths, road_within
from kessel.games.korsun44.supply.sources import (
    armies_with,
    command_given,
    designated,
    is_korsun_sdm,
    special_sources,
)

PZ24 = "24Pz"
STALIN_GROUPS = (("52A", "4GA", "53A"), ("27A", "40A"))
"""18.13 Armies that may supply each other's units once Stalin has intervened."""

Command = tuple[tuple[Unit, ...], tuple[str, ...]]
"""SDMs and armies."""

# --- 13.2.2, 13.2.3 whom an SDM supplies ---------------------------------------------------------------------------


def serves(g: Board, sdm: Unit, u: Unit) -> bool:
    """Whether a unit is of the SDM's command."""
    return sdm in servers(g, u)


def servers(g: Board, u: Unit) -> tuple[Unit, ...]:
    """The SDMs, on the map or not, of whose command a unit is."""
    return command_of(g, u)[0]


def command_of(g: Board, u: Unit) -> Command:
    """The same with the armies whose edge sources it has (13.1)."""
    given, stalin = command_given(g, u), bool(g.track("stalin"))
    return _command_given(g, u, given, stalin) if given else own_commands(g, stalin)[u]


@fact(GAME)
def _command_given(g: Board, u: Unit, given: str, stalin: bool) -> Command:
    """13.4.3 The same for a unit that was transferred to that command."""
    return _servers(g, u, given, stalin), armies_with(g, u, given)


@fact(GAME)
def own_commands(g: Board, stalin: bool) -> list[Command]:
    """The same by unit, for those that were transferred to nobody."""
    f, known, found = g.forces, {}, []
    for u in range(len(f)):
        formation = f.side[u], f.division[u], f.corps[u], f.army[u], f.front[u]
        if formation not in known:
            known[formation] = _servers(g, u, "", stalin), armies_with(g, u, "")
        found.append(known[formation])
    return found


def _servers(g: Board, u: Unit, given: str, stalin: bool) -> tuple[Unit, ...]:
    f = g.forces
    if f.side[u] == GERMAN:
        return tuple([s for s in f.of_role[GERMAN][SDM_ROLE] if _serves_german(g, s, u, given)])
    return tuple([s for s in f.of_role[SOVIET][SDM_ROLE] if _serves_soviet(g, s, u, given, stalin)])


def _serves_german(g: Board, sdm: Unit, u: Unit, given: str) -> bool:
    f = g.forces
    if is_korsun_sdm(g, sdm):
        return True
    if f.division[sdm]:
        return f.division[sdm] == f.division[u]
    return bool(f.corps[sdm]) and f.corps[sdm] in (f.corps[u], given)


def _serves_soviet(g: Board, sdm: Unit, u: Unit, given: str, stalin: bool) -> bool:
    f = g.forces
    if f.corps[sdm]:
        return f.corps[sdm] == f.corps[u]
    if not f.army[u] and not given:
        return f.front[sdm] == g.front_of(u)
    mine = {f.army[u], given} - {""}
    if f.army[sdm] in mine:
        return True
    return stalin and any(f.army[sdm] in x and mine & set(x) for x in STALIN_GROUPS)


def same_command(g: Board, a: Unit, b: Unit) -> bool:
    """18.14 Whether two SDMs are of one Soviet army or German korps, corps and divisions included."""
    f = g.forces
    if f.side[a] != f.side[b]:
        return False
    word = f.corps if f.side[a] == GERMAN else f.army
    return bool(word[a]) and word[a] == word[b]


def is_supplying(g: Board, sdm: Unit) -> bool:
    """Whether an SDM on the map gives general supply: one of an isolated korps only while it has points (16.2.3); one
    alone in an enemy zone does not (Q45)."""
    h = g.sdm_at[sdm]
    if h == NOWHERE:
        return False
    if g.sdm_flags[sdm] & FIXED_SDM and not g.sdm_sp[sdm]:
        return False
    return g.reads("sdm_in_zone") == "open" or bool(free_of(g, g.forces.side[sdm]) >> h & 1)


# --- 13.2.1 where it may lie ---------------------------------------------------------------------------------------


class Traced(NamedTuple):
    """The source an SDM in a hex would trace to: how far along roads, the flag of a special one, its points."""

    length: int
    flag: int
    points: int


def increments(g: Board, sdm: Unit, length: int) -> int:
    """14.2 Supply Range Increments, begun ones counted; in the source's own hex none (Q56)."""
    each = g.forces.counters[sdm].increments[g.condition]
    found = -(-length // each)
    return max(found, 1) if g.reads("sdm_in_source") == "one_increment" else found


def points_at(g: Board, sdm: Unit, length: int) -> int:
    """14.2 Supply Points at that distance: one less for each increment after the first."""
    capacity = g.forces.counters[sdm].capacity
    return max(0, capacity - max(0, increments(g, sdm, length) - 1))


def is_too_far(g: Board, sdm: Unit, length: int) -> bool:
    """13.2.1, 14.2 More than one increment beyond its capacity."""
    return increments(g, sdm, length) > g.forces.counters[sdm].capacity + 1


def longest(g: Board, sdm: Unit) -> int:
    """The longest way that is not too far."""
    counter = g.forces.counters[sdm]
    return counter.increments[g.condition] * (counter.capacity + 1)


def relay_for(g: Board, sdm: Unit) -> Unit:
    """18.14 The relay of its command that an SDM may draw on: one SDM for each relay; -1 for none."""
    side = g.forces.side[sdm]
    for v in _relays(g, side):
        if v == sdm or not same_command(g, v, sdm):
            continue
        users = [x for x in g.sdms(side) if x != sdm and g.sdm_flags[x] & FROM_RELAY and same_command(g, x, v)]
        if not users:
            return v
    return -1


@fact(MARKERS)
def _relays(g: Board, side: Side) -> list[Unit]:
    return [v for v in g.sdms(side) if g.sdm_flags[v] & RELAY]


def _relay_hex(g: Board, sdm: Unit) -> Hex:
    """18.14 Where that relay lies."""
    relay = relay_for(g, sdm) if _relays(g, g.forces.side[sdm]) else -1
    return g.sdm_at[relay] if relay >= 0 else NO_HEX


def reaches(g: Board, sdm: Unit) -> tuple[tuple[int, Bits], ...]:
    """The sources an SDM may trace to: flag, hexes."""
    return _with_relay(_reaches(g, sdm), _relay_hex(g, sdm))


def _with_relay(found: tuple[tuple[int, Bits], ...], relay: Hex) -> tuple[tuple[int, Bits], ...]:
    return (*found, (FROM_RELAY, 1 << relay)) if relay >= 0 else found


@fact(SOURCES)
def _reaches(g: Board, sdm: Unit) -> tuple[tuple[int, Bits], ...]:
    """The same but for relays."""
    found: list[tuple[int, Bits]] = [(0, _designated(g, sdm))]
    special = special_sources(g) if g.forces.side[sdm] == GERMAN else {}
    if special:
        only = is_korsun_sdm(g, sdm)
        found += [(flag, 1 << h) for flag, h in special.items() if flag == FROM_KORSUN or not only]
    return tuple(one for one in found if one[1])


def traced(g: Board, sdm: Unit, h: Hex) -> Traced | None:
    """13.2.1 The best source an SDM in a hex traces to: most points, then one that draws on no track, then nearest."""
    return next(iter(_all_traced(g, sdm, h, _relay_hex(g, sdm))), None)


@fact(SOURCES)
def _all_traced(g: Board, sdm: Unit, h: Hex, relay: Hex) -> list[Traced]:
    """All of them, the best first."""
    found = []
    side = g.forces.side[sdm]
    for flag, starts in _with_relay(_reaches(g, sdm), relay):
        length = road_lengths(g, side, starts).get(h)
        if length is None or is_too_far(g, sdm, length):
            continue
        points = points_at(g, sdm, length)
        if flag in DRAWN_FROM:
            points = min(points, g.track(DRAWN_FROM[flag]))
        found.append(Traced(length, flag, points))
    return sorted(found, key=lambda t: (-t.points, t.flag, t.length))


def in_play(g: Board, sdm: Unit) -> bool:
    """13.2 Whether an SDM is in the game; that of 24th Panzer needs four of its units (18.7)."""
    if not g.steps[sdm]:
        return False
    if g.forces.division[sdm] == PZ24 and g.plays("pz24"):
        here = [u for u in g.on_the_map(GERMAN) if g.forces.division[u] == PZ24]
        return len(here) >= g.charts.constants.pz24_sdm
    return True


def why_not_choose(g: Board, side: Side, sdm: Unit) -> Refusal | None:
    """13.2.1, 16.2.2 Why an SDM may not be placed at all."""
    if g.forces.side[sdm] != side or g.forces.role[sdm] != SDM_ROLE:
        return Refusal("13.2.1", f"{g.name(sdm)} is no SDM of yours")
    if not in_play(g, sdm):
        rule = "18.7" if g.forces.division[sdm] == PZ24 else "13.2.1"
        return Refusal(rule, f"{g.name(sdm)} is not in play")
    if g.sdm_flags[sdm] & FIXED_SDM:
        return Refusal("16.2.2", f"{g.name(sdm)} stays where it is while its korps is isolated")
    return None


def why_not_place(g: Board, side: Side, sdm: Unit, h: Hex) -> Refusal | None:
    """13.2.1 Why an SDM may not lie in a hex."""
    if why := why_not_choose(g, side, sdm):
        return why
    if not on_road(g) >> h & 1:
        return Refusal("13.2.1", f"{g.hex_name(h)} is no road hex")
    if g.enemies_in(h, side):
        return Refusal("13.2.1", f"an enemy unit is in {g.hex_name(h)}")
    if traced(g, sdm, h) is not None:
        return None
    far = any(h in road_lengths(g, side, s) for _, s in reaches(g, sdm))
    if far:
        return Refusal("14.2.4", f"{g.hex_name(h)} is more than one increment beyond the capacity of {g.name(sdm)}")
    return Refusal("13.2.1", f"no free road leads from {g.hex_name(h)} to a source of {g.name(sdm)}")


def sdm_hexes(g: Board, side: Side, sdm: Unit) -> Bits:
    """13.2.1 All hexes an SDM may be placed in."""
    return 0 if why_not_choose(g, side, sdm) else road_hexes(g, side, sdm)


def road_hexes(g: Board, side: Side, sdm: Unit) -> Bits:
    """13.2.1 The road hexes without an enemy that are not too far from one of its sources."""
    found, relay = _roads_to_sources(g, side, sdm), _relay_hex(g, sdm)
    return found | _road_hexes(g, side, (1 << relay,), longest(g, sdm)) if relay >= 0 else found


@fact(SOURCES)
def _roads_to_sources(g: Board, side: Side, sdm: Unit) -> Bits:
    """The same but for relays."""
    return _road_hexes(g, side, tuple(s for _, s in _reaches(g, sdm)), longest(g, sdm))


@fact(LINES)
def _designated(g: Board, sdm: Unit) -> Bits:
    """13.1 Where an SDM may trace to, the sources in the pocket and relays aside."""
    return designated(g, sdm)


@fact(LINES)
def _road_hexes(g: Board, side: Side, sources: tuple[Bits, ...], most: int) -> Bits:
    return union(road_within(g, side, s, most) for s in sources) & on_road(g) & ~g.hexes_of(1 - side)


def why_not_relay(g: Board, side: Side, sdm: Unit, h: Hex) -> Refusal | None:
    """18.14 Why an SDM may not relay supply in a hex: mud, one for each army or korps, one increment from a source."""
    if not g.plays("sdm_relay"):
        return Refusal("18.14", "SDMs do not relay supply in this game")
    if g.condition != MUD:
        return Refusal("18.14", "supply is relayed in mud alone")
    if why := why_not_place(g, side, sdm, h):
        return why
    if g.forces.division[sdm] or (side == SOVIET and g.forces.corps[sdm]) or is_korsun_sdm(g, sdm):
        return Refusal("18.14", f"{g.name(sdm)} is not of an army or korps")
    if any(g.sdm_flags[v] & RELAY and same_command(g, v, sdm) for v in g.sdms(side) if v != sdm):
        return Refusal("18.14", "another SDM of its command relays supply")
    found = traced(g, sdm, h)
    if found is None or found.flag == FROM_RELAY or increments(g, sdm, found.length) > 1:
        return Refusal("18.14", f"{g.hex_name(h)} is more than one increment from a source")
    return None


# --- 14.2 what it receives -----------------------------------------------------------------------------------------


def reception(g: Board, sdm: Unit) -> Breakdown:
    """14.2 The Supply Points an SDM receives where it lies."""
    capacity = g.forces.counters[sdm].capacity
    b = Breakdown(f"Supply Points of {g.name(sdm)}").add("capacity", capacity, "14.2")
    found = traced(g, sdm, g.sdm_at[sdm])
    if found is None:
        return b.add("no path to a source", -capacity, "13.2.1")
    if g.sdm_flags[sdm] & RELAY:
        return b.add("relays supply", -capacity, "18.14")
    lost = capacity - points_at(g, sdm, found.length)
    if lost:
        n = increments(g, sdm, found.length)
        b.add(f"{found.length} hexes from its source, {n} increments", -lost, "14.2")
    if b.total > found.points:
        b.add("points left at its source", found.points - b.total, "14.5.1")
    return b
