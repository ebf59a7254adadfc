"""What happens when units enter a hex, by movement, advance or retreat.

Control changes hands (16.3.4), Non-Combat Units alone are removed (19.3), Fortification markers fall (9.7.5), Railheads
are pushed back (17.3.1), and units that wait for the enemy are released (20.4, 20.6, 30.0, 31.0).
"""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, FULL_RETREAT, NO_FORT, PRESENT, RETREATING, STEADY
from kessel.games.stalingrad42.combat.losses import eliminate
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.special_units import axis_entered, watch
from kessel.games.stalingrad42.supply.railheads import push_back, watched
from kessel.wargame.board import other


def can_take_control(g: Board, u: Unit) -> bool:
    """16.3.4 Combat Units not in Full Retreat take control (reading A65)."""
    if g.reads("control_takers") == "any":
        return True
    return bool(g.forces.combat[u]) and not g.status[u] & FULL_RETREAT


def enter(g: Board, units: Sequence[Unit], h: Hex, *, by_rail: bool = False) -> None:
    """Put units into a hex and do all that follows from it."""
    for u in units:
        g.move(u, h)
    entered(g, units, h, by_rail=by_rail)


def entered(g: Board, units: Sequence[Unit], h: Hex, *, by_rail: bool = False) -> None:
    """All that follows when units enter a hex, or pass through it."""
    side = g.forces.side[units[0]]
    enemy = other(side)
    occupy(g, units, h)
    if any(g.forces.combat[u] for u in units):
        if g.sets[PRESENT + enemy] >> h & 1 and not g.sets[COMBAT + enemy] >> h & 1:
            for u in g.units(h):
                if g.forces.side[u] == enemy:
                    eliminate(g, u, "19.3")
        if g.fort_hexes[enemy] >> h & 1:
            g.set_fort(h, enemy, NO_FORT)
            g.tell(f"the Fortification in {g.hex_name(h)} is removed", "9.7.5", place=g.hex_name(h))
    if side == AXIS and watch(g) >> h & 1:
        axis_entered(g, units, h)
    if side == SOVIET and g.phasing == SOVIET and not by_rail and watched(g) >> h & 1:
        push_back(g)


def occupy(g: Board, units: Sequence[Unit], h: Hex) -> None:
    """16.3.4 The last player to occupy or pass through a City or VP hex controls it."""
    side = g.forces.side[units[0]]
    enemy = other(side)
    capturable = g.ground.controllable >> h & 1 and g.control[h] != side + 1 and not g.sets[STEADY + enemy] >> h & 1
    if capturable and any(can_take_control(g, u) for u in units):
        g.set_control(h, side)
        g.tell(f"{g.hex_name(h)} is now {('Axis', 'Soviet')[side]}", "16.3.4", place=g.hex_name(h))


def alert(g: Board, side: Side) -> Bits:
    """Hexes in which something may follow when that side's units pass: all others can be crossed without a look."""
    enemy = other(side)
    quiet = g.control_hexes[side]
    s = g.ground.controllable & ~quiet | g.sets[PRESENT + enemy] | g.fort_hexes[enemy]
    if g.sets[RETREATING + enemy]:
        s |= spread(g.map.grid, g.sets[RETREATING + enemy])
    return s | (watched(g) if side == SOVIET else watch(g))


def settle_control(g: Board) -> None:
    """16.3.4 Whoever stands in a controllable hex controls it: for set-up."""
    for side in (AXIS, SOVIET):
        for h in members(g.sets[STEADY + side] & ~g.sets[STEADY + other(side)] & g.ground.controllable):
            g.set_control(h, side)
