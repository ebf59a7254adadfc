"""3.B3 The Combat Phase: attacks (8.1), Disengagement (27.0), Reserves (25.0), the advance of Automatic DS (8.6.2)."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, Call, Out, Procedure, auto, into
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import AUTO_DS, RESERVE, RETREATED
from kessel.games.stalingrad42.combat.city_battles import settle_city_battles
from kessel.games.stalingrad42.combat.combat import Combat, auto_ds_advance, auto_ds_groups, begin_combat, why_not_hex
from kessel.games.stalingrad42.combat.disengagement import Disengage, has_able_units, not_yet, why_not_attempts
from kessel.games.stalingrad42.combat.disruption import eliminate_caught
from kessel.games.stalingrad42.combat.reserves import activate, reserve_hexes, why_not_activate
from kessel.games.stalingrad42.combat.strength.air import release_air
from kessel.games.stalingrad42.combat.strength.eligibility import targets
from kessel.games.stalingrad42.combat.strength.fortifications import raze, why_not_raze
from kessel.games.stalingrad42.movement.ways.stacking import CorrectStacking, too_many
from kessel.wargame.board import other


@dataclass(slots=True)
class CombatPhase(Procedure):
    """3.B3 The phasing player may attack enemy units, in any order (8.1)."""

    side: int
    attacks: bool = True
    """False in the Limited Combat Phase of the Interchange Turn (33.2.3)."""
    vacated: int = NOWHERE
    """The hex vacated in the last combat (25.2.3)."""

    fought = into("vacated", Combat)

    @auto("3.B3")
    def begin(self, g: Board) -> Out:
        begin_combat(g)
        eliminate_caught(g)
        settle_city_battles(g)
        release_air(g)
        return None

    def crowded(self, g: Board) -> str:
        return too_many(g, self.side, "Combat", spared=0 if self.retreated_count(g) else RETREATED)

    choose = Choice(
        "side", "8.1", "Choose a hex to attack, or end the Combat Phase.", passing=None, alone=True, notice=crowded
    )

    def why_not_attack(self, g: Board, h: Hex) -> Refusal | None:
        if not self.attacks:
            return Refusal("33.2.3", "no combat is allowed in the Interchange Turn")
        return why_not_hex(g, h, self.side)

    @choose.verb("attack", legal=lambda p, g: targets(g, p.side) if p.attacks else (), why_not=why_not_attack)
    def attack(self, g: Board, h: Hex) -> Out:
        return Call(Combat(self.side, other(self.side), h), again=True)

    @choose.verb(
        "disengagement",
        legal=lambda p, g: has_able_units(g, p.side),
        why_not=lambda p, g: why_not_attempts(g, p.side),
        plain=False,
    )
    def disengagement(self, g: Board) -> Out:
        return Call(Disengage(self.side), again=True)

    @choose.verb("disengage", legal=lambda p, g: (), why_not=lambda p, g, units: not_yet(g, p.side, units))
    def disengage(self, g: Board, units: tuple[Unit, ...]) -> Out:
        """27.2.1 Units are named after a Disengagement has been announced."""
        return Call(Disengage(self.side), again=True)

    @choose.verb(
        "activate",
        legal=lambda p, g: reserve_hexes(g, p.side) if g.plays("reserves") else (),
        why_not=lambda p, g, h: why_not_activate(g, h, p.side),
    )
    def activate(self, g: Board, h: Hex) -> Out:
        return Call(activate(g, self.side, h, self.vacated), again=True)

    @choose.verb("raze", legal=lambda p, g: g.fort_hexes[p.side], why_not=lambda p, g, h: why_not_raze(g, h, p.side))
    def raze(self, g: Board, h: Hex) -> Out:
        raze(g, h, self.side)
        return AGAIN

    exploit = Choice(
        "side",
        "8.6.2",
        "Choose the Automatic DS whose units advance now, or end the Combat Phase.",
        passing=None,
        notice=crowded,
    )

    def why_not_exploit(self, g: Board, h: Hex) -> Refusal | None:
        if any(h == emptied for emptied, _ in auto_ds_groups(g, self.side)):
            return None
        return Refusal("8.6.2", "no units under Auto DS markers wait to advance after that hex")

    @exploit.verb(
        "exploit",
        legal=lambda p, g: dict.fromkeys(h for h, _ in auto_ds_groups(g, p.side)),
        why_not=why_not_exploit,
    )
    def advance_after(self, g: Board, h: Hex) -> Out:
        units = next(units for emptied, units in auto_ds_groups(g, self.side) if emptied == h)
        return Call(auto_ds_advance(g, self.side, h, units), again=True)

    def retreated_count(self, g: Board) -> bool:
        """12.1.4 Whether units that retreated in this phase count already."""
        return g.reads("overstack_after_disengagement") == "at_once"

    @auto("4.4")
    def end(self, g: Board) -> Out:
        """Markers go; the stacking limit must be observed at the completion of the Combat Phase."""
        for u in g.marked_with(self.side, AUTO_DS | RESERVE):
            g.set_status(u, AUTO_DS | RESERVE, False)
            g.auto_ds[u] = -1
        settle_city_battles(g)
        return CorrectStacking(self.side, retreated=self.retreated_count(g))
