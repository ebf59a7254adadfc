"""12.2 Soviet reserves in Soviet attacks: where an active reserve unit may be placed beside the target, and is placed.

Attack checks (9.4) ask `reserves_for` what could be placed; the combat itself places the same units in the same hexes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.kharkov43.board import ACTIVE, ATTACKED, PLACED, RESERVE, Board
from kessel.games.kharkov43.combat.battle import Battle, battle_of, is_supported, rivers_between, tell
from kessel.games.kharkov43.combat.chits import why_it_overwhelms
from kessel.games.kharkov43.combat.strengths import is_flank_attack, is_flanked_from
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.arrival import enter_hex
from kessel.games.kharkov43.movement.proximity import is_anyone_proximate
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.supply.supply import can_trace
from kessel.games.kharkov43.supply.support import is_in_support, limit_of, supported
from kessel.games.kharkov43.system.terms.choosing import Choice, Preference, choose, highest_number, those
from kessel.games.kharkov43.system.terms.terminology import surrounding_hexes, unoccupied_hexes
from kessel.games.kharkov43.turn.victory import is_decided


def active_reserves(g: Board) -> list[Unit]:
    """12.2 The active units in the Soviet Reserve Units box, in ascending order."""
    return g.ascending(u for u in g.in_box(SOVIET, RESERVE) if g.status[u] & ACTIVE)


def why_not_placed(g: Board, u: Unit, h: Hex, target: Hex, placed: Sequence[Unit] = ()) -> Refusal | None:
    """12.2 The requirement a hex fails. `placed`: reserves placed before in the same attack."""
    front, name = g.forces.higher[u], g.hex_name(h)
    if not g.ground.adjacent_units(target) >> h & 1:
        return Refusal("12.2", f"{name} is not adjacent to {g.hex_name(target)}")
    if g.hexes_of(GERMAN) >> h & 1:
        return Refusal("12.2", f"German units are in {name}")
    if g.towns_of(GERMAN) >> h & 1:
        return Refusal("12.2", f"{g.ground.name(h)} is a German town or city")
    if not limit_of(g, front) >> h & 1:
        return Refusal("12.2", f"{name} is beyond the operational limit of the {front} Front")
    if not g.has_objective(front) and not is_in_support(g, h):
        return Refusal("12.2", f"the {front} Front has no objective marker and {name} is not in Soviet support")
    if refusal := why_not_fit(g, h, [u]):
        return Refusal("12.2", refusal.reason)
    if not can_trace(g, h, SOVIET, reserve=True):
        return Refusal("12.2", f"reserve supply can't be traced to {name}")
    mates = [v for v in g.on_map_of(SOVIET) if g.forces.higher[v] == front and v not in placed]
    if not is_anyone_proximate(g, SOVIET, h, mates):
        return Refusal("12.2", f"no unit of the {front} Front is in or proximate to {name}")
    return None


def placement_preferences(g: Board, b: Battle, u: Unit) -> list[Preference]:
    """12.2 In their order."""
    near = members(g.ground.adjacent_units(b.target))

    def flanking() -> Bits:
        if is_flank_attack(g, b.attackers, b.target):
            return 0
        hexes = {g.place[v] for v in b.attackers if v != u}
        return bits(h for h in near if is_flanked_from(g, {*hexes, h}, b.target))

    found = []
    if not is_supported(g, b):
        found.append(those("12.2a", "in Soviet support, which the attack lacks", lambda: supported(g)))
    return [
        *found,
        those("12.2b", "surrounds the defender", lambda: surrounding_hexes(g, u).get(b.target, 0)),
        those(
            "12.2c",
            "not across a Dniepr hexside",
            lambda: bits(h for h in near if "dniepr" not in rivers_between(g, h, b.target)),
        ),
        those("12.2d", "flanks the defender", flanking),
        those("12.2e", "an unoccupied hex", lambda: unoccupied_hexes(g, u)),
        highest_number(g, "12.2f"),
    ]


def placement(g: Board, b: Battle, u: Unit, placed: Sequence[Unit] = ()) -> Choice:
    """12.2 The hex of one reserve unit, with what decided; NO_HEX where none qualifies."""
    fit, unfit = 0, []
    for h in members(g.ground.adjacent_units(b.target)):
        if refusal := why_not_placed(g, u, h, b.target, placed):
            unfit.append((h, refusal))
        else:
            fit |= 1 << h
    found = choose(fit, placement_preferences(g, b, u))
    found.refused = [*unfit, *found.refused]
    return found


def place_reserve(g: Board, b: Battle, u: Unit, h: Hex) -> None:
    """12.2 On the map, into the attack."""
    g.put(u, h)
    g.set_status(u, PLACED | ATTACKED)
    b.attackers = (*b.attackers, u)
    enter_hex(g, u, h)


class Planned(NamedTuple):
    """Reserves that could join an attack: the board with them placed, the attack with them, and who they are."""

    board: Board
    battle: Battle
    units: tuple[Unit, ...]
    choices: tuple[Choice, ...]


def reserves_for(g: Board, target: Hex, attackers: Sequence[Unit], card: int = -1) -> Planned:
    """9.4 All active reserves that could legally be placed beside the target, lowest selector first. Changes nothing.

    An attack check does not mind whether the attack is overwhelming: that stops placement only in combat (12.2).
    """
    b = battle_of(g, SOVIET, target, attackers, card)
    x = g
    placed: list[Unit] = []
    choices: list[Choice] = []
    for u in active_reserves(g):
        found = placement(x, b, u, placed)
        if found.hex == NO_HEX:
            continue
        x = x.copy()
        place_reserve(x, b, u, found.hex)
        placed.append(u)
        choices.append(found)
    return Planned(x, b, tuple(placed), tuple(choices))


def add_reserves(g: Board, b: Battle) -> list[tuple[Unit, Choice]]:
    """12.2 Step 1 of a Soviet attack: one by one, as long as the attack is not overwhelming. Those asked, and where."""
    placed: list[Unit] = []
    asked: list[tuple[Unit, Choice]] = []
    for u in active_reserves(g):
        if is_decided(g):
            break
        if why := why_it_overwhelms(g, b):
            g.tell(f"no more reserves are added: {why.reason}", "12.2")
            break
        found = placement(g, b, u, placed)
        asked.append((u, found))
        if found.hex == NO_HEX:
            tell(g, f"{g.name(u)} stays in reserve: no hex qualifies", "12.2", partial(found.as_json, g))
            continue
        name = g.hex_name(found.hex)
        tell(g, f"{g.name(u)} joins the attack from {name}", "12.2", partial(found.as_json, g))
        place_reserve(g, b, u, found.hex)
        placed.append(u)
    return asked
