"""Named layers for the map. Whether a stack has a ZOC is open to both sides (11.3)."""

from __future__ import annotations

from typing import Any

from kessel.games.korsun44.board import SIDES, Board
from kessel.games.korsun44.movement.zones import zoc_of, zoi_of
from kessel.wargame.overlays import layer


def overlays(g: Board) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for side, name in enumerate(SIDES):
        word = name.capitalize()
        found[f"{word} ZOC"] = layer(g, zoc_of(g, side), f"{word} Zones of Control: dear to enter and leave (10.2).")
        found[f"{word} ZOI"] = layer(g, zoi_of(g, side), f"{word} Zones of Influence (10.1.2).")
    return found
