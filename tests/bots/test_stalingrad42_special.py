"""What the program for Stalingrad '42 does now and then: exits, ways out of a pocket, dice rolled again."""

from __future__ import annotations

from kessel.bots import player
from kessel.bots.stalingrad42.situation import situation
from kessel.bots.stalingrad42.special import disengagement, exits, flees
from kessel.core.game import Game
from kessel.core.hexset import members
from kessel.core.procedure import asked, legal
from kessel.core.title import title
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import REMOVED
from kessel.games.stalingrad42.combat.battle import battle
from kessel.games.stalingrad42.combat.strength.leaders import Reroll
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.supply.supply import supply
from tests.games.stalingrad42.helpers import area, do, start, u

TITLE = title("stalingrad42")
HOME = area("Z", "axis", "-8,0")


def chosen(g: Board) -> str:
    who = player("stalingrad42", "greedy", 1)
    action = who.choose(TITLE, g, asked(g))
    assert action in legal(g)
    assert who.reason
    return TITLE.notation.text(g, action)


def pocket(x: str, a: str = "axis 3-5-3 0,0", **more: object) -> Board:
    """Supply reaches no farther than -3,0."""
    return start({"A": a, "X": x}, radius=8, boxes=[HOME], **more)


def last_turn() -> tuple[Board, list[int]]:
    """Fall Blau on its last turn without an enemy, three panzer divisions at the east edge."""
    g = Game.new("stalingrad42", "fall-blau", seed=1).board
    assert isinstance(g, Board)
    for v in g.forces.units_of[1]:
        if g.place[v] >= 0:
            g.take(v, REMOVED)
    for h in g.map.grid.hexes:
        if g.control[h]:
            g.set_control(h, AXIS)
    g.set_track("turn", g.scenario.last_turn)
    box = next(p for p in g.ground.land_boxes if g.map.box(p).id == "N")
    edge = members(g.map.box(box).hexes & supply(g, AXIS).heads)[0]
    mech = [v for v in g.forces.units_of[AXIS] if g.forces.mech[v] and g.forces.combat[v] and g.on_map(v)]
    strong = sorted(mech, key=lambda v: -g.steps[v])[:3]
    for v in strong:
        g.move(v, edge)
    return g, strong


def test_enough_mechanized_steps_leave_the_map_on_the_last_turn():
    g, strong = last_turn()
    found = exits(g, strong, "")
    assert set(found) < set(strong), "no more than are needed"
    assert 5 <= sum(g.steps[v] for v in found) < 5 + max(g.steps[v] for v in found)
    assert {g.map.box(e.place).id for e in found.values()} <= set("MNOP")
    assert exits(g, strong[:1], "") == {}, "three steps are not enough"


def test_nobody_leaves_the_map_before_the_last_turn():
    g, strong = last_turn()
    g.set_track("turn", g.scenario.last_turn - 1)
    assert exits(g, strong, "") == {}


def test_nobody_leaves_the_map_where_no_road_leads_home():
    g, strong = last_turn()
    rifles = [v for v in g.forces.units_of[1] if g.forces.type[v] == "infantry"]
    doors = [p for p in g.ground.land_boxes if g.map.box(p).id in "MNOP"]
    roads = {h for p in doors for h in members(g.map.box(p).hexes & g.ground.on_road)} - {g.place[strong[0]]}
    for v, h in zip(rifles, sorted(roads), strict=False):
        g.put(v, h)
    g.put(rifles[-1], next(n for n in g.map.grid.around[g.place[strong[0]]] if n not in roads))
    assert not any(supply(g, AXIS).heads & g.map.box(p).hexes for p in doors)
    assert exits(g, strong, "") == {}


def test_a_unit_out_of_supply_flees_where_only_full_retreat_leads_home():
    g = pocket("soviet 3-5-3 1,0", phase="movement")
    s = situation(g, AXIS)
    assert flees(g, s, u(g, "A"), "")
    assert chosen(g) == "move A"
    do(g, "move A")
    assert chosen(g) == "full_retreat"
    do(g, "full_retreat")
    assert chosen(g).startswith("to ")


def test_it_does_not_flee_where_it_can_march():
    g = pocket("soviet 3-5-3 1,0", "axis 3-5-6 0,0", phase="movement")
    assert not flees(g, situation(g, AXIS), u(g, "A"), "")
    g = pocket("soviet 3-5-3 -4,0", "axis 3-5-3 -5,0", phase="movement")
    assert not flees(g, situation(g, AXIS), u(g, "A"), ""), "it is in supply"


def test_a_unit_in_a_pocket_disengages():
    g = pocket("soviet 20-20-3 -1,0", "axis 3-5-3 -2,0", phase="combat")
    assert disengagement(g, situation(g, AXIS)) == (u(g, "A"),)
    assert chosen(g) == "disengagement"
    do(g, "disengagement")
    assert chosen(g) == "disengage A"


def test_a_unit_in_supply_stays():
    g = pocket("soviet 20-20-3 -3,0", "axis 3-5-3 -4,0", phase="combat")
    assert disengagement(g, situation(g, AXIS)) == ()
    assert chosen(g) == "pass"


def test_a_leader_does_not_let_an_attack_come_to_nothing():
    units = {"A": "axis 6-5-3 -1,0", "L": "axis 0-0-6 -1,0 leader range=3 back=0-0-6", "X": "soviet 3-5-3 0,0"}
    for die in range(1, 7):
        g = start(units, phase="combat", dice=[die, 3, 3], options={"leaders": "on"})
        do(g, "attack 0,0", "add A", "declare")
        while not isinstance(g.stack[-1], Reroll):
            do(g, "pass")
        failed = not battle(g).result(g).retreat
        assert chosen(g) == ("reroll L" if failed else "pass")


def test_units_in_holding_boxes_are_left_out_of_its_plans():
    units = {
        "1R": "soviet 0-0-3 0,0 reserve_army box=3",
        "P": "soviet 7-5-5 - tank box=3",
        "S": "soviet 3-5-3 3,0",
        "X": "axis 3-5-3 -3,0",
    }
    g = start(units, boxes=[area("A", "soviet", "4,0 4,-1")], links=[("primary", "4,0 3,0 2,0 1,0 0,0")], side="soviet")
    assert chosen(g)


def test_an_automatic_ds_is_prepared_with_the_nation_that_suffices():
    """20.5.1: the Italian unit is stronger than each Romanian one, but 10-1 takes the two Romanian ones."""
    units = {
        "A": "axis 6-8-6 1,0",
        "I": "axis 3-5-3 0,1 nation=italian",
        "R": "axis 2-5-3 -1,1 nation=romanian",
        "Q": "axis 2-5-3 -1,0 nation=romanian",
        "X": "soviet 1-1-3 0,0",
    }
    g = start(units, radius=5)
    assert chosen(g) == "auto_ds 0,0"
    do(g, "auto_ds 0,0")
    for _ in range(3):
        do(g, chosen(g))
    assert chosen(g) == "declare"
