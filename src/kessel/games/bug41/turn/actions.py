"""RX-6.3 Actions: what they cost, and PA-isolation.2 the check of isolated units that want to act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits
from kessel.core.procedure import Out, Procedure, Return, auto
from kessel.core.verbs import Choice
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.combat.checks import passes
from kessel.games.bug41.supply.command import COMMAND_WORDS, command_of, commanded_hexes, is_commanded, is_isolated

COST_RULES = {
    "movement": "PA-AP.move",
    "refit": "PA-AP.refit",
    "improved_defense": "PA-AP.impdef",
    "hasty_attack": "PA-AP.hasty",
    "regular_attack": "PA-AP.regular",
    "prepared_attack": "PA-AP.prepared",
}


def cost_of(g: Board, action: str, units: Sequence[Unit]) -> Breakdown:
    """PA-AP, PA-OOC.2b The Action Points of an Action; more if any of the units is out of command."""
    found = Breakdown("action points").add(action.replace("_", " "), g.charts.costs[action][0], COST_RULES[action])
    out = next((u for u in units if not is_commanded(g, u)), None)
    if out is not None:
        word = COMMAND_WORDS[command_of(g, out)]
        found.times(f"{g.name(out)} is {word}", g.numbers.command.out_of_command_cost, "PA-OOC.2b")
    return found


def price_of(g: Board, action: str, units: Sequence[Unit]) -> int:
    """The total of `cost_of`, without its reasons."""
    price, place, command = g.charts.costs[action][0], g.place, g.command
    for u in units:
        if not commanded_hexes(g, command[u]) >> place[u] & 1:
            return price * g.numbers.command.out_of_command_cost
    return price


def payable_hexes(g: Board, action: str, f: Formation, points: int) -> Bits:
    """The hexes in which units of a formation can pay for an Action: all in one are in command, or none is."""
    price = g.charts.costs[action][0]
    if points < price:
        return 0
    return g.map.grid.all if points >= price * g.numbers.command.out_of_command_cost else commanded_hexes(g, f)


def why_not_pay(g: Board, action: str, units: Sequence[Unit], points: int) -> Refusal | None:
    if price_of(g, action, units) <= points:
        return None
    cost = cost_of(g, action, units)
    return Refusal(cost.items[-1].rule, f"this costs {cost.total} AP and {points} are left")


def preparation(g: Board, side: Side, units: tuple[Unit, ...]) -> Preparation | None:
    """PA-isolation.2 The checks before an Action, if any unit is isolated."""
    for u in units:
        if not is_commanded(g, u) and is_isolated(g, u):
            return Preparation(side, units)
    return None


@dataclass(slots=True)
class Preparation(Procedure):
    """PA-isolation.2 Isolated units check before an Action that is paid; hands over those that take part."""

    side: int
    units: tuple[int, ...]
    fit: tuple[int, ...] = ()

    about_units = ("units",)

    @auto("PA-isolation.2")
    def check(self, g: Board) -> Out:
        fit = []
        for u in self.units:
            if not is_isolated(g, u) or passes(g, u, "to act in isolation", "PA-isolation.2"):
                fit.append(u)
            else:
                g.disrupt(u, "PA-isolation.2a")
        self.fit = tuple(fit)
        return Return(self.fit) if not fit or fit == list(self.units) else None

    decide = Choice("side", "PA-isolation.2b", "Some units take no part: go on without them, or call the Action off.")

    @decide.verb("go_on")
    def go_on(self, g: Board) -> Out:
        return Return(self.fit)

    @decide.verb("call_off")
    def call_off(self, g: Board) -> Out:
        g.tell("the Action is called off; its Action Points are spent", "PA-isolation.2b")
        return Return(())
