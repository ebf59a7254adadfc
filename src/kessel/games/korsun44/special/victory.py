"""3.2.G, 19.0-21.0 Victory."""

from __future__ import annotations

from collections.abc import Callable

from kessel.core.breakdown import Breakdown
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.title import Outcome
from kessel.games.korsun44.board import GERMAN, OUT, SAVED, SIDES, SOVIET, STEMMERMANN, Board
from kessel.games.korsun44.data.forces import PART, REGIMENT_SIZES, UNIT
from kessel.games.korsun44.data.scenario import PointRule
from kessel.games.korsun44.supply.determination import supplied_from_edge
from kessel.games.korsun44.supply.paths import free_of, road_lengths
from kessel.games.korsun44.supply.sources import all_edges, open_railroad

RULE = "3.2.G"


def score(g: Board) -> Breakdown:
    """German points less Soviet points."""
    b = Breakdown("German points less Soviet points")
    for rule in g.scenario.points:
        sign = 1 if SIDES.index(rule.side) == GERMAN else -1
        for what, points in COUNTED[rule.kind](g, rule):
            if points:
                b.add(f"{rule.side}: {what}", sign * points, RULE)
    return b


Counted = list[tuple[str, int]]

# --- places --------------------------------------------------------------------------------------------------------


def _hexes(g: Board, rule: PointRule) -> Counted:
    """Each hex the side controls."""
    side = SIDES.index(rule.side)
    return [(g.place_words(h), rule.points) for h in _places(g, rule) if g.control[h] == side]


def _places(g: Board, rule: PointRule) -> list[Hex]:
    return [g.map.grid.hex(name) for name in rule.places]


def is_joined(g: Board, h: Hex) -> bool:
    """Whether a free road or railroad joins a hex to a German edge source."""
    return h in road_lengths(g, GERMAN, all_edges(g, GERMAN)) or bool(open_railroad(g) >> h & 1)


def _cut_off(g: Board, rule: PointRule) -> Counted:
    return [(f"{g.place_words(h)} is cut off", rule.points) for h in _places(g, rule) if not is_joined(g, h)]


def _link(g: Board, rule: PointRule) -> Counted:
    """A free road from the hex, or from any unit of Gruppe Stemmermann on the map, to a German edge source."""
    roads = road_lengths(g, GERMAN, all_edges(g, GERMAN))
    pocket = [g.place[u] for u in g.on_the_map(GERMAN) if g.status[u] & STEMMERMANN]
    ends = _places(g, rule) or pocket
    free = [h for h in ends if h in roads and free_of(g, GERMAN) >> h & 1]
    return [(f"a road from {g.place_words(free[0])} to the map edge is open", rule.points)] if free else []


# --- units ---------------------------------------------------------------------------------------------------------


def is_brigade(g: Board, u: Unit) -> bool:
    """A Soviet tank or motor rifle brigade."""
    f = g.forces
    mobile = bool(f.star[u]) or g.charts.types[f.type[u]].foot_rate
    return f.side[u] == SOVIET and f.role[u] == UNIT and f.counters[u].size == "brigade" and mobile


def _brigades(where: Callable[[int, int], bool], supplied: bool) -> Callable[[Board, PointRule], Counted]:
    def counted(g: Board, rule: PointRule) -> Counted:
        found = [
            u
            for u in g.on_the_map(SOVIET)
            if is_brigade(g, u) and where(g.ground.column(g.place[u]), rule.column)
            if bool(g.status[u] & OUT) != supplied
        ]
        word = "in supply" if supplied else "out of supply"
        return [(f"{g.name(u)} {word} in {g.hex_name(g.place[u])}", rule.points) for u in found]

    return counted


def _cut_brigades(g: Board, rule: PointRule) -> Counted:
    """Out of supply at the column or beyond it, seen from the Soviet side of that scenario."""
    east = any(r.kind == "brigades_east" for r in g.scenario.points)
    return _brigades((lambda c, n: c >= n) if east else (lambda c, n: c <= n), False)(g, rule)


def _units_near(g: Board, rule: PointRule) -> Counted:
    """German regiments and armor in supply near the hex; armor alone where the rule says so."""
    f, found = g.forces, []
    for u in g.on_the_map(GERMAN):
        infantry = bool(f.infantry_type[u]) and f.counters[u].size in REGIMENT_SIZES and rule.armor != "yes"
        if not (infantry or f.armor[u]) or f.role[u] not in (UNIT, PART) or g.status[u] & OUT:
            continue
        if any(g.map.grid.distance(g.place[u], h) <= rule.distance for h in _places(g, rule)):
            found.append((f"{g.name(u)} in {g.hex_name(g.place[u])}", rule.points))
    return found


def _armor_steps(g: Board, rule: PointRule) -> Counted:
    lost = g.track("german_armor_lost")
    return [(f"{lost} steps of German armor lost", lost // rule.each * rule.points)]


def is_out(g: Board, u: Unit) -> bool:
    """16.5.3, 16.5.4 Out of the pocket; on the map it must be supplied from an edge and no Soviet be in its hex."""
    if not g.on_map(u):
        return g.box[u] == SAVED
    return not g.enemies_in(g.place[u], GERMAN) and supplied_from_edge(g, u)


def _steps_out(g: Board, rule: PointRule) -> Counted:
    """Steps of Gruppe Stemmermann, or of its korps while nobody has been cut off."""
    korps = g.charts.game.formations.pocket_korps
    f = g.forces
    found = 0
    for u in f.of_side(GERMAN):
        if f.role[u] not in (UNIT, PART) or not g.steps[u] or (not g.on_map(u) and g.box[u] != SAVED):
            continue
        if (g.status[u] & STEMMERMANN or f.corps[u] in korps) and is_out(g, u):
            found += g.steps[u]
    return [(f"{found} steps out of the pocket", found * rule.points)]


COUNTED: dict[str, Callable[[Board, PointRule], Counted]] = {
    "hexes": _hexes,
    "cut_off": _cut_off,
    "link": _link,
    "brigades_west": _brigades(lambda column, line: column <= line, True),
    "brigades_east": _brigades(lambda column, line: column >= line, True),
    "brigades_cut": _cut_brigades,
    "units_near": _units_near,
    "armor_steps": _armor_steps,
    "steps_out": _steps_out,
}


def outcome(g: Board) -> Outcome:
    total = score(g).total
    level = g.scenario.level(total)
    winner = SIDES.index(level.winner) if level.winner else None
    return Outcome(winner, level.name, RULE, {"german": max(total, 0), "soviet": max(-total, 0)})


def standing(g: Board, side: int) -> float:
    """The points of a side as they would count now, less the other's."""
    points = float(score(g).total)
    return points if side == GERMAN else -points
