"""19.0-22.0 Scenarios: what a scenario file says, decoded and checked against counters and map.

A unit is written with its steps where it has lost some (`245.88ID:3`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from kessel.core.errors import BadPack
from kessel.core.forces import NO_UNIT, Side
from kessel.core.hexes import Hex
from kessel.core.pack import Pack
from kessel.games.korsun44.data.charts import Charts, charts_of
from kessel.games.korsun44.data.constants import ABOUT
from kessel.games.korsun44.data.forces import ALARM, PARTISANS, SDM, SIDES, Forces, forces_of
from kessel.games.korsun44.data.places import fault
from kessel.games.korsun44.data.terrain import SHEETS, Ground, ground_of

T = TypeVar("T")
CONTROLS = ("german_lines", "nearest")
POINT_KINDS = (
    "hexes", "brigades_west", "brigades_east", "brigades_cut", "cut_off", "units_near", "armor_steps", "steps_out",
    "link",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit with the steps it has, and the hex it stands in."""

    unit: int
    steps: int
    hex: Hex


@dataclass(frozen=True, slots=True)
class Arrival:
    """7.0 Units that enter together."""

    turn: int
    side: Side
    hex: Hex
    units: tuple[tuple[int, int], ...]
    """Unit and steps."""
    sdms: tuple[int, ...] = ()
    rail: bool = False
    """They may enter by rail (9.5)."""
    option: str = ""
    """Only with this optional rule."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Units that leave the map on a turn."""

    turn: int
    side: Side
    units: tuple[int, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A supply source this scenario adds, for armies whose own is on the other sheet."""

    hex: Hex
    side: Side
    serves: tuple[str, ...]
    railroad: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class RailCapacity:
    """18.4 Hexes of the line from a source beyond which rail entry costs one or two Supply Points."""

    source: Hex
    minus_one: Hex
    minus_two: Hex


class PointRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to score. `points` go to `side` for what `kind` says:

    hexes: each of `hexes` it controls at the end. cut_off: no path free of the enemy along road or railroad from the
    hex to a German edge source. link: such a path exists (from the hex, or from any unit of Gruppe Stemmermann).
    brigades_west and brigades_east: each Soviet tank or motor brigade in supply at that column or beyond it to that
    side; brigades_cut: each one out of supply there. units_near: each German regiment or armor battalion in supply
    within `distance` of the hex (armor alone where `armor` says yes). armor_steps: each `each` steps of German armor
    lost. steps_out: each step of Gruppe Stemmermann that is out (16.5.3) or supplied from an edge source.
    """

    kind: str
    side: str
    points: int
    hexes: str = ""
    column: int = 0
    distance: int = 0
    each: int = 1
    armor: str = "no"
    note: str = ""

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(self.hexes.split())


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result for German points less Soviet points of at least that many; no winner is a draw."""

    name: str
    winner: str
    at_least: int


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What has happened before the first turn."""

    korsun_isolated: int = 0
    """The turn Korsun was declared isolated; 0: it is not."""
    korsun_points: int = 0
    wanda_ends: int = 0
    """The turn the end marker lies on; 0: Wanda has not been declared."""
    korps_isolated: tuple[str, ...] = ()


class Special(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    release: dict[str, int] = {}
    pocket: tuple[str, ...] = ()


NOTHING_BEFORE = Start()


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    number: int
    title: str
    dates: str
    summary: str
    aims: tuple[str, str]
    """What each side wants, by side."""
    first_turn: int
    last_turn: int
    areas: tuple[str, ...]
    control: str
    """Who holds a hex at the start: `german_lines` (the area of that name), or the side of the `nearest` unit."""
    minefields: int
    options: Mapping[str, str]
    setup: tuple[Placed, ...]
    holding: tuple[int, ...] = ()
    """17.1.1 Components that begin in the artillery holding boxes."""
    sdms: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    alarm: tuple[Hex, ...] = ()
    improved: tuple[Hex, ...] = ()
    """15.1 Improved positions that stand at the start."""
    partisans: Mapping[int, Hex] = field(default_factory=dict)
    arrivals: tuple[Arrival, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    sources: tuple[Source, ...] = ()
    rail_capacity: tuple[RailCapacity, ...] = ()
    release: Mapping[str, int] = field(default_factory=dict)
    """Formations that neither move nor attack before a turn."""
    pocket: tuple[str, ...] = ()
    """Korps that are Gruppe Stemmermann from the start."""
    start: Start = NOTHING_BEFORE
    points: tuple[PointRule, ...] = ()
    levels: tuple[Level, ...] = ()

    def level(self, score: int) -> Level:
        """The result for German points less Soviet points."""
        return next((x for x in self.levels if score >= x.at_least), self.levels[-1])


def read_scenario(pack: Pack, name: str) -> Scenario:
    """The scenario of that file; BadPack names file and line of what is wrong with it."""
    charts = charts_of(pack)
    return _Reader(pack, name, charts, forces_of(pack, charts), ground_of(pack, charts)).read()


class _Reader:
    def __init__(self, pack: Pack, name: str, charts: Charts, forces: Forces, ground: Ground) -> None:
        self.pack, self.charts, self.forces, self.ground = pack, charts, forces, ground
        self.file = f"scenarios/{name}.toml"
        self.doc = pack.toml(self.file)
        self.seen: dict[int, str] = {}

    def fail(self, message: str, key: str = "", section: str = "", number: int = 0) -> BadPack:
        return fault(self.pack, self.file, message, key, section, number)

    def get(self, key: str, form: type[T]) -> T:
        if key not in self.doc:
            raise self.fail(f"{key} is missing", key)
        return self.convert(self.doc[key], form, key)

    def convert(self, value: Any, form: type[T], key: str, section: str = "", number: int = 0) -> T:
        try:
            return msgspec.convert(value, type=form)
        except msgspec.ValidationError as e:
            raise self.fail(f"{key or section}: {e}", key, section, number) from None

    def read(self) -> Scenario:
        aims = self.get("aims", dict[str, str])
        special = self.convert(self.doc.get("special", {}), Special, "", "special")
        found = Scenario(
            id=self.get("id", str),
            number=self.get("number", int),
            title=self.get("title", str),
            dates=self.get("dates", str),
            summary=self.get("summary", str),
            aims=(aims.get("german", ""), aims.get("soviet", "")),
            first_turn=self.get("first_turn", int),
            last_turn=self.get("last_turn", int),
            areas=self.get("areas", tuple[str, ...]),
            control=self.get("control", str),
            minefields=self.get("minefields", int),
            options=self.options(),
            setup=tuple(self.setup()),
            holding=tuple(self.unit(w, "units", "holding")[0] for w in self.words("holding", "units")),
            sdms=self.sdms(),
            alarm=tuple(self.hex(w, "hexes", "alarm") for w in self.words("alarm", "hexes")),
            improved=tuple(self.improved()),
            partisans=self.partisans(),
            arrivals=tuple(self.arrivals()),
            withdrawals=tuple(self.withdrawals()),
            sources=tuple(self.sources()),
            rail_capacity=tuple(self.rail_capacity()),
            release=special.release,
            pocket=special.pocket,
            start=self.convert(self.doc.get("start", {}), Start, "", "start"),
            points=tuple(self.points()),
            levels=tuple(self.levels()),
        )
        self.check(found)
        return found

    def check(self, s: Scenario) -> None:
        if not 1 <= s.first_turn <= s.last_turn <= len(self.charts.turns):
            raise self.fail(f"turns {s.first_turn} to {s.last_turn} are not on the track", "last_turn")
        for area in s.areas:
            if area not in SHEETS:
                raise self.fail(f"{area!r} is not one of {', '.join(SHEETS)}", "areas")
        if s.control not in CONTROLS:
            raise self.fail(f"control is {s.control!r}, not one of {', '.join(CONTROLS)}", "control")
        if not all(s.aims):
            raise self.fail("aims must say what each side wants", "", "aims")
        inside = 0
        for area in s.areas:
            inside |= self.ground.sheet[area]
        for p in s.setup:
            if not inside >> p.hex & 1:
                name = self.ground.grid.name(p.hex)
                side = SIDES[self.forces.side[p.unit]]
                raise self.fail(f"{name} is not on the sheets of this scenario", name, f"setup.{side}")

    # --- words -----------------------------------------------------------------------------------------------------

    def words(self, section: str, key: str) -> list[str]:
        text = self.doc.get(section, {}).get(key, "")
        return self.convert(text, str, key, section).split()

    def hex(self, name: str, key: str, section: str, number: int = 0) -> Hex:
        if name not in self.ground.grid or not self.ground.playable >> self.ground.grid.hex(name) & 1:
            raise self.fail(f"{name!r} is not a hex in play", key, section, number)
        return self.ground.grid.hex(name)

    def unit(self, word: str, key: str, section: str, number: int = 0) -> tuple[int, int]:
        """A unit and its steps, each unit once in the whole file."""
        name, colon, steps = word.partition(":")
        u = self.forces.find(name)
        if u == NO_UNIT:
            raise self.fail(f"there is no unit {name}", key, section, number)
        full = self.forces.full_steps[u]
        if colon and (not steps.isdigit() or not 1 <= int(steps) <= full):
            raise self.fail(f"{word}: {name} has 1 to {full} steps", key, section, number)
        if u in self.seen:
            raise self.fail(f"{name} stands also in {self.seen[u]}", key, section, number)
        self.seen[u] = f"{section} {key}"
        return u, int(steps) if colon else full

    def side(self, name: str, key: str, section: str, number: int = 0) -> Side:
        if name not in SIDES:
            raise self.fail(f"{name!r} is not a side of this game", key, section, number)
        return SIDES.index(name)

    # --- sections --------------------------------------------------------------------------------------------------

    def options(self) -> dict[str, str]:
        found = self.convert(self.doc.get("options", {}), dict[str, str], "", "options")
        known = self.charts.readings.optional
        for key, value in found.items():
            if key not in known or value not in ("on", "off"):
                raise self.fail(f"option {key} = {value!r} is unknown", key, "options")
        return {k: found.get(k, o.default) for k, o in known.items()}

    def setup(self) -> Iterator[Placed]:
        for name, lines in self.get("setup", dict[str, dict[str, str]]).items():
            section = f"setup.{name}"
            side = self.side(name, "", section)
            for number, text in lines.items():
                if number in ABOUT:
                    continue
                h = self.hex(number, number, section)
                for word in text.split():
                    u, steps = self.unit(word, number, section)
                    if self.forces.side[u] != side:
                        raise self.fail(f"{word} is not {name}", number, section)
                    yield Placed(u, steps, h)

    def sdms(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        found = []
        for name in SIDES:
            units = tuple(self.unit(w, name, "sdms")[0] for w in self.words("sdms", name))
            for u in units:
                if self.forces.role[u] != SDM or SIDES[self.forces.side[u]] != name:
                    raise self.fail(f"{self.forces.ids[u]} is not a {name} SDM", name, "sdms")
            found.append(units)
        return found[0], found[1]

    def improved(self) -> Iterator[Hex]:
        for word in self.words("improved_positions", "hexes"):
            h = self.hex(word, "hexes", "improved_positions")
            if not (self.ground.clear & ~self.ground.village) >> h & 1:
                raise self.fail(
                    f"{word} is not clear terrain without a village (15.1.1)", "hexes", "improved_positions"
                )
            yield h

    def partisans(self) -> dict[int, Hex]:
        found = {}
        for name, number in self.doc.get("partisans", {}).items():
            if name not in ABOUT:
                u, _ = self.unit(name, name, "partisans")
                if self.forces.role[u] != PARTISANS:
                    raise self.fail(f"{name} is no partisan unit", name, "partisans")
                found[u] = self.hex(number, name, "partisans")
        return found

    def entries(self, section: str, needed: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
        rows = self.convert(self.doc.get(section, []), list[dict[str, Any]], "", section)
        for i, e in enumerate(rows):
            for key in needed:
                if key not in e:
                    raise self.fail(f"{key} is missing", "", section, i)
            yield i, e

    def arrivals(self) -> Iterator[Arrival]:
        for i, e in self.entries("arrival", ("turn", "side", "hex", "units")):
            side = self.side(e["side"], "side", "arrival", i)
            units = [self.unit(w, "units", "arrival", i) for w in e["units"].split()]
            for u, _ in units:
                if self.forces.side[u] != side:
                    raise self.fail(f"{self.forces.ids[u]} is not {e['side']}", "units", "arrival", i)
            option = e.get("option", "")
            if option and option not in self.charts.readings.optional:
                raise self.fail(f"there is no option {option!r}", "option", "arrival", i)
            yield Arrival(
                turn=self.convert(e["turn"], int, "turn", "arrival", i),
                side=side,
                hex=self.hex(e["hex"], "hex", "arrival", i),
                units=tuple((u, n) for u, n in units if self.forces.role[u] != SDM),
                sdms=tuple(u for u, _ in units if self.forces.role[u] == SDM),
                rail=self.convert(e.get("rail", False), bool, "rail", "arrival", i),
                option=option,
                note=e.get("note", ""),
            )

    def withdrawals(self) -> Iterator[Withdrawal]:
        for i, e in self.entries("withdrawal", ("turn", "side", "units")):
            units = [self.forces.find(w) for w in e["units"].split()]
            if NO_UNIT in units:
                raise self.fail("one of the units is unknown", "units", "withdrawal", i)
            side = self.side(e["side"], "side", "withdrawal", i)
            yield Withdrawal(e["turn"], side, tuple(units), e.get("note", ""))

    def sources(self) -> Iterator[Source]:
        known = {*self.charts.game.formations.armees, *self.charts.game.formations.soviet_armies}
        known |= set(self.charts.game.formations.soviet_corps)
        for i, e in self.entries("source", ("hex", "side", "serves")):
            serves = tuple(e["serves"].split())
            if wrong := set(serves) - known:
                raise self.fail(f"there is no army {sorted(wrong)[0]}", "serves", "source", i)
            side = self.side(e["side"], "side", "source", i)
            h = self.hex(e["hex"], "hex", "source", i)
            yield Source(h, side, serves, e.get("kind") == "railroad", e.get("note", ""))

    def rail_capacity(self) -> Iterator[RailCapacity]:
        keys = ("source", "minus_one", "minus_two")
        for i, e in self.entries("rail_capacity", keys):
            source, one, two = (self.hex(e[k], k, "rail_capacity", i) for k in keys)
            yield RailCapacity(source, one, two)

    def points(self) -> Iterator[PointRule]:
        for i, e in enumerate(self.doc.get("victory", {}).get("points", [])):
            rule = self.convert(e, PointRule, "", "victory.points", i)
            self.side(rule.side, "side", "victory.points", i)
            if rule.kind not in POINT_KINDS:
                raise self.fail(
                    f"kind is {rule.kind!r}, not one of {', '.join(POINT_KINDS)}", "kind", "victory.points", i
                )
            for name in rule.places:
                self.hex(name, "hexes", "victory.points", i)
            yield rule

    def levels(self) -> Iterator[Level]:
        rows = self.doc.get("victory", {}).get("level", [])
        if not rows:
            raise self.fail("victory has no levels", "", "victory")
        for i, e in enumerate(rows):
            found = self.convert(e, Level, "", "victory.level", i)
            if found.winner:
                self.side(found.winner, "winner", "victory.level", i)
            if i and found.at_least >= rows[i - 1]["at_least"]:
                raise self.fail("the levels must fall", "at_least", "victory.level", i)
            yield found


def alarms_of(forces: Forces) -> tuple[int, ...]:
    """4.8.1 The alarm units a scenario draws from."""
    return tuple(u for u in range(len(forces)) if forces.role[u] == ALARM)
