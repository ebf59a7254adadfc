"""5.6 Rail Movement, 5.7 Sea Movement."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.games.stalingrad42.columns import DISRUPTED, FLIPPED, FROZEN, TRAIN, UNUSABLE
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.rail import detrain, why_not_end
from kessel.games.stalingrad42.movement.ways.zones import zoc
from kessel.games.stalingrad42.supply.railroads import connecting_rail, rail_hexes

from .helpers import (
    area,
    ask,
    at,
    board,
    choices,
    do,
    example,
    h,
    has,
    link,
    names,
    position,
    read,
    refused,
    rule,
    start,
    u,
)
from .test_22_entry_areas import in_area

LINE = " ".join(f"{i},0" for i in range(-4, 5))
RAIL = [("rail", LINE)]
WEST = area("Z", "axis", "-4,0 -4,1")
EAST = area("A", "soviet", "4,0 4,-1")


def rails(g, name: str) -> set[str]:
    do(g, f"move {name}")
    found = {c.split()[1] for c in choices(g) if c.startswith("rail ")}
    do(g, "halt")
    return found


def why_not_rail(g, name: str, to: str) -> str:
    do(g, f"move {name}")
    return refused(g, f"rail {to}")


@rule("5.6.1a")
@rule("5.6.1c")
@rule("5.6.3a")
@rule("3.B2b")
def test_rail_movement_has_unlimited_distance_along_rails_and_ends_in_a_train():
    g = start({"S": "soviet 3-5-3 -4,0"}, links=RAIL, side="soviet")
    assert rails(start({"S": "soviet 3-5-3 -4,0"}, links=RAIL, side="soviet"), "S") == {f"{i},0" for i in range(-3, 5)}
    do(g, "move S", "rail 4,0")
    assert at(g, "S") == "4,0"
    assert has(g, "S", TRAIN)
    assert choices(g) == {"pass"}


@rule("5.6.3a")
def test_it_starts_and_ends_on_a_rail_hex():
    g = start({"S": "soviet 3-5-3 0,1", "T": "soviet 3-5-3 0,0"}, links=RAIL, side="soviet")
    assert why_not_rail(g, "S", "4,0") == "5.6.3"
    do(g, "halt")
    assert why_not_rail(g, "T", "1,1") == "5.6.3"


@rule("5.6.1b")
@rule("22.3.1a")
def test_railing_into_a_friendly_entry_area_ends_there():
    g = start({"S": "soviet 3-5-3 0,0"}, links=RAIL, boxes=[WEST, EAST], side="soviet")
    do(g, "move S")
    assert refused(g, "rail Z") == "5.6.1", "not an enemy Entry Area"
    do(g, "rail A")
    assert at(g, "S") == "A"
    assert has(g, "S", TRAIN)
    assert refused(g, "move S") == "5.6.5"


@rule("5.6.2a")
@rule("5.6.2b")
@rule("22.1.2a")
def test_four_units_a_turn_and_only_one_of_them_from_the_map():
    units = {f"U{i}": "soviet 3-5-3 A" for i in range(5)} | {"M": "soviet 3-5-3 0,0", "N": "soviet 3-5-3 1,0"}
    g = start(units, links=RAIL, boxes=[EAST], side="soviet")
    do(g, "move M", "rail -4,0")
    assert why_not_rail(g, "N", "-3,0") == "5.6.2"
    do(g, "halt")
    for i in range(3):
        do(g, f"move U{i}", f"rail {-i},0")
    assert why_not_rail(g, "U3", "-3,0") == "5.6.2"


@rule("5.6.2c")
@rule("28.1.5")
def test_leaders_rail_outside_the_limit_and_flip_instead_of_a_train():
    units = {f"U{i}": "soviet 3-5-3 A" for i in range(4)} | {"L": "soviet 0-0-6 0,0 leader"}
    g = start(units, links=RAIL, boxes=[EAST], side="soviet")
    for i in range(4):
        do(g, f"move U{i}", f"rail {-i},0")
    do(g, "move L", "rail 4,0")
    assert has(g, "L", FLIPPED)
    assert not has(g, "L", TRAIN)
    assert g.rail_used == 4


@rule("5.6.3b")
def test_the_path_is_connected_rail_and_repaired_for_the_axis():
    gap = [("rail", "-4,0 -3,0 -2,0"), ("rail", "0,0 1,0 2,0")]
    g = start({"S": "soviet 3-5-3 -4,0"}, links=gap, side="soviet")
    assert rails(g, "S") == {"-3,0", "-2,0"}
    g = start({"A": "axis 3-5-3 -4,0"}, links=RAIL, repaired="-4,0 -3,0 -2,0")
    refusal = why_not_end(g, u(g, "A"), h(g, "-1,0"))
    assert refusal is not None
    assert refusal.reason == "the railroad in -1,0 is not repaired"
    assert rails(g, "A") == {"-3,0", "-2,0"}
    g = start({"A": "axis 3-5-3 0,0"}, links=RAIL, repaired="-4,0 -3,0 -2,0")
    assert why_not_rail(g, "A", "-3,0") == "5.6.3"


@rule("5.6.3c")
@rule("5.6.3d")
def test_it_neither_starts_in_nor_enters_an_ezoc_even_beside_friends():
    units = {"S": "soviet 3-5-3 -4,0", "X": "axis 3-5-3 1,1", "F": "soviet 3-5-3 1,0", "T": "soviet 3-5-3 0,0"}
    g = start(units, links=RAIL, side="soviet")
    assert rails(g, "S") == {"-3,0", "-2,0", "-1,0", "0,0"}
    g = start(units, links=RAIL, side="soviet")
    assert why_not_rail(g, "F", "-3,0") == "5.6.3"
    do(g, "halt")
    assert why_not_rail(g, "S", "4,0") == "5.6.3", "the zone lies between, friends or not"


@rule("5.6.3e")
@pytest.mark.parametrize("state", ["disrupted", "full_retreat"])
def test_only_good_order_units_rail(state):
    g = start({"S": f"soviet 3-5-3 0,0 {state}"}, links=RAIL, side="soviet")
    assert why_not_rail(g, "S", "4,0") == "5.6.3"


@rule("5.6.3f")
def test_railed_combat_units_do_not_end_stacked_together():
    units = {"U": "soviet 3-5-3 A", "V": "soviet 3-5-3 A", "SP": "soviet 0-0-5b A supply", "W": "soviet 3-5-3 2,0"}
    g = start(units, links=RAIL, boxes=[EAST, area("B", "soviet", "-4,0")], side="soviet")
    do(g, "move U", "rail 0,0")
    assert why_not_rail(g, "V", "0,0") == "5.6.3"
    do(g, "rail 2,0", "move SP", "rail 0,0")
    assert at(g, "SP") == "0,0"
    g = start(units, links=RAIL, boxes=[EAST, area("B", "soviet", "-4,0")], side="soviet")
    do(g, "move U", "rail B", "move V", "rail B")
    assert at(g, "V") == "B"


@rule("5.6.3g")
def test_soviets_do_not_rail_onto_or_past_a_railhead():
    g = start(
        {"S": "soviet 3-5-3 4,0"}, links=RAIL, side="soviet", railheads=["0,0"], repaired="-4,0 -3,0 -2,0 -1,0 0,0"
    )
    assert rails(g, "S") == {"1,0", "2,0", "3,0"}
    g = start({"S": "soviet 3-5-3 4,0"}, links=RAIL, side="soviet", railheads=["0,0"])
    assert why_not_rail(g, "S", "0,0") == "5.6.3"


@rule("5.6.3h")
def test_railing_excludes_every_other_movement():
    g = start({"S": "soviet 3-5-3 0,0"}, links=RAIL, side="soviet")
    do(g, "move S", "step 1,0 normal")
    assert refused(g, "rail 4,0") == "5.6.3"
    do(g, "halt")
    assert refused(g, "move S") == "5.1"


@rule("5.6.4a")
def test_an_entrained_unit_has_no_zoc():
    g = start({"S": "soviet 3-5-3 0,0"}, links=RAIL, side="soviet")
    do(g, "move S", "rail 4,0")
    assert zoc(g, SOVIET) == 0


@rule("5.6.5a")
@rule("3.B1b")
@rule("5.6.5c")
def test_units_detrain_in_their_initial_phase_in_any_rail_hex():
    g = board({"S": "soviet 3-5-3 2,0 train", "A": "axis 3-5-3 -3,0 train"}, links=RAIL)
    detrain(g, SOVIET)
    assert not has(g, "S", TRAIN)
    assert has(g, "A", TRAIN)
    assert names(g, zoc(g, SOVIET))


@rule("5.6.6")
@rule("17.5")
def test_the_caspian_line_never_works_and_unfinished_ones_from_their_turn_on():
    links = [
        ("rail", "-4,0 -3,0", "caspian"),
        ("rail", "0,0 1,0", "unfinished", {"opens": 11}),
        ("rail", "2,0 3,0", "unfinished"),
    ]
    assert rail_hexes(board({}, links=links, turn=10)) == 0
    for turn in (11, 36):
        g = board({}, links=links, turn=turn)
        assert names(g, rail_hexes(g)) == {"0,0", "1,0"}


FERRY = [("rail", "-4,0 -3,0 -2,0"), ("rail", "2,0 3,0 4,0"), ("ferry_rail", "-2,0 2,0")]


@rule("5.5.7a")
@rule("5.5.7b")
def test_the_vladimirovka_ferry_joins_two_lines_for_one_unit_a_turn():
    units = {"U": "soviet 3-5-3 A", "V": "soviet 3-5-3 A", "L": "soviet 0-0-6 A leader", "SP": "soviet 0-0-5b A supply"}
    g = start(units, links=FERRY, boxes=[EAST], side="soviet")
    do(g, "move U", "rail -4,0")
    assert at(g, "U") == "-4,0"
    assert why_not_rail(g, "V", "-3,0") == "5.6.3"
    do(g, "rail 2,0")
    g = start(units, links=FERRY, boxes=[EAST], side="soviet")
    assert why_not_rail(g, "L", "-4,0") == "5.6.3", "Combat Units and Supply Points only"
    do(g, "halt", "move SP", "rail -4,0")
    assert g.ferry_rail == 1
    g = start({"A": "axis 3-5-3 -4,0"}, links=FERRY, repaired="all")
    assert why_not_rail(g, "A", "3,0") == "5.6.3"


@rule("18.6.7")
@rule("18.6.8d")
def test_railed_supply_points_count_and_non_mobile_ones_become_unusable():
    g = start({"D": "soviet 0-0-0 0,0 supply", "S": "soviet 0-0-5b A supply"}, links=RAIL, boxes=[EAST], side="soviet")
    do(g, "move D", "rail 3,0", "move S", "rail 2,0")
    assert g.rail_used == 2
    assert has(g, "D", UNUSABLE)
    assert has(g, "D", TRAIN)
    assert not has(g, "S", UNUSABLE)


@rule("17.4")
def test_a_connecting_rail_hex_is_joined_to_a_source_by_a_clear_repaired_line():
    g = board({}, links=RAIL, boxes=[WEST], repaired="-4,0 -3,0 -2,0 0,0")
    assert names(g, connecting_rail(g, AXIS)) == {"-4,0", "-3,0", "-2,0"}
    g = board({"X": "soviet 3-5-3 -2,1"}, links=RAIL, boxes=[WEST], repaired="all")
    assert names(g, connecting_rail(g, AXIS)) == {"-4,0", "-3,0"}
    g = board(
        {"X": "soviet 3-5-3 -2,1", "A": "axis 3-5-3 -2,0", "B": "axis 3-5-3 -1,0"},
        links=RAIL,
        boxes=[WEST],
        repaired="all",
    )
    assert names(g, connecting_rail(g, AXIS)) == {f"{i},0" for i in range(-4, 5)}, "friends negate EZOCs here"
    g = board({"X": "soviet 3-5-3 -2,1"}, links=RAIL, boxes=[EAST])
    assert names(g, connecting_rail(g, SOVIET)) == {f"{i},0" for i in range(-4, 5)}


# --- 5.7 the sea ---------------------------------------------------------------------------------------------------

PORTS = {"-3,0": {"features": ["port"], "sea": "azov"}, "3,0": {"features": ["port"], "sea": "azov"}}
BLACK = {"0,3": {"features": ["port"], "sea": "black"}, "0,-3": {"features": ["port"], "sea": "black"}}
SHIPPING = [("shipping_path", "-3,0 3,0", {"sea": "azov"}), ("shipping_path", "0,3 0,-3", {"sea": "black"})]


def harbour(units, **more):
    from .helpers import disc

    hexes = {name: {} for name in disc(4)} | {k: dict(v) for k, v in (PORTS | BLACK).items()}
    return start(units, hexes=hexes, links=SHIPPING, side=more.pop("side", "soviet"), **more)


@rule("5.7.1a")
@rule("5.7.1d")
@rule("5.7.1e")
def test_one_foot_unit_per_sea_and_turn_goes_from_port_to_port_and_lands_disrupted():
    g = harbour({"R": "soviet 3-5-3 -3,0", "S": "soviet 3-5-3 -3,0", "T": "soviet 3-5-3 0,3"})
    do(g, "move R", "sail 3,0")
    assert at(g, "R") == "3,0"
    assert has(g, "R", DISRUPTED)
    assert refused(g, "move R") == "5.1"
    do(g, "move S")
    assert refused(g, "sail 3,0") == "5.7.1"
    do(g, "halt", "move T", "sail 0,-3")
    assert at(g, "T") == "0,-3", "the other sea has its own limit"


@rule("5.7.1a")
def test_only_soviet_non_mechanized_units_and_supply_points():
    g = harbour({"A": "axis 3-5-3 -3,0"}, side="axis")
    do(g, "move A")
    assert refused(g, "sail 3,0") == "5.7.1"
    g = harbour({"M": "soviet 7-5-5 -3,0 tank", "P": "soviet 0-0-5b -3,0 supply"})
    do(g, "move M")
    assert refused(g, "sail 3,0") == "5.7.1"
    do(g, "halt", "move P", "sail 3,0")
    assert not has(g, "P", DISRUPTED)


@rule("5.7.1b")
def test_a_sea_mover_must_be_in_good_order():
    g = harbour({"R": "soviet 3-5-3 -3,0 disrupted"})
    do(g, "move R")
    assert refused(g, "sail 3,0") == "5.7.1"


@rule("5.7.1c")
def test_a_sea_move_may_begin_and_end_in_an_ezoc():
    g = harbour({"R": "soviet 3-5-3 -3,0", "X": "axis 3-5-3 -2,0", "Y": "axis 3-5-3 2,0"})
    do(g, "move R", "sail 3,0")
    assert at(g, "R") == "3,0"


@rule("5.7.1d")
def test_it_takes_the_whole_allowance():
    g = harbour({"R": "soviet 3-5-3 -4,0"})
    do(g, "move R", "step -3,0 tactical")
    assert refused(g, "sail 3,0") == "5.7.1"


@rule("5.7.1e")
def test_only_between_ports_with_a_shipping_path():
    g = harbour({"R": "soviet 3-5-3 -3,0"})
    do(g, "move R")
    assert {c for c in choices(g) if c.startswith("sail")} == {"sail 3,0"}
    assert refused(g, "sail 0,3") == "5.7.1"
    assert refused(g, "sail 1,0") == "5.7.1"


@rule("5.7.1f")
@rule("5.7.1g")
def test_a_naval_brigade_pays_one_tactical_hex_and_lands_in_order():
    g = harbour({"N": "soviet 2-2-3 -3,0 naval size=brigade"})
    do(g, "move N", "sail 3,0", "step 3,1 tactical")
    assert at(g, "N") == "3,1"
    assert not has(g, "N", DISRUPTED)
    g = harbour({"N": "soviet 2-2-3 -4,0 naval size=brigade"})
    do(g, "move N", "step -3,0 tactical", "sail 3,0")
    assert at(g, "N") == "3,0"
    assert not any(c.startswith("step") for c in choices(g))


@rule("5.4c")
@rule("5.7.1f")
def test_a_naval_brigade_goes_no_farther_from_a_port_in_an_ezoc():
    units = {"N": "soviet 2-2-3 -3,0 naval size=brigade", "X": "axis 3-5-3 4,-1"}
    for enemy, after in (("3,-1", set()), ("0,-1", {"3,1", "4,0", "2,1"})):
        units["X"] = f"axis 3-5-3 {enemy}"
        g = harbour(units)
        found = ask(g, question="moves", unit="N", mode="sea")["moves"]
        assert {m["to"] for m in found} & {"3,1", "4,0", "2,1", "3,0"} == {"3,0", *after}
        assert ("refusal" in ask(g, question="moves", unit="N", mode="sea", to="3,1")) is not bool(after)
        do(g, "move N", "sail 3,0")
        assert {c.split()[1] for c in choices(g) if c.startswith(("step", "to "))} >= after
        assert bool(after) is any(c.startswith(("step", "to ")) for c in choices(g))


@rule("5.7.1h")
def test_a_naval_brigade_may_land_at_a_vacant_axis_port():
    for words, rule_ in (("naval size=brigade", None), ("", "5.7.1")):
        g = harbour({"N": f"soviet 2-2-3 -3,0 {words}"}, control={"3,0": "axis"})
        do(g, "move N")
        if rule_ is None:
            do(g, "sail 3,0")
            assert g.controller(h(g, "3,0")) == SOVIET
        else:
            assert refused(g, "sail 3,0") == rule_
    g = harbour({"N": "soviet 2-2-3 -3,0 naval size=brigade", "X": "axis 3-5-3 3,0"})
    do(g, "move N")
    assert refused(g, "sail 3,0") == "5.1"


KERCH = {"hexes": {f"{c:02d}{r}": {} for c in range(14, 19) for r in range(47, 52)}}
KERCH["hexes"]["1549"] = {"features": ["port"], "sea": "azov"}
W = area("W", "axis", "1549") | {"facts": {"kerch": True}}


@rule("5.7.2a")
@rule("5.7.2b")
@rule("5.7.2c")
@rule("5.7.2d")
def test_one_axis_unit_a_turn_crosses_the_kerch_strait_and_is_disrupted():
    g = start({"A": "axis 3-5-3 W", "B": "axis 10-8-6 W tank"}, **KERCH, boxes=[W])
    do(g, "move B", "strait")
    assert at(g, "B") == "1549"
    assert has(g, "B", DISRUPTED)
    do(g, "move A")
    assert refused(g, "strait") == "5.7.2"
    g = start({"A": "axis 3-5-3 W", "S": "soviet 0-0-5b 1549 supply"}, **KERCH, boxes=[W])
    do(g, "move A")
    assert refused(g, "strait") == "5.7.2", "a Soviet unit in Taman"
    g = start({"S": "soviet 3-5-3 W"}, **KERCH, boxes=[W | {"side": "soviet"}], side="soviet")
    do(g, "move S")
    assert refused(g, "strait") == "5.7.2"


@rule("20.7")
@rule("5.7.2b")
def test_bluecher_units_cross_only_when_taman_is_captured():
    units = {"B": "axis 3-5-3 W groups=bluecher", "A": "axis 3-5-3 W"}
    g = start(units, **KERCH, boxes=[W], control={"1549": "soviet"})
    do(g, "move B")
    assert refused(g, "strait") == "20.7"
    do(g, "halt", "move A", "strait")
    assert g.controller(h(g, "1549")) == AXIS
    g = start(units, **KERCH, boxes=[W, area("X", "axis", "1847")], control={"1549": "axis"})
    do(g, "move B")
    assert not any(c.startswith(("to ", "transfer", "rail")) for c in choices(g)), "W is left only by the Strait"
    assert "strait" in choices(g)


@rule("17.1b")
@example("E48")
@rule("17.1c")
@example("E49")
def test_plain_lines_follow_when_both_their_ends_are_repaired():
    from kessel.games.stalingrad42.supply.railheads import repair_plain_lines

    links = [
        ("rail", "-4,0 -3,0 -2,0", "green"),
        ("rail", "-4,4 -3,4 -2,4", "green"),
        ("rail", "-2,0 -2,1 -2,2 -2,3 -2,4"),
    ]
    links.append(("rail", "-3,0 -3,1 -3,2"))
    g = board({}, links=links, repaired="-4,0 -3,0 -2,0 -4,4 -3,4")
    repair_plain_lines(g)
    assert not g.repaired[h(g, "-2,2")]
    g.set_repaired(h(g, "-2,4"))
    repair_plain_lines(g)
    assert all(g.repaired[h(g, f"-2,{i}")] for i in range(5))
    assert not g.repaired[h(g, "-3,1")], "a dead end is never repaired"
    assert u is not None


@rule("5.5.7a")
@rule("17.4")
def test_the_vladimirovka_ferry_is_a_rail_line_for_connecting_rail_hexes():
    g = board({"S": "soviet 3-5-3 -3,0", "X": "axis 3-5-3 -3,4"}, links=FERRY, boxes=[EAST], side="soviet")
    assert names(g, connecting_rail(g, SOVIET)) == {"-4,0", "-3,0", "-2,0", "2,0", "3,0", "4,0"}
    cut = board({"X": "axis 3-5-3 1,0"}, links=FERRY, boxes=[EAST], side="soviet")
    assert names(cut, connecting_rail(cut, SOVIET)) == {"3,0", "4,0"}
    assert connecting_rail(board({}, links=FERRY, boxes=[WEST], repaired="all"), AXIS).bit_count() == 3


@rule("5.5.7a")
@rule("5.5.7b")
def test_on_the_printed_map_the_vladimirovka_ferry_lands_at_6424():
    units = [{"id": "1", "side": "soviet", "values": "3-5-3", "at": "D"}]
    units.append({"id": "2", "side": "soviet", "values": "3-5-3", "at": "6424"})
    g = read({"game": "stalingrad42", "side": "soviet", "units": units})
    assert ask(g, "moves", unit="1", to="6424", mode="rail")["mode"] == "rail"
    assert ask(g, "moves", unit="2", to="6523", mode="rail")["mode"] == "rail"
    assert ask(g, "moves", unit="2", to="6523")["mode"] == "rail", "and in no other way"
    assert ask(g, "supply", unit="2")["connecting_rail"] is True


@rule("26.2e")
@rule("18.2.2b")
@pytest.mark.parametrize(("to", "far"), [("2,0", False), ("1,0", True)])
def test_an_hq_that_rails_more_than_two_hexes_loses_its_planned_offensive(to, far):
    g = start({"F": "soviet S-(1)-5b 4,0 front offensives=1"}, links=RAIL, side="soviet")
    do(g, "move F", f"rail {to}")
    assert bool(g.offensives[u(g, "F")]) is not far
    assert has(g, "F", DISRUPTED) is far


@rule("26.2e")
@pytest.mark.parametrize(("to", "far"), [("3,0", False), ("2,0", True)])
def test_the_first_rail_hex_from_an_entry_area_counts(to, far):
    g = start({"F": "soviet S-(1)-5b A front offensives=1"}, links=RAIL, boxes=[EAST], side="soviet")
    do(g, "move F", f"rail {to}")
    assert bool(g.offensives[u(g, "F")]) is not far


@rule("16.4a")
@rule("18.6.3b")
@rule("29.1.2b")
@pytest.mark.parametrize(
    ("unit", "city", "why"),
    [
        ({"values": "7-5-5", "type": "tank", "status": ["oos"]}, False, "16.4"),
        ({"values": "3-5-3", "status": ["oos"]}, False, ""),
        ({"values": "0-0-5b", "back": "S-0-T", "type": "supply", "status": ["flipped"]}, False, "18.6.3"),
        ({"values": "0-0-5b", "back": "S-0-T", "type": "supply"}, False, ""),
        ({"values": "3-5-3"}, True, "29.1.2"),
    ],
)
def test_units_that_may_only_use_tactical_movement_do_not_go_by_rail_or_sea(unit, city, why):
    port = {"features": ["port"], "sea": "black"}
    doc = position({"X": "axis 3-3-3 0,0"} if city else {}, links=RAIL, boxes=[EAST], side="soviet")
    doc["board"]["hexes"] |= {"0,0": port | {"terrain": "major_city"}, "0,3": port}
    doc["board"]["links"].append(link("shipping_path", "0,0 0,3", sea="black"))
    doc |= {
        "control": {"0,0": "soviet", "0,3": "soviet"},
        "units": [*doc["units"], {"id": "S", "side": "soviet", "at": "0,0"} | unit],
    }
    if city:
        doc |= {"city_battles": {"0,0": 1}, "options": {"contested_cities": "on"}}
    g = read(doc)
    ways = [("rail", "3,0")] + [("sea", "0,3")] * (unit.get("type") != "tank")
    for mode, to in ways:
        found = ask(g, "moves", unit="S", to=to, mode=mode)
        assert found.get("refusal", {"rule": ""})["rule"] == why


@rule("23.4e")
@pytest.mark.parametrize(("turn", "open_"), [(27, True), (28, False)])
def test_no_train_crosses_an_alpine_hexside_in_winter(turn, open_):
    g = board({"S": "soviet 3-5-3 0,0"}, links=RAIL, hexsides={"1,0|2,0": ["alpine"]}, side="soviet", turn=turn)
    found = {m["to"] for m in ask(g, "moves", unit="S", mode="rail")["moves"]}
    assert "1,0" in found
    assert ("2,0" in found) is open_


@rule("16.3.4a")
@rule("19.3b")
@rule("13.3.2f")
def test_a_train_takes_what_it_passes_through():
    units = {
        "S": "soviet 3-5-3 A",
        "N": "soviet 0-0-5 A supply",
        "X": "axis 3-5-3 -4,4",
        "F": "axis 3-5-3 1,1 full_retreat",
        "P": "axis 0-0-5 2,0 supply",
    }
    city = {"terrain": {"1,0": "minor_city"}, "control": {"1,0": "axis"}}
    g = start(units, links=RAIL, boxes=[EAST], side="soviet", **city)
    do(g, "move N", "rail -1,0")
    assert g.controller(h(g, "1,0")) == AXIS, "a Non-Combat Unit controls nothing"
    assert at(g, "P") == "2,0"
    do(g, "move S", "rail 0,0")
    assert g.controller(h(g, "1,0")) == SOVIET
    assert g.place[u(g, "P")] < 0
    assert "retreat F by 1,2-1,3" in choices(g), "it ran when the train passed"


@rule("20.4")
def test_a_train_that_passes_near_a_garrison_releases_it():
    units = {"A": "axis 3-5-3 -4,0", "G": "soviet 3-5-3 0,4 frozen groups=garrison"}
    bend = "-4,0 -4,1 -3,1 -2,1 -1,0 -1,-1 -1,-2 -1,-3"
    g = start(units, links=[("rail", bend)], repaired="all")
    assert g.map.grid.distance(h(g, "-4,0"), h(g, "0,4")) > 5 < g.map.grid.distance(h(g, "-1,-3"), h(g, "0,4"))
    assert g.map.grid.distance(h(g, "-2,1"), h(g, "0,4")) <= 5
    do(g, "move A", "rail -1,-3")
    assert not has(g, "G", FROZEN)


@rule("34.6.2a")
@rule("5.6.3a")
def test_no_axis_train_enters_the_hex_of_a_reserve_army():
    units = {"A": "axis 3-5-3 -4,0", "1R": "soviet 0-0-3 0,0 reserve_army box=3", "I": "soviet 3-5-3 - box=3"}
    g = start(units, links=RAIL, repaired="all")
    assert rails(g, "A") == {"-3,0", "-2,0", "-1,0"}


@rule("5.6.3f")
def test_a_train_marker_of_this_turn_in_a_position_counts():
    rails = [("rail", "0,0 1,0 2,0 3,0")]
    units = {"A": "soviet 3-5-3 0,0", "B": "soviet 3-5-3 3,0 train"}
    g = board(units, links=rails, side="soviet", phase="movement")
    found = ask(g, "moves", unit="A", to="3,0", mode="rail")
    assert found["refusal"]["rule"] == "5.6.3"
    assert "refusal" not in ask(g, "moves", unit="A", to="2,0", mode="rail")


def naval(start: str, kind: str = "naval size=brigade") -> Any:
    ports = {"0,0": {"features": ["port"], "sea": "azov"}, "3,0": {"features": ["port"], "sea": "azov"}}
    hexes = {name: ports.get(name, {}) for name in ("-1,0", "0,0", "1,0", "2,0", "3,0", "4,0", "5,0")}
    paths = [("shipping_path", "0,0 3,0", {"sea": "azov"})]
    owners = {"0,0": "soviet", "3,0": "axis"}
    return board(
        {"A": f"soviet 3-4-3 {start} {kind}"},
        hexes=hexes,
        links=paths,
        control=owners,
        side="soviet",
        phase="movement",
    )


@rule("5.7.1f")
@rule("5.7.1h")
def test_a_naval_brigade_uses_its_other_hex_before_or_after_the_sea():
    places = {m["to"] for m in ask(naval("0,0"), "moves", unit="A", mode="sea")["moves"]}
    assert places == {"3,0", "2,0", "4,0"}
    assert ask(naval("0,0"), "moves", unit="A", to="4,0", mode="sea")["path"] == ["3,0", "4,0"]
    places = {m["to"] for m in ask(naval("-1,0"), "moves", unit="A", mode="sea")["moves"]}
    assert places == {"3,0"}
    assert ask(naval("-1,0"), "moves", unit="A", to="3,0", mode="sea")["path"] == ["0,0", "3,0"]
    assert ask(naval("0,0", "infantry"), "moves", unit="A", mode="sea")["moves"] == [], "no enemy port for others"


@rule("5.7.2a")
@rule("20.7")
def test_the_question_moves_knows_the_kerch_strait():
    g = in_area("W", control={"1549": "axis"})
    moves = {(m["to"], m["mode"]) for m in ask(g, "moves", unit="24Pz")["moves"]}
    assert moves == {("1549", "strait"), ("X", "transfer"), ("Y", "transfer"), ("Z", "transfer")}
    assert ask(g, "moves", unit="24Pz", to="1549")["mode"] == "strait"
    assert ask(g, "moves", unit="24Pz", to="1550", mode="strait")["refusal"]["rule"] == "5.7.2"
    doc = {"game": "stalingrad42", "units": [{"id": "24Pz", "at": "W"}, {"id": "TamGar", "at": "1549"}], "turn": 10}
    assert ask(read(doc), "moves", unit="24Pz", to="1549")["refusal"]["rule"] == "5.7.2"


@rule("5.6.1a")
def test_a_far_hex_on_the_railroad_is_reached_by_rail():
    rails = [("rail", "-4,0 -3,0 -2,0 -1,0 0,0 1,0 2,0 3,0 4,0")]
    g = board({"A": "soviet 3-5-3 -4,0"}, links=rails, side="soviet", phase="movement")
    assert ask(g, "moves", unit="A", to="4,0")["mode"] == "rail"
    assert ask(g, "moves", unit="A", to="4,-1")["refusal"]["rule"] == "5.1"
