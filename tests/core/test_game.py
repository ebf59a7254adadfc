"""Play, undo, jump, record and replay, on the toy game."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kessel.core import snapshot
from kessel.core.dice import Dice, commitment
from kessel.core.errors import BadInput, BadRecord, IllegalAction, WrongRecord
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.record import parse_record, read_record

from .toy import TOY


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    (tmp_path / "pack.toml").write_text("name = 'toy'\n")
    return Pack("toy", (), tmp_path)


def new(pack: Pack, seed: int = 7) -> Game:
    return Game(TOY, pack, "duel", {}, Dice(seed))


def played(pack: Pack, seed: int = 7) -> Game:
    game, rng = new(pack, seed), random.Random(seed)
    while not game.over:
        game.play(rng.choice(game.legal()))
    return game


def again(game: Game) -> Game:
    return Game.replay(parse_record(game.record.text().encode()), pack=game.pack, game=TOY)


def test_a_move_can_be_taken_back_until_the_other_side_is_asked(pack: Pack) -> None:
    game = new(pack)
    before = game.board.digest()
    assert not game.can_undo
    game.play("move blue 4,0")
    assert game.can_undo
    game.undo()
    assert game.board.digest() == before
    game.play("pass")
    assert not game.can_undo
    with pytest.raises(IllegalAction, match="other side's decision"):
        game.undo()


def fighting(pack: Pack) -> Game:
    game = new(pack)
    for text in ("move blue 4,0", "move blue 3,0", "move red 1,0", "move red 2,0"):
        game.play(text)
    return game


def test_a_die_cannot_be_taken_back_and_that_is_known_before(pack: Pack) -> None:
    game = fighting(pack)
    assert not game.undoable(("fight",))
    game.play("fight")
    assert len(game.entries[-1].dice) == 2
    assert not game.can_undo


def test_replay_gives_the_same_game(pack: Pack) -> None:
    for seed in range(20):
        game = played(pack, seed)
        same = again(game)
        assert same.board.digest() == game.board.digest()
        assert same.record.text() == game.record.text()


def test_undo_is_part_of_the_record(pack: Pack) -> None:
    game = new(pack)
    game.play("move blue 4,0")
    game.undo()
    game.play("pass")
    assert [bool(x.undo) for x in game.record.lines] == [False, True, False]
    assert again(game).board.digest() == game.board.digest()


def test_any_point_can_be_reached(pack: Pack) -> None:
    game, digests = new(pack), []
    rng = random.Random(3)
    while not game.over:
        digests.append(game.board.digest())
        game.play(rng.choice(game.legal()))
    assert [game.at(n).digest() for n in range(len(digests))] == digests
    with pytest.raises(BadInput, match="actions"):
        game.at(len(game.entries) + 1)


def test_a_branch_has_other_dice_and_replays(pack: Pack) -> None:
    game = fighting(pack)
    game.play("fight")
    branch = game.branch(4, seed=99)
    assert branch.board.dice.seed != game.board.dice.seed
    branch.play("fight")
    assert again(branch).board.digest() == branch.board.digest()


def test_a_branch_commits_to_its_dice_too(pack: Pack) -> None:
    game = fighting(pack)
    branch = game.branch(4, seed=99)
    assert branch.pledge == commitment(b"99") == branch.view(0).commitment != game.pledge
    branch.play("fight")
    told = parse_record(branch.record.told().encode())
    assert told.lines[4].commitment == branch.pledge == told.pledge
    assert b"99".hex() not in branch.record.told()
    assert Game.replay(told, pack=pack, game=TOY).board.place == branch.board.place
    whole = again(branch).record
    whole.check_pledge(branch.pledge)
    assert "before line 6 are taken as written" in whole.doubts()
    with pytest.raises(WrongRecord, match="committed to by"):
        whole.check_pledge(game.pledge)
    with pytest.raises(WrongRecord, match="tells no seed"):
        told.check_pledge(branch.pledge)
    forged = branch.record.text().replace(b"99".hex(), b"98".hex())
    with pytest.raises(WrongRecord, match="seed of the branch is not the one"):
        parse_record(forged.encode())


def test_the_dice_come_from_the_seed_and_what_both_players_add() -> None:
    added = {"axis": "a1" * 16, "soviet": "b2" * 16}
    game = Game.new("stalingrad42", "fall-blau", seed=b"secret", entropy=added)
    other = Game.new("stalingrad42", "fall-blau", seed=b"secret", entropy=added | {"axis": "a3" * 16})
    alone = Game.new("stalingrad42", "fall-blau", seed=b"secret")
    assert len({g.board.dice.seed for g in (game, other, alone)}) == 3
    assert {g.record.header.commitment for g in (game, other, alone)} == {commitment(b"secret")}
    assert alone.pledge == commitment(b"secret")
    assert game.pledge.startswith(alone.pledge + ".")
    assert game.pledge != other.pledge
    record = parse_record(game.record.text().encode())
    same = Game.replay(record)
    assert (same.board.dice.seed, same.pledge) == (game.board.dice.seed, game.pledge)
    for noted in (game.pledge, alone.pledge):
        record.check_pledge(noted, added["axis"])
    for noted, mine in ((other.pledge, ""), (commitment(b"other"), ""), (game.pledge, "c3" * 16)):
        with pytest.raises(WrongRecord):
            record.check_pledge(noted, mine)


def test_a_record_without_its_seed_replays_from_its_dice(pack: Pack) -> None:
    game = fighting(pack)
    game.play("fight")
    text = game.record.told()
    assert game.record.header.seed not in text
    same = Game.replay(parse_record(text.encode()), pack=pack, game=TOY)
    assert same.board.place == game.board.place


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.replace("move blue 4,0", "move blue 2,0"), "one hex at a time"),
        (lambda t: t.replace('"side":"blue","do":"move', '"side":"red","do":"move'), "not your decision"),
        (lambda t: t.replace('"pack":"', '"pack":"0'), "other data"),
        (lambda t: t.replace('"seed":"', '"seed":"00'), "committed"),
        (lambda t: t.replace('"kessel":1', '"kessel":9'), "format 9"),
        (lambda t: t.replace('"do"', '"does"'), "unknown field"),
        (lambda t: t.replace("move blue 4,0", "jump blue"), "there is no action"),
        (lambda t: t.replace("blue 4,0", "green 4,0"), "there is no unit green"),
        (lambda t: "", "empty"),
        (lambda t: t[: len(t) // 3], ":1"),
    ],
)
def test_a_damaged_record_is_refused_with_its_line(pack: Pack, change: object, message: str) -> None:
    game = fighting(pack)
    game.play("fight")
    with pytest.raises(BadRecord, match=message) as caught:
        Game.replay(parse_record(change(game.record.text()).encode()), pack=pack, game=TOY)  # type: ignore[operator]
    assert caught.value.where


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ('{"end":{"winner":"blue"}}', "unknown field"),
        ('{"undo":5}', "takes back 1 action, not 5"),
        ('{"undo":-1}', "takes back 1 action, not -1"),
        ('{"undo":1,"side":"blue","do":"wait"}', "either an action"),
        ("{}", "either an action"),
    ],
)
def test_nothing_in_a_line_is_passed_over(pack: Pack, extra: str, message: str) -> None:
    text = fighting(pack).record.text()
    with pytest.raises(BadRecord, match=message) as caught:
        parse_record((text + extra + "\n").encode())
    assert caught.value.where == f"record:{len(text.splitlines()) + 1}"


def test_blank_lines_count_as_lines_of_the_file(pack: Pack) -> None:
    head, *rest = fighting(pack).record.text().splitlines()
    text = "\n".join([head, "", "", *rest, '{"side":"blue","do":"jump blue"}'])
    with pytest.raises(WrongRecord) as caught:
        Game.replay(parse_record(text.encode()), pack=pack, game=TOY)
    assert caught.value.where == f"record:{len(rest) + 4}"


def test_a_later_format_says_so_whatever_fields_it_has(pack: Pack) -> None:
    text = fighting(pack).record.text().replace('"kessel":1', '"kessel":2,"clock":3')
    with pytest.raises(BadRecord, match="this is format 2, known is 1"):
        parse_record(text.encode())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.replace('"scenario":"', '"scenario":"x'), "no scenario"),
        (lambda t: t.replace('"options":{', '"options":{"rain":"on",'), "no option 'rain'"),
    ],
)
def test_a_head_that_names_something_unknown_is_refused_with_its_place(
    pack: Pack, change: object, message: str
) -> None:
    record = parse_record(change(fighting(pack).record.text()).encode())  # type: ignore[operator]
    with pytest.raises(BadRecord, match=message) as caught:
        Game.replay(record, pack=pack, game=TOY)
    assert caught.value.where == "record:1"


@pytest.mark.parametrize(
    "forged",
    [(), ("nope",), ("move",), ("move", 1), ("move", 10**6, 10**6), ("move", None, 2), (None,), 5, None, []],
)
def test_a_forged_action_is_refused_and_changes_nothing(pack: Pack, forged: Any) -> None:
    game = fighting(pack)
    before = game.board.digest(), game.version
    with pytest.raises(IllegalAction):
        game.play(forged)
    assert game.why_not(forged) is not None
    assert (game.board.digest(), game.version) == before


@pytest.mark.parametrize("n", [-1, 99])
def test_a_point_that_the_game_never_reached_is_refused(pack: Pack, n: int) -> None:
    game = fighting(pack)
    with pytest.raises(BadInput, match=f"actions, not {n}"):
        game.branch(n)
    with pytest.raises(BadInput, match=f"actions, not {n}"):
        game.at(n)


def test_a_set_up_with_secret_draws_is_refused_with_its_place() -> None:
    told = Game.new("kharkov43", "initial-assault", seed=1).record.told()
    with pytest.raises(BadRecord, match="secret draws") as caught:
        Game.replay(parse_record(told.encode()))
    assert caught.value.where == "record:1"


def test_dice_said_to_be_secret_are_checked(pack: Pack) -> None:
    game = fighting(pack)
    game.play("fight")
    record = parse_record(game.record.text().encode())
    record.lines[-1].secret = [0]
    with pytest.raises(WrongRecord, match="secret"):
        Game.replay(record, pack=pack, game=TOY)


def test_a_record_says_what_replaying_cannot_prove(pack: Pack) -> None:
    game = fighting(pack)
    game.play("fight")
    assert game.record.doubts() == ""
    assert "no seed" in parse_record(game.record.told().encode()).doubts()
    assert "branch" in game.branch(4, seed=99).record.doubts()


def test_changed_dice_are_found(pack: Pack) -> None:
    game = fighting(pack)
    game.play("fight")
    record = parse_record(game.record.text().encode())
    record.lines[-1].dice = [(6, 1), (6, 1)] if record.lines[-1].dice != [(6, 1), (6, 1)] else [(6, 2), (6, 2)]
    with pytest.raises(BadRecord, match="the dice were"):
        Game.replay(record, pack=pack, game=TOY)


def test_files_are_written_whole_or_not_at_all(pack: Pack, tmp_path: Path) -> None:
    game = played(pack)
    path = tmp_path / "game.kessel"
    game.save(path)
    assert read_record(path).lines == game.record.lines
    with pytest.raises(BadRecord, match="cannot be written"):
        game.save(tmp_path / "nowhere" / "game.kessel")
    with pytest.raises(BadRecord, match="cannot be read"):
        read_record(tmp_path / "none")
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".tmp"] == []


def test_a_view_lists_choices_only_for_the_side_asked(pack: Pack) -> None:
    game = new(pack)
    mine, theirs, nobody = game.view(1), game.view(0), game.view(None)
    assert mine.question is not None
    assert [c.text for c in mine.question.choices] == ["pass", "move blue 4,0"]
    assert mine.question.choices[1].unit == "blue"
    assert mine.question.choices[1].place == "4,0"
    assert theirs.question is not None
    assert theirs.question.choices == []
    assert nobody.question is not None
    assert nobody.question.choices == []
    assert msgspec.json.decode(msgspec.json.encode(mine))["table"]["turn"] == "Turn 1"


def test_unknown_names_are_refused(pack: Pack) -> None:
    with pytest.raises(BadInput, match="no scenario 'x'"):
        Game(TOY, pack, "x", {}, Dice(1))
    with pytest.raises(BadInput, match="no option 'y'"):
        Game(TOY, pack, "duel", {"y": "on"}, Dice(1))
    with pytest.raises(BadInput, match="one of off, on"):
        Game(TOY, pack, "duel", {"fog": "dense"}, Dice(1))
    with pytest.raises(BadInput, match="there is no game"):
        Game.new("chess", "x")
    with pytest.raises(BadInput, match="no side 'green'"):
        TOY.side("green")


def test_boards_are_kept_more_often_where_actions_take_long(pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = played(pack)
    monkeypatch.setattr("kessel.core.game.SNAPSHOT_AFTER", -1.0)
    often = played(pack)
    numbers = range(len(usual.entries) + 1)
    assert sum(usual.snapshot_at(n) is None for n in numbers) > 0
    assert all(often.snapshot_at(n) is not None for n in numbers)
    assert [often.at(n).digest() for n in numbers] == [usual.at(n).digest() for n in numbers]


def test_a_game_is_resumed_from_its_snapshots(pack: Pack) -> None:
    game = new(pack)
    rng = random.Random(11)
    saved: dict[int, dict[str, object]] = {}
    events = {}
    for _ in range(9):
        entry = game.play(rng.choice(game.legal()))
        events[len(game.record.lines) - 1] = entry.events
        if not game.can_undo:
            saved[len(game.entries)] = snapshot.save(game.board)
    same = Game.resume(parse_record(game.record.text().encode()), saved, events, pack=pack, game=TOY)
    assert same.board.digest() == game.board.digest()
    assert same.can_undo == game.can_undo
    assert same.version == game.version
    assert [e.text for e in same.entries] == [e.text for e in game.entries]
    while not game.over:
        action = rng.choice(game.legal())
        game.play(action)
        same.play(action)
    assert same.record.text() == game.record.text()
    assert same.at(3).digest() == game.at(3).digest()
