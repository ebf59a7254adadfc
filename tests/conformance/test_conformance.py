"""What every game must keep, at any decision that random play reaches. One suite for all games and scenarios."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import copy
from fractions import Fraction
from functools import lru_cache

import msgspec
import pytest

from kessel.bots import RandomPlayer
from kessel.core import snapshot
from kessel.core.action import Notation
from kessel.core.board import Board
from kessel.core.dice import NeedRoll, Scripted
from kessel.core.errors import IllegalAction
from kessel.core.facts import kept_facts
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import apply, asked, legal, outcomes, push
from kessel.core.record import parse_record
from kessel.core.registry import GAMES, installed
from kessel.core.title import title, titles
from kessel.core.verbs import Choice

STEPS = 240
CHECK_EVERY = 12
MOST_OUTCOMES = 220
NAMES = [(t.id, s.id) for t in titles().values() for s in t.scenarios(Pack(t.id))]
UNFINISHED = [t for t in map(title, sorted(installed(GAMES))) if not t.finished]
NAMES += [(t.id, t.scenarios(Pack(t.id))[0].id) for t in UNFINISHED]
every_scenario = pytest.mark.parametrize(("game", "scenario"), NAMES, ids=["/".join(n) for n in NAMES], scope="module")
"""All tests of a scenario stand together: what one has played the next need not play again."""
pytestmark = pytest.mark.skipif(not NAMES, reason="there is no game yet")


def decisions(game: str, scenario: str, seed: int = 1, steps: int = STEPS) -> Iterator[Game]:
    """A game at every twelfth decision of a random playout."""
    playing = Game.new(game, scenario, seed=b"conformance %d" % seed)
    program = RandomPlayer(seed)
    for n in range(steps):
        if playing.over:
            return
        if n % CHECK_EVERY == 0:
            yield playing
        playing.play(program.choose(playing.title, playing.board, playing.side))


@lru_cache(maxsize=1)
def moments(game: str, scenario: str) -> list[Game]:
    """The same decisions, for tests that change nothing about them."""
    found = []
    for playing in decisions(game, scenario):
        found.append(copy(playing))
        found[-1].board, found[-1].entries = playing.board.copy(), [*playing.entries]
    return found


@every_scenario
def test_there_is_a_legal_action_and_listing_changes_nothing(game: str, scenario: str) -> None:
    for playing in moments(game, scenario):
        before = playing.board.digest()
        assert legal(playing.board)
        assert legal(playing.board) == legal(playing.board)
        assert playing.board.digest() == before


@every_scenario
def test_a_copy_plays_on_identically_and_shares_nothing(game: str, scenario: str) -> None:
    for playing in moments(game, scenario):
        before = playing.board.digest()
        a, b = playing.board.copy(), playing.board.copy()
        for n in range(15):
            if not a.stack:
                break
            actions = legal(a)
            action = random.Random(n).choice(actions)
            push(a, action)
            push(b, action)
            assert a.digest() == b.digest()
        assert playing.board.digest() == before


@every_scenario
def test_a_saved_board_loads_equal(game: str, scenario: str) -> None:
    fresh = Game.new(game, scenario, seed=1).board
    for playing in moments(game, scenario):
        doc = msgspec.json.decode(msgspec.json.encode(snapshot.save(playing.board)))
        same = snapshot.load(doc, fresh, playing.title.procedures)
        assert same.digest() == playing.board.digest()
        assert legal(same) == playing.legal()


@every_scenario
def test_the_procedures_of_a_loaded_game_are_the_very_classes(game: str, scenario: str) -> None:
    for playing in moments(game, scenario):
        known = playing.title.procedures
        assert all(known[type(p).__name__] is type(p) for p in playing.board.stack)


@every_scenario
def test_kept_facts_are_those_of_the_position(game: str, scenario: str) -> None:
    for playing in decisions(game, scenario, seed=7):
        playing.legal()
        anew = playing.board.copy()
        anew.changed()
        for make, args, found in kept_facts(playing.board):
            assert same(make(anew, *args), found), (make.__name__, args)


def same(a: object, b: object) -> bool:
    """Equal; boards on which something is supposed have the same units in the same places."""
    return a.place == b.place if isinstance(a, Board) and isinstance(b, Board) else a == b


@every_scenario
def test_lists_and_refusals_agree(game: str, scenario: str) -> None:
    """For every verb about one unit or one hex, all units or hexes of the board are asked about."""
    for playing in decisions(game, scenario, seed=8, steps=3 * STEPS):
        g = playing.board
        p, step = g.stack[-1], g.stack[-1].step
        if not isinstance(step, Choice):
            continue
        listed = set(playing.legal())
        for verb in step.verbs.values():
            if verb.why_not is None:
                continue
            for args in everything(g, playing.title.notation, verb.name):
                refused = verb.why_not(p, g, *args)
                assert (refused is None) == ((verb.name, *args) in listed), (verb.name, args, refused)


def everything(g: Board, notation: Notation, verb: str) -> Iterator[tuple[int, ...]]:
    """The arguments of a verb about nothing, one unit or one place."""
    kinds = [word for word, kind in notation.verbs[verb].slots if kind is not None]
    if not kinds:
        yield ()
    elif kinds == ["unit"]:
        yield from ((u,) for u in range(len(g.forces)))
    elif kinds in (["hex"], ["place"]):
        yield from ((h,) for h in g.map.grid.hexes)


@every_scenario
def test_every_action_can_be_written_and_read_back(game: str, scenario: str) -> None:
    for playing in moments(game, scenario):
        for action in playing.legal()[:300]:
            assert playing.parse(playing.text(action)) == action


@every_scenario
def test_what_is_not_listed_is_refused_and_changes_nothing(game: str, scenario: str) -> None:
    earlier: list[tuple[object, ...]] = [("pass", 1), ("surrender",)]
    for playing in moments(game, scenario):
        before = playing.board.digest()
        now = playing.legal()
        for action in earlier:
            if action not in now:
                with pytest.raises(IllegalAction):
                    apply(playing.board, action)
        with pytest.raises(IllegalAction):
            apply(playing.board, now[0], side=7)
        assert playing.board.digest() == before
        earlier = [*earlier[-30:], *now[:10]]


@every_scenario
def test_undo_is_offered_only_where_it_is_honest(game: str, scenario: str) -> None:
    playing = Game.new(game, scenario, seed=2)
    program = RandomPlayer(2)
    for _ in range(STEPS):
        if playing.over:
            break
        before, who, reveals = playing.board.digest(), playing.side, playing.board.reveals
        action = program.choose(playing.title, playing.board, playing.side)
        told = playing.undoable(action)
        entry = playing.play(action)
        honest = not entry.dice and playing.board.reveals == reveals and playing.side == who
        assert playing.can_undo == honest == told
        if honest:
            playing.undo()
            assert playing.board.digest() == before
            playing.play(action)


@every_scenario
def test_a_view_hides_what_is_hidden(game: str, scenario: str) -> None:
    for playing in moments(game, scenario):
        t = playing.title
        for side in t.played:
            other = t.known_to(playing.board, side)
            assert msgspec.json.encode(t.view(other, side)) == msgspec.json.encode(t.view(playing.board, side))
        seed = playing.record.header.seed
        for seat in (*t.played, None):
            assert seed not in msgspec.json.encode(playing.view(seat)).decode()


@every_scenario
def test_a_record_replays_to_the_same_position(game: str, scenario: str) -> None:
    *_, playing = decisions(game, scenario)
    same = Game.replay(parse_record(playing.record.text().encode()))
    assert same.board.digest() == playing.board.digest()
    assert [e.dice for e in same.entries] == [e.dice for e in playing.entries]


@every_scenario
def test_no_faults(game: str, scenario: str) -> None:
    for playing in decisions(game, scenario, seed=3):
        assert playing.title.faults(playing.board) == []


@every_scenario
def test_the_ways_the_dice_can_fall_sum_to_one(game: str, scenario: str) -> None:
    checked = looked = 0
    for playing in decisions(game, scenario, seed=4, steps=2 * STEPS):
        for action in playing.legal()[:6]:
            h = playing.board.copy()
            h.dice = Scripted(())
            try:
                push(h, action)
                continue
            except NeedRoll:
                total, seen = Fraction(0), set()
            for weight, dice, _ in outcomes(playing.board, action):
                total += weight
                seen.add(dice)
                if len(seen) > MOST_OUTCOMES:
                    break
            else:
                assert total == 1
                real = playing.board.copy()
                real.dice.take()
                push(real, action)
                assert tuple(r.value for r in real.dice.take()) in seen
                checked += 1
            looked += len(seen)
            if checked >= 4 or looked > 2 * MOST_OUTCOMES:
                return


@every_scenario
@pytest.mark.slow
def test_the_game_ends(game: str, scenario: str) -> None:
    playing = Game.new(game, scenario, seed=5)
    program = RandomPlayer(5)
    for _ in range(200_000):
        if playing.over:
            break
        push(playing.board, program.choose(playing.title, playing.board, asked(playing.board)))
    assert playing.over
    assert playing.outcome() is not None
