"""PA-TEC.c Pillboxes: when one works, for whom, and what its hex costs to enter."""

from __future__ import annotations

from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.bug41.board import FIGHTERS, Board
from kessel.games.bug41.data.charts import TerrainRow
from kessel.games.bug41.data.forces import GERMAN, SOVIET


def working_pillboxes(g: Board) -> Bits:
    """PA-TEC.c1, c2 Those with Soviet infantry in them (or as the switch `pillbox_note` reads the damaged note)."""
    return _working_pillboxes(g, SOVIET)


@fact(FIGHTERS)
def _working_pillboxes(g: Board, side: Side) -> Bits:
    held = g.ground.pillboxes & g.hexes_with_combat_units(side)
    return bits(h for h in members(held) if _works(g, h))


def _works(g: Board, h: Hex) -> bool:
    reading, infantry = g.reads("pillbox_note"), [g.forces.infantry[u] for u in g.combat_units(h)]
    if reading == "not_for_infantry":
        return not all(infantry)
    return reading == "any_soviet_unit" or any(infantry)


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
