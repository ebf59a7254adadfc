"""Small boards and positions for rule tests. Positions go through the same door as hand-written JSON ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from kessel.core.analysis import answer, decode
from kessel.core.breakdown import Refusal
from kessel.core.dice import Scripted
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure, apply, legal, run, why_not
from kessel.games.don42.answers.position import PositionDoc, from_position
from kessel.games.don42.board import Board
from kessel.games.don42.notation import NOTATION
from kessel.games.don42.title import TITLE

PACK = Pack("don42")


def disc(radius: int = 6) -> list[str]:
    """Axial names of all hexes at most that far from 0,0."""
    span = range(-radius, radius + 1)
    return [f"{q},{r}" for q in span for r in span if abs(q + r) <= radius]


def board(
    radius: int = 6,
    *,
    terrain: dict[str, str] | None = None,
    features: dict[str, list[str]] | None = None,
    sides: dict[str, str] | None = None,
    roads: Sequence[tuple[str, str]] = (),
    areas: dict[str, str] | None = None,
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
        "areas": areas or {},
    }


def homeland(radius: int = 6, **more: Any) -> dict[str, Any]:
    """A board with a minor road from 0,-r to 0,r whose northern end is a Soviet supply source."""
    road = " ".join(f"0,{r}" for r in range(-radius, radius + 1))
    features = {f"0,{-radius}": ["soviet_source"], **more.pop("features", {})}
    roads = [("minor_road", road), *more.pop("roads", ())]
    return board(radius, features=features, roads=roads, **more)


def hq62(at: str = "0,-4", **more: Any) -> dict[str, Any]:
    return sov("HQ62A", at, "0-1-8", type="hq", size="army", **more)


def ger(id: str, at: str, faces: str = "4-4-10", **more: Any) -> dict[str, Any]:
    """A German unit of your own: a trucked battalion rated A of 16 Pz unless told otherwise."""
    base = {"type": "trucked_infantry", "size": "battalion", "quality": "A", "motorized": True, "corps": "14PzC"}
    return {"id": id, "at": at, "faces": faces, "side": "german", **base, "division": "16Pz", **more}


def sov(id: str, at: str, faces: str = "3-4-5", **more: Any) -> dict[str, Any]:
    """A Soviet unit of your own: a rifle brigade rated C of 62 Army unless told otherwise."""
    base = {"type": "infantry", "size": "brigade", "quality": "C", "army": "62A"}
    return {"id": id, "at": at, "faces": faces, "side": "soviet", **base, **more}


def document(units: Iterable[dict[str, Any]] = (), on: dict[str, Any] | str | None = None, **fields: Any) -> bytes:
    doc = {"game": "don42", "units": list(units), **fields}
    if on is None:
        doc["board"] = board()
    elif isinstance(on, dict):
        doc["board"] = on
    return msgspec.json.encode(doc)


def pos(*units: dict[str, Any], on: dict[str, Any] | str | None = None, **fields: Any) -> Board:
    """The board of a position; `on="printed"` takes the game's own map."""
    return from_position(decode(document(units, on, **fields), PositionDoc), PACK)


def ask(g: Board, question: str, **fields: Any) -> dict[str, Any]:
    return answer(TITLE, g, msgspec.json.encode({"question": question, **fields}))


def u(g: Board, name: str) -> int:
    return g.forces.unit(name)


def at(g: Board, name: str) -> str:
    return g.place_name(g.place[u(g, name)])


def h(g: Board, name: str) -> int:
    return g.map.grid.hex(name)


def texts(g: Board) -> list[str]:
    return [NOTATION.text(g, a) for a in legal(g)]


def do(g: Board, *actions: str, dice: Sequence[int] = ()) -> Board:
    """Carry out actions, each checked; the dice fall as told."""
    if dice:
        g.dice = Scripted(dice)
    for text in actions:
        apply(g, NOTATION.parse(g, text))
    return g


def start(g: Board, procedure: Procedure, dice: Sequence[int] = ()) -> Board:
    """Let a procedure run until somebody is asked."""
    g.stack = [procedure]
    g.dice = Scripted(dice)
    run(g)
    return g


def refusal(g: Board, text: str) -> Refusal:
    found = why_not(g, NOTATION.parse(g, text))
    assert found is not None, f"{text} is legal"
    return found


def word(g: Board, name: str) -> str:
    """DRG, DPT, RTD or nothing."""
    from kessel.games.don42.combat.retreat import WORDS

    return WORDS.get(g.disorder(u(g, name)), "")


_FRESH: dict[tuple[Any, ...], Board] = {}


def fresh(scenario: str, seed: int = 1, **options: str) -> Board:
    """The board of a scenario at its first decision."""
    key = (scenario, seed, *sorted(options.items()))
    if key not in _FRESH:
        g = Game.new("don42", scenario, seed=seed, options=options, pack=PACK).board
        assert isinstance(g, Board)
        _FRESH[key] = g
    return _FRESH[key].copy()
