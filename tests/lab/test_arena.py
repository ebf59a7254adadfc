"""The arena's statistics, against values worked out otherwise."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from kessel.lab.arena.matches import Match, Pair, Played, score_pair
from kessel.lab.arena.plots import histogram, intervals
from kessel.lab.arena.ratings import NO_SIDES, PRIOR, SCALE, Game, fit, rate
from kessel.lab.arena.report import BEGIN, END, put_into
from kessel.lab.arena.series import kept_pairs, margins_by_side, margins_of_pairs
from kessel.lab.arena.sprt import Test as Sprt
from kessel.lab.arena.sprt import counted, elo_of, interval, likeliest, llr, score_of


def test_elo_and_score() -> None:
    assert score_of(0) == 0.5
    assert score_of(400) == pytest.approx(10 / 11)
    assert elo_of(score_of(123.0)) == pytest.approx(123.0)


def test_likeliest_frequencies_are_the_best_of_all() -> None:
    """By trying: of all frequencies of three kinds with that mean none makes the shares likelier."""
    shares, mean = {0.0: 0.2, 0.5: 0.5, 1.0: 0.3}, 0.62
    found = likeliest(shares, mean)
    assert sum(found.values()) == pytest.approx(1)
    assert sum(k * p for k, p in found.items()) == pytest.approx(mean)

    def likelihood(p: dict[float, float]) -> float:
        return sum(n * math.log(p[k]) for k, n in shares.items())

    tried = []
    for i in range(1, 10_000):
        half = i / 10_000
        one = mean - half / 2
        none = 1 - half - one
        if none > 0 and one > 0:
            tried.append(likelihood({0.0: none, 0.5: half, 1.0: one}))
    assert likelihood(found) == pytest.approx(max(tried), abs=1e-6)
    assert likelihood(found) >= max(tried) - 1e-12


def test_llr_of_wins_and_losses_is_that_of_the_plain_test() -> None:
    """Where every pair is 2:0 or 0:2 it is Wald's test of a share."""
    s0, s1 = score_of(0), score_of(100)
    by_hand = 30 * math.log(s1 / s0) + 12 * math.log((1 - s1) / (1 - s0))
    assert llr({0.0: 12, 1.0: 30}, 0, 100) == pytest.approx(by_hand, abs=0.02)


def test_llr_is_even_between_equals() -> None:
    assert llr({0.0: 9, 0.5: 40, 1.0: 9}, -50, 50) == pytest.approx(0, abs=1e-6)
    assert llr({0.0: 9, 0.5: 40, 1.0: 12}, -50, 50) > 0 > llr({0.0: 12, 0.5: 40, 1.0: 9}, -50, 50)


def test_bounds() -> None:
    low, high = Sprt().bounds
    assert (low, high) == (pytest.approx(-2.944, abs=1e-3), pytest.approx(2.944, abs=1e-3))


@pytest.mark.parametrize(("truth", "wanted"), [(0.0, "not stronger"), (80.0, "stronger")])
def test_the_test_errs_rarely(truth: float, wanted: str) -> None:
    """Series of pairs, half of them 1:1 whoever plays, drawn with a known strength: at most one verdict in ten is
    wrong (one in twenty is meant, and the bounds are passed by a little)."""
    chance, wrong, test = random.Random(4), 0, Sprt(0, 80)
    won = score_of(truth)
    for _ in range(60):
        counts: dict[float, float] = {}
        verdict = "open"
        while verdict == "open":
            one, two = chance.random() < won, chance.random() < won
            s = (one + two) / 2
            counts[s] = counts.get(s, 0) + 1
            if sum(counts.values()) % 5 == 0:
                verdict = test.verdict(counts)
        wrong += verdict != wanted
    assert wrong <= 6


def test_interval_of_few_equal_scores_is_wide() -> None:
    mean, low, high = interval([1.0, 1.0, 1.0])
    assert mean == 1.0
    assert low < 0.65
    mean, low, high = interval([0.5] * 400)
    assert mean == 0.5
    assert high - low < 0.02
    assert interval([]) == (0.5, 0.0, 1.0)


def test_counted_kinds() -> None:
    assert counted([0.5, 0.5, 1.0, 0.25]) == {0.5: 2, 1.0: 1, 0.25: 1}


# --- ratings ---------------------------------------------------------------------------------------------------------


def test_ratings_of_three_to_one() -> None:
    games = [Game("a", "b", NO_SIDES, 1.0)] * 3000 + [Game("a", "b", NO_SIDES, 0.0)] * 1000
    elo, _ = fit(games, "b")
    assert elo["a"] == pytest.approx(400 * math.log10(3), abs=1)
    assert elo["b"] == 0


def test_rating_and_advantage_are_the_most_likely_ones() -> None:
    """By trying all ratings and advantages: two programs, one scenario whose first side is stronger."""
    games = [Game("a", "b", "s", 1.0)] * 9 + [Game("a", "b", "s", 0.0)] * 1
    games += [Game("b", "a", "s", 1.0)] * 6 + [Game("b", "a", "s", 0.0)] * 4

    def likelihood(lead: float, side: float) -> float:
        first, second = score_of(lead + side), score_of(-lead + side)
        prior = (2 * (lead / 2) ** 2 + side**2) / 2 / PRIOR**2
        return 9 * math.log(first) + math.log(1 - first) + 6 * math.log(second) + 4 * math.log(1 - second) - prior

    best = max((likelihood(x, y), x, y) for x in range(0, 300, 2) for y in range(0, 500, 2))
    elo, side = fit(games, "b")
    assert elo["a"] == pytest.approx(best[1], abs=2)
    assert side["s"] == pytest.approx(best[2], abs=2)
    assert pytest.approx(173.7, abs=0.1) == SCALE


def drawn(strength: dict[str, float], side: float, pairs: int, seed: int) -> list[list[Game]]:
    """Pairs with known strengths and advantage."""
    chance, names = random.Random(seed), sorted(strength)
    found = []
    for _ in range(pairs):
        a, b = chance.sample(names, 2)
        both = []
        for x, y in ((a, b), (b, a)):
            won = chance.random() < score_of(strength[x] - strength[y] + side)
            both.append(Game(x, y, "s", float(won)))
        found.append(both)
    return found


def test_known_strengths_are_found() -> None:
    true = {"greedy": 0.0, "weak": -150.0, "same": 0.0}
    found = rate(drawn(true, 120.0, 900, 1), "greedy", draws=60)
    assert list(found.players)[-1] == "weak"
    for name, elo in true.items():
        r = found.players[name]
        assert r.low - 15 <= elo <= r.high + 15
    assert found.players["weak"].high < 0
    assert found.players["same"].low < 0 < found.players["same"].high
    assert found.advantages["s"].elo == pytest.approx(120, abs=30)
    assert found.players["greedy"].low == found.players["greedy"].high == 0
    for score, expected, _ in found.residuals.values():
        assert score == pytest.approx(expected, abs=0.06)


def test_one_that_won_all_has_a_finite_rating() -> None:
    elo, _ = fit([Game("a", "b", "s", 1.0), Game("b", "a", "s", 0.0)] * 20, "b")
    assert 400 < elo["a"] < 2500


# --- pairs -----------------------------------------------------------------------------------------------------------


def played(winner: int, margin: float) -> Played:
    return Played(winner, "", margin, 10, "rules", ((0.1,), (0.2,)))


def match(game: str, scenario: str, players: tuple[str, ...], seed: int) -> Match:
    return Match(game, scenario, players, seed, "pack", "code")


def test_the_score_of_a_pair() -> None:
    pair = Pair("don42", "short-game", "a", "b", 1)
    both = score_pair(pair, played(0, 30.0), played(1, 10.0))
    assert (both.games, both.score, both.better) == ((1.0, 1.0), 1.0, 20.0)
    none = score_pair(pair, played(1, 0.0), played(-1, 10.0))
    assert (none.games, none.score) == ((0.0, 0.5), 0.25)


def test_a_solitaire_game_is_won_by_the_better_result() -> None:
    pair = Pair("kharkov43", "initial-assault", "a", "b", 1)
    assert score_pair(pair, played(0, 3.0), played(-1, 5.0)).games == (1.0,)
    assert score_pair(pair, played(-1, 3.0), played(-1, 5.0)).games == (0.0,)
    assert score_pair(pair, played(-1, 5.0), played(-1, 5.0)).games == (0.5,)
    assert score_pair(pair, played(-1, 7.0), played(-1, 5.0)).better == 2.0


def test_an_id_is_of_all_that_determines_a_game() -> None:
    one = match("don42", "short-game", ("a", "b"), 1)
    others = [
        match("don42", "short-game", ("b", "a"), 1),
        match("don42", "short-game", ("a", "b"), 2),
        match("don42", "kotluban", ("a", "b"), 1),
        Match("don42", "short-game", ("a", "b"), 1, "other", "code"),
        Match("don42", "short-game", ("a", "b"), 1, "pack", "other"),
    ]
    assert len({m.id for m in [one, *others]}) == 6
    assert one.id == match("don42", "short-game", ("a", "b"), 1).id


def test_margins_count_against_the_reference_in_the_same_place() -> None:
    kept = [
        (match("don42", "s", ("greedy", "greedy"), 1), played(0, 40.0)),
        (match("don42", "s", ("new", "greedy"), 1), played(0, 60.0)),
        (match("don42", "s", ("greedy", "new"), 1), played(0, 30.0)),
        (match("don42", "s", ("new", "greedy"), 2), played(0, 99.0)),
    ]
    assert margins_by_side(kept, "new", "greedy") == {("don42/s", 0): [20.0], ("don42/s", 1): [10.0]}


def test_margins_of_pairs() -> None:
    kept = [
        (match("don42", "s", ("a", "b"), 1), played(0, 60.0)),
        (match("don42", "s", ("b", "a"), 1), played(0, 45.0)),
        (match("don42", "s", ("b", "a"), 2), played(0, 5.0)),
        (match("don42", "s", ("a", "a"), 1), played(0, 5.0)),
    ]
    assert margins_of_pairs(kept) == {("a", "b", "don42/s"): [15.0]}


def test_games_of_one_seed_hang_together() -> None:
    kept = [
        (match("don42", "s", ("a", "b"), 1), played(0, 1.0)),
        (match("don42", "s", ("b", "a"), 1), played(0, 1.0)),
        (match("don42", "s", ("a", "b"), 2), played(0, 1.0)),
        (match("kharkov43", "k", ("a",), 1), played(0, 1.0)),
        (match("kharkov43", "k", ("b",), 1), played(-1, 1.0)),
    ]
    groups = kept_pairs(kept)
    assert sorted(len(x) for x in groups) == [1, 1, 2]
    assert Game("a", "b", NO_SIDES, 1.0) in [x for several in groups for x in several]


def test_the_ladder_is_put_between_its_marks(tmp_path: Path) -> None:
    at = tmp_path / "opponents.md"
    at.write_text(f"# Opponents\n\n{BEGIN}\nold\n{END}\n\nThe end.\n")
    put_into(at, "new")
    assert at.read_text() == f"# Opponents\n\n{BEGIN}\nnew\n{END}\n\nThe end.\n"


def test_plots_show_every_row() -> None:
    svg = intervals([("greedy", 0.0, 0.0, 0.0), ("a<b", 30.0, 10.0, 55.0)], "Ratings")
    assert svg.count("<circle") == 2
    assert "a&lt;b" in svg
    assert histogram([1.0, 2.0, -3.0], "Margins").count("<rect") == 24
