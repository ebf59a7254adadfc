"""33.0 The Winter Offensive: the Vasilevsky marker and what its use brings. The turn order is in sequence.py."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.procedure import Action, Goto, Options, Out, Procedure, ask, auto
from kessel.games.stalingrad42.board import ELSEWHERE, Board
from kessel.games.stalingrad42.columns import FLIPPED
from kessel.games.stalingrad42.combat.strength.air import withdraw_air
from kessel.games.stalingrad42.data.forces import SIDES, SOVIET
from kessel.games.stalingrad42.supply.resources import free_point, offensives_on_map
from kessel.games.stalingrad42.supply.supply import los

GIFTS = 2
"""33.2.1 Two Planned Offensive markers and two Supply Points."""


def why_not_announce(g: Board, side: Side) -> Refusal | None:
    """33.1 The Soviet player may announce it in any of his Initial Phases from Turn 25 on."""
    if not g.scenario.has("33.0"):
        return Refusal("33.0", "there is no Winter Offensive in this scenario")
    if side != SOVIET:
        return Refusal("33.1", "the Vasilevsky marker is Soviet")
    if g.winter_offensive:
        return Refusal("33.1", "the Winter Offensive has been announced")
    if g.turn < g.charts.constant("winter_offensive_turn"):
        return Refusal("33.1", "the Vasilevsky marker arrives on Turn 25")
    return None


def supplied_hqs(g: Board, side: Side) -> list[Unit]:
    return [u for u in g.forces.asus[side] if g.forces.is_hq(u) and los(g, u)]


@dataclass(slots=True)
class WinterOffensive(Procedure):
    """33.2.1 Its effects in the Initial Phase of the turn it starts."""

    side: int
    markers: int = GIFTS
    points: int = GIFTS

    @auto("33.2.1")
    def start(self, g: Board) -> Out:
        """The Romanian Air Unit leaves the game for good (9.3.8)."""
        g.winter_offensive = g.turn
        g.tell("the Winter Offensive begins", "33.1")
        withdraw_air(g)
        if not g.plays("planned_offensive"):
            self.markers = 0
        return None

    @ask("side", "33.2.1")
    def plan(self, g: Board) -> Generator[Options, Action, Out]:
        """Place a Ready Planned Offensive marker with an HQ in supply."""
        limit = g.charts.table("markers").number("planned_offensive", SIDES[self.side])
        room = g.reads("planned_offensive_excess") == "kept" or offensives_on_map(g, self.side) < limit
        found = supplied_hqs(g, self.side) if self.markers and room else []
        _, u = yield Options([("offensive", u) for u in found])
        g.offensives[u] += 16
        g.happened(ELSEWHERE)
        g.tell(f"{g.name(u)} receives a Ready Planned Offensive marker", "33.2.1", unit=g.id(u))
        self.markers -= 1
        return Goto("plan")

    @ask("side", "33.2.1")
    def stock(self, g: Board) -> Generator[Options, Action, Out]:
        """Place a Ready Supply Point with an HQ in supply."""
        there = [u for u in supplied_hqs(g, self.side) if g.place[u] != NOWHERE]
        found = there if self.points and self._point(g) is not None else []
        _, u = yield Options([("stock", u) for u in found])
        point = self._point(g)
        assert point is not None
        g.put(point, g.place[u])
        if not g.forces.is_immobile(point):
            g.set_status(point, FLIPPED)
        g.tell(f"{g.name(point)} is placed with {g.name(u)}", "33.2.1", unit=g.id(point))
        self.points -= 1
        return Goto("stock")

    def _point(self, g: Board) -> Unit | None:
        found = free_point(g, self.side, mobile=True)
        return found if found is not None else free_point(g, self.side, mobile=False)
