"""21.0 Replacements; 19.4 returning Non-Combat Units."""

from __future__ import annotations

import pytest

from kessel.games.stalingrad42.board import REPLACEMENT_KINDS
from kessel.games.stalingrad42.columns import ELIMINATED, FLIPPED, REPLACED, RETURNING
from kessel.games.stalingrad42.combat.losses import eliminate, lose_step
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET, read_counters
from kessel.games.stalingrad42.turn.reinforcements import returning
from kessel.games.stalingrad42.turn.replacements import (
    points_left,
    receive,
    remove_markers,
    return_places,
    why_not_kind,
    why_not_restore,
    why_not_return,
)

from .helpers import PACK, area, at, board, choices, do, example, h, has, refused, rule, start, u

WEST = area("Z", "axis", "-4,0 -4,1 -4,2")
NORTH = area("A", "soviet", "4,0 4,-1")
LINE = "-4,0 -3,0 -2,0 -1,0 0,0 1,0 2,0 3,0 4,0"
ROAD = [("primary", LINE), ("rail", LINE)]


def initial(units, side="axis", points=None, **more):
    more = {"links": ROAD, "boxes": [WEST, NORTH], "repaired": "all", "phase": "initial"} | more
    g = start(units, side=side, **more)
    g.points[:] = bytes(len(g.points))
    number = 0 if side == "axis" else 1
    for kind, n in (points or {}).items():
        g.points[number * len(REPLACEMENT_KINDS) + REPLACEMENT_KINDS.index(kind)] = n
    g.changed()
    return g


INF = "axis 6-7-3;4-5-3;R {} remnant=infantry replacements=infantry+cavalry+special"


@rule("21.1.1a")
@rule("3.B1g")
def test_a_replacement_restores_one_step():
    g = initial({"A": INF.format("0,0") + " steps=2"}, points={"infantry": 1})
    do(g, "restore A infantry")
    assert g.steps[u(g, "A")] == 3
    assert has(g, "A", REPLACED)
    assert points_left(g, AXIS, "infantry") == 0


@rule("21.1.1a")
@rule("21.3.1a")
@rule("10.4.3b")
def test_or_brings_a_unit_back_on_its_lowest_step():
    g = initial(
        {"A": INF.format("-") + " eliminated"} | {"B": "axis 3-5-3;1-3-3 - eliminated replacements=infantry"},
        points={"infantry": 2},
    )
    for name in "AB":
        do(g, f"revive {name} infantry", "place Z")
        assert at(g, name) == "Z"
        assert g.steps[u(g, name)] == 1
        assert has(g, name, REPLACED)
    assert g.is_remnant(u(g, "A")), "a three-step unit starts out as a Remnant"


@rule("21.1.1b")
def test_replacements_are_read_from_the_track_and_never_saved():
    g = board({}, turn=2)
    receive(g, AXIS)
    receive(g, SOVIET)
    table = g.charts.table("turns")
    for kind in REPLACEMENT_KINDS:
        assert points_left(g, AXIS, kind) == table.number(2, f"axis_{kind}")
    assert points_left(g, SOVIET, "infantry") == table.number(2, "soviet_infantry")
    g = initial({"A": INF.format("0,0") + " steps=2"}, points={"infantry": 1})
    do(g, "pass")
    assert points_left(g, AXIS, "infantry") == 0


def takes(name: str) -> set[str]:
    return set(read_counters(PACK)[name].replacements)


@rule("21.1.2a")
def test_tank_replacements_serve_tanks_and_soviet_mech_corps():
    assert takes("9Pz") == {"tank"}
    assert takes("16TC") == {"tank"}
    assert "tank" in takes("5MC")


@rule("21.1.2b")
@rule("21.1.2c")
@rule("21.1.2d")
def test_infantry_takes_infantry_cavalry_or_special_but_four_classes_take_special_alone():
    assert takes("75Inf") == {"infantry", "cavalry", "special"}
    assert takes("1Mtn") == {"special"}
    units = read_counters(PACK).values()
    for spec in units:
        if spec.type in ("nkvd", "naval", "mountain") and spec.nation in ("soviet", "german"):
            assert spec.replacements == ["special"], spec.id
        if spec.type == "cavalry" and spec.nation == "soviet":
            assert set(spec.replacements) == {"cavalry"}, spec.id
        if spec.asu and spec.nation in ("soviet", "german"):
            assert spec.replacements == ["special"], spec.id


@rule("21.1.2e")
@rule("21.1.2f")
def test_allied_replacements_serve_their_nationality_and_german_ones_never_do():
    for spec in read_counters(PACK).values():
        if spec.nation in ("romanian", "hungarian", "italian"):
            assert set(spec.replacements) <= {"rom", "hun", "ital", "axis"}, spec.id
            assert spec.nation[:3] in "".join(spec.replacements), spec.id
        elif spec.nation == "german":
            assert not {"rom", "hun", "ital", "axis"} & set(spec.replacements), spec.id
    g = initial(
        {"R": "axis 2-5-3;1-2-3 0,0 steps=1 nation=romanian replacements=rom+axis"}, points={"infantry": 1, "rom": 1}
    )
    assert refused(g, "restore R infantry") == "21.1.2"
    do(g, "restore R rom")


@rule("21.5.1")
@rule("21.5.2")
def test_panzergrenadiers_and_silhouettes_take_tank_or_special():
    assert takes("3PzG") == {"tank", "special"}
    assert takes("177+243StuG") == {"tank", "special"}
    silhouettes = [
        s for s in read_counters(PACK).values() if s.type in ("t34", "kv1", "sturmgeschuetz") and s.nation != "romanian"
    ]
    assert silhouettes
    assert all({"tank", "special"} <= set(s.replacements) for s in silhouettes)


@rule("20.9b")
def test_linden_is_never_replaced():
    assert takes("Linden") == set()
    g = initial({"Linden": "axis 3-2-3 - engineer eliminated"}, points={"special": 1, "infantry": 1})
    assert not any("Linden" in c for c in choices(g))
    assert refused(g, "revive Linden special") == "20.9"


@rule("21.2a")
@rule("16.4d")
def test_the_recipient_must_be_in_supply_now():
    g = initial(
        {
            "A": INF.format("0,0") + " steps=2",
            "X": "soviet 3-5-3 -2,0",
            "Y": "soviet 3-5-3 -2,2",
            "Z": "soviet 3-5-3 -2,-2",
        },
        points={"infantry": 1},
        boxes=[WEST],
    )
    assert why_not_restore(g, u(g, "A"), "infantry", AXIS).rule == "21.2"
    g = initial({"A": INF.format("0,0") + " steps=2 oos"}, points={"infantry": 1})
    do(g, "restore A infantry")


@rule("21.2b")
@rule("13.2.1e")
@pytest.mark.parametrize("state", ["disrupted", "full_retreat"])
def test_and_in_good_order(state):
    g = initial({"A": INF.format("0,0") + f" steps=2 {state}"}, points={"infantry": 1})
    assert refused(g, "restore A infantry") == "21.2"


@rule("21.2c")
def test_one_replacement_a_turn_for_each_unit():
    g = initial({"A": INF.format("0,0") + " steps=1"}, points={"infantry": 2})
    do(g, "restore A infantry")
    assert refused(g, "restore A infantry") == "21.2"


@rule("21.2d")
def test_one_guards_unit_a_turn():
    guards = "soviet 3-5-3;1-3-3 {} branch=guards replacements=infantry steps=1"
    g = initial(
        {
            "G": guards.format("0,0"),
            "H": guards.format("1,0"),
            "R": "soviet 3-5-3;1-3-3 2,0 steps=1 replacements=infantry",
        },
        side="soviet",
        points={"infantry": 3},
    )
    do(g, "restore G infantry")
    assert refused(g, "restore H infantry") == "21.2"
    do(g, "restore R infantry")


@rule("21.3.1b")
def test_units_return_in_a_controlled_major_city_on_a_connecting_rail_hex():
    units = {"A": INF.format("-") + " eliminated"}
    cities = {"-1,0": "major_city", "1,0": "minor_city", "0,2": "major_city"}
    g = initial(units, terrain=cities, control={"-1,0": "axis", "1,0": "axis", "0,2": "axis"}, points={"infantry": 1})
    do(g, "revive A infantry")
    assert choices(g) == {"place Z", "place -1,0"}
    g = initial(units, terrain=cities, control={"-1,0": "soviet"}, points={"infantry": 1})
    do(g, "revive A infantry")
    assert choices(g) == {"place Z"}
    assert refused(g, "place -1,0") == "21.3.1"


@rule("21.3.1c")
@rule("21.3.1d")
def test_or_with_a_supplied_hq_of_their_nation_near_a_connecting_rail_hex():
    hq = "axis S-(1)-5b {} hq"
    units = {"A": INF.format("-") + " eliminated", "R": "axis 2-5-3 - nation=romanian eliminated replacements=rom"}
    places = {
        "H": hq.format("-1,2"),
        "I": hq.format("-1,3"),
        "J": hq.format("0,-1") + " disrupted",
        "K": hq.format("1,-2") + " nation=romanian",
    }
    g = initial(units | places, points={"infantry": 1, "rom": 1})
    do(g, "revive A infantry")
    assert choices(g) == {"place Z", "place -1,2"}
    assert refused(g, "place -1,3") == "21.3.1", "three hexes from the rail"
    assert refused(g, "place 0,-1") == "21.3.1", "not in Good Order"
    do(g, "place Z", "revive R rom")
    assert choices(g) == {"place Z", "place 1,-2"}


@rule("21.3.1h")
def test_a_frozen_soviet_front_may_still_receive_units():
    units = {"A": "soviet 3-5-3 - eliminated replacements=infantry", "F": "soviet S-(1)-5b 0,0 front frozen"}
    g = initial(units, side="soviet", points={"infantry": 1})
    do(g, "revive A infantry")
    assert "place 0,0" in choices(g)


@rule("21.3.1e")
def test_never_beside_an_enemy_combat_unit():
    units = {"A": INF.format("-") + " eliminated", "H": "axis S-(1)-5b -1,0 hq", "F": "axis 3-5-3 -1,0"}
    g = initial(units | {"X": "soviet 3-5-3 0,0"}, points={"infantry": 1})
    do(g, "revive A infantry")
    assert choices(g) == {"place Z"}
    assert why_not_return(g, u(g, "A"), h(g, "-1,0")).rule == "21.3.1"


@rule("21.3.1f")
def test_soviet_tank_and_mech_corps_return_at_a_b_or_c():
    corps = "soviet 7-5-5 - tank size=corps eliminated replacements=tank"
    boxes = [NORTH, area("D", "soviet", "4,-2"), WEST]
    g = initial({"T": corps, "F": "soviet S-(1)-5b 0,0 front"}, side="soviet", points={"tank": 1}, boxes=boxes)
    assert [g.place_name(p) for p in return_places(g, u(g, "T"))] == ["A"]
    boxes = [area("G", "soviet", "4,0"), WEST]
    g = initial({"T": corps}, side="soviet", points={"tank": 1}, boxes=boxes)
    assert [g.place_name(p) for p in return_places(g, u(g, "T"))] == ["G"], "where the board has no A, B or C"


@rule("21.3.1g")
def test_each_hq_and_city_receives_one_unit_a_turn():
    units = {f"A{i}": "axis 3-5-3 - eliminated replacements=infantry" for i in range(3)}
    g = initial(units | {"H": "axis S-(1)-5b -1,0 hq"}, points={"infantry": 3})
    do(g, "revive A0 infantry", "place -1,0", "revive A1 infantry")
    assert refused(g, "place -1,0") == "21.3.1"
    both = {"terrain": {"-1,0": "major_city"}, "control": {"-1,0": "axis"}}
    g = initial(units | {"H": "axis S-(1)-5b -1,0 hq"}, points={"infantry": 3}, **both)
    do(g, "revive A0 infantry", "place -1,0", "revive A1 infantry", "place -1,0", "revive A2 infantry")
    assert refused(g, "place -1,0") == "21.3.1", "an HQ and a Major City: two units"


@rule("21.3.2")
def test_overstacking_in_the_initial_phase_is_cured_by_the_end_of_movement():
    units = {f"B{i}": "axis 3-5-3 -1,0" for i in range(3)} | {"H": "axis S-(1)-5b -1,0 hq"}
    g = initial(units | {"A": "axis 3-5-3 - eliminated replacements=infantry"}, points={"infantry": 1})
    do(g, "revive A infantry", "place -1,0", "pass")
    assert "move B0" in choices(g)
    do(g, "pass")
    assert "eliminate A" in choices(g)


@rule("21.3.3")
@rule("18.2.3d")
def test_a_revived_asu_arrives_used():
    g = initial({"H": "axis S-(1)-5b - hq back=0-(1)-5 eliminated replacements=special"}, points={"special": 1})
    do(g, "revive H special", "place Z")
    assert has(g, "H", FLIPPED)
    assert g.forces.full_steps[u(g, "H")] == 1


@rule("21.3.4")
@rule("2.3.5c")
@example("E63")
def test_a_remnant_that_receives_a_replacement_becomes_the_reduced_unit():
    g = initial({"A": INF.format("0,0")}, points={"infantry": 1})
    assert str(g.face(u(g, "A"))) == "6-7-3"
    lose_step(g, u(g, "A"), "10.3")
    assert str(g.face(u(g, "A"))) == "4-5-3"
    lose_step(g, u(g, "A"), "10.3")
    assert g.is_remnant(u(g, "A"))
    assert str(g.face(u(g, "A"))) == g.charts.remnants["infantry"].face
    do(g, "restore A infantry")
    assert str(g.face(u(g, "A"))) == "4-5-3"


@rule("10.4.3b")
def test_without_a_free_remnant_a_three_step_unit_cannot_return():
    number = 4
    panzers = {f"P{i}": "axis 10-8-6;7-6-6;R 0,0 tank remnant=panzer steps=1 replacements=tank" for i in range(number)}
    g = initial(
        panzers | {"Q": "axis 10-8-6;7-6-6;R - tank remnant=panzer eliminated replacements=tank"}, points={"tank": 2}
    )
    assert g.charts.remnants["panzer"].number == number
    assert refused(g, "revive Q tank") == "10.4.3"
    do(g, "restore P0 tank", "revive Q tank", "place Z")


@rule("21.4d")
@rule("3.B4b")
def test_markers_are_removed_in_the_recovery_phase():
    g = board({"A": "axis 3-5-3 0,0 replaced", "X": "soviet 3-5-3 3,0 replaced"})
    remove_markers(g, AXIS)
    assert not has(g, "A", REPLACED)
    assert has(g, "X", REPLACED)
    g = start({"A": "axis 3-5-3 0,0 replaced"}, phase="recovery")
    assert not has(g, "A", REPLACED)


@rule("21.4a")
def test_a_marked_unit_does_not_move_between_entry_areas():
    g = start({"A": "axis 3-5-3 Z replaced"}, boxes=[WEST, area("Y", "axis", "4,-4")])
    do(g, "move A")
    assert refused(g, "transfer Y") == "21.4"


# --- 19.4 ----------------------------------------------------------------------------------------------------------


@rule("19.4b")
@rule("19.1")
@example("E52")
def test_a_removed_leader_returns_two_turns_later():
    g = board({"L": "axis 0-0-6 0,0 leader"}, turn=3)
    eliminate(g, u(g, "L"), "19.3")
    assert g.pool[u(g, "L")] == RETURNING
    assert g.returns[u(g, "L")] == 5
    assert returning(g, AXIS) == []
    g.set_track("turn", 5)
    assert returning(g, AXIS) == [u(g, "L")]


@rule("19.4b")
@rule("19.4c")
def test_soviet_army_hqs_return_by_the_rules_of_replacements():
    g = initial({"HQ": "soviet 0-0-6 - army_hq", "F": "soviet S-(1)-5b 0,0 front"}, side="soviet", turn=5)
    g.pool[u(g, "HQ")] = RETURNING
    g.returns[u(g, "HQ")] = 5
    g.changed()
    assert {c for c in choices(g) if "HQ" in c} == {"return HQ A", "return HQ 0,0"}
    assert refused(g, "pass") == "22.1.2"
    do(g, "return HQ 0,0")
    assert at(g, "HQ") == "0,0"
    assert why_not_kind(g, u(g, "HQ"), "special").rule == "19.4"
    assert g.pool[u(g, "HQ")] != ELIMINATED


@rule("19.4c")
@rule("21.3.1g")
def test_an_hq_that_took_in_a_returning_leader_takes_no_other_unit():
    units = {"L": "soviet 0-0-6 - leader", "F": "soviet S-(1)-5b 0,0 front"}
    units |= {"E": "soviet 3-5-3 - eliminated replacements=infantry"}
    g = initial(units, side="soviet", turn=5)
    g.pool[u(g, "L")] = RETURNING
    g.returns[u(g, "L")] = 5
    g.points[len(REPLACEMENT_KINDS) + REPLACEMENT_KINDS.index("infantry")] = 1
    g.changed()
    do(g, "return L 0,0", "revive E infantry")
    assert choices(g) == {"place A"}
