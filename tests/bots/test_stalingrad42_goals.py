"""How the program for Stalingrad '42 shares its units out among objectives."""

from __future__ import annotations

from kessel.bots.stalingrad42.attacks import fighters
from kessel.bots.stalingrad42.goals import Task, climber_of, distances, prizes, share_out, summit
from kessel.bots.stalingrad42.situation import attacks
from kessel.bots.stalingrad42.weights import WEIGHTS
from kessel.core.board import NOWHERE
from kessel.core.game import Game
from kessel.core.hexes import NO_HEX
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import IN_PLAY
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.sea import taman
from kessel.games.stalingrad42.movement.special_units import elbrus


def opening(scenario: str) -> Board:
    g = Game.new("stalingrad42", scenario, seed=1).board
    assert isinstance(g, Board)
    return g


def test_taman_is_a_prize_while_plan_bluecher_waits():
    g = opening("caucasus")
    assert prizes(g) == {taman(g): 1.0}
    g.set_control(taman(g), AXIS)
    assert prizes(g) == {}
    assert prizes(opening("fall-blau")) == {}


def test_one_mountain_unit_climbs_elbrus():
    g = opening("caucasus")
    assert summit(g) == elbrus(g) != NO_HEX
    assert climber_of(g) == -1, "all are off the map"
    u = g.forces.unit("1Mtn")
    g.put(u, g.map.grid.hex("4549"))
    assert climber_of(g) == -1, "it holds Voroshilovsk"
    g.move(u, g.map.grid.hex("4550"))
    assert climber_of(g) == u
    pull = share_out(g, AXIS, {g.map.grid.hex("2850"): 6.0}, {}, WEIGHTS[AXIS])[u]
    assert pull[summit(g)] == max(pull)
    g.elbrus = 1
    assert summit(g) == NO_HEX
    assert climber_of(g) == -1


def test_units_are_shared_out():
    g = opening("caucasus")
    near, far = g.map.grid.hex("3443"), g.map.grid.hex("4549")
    units = [g.forces.unit(name) for name in ("13Pz", "3Pz", "23Pz", "16PzG")]
    for u in units:
        g.put(u, g.map.grid.hex("3840"))
    found = share_out(g, AXIS, {near: 6.0, far: 6.0}, {}, WEIGHTS[AXIS])
    tops = {max((near, far), key=lambda h, u=u: found[u][h]) for u in units}
    assert tops == {near, far}


def test_garrisons_are_not_for_tanks_and_never_too_strong():
    post = Task(0, 5.0, 6.0, True, False)
    assert post.promise(3, fast=False) > post.promise(3, fast=True) > 0
    post.sent = 6.0
    assert post.promise(0, fast=False) == 0


def test_units_in_entry_areas_are_counted_for_attacks():
    g = opening("caucasus")
    box = next(p for p in g.ground.land_boxes if g.map.box(p).id == "NORTH_EDGE")
    u = g.forces.unit("13Pz")
    g.put(u, box)
    assert u in fighters(g, AXIS)


def test_who_lacks_the_points_attacks():
    for scenario, side in (("fall-blau", AXIS), ("caucasus", AXIS), ("uranus", SOVIET)):
        g = opening(scenario)
        assert attacks(g, side)
        assert not attacks(g, 1 - side)


def test_distances_are_kept():
    g = opening("caucasus")
    h = g.map.grid.hex("3443")
    assert distances(g, h)[h] == 0
    assert distances(g, h) is distances(g, h)


def test_units_inside_a_reserve_army_are_sent_nowhere():
    g = opening("campaign")
    goals = {g.map.grid.hex("3443"): 6.0}
    u = next(u for u in share_out(g, SOVIET, goals, {}, WEIGHTS[SOVIET]) if g.on_map(u))
    g.move(u, NOWHERE)
    g.inside[u] = 1
    assert g.pool[u] == IN_PLAY
    assert u not in share_out(g, SOVIET, goals, {}, WEIGHTS[SOVIET])
