"""16.0 Victory Points, and those of each scenario (17.1.8, 17.2.8, 17.3)."""

from __future__ import annotations

from typing import Any

from kessel.core.forces import NO_UNIT, Side
from kessel.core.hexset import bits, within
from kessel.core.title import Outcome
from kessel.games.don42.board import Board
from kessel.games.don42.data.charts import turn_number
from kessel.games.don42.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.don42.supply.supply import has_ground_supply, is_fully_supplied, is_isolated


def hex_points(g: Board, side: Side) -> int:
    """16.1 The Victory Points of the hexes a side controls."""
    if not g.scenario.victory.get("geographic", True):
        return 0
    return sum(vp for (_, vp), owner in zip(g.objectives, g.control, strict=True) if owner == side)


def relief_points(g: Board) -> int:
    """Scenario 3: the Germans' prize if both divisions have a ground line at the end."""
    relief = g.scenario.victory.get("relief")
    if not relief:
        return 0
    return relief["vp"] if all(has_ground_way(g, d) for d in relief["divisions"]) else 0


def has_ground_way(g: Board, division: str) -> bool:
    """Whether the HQ of a division is in Attack Supply by ground."""
    hq = next((u for u in g.forces.of(division) if g.forces.hq[u]), NO_UNIT)
    return hq != NO_UNIT and g.on_map(hq) and has_ground_supply(g, hq)


def total(g: Board, side: Side) -> int:
    """The Victory Points a side would have if the game ended now."""
    return g.points(side) + hex_points(g, side) + (relief_points(g) if side == GERMAN else 0)


# --- at the end of each turn ---------------------------------------------------------------------------------------


def score_turn(g: Board) -> None:
    """Scenario points of a turn's end."""
    victory = g.scenario.victory
    if "volga" in victory:
        _score_volga(g, victory["volga"])
    if "interruption" in victory:
        _score_interruption(g, victory["interruption"])
    if "lingering" in victory:
        _score_lingering(g, victory["lingering"])


def at_the_volga(g: Board, doc: dict[str, Any]) -> list[int]:
    """17.1.8 Units of the XIV Panzer Corps in or next to Rynok, Latoshinka or Vinovka."""
    near = within(g.map.grid, bits(g.map.grid.hex(h) for h in doc["at"].split()), doc["within"])
    corps = g.command_index(doc["corps"])
    return [u for u in g.units_on_map(GERMAN) if g.command[u] == corps and near >> g.place[u] & 1]


def _score_volga(g: Board, doc: dict[str, Any]) -> None:
    """17.1.8 Two units at the Volga with a line to the Don; points for the Soviets until then, or when it is cut."""
    there = at_the_volga(g, doc)
    supplied = [u for u in there if is_fully_supplied(g) or has_ground_supply(g, u)]
    if len(supplied) >= doc["units"]:
        if not g.track("volga_met"):
            g.set_track("volga_met", 1)
            g.tell("the XIV Panzer Corps stands at the Volga with its line to the Don open", "17.1.8")
        return
    if g.track("volga_met"):
        if len(there) >= doc["units"]:
            g.award(SOVIET, doc["interruption"], "17.1.8", "the line of the XIV Panzer Corps to the Don is cut")
        return
    vp = doc["schedule"].get(g.turn_name, 0)
    if vp:
        g.award(SOVIET, vp, "17.1.8", "the XIV Panzer Corps has not reached the Volga in supply")


def _score_interruption(g: Board, doc: dict[str, Any]) -> None:
    """17.2.8 A point for each Corps whose HQ has no line to the Don."""
    if is_fully_supplied(g):
        return
    for name in doc["corps"]:
        corps = g.command_index(name)
        hq = g.forces.command_hq[corps]
        if hq != NO_UNIT and g.on_map(hq) and is_isolated(g, hq):
            g.award(SOVIET, doc["vp"], doc["rule"], f"{name} has no line to the Don")


def _score_lingering(g: Board, doc: dict[str, Any]) -> None:
    """17.2.8 German points for 35 Guards units still on the map."""
    if g.turn < turn_number(doc["from"]):
        return
    staying = [u for u in g.forces.of(doc["formation"]) if g.on_map(u)]
    if staying:
        g.award(GERMAN, doc["vp"] * len(staying), doc["rule"], f"{len(staying)} units of {doc['formation']} on the map")


# --- at the end ----------------------------------------------------------------------------------------------------


def outcome(g: Board) -> Outcome:
    """16.0, 17.1.10, 17.2.9 The player with the most Victory Points wins."""
    german, soviet = total(g, GERMAN), total(g, SOVIET)
    winner = None if german == soviet else max((GERMAN, SOVIET), key=(german, soviet).__getitem__)
    margin = abs(german - soviet)
    level = "draw" if winner is None else f"{SIDES[winner].capitalize()} victory by {margin} VP"
    rule = str(g.scenario.victory.get("rule", "16.0"))
    return Outcome(winner, level, rule, {SIDES[GERMAN]: german, SIDES[SOVIET]: soviet})


def standing(g: Board, side: Side) -> float:
    """The points of a side as they would count now, less the other's."""
    return float(total(g, side) - total(g, 1 - side))
