"""Which units carry a marker."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from kessel.wargame.marks import flagged


@given(st.lists(st.integers(0, 2**32 - 1), max_size=40), st.integers(0, 2**32 - 1))
def test_the_units_with_any_of_the_flags(column: list[int], flags: int) -> None:
    assert flagged(array("I", column), flags) == [u for u, marks in enumerate(column) if marks & flags]
