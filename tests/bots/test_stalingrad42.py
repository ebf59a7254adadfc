"""The program that plays Stalingrad '42: quick parts of games with it on either side."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from typing import Any, NamedTuple

import pytest

from kessel.bots import levels, player
from kessel.core.board import NOWHERE
from kessel.core.game import Game
from kessel.core.procedure import asked, legal, push, run
from kessel.core.title import title
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.supply.railheads import RailroadRepair
from kessel.games.stalingrad42.turn.victory import victory_points

GAME = "stalingrad42"


class Played(NamedTuple):
    game: Game
    spent: dict[tuple[int, int], float]
    """CPU seconds by player turn."""
    verbs: Counter[tuple[int, str]]
    """How often each side did what."""


def play(programs: tuple[str, str], seed: int, *, turns: int, steps: int = 4000) -> Played:
    """Play until that turn is over; every choice is checked."""
    t = title(GAME)
    game = Game.new(GAME, "fall-blau", seed=seed)
    spent: dict[tuple[int, int], float] = defaultdict(float)
    verbs: Counter[tuple[int, str]] = Counter()
    sides = [player(GAME, name, seed) for name in programs]
    for _ in range(steps):
        if game.over or game.board.turn > turns:
            break
        side = asked(game.board)
        who = sides[side]
        begun = time.process_time()
        action = who.choose(t, t.known_to(game.board, side), side)
        spent[game.board.turn, side] += time.process_time() - begun
        assert who.reason
        assert "\n" not in who.reason
        assert action in legal(game.board)
        verbs[side, action[0]] += 1
        game.play(action, side)
    return Played(game, spent, verbs)


def test_it_is_offered():
    assert levels(GAME) == ["random", "recruit", "regular", "elite"]


@pytest.mark.parametrize(("opponent", "turns"), [("random", 2), ("greedy", 1)])
def test_it_plays_listed_actions_and_gives_reasons(opponent: str, turns: int):
    game, spent, verbs = play(("greedy", opponent), 5, turns=turns)
    assert game.board.turn > turns
    assert game.board.faults() == []
    assert max(spent.values()) < 10
    assert verbs[0, "declare"] >= 4
    assert verbs[0, "move"] >= 20


def test_it_holds_what_random_attacks():
    game, _, verbs = play(("random", "greedy"), 6, turns=2)
    assert victory_points(game.board).total <= 0
    assert verbs[1, "eliminate"] == 0


def test_it_repairs_with_four_railheads_by_two_hexes_each():
    """17.2.1, where no Soviet unit is in the way."""
    game = Game.new(GAME, "fall-blau", seed=1)
    g: Any = game.board
    for u in [u for u in g.forces.units_of[SOVIET] if g.on_map(u)]:
        g.move(u, NOWHERE)
    g.changed()
    g.stack = [RailroadRepair()]
    run(g)
    before, who, made = Counter(g.railheads), player(GAME, "greedy", 1), 0
    while g.stack:
        push(g, who.choose(game.title, g, AXIS))
        made += 1
    assert made == 8
    assert sum((before - Counter(g.railheads)).values()) == 4
