"""The ring: by which way the Germans round Korsun still reach the edge of the map, and what would close it."""

from __future__ import annotations

from collections import deque

from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, flood, members, spread_through, union
from kessel.games.korsun44.board import GERMAN, Board
from kessel.games.korsun44.movement.zones import zone_around
from kessel.games.korsun44.supply.paths import barriers_of, free_of, road_path
from kessel.games.korsun44.supply.sources import all_edges

WIDEST = 24
"""Hexes of a gap beyond which nobody thinks of closing it."""


def road_out(g: Board) -> Bits:
    """The hexes of a shortest free road from Korsun to a German edge source; none where there is none."""
    ring = Ring(g)
    return bits(road_path(g, GERMAN, ring.korsun, ring.edges)) if ring.matters else 0


def way_out(g: Board) -> Bits:
    """The hexes of a shortest free way from Korsun to a German edge source; none where there is none."""
    ring = Ring(g)
    return ring.way(g.playable & ~free_of(g, GERMAN)) if ring.matters else 0


class Ring:
    """The ground between Korsun and the German edges. What is closed to the Germans is given as a set of hexes, so that
    units can be thought away or elsewhere."""

    def __init__(self, g: Board) -> None:
        self.g, self.grid = g, g.map.grid
        self.korsun, self.edges = g.ground.korsun, all_edges(g, GERMAN)
        self.germans, self.barriers = g.hexes_of(GERMAN), barriers_of(g, GERMAN)

    @property
    def matters(self) -> bool:
        """Whether Korsun is on the board and not taken, and there is an edge to reach."""
        g, h = self.g, self.korsun
        return h >= 0 and bool(g.playable >> h & 1 and self.edges) and not g.enemies_in(h, GERMAN)

    def closed_by(self, sources: Bits) -> Bits:
        """13.3 What Soviets with a zone in these hexes close: theirs, and those in the zone without a German."""
        return sources | zone_around(self.g, sources) & ~self.germans

    def leaks(self, closed: Bits) -> bool:
        """Whether any way leads out."""
        return bool(flood(self.grid, 1 << self.korsun, self.g.playable & ~closed, self.barriers) & self.edges)

    def way(self, closed: Bits) -> Bits:
        """A shortest way out."""
        free = self.g.playable & ~closed
        layers = [1 << self.korsun]
        seen = layers[0]
        while not seen & self.edges:
            front = spread_through(self.grid, layers[-1], self.barriers) & free & ~seen
            if not front:
                return 0
            layers.append(front)
            seen |= front
        last = layers[-1] & self.edges
        found = here = last & -last
        for layer in reversed(layers[:-1]):
            here = spread_through(self.grid, here, self.barriers) & layer
            here &= -here
            found |= here
        return found

    def gap(self, closed: Bits, can: Bits) -> Bits | None:
        """The fewest hexes of those that can be closed that would close the ring; None where it cannot be done."""
        free = self.g.playable & ~closed
        if self.leaks(closed | can & ~self.edges):
            return None
        flow = _Flow(self._links(free), set(members(free & can & ~self.edges)), self.korsun, set(members(self.edges)))
        for _ in range(WIDEST):
            if not flow.augment():
                return flow.cut()
        return None

    def _links(self, free: Bits) -> dict[Hex, list[Hex]]:
        """The neighbours of each free hex that a way goes on to."""
        neighbours, barred = self.grid.neighbours, union(self.barriers)
        found = {}
        for h in members(free | 1 << self.korsun):
            near = [n for n in neighbours[h] if n >= 0 and free >> n & 1]
            if barred >> h & 1:
                near = [n for n in near if not self.barriers[self.grid.direction(h, n)] >> h & 1]
            found[h] = near
        return found


class _Flow:
    """The most ways out that share none of the hexes that can be closed: as many hexes close them all."""

    def __init__(self, links: dict[Hex, list[Hex]], single: set[Hex], start: Hex, ends: set[Hex]) -> None:
        self.links, self.single, self.start, self.ends = links, single, start, ends
        self.along: dict[tuple[Hex, Hex], int] = {}
        self.through: dict[Hex, int] = {}
        self.came: dict[tuple[Hex, bool], tuple[Hex, bool]] = {}
        """How each hex was come to, entering it (False) or leaving it (True)."""

    def augment(self) -> bool:
        """One way more, others led round where they must be."""
        first = (self.start, True)
        self.came = {first: first}
        queue = deque([first])
        while queue:
            here = queue.popleft()
            for there in self._next(*here):
                if there not in self.came:
                    self.came[there] = here
                    if there[0] in self.ends and not there[1]:
                        self._add(there)
                        return True
                    queue.append(there)
        return False

    def _next(self, h: Hex, leaving: bool) -> list[tuple[Hex, bool]]:
        used = self.through.get(h, 0)
        if leaving:
            found = [(n, False) for n in self.links[h]]
            return [*found, (h, False)] if used else found
        found = [(n, True) for n in self.links[h] if self.along.get((n, h))] if used else []
        return found if used and h in self.single else [*found, (h, True)]

    def _add(self, node: tuple[Hex, bool]) -> None:
        while node != self.came[node]:
            before = self.came[node]
            (a, out), (b, leaves) = before, node
            if a == b:
                self.through[a] = self.through.get(a, 0) + (1 if leaves else -1)
            elif out:
                self.along[a, b] = self.along.get((a, b), 0) + 1
            else:
                self.along[b, a] -= 1
            node = before

    def cut(self) -> Bits:
        """The hexes that every way goes through, those nearest to the start."""
        return bits(h for h in self.single if (h, False) in self.came and (h, True) not in self.came)
