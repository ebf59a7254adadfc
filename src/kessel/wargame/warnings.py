"""What ending a phase would cost or leave undone, found from what every game gives: listed actions, views, overlays.

`loss`: what the rules take away without a die, found by ending the phase on a copy. `risk`: units an overlay of the
game calls out of supply. `idle`: what could still be done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kessel.core.board import Board
from kessel.core.dice import NeedRoll, Scripted
from kessel.core.procedure import PASS, Action, asked, options, push
from kessel.core.title import IDLE, LOSS, RISK, Caution, Title
from kessel.core.view import Piece

MENDING = ("Overstacked", "CorrectStacking", "GermanActivation.unstack")
"""Procedures and steps in which a side gives up what is too much: what they ask is answered by the first choice."""
MOST_MENDED = 24
CUT_OFF = ("out of supply", "isolated")
"""Words overlays have for units that are cut off."""
COULD = {"move": "can still move", "attack": "can still be attacked", "bombard": "can still be bombarded"}


def losses(t: Title, g: Board, side: int) -> list[Caution]:
    """What the side loses for certain when the phase ends."""
    h = g.copy()
    h.dice = Scripted(())
    h.events = []
    try:
        push(h, PASS)
        for _ in range(MOST_MENDED):
            if asked(h) != side or not is_mending(h):
                break
            push(h, next(iter(options(h))))
    except NeedRoll:
        pass
    after = {p.id: p for p in t.view(h, side).pieces}
    name, grid = t.sides[side], g.map.grid
    hit = [
        p for p in t.view(g, side).pieces if p.side == name and grid.find(p.place) >= 0 and _worse(p, after.get(p.id))
    ]
    if not hit:
        return []
    ids = {p.id for p in hit}
    rule = next((str(e["rule"]) for e in h.events if e.get("unit") in ids), "")
    gone = [p.id for p in hit if (now := after.get(p.id)) is None or grid.find(now.place) < 0]
    what = f"{_units(len(gone))} will be lost" if gone else f"{_units(len(hit))} will lose a step"
    named = ", ".join(g.name(g.forces.unit(i)) for i in gone or sorted(ids))
    return [Caution(LOSS, f"{what}: {named}", rule, sorted(ids), _places(hit))]


def is_mending(g: Board) -> bool:
    """Whether a side is asked which units of a stack over the limit it gives up."""
    p = g.stack[-1]
    name = type(p).__name__
    return name in MENDING or (p.step is not None and f"{name}.{p.step.name}" in MENDING)


def _worse(was: Piece, now: Piece | None) -> bool:
    return now is None or now.steps < was.steps or now.place.endswith(("eliminated", "destroyed"))


def risks(t: Title, g: Board, side: int) -> list[Caution]:
    """Units of the side that stand where one of the game's own overlays says they are cut off."""
    bad: dict[str, str] = {}
    for layer in t.overlays(g, side).values():
        hexes: Any = layer.get("hexes", layer) if isinstance(layer, Mapping) else {}
        if isinstance(hexes, Mapping):
            bad |= {h: str(word) for h, word in hexes.items() if word in CUT_OFF}
    hit = [p for p in t.view(g, side).pieces if p.side == t.sides[side] and p.place in bad]
    if not hit:
        return []
    return [Caution(RISK, f"{_units(len(hit))} out of supply", "", [p.id for p in hit], _places(hit))]


def idle(t: Title, g: Board) -> list[Caution]:
    """What could still be done instead of ending the phase, by verb."""
    units: dict[str, list[str]] = {}
    hexes: dict[str, list[str]] = {}
    for action in options(g):
        parts = t.notation.parts(g, action)
        if unit := parts.get("unit"):
            units.setdefault(action[0], []).append(unit)
        elif place := parts.get("hex") or parts.get("place"):
            hexes.setdefault(action[0], []).append(place)
    found = []
    at = {p.id: p.place for p in t.view(g, asked(g)).pieces}
    for verb, named in units.items():
        some = list(dict.fromkeys(named))
        found.append(Caution(IDLE, _left(t, verb, len(some), "unit"), "", some, _known(at[u] for u in some if u in at)))
    for verb, named in hexes.items():
        some = list(dict.fromkeys(named))
        found.append(Caution(IDLE, _left(t, verb, len(some), "hex"), "", [], some))
    return found


def _left(t: Title, verb: str, n: int, what: str) -> str:
    counted = f"{n} {what if n == 1 else {'unit': 'units', 'hex': 'hexes'}[what]}"
    if verb in COULD:
        return f"{counted} {COULD[verb]}"
    return f"You can still {t.could(verb, counted)}"


def _units(n: int) -> str:
    return "1 unit" if n == 1 else f"{n} units"


def _places(pieces: Sequence[Piece]) -> list[str]:
    return list(dict.fromkeys(p.place for p in pieces))


def _known(places: Any) -> list[str]:
    return list(dict.fromkeys(places))


def before_ending(t: Title, g: Board, action: Action) -> list[Caution]:
    """All that is to be said before a phase is ended."""
    side = asked(g)
    if action != PASS or side < 0:
        return []
    found = losses(t, g, side)
    if type(g.stack[-1]).__name__.endswith(("Phase", "Stage", "Segment", "Activation", "Operations")):
        found += risks(t, g, side) + idle(t, g)
    return found
