"""Positions and short questions for tests of the Soviet system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kessel.core.dice import Scripted
from kessel.core.hexes import NO_HEX
from kessel.games.kharkov43.board import ACTIVE, Board
from kessel.games.kharkov43.system.methods.methods import Check, Go, Order, Stay
from kessel.games.kharkov43.system.soviet_movement import move_active_units
from kessel.games.kharkov43.system.trace import Considered, MovementTrace

from .helpers import board, hexset, shown, soviet, tanks

ROWS = (15, 22)
COLUMNS = range(6, 18)
EAST = " ".join(f"{r}06" for r in range(15, 23))
WEST = " ".join(f"{r}17" for r in range(15, 23))


def arena(
    rows: tuple[int, int] = ROWS, columns: range = COLUMNS, *, roads_on: tuple[int, ...] = (16, 18, 20, 22), **more: Any
) -> dict[str, Any]:
    """Clear ground between a Soviet edge in the east and a German one in the west, with roads; no line crosses it."""
    first, last = columns[0], columns[-1]
    run = [r for r in roads_on if rows[0] <= r <= rows[1]]
    more.setdefault("soviet_edge", " ".join(f"{r:02d}{first:02d}" for r in range(rows[0], rows[1] + 1)))
    more.setdefault("german_edge", " ".join(f"{r:02d}{last:02d}" for r in range(rows[0], rows[1] + 1)))
    more.setdefault("roads", [" ".join(f"{r:02d}{c:02d}" for c in columns) for r in run])
    more.setdefault("exits", " ".join(f"{r:02d}{c:02d}" for r in run for c in (first, last)))
    everywhere = " ".join(f"{r:02d}{first:02d}-{r:02d}{last:02d}" for r in range(rows[0], rows[1] + 1))
    lines = dict.fromkeys(("east_support_zone", "west_support_zone", "far_limit_zone"), everywhere)
    return board(rows, columns, areas={**lines, **more.pop("areas", {})}, **more)


def active(unit: str, at: str, faces: str = "3-4-05 1-4-15", army: str = "6", **more: Any) -> Any:
    """An active Soviet infantry unit."""
    return soviet(unit, at, faces, army=army, status=["active", *more.pop("status", [])], **more)


def active_tanks(unit: str, at: str, faces: str = "5-6-01 3-6-11", army: str = "Popov", **more: Any) -> Any:
    return tanks(unit, at, faces, army=army, status=["active", *more.pop("status", [])], **more)


def objective(hex: str, facing: str = "west", stage: int = 1) -> dict[str, Any]:
    return {"hex": hex, "facing": facing, "stage": stage}


def southwest(hex: str, **more: Any) -> dict[str, Any]:
    return {"Southwest": objective(hex, **more)}


def voronezh(hex: str, **more: Any) -> dict[str, Any]:
    return {"Voronezh": objective(hex, **more)}


def march(g: Board, front: str = "Southwest") -> dict[str, tuple[str, str]]:
    """Move the active units: where each went and by which method."""
    trace = move_active_units(g, front, MovementTrace())
    return {g.id(c.unit): (g.hex_name(c.end), c.rule) for c in trace.checks if c.end != NO_HEX}


def traced(g: Board, front: str = "Southwest") -> list[Considered]:
    return move_active_units(g, front, MovementTrace()).checks


def moved(g: Board, front: str = "Southwest") -> dict[str, str]:
    return {name: end for name, (end, _) in march(g, front).items()}


def told_to_stay(g: Board, front: str = "Southwest") -> dict[str, str]:
    """The units told to stay, and the rule."""
    return {g.id(c.unit): c.stays.rule for c in traced(g, front) if c.stays is not None and c.end == NO_HEX}


def activate(g: Board, *names: str) -> None:
    for name in names:
        g.set_status(g.forces.unit(name), ACTIVE)


def with_dice(g: Board, *values: int) -> Board:
    g.dice = Scripted(values)
    return g


# --- one method for one unit ------------------------------------------------------------------------------------------


def orders(g: Board, name: str, method: Callable[[Check], tuple[Order, ...]], front: str = "Southwest") -> list[Order]:
    """What a method orders the unit to do."""
    return list(method(Check(g, g.forces.unit(name), front)))


def wanted(g: Board, name: str, method: Callable[[Check], tuple[Order, ...]], front: str = "Southwest") -> str:
    """The hexes of the first order to go; `stay` where the unit is told to stay; "" for neither."""
    found = orders(g, name, method, front)
    if not found:
        return ""
    first = found[0]
    return "stay" if isinstance(first, Stay) else shown(g, first.hexes)


def prefers(
    g: Board, name: str, method: Callable[[Check], tuple[Order, ...]], letter: str, among: str, front: str = "Southwest"
) -> str:
    """What the preference with that letter keeps of some hexes."""
    go = next(o for o in orders(g, name, method, front) if isinstance(o, Go))
    one = next(p for p in go.prefer if p.rule.endswith(letter))
    return shown(g, one.keep(hexset(g, among)))
