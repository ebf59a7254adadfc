"""9.7 Fortifications: markers, printed ones, building and deactivation."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BEGUN, BUILT, COMBAT, NO_FORT, PRESENT
from kessel.games.stalingrad42.data.forces import AXIS, SIDES, SOVIET
from kessel.games.stalingrad42.data.terrain import FORT_GROUPS
from kessel.games.stalingrad42.movement.ways.zones import is_in_ezoc
from kessel.games.stalingrad42.supply.supply import has_los
from kessel.wargame.board import other


@fact(FOREVER)
def fort_group(g: Board, group: str) -> Bits:
    """9.7.7 The printed Fortifications that are deactivated together: an area of the board, or a fact of its hexes."""
    word = group.removeprefix("fort_group_")
    found = g.map.area(group) | bits(h for h, facts in g.map.facts.items() if facts.get("fort_group") == word)
    return found & g.ground.printed_fort


def printed_forts(g: Board) -> Bits:
    """9.7.6, 9.7.7 The printed Fortifications still active."""
    found = g.ground.printed_fort
    if found and g.deactivated:
        for i, group in enumerate(FORT_GROUPS):
            if g.deactivated >> i & 1:
                found &= ~fort_group(g, group)
    return found


def has_fort(g: Board, h: Hex, side: Side) -> bool:
    """A Fortification that helps that side's defenders: its own completed marker, or a printed one for Soviets."""
    if side == SOVIET and g.ground.printed_fort >> h & 1 and printed_forts(g) >> h & 1:
        return True
    if not g.fort_hexes[side] >> h & 1:
        return False
    owner_and_state = g.fort_of(h)
    return owner_and_state is not None and (owner_and_state[1] == BUILT or g.reads("construction_effects") == "full")


def is_barred_to_tanks(g: Board, h: Hex, side: Side) -> bool:
    """9.2.3 A completed Fortification in the defender's hex bars Tank Shifts; a printed one of the Soviets with Axis
    defenders inside does not (switch printed_fort_axis)."""
    if has_fort(g, h, side):
        return True
    return bool(side == AXIS and g.reads("printed_fort_axis") == "bars" and printed_forts(g) >> h & 1)


def shelters(g: Board, side: Side) -> Bits:
    """12.1.3, 13.5 Hexes with a friendly Fort: own markers, completed (switch own_fort), and active printed ones for
    Soviets."""
    found = 0
    if g.fort_hexes[side]:
        for h in members(g.fort_hexes[side]):
            state = g.fort_of(h)
            if state is not None and (state[1] == BUILT or g.reads("own_fort") == "any"):
                found |= 1 << h
    return found | printed_forts(g) if side == SOVIET else found


def is_under_construction(g: Board, h: Hex, side: Side) -> bool:
    """9.7.2 No attack is allowed out of a hex where a Fortification is being built."""
    return bool(g.fort_hexes[side] >> h & 1) and g.fort_of(h) == (side, BEGUN)


# --- building ------------------------------------------------------------------------------------------------------


def forts_left(g: Board, side: Side) -> int:
    """9.7.3 Markers of a side not on the map."""
    return g.charts.table("markers").number("fortification", SIDES[side]) - g.fort_hexes[side].bit_count()


def why_not_build(g: Board, h: Hex, side: Side) -> Refusal | None:
    """9.7.2, 9.7.3 Why a side may not begin a Fortification in a hex."""
    if not g.map.is_hex(h) or not g.ground.playable >> h & 1:
        return Refusal("9.7.3", "a Fortification is built in a land hex of the map")
    if not g.chart(h).fort_buildable:
        return Refusal("9.7.3", f"no Fortification may be built in {g.terrain(h).replace('_', ' ')} hexes")
    if g.fort_of(h) is not None or (side == SOVIET and printed_forts(g) >> h & 1):
        return Refusal("9.7.3", f"{g.hex_name(h)} has a Fortification already")
    if g.sets[COMBAT + other(side)] >> h & 1:
        return Refusal("9.7.2", f"the enemy is in {g.hex_name(h)}")
    if g.controller(h) == other(side):
        return Refusal("9.7.2", f"the enemy controls {g.hex_name(h)}")
    if is_in_ezoc(g, h, side) and not g.sets[COMBAT + side] >> h & 1:
        return Refusal("9.7.3", "in an EZOC a friendly Combat Unit must be present when a Fortification is begun")
    if forts_left(g, side) < 1:
        return Refusal("9.7.3", "all Fortification markers of this side are on the map")
    if not has_los(g, h, side):
        return Refusal("9.7.2", f"{g.hex_name(h)} is not in supply")
    return None


def begin_fort(g: Board, h: Hex, side: Side) -> None:
    """9.7.2 Construction begins in an Initial Phase, for one Resource Point (18.1)."""
    g.set_fort(h, side, BEGUN)
    g.tell(f"a Fortification is begun in {g.hex_name(h)}", "9.7.2", place=g.hex_name(h))


def complete_forts(g: Board, side: Side) -> None:
    """9.7.2 In the next friendly Initial Phase what was begun is completed, in supply or not."""
    for h in members(g.fort_hexes[side]):
        if g.fort_of(h) == (side, BEGUN):
            g.set_fort(h, side, BUILT)
            g.tell(f"the Fortification in {g.hex_name(h)} is completed", "9.7.2", place=g.hex_name(h))


# --- removal -------------------------------------------------------------------------------------------------------


def why_not_raze(g: Board, h: Hex, side: Side) -> Refusal | None:
    if not g.map.is_hex(h) or not g.fort_hexes[side] >> h & 1:
        return Refusal("9.7.5", "there is no Fortification marker of yours in that hex")
    return None


def raze(g: Board, h: Hex, side: Side) -> None:
    g.set_fort(h, side, NO_FORT)
    g.tell(f"the Fortification in {g.hex_name(h)} is removed", "9.7.5", place=g.hex_name(h))


def deactivate_printed(g: Board) -> None:
    """9.7.7 At the end of a Soviet Player Turn groups of printed Fortifications without Soviet units go for good."""
    for i, group in enumerate(FORT_GROUPS):
        hexes = fort_group(g, group)
        if not hexes or g.deactivated >> i & 1 or g.sets[PRESENT + SOVIET] & hexes:
            continue
        if group == "fort_group_rostov" and not _rostov_is_axis(g):
            continue
        g.deactivated |= 1 << i
        where = group.removeprefix("fort_group_").replace("_", " ")
        g.tell(f"the printed Fortifications ({where}) count no more", "9.7.7")


def _rostov_is_axis(g: Board) -> bool:
    rostov = _rostov(g)
    return bool(rostov) and all(g.controller(h) == AXIS for h in rostov)


@fact(FOREVER)
def _rostov(g: Board) -> list[Hex]:
    return [h for h, name in g.map.name.items() if name.split()[0] == "Rostov" and g.is_city(h)]
