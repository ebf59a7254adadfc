"""One recorded game per scenario, played by random programs.

`make golden` writes them anew after a wanted change; `python -m tests.records.golden GAME ...` only some games'.
"""

from __future__ import annotations

import sys
from pathlib import Path

from kessel.bots import RandomPlayer
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import titles

FOLDER = Path(__file__).parent
ACTIONS = 500
SEED = b"golden"


def scenarios() -> list[tuple[str, str]]:
    return [(t.id, s.id) for t in titles().values() for s in t.scenarios(Pack(t.id))]


def path_of(game: str, scenario: str) -> Path:
    return FOLDER / f"{game}-{scenario}.kessel"


def record_of(game: str, scenario: str) -> str:
    """The record of the first five hundred actions, or of the whole game if it is shorter."""
    playing = Game.new(game, scenario, seed=SEED)
    program = RandomPlayer(1)
    while not playing.over and len(playing.entries) < ACTIONS:
        playing.play(program.choose(playing.title, playing.board, playing.side))
    return playing.record.text()


if __name__ == "__main__":
    wanted = sys.argv[1:] or list(titles())
    for game, scenario in scenarios():
        if game in wanted:
            path_of(game, scenario).write_text(record_of(game, scenario))
