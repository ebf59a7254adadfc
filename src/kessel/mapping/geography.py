"""What the geodata alone gives for one map, before any hand touches it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from kessel.mapping import geodata
from kessel.mapping.fit import Fit
from kessel.mapping.grid import Corner, Grid, Hex, Side, corner_point
from kessel.mapping.projection import Points
from kessel.mapping.raster import (
    CornerGraph,
    covered,
    densify,
    join_lines,
    line_to_corners,
    line_to_hexes,
    links_along,
    sides_along,
    spread,
)

JOIN_DEGREES_RIVER = 0.02
JOIN_DEGREES_RAIL = 0.003


@dataclass
class Course:
    """One river on the map: its true course in hex units and the corners it was laid along."""

    name: str
    rank: int
    line: Points
    corners: list[Corner]


@dataclass
class Geography:
    """Everything rasterized, by name where there is one."""

    courses: list[Course] = field(default_factory=list)
    river_sides: dict[Side, set[str]] = field(default_factory=dict)
    """Hexside to the names of the rivers along it ("" for a nameless one)."""
    side_rank: dict[Side, int] = field(default_factory=dict)
    rails: dict[Side, set[int]] = field(default_factory=dict)
    """Adjacent hex pair to the ids of the railroads between them."""
    sea: dict[Hex, float] = field(default_factory=dict)
    lake: dict[Hex, float] = field(default_factory=dict)
    lake_names: dict[Hex, str] = field(default_factory=dict)
    height: dict[Hex, float] = field(default_factory=dict)
    """Mean metres above the sea."""
    relief: dict[Hex, float] = field(default_factory=dict)
    """Highest less lowest sample, metres."""


def near_map(line: Points, grid: Grid) -> bool:
    low = np.array(grid.center((grid.first[0] - 2, grid.second[0] - 2)))
    high = np.array(grid.center((grid.first[1] + 2, grid.second[1] + 2)))
    return bool((line.max(axis=0) >= low).all() and (line.min(axis=0) <= high).all())


def survey(fit: Fit, max_rank: int = 99) -> Geography:
    """Lay all geodata on the grid. `max_rank`: take no river of a higher (smaller) scale rank."""
    out = Geography()
    _rivers(out, fit, max_rank)
    _rails(out, fit)
    out.sea = _water(fit, geodata.seas())
    for lake in geodata.lakes():
        if lake.existed:
            for h, share in _water(fit, [lake]).items():
                out.lake[h] = min(1.0, out.lake.get(h, 0.0) + share)
                out.lake_names[h] = lake.name
    _heights(out, fit)
    return out


def _water(fit: Fit, waters: Iterable[geodata.Water]) -> dict[Hex, float]:
    polygons = []
    for water in waters:
        for polygon in water.polygons:
            rings = [fit.to_grid(ring) for ring in polygon]
            if near_map(rings[0], fit.grid):
                polygons.append(rings)
    return covered(polygons, fit.grid)


def _rivers(out: Geography, fit: Fit, max_rank: int) -> None:
    graph = fit.grid.corner_graph()
    groups: dict[tuple[str, int], list[geodata.Line]] = {}
    ranks: dict[tuple[str, int], int] = {}
    for i, river in enumerate(geodata.rivers()):
        if river.rank > max_rank:
            continue
        key = (river.name, 0) if river.name else ("", i)
        groups.setdefault(key, []).extend(river.lines)
        ranks[key] = min(river.rank, ranks.get(key, 99))
    for key, lines in groups.items():
        for line in join_lines(lines, JOIN_DEGREES_RIVER):
            course = fit.to_grid(line)
            if not near_map(course, fit.grid):
                continue
            for corners in line_to_corners(course, fit.grid, graph):
                out.courses.append(Course(key[0], ranks[key], course, corners))
                _note_sides(out, key[0], ranks[key], sides_along(corners, graph))
    _close_confluences(out, graph)


def _note_sides(out: Geography, name: str, rank: int, sides: Iterable[Side]) -> None:
    for side in sides:
        out.river_sides.setdefault(side, set()).add(name)
        out.side_rank[side] = min(rank, out.side_rank.get(side, 99))


def _close_confluences(out: Geography, graph: CornerGraph) -> None:
    """Close the one- or two-side gap where a tributary ends beside the river it joins."""
    dense = [np.array(densify(course.line, 0.2)) for course in out.courses]
    for i, course in enumerate(out.courses):
        for end in (course.corners[0], course.corners[-1]):
            at = np.array(corner_point(end))
            tip = min((course.line[0], course.line[-1]), key=lambda p: float(np.hypot(*(p - at))))
            path = _shortest_to_other(out, dense, i, end, tip, graph)
            if path:
                _note_sides(out, course.name, course.rank, sides_along(path, graph))


def _shortest_to_other(
    out: Geography, dense: list[Points], i: int, end: Corner, tip: Points, graph: CornerGraph
) -> list[Corner]:
    best: tuple[int, Corner] | None = None
    reach = spread(end, lambda c: [b for b, _ in graph[c]], 2)
    for j, other in enumerate(out.courses):
        if i == j or float(np.hypot(*(dense[j] - tip).T).min()) > 0.5:
            continue
        if end in other.corners:
            return []
        for corner in other.corners:
            if corner in reach and (best is None or reach[corner][0] < best[0]):
                best = (reach[corner][0], corner)
    if best is None:
        return []
    path = [best[1]]
    while path[-1] != end:
        before = reach[path[-1]][1]
        assert before is not None
        path.append(before)
    return path


def _rails(out: Geography, fit: Fit) -> None:
    ids: dict[tuple[float, float], set[int]] = {}
    for railroad in geodata.railroads():
        for p in railroad.line:
            ids.setdefault((p[0], p[1]), set()).add(railroad.id)
    for line in join_lines([railroad.line for railroad in geodata.railroads()], JOIN_DEGREES_RAIL):
        course = fit.to_grid(line)
        if not near_map(course, fit.grid):
            continue
        members = {i for p in line for i in ids.get(p, ())}
        for path in line_to_hexes(course, fit.grid):
            for link in links_along(path):
                out.rails.setdefault(link, set()).update(members)


def _heights(out: Geography, fit: Fit) -> None:
    hexes = list(fit.grid.hexes())
    angles = np.arange(6) * np.pi / 3
    offsets = np.concatenate([[[0.0, 0.0]], 0.36 * np.stack([np.cos(angles), np.sin(angles)], axis=1)])
    centers = np.array([fit.grid.center(h) for h in hexes])
    points = (centers[:, None] + offsets[None]).reshape(-1, 2)
    metres = geodata.elevation().at(fit.to_ground(points)).reshape(len(hexes), -1)
    for h, z in zip(hexes, metres, strict=True):
        out.height[h] = float(z.mean())
        out.relief[h] = float(z.max() - z.min())
