"""Snapshots: a board at a decision as JSON, to open long games at once. A cache: the record is the truth."""

from __future__ import annotations

import base64
import zlib
from typing import Any

from kessel.core.board import Board
from kessel.core.errors import BadRecord
from kessel.core.procedure import Procedure, load_stack, save_stack


def save(g: Board) -> dict[str, Any]:
    """Columns by name, frames by name, the dice's counter; never the seed."""
    return {
        "columns": {n: base64.b64encode(zlib.compress(bytes(getattr(g, n)), 1)).decode() for n in g.columns},
        "stack": save_stack(g),
        "dice": g.dice.count,
        "reveals": g.reveals,
        "digest": g.digest(),
    }


def load(doc: dict[str, Any], fresh: Board, known: dict[str, type[Procedure]]) -> Board:
    """The board of a snapshot; `fresh` is a newly set up board of the same game, which lends map, forces and dice."""
    g = fresh.copy()
    try:
        for name in g.columns:
            column = getattr(g, name)
            raw = zlib.decompress(base64.b64decode(doc["columns"][name]))
            if len(raw) != len(bytes(column)):
                raise BadRecord(f"the snapshot's column {name} has another length")
            if isinstance(column, bytearray):
                setattr(g, name, bytearray(raw))
            else:
                new = column[:0]
                new.frombytes(raw)
                setattr(g, name, new)
        g.stack = load_stack(doc["stack"], known)
        g.dice.count, g.reveals = int(doc["dice"]), int(doc["reveals"])
    except (KeyError, ValueError, TypeError, zlib.error) as e:
        raise BadRecord(f"the snapshot cannot be read: {e}") from None
    g.changed()
    if g.digest() != doc.get("digest"):
        raise BadRecord("the snapshot is damaged: its digest differs")
    return g
