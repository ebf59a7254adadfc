"""Units of a hand-written position: counters of the game, any number of them changed, or counters of your own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.games.korsun44.data.charts import ARMOR, CLASSES, FOOT, MOTORIZED, Charts
from kessel.games.korsun44.data.forces import (
    AIR,
    ALARM,
    BARRAGE,
    ENGINEERS,
    FIXED,
    GERMAN,
    PARTISANS,
    ROLES,
    SDM,
    SIDES,
    SIZES,
    UNIT,
    Counter,
    Forces,
    forces_of,
)
from kessel.wargame.positions import UnitDoc as WargameUnitDoc
from kessel.wargame.reading import Words, index_of, one_of, words

DRIVEN = ("motorized_infantry", "mechanized_infantry", "reconnaissance", "rocket_artillery", "self_propelled_artillery",
          "at_gun", "flak_88", "bridge_engineer")  # fmt: skip
"""Types that are motorized unless a unit says otherwise (4.3.2)."""
ROLE_OF = {"sdm": SDM, "alarm": ALARM, "partisans": PARTISANS, "barrage": BARRAGE, "air": AIR}
"""What units of a type are that are no ordinary units (4.8, 6.2, 13.2, 17.1, 18.1)."""
WORK_OF = {"assault_engineer": "assault", "construction_engineer": "construction", "engineer": "plain"}
"""What engineers of a type are, unless a unit says otherwise; a bridge engineer says which bridge it has (15.2.4)."""
UNARMED = ("sdm", "alarm", "barrage", "air")
"""4.8.2, 17.1.2 Types that never attack."""
ALLOWANCES = {FOOT: 5, MOTORIZED: 10, ARMOR: 12}
CHIT = "own"
"""The class of the strength chit of a unit of one's own with more than two steps."""


class UnitDoc(WargameUnitDoc, kw_only=True):
    """A counter by its id, any number of it changed; or one of your own with side, type and faces."""

    side: str = ""
    type: str = ""
    role: str = ""
    size: str = ""
    move: str = ""
    faces: str = ""
    """Strengths, full first: "10 7 4 2"; as many as it has steps."""
    chit: bool | None = None
    """Whether a strength chit lies under it: its last step is then a cadre."""
    attack: bool | None = None
    """Whether its strength stands without parentheses."""
    ma: int | None = None
    white: int | None = None
    black: int | None = None
    star: bool | None = None
    front: str | None = None
    army: str | None = None
    corps: str | None = None
    division: str | None = None
    obs: int | None = None
    dbs: int | None = None
    back_dbs: int | None = None
    range: int | None = None
    no_fire: int | None = None
    engineer: Words | None = None
    parent: str | None = None
    stays_with: str | None = None
    capacity: int | None = None
    increments: tuple[int, int] | None = None
    """Of an SDM: hexes of a supply range increment, frozen and mud."""
    sp: int | None = None
    """Of an SDM: its Supply Points."""
    supplied_by: str = ""
    """The SDM that placed it in supply."""
    strength: int | None = None
    """Of an alarm unit: the strength drawn for it."""
    turns: int = 0
    """Of a unit off the map on the Turn Record Track: the turn it comes back."""
    box: str = ""
    """Where a unit off the map is."""


NUMBERS = ("ma", "white", "black", "obs", "dbs", "back_dbs", "range", "no_fire", "capacity")
TEXTS = ("front", "army", "corps", "division", "parent", "stays_with")


def forces_for(docs: Sequence[UnitDoc], pack: Pack, charts: Charts) -> Forces:
    """The order of battle with what a position changes in it; the printed one where it changes nothing."""
    printed = forces_of(pack, charts)
    seen: set[str] = set()
    made: dict[str, Counter] = {}
    for i, doc in enumerate(docs):
        if not doc.id.strip() or doc.id in seen:
            raise BadInput(
                f"unit {doc.id} is listed twice" if doc.id in seen else "a unit needs an id", f"$.units[{i}].id"
            )
        seen.add(doc.id)
        at = printed.find(doc.id)
        own = printed.counters[at] if at >= 0 else None
        try:
            counter = _counter(charts, doc, own)
        except BadInput as e:
            raise BadInput(e.message, f"$.units[{i}]{e.where.removeprefix('$')}") from None
        if counter is not own:
            made[doc.id] = counter
    if not made:
        return printed
    counters = [made.pop(c.id, c) for c in printed.counters]
    return Forces([*counters, *made.values()], charts)


def _above(charts: Charts, doc: UnitDoc) -> tuple[str, str]:
    """1.0, 8.1.1 The army and the Front over what a unit of one's own names."""
    known = charts.game.formations

    def over(word: str | None, of: Mapping[str, Sequence[str]]) -> str:
        return next((one for one, mine in of.items() if word in mine), "")

    german = doc.side == SIDES[GERMAN]
    army = doc.army or over(doc.corps, known.korps_of if german else known.corps_of)
    return army, "" if german else over(army, known.front_of)


def _counter(charts: Charts, doc: UnitDoc, own: Counter | None) -> Counter:
    base = own or _own(charts, doc)
    changed: dict[str, Any] = {k: v for k in (*NUMBERS, *TEXTS, "attack", "star") if (v := getattr(doc, k)) is not None}
    for key in NUMBERS:
        if not 0 <= changed.get(key, 0) <= 99:
            raise BadInput(f"{key} is 0 to 99, not {changed[key]}", f"$.{key}")
    if doc.faces and own is not None:
        changed["strengths"] = _faces(doc)
    if doc.side and own is not None:
        changed["side"] = index_of(SIDES, doc.side, "side", "$.side")
    if doc.type and own is not None:
        changed["type"] = one_of(charts.types, doc.type, "type", "$.type")
    if doc.role:
        changed["role"] = index_of(ROLES, doc.role, "role", "$.role")
    if doc.size:
        changed["size"] = one_of(SIZES, doc.size, "size", "$.size")
    if doc.move:
        changed["move"] = index_of(CLASSES, doc.move, "movement class", "$.move")
    if doc.engineer is not None:
        changed["engineer"] = frozenset(one_of(ENGINEERS, w, "engineer", "$.engineer") for w in words(doc.engineer))
    if doc.increments is not None:
        changed["increments"] = doc.increments
    if doc.chit is not None:
        changed["chit"] = (base.chit or CHIT) if doc.chit else ""
    return replace(base, **changed) if changed else base


def _own(charts: Charts, doc: UnitDoc) -> Counter:
    """A unit that is no counter of the game."""
    if not doc.side or not doc.type:
        raise BadInput(f"{doc.id} is no counter of the game; one of your own needs side, type and faces", "$.id")
    side = index_of(SIDES, doc.side, "side", "$.side")
    kind = charts.types[one_of(charts.types, doc.type, "type", "$.type")]
    sdm = doc.type == "sdm"
    strengths = (0, 0) if sdm else _faces(doc)
    armor = kind.group == "armor"
    move = ARMOR if armor else MOTORIZED if doc.type in DRIVEN else FOOT
    move = CLASSES.index(doc.move) if doc.move in CLASSES else FIXED if doc.type == "barrage" else move
    white, black = charts.dots.get(doc.type, (0, 0))
    army, front = _above(charts, doc)
    chit = CHIT if len(strengths) > 3 and (doc.star or not armor) else ""
    return Counter(
        id=doc.id, name=doc.id, side=side, front=front, army=army, role=ROLE_OF.get(doc.type, UNIT), type=doc.type,
        size="marker" if sdm else "battalion", move=move, strengths=strengths,
        attack=kind.group != "artillery" and doc.type not in UNARMED, ma=ALLOWANCES.get(move, 0),
        white=white, black=black, chit=chit, capacity=4 if sdm else 0, increments=(6, 4) if sdm else (0, 0),
        engineer=frozenset({WORK_OF[doc.type]} if doc.type in WORK_OF else ()),
    )  # fmt: skip


def _faces(doc: UnitDoc) -> tuple[int, ...]:
    found = doc.faces.split()
    if not found or not all(n.isdigit() and int(n) < 100 for n in found):
        raise BadInput(f"faces are strengths from full to last step, as in '10 7 4 2', not {doc.faces!r}", "$.faces")
    return (0, *(int(n) for n in reversed(found)))
