"""9.2 Soviet movement: which methods are in effect, in which order units are checked, and the moves themselves.

9.21, 9.22  methods_a, methods_b        every method for all units before the next
9.23        restrictions
9.24, 9.25  preferences                 tiebreakers, tactical preferences
9.26        methods_army                unit by unit, after the units of 9.21 and 9.22
9.27        methods_unsupplied          unit by unit, last of all
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.games.kharkov43.board import ACTIVE, DISPERSED, MOVED, STAYED, Board
from kessel.games.kharkov43.data.forces import SOVIET
from kessel.games.kharkov43.movement.arrival import enter_hex, leave_hex, pass_hex
from kessel.games.kharkov43.movement.movement import soviet_reaches
from kessel.games.kharkov43.movement.stacking import is_overstacked, overstacked, why_not_fit
from kessel.games.kharkov43.supply.supply import can_unit_trace
from kessel.games.kharkov43.system.methods.methods import (
    DOWN,
    UP,
    Check,
    Go,
    Method,
    Order,
    Stay,
    concerned,
    end_of,
    grasp,
    review_stay,
)
from kessel.games.kharkov43.system.methods.methods_a import METHODS_A, why_not_for_spearhead
from kessel.games.kharkov43.system.methods.methods_army import METHODS_ARMY, has_army_objective
from kessel.games.kharkov43.system.methods.methods_b import methods_b
from kessel.games.kharkov43.system.methods.methods_unsupplied import METHODS_UNSUPPLIED, why_not_move_unsupplied
from kessel.games.kharkov43.system.terms.arrows import arrow_moves
from kessel.games.kharkov43.system.trace import Considered, MovementTrace, Tried, unit_text
from kessel.games.kharkov43.turn.victory import is_decided

ALONG_ARROWS = ("9.21.10", "9.22.10")
SETTLED = MOVED | STAYED | DISPERSED
METHODS_A_UNTIL = 4
"""9.2 Up to this game-turn the methods of 9.21 are used whether or not the objective marker is in play."""


def must_use_methods_a(g: Board, front: str) -> bool:
    return g.turn <= METHODS_A_UNTIL or g.has_objective(front)


def methods_in_effect(g: Board, front: str) -> Iterable[Method]:
    """9.2 Those of 9.21 or of 9.22, in the order they are processed."""
    return METHODS_A if must_use_methods_a(g, front) else methods_b(g)


def may_move(g: Board, u: Unit) -> bool:
    """9.2 An active undispersed unit on the map that has neither moved nor been told not to."""
    return not g.status[u] & SETTLED and g.on_map(u) and g.forces.side[u] == SOVIET


def still_to_move(g: Board, units: list[Unit]) -> list[Unit]:
    """Those of the active Soviet units that may still move."""
    status, place = g.status, g.place
    return [u for u in units if not status[u] & SETTLED and place[u] >= 0]


def in_order(g: Board, order: str, units: Iterable[Unit]) -> list[Unit]:
    return g.ascending(units) if order == UP else g.descending(units)


# --- the movement step ------------------------------------------------------------------------------------------------


def move_active_units(g: Board, front: str, trace: MovementTrace | None = None) -> MovementTrace:
    """9.0 step 2: move the active units on the map."""
    trace = MovementTrace(on=g.events is not None) if trace is None else trace
    movement = _Movement(front, trace)
    active = [u for u in g.active_units() if may_move(g, u)]
    unsupplied = [u for u in active if not g.is_supplied(u)]
    of_army = [u for u in active if g.is_supplied(u) and has_army_objective(g, u)]
    others = [u for u in active if g.is_supplied(u) and not has_army_objective(g, u)]
    movement.by_methods(g, methods_in_effect(g, front), others)
    movement.by_units(g, in_order(g, METHODS_ARMY[0].order, of_army), lambda b, u: _methods_of_army(b, u, front))
    movement.by_units(g, in_order(g, UP, unsupplied), lambda b, u: _methods_for_unsupplied(b, u, front))
    _tell_the_rest(g, trace)
    return trace


def _methods_for_unsupplied(g: Board, u: Unit, front: str) -> Iterable[Method]:
    """9.27 A unit that can trace supply uses the methods in effect for it."""
    if not can_unit_trace(g, u):
        return METHODS_UNSUPPLIED
    return _methods_of_army(g, u, front)


def _methods_of_army(g: Board, u: Unit, front: str) -> Iterable[Method]:
    """9.13 Once its marker is gone, be it a moment ago, an army follows its front's objective."""
    return METHODS_ARMY if has_army_objective(g, u) else methods_in_effect(g, front)


def _tell_the_rest(g: Board, trace: MovementTrace) -> None:
    """Active units that no method moved."""
    if g.events is None or is_decided(g):
        return
    for u in g.ascending(u for u in g.active_units() if g.on_map(u) and not g.status[u] & (MOVED | STAYED)):
        why = "it is dispersed" if g.is_dispersed(u) else "no method applies"
        checks = [c.as_json(g) for c in trace.of(u)]
        g.tell(f"{unit_text(g, u)} does not move: {why}", "9.2", unit=g.id(u), trace=checks)


# --- checking units ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Movement:
    """How units are checked: for which front, and what is remembered of it."""

    front: str
    trace: MovementTrace
    strict: bool = False
    """No overstacking, not even for a moment: while a move is tried out."""
    _known: tuple[object, dict[Unit, Bits]] = (None, {})

    def grasps(self, g: Board) -> dict[Unit, Bits]:
        """What units that have not moved can get to, as far as it was asked: the same for all methods, until a town
        changes hands.
        """
        lasts = soviet_reaches(g)
        if self._known[0] is not lasts:
            self._known = lasts, {}
        return self._known[1]

    def is_over(self, g: Board) -> bool:
        """18.1, 18.2 A unit that has just moved may end the game at once."""
        return not self.strict and is_decided(g)

    def by_methods(self, g: Board, methods: Iterable[Method], who: list[Unit]) -> None:
        """9.2 All eligible units by one method before the next."""
        orders = {order: in_order(g, order, who) for order in (UP, DOWN)}
        for m in methods:
            units = orders[m.order] = still_to_move(g, orders[m.order])
            if not units:
                return
            skip = m.skip(g, self.front) if m.skip is not None else None
            if skip is None or self.trace.on:
                self.one_method(g, m, units, skip)

    def one_method(self, g: Board, m: Method, units: list[Unit], skip: Refusal | None = None) -> None:
        if self.is_over(g):
            return
        near, known, on = concerned(g, m, self.front), self.grasps(g), self.trace.on
        if not (near or on):
            return
        for i, u in enumerate(units):
            asked = near < 0 or _is_concerned(g, u, near, known)
            if not (asked or on):
                continue
            if self.check(g, m, u, partial(_rest_of_method, m, units[i + 1 :]), skip, asked):
                if self.is_over(g):
                    return
                near, known = concerned(g, m, self.front), self.grasps(g)

    def by_units(self, g: Board, units: list[Unit], methods: Callable[[Board, Unit], Iterable[Method]]) -> None:
        """9.26, 9.27 One unit after the other, each by all its methods."""
        for i, u in enumerate(units):
            if self.is_over(g):
                return
            go_on = partial(_rest_of_units, units[i + 1 :], methods)
            stays = None if g.is_supplied(u) else why_not_move_unsupplied(g, u)
            for m in methods(g, u):
                if not may_move(g, u):
                    break
                skip = stays or (m.skip(g, self.front) if m.skip is not None else None)
                asked = _is_concerned(g, u, concerned(g, m, self.front), self.grasps(g))
                self.check(g, m, u, go_on, skip, asked)
                if stays is not None:
                    break

    def check(self, g: Board, m: Method, u: Unit, go_on: GoOn, skip: Refusal | None, asked: bool) -> bool:
        """9.2 One unit by one method, which is not asked where it does not concern the unit; whether it moved or
        was told to stay.
        """
        skipped = skip or (why_not_for_spearhead(g, u) if m.spearheads_skip else None)
        if (skipped is not None or not asked) and not self.trace.on:
            return False
        c = Check(g, u, self.front, None if self.strict else lambda h: self.will_clear(g, u, h, go_on))
        orders = () if skipped is not None or not asked else m.orders(c)
        if not orders and not self.trace.on:
            return False
        return self.follow(c, orders, Considered(u, m.number, m.text, c.start, skipped=skipped))

    def follow(self, c: Check, orders: tuple[Order, ...], considered: Considered) -> bool:
        """Try the method's orders one after the other; whether one of them was carried out."""
        g, u = c.g, c.unit
        self.trace.add(considered)
        for order in orders:
            if isinstance(order, Go):
                tried = end_of(c, order)
                considered.tried.append(tried)
                if tried.end >= 0:
                    self.march(g, u, tried.end, considered)
                    return True
            else:
                self.stay(c, order, considered)
                return True
        return False

    def stay(self, c: Check, order: Stay, considered: Considered) -> None:
        """9.2, 9.25 Told not to move: unless a hex beside the same German units is preferred."""
        g, u = c.g, c.unit
        considered.stays = Refusal(order.rule, order.reason)
        found = review_stay(c, order)
        if found is not None:
            considered.tried.append(Tried("a preferred hex beside the same German unit", found))
            self.march(g, u, found.hex, considered)
            return
        g.set_status(u, STAYED)
        if g.events is not None:
            g.tell(considered.short(g), order.rule, unit=g.id(u), trace=self._story(g, u))

    def march(self, g: Board, u: Unit, h: Hex, considered: Considered) -> None:
        """Put the unit into its end hex, with all that follows."""
        considered.end = h
        if g.events is not None:
            way = {"from": g.hex_name(considered.start), "to": g.hex_name(h)}
            g.tell(considered.short(g), considered.cited, unit=g.id(u), **way, trace=self._story(g, u))
        passed = self.passed(g, u, considered)
        g.move(u, h)
        g.set_status(u, MOVED)
        leave_hex(g, considered.start)
        for p in passed:
            pass_hex(g, p)
        enter_hex(g, u, h)

    def passed(self, g: Board, u: Unit, considered: Considered) -> tuple[Hex, ...]:
        """The hexes entered on the way. Only the arrows prescribe one; of other moves only the end is known."""
        if considered.rule not in ALONG_ARROWS:
            return ()
        found = arrow_moves(g, u, self.front).get(considered.end)
        return found.path[:-1] if found is not None else ()

    def _story(self, g: Board, u: Unit) -> list[dict[str, object]]:
        return [c.as_json(g) for c in self.trace.of(u)]

    def will_clear(self, g: Board, u: Unit, h: Hex, go_on: GoOn) -> bool:
        """10.4 Whether units sure to leave h would cure the overstacking: the rest of the method is tried out.

        Only one hex may be overstacked at a time, so that what was tried out is what happens.
        """
        leaving = [v for v in g.units(h) if g.status[v] & ACTIVE and may_move(g, v)]
        if not leaving or why_not_fit(g, h, [u], leaving) is not None or overstacked(g):
            return False
        x = g.copy()
        x.move(u, h)
        x.set_status(u, MOVED)
        go_on(x, _Movement(self.front, MovementTrace(on=False), strict=True))
        return not is_overstacked(x, h)


def _is_concerned(g: Board, u: Unit, near: Bits, known: dict[Unit, Bits]) -> bool:
    """Whether the unit gets to one of these hexes, or is in it. What it can get to is kept among those known."""
    found = known.get(u)
    if found is None:
        found = known[u] = grasp(g, u)
    return bool(near & found)


GoOn = Callable[[Board, _Movement], None]
"""What is still to be done of a method, or of an army, after the unit being checked."""


def _rest_of_method(m: Method, units: list[Unit], g: Board, movement: _Movement) -> None:
    movement.one_method(g, m, units)


def _rest_of_units(
    units: list[Unit], methods: Callable[[Board, Unit], Iterable[Method]], g: Board, movement: _Movement
) -> None:
    movement.by_units(g, units, methods)
