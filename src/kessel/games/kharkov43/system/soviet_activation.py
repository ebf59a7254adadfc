"""9.0 Soviet unit activations: the sequence of steps.

9.1  objectives         9.5  soviet_reserves
9.2  soviet_movement    9.6  removal
9.4  attack_check       9.7  soviet_positions
"""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Call, Out, Procedure, auto
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.data.forces import SOVIET
from kessel.games.kharkov43.system.attack_check import AttackCheck, check_lead, next_lead
from kessel.games.kharkov43.system.objectives import (
    check_objective,
    check_third_objectives,
    forget_entries,
    place_army_objectives,
)
from kessel.games.kharkov43.system.removal import remove_units
from kessel.games.kharkov43.system.soviet_movement import move_active_units
from kessel.games.kharkov43.system.soviet_positions import place_position
from kessel.games.kharkov43.system.soviet_reserves import place_reserves
from kessel.games.kharkov43.turn.german_activation import end_activation, recover


@dataclass(slots=True)
class SovietActivation(Procedure):
    """9.0 What the active Soviet units do, in seven steps. They are active already (8.13)."""

    card: int
    """The command card that activated them."""
    front: str
    armies: tuple[str, ...] = ()
    """The armies activated as such."""
    checked: tuple[Hex, ...] = ()
    """9.42 German-occupied hexes that have been the target of an attack check."""
    led: tuple[Unit, ...] = ()
    """9.4 Units that have led a check since the round of checks began."""

    @auto("9.1")
    def objective_check(self, g: Board) -> Out:
        """Step 1."""
        place_army_objectives(g, self.armies)
        check_objective(g, self.front)
        forget_entries(g)
        return None

    @auto("9.2")
    def movement(self, g: Board) -> Out:
        """Step 2."""
        move_active_units(g, self.front)
        return None

    @auto("9.4")
    def attacks(self, g: Board) -> Out:
        """Step 3: one check after the other, and at once the attack that comes of it."""
        while check := self.next_check(g):
            if g.events is not None:
                hexes = g.hex_name(check.target)
                g.tell(check.short(g), "9.4", unit=g.id(check.lead), hex=hexes, trace=check.as_json(g))
            if check.succeeds:
                return Call(SovietCombat(SOVIET, check.target, check.attackers, self.card), again=True)
        return None

    def next_check(self, g: Board) -> AttackCheck | None:
        """9.4 The next check in ascending order of lead units; None once no unit can lead one against a new hex.

        When the last unit has been asked the round begins again, until every German-occupied hex beside a unit that
        can lead against it has been checked.
        """
        found = next_lead(g, self.checked, self.led)
        if found is None and self.led:
            self.led = ()
            found = next_lead(g, self.checked, self.led)
        if found is None:
            return None
        lead, targets = found
        check = check_lead(g, lead, targets, self.card)
        self.checked, self.led = (*self.checked, check.target), (*self.led, lead)
        return check

    @auto("9.5")
    def reserves(self, g: Board) -> Out:
        """Step 4, from game-turn 4."""
        place_reserves(g, self.front)
        return None

    @auto("9.6")
    def removals(self, g: Board) -> Out:
        """Step 5, from game-turn 2."""
        remove_units(g)
        return None

    @auto("9.7")
    def improved_position(self, g: Board) -> Out:
        """Step 6, from game-turn 4."""
        place_position(g)
        return None

    @auto("12.9")
    def undisperse(self, g: Board) -> Out:
        """Step 7."""
        recover(g)
        return None

    @auto("9.12")
    def complete(self, g: Board) -> Out:
        check_third_objectives(g)
        end_activation(g)
        return None
