"""A second, slow reading of the rules, straight from a position's JSON: it shares no line with the game.

`World` answers the questions that `kessel analyze` answers; `test_second` compares both on random positions.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations, product
from typing import Any

F = Fraction
GERMANS = ("298ID", "44ID", "299ID", "14Pz")
STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
FOOT = ("infantry", "machine_gun", "engineer", "border_guard")
ONE_A_HEX = ("infantry", "motorized_infantry", "machine_gun", "engineer", "motorized_engineer")
LEG = {"clear": F(1), "marsh": F(3, 2), "village": F(1), "town": F(1), "light_forest": F(1), "dense_forest": F(3, 2)}
WHEELS = {"clear": F(1), "marsh": F(3), "village": F(1), "town": F(1), "light_forest": F(3), "dense_forest": F(4)}
NO_HEAVY_ZONE = ("marsh", "town", "light_forest", "dense_forest")
RATIOS = "1/8 1/6 1/4 1/3 1/2 2/3 1 3/2 2 3 4 6 8 10 14 18 26"
LADDER = [F(n) for n in RATIOS.split()]
PLACES_LEFT = {"clear": 0, "village": 2, "marsh": 2, "town": 3, "light_forest": 3, "dense_forest": 4}
GUNS = {"clear": 0, "marsh": 1, "village": 1, "town": 1, "light_forest": 1, "dense_forest": 2}
LEFT = [F(1, 2)] * 4 + [F(1)] * 6 + [F(3, 2)] * 2
RIGHT = [F(1)] * 2 + [F(3, 2)] * 2 + [F(3, 2)] * 3 + [F(2)] * 3 + [F(2), F(5, 2)]
RESULTS = """4/0 3/0 3/0 3/0 3/0 3/0 3/1 2/1 2/1 2/1 2/1 2/2
3/0 3/0 3/0 3/0 3/0 3/1 2/1 2/1 2/1 2/1 2/2 2/2
3/0 3/0 3/0 3/0 3/1 2/1 2/1 2/1 2/1 2/2 2/2 1/2
3/0 3/0 3/0 3/1 2/1 2/1 2/1 2/1 2/1 2/2 1/2 1/2
3/0 3/0 3/1 2/1 2/1 2/1 2/1 2/1 2/2 1/2 1/2 1/2
3/0 3/1 2/1 2/1 2/1 2/1 2/1 2/2 1/2 1/2 1/2 1/2
3/1 2/1 2/1 2/1 2/1 2/1 2/2 1/2 1/2 1/2 1/2 1/3
2/1 2/1 2/1 2/1 2/1 2/2 1/2 1/2 1/2 1/2 1/3 1/3
2/1 2/1 2/1 2/1 2/2 1/2 1/2 1/2 1/2 1/3 1/3 0/3
2/1 2/1 2/1 2/2 1/2 1/2 1/2 1/2 1/2 1/3 0/3 0/3
2/1 2/1 2/2 1/2 1/2 1/2 1/2 1/2 1/3 0/3 0/3 0/3
2/1 2/2 1/2 1/2 1/2 1/2 1/2 1/3 0/3 0/3 0/3 0/3
2/2 1/2 1/2 1/2 1/2 1/2 1/3 0/3 0/3 0/3 0/3 0/3
1/2 1/2 1/2 1/2 1/2 1/3 0/3 0/3 0/3 0/3 0/3 0/4
1/2 1/2 1/2 1/2 1/3 0/3 0/3 0/3 0/3 0/3 0/4 0/4
1/2 1/2 1/2 1/3 0/3 0/3 0/3 0/3 0/3 0/4 0/4 0/4
1/2 1/2 1/3 0/3 0/3 0/3 0/3 0/3 0/4 0/4 0/4 0/4
1/2 1/3 0/3 0/3 0/3 0/3 0/3 0/4 0/4 0/4 0/4 0/5
1/3 0/3 0/3 0/3 0/3 0/3 0/4 0/4 0/4 0/4 0/5 0/5
0/3 0/3 0/3 0/3 0/3 0/4 0/4 0/4 0/4 0/5 0/5 0/5"""
CRT = [[tuple(map(int, cell.split("/"))) for cell in row.split()] for row in RESULTS.splitlines()]


def side_of(unit: dict[str, Any]) -> int:
    return int(unit["formation"] not in GERMANS)


def under(unit: dict[str, Any]) -> str:
    """The formation a unit counts for: the one it is lent to, else its own."""
    return str(unit.get("under") or unit["formation"])


def distance(a: str, b: str) -> int:
    (q, r), (s, t) = (map(int, x.split(",")) for x in (a, b))
    return (abs(q - s) + abs(r - t) + abs(q + r - s - t)) // 2


class World:
    def __init__(self, doc: dict[str, Any]) -> None:
        self.doc, board = doc, doc["board"]
        self.hexes: dict[str, Any] = board["hexes"]
        self.units: dict[str, dict[str, Any]] = {u["id"]: u for u in doc["units"]}
        self.links: dict[frozenset[str], str] = {}
        for link in sorted(board["links"], key=lambda k: k["kind"], reverse=True):  # a road before a railway
            way = link["path"].split()
            for a, b in pairwise(way):
                if self.links.get(frozenset((a, b))) != "road":
                    self.links[frozenset((a, b))] = link["kind"]
        seized = [k["path"].split() for k in board["links"] if "brandenburg" in k.get("features", ())]
        self.seized = {frozenset(step) for way in seized for step in pairwise(way)}
        self.sides = {frozenset(k.split("|")): v[0] for k, v in board["hexsides"].items()}
        self.zones = [self.zone(0), self.zone(1)]

    # --- the board ---------------------------------------------------------------------------------------------------

    def around(self, h: str) -> list[str]:
        q, r = map(int, h.split(","))
        near = (f"{q + dq},{r + dr}" for dq, dr in STEPS)
        return [n for n in near if n in self.hexes]

    def terrain(self, h: str) -> str:
        return str(self.hexes[h].get("terrain", "clear"))

    def water(self, a: str, b: str) -> str:
        key = frozenset((a, b))
        found = self.sides.get(key, "")
        if found in ("bug", "stream") and (key in self.links or "town" in (self.terrain(a), self.terrain(b))):
            return f"bridged_{found}"
        return found

    def there(self, h: str) -> list[dict[str, Any]]:
        return [u for u in self.units.values() if u["at"] == h]

    def fighters(self, h: str, side: int | None = None) -> list[dict[str, Any]]:
        return [u for u in self.there(h) if u["type"] != "hq" and side in (None, side_of(u))]

    def works(self, h: str) -> bool:
        """C, A-06: a pillbox with Soviet infantry in it; only stacking excepts border guards and anti-tank units."""
        some = self.fighters(h, 1)
        return "pillbox" in self.hexes[h].get("features", ()) and any(u["type"] != "afv" for u in some)

    def is_disrupted(self, u: dict[str, Any]) -> bool:
        return "disrupted" in u.get("status", ())

    def covers(self, u: dict[str, Any], h: str) -> bool:
        """Whether the zone of a unit reaches a hex."""
        if u["type"] == "hq" or self.is_disrupted(u) or h not in self.around(u["at"]):
            return False
        water, heavy = self.water(u["at"], h), u["type"] in ("afv", "anti_tank")
        if water in ("bug", "bridged_bug", "lake") or (heavy and water):
            return False
        if not heavy:
            return True
        if self.works(h):
            return "forest" not in self.terrain(h)
        return self.terrain(h) not in NO_HEAVY_ZONE

    def zone(self, side: int) -> set[str]:
        return {h for u in self.units.values() if side_of(u) == side for h in self.around(u["at"]) if self.covers(u, h)}

    def has_room(self, h: str, coming: list[dict[str, Any]]) -> bool:
        together = {u["id"]: u for u in (*self.fighters(h), *coming)}.values()
        return len(together) <= 3 and sum(u["type"] in ONE_A_HEX for u in together) <= 1

    # --- movement ----------------------------------------------------------------------------------------------------

    def price(self, u: dict[str, Any], a: str, b: str, boats: bool) -> Fraction | str | None:
        """What a step costs a unit; "all" of its points; None where it cannot go."""
        foot, enemy = u["type"] in FOOT, self.zones[1 - side_of(u)]
        link = self.links.get(frozenset((a, b)))
        if link and a not in enemy and b not in enemy:
            return F(1) if foot or link == "railway" else F(1, 2)
        base = (LEG if foot else WHEELS)[self.terrain(b)]
        if "pillbox" in self.hexes[b].get("features", ()) and not self.fighters(b, 0):
            base = F(1) if foot else F(3) if "forest" in self.terrain(b) else F(2)
        water = self.water(a, b)
        if water == "lake" or (water == "bug" and not (foot and boats)):
            return None
        if water == "bug":
            return base + 1
        if water == "stream":
            return base + 1 if foot else "all"
        return base

    def bogs(self, units: list[dict[str, Any]], a: str, b: str) -> bool:
        """Whether somebody of the group has to check when it enters marsh."""
        return (
            self.terrain(b) == "marsh"
            and not self.links.get(frozenset((a, b)))
            and any(u["type"] == "afv" for u in units)
        )

    def reach(self, units: list[dict[str, Any]], boats: int) -> dict[str, tuple[Fraction, ...]]:
        """Every hex a group can get to, and what the cheapest way costs each of its units, by trying all ways."""
        side, start = side_of(units[0]), units[0]["at"]
        enemy, hostile = self.zones[1 - side], [u["at"] for u in self.units.values() if side_of(u) != side]
        near = {n for h in hostile for n in (*self.around(h), h)}
        by_boat = side == 0 and len(units) <= boats and all(u["type"] in FOOT for u in units)
        found: dict[str, list[tuple[Fraction, ...]]] = {}
        whole: set[tuple[str, tuple[Fraction, ...]]] = set()
        """Hexes entered for the whole allowance."""

        def may_enter(a: str, b: str) -> bool:
            if self.fighters(b, 1 - side) or (a in enemy and b in enemy):
                return False
            return not ((b in enemy or self.bogs(units, a, b)) and not self.has_room(b, units))

        def go(at: str, spent: tuple[Fraction, ...], most: list[Fraction], allowed: set[str], first: bool) -> None:
            for n in self.around(at):
                if n == start or n not in allowed or not may_enter(at, n):
                    continue
                prices = [self.price(u, at, n, by_boat and first) for u in units]
                if None in prices:
                    continue
                pays = "all" not in prices
                after = tuple(s + p for s, p in zip(spent, prices, strict=True)) if pays else ()  # type: ignore[operator]
                ends = not pays or any(s > m for s, m in zip(after, most, strict=True))
                if ends and (not first or not minimum):
                    continue
                if ends:
                    after = tuple(most)
                    whole.add((n, after))
                known = found.setdefault(n, [])
                if any(all(x <= y for x, y in zip(k, after, strict=True)) for k in known):
                    continue
                known.append(after)
                if not ends and n not in enemy:
                    go(n, after, most, allowed, False)

        nothing, everywhere = tuple(F(0) for _ in units), set(self.hexes)
        minimum = True
        go(start, nothing, [F(u["ma"]) for u in units], everywhere, True)
        usual = found
        if start not in near and any(u["type"] in FOOT for u in units):
            found, minimum = {}, False
            go(start, nothing, [F(u["ma"] + 2 * (u["type"] in FOOT)) for u in units], everywhere - near, True)
            paid = {h: ways for h, ways in usual.items() if h not in found or not whole & {(h, way) for way in ways}}
            usual = {**found, **paid}  # who can pay with the bonus makes no minimum move
        return {h: min(ways, key=sum) for h, ways in usual.items()}

    def ends(self, units: list[dict[str, Any]], boats: int) -> set[str]:
        return {h for h in self.reach(units, boats) if self.has_room(h, units)}

    def infiltrations(self, units: list[dict[str, Any]]) -> set[str]:
        side, start = side_of(units[0]), units[0]["at"]
        enemy = self.zones[1 - side]
        some = {h for h in self.around(start) if start in enemy and h in enemy and not self.fighters(h, 1 - side)}
        dry = {h for h in some if self.water(start, h) not in ("bug", "lake")}
        return {h for h in dry if self.has_room(h, units)}

    # --- paths -------------------------------------------------------------------------------------------------------

    def is_open(self, h: str, side: int) -> bool:
        units = self.there(h)
        if any(side_of(u) != side for u in units):
            return False
        return h not in self.zones[1 - side] or bool(units)

    def steps_to(self, start: str, goals: set[str], side: int, *, dry: bool) -> int | None:
        """The length of the shortest path whose every hex but the first is open."""
        seen, edge, n = {start}, {start}, 0
        while edge:
            if edge & goals:
                return n
            edge = {
                b
                for a in edge
                for b in self.around(a)
                if b not in seen and self.is_open(b, side) and not (dry and self.water(a, b) in ("bug", "lake"))
            }
            seen |= edge
            n += 1
        return None

    def hq(self, formation: str) -> dict[str, Any] | None:
        return next((u for u in self.units.values() if u["type"] == "hq" and u["formation"] == formation), None)

    def command(self, u: dict[str, Any]) -> tuple[str, int | None]:
        hq = self.hq(under(u))
        if hq is None or hq["at"] == "":
            return "isolated", None
        n = self.steps_to(u["at"], {hq["at"]}, side_of(u), dry=False)
        return "isolated" if n is None else "in command" if n <= hq["range"] else "out of command", n

    def supplied(self, hq: dict[str, Any]) -> bool:
        areas = self.doc["board"]["areas"]
        own = ("german_supply",) if side_of(hq) == 0 else ("north_soviet_supply", "south_soviet_supply")
        edge = {h for name in own for h in areas.get(name, "").split()}
        return self.steps_to(hq["at"], edge, side_of(hq), dry=True) is not None

    def support_of(self, hq: dict[str, Any]) -> int:
        status = hq.get("status", ())
        serves = self.supplied(hq) or "expended" not in status or "emergency" in status
        return int(hq["support"]) if serves else 0

    def relocations(self, hq: dict[str, Any]) -> dict[str, int]:
        found, side = {}, side_of(hq)
        for h in self.hexes:
            room = {"village": 1, "town": 2}.get(self.terrain(h), 0)
            hqs = [u for u in self.there(h) if u["type"] == "hq"]
            if h == hq["at"] or len(hqs) >= room or any(side_of(u) != side for u in self.there(h)):
                continue
            if h in self.zones[1 - side] and not self.fighters(h):
                continue
            n = self.steps_to(hq["at"], {h}, side, dry=True)
            if n is not None and n <= 3 * hq["relocation"]:
                found[h] = -(-n // hq["relocation"])
        return found

    # --- combat ------------------------------------------------------------------------------------------------------

    def passes(self, u: dict[str, Any], *, shelter: bool) -> Fraction:
        good = u["effectiveness"]
        if shelter and u["type"] != "afv" and side_of(u) == 1 and self.works(u["at"]):
            good += 2
        if self.doc.get("surprise") and side_of(u) == 1:
            good -= 2
        return F(min(max(good, 0), 10), 10)

    def modifier(self, units: list[dict[str, Any]], target: str, kind: str) -> int:
        at, side, formation = units[0]["at"], side_of(units[0]), under(units[0])
        water, defenders = self.water(at, target), self.fighters(target)
        total = {"stream": -2, "bridged_stream": -2, "bridged_bug": -4}.get(water, 0)
        if self.by_surprise(side, at, target):
            total = -2
        same, another = {"hasty": (0, 0), "regular": (1, 0), "prepared": (2, 1)}[kind]
        for h in self.around(target):
            helpers = [u for u in self.fighters(h, side) if h != at and self.covers(u, target)]
            if helpers:
                total += same if any(under(u) == formation for u in helpers) else another
        fit = [u for u in defenders if not self.is_disrupted(u)]
        if fit:
            same, another = (2, 1) if all("improved" in u.get("status", ()) for u in fit) else (1, 0)
            names = {under(u) for u in fit}
            for h in self.around(at):
                helpers = [u for u in self.fighters(h, 1 - side) if h != target and self.covers(u, at)]
                if helpers:
                    total -= same if any(under(u) in names for u in helpers) else another
        hq = self.hq(formation)
        if hq is not None:
            total += {"hasty": 0, "regular": self.support_of(hq) // 2, "prepared": self.support_of(hq)}[kind]
        total += self.armor(units, defenders, at, target)
        if side == 0 and self.works(target):
            engineers = list(units)
            if kind != "hasty":
                engineers += [
                    u for h in self.around(target) if h != at for u in self.fighters(h, 0) if self.covers(u, target)
                ]
            total += any("engineer" in u["type"] and under(u) == formation for u in engineers)
        return total

    def by_surprise(self, side: int, at: str, target: str) -> bool:
        """A German attack over a bridge of the Brandenburgers on the first turn."""
        seized = frozenset((at, target)) in self.seized and self.water(at, target) == "bridged_bug"
        return side == 0 and self.doc["turn"] == 1 and seized

    def armor(self, units: list[dict[str, Any]], defenders: list[dict[str, Any]], at: str, target: str) -> int:
        soft = [h for h in (at, target) if self.terrain(h) == "marsh" and not self.works(h)]
        wet = bool(self.water(at, target)) or bool(soft)
        part = F(1, 4) if wet else F(1)
        if self.by_surprise(side_of(units[0]), at, target) and not soft:
            part = F(1, 2)
        tanks = int(sum(u.get("tank_points", 0) for u in units) * part)
        guns = sum(u.get("at_points", 0) + u.get("tank_points", 0) for u in defenders)
        boxed = self.works(target)
        bonus = (2 if "forest" in self.terrain(target) else 1) if boxed else GUNS[self.terrain(target)]
        if tanks > guns + bonus:
            return min(3, tanks - guns - bonus)
        theirs = sum(u.get("tank_points", 0) for u in defenders)
        ours = sum(u.get("at_points", 0) for u in units) + tanks
        return -min(3, theirs - ours) if theirs > ours else 0

    def column(self, target: str, ratio: Fraction) -> int:
        moved = PLACES_LEFT[self.terrain(target)]
        if self.works(target):
            moved = 5 if "forest" in self.terrain(target) else 3
        return max(1, sum(step <= ratio for step in LADDER[moved : moved + 12]))

    def attack(self, units: list[dict[str, Any]], target: str, kind: str) -> dict[str, Any]:
        defenders, added = self.fighters(target), self.modifier(units, target, kind)
        strength = sum(-(-u["steps"] // 4) if u["type"] == "anti_tank" else u["steps"] for u in units)
        columns: Counter[int] = Counter()
        for mine, theirs in permutations(range(12), 2):
            by = (LEFT if kind == "hasty" else RIGHT)[mine]
            value = sum(u["steps"] * (LEFT if self.is_disrupted(u) else RIGHT)[theirs] for u in defenders)
            columns[self.column(target, strength * by / value)] += F(1, 132)  # type: ignore[assignment]
        hits: Counter[tuple[int, ...]] = Counter()
        for (column, p), die in product(columns.items(), range(1, 11)):
            hits[CRT[min(max(die + added, 1), 20) - 1][column - 1]] += p * F(1, 10)  # type: ignore[assignment]
        must = F(0)
        first = max(defenders, key=lambda u: u["steps"])
        for (_, hit), p in hits.items():
            left = [u for u in defenders if u["steps"] - (u is first) > 0]
            if not hit or not left:
                continue
            for u in left:
                if not self.is_disrupted(u):
                    p *= 1 - self.passes(u, shelter=True) if hit >= 2 else 0  # type: ignore[assignment]
            must += p
        return {"modifier": added, "columns": columns, "hits": hits, "must": must}

    def attacks_of(self, units: list[dict[str, Any]]) -> list[tuple[str, str]]:
        """The hexes undisrupted units of one hex may attack, and how."""
        at, side = units[0]["at"], side_of(units[0])
        near = [h for h in self.around(at) if self.fighters(h, 1 - side) and self.water(at, h) not in ("bug", "lake")]
        led = all(self.command(u)[0] == "in command" for u in units)
        return [(h, kind) for h in near for kind in ("hasty", "regular", "prepared") if led or kind == "hasty"]

    def retreats(self, h: str, stood: str) -> set[tuple[str, ...]]:
        units = self.fighters(h)
        side, found = side_of(units[0]), set()

        def go(path: tuple[str, ...], at: str) -> None:
            room = bool(path) and self.has_room(at, units)
            if room:
                found.add(path)
            if len(path) >= 2 and room:
                return
            for n in self.around(at):
                if distance(n, stood) <= distance(at, stood) or self.water(at, n) in ("bug", "lake"):
                    continue
                if not any(side_of(u) != side for u in self.there(n)):
                    go((*path, n), n)

        go((), h)
        return found

    def costly(self, path: tuple[str, ...], side: int) -> list[str]:
        return [h for h in path if h in self.zones[1 - side] and not self.there(h)]

    # --- the turn ----------------------------------------------------------------------------------------------------

    def triggers(self, formation: str, h: str) -> list[str]:
        some = (u for u in self.units.values() if under(u) == formation and u["type"] != "hq")
        return sorted(u["id"] for u in some if self.covers(u, h) and self.command(u)[0] == "in command")

    def level_after(self, hq: dict[str, Any], level: int, interdiction: int) -> int:
        fed = self.supplied(hq) or "expended" not in hq.get("status", ())
        table = {7: 5, 6: 4} if side_of(hq) == 0 else {6: 4, 5: 3, 4: 2}
        gain = table[hq["reaction"]] - (interdiction if side_of(hq) == 1 else 0)
        return min(hq["reaction"], level + gain) if fed else level
