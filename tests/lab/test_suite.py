"""The position suite: whose turn is measured, and for how long."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kessel.bots import player
from kessel.core import snapshot
from kessel.core.game import Game
from kessel.core.procedure import asked
from kessel.games.don42.board import G_MOVEMENT
from kessel.lab.arena import suite
from kessel.lab.arena.suite import Position, play_out


def test_a_program_plays_its_side_for_the_whole_game_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Germans have phases before and after the Soviets': a position of the first ones must measure the others."""
    g = Game.new("don42", "crossing-the-don", seed=3).board
    p = Position("one", "don42", "crossing-the-don", g.turn, asked(g), msgspec.json.encode(snapshot.save(g)))
    seen: list[tuple[int, int, int]] = []

    class Spy:
        def __init__(self, seed: int) -> None:
            self.greedy = player("don42", "greedy", seed)
            self.reason = ""

        def choose(self, t: Any, g: Any, side: int) -> Any:
            seen.append((g.turn, g.phase, side))
            return self.greedy.choose(t, g, side)

    monkeypatch.setattr(
        suite, "player", lambda game, level, seed: Spy(seed) if level == "spy" else player(game, level, seed)
    )
    assert play_out(p, "spy", 1, turns=2) == play_out(p, "greedy", 1, turns=2)
    assert {(turn, side) for turn, _, side in seen} == {(p.turn, p.side)}
    assert len({phase for _, phase, _ in seen}) > 1
    assert G_MOVEMENT in {phase for _, phase, _ in seen}
