"""Exact odds: how likely each result is, from the rule's own table or by playing every fall of the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar

from kessel.core.board import Board
from kessel.core.procedure import Action, outcomes

T = TypeVar("T", bound=Hashable)


def by_dice(result: Callable[..., T], *sides: int) -> dict[T, Fraction]:
    """The chances of what a rule makes of dice with so many sides, in the order they first come up.

    >>> by_dice(lambda a, b: a + b >= 11, 6, 6)
    {False: Fraction(11, 12), True: Fraction(1, 12)}
    """
    found: dict[T, Fraction] = {}
    weight = Fraction(1)
    for n in sides:
        weight /= n
    for dice in product(*(range(1, n + 1) for n in sides)):
        one = result(*dice)
        found[one] = found.get(one, Fraction(0)) + weight
    return found


def out_of(results: Sequence[str]) -> dict[str, str]:
    """How often each of some equally likely results comes up: `{"DRG": "2/6"}`."""
    return {one: f"{n}/{len(results)}" for one, n in Counter(results).items()}


def by_play(g: Board, action: Action, result: Callable[[Any], T], most: int = 1_000_000) -> dict[T, Fraction]:
    """The same by carrying out the action with every fall of the dice: slow, and the check of all quicker ways."""
    found: dict[T, Fraction] = {}
    for weight, _, after in outcomes(g, action, most):
        one = result(after)
        found[one] = found.get(one, Fraction(0)) + weight
    return found


def chances(found: Mapping[T, Fraction], word: Callable[[T], str] = str) -> list[dict[str, Any]]:
    """As an answer tells them; they add up to one."""
    return [
        {"result": word(one), "chance": f"{p.numerator}/{p.denominator}", "probability": round(float(p), 6)}
        for one, p in found.items()
    ]
