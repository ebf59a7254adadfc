"""What raiders could take once an attack has been made: the beaten go where their retreat leads them, and the hex they
held stands open (12.1.3, 24.1.4)."""

from __future__ import annotations

from kessel.bots.stalingrad42.attacks import QUICK
from kessel.bots.stalingrad42.screens import how_far, risk_now
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import DISRUPTED, ELIMINATED, FULL_RETREAT
from kessel.games.stalingrad42.combat.after.retreat_paths import Flight, ends_of
from kessel.games.stalingrad42.combat.battle import RETREATS
from kessel.games.stalingrad42.combat.chances import final_chances
from kessel.games.stalingrad42.combat.defense import flight_of
from kessel.games.stalingrad42.combat.strength.strengths import Attack

NEAR_ENDS = 3
"""Of the places the beaten may go to so many are looked at, those nearest to what is at stake."""


def opened_by(g: Board, side: int, target: Hex, units: tuple[Unit, ...]) -> float:
    """How many more Victory Points raiders could take after an attack, on average of its dice."""
    a = Attack(side, target, units)
    flights: dict[Flight, float] = {}
    for case in final_chances(g, a, 1, QUICK):
        if case.result.retreat and case.outcome == RETREATS:
            flight = flight_of(g, a, case.result)
            flights[flight] = flights.get(flight, 0.0) + float(case.chance)
    if not flights:
        return 0.0
    now = risk_now(g, {})
    return sum(chance * (_worst(g, flight) - now) for flight, chance in flights.items())


def _worst(g: Board, flight: Flight) -> float:
    """The same where the beaten go to the place that is worst for the Axis."""
    far = how_far(g)
    ends = {e.place for u in flight.leaving[:1] for e in ends_of(g, u, flight, 0)}
    near = sorted((h for h in ends if g.map.is_hex(h)), key=lambda h: (far[h], h))[:NEAR_ENDS]
    return max((_risk_from(g, flight, h) for h in near), default=_risk_from(g, flight, -1))


def _risk_from(g: Board, flight: Flight, end: Hex) -> float:
    t = g.copy()
    for u in flight.leaving:
        if end < 0:
            t.take(u, ELIMINATED)
        else:
            t.move(u, end)
            t.set_status(u, FULL_RETREAT if flight.full else DISRUPTED)
    return risk_now(t, {})
