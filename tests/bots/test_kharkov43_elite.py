"""The German of Kharkov '43 who plays each impulse on before he chooses: what he compares, with what luck, how long."""

from __future__ import annotations

from functools import cache

import pytest

from kessel.bots import decide, player
from kessel.bots.kharkov43.commander import Commander, Quick
from kessel.bots.kharkov43.domain import DOMAIN
from kessel.bots.kharkov43.parts import PARTS
from kessel.bots.kharkov43.worth import decision, near
from kessel.bots.search.plans import USUAL, orders_of
from kessel.bots.search.player import SearchPlayer
from kessel.bots.search.trials import Trial
from kessel.core.dice import Dice
from kessel.core.game import Game
from kessel.core.procedure import asked, legal, push
from kessel.core.title import title
from kessel.games.kharkov43.answers.view import unseen_german_cards
from kessel.games.kharkov43.board import AVAILABLE, DRAW, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.turn.german_cards import GermanImpulse

GAME = "kharkov43"
T = title(GAME)
ELITE = "elite?rollouts=9,plans=3"


@cache
def first_impulse() -> Board:
    g = Game.new(GAME, "campaign", seed=12).board
    assert isinstance(g, Board)
    g.events = None
    while not isinstance(g.stack[-1], GermanImpulse):
        push(g, decide(Commander(1), T, g, asked(g)))
    return g


def hides_otherwise(g: Board) -> Board:
    """The same board for the German: other cards lie unseen in his draw pile, and other dice will fall."""
    other = g.copy()
    mixed, _ = unseen_german_cards(other)
    away, there = ([i for i in mixed if other.cards[i] == pile] for pile in (AVAILABLE, DRAW))
    other.cards[away[0]], other.cards[there[0]] = DRAW, AVAILABLE
    other.dice = Dice(77)
    other.changed()
    return other


def test_what_it_may_not_know_changes_neither_move_nor_words():
    g = first_impulse()
    other = hides_otherwise(g)
    assert bytes(other.cards) != bytes(g.cards)
    told = []
    for board in (g.copy(), other):
        who = player(GAME, ELITE, 5)
        action = decide(who, T, board, GERMAN)
        assert isinstance(who, SearchPlayer)
        told.append((action, who.reason, who.words, who.plan))
    assert told[0] == told[1]
    assert told[0][2]


def test_it_thinks_once_an_impulse_and_keeps_to_its_trials():
    g = first_impulse().copy()
    who = player(GAME, ELITE, 5)
    assert isinstance(who, SearchPlayer)
    impulses, seen = 0, None
    while impulses < 3:
        before, now = who.rollouts, DOMAIN.moment(g, GERMAN)
        action = decide(who, T, g, asked(g))
        assert action in legal(g)
        if now is None or now == seen:
            assert who.rollouts == before
        else:
            seen, impulses = now, impulses + 1
            assert 0 < who.rollouts - before <= 9 * DOMAIN.effort(g)
        push(g, action)


def test_the_first_plan_is_what_it_would_do_anyway():
    g = first_impulse()
    usual, *others = DOMAIN.orders(g, GERMAN)
    assert usual.script == USUAL
    assert all(o.script != USUAL for o in others)
    plain, told = Commander(1), Commander(1)
    told.order(orders_of((usual,)))
    h = g.copy()
    for _ in range(6):
        action = plain.choose(T, h, GERMAN)
        assert told.choose(T, h, GERMAN) == action
        push(h, action)
        if not DOMAIN.holds(h, GERMAN):
            break


def test_its_plans_are_played_as_they_are_ordered():
    g = first_impulse()
    seen = set()
    for order in DOMAIN.orders(g, GERMAN):
        changes = dict(order.changes)
        who = Quick(1)
        who.order(orders_of((order,)))
        action = who.choose(T, g, GERMAN)
        assert action[0] == "play"
        assert action in legal(g)
        assert g.charts.card_index(action[1]) == changes["play"]
        seen.add((order.script, *sorted(changes.items())))
        assert g.charts.card(action[1]).name in order.words or action[2] in ("activate", "one_unit")
    assert len(seen) == len(DOMAIN.orders(g, GERMAN))


def test_trials_of_a_plan_end_at_the_next_impulse_and_come_to_the_same():
    g = first_impulse()
    order = DOMAIN.orders(g, GERMAN)[1]
    before = g.digest()
    one, two = (Trial(T, DOMAIN, g, GERMAN, 4, fitted=True) for _ in range(2))
    assert one.value((order,), 0) == two.value((order,), 0)
    assert g.digest() == before


@pytest.mark.parametrize(("vp", "better"), [(13, True), (14, True), (16, False), (20, False)])
def test_near_a_level_of_the_calendar_points_count_more(vp: int, better: bool):
    """18.35: on game-turn 6 fewer than 15 points and Kharkov win at once; more than 25 lose."""
    g = first_impulse().copy()
    g.set_track("turn", 6)
    g.set_track("vp", vp)
    kharkov = g.map.grid.hex("0912")
    g.set_owner(kharkov, GERMAN)
    held = decision(g)
    assert (held > 2.5) == better
    g.set_owner(kharkov, SOVIET)
    assert decision(g) < min(held, 0.01)
    g.set_track("vp", 27)
    assert decision(g) < -2
    assert near(0) == 0.5


def test_parts_count_for_the_germans():
    g = first_impulse().copy()
    before = PARTS.parts(g)
    u = next(u for u in g.on_map_of(GERMAN) if g.steps[u] == 2)
    g.set_steps(u, 1)
    g.set_track("vp", g.vp + 1)
    after = PARTS.parts(g)
    assert after["points"] == before["points"] - 1
    assert after["strength"] < before["strength"]
    assert after["soviets"] == before["soviets"]
    assert PARTS.left(g) == 1.0
