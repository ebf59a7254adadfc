"""12.1 The Combat Phase: its segments in order."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.forces import Side
from kessel.core.procedure import Out, Procedure, auto
from kessel.games.korsun44.board import ATTACKED, BREAKTHROUGH, DEFENDED, GERMAN, GUEST, MOVED, RESERVE, STRUCK, Board
from kessel.games.korsun44.movement.reserve import NightWithdrawal, ReserveMovement
from kessel.games.korsun44.movement.stacking import Overstacked


@dataclass(slots=True)
class CombatPhase(Procedure):
    """12.1 Declaration, reaction, resolution, breakthrough, reserve movement and combat, night withdrawal."""

    side: int

    @auto("12.1.1")
    def declaration(self, g: Board) -> Out:
        return declaration_segment(g, self.side)

    @auto("12.1.2")
    def reaction(self, g: Board) -> Out:
        return None if self.side == GERMAN else armor_reaction_segment(g)

    @auto("12.1.3")
    def resolution(self, g: Board) -> Out:
        return resolution_segment(g, self.side)

    @auto("12.1.4")
    def breakthrough(self, g: Board) -> Out:
        return breakthrough_segment(g, self.side)

    @auto("12.1.5")
    def reserve_movement(self, g: Board) -> Out:
        return ReserveMovement(self.side)

    @auto("12.1.6")
    def reserve_combat(self, g: Board) -> Out:
        return reserve_combat_segment(g, self.side)

    @auto("9.8")
    def night_withdrawal(self, g: Board) -> Out:
        return NightWithdrawal(GERMAN) if self.side == GERMAN else None

    @auto("11.1.2")
    def stacking(self, g: Board) -> Out:
        return Overstacked(self.side)

    @auto("12.1")
    def end(self, g: Board) -> Out:
        end_of_combat(g, self.side)
        g.clear_flags(MOVED | ATTACKED | DEFENDED | STRUCK | BREAKTHROUGH | RESERVE)
        g.clear_flags(GUEST, 1 - self.side)
        return None


def declaration_segment(g: Board, side: Side) -> Procedure | None:
    """12.1.1 Combat markers, Soviet air support. Not there yet: returns None."""
    return None


def armor_reaction_segment(g: Board) -> Procedure | None:
    """12.1.2 German armor moves one hex. Not there yet: returns None."""
    return None


def resolution_segment(g: Board, side: Side) -> Procedure | None:
    """12.1.3 Each combat in turn. Not there yet: returns None."""
    return None


def breakthrough_segment(g: Board, side: Side) -> Procedure | None:
    """12.1.4 Breakthrough movement and combat. Not there yet: returns None."""
    return None


def reserve_combat_segment(g: Board, side: Side) -> Procedure | None:
    """12.1.6 Not there yet: returns None."""
    return None


def end_of_combat(g: Board, side: Side) -> None:
    """17.1.3 Barrage Effects markers left over disorganize the units under them. Not there yet."""
