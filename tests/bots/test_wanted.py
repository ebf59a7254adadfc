"""Attacks that a plan would still make, named before a phase is ended."""

from __future__ import annotations

import pytest

from kessel.bots import player
from kessel.bots.wanted import MOST, wanted
from kessel.core.game import Game
from kessel.core.procedure import PASS, options

GAMES = [("stalingrad42", "fall-blau"), ("don42", "short-game")]


def in_combat(game: str, scenario: str) -> Game:
    """Where attacks can be begun or the phase be ended."""
    playing = Game.new(game, scenario, seed=3)
    t, bots = playing.title, [player(game, "greedy", n) for n in (1, 2)]
    for _ in range(400):
        found = options(playing.board)
        if found.allows(PASS) and sum(a[0] in t.opens for a in found) > MOST:
            return playing
        playing.play(bots[playing.side].choose(t, t.known_to(playing.board, playing.side), playing.side))
    raise AssertionError("no attack is ever possible")


@pytest.mark.parametrize(("game", "scenario"), GAMES)
def test_the_best_attacks_are_named_with_place_odds_and_units(game: str, scenario: str) -> None:
    playing = in_combat(game, scenario)
    t, g = playing.title, playing.title.known_to(playing.board, playing.side)
    before = g.digest()
    found = wanted(t, g)
    assert g.digest() == before
    assert 0 < len(found) <= MOST
    assert len({w.hex for w in found}) == len(found)
    listed = playing.legal_texts()
    for w in found:
        assert w.do in listed
        assert w.hex in w.says
        assert w.at in w.says
        assert g.name(g.forces.unit(w.units[0])) in w.says
    assert any(w.at for w in found)


def test_a_quick_program_that_wants_none_names_none() -> None:
    playing = Game.new("stalingrad42", "fall-blau", seed=3)
    assert wanted(playing.title, playing.board) == []
