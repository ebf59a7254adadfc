"""The rules once more, from the text and the JSON of a position alone: no board, no searches of the game.

A `World` is what a player sees on the table; functions carry the number of the rule they were written from.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from .helpers import PACK

F = Fraction
Side = frozenset[str]
DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Clockwise."""
ARMOR = ("PzIII", "PzIV", "PzV", "PzVI", "StuG", "Marder", "T-34", "M4", "IS-1", "SU-76", "SU-85", "SU-122", "SU-152")
HEAVY = ("PzV", "PzVI")
ANTI = ("at_gun", "flak_88")
ENGINEERS = ("assault_engineer", "engineer", "construction_engineer", "bridge_engineer")
INFANTRY = ("infantry", "airborne_infantry", "security", "fusilier", "fortified_area", "cavalry", "motorized_infantry",
            "mechanized_infantry", "reconnaissance", "partisans", "alarm", *ENGINEERS)  # fmt: skip
GUNS = ("artillery", "heavy_artillery", "super_heavy_artillery", "mortar_artillery", "rocket_artillery",
        "self_propelled_artillery")  # fmt: skip
WALKERS = ("motorized_infantry", "mechanized_infantry", "reconnaissance")
PANZER = ("1Pz", "1SSPz", "16Pz", "17Pz", "3Pz", "11Pz", "13Pz", "14Pz", "24Pz", "5SSPz")
SOVIET_CORPS = ("5GTkC", "5MC", "3TkC", "16TkC", "18TkC", "20TkC", "29TkC", "5GCC")
OUT = {"OOS1", "OOS2"}
BAD = {"disorganized", "regroup"}


@cache
def table(name: str) -> dict[str, dict[str, str]]:
    lines = [x for x in PACK.text(f"tables/{name}.csv").splitlines() if x and not x.startswith("#")]
    rows = list(csv.DictReader(lines))
    key = next(iter(rows[0]))
    return {row[key]: row for row in rows}


@cache
def printed() -> dict[str, dict[str, str]]:
    lines = [x for x in PACK.text("counters.csv").splitlines() if x and not x.startswith("#")]
    return {row["id"]: row for row in csv.DictReader(lines)}


@cache
def printed_map() -> dict[str, Any]:
    """The map of both sheets."""
    found: dict[str, Any] = json.loads(PACK.text("board.json"))
    return found


@cache
def axial(h: str) -> tuple[int, int]:
    """A hex as coordinates; on the printed map the even columns stand half a hex lower."""
    if "," in h:
        q, r = h.split(",")
        return int(q), int(r)
    column, row = int(h[:2]), int(h[2:])
    return column, row - (column - 1) // 2


def hex_at(q: int, r: int, small: bool) -> str:
    return f"{q},{r}" if small else f"{q:02}{r + (q - 1) // 2:02}"


@cache
def ring(h: str) -> list[str]:
    q, r = axial(h)
    return [hex_at(q + a, r + b, "," in h) for a, b in DIRECTIONS]


def distance(a: str, b: str) -> int:
    q, r = (x - y for x, y in zip(axial(a), axial(b), strict=True))
    return (abs(q) + abs(r) + abs(q + r)) // 2


def half(n: int) -> int:
    return -(-n // 2)


@dataclass
class Man:
    id: str
    side: str
    type: str
    role: str
    size: str
    move: str
    ma: int
    powers: tuple[int, ...]
    """From one step up."""
    chit: bool
    attack: bool
    white: int
    black: int
    star: bool
    front: str
    army: str
    corps: str
    division: str
    engineer: frozenset[str]
    parent: str
    stays: str
    obs: int
    dbs: int
    back_dbs: int
    range: int
    at: str = ""
    steps: int = 1
    marks: set[str] = field(default_factory=set)

    @property
    def armor(self) -> bool:
        return self.type in ARMOR

    @property
    def gun(self) -> bool:
        return self.type in GUNS

    @property
    def infantry(self) -> bool:
        return self.type in INFANTRY

    @property
    def zoned(self) -> bool:
        """10.1.3"""
        return self.role not in ("alarm", "barrage", "sdm")


def card(row: dict[str, str]) -> Man:
    kind, steps = row["type"], int(row["steps"])
    if row["class"]:
        ladder = table("strength-chits")[f"{row['side']}_{row['class']}"]
        powers = tuple(int(ladder[str(n)]) for n in range(1, steps + 1))
    else:
        powers = tuple(int(x) for x in reversed(row["faces"].split())) or (0,) * steps
    dots = table("armor-dots").get(kind, {"white": "0", "black": "0"})
    return Man(
        row["id"], row["side"], kind, row["role"], row["size"], row["move"], int(row["ma"]), powers, bool(row["class"]),
        row["attack"] == "yes", int(row["white"] or dots["white"]), int(row["black"] or dots["black"]),
        row["star"] == "yes", row["front"], row["army"], row["corps"], row["division"],
        frozenset(row["engineer"].split()), row["parent"], row["stays_with"],
        *(int(row[x] or 0) for x in ("obs", "dbs", "back_dbs", "range")),
    )  # fmt: skip


ARMY_OF = {"42K": "1PzA", "7K": "1PzA", "3PzK": "1PzA", "11K": "8A", "47PzK": "8A", "5GTkC": "6TkA", "5MC": "6TkA",
           "3TkC": "2TkA", "16TkC": "2TkA", "18TkC": "5GTkA", "20TkC": "5GTkA", "29TkC": "5GTkA"}  # fmt: skip
FRONT_OF = {"27A": "1Uk", "40A": "1Uk", "6TkA": "1Uk", "2TkA": "1Uk", "52A": "2Uk", "4GA": "2Uk", "53A": "2Uk",
            "5GTkA": "2Uk"}  # fmt: skip
TRUCKED = (*WALKERS, "rocket_artillery", "self_propelled_artillery", *ANTI, "bridge_engineer")
ROLES = {"alarm": "alarm", "partisans": "partisans"}
WORK = {"assault_engineer": "assault", "construction_engineer": "construction", "engineer": "plain"}


def own(said: dict[str, Any]) -> Man:
    """A unit written out: what it does not say comes from its type (docs/positions-korsun44.md)."""
    kind, powers = said["type"], tuple(int(x) for x in reversed(said["faces"].split()))
    dots = table("armor-dots").get(kind, {"white": "0", "black": "0"})
    move = said.get("move") or ("armor" if kind in ARMOR else "motorized" if kind in TRUCKED else "foot")
    star = said.get("star", False)
    corps = said.get("corps", "")
    army = said.get("army") or ARMY_OF.get(corps, "")
    front_ = said.get("front") or ("" if said["side"] == "german" else FRONT_OF.get(army, ""))
    return Man(
        said["id"], said["side"], kind, ROLES.get(kind, "unit"), said.get("size", "battalion"), move,
        said.get("ma", {"foot": 5, "motorized": 10, "armor": 12}[move]), powers,
        said.get("chit", len(powers) > 2 and (star or kind not in ARMOR)),
        said.get("attack", kind not in (*GUNS, "alarm")), said.get("white", int(dots["white"] or 0)),
        said.get("black", int(dots["black"] or 0)), star, front_, army, corps, said.get("division", ""),
        frozenset(said.get("engineer", [WORK[kind]] if kind in WORK else [])), "", "",
        *(said.get(x, 0) for x in ("obs", "dbs", "back_dbs", "range")),
    )  # fmt: skip


class World:
    def __init__(self, doc: dict[str, Any]) -> None:
        on = doc["board"] if "board" in doc else printed_map()
        self.hexes: dict[str, dict[str, Any]] = on["hexes"]
        self.sides: dict[Side, set[str]] = {}
        self.named: dict[Side, str] = {}
        for key, said in on.get("hexsides", {}).items():
            words = said if isinstance(said, list) else said["features"]
            self.sides[frozenset(key.split("|"))] = set(words)
            if not isinstance(said, list):
                self.named[frozenset(key.split("|"))] = said.get("name", "")
        self.links: dict[Side, set[str]] = {}
        for link in on.get("links", []):
            path = link["path"].split()
            for a, b in pairwise(path):
                self.links.setdefault(frozenset((a, b)), set()).add(link["kind"])
        self.mud = doc.get("ground") == "Mud"
        self.storm = doc.get("visibility") == "Storm"
        self.options = {k for k, v in doc.get("options", {}).items() if v == "on"}
        self.bridges: dict[Side, list[dict[str, Any]]] = {}
        for key, said in doc.get("bridges", {}).items():
            self.bridges.setdefault(frozenset(key.split("|")), []).append(said)
        self.fords = {frozenset(k.split("|")): v for k, v in doc.get("fords", {}).items()}
        self.mines: dict[str, set[str]] = {}
        for h, said in doc.get("minefields", {}).items():
            if said.get("facing"):
                ring = self.ring(h)
                first = ring.index(said["facing"])
                self.mines[h] = {ring[(first + n) % 6] for n in range(3)}
        self.positions = set(doc.get("improved_positions", []))
        self.combats = set(doc.get("combats", []))
        self.control = doc.get("control", {})
        self.barrage = {x["hex"]: x for x in doc.get("barrage", [])}
        self.men: list[Man] = []
        self.by_id: dict[str, Man] = {}
        self.zoned: dict[str, tuple[set[str], set[str]]] = {}
        """Zones found before."""
        for said in doc["units"]:
            m = card(printed()[said["id"]]) if said["id"] in printed() else own(said)
            m.at, m.steps = said.get("at", ""), said.get("steps", len(m.powers))
            m.marks = set(said.get("status", []))
            self.men.append(m)
            self.by_id[m.id] = m

    # --- hexes ---

    def ring(self, h: str) -> list[str]:
        return ring(h)

    def around(self, h: str) -> list[str]:
        return [x for x in self.ring(h) if x in self.hexes]

    def far(self, a: str, b: str) -> int:
        return distance(a, b)

    def terrain(self, h: str) -> str:
        return str(self.hexes[h].get("terrain", "clear"))

    def has(self, h: str, word: str) -> bool:
        return word in self.hexes[h].get("features", [])

    def water(self, a: str, b: str) -> set[str]:
        return self.sides.get(frozenset((a, b)), set())

    def here(self, h: str, side: str = "") -> list[Man]:
        return [m for m in self.men if m.at == h and m.role != "sdm" and side in ("", m.side)]

    def held(self, side: str) -> set[str]:
        return {m.at for m in self.men if m.side == side and m.at and m.role != "sdm"}

    # --- 15.2 bridges ---

    def road(self, a: str, b: str) -> set[str]:
        """Roads and railroads over a hexside that can be used: a bridge that is down carries none (9.2.2)."""
        key = frozenset((a, b))
        down = any(x.get("kind", "printed") == "printed" and x.get("state", "intact") != "intact"
                   for x in self.bridges.get(key, []))  # fmt: skip
        return set() if down else self.links.get(key, set())

    def built(self, a: str, b: str) -> str:
        """The kind of a bridge that was built and stands; empty for none."""
        for x in self.bridges.get(frozenset((a, b)), []):
            if x.get("kind", "printed") != "printed" and x.get("state", "intact") == "intact":
                return str(x["kind"])
        return ""

    def ford(self, a: str, b: str, side: str) -> bool:
        """18.6 One's own, or where one controls both hexes."""
        key = frozenset((a, b))
        if "fords" not in self.options or key not in self.fords:
            return False
        return self.fords[key] == side or all(self.holds(x, side) for x in (a, b))

    def holds(self, h: str, side: str) -> bool:
        there = {m.side for m in self.here(h)}
        return there == {side} if there else self.control.get(h) == side

    # --- units ---

    def other_half(self, m: Man) -> Man | None:
        for x in self.men:
            if x.at and ((x.parent == m.id and x.role == "extension") or (m.role == "extension" and m.parent == x.id)):
                return x
        return None

    def whole(self, m: Man) -> Man:
        return self.by_id[m.parent] if m.role == "extension" else m

    def cadre(self, m: Man) -> bool:
        w = self.whole(m)
        if m.role == "part" and m.side == "german" and len(m.powers) == 3 and m.steps == 1:
            return True
        return w.chit and w.steps == 1

    def star(self, m: Man) -> bool:
        return m.star and not self.cadre(m)

    def power(self, m: Man) -> int:
        w = self.whole(m)
        found = w.powers[w.steps - 1]
        if m.role == "part" and m.side == "german" and len(m.powers) == 3 and m.steps == 1:
            found = card(printed()[m.parent]).powers[0]
        return half(found) if self.other_half(m) else found

    def can_attack(self, m: Man) -> bool:
        """12.2, 18.1.3"""
        return m.steps == len(m.powers) if m.role == "partisans" else m.attack

    def foot_steps(self, m: Man) -> int:
        """10.1.1, 4.5.3, 4.7.2 Attack-capable infantry steps."""
        if m.star:
            return int(self.star(m))
        if not m.infantry or not m.attack or m.role in ("partisans", "alarm"):
            return 0
        steps = self.whole(m).steps
        if self.other_half(m):
            return steps // 2 if m.role == "extension" else half(steps)
        return steps

    def white(self, m: Man) -> int:
        return m.white - int("OOS2" in m.marks and m.white > 0 and (m.armor or m.type in ANTI))

    def dots(self, m: Man) -> int:
        lost = "OOS2" in m.marks and (m.armor or m.type in ANTI) and m.white + m.black > 0
        return m.white + m.black - int(lost)


# --- 10 zones ---------------------------------------------------------------------------------------------------------


def zones(w: World, side: str) -> tuple[set[str], set[str]]:
    """10.1, 10.6 The hexes in ZOC, and those in ZOI alone."""
    zoc, zoi = set(), set()
    for a in w.held(side):
        there = [m for m in w.here(a, side) if m.zoned]
        strong = sum(w.foot_steps(m) for m in there if not m.marks & BAD) >= 3
        for b in w.around(a):
            if there and w.terrain(b) not in ("town", "forest", "dnepr") and not w.water(a, b) & {"river", "lake"}:
                (zoc if strong else zoi).add(b)
    return zoc, zoi - zoc


def over_river(w: World, a: str, enemy: str) -> bool:
    """10.6.2.1 Whether an enemy with a zone stands across a river from a hex: a ZOC for who crosses one there."""
    if w.terrain(a) in ("town", "forest"):
        return False
    return any("river" in w.water(a, b) and any(m.zoned for m in w.here(b, enemy)) for b in w.around(a))


# --- 9 movement -------------------------------------------------------------------------------------------------------


def column(w: World, m: Man, mode: str) -> str:
    """9.1, 9.1.1, 18.5.2"""
    if m.move != "armor" and (mode == "on_foot" or "on_foot" in m.marks):
        return "foot"
    return "motorized" if "truck" in m.marks else m.move


def allowance(w: World, m: Man, mode: str) -> int:
    """9.1.1, 9.3, 9.7, 12.17.2, 13.5"""
    cls = column(w, m, mode)
    found = w.whole(m).ma
    if "truck" in m.marks:
        found = 10
    if cls == "foot" and m.move != "foot":
        found = 5
    if cls != "foot":
        found = -(-found // 4) if "OOS2" in m.marks else half(found) if "OOS1" in m.marks else found
    if m.marks & BAD:
        found = half(found)
    found -= (1 if cls == "foot" else 2) * (w.mud + (mode == "reserve"))
    return max(found, 0)


def terrain_cost(w: World, m: Man, mode: str, a: str, b: str) -> Fraction | str | None:
    """9.2 What one step costs a unit: points, "all", or None where it may not."""
    there, back = _one_way(w, m, mode, a, b), _one_way(w, m, mode, b, a)
    return None if back is None and there != "all" else there


def _one_way(w: World, m: Man, mode: str, a: str, b: str) -> Fraction | str | None:
    cls = column(w, m, mode)
    where = f"{cls}_{'mud' if w.mud else 'frozen'}"
    rows, words = table("terrain"), w.water(a, b)
    if "lake" in words or "dnepr" in (w.terrain(a), w.terrain(b)):
        return None
    kinds = [k for k in w.road(a, b) if rows[k][where] != "no"]
    if kinds:
        fast = [rows.get(f"{k}_strategic", rows[k]) if mode == "strategic" else rows[k] for k in kinds]
        return min(F(row[where]) for row in fast)
    land = rows[w.terrain(b)][where]
    bridged = w.built(a, b) not in ("", *(["K"] if m.type in HEAVY else []))
    if land == "no":
        return None
    total = F(land)
    for word in words:
        cost = rows[word][where]
        if bridged:
            continue
        if word == "river":
            fords = m.armor or m.type == "reconnaissance" or (m.infantry and m.move == "foot" and cls == "foot")
            if w.ford(a, b, m.side) and fords:
                total += F(rows["ford"][where])
                continue
            if cls == "foot" and m.infantry:
                return "all"
            return None
        if cost == "no":
            return None
        total += F(cost)
    return total


def may_pass(w: World, m: Man, party: Sequence[Man]) -> bool:
    """10.3 Whether a unit of a party may go from ZOC to ZOC."""
    if m.side == "german":
        return m.armor or (m.infantry and m.attack)
    if w.star(m):
        return True
    if m.type in WALKERS or m.type.startswith("SU-"):
        return any(w.star(x) and can_stack(w, [m, x], "clear") for x in party)
    if m.type == "cavalry":
        return any(x.stays == m.id for x in party)
    return any(m.stays == x.id and x.type == "cavalry" for x in party)


Label = tuple[Fraction, ...]


def priced(w: World, party: Sequence[Man], mode: str, a: str, b: str) -> tuple[Label | str, bool, bool] | None:
    """9.2, 10.2-10.4 One step of a party: prices by unit or "all", whether it ends, whether it is ZOC to ZOC."""
    side = party[0].side
    enemy = "soviet" if side == "german" else "german"
    ignores = all(m.role == "partisans" for m in party)
    zoc, zoi = (set(), set()) if ignores else cached_zones(w, enemy)
    if b in w.held(enemy):
        return None
    if any(m.role == "partisans" for m in party) and w.terrain(b) not in ("woods", "forest"):
        return None
    costs = [terrain_cost(w, m, mode, a, b) for m in party]
    if None in costs:
        return None
    leaves = a in zoc or ("river" in w.water(a, b) and not ignores and over_river(w, a, enemy))
    able = all(may_pass(w, m, party) for m in party)
    if leaves and b in zoc and not able:
        return None
    mined = side == "german" and a in w.mines.get(b, set())
    if mined and any(m.gun or m.type in ANTI for m in party):
        return None
    ends = (side == "soviet" and not able and b in zoc) or (mined and any(m.infantry for m in party))
    if "all" in costs:
        return "all", True, leaves and b in zoc
    rows, total = table("terrain"), []
    for m, cost in zip(party, costs, strict=True):
        where = f"{column(w, m, mode)}_{'mud' if w.mud else 'frozen'}"
        out = "leave_zoc" if leaves else "leave_zoi" if a in zoi else ""
        into = "enter_zoc" if b in zoc else "enter_zoi" if b in zoi else ""
        assert isinstance(cost, Fraction)
        total.append(cost + sum(F(rows[x][where]) for x in (out, into) if x))
    return tuple(total), ends, leaves and b in zoc


def cached_zones(w: World, side: str) -> tuple[set[str], set[str]]:
    if side not in w.zoned:
        w.zoned[side] = zones(w, side)
    return w.zoned[side]


def reach(w: World, party: Sequence[Man], mode: str) -> dict[str, set[tuple[Label, bool]]]:
    """9.0 All hexes a party can be in, with what each unit has spent: every way is tried."""
    side, start = party[0].side, party[0].at
    enemy = "soviet" if side == "german" else "german"
    most = F(min(allowance(w, m, mode) for m in party))
    near = {h for h in w.hexes if any(w.far(h, x) < 3 for x in w.held(enemy))} if mode == "strategic" else set()
    labels: dict[str, set[tuple[Label, bool]]] = {start: {((F(0),) * len(party), True)}}
    work = [(start, (F(0),) * len(party), True)]
    while work:
        a, spent, goes_on = work.pop()
        if not goes_on or (spent, goes_on) not in labels[a]:
            continue
        for b in w.around(a):
            step = None if b in near or b == start else priced(w, party, mode, a, b)
            if step is None:
                continue
            cost, ends, _ = step
            if cost == "all":
                if a != start or mode == "strategic":
                    continue
                total: Label = (most,) * len(party)
            else:
                total = tuple(x + y for x, y in zip(spent, cost, strict=True))  # type: ignore[arg-type]
            if max(total) > most:
                if a != start:
                    continue
                total, ends = tuple(max(x, most) for x in total), True
            found = [(total, not ends)]
            slowed = a in w.mines.get(b, set()) and side == "german" and all(m.armor for m in party)
            if slowed and not ends:
                onward = tuple(x + 3 for x in total)
                found = [(total, False), *([(onward, True)] if max(onward) <= most else [])]
            for label in found:
                _add(labels, work, b, label)
    del labels[start]
    return labels


def _add(labels: dict[str, set[tuple[Label, bool]]], work: list[tuple[str, Label, bool]], b: str,
         label: tuple[Label, bool]) -> None:  # fmt: skip
    def betters(x: tuple[Label, bool], y: tuple[Label, bool]) -> bool:
        return all(p <= q for p, q in zip(x[0], y[0], strict=True)) and (x[1] or not y[1])

    known = labels.setdefault(b, set())
    if any(betters(k, label) for k in known):
        return
    labels[b] = {k for k in known if not betters(label, k)} | {label}
    work.append((b, *label))


def shots(w: World, party: Sequence[Man], path: Sequence[str]) -> list[tuple[str, str, int]]:
    """9.11 Who may fire on a way: from which hex, where, with how many dots; each hex once."""
    if not any(m.armor for m in party):
        return []
    enemy = "soviet" if party[0].side == "german" else "german"
    found, fired = [], set()
    for a, b in pairwise(path):
        if w.terrain(a) != "clear" or w.terrain(b) != "clear":
            continue
        for e in w.around(b):
            if e in fired or a not in w.around(e) or "river" in w.water(e, b):
                continue
            best = 0
            for m in w.here(e, enemy):
                dots = w.white(m) if m.armor else 2 if m.type == "flak_88" and "intercept_88" in w.options else 0
                if not m.marks & BAD:
                    best = max(best, dots)
            if best:
                found.append((e, b, best))
                fired.add(e)
    return found


def group(w: World, m: Man) -> list[Man]:
    """4.5.4, 4.5.5"""
    found = [m] + [x for x in w.here(m.at, m.side) if x is not m and (x.stays == m.id or m.stays == x.id)]
    return sorted(found, key=lambda x: x.id)


# --- 11 stacking ------------------------------------------------------------------------------------------------------


def can_stack(w: World, men: Sequence[Man], terrain: str) -> bool:
    """11.0"""
    if len(men) > (2 if terrain == "forest" else 3):
        return False
    pairs = [(a, b) for i, a in enumerate(men) for b in men[i + 1 :]]
    if men[0].side == "german":
        regiments = [m for m in men if m.infantry and m.size in ("regiment", "regiment_group", "division_group")]
        return len(regiments) <= 2 and all(_germans(w, a, b) for a, b in pairs)
    if len(men) > 1 and any(m.role in ("partisans", "barrage") for m in men):
        return False
    divisions = [m for m in men if m.size == "division"]
    brigades = [m for m in men if m.size == "brigade" and (m.armor or m.type in WALKERS)]
    together = {w.whole(m).id for m in men}
    if any(m.stays and w.by_id[m.stays].at and m.stays not in together for m in men if m.stays in w.by_id):
        return False
    return len(divisions) <= 1 and len(brigades) <= 2 and all(_soviets(w, a, b) for a, b in pairs)


def _germans(w: World, a: Man, b: Man) -> bool:
    for x, y in ((a.army, b.army), (a.corps, b.corps)):
        if x and y and x != y:
            return False
    apart = a.division and b.division and a.division != b.division
    return not apart or w.cadre(a) or w.cadre(b)


def front(m: Man) -> str:
    return "1Uk" if m.corps == "5GCC" else m.front


def _soviets(w: World, a: Man, b: Man) -> bool:
    if front(a) != front(b) or (a.army and b.army and a.army != b.army):
        return False
    if (a.army != b.army) and ((not a.army and a.corps) or (not b.army and b.corps)):
        return False
    if a.corps and b.corps and a.corps != b.corps:
        return False
    one, two = _division(a), _division(b)
    if one and two and one != two:
        return False
    return not ((one and b.corps and b.corps != a.corps) or (two and a.corps and a.corps != b.corps))


def _division(m: Man) -> str:
    return m.division or (m.id if m.type == "fortified_area" else "")
