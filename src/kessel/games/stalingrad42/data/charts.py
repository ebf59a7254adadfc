"""The printed charts and constants, read once from the pack and shared by all boards.

Movement costs are in half Movement Points. Nothing here decides anything: rules look values up.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kessel.core.errors import BadPack
from kessel.core.pack import Pack
from kessel.wargame.readings import Readings
from kessel.wargame.rows import chart

POINT = 2
"""One Movement Point in the unit all costs are counted in."""


class Terrain(msgspec.Struct, frozen=True):
    """One line of the Terrain Effects Chart."""

    shift: int
    tank_shift: bool
    dd_column: str
    los_weight: int
    ends_advance: bool
    fort_buildable: bool
    airfield: bool
    city: int
    """0 no City, 1 Minor City, 2 Major City"""
    mech: int | None = msgspec.field(name="mech_halves")
    foot: int | None = msgspec.field(name="foot_halves")
    doubled: str = msgspec.field(name="defense_doubled")
    doubles_attacked_from: bool = msgspec.field(name="attack_from_doubles_defender")


class Crossing(msgspec.Struct, frozen=True):
    """What one way over one kind of hexside costs and does (5.5, 9.5, 23.4)."""

    start_adjacent: bool
    attackers_halved: bool
    retreat: bool
    rule: str
    mech: int | None = msgspec.field(name="mech_halves")
    foot: int | None = msgspec.field(name="foot_halves")
    mech_wet: int | None = msgspec.field(name="mech_halves_rain")
    foot_wet: int | None = msgspec.field(name="foot_halves_rain")
    river: bool = msgspec.field(name="river_for_doubling")

    def cost(self, mech: bool, wet: bool) -> int | None:
        if mech:
            return self.mech_wet if wet else self.mech
        return self.foot_wet if wet else self.foot


class UnitType(msgspec.Struct, frozen=True):
    mech: bool
    infantry_type: bool
    advance_rate: int
    silhouette: bool


class WeatherEffects(msgspec.Struct, frozen=True):
    """23.2-23.3: what a turn's weather does."""

    german_air: str
    romanian_air: str
    german_air_late: str
    overland: int
    ma: int
    advance: str
    airfield_axis: int
    wet: bool = msgspec.field(name="rain_roads")


class RemnantKind(msgspec.Struct, frozen=True):
    face: str
    number: int = msgspec.field(name="count")
    dot: str = msgspec.field(name="tank_dot")


WEATHERS = ("clear", "overcast", "overcast_w", "rain", "mud", "snow")


class Charts:
    """Every chart of the game."""

    def __init__(self, pack: Pack) -> None:
        self.pack, self.table = pack, pack.table
        self.doc = doc = pack.toml("pack.toml")
        self.constants: dict[str, Any] = doc.get("constants", {})
        self.hexes: dict[str, Any] = doc.get("hexes", {})
        self.readings = pack.once(Readings)
        self.terrain = chart(self.table("terrain"), Terrain)
        self.crossings = chart(self.table("hexsides"), Crossing)
        self.unit_types = chart(self.table("unit_types"), UnitType)
        effects = chart(self.table("weather_effects"), WeatherEffects)
        self.weather_effects = tuple(effects[w] for w in WEATHERS)
        self.remnants = chart(self.table("remnants"), RemnantKind)

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
