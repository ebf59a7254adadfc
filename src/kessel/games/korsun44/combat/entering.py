"""12.1.2, 12.1.4, 12.15 Units enter a hex in the Combat Phase: what terrain lets them, and what it sets off."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Out, Procedure, auto, takes
from kessel.games.korsun44.board import FACING, GERMAN, MINES, ON_FOOT, Board
from kessel.games.korsun44.data.forces import PARTISANS
from kessel.games.korsun44.engineering.bridges import bridge_attempts, note_crossing
from kessel.games.korsun44.engineering.minefields import MineCheck, mine_check
from kessel.games.korsun44.engineering.positions import overrun_position
from kessel.games.korsun44.movement.costs import (
    TACTICAL,
    WALKING,
    crosses_river,
    kind_of,
    may_enter_terrain,
    may_walk,
    prices,
)
from kessel.games.korsun44.supply.displacement import displacement


def why_not_step(g: Board, u: Unit, a: Hex, h: Hex) -> Refusal | None:
    """12.13.1, 12.15.2, 12.16 Why terrain or the enemy keeps a unit from going from a into the next hex."""
    if not g.playable >> h & 1:
        return Refusal("12.16.1", f"{g.hex_name(h)} is off the map")
    if g.enemies_in(h, g.forces.side[u]):
        return Refusal("9.10.4", f"an enemy unit is in {g.hex_name(h)}")
    if not may_enter_terrain(g, u, h):
        return Refusal("18.1.2", "partisans keep to woods and forests")
    return why_not_cross(g, u, a, h)


def why_not_cross(g: Board, u: Unit, a: Hex, h: Hex) -> Refusal | None:
    """12.16 What terrain forbids to a unit that goes hex by hex.

    Motorized infantry goes on foot where its own column says no (switch retreat_motor), but not over a swamp (12.16.5).
    """
    d = g.map.grid.direction(a, h)
    step = prices(g, g.forces.side[u], kind_of(g, u, TACTICAL), False).step(a, d)
    on_foot = g.reads("retreat_motor") == "on_foot" and may_walk(g, u) and not g.ground.swamp[d] >> a & 1
    if isinstance(step, Refusal) and on_foot:
        step = prices(g, g.forces.side[u], kind_of(g, u, WALKING), False).step(a, d)
    return step if isinstance(step, Refusal) else None


def steps_from(g: Board, u: Unit, a: Hex) -> list[Hex]:
    """The hexes next to a hex that nothing keeps a unit from entering (`why_not_step`)."""
    side, free = g.forces.side[u], g.playable & ~g.hexes_of(1 - g.forces.side[u])
    hexes = {n for _, n, _ in prices(g, side, kind_of(g, u, TACTICAL), False).steps(a)}
    if g.reads("retreat_motor") == "on_foot" and may_walk(g, u):
        afoot = prices(g, side, kind_of(g, u, WALKING), False).steps(a)
        hexes.update(n for d, n, _ in afoot if not g.ground.swamp[d] >> a & 1)
    found = [n for n in g.map.grid.around[a] if n in hexes and free >> n & 1]
    return [n for n in found if may_enter_terrain(g, u, n)] if g.forces.role[u] == PARTISANS else found


def leave_vehicles(g: Board, u: Unit, a: Hex, h: Hex) -> None:
    """9.2.1.2 Motorized infantry that has gone over a river its vehicles cannot cross is on foot."""
    d = g.map.grid.direction(a, h)
    if not crosses_river(g, a, d) or g.status[u] & ON_FOOT or not may_walk(g, u):
        return
    if isinstance(prices(g, g.forces.side[u], kind_of(g, u, TACTICAL), False).step(a, d), Refusal):
        g.set_status(u, ON_FOOT)
        g.tell(f"{g.name(u)} leaves its vehicles behind the river", "9.2.1", unit=g.id(u))


@dataclass(slots=True)
class Entering(Procedure):
    """Units have gone from a into a hex: bridges, improved positions, minefields, SDMs."""

    side: int
    units: tuple[int, ...]
    a: int
    stood: int
    advance: bool = True

    @auto("9.2.1")
    def vehicles(self, g: Board) -> Out:
        for u in self.units:
            leave_vehicles(g, u, self.a, self.stood)
        return None

    @auto("15.2")
    def control(self, g: Board) -> Out:
        note_crossing(g, self.side, self.a, self.stood)
        overrun_position(g, self.side, self.stood)
        if self.advance and self.side == GERMAN and g.mined(self.stood, g.map.grid.direction(self.stood, self.a)):
            g.set_works(self.stood, MINES | 7 << FACING, on=False)
            g.tell(f"the minefield in {g.hex_name(self.stood)} is removed", "15.3.2")
        return None

    @auto("15.3.2")
    def mines(self, g: Board) -> Out:
        return None if self.advance else mine_check(g, self.side, self.units, self.a, self.stood)

    @takes(MineCheck)
    def mined(self, g: Board, value: bool) -> None:
        """They go no further anyway."""

    @auto("15.2.1")
    def destroy(self, g: Board) -> Out:
        return bridge_attempts(g, 1 - self.side, self.stood)

    @auto("13.2.4")
    def displace(self, g: Board) -> Out:
        return displacement(g, 1 - self.side, self.stood)
