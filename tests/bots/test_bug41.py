"""The program that plays Across the Bug River: parts of games with it on either side, and what it must not do."""

from __future__ import annotations

from collections import Counter

import pytest

from kessel.bots import player
from kessel.bots.bug41 import fights
from kessel.bots.bug41.goals import Goals, places, plain_field
from kessel.bots.bug41.greedy import parts_of
from kessel.bots.bug41.ground import quick_reach
from kessel.bots.bug41.weights import WEIGHTS, Weights
from kessel.core.game import Game
from kessel.core.procedure import PASS, asked, legal
from kessel.core.title import title
from kessel.games.bug41.board import IMPROVED, Board
from kessel.games.bug41.combat.odds import odds_of
from kessel.games.bug41.data.charts import ATTACKS
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.movement.move import Move
from kessel.games.bug41.movement.reach import Group, ways_of
from kessel.games.bug41.turn.activation import Activation
from kessel.games.bug41.turn.reinforcements import Reassignment, strays

from ..games.bug41.helpers import board, do, f, ger, h, hq, pos, sov, start, u


def some_turns(scenario: str, programs: tuple[str, str], turns: int, seed: int = 1) -> tuple[Game, Counter[str]]:
    """Play so many turns; each choice is checked. Counts marches, and those that go back where a unit came from."""
    game, counted = Game.new("bug41", scenario, seed=seed), Counter[str]()
    last = game.board.turn + turns
    sides = [player("bug41", level, seed + i) for i, level in enumerate(programs)]
    left: dict[int, tuple[int, int]] = {}
    while not game.over and game.board.turn < last:
        g, side = game.board, asked(game.board)
        action = sides[side].choose(title("bug41"), title("bug41").known_to(g, side), side)
        assert action in legal(g)
        counted[action[0]] += 1
        assert counted.total() < 900 * turns, f"no end: {action}, {sides[side].reason}"
        p = g.stack[-1]
        if action[0] == "to" and isinstance(p, Move):
            for unit in p.units:
                counted["marches"] += 1
                counted["back"] += left.get(unit) == (g.turn, action[1])
                left[unit] = (g.turn, g.place[unit])
        game.play(action, side)
    return game, counted


@pytest.mark.parametrize("scenario", ["ustyluh", "voinitsa", "campaign"])
def test_greedy_plays_every_scenario_without_running_in_circles(scenario: str) -> None:
    game, counted = some_turns(scenario, ("greedy", "greedy"), 1)
    assert title("bug41").faults(game.board) == []
    assert counted["marches"] > 20
    assert counted["back"] <= counted["marches"] / 50, "hardly anybody goes back where it came from in the same turn"
    assert counted["hasty"] + counted["regular"] + counted["prepared"] > 2


def test_greedy_beats_random_as_the_german() -> None:
    game, _ = some_turns("ustyluh", ("greedy", "random"), 3, seed=4)
    assert game.over
    outcome = title("bug41").outcome(game.board)
    assert outcome is not None
    assert outcome.winner == GERMAN


def test_greedy_beats_random_as_the_soviet() -> None:
    game, _ = some_turns("ustyluh", ("random", "greedy"), 3, seed=4)
    outcome = title("bug41").outcome(game.board)
    assert outcome is not None
    assert outcome.winner == SOVIET


@pytest.mark.parametrize("kind", ATTACKS)
def test_its_odds_are_those_of_the_rules(kind: str) -> None:
    on = board(terrain={"1,0": "village"}, pillboxes=["1,0"], sides={"0,0|1,0": "stream"})
    g = pos(
        ger("A", "0,0"),
        ger("P", "0,0", "afv", guns=5),
        ger("B", "1,-1"),
        sov("R", "1,0", status="disrupted"),
        sov("T", "1,0", "afv", guns=3),
        on=on,
    )
    units = (u(g, "A"), u(g, "P"))
    quick, exact = fights.fight(g, f(g, "298ID"), kind, h(g, "1,0"), units), odds_of(g, 0, kind, h(g, "1,0"), units)
    assert {(a, b): pytest.approx(p) for a, b, p in quick.hits} == {tuple(k): float(p) for k, p in exact.hits.items()}
    assert quick.disrupts_me == pytest.approx(float(sum(exact.disruption[x] for x in units)))
    assert quick.disrupted == pytest.approx(float(exact.disruption[u(g, "T")]))
    assert quick.leaves == pytest.approx(float(exact.must_go))


@pytest.mark.parametrize("kind", ["infantry", "afv"])
def test_its_reach_is_that_of_the_rules_on_open_ground(kind: str) -> None:
    on = board(terrain={"2,0": "light_forest", "1,1": "marsh"}, roads=[("road", "0,0 1,0 2,0 3,0")])
    g = pos(ger("A", "0,0", kind, ma=4), sov("R", "-2,0"), on=on)
    exact = ways_of(g, Group((u(g, "A"),)))
    quick = quick_reach(g, (u(g, "A"),), 0, bonus=False)
    assert set(quick) == {x for x in exact.spent if not exact.has_bonus(x)}


def test_formations_get_objectives_and_keep_them() -> None:
    g = Game.new("bug41", "campaign", seed=1).board
    assert isinstance(g, Board)
    goals = Goals(GERMAN, WEIGHTS[GERMAN])
    first = {x: goals.of(g, x) for x in g.formations_of(GERMAN)}
    assert all(goal.hexes[0] in places(g) and not goal.guard for goal in first.values())
    assert len({goal.hexes for goal in first.values()}) > 1, "not all go the same way"
    assert {x: goals.of(g, x) for x in g.formations_of(GERMAN)} == first
    taken = first[f(g, "298ID")].hexes[0]
    g.owner[taken] = GERMAN
    assert goals.of(g, f(g, "298ID")).hexes != (taken,)
    assert goals.of(g, f(g, "298ID")).guard or g.owner[goals.of(g, f(g, "298ID")).hexes[0]] == SOVIET


def test_distances_grow_from_the_objective() -> None:
    g = Game.new("bug41", "campaign", seed=1).board
    assert isinstance(g, Board)
    away = plain_field(g, g.map.grid.hex("1813"), 0, SOVIET)
    assert away[g.map.grid.hex("1813")] == 0
    assert all(away[n] > 0 for n in g.map.grid.around[g.map.grid.hex("1813")])


def test_weights_are_one_place() -> None:
    assert all(isinstance(w, Weights) for w in WEIGHTS)
    assert WEIGHTS[SOVIET].guard > WEIGHTS[GERMAN].guard


def test_it_wears_a_strong_stack_down() -> None:
    """Three units hardly ever leave at once; the attack is worth what it takes from them, and more for a dear hex."""
    g = pos(
        *(ger(x, at) for x, at in (("A", "0,0"), ("B", "1,-1"), ("C", "0,1"))),
        sov("R", "1,0"),
        *(sov(x, "1,0", "afv") for x in "ST"),
    )
    units, target, w = (u(g, "A"),), h(g, "1,0"), WEIGHTS[GERMAN]
    odds = fights.fight(g, f(g, "298ID"), "prepared", target, units)
    assert 0 < fights.wear(g, odds, target) < 1
    cheap, dear = (fights.worth(g, w, f(g, "298ID"), "prepared", target, units, prize) for prize in (0.0, 40.0))
    assert dear - cheap > 40.0 * odds.leaves + 1


def test_a_mixed_stack_can_be_split() -> None:
    g = pos(ger("A", "0,0"), ger("G", "0,0", "anti_tank"), ger("T", "2,0", "afv"))
    a, gun, tank = (u(g, x) for x in "AGT")
    assert parts_of(g, (a, gun)) == [(a, gun), (a,), (gun,)]
    assert parts_of(g, (tank,)) == [(tank,)]


def test_the_tanks_left_in_the_town_go_to_the_division_that_holds_it() -> None:
    """Two companies of 41 Tank stand in Volodymyr-Volynskyi at dawn, far from their HQ and beside that of 87 Rifle."""
    game, _ = some_turns("campaign", ("greedy", "greedy"), 0)
    g = game.board
    while not isinstance(g.stack[-1], Activation):
        side = asked(g)
        game.play(player("bug41", "greedy").choose(title("bug41"), title("bug41").known_to(g, side), side), side)
        g = game.board
    assert isinstance(g, Board)
    lent = {g.id(x): g.forces.commands[g.command[x]] for x in strays(g)}
    assert lent == {"1-1-82Tk": "87RD", "2-1-82Tk": "87RD"}


@pytest.mark.parametrize(("at", "goes"), [("5,0", True), ("-3,0", False)])
def test_a_unit_goes_to_whoever_commands_it(at: str, goes: bool) -> None:
    """A battalion of 298 Infantry beyond the range of its own HQ, among the panzers; or at home."""
    g = pos(
        hq("HQ298", "-6,0", "298ID", range=4),
        hq("HQ14", "3,0", "14Pz", range=4),
        ger("A", at),
        ger("P", "4,0", "afv", "14Pz"),
        sov("R", "6,-6"),
    )
    start(g, Reassignment(GERMAN))
    action = player("bug41", "greedy").choose(title("bug41"), g, GERMAN)
    assert action == (("attach", u(g, "A"), "14Pz") if goes else PASS)


def test_a_lent_unit_comes_home_and_does_not_go_back() -> None:
    g = pos(
        hq("HQ298", "-6,0", "298ID", range=4),
        hq("HQ14", "3,0", "14Pz", range=4),
        ger("A", "-4,0", under="14Pz"),
        ger("B", "-4,1"),
        sov("R", "6,-6"),
    )
    greedy = player("bug41", "greedy")
    start(g, Reassignment(GERMAN))
    assert greedy.choose(title("bug41"), g, GERMAN) == ("attach", u(g, "A"), "298ID")
    do(g, "attach A 298ID")
    assert not g.stack or greedy.choose(title("bug41"), g, GERMAN) == PASS
    start(g, Reassignment(GERMAN))
    assert not g.stack or greedy.choose(title("bug41"), g, GERMAN) == PASS, "nobody goes to and fro"


def test_nobody_digs_in_to_march_away() -> None:
    """What goes into Improved Defense before the enemy does not march off in the same activation."""
    game, undone = Game.new("bug41", "campaign", seed=5), 0
    sides = [player("bug41", "greedy", side) for side in (GERMAN, SOVIET)]
    dug: set[int] = set()
    for _ in range(500):
        g, side = game.board, asked(game.board)
        action = sides[side].choose(title("bug41"), title("bug41").known_to(g, side), side)
        if action[0] == "activate":
            dug = set()
        if action[0] == "move":
            undone += bool(dug & set(action[1]))
        game.play(action, side)
        if action[0] == "improve":
            dug |= {x for x in game.board.units(action[1]) if game.board.status[x] & IMPROVED}
    assert undone == 0
