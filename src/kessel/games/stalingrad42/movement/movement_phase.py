"""3.B2 The Movement Phase: which unit moves next, and what else is done between moves."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex, Hexside
from kessel.core.procedure import AGAIN, Call, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.auto_ds import AutomaticDS, auto_ds_targets, why_not_declare
from kessel.games.stalingrad42.combat.city_battles import settle_city_battles
from kessel.games.stalingrad42.combat.disruption import eliminate_caught
from kessel.games.stalingrad42.combat.strength.fortifications import raze, why_not_raze
from kessel.games.stalingrad42.data.forces import SOVIET
from kessel.games.stalingrad42.movement import sea
from kessel.games.stalingrad42.movement.maskirovka import (
    Unload,
    pickable,
    swap,
    swappable,
    unloadable,
    why_not_swap,
    why_not_unload,
)
from kessel.games.stalingrad42.movement.movement import March
from kessel.games.stalingrad42.movement.moving import begin_movement, why_not_select
from kessel.games.stalingrad42.movement.ways.modes import why_not_fight
from kessel.games.stalingrad42.movement.ways.stacking import CorrectStacking, too_many
from kessel.wargame.board import other

NOT_YOURS = Refusal("34.4.2", "units leave a Holding Box in the Soviet Movement Phase")


@dataclass(slots=True)
class MovementPhase(Procedure):
    """3.B2 The phasing player may move some, none or all of his units."""

    side: int
    limit: str = ""
    """A restriction of all movement in this phase, see modes.LIMITS."""

    @auto("3.B2")
    def begin(self, g: Board) -> Out:
        begin_movement(g)
        eliminate_caught(g)
        settle_city_battles(g)
        return None

    choose = Choice(
        "side",
        "5.1",
        "Choose a unit to move, or end the Movement Phase.",
        passing=None,
        alone=True,
        notice=lambda p, g: too_many(g, p.side, "Movement"),
    )

    @choose.verb(
        "move",
        legal=lambda p, g: pickable(g, p.side),
        why_not=lambda p, g, u: why_not_select(g, u, p.side),
    )
    def move(self, g: Board, u: Unit) -> Out:
        return Call(March(self.side, (u,), g.place[u], limit=self.limit), again=True)

    @choose.verb(
        "flotilla",
        legal=lambda p, g: sea.flotilla_hexsides(g) if p.side == SOVIET and not g.flotilla_set else (),
        why_not=lambda p, g, hexside: sea.why_not_flotilla(g, hexside, p.side),
    )
    def place_flotilla(self, g: Board, hexside: Hexside) -> Out:
        sea.place_flotilla(g, hexside)
        return AGAIN

    def why_not_swap(self, g: Board, a: Unit, b: Unit) -> Refusal | None:
        return why_not_swap(g, a, b) or (None if (a, b) in swappable(g, self.side) else NOT_NOW)

    @choose.verb("swap", legal=lambda p, g: swappable(g, p.side), why_not=why_not_swap)
    def swap_markers(self, g: Board, a: Unit, b: Unit) -> Out:
        swap(g, a, b)
        return AGAIN

    @choose.verb("pretend", legal=lambda p, g: swappable(g, p.side), why_not=why_not_swap)
    def pretend_to_swap(self, g: Board, a: Unit, b: Unit) -> Out:
        swap(g, a, b, really=False)
        return AGAIN

    @choose.verb(
        "unload",
        legal=lambda p, g: unloadable(g, p.side),
        why_not=lambda p, g, u: why_not_unload(g, u) or (None if p.side == SOVIET else NOT_YOURS),
    )
    def unload(self, g: Board, u: Unit) -> Out:
        return Call(Unload(self.side, u), again=True)

    @choose.verb(
        "auto_ds",
        legal=lambda p, g: auto_ds_targets(g, p.side) if why_not_fight(p.limit) is None else (),
        why_not=lambda p, g, h: why_not_fight(p.limit) or why_not_declare(g, h, p.side),
    )
    def shatter(self, g: Board, h: Hex) -> Out:
        return Call(AutomaticDS(self.side, other(self.side), h), again=True)

    @choose.verb("raze", legal=lambda p, g: g.fort_hexes[p.side], why_not=lambda p, g, h: why_not_raze(g, h, p.side))
    def raze(self, g: Board, h: Hex) -> Out:
        raze(g, h, self.side)
        return AGAIN

    @auto("4.4")
    def check_stacking(self, g: Board) -> Out:
        """The stacking limit must be observed at the completion of the Movement Phase."""
        return CorrectStacking(self.side)
