"""Plans: what formations are to do in a turn, as changes of the numbers by which the program of the game plays."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple, Protocol

from kessel.bots.program import Program
from kessel.bots.weights import Changes
from kessel.core.board import Board

WHOLE_SIDE = ""
"""Stands for all formations."""
USUAL = "usual"
"""The script of an order that says outright what the program would do anyway: trials need not find it out again."""


class Order(NamedTuple):
    """What one formation, or the whole side, is to do."""

    formation: str
    script: str
    changes: tuple[tuple[str, float], ...]
    words: str
    """A sentence without its full stop: `62A holds what it has`."""


Plan = tuple[Order, ...]
PLAIN: Plan = ()
"""No orders: the program does what it always does."""


class Domain(Protocol):
    """What a game tells the search."""

    @property
    def program(self) -> type[Program[Any]]:
        """Carries out plans."""

    @property
    def model(self) -> type[Program[Any]]:
        """Plays both sides in trials; it takes the same orders."""

    @property
    def least(self) -> float:
        """What a plan must lead by to be worth a change, in Victory Points."""

    @property
    def ahead(self) -> int:
        """How many moments further a trial goes."""

    def effort(self, g: Board) -> float:
        """How many times the usual number of trials a plan is worth here."""

    def moment(self, g: Board, side: int) -> Hashable | None:
        """What names the moment at which a plan is made: a player turn, an impulse; None where none is made."""

    def holds(self, g: Board, side: int) -> bool:
        """Whether the plan is for this decision; in the others the program does what it always does."""

    def orders(self, g: Board, side: int) -> list[Order]:
        """Orders worth trying, the most promising first."""

    def evaluate(self, g: Board, side: int) -> float:
        """How good a position is for a side; in Victory Points."""

    def worth(self, g: Board, side: int) -> float:
        """The same by weights fitted on games of the arena, where there are any."""


def orders_of(plan: Plan) -> dict[Hashable, Changes]:
    """The plan as a program takes it. An order for all stands under None."""
    return {(o.formation or None): dict(o.changes) for o in plan}


def join(plans: list[Plan]) -> Plan:
    """The orders of several plans, the first for each formation; an order for the whole side goes with no other."""
    found: dict[str, Order] = {}
    for plan in plans:
        for order in plan:
            if WHOLE_SIDE not in found and (order.formation != WHOLE_SIDE or not found):
                found.setdefault(order.formation, order)
    return tuple(found.values())
