"""9.2 What a movement method is, and how a unit checked by it finds its hex.

A method answers with orders, tried one after the other: `Go` to one of these hexes, with these preferences; `Stay`, by
this and every later method. No order: the method has nothing to say about the unit.

`end_of` turns a `Go` into a hex (9.23-9.25): among the hexes that meet the method and are not forbidden, the method's
preferences and then the tiebreakers make a provisional choice. If that hex is beside a German unit, the tactical
preferences come first, for all hexes of the method beside German units and for every other hex the unit can reach
beside the German units touched (O14: or for the hexes of the method alone).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.movement.movement import REGULAR, reach_of
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.system.terms.choosing import Choice, Preference, choose
from kessel.games.kharkov43.system.terms.preferences import tactical_preferences, tiebreakers
from kessel.games.kharkov43.system.terms.restrictions import why_not_permitted
from kessel.games.kharkov43.system.terms.terminology import beside, beside_germans, germans_beside
from kessel.games.kharkov43.system.trace import Tried

UP, DOWN = "ascending", "descending"
Why = Callable[[Hex], Refusal | None]


@dataclass(slots=True)
class Go:
    """Move to one of these hexes."""

    hexes: Bits
    prefer: tuple[Preference, ...] = ()
    require: Why | None = None
    """What the method asks of the end hex beyond `hexes`: asked only of the hex it would be."""
    what: str = ""
    shift: bool = True
    """Whether 9.25 may change the hex (O1: not when a VP hex is taken)."""
    tactical: bool = False
    """Whether 9.25 chooses among these hexes alone, where it may not change the hex (O11)."""


@dataclass(frozen=True, slots=True)
class Stay:
    """Do not move by this or any later method. `review`: the unit may still be shifted by 9.25."""

    rule: str
    reason: str
    review: bool = False
    germans: Bits = 0
    """The German units the order speaks of (O4)."""
    prefer: tuple[Preference, ...] = ()
    """The preferences of the method: what 9.25 leaves open they decide (A31)."""


Order = Go | Stay


class Check:
    """One unit being checked."""

    __slots__ = ("ends", "front", "g", "start", "unit", "will_clear")

    def __init__(self, g: Board, unit: Unit, front: str, will_clear: Callable[[Hex], bool] | None = None) -> None:
        self.g, self.unit, self.start = g, unit, g.place[unit]
        self.front = front
        """The active front."""
        self.will_clear = will_clear
        """10.4 Whether an overstacked hex will be cured by units that are sure to leave it."""
        self.ends: Bits = reach_of(g, unit, REGULAR).hexes & ~(1 << self.start)
        """The hexes the unit can get to, its own left out."""

    def why_not(self, h: Hex) -> Refusal | None:
        """10.4 and 9.23: what forbids ending the move in h."""
        full = why_not_fit(self.g, h, [self.unit])
        if full is not None and (self.will_clear is None or not self.will_clear(h)):
            return full
        return why_not_permitted(self.g, self.unit, h)


class Method(NamedTuple):
    number: str
    """As the book counts: `9.21.4`."""
    name: str
    order: str
    orders: Callable[[Check], tuple[Order, ...]]
    skip: Callable[[Board, str], Refusal | None] | None = None
    """Why the whole method is left out now for that front."""
    spearheads_skip: bool = False

    @property
    def text(self) -> str:
        return _text(self.number, self.name)


def grasp(g: Board, u: Unit) -> Bits:
    """The hexes a unit of the Soviets is in or may get to by any method: by infiltration too, one hex away."""
    near = g.map.grid.near[g.place[u]]
    return reach_of(g, u, REGULAR).hexes | 1 << g.place[u] | near & g.ground.towns


Near = Callable[[Board, str], Bits]
Orders = Callable[[Check], tuple[Order, ...]]
_near: dict[Orders, Near] = {}


def concerns(near: Near) -> Callable[[Orders], Orders]:
    """The method below says nothing of a unit that is in none of these hexes and gets to none of them, whoever it is.

    What a unit can get to is the same for all methods, so that most checks of a unit are one intersection.
    """

    def mark(orders: Orders) -> Orders:
        _near[orders] = near
        return orders

    return mark


def concerned(g: Board, m: Method, front: str) -> Bits:
    """The hexes of which a unit must get to one for the method to be asked of it; all if it is asked of any unit."""
    near = _near.get(m.orders)
    return -1 if near is None else near(g, front)


@cache
def _text(number: str, name: str) -> str:
    chapter, section, *n = number.split(".")
    return f"{chapter}.{section}{' method ' + n[0] if n else ''}, {name}"


def end_of(c: Check, go: Go) -> Tried:
    """The hex a unit ordered to go ends in; NO_HEX if every candidate is forbidden."""
    g, u = c.g, c.unit
    if not go.hexes:
        return Tried(go.what, Choice(0))

    def why_not(h: Hex) -> Refusal | None:
        return (go.require(h) if go.require is not None else None) or c.why_not(h)

    first = choose(go.hexes, chain(go.prefer, tiebreakers(g, u)), why_not)
    tried = Tried(go.what, first)
    if first.hex == NO_HEX or not (go.shift or go.tactical) or not beside_germans(g) >> first.hex & 1:
        return tried
    around = c.ends & beside(g, germans_beside(g, first.hex))
    if not go.shift or g.reads("tactical_hexes") == "of_the_method":
        around = 0

    def why_not_beside(h: Hex) -> Refusal | None:
        return c.why_not(h) if around >> h & 1 else why_not(h)

    wide = go.hexes & beside_germans(g) | around
    tried.shift = choose(wide, chain(tactical_preferences(g, u), go.prefer, tiebreakers(g, u)), why_not_beside)
    return tried


def review_stay(c: Check, stay: Stay) -> Choice | None:
    """9.25 for a unit told to stay beside German units: a more preferred hex beside them, or None."""
    g, u = c.g, c.unit
    touched = germans_beside(g, c.start)
    if stay.germans and g.reads("stay_then_shift") == "that_german":
        touched &= stay.germans
    if not stay.review or not touched:
        return None
    here = 1 << c.start
    where_it_is = Preference("9.25", "where it is", lambda s: s & here)
    found = choose(
        c.ends & beside(g, touched) | here,
        chain(tactical_preferences(g, u), (where_it_is,), stay.prefer, tiebreakers(g, u)),
        lambda h: None if h == c.start else c.why_not(h),
    )
    return found if found.hex != c.start else None
