"""The board in letters."""

from __future__ import annotations

import textwrap

from kessel.core.board import Board
from kessel.core.forces import Forces
from kessel.core.terrain import Map
from kessel.core.view import Piece, SideView
from kessel.render import text_board

DOC = b"""{"hexes": {"1001": {}, "1002": {"terrain": "woods"}, "1101": {"name": "Azov"}, "1102": {"terrain": "sea"}},
 "grid": {"shifted": "even"}, "hexsides": {"1001|1101": "major_river"},
 "links": [{"kind": "road", "path": "1001 1101"}],
 "boxes": [{"id": "A"}]}"""


def test_columns_that_run_south_are_printed_side_by_side() -> None:
    want = """\
              1101.
        1001.
              1102~
        1002w

        . clear; w woods; ~ sea
        major river: 1001|1101
        road: 1001 1101
        names: 1101 Azov
        """
    assert text_board(Map.read(DOC)) == textwrap.dedent(want)


def test_rows_that_run_west_are_printed_from_the_right() -> None:
    doc = b'{"hexes": "0101-0103 0201-0203", "grid": {"first_runs": "S", "second_runs": "W", "shifted": "even"}}'
    want = """\
            0103.   0102.   0101.

        0203.   0202.   0201.

        . clear
        """
    assert text_board(Map.read(doc)) == textwrap.dedent(want)


def test_units_stand_under_the_number_of_their_hex() -> None:
    m = Map.read(DOC)
    board = Board(m, Forces(["16Pz", "24Pz", "62A"], [0, 0, 1]))
    board.move(0, m.place("1101"))
    board.move(1, m.place("1101"))
    board.move(2, m.place("1001"))
    lines = text_board(board).splitlines()
    assert lines[:4] == ["      1101.", "1001. 16Pz+", "62A   1102~", "1002w"]
    view = SideView(turn="Turn 1", phase="Axis", pieces=[Piece("9Rum", "axis", "1002")])
    seen = text_board(m, view=view)
    assert "9Rum" in seen
    assert "Turn 1 Axis" in seen
    assert "stop" in text_board(m, marks={"1102": "stop"})


def test_an_area_is_that_part_of_the_board() -> None:
    assert text_board(Map.read(DOC), area="1001").splitlines()[0] == "1001."
