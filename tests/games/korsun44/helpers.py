"""Small boards and positions for rule tests. Positions go through the same door as hand-written JSON ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from kessel.core.analysis import decode
from kessel.core.breakdown import Refusal
from kessel.core.dice import Scripted
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure, apply, legal, run, why_not
from kessel.games.korsun44.answers.position import PositionDoc, from_position
from kessel.games.korsun44.board import Board
from kessel.games.korsun44.movement.reserve import ReserveDeclaration
from kessel.games.korsun44.notation import NOTATION
from kessel.games.korsun44.title import TITLE

PACK = Pack("korsun44", overlays=())


def disc(radius: int = 5) -> list[str]:
    """Axial names of all hexes at most that far from 0,0."""
    span = range(-radius, radius + 1)
    return [f"{q},{r}" for q in span for r in span if abs(q + r) <= radius]


def board(
    radius: int = 5,
    *,
    terrain: dict[str, str] | None = None,
    features: dict[str, list[str]] | None = None,
    sides: dict[str, str] | None = None,
    roads: Sequence[tuple[str, str]] = (),
) -> dict[str, Any]:
    """An axial board, clear but for what is said. `roads` are (kind, path)."""
    hexes: dict[str, dict[str, Any]] = {name: {} for name in disc(radius)}
    for name, word in (terrain or {}).items():
        hexes[name]["terrain"] = word
    for name, words in (features or {}).items():
        hexes[name]["features"] = words
    return {
        "grid": {"numbering": "axial"},
        "hexes": hexes,
        "hexsides": {k: [v] for k, v in (sides or {}).items()},
        "links": [{"kind": kind, "path": path} for kind, path in roads],
    }


def unit(id: str, at: str = "", **more: Any) -> dict[str, Any]:
    return {"id": id, "at": at, **more}


def position(*units: dict[str, Any], on: dict[str, Any] | None = None, **fields: Any) -> Board:
    """The board with these units; `phase` names what is going on."""
    doc = {"game": "korsun44", "board": on or board(), "units": list(units), **fields}
    return from_position(decode(msgspec.json.encode(doc), PositionDoc), PACK).by_ids()


def u(g: Board, name: str) -> int:
    return g.forces.unit(name)


def h(g: Board, name: str) -> Hex:
    return g.map.grid.hex(name)


def names(g: Board, s: Bits) -> set[str]:
    return set(g.map.grid.names(members(s)))


def play(g: Board, *texts: str, dice: Iterable[int] = ()) -> Board:
    """Carry out actions; the dice fall as given."""
    g.dice = Scripted(tuple(dice))
    g.events = g.events if g.events is not None else []
    for text in texts:
        apply(g, NOTATION.parse(g, text))
    return g


def moving(g: Board) -> Board:
    """Go on to the Movement Segment: nobody is placed in Reserve."""
    return play(g, "pass") if isinstance(g.stack[-1], ReserveDeclaration) else g


def start(g: Board, *procedures: Procedure, dice: Iterable[int] = ()) -> Board:
    """Begin with these procedures, the last one on top."""
    g.dice = Scripted(tuple(dice))
    g.events = []
    g.stack = list(procedures)
    run(g)
    return g


def choices(g: Board) -> list[str]:
    return [NOTATION.text(g, a) for a in legal(g)]


def refused(g: Board, text: str) -> Refusal:
    found = why_not(g, NOTATION.parse(g, text))
    assert found is not None, f"{text} is legal"
    return found


def told(g: Board) -> str:
    return "\n".join(f"{e['what']} ({e['rule']})" for e in g.events or ())


__all__ = ["PACK", "TITLE"]
