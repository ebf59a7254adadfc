"""The scenarios (S1-S4): what a set-up card, a turn track and the special rules of a scenario say.

The files are described in docs/reconstruction-stalingrad42.md. A hand-written position has a scenario of its own with
the few things it names.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from kessel.core.board import Place
from kessel.core.errors import BadInput, BadPack
from kessel.core.forces import Side
from kessel.core.hexes import NO_HEX, Bits, hex_list
from kessel.core.hexset import bits, union
from kessel.core.pack import Pack
from kessel.core.terrain import AreaDoc, BoardDoc, BoxDoc, LinkDoc, Map
from kessel.games.stalingrad42.data.forces import SIDES


class Entrant(NamedTuple):
    """A unit of a set-up or a reinforcement: its id, steps left (0 = all), and whether it shows its back."""

    id: str
    steps: int = 0
    back: bool = False


class Arrival(NamedTuple):
    """Units that come into play on a turn, in one of some Entry Areas (22.1)."""

    turn: int
    side: Side
    areas: tuple[str, ...]
    units: tuple[Entrant, ...]
    rule: str
    rail_limit: int = 0
    """How many of them may use Rail Movement on that turn; 0 = no limit of their own (S1.2)."""


class Frozen(msgspec.Struct, frozen=True):
    """Units that may not move until one of some events (20.4, 20.6, 31.0)."""

    id: str
    rule: str
    units: tuple[str, ...]
    release: tuple[dict[str, Any], ...]


class Upgrade(msgspec.Struct, frozen=True, rename={"old": "from", "new": "to"}):
    """32.4, 32.5 One counter takes the place of another."""

    turn: int
    old: str
    new: str
    rule: str


class Bonus(msgspec.Struct, frozen=True, rename={"german_units": "german_combat_units"}):
    """S1.3 Victory Points for something else than captured hexes."""

    id: str
    vp: int
    rule: str
    mech_steps: int = 0
    areas: tuple[str, ...] = ()
    german_units: int = 0
    area: str = ""
    first_row: int = 0


class Gate(msgspec.Struct, frozen=True):
    """S4.4 A turn, and the VPs needed then."""

    turn: int = 0
    vp: int = 0


class Victory(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    axis_vp: int = 0
    tested: str = "last_turn"
    automatic: bool = msgspec.field(default=False, name="automatic_victory")
    """24.2 Automatic Victory by the benchmarks of the track."""
    start_vp: int = 0
    elbrus: str = "not_on_last_turn"
    isolated_count: bool = msgspec.field(default=False, name="soviet_isolated_hexes_count")
    """S1.3: VP hexes cut off from all Soviet sources count though not captured."""
    gate: Gate = Gate()
    stalingrad_needed: int = msgspec.field(default=0, name="stalingrad_hexes_needed")
    bonus: tuple[Bonus, ...] = ()

    @property
    def every_turn(self) -> bool:
        return self.tested == "every_turn"


@dataclass(frozen=True, eq=False)
class Scenario:
    id: str = "position"
    name: str = "a position"
    first_turn: int = 1
    last_turn: int = 36
    first_side: Side = 0
    first_phase: str = "initial"
    track: str = "turns"
    """The Turn Record Track: a table of the pack."""
    weather: str = "clear"
    seasonal_marsh: str = "clear"
    sides: Mapping[str, str] | None = None
    """Whose each Entry Area is, where a scenario says so for all of them; None: as the board says."""
    areas: Mapping[str, str] = field(default_factory=dict)
    """Entry Areas that belong to another side than the board says: id to side, "" for nobody."""
    exits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Entry Areas a side may leave the map by though they are not its own: id to sides."""
    supplying: Mapping[str, Bits] = field(default_factory=dict)
    """Entry Areas that supply only through some of their hexes."""
    railhead_moves: int = 0
    """Railheads that may move in a turn, 0 as the rules say (17.2.1, S2.2)."""
    rules: frozenset[str] = frozenset()
    """Special rules in force, by their number: S1.2b, 31.0, ..."""
    special: Mapping[str, Any] = field(default_factory=dict)
    forced: Mapping[str, str] = field(default_factory=dict)
    """Optional rules the scenario forces."""
    resource_points: tuple[tuple[int, int], ...] = ((2, 1), (2, 1))
    """By side: points a turn, and the first turn that has them."""
    victory: Victory = field(default_factory=Victory)
    setup: tuple[tuple[str, Entrant], ...] = ()
    eliminated: tuple[str, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    frozen: tuple[Frozen, ...] = ()
    upgrades: tuple[Upgrade, ...] = ()
    boxes: Mapping[str, tuple[Entrant, ...]] = field(default_factory=dict)
    """bluecher, volunteers, trans_caucasus"""
    air: tuple[str, ...] = ()
    air_arrivals: Mapping[str, int] = field(default_factory=dict)
    doc: Mapping[str, Any] = field(default_factory=dict)

    def box_side(self, m: Map, place: Place) -> Side | None:
        """22.2 Whose an Entry Area is; None for nobody's. One of some scenarios alone must be named to be there."""
        box = m.box(place)
        usual = "" if box.facts.get("scenarios") else box.side
        word = self.sides.get(box.id, "") if self.sides is not None else self.areas.get(box.id, usual)
        return SIDES.index(word) if word in SIDES else None

    def is_exit(self, m: Map, place: Place, side: Side) -> bool:
        """An Entry Area of nobody or the enemy through which a side's units may leave the map (S1.2, 24.1.2)."""
        return SIDES[side] in self.exits.get(m.box(place).id, ())

    def supply_hexes(self, m: Map, place: Place) -> Bits:
        """The hexes through which an Entry Area supplies: all its hexes, where the scenario names none (S2.2)."""
        return self.supplying.get(m.box(place).id, m.grid.all)

    def air_limit(self, turn: int) -> int | None:
        """S2.2 How many Air Units the Axis may have on a turn; None: as the weather says."""
        none = self.special.get("air_none_turns")
        if none and none[0] <= turn <= none[1]:
            return 0
        return len(self.air) if self.has("S2.2a") else None

    def entry_hexes(self, m: Map, place: Place, turn: int) -> Bits:
        """The hexes through which units enter the map from an Entry Area on a turn (S2.2)."""
        box = m.box(place)
        first = box.facts.get("first_turn_hexes")
        if first and turn == self.first_turn:
            return bits(map(m.grid.hex, hex_list(first)))
        return box.hexes

    def has(self, rule: str) -> bool:
        return rule in self.rules


# --- reading -------------------------------------------------------------------------------------------------------


def read_scenario(pack: Pack, name: str) -> Scenario:
    """The scenario of that file; BadPack where it cannot be used."""
    where = f"scenarios/{name}.toml"
    doc = pack.toml(where)
    try:
        return _scenario(doc)
    except (KeyError, TypeError, ValueError, BadInput, msgspec.ValidationError) as e:
        raise BadPack(f"the scenario cannot be read: {e!r}", pack.where(where)) from None


def entrant(text: str) -> Entrant:
    """
    >>> entrant("44Inf/2")
    Entrant(id='44Inf', steps=2, back=False)
    """
    name, _, state = text.partition("/")
    return Entrant(name, 0 if state in ("", "back") else int(state), state == "back")


_AS_WRITTEN = ("id", "first_turn", "last_turn", "first_phase", "track", "weather", "seasonal_marsh")


def _scenario(doc: dict[str, Any]) -> Scenario:
    special = doc.get("special", {})
    areas = doc["entry_areas"]
    sides = {box: side for side in SIDES for box in areas.get(side, [])}
    exits = dict.fromkeys(special.get("exit_areas", []), ("axis",))
    if "G" in sides:
        exits["G"] = ("axis",)  # 24.1.2
    points = doc["resource_points"]
    return Scenario(
        **{key: doc[key] for key in _AS_WRITTEN},
        name=doc["title"],
        first_side=SIDES.index(doc["first_side"]),
        sides=sides,
        exits=exits,
        railhead_moves=doc.get("railheads", {}).get("limit", 0),
        rules=frozenset(doc["rules"]),
        special=special,
        forced={k: v for k, v in doc.get("options", {}).items() if v == "on"},
        resource_points=tuple((points[side]["points"], points[side]["from_turn"]) for side in SIDES),
        victory=msgspec.convert(doc["victory"], Victory),
        setup=tuple(
            (place, entrant(text))
            for side in SIDES
            for place, texts in doc.get("setup", {}).get(side, {}).items()
            if isinstance(texts, list)
            for text in texts
        ),
        eliminated=tuple(x for side in SIDES for x in doc.get("eliminated", {}).get(side, [])),
        arrivals=tuple(_arrival(x) for x in doc.get("reinforcements", [])),
        frozen=msgspec.convert(doc.get("frozen", []), tuple[Frozen, ...]),
        upgrades=msgspec.convert(doc.get("upgrades", []), tuple[Upgrade, ...]),
        boxes={
            key: tuple(map(entrant, texts)) for key, texts in doc.get("boxes", {}).items() if isinstance(texts, list)
        },
        air=tuple(doc.get("air", {}).get("units", ())),
        air_arrivals=dict(doc.get("air", {}).get("arrivals", {})),
        doc=doc,
    )


def _arrival(x: dict[str, Any]) -> Arrival:
    return Arrival(
        x["turn"],
        SIDES.index(x["side"]),
        tuple(x["areas"]),
        tuple(map(entrant, x["units"])),
        x.get("rule", "22.1"),
        x.get("rail_limit", 0),
    )


# --- the sheets in play --------------------------------------------------------------------------------------------


def sheets(whole: Map, scenario: Scenario) -> Map:
    """The part of the map a scenario is played on, with the Entry Areas it uses."""
    names = tuple(scenario.doc.get("maps", ()))
    key = ("sheets", names, tuple(sorted(scenario.sides or ())))
    found: Map | None = whole.cache.get(key)
    if found is None:
        hexes = union(whole.area(f"sheet_{name.lower()}") for name in names)
        found = whole.cache[key] = Map(_cut(whole, hexes, scenario))
    return found


def _cut(whole: Map, hexes: Bits, scenario: Scenario) -> BoardDoc:
    doc, grid = whole.doc, whole.grid
    assert isinstance(doc.hexes, dict)

    def inside(name: str) -> bool:
        h = grid.find(name)
        return h != NO_HEX and bool(hexes >> h & 1)

    return msgspec.structs.replace(
        doc,
        hexes={name: cell for name, cell in doc.hexes.items() if inside(name)},
        hexsides={name: side for name, side in doc.hexsides.items() if all(map(inside, name.split("|")))},
        links=[part for link in doc.links for part in _cut_link(link, inside)],
        areas={key: _cut_area(area, inside) for key, area in doc.areas.items()},
        arrows=[a for a in doc.arrows if inside(a.from_) and inside(a.to)],
        boxes=[_cut_box(b, inside) for b in doc.boxes if scenario.sides is None or b.id in scenario.sides],
        labels=[x for x in doc.labels if not x.hex or inside(x.hex)],
    )


def _cut_link(link: LinkDoc, inside: Any) -> list[LinkDoc]:
    path = hex_list(link.path)
    if link.special:
        return [link] if all(map(inside, path)) else []
    runs = [list(run) for good, run in itertools.groupby(path, key=inside) if good]
    return [msgspec.structs.replace(link, path=" ".join(run)) for run in runs if len(run) > 1]


def _cut_area(area: AreaDoc | str, inside: Any) -> AreaDoc | str:
    text = area if isinstance(area, str) else area.hexes
    kept = " ".join(filter(inside, hex_list(text)))
    return kept if isinstance(area, str) else msgspec.structs.replace(area, hexes=kept)


def _cut_box(box: BoxDoc, inside: Any) -> BoxDoc:
    return msgspec.structs.replace(box, hexes=" ".join(filter(inside, hex_list(box.hexes))))
