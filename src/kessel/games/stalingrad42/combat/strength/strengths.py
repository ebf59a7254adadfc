"""8.5, 9.1, 9.5, 9.6, 9.8, 9.9 What units are worth in a combat.

The order is that of reading A78: Winter's one point less, each halving rounded up, doubling once at most, then the sum
and its cap. Every function adds to a `Breakdown`; a `Tally` counts without writing anything down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from kessel.core.board import Place
from kessel.core.breakdown import Breakdown
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import DISRUPTED, FULL_RETREAT, OOS, RETREATED, TRAIN
from kessel.games.stalingrad42.combat.strength.fortifications import has_fort
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.crossings import wet
from kessel.games.stalingrad42.movement.ways.stacking import is_counted_for_stacking, stack_value
from kessel.wargame.board import other


class Attack(NamedTuple):
    """One combat: who attacks which hex with what."""

    side: Side
    target: Hex
    units: tuple[Unit, ...]
    breakthrough: bool = False
    excess: tuple[Unit, ...] = ()
    """Defenders beyond the Stacking Limit: they contribute nothing (15.3.2)."""
    air: int = -1
    """The attacker's Air Unit, -1 for none."""
    guns: tuple[Unit, ...] = ()
    """ASUs and Supply Points that give an Artillery Shift (9.4)."""
    defensive_air: int = -1
    tired: tuple[Unit, ...] | None = None
    """12.4 The defenders that had retreated into the hex when it was attacked; None: as the board stands."""
    doubled_by: str | None = None
    """9.5.1 Why the attackers' way doubled the defenders when they attacked; None: as the board stands."""


@dataclass(slots=True)
class Tally(Breakdown):
    """A breakdown that only counts."""

    def add(self, what: str, value: int, rule: str) -> Breakdown:
        self.total += value
        return self

    def times(self, what: str, factor: int, rule: str) -> Breakdown:
        self.total *= factor
        return self

    def halve(self, what: str, rule: str, *, up: bool = True) -> Breakdown:
        self.total = -(-self.total // 2)
        return self

    def cap(self, what: str, most: int, rule: str) -> Breakdown:
        self.total = min(self.total, most)
        return self

    def note(self, what: str, rule: str, value: int | float | str = "") -> Breakdown:
        return self

    def join(self, other: Breakdown) -> Breakdown:
        self.total += other.total
        return self


def sheet(name: str, quiet: bool) -> Breakdown:
    return Tally(name) if quiet else Breakdown(name)


# --- where the attackers come from -----------------------------------------------------------------------------------


class Approach(NamedTuple):
    """How a unit attacks a hex (9.5)."""

    halved: bool
    """Over a Major River."""
    river: bool
    """Over a river of any kind."""
    marsh: bool
    """Out of a Marsh."""

    @property
    def doubles(self) -> bool:
        """9.5.1 If all units attack like this, the defender is doubled."""
        return self.river or self.marsh


PLAIN = Approach(False, False, False)


def approach(g: Board, place: Place, target: Hex) -> Approach:
    """Units in a Contested City (29.1.3) or an Entry Area (22.7) cross nothing."""
    if place == target or not g.map.is_hex(place):
        return PLAIN
    return _approach(g, place, target)


@fact(NOW)
def _approach(g: Board, place: Hex, target: Hex) -> Approach:
    d = g.map.grid.offsets.index(target - place)
    w = wet(g)
    marsh = g.charts.terrain[g.terrain(place)].doubles_attacked_from
    return Approach(bool(w.halved[d] >> place & 1), bool(w.river[d] >> place & 1), marsh)


# --- attack ----------------------------------------------------------------------------------------------------------


def is_in_winter(g: Board, u: Unit) -> bool:
    """23.4 Axis units on or north of hex row 43 in a Winter turn."""
    if g.tracks[0] < g.winter_turn or g.forces.side[u] != AXIS or not g.on_map(u):
        return False
    return g.ground.row(g.place[u]) <= g.charts.constant("winter_last_row")


def unit_attack(g: Board, u: Unit, target: Hex, quiet: bool = True) -> Breakdown:
    """What one unit adds to an attack."""
    b = sheet(g.name(u), quiet)
    b.add(g.name(u), g.face(u).attack, "8.3")
    _winter_or_oos(g, u, b)
    way = approach(g, g.place[u], target)
    if way.halved:
        b.halve(f"{g.name(u)} attacks over a Major River", "9.5.2")
    if reason := attack_doubled(g, u, target):
        b.times(f"{g.name(u)} {reason[0]}", 2, reason[1])
    return b


@fact(NOW)
def attack_value(g: Board, u: Unit, target: Hex) -> int:
    """The total of `unit_attack`, kept while the board stands."""
    return unit_attack(g, u, target).total


def _winter_or_oos(g: Board, u: Unit, b: Breakdown) -> None:
    """23.4 The penalties of Winter and of being Out of Supply are not cumulative (reading A63)."""
    oos = bool(g.status[u] & OOS)
    cold = g.tracks[0] >= g.winter_turn and is_in_winter(g, u)
    if not (cold and _winter(g, u, b, g.charts.constant("winter_minimum_attack"), oos)) and oos:
        b.halve(f"{g.name(u)} is Out of Supply", "16.4")


def _winter(g: Board, u: Unit, b: Breakdown, least: int, halved: bool) -> bool:
    """23.4 The loss of Winter, unless the unit is halved and that leaves it with less; whether Winter counts."""
    cold = max(b.total - 1, min(least, b.total))
    if halved and g.reads("winter_and_states") != "winter_only" and cold >= -(-b.total // 2):
        return False
    if cold != b.total:
        b.add(f"{g.name(u)} in Winter", cold - b.total, "23.4")
    return True


def attack_doubled(g: Board, u: Unit, target: Hex) -> tuple[str, str] | None:
    """9.6.1, 20.2 Axis Mountain units into Mountain, not over Alpine hexsides (9.6.2); 20.9 Linden into Cities."""
    f = g.forces
    if (f.mountain[u] and f.side[u] == AXIS) or f.doubled[u] == "mountain":
        if g.ground.mountain >> target & 1 and not _over_alpine(g, u, target):
            return "attacks into a Mountain hex", "9.6.1"
    elif f.doubled[u] == "city" and g.ground.city >> target & 1:
        return "attacks a City", "20.9"
    return None


def _over_alpine(g: Board, u: Unit, target: Hex) -> bool:
    here = g.place[u]
    if not g.map.is_hex(here) or here == target:
        return False
    d = g.map.grid.offsets.index(target - here)
    return bool(g.season.alpine[d] >> here & 1) and not g.ground.road(here, d)


def attack_strength(g: Board, a: Attack, quiet: bool = True) -> Breakdown:
    """8.3, 8.5.1 The combined Attack Strength, at most 40."""
    b = sheet("attack", quiet)
    for u in a.units:
        if quiet:
            b.total += attack_value(g, u, a.target)
        else:
            b.join(unit_attack(g, u, a.target, quiet))
    return b.cap("no more factors count", g.charts.constant("attack_cap"), "8.5.1")


# --- defense ---------------------------------------------------------------------------------------------------------


def defenders(g: Board, a: Attack) -> list[Unit]:
    """All enemy Combat Units in the hex."""
    enemy, f = other(a.side), g.forces
    return [u for u in g.units(a.target) if f.side[u] == enemy and f.combat[u]]


def retreated_into(g: Board, a: Attack, units: list[Unit]) -> list[Unit]:
    """12.4 Units that retreated in this phase into a hex with others that did not: they do not count; but they do
    against Breakthrough Combat (15.3.2)."""
    if a.breakthrough:
        return []
    if a.tired is not None:
        return [u for u in units if u in a.tired]
    tired = [u for u in units if g.status[u] & RETREATED]
    return tired if len(tired) < len(units) else []


def contributors(g: Board, a: Attack) -> list[Unit]:
    """The defenders whose Defense Strength counts; parenthesized ones only alone, and then the strongest (9.8)."""
    known, key = _memo_of_contributors(g), (a.side, a.target, a.breakthrough, a.excess, a.tired)
    found = known.get(key)
    if found is None:
        found = known[key] = _contributors(g, a)
    return found


@fact(NOW)
def _memo_of_contributors(g: Board) -> dict[tuple[Any, ...], list[Unit]]:
    """By all of an attack that bears on the defenders."""
    return {}


def beyond_limit(g: Board, a: Attack) -> list[Unit]:
    """15.3.2 The defenders of whom one more must be left out; [] where the stack observes the limit.

    Units that contribute nothing anyway are the first to be in excess.
    """
    side = other(a.side)
    units = defenders(g, a)
    tired = retreated_into(g, a, units)
    counted = [
        u
        for u in units
        if is_counted_for_stacking(g, u) and not g.status[u] & FULL_RETREAT and u not in tired and u not in a.excess
    ]
    if len(counted) < 3:
        return []
    hqs = [u for u in g.units(a.target) if g.forces.side[u] == side and not g.forces.combat[u]]
    return counted if stack_value(g, [*counted, *hqs], side).total > 0 else []


def in_excess(g: Board, a: Attack) -> tuple[Unit, ...]:
    """15.3.2, 10.2.1 The defenders beyond the Stacking Limit: those chosen and, while more must be, the weakest."""
    while units := beyond_limit(g, a):
        weakest = min(units, key=lambda u: (unit_defense(g, u, a.target, doubled_by="").total, -u))
        a = a._replace(excess=(*a.excess, weakest))
    return a.excess


def _contributors(g: Board, a: Attack) -> list[Unit]:
    units = defenders(g, a)
    out = {*in_excess(g, a), *retreated_into(g, a, units)}
    fit = [u for u in units if not g.status[u] & FULL_RETREAT and u not in out]
    strong = [u for u in fit if not g.face(u).parenthesized]
    if strong or not fit:
        return strong
    return [max(fit, key=lambda u: (unit_defense(g, u, a.target, doubled_by="").total, -u))]


def unit_defense(g: Board, u: Unit, h: Hex, *, doubled_by: str, quiet: bool = True) -> Breakdown:
    """What one unit adds to the defense; `doubled_by`: why the attackers' way doubles all defenders (9.5.1)."""
    b = sheet(g.name(u), quiet)
    status = g.status[u]
    if status & FULL_RETREAT:
        return b.add(f"{g.name(u)} in Full Retreat", 0, "13.3.2")
    if status & TRAIN:
        return b.add(f"{g.name(u)} under a Train marker", 1, "5.6.4")
    b.add(g.name(u), g.face(u).defense, "8.3")
    _winter_or_disrupted(g, u, h, b)
    reason = terrain_doubles(g, u, h)
    if reason or doubled_by:
        what, rule = reason or (doubled_by, "9.5.1")
        b.times(f"{g.name(u)} {what}", 2, rule)
        if reason and doubled_by:
            b.note("doubled once only", "9.1")
    return b


def _winter_or_disrupted(g: Board, u: Unit, h: Hex, b: Breakdown) -> None:
    """23.4 Winter is not cumulative with Disruption (reading A63)."""
    disrupted = bool(g.status[u] & DISRUPTED)
    cold = g.tracks[0] >= g.winter_turn and is_in_winter(g, u) and not has_winter_shelter(g, h)
    if not (cold and _winter(g, u, b, g.charts.constant("winter_minimum_defense"), disrupted)) and disrupted:
        b.halve(f"{g.name(u)} is Disrupted", "13.2.1")


def has_winter_shelter(g: Board, h: Hex) -> bool:
    """23.4 Cities, Towns, completed Fortifications and hexes next to a friendly Major City spare the Axis the loss."""
    if (g.ground.city | g.ground.town) >> h & 1 or has_fort(g, h, AXIS):
        return True
    near = g.map.grid.near[h] & g.ground.major_city & g.control_hexes[AXIS]
    return any(g.adjacent(h, n) for n in members(near))


def terrain_doubles(g: Board, u: Unit, h: Hex) -> tuple[str, str] | None:
    """9.5.4, 9.6.1, 9.6.3 Whether the terrain of its hex doubles a defender, and by which rule."""
    word = g.charts.terrain[g.terrain(h)].doubled
    if word == "none":
        return None
    if word == "all":
        return "in a Marsh", "9.5.4"
    f = g.forces
    if word == "infantry_type":
        return ("in a Mountain hex", "9.6.1") if f.infantry_type[u] else None
    if g.reads("city_doubling") == "infantry_type":
        return ("in a City", "2.3.3") if f.infantry_type[u] else None
    return ("in a City", "9.6.3") if is_doubled_in_city(g, u) else None


def is_doubled_in_city(g: Board, u: Unit) -> bool:
    """9.6.3 All units except ASUs, Soviet Tank Corps and silhouetted Tank Units."""
    f = g.forces
    if f.is_asu[u] or f.silhouette[u]:
        return False
    return not (f.side[u] == SOVIET and f.type[u] == "tank" and f.size[u] == "corps")


def way_doubles(g: Board, a: Attack) -> str:
    """9.5.1 Why the attackers' way doubles the defender: all of them over rivers or out of Marsh; "" if it does not."""
    if a.doubled_by is not None:
        return a.doubled_by
    places = {g.place[u] for u in a.units}
    if not places or not all(approach(g, p, a.target).doubles for p in places):
        return ""
    return "attacked only over rivers or out of Marsh"


def defense_strength(g: Board, a: Attack, quiet: bool = True) -> Breakdown:
    """8.3, 8.5.2 The combined Defense Strength, at most 20."""
    doubled_by = way_doubles(g, a)
    if quiet:
        known, key = _memo_of_defense(g), (a.side, a.target, a.breakthrough, a.excess, a.tired, doubled_by)
        if key not in known:
            known[key] = _sum_defense(g, a, doubled_by, quiet).total
        return Tally("defense", known[key])
    return _sum_defense(g, a, doubled_by, quiet)


@fact(NOW)
def _memo_of_defense(g: Board) -> dict[tuple[Any, ...], int]:
    """The same, by all of an attack that bears on the defenders."""
    return {}


def _sum_defense(g: Board, a: Attack, doubled_by: str, quiet: bool) -> Breakdown:
    b = sheet("defense", quiet)
    counted = contributors(g, a)
    for u in counted:
        b.join(unit_defense(g, u, a.target, doubled_by=doubled_by, quiet=quiet))
    if not quiet:
        _note_others(g, a, counted, b)
    return b.cap("no more factors count", g.charts.constant("defense_cap"), "8.5.2")


def _note_others(g: Board, a: Attack, counted: list[Unit], b: Breakdown) -> None:
    units = defenders(g, a)
    tired, excess = retreated_into(g, a, units), in_excess(g, a)
    for u in units:
        if u in counted:
            continue
        if g.status[u] & FULL_RETREAT:
            b.note(f"{g.name(u)} is in Full Retreat", "13.3.2", 0)
        elif u in excess:
            b.note(f"{g.name(u)} is beyond the Stacking Limit", "15.3.2", 0)
        elif u in tired:
            b.note(f"{g.name(u)} retreated in this phase", "12.4", 0)
        else:
            b.note(f"{g.name(u)} is parenthesized and not alone", "9.8", 0)


def declared(g: Board, a: Attack) -> Attack:
    """A combat as it is when it begins: steps lost in it change neither who had retreated nor whom rivers doubled."""
    return a._replace(tired=tuple(retreated_into(g, a, defenders(g, a))), doubled_by=way_doubles(g, a))


def was_doubled(g: Board, u: Unit, a: Attack) -> bool:
    """11.1.2 Whether a defender's strength was doubled in this combat."""
    if u not in contributors(g, a) or g.status[u] & TRAIN:
        return False
    return terrain_doubles(g, u, a.target) is not None or bool(way_doubles(g, a))
