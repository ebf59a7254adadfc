"""What pack.toml says once for the whole game: limits, distances, formations, optional rules, readings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from kessel.core.errors import BadPack
from kessel.core.pack import Pack
from kessel.games.korsun44.data.places import fault

FILE = "pack.toml"
ABOUT = ("provenance", "stated", "ours", "note")
T = TypeVar("T")


class Constants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[constants]`: the numbers the text states, under their names there; comments in the file give the rules."""

    sixths: int
    stack: int
    stack_forest: int
    soviet_divisions: int
    soviet_brigades: int
    german_regiments: int
    zoc_steps: int
    star_steps: int
    foot_rate: int
    mud_foot: int
    mud_vehicle: int
    reserve_foot: int
    reserve_vehicle: int
    oos1_divisor: int
    oos2_divisor: int
    strategic_distance: int
    rail_units: int
    rail_displacement: int
    entry_distance: int
    soviet_range_frozen: int
    soviet_range_mud: int
    german_range_frozen: int
    german_range_mud: int
    extended_range: int
    extended_units: int
    sdm_displacement: int
    soviet_replacement_distance: int
    soviet_replacement_steps: int
    german_replacement_steps: int
    conversion_distance: int
    regiment_conversion: int
    battalion_conversion: int
    abandon_alarms: int
    abandon_distance: int
    alarm_attack_cost: int
    attack_guns: int
    defence_guns: int
    halvings: int
    combined_arms: int
    combined_arms_town: int
    engineer_shift: int
    division_shift: int
    division_steps: int
    terrain_points: int
    step_points: int
    hilltop_shift: int
    superiority_left: int
    oos2_shift: int
    oos2_mixed_shift: int
    mine_artillery: int
    barrage_artillery: int
    barrage_markers: int
    barrage_range: int
    barrage_shift_near: int
    barrage_shift_far: int
    barrage_components: int
    barrage_defence: int
    barrage_return: int
    barrage_stay: int
    engineer_distance: int
    rail_bridge_modifier: int
    bridge_points: int
    rail_points: int
    ip_points: int
    ip_strength: int
    mine_points: int
    mine_sides: int
    mine_hit_up_to: int
    mine_armor_cost: int
    mine_shift: int
    korsun_points: int
    korsun_road_points: int
    air_supply_missions: int
    air_drops: int
    airfield_guns_some: int
    airfield_guns_many: int
    airfield_mud: int
    soviet_drop_up_to: int
    isolation_points: int
    isolation_move: int
    wanda_from: int
    wanda_missions: int
    wanda_modifier: int
    wanda_extra_turns: int
    breakout_distance: int
    breakout_move: int
    breakout_first: int
    breakout_armor: int
    breakout_regiment: int
    partisan_return: int
    reliability_pzv: list[int]
    reliability_pzvi: list[int]
    improve_points: int
    truck_points: int
    ford_from: int
    ford_attempts_one_map: int
    ford_attempts_two_maps: int
    pz24_rolls: int
    pz24_up_to: int
    pz24_sdm: int
    airfield_distance: int
    airfield_points: int
    airfield_most: int
    depot_distance: int
    depot_points: int
    depot_most: int
    intercept_88: int
    stalin_from: int
    stalin_distance: int


class Tracks(msgspec.Struct, frozen=True):
    korsun: int
    replacement: int


class ContinuousFront(msgspec.Struct, frozen=True):
    """22.1 How far a hex of the line may lie from a German unit, and the roll that frees a korps."""

    gap: int
    first_roll: int
    free_on: int


class FrontBoundary(msgspec.Struct, frozen=True):
    """22.11 The last column of the 1st Ukrainian Front, how far over it units may stand, how far it may be moved."""

    column: int
    beyond: int
    step: int
    exempt: tuple[str, ...]


class GermanStrength(msgspec.Struct, frozen=True):
    """18.10 Points for terrain by infantry strength."""

    from_13: int
    from_7: int
    below_7: int


class Barrage(msgspec.Struct, frozen=True):
    """22.3 A barrage unit and the five artillery units it is made of."""

    unit: str
    army: str
    parts: tuple[str, ...]


class Formations(msgspec.Struct, frozen=True):
    """Who belongs to whom, by the names of counters.csv."""

    fronts: tuple[str, ...]
    armees: tuple[str, ...]
    german_korps: tuple[str, ...]
    soviet_armies: tuple[str, ...]
    tank_armies: tuple[str, ...]
    soviet_corps: tuple[str, ...]
    panzer_divisions: tuple[str, ...]
    pocket_korps: tuple[str, ...]
    relief_korps: tuple[str, ...]
    korps_of: dict[str, tuple[str, ...]]
    front_of: dict[str, tuple[str, ...]]
    corps_of: dict[str, tuple[str, ...]]


class Game:
    """All of pack.toml, decoded."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        doc = pack.toml(FILE)
        constants = self._table(doc, "constants")
        plain = {k: v for k, v in constants.items() if not isinstance(v, dict) and k not in ABOUT}
        self.constants = self._read(plain, Constants, "constants")
        self.tracks = self._read(constants["tracks"], Tracks, "constants.tracks")
        self.continuous_front = self._read(constants["continuous_front"], ContinuousFront, "constants.continuous_front")
        self.front_boundary = self._read(constants["front_boundary"], FrontBoundary, "constants.front_boundary")
        self.german_strength = self._read(constants["german_strength"], GermanStrength, "constants.german_strength")
        self.truck_ma = self._read(constants["truck"]["ma"], int, "constants.truck")
        self.bridge_enemy = self._read(constants["bridge_enemy"]["modifier"], int, "constants.bridge_enemy")
        self.breakout_waves = self._read(
            constants["breakout_waves"]["distances"], tuple[int, ...], "constants.breakout_waves"
        )
        self.fordable = self._read(constants["fords"]["rivers"], tuple[str, ...], "constants.fords")
        """18.6 Names of the rivers that may be forded."""
        self.isolation = self._read(_plain(constants["isolation"]), dict[str, tuple[str, ...]], "constants.isolation")
        """16.2.1 Where the SDMs of an isolated korps may go."""
        self.superiority = self._read(_plain(constants["superiority"]), dict[str, int], "constants.superiority")
        """12.8 Shifts right by the lead in white dots, as text."""
        formations = dict(self._table(doc, "formations"))
        for key in ("korps_of", "front_of", "corps_of"):
            formations[key] = _plain(formations[key])
        self.formations = self._read(formations, Formations, "formations")
        self.barrage = {
            k: self._read(v, Barrage, f"barrage.{k}")
            for k, v in self._table(doc, "barrage").items()
            if isinstance(v, dict)
        }
        self.numbers = {
            k: self._read(v.get("reading"), str, f"switches.{k}")
            for k, v in self._table(doc, "switches").items()
            if isinstance(v, dict)
        }
        """Under which number docs/reconstruction-korsun44.md speaks of a switch."""

    def _table(self, doc: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        found = doc.get(key)
        if not isinstance(found, dict):
            raise BadPack(f"[{key}] is missing", self._pack.where(FILE))
        return found

    def _read(self, value: Any, form: type[T], section: str) -> T:
        try:
            return msgspec.convert(value, type=form)
        except msgspec.ValidationError as e:
            message, _, at = str(e).partition(" - at `$")
            key = at.strip("`").lstrip(".").split(".")[0].split("[")[0]
            told = f"{message} ({section}{'.' + key if key else ''})"
            raise fault(self._pack, FILE, told, key, section) from None


def _plain(table: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in table.items() if k not in ABOUT}
