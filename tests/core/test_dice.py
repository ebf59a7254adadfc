from __future__ import annotations

from collections import Counter

import pytest

from kessel.core.dice import Dice, NeedRoll, Scripted, commitment
from kessel.core.errors import BadInput


def test_dice_are_a_function_of_seed_and_count() -> None:
    a, b = Dice(5), Dice(5)
    assert [a.roll() for _ in range(50)] == [b.roll() for _ in range(50)]
    c = Dice(5, count=10)
    d = Dice(5)
    for _ in range(10):
        d.roll()
    assert [c.roll() for _ in range(20)] == [d.roll() for _ in range(20)]


def test_dice_are_fair() -> None:
    d = Dice(1)
    n = Counter(d.roll() for _ in range(60_000))
    assert set(n) == {1, 2, 3, 4, 5, 6}
    assert sum((x - 10_000) ** 2 / 10_000 for x in n.values()) < 20.5  # chi square, 5 degrees, p = 0.001


def test_a_deck_is_drawn_without_order_or_repeats() -> None:
    d = Dice(2)
    deck = list(range(20))
    drawn = [deck.pop(d.pick(len(deck))) for _ in range(20)]
    assert sorted(drawn) == list(range(20))
    assert drawn != list(range(20))


def test_a_fork_tells_nothing_of_the_dice_to_come() -> None:
    d = Dice(3)
    f = d.fork()
    assert f.seed != d.seed
    assert [f.roll() for _ in range(30)] != [d.roll() for _ in range(30)]
    assert d.fork(1).seed != d.fork(2).seed


def test_scripts() -> None:
    s = Scripted([3, 20])
    assert s.roll() == 3
    assert s.roll(20) == 20
    with pytest.raises(NeedRoll) as need:
        s.roll(10)
    assert need.value.sides == 10
    with pytest.raises(BadInput, match=r"1\.\.6"):
        Scripted([7]).roll()
    copy = Scripted([1, 2])
    copy.roll()
    assert copy.copy().roll() == 2


def test_a_seed_can_be_committed_to() -> None:
    assert commitment(b"x") == commitment(b"x") != commitment(b"y")
    assert Dice().seed != Dice().seed
