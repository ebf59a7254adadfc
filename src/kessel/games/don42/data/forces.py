"""2.3-2.4 Units: the order of battle as columns, read from counters.csv or from a hand-written position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kessel.core.errors import BadInput
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits
from kessel.core.pack import Pack
from kessel.games.don42.data.charts import QUALITIES, Charts
from kessel.wargame import forces as wargame
from kessel.wargame.rows import flag, records, side_of

SIDES = ("german", "soviet")
GERMAN: Side = 0
SOVIET: Side = 1

SIZES = ("company", "battalion", "regiment", "brigade", "division", "corps", "army", "air")
COMPANY, BATTALION, REGIMENT, BRIGADE, DIVISION, CORPS, ARMY, AIR = range(len(SIZES))

A, B, C = range(3)
NO_COMMAND = 255


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter as printed."""

    id: str
    side: Side
    type: str
    size: str
    faces: tuple[tuple[int, int, int], ...] = ()
    """Attack, defence, movement of the full side, then of the reduced one."""
    quality: str = "C"
    motorized: bool = False
    name: str = ""
    division: str = ""
    corps: str = ""
    army: str = ""
    bombard: int = 0
    sp: int = 0


def parse_faces(text: str) -> tuple[tuple[int, int, int], ...]:
    """
    >>> parse_faces("5-6-6 3-4-6")
    ((5, 6, 6), (3, 4, 6))
    """
    found = []
    for word in text.split():
        parts = word.split("-")
        if len(parts) != 3 or not all(p.isdigit() for p in parts):
            raise BadInput(f"{word!r} is not a value like 5-6-6")
        found.append((int(parts[0]), int(parts[1]), int(parts[2])))
    return tuple(found)


class Standing:
    """Where some units stand."""

    __slots__ = ("_found", "_units", "hexes", "places")

    def __init__(self, units: Sequence[Unit], places: list[int], bit: Sequence[Bits]) -> None:
        self._units, self.places = units, places
        self.hexes: Bits = 0
        for h in places:
            self.hexes |= bit[h]
        self._found: dict[Bits, list[Unit]] = {}

    def units_in(self, s: Bits) -> list[Unit]:
        """Those of the units that stand in hexes of the set."""
        found = self._found.get(s)
        if found is None:
            on_map = ((u, h) for u, h in zip(self._units, self.places, strict=True) if h >= 0)
            found = self._found[s] = [u for u, h in on_map if s >> h & 1]
        return found


class Team:
    """4.0 Units that share their lines of supply."""

    __slots__ = ("_last", "key", "members", "units")

    def __init__(self, key: Any, units: list[Unit]) -> None:
        self.key = key
        """What they share; None for units that share nothing."""
        self.units = units
        self.members = frozenset(units)
        self._last = Standing((), [], ())

    def standing(self, place: Sequence[int], bit: Sequence[Bits]) -> Standing:
        """Where they stand. The last answer is kept: mostly they have not moved since."""
        places, last = [place[u] for u in self.units], self._last
        if places != last.places:
            last = self._last = Standing(self.units, places, bit)
        return last


class Forces(wargame.Forces[Counter]):
    """Columns by unit. `value[u]` holds (attack, defence, movement) by steps left; entry 0 is an eliminated unit."""

    def __init__(self, counters: Sequence[Counter], charts: Charts) -> None:
        super().__init__(
            counters,
            steps=lambda c: max(1, len(c.faces)),
            formations=lambda c: (c.division, c.corps, c.army),
            called=lambda counters: {
                c.division or c.corps or c.army: c.name[3:] for c in counters if c.name.startswith("HQ ")
            },
        )
        self._members: dict[str, list[Unit]] = {}
        for u, names in enumerate(self.formations):
            for name in names:
                self._members.setdefault(name, []).append(u)
        rows = [charts.types[c.type] for c in counters]
        self.type = tuple(c.type for c in counters)
        self.group = tuple(r.group for r in rows)
        self.size = bytes(SIZES.index(c.size) for c in counters)
        self.quality = bytes(QUALITIES.index(c.quality) for c in counters)
        self.motorized = bytes(c.motorized for c in counters)
        self.hq = bytes(g == "hq" for g in self.group)
        self.artillery = bytes(g == "artillery" for g in self.group)
        self.mortar = bytes(g == "mortar" for g in self.group)
        self.gun = bytes(g in ("artillery", "mortar") for g in self.group)
        self.air = bytes(g == "air" for g in self.group)
        self.armor = bytes(r.armor for r in rows)
        self.tank = bytes(r.tank for r in rows)
        self.anti_tank = bytes(r.anti_tank for r in rows)
        self.oos_half = bytes(r.oos_half or c.motorized for r, c in zip(rows, counters, strict=True))
        self.advance = tuple(
            r.advance if r.group == "artillery" or not c.motorized else "retreat"
            for r, c in zip(rows, counters, strict=True)
        )
        self.value = tuple(((0, 0, 0), *reversed(c.faces)) for c in counters)
        self.division = tuple(c.division for c in counters)
        self.corps = tuple(c.corps for c in counters)
        self.army = tuple(c.army for c in counters)
        self.bombard = bytes(c.bombard or (c.faces[0][0] if c.faces else 0) for c in counters)
        self.sp = bytes(c.sp for c in counters)
        self.air_units = self.by_side(lambda u: self.air[u])
        self.ground = self.by_side(lambda u: not self.air[u])
        self.hqs = self.by_side(lambda u: self.hq[u])
        self.guns = self.by_side(lambda u: self.gun[u])
        self.commands = (*charts.german_corps, *charts.armies, *charts.tank_corps)
        """Formations with an HQ that commands: German Corps, Soviet Armies and Tank Corps."""
        self.command = bytes(self._command(u) for u in range(len(counters)))
        """The formation each unit starts under, as an index into `commands`."""
        self.division_hq = tuple(self._division_hq(u) for u in range(len(counters)))
        self.command_hq = tuple(self._command_hq(name) for name in self.commands)
        self.kovachenko = self._command_hq("Kvch")
        self.under_kovachenko = bytes(
            any(f in charts.kovachenko for f in self.formations[u]) for u in range(len(counters))
        )

        self.each = (1 << 16 * len(counters)) // 0xFFFF
        """A one for each unit, 16 bits apart: times a status flag it is a column of that flag."""
        self.teams: dict[tuple[Side, bytes], list[Team]] = {}
        """Units that share their lines of supply (supply.py), by side and commands."""

    def of(self, formation: str) -> list[Unit]:
        """All units of that formation, at whatever level."""
        return self._members.get(formation, [])

    def _command(self, u: Unit) -> int:
        for name in (self.army[u], self.corps[u]):
            if name in self.commands:
                return self.commands.index(name)
        return NO_COMMAND

    def _division_hq(self, u: Unit) -> Unit:
        if self.side[u] != GERMAN or not self.division[u]:
            return NO_UNIT
        for v in range(len(self.ids)):
            if self.hq[v] and self.division[v] == self.division[u]:
                return v
        return NO_UNIT

    def _command_hq(self, name: str) -> Unit:
        """The HQ of a Corps, Army or Tank Corps: its counter, or a hand-written HQ of that formation."""
        printed = self.find(f"HQ{name}")
        if printed != NO_UNIT:
            return printed
        for u in self._members.get(name, ()):
            if self.is_command_hq(u) and (self.corps[u] or self.army[u]) == name:
                return u
        return NO_UNIT

    def subunit(self, u: Unit) -> str:
        """17.2.2: the division, or the unit itself where it belongs to none."""
        return self.division[u] or self.ids[u]

    def is_command_hq(self, u: Unit) -> bool:
        """An Army, Corps or Kovachenko HQ (not a division's)."""
        return bool(self.hq[u]) and not self.division[u]


def read_counters(pack: Pack) -> tuple[Counter, ...]:
    return records(
        pack.rows("counters.csv"),
        Counter,
        side=side_of(SIDES),
        faces=lambda row: parse_faces(row["faces"]),
        motorized=flag("motorized"),
    )
