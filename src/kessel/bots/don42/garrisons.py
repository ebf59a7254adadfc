"""Who holds which Victory Point hex: units by how likely it is that the hex is still theirs after the enemy's turn.

A hex is attacked once in a phase (12.0), and a unit with a step to lose need not retreat (13.3.3). So a fresh unit
stands nearly any attack and a worn one hardly any: worn garrisons are relieved by fresh units.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from kessel.bots.don42.plans import far_from
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.games.don42.board import DISORDER, DPT, OOS, OTHER, RTD, Board
from kessel.games.don42.combat.combined_arms import is_armor, is_soft
from kessel.games.don42.combat.odds import attack_strength, odds_of
from kessel.games.don42.combat.quality import quality_shift
from kessel.games.don42.data.charts import BRE, DE1, DRE, DRTD, POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement import allowance, ends_of, movers
from kessel.games.don42.movement.withdrawal import must_leave

LEAST = 0.5
"""Victory Points a garrison must be worth more than none."""
ROOM = 7
"""Attack strength that finds room in a hex."""
MISSED = 0.5
"""Victory Points that a point of a German's attack strength is worth elsewhere."""
POST = 8.0
"""What it is worth that somebody stands at a post."""
SURE = 0.85
"""How likely an enemy who can walk into an empty hex does so."""


@dataclass(slots=True)
class Threat:
    """What the enemy can bring against a hex in his next turn."""

    units: list[tuple[Unit, float]] = field(default_factory=list)
    """Each with how likely it is to come."""

    @property
    def likely(self) -> float:
        return min(1.0, sum(share for _, share in self.units))


def threat_to(g: Board, side: Side, h: Hex) -> Threat:
    """The enemies that could be beside a hex in their next turn."""
    found, far = Threat(), far_from(g, h)
    for u in g.units_on_map(OTHER[side]):
        if g.forces.hq[u] or g.forces.gun[u] or g.status[u] & DISORDER or not attack_strength(g, u):
            continue
        away, reach = far[g.place[u]], 8 if g.forces.motorized[u] else 4
        if away <= reach + 2:
            found.units.append((u, 1.0 if away <= 1 else 0.6 if away <= reach // 2 else 0.3 if away <= reach else 0.1))
    return found


def room_around(g: Board, side: Side, h: Hex) -> int:
    """The hexes an enemy can attack it from."""
    held = g.hexes_of(side)
    return sum(not held >> n & 1 and bool(g.ground.attackable[n] >> h & 1) for n in g.map.grid.around[h])


def holds(g: Board, u: Unit, h: Hex, threat: Threat, room: int) -> float:
    """How likely the hex is still held after the enemy's next turn if the unit stands there."""
    side = g.forces.side[u]
    if not threat.units or not room:
        return 1.0
    strength = min(float(room * ROOM), sum(attack_strength(g, v) * share for v, share in threat.units))
    likely = [v for v, share in threat.units if share >= 0.3] or [v for v, _ in threat.units]
    results = attacked(g, side, u, h, max(1, round(strength)), likely)
    steps = g.steps[u]
    lost = 0.0
    for result in results:
        if result in (DE1, DRTD):
            lost += 1
        elif steps == 1 and (result in DRE or result == BRE):
            lost += 1 if result != BRE else 0.7
    return 1.0 - min(1.0, 0.25 + threat.likely) * lost / 6


def attacked(g: Board, side: Side, u: Unit, h: Hex, strength: int, likely: Sequence[Unit]) -> tuple[str, ...]:
    """The six results of an attack of that strength by such units."""
    f, status = g.forces, g.status[u]
    defence, routed = g.defence_value(u), bool(status & RTD)
    if status & DPT:
        defence = max(1, defence // 2)
    if side == SOVIET and g.supply[u] == OOS:
        defence = max(1, defence // 2)
    _, table, column = odds_of(strength, 1 if routed else defence)
    if not routed:
        column -= g.ground.hex_shift(h)[0]
    if (f.tank[u] or f.anti_tank[u]) and not status & DISORDER:
        column -= 1
    elif is_soft(g, u) and any(is_armor(g, v) for v in likely) and any(not is_armor(g, v) for v in likely):
        column += 1
    qualities = sorted(f.quality[v] for v in likely)
    column += quality_shift(g, qualities[len(qualities) // 2], f.quality[u]) + bool(status & DPT)
    if side == GERMAN:
        column -= g.position[h]
    crt = g.charts.crt[table]
    at = crt.shift("0", column)
    return tuple(crt.at(die, at) for die in range(1, 7))


class Garrisons:
    """Binds units to Victory Point hexes, the pair that gains most first. `bound` have other orders."""

    def __init__(self, g: Board, side: Side, bound: Collection[Unit] = ()) -> None:
        self.g, self.side = g, side
        f = g.forces
        able = movers(g, side)
        free = [u for u in able if not f.hq[u] and not f.gun[u] and not must_leave(g, u) and u not in bound]
        self.reach: dict[Unit, Bits] = {u: ends_of(g, u, allowance(g, u).total * POINT, True) for u in free}
        self.passing = {u for u in able if f.hq[u] or f.gun[u] or u in bound}
        """Who may go on from where it stands, and is not counted on."""
        self.places: dict[Unit, Hex] = {}

    def run(self, own: bool = False, posts: Collection[Hex] = (), prizes: bool = True) -> dict[Unit, Hex]:
        """Who stays or goes where: to `posts`, where somebody must stand, and to Victory Point hexes, to all or only to
        those that are `own` still.
        """
        g = self.g
        enemies = g.hexes_of(OTHER[self.side])
        gains: dict[Hex, dict[Unit, float]] = {}
        for (h, vp), owner in zip(g.objectives, g.control, strict=True):
            if prizes and not enemies >> h & 1 and not (own and owner != self.side):
                gains[h] = self._gains(h, vp, owner)
        for h in posts:
            if h not in gains:
                gains[h] = self._post(h)
        while gains:
            best = max(((v, -h, -u) for h, by in gains.items() for u, v in by.items()), default=(0.0, 0, 0))
            if best[0] < LEAST:
                break
            h, u = -best[1], -best[2]
            del gains[h]
            for by in gains.values():
                by.pop(u, None)
            self.places[u] = h
        return self.places

    def _gains(self, h: Hex, vp: int, owner: Side) -> dict[Unit, float]:
        g, side = self.g, self.side
        threat, room = threat_to(g, side, h), room_around(g, side, h)
        without = 0.0 if owner != side else 1.0 - SURE * threat.likely
        there = g.units(h)
        staying = [u for u in there if u not in self.reach]
        if side == SOVIET:
            if staying:
                return {}
            if there and not self.reach[there[0]] & ~g.hexes_of(SOVIET):
                return {there[0]: vp}
        without = max([without, *(holds(g, u, h, threat, room) for u in staying if u not in self.passing)])
        found = {}
        for u, reach in self.reach.items():
            if reach >> h & 1 or g.place[u] == h:
                found[u] = vp * (holds(g, u, h, threat, room) - without) + (0.3 if g.place[u] == h else 0.0)
                if side == GERMAN:
                    found[u] -= MISSED * g.attack_value(u)
        return found

    def _post(self, h: Hex) -> dict[Unit, float]:
        """Whoever is missed least stands there, unless somebody does who stays anyhow."""
        g = self.g
        if any(u not in self.reach and u not in self.passing for u in g.units(h)):
            return {}
        there = dict.fromkeys(g.units(h), 0.3)
        can = [u for u, reach in self.reach.items() if reach >> h & 1 or u in there]
        return {u: POST - MISSED * g.attack_value(u) + there.get(u, 0.0) for u in can}
