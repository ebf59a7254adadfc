"""Who may use which kind of movement (5.3, 5.4, 5.6, 5.7, 13.2, 13.3, 16.4, 18.2, 18.6, 20.4, 21.4).

Each kind of movement has one list of guards. `modes` asks them all; a refusal is the answer of the guard that says no.
"""

from __future__ import annotations

from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, NOW, fact
from kessel.core.forces import Unit
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import (
    ARRIVED,
    AUTO_DS,
    BAD_ORDER,
    CHOSE_RETREAT,
    DISRUPTED,
    FLIPPED,
    FROZEN,
    FULL_RETREAT,
    OOS,
    REPLACED,
    RESERVE,
    STUCK,
    TRAIN,
)
from kessel.games.stalingrad42.data.charts import POINT
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.movement.maskirovka import cargo, slowest
from kessel.games.stalingrad42.movement.ways.zones import is_contested

NORMAL, EXTENDED, TACTICAL, RAIL, SEA, TRANSFER, STRAIT = 1, 2, 4, 8, 16, 32, 64
MODE_WORDS = {
    NORMAL: "normal",
    EXTENDED: "extended",
    TACTICAL: "tactical",
    RAIL: "rail",
    SEA: "sea",
    TRANSFER: "transfer",
    STRAIT: "strait",
}
MODES = {word: mode for mode, word in MODE_WORDS.items()}

TELLING = STUCK | REPLACED | ARRIVED | BAD_ORDER | OOS | FLIPPED
"""The markers on which the kinds of movement depend."""

LIMITS = ("", "tactical", "tactical_or_rail", "normal", "interchange")
"""Phases in which not all kinds of movement are allowed: S1.2b/S4.2, S3.4c, S2.4a, 33.2.3."""


def why_not_leave(g: Board, u: Unit) -> Refusal | None:
    """Why a unit may not move at all in this phase."""
    s = g.status[u]
    if not s & STUCK:
        return None
    if s & TRAIN:
        return Refusal("5.6.5", f"{g.name(u)} is under a Train marker")
    if s & FROZEN:
        return Refusal(frozen_rule(g, u), f"{g.name(u)} may not move until it is released")
    if s & AUTO_DS:
        return Refusal("8.6.1", f"{g.name(u)} made an Automatic DS and may move no farther")
    if s & RESERVE:
        return Refusal("25.2.1", f"{g.name(u)} is in Reserve")
    return Refusal("5.1", f"{g.name(u)} has moved already")


def frozen_rule(g: Board, u: Unit) -> str:
    """The rule that keeps a unit from moving: that of its group in the scenario, or of its counter."""
    groups, name = g.forces.groups[u], g.name(u)
    if rule := next((x.rule for x in g.scenario.frozen if name in x.units), ""):
        return rule
    if "garrison" in groups:
        return "20.4"
    if any(group.startswith("reserve_army_") for group in groups):
        return "31.0"
    return "20.6"


def modes(g: Board, u: Unit, limit: str = "") -> int:
    """The kinds of movement a unit may use now."""
    place = g.place[u]
    on_map = place < g.map.grid.size
    special = (-1 if is_contested(g, place) else -2) if on_map else place
    laden = g.forces.type[u] == "reserve_army" and cargo(g, u)
    face = g.face(u)
    key = (g.forces.mover[u], limit, g.status[u] & TELLING, face.tactical_only, face.boxed, special, laden)
    known = _memo_of_modes(g)
    found = known.get(key)
    if found is None:
        found = 0
        for mode in MODE_WORDS:
            if why_not_mode(g, u, mode, limit) is None:
                found |= mode
        known[key] = found
    return found


@fact(GAME)
def _memo_of_modes(g: Board) -> dict[tuple[Any, ...], int]:
    """By class of unit, its markers and where it stands."""
    return {}


@fact(NOW)
def common_modes(g: Board, units: tuple[Unit, ...], limit: str = "") -> int:
    """The kinds of movement all of these units may use now."""
    found = modes(g, units[0], limit)
    for u in units[1:]:
        found &= modes(g, u, limit)
    return found


def why_not_mode(g: Board, u: Unit, mode: int, limit: str = "") -> Refusal | None:
    """Why a unit may not use a kind of movement now; None if it may."""
    if why := why_not_leave(g, u):
        return why
    if limit and (why := _why_not_limit(g, u, mode, limit)):
        return why
    if g.status[u] & (REPLACED | ARRIVED) and mode != TACTICAL:
        rule = "21.4" if g.status[u] & REPLACED else "20.8"
        return Refusal(rule, f"{g.name(u)} may move only one hex")
    if g.is_in_entry_area(u) and (why := _why_not_exile(g, u)):
        return why
    if g.is_in_entry_area(u) and mode not in (RAIL, TRANSFER) and g.status[u] & BAD_ORDER:
        return Refusal("22.3.1", "only Good Order units may leave an Entry Area")
    return _GUARDS[mode](g, u)


def _why_not_exile(g: Board, u: Unit) -> Refusal | None:
    """S1.2 Axis units that left the map do not return; from Area G they may (24.1.2)."""
    place = g.place[u]
    if g.box_side(place) == g.forces.side[u] or g.map.box(place).id == "G":
        return None
    return Refusal("S1.2", f"{g.name(u)} has left the map")


def tactical_only(g: Board, u: Unit) -> Refusal | None:
    """Why a unit may use no other movement than Tactical Movement; by rail and sea neither."""
    s, forces = g.status[u], g.forces
    if s & OOS and forces.mech[u] and (not s & FULL_RETREAT or g.reads("oos_mech_fr") == "tactical"):
        return Refusal("16.4", f"{g.name(u)} is Mechanized and Out of Supply and may only use Tactical Movement")
    if g.face(u).tactical_only:
        return Refusal("18.6.3", "a Ready Supply Point may only use Tactical Movement")
    if g.on_map(u) and is_contested(g, g.place[u]):
        return Refusal("29.1.2", "a Contested City hex is left only by Tactical Movement")
    return None


def _normal(g: Board, u: Unit) -> Refusal | None:
    if g.status[u] & DISRUPTED:
        return Refusal("13.2.1", f"{g.name(u)} is Disrupted and may only use Tactical Movement")
    if g.forces.type[u] == "reserve_army" and cargo(g, u) & 6:
        what = "Disrupted units" if cargo(g, u) & 2 else "units with Replacements"
        return Refusal("34.3.1", f"{g.name(u)} has {what} inside and may only use Tactical Movement")
    if g.forces.is_immobile(u):
        return Refusal("18.6.8", "a non-mobile Supply Point moves only by rail or sea")
    return tactical_only(g, u)


def _extended(g: Board, u: Unit) -> Refusal | None:
    if why := _normal(g, u):
        return why
    if g.forces.is_supply_point(u):
        return Refusal("18.6.3", "Supply Points may not use Extended Movement")
    if g.forces.is_asu[u] and not g.status[u] & FLIPPED:
        return Refusal("18.2.2", "an ASU on its Ready side may not use Extended Movement")
    if g.face(u).boxed:
        return Refusal("5.3", f"the Movement Allowance of {g.name(u)} is in a black box")
    return None


def _tactical(g: Board, u: Unit) -> Refusal | None:
    if g.forces.is_immobile(u):
        return Refusal("18.6.8", "a non-mobile Supply Point moves only by rail or sea")
    return None


def _rail(g: Board, u: Unit) -> Refusal | None:
    if g.status[u] & BAD_ORDER:
        return Refusal("5.6.3", "only units in Good Order may use Rail Movement")
    if g.forces.type[u] == "reserve_army" and cargo(g, u):
        return Refusal("34.3.2", "a Reserve Army with units in its Holding Box may not use Rail Movement")
    return tactical_only(g, u)


def _sea(g: Board, u: Unit) -> Refusal | None:
    if g.forces.side[u] == AXIS:
        return Refusal("5.7.1", "only the Soviet player may use Shipping Paths")
    if g.forces.mech[u] and not g.forces.is_supply_point(u):
        return Refusal("5.7.1", "Mechanized units may not use Shipping Paths")
    if g.status[u] & BAD_ORDER:
        return Refusal("5.7.1", "only units in Good Order may use Sea Movement")
    return None if is_naval_brigade(g, u) else tactical_only(g, u)


def is_naval_brigade(g: Board, u: Unit) -> bool:
    """5.7.1 Soviet Naval Infantry brigades have three extra benefits; Tactical Movement leads them over the sea."""
    return g.forces.type[u] == "naval" and g.forces.size[u] == "brigade"


def _transfer(g: Board, u: Unit) -> Refusal | None:
    if "bluecher" in g.forces.groups[u] and g.place[u] in g.ground.kerch_boxes:
        return Refusal("20.7", "Plan Blücher units leave Entry Area W only over the Kerch Strait")
    if not g.is_in_entry_area(u):
        return Refusal("22.6.1", f"{g.name(u)} is not in an Entry Area")
    if g.forces.type[u] == "reserve_army" and cargo(g, u) & 14:
        return Refusal("34.3.3", "Disrupted units or units with Replacements are inside")
    if g.status[u] & BAD_ORDER:
        return Refusal("22.3.1", "only Good Order units may leave an Entry Area")
    return None


def _strait(g: Board, u: Unit) -> Refusal | None:
    if g.forces.side[u] != AXIS:
        return Refusal("5.7.2", "only Axis units may cross the Kerch Strait")
    if g.status[u] & BAD_ORDER:
        return Refusal("22.3.1", "only Good Order units may leave an Entry Area")
    return None


_GUARDS = {
    NORMAL: _normal,
    EXTENDED: _extended,
    TACTICAL: _tactical,
    RAIL: _rail,
    SEA: _sea,
    TRANSFER: _transfer,
    STRAIT: _strait,
}


def why_not_fight(limit: str) -> Refusal | None:
    """Why nothing of combat, Automatic DS and Reserves, belongs to a phase with that restriction."""
    if limit == "normal":
        return Refusal("S2.4.1", "in the pre-move units only move")
    if limit == "interchange":
        return Refusal("33.2.3", "no combat is allowed in the Interchange Turn")
    return None


def _why_not_limit(g: Board, u: Unit, mode: int, limit: str) -> Refusal | None:
    if limit == "tactical" and g.forces.combat[u] and mode != TACTICAL:
        rule = "S1.2" if g.scenario.has("S1.2b") else "S4.2"
        return Refusal(rule, "on Turn 1 Axis Combat Units may only use Tactical Movement")
    if limit == "tactical_or_rail" and mode not in (TACTICAL, RAIL):
        return Refusal("S3.4", "on the first turn Soviet units may only use Tactical and Rail Movement")
    if limit == "normal" and g.is_in_entry_area(u):
        return Refusal("S2.4.1", "in the pre-move only units on the map move")
    if limit == "normal" and mode not in (NORMAL, TACTICAL):
        return Refusal("S2.4.1", "in the pre-move neither Extended nor Rail Movement is allowed")
    if limit == "interchange":
        full = mode in (NORMAL, EXTENDED) and g.status[u] & FULL_RETREAT
        if not full and mode != TACTICAL:
            return Refusal("33.2.3", "in the Interchange Turn units use Tactical Movement unless in Full Retreat")
    return None


# --- how far -------------------------------------------------------------------------------------------------------


def allowance(g: Board, u: Unit) -> int:
    """5.1 The Movement Allowance now, in half Movement Points; one less in Snow (23.2.4)."""
    ma = slowest(g, u) if g.forces.type[u] == "reserve_army" else g.ma(u)
    return max(0, ma + g.effects.ma) * POINT


def tactical_hexes(g: Board, u: Unit) -> int:
    """5.4 Two hexes; one for a unit under a Replacement marker (21.4) or a Volunteer on arrival (20.8)."""
    if g.status[u] & (REPLACED | ARRIVED) or (g.forces.type[u] == "reserve_army" and cargo(g, u) & 4):
        return 1
    return g.charts.constant("tactical_hexes")


def exit_cost(g: Board, u: Unit) -> int:
    """6.2 Leaving an EZOC costs two more; not for units that chose Full Retreat in this phase (13.3.1)."""
    free = CHOSE_RETREAT if g.reads("full_retreat_exit") == "voluntary" else FULL_RETREAT
    return 0 if g.status[u] & free else g.charts.constant("ezoc_exit") * POINT
