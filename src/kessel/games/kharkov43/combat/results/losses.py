"""12.6 Step losses and elimination: also used by surrender (13.23), overstacking (10.4) and the set-up."""

from __future__ import annotations

from kessel.core.forces import Unit
from kessel.games.kharkov43.board import DESTROYED, ELIMINATED, ISOLATED, ON_MAP, Board
from kessel.games.kharkov43.movement.arrival import leave_hex


def lose_step(g: Board, u: Unit, rule: str = "12.6") -> bool:
    """Remove one step; True if that was the last one."""
    if g.steps[u] > 1:
        g.set_steps(u, g.steps[u] - 1)
        g.tell(f"{g.name(u)} loses a step", rule, unit=g.id(u), steps=g.steps[u])
        return False
    eliminate(g, u, rule)
    return True


def eliminate(g: Board, u: Unit, rule: str = "12.62") -> None:
    """12.62 To the Eliminated Units box on its one-step side; one-step units and isolated ones are gone for good."""
    gone = g.forces.full_steps[u] == 1 or bool(g.status[u] & ISOLATED)
    was_on_map, h = g.box[u] == ON_MAP, g.place[u]
    g.steps[u] = 1
    g.take_off(u, DESTROYED if gone else ELIMINATED)
    if was_on_map:
        leave_hex(g, h)
    g.tell(f"{g.name(u)} is {'destroyed' if gone else 'eliminated'}", rule, unit=g.id(u))
