"""What throws of the dice are worth, by what the log says of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kessel.games.bug41.answers.luck import LUCK, attrition, initiative, points
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.turn.recovery import check_attrition
from kessel.wargame.luck import lost_steps

from .helpers import act, ger, pos, sov, u


def test_the_initiative_is_half_a_step_and_a_tie_half_of_that() -> None:
    g = pos(ger("A", "0,0"), sov("B", "3,0"))
    said = ("initiative: German 9, Soviet 4: the German has it", "initiative: German 1, Soviet 4: the Soviet has it")
    for what, result, worth in zip(
        said, ("the Germans have it", "the Soviets have it"), (Fraction(1, 2), Fraction(0)), strict=True
    ):
        found = initiative(g, {"what": what})
        assert (found.side, found.result, found.worth) == (GERMAN, result, worth)
    again = initiative(g, {"what": "initiative: German 4, Soviet 4, rolled again"})
    assert (again.result, again.worth) == ("a tie, rolled again", Fraction(1, 4))


def test_three_action_points_are_a_step() -> None:
    g = act(pos(ger("A", "0,0"), sov("B", "3,0")))
    found = points(g, {"what": "298. Infantry Division is activated at level 4: die 5, 4 AP"})
    assert found is not None
    assert (found.side, found.result, found.worth) == (GERMAN, "4 Action Points", Fraction(4, 3))
    assert points(g, {"what": "298. Infantry Division is activated"}) is None


@pytest.mark.rule("bug41", "PA-attrition.1")
@pytest.mark.parametrize("die", range(1, 11))
def test_attrition_is_what_the_unit_loses(die: int) -> None:
    g = pos(sov("B", "3,0", status="disrupted", steps=2, effectiveness=3))
    before = g.copy()
    from kessel.core.dice import Scripted

    g.dice = Scripted([die])
    check_attrition(g, u(g, "B"))
    assert g.events is not None
    found = attrition(before, g.events[0])
    assert found is not None
    lost = 2 - g.steps[u(g, "B")]
    assert (found.side, found.result) == (SOVIET, lost_steps(lost))
    assert attrition(before, {"what": "nothing of the kind"}) is None


def test_every_throw_told_has_a_reader() -> None:
    assert set(LUCK) == {"PA-CS.G", "RX-6.2", "RX-6.4.3", "RX-6.1", "PA-attrition.1"}
