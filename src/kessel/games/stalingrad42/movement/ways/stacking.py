"""4.0 Stacking."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, Action, Options, Out, Procedure, ask
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import CROWDED, FROZEN, RETREATED
from kessel.games.stalingrad42.combat.losses import eliminate
from kessel.games.stalingrad42.data.forces import AXIS


def is_counted_for_stacking(g: Board, u: Unit) -> bool:
    """4.1, 4.2 Combat Units count; Non-Combat Units and ASUs never do, nor a Reserve Army still frozen (31.0)."""
    if not g.forces.combat[u] or g.forces.is_asu[u]:
        return False
    return not (g.status[u] & FROZEN and is_reserve_army_unit(g, u))


def is_reserve_army_unit(g: Board, u: Unit) -> bool:
    """31.0 The 5th to 8th Reserve Armies ignore stacking until released."""
    return any(group.startswith("reserve_army_") for group in g.forces.groups[u])


def stacking_limit(g: Board, units: list[Unit], side: Side) -> tuple[int, int, str]:
    """4.1, 4.3 Combat Units and Free Stacking Units a hex with these units may hold, and the rule."""
    case = "axis" if side == AXIS else "soviet"
    if side != AXIS and any(g.forces.type[u] == "army_hq" for u in units):
        case = "soviet_with_army_hq"
    t = g.charts.table("stacking")
    return t.number(case, "combat_units"), t.number(case, "free_stacking_units"), t.at(case, "rule")


def is_tank_or_mech_corps(g: Board, u: Unit) -> bool:
    return g.forces.size[u] == "corps" and g.forces.type[u] in ("tank", "mechanized")


def corps_limit(g: Board, units: list[Unit]) -> int | None:
    """4.3 With the 1st Guards or 5th Shock Army no more than two Tank or Mechanized corps; None: no such limit."""
    hqs = [u for u in units if g.forces.type[u] == "army_hq"]
    slow = [u for u in hqs if g.ma(u) <= 3]
    if not slow or (len(slow) < len(hqs) and g.reads("army_hq_restriction") == "lifted_by_tank_army"):
        return None
    return g.charts.table("stacking").number("guards_or_shock_hq_tank_mech_corps", "combat_units")


def stack_value(g: Board, units: list[Unit], side: Side) -> Breakdown:
    """How many Combat Units are too many (total), with the reasons; for units as they stand or as they would."""
    counted = [u for u in units if is_counted_for_stacking(g, u)]
    free = [u for u in counted if g.forces.free_stacking[u]]
    limit, free_slots, rule = stacking_limit(g, units, side)
    found = Breakdown("overstacked by")
    found.add("Combat Units", len(counted) - len(free), "4.1")
    if len(free) > free_slots:
        found.add("Free Stacking Units beyond the first", len(free) - free_slots, "4.2")
    found.add("limit", -limit, rule)
    if found.total < 0:
        found.add("room left", -found.total, rule)
    return found


def corps_excess(g: Board, units: list[Unit]) -> int:
    most = corps_limit(g, units)
    if most is None:
        return 0
    return max(0, sum(is_tank_or_mech_corps(g, u) and is_counted_for_stacking(g, u) for u in units) - most)


def stack_excess(g: Board, place: Place, side: Side) -> int:
    """By how many units a side's stack in a hex breaks the limits. Entry Areas have none (22.4)."""
    if not g.map.is_hex(place):
        return 0
    f = g.forces
    units = [u for u in g.units(place) if f.side[u] == side]
    full = free = 0
    for u in units:
        if f.combat[u] and not f.is_asu[u]:
            if f.free_stacking[u]:
                free += 1
            else:
                full += 1
    if full + max(0, free - 1) <= 2:  # no limit is lower, and three corps are too many only where there are three
        return 0
    return max(0, stack_value(g, units, side).total, corps_excess(g, units))


def overstacked(g: Board, side: Side) -> list[Place]:
    """All hexes in which a side breaks the limits."""
    return [h for h in members(g.sets[CROWDED + side]) if stack_excess(g, h, side)]


def too_many(g: Board, side: Side, phase: str, *, spared: int = 0) -> str:
    """4.4 What the side must be told while units of it would be eliminated at the end of the phase; those in a spared
    state are not counted."""
    found = []
    for h in overstacked(g, side):
        units = [u for u in g.units(h) if g.forces.side[u] == side and not g.status[u] & spared]
        if why := why_not_stack(g, units, side):
            n = max(stack_value(g, units, side).total, corps_excess(g, units))
            among = ", ".join(g.name(u) for u in excess_victims(g, h, side, spared=spared))
            found.append(
                f"{g.hex_name(h)} is over the stacking limit ({why.rule}: {why.reason}); {n} of {among} will be "
                f"eliminated at the end of the {phase} Phase."
            )
    return " ".join(found)


def why_not_stack(g: Board, units: list[Unit], side: Side) -> Refusal | None:
    """Why these units may not stand together at the end of a phase."""
    if corps_excess(g, units):
        return Refusal(
            "4.3", "no more than two Tank or Mechanized corps may stack with the 1st Guards or 5th Shock Army"
        )
    over = stack_value(g, units, side)
    if over.total > 0:
        limit, free, rule = stacking_limit(g, units, side)
        return Refusal(rule, f"the limit is {limit} Combat Units and {free} Free Stacking Unit")
    return None


def excess_victims(g: Board, place: Place, side: Side, *, spared: int = 0) -> list[Unit]:
    """4.4 The units of an overstacked hex whose loss helps; those in a spared state are not counted."""
    units = [u for u in g.units(place) if g.forces.side[u] == side and not g.status[u] & spared]

    def excess(held: list[Unit]) -> int:
        return max(0, stack_value(g, held, side).total) + corps_excess(g, held)

    return [u for u in units if is_counted_for_stacking(g, u) and excess([v for v in units if v != u]) < excess(units)]


@dataclass(slots=True)
class CorrectStacking(Procedure):
    """4.4 The phasing player eliminates what is too much; `only` names a single hex, -1 all hexes.

    Units that retreated in this phase may wait for his next Movement Phase (12.1.4): then they do not count.
    """

    side: int
    only: int = NOWHERE
    retreated: bool = True

    @ask("side", "4.4")
    def eliminate_excess(self, g: Board) -> Generator[Options, Action, Out]:
        """Too many units in a hex: choose one to eliminate."""
        places = [self.only] if self.only != NOWHERE else overstacked(g, self.side)
        found = (excess_victims(g, h, self.side, spared=0 if self.retreated else RETREATED) for h in places)
        _, u = yield Options([("eliminate", u) for u in next(filter(None, found), [])])
        eliminate(g, u, "4.4")
        return AGAIN
