"""A unit's reach is kept by what bears on it; it must be what a fresh search finds, whatever happened elsewhere."""

from __future__ import annotations

import random

import pytest

from kessel.core.breakdown import Refusal
from kessel.games.kharkov43.board import DISPERSED, GARRISON, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import MOVING, PROXIMITY, REGULAR, STRATEGIC, farthest, going, reach_of

from .helpers import board, german, hx, panzer, position, reach, unit
from .playthroughs import crowded_board

rule = pytest.mark.rule


def fresh(g: Board, u: int, mode: str, purpose: str) -> dict[int, int]:
    way = going(g, u, mode, purpose)
    return {g.place[u]: 0} if isinstance(way, Refusal) else way.reach().cost


def something_changes(r: random.Random, g: Board) -> None:
    """A unit moves, loses a step or its order, an owner or a garrison changes, a game-turn passes."""
    u = r.choice([u for u in range(len(g.forces)) if g.on_map(u)])
    h = r.choice(g.map.grid.around[g.place[u]])
    what = r.randrange(7)
    if what < 3 and not g.units_of(h, 1 - g.forces.side[u]):
        g.mark(h, GARRISON, False)
        g.move(u, h)
    elif what == 3:
        g.set_status(u, DISPERSED, not g.is_dispersed(u))
    elif what == 4 and g.ground.town_list:
        g.set_owner(r.choice(g.ground.town_list), r.randrange(2))
    elif what == 5 and g.ground.village_list:
        village = r.choice(g.ground.village_list)
        g.mark(village, GARRISON, not g.units(village) and r.random() < 0.7)
    elif what == 6:
        g.set_track("turn", r.choice((1, 2, 6)))
        g.set_track("ground", r.choice((0, 1)))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_is_what_a_fresh_search_finds(seed: int):
    g = crowded_board(seed)
    r = random.Random(seed)
    for _ in range(40):
        something_changes(r, g)
        for side in (GERMAN, SOVIET):
            u = r.choice(g.on_map_of(side))
            mode = r.choice((REGULAR, STRATEGIC)) if side == GERMAN else REGULAR
            purpose = r.choice((MOVING, PROXIMITY)) if side == GERMAN else MOVING
            kept = reach_of(g, u, mode, purpose).cost
            assert kept == fresh(g, u, mode, purpose)
            assert all(g.map.grid.distance(g.place[u], h) <= farthest(g, u, mode) for h in kept)


@rule("kharkov43", "10.6a")
@pytest.mark.parametrize("one", [german("A", "1522"), panzer("A", "1522")])
def test_the_strategic_bonus_of_the_second_game_turn_is_not_that_of_the_first(one):
    """The same unit in the same place, asked in one game-turn and then in the next."""
    road = " ".join(f"15{c:02d}" for c in range(1, 24))
    g = position(board=board((15, 16), roads=[road], german_edge=road), units=[one], turn=1)
    assert reach(g, "A", STRATEGIC) == {}
    g.set_track("turn", 2)
    far = reach(g, "A", STRATEGIC)
    assert max(far.values()) > 0
    assert len(far) > len(reach(g, "A"))
    u = unit(g, "A")
    ends = [g.map.grid.distance(g.place[u], hx(g, h)) for h in far]
    assert max(ends) <= farthest(g, u, STRATEGIC)
    g.set_track("turn", 1)
    assert reach(g, "A", STRATEGIC) == {}
