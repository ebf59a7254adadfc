"""The movement of whole armies on crowded boards, against the methods written again from the book (`plain_methods`)."""

from __future__ import annotations

import pytest

from kessel.core.breakdown import Refusal
from kessel.core.hexes import NO_HEX
from kessel.games.kharkov43.board import FOR_ACTIVATION, Board
from kessel.games.kharkov43.forces import ARMIES
from kessel.games.kharkov43.methods import Check
from kessel.games.kharkov43.objectives import place_army_objectives
from kessel.games.kharkov43.restrictions import why_restricted
from kessel.games.kharkov43.soviet_formations import army, make_active
from kessel.games.kharkov43.soviet_movement import move_active_units
from kessel.games.kharkov43.stacking import room_for
from kessel.games.kharkov43.trace import MovementTrace

from .plain_methods import PlainMethods
from .playthroughs import crowded_board

RULE = "kharkov43"


def activated(seed: int, name: str) -> tuple[Board, str] | None:
    """The board with that army active, and its front."""
    g = crowded_board(seed)
    g.stack, g.events = [], None
    for u in range(len(g.forces)):
        g.status[u] &= ~FOR_ACTIVATION
    g.changed()
    found = army(g, name)
    if isinstance(found, Refusal):
        return None
    make_active(g, found)
    place_army_objectives(g, found.armies)
    return g, found.front


@pytest.mark.rule(RULE, "9.2d")
@pytest.mark.rule(RULE, "9.2e")
@pytest.mark.rule(RULE, "9.25.2")
@pytest.mark.rule(RULE, "9.26a")
@pytest.mark.rule(RULE, "9.27a")
@pytest.mark.parametrize("seed", range(32))
def test_armies_move_as_the_book_read_plainly_has_them(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the leave to overstack for a while (10.4), which the plain reading does not know."""

    def strictly(c: Check, h: int) -> Refusal | None:
        return room_for(c.g, h, [c.unit]) or why_restricted(c.g, c.unit, h)

    monkeypatch.setattr(Check, "why_not", strictly)
    for name in ARMIES:
        found = activated(seed, name)
        if found is None:
            continue
        g, front = found
        plain = PlainMethods(g.copy(), front).run()
        checks = move_active_units(g, front, MovementTrace()).checks
        moves = {c.unit: g.hex_name(c.end) for c in checks if c.end != NO_HEX}
        assert {g.name(u): h for u, h in moves.items()} == {g.name(u): h for u, h in plain.items()}, name
