"""10.1-10.3 Combat results: who loses a step, and who says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.procedure import Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import IN_PLAY
from kessel.games.stalingrad42.combat.losses import eliminate, lose_step, remnants_free
from kessel.games.stalingrad42.combat.strength.strengths import Attack, contributors, defenders, retreated_into


def attackers_to_lose(g: Board, a: Attack, chooser: Side) -> list[Unit]:
    """10.2.1 The attackers of which one may be selected for a step loss: by their owner any of them (9.8 spares
    parenthesized units in defense), by his opponent as 10.2.3 says."""
    alive = [u for u in a.units if g.pool[u] == IN_PLAY]
    return spare_allies(g, alive, chooser) if chooser == a.side else selectable(g, alive, [], chooser)


def defenders_to_lose(g: Board, a: Attack, chooser: Side) -> list[Unit]:
    """10.2.1 The same for the defenders: units that contributed nothing only after all others are eliminated; units
    that retreated into the hex never (12.4)."""
    units = defenders(g, a)
    tired = retreated_into(g, a, units)
    counted = contributors(g, a)
    rest = [u for u in units if u not in counted and u not in tired]
    return selectable(g, counted, rest, chooser)


def selectable(g: Board, first: Sequence[Unit], then: Sequence[Unit], chooser: Side) -> list[Unit]:
    """9.8, 10.2.3, 20.5.2 Of the units that count, those that may be picked; parenthesized ones last."""
    for group in (first, then):
        plain = [u for u in group if not g.face(u).parenthesized]
        for units in (plain, list(group)):
            if units:
                return spare_allies(g, units, chooser)
    return []


def spare_allies(g: Board, units: list[Unit], chooser: Side) -> list[Unit]:
    """20.5.2 A reduced Axis Ally is not eliminated while a full-strength German unit could take the loss (A79)."""
    f = g.forces
    germans = [u for u in units if f.nation[u] == "german" and g.is_full_strength(u) and not g.face(u).parenthesized]
    if not germans or (g.reads("step_loss_binds") == "owner" and f.side[units[0]] != chooser):
        return units
    return [u for u in units if not (f.is_ally(u) and g.steps[u] == 1 and not g.is_full_strength(u))]


def why_not_loss(g: Board, u: Unit) -> Refusal:
    """Why a unit is not among those of which one loses a step."""
    f, name = g.forces, g.name(u)
    if not f.combat[u]:
        return Refusal("10.2.3", f"{name} is a Non-Combat Unit and never loses a step")
    if g.face(u).parenthesized:
        return Refusal("9.8", f"{name} is parenthesized: all others come first")
    if f.is_ally(u) and not g.is_full_strength(u):
        return Refusal("20.5.2", f"a full-strength German unit loses a step before {name} is eliminated")
    return Refusal("10.2.1", f"{name} is not one of the units that count here")


@dataclass(slots=True)
class StepLoss(Procedure):
    """10.2, 10.3 One step is lost by one of these units; whoever may choose, chooses."""

    chooser: int
    owner: int
    units: tuple[int, ...]
    rule: str
    chosen: int = NO_UNIT
    refused: bool = False

    about_units = ("units",)

    @auto("10.2.1")
    def one_candidate(self, g: Board) -> Out:
        if len(self.units) == 1:
            self.chosen = self.units[0]
        return None

    choose = Choice("chooser", "10.2.2", "Choose the unit that loses a step.", when=lambda p, g: p.chosen == NO_UNIT)

    @choose.verb(
        "lose",
        legal=lambda p, g: p.units,
        why_not=lambda p, g, u: None if u in p.units else why_not_loss(g, u),
    )
    def lose(self, g: Board, u: Unit) -> Out:
        self.chosen = u
        return None

    def _may_stay(self, g: Board) -> bool:
        """10.4.1 Whether there is a Remnant for the unit, and one may be declined."""
        u = self.chosen
        if u == NO_UNIT or g.reads("remnants") != "optional" or g.steps[u] != 2:
            return False
        kind = g.forces.remnant[u]
        return bool(kind) and remnants_free(g, kind) > 0

    remnant = Choice("owner", "10.4.1", "Replace the unit with a Remnant, or eliminate it.", when=_may_stay)

    @remnant.verb("remnant", plain=False)
    def replace(self, g: Board) -> Out:
        return None

    @remnant.verb("eliminate", legal=lambda p, g: (p.chosen,))
    def refuse(self, g: Board, u: Unit) -> Out:
        self.refused = True
        return None

    @auto("10.3")
    def take(self, g: Board) -> Out:
        if self.refused:
            eliminate(g, self.chosen, "10.4.1")
        elif self.chosen != NO_UNIT:
            lose_step(g, self.chosen, self.rule)
        return None
