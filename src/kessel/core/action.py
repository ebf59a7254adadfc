"""Notation: actions as text a player can read and type, and back.

A game declares one template per verb: `move {unit} {path}`, `attack {hex} with {units}`. In memory an action is the
tuple of the verb and its arguments: `("move", 17, (120, 121))`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from kessel.core.board import Board
from kessel.core.errors import BadInput
from kessel.core.procedure import Action


class Kind(NamedTuple):
    """How one kind of argument is written."""

    show: Callable[[Board, Any], str]
    read: Callable[[Board, str], Any]
    many: bool = False


def _number(_: Board, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadInput(f"{text!r} is not a whole number") from None


_PLACE = re.compile(r"-?\d+,-?\d+|[^-]+")


def _path(g: Board, text: str) -> tuple[int, ...]:
    """Places joined by hyphens; an axial name may have a hyphen of its own (0,-1-1,-2)."""
    found: list[int] = []
    at = 0
    while m := _PLACE.match(text, at):
        found.append(g.map.place(m[0]))
        at = m.end() + 1
        if text[m.end() : at] != "-":
            break
    if at <= len(text):
        raise BadInput(f"{text!r} is not a path of hexes joined by hyphens")
    return tuple(found)


def _hexside(g: Board, text: str) -> int:
    return g.map.grid.parse_hexside(text)


KINDS = {
    "unit": Kind(lambda g, u: g.forces.ids[u], lambda g, t: g.forces.unit(t)),
    "units": Kind(lambda g, us: " ".join(g.forces.ids[u] for u in us), lambda g, t: g.forces.unit(t), many=True),
    "place": Kind(lambda g, p: g.place_name(p), lambda g, t: g.map.place(t)),
    "hex": Kind(lambda g, p: g.place_name(p), lambda g, t: g.map.grid.hex(t)),
    "places": Kind(lambda g, ps: " ".join(map(g.place_name, ps)), lambda g, t: g.map.place(t), many=True),
    "path": Kind(lambda g, ps: "-".join(map(g.place_name, ps)), _path),
    "hexside": Kind(lambda g, s: g.map.grid.hexside_name(s), _hexside),
    "number": Kind(lambda g, n: str(n), _number),
    "word": Kind(lambda g, w: str(w), lambda g, t: t),
    "words": Kind(lambda g, ws: " ".join(ws), lambda g, t: t, many=True),
}

_SLOT = re.compile(r"\{(\w+)\}")
_STOP = re.compile(r"(-?\d+,-?\d+|[^-]+)(?:-|$)")
"""One stop of a way; axial names may begin with a minus sign."""


class Verb(NamedTuple):
    name: str
    words: tuple[str, ...]
    """The template's words; a slot is written {kind}."""
    slots: tuple[tuple[str, Kind | None], ...]
    """The words after the verb; a slot by the name of its kind, and the kind."""


class Notation:
    def __init__(self, templates: Iterable[str]) -> None:
        self.verbs: dict[str, Verb] = {}
        for template in ("pass", *templates):
            words = tuple(template.split())
            slots: list[tuple[str, Kind | None]] = []
            for word in words[1:]:
                slot = _SLOT.fullmatch(word)
                if slot and slot[1] not in KINDS:
                    raise ValueError(f"unknown kind of argument in {template!r}")
                slots.append((slot[1], KINDS[slot[1]]) if slot else (word, None))
            self.verbs[words[0]] = Verb(words[0], words, tuple(slots))

    def text(self, g: Board, action: Action) -> str:
        verb = self.verbs[action[0]]
        rest = iter(action[1:])
        out = [verb.name]
        for word, kind in verb.slots:
            out.append(word if kind is None else kind.show(g, next(rest)))
        return " ".join(filter(None, out))

    def fits(self, g: Board, action: Any) -> bool:
        """Whether something is of an action's shape, so that rules may look into it: a verb with arguments it takes."""
        if not isinstance(action, tuple) or not action or not isinstance(action[0], str):
            return False
        verb = self.verbs.get(action[0])
        if verb is None or len(action) - 1 != sum(kind is not None for _, kind in verb.slots):
            return False
        try:
            self.text(g, action)
        except (LookupError, TypeError, ValueError, AttributeError):
            return False
        return True

    def parse(self, g: Board, text: str) -> Action:
        words = text.split()
        if not words:
            raise BadInput("an action begins with a verb")
        verb = self.verbs.get(words[0])
        if verb is None:
            raise BadInput(f"there is no action {words[0]!r}; there are {', '.join(sorted(self.verbs))}")
        args: list[Any] = []
        i = 1
        for j, word in enumerate(verb.words[1:], start=1):
            slot = _SLOT.fullmatch(word)
            if slot is None:
                if i >= len(words) or words[i] != word:
                    raise BadInput(f"{text!r} is not of the form {' '.join(verb.words)!r}")
                i += 1
            elif KINDS[slot[1]].many:
                stop = verb.words[j + 1] if j + 1 < len(verb.words) else None
                several = []
                while i < len(words) and words[i] != stop:
                    several.append(KINDS[slot[1]].read(g, words[i]))
                    i += 1
                args.append(tuple(several))
            else:
                if i >= len(words):
                    raise BadInput(f"{text!r} is not of the form {' '.join(verb.words)!r}")
                args.append(KINDS[slot[1]].read(g, words[i]))
                i += 1
        if i != len(words):
            raise BadInput(f"{text!r} is not of the form {' '.join(verb.words)!r}")
        return (verb.name, *args)

    def parts(self, g: Board, action: Action) -> dict[str, Any]:
        """The arguments by kind, for a client that rings units and hexes: `{"unit": "16Pz", "hex": "2130"}`."""
        return self.described(g, action)[1]

    def described(self, g: Board, action: Action) -> tuple[str, dict[str, Any]]:
        """The text and the parts: a view asks for both, of hundreds of actions."""
        verb = self.verbs[action[0]]
        found: dict[str, Any] = {}
        out = [verb.name]
        rest = iter(action[1:])
        for word, kind in verb.slots:
            if kind is None:
                out.append(word)
                continue
            value = next(rest)
            shown = kind.show(g, value)
            if shown:
                out.append(shown)
            if kind.many:
                found[word] = shown.split()
            elif word == "path":
                found[word] = [g.place_name(p) for p in value]
            else:
                found[word] = value if word == "number" else shown
        return " ".join(out), found
