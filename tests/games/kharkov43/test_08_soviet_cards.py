"""8 Soviet draw pile and commands. The cards are those of the pack; dice are scripted."""

from __future__ import annotations

import pytest

from kessel.core.dice import Dice
from kessel.core.procedure import legal, push, run
from kessel.games.kharkov43.board import (
    AUXILIARY,
    COMMAND,
    DISCARD,
    DISPERSED,
    DRAW,
    ENTERING,
    HAND,
    IN_PLAY,
    OUT,
    TACTICS_ONLY,
)
from kessel.games.kharkov43.sequence import CommandPhase, prepare_soviet_deck
from kessel.games.kharkov43.system.cards.soviet_cards import SovietImpulse, first_command, why_not_performed
from kessel.games.kharkov43.system.cards.soviet_deck import (
    NO_CARD,
    auxiliary_takes_command,
    discard_soviet,
    draw_command_cards,
    draw_tactic_card,
    finish_tactic_card,
    has_soviet_cards,
    is_small_pile,
)
from kessel.games.kharkov43.system.cards.soviet_events import conduct_event, event_choice, why_not_soviet_event
from kessel.games.kharkov43.turn.piles import german_pile, soviet_pile

from .helpers import german, panzer, position, soviet, tanks, unit
from .soviet_helpers import arena, shown, southwest, voronezh, with_dice

rule = pytest.mark.rule
example = pytest.mark.example
OPEN = {"roads_on": ()}
BOTH = southwest("1917") | voronezh("1917")


def field(*units, **doc):
    doc.setdefault("board", arena(**OPEN))
    doc.setdefault("turn", 3)
    doc.setdefault("objectives", BOTH)
    return position(units=list(units), **doc)


def pile(g, where):
    return [g.charts.cards[i].id for i in soviet_pile(g, where)]


def drawn(g, *wanted):
    """Script the draw of these cards from the pile, one after the other."""
    left = pile(g, DRAW)
    values = []
    for name in wanted:
        if len(left) > len(wanted) - len(values):
            values.append(left.index(name) + 1)
        left.remove(name)
    return with_dice(g, *values)


def impulse(g, *wanted):
    """Run a Soviet impulse in which these two cards are drawn."""
    g.events = []
    drawn(g, *wanted)
    g.stack = [SovietImpulse()]
    run(g)
    return [e["what"] for e in g.events if e["rule"].startswith("8")]


# --- 8.0 -------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "8.0a")
@rule("kharkov43", "4.IIf")
def test_reinforcement_cards_join_the_deck_on_turns_2_and_3():
    for turn, cards in ((1, []), (2, ["E16", "E21"]), (3, ["E16", "E18", "E21"])):
        g = field(turn=turn)
        for i in g.charts.soviet_cards:
            g.cards[i] = ENTERING if g.charts.cards[i].enters > 1 else DISCARD
        prepare_soviet_deck(g)
        assert len(pile(g, DRAW)) == 19 + len(cards)
        assert [c for c in pile(g, DRAW) if g.charts.card(c).enters > 1] == cards


@rule("kharkov43", "8.0b")
@rule("kharkov43", "4.IVb")
def test_an_impulse_draws_two_cards():
    g = drawn(field(cards={"draw": "E03 E05 E11 E17"}), "E11", "E03")
    draw_command_cards(g)
    assert (pile(g, COMMAND), pile(g, AUXILIARY), pile(g, DRAW)) == (["E11"], ["E03"], ["E05", "E17"])


@rule("kharkov43", "8.0g")
@rule("kharkov43", "4.IVb")
def test_a_single_card_is_the_command_card():
    g = with_dice(field(cards={"draw": "E03"}))
    draw_command_cards(g)
    assert (pile(g, COMMAND), pile(g, AUXILIARY), pile(g, DRAW)) == (["E03"], [], [])


@rule("kharkov43", "8.0e")
def test_finished_cards_go_to_the_discards():
    g = field(cards={"draw": "E03 E12"})
    impulse(g, "E12", "E03")
    assert pile(g, DISCARD) == ["E03", "E12"]
    assert not pile(g, COMMAND)
    assert not pile(g, AUXILIARY)


@rule("kharkov43", "8.0f")
def test_once_the_pile_is_empty_there_are_no_more_impulses():
    g = field(cards={"draw": "E03 E12", "hand": "P23"}, turn=3)
    assert has_soviet_cards(g)
    impulse(g, "E12", "E03")
    assert not has_soviet_cards(g)
    g.stack = [CommandPhase()]
    run(g)
    assert type(g.stack[-1]).__name__ == "GermanImpulse", "the German impulses go on"


@rule("kharkov43", "8.0f")
def test_the_last_cards_are_used_to_the_end():
    """Both cards of the last pair conduct their commands."""
    g = field(soviet("A", "1907", "3-4"), tanks("P", "2007"), cards={"draw": "E10 E02"})
    told = impulse(g, "E10", "E02")
    assert "6th Army (E10): activate 6" in told
    assert "Mobile Group Popov (E02): activate Popov" in told


@rule("kharkov43", "8.0c")
@rule("kharkov43", "8.0d")
def test_tactic_cards_come_from_the_same_pile():
    g = drawn(field(cards={"draw": "E03 E05 E11 E17", "discard": "E01"}), "E05")
    assert g.charts.cards[draw_tactic_card(g)].id == "E05"
    assert pile(g, DRAW) == ["E03", "E11", "E17"]
    assert pile(g, IN_PLAY) == ["E05"]


@rule("kharkov43", "12.37a")
@rule("kharkov43", "8.0f")
def test_an_exhausted_pile_is_reshuffled_for_tactics_alone():
    g = with_dice(field(cards={"discard": "E03 E11 E17", "command": "E10"}), 2, 1)
    first = draw_tactic_card(g)
    assert g.charts.cards[first].id == "E11"
    assert pile(g, TACTICS_ONLY) == ["E03", "E17"]
    assert not has_soviet_cards(g), "impulses do not resume"
    finish_tactic_card(g, first)
    assert pile(g, DISCARD) == ["E11"]
    assert g.charts.cards[draw_tactic_card(g)].id == "E03"
    empty = with_dice(field(cards={"command": "E10"}))
    assert draw_tactic_card(empty) == NO_CARD


# --- 8.1 selection ---------------------------------------------------------------------------------------------------


@rule("kharkov43", "8.1a")
@rule("kharkov43", "8.1b")
@rule("kharkov43", "8.1c")
@rule("kharkov43", "8.1d")
@pytest.mark.parametrize(
    ("first", "second", "command"),
    [
        ("E20", "E17", "E17"),  # primary, though the other has a command value of 4
        ("E11", "E17", "E17"),
        ("E22", "E01", "E01"),
        ("E04", "E07", "E07"),  # both primary: 4 against 3
        ("E03", "E05", "E05"),  # neither: 3 against 1
        ("E13", "E10", "E10"),  # both primary and 3: lower id
        ("E12", "E03", "E03"),  # neither, both 1: lower id
    ],
)
def test_which_card_commands(first, second, command):
    for pair in ((first, second), (second, first)):
        g = drawn(field(cards={"draw": f"{first} {second} E09"}), *pair)
        draw_command_cards(g)
        assert pile(g, COMMAND) == [command]
        assert pile(g, AUXILIARY) == [c for c in pair if c != command]


@rule("kharkov43", "8.1a")
@rule("kharkov43", "8.1j")
@example("kharkov43", "X48")
def test_card_flow_of_the_set_up_reports():
    """E17 leads over E11 and over E20, E01 over E22; the other card commands next."""
    for first, second in (("E17", "E11"), ("E01", "E22"), ("E17", "E20")):
        g = field(cards={"draw": f"{first} {second} E09"}, turn=3)
        drawn(g, second, first)
        draw_command_cards(g)
        assert pile(g, COMMAND) == [first]
        discard_soviet(g, soviet_pile(g, COMMAND)[0])
        assert auxiliary_takes_command(g)
        assert pile(g, COMMAND) == [second]


@rule("kharkov43", "8.1a")
@rule("kharkov43", "8.1b")
@rule("kharkov43", "8.1c")
@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("E01 E20", "primary; auxiliary card: Southwest Front (E20)"),
        ("E20 E03", "command value 4 against 1; auxiliary card: 3rd Tank Army Units (E03)"),
        ("E03", "the last card"),
    ],
)
def test_the_log_says_why_a_card_commands_and_which_one_is_the_auxiliary(cards, why):
    g = drawn(field(cards={"draw": cards}), *cards.split())
    g.events = []
    draw_command_cards(g)
    assert g.events[-1]["what"].endswith(why)


@rule("kharkov43", "8.1c")
def test_the_lower_id_commands_where_values_are_equal():
    charts = field().charts
    equal = [
        (a, b)
        for a in charts.cards
        for b in charts.cards
        if not (a.is_german or b.is_german) and a.id < b.id and a.primary == b.primary
        if a.command_value == b.command_value
    ]
    first, second = equal[0]
    g = drawn(field(cards={"draw": f"{first.id} {second.id}"}), second.id, first.id)
    g.events = []
    draw_command_cards(g)
    assert f"({first.id}), the lower id; auxiliary card: {second.name}" in g.events[-1]["what"]


@rule("kharkov43", "12.32a")
@rule("kharkov43", "12.32b")
@example("kharkov43", "X48")
def test_re_use_of_tactic_cards():
    """E07 and E10 go back to the pile; E20, E03, E05, E02, E12, E08, E22, E19, E11 do not."""
    for name in ("E07", "E10"):
        g = field(cards={"draw": "E01 E04 E06 E09", "in_play": name})
        finish_tactic_card(g, g.charts.card_index(name))
        assert name in pile(g, DRAW)
        few = field(cards={"draw": "E01 E04 E06", "in_play": name})
        finish_tactic_card(few, few.charts.card_index(name))
        assert pile(few, DISCARD) == [name], "fewer than four cards, itself not counted"
        mud = field(cards={"draw": "E01 E04 E06 E09", "in_play": name}, turn=8, ground="light_mud")
        finish_tactic_card(mud, mud.charts.card_index(name))
        assert pile(mud, DISCARD) == [name]
    for name in ("E20", "E03", "E05", "E02", "E12", "E08", "E22", "E19", "E11"):
        g = field(cards={"draw": "E01 E04 E06 E09", "in_play": name})
        finish_tactic_card(g, g.charts.card_index(name))
        assert pile(g, DISCARD) == [name]


# --- 8.1 auxiliary and command ---------------------------------------------------------------------------------------


@rule("kharkov43", "8.1e")
@rule("kharkov43", "4.IVc")
def test_an_applicable_command_event_of_the_auxiliary_card_fires_first_and_the_card_is_discarded():
    units = [soviet("A", "1907", "3-4"), tanks("P", "2007", status=["out_of_supply"])]
    g = field(*units, cards={"draw": "E10 E16"}, turn=5)
    told = impulse(g, "E10", "E16")
    assert told[1].startswith("Air Supply")
    assert g.is_supplied(unit(g, "P"))
    assert told.index(next(t for t in told if t.startswith("Air Supply"))) < told.index("6th Army (E10): activate 6")
    assert not any("E16" in t and "takes command" in t for t in told)
    assert pile(g, DISCARD) == ["E10", "E16"]


@rule("kharkov43", "8.1e")
def test_an_event_that_does_not_apply_leaves_the_auxiliary_card_in_its_box():
    g = field(soviet("A", "1907", "3-4"), tanks("P", "2007"), cards={"draw": "E10 E16"}, turn=5)
    told = impulse(g, "E10", "E16")
    assert not any(t.startswith("Air Supply") for t in told)
    assert "the auxiliary card takes command: Mobile Group Popov Units (E16)" in told
    early = field(tanks("P", "2007", status=["out_of_supply"]), cards={"draw": "E10 E16"}, turn=4)
    assert not any(t.startswith("Air Supply") for t in impulse(early, "E10", "E16")), "its tag is 5+"


@rule("kharkov43", "8.1f")
def test_special_events_of_the_auxiliary_card_are_not_implemented():
    dispersed = [soviet(f"D{i}", "1807", "1-4", army="69", status=["dispersed"]) for i in range(3)]
    g = field(*dispersed, soviet("A", "1907", "3-4"), cards={"auxiliary": "E08", "command": "E10"}, turn=4)
    g.stack = [SovietImpulse(at=SovietImpulse.index["auxiliary_event"])]
    step = SovietImpulse.steps[SovietImpulse.index["auxiliary_event"]]
    step.fn(g.stack[0], g)
    assert pile(g, AUXILIARY) == ["E08"]
    assert all(g.is_dispersed(unit(g, f"D{i}")) for i in range(3))
    command, _ = first_command(g, g.charts.card("E08"))
    assert command.event == "nkvd_operations", "as a command card it would be the first"


@rule("kharkov43", "8.1g")
@rule("kharkov43", "4.IVd")
def test_the_first_feasible_command_from_top_to_bottom():
    g = field(tanks("P", "1907", "5-6 3-6", steps=1), turn=6)
    card = g.charts.card("E02")
    assert first_command(g, card)[0].command == "replace"
    full = field(tanks("P", "1907", "5-6 3-6"), turn=6)
    command, passed = first_command(full, card)
    assert command.command == "activate"
    assert [(c.command, r.rule) for c, r in passed] == [("replace", "8.12")]
    early = field(tanks("P", "1907", "5-6 3-6", steps=1), turn=5)
    assert first_command(early, card)[0].command == "activate", "replacements begin on turn 6"


@rule("kharkov43", "8.1g")
def test_an_event_below_an_activation_is_reached_only_if_that_is_impossible():
    ground = arena(**OPEN, areas=dict.fromkeys(("west_support_zone", "far_limit_zone", "east_support_zone"), "1506"))
    guards = [soviet("S", "1909", army="1G")]
    g = field(*guards, tanks("P", "1911"), turn=5, board=ground, vp=30)
    assert first_command(g, g.charts.card("E17"))[0].command == "activate"
    gone = field(*guards, turn=5, board=ground, vp=30)
    assert first_command(gone, gone.charts.card("E17"))[0].event == "forward_support"


@rule("kharkov43", "8.1h")
def test_a_card_without_a_feasible_command_is_discarded_without_effect():
    g = field(soviet("A", "1907", "3-4", army="40"), cards={"draw": "E12"})
    before = g.place[unit(g, "A")]
    told = impulse(g, "E12")
    assert "no command of 6th Army Units (E12) can be conducted" in told
    assert pile(g, DISCARD) == ["E12"]
    assert g.place[unit(g, "A")] == before


@rule("kharkov43", "8.1j")
@rule("kharkov43", "8.1k")
@rule("kharkov43", "4.IVe")
@rule("kharkov43", "4.IVf")
def test_an_auxiliary_card_left_takes_command_at_once_and_has_no_auxiliary_itself():
    g = field(soviet("A", "1907", "3-4"), tanks("P", "2007"), cards={"draw": "E10 E02 E09"})
    told = impulse(g, "E10", "E02")
    commands = [t for t in told if ": activate" in t]
    assert commands == ["6th Army (E10): activate 6", "Mobile Group Popov (E02): activate Popov"]
    assert not g.stack, "the impulse is over"
    assert pile(g, AUXILIARY) == []
    assert pile(g, DRAW) == ["E09"]


@rule("kharkov43", "8.1i")
def test_an_auxiliary_card_whose_tactics_are_applied_is_discarded_and_commands_nothing():
    """E15 (Airpower) is applied to the attack of 6th Army: 1st Guards Army waits in vain for a second command."""

    def play(auxiliary):
        g = field(
            soviet("A", "1909", "9-4-05 3-4-15"),
            soviet("S", "2207", "3-4", army="1G"),
            german("G", "1910", "3-4 1-4"),
            cards={"command": "E10", "auxiliary": auxiliary, "draw": "E03 E04 E06 E12 E14"},
        )
        g.events = []
        g.dice = Dice(5)
        g.stack = [SovietImpulse(at=SovietImpulse.index["auxiliary_event"])]
        run(g)
        while g.stack:
            push(g, legal(g)[0])
        return g, [e["what"] for e in g.events]

    g, told = play("E15")
    assert any(t.startswith("Airpower is applied to the Soviet attack: auxiliary card E15") for t in told)
    assert "E15" in pile(g, DISCARD)
    assert not any("takes command" in t for t in told)
    g, told = play("E09")
    assert any("takes command: 40th Army (E09)" in t for t in told), "Battlefield Replacements never helps an attack"


# --- 8.11 ------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "8.11a")
def test_an_event_command_must_be_valid_on_the_game_turn():
    units = [tanks("P", "1907", status=["out_of_supply"])]
    card = field().charts.card("E01")
    air = next(c for c in card.commands if c.event == "air_supply")
    assert why_not_performed(field(*units, turn=6), card, air).rule == "8.1", "7+ on this card"
    assert why_not_performed(field(*units, turn=7), card, air) is None
    event = field().charts.events["partisan_uprising"]
    woods = {"board": arena(**OPEN, terrain={"1910": "woods"})}
    card = field().charts.card("E15")
    assert why_not_soviet_event(field(german("G", "1910"), turn=1, **woods), card, event) is not None
    assert why_not_soviet_event(field(german("G", "1910"), turn=2, **woods), card, event) is None


def no_event(g, card, event):
    return why_not_soviet_event(g, g.charts.card(card), g.charts.events[event])


@rule("kharkov43", "8.11b")
def test_events_are_skipped_in_situations_their_descriptions_exclude():
    hand = {"cards": {"hand": "P23", "draw": "P24 E01"}}
    assert no_event(field(turn=1, **hand), "E17", "command_delay") is None
    assert no_event(field(turn=1, cards={"hand": "P23"}), "E17", "command_delay") is not None, "no card in the pile"
    assert no_event(field(turn=1, cards={"draw": "P23"}), "E17", "command_delay") is not None, "no card in hand"
    outside = {
        "board": arena(**OPEN, areas=dict.fromkeys(("west_support_zone", "far_limit_zone"), "1506")),
        "turn": 5,
        "vp": 30,
    }
    unit_ = tanks("P", "1909")
    assert no_event(field(unit_, **outside), "E17", "forward_support") is None
    assert no_event(field(unit_, **outside, forward_support="1616 1916"), "E17", "forward_support") is not None, "two"
    assert no_event(field(unit_, turn=5, vp=30), "E17", "forward_support") is not None, "in support"
    assert no_event(field(soviet("V", "1909", army="3T"), **outside), "E17", "forward_support") is not None, "front"
    assert no_event(field(soviet("V", "1909", army="3T"), **outside), "E22", "forward_support") is None, (
        "STAVKA: either"
    )
    assert no_event(field(unit_, turn=7), "E01", "air_supply") is not None, "nobody is unsupplied"
    assert no_event(field(german("G", "1910"), turn=5), "E15", "partisan_uprising") is not None, "in the open"


@rule("kharkov43", "8.11b")
def test_nkvd_operations_garrisons_and_engineers():
    three = [soviet(f"D{i}", "1807", "1-4", army="69", status=["dispersed"]) for i in range(3)]
    assert no_event(field(*three), "E08", "nkvd_operations") is None
    assert no_event(field(*three[:2]), "E08", "nkvd_operations") is not None
    village = arena(**OPEN, features={"1909": "village target_southwest"}, german_edge="1913")
    assert no_event(field(tanks("P", "1907"), turn=6, vp=30, board=village), "E06", "garrison_southwest") is None
    assert no_event(field(tanks("P", "1907"), turn=6, vp=30), "E06", "garrison_southwest") is not None
    near = [soviet("V", "1909", army="40"), german("G", "1911")]
    assert no_event(field(*near, turn=4), "E04", "combat_engineers") is None
    assert no_event(field(near[0], turn=4), "E04", "combat_engineers") is not None, "no German unit near"


def conduct(g, card, event):
    from kessel.games.kharkov43.system.cards.soviet_events import conduct_event

    conduct_event(g, g.charts.card(card), g.charts.events[event])
    return g


@rule("kharkov43", "8.11a")
@rule("kharkov43", "14.21e")
def test_what_the_events_do():
    g = conduct(with_dice(field(turn=1, cards={"hand": "P23 P25", "draw": "P24"}), 2), "E17", "command_delay")
    assert [g.charts.cards[i].id for i in german_pile(g, HAND)] == ["P23"]
    assert [g.charts.cards[i].id for i in german_pile(g, DRAW)] == ["P24", "P25"]
    g = conduct(
        field(panzer("G", "1910"), turn=5, board=arena(**OPEN, terrain={"1910": "woods"})), "E15", "partisan_uprising"
    )
    assert g.status[unit(g, "G")] & DISPERSED
    three = [soviet(f"D{i}", "1807", "1-4", army="69", status=["dispersed"]) for i in range(3)]
    g = conduct(field(*three, tanks("P", "2007", status=["dispersed"])), "E08", "nkvd_operations")
    assert [g.is_dispersed(u) for u in range(4)] == [False, False, False, True], "the Voronezh Front only"
    village = arena(**OPEN, features={"1909": "village target_southwest"}, german_edge="1913")
    g = conduct(field(tanks("P", "1907"), turn=6, vp=30, board=village), "E06", "garrison_southwest")
    assert shown(g, g.garrisons) == "1909"
    near = [soviet(f"V{i}", f"{r}09", "3-4", army="40") for i, r in enumerate((15, 17, 19, 21))]
    g = conduct(field(*near, german("G", "1910"), turn=4), "E04", "combat_engineers")
    assert shown(g, g.improved_positions) == "1709 1909 2109", (
        "three hexes: G is beside 1909 and could get beside two more"
    )


@rule("kharkov43", "14.21e")
def test_engineers_help_the_weakest_of_the_stacks_with_a_german_beside_them():
    units = [soviet("A", "1509", "3-4", army="40"), soviet("B", "1909", "1-4", army="40")]
    g = field(*units, german("G", "1510", "9-4"), german("H", "1910", "1-4"), turn=4)
    choice = event_choice(g, g.charts.card("E04"), g.charts.events["combat_engineers"])
    assert g.hex_name(choice.hex) == "1909", "strength 1 against 3; the lowest number would be 1509"


@rule("kharkov43", "8.11a")
def test_a_german_event_is_none_of_the_soviets():
    g = field(turn=5)
    refusal = why_not_soviet_event(g, g.charts.card("E17"), g.charts.events["over_extended"])
    assert refusal is not None
    assert refusal.reason == "Over Extended is not a Soviet event"


@rule("kharkov43", "13.53a")
def test_forward_support_places_one_marker_and_never_a_third():
    lines = dict.fromkeys(("west_support_zone", "far_limit_zone"), "1506")
    doc = {"board": arena(areas=lines), "turn": 5, "vp": 30}
    g = conduct(field(tanks("P", "1909"), **doc), "E17", "forward_support")
    assert shown(g, g.forward_support) == "1909"
    assert no_event(g, "E17", "forward_support") is not None, "P is in support now"
    assert no_event(field(tanks("P", "1909"), **doc, forward_support="2216"), "E17", "forward_support") is None
    two = field(tanks("P", "1909"), **doc, forward_support="2216 1516")
    assert no_event(two, "E17", "forward_support").rule == "8.11"


@rule("kharkov43", "13.53a")
def test_an_event_places_one_forward_support_marker_even_where_two_hexes_qualify():
    g = field(tanks("P", "1508"), tanks("Q", "2216"), **OUTSIDE)
    g.events = []
    conduct_event(g, g.charts.card("E17"), g.charts.events["forward_support"])
    assert shown(g, g.forward_support) == "2216", "closest to the objective"
    assert [e["what"] for e in g.events][1:] == ["Forward Support in 2216"]


@rule("kharkov43", "13.4a")
def test_air_supply_goes_to_isolated_units_first_and_then_to_the_strongest_stack():
    def chosen(*units):
        g = field(*units, german("G", "2214", status=["isolated"]), turn=7, vp=30)
        return g.hex_name(event_choice(g, g.charts.card("E01"), g.charts.events["air_supply"]).hex)

    assert chosen(tanks("P", "1508", status=["out_of_supply"]), tanks("Q", "2010", status=["isolated"])) == "2010"
    one, two = tanks("P", "1508", "5-6", status=["out_of_supply"]), tanks("Q", "2010", status=["out_of_supply"])
    assert chosen(one, two) == "2010", "most steps"


@rule("kharkov43", "8.3a")
def test_events_choose_by_their_preferences():
    woods = arena(**OPEN, terrain={"1910": "woods", "1710": "woods", "2010": "town"})
    g = field(german("G", "1910"), german("H", "1710"), german("I", "2010"), soviet("S", "1709"), turn=5, board=woods)
    card, events = g.charts.card("E15"), g.charts.events
    assert g.hex_name(event_choice(g, card, events["partisan_uprising"]).hex) == "1710", "beside a Soviet unit"
    far = field(german("G", "1910"), german("H", "1710"), german("I", "2010"), turn=5, board=woods)
    assert far.hex_name(event_choice(far, card, events["partisan_uprising"]).hex) == "2010", "a VP hex"
    lines = dict.fromkeys(("west_support_zone", "far_limit_zone"), "1506")
    outside = {"board": arena(areas=lines), "turn": 5, "vp": 30}
    g = field(tanks("P", "1508"), tanks("Q", "2010"), tanks("R", "2011"), **outside)
    choice = event_choice(g, g.charts.card("E17"), g.charts.events["forward_support"])
    assert g.hex_name(choice.hex) == "2010", "all three units are in range of it"
    g = field(tanks("P", "1508", status=["isolated"]), tanks("Q", "2010", status=["out_of_supply"]), turn=7, vp=30)
    choice = event_choice(g, g.charts.card("E01"), g.charts.events["air_supply"])
    assert g.hex_name(choice.hex) == "1508", "isolated first"


@rule("kharkov43", "8.3a")
def test_forward_support_goes_where_it_brings_most_units_into_support():
    units = [tanks("P", "1508"), tanks("Q", "2010"), soviet("R", "2010", army="1G"), soviet("V", "2013", army="40")]
    g = field(*units, **OUTSIDE)
    choice = event_choice(g, g.charts.card("E17"), g.charts.events["forward_support"])
    assert g.hex_name(choice.hex) == "2010"
    assert choice.cuts[0].what == "most units brought into support"
    crowd = [soviet(f"C{i}", "1507", army="40") for i in range(2)]
    g = field(tanks("P", "1508"), tanks("Q", "2010"), *crowd, **OUTSIDE)
    choice = event_choice(g, g.charts.card("E17"), g.charts.events["forward_support"])
    assert g.hex_name(choice.hex) == "1508", "three units against one"
    alone = [tanks("P", "1517"), tanks("Q", "2117"), tanks("R", "2117", "1-6")]
    g = field(*alone, **OUTSIDE)
    choice = event_choice(g, g.charts.card("E17"), g.charts.events["forward_support"])
    assert g.hex_name(choice.hex) == "2117", "two units against one, in the last column"


# --- 8.12, 8.2 -------------------------------------------------------------------------------------------------------


@rule("kharkov43", "8.12a")
def test_a_replacement_goes_to_an_eligible_unit_of_the_army_on_a_valid_turn():
    g = field(
        tanks("P", "1907", "5-6-01 3-6-11", steps=1),
        soviet("Q", "2007", "3-4-02 1-4-12", army="6", steps=1),
        cards={"draw": "E02"},
        turn=6,
        vp=30,
    )
    impulse(g, "E02")
    assert [g.steps[unit(g, n)] for n in "PQ"] == [2, 1]
    nobody = field(tanks("P", "1907", "5-6 3-6"), turn=6)
    card = nobody.charts.card("E02")
    assert why_not_performed(nobody, card, card.commands[0]).rule == "8.12"
    early = field(tanks("P", "1907", "5-6 3-6", steps=1), turn=5)
    assert why_not_performed(early, card, card.commands[0]).rule == "8.1"


@rule("kharkov43", "8.2a")
@pytest.mark.parametrize(("turn", "gone"), [(6, False), (7, True)])
def test_the_stavka_card_leaves_play_after_use_on_turn_7(turn, gone):
    g = field(tanks("P", "1907"), cards={"draw": "E22"}, turn=turn, vp=30)
    impulse(g, "E22")
    assert pile(g, OUT if gone else DISCARD).count("E22") == 1


def test_the_pile_is_small_with_fewer_than_four_cards():
    assert is_small_pile(field(cards={"draw": "E01 E02 E03"}))
    assert not is_small_pile(field(cards={"draw": "E01 E02 E03 E05"}))


OUTSIDE = {
    "board": arena(areas=dict.fromkeys(("west_support_zone", "far_limit_zone"), "1506")),
    "turn": 5,
    "vp": 30,
}
