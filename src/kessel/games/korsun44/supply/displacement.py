"""13.2.4 SDMs that enemies come near."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, spread_along
from kessel.core.procedure import AGAIN, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import DISPLACED, MARKERS, ON_SDM, SDM_LOST, Board
from kessel.games.korsun44.supply.paths import roads_of
from kessel.games.korsun44.supply.sources import all_sources


def must_displace(g: Board, sdm: Unit) -> bool:
    """13.2.4 Enemies are next to it, or in its hex, and no friend is with it."""
    h, side = g.sdm_at[sdm], g.forces.side[sdm]
    if h == NOWHERE or g.of_side(h, side):
        return False
    return g.enemies_in(h, side) or any(g.enemies_in(n, side) for n in g.map.grid.around[h])


def hexes_back(g: Board, sdm: Unit) -> Bits:
    """13.2.4 The hexes one or two along a road toward a source: zones do not matter, enemy units do."""
    side, start = g.forces.side[sdm], g.sdm_at[sdm]
    links, grid = roads_of(g, side), g.map.grid
    through = g.playable & ~g.hexes_of(1 - side)
    sources = all_sources(g, sdm) & through
    if not sources:
        return 0
    layers = [sources]
    seen = sources
    while layers[-1] and not seen >> start & 1:
        # The hex of the SDM itself may hold the enemy that came in.
        layers.append(spread_along(grid, layers[-1], links) & (through | 1 << start) & ~seen)
        seen |= layers[-1]
    if not seen >> start & 1:
        return 0
    found, here = 0, 1 << start
    for n in range(1, g.charts.constants.sdm_displacement + 1):
        if n >= len(layers):
            break
        here = spread_along(grid, here, links) & layers[-1 - n] & through
        found |= here
    return found


@dataclass(slots=True)
class Displacement(Procedure):
    """13.2.4 The owner moves his SDMs back; one that cannot go comes off until next turn."""

    side: int
    sdms: tuple[int, ...]

    @auto("13.2.4")
    def begin(self, g: Board) -> Out:
        for s in self.sdms:
            if not hexes_back(g, s):
                g.tell(f"{g.name(s)} cannot displace and is removed", "13.2.4", unit=g.id(s))
                g.sdm_flags[s] |= SDM_LOST
                g.sdm_sp[s] = 0
                g.place_sdm(s, NOWHERE)
        self.sdms = tuple(s for s in self.sdms if g.sdm_at[s] != NOWHERE)
        return None

    pick = Choice("side", "13.2.4", "Displace the SDM one or two hexes toward its source.")

    @pick.verb(
        "displace",
        legal=lambda p, g: [(s, h) for s in p.sdms for h in members(hexes_back(g, s))],
        why_not=lambda p, g, s, h: p.why_not_displace(g, s, h),
    )
    def displace(self, g: Board, s: Unit, h: Hex) -> Out:
        g.tell(f"{g.name(s)} displaces to {g.hex_name(h)}", "13.2.4", unit=g.id(s), to=g.hex_name(h))
        g.sdm_flags[s] |= DISPLACED
        if g.reads("displaced_sdm") == "silent":
            g.sdm_sp[s] = 0
        g.place_sdm(s, h)
        g.happened(ON_SDM)
        self.sdms = tuple(x for x in self.sdms if x != s)
        return AGAIN

    def why_not_displace(self, g: Board, s: Unit, h: Hex) -> Refusal | None:
        if s not in self.sdms:
            return Refusal("13.2.4", f"{g.name(s)} does not displace")
        if not hexes_back(g, s) >> h & 1:
            return Refusal("13.2.4", f"{g.hex_name(h)} is not one or two hexes toward its source by road")
        return None


@fact(MARKERS)
def sdm_places(g: Board, side: Side) -> Bits:
    """The hexes with SDMs of a side."""
    return bits(g.sdm_at[s] for s in g.sdms(side))


def displacement(g: Board, side: Side, h: Hex) -> Procedure | None:
    """13.2.4 SDMs of `side` in or next to h, which an enemy has just entered, displace."""
    near = g.map.grid.near[h] | 1 << h
    if not near & sdm_places(g, side):
        return None
    sdms = tuple(s for s in g.sdms(side) if near >> g.sdm_at[s] & 1 and must_displace(g, s))
    return Displacement(side, sdms) if sdms else None
