"""Taking back by consent: past dice, which are spent; the record proves it, and a kept game opens the same."""

from __future__ import annotations

import pytest

from kessel.bots import RandomPlayer
from kessel.core.errors import BadInput, BadRecord, WrongRecord
from kessel.core.game import Game
from kessel.core.record import parse_record


def played(game: Game, actions: int, seed: int) -> None:
    program = RandomPlayer(seed)
    for _ in range(actions):
        if not game.over:
            game.play(program.choose(game.title, game.board, game.side))


def test_the_dice_go_on_and_the_record_replays_and_resumes_to_the_same_board() -> None:
    game = Game.new("kharkov43", "initial-assault", seed=3)
    played(game, 90, 1)
    rolled = game.board.dice.count
    assert rolled > 5
    game.take_back(37)
    assert (len(game.entries), game.board.dice.count, game.can_undo) == (37, rolled, False)
    played(game, 60, 2)
    game.take_back(len(game.entries) - 9)
    played(game, 30, 3)
    text = game.record.text()
    assert text.count('"back"') == 2
    for again in (Game.replay(parse_record(text.encode())), Game.resume(game.record, {}, {}, pack=game.pack)):
        assert again.board.digest() == game.board.digest()
        assert again.board.dice.count == game.board.dice.count
        assert again.at(50).digest() == game.at(50).digest()


def test_a_record_without_its_seed_replays_from_the_dice_in_its_lines() -> None:
    game = Game.new("bug41", "ustyluh", seed=3)
    played(game, 40, 1)
    game.take_back(4)
    played(game, 40, 2)
    told = Game.replay(parse_record(game.record.told().encode()))
    assert told.board.digest() == game.board.digest()


def test_more_than_was_done_cannot_be_taken_back() -> None:
    game = Game.new("don42", "short-game", seed=3)
    played(game, 3, 1)
    with pytest.raises(BadInput):
        game.take_back(3)
    with pytest.raises(BadInput):
        game.take_back(-1)
    text = game.record.text()
    with pytest.raises(WrongRecord):
        Game.replay(parse_record((text + '{"back":9}\n').encode()))
    with pytest.raises(BadRecord):
        parse_record((text + '{"back":-1}\n').encode())
