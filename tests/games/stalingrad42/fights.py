"""Combats on small boards, whatever the pack's tables say: the die and the odds for a result are looked up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kessel.core.breakdown import Breakdown
from kessel.core.procedure import legal
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.crt import Tables, column_number, tables
from kessel.games.stalingrad42.combat.strength.shifts import Assessment, assess
from kessel.games.stalingrad42.combat.strength.strengths import Attack
from kessel.games.stalingrad42.data.charts import charts
from kessel.games.stalingrad42.data.forces import AXIS, SIDES

from .helpers import PACK, area, choices, do, h, u
from .helpers import start as begin

TABLES: Tables = tables(charts(PACK))
AIR_BASE: dict[str, Any] = {
    "features": {"0,-2": ["town"]},
    "links": [("rail", "0,-2 -1,-2")],
    "boxes": [area("Z", "axis", "-1,-2")],
    "repaired": "all",
    "air": {"VIII-FK": "ready"},
    "radius": 6,
}
"""A board on which one Air Unit is ready and in range."""
TWO = "soviet 3-5-3;2-3-3 0,0"
"""A unit of two steps in the middle of the board."""
DEFENSE = 5
"""A Defense Strength against which every column of the table can be reached exactly."""


SPARE = (6,) * 60
"""Dice for whatever comes after the rolls a test is about."""


def start(units: dict[str, str] | None = None, dice: Iterable[int] = (), **more: Any) -> Board:
    return begin(units, (*dice, *SPARE), **more)


def crt_roll(code: str, colour: str | None = "plain", column: str = "") -> tuple[int, int]:
    """A column and a die that give a result."""
    for at, cells in TABLES.columns.items():
        for die, r in enumerate(cells, start=1):
            if r.code == code and colour in (None, r.colour) and column in ("", str(at)):
                return at, die
    raise AssertionError(f"the CRT has no {colour} {code}")


def strength(column: int, defense: int = DEFENSE) -> int:
    """The least attack for a column."""
    return (column + 1) * defense if column >= 0 else -(-defense // (1 - column))


def dd_roll(column: str, code: str, drm: int = 0, losses: str = "") -> int:
    """A die that gives a result on the Determined Defense Table."""
    for die in range(1, 7):
        cell = TABLES.roll_defense(column, die + drm)
        if cell.code == code and (not losses or str(cell) == f"{code} {losses}"):
            return die
    raise AssertionError(f"the column {column} has no {code} {losses} at {drm:+d}")


def attack(g: Board, target: str, *units: str) -> None:
    """Declare an attack."""
    do(g, f"attack {target}", *(f"add {name}" for name in units), "declare")


def fight(
    code: str,
    *,
    colour: str | None = "plain",
    defender: str = "soviet 3-5-3 0,0",
    attacker: str = "axis {}-8-6 1,0",
    more: dict[str, str] | None = None,
    then: Iterable[int] = (),
    radius: int = 5,
    turn: int = 10,
    column: str = "",
    **rest: Any,
) -> Board:
    """A attacks X in 0,0 and the die gives that result; the game is at the next question."""
    at, die = crt_roll(code, colour, column)
    units = {"A": attacker.format(strength(at)), "X": defender, **(more or {})}
    phase = {"phase": "combat", "side": attacker.split()[0]} | rest
    g = start(units, dice=(die, *then), radius=radius, turn=turn, **phase)
    attack(g, "0,0", "A")
    return g


def go_to(g: Board, place: str) -> None:
    """Advance by the way listed to a place."""
    do(g, next(c for c in sorted(choices(g)) if c == f"go {place}" or (c[:2] == "go" and c.endswith(f"-{place}"))))


def run_away(g: Board, name: str = "", to: str = "") -> None:
    """Retreat a unit along some way listed, to a place if one is given."""
    ways = [c for c in sorted(choices(g)) if c.startswith(f"retreat {name} by" if name else "retreat")]
    do(g, next(c for c in ways if not to or c.endswith((f"-{to}", f"by {to}"))))


def ends(g: Board, name: str) -> set[str]:
    """Where a unit may retreat to now."""
    found = set()
    for action in legal(g):
        if action[0] == "retreat" and action[1] == (u(g, name),):
            found.add(g.place_name(action[2][-1]))
    return found


def combat(g: Board, target: str, *units: str, **more: Any) -> Attack:
    side = g.forces.side[u(g, units[0])] if units else AXIS
    return Attack(side, h(g, target), tuple(u(g, name) for name in units), **more)


def odds_of(g: Board, target: str, *units: str, **more: Any) -> Assessment:
    return assess(g, combat(g, target, *units, **more), quiet=False)


def column_of(g: Board, target: str, *units: str, **more: Any) -> str:
    return odds_of(g, target, *units, **more).name


def rules_of(b: Breakdown) -> set[str]:
    return {i.rule for i in b}


def what(b: Breakdown, rule: str) -> list[Any]:
    return [i.value for i in b if i.rule == rule]


__all__ = ["SIDES", "column_number"]
