"""Recorded play is played again, step by step the same."""

from __future__ import annotations

import json

import pytest

from tests.playthroughs import same

from .playthroughs import FILE, SCENARIOS, SEEDS, SET_UPS, play, play_turn, set_up

KEPT = json.loads(FILE.read_text())


@pytest.mark.golden
@pytest.mark.parametrize("seed", SEEDS)
def test_a_crowded_board_plays_the_same(seed: int):
    same(KEPT[str(seed)], play(seed))


@pytest.mark.golden
@pytest.mark.parametrize(("scenario", "turn", "begin"), SCENARIOS)
def test_a_turn_of_a_scenario_plays_the_same(scenario: str, turn: str, begin: str):
    same(KEPT[f"{scenario} {turn} {begin}"], play_turn(scenario, turn, begin))


@pytest.mark.golden
@pytest.mark.parametrize(("scenario", "automatic"), SET_UPS)
def test_a_free_set_up_goes_the_same(scenario: str, automatic: float):
    same(KEPT[f"{scenario} {automatic}"], set_up(scenario, automatic))
