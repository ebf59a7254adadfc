"""The levels offered to a person: honest names, named handicaps."""

from __future__ import annotations

from collections import Counter

import pytest

from kessel.bots import decide, has_level, levels, player, what_levels_do
from kessel.bots.levels import ATTACKS, BREAKS_OFF, Recruit
from kessel.bots.program import Program
from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.core.procedure import PASS, asked, options, push
from kessel.core.registry import PLAYERS, installed
from kessel.core.title import title
from kessel.table.seats import seat_for

OURS = ["bug41", "don42", "kharkov43", "korsun44", "stalingrad42"]
GAMES = [game for game in OURS if game in installed(PLAYERS)]


@pytest.mark.parametrize("game", GAMES)
def test_levels_say_what_they_do(game: str) -> None:
    told = what_levels_do(game)
    assert list(told)[:3] == levels(game)[:3] == ["random", "recruit", "regular"]
    assert all(len(words) > 30 and words.endswith(".") for words in told.values())
    assert "handicap" in told["recruit"]


@pytest.mark.parametrize("game", GAMES)
def test_greedy_is_regular_by_another_name(game: str) -> None:
    assert "greedy" not in levels(game)
    assert has_level(game, "greedy")
    assert type(player(game, "greedy")) is type(player(game, "regular"))
    side = title(game).sides[title(game).played[-1]]
    assert seat_for(game, side, "program:greedy").level == "greedy"
    with pytest.raises(BadInput, match="recruit, regular"):
        seat_for(game, side, "program:genius")


@pytest.mark.parametrize("game", GAMES)
def test_a_recruit_sees_no_danger(game: str) -> None:
    recruit, regular = player(game, "recruit"), player(game, "regular")
    assert isinstance(recruit, Recruit)
    assert isinstance(regular, Program)
    assert recruit.program.changes
    assert not regular.changes


def test_a_recruit_breaks_off_attacks_and_nothing_else() -> None:
    """Beside a regular with the same numbers: they differ only where it would attack, one time in three."""
    t, g = title("don42"), Game.new("don42", "short-game", seed=2).board
    recruit = player("don42", "recruit", 1)
    assert isinstance(recruit, Recruit)
    twins = {side: type(recruit.program)(1, recruit.program.changes) for side in t.played}
    seats = {side: Recruit(type(recruit.program)(1, recruit.program.changes), 5 + side) for side in t.played}
    seen: Counter[str] = Counter()
    while g.stack and seen["attack"] + seen["broken off"] < 90:
        side = asked(g)
        wanted = decide(twins[side], t, g, side)
        action = decide(seats[side], t, g, side)
        if action != wanted:
            assert action == PASS
            assert wanted[0] in ATTACKS
            assert options(g).allows(PASS)
            seen["broken off"] += 1
        elif wanted[0] in ATTACKS:
            seen["attack"] += 1
        push(g, action)
    share = seen["broken off"] / (seen["broken off"] + seen["attack"])
    assert abs(share - BREAKS_OFF) < 0.17
