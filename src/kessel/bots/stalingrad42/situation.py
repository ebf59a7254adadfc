"""How a program sees the map of Stalingrad '42: what draws it forward, what it must guard, what threatens it."""

from __future__ import annotations

from typing import Any

from kessel.bots.program import Memory
from kessel.bots.stalingrad42.goals import FADE, FAR, climber_of, distances, prizes, share_out, summit
from kessel.bots.stalingrad42.weights import (
    HOLDING,
    HURRY,
    LAST_TURN,
    LAST_WORD,
    STRIKING,
    TEMPERS,
    WEIGHTS,
    Temper,
    Weights,
)
from kessel.core.board import Place
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import members, spread, within
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BAD_ORDER, COMBAT, FROZEN, HOLDER, IN_PLAY, TRAIN
from kessel.games.stalingrad42.combat.strength.strengths import terrain_doubles
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.reach import Group, plan
from kessel.games.stalingrad42.movement.ways.stacking import why_not_stack
from kessel.games.stalingrad42.movement.ways.zones import enemy_zoc
from kessel.games.stalingrad42.supply.supply import source_edges, supply
from kessel.games.stalingrad42.turn.victory import benchmark, victory_points

MOST_PULLS = 200
FIGHTERS = 9
"""So many units at most are thought to attack one hex."""


EDGE = 3
"""Enemies so near to a source of supply are a nuisance."""


class Situation:
    """The fields of one side against the enemy as he stands now."""

    def __init__(self, g: Board, side: Side, w: Weights, memory: Memory) -> None:
        self.side, self.enemy, self.w, self.memory = side, 1 - side, w, memory
        self.known: dict[object, Any] = memory.memo
        """Prospects of attacks worked out so far."""
        last = bool(w.last) and side == SOVIET and is_last_word(g)
        self.attacks = attacks(g, side) or last
        """Whether the side must gain ground to win."""
        hurries = side == AXIS and is_behind(g, w.behind)
        self.temper = w.temper(LAST_WORD if last else HURRY if hurries else temper(g, side, self.attacks))
        self.away = enemy_distance(g, side)
        self.threat = threat_now(g, side, memory)
        self.own_vp = [h for h in g.ground.vp if g.controller(h) == side or (side != AXIS and g.controller(h) is None)]
        self.their_vp = [h for h in g.ground.vp if h not in self.own_vp]
        self.sores = intruders(g) if side == AXIS else {}
        wanted = {h: w.point * g.ground.vp[h] for h in self.their_vp}
        if side == AXIS:
            wanted |= dict.fromkeys(gates(g), w.point / 2) | {h: w.point * vp for h, vp in prizes(g).items()}
            wanted |= {h: w.point * vp for h, vp in self.sores.items()}
            wanted |= {h: w.point * w.edge * vp for h, vp in ways_off(g).items()} if w.edge else {}
        if w.focus in wanted:
            wanted[w.focus] *= w.focus_worth
        self.lure = pull(g, wanted)
        posts = {h: float(sum(self.threat.get(h, ())[:FIGHTERS])) for h in self.own_vp if self.away[h] <= 10}
        self.goals = share_out(g, side, wanted, posts, w) if self.attacks or side == AXIS else {}
        """By unit: how its own goal draws it, by hex."""
        self.summit = summit(g) if side == AXIS else NO_HEX
        self.climber = climber_of(g) if side == AXIS else -1
        urgent = {h: 1.0 if self.away[h] <= 12 else 0.25 for h in self.own_vp}
        guarded = {h: urgent[h] * w.point * g.ground.vp[h] for h in self.own_vp}
        if side == AXIS and w.brink:
            guarded |= {h: w.point * w.brink * vp for h, vp in brink(g, self.away).items()}
        if w.focus in guarded:
            guarded[w.focus] *= w.focus_worth
        self.guard = pull(g, guarded)
        self.supplied = supply(g, side).starts
        self.vp = g.ground.vp
        self.bonus = beyond(g) if side == AXIS else 0

    def lure_for(self, u: Unit, h: Hex) -> float:
        """What draws a unit to a hex: its own goal, and half as much all the others."""
        goal = self.goals.get(u)
        return self.lure[h] if goal is None else 0.5 * self.lure[h] + goal[h]


def situation(g: Board, side: Side, w: Weights | None = None, memory: Memory | None = None) -> Situation:
    """The fields as they were when the enemy last changed; made anew where nothing is remembered."""
    w, memory = w or WEIGHTS[side], memory or Memory(1)
    key = ("map", g.scenario.id, g.turn, g.phase, side, g.sets[COMBAT + 1 - side], *g.control_hexes)
    return memory.keep(key, lambda: Situation(g, side, w, memory))


def attacks(g: Board, side: Side) -> bool:
    """Whether a side must gain ground: the Axis until it has the points it needs, the Soviets once it has them."""
    held = sum(vp for h, vp in g.ground.vp.items() if g.controller(h) == AXIS)
    return (held < g.scenario.victory.axis_vp) == (side == AXIS)


def temper(g: Board, side: Side, attacks: bool) -> Temper:
    if side != AXIS or not attacks:
        return (HOLDING, TEMPERS[SOVIET], TEMPERS[AXIS], STRIKING)[2 * attacks + side]
    left = g.scenario.last_turn - g.turn
    return LAST_TURN if left <= 0 else HURRY if left <= 3 else TEMPERS[AXIS]


def is_long(g: Board) -> bool:
    """24.2 Whether too many or too few points end the game at once."""
    return bool(g.scenario.victory.automatic)


def is_behind(g: Board, by: int) -> bool:
    """24.2 Whether the Axis has fewer points than so many above the benchmark."""
    mark = benchmark(g) if is_long(g) and by > -99 else None
    return mark is not None and victory_points(g).total < mark + by


def is_last_word(g: Board) -> bool:
    """Whether the Soviets lose at the end of this turn unless they do something, or nothing comes after it."""
    v = g.scenario.victory
    return g.turn >= g.scenario.last_turn or (v.every_turn and victory_points(g).total >= v.axis_vp)


def ways_off(g: Board) -> dict[Hex, float]:
    """S1.3 The road hexes at the edge nearest to Axis Mechanized units, by what leaving there brings."""
    found: dict[Hex, float] = {}
    f = g.forces
    fast = [g.place[u] for u in f.units_of[AXIS] if g.pool[u] == IN_PLAY and f.mech[u] and f.combat[u] and g.on_map(u)]
    for bonus in g.scenario.victory.bonus:
        areas = [p for p in g.ground.land_boxes if g.map.box(p).id in bonus.areas] if bonus.mech_steps else []
        edge = 0
        for p in areas:
            edge |= g.map.box(p).hexes
        gone = sum(g.steps[u] for p in areas for u in g.units(p) if f.side[u] == AXIS and f.mech[u] and f.combat[u])
        roads = members(edge & g.ground.on_road & ~g.sets[COMBAT + SOVIET])
        if gone < bonus.mech_steps and roads:
            near = {h: sum(sorted(distances(g, h)[x] for x in fast)[:3]) for h in roads}
            found[min(roads, key=lambda h: (near[h], h))] = float(bonus.vp)
    return found


def beyond(g: Board) -> Bits:
    """S1.3 Hexes in which a German Combat Unit earns a Victory Point; none where one stands there already."""
    found = 0
    for bonus in g.scenario.victory.bonus:
        if bonus.area:
            here = _rows(g, bonus.area, bonus.first_row)
            units = [u for h in members(here & g.sets[COMBAT + AXIS]) for u in g.units(h)]
            if not any(g.forces.is_german(u) and g.forces.combat[u] for u in units):
                found |= here
    return found


@fact(FOREVER)
def _rows(g: Board, area: str, first: int) -> Bits:
    return sum(1 << h for h in members(g.map.area(area)) if g.ground.row(h) >= first)


def gates(g: Board) -> list[Hex]:
    """The nearest of those hexes: that is where to go."""
    open_, near = beyond(g), g.sets[COMBAT + AXIS]
    while open_ and near:
        if near & open_:
            return members(near & open_)[:1]
        near, before = near | spread(g.map.grid, near), near
        if near == before:
            break
    return members(open_)[:1]


def intruders(g: Board) -> dict[Hex, float]:
    """24.1.4 Soviet units at and near the Axis map edge and in western Cities, by the Victory Points they cost."""
    found: dict[Hex, float] = {}
    soviets = g.sets[COMBAT + SOVIET]
    for place in g.ground.land_boxes:
        box = g.map.box(place)
        there = members(box.hexes & soviets) if box.facts.get("vp_penalty") else []
        for h in there:
            found[h] = g.charts.constant("edge_penalty") / len(there)
    for h in members(within(g.map.grid, source_edges(g, AXIS), EDGE) & soviets):
        found[h] = found.get(h, 0.0) + 0.3  # they cut the roads that supply comes by
    west = g.map.area("west_of_start_line") & soviets
    for h in members(west & g.ground.city):
        kind = "major_city" if g.ground.major_city >> h & 1 else "minor_city"
        found[h] = found.get(h, 0.0) + g.charts.constant(f"{kind}_penalty")
    return found


BRINK = 4
"""So near to the map edge the enemy may break through to it."""


def brink(g: Board, away: list[int]) -> dict[Hex, float]:
    """24.1.4 The hexes at the Axis map edge that are nearest to the enemy, by what he takes there."""
    found: dict[Hex, float] = {}
    for place in g.ground.land_boxes:
        box = g.map.box(place)
        h = (
            min(members(box.hexes), key=lambda h: (away[h], h), default=NO_HEX)
            if box.facts.get("vp_penalty")
            else NO_HEX
        )
        if h != NO_HEX and away[h] <= BRINK:
            found[h] = float(g.charts.constant("edge_penalty"))
    return found


def enemy_distance(g: Board, side: Side) -> list[int]:
    """By hex: hexes to the nearest enemy Combat Unit."""
    found = [FAR] * g.map.grid.size
    seen = edge = g.sets[COMBAT + 1 - side]
    for n in range(FAR):
        for h in members(edge):
            found[h] = n
        edge = spread(g.map.grid, seen) & ~seen
        seen |= edge
        if not edge:
            break
    return found


def pull(g: Board, sources: dict[Hex, float]) -> list[float]:
    """The sum of what draws to each hex."""
    known, key = _memo_pulls(g), tuple(sources.items())
    found = known.get(key)
    if found is None:
        found = [0.0] * g.map.grid.size
        for h, worth in key:
            found = [a + worth * b for a, b in zip(found, _fading(g, h), strict=True)]
        if len(known) >= MOST_PULLS:
            known.clear()
        known[key] = found
    return found


@fact(FOREVER)
def _memo_pulls(g: Board) -> dict[tuple[tuple[Hex, float], ...], list[float]]:
    """By what draws: the map alone decides."""
    return {}


@fact(FOREVER)
def _fading(g: Board, h: Hex) -> list[float]:
    """By hex: what is left of a pull that far away."""
    return [FADE**d if d < FAR else 0.0 for d in distances(g, h)]


DRIFT = 12
"""So many hexes of the enemy may change before his threats are looked at again."""


def threat_now(g: Board, side: Side, memory: Memory) -> dict[Hex, list[int]]:
    """The threats as they were when this phase began, unless the enemy has moved about since."""
    key = ("threat", g.scenario.id, g.turn, g.phase, g.phasing, side)
    enemy = g.sets[COMBAT + 1 - side]
    known: tuple[Bits, dict[Hex, list[int]]] | None = memory.kept.get(key)
    if known is None or (known[0] ^ enemy).bit_count() > DRIFT:
        memory.kept.pop(key, None)
        known = memory.keep(key, lambda: (enemy, threat(g, side)))
    return known[1]


def threat(g: Board, side: Side) -> dict[Hex, list[int]]:
    """By hex: the attack strengths of the enemies that could attack it in their next turn, the strongest first."""
    found: dict[Hex, list[int]] = {}
    for u in g.forces.units_of[1 - side]:
        if g.pool[u] != IN_PLAY or not g.on_map(u) or not g.forces.combat[u] or g.status[u] & (TRAIN | FROZEN):
            continue
        strength = g.face(u).attack
        if not strength or g.status[u] & BAD_ORDER:
            continue
        reach = plan(g, Group((u,), g.place[u]))
        for h in members(spread(g.map.grid, reach.marched | reach.tactical | 1 << g.place[u])):
            found.setdefault(h, []).append(strength)
    for several in found.values():
        several.sort(reverse=True)
    return found


# --- units -----------------------------------------------------------------------------------------------------------


def step_worth(g: Board, u: Unit) -> float:
    """What one step of a unit is worth; that of a rifle division is about one."""
    face = g.forces.faces[u][-1]
    return (face.attack + face.defense) / 4 / max(1, g.forces.full_steps[u]) + 0.1


def worth(g: Board, u: Unit) -> float:
    return step_worth(g, u) * g.steps[u]


def defense_of(g: Board, u: Unit, h: Hex) -> int:
    face = g.face(u).defense
    return 2 * face if terrain_doubles(g, u, h) else face


def has_room(g: Board, u: Unit, h: Hex, side: Side) -> bool:
    return fits(g, (u,), h, side)


def fits(g: Board, units: tuple[Unit, ...], h: Place, side: Side) -> bool:
    """4.1 Whether units would keep the limit in a hex, with those that stand there."""
    if not g.map.is_hex(h):
        return True
    there = [v for v in g.units(h) if g.forces.side[v] == side and v not in units]
    return len(there) + len(units) < 3 or why_not_stack(g, [*there, *units], side) is None


# --- where a unit stands well ----------------------------------------------------------------------------------------


def place_score(g: Board, s: Situation, u: Unit, h: Hex) -> float:
    """How well a Combat Unit stands in a hex: ground, guard, line, danger, supply."""
    t, side = s.temper, s.side
    away = s.away[h]
    score = t.lure * s.lure_for(u, h) * (1.0 if g.forces.mech[u] else 0.9) - t.front * min(away, FAR)
    own = [v for v in g.units(h) if v != u and g.forces.side[v] == side and g.forces.combat[v]]
    defense = sum(defense_of(g, v, h) for v in own)
    mine = defense_of(g, u, h)
    force = sum(s.threat.get(h, ())[:FIGHTERS])
    if away <= 8:
        score += t.guard * 0.25 * s.guard[h]
        score += _line(g, s, u, h, away)
        score -= t.danger * _danger(g, s, u, h, force, defense + mine)
    if h in s.vp:
        score += _point(g, s, h, force, defense, mine)
    if s.bonus >> h & 1 and g.forces.is_german(u) and not s.bonus & g.sets[COMBAT + side] & ~(1 << max(g.place[u], 0)):
        score += s.w.point
    if h == s.summit and g.forces.mountain[u]:
        score += s.w.point
    if not s.supplied >> h & 1 and u != s.climber:
        score -= 3.0
    return score


def _point(g: Board, s: Situation, h: Hex, force: int, defense: int, mine: int) -> float:
    """A Victory Point hex: to be taken, or to be held with what the threat calls for."""
    value = s.w.point * s.vp[h]
    if h not in s.own_vp:
        return value * (1.0 if s.supplied >> h & 1 else 0.4)
    if s.away[h] > 10:
        return 0.0
    need = max(6.0, min(20.0, force / 3))
    if s.w.keep and force:
        rest = 1.0 - s.w.keep
        return value * (
            rest * (min(1.0, (defense + mine) / need) - min(1.0, defense / need)) + s.w.keep * (not defense)
        )
    return s.temper.guard * value * (min(1.0, (defense + mine) / need) - min(1.0, defense / need))


def _line(g: Board, s: Situation, u: Unit, h: Hex, away: int) -> float:
    """7.1 Friends two hexes away that a ZOC Bond can join; alone is bad."""
    if away > 6:
        return 0.0
    friends = g.sets[HOLDER + s.side] & ~(1 << g.place[u] if g.on_map(u) and len(g.units(g.place[u])) == 1 else 0)
    near, ring = _rings(g, h)
    found = s.temper.line * min(2, (friends & ring).bit_count()) + 0.1 * min(2, (friends & near).bit_count())
    if not friends & (near | ring | 1 << h):
        found -= 0.5
    return found


@fact(FOREVER)
def _rings(g: Board, h: Hex) -> tuple[Bits, Bits]:
    near = g.map.grid.near[h]
    return near, spread(g.map.grid, near) & ~near & ~(1 << h)


def _danger(g: Board, s: Situation, u: Unit, h: Hex, force: int, defense: int) -> float:
    """What the enemy's next turn may cost here."""
    if not force:
        return 0.0
    ratio = force / max(1, defense)
    if g.fort_hexes[s.side] >> h & 1 or g.ground.printed_fort >> h & 1:
        ratio -= 1
    risk = min(1.0, max(0.0, (ratio - 1.5) / 5))
    shut = (enemy_zoc(g, s.side) & g.map.grid.near[h]).bit_count()
    return risk * (0.5 + 0.5 * worth(g, u)) + (0.4 * (shut - 3) if shut > 3 else 0.0)


def rear_score(g: Board, s: Situation, u: Unit, h: Hex) -> float:
    """How well an HQ, a leader or a Supply Point stands: close behind its own units."""
    score = -0.4 * abs(min(s.away[h], FAR) - 3)
    if s.away[h] < 2:
        score -= 4.0
    if s.threat.get(h) and not g.sets[HOLDER + s.side] >> h & 1:
        score -= 2.0
    own = g.sets[COMBAT + s.side]
    near, ring = _rings(g, h)
    score += 0.3 * min(3, (own & (near | ring | 1 << h)).bit_count())
    score += 0.1 * s.lure[h] * s.temper.lure + 0.1 * s.guard[h] * s.temper.guard
    return score - (3.0 if not s.supplied >> h & 1 else 0.0)


def score_of(g: Board, s: Situation, u: Unit, place: Place) -> float:
    if not g.map.is_hex(place):
        return -6.0
    fights = g.forces.combat[u] and not g.forces.is_asu[u]
    return place_score(g, s, u, place) if fights else rear_score(g, s, u, place)
