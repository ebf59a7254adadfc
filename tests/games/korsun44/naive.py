"""Second implementations, slow and simple, to compare with."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Hex
from kessel.core.paths import ALL
from kessel.games.korsun44.board import DISORDER, SOVIET, Board
from kessel.games.korsun44.data.forces import ALARM, BARRAGE
from kessel.games.korsun44.movement.costs import TACTICAL, kind_of, prices
from kessel.games.korsun44.units.strength import infantry_steps


def zones(g: Board, side: int) -> tuple[set[Hex], set[Hex]]:
    """10.1, 10.6 ZOC and ZOI of a side, hex by hex."""
    zoc: set[Hex] = set()
    any_: set[Hex] = set()
    for a in g.map.grid.hexes:
        units = [v for v in g.units(a) if g.forces.side[v] == side and g.forces.role[v] not in (ALARM, BARRAGE)]
        steps = sum(infantry_steps(g, v) for v in units if not g.status[v] & DISORDER)
        for d, b in enumerate(g.map.grid.neighbours[a]):
            if not units or b < 0 or g.map.terrain[b] in ("town", "forest", "dnepr"):
                continue
            if {"river", "lake"} & set(g.map.side_features(a, d)):
                continue
            any_.add(b)
            if steps >= 3:
                zoc.add(b)
    return zoc, any_ - zoc


def reach(g: Board, u: int, budget: int) -> dict[Hex, int]:
    """9.2, 10.2-10.4 The least cost of every hex a single unit without friends in its hex can get to.

    All ways are tried until none is cheaper: Bellman and Ford, not Dijkstra. Eligibility is written out anew.
    """
    side, f = g.forces.side[u], g.forces
    enemy = 1 - side
    zoc, zoi = zones(g, enemy)
    cls = kind_of(g, u, TACTICAL)[0]
    table = prices(g, side, kind_of(g, u, TACTICAL), False)
    price = {
        w: g.charts.terrain[w].cost[cls][g.condition] for w in ("enter_zoc", "leave_zoc", "enter_zoi", "leave_zoi")
    }
    if side == SOVIET:
        may = bool(f.star[u]) and g.steps[u] > 1
    else:
        may = bool(f.armor[u]) or bool(f.infantry_type[u] and f.attacks[u])
    held = {g.place[v] for v in range(len(f)) if g.on_map(v) and f.side[v] == enemy}
    guarded = {v for v in range(len(f)) if g.on_map(v) and f.side[v] == enemy and f.role[v] not in (ALARM, BARRAGE)}

    def over_river(a: Hex) -> bool:
        if g.map.terrain[a] in ("town", "forest"):
            return False
        sides = enumerate(g.map.grid.neighbours[a])
        return any(
            b >= 0 and "river" in g.map.side_features(a, d) and any(g.place[v] == b for v in guarded) for d, b in sides
        )

    start = g.place[u]
    best: dict[Hex, int] = {start: 0}
    stopped: set[Hex] = set()
    changed = True
    while changed:
        changed = False
        for a, spent in list(best.items()):
            if a in stopped and a != start:
                continue
            if a != start and side == SOVIET and not may and a in zoc:
                continue
            for d, b in enumerate(g.map.grid.neighbours[a]):
                if b < 0 or b in held or not g.playable >> b & 1:
                    continue
                cost = table.step(a, d)
                if isinstance(cost, Refusal):
                    continue
                crossing = "river" in g.map.side_features(a, d) and over_river(a)
                if (a in zoc or crossing) and b in zoc and not may:
                    continue
                if cost == ALL:
                    if a != start:
                        continue
                    total, ends = budget, True
                else:
                    cost += price["leave_zoc"] if a in zoc or crossing else price["leave_zoi"] if a in zoi else 0
                    cost += price["enter_zoc"] if b in zoc else price["enter_zoi"] if b in zoi else 0
                    total, ends = spent + cost, False
                if total > budget:
                    if a != start:
                        continue
                    ends = True
                if total < best.get(b, 1 << 30):
                    best[b] = total
                    (stopped.add if ends else stopped.discard)(b)
                    changed = True
    del best[start]
    return best


def trace(g: Board, u: int, ends: set[Hex], *, across: bool) -> int | None:
    """13.3 The shortest supply path from a unit to one of the hexes: every way is tried, hex by hex."""
    side = g.forces.side[u]
    zoc, zoi = zones(g, 1 - side)
    mine = {g.place[v] for v in range(len(g.forces)) if g.on_map(v) and g.forces.side[v] == side}
    theirs = {g.place[v] for v in range(len(g.forces)) if g.on_map(v) and g.forces.side[v] != side}
    standing = {s for s, state in zip(g.bridge_at, g.bridge_state, strict=True) if s >= 0 and state == 0}

    def free(h: Hex) -> bool:
        return bool(g.playable >> h & 1) and h not in theirs and (h in mine or h not in zoc | zoi)

    def crosses(a: Hex, d: int, first: bool) -> bool:
        words = set(g.map.side_features(a, d))
        key = g.map.grid.canonical(a * 6 + d)
        linked = any(g.map.linked(a, d, kind) for kind in ("primary", "secondary", "trail", "railroad"))
        if "lake" in words:
            return False
        bridged = key in standing if words & {"river", "stream"} else linked
        if "swamp" in words and not (linked and bridged):
            return False
        if "river" in words and not bridged:
            return first and across
        return True

    best = {g.place[u]: 0}
    changed = True
    while changed:
        changed = False
        for a, n in list(best.items()):
            for d, b in enumerate(g.map.grid.neighbours[a]):
                if b >= 0 and free(b) and crosses(a, d, n == 0) and n + 1 < best.get(b, 999):
                    best[b] = n + 1
                    changed = True
    return min((best[h] for h in ends if h in best and free(h)), default=None)
