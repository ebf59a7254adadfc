"""12.53 Hits on Soviet defenders, one by one: retreat, stand, or a hold check; 12.54 hits on Soviet attackers."""

from __future__ import annotations

from typing import NamedTuple

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.hexes import Hex
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.battle import Battle, alive, counted, steps_of
from kessel.games.kharkov43.combat.chits import river_crossed
from kessel.games.kharkov43.combat.results.retreat import Hop, retreat_limit, soviet_hop
from kessel.games.kharkov43.data.forces import SOVIET
from kessel.games.kharkov43.supply.supply import can_trace
from kessel.games.kharkov43.system.cards.soviet_deck import is_small_pile

STAND, RETREAT, CHECK = "step loss", "retreat", "hold check"


class Verdict(NamedTuple):
    """12.53 What becomes of the next hit: by priority A, B or C (or 12.75), the retreat if any, and the hold chance."""

    letter: str
    what: str
    why: str
    hops: tuple[Hop, ...] = ()
    chance: Breakdown | None = None


def judge_hit(g: Board, b: Battle) -> Verdict:
    """12.53 The first priority that applies to the next hit on the Soviet defenders."""
    if b.must_go_on and (hops := tuple(soviet_hop(g, b, b.defender_hits - 1))):
        return Verdict("12.75", RETREAT, "the hex is overstacked", hops)
    limit, why = retreat_limit(g, b)
    if b.retreated >= limit:
        reason = why.reason if why else f"they have retreated {'one hex' if b.retreated == 1 else 'two hexes'}"
        return Verdict("A", STAND, reason)
    hops = tuple(soviet_hop(g, b, b.defender_hits - 1))
    if not hops:
        return Verdict("A", STAND, "they have nowhere to retreat to")
    steps = steps_of(g, b.defenders)
    why_so = f"{counted(b.defender_hits, 'hit')} on {counted(steps, 'step')}"
    if b.defender_hits >= steps:
        return Verdict("B", RETREAT, why_so, hops)
    return Verdict("C", CHECK, why_so, hops, hold_chance(g, b, hops))


def hold_chance(g: Board, b: Battle, hops: tuple[Hop, ...]) -> Breakdown:
    """12.53 C. A49: after a retreat of one hex, VPs, terrain and river are still those of the combat hex."""
    value = g.charts.table("hold_chance").number
    units = alive(g, b.defenders)
    found = Breakdown("hold chance")
    found.add("steps of the defending units", steps_of(g, units) * value("each_defending_step", "value"), "12.53")
    h = _judged_hex(g, b)
    if vp := g.ground.vp_value(h):
        found.add(f"VP value {vp}", vp * value("each_vp_of_hex", "value"), "12.53")
    terrain = g.map.terrain[h]
    if bonus := g.charts.table("terrain").number(terrain, "hold"):
        found.add(terrain, bonus, "12.53")
    if h == b.target and (river := river_crossed(g, b)):
        bonus = g.charts.table("hexsides").number(river, "hold")
        found.add("all attackers across Donets or Dniepr hexsides", bonus, "12.53")
    if not all(can_trace(g, g.place[u], SOVIET) for u in units):
        found.add("supply can't be traced", value("supply_not_traceable", "value"), "12.53")
    if all(hop.entry.costs_step for hop in hops):
        found.add("every retreat costs a step", value("every_retreat_costs_a_step", "value"), "12.53")
    if b.retreated:
        found.add("already retreated one hex", value("already_retreated_one_hex", "value"), "12.53")
    return found


def _judged_hex(g: Board, b: Battle) -> Hex:
    if b.retreated and g.reads("second_hold_check") == "present_hex":
        return g.place[alive(g, b.defenders)[0]]
    return b.target


# --- 12.54 Soviet attackers ------------------------------------------------------------------------------------------


class HitResult(NamedTuple):
    """12.54 One cell of the table: steps removed, then all attackers dispersed; or all eliminated."""

    text: str
    steps: int = 0
    disperse: bool = False
    eliminate: bool = False


def attacker_hit_result(g: Board, steps: int, hits: int, *, parenthetical: bool) -> HitResult:
    """12.54 By steps and hits left after the first step loss; hits beyond the last column are disregarded."""
    table = g.charts.table("attacker_hits")
    cell = table.at(table.clamp_row(steps), min(hits, len(table.columns))).split()
    text = cell[-1] if parenthetical else cell[0]
    if text == "E":
        return HitResult(text, eliminate=True)
    return HitResult(text, int(text.removesuffix("D") or 0), text.endswith("D"))


def why_parenthesis(g: Board, b: Battle) -> Refusal | None:
    """12.54 Why the parenthetical result is used: fewer than four cards, and no VP hex was vacated. None: it is not."""
    vacated = not any(g.place[u] == b.target for u in alive(g, b.defenders))
    if not is_small_pile(g) or (vacated and g.ground.vp_hexes >> b.target & 1):
        return None
    return Refusal("12.54", "fewer than four cards are left and no VP hex was vacated")
