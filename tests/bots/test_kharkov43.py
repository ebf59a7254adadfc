"""The program that plays the Germans of Kharkov '43: quick parts of games with it."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from kessel.bots import levels, player
from kessel.core.game import Game
from kessel.core.procedure import legal, push
from kessel.core.title import title
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.data.forces import GERMAN
from tests.games.kharkov43.combat_helpers import full_cup, scene
from tests.games.kharkov43.helpers import german, panzer, soviet

GAME = "kharkov43"


def play(level: str, seed: int, *, turns: int, scenario: str = "campaign") -> tuple[Board, Counter[str]]:
    """Play until that turn is over; every choice is checked. The program is made anew for each decision."""
    t = title(GAME)
    g = Game.new(GAME, scenario, seed=seed).board
    assert isinstance(g, Board)
    g.events = None
    dull = player(GAME, "random", seed)
    verbs: Counter[str] = Counter()
    while g.stack and g.turn <= turns:
        who = player(GAME, level, seed) if level != "random" else dull
        action = who.choose(t, t.known_to(g, GERMAN), GERMAN)
        assert who.reason
        assert "\n" not in who.reason
        assert action in legal(g)
        verbs[action[0]] += 1
        push(g, action)
    return g, verbs


def test_it_is_offered():
    assert levels(GAME) == ["random", "recruit", "regular"]


@pytest.mark.parametrize("scenario", ["campaign", "initial-assault"])
def test_it_plays_listed_actions_and_gives_reasons(scenario: str):
    g, verbs = play("greedy", 5, turns=1, scenario=scenario)
    assert g.faults() == []
    assert verbs["play"] >= 4
    assert verbs["deploy"] >= 5
    assert verbs["move"] >= 2


def test_it_loses_fewer_towns_than_random():
    for seed in (3,):
        greedy, random = (play(level, seed, turns=2)[0].vp for level in ("greedy", "random"))
        assert greedy < random


def test_a_new_player_for_every_decision_chooses_the_same():
    t = title(GAME)
    g = Game.new(GAME, "campaign", seed=9).board
    g.events = None
    one = player(GAME, "greedy", 1)
    for _ in range(40):
        action = one.choose(t, t.known_to(g, GERMAN), GERMAN)
        assert action == player(GAME, "greedy", 2).choose(t, t.known_to(g, GERMAN), GERMAN)
        push(g, action)


def test_it_is_quick():
    begun = time.process_time()
    play("greedy", 6, turns=1)
    assert time.process_time() - begun < 10


def test_units_out_of_supply_are_not_left_alone_in_an_attack():
    """12.1: they need a supplied unit, however weak; the program once put it in and out for ever."""
    strong = [panzer(f"{i}.XL", "1911", status=["active", "out_of_supply"]) for i in range(2)]
    weak = german("w.XL", "1810", faces="1-4", status=["active", "moved"])
    g = scene(
        [*strong, weak, soviet("d.6", "1910", faces="2-4-05")],
        turn=9,
        support_line="east",
        phase="german_activation",
        card="P26",
        cards={"in_play": "P26", "hand": "P23"},
    )
    full_cup(g)
    t, who = title(GAME), player(GAME, "greedy", 1)
    begun: list[GermanCombat] = []
    for _ in range(30):
        action = who.choose(t, t.known_to(g, GERMAN), GERMAN)
        assert action in legal(g)
        push(g, action)
        begun += [p for p in g.stack if isinstance(p, GermanCombat)]
        if not g.stack or g.stack[-1].step is None or g.stack[-1].step.name == "play":
            break
    assert begun
    assert any(g.is_supplied(u) for u in begun[-1].attackers)
    assert not any(isinstance(p, GermanCombat) for p in g.stack)
