"""The roads a side's formations live by: which enemies cut them, and where somebody must stand to keep them open."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.games.korsun44.board import Board
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.supply.markers import servers
from kessel.games.korsun44.supply.paths import on_road, roads_of
from kessel.games.korsun44.supply.sources import designated

ZONED, HELD = 3, 8
"""Hexes that one in an enemy zone, and one with an enemy, count for on the way."""
MANY = 12.0
"""Units on a road that make it worth everything."""


@dataclass(slots=True)
class Roads:
    """Hexes with what they are worth: as the share of a formation that lives by them."""

    blocks: dict[Hex, float] = field(default_factory=dict)
    """Enemies on a road, or with a zone on it."""
    holes: dict[Hex, float] = field(default_factory=dict)
    """Hexes of a road in an enemy zone where nobody stands: a friend there opens it (13.3)."""


def needed_roads(g: Board, side: Side) -> Roads:
    found = Roads()
    enemies, zone, own = g.hexes_of(1 - side), zone_of(g, 1 - side), g.hexes_of(side)
    for sources, units in _commands(g, side).items():
        worth = min(1.0, len(units) / MANY)
        for h in _road(g, side, sources, _middle(g, units)):
            if enemies >> h & 1:
                _raise(found.blocks, h, worth)
            elif zone >> h & 1 and not own >> h & 1:
                _raise(found.holes, h, worth)
                for n in g.map.grid.around[h]:
                    if enemies >> n & 1:
                        _raise(found.blocks, n, worth)
    return found


def _raise(found: dict[Hex, float], h: Hex, worth: float) -> None:
    found[h] = max(found.get(h, 0.0), worth)


def _commands(g: Board, side: Side) -> dict[Bits, list[Unit]]:
    """The units of each command, by the sources it draws on."""
    found: dict[Bits, list[Unit]] = {}
    for u in g.on_the_map(side):
        sdms = servers(g, u)
        if sdms:
            found.setdefault(designated(g, sdms[0]), []).append(u)
    return {s: units for s, units in found.items() if s}


def _middle(g: Board, units: Sequence[Unit]) -> Hex:
    """The road hex in the middle of units."""
    grid, places = g.map.grid, [g.place[u] for u in units]
    middle = min(places, key=lambda h: (sum(grid.distance(h, x) for x in places), h))
    return min(members(on_road(g)), key=lambda h: (grid.distance(h, middle), h))


def _road(g: Board, side: Side, sources: Bits, goal: Hex) -> Iterator[Hex]:
    """The road from a goal back to a source that fewest enemies are on."""
    links, neighbours = roads_of(g, side), g.map.grid.neighbours
    enemies, zone = g.hexes_of(1 - side), zone_of(g, 1 - side) & ~g.hexes_of(side)
    heap = [(0, h, -1) for h in members(sources)]
    came: dict[Hex, Hex] = {}
    while heap:
        d, h, before = heapq.heappop(heap)
        if h in came:
            continue
        came[h] = before
        if h == goal:
            break
        for way, n in enumerate(neighbours[h]):
            if n >= 0 and n not in came and links[way] >> h & 1:
                heapq.heappush(heap, (d + (HELD if enemies >> n & 1 else ZONED if zone >> n & 1 else 1), n, h))
    h = goal if goal in came else -1
    while h >= 0:
        yield h
        h = came[h]
