"""The arena with real games, of The Ford, which are over in a moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.record import read_record
from kessel.lab.arena import matches, report, series, suite
from kessel.lab.arena.matches import Match, Played, code_of, pack_of, pairs, play
from kessel.lab.arena.series import codes, play_pairs, rate_kept, run_test
from kessel.lab.arena.sprt import Test as Sprt
from kessel.lab.arena.store import Store

WHERE = "ford/crossing"
SPOILT = "greedy?town=-1"
SAME = "greedy?town=1.0"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "arena.sqlite")


def test_a_copy_with_one_number_spoilt_is_found_out(store: Store) -> None:
    found = run_test(store, pairs([WHERE], "greedy", SPOILT, range(200)), Sprt(0, 60))
    assert found.verdict == "stronger"
    assert len(found.scores) < 120
    again = rate_kept(store, codes(["ford"]), "greedy")
    assert again.players[SPOILT].high < 0
    other = run_test(store, pairs([WHERE], SPOILT, "greedy", range(200)), Sprt(0, 60))
    assert other.verdict == "not stronger"


def test_a_copy_with_the_same_numbers_rates_nought(store: Store) -> None:
    """Equal programs in either seat play the same game with a seed: every pair ends 1:1."""
    scores = list(play_pairs(store, pairs([WHERE], "greedy", SAME, range(40))))
    assert {s.score for s in scores} == {0.5}
    assert {s.better for s in scores} == {0.0}
    found = rate_kept(store, codes(["ford"]), "greedy", draws=50)
    assert found.players[SAME].low <= 0 <= found.players[SAME].high
    assert abs(found.players[SAME].elo) < 1


def test_games_are_not_played_twice(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    count: list[Match] = []

    def counted(match: Match) -> tuple[Played, str]:
        count.append(match)
        return play(match)

    monkeypatch.setattr(series, "play", counted)
    first = list(play_pairs(store, pairs([WHERE], "greedy", "random", range(5))))
    assert len(count) == 10
    second = list(play_pairs(store, pairs([WHERE], "greedy", "random", range(8))))
    assert len(count) == 16
    assert second[:5] == first
    monkeypatch.setattr(matches, "code_of", lambda game: "other code")
    list(play_pairs(store, pairs([WHERE], "greedy", "random", range(2))))
    assert len(count) == 20, "the games of other code do not count"


def test_games_stay(store: Store) -> None:
    list(play_pairs(store, pairs([WHERE], "greedy", "random", range(1))))
    before = list(store.games())
    for words in ("update games set winner = 0", "delete from games"):
        with pytest.raises(Exception, match="games stay"):
            store._db.execute(words)
    match, played = before[0]
    store.add(match, Played(-1, "", 99.0, 1, "rules", ((), ())))
    assert store.find(match) == played


def test_a_game_is_the_same_in_any_process(store: Store, tmp_path: Path) -> None:
    wanted = list(pairs([WHERE], "greedy", "random", range(6)))
    alone = [(s.games, s.better) for s in play_pairs(store, wanted)]
    other = Store(tmp_path / "other.sqlite")
    assert [(s.games, s.better) for s in play_pairs(other, wanted, workers=2)] == alone
    kept = {m.id: (p.winner, p.margin, p.steps) for m, p in store.games()}
    assert {m.id: (p.winner, p.margin, p.steps) for m, p in other.games()} == kept


def test_scores_come_in_the_order_asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is finished first."""
    monkeypatch.setattr(series, "shared", lambda one, tasks, workers, ray: map(one, reversed(list(tasks))))
    found = [s.pair.seed for s in play_pairs(store, pairs([WHERE], "greedy", "random", range(5)))]
    assert found == [0, 1, 2, 3, 4]


def test_some_records_are_kept_and_replay(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which ones follows from the code, too: of sixty games one in twenty may be none."""
    monkeypatch.setattr(matches, "KEPT_RECORDS", 4)
    list(play_pairs(store, pairs([WHERE], "greedy", "random", range(30))))
    kept = [m for m, _ in store.games() if store.record(m.id) is not None]
    assert 0 < len(kept) < 40
    text = store.record(kept[0].id)
    assert text is not None
    at = tmp_path / "game.kessel"
    at.write_text(text)
    again = Game.replay(read_record(at), pack=Pack("ford"))
    assert again.over
    assert again.title.standing(again.board, 0) == store.find(kept[0]).margin  # type: ignore[union-attr]


def test_the_suite_finds_the_spoilt_turns(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    added = suite.gather(store, "ford", "crossing", range(12), every=2)
    found = suite.positions(store, "ford", "crossing")
    assert len(found) == added > 20
    same = [x.mean for x in suite.gains(store, found[:10], SAME, 2)]
    assert same == [0.0] * 10
    spoilt = [x.mean for x in suite.gains(store, found, SPOILT, 2)]
    assert sum(spoilt) < 0
    monkeypatch.setattr(suite, "play_out", None)
    assert [x.mean for x in suite.gains(store, found, SPOILT, 2)] == spoilt, "turns are not played twice"


def test_the_report(store: Store) -> None:
    list(play_pairs(store, pairs([WHERE], "greedy", SPOILT, range(10))))
    list(play_pairs(store, pairs([WHERE], "greedy", "greedy", range(10))))
    found = report.find(store, codes(["ford"]), "greedy", draws=20)
    page, text = report.page(found), report.markdown(found)
    assert "<svg" in page
    assert "30 games; 0 ended by a fault" in page
    assert f"| {SPOILT} | -" in text
    assert "| ford/crossing | blue |" in text
    assert "http" not in page


def test_code_and_data_name_the_game() -> None:
    assert len(code_of("ford")) == 12
    assert pack_of("ford") == Pack("ford").digest
