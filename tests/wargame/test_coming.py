"""What the schedule holds for the turns to come: from this turn on, in words, the same in every game."""

from __future__ import annotations

import pytest

from kessel.core.game import Game

GAMES = [
    ("stalingrad42", "fall-blau"),
    ("kharkov43", "campaign"),
    ("don42", "kotluban"),
    ("korsun44", "campaign"),
    ("bug41", "campaign"),
]


@pytest.mark.parametrize(("game", "scenario"), GAMES)
def test_what_comes_is_told_by_turn_in_words(game: str, scenario: str) -> None:
    playing = Game.new(game, scenario, seed=1)
    now = next(t.value for t in playing.view(None).table.tracks if t.name.lower().endswith("turn"))
    found = playing.title.coming(playing.board)
    assert found
    assert [c.turn for c in found] == sorted(c.turn for c in found)
    for c in found:
        assert c.turn >= now
        assert c.side in playing.title.sides
        assert "_" not in c.what
