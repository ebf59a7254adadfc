"""Columns, stacks, copies, faults; hypothesis against a plain dict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kessel.core import snapshot
from kessel.core.board import NOWHERE, Board
from kessel.core.errors import BadInput, BadRecord
from kessel.core.forces import Forces
from kessel.core.procedure import procedures_of, run
from kessel.core.terrain import BoardDoc, BoxDoc, Map

from .toy import Match, toy_board

M = Map(BoardDoc(hexes="1001 1002 1003 1101 1102", boxes=[BoxDoc("A"), BoxDoc("B")]))
F = Forces([f"u{i}" for i in range(8)], [0, 0, 0, 0, 1, 1, 1, 1], steps=[2] * 8)
places = st.sampled_from([*M.grid.hexes, M.place("A"), M.place("B"), NOWHERE])


@given(st.lists(st.tuples(st.integers(0, 7), places), max_size=60))
def test_stacks_are_what_a_dict_says(moves: list[tuple[int, int]]) -> None:
    g = Board(M, F)
    where = dict.fromkeys(range(8), NOWHERE)
    for u, p in moves:
        g.move(u, p)
        where[u] = p
    for p in [*M.grid.hexes, M.place("A"), M.place("B")]:
        assert g.units(p) == sorted(u for u, x in where.items() if x == p)
        assert g.occupied(p) == bool(g.units(p))
    assert g.faults() == []
    assert g.hexes_of(1) == sum({1 << p for u, p in where.items() if u > 3 and M.is_hex(p) and p != NOWHERE})


@given(st.permutations(range(8)))
def test_equal_positions_are_equal_whatever_their_history(order: list[int]) -> None:
    a, b = Board(M, F), Board(M, F)
    for u in range(8):
        a.move(u, M.place("1001"))
    for u in order:
        b.move(u, M.place("1102"))
    for u in reversed(order):
        b.move(u, M.place("1001"))
    assert a.digest() == b.digest()


def test_a_copy_shares_nothing() -> None:
    g = Board(M, F)
    g.move(0, M.place("1001"))
    h = g.copy()
    h.move(0, M.place("A"))
    h.steps[0], h.status[0] = 1, 1
    h.set_track("turn", 5)
    assert (g.place[0], g.steps[0], g.status[0], g.turn) == (M.place("1001"), 0, 0, 0)
    assert g.digest() != h.digest()


def test_faults_are_all_told() -> None:
    g = Board(M, F)
    g.move(0, M.place("1001"))
    g.place[1] = M.place("1002")
    g.steps[2] = 3
    found = g.faults()
    assert "u1 is in no stack" in found
    assert "u2 has 3 of 2 steps" in found


def test_a_derived_fact_is_forgotten_when_the_board_changes() -> None:
    g = Board(M, F)
    g.move(0, M.place("1001"))
    assert g.hexes_of(0) == 1 << M.place("1001")
    g.move(0, M.place("1002"))
    assert g.hexes_of(0) == 1 << M.place("1002")


def test_snapshots_load_equal_and_damaged_ones_are_refused() -> None:
    g = toy_board()
    run(g)
    known = procedures_of(Match.__module__)
    doc = snapshot.save(g)
    assert snapshot.load(doc, toy_board(), known).digest() == g.digest()
    with pytest.raises(BadRecord, match="digest"):
        snapshot.load({**doc, "reveals": 0, "dice": 5}, toy_board(), known)
    with pytest.raises(BadRecord, match="cannot be read"):
        snapshot.load({**doc, "columns": {}}, toy_board(), known)
    with pytest.raises(BadRecord, match="no step"):
        snapshot.load({**doc, "stack": [["Chess", "open", {}]]}, toy_board(), known)


def test_forces_refuse_what_cannot_be() -> None:
    with pytest.raises(BadInput, match="listed twice"):
        Forces(["a", "a"], [0, 1])
    with pytest.raises(BadInput, match="differ in length"):
        Forces(["a", "b"], [0])
    with pytest.raises(BadInput, match="no unit x"):
        F.unit("x")
    army = Forces(["a", "b"], [0, 1], formations=[("1Div", "2Army"), ("2Army",)])
    assert army.of("2Army") == [0, 1]
    assert army.of("1Div") == [0]
