"""Where German units go: to the posts that need them, or beside a Soviet stack that can be beaten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kessel.bots.kharkov43.fights import estimate
from kessel.bots.kharkov43.situation import Situation
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, union
from kessel.core.procedure import Action
from kessel.games.kharkov43.board import ACTIVE, ATTACKED, CANNOT_ATTACK, DEFENDED, DISPERSED, ISOLATED, MOVED, Board
from kessel.games.kharkov43.data.forces import SOVIET
from kessel.games.kharkov43.movement.movement import (
    REGULAR,
    STRATEGIC,
    bound_by_supply,
    german_ends,
    german_modes,
    reach_of,
)
from kessel.games.kharkov43.movement.stacking import can_fit, full_hexes


@dataclass(slots=True)
class Goal:
    """A move and what it gains."""

    unit: Unit
    hex: Hex
    mode: str
    gain: float

    @property
    def action(self) -> Action:
        return ("move" if self.mode == REGULAR else "strategic", self.unit, self.hex)


def better_places(s: Situation, u: Unit) -> Iterator[Goal]:
    """The places the unit can move to that are better than where it is."""
    g = s.g
    here = s.score(u, g.place[u])
    full = full_hexes(g, g.forces.side[u], g.steps[u])
    for mode in german_modes(g, u):
        for h in german_ends(g, u, mode):
            if not full >> h & 1:
                gain = s.score(u, h) - here - (0.05 if mode == STRATEGIC else 0.0)
                if gain > s.w.worth_moving:
                    yield Goal(u, h, mode, gain)


def best_move(s: Situation, u: Unit) -> Goal | None:
    """The best of them, the first of equals."""
    return max(better_places(s, u), key=lambda x: x.gain, default=None)


def quick_gain(s: Situation, u: Unit) -> float:
    """What an activation would bring the unit if it moves by regular movement."""
    g = s.g
    if g.status[u] & DISPERSED:
        return 0.9
    here = s.score(u, g.place[u])
    ends = reach_of(g, u).hexes & ~full_hexes(g, g.forces.side[u], g.steps[u])
    bound = bound_by_supply(g, u)
    if bound is not None:
        ends &= bound
    return max(0.0, max((s.score(u, h) for h in members(ends)), default=here) - here)


# --- going to an attack --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Assault:
    """An attack worth moving for: who goes where."""

    target: Hex
    gain: float
    places: dict[Unit, Hex]


def is_moved(g: Board) -> bool:
    """Whether the movement of this activation is over."""
    step = g.stack[-1].step
    return step is not None and step.name in ("attack", "choose_attackers")


def able_to_attack(g: Board, units: Iterable[Unit]) -> list[tuple[Unit, Bits]]:
    """Those of the units that can attack, strongest first, with the hexes they could attack from."""
    able: list[tuple[Unit, Bits]] = []
    for u in units:
        if g.status[u] & (DISPERSED | ISOLATED | CANNOT_ATTACK | ATTACKED):
            continue
        spots = 1 << g.place[u]
        if not g.status[u] & MOVED and not is_moved(g):
            ends = reach_of(g, u).hexes & ~full_hexes(g, g.forces.side[u], g.steps[u])
            bound = bound_by_supply(g, u)
            spots |= ends if bound is None else ends & bound
        able.append((u, spots))
    return sorted(able, key=lambda x: (-g.strength(x[0]), x[0]))


def chosen_assaults(s: Situation, units: Iterable[Unit], least: float | None = None) -> Iterator[Assault]:
    """The attacks these units can make together, after moving: the best one, then the best of the others.

    An attack that none of the units taken for another could have joined, nor who stands with one of them, stays as good
    as it was.
    """
    g, least = s.g, s.w.worth_attacking if least is None else least
    able = able_to_attack(g, units)
    taken: dict[Unit, Hex] = {}
    targets = [h for h in members(g.hexes_of(SOVIET)) if not any(g.status[v] & DEFENDED for v in g.units(h))]
    found: dict[Hex, Assault] = {}
    while able:
        for t in targets:
            if (a := best_assault(s, t, able, taken, least)) is not None:
                found[t] = a
        if not found:
            return
        best = max(found.values(), key=lambda a: (a.gain, -a.target))
        yield best
        taken |= best.places
        left = {g.place[u] for u in best.places}
        changed = union(spots for u, spots in able if g.place[u] in left)
        able = [x for x in able if x[0] not in best.places]
        del found[best.target]
        targets = [t for t in found if g.ground.adjacent_units(t) & changed]
        for t in targets:
            del found[t]


def best_assault(
    s: Situation, target: Hex, able: list[tuple[Unit, Bits]], taken: Mapping[Unit, Hex], least: float
) -> Assault | None:
    """The units that attack the hex best: one more as long as it brings more than it could do elsewhere."""
    g = s.g
    around = g.ground.adjacent_units(target)
    near = [(u, spots & around) for u, spots in able if spots & around]
    if not near:
        return None
    room = Room(g, around, taken)
    best: Assault | None = None
    places: dict[Unit, Hex] = {}
    cost = 0.0
    held = s.german_zoc
    for u, spots in near:
        here = g.place[u]
        if around >> here & 1:
            h = here
        else:
            left = set(g.units(here)) - {u} - places.keys() - taken.keys()
            if s.posts.get(here, 0.0) > 1.5 and not left:
                continue
            choices = [h for h in members(spots) if room.can_fit(u, h)]
            if not choices:
                continue
            used = set(places.values())
            free = g.map.grid.near[target] & ~held

            def value(h: Hex, u: Unit = u, used: set[Hex] = used, free: Bits = free) -> tuple[float, int]:
                closes = (free & (g.map.grid.near[h] | 1 << h)).bit_count()
                return (s.stand(u, h) + s.w.new_side * (h not in used) + s.w.closes * closes, -h)

            h = max(choices, key=value)
            cost += 0.5 * max(0.0, s.stand(u, here) - s.stand(u, h))
            room.move(u, h)
        cost += s.w.needed_elsewhere
        places[u] = h
        held |= g.map.grid.near[h] | 1 << h
        if not any(g.is_supplied(v) for v in places):
            continue  # 12.1: they need a supplied unit beside them
        gain = estimate(s, target, places) - cost
        if gain > least and (best is None or gain > best.gain):
            best = Assault(target, gain, dict(places))
    return best


class Room:
    """How full the hexes around a target are, planned moves counted."""

    def __init__(self, g: Board, around: Bits, taken: Mapping[Unit, Hex]) -> None:
        self.g = g
        self.held: dict[Hex, list[Unit]] = {}
        for h in members(around):
            there = [v for v in g.units(h) if taken.get(v, h) == h]
            self.held[h] = there + [v for v, to in taken.items() if to == h and v not in there]

    def can_fit(self, u: Unit, h: Hex) -> bool:
        there = self.held[h]
        return can_fit(self.g, len(there) + 1, sum(self.g.steps[v] for v in there) + self.g.steps[u])

    def move(self, u: Unit, h: Hex) -> None:
        self.held[h].append(u)


def active_units(g: Board) -> list[Unit]:
    return [u for u in g.active_units() if g.on_map(u) and g.status[u] & ACTIVE]
