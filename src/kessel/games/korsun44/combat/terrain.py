"""12.5 What terrain does to a combat: rows of the Terrain Effects Chart for hexes and hexsides."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import GERMAN, IP, Board
from kessel.games.korsun44.combat.battle import Battle, is_partisan
from kessel.games.korsun44.data.charts import TerrainCombat
from kessel.games.korsun44.data.terrain import RIVER, STREAM, SWAMP
from kessel.games.korsun44.movement.costs import fords_of

Row = tuple[str, TerrainCombat]


def hex_rows(g: Board, h: Hex, defender: Side) -> list[Row]:
    """12.5.2 The terrain of a defending hex: its kind, a village, an improved position (15.1.2)."""
    if _is_partisans(g, h, defender):
        return [("clear", g.charts.terrain_combat["clear"])]
    words = [g.map.terrain[h]]
    if g.ground.village >> h & 1:
        words.append("village")
    if defender == GERMAN and g.works[h] & IP:
        words.append("improved_position")
    return [(word, g.charts.terrain_combat[word]) for word in words]


def side_rows(g: Board, side: Side, a: Hex, h: Hex) -> list[Row]:
    """12.5.2 The hexside an attack from a into h crosses; a ford does away with its river (18.6)."""
    if a == h or _is_partisans(g, h, 1 - side):
        return []
    d, found = g.map.grid.direction(a, h), []
    for word, sides in ((STREAM, g.ground.stream), (RIVER, g.ground.river), (SWAMP, g.ground.swamp)):
        if sides[d] >> a & 1 and not (word == RIVER and g.map.grid.canonical(a * 6 + d) in fords_of(g, side)):
            found.append((word, g.charts.terrain_combat[word]))
    return found


def _is_partisans(g: Board, h: Hex, defender: Side) -> bool:
    """18.1.3 Terrain does nothing for partisans, who are alone in their hex (18.1.2)."""
    return any(is_partisan(g, u) for u in g.of_side(h, defender))


def is_bridged(g: Board, a: Hex, h: Hex, word: str) -> bool:
    """12.7, 12.8.1 Whether an intact bridge crosses the hexside; a road is the bridge of a swamp (Q69)."""
    d = g.map.grid.direction(a, h)
    key = g.map.grid.canonical(a * 6 + d)
    if word == SWAMP and g.reads("swamp_bridge") == "none":
        return False
    return (bool(g.ground.links[d] >> a & 1) and key not in g.broken()) or key in dict(g.built())


def bars_armor(g: Board, b: Battle, a: Hex) -> Row | None:
    """12.7, 12.8.1 The river or swamp without a bridge between an attacking hex and those it attacks (Q39)."""
    barred = [_bar(g, b.side, a, h) for h in b.targets]
    some = [row for row in barred if row is not None]
    if not some or (g.reads("worst_hexside") == "best" and len(some) < len(barred)):
        return None
    return some[0]


def _bar(g: Board, side: Side, a: Hex, h: Hex) -> Row | None:
    rows = ((w, r) for w, r in side_rows(g, side, a, h) if not r.superiority and not is_bridged(g, a, h, w))
    return next(rows, None)


def crosses_mines(g: Board, b: Battle) -> bool:
    """15.3.2 Whether Germans attack across a minefield hexside: any of them, or all (switch mine_any)."""
    if b.side != GERMAN:
        return False
    grid = g.map.grid
    found = [any(g.mined(h, grid.direction(h, g.place[u])) for h in b.targets) for u in b.attackers]
    return any(found) if g.reads("mine_any") == "any" else all(found)
