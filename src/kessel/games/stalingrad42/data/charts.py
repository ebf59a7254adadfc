"""The printed charts and constants, read once from the pack and shared by all boards.

Movement costs are in half Movement Points. Nothing here decides anything: rules look values up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kessel.core.errors import BadPack
from kessel.core.pack import Pack
from kessel.core.tables import Table
from kessel.wargame.readings import Readings

POINT = 2
"""One Movement Point in the unit all costs are counted in."""


class Terrain(NamedTuple):
    """One line of the Terrain Effects Chart."""

    mech: int | None
    foot: int | None
    doubled: str
    doubles_attacked_from: bool
    shift: int
    tank_shift: bool
    dd_column: str
    los_weight: int
    ends_advance: bool
    fort_buildable: bool
    airfield: bool
    city: int
    """0 no City, 1 Minor City, 2 Major City"""


class Crossing(NamedTuple):
    """What one way over one kind of hexside costs and does (5.5, 9.5, 23.4)."""

    mech: int | None
    foot: int | None
    mech_wet: int | None
    foot_wet: int | None
    start_adjacent: bool
    attackers_halved: bool
    river: bool
    retreat: bool
    rule: str

    def cost(self, mech: bool, wet: bool) -> int | None:
        if mech:
            return self.mech_wet if wet else self.mech
        return self.foot_wet if wet else self.foot


class UnitType(NamedTuple):
    mech: bool
    infantry_type: bool
    advance_rate: int
    silhouette: bool
    combat: bool


class WeatherEffects(NamedTuple):
    """23.2-23.3: what a turn's weather does."""

    german_air: str
    romanian_air: str
    german_air_late: str
    overland: int
    ma: int
    advance: str
    wet: bool
    airfield_axis: int


class RemnantKind(NamedTuple):
    number: int
    face: str
    type: str
    dot: str


WEATHERS = ("clear", "overcast", "overcast_w", "rain", "mud", "snow")


class Charts:
    """Every chart of the game."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._tables: dict[str, Table] = {}
        doc = pack.toml("pack.toml")
        self.constants: dict[str, Any] = doc.get("constants", {})
        self.hexes: dict[str, Any] = doc.get("hexes", {})
        self.doc = doc
        self.readings = pack.once(Readings)
        self.terrain = {key: _terrain(self.table("terrain"), key) for key in self.table("terrain").rows}
        self.crossings = {key: _crossing(self.table("hexsides"), key) for key in self.table("hexsides").rows}
        self.unit_types = {key: _unit_type(self.table("unit_types"), key) for key in self.table("unit_types").rows}
        self.weather_effects = tuple(_weather(self.table("weather_effects"), w) for w in WEATHERS)
        self.remnants = {
            key: RemnantKind(r.number(key, "count"), r.at(key, "face"), r.at(key, "type"), r.at(key, "tank_dot"))
            for r in (self.table("remnants"),)
            for key in r.rows
        }

    def table(self, name: str) -> Table:
        if name not in self._tables:
            self._tables[name] = self.pack.table(name)
        return self._tables[name]

    def constant(self, name: str) -> int:
        """A whole number the rulebook states (pack.toml, [constants])."""
        value = self.constants.get(name)
        if not isinstance(value, int):
            raise BadPack(f"constants.{name} is {value!r}, not a whole number", self.pack.where("pack.toml"))
        return value

    def hex(self, name: str) -> str:
        """The number of a hex the rules name (pack.toml, [hexes])."""
        value = self.hexes.get(name)
        if not isinstance(value, str):
            raise BadPack(f"hexes.{name} is {value!r}, not a hex number", self.pack.where("pack.toml"))
        return value

    def road_cost(self, kind: str, mech: bool, wet: bool) -> int:
        column = ("mech" if mech else "foot") + "_halves" + ("_rain" if wet else "")
        return self.table("roads").number(kind, column)


def charts(pack: Pack) -> Charts:
    """The charts of that pack, read once and kept with it: they go when it goes."""
    return pack.once(Charts)


def _halves(t: Table, row: str, column: str) -> int | None:
    return None if t.at(row, column) == "-" else t.number(row, column)


def _terrain(t: Table, row: str) -> Terrain:
    return Terrain(
        mech=_halves(t, row, "mech_halves"),
        foot=_halves(t, row, "foot_halves"),
        doubled=t.at(row, "defense_doubled"),
        doubles_attacked_from=t.at(row, "attack_from_doubles_defender") == "1",
        shift=t.number(row, "shift"),
        tank_shift=t.at(row, "tank_shift") == "1",
        dd_column=t.at(row, "dd_column"),
        los_weight=t.number(row, "los_weight"),
        ends_advance=t.at(row, "ends_advance") == "1",
        fort_buildable=t.at(row, "fort_buildable") == "1",
        airfield=t.at(row, "airfield") == "1",
        city=t.number(row, "city"),
    )


def _crossing(t: Table, row: str) -> Crossing:
    return Crossing(
        mech=_halves(t, row, "mech_halves"),
        foot=_halves(t, row, "foot_halves"),
        mech_wet=_halves(t, row, "mech_halves_rain"),
        foot_wet=_halves(t, row, "foot_halves_rain"),
        start_adjacent=t.at(row, "start_adjacent") == "1",
        attackers_halved=t.at(row, "attackers_halved") == "1",
        river=t.at(row, "river_for_doubling") == "1",
        retreat=t.at(row, "retreat") == "1",
        rule=t.at(row, "rule"),
    )


def _unit_type(t: Table, row: str) -> UnitType:
    return UnitType(
        mech=t.at(row, "mech") == "1",
        infantry_type=t.at(row, "infantry_type") == "1",
        advance_rate=t.number(row, "advance_rate"),
        silhouette=t.at(row, "silhouette") == "1",
        combat=t.at(row, "combat_unit") == "1",
    )


def _weather(t: Table, row: str) -> WeatherEffects:
    return WeatherEffects(
        german_air=t.at(row, "german_air"),
        romanian_air=t.at(row, "romanian_air"),
        german_air_late=t.at(row, "german_air_late"),
        overland=t.number(row, "overland"),
        ma=t.number(row, "ma"),
        advance=t.at(row, "advance"),
        wet=t.at(row, "rain_roads") == "1",
        airfield_axis=t.number(row, "airfield_axis"),
    )
