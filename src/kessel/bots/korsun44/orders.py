"""What each formation is to do, as data: places to go for one after the other, and when.

The history behind them: the 2nd Ukrainian Front's tanks go by Kapitanovka and Shpola, the 1st's by Votylevka and
Lysyanka, both to Zvenigorodka; 47th Panzer Korps attacks at Kapitanovka and later over the Shpolka, 3rd Panzer Korps
from Rizino to Lysyanka and Hill 239; the pocket holds Korsun and goes to meet it by Shenderovka.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.korsun44.board import GERMAN, SOVIET, STEMMERMANN, Board
from kessel.games.korsun44.data.scenario import PointRule
from kessel.games.korsun44.special.breakout import in_pocket, relief


@dataclass(frozen=True, slots=True)
class Order:
    formations: str
    goals: str
    attack: bool = True
    first: int = 1
    last: int = 99


POCKET = "pocket"
ORDERS: tuple[tuple[Order, ...], tuple[Order, ...]] = (
    (
        Order("pocket.72ID pocket.5SSPz pocket.Wal", "2519 2420 2220 2222", True, 17),
        Order(POCKET, "2715", False),
        Order(POCKET, "2519 2420 2220 2222", True),
        Order("3Pz 14Pz 11Pz", "4225 4824", True, 1, 7),
        Order("3Pz 14Pz 11Pz 13Pz 24Pz", "3526 3423 3021 2918", True, 8),
        Order("16Pz 17Pz Bake 1SSPz 3PzK", "1831 1926 2124 2222 2220", True),
        Order("1Pz", "2124 2222 2220", True),
        Order("Haake", "3526", True),
        Order("5SSPz 42K", "2715", False),
        Order("7K", "1831 1528", False),
        Order("47PzK", "4828 4929", False),
    ),
    (
        Order("20TkC", "3825 3127 2928"),
        Order("29TkC", "3825 3127"),
        Order("18TkC", "4225 3825 3729"),
        Order("5GTkA", "4225 3825"),
        Order("5GCC", "3825 3021 2918"),
        Order("4GA", "4824 4522 4122 3416", last=9),
        Order("4GA", "3416", False, 10, 14),
        Order("4GA", "3416 2715", True, 15),
        Order("53A", "4824 4926 4828", last=7),
        Order("53A", "4225 4828", False, 8),
        Order("52A", "4513 3416", last=9),
        Order("52A", "3416", False, 10, 14),
        Order("52A", "3416 2715", True, 15),
        Order("5GTkC", "2124 2728"),
        Order("5MC", "1926 2124 2728"),
        Order("6TkA", "1325 2124 2728"),
        Order("40A", "1528 1831", last=8),
        Order("40A", "1528 1831", False, 9),
        Order("27A", "1615 1721", last=9),
        Order("27A", "1721 2416", False, 10, 14),
        Order("27A", "2416 2715", True, 15),
        Order("2TkA 3TkC 16TkC", "1721 1926 2124", True),
    ),
)
"""Of the German, of the Soviet. A formation is a division, corps or army; those named first come first. `pocket` are
all units of Gruppe Stemmermann, `pocket.72ID` those of a division."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a unit is to do now."""

    goal: Hex
    """Where to; -1 for nowhere."""
    attack: bool
    words: str


NO_TASK = Task(-1, False, "holds")


def tasks(g: Board, side: Side, orders: Sequence[Order] | None = None) -> dict[str, Task]:
    """The tasks of all formations that have orders."""
    found: dict[str, Task] = {}
    for order in ORDERS[side] if orders is None else orders:
        if not order.first <= g.turn <= order.last or (order.formations == POCKET and order.attack != gathers(g)):
            continue
        hexes = [h for name in order.goals.split() if name in g.map.grid for h in [g.map.grid.hex(name)]]
        hexes = [h for h in hexes if g.playable >> h & 1]
        for formation in order.formations.split():
            if hexes and formation not in found:
                found[formation] = _task(g, side, formation, hexes, order.attack)
    return found


MEET, LAST_DAYS = 6, 3
"""Hexes between relief and pocket at which it goes to meet it; turns before the end when it goes anyhow."""


def gathers(g: Board) -> bool:
    """Whether the pocket leaves Korsun and gathers for the breakout."""
    if g.turn >= g.scenario.last_turn - LAST_DAYS:
        return True
    friends = members(relief(g))
    return any(g.map.grid.distance(g.place[u], h) <= MEET for u in in_pocket(g) for h in friends)


def _task(g: Board, side: Side, formation: str, hexes: list[Hex], attack: bool) -> Task:
    """The first place not held behind the furthest that is: nobody turns back for one that was lost again."""
    furthest = max((i for i, h in enumerate(hexes) if g.control[h] == side), default=-1)
    for h in hexes[furthest + 1 :]:
        if g.control[h] != side:
            return Task(h, attack, f"{formation} {'goes for' if attack else 'is to hold'} {g.place_words(h)}")
    return Task(hexes[-1], False, f"{formation} holds {g.place_words(hexes[-1])}")


def task_of(g: Board, known: dict[str, Task], u: Unit) -> Task:
    f = g.forces
    if g.status[u] & STEMMERMANN:
        return known.get(f"{POCKET}.{f.division[u]}") or known.get(POCKET, NO_TASK)
    for formation in (f.division[u], f.corps[u], f.army[u]):
        if formation in known:
            return known[formation]
    return NO_TASK


# --- places --------------------------------------------------------------------------------------------------------

LINK = 3
"""What a town that decides only by being cut off is worth."""


def places(g: Board) -> dict[Hex, int]:
    """The places that count and their Victory Points."""
    found: dict[Hex, int] = {}
    for rule in g.scenario.points:
        for h in _named(g, rule):
            if g.playable >> h & 1:
                found[h] = found.get(h, 0) + (rule.points if rule.kind == "hexes" else LINK)
    return found


def _named(g: Board, rule: PointRule) -> list[Hex]:
    if rule.kind not in ("hexes", "cut_off", "link"):
        return []
    return [g.map.grid.hex(name) for name in rule.places if name in g.map.grid]


__all__ = ["GERMAN", "ORDERS", "POCKET", "SOVIET", "Order", "Task", "places", "task_of", "tasks"]
