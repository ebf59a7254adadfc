"""Recorded play is played again, step by step the same."""

from __future__ import annotations

import json

import pytest

from tests.playthroughs import same

from .playthroughs import FILE, SEEDS, TURNS, play, play_turn

KEPT = json.loads(FILE.read_text())


@pytest.mark.golden
@pytest.mark.parametrize("seed", SEEDS)
def test_a_crowded_board_plays_the_same(seed: int) -> None:
    same(KEPT[str(seed)], play(seed))


@pytest.mark.golden
@pytest.mark.parametrize(("scenario", "seed"), TURNS)
def test_a_turn_of_a_scenario_plays_the_same(scenario: str, seed: int) -> None:
    same(KEPT[f"{scenario} {seed}"], play_turn(scenario, seed))
