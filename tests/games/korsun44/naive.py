"""Second implementations, slow and simple, to compare with."""

from __future__ import annotations

import csv
from fractions import Fraction

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Hex
from kessel.core.paths import ALL
from kessel.games.korsun44.board import DISORDER, SOVIET, Board
from kessel.games.korsun44.data.charts import CLASSES
from kessel.games.korsun44.data.forces import ALARM, BARRAGE
from kessel.games.korsun44.movement.costs import TACTICAL, kind_of, prices
from kessel.games.korsun44.units.strength import infantry_steps

from .helpers import PACK


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


# --- 9.2 what a step costs, from the chart as it is printed --------------------------------------------------------


Chart = dict[str, dict[str, str]]


def chart() -> Chart:
    """tables/terrain.csv, read anew."""
    lines = [x for x in PACK.text("tables/terrain.csv").splitlines() if x and not x.startswith("#")]
    return {row["terrain"]: row for row in csv.DictReader(lines)}


def step_cost(g: Board, rows: Chart, cls: str, swims: bool, a: Hex, d: int, *, strategic: bool) -> str:
    """The cost of a step as text: a number, "all", or "no"."""
    b = g.map.grid.neighbours[a][d]
    there = _one_way(g, rows, cls, swims, a, d, b, strategic)
    back = _one_way(g, rows, cls, swims, b, (d + 3) % 6, a, strategic)
    return "no" if back == "no" and there != "all" else there


def _one_way(g: Board, rows: Chart, cls: str, swims: bool, a: Hex, d: int, b: Hex, strategic: bool) -> str:
    column = f"{cls}_{('frozen', 'mud')[g.condition]}"
    words = set(g.map.side_features(a, d))
    key = g.map.grid.canonical(a * 6 + d)
    down = {s for s, state in zip(g.bridge_at, g.bridge_state, strict=True) if state != 0}
    if "lake" in words:
        return "no"
    if key not in down:
        links = [k for k in ("primary", "secondary", "trail", "railroad") if g.map.linked(a, d, k)]
        named = [f"{k}_strategic" if strategic and f"{k}_strategic" in rows else k for k in links]
        if named:
            return str(min(Fraction(rows[k][column]) for k in named))
    total = Fraction(0)
    for word in (g.map.terrain[b], *sorted(words)):
        cost = rows[word][column]
        if cost == "no":
            return "no"
        if cost == "all":
            return "all" if swims and rows[g.map.terrain[b]][column] != "no" else "no"
        total += Fraction(cost)
    return str(total)


# --- 12.13 retreats ------------------------------------------------------------------------------------------------


def retreats(g: Board, u: int, n: int) -> set[tuple[Hex, ...]]:
    """All ways of retreat: every way of n hexes is tried, then the worse ones are thrown out."""
    rows, start, side = chart(), g.place[u], g.forces.side[u]
    zoc, zoi = zones(g, 1 - side)
    held = {g.place[v] for v in range(len(g.forces)) if g.on_map(v) and g.forces.side[v] != side}
    moves = [CLASSES[g.forces.move[u]]]
    if g.charts.types[g.forces.type[u]].foot_rate or (
        g.forces.move[u] == 1 and g.forces.engineer[u] and not g.forces.engineer[u] & {"bridge_K", "bridge_J"}
    ):
        moves.append("foot")

    def can(a: Hex, d: int) -> bool:
        b = g.map.grid.neighbours[a][d]
        if b < 0 or b in held:
            return False
        swims = bool(g.forces.infantry_type[u])
        dry = moves[:1] if "swamp" in g.map.side_features(a, d) else moves
        return any(step_cost(g, rows, m, swims and m == "foot", a, d, strategic=False) != "no" for m in dry)

    ways: list[tuple[Hex, ...]] = [()]
    found: list[tuple[Hex, ...]] = []
    for _ in range(n):
        longer = []
        for path in ways:
            here = path[-1] if path else start
            for d in range(6):
                if can(here, d) and (b := g.map.grid.neighbours[here][d]) != start and b not in path:
                    longer.append((*path, b))
        if not longer:
            break
        ways = found = longer
    if not found:
        return set()
    far = max(g.map.grid.distance(start, p[-1]) for p in found)
    found = [p for p in found if g.map.grid.distance(start, p[-1]) == far]
    least = min(sum(h in zoc | zoi for h in p) for p in found)
    return {p for p in found if sum(h in zoc | zoi for h in p) == least}


# --- 13.4.1 supply -------------------------------------------------------------------------------------------------


def road_way(g: Board, side: int, start: Hex, ends: set[Hex]) -> int | None:
    """13.2.1 The shortest free road from a hex to one of the ends; the path ends in one that is free (13.3)."""
    zoc, zoi = zones(g, 1 - side)
    mine = {g.place[v] for v in range(len(g.forces)) if g.on_map(v) and g.forces.side[v] == side}
    theirs = {g.place[v] for v in range(len(g.forces)) if g.on_map(v) and g.forces.side[v] != side}
    down = {s for s, state in zip(g.bridge_at, g.bridge_state, strict=True) if state != 0}

    def free(h: Hex) -> bool:
        return h not in theirs and (h in mine or h not in zoc | zoi)

    if not free(start):
        return None
    best = {start: 0}
    changed = True
    while changed:
        changed = False
        for a, n in list(best.items()):
            if a in ends and a != start:
                continue
            for d, b in enumerate(g.map.grid.neighbours[a]):
                linked = b >= 0 and any(g.map.linked(a, d, k) for k in ("primary", "secondary", "trail"))
                open_ = linked and g.map.grid.canonical(a * 6 + d) not in down and free(b)
                if open_ and n + 1 < best.get(b, 999):
                    best[b] = n + 1
                    changed = True
    return min((best[h] for h in ends if h in best), default=None)


# --- 9.9.4 stacks --------------------------------------------------------------------------------------------------


def may_zoc_to_zoc(g: Board, units: tuple[int, ...]) -> bool:
    """10.3 Whether units that move together may go from ZOC to ZOC, from the text."""
    f = g.forces

    def one(u: int) -> bool:
        if f.side[u] != SOVIET:
            return bool(f.armor[u]) or bool(f.infantry_type[u] and f.attacks[u])
        if f.star[u]:
            return g.steps[u] > 1
        stars = [v for v in units if f.star[v] and g.steps[v] > 1 and f.corps[u] in ("", f.corps[v])]
        guns = f.type[u].startswith("SU-")
        return bool(stars) and (guns or f.type[u] in ("motorized_infantry", "mechanized_infantry", "reconnaissance"))

    return all(one(u) for u in units)


Labels = dict[Hex, set[tuple[int, ...]]]


def reach_together(g: Board, units: tuple[int, ...], budget: int, *, strategic: bool) -> Labels:
    """9.9.4, 9.4.2 What each unit has spent where a stack can get to: all labels that no other one betters."""
    f, side, rows = g.forces, g.forces.side[units[0]], chart()
    zoc, zoi = zones(g, 1 - side)
    held = {g.place[v] for v in range(len(f)) if g.on_map(v) and f.side[v] != side}
    near = {h for h in g.map.grid.hexes if strategic and any(g.map.grid.distance(h, x) < 3 for x in held)}
    may = may_zoc_to_zoc(g, units)
    ground = ("frozen", "mud")[g.condition]
    kinds = [(CLASSES[f.move[u]], f.move[u] == 0 and bool(f.infantry_type[u])) for u in units]
    start = g.place[units[0]]
    labels: Labels = {start: {(0,) * len(units)}}
    stopped: set[tuple[Hex, tuple[int, ...]]] = set()
    work = [(start, (0,) * len(units))]
    while work:
        a, spent = work.pop()
        if (a, spent) in stopped or spent not in labels[a]:
            continue
        for d, b in enumerate(g.map.grid.neighbours[a]):
            if b < 0 or b in held or b in near or b == start:
                continue
            texts = [step_cost(g, rows, cls, swims, a, d, strategic=strategic) for cls, swims in kinds]
            swim = "all" in texts
            crossing = "river" in g.map.side_features(a, d) and _beyond_river(g, a, 1 - side)
            leaves = a in zoc or crossing
            if "no" in texts or (swim and (a != start or strategic)) or (leaves and b in zoc and not may):
                continue
            zone = [rows[w] for w in ("leave_zoc" if leaves else "leave_zoi" if a in zoi else "",
                                      "enter_zoc" if b in zoc else "enter_zoi" if b in zoi else "") if w]  # fmt: skip
            extra = [sum(Fraction(w[f"{cls}_{ground}"]) for w in zone) for cls, _ in kinds]
            ends = swim or (side == SOVIET and not may and b in zoc)
            if swim:
                total = (budget,) * len(units)
            else:
                total = tuple(s + int((Fraction(t) + x) * 6) for s, t, x in zip(spent, texts, extra, strict=True))
            if max(total) > budget:
                if a != start:
                    continue
                total, ends = tuple(max(t, budget) for t in total), True
            known = labels.setdefault(b, set())
            if any(all(x <= y for x, y in zip(k, total, strict=True)) for k in known):
                continue
            labels[b] = {k for k in known if not all(y <= x for x, y in zip(k, total, strict=True))} | {total}
            if ends:
                stopped.add((b, total))
            work.append((b, total))
    del labels[start]
    return labels


def _beyond_river(g: Board, a: Hex, enemy: int) -> bool:
    """10.6.2 Whether an enemy with a zone is across any river hexside of a hex."""
    if g.map.terrain[a] in ("town", "forest"):
        return False
    for d, b in enumerate(g.map.grid.neighbours[a]):
        if b >= 0 and "river" in g.map.side_features(a, d):
            there = [v for v in g.units(b) if g.forces.side[v] == enemy]
            if any(g.forces.role[v] not in (ALARM, BARRAGE) for v in there):
                return True
    return False


# --- 12.15 advances ------------------------------------------------------------------------------------------------


def advances(g: Board, u: int, first: Hex, result: str, trail: set[Hex]) -> set[tuple[Hex, ...]]:
    """Where a single unit may advance when the enemy has left a hex next to it, from the text."""
    f, side, rows, grid = g.forces, g.forces.side[u], chart(), g.map.grid
    held = {g.place[v] for v in range(len(f)) if g.on_map(v) and f.side[v] != side}
    walks = g.charts.types[f.type[u]].foot_rate

    def can(a: Hex, b: Hex) -> bool:
        d = grid.direction(a, b)
        on_foot = walks and "swamp" not in g.map.side_features(a, d)
        kinds = [(CLASSES[f.move[u]], f.move[u] == 0), *([("foot", True)] if on_foot else [])]
        return b not in held and any(
            step_cost(g, rows, cls, swims and bool(f.infantry_type[u]), a, d, strategic=False) != "no"
            for cls, swims in kinds
        )

    def side_words(a: Hex, b: Hex) -> set[str]:
        return set(g.map.side_features(a, grid.direction(a, b)))

    def road(a: Hex, b: Hex) -> bool:
        d = grid.direction(a, b)
        down = {s for s, state in zip(g.bridge_at, g.bridge_state, strict=True) if state != 0}
        linked = any(g.map.linked(a, d, k) for k in ("primary", "secondary", "trail", "railroad"))
        return linked and grid.canonical(a * 6 + d) not in down

    start = g.place[u]
    if not f.attacks[u] or not can(start, first):
        return set()
    found: set[tuple[Hex, ...]] = {(first,)}
    stops = side_words(start, first) & {"stream", "river", "swamp"} or g.map.terrain[first] == "town"
    d = grid.direction(start, first)
    linked = any(g.map.linked(start, d, k) for k in ("primary", "secondary", "trail", "railroad"))
    stops = stops or (g.map.terrain[first] in ("woods", "forest") and not linked)
    if result == "retreat" or stops or g.status[u] & DISORDER:
        return found
    deviates = f.armor[u] or f.type[u] in ("reconnaissance", "mechanized_infantry")
    by_river = any("river" in g.map.side_features(start, d) for d in range(6))
    for second in grid.around[first]:
        if second == start or not can(first, second):
            continue
        if "river" in side_words(first, second) and not (road(first, second) and by_river):
            continue
        if result == "eliminated" or deviates or second in trail:
            found.add((first, second))
    return found
