"""12.3, 12.32, 12.37 Soviet tactics: where they come from, and the card of the defence."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.board import (
    AUXILIARY,
    DISCARD,
    DRAW,
    LIGHT_MUD,
    OUT,
    TACTICS_ONLY,
)
from kessel.games.kharkov43.combat.battle import attack_strength, defence_strength, has_armor
from kessel.games.kharkov43.combat.chits import adjustments, maximum_draw, situations
from kessel.games.kharkov43.combat.tactics import (
    apply_standing_tactics,
    standing_tactics,
    why_not_defence_card,
    why_not_soviet_tactics,
)
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    dice,
    field,
    full_cup,
    german_attack,
    log,
    pile,
    play,
    scene,
    soviet_attack,
    where,
)
from tests.games.kharkov43.helpers import german, soviet

from .test_12_tactics import EVERYWHERE, GERMANS, germans_attack, soviets_attack

RULE = "kharkov43"


# --- 12.3 Soviet attack: sources -------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "13.52d")
@pytest.mark.rule(RULE, "12.3d")
def test_soviet_attack_tactics_need_support():
    g = soviets_attack(turn=5, cards={"draw": "E01", "auxiliary": "E15"})
    full_cup(g)
    b = battle(g, "a.6 b.6", "1910")
    assert why_not_soviet_tactics(g, b).rule == "13.52"
    c = soviet_attack(g, "a.6 b.6", "1910", "E10")
    assert (c.tactics, c.idle, where(g, "E01"), where(g, "E15")) == ((), (), DRAW, AUXILIARY)
    for zone in ("1809", "1910"):
        supported = soviets_attack(turn=5, board=field(areas={"west_support_zone": zone}), cards={"draw": "E01"})
        full_cup(supported)
        assert soviet_attack(supported, "a.6 b.6", "1910", "E10").tactics == ("artillery",)


@pytest.mark.rule(RULE, "12.3e")
@pytest.mark.rule(RULE, "12.36a")
@pytest.mark.rule(RULE, "12.35a")
def test_the_four_sources_are_checked_in_their_order():
    zone = {"east_support_zone": EVERYWHERE}
    g = soviets_attack(turn=2, board=field(areas=zone), cards={"draw": "E08", "auxiliary": "E16"})
    full_cup(g)
    c = soviet_attack(g, "a.6 b.6", "1910", "E22")
    assert c.tactics == ("artillery", "nkvd", "airpower", "tank_brigade")
    names = [i.what for i in maximum_draw(g, c).items]
    assert names == ["a.6", "b.6", "Artillery", "NKVD", "Airpower", "Tank Brigade"]


@pytest.mark.rule(RULE, "12.36a")
@pytest.mark.parametrize(("turn", "target", "applies"), [(1, "1910", True), (2, "1910", True), (3, "1910", False)])
def test_barrage_on_the_first_two_turns_only(turn: int, target: str, applies: bool):
    g = soviets_attack(turn=turn, board=field(areas={"east_support_zone": "1910"}))
    b = battle(g, "a.6 b.6", target)
    assert [s.tactic for s in standing_tactics(g, b)] == (["artillery"] if applies else [])
    outside = soviets_attack(turn=turn, board=field(areas={"east_support_zone": "1810 1809"}))
    assert list(standing_tactics(outside, battle(outside, "a.6 b.6", target))) == []


@pytest.mark.rule(RULE, "12.35a")
@pytest.mark.rule(RULE, "12.3l")
def test_every_supported_attack_of_a_stavka_activation_gets_nkvd_and_a_chit():
    g = soviets_attack(turn=3)
    b = battle(g, "a.6 b.6", "1910", "E22")
    apply_standing_tactics(g, b)
    assert b.tactics == ("nkvd",)
    assert maximum_draw(g, b).total == 3
    assert list(standing_tactics(g, battle(g, "a.6 b.6", "1910", "E20"))) == []
    late = soviets_attack(turn=5)
    assert list(standing_tactics(late, battle(late, "a.6 b.6", "1910", "E22"))) == []
    every = soviets_attack(turn=5, options={"stavka_nkvd": "every_attack"})
    assert [s.tactic for s in standing_tactics(every, battle(every, "a.6 b.6", "1910", "E22"))] == ["nkvd"]


@pytest.mark.rule(RULE, "12.38f")
def test_an_overwhelming_attack_keeps_barrage_and_stavka_unless_switched_off():
    zone = field(areas={"east_support_zone": EVERYWHERE})
    weak = german("d.XL", "1910", faces="1-4")
    for option, tactics in (("barrage_and_stavka", ("artillery", "nkvd")), ("none", ())):
        g = soviets_attack(weak, turn=1, board=zone, options={"overwhelming_tactics": option}, cards={"draw": "E01"})
        full_cup(g)
        c = soviet_attack(g, "a.6 b.6", "1910", "E22")
        assert c.tactics == tactics
        assert where(g, "E01") == DRAW


@pytest.mark.rule(RULE, "12.3e")
@pytest.mark.example(RULE, "X28")
def test_example_tank_brigade_drawn_and_fixed_artillery_from_the_auxiliary():
    g = soviets_attack(
        turn=3,
        board=field(areas={"east_support_zone": "1710"}),
        cards={"command": "E07", "auxiliary": "E12", "draw": "E03 E06 E09 E14 E18"},
    )
    full_cup(g)
    dice(g, 1, *[1] * 4)
    c = soviet_attack(g, "a.6 b.6", "1910", "E07")
    assert c.tactics == ("tank_brigade", "fixed_artillery")
    assert attack_strength(g, c).total == 4 + 4 + 2
    assert has_armor(g, c, True)
    assert maximum_draw(g, c).total == 2 + 1 + 1
    assert situations(g, c, 4).holds("attacker_artillery")
    assert situations(g, c, 4).holds("only_attacker_armor")
    while g.stack:
        play(g, choices(g)[0])
    assert (where(g, "E03"), where(g, "E12"), where(g, "E07")) == (DISCARD, DISCARD, 7)


@pytest.mark.rule(RULE, "12.3f")
@pytest.mark.rule(RULE, "12.3g")
@pytest.mark.rule(RULE, "12.31a")
@pytest.mark.rule(RULE, "12.31b")
@pytest.mark.example(RULE, "X29")
def test_example_partisans_in_the_open_give_a_chit_and_the_auxiliary_needs_all_its_tactics():
    g = soviets_attack(turn=4, cards={"command": "E04", "auxiliary": "E05", "draw": "E11 E06 E09 E14 E18"})
    full_cup(g)
    dice(g, 3, *[1] * 4, *[1] * 5)
    c = soviet_attack(g, "a.6 b.6", "1910", "E04")
    assert (c.tactics, c.idle) == ((), ("partisans",))
    assert maximum_draw(g, c).total == 3
    assert not any(a.what == "Partisans" for a in adjustments(g, c))
    while g.stack:
        play(g, choices(g)[0])
    assert (where(g, "E11"), where(g, "E05")) == (DISCARD, AUXILIARY)
    near = scene(
        [
            soviet("a.6", "1810", faces="4-4-01 2-4-02", status=["active"]),
            soviet("b.6", "1809", faces="4-4-03 2-4-04", status=["active"]),
            soviet("c.6", "1807", faces="3-4-05 2-4-06"),
            german("d.XL", "1910", faces="3-4 2-4"),
        ],
        turn=4,
        cards={"auxiliary": "E05", "draw": "E11 E06 E09 E14 E18"},
    )
    full_cup(near)
    dice(near, 3, *[1] * 7, *[1] * 5)
    c = soviet_attack(near, "a.6 b.6", "1910", "E04")
    assert c.tactics == ("reinforce_battle", "artillery")
    while near.stack:
        play(near, choices(near)[0])
    assert where(near, "E05") == DISCARD


# --- 12.32, 12.37 cards ----------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "18.34e")
@pytest.mark.rule(RULE, "12.32a")
@pytest.mark.rule(RULE, "12.32b")
@pytest.mark.parametrize(
    ("pile_", "ground", "goes"),
    [
        ("E04 E06 E09 E14 E18", "frozen", DRAW),
        ("E04 E06 E09 E14", "frozen", DISCARD),
        ("E04 E06 E09 E14 E18", "light_mud", DISCARD),
    ],
)
def test_re_use_cards_go_back_to_the_pile(pile_: str, ground: str, goes: int):
    g = soviets_attack(turn=8, support_line="whole_map", ground=ground, cards={"draw": pile_})
    full_cup(g)
    dice(g, 1, *[1] * 3, *[1] * 8)
    soviet_attack(g, "a.6 b.6", "1910", "E10")
    while g.stack:
        play(g, choices(g)[0])
    assert where(g, "E04") == goes
    assert g.ground_condition == (LIGHT_MUD if ground == "light_mud" else 0)


@pytest.mark.rule(RULE, "12.32a")
def test_re_use_cards_go_back_too_from_the_auxiliary_box_and_drawn_in_defence():
    g = soviets_attack(cards={"auxiliary": "E01", "draw": "E06 E09 E14 E18 E19"})
    full_cup(g)
    dice(g, 1, *[1] * 4, *[1] * 8)
    c = soviet_attack(g, "a.6 b.6", "1910", "E10")
    assert "artillery" in c.tactics
    while g.stack:
        play(g, choices(g)[0])
    assert (where(g, "E01"), where(g, "E06")) == (DRAW, DISCARD)
    d = germans_attack(cards={"draw": "E07 E06 E09 E14 E18"})
    full_cup(d)
    dice(d, 2, *[1] * 20)
    german_attack(d, GERMANS, "1910")
    while d.stack:
        play(d, choices(d)[0])
    assert "Assault Coordination does not help" in log(d)
    assert where(d, "E07") == DRAW


@pytest.mark.rule(RULE, "12.3i")
def test_a_defence_card_is_discarded_even_if_unused():
    g = germans_attack(cards={"draw": "E11 E09"})
    full_cup(g)
    dice(g, 2, *[1] * 20)
    c = german_attack(g, GERMANS, "1910")
    assert c.counter == ()
    while g.stack:
        play(g, choices(g)[0])
    assert (where(g, "E11"), where(g, "E09")) == (DISCARD, DRAW)


@pytest.mark.rule(RULE, "12.37a")
def test_an_exhausted_deck_is_reshuffled_for_tactics_only():
    g = soviets_attack(cards={"discard": "E06 E16", "command": "E10"})
    full_cup(g)
    dice(g, 2, *[1] * 3, *[1] * 8)
    c = soviet_attack(g, "a.6 b.6", "1910", "E10")
    assert c.tactics == ("tank_brigade",)
    assert where(g, "E06") == TACTICS_ONLY
    while g.stack:
        play(g, choices(g)[0])
    assert (where(g, "E16"), where(g, "E06")) == (DISCARD, TACTICS_ONLY)
    assert not [i for i in g.charts.soviet_cards if g.cards[i] == DRAW]


def test_stavka_drawn_for_its_tactics_leaves_the_game_from_turn_7():
    g = soviets_attack(turn=7, support_line="whole_map", cards={"draw": "E22"})
    full_cup(g)
    soviet_attack(g, "a.6 b.6", "1910", "E10")
    while g.stack:
        play(g, choices(g)[0])
    assert where(g, "E22") == OUT


# --- 12.3 German attack: the Soviet card -----------------------------------------------------------------------------


@pytest.mark.rule(RULE, "13.52d")
@pytest.mark.rule(RULE, "12.3h")
@pytest.mark.rule(RULE, "12.9d")
def test_a_defence_card_is_drawn_only_for_supported_supplied_undispersed_soviets():
    g = germans_attack()
    assert why_not_defence_card(g, battle(g, GERMANS, "1910")) is None
    for status in ("dispersed", "out_of_supply", "isolated"):
        bad = germans_attack(soviet("d.6", "1910", status=[status]))
        assert why_not_defence_card(bad, battle(bad, GERMANS, "1910")).rule == "12.3"
    mixed = scene(
        [
            *[german(f"{i}.XL", "1911") for i in range(3)],
            soviet("d.6", "1910", status=["dispersed"]),
            soviet("e.6", "1910"),
        ]
    )
    assert why_not_defence_card(mixed, battle(mixed, GERMANS, "1910")) is None
    late = germans_attack(turn=5)
    assert why_not_defence_card(late, battle(late, GERMANS, "1910")).rule == "13.52"
    full_cup(late)
    pile(late, "E06")
    german_attack(late, GERMANS, "1910")
    assert where(late, "E06") == DRAW


@pytest.mark.rule(RULE, "12.3h")
def test_the_tactics_of_a_defence_card_apply_if_they_help():
    g = germans_attack(cards={"draw": "E16"})
    full_cup(g)
    c = german_attack(g, GERMANS, "1910")
    assert c.counter == ("tank_brigade",)
    assert defence_strength(g, c).total == 3 + 2
    assert maximum_draw(g, c).total == 3
