"""17.0 Scenarios: what a scenario file says, decoded and checked.

The file gives areas and lists; which hex a unit takes in the end is either the player's choice (`free_setup`) or the
file's own `[automatic]` table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kessel.core.errors import BadInput, BadPack
from kessel.core.forces import NO_UNIT
from kessel.core.hexes import hex_list
from kessel.core.pack import Pack, Row
from kessel.games.don42.data.charts import WEATHERS, turn_name, turn_number
from kessel.games.don42.data.forces import SIDES, Forces
from kessel.wargame.rows import record, records, side_of, tables, words_of

_PLACES = ("in", "near", "area", "each", "with", "beside", "bank")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a set-up: which units, and where they may stand."""

    rule: str
    side: int
    units: tuple[str, ...] = ()
    formation: str = ""
    any: int = 0
    """Of the formation (or of the units listed) the owner picks this many; 0: all of them."""
    type: str = ""
    """Only units of this type may be picked."""
    kind: str = "in"
    """in, near, area, each, with, beside, bank"""
    hexes: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    """The hexes as printed, where we read them otherwise."""
    word: str = ""
    """The area, formation or bank meant."""
    within: int = 0


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """15.0 Units that enter in a turn's Movement Phase, and where."""

    rule: str
    side: int
    turn: int
    units: tuple[str, ...] = ()
    formation: str = ""
    any: int = 0
    rest: bool = False
    returning: bool = False
    """Units that left the map earlier come back (17.1.5)."""
    hexes: tuple[str, ...] = ()
    company: str = ""
    """It enters where a unit of this formation has entered (17.2.7)."""


@dataclass(frozen=True, slots=True)
class Exit:
    """Units that must leave the map from a turn on."""

    rule: str
    side: int
    turn: int
    formation: str
    edges: tuple[str, ...]
    activates: bool = False


@dataclass(frozen=True, slots=True)
class Pontoon:
    """A pontoon bridge that stands at the start."""

    rule: str
    hexside: str
    free: bool = False
    """The German player may choose another hexside."""


@dataclass(frozen=True, slots=True)
class Activation:
    """17.2.2 Who may try to activate in a span of turns."""

    rule: str
    first: int
    last: int
    armies: tuple[str, ...] = ()
    tank_corps: tuple[str, ...] = ()
    automatic: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    number: int
    title: str
    rule: str
    summary: str
    first_turn: int
    last_turn: int
    setup_order: tuple[int, ...] = ()
    weather_before: str = "clear"
    options: Mapping[str, str] = field(default_factory=dict)
    superiority: Mapping[int, int] = field(default_factory=dict)
    """Turn to side (7.1.1)."""
    weather: Mapping[int, str] = field(default_factory=dict)
    setup: tuple[Entry, ...] = ()
    reinforcements: tuple[Reinforcement, ...] = ()
    exits: tuple[Exit, ...] = ()
    activation: tuple[Activation, ...] = ()
    pontoons: tuple[Pontoon, ...] = ()
    automatic: Mapping[str, str] = field(default_factory=dict)
    """Unit to hex."""
    control: tuple[str, ...] | None = None
    """Victory Point hexes that are German at the start (16.0); None: those nearer to German units."""
    special: Mapping[str, Any] = field(default_factory=dict)
    prepared: Mapping[str, int] = field(default_factory=dict)
    """17.3.4: how many units of a division may begin in Prepared Positions."""
    prepared_at: tuple[str, ...] = ()
    full_supply: frozenset[int] = frozenset()
    """Turns on which everybody is in supply (17.2.3, 17.3.3)."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """Units under another command than their counter says."""
    victory: Mapping[str, Any] = field(default_factory=dict)

    @property
    def turns(self) -> int:
        return self.last_turn - self.first_turn + 1

    def says(self, key: str) -> Any:
        return self.special.get(key)

    def span(self) -> str:
        return f"{turn_name(self.first_turn)} to {turn_name(self.last_turn)}"

    def activation_now(self, turn: int) -> Activation | None:
        return next((a for a in self.activation if a.first <= turn <= a.last), None)


class ScheduledLine(NamedTuple):
    """A line of the reinforcement list with its units looked up."""

    number: int
    line: Reinforcement
    units: tuple[int, ...]
    limit: int
    """How many units it brings: those picked, the rest of a formation, or all."""
    hexes: tuple[str, ...]
    """Where they enter; in scenario 4 the Germans choose among all their western hexes."""


class Schedule:
    """15.0 The reinforcement list of a scenario, by unit."""

    def __init__(self, scenario: Scenario, forces: Forces) -> None:
        self.lines: list[ScheduledLine] = []
        for i, r in enumerate(scenario.reinforcements):
            units = forces.of(r.formation) if r.formation else [u for n in r.units if (u := forces.find(n)) != NO_UNIT]
            limit = r.any or len(units)
            if r.rest:
                names = {forces.ids[u] for u in units}
                limit -= sum(o.any for o in scenario.reinforcements if o.any and names & set(o.units))
            self.lines.append(ScheduledLine(i, r, tuple(units), limit, r.hexes))
            west = str(scenario.says("german_entry") or "").split()
            if r.side == 0 and west and set(r.hexes) <= set(west):
                self.lines[-1] = self.lines[-1]._replace(hexes=tuple(west))
        self.of_unit: dict[int, tuple[ScheduledLine, ...]] = {}
        for x in self.lines:
            for u in x.units:
                self.of_unit[u] = (*self.of_unit.get(u, ()), x)
        self.of_side = tuple(
            sorted((x for x in self.lines if x.line.side == s), key=lambda x: x.line.turn) for s in (0, 1)
        )
        """Earliest turn first."""
        self._scenario, self._forces = scenario, forces
        self._leaving: dict[int, dict[int, list[Exit]]] = {}

    def leaving(self, turn: int) -> dict[int, list[Exit]]:
        """The units under orders to leave the map on a turn (17.1.5, 17.2.2), with those orders."""
        if turn not in self._leaving:
            found: dict[int, list[Exit]] = {}
            for e in self._scenario.exits:
                if e.turn <= turn < self._return_turn(e.formation):
                    for u in self._forces.of(e.formation):
                        if self._forces.side[u] == e.side:
                            found.setdefault(u, []).append(e)
            self._leaving[turn] = dict(sorted(found.items()))
        return self._leaving[turn]

    def _return_turn(self, formation: str) -> int:
        back = [x.line.turn for x in self.lines if x.line.returning and x.line.formation == formation]
        return min(back, default=999)


def read_scenario(pack: Pack, name: str, *, long: bool = False) -> Scenario:
    """The scenario of that file; BadPack names what is wrong with it."""
    file = f"scenarios/{name}.toml"
    try:
        return _decode(pack, file, long=long)
    except BadPack:
        raise
    except KeyError as e:
        raise BadPack(f"{e} is missing", pack.where(file)) from None
    except (BadInput, ValueError) as e:
        raise BadPack(str(e), pack.where(file)) from None


def _decode(pack: Pack, file: str, *, long: bool) -> Scenario:
    doc = pack.toml(file)
    files = [*([f"scenarios/{doc['base']}.toml"] if "base" in doc else []), file]
    base = pack.toml(files[0]) if "base" in doc else {}
    last = doc["long"]["last_turn"] if long and "long" in doc else doc["last_turn"]
    prepared = {key: n for key, n in doc.get("prepared", {}).items() if key not in ("rule", "automatic")}
    enter = (row for f in files for row in tables(pack, f, "reinforcement") if long or not row.get("long"))
    leave = (row for f in files for row in tables(pack, f, "exit"))
    automatic = {**base.get("automatic", {}), **doc.get("automatic", {})}
    return Scenario(
        id=doc["id"],
        number=doc["number"],
        title=doc["title"],
        rule=doc["rule"],
        summary=doc["summary"],
        first_turn=turn_number(doc["first_turn"]),
        last_turn=turn_number(last),
        setup_order=tuple(SIDES.index(s) for s in doc["setup_order"]),
        weather_before=_one_of(WEATHERS, doc["weather_before"]),
        options=dict(doc.get("options", {})),
        superiority=_by_turn(doc.get("air_superiority", {}), SIDES.index),
        weather=_by_turn(doc.get("weather", {}), lambda w: _one_of(WEATHERS, w)),
        setup=tuple(_entry(row, base) for row in tables(pack, file, "setup")),
        reinforcements=records(
            enter,
            Reinforcement,
            side=side_of(SIDES),
            turn=_turn("turn"),
            units=words_of("units"),
            hexes=lambda row: hex_list(row["in"]),
            company=lambda row: row.get("with", ""),
        ),
        exits=records(leave, Exit, side=side_of(SIDES), turn=_turn("turn")),
        activation=records(tables(pack, file, "activation"), Activation, first=_turn("from"), last=_turn("to")),
        pontoons=records(tables(pack, file, "pontoon"), Pontoon),
        automatic={unit: h for unit, h in automatic.items() if unit not in ("provenance", "note")},
        control=tuple(doc["control"]["german"].split()) if "control" in doc else None,
        special=doc.get("special", {}),
        prepared=prepared,
        prepared_at=tuple(doc.get("prepared", {}).get("automatic", "").split()),
        full_supply=frozenset(turn_number(t) for t in doc.get("special", {}).get("full_supply", ())),
        commands=dict(doc.get("commands", {})),
        victory=doc.get("victory", {}),
    )


def _one_of(words: tuple[str, ...], word: str) -> str:
    if word not in words:
        raise BadInput(f"{word!r} is not one of {', '.join(words)}")
    return word


def _turn(key: str) -> Callable[[Row], int]:
    return lambda row: turn_number(row[key])


def _by_turn(doc: dict[str, Any], read: Any) -> dict[int, Any]:
    return {turn_number(k): read(v) for k, v in doc.items() if k not in ("rule", "provenance", "note")}


def _entry(row: Row, base: dict[str, Any]) -> Entry:
    kind = next((k for k in _PLACES if k in row), None)
    if kind is None:
        raise BadPack(f"the set-up line of {row['rule']} says no place", row.where)
    units = row.words("units")
    if row.get("base_units"):
        units = [u for b in base["setup"] if b["side"] == row["side"] for u in b["units"].split()]
    is_hexes = kind in ("in", "near", "each")
    return record(
        row,
        Entry,
        side=side_of(SIDES),
        units=lambda row: units,
        kind=lambda row: kind,
        hexes=lambda row: hex_list(row[kind]) if is_hexes else (),
        printed=lambda row: hex_list(row.get("printed", "")),
        word=lambda row: "" if is_hexes else row[kind],
    )
