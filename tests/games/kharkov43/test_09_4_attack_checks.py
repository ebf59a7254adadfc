"""9.4 Soviet attack checks."""

from __future__ import annotations

import pytest

from kessel.core.procedure import Call
from kessel.games.kharkov43.board import ATTACKED, DEFENDED, STRUCK
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.system.attack_check import (
    check_lead,
    conduct,
    consider,
    next_lead,
    tactical_value,
    why_not_lead,
)
from kessel.games.kharkov43.system.soviet_activation import SovietActivation

from .helpers import german, hx, panzer, position, soviet, unit
from .soviet_helpers import active, active_tanks, arena, southwest

rule = pytest.mark.rule
example = pytest.mark.example
OPEN = {"roads_on": ()}
HALF = " ".join(f"{r}06-{r}10" for r in range(15, 23))
LINES = {"east_support_zone": HALF, "west_support_zone": HALF, "far_limit_zone": HALF}


def field(*units, **doc):
    doc.setdefault("board", arena(**OPEN))
    doc.setdefault("turn", 3)
    doc.setdefault("objectives", southwest("1917"))
    doc.setdefault("cards", {"draw": "E01 E02 E03 E05 E07"})
    return position(units=list(units), **doc)


def check(g, lead, target, card="E10"):
    """The whole check of that lead unit against that hex. E10 has a command value of 3."""
    i = g.charts.card_index(card)
    return conduct(g, consider(g, unit(g, lead), hx(g, target), i), i)


def value(g, lead="A", target="1910", card="E10"):
    """The tactical value, item by item."""
    i = g.charts.card_index(card)
    b = tactical_value(consider(g, unit(g, lead), hx(g, target), i), i)
    assert b.total == sum(x.value for x in b.items)
    assert len({x.what for x in b.items}) == len(b.items)
    return {x.what: x.value for x in b.items}


def defence(g, lead="A", target="1910"):
    c = consider(g, unit(g, lead), hx(g, target), -1)
    return {i.what: i.value for i in c.defence.items}


# --- who leads -------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.4a")
@rule("kharkov43", "9.4c")
def test_active_supplied_undispersed_units_that_have_not_attacked_lead():
    def targets(status, army="6"):
        g = field(soviet("A", "1909", "3-4 2-4", army=army, status=status), german("G", "1910"))
        found = next_lead(g, (), ())
        return found and [g.hex_name(h) for h in found[1]]

    assert targets(["active"]) == ["1910"]
    assert targets([]) is None, "not active"
    for status in ("dispersed", "out_of_supply", "isolated", "attacked"):
        assert targets(["active", status]) is None, status
    g = field(active("A", "1908"), german("G", "1910"))
    assert next_lead(g, (), ()) is None, "not adjacent"


@rule("kharkov43", "9.4a")
def test_a_blocked_dniepr_hexside_keeps_units_from_checking():
    g = field(active("A", "1909"), german("G", "1910"), board=arena(**OPEN, rivers={"1909|1910": "blocked_dniepr"}))
    assert next_lead(g, (), ()) is None


@rule("kharkov43", "9.4b")
@rule("kharkov43", "9.42a")
def test_leads_are_taken_in_ascending_order_and_each_hex_is_checked_once():
    g = field(
        active("A", "1909", "1-4-05 1-4-15"),
        active("B", "1809", "1-4-02 1-4-12"),
        active("C", "1912", "1-4-09 1-4-19"),
        german("G", "1910", "9-4 8-4"),
        german("H", "1911", "9-4 8-4"),
    )
    run = SovietActivation(g.charts.card_index("E10"), "Southwest")
    found = []
    while c := run.next_check(g):
        assert not c.succeeds
        found.append((g.id(c.lead), g.hex_name(c.target)))
    assert found == [("B", "1910"), ("C", "1911")], "A finds 1910 checked already"


@rule("kharkov43", "9.4b")
@rule("kharkov43", "9.43a")
def test_a_unit_leads_again_against_another_hex_until_every_hex_is_checked():
    """A alone stands between two strong hexes: both are checked, one after the other."""
    g = field(active("A", "1909", "1-4-05 1-4-15"), german("G", "1910", "9-4 8-4"), german("H", "1908", "9-4 8-4"))
    run = SovietActivation(g.charts.card_index("E10"), "Southwest")
    found = []
    while c := run.next_check(g):
        found.append((g.id(c.lead), g.hex_name(c.target), c.succeeds))
    assert sorted(found) == [("A", "1908", False), ("A", "1910", False)]
    assert not g.status[unit(g, "A")] & ATTACKED, "a failed check is no attack"


@rule("kharkov43", "9.4b")
def test_after_a_check_the_next_unit_in_order_leads():
    """A stands beside both hexes; after its check B, and not A again, leads against the other."""
    g = field(
        active("A", "1909", "1-4-02 1-4-12"),
        active("B", "1809", "1-4-05 1-4-15"),
        active("R", "reserve", "1-4-01 1-4-11"),
        german("G", "1910", "9-4 8-4"),
        german("H", "1808", "9-4 8-4"),
    )
    run = SovietActivation(g.charts.card_index("E10"), "Southwest")
    found = []
    while c := run.next_check(g):
        found.append((g.id(c.lead), g.hex_name(c.target)))
    assert found == [("A", "1910"), ("B", "1808")]


@rule("kharkov43", "9.43a")
def test_a_unit_that_attacked_takes_part_in_no_other_check():
    g = field(active("A", "1909"), active("B", "1809"), german("G", "1910"))
    g.set_status(unit(g, "A"), ATTACKED)
    c = check(g, "B", "1910")
    assert [g.id(u) for u in c.attackers] == ["B"]


@rule("kharkov43", "9.4d")
def test_a_one_step_unit_cannot_lead_against_a_supplied_target():
    g = field(active("A", "1909", "9-4-05"), german("G", "1910"))
    assert why_not_lead(g, unit(g, "A"), hx(g, "1910")).rule == "9.4"
    g = field(active("A", "1909", "9-4-05"), german("G", "1910", status=["out_of_supply"]))
    assert why_not_lead(g, unit(g, "A"), hx(g, "1910")) is None
    mixed = [german("G", "1910", status=["out_of_supply"]), german("H", "1910")]
    g = field(active("A", "1909", "9-4-05"), *mixed)
    assert why_not_lead(g, unit(g, "A"), hx(g, "1910")) is not None, "H is supplied"


@rule("kharkov43", "9.4e")
def test_a_unit_in_a_vp_hex_with_fewer_than_three_steps_cannot_lead_against_a_supplied_target():
    ground = arena(**OPEN, terrain={"1909": "town"})

    def free(*others, **german_):
        g = field(active("A", "1909", "9-4-05 8-4-06"), german("G", "1910", **german_), *others, board=ground)
        return why_not_lead(g, unit(g, "A"), hx(g, "1910")) is None

    assert not free()
    assert free(soviet("B", "1909", "1-4")), "three steps of any units"
    assert free(status=["out_of_supply"])
    g = field(active("A", "1909", "9-4-05 8-4-06"), german("G", "1910"))
    assert why_not_lead(g, unit(g, "A"), hx(g, "1910")) is None, "no VP hex"


# --- who takes part --------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.4f")
def test_all_other_active_adjacent_units_are_added_even_with_one_step():
    g = field(
        active("A", "1909", "3-4-05 1-4-15"),
        active("B", "1809", "2-4-06"),
        active("D", "1810", "2-4 1-4", status=["dispersed"]),
        active("O", "1810", "2-4 1-4", status=["out_of_supply"]),
        soviet("I", "2009", "2-4 1-4"),
        active("F", "1808", "2-4 1-4"),
        german("G", "1910"),
    )
    c = check(g, "A", "1910")
    assert [g.id(u) for u in c.attackers] == ["A", "B"]
    assert c.attack.total == 5


@rule("kharkov43", "9.4g")
@rule("kharkov43", "9.5a")
def test_active_reserves_that_could_be_placed_are_added_without_being_placed():
    g = field(
        active("A", "1909", "3-4-05 1-4-15"),
        active("R", "reserve", "4-4-02 2-4-12"),
        soviet("S", "reserve", "4-4-03 2-4-13"),
        german("G", "1910", "3-4"),
    )
    c = check(g, "A", "1910")
    assert [g.id(u) for u in c.reserves] == ["R"], "S is not active"
    assert c.attack.total == 7
    assert not g.on_map(unit(g, "R"))


@rule("kharkov43", "9.4g")
def test_of_too_many_reserves_those_with_the_lowest_selectors_are_added():
    """Only 1909 can take a reserve: A has three steps there, so that one three-step unit fits."""
    ground = arena((19, 19), range(6, 12), roads_on=())
    three = "3-4-{0:02d} 2-4-{1:02d} 1-4-{2:02d}"
    g = field(
        active("A", "1909", three.format(20, 21, 22)),
        active("R", "reserve", three.format(7, 17, 27)),
        active("S", "reserve", three.format(4, 14, 24)),
        german("G", "1910", "3-4"),
        board=ground,
        objectives=southwest("1911"),
    )
    assert [g.id(u) for u in check(g, "A", "1910").reserves] == ["S"]


@rule("kharkov43", "9.4h")
def test_with_assault_coordination_as_auxiliary_inactive_units_are_counted():
    units = [
        active("A", "1909", "3-4-05 1-4-15"),
        soviet("I", "1809", "2-4 1-4", army="3T"),
        soviet("D", "1810", "2-4 1-4", status=["dispersed"]),
        german("G", "1910"),
    ]
    g = field(*units, cards={"auxiliary": "E07", "draw": "E01 E02 E03 E05"})
    c = check(g, "A", "1910")
    assert [g.id(u) for u in c.coordinated] == ["I"]
    assert c.attack.total == 5
    assert [g.id(u) for u in c.attackers] == ["A"], "they join by the tactic, not by the check"
    assert check(field(*units), "A", "1910").coordinated == ()
    assert check(field(*units, cards={"auxiliary": "E08"}), "A", "1910").coordinated == ()


# --- situational strength --------------------------------------------------------------------------------------------


@rule("kharkov43", "9.4i")
@rule("kharkov43", "13.22i")
def test_isolated_defenders_are_attacked_whatever_the_ratio():
    g = field(active("A", "1909", "1-4-05 1-4-15"), german("G", "1910", "9-4", status=["isolated"]))
    c = check(g, "A", "1910")
    assert c.succeeds
    assert c.ratio < 1
    g = field(
        active("A", "1909", "1-4-05 1-4-15"),
        german("G", "1910", "9-4", status=["isolated"]),
        german("H", "1910", "9-4", status=["out_of_supply"]),
    )
    assert not check(g, "A", "1910").succeeds, "not all of them"


@rule("kharkov43", "9.4j")
def test_rivers_and_marsh_change_strengths():
    g = field(active("A", "1909", "5-4 3-4"), german("G", "1910"), board=arena(**OPEN, rivers={"1909|1910": "dniepr"}))
    assert check(g, "A", "1910").attack.total == 2
    g = field(
        active("A", "1909", "5-4 3-4"),
        active("B", "1909", "4-4 3-4"),
        german("G", "1910"),
        board=arena(**OPEN, rivers={"1909|1910": "dniepr"}),
    )
    assert check(g, "A", "1910").attack.total == 4, "nine halved"
    marsh = arena(**OPEN, terrain={"1910": "marsh"})
    g = field(
        active_tanks("A", "1909", "5-6 3-6"), active("B", "1809", "3-4 2-4"), panzer("G", "1910", "5-6"), board=marsh
    )
    c = check(g, "A", "1910")
    assert (c.attack.total, c.defence.total) == (5, 2), "tanks at half, infantry whole; the panzers halved too"
    both = arena(**OPEN, terrain={"1910": "marsh"}, rivers={"1909|1910": "dniepr"})
    g = field(active_tanks("A", "1909", "9-6 3-6"), german("G", "1910"), board=both)
    assert check(g, "A", "1910").attack.total == 2, "halved twice"


@rule("kharkov43", "9.4k")
def test_an_improved_position_adds_one():
    g = field(active("A", "1909"), german("G", "1910", "3-4"), improved_positions="1910")
    assert defence(g) == {"G": 3, "in an improved position": 1}


@rule("kharkov43", "9.4l")
def test_a_supplied_german_neighbour_adds_one():
    def items(*more):
        return defence(field(active("A", "1909"), german("G", "1910", "3-4"), *more))

    assert items() == {"G": 3}
    assert items(german("H", "1911")) == {"G": 3, "adjacent to a supplied German unit": 1}
    assert items(german("H", "1911"), german("I", "1810")) == {"G": 3, "adjacent to a supplied German unit": 1}
    assert items(german("H", "1911", status=["out_of_supply"])) == {"G": 3}
    assert items(german("H", "1912")) == {"G": 3}


@rule("kharkov43", "9.4m")
def test_all_attackers_across_the_donets_or_dniepr_add_one():
    rivers = {"1909|1910": "donets", "1809|1910": "dniepr"}
    doc = {"board": arena(**OPEN, rivers=rivers)}
    both = [active("A", "1909"), active("B", "1809", "3-4-06 1-4-16")]
    assert "all attackers across the Donets or Dniepr" in defence(field(*both, german("G", "1910"), **doc))
    third = active("C", "2009", "3-4-07 1-4-17")
    assert "all attackers across the Donets or Dniepr" not in defence(field(*both, third, german("G", "1910"), **doc))
    minor = {"board": arena(**OPEN, rivers={"1909|1910": "minor_river"})}
    assert defence(field(active("A", "1909"), german("G", "1910", "3-4"), **minor)) == {"G": 3}


@rule("kharkov43", "9.4n")
def test_from_turn_5_everybody_outside_support_adds_one():
    def items(turn, a="1913", g="1914"):
        p = field(
            active("A", a),
            german("G", g, "3-4"),
            turn=turn,
            board=arena(**OPEN, areas=LINES),
            vp=30,
            forward_support="",
        )
        return defence(p, target=g)

    assert items(5) == {"G": 3, "everybody outside Soviet support": 1}
    assert items(4) == {"G": 3}
    assert items(5, "1910", "1911") == {"G": 3}, "the attacker is in support"
    assert items(5, "1911", "1910") == {"G": 3}, "the defender's hex is"


@rule("kharkov43", "9.4o")
def test_all_dispersed_takes_one_away():
    one = german("G", "1910", "3-4", status=["dispersed"])
    assert defence(field(active("A", "1909"), one)) == {"G": 3, "all dispersed": -1}
    assert "all dispersed" not in defence(field(active("A", "1909"), one, german("H", "1910", "3-4")))


@rule("kharkov43", "9.4p")
def test_all_out_of_supply_takes_two_away():
    one = german("G", "1910", "5-4", status=["out_of_supply"])
    assert defence(field(active("A", "1909"), one)) == {"G": 5, "all out of supply": -2}
    assert "all out of supply" not in defence(field(active("A", "1909"), one, german("H", "1910")))


@rule("kharkov43", "9.4q")
def test_situational_strength_is_at_least_one():
    weak = german("G", "1910", "1-4", status=["out_of_supply", "dispersed"])
    c = check(field(active("A", "1909"), weak), "A", "1910")
    assert c.defence.total == 1


# --- the check -------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.4r")
def test_three_to_one_always_attacks():
    g = field(active("A", "1909", "9-4 2-4"), german("G", "1910", "3-4"))
    c = check(g, "A", "1910", card="E12")
    assert (c.succeeds, c.value) == (True, None)
    g = field(active("A", "1909", "8-4 2-4"), german("G", "1910", "3-4"))
    assert check(g, "A", "1910").value is not None, "8:3 is less than 3:1"


@rule("kharkov43", "9.4s")
def test_less_than_one_to_one_never_attacks():
    g = field(active("A", "1909", "2-4 1-4"), german("G", "1910", "3-4"))
    c = check(g, "A", "1910", card="E22")
    assert (c.succeeds, c.value) == (False, None)
    g = field(active("A", "1909", "3-4 1-4"), german("G", "1910", "3-4"))
    assert check(g, "A", "1910").value is not None, "1:1 is enough for a tactical value"


@rule("kharkov43", "9.4t")
@rule("kharkov43", "9.4u")
def test_between_them_the_tactical_value_must_reach_seven():
    """Supported (1) and 2:1 (2): with a command value of 4 the sum is seven, with 3 it is six."""
    g = field(active("A", "1909", "6-4 2-4"), german("G", "1910", "3-4"))
    low, high = check(g, "A", "1910", "E10"), check(g, "A", "1910", "E07")
    assert (low.value.total, low.succeeds) == (6, False)
    assert (high.value.total, high.succeeds) == (7, True)
    assert value(g, card="E07")["command value of E07"] == 4
    told = low.as_json(g)
    assert (told["tactical_value"]["total"], told["tactical_value"]["needed"], told["attacks"]) == (6, 7, False)
    assert told["ratio"] == "6:3, that is 2:1"


@rule("kharkov43", "9.4u")
@rule("kharkov43", "9.4q")
def test_every_card_lends_its_command_value_and_nothing_is_added_to_a_strength_of_one():
    units = [active("A", "1909", "2-4-05 1-4-15"), german("G", "1910", "1-4")]
    g = position(board=arena(**OPEN), turn=3, objectives=southwest("1506"), units=units)
    a_unit = unit(g, "A")
    target = [g.map.grid.hex("1910")]
    for card in g.charts.soviet_cards:
        check = check_lead(g, a_unit, target, card)
        assert check.value is not None
        assert check.value.items[0].what == f"command value of {g.charts.cards[card].id}"
        assert check.value.items[0].value == g.charts.cards[card].command_value
    assert [i.what for i in check_lead(g, a_unit, target, -1).defence.items] == ["G"]


@rule("kharkov43", "9.4v")
def test_two_to_one_adds_two_by_the_true_ratio():
    assert "situational ratio of 2:1 or more" in value(
        field(active("A", "1909", "6-4 2-4"), german("G", "1910", "3-4"))
    )
    assert (
        value(field(active("A", "1909", "6-4 2-4"), german("G", "1910", "3-4")))["situational ratio of 2:1 or more"]
        == 2
    )
    assert "situational ratio of 2:1 or more" not in value(
        field(active("A", "1909", "5-4 2-4"), german("G", "1910", "3-4"))
    )


@rule("kharkov43", "9.4w")
@pytest.mark.parametrize(("turn", "barrage"), [(1, True), (2, True), (3, False)])
def test_the_artillery_barrage_adds_one_on_turns_1_and_2(turn, barrage):
    g = field(active("A", "1909"), german("G", "1910", "3-4"), turn=turn, board=arena(**OPEN, areas=LINES))
    assert ("artillery barrage" in value(g)) is barrage
    beyond = field(active("A", "1910"), german("G", "1911", "3-4"), turn=turn, board=arena(**OPEN, areas=LINES))
    assert "artillery barrage" not in value(beyond, target="1911")


@rule("kharkov43", "9.4x")
def test_a_supported_attack_adds_one():
    def items(turn, a, g):
        p = field(active("A", a), german("G", g, "3-4"), turn=turn, board=arena(**OPEN, areas=LINES), vp=30)
        return value(p, target=g)

    assert "the attack is supported" in items(4, "1913", "1914")
    assert "the attack is supported" not in items(5, "1913", "1914")
    assert "the attack is supported" in items(5, "1910", "1911")


@rule("kharkov43", "9.4y")
def test_armor_on_the_soviet_side_alone_adds_one():
    text = "only the Soviets have armor"
    assert text in value(field(active_tanks("A", "1909", "5-6 3-6"), german("G", "1910")))
    assert text not in value(field(active_tanks("A", "1909", "5-6 3-6"), panzer("G", "1910", "4-6 2-6")))
    assert text not in value(field(active("A", "1909"), german("G", "1910")))


@rule("kharkov43", "9.4z")
def test_a_surrounded_attacker_adds_one():
    text = "an attacking unit is surrounded"
    g = field(active("A", "1909", "5-4 3-4"), german("G", "1910"), german("H", "1908"))
    assert text in value(g)
    assert text not in value(field(active("A", "1909", "5-4 3-4"), german("G", "1910")))


@rule("kharkov43", "9.4za")
def test_a_flank_attack_or_a_surrounded_and_cut_defender_adds_one():
    def items(*units, ground=None, **doc):
        return value(
            field(active("A", "1909"), german("G", "1910", "4-4"), *units, board=ground or arena(**OPEN), **doc)
        )

    assert "flank attack" not in items()
    assert "flank attack" not in items(active("B", "1809")), "two adjacent hexes"
    assert "flank attack" in items(active("B", "1911", "1-4-09 1-4-19")), "two hexes apart"
    assert "flank attack" in items(active("B", "1809", "1-4-08"), active("C", "1810", "1-4-09")), "three hexes"
    town = arena(**OPEN, terrain={"1910": "town"})
    cut = "the defender is surrounded and can't trace supply"
    assert cut in items(soviet("S", "1911"), ground=town), "no flank in a town; S closes the ring"
    assert cut not in items(ground=town)
    fed = items(
        soviet("S", "1911"),
        german("F", "2010"),
        german("E", "2110"),
        ground=arena(terrain={"1910": "town"}, german_edge="2111"),
    )
    assert cut not in fed, "a German neighbour keeps the path open"


@rule("kharkov43", "9.4za")
@pytest.mark.parametrize(("option", "point"), [("surrounded_and_cut", False), ("surrounded", True)])
def test_whether_a_defender_must_be_cut_as_well_is_a_switch(option, point):
    """A42: G in the town is surrounded, but F and E keep a path open."""
    g = field(
        active("A", "1909"),
        german("G", "1910", "4-4"),
        soviet("S", "1911"),
        german("F", "2010"),
        german("E", "2110"),
        board=arena(**OPEN, terrain={"1910": "town"}, german_edge="2111"),
        options={"surrounded_for_tactical_value": option},
    )
    assert ("the defender is surrounded" in value(g)) is point


@rule("kharkov43", "9.4zb")
@rule("kharkov43", "9.4zc")
def test_the_vp_value_of_the_target():
    def items(vp_value, turn=3, vp=30):
        ground = arena(**OPEN, terrain={"1910": "town"}, vp={"1910": vp_value})
        found = value(field(active("A", "1909"), german("G", "1910", "3-4"), board=ground, turn=turn, vp=vp))
        return {k: v for k, v in found.items() if "VP" in k}

    assert items(1) == {}
    assert items(2) == {"target of 2 VPs": 1}
    assert items(4) == {"target of 4 VPs": 1}
    assert items(4, turn=7, vp=19) == {"VP value of the target": 4}, "instead of the one point"
    assert items(1, turn=7, vp=19) == {"VP value of the target": 1}
    assert items(4, turn=7, vp=20) == {"target of 4 VPs": 1}
    assert items(4, turn=6, vp=19) == {"target of 4 VPs": 1}


@rule("kharkov43", "9.4zd")
def test_all_tactics_of_the_auxiliary_card_applying_adds_one():
    text = "all tactics of the auxiliary card apply"

    def has(card, turn=3, **doc):
        units = [active("A", "1909"), german("G", "1910", "3-4")]
        g = field(*units, turn=turn, cards={"auxiliary": card, "draw": "E02 E04 E09 E10"}, **doc)
        return text in value(g, card="E13")

    assert has("E01"), "Artillery"
    assert not has("E11"), "Partisans, in the open"
    assert has("E11", board=arena(**OPEN, terrain={"1910": "woods"}))
    assert not has("E05"), "Artillery helps, but nobody can reinforce"
    assert not has("E01", turn=1), "redundant in the barrage zone"
    outside = {"turn": 5, "vp": 30, "board": arena(**OPEN, areas=dict.fromkeys(LINES, "1506"))}
    assert not has("E01", **outside), "the attack is not supported"
    g = field(active("A", "1909"), german("G", "1910", "3-4"))
    assert text not in value(g), "no auxiliary card"


@rule("kharkov43", "9.4ze")
def test_a_draw_pile_of_fewer_than_four_cards_adds_one():
    text = "fewer than four cards in the draw pile"
    units = [active("A", "1909"), german("G", "1910", "3-4")]
    assert text in value(field(*units, cards={"draw": "E01 E02 E03"}))
    assert text not in value(field(*units, cards={"draw": "E01 E02 E03 E05"}))


@rule("kharkov43", "9.4zf")
def test_a_successful_check_is_followed_at_once_by_the_attack():
    g = field(
        active("A", "1909", "9-4-01 5-4-11"),
        active("B", "1708", "9-4-02 5-4-12"),
        german("G", "1910", "1-4"),
        german("H", "1709", "1-4"),
    )
    run = SovietActivation(g.charts.card_index("E10"), "Southwest")
    step = next(s for s in run.steps if s.name == "attacks")
    out = step.fn(run, g)
    assert isinstance(out, Call)
    assert out.again, "the checks go on after it"
    assert isinstance(out.procedure, SovietCombat)
    assert (g.hex_name(out.procedure.target), [g.id(u) for u in out.procedure.attackers]) == ("1910", ["A"])
    g.set_status(unit(g, "A"), ATTACKED)
    g.set_status(unit(g, "G"), DEFENDED | STRUCK)
    again = step.fn(run, g)
    assert g.hex_name(again.procedure.target) == "1709"
