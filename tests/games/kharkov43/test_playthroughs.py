"""Recorded play is played again, step by step the same."""

from __future__ import annotations

import json

import pytest

from tests.playthroughs import same

from .playthroughs import FILE, SCENARIOS, SEEDS, play, play_scenario

KEPT = json.loads(FILE.read_text())


@pytest.mark.golden
@pytest.mark.parametrize("seed", SEEDS)
def test_a_crowded_board_plays_the_same(seed: int):
    same(KEPT[str(seed)], play(seed))


@pytest.mark.golden
@pytest.mark.parametrize("i", range(len(SCENARIOS)))
def test_a_scenario_plays_the_same(i: int):
    scenario, turn = SCENARIOS[i]
    same(KEPT[f"{i} {scenario} {turn}"], play_scenario(i))
