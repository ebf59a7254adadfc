"""The hex grid of a map while it is being built.

The first digit pair of a number names a line of hexes, the second counts along it. In hex units (flat to flat = 1)

    u = first * sqrt(3) / 2        v = second, + 1/2 on lines of the shifted parity

so every grid is a flat-top grid once it is turned to its own "up". How (u, v) lies on the ground is the fit's business.
Corners live on an integer lattice: u = i / (2 * sqrt 3), v = j / 2.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kessel.mapping.errors import EditError

Hex = tuple[int, int]
Corner = tuple[int, int]
Side = tuple[Hex, Hex]
"""A hexside: its two hexes, lower first."""

ROOT3 = math.sqrt(3.0)
LINE_STEP = ROOT3 / 2
COMPASS = {"N": 0, "NE": 45, "E": 90, "SE": 135, "S": 180, "SW": 225, "W": 270, "NW": 315}


def hex_name(h: Hex) -> str:
    return f"{h[0]:02d}{h[1]:02d}"


def side_name(side: Side) -> str:
    return f"{hex_name(side[0])}|{hex_name(side[1])}"


def side_of(a: Hex, b: Hex) -> Side:
    return (a, b) if a < b else (b, a)


def corner_point(corner: Corner) -> tuple[float, float]:
    return corner[0] / (2 * ROOT3), corner[1] / 2


def bearing(word: str | int | float) -> float:
    """A compass word or degrees clockwise from north, as degrees."""
    if isinstance(word, str):
        if word.upper() not in COMPASS:
            raise EditError(f"grid: {word!r} is neither a compass bearing nor a number of degrees")
        return float(COMPASS[word.upper()])
    return float(word)


@dataclass(frozen=True)
class Grid:
    first: tuple[int, int]
    second: tuple[int, int]
    shifted: str
    first_runs: str | int | float
    second_runs: str | int | float

    @classmethod
    def read(cls, spec: dict[str, Any]) -> Grid:
        try:
            grid = cls(
                first=(int(spec["first"][0]), int(spec["first"][1])),
                second=(int(spec["second"][0]), int(spec["second"][1])),
                shifted=str(spec["shifted"]),
                first_runs=spec["first_runs"],
                second_runs=spec["second_runs"],
            )
        except KeyError as missing:
            raise EditError(f"grid: {missing} is missing") from None
        if grid.shifted not in ("even", "odd"):
            raise EditError(f"grid: shifted is {grid.shifted!r}, must be even or odd")
        return grid

    def as_dict(self) -> dict[str, Any]:
        return {
            "first": list(self.first),
            "second": list(self.second),
            "shifted": self.shifted,
            "first_runs": self.first_runs,
            "second_runs": self.second_runs,
        }

    # ------------------------------------------------------------ hexes

    def is_shifted(self, line: int) -> bool:
        return line % 2 == (0 if self.shifted == "even" else 1)

    def has(self, h: Hex) -> bool:
        return self.first[0] <= h[0] <= self.first[1] and self.second[0] <= h[1] <= self.second[1]

    def hexes(self) -> Iterator[Hex]:
        for line in range(self.first[0], self.first[1] + 1):
            for along in range(self.second[0], self.second[1] + 1):
                yield line, along

    def center(self, h: Hex) -> tuple[float, float]:
        return h[0] * LINE_STEP, h[1] + (0.5 if self.is_shifted(h[0]) else 0.0)

    def nearest(self, u: float, v: float) -> Hex:
        """The hex that holds the point; it may lie outside the map."""
        guess = round(u / LINE_STEP)
        best: tuple[float, Hex] | None = None
        for line in (guess - 1, guess, guess + 1):
            h = (line, round(v - (0.5 if self.is_shifted(line) else 0.0)))
            cu, cv = self.center(h)
            distance = (cu - u) ** 2 + (cv - v) ** 2
            if best is None or distance < best[0]:
                best = (distance, h)
        assert best is not None
        return best[1]

    def neighbours(self, h: Hex) -> list[Hex]:
        line, along = h
        step = 0 if self.is_shifted(line) else -1
        return [
            (line, along - 1),
            (line + 1, along + step),
            (line + 1, along + step + 1),
            (line, along + 1),
            (line - 1, along + step + 1),
            (line - 1, along + step),
        ]

    def adjacent(self, a: Hex, b: Hex) -> bool:
        return b in self.neighbours(a)

    def distance(self, a: Hex, b: Hex) -> int:
        lines = abs(a[0] - b[0])
        along = abs(self.center(a)[1] - self.center(b)[1])
        return round(max(lines, along + lines / 2))

    def straight(self, a: Hex, b: Hex) -> list[Hex]:
        """The hexes of the straight line from a to b, both included."""
        (u0, v0), (u1, v1) = self.center(a), self.center(b)
        n = max(1, self.distance(a, b))
        # a nudge keeps a line along a hexside on one side of it
        nudged = (
            self.nearest(u0 + (u1 - u0) * t + 1e-6, v0 + (v1 - v0) * t + 2e-6) for t in (i / n for i in range(n + 1))
        )
        return list(nudged)

    # ------------------------------------------------------------ corners and hexsides

    def corners(self, h: Hex) -> list[Corner]:
        u, v = self.center(h)
        i, j = round(u * 2 * ROOT3), round(v * 2)
        return [(i + 2, j), (i + 1, j + 1), (i - 1, j + 1), (i - 2, j), (i - 1, j - 1), (i + 1, j - 1)]

    def side_corners(self, side: Side) -> tuple[Corner, Corner]:
        other = set(self.corners(side[1]))
        a, b = [corner for corner in self.corners(side[0]) if corner in other]
        return a, b

    def corner_graph(self) -> dict[Corner, list[tuple[Corner, Side]]]:
        """Every corner with the corners one hexside away and that hexside; the map's outer edge included."""
        graph: dict[Corner, list[tuple[Corner, Side]]] = {}
        for h in self.hexes():
            for other in self.neighbours(h):
                if self.has(other) and other < h:
                    continue
                a, b = self.side_corners((h, other))
                side = side_of(h, other)
                graph.setdefault(a, []).append((b, side))
                graph.setdefault(b, []).append((a, side))
        return graph

    # ------------------------------------------------------------ directions

    def side_words(self) -> list[str]:
        """Compass words of the six neighbours, in their order, seen on a sheet whose edges are set square to north."""
        along = round(bearing(self.second_runs) / 90) * 90
        turn = (bearing(self.first_runs) - bearing(self.second_runs)) % 360
        hand = 1 if turn < 180 else -1
        steps = [180, 180 - 60, 60, 0, -60, -120]
        words = {0: "n", 30: "ne", 60: "ne", 90: "e", 120: "se", 150: "se", 180: "s", 210: "sw", 240: "sw"}
        words |= {270: "w", 300: "nw", 330: "nw"}
        return [words[(along + hand * step) % 360] for step in steps]

    # ------------------------------------------------------------ reading what a hand wrote

    def parse_hex(self, text: str) -> Hex:
        if not re.fullmatch(r"\d{4}", text):
            raise EditError(f"{text!r} is not a hex number")
        h = (int(text[:2]), int(text[2:]))
        if not self.has(h):
            raise EditError(f"hex {text} is not on the map")
        return h

    def parse_hexes(self, text: str) -> list[Hex]:
        """Numbers and ranges `1000-1032` along one line, separated by blanks."""
        found: list[Hex] = []
        for token in text.split():
            if "-" not in token:
                found.append(self.parse_hex(token))
                continue
            low_text, _, high_text = token.partition("-")
            low, high = self.parse_hex(low_text), self.parse_hex(high_text)
            if low[0] != high[0] or low[1] > high[1]:
                raise EditError(f"range {token} does not run up one line of hexes")
            found.extend((low[0], along) for along in range(low[1], high[1] + 1))
        return found

    def parse_side(self, text: str) -> Side:
        """`2403|2503`, or hex and compass word `2403se`."""
        if "|" in text:
            first_text, _, second_text = text.partition("|")
            a, b = self._loose_hex(first_text), self._loose_hex(second_text)
            if not self.adjacent(a, b):
                raise EditError(f"{text}: the two hexes are not adjacent")
            return side_of(a, b)
        match = re.fullmatch(r"(\d{4})([nsew]{1,2})", text)
        if not match:
            raise EditError(f"{text!r} is not a hexside (write 2403|2503 or 2403se)")
        h, words = self.parse_hex(match[1]), self.side_words()
        if match[2] not in words:
            raise EditError(f"{text}: a hex of this grid has the sides {' '.join(words)}")
        return side_of(h, self.neighbours(h)[words.index(match[2])])

    def parse_sides(self, text: str) -> list[Side]:
        return [self.parse_side(token) for token in text.split()]

    def parse_path(self, text: str) -> list[Hex]:
        """Adjacent hexes; `2029 .. 2634` stands for the straight line between two hexes."""
        tokens = text.split()
        path: list[Hex] = []
        for i, token in enumerate(tokens):
            if token == "..":
                if not path or i + 1 == len(tokens):
                    raise EditError(f"path {text!r}: .. needs a hex on both sides")
                continue
            h = self.parse_hex(token)
            if i and tokens[i - 1] == "..":
                path.extend(self.straight(path[-1], h)[1:])
            else:
                path.append(h)
        return path

    def _loose_hex(self, text: str) -> Hex:
        """A hex of a hexside may be the one just beyond the map's edge."""
        if not re.fullmatch(r"\d{4}", text):
            raise EditError(f"{text!r} is not a hex number")
        return int(text[:2]), int(text[2:])


def ranges(hexes: Iterable[Hex]) -> str:
    """The shortest text that `parse_hexes` reads back."""
    words: list[str] = []
    run: list[Hex] = []
    for h in [*sorted(set(hexes)), (-1, -1)]:
        if run and (h[0] != run[-1][0] or h[1] != run[-1][1] + 1):
            words.extend([hex_name(x) for x in run] if len(run) < 3 else [f"{hex_name(run[0])}-{hex_name(run[-1])}"])
            run = []
        run.append(h)
    return " ".join(words)
