"""6.0 Combat air support: missions of a turn, and the counters in the cups."""

from __future__ import annotations

from kessel.core.breakdown import Breakdown
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import GERMAN, SOVIET, Board
from kessel.games.korsun44.data.charts import STORM
from kessel.games.korsun44.data.forces import AIR
from kessel.games.korsun44.special.wanda import wanda_modifier
from kessel.wargame.cups import draw, put_back

STORM_MODIFIER = -3
"""6.1 With the reading `minus_three` of storm_flight."""


def air_stage(g: Board) -> None:
    """3.2.B, 6.1 Each side finds its missions of the turn; what was left is lost (6.2)."""
    for name, track in (("german", "air_german"), ("1Uk", "air_1Uk"), ("2Uk", "air_2Uk")):
        _available(g, name, track)


def _available(g: Board, who: str, track: str) -> None:
    die = g.die()
    roll = availability_roll(g, who, die)
    if roll is None:
        found = 0
    elif who == "german":
        found = g.charts.german_missions(g.condition, roll.total)
    else:
        found = g.charts.soviet_missions(who, g.condition, roll.total)
    g.set_track(track, found)
    name = "the Germans have" if who == "german" else f"the {g.formation(who, '{} Front')} has"
    why = "nobody flies in a Storm" if roll is None else str(roll)
    rule = "6.1.1" if who == "german" else "6.1.2"
    g.tell(f"{name} {found} combat air support mission{'s' * (found != 1)}: {why}", rule, missions=found)


def availability_roll(g: Board, who: str, die: int) -> Breakdown | None:
    """6.1 The die with visibility and Operation Wanda; None where nobody flies."""
    rule = "6.1.1" if who == "german" else "6.1.2"
    b = Breakdown("availability roll").add("die", die, rule)
    if g.reads("visibility_air") == "table":
        more = g.charts.visibility[g.visibility].air
        if more is None and g.visibility == STORM and g.reads("storm_flight") == "minus_three":
            more = STORM_MODIFIER
        if more is None:
            return None
        if more:
            b.add("visibility", more, rule)
    if who == "german" and (wanda := wanda_modifier(g)):
        b.add("Operation Wanda", wanda, "16.3")
    return b


# --- 6.2 missions --------------------------------------------------------------------------------------------------


def air_track(g: Board, u: Unit) -> str:
    """6.2 The track that a mission for this unit is taken from: its Front's, or the German one."""
    return "air_german" if g.forces.side[u] == GERMAN else f"air_{g.front_of(u)}"


def missions(g: Board, track: str) -> int:
    return g.track(track)


def fly(g: Board, side: Side, track: str, h: Hex, rule: str) -> Unit:
    """6.2 One mission less, and a counter drawn unseen onto a combat hex; -1 if the cup is empty."""
    counter = draw(g, g.air, h + 1, g.forces.of_role[side][AIR], secret=True)
    if counter >= 0:
        g.set_track(track, g.track(track) - 1)
        g.tell(f"the {'German' if side == GERMAN else 'Soviet'} air force supports {g.hex_name(h)}", rule)
    return counter


def counter_at(g: Board, side: Side, h: Hex) -> Unit:
    """The air counter of a side on a combat hex; -1 for none. What it says is seen when the combat is resolved."""
    return next((u for u in g.forces.of_role[side][AIR] if g.air[u] == h + 1), -1)


def return_counters(g: Board) -> None:
    """6.2 At the end of the turn all counters go back into the cups."""
    for side in (GERMAN, SOVIET):
        put_back(g, g.air, g.forces.of_role[side][AIR])
