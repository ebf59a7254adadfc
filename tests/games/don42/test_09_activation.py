"""9.0 Soviet HQ activation."""

from __future__ import annotations

import itertools

import pytest

from kessel.core.hexset import members
from kessel.games.don42.board import ACTIVE, C_ACTIVE, C_TRIED
from kessel.games.don42.data.charts import POINT, turn_number
from kessel.games.don42.movement.movement import allowance, is_far, nearer_hexes, why_not_move
from kessel.games.don42.supply.activation import (
    ActivationPhase,
    activation_roll,
    army_hq,
    entering_hq,
    is_in_command,
    is_in_reserve,
    line_length,
    note_attack,
    why_not_try,
)
from kessel.games.don42.supply.supply import parent_hqs

from .helpers import ask, at, board, do, fresh, ger, h, homeland, hq62, pos, refusal, sov, start, texts, u


def army(name, at_, **more):
    return sov(f"HQ{name}", at_, "0-1-8", type="hq", size="army", army=name, **more)


def corps(name, at_, **more):
    return sov(f"HQ{name}", at_, "0-1-8", type="hq", size="corps", army="", corps=name, **more)


def front(*units, turn="Aug 26 AM", on=None, **fields):
    """A position at the start of the Activation Phase."""
    return pos(*units, on=on or homeland(), turn=turn, activated=[], **fields)


def choose(g, *dice):
    return start(g, ActivationPhase(), dice=dice)


FOUR = army("4TkA", "0,-5")
SIXTY_TWO = hq62("0,-3")
GUARDS = army("1GdA", "0,-1")
TWENTY_FOUR = army("24A", "0,1")
SIXTY_SIX = army("66A", "0,2")
FIVE = (FOUR, SIXTY_TWO, GUARDS, TWENTY_FOUR, SIXTY_SIX)


def active(g, name):
    return bool(g.commands[g.command_index(name)] & C_ACTIVE)


@pytest.mark.rule("don42", "9.0.a", "5.0.4.c", "9.3.b", "RX-ACT")
@pytest.mark.parametrize(("dice", "success"), [((1, 2), False), ((1, 3), True)])
def test_an_army_activates_by_two_dice_on_the_activation_table(dice, success):
    g = choose(front(SIXTY_TWO), *dice)
    assert activation_roll(g, "62A")["needs"] == 4, "a line of three MPs uses column 0-5"
    do(g, "activate 62A")
    assert active(g, "62A") is success
    assert bool(g.status[u(g, "HQ62A")] & ACTIVE) is success


@pytest.mark.rule("don42", "5.0.4.a", "9.2.b3")
def test_supply_is_checked_first_and_an_unsupplied_hq_may_not_try():
    cut = front(FOUR, hq62("0,2"), ger("A", "1,0"), ger("B", "-1,0"))
    choose(cut)
    assert texts(cut) == ["pass", "activate 4TkA"]
    assert why_not_try(cut, "62A").rule == "9.2"


@pytest.mark.rule("don42", "5.0.4.b", "9.3.a")
def test_the_line_is_measured_in_mps_to_the_nearest_source():
    g = front(hq62("0,-3"))
    assert line_length(g, u(g, "HQ62A")) == 3 * POINT
    mud = front(hq62("0,-3"), weather="mud")
    assert line_length(mud, u(mud, "HQ62A")) == 9 * POINT
    beside = front(hq62("2,-3"))
    assert line_length(beside, u(beside, "HQ62A")) == 5 * POINT
    found = ask(g, "activation", army="62A")["armies"]["62A"]
    assert (found["length"], found["column"], found["chance"]) == (3.0, "0-5", "33/36")


@pytest.mark.rule("don42", "9.3.a")
def test_a_road_over_the_volga_carries_the_line_though_no_unit_crosses():
    banks = [(f"1,{r}", f"2,{r + e}") for r in range(-6, 6) for e in (-1, 0)]
    volga = {f"{a}|{b}": "major_river" for a, b in banks}
    g = front(hq62("2,0"), on=homeland(8, sides=volga, roads=[("minor_road", "2,0 1,0")]))
    assert why_not_try(g, "62A") is None
    assert ask(g, "activation", army="62A")["armies"]["62A"]["length"] == 1 + 1 + 8
    without = front(hq62("2,0"), on=homeland(8, sides=volga))
    assert line_length(without, u(without, "HQ62A")) is None


@pytest.mark.rule("don42", "9.3.b")
def test_half_a_point_over_uses_the_next_column():
    major = board(
        roads=[("major_road", " ".join(f"0,{r}" for r in range(-6, 7)))], features={"0,-6": ["soviet_source"]}
    )
    g = front(hq62("0,5"), on=major)
    assert line_length(g, u(g, "HQ62A")) == 11, "eleven hexes of half an MP"
    assert activation_roll(g, "62A")["column"] == "6-12"
    other = front(hq62("0,5"), on=major, options={"act_column": "shorter"})
    assert activation_roll(other, "62A")["column"] == "0-5"


@pytest.mark.rule("don42", "5.0.4.d", "9.0.b", "9.1.c")
def test_two_armies_at_most_try_in_a_turn():
    g = choose(front(*FIVE), 6, 6, 6, 6)
    do(g, "activate 4TkA", "activate 62A")
    assert not g.stack, "the third Army may not try"
    assert [active(g, a) for a in ("4TkA", "62A", "1GdA")] == [True, True, False]


@pytest.mark.rule("don42", "9.0.c")
def test_after_a_failure_another_army_must_be_tried():
    g = choose(front(*FIVE), 1, 1, 6, 6)
    do(g, "activate 4TkA")
    assert texts(g) == ["activate 62A"], "no pass, and not the same Army"
    assert refusal(g, "activate 4TkA").rule == "9.0"
    assert refusal(g, "pass").rule == "9.0"


@pytest.mark.rule("don42", "9.0.d")
def test_after_two_failures_nobody_else_may_try():
    g = choose(front(*FIVE), 1, 1, 1, 1)
    do(g, "activate 4TkA", "activate 62A")
    assert not g.stack
    assert not any(active(g, a) for a in ("4TkA", "62A", "1GdA"))


@pytest.mark.rule("don42", "9.1.a")
def test_4_tank_army_and_62_army_come_first():
    g = choose(front(*FIVE))
    assert texts(g) == ["pass", "activate 62A", "activate 4TkA"]
    assert refusal(g, "activate 1GdA").rule == "9.1"


@pytest.mark.rule("don42", "9.1.b")
def test_an_ineligible_priority_army_makes_room_for_another():
    g = choose(front(army("4TkA", "0,-5", status=["DRG"]), SIXTY_TWO, GUARDS), 6, 6, 6, 6)
    do(g, "activate 62A")
    assert "activate 1GdA" in texts(g)


@pytest.mark.rule("don42", "9.1.d", "9.8")
def test_without_another_eligible_army_three_tank_corps_activate_freely():
    tanks = [corps(c, f"{i},-2") for i, c in enumerate(("2TkC", "4TkC", "7TkC", "16TkC"), start=1)]
    g = choose(front(FOUR, SIXTY_TWO, *tanks), 6, 6, 6, 6)
    assert refusal(g, "activate 2TkC").rule == "9.1"
    do(g, "activate 4TkA", "activate 62A", "activate 2TkC", "activate 4TkC", "activate 7TkC")
    assert g.dice.count == 4, "no die for a Tank Corps"
    assert not g.stack
    assert not active(g, "16TkC")
    with_army = choose(front(*FIVE, *tanks), 6, 6, 6, 6)
    do(with_army, "activate 4TkA", "activate 62A")
    assert not with_army.stack, "another Army is still eligible, so no Tank Corps"


@pytest.mark.rule("don42", "9.1.e")
def test_a_scenario_may_say_who_tries():
    g = front(*FIVE, turn="Sep 2 AM", scenario="kotluban")
    choose(g, 1)
    assert texts(g) == ["activate 1GdA"]


@pytest.mark.rule("don42", "9.2.b1")
def test_a_disordered_hq_may_not_try():
    for status in ("DRG", "DPT", "RTD"):
        g = front(hq62("0,-3", status=[status]))
        assert why_not_try(g, "62A").rule == "9.2"


@pytest.mark.rule("don42", "9.2.b2")
def test_the_hq_must_be_within_four_mps_of_a_road():
    assert why_not_try(front(hq62("4,-3")), "62A") is None
    assert why_not_try(front(hq62("5,-3")), "62A").rule == "9.2"
    loop = homeland(roads=[("minor_road", "5,-3 5,-2")])
    assert why_not_try(front(hq62("5,-3"), on=loop), "62A").rule == "9.2", "that road leads nowhere"
    any_road = front(hq62("5,-3"), on=loop, options={"act_road": "any_road"})
    assert why_not_try(any_road, "62A") is None


@pytest.mark.rule("don42", "9.2.c", "9.2.d")
def test_units_beyond_twelve_mps_move_half_and_only_closer():
    far = homeland(10)
    g = pos(hq62("0,-8"), sov("X", "0,6", "3-4-5"), on=far, activated=["62A"], supply="traced", phase="soviet_movement")
    assert not is_in_command(g, u(g, "X"))
    assert is_far(g, u(g, "X"))
    assert allowance(g, u(g, "X")).total == 2
    do(g, "move X")
    assert "to 0,4" in texts(g)
    assert refusal(g, "to 0,7").rule == "9.2"
    assert refusal(g, "leave") == ("10.0", "X may not leave the map here")
    distance, hq = g.map.grid.distance, h(g, "0,-8")
    assert members(nearer_hexes(g, u(g, "X"))) == [x for x in g.map.grid.hexes if distance(x, hq) < 14]
    idle = pos(hq62("0,-8"), sov("X", "0,6"), on=far, activated=[], phase="soviet_movement")
    assert why_not_move(idle, u(idle, "X")).rule == "5.0.5"


@pytest.mark.rule("don42", "9.2.c")
def test_the_other_reading_wants_every_hex_closer():
    g = pos(hq62("0,-8"), sov("X", "0,6"), on=homeland(10), activated=["62A"], phase="soviet_movement",
            options={"closer": "every_hex"})  # fmt: skip
    found = ask(g, "moves", unit="X")["reach"]
    assert found
    distance = g.map.grid.distance
    for end in found.values():
        steps = [h(g, "0,6"), *(h(g, x) for x in end["path"])]
        hq = h(g, "0,-8")
        assert all(distance(b, hq) < distance(a, hq) for a, b in itertools.pairwise(steps))


@pytest.mark.rule("don42", "9.2.e")
def test_unsupplied_units_beyond_twelve_mps_never_move():
    g = pos(hq62("0,-8"), sov("X", "0,6", supply="out of supply"), on=homeland(10), phase="soviet_movement")
    assert why_not_move(g, u(g, "X")).rule == "9.2"


@pytest.mark.rule("don42", "9.2.c")
def test_a_distance_runs_along_open_hexes_or_over_terrain_alone():
    wall = [ger(f"A{q}", f"{q},2") for q in (-5, -3, -1, 1, 3)]
    g = pos(hq62("0,0"), sov("X", "0,5"), *wall, on=homeland())
    assert not is_in_command(g, u(g, "X"))
    other = pos(hq62("0,0"), sov("X", "0,5"), *wall, on=homeland(), options={"radius": "terrain_only"})
    assert is_in_command(other, u(other, "X"))


@pytest.mark.rule("don42", "9.4", "19.5", "RX-19.5")
def test_the_optional_limit_makes_62_army_roll_with_minus_two():
    g = front(SIXTY_TWO, options={"limit_62": "on"})
    assert activation_roll(g, "62A")["modifier"] == -2
    choose(g, 2, 3)
    do(g, "activate 62A")
    assert not active(g, "62A"), "5 - 2 is less than 4"
    assert activation_roll(front(SIXTY_TWO), "62A")["modifier"] == 0


@pytest.mark.rule("don42", "9.5.a", "9.5.b")
def test_hq_kovachenko_activates_with_1_guards_army():
    kvch = sov("HQKvch", "1,-3", "0-1-8", type="hq", size="corps", corps="Kvch", army="1GdA")
    g = choose(front(GUARDS, kvch, sov("X", "1,-2", army="1GdA", division="84Div")), 6, 6)
    assert g.command_name(u(g, "HQKvch")) == "1GdA"
    do(g, "activate 1GdA")
    assert g.status[u(g, "HQKvch")] & ACTIVE
    assert g.status[u(g, "X")] & ACTIVE


@pytest.mark.rule("don42", "15.0.c")
def test_hq_kovachenko_that_enters_activates_his_units_and_no_others():
    kvch = sov("HQKvch", "1,-3", "0-1-8", type="hq", size="corps", corps="Kvch", army="1GdA")
    his, waiting = (sov(n, a, army="1GdA", division="84Div") for n, a in (("X", "1,-2"), ("W", "")))
    g = front(kvch, his, sov("Y", "2,-2"), waiting)
    entering_hq(g, u(g, "HQKvch"))
    active = {n for n in ("HQKvch", "X", "Y", "W") if g.status[u(g, n)] & ACTIVE}
    assert active == {"HQKvch", "X"}


@pytest.mark.rule("don42", "9.5.b")
def test_hq_kovachenko_stands_in_where_the_scenario_has_no_army_hq():
    kvch = sov("HQKvch", "1,-3", "0-1-8", type="hq", size="corps", corps="Kvch", army="1GdA")
    gun = sov("Gun", "1,-2", army="1GdA", type="artillery")
    g = front(kvch, gun, scenario="kotluban")
    assert army_hq(g, "1GdA") == u(g, "HQKvch")
    assert why_not_try(g, "1GdA") is None
    assert parent_hqs(g, u(g, "Gun")) == [u(g, "HQKvch")]
    elsewhere = front(kvch, gun)
    assert why_not_try(elsewhere, "1GdA").rule == "9.2"
    assert parent_hqs(elsewhere, u(elsewhere, "Gun")) == [], "not on his list"


@pytest.mark.rule("don42", "9.6.a", "9.6.b")
@pytest.mark.parametrize(("die", "name"), [(1, "66A"), (2, "66A"), (3, "1GdA"), (4, "24A"), (5, "24A"), (6, "4TkA")])
def test_from_sep_2_a_die_names_the_army_that_tries(die, name):
    g = choose(front(*FIVE, turn="Sep 2 AM"), die)
    assert texts(g) == [f"activate {name}"]
    before = choose(front(*FIVE, turn="Sep 1 PM"))
    assert before.dice.count == 0


@pytest.mark.rule("don42", "9.6.c", "9.6.d")
def test_an_ineligible_or_failed_army_is_rolled_again_for_another():
    shaken = army("66A", "0,2", status=["DRG"])
    g = front(FOUR, GUARDS, TWENTY_FOUR, shaken, turn="Sep 2 AM")
    choose(g, 1, 1, 1, 2)
    assert texts(g) == ["activate 1GdA"], "the first face left is 3"
    do(g, "activate 1GdA")
    assert g.commands[g.command_index("1GdA")] & C_TRIED
    assert texts(g) in (["activate 24A"], ["activate 4TkA"])


@pytest.mark.rule("don42", "9.6.e")
def test_after_a_success_any_army_may_try_or_three_tank_corps_act():
    tanks = [corps(c, f"{i},-2") for i, c in enumerate(("2TkC", "4TkC", "7TkC", "16TkC"), start=1)]
    g = choose(front(*FIVE, *tanks, turn="Sep 2 AM"), 3, 6, 6, 6, 6)
    do(g, "activate 1GdA")
    assert {"activate 62A", "activate 24A", "activate 66A", "activate 4TkA", "activate 2TkC"} <= set(texts(g))
    do(g, "activate 2TkC")
    assert active(g, "2TkC")
    assert "pass" in texts(g)
    do(g, "activate 4TkC", "activate 7TkC")
    assert refusal(g, "activate 16TkC") == ("9.1", "no more than 3 Tank Corps are activated")


# --- 9.7 Operational Reserve ---------------------------------------------------------------------------------------

RESERVE = ["2TkC", "62A"]


@pytest.mark.rule("don42", "9.7.a")
def test_until_aug_24_units_beyond_fourteen_mps_of_the_don_are_in_reserve():
    g = fresh("crossing-the-don")
    assert is_in_reserve(g, u(g, "147Div"))
    assert is_in_reserve(g, u(g, "HQ28TkC"))
    assert not is_in_reserve(g, u(g, "98Div-1"))
    assert not is_in_reserve(g, u(g, "184Div"))


@pytest.mark.rule("don42", "9.7.b")
def test_reserve_units_never_move_even_if_their_hq_is_activated():
    g = fresh("crossing-the-don")
    for name in ("147Div", "184Div"):
        g.set_status(u(g, name), ACTIVE)
    assert why_not_move(g, u(g, "147Div")).rule == "9.7"
    assert why_not_move(g, u(g, "184Div")) is None


@pytest.mark.rule("don42", "9.7.c")
def test_reserve_ends_with_aug_25():
    g = fresh("crossing-the-don")
    g.set_track("turn", turn_number("Aug 24 PM"))
    assert is_in_reserve(g, u(g, "147Div"))
    g.set_track("turn", turn_number("Aug 25 AM"))
    assert not is_in_reserve(g, u(g, "147Div"))


@pytest.mark.rule("don42", "9.7.d")
def test_a_unit_attacked_directly_is_released():
    g = fresh("crossing-the-don")
    note_attack(g, [u(g, "39Tk")])
    assert not is_in_reserve(g, u(g, "39Tk"))
    assert is_in_reserve(g, u(g, "26Tk"))


@pytest.mark.rule("don42", "9.7.e", "9.7.f")
def test_an_attack_on_the_hq_or_any_unit_frees_all_units_of_that_command():
    g = fresh("crossing-the-don")
    note_attack(g, [u(g, "98Div-1")])
    assert not is_in_reserve(g, u(g, "147Div")), "of 62 Army too"
    assert is_in_reserve(g, u(g, "338Art")), "of 4 Tank Army"
    note_attack(g, [u(g, "HQ28TkC")])
    assert not is_in_reserve(g, u(g, "55Tk"))
    assert at(g, "55Tk")


@pytest.mark.rule("don42", "9.0.c", "9.1.a", "9.1.e", "9.6.a", "9.8")
def test_a_refused_activation_names_its_rule():
    g = choose(front(*FIVE), 1, 1, 1, 1)
    assert refusal(g, "activate 9A") == ("9.0", "there is no Army 9A")
    assert refusal(g, "activate 24A") == ("9.1", "4 Tank Army and 62 Army must be tried before any other")
    assert refusal(g, "activate 2TkC") == ("9.8", "2TkC cannot be activated now")
    do(g, "activate 4TkA")
    assert refusal(g, "activate 4TkA") == ("9.0", "4TkA has tried this turn; the second attempt is another Army's")
    assert refusal(g, "pass") == ("9.0", "after a failed attempt another Army must be tried")
    drawn = choose(front(*FIVE, turn="Sep 2 AM"), 3, 1, 1)
    assert refusal(drawn, "activate 24A") == ("9.6", "the priority die named 1GdA")
    assert refusal(drawn, "activate 64A").rule == "9.0"
    scenario = choose(front(*FIVE, turn="Sep 2 AM", scenario="kotluban"), 1)
    assert refusal(scenario, "activate 62A") == ("17.2.2", "62A may not try to activate this turn")
