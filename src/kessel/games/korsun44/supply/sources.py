"""13.1 Supply sources: map edges, rail terminals, Korsun."""

from __future__ import annotations

from kessel.core.facts import GAME, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, flood_links, members
from kessel.games.korsun44.board import (
    CAVALRY_CORPS,
    FROM_AIRFIELD,
    FROM_DEPOT,
    FROM_KORSUN,
    GERMAN,
    LINES,
    NO_COMMAND,
    RAIL_CUT,
    RAIL_REPAIR,
    SOURCES,
    SOVIET,
    TRANSFERRING,
    Board,
)
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.supply.paths import free_of

CAVALRY_SOURCES = ("4GA", "5GTkA", CAVALRY_CORPS)
"""13.1 5th Guards Cavalry Corps draws on either of two armies' sources; a scenario may give it one of its own."""
READY = 2
"""18.8, 18.9 State of an alternate airfield or depot: 1 under construction, 2 completed."""


# --- whose sources -------------------------------------------------------------------------------------------------


def armies_of(g: Board, u: Unit) -> tuple[str, ...]:
    """13.1 The armies whose edge sources are designated for a unit or SDM."""
    return armies_with(g, u, command_given(g, u))


@fact(GAME)
def armies_with(g: Board, u: Unit, given: str) -> tuple[str, ...]:
    """The same for a unit that was transferred to that command, or ("") to nobody."""
    f, formations = g.forces, g.charts.game.formations
    if f.side[u] == GERMAN:
        armee = next((a for a, korps in formations.korps_of.items() if given in korps), f.army[u])
        return (armee,) if armee else ()
    if given:
        return (given,)
    if f.army[u]:
        return (f.army[u],)
    if f.corps[u] == CAVALRY_CORPS:
        return CAVALRY_SOURCES
    return formations.front_of.get(g.front_of(u), ())


def others(g: Board, side: Side) -> tuple[str, ...]:
    """13.4.3 The commands units can be transferred to: korps or armies."""
    formations = g.charts.game.formations
    return formations.german_korps if side == GERMAN else formations.soviet_armies


def command_given(g: Board, u: Unit) -> str:
    """13.4.3 The korps or army a unit was transferred to and may trace to; empty for none."""
    number = g.transferred[u]
    if number == NO_COMMAND or g.status[u] & TRANSFERRING:
        return ""
    return others(g, g.forces.side[u])[number]


# --- 13.1 edges ----------------------------------------------------------------------------------------------------


def _printed(g: Board, side: Side, army: str) -> Bits:
    """The edge hexes of an army, those a scenario adds included."""
    names = g.charts.game.formations
    mine = names.armees if side == GERMAN else (*names.soviet_armies, *names.soviet_corps)
    found = g.ground.sources.get(army, 0) if army in mine else 0
    found |= bits(s.hex for s in g.scenario.sources if s.side == side and army in s.serves)
    return found & g.playable


@fact(LINES)
def edge_sources(g: Board, side: Side, armies: tuple[str, ...]) -> Bits:
    """13.1 Edge sources of these armies that are open."""
    found = 0
    for army in armies:
        found |= _printed(g, side, army)
    return found & open_to(g, side)


def open_to(g: Board, side: Side) -> Bits:
    """13.1, 13.3 The hexes in which a path of that side may end at a source: no enemy, and no zone of his unless a
    friend is there (switch source_held)."""
    return free_of(g, side) if g.reads("source_held") == "occupied_or_zone" else ~g.hexes_of(1 - side)


def all_edges(g: Board, side: Side) -> Bits:
    """All open edge sources of a side."""
    names = g.charts.game.formations
    return edge_sources(g, side, names.armees if side == GERMAN else (*names.soviet_armies, CAVALRY_CORPS))


# --- 13.1.1 the railroad --------------------------------------------------------------------------------------------


@fact(LINES)
def cut_hexes(g: Board) -> Bits:
    """13.1.2 Railroad hexes with a Rail Cut marker on either side."""
    return bits(g.works_of(RAIL_CUT | RAIL_REPAIR))


@fact(LINES)
def open_railroad(g: Board) -> Bits:
    """13.1.1 Railroad hexes joined to a German edge source by a line nobody interrupts."""
    zone = zone_of(g, SOVIET)
    if g.reads("rail_zone") == "friend_cancels":
        zone &= ~g.hexes_of(GERMAN)
    through = g.playable & g.ground.on_railroad & ~g.hexes_of(SOVIET) & ~zone & ~cut_hexes(g)
    links = list(g.ground.railroad)
    for key in g.broken():
        for s in (key, g.map.grid.flip(key)):
            if s >= 0:
                links[s % 6] &= ~(1 << s // 6)
    return flood_links(g.map.grid, all_edges(g, GERMAN) & through, links, through)


def open_terminals(g: Board) -> Bits:
    """13.1.1 The rail terminals that are sources for all Germans; Korsun's among them (13.1.3)."""
    return open_railroad(g) & g.ground.terminals


def why_not_terminal(g: Board, h: Hex) -> str:
    """Words for a terminal that is no source."""
    return "" if open_terminals(g) >> h & 1 else f"the railroad to {g.place_words(h)} is interrupted"


# --- 13.1.3, 14.5 Korsun, 18.8, 18.9 --------------------------------------------------------------------------------


def korsun_supplies(g: Board) -> bool:
    """14.5.1 Whether the town is a special source: isolated, and open to a path."""
    declared, h = g.track("korsun_declared"), g.ground.korsun
    if not declared or h < 0 or not g.playable >> h & 1 or not open_to(g, GERMAN) >> h & 1:
        return False
    return g.turn > declared or g.reads("korsun_at_once") == "at_once"


@fact(SOURCES)
def special_sources(g: Board) -> dict[int, Hex]:
    """The German sources inside the pocket, by the flag of an SDM that draws on them."""
    found = {}
    if korsun_supplies(g) and not open_terminals(g) >> g.ground.korsun & 1:
        found[FROM_KORSUN] = g.ground.korsun
    for flag, name in ((FROM_AIRFIELD, "airfield"), (FROM_DEPOT, "depot")):
        h = g.track(f"{name}_at") - 1
        if h >= 0 and g.track(f"{name}_state") == READY and open_to(g, GERMAN) >> h & 1:
            found[flag] = h
    return found


# --- designated ----------------------------------------------------------------------------------------------------


def designated(g: Board, u: Unit) -> Bits:
    """13.1 Edges and terminals a unit or SDM may trace to; the Korsun SDM traces to Korsun alone (13.2.3)."""
    side = g.forces.side[u]
    if is_korsun_sdm(g, u):
        return open_terminals(g) & (1 << g.ground.korsun) if g.ground.korsun >= 0 else 0
    return _designated(g, side, armies_of(g, u))


@fact(LINES)
def _designated(g: Board, side: Side, armies: tuple[str, ...]) -> Bits:
    found = edge_sources(g, side, armies)
    return found | open_terminals(g) if side == GERMAN else found


def is_korsun_sdm(g: Board, u: Unit) -> bool:
    return g.forces.ids[u] == "SDM.Korsun"


def all_sources(g: Board, u: Unit) -> Bits:
    """The same with the sources in the pocket."""
    if not is_korsun_sdm(g, u):
        return all_sources_of(g, g.forces.side[u], armies_of(g, u))
    korsun = special_sources(g).get(FROM_KORSUN, NO_HEX)
    return designated(g, u) | (1 << korsun if korsun >= 0 else 0)


@fact(SOURCES)
def all_sources_of(g: Board, side: Side, armies: tuple[str, ...]) -> Bits:
    """The same for all units to which these armies' sources are designated."""
    found = _designated(g, side, armies)
    return found | bits(special_sources(g).values()) if side == GERMAN else found


def source_words(g: Board, s: Bits) -> str:
    return ", ".join(g.place_words(h) for h in members(s)) or "none"
