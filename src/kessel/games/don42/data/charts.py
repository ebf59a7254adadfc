"""2.6 Charts and tables: the pack's data, decoded once.

Movement Points are kept as whole numbers of half a point (`POINT` of them make one MP), because a major road costs half
a point in clear weather.
"""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.errors import BadInput, BadPack
from kessel.core.pack import Pack, Row
from kessel.core.tables import Table
from kessel.wargame.points import points
from kessel.wargame.readings import Readings
from kessel.wargame.rows import chart, entries

POINT = 2
"""Units of cost in one MP."""

WEATHERS = ("clear", "rain", "mud")
CLEAR, RAIN, MUD = range(3)

QUALITIES = ("A", "B", "C")

NE, AE1, ADPT, ADRG, BRE, DRTD, DE1 = "NE", "AE1", "ADPT", "ADRG", "BRE", "DRTD", "DE1"
DRE = {"DRE1": 1, "DRE2": 2, "DRE3": 3}
"""Retreat results and their hexes (13.3)."""
RESULTS = (AE1, ADPT, ADRG, NE, BRE, *DRE, DRTD, DE1)

# --- 2.1.1 the calendar --------------------------------------------------------------------------------------------

_DAYS = (*((f"Aug {d}") for d in range(21, 32)), *((f"Sep {d}") for d in range(1, 9)))
TURNS = tuple(f"{day} {part}" for day in _DAYS for part in ("AM", "PM"))
"""The turn track; turn 1 is Aug 21 AM."""
_NUMBERS = {name: n for n, name in enumerate(TURNS, start=1)}


def turn_number(name: str) -> int:
    """
    >>> turn_number("Aug 24 PM")
    8
    """
    n = _NUMBERS.get(name)
    if n is None:
        raise BadInput(f"there is no turn {name!r} on the track, which runs from {TURNS[0]} to {TURNS[-1]}")
    return n


def turn_name(number: int) -> str:
    return TURNS[number - 1] if 1 <= number <= len(TURNS) else f"turn {number}"


# --- constants -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constants:
    """The distances and limits the text states, as `[constants]` of pack.toml writes them."""

    soviet_trace: int
    soviet_hq_road_hexes: int
    german_trace: int
    german_river_trace: int
    command_radius: int
    position_radius: int
    activation_road: int
    reserve_distance: int
    reserve_through: str
    priority_from: str
    army_attempts: int
    free_tank_corps: int
    artillery_road: int
    drg_move: int
    artillery_range_hexes: int
    mortar_range_hexes: int
    hill_spotting_hexes: int
    air_support: int
    supply_points: int
    rout_hexes: int
    elimination_advance: int
    pontoons: int
    battalions: int
    companies: int


@dataclass(frozen=True, slots=True)
class TerrainRow:
    """A line of the Terrain Effects Chart: half MPs by weather (-1: cannot be crossed), columns to the left."""

    kind: str
    cost: tuple[int, int, int]
    shift: int


@dataclass(frozen=True, slots=True)
class TypeRow:
    """What the rules make of a type of counter."""

    name: str
    group: str
    armor: bool
    tank: bool
    anti_tank: bool
    oos_half: bool
    advance: str


class Charts:
    """Everything in pack.toml and tables/ that play reads."""

    def __init__(self, pack: Pack) -> None:
        self.where = pack.where("pack.toml")
        doc = pack.toml("pack.toml")
        self.doc = doc
        self.constants = entries(pack, "pack.toml", Constants, "constants")
        self.position_markers: int = doc["constants"]["position_markers"]["count"]
        self.repaired_on: int = doc["constants"]["pontoon_repair"]["repaired_on"]
        self.limit_62: int = doc["constants"]["limit_62"]["modifier"]
        self.armies: tuple[str, ...] = tuple(doc["formations"]["armies"])
        self.tank_corps: tuple[str, ...] = tuple(doc["formations"]["tank_corps"])
        self.german_corps: tuple[str, ...] = tuple(doc["formations"]["german_corps"])
        self.divisions: dict[str, tuple[str, ...]] = {k: tuple(v) for k, v in doc["formations"]["divisions"].items()}
        self.kovachenko: tuple[str, ...] = tuple(doc["formations"]["kovachenko"]["formations"])
        self.readings = pack.once(Readings)
        self._read_tables(pack)

    def _read_tables(self, pack: Pack) -> None:
        self.terrain = chart(pack.table("terrain"), TerrainRow, cost=_costs)
        self.types = chart(pack.table("unit-types"), TypeRow, oos_half=lambda row: row["oos_move"] == "half")
        self.weather = pack.table("weather")
        self.initiative = pack.table("air-initiative")
        self.availability = pack.table("air-availability")
        self.activation = pack.table("activation")
        self.priority = pack.table("army-priority")
        self.bombardment = pack.table("bombardment")
        self.german_rout = pack.table("german-rout")
        self.zone_retreat = pack.table("zone-retreat")
        self.recovery = pack.table("recovery")
        self.subunits = pack.table("subunit-activation")
        quality = pack.table("quality")
        self.quality = tuple(tuple(quality.number(a, d) for d in QUALITIES) for a in QUALITIES)
        self.crt = {odds: pack.table("crt-" + odds.replace(":", "-")) for odds in ("1:2", "1:1", "2:1")}
        for t in self.crt.values():
            bad = sorted(set(t.cells.values()) - set(RESULTS))
            if bad:
                raise BadPack(f"{bad[0]!r} is not a combat result of chapter 13", t.name)
        objectives = pack.table("objectives")
        self.objectives = {h: (objectives.at(h, "name"), objectives.number(h, "vp")) for h in objectives.rows}

    def bombardment_column(self, factors: int) -> str:
        return band(self.bombardment, factors)

    def activation_column(self, length: int, shorter: bool) -> str:
        """9.3: the column of a supply line of that many half MPs; half a point over uses the next one (or not)."""
        points = length // POINT if shorter else -(-length // POINT)
        return band(self.activation, points)


def band(table: Table, value: int) -> str:
    """The column `low-high` or `low+` a number falls into; the first one for less."""
    found = table.columns[0]
    for column in table.columns:
        low = int(column.rstrip("+").split("-")[0])
        if value >= low:
            found = column
    return found


def _costs(row: Row) -> list[int]:
    return [-1 if row[w] == "no" else points(row[w], POINT, row.where) for w in WEATHERS]


def charts_of(pack: Pack) -> Charts:
    """The charts of a pack, read once for each pack object and kept with it."""
    return pack.once(Charts)
