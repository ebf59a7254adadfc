"""From kilometres to hexes: an affine fit to the hexes a rulebook names, and a smoothed sheet on its residuals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kessel.mapping.grid import Grid, Hex, hex_name
from kessel.mapping.projection import LambertConic, Points

Transform = Callable[[Points], Points]


@dataclass(frozen=True)
class ControlPoint:
    name: str
    hex: Hex
    lat: float
    lon: float
    use: bool = True
    note: str = ""


def with_ones(p: Points) -> Points:
    return np.concatenate([p, np.ones((len(p), 1))], axis=1)


class Affine:
    """Least squares (x, y, 1) @ matrix = (u, v)."""

    def __init__(self, ground: Points, target: Points) -> None:
        self.matrix: Points = np.asarray(np.linalg.lstsq(with_ones(ground), target, rcond=None)[0], dtype=np.float64)

    def __call__(self, ground: Points) -> Points:
        out: Points = with_ones(ground) @ self.matrix
        return out


class Sheet:
    """The affine fit plus a smoothed thin-plate spline on its residuals.

    A great stiffness gives the plain affine back; a small one puts every control point exactly in its place.
    """

    def __init__(self, ground: Points, target: Points, stiffness: float) -> None:
        self.affine = Affine(ground, target)
        self.knots = self.affine(ground)
        n = len(ground)
        kernel = self._kernel(self.knots, self.knots) + stiffness * np.eye(n)
        plane = with_ones(self.knots)
        system = np.block([[kernel, plane], [plane.T, np.zeros((3, 3))]])
        right = np.concatenate([target - self.knots, np.zeros((3, 2))])
        self.weights: Points = np.linalg.solve(system, right)

    @staticmethod
    def _kernel(a: Points, b: Points) -> Points:
        d2 = ((a[:, None, :] - b[None, :, :]) ** 2).sum(-1)
        out: Points = np.where(d2 > 0, 0.5 * d2 * np.log(np.maximum(d2, 1e-300)), 0.0)
        return out

    def __call__(self, ground: Points) -> Points:
        p = self.affine(ground)
        out: Points = p + self._kernel(p, self.knots) @ self.weights[:-3] + with_ones(p) @ self.weights[-3:]
        return out

    def inverse(self, target: Points) -> Points:
        """Newton steps from the affine inverse."""
        back = np.linalg.inv(self.affine.matrix[:2])
        ground: Points = (target - self.affine.matrix[2]) @ back
        for _ in range(6):
            ground = ground + (target - self(ground)) @ back
        return ground


def leave_one_out(fitter: Callable[[Points, Points], Transform], ground: Points, target: Points) -> Points:
    """How far each point falls from its hex's centre when it is not used in the fit."""
    errors = []
    for i in range(len(ground)):
        keep = np.arange(len(ground)) != i
        errors.append(fitter(ground[keep], target[keep])(ground[i : i + 1])[0] - target[i])
    return np.array(errors)


def rms(errors: Points) -> float:
    return float(np.sqrt((errors**2).sum(axis=1).mean()))


@dataclass(frozen=True)
class PointError:
    """Misses in hexes: of the plain affine, of the affine without this point; and the hex the sheet gives."""

    name: str
    stated: str
    affine: float
    left_out: float
    sheet_hex: str


class Fit:
    """Ground to grid for one map."""

    def __init__(self, grid: Grid, projection: LambertConic, points: list[ControlPoint], stiffness: float) -> None:
        self.grid, self.projection, self.stiffness = grid, projection, stiffness
        self.points = [p for p in points if p.use]
        self.checks = [p for p in points if not p.use]
        self.ground = projection.forward([(p.lon, p.lat) for p in self.points])
        self.target: Points = np.array([grid.center(p.hex) for p in self.points])
        self.affine = Affine(self.ground, self.target)
        self.sheet = Sheet(self.ground, self.target, stiffness)

    def to_grid(self, lonlat: list[list[float]] | list[tuple[float, float]] | Points) -> Points:
        return self.sheet(self.projection.forward(lonlat))

    def to_ground(self, uv: Points) -> Points:
        """Longitudes and latitudes of points given in hex units."""
        return self.projection.inverse(self.sheet.inverse(uv))

    def hex_at(self, lat: float, lon: float) -> Hex:
        u, v = self.to_grid([(lon, lat)])[0]
        return self.grid.nearest(float(u), float(v))

    def km_per_hex(self) -> tuple[float, float]:
        """Along the two principal axes of the affine."""
        values = np.linalg.svd(self.affine.matrix[:2])[1]
        return 1 / float(values[0]), 1 / float(values[1])

    def affine_rms(self) -> float:
        return rms(self.affine(self.ground) - self.target)

    def affine_left_out(self) -> float:
        return rms(leave_one_out(Affine, self.ground, self.target))

    def sheet_rms(self) -> float:
        return rms(self.sheet(self.ground) - self.target)

    def sheet_left_out(self) -> float:
        return rms(leave_one_out(lambda a, b: Sheet(a, b, self.stiffness), self.ground, self.target))

    def point_errors(self) -> list[PointError]:
        misses = np.hypot(*(self.affine(self.ground) - self.target).T)
        left_out = np.hypot(*leave_one_out(Affine, self.ground, self.target).T)
        return [
            PointError(p.name, hex_name(p.hex), float(a), float(b), hex_name(self.hex_at(p.lat, p.lon)))
            for p, a, b in zip(self.points, misses, left_out, strict=True)
        ]
