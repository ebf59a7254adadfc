"""PA-TEC.c Pillboxes: when one works, for whom, and what its hex costs to enter."""

from __future__ import annotations

from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import TerrainRow
from kessel.games.bug41.data.forces import GERMAN, SOVIET


def working_pillboxes(g: Board) -> Bits:
    """PA-TEC.c1, c2 Those with Soviet infantry in them (or as the switch `pillbox_note` reads the damaged note)."""
    reading, there = g.reads("pillbox_note"), g.census(SOVIET)
    if reading == "needs_infantry":
        return g.ground.pillboxes & there.foot
    return g.ground.pillboxes & (there.others if reading == "not_for_infantry" else there.crowds[0])


def pillbox_works(g: Board, h: Hex) -> bool:
    return bool(working_pillboxes(g) >> h & 1)


def is_sheltered(g: Board, u: Unit) -> bool:
    """PA-TEC.c3 A unit that the pillbox it stands in helps with its checks."""
    if not g.on_map(u) or not pillbox_works(g, g.place[u]):
        return False
    return g.reads("pillbox_note") != "needs_infantry" or bool(g.forces.infantry[u])


def row_of(g: Board, h: Hex) -> TerrainRow:
    """The row of the terrain chart a hex fights on."""
    return g.ground.row_of(h, pillbox=pillbox_works(g, h))


def has_pillbox_cost(g: Board, h: Hex) -> bool:
    """PA-TEC.pillc.move The pillbox row prices the hex, unless German combat units stand in it."""
    return not cheap_pillboxes(g) >> h & 1


def cheap_pillboxes(g: Board) -> Bits:
    """The pillboxes that cost nothing more to enter."""
    if g.reads("pillbox_cost") == "always":
        return 0
    return g.ground.pillboxes & g.hexes_with_combat_units(GERMAN)
