"""12.4-12.6 Odds, column shifts and chances of one attack: numbers that explain themselves.

Used by the combat procedure, by the preview of an attack and by `kessel analyze`; there is no other place where they
are computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kessel.core.breakdown import Breakdown
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.games.don42.board import DPT, GUEST, OOS, OTHER, POSITION_WORDS, RTD, Board
from kessel.games.don42.combat.combined_arms import why_not_attacker_bonus, why_not_defender_bonus
from kessel.games.don42.combat.quality import quality_shift, rating
from kessel.games.don42.data.charts import QUALITIES
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.data.terrain import DON, GORGE


@dataclass(slots=True)
class Odds:
    """One attack, worked out as far as the die."""

    attack: Breakdown
    defence: Breakdown
    ratio: str
    table: str
    shifts: Breakdown
    column: int
    results: tuple[str, ...]
    """The result of each die roll, 1 to 6."""

    def as_json(self) -> dict[str, Any]:
        chances = Counter(self.results)
        return {
            "attack": self.attack.as_json(),
            "defence": self.defence.as_json(),
            "ratio": self.ratio,
            "table": self.table,
            "shifts": self.shifts.as_json(),
            "column": self.column,
            "results": {str(die): result for die, result in enumerate(self.results, start=1)},
            "chances": {result: f"{n}/6" for result, n in chances.items()},
        }


# --- 12.2-12.4 strengths -------------------------------------------------------------------------------------------


def attack_strength(g: Board, u: Unit) -> int:
    """A unit's Combat Strength in an attack: German units out of supply at half, each rounded down (4.3.2, 3.6)."""
    value = g.attack_value(u)
    return value // 2 if g.forces.side[u] == GERMAN and g.supply[u] == OOS else value


def attack_total(g: Board, attackers: Sequence[Unit], guns: Sequence[Unit]) -> Breakdown:
    b = Breakdown("attack")
    for u in attackers:
        halved = g.forces.side[u] == GERMAN and g.supply[u] == OOS
        what = f"{g.name(u)} out of supply, half of {g.attack_value(u)}" if halved else g.name(u)
        b.add(what, attack_strength(g, u), "4.3.2" if halved else "12.3")
    for u in guns:
        b.add(f"{g.name(u)} in support", g.attack_value(u), "12.3.1")
    return b


def defence_strength(g: Board, u: Unit) -> tuple[int, str, str]:
    """A unit's Combat Strength in defence, the rule it comes from and a word why."""
    if g.status[u] & GUEST:
        return 0, "13.3.4", "retreated here in this phase"
    value, rule, why = _in_disorder(g, u, g.defence_value(u))
    rule = rule or "12.2"
    if g.status[u] & RTD:
        return value, rule, why
    if g.forces.side[u] == SOVIET and g.supply[u] == OOS:
        value, rule = value // 2, "4.2.3"
        why = f"{why}, out of supply, half" if why else "out of supply, half"
    return value, rule, why


def _in_disorder(g: Board, u: Unit, value: int) -> tuple[int, str, str]:
    """12.4.1 What a unit in disorder defends with, be it in the hex or a gun in support of it."""
    if g.status[u] & RTD:
        return 1, "12.4.1", "RTD"
    if g.status[u] & DPT:
        return max(1, value // 2), "12.4.1", "DPT, half"
    return value, "", ""


def defence_total(g: Board, defenders: Sequence[Unit], guns: Sequence[Unit]) -> Breakdown:
    b = Breakdown("defence")
    for u in defenders:
        value, rule, why = defence_strength(g, u)
        b.add(f"{g.name(u)} ({why})" if why else g.name(u), value, rule)
    number = 1 if g.reads("defence_gun") == "defence" else 0
    for u in guns:
        value, rule, why = _in_disorder(g, u, g.forces.value[u][g.steps[u]][number])
        b.add(f"{g.name(u)} in support ({why})" if why else f"{g.name(u)} in support", value, rule or "12.3.1")
    if b.total < 1:
        b.add("a defence is at least 1", 1 - b.total, "3.6")
    return b


def odds_of(attack: int, defence: int) -> tuple[str, str, int]:
    """12.4, 12.5.1 The ratio, the table it uses and the columns for odds beyond the table.

    >>> odds_of(7, 3), odds_of(3, 7)
    (('2:1', '2:1', 0), ('1:3', '1:2', -1))
    """
    if attack >= defence:
        n = attack // defence
        return (f"{n}:1", "1:1", 0) if n == 1 else (f"{n}:1", "2:1", n - 2)
    n = -(-defence // attack) if attack else 99
    return f"1:{n}", "1:2", 2 - n


# --- 12.5 column shifts --------------------------------------------------------------------------------------------


def hexside_shift(g: Board, attackers: Sequence[Unit], target: Hex) -> tuple[int, str]:
    """12.5.2 Columns to the left for a river or gorge the attackers come across (switches hexside, bridged)."""
    grid, ground, chart = g.map.grid, g.ground, g.charts.terrain
    found: list[tuple[int, str]] = []
    for u in attackers:
        h = g.place[u]
        d = grid.direction(h, target)
        best = (0, "")
        if ground.gorge[d] >> h & 1:
            best = (chart[GORGE].shift, "a gorge")
        river = ground.don[d] if g.reads("bridged") == "shifts" else g.crossings.unbridged[d]
        if river >> h & 1 and chart[DON].shift > best[0]:
            best = (chart[DON].shift, "the Don")
        found.append(best)
    if not found:
        return 0, ""
    return min(found) if g.reads("hexside") == "all" else max(found)


def has_terrain_shift(g: Board, defenders: Sequence[Unit]) -> bool:
    """12.5.2 Routed defenders gain no terrain shift; a mixed stack by the switch mixed_rtd."""
    routed = [bool(g.status[u] & RTD) for u in defenders]
    return not (all(routed) if g.reads("mixed_rtd") == "all" else any(routed))


def shifts_of(
    g: Board,
    side: Side,
    attackers: Sequence[Unit],
    target: Hex,
    guns: Sequence[Unit],
    planes: int,
    defence_guns: Sequence[Unit],
    beyond: int,
    ratio: str,
) -> Breakdown:
    """12.5 All column shifts; the total is added to column 0."""
    defenders = g.units(target)
    b = Breakdown("shifts")
    if beyond:
        b.add(f"odds of {ratio}", beyond, "12.5.1")
    _terrain_shifts(g, b, attackers, target, defenders)
    if g.position[target] and OTHER[side] == GERMAN:
        word = POSITION_WORDS[g.position[target]].capitalize()
        b.add(f"{word} Position", -g.position[target], "12.5.3")
    refused = why_not_attacker_bonus(g, side, attackers, guns, defenders)
    if refused is None:
        b.add("attacker's Combined Arms", 1, "12.5.4")
    else:
        b.note(f"no Combined Arms for the attacker: {refused.reason}", "3.4")
    refused = why_not_defender_bonus(g, defenders)
    if refused is None:
        b.add("defender's Combined Arms", -1, "12.5.4")
    else:
        b.note(f"no Combined Arms for the defender: {refused.reason}", "3.4")
    _quality_shift(g, b, side, (*attackers, *guns), (*defenders, *defence_guns))
    if any(g.status[u] & DPT for u in defenders):
        b.add("a defending unit is DPT", 1, "12.5.6")
    if planes:
        b.add(f"{planes} air unit{'s' if planes > 1 else ''} in ground support", planes, "7.5")
    return b


def _terrain_shifts(g: Board, b: Breakdown, attackers: Sequence[Unit], target: Hex, defenders: Sequence[Unit]) -> None:
    if not has_terrain_shift(g, defenders):
        b.note("no terrain for routed defenders", "12.5.2")
        return
    shift, word = g.ground.hex_shift(target)
    if shift:
        b.add(f"defender in {word}", -shift, "12.5.2")
    across, what = hexside_shift(g, attackers, target)
    if across:
        b.add(f"attack across {what}", -across, "12.5.2")


def _quality_shift(g: Board, b: Breakdown, side: Side, attackers: Sequence[Unit], defenders: Sequence[Unit]) -> None:
    """12.5.5 Every ground unit whose strength counts is asked, guns in support too; air units and guests are not."""
    counted = list(attackers)
    if g.reads("zero_quality") == "ignored":
        counted = [u for u in counted if attack_strength(g, u)] or counted
    ours, _, how = rating(g, side, counted, [attack_strength(g, u) for u in counted])
    there = [u for u in defenders if not g.status[u] & GUEST] or list(defenders)
    theirs, rule, how_they = rating(g, OTHER[side], there, [defence_strength(g, u)[0] for u in there])
    shift = quality_shift(g, ours, theirs)
    text = f"quality {QUALITIES[ours]} ({how}) against {QUALITIES[theirs]} ({how_they})"
    if shift:
        b.add(text, shift, rule)
    else:
        b.note(text, rule, 0)


def work_out(
    g: Board,
    side: Side,
    attackers: Sequence[Unit],
    target: Hex,
    guns: Sequence[Unit] = (),
    planes: Sequence[Unit] = (),
    defence_guns: Sequence[Unit] = (),
) -> Odds:
    """The whole of 12.4-12.6 but the die."""
    attack = attack_total(g, attackers, guns)
    defence = defence_total(g, g.units(target), defence_guns)
    ratio, table, beyond = odds_of(attack.total, defence.total)
    shifts = shifts_of(g, side, attackers, target, guns, len(planes), defence_guns, beyond, ratio)
    crt = g.charts.crt[table]
    column = crt.shift("0", shifts.total)
    if int(column) != shifts.total:
        shifts.note("beyond the edge of the table", "12.5", f"column {column}")
    results = tuple(crt.at(die, column) for die in range(1, 7))
    return Odds(attack, defence, ratio, table, shifts, int(column), results)
