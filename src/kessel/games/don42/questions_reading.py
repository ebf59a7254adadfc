"""What a question names: units, hexes, sides. A mistake is refused with its JSON path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import members
from kessel.games.don42.board import Board
from kessel.games.don42.forces import SIDES


def named_unit(g: Board, name: str, where: str = "$.unit", *, on_map: bool = True) -> Unit:
    u = g.forces.find(name)
    if u == NO_UNIT:
        raise BadInput(f"there is no unit {name}", where)
    if on_map and not g.on_map(u):
        raise BadInput(f"{name} is not on the map", where)
    return u


def named_units(g: Board, names: Sequence[str], where: str, *, on_map: bool = True) -> list[Unit]:
    found = [named_unit(g, n, f"{where}[{i}]", on_map=on_map) for i, n in enumerate(names)]
    if len(set(found)) != len(found):
        raise BadInput("a unit is named twice", where)
    return found


def one_side(g: Board, units: Sequence[Unit], where: str, what: str) -> int:
    """The side of these units; both sides together are refused."""
    sides = {g.forces.side[u] for u in units}
    if len(sides) != 1:
        raise BadInput(f"{what} are of both sides" if sides else f"{what} are missing", where)
    return sides.pop()


def named_hex(g: Board, name: str, where: str = "$.hex") -> Hex:
    h = g.map.grid.find(name)
    if h == NO_HEX:
        raise BadInput(f"there is no hex {name} on this board", where)
    return h


def named_side(name: str) -> int:
    if name not in SIDES:
        raise BadInput(f"there is no side {name!r}; there are {', '.join(SIDES)}", "$.side")
    return SIDES.index(name)


def hex_names(g: Board, s: Bits) -> list[str]:
    return sorted(g.map.grid.names(members(s)))


def no(refusal: Refusal) -> dict[str, Any]:
    return {"legal": False, "refusal": refusal.as_json()}
