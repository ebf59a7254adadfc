"""18.7 24th Panzer Division comes by die."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import ENTERED, GERMAN, UNUSED, WAITING, Board
from kessel.games.korsun44.turn.reinforcements import OWN_RULE, entry_hexes


def waiting(g: Board) -> list[Unit]:
    """18.7 The units of the division that have not arrived and may by now."""
    found = []
    for u, i in g.schedule.items():
        arrival = g.scenario.arrivals[i]
        if arrival.option in OWN_RULE and g.plays(arrival.option) and g.turn >= arrival.turn and g.box[u] == WAITING:
            found.append(u)
    return found


@dataclass(slots=True)
class Panzer24(Procedure):
    """18.7 Five units a turn are tried: one to four arrives."""

    side: int = GERMAN
    tried: tuple[int, ...] = ()

    @auto("18.7")
    def sdm(self, g: Board) -> Out:
        """Its SDM is at hand; 13.2.1 keeps it off the map until four units are there."""
        for u in waiting(g):
            if u in g.scenario.arrivals[g.schedule[u]].sdms:
                g.steps[u], g.box[u] = 1, UNUSED
        return None

    pick = Choice(
        "side", "18.7", "Choose a unit of 24th Panzer Division to roll for, or roll for no more.", passing=None
    )

    @pick.verb("call_up", among=lambda p, g: waiting(g), why_not=lambda p, g, u: p.why_not_call(g, u))
    def call(self, g: Board, u: Unit) -> Out:
        self.tried = (*self.tried, u)
        die = g.die()
        arrives = die <= g.charts.constants.pz24_up_to
        g.tell(f"{g.name(u)} {'arrives' if arrives else 'does not arrive'}: {die}", "18.7", unit=g.id(u))
        if arrives:
            entry = g.scenario.arrivals[g.schedule[u]].hex
            hexes = entry_hexes(g, GERMAN, entry)
            g.put(u, entry if hexes >> entry & 1 else members(hexes)[0])
            g.set_status(u, ENTERED)
        return AGAIN

    def why_not_call(self, g: Board, u: Unit) -> Refusal | None:
        if u not in waiting(g):
            return Refusal("18.7", f"{g.name(u)} is no unit of 24th Panzer Division that waits")
        if u in self.tried or len(self.tried) >= g.charts.constants.pz24_rolls:
            return Refusal("18.7", f"{g.charts.constants.pz24_rolls} units are tried once each a turn")
        if not entry_hexes(g, GERMAN, g.scenario.arrivals[g.schedule[u]].hex):
            return Refusal("7.1", "its entry is blocked")
        return None
