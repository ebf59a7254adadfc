"""Recorded play is played again, step by step the same."""

from __future__ import annotations

import json

import pytest

from tests.playthroughs import same

from .playthroughs import FILE, ROUNDS, SCENARIOS, SEEDS, SIDES, play, play_round, play_turn

KEPT = json.loads(FILE.read_text())


@pytest.mark.golden
@pytest.mark.parametrize("seed", SEEDS)
def test_a_crowded_board_plays_the_same(seed: int):
    same(KEPT[str(seed)], play(seed))


@pytest.mark.golden
@pytest.mark.parametrize(("scenario", "turn", "side"), SCENARIOS)
def test_a_turn_of_a_scenario_plays_the_same(scenario: str, turn: int, side: int):
    same(KEPT[f"{scenario} {turn} {SIDES[side]}"], play_turn(scenario, turn, side))


@pytest.mark.golden
@pytest.mark.parametrize("seed", ROUNDS)
def test_a_round_on_a_scattered_board_plays_the_same(seed: int):
    same(KEPT[f"round {seed}"], play_round(seed))
