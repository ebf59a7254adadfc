"""15 Soviet garrisons."""

from __future__ import annotations

from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import ACTIVE, DISPERSED, GARRISON, UNSUPPLIED, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.arrival import remove_garrison
from kessel.games.kharkov43.movement.proximity import can_meet_garrison, is_anyone_proximate
from kessel.games.kharkov43.movement.zones import is_garrisoned, scene_without_garrison
from kessel.games.kharkov43.supply.supply import can_trace, field_if
from kessel.games.kharkov43.supply.support import is_in_support, limit_in_force, limit_of

# --- 15.1 placing ----------------------------------------------------------------------------------------------------


def is_empty(g: Board, h: Hex) -> bool:
    """9.3 Empty: no units and no garrison."""
    return not g.occupied(h) and not is_garrisoned(g, h)


def why_not_town_garrison(g: Board, h: Hex, front: str = "") -> Refusal | None:
    """15.1 An empty Soviet VP hex from which Soviet supply can be traced."""
    if not g.towns_of(SOVIET) >> h & 1:
        return Refusal("15.1", "it is not a Soviet VP hex")
    return _why_not_of_front(g, h, front) or _why_not_soviet_supply(g, h)


def why_not_village_garrison(g: Board, h: Hex, front: str = "") -> Refusal | None:
    """15.1 The five requirements of a village hex, and those of the Garrison Front event (15.11)."""
    return why_not_soviet_ground(g, h, front) or why_not_in_german_reach(g, h)


def why_not_soviet_ground(g: Board, h: Hex, front: str = "") -> Refusal | None:
    """15.1 The requirements that no other garrison can change. 15.11 asks for the front's limit, 15.1 for the line."""
    if not g.ground.villages >> h & 1:
        return Refusal("15.0", "garrisons stand only in villages and VP hexes")
    if refusal := _why_not_of_front(g, h, front) or _why_not_near(g, h, front) or _why_not_soviet_supply(g, h):
        return refusal
    if g.map.grid.near[h] & g.hexes_of(GERMAN):
        return Refusal("15.1", "a German unit is adjacent")
    if not front and not limit_in_force(g) >> h & 1:
        return Refusal("15.1", "it is beyond the operational limit")
    return None


def why_not_in_german_reach(g: Board, h: Hex) -> Refusal | None:
    """15.1 A German unit would be proximate to a garrison in h, or German supply can be traced to h.

    An unmanned village is judged as it stands; a garrisoned one as if its own marker were not there.
    """
    if can_meet_garrison(g, h):
        return None
    if is_garrisoned(g, h):
        others = scene_without_garrison(g, h)
        met = can_meet_garrison(g, h, others) or h in field_if(g, others, GERMAN, placing_garrisons=True)
    else:
        met = can_trace(g, h, GERMAN, placing_garrisons=True)
    if met:
        return None
    return Refusal("15.1", "no German unit would be proximate and German supply can't be traced to it")


def _why_not_of_front(g: Board, h: Hex, front: str) -> Refusal | None:
    if front and not g.ground.is_target(h, front):
        return Refusal("15.11", f"it is not a target of the {front} Front")
    if front and not limit_of(g, front) >> h & 1:
        return Refusal("15.11", f"it is beyond the operational limit of the {front} Front")
    return None


def _why_not_near(g: Board, h: Hex, front: str) -> Refusal | None:
    if g.turn >= g.charts.constants.support_from and is_in_support(g, h):
        return None
    units = [u for u in g.on_map_of(SOVIET) if not front or g.forces.higher[u] == front]
    if is_anyone_proximate(g, SOVIET, h, units):
        return None
    return Refusal("15.11" if front else "15.1", "no Soviet unit is proximate and it is not in Soviet support")


def _why_not_soviet_supply(g: Board, h: Hex) -> Refusal | None:
    return None if can_trace(g, h, SOVIET) else Refusal("15.1", "Soviet supply can't be traced from it")


def place_garrisons(g: Board, front: str = "") -> list[Hex]:
    """15.1 The garrison placement process; 15.11 for the hexes of one front. Returns the hexes that got a marker.

    A village garrison goes if a marker placed after it puts it out of German reach (the other requirements cannot be
    changed by a marker); one that failed any requirement before stays (switches garrison_removed, older_garrison).
    """
    placed: list[Hex] = []
    meets = why_not_in_german_reach if g.reads("older_garrison") == "goes" else why_not_village_garrison
    standing = {h for h in members(g.garrisons & g.ground.villages) if meets(g, h) is None}
    for h in g.ground.town_list:
        if is_empty(g, h) and why_not_town_garrison(g, h, front) is None:
            _place(g, h, front, standing)
            placed.append(h)
    able = [h for h in g.ground.village_list if is_empty(g, h) and why_not_soviet_ground(g, h, front) is None]
    for h in able:
        if why_not_in_german_reach(g, h) is None:
            _place(g, h, front, standing)
            standing.add(h)
            placed.append(h)
    return placed


def _made_to_fail(g: Board, standing: set[Hex]) -> list[Hex]:
    """The garrisons to be removed after a placement; the other reading (O8) removes all that fail."""
    if g.reads("garrison_removed") == "if_it_fails":
        villages = set(members(g.garrisons & g.ground.villages))
        return [h for h in sorted(villages) if why_not_village_garrison(g, h) is not None]
    return [h for h in sorted(standing) if why_not_in_german_reach(g, h) is not None]


def _place(g: Board, h: Hex, front: str, standing: set[Hex]) -> None:
    """One marker, in a town or a village; the village garrisons it makes fail are removed."""
    g.mark(h, GARRISON)
    g.tell(f"a garrison is placed in {g.ground.name(h)}", "15.11" if front else "15.1", hex=g.hex_name(h))
    for other in _made_to_fail(g, standing):
        remove_garrison(g, other, "15.1")
        standing.discard(other)


def explain(g: Board, h: Hex, front: str = "") -> dict[str, Any]:
    """Whether a garrison would be placed in an empty hex, and which requirement fails."""
    if not is_empty(g, h):
        return {"placed": False, "refusal": Refusal("15.1", "the hex is not empty").as_json()}
    check = why_not_town_garrison if g.ground.vp_hexes >> h & 1 else why_not_village_garrison
    refusal = check(g, h, front)
    return {"placed": refusal is None} | ({"refusal": refusal.as_json()} if refusal else {})


# --- 15.3 removal ----------------------------------------------------------------------------------------------------


def remove_beside_active_germans(g: Board) -> None:
    """6.0 step 1, 15.3: garrisons adjacent to active, supplied, undispersed German units."""
    for u in g.active_units():
        if g.forces.side[u] != GERMAN or g.status[u] & (UNSUPPLIED | DISPERSED) or not g.status[u] & ACTIVE:
            continue
        for h in members(g.map.grid.near[g.place[u]] & g.garrisons):
            remove_garrison(g, h, "15.3")


def check_at_turn_end(g: Board) -> None:
    """15.3 A garrison in a village goes if German or Soviet supply can't be traced to it."""
    gone = [
        h
        for h in members(g.garrisons & g.ground.villages)
        if not can_trace(g, h, SOVIET)
        or h not in field_if(g, scene_without_garrison(g, h), GERMAN, placing_garrisons=True)
    ]
    for h in gone:
        remove_garrison(g, h, "15.3")
