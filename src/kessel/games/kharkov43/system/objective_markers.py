"""9.1 The objective markers themselves: placing, moving on, removing. When that happens is in `objectives`."""

from __future__ import annotations

from kessel.core.facts import GAME, fact
from kessel.core.hexes import NO_HEX, Hex
from kessel.games.kharkov43.board import ENTERED, FACINGS, NO_FACING, NOT_PLACED, OBJECTIVES, OFF_MAP, REMOVED, Board
from kessel.games.kharkov43.data.forces import FORMATIONS, FRONTS

ZMIYEV = "1311"
ARMIES = tuple(name for name in OBJECTIVES if name not in FRONTS)
"""The armies with an objective marker of their own."""
LAST_STAGE = 3


def printed_hex(g: Board, number: str) -> Hex:
    """The hex of a number in the tables; the reading A2 for Zmiyev, beside which the set-up pages print another."""
    return g.map.grid.hex(g.reads("zmiyev_objective") if number == ZMIYEV else number)


def place_objective(g: Board, name: str, text: str, stage: int = 1) -> None:
    """9.11 Put a front's objective marker in a hex with that side up: `1009 W`."""
    number, side = text.split()
    facing = next(k for k, word in enumerate(FACINGS) if word and word[0].upper() == side)
    _put(g, name, printed_hex(g, number), facing, stage)


def _put(g: Board, name: str, h: Hex, facing: int, stage: int) -> None:
    i = OBJECTIVES.index(name)
    g.objective[i], g.facing[i], g.stage[i] = h, facing, stage
    g.happened(OFF_MAP)


def stage_of(g: Board, name: str) -> int:
    return g.stage[OBJECTIVES.index(name)]


def note_entry(g: Board, h: Hex) -> None:
    """9.12 A Soviet unit has entered h, perhaps a front's third objective hex."""
    if h in g.objective and any(stage_of(g, front) == LAST_STAGE and g.objective_of(front) == h for front in FRONTS):
        g.mark(h, ENTERED)


# --- removal ---------------------------------------------------------------------------------------------------------


def remove_objective(g: Board, name: str, why: str, rule: str) -> None:
    """9.12, 9.13 A front's marker takes those of its armies with it."""
    if stage_of(g, name) == REMOVED:
        return
    _put(g, name, NO_HEX, NO_FACING, REMOVED)
    g.tell(f"the objective marker of {_owner(g, name)} is removed: {why}", rule, objective=name)
    for army in ARMIES:
        if FORMATIONS[army].higher == name:
            remove_objective(g, army, "its front's marker is removed", "9.13")


def _owner(g: Board, name: str) -> str:
    return f"the {name} Front" if name in FRONTS else g.formation(name, "{} Army")


# --- 9.13 army objectives --------------------------------------------------------------------------------------------


@fact(GAME)
def _last_army_hexes(g: Board) -> frozenset[Hex]:
    return frozenset(hexes[-1] for army in ARMIES if (hexes := army_hexes(g, army)))


@fact(GAME)
def army_hexes(g: Board, army: str) -> list[Hex]:
    """9.13 The hexes on the back of the marker, in their order; the reading A4 for 40th Army's second one."""
    table = g.charts.table("army_objectives")
    numbers = [table.at(army, column) for column in table.columns if column != "front" and table.at(army, column)]
    if army == "40":
        numbers[1] = g.reads("second_objective_40")
    return [g.map.grid.hex(n) for n in numbers if n in g.map.grid]


def place_army_objective(g: Board, army: str) -> None:
    """9.13 Upon the first activation of the army."""
    hexes = army_hexes(g, army)
    if stage_of(g, army) != NOT_PLACED or not hexes:
        return
    _put(g, army, hexes[0], NO_FACING, 1)
    g.tell(
        f"the objective marker of {g.formation(army, '{} Army')} is placed in {g.ground.name(hexes[0])}",
        "9.13",
        objective=army,
    )


def reach_army_objectives(g: Board, h: Hex) -> None:
    """9.13 A Soviet unit of any army has entered h: its markers move on, or leave play from the last hex listed.

    A small board may have none of the hexes listed; there the marker has only the hex it was put in.
    """
    if h not in g.objective and h not in _last_army_hexes(g):
        return
    for army in ARMIES:
        here = g.objective_of(army)
        if here == NO_HEX:
            continue
        hexes = army_hexes(g, army)
        if h == (hexes[-1] if hexes else here):
            remove_objective(g, army, f"a Soviet unit is in {g.ground.name(h)}", "9.13")
        elif h == here:
            _move_on(g, army, hexes)


def _move_on(g: Board, army: str, hexes: list[Hex]) -> None:
    stage = stage_of(g, army)
    to = hexes[min(stage, len(hexes) - 1)]
    _put(g, army, to, NO_FACING, stage + 1)
    text = f"the objective marker of {g.formation(army, '{} Army')} moves on to {g.ground.name(to)}"
    g.tell(text, "9.13", objective=army, hex=g.hex_name(to))
