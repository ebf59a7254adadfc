"""Random play never comes back to a position it was in: whatever can be chosen leads on."""

from __future__ import annotations

import pytest

from kessel.bots import RandomPlayer
from kessel.core.game import Game

RULES = {"trucks": "on", "fords": "on", "partisans": "on", "bridge_collapse": "on", "sdm_relay": "on"}


@pytest.mark.parametrize(("scenario", "seed"), [("kapitanovka", 8), ("lysyanka", 1), ("campaign", 2)])
def test_random_play_never_goes_round_in_circles(scenario: str, seed: int) -> None:
    playing = Game.new("korsun44", scenario, seed=seed, options=RULES)
    program = RandomPlayer(seed)
    seen = {playing.board.digest()}
    while not playing.over and len(playing.entries) < 600:
        playing.play(program.choose(playing.title, playing.board, playing.side))
        digest = playing.board.digest()
        assert digest not in seen, [e.text for e in playing.entries[-8:]]
        seen.add(digest)
