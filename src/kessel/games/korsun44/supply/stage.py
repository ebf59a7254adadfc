"""13.0, 14.0 The Mutual Supply Stage and the German Air Supply Stage, and what other chapters ask about supply."""

from __future__ import annotations

from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import GERMAN, OUT, SDM_LOST, SOVIET, Board
from kessel.games.korsun44.supply.air_supply import AirSupplyStage
from kessel.games.korsun44.supply.determination import is_in_range, length_to, traced_by
from kessel.games.korsun44.supply.korsun import Abandonment, captures
from kessel.games.korsun44.supply.paths import supply_range
from kessel.games.korsun44.supply.phases import SupplyStage
from kessel.games.korsun44.supply.rail import cut_railroads


def supply_stage(g: Board) -> Procedure | None:
    """3.2.C The six phases of the Mutual Supply Stage."""
    return SupplyStage()


def air_supply_stage(g: Board) -> Procedure | None:
    """3.2.D The four phases of the German Air Supply Stage."""
    return AirSupplyStage()


def end_of_movement(g: Board, side: Side) -> None:
    """13.1.2 After the Soviet Movement Phase divisions and brigades on the railroad cut it."""
    if side == SOVIET:
        cut_railroads(g)


def end_of_turn(g: Board) -> None:
    """14.5.2 Korsun and its airfield may have been captured."""
    captures(g)


def is_supplied(g: Board, u: Unit) -> bool:
    """13.4 Whether a unit was found in supply this turn."""
    return not g.status[u] & OUT


def in_range_of_supply(g: Board, u: Unit) -> bool:
    """8.4 Within supply range of its source or SDM now: a place on the road between them is not enough."""
    return is_in_range(g, u)


def paying_sdm(g: Board, u: Unit, points: int) -> Unit:
    """14.3, 13.5.1 The SDM that can spend so many points on a unit: the one that placed it in supply."""
    s = g.supplier[u]
    if s == NO_UNIT or g.status[u] & OUT or g.sdm_at[s] < 0 or g.sdm_flags[s] & SDM_LOST or g.sdm_sp[s] < points:
        return NO_UNIT
    return s


def traced_korps(g: Board, h: Hex) -> tuple[str, ...]:
    """8.6.3 The German korps to an SDM of which, not of a division, a supply path leads from a hex."""
    found = {g.forces.corps[s] for s in traced_by(g, h, GERMAN) if not g.forces.division[s]}
    return tuple(k for k in g.charts.game.formations.german_korps if k in found)


def within_range_of(g: Board, u: Unit, sdm: Unit) -> bool:
    """8.6.5, 13.4.1 Whether a unit is in an SDM's supply range by a supply path."""
    return g.on_map(u) and length_to(g, u, sdm, supply_range(g, g.forces.side[u])) is not None


def abandon_korsun(g: Board) -> Procedure | None:
    """8.6.4 SDMs of Gruppe Stemmermann go to zero, Korsun's points are given to them."""
    return Abandonment(GERMAN)
