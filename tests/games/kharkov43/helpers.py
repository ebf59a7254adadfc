"""Small positions for rule tests: the numbers of the printed map on a bare piece of it."""

from __future__ import annotations

from typing import Any

import msgspec

from kessel.core.analysis import answer, decode
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.pack import Pack
from kessel.games.kharkov43.answers import questions
from kessel.games.kharkov43.answers.position import PositionDoc, from_position
from kessel.games.kharkov43.board import Board

PACK = Pack("kharkov43", overlays=())
GRID = {"shifted": "even", "first_runs": "S", "second_runs": "W"}


def hexes(first: int, last: int, columns: range = range(1, 24)) -> list[str]:
    """Rows `first` to `last` of the printed numbering."""
    return [f"{r:02d}{c:02d}" for r in range(first, last + 1) for c in columns]


def board(
    rows: tuple[int, int] = (15, 22),
    columns: range = range(1, 24),
    *,
    terrain: dict[str, str] | None = None,
    features: dict[str, str] | None = None,
    vp: dict[str, int] | None = None,
    rivers: dict[str, str] | None = None,
    roads: list[str] | None = None,
    german_edge: str = "",
    soviet_edge: str = "",
    exits: str = "",
    areas: dict[str, str] | None = None,
    arrows: list[dict[str, str]] | None = None,
) -> dict[str, Any]:
    """A clear board; terrain and the rest by hex number."""
    cells: dict[str, dict[str, Any]] = {n: {"terrain": "clear"} for n in hexes(*rows, columns)}
    for n, t in (terrain or {}).items():
        cells[n]["terrain"] = t
    for n, words in (features or {}).items():
        cells[n]["features"] = words.split()
    for n in exits.split():
        cells[n].setdefault("features", []).append("road_exit")
    for n, v in (vp or {}).items():
        cells[n]["vp"] = v
    zones = dict(areas or {})
    zones["german_edge"], zones["soviet_edge"] = german_edge, soviet_edge
    return {
        "grid": GRID,
        "hexes": cells,
        "hexsides": {k: [v] for k, v in (rivers or {}).items()},
        "links": [{"kind": "road", "path": p} for p in roads or []],
        "areas": zones,
        "arrows": arrows or [],
    }


def german(unit: str, at: str, faces: str = "3-4 2-4", type: str = "infantry", corps: str = "XL", **more: Any) -> Any:
    return {"id": unit, "at": at, "faces": faces, "type": type, "formation": corps, **more}


def soviet(unit: str, at: str, faces: str = "3-4 2-4", type: str = "infantry", army: str = "6", **more: Any) -> Any:
    return {"id": unit, "at": at, "faces": faces, "type": type, "formation": army, **more}


def panzer(unit: str, at: str, faces: str = "5-6 3-6", corps: str = "XL", **more: Any) -> Any:
    return german(unit, at, faces, "armor", corps, **more)


def tanks(unit: str, at: str, faces: str = "5-6 3-6", army: str = "Popov", **more: Any) -> Any:
    return soviet(unit, at, faces, "armor", army, **more)


def position(**doc: Any) -> Board:
    doc.setdefault("game", "kharkov43")
    doc.setdefault("board", board())
    raw = msgspec.json.encode(doc)
    return from_position(decode(raw, PositionDoc), PACK)


def ask(g: Board, question: str, **more: Any) -> dict[str, Any]:
    class Questions:
        id = "kharkov43"
        questions = QUESTIONS

    return answer(Questions, g, msgspec.json.encode({"question": question, **more}))  # type: ignore[arg-type]


QUESTIONS = questions.QUESTIONS


def hx(g: Board, name: str) -> Hex:
    return g.map.grid.hex(name)


def names(g: Board, s: int) -> set[str]:
    return set(g.map.grid.names(members(s)))


def unit(g: Board, name: str) -> int:
    return g.forces.unit(name)


def reach(g: Board, name: str, mode: str = "regular") -> dict[str, float]:
    """The hexes a unit may end its move in, with their cost in movement points."""
    found = ask(g, "moves", unit=name, mode=mode)["reach"]
    return {h: r["cost"] for h, r in found.items()}


def refusal(g: Board, name: str, to: str, mode: str = "regular") -> str:
    """The rule that forbids a move."""
    found = ask(g, "moves", unit=name, mode=mode, to=to)
    assert not found["legal"]
    return str(found["refusal"]["rule"])
