"""5.0 Weather."""

from __future__ import annotations

import pytest

from kessel.core.dice import Scripted
from kessel.games.korsun44.board import Board
from kessel.games.korsun44.data.charts import CLEAR, FROZEN, MUD, OVERCAST, STORM
from kessel.games.korsun44.turn.weather import weather_stage

from .helpers import position, told


def weather(turn: int, *dice: int) -> Board:
    g = position(turn=turn)
    g.dice, g.events = Scripted(dice), []
    weather_stage(g)
    assert g.dice.count == len(dice)
    return g


@pytest.mark.rule("korsun44", "5.0", "5.1a", "5.1.1", "5.1.2", "5.1.3", "5.1.4", "3.2.A")
@pytest.mark.parametrize(("turn", "die", "ground"), [(1, 6, FROZEN), (14, 1, FROZEN), (14, 2, MUD), (24, 6, FROZEN)])
def test_the_ground_is_a_die_with_the_modifier_of_the_turn(turn: int, die: int, ground: int) -> None:
    g = weather(turn, die, 1)
    assert g.condition == ground
    assert "(5.1)" in told(g)


@pytest.mark.rule("korsun44", "5.2.1", "5.2.2", "5.2.3", "5.2.4a", "5.2.4b")
@pytest.mark.parametrize(
    ("dice", "state"),
    [((1,), CLEAR), ((4,), CLEAR), ((5, 1), OVERCAST), ((6, 5), OVERCAST), ((5, 6), STORM), ((6, 6), STORM)],
)
def test_visibility_needs_a_second_die_on_five_and_six(dice: tuple[int, ...], state: int) -> None:
    assert weather(1, 1, *dice).visibility == state
