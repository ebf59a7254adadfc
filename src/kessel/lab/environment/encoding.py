"""What a side sees and may do, as arrays of one shape for all positions of a scenario.

Everything is made from the side's own view (`Title.view`) and from its list of choices, so that nothing hidden gets in.
Hexes lie in a field of axial coordinates: the neighbours of a hex are the same six steps away from it everywhere.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from kessel.core.board import Board
from kessel.core.game import Game
from kessel.core.hexes import NO_HEX
from kessel.core.hexset import mask
from kessel.core.procedure import Action
from kessel.core.terrain import Map
from kessel.core.title import Title
from kessel.core.view import Piece, SideView

CHOICES = 1024
"""How many choices stand on a page."""
STATES = 32
"""Columns for the words on counters."""
TRACKS = 24
VALUES = 4
"""So many of the numbers printed on a counter are read."""
_VALUES = tuple(f"value_{i}" for i in range(VALUES))
UNIT_COLUMNS = ("here", "own", "enemy", "q", "r", "steps", "full_steps", "elite", *_VALUES)
CHOICE_COLUMNS = ("verb", "unit", "units", "q", "r", "places", "side", "number", "word")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")

Array = np.ndarray[Any, np.dtype[Any]]
Observation = dict[str, Array]


class Encoding:
    """How the positions of one scenario are written as arrays. `planes` and `columns` name what stands where."""

    def __init__(self, game: Game, choices: int = CHOICES) -> None:
        self.title: Title = game.title
        g = game.board
        grid = g.map.grid
        self.width, self.height = grid.stride, grid.size // grid.stride
        self.units = {name: u for u, name in enumerate(g.forces.ids)}
        self.verbs = {name: i for i, name in enumerate(game.title.notation.verbs)}
        self.choices = choices
        self._printed, printed = _printed_planes(g.map, self.height, self.width)
        self.planes = (*printed, *(f"{who} {what}" for who in ("own", "enemy") for what in _OF_SIDE), "markers")
        self.columns = (*UNIT_COLUMNS, *(f"state_{i}" for i in range(STATES)))
        shape = (len(self.planes), self.height, self.width)
        self.space = spaces.Dict(
            {
                "planes": spaces.Box(-np.inf, np.inf, shape, np.float32),
                "units": spaces.Box(-np.inf, np.inf, (len(self.units), len(self.columns)), np.float32),
                "tracks": spaces.Box(-np.inf, np.inf, (TRACKS,), np.float32),
                "choices": spaces.Box(-np.inf, np.inf, (choices, len(CHOICE_COLUMNS)), np.float32),
                "action_mask": spaces.Box(0, 1, (choices,), np.int8),
            }
        )
        self.actions = spaces.Discrete(choices)
        self._rows: dict[str, _Row] = {}

    @staticmethod
    def state_column(word: str) -> int:
        """Which of the columns state_0, state_1, ... stands for a word on a counter."""
        return zlib.crc32(word.encode()) % STATES

    def observe(self, g: Board, side: int, listed: Sequence[Action], more: bool) -> Observation:
        """The position as a side sees it, with the choices of its page; `more` of them stand on another page."""
        view = self.title.view(g, side)
        units = np.zeros((len(self.units), len(self.columns)), np.float32)
        planes = np.zeros((len(self.planes), self.height, self.width), np.float32)
        planes[: len(self._printed)] = self._printed
        self._write_pieces(g, view, self.title.sides[side], units, planes)
        return {
            "planes": planes,
            "units": units,
            "tracks": self._tracks(view),
            "choices": self._choices(g, listed),
            "action_mask": self._mask(len(listed) + more),
        }

    def _mask(self, n: int) -> Array:
        mask = np.zeros(self.choices, np.int8)
        mask[:n] = 1
        return mask

    def _write_pieces(self, g: Board, view: SideView, own: str, units: Array, planes: Array) -> None:
        find, first, cells = g.map.grid.find, len(self._printed), planes.reshape(len(planes), -1)
        rows = [self._row(g, p) for p in view.pieces]
        for enemy in (False, True):
            some = [row for row in rows if (row.piece.side == own) != enemy]
            known = [row for row in some if row.unit >= 0]
            at = [row.unit for row in known]
            units[at] = [row.numbers for row in known] if known else np.zeros((0, units.shape[1]))
            units[at, 2 if enemy else 1] = 1
            on_map = [row for row in some if row.cell != NO_HEX]
            counted = np.array([(1, row.piece.steps, *row.values) for row in on_map], np.float32).reshape(-1, _COUNTED)
            base = first + enemy * (_COUNTED + 1)
            np.add.at(cells[base : base + _COUNTED].T, [row.cell for row in on_map], counted)
            held = [
                h for place, owner in view.control.items() if (owner == own) != enemy and (h := find(place)) != NO_HEX
            ]
            cells[base + _COUNTED, held] = 1
        np.add.at(cells[-1], [h for m in view.markers if (h := find(m.place)) != NO_HEX], 1)

    def _row(self, g: Board, p: Piece) -> _Row:
        """What a counter says; from one view to the next hardly any changes."""
        known = self._rows.get(p.id)
        if known is not None and known.piece is p:
            return known
        h, values = g.map.grid.find(p.place), _values(p)
        q, r = divmod(h, self.width) if h != NO_HEX else (-1, -1)
        numbers = [1, 0, 0, q, r, p.steps, p.full_steps, p.elite, *values, *([0] * STATES)]
        for word in p.status:
            numbers[len(UNIT_COLUMNS) + self.state_column(word)] = 1
        found = self._rows[p.id] = _Row(p, self.units.get(p.id, -1), h, values, numbers)
        return found

    def _tracks(self, view: SideView) -> Array:
        found = np.zeros(TRACKS, np.float32)
        for i, track in enumerate(view.tracks[:TRACKS]):
            found[i] = track.value
        return found

    def _choices(self, g: Board, listed: Sequence[Action]) -> Array:
        found = np.full((self.choices, len(CHOICE_COLUMNS)), -1, np.float32)
        if listed:
            found[: len(listed)] = [self._choice(g, action) for action in listed]
        return found

    def _choice(self, g: Board, action: Action) -> list[float]:
        row: list[float] = [self.verbs[action[0]], -1, -1, -1, -1, -1, -1, -1, -1]
        arguments = iter(action[1:])
        for kind, shown in self.title.notation.verbs[action[0]].slots:
            if shown is not None:
                self._write_argument(g, row, kind, next(arguments))
        return row

    def _write_argument(self, g: Board, row: list[float], kind: str, value: Any) -> None:
        if kind in ("unit", "units"):
            several = value if kind == "units" else (value,)
            row[1:3] = (several[0] if several else -1, len(several))
        elif kind in ("place", "hex", "places", "path"):
            several = value if kind in ("places", "path") else (value,)
            if several and g.map.is_hex(several[-1]):
                row[3:5] = divmod(several[-1], self.width)
            row[5] = len(several)
        elif kind == "hexside":
            h, row[6] = divmod(value, 6)
            row[3:5] = divmod(h, self.width)
        elif kind == "number":
            row[7] = value
        else:
            row[8] = zlib.crc32(str(value).encode()) % 1000


class _Row(NamedTuple):
    """A counter as numbers."""

    piece: Piece
    unit: int
    cell: int
    values: list[float]
    numbers: list[float]


_OF_SIDE = ("units", "steps", *_VALUES, "control")
_COUNTED = len(_OF_SIDE) - 1


def _values(p: Piece) -> list[float]:
    """The numbers printed on a counter, in their order; what is not known is nought."""
    found = [float(n) for n in _NUMBER.findall(p.values)[:VALUES]]
    return found + [0.0] * (VALUES - len(found))


def _printed_planes(m: Map, height: int, width: int) -> tuple[Array, list[str]]:
    """The map: which hexes there are, terrain, hexsides (how many of the six), roads and railroads."""
    sides = sorted({name for side in m.doc.hexsides for name in m.side_names(m.grid.parse_hexside(side))})
    kinds = sorted({link.kind for link in m.drawn_links})
    found = {"hex": [m.grid.all]}
    found |= {terrain: [m.of_terrain(terrain)] for terrain in sorted(m.terrains())}
    found |= {f"{name} hexsides": list(m.sides(name)) for name in sides}
    found |= {kind: [m.on_link(kind)] for kind in kinds}
    planes = np.zeros((len(found), height, width), np.float32)
    for plane, sets in zip(planes, found.values(), strict=True):
        for s in sets:
            plane += np.frombuffer(mask(m.grid, s), np.uint8).reshape(height, width)
    return planes, list(found)
