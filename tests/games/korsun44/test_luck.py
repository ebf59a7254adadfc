"""What throws of the dice are worth, by what the log says of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kessel.games.korsun44.answers.luck import combat
from kessel.games.korsun44.board import SOVIET
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT
from kessel.games.korsun44.combat.combat import Combat

from .fights import D1, R1, battle
from .helpers import position, unit


@pytest.mark.parametrize(
    ("result", "worth"),
    [("-/-", "0"), ("-/1", "1"), ("1/-", "-1"), ("-/R", "1/2"), ("R/-", "-1/2"), ("-/D", "1/4"), ("D/-", "-1/4"),
     ("1/1DR", "3/4")],
)  # fmt: skip
def test_a_retreat_is_half_a_step_and_a_d_half_of_that(result: str, worth: str) -> None:
    g = position(unit(R1, "0,0"), unit(D1, "1,0"))
    b = battle(g, D1)
    g.stack = [Combat(SOVIET, 1 - SOVIET, COMBAT_SEGMENT, b.targets, b.attackers, b.defenders)]
    found = combat(g, {"what": "", "rule": "12.12", "dice": [3, 4], "result": result, "place": "0,0"})
    assert found is not None
    assert found.worth == Fraction(worth)
