"""The second implementation on many more boards: `pytest -m slow tests/games/korsun44/test_second_long.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from . import test_second as one
from . import test_second_lists as lists
from . import test_second_pocket as pocket
from . import test_second_works as works
from .worlds import on_printed_map, random_doc, written_out

PHASES = (works.check_works, works.check_bridge_answers, pocket.check_breakout, pocket.check_declarations,
          lists.check_movement_lists, lists.check_marker_lists)  # fmt: skip
BOARDS = range(10_000, 10_040)
ANYWHERE = (one.check_moves, one.check_single_steps, one.check_stacking, one.check_retreats, one.check_advances,
            one.check_attacks)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("made", [random_doc, on_printed_map, written_out])
@pytest.mark.parametrize("check", ANYWHERE)
def test_on_any_board(check: Callable[..., None], made: Callable[..., dict[str, Any]]) -> None:
    if check is one.check_single_steps and made is written_out:
        pytest.skip("its units are counters of the game")
    for seed in BOARDS:
        check(seed, made)


@pytest.mark.slow
@pytest.mark.parametrize("check", [one.check_supply, one.check_replacements, one.check_bridges])
def test_on_a_network(check: Callable[[int], None]) -> None:
    for seed in BOARDS:
        check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("check", PHASES)
def test_of_whole_phases(check: Callable[[int, dict[str, int]], None]) -> None:
    count: dict[str, int] = {}
    for seed in BOARDS:
        check(seed, count)
    assert count
