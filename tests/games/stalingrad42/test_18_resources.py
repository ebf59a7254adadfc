"""18.1, 18.6 Resource Points and Supply Points; 9.7.2 by Resource Point; 26.1-26.2 placing Planned Offensives."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.hexset import members
from kessel.games.stalingrad42.columns import BEGUN, BUILT, FLIPPED
from kessel.games.stalingrad42.combat.strength.artillery import (
    candidates,
    hosts,
    in_range,
    is_ready_point,
    why_not_lead_gun,
    why_not_shift,
)
from kessel.games.stalingrad42.combat.strength.fortifications import why_not_build
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.supply.resources import ready_offensives
from kessel.games.stalingrad42.turn.initial import fort_sites

from .fights import combat
from .helpers import area, at, board, choices, do, h, has, names, refused, rule, start, u
from .test_12_retreats import corridor

WEST = area("Z", "axis", "-4,0 -4,1 -4,2")
ROAD = [("primary", "-4,0 -3,0 -2,0 -1,0 0,0"), ("rail", "-4,0 -3,0 -2,0 -1,0 0,0")]
SP = {f"SP{i}": "axis 0-0-5b - supply back=S-0-T" for i in range(6)} | {
    f"D{i}": "axis 0-0-0 - supply" for i in range(2)
}


def initial(units, **more):
    more = {"links": ROAD, "boxes": [WEST], "repaired": "all", "phase": "initial"} | more
    return start(units, **more)


@rule("18.1a")
@rule("3.B1d")
def test_two_resource_points_a_turn_and_none_is_saved():
    g = initial(SP)
    assert g.resource_points == 2
    do(g, "supply Z", "supply Z")
    assert refused(g, "supply Z") == "18.1"
    g = initial(SP)
    do(g, "pass")
    assert g.resource_points == 0


@rule("18.1b")
@rule("9.7.2a")
def test_a_point_begins_a_fortification():
    g = initial({"A": "axis 3-5-3 0,0"})
    do(g, "build", "fortify -1,0")
    assert g.fort_of(h(g, "-1,0")) == (AXIS, BEGUN)
    assert g.resource_points == 1


@rule("3.B1c")
def test_fortifications_begun_last_turn_are_completed():
    g = initial({}, forts={"-1,0": "axis begun", "0,0": "soviet begun"})
    assert g.fort_of(h(g, "-1,0")) == (AXIS, BUILT)
    assert g.fort_of(h(g, "0,0")) == (SOVIET, BEGUN)


@rule("18.1b")
@pytest.mark.parametrize("seed", range(6))
def test_the_listed_sites_are_those_not_refused(seed):
    import random

    from .helpers import disc

    r = random.Random(seed)
    words = ["clear", "clear", "woods", "rough", "marsh", "mountain", "minor_city", "desert", "wooded_rough"]
    terrain = {x: r.choice(words) for x in disc(4)}
    places = r.sample(disc(4), 8)
    units = {f"A{i}": f"axis 3-5-3 {p}" for i, p in enumerate(places[:4])}
    units |= {f"X{i}": f"soviet 3-5-3 {p}" for i, p in enumerate(places[4:])}
    g = board(units, terrain=terrain, links=ROAD, boxes=[WEST, area("A", "soviet", "4,0 4,-1")], forts={"1,1": "axis"})
    for side in (AXIS, SOVIET):
        slow = {x for x in g.map.grid.hexes if why_not_build(g, x, side) is None}
        assert set(members(fort_sites(g, side))) == slow


@rule("18.1c")
@rule("18.2.1c")
def test_a_point_readies_a_good_order_asu_on_a_connecting_rail_hex():
    hq = "axis S-(1)-5b {} hq back=0-(1)-5 flipped"
    g = initial({"H": hq.format("-1,0"), "I": hq.format("-1,2"), "J": hq.format("-2,0") + " disrupted"})
    do(g, "ready H")
    assert not has(g, "H", FLIPPED)
    assert refused(g, "ready I") == "18.1"
    assert refused(g, "ready J") == "18.1"
    assert refused(g, "ready H") == "18.2.1"


@rule("18.1d")
@rule("18.6.1")
def test_a_point_places_a_supply_point_in_a_friendly_entry_area():
    g = initial(SP, boxes=[WEST, area("A", "soviet", "4,0")])
    do(g, "supply Z")
    assert at(g, "SP0") == "Z"
    assert refused(g, "supply A") == "18.6.1"


@rule("18.6.8a")
@rule("18.6.8b")
def test_beyond_five_mobile_supply_points_they_are_non_mobile():
    placed = {f"SP{i}": "axis 0-0-5b Z supply back=S-0-T" for i in range(5)}
    g = initial(SP | placed)
    do(g, "supply Z")
    assert at(g, "D0") == "Z"
    assert at(g, "SP5") == "nowhere"
    soviet = {f"SP{i}": f"soviet 0-0-5b {'A' if i < 4 else '-'} supply back=S-0-T" for i in range(5)}
    g = initial(soviet | {"D": "soviet 0-0-0 - supply"}, boxes=[area("A", "soviet", "4,0")], side="soviet")
    do(g, "supply A")
    assert at(g, "D") == "A"


@rule("18.6.8c")
def test_a_supply_point_switches_its_mobility_before_it_moves():
    g = start({"S": "axis 0-0-5b 0,0 supply back=S-0-T", "D": "axis 0-0-0 - supply"})
    do(g, "move S", "switch")
    assert at(g, "D") == "0,0"
    assert at(g, "S") == "nowhere"
    assert not any(c.startswith("to ") for c in choices(g))
    g = start({"S": "axis 0-0-5b - supply back=S-0-T", "D": "axis 0-0-0 0,0 supply"})
    do(g, "move D", "switch", "to 3,0 normal")
    assert at(g, "S") == "3,0"
    g = start({"S": "axis 0-0-5b 0,0 supply back=S-0-T"})
    do(g, "move S")
    assert refused(g, "switch") == "18.6.8", "no other counter is left"
    do(g, "step 1,0 normal")
    assert refused(g, "switch") == "18.6.8"


@rule("18.1e")
@rule("26.1")
@rule("26.2a")
def test_a_point_plans_an_offensive_at_a_good_order_supplied_hq():
    units = {
        "H": "axis S-(1)-5b 0,0 hq",
        "I": "axis S-(1)-5b -1,0 hq disrupted",
        "J": "axis S-(1)-5b 4,-4 hq",
        "Art": "axis S-(1)-4b 0,0 artdiv",
    }
    g = initial(units, terrain={"3,-4": "sea", "3,-3": "sea", "4,-3": "sea"})
    assert refused(g, "offensive I") == "26.2"
    assert refused(g, "offensive J") == "26.2", "not in supply"
    assert refused(g, "offensive Art") == "26.2"
    do(g, "offensive H")
    assert g.offensives[u(g, "H")] == 1
    assert g.resource_points == 1


@rule("26.2a")
@rule("3.B1i")
def test_markers_become_ready_in_the_next_initial_phase():
    g = board({"H": "axis S-(1)-5b 0,0 hq"})
    g.offensives[u(g, "H")] = 1
    ready_offensives(g, SOVIET)
    assert g.offensives[u(g, "H")] == 1
    ready_offensives(g, AXIS)
    assert g.offensives[u(g, "H")] == 16


@rule("26.2d")
def test_two_markers_at_most():
    g = initial({"H": "axis S-(1)-5b 0,0 hq offensives=1", "I": "axis S-(1)-5b -1,0 hq"})
    do(g, "offensive I")
    assert refused(g, "offensive H") == "26.2"


@rule("26.1")
def test_without_the_optional_rule_there_are_none():
    g = initial({"H": "axis S-(1)-5b 0,0 hq"}, options={"planned_offensive": "off"})
    assert refused(g, "offensive H") == "26.0"


@rule("18.6.4")
@rule("3.B1e")
@rule("3.B5d")
@pytest.mark.parametrize("phase", ["initial", "supply"])
def test_a_supply_point_readies_the_asu_it_is_stacked_with_and_is_removed(phase):
    units = {
        "H": "axis S-(1)-5b 0,0 hq back=0-(1)-5 flipped",
        "S": "axis 0-0-5b 0,0 supply back=S-0-T",
        "T": "axis 0-0-5b -1,0 supply back=S-0-T",
    }
    g = initial(units, phase=phase)
    assert "spend S H" in choices(g)
    assert refused(g, "spend T H") == "18.6.4"
    do(g, "spend S H")
    assert not has(g, "H", FLIPPED)
    assert at(g, "S") == "nowhere"
    g = initial(units | {"H": units["H"] + " disrupted"}, phase="initial")
    assert refused(g, "spend S H") == "18.1"


@rule("18.6.7")
def test_an_entrained_supply_point_readies_nothing():
    units = {"H": "axis S-(1)-5b 0,0 hq back=0-(1)-5 flipped", "S": "axis 0-0-5b 0,0 supply train"}
    g = initial(units, phase="supply")
    assert "spend S H" not in choices(g)
    from kessel.games.stalingrad42.supply.resources import why_not_refit

    assert why_not_refit(g, u(g, "S"), u(g, "H"), AXIS).rule == "18.6.7"


@rule("18.6.4")
def test_never_in_a_movement_phase():
    units = {"H": "axis S-(1)-5b 0,0 hq back=0-(1)-5 flipped", "S": "axis 0-0-5b 0,0 supply"}
    g = initial(units, phase="movement")
    assert refused(g, "spend S H")


@rule("19.4a")
def test_lost_supply_points_return_only_by_resource_points():
    g = start({"A": "axis 3-5-3 -1,0", "S": "soviet 0-0-5b 0,0 supply"})
    do(g, "move A", "to 0,0 normal")
    assert at(g, "S") == "nowhere"
    from kessel.games.stalingrad42.columns import WAITING

    assert g.pool[u(g, "S")] == WAITING


@rule("3.C2")
def test_soviet_front_hqs_and_artillery_divisions_flip_likewise():
    boxes = [area("A", "soviet", "-4,0")]
    units = {
        "F": "soviet S-(1)-5b 0,0 front back=0-(1)-5 flipped",
        "Art": "soviet S-(1)-4b -1,0 artdiv back=0-(1)-4b flipped",
    }
    g = initial(units, boxes=boxes, side="soviet")
    do(g, "ready F", "ready Art")
    assert not has(g, "F", FLIPPED)
    assert not has(g, "Art", FLIPPED)
    assert names(g, 0) == set()


@rule("18.6.8c")
@rule("18.6.2")
def test_a_non_mobile_supply_point_may_become_a_ready_mobile_one():
    g = start({"S": "axis 0-0-5b - supply back=S-0-T", "D": "axis 0-0-0 0,0 supply"})
    do(g, "move D", "switch", "flip")
    assert has(g, "S", FLIPPED)
    assert "switch" not in choices(g), "each once"
    assert "flip" not in choices(g)
    do(g, "to 2,0 tactical")
    assert at(g, "S") == "2,0"
    g = start({"S": "axis 0-0-5b 0,0 supply back=S-0-T", "D": "axis 0-0-0 - supply"})
    do(g, "move S", "flip", "switch")
    assert at(g, "D") == "0,0"


def test_supply_points_and_their_hosts():
    units = {
        "H": "axis S-(1)-5 0,0 hq range=3 back=0-(1)-5 flipped",
        "S": "axis 0-0-5 0,0 supply back=S-0-T flipped",
        "M": "axis 0-0-5 0,0 supply back=S-0-T",
        "N": "axis 0-0-0 0,0 supply",
        "U": "axis 0-0-0 0,0 supply unusable",
        "W": "axis 0-0-5 0,0 supply back=S-0-T flipped train",
        "E": "soviet S-(1)-5 3,0 front range=3",
    }
    g = board(units)
    assert [is_ready_point(g, u(g, n)) for n in "SMNUW"] == [True, False, True, False, False]
    assert hosts(g, u(g, "S")) == [u(g, "H")]
    assert candidates(g, AXIS) == [u(g, "S"), u(g, "N")], "the HQ is Used"
    assert candidates(g, SOVIET) == [u(g, "E")]


@rule("18.3.3c")
def test_an_asu_in_an_entry_area_supports_the_edge():
    units = {
        "A": "axis 9-8-6 -2,0",
        "X": "soviet 3-5-3 -3,0",
        "Y": "soviet 3-5-3 -1,0",
        "H": "axis S-(1)-5 Z hq range=5",
    }
    g = board(units, boxes=[area("Z", "axis", "-3,0 -3,1")], radius=3)
    assert why_not_shift(g, u(g, "H"), combat(g, "-3,0", "A")) is None
    assert why_not_shift(g, u(g, "H"), combat(g, "-1,0", "A")).rule == "18.3.3"
    units = {"L": "axis 3-5-3 -3,0", "M": "axis 3-5-3 -1,0", "H": "axis S-(1)-5 Z hq range=5"}
    g = board(units, boxes=[area("Z", "axis", "-3,0 -3,1")], radius=3)
    assert why_not_lead_gun(g, u(g, "H"), u(g, "L")) is None
    assert why_not_lead_gun(g, u(g, "H"), u(g, "M")).rule == "18.3.3"


@rule("18.4b")
@rule("18.4c")
def test_what_a_range_path_may_cross():
    goal = "0,0"

    def reaches_from(place: str, hexes: int, units: dict[str, str] | None = None, **more: Any) -> bool:
        g = board({"A": "axis 3-3-3 0,0"} | (units or {}), **more)
        return bool(in_range(g, AXIS, 1 << h(g, goal), hexes) >> h(g, place) & 1)

    line = corridor("0,0", "1,0", "2,0", "3,0", "2,-1", "3,-1", "1,-1")
    assert reaches_from("3,0", 3, **line)
    assert not reaches_from("3,0", 2, **line)
    only = corridor("0,0", "1,0", "2,0", "3,0")
    assert reaches_from("3,0", 3, **only)
    for sides in ({"1,0|2,0": "lake"}, {"1,0|2,0": "alpine"}):
        assert not reaches_from("3,0", 3, hexsides=sides, **only), sides
    assert reaches_from("3,0", 3, hexsides={"1,0|2,0": "alpine"}, links=[("primary", "1,0 2,0")], **only)
    assert reaches_from("3,0", 3, hexsides={"1,0|2,0": "volga"}, **only)
    assert not reaches_from("3,0", 3, hexsides={"1,0|2,0": "volga"}, options={"los_over_volga": "no"}, **only)


def test_a_path_through_two_ezocs():
    line = corridor("0,0", "1,0", "2,0", "3,0", "2,-1")
    g = board({"A": "axis 3-3-3 0,0", "X": "soviet 3-3-3 2,-1"}, **line)
    assert not in_range(g, AXIS, 1 << h(g, "0,0"), 3) >> h(g, "3,0") & 1, "1,0 and 2,0 are EZOCs"
    g = board({"A": "axis 3-3-3 0,0", "B": "axis 3-3-3 1,0", "X": "soviet 3-3-3 2,-1"}, **line)
    assert in_range(g, AXIS, 1 << h(g, "0,0"), 3) >> h(g, "3,0") & 1, "B negates one of them"
