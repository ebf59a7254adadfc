"""12.0 Retreats."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import asked
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import DEFENDED, DISRUPTED, FULL_RETREAT, RETREATED, TRAIN
from kessel.games.stalingrad42.combat.after.retreat import is_facing_elimination
from kessel.games.stalingrad42.combat.after.retreat_paths import (
    Flight,
    ends_of,
    explain_death,
    has_los,
    unretreated,
    why_not_end,
)
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.supply.supply import supply

from .fights import TABLES, TWO, attack, combat, crt_roll, ends, fight, odds_of, run_away, start, strength
from .helpers import area, at, board, choices, do, example, h, has, names, refused, rule, u


def flight(g: Board, name: str, *lengths: int, **more: Any) -> Flight:
    unit = u(g, name)
    return Flight(g.forces.side[unit], g.place[unit], lengths or (2,), (unit,), **more)


def all_ends(g: Board, name: str, *lengths: int, purse: int | None = None) -> dict[str, str]:
    """Where a unit may retreat to, and how each end satisfies the guidelines."""
    unit = u(g, name)
    purse = g.steps[unit] - 1 if purse is None else purse
    return {g.place_name(e.place): e.kind for e in ends_of(g, unit, flight(g, name, *lengths), purse)}


def dies(g: Board, name: str, *lengths: int) -> bool:
    return is_facing_elimination(g, u(g, name), flight(g, name, *lengths))


def way(g: Board, name: str, *places: str, lengths: tuple[int, ...] = (2,)) -> str:
    """The rule against a way, "" if it may be taken."""
    why = why_not_end(g, u(g, name), flight(g, name, *lengths), g.steps[u(g, name)] - 1, tuple(h(g, p) for p in places))
    return "" if why is None else f"{why.rule} {why.reason}"


def corridor(*open_hexes: str, radius: int = 5) -> dict[str, Any]:
    """A board of sea with some land."""
    from .helpers import disc

    return {"terrain": {n: "sea" for n in disc(radius) if n not in open_hexes}, "radius": radius}


# --- 12.1.1, 12.1.2 --------------------------------------------------------------------------------------------------


@rule("12.1.1")
@pytest.mark.parametrize(
    ("code", "colour", "hexes"),
    [
        *[("DS", "noDD", 4), ("DR4", "noDD", 4), ("D1", "plain", 3)],
        *[("A1/DR2", "plain", 2), ("DR2", "plain", 2), ("A1/D1", "plain", 2), ("DRX", "plain", 2)],
    ],
)
def test_retreat_lengths(code: str, colour: str, hexes: int):
    g = fight(code, colour=colour, defender="soviet 3-5-3;2-3-3 0,0", attacker="axis {}-8-6;5-4-6 1,0", radius=6)
    if "pass" in choices(g):
        do(g, "pass")
    centre = h(g, "0,0")
    assert {g.map.grid.distance(centre, h(g, p)) for p in ends(g, "X")} == {hexes}


@rule("12.1.2a")
def test_a_stack_may_split_up():
    g = fight("DR2", defender="soviet 3-2-3 0,0", more={"Y": "soviet 3-3-3 0,0"})
    do(g, "pass")
    run_away(g, "X", "-2,0")
    run_away(g, "Y", "0,-2")
    assert (at(g, "X"), at(g, "Y")) == ("-2,0", "0,-2")
    g = fight("DR2", defender="soviet 3-2-3 0,0", more={"Y": "soviet 3-3-3 0,0"})
    do(g, "pass")
    run_away(g, "X Y", "-2,0")
    assert at(g, "X") == at(g, "Y") == "-2,0", "or go together"


@rule("12.1.2b")
def test_units_retreat_through_friends_without_disturbing_them():
    g = fight("DR2", defender=TWO, more={"F": "soviet 3-5-3 -1,0"})
    do(g, "pass", "retreat X by -1,0--2,0")
    assert not has(g, "F", DISRUPTED)
    assert not has(g, "F", RETREATED)
    assert at(g, "F") == "-1,0"


# --- 12.1.3 guidelines -----------------------------------------------------------------------------------------------


@rule("12.1.3a")
def test_a_hex_that_does_not_kill_comes_first():
    units = {"X": TWO, "A": "axis 5-5-3 2,0", "B": "axis 5-5-3 0,2", "C": "axis 5-5-3 2,-2"}
    g = board(units, radius=5)
    for place in all_ends(g, "X"):
        assert place not in ("2,-1", "1,1", "-1,2"), "EZOCs that would be the last hex"
    assert all_ends(g, "X")


def fork(*more: str, **rest: Any) -> dict[str, Any]:
    """Two ways out of 0,0: west to a supplied hex, and south past A into a dead end without supply."""
    land = corridor("0,0", "1,0", "-1,0", "-2,0", "0,1", "0,2", *more)
    return land | {"boxes": [area("S", "soviet", "-2,0")], "weather": "rain", "turn": 22} | rest


@rule("12.1.3b")
def test_a_hex_with_a_line_of_supply_is_preferred():
    units = {"X": TWO, "A": "axis 5-5-3 1,0"}
    g = board(units, **fork())
    assert all_ends(g, "X") == {"-2,0": "full"}
    assert way(g, "X", "0,1", "0,2").startswith("12.1.3 a hex with a Line of Supply")
    g = board(units, **fork(boxes=[]))
    assert all_ends(g, "X") == {"-2,0": "full", "0,2": "full"}, "without any supply both will do"


@rule("12.1.3b")
def test_the_line_of_supply_is_traced_with_the_retreating_units_gone():
    units = {"X": TWO, "A": "axis 5-5-3 1,0", "C": "axis 5-5-3 -1,1"}
    more = fork("-1,1", "0,-1", "0,-2", hexsides={"-1,0|0,-1": "lake"}, weather="clear", turn=10)
    g = board(units, **more)
    assert supply(g, SOVIET).starts >> h(g, "0,-2") & 1, "X negates the EZOC in 0,0"
    assert not has_los(g, flight(g, "X"), h(g, "0,-2")), "without X there are two EZOCs in a row, 0,0 and -1,0"
    assert "0,-2" not in all_ends(g, "X")


@rule("12.1.3b")
@rule("12.1.3c")
def test_a_bent_way_to_supply_comes_before_a_straight_one_without():
    units = {"X": TWO, "A": "axis 5-5-3 1,0"}
    wet = {"hexsides": {"-2,0|-1,0": "major_river"}}
    g = board(units, **fork("-1,1", **wet))
    assert "-1,0" in all_ends(g, "X")
    assert set(all_ends(g, "X").values()) == {"bent"}
    g = board(units, **fork("-1,1", **wet), options={"retreat_bends": "no"})
    assert all_ends(g, "X") == {"0,2": "full"}


@rule("12.1.3d")
@rule("12.1.3f")
def test_a_stop_with_supply_shuts_out_ends_without():
    units = {"X": TWO, "A": "axis 5-5-3 1,0"}
    more = fork(hexsides={"-2,0|-1,0": "major_river"}, forts={"-1,0": "soviet"})
    assert all_ends(board(units, **more), "X") == {"-1,0": "city or fort"}
    loose = board(units, **more, options={"optional_forces": "no"})
    assert all_ends(loose, "X") == {"-1,0": "city or fort", "0,2": "full"}


@rule("12.1.3c")
def test_the_end_lies_the_whole_distance_away():
    g = board({"X": TWO}, radius=5)
    for n in (2, 3, 4):
        centre = h(g, "0,0")
        assert {g.map.grid.distance(centre, h(g, p)) for p in all_ends(g, "X", n)} == {n}
    assert way(g, "X", "-1,0", "-1,1").startswith("12.1.3")
    assert way(g, "X", "-1,0", "-2,0") == ""


@rule("12.1.3c")
def test_a_unit_bends_its_way_only_to_survive_or_for_supply():
    land = ("0,0", "-1,0", "-1,1", "1,0")
    units = {"X": TWO, "A": "axis 5-5-3 1,0"}
    g = board(units, **corridor(*land))
    assert all_ends(g, "X") == {"-1,1": "bent", "-1,0": "bent"}, "two hexes moved, one hex away (reading A03)"
    g = board(units, **corridor(*land), options={"retreat_bends": "no"})
    assert all_ends(g, "X") == {}
    assert dies(g, "X")
    g = board(units, **corridor(*land))
    assert all_ends(g, "X", 4) == {}, "no hex is entered twice, nor the battle hex"
    g = board(units, **corridor(*land), options={"retreat_revisit": "yes"})
    assert all_ends(g, "X", 4)


# --- paying ----------------------------------------------------------------------------------------------------------


@rule("12.1.3d")
def test_a_step_for_each_hex_shortened_ending_with_friends():
    units = {"X": "soviet 3-5-3;2-3-3;1-1-3 0,0", "F": "soviet 3-5-3 -1,0", "G": "soviet 3-5-3 0,-2"}
    g = board(units, radius=5)
    found = {g.place_name(e.place): (e.kind, e.pay) for e in ends_of(g, u(g, "X"), flight(g, "X", 3), 2)}
    assert found["-1,0"] == ("paid", 2)
    assert found["0,-2"] == ("paid", 1)
    assert "-2,0" not in found, "no friends there"
    found = {g.place_name(e.place): (e.kind, e.pay) for e in ends_of(g, u(g, "X"), flight(g, "X", 4), 2)}
    assert "-1,0" not in found, "three steps it cannot pay"


@rule("12.1.3d")
def test_paying_in_play():
    g = fight("DR2", defender="soviet 3-2-3;1-1-3 0,0", more={"Y": "soviet 3-3-3;1-1-3 0,0", "F": "soviet 3-5-3 -1,0"})
    do(g, "pass", "retreat X Y by -1,0")
    assert choices(g) == {"lose X", "lose Y"}, "the stack pays one step, the owner picks"
    do(g, "lose X")
    assert (g.steps[u(g, "X")], g.steps[u(g, "Y")]) == (1, 2)
    assert at(g, "X") == at(g, "Y") == "-1,0"


@rule("12.1.3d")
def test_a_weak_unit_goes_along_with_one_that_can_pay():
    more = {"Y": "soviet 3-3-3;1-1-3 0,0", "F": "soviet 3-5-3 -1,0"}
    g = fight("DR2", defender="soviet 3-2-3 0,0", more=more)
    do(g, "pass")
    assert "-1,0" not in ends(g, "X"), "alone it would pay with its last step"
    run_away(g, "Y", "-1,0")
    assert "-1,0" in ends(g, "X")
    run_away(g, "X", "-1,0")
    do(g, "lose Y")
    assert (g.steps[u(g, "X")], g.steps[u(g, "Y")]) == (1, 1)


@rule("12.1.3d")
def test_friends_that_retreated_do_not_receive_a_paid_retreat():
    g = board({"X": TWO, "F": "soviet 3-5-3 -1,0 retreated"}, radius=5)
    assert "-1,0" not in all_ends(g, "X")
    g = board({"X": TWO, "F": "soviet 3-5-3 -1,0"}, radius=5)
    assert all_ends(g, "X")["-1,0"] == "paid"


@rule("12.1.3e")
@rule("12.1.3f")
def test_at_least_one_hex_is_retreated():
    units = {"X": TWO, "A": "axis 5-5-3 1,0", "F": "soviet 3-5-3 0,0"}
    g = board(units, terrain={"0,0": "major_city"}, control={"0,0": "soviet"}, radius=5)
    assert "0,0" not in all_ends(g, "X"), "neither paying nor the City lets it stay"


# --- City and Fort ---------------------------------------------------------------------------------------------------


@rule("12.1.3f")
def test_a_city_or_fort_stops_a_retreat():
    g = board({"X": TWO}, terrain={"-1,0": "minor_city"}, control={"-1,0": "soviet"}, radius=5)
    assert all_ends(g, "X", 3)["-1,0"] == "city or fort"
    assert len(all_ends(g, "X", 3)) > 1, "it can stop, it need not"
    for more in ({"forts": {"-1,0": "soviet"}}, {"features": {"-1,0": ["fort"]}}):
        assert all_ends(board({"X": TWO}, radius=5, **more), "X", 3)["-1,0"] == "city or fort"
    for more in (
        {"terrain": {"-1,0": "minor_city"}, "control": {"-1,0": "axis"}},
        {"forts": {"-1,0": "axis"}},
        {"forts": {"-1,0": "soviet begun"}},
        {"features": {"-1,0": ["town"]}},
    ):
        assert "-1,0" not in all_ends(board({"X": TWO}, radius=5, **more), "X", 3)
    g = board({"X": TWO}, radius=5, forts={"-1,0": "soviet begun"}, options={"own_fort": "any"})
    assert "-1,0" in all_ends(g, "X", 3)
    axis = TWO.replace("soviet", "axis")
    assert "-1,0" not in all_ends(board({"X": axis}, radius=5, features={"-1,0": ["fort"]}), "X", 3)


@rule("12.1.3f")
def test_the_city_must_be_free_of_ezocs():
    city = {"terrain": {"-1,0": "minor_city"}, "control": {"-1,0": "soviet"}, "radius": 5}
    enemy = {"X": TWO, "A": "axis 5-5-3 -1,-1"}
    assert "-1,0" not in all_ends(board(enemy, **city), "X", 3)
    assert all_ends(board(enemy | {"F": "soviet 3-5-3 -1,0"}, **city), "X", 3)["-1,0"] == "city or fort", (
        "friends negate"
    )
    assert "-1,0" not in all_ends(board(enemy | {"F": "soviet 3-5-3 -1,0 retreated"}, **city), "X", 3)


@rule("12.1.3g")
def test_a_shortened_retreat_changes_neither_state_nor_advance():
    g = fight(
        "D1",
        defender="soviet 3-5-3;2-3-3;1-1-3 0,0",
        attacker="axis {}-8-6 1,0 mech",
        forts={"-1,0": "soviet"},
    )
    do(g, "pass")
    run_away(g, "X", "-1,0")
    assert has(g, "X", DISRUPTED)
    do(g, "pass", "advance A")
    column, die = crt_roll("D1")
    assert max(c.count(",") for c in choices(g) if c.startswith("go")) == TABLES.columns[column][die - 1].advance


@rule("12.1.3h")
def test_ezocs_need_not_be_avoided():
    g = board({"X": TWO, "A": "axis 5-5-3 0,-2"}, radius=5)
    assert "-1,-1" not in all_ends(g, "X"), "the last hex may be none"
    assert "-2,0" in all_ends(g, "X")
    assert way(g, "X", "0,-1", "-1,0").startswith("12.1.3"), "entering one EZOC does not kill"
    g = board({"X": TWO, "A": "axis 5-5-3 1,-2"}, radius=5)
    assert way(g, "X", "0,-1", "-1,-1") == "", "through an EZOC to safety"


@rule("12.1.3i")
@rule("12.1.4")
def test_a_retreat_may_end_overstacked_until_the_owners_next_movement_phase():
    more = {"F": "soviet 3-5-3 -2,0", "G": "soviet 3-5-3 -2,0", "Z": "soviet 2-2-3 4,0"}
    g = fight("DR2", defender=TWO, more=more)
    do(g, "pass", "retreat X by -1,0--2,0", "pass", "pass")
    assert at(g, "X") == at(g, "F") == at(g, "G") == "-2,0"
    g = start({"X": TWO, "F": "soviet 3-5-3 0,0", "G": "soviet 3-5-3 0,0"}, side="soviet")
    do(g, "pass")
    assert choices(g) == {"eliminate X", "eliminate F", "eliminate G"}, "at the end of his Movement Phase"


@rule("12.1.5")
def test_attackers_never_retreat():
    for at_, cells in TABLES.columns.items():
        for die in range(1, len(cells) + 1):
            units = {"A": f"axis {strength(at_)}-8-6;5-4-6 1,0", "X": "soviet 3-5-3;2-3-3;1-1-3 0,0"}
            g = start(units, dice=(die,), phase="combat", turn=10, radius=5)
            attack(g, "0,0", "A")
            while asked(g) == SOVIET:
                do(g, "pass" if "pass" in choices(g) else sorted(choices(g))[0])
            assert not any(c.startswith("retreat") for c in choices(g))
            assert at(g, "A") == "1,0"


# --- 12.2 elimination ------------------------------------------------------------------------------------------------


@rule("12.2a")
def test_into_an_enemy_occupied_hex():
    g = board({"X": TWO, "A": "axis 5-5-3 -1,0"}, **corridor("0,0", "-1,0", "-2,0"))
    assert dies(g, "X")
    assert way(g, "X", "-1,0", "-2,0").startswith("12.2 an enemy unit")
    g = board({"X": TWO, "A": "axis 0-0-6 -1,0 leader"}, **corridor("0,0", "-1,0", "-2,0"))
    assert all_ends(g, "X") == {"-2,0": "full"}, "a lone Non-Combat Unit does not kill (reading A42)"


@rule("12.2a")
def test_a_lone_non_combat_unit_is_removed_on_the_way():
    g = fight("DR2", defender=TWO, more={"L": "axis 0-0-6 -1,0 leader"})
    do(g, "pass", "retreat X by -1,0--2,0")
    assert at(g, "L") == "nowhere"


@rule("12.2b")
def test_across_or_into_an_enemy_bond():
    units = {"X": TWO, "A": "axis 5-5-3 -1,-1", "B": "axis 5-5-3 -1,1"}
    g = board(units, **corridor("0,0", "-1,0", "-2,0", "-1,-1", "-1,1", "-3,0"))
    assert dies(g, "X")
    assert "Hex Bond" in way(g, "X", "-1,0", "-2,0")
    units = {"X": TWO, "A": "axis 5-5-3 -1,1", "B": "axis 5-5-3 0,-1"}
    g = board(units, **corridor("0,0", "-1,0", "-2,0", "0,-1", "-1,1", "-3,0"))
    assert "Hexside Bond" in way(g, "X", "-1,0", "-2,0")
    assert dies(g, "X")
    g = board(units | {"F": "soviet 3-5-3 -1,0"}, **corridor("0,0", "-1,0", "-2,0", "0,-1", "-1,1", "-3,0"))
    assert "Hexside Bond" not in way(g, "X", "-1,0", "-2,0"), "a friend beyond negates it"


@rule("12.2c")
@example("E40")
def test_two_consecutive_vacant_hexes_in_an_ezoc():
    land = ("0,0", "-1,0", "-2,0", "-3,0", "-1,-1")
    units = {"X": TWO, "A": "axis 5-5-3 -1,-1"}
    g = board(units, **corridor(*land))
    assert dies(g, "X", 3)
    assert "second vacant hex in an EZOC" in way(g, "X", "-1,0", "-2,0", lengths=(2,))
    g = board(units | {"C": "soviet 3-5-3 -1,0"}, **corridor(*land))
    assert all_ends(g, "X", 2) == {"-3,0": "extra hex", "-1,0": "paid"}, "through C, then one hex more"


@rule("12.2d")
def test_the_last_hex_in_an_ezoc():
    g = board({"X": TWO, "A": "axis 5-5-3 -3,0"}, **corridor("0,0", "-1,0", "-2,0", "-3,0"))
    assert dies(g, "X")
    assert "last hex of the retreat" in way(g, "X", "-1,0", "-2,0")


@rule("12.2e")
@example("E40")
def test_one_extra_hex_may_save():
    land = ("0,0", "-1,0", "-2,0", "-2,-1", "-3,1", "-3,0")
    units = {"X": TWO, "A": "axis 5-5-3 -3,1"}
    g = board(units, **corridor(*land))
    assert all_ends(g, "X") == {"-2,-1": "extra hex"}
    g = board(units | {"B": "axis 5-5-3 -2,-2"}, **corridor(*land, "-2,-2"))
    assert dies(g, "X"), "the extra hex is no refuge either"
    g = board(units, **corridor("0,0", "-1,0", "-2,0", "-3,1", "-1,-1", "-2,1"))
    assert "-1,-1" in all_ends(g, "X"), "two hexes away"


@rule("12.2e")
def test_the_extra_hex_ends_no_nearer_than_the_distance():
    land = ("0,0", "-1,0", "-2,0", "-3,0", "-1,-1", "-1,1")
    units = {"X": TWO, "A": "axis 5-5-3 -3,0"}
    g = board(units, **corridor(*land))
    assert "extra hex" not in all_ends(g, "X").values()
    land = ("0,0", "-1,0", "-2,0", "-3,0", "-2,1", "-1,1")
    g = board(units | {"A": "axis 5-5-3 -3,0"}, **corridor(*land), options={"retreat_bends": "no"})
    assert all_ends(g, "X") == {"-2,1": "full"} or "extra hex" not in all_ends(g, "X").values()
    g = board(units, **corridor("0,0", "-1,0", "-2,0", "-3,0"), options={"extra_near": "yes"})
    assert dies(g, "X"), "nor is the way back an extra hex"


@rule("12.2e")
def test_the_extra_hex_is_judged_path_by_path():
    units = {"X": TWO, "A": "axis 5-5-3 -3,1"}
    g = board(units, radius=5)
    kinds = set(all_ends(g, "X").values())
    assert kinds == {"full", "extra hex"}
    g = board(units, radius=5, options={"extra_hex": "last_resort"})
    assert set(all_ends(g, "X").values()) == {"full"}


RIVER = {"-1,0|0,0": "major_river"}


@rule("12.2f")
@rule("12.2g")
def test_major_rivers():
    land = corridor("0,0", "-1,0", "-2,0")
    assert dies(board({"X": TWO}, hexsides=RIVER, **land), "X"), "even though it starts next to it"
    assert "unbridged Major River" in way(board({"X": TWO}, hexsides=RIVER, **land), "X", "-1,0", "-2,0")
    for more in (
        {"hexsides": RIVER, "links": [("secondary", "0,0 -1,0")]},
        {"hexsides": RIVER, "links": [("rail", "0,0 -1,0")]},
        {"hexsides": {"-1,0|0,0": ["major_river", "ferry"]}},
        {"hexsides": RIVER, "turn": 28},
        {"hexsides": {"-1,0|0,0": "minor_river"}},
    ):
        assert all_ends(board({"X": TWO}, **land, **more), "X") == {"-2,0": "full"}, more
    g = board({"X": TWO, "F": "soviet 3-5-3 -1,0"}, hexsides=RIVER, **land)
    assert all_ends(g, "X")["-2,0"] == "full", "a Pontoon Bridge: the retreating unit and F on both banks"


@rule("12.2h")
def test_the_volga():
    for more in (
        {"hexsides": {"-1,0|0,0": ["volga", "ferry"]}},
        {"hexsides": {"-1,0|0,0": "volga"}, "flotilla": "-1,0|0,0"},
    ):
        g = board({"X": TWO, "F": "soviet 3-5-3 -1,0"}, **corridor("0,0", "-1,0", "-2,0"), **more)
        assert dies(g, "X")
        assert "Volga" in way(g, "X", "-1,0", "-2,0")


@rule("12.2i")
@rule("12.2j")
@rule("22.5")
def test_off_the_map():
    land = corridor("0,0", "-1,0")
    assert dies(board({"X": TWO}, **land), "X", 4)
    g = board({"X": TWO}, boxes=[area("S", "soviet", "-1,0")], **land)
    assert all_ends(g, "X", 4) == {"S": "entry area"}, "a friendly Entry Area fulfils the whole distance"
    g = board({"X": TWO}, boxes=[area("W", "axis", "-1,0")], **land)
    assert dies(g, "X", 4)


@rule("12.2j")
@rule("22.5")
def test_a_unit_that_retreats_into_an_entry_area_is_marked():
    more = corridor("0,0", "-1,0", "1,0")
    g = fight("DR4", colour="noDD", defender=TWO, boxes=[area("S", "soviet", "-1,0")], **more)
    run_away(g, "X")
    assert at(g, "X") == "S"
    assert has(g, "X", FULL_RETREAT)


@rule("12.2k")
def test_where_it_may_not_move():
    land = corridor("0,0", "-1,0", "-2,0")
    tank = "soviet 3-5-3;2-3-3 0,0 tank"
    mountain = {"terrain": land["terrain"] | {"-1,0": "mountain"}, "radius": 5}
    assert dies(board({"X": tank}, **mountain), "X")
    assert all_ends(board({"X": TWO}, **mountain), "X") == {"-2,0": "full"}
    assert all_ends(board({"X": tank}, links=[("primary", "0,0 -1,0 -2,0")], **mountain), "X") == {"-2,0": "full"}
    assert dies(board({"X": TWO}, hexsides={"-1,0|0,0": "lake"}, **land), "X")
    assert dies(board({"X": TWO}, hexsides={"-1,0|0,0": "alpine"}, **land), "X")


@rule("12.2l")
@example("E39")
def test_friends_cancel_ezocs_in_their_hex():
    land = ("0,0", "-1,0", "-2,0", "-3,0")
    units = {"X": TWO, "A": "axis 5-5-3 -3,0", "C": "soviet 3-5-3 -2,0"}
    g = board(units, **corridor(*land))
    assert all_ends(g, "X") == {"-2,0": "full"}
    g = board(units | {"C": "soviet 3-5-3 -2,0 retreated"}, **corridor(*land))
    assert dies(g, "X"), "friends that retreated in this phase cancel nothing"
    g = board(
        units | {"C": "soviet 3-5-3 -2,0 retreated"}, **corridor(*land), options={"retreated_friends": "occupied"}
    )
    assert not dies(g, "X")
    g = board(units | {"C": "soviet 3-5-3 -2,0 full_retreat"}, **corridor(*land))
    assert not dies(g, "X")
    g = board(units | {"C": "soviet 3-5-3 -2,0 full_retreat"}, **corridor(*land), options={"fr_negates": "no"})
    assert dies(g, "X")


@rule("12.2l")
@rule("12.1.2b")
@example("E39")
def test_two_friends_give_a_unit_four_hexes_to_choose_from():
    land = ("0,0", "-1,0", "-2,0", "-2,1", "-1,-1", "0,-1", "0,-2", "-3,0", "0,-3")
    enemies = {"B": TWO, "P": "axis 5-5-3 -3,0", "Q": "axis 5-5-3 0,-3"}
    friends = {"D": "soviet 3-5-3 -2,0", "E": "soviet 3-5-3 0,-2"}
    g = board(enemies | friends, **corridor(*land))
    assert set(all_ends(g, "B")) == {"-2,0", "0,-2", "-1,-1", "-2,1"}
    g = board(enemies, **corridor(*land))
    assert set(all_ends(g, "B")) == {"-1,-1", "-2,1"}, "D and E cancel the EZOCs in their hexes"


@rule("12.2a")
def test_a_unit_without_a_way_out_is_eliminated_in_play():
    g = fight("DR4", colour="noDD", defender=TWO, **corridor("0,0", "1,0", "-1,0"))
    assert at(g, "X") == "nowhere"
    assert asked(g) == AXIS
    g = board({"X": TWO, "A": "axis 5-5-3 1,0"}, **corridor("0,0", "1,0", "-1,0"))
    lines = explain_death(g, u(g, "X"), flight(g, "X", 4))
    assert {x["to"] for x in lines} == {"1,0", "-1,0", "0,1", "0,-1", "1,-1", "-1,1"}
    assert all(x["rule"] == "12.2" for x in lines)


# --- 12.3, 12.4 ------------------------------------------------------------------------------------------------------


@rule("12.3")
def test_an_eliminated_defender_yields_the_full_advance():
    g = fight("DR4", colour="noDD", attacker="axis {}-8-6 1,0 mech", **corridor("0,0", "1,0", "-1,0", "-2,0", "-3,0"))
    assert at(g, "X") == "nowhere"
    do(g, "pass", "advance A")
    assert max(c.count(",") for c in choices(g) if c.startswith("go")) == 4


def retreated_stack(code: str, colour: str = "plain", **more: Any) -> Board:
    """Y, fresh, and X, which has retreated into its hex, are attacked."""
    column, die = crt_roll(code, colour)
    units = {
        "A": f"axis {strength(column)}-8-6;5-4-6 1,0",
        "X": "soviet 3-9-3;2-3-3 0,0",
        "Y": "soviet 3-5-3;2-3-3 0,0",
    }
    g = start(units, dice=(die,), phase="combat", turn=10, radius=5, **more)
    g.set_status(u(g, "X"), int(RETREATED | DEFENDED))
    return g


@rule("12.4a")
def test_retreated_units_add_nothing_and_are_not_picked():
    g = retreated_stack("DS", "noDD")
    assert odds_of(g, "0,0", "A").defense.total == 5
    attack(g, "0,0", "A")
    assert g.steps[u(g, "Y")] == 1, "the loss fell on Y"
    g = retreated_stack("DR2")
    attack(g, "0,0", "A")
    assert "defend Y" in choices(g)
    assert refused(g, "defend X") == "12.4"


@rule("12.4b")
def test_retreated_units_forced_back_again_are_eliminated():
    g = retreated_stack("DR2")
    attack(g, "0,0", "A")
    do(g, "pass")
    assert at(g, "X") == "nowhere"
    run_away(g, "Y")
    assert has(g, "Y", DISRUPTED)


@rule("12.4b")
def test_the_whole_way_from_one_combat_to_the_next():
    column, die = crt_roll("DR2")
    units = {
        "A": f"axis {strength(column)}-8-6 3,0",
        "B": f"axis {strength(column)}-8-6 -1,0",
        "X": "soviet 3-5-3 2,0",
        "Y": "soviet 3-5-3 0,0",
    }
    g = start(units, dice=(die, die), phase="combat", turn=10, radius=5)
    attack(g, "2,0", "A")
    do(g, "pass")
    run_away(g, "X", "0,0")
    assert has(g, "X", DISRUPTED)
    do(g, "pass", "pass")
    attack(g, "0,0", "B")
    do(g, "pass")
    assert at(g, "X") == "nowhere", "it had retreated in this Combat Phase"
    run_away(g, "Y")
    assert at(g, "Y") != "nowhere"


@rule("12.4c")
@rule("15.3.2a")
def test_against_breakthrough_combat_they_defend():
    g = retreated_stack("DS", "noDD")
    assert odds_of(g, "0,0", "A", breakthrough=True).defense.total == 14
    a = combat(g, "0,0", "A", breakthrough=True)
    from kessel.games.stalingrad42.combat.results import defenders_to_lose
    from kessel.games.stalingrad42.combat.strength.strengths import retreated_into

    assert retreated_into(g, a, [u(g, "X"), u(g, "Y")]) == []
    assert set(defenders_to_lose(g, a, AXIS)) == {u(g, "X"), u(g, "Y")}


@rule("12.1.1")
@rule("5.6.5b")
def test_entrained_units_detrain_when_they_retreat():
    g = fight("DR4", colour="noDD", defender="soviet 3-4-3 0,0", more={"T": "soviet 3-5-3 0,0 train"})
    while any(c.startswith("retreat") for c in choices(g)):
        run_away(g)
    assert not has(g, "T", TRAIN)
    assert has(g, "T", FULL_RETREAT)


@rule("12.1.3a")
@rule("19.3c")
def test_non_combat_units_go_along_or_are_removed():
    more = {"L": "soviet 0-0-6 0,0 leader", "S": "soviet 0-0-5 0,0 supply back=S-0-T"}
    g = fight("DR2", defender=TWO, more=more, attacker="axis {}-8-6 1,0")
    do(g, "pass")
    run_away(g, "X", "-2,0")
    assert choices(g) == {"pass", "accompany L -2,0"}, "Supply Points never retreat"
    do(g, "accompany L -2,0", "pass", "advance A", "go 0,0")
    assert at(g, "L") == "-2,0"
    assert at(g, "S") == "nowhere", "removed as the enemy enters"
    g = fight("DS", colour="noDD", more=more)
    assert at(g, "X") == at(g, "L") == "nowhere", "no Combat Unit survived"
    assert at(g, "S") == "0,0"


@rule("5.7.3")
def test_no_retreat_by_sea():
    g = fight("DR2", defender=TWO, features={"0,0": ["port"]}, **corridor("0,0", "1,0"))
    do(g, "pass") if "pass" in choices(g) else None
    assert at(g, "X") == "nowhere"


@rule("12.4a")
def test_units_that_all_retreated_defend_with_what_they_have():
    g = board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0 retreated", "Y": "soviet 3-4-3 0,0 retreated"})
    assert odds_of(g, "0,0", "A").defense.total == 9, "the hex was not friendly occupied"


def test_three_units_retreat_one_by_one_or_all_together():
    more = {"Y": "soviet 1-1-3 0,0", "Z": "soviet 1-1-3 0,0 free"}
    g = fight("DR2", defender="soviet 3-3-3 0,0", more=more)
    do(g, "pass")
    assert refused(g, "retreat X Y by -1,0--2,0") == "12.1.2"
    assert refused(g, "retreat A by -1,0--2,0") == "12.1.2"
    run_away(g, "Z", "-2,0")
    run_away(g, "X Y", "0,-2")
    assert (at(g, "X"), at(g, "Y"), at(g, "Z")) == ("0,-2", "0,-2", "-2,0")


def test_foot_and_wheels_do_not_retreat_as_one():
    g = fight("DR2", defender="soviet 3-4-3 0,0", more={"Y": "soviet 1-1-3 0,0 tank"})
    do(g, "pass")
    assert not any(c.startswith("retreat X Y") for c in choices(g))
    assert refused(g, "retreat X Y by -1,0--2,0") == "12.1.2"


def test_two_steps_for_two_hexes():
    g = fight("D1", defender="soviet 3-5-3;2-3-3;1-2-3 0,0", more={"F": "soviet 3-5-3 -1,0"}, column="1")
    do(g, "pass")
    assert "-1,0" not in ends(g, "X"), "two steps left, one can be paid"
    more = {"F": "soviet 3-5-3 -1,0", "Y": "soviet 1-1-3;1-1-3 0,0"}
    g = fight("D1", defender="soviet 3-4-3;2-3-3;1-2-3 0,0", more=more, column="1")
    do(g, "lose Y", "pass")
    run_away(g, "X Y", "-1,0")
    assert choices(g) == {"lose X", "lose Y"}
    do(g, "lose X")
    assert choices(g) == {"lose X", "lose Y"}
    do(g, "lose X")
    assert (g.steps[u(g, "X")], g.steps[u(g, "Y")]) == (1, 1)


def test_a_non_combat_unit_may_stay():
    g = fight("DR2", defender=TWO, more={"L": "soviet 0-0-6 0,0 army_hq"})
    do(g, "pass")
    run_away(g, "X")
    do(g, "pass")
    assert at(g, "L") == "0,0"
    do(g, "pass", "advance A", "go 0,0")
    assert at(g, "L") == "nowhere"


def test_a_retreat_takes_control_on_its_way_unless_in_full_retreat():
    city = {"vp": {"-1,0": 1}, "control": {"-1,0": "axis"}}
    g = fight("DR2", defender=TWO, **city)
    do(g, "pass")
    ways = {c for c in choices(g) if c.startswith("retreat X") and c.endswith("-2,0")}
    assert ways == {"retreat X by -1,0--2,0"}
    both = {c for c in choices(g) if c.startswith("retreat X") and c.endswith("--2,1")}
    assert len(both) == 2, "through the VP hex or past it"
    do(g, "retreat X by -1,0--2,0")
    assert g.controller(h(g, "-1,0")) == SOVIET
    g = fight("DR4", colour="noDD", defender=TWO, **city)
    run_away(g, "X", "-4,0")
    assert g.controller(h(g, "-1,0")) == AXIS


def test_an_extra_hex_past_a_vp_hex():
    land = ("0,0", "1,0", "-1,0", "-2,0", "-2,-1", "-3,1", "-3,0")
    more = corridor(*land) | {"vp": {"-2,0": 1}, "control": {"-2,0": "axis"}}
    g = board({"X": TWO, "A": "axis 5-5-3 -3,1"}, **more)
    assert all_ends(g, "X") == {"-2,-1": "extra hex"}
    (end,) = ends_of(g, u(g, "X"), flight(g, "X"), 0)
    assert [g.hex_name(p) for p in end.path] == ["-1,0", "-2,0", "-2,-1"]


def test_hexes_with_friends_that_did_not_retreat():
    units = {"A": "soviet 1-1-3 0,0 retreated", "B": "soviet 1-1-3 0,0", "C": "soviet 1-1-3 1,0 retreated"}
    g = board(units | {"D": "soviet 1-1-3 2,0"})
    assert names(g, unretreated(g, SOVIET)) == {"0,0", "2,0"}


@rule("12.2e")
def test_every_extra_hex_follows_one_in_an_ezoc():
    g = board({"X": TWO, "A": "axis 5-5-3 -3,1", "B": "axis 5-5-3 2,-3"}, radius=6)
    from kessel.games.stalingrad42.movement.ways.zones import enemy_zoc

    zone = enemy_zoc(g, SOVIET)
    for n in (2, 3, 4):
        extra = [e for e in ends_of(g, u(g, "X"), flight(g, "X", n), 0) if e.kind == "extra hex"]
        assert extra
        for e in extra:
            assert len(e.path) == n + 1
            assert zone >> e.path[n - 1] & 1
            assert not zone >> e.path[n] & 1
            assert len(set(e.path)) == n + 1
        for e in ends_of(g, u(g, "X"), flight(g, "X", n), 0):
            assert not any(zone >> a & zone >> b & 1 for a, b in zip(e.path, e.path[1:], strict=False))


def test_ways_that_are_none():
    g = board({"X": TWO, "A": "axis 5-5-3 1,0"}, radius=5, boxes=[area("S", "soviet", "-5,0")])
    assert way(g, "X").startswith("12.1.1")
    assert way(g, "X", "-2,0").startswith("12.1.1"), "a jump"
    assert way(g, "X", "S").startswith("12.1.1"), "the Entry Area is far away"
