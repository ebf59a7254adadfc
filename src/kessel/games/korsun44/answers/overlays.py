"""Named layers for the map. Whether a stack has a ZOC is open to both sides (11.3)."""

from __future__ import annotations

from typing import Any

from kessel.core.forces import Side
from kessel.core.hexes import Bits
from kessel.core.hexset import bits
from kessel.games.korsun44.board import SIDES, Board
from kessel.games.korsun44.movement.zones import zoc_of, zoi_of
from kessel.games.korsun44.supply.markers import is_supplying
from kessel.games.korsun44.supply.paths import path_lengths, supply_range
from kessel.wargame.overlays import layer, owners


def overlays(g: Board) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for side, name in enumerate(SIDES):
        word = name.capitalize()
        found[f"{word} ZOC"] = layer(g, zoc_of(g, side), f"{word} Zones of Control: dear to enter and leave (10.2).")
        found[f"{word} ZOI"] = layer(g, zoi_of(g, side), f"{word} Zones of Influence (10.1.2).")
        about = f"Hexes in supply range of a {word} SDM, whoever it serves (13.4.1)."
        found[f"{word} supply"] = layer(g, supplied(g, side), about)
    held = [(g.map.grid.hex(n), side) for rule in g.scenario.points for n in rule.places for side in _holder(g, n)]
    found["Objectives"] = owners(g, held, SIDES, "Places that count at the end, and who holds them (3.2.G).")
    return found


def supplied(g: Board, side: Side) -> Bits:
    """13.4.1 All hexes from which a path in range leads to an SDM of a side."""
    found, most = 0, supply_range(g, side)
    for s in g.sdms(side):
        if is_supplying(g, s):
            found |= bits(path_lengths(g, side, 1 << g.sdm_at[s], most))
    return found


def _holder(g: Board, name: str) -> list[Side | None]:
    side = g.control[g.map.grid.hex(name)]
    return [side if side < len(SIDES) else None]
