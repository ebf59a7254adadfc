"""7 German reserves."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread, within
from kessel.core.procedure import AGAIN, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.kharkov43.board import RESERVE, Board
from kessel.games.kharkov43.data.forces import FORMATIONS, GERMAN, SOVIET
from kessel.games.kharkov43.movement.arrival import enter_hex
from kessel.games.kharkov43.movement.stacking import full_hexes, why_not_fit
from kessel.games.kharkov43.supply.supply import supply_heads


def reserves_of(g: Board, corps: str) -> list[Unit]:
    """7.0 The units of a corps in the German Reserve Units box."""
    return [u for u in g.forces.in_formation(corps) if g.box[u] == RESERVE]


def is_delayed(g: Board, u: Unit) -> bool:
    """7.3 A full-strength reserve whose printed game-turn is two or more game-turns earlier."""
    late = g.forces.entry_turn[u] + g.charts.constants.delayed_reserve_turns <= g.turn
    full = g.steps[u] == g.forces.full_steps[u]
    return g.box[u] == RESERVE and bool(g.forces.entry_turn[u]) and late and full


def delayed_reserves(g: Board) -> list[Unit]:
    """7.3 Those that may be deployed in the Reserve Phase without a card, from game-turn 3 on."""
    return [u for u in g.in_box(GERMAN, RESERVE) if is_delayed(g, u)]


# --- 7.1 where -------------------------------------------------------------------------------------------------------


def _near(g: Board, hexes: Bits, less_than: int) -> Bits:
    """All hexes less than that many away."""
    return within(g.map.grid, hexes, less_than - 1)


def _threats(g: Board) -> Bits:
    """Non-isolated Soviet units and Soviet towns; an isolated unit counts only in its own hex (13.22)."""
    return g.controllers(SOVIET) | g.towns_of(SOVIET)


def _area(g: Board, u: Unit) -> Bits:
    return g.ground.deployment[g.forces.area[u]]


def tactical_hexes(g: Board, u: Unit) -> Bits:
    """7.1 Tactical deployment but for the distance to mates: area, supply head or clear hex beside it, enemies."""
    return _tactical(g) & _area(g, u)


@fact(NOW)
def _tactical(g: Board) -> Bits:
    c = g.charts.constants
    edge = g.ground.edge(GERMAN)
    heads = supply_heads(g, GERMAN)
    clear = g.map.of_terrain("clear")
    hexes = heads | spread(g.map.grid, heads) & clear
    safe = ~_near(g, _threats(g), _tactical_distance(g)) | edge & ~_near(g, _threats(g), c.edge_deployment_distance)
    return hexes & safe & ~g.garrisons & ~g.hexes_of(SOVIET)


def _tactical_distance(g: Board) -> int:
    distance = g.charts.constants.tactical_deployment_distance
    return distance + 1 if g.reads("deployment_distance") == "more_than_three" else distance


def mates(g: Board, u: Unit) -> Bits:
    """7.1 The hexes within three of a unit of the same corps."""
    return _near_units(g, [v for v in g.on_map_of(GERMAN) if g.forces.formation[v] == g.forces.formation[u]])


def army_mates(g: Board, u: Unit) -> Bits:
    """7.1 The hexes within three of a unit of the same army; for deployment Corps Raus is one by itself (2.21)."""
    return _near_units(g, [v for v in g.on_map_of(GERMAN) if g.forces.area[v] == g.forces.area[u]])


def _near_units(g: Board, units: list[Unit]) -> Bits:
    s = 0
    for v in units:
        s |= 1 << g.place[v]
    return within(g.map.grid, s, g.charts.constants.tactical_deployment_hexes) if s else 0


def strategic_hexes(g: Board, u: Unit) -> Bits:
    """7.1 Strategic deployment: a supply head of the area, five hexes from enemies, garrisons and enemy towns."""
    return _strategic(g) & _area(g, u)


@fact(NOW)
def _strategic(g: Board) -> Bits:
    c = g.charts.constants
    threats = _threats(g) | g.garrisons
    far = ~_near(g, threats, c.strategic_deployment_distance)
    edge = g.ground.edge(GERMAN) & ~_near(g, threats, c.edge_deployment_distance)
    return supply_heads(g, GERMAN) & (far | edge) & ~g.hexes_of(SOVIET)


def with_room(g: Board, u: Unit, hexes: Bits) -> list[Hex]:
    """7.2 Stacking limits are observed."""
    return members(hexes & _room(g, u))


def _room(g: Board, u: Unit) -> Bits:
    return ~full_hexes(g, GERMAN, g.steps[u])


def tactical_ends(g: Board, u: Unit) -> list[Hex]:
    """7.1 Near a unit of the same corps; if that is not possible, near one of the same army."""
    return members(_tactical_ends(g, u))


def _tactical_ends(g: Board, u: Unit) -> Bits:
    hexes = tactical_hexes(g, u) & _room(g, u)
    return hexes & mates(g, u) or hexes & army_mates(g, u)


@fact(NOW)
def _ends(g: Board, u: Unit) -> Bits:
    return _tactical_ends(g, u) | strategic_hexes(g, u) & _room(g, u)


def ends(g: Board, u: Unit) -> list[Hex]:
    """7.1 All hexes the reserve may be placed in now, by either way."""
    return members(_ends(g, u))


def why_not_deploy(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """Why the reserve can't be placed in h: the rule of tactical deployment that fails, for strategic fails as well."""
    where = g.hex_name(h)
    if g.box[u] != RESERVE:
        return Refusal("7.0", f"{g.name(u)} is not in the Reserve Units box")
    if h in ends(g, u):
        return None
    if not _area(g, u) >> h & 1:
        return Refusal("7.1", f"{where} is outside the deployment area of {FORMATIONS[g.forces.formation[u]].area}")
    if g.garrisons >> h & 1:
        return Refusal("7.1", f"{where} is garrisoned")
    heads = supply_heads(g, GERMAN)
    if not (heads | spread(g.map.grid, heads) & g.map.of_terrain("clear")) >> h & 1:
        return Refusal("7.1", f"{where} is neither a German supply head nor a clear hex adjacent to one")
    if not (tactical_hexes(g, u) | strategic_hexes(g, u)) >> h & 1:
        return Refusal("7.1", f"{where} is too near to a Soviet unit, town or city")
    if refusal := why_not_fit(g, h, [u]):
        return Refusal("7.2", refusal.reason)
    if with_room(g, u, tactical_hexes(g, u) & mates(g, u)):
        return Refusal("7.1", f"{where} is not within three hexes of a unit of {g.formation(g.forces.formation[u])}")
    return Refusal("7.1", f"{where} is not within three hexes of a unit of {g.forces.area[u]}")


def deploy(g: Board, u: Unit, h: Hex) -> None:
    """7.2 From now on the unit is in play."""
    g.tell(f"{g.name(u)} is deployed in {g.hex_name(h)}", "7.1", unit=g.id(u), to=g.hex_name(h))
    g.put(u, h)
    enter_hex(g, u, h)


def can_deploy(g: Board, units: list[Unit]) -> bool:
    return any(_ends(g, u) for u in units)


@dataclass(slots=True)
class DeployReserves(Procedure):
    """7.1, 7.2 Place reserve units one by one; 7.3 delayed reserves may stay in the box."""

    units: tuple[Unit, ...]
    optional: bool = False
    german: int = GERMAN

    about_units = ("units",)

    place = Choice(
        "german",
        "7.1",
        "Deploy a reserve unit.",
        when=lambda p, g: can_deploy(g, p.waiting(g)),
        says="Keep the rest in reserve",
    )

    def waiting(self, g: Board) -> list[Unit]:
        return [u for u in self.units if g.box[u] == RESERVE]

    def why_not_place(self, g: Board, u: Unit, h: Hex) -> Refusal | None:
        if u not in self.units:
            return Refusal("7.1", f"{g.name(u)} is not among the reserves being deployed")
        return why_not_deploy(g, u, h)

    @place.verb("pass", why_not=lambda p, g: None if p.optional else NOT_NOW)
    def keep_back(self, g: Board) -> Out:
        return None

    @place.verb("deploy", legal=lambda p, g: [(u, h) for u in p.waiting(g) for h in ends(g, u)], why_not=why_not_place)
    def deploy(self, g: Board, u: Unit, h: Hex) -> Out:
        deploy(g, u, h)
        return AGAIN


@dataclass(slots=True)
class DelayedReserves(Procedure):
    """7.3 The choice of the Reserve Phase by itself, for positions that stand there."""

    @auto("7.3")
    def deploy(self, g: Board) -> Out:
        return DeployReserves(tuple(delayed_reserves(g)), optional=True)
