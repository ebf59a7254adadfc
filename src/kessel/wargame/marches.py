"""Units that go together: where all of them can go, and the actions that bring them there one after the other.

Found by playing listed actions on a copy, so no game needs code of its own. A move is one action that names unit and
place, or one that names the unit and then one that names the place.
"""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.board import Board
from kessel.core.dice import NeedRoll, Scripted
from kessel.core.procedure import PASS, Action, asked, options, push
from kessel.core.title import March, Title

TAKES = "move"
"""The verb with which a unit begins to move."""
HALT: Action = ("halt",)
STOPS = (HALT, PASS)


def march(t: Title, g: Board, units: Sequence[str], to: str) -> March:
    """The actions that bring these units to a place, and those that cannot come along. Without a place: all places
    that every one of them can reach from here."""
    if len(units) > 1 and _taken(t, g, units) is not None:
        return _as_one(t, g, units, to)
    if not to:
        reach = [_reach(t, g, u) for u in units]
        common = [p for p in reach[0] if all(p in r for r in reach[1:])] if reach else []
        return March([], [], common, {})
    h, made, left = _tried(g), list[Action](), list[str]()
    way: dict[str, object] = {}
    for u in units:
        found = _moves(t, h, u, to)
        if found:
            if not way:
                way = _way(t, h, found)
            made += found
            for action in found:
                push(h, action)
        else:
            left.append(u)
    return March(_halted(g, made), left, [], way)


def _halted(g: Board, made: list[Action]) -> list[Action]:
    """The actions, and the halt where nothing else is left to do."""
    h = _tried(g)
    try:
        for action in made:
            push(h, action)
        return [*made, HALT] if made and list(options(h)) == [HALT] else made
    except NeedRoll:
        return made


def _taken(t: Title, g: Board, units: Sequence[str]) -> Action | None:
    """The action with which all of them begin to move at once, where the rules know such a thing."""
    return next((a for a in options(g) if a[0] == TAKES and set(_named(t, g, a)[0]) == set(units)), None)


def _as_one(t: Title, g: Board, units: Sequence[str], to: str) -> March:
    take, h = _taken(t, g, units), _tried(g)
    assert take is not None
    push(h, take)
    found = {place: a for a, place in reversed(_goes(t, h, ""))}
    if not to:
        return March([], [], list(found), {})
    if to not in found:
        return March([], list(units), [], {})
    return March(_halted(g, [take, found[to]]), [], [], _way(t, h, [found[to]]))


def _tried(g: Board) -> Board:
    h = g.copy()
    h.dice = Scripted(())
    return h


def _way(t: Title, g: Board, found: Sequence[Action]) -> dict[str, object]:
    h = _tried(g)
    for n, action in enumerate(found, 1):
        doc = t.preview(h, action)
        if "path" in doc:
            return {key: doc[key] for key in ("path", "cost") if key in doc}
        if n < len(found):
            push(h, action)
    return {}


def _named(t: Title, g: Board, action: Action) -> tuple[list[str], str]:
    """The units an action names, and the place it leads to."""
    parts = t.notation.parts(g, action)
    units = [parts["unit"]] if parts.get("unit") else list(parts.get("units", ()))
    path = parts.get("path") or ("",)
    return units, parts.get("hex") or parts.get("place") or path[-1]


def _goes(t: Title, g: Board, unit: str) -> list[tuple[Action, str]]:
    """The listed actions that lead a unit somewhere, it being the one that moves now where none is named."""
    found = []
    for a in options(g):
        if a[0] in t.aside:
            continue
        units, place = _named(t, g, a)
        if place and (units == [unit] or (not units and a[0] == "to")):
            found.append((a, place))
    return found


def _begun(t: Title, g: Board, unit: str) -> tuple[list[Action], Board]:
    """The board on which the unit can be led somewhere, and what had to be done for it: end the move of another, take
    this one."""
    h, made = _tried(g), list[Action]()
    side = asked(h)
    for _ in range(3):
        listed = options(h)
        take = next((a for a in listed if a[0] == TAKES and _named(t, h, a) == ([unit], "")), None)
        if take is None and (made or any(_named(t, h, a)[0] == [unit] for a in listed)):
            break
        action = take or next((a for a in STOPS if listed.allows(a)), None)
        if action is None or (take is None and action == PASS and type(h.stack[-1]).__name__.endswith("Phase")):
            break
        ahead = _tried(h)
        try:
            push(ahead, action)
        except NeedRoll:  # a die would have to fall: it does not go further than this
            break
        h = ahead
        made.append(action)
        if take is not None or asked(h) != side:
            break
    return made, h


def _moves(t: Title, g: Board, unit: str, to: str) -> list[Action]:
    """The actions that bring one unit to the place; [] where it cannot go there without a die or an answer."""
    if unit_is_moving(t, g, unit):
        made, h = list[Action](), g
    else:
        made, h = _begun(t, g, unit)
    go = next((a for a, place in _goes(t, h, unit) if place == to), None)
    if go is None:
        return []
    try:
        push(_tried(h), go)
    except NeedRoll:
        return []
    return [*made, go]


def unit_is_moving(t: Title, g: Board, unit: str) -> bool:
    """Whether the question is where this very unit goes."""
    p = g.stack[-1] if g.stack else None
    moving = {getattr(p, "unit", None), *(getattr(p, "units", ()) or ())}
    return any(isinstance(u, int) and 0 <= u < len(g.forces) and g.forces.ids[u] == unit for u in moving)


def _reach(t: Title, g: Board, unit: str) -> list[str]:
    h = g if unit_is_moving(t, g, unit) else _begun(t, g, unit)[1]
    return list(dict.fromkeys(place for _, place in _goes(t, h, unit)))
