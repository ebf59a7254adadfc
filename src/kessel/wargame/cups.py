"""Cups: chits drawn blind and put back, as a column of the board that says where each chit lies.

A cup has no order: a draw picks one of the chits left, with the dice. What a chit says, and which of its columns or
sides is read, is the rule's business.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TypeAlias

from kessel.core.board import Board

IN_CUP = 0
"""Where a chit lies that can be drawn; every other number is the game's."""
Column: TypeAlias = "bytearray | array[int]"
Chit: TypeAlias = int


def left(cup: Column, among: Iterable[Chit] | None = None) -> list[Chit]:
    """The chits that can be drawn, in ascending order."""
    return [c for c in (range(len(cup)) if among is None else among) if cup[c] == IN_CUP]


def draw(g: Board, cup: Column, to: int, among: Iterable[Chit] | None = None, *, secret: bool = False) -> Chit:
    """Draw one of the chits left and lay it there; -1 if the cup is empty. `secret`: not all may see what it is."""
    found = left(cup, among)
    if not found:
        return -1
    chit = found[g.dice.pick(len(found), secret=secret)]
    cup[chit] = to
    g.cache.clear()
    return chit


def put_back(g: Board, cup: Column, chits: Iterable[Chit] | None = None, *, lying: int | None = None) -> None:
    """Put these chits back into the cup; or all that lie in one place; or all."""
    for c in range(len(cup)) if chits is None else chits:
        if lying is None or cup[c] == lying:
            cup[c] = IN_CUP
    g.cache.clear()


def mix_unseen(g: Board, cup: Column, unseen: Iterable[Chit]) -> None:
    """Deal out anew what some chits are that a side has not seen: their places are exchanged among them at random, so
    that nothing of where they lay is left."""
    chits = sorted(unseen)
    places = sorted(cup[c] for c in chits)
    for i in range(len(places) - 1, 0, -1):
        k = g.dice.pick(i + 1)
        places[i], places[k] = places[k], places[i]
    for c, place in zip(chits, places, strict=True):
        cup[c] = place
    g.cache.clear()
