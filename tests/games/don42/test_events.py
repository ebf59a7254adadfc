"""What the log tells about units that go somewhere: enough to draw it."""

from __future__ import annotations

from typing import Any

from kessel.games.don42.board import Board
from kessel.games.don42.combat.retreat import Withdraw
from kessel.games.don42.movement.movement import Move

from .helpers import do, ger, h, pos, sov, start, u


def ways(g: Board) -> list[tuple[Any, ...]]:
    return [(e["unit"], e.get("from"), e["to"], e["path"]) for e in g.events or () if "path" in e]


def test_a_move_tells_where_from_and_by_which_way():
    g = pos(ger("A", "0,0"))
    g.events = []
    start(g, Move(0, u(g, "A"), 8))
    do(g, "to 0,2", "halt")
    (way,) = ways(g)
    assert way[:3] == ("A", "0,0", "0,2")
    assert way[3][-1] == "0,2"
    assert len(way[3]) == 2


def test_retreats_and_displacements_tell_the_way_of_each_unit():
    g = pos(ger("A", "0,0"), sov("X", "1,0"), sov("Y", "2,0"))
    g.events = []
    start(g, Withdraw(1, (u(g, "X"),), 1, (h(g, "0,0"),)))
    do(g, "retreat 2,0", "displace Y 3,-1")
    assert ways(g) == [("X", "1,0", "2,0", ["2,0"]), ("Y", "2,0", "3,-1", ["3,-1"])]
    on = pos(ger("A", "0,0"), sov("X", "1,0"), sov("Y", "2,0"))
    on.events = []
    start(on, Withdraw(1, (u(on, "X"),), 1, (h(on, "0,0"),)))
    do(on, "retreat 2,0", "continue 3,0")
    assert ways(on) == [("X", "1,0", "2,0", ["2,0"]), ("X", "2,0", "3,0", ["3,0"])]
