"""9.0 The Movement Phase."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, Call, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.korsun44.board import GERMAN, GUEST, MOVED, SOVIET, Board
from kessel.games.korsun44.data.forces import PARTISANS
from kessel.games.korsun44.movement.extension import ExtendedMove, why_not_extend
from kessel.games.korsun44.movement.groups import bound_units, group_of
from kessel.games.korsun44.movement.movement import Move, free_to_move, why_not_move
from kessel.games.korsun44.movement.rail import go_by_rail, rail_moves, why_not_rail_to
from kessel.games.korsun44.movement.reserve import ReserveDeclaration
from kessel.games.korsun44.movement.stacking import Overstacked, too_many
from kessel.games.korsun44.movement.trucks import give_trucks, truck_choices, why_not_truck
from kessel.games.korsun44.special.breakout import is_last_soviet_turn
from kessel.games.korsun44.special.partisans import go_home, why_not_go_home
from kessel.games.korsun44.supply.rail import clear_rail_markers
from kessel.games.korsun44.supply.stage import end_of_movement
from kessel.games.korsun44.turn.replacements import spend_at_once
from kessel.games.korsun44.units.alarms import (
    alarm_in,
    conversions,
    convert,
    turn_over,
    turnable,
    why_not_convert,
    why_not_turn_over,
)
from kessel.games.korsun44.units.breakdown import (
    all_breakdowns,
    break_down,
    broken_down,
    may_recombine,
    recombine,
    why_not_break_down,
    why_not_recombine,
)
from kessel.games.korsun44.units.extension import extend
from kessel.games.korsun44.units.strength import extended_pairs, is_cadre, is_extended, whole_of


def _why_not_go(g: Board, u: Unit) -> Refusal | None:
    """Why a unit and those that stay with it may not move; of an extended division one counter is enough."""
    if is_extended(g, u):
        return why_not_move(g, whole_of(g, u)) and why_not_move(g, g.forces.extension[whole_of(g, u)])
    return next((why for v in group_of(g, u) if (why := why_not_move(g, v))), None)


def _movers(g: Board, side: Side) -> list[Unit]:
    """Who may move, with those that stay with it."""
    free, bound, pairs = free_to_move(g, side), bound_units(g), extended_pairs(g, side)
    stuck = [u for u in bound.intersection(free) if not all(v in free for v in group_of(g, u))]
    found = [u for u in free if u not in stuck] if stuck else free
    if not pairs:
        return found
    whole = set(found).difference(*pairs)
    return sorted(whole.union(*(pair for pair in pairs if pair[0] in free or pair[1] in free)))


def _extendible(g: Board) -> list[Unit]:
    """4.7 The Soviet divisions that may begin to extend."""
    marker, place = g.forces.extension, g.place
    able = (u for u in free_to_move(g, SOVIET) if marker[u] != NO_UNIT and place[marker[u]] == NOWHERE)
    return [u for u in able if g.steps[u] > 1 or not is_cadre(g, u)]


@dataclass(slots=True)
class MovementPhase(Procedure):
    """3.2.E3, 3.2.F3 Reserves are declared, then units move one after the other."""

    side: int
    broken: tuple[int, ...] = ()
    joined: tuple[int, ...] = ()
    """4.6 Units that have broken down in this phase, and those that were made whole: each does so once."""

    @auto("9.0")
    def begin(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        g.clear_flags(GUEST, self.side)
        if self.side == GERMAN:
            clear_rail_markers(g)
        return None

    @auto("9.6")
    def reserves(self, g: Board) -> Out:
        return None if is_last_soviet_turn(g) else ReserveDeclaration(self.side)

    def why_not_move(self, g: Board, u: Unit) -> Refusal | None:
        if g.forces.side[u] != self.side:
            return Refusal("9.0", f"{g.name(u)} is not a unit of the phasing player")
        return _why_not_go(g, u)

    pick = Choice(
        "side",
        "9.0",
        "Choose a unit to move, or end the Movement Phase.",
        passing=None,
        notice=lambda p, g: too_many(g, p.side),
    )

    @pick.verb("move", legal=lambda p, g: _movers(g, p.side), why_not=why_not_move)
    def move(self, g: Board, u: Unit) -> Out:
        if is_extended(g, u):
            return Call(ExtendedMove(self.side, whole_of(g, u)), again=True)
        return Call(Move(self.side, group_of(g, u)), again=True)

    @pick.verb(
        "rail",
        legal=lambda p, g: rail_moves(g) if p.side == GERMAN else (),
        why_not=lambda p, g, u, h: why_not_rail_to(g, u, h) if p.side == GERMAN else NOT_NOW,
    )
    def rail(self, g: Board, u: Unit, h: Hex) -> Out:
        go_by_rail(g, u, h)
        return AGAIN

    @pick.verb("extend", legal=lambda p, g: p.extendible(g), why_not=lambda p, g, u: p.why_not_extend(g, u))
    def extend(self, g: Board, u: Unit) -> Out:
        extend(g, u)
        return Call(ExtendedMove(self.side, u), again=True)

    def extendible(self, g: Board) -> list[Unit]:
        return _extendible(g) if self.side == SOVIET else []

    def why_not_extend(self, g: Board, u: Unit) -> Refusal | None:
        return why_not_extend(g, u) if self.side == SOVIET else Refusal("4.7", "only Soviet divisions extend")

    @pick.verb(
        "break_down",
        legal=lambda p, g: p.breakdowns(g),
        why_not=lambda p, g, u, given: p.why_not_break_down(g, u, given),
    )
    def break_down(self, g: Board, u: Unit, given: tuple[str, ...]) -> Out:
        break_down(g, u, given)
        self.broken = (*self.broken, u)
        return AGAIN

    def breakdowns(self, g: Board) -> tuple[tuple[Unit, tuple[str, ...]], ...]:
        """The units that may break down, and how."""
        found = all_breakdowns(g, self.side)
        again = set(self.broken).intersection(g.on_the_map(self.side))
        return tuple(one for one in found if one[0] not in again) if again else found

    def why_not_break_down(self, g: Board, u: Unit, given: tuple[str, ...]) -> Refusal | None:
        if g.forces.side[u] != self.side:
            return Refusal("4.6", f"{g.name(u)} is not yours")
        if u in self.broken:
            return Refusal("4.6", f"{g.name(u)} broke down in this phase")
        return why_not_break_down(g, u, given)

    @pick.verb("recombine", legal=lambda p, g: p.wholes(g), why_not=lambda p, g, u: p.why_not_recombine(g, u))
    def recombine(self, g: Board, u: Unit) -> Out:
        recombine(g, u)
        self.joined = (*self.joined, u)
        return AGAIN

    def wholes(self, g: Board) -> list[Unit]:
        """Units whose parts are on the map and may become one again."""
        return [u for u in broken_down(g, self.side) if u not in self.joined and may_recombine(g, u)]

    def why_not_recombine(self, g: Board, u: Unit) -> Refusal | None:
        if g.forces.side[u] != self.side:
            return Refusal("4.6", f"{g.name(u)} is not yours")
        if u in self.joined:
            return Refusal("4.6", f"{g.name(u)} was made whole in this phase")
        return why_not_recombine(g, u)

    @pick.verb(
        "turn_over",
        legal=lambda p, g: turnable(g) if p.side == GERMAN else (),
        why_not=lambda p, g, h: p.why_not_turn_over(g, h),
    )
    def turn_over(self, g: Board, h: Hex) -> Out:
        turn_over(g, alarm_in(g, h), "4.8.2")
        return AGAIN

    def why_not_turn_over(self, g: Board, h: Hex) -> Refusal | None:
        if self.side != GERMAN:
            return Refusal("4.8.2", "the German player turns alarm units over")
        return why_not_turn_over(g, h)

    @pick.verb(
        "convert_alarm",
        legal=lambda p, g: conversions(g) if p.side == GERMAN else (),
        why_not=lambda p, g, h, korps: why_not_convert(g, h, korps) if p.side == GERMAN else NOT_NOW,
    )
    def convert_alarm(self, g: Board, h: Hex, korps: str) -> Out:
        convert(g, h, korps)
        now = spend_at_once(g, korps)
        return AGAIN if now is None else Call(now, again=True)

    @pick.verb(
        "truck",
        legal=lambda p, g: truck_choices(g, p.side),
        why_not=lambda p, g, s, u: why_not_truck(g, p.side, s, u),
    )
    def truck(self, g: Board, s: Unit, u: Unit) -> Out:
        give_trucks(g, s, u)
        return AGAIN

    @pick.verb(
        "go_home",
        among=lambda p, g: [u for u in g.forces.of_role[SOVIET][PARTISANS] if g.on_map(u)] if p.side == SOVIET else (),
        why_not=lambda p, g, u: why_not_go_home(g, p.side, u),
    )
    def go_home(self, g: Board, u: Unit) -> Out:
        go_home(g, u)
        return AGAIN

    @auto("13.1.2")
    def rails(self, g: Board) -> Out:
        end_of_movement(g, self.side)
        return None

    @auto("11.1.2")
    def stacking(self, g: Board) -> Out:
        return Overstacked(self.side)

    @auto("9.0")
    def end(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        return None
