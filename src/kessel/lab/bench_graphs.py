"""The benchmark's jobs written with networkx and with scipy's csgraph, as one would there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, dijkstra

from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members

if TYPE_CHECKING:
    from kessel.lab.bench import Scene

BUDGET = 18  # as in kessel.lab.bench


class NetworkxScene:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        grid = scene.grid
        self.graph: Any = nx.DiGraph()
        self.ground: Any = nx.Graph()
        self.roads: Any = nx.Graph()
        self.graph.add_nodes_from(grid.hexes)
        self.ground.add_nodes_from(grid.hexes)
        self.roads.add_nodes_from(grid.hexes)
        for h in grid.hexes:
            for n, cost, side in scene.costs.edges[h]:
                self.graph.add_edge(h, n, cost=cost)
                if not scene.blocked[side % 6] >> h & 1:
                    self.ground.add_edge(h, n)
                if scene.roads[side % 6] >> h & 1:
                    self.roads.add_edge(h, n)
        self.enemies = set(members(scene.enemies))
        self.friends = set(members(scene.friends))
        self.open = set(members(scene.open))
        self.sources = set(members(scene.sources))

    def _zoc(self) -> set[Hex]:
        return {n for h in self.enemies for n in self.ground[h]}

    def zoc(self) -> Bits:
        return bits(self._zoc())

    def reach(self) -> tuple[dict[Hex, int], dict[Hex, list[Hex]]]:
        zoc, enemies, open_, start = self._zoc(), self.enemies, self.open, self.scene.start
        extra = 4 if start in zoc else 0

        def cost(a: Hex, b: Hex, edge: dict[str, int]) -> int | None:
            if b in enemies or b not in open_ or (a in zoc and a != start):
                return None
            return edge["cost"] + (extra if a == start else 0)

        found: tuple[dict[Hex, int], dict[Hex, list[Hex]]]
        found = nx.single_source_dijkstra(self.graph, start, cutoff=BUDGET, weight=cost)
        return found

    def supply(self) -> Bits:
        zoc = self._zoc() - self.friends
        free = self.open - self.enemies
        calm = free - zoc
        roads = self.roads.subgraph(calm)
        on_road = set(self.sources & calm)
        for source in self.sources & calm:
            if source in roads:
                on_road |= nx.node_connected_component(roads, source)
        goal = on_road | (self.sources & free)

        def weight(a: Hex, b: Hex, _: dict[str, int]) -> int | None:
            return None if b not in free or (a in zoc and b in zoc) else 1

        entered = nx.multi_source_dijkstra_path_length(self.ground, goal, cutoff=4, weight=weight)
        starts = set(goal)
        for h in entered:
            starts.update(self.ground[h])
        return bits(starts)


class ScipyScene:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        grid = scene.grid
        n = grid.size
        moves = [(h, m, c, side) for h in grid.hexes for m, c, side in scene.costs.edges[h]]
        self.tail = np.array([m[0] for m in moves])
        self.head = np.array([m[1] for m in moves])
        self.cost = np.array([m[2] for m in moves], float)
        self.ground = np.array([not scene.blocked[m[3] % 6] >> m[0] & 1 for m in moves])
        self.road = np.array([bool(scene.roads[m[3] % 6] >> m[0] & 1) for m in moves])
        self.n = n
        self.enemies = self._flags(scene.enemies)
        self.friends = self._flags(scene.friends)
        self.open = self._flags(scene.open)
        self.sources = self._flags(scene.sources)

    def _flags(self, s: Bits) -> Any:
        flags = np.zeros(self.n, bool)
        flags[members(s)] = True
        return flags

    def _zoc(self) -> Any:
        zoc = np.zeros(self.n, bool)
        zoc[self.head[self.enemies[self.tail] & self.ground]] = True
        return zoc

    def zoc(self) -> Bits:
        return bits(np.flatnonzero(self._zoc()).tolist())

    def reach(self) -> dict[Hex, int]:
        start = self.scene.start
        zoc = self._zoc()
        use = ~self.enemies[self.head] & self.open[self.head] & (~zoc[self.tail] | (self.tail == start))
        cost = self.cost[use] + np.where(self.tail[use] == start, 4 if zoc[start] else 0, 0)
        graph = csr_array((cost, (self.tail[use], self.head[use])), shape=(self.n, self.n))
        found, _ = dijkstra(graph, indices=start, limit=BUDGET, return_predecessors=True)
        near = np.flatnonzero(found <= BUDGET)
        return {int(h): int(found[h]) for h in near}

    def supply(self) -> Bits:
        zoc = self._zoc() & ~self.friends
        free = self.open & ~self.enemies
        calm = free & ~zoc
        use = self.road & calm[self.tail] & calm[self.head]
        hub = self.n
        sources = np.flatnonzero(self.sources & calm)
        tail = np.r_[self.tail[use], np.full(len(sources), hub)]
        head = np.r_[self.head[use], sources]
        graph = csr_array((np.ones(len(tail)), (tail, head)), shape=(self.n + 1, self.n + 1))
        order = breadth_first_order(graph, hub, return_predecessors=False)
        goal = self.sources & free
        goal[order[order < self.n]] = True
        use = self.ground & free[self.head] & ~(zoc[self.tail] & zoc[self.head])
        ground = csr_array((np.ones(int(use.sum())), (self.tail[use], self.head[use])), shape=(self.n, self.n))
        far = dijkstra(ground, indices=np.flatnonzero(goal), min_only=True, limit=4)
        starts = goal.copy()
        starts[self.head[(far[self.tail] <= 4) & self.ground]] = True
        return bits(np.flatnonzero(starts).tolist())
