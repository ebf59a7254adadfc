"""Slow second versions of rules, written from the text, to compare with the real ones on random boards."""

from __future__ import annotations

import random

from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN, SOVIET

from .helpers import board, ger, hq, pos, sov

LEG = {"clear": 2, "marsh": 3, "village": 2, "town": 2, "light_forest": 2, "dense_forest": 3}
MOT = {"clear": 2, "marsh": 6, "village": 2, "town": 2, "light_forest": 6, "dense_forest": 8}
TERRAINS = tuple(LEG)
WATERS = ("stream", "bug", "lake")
NO_AFV_ZONE = ("marsh", "town", "light_forest", "dense_forest")


def random_board(seed: int) -> Board:
    r = random.Random(seed)
    span = range(-4, 5)
    names = [f"{q},{s}" for q in span for s in span if abs(q + s) <= 4]
    terrain = {n: r.choice(TERRAINS) for n in names if r.random() < 0.4}
    grid = board(radius=4).grid
    sides = {}
    for n in names:
        for m in grid.names(grid.around[grid.hex(n)]):
            if n < m and r.random() < 0.12:
                sides[f"{n}|{m}"] = r.choice(WATERS)
    road = ["0,-4"]
    while len(road) < 9:
        road.append(r.choice(grid.names(grid.around[grid.hex(road[-1])])))
    units, taken = [], set()
    for n in range(6):
        at = r.choice([x for x in names if x not in taken])
        taken.add(at)
        type = r.choice(("infantry", "afv", "anti_tank", "motorized_infantry"))
        make = ger if n % 2 else sov
        status = "disrupted" if r.random() < 0.25 else ""
        units.append(make(f"U{n}", at, type, status=status, ma=r.choice((3, 5, 8))))
    free = [x for x in names if x not in taken]
    units += [hq("HG", r.choice(free[:20]), "298ID", range=3), hq("HS", r.choice(free[20:]), "215MD", range=3)]
    kinds = [(r.choice(("road", "railway")), " ".join(road))]
    return pos(*units, on=board(terrain=terrain, sides=sides, roads=kinds, radius=4))


def side_between(g: Board, a: int, b: int) -> str:
    """The water between two hexes; with `bridged_` where a road or railway crosses it or a town is beside it."""
    d = g.map.grid.direction(a, b)
    water = next((w for w in ("bug", "stream", "lake") if g.map.side_has(a, d, w)), "")
    if water in ("bug", "stream"):
        town = "town" in (g.map.terrain[a], g.map.terrain[b])
        if town or g.map.linked(a, d, "road", "railway"):
            return f"bridged_{water}"
    return water


def zone(g: Board, side: int) -> set[int]:
    found = set()
    for u in range(len(g.forces)):
        if g.forces.side[u] != side or g.forces.hq[u] or g.is_disrupted(u) or not g.on_map(u):
            continue
        heavy = g.forces.type[u] in ("afv", "anti_tank")
        for n in g.map.grid.around[g.place[u]]:
            water = side_between(g, g.place[u], n)
            if water in ("bug", "bridged_bug", "lake") or (heavy and water):
                continue
            if not (heavy and g.map.terrain[n] in NO_AFV_ZONE):
                found.add(n)
    return found


def reach(g: Board, u: int) -> dict[int, int]:
    """Hexes and costs of one unit without boats, by relaxing until nothing changes, one run for each allowance."""
    enemy = 1 - g.forces.side[u]
    zones, grid = zone(g, enemy), g.map.grid
    wheels = bool(g.forces.motorized[u])
    hostile = {g.place[v] for v in range(len(g.forces)) if g.forces.side[v] == enemy and g.on_map(v)}
    barred = {g.place[v] for v in range(len(g.forces)) if g.forces.side[v] == enemy and not g.forces.hq[v]}
    near = {n for x in hostile for n in grid.around[x]} | hostile
    start = g.place[u]

    def price(a: int, b: int) -> int | None:
        d = grid.direction(a, b)
        if a not in zones and b not in zones:
            if g.map.linked(a, d, "road"):
                return 1 if wheels else 2
            if g.map.linked(a, d, "railway"):
                return 2
        water = side_between(g, a, b)
        if water in ("bug", "lake"):
            return None
        base = (MOT if wheels else LEG)[g.map.terrain[b] or "clear"]
        if water == "stream":
            return 999 if wheels else base + 2
        return base

    def full(x: int) -> bool:
        """No room to stop in: a unit of an infantry type already there, or three units."""
        there = [v for v in g.units(x) if v != u and not g.forces.hq[v] and g.forces.side[v] != enemy]
        foot = sum(g.forces.stacks_as_infantry[v] for v in (*there, u))
        return len(there) >= 3 or foot > 1

    def may_enter(x: int) -> bool:
        must_stop = x in zones or (g.forces.afv[u] and g.map.terrain[x] == "marsh")
        return x not in barred and not (must_stop and full(x))

    def run(most: int, allowed: set[int], minimum: bool) -> dict[int, int]:
        best = {start: 0}
        ended: dict[int, int] = {}
        changed = True
        while changed:
            changed = False
            for a in list(best):
                if a != start and a in zones:
                    continue
                for b in grid.around[a]:
                    if b == start or b not in allowed or not may_enter(b) or (a == start and {a, b} <= zones):
                        continue
                    p = price(a, b)
                    if p is None:
                        continue
                    cost = best[a] + p
                    if cost <= most:
                        if cost < best.get(b, 999):
                            best[b] = cost
                            changed = True
                    elif a == start and minimum:
                        ended[b] = most
        return {h: c for h, c in {**ended, **best}.items() if h != start}

    everywhere = set(grid.hexes)
    usual = run(g.forces.ma[u] * 2, everywhere, True)
    if wheels or start in near:
        return usual
    away = run(g.forces.ma[u] * 2 + 4, everywhere - near, False)
    return {**away, **usual}


def command(g: Board, u: int) -> int:
    """The length of the Command Path by trying all ways outward; -1 for none."""
    side = g.forces.side[u]
    hqs = [v for v in range(len(g.forces)) if g.forces.hq[v] and g.command[v] == g.command[u]]
    zones = zone(g, 1 - side)

    def barred(x: int) -> bool:
        there = g.units(x)
        enemies = any(g.forces.side[v] != side for v in there)
        return enemies or (x in zones and not there)

    goal = g.place[hqs[0]]
    if g.place[u] == goal:
        return 0
    seen, edge, n = {g.place[u]}, {g.place[u]}, 0
    while edge:
        n += 1
        edge = {b for a in edge for b in g.map.grid.around[a] if b not in seen and not barred(b)}
        if goal in edge:
            return n
        seen |= edge
    return -1


def supplied(g: Board, q: int) -> bool:
    side = g.forces.side[q]
    zones = zone(g, 1 - side)
    area = g.map.areas["german_supply" if side == GERMAN else "north_soviet_supply"]
    todo, seen = [g.place[q]], {g.place[q]}
    while todo:
        a = todo.pop()
        if area >> a & 1:
            return True
        for b in g.map.grid.around[a]:
            there = g.units(b)
            if any(g.forces.side[v] != side for v in there) or (b in zones and not there) or b in seen:
                continue
            if side_between(g, a, b) not in ("bug", "lake"):
                seen.add(b)
                todo.append(b)
    return False


SIDES = (GERMAN, SOVIET)
