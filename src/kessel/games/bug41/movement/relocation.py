"""RX-7.4, PA-AP.hq HQ Relocation: where an HQ can go for one, two or three Action Points."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Bits, Hex
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.movement.displacement import hq_places, tether_of, why_not_hq, why_not_tethered
from kessel.games.bug41.supply.paths import Reach, open_hexes, reach_of, rings_of, way_back


def hexes_per_point(g: Board, hq: Unit) -> int:
    return g.forces.relocation[hq] * g.numbers.relocation.per_action_point


def relocation_reach(g: Board, hq: Unit) -> Reach:
    """Where a chain that obeys the rules of supply paths leads an HQ."""
    return reach_of(g, g.forces.command[hq], g.place[hq], open_hexes(g, g.forces.side[hq]), dry=True)


def relocation_price(g: Board, hq: Unit, h: Hex) -> int:
    """The Action Points it takes to get there along such a chain; 0 if none leads there."""
    costs, each = g.charts.costs["hq_relocation"], hexes_per_point(g, hq)
    n = relocation_reach(g, hq).steps_to(h, max(costs) * each)
    return next((k for k in costs if 0 < n <= k * each), 0)


def relocation_path(g: Board, hq: Unit, h: Hex) -> tuple[Hex, ...]:
    rings = rings_of(g, g.place[hq], g.forces.side[hq], True)
    return way_back(g, rings, h, g.ground.path_blocked)


def why_not_relocate(g: Board, f: Formation, h: Hex, points: int) -> Refusal | None:
    hq = g.hq_of(f)
    if hq == NO_UNIT:
        return Refusal("RX-7.4", f"the HQ of {g.formation_name(f)} is not on the map")
    if g.place[hq] == h:
        return Refusal("RX-7.4", f"{g.name(hq)} stands in {g.hex_name(h)}")
    if refusal := why_not_hq(g, hq, h) or why_not_tethered(g, hq, h):
        return refusal
    price = relocation_price(g, hq, h)
    if not price:
        return Refusal("RX-7.4", f"no open way leads {g.name(hq)} to {g.hex_name(h)} within reach")
    if price > points:
        return Refusal("PA-AP.hq", f"relocating to {g.hex_name(h)} costs {price} AP and {points} are left")
    return None


def relocations(g: Board, f: Formation, points: int) -> Bits:
    """All hexes for which `why_not_relocate` finds nothing against it."""
    hq = g.hq_of(f)
    if hq == NO_UNIT:
        return 0
    most = max([k for k in g.charts.costs["hq_relocation"] if k <= points], default=0)
    places = hq_places(g, g.forces.side[hq]) & tether_of(g, f) & ~(1 << g.place[hq]) if most else 0
    return relocation_reach(g, hq).within(most * hexes_per_point(g, hq)) & places if places else 0


def relocate(g: Board, f: Formation, h: Hex) -> None:
    hq = g.hq_of(f)
    if g.events is not None:
        g.tell_way(hq, "relocates to", relocation_path(g, hq, h)[1:], "RX-7.4")
    g.move(hq, h)
