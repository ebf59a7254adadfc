"""What happened is told in chapters: completely, once, the same however often and in however many pieces it is asked
for, in every game.
"""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
import pytest

from kessel.bots import RandomPlayer, player
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.record import parse_record
from kessel.core.registry import GAMES, installed
from kessel.core.telling import Recap, Telling
from kessel.core.title import MARCH, title

STEPS = 160
NAMES = sorted(installed(GAMES))
every_game = pytest.mark.parametrize("game", NAMES)
_PLAYED: dict[str, Game] = {}


def played(game: str) -> Game:
    if game not in _PLAYED:
        t = title(game)
        playing = Game.new(game, next(s.id for s in t.scenarios(Pack(game)) if s.first), seed=b"telling")
        program = RandomPlayer(3)
        while not playing.over and len(playing.entries) < STEPS:
            playing.play(program.choose(t, playing.board, playing.side))
        _PLAYED[game] = playing
    return _PLAYED[game]


def until(playing: Game, number: int) -> Game:
    """The game as it was after some actions."""
    found = copy.copy(playing)
    found.entries = playing.entries[:number]
    return found


def told(playing: Game, side: int | None = None, since: int = 0) -> Recap:
    return Telling(playing, side, since, lambda event: True).recap()


def as_text(recap: Recap) -> bytes:
    return msgspec.json.encode(recap)


def test_a_counter_that_hides_its_steps_again_has_lost_none() -> None:
    """korsun44 4.4.4: strength chits lie open while odds are determined."""
    t = title("korsun44")
    playing = Game.new("korsun44", "tinovka", seed=5)
    bots = [player("korsun44", "greedy", n) for n in (1, 2)]
    for _ in range(240):
        playing.play(bots[playing.side].choose(t, t.known_to(playing.board, playing.side), playing.side))
    recap = told(playing, 0)
    said = [line.event["what"] for c in recap.chapters for line in c.lines]
    steps = sum("loses a step" in what or "is eliminated" in what for what in said)
    assert any("attack" in what for what in said)
    assert sum(recap.sums.lost.values()) <= steps


@every_game
def test_every_event_stands_in_one_chapter_in_its_order(game: str) -> None:
    playing = played(game)
    recap = told(playing)
    lines = [(line.entry, json.dumps(line.event)) for c in recap.chapters for line in c.lines]
    events = [(n, json.dumps(e)) for n, x in enumerate(playing.entries, start=1) for e in x.events]
    assert sorted(lines) == sorted([(0, json.dumps(e)) for e in playing.opening] + events)
    for chapter in recap.chapters:
        numbers = [line.entry for line in chapter.lines]
        assert numbers == sorted(numbers)
        assert chapter.title
        assert "{" not in chapter.title
    shown: dict[int, list[Any]] = {}
    for line in (line for c in recap.chapters for line in c.lines):
        shown.setdefault(line.entry, []).extend(line.dice)
    for n, x in enumerate(playing.entries, start=1):
        if x.events:
            assert sorted(shown[n]) == sorted((r.sides, r.value) for r in x.dice if not r.secret or playing.over)


@every_game
def test_told_in_pieces_or_after_a_replay_it_is_the_same(game: str) -> None:
    playing = played(game)
    whole = as_text(told(playing, 0, 10))
    again = Game.replay(parse_record(playing.record.text().encode()))
    assert as_text(told(again, 0, 10)) == whole
    some = until(playing, 20)
    telling = Telling(some, 0, 10, lambda event: True)
    for n in (21, 40, 41, len(playing.entries)):
        telling.recap()
        some.entries = playing.entries[:n]
    assert as_text(telling.recap()) == whole


@every_game
def test_the_changes_lead_from_the_first_board_to_the_last(game: str) -> None:
    playing = played(game)
    for side in playing.title.played:
        recap = told(playing, side, 5)
        pieces = {p.id: p for p in playing.title.view(playing.at(5), side).pieces}
        changes = [*recap.changes, *(c for x in recap.chapters for c in x.changes)]
        for change in sorted(changes, key=lambda c: c.entry):
            if change.after is None:
                pieces.pop(change.unit, None)
            else:
                pieces[change.unit] = change.after
        assert pieces == {p.id: p for p in playing.title.view(playing.board, side).pieces}


@every_game
def test_what_a_side_did_itself_in_its_turn_is_not_told_to_it(game: str) -> None:
    playing = played(game)
    t = playing.title
    for side in t.played:
        for number in range(1, len(playing.entries), 7):
            g = playing.at(number - 1)
            entry = playing.entries[number - 1]
            if entry.side != side or t.turn_of(g) != side or len(entry.events) > 1:
                continue
            recap = Telling(until(playing, number), side, number - 1, lambda event: True).recap()
            own = [c for c in recap.chapters if c.kind == MARCH and c.side == t.sides[side]]
            assert not own, (number, entry.text)
