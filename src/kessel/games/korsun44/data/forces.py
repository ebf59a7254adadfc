"""2.5, 4.0 Units: the order of battle as columns, read from counters.csv."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kessel.core.errors import BadPack
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.pack import Pack, Row
from kessel.games.korsun44.data.charts import CLASSES, Charts
from kessel.wargame import forces as wargame

FILE = "counters.csv"
SIDES = ("german", "soviet")
GERMAN: Side = 0
SOVIET: Side = 1

ROLES = ("unit", "part", "extension", "barrage", "alarm", "partisans", "sdm", "air")
UNIT, PART, EXTENSION, BARRAGE, ALARM, PARTISANS, SDM, AIR = range(len(ROLES))
SIZES = (
    "marker", "company", "battalion", "regiment", "regiment_group", "division_group", "brigade", "division",
)  # fmt: skip
REGIMENT_SIZES = ("regiment", "regiment_group", "division_group")
"""German units that are infantry regiments where they are infantry (8.2.2, 11.0)."""
ENGINEERS = ("assault", "army", "korps", "construction", "plain", "bridge_K", "bridge_J")
FIXED = 255
"""The movement class of what never moves by itself."""


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter as printed; fields as in counters.csv."""

    id: str
    name: str
    side: Side
    role: int
    type: str
    size: str
    move: int
    strengths: tuple[int, ...]
    """By steps left, entry 0 for none: (0, cadre, ..., full). (0, 0) where the parent or nothing gives it."""
    attack: bool
    """Whether its strength stands without parentheses (4.4)."""
    ma: int
    white: int
    black: int
    front: str = ""
    army: str = ""
    corps: str = ""
    division: str = ""
    chit: str = ""
    """Class of its strength chit; empty for a unit without one."""
    star: bool = False
    obs: int = 0
    dbs: int = 0
    back_dbs: int = 0
    range: int = 0
    no_fire: int = 0
    engineer: frozenset[str] = frozenset()
    parent: str = ""
    stays_with: str = ""
    capacity: int = 0
    increments: tuple[int, int] = (0, 0)
    """Hexes of a supply range increment by ground (14.2)."""
    ocas: int = 0
    dcas: int = 0
    counters: int = 1
    """Printed counters that show it: an armor battalion of three or four steps has two (4.9)."""

    @property
    def steps(self) -> int:
        return len(self.strengths) - 1

    @property
    def gun_regiment(self) -> bool:
        """12.10.5 A German artillery regiment; only a divisional one has a DBS on its back side."""
        return self.side == GERMAN and bool(self.size == "regiment" or self.back_dbs)


HEAVY = ("PzV", "PzVI")


class Forces(wargame.Forces[Counter]):
    """Columns by unit. `strength[u]` is indexed by steps left."""

    def __init__(self, counters: Sequence[Counter], charts: Charts) -> None:
        super().__init__(
            counters,
            steps=lambda c: c.steps,
            formations=lambda c: (c.division, c.corps, c.army, c.front),
            said=said,
            called=called,
        )
        rows = [charts.types[c.type] for c in counters]
        self.role = bytes(c.role for c in counters)
        self.type = tuple(c.type for c in counters)
        self.group = tuple(r.group for r in rows)
        self.size = bytes(SIZES.index(c.size) for c in counters)
        self.move = bytes(c.move for c in counters)
        self.mobile = bytes(c.move != FIXED for c in counters)
        self.strength = tuple(c.strengths for c in counters)
        self.attacks = bytes(c.attack for c in counters)
        self.ma = bytes(c.ma for c in counters)
        self.white = bytes(c.white for c in counters)
        self.black = bytes(c.black for c in counters)
        self.star = bytes(c.star for c in counters)
        self.infantry_type = bytes(r.infantry_type for r in rows)
        self.zone_steps = bytes(map(max, self.star, self.infantry_type))
        """10.1.1 Whether a unit ever has infantry steps that count for a ZOC."""
        self.needs_cover = bytes(
            r.group == "artillery" or bool(c.engineer and not c.attack) for r, c in zip(rows, counters, strict=True)
        )
        """9.10.2 Artillery and engineers that cannot attack."""
        self.heavy = bytes(c.type in HEAVY for c in counters)
        """18.3 Panthers and Tigers."""
        self.armor = bytes(r.group == "armor" for r in rows)
        self.artillery = bytes(r.group == "artillery" for r in rows)
        self.anti_armor = bytes(r.group == "anti_armor" for r in rows)
        self.engineer = tuple(c.engineer for c in counters)
        self.front = tuple(c.front for c in counters)
        self.army = tuple(c.army for c in counters)
        self.corps = tuple(c.corps for c in counters)
        self.division = tuple(c.division for c in counters)
        self.parent = tuple(self.find(c.parent) if c.parent else NO_UNIT for c in counters)
        self.stays_with = tuple(self.find(c.stays_with) if c.stays_with else NO_UNIT for c in counters)
        children: dict[tuple[Unit, int], list[Unit]] = {}
        for v, c in enumerate(counters):
            children.setdefault((self.parent[v], c.role), []).append(v)
        self.parts = tuple(tuple(children.get((u, PART), ())) for u in range(len(counters)))
        """4.6 The units each breaks down into."""
        self.extension = tuple(next(iter(children.get((u, EXTENSION), ())), NO_UNIT) for u in range(len(counters)))
        """4.7 The second counter of a Soviet division."""
        self.of_role = tuple(
            tuple(tuple(u for u in self.of_side(s) if self.role[u] == r) for r in range(len(ROLES)))
            for s in (GERMAN, SOVIET)
        )
        """By side and role."""

    def is_cadre(self, u: Unit, steps: int) -> bool:
        """4.4.5 A unit with a strength chit that has one step left."""
        return bool(self.counters[u].chit) and steps == 1


HIGHEST = {"1PzA": "1st Panzer Army", "8A": "8th Army", "1Uk": "1st Ukrainian Front", "2Uk": "2nd Ukrainian Front"}
"""Formations of which no counter is a part by its own name."""


def said(counters: Sequence[Counter]) -> list[str]:
    """As sentences call them; the parts of a unit have only a letter of their own."""
    names = wargame.short_names(counters, "{} of {}")
    return [f"part {name}" if c.role == PART else name for c, name in zip(counters, names, strict=True)]


def called(counters: Iterable[Counter]) -> dict[str, str]:
    """Formations by the end of an id, in the words of the counters' names."""
    ends = ((c, c.id.rpartition(".")[2], c.name.partition(", ")[2]) for c in counters)
    found = {end: name for c, end, name in ends if name and end in (c.division, c.corps, c.army)}
    return {**found, **HIGHEST}


# --- reading -------------------------------------------------------------------------------------------------------


def read_forces(pack: Pack, charts: Charts, only: Iterable[str] | None = None) -> Forces:
    """The order of battle, of all counters or of those named."""
    wanted = None if only is None else set(only)
    rows = [r for r in pack.rows(FILE) if wanted is None or r["id"] in wanted]
    counters = [counter_of(r, charts) for r in rows]
    where = {r["id"]: r.where for r in rows}
    if wanted is None:
        for c in counters:
            for column, other in (("parent", c.parent), ("stays_with", c.stays_with)):
                if other and other not in where:
                    raise BadPack(f"{column} is {other!r}, which is no counter", where[c.id])
    return Forces(counters, charts)


def counter_of(row: Row, charts: Charts) -> Counter:
    """One line of counters.csv; BadPack names what is wrong with it."""
    side = _index(row, "side", SIDES)
    role = _index(row, "role", ROLES)
    kind = row["type"]
    if kind not in charts.types:
        raise BadPack(f"type {kind!r} is not in tables/unit-types.csv", row.where)
    _index(row, "size", SIZES)
    move = FIXED if row["move"] == "fixed" else _index(row, "move", CLASSES)
    white, black = charts.dots.get(kind, (0, 0))
    steps = row.number("steps")
    strengths = _strengths(row, charts, steps)
    return Counter(
        id=row["id"],
        name=row["name"],
        side=side,
        role=role,
        type=kind,
        size=row["size"],
        move=move,
        strengths=strengths,
        attack=_flag(row, "attack"),
        ma=row.number("ma"),
        white=row.number("white", white),
        black=row.number("black", black),
        front=row["front"],
        army=row["army"],
        corps=row["corps"],
        division=row["division"],
        chit=row["class"],
        star=_flag(row, "star"),
        obs=row.number("obs", 0),
        dbs=row.number("dbs", 0),
        back_dbs=row.number("back_dbs", 0),
        range=row.number("range", 0),
        no_fire=row.number("no_fire", 0),
        engineer=_engineer(row),
        parent=row["parent"],
        stays_with=row["stays_with"],
        capacity=row.number("capacity", 0),
        increments=(row.number("frozen", 0), row.number("mud", 0)),
        ocas=row.number("ocas", 0),
        dcas=row.number("dcas", 0),
        counters=2 if charts.types[kind].group == "armor" and steps > 2 and not row["class"] else 1,
    )


def _strengths(row: Row, charts: Charts, steps: int) -> tuple[int, ...]:
    if row["class"]:
        name = f"{row['side']}_{row['class']}"
        ladder = charts.chits.get(name)
        if ladder is None:
            raise BadPack(f"there is no chit of class {name} in tables/strength-chits.csv", row.where)
        if steps not in ladder:
            raise BadPack(f"class {name} has no strength for {steps} steps", row.where)
        return (0, *(ladder[n] for n in range(1, steps + 1)))
    if not row["faces"]:
        return (0,) * (steps + 1)
    words = row.words("faces")
    if len(words) != steps or not all(w.isdigit() for w in words):
        raise BadPack(f"faces is {row['faces']!r}, not {steps} strengths from full to last step", row.where)
    return (0, *(int(w) for w in reversed(words)))


def _index(row: Row, column: str, words: tuple[str, ...]) -> int:
    if row[column] not in words:
        raise BadPack(f"{column} is {row[column]!r}, not one of {', '.join(words)}", row.where)
    return words.index(row[column])


def _flag(row: Row, column: str) -> bool:
    if row[column] not in ("", "yes", "no"):
        raise BadPack(f"{column} is {row[column]!r}, not yes or no", row.where)
    return row[column] == "yes"


def _engineer(row: Row) -> frozenset[str]:
    found = frozenset(row.words("engineer"))
    for word in found:
        if word not in ENGINEERS:
            raise BadPack(f"engineer is {word!r}, not one of {', '.join(ENGINEERS)}", row.where)
    return found


def forces_of(pack: Pack, charts: Charts) -> Forces:
    """All counters of a pack, read once for each pack object and kept with it."""
    return pack.once(_all_forces) if charts is pack.once(Charts) else read_forces(pack, charts)


def _all_forces(pack: Pack) -> Forces:
    return read_forces(pack, pack.once(Charts))
