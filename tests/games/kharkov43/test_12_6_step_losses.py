"""12.6 Step losses, and 12.9 units that are dispersed or unsupplied."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.games.kharkov43.board import (
    ACTIVE,
    DESTROYED,
    DISPERSED,
    DISPERSED_ATTACKING,
    ELIMINATED,
)
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.improved_positions import can_dig_in
from kessel.games.kharkov43.combat.results.step_losses import loss_candidates, must_eliminate, why_not_lose
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.movement.movement import why_not_mobile
from kessel.games.kharkov43.sequence import end_turn
from kessel.games.kharkov43.turn.events import disperse_hex
from kessel.games.kharkov43.turn.german_activation import recover
from tests.games.kharkov43.combat_helpers import (
    choices,
    dice,
    hit_germans,
    hit_soviets,
    places,
    play,
    refused,
    scene,
    step,
    steps,
    units,
)
from tests.games.kharkov43.helpers import german, hx, soviet, unit

from .test_12_hits import BIG_PILE, germans_defend, soviets_attack

RULE = "kharkov43"


# --- 12.6 ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.6a")
@pytest.mark.parametrize(
    ("attackers", "first"),
    [
        ([("3-4 2-4 1-4", "infantry"), ("3-4 2-4", "infantry")], ["0.XL"]),
        ([("3-6 2-6", "armor"), ("3-4 2-4", "infantry")], ["0.XL"]),
        ([("3-6 2-6", "armor"), ("3-4 2-4 1-4", "infantry")], ["0.XL", "1.XL"]),
        ([("3-6 2-6", "mechanized"), ("3-4 2-4", "infantry")], ["0.XL", "1.XL"]),
    ],
)
def test_the_first_german_loss_falls_on_a_three_step_or_armor_unit(attackers: Any, first: list[str]):
    made = [german(f"{i}.XL", "1911", faces=f, type=t) for i, (f, t) in enumerate(attackers)]
    g = scene([*made, soviet("d.6", "1910")])
    us = units(g, "0.XL 1.XL")
    assert [g.id(u) for u in loss_candidates(g, us, ())] == first
    assert {g.id(u) for u in loss_candidates(g, us, (us[0],))} == {"1.XL"}
    if first == ["0.XL"]:
        assert why_not_lose(g, us, (), us[1]).rule == "12.6"


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


@pytest.mark.rule(RULE, "12.6b")
def test_a_soviet_loss_falls_on_most_steps_then_the_higher_selector():
    g = scene(
        [
            soviet("a.6", "1910", faces="4-4-30 3-4-31"),
            soviet("b.6", "1910", faces="4-4-02 3-4-03"),
            soviet("c.6", "1909", faces="4-4-04 3-4-05 2-4-06"),
        ]
    )
    us = units(g, "a.6 b.6 c.6")
    assert [g.id(u) for u in loss_candidates(g, us, ())] == ["c.6"]
    assert [g.id(u) for u in loss_candidates(g, us[:2], ())] == ["a.6"]
    assert why_not_lose(g, us, (), us[0]).rule == "12.6"


@pytest.mark.rule(RULE, "12.6c")
def test_with_equal_selectors_the_player_chooses_the_soviet_unit():
    g = scene(
        [
            german("a.XL", "1911"),
            soviet("d.6", "1910", faces="3-4-05 2-4-06"),
            soviet("e.1G", "1910", faces="3-4-05 2-4-07", army="1G"),
        ]
    )
    dice(g, 1)
    hit_soviets(g, "a.XL", "1910", 1)
    assert step(g) == "choose_soviet_loss"
    assert choices(g) == ["lose d.6", "lose e.1G"]
    assert refused(g, "lose a.XL") == "12.6"
    play(g, "lose e.1G")
    assert steps(g, "d.6 e.1G") == [2, 1]
    s = scene(
        [
            soviet("d.6", "1809", faces="3-4-05 2-4-06"),
            soviet("e.1G", "1809", faces="3-4-05 2-4-07", army="1G"),
            german("a.XL", "1910"),
        ],
        cards={"draw": BIG_PILE},
    )
    hit_germans(s, "d.6 e.1G", "1910", 0, 1)
    assert choices(s) == ["lose d.6", "lose e.1G"]
    play(s, "lose d.6")
    assert steps(s, "d.6 e.1G") == [1, 2]


@pytest.mark.rule(RULE, "12.61a")
def test_no_second_loss_until_all_have_lost_one():
    g = scene(
        [
            soviet("a.6", "1910", faces="4-4-01 3-4-02 2-4-03"),
            soviet("b.6", "1910", faces="4-4-04"),
            german("c.XL", "1911"),
            german("d.XL", "1911"),
        ]
    )
    a, b = units(g, "a.6 b.6")
    assert loss_candidates(g, (a, b), ()) == [a]
    assert loss_candidates(g, (a, b), (a,)) == [b]
    assert loss_candidates(g, (a, b), (a, b)) == [a]
    c, d = units(g, "c.XL d.XL")
    assert loss_candidates(g, (c, d), (c,)) == [d]
    assert why_not_lose(g, (c, d), (c,), c).rule == "12.61"
    assert loss_candidates(g, (c, d), (c, d)) == [c, d]


@pytest.mark.rule(RULE, "12.62a")
@pytest.mark.rule(RULE, "12.62b")
@pytest.mark.rule(RULE, "12.62c")
@pytest.mark.parametrize(
    ("faces", "status", "box"),
    [("3-4 2-4", [], ELIMINATED), ("3-4", [], DESTROYED), ("3-4 2-4", ["isolated"], DESTROYED)],
)
def test_elimination_and_destruction(faces: str, status: list[str], box: int):
    g = scene([soviet("0.6", "1809"), german("d.XL", "1910", faces=faces, steps=1, status=status)])
    hit_germans(g, "0.6", "1910", 1)
    if g.stack and step(g) == "defend":
        play(g, "lose d.XL")
    u = unit(g, "d.XL")
    assert (g.box[u], g.steps[u]) == (box, 1)


@pytest.mark.rule(RULE, "12.72a")
def test_whether_losses_must_eliminate_a_unit():
    g = scene([german("a.XL", "1911", faces="3-4 2-4"), german("b.XL", "1911", faces="3-4"), soviet("d.6", "1910")])
    us = units(g, "a.XL b.XL")
    assert not must_eliminate(g, us, (), 1)
    assert must_eliminate(g, us, (), 2)
    assert must_eliminate(g, us[1:], (), 1)
    assert not must_eliminate(g, us, (us[1],), 1)


@pytest.mark.rule(RULE, "12.72a")
def test_a_unit_of_three_steps_bears_two_losses():
    g = scene([german("a.XL", "1911", faces="3-4 2-4 1-4"), soviet("d.6", "1910", faces="3-4-01 2-4-02 1-4-03")])
    for name in ("a.XL", "d.6"):
        us = units(g, name)
        assert [must_eliminate(g, us, (), n) for n in range(4)] == [False, False, False, True]


def test_nobody_is_left_to_lose_a_step():
    g = scene([german("a.XL", "1911"), soviet("d.6", "1910")])
    us = units(g, "a.XL")
    g.take_off(us[0], ELIMINATED)
    assert loss_candidates(g, us, ()) == []
    assert why_not_lose(g, us, (), us[0]).rule == "12.6"


# --- 12.9 ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.9a")
def test_attackers_are_dispersed_by_hits_and_targets_by_events():
    g = soviets_attack("3-4-01 2-4-02")
    hit_germans(g, "0.6", "1910", 0, 2)
    assert g.status[unit(g, "0.6")] & DISPERSED
    assert g.charts.events["partisan_uprising"].action == g.charts.events["over_extended"].action == "disperse"
    disperse_hex(g, hx(g, "1910"), GERMAN)
    assert g.status[unit(g, "d.XL")] & DISPERSED


@pytest.mark.rule(RULE, "12.9b")
def test_a_dispersed_unit_does_not_move_attack_dig_in_or_advance():
    g = scene([german("a.XL", "1911", status=["active", "dispersed"]), soviet("d.6", "1910", faces="1-4-05")])
    u = unit(g, "a.XL")
    assert why_not_mobile(g, u).rule == "12.9"
    assert not can_dig_in(g, u)
    assert GermanCombat(GERMAN, hx(g, "1910")).attackers == ()
    both = scene(
        [
            german("a.XL", "1911", faces="3-4 2-4"),
            german("b.XL", "1911", faces="3-4 2-4"),
            soviet("d.6", "1910", faces="1-4-05"),
        ]
    )
    hit_soviets(both, "a.XL b.XL", "1910", 1, 2)
    play(both, "lose a.XL", "disperse")
    assert not both.stack
    assert places(both, "a.XL b.XL") == {"a.XL": "1911", "b.XL": "1911"}


@pytest.mark.rule(RULE, "12.9e")
def test_activation_recovers_units_unless_dispersed_attacking_in_it():
    g = scene(
        [
            german("a.XL", "1911", status=["active", "dispersed"]),
            german("b.XL", "1911", status=["active", "dispersed"]),
            german("c.XL", "1911", status=["dispersed"]),
        ]
    )
    g.set_status(unit(g, "b.XL"), DISPERSED_ATTACKING)
    recover(g)
    assert [bool(g.status[u] & DISPERSED) for u in units(g, "a.XL b.XL c.XL")] == [False, True, True]
    end_turn(g)
    assert not any(g.status[u] & DISPERSED for u in units(g, "a.XL b.XL c.XL"))


@pytest.mark.rule(RULE, "12.9e")
def test_a_unit_dispersed_by_its_own_attack_stays_so_at_the_end_of_the_activation():
    g = scene(
        [
            german("a.XL", "1911", faces="3-4 2-4", status=["active"]),
            german("b.XL", "1911", faces="3-4 2-4", status=["active"]),
            soviet("d.6", "1910", faces="1-4-05"),
        ]
    )
    hit_soviets(g, "a.XL b.XL", "1910", 0, 2)
    play(g, "lose a.XL", "disperse")
    recover(g)
    assert g.status[unit(g, "a.XL")] & (DISPERSED | ACTIVE) == DISPERSED | ACTIVE


@pytest.mark.rule(RULE, "12.62a")
def test_losses_end_with_the_last_step():
    g = germans_defend(german("d.XL", "1910", faces="4-4 2-4", steps=1))
    c = GermanCombat(GERMAN, hx(g, "1910"), owed=2, losers=units(g, "d.XL"))
    c.take_forced_losses(g, "12.7")
    assert g.box[unit(g, "d.XL")] == ELIMINATED
    assert c.owed == 0, "nobody is left to take the second one"
