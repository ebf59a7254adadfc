"""The counterstroke: which Soviet hexes are worth going for, and whether the Germans near them are strong enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kessel.bots.kharkov43.estimates import TERRAIN
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import DISPERSED, ISOLATED, UNSUPPLIED, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET

EVEN, SUPERIOR = 1.1, 1.4
"""German strength on the map for each Soviet point: below the first nobody strikes, at the second everybody does."""
NEAR, MIDDLING = 6, 10
"""From how far German units count for an attack, fully and by half."""
AROUND = 3
"""From how far Soviet units stand by their neighbours."""
NEEDED = 2.0
"""How many times the defenders' strength is wanted."""
NEIGHBOURS = 0.6
"""How much of the strength of their neighbours counts."""
WEAK = 0.4
"""What is left of a Soviet unit that is dispersed or without supply."""
STACK = 1.2
"""How much of a Soviet stack's worth is a reason to go for it."""
EASY_PREY = 1.6
"""A stack that is cut off or scattered is worth so much more."""
PULL, STACK_PULL = 0.5, 3.0
"""How much of a prize draws each unit, and the most for one that is no town."""
NEARER = 0.93
"""What is left of that draw with every hex of the way."""


@dataclass(frozen=True, slots=True)
class Prize:
    """A hex to be taken from the Soviets, what it is worth and how likely the Germans near it get it."""

    hex: Hex
    value: float
    chance: float

    @property
    def pull(self) -> float:
        return PULL * self.value * self.chance


def boldness(g: Board) -> float:
    """How far the Germans are strong enough for a counterstroke, 0 to 1."""
    soviet = sum(g.strength(v) for v in g.on_map_of(SOVIET))
    share = sum(g.strength(u) for u in g.on_map_of(GERMAN)) / max(1, soviet)
    return min(1.0, max(0.0, (share - EVEN) / (SUPERIOR - EVEN)))


def prizes(g: Board, town_value: Callable[[Hex], float]) -> list[Prize]:
    """Soviet stacks and towns, those that draw most first."""
    soviets: dict[Hex, float] = {}
    stacks: dict[Hex, float] = {}
    for v in g.on_map_of(SOVIET):
        weak = bool(g.status[v] & (DISPERSED | UNSUPPLIED))
        h, strength = g.place[v], g.strength(v)
        soviets[h] = soviets.get(h, 0.0) + strength * (WEAK if weak else 1.0)
        stacks[h] = stacks.get(h, 0.0) + (0.25 * strength + 0.5 * g.steps[v]) * (EASY_PREY if weak else 1.0)
    germans = [(g.place[u], g.strength(u)) for u in g.on_map_of(GERMAN) if not g.status[u] & (DISPERSED | ISOLATED)]

    found = []
    for h in soviets.keys() | set(members(g.ground.vp_hexes & g.towns_of(SOVIET))):
        away = g.ground.distances(h)
        force = sum(s * (1.0 if away[p] <= NEAR else 0.5) for p, s in germans if away[p] <= MIDDLING)
        defence = soviets.get(h, 0.0)
        neighbours = sum(s for p, s in soviets.items() if p != h and away[p] <= AROUND)
        needed = NEEDED * max(1.0, defence * TERRAIN.get(g.map.terrain[h], 1.0)) + NEIGHBOURS * neighbours
        chance = min(1.0, max(0.0, force / needed - 0.4))
        if chance:
            found.append(Prize(h, town_value(h) + min(STACK_PULL, STACK * stacks.get(h, 0.0)), chance))
    found.sort(key=lambda p: (-p.pull, p.hex))
    return found
