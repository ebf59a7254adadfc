"""2.4 Charts and tables, decoded once.

Movement Points are whole numbers of sixths of a point (`POINT` of them make one), so that thirds (9.4.2) and halves
of a point are exact. Files write them as printed: "1/3", "2".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import NamedTuple

from kessel.core.errors import BadPack
from kessel.core.pack import Pack
from kessel.core.tables import Table
from kessel.games.korsun44.data.constants import Game
from kessel.wargame.points import points
from kessel.wargame.readings import Readings

POINT = 6
"""Parts of a Movement Point."""
NO, ALL = -1, -2
"""Costs that are none: cannot be crossed or entered; takes the whole allowance (9.2.1.1)."""

GROUNDS = ("Frozen", "Mud")
FROZEN, MUD = range(2)
CLASSES = ("foot", "motorized", "armor")
FOOT, MOTORIZED, ARMOR = range(3)
VISIBILITIES = ("Clear", "Overcast", "Storm")
CLEAR, OVERCAST, STORM = range(3)

GROUPS = ("infantry", "engineer", "artillery", "anti_armor", "armor", "marker")
HALVED = ("none", "armor", "all", "no_attack")
POINTS = ("none", "two", "steps")
STOPS = ("no", "road", "yes")
KINDS = ("hex", "hexside", "link", "strategic", "zone")


class Part(NamedTuple):
    """12.12.2 One side's part of a combat result."""

    steps: int
    disorganized: bool
    retreat: int
    """Hexes: 0, 1, or 2 for a breakthrough."""

    @property
    def breakthrough(self) -> bool:
        return self.retreat == 2

    def said(self, who: str) -> str:
        """In words, or nothing where nothing happens to them."""
        lost = f"loses {'a step' if self.steps == 1 else f'{self.steps} steps'}" if self.steps else ""
        back = "retreats before a breakthrough" if self.breakthrough else "retreats" if self.retreat else ""
        parts = [part for part in (lost, "is Disorganized" if self.disorganized else "", back) if part]
        return f"{who} {' and '.join(filter(None, (', '.join(parts[:-1]), parts[-1])))}" if parts else ""


class Result(NamedTuple):
    attacker: Part
    defender: Part
    text: str

    @property
    def said(self) -> str:
        """
        >>> parse_result("1/1DR").said
        'the attacker loses a step; the defender loses a step, is Disorganized and retreats'
        """
        both = (self.attacker.said("the attacker"), self.defender.said("the defender"))
        return "; ".join(filter(None, both)) or "no effect"


def cell_said(chart: str, cell: str) -> str:
    """A result of the combat table in words."""
    return parse_result(cell).said if chart == "crt" else ""


class TerrainCost(NamedTuple):
    """A line of the Terrain Effects Chart: cost in sixths by movement class and ground, or NO or ALL."""

    kind: str
    cost: tuple[tuple[int, int], ...]


class TerrainCombat(NamedTuple):
    """12.5.2, 12.7, 12.8.1, 12.14.1, 12.16 What a hex or hexside does to a combat."""

    kind: str
    halved: str
    points: str
    combined_arms: int
    superiority: bool
    no_retreat: str
    advance_stops: str


class TypeRow(NamedTuple):
    """2.8, 4.3.2 What the rules make of a type of unit."""

    name: str
    group: str
    infantry_type: bool
    foot_rate: bool
    zoc_pair: bool
    breakthrough: bool
    deviates: bool
    replacement: str


class Visibility(NamedTuple):
    first: tuple[int, int]
    second: tuple[int, int] | None
    air: int | None
    """Added to the availability roll; None: nobody flies."""
    artillery: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A space of the Turn Record Track."""

    number: int
    date: str
    ground: int
    reliability: bool
    infantry: dict[str, int]
    armor: dict[str, int]
    """Replacement Points by korps or Front."""
    event: str

    @property
    def day(self) -> str:
        day = date.fromisoformat(self.date)
        return f"{day.day} {day:%B}"


def parse_points(text: str) -> int:
    """
    >>> parse_points("1/3"), parse_points("2"), parse_points("no"), parse_points("all")
    (2, 12, -1, -2)
    """
    if text in ("no", "all"):
        return NO if text == "no" else ALL
    return points(text, POINT)


def parse_part(text: str) -> Part:
    """
    >>> parse_part("1DR")
    Part(steps=1, disorganized=True, retreat=1)
    >>> parse_part("2R>").breakthrough
    True
    """
    found = re.fullmatch(r"-|(?=.)([12])?(D)?(R>?)?", text)
    if found is None:
        raise BadPack(f"{text!r} is not a combat result like 1DR (12.12.2)")
    return Part(int(found[1] or 0), bool(found[2]), len(found[3] or ""))


@cache
def parse_result(text: str) -> Result:
    attacker, slash, defender = text.partition("/")
    if not slash:
        raise BadPack(f"{text!r} has no slash between attacker and defender (12.12.2)")
    found = Result(parse_part(attacker), parse_part(defender), text)
    if found.attacker.breakthrough:
        raise BadPack(f"{text!r}: the arrow is for the defender alone (12.12.2)")
    return found


def band(table: Table, value: int) -> str:
    """The column `low-high` or `low+` a number falls into; the first one for less."""
    found = table.columns[0]
    for column in table.columns:
        if value >= int(column.rstrip("+").split("-")[0]):
            found = column
    return found


class Charts:
    """Everything in pack.toml and tables/ that play reads."""

    def __init__(self, pack: Pack) -> None:
        self.game = Game(pack)
        self.constants = self.game.constants
        if self.constants.sixths != POINT:
            raise BadPack(f"sixths must be {POINT}", pack.where("pack.toml"))
        self.readings = pack.once(Readings)
        self._pack = pack
        self.odds = pack.table("crt").columns
        self.crt = self._crt(pack.table("crt"))
        self.artillery = (pack.table("artillery-german"), pack.table("artillery-soviet"))
        """By side: rows modified die, columns points."""
        self.air_german, self.air_soviet = pack.table("air-german"), pack.table("air-soviet")
        self.visibility = self._visibility(pack.table("visibility"))
        self.ground = pack.table("ground")
        self.turns = self._turns(pack.table("turns"))
        self.terrain = self._costs(pack.table("terrain"))
        self.terrain_combat = self._combat(pack.table("terrain-combat"))
        self.bridges = pack.table("bridges")
        dots = pack.table("armor-dots")
        self.dots = {t: (dots.number(t, "white"), dots.number(t, "black")) for t in dots.rows}
        """White and black dots of each weapon."""
        replaced = pack.table("armor-replacement")
        self.armor_replacement = {int(r): replaced.at(r, "type") for r in replaced.rows}
        self.korsun_loss = pack.table("korsun-air-loss")
        self.air_drop = pack.table("air-drop")
        self.chits = self._chits(pack.table("strength-chits"))
        self.types = self._types(pack.table("unit-types"))

    # --- looking up ------------------------------------------------------------------------------------------------

    def shifts(self, side: int, points: int, roll: int) -> int:
        """12.10.2 Columns that artillery of that many points shifts with a modified roll."""
        table = self.artillery[side]
        return table.number(table.clamp_row(roll), band(table, points))

    def german_missions(self, ground: int, roll: int) -> int:
        """6.1.1"""
        return self.air_german.number(self.air_german.clamp_row(roll), GROUNDS[ground].lower())

    def soviet_missions(self, front: str, ground: int, roll: int) -> int:
        """6.1.2"""
        return self.air_soviet.number(self.air_soviet.clamp_row(roll), f"{front}_{GROUNDS[ground].lower()}")

    def ground_of(self, roll: int) -> int:
        """5.1 FROZEN or MUD for a modified roll."""
        return GROUNDS.index(self.ground.at(self.ground.clamp_row(roll), "condition"))

    def visibility_of(self, first: int, second: int) -> int:
        """5.2 The state for a first and, where it is thrown, a second die."""
        for i, row in enumerate(self.visibility):
            if row.first[0] <= first <= row.first[1] and (
                row.second is None or row.second[0] <= second <= row.second[1]
            ):
                return i
        raise BadPack(f"the dice {first} and {second} give no state", self._where("visibility"))

    def visibility_needs_second(self, first: int) -> bool:
        """5.2 Whether a first die calls for another one."""
        return any(row.second is not None and row.first[0] <= first <= row.first[1] for row in self.visibility)

    def turn(self, number: int) -> Turn:
        if not 1 <= number <= len(self.turns):
            raise BadPack(f"there is no turn {number} on the track", self._where("turns"))
        return self.turns[number - 1]

    # --- reading ---------------------------------------------------------------------------------------------------

    def _where(self, table: str, row: str = "") -> str:
        name = f"tables/{table}.csv"
        for n, line in enumerate(self._pack.text(name).splitlines(), start=1):
            if row and line.split(",")[0].strip().strip('"') == row:
                return self._pack.where(name, n)
        return self._pack.where(name)

    def _one_of(self, table: str, row: str, word: str, words: tuple[str, ...]) -> str:
        if word not in words:
            raise BadPack(f"{word!r} is not one of {', '.join(words)}", self._where(table, row))
        return word

    def _yes(self, t: Table, table: str, row: str, column: str) -> bool:
        return self._one_of(table, row, t.at(row, column), ("yes", "no")) == "yes"

    def _span(self, text: str, table: str, row: str) -> tuple[int, int]:
        found = re.fullmatch(r"(\d+)-(\d+)", text)
        if found is None:
            raise BadPack(f"{text!r} is not a span like 1-4", self._where(table, row))
        return int(found[1]), int(found[2])

    def _crt(self, t: Table) -> dict[tuple[int, str], Result]:
        found = {}
        for row in t.rows:
            for column in t.columns:
                try:
                    found[int(row), column] = parse_result(t.at(row, column))
                except BadPack as e:
                    raise BadPack(e.message, self._where("crt", row)) from None
        if sorted({r for r, _ in found}) != list(range(2, 13)):
            raise BadPack("the rows must be the sums of two dice, 2 to 12", self._where("crt"))
        return found

    def _visibility(self, t: Table) -> tuple[Visibility, ...]:
        if t.rows != VISIBILITIES:
            raise BadPack(f"the rows must be {', '.join(VISIBILITIES)}", self._where("visibility"))
        found = []
        for row in t.rows:
            second = t.at(row, "second")
            air = t.at(row, "air")
            found.append(
                Visibility(
                    self._span(t.at(row, "first"), "visibility", row),
                    self._span(second, "visibility", row) if second else None,
                    None if air == "no" else t.number(row, "air"),
                    t.number(row, "artillery"),
                )
            )
        return tuple(found)

    def _turns(self, t: Table) -> tuple[Turn, ...]:
        if t.rows != tuple(str(n) for n in range(1, len(t.rows) + 1)):
            raise BadPack("the turns must be numbered from 1 on", self._where("turns"))
        known = {*self.game.formations.german_korps, *self.game.formations.fronts}
        found = []
        for row in t.rows:
            points = [self._gained(t.at(row, c), row, known) for c in ("infantry_rp", "armor_rp")]
            found.append(
                Turn(
                    int(row),
                    t.at(row, "date"),
                    t.number(row, "ground"),
                    self._yes(t, "turns", row, "reliability"),
                    points[0],
                    points[1],
                    t.at(row, "event"),
                )
            )
        return tuple(found)

    def _gained(self, text: str, row: str, known: set[str]) -> dict[str, int]:
        found = {}
        for word in text.split():
            who, _, number = word.partition(":")
            if who not in known or not number.isdigit():
                raise BadPack(f"{word!r} is not a korps or Front with a number", self._where("turns", row))
            found[who] = int(number)
        return found

    def _costs(self, t: Table) -> dict[str, TerrainCost]:
        found = {}
        for row in t.rows:
            cells = [[t.at(row, f"{c}_{g.lower()}") for g in GROUNDS] for c in CLASSES]
            try:
                costs = tuple((parse_points(frozen), parse_points(mud)) for frozen, mud in cells)
            except BadPack as e:
                raise BadPack(e.message, self._where("terrain", row)) from None
            found[row] = TerrainCost(self._one_of("terrain", row, t.at(row, "kind"), KINDS), costs)
        return found

    def _combat(self, t: Table) -> dict[str, TerrainCombat]:
        name = "terrain-combat"
        return {
            row: TerrainCombat(
                self._one_of(name, row, t.at(row, "kind"), KINDS[:2]),
                self._one_of(name, row, t.at(row, "halved"), HALVED),
                self._one_of(name, row, t.at(row, "points"), POINTS),
                t.number(row, "combined_arms"),
                self._yes(t, name, row, "superiority"),
                self._one_of(name, row, t.at(row, "no_retreat"), ("yes", "no", "if_all")),
                self._one_of(name, row, t.at(row, "advance_stops"), STOPS),
            )
            for row in t.rows
        }

    def _chits(self, t: Table) -> dict[str, dict[int, int]]:
        """Strength by class (`soviet_A`) and steps left."""
        return {row: {int(c): t.number(row, c) for c in t.columns if t.at(row, c)} for row in t.rows}

    def _types(self, t: Table) -> dict[str, TypeRow]:
        name = "unit-types"
        flags = ("infantry_type", "foot_rate", "zoc_pair", "breakthrough", "deviates")
        found = {}
        for row in t.rows:
            infantry, foot, pair, through, deviates = (self._yes(t, name, row, f) for f in flags)
            found[row] = TypeRow(
                t.at(row, "name"),
                self._one_of(name, row, t.at(row, "group"), GROUPS),
                infantry,
                foot,
                pair,
                through,
                deviates,
                self._one_of(name, row, t.at(row, "replacement"), ("none", "infantry", "armor")),
            )
        return found


def charts_of(pack: Pack) -> Charts:
    """The charts of a pack, read once for each pack object and kept with it."""
    return pack.once(Charts)
