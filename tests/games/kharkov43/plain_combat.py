"""12.38-12.8 written again from the book on `plain_system`: chits and situations, hits, retreats, advances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kessel.games.kharkov43.board import (
    DISPERSED,
    ELIMINATED,
    IP,
    ISOLATED,
    LIGHT_MUD,
    RESERVE,
    STRUCK,
    UNSUPPLIED,
    Board,
)
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.movement.zones import is_surrounded, zoc
from kessel.games.kharkov43.supply.supply import can_trace, can_unit_trace
from kessel.games.kharkov43.system.terms.arrows import arrows_at
from kessel.games.kharkov43.system.terms.restrictions import why_not_expose
from kessel.games.kharkov43.system.terms.terminology import why_nearly_surrounded

from .plain_checks import PlainChecks
from .plain_system import Key

TABLE = {
    1: "D D E E E E",
    2: "D D 1D E E E",
    3: "D D 1D 2D E E",
    4: "1/0D D 1D 2D 3D E",
    5: "1/0D D 1D 2D 3D 4D",
    6: "1 2/0D 1D 2D 3D 4D",
    8: "1 2/0D 3/1D 2D 3D 4D",
    10: "1 2 3/1D 4/2D 3D 4D",
}
"""12.54 From so many steps on, by hits left; after the stroke what a small pile makes of it."""


class Alike(Exception):
    """12.6 The player chooses between Soviet units."""


class Entry(NamedTuple):
    hex: int
    priority: int
    dniepr: bool

    @property
    def costs(self) -> int:
        return int(self.priority >= 3)


def best(entries: Iterable[Entry]) -> list[Entry]:
    """12.7 The first priority there is; over the Dniepr only if all are."""
    every = list(entries)
    first = [e for e in every if e.priority == min(x.priority for x in every)]
    return [e for e in first if not e.dniepr] or first


class PlainCombat(PlainChecks):
    """One combat against the units of a hex."""

    def begin(self, target: int) -> None:
        g = self.g
        self.target = target
        self.units = list(g.units(target))
        self.side = g.forces.side[self.units[0]]
        self.lost: list[int] = []
        self.retreated, self.go_on, self.most = 0, False, 2
        if any(g.status[u] & (DISPERSED | ISOLATED) for u in self.units):
            self.most = 1
        if any(g.status[u] & ISOLATED and g.is_mech(u) for u in self.units):
            self.most = 0

    def alive(self) -> list[int]:
        return [u for u in self.units if self.g.on_map(u)]

    def steps(self) -> int:
        return sum(self.g.steps[u] for u in self.alive())

    # --- 12.38, 12.4, 12.41 ------------------------------------------------------------------------------------------

    def chits(self, attackers: Sequence[int]) -> tuple[int, int]:
        """12.4 Required and allowed, without tactics of cards."""
        g = self.g
        most = sum(2 if g.steps[u] == 3 else 1 for u in attackers) + self.in_barrage()
        if self.all_have(self.units, UNSUPPLIED):
            most += 2 if self.all_have(self.units, ISOLATED) else 1
        return self.steps(), min(most, 6) if g.ground_condition == LIGHT_MUD else most

    def in_barrage(self) -> bool:
        """12.36"""
        return self.side == GERMAN and self.g.turn <= 2 and bool(self.g.ground.east_zone >> self.target & 1)

    def overwhelmed(self, attackers: Sequence[int]) -> bool:
        """12.38"""
        attack, defence = self.attack_strength(attackers, self.target), self.defence_strength(self.units)
        unfit = self.all_have(self.units, DISPERSED | UNSUPPLIED)
        isolated = self.all_have(self.units, ISOLATED) and not self.is_vp_hex(self.target)
        large = max(self.chits(attackers)) >= 7
        return attack >= defence * (5 if unfit else 6 if large else 8) or isolated

    def situations(self, attackers: Sequence[int], command: int) -> set[str]:
        """12.41 What holds, Large Attack apart."""
        g, t = self.g, self.target
        late, soviet_defence = g.turn >= 5, self.side == SOVIET
        ours, theirs = (any(g.is_armor(u) for u in units) for units in (attackers, self.units))
        unfit = DISPERSED | UNSUPPLIED | STRUCK
        friends = [v for x in self.beside(t) for v in g.units_of(x, self.side) if not g.status[v] & unfit]
        if late and soviet_defence:
            friends = [v for v in friends if not self.unsupported(g.place[v]) and not self.unsupported(t)]
        lost = late and (self.unsupported(t) if soviet_defence else not self.is_supported(attackers, t))
        holds = {
            "defender_adjacent": friends,
            "dispersed_or_unsupplied": self.all_have(self.units, DISPERSED | UNSUPPLIED),
            "ip_crossfire": g.has_mark(t, IP),
            "flank_attack": self.flanked(attackers, t),
            "one_hex_attack": len({g.place[u] for u in attackers}) == 1,
            "only_attacker_armor": ours and not theirs,
            "only_defender_armor": theirs and not ours,
            "attacker_artillery": self.in_barrage(),
            "soviets_not_supported": lost,
            "attack_not_supported": lost and not soviet_defence,
            "defender_not_supported": lost and soviet_defence,
        }
        return {g.map.terrain[t], f"command_value_{command}", *(word for word, true in holds.items() if true)}

    # --- 12.6 --------------------------------------------------------------------------------------------------------

    def loser(self, steps: dict[int, int], lost: Sequence[int]) -> int:
        """12.6, 12.61 The Soviet unit that loses the next step."""
        left = [u for u in steps if steps[u]]
        pool = [u for u in left if u not in lost] or left
        order = {u: (steps[u], self.g.forces.selector[u][steps[u]]) for u in pool}
        first = [u for u in pool if order[u] == max(order.values())]
        if len(first) > 1:
            raise Alike
        return first[0]

    def lose(self, units: Sequence[int]) -> str:
        g = self.g
        u = self.loser({v: g.steps[v] for v in units if g.on_map(v)}, self.lost)
        self.lost.append(u)
        if g.steps[u] > 1:
            g.steps[u] -= 1
            g.changed()
        else:
            g.take_off(u, ELIMINATED)
        return g.id(u)

    def kills(self, units: Sequence[int], number: int) -> bool:
        """12.72 Whether so many losses eliminate one of the units, Soviet ones as 12.6 has it, German ones anyhow."""
        return self._kills({u: self.g.steps[u] for u in units}, tuple(self.lost), number)

    def _kills(self, steps: dict[int, int], lost: tuple[int, ...], number: int) -> bool:
        if not number:
            return False
        pool = [u for u in steps if u not in lost] or list(steps)
        if self.side == SOVIET:
            pool = [self.loser(steps, lost)]
        elif not lost:
            pool = [u for u in pool if steps[u] == 3 or self.g.is_armor(u)] or pool
        return all(steps[u] == 1 or self._kills({**steps, u: steps[u] - 1}, (*lost, u), number - 1) for u in pool)

    # --- 12.7 --------------------------------------------------------------------------------------------------------

    def entries(self, units: Sequence[int], a: int) -> list[Entry]:
        g, enemy, found = self.g, 1 - self.side, []
        for h, rivers, road in self.sides(a):
            if "blocked_dniepr" in rivers or g.units_of(h, enemy) or h in self.owned(enemy):
                continue
            friends = [v for v in g.units(h) if v not in units]
            if not zoc(g, enemy) >> h & 1:
                priority = 1
            elif any(not g.status[v] & (DISPERSED | UNSUPPLIED) for v in friends):
                priority = 2
            else:
                priority = 3 if not friends and can_trace(self.without(units), h, self.side) else 4
            found.append(Entry(h, priority, "dniepr" in rivers and not road))
        return found

    def without(self, units: Sequence[int]) -> Board:
        x = self.g.copy()
        x.events = None
        for u in units:
            x.take_off(u, RESERVE)
        return x

    def routes(self, hexes: int) -> dict[tuple[str, ...], int]:
        """12.7, 12.72, 12.75 The ways of a German stack that stays together, with the steps they cost."""
        g, units, start = self.g, self.alive(), self.target
        ways = [(e,) for e in self.entries(units, start)]
        if hexes == 2:
            ways = [(e, f) for (e,) in ways for f in self.entries(units, e.hex)]
        ways = [w for w in ways if g.map.grid.distance(start, w[-1].hex) == hexes]
        ways = [w for w in ways if why_not_fit(g, w[-1].hex, units) is None]
        found = self.first(ways)
        safe = [w for w in ways if not self.kills(units, sum(e.costs for e in w))]
        if not set(found) & set(safe):
            found = self.first(safe) or found
        return {tuple(g.hex_name(e.hex) for e in w): sum(e.costs for e in w) for w in found}

    @staticmethod
    def first(ways: Sequence[tuple[Entry, ...]]) -> list[tuple[Entry, ...]]:
        """The priorities hex by hex."""
        left = list(ways)
        for i in range(len(ways[0]) if ways else 0):
            groups: dict[tuple[Entry, ...], list[Entry]] = {}
            for w in left:
                groups.setdefault(w[:i], []).append(w[i])
            left = [w for w in left if w[i] in best(groups[w[:i]])]
        return left

    def hop(self, units: Sequence[int], hits_after: int) -> Entry | None:
        """12.7, 12.75 The next hex of Soviet units that retreat together."""
        g, a = self.g, self.g.place[units[0]]
        found: dict[Entry, int] = {}
        for e in self.entries(units, a):
            if g.map.grid.distance(self.target, e.hex) != self.retreated + 1:
                continue
            if why_not_fit(g, e.hex, units) is None:
                found[e] = e.costs
            elif not self.retreated and hits_after and self.most == 2:
                second = [f for f in self.entries(units, e.hex) if why_not_fit(g, f.hex, units) is None]
                second = [f for f in second if g.map.grid.distance(self.target, f.hex) == 2]
                if second:
                    found[e] = e.costs + best(second)[0].costs
        options = [e for e in found if not self.kills(units, found[e])] or list(found)
        if not options:
            return None
        left = {e.hex: e for e in best(options)}
        return left[self.narrow(left, self.retreat_keys(units, a))[0]]

    def retreat_keys(self, units: Sequence[int], a: int) -> list[Key]:
        g = self.g
        around = list(g.map.grid.neighbours[a])
        arrows = arrows_at(g, a, g.forces.higher[self.ordered(units, "up")[0]])
        forward = {around.index(to) for to, _ in arrows}
        return [
            lambda h: h not in self.owned(SOVIET),
            lambda h: around.index(h) in forward,
            lambda h: any((around.index(h) - d) % 6 in (1, 5) for d in forward),
            lambda h: g.map.terrain[h] != "woods",
            self.west,
            self.number,
        ]

    def hops(self, hits_after: int) -> list[tuple[list[int], Entry]]:
        """12.73 Together, or one by one in ascending order; [] if one of them finds no hex."""
        keep, found = self.g, list[tuple[list[int], Entry]]()
        self.g = keep.copy()
        for place in sorted({self.g.place[u] for u in self.alive()}):
            group = [u for u in self.alive() if keep.place[u] == place]
            together = self.hop(group, hits_after)
            parts = [group] if together or len(group) == 1 else [[u] for u in self.ordered(group, "up")]
            for part in parts:
                entry = self.hop(part, hits_after)
                if entry is None:
                    self.g = keep
                    return []
                found.append((part, entry))
                for u in part:
                    self.g.move(u, entry.hex)
        self.g = keep
        return found

    # --- 12.53 -------------------------------------------------------------------------------------------------------

    def defend(self, hits: int, rolls: list[int], attackers: Sequence[int]) -> list[tuple[object, ...]]:
        """Each hit: priority, hold chance if any, what becomes of it, who loses a step, where they are then."""
        g, told = self.g, list[tuple[object, ...]]()
        while hits and self.alive():
            hits -= 1
            chance: int | None = None
            hops = self.hops(hits) if self.retreated < self.most else []
            if not hops:
                letter, runs = "A", False
            elif self.go_on:
                letter, runs = "12.75", True
            elif hits + 1 >= self.steps():
                letter, runs = "B", True
            else:
                chance = self.hold_chance(attackers, hops)
                letter, runs = "C", rolls.pop(0) > chance
            losers = self.run_back(hops) if runs else [self.lose(self.units)]
            self.go_on = self.go_on and runs
            places = sorted({g.hex_name(g.place[u]) for u in self.alive()})
            told.append((letter, chance, "retreat" if runs else "step loss", losers, places if runs else None))
        return told

    def run_back(self, hops: Sequence[tuple[list[int], Entry]]) -> list[str]:
        for units, entry in hops:
            for u in units:
                self.g.move(u, entry.hex)
        self.retreated += 1
        self.go_on = any(why_not_fit(self.g, e.hex, units) is not None for units, e in hops)
        return [self.lose(units) for units, entry in hops if entry.costs]

    def hold_chance(self, attackers: Sequence[int], hops: Sequence[tuple[list[int], Entry]]) -> int:
        g, here = self.g, self.target
        across = all({"donets", "dniepr"} & set(self.rivers(g.place[u], here)) for u in attackers)
        chance = self.steps() + 2 * g.ground.vp_value(here) + (g.map.terrain[here] in ("woods", "town", "city"))
        chance += across + 2 * all(e.costs for _, e in hops) + 2 * (self.retreated == 1)
        return chance - 2 * (not all(can_unit_trace(g, u) for u in self.alive()))

    # --- 12.83 -------------------------------------------------------------------------------------------------------

    def advance_chance(self, u: int, start: Board, h: int, *, second: bool, path: Sequence[int]) -> int:
        """The highest die by which u, now in `self.g`, advances to h; `start`: the board before it began."""
        g, here = self.g, self.g.place[u]
        if self.barred(u, start, h):
            return 0
        name = self.marker(u)
        closer = bool(name) and self.away(h, g.objective_of(name)) < self.away(here, g.objective_of(name))
        arrows = dict(arrows_at(g, here, g.forces.higher[u]))
        if self.is_vp_hex(h) or h in arrows or self.frees(u, h) or (closer and self.rivers(here, h)):
            return 10
        if second and h in path[:1]:
            return 10
        return 7 if self.causes(u, h) or closer or not second else 0

    def frees(self, u: int, h: int) -> bool:
        """The advance enables supply."""
        x = self.with_unit(u, h)
        return any(not can_unit_trace(self.g, v) and can_unit_trace(x, v) for v in self.g.on_map_of(SOVIET))

    def barred(self, u: int, start: Board, h: int) -> bool:
        g, edge = self.g, start.place[u]
        leaves_edge = start.ground.edge_vps >> edge & 1 and start.units(edge) == [u] and can_trace(start, edge, SOVIET)
        marsh = g.is_mech(u) and g.map.terrain[h] == "marsh"
        if leaves_edge or marsh or why_not_fit(g, h, [u]) or why_not_expose(start, u, h):
            return True
        before, x = PlainChecks(start, self.front), self.with_unit(u, h)
        after = before.with_unit(u, h)
        rest = [v for v in start.on_map_of(SOVIET) if v != u]
        if g.turn >= 3 and any(can_unit_trace(start, v) and not can_unit_trace(after, v) for v in rest):
            return True
        trapped = why_nearly_surrounded(x, h) is not None or is_surrounded(x, h, SOVIET)
        return g.turn >= 6 and trapped and not self.is_vp_hex(h) and not self.frees(u, h)

    def may_go_on(self, u: int, t: int, path: Sequence[int]) -> bool:
        """12.81, 12.82 Whether u may advance beyond the vacated hex t; an empty path: all were eliminated."""
        rivers, road = next((r, road) for n, r, road in self.sides(self.g.place[u]) if n == t)
        stops = {"donets", "dniepr"} & set(rivers) and not road
        return self.g.is_mech(u) and len(path) != 1 and not stops and t not in self.owned(1 - self.g.forces.side[u])

    def traces(self, u: int, h: int) -> bool:
        """10.5 Whether u could trace supply from h."""
        x = self.g.copy()
        x.events = None
        x.put(u, h)
        return can_unit_trace(x, u)

    def second_hexes(self, u: int, t: int, path: Sequence[int]) -> list[int]:
        """12.81, 12.82 The hexes a unit in t may go on to."""
        side = self.g.forces.side[u]
        zone, found = zoc(self.g, 1 - side), []
        beside_garrison = side == GERMAN and any(self.garrisoned(n) for n in self.near(t))
        for h, rivers, road in self.sides(t):
            follows = h in path[:1]
            closed = "blocked_dniepr" in rivers or self.g.units_of(h, 1 - side)
            closed = closed or (side == GERMAN and self.garrisoned(h))
            strays = {"donets", "dniepr"} & set(rivers) and not road
            strays = strays or (zone >> t & 1 and zone >> h & 1) or beside_garrison
            if not closed and (follows or not strays):
                found.append(h)
        return found


def table_result(steps: int, hits: int, *, small_pile: bool) -> str:
    """12.54"""
    cell = TABLE[max(n for n in TABLE if n <= steps)].split()[min(hits, 6) - 1].split("/")
    return cell[-1 if small_pile else 0]
