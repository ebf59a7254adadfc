"""Fitted evaluations: known weights are found again, and a judge that knows more foretells better."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kessel.bots import player
from kessel.bots.don42.parts import PARTS
from kessel.bots.don42.worth import WORTH, worth
from kessel.bots.search.worth import Weight, Worth
from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.lab.arena.fit import Row, advantage, fit, gather, held_out, parts_of, read_rows, rows_of_game


def made(games: int, noise: float) -> list[Row]:
    """Rows of games whose margin is points, and three times what is left of the hidden strength."""
    rng, found = random.Random(7), []
    for seed in range(games):
        strength = rng.gauss(0, 10)
        for turn in range(1, 9):
            left = (9 - turn) / 8
            points = rng.gauss(0, 5)
            margin = 2 + points + 3 * left * strength + rng.gauss(0, noise)
            found.append(Row(seed, turn, left, {"points": points, "strength": strength}, margin))
    return found


def test_known_weights_are_found_again() -> None:
    w = fit(made(200, 1.0), "anything")
    assert (w.games, w.positions) == (200, 1600)
    assert all(x.at(left) >= 0 for x in w.parts.values() for left in (0, 1))
    assert w.base.at(0.5) == pytest.approx(2, abs=0.3)
    assert (w.parts["points"].at(1), w.parts["points"].at(0)) == pytest.approx((1, 1), abs=0.1)
    assert (w.parts["strength"].at(1), w.parts["strength"].at(0)) == pytest.approx((3, 0), abs=0.1)


def test_who_knows_more_foretells_better() -> None:
    told = held_out(made(60, 5.0), "anything")
    for plain, fitted in zip(told["points"], told["fitted"], strict=True):
        assert plain.turns == fitted.turns
        assert fitted.error < plain.error
        assert fitted.log_loss < plain.log_loss
        assert fitted.correlation > plain.correlation
    mean, error = advantage(made(60, 5.0), "anything")
    assert mean > 3 * error > 0
    assert [x.turns for x in told["fitted"]] == ["1 to 2", "3 to 4", "5 to 6", "7 to 8", "1 to 8"]


def test_a_part_of_noise_gains_nothing_on_games_left_out() -> None:
    rng = random.Random(3)
    rows = [Row(r.seed, r.turn, r.left, {"points": r.parts["points"], "luck": rng.gauss(0, 9)}, r.margin) for r in
            made(60, 5.0)]  # fmt: skip
    told = held_out(rows, "anything")
    assert told["fitted"][-1].error > told["points"][-1].error * 0.995


def test_margins_change_with_the_time_left() -> None:
    w = Worth("x", 1, 1, Weight(1.0, 2.0), {"points": Weight(1.0, -0.5)})
    assert w.margin({"points": 10.0}, 1.0) == 3.0 + 5.0
    assert w.margin({"points": 10.0}, 0.0) == 1.0 + 10.0


def test_rows_come_from_games_and_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of_game("don42", "short-game", 3, "random")
    assert len({r.margin for r in rows}) == 1
    assert [r.turn for r in rows] == sorted(r.turn for r in rows)
    assert rows[0].left == 1.0
    monkeypatch.setattr("kessel.lab.arena.fit.rows_of_game", lambda game, scenario, seed: rows)
    path = tmp_path / "rows.jsonl"
    assert gather(path, "don42", "short-game", [3]) == rows == read_rows(path)
    assert gather(path, "don42", "short-game", [3]) == rows
    with pytest.raises(BadInput, match="do not say what a position consists of"):
        parts_of("stalingrad42")


def test_the_heron_uses_what_was_fitted() -> None:
    g = Game.new("don42", "crossing-the-don", seed=1).board
    assert set(WORTH.parts) == set(PARTS.parts(g))
    assert worth(g, 0) == -worth(g, 1) == WORTH.margin(PARTS.parts(g), PARTS.left(g))  # type: ignore[arg-type]
    assert player("don42", "lookahead?fitted=0").settings.fitted == 0  # type: ignore[attr-defined]
