"""The questions where units retreat and advance after combat."""

from __future__ import annotations

from typing import Any

from kessel.core.board import NOWHERE
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.title import Asked
from kessel.games.korsun44.board import DISORGANIZED, OUT, REGROUP, Board
from kessel.games.korsun44.combat.advance import Advance
from kessel.games.korsun44.combat.retreat import Path, is_at_edge, retreat_paths, retreated
from kessel.games.korsun44.engineering.bridges import needs_collapse_roll
from kessel.games.korsun44.movement.zones import zone_word
from kessel.games.korsun44.units.strength import is_attack_capable
from kessel.wargame.reading import named_hex, named_hexes, named_stack, named_units, no, one_of, one_side

RESULTS = ("retreat", "breakthrough", "eliminated")


class AskRetreat(Asked, kw_only=True):
    """The ways the units of a hex may retreat, and what each does to them."""

    hex: str
    hexes: int = 1
    """One, or two for a breakthrough."""
    units: tuple[str, ...] = ()
    """Left out: all in the hex."""


class AskAdvance(Asked, kw_only=True):
    """Where units may advance after combat."""

    hex: str
    """The hex the enemy has left; those still shown there are taken as gone."""
    units: tuple[str, ...]
    result: str = RESULTS[0]
    trail: str = ""
    """Hexes of the path of retreat beyond the first."""


def retreat(g: Board, q: AskRetreat) -> dict[str, Any]:
    h, there = named_stack(g, q.hex)
    if q.hexes not in (1, 2):
        raise BadInput("a retreat goes one hex, or two in a breakthrough", "$.hexes")
    units = named_units(g, q.units, "$.units") if q.units else there
    if any(g.place[u] != h for u in units):
        raise BadInput(f"not all of them are in {q.hex}", "$.units")
    one_side(g, units, "$.units", "the units")
    return {
        "hex": q.hex,
        "hexes": q.hexes,
        "rule": "12.13.1",
        "units": {g.id(u): _ways(g, u, h, q.hexes) for u in units},
    }


def _ways(g: Board, u: Unit, h: Hex, far: int) -> dict[str, Any]:
    paths = retreat_paths(g, u, h, far)
    if paths:
        return {"ways": [_way(g, u, h, p, far) for p in paths]}
    if is_at_edge(g, h):
        return {"ways": [], "leaves_map": True, "eliminated": bool(g.status[u] & OUT), "rule": "12.16.1"}
    return {"ways": [], "loses_steps": far, "rule": "12.13.1"}


def _way(g: Board, u: Unit, h: Hex, path: Path, far: int) -> dict[str, Any]:
    found: dict[str, Any] = {"path": [g.hex_name(x) for x in path]}
    zones = {g.hex_name(x): word for x in path if (word := zone_word(g, 1 - g.forces.side[u], x))}
    if zones:
        found["zones"] = zones
    after = g.copy()
    after.put(u, path[-1])
    retreated(after, u, h, path)
    words = [w for w, flag in (("disorganized", DISORGANIZED), ("regroup", REGROUP)) if after.status[u] & flag]
    if words and after.status[u] != g.status[u]:
        found["becomes"] = words[0]
    lost = g.steps[u] - after.steps[u] + far - len(path)
    if lost:
        found["loses_steps"] = lost
    steps = list(zip((h, *path), path, strict=False))
    tested = [g.map.grid.hexside_name(g.map.grid.hexside(a, b)) for a, b in steps if needs_collapse_roll(g, (u,), a, b)]
    if tested:
        found["bridges_tested"] = tested
    return found


def advance(g: Board, q: AskAdvance) -> dict[str, Any]:
    h = named_hex(g, q.hex)
    units = tuple(sorted(named_units(g, q.units, "$.units")))
    side = one_side(g, units, "$.units", "the units")
    result = one_of(RESULTS, q.result, "result", "$.result")
    board = g.copy()
    for v in list(board.of_side(h, 1 - side)):
        board.move(v, NOWHERE)
    board.changed()
    wiped = (h,) if result == "eliminated" else ()
    far = (h,) if result != "retreat" or g.reads("retreat_advance") == "two" else ()
    trail = tuple(named_hexes(g.map, q.trail, "$.trail")) if q.trail else ()
    able = tuple(u for u in units if is_attack_capable(g, u))
    p = Advance(side, able, (h,), far, wiped, trail)
    ways: dict[str, Any] = {}
    for u in units:
        paths = [[g.hex_name(x) for x in path] for v, path in p.ways(board) if v == u]
        why = p.why_not(board, u, (h,))
        ways[g.id(u)] = {"ways": paths, **(no(why) if why and not paths else {})}
    return {"hex": q.hex, "result": result, "rule": "12.15", "units": ways}
