"""Where German units go: to the posts that need them, or beside a Soviet stack that can be beaten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kessel.bots.kharkov43.fights import estimate
from kessel.bots.kharkov43.situation import Situation
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.procedure import Action
from kessel.games.kharkov43.board import ACTIVE, CANNOT_ATTACK, DISPERSED, ISOLATED, MOVED, Board
from kessel.games.kharkov43.forces import SOVIET
from kessel.games.kharkov43.movement import REGULAR, STRATEGIC, bound_by_supply, german_ends, german_modes, reach_of
from kessel.games.kharkov43.stacking import fits, full_hexes

WORTH_MOVING = 0.12
WORTH_ATTACKING = 0.5
"""A quick estimate must promise that much before units are moved for an attack."""


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


def best_move(s: Situation, u: Unit) -> Goal | None:
    """The best place the unit can move to, if it is better than where it is."""
    g = s.g
    here = s.score(u, g.place[u])
    best: Goal | None = None
    full = full_hexes(g, g.forces.side[u], g.steps[u])
    for mode in german_modes(g, u):
        for h in german_ends(g, u, mode):
            if full >> h & 1:
                continue
            gain = s.score(u, h) - here - (0.05 if mode == STRATEGIC else 0.0)
            if gain > WORTH_MOVING and (best is None or gain > best.gain):
                best = Goal(u, h, mode, gain)
    return best


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


def assaults(s: Situation, units: Iterable[Unit]) -> list[Assault]:
    """The attacks these units could make after moving, best first."""
    g = s.g
    able: list[tuple[Unit, Bits]] = []
    for u in units:
        if g.status[u] & (DISPERSED | ISOLATED | CANNOT_ATTACK):
            continue
        spots = 1 << g.place[u]
        if not g.status[u] & MOVED:
            ends = reach_of(g, u).hexes & ~full_hexes(g, g.forces.side[u], g.steps[u])
            bound = bound_by_supply(g, u)
            spots |= ends if bound is None else ends & bound
        able.append((u, spots))
    near = 0
    for _, spots in able:
        near |= spots
    found: list[Assault] = []
    for target in members(g.hexes_of(SOVIET)):
        around = g.ground.adjacent_units(target)
        if not around & near:
            continue
        places = _places(s, target, around, able)
        if not places:
            continue
        gain = estimate(s, target, places)
        for u, h in places.items():
            gain -= max(0.0, s.stand(u, g.place[u]) - s.stand(u, h)) * 0.5
        if gain > WORTH_ATTACKING:
            found.append(Assault(target, gain, places))
    found.sort(key=lambda a: (-a.gain, a.target))
    return found


def chosen_assaults(s: Situation, units: Iterable[Unit]) -> list[Assault]:
    """The best attacks that do not need the same units."""
    chosen: list[Assault] = []
    busy: set[Unit] = set()
    for a in assaults(s, units):
        if not busy & a.places.keys():
            chosen.append(a)
            busy |= a.places.keys()
    return chosen


def _places(s: Situation, target: Hex, around: Bits, able: list[tuple[Unit, Bits]]) -> dict[Unit, Hex]:
    """A hex beside the target for each unit that may come; towns that would be left empty keep their unit."""
    g = s.g
    units: dict[Hex, int] = {}
    steps: dict[Hex, int] = {}
    for h in members(around):
        there = g.units(h)
        units[h], steps[h] = len(there), sum(g.steps[v] for v in there)
    found: dict[Unit, Hex] = {}
    for u, spots in sorted(able, key=lambda x: (-g.strength(x[0]), x[0])):
        here = g.place[u]
        if around >> here & 1:
            found[u] = here
            continue
        if g.status[u] & MOVED or (s.posts.get(here, 0.0) > 1.5 and g.units(here) == [u]):
            continue
        choices = [h for h in members(spots & around) if fits(g, units[h] + 1, steps[h] + g.steps[u])]
        if choices:
            h = max(choices, key=lambda h: (s.stand(u, h), -h))
            found[u] = h
            units[h] += 1
            steps[h] += g.steps[u]
    return found


def active_units(g: Board) -> list[Unit]:
    return [u for u in g.active_units() if g.on_map(u) and g.status[u] & ACTIVE]
