"""9.5 Placing active Soviet reserves in villages and towns. Reserves in attacks (12.2) are in `attack_reserves`."""

from __future__ import annotations

from typing import Any, NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.kharkov43.board import ACTIVE, PLACED, RESERVE, Board
from kessel.games.kharkov43.data.forces import SOVIET
from kessel.games.kharkov43.movement.arrival import enter_hex
from kessel.games.kharkov43.supply.supply import field_of
from kessel.games.kharkov43.supply.support import limit_of, supported
from kessel.games.kharkov43.system.methods.targets import is_threatened
from kessel.games.kharkov43.system.terms.choosing import Choice, Preference, choose, highest_number, least, those
from kessel.games.kharkov43.system.terms.preferences import distance_to
from kessel.games.kharkov43.system.terms.terminology import (
    beside,
    beside_germans,
    unoccupied_hexes,
    why_nearly_surrounded_in,
)
from kessel.games.kharkov43.system.trace import unit_text
from kessel.games.kharkov43.turn.victory import is_decided

PLACED_FROM = 4
"""9.0 step 4 begins on this game-turn."""


def eligible_hexes(g: Board, u: Unit, front: str) -> Bits:
    """9.5 Where a reserve unit may be placed, but for the last requirement, which is asked of the hex chosen.

    A village or Soviet town targeted by the active front; no unit in it; in reserve supply; not beside a Soviet unit
    unless a VP hex; within the operational limit.
    """
    ground = g.ground
    hexes = (ground.villages | g.towns_of(SOVIET)) & ground.targets[front] & unoccupied_hexes(g, u)
    apart = ground.vp_hexes | ~beside(g, g.hexes_of(SOVIET))
    return hexes & field_of(g, SOVIET, reserve=True).hexes & apart & limit_of(g, front)


def ineligible_hexes(g: Board, u: Unit, front: str) -> dict[Hex, Refusal]:
    """9.5 The villages and Soviet towns targeted by the active front in which the unit can't be placed, and why."""
    found: dict[Hex, Refusal] = {}
    ground = g.ground
    empty, field = unoccupied_hexes(g, u), field_of(g, SOVIET, reserve=True).hexes
    crowd = beside(g, g.hexes_of(SOVIET)) & ~ground.vp_hexes
    reasons = (
        (~empty, "it is occupied"),
        (~field, "reserve supply can't be traced to it"),
        (crowd, "it is adjacent to a Soviet unit and no VP hex"),
        (~limit_of(g, front), "it is beyond the operational limit"),
    )
    for h in members((ground.villages | g.towns_of(SOVIET)) & ground.targets[front]):
        if reason := next((text for hexes, text in reasons if hexes >> h & 1), ""):
            found[h] = Refusal("9.5", reason)
    return found


def why_not_village(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """9.5 In a village the unit must not be nearly surrounded."""
    if not g.ground.villages >> h & 1:
        return None
    found = why_nearly_surrounded_in(g, u, h)
    return None if found is None else Refusal("9.5", f"the unit would be nearly surrounded: {found.reason}")


def placing_preferences(g: Board, u: Unit, front: str) -> tuple[Preference, ...]:
    """9.5 a-h; a last tie goes to the highest hex number, as everywhere else."""
    army = g.forces.formation[u]

    def threatened(s: Bits) -> Bits:
        return bits(h for h in members(s) if is_threatened(g, h, by_supply=True))

    def supplied(units: list[Unit]) -> bytes:
        return distance_to(g, bits(g.place[v] for v in units if g.is_supplied(v)))

    on_map = g.on_map_of(SOVIET)
    of_army = [v for v in on_map if g.forces.formation[v] == army and not g.status[v] & PLACED]
    of_front = [v for v in on_map if g.forces.higher[v] == front]
    return (
        Preference("9.5a", "in German supply or a German unit proximate", threatened),
        those("9.5b", "a garrisoned hex", lambda: g.garrisons),
        those("9.5c", "beside a German unit", lambda: beside_germans(g)),
        those("9.5d", "in Soviet support", lambda: supported(g)),
        those("9.5e", "a city", lambda: g.ground.cities),
        those("9.5f", "a VP hex", lambda: g.ground.vp_hexes),
        least("9.5g", "closest to a supplied unit of its army", lambda h: supplied(of_army)[h]),
        least("9.5h", "closest to a supplied unit of its front", lambda h: supplied(of_front)[h]),
        highest_number(g, "9.5"),
    )


def placing(g: Board, u: Unit, front: str) -> Choice:
    """9.5 The hex for one reserve unit; NO_HEX where none is eligible."""
    return choose(eligible_hexes(g, u, front), placing_preferences(g, u, front), lambda h: why_not_village(g, u, h))


class Placing(NamedTuple):
    """One reserve unit checked: its hex, if any, and where else it could not go."""

    unit: Unit
    choice: Choice
    ineligible: dict[Hex, Refusal]

    def as_json(self, g: Board) -> dict[str, Any]:
        found: dict[str, Any] = {"unit": g.id(self.unit), "rule": "9.5", **self.choice.as_json(g)}
        found["not_eligible"] = {g.hex_name(h): r.reason for h, r in self.ineligible.items()}
        return found


def place_reserves(g: Board, front: str) -> list[Placing]:
    """9.0 step 4, 9.5: all active units in the reserve box, one at a time in descending order."""
    told: list[Placing] = []
    if g.turn < PLACED_FROM:
        return told
    for u in g.descending(u for u in g.in_box(SOVIET, RESERVE) if g.status[u] & ACTIVE):
        if is_decided(g):
            break
        found = placing(g, u, front)
        if g.events is not None:
            told.append(Placing(u, found, ineligible_hexes(g, u, front)))
            last = f"; {found.cuts[-1].what}" if found.cuts else ""
            name = g.ground.name(found.hex) if found.hex != NO_HEX else ""
            text = f"is placed in {name} from reserve{last}" if name else "stays in reserve: no hex is eligible"
            to = {"to": g.hex_name(found.hex)} if name else {}
            g.tell(f"{unit_text(g, u)} {text}", "9.5", unit=g.id(u), **to, trace=told[-1].as_json(g))
        if found.hex != NO_HEX:
            g.put(u, found.hex)
            g.set_status(u, PLACED)
            enter_hex(g, u, found.hex)
    return told
