"""18.6 Looking for fords of the Gniloy Tikich and the Shpolka."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex, Hexside
from kessel.games.korsun44.board import (
    FORD_GERMAN,
    FORD_SOVIET,
    FORD_TRIED_GERMAN,
    FORD_TRIED_SOVIET,
    GERMAN,
    Board,
)

SEEKERS = ("mechanized_infantry", "reconnaissance")


def attempts_left(g: Board, side: Side) -> int:
    """18.6 Four attempts on one sheet, eight on two."""
    c = g.charts.constants
    most = c.ford_attempts_two_maps if len(g.scenario.areas) > 1 else c.ford_attempts_one_map
    return most - g.track("fords_german" if side == GERMAN else "fords_soviet")


def fordable_around(g: Board, h: Hex) -> list[Hexside]:
    sides = [g.map.grid.canonical(h * 6 + d) for d, n in enumerate(g.map.grid.neighbours[h]) if n >= 0]
    return [s for s in sides if s in g.ground.fordable]


def why_not_seek(g: Board, side: Side, units: tuple[Unit, ...], hexside: Hexside, entered: int) -> Refusal | None:
    """18.6 Why the units may not look for a ford at a hexside."""
    if not g.plays("fords"):
        return Refusal("18.6", "fords are not played")
    if not entered:
        return Refusal("18.6", "a ford is looked for when a unit has moved next to the river")
    if not any(g.forces.armor[u] or g.forces.type[u] in SEEKERS for u in units):
        return Refusal("18.6", "armor, mechanized and reconnaissance units look for fords")
    if hexside not in fordable_around(g, g.place[units[0]]):
        return Refusal("18.6", "no fordable river is at that hexside")
    tried = FORD_TRIED_GERMAN if side == GERMAN else FORD_TRIED_SOVIET
    if g.fords[g.ground.ford_sides.index(hexside)] & tried:
        return Refusal("18.6", "you have looked there before")
    return None if attempts_left(g, side) > 0 else Refusal("18.6", "all attempts are used up")


def seek(g: Board, side: Side, hexside: Hexside) -> None:
    """18.6 A five or six finds a ford."""
    german = side == GERMAN
    track = "fords_german" if german else "fords_soviet"
    g.set_track(track, g.track(track) + 1)
    die = g.die()
    found = die >= g.charts.constants.ford_from
    i = g.ground.ford_sides.index(hexside)
    g.fords[i] |= FORD_TRIED_GERMAN if german else FORD_TRIED_SOVIET
    if found:
        g.fords[i] |= FORD_GERMAN if german else FORD_SOVIET
    g.changed()
    name = g.map.grid.hexside_name(hexside)
    g.tell(
        f"{'a ford is found' if found else 'there is no ford'} {g.map.grid.between(hexside)}: {die}",
        "18.6",
        hexside=name,
    )
