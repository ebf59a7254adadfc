"""8 Soviet cards in detail: what the log says of them, one marker at a time, ties and refusals."""

from __future__ import annotations

import pytest

from kessel.core.breakdown import Refusal
from kessel.games.kharkov43.system.cards.soviet_deck import draw_command_cards
from kessel.games.kharkov43.system.cards.soviet_events import conduct_event, event_choice, why_not_soviet_event
from kessel.games.kharkov43.system.soviet_formations import activated_by

from .helpers import german, soviet, tanks
from .soviet_helpers import arena, shown
from .test_08_soviet_cards import drawn, field

rule = pytest.mark.rule
OUTSIDE = {
    "board": arena(areas=dict.fromkeys(("west_support_zone", "far_limit_zone"), "1506")),
    "turn": 5,
    "vp": 30,
}


# --- 8.1 -------------------------------------------------------------------------------------------------------------


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


# --- 8.11 ------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "8.11a")
def test_a_german_event_is_none_of_the_soviets():
    g = field(turn=5)
    refusal = why_not_soviet_event(g, g.charts.card("E17"), g.charts.events["over_extended"])
    assert refusal is not None
    assert refusal.reason == "Over Extended is not a Soviet event"


@rule("kharkov43", "13.53a")
def test_an_event_places_one_forward_support_marker_even_where_two_hexes_qualify():
    g = field(tanks("P", "1508"), tanks("Q", "2216"), **OUTSIDE)
    g.events = []
    conduct_event(g, g.charts.card("E17"), g.charts.events["forward_support"])
    assert shown(g, g.forward_support) == "2216", "closest to the objective"
    assert [e["what"] for e in g.events][1:] == ["Forward Support in 2216"]


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


@rule("kharkov43", "13.4a")
def test_air_supply_goes_to_isolated_units_first_and_then_to_the_strongest_stack():
    def chosen(*units):
        g = field(*units, german("G", "2214", status=["isolated"]), turn=7, vp=30)
        return g.hex_name(event_choice(g, g.charts.card("E01"), g.charts.events["air_supply"]).hex)

    assert chosen(tanks("P", "1508", status=["out_of_supply"]), tanks("Q", "2010", status=["isolated"])) == "2010"
    one, two = tanks("P", "1508", "5-6", status=["out_of_supply"]), tanks("Q", "2010", status=["out_of_supply"])
    assert chosen(one, two) == "2010", "most steps"


@rule("kharkov43", "14.21e")
def test_engineers_help_the_weakest_of_the_stacks_with_a_german_beside_them():
    units = [soviet("A", "1509", "3-4", army="40"), soviet("B", "1909", "1-4", army="40")]
    g = field(*units, german("G", "1510", "9-4"), german("H", "1910", "1-4"), turn=4)
    choice = event_choice(g, g.charts.card("E04"), g.charts.events["combat_engineers"])
    assert g.hex_name(choice.hex) == "1909", "strength 1 against 3; the lowest number would be 1509"


# --- 8.13 ------------------------------------------------------------------------------------------------------------


def activation(g, card):
    printed = g.charts.card(card)
    return activated_by(g, printed, next(c for c in printed.commands if c.command == "activate" and c.valid(g.turn)))


@rule("kharkov43", "8.13a")
@pytest.mark.parametrize("turn", [5, 8])
def test_a_front_whose_units_are_all_isolated_is_not_activated(turn):
    g = field(soviet("A", "1907", status=["isolated"]), turn=turn, vp=30)
    found = activation(g, "E20")
    assert isinstance(found, Refusal)
    assert (found.rule, "isolated" in found.reason) == ("8.13", True)


@rule("kharkov43", "8.13o")
def test_the_limit_is_asked_of_the_hex_the_unit_stands_in():
    """On game-turn 8: units beyond the limit, whatever the hexes beside them are."""
    line = " ".join(f"{r}06-{r}10" for r in range(15, 23))
    ground = arena(roads_on=(), areas=dict.fromkeys(("west_support_zone", "far_limit_zone"), line))
    units = [soviet(f"U{c}", f"19{c:02d}", "3-4") for c in (7, 10, 11, 13)]
    g = field(*units, turn=8, vp=30, board=ground, objectives={})
    found = activation(g, "E20")
    assert not isinstance(found, Refusal)
    assert {g.name(u) for u in found.units} == {"U11", "U13"}
