"""2.3 The game pieces: what is printed on each counter, as columns indexed by unit.

A face is written as on the counter: `10-8-6`; `5[10]-5-4` with the doubled attack as superscript; `S-(1)-5b` for an
Artillery Support Unit with its defense in parentheses and a black box round its Movement Allowance; `S-0-T` for a
Supply Point that may only use Tactical Movement. `R` is the Remnant of the unit's kind (10.4).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from kessel.core.errors import BadInput
from kessel.core.forces import Forces as CoreForces
from kessel.core.forces import Unit
from kessel.core.pack import Pack
from kessel.games.stalingrad42.data.charts import Charts
from kessel.wargame.rows import records, words_of

AXIS, SOVIET = 0, 1
SIDES = ("axis", "soviet")

AXIS_ALLIES = ("romanian", "hungarian", "italian", "slovak", "croat", "caucasian")  # 20.5
NATIONS = ("soviet", "german", *AXIS_ALLIES)
BRANCHES = ("regular", "guards", "naval", "nkvd", "ss", "luftwaffe", "miscellaneous")
SIZES = ("none", "battalion", "regiment", "brigade", "division", "corps", "army", "front")
DOTS = ("none", "black", "red", "white")
QUALITIES = {"elite": 1, "normal": 0, "low": -1}
ASU_KINDS = ("", "army_hq", "front_hq", "artillery_division")

_FACE = re.compile(r"(S|\d+)(?:\[(\d+)\])?-(\d+|\(\d+\))-(?:(\d+)(b?)|T)")


class Face(NamedTuple):
    """One side of a counter (2.3.2)."""

    attack: int
    defense: int
    ma: int
    boxed: bool = False
    """MA in a black box: no Extended Movement."""
    parenthesized: bool = False
    doubled_attack: int = 0
    """The superscript: attack against the terrain the unit is made for."""
    support: bool = False
    """S in the place of the attack: ready to support."""
    tactical_only: bool = False
    """T in the place of the MA."""

    def __str__(self) -> str:
        attack = (
            "S" if self.support else f"{self.attack}[{self.doubled_attack}]" if self.doubled_attack else self.attack
        )
        defense = f"({self.defense})" if self.parenthesized else self.defense
        ma = "T" if self.tactical_only else f"{self.ma}b" if self.boxed else self.ma
        return f"{attack}-{defense}-{ma}"


NO_FACE = Face(0, 0, 0)


def parse_face(text: str, where: str = "") -> Face:
    """
    >>> parse_face("10-8-6")[:3]
    (10, 8, 6)
    >>> str(parse_face("S-(1)-5b"))
    'S-(1)-5b'
    """
    m = _FACE.fullmatch(text)
    if m is None:
        raise BadInput(f"{text!r} is not a counter face like 10-8-6 or S-(1)-5b", where)
    attack, doubled, defense, ma, boxed = m.groups()
    return Face(
        attack=0 if attack == "S" else int(attack),
        defense=int(defense.strip("()")),
        ma=int(ma) if ma else 0,
        boxed=bool(boxed),
        parenthesized=defense.startswith("("),
        doubled_attack=int(doubled or 0),
        support=attack == "S",
        tactical_only=ma is None,
    )


class Printed(msgspec.Struct, kw_only=True):
    """What may be printed on a counter, or written of a unit in a position."""

    back: str = ""
    """The other side of a counter that flips without losing a step: a Used ASU, a Ready Supply Point."""
    name: str = ""
    nation: str = ""
    mech: bool | None = None
    infantry_type: bool | None = None
    asu: str = ""
    range: int = 0
    remnant: str = ""
    """Kind of Remnant its last step becomes (10.4)."""
    doubled: str = ""
    """Terrain against which the superscript attack counts: mountain or city."""
    replacements: list[str] = []
    groups: list[str] = []
    army: str = ""


class UnitSpec(Printed, kw_only=True, rename={"dot": "tank_dot"}):
    """One counter: a row of counters.csv, or a unit written in a position."""

    id: str
    side: str
    faces: list[str]
    """From full strength down to the last step."""
    type: str = "infantry"
    branch: str = "regular"
    size: str = "division"
    dot: str = "none"
    quality: str = "normal"
    free_stacking: bool = False
    arrival: str = ""
    start_steps: int = 0
    """Steps at the start of the Campaign; 0 = all (22.1.3)."""


def read_counters(pack: Pack) -> dict[str, UnitSpec]:
    specs = records(
        pack.rows("counters.csv"),
        UnitSpec,
        faces=lambda row: row["faces"].split(";"),
        replacements=words_of("replacements"),
        groups=words_of("group"),
    )
    return {s.id: s for s in specs}


FRONTS = {"Bry": "Bryansk Front", "SW": "Southwest Front"}
"""Formations of units that stand directly under a front whose HQ has a longer name."""
KINDS = {"A": "Army", "GA": "Guards Army", "TkA": "Tank Army", "ShkA": "Shock Army", "R": "Reserve Army"}


def _called(specs: Sequence[UnitSpec]) -> dict[str, str]:
    """Armies by the names of their HQs; those without an HQ by their number."""
    found = dict(FRONTS)
    for army in {s.army for s in specs if s.army}:
        number, kind = army.rstrip("AGTkShR"), army.lstrip("0123456789")
        if number.isdigit() and kind in KINDS:
            found[army] = f"{ordinal(int(number))} {KINDS[kind]}"
    hqs = [s for s in specs if s.type in ("support_hq", "army_hq") and s.army]
    return {**found, **{s.army: s.name.removesuffix(" HQ") for s in hqs}}


def ordinal(n: int) -> str:
    end = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th") if n % 100 not in (11, 12, 13) else "th"
    return f"{n}{end}"


def _said(s: UnitSpec) -> str:
    return (s.name or s.id).partition(", ")[0] if s.type in IN_WORDS or "-" in s.id else s.id


IN_WORDS = ("army_hq", "support_hq", "reserve_army", "leader", "supply")
"""Types of counters whose short name is a code; all others are called by what is printed on them."""


class Forces(CoreForces):
    """The order of battle of one game."""

    def __init__(self, specs: Sequence[UnitSpec], charts: Charts, where: str = "units") -> None:
        faces = [_faces(s, charts, f"{where}.{s.id}") for s in specs]
        for s in specs:
            _check(s, charts, f"{where}.{s.id}")
        super().__init__(
            [s.id for s in specs],
            [SIDES.index(s.side) for s in specs],
            names=[s.name or s.id for s in specs],
            said=[_said(s) for s in specs],
            called=_called(specs),
            steps=[len(f) - 1 for f in faces],
            formations=[(s.army,) if s.army else () for s in specs],
        )
        types = [charts.unit_types[s.type] for s in specs]
        self.specs = tuple(specs)
        self.faces: tuple[tuple[Face, ...], ...] = tuple(faces)
        """By unit and steps left; entry 0 is nothing."""
        self.back: tuple[Face | None, ...] = tuple(parse_face(s.back) if s.back else None for s in specs)
        self.type = tuple(s.type for s in specs)
        self.nation = tuple(s.nation or ("soviet" if s.side == "soviet" else "german") for s in specs)
        self.branch = tuple(s.branch for s in specs)
        self.size = tuple(s.size for s in specs)
        self.mech = bytes(t.mech if s.mech is None else s.mech for s, t in zip(specs, types, strict=True))
        self.infantry_type = bytes(
            t.infantry_type if s.infantry_type is None else s.infantry_type for s, t in zip(specs, types, strict=True)
        )
        self.dot = tuple(s.dot for s in specs)
        self.quality = tuple(1 if s.branch == "guards" else QUALITIES[s.quality] for s in specs)
        self.free_stacking = bytes(s.free_stacking for s in specs)
        self.asu = tuple(s.asu for s in specs)
        self.range = tuple(s.range for s in specs)
        self.longest_range = max(self.range, default=0)
        self._actions: dict[str, list[tuple[str, Unit]]] = {}
        self.remnant = tuple(s.remnant for s in specs)
        kinds = sorted(set(self.remnant) - {""})
        self.with_remnant = {k: tuple(u for u, mine in enumerate(self.remnant) if mine == k) for k in kinds}
        """By kind of Remnant: the units that can become one (10.4)."""
        self.doubled = tuple(s.doubled for s in specs)
        self.replacements = tuple(tuple(s.replacements) for s in specs)
        self.groups = tuple(frozenset(s.groups) for s in specs)
        self.advance_rate = tuple(t.advance_rate for t in types)
        self.silhouette = bytes(t.silhouette for t in types)
        self.combat = bytes(f[-1].defense > 0 for f in faces)
        """2.3.1: Combat Units have a defense above zero, parenthesized or not."""
        self.is_asu = bytes(bool(s.asu) for s in specs)
        self.mountain = bytes(s.type == "mountain" for s in specs)
        self.bond_weight = bytes(
            0 if not c else 1 if s.free_stacking or s.asu else 2 for s, c in zip(specs, self.combat, strict=True)
        )
        """7.1, 18.2.3: two are needed in a hex for a ZOC Bond; Free Stacking Units and ASUs count one."""
        self.supply_points = self.by_side(self.is_supply_point)
        self._immobile = bytes(s.type == "supply" and f[-1].ma == 0 for s, f in zip(specs, faces, strict=True))
        self.asus = self.by_side(lambda u: self.is_asu[u])
        self.non_combat = self.by_side(lambda u: not self.combat[u])
        self.reserve_armies = tuple(u for u, s in enumerate(specs) if s.type == "reserve_army")
        self.units_of = self.by_side(lambda u: True)
        classes: dict[tuple[Any, ...], int] = {}
        self.mover = tuple(classes.setdefault(self._mover(u), len(classes)) for u in range(len(specs)))
        """Units of one number may use the same kinds of movement, as far as that does not change in a game."""

    def _mover(self, u: Unit) -> tuple[Any, ...]:
        stuck = self.is_supply_point(u), self.is_immobile(u), "bluecher" in self.groups[u]
        return (self.side[u], self.mech[u], self.type[u], self.is_asu[u], self.combat[u], *stuck)

    def actions(self, verb: str) -> list[tuple[str, Unit]]:
        """The action with that verb for every unit, made once."""
        found = self._actions.get(verb)
        if found is None:
            found = self._actions[verb] = [(verb, u) for u in range(len(self))]
        return found

    def is_ally(self, u: Unit) -> bool:
        """20.5 Axis Allies."""
        return self.nation[u] in AXIS_ALLIES

    def is_german(self, u: Unit) -> bool:
        return self.nation[u] == "german"

    def is_leader(self, u: Unit) -> bool:
        return self.type[u] == "leader"

    def is_supply_point(self, u: Unit) -> bool:
        return self.type[u] == "supply"

    def is_immobile(self, u: Unit) -> bool:
        """18.6.8 non-mobile Supply Points."""
        return bool(self._immobile[u])

    def is_hq(self, u: Unit) -> bool:
        """An Army (Axis) or Front (Soviet) HQ."""
        return self.asu[u] in ("army_hq", "front_hq")


def _faces(s: UnitSpec, charts: Charts, where: str) -> tuple[Face, ...]:
    if not s.faces:
        raise BadInput("a unit needs at least one face", f"{where}.faces")
    found = [NO_FACE]
    for i, text in enumerate(reversed(s.faces)):
        if text == "R":
            if i or s.remnant not in charts.remnants:
                raise BadInput("R stands for the last step of a unit that names its kind of remnant", f"{where}.faces")
            text = charts.remnants[s.remnant].face
        found.append(parse_face(text, f"{where}.faces"))
    return tuple(found)


def _check(s: UnitSpec, charts: Charts, where: str) -> None:
    for key, value, known in (
        ("side", s.side, SIDES),
        ("type", s.type, tuple(charts.unit_types)),
        ("nation", s.nation or "german", NATIONS),
        ("branch", s.branch, BRANCHES),
        ("size", s.size, SIZES),
        ("dot", s.dot, DOTS),
        ("quality", s.quality, tuple(QUALITIES)),
        ("asu", s.asu, ASU_KINDS),
        ("remnant", s.remnant, ("", *charts.remnants)),
        ("doubled", s.doubled, ("", "mountain", "city")),
    ):
        if value not in known:
            raise BadInput(f"{key} is {value!r}, known are {', '.join(k for k in known if k)}", f"{where}.{key}")
    if (s.side == "soviet") != ((s.nation or s.side) == "soviet"):
        raise BadInput(f"a unit of the {s.side} side cannot be {s.nation}", f"{where}.nation")
    if s.back:
        parse_face(s.back, f"{where}.back")
