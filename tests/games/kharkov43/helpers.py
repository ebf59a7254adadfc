"""Small positions for rule tests: the numbers of the printed map on a bare piece of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kessel.games.kharkov43.board import Board
from tests.wargame import kit
from tests.wargame.kit import Kit, hexset, hx, names, shown, unit

KIT = Kit("kharkov43")
PACK = KIT.pack
ask, bad = KIT.ask, KIT.bad
GRID = {"shifted": "even", "first_runs": "S", "second_runs": "W"}


def hexes(first: int, last: int, columns: range = range(1, 24)) -> list[str]:
    """Rows `first` to `last` of the printed numbering."""
    return [f"{r:02d}{c:02d}" for r in range(first, last + 1) for c in columns]


def board(
    rows: tuple[int, int] = (15, 22),
    columns: range = range(1, 24),
    *,
    features: Mapping[str, str] | None = None,
    rivers: Mapping[str, str] | None = None,
    roads: Sequence[str] | None = None,
    german_edge: str = "",
    soviet_edge: str = "",
    exits: str = "",
    areas: Mapping[str, str] | None = None,
    arrows: list[dict[str, str]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A clear board; terrain and the rest by hex number."""
    found = dict(features or {})
    for n in exits.split():
        found[n] = f"{found.get(n, '')} road_exit"
    return kit.board(
        hexes(*rows, columns),
        GRID,
        features=found,
        sides=rivers,
        links=[("road", path) for path in roads or ()],
        areas={**(areas or {}), "german_edge": german_edge, "soviet_edge": soviet_edge},
        arrows=arrows or [],
        **more,
    )


def german(unit: str, at: str, faces: str = "3-4 2-4", type: str = "infantry", corps: str = "XL", **more: Any) -> Any:
    return {"id": unit, "at": at, "faces": faces, "type": type, "formation": corps, **more}


def soviet(unit: str, at: str, faces: str = "3-4 2-4", type: str = "infantry", army: str = "6", **more: Any) -> Any:
    return {"id": unit, "at": at, "faces": faces, "type": type, "formation": army, **more}


def panzer(unit: str, at: str, faces: str = "5-6 3-6", corps: str = "XL", **more: Any) -> Any:
    return german(unit, at, faces, "armor", corps, **more)


def tanks(unit: str, at: str, faces: str = "5-6 3-6", army: str = "Popov", **more: Any) -> Any:
    return soviet(unit, at, faces, "armor", army, **more)


def position(**doc: Any) -> Board:
    doc.setdefault("board", board())
    found: Board = KIT.position(**doc)
    return found


def reach(g: Board, name: str, mode: str = "regular") -> dict[str, float]:
    """The hexes a unit may end its move in, with their cost in movement points."""
    found = ask(g, "moves", unit=name, mode=mode)["reach"]
    return {h: r["cost"] for h, r in found.items()}


def refusal(g: Board, name: str, to: str, mode: str = "regular") -> str:
    """The rule that forbids a move."""
    found = ask(g, "moves", unit=name, mode=mode, to=to)
    assert not found["legal"]
    return str(found["refusal"]["rule"])


__all__ = [
    "KIT",
    "PACK",
    "ask",
    "bad",
    "board",
    "german",
    "hexes",
    "hexset",
    "hx",
    "names",
    "panzer",
    "position",
    "reach",
    "refusal",
    "shown",
    "soviet",
    "tanks",
    "unit",
]
