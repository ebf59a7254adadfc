"""The program that plays Strike of the Heron: parts of games with it on either side."""

from __future__ import annotations

import pytest

from kessel.bots import player
from kessel.bots.don42.plans import far_from, to_enemy
from kessel.core.game import Game
from kessel.core.procedure import asked, legal
from kessel.core.title import title
from kessel.games.don42.board import Board
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.lab.simulate import play


def some_turns(scenario: str, programs: tuple[str, str], turns: int, seed: int = 1) -> Game:
    """Play so many turns; every choice of the programs is checked."""
    game = Game.new("don42", scenario, seed=seed)
    last = game.board.turn + turns
    sides = [player("don42", level, seed + i) for i, level in enumerate(programs)]
    while not game.over and game.board.turn < last:
        side = asked(game.board)
        action = sides[side].choose(title("don42"), game.board, side)
        assert action in legal(game.board)
        game.play(action, side)
    return game


@pytest.mark.parametrize("scenario", ["crossing-the-don", "kotluban", "short-game", "freestyle"])
def test_greedy_plays_every_scenario(scenario: str) -> None:
    game = some_turns(scenario, ("greedy", "greedy"), 2)
    assert title("don42").faults(game.board) == []


@pytest.mark.parametrize(("programs", "winner"), [(("greedy", "random"), "german"), (("random", "greedy"), "soviet")])
def test_greedy_beats_random(programs: tuple[str, str], winner: str) -> None:
    played = play("don42", "crossing-the-don", programs, 3)
    assert played.winner == winner
    assert max(played.points.values()) > 4 * min(played.points.values())


def test_distances_are_distances() -> None:
    game = Game.new("don42", "crossing-the-don", seed=1)
    g = game.board
    assert isinstance(g, Board)
    grid = g.map.grid
    here = grid.hex("1801")
    assert all(far_from(g, here)[h] == grid.distance(here, h) for h in grid.hexes)
    enemies = [g.place[u] for u in g.units_on_map(SOVIET)]
    nearest = to_enemy(g, GERMAN)
    assert all(nearest[h] == min(grid.distance(h, e) for e in enemies) for h in grid.hexes)


@pytest.mark.rule("don42", "17.1.5.06")
def test_greedy_brings_389_division_back_and_off_the_map() -> None:
    game = some_turns("crossing-the-don", ("greedy", "greedy"), 9, seed=0)
    g = game.board
    left = [e["what"] for entry in game.entries for e in entry.events if e["rule"] == "17.1.5"]
    assert left
    assert [g.id(u) for u in g.forces.of("389Div") if g.on_map(u)] == []


@pytest.mark.rule("don42", "17.2.2.a")
def test_greedy_withdraws_35_guards() -> None:
    game = some_turns("kotluban", ("greedy", "greedy"), 2, seed=0)
    g = game.board
    told = [e for entry in game.entries for e in entry.events if e["rule"] == "17.2.2"]
    left = {e["unit"] for e in told if "leaves the map" in e["what"]}
    assert left == {"35Gds-1", "35Gds-2", "35Gds-3"}
    assert not any(g.on_map(u) for u in g.forces.of("35Gds"))
