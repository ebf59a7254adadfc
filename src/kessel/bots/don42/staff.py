"""A commander's HQs and units keep together: Soviets who do not hear their HQ stand still (9.2), and an Army must wake
up to move at all (9.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kessel.bots.don42.moves import Mover
from kessel.bots.don42.roads import counted, ways_home
from kessel.bots.don42.weights import Weights
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import bits
from kessel.games.don42.board import Board
from kessel.games.don42.combat.bombardment import spotted_hexes
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.data.lines import Lines
from kessel.games.don42.movement.zones import enemy_zone, open_hexes
from kessel.games.don42.supply.activation import LONGEST, radius_open
from kessel.games.don42.supply.supply import home_net, parent_hqs

LOOKED_AT = 24
"""Hexes thought over, the best by the look of them."""
AIM = 1.5
HEARD = 2.0
AFAR = 4
"""Hexes guns keep away from the enemy: one less than they reach (11.0)."""


class Staff(Mover):
    def __init__(self, weights: Callable[[Board, Unit], Weights]) -> None:
        super().__init__(weights)
        self.kept: Mapping[Unit, Hex] = {}
        """Which hexes are kept free for whom."""

    def _fits(self, g: Board, u: Unit, h: Hex) -> bool:
        if h in self.kept.values() and self.kept.get(u) != h:
            return False
        return super()._fits(g, u, h)

    def _gun_score(self, g: Board, u: Unit, h: Hex) -> float:
        """Soviet guns stand as far off as they reach."""
        if g.forces.side[u] == GERMAN or g.forces.mortar[u]:
            return super()._gun_score(g, u, h)
        if enemy_zone(g, SOVIET) >> h & 1:
            return -50.0
        if not g.hexes_of(GERMAN):
            return 0.0
        value = -abs(self._to_enemy(g, SOVIET)[h] - AFAR) + 0.3 * bool(g.ground.on_road >> h & 1)
        aims = g.ground.around(h, 6) & g.hexes_of(GERMAN) & spotted_hexes(g, g.command[u])
        value += AIM * min(2, aims.bit_count())
        limit = g.charts.constants.command_radius * POINT
        if any(
            g.crossings.has_line("soviet", g.weather, g.place[hq], limit, radius_open(g), h) for hq in parent_hqs(g, u)
        ):
            value += HEARD
        return value

    def _leash(self, g: Board, u: Unit) -> Lines | None:
        """Soviets stay where they hear their HQ."""
        if g.forces.side[u] == GERMAN:
            return super()._leash(g, u)
        hqs = bits(g.place[hq] for hq in parent_hqs(g, u))
        reach = g.charts.constants.command_radius * POINT
        return g.crossings.lines("soviet", g.weather, hqs, reach, radius_open(g)) if hqs else None

    def _headquarters(self, g: Board, u: Unit, candidates: list[Hex], here: Hex) -> Hex:
        """A Soviet HQ goes where most of its units hear it, and where its Army is likely to wake up."""
        if g.forces.side[u] != SOVIET:
            return super()._headquarters(g, u, towards_home(g, u, candidates), here)
        command = g.command[u]
        units = [v for v in g.units_on_map(SOVIET) if g.command[v] == command and not g.forces.hq[v]]
        w, where = self.weights(g, u), bits(g.place[v] for v in units)
        army = g.forces.commands[command] in g.charts.armies
        wakes = {h: waking(g, h) if army else 1.0 for h in candidates}
        looks = self.looks(g, u, candidates, units)
        likely = sorted(candidates, key=lambda h: (looks[h] + w.awake * wakes[h], h == here), reverse=True)
        limit, open_ = g.charts.constants.command_radius * POINT, radius_open(g)
        found = []
        for h in likely[:LOOKED_AT]:
            heard = g.crossings.reaching("soviet", g.weather, 1 << h, limit, open_, where)
            share = heard.bit_count() / max(1, where.bit_count())
            found.append((looks[h] + w.awake * share * wakes[h], h == here, -h))
        return -max(found)[-1]


def towards_home(g: Board, u: Unit, candidates: list[Hex]) -> list[Hex]:
    """17.2.8 Where each turn without a line to the Don costs a point, the HQ of a Corps stays where it has one; if it
    can get to no such hex, to where the fewest Soviets are in its way.
    """
    if u not in counted(g):
        return candidates
    found = [h for h in candidates if home_net(g) >> h & 1]
    ways = {} if found else ways_home(g)
    on = [h for h in candidates if h in ways]
    return found or ([min(on, key=lambda h: (ways[h][0], h))] if on else candidates)


def waking(g: Board, h: Hex) -> float:
    """9.3 How likely an Army is to activate if its HQ stands there, on a road."""
    open_ = open_hexes(g, SOVIET)
    lines = g.crossings.lines("road", g.weather, g.ground.soviet_sources & open_, LONGEST, open_)
    length = lines.cost(h)
    if length is None:
        return 0.0
    column = g.charts.activation_column(length, g.reads("act_column") == "shorter")
    return chance_of(g.charts.activation.number("activates_on", column))


def chance_of(least: int) -> float:
    """That two dice give at least so much.

    >>> chance_of(7), chance_of(12)
    (0.5833333333333334, 0.027777777777777776)
    """
    return sum(1 for a in range(1, 7) for b in range(1, 7) if a + b >= least) / 36
