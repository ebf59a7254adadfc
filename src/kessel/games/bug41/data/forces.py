"""Units: the order of battle as columns, read from counters.csv or from a hand-written position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kessel.core.errors import BadInput, BadPack
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.pack import Pack, Row
from kessel.games.bug41.data.charts import Charts
from kessel.wargame import forces as wargame

SIDES = ("german", "soviet")
GERMAN: Side = 0
SOVIET: Side = 1

SIZES = ("company", "battalion", "brigade", "division")
LEG, MOTORIZED = range(2)
CLASSES = ("leg", "motorized")


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter as printed. An HQ has the last four numbers, every other unit the five before them."""

    id: str
    side: Side
    formation: str
    type: str
    size: str
    motorized: bool
    name: str = ""
    effectiveness: int = 0
    ma: int = 0
    strength: int = 0
    """Combat Strength, which is also the number of strength points."""
    at: int = 0
    tank: int = 0
    reaction: int = 0
    """Reaction Rating, which is also the class of the HQ (RX-3.EF)."""
    relocation: int = 0
    range: int = 0
    support: int = 0


class Forces(wargame.Forces[Counter]):
    """Columns by unit. The full steps of a unit are its strength; those of an HQ are 0, it has none to lose."""

    def __init__(self, counters: Sequence[Counter], charts: Charts) -> None:
        super().__init__(
            counters,
            steps=lambda c: c.strength,
            formations=lambda c: (c.formation,),
            called=lambda counters: {c.formation: c.name[3:] for c in counters if c.name.startswith("HQ ")},
        )
        rows = [charts.types[c.type] for c in counters]
        self.type = tuple(c.type for c in counters)
        self.size = bytes(SIZES.index(c.size) for c in counters)
        self.motorized = bytes(c.motorized for c in counters)
        self.effectiveness = bytes(c.effectiveness for c in counters)
        self.ma = bytes(c.ma for c in counters)
        """Movement allowance in whole points."""
        self.strength = self.full_steps
        self.at = bytes(c.at for c in counters)
        self.tank = bytes(c.tank for c in counters)
        self.hq = bytes(r.zone == "none" for r in rows)
        self.afv = bytes(r.points == "tank" for r in rows)
        self.anti_tank = bytes(c.type == "anti_tank" for c in counters)
        self.infantry = bytes(r.infantry for r in rows)
        self.stacks_as_infantry = bytes(r.stacks_as_infantry for r in rows)
        self.engineer = bytes(r.engineer for r in rows)
        self.afv_zone = bytes(r.zone == "afv" for r in rows)
        self.reaction = bytes(c.reaction for c in counters)
        self.relocation = bytes(c.relocation for c in counters)
        self.range = bytes(c.range for c in counters)
        self.support = bytes(c.support for c in counters)
        self._hqs = tuple(tuple(u for u in self.of_side(s) if self.hq[u]) for s in range(len(SIDES)))
        self._combat_units = tuple(tuple(u for u in self.of_side(s) if not self.hq[u]) for s in range(len(SIDES)))
        self.commands = tuple(f for f in charts.formations if any(c.formation == f for c in counters))
        """Formations that are in play, in the order of pack.toml."""
        self.command = bytes(self.commands.index(c.formation) for c in counters)
        """The formation each unit is printed for, as an index into `commands`."""
        self.hq_of = tuple(self._hq_of(f) for f in self.commands)
        self.side_of_command = bytes(SIDES.index(charts.formations[f].side) for f in self.commands)
        sides = range(len(SIDES))
        self.commands_of = tuple(tuple(f for f, s in enumerate(self.side_of_command) if s == side) for side in sides)
        """Those of each side."""

    def _hq_of(self, formation: str) -> Unit:
        found = [u for u, c in enumerate(self.counters) if c.formation == formation and self.hq[u]]
        return found[0] if found else NO_UNIT

    def combat_units(self, side: Side) -> tuple[Unit, ...]:
        return self._combat_units[side]

    def hqs(self, side: Side) -> tuple[Unit, ...]:
        return self._hqs[side]


def counter_of(row: Row, charts: Charts) -> Counter:
    """A line of counters.csv; BadPack names its line if a word or number is wrong."""
    for column, words in (("side", SIDES), ("class", CLASSES), ("size", SIZES), ("type", tuple(charts.types))):
        if row.get(column) not in words:
            raise BadPack(f"{column} is {row.get(column)!r}, not one of {', '.join(words)}", row.where)
    formation = charts.formations.get(row["formation"])
    if formation is None or formation.side != row["side"]:
        raise BadPack(f"{row['formation']!r} is not a {row['side']} formation of this game", row.where)
    kind = charts.types[row["type"]]
    needed = {"at": ("at",), "tank": ("tank",), "none": ("reaction", "relocation", "range", "support")}[kind.points]
    if kind.points != "none":
        needed = ("effectiveness", "ma", "strength", *needed)
    numbers = {key: row.number(key) for key in needed}
    if any(n < 0 or n > 99 for n in numbers.values()):
        raise BadPack(f"a number of {row['id']} is below 0 or above 99", row.where)
    return Counter(
        row["id"],
        SIDES.index(row["side"]),
        row["formation"],
        row["type"],
        row["size"],
        row["class"] == "motorized",
        row["name"],
        **numbers,
    )


def read_counters(pack: Pack, charts: Charts, only: Iterable[str] | None = None) -> list[Counter]:
    """All counters in the order of the file, or only those named."""
    rows = pack.rows("counters.csv")
    if only is not None:
        wanted = set(only)
        unknown = wanted - {r["id"] for r in rows}
        if unknown:
            raise BadInput(f"there is no unit {min(unknown)}")
        rows = [r for r in rows if r["id"] in wanted]
    return [counter_of(r, charts) for r in rows]
