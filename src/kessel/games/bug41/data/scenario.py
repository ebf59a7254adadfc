"""Scenarios: what a file of scenarios/ says, decoded and checked.

Every unit has its hex in `[setup]`; a formation listed under `[[formation]]` is on the map at the start, one under
`[[arrival]]` comes later with all its units.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from kessel.core.errors import BadPack
from kessel.core.hexes import NO_HEX
from kessel.core.pack import ABOUT_VALUES, Pack
from kessel.core.places import toml_line
from kessel.games.bug41.data.charts import Charts
from kessel.games.bug41.data.constants import read_section
from kessel.games.bug41.data.forces import SIDES, Forces
from kessel.games.bug41.data.terrain import Ground

NOBODY = "none"
WINNERS = (*SIDES, NOBODY)


class Aims(msgspec.Struct, frozen=True):
    german: str
    soviet: str


class Surprise(msgspec.Struct, frozen=True):
    rule: str
    activations: int


class Initiative(msgspec.Struct, frozen=True):
    """Where the marker stands at the start; space 0 is off the track."""

    space: int
    side: str


class Control(msgspec.Struct, frozen=True):
    """Whose hexes are whose at the start: an area is German, all else Soviet."""

    german: str


class Start(msgspec.Struct, frozen=True):
    """A formation on the map at the start, and its Activation Level."""

    id: str
    level: int


class Arrival(msgspec.Struct, frozen=True):
    turn: int
    formation: str
    level: int
    entry: str


class VictoryHex(msgspec.Struct, frozen=True):
    hex: str
    name: str
    vp: int


class Level(msgspec.Struct, frozen=True):
    """The result from that many German Victory Points on."""

    at_least: int
    level: str
    winner: str


class Hold(msgspec.Struct, frozen=True):
    """The result if these hexes are held; the first line that is true counts."""

    level: str
    winner: str
    german: tuple[str, ...] = ()
    soviet: tuple[str, ...] = ()


class Victory(msgspec.Struct, frozen=True):
    """By points (`level`) or by places (`hold`)."""

    rule: str
    losses: bool
    """Whether Soviet losses are worth points."""
    hexes: tuple[VictoryHex, ...] = msgspec.field(default=(), name="hex")
    levels: tuple[Level, ...] = msgspec.field(default=(), name="level")
    holds: tuple[Hold, ...] = msgspec.field(default=(), name="hold")


class Scenario(msgspec.Struct, frozen=True):
    id: str
    number: int
    title: str
    rule: str
    first_turn: int
    last_turn: int
    first_recovery: int
    """The first turn with a Recovery segment."""
    dates: str
    summary: str
    length: str
    """How long it takes, in words."""
    setup_order: tuple[str, ...]
    aims: Aims
    surprise: Surprise
    initiative: Initiative
    control: Control
    formations: tuple[Start, ...] = msgspec.field(name="formation")
    victory: Victory
    setup: dict[str, str]
    """Unit to hex."""
    arrivals: tuple[Arrival, ...] = msgspec.field(default=(), name="arrival")
    commands: dict[str, str] = {}
    """Units under another formation than their counter says."""
    options: dict[str, str] = {}
    """Readings this scenario plays otherwise than pack.toml."""

    @property
    def turns(self) -> int:
        return self.last_turn - self.first_turn + 1

    def in_play(self) -> tuple[str, ...]:
        """Every formation that is on the map or comes."""
        return (*(f.id for f in self.formations), *(a.formation for a in self.arrivals))

    def units(self, forces: Forces) -> set[str]:
        """All units of the game: those set up, and those of the formations that come."""
        coming = {a.formation for a in self.arrivals}
        return set(self.setup) | {c.id for c in forces.counters if c.formation in coming}


def read_scenario(pack: Pack, name: str) -> Scenario:
    """The scenario of that file; BadPack names file and line of what is missing or wrong."""
    file = f"scenarios/{name}.toml"
    doc = pack.toml(file)
    for key in ("setup", "commands", "options"):
        doc[key] = _values(doc.get(key, {}))
    found = read_section(pack, doc, [], Scenario, file)
    if found.id != name:
        raise BadPack(f"the scenario {found.id!r} stands in a file of another name", pack.where(file, 1))
    return found


def _values(section: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in section.items() if k not in ABOUT_VALUES}


def faults_of(scenario: Scenario, pack: Pack, charts: Charts, forces: Forces, ground: Ground) -> list[str]:
    """All that play could not use, by file and line."""
    file = f"scenarios/{scenario.id}.toml"
    text = pack.text(file)
    found = [*_bad_words(scenario, charts, ground), *_bad_setup(scenario, forces, ground)]
    if not any(path for path, _ in found):
        found += _bad_stacks(scenario, forces, ground)
    return [f"{pack.where(file, toml_line(text, path))}: {what}" for path, what in found]


Fault = tuple[list[str], str]


def _bad_words(s: Scenario, charts: Charts, ground: Ground) -> Iterator[Fault]:
    if s.first_turn not in charts.turns or s.last_turn not in charts.turns or s.turns < 1:
        yield ["last_turn"], f"turns {s.first_turn} to {s.last_turn} are not on the track"
    if s.control.german not in ground.map.areas:
        yield ["control", "german"], f"the board has no area {s.control.german!r}"
    for f in s.in_play():
        if f not in charts.formations:
            yield ["formation"], f"there is no formation {f!r}"
    if len(set(s.in_play())) != len(s.in_play()):
        yield ["formation"], "a formation stands here twice"
    hexes = [a.entry for a in s.arrivals] + [v.hex for v in s.victory.hexes]
    hexes += [h for hold in s.victory.holds for h in (*hold.german, *hold.soviet)]
    for h in hexes:
        if ground.grid.find(h) == NO_HEX:
            yield ["victory"], f"there is no hex {h} on this board"
    for word in (*(v.winner for v in s.victory.levels), *(v.winner for v in s.victory.holds)):
        if word not in WINNERS:
            yield ["victory"], f"{word!r} is not one of {', '.join(WINNERS)}"
    if bool(s.victory.levels) == bool(s.victory.holds):
        yield ["victory"], "victory is either by levels of points or by places held"
    for key, value in s.options.items():
        switch = charts.readings.switches.get(key)
        if switch is None or value not in switch.values:
            yield ["options", key], f"pack.toml has no switch {key} with the choice {value!r}"


def _bad_setup(s: Scenario, forces: Forces, ground: Ground) -> Iterator[Fault]:
    starting = {f.id for f in s.formations}
    known = {c.id: c for c in forces.counters}
    for unit, h in s.setup.items():
        if unit not in known:
            yield ["setup", unit], f"there is no unit {unit}"
        elif ground.grid.find(h) == NO_HEX:
            yield ["setup", unit], f"there is no hex {h} on this board"
        elif s.commands.get(unit, known[unit].formation) not in starting:
            yield ["setup", unit], f"{unit} belongs to no formation that starts on the map"
    for c in forces.counters:
        if c.formation in starting and c.id not in s.setup:
            yield ["setup"], f"{c.id} of {c.formation} has no hex"
    for unit, formation in s.commands.items():
        if unit not in known or formation not in s.in_play():
            yield ["commands", unit], f"{unit} cannot be under {formation}"
    for start in (*s.formations, *(Start(a.formation, a.level) for a in s.arrivals)):
        hq = next((c for c in forces.counters if c.formation == start.id and c.reaction), None)
        if hq is not None and not 0 <= start.level <= hq.reaction:
            yield ["formation"], f"{start.id} has level {start.level}, its HQ is of class {hq.reaction}"


def _bad_stacks(s: Scenario, forces: Forces, ground: Ground) -> Iterator[Fault]:
    limits = ground.charts.constants.stacking
    stacks: dict[str, list[str]] = defaultdict(list)
    for unit, h in s.setup.items():
        stacks[h].append(unit)
    for h, names in stacks.items():
        units = [forces.unit(n) for n in names]
        combat = [u for u in units if not forces.hq[u]]
        if len({forces.side[u] for u in units}) > 1:
            yield ["setup", names[0]], f"both sides stand in {h}"
        if len(combat) > limits.units or sum(forces.stacks_as_infantry[u] for u in combat) > limits.infantry:
            yield ["setup", names[0]], f"{h} holds more than the stacking limits allow: {' '.join(names)}"
        if len(units) - len(combat) > ground.hq_room(ground.grid.hex(h)):
            yield ["setup", names[0]], f"there is no room in {h} for the HQs that stand there: {' '.join(names)}"
