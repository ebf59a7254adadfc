"""The commander of Across the Bug River: garrisons, the last word, and what every program must keep to."""

from __future__ import annotations

from time import process_time

import pytest

from kessel.bots import decide, player
from kessel.bots.bug41.commander import Commander
from kessel.bots.bug41.goals import places
from kessel.bots.bug41.posts import LastGoals, Raiding, is_post
from kessel.bots.bug41.waiting import Watch, goes_on
from kessel.bots.bug41.weights import COMMANDER, LAST_TURN
from kessel.bots.purpose import place_words
from kessel.core.dice import Dice
from kessel.core.game import Game
from kessel.core.procedure import PASS, asked, legal, push, run
from kessel.core.title import title
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.movement.stacking import fits
from kessel.games.bug41.turn.initiative import Operations

from ..games.bug41.helpers import f, u
from .test_bug41 import some_turns

BUG = title("bug41")


def dawn(turn: int = 1, seed: int = 1) -> Board:
    """The campaign as it is set up, in that turn."""
    g = Game.new("bug41", "campaign", seed=seed).board
    assert isinstance(g, Board)
    g.set_track("turn", turn)
    return g


def hex_of(g: Board, name: str) -> int:
    return g.map.grid.hex(name)


def taken(g: Board, *names: str) -> int:
    """Ustyluh with these Germans in it, and nobody else."""
    h = hex_of(g, "1212")
    for x in g.units(h):
        g.move(x, hex_of(g, "1813"))
    for name in names:
        g.enter(u(g, name), h)
    g.owner[h] = GERMAN
    g.cache.clear()
    return h


def test_a_place_the_enemy_can_come_to_is_not_left() -> None:
    g = dawn()
    h = taken(g, "I-525")
    program = Commander()
    s = program.look(g, GERMAN)
    marches = program.marches(s, f(g, "298ID"))
    alone = (u(g, "I-525"),)
    assert is_post(g, GERMAN, h, alone)
    assert marches.loss(alone) >= s.w.leave_place
    plan = program.planner(g, s.w, f(g, "298ID"), 7, 0, marches)
    assert not plan._free_to_go(alone, h)
    g.enter(u(g, "Pi298"), h)
    assert not is_post(g, GERMAN, h, alone), "another one stays"
    assert marches.loss(alone) < s.w.leave_place


def test_the_weakest_stays_behind() -> None:
    g = dawn()
    taken(g, "I-525", "Pi298")
    program = Commander()
    stack = (u(g, "I-525"), u(g, "Pi298"))
    assert program.parts(program.look(g, GERMAN), stack) == [stack, (u(g, "I-525"),)]


def test_somebody_goes_to_a_place_that_stands_empty() -> None:
    g = dawn()
    h = taken(g)
    program = Commander()
    s = program.look(g, GERMAN)
    units = (u(g, "AA298"),)
    assert fits(g, h, units)
    _, best = program.marches(s, f(g, "298ID")).best(units, [g.place[units[0]], hex_of(g, "1112"), h])
    assert best == h


def test_on_the_last_turn_nobody_goes_for_what_cannot_be_reached() -> None:
    g = dawn(7)
    goals = LastGoals(GERMAN, LAST_TURN[GERMAN])
    for x in g.formations_of(GERMAN):
        goal = goals.of(g, x)
        if len(goal.hexes) == 1 and not goal.guard:
            assert goals.moves_to(g, x, goal.hexes[0])[0] <= g.levels[x] + 1
    g.levels[f(g, "298ID")] = 0
    torchyn = hex_of(g, "4317")
    assert torchyn in places(g)
    assert goals.moves_to(g, f(g, "298ID"), torchyn)[0] > 1
    assert goals._choose(g, f(g, "298ID")).hexes != (torchyn,)


def test_on_the_last_turn_a_stack_goes_for_a_place_of_its_own() -> None:
    """Whatever its division is after: an empty place that it can reach is worth more than the march of the others."""
    g = dawn(7)
    program = Commander()
    s = program.look(g, GERMAN)
    k64 = (u(g, "K64"),)
    g.enter(k64[0], hex_of(g, "3818"))
    g.cache.clear()
    marches = program.marches(s, f(g, "14Pz"))
    assert isinstance(marches, Raiding)
    zaturtsi, torchyn = hex_of(g, "3816"), hex_of(g, "4317")
    goal, hope = marches.raid(k64)
    assert goal in (zaturtsi, torchyn)
    assert not g.combat_units(goal)
    assert marches.field(k64)[goal] == 0
    worth, best = marches.best(k64, [g.place[k64[0]], goal])
    assert best == goal
    assert worth >= hope
    assert marches.words(k64) == f"is to take {place_words(g, goal)}"
    g.owner[zaturtsi] = g.owner[torchyn] = GERMAN
    assert program.marches(s, f(g, "14Pz")).raid(k64)[0] not in (zaturtsi, torchyn)


def test_germans_keep_levels_on_the_turn_before_the_last() -> None:
    panzers = f(dawn(), "14Pz")
    kept = {}
    for turn in (5, 6, 7):
        g, program = dawn(turn), Commander()
        kept[turn] = program._reserve(program.look(g, GERMAN), panzers)
    assert kept[7] == 0 < kept[6]
    assert kept[5] < kept[6]


def operations(turn: int, side: int) -> Board:
    g = dawn(turn)
    g.stack.clear()
    g.stack.append(Operations(side, at=2))
    g.dice = Dice(b"last word")
    run(g)
    return g


@pytest.mark.rule("bug41", "RX-6.2.pass")
@pytest.mark.parametrize("side", [GERMAN, SOVIET])
def test_the_enemy_acts_first_on_the_last_turn_only(side: int) -> None:
    for turn in (6, 7):
        g = operations(turn, side)
        assert asked(g) == side
        action = decide(player("bug41", "elite"), BUG, g, side)
        assert (action == PASS) == (turn == 7)


@pytest.mark.rule("bug41", "RX-6.2.pass")
def test_it_does_not_pass_when_the_enemy_might() -> None:
    """Two passes in a row end the turn, and with it all that it has left."""
    g = operations(7, SOVIET)
    assert goes_on(g, SOVIET, set())
    assert not goes_on(g, SOVIET, set(g.formations_of(GERMAN))), "they may all have done what they can"
    for x in g.formations_of(GERMAN):
        g.levels[x] = 0
    assert not goes_on(g, SOVIET, set())
    assert decide(player("bug41", "elite"), BUG, g, SOVIET)[0] == "activate"


def test_who_has_acted_since_the_front_moved_may_be_done() -> None:
    g, watch = dawn(7), Watch()
    assert watch.look(g, SOVIET) == set()
    g.levels[f(g, "14Pz")] -= 1
    assert watch.look(g, SOVIET) == {f(g, "14Pz")}
    g.move(u(g, "I-16"), hex_of(g, "1913"))
    assert watch.look(g, SOVIET) == set()


def test_it_says_what_it_waits_for() -> None:
    g, program = operations(7, SOVIET), Commander()
    assert decide(program, BUG, g, SOVIET) == PASS
    assert program.reason == "the enemy is to act first"


@pytest.mark.parametrize("scenario", ["ustyluh", "voinitsa", "campaign"])
def test_it_plays_every_scenario_without_running_in_circles_and_keeps_time(scenario: str) -> None:
    begun = process_time()
    game, counted = some_turns(scenario, ("elite", "elite"), 1)
    assert BUG.faults(game.board) == []
    assert counted["marches"] > 20
    assert counted["back"] <= counted["marches"] / 50
    assert process_time() - begun < 2 * 10


def test_two_that_play_from_one_position_play_alike() -> None:
    g = operations(7, GERMAN)
    twin = g.copy()
    seats = {x: player("bug41", "elite", x) for x in BUG.played}
    others = {x: player("bug41", "elite", 5 + x) for x in BUG.played}
    for _ in range(40):
        side = asked(g)
        action = decide(seats[side], BUG, g, side)
        assert action in legal(g)
        assert decide(others[side], BUG, twin, side) == action
        push(g, action)
        push(twin, action)


def test_its_numbers_keep_the_germans_alive_and_spend_them_at_the_end() -> None:
    assert COMMANDER[GERMAN].own_strength > LAST_TURN[GERMAN].own_strength == 0
    assert LAST_TURN[SOVIET].own_strength < COMMANDER[SOVIET].own_strength
