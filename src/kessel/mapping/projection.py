"""Longitude and latitude to kilometres on a plane."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]
"""Rows of two numbers."""

EARTH_KM = 6371.0


@dataclass(frozen=True)
class LambertConic:
    """Lambert conformal conic on a sphere: x east, y north of (lat0, lon0), in km."""

    lat1: float
    lat2: float
    lat0: float
    lon0: float

    @staticmethod
    def _t(lat: float) -> float:
        return math.tan(math.pi / 4 + math.radians(lat) / 2)

    @property
    def _cone(self) -> float:
        ratio = math.cos(math.radians(self.lat1)) / math.cos(math.radians(self.lat2))
        return float(math.log(ratio) / math.log(self._t(self.lat2) / self._t(self.lat1)))

    @property
    def _scale(self) -> float:
        n = self._cone
        return float(EARTH_KM * math.cos(math.radians(self.lat1)) * self._t(self.lat1) ** n / n)

    @property
    def _rho0(self) -> float:
        return float(self._scale / self._t(self.lat0) ** self._cone)

    def forward(self, lonlat: ArrayLike) -> Points:
        p = np.asarray(lonlat, dtype=np.float64).reshape(-1, 2)
        rho = self._scale / np.tan(math.pi / 4 + np.radians(p[:, 1]) / 2) ** self._cone
        theta = self._cone * np.radians(p[:, 0] - self.lon0)
        return np.stack([rho * np.sin(theta), self._rho0 - rho * np.cos(theta)], axis=1)

    def inverse(self, xy: ArrayLike) -> Points:
        p = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        x, y = p[:, 0], self._rho0 - p[:, 1]
        rho = np.hypot(x, y)
        lat = 2 * np.arctan((self._scale / rho) ** (1 / self._cone)) - math.pi / 2
        return np.stack([np.degrees(np.arctan2(x, y) / self._cone) + self.lon0, np.degrees(lat)], axis=1)
