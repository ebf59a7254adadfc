"""9.6-9.8 Reserves and night withdrawal."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, fact, nearby
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, Call, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import BROKE_THROUGH, DISORDER, GERMAN, MOVED, NEXT, OUT, RESERVE, Board
from kessel.games.korsun44.combat.entering import Entering
from kessel.games.korsun44.data.forces import FIXED, PARTISANS
from kessel.games.korsun44.engineering.bridges import bridge_holds
from kessel.games.korsun44.movement.costs import TACTICAL, kind_of, prices
from kessel.games.korsun44.movement.extension import ExtendedMove
from kessel.games.korsun44.movement.groups import bound_units, group_of
from kessel.games.korsun44.movement.movement import Move, free_to_move, next_to, why_not_move
from kessel.games.korsun44.movement.stacking import too_many, why_not_stack
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.special.stand_fast import keeping_the_front, why_not_leave
from kessel.games.korsun44.supply.stage import is_supplied
from kessel.games.korsun44.units.strength import extended_pairs, is_extended, whole_of


def why_not_reserve(g: Board, u: Unit, side: int) -> Refusal | None:
    """9.6 Why a unit may not be placed in Reserve."""
    if g.forces.side[u] != side:
        return Refusal("9.6", f"{g.name(u)} is not yours")
    if g.status[u] & RESERVE:
        return Refusal("9.6", f"{g.name(u)} is in Reserve already")
    if why := why_not_move(g, u):
        return why
    if g.forces.role[u] == PARTISANS:
        return Refusal("18.1.2", "partisans cannot be placed in reserve")
    if g.map.grid.near[g.place[u]] & g.hexes_of(1 - side):
        return Refusal("9.6", f"{g.name(u)} is next to an enemy unit")
    if not is_supplied(g, u):
        return Refusal("9.6", f"{g.name(u)} is out of supply")
    return None


def why_not_reserve_all(g: Board, u: Unit, side: int) -> Refusal | None:
    return next((why for v in both_counters(g, u) if (why := why_not_reserve(g, v, side))), None)


def _for_reserve(g: Board, side: int) -> list[Unit]:
    """Who may be placed in Reserve, with those that stay with it."""
    status, place, role, beside = g.status, g.place, g.forces.role, next_to(g, 1 - side)
    free = [u for u in free_to_move(g, side) if not status[u] & OUT and role[u] != PARTISANS]
    able = [u for u in free if not beside >> place[u] & 1]
    bound = bound_units(g).union(*extended_pairs(g, side))
    return [u for u in able if u not in bound or all(v in able for v in both_counters(g, u))]


def both_counters(g: Board, u: Unit) -> tuple[Unit, ...]:
    """A unit, those that always stay with it, and the other counter of an extended division."""
    if not is_extended(g, u):
        return group_of(g, u)
    whole = whole_of(g, u)
    return (*group_of(g, whole), g.forces.extension[whole])


@dataclass(slots=True)
class ReserveDeclaration(Procedure):
    """9.6 Units are placed in Reserve: they move later, in the Combat Phase."""

    side: int

    pick = Choice("side", "9.6", "Place a unit in Reserve, or place no more in Reserve.", passing=None)

    @pick.verb(
        "reserve",
        legal=lambda p, g: _for_reserve(g, p.side),
        why_not=lambda p, g, u: why_not_reserve_all(g, u, p.side),
    )
    def reserve(self, g: Board, u: Unit) -> Out:
        for v in both_counters(g, u):
            g.set_status(v, RESERVE)
        g.tell(f"{g.name(u)} is in Reserve", "9.6", unit=g.id(u))
        return AGAIN


@dataclass(slots=True)
class ReserveMovement(Procedure):
    """9.7 Units in Reserve move with a lower allowance; markers stay on those next to the enemy."""

    side: int

    @auto("9.7")
    def begin(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        return None

    pick = Choice(
        "side", "9.7", "Move a unit in Reserve, or end reserve movement.", passing=None,
        notice=lambda p, g: too_many(g, p.side),
    )  # fmt: skip

    @pick.verb(
        "move",
        among=lambda p, g: [u for u in g.on_the_map(p.side) if g.status[u] & RESERVE],
        why_not=lambda p, g, u: (
            Refusal("9.7", f"{g.name(u)} is not yours") if g.forces.side[u] != p.side else why_not_move(g, u, True)
        ),
    )
    def move(self, g: Board, u: Unit) -> Out:
        if is_extended(g, u):
            return Call(ExtendedMove(self.side, whole_of(g, u), reserve=True), again=True)
        return Call(Move(self.side, group_of(g, u), reserve=True), again=True)

    @auto("9.7")
    def end(self, g: Board) -> Out:
        for u in g.on_the_map(self.side):
            if g.status[u] & RESERVE and not g.map.grid.near[g.place[u]] & g.hexes_of(1 - self.side):
                g.set_status(u, RESERVE, on=False)
        g.clear_flags(MOVED)
        return None


# --- 9.8 night withdrawal ------------------------------------------------------------------------------------------


@fact(GAME)
def german_armor(g: Board) -> list[bool]:
    """9.8, 12.1.2 By unit: whether it is German armor."""
    return [side == GERMAN and bool(armor) for side, armor in zip(g.forces.side, g.forces.armor, strict=True)]


def why_not_withdraw(g: Board, u: Unit) -> Refusal | None:
    """9.8 Why a German armor unit may not withdraw at all."""
    if g.forces.side[u] != GERMAN or not g.forces.armor[u] or g.forces.move[u] == FIXED:
        return Refusal("9.8", f"{g.name(u)} is not German armor")
    if not g.on_map(u):
        return Refusal("9.8", f"{g.name(u)} is not on the map")
    if g.status[u] & DISORDER:
        return Refusal("12.17.2", f"{g.name(u)} is Disorganized or in Regroup")
    if g.status[u] & BROKE_THROUGH:
        return Refusal("9.8", f"{g.name(u)} took part in breakthrough movement or combat")
    return Refusal("9.8", f"{g.name(u)} has withdrawn") if g.status[u] & MOVED else None


def why_not_withdraw_to(g: Board, u: Unit, h: Hex) -> Refusal | None:
    return why_not_withdraw(g, u) or _why_not_enter(g, u, h) or why_not_leave(g, u, h)


def _why_not_enter(g: Board, u: Unit, h: Hex) -> Refusal | None:
    here, grid = g.place[u], g.map.grid
    if not grid.adjacent(here, h):
        return Refusal("9.8", "a withdrawal is one hex")
    if not g.playable >> h & 1:
        return Refusal("9.10.5", "units may not move off the map")
    if g.enemies_in(h, GERMAN):
        return Refusal("9.10.4", f"an enemy unit is in {g.hex_name(h)}")
    step = prices(g, GERMAN, kind_of(g, u, TACTICAL), False).step(here, grid.direction(here, h))
    if isinstance(step, Refusal):
        return step
    if zone_of(g, 1 - GERMAN) >> h & 1:
        return Refusal("9.8", f"{g.hex_name(h)} is in a Soviet ZOC or ZOI")
    return why_not_stack(g, GERMAN, h, (u,))


def withdrawals(g: Board) -> list[tuple[Unit, Hex]]:
    return keeping_the_front(g, _steps_back(g, GERMAN))


@nearby(NEXT, 2, of=german_armor)
def _steps_back(g: Board, side: int, u: Unit) -> tuple[Hex, ...]:
    """Where each unit may withdraw to, its front aside."""
    if why_not_withdraw(g, u):
        return ()
    free = g.playable & ~g.hexes_of(1 - GERMAN) & ~zone_of(g, 1 - GERMAN)
    steps = prices(g, GERMAN, kind_of(g, u, TACTICAL), False).steps(g.place[u])
    return tuple(h for _, h, _ in steps if free >> h & 1 and why_not_stack(g, GERMAN, h, (u,)) is None)


@dataclass(slots=True)
class NightWithdrawal(Procedure):
    """9.8 German armor steps back a hex out of Soviet zones."""

    side: int

    pick = Choice("side", "9.8", "Withdraw an armor unit by a hex, or end withdrawals.", passing=None)

    @pick.verb("withdraw", legal=lambda p, g: withdrawals(g), why_not=lambda p, g, u, h: why_not_withdraw_to(g, u, h))
    def withdraw(self, g: Board, u: Unit, h: Hex) -> Out:
        a = g.place[u]
        if not bridge_holds(g, (u,), a, h):
            return AGAIN
        g.tell_way(u, "withdraws to", (h,), "9.8")
        g.put(u, h)
        g.set_status(u, MOVED)
        return Call(Entering(GERMAN, (u,), a, h, False), again=True)

    @auto("9.8")
    def end(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        return None
