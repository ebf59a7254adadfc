"""10 Movement, for both sides.

Movement points are counted in halves, because German mechanized units pay half a point along roads in strategic
movement (10.2). `going` collects what bears on one unit's move now: which hexes are closed, which end the move, what
the first step may not do, each with its rule. `Going.reach` searches with it; `why_not` lifts one restriction after
the other until the hex can be reached and names the one that mattered. There is no second set of rules for answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from kessel.core.breakdown import Breakdown, Item, Refusal
from kessel.core.facts import FOREVER, GAME, NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Direction, Hex
from kessel.core.hexset import spread_through
from kessel.core.paths import ALL, Costs, Reach, StepCost, reach
from kessel.core.zones import zone
from kessel.games.kharkov43.board import (
    ACTIVE,
    LIGHT_MUD,
    MOVED,
    OF_POSITION,
    OOS,
    POSITION,
    REACHES,
    UNSUPPLIED,
    Board,
)
from kessel.games.kharkov43.data.charts import POINT, Charts
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.data.terrain import Ground
from kessel.games.kharkov43.movement.arrival import enter_hex, leave_hex
from kessel.games.kharkov43.movement.kept import Kept, keep, known, looked_at, starts_of
from kessel.games.kharkov43.movement.stacking import full_of, why_not_fit
from kessel.games.kharkov43.movement.zones import (
    Scene,
    beside_garrison,
    distant_from_germans,
    enemy_of,
    scene,
    scene_of,
)
from kessel.games.kharkov43.supply.supply import can_unit_trace, field_without

REGULAR, STRATEGIC, INFILTRATION = "regular", "strategic", "infiltration"
MODES = (REGULAR, STRATEGIC, INFILTRATION)
MOVING, PROXIMITY, PLACING_GARRISONS = "moving", "proximity", "placing garrisons"
"""What a reach is asked for: to move, to judge proximity (9.3), or to place and check garrisons (15.1, 15.21)."""


class Mover(NamedTuple):
    """The kind of unit the Terrain Effects Chart distinguishes, and how it goes."""

    mech: bool
    strategic: bool = False
    light_mud: bool = False


Barrier: TypeAlias = tuple[Refusal, Bits]
"""What a rule says about some hexes."""
ENEMY_THERE = Refusal("10.1", "an enemy unit is there")
CONTROL_STOPS = Refusal("10.1", "a unit stops on entering an enemy-controlled hex")
TOWN_STOPS = Refusal("10.1", "a unit stops on entering an enemy town or city")
GARRISON_THERE = Refusal("10.1", "German units can't enter a garrisoned hex")
GARRISON_STOPS = Refusal("15.22", "a German unit stops on entering a hex adjacent to a garrison")
CONTROL_TO_CONTROL = Refusal("10.1", "a unit can't move from one enemy-controlled hex directly to another")
ISOLATED_TOWN = Refusal("13.22", "an isolated unit can't move into an enemy town or city")
STRATEGIC_ENEMY = Refusal("10.6", "strategic movement does not enter a hex adjacent to an enemy unit")
STRATEGIC_GARRISON = Refusal("10.6", "strategic movement does not enter a hex adjacent to a garrison")
LEAVING = Item("leaving an enemy-controlled hex", "10.1", 0)
STRATEGIC_TOWN = Refusal("10.6", "strategic movement does not enter a Soviet town or city")


# --- 10.0, 10.2, 10.3 the price of a step --------------------------------------------------------------------------


def step_price(ground: Ground, charts: Charts, mover: Mover, h: Hex, d: Direction, to: Hex) -> Breakdown | Refusal:
    """What one step costs, in halves of a movement point, or why it is impossible."""
    m = ground.map
    price = Breakdown("cost")
    if ground.is_bridged(h, d) and not ground.blocked[d] >> h & 1:
        what = "road, strategic movement" if mover.strategic and mover.mech else "road"
        return price.add(what, charts.road_cost(mover.mech, mover.strategic), "10.2")
    terrain = m.terrain[to]
    price.add(terrain, charts.enter_cost(terrain, mover.mech), "10.0")
    for river in m.side_features(h, d):
        name = river.replace("_", " ")
        cost = charts.cross_cost(river, mover.mech, mover.light_mud)
        if cost is None:
            return Refusal("10.31", f"a {name} hexside can't be crossed")
        if cost >= ALL:
            price.add(f"unbridged {name}: the whole allowance", ALL, "10.31")
        elif cost:
            price.add(f"unbridged {name}", cost, "18.34" if mover.light_mud else "10.31")
    return price


def costs_of(g: Board, mover: Mover) -> Costs:
    """The price of every step for that mover."""
    return _costs(g, g.charts.terrain_key, mover)


@fact(FOREVER)
def _costs(g: Board, terrain_key: int, mover: Mover) -> Costs:
    ground, charts = g.ground, g.charts

    def rule(h: Hex, d: Direction, to: Hex) -> StepCost | Refusal:
        price = step_price(ground, charts, mover, h, d, to)
        return price if isinstance(price, Refusal) else StepCost(price.total)

    return Costs(g.map.grid, rule)


# --- 10.1, 10.6, 10.7, 13.2 what bears on one unit's move -----------------------------------------------------------


@dataclass(slots=True)
class Going:
    """One unit's move: everything `reach` needs, each restriction with its rule."""

    g: Board
    unit: Unit
    start: Hex
    mode: str
    mover: Mover
    allowance: int
    """In halves."""
    leave: int
    """10.1 What leaving the first hex costs."""
    closed: tuple[Barrier, ...]
    stops: tuple[Barrier, ...]
    first: tuple[Barrier, ...]
    """Closed to the first step only."""
    most_hexes: int = 0
    """13.2 How many hexes it may enter; 0: as many as it can pay."""
    most_rule: str = ""

    def reach(self) -> Reach:
        enter = self.g.ground.all & ~_union(self.closed)
        return reach(
            costs_of(self.g, self.mover),
            self.start,
            self.allowance,
            enter=enter,
            stop=_union(self.stops),
            first_enter=enter & ~_union(self.first),
            first_extra=self.leave,
            at_least_one=True,
            most_hexes=self.most_hexes,
        )

    def without(self, barrier: Barrier) -> Going:
        """The same move as if that rule did not exist."""
        return replace(
            self,
            closed=tuple(b for b in self.closed if b is not barrier),
            stops=tuple(b for b in self.stops if b is not barrier),
            first=tuple(b for b in self.first if b is not barrier),
        )


def _union(barriers: tuple[Barrier, ...]) -> Bits:
    s = 0
    for _, hexes in barriers:
        s |= hexes
    return s


def why_not_mobile(g: Board, u: Unit, against: Scene | None = None) -> Refusal | None:
    """Why the unit can't move at all, whatever the direction."""
    if not g.on_map(u):
        return Refusal("10.0", f"{g.name(u)} is not on the map")
    if g.is_dispersed(u):
        return Refusal("12.9", f"{g.name(u)} is dispersed and can't move")
    if g.is_isolated(u) and g.is_mech(u):
        return Refusal("13.22", f"{g.name(u)} is mechanized and isolated and can't move")
    if g.is_isolated(u) and (against or scene_of(g, enemy_of(g.forces.side[u]))).control >> g.place[u] & 1:
        return Refusal("13.22", f"{g.name(u)} is isolated and can't move out of an enemy-controlled hex")
    return None


def why_not_strategic(g: Board, u: Unit) -> Refusal | None:
    """10.6 Who may move strategically."""
    if g.forces.side[u] != GERMAN:
        return Refusal("10.6", "only German units have the strategic movement bonus")
    if g.turn < 2:
        return Refusal("10.6", "strategic movement begins on game-turn 2")
    if g.ground_condition == LIGHT_MUD:
        return Refusal("18.34", "there is no strategic movement in light mud")
    if g.status[u] & UNSUPPLIED:
        return Refusal("10.6", f"{g.name(u)} is not in supply")
    here = g.place[u]
    if _adjacent_to_enemies(g, GERMAN) >> here & 1:
        return Refusal("10.6", f"{g.name(u)} starts adjacent to an enemy unit")
    if beside_garrison(g) >> here & 1:
        return Refusal("10.6", f"{g.name(u)} starts adjacent to a garrison")
    return None


@fact(POSITION)
def _adjacent_to_enemies(g: Board, side: Side) -> Bits:
    """The hexes adjacent to enemy units; units are not adjacent across a blocked Dniepr hexside (9.3)."""
    return spread_through(g.map.grid, g.hexes_of(enemy_of(side)), g.ground.blocked)


def _garrisons_met(g: Board, u: Unit, purpose: str, garrisons: Bits) -> tuple[Bits, Bits]:
    """Those of the garrisons that a German unit minds, and the hexes they control (15.21)."""
    if not garrisons:
        return 0, 0
    if purpose == PROXIMITY:
        return garrisons & ~g.map.grid.near[g.place[u]], 0
    if purpose == PLACING_GARRISONS:
        distant = distant_from_germans(g, garrisons)
        return distant, zone(g.map.grid, distant)
    return garrisons, 0


def _closed_to_strategic(g: Board, side: Side, beside_garrisons: Bits, towns: Bits) -> list[Barrier]:
    """10.6 Where strategic movement does not go."""
    beside = _adjacent_to_enemies(g, side)
    return [
        (STRATEGIC_ENEMY, beside),
        (STRATEGIC_GARRISON, beside_garrisons),
        (STRATEGIC_TOWN, towns),
    ]


def going(
    g: Board, u: Unit, mode: str = REGULAR, purpose: str = MOVING, against: Scene | None = None
) -> Going | Refusal:
    """What bears on a move of u in that mode, really or to judge proximity; now, or against a scene supposed.

    Strategic movement is never supposed.
    """
    refusal = why_not_mobile(g, u, against) or (why_not_strategic(g, u) if mode == STRATEGIC else None)
    if refusal is not None:
        return refusal
    side, here = g.forces.side[u], g.place[u]
    enemies, control, towns, all_garrisons, _ = against or scene_of(g, enemy_of(side))
    closed: list[Barrier] = [(ENEMY_THERE, enemies)]
    stops: list[Barrier] = [(CONTROL_STOPS, control), (TOWN_STOPS, towns)]
    if side == GERMAN:
        garrisons, garrison_control = _garrisons_met(g, u, purpose, all_garrisons)
        control |= garrison_control
        beside = zone(g.map.grid, garrisons)
        closed.append((GARRISON_THERE, garrisons))
        stops.append((GARRISON_STOPS, beside))
        if mode == STRATEGIC:
            closed += _closed_to_strategic(g, side, beside, towns)
    first: list[Barrier] = []
    leave = 0
    if control >> here & 1:
        leave = g.charts.constants.zoc_exit * POINT
        first.append((CONTROL_TO_CONTROL, control & ~_free_of_control(g, u, mode)))
    most, most_rule = 0, ""
    if g.is_isolated(u):
        closed.append((ISOLATED_TOWN, towns))
        most, most_rule = g.charts.constants.isolated_infantry_hexes, "13.22"
    elif g.status[u] & OOS and g.is_mech(u):
        most, most_rule = g.charts.constants.unsupplied_mechanized_hexes, "13.21"
    mover = Mover(g.is_mech(u), mode == STRATEGIC, g.ground_condition == LIGHT_MUD)
    return Going(
        g,
        u,
        here,
        mode,
        mover,
        _allowance(g, u, mode),
        leave,
        tuple(closed),
        tuple(stops),
        tuple(first),
        most,
        most_rule,
    )


def _allowance(g: Board, u: Unit, mode: str) -> int:
    points = g.allowance(u)
    if mode == STRATEGIC and not g.is_mech(u):
        points += g.charts.constants.strategic_infantry_bonus
    return points * POINT


def _free_of_control(g: Board, u: Unit, mode: str) -> Bits:
    """The hexes that a unit leaving an enemy-controlled hex may enter although they are enemy-controlled."""
    near, ground = g.map.grid.near[g.place[u]], g.ground
    if g.forces.side[u] == GERMAN:
        edge = ground.edge(GERMAN)
        return near & edge if edge >> g.place[u] & 1 else 0
    if mode == INFILTRATION:
        return near & g.towns_of(GERMAN) & ~g.hexes_of(GERMAN)
    return 0


def reach_of(g: Board, u: Unit, mode: str = REGULAR, purpose: str = MOVING) -> Reach:
    """Where the unit can get to by itself: stacking at the end (10.4) and supply (10.5) are not looked at.

    Its own hex is in it, at no cost. A unit that can't move reaches only that.
    """

    if mode == INFILTRATION:
        held = scene_of(g, enemy_of(g.forces.side[u])).control >> g.place[u] & 1
        mode = mode if held and _free_of_control(g, u, mode) else REGULAR
    return _german_reach(g, u, mode, purpose) if g.forces.side[u] == GERMAN else _soviet_reach(g, u, mode)


@fact(POSITION)
def _german_reach(g: Board, u: Unit, mode: str, purpose: str) -> Reach:
    return reach_against(g, u, scene_of(g, SOVIET), mode, purpose)


def _soviet_reach(g: Board, u: Unit, mode: str) -> Reach:
    """No other Soviet unit bears on it, nor a garrison: it stays the same while they move."""
    kept = soviet_reaches(g)
    key = (u, g.place[u], g.steps[u], g.status[u] & OF_POSITION, mode)
    found = kept.get(key)
    if found is None:
        found = kept[key] = reach_against(g, u, scene_of(g, GERMAN), mode, MOVING)
    return found


def soviet_reaches(g: Board) -> dict[Any, Reach]:
    """The reaches kept: another memo than before means that they are found anew."""
    return _memo_of_soviet_reaches(g, GERMAN)


@fact(REACHES)
def _memo_of_soviet_reaches(g: Board, german: Side) -> dict[Any, Reach]:
    return {}


def reach_against(g: Board, u: Unit, against: Scene, mode: str = REGULAR, purpose: str = PROXIMITY) -> Reach:
    """The unit's reach against a scene."""
    return kept_reach(g, u, against, mode, purpose).reach


def kept_reach(g: Board, u: Unit, against: Scene, mode: str = REGULAR, purpose: str = PROXIMITY) -> Kept:
    starts = starts_of(g, u, mode, mode == STRATEGIC and g.turn < 2)
    minded = _minded(g, u, against, purpose) if against.garrisons and purpose != MOVING else against.all
    return known(starts, minded) or search(g, u, against, mode, purpose, starts, minded)


def search(g: Board, u: Unit, against: Scene, mode: str, purpose: str, starts: list[Kept], minded: Bits) -> Kept:
    """A reach nobody has asked for yet, kept among those of that start."""
    found = _found(g, u, against, mode, purpose)
    return keep(starts, Kept(found, looked_at(g, u, found, mode == STRATEGIC), minded))


def _minded(g: Board, u: Unit, against: Scene, purpose: str) -> Bits:
    """What of a scene with garrisons the unit minds, as one number."""
    if g.place[u] < 0:
        return against.all
    if purpose == PLACING_GARRISONS:
        return while_placing_garrisons(g, against)
    garrisons, control = _garrisons_met(g, u, purpose, against.garrisons)
    return scene(g, against.hexes, against.control | control, against.towns, garrisons).all


def while_placing_garrisons(g: Board, against: Scene) -> Bits:
    """What of a scene every unit minds while garrisons are placed or checked (15.21), as one number."""
    distant = distant_from_germans(g, against.garrisons)
    return scene(g, against.hexes, against.control | zone(g.map.grid, distant), against.towns, distant).all


def _found(g: Board, u: Unit, against: Scene, mode: str, purpose: str) -> Reach:
    way = going(g, u, mode, purpose, against)
    if isinstance(way, Refusal):
        return reach(costs_of(g, Mover(False)), g.place[u], 0, enter=0)
    return way.reach()


def farthest(g: Board, u: Unit, mode: str = REGULAR) -> int:
    """No reach goes further than so many hexes."""
    return _farthest(g)[mode == STRATEGIC][u][g.steps[u]]


@fact(GAME)
def _farthest(g: Board) -> tuple[tuple[bytes, ...], ...]:
    """By regular and strategic movement, by unit, by steps."""
    found, forces, bonus = [], g.forces, g.charts.constants.strategic_infantry_bonus
    for strategic in (False, True):
        cheapest = [costs_of(g, Mover(mech, strategic)).cheapest for mech in (False, True)]
        found.append(
            tuple(
                bytes((mp + strategic * bonus) * POINT // cheapest[m] + 1 for mp, m in zip(points, mech, strict=True))
                for points, mech in zip(forces.movement, forces.mech, strict=True)
            )
        )
    return tuple(found)


# --- where a move may end -------------------------------------------------------------------------------------------


def why_not_end(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """10.4 The stack at the end of a move. Units there that may still leave in this activation do not count."""
    return why_not_fit(g, h, [u], leaving=still_leaving(g, h))


def still_leaving(g: Board, h: Hex) -> list[Unit]:
    """The active units in h that have not moved in this activation and can: they may cure an overstack (10.4)."""
    return [u for u in g.units(h) if _may_leave(g, u)]


def _may_leave(g: Board, u: Unit) -> bool:
    return g.status[u] & (ACTIVE | MOVED) == ACTIVE and why_not_mobile(g, u) is None


@fact(NOW)
def crowded(g: Board, side: Side) -> tuple[Bits, ...]:
    """By the steps of a unit of that side: where it may not end its move, as `why_not_end` says hex by hex."""
    return full_of(g, (u for u in g.on_map_of(side) if not _may_leave(g, u)))


def german_modes(g: Board, u: Unit) -> list[str]:
    return [REGULAR] if why_not_strategic(g, u) else [REGULAR, STRATEGIC]


def bound_by_supply(g: Board, u: Unit) -> Bits | None:
    """10.5 The hexes in which a German unit may end its move; None where the limit is waived for it."""
    return _bound_by_supply(g, u)[0]


@fact(NOW)
def _bound_by_supply(g: Board, u: Unit) -> tuple[Bits | None]:
    field = field_without(g, u)
    if can_unit_trace(g, u):
        return (field.hexes,)
    room = field.hexes & ~(1 << g.place[u] | crowded(g, g.forces.side[u])[g.steps[u]])
    if any(reach_of(g, u, mode).hexes & room for mode in german_modes(g, u)):
        return (field.hexes,)
    return (None,)


def why_not_german_end(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """10.4 and 10.5 for a German unit in its activation."""
    bound = bound_by_supply(g, u)
    if bound is not None and not bound >> h & 1:
        return Refusal("10.5", f"supply can't be traced from {g.hex_name(h)}")
    return why_not_end(g, u, h)


def german_ends(g: Board, u: Unit, mode: str) -> Iterator[Hex]:
    """Where an active German unit may move. Strategic ends are those it could not reach by regular movement."""
    regular = reach_of(g, u)
    found = regular if mode == REGULAR else reach_of(g, u, mode)
    if not g.on_map(u):
        return
    ends, bound = found.hexes & ~(1 << g.place[u] | crowded(g, g.forces.side[u])[g.steps[u]]), bound_by_supply(g, u)
    if mode == STRATEGIC:
        ends &= ~regular.hexes
    if bound is not None:
        ends &= bound
    if ends:
        yield from (h for h in found.cost if ends >> h & 1)


def why_not_move(g: Board, u: Unit, h: Hex, mode: str) -> Refusal | None:
    """Why an active German unit can't move to h in that mode."""
    if g.forces.side[u] != GERMAN or not g.status[u] & ACTIVE:
        return Refusal("10.0", f"{g.name(u)} is not an active unit")
    if g.status[u] & MOVED:
        return Refusal("10.0", f"{g.name(u)} has moved already")
    if h == g.place[u]:
        return Refusal("10.0", f"{g.name(u)} is there already")
    if mode == STRATEGIC and why_not_strategic(g, u) is None and h in reach_of(g, u):
        return Refusal("10.6", f"{g.name(u)} gets there by regular movement")
    return why_not_reach(g, u, h, mode) or why_not_german_end(g, u, h)


# --- explanations ---------------------------------------------------------------------------------------------------


def why_not_reach(g: Board, u: Unit, h: Hex, mode: str = REGULAR, purpose: str = MOVING) -> Refusal | None:
    """None if u can get to h, else the rule that keeps it from there."""
    way = going(g, u, mode, purpose)
    if isinstance(way, Refusal):
        return way
    if h in way.reach():
        return None
    for refusal, hexes in way.closed:
        if hexes >> h & 1:
            return refusal
    for b in (*way.first, *way.stops, *way.closed):
        if h in way.without(b).reach():
            return b[0]
    if way.most_hexes and h in replace(way, most_hexes=0).reach():
        return Refusal(
            way.most_rule, f"{g.name(u)} may move no more than {'two hexes' if way.most_hexes == 2 else 'one hex'}"
        )
    far = replace(way, allowance=40 * POINT, most_hexes=0)
    free = far.reach()
    if h in free:
        cost = (free.cost[h]) / POINT
        return Refusal("10.0", f"it costs {_points(cost)} of {_points(way.allowance / POINT)} movement points")
    empty = replace(far, closed=(), stops=(), first=()).reach()
    if h not in empty:
        return Refusal("10.31", "only an unbridged Dniepr crossing, or no way at all, leads there")
    return Refusal("10.1", "enemy units and their zones of control close every way")


def _points(n: float) -> str:
    return f"{n:g}"


def explain_path(g: Board, u: Unit, h: Hex, mode: str = REGULAR, purpose: str = MOVING) -> dict[str, Any]:
    """The cheapest way to a hex that can be reached, priced step by step by the same rules."""
    way = going(g, u, mode, purpose)
    assert not isinstance(way, Refusal)
    found = way.reach()
    path = found.path(h)
    items: list[dict[str, Any]] = []
    at, total = way.start, 0
    for n in path:
        price = step_price(g.ground, g.charts, way.mover, at, g.map.grid.direction(at, n), n)
        assert not isinstance(price, Refusal)
        lines = [*price.items, *((LEAVING._replace(value=way.leave),) if at == way.start and way.leave else ())]
        whole = any(i.value == ALL for i in price.items)
        items += [
            {"what": i.what, "rule": i.rule, "hex": g.hex_name(n), "value": "all" if i.value == ALL else _half(i.value)}
            for i in lines
        ]
        total = way.allowance if whole else total + price.total + (way.leave if at == way.start else 0)
        if n in found.over:
            rest = way.allowance - total
            what = "one hex may always be entered for the whole allowance"
            items.append({"what": what, "rule": "10.0", "hex": g.hex_name(n), "value": _half(rest)})
            total = way.allowance
        at = n
    assert total == found.cost[h]
    stop = [refusal for refusal, hexes in way.stops if hexes >> h & 1]
    return {
        "to": g.hex_name(h),
        "cost": total / POINT,
        "path": [g.hex_name(x) for x in path],
        "items": items,
        "stops": [refusal.as_json() for refusal in stop],
    }


def _half(value: int | float | str) -> float | str:
    return value / POINT if isinstance(value, int | float) else value


# --- carrying a move out ---------------------------------------------------------------------------------------------


def move_unit(g: Board, u: Unit, h: Hex, rule: str = "10.0") -> None:
    """Put a unit that has moved into its end hex, with all that follows from leaving and entering hexes."""
    old = g.place[u]
    way = {"from": g.hex_name(old), "to": g.hex_name(h)}
    g.tell(f"{g.name(u)} moves from {way['from']} to {way['to']}", rule, unit=g.id(u), **way)
    g.move(u, h)
    g.set_status(u, MOVED)
    leave_hex(g, old)
    enter_hex(g, u, h)
