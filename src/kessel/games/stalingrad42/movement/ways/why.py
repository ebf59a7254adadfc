"""Why a move is not allowed: single steps, whole ways and places out of reach, each with its rule.

`why_not_step` is also what lists the single steps of a move made hex by hex.
"""

from __future__ import annotations

from kessel.core.board import Place
from kessel.core.breakdown import Breakdown, Item, Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import members, within
from kessel.core.paths import reach
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, FULL_RETREAT, STEADY
from kessel.games.stalingrad42.data.charts import POINT
from kessel.games.stalingrad42.movement.ways.costs import (
    Price,
    area_price,
    entry_price,
    footing,
    price,
    price_at_flotilla,
)
from kessel.games.stalingrad42.movement.ways.modes import (
    EXTENDED,
    MODE_WORDS,
    NORMAL,
    TACTICAL,
    allowance,
    exit_cost,
    tactical_hexes,
    why_not_mode,
)
from kessel.games.stalingrad42.movement.ways.reach import (
    Group,
    Seeker,
    areas_of,
    entry_hexes,
    field,
    flotilla_steps,
    group_modes,
    opened,
    plan,
    seekers,
    why_not_enter_area,
)
from kessel.games.stalingrad42.movement.ways.zones import enemy_bonds, enemy_zoc, is_contested, zoc_exerters


def step_price(g: Board, group: Group, u: Unit, n: Place) -> Price | Refusal:
    """What the next step costs one unit of the group, or why it cannot be made on this ground."""
    here = group.place
    if not g.map.is_hex(n):
        return area_price(g.charts)
    if not g.map.is_hex(here):
        return entry_price(g.ground, g.charts, footing(g, u), n)
    d = g.map.grid.direction(here, n)
    found = price(g.ground, g.charts, footing(g, u), here, d, n)
    if g.flotilla and (here, n) in [(a, b) for a, b, _ in flotilla_steps(g)] and g.forces.side[u]:
        found = price_at_flotilla(g, u, n) or found
    if isinstance(found, Refusal) or not found.first_only or not group.hexes:
        return found
    if has_pontoon(g, group, n):
        found.items.append(Item("Pontoon Bridge", "5.5.5", 0))
        return found
    where = g.map.grid.between(here * 6 + d)
    return Refusal("5.5.2", f"a move must start next to the unbridged Major River hexside {where}, to cross it")


def has_pontoon(g: Board, group: Group, n: Hex) -> bool:
    """5.5.5 Friendly Combat Units in both hexes; the mover may be one of them."""
    friends = g.sets[COMBAT + g.forces.side[group.units[0]]]
    near = friends >> group.place & 1 or any(g.forces.combat[u] for u in group.units)
    return bool(near and friends >> n & 1)


def why_not_step(g: Board, group: Group, n: Place, mode: int) -> Refusal | None:
    """Why the group may not enter that neighbouring place as its next step by this kind of movement."""
    for u in group.units:
        if why := why_not_mode(g, u, mode, group.limit):
            return why
    if (group.mode == TACTICAL) != (mode == TACTICAL) and group.mode:
        return Refusal("5.4", f"this move is made by {MODE_WORDS[group.mode]} movement")
    if group.extended != (mode == EXTENDED):
        return Refusal(
            "5.3", "Extended Movement is declared for the whole move" if group.extended else "declare it first"
        )
    if not _touch(g, group.place, n):
        return Refusal("5.1", f"{g.where(n)} is not next to {g.where(group.place)}")
    if why := _stopped(g, group) or why_not_pass(g, group, n, mode):
        return why
    return _why_not_budget(g, group, n, mode)


def _touch(g: Board, here: Place, n: Place) -> bool:
    if not g.map.is_hex(here):
        return g.map.is_hex(n) and bool(g.map.box(here).hexes >> n & 1)
    if not g.map.is_hex(n):
        return bool(g.map.box(n).hexes >> here & 1)
    return g.map.grid.adjacent(here, n)


def _stopped(g: Board, group: Group) -> Refusal | None:
    if not group.hexes:
        return None
    if not g.map.is_hex(group.place):
        return Refusal("22.3.1", "a unit that enters an Entry Area stops there")
    if enemy_zoc(g, g.forces.side[group.units[0]]) >> group.place & 1:
        return Refusal("6.2", "the move ended on entering an EZOC")
    return None


def why_not_pass(g: Board, group: Group, n: Place, mode: int) -> Refusal | None:
    """What closes a place or the hexside to it, whatever the cost: enemies, bonds, Full Retreat, Entry Areas."""
    side = g.forces.side[group.units[0]]
    here = group.place
    f = field(g, side)
    edge = here if not g.map.is_hex(n) else n
    if not (g.map.is_hex(n) and g.map.is_hex(here)):
        if not g.map.is_hex(n) and (why := why_not_enter_area(g, side, n)):
            return why
        if f.shut >> edge & 1:
            return Refusal("22.3.2", "an enemy ZOC Bond lies along the map edge there")
        if not g.map.is_hex(here) and not entry_hexes(g, here) >> n & 1:
            return Refusal("S2.2", f"units may not enter the map at {g.hex_name(n)} on this turn")
        if not g.map.is_hex(n):
            return None
    contested = is_contested(g, n)
    if g.sets[COMBAT + 1 - side] >> n & 1 and not (contested and mode == TACTICAL):
        if contested:
            return Refusal("29.1.2", "a Contested City hex is entered only by Tactical Movement")
        return Refusal("5.1", f"an enemy Combat Unit is in {g.hex_name(n)}")
    if group.extended and f.near >> n & 1:
        return Refusal("5.3", f"Extended Movement may not come next to an enemy unit, as in {g.hex_name(n)}")
    bonds = enemy_bonds(g, side)
    if bonds.hexes >> n & 1:
        return Refusal("7.2", f"{g.hex_name(n)} lies in an enemy Hex Bond")
    if g.map.is_hex(here) and bonds.sides[g.map.grid.direction(here, n)] >> here & 1:
        return Refusal("7.2", f"the hexside {g.map.grid.between(g.map.grid.hexside(here, n))} lies in an enemy Bond")
    return _why_not_out_of_city(g, group, n) or _why_not_flight(g, group, n)


def _why_not_out_of_city(g: Board, group: Group, n: Hex) -> Refusal | None:
    side, here = g.forces.side[group.units[0]], group.place
    if not g.map.is_hex(here) or not is_contested(g, here):
        return None
    if not enemy_zoc(g, side) >> n & 1 or g.sets[COMBAT + side] >> n & 1:
        return None
    return Refusal("29.1.2", "from a Contested City hex no move may be made into an EZOC")


def _why_not_flight(g: Board, group: Group, n: Hex) -> Refusal | None:
    side = g.forces.side[group.units[0]]
    if not any(g.status[u] & FULL_RETREAT for u in group.units):
        return None
    if enemy_zoc(g, side) >> n & 1 and not g.sets[STEADY + side] >> n & 1:
        return Refusal("13.3.2", "units in Full Retreat may not enter an EZOC without steady friendly units there")
    if g.is_city(n) and g.controller(n) == 1 - side:
        return Refusal("13.3.2", "units in Full Retreat may not enter a City the enemy controls")
    return None


def _why_not_budget(g: Board, group: Group, n: Place, mode: int) -> Refusal | None:
    side = g.forces.side[group.units[0]]
    leaves_zone = not group.hexes and g.map.is_hex(group.place) and enemy_zoc(g, side) >> group.place & 1
    for i, u in enumerate(group.units):
        cost = step_price(g, group, u, n)
        if isinstance(cost, Refusal):
            return cost
        if mode == TACTICAL:
            if group.hexes >= tactical_hexes(g, u):
                return Refusal("5.4", "Tactical Movement is one or two hexes")
            continue
        total = (group.spent[i] if group.spent else 0) + cost.total + (exit_cost(g, u) if leaves_zone else 0)
        if why := _why_not_points(g, group, u, total):
            return why
    return None


def _why_not_points(g: Board, group: Group, u: Unit, total: int) -> Refusal | None:
    if total <= allowance(g, u):
        return None
    need = f"{_points(total)} MPs are needed, {g.name(u)} has {_points(allowance(g, u))}"
    if not group.extended:
        return Refusal("5.1", need)
    if total > allowance(g, u) + g.charts.constant("extended_movement") * POINT:
        return Refusal("5.3", f"{need} and three more by Extended Movement")
    return None


def why_not_extended(g: Board, group: Group) -> Refusal | None:
    """5.3 Why the group may not declare Extended Movement now."""
    for u in group.units:
        if why := why_not_mode(g, u, EXTENDED, group.limit):
            return why
    if group.extended:
        return Refusal("5.3", "Extended Movement has been declared")
    if group.mode == TACTICAL:
        return Refusal("5.4", "this move is made by tactical movement")
    if group.exposed:
        return Refusal("5.3", "the move has come next to an enemy unit")
    return None


def _points(halves: int) -> str:
    whole, half = divmod(halves, POINT)
    return f"{whole or ''}½" if half else str(whole)


# --- places out of reach -------------------------------------------------------------------------------------------


def why_not_end(g: Board, group: Group, place: Place, mode: int = 0) -> Refusal | None:
    """Why the group cannot move to a place by land at all (or by one kind of movement): the rule that stops it."""
    found = plan(g, group)
    if mode in (0, found.mode_to(place)) and found.mode_to(place):
        return None
    if mode == TACTICAL and (found.short_hexes >> place & 1 or place in areas_of(g, group, TACTICAL)):
        return None
    if place == group.place:
        return Refusal("5.1", "the unit is there already")
    if not group_modes(g, group):
        return _no_mode(g, group)
    if _stopped(g, group):
        return _stopped(g, group)
    if mode and (why := next(filter(None, (why_not_mode(g, u, mode, group.limit) for u in group.units)), None)):
        return why
    if g.map.is_hex(place):
        if why := _why_not_anywhere(g, group, place):
            return why
        shut = field(g, g.forces.side[group.units[0]]).shut
        if not g.map.is_hex(group.place) and shut >> place & g.map.box(group.place).hexes >> place & 1:
            return Refusal("22.3.2", f"an enemy ZOC Bond lies along the map edge at {g.hex_name(place)}")
    elif why := why_not_enter_area(g, g.forces.side[group.units[0]], place):
        return why
    return _what_stops(g, group, place, mode)


def _no_mode(g: Board, group: Group) -> Refusal:
    for mode in (NORMAL, TACTICAL):
        for u in group.units:
            if why := why_not_mode(g, u, mode, group.limit):
                return why
    return Refusal("5.1", "the units of the stack have no kind of movement in common")


def _why_not_anywhere(g: Board, group: Group, n: Hex) -> Refusal | None:
    """What closes a hex from every side."""
    side = g.forces.side[group.units[0]]
    if g.sets[COMBAT + 1 - side] >> n & 1:
        if is_contested(g, n):
            return Refusal("29.1.2", "a Contested City hex is entered only by Tactical Movement")
        return Refusal("5.1", f"an enemy Combat Unit is in {g.hex_name(n)}")
    if why := _why_not_out_of_city(g, group, n):
        return why
    if enemy_bonds(g, side).hexes >> n & 1:
        return Refusal("7.2", f"{g.hex_name(n)} lies in an enemy Hex Bond")
    if group.extended and field(g, side).near >> n & 1:
        return Refusal("5.3", f"Extended Movement may not come next to an enemy unit, as in {g.hex_name(n)}")
    return _why_not_flight(g, group, n)


class _Trial:
    """A search for the goal with some restrictions lifted."""

    def __init__(self, g: Board, group: Group, s: Seeker, goal: Bits, *, normal: bool) -> None:
        self.g, self.group, self.s, self.goal = g, group, s, goal
        self.normal = normal
        self.costs = s.ways.normal if self.normal else s.ways.tactical
        hexes = min(tactical_hexes(g, u) for u in group.units) - group.hexes
        self.budget = max(s.budget if self.normal else hexes, 0)

    def finds(self, enter: Bits, stop: Bits, barred: tuple[Bits, ...], *, more: int = 0, rivers: bool = False) -> bool:
        return bool(self.hexes(enter, stop, barred, more=more, rivers=rivers) & self.goal)

    def hexes(self, enter: Bits, stop: Bits, barred: tuple[Bits, ...], *, more: int = 0, rivers: bool = False) -> Bits:
        most = (self.budget + more) // self.costs.cheapest
        edges = opened(self.g, self.group, self.s.ways, most, normal=self.normal)
        if rivers:
            for a, first in self.costs.first.items():
                edges.setdefault(a, []).extend(first)
        found = reach(
            self.costs,
            self.group.place,
            self.budget + more,
            enter=enter,
            stop=stop,
            barred=barred,
            first_extra=self.s.exit if self.normal else 0,
            opened=edges,
        )
        return found.hexes


def _what_stops(g: Board, group: Group, place: Place, mode: int) -> Refusal:
    """Search again without one restriction after the other: the first that opens the way is what stops it."""
    f = field(g, g.forces.side[group.units[0]])
    name = g.place_name(place)
    goal = 1 << place if g.map.is_hex(place) else g.map.box(place).hexes
    open_sides = (0,) * 6
    friendly = g.ground.playable & ~g.sets[COMBAT + 1 - g.forces.side[group.units[0]]]
    enter = f.enter & ~f.near if group.extended else f.enter
    normal = mode != TACTICAL and bool(group_modes(g, group) & (NORMAL | EXTENDED))
    for s in seekers(g, group):
        t = _Trial(g, group, s, goal, normal=normal)
        if t.finds(enter, f.zone, f.barred):
            continue
        if group.extended and t.finds(f.enter, f.zone, f.barred):
            return Refusal("5.3", f"no way to {name} keeps away from enemy units, as Extended Movement must")
        if t.finds(friendly, f.zone, open_sides):
            return Refusal("7.2", f"an enemy ZOC Bond lies across the way to {name}")
        if t.finds(f.enter, 0, f.barred):
            where = _zone_on_way(g, group)
            return Refusal("6.2", f"a unit must stop upon entering an EZOC: no way to {name} avoids them{where}")
        far = 4 * t.budget + 64
        three = g.charts.constant("extended_movement") * POINT if normal and not group.extended else 0
        short = t.finds(enter, f.zone, f.barred, more=three)
        if not short and t.finds(enter, f.zone, f.barred, more=three, rivers=True):
            return Refusal("5.5.2", f"a move must start next to the unbridged Major River on the way to {name}")
        if t.finds(enter, f.zone, f.barred, more=far):
            return _too_far(g, group, s, place, normal=normal, short=short)
        if t.finds(friendly, 0, open_sides):
            return Refusal("6.2", f"EZOCs and ZOC Bonds lie across the way to {name}")
        if why := _why_not_ground(g, s, goal, t.hexes(friendly, 0, open_sides, more=far, rivers=True)):
            return why
    return Refusal("5.1", f"no way leads to {name}")


def _why_not_ground(g: Board, s: Seeker, goal: Bits, come: Bits) -> Refusal | None:
    """What the ground itself forbids on the last steps to a place, looked for from there back to where the unit can
    come."""
    come |= 1 << g.place[s.unit] if g.on_map(s.unit) else 0
    seen = front = goal
    while front and not front & come:
        before = front
        for h in members(before):
            for d, n in enumerate(g.map.grid.neighbours[h]):
                if n == NO_HEX or not come >> n & 1:
                    continue
                found = price(g.ground, g.charts, footing(g, s.unit), n, (d + 3) % 6, h)
                if isinstance(found, Refusal):
                    return found
        front = within(g.map.grid, before, 1) & g.ground.playable & ~seen
        seen |= front
    return None


def _too_far(g: Board, group: Group, s: Seeker, place: Place, *, normal: bool, short: bool) -> Refusal:
    """Not enough Movement Points; `short`: the three of Extended Movement would do (5.3)."""
    name = g.place_name(place)
    if normal:
        needs = f"{name} is too far for {g.name(s.unit)}: it has {_points(max(s.budget, 0))} MPs left"
        if group.extended or not short:
            return Refusal("5.1", needs)
        if why := why_not_extended(g, group):
            return Refusal(why.rule, f"{needs}, and no Extended Movement: {why.reason}")
        if plan(g, group._replace(extended=True)).mode_to(place):
            return Refusal("5.1", f"{needs}, but Extended Movement leads there")
        return Refusal("5.3", f"{needs}, and Extended Movement may not come next to an enemy unit")
    for u in group.units:
        if group_modes(g, group) & (NORMAL | EXTENDED):
            break
        if why_not := why_not_mode(g, u, NORMAL, group.limit):
            return why_not
    return Refusal("5.4", f"Tactical Movement does not lead to {name}")


def _zone_on_way(g: Board, group: Group) -> str:
    if not g.map.is_hex(group.place):
        return ""
    who = [g.name(u) for u in zoc_exerters(g, group.place, 1 - g.forces.side[group.units[0]])]
    return f" (the move starts in the ZOC of {', '.join(who)})" if who else ""


# --- what a way costs ----------------------------------------------------------------------------------------------


def explain_way(g: Board, group: Group, way: tuple[Place, ...], mode: int) -> Breakdown:
    """The cost of a way step by step, in half Movement Points (hexes for Tactical Movement)."""
    slow = min(group.units, key=lambda u: allowance(g, u))
    found = Breakdown("hexes" if mode == TACTICAL else "half MPs")
    side = g.forces.side[slow]
    if mode != TACTICAL and not group.hexes and g.map.is_hex(group.place) and enemy_zoc(g, side) >> group.place & 1:
        if cost := exit_cost(g, slow):
            found.add(f"leaving the EZOC in {g.hex_name(group.place)}", cost, "6.2")
        else:
            found.note("leaving an EZOC in Full Retreat", "13.3.1", 0)
    here = group
    for n in way:
        cost_ = step_price(g, here, slow, n)
        if isinstance(cost_, Refusal):
            raise BadInput(f"the way is not possible: {cost_}")
        for item in cost_.items:
            if mode == TACTICAL:
                continue
            found.add(f"{g.where(n)}: {item.what}", int(item.value), item.rule)
        if mode == TACTICAL:
            found.add(f"{g.where(n)}", 1, "5.4")
        here = here._replace(place=n, hexes=here.hexes + 1)
    return found
