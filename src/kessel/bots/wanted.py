"""Attacks that a plan would still make: to be named before a phase is ended in which nobody made them.

The quick program of the game weighs them as it would play; only those it likes and that can be begun now are named.
"""

from __future__ import annotations

import msgspec

from kessel.bots import has_level, levels, player
from kessel.bots.program import Program
from kessel.bots.purpose import place_words, some_of
from kessel.core.board import Board
from kessel.core.procedure import Action, asked, options
from kessel.core.title import Title
from kessel.wargame.plans import stands_at

QUICK = "greedy"
MOST = 3
ATTACK = "attack"
"""A verb that begins or declares an attack in every game that has it."""


class Wanted(msgspec.Struct, omit_defaults=True):
    """An attack as it would be made."""

    says: str
    do: str
    """The action that begins it."""
    hex: str
    units: list[str] = []
    at: str = ""
    """How it would stand, in a word."""


def wanted(t: Title, g: Board) -> list[Wanted]:
    """The best of them; `g` is what the side that is asked may know, and is left as it is."""
    program = player(t.id, QUICK if has_level(t.id, QUICK) else levels(t.id)[-1])
    if not isinstance(program, Program):
        return []
    listed = options(g)
    program.choose(t, g, asked(g))
    found: list[Wanted] = []
    for w in sorted(program.weighed(), key=lambda w: -w.worth):
        action = w.action
        if w.worth <= 0 or action[0] not in {ATTACK, *t.opens} or not listed.allows(action):
            continue
        target = t.notation.parts(g, action).get("hex", "")
        if target and target not in (one.hex for one in found):
            found.append(_told(t, g, action, target))
        if len(found) == MOST:
            break
    return found


def _told(t: Title, g: Board, action: Action, target: str) -> Wanted:
    made = t.plan(g, action) or [action]
    parts = [t.notation.parts(g, a) for a in made]
    units = [u for p in parts for u in ([p["unit"]] if "unit" in p else p.get("units", ()))]
    at = stands_at(t, g, made)
    where = place_words(g, g.map.place(target))
    names = [g.name(g.forces.unit(u)) for u in units]
    says = f"{where}{f' at {at}' if at else ''}{f' with {some_of(names)}' if names else ''}"
    return Wanted(says, t.notation.text(g, action), target, units, at)
