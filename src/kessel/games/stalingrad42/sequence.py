"""3.0 Sequence of Play: the table of contents of the rules."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.forces import Side
from kessel.core.procedure import DONE, Call, Out, Procedure, auto
from kessel.games.stalingrad42.board import Board, other
from kessel.games.stalingrad42.isolation import SupplyPhase
from kessel.games.stalingrad42.movement import MovementPhase

PHASES = ("initial", "movement", "combat", "recovery", "supply", "victory", "weather")


@dataclass(slots=True)
class Play(Procedure):
    """3.0 Game Turns until the last one has been played or somebody has won."""

    @auto("3.0")
    def next_turn(self, g: Board) -> Out:
        if g.result or g.turn >= g.scenario.last_turn:
            return DONE
        g.set_track("turn", g.turn + 1)
        return Call(GameTurn(), again=True)


@dataclass(slots=True)
class GameTurn(Procedure):
    """3.0 One Game Turn."""

    @auto("3.B")
    def first_player_turn(self, g: Board) -> Out:
        return PlayerTurn(g.first)

    @auto("3.C")
    def second_player_turn(self, g: Board) -> Out:
        return PlayerTurn(other(g.first))


@dataclass(slots=True)
class PlayerTurn(Procedure):
    """3.B, 3.C One Player Turn."""

    side: int
    limit: str = ""

    @auto("3.B2")
    def movement(self, g: Board) -> Out:
        return _phase(g, self.side, "movement", MovementPhase(self.side, self.limit))

    @auto("3.B5")
    def supply(self, g: Board) -> Out:
        return _phase(g, self.side, "supply", SupplyPhase(self.side))


def _phase(g: Board, side: Side, phase: str, procedure: Procedure) -> Procedure:
    g.phasing, g.phase = side, PHASES.index(phase)
    return procedure


def phase_stack(side: Side, phase: str) -> list[Procedure]:
    """The procedures of a position that begins in that phase of a Player Turn."""
    at = PlayerTurn.index.get(phase, len(PlayerTurn.steps))
    return [PlayerTurn(side, at=at)]
