"""Campaigns through all 36 turns, with the help of helped.py: what programs never meet is played and read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kessel.core.game import Game
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET

from .helped import Told, helped_game, to_the_end
from .helpers import rule

NEVER = {
    *("drop", "flip", "switch", "sail", "return", "displace", "reduce", "absorb", "winter_offensive", "stock"),
    *("assign", "swap", "pretend", "join", "into", "unload", "emerge", "call", "exclude", "remnant", "stay"),
}
"""Verbs that do not come up when programs play: `kessel census stalingrad42`."""
MOST = 9
"""So many campaigns are played, if need be, until all of them have."""


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Game, list[Told]]]:
    """Campaigns in which everything came up at least once."""
    found, left = [], set(NEVER)
    for seed in range(1, MOST + 1):
        playing, census, told = helped_game(tmp_path_factory.mktemp("help"), "campaign", seed, quota=1 + seed % 3)
        found.append((playing, told))
        left -= {verb for verb, tally in census.verbs.items() if tally.count}
        if not left:
            return found
    raise AssertionError(f"never: {sorted(left)}")


def about(told: list[Told], number: str) -> list[Told]:
    return [t for t in told if re.match(re.escape(number) + r"(?![0-9])", t.rule)]


def test_they_go_on_to_the_last_turn_and_replay(campaigns: list[tuple[Game, list[Told]]], tmp_path: Path) -> None:
    for playing, _ in campaigns:
        g = playing.board
        assert playing.over
        assert (g.turn, playing.title.faults(g)) == (36, [])  # type: ignore[attr-defined]
    playing = campaigns[0][0]
    again = Game.replay(playing.record, pack=to_the_end(tmp_path, "campaign"))
    assert again.board.digest() == playing.board.digest()


@rule("32.1a")
@rule("32.3a")
@rule("32.3b")
@rule("32.3c")
def test_what_leaves_the_game_leaves_on_its_turn(campaigns: list[tuple[Game, list[Told]]]) -> None:
    for _, told in campaigns:
        left = {t.what.split()[0]: t.turn for t in about(told, "32.1") if "leaves" in t.what}
        assert left.pop("GD") in (9, 10), "before the first choice of Turn 10"
        assert len(left) == 2
        assert set(left.values()) == {10}
        others = [(t.what.split()[0], t.turn) for t in about(told, "32.3") if "leaves" in t.what]
        infantry = [turn for name, turn in others if name not in ("1RFSS", "Barbo")]
        assert infantry == sorted(infantry)
        assert set(infantry) <= {9, 17}
        corps = [t for t in about(told, "32.2") if "leaves" in t.what]
        assert corps
        assert all(t.phasing == SOVIET for t in corps)


@rule("33.1")
@rule("33.2.2")
@rule("33.2.3a")
def test_the_winter_offensive_turns_the_order_once(campaigns: list[tuple[Game, list[Told]]]) -> None:
    for _, told in campaigns:
        (start,) = [t for t in told if t.rule == "33.1"]
        assert start.turn >= 25
        assert (start.phasing, start.first) == (SOVIET, AXIS)
        assert all((t.first == SOVIET) is (t.turn > start.turn) for t in told)
        between = [t for t in told if t.part == "InterchangeTurn"]
        assert all((t.turn, t.phasing) == (start.turn, AXIS) for t in between)
        gifts = [t for t in told if t.rule == "33.2.1"]
        assert len([t for t in gifts if "Planned Offensive" in t.what]) <= 2
        assert len([t for t in gifts if "is placed with" in t.what]) == 2


@rule("34.1.1")
@rule("34.2b")
@rule("34.7")
def test_reserve_armies_come_are_revealed_and_go(campaigns: list[tuple[Game, list[Told]]]) -> None:
    for _, told in campaigns:
        came = [t for t in told if t.rule == "34.1.1" and "arrives" in t.what]
        assert len(came) == 6
        assert {t.turn for t in came} == {21}
        revealed: dict[str, Told] = {}
        for t in told:
            name = t.what.split()[0]
            if "is revealed as Holding Box" in t.what:
                assert name not in revealed
                revealed[name] = t
            elif t.rule == "34.7":
                assert t.phasing == SOVIET, "at the end of the Soviet Player Turn"
                seen = revealed.pop(name)
                assert t.turn - seen.turn <= 1
            elif name in revealed and "is eliminated" in t.what:
                del revealed[name]


@rule("34.5")
def test_units_return_into_holding_boxes(campaigns: list[tuple[Game, list[Told]]]) -> None:
    back = [t for _, told in campaigns for t in told if t.rule == "34.5"]
    assert back
    assert all(re.fullmatch(r"\S.* returns in Holding Box [1-6]", t.what) for t in back)
