"""9.4-9.7 and 12.2 written again from the book on `plain_system`: attack checks, reserves, removals, the position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from kessel.games.kharkov43.board import (
    ACTIVE,
    ATTACKED,
    DEFENDED,
    DISPERSED,
    DRAW,
    GARRISON,
    IP,
    ISOLATED,
    MOVED,
    PLACED,
    RESERVE,
    UNSUPPLIED,
    Board,
)
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.arrival import enter_hex, leave_hex
from kessel.games.kharkov43.movement.proximity import is_proximate
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.movement.zones import is_surrounded
from kessel.games.kharkov43.supply.supply import can_trace, can_unit_trace
from kessel.games.kharkov43.system.terms.terminology import why_nearly_surrounded
from kessel.games.kharkov43.turn.piles import soviet_pile

from .plain_methods import PlainMethods
from .plain_system import FAR, Key


class Checked(NamedTuple):
    lead: str
    target: str
    units: list[str]
    """On the map."""
    reserves: list[str]
    attack: int
    defence: int
    value: int | None
    attacks: bool


class PlainChecks(PlainMethods):
    """What follows the movement step. `command`: the command value of the card."""

    command = 0

    # --- strengths ---------------------------------------------------------------------------------------------------

    def rivers(self, h: int, to: int) -> list[str]:
        return next(r for n, r, _ in self.sides(h) if n == to)

    def attack_strength(self, units: Iterable[int], target: int) -> int:
        """12.41 Units halved once are summed and halved, those halved twice likewise."""
        g, sums = self.g, [0, 0, 0]
        for u in units:
            h = g.place[u]
            marsh = g.is_mech(u) and "marsh" in (g.map.terrain[h], g.map.terrain[target])
            sums[("dniepr" in self.rivers(h, target)) + marsh] += g.strength(u)
        return sums[0] + sums[1] // 2 + sums[2] // 2 // 2

    def defence_strength(self, units: Iterable[int]) -> int:
        g, sums = self.g, [0, 0]
        for v in units:
            sums[g.is_mech(v) and g.map.terrain[g.place[v]] == "marsh"] += g.strength(v)
        return sums[0] + sums[1] // 2

    def flanked(self, units: Iterable[int], target: int) -> bool:
        hexes = {self.g.place[u] for u in units}
        if self.g.ground.towns >> target & 1 or len(hexes) == 1:
            return False
        a, b = sorted(hexes)[:2]
        return len(hexes) > 2 or b not in self.near(a)

    def is_supported(self, units: Iterable[int], target: int) -> bool:
        return not all(self.unsupported(h) for h in (target, *(self.g.place[u] for u in units)))

    def all_have(self, units: Iterable[int], status: int) -> bool:
        return all(self.g.status[v] & status for v in units)

    # --- 9.4, 12.2 ---------------------------------------------------------------------------------------------------

    def able(self, u: int) -> bool:
        return not self.g.status[u] & (DISPERSED | UNSUPPLIED | ATTACKED)

    def group(self, target: int) -> list[int]:
        g = self.g
        return [u for u in g.active_units() if g.on_map(u) and self.able(u) and target in self.beside(g.place[u])]

    def defenders(self, target: int) -> list[int]:
        return [v for v in self.g.units_of(target, GERMAN) if not self.g.status[v] & DEFENDED]

    def joins_from(self, u: int, target: int, attackers: Sequence[int], placed: Sequence[int]) -> int | None:
        """12.2 The hex of a reserve unit."""
        g = self.g
        mates = [v for v in g.on_map_of(SOVIET) if g.forces.higher[v] == g.forces.higher[u] and v not in placed]
        hexes = [h for h in self.beside(target) - self.germans() - self.owned(GERMAN) if not self.beyond(h)]
        hexes = [h for h in hexes if self.in_play() or not self.unsupported(h)]
        hexes = [h for h in hexes if why_not_fit(g, h, [u]) is None and can_trace(g, h, SOVIET, reserve=True)]
        hexes = [h for h in hexes if any(is_proximate(g, v, h) for v in mates)]
        flanked = self.flanked(attackers, target)

        def flanks(h: int) -> bool:
            x = PlainChecks(self.with_unit(u, h), self.front)
            return not flanked and x.flanked([*attackers, u], target)

        def surrounds(h: int) -> bool:
            return is_surrounded(self.with_unit(u, h), target, GERMAN) and not is_surrounded(g, target, GERMAN)

        keys: list[Key] = [] if self.is_supported(attackers, target) else [self.unsupported]
        keys += [
            lambda h: not surrounds(h),
            lambda h: "dniepr" in self.rivers(h, target),
            lambda h: not flanks(h),
            lambda h: self.held(u, h),
            lambda h: -self.number(h),
        ]
        return self.narrow(hexes, keys)[0] if hexes else None

    def with_reserves(self, target: int, units: Sequence[int]) -> tuple[PlainChecks, list[int]]:
        """9.4 All active reserves that could be placed, on a board of their own."""
        x = PlainChecks(self.g.copy(), self.front)
        x.command, x.g.events = self.command, None
        placed: list[int] = []
        for u in self.ordered((u for u in self.g.in_box(SOVIET, RESERVE) if self.g.status[u] & ACTIVE), "up"):
            h = x.joins_from(u, target, [*units, *placed], placed)
            if h is not None:
                x.g.put(u, h)
                x.g.mark(h, GARRISON, False)
                placed.append(u)
        return x, placed

    def situation(self, units: Sequence[int], defenders: Sequence[int], target: int) -> int:
        """9.4 The defenders' situational strength."""
        g = self.g
        around = [v for x in self.germans_by(target) for v in g.units(x)]
        total = self.defence_strength(defenders) + g.has_mark(target, IP) + any(g.is_supplied(v) for v in around)
        total += all({"donets", "dniepr"} & set(self.rivers(g.place[u], target)) for u in units)
        total += g.turn >= 5 and not self.is_supported(units, target)
        return max(1, total - self.all_have(defenders, DISPERSED) - 2 * self.all_have(defenders, UNSUPPLIED))

    def tactical_value(self, units: Sequence[int], defenders: Sequence[int], target: int, ratio: Fraction) -> int:
        """9.4 Without an auxiliary card."""
        g = self.g
        worth = g.ground.vp_value(target)
        cut = is_surrounded(g, target, GERMAN) and not can_trace(g, target, GERMAN)
        return (
            self.command
            + 2 * (ratio >= 2)
            + (g.turn <= 2 and bool(g.ground.east_zone >> target & 1))
            + self.is_supported(units, target)
            + (any(g.is_armor(u) for u in units) and not any(g.is_armor(v) for v in defenders))
            + any(is_surrounded(g, g.place[u], SOVIET) for u in units)
            + (self.flanked(units, target) or cut)
            + (worth if g.turn >= 7 and g.vp < 20 else worth >= 2)
            + (len(soviet_pile(g, DRAW)) < 4)
        )

    def consider(self, lead: int, target: int) -> tuple[Any, Checked]:
        """The check against one target, and how it ranks among others (9.41)."""
        g, units, defenders = self.g, self.group(target), self.defenders(target)
        x, placed = self.with_reserves(target, units)
        everybody = [*units, *placed]
        attack, defence = x.attack_strength(everybody, target), x.situation(everybody, defenders, target)
        ratio, isolated = Fraction(attack, defence), self.all_have(defenders, ISOLATED)
        value = None
        if not isolated and 1 <= ratio < 3:
            value = x.tactical_value(everybody, defenders, target, ratio)
        steps = (Fraction(3, 2), Fraction(1))
        rounded = Fraction(int(ratio)) if ratio >= 2 else next((s for s in steps if ratio >= s), ratio)
        names, more = ([g.id(u) for u in self.ordered(us, "up")] for us in (units, placed))
        attacks = isolated or ratio >= 3 or (value is not None and value >= 7)
        found = Checked(g.id(lead), g.hex_name(target), names, more, attack, defence, value, attacks)
        rank = (not isolated, 0 if isolated else -rounded, not self.is_vp_hex(target), -self.west(target))
        return (*rank, -self.number(target)), found

    def targets(self, u: int, checked: Sequence[str]) -> list[int]:
        g, here = self.g, self.g.place[u]
        found = []
        for x in self.germans_by(here) if self.able(u) else ():
            defenders = self.defenders(x)
            poor = g.steps[u] == 1 or (self.is_vp_hex(here) and sum(g.steps[v] for v in g.units(here)) < 3)
            if g.hex_name(x) not in checked and defenders and not (poor and not self.all_have(defenders, UNSUPPLIED)):
                found.append(x)
        return found

    def attack_checks(self) -> list[Checked]:
        """9.4 Round after round, as if combats changed nothing."""
        g, found = self.g, list[Checked]()
        again = True
        while again:
            again = False
            for u in self.ordered((u for u in g.active_units() if g.on_map(u)), "up"):
                targets = self.targets(u, [c.target for c in found])
                if not targets:
                    continue
                again = True
                check = min((self.consider(u, x) for x in targets), key=lambda c: c[0])[1]
                found.append(check)
                if check.attacks:
                    for v in self.defenders(g.map.grid.hex(check.target)):
                        g.set_status(v, DEFENDED)
                    for name in check.units:
                        g.set_status(g.forces.unit(name), ATTACKED)
        return found

    # --- 9.5, 9.6, 9.7 -----------------------------------------------------------------------------------------------

    def place_reserves(self) -> dict[str, str]:
        g, found = self.g, {}
        for u in self.ordered((u for u in g.in_box(SOVIET, RESERVE) if g.status[u] & ACTIVE), "down"):
            hexes = [h for h in g.map.grid.hexes if g.ground.villages >> h & 1 or h in self.owned(SOVIET)]
            hexes = [h for h in hexes if self.is_target(h, self.front) and not self.held(u, h) and not self.beyond(h)]
            hexes = [h for h in hexes if can_trace(g, h, SOVIET, reserve=True)]
            hexes = [h for h in hexes if self.is_vp_hex(h) or not (self.by_soviet(u, h) or self.nearly(u, h))]
            if hexes and g.turn >= 4:
                h = self.narrow(hexes, self.placing_keys(u))[0]
                g.put(u, h)
                g.set_status(u, PLACED)
                enter_hex(g, u, h)
                found[g.id(u)] = g.hex_name(h)
        return found

    def placing_keys(self, u: int) -> list[Key]:
        g = self.g
        supplied = [v for v in g.on_map_of(SOVIET) if g.is_supplied(v)]
        mates = [v for v in supplied if g.forces.formation[v] == g.forces.formation[u]]
        army = [g.place[v] for v in mates if not g.status[v] & PLACED]
        front = [g.place[v] for v in supplied if g.forces.higher[v] == self.front]
        return [
            lambda h: not self.threatened(h),
            lambda h: not self.garrisoned(h),
            lambda h: not self.germans_by(h),
            self.unsupported,
            lambda h: not g.ground.cities >> h & 1,
            lambda h: not self.is_vp_hex(h),
            lambda h: min((self.away(h, x) for x in army), default=FAR),
            lambda h: min((self.away(h, x) for x in front), default=FAR),
            lambda h: -self.number(h),
        ]

    def removals(self) -> list[str]:
        g, found = self.g, []
        for u in self.ordered((u for u in g.active_units() if g.on_map(u)), "down"):
            here = g.place[u]
            if g.turn >= 2 and self.may_go(u) and self.should_go(u):
                g.take_off(u, RESERVE)
                leave_hex(g, here)
                found.append(g.id(u))
        return found

    def may_go(self, u: int) -> bool:
        g, here = self.g, self.g.place[u]
        busy = g.status[u] & (MOVED | ATTACKED | PLACED)
        if busy or not self.germans_by(here) or not can_unit_trace(g, u) or g.ground.name(here) == "Kharkov":
            return False
        x: Board = g.copy()
        x.events = None
        x.take_off(u, RESERVE)
        if not self.beyond(here) and self.surrounded(g) - self.surrounded(x):
            return False
        rest = [v for v in g.on_map_of(SOVIET) if v != u]
        if any(can_unit_trace(g, v) and not can_unit_trace(x, v) for v in rest):
            return False
        hexes = {g.place[v] for v in rest}
        return not any(why_nearly_surrounded(g, h) is None and why_nearly_surrounded(x, h) for h in hexes)

    def should_go(self, u: int) -> bool:
        g, here = self.g, self.g.place[u]
        if any(g.ground.villages >> h & 1 and self.is_only_target(h, self.other) for h in (here, *self.near(here))):
            return True
        mates = [v for v in g.units(here) if v != u]
        if self.is_vp_hex(here):
            return sum(g.steps[v] for v in mates) >= 2
        beside = self.near(here) & self.others(u)
        return bool(mates) or len(beside) >= (1 if self.beyond(here) else 2)

    def position(self) -> str:
        """9.7 The hex that gets an improved position; "" for none."""
        g = self.g
        idle = [u for u in g.active_units() if g.on_map(u) and not g.status[u] & (MOVED | ATTACKED | PLACED)]
        hexes = {g.place[u] for u in idle if not self.unsupported(g.place[u])}
        hexes = {h for h in hexes if not g.ground.towns >> h & 1 and not g.has_mark(h, IP)}
        hexes = {h for h in hexes if not self.all_have(g.units(h), DISPERSED | UNSUPPLIED)}
        germans = [v for v in g.on_map_of(GERMAN) if g.is_supplied(v)]
        keys: list[Key] = [
            lambda h: not self.near(h) & {g.place[v] for v in germans},
            lambda h: not any(is_proximate(g, v, h) for v in germans),
            lambda h: sum(g.strength(v) for v in g.units(h)),
            self.number,
        ]
        return g.hex_name(self.narrow(hexes, keys)[0]) if hexes and g.turn >= 4 else ""
