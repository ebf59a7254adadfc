"""Movement points in fractions, chits in cups, counters that become several, interruptions."""

from __future__ import annotations

import pytest

from kessel.core.board import NOWHERE
from kessel.core.dice import Dice
from kessel.core.errors import BadPack
from kessel.wargame.cups import IN_CUP, draw, left, mix_unseen, put_back
from kessel.wargame.parts import Family, break_down, faults, recombine
from kessel.wargame.points import points, shown, written
from kessel.wargame.reactions import first_reaction
from tests.core.toy import ToyBoard, toy_board


@pytest.fixture
def g() -> ToyBoard:
    g = toy_board()
    g.stack = []
    return g


def test_points_are_whole_parts() -> None:
    assert [points(text, 6) for text in ("1/3", "1/2", "0.5", "2", "1.5")] == [2, 3, 3, 12, 9]
    assert [shown(n, 6) for n in (12, 9, 2)] == [2, 1.5, 0.3333]
    assert [written(n, 6) for n in (0, 2, 8, 12)] == ["0", "1/3", "1 1/3", "2"]


@pytest.mark.parametrize("text", ["1/4", "two", "1/0", "-1", ""])
def test_what_is_no_number_of_points_is_refused(text: str) -> None:
    with pytest.raises(BadPack, match=r"terrain\.csv.*movement points"):
        points(text, 6, "terrain.csv")


def test_a_cup_is_drawn_empty_and_filled_again(g: ToyBoard) -> None:
    cup = bytearray(4)
    drawn = [draw(g, cup, to=1) for _ in range(4)]
    assert sorted(drawn) == [0, 1, 2, 3]
    assert draw(g, cup, to=1) == -1
    put_back(g, cup, [drawn[0]])
    assert left(cup) == [drawn[0]]
    cup[drawn[1]] = 2
    put_back(g, cup, lying=1)
    assert sorted(left(cup)) == sorted(drawn[:1] + drawn[2:])
    put_back(g, cup)
    assert list(cup) == [IN_CUP] * 4


def test_a_draw_can_be_limited(g: ToyBoard) -> None:
    cup = bytearray(6)
    assert {draw(g, bytearray(cup), to=1, among=(2, 5)) for _ in range(40)} == {2, 5}


def test_every_chit_is_drawn_as_often(g: ToyBoard) -> None:
    counts = [0] * 3
    g.dice = Dice(b"cup")
    for _ in range(900):
        counts[draw(g, bytearray(3), to=1)] += 1
    assert all(240 < n < 360 for n in counts)


def test_unseen_chits_change_places_among_themselves_only(g: ToyBoard) -> None:
    seen = set()
    for _ in range(60):
        cup = bytearray([1, 2, 3, 9])
        mix_unseen(g, cup, (0, 1, 2))
        assert sorted(cup[:3]) == [1, 2, 3]
        assert cup[3] == 9
        seen.add(bytes(cup))
    assert len(seen) == 6


def test_a_counter_becomes_several_and_one_again(g: ToyBoard) -> None:
    g.forces.full_steps = bytes([2, 2])
    family = Family.of({0: [1]})
    g.move(1, NOWHERE)
    where = g.place[0]
    break_down(g, 0, {1: 2})
    assert (g.place[0], g.place[1], g.steps[0], g.steps[1]) == (NOWHERE, where, 0, 2)
    assert family.in_play(g, 0) == (1,)
    assert (family.whole_of(1), family.whole_of(0)) == (0, 0)
    assert faults(g, family) == []
    g.move(0, where)
    assert faults(g, family) == ["red is in play together with its part blue"]
    recombine(g, [1], 0, 2)
    assert (g.place[0], g.place[1], g.steps[0]) == (where, NOWHERE, 2)


def test_a_counter_is_a_part_of_one_other() -> None:
    with pytest.raises(ValueError, match="part of two"):
        Family.of({0: [2], 1: [2]})


def test_a_move_stops_where_somebody_may_react_first(g: ToyBoard) -> None:
    path = [3, 4, 5]
    assert first_reaction(g, path, lambda g, h: ["scout"] if h >= 4 else []) == (1, ["scout"])
    assert first_reaction(g, path, lambda g, h: []) is None
