"""The second implementation: sources, SDMs and supply (13.0), from the text and the JSON of a position alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .second import Man, World, front, printed, zones

# --- 13 supply -------------------------------------------------------------------------------------------------------

ROADS = {"primary", "secondary", "trail"}
KORPS_OF = {"42K": "1PzA", "7K": "1PzA", "3PzK": "1PzA", "11K": "8A", "47PzK": "8A"}


@dataclass
class Depot:
    """An SDM on the table."""

    id: str
    side: str
    at: str
    army: str
    corps: str
    division: str
    capacity: int
    each: int


class Network:
    """13.1-13.4 Sources and SDMs of a position."""

    def __init__(self, w: World, doc: dict[str, Any]) -> None:
        self.w = w
        self.cuts = {*doc.get("rail_cuts", []), *doc.get("rail_repairs", [])}
        rows = printed()
        self.depots = [
            Depot(x["id"], rows[x["id"]]["side"], x["at"], *(rows[x["id"]][k] for k in ("army", "corps", "division")),
                  int(rows[x["id"]]["capacity"]), int(rows[x["id"]]["mud" if w.mud else "frozen"]))
            for x in doc["units"] if rows[x["id"]]["role"] == "sdm" and x.get("at")
        ]  # fmt: skip
        tracks = doc.get("tracks", {})
        declared = tracks.get("korsun_declared", 0)
        self.korsun = next((h for h, said in w.hexes.items() if said.get("name") == "Korsun"), "")
        self.isolated = bool(self.korsun) and 0 < declared < doc.get("turn", 1)
        """14.5.1 Korsun is a source from the turn after its isolation was declared."""
        self.edges: dict[str, set[str]] = {}
        for h, said in w.hexes.items():
            who = said.get("facts", {}).get("source")
            if who:
                self.edges.setdefault(who, set()).add(h)

    def free(self, side: str) -> set[str]:
        """13.3 Hexes a path may use."""
        enemy = "soviet" if side == "german" else "german"
        zoc, zoi = self.w.zoned.setdefault(enemy, zones(self.w, enemy))
        mine, theirs = self.w.held(side), self.w.held(enemy)
        return {h for h in self.w.hexes if h not in theirs and (h in mine or h not in zoc | zoi)}

    def mined(self, side: str, a: str, b: str) -> bool:
        m = self.w.mines
        return side == "german" and (a in m.get(b, set()) or b in m.get(a, set()))

    def crosses(self, side: str, a: str, b: str, swims: bool) -> bool:
        """13.3 Whether a path over land may go from a hex into the next."""
        w, words = self.w, self.w.water(a, b)
        if "lake" in words or self.mined(side, a, b):
            return False
        road = bool(w.road(a, b))
        if "swamp" in words and not road:
            return False
        return "river" not in words or road or bool(w.built(a, b)) or w.ford(a, b, side) or swims

    def path(self, side: str, start: str, ends: set[str], swims: bool) -> int | None:
        """13.3 The length of the shortest path from a unit to one of the hexes."""
        free = self.free(side)
        ends = ends & free
        seen, front, n = {start}, {start}, 0
        while front:
            if front & ends:
                return n
            front = {b for a in front for b in self.w.around(a)
                     if b not in seen and b in free and self.crosses(side, a, b, swims and n == 0)}  # fmt: skip
            seen |= front
            n += 1
        return None

    def roads(self, side: str, start: str, ends: set[str]) -> tuple[int, set[str]] | None:
        """13.2.1 The length of the shortest free road, and all hexes on such roads."""
        free = self.free(side)
        if start not in free or not ends & free:
            return None
        best = {start: 0}
        work = [start]
        for a in work:
            for b in self.w.around(a):
                ok = self.w.road(a, b) & ROADS and b in free and not self.mined(side, a, b)
                if ok and b not in best:
                    best[b] = best[a] + 1
                    work.append(b)
        reached = [h for h in ends & free if h in best]
        if not reached:
            return None
        length = min(best[h] for h in reached)
        way = {h for h in reached if best[h] == length}
        work = list(way)
        for b in work:
            for a in self.w.around(b):
                if (
                    self.w.road(a, b) & ROADS
                    and not self.mined(side, a, b)
                    and best.get(a) == best[b] - 1
                    and a not in way
                ):
                    way.add(a)
                    work.append(a)
        return length, way

    def terminals(self) -> set[str]:
        """13.1.1, 13.1.2"""
        w = self.w
        zoc, zoi = w.zoned.setdefault("soviet", zones(w, "soviet"))
        shut = w.held("soviet") | ((zoc | zoi) - w.held("german")) | self.cuts
        starts = (self.edges.get("1PzA", set()) | self.edges.get("8A", set())) & self.free("german")
        seen = {
            h
            for h in starts - shut
            if any("railroad" in self.w.links.get(frozenset((h, x)), set()) for x in w.around(h))
        }
        work = list(seen)
        for a in work:
            for b in w.around(a):
                if "railroad" in w.road(a, b) and b not in seen and b not in shut:
                    seen.add(b)
                    work.append(b)
        return {h for h in seen if w.has(h, "rail_terminal")}

    def sources(self, side: str, army: str, corps: str) -> set[str]:
        """13.1 Those designated for a formation; all terminals for Germans."""
        if side == "german":
            return self.edges.get(army, set()) | self.terminals() | self.source_of_korsun()
        if corps == "5GCC":
            return {h for x in ("4GA", "5GTkA", "5GCC") for h in self.edges.get(x, set())}
        return self.edges.get(army, set())

    def source_of_korsun(self) -> set[str]:
        """14.5.1, 13.1.3 Korsun, where no railroad makes it a source like any other."""
        open_ = self.isolated and self.korsun in self.free("german") and self.korsun not in self.terminals()
        return {self.korsun} if open_ else set()

    def trace(self, d: Depot, at: str = "") -> tuple[int, int, set[str]] | None:
        """13.2.1, 14.2 Length of its road, points, and the hexes on it."""
        special = self.source_of_korsun() if d.side == "german" else set()
        plain = self.sources(d.side, d.army, d.corps) - special
        if d.id == "SDM.Korsun":  # 13.2.3
            plain = self.terminals() & {self.korsun}
        ways = [self.roads(d.side, at or d.at, starts) for starts in (plain, special)]
        found = [(x[0], d.capacity - max(1, -(-x[0] // d.each)) + 1, x[1]) for x in ways if x is not None]
        return max((x for x in found if x[1] >= 0), key=lambda x: x[1], default=None)

    def serves(self, d: Depot, m: Man) -> bool:
        """13.2.2, 13.2.3"""
        if d.side != m.side:
            return False
        if d.side == "german":
            return d.id == "SDM.Korsun" or (d.division == m.division if d.division else d.corps == m.corps)
        if d.corps:
            return d.corps == m.corps
        return d.army == m.army if m.army else printed()[d.id]["front"] == front(m)

    def supply(self, m: Man) -> tuple[dict[str, int], int | None, set[str]]:
        """13.4.1 SDMs in range, the length of a path to a source in range, the SDMs on whose road it stands."""
        w = self.w
        most = (4 if w.mud else 6) if m.side == "german" else 8 if w.mud else 10
        sdms, roads = {}, set()
        for d in self.depots:
            way = self.trace(d) if self.serves(d, m) else None
            if way is None:
                continue
            length = self.path(m.side, m.at, {d.at}, True)
            if length is not None and length <= most:
                sdms[d.id] = length
            if m.at in way[2]:
                roads.add(d.id)
        source = self.path(m.side, m.at, self.sources(m.side, m.army, m.corps), False)
        return sdms, source if source is not None and source <= most else None, roads
