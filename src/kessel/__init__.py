"""Kessel: operational wargames of the Eastern Front with every rule enforced and every answer explained.

>>> import kessel
>>> game = kessel.new("don42", "short-game", seed=1)
>>> game.play(game.legal_texts()[0]).text
'pass'
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kessel.core.errors import BadInput, IllegalAction
from kessel.core.pack import Pack, pack_of
from kessel.core.record import parse_record, read_record
from kessel.core.title import Title, titles
from kessel.library import Game, analyze

__all__ = ["BadInput", "Game", "IllegalAction", "Pack", "Title", "analyze", "games", "load", "new", "replay"]


class _Games:
    """The games there are, by id: `kessel.games()`. The package of that name is reached through it as usual."""

    def __call__(self) -> dict[str, Title]:
        return titles()

    def __getattr__(self, name: str) -> Any:
        return getattr(_package, name)


_package = importlib.import_module("kessel.games")
games = _Games()


def new(
    game: str,
    scenario: str,
    *,
    seed: int | bytes | None = None,
    options: Mapping[str, str] | None = None,
    packs: tuple[Path, ...] | None = None,
) -> Game:
    """A game at its first decision. Without a seed the dice are anybody's guess; `packs` are folders of own data."""
    return Game.new(game, scenario, seed=seed, options=options, pack=pack_of(game, packs) if packs else None)


def load(path: str | os.PathLike[str]) -> Game:
    """A game from its record in a file, with every action, die and digest checked."""
    return Game.replay(read_record(Path(path)), where=str(path))


def replay(text: str | bytes) -> Game:
    """A game from the text of its record, with every action, die and digest checked."""
    return Game.replay(parse_record(text.encode() if isinstance(text, str) else text))
