"""3.1 Stacking."""

from __future__ import annotations

import pytest

from kessel.core.game import Game
from kessel.core.procedure import options
from kessel.games.don42.board import G_MOVEMENT, S_MOVEMENT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.movement.stacking import excess, overstacked, why_not_fit, why_not_together

from .helpers import PACK, ask, at, do, fresh, ger, h, homeland, hq62, pos, refusal, sov, start, texts, u

BN = {"size": "battalion"}
CO = {"size": "company"}
RGT = {"size": "regiment"}
HQ = {"type": "hq", "size": "division"}


def limit(*units):
    g = pos(*units)
    return why_not_together(g, GERMAN, g.units(h(g, "0,0")))


@pytest.mark.rule("don42", "3.1.3.a")
def test_a_german_hex_holds_one_hq_beside_its_combination():
    assert limit(ger("H", "0,0", **HQ), ger("A", "0,0", **RGT)) is None
    found = limit(ger("H", "0,0", **HQ), ger("K", "0,0", **HQ))
    assert found is not None
    assert found.rule == "3.1.3"


@pytest.mark.rule("don42", "3.1.3.b1")
def test_two_battalions_stack_a_third_does_not():
    two = [ger("A", "0,0", **BN), ger("B", "0,0", **BN)]
    assert limit(*two) is None
    assert limit(*two, ger("C", "0,0", **BN)) is not None


@pytest.mark.rule("don42", "3.1.3.b2")
def test_one_battalion_and_three_companies_stack():
    one = [ger("A", "0,0", **BN), *(ger(f"K{i}", "0,0", **CO) for i in range(3))]
    assert limit(*one) is None
    assert limit(*one, ger("K4", "0,0", **CO)) is not None
    assert limit(*one, ger("B", "0,0", **BN)) is not None
    assert limit(*(ger(f"K{i}", "0,0", **CO) for i in range(4))) is not None, "four companies are no listed stack"


@pytest.mark.rule("don42", "3.1.3.b3")
def test_a_regiment_fills_the_hex():
    assert limit(ger("A", "0,0", **RGT)) is None
    assert limit(ger("A", "0,0", **RGT), ger("B", "0,0", **BN)) is not None
    assert limit(ger("A", "0,0", **RGT), ger("B", "0,0", **CO)) is not None


@pytest.mark.rule("don42", "3.1.2.a", "3.1.2.b")
def test_soviet_units_never_stack_not_even_with_an_hq():
    g = pos(sov("X", "0,0"), sov("HQ62A", "1,0", "0-1-8", type="hq", size="army"), sov("Y", "3,0"))
    assert why_not_together(g, SOVIET, [u(g, "X"), u(g, "Y")]).rule == "3.1.2"
    assert why_not_together(g, SOVIET, [u(g, "X"), u(g, "HQ62A")]).rule == "3.1.2"
    assert why_not_fit(g, SOVIET, h(g, "0,0"), [u(g, "HQ62A")]) is not None


@pytest.mark.rule("don42", "3.1.c")
def test_only_friends_share_a_hex():
    g = pos(ger("A", "0,0"), sov("X", "2,0"), phase="german_movement")
    assert why_not_fit(g, GERMAN, h(g, "2,0"), [u(g, "A")]).rule == "3.1"
    assert ask(g, "stacking", hex="2,0", units=["A"])["legal"] is False


@pytest.mark.rule("don42", "3.1.4", "10.0.e")
def test_units_may_pile_up_while_they_move():
    g = pos(hq62(), sov("X", "0,0"), sov("Y", "1,0"), on=homeland(), phase="soviet_movement")
    do(g, "move X", "to 1,0")
    assert at(g, "X") == at(g, "Y") == "1,0"
    assert overstacked(g, SOVIET) == [h(g, "1,0")]
    do(g, "halt", "move Y", "to 2,0", "halt")
    assert overstacked(g, SOVIET) == []


@pytest.mark.rule("don42", "3.1.a", "3.1.d", "3.1.2.c")
def test_units_over_the_limit_when_the_movement_phase_ends_are_eliminated_by_their_owner():
    g = pos(hq62(), sov("X", "0,0"), sov("Y", "1,0"), on=homeland())
    start(g, MovementPhase(SOVIET, S_MOVEMENT))
    do(g, "move X", "to 1,0", "halt", "pass")
    assert sorted(texts(g)) == ["eliminate X", "eliminate Y"]
    do(g, "eliminate Y")
    assert g.steps[u(g, "Y")] == 0
    assert at(g, "X") == "1,0"
    assert not g.stack


@pytest.mark.rule("don42", "3.1.b")
def test_limits_hold_again_when_the_combat_phase_ends():
    g = pos(ger("A", "0,0"), ger("B", "0,0"), ger("C", "0,0"), sov("X", "1,0"), phase="german_combat")
    do(g, "pass")
    assert sorted(texts(g)) == ["eliminate A", "eliminate B", "eliminate C"]
    do(g, "eliminate C")
    assert overstacked(g, GERMAN) == []


@pytest.mark.rule("don42", "3.1.5.a", "12.2")
def test_stacked_germans_defend_with_one_combined_strength():
    g = pos(ger("A", "0,0", "4-4-10"), ger("B", "0,0", "4-3-10"), sov("X", "1,0", "3-4-5"), phase="soviet_combat")
    found = ask(g, "attack", hex="0,0", units=["X"])
    assert found["defence"]["total"] == 7


@pytest.mark.rule("don42", "3.1.5.b", "12.3.d", "12.3.c")
def test_units_of_one_stack_may_attack_different_hexes_each_with_its_whole_strength():
    g = pos(ger("A", "0,0"), ger("B", "0,0"), sov("X", "1,0"), sov("Y", "0,1"), phase="german_combat")
    assert ask(g, "attack", hex="1,0", units=["A"])["attack"]["total"] == 4
    assert ask(g, "attack", hex="0,1", units=["B"])["attack"]["total"] == 4
    do(g, "attack 1,0", "with A", "assault", dice=[1])
    while "attack 0,1" not in texts(g):
        do(g, texts(g)[0], dice=[1, 1])
    do(g, "attack 0,1")
    assert refusal(g, "with A").rule == "12.0"
    assert "with B" in texts(g)


@pytest.mark.rule("don42", "3.1.5.c", "12.0.f")
def test_a_unit_attacks_once_and_one_hex_only():
    g = pos(ger("A", "0,0", "9-4-10"), sov("X", "1,0", "3-3-5"), sov("Y", "0,1", "3-3-5"), phase="german_combat")
    do(g, "attack 1,0", "with A", "assault", dice=[1])
    assert "attack 0,1" not in texts(g)


@pytest.mark.rule("don42", "3.1.a", "3.1.d", "17.3.4.07")
def test_stacks_printed_over_the_limit_are_told_at_once_and_before_the_phase_ends():
    game = Game.new("don42", "short-game", seed=1, pack=PACK)
    told = [e["what"] for e in game.opening if e["rule"] == "3.1"]
    assert len(told) == 1
    assert "2528 is over" in told[0]
    assert "2537 is over" in told[0]
    g = game.board
    g.set_track("phase", G_MOVEMENT)
    start(g, MovementPhase(GERMAN, G_MOVEMENT))
    assert "2537 is over the stacking limit" in options(g).prompt
    assert "2 of HQ8C, HQ384, 384Art, 384AT, HQ51C will be eliminated" in options(g).prompt
    do(g, "move HQ51C", "to 2436", "halt", "move HQ384", "to 2636", "halt")
    assert "2537" not in options(g).prompt
    assert "1 of 178Rgt, 76AT will be eliminated" in options(g).prompt, "told until it is mended"
    do(g, "move 76AT", "to 2529", "halt")
    assert options(g).prompt == options(g).open_prompt, "nothing more to tell"


@pytest.mark.rule("don42", "3.1.a", "3.1.d", "17.3.4.07")
def test_the_gun_we_place_adds_nothing_to_the_printed_excess():
    g = fresh("short-game")
    there = g.units(h(g, at(g, "384AT")))
    assert any(g.forces.division[x] == "384Div" for x in there if x != u(g, "384AT")), "atop a unit of its division"
    assert excess(g, GERMAN, there) == excess(g, GERMAN, [x for x in there if x != u(g, "384AT")])
    g.set_track("phase", G_MOVEMENT)
    start(g, MovementPhase(GERMAN, G_MOVEMENT))
    do(g, "pass", "eliminate 76AT")
    assert texts(g) == ["eliminate HQ8C", "eliminate HQ384", "eliminate HQ51C"], "only those whose loss mends it"


@pytest.mark.rule("don42", "3.1.3.b3", "17.3.4.07")
def test_a_free_set_up_puts_the_gun_where_it_adds_nothing():
    g = fresh("short-game", free_setup="on")
    while "place 384AT 2537" not in texts(g):
        do(g, next(t for t in texts(g) if t.startswith("place ")))
    assert [t for t in texts(g) if t.startswith("place 384AT")] == ["place 384AT 2537"], "a regiment fills its hex"
