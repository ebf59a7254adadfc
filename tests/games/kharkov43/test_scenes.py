"""Where Soviet units would stand is judged by hex sets; it must be what a board with the unit moved says."""

from __future__ import annotations

import random

import pytest

from kessel.core.hexset import members
from kessel.games.kharkov43.board import GARRISON, RESERVE, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import PLACING_GARRISONS, PROXIMITY, REGULAR, reach_against, reach_of
from kessel.games.kharkov43.movement.zones import scene_if, scene_of, scene_without_garrison
from kessel.games.kharkov43.supply.supply import field_if, field_of, field_without_all
from kessel.games.kharkov43.system.terms.terminology import suppose, why_nearly_surrounded, why_nearly_surrounded_in

from .playthroughs import crowded_board


def moves(g: Board, r: random.Random, many: int) -> list[tuple[int, int]]:
    """Soviet units on the map or in reserve, and hexes without Germans, mostly near them."""
    units = [u for u in range(len(g.forces)) if g.forces.side[u] == SOVIET and (g.on_map(u) or g.box[u] == RESERVE)]
    found = []
    while len(found) < many:
        u = r.choice(units)
        near = g.on_map(u) and r.random() < 0.7
        h = r.choice(members(g.ground.around(g.place[u], 4)) if near else g.map.grid.hexes)
        if not g.hexes_of(GERMAN) >> h & 1 and h != g.place[u]:
            found.append((u, h))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_scene_supposed_is_that_of_the_board_supposed(seed: int):
    g, r = crowded_board(seed), random.Random(seed)
    for u, h in moves(g, r, 25):
        scene, x = scene_if(g, u, h), suppose(g, u, h)
        assert scene == scene_of(x, SOVIET)
        for side in (GERMAN, SOVIET):
            assert field_if(g, scene, side).hexes == field_of(x, side).hexes
        v = r.choice(g.on_map_of(GERMAN))
        for purpose in (PROXIMITY, PLACING_GARRISONS):
            assert reach_against(g, v, scene, REGULAR, purpose).cost == reach_of(x, v, REGULAR, purpose).cost
        assert why_nearly_surrounded_in(g, u, h) == why_nearly_surrounded(x, h)


@pytest.mark.parametrize("seed", range(6))
def test_supply_without_a_garrison_or_without_units_is_that_of_a_board_without_them(seed: int):
    g, r = crowded_board(seed), random.Random(seed)
    for h in members(g.garrisons):
        x = g.copy()
        x.mark(h, GARRISON, False)
        found = field_if(g, scene_without_garrison(g, h), GERMAN, placing_garrisons=True)
        assert found.hexes == field_of(x, GERMAN, placing_garrisons=True).hexes
    for side in (GERMAN, SOVIET):
        for h in r.sample(members(g.hexes_of(side)), 8):
            units = tuple(g.units(h))[: r.randint(1, 3)]
            x = g.copy()
            for u in units:
                x.take_off(u, RESERVE)
            assert field_without_all(g, units).hexes == field_of(x, side).hexes
