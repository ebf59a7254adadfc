"""9.11 Armor Interception."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Goto, Out, Procedure, Return, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import DISORDER, Board
from kessel.games.korsun44.movement.costs import crosses_river
from kessel.games.korsun44.units.strength import white_dots


def intercept_dots(g: Board, u: Unit) -> int:
    """9.11, 18.11 The dots a unit intercepts with: white ones; two for an 88 where that option is played."""
    if g.forces.type[u] == "flak_88" and g.plays("intercept_88"):
        return g.charts.constants.intercept_88
    return white_dots(g, u) if g.forces.armor[u] else 0


def why_not_intercept(g: Board, u: Unit, side: int, a: Hex, b: Hex, fired: Sequence[Hex]) -> Refusal | None:
    """9.11 Why a unit of that side may not intercept armor that went from a to b."""
    if g.forces.side[u] != side or not g.on_map(u):
        return Refusal("9.11", f"{g.name(u)} is no unit of yours on the map")
    e, grid = g.place[u], g.map.grid
    if not grid.adjacent(e, a) or not grid.adjacent(e, b):
        return Refusal("9.11", "the armor must move from one hex next to the interceptor into another")
    if intercept_dots(g, u) <= 0:
        return Refusal("9.11", f"{g.name(u)} has no white dots")
    if g.status[u] & DISORDER:
        return Refusal("12.17.2", f"{g.name(u)} is Disorganized or in Regroup")
    if e in fired:
        return Refusal("9.11", f"{g.hex_name(e)} has intercepted this move already")
    clear = g.ground.clear
    if not clear >> a & 1 or not clear >> b & 1:
        return Refusal("9.11", "both hexes must be clear or village")
    if g.reads("intercept_hexes") == "strict" and not clear >> e & 1:
        return Refusal("9.11", "the interceptor must stand in clear terrain or a village")
    if crosses_river(g, e, grid.direction(e, b)):
        return Refusal("9.11", "nobody intercepts across a river")
    if g.reads("intercept_river") == "both_hexes" and crosses_river(g, e, grid.direction(e, a)):
        return Refusal("9.11", "nobody intercepts across a river")
    return None


def interceptors(g: Board, side: int, a: Hex, b: Hex, fired: Sequence[Hex]) -> list[Unit]:
    """9.11 All units of a side that may intercept armor going from a to b."""
    near = g.map.grid.near[a] & g.map.grid.near[b] & g.hexes_of(side)
    if not near:
        return []
    both = (e for e in g.map.grid.around[b] if near >> e & 1)
    return sorted(u for e in both for u in g.units(e) if why_not_intercept(g, u, side, a, b, fired) is None)


@dataclass(slots=True)
class Interception(Procedure):
    """9.11 The other side fires at armor that goes from one hex next to its armor into another."""

    about_hexes = ("stood",)
    about_units = ("aim", "units")
    side: int
    """The interceptor's."""
    mover: int
    units: tuple[int, ...]
    a: int
    stood: int
    fired: tuple[int, ...] = ()
    halted: tuple[int, ...] = ()
    unit: int = -1
    aim: int = -1

    def armor(self, g: Board) -> list[Unit]:
        return [u for u in self.units if g.forces.armor[u] and g.on_map(u) and u not in self.halted]

    def found(self, g: Board) -> list[Unit]:
        return interceptors(g, self.side, self.a, self.stood, self.fired) if self.armor(g) else []

    declare = Choice("side", "9.11", "Intercept the moving armor, or let it pass.", passing=Goto("done"))

    @declare.verb(
        "intercept",
        legal=lambda p, g: p.found(g),
        why_not=lambda p, g, u: why_not_intercept(g, u, p.side, p.a, p.stood, p.fired),
    )
    def intercept(self, g: Board, u: Unit) -> Out:
        self.unit = u
        self.fired = (*self.fired, g.place[u])
        return Goto("pick")

    @auto("9.11")
    def nobody(self, g: Board) -> Out:
        return Goto("done")

    pick = Choice("side", "9.11", "Choose the armor unit to fire at.", when=lambda p, g: len(p.armor(g)) > 1)

    @pick.verb(
        "fire_at",
        legal=lambda p, g: p.armor(g),
        why_not=lambda p, g, u: None if u in p.armor(g) else Refusal("9.11", f"{g.name(u)} is no armor that moves"),
    )
    def at_unit(self, g: Board, u: Unit) -> Out:
        self.aim = u
        return None

    @auto("9.11")
    def fire(self, g: Board) -> Out:
        if self.aim < 0:
            self.aim = self.armor(g)[0]
        shoot(g, self.unit, self.aim, "intercepts")
        return None if g.on_map(self.aim) else Goto("next")

    answer = Choice("mover", "9.11", "Halt and return fire, or move on.", passing=Goto("next"))

    @answer.verb("return_fire", why_not=lambda p, g: why_not_return(g, p.aim))
    def back(self, g: Board) -> Out:
        self.halted = (*self.halted, self.aim)
        shoot(g, self.aim, self.unit, "returns fire at")
        return None

    @auto("9.11")
    def next(self, g: Board) -> Out:
        self.unit = self.aim = -1
        return Goto("declare")

    @auto("9.11")
    def done(self, g: Board) -> Out:
        return Return((self.fired, self.halted))


def why_not_return(g: Board, u: Unit) -> Refusal | None:
    return None if white_dots(g, u) > 0 else Refusal("9.11", f"{g.name(u)} has no white dots to return fire with")


def shoot(g: Board, u: Unit, target: Unit, does: str) -> None:
    """9.11 A die at or below the white dots costs the target a step."""
    dots, die = intercept_dots(g, u), g.die()
    hit = die <= dots
    word = "hits" if hit else "misses"
    g.tell(
        f"{g.name(u)} {does} {g.name(target)} with {dots} white dots: {die}, it {word}",
        "9.11", unit=g.id(u), target=g.id(target), die=die,
    )  # fmt: skip
    if hit:
        g.lose_step(target, "9.11")
