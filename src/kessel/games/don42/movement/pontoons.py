"""19.4 Pontoon bridges (optional; the text is lost, these rules are reconstructed from 7.4, 4.3.3 and 17.2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.hexes import Hex, Hexside
from kessel.core.hexset import bits, members, within
from kessel.games.don42.board import (
    ATTACK,
    BUILDING,
    DESTROYED,
    IN_HAND,
    LOST,
    NO_SIDE,
    ON_CROSSING,
    POSITION,
    READY,
    Board,
)
from kessel.games.don42.data.forces import GERMAN
from kessel.games.don42.data.terrain import canonical
from kessel.games.don42.movement.zones import enemy_zone


def ends(g: Board, side: Hexside) -> tuple[Hex, Hex]:
    """The hex on the west bank and the other one."""
    h, d = divmod(side, 6)
    n = g.map.grid.neighbours[h][d]
    return (h, n) if g.ground.west_bank >> h & 1 else (n, h)


def in_hand(g: Board) -> int | None:
    """A pontoon counter that can be laid."""
    return next((i for i, state in enumerate(g.pontoon_state) if state & 3 in (IN_HAND, LOST)), None)


def why_not_pontoon(g: Board, side: Hexside) -> Refusal | None:
    """19.4 Why no pontoon can be laid over a hexside now; None if one can."""
    return _why_not_laid(g, side, g.supply)


def _why_not_laid(g: Board, side: Hexside, supply: bytes | bytearray) -> Refusal | None:
    if not g.plays("pontoons"):
        return Refusal("19.4", "the pontoon rules are not in effect")
    h, d = divmod(side, 6)
    if not g.crossings.unbridged[d] >> h & 1:
        return Refusal("7.4", "pontoons are built over Minor River hexsides without a bridge")
    if in_hand(g) is None:
        return Refusal("7.4", f"no more than {g.charts.constants.pontoons} pontoon bridges")
    if any(at == side or at == g.map.grid.flip(side) for at, s in _laid(g) if s in (BUILDING, READY)):
        return Refusal("19.4", "a pontoon is being laid there")
    west, _ = ends(g, side)
    if not g.ground.west_bank >> west & 1:
        return Refusal("19.4", "pontoons are laid from the west bank")
    zone = enemy_zone(g, GERMAN)
    near = (west, *g.map.grid.around[west])
    for h in near:
        for u in g.units(h):
            if g.forces.side[u] == GERMAN and supply[u] == ATTACK and not zone >> west & 1:
                return None
    if zone >> west & 1:
        return Refusal("19.4", "the west end is in a Soviet zone of control")
    return Refusal("19.4", "no German unit in Attack Supply is within one hex of the west end")


def _laid(g: Board) -> Iterator[tuple[Hexside, int]]:
    for at, state in zip(g.pontoon_at, g.pontoon_state, strict=True):
        yield at, state & 3


def pontoon_sites(g: Board) -> list[Hexside]:
    """The hexsides over which a pontoon can be laid now."""
    if not g.plays("pontoons") or in_hand(g) is None:
        return []
    return _pontoon_sites(g, bytes(g.supply))


@fact(POSITION)
def _pontoon_sites(g: Board, supply: bytes) -> list[Hexside]:
    ready = bits(g.place[u] for u in g.units_on_map(GERMAN) if supply[u] == ATTACK)
    west = within(g.map.grid, ready, 1) & g.ground.west_bank & g.ground.don_hexes & ~enemy_zone(g, GERMAN)
    found = {canonical(g.map.grid, h * 6 + d) for d in range(6) for h in members(g.crossings.unbridged[d] & west)}
    return sorted(s for s in found if _why_not_laid(g, s, supply) is None)


def emplace(g: Board, side: Hexside) -> None:
    """The pontoon is ready on the next turn."""
    i = in_hand(g)
    assert i is not None
    g.pontoon_at[i] = side
    g.pontoon_state[i] = BUILDING
    g.happened(ON_CROSSING)
    name = g.map.grid.hexside_name(side)
    g.tell(f"a pontoon bridge is begun {g.map.grid.between(side)}", "19.4", hexside=name)


def finish(g: Board) -> None:
    """At the start of a turn: pontoons begun on the last one are ready."""
    for i, state in enumerate(g.pontoon_state):
        if state & 3 == BUILDING:
            g.pontoon_state[i] = READY
            g.happened(ON_CROSSING)
            name = g.map.grid.hexside_name(g.pontoon_at[i])
            g.tell(f"the pontoon bridge {g.map.grid.between(g.pontoon_at[i])} is ready", "19.4", hexside=name)


def why_not_repair(g: Board, side: Hexside) -> Refusal | None:
    """19.4.5 Why a destroyed bridge or pontoon cannot be repaired now."""
    if not (g.plays("pontoons") and g.plays("pontoon_repair")):
        return Refusal("19.4.5", "the repair option is not in effect")
    if side not in _broken(g):
        return Refusal("19.4.5", "no destroyed bridge is there")
    here = ends(g, side)
    if not any(_has_german(g, n) for h in here for n in (h, *g.map.grid.around[h])):
        return Refusal("19.4.5", "no German unit is adjacent to the bridge")
    if any(g.enemies_in(n, GERMAN) for h in here for n in (h, *g.map.grid.around[h])):
        return Refusal("19.4.5", "a Soviet unit is adjacent to the bridge")
    return None


def _has_german(g: Board, h: Hex) -> bool:
    return any(g.forces.side[u] == GERMAN for u in g.units(h))


def _broken(g: Board) -> list[Hexside]:
    found = [canonical(g.map.grid, s) for i, s in enumerate(g.ground.bridges) if g.bridges[i] & DESTROYED]
    found += [canonical(g.map.grid, at) for at, state in _laid(g) if state == LOST and at != NO_SIDE]
    return sorted(set(found))


def repair_sites(g: Board) -> list[Hexside]:
    if not (g.plays("pontoons") and g.plays("pontoon_repair")):
        return []
    return [s for s in _broken(g) if why_not_repair(g, s) is None]


def repair(g: Board, side: Hexside) -> None:
    """19.4.5 One D6: on 4 or more the bridge stands again."""
    die = g.die()
    name = g.map.grid.hexside_name(side)
    mended = die >= g.charts.repaired_on
    g.tell(
        f"repair of the bridge {g.map.grid.between(side)}: die {die}, {'mended' if mended else 'not yet'}",
        "19.4.5",
        die=die,
        hexside=name,
    )
    if not mended:
        return
    i = g.ground.bridge_index.get(side)
    if i is not None:
        g.bridges[i] &= ~DESTROYED
    for p, (at, state) in enumerate(list(_laid(g))):
        if state == LOST and at != NO_SIDE and canonical(g.map.grid, at) == side:
            g.pontoon_state[p] = READY
    g.happened(ON_CROSSING)
