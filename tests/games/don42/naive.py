"""A second, slow and plain reading of the rules, written from the text alone, to compare answers with.

Nothing here uses the game's code. Costs are in half MPs. Boards are small discs of axial hexes with random terrain,
hexsides, roads, lost bridges and pontoons; units stand one to a hex.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

H = tuple[int, int]
NEXT = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
ROADS = ("major_road", "minor_road")
WEATHER = ("clear", "rain", "mud")
TYPES = {
    "german": ("infantry", "pz4", "trucked_infantry", "machine_gun", "artillery"),
    "soviet": ("infantry", "t34", "trucked_infantry", "artillery", "mortar", "anti_tank"),
}
HALVED = {"pz4", "t34", "trucked_infantry", "machine_gun", "artillery", "hq"}
"""4.2.3, 4.3.2 What moves at half its MPs out of supply."""
FAST = {"pz4", "t34", "trucked_infantry"}
"""13.6.1"""
ORDER = ("", "DRG", "DPT", "RTD", "eliminated")
FOE = {"german": "soviet", "soviet": "german"}


def name(h: H) -> str:
    return f"{h[0]},{h[1]}"


def hexside(e: frozenset[H]) -> str:
    return "|".join(name(h) for h in sorted(e))


def apart(a: H, b: H) -> int:
    dq, dr = a[0] - b[0], a[1] - b[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


@dataclass
class Piece:
    side: str
    type: str
    at: H
    status: str
    points: int
    division: str = ""
    out: bool = False
    """Out of supply."""


@dataclass
class World:
    rng: random.Random
    radius: int = 4
    terrain: dict[H, str] = field(default_factory=dict)
    side: dict[frozenset[H], str] = field(default_factory=dict)
    road: dict[frozenset[H], str] = field(default_factory=dict)
    lost: set[frozenset[H]] = field(default_factory=set)
    pontoons: list[frozenset[H]] = field(default_factory=list)
    weather: int = 0
    units: dict[str, Piece] = field(default_factory=dict)
    source: H = (0, 0)

    def __post_init__(self) -> None:
        rng, span = self.rng, range(-self.radius, self.radius + 1)
        hexes = [(q, r) for q in span for r in span if abs(q + r) <= self.radius]
        self.terrain = {h: rng.choices(("clear", "hill", "town", "city"), (6, 2, 1, 1))[0] for h in hexes}
        edges = sorted({frozenset((h, n)) for h in hexes for n in self.around(h)}, key=sorted)
        for e in edges:
            kind = rng.choices(("", "minor_river", "gorge", "major_river"), (81, 10, 6, 3))[0]
            link = rng.choices(("", "major_road", "minor_road", "railroad"), (72, 10, 15, 3))[0]
            if kind:
                self.side[e] = kind
            if link and kind != "major_river":
                self.road[e] = link
        don = [e for e in edges if self.side.get(e) == "minor_river"]
        self.lost = {e for e in don if self.road.get(e) in ROADS and rng.random() < 0.4}
        self.pontoons = rng.sample(don, min(len(don), rng.randint(0, 2)))
        self.weather = rng.choice((0, 0, 1, 2))
        self.source = rng.choice([h for h in hexes if self.on_road(h)])
        self._place(rng, hexes)

    def _place(self, rng: random.Random, hexes: list[H]) -> None:
        free = rng.sample(hexes, 13)
        wanted = [("HQ62A", "soviet", "hq", ""), ("Div", "german", "hq", "16Pz"), ("HQ14PzC", "german", "hq", "")]
        wanted += [
            (f"G{i}", "german", rng.choice(TYPES["german"]), rng.choice(("16Pz", "16Pz", "76Div"))) for i in range(5)
        ]
        wanted += [(f"S{i}", "soviet", rng.choice(TYPES["soviet"]), "") for i in range(5)]
        for id, side, kind, division in wanted:
            status = rng.choice(("", "", "", "DRG", "DPT", "RTD"))
            self.units[id] = Piece(side, kind, free.pop(), status, rng.randint(1, 9), division)

    # --- the map ---------------------------------------------------------------------------------------------------

    def around(self, h: H) -> Iterator[H]:
        for dq, dr in NEXT:
            if (n := (h[0] + dq, h[1] + dr)) in self.terrain:
                yield n

    def on_road(self, h: H) -> bool:
        return any(self.road.get(frozenset((h, n))) in ROADS for n in self.around(h))

    def link(self, a: H, b: H) -> str:
        """The road in use between two hexes: none over a lost bridge, a minor one over a pontoon between road hexes."""
        e = frozenset((a, b))
        kind = self.road.get(e, "")
        if kind in ROADS and (e not in self.lost or e in self.pontoons):
            return kind
        return "minor_road" if e in self.pontoons and self.on_road(a) and self.on_road(b) else ""

    def wet(self, a: H, b: H) -> bool:
        """An unbridged Don hexside."""
        e = frozenset((a, b))
        return self.side.get(e) == "minor_river" and not self.link(a, b) and e not in self.pontoons

    def volga(self, a: H, b: H) -> bool:
        return self.side.get(frozenset((a, b))) == "major_river"

    def step(self, a: H, b: H, weather: int | None = None) -> int | None:
        w = self.weather if weather is None else weather
        if self.volga(a, b):
            return None
        if kind := self.link(a, b):
            return ((1, 2, 2) if kind == "major_road" else (2, 4, 6))[w]
        gorge = 6 if self.side.get(frozenset((a, b))) == "gorge" else 0
        return (4 if self.terrain[b] == "hill" else 2) + 2 * w + (4 if self.wet(a, b) else 0) + gorge

    # --- zones and lines -------------------------------------------------------------------------------------------

    def held(self, side: str) -> set[H]:
        return {u.at for u in self.units.values() if u.side == side}

    def zone(self, side: str, only: Iterable[Piece] | None = None) -> set[H]:
        found = set()
        for u in self.units.values() if only is None else only:
            if u.side == side and u.type != "hq" and u.status != "RTD":
                for n in self.around(u.at):
                    if self.terrain[n] != "city" and not self.wet(u.at, n) and not self.volga(u.at, n):
                        found.add(n)
        return found

    def open(self, side: str) -> set[H]:
        return set(self.terrain) - self.held(FOE[side]) - (self.zone(FOE[side]) - self.held(side))

    def line(self, side: str, start: H, goal: set[H], *, moves: bool = False) -> float:
        """The cost of the cheapest line; `moves` for paths at movement costs that may cross the Don."""
        allowed, best, todo = self.open(side), {start: 0}, [(0, start)]
        while todo:
            spent, h = heapq.heappop(todo)
            if h in goal:
                return spent
            for n in self.around(h):
                if n not in allowed or (side == "german" and not moves and self.wet(h, n)):
                    continue
                rain = side == "german" and not moves and self.weather == 1
                price = self.step(h, n, 0 if rain else None)
                if price is not None and spent + price + 2 * rain < best.get(n, 10**6):
                    best[n] = spent + price + 2 * rain
                    heapq.heappush(todo, (best[n], n))
        return float("inf")

    def net(self, side: str, start: Iterable[H]) -> set[H]:
        allowed = self.open(side)
        found = {h for h in start if h in allowed and self.on_road(h)}
        todo = list(found)
        while todo:
            h = todo.pop()
            for n in self.around(h):
                if n in allowed and n not in found and self.link(h, n):
                    found.add(n)
                    todo.append(n)
        return found

    def supply(self, id: str) -> str:
        return self._soviet(id) if self.units[id].side == "soviet" else self._has_german(id)

    def _soviet(self, id: str) -> str:
        u, hq = self.units[id], self.units["HQ62A"]
        net, limit = self.net("soviet", [self.source]), 6 if u.status == "RTD" else 14
        near = hq.at in net or any(n in net and not self.volga(hq.at, n) for n in self.around(hq.at))
        if near and self.line("soviet", u.at, {hq.at}) <= limit:
            return "attack"
        return "general" if self.line("soviet", u.at, net) <= limit else "out of supply"

    def _has_german(self, id: str) -> str:
        u, hq, top = self.units[id], self.units["Div"], self.units["HQ14PzC"]
        allowed = self.open("german")
        river = [e for e, kind in self.side.items() if kind == "minor_river"]
        ends = {h for e in river if not self.wet(*e) and e <= allowed for h in e}

        def reaches(v: Piece, goal: Piece) -> bool:
            return self.line("german", v.at, {goal.at}) <= (12 if v.status == "RTD" else 24)

        home = top.at in self.net("german", ends)
        own = u is top or (u.division == "16Pz" and (u is hq or reaches(u, hq)) and reaches(hq, top))
        if home and own:
            return "attack"
        blocked = u.division != "76Div" and self.on_road(top.at) and not home
        if ends and not blocked:
            return "out of supply"  # 4.3.3: a bridge stands open, and no blocked road keeps the Corps HQ from it
        bank = {h for e in river for h in e} & allowed
        return "attack" if self.line("german", u.at, bank) <= (14 if u.status == "RTD" else 28) else "out of supply"

    # --- moves -----------------------------------------------------------------------------------------------------

    def moves(self, id: str) -> dict[str, float] | None:
        """Where a German may end a move, with costs; None if it stays."""
        u = self.units[id]
        if u.status == "DPT":
            return None
        points = u.points // 2 if u.out and u.type in HALVED else u.points
        left = 2 * (min(points, 2) if u.status == "DRG" else points)
        zone = self.zone("soviet")
        enter = set(self.terrain) - self.held("soviet") - {u.at}
        if u.type == "artillery" and u.division == "76Div":
            enter = {h for h in enter if self._near_road(h)}
        cost, over, todo = {u.at: 0}, {}, [(0, u.at)]
        while todo:
            spent, h = heapq.heappop(todo)
            if h != u.at and h in zone:
                continue
            for n in enter & set(self.around(h)):
                price = self.step(h, n)
                if price is None or (h == u.at and {h, n} <= zone and u.status == "DRG"):
                    continue
                if spent + price <= left:
                    if spent + price < cost.get(n, 10**6):
                        cost[n] = spent + price
                        heapq.heappush(todo, (cost[n], n))
                elif h == u.at:
                    over[n] = left  # 10.0: all MPs are expended
        return {name(h): c / 2 for h, c in (over | cost).items() if h != u.at}

    def _near_road(self, start: H) -> bool:
        best, todo = {start: 0}, [(0, start)]
        while todo:
            spent, h = heapq.heappop(todo)
            if self.on_road(h):
                return True
            for n in self.around(h):
                price = self.step(h, n)
                if price is not None and spent + price <= 6 and spent + price < best.get(n, 99):
                    best[n] = spent + price
                    heapq.heappush(todo, (best[n], n))
        return False

    # --- retreats --------------------------------------------------------------------------------------------------

    def retreats(self, id: str, length: int, threats: list[H]) -> dict[tuple[str, ...], str]:
        """The ways of a retreat and the marker or loss each brings a unit of one step."""
        u = self.units[id]
        zone, friends = self.zone(FOE[u.side]), self.held(u.side)
        for n in range(length, 0, -1):
            found = {p: (sum(h in zone - friends for h in p), sum(h in zone & friends for h in p))
                     for p in self._ways((u.at,), n, threats, u.side)}  # fmt: skip
            if found:
                least = min(found.values())
                return {
                    tuple(map(name, p)): self._fate(u, bare, held) for p, (bare, held) in found.items() if
                    (bare, held) == least
                }  # fmt: skip
        return {}

    def _ways(self, path: tuple[H, ...], left: int, threats: list[H], side: str) -> Iterator[tuple[H, ...]]:
        if not left:
            yield path[1:]
            return
        here = path[-1]
        for n in self.around(here):
            further = min(apart(n, t) for t in threats) > min(apart(here, t) for t in threats)
            if further and n not in self.held(FOE[side]) and not self.volga(here, n):
                yield from self._ways((*path, n), left - 1, threats, side)

    def _fate(self, u: Piece, bare: int, held: int) -> str:
        if u.side == "soviet":
            return "eliminated" if bare or held else ""
        new = ORDER[min(bare, 4)]
        return new if ORDER.index(new) > ORDER.index(u.status) else ""

    # --- as a position ---------------------------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        hexes = {name(h): {"terrain": t} for h, t in self.terrain.items()}
        hexes[name(self.source)]["features"] = ["soviet_source"]  # type: ignore[assignment]
        units = []
        for id, u in self.units.items():
            formation = {"army": "62A"} if u.side == "soviet" else {"division": u.division, "corps": ""}
            if id == "HQ14PzC":
                formation = {"corps": "14PzC"}
            one = {"id": id, "at": name(u.at), "side": u.side, "type": u.type, "faces": f"1-1-{u.points}"}
            units.append({**one, **formation, "status": [u.status] if u.status else []})
        return {
            "game": "don42",
            "board": {
                "hexes": hexes,
                "hexsides": {hexside(e): [kind] for e, kind in self.side.items()},
                "links": [{"kind": kind, "path": " ".join(map(name, sorted(e)))} for e, kind in self.road.items()],
            },
            "turn": "Aug 25 AM",
            "weather": WEATHER[self.weather],
            "supply": "traced",
            "destroyed_bridges": [hexside(e) for e in self.lost],
            "pontoons": [{"hexside": hexside(e)} for e in self.pontoons],
            "units": units,
        }
