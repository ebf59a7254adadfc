"""9.7 Placing an improved position on a Soviet unit."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.improved_positions import is_idle, place_ip, why_not_ip
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.proximity import is_german_proximate
from kessel.games.kharkov43.supply.support import supported
from kessel.games.kharkov43.system.methods.targets import units_beside
from kessel.games.kharkov43.system.terms.choosing import Choice, Preference, choose, least, lowest_number, those

PLACED_FROM = 4
"""9.0 step 6 begins on this game-turn."""


def qualifying_hexes(g: Board) -> Bits:
    """9.7 Hexes in support with an idle active unit, where an IP is allowed."""
    hexes = bits(g.place[u] for u in g.active_units() if g.on_map(u) and is_idle(g, u)) & supported(g)
    return bits(h for h in members(hexes) if why_not_ip(g, h, SOVIET) is None)


def unqualified_hexes(g: Board) -> dict[Hex, Refusal]:
    """9.7 The hexes of active units that do not qualify, and why."""
    found: dict[Hex, Refusal] = {}
    for h in sorted({g.place[u] for u in g.active_units() if g.on_map(u)}):
        idle = any(is_idle(g, u) for u in g.units_of(h, SOVIET))
        refusal = why_not_ip(g, h, SOVIET)
        if not idle:
            refusal = Refusal("9.7", "no active unit in it has neither moved nor attacked nor been placed")
        if refusal is not None:
            found[h] = refusal
    return found


def position_preferences(g: Board, rule: str) -> tuple[Preference, ...]:
    """9.7 a-d; also those of the Combat Engineers event."""

    def supplied_germans() -> Bits:
        return bits(g.place[v] for v in g.on_map_of(GERMAN) if g.is_supplied(v))

    def proximate(s: Bits) -> Bits:
        return bits(h for h in members(s) if is_german_proximate(g, h, supplied_only=True))

    return (
        those(f"{rule}a", "beside a supplied German unit", lambda: units_beside(g, supplied_germans())),
        Preference(f"{rule}b", "a supplied German unit proximate", proximate),
        least(f"{rule}c", "the least Soviet strength", lambda h: g.strength_in(h, SOVIET)),
        lowest_number(g, f"{rule}d"),
    )


def position_choice(g: Board) -> Choice:
    return choose(qualifying_hexes(g), position_preferences(g, "9.7"))


def place_position(g: Board) -> None:
    """9.0 step 6: one hex only."""
    if g.turn < PLACED_FROM:
        return
    found = position_choice(g)
    if found.hex != NO_HEX:
        place_ip(g, found.hex, "9.7")
