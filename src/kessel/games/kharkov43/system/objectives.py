"""9.1 Soviet front and army objectives: when markers are placed, relocated and removed."""

from __future__ import annotations

from collections.abc import Iterable

from kessel.core.breakdown import Refusal
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.tables import Table
from kessel.games.kharkov43.board import ENTERED, Board
from kessel.games.kharkov43.data.cards import Turns
from kessel.games.kharkov43.data.forces import FORMATIONS, FRONTS, GERMAN, SOVIET
from kessel.games.kharkov43.movement.proximity import is_proximate
from kessel.games.kharkov43.supply.supply import can_trace
from kessel.games.kharkov43.system.objective_markers import (
    ARMIES,
    LAST_STAGE,
    place_army_objective,
    place_objective,
    printed_hex,
    remove_objective,
    stage_of,
)
from kessel.games.kharkov43.system.terms.terminology import unoccupied_hexes

CHECKED = Turns("1-7")
"""9.0 step 1."""
SUPPLY_PHASE_CHECK = 7


# --- 9.11 relocation -------------------------------------------------------------------------------------------------


def why_relocated(g: Board, front: str) -> Refusal | None:
    """9.11 The unit of the front that has come close enough to its objective; None if the marker remains."""
    objective = g.objective_of(front)
    if objective == NO_HEX or stage_of(g, front) >= LAST_STAGE:
        return None
    name, german = g.ground.name(objective), g.hexes_of(GERMAN) >> objective & 1
    for u in g.ascending(u for u in g.on_map_of(SOVIET) if g.forces.higher[u] == front):
        if g.place[u] == objective:
            return Refusal("9.11", f"{g.name(u)} is in {name}")
        if german and g.map.grid.adjacent(g.place[u], objective):
            return Refusal("9.11", f"{g.name(u)} is beside German-occupied {name}")
        if not german and unoccupied_hexes(g, u) >> objective & 1 and is_proximate(g, u, objective):
            return Refusal("9.11", f"{g.name(u)} is proximate to unoccupied {name}")
    return None


def placement_table(g: Board, front: str) -> Table:
    """9.11 From the first to the second objective, or from the second to the third."""
    return g.charts.table("second_objective" if stage_of(g, front) == 1 else "third_objective")


def new_objective(g: Board, front: str, die: int) -> str:
    """9.11 The cell of the table for the marker's hex and a die: `1116 W`."""
    table, here = placement_table(g, front), g.objective_of(front)
    row = next(r for r in table.rows if r and _numbered(g, r) == here)
    column = next(c for c in table.columns if _is_in(die, c))
    return table.at(row, column)


def _numbered(g: Board, number: str) -> Hex:
    return printed_hex(g, number) if number in g.map.grid else NO_HEX


def _is_in(die: int, column: str) -> bool:
    low, _, high = column.partition("-")
    return int(low) <= die <= int(high or low)


def is_listed(g: Board, front: str) -> bool:
    """Whether the placement table has a row for the marker's hex with hexes of this board.

    A hand-written position may put the marker anywhere, and a small board may lack the hexes it would move to.
    """
    here, table = g.objective_of(front), placement_table(g, front)
    rows = [row for row in table.rows if _numbered(g, row) == here]
    return any(all(table.at(row, c).partition(" ")[0] in g.map.grid for c in table.columns) for row in rows)


def check_objective(g: Board, front: str) -> None:
    """9.0 step 1: relocate the marker of the active front if it must be; at most once in an activation."""
    if g.turn not in CHECKED or not g.has_objective(front):
        return
    why = why_relocated(g, front)
    if why is None or not is_listed(g, front):
        return
    die = g.die(g.charts.constants.die)
    text = new_objective(g, front, die)
    place_objective(g, front, text, stage_of(g, front) + 1)
    where = f"{g.ground.name(g.objective_of(front))} {text.split()[1]}"
    g.tell(
        f"{why.reason}: the objective of the {front} Front moves to {where} (die {die})",
        "9.11",
        objective=front,
        die=die,
    )


# --- 9.13 first activation -------------------------------------------------------------------------------------------


def place_army_objectives(g: Board, armies: Iterable[str]) -> None:
    """9.13 Upon the first activation of 40th or 1st Guards Army by any card, while its front's marker is in play."""
    for army in armies:
        if army in ARMIES and g.has_objective(FORMATIONS[army].higher):
            place_army_objective(g, army)


# --- 9.12 removal ----------------------------------------------------------------------------------------------------


def third_objectives(g: Board) -> list[tuple[str, Hex]]:
    """The fronts whose marker lies in its third objective hex, and that hex."""
    return [(f, g.objective_of(f)) for f in FRONTS if stage_of(g, f) == LAST_STAGE and g.has_objective(f)]


def forget_entries(g: Board) -> None:
    """9.12 A new activation: nobody has entered a third objective hex in it yet."""
    for _, h in third_objectives(g):
        if g.has_mark(h, ENTERED):
            g.mark(h, ENTERED, False)


def check_third_objectives(g: Board) -> None:
    """9.12 At the end of a Soviet activation in which a unit of either front entered a third objective hex.

    It need not be there any more: it may have advanced from the hex, or have been removed to the reserve.
    """
    for front, h in third_objectives(g):
        if g.has_mark(h, ENTERED):
            g.mark(h, ENTERED, False)
            remove_objective(g, front, f"a Soviet unit has entered {g.ground.name(h)}", "9.12")


def check_in_supply_phase(g: Board) -> None:
    """4.III step 5, 9.12 On game-turn 7: a marker with no unit beside it that can trace reserve supply is removed."""
    if g.turn != SUPPLY_PHASE_CHECK:
        return
    for front in FRONTS:
        objective = g.objective_of(front)
        if objective == NO_HEX:
            continue
        near = g.map.grid.near[objective] | 1 << objective
        if not any(
            near >> g.place[u] & 1 and can_trace(g, g.place[u], SOVIET, reserve=True) for u in g.on_map_of(SOVIET)
        ):
            remove_objective(g, front, "no unit in reserve supply is adjacent to it", "9.12")
