"""What a board keeps up to date from move to move equals what is worked out anew."""

from __future__ import annotations

import pytest

from kessel.bots import RandomPlayer
from kessel.core.game import Game
from kessel.core.procedure import asked, push
from kessel.core.title import title
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import LISTED
from kessel.games.stalingrad42.combat.auto_ds import auto_ds_targets
from kessel.games.stalingrad42.combat.strength.eligibility import able
from kessel.games.stalingrad42.movement.moving import reserved
from kessel.games.stalingrad42.supply.supply import UNLIMITED, supply, unlimited_starts

from .helpers import PACK
from .scattered import scattered_board


def fresh(g: Board) -> Board:
    """The same position with nothing kept."""
    f = g.copy()
    f.changed()
    return f


def facts(g: Board, side: int) -> list[object]:
    moving = g.movers(side)
    kept = [able(g, side), auto_ds_targets(g, side), moving, g.losses(side), reserved(g, side)]
    return [*kept, supply(g, side).starts, unlimited_starts(g, side)]


@pytest.mark.parametrize(
    ("scenario", "steps"), [("fall-blau", 700), ("uranus", 150), ("caucasus", 150), ("campaign", 120)]
)
def test_what_is_kept_is_what_is_true(scenario: str, steps: int) -> None:
    t = title("stalingrad42")
    g = Game.new("stalingrad42", scenario, seed=steps, pack=PACK).board
    assert isinstance(g, Board)
    who = RandomPlayer(steps)
    for k in range(steps):
        push(g, who.choose(t, g, asked(g)))
        if not g.stack:
            break
        if k % 7 < 2:
            f = fresh(g)
            for side in (0, 1):
                assert facts(g, side) == facts(f, side), (scenario, k)
                if k % 49 == 0:
                    assert unlimited_starts(g, side) == supply(f, side, limit=UNLIMITED).starts
    assert g.faults() == []


@pytest.mark.parametrize("seed", range(4))
def test_hex_sets_are_made_anew_from_columns_that_were_replaced(seed: int) -> None:
    """As when a snapshot is read."""
    g = scattered_board(seed)
    f = g.copy()
    f.sets, f.control_hexes, f.fort_hexes, f.marked = [], [], [], set()
    for name in f.columns:
        setattr(f, name, getattr(f, name)[:])
    f.changed()
    assert f.sets == g.sets
    assert (f.control_hexes, f.fort_hexes) == (g.control_hexes, g.fort_hexes)
    assert f.repaired_hexes() == g.repaired_hexes()
    assert f.marked == {u for u in g.marked if g.status[u] & LISTED}
    for side in (0, 1):
        assert facts(f, side) == facts(fresh(g), side)
    assert f.faults() == []
