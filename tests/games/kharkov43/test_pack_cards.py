"""The cards, events and tactics of Kharkov '43 against what survives of them."""

from __future__ import annotations

from collections import Counter

import pytest

from kessel.games.kharkov43.data.cards import is_tag
from kessel.lab.pack_statistics import kharkov43 as stats
from tests.games.kharkov43.pack_facts import (
    ARMIES,
    CARDS,
    CORPS,
    EVENTS,
    GAME,
    PACK,
    TACTICS,
)

SOVIET = [c for c in CARDS.values() if not c.is_german]
GERMAN = [c for c in CARDS.values() if c.is_german]


@pytest.mark.rule(GAME, "2.3a")
def test_23_german_and_22_soviet_cards():
    assert [c.id for c in GERMAN] == [f"P{n}" for n in range(23, 46)]
    assert [c.id for c in SOVIET] == [f"E{n:02d}" for n in range(1, 23)]


@pytest.mark.rule(GAME, "2.31a")
@pytest.mark.parametrize("card", CARDS.values(), ids=lambda c: c.id)
def test_every_card_has_formation_commands_and_tactics_that_exist(card):
    assert card.formation in (*ARMIES, *CORPS, "Voronezh", "Southwest", "STAVKA", "4Pz", "1Pz", "AGS", "Manstein")
    assert card.commands
    assert card.tactics
    assert 1 <= card.command_value <= 5
    side = "german" if card.is_german else "soviet"
    for command in card.commands:
        assert is_tag(command.turns)
        if command.event:
            event = EVENTS[command.event]
            assert (event.side, f"{event.kind}_event") in (
                (side, command.command),
                (side, f"command_{command.command}"),
            )
    for t in card.tactics:
        assert t.tactic == "any" or side in TACTICS[t.tactic].sides


def test_nineteen_soviet_cards_start_and_three_come_on_turns_2_and_3():
    assert Counter(c.enters for c in SOVIET) == {1: 19, 2: 2, 3: 1}
    initial = "E01 E02 E03 E04 E05 E07 E08 E10 E11 E12 E17 E19 E20 E22"
    assert all(CARDS[i].enters == 1 for i in initial.split()), "the set-up uses them"
    assert CARDS["E21"].enters == 2


@pytest.mark.rule(GAME, "3.0j")
def test_ten_initial_german_cards_and_thirteen_reinforcements():
    initial = [c for c in GERMAN if c.enters == 1]
    assert Counter(c.primary for c in initial) == {True: 5, False: 5}
    assert [c.id for c in GERMAN if c.starts_in_hand] == ["P41"]
    assert (CARDS["P41"].kind, CARDS["P41"].formation, CARDS["P41"].primary) == ("corps_kampfgruppe", "LVII", False)
    assert len(GERMAN) - len(initial) == 13
    second = [c for c in GERMAN if c.enters == 2]
    assert len(second) == 4
    assert not any(c.primary for c in second)


SOVIET_FACTS = [
    # id, formation, value, primary, reuse, tactics on GT3, commands
    ("E01", "1G", None, True, True, "artillery", "activate command_delay air_supply"),
    ("E02", "Popov", None, False, False, "airpower partisans", "replace activate forward_support"),
    ("E03", "3T", 1, False, False, "tank_brigade", "activate garrison_voronezh"),
    (
        "E05",
        "3T",
        None,
        False,
        False,
        "reinforce_battle artillery",
        "replace activate partisan_uprising forward_support",
    ),
    ("E07", None, None, None, True, "assault_coordination", None),
    ("E08", "69", None, False, False, "airpower", "nkvd_operations replace activate forward_support"),
    ("E10", None, None, None, True, "reinforce_battle", None),
    ("E11", "6", 3, False, False, "partisans", "replace activate forward_support"),
    ("E12", None, None, False, False, "fixed_artillery", "activate command_delay garrison_southwest"),
    ("E17", "Popov", 3, True, True, "assault_coordination", "activate command_delay forward_support"),
    ("E19", None, None, None, False, "nkvd", None),
    ("E20", "Southwest", 4, False, False, "artillery airpower", "activate activate activate forward_support"),
    (
        "E22",
        "STAVKA",
        None,
        False,
        False,
        "intelligence airpower reinforce_battle",
        "activate activate activate forward_support",
    ),
]


@pytest.mark.parametrize("fact", SOVIET_FACTS, ids=lambda f: f[0])
def test_what_survives_of_the_soviet_cards(fact):
    name, formation, value, primary, reuse, tactics, commands = fact
    card = CARDS[name]
    assert formation in (None, card.formation)
    assert value in (None, card.command_value)
    assert primary in (None, card.primary)
    assert card.reuse == reuse
    assert list(card.tactics_on(3)) == tactics.split()
    if commands:
        assert [k.event or k.command for k in card.commands] == commands.split()


def test_e03_changes_its_brigade_after_turn_5():
    assert [CARDS["E03"].tactics_on(t) for t in (1, 5, 6, 14)] == [("tank_brigade",)] * 2 + [("rifle_brigade",)] * 2


def test_soviet_turn_tags_the_rules_give():
    for c in SOVIET:
        for k in c.commands:
            if k.command == "replace":
                assert (k.turns, k.steps) == ("6+", 1), c.id
            if k.event == "forward_support":
                assert not any(k.valid(t) for t in range(1, 5)), c.id
    fronts = {c.id: [(k.turns, k.army, k.select) for k in c.commands if k.command == "activate"] for c in SOVIET}
    rest = "beyond_limit_or_nearly_surrounded"
    assert fronts["E20"] == [
        ("1-3", "Popov", "army_and_stacked"),
        ("4-7", "", "largest_army_and_stacked"),
        ("8+", "", rest),
    ]
    assert fronts["E21"] == [
        ("2-3", "3T", "army_and_stacked"),
        ("4-7", "", "largest_army_and_stacked"),
        ("8+", "", rest),
    ]
    assert fronts["E22"] == [
        ("1,3", "Popov", "army_and_stacked"),
        ("2,4", "3T", "army_and_stacked"),
        ("5-7", "", "largest_army_and_stacked"),
    ]
    assert (CARDS["E22"].leaves, CARDS["E22"].activation_tactic) == (7, "nkvd")


def leads(a: str, b: str) -> str:
    """8.1: primary, then command value, then the lower number."""
    return min((CARDS[a], CARDS[b]), key=lambda c: (not c.primary, -c.command_value, c.id)).id


@pytest.mark.parametrize(
    ("first", "second"),
    [("E17", "E11"), ("E01", "E22"), ("E17", "E20"), ("E04", "E05"), ("E05", "E03"), ("E05", "E19")],
)
def test_the_set_up_reports_obey_the_choice_of_the_command_card(first, second):
    assert leads(first, second) == leads(second, first) == first


def test_auxiliary_cards_of_the_reports_and_examples_have_no_event_that_would_have_fired():
    for name, turn in (("E11", 1), ("E22", 1), ("E20", 1), ("E05", 1), ("E03", 1), ("E19", 1), ("E12", 3), ("E05", 4)):
        assert not [k for k in CARDS[name].commands if k.command == "event" and k.valid(turn)], name


def test_every_soviet_army_has_a_primary_card_and_one_for_its_units():
    for army in ARMIES:
        cards = [c for c in SOVIET if c.formation == army]
        assert sum(c.primary for c in cards) == 1, army
        assert sum(c.kind == "army_units" for c in cards) == 1, army


GERMAN_KINDS = {
    "corps": "activate_corps deploy replace",
    "corps_kampfgruppe": "kampfgruppe deploy",
    "army": "activate_corps kampfgruppe deploy any_event",
    "army_group": "activate_corps kampfgruppe deploy any_event",
    "manstein": "activate_corps kampfgruppe any_event",
}


@pytest.mark.rule(GAME, "2.31b")
@pytest.mark.parametrize("card", GERMAN, ids=lambda c: c.id)
def test_german_cards_do_what_their_kind_may(card):
    plain = [k.command for k in card.commands if k.command not in ("event", "special_event")]
    assert plain == GERMAN_KINDS[card.kind].split()
    for k in card.commands:
        if k.command == "kampfgruppe":
            assert k.hexes == (3 if card.kind == "army_group" else 2)
        if k.command == "deploy":
            assert k.corps == (2 if card.kind == "army_group" else 1)
        if k.command == "replace":
            assert (k.turns, k.steps in (1, 2)) == ("3+", True)
    wild = [t.tactic for t in card.tactics] == ["any"]
    assert wild == (card.kind in ("army", "army_group")), "12.33: Von Manstein only in his own activation (12.34)"


def test_german_cards_the_examples_name():
    kinds = {(c.kind, c.formation) for c in GERMAN}
    assert {("army", "4Pz"), ("army", "1Pz"), ("army_group", "AGS"), ("manstein", "Manstein")} <= kinds
    assert {f for k, f in kinds if k == "corps"} == set(CORPS)
    assert any(c.formation == "IISS" and c.kind == "corps" and c.enters == 1 for c in GERMAN)
    xl = [k.steps for c in GERMAN if c.formation == "XL" for k in c.commands if k.command == "replace"]
    assert set(xl) == {2}


def test_supplementals_are_enough_for_every_turn():
    for d in stats.decks(PACK):
        assert d.dealt <= d.available, d.turn
    first, second = stats.decks(PACK)[:2]
    assert (first.primaries, first.dealt, first.available) == (5, 2, 4)
    assert (second.supplementals, second.available, second.dealt) == (9, 6, 4)


# --- events and tactics --------------------------------------------------------------------------------------------


def test_events_of_the_rules_are_there_with_their_side():
    soviet = "command_delay forward_support air_supply garrison_voronezh garrison_southwest partisan_uprising"
    german = "over_extended air_interdiction engineers airpower"
    for name in (*soviet.split(), "nkvd_operations", "combat_engineers"):
        assert EVENTS[name].side == "soviet"
    for name in german.split():
        assert (EVENTS[name].side, EVENTS[name].kind) == ("german", "command")
    assert EVENTS["engineers"].hexes == 3
    assert EVENTS["forward_support"].most_on_map == 2
    for side in ("soviet", "german"):
        assert any(e.kind == "special" for e in EVENTS.values() if e.side == side)


def test_every_event_and_tactic_is_on_a_card():
    assert {k.event for c in CARDS.values() for k in c.commands if k.event} == set(EVENTS)
    assert {t.tactic for c in CARDS.values() for t in c.tactics} - {"any"} == set(TACTICS)


def test_tactics_of_the_rules_have_the_roles_the_text_gives():
    both = {t: (x.attack is not None, x.defence is not None) for t, x in TACTICS.items()}
    assert both["screen"] == (False, True)
    assert both["assault_coordination"] == (True, False)
    assert both["partisans"] == (True, False)
    assert TACTICS["partisans"].attack.terrain == ("woods", "town", "city")
    assert TACTICS["tank_brigade"].attack.strength == 2
    assert TACTICS["tank_brigade"].attack.armor
    assert TACTICS["panzer_battalion"].attack.armor
    assert TACTICS["panzer_battalion"].attack.infantry_advances_as_mechanized == 1
    assert TACTICS["screen"].defence.chits == PACK.table("chit_maximum").number("screen", "value") == -2
    assert TACTICS["combat_engineers"].attack.removes_ip
    assert TACTICS["combat_engineers"].defence.places_ip
    assert TACTICS["fixed_artillery"].counts_as == "artillery"
    sides = {t: set(x.sides) for t, x in TACTICS.items()}
    assert all(
        sides[t] == {"soviet"} for t in ("fixed_artillery", "tank_brigade", "rifle_brigade", "partisans", "nkvd")
    )
    assert all(sides[t] == {"german"} for t in ("panzer_battalion", "screen"))
    doc = {t["id"]: t for t in PACK.toml("tactics.toml")["tactic"]}
    assert doc["nkvd"]["defence"]["no_retreat"] is True
    assert doc["battlefield_replacements"]["attack"]["only"] == "german"
