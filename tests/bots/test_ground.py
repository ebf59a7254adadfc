"""What holds for every program: it sees what its side may see, its numbers are data, its memory is its own."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

import kessel
from kessel.bots import RandomPlayer, decide, player
from kessel.bots.player import Player
from kessel.bots.program import Memory, Program
from kessel.core.board import Board
from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.core.procedure import Action, asked, push
from kessel.core.registry import PLAYERS, installed
from kessel.core.title import Title, title

SHORT = {
    "bug41": "voinitsa",
    "don42": "short-game",
    "kharkov43": "star-and-gallop",
    "korsun44": "lysyanka",
    "stalingrad42": "fall-blau",
}
GAMES = [game for game in SHORT if game in installed(PLAYERS)]
OPENING = 60
LONG = {"kharkov43": 20}
"""Decisions of half a rollout: forty, and fewer where one is half a turn of the system."""


def fresh(t: Title) -> dict[int, Player]:
    return {side: player(t.id, "greedy", 5 + side) for side in t.played}


@cache
def opened(game: str) -> Board:
    """The board some decisions into a game."""
    t, g = title(game), Game.new(game, SHORT[game], seed=3).board
    programs = fresh(t)
    for _ in range(OPENING):
        push(g, decide(programs[asked(g)], t, g, asked(g)))
    return g


def roll_out(t: Title, g: Board, programs: dict[int, Player], steps: int) -> list[Action]:
    """Play on a board outright, as a search does."""
    done = []
    for _ in range(steps):
        if not g.stack:
            break
        side = asked(g)
        done.append(programs[side].choose(t, g, side))
        push(g, done[-1])
    return done


@pytest.mark.parametrize("game", GAMES)
def test_two_rollouts_from_one_position_play_alike(game: str) -> None:
    """Also when they take turns, so that either would find what the other remembered."""
    t, g, half = title(game), opened(game), LONG.get(game, 40)
    alone = g.copy()
    wanted = roll_out(t, alone, fresh(t), 2 * half)
    a, b = g.copy(), g.copy()
    first, second = fresh(t), fresh(t)
    done = roll_out(t, a, first, half)
    other = roll_out(t, b, second, 2 * half)
    done += roll_out(t, a, first, half)
    assert done == other == wanted
    assert a.digest() == b.digest() == alone.digest()


@pytest.mark.parametrize("game", GAMES)
def test_a_program_leaves_its_board_as_it_is(game: str) -> None:
    t, g = title(game), opened(game).copy()
    programs = fresh(t)
    for _ in range(40):
        before = g.digest()
        action = programs[asked(g)].choose(t, g, asked(g))
        assert g.digest() == before
        push(g, action)


@pytest.mark.parametrize("game", GAMES)
def test_numbers_are_data(game: str) -> None:
    program = player(game, "greedy")
    assert isinstance(program, Program)
    assert program.numbers is not None
    name = fields(program.numbers)[0].name
    changed = player(game, f"greedy?{name}=7.5")
    assert isinstance(changed, Program)
    assert changed.changes == {name: 7.5}
    with pytest.raises(BadInput, match="no number 'luck'"):
        player(game, "greedy?luck=1")
    with pytest.raises(BadInput, match="name=value"):
        player(game, f"greedy?{name}")


def test_orders_count_for_their_formation_alone() -> None:
    program = player("don42", "greedy?risk=0.5")
    assert isinstance(program, Program)
    assert program.numbers is not None
    base = program.numbers()
    program.order({"62A": {"hold": 9}})
    assert (program.tuned(base, "62A").hold, program.tuned(base, "62A").risk) == (9, 0.5)
    assert program.tuned(base, "64A").hold == base.hold
    program.order({})
    assert program.tuned(base, "62A").hold == base.hold


def test_the_oldest_is_forgotten() -> None:
    memory, made = Memory(2), []
    for key in "aabcca":
        memory.keep(key, lambda key=key: made.append(key) or key)
    assert made == ["a", "b", "c", "a"]


class Nosy:
    """Notes what it is given."""

    reason = ""

    def __init__(self) -> None:
        self.boards: list[Board] = []

    def choose(self, t: Title, g: Board, side: int) -> Action:
        self.boards.append(g)
        return RandomPlayer(1).choose(t, g, side)


@pytest.mark.parametrize("game", GAMES)
def test_programs_get_what_their_side_may_know_and_other_dice(game: str) -> None:
    t, g = title(game), opened(game)
    side, nosy = asked(g), Nosy()
    before = g.digest()
    decide(nosy, t, g, side)
    decide(nosy, t, g, side)
    assert g.digest() == before
    for given in nosy.boards:
        assert given is not g
        assert given.dice.seed != g.dice.seed
        assert given.digest() == t.known_to(g, side).digest()
        assert [given.dice.roll(1000) for _ in range(3)] != [g.copy().dice.roll(1000) for _ in range(3)]


SOURCE = Path(kessel.__file__).parent
ASKS = re.compile(r"\.choose\((t|title|self\.title|m\.title|game\.title|playing\.title),")
MAY_ASK = {
    *("bots/player.py", "table/worker.py", "bots/levels.py", "bots/search/player.py", "bots/search/trials.py"),
    *("bots/search/tactics.py", "bots/advice.py", "bots/wanted.py"),
}
"""The one way, the process that is sent what a side may know, programs that ask another with the board they were given
so, and advice and wanted attacks, which are given such a board."""


def test_programs_are_asked_in_one_way() -> None:
    found = {str(p.relative_to(SOURCE)) for p in SOURCE.rglob("*.py") if ASKS.search(p.read_text())}
    assert found == MAY_ASK
