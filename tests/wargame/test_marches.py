"""Stacks that go together, and attacks carried on to their die: found from listed actions, the same in every game."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import pytest

from kessel.core.game import Game
from kessel.core.procedure import PASS, options

GAMES = [
    ("stalingrad42", "fall-blau"),
    ("kharkov43", "initial-assault"),
    ("don42", "short-game"),
    ("korsun44", "tinovka"),
    ("bug41", "ustyluh"),
]
EAGER = ("activate", "play", "corps")
"""What brings a game on that does not move or attack by itself."""


def brought_to(game: str, scenario: str, verbs: tuple[str, ...], least: int) -> Game:
    """A game at a question with so many choices of these verbs."""
    playing = Game.new(game, scenario, seed=1)
    for _ in range(600):
        listed = list(options(playing.board))
        if sum(a[0] in verbs for a in listed) >= least:
            return playing
        eager = next((a for a in listed if a[0] in EAGER), None)
        declared = next((a for a in listed if a[0] == "attack"), None)
        playing.play(eager or declared or (PASS if PASS in listed else listed[0]))
    raise AssertionError(f"no {verbs} in {game}")


def stack_of(playing: Game) -> list[str]:
    """The most units in one hex that may move now."""
    view = playing.view(playing.side)
    assert view.question is not None
    named = [c for c in view.question.choices if c.verb == "move"]
    movers = {c.unit or (c.units[0] if len(c.units) == 1 else "") for c in named}
    by_place: dict[str, list[str]] = defaultdict(list)
    for piece in view.table.pieces:
        if piece.id in movers:
            by_place[piece.place].append(piece.id)
    return max(by_place.values(), key=len)


@pytest.mark.parametrize(("game", "scenario"), GAMES)
def test_a_stack_goes_together_where_all_of_it_can_go(game: str, scenario: str) -> None:
    playing = brought_to(game, scenario, ("move",), 4)
    units, before = stack_of(playing), playing.board.digest()
    known = playing.title.known_to(playing.board, playing.side)
    reach = playing.title.march(known, units, "").places
    assert reach
    to = reach[len(reach) // 2]
    found = playing.title.march(known, units, to)
    assert found.way["path"][-1] == to
    assert found.way["cost"] > 0
    assert playing.board.digest() == before
    for action in found.do:
        playing.play(action)
    after = {p.id: p.place for p in playing.view(playing.side).table.pieces}
    came = [u for u in units if u not in found.left]
    assert came
    assert {after[u] for u in came} == {to}
    assert not set(found.left) & {u for u in units if after[u] == to}
    assert list(options(playing.board)) != [("halt",)], "nobody is asked to halt who can do nothing else"


def test_a_unit_that_has_used_all_its_movement_is_halted() -> None:
    playing = brought_to("korsun44", "tinovka", ("move",), 4)
    unit = "133.40A"
    known = playing.title.known_to(playing.board, playing.side)
    farthest = {to: playing.title.march(known, [unit], to) for to in playing.title.march(known, [unit], "").places}
    spent = [m for m in farthest.values() if m.way["cost"] == max(m.way["cost"] for m in farthest.values())]

    assert any(m.do[-1] == ("halt",) for m in spent)
    assert any(m.do[-1] != ("halt",) for m in farthest.values())


def test_where_nobody_can_go_nothing_is_done() -> None:
    playing = brought_to("kharkov43", "initial-assault", ("move",), 4)
    units = stack_of(playing)
    known = playing.title.known_to(playing.board, playing.side)
    here = next(p.place for p in playing.view(playing.side).table.pieces if p.id == units[0])
    found = playing.title.march(known, units, here)
    assert (found.do, found.left) == ([], units)


ATTACKS = {"korsun44": ("combat",), "bug41": ("hasty",)}


@pytest.mark.parametrize(("game", "scenario"), GAMES)
def test_ways_end_with_a_die_or_an_answer_of_the_enemy(game: str, scenario: str) -> None:
    verbs = ATTACKS.get(game, ("attack",))
    playing = brought_to(game, scenario, verbs, 1)
    attack = next(a for a in options(playing.board) if a[0] in verbs)
    if not playing.undoable(attack):
        known = playing.title.known_to(playing.board, playing.side)
        ways = playing.title.ways(known, attack)
        assert [w.says.split()[0].lower() for w in ways] == [w.do[0][0] for w in ways]
    else:
        for action in playing.title.plan(playing.board, attack) or [attack]:
            playing.play(action)
        known = playing.title.known_to(playing.board, playing.side)
        ways = [w for a in options(playing.board) for w in playing.title.ways(known, a)]
        assert ways or game == "korsun44", "a hex without supply or guns beside it has nothing to be asked"
    side = playing.side
    for way in ways:
        tried = Game.replay(playing.record)
        for action in way.do[:-1]:
            assert not tried.play(action).dice
            assert tried.side == side
        assert tried.play(way.do[-1]).dice or tried.side != side


@pytest.mark.parametrize(("game", "scenario"), GAMES)
def test_any_march_may_be_asked_for_at_any_question(game: str, scenario: str) -> None:
    """Where a die would have to fall first, nobody goes anywhere; the board asked about stays as it was."""
    playing, rng = Game.new(game, scenario, seed=5), random.Random(1)
    for _ in range(60):
        if playing.over:
            break
        g: Any = playing.board
        before = g.digest()
        standing = [u for u in range(len(g.forces)) if g.map.is_hex(g.place[u])]
        for n in (1, 2):
            units = [g.forces.ids[u] for u in rng.sample(standing, n)]
            to = rng.choice(("", g.place_name(g.place[rng.choice(standing)])))
            found = playing.title.march(playing.title.known_to(g, playing.side), units, to)
            assert not found.do or set(found.left) < set(units)
        assert g.digest() == before
        listed = list(options(g))
        playing.play(PASS if PASS in listed and rng.random() < 0.5 else rng.choice(listed))
