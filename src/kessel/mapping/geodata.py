"""The public geography shipped with the package (sources and licences: NOTICE)."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from kessel.mapping.projection import Points

Line = list[list[float]]
"""Longitude and latitude of each vertex."""

WAR_YEAR = 1943


@dataclass(frozen=True)
class River:
    name: str
    rank: int
    """Natural Earth's scale rank: low is big."""
    lines: list[Line]


@dataclass(frozen=True)
class Water:
    name: str
    filled_year: int
    """Of a reservoir; 0 for a natural lake or the sea."""
    polygons: list[list[Line]]

    @property
    def existed(self) -> bool:
        return self.filled_year <= WAR_YEAR


@dataclass(frozen=True)
class Railroad:
    id: int
    line: Line


@dataclass(frozen=True)
class Place:
    id: int
    name: str
    also: list[str]
    population: int
    lat: float
    lon: float


@dataclass(frozen=True)
class Elevation:
    lon0: float
    lat0: float
    step: float
    metres: Points

    def at(self, lonlat: Points) -> Points:
        """Bilinear between the grid's points."""
        z = self.metres
        i = np.clip((lonlat[:, 1] - self.lat0) / self.step, 0, z.shape[0] - 1.001)
        j = np.clip((lonlat[:, 0] - self.lon0) / self.step, 0, z.shape[1] - 1.001)
        a, b = np.floor(i).astype(int), np.floor(j).astype(int)
        fi, fj = i - a, j - b
        low = z[a, b] * (1 - fj) + z[a, b + 1] * fj
        high = z[a + 1, b] * (1 - fj) + z[a + 1, b + 1] * fj
        out: Points = low * (1 - fi) + high * fi
        return out


def _load(name: str) -> Any:
    return _unpacked(f"{name}.json.gz")


def _lists(name: str) -> list[dict[str, Any]]:
    """A layer with its further regions (`rivers-volhynia.json.gz` beside `rivers.json.gz`)."""
    parts = (p.name for p in files("kessel.mapping").joinpath("data").iterdir())
    further = sorted(p for p in parts if p.startswith(f"{name}-") and p.endswith(".json.gz"))
    return [row for part in (f"{name}.json.gz", *further) for row in _unpacked(part)]


def _unpacked(file: str) -> Any:
    packed = files("kessel.mapping").joinpath("data", file).read_bytes()
    return json.loads(gzip.decompress(packed))


@cache
def rivers() -> tuple[River, ...]:
    return tuple(River(**row) for row in _lists("rivers"))


@cache
def lakes() -> tuple[Water, ...]:
    return tuple(Water(**row) for row in _lists("lakes"))


@cache
def seas() -> tuple[Water, ...]:
    return tuple(Water(**row) for row in _lists("sea"))


@cache
def railroads() -> tuple[Railroad, ...]:
    return tuple(Railroad(**row) for row in _lists("railroads"))


@cache
def places() -> tuple[Place, ...]:
    return tuple(Place(**row) for row in _lists("places"))


@cache
def elevation() -> Elevation:
    raw = _load("elevation")
    return Elevation(raw["lon0"], raw["lat0"], raw["step"], np.array(raw["rows"], dtype=np.float64))
