"""The course of a game by turns, and a series of games kept as tables."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.core.title import titles
from kessel.lab.keep import check_out, games_of, turns_of, write_tables
from kessel.lab.simulate import Result, play_game, simulate
from kessel.report.course import losses
from tests.lab.played import followed

SMALL = ("bug41", "ustyluh", ("random", "random"))


@pytest.fixture(scope="module")
def series() -> list[Result]:
    return simulate(*SMALL, games=3, verify=False)


def test_a_row_for_every_turn_and_the_last_is_the_end(series: list[Result]) -> None:
    for r in series:
        assert [t.turn for t in r.turns] == [1, 2, 3][: len(r.turns)]
        assert r.turns[-1].actions == r.steps
        assert r.turns[-1].points == r.points["german"]
        for a, b in zip(r.turns, r.turns[1:], strict=False):
            assert all(x <= y for x, y in zip(a.lost, b.lost, strict=True))


def test_losses_are_what_is_missing_from_the_map() -> None:
    """In this game nobody leaves but by dying, and nobody is replaced."""
    result, game = play_game(*SMALL, 5, verify=False)
    begun, forces = Game.new(*SMALL[:2], seed=5).board, game.board.forces
    gone = [
        sum(begun.steps[u] - game.board.steps[u] for u in range(len(forces)) if forces.side[u] == s) for s in (0, 1)
    ]
    assert result.turns[-1].lost == gone
    assert all(gone)


def test_a_unit_that_only_leaves_the_map_has_lost_nothing() -> None:
    game = Game.new("kharkov43", "star-and-gallop", seed=1)
    g = game.board
    u = next(u for u in range(len(g.forces)) if g.on_map(u) and g.steps[u] > 1)
    before, name = (bytes(g.steps), bytes(g.place)), g.id(u)
    g.move(u, -1)
    assert losses(g, *before, [{"what": f"{name} returns to reserve", "unit": name}]) == {}
    assert losses(g, *before, [{"what": f"{name} is eliminated", "unit": name}]) == {u: before[0][u]}


@pytest.mark.parametrize("game", [t.id for t in titles().values()])
def test_every_game_has_a_course(game: str) -> None:
    played, rows = followed(game)
    assert rows[-1].actions == len(played.entries)
    assert all(n > 0 for n in (*rows[0].units, *rows[0].steps))
    assert rows[0].owners
    ours, theirs = (int(x, 16) for x in rows[0].front)
    assert ours & theirs == 0
    assert 0 < ours.bit_count() < len(played.board.map.grid) > theirs.bit_count() > 0


def test_kept_in_sqlite(series: list[Result], tmp_path: Path) -> None:
    file = tmp_path / "series.sqlite"
    check_out(file)
    tables = {"games": list(games_of(*SMALL, series)), "turns": list(turns_of(*SMALL, series))}
    assert write_tables(file, tables) == [file]
    assert write_tables(file, tables) == [file]  # a second time replaces the first
    with sqlite3.connect(file) as db:
        games = db.execute("SELECT seed, winner, actions, points_german FROM games ORDER BY seed").fetchall()
        assert games == [(r.seed, r.winner, r.steps, r.points["german"]) for r in series]
        last = "SELECT points, lost_german, cut_off_soviet FROM turns WHERE seed = 1 ORDER BY turn DESC LIMIT 1"
        end = series[1].turns[-1]
        assert db.execute(last).fetchone() == (end.points, end.lost[0], end.cut_off[1])
    db.close()
    assert [p.name for p in tmp_path.iterdir()] == ["series.sqlite"]


def test_kept_in_parquet(series: list[Result], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'kessel[parquet]'")
    tables = {"games": list(games_of(*SMALL, series)), "turns": list(turns_of(*SMALL, series))}
    games, turns = write_tables(tmp_path / "series.parquet", tables)
    assert parquet.read_table(games).to_pylist() == tables["games"]
    assert parquet.read_table(turns).to_pylist() == tables["turns"]


@pytest.mark.parametrize("name", ["series.csv", "series", "nowhere/series.sqlite"])
def test_what_cannot_be_kept_is_said_before_anything_is_played(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        check_out(tmp_path / name)
