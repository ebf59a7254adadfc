"""Boards with sources, and SDMs with points, for the tests of supply."""

from __future__ import annotations

from typing import Any

from kessel.games.korsun44.board import GERMAN, Board

from .helpers import board, u

ARMEES = ("1PzA", "8A")


def row(a: int, b: int, r: int = 0) -> str:
    """A path of hexes along a row, from q = a to q = b."""
    step = 1 if b >= a else -1
    return " ".join(f"{q},{r}" for q in range(a, b + step, step))


def supply_board(
    radius: int = 12,
    *,
    sources: dict[str, str] | None = None,
    terminals: tuple[str, ...] = (),
    korsun: str = "",
    airfield: str = "",
    roads: tuple[tuple[str, str], ...] = (),
    **more: Any,
) -> dict[str, Any]:
    """A board with sources (hex: army), rail terminals, and Korsun with its airfield."""
    doc = board(radius, roads=roads, **more)
    hexes = doc["hexes"]
    for name, army in (sources or {}).items():
        word = "german_source" if army in ARMEES else "soviet_source"
        hexes[name] |= {"features": [*hexes[name].get("features", []), word], "facts": {"source": army}}
    for name in (*terminals, *([korsun] if korsun else [])):
        hexes[name].setdefault("features", []).append("rail_terminal")
    if korsun:
        hexes[korsun] |= {"terrain": "town", "name": "Korsun"}
    if airfield:
        hexes[airfield].setdefault("features", []).append("airfield")
    return doc


def with_points(g: Board, **points: int) -> Board:
    """SDMs with so many points, by their ids with an underscore for the dot."""
    for name, n in points.items():
        g.sdm_sp[u(g, name.replace("_", "."))] = n
    g.changed()
    return g


def supplied_by(g: Board, sdm: str, *names: str) -> Board:
    """Units that the SDM placed in supply."""
    for name in names:
        g.supplier[u(g, name)] = u(g, sdm)
    g.changed()
    return g


def isolate(g: Board, turn: int, points: int = 15) -> Board:
    """Korsun was declared isolated on that turn."""
    for track, value in (("korsun_declared", turn), ("korsun_active", turn), ("korsun_sp", points)):
        g.set_track(track, value)
    g.changed()
    assert g.forces.side[u(g, "SDM.Korsun")] == GERMAN
    return g
