"""The charts of the player aid and of pack.toml, decoded once.

Movement points are kept as whole numbers of half a point (`HALF` of them make one), because roads cost half a point and
marsh one and a half. Multipliers, ratios and parts of points are exact fractions.
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, TypeVar

from kessel.core.errors import BadInput, BadPack
from kessel.core.pack import Pack
from kessel.core.tables import Table
from kessel.games.bug41.data.constants import (
    PACK,
    read_assignments,
    read_constants,
    read_formations,
    read_tethers,
)
from kessel.wargame.readings import Readings

HALF = 2
"""Units of cost in one movement point."""

ATTACKS = ("hasty", "regular", "prepared")
DEFENSES = ("disrupted", "defense", "improved")
COLUMNS = 12
ROLLS = 20
DICE = 10
LEVELS = 7
INFANTRY = "infantry"
AFV = "afv"
T = TypeVar("T")


class ActionPoints(NamedTuple):
    """Points for one die: of an activation, and the red number of a Reaction."""

    normal: int
    reaction: int


class Hits(NamedTuple):
    attacker: int
    defender: int


class Chit(NamedTuple):
    """A combat chit: its multipliers in the left (red) and the right column."""

    left: Fraction
    right: Fraction


class Cost(NamedTuple):
    """What a cell of the terrain chart asks of a mover."""

    kind: str
    """points, added (to the cost of the hex), all, boat, other (the rest of the hex decides), no"""
    halves: int = 0


class TerrainRow(NamedTuple):
    """A line of the Terrain Effects Chart. None in the last five: the rest of the hex decides."""

    name: str
    kind: str
    """hex, hexside, link"""
    leg: Cost
    motorized: Cost
    infantry_zone: bool | None
    afv_zone: bool | None
    at_points: int | None
    tank_part: Fraction | None
    modifier: int
    no_attack: bool
    """Nobody attacks across it."""


class TypeRow(NamedTuple):
    """What the rules make of a type of counter."""

    name: str
    zone: str
    """infantry, afv, none: the column of the terrain chart its zone uses"""
    stacks_as_infantry: bool
    infantry: bool
    points: str
    """at, tank, none"""
    losses: str
    """Row of the chart of Victory Points for losses; empty for an HQ."""
    replacement: tuple[str, int] | None
    """Kind and number of replacement points for one strength point."""
    engineer: bool


class Turn(NamedTuple):
    date: str
    part: str


class Charts:
    """Everything in pack.toml and tables/ that play reads."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.doc = pack.toml(PACK)
        self.title: str = self.doc["title"]
        self.sides: tuple[str, ...] = tuple(s["id"] for s in self.doc["sides"])
        self.constants = read_constants(pack, self.doc)
        self.formations = read_formations(pack, self.doc)
        self.tethers = read_tethers(pack, self.doc, self.formations)
        self.readings = pack.once(Readings)
        self._read_combat()
        self._read_activation()
        self._read_units()
        self.terrain = {key: _terrain_row(self._row("terrain", key)) for key in self._table("terrain").rows}
        words = {*self.types, INFANTRY}
        self.assignments = read_assignments(pack, self.doc, self.formations, words)

    # --- reading ---------------------------------------------------------------------------------------------------

    def _table(self, name: str) -> Table:
        return self.pack.table(name)

    def _row(self, name: str, key: str) -> ChartRow:
        return ChartRow(self.pack, name, key, self._table(name).row(key))

    def _rows(self, name: str) -> list[ChartRow]:
        return [self._row(name, key) for key in self._table(name).rows]

    def _read_combat(self) -> None:
        columns = [f"c{i}" for i in range(1, COLUMNS + 1)]
        mended = tuple(
            tuple(r.read(c, _hits) for c in columns) for r in (self._row("crt", str(n)) for n in range(1, ROLLS + 1))
        )
        as_read = [list(line) for line in mended]
        for r in self._rows("crt-as-read"):
            for c in r.cells:
                as_read[int(r.key) - 1][columns.index(c)] = r.read(c, _hits)
        self.crt = {"mended": mended, "as_read": tuple(tuple(line) for line in as_read)}
        """Hits by reading of `crt_row_7`, roll less one, column less one."""
        self.ratios = {r.key: tuple(r.read(c, _ratio) for c in columns) for r in self._rows("crt-ratios")}
        self.chits = tuple(
            Chit(r.read("left", Fraction), r.read("right", Fraction))
            for r in self._rows("combat-chits")
            for _ in range(r.number("number"))
        )
        same, other = self._row("drm", "same_formation"), self._row("drm", "other_formation")
        self.support = {word: (same.number(word), other.number(word)) for word in (*ATTACKS, *DEFENSES)}
        """Modifier for each supporting hex of the same formation, and of another."""
        hq = self._row("drm", "hq_support")
        self.hq_support = {word: hq.word(word, _PARTS) for word in ATTACKS}
        self.losses = {r.key: r.read("vp", Fraction) for r in self._rows("vp-losses")}

    def _read_activation(self) -> None:
        tables = {"even_steps": "action-points", "double_step": "action-points-double-step"}
        self.action_points = {
            reading: tuple(
                tuple(self._row(name, str(level)).read(str(d), _points) for d in range(1, DICE + 1))
                for level in range(1, LEVELS + 1)
            )
            for reading, name in tables.items()
        }
        """Points by reading of `action_points`, level less one, die less one."""
        self.costs = {r.key: r.read("points", _whole_numbers) for r in self._rows("action-costs")}
        """Action Points; HQ Relocation may be paid with any of several numbers."""
        self.track = tuple(r.number("modifier") for r in self._rows("initiative-track"))
        self._interdiction = self._table("interdiction")
        self._recovery = {r.key: r for r in self._rows("hq-recovery")}
        self._attrition = sorted((int(r.key), r.number("strength_lost")) for r in self._rows("attrition"))
        points = self._table("replacements")
        self.replacements = {
            int(turn): {r.key: r.number(turn) for r in self._rows("replacements")} for turn in points.columns
        }
        """Replacement points of the Germans by turn and kind."""
        self.turns = {int(r.key): Turn(r["date"], r["part"]) for r in self._rows("turn-track")}

    def _read_units(self) -> None:
        self.types = {r.key: _type_row(r) for r in self._rows("unit-types")}
        for key, row in self.types.items():
            if row.losses and row.losses not in self.losses:
                raise BadPack(f"vp-losses.csv has no row {row.losses!r}", self._row("unit-types", key).where)
        self.reorganization = frozenset((r["used_up"], r["filled"]) for r in self._rows("reorganization"))
        for r in self._rows("reorganization"):
            for column in ("used_up", "filled"):
                r.word(column, dict.fromkeys(self.types, True))

    # --- looking up ------------------------------------------------------------------------------------------------

    def column_of(self, terrain: str, ratio: Fraction) -> int:
        """The column (1 to 12) of a ratio in a terrain; 0 below the first printed one."""
        return bisect_right(self.ratios[terrain], ratio)

    def hits_of(self, roll: int, column: int, reading: str) -> Hits:
        """Hits of a modified roll, which is held to the table's rows."""
        c = self.constants.combat
        return self.crt[reading][min(max(roll, c.lowest_roll), c.highest_roll) - 1][column - 1]

    def points_of(self, level: int, die: int, reading: str) -> ActionPoints:
        return self.action_points[reading][level - 1][die - 1]

    def interdiction_of(self, turn: int, die: int) -> int:
        """Level of interdiction; a turn without a column has none."""
        if str(turn) not in self._interdiction.columns:
            return 0
        return self._interdiction.number(die, turn)

    def recovery_of(self, side: str, hq_class: int, interdiction: int) -> int:
        """Levels an HQ regains; none where the chart has a dash."""
        row = self._recovery.get(str(hq_class))
        column = side if side == self.sides[0] else f"{side}_{interdiction}"
        return row.number(column) if row is not None and row[column] else 0

    def attrition_of(self, result: int) -> int:
        """Strength points lost at a die less Effectiveness."""
        return max((lost for least, lost in self._attrition if result >= least), default=0)

    def turn_name(self, turn: int) -> str:
        """
        >>> Charts(Pack("bug41")).turn_name(4)
        'Turn 4 (24 June, day)'
        """
        found = self.turns.get(turn)
        return f"Turn {turn} ({found.date}, {found.part})" if found else f"Turn {turn}"


class ChartRow:
    """One line of a table that knows where it stands."""

    def __init__(self, pack: Pack, table: str, key: str, cells: dict[str, str]) -> None:
        self._pack, self._table = pack, table
        self.key, self.cells = key, cells

    @property
    def where(self) -> str:
        """File and line."""
        name = f"tables/{self._table}.csv"
        lines = enumerate(self._pack.text(name).splitlines(), start=1)
        data = [(n, line) for n, line in lines if line.strip() and not line.startswith("#")][1:]
        found = next((n for n, line in data if next(csv.reader([line]))[0].strip() == self.key), None)
        return self._pack.where(name, found)

    def __getitem__(self, column: str) -> str:
        if column not in self.cells:
            raise BadPack(f"there is no column {column!r}", self.where)
        return self.cells[column]

    def read(self, column: str, form: Callable[[str], T]) -> T:
        text = self[column]
        try:
            return form(text)
        except (ValueError, ZeroDivisionError, BadInput):
            raise BadPack(f"{column} is {text!r}, which cannot be read", self.where) from None

    def number(self, column: str) -> int:
        return self.read(column, int)

    def word(self, column: str, words: dict[str, T]) -> T:
        text = self[column]
        if text not in words:
            raise BadPack(f"{column} is {text!r}, not one of {', '.join(words)}", self.where)
        return words[text]


_PARTS = {"none": Fraction(0), "half": Fraction(1, 2), "all": Fraction(1)}
_YES_NO = {"yes": True, "no": False}
_ZONE: dict[str, bool | None] = {"yes": True, "no": False, "other": None}


def _pair(text: str, sign: str) -> tuple[int, int]:
    a, b = text.split(sign)
    return int(a), int(b)


def _hits(text: str) -> Hits:
    return Hits(*_pair(text, "/"))


def _points(text: str) -> ActionPoints:
    return ActionPoints(*_pair(text, "/"))


def _ratio(text: str) -> Fraction:
    return Fraction(*_pair(text, ":"))


def _whole_numbers(text: str) -> tuple[int, ...]:
    if not text:
        raise ValueError(text)
    return tuple(map(int, text.split()))


def _cost(text: str) -> Cost:
    """
    >>> _cost("1.5"), _cost("+1"), _cost("all")
    (Cost(kind='points', halves=3), Cost(kind='added', halves=2), Cost(kind='all', halves=0))
    """
    if text in ("all", "other", "no"):
        return Cost(text)
    if text == "boat":
        return Cost("boat", HALF)
    halves = Fraction(text) * HALF
    if halves.denominator != 1:
        raise ValueError(text)
    return Cost("added" if text.startswith("+") else "points", int(halves))


def _open(text: str) -> str | None:
    return None if text in ("other", "no") else text


def _terrain_row(r: ChartRow) -> TerrainRow:
    at, tank = _open(r["at_points"]), _open(r["tank_part"])
    barred = r["modifier"] == "no"
    return TerrainRow(
        r.key,
        r.word("kind", {"hex": "hex", "hexside": "hexside", "link": "link"}),
        r.read("leg", _cost),
        r.read("motorized", _cost),
        r.word("infantry_zone", _ZONE),
        r.word("afv_zone", _ZONE),
        None if at is None else r.number("at_points"),
        None if tank is None else r.read("tank_part", Fraction),
        0 if barred else r.number("modifier"),
        barred,
    )


def _replacement(text: str) -> tuple[str, int] | None:
    if text == "none":
        return None
    kind, number = text.split()
    return kind, int(number)


def _type_row(r: ChartRow) -> TypeRow:
    losses = r["losses"]
    return TypeRow(
        r["name"],
        r.word("zone", {w: w for w in (INFANTRY, AFV, "none")}),
        r.word("stacks", _YES_NO),
        r.word("infantry", _YES_NO),
        r.word("points", {w: w for w in ("at", "tank", "none")}),
        "" if losses == "none" else losses,
        r.read("replacement", _replacement),
        r.word("engineer", _YES_NO),
    )
