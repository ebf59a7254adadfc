"""Combats for tests: a piece of map with both edges, a cup with chosen chits, dice with chosen rolls."""

from __future__ import annotations

from typing import Any

from kessel.core.dice import Scripted
from kessel.core.procedure import run
from kessel.games.kharkov43.board import CUP, DRAW, Board
from kessel.games.kharkov43.combat.battle import Battle, battle_of, begin
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from tests.games.kharkov43.helpers import KIT, board, hx, position, unit

GONE = 9
"""A chit that is neither in the cup nor beside it."""
play, choices = KIT.do, KIT.texts
ROWS = (12, 24)
WEST = " ".join(f"{r}20" for r in range(ROWS[0], ROWS[1] + 1))
EAST = " ".join(f"{r}02" for r in range(ROWS[0], ROWS[1] + 1))


def field(**more: Any) -> dict[str, Any]:
    """Clear hexes, the German map edge in the west, the Soviet one in the east, roads to both along each row."""
    more.setdefault("german_edge", WEST)
    more.setdefault("soviet_edge", EAST)
    roads = [" ".join(f"{r}{c:02d}" for c in range(2, 21)) for r in range(ROWS[0], ROWS[1] + 1)]
    more.setdefault("roads", [] if more.pop("bare", False) else roads)
    more.setdefault("exits", f"{WEST} {EAST}")
    return board(ROWS, range(2, 21), **more)


def scene(units: list[Any], **doc: Any) -> Board:
    """A position on that field, with the log kept and an empty cup."""
    doc.setdefault("board", field())
    doc.setdefault("turn", 3)
    g = position(units=units, **doc)
    g.events = []
    cup(g, "")
    return g


def cup(g: Board, chits: str, aside: str = "") -> None:
    """Only these chits exist."""
    for i, chit in enumerate(g.charts.chits):
        g.chits[i] = CUP if chit.id in chits.split() else 1 if chit.id in aside.split() else GONE


def full_cup(g: Board) -> None:
    for i in range(len(g.chits)):
        g.chits[i] = CUP


def dice(g: Board, *values: int) -> None:
    g.dice = Scripted(values)


def pile(g: Board, cards: str, where: int = DRAW) -> None:
    for name in cards.split():
        g.cards[g.charts.card_index(name)] = where
    g.changed()


def where(g: Board, card: str) -> int:
    return g.cards[g.charts.card_index(card)]


def units(g: Board, names: str) -> tuple[int, ...]:
    return tuple(unit(g, n) for n in names.split())


def battle(g: Board, attackers: str, target: str, card: str = "", **more: Any) -> Battle:
    """A combat that is only thought about."""
    us = units(g, attackers)
    b = battle_of(g, g.forces.side[us[0]], hx(g, target), us, g.charts.card_index(card) if card else -1)
    for key, value in more.items():
        setattr(b, key, value)
    return b


def soviet_attack(g: Board, attackers: str, target: str, card: str = "E04", *, go: bool = True) -> SovietCombat:
    """Begin a Soviet attack and go on to the first question of the player, or to its end."""
    c = SovietCombat(SOVIET, hx(g, target), units(g, attackers), g.charts.card_index(card))
    g.stack = [c]
    if go:
        run(g)
    return c


def german_attack(g: Board, attackers: str, target: str, card: str = "P26") -> GermanCombat:
    """Declare a German attack with these units; the first question is that for tactics, or the next one that arises."""
    c = GermanCombat(GERMAN, hx(g, target), units(g, attackers), g.charts.card_index(card))
    g.stack = [c]
    run(g)
    play(g, "pass")
    return c


def refused(g: Board, text: str) -> str:
    """The rule that forbids an action."""
    return KIT.refusal(g, text).rule


def step(g: Board) -> str:
    """The name of the step that asks."""
    return g.stack[-1].steps[g.stack[-1].at].name if g.stack else ""


def log(g: Board) -> str:
    return "\n".join(f"{e['what']} ({e['rule']})" for e in g.events or [])


def places(g: Board, names: str) -> dict[str, str]:
    return {n: g.hex_name(g.place[unit(g, n)]) if g.on_map(unit(g, n)) else "" for n in names.split()}


def steps(g: Board, names: str) -> list[int]:
    return [g.steps[unit(g, n)] if g.on_map(unit(g, n)) else 0 for n in names.split()]


def hit_soviets(g: Board, attackers: str, target: str, defender: int, attacker: int = 0, **more: Any) -> GermanCombat:
    """A German attack from step 6 on, with so many hits on each side."""
    c = GermanCombat(GERMAN, hx(g, target), units(g, attackers), g.charts.card_index("P26"))
    begin(g, c)
    for key, value in more.items():
        setattr(c, key, value)
    c.attacker_hits, c.defender_hits, c.at = attacker, defender, c.index["soviet_defence"]
    g.stack = [c]
    run(g)
    return c


def hit_germans(g: Board, attackers: str, target: str, defender: int, attacker: int = 0, **more: Any) -> SovietCombat:
    """A Soviet attack from step 6 on, with so many hits on each side."""
    c = SovietCombat(SOVIET, hx(g, target), units(g, attackers), g.charts.card_index("E04"))
    begin(g, c)
    for key, value in more.items():
        setattr(c, key, value)
    c.attacker_hits, c.defender_hits, c.at = attacker, defender, c.index["forced_loss"]
    c.assumed = c.could_satisfy(g)
    g.stack = [c]
    run(g)
    return c
