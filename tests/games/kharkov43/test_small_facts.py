"""Small facts that other tests take for granted."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43 import board
from kessel.games.kharkov43.combat.odds import prospects
from kessel.games.kharkov43.combat.results.step_losses import why_not_lose
from tests.games.kharkov43.combat_helpers import battle, full_cup, scene, units
from tests.games.kharkov43.helpers import german, soviet, unit

RULE = "kharkov43"
FLAGS = "ACTIVE MOVED ATTACKED DEFENDED RETREATED PLACED DISPERSED_ATTACKING STRUCK STAYED CANNOT_ATTACK OOS ISOLATED"


def test_no_two_states_of_a_unit_share_a_bit():
    bits = [getattr(board, name) for name in f"DISPERSED {FLAGS}".split()]
    assert len(set(bits)) == len(bits)
    assert all(b.bit_count() == 1 for b in bits)


def test_the_chances_of_a_defence_add_up():
    g = scene([german("a.XL", "1911", faces="6-4 3-4"), soviet("d.6", "1910", faces="3-4-01 2-4-02")])
    full_cup(g)
    for p in prospects(g, battle(g, "a.XL", "1910")):
        assert sum(p.chance(w) for w in ("holds", "retreats one", "retreats two", "eliminated")) == 1


@pytest.mark.rule(RULE, "12.6a")
def test_a_refused_loss_names_the_rule_of_its_side():
    g = scene(
        [
            soviet("a.6", "1910", faces="3-4-01 2-4-02 1-4-03"),
            soviet("b.6", "1910", faces="3-4-05 2-4-06"),
            german("d.XL", "1912", faces="4-4 3-4 2-4"),
            german("e.XL", "1912", faces="3-4 2-4"),
        ]
    )
    soviets, germans = units(g, "a.6 b.6"), units(g, "d.XL e.XL")
    assert "a Soviet step loss" in why_not_lose(g, soviets, (), unit(g, "b.6")).reason
    assert "the first German step loss" in why_not_lose(g, germans, (), unit(g, "e.XL")).reason
