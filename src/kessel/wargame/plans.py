"""The best group for an attack: all that may join it, without those that change nothing.

It is found by playing the attack on a copy and asking for its preview, so no game needs code of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kessel.core.board import Board
from kessel.core.dice import NeedRoll, Scripted
from kessel.core.procedure import Action, asked, options, push
from kessel.core.title import Title

MOST = 24
TOLD = ("column", "odds", "ratio", "chits", "chances", "results")
"""What of a preview tells how an attack stands."""


def attack_plan(t: Title, g: Board, action: Action) -> list[Action]:
    """The action and those that bring the group together; [] where it opens no such choice."""
    joins = _joins(t, _after(g, [action]), asked(g))
    group: list[Action] = []
    while joins and len(group) < MOST:
        group.append(joins[0])
        joins = _joins(t, _after(g, [action, *group]), asked(g))
    full = _stands(t, g, action, group)
    if full:
        for one in list(group)[::-1]:
            fewer = [a for a in group if a != one]
            if fewer and _stands(t, g, action, fewer) == full:
                group = fewer
    return [action, *group] if group else []


def _after(g: Board, actions: Sequence[Action]) -> Board | None:
    """The position after these actions; None where one of them rolls a die or is not listed."""
    h = g.copy()
    h.dice = Scripted(())
    try:
        for action in actions:
            if not options(h).allows(action):
                return None
            push(h, action)
    except NeedRoll:
        return None
    return h


def _joins(t: Title, h: Board | None, side: int) -> list[Action]:
    """The actions with which one more unit joins."""
    if h is None or asked(h) != side:
        return []
    return [a for a in options(h) if a[0] in t.joins]


def _stands(t: Title, g: Board, action: Action, group: Sequence[Action]) -> dict[str, Any]:
    """How the attack stands with this group, as its preview tells."""
    h = _after(g, [action, *group[:-1]]) if group else None
    if h is None:
        return {}
    doc = t.preview(h, group[-1])
    return {key: doc[key] for key in TOLD if key in doc}
