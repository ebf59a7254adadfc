"""The course of Stalingrad '42: what is counted, kept and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from kessel.lab import calibrate_stalingrad42 as lab
from kessel.lab.calibrate_stalingrad42 import Course


def test_a_series_is_kept_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "games.jsonl"
    words = ["--bots", "random:random", "--keep", str(kept)]
    lab.main([*words, "--games", "1"])
    first = kept.read_bytes()
    lab.main([*words, "--games", "2"])
    assert kept.read_bytes().startswith(first), "the first game is not played again"
    one, two = lab.series("fall-blau", ("random", "random"), range(2), kept)
    assert (one.seed, two.seed) == (0, 1)
    for c in (one, two):
        assert sorted(c.vp) == sorted(c.repaired) == list(range(1, c.ended + 1))
        assert c.winner in ("axis", "soviet")
        assert all(0 < n <= 4 and n <= c.moved[turn] <= 2 * n for turn, n in c.used.items() if n)
        assert sum(c.moved.values()) > 0, "17.2.1 even at random some Railhead moves"
    told = capsys.readouterr().out
    assert "2 games" in told


def test_the_figures_by_turn() -> None:
    made = [
        Course(0, "axis", "victory", 2, {1: 0, 2: 4}, {1: 8, 2: 4}, {1: 4, 2: 2}, {1: 8, 2: 12}),
        Course(1, "soviet", "victory", 1, {1: -2}, {}, {}, {1: 1}),
    ]
    lines = lab.report(made).splitlines()
    assert "won: axis: 1, soviet: 1" in lines
    assert lines[-2] == "| 1 | 2 | 2.0 | 4.0 | 1 to 8, median 4.5 | -2 to 0, median -1 |"
    assert lines[-1] == "| 2 | 1 | 2.0 | 4.0 | 12 to 12, median 12 | 4 to 4, median 4 |"
