"""34.0 Maskirovka."""

from __future__ import annotations

import dataclasses

import pytest

from kessel.core.procedure import asked, run
from kessel.games.stalingrad42 import TITLE
from kessel.games.stalingrad42.answers.view import side_view
from kessel.games.stalingrad42.columns import (
    DEFENDED,
    DISRUPTED,
    ELIMINATED,
    FULL_RETREAT,
    ISOLATED,
    OOS,
    REMOVED_NEXT,
    REPLACED,
    RETURNING,
    WAITING,
)
from kessel.games.stalingrad42.combat.losses import eliminate
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.data.scenario import Arrival, Entrant
from kessel.games.stalingrad42.movement.maskirovka import (
    box_of,
    contents,
    dissolve_revealed,
    is_in_supply_via,
    join,
    share_state,
    why_not_reinforce,
    why_not_strategic,
    why_not_transfer,
    why_not_unload,
)
from kessel.games.stalingrad42.movement.ways.zones import bonds, zoc
from kessel.games.stalingrad42.turn.reinforcements import returning
from kessel.games.stalingrad42.turn.replacements import return_places

from .helpers import area, at, board, choices, do, h, has, refused, rule, start, u

EAST = area("A", "soviet", "4,0 4,-1 4,-2 4,-3 4,-4")
FAR = area("E", "soviet", "-4,4 -3,4")
ROAD = [("primary", "4,0 3,0 2,0 1,0 0,0"), ("rail", "4,0 3,0 2,0 1,0 0,0")]
ARMY = {"1R": "soviet 0-0-3 0,0 reserve_army box=3", "2R": "soviet 0-0-3 2,0 reserve_army box=5"}
FERRY = "-3,4 -3,3 -2,2 -1,1 0,0"
INSIDE = {"P": "soviet 7-5-5 - tank box=3", "Q": "soviet 3-5-2 - box=3"}


def phase(units, **more):
    more = {"links": ROAD, "boxes": [EAST], "side": "soviet"} | more
    return start(units, **more)


@rule("34.1.1")
def test_six_armies_arrive_on_turn_21_and_get_secret_markers():
    from kessel.games.stalingrad42.data.scenario import read_scenario

    from .helpers import PACK

    arrival = next(a for a in read_scenario(PACK, "campaign").arrivals if a.rule == "34.1.1")
    assert (arrival.turn, len(arrival.units)) == (21, 6)
    assert set(arrival.areas) == set("ABCDEFGHJKL")
    g = board(
        {"1R": "soviet 0-0-3 - reserve_army", "2R": "soviet 0-0-3 - reserve_army"},
        boxes=[EAST, FAR],
        side="soviet",
        phase="initial",
        turn=21,
    )
    g.scenario = dataclasses.replace(
        g.scenario, arrivals=(Arrival(21, SOVIET, ("A", "E"), (Entrant("1R"), Entrant("2R")), "34.1.1"),)
    )
    run(g)
    do(g, "arrive 1R E")
    assert choices(g) == {f"assign 1R {n}" for n in range(1, 7)}
    do(g, "assign 1R 4", "arrive 2R A")
    assert choices(g) == {f"assign 2R {n}" for n in (1, 2, 3, 5, 6)}
    do(g, "assign 2R 1")
    assert (box_of(g, u(g, "1R")), box_of(g, u(g, "2R"))) == (4, 1)


@rule("34.1.2")
def test_the_axis_sees_what_is_in_the_boxes_but_not_whose_they_are():
    g = phase(ARMY | INSIDE)
    mine = {p.id: (p.place, p.note) for p in side_view(g, SOVIET).pieces}
    theirs = {p.id: (p.place, p.note) for p in side_view(g, AXIS).pieces}
    assert mine["P"][0] == theirs["P"][0] == "holding box 3"
    assert mine["1R"] == ("0,0", "holding box 3")
    assert theirs["1R"] == ("0,0", "")
    swapped = g.copy()
    swapped.assigned[0], swapped.assigned[1] = swapped.assigned[1], swapped.assigned[0]
    assert side_view(swapped, AXIS) == side_view(g, AXIS)
    seen = {bytes(TITLE.known_to(with_count(g, n), AXIS).assigned[:2]) for n in range(30)}
    assert seen == {bytes([3, 5]), bytes([5, 3])}
    revealed = g.copy()
    revealed.set_status(u(g, "1R"), REMOVED_NEXT)
    assert {bytes(TITLE.known_to(with_count(revealed, n), AXIS).assigned[:2]) for n in range(9)} == {bytes([3, 5])}
    assert bytes(TITLE.known_to(g, SOVIET).assigned) == bytes(g.assigned)


def with_count(g, n: int):
    from kessel.core.dice import Dice

    t = g.copy()
    t.dice = Dice(n)
    return t


@rule("34.1.2")
def test_markers_are_switched_where_two_armies_start_together():
    g = phase(ARMY | INSIDE | {"2R": "soviet 0-0-3 0,0 reserve_army box=5"})
    do(g, "swap 1R 2R")
    assert (box_of(g, u(g, "1R")), box_of(g, u(g, "2R"))) == (5, 3)
    assert refused(g, "swap 1R 2R") == "34.1.2"
    g = phase(ARMY | INSIDE)
    assert refused(g, "swap 1R 2R") == "34.1.2"


@rule("34.2a")
def test_a_reserve_army_is_a_foot_non_combat_unit_that_holds_eight():
    g = phase(
        ARMY | {f"R{i}": "soviet 3-5-3 - box=3" for i in range(7)} | {"S": "soviet 3-5-3 3,0", "T": "soviet 3-5-3 4,0"}
    )
    army = u(g, "1R")
    assert not g.forces.combat[army]
    assert not g.forces.mech[army]
    assert why_not_strategic(g, u(g, "S"), army) is None
    join(g, u(g, "S"), army)
    assert len(contents(g, army)) == 8
    assert why_not_strategic(g, u(g, "T"), army).rule == "34.2"


@rule("34.2b")
@rule("19.4b")
def test_a_lost_army_returns_with_its_marker_after_two_turns_in_any_area():
    g = phase(ARMY, turn=22)
    eliminate(g, u(g, "1R"), "19.3")
    assert (g.pool[u(g, "1R")], g.returns[u(g, "1R")]) == (RETURNING, 24)
    assert box_of(g, u(g, "1R")) == 3
    g.set_track("turn", 24)
    assert returning(g, SOVIET) == [u(g, "1R")]
    assert [g.place_name(p) for p in return_places(g, u(g, "1R"))] == ["A"]


@rule("34.2c")
def test_a_reserve_army_has_a_zoc_and_bonds_only_through_units_placed_on_it():
    g = phase(ARMY | INSIDE)
    assert zoc(g, SOVIET) == 0
    do(g, "unload P", "emerge")
    assert zoc(g, SOVIET) != 0
    g = phase(ARMY | INSIDE | {"F": "soviet 3-5-3 2,0"})
    assert bonds(g, SOVIET).hexes == 0
    do(g, "unload P", "emerge")
    assert bonds(g, SOVIET).hexes


@rule("34.3.1a")
def test_it_moves_three_points_or_as_its_slowest_unit():
    g = phase(ARMY)
    do(g, "move 1R")
    assert "to 3,0 normal" in choices(g)
    g = phase(ARMY | INSIDE)
    do(g, "move 1R")
    assert "to 2,0 normal" in choices(g)
    assert "to 3,0 normal" not in choices(g), "Q has an MA of 2"
    assert "extended" in choices(g)


@rule("34.3.1b")
def test_a_unit_with_replacements_inside_limits_it_to_one_hex():
    g = phase(ARMY | {"P": "soviet 7-5-5 - tank box=3 replaced"})
    do(g, "move 1R")
    assert {c.split()[1] for c in choices(g) if c.startswith("to ")} == {"1,0", "-1,0", "0,1", "0,-1", "1,-1", "-1,1"}


@rule("34.3.1c")
@rule("34.4.1d")
def test_it_may_move_before_but_not_after_it_receives_units():
    g = phase(ARMY | {"S": "soviet 3-5-3 3,0"})
    do(g, "move 1R", "to 1,0 normal", "move S", "join S 1R")
    assert contents(g, u(g, "1R")) == [u(g, "S")]
    g = phase(ARMY | {"S": "soviet 3-5-3 3,0"})
    do(g, "move S", "join S 1R")
    assert refused(g, "move 1R") == "34.3.1"
    assert refused(g, "unload S") == "34.4.1", "joining took its whole Movement Allowance"


@rule("34.3.2")
def test_only_an_empty_army_uses_rail_movement():
    g = phase(ARMY | INSIDE)
    do(g, "move 1R")
    assert refused(g, "rail 3,0") == "34.3.2"
    do(g, "halt", "move 2R", "rail 4,0")
    assert at(g, "2R") == "4,0"


@rule("34.3.3")
def test_no_transfer_with_disrupted_or_replaced_units_inside():
    boxes = [EAST, area("B", "soviet", "-4,0")]
    for words, may in (("", True), ("disrupted", False), ("replaced", False)):
        g = phase({"1R": "soviet 0-0-3 A reserve_army box=3", "P": f"soviet 3-5-3 - box=3 {words}"}, boxes=boxes)
        do(g, "move 1R")
        assert ("transfer B" in choices(g)) is may
        if not may:
            assert refused(g, "transfer B") == "34.3.3"


@rule("34.3.1c")
@rule("34.4.1a")
@rule("34.4.1d")
def test_reinforcements_join_an_army_in_supply_through_a_to_d():
    g = board(ARMY | {"N": "soviet 3-5-3 -"}, links=ROAD, boxes=[EAST], side="soviet", phase="initial", turn=22)
    g.scenario = dataclasses.replace(g.scenario, arrivals=(Arrival(22, SOVIET, ("A",), (Entrant("N"),), "22.1"),))
    run(g)
    assert {"arrive N A", "join N 1R", "join N 2R"} <= choices(g)
    do(g, "join N 1R")
    assert contents(g, u(g, "1R")) == [u(g, "N")]
    do(g, "pass")
    assert refused(g, "move 1R") == "34.3.1", "not after it has received units (34.3.1)"
    assert refused(g, "unload N") == "34.4.1", "joining took its whole Movement Allowance"
    assert "move 2R" in choices(g)
    g = board(ARMY | {"N": "soviet 3-5-3 -"}, links=[], boxes=[EAST], side="soviet")
    assert why_not_reinforce(g, u(g, "N"), u(g, "1R")) is None, "four hexes from the edge"
    g = board(ARMY | {"N": "soviet 3-5-3 -"}, links=[], boxes=[FAR], side="soviet")
    assert why_not_reinforce(g, u(g, "N"), u(g, "1R")).rule == "34.4.1", "E is not among A to D"


@rule("34.4.1b")
@rule("34.4.2a")
def test_one_unit_a_turn_goes_from_box_to_box_or_to_an_entry_area():
    g = phase(ARMY | INSIDE)
    do(g, "unload P")
    assert {"join P 2R", "transfer A", "emerge"} <= choices(g)
    do(g, "join P 2R")
    assert contents(g, u(g, "2R")) == [u(g, "P")]
    assert why_not_transfer(g, u(g, "Q"), u(g, "2R")).rule == "34.4.2"
    g = phase(ARMY | INSIDE)
    do(g, "unload Q", "transfer A")
    assert at(g, "Q") == "A"
    assert g.inside[u(g, "Q")] == -1
    g = phase(ARMY | INSIDE | {"X": "axis 3-5-3 1,-1", "Y": "axis 3-5-3 1,1"}, boxes=[FAR], links=[("primary", FERRY)])
    assert why_not_transfer(g, u(g, "P"), u(g, "2R")).rule == "34.4.1", "the army it would join is cut off"
    west = area("K", "soviet", "-4,0 -4,1 -4,2 -4,3 -4,4")
    g = phase(ARMY | INSIDE, boxes=[west], links=[])
    assert not is_in_supply_via(g, u(g, "1R"), tuple("ABCDE"))
    assert why_not_transfer(g, u(g, "P"), u(g, "2R")).rule == "34.4.2"


@rule("34.4.1c")
def test_strategic_movement_of_two_units_a_turn_from_rail_or_entry_area():
    units = ARMY | {"S": "soviet 3-5-3 3,0", "T": "soviet 3-5-3 A", "V": "soviet 3-5-3 4,0", "W": "soviet 3-5-3 3,1"}
    g = phase(units)
    assert why_not_strategic(g, u(g, "W"), u(g, "1R")).rule == "34.4.1", "not on a Connecting Rail Hex"
    assert why_not_strategic(g, u(g, "2R"), u(g, "1R")).rule == "34.4.1", "an army joins no other"
    assert why_not_strategic(g, u(g, "S"), u(g, "1R")) is None
    stack = phase(units | {"Z": "soviet 3-5-3 3,0"})
    do(stack, "move S")
    assert "join S 1R" in choices(stack)
    do(stack, "with Z")
    assert not any(c.startswith("join") for c in choices(stack)), "unit by unit"
    do(g, "move S", "join S 1R", "move T", "join T 2R", "move V")
    assert refused(g, "join V 1R") == "34.4.1"
    assert g.rail_used == 0


@rule("34.4.1d")
def test_no_unit_enters_a_box_by_land_movement():
    g = phase(ARMY | {"S": "soviet 3-5-3 1,1"})
    do(g, "move S", "to 0,0 normal")
    assert contents(g, u(g, "1R")) == []


@rule("34.4.2b")
def test_unloading_onto_the_map_reveals_the_army_and_comes_before_it_moves():
    g = phase(ARMY | INSIDE)
    reveals = g.reveals
    do(g, "unload P", "emerge")
    assert at(g, "P") == "0,0"
    assert has(g, "1R", REMOVED_NEXT)
    assert g.reveals == reveals + 1
    do(g, "move P", "to 0,3 normal")
    assert at(g, "P") == "0,3", "and it moves normally"
    assert "not in a Holding Box" in str(why_not_unload(g, u(g, "P")))
    g = phase(ARMY | INSIDE)
    do(g, "move 1R", "to 1,0 normal")
    assert refused(g, "unload P") == "34.4.2"


@rule("34.5")
def test_replacements_go_straight_into_the_boxes():
    from kessel.games.stalingrad42.board import REPLACEMENT_KINDS

    units = ARMY | {
        "P": "soviet 3-5-3;1-3-3 - box=3 steps=1 replacements=infantry",
        "E": "soviet 3-5-3 - eliminated replacements=infantry",
    }
    g = phase(units, phase="initial")
    g.points[len(REPLACEMENT_KINDS) + REPLACEMENT_KINDS.index("infantry")] = 2
    g.changed()
    do(g, "restore P infantry")
    assert has(g, "P", REPLACED)
    do(g, "revive E infantry")
    assert {"into 1R", "into 2R"} <= choices(g)
    do(g, "into 2R")
    assert contents(g, u(g, "2R")) == [u(g, "E")]
    assert g.faults() == []


@rule("34.6.1")
def test_units_in_a_box_do_not_attack():
    g = phase(ARMY | INSIDE | {"X": "axis 1-1-3 1,0"}, phase="combat")
    assert not any(c.startswith("attack") for c in choices(g))


@rule("34.6.2a")
def test_up_to_three_units_come_out_to_defend_when_the_hex_is_entered():
    inside = {f"R{i}": "soviet 3-5-3 - box=3" for i in range(4)}
    g = phase(ARMY | inside | {"X": "axis 10-8-6 -2,0 tank"}, side="axis")
    do(g, "move X", "to 0,0 normal")
    assert at(g, "X") == "-1,0"
    assert choices(g) == {"pass", *(f"call R{i}" for i in range(4))}
    do(g, "call R0", "call R2")
    assert at(g, "R0") == at(g, "R2") == "0,0"
    assert at(g, "X") == "-1,0", "the hex is enemy occupied now"
    assert has(g, "1R", REMOVED_NEXT)
    assert "call R1" not in choices(g), "stacking limits"


@rule("34.6.2a")
@rule("34.6.2c")
def test_if_none_comes_out_the_army_and_its_units_are_lost():
    g = phase(ARMY | INSIDE | {"X": "axis 10-8-6 -2,0 tank"}, side="axis")
    do(g, "move X", "to 0,0 normal", "pass")
    assert at(g, "X") == "0,0"
    assert g.pool[u(g, "1R")] == RETURNING
    assert g.pool[u(g, "P")] == g.pool[u(g, "Q")] == ELIMINATED
    assert g.faults() == []


@rule("34.6.2b")
def test_units_inside_share_the_state_of_a_retreating_army():
    g = phase(ARMY | INSIDE)
    share_state(g, u(g, "1R"), "disrupted")
    assert has(g, "P", DISRUPTED)
    share_state(g, u(g, "1R"), "disrupted")
    assert has(g, "P", FULL_RETREAT)
    assert g.place[u(g, "P")] == -1, "no defense, no stacking value, no part in a Determined Defense"


@rule("34.6.2d")
def test_an_empty_army_is_a_plain_non_combat_unit():
    g = phase({"2R": "soviet 0-0-3 0,0 reserve_army box=5", "X": "axis 10-8-6 -2,0 tank"}, side="axis")
    do(g, "move X", "to 0,0 normal")
    assert at(g, "X") == "0,0"
    assert g.pool[u(g, "2R")] == RETURNING


@rule("34.6.3")
def test_asus_inside_are_unusable_and_not_disrupted_by_moving():
    from kessel.games.stalingrad42.combat.strength.artillery import why_not_fit

    g = phase(ARMY | {"F": "soviet S-(1)-5b - front box=3"})
    assert why_not_fit(g, u(g, "F")).rule == "34.6.3"
    do(g, "move 1R", "to 3,0 normal")
    assert not has(g, "F", DISRUPTED)


@rule("34.7")
def test_a_revealed_army_is_removed_at_the_end_of_the_soviet_turn():
    g = phase(ARMY | INSIDE)
    do(g, "unload P", "emerge")
    assert why_not_strategic(g, u(g, "P"), u(g, "1R")).rule == "34.7"
    dissolve_revealed(g)
    assert at(g, "Q") == at(g, "P") == "0,0"
    assert g.pool[u(g, "1R")] == RETURNING
    assert g.pool[u(g, "2R")] != RETURNING
    assert g.faults() == []
    assert h(g, "0,0") >= 0


@rule("34.6.2a")
def test_units_leave_the_box_when_the_hex_is_attacked():
    inside = {f"R{i}": "soviet 3-5-3 - box=3" for i in range(3)}
    units = ARMY | inside | {"F": "soviet 3-5-3;2-3-3 0,0", "X": "axis 10-8-6 -1,0 tank"}
    g = phase(units, side="axis", phase="combat", dice=(6,))
    do(g, "attack 0,0", "add X", "declare")
    assert choices(g) == {"pass", *(f"call R{i}" for i in range(3))}
    do(g, "call R1")
    assert at(g, "R1") == "0,0"
    assert has(g, "1R", REMOVED_NEXT)
    assert has(g, "R1", DEFENDED), "it has been attacked with the others"
    g = phase(units, side="axis", phase="combat", dice=(6,))
    do(g, "attack 0,0", "add X", "declare", "pass")
    assert g.inside[u(g, "R1")] == 3
    assert not has(g, "1R", REMOVED_NEXT)


@rule("34.6.2a")
@rule("34.6.2b")
def test_a_reserve_army_alone_in_its_hex_is_attacked_too():
    units = ARMY | INSIDE | {"X": "axis 10-8-6 -1,0 tank"}
    g = phase(units, side="axis", phase="combat", dice=(1,))
    assert "attack 0,0" in choices(g)
    do(g, "attack 0,0", "add X", "declare", "call Q")
    assert at(g, "Q") == "0,0"
    assert not has(g, "Q", FULL_RETREAT) or at(g, "Q") != "0,0"
    g = phase(units, side="axis", phase="combat")
    do(g, "attack 0,0", "add X", "declare", "pass")
    assert g.pool[u(g, "1R")] == RETURNING, "units inside have no defense"
    assert g.pool[u(g, "P")] == g.pool[u(g, "Q")] == ELIMINATED
    empty = phase({"2R": ARMY["2R"], "X": "axis 10-8-6 1,0 tank"}, side="axis", phase="combat")
    assert "attack 2,0" in choices(empty), "the Axis player does not know that it is empty"


@rule("34.6.2a")
def test_units_that_come_out_may_spoil_an_automatic_ds():
    units = ARMY | INSIDE | {"F": "soviet 1-1-3 0,0", "X": "axis 12-8-6 -1,0 tank"}
    g = phase(units, side="axis")
    do(g, "auto_ds 0,0", "add X", "declare", "call P")
    assert at(g, "F") == at(g, "P") == "0,0"
    assert "move X" in choices(g), "there was no Automatic DS"
    g = phase(units, side="axis")
    do(g, "auto_ds 0,0", "add X", "declare", "pass")
    assert at(g, "F") != "0,0"


@rule("34.6.2a")
def test_units_come_out_before_an_advance_enters_the_hex():
    units = {"1R": "soviet 0-0-3 1,0 reserve_army box=3", "P": "soviet 7-5-5 - tank box=3"}
    units |= {"F": "soviet 1-1-3 0,0", "X": "axis 10-8-6 -1,0 tank"}
    for verbs in (("form X", "go 1,0"), ("pass", "advance X", "go 0,0-1,0")):
        g = phase(units, side="axis", phase="combat", boxes=[])
        do(g, "attack 0,0", "add X", "declare")
        while not any(c.startswith(("form", "advance")) for c in choices(g)):
            do(g, sorted(choices(g))[0])
        do(g, *verbs)
        assert choices(g) == {"call P", "pass"}
        do(g, "call P")
        assert (at(g, "X"), at(g, "P")) == ("0,0", "1,0")


@rule("34.1.2")
def test_nothing_tells_the_axis_which_army_received_a_unit():
    g = phase(ARMY | {"S": "soviet 3-5-3 3,0", "T": "soviet 3-5-3 A"})
    do(g, "move S", "join S 1R")
    seen = {p.id: p for p in side_view(g, AXIS).pieces}
    assert seen["S"].place == "holding box 3"
    assert seen["1R"].status == seen["2R"].status == []
    for side in (AXIS, SOVIET):
        known = TITLE.known_to(g, side)
        assert known.status[u(g, "1R")] == known.status[u(g, "2R")] == 0
    assert refused(g, "move 1R") == "34.3.1"
    assert "move 1R" not in choices(g)
    assert {"assign", "join", "swap", "pretend", "into"} <= TITLE.secret


@rule("34.1.2")
def test_a_revealed_army_keeps_its_marker():
    g = phase(ARMY | INSIDE | {"2R": "soviet 0-0-3 0,0 reserve_army box=5"})
    do(g, "unload P", "emerge")
    assert refused(g, "swap 1R 2R") == "34.7"
    assert not any(c.startswith("swap") for c in choices(g))


@rule("34.4.1c")
@rule("21.4a")
@rule("22.3.1c")
@rule("13.2.1a")
@rule("16.4a")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3,0 replaced", "21.4"),
        ("A disrupted", "22.3.1"),
        ("3,0 disrupted", "13.2.1"),
        ("3,0 tank oos", "16.4"),
        ("3,0 oos", ""),
        ("3,0 full_retreat", ""),
    ],
)
def test_who_may_not_use_strategic_movement(text, why):
    g = phase(ARMY | {"S": f"soviet 3-5-3 {text}"})
    do(g, "move S")
    assert ("join S 1R" in choices(g)) is (why == "")
    if why:
        assert refused(g, "join S 1R") == why


@rule("34.4.1d")
def test_a_unit_that_has_moved_joins_no_army():
    g = phase(ARMY | {"S": "soviet 3-5-3 4,0"})
    do(g, "move S", "step 3,0 normal")
    assert refused(g, "join S 1R") == "34.4.1"


@rule("34.3.3")
def test_no_transfer_with_units_in_full_retreat_inside():
    boxes = [EAST, area("B", "soviet", "-4,0")]
    g = phase({"1R": "soviet 0-0-3 A reserve_army box=3", "P": "soviet 3-5-3 - box=3 full_retreat"}, boxes=boxes)
    do(g, "move 1R")
    assert refused(g, "transfer B") == "34.3.3"


@rule("34.6.2b")
@rule("13.4b")
def test_units_inside_recover_or_rally_as_their_army_stands():
    inside = {"P": "soviet 3-5-3 - box=3 disrupted"}
    assert not has(phase(ARMY | inside, phase="recovery"), "P", DISRUPTED)
    near = ARMY | inside | {"X": "axis 3-5-3 -1,0"}
    for die, shaken in ((1, True), (6, False)):
        g = phase(near, phase="recovery", dice=(die,))
        assert has(g, "P", DISRUPTED) is shaken


@rule("34.6.2a")
def test_a_unit_barred_before_its_first_hex_has_paid_nothing():
    units = ARMY | INSIDE | {"X": "axis 10-8-6 -1,0 tank", "Y": "axis 6-7-3 -1,0"}
    g = phase(units, side="axis")
    do(g, "move X", "to 0,0 normal", "call P", "pass")
    assert at(g, "X") == "-1,0"
    do(g, "with Y", "to -2,0 normal")
    assert at(g, "X") == at(g, "Y") == "-2,0", "one point and two to leave the EZOC, and not the way it did not go"


@rule("16.1a")
@rule("34.2a")
@pytest.mark.parametrize(("army", "unit"), [("oos", ""), ("", "oos"), ("oos isolated", ""), ("", "")])
def test_units_come_out_of_a_box_in_supply_as_their_army_is(army, unit):
    units = {"1R": f"soviet 0-0-3 0,0 reserve_army box=3 {army}", "P": f"soviet 7-5-5 - tank box=3 {unit}"}
    g = phase(units)
    do(g, "unload P", "emerge")
    assert has(g, "P", OOS) is bool(army)
    assert has(g, "P", ISOLATED) is ("isolated" in army)


@rule("34.4.1b")
@rule("21.4a")
@rule("13.2.1a")
@pytest.mark.parametrize("state", ["replaced", "disrupted"])
def test_units_that_may_not_move_far_stay_in_their_box(state):
    g = phase(ARMY | {"P": f"soviet 3-5-3 - box=3 {state}", "Q": "soviet 3-5-3 - box=3"})
    do(g, "unload P")
    assert choices(g) == {"emerge", "pass"}
    do(g, "pass", "unload Q")
    assert {"join Q 2R", "transfer A", "emerge"} <= choices(g)


@rule("34.4.2b")
@rule("34.3.1c")
def test_units_leave_an_army_that_has_received_others_but_not_moved():
    for words in ("", " joined"):
        units = {"1R": f"soviet 0-0-3 0,0 reserve_army{words} box=3", "S": "soviet 3-5-3 3,0"}
        g = phase(INSIDE | units)
        if not words:
            do(g, "move S", "join S 1R")
        assert refused(g, "move 1R") == "34.3.1"
        do(g, "unload P", "emerge", "move P", "to 0,3 normal")
        assert at(g, "P") == "0,3"
    g = phase(ARMY | INSIDE)
    do(g, "move 1R", "halt")
    assert "unload P" in choices(g), "an army that stays has not moved"


@rule("34.1.2")
@rule("34.3.1c")
def test_armies_that_received_units_may_switch_markers_and_the_box_keeps_them_in_place():
    together = {"1R": "soviet 0-0-3 A reserve_army box=3", "2R": "soviet 0-0-3 A reserve_army box=5"}
    g = phase(together | {"N": "soviet 3-5-3 - joined box=3"})
    assert refused(g, "move 1R") == "34.3.1"
    do(g, "swap 1R 2R")
    assert "move 1R" in choices(g), "its box has received nobody"
    assert refused(g, "move 2R") == "34.3.1"
    assert refused(g, "swap 1R 2R") == "34.1.2"
    g = phase(together)
    do(g, "move 2R", "to 4,0 normal")
    assert refused(g, "swap 1R 2R") == "34.1.2"


@rule("34.6.2c")
@rule("19.4b")
@rule("19.4a")
def test_non_combat_units_lost_in_a_box_return_as_others_do():
    inside = {"SP": "soviet 0-0-5 - supply box=3", "L": "soviet 0-0-6 - leader box=3"}
    g = phase(ARMY | INSIDE | inside | {"X": "axis 10-8-6 -2,0 tank"}, side="axis")
    do(g, "move X", "to 0,0 normal", "pass")
    assert g.pool[u(g, "P")] == ELIMINATED
    assert (g.pool[u(g, "L")], g.returns[u(g, "L")]) == (RETURNING, g.turn + 2)
    assert g.pool[u(g, "SP")] == WAITING


@rule("26.2e")
@rule("34.4.1c")
def test_an_hq_that_goes_far_into_a_box_or_in_one_loses_its_planned_offensive():
    hq = {"F": "soviet S-(1)-5b;0-(1)-5 {} front offensives=1"}

    def front(place, **more):
        return phase({**INSIDE, **more, "1R": ARMY["1R"], "F": hq["F"].format(place)})

    for place, kept in (("2,0", 1), ("3,0", 0), ("A", 0)):
        g = front(place)
        do(g, "move F", "join F 1R")
        assert bool(g.offensives[u(g, "F")]) is bool(kept), place
    g = phase({"1R": ARMY["1R"], "F": hq["F"].format("-") + " box=3"})
    far = g.copy()
    do(g, "move 1R", "to 2,0 normal")
    assert g.offensives[u(g, "F")]
    do(far, "move 1R", "to 3,0 normal")
    assert not far.offensives[u(far, "F")]
    g = phase({"1R": ARMY["1R"], "F": hq["F"].format("-") + " box=3"})
    do(g, "unload F", "transfer A")
    assert not g.offensives[u(g, "F")]


@rule("34.1.2")
def test_a_switch_of_markers_can_be_pretended():
    units = ARMY | INSIDE | {"2R": "soviet 0-0-3 0,0 reserve_army box=5"}
    really, not_really = phase(units), phase(units)
    do(really, "swap 1R 2R")
    do(not_really, "pretend 1R 2R")
    assert (box_of(really, u(really, "1R")), box_of(not_really, u(not_really, "1R"))) == (5, 3)
    assert really.status == not_really.status
    assert side_view(really, AXIS) == side_view(not_really, AXIS)
    assert refused(not_really, "swap 1R 2R") == refused(not_really, "pretend 1R 2R") == "34.1.2"
    assert TITLE.disguised["pretend"] == "swap"


@rule("34.1.2")
@rule("34.6.2a")
def test_the_defender_is_asked_over_an_empty_army_too():
    for inside in ({}, INSIDE):
        units = {"1R": "soviet 0-0-3 0,0 reserve_army box=3", "G": "soviet 3-5-3 0,0", "A": "axis 9-5-3 1,0"}
        g = start(units | inside, dice=[1, 1, 1, 1], phase="combat", side="axis")
        do(g, "attack 0,0", "add A", "declare")
        assert asked(g) == SOVIET, "or the attacker knew what is in it"
        assert ("call P" in choices(g)) is bool(inside)
        assert "pass" in choices(g)


@rule("34.1.2")
@rule("34.6.2d")
def test_entering_a_reserve_army_cannot_be_taken_back_whatever_is_in_it():
    for inside in ({}, INSIDE):
        units = {"1R": "soviet 0-0-3 1,0 reserve_army box=3", "A": "axis 9-5-3 2,0"}
        g = start(units | inside, phase="movement", side="axis")
        do(g, "move A")
        before = g.reveals
        do(g, "to 1,0 normal")
        assert g.reveals > before, "in both cases alike"
