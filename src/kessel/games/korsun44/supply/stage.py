"""13.0, 14.0 The Mutual Supply Stage and the German Air Supply Stage."""

from __future__ import annotations

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import GERMAN, OUT, Board
from kessel.games.korsun44.data.charts import FROZEN


def supply_stage(g: Board) -> Procedure | None:
    """13.2.1, 14.2, 13.4, 14.7, 14.4, 14.8 The six phases of the Mutual Supply Stage. Not there yet: returns None.

    It also takes ON_FOOT off motorized infantry that traces supply over a bridge (9.2.1.2).
    """
    return None


def air_supply_stage(g: Board) -> Procedure | None:
    """14.6 The four phases of the German Air Supply Stage. Not there yet: returns None."""
    return None


def end_of_movement(g: Board, side: Side) -> None:
    """13.1.2 After the Soviet Movement Phase divisions and brigades on the railroad cut it. Not there yet."""


def is_supplied(g: Board, u: Unit) -> bool:
    """13.4 Whether a unit was found in supply this turn."""
    return not g.status[u] & OUT


def in_range_of_supply(g: Board, u: Unit) -> bool:
    """8.4 Within supply range of its source or SDM now. Not there yet: as it was found this turn."""
    return is_supplied(g, u)


def traced_korps(g: Board, h: Hex) -> tuple[str, ...]:
    """8.6.3 The German korps to an SDM of which a supply path leads from a hex. Not there yet: none."""
    return ()


def within_range_of(g: Board, u: Unit, sdm: Unit) -> bool:
    """8.6.5, 13.4.1 Whether a unit is in an SDM's supply range by a supply path. Not there yet: by distance alone."""
    c = g.charts.constants
    frozen, mud = (
        (c.german_range_frozen, c.german_range_mud)
        if g.forces.side[u] == GERMAN
        else (c.soviet_range_frozen, c.soviet_range_mud)
    )
    most = frozen if g.condition == FROZEN else mud
    return g.on_map(u) and g.sdm_at[sdm] >= 0 and g.map.grid.distance(g.place[u], g.sdm_at[sdm]) <= most


def abandon_korsun(g: Board) -> Procedure | None:
    """8.6.4.3 SDMs of Gruppe Stemmermann go to zero, Korsun's points are given to them. Not there yet: None."""
    return None
