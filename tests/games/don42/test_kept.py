"""Facts kept from one position to the next are the facts of the position."""

from __future__ import annotations

import random

import pytest

from kessel.bots import RandomPlayer
from kessel.core.board import NOWHERE
from kessel.core.facts import kept_facts
from kessel.core.forces import Side, Unit
from kessel.core.hexset import bits, flood_links, members
from kessel.core.procedure import asked, legal, push
from kessel.games.don42.board import Board
from kessel.games.don42.combat.combat import targets, why_not_target
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement import movers, why_not_move
from kessel.games.don42.movement.reinforcements import arrivals, why_not_enter
from kessel.games.don42.movement.zones import has_zone, open_hexes, zone_of
from kessel.games.don42.supply import supply
from kessel.games.don42.title import TITLE

from .helpers import fresh, ger, h, pos

SIDES = (GERMAN, SOVIET)


def anew(g: Board) -> Board:
    """The same position with nothing kept."""
    found = g.copy()
    found.changed()
    return found


def supplied(g: Board, side: Side) -> list[tuple[Unit, int]]:
    found = g.copy()
    supply.check(found, side, "4.0")
    return [(u, found.supply[u]) for u in g.units_on_map(side)]


def facts(g: Board) -> dict[str, object]:
    return {
        "zones": [zone_of(g, s) for s in SIDES],
        "open": [open_hexes(g, s) for s in SIDES],
        "hexes": [g.hexes_of(s) for s in SIDES],
        "on map": [g.units_on_map(s) for s in SIDES],
        "supply": [supplied(g, s) for s in SIDES],
        "lines": [supply.has_ground_line(g, c) for c in range(len(g.charts.german_corps))],
        "general": supply.general_lines(g).reached,
        "river": supply.river_lines(g).reached,
        "targets": [targets(g, s) for s in SIDES],
        "legal": legal(g),
    }


def test_a_copy_to_be_kept_holds_no_facts() -> None:
    g = fresh("crossing-the-don")
    facts(g)
    assert len(list(kept_facts(g))) > 10
    assert list(kept_facts(g.copy())) == list(kept_facts(g))
    assert not list(kept_facts(g.lean()))


def test_an_older_flood_answers_only_what_it_can_tell() -> None:
    g = fresh("crossing-the-don")
    dice = random.Random(5)
    hexes = g.map.grid.hexes
    costs = g.crossings.line_costs("soviet", 0)
    told = 0
    for _ in range(300):
        goal, limit = 1 << dice.choice(hexes), dice.randint(2, 24)
        closed = bits(dice.sample(hexes, 80))
        before = costs.flood(goal, limit, g.map.grid.all & ~closed)
        changed = closed ^ bits(dice.sample(hexes, dice.choice((0, 3, 30))))
        if dice.random() < 0.5:
            changed |= closed
        elif dice.random() < 0.5:
            changed &= closed
        now = costs.flood(goal, limit, g.map.grid.all & ~changed)
        wanted = bits(dice.sample(hexes, 4)) | bits(h for h in dice.sample(hexes, 60) if before.reached >> h & 1)
        found = before.settles(g.map.grid.all & ~changed, wanted, limit)
        assert found in (None, wanted & now.reached)
        told += found is not None
    assert 100 < told < 300


def test_a_flood_made_before_is_taken_over_as_far_as_it_stands() -> None:
    g = fresh("crossing-the-don")
    dice = random.Random(6)
    hexes, crossings = g.map.grid.hexes, g.crossings
    costs = crossings.line_costs("soviet", 0)
    goals = [1 << h for h in dice.sample(hexes, 3)]
    closed = bits(dice.sample(hexes, 80))
    for _ in range(400):
        closed ^= bits(dice.sample(hexes, dice.choice((0, 1, 6))))
        goal, limit, open_ = dice.choice(goals), dice.randint(0, 24), g.map.grid.all & ~closed
        anew = costs.flood(goal, limit, open_)
        if dice.random() < 0.5:
            wanted = bits(dice.sample(hexes, dice.choice((1, 20))))
            assert crossings.reaching("soviet", 0, goal, limit, open_, wanted) == wanted & anew.reached
        else:
            found = crossings.lines("soviet", 0, goal, limit, open_)
            assert found.by == anew.by
            assert {x: k for k, s in found.layers for x in members(s)} == {
                x: k for x in hexes if (k := found.cost(x)) is not None
            }
            for h in dice.sample(hexes, 3):
                assert (found.cost(h), found.path(h)) == (anew.cost(h), anew.path(h))


def test_a_road_net_found_before_is_grown_not_trusted() -> None:
    g = fresh("crossing-the-don")
    dice = random.Random(7)
    hexes, crossings = members(g.ground.on_road), g.crossings
    starts = [bits(dice.sample(hexes, 2)) for _ in range(3)]
    closed = bits(dice.sample(hexes, 20))
    for _ in range(300):
        closed ^= bits(dice.sample(hexes, dice.choice((0, 1, 5))))
        start, open_ = dice.choice(starts), g.map.grid.all & ~closed
        assert crossings.road_net(start, open_) == flood_links(g.map.grid, start & open_, crossings.roads, open_)


@pytest.mark.parametrize("scenario", ["crossing-the-don", "kotluban"])
def test_kept_facts_are_those_of_the_position(scenario: str) -> None:
    g = fresh(scenario, seed=4)
    g.events = None
    program = RandomPlayer(4)
    for step in range(420):
        push(g, program.choose(TITLE, g, asked(g)))
        if step % 7 == 0:
            other = anew(g)
            assert facts(g) == facts(other)
            for s in SIDES:
                exerting = {g.place[x] for x in g.units_on_map(s) if has_zone(g, x)}
                assert {h for h in g.map.grid.hexes if g.zone_sources(s) >> h & 1} == exerting
                assert movers(g, s) == [x for x in g.forces.ground[s] if why_not_move(g, x) is None]
                assert targets(g, s) == [h for h in g.map.grid.hexes if why_not_target(g, s, h) is None]
                allowed = {x for x in g.forces.ground[s] if not g.on_map(x) and why_not_enter(other, s, x) is None}
                assert set(arrivals(other, s)) <= allowed


def test_a_unit_off_the_map_is_in_no_hex():
    g = pos(ger("A", "0,0"))
    assert [g.ground.bit[place] for place in (h(g, "0,0"), NOWHERE)] == [1 << h(g, "0,0"), 0]
