"""14.2 Improved positions."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.games.kharkov43.board import ACTIVE, ATTACKED, DISPERSED, IP, MOVED, PLACED, UNSUPPLIED, Board
from kessel.games.kharkov43.data.forces import SOVIET
from kessel.games.kharkov43.supply.support import is_in_support


def can_dig_in(g: Board, u: Unit) -> bool:
    """14.22 A unit on which an IP may be placed, whatever the hex: not dispersed, out of supply or isolated."""
    return not g.status[u] & (DISPERSED | UNSUPPLIED)


def why_not_ip(g: Board, h: Hex, side: Side) -> Refusal | None:
    """14.22 Why no IP can be placed on the units of that side in h."""
    if g.ground.towns >> h & 1:
        return Refusal("14.22", f"{g.ground.name(h)} is a town or city")
    if g.has_mark(h, IP):
        return Refusal("14.22", f"{g.hex_name(h)} has an improved position")
    if not any(can_dig_in(g, u) for u in g.units_of(h, side)):
        return Refusal("14.22", f"no unit in {g.hex_name(h)} is supplied and undispersed")
    if side == SOVIET and not is_in_support(g, h):
        return Refusal("14.22", f"{g.hex_name(h)} is outside Soviet support")
    return None


def is_idle(g: Board, u: Unit) -> bool:
    """14.21, 9.7 An active unit that neither moved nor attacked, nor was placed, in this activation."""
    return g.status[u] & (ACTIVE | MOVED | ATTACKED | PLACED) == ACTIVE


def why_not_build(g: Board, h: Hex, side: Side) -> Refusal | None:
    """14.21 Why active units in h can't build an IP at the end of their activation."""
    if not any(is_idle(g, u) and can_dig_in(g, u) for u in g.units_of(h, side)):
        return Refusal("14.21", f"no idle active unit in {g.hex_name(h)} is supplied and undispersed")
    return why_not_ip(g, h, side)


def place_ip(g: Board, h: Hex, rule: str) -> None:
    g.mark(h, IP)
    g.tell(f"an improved position is placed in {g.hex_name(h)}", rule, hex=g.hex_name(h))


def remove_ip(g: Board, h: Hex, rule: str) -> None:
    if g.has_mark(h, IP):
        g.mark(h, IP, False)
        g.tell(f"the improved position in {g.hex_name(h)} is removed", rule, hex=g.hex_name(h))
