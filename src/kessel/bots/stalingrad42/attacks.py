"""Attacks: what one is worth by its exact chances, which units make it, and where they must stand for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from kessel.bots.stalingrad42.situation import Situation, has_room, step_worth, worth
from kessel.core.board import NOWHERE
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread, within
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, DONE, FROZEN, IN_PLAY
from kessel.games.stalingrad42.combat.chances import Worth, average, final_chances
from kessel.games.stalingrad42.combat.crt import tables
from kessel.games.stalingrad42.combat.defense import is_desperate
from kessel.games.stalingrad42.combat.strength.air import offensive_air
from kessel.games.stalingrad42.combat.strength.artillery import offensive_guns
from kessel.games.stalingrad42.combat.strength.eligibility import BUSY, attackers_of, why_not_mix
from kessel.games.stalingrad42.combat.strength.shifts import Assessment, assess
from kessel.games.stalingrad42.combat.strength.strengths import Attack, approach, defenders, way_doubles
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.movement.ways.crossings import may_step
from kessel.games.stalingrad42.movement.ways.reach import Group, plan
from kessel.games.stalingrad42.movement.ways.zones import zoc
from kessel.wargame.board import other


def value(g: Board, s: Situation, a: Attack, dice: int = 1) -> float:
    """What an attack brings on average: steps against steps, ground, units that have no way out."""
    if not a.units:
        return -9.0
    now = assess(g, a)
    if now.too_low:
        return -9.0
    mean, doomed = prospects(g, s, a, now, dice)
    own = min(step_worth(g, u) for u in a.units)
    beaten = defenders(g, a)
    if not beaten:
        return 0.0
    theirs = max(step_worth(g, u) for u in beaten)
    steps = sum(worth(g, u) for u in beaten)
    points = s.vp.get(a.target, 0) * (a.target in s.their_vp)
    ground = s.w.ground + s.w.point * points + s.w.point * s.sores.get(a.target, 0.0)
    nearer = [s.lure_for(u, a.target) - s.lure_for(u, g.place[u]) for u in a.units if g.on_map(u)]
    ground += s.temper.lure * max(0.0, sum(nearer) / max(1, len(nearer)))
    gain = mean.defender_steps * theirs + mean.empties * ground + mean.shatters * 0.5 * steps
    if doomed:
        gain += mean.empties * steps
    return gain - mean.attacker_steps * own * s.w.care


MOST_KNOWN = 4000
QUICK: Any = 1.0
"""Chances by floats: an estimate need not be exact."""


def prospects(g: Board, s: Situation, a: Attack, now: Assessment, dice: int) -> tuple[Worth, bool]:
    """The averages of an attack by its exact chances, and whether the defenders have no way out.

    They depend on the column, on the defenders and on the zones round them; equal ones are worked out once.
    """
    them = tuple((u, g.steps[u], g.status[u]) for u in defenders(g, a))
    near = _vicinity(g, a.target)
    closed = zoc(g, a.side) & near, g.sets[COMBAT + a.side] & near, g.sets[COMBAT + other(a.side)] & near
    column = (now.column, now.automatic, bool(way_doubles(g, a)), dice)
    key = (g.scenario.id, g.turn, a.side, a.target, column, them, closed)
    known: dict[object, tuple[Worth, bool]] = s.known
    found = known.get(key)
    if found is None:
        cases = final_chances(g, a, dice, QUICK)
        sample = next((c.result for c in cases if c.result.retreat), None)
        found = average(cases), sample is not None and is_desperate(g, a, sample)
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[key] = found
    return found


@fact(FOREVER)
def _vicinity(g: Board, h: Hex) -> Bits:
    return within(g.map.grid, 1 << h, 4)


def supported(g: Board, a: Attack) -> tuple[Attack, float]:
    """The attack with the support that could be given now, and what that costs."""
    cost = 0.0
    air = offensive_air(g, a)
    if air:
        a, cost = a._replace(air=air[0]), 0.25
    guns = offensive_guns(g, a)
    if guns:
        a, cost = a._replace(guns=(guns[0],)), cost + 0.35
    return a, cost


def best_group(g: Board, s: Situation, target: Hex) -> tuple[float, tuple[Unit, ...]]:
    """The units that should attack a hex now, and what that promises; nothing promising: (value, ())."""
    able = attackers_of(g, target, s.side)
    ready = sorted(able, key=lambda u: (approach(g, g.place[u], target).doubles, -g.attack(u)))
    best, column = 0.0, None
    units: tuple[Unit, ...] = ()
    chosen: tuple[Unit, ...] = ()
    for u in ready:
        if why_not_mix(g, (*chosen, u), target) is not None:
            continue
        chosen = (*chosen, u)
        a = Attack(s.side, target, tuple(sorted(chosen)))
        now = assess(g, a)
        if now.at == column or (now.too_low and now.at + 2 < tables(g.charts).lowest):
            continue
        column = now.at
        more, cost = supported(g, a)
        got = value(g, s, more) - cost - s.w.use * sum(g.attack(v) for v in chosen)
        if got > best and not (now.too_low and assess(g, more).too_low):
            best, units = got, a.units
    return (best, units) if best >= s.w.least else (best, ())


# --- where to go for an attack ---------------------------------------------------------------------------------------


class Order(NamedTuple):
    place: Hex
    target: Hex


def fighters(g: Board, side: int) -> list[Unit]:
    """The units that could attack in this turn, those still in an Entry Area among them."""
    f = g.forces
    return [
        u
        for u in f.units_of[side]
        if g.pool[u] == IN_PLAY and g.place[u] != NOWHERE and f.combat[u] and not f.is_asu[u] and g.face(u).attack
        if not g.status[u] & BUSY and not (g.status[u] & FROZEN and side == AXIS)
    ]


class Planner:
    """Chooses attacks one after the other, the most promising first, and binds units to them."""

    def __init__(
        self, g: Board, s: Situation, limit: str, busy: Collection[Unit] = (), posted: Collection[Unit] = ()
    ) -> None:
        """`busy` units have something else to do, `posted` ones stay where they are."""
        self.g, self.s = g.copy(), s
        self.reach: dict[Unit, Bits] = {}
        for u in fighters(g, s.side):
            if u == s.climber or u in busy:
                continue
            found = 1 << g.place[u] if g.on_map(u) else 0
            if not g.status[u] & (DONE | FROZEN) and u not in posted:
                p = plan(g, Group((u,), g.place[u], limit=limit))
                found |= p.marched | p.tactical
            self.reach[u] = found
        self.free = set(self.reach)
        self.home = {u: g.place[u] for u in self.reach}
        self.orders: dict[Unit, Order] = {}

    def targets(self) -> list[Hex]:
        near = 0
        for bits in self.reach.values():
            near |= spread(self.g.map.grid, bits)
        return members(near & self.g.sets[COMBAT + self.s.enemy])

    def run(self) -> dict[Unit, Order]:
        """Lazily: an attack is worked out again only when it has come to the top."""
        queue = {t: self.work_out(t) for t in self.targets()}
        while queue:
            t = max(queue, key=lambda x: queue[x][0])
            value_, orders = queue[t]
            if value_ < self.s.w.least:
                break
            if not all(u in self.free for u in orders):
                queue[t] = self.work_out(t)
                continue
            del queue[t]
            if not self.admits(value_, orders):
                continue
            for u, order in orders.items():
                self.orders[u] = order
                self.free.discard(u)
                self.g.move(u, order.place)
        return self.orders

    def admits(self, promised: float, orders: dict[Unit, Order]) -> bool:
        """Whether an attack that promises so much is worth the places its units leave."""
        return True

    def work_out(self, target: Hex) -> tuple[float, dict[Unit, Order]]:
        """The best attack on a hex with units still free; they are moved for the trial and put back."""
        g, s = self.g, self.s
        spots = [n for n in g.map.grid.around[target] if not g.sets[COMBAT + s.enemy] >> n & 1]
        near = sum(1 << n for n in spots)
        who = [u for u in self.free if self.reach[u] & near]
        who.sort(key=lambda u: (-g.attack(u), self.reach[u].bit_count(), u))
        best: tuple[float, dict[Unit, Order]] = (0.0, {})
        orders: dict[Unit, Order] = {}
        column = None
        for u in who[:12]:
            place = self.spot(u, target, spots)
            if place is None or why_not_mix(g, (*orders, u), target) is not None:
                continue
            orders[u] = Order(place, target)
            g.move(u, place)
            a = Attack(s.side, target, tuple(sorted(orders)))
            now = assess(g, a)
            if now.at == column or now.too_low:
                continue
            column = now.at
            more, cost = supported(g, a)
            got = value(g, s, more) - cost - s.w.use * sum(g.attack(v) for v in orders)
            if got > best[0]:
                best = (got, dict(orders))
            if now.automatic:
                break
        for u in orders:
            g.move(u, self.home[u])
        return best

    def spot(self, u: Unit, target: Hex, spots: Sequence[Hex]) -> Hex | None:
        """A hex beside the target from which the unit attacks best: not over rivers, where it is, in supply."""
        g, here = self.g, self.home[u]
        found = []
        for n in spots:
            if not self.reach[u] >> n & 1 or not has_room(g, u, n, self.s.side):
                continue
            way = approach(g, n, target)
            if not may_step(g, u, n, g.map.grid.offsets.index(target - n)):
                continue
            found.append((way.halved, way.doubles, not self.s.supplied >> n & 1, n != here, -self.s.lure_for(u, n), n))
        return min(found)[-1] if found else None
