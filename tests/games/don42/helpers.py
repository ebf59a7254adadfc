"""Small boards and positions for rule tests. Positions go through the same door as hand-written JSON ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kessel.games.don42.board import Board
from tests.wargame import kit
from tests.wargame.kit import Kit, at, disc, start
from tests.wargame.kit import hx as h
from tests.wargame.kit import unit as u

KIT = Kit("don42")
PACK, TITLE = KIT.pack, KIT.title
ask, do, fresh, refusal, texts = KIT.ask, KIT.do, KIT.fresh, KIT.refusal, KIT.texts


def board(
    radius: int = 6, *, roads: Sequence[tuple[str, str]] = (), areas: dict[str, str] | None = None, **more: Any
) -> dict[str, Any]:
    """An axial board, clear but for what is said. `roads` are (kind, path)."""
    return kit.board(disc(radius), {"numbering": "axial"}, links=roads, areas=areas or {}, **more)


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
    return KIT.document(units=list(units), **_board(on), **fields)


def pos(*units: dict[str, Any], on: dict[str, Any] | str | None = None, **fields: Any) -> Board:
    """The board of a position; `on="printed"` takes the game's own map."""
    found: Board = KIT.position(units=list(units), **_board(on), **fields)
    return found


def _board(on: dict[str, Any] | str | None) -> dict[str, Any]:
    return {} if isinstance(on, str) else {"board": board() if on is None else on}


def word(g: Board, name: str) -> str:
    """DRG, DPT, RTD or nothing."""
    from kessel.games.don42.combat.retreat import WORDS

    return WORDS.get(g.disorder(u(g, name)), "")


__all__ = [
    "KIT",
    "PACK",
    "TITLE",
    "ask",
    "at",
    "board",
    "disc",
    "do",
    "document",
    "fresh",
    "ger",
    "h",
    "homeland",
    "hq62",
    "pos",
    "refusal",
    "sov",
    "start",
    "texts",
    "u",
    "word",
]
