"""Reading `board-edits.toml`: what a hand wrote about a map (the format is described in docs/packs.md)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kessel.mapping.errors import EditError
from kessel.mapping.fit import ControlPoint, Fit
from kessel.mapping.grid import Grid, Hex
from kessel.mapping.projection import LambertConic
from kessel.mapping.raster import inside

SECTIONS = {
    "board", "fit", "take", "areas", "terrain", "features", "places", "rivers", "hexsides", "links",
    "lines", "arrows", "boxes", "labels",
}  # fmt: skip
LISTS = SECTIONS - {"board", "fit", "take"}
PROVENANCES = ("stated", "public", "reconstructed")


@dataclass(frozen=True)
class Entry:
    """One table of the file, with its place for messages."""

    where: str
    values: dict[str, Any]

    def fail(self, what: str) -> EditError:
        return EditError(f"{self.where}: {what}")

    def text(self, key: str, default: str | None = None) -> str:
        value = self.values.get(key, default)
        if value is None:
            raise self.fail(f"{key} is missing")
        if not isinstance(value, str):
            raise self.fail(f"{key} must be a text")
        return value

    def words(self, key: str) -> list[str]:
        value = self.values.get(key, [])
        value = value.split() if isinstance(value, str) else value
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self.fail(f"{key} must be a list of words")
        return list(value)

    def has(self, key: str) -> bool:
        return key in self.values

    def source(self) -> dict[str, Any]:
        """Provenance and note, if given."""
        return {key: self.values[key] for key in ("provenance", "note") if key in self.values}

    def rest(self, *known: str) -> dict[str, Any]:
        """What the entry says beyond the keys the builder reads itself; carried into `board.json` as it stands."""
        return {key: value for key, value in self.values.items() if key not in known}


class Edits:
    """A whole file. Every list section is a list of entries in the order written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            raw = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise EditError(f"{path}: there is no such file") from None
        except tomllib.TOMLDecodeError as error:
            raise EditError(f"{path}: {error}") from None
        unknown = sorted(set(raw) - SECTIONS)
        if unknown:
            raise EditError(f"{path.name}: unknown section {unknown[0]!r}")
        self.board = Entry(f"{path.name}: board", raw.get("board", {}))
        self.fit_entry = Entry(f"{path.name}: fit", raw.get("fit", {}))
        self.take = Entry(f"{path.name}: take", raw.get("take", {}))
        self.lists = {name: self._entries(name, raw.get(name, [])) for name in LISTS}
        self.grid = Grid.read(self.board.values.get("grid", {}))

    def __getitem__(self, section: str) -> list[Entry]:
        return self.lists[section]

    def _entries(self, section: str, rows: Any) -> list[Entry]:
        if not isinstance(rows, list):
            raise EditError(f"{self.path.name}: {section} must be a list ([[{section}]] or {section} = [...])")
        entries = []
        for i, row in enumerate(rows, start=1):
            label = row.get("name") or row.get("id") or row.get("text") or row.get("feature") or row.get("kind") or ""
            entry = Entry(f"{self.path.name}: {section} {i}" + (f" ({label})" if label else ""), row)
            if row.get("provenance", "reconstructed") not in PROVENANCES:
                raise entry.fail(f"provenance must be one of {', '.join(PROVENANCES)}")
            entries.append(entry)
        return entries

    def vocabulary(self, key: str) -> set[str]:
        """Words this board may use for `terrains`, `features`, `hexside_features`, `link_kinds`."""
        return set(self.board.words(key))

    def make_fit(self) -> Fit:
        spec = self.fit_entry
        projection = spec.values.get("projection", {})
        try:
            conic = LambertConic(**{key: float(projection[key]) for key in ("lat1", "lat2", "lat0", "lon0")})
        except KeyError as missing:
            raise spec.fail(f"projection has no {missing}") from None
        points = list(self._points("points", True)) + list(self._points("checks", False))
        if sum(point.use for point in points) < 4:
            raise spec.fail("needs at least four points")
        return Fit(self.grid, conic, points, float(spec.values.get("stiffness", 300)))

    def _points(self, key: str, use: bool) -> Iterator[ControlPoint]:
        for i, row in enumerate(self.fit_entry.values.get(key, []), start=1):
            entry = Entry(f"{self.path.name}: fit {key} {i} ({row.get('name', '')})", row)
            try:
                h = self.grid.parse_hex(entry.text("hex"))
                lat, lon = float(row["lat"]), float(row["lon"])
                yield ControlPoint(entry.text("name"), h, lat, lon, use, row.get("note", ""))
            except KeyError as missing:
                raise entry.fail(f"{missing} is missing") from None
            except EditError as error:
                raise entry.fail(str(error)) from None


class HexSets:
    """Sets of hexes as entries name them: `hexes`, `rect`, `polygon`, `in` areas, `flood`, less `but`."""

    KEYS = ("hexes", "rect", "polygon", "in", "but", "flood")

    def __init__(self, fit: Fit) -> None:
        self.fit, self.grid = fit, fit.grid
        self.areas: dict[str, set[Hex]] = {}
        self.land: set[Hex] = set()
        """Hexes a flood may enter."""

    def read(self, entry: Entry) -> set[Hex]:
        found: set[Hex] = set()
        try:
            if entry.has("hexes"):
                found |= set(self.grid.parse_hexes(entry.text("hexes")))
            if entry.has("rect"):
                found |= self._rect(entry, entry.values["rect"])
            if entry.has("polygon"):
                found |= self._polygon(entry, entry.values["polygon"])
            for name in entry.words("in"):
                found |= self._named(entry, name)
            if entry.has("flood"):
                found |= self._flood(entry, entry.values["flood"])
            for token in entry.words("but"):
                found -= self._named(entry, token) if not token[0].isdigit() else set(self.grid.parse_hexes(token))
        except EditError as error:
            if str(error).startswith(entry.where):
                raise
            raise entry.fail(str(error)) from None
        return found

    def _named(self, entry: Entry, name: str) -> set[Hex]:
        if name not in self.areas:
            raise entry.fail(f"there is no area {name!r} above")
        return self.areas[name]

    def _rect(self, entry: Entry, rect: dict[str, list[int]]) -> set[Hex]:
        first = rect.get("first", list(self.grid.first))
        second = rect.get("second", list(self.grid.second))
        found = {(a, b) for a in range(first[0], first[1] + 1) for b in range(second[0], second[1] + 1)}
        if not all(self.grid.has(h) for h in found):
            raise entry.fail("rect reaches beyond the map")
        return found

    def _polygon(self, entry: Entry, corners: list[list[float]]) -> set[Hex]:
        """Hexes whose centre lies inside a polygon of [lat, lon] corners."""
        if len(corners) < 3 or any(len(corner) != 2 for corner in corners):
            raise entry.fail("polygon must be three or more [lat, lon] corners")
        ring = self.fit.to_grid([(lon, lat) for lat, lon in corners])
        hexes = list(self.grid.hexes())
        centers = np.array([self.grid.center(h) for h in hexes])
        return {h for h, hit in zip(hexes, inside(centers, ring), strict=True) if hit}

    def _flood(self, entry: Entry, flood: dict[str, str]) -> set[Hex]:
        """All land reached from `from` without entering a hex of `wall`."""
        if "from" not in flood or "wall" not in flood:
            raise entry.fail("flood needs from and wall")
        wall = set(self.grid.parse_path(flood["wall"]))
        frontier = self.grid.parse_hexes(flood["from"])
        seen = set(frontier)
        while frontier:
            onward = {n: None for h in frontier for n in self.grid.neighbours(h)}
            frontier = [n for n in onward if n in self.land and n not in wall and n not in seen]
            seen |= set(frontier)
        return seen
