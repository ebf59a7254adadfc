"""The sentence with which an action is refused, step by step: the rule alone may be that of the step."""

from __future__ import annotations

import pytest

from kessel.core.procedure import run, why_not
from kessel.games.kharkov43.board import HAND, Board
from kessel.games.kharkov43.notation import NOTATION
from kessel.games.kharkov43.turn.german_cards import GermanImpulse
from tests.games.kharkov43.combat_helpers import choices, full_cup, german_attack, hit_germans, hit_soviets, play, scene
from tests.games.kharkov43.helpers import german, panzer, position, soviet
from tests.games.kharkov43.test_07_reserves import deploying, sheet
from tests.games.kharkov43.test_12_attack import eligibility

RULE = "kharkov43"


def why(g: Board, text: str) -> str:
    refusal = why_not(g, NOTATION.parse(g, text))
    assert refusal is not None, f"{text} is legal"
    return refusal.reason


# --- 12 German attack ------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.1b")
@pytest.mark.rule(RULE, "12.1c")
def test_who_can_not_attack_is_told_why():
    g = eligibility()
    full_cup(g)
    play(g, "pass", "attack 2018", "without H.XL")
    assert why(g, "with G.XL") == "G.XL is dispersed"
    assert why(g, "with I.LVII") == "I.LVII is not active"
    play(g, "with H.XL", "without D.XL", "without F.XL", "without H.XL")
    assert "pass" in choices(g), "with nobody the attack is called off"


@pytest.mark.rule(RULE, "12.1h")
def test_units_out_of_supply_do_not_attack_by_themselves():
    g = scene(
        [
            german("1.XL", "1810", status=["active", "out_of_supply"]),
            german("2.XL", "1909", status=["active"]),
            soviet("d.6", "1910"),
        ],
        phase="german_activation",
        card="P26",
    )
    play(g, "pass", "attack 1910", "without 2.XL")
    assert "supplied" in why(g, "pass")


@pytest.mark.rule(RULE, "12.4b")
def test_more_chits_than_allowed_are_refused_with_the_number_allowed():
    g = scene([german("a.XL", "1911"), german("b.XL", "1911"), soviet("d.6", "1910", faces="3-4-05")])
    full_cup(g)
    german_attack(g, "a.XL b.XL", "1910")
    assert why(g, "draw 2") == "at most 1 more chit may be drawn"


@pytest.mark.rule(RULE, "12.52d")
@pytest.mark.rule(RULE, "12.52e")
def test_dispersal_is_for_the_second_and_third_hit():
    g = scene(
        [
            panzer("a.XL", "1911", faces="6-6 5-6 4-6"),
            german("b.XL", "1911", faces="3-4 2-4 1-4"),
            soviet("d.6", "1910", faces="3-4-05 2-4-06"),
        ]
    )
    hit_soviets(g, "a.XL b.XL", "1910", 0, 5)
    assert why(g, "disperse") == "dispersal satisfies the second and third hit only"


# --- 12 Soviet attack ------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.52a")
@pytest.mark.rule(RULE, "12.7e")
def test_retreats_are_refused_with_their_reasons():
    stack = [german("d.XL", "1910", "4-4 3-4"), german("e.XL", "1910", "3-4 2-4"), soviet("0.6", "1909")]
    g = scene(stack)
    hit_germans(g, "0.6", "1910", 1)
    assert why(g, "retreat 1911-1912") == "each hex of a retreat satisfies one hit"
    assert why(g, "scatter 1") == "units retreat to different hexes only if there is no room for all of them"
    assert why(g, "retreat 1809") == "another retreat has priority", "into an enemy-controlled hex"
    assert why(g, "retreat 1909") == "the units can't retreat that way or would not fit at its end"
    more = scene(stack)
    hit_germans(more, "0.6", "1910", 4)
    play(more, "retreat 1911")
    assert why(more, "retreat 1912") == "the defenders have retreated"


@pytest.mark.rule(RULE, "12.52c")
def test_a_dispersed_stack_is_told_that_it_retreats_one_hex():
    stack = [german("d.XL", "1910", "4-4 3-4"), german("e.XL", "1910", status=["dispersed"]), soviet("0.6", "1909")]
    g = scene(stack)
    hit_germans(g, "0.6", "1910", 2)
    assert why(g, "retreat 1911-1912") == "e.XL is dispersed: one hex only"
    assert why(g, "retreat 1909") == "the units can't retreat that way or would not fit at its end"


# --- 5-7 the German impulse ------------------------------------------------------------------------------------------


def impulse(hand: str, *units, **doc) -> Board:
    g = position(board=sheet(), units=list(units), **doc)
    for name in hand.split():
        g.cards[g.charts.card_index(name)] = HAND
    g.changed()
    g.stack = [GermanImpulse()]
    run(g)
    return g


@pytest.mark.rule(RULE, "5.1b")
@pytest.mark.rule(RULE, "5.2a")
def test_a_card_that_can_not_be_played_so_is_refused_with_the_reason():
    units = [german("A", "1510", corps="XL"), german("B", "1512", corps="III")]
    g = impulse("P26 P41 P36 P31", *units, turn=2, activated="XL")
    assert why(g, "play P23 activate") == "P23 is not in your hand"
    assert why(g, "play P26 activate") == "units of XL were activated in the preceding German impulse"
    assert why(g, "play P41 activate") == "LVII Panzer Corps KG does not activate a corps"
    assert why(g, "play P41 kampfgruppe") == "no unit is eligible for the Kampfgruppe"
    assert why(g, "play P26 kampfgruppe") == "XL Panzer Corps does not activate a Kampfgruppe"
    assert why(g, "play P26 deploy") == "no unit of XL Panzer Corps is in the Reserve Units box"
    assert why(g, "play P26 replace") == "XL Panzer Corps gives no replacements on game-turn 2"
    assert why(g, "play P31 replace") == "Army Group South gives no replacements on game-turn 2"
    assert why(g, "play P26 nothing") == "a card is given up only if no card can be played for a command"
    assert why(g, "pass") == "you may pass only with an empty draw pile and one card in hand"
    later = impulse("P26", *units, turn=3)
    assert why(later, "play P26 replace") == "no unit of XL can receive a replacement"


@pytest.mark.rule(RULE, "6.1a")
def test_the_single_unit_is_refused_with_its_reason():
    units = [german("A", "1510", corps="XL"), german("B", "1512", corps="III"), soviet("S", "1502")]
    g = impulse("P26", *units, turn=2, activated="XL")
    play(g, "play P26 one_unit")
    assert why(g, "unit A") == "units of XL were activated in the preceding German impulse"
    assert why(g, "unit S") == "S is not a German unit on the map"
    used = impulse("P26 P25", *units, turn=2, one_unit_used=True)
    assert why(used, "play P26 one_unit") == "one unit has been activated alone in this game-turn"


@pytest.mark.rule(RULE, "6.2a")
def test_a_kampfgruppe_marker_without_units_is_refused():
    g = impulse("P37", german("A", "1510", corps="XL"), german("B", "1514", corps="XL"), turn=2)
    play(g, "play P37 kampfgruppe")
    assert why(g, "kg 1004") == "no unit the card may activate is within 2 hexes of 1004"


@pytest.mark.rule(RULE, "7.1a")
def test_a_reserve_is_refused_a_hex_with_the_reason():
    g = deploying(german("R", "reserve", corps="XL"), german("M", "1510", corps="XL"), soviet("S", "1506"), turn=3)
    assert why(g, "deploy R 1802") == "1802 is neither a German supply head nor a clear hex adjacent to one"
    assert why(g, "deploy R 1508") == "1508 is too near to a Soviet unit, town or city"
    assert why(g, "deploy M 1511") == "M is not among the reserves being deployed"
    far = deploying(german("R", "reserve", corps="XL"), german("M", "1504", corps="XL"), soviet("S", "1509"), turn=3)
    assert why(far, "deploy R 1512") == "1512 is not within three hexes of a unit of 1Pz", "no place near its corps"
    near = deploying(german("R", "reserve", corps="XL"), german("M", "1514", corps="XL"), soviet("S", "1506"), turn=3)
    assert why(near, "deploy R 1510") == "1510 is not within three hexes of a unit of XL"
    full = [german(f"F{i}", "1511", "1-4", corps="XL") for i in range(3)]
    packed = deploying(german("R", "reserve", corps="XL"), *full, turn=3)
    assert "1511 would hold 4 units" in why(packed, "deploy R 1511")


# --- 6.0 the activation ----------------------------------------------------------------------------------------------


def activation(*units, **doc) -> Board:
    doc.setdefault("turn", 3)
    return position(board=sheet(), units=list(units), phase="german_activation", card="P26", **doc)


@pytest.mark.rule(RULE, "6.0b")
@pytest.mark.rule(RULE, "10.0a")
def test_moves_are_refused_with_their_reasons():
    units = [
        german("A", "1510", "3-4", status=["active"]),
        german("B", "1512", "3-4"),
        german("C", "1514", "3-4", status=["active", "moved"]),
        soviet("S", "1207", "3-4"),
    ]
    g = activation(*units)
    assert why(g, "move B 1511") == "B is not an active unit"
    assert why(g, "move S 1208") == "S is not an active unit"
    assert why(g, "move C 1513") == "C has moved already"
    assert why(g, "move A 1510") == "A is there already"
    assert why(g, "move A 1505") == "it costs 5 of 4 movement points"
    assert why(g, "move A 1207") == "an enemy unit is there"
    assert why(g, "strategic A 1509") == "A gets there by regular movement"
    assert why(g, "strategic A 1502") == "it costs 8 of 6 movement points"
    early = activation(*units, turn=1)
    assert why(early, "strategic A 1505") == "strategic movement begins on game-turn 2"


@pytest.mark.rule(RULE, "14.21a")
@pytest.mark.rule(RULE, "14.22a")
def test_improved_positions_are_refused_with_their_reasons():
    units = [
        german("A", "1510", status=["active"]),
        german("B", "1512", status=["active", "moved"]),
        german("C", "1514", status=["active"]),
        german("D", "1710", status=["active"]),
    ]
    g = position(
        board=sheet(terrain={"1710": "town"}),
        units=units,
        phase="german_activation",
        card="P26",
        turn=3,
        improved_positions="1514",
    )
    play(g, "pass")
    assert choices(g) == ["pass", "dig 1510"]
    assert why(g, "dig 1512") == "no idle active unit in 1512 is supplied and undispersed"
    assert why(g, "dig 1514") == "1514 has an improved position"
    assert why(g, "dig 1710") == "1710 is a town or city"


@pytest.mark.rule(RULE, "10.4d")
def test_steps_are_removed_where_a_hex_is_overstacked_and_nowhere_else():
    units = [german(f"A{i}", "1510", "1-4", status=["active"]) for i in range(4)]
    g = activation(*units, german("B", "1512", status=["active"]))
    play(g, "pass")
    assert choices(g) == [f"lose A{i}" for i in range(4)]
    assert why(g, "lose B") == "B is not in an overstacked hex"


@pytest.mark.rule(RULE, "16.1a")
@pytest.mark.rule(RULE, "16.1b")
def test_replacements_are_refused_with_their_reasons():
    units = [
        german("A", "1510", "3-4 1-4", corps="XL", steps=1),
        german("B", "1512", "3-4 1-4", corps="XL"),
        german("C", "1514", "3-4 1-4", corps="III", steps=1),
        panzer("D", "1508", corps="XL", steps=1),
    ]
    g = impulse("P26", *units, turn=3)
    play(g, "play P26 replace")
    assert choices(g) == ["replace A"]
    assert why(g, "replace C") == "C is not of the named formation"
    assert why(g, "replace D") == "units of an earlier priority come first"
    assert "step" in why(g, "replace B")


@pytest.mark.rule(RULE, "5.3b")
@pytest.mark.rule(RULE, "7.1a")
def test_the_corps_to_be_deployed_is_refused_with_its_reason():
    mates = [german(f"M{c}", "1510", "1-4", corps=c) for c in ("XL", "III")]
    units = [german("R", "reserve", corps="XL"), german("Q", "reserve", corps="III"), *mates]
    g = impulse("P30", *units, turn=3)
    play(g, "play P30 deploy")
    assert choices(g) == ["corps III", "corps XL"]
    assert why(g, "corps IISS") == "1st Panzer Army does not deploy IISS"
    south = impulse("P31", *units, german("S", "calendar", corps="IISS"), turn=3)
    play(south, "play P31 deploy")
    assert why(south, "corps IISS") == "no reserve of IISS can be placed"


@pytest.mark.rule(RULE, "5.4a")
@pytest.mark.rule(RULE, "5.4b")
def test_events_are_refused_with_their_reasons():
    g = impulse("P31", german("A", "1510", corps="XL"), soviet("S", "1502"), turn=5)
    play(g, "play P31 event")
    assert why(g, "event command_delay") == "Command Delay is not a German event"
    assert why(g, "event air_interdiction").startswith("Air Interdiction needs")


@pytest.mark.rule(RULE, "12.34a")
@pytest.mark.rule(RULE, "12.3a")
def test_tactics_are_refused_with_their_reasons():
    units = [german("a.XL", "1911"), german("b.XL", "1911"), soviet("d.6", "1910")]
    g = scene(units, cards={"in_play": "P29", "hand": "P23", "discard": "P25"})
    full_cup(g)
    german_attack(g, "a.XL b.XL", "1910", "P29")
    assert why(g, "tactic P29 artillery") == "4th Panzer Army gives its attacks no tactic"
    assert why(g, "tactic P25 artillery") == "P25 is not in your hand"
    assert why(g, "tactic P23 airpower") == "P23 can't be played as Airpower"
    play(g, "tactic P23 artillery")
    out = scene([german("a.XL", "1911", status=["out_of_supply"]), *units[1:]], cards={"hand": "P23"})
    full_cup(out)
    german_attack(out, "a.XL b.XL", "1910")
    assert "tactic P23 artillery" in choices(out), "b is supplied"
