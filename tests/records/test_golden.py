from __future__ import annotations

import pytest

from kessel.core.game import Game
from kessel.core.record import read_record

from .golden import path_of, record_of, scenarios

pytestmark = pytest.mark.golden
NAMES = scenarios()


@pytest.mark.parametrize(("game", "scenario"), NAMES, ids=["/".join(n) for n in NAMES])
def test_the_same_game_is_played_again(game: str, scenario: str) -> None:
    """Every action, die and digest as kept; after a wanted change of rules or data: make golden."""
    kept = path_of(game, scenario).read_text().splitlines()
    now = record_of(game, scenario).splitlines()
    for number, (old, new) in enumerate(zip(kept, now, strict=False), start=1):
        assert new == old, f"line {number} differs"
    assert len(now) == len(kept)


@pytest.mark.parametrize(("game", "scenario"), NAMES, ids=["/".join(n) for n in NAMES])
def test_a_kept_record_replays(game: str, scenario: str) -> None:
    path = path_of(game, scenario)
    assert len(Game.replay(read_record(path), where=path.name).entries) > 50
