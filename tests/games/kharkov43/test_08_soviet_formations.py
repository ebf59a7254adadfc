"""8.13 Which units an activation command activates."""

from __future__ import annotations

import pytest

from kessel.core.breakdown import Refusal
from kessel.games.kharkov43.combat.tactics import standing_tactics
from kessel.games.kharkov43.system.attack_check import consider
from kessel.games.kharkov43.system.cards.soviet_cards import first_command
from kessel.games.kharkov43.system.soviet_formations import activated_by, army_and_stacked, largest_army, make_active

from .helpers import german, hx, panzer, soviet, tanks, unit
from .soviet_helpers import active_tanks, arena
from .test_08_soviet_cards import field

rule = pytest.mark.rule
example = pytest.mark.example
OPEN = {"roads_on": ()}


def active(g, card):
    """The units the card's activation of this game-turn activates."""
    printed = g.charts.card(card)
    command = next((c for c in printed.commands if c.command == "activate" and c.valid(g.turn)), None)
    if command is None:
        return None
    found = activated_by(g, printed, command)
    return None if isinstance(found, Refusal) else {g.id(u) for u in found.units}


# --- army and army units ---------------------------------------------------------------------------------------------


@rule("kharkov43", "8.13a")
def test_an_activation_needs_a_unit_that_is_not_isolated():
    assert active(field(soviet("A", "1907")), "E10") == {"A"}
    assert active(field(soviet("A", "1907", status=["isolated"])), "E10") is None
    assert active(field(soviet("A", "1907", status=["isolated"]), soviet("R", "reserve")), "E10") == {"A", "R"}
    assert active(field(soviet("A", "1907", status=["out_of_supply"])), "E10") == {"A"}
    assert active(field(soviet("A", "eliminated"), soviet("B", "calendar")), "E10") is None
    assert first_command(field(), field().charts.card("E12"))[0] is None


@rule("kharkov43", "8.13a")
@pytest.mark.parametrize("turn", [5, 8])
def test_a_front_whose_units_are_all_isolated_is_not_activated(turn):
    g = field(soviet("A", "1907", status=["isolated"]), turn=turn, vp=30)
    found = activation(g, "E20")
    assert isinstance(found, Refusal)
    assert (found.rule, "isolated" in found.reason) == ("8.13", True)


@rule("kharkov43", "8.13b")
def test_the_same_army_may_be_activated_again_and_again():
    g = field(soviet("A", "1907"))
    assert active(g, "E10") == active(g, "E11") == {"A"}
    g.activated[:] = bytes([2] * len(g.activated))
    assert active(g, "E10") == {"A"}


@rule("kharkov43", "8.13f")
@rule("kharkov43", "9.5a")
def test_an_army_card_activates_all_units_of_the_army_on_the_map_and_in_reserve():
    g = field(
        soviet("A", "1907"),
        soviet("B", "1807", status=["dispersed"]),
        soviet("C", "1707", status=["out_of_supply"]),
        soviet("R", "reserve"),
        soviet("E", "eliminated"),
        soviet("O", "1907", army="1G"),
    )
    assert active(g, "E10") == {"A", "B", "C", "R"}, "O is only stacked with A"


@rule("kharkov43", "8.13c")
@rule("kharkov43", "8.13e")
def test_an_army_units_card_activates_two_stacks_outside_vp_hexes_and_all_reserves():
    g = field(
        soviet("A", "1907", "3-4"),
        soviet("B", "1907", "3-4"),
        soviet("M", "1907", "9-4", army="1G"),
        soviet("C", "1707", "5-4"),
        soviet("D", "1507", "2-4"),
        soviet("T", "1910", "9-4"),
        soviet("R", "reserve", "1-4"),
        board=arena(**OPEN, terrain={"1910": "town"}),
    )
    assert active(g, "E12") == {"A", "B", "C", "R"}, "only 6th Army's units of the stack; not T, in a town"
    only = field(soviet("T", "1910"), board=arena(**OPEN, terrain={"1910": "town"}))
    assert active(only, "E12") is None
    assert active(field(soviet("R", "reserve")), "E12") == {"R"}


@rule("kharkov43", "8.13d")
def test_army_units_are_picked_by_five_preferences():
    def picked(*units):
        g = field(*units, turn=4)
        return active(g, "E12")

    weak = [soviet("W", "1507", "1-4-30"), soviet("X", "1707", "1-4-31")]
    assert picked(*weak, soviet("U", "1907", "9-4", status=["out_of_supply"])) == {"W", "X"}, "a) supplied"
    ring = [german("G", "1909"), german("H", "1911")]
    assert picked(*weak, soviet("S", "1910", "9-4"), *ring) == {"W", "X"}, "b) not surrounded"
    assert picked(*weak, soviet("S", "1910", "9-4")) >= {"S"}, "c) strength"
    pair = [
        soviet("P", "2007", "1-4-20"),
        soviet("Q", "2007", "1-4-21"),
        soviet("S", "2207", "2-4-01"),
        soviet("Z", "2107", "2-4-02"),
    ]
    assert picked(*pair) == {"P", "Q", "S"}, "d) most units, then e) lowest selector"
    alike = [soviet(f"A{h}", h, "2-4") for h in ("1507", "1707", "1907")]
    assert picked(*alike) == {"A1707", "A1907"}, "all alike: the highest hex numbers"


# --- fronts ----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "8.13g")
@rule("kharkov43", "8.13u")
@pytest.mark.parametrize("turn", [2, 3])
def test_voronezh_front_early_is_3rd_tank_army_and_stacked_units(turn):
    g = field(
        tanks("A", "1907", army="3T"),
        soviet("B", "1907", army="69"),
        soviet("C", "1707", army="69"),
        soviet("D", "1907", "1-4", army="6"),
        tanks("R", "reserve", army="3T"),
        turn=turn,
    )
    assert active(g, "E21") == {"A", "B", "R"}
    assert active(field(turn=1), "E21") is None, "no instruction for game-turn 1"


@rule("kharkov43", "8.13l")
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_southwest_front_early_is_popov_and_stacked_units(turn):
    g = field(tanks("A", "1907"), soviet("B", "1907", army="6"), soviet("C", "1707", army="6"), turn=turn)
    assert active(g, "E20") == {"A", "B"}


@rule("kharkov43", "8.13h")
@rule("kharkov43", "8.13m")
@rule("kharkov43", "8.13t")
def test_from_turn_4_the_army_with_the_most_supplied_units_on_the_map_and_reserves():
    def units(front):
        big, small = ("40", "69") if front == "Voronezh" else ("6", "1G")
        return [
            soviet("A", "1907", army=big),
            soviet("B", "1807", army=big, status=["out_of_supply"]),
            soviet("C", "1707", army=big, status=["isolated"]),
            soviet("D", "1607", army=small),
            soviet("R", "reserve", army=small),
        ]

    for front, card in (("Voronezh", "E21"), ("Southwest", "E20")):
        g = field(*units(front), turn=4)
        assert active(g, card) == {"D", "R"}, "two counted against one"
        g = field(*units(front)[:4], soviet("S", "1607", "1-4", army="40" if front == "Voronezh" else "6"), turn=7)
        assert active(g, card) == {"A", "B", "C", "S", "D"}, "unsupplied units are activated; D is stacked with S"


@rule("kharkov43", "8.13i")
def test_voronezh_ties_go_to_the_supplied_unit_nearest_the_west_edge_then_the_lowest_number():
    def first(*units):
        return largest_army(field(*units, turn=4), "Voronezh")[0]

    assert first(soviet("A", "1907", army="40"), soviet("B", "1909", army="69")) == "69"
    assert first(soviet("A", "1910", army="40"), soviet("B", "1909", army="69")) == "40"
    far = [soviet("C", "1916", army="69", status=["out_of_supply"]), soviet("D", "1807", army="69")]
    assert first(soviet("A", "1908", army="40"), *far) == "40", "C is not supplied and counts for nothing"
    assert first(soviet("A", "1907", army="69"), soviet("B", "1707", army="40"), tanks("T", "2107", army="3T")) == "3T"


@rule("kharkov43", "8.13n")
def test_southwest_ties_go_to_the_supplied_unit_nearest_the_3300_row_then_the_lowest_number():
    ground = arena((30, 33), range(8, 14), roads_on=())

    def first(*units):
        return largest_army(field(*units, turn=4, board=ground, objectives={}), "Southwest")[0]

    assert first(soviet("A", "3010", army="1G"), soviet("B", "3110", army="6")) == "6"
    assert first(soviet("A", "3210", army="1G"), soviet("B", "3110", army="6")) == "1G"
    assert first(soviet("A", "3110", army="6"), soviet("B", "3109", army="1G")) == "1G"
    assert first(soviet("A", "3110", army="6"), tanks("B", "3109")) == "Popov", "numbered 0"


@rule("kharkov43", "8.13j")
@rule("kharkov43", "8.13o")
@rule("kharkov43", "8.13k")
def test_from_turn_8_units_beyond_the_limit_or_nearly_surrounded_without_reserves():
    zone = " ".join(f"{r}06-{r}11" for r in range(15, 23))
    ground = arena(**OPEN, areas=dict.fromkeys(("west_support_zone", "far_limit_zone", "east_support_zone"), zone))
    for card, army, other in (("E21", "40", "6"), ("E20", "6", "40")):
        units = [
            soviet("A", "1607", army=army),
            soviet("B", "1712", army=army),
            soviet("N", "2010", army=army),
            german("G", "2011"),
            panzer("H", "1810"),
            soviet("R", "reserve", army=army),
            soviet("O", "1612", army=other),
        ]
        g = field(*units, turn=8, vp=30, objectives={}, board=ground)
        assert active(g, card) == {"B", "N"}
        calm = field(units[0], units[5], turn=8, vp=30, objectives={}, board=ground)
        assert active(calm, card) == {"A", "R"}, "nobody qualifies: as on turns 4-7"


@rule("kharkov43", "8.13o")
def test_the_limit_is_asked_of_the_hex_the_unit_stands_in():
    """On game-turn 8: units beyond the limit, whatever the hexes beside them are."""
    line = " ".join(f"{r}06-{r}10" for r in range(15, 23))
    ground = arena(roads_on=(), areas=dict.fromkeys(("west_support_zone", "far_limit_zone"), line))
    units = [soviet(f"U{c}", f"19{c:02d}", "3-4") for c in (7, 10, 11, 13)]
    g = field(*units, turn=8, vp=30, board=ground, objectives={})
    found = activation(g, "E20")
    assert not isinstance(found, Refusal)
    assert {g.id(u) for u in found.units} == {"U11", "U13"}


# --- STAVKA ----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "8.13p")
@rule("kharkov43", "8.13q")
@pytest.mark.parametrize(("turn", "who"), [(1, {"P", "S"}), (3, {"P", "S"}), (2, {"T", "V"}), (4, {"T", "V"})])
def test_stavka_early(turn, who):
    g = field(
        tanks("P", "1907"),
        soviet("S", "1907", army="6"),
        tanks("T", "1707", army="3T"),
        soviet("V", "1707", army="69"),
        turn=turn,
    )
    assert active(g, "E22") == who


@rule("kharkov43", "8.13r")
@rule("kharkov43", "8.13s")
@pytest.mark.parametrize("turn", [5, 6, 7])
def test_stavka_later_is_the_largest_army_of_both_fronts(turn):
    g = field(
        tanks("P", "1907"),
        soviet("A", "1707", army="40"),
        soviet("B", "1607", army="40"),
        soviet("S", "1607", "1-4", army="6"),
        turn=turn,
        vp=30,
    )
    assert active(g, "E22") == {"A", "B"}, "S is of the other front"
    ground = arena((18, 20), range(15, 24), roads_on=())
    tie = field(
        tanks("P", "1918"),
        soviet("A", "1917", army="40"),
        soviet("B", "1816", army="6"),
        turn=turn,
        vp=30,
        board=ground,
    )
    assert active(tie, "E22") == {"P"}, "closest to 1923"
    level = field(
        soviet("A", "1818", army="40"), soviet("B", "2018", army="6"), turn=turn, vp=30, board=ground, objectives={}
    )
    assert active(level, "E22") == {"B"}, "then the lowest number"


@rule("kharkov43", "8.13v")
def test_attacks_of_a_stavka_activation_get_nkvd():
    g = field(active_tanks("A", "1909", "5-6 3-6"), german("G", "1910"))

    def tactics(card):
        i = g.charts.card_index(card)
        return [s.tactic for s in standing_tactics(g, consider(g, unit(g, "A"), hx(g, "1910"), i).battle)]

    assert tactics("E22") == ["nkvd"]
    assert tactics("E17") == []


# --- the example -----------------------------------------------------------------------------------------------------


@rule("kharkov43", "8.13m")
@rule("kharkov43", "8.13t")
@rule("kharkov43", "8.13u")
@example("kharkov43", "X11")
def test_southwest_front_on_turn_4():
    popov = [tanks(f"P{i}", f"{15 + i}08") for i in range(5)] + [tanks("P6", "reserve")]
    sixth = [soviet("172/6", "1608", army="6")] + [soviet(f"S{i}", f"{16 + i}06", army="6") for i in range(3)]
    guards = [soviet(f"G{i}", f"{19 + i}06", army="1G") for i in range(3)]
    g = field(*popov, *sixth, *guards, turn=4)
    assert largest_army(g, "Southwest") == ("Popov", "most units counted: Popov 6, 1G 3, 6 4")
    assert active(g, "E20") == {f"P{i}" for i in range(5)} | {"P6", "172/6"}


def test_each_active_unit_has_its_reason_and_a_tie_tells_how_it_was_broken():
    g = field(tanks("P", "1907"), tanks("R", "reserve"), soviet("S", "1907", army="6"), turn=3)
    found = army_and_stacked(g, "Popov")
    assert {g.id(u): why for u, why in found.units.items()} == {
        "P": "Popov Army",
        "R": "Popov Army, in reserve",
        "S": "stacked with a unit of Popov Army in 1907",
    }
    g.events = []
    make_active(g, found)
    assert g.events[0]["trace"]["units"]["R"] == "Popov Army, in reserve"
    west = field(soviet("A", "1907", army="40"), soviet("B", "1909", army="69"), turn=4)
    assert largest_army(west, "Voronezh")[1] == (
        "most units counted: 40 1, 69 1; tie: a supplied unit 8 hexes from the west map edge"
    )
    south = field(soviet("A", "1907", army="6"), soviet("B", "1908", army="1G"), turn=4)
    assert largest_army(south, "Southwest")[1].endswith("tie: the lowest army number")
    both = field(soviet("A", "1907", army="6"), soviet("B", "1907", "2-4", army="40"), turn=5, vp=30)
    assert largest_army(both, "")[0] == "6"


def activation(g, card):
    printed = g.charts.card(card)
    return activated_by(g, printed, next(c for c in printed.commands if c.command == "activate" and c.valid(g.turn)))
