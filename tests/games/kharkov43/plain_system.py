"""9.2 written again from the book, without any of the program's shortcuts: every hex is asked, every board is copied.

Taken as given, since other tests try them: where a unit can go (10), supply (13.1), proximity and surround (9.3), the
restrictions (9.23). Overstacking on the way (10.4) is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from kessel.core.hexset import members
from kessel.games.kharkov43.board import FACINGS, GARRISON, LIGHT_MUD, OBJECTIVES, UNSUPPLIED, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.arrival import pass_hex
from kessel.games.kharkov43.movement.movement import move_unit, reach_of
from kessel.games.kharkov43.movement.proximity import is_proximate
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.movement.zones import is_surrounded, zoc
from kessel.games.kharkov43.supply.supply import can_trace, can_unit_trace
from kessel.games.kharkov43.supply.support import limit_of, supported
from kessel.games.kharkov43.system.terms.arrows import arrows_at
from kessel.games.kharkov43.system.terms.restrictions import why_not_permitted
from kessel.games.kharkov43.system.terms.terminology import why_nearly_surrounded
from tests.games.kharkov43.test_plain_searches import CROSS, ENTER

Key = Callable[[int], Any]
FAR = 999
FRONTS = ("Voronezh", "Southwest")


class PlainSystem:
    """The movement step of one activation. `done`: where each unit went, "" for one told to stay."""

    def __init__(self, g: Board, front: str) -> None:
        self.g, self.front = g, front
        self.other = next(f for f in FRONTS if f != front)
        self.done: dict[int, str] = {}

    # --- the map -----------------------------------------------------------------------------------------------------

    def sides(self, h: int) -> list[tuple[int, list[str], bool]]:
        """Neighbours with the rivers between and whether a road leads there."""
        g = self.g
        around = enumerate(g.map.grid.neighbours[h])
        return [(n, g.map.side_features(h, d), bool(g.ground.roads[d] >> h & 1)) for d, n in around if n >= 0]

    def near(self, h: int) -> set[int]:
        return {n for n, _, _ in self.sides(h)}

    def beside(self, h: int) -> set[int]:
        """9.3 Hexes whose units are adjacent to units in h."""
        return {n for n, rivers, _ in self.sides(h) if "blocked_dniepr" not in rivers}

    def away(self, a: int, b: int) -> int:
        return self.g.ground.distance(a, b)

    def west(self, h: int) -> float:
        number = self.g.hex_name(h)
        return int(number[2:]) + (0 if int(number[:2]) % 2 else 0.5)

    def number(self, h: int) -> int:
        return int(self.g.hex_name(h))

    def is_target(self, h: int, front: str) -> bool:
        return bool(self.g.ground.targets[front] >> h & 1)

    def is_only_target(self, h: int, front: str) -> bool:
        return self.is_target(h, front) and not all(self.is_target(h, f) for f in FRONTS)

    def is_vp_hex(self, h: int) -> bool:
        return bool(self.g.ground.vp_hexes >> h & 1)

    def owned(self, side: int) -> set[int]:
        return set(members(self.g.towns_of(side)))

    # --- the pieces --------------------------------------------------------------------------------------------------

    def germans(self) -> set[int]:
        return {self.g.place[v] for v in self.g.on_map_of(GERMAN)}

    def others(self, u: int) -> set[int]:
        return {self.g.place[v] for v in self.g.on_map_of(SOVIET) if v != u}

    def germans_by(self, h: int) -> set[int]:
        return self.beside(h) & self.germans()

    def strength(self, h: int) -> int:
        return sum(self.g.strength(v) for v in self.g.units(h) if self.g.forces.side[v] == GERMAN)

    def count(self, hexes: Iterable[int]) -> int:
        return sum(len(self.g.units(h)) for h in hexes)

    def held(self, u: int, h: int) -> bool:
        """Occupied by another unit than u."""
        return any(v != u for v in self.g.units(h))

    def garrisoned(self, h: int) -> bool:
        return self.g.has_mark(h, GARRISON)

    def full(self, u: int, h: int) -> bool:
        """Not empty (9.3)."""
        return self.held(u, h) or self.garrisoned(h)

    def by_soviet(self, u: int, h: int) -> bool:
        return bool(self.beside(h) & self.others(u))

    def beyond(self, h: int) -> bool:
        return not limit_of(self.g, self.front) >> h & 1

    def unsupported(self, h: int) -> bool:
        return not supported(self.g) >> h & 1

    def to_support(self, h: int) -> int:
        return min((self.away(h, x) for x in members(supported(self.g))), default=FAR)

    def with_unit(self, u: int, h: int) -> Board:
        x = self.g.copy()
        x.events = None
        x.put(u, h)
        if h in self.owned(GERMAN):
            x.set_owner(h, SOVIET)
        if self.garrisoned(h):
            x.mark(h, GARRISON, False)
        return x

    def nearly(self, u: int, h: int) -> bool:
        return why_nearly_surrounded(self.with_unit(u, h), h) is not None

    def is_close(self, h: int) -> bool:
        return any(is_proximate(self.g, v, h) for v in self.g.on_map_of(GERMAN))

    def threatened(self, h: int, by_supply: bool = True) -> bool:
        return self.is_close(h) or (by_supply and can_trace(self.g, h, GERMAN))

    def surrounded(self, x: Board) -> set[int]:
        return {h for h in self.germans() if is_surrounded(x, h, GERMAN)}

    def causes(self, u: int, h: int) -> set[int]:
        """9.3 German hexes surrounded with u in h and not without u."""
        x = self.g.copy()
        x.take_off(u, 1)
        return self.surrounded(self.with_unit(u, h)) - self.surrounded(x)

    def in_play(self) -> bool:
        return self.g.has_objective(self.front)

    def marker(self, u: int) -> str:
        """9.1 The marker of the unit: its army's, else its front's; "" for none."""
        names = (self.g.forces.formation[u], self.front)
        return next((n for n in names if n in OBJECTIVES and self.g.objective_of(n) >= 0), "")

    # --- choosing ----------------------------------------------------------------------------------------------------

    def ends(self, u: int) -> list[int]:
        here = self.g.place[u]
        return [h for h in reach_of(self.g, u).cost if h != here and self.allowed(u, h)]

    def allowed(self, u: int, h: int) -> bool:
        return why_not_fit(self.g, h, [u]) is None and why_not_permitted(self.g, u, h) is None

    @staticmethod
    def narrow(hexes: Iterable[int], keys: Iterable[Key]) -> list[int]:
        """8.3 Letter by letter; the least value is preferred."""
        left = list(hexes)
        for key in keys:
            values = {h: key(h) for h in left}
            left = [h for h in left if values[h] == min(values.values())]
        return left

    def ties(self, u: int) -> list[Key]:
        """9.24"""
        keys: list[Key] = [lambda h: self.full(u, h)]
        if name := self.marker(u):
            goal = self.g.objective_of(name)
            keys.insert(0, lambda h: self.away(h, goal))
            facing = FACINGS[self.g.facing[OBJECTIVES.index(name)]]
            if facing:
                keys.append((lambda h: -self.west(h)) if facing == "west" else (lambda h: -(self.number(h) // 100)))
        return [*keys, self.to_support, lambda h: -self.number(h)]

    def tactical(self, u: int) -> list[Key]:
        """9.25"""
        active = {self.g.place[v] for v in self.g.active_units() if v != u}
        return [
            self.beyond,
            lambda h: not self.causes(u, h) & self.germans_by(h),
            self.unsupported,
            lambda h: self.by_soviet(u, h),
            lambda h: self.held(u, h),
            lambda h: h in active,
        ]

    def go(self, u: int, hexes: Collection[int], keys: Sequence[Key] = (), *, shift: bool = True) -> None:
        """A31: a provisional hex; if it is beside a German unit, 9.25 first and a wider choice."""
        if not hexes:
            return
        end = self.narrow(hexes, [*keys, *self.ties(u)])[0]
        touched = self.germans_by(end)
        if touched and shift:
            wide = {h for h in hexes if self.germans_by(h)} | {h for h in self.ends(u) if self.germans_by(h) & touched}
            end = self.narrow(wide, [*self.tactical(u), *keys, *self.ties(u)])[0]
        self.move(u, end)

    def move(self, u: int, h: int) -> None:
        self.done[u] = self.g.hex_name(h)
        move_unit(self.g, u, h)

    def stay(self, u: int, keys: Sequence[Key] = (), *, review: bool = True) -> None:
        here = self.g.place[u]
        touched = self.germans_by(here)
        self.done[u] = ""
        if review and touched:
            around = [here, *(h for h in self.ends(u) if self.germans_by(h) & touched)]
            best = self.narrow(around, self.tactical(u))
            if here not in best:
                self.move(u, self.narrow(best, [*keys, *self.ties(u)])[0])

    # --- what several methods look for -------------------------------------------------------------------------------

    def take_vp_hex(self, u: int) -> None:
        """9.21.1, 9.22.1, 9.26.1"""
        g, ends = self.g, set(self.ends(u))
        close = self.beside(g.place[u]) if not g.is_isolated(u) else set()
        towns = {h for h in self.owned(GERMAN) if h in ends or (h in close and self.allowed(u, h))}
        towns = {h for h in towns if not self.full(u, h) and not self.is_only_target(h, self.other)}
        edges = {h for h in ends & set(members(g.ground.edge_vps)) if not self.full(u, h)}
        edges = {h for h in edges if can_trace(self.with_unit(u, h), h, SOVIET)}
        self.go(u, towns or edges, shift=False)

    def opened(self, u: int) -> dict[int, int]:
        """9.21.3, 9.22.2 The hexes that open supply for a unit of the front, and for how many in all."""
        cut = [v for v in self.g.on_map_of(SOVIET) if not can_unit_trace(self.g, v)]
        found = {}
        for h in self.ends(u) if cut else ():
            x = self.with_unit(u, h)
            helped = [v for v in cut if can_unit_trace(x, v)]
            if any(self.g.forces.higher[v] == self.front for v in helped):
                found[h] = len(helped)
        return found

    def surround(self, u: int, can_fit: Callable[[int], bool]) -> None:
        """9.21.4, 9.22.7"""
        now = self.surrounded(self.g)
        new = {h: self.surrounded(self.with_unit(u, h)) - now for h in self.ends(u)}
        keys: list[Key] = [
            lambda h: -self.count(new.get(h, ())),
            lambda h: not self.germans_by(h) & new.get(h, set()),
            lambda h: not self.cuts(u, h),
            lambda h: self.by_soviet(u, h),
        ]
        self.go(u, [h for h in new if new[h] and can_fit(h)], keys)
        here = self.g.place[u]
        caused = self.causes(u, here)
        if u not in self.done and caused and not caused & self.germans_by(here):
            still = {h: self.causes(u, h) & caused for h in self.ends(u)}
            keys = [lambda h: -self.count(still.get(h, ())), *keys[1:]]
            self.go(u, [h for h in still if still[h] & self.germans_by(h) and can_fit(h)], keys)

    def cuts(self, u: int, h: int) -> bool:
        x = self.with_unit(u, h)
        return any(can_unit_trace(self.g, v) and not can_unit_trace(x, v) for v in self.g.on_map_of(GERMAN))

    def armor_alone(self, u: int, h: int) -> bool:
        units = [v for v in self.g.units(h) if v != u]
        return self.is_vp_hex(h) and bool(units) and all(self.g.is_armor(v) for v in units) and h not in self.germans()

    def best(self, h: int, towns: Collection[int], key: Callable[[int, int], Any], worst: Any) -> Any:
        return min((key(h, v) for v in self.near(h) if v in towns), default=worst)

    def lone(self, u: int, h: int) -> set[int]:
        """9.21.8 German hexes beside h with no Soviet unit beside both."""
        mates = self.beside(h) & self.others(u)
        return {x for x in self.germans_by(h) if not any(x in self.beside(m) for m in mates)}

    def lone_keys(self, u: int) -> list[Key]:
        here, others = self.g.place[u], self.others(u)

        def pair(h: int) -> tuple[bool, int]:
            found = ((bool(self.beside(x) & others), self.away(here, x)) for x in self.lone(u, h))
            return min(found, default=(True, FAR))

        return [lambda h: -self.count(self.germans_by(h)), pair]

    def along_arrows(self, u: int) -> dict[int, tuple[int, list[int]]]:
        """9.21.10 Ends with the whole allowance spent: secondary arrows followed, and the way."""
        g, here = self.g, self.g.place[u]
        mech, mud, zone = g.is_mech(u), g.ground_condition == LIGHT_MUD, zoc(g, GERMAN)
        isolated, halt, found = g.is_isolated(u), self.owned(GERMAN), {}
        most = 1 if isolated else 2 if mech and g.status[u] & UNSUPPLIED else FAR
        if isolated and (mech or zone >> here & 1):
            return {}

        def walk(h: int, spent: int, secondary: int, way: list[int]) -> None:
            if spent == g.allowance(u) and h != here and (h not in found or secondary < found[h][0]):
                found[h] = (secondary, way)
            if spent >= g.allowance(u) or len(way) >= most or (way and (zone >> h & 1 or h in halt)):
                return
            for to, kind in arrows_at(g, h, self.front):
                rivers, road = next((r, road) for n, r, road in self.sides(h) if n == to)
                closed = to in self.germans() or "blocked_dniepr" in rivers or (isolated and to in halt)
                leaves = h == here and bool(zone >> here & 1)
                if closed or (leaves and zone >> to & 1) or ("dniepr" in rivers and not road and way):
                    continue
                price = 1 if road else ENTER[g.map.terrain[to]][mech]
                if not road:
                    price = g.allowance(u) if "dniepr" in rivers else price + sum(CROSS[r][mud][mech] for r in rivers)
                walk(to, spent + price + leaves, secondary + (kind == "secondary"), [*way, to])

        walk(here, 0, 0, [])
        return found

    def follow_arrows(self, u: int, *, limited: bool) -> None:
        here, name = self.g.place[u], self.marker(u)
        ways = self.along_arrows(u)
        hexes = [h for h in ways if self.allowed(u, h) and not (limited and self.beyond(h))]
        keys: list[Key] = [lambda h: self.held(u, h), lambda h: -self.away(here, h)]
        if name and not limited:
            keys.append(lambda h: self.away(h, self.g.objective_of(name)))
        self.go(u, hexes, [*keys, lambda h: ways[h][0] if h in ways else FAR])
        if u in self.done and self.g.place[u] in ways:
            for h in ways[self.g.place[u]][1][:-1]:
                pass_hex(self.g, h)
