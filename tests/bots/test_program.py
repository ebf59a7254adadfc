"""The frame of a program."""

from __future__ import annotations

import pytest

from kessel.bots.program import Program, on
from kessel.bots.stalingrad42.greedy import Greedy
from kessel.core.procedure import Action, Options, Procedure
from kessel.games.stalingrad42.combat.combat import Combat
from kessel.games.stalingrad42.movement.movement_phase import MovementPhase


def test_a_way_to_answer_may_not_hide_the_frame() -> None:
    with pytest.raises(TypeError, match=r"Wrong\.wanted answers a question under a name of the frame"):

        class Wrong(Program[None]):
            @on(MovementPhase.choose)
            def wanted(self, s: None, p: Procedure, found: Options) -> Action | None:  # type: ignore[override]
                return None


def test_ways_of_a_base_are_kept() -> None:
    assert Greedy.ways[Combat.support] is vars(Greedy.__mro__[1])["support"]
    assert Greedy.ways[MovementPhase.choose] is vars(Greedy)["choose_mover"]
