"""RX-8.1 The Recovery segment: interdiction, Disruption, attrition, supply and recovery of HQs."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.forces import Unit
from kessel.core.procedure import DONE, Out, Procedure, auto
from kessel.games.bug41.board import DISRUPTED, EMERGENCY, EXPENDED, Board
from kessel.games.bug41.combat.checks import passes
from kessel.games.bug41.data.forces import SIDES
from kessel.games.bug41.movement.pillboxes import is_sheltered
from kessel.games.bug41.supply.command import IN_COMMAND, ISOLATED, command_of
from kessel.games.bug41.supply.supply import in_supply


@dataclass(slots=True)
class Recovery(Procedure):
    isolated: tuple[int, ...] = ()

    @auto("PA-interdiction.1")
    def interdiction(self, g: Board) -> Out:
        """RX-8.3 The level of interdiction for this turn."""
        die = g.d10()
        g.set_track("interdiction", g.charts.interdiction_of(g.turn, die))
        g.tell(f"interdiction: die {die}, level {g.track('interdiction')}", "PA-interdiction.1", die=die)
        return None

    @auto("RX-8.1")
    def disruption(self, g: Board) -> Out:
        """RX-8.1 Who is in command or isolated is looked at before anybody recovers."""
        disrupted = [u for u, status in enumerate(g.status) if status & DISRUPTED and g.on_map(u)]
        commanded = [u for u in disrupted if command_of(g, u) == IN_COMMAND]
        self.isolated = tuple(u for u in disrupted if command_of(g, u) == ISOLATED)
        for u in commanded:
            by_check = g.reads("recovery_from_disruption") == "by_check"
            if not by_check or passes(g, u, "to recover", "RX-8.1", shelter=True):
                g.rally(u, "RX-8.1")
        return None

    @auto("PA-isolation.3")
    def attrition(self, g: Board) -> Out:
        for u in self.isolated:
            check_attrition(g, u)
        return None

    @auto("RX-5.9")
    def headquarters(self, g: Board) -> Out:
        for f in range(len(g.levels)):
            hq = g.hq_of(f)
            if hq >= 0:
                recover_hq(g, hq)
        return DONE


def check_attrition(g: Board, u: Unit) -> None:
    """PA-attrition.1, PA-TEC.c5 The die less Effectiveness, and less in a pillbox that works."""
    die, rating = g.d10(), g.forces.effectiveness[u]
    shelter = g.numbers.checks.pillbox if is_sheltered(g, u) else 0
    lost = g.charts.attrition_of(die - rating + shelter)
    g.tell(f"attrition of {g.name(u)}: {die}-{rating}{f'{shelter:+d}' if shelter else ''}", "PA-attrition.1", die=die)
    g.lose(u, lost, "PA-attrition.1")


def recover_hq(g: Board, hq: Unit) -> None:
    """RX-5.9, RX-8.2 An HQ in supply recovers; one without it once more, on its emergency supply."""
    f, fed, spent = g.forces.command[hq], in_supply(g, hq), bool(g.status[hq] & EXPENDED)
    g.set_status(hq, EXPENDED, on=not fed)
    g.set_status(hq, EMERGENCY, on=not fed and not spent)
    if not fed and spent:
        g.tell(f"{g.name(hq)} is out of supply and does not recover", "RX-5.9", unit=g.id(hq))
        return
    if not fed:
        g.tell(f"{g.name(hq)} is out of supply and uses up its emergency supply", "RX-5.9", unit=g.id(hq))
    most, before = g.forces.reaction[hq], g.levels[f]
    gained = g.charts.recovery_of(SIDES[g.forces.side[hq]], most, g.track("interdiction"))
    g.levels[f] = max(before, min(most, before + gained))
    g.cache.clear()
    g.tell(f"{g.formation_name(f)} recovers from level {before} to {g.levels[f]}", "RX-8.2", unit=g.id(hq))
