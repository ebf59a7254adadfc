"""The best group for an attack, and the ways from there to the die: at once, or with all that can help.

They are found by playing listed actions on a copy and asking for previews, so no game needs code of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kessel.core.board import Board
from kessel.core.dice import NeedRoll, Scripted
from kessel.core.procedure import PASS, Action, asked, options, push
from kessel.core.title import BATTLE, Title, Way

MOST = 24
AT = ("column", "odds", "ratio")
"""Where a preview names how an attack stands in a word."""
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


# --- to the die ------------------------------------------------------------------------------------------------------


def ways_to_the_die(t: Title, g: Board, action: Action) -> list[Way]:
    """An attack whose group stands, carried on to its die: with no more help, and with all that is offered. [] where
    nothing is asked on the way, or where the action does not set an attack going."""
    if not (action == PASS or action[0] in t.closes) or not stands_at(t, g, [action]):
        return []
    bare, full = _on(t, g, action, helped=False), _on(t, g, action, helped=True)
    plain, best = ("Attack at once", "Attack with all support")
    if _attacker(t, g) not in (asked(g), -1):
        plain, best = ("Defend without support", "Defend with all support")
    found = [Way(plain, bare, stands_at(t, g, bare))] if len(bare) > 1 else []
    helped = Way(best, full, stands_at(t, g, full))
    return [*found, helped] if len(full) > 1 and helped.at != stands_at(t, g, bare) else found


def ways_to_the_only_fight(t: Title, g: Board) -> list[Way]:
    """Where passing ends the declaring of attacks and only one of them can follow: to its die with the best group."""
    side, h = asked(g), _after(g, [PASS])
    fights = [a for a in options(h) if a[0] in t.opens] if h is not None and asked(h) == side else []
    plan = attack_plan(t, h, fights[0]) if h is not None and len(fights) == 1 else []
    ready = _after(h, plan) if h is not None and plan else None
    if ready is None or asked(ready) != side:
        return []
    closing = next((a for a in options(ready) if a[0] in t.closes), None)
    found = ways_to_the_die(t, ready, closing) if closing is not None else []
    return [Way(way.says, [PASS, *plan, *way.do], way.at) for way in found]


def _fight(t: Title, g: Board) -> int:
    """How deep the innermost fight lies; 0 for none."""
    fights = (n for n, p in enumerate(g.stack, 1) if getattr(t.chapters.get(type(p).__name__), "kind", "") == BATTLE)
    return max(fights, default=0)


def _attacker(t: Title, g: Board) -> int:
    """Who attacks in the innermost fight, or whose turn it is; -1 for nobody."""
    depth = _fight(t, g)
    said = getattr(g.stack[depth - 1], "attacker", None) if depth else None
    return t.turn_of(g) if said is None else int(said)


def _on(t: Title, g: Board, action: Action, *, helped: bool) -> list[Action]:
    """The action, then every answer of the same side until a die falls or the other side is asked; [] where the fight
    is over before that."""
    side, made = asked(g), [action]
    while len(made) < MOST:
        h = _after(g, made)
        if h is None or asked(h) != side:
            return made
        listed = options(h)
        joining = next((a for a in listed if a[0] in t.helps), None) if helped else None
        if _fight(t, h) < max(_fight(t, g), 1) or (joining is None and not listed.allows(PASS)):
            return []
        made.append(PASS if joining is None else joining)
    return []


def stands_at(t: Title, g: Board, made: Sequence[Action]) -> str:
    """How the attack stands with the last of these actions, in a word."""
    h = _after(g, made[:-1]) if made else None
    doc = {} if h is None else t.preview(h, made[-1])
    return next((str(doc[key]) for key in AT if isinstance(doc.get(key), str | int)), "")
