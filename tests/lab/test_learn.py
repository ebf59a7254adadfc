"""The baseline that learns: only choices that are there, weights that go where more came, the same for a seed."""

from __future__ import annotations

import numpy as np
import pytest

from kessel.lab.environment import Seat
from kessel.lab.learn import Features, Learner, Played, imitate, play_seat, softmax, train, watch


@pytest.fixture(scope="module")
def seat() -> Seat:
    return Seat("bug41", "ustyluh", "german", reward="points")


def test_a_row_for_every_choice_and_no_other(seat: Seat) -> None:
    features = Features(seat)
    seen, info = seat.reset(seed=1)
    rows = features.of(seen)
    assert rows.shape == (info["choices"], features.size)
    verbs = rows.reshape(len(rows), features.verbs, -1)[:, :, 0].argmax(axis=1)
    assert [int(v) for v in verbs] == [int(v) for v in seen["choices"][: len(rows), 0]]
    chances = softmax(rows @ np.zeros(features.size))
    assert np.allclose(chances, 1 / len(rows))


def test_a_game_with_a_policy(seat: Seat) -> None:
    features = Features(seat)
    played = play_seat(seat, features, np.zeros(features.size), 3, np.random.default_rng(1))
    assert len(played.pulls) == len(played.brought) == len(played.stood) > 5
    assert seat.match.over


def test_weights_go_where_more_came() -> None:
    learner, rng = Learner(np.zeros(2)), np.random.default_rng(0)
    rows = np.eye(2)
    for _ in range(60):
        games = []
        for _ in range(4):
            one = Played()
            for _ in range(10):
                chances = softmax(rows @ learner.weights)
                at = int(rng.choice(2, p=chances))
                one.pulls.append(rows[at] - chances @ rows)
                one.open.append(np.zeros(2))
                one.brought.append(float(at) + float(rng.normal()))
                one.stood.append(0.0)
            games.append(one)
        learner.learn(games)
    assert softmax(rows @ learner.weights)[1] > 0.9


def test_it_learns_to_choose_alike(seat: Seat) -> None:
    """Whoever always takes the first choice is soon known for it."""
    features = Features(seat)
    watched = watch(seat, features, 1, 1, level="random")
    watched = [(rows, 0) for rows, _ in watched if len(rows) > 1 and rows[0].any()]
    learner, rng = Learner(np.zeros(features.size)), np.random.default_rng(1)
    before = imitate(learner, watched, 0, rng)
    assert imitate(learner, watched, 20, rng) > 2 * before


def test_the_same_seed_learns_the_same() -> None:
    first, course = train(1, 2, 5, watched=0)
    again, _ = train(1, 2, 5, watched=0)
    assert np.array_equal(first, again)
    assert np.isfinite(first).all()
    assert [x["round"] for x in course] == [1]
