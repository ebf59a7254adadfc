"""3.0 Sequence of Play: the table of contents of the rules."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.forces import Side
from kessel.core.procedure import DONE, Call, Out, Procedure, auto
from kessel.games.stalingrad42.board import AUTO_DS, EXTENDED, OF_THE_PHASE, RESERVE, UNUSABLE, Board, other
from kessel.games.stalingrad42.combat import CombatPhase
from kessel.games.stalingrad42.forces import AXIS, SOVIET
from kessel.games.stalingrad42.fortifications import deactivate_printed
from kessel.games.stalingrad42.initial import InitialPhase
from kessel.games.stalingrad42.isolation import SupplyPhase
from kessel.games.stalingrad42.movement import MovementPhase
from kessel.games.stalingrad42.railheads import push_back
from kessel.games.stalingrad42.recovery import RecoveryPhase
from kessel.games.stalingrad42.replacements import remove_markers
from kessel.games.stalingrad42.victory import end_of_axis_turn, victory_phase
from kessel.games.stalingrad42.weather import roll_weather

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

    @auto("3.A")
    def weather(self, g: Board) -> Out:
        _enter(g, g.first, "weather")
        roll_weather(g)
        return None

    @auto("3.B")
    def first_player_turn(self, g: Board) -> Out:
        return PlayerTurn(g.first)

    @auto("3.C")
    def second_player_turn(self, g: Board) -> Out:
        return DONE if g.result else PlayerTurn(other(g.first))

    @auto("3.D")
    def victory(self, g: Board) -> Out:
        if not g.result:
            _enter(g, g.first, "victory")
            victory_phase(g)
        return None


@dataclass(slots=True)
class PlayerTurn(Procedure):
    """3.B, 3.C One Player Turn."""

    side: int

    @auto("3.B1")
    def initial(self, g: Board) -> Out:
        _enter(g, self.side, "initial")
        return InitialPhase(self.side)

    @auto("3.B2")
    def movement(self, g: Board) -> Out:
        _enter(g, self.side, "movement")
        return MovementPhase(self.side, movement_limit(g, self.side))

    @auto("3.B3")
    def combat(self, g: Board) -> Out:
        _enter(g, self.side, "combat")
        return CombatPhase(self.side)

    @auto("3.B4")
    def recovery(self, g: Board) -> Out:
        _enter(g, self.side, "recovery")
        remove_markers(g, self.side)
        return RecoveryPhase(self.side)

    @auto("3.B5")
    def supply(self, g: Board) -> Out:
        _enter(g, self.side, "supply")
        if self.side == SOVIET:
            push_back(g)
        return SupplyPhase(self.side)

    @auto("3.C")
    def end(self, g: Board) -> Out:
        """3.C3 A Soviet Player Turn ends with the printed Fortifications; S4.4 an Axis one may end the game."""
        clear_markers(g)
        if self.side == SOVIET:
            deactivate_printed(g)
        else:
            end_of_axis_turn(g)
        return None


def clear_markers(g: Board) -> None:
    """Marks of what units did in the Player Turn."""
    marks = OF_THE_PHASE | (EXTENDED | AUTO_DS | RESERVE | UNUSABLE)
    for u in range(len(g.forces)):
        if g.status[u] & marks:
            g.set_status(u, marks, False)


def movement_limit(g: Board, side: Side) -> str:
    """S1.2, S4.2, S3.4 Restrictions of all movement on a first turn."""
    only = g.scenario.special.get("tactical_only")
    if only and side == AXIS and g.turn == only["turn"]:
        return "tactical"
    only = g.scenario.special.get("tactical_and_rail_only")
    if only and side == SOVIET and g.turn == only["turn"]:
        return "tactical_or_rail"
    return ""


def _enter(g: Board, side: Side, phase: str) -> None:
    g.phasing, g.phase = side, PHASES.index(phase)


def phase_stack(side: Side, phase: str) -> list[Procedure]:
    """The procedures of a position that begins in that phase of a Player Turn."""
    return [PlayerTurn(side, at=PlayerTurn.index.get(phase, len(PlayerTurn.steps)))]


def opening(g: Board) -> list[Procedure]:
    """The procedures a scenario begins with."""
    return [Play()]
