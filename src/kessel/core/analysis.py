"""Hand-written positions and the questions they ask. See docs/positions.md.

A position names its game; the game says how the rest of the document is written (`Title.position_type`) and which
questions it answers (`Title.questions`). Everything is checked: an unknown field, hex, unit or question is refused with
its JSON path, and nothing is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from kessel.core.board import Board
from kessel.core.errors import BadInput, BadPack, malformed
from kessel.core.pack import Pack, pack_of
from kessel.core.terrain import BoardDoc, GridDoc, Map
from kessel.core.title import Answerer, Asked, Title, title

More: TypeAlias = Callable[[Title], Mapping[str, Answerer]]
"""Questions about a game that somebody else than the game answers."""


class _Head(msgspec.Struct):
    game: str


class _Kind(msgspec.Struct):
    question: str


class PositionDoc(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What every game's position has; a game's own type adds its units, markers, turn and so on."""

    game: str
    board: str | BoardDoc = ""
    """The name of a game's printed board (empty: this game's), or a small board written inline."""
    note: str = ""
    ask: list[msgspec.Raw] = []


def read_position(raw: bytes | str, *, overlays: tuple[Path, ...] | None = None) -> tuple[Title, Board, PositionDoc]:
    """The game, its board set up as the document says, and the document."""
    refuse_doubles(raw)
    head = decode(raw, _Head)
    try:
        t = title(head.game)
    except BadInput as e:
        raise BadInput(e.message, "$.game") from None
    doc: PositionDoc = decode(raw, t.position_type)
    return t, t.from_position(doc, pack_of(t.id, overlays)).by_ids(), doc


def board_of(doc: PositionDoc, pack: Pack) -> Map:
    """The map a position is played on."""
    if isinstance(doc.board, BoardDoc):
        if doc.board.grid == GridDoc():
            doc.board.grid = _usual_grid(doc.board, pack)
        try:
            return Map(doc.board)
        except BadInput as e:
            raise BadInput(e.message, "$.board" + e.where.removeprefix("$")) from None
    if doc.board not in ("", pack.game):
        raise BadInput(f"there is no board {doc.board!r}; leave it out for the board of {pack.game}", "$.board")
    return pack.map


def _usual_grid(board: BoardDoc, pack: Pack) -> GridDoc:
    """The grid of an inline board that names none: axial if its hexes are named so, else the game's own numbering."""
    names = board.hexes if isinstance(board.hexes, str) else " ".join(board.hexes)
    if "," in names:
        return GridDoc(numbering="axial")
    return msgspec.structs.replace(pack.map.doc.grid, first=None, second=None)


def analyze(raw: bytes | str, *, overlays: tuple[Path, ...] | None = None, more: More = lambda t: {}) -> dict[str, Any]:
    """The answers to the position's questions, in the order asked; `more` are questions others than the game answer."""
    t, g, doc = read_position(raw, overlays=overlays)
    before, others = g.digest(), more(t)
    answers = []
    for i, one in enumerate(doc.ask):
        answers.append(answer(t, g, bytes(one), f"$.ask[{i}]", others))
        if g.digest() != before:
            raise AssertionError(f"the question {bytes(one)!r} changed the position")
    return {"answers": answers}


def answer(
    t: Title, g: Board, raw: bytes, where: str = "$", more: Mapping[str, Answerer] | None = None
) -> dict[str, Any]:
    """The answer to one question; the question's own words come first in it."""
    kind, all_ = kind_of(raw, where), {**t.questions, **(more or {})}
    known = all_.get(kind)
    if known is None:
        raise BadInput(f"{t.id} answers no question {kind!r}; it answers {', '.join(all_)}", f"{where}.question")
    asked: Asked = decode(raw, known.form, where)
    try:
        return {"question": kind, **known.answer(g, asked)}
    except BadPack:
        raise
    except BadInput as e:
        raise BadInput(e.message, where + e.where.removeprefix("$")) from None


def kind_of(raw: bytes, where: str = "$") -> str:
    """Which question it is."""
    return str(decode(raw, _Kind, where).question)


class _Double(Exception):
    pass


def refuse_doubles(raw: bytes | str) -> None:
    """A key that stands twice in one object: reading would silently keep the last. `decode` finds all else."""

    def pairs(found: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in found:
            if key in seen:
                raise _Double(key)
            seen.add(key)

    try:
        json.loads(raw, object_pairs_hook=pairs, parse_int=str, parse_float=str)
    except _Double as e:
        raise BadInput(f"the field `{e}` stands twice in one object", "$") from None
    except (ValueError, RecursionError):
        return


def decode(raw: bytes | str, form: type[Any], where: str = "$") -> Any:
    """Decode JSON strictly; the error names the JSON path."""
    try:
        return msgspec.json.decode(raw, type=form)
    except msgspec.ValidationError as e:
        text, _, path = str(e).partition(" - at `")
        raise BadInput(text, where + path.rstrip("`").removeprefix("$")) from None
    except msgspec.MsgspecError as e:
        raise malformed(str(e), raw, where) from None
    except (UnicodeDecodeError, RecursionError) as e:
        raise BadInput(f"this is not readable as JSON: {e}", where) from None
