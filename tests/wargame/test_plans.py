"""The best group for an attack, found on a copy from listed actions and previews."""

from __future__ import annotations

import pytest

from kessel.bots import RandomPlayer
from kessel.core.analysis import decode
from kessel.core.dice import Dice
from kessel.core.game import Game
from kessel.core.pack import pack_of
from kessel.core.procedure import PASS, apply, asked, options, push, run
from kessel.core.title import title
from kessel.wargame.plans import _stands, ways_to_the_die

GAMES = [("stalingrad42", "fall-blau"), ("don42", "short-game")]
"""kharkov43 begins an attack with all who may take part."""


def at_attacks(game: str, scenario: str) -> Game:
    """A game in which somebody may attack several hexes."""
    playing, program = Game.new(game, scenario, seed=0), RandomPlayer(3)
    for n in range(1200):
        if playing.over:
            playing = Game.new(game, scenario, seed=n)
        found = list(options(playing.board))
        if sum(a[0] == "attack" for a in found) > 1:
            return playing
        playing.play(PASS if PASS in found else program.choose(playing.title, playing.board, playing.side))
    raise AssertionError("nobody attacks")


@pytest.mark.parametrize(("game", "scenario"), GAMES)
def test_all_of_a_plan_is_legal_and_nobody_in_it_is_idle(game: str, scenario: str) -> None:
    playing = at_attacks(game, scenario)
    before = playing.board.digest()
    for attack in [a for a in options(playing.board) if a[0] == "attack"]:
        plan = playing.title.plan(playing.board, attack)
        assert plan[0] == attack
        assert len(plan) > 1
        group = plan[1:]
        full = _stands(playing.title, playing.board, attack, group)
        assert full
        for one in group:
            fewer = [a for a in group if a != one]
            assert not fewer or _stands(playing.title, playing.board, attack, fewer) != full, playing.text(one)
        h = playing.board.copy()
        for action in plan:
            apply(h, action, playing.side)
        assert playing.board.digest() == before


def test_who_is_attacked_is_not_offered_an_attack() -> None:
    playing, program = Game.new("korsun44", "tinovka", seed=0), RandomPlayer(3)
    told: set[str] = set()
    while not (told or playing.over):
        t, g = playing.title, playing.board
        if PASS in options(g) and asked(g) != t.turn_of(g):
            told |= {way.says.split()[0] for way in ways_to_the_die(t, g, PASS)}
        playing.play(program.choose(t, g, playing.side))
    assert told == {"Defend"}


def test_a_single_declared_attack_is_carried_on_to_its_die() -> None:
    """Korsun 12.1.1: all attacks are declared before the first is fought."""
    pack, t = pack_of("korsun44"), title("korsun44")
    text = pack.text("lessons/kapitanovka-attack.json").replace('"tank.53A", "at": "4919"', '"tank.53A", "at": "4920"')
    g = t.from_position(decode(text, t.position_type), pack)
    g.dice = Dice(b"declared")
    run(g)
    attacks = [a for a in options(g) if a[0] == "attack"]
    assert len(attacks) == 2
    assert not t.ways(g, PASS), "nothing is declared yet"
    push(g, attacks[0])
    found = t.ways(g, PASS)
    assert [way.says for way in found] == ["Attack at once", "Attack with all support"]
    for way in found:
        h = g.copy()
        for action in way.do:
            assert not h.dice.rolled
            apply(h, action, asked(g))
        assert h.dice.rolled
        assert way.at
    push(g, attacks[1])
    assert not t.ways(g, PASS), "which is fought first is not for a button to say"
