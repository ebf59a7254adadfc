"""What follows when a unit enters or leaves a hex: towns (14.1), IPs, garrisons (15.3), VPs (17.1), objectives (9.13).

Movement, retreat, advance and the placement of reserves all end here.
"""

from __future__ import annotations

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import EDGE_HELD, GARRISON, IP, Board
from kessel.games.kharkov43.data.forces import SIDES, SOVIET
from kessel.games.kharkov43.supply.supply import can_trace
from kessel.games.kharkov43.system.objective_markers import note_entry, reach_army_objectives
from kessel.games.kharkov43.turn.victory import check_early_loss


def enter_hex(g: Board, u: Unit, h: Hex) -> None:
    """The unit is in h now."""
    side = g.forces.side[u]
    take_town(g, h, side)
    if g.has_mark(h, GARRISON):
        remove_garrison(g, h, "15.3")
    if side == SOVIET:
        check_edge_vps(g)
        pass_hex(g, h)
    check_early_loss(g)


def pass_hex(g: Board, h: Hex) -> None:
    """9.12, 9.13 A Soviet unit has entered h on its way and goes on: objectives ask for no more."""
    reach_army_objectives(g, h)
    note_entry(g, h)


def leave_hex(g: Board, h: Hex) -> None:
    """A unit has left h."""
    if not g.occupied(h) and g.has_mark(h, IP):
        g.mark(h, IP, False)
        g.tell(f"the improved position in {g.hex_name(h)} is abandoned", "14.24", hex=g.hex_name(h))
    check_edge_vps(g)


def change_vp(g: Board, by: int, why: str, rule: str) -> None:
    """17.1 Move the VP markers."""
    if by:
        g.set_track("vp", max(0, g.vp + by))
        g.tell(f"{why}: {by:+d} VP, the Soviets have {g.vp}", rule, vp=g.vp)


def take_town(g: Board, h: Hex, side: Side) -> None:
    """14.1 A town or city belongs to the side whose unit entered it last; 17.1 its VPs go with it."""
    if not g.ground.towns >> h & 1 or g.owner[h] == side + 1:
        return
    g.set_owner(h, side)
    name = g.ground.name(h)
    g.tell(f"{name} becomes {SIDES[side].capitalize()}-owned", "14.1", hex=g.hex_name(h), side=SIDES[side])
    value = g.ground.vp_value(h)
    change_vp(g, value if side == SOVIET else -value, name, "17.1")


def remove_garrison(g: Board, h: Hex, rule: str) -> None:
    """15.3 Take the garrison off the map."""
    g.mark(h, GARRISON, False)
    g.tell(f"the garrison in {g.ground.name(h)} is removed", rule, hex=g.hex_name(h))


def check_edge_vps(g: Board, *, supply_phase: bool = False) -> None:
    """17.1 Map-edge VP hexes count while a Soviet unit holds them and can trace supply.

    They are gained whenever both are true, and lost when the hex is left, or when its units can't trace supply in a
    Supply Phase.
    """
    edges_held = g.edges_held & g.ground.edge_vps
    changed = edges_held ^ g.ground.edge_vps & g.hexes_of(SOVIET)
    for h in members(edges_held | changed if supply_phase else changed):
        held = g.has_mark(h, EDGE_HELD)
        occupied = bool(g.units_of(h, SOVIET))
        if held and (not occupied or (supply_phase and not can_trace(g, h, SOVIET))):
            g.mark(h, EDGE_HELD, False)
            change_vp(g, -g.ground.vp_value(h), f"map edge {g.hex_name(h)} lost", "17.1")
        elif not held and occupied and can_trace(g, h, SOVIET):
            g.mark(h, EDGE_HELD)
            change_vp(g, g.ground.vp_value(h), f"map edge {g.hex_name(h)} taken", "17.1")
            check_early_loss(g)
