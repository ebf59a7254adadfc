"""12.7 Retreats: how far a stack may retreat, which hexes it may enter in which priority, and how it goes.

A retreat is judged hex by hex. `Entry` is one hex entered with its priority; a `Route` is one or two of them. The
German player chooses among the routes the priorities leave him; Soviet units retreat one hex for each hit, by their
own preferences (`soviet_hop`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.kharkov43.board import DISPERSED, GARRISON, POSITION, RETREATED, UNSUPPLIED, Board
from kessel.games.kharkov43.combat.battle import Battle, alive, parts, stack_limit
from kessel.games.kharkov43.combat.results.step_losses import must_eliminate
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.movement.arrival import enter_hex, leave_hex, remove_garrison
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.movement.zones import enemy_of, is_in_enemy_zoc
from kessel.games.kharkov43.supply.supply import field_without_all
from kessel.games.kharkov43.system.terms.arrows import arrows_at
from kessel.games.kharkov43.system.terms.choosing import Choice, Preference, choose, least, lowest_number, those
from kessel.games.kharkov43.system.terms.terminology import westing

FREE, FRIEND, SUPPLIED, UNFIT = 1, 2, 3, 4
"""12.7 The four priorities."""
PRIORITIES = {
    FREE: "not in enemy control",
    FRIEND: "enemy-controlled, with a supplied undispersed friendly unit",
    SUPPLIED: "enemy-controlled and unoccupied, in friendly supply: a step is lost",
    UNFIT: "enemy-controlled, not in supply or with unfit friendly units only: a step is lost",
}


class Entry(NamedTuple):
    """12.7 One hex entered in a retreat."""

    hex: Hex
    priority: int
    dniepr: bool
    """Across an unbridged Dniepr hexside."""

    @property
    def costs_step(self) -> bool:
        return self.priority >= SUPPLIED


class Route(NamedTuple):
    entries: tuple[Entry, ...]

    @property
    def path(self) -> tuple[Hex, ...]:
        return tuple(e.hex for e in self.entries)

    @property
    def losses(self) -> int:
        return sum(e.costs_step for e in self.entries)


# --- 12.7, 12.75 how far ---------------------------------------------------------------------------------------------


def retreat_limit(g: Board, b: Battle) -> tuple[int, Refusal | None]:
    """12.52, 12.7, 12.75 How many hexes the defenders may retreat in this combat, and why not two.

    What the stack was when it was attacked binds it to the end of the combat, whoever of it is lost (12.52, 12.53 A).
    """
    if b.defender_side == SOVIET and any(part.no_retreat for _, part in parts(g, b, attacking=False)):
        return 0, Refusal("12.7", "Soviet defenders can't retreat under NKVD")
    limit, why = stack_limit(g, alive(g, b.defenders))
    if 0 <= b.retreat_cap < limit:
        limit, why = b.retreat_cap, b.capped_by
    return limit, Refusal("12.75" if limit else "12.7", why) if why else None


# --- 12.7, 12.71 one hex ---------------------------------------------------------------------------------------------


def why_not_enter(g: Board, units: Sequence[Unit], a: Hex, h: Hex) -> Refusal | None:
    """12.71 Why the units can't retreat from a into the adjacent hex h, whatever the stack there."""
    side = g.forces.side[units[0]]
    if g.ground.blocked[g.map.grid.direction(a, h)] >> a & 1:
        return Refusal("12.71", "a blocked Dniepr hexside can't be crossed")
    if g.hexes_of(enemy_of(side)) >> h & 1:
        return Refusal("12.7", f"enemy units are in {g.hex_name(h)}")
    if g.towns_of(enemy_of(side)) >> h & 1:
        return Refusal("12.71", f"{g.ground.name(h)} is an enemy town or city")
    return None


def priority_of(g: Board, units: Sequence[Unit], h: Hex) -> int:
    """12.7 The priority in which the units may enter h. They themselves do not count as friends there."""
    side = g.forces.side[units[0]]
    if not is_in_enemy_zoc(g, h, side):
        return FREE
    friends = [v for v in g.units_of(h, side) if v not in units]
    if any(not g.status[v] & (DISPERSED | UNSUPPLIED) for v in friends):
        return FRIEND
    return SUPPLIED if not friends and h in field_without_all(g, tuple(units)) else UNFIT


def entries(g: Board, units: Sequence[Unit], a: Hex) -> list[Entry]:
    """12.7, 12.71 All hexes the units could enter from a, stacking apart."""
    return _entries(g, units, a, g.ground.all)


def _entries(g: Board, units: Sequence[Unit], a: Hex, among: Bits) -> list[Entry]:
    """As `why_not_enter` says hex by hex."""
    enemy = enemy_of(g.forces.side[units[0]])
    open_ = among & g.ground.adjacent_units(a) & ~(g.hexes_of(enemy) | g.towns_of(enemy))
    if not open_:
        return []
    return [
        Entry(h, priority_of(g, units, h), bool(g.ground.dniepr[d] >> a & 1))
        for d, h in enumerate(g.map.grid.neighbours[a])
        if h != NO_HEX and open_ >> h & 1
    ]


def has_room(g: Board, units: Sequence[Unit], h: Hex) -> bool:
    """12.71 The retreat may end there."""
    return why_not_fit(g, h, units) is None


def preferred(options: Iterable[Entry]) -> list[Entry]:
    """12.7 Those of the first priority that any has; across an unbridged Dniepr only if there is no other."""
    every = list(options)
    best = [e for e in every if e.priority == min(x.priority for x in every)]
    return [e for e in best if not e.dniepr] or best


# --- 12.7, 12.72, 12.75 routes ---------------------------------------------------------------------------------------


def possible_routes(g: Board, units: Sequence[Unit], start: Hex, hexes: int) -> list[Route]:
    """12.75 All routes of one or two hexes that end as far from the combat, with room for all of them together.

    Only the hex where a retreat ends needs room: units may retreat through others.
    """
    return list(_possible_routes(g, tuple(units), start, hexes))


@fact(POSITION)
def _possible_routes(g: Board, units: tuple[Unit, ...], start: Hex, hexes: int) -> tuple[Route, ...]:
    first = entries(g, units, start)
    if hexes == 1:
        return tuple(Route((e,)) for e in first if has_room(g, units, e.hex))
    around = g.ground.around
    ends = bits(h for h in members(around(start, 2) & ~around(start, 1)) if has_room(g, units, h))
    return tuple(Route((e, f)) for e in first for f in _entries(g, units, e.hex, ends))


def by_priority(routes: Sequence[Route]) -> list[Route]:
    """12.7 The priorities hex by hex."""
    if not routes:
        return []
    found = []
    for e in sorted(preferred({r.entries[0] for r in routes})):
        mine = [r for r in routes if r.entries[0] == e]
        if len(mine[0].entries) == 2:
            seconds = preferred({r.entries[1] for r in mine})
            mine = [r for r in mine if r.entries[1] in seconds]
        found += mine
    return found


def legal_routes(g: Board, units: Sequence[Unit], start: Hex, hexes: int, lost: Sequence[Unit] = ()) -> list[Route]:
    """12.7, 12.72 The routes a stack may take: by priority, but a lesser one if that alone saves a unit."""
    every = possible_routes(g, units, start, hexes)
    found = by_priority(every)

    def fatal(r: Route) -> bool:
        return must_eliminate(g, units, lost, r.losses)

    if found and all(fatal(r) for r in found) and (safe := [r for r in every if not fatal(r)]):
        return by_priority(safe)
    return found


# --- 12.73 retreat to different hexes ---------------------------------------------------------------------------------


def scattered_routes(
    g: Board, units: Sequence[Unit], start: Hex, hexes: int, lost: Sequence[Unit] = ()
) -> dict[Unit, list[Route]]:
    """12.73 Where the stack does not fit together: for each unit the routes after which the others still find one."""
    found: dict[Unit, list[Route]] = {}
    for u in units:
        rest = [v for v in units if v != u]
        routes = [r for r in legal_routes(g, [u], start, hexes, lost) if _can_follow(g, u, r, rest, start, hexes)]
        if routes:
            found[u] = routes
    return found


def _can_follow(g: Board, u: Unit, r: Route, rest: Sequence[Unit], start: Hex, hexes: int) -> bool:
    if not rest:
        return True
    x = g.copy()
    x.move(u, r.path[-1])
    return bool(scattered_routes(x, rest, start, hexes))


def can_retreat(g: Board, units: Sequence[Unit], start: Hex, hexes: int) -> bool:
    """Whether the units could retreat so far at all, together or apart."""
    return bool(possible_routes(g, units, start, hexes) or scattered_routes(g, units, start, hexes))


# --- 12.7, 12.75 Soviet retreats, hex by hex --------------------------------------------------------------------------


class Hop(NamedTuple):
    """One hex of a Soviet retreat: who goes where, and what decided."""

    units: tuple[Unit, ...]
    start: Hex
    entry: Entry
    choice: Choice
    overstacks: bool


def forward_directions(g: Board, u: Unit, h: Hex) -> set[int]:
    """12.7 The directions of the forward arrows in h that hold for the unit's front (O7: primary or secondary)."""
    kinds = ("primary",) if g.reads("forward_arrow") == "primary" else ("primary", "secondary")
    direction = g.map.grid.direction
    return {direction(h, to) for to, kind in arrows_at(g, h, g.forces.higher[u]) if kind in kinds}


def soviet_preferences(g: Board, units: Sequence[Unit], a: Hex) -> list[Preference]:
    """12.7 Among hexes of equal priority: a Soviet VP hex, not forward, not beside forward, woods, east, lowest."""
    grid = g.map.grid
    forward = forward_directions(g, g.ascending(units)[0], a)
    beside = {(d + turn) % 6 for d in forward for turn in (1, 5)}

    def toward(directions: set[int]) -> Bits:
        return bits(h for d, h in enumerate(grid.neighbours[a]) if h != NO_HEX and d in directions)

    return [
        those("12.7a", "a Soviet VP hex", lambda: g.towns_of(SOVIET)),
        those("12.7b", "not in a forward direction", lambda: grid.all & ~toward(forward)),
        those("12.7c", "not adjacent to a forward direction", lambda: grid.all & ~toward(beside)),
        those("12.7d", "woods", lambda: g.map.of_terrain("woods")),
        least("12.7e", "the easternmost hex", lambda h: westing(g, h)),
        lowest_number(g, "12.7f"),
    ]


def hop_of(g: Board, b: Battle, units: Sequence[Unit], hits_after: int) -> Hop | None:
    """12.7, 12.75 The hex these units retreat to now, all together; None if there is none.

    The first hex may be overstacked if a hit is left that takes them on from there. The second one ends two hexes away.
    Among hexes of equal priority one without a way on is as good as any (O12).
    """
    a = g.place[units[0]]
    going_on = b.retreated == 0 and hits_after > 0 and retreat_limit(g, b)[0] > 1
    found: dict[Entry, int] = {}
    for e in entries(g, units, a):
        if g.map.grid.distance(b.target, e.hex) != b.retreated + 1:
            continue
        if has_room(g, units, e.hex):
            found[e] = int(e.costs_step)
        elif going_on and (onward := by_priority(_onward(g, b, units, e))):
            found[e] = e.costs_step + min(r.losses for r in onward)
    safe = [e for e, losses in found.items() if not must_eliminate(g, units, b.lost, losses)]
    options = preferred(safe or found) if found else []
    if not options:
        return None
    if going_on and g.reads("retreat_dead_end") == "avoided":
        options = [e for e in options if _onward(g, b, units, e)] or options
    choice = choose(bits(e.hex for e in options), soviet_preferences(g, units, a))
    entry = next(e for e in options if e.hex == choice.hex)
    return Hop(tuple(units), a, entry, choice, not has_room(g, units, entry.hex))


def _onward(g: Board, b: Battle, units: Sequence[Unit], e: Entry) -> list[Route]:
    """The second hexes that can be reached through an overstacked first one."""
    return [
        Route((f,))
        for f in entries(g, units, e.hex)
        if g.map.grid.distance(b.target, f.hex) == 2 and has_room(g, units, f.hex)
    ]


def soviet_hop(g: Board, b: Battle, hits_after: int) -> list[Hop]:
    """12.7, 12.73 How the Soviet defenders retreat one hex for a hit; [] if they can't.

    Units in one hex go together if possible, else one by one in ascending order.
    """
    x, found = g, []
    for place in sorted({g.place[u] for u in alive(g, b.defenders)}):
        group = [u for u in alive(g, b.defenders) if g.place[u] == place]
        together = hop_of(x, b, group, hits_after)
        hops = [together] if together else _one_by_one(x, b, group, hits_after)
        if not hops:
            return []
        found += hops
        x = x.copy()
        for hop in hops:
            for u in hop.units:
                x.move(u, hop.entry.hex)
    return found


def _one_by_one(g: Board, b: Battle, group: Sequence[Unit], hits_after: int) -> list[Hop]:
    """12.73 Ascending selector order; all of them must find a hex."""
    if len(group) < 2:
        return []
    x, found = g, []
    for u in g.ascending(group):
        hop = hop_of(x, b, [u], hits_after)
        if hop is None:
            return []
        found.append(hop)
        x = x.copy()
        x.move(u, hop.entry.hex)
    return found


# --- carrying it out -------------------------------------------------------------------------------------------------


def fall_back(g: Board, u: Unit, path: Sequence[Hex]) -> None:
    """The unit retreats along the path. German units remove garrisons where they enter (15.3)."""
    start, side = g.place[u], g.forces.side[u]
    names = [g.hex_name(h) for h in path]
    way = {"from": g.hex_name(start), "path": names}
    g.tell(f"{g.name(u)} retreats to {'-'.join(names)}", "12.7", unit=g.name(u), **way, side=SIDES[side])
    for h in path:
        g.move(u, h)
        if side == GERMAN and g.has_mark(h, GARRISON):
            remove_garrison(g, h, "15.3")
    g.set_status(u, RETREATED)
    leave_hex(g, start)


def end_retreat(g: Board, b: Battle) -> None:
    """What follows from entering the hexes where the retreat has ended (14.1, 15.3, 17.1)."""
    for u in alive(g, b.defenders):
        if g.place[u] != b.target:
            enter_hex(g, u, g.place[u])


def lengthen(paths: Sequence[tuple[Hex, ...]], a: Hex, path: Sequence[Hex]) -> tuple[tuple[Hex, ...], ...]:
    """12.81 The paths of retreat, those that ended in a continued."""
    return tuple(dict.fromkeys((*p, *path) for p in paths if p[-1] == a))
