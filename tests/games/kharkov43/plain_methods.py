"""9.21, 9.22, 9.26 and 9.27 method by method, written again from the book on `plain_system`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kessel.core.hexset import members
from kessel.games.kharkov43.board import DISPERSED, UNSUPPLIED
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.proximity import is_proximate
from kessel.games.kharkov43.movement.zones import is_surrounded
from kessel.games.kharkov43.supply.supply import can_trace, can_unit_trace
from kessel.games.kharkov43.supply.support import limit_of
from kessel.games.kharkov43.system.terms.terminology import why_nearly_surrounded

from .plain_system import FAR, Key, PlainSystem


class PlainMethods(PlainSystem):
    # --- 9.21 --------------------------------------------------------------------------------------------------------

    def a1(self, u: int) -> None:
        self.take_vp_hex(u)

    def a2(self, u: int) -> None:
        g, here, towns = self.g, self.g.place[u], self.owned(GERMAN)
        if not self.in_play():
            return
        goal, worst = g.objective_of(self.marker(u)), (True, FAR, True, 0)

        def key(h: int, v: int) -> tuple[bool, int, bool, int]:
            rivers = next(r for n, r, _ in self.sides(h) if n == v)
            across = "dniepr" in rivers or "blocked_dniepr" in rivers
            return not self.is_only_target(v, self.front), self.strength(v), across, -g.ground.vp_value(v)

        def best(h: int) -> tuple[bool, int, bool, int]:
            found: tuple[bool, int, bool, int] = self.best(h, towns, key, worst)
            return found

        hexes = [h for h in self.ends(u) if self.near(h) & towns]
        hexes = [h for h in hexes if self.away(h, goal) < self.away(here, goal) or self.away(h, goal) <= 4]
        mine = [key(here, v) for v in self.near(here) & towns if self.away(v, goal) <= 4]
        if mine:
            hexes = [h for h in hexes if best(h) < min(mine)]
        self.go(u, hexes, [best])
        if mine and u not in self.done:
            self.stay(u, [best])

    def a3(self, u: int) -> None:
        found = self.opened(u) if self.g.turn >= 3 else {}
        self.go(u, found, [lambda h: -found.get(h, 0)])

    def a4(self, u: int) -> None:
        self.surround(u, lambda h: True)

    def a5(self, u: int) -> None:
        g, foot = self.g, not self.g.is_mech(u)
        if foot and self.armor_alone(u, g.place[u]):
            return self.stay(u, review=False)
        ends, germans = self.ends(u), self.germans()
        hexes = [h for h in ends if h in self.owned(SOVIET) and self.is_target(h, self.front) and not self.held(u, h)]
        hexes = [h for h in hexes if self.threatened(h, g.turn >= 3)]
        keys: list[Key] = [lambda h: not self.near(h) & germans, self.garrisoned, lambda h: -g.ground.vp_value(h)]
        self.go(u, hexes, keys)
        if foot and u not in self.done:
            self.go(u, [h for h in ends if self.armor_alone(u, h)])
        return None

    def a6(self, u: int) -> None:
        towns = {v for v in self.owned(GERMAN) if self.is_target(v, self.front)}
        worst = (FAR, 0)

        def best(h: int) -> tuple[int, int]:
            found: tuple[int, int] = self.best(h, towns, self.weakest, worst)
            return found

        mine = best(self.g.place[u])
        self.go(u, [h for h in self.ends(u) if best(h) < mine], [best])
        if mine < worst and u not in self.done:
            self.stay(u, [best])

    def weakest(self, h: int, v: int) -> tuple[int, int]:
        return self.strength(v), -self.g.ground.vp_value(v)

    def a7(self, u: int) -> None:
        g = self.g
        wanted = {x for x in self.germans() if g.ground.logistics[self.front] >> x & 1} - self.surrounded(g)
        keys: list[Key] = [
            lambda h: min((self.strength(x) for x in self.germans_by(h) & wanted), default=FAR),
            self.west,
        ]
        if self.germans_by(g.place[u]) & wanted:
            return self.stay(u, keys)
        return self.go(u, [h for h in self.ends(u) if self.germans_by(h) & wanted], keys)

    def a8(self, u: int) -> None:
        here, keys = self.g.place[u], self.lone_keys(u)
        if self.lone(u, here) and not self.held(u, here):
            return self.stay(u, keys)
        return self.go(u, [h for h in self.ends(u) if self.lone(u, h) and not self.held(u, h)], keys)

    def a9(self, u: int) -> None:
        if self.g.turn >= 4:
            hexes = [h for h in self.relieved(u) if self.is_vp_hex(h) or not self.by_soviet(u, h)]
            self.go(u, hexes, [lambda h: not self.near(h) & self.germans()])

    def relieved(self, u: int) -> list[int]:
        found = [h for h in self.ends(u) if self.garrisoned(h) and self.is_target(h, self.front)]
        return [h for h in found if self.threatened(h) and can_trace(self.g, h, SOVIET)]

    def a10(self, u: int) -> None:
        self.follow_arrows(u, limited=False)

    def a11(self, u: int) -> None:
        here = self.g.place[u]
        if not self.in_play():
            return
        goal = self.g.objective_of(self.front)
        keys: list[Key] = [
            lambda h: self.away(h, goal),
            lambda h: min((self.strength(x) for x in self.germans_by(h)), default=FAR),
            lambda h: self.full(u, h),
        ]
        self.go(u, [h for h in self.ends(u) if self.away(h, goal) < self.away(here, goal)], keys)

    def a12(self, u: int) -> None:
        active = {self.g.place[v] for v in self.g.active_units() if v != u}
        shared = {x for x in self.germans() if self.beside(x) & active}
        if not self.germans_by(self.g.place[u]):
            self.go(u, [h for h in self.ends(u) if self.germans_by(h) & shared])

    def skips(self, u: int, number: int) -> bool:
        """9.21 Spearheads and methods 4-9."""
        g = self.g
        spearhead = g.forces.formation[u] in ("3T", "Popov") and self.in_play() and not g.status[u] & UNSUPPLIED
        if not 4 <= number <= 9 or not spearhead or g.ground.towns >> g.place[u] & 1:
            return False
        return g.turn <= 2 or (g.turn <= 5 and g.is_armor(u))

    # --- 9.22 --------------------------------------------------------------------------------------------------------

    def b1(self, u: int) -> None:
        self.take_vp_hex(u)

    def b2(self, u: int) -> None:
        found = self.opened(u)
        self.go(u, found, [lambda h: -found.get(h, 0), lambda h: self.nearly(u, h), self.unsupported, self.to_support])

    def b3(self, u: int) -> None:
        g, here, foot = self.g, self.g.place[u], not self.g.is_mech(u)

        def weak(h: int) -> bool:
            return sum(g.steps[v] for v in g.units(h) if v != u) <= (2 if g.ground.name(h) == "Kharkov" else 1)

        if self.is_vp_hex(here) and weak(here) and self.threatened(here):
            return self.stay(u, review=False)
        if foot and self.armor_alone(u, here):
            return self.stay(u, review=False)
        ends, germans = self.ends(u), self.germans()
        hexes = [h for h in ends if h in self.owned(SOVIET) and self.is_target(h, self.front) and weak(h)]
        keys: list[Key] = [
            lambda h: self.held(u, h),
            lambda h: -g.ground.vp_value(h),
            lambda h: not self.near(h) & germans,
            self.unsupported,
        ]
        self.go(u, [h for h in hexes if self.threatened(h)], keys)
        if foot and u not in self.done:
            self.go(u, [h for h in ends if self.armor_alone(u, h)])
        return None

    def b4(self, u: int) -> None:
        here = self.g.place[u]
        if self.is_vp_hex(here) or why_nearly_surrounded(self.g, here) is None:
            return
        keys: list[Key] = [
            self.unsupported,
            self.beyond,
            lambda h: self.to_support(h) >= self.to_support(here),
            lambda h: self.held(u, h),
            lambda h: self.by_soviet(u, h),
            lambda h: self.away(here, h),
        ]
        self.go(u, [h for h in self.ends(u) if not self.nearly(u, h)], keys)

    def eligible(self, towns: Iterable[int]) -> set[int]:
        """9.22.5, 9.22.11 Beyond the limit only with one step or none."""
        return {v for v in towns if not self.beyond(v) or sum(self.g.steps[w] for w in self.g.units(v)) <= 1}

    def b5(self, u: int) -> None:
        here = self.g.place[u]
        towns = self.eligible(v for v in self.owned(GERMAN) if self.is_target(v, self.front))

        def best(h: int) -> tuple[int, int]:
            found: tuple[int, int] = self.best(h, towns, self.weakest, (FAR, 0))
            return found

        if self.near(here) & towns and why_nearly_surrounded(self.g, here) is None:
            return self.stay(u, [best])
        return self.go(u, [h for h in self.ends(u) if self.near(h) & towns and not self.nearly(u, h)], [best])

    def b6(self, u: int) -> None:
        g, here, ends = self.g, self.g.place[u], self.ends(u)
        limit, edge = list(members(limit_of(g, self.front))), g.ground.edge(GERMAN) | g.ground.edge(SOVIET)
        village = g.ground.villages & g.ground.targets[g.forces.higher[u]]
        if not self.beyond(here):
            return

        def far(h: int) -> int:
            return min((self.away(h, x) for x in limit), default=FAR)

        keys: list[Key] = [
            self.beyond,
            lambda h: edge >> h & 1,
            lambda h: self.held(u, h) or self.by_soviet(u, h),
            self.unsupported,
            self.to_support,
            lambda h: not village >> h & 1,
        ]
        self.go(u, [h for h in ends if far(h) < far(here)], keys)

    def b7(self, u: int) -> None:
        self.surround(u, lambda h: not self.beyond(h) and not self.nearly(u, h))

    def b8(self, u: int) -> None:
        g, here = self.g, self.g.place[u]
        keys = [*self.lone_keys(u), lambda h: -self.number(h)]
        if not self.beyond(here) and why_nearly_surrounded(g, here) is None:
            mates = {g.place[v] for v in g.on_map_of(SOVIET) if v != u}
            if any(not self.beside(x) & mates for x in self.germans_by(here)):
                return self.stay(u, keys)
        hexes = [h for h in self.ends(u) if self.lone(u, h) and not self.held(u, h) and not self.beyond(h)]
        return self.go(u, [h for h in hexes if not self.nearly(u, h)], keys)

    def b9(self, u: int) -> None:
        here, villages = self.g.place[u], self.g.ground.villages
        if villages >> here & 1 and self.is_target(here, self.front) and self.is_close(here):
            return self.stay(u, review=False)
        hexes = [h for h in self.relieved(u) if not self.beyond(h)]
        return self.go(u, hexes, [lambda h: not self.near(h) & self.germans(), lambda h: not self.is_close(h)])

    def b10(self, u: int) -> None:
        self.follow_arrows(u, limited=True)

    def b11(self, u: int) -> None:
        g = self.g
        towns = {v for v in self.owned(GERMAN) if self.is_target(v, self.front)}
        towns = towns or {v for v in self.owned(GERMAN) if not self.is_target(v, self.other)}
        wanted = [v for v in self.eligible(towns) if not is_proximate(g, u, v)]
        met: dict[int, list[int]] = {}
        for h in self.ends(u) if wanted else ():
            x = self.with_unit(u, h)
            met[h] = [v for v in wanted if is_proximate(x, u, v)]

        def best(h: int) -> tuple[bool, bool, int]:
            cut = not can_trace(self.with_unit(u, h), h, SOVIET)
            found = ((v not in self.near(h), cut, self.away(h, v)) for v in met.get(h, ()))
            return min(found, default=(True, True, FAR))

        self.go(u, [h for h, close in met.items() if close], [best])

    # --- 9.26, 9.27 --------------------------------------------------------------------------------------------------

    def with_army_objective(self, u: int) -> None:
        for method in (self.take_vp_hex, self.a8, self.closer_to_german, self.closer_to_front):
            if u not in self.done:
                method(u)

    def closer_to_german(self, u: int) -> None:
        here, germans = self.g.place[u], self.germans()
        if not germans:
            return None
        goal = self.g.objective_of(self.marker(u))
        keys: list[Key] = [
            lambda x: self.away(goal, x),
            lambda x: self.away(here, x),
            lambda x: -self.number(x),
        ]
        x = self.narrow(germans, keys)[0]
        if x in self.germans_by(here):
            return self.stay(u, [lambda h: self.away(h, x)])
        hexes = [h for h in self.ends(u) if self.away(h, x) < self.away(here, x)]
        return self.go(u, hexes, [lambda h: self.away(h, x)])

    def closer_to_front(self, u: int) -> None:
        here, goal = self.g.place[u], self.g.objective_of(self.front)
        army = self.g.objective_of(self.marker(u))
        if goal >= 0:
            hexes = [h for h in self.ends(u) if self.away(h, goal) < self.away(here, goal)]
            self.go(u, hexes, [lambda h: self.away(h, goal), lambda h: self.away(h, army)])

    def cut_off(self, u: int) -> None:
        """9.27 For a unit that can't trace supply."""
        g, here, ends = self.g, self.g.place[u], self.ends(u)
        into = [h for h in ends if can_unit_trace(self.with_unit(u, h), u)]
        self.go(u, into, [self.unsupported, lambda h: self.away(here, h)])
        if u in self.done:
            return
        supply = [h for h in g.map.grid.hexes if can_trace(g, h, SOVIET)]

        def to_go(h: int) -> int:
            return min((self.away(h, x) for x in supply), default=FAR)

        free = [h for h in ends if not self.germans_by(h)]
        if not self.germans_by(here):
            free = [h for h in free if to_go(h) < to_go(here)]
        self.go(u, free, [to_go])

    # --- the whole ---------------------------------------------------------------------------------------------------

    def ordered(self, units: Iterable[int], how: str) -> list[int]:
        g = self.g
        sign = 1 if how == "up" else -1
        return sorted(
            (u for u in units if u not in self.done), key=lambda u: (sign * g.selector(u), g.forces.number[u])
        )

    def by_methods(self, units: list[int]) -> None:
        """9.2 All units by one method before the next."""
        early = self.g.turn <= 4 or self.in_play()
        up = (2, 6, 10, 11, 12) if early else (3, 4, 5, 6, 10, 11)
        numbers, desperate = list(range(1, 13 if early else 12)), False
        while numbers:
            number = numbers.pop(0)
            method: Callable[[int], None] = getattr(self, f"{'a' if early else 'b'}{number}")
            for u in self.ordered(units, "up" if number in up else "down"):
                if not (early and self.skips(u, number)):
                    method(u)
            if number == 5 and not early and not desperate and self.g.vp < 19:
                desperate = True
                numbers = [11, *(n for n in numbers if n != 11)]

    def one(self, u: int) -> None:
        if self.marker(u) == self.g.forces.formation[u]:
            self.with_army_objective(u)
        else:
            self.by_methods([u])

    def run(self) -> dict[int, str]:
        """Where each active unit goes."""
        g = self.g
        units = [u for u in g.active_units() if g.on_map(u) and not g.status[u] & DISPERSED]
        unsupplied = [u for u in units if g.status[u] & UNSUPPLIED]
        supplied = [u for u in units if u not in unsupplied]
        army = [u for u in supplied if self.marker(u) == g.forces.formation[u]]
        self.by_methods([u for u in supplied if u not in army])
        for u in self.ordered(army, "down"):
            self.one(u)
        for u in self.ordered(unsupplied, "up"):
            here = g.place[u]
            if is_surrounded(g, here, SOVIET) or (g.is_isolated(u) and self.germans_by(here)):
                continue
            if can_unit_trace(g, u):
                self.one(u)
            else:
                self.cut_off(u)
        return {u: h for u, h in self.done.items() if h}
