"""2.21 Units: the order of battle, and the order in which selector numbers put units.

A unit has one to three steps and one face per step; strength, movement allowance, selector number and type may all
change with the face. Columns are indexed `[unit][steps]`, so that `g.forces.strength[u][g.steps[u]]` is what the
counter shows now; index 0 belongs to no face.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from kessel.core.errors import BadInput, BadPack
from kessel.core.forces import Side, Unit
from kessel.core.pack import Pack
from kessel.wargame import forces as wargame
from kessel.wargame.rows import records, side_of

T = TypeVar("T")

GERMAN: Side = 0
SOVIET: Side = 1
SIDES = ("german", "soviet")

TYPES = ("infantry", "cavalry", "armor", "mechanized", "armored_cavalry")
MECHANIZED_TYPES = ("armor", "mechanized", "armored_cavalry")
"""2.21 Unit Types: mechanized units; all others are non-mechanized ("foot")."""
ARMOR_TYPES = ("armor", "armored_cavalry")
"""Armored cavalry is considered armor in combat."""

VORONEZH, SOUTHWEST = "Voronezh", "Southwest"
FRONTS = (VORONEZH, SOUTHWEST)
PANZER_1, PANZER_4 = "1Pz", "4Pz"
KEMPF = "Kempf"


class Formation(NamedTuple):
    """2.21 A German corps or a Soviet army."""

    id: str
    side: Side
    higher: str
    """The German army (for command) or the Soviet front."""
    area: str
    """The German deployment area; Corps Raus has its own."""
    number: int
    """2.21: of units with equal selectors the one of the lower-numbered formation goes first."""
    name: str


FORMATIONS: dict[str, Formation] = {
    f.id: f
    for f in (
        Formation("Raus", GERMAN, PANZER_4, KEMPF, 0, "Corps Raus"),
        Formation("IISS", GERMAN, PANZER_4, PANZER_4, 2, "II SS Panzer Corps"),
        Formation("III", GERMAN, PANZER_1, PANZER_1, 3, "III Panzer Corps"),
        Formation("XL", GERMAN, PANZER_1, PANZER_1, 40, "XL Panzer Corps"),
        Formation("XLVIII", GERMAN, PANZER_4, PANZER_4, 48, "XLVIII Panzer Corps"),
        Formation("LVII", GERMAN, PANZER_4, PANZER_4, 57, "LVII Panzer Corps"),
        Formation("Popov", SOVIET, SOUTHWEST, "", 0, "Group Popov"),
        Formation("1G", SOVIET, SOUTHWEST, "", 1, "1st Guards Army"),
        Formation("3T", SOVIET, VORONEZH, "", 3, "3rd Tank Army"),
        Formation("6", SOVIET, SOUTHWEST, "", 6, "6th Army"),
        Formation("40", SOVIET, VORONEZH, "", 40, "40th Army"),
        Formation("69", SOVIET, VORONEZH, "", 69, "69th Army"),
    )
}
CORPS = tuple(f.id for f in FORMATIONS.values() if f.side == GERMAN)
ARMIES = tuple(f.id for f in FORMATIONS.values() if f.side == SOVIET)


class Designation(NamedTuple):
    """2.21 `679.333.XL`: regiment, division, corps; two parts are a unit directly under its corps or army."""

    unit: str
    division: str
    formation: str


def designation(text: str) -> Designation:
    parts = text.replace("/", ".").split(".")
    if len(parts) == 2:
        return Designation(parts[0], "", parts[1])
    if len(parts) == 3:
        return Designation(*parts)
    raise BadInput(f"{text!r} is not a designation of two or three parts like 1GC.3T or 679.333.XL")


class Face(NamedTuple):
    """What one side of a counter shows."""

    strength: int
    movement: int
    selector: int
    type: str


@dataclass(frozen=True, slots=True)
class Counter:
    """One unit as it is printed."""

    id: str
    side: Side
    formation: str
    faces: tuple[Face, ...]
    """Full strength first."""
    name: str = ""
    entry: str = ""
    """A set-up hex, or the game-turn of entry."""
    size: str = ""
    where: str = ""


class Forces(wargame.Forces[Counter]):
    def __init__(self, counters: Sequence[Counter]) -> None:
        for c in counters:
            _check(c)
        super().__init__(
            counters,
            steps=lambda c: len(c.faces),
            formations=lambda c: (c.formation, FORMATIONS[c.formation].higher),
            said=lambda counters: wargame.short_names(counters, "{} ({})"),
            called=lambda counters: {f.id: f.name for f in FORMATIONS.values()},
        )
        self.strength = tuple(bytes(_by_steps(0, [f.strength for f in c.faces])) for c in counters)
        self.movement = tuple(bytes(_by_steps(0, [f.movement for f in c.faces])) for c in counters)
        self.selector = tuple(bytes(_by_steps(0, [f.selector for f in c.faces])) for c in counters)
        self.type = tuple(tuple(_by_steps("", [f.type for f in c.faces])) for c in counters)
        self.mech = tuple(bytes(t in MECHANIZED_TYPES for t in types) for types in self.type)
        self.armor = tuple(bytes(t in ARMOR_TYPES for t in types) for types in self.type)
        self.formation = tuple(c.formation for c in counters)
        self.higher = tuple(FORMATIONS[c.formation].higher for c in counters)
        self.area = tuple(FORMATIONS[c.formation].area for c in counters)
        self.number = bytes(FORMATIONS[c.formation].number for c in counters)
        self.entry = tuple(c.entry for c in counters)
        self.entry_turn = bytes(int(c.entry) if c.entry.isdigit() and len(c.entry) < 4 else 0 for c in counters)
        """The printed game-turn of entry; 0 for a unit that begins on the map."""

        self.rising = tuple(
            tuple((selector * 100 + self.number[u]) * len(counters) + u for selector in faces)
            for u, faces in enumerate(self.selector)
        )
        """2.0d By unit and steps: the lowest selector shown comes first, then the lower-numbered corps or army."""
        self.falling = tuple(
            tuple(((100 - selector) * 100 + self.number[u]) * len(counters) + u for selector in faces)
            for u, faces in enumerate(self.selector)
        )
        """The highest selector comes first; of equal selectors still the lower-numbered formation."""
        self._of = {name: tuple(u for u, f in enumerate(self.formation) if f == name) for name in set(self.formation)}
        self._under = {name: tuple(u for u, f in enumerate(self.higher) if f == name) for name in set(self.higher)}

    def in_formation(self, formation: str) -> tuple[Unit, ...]:
        return self._of.get(formation, ())

    def in_higher(self, higher: str) -> tuple[Unit, ...]:
        return self._under.get(higher, ())


def _by_steps(nothing: T, best_first: list[T]) -> list[T]:
    return [nothing, *reversed(best_first)]


def _check(c: Counter) -> None:
    wrong = ""
    if c.formation not in FORMATIONS:
        wrong = f"unit {c.id} has the formation {c.formation!r}; there are {', '.join(FORMATIONS)}"
    elif FORMATIONS[c.formation].side != c.side:
        wrong = f"unit {c.id} is {SIDES[c.side]}, but {c.formation} is not"
    elif not 1 <= len(c.faces) <= 3:
        wrong = f"unit {c.id} has {len(c.faces)} faces; a unit has one to three steps"
    elif bad := next((f.type for f in c.faces if f.type not in TYPES), ""):
        wrong = f"unit {c.id} has the type {bad!r}; there are {', '.join(TYPES)}"
    elif any(not (0 <= f.strength < 100 and 0 <= f.movement < 100 and 0 <= f.selector < 100) for f in c.faces):
        wrong = f"unit {c.id} has a value that is not between 0 and 99"
    if wrong:
        raise BadPack(wrong, c.where) if c.where else BadInput(wrong)


# --- 2.21 selector order -------------------------------------------------------------------------------------------


def ascending(forces: Forces, steps: Sequence[int], units: Iterable[Unit]) -> list[Unit]:
    """2.0d ▲: the lowest selector first."""
    key = forces.rising
    return sorted(units, key=lambda u: key[u][steps[u]])


def descending(forces: Forces, steps: Sequence[int], units: Iterable[Unit]) -> list[Unit]:
    """2.0d ▼: the highest selector first; of equal selectors still the lower-numbered formation first."""
    key = forces.falling
    return sorted(units, key=lambda u: key[u][steps[u]])


# --- reading -------------------------------------------------------------------------------------------------------


def read_counters(pack: Pack) -> tuple[Counter, ...]:
    """The counters of the pack (`counters.csv`), those of no use in this game left out (2.21, 3.0)."""
    return records(
        (row for row in pack.rows("counters.csv") if "unused" not in row.words("flags")),
        Counter,
        side=side_of(SIDES),
        formation=lambda row: row["army"],
        faces=lambda row: read_faces(row["faces"], row["type"]),
        entry=lambda row: row["turn"] or row["setup"],
        where=lambda row: row.where,
    )


def read_faces(faces: str, types: str) -> tuple[Face, ...]:
    """`5-6-01 2-6-12` and `armor mechanized`: strength-allowance-selector per step, full strength first.

    Fewer types than faces: the last one holds for the rest. The selector may be left out.
    """
    kinds = types.split()
    found = []
    for i, text in enumerate(faces.split()):
        parts = text.split("-")
        if len(parts) not in (2, 3) or not all(p.isdigit() for p in parts) or not kinds:
            raise BadInput(f"{text!r} is not a face like 5-6-01 (strength, allowance, selector)")
        numbers = [int(p) for p in parts]
        selector = numbers[2] if len(numbers) == 3 else 0
        found.append(Face(numbers[0], numbers[1], selector, kinds[min(i, len(kinds) - 1)]))
    return tuple(found)
