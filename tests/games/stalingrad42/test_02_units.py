"""1.0-2.0 Sides, dice and what is printed on the counters."""

from __future__ import annotations

import pytest

from kessel.core.errors import BadInput
from kessel.games.stalingrad42 import TITLE
from kessel.games.stalingrad42.data.charts import charts
from kessel.games.stalingrad42.data.forces import AXIS_ALLIES, SOVIET, Forces, parse_face, read_counters
from kessel.games.stalingrad42.movement.ways.stacking import is_tank_or_mech_corps

from .helpers import PACK, board, rule, u

UNITS = read_counters(PACK)
FORCES = Forces([*UNITS.values()], charts(PACK))


@rule("1.0")
def test_two_sides():
    assert TITLE.sides == ("axis", "soviet")
    assert {FORCES.side[x] for x in range(len(FORCES))} == {0, 1}


@rule("2.1")
def test_all_rolls_are_six_sided():
    from kessel.core.dice import Dice

    g = board({})
    g.dice = Dice(5)
    assert {g.die() for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    assert {r.sides for r in g.dice.take()} == {6}


@rule("2.3.1a")
@rule("2.3.1b")
@rule("19.1")
def test_a_defense_above_zero_makes_a_combat_unit_even_in_parentheses():
    for name, combat in (("75Inf", True), ("2A-HQ", True), ("AxSP1", False), ("1GdsA-HQ", False), ("Manstein", False)):
        assert bool(FORCES.combat[FORCES.unit(name)]) is combat, name
    non_combat = {FORCES.type[x] for x in range(len(FORCES)) if not FORCES.combat[x]}
    assert non_combat == {"supply", "army_hq", "leader", "reserve_army"}


@rule("2.3.2a")
@rule("2.3.2b")
@rule("2.3.2d")
def test_attack_defense_and_movement_allowance_in_this_order():
    assert parse_face("10-8-6")[:3] == (10, 8, 6)
    assert parse_face("S-(1)-5b") == (0, 1, 5, True, True, 0, True, False)
    assert parse_face("5[10]-5-4").doubled_attack == 10
    assert parse_face("S-0-T").tactical_only
    for text in ("10-8", "x-1-2", "1-2-3c", ""):
        with pytest.raises(BadInput):
            parse_face(text)
    for spec in UNITS.values():
        for face in spec.faces:
            if face != "R":
                assert str(parse_face(face)) == face


@rule("2.3.2e")
@rule("2.3.2f")
@rule("2.3.2g")
def test_troop_quality():
    def quality(name: str) -> int:
        return FORCES.quality[FORCES.unit(name)]

    assert quality("9Pz") == 1
    assert quality("6HunL") == -1
    assert quality("75Inf") == 0
    guards = [x for x in range(len(FORCES)) if FORCES.branch[x] == "guards"]
    assert guards
    assert all(FORCES.quality[x] == 1 for x in guards)
    g = board({"G": "soviet 3-5-3 0,0 branch=guards low"})
    assert g.forces.quality[u(g, "G")] == 1


@rule("2.3.2h")
def test_quality_is_read_only_by_determined_defense_rally_and_removals():
    import ast
    from pathlib import Path

    import kessel.games.stalingrad42 as package

    users = set()
    for path in Path(package.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and node.attr == "quality":
                users.add(path.stem)
    assert users <= {"forces", "defense", "recovery", "removals", "view", "evaluate"}


@rule("2.3.2i")
def test_size_is_kept_for_the_rules_that_ask_for_it():
    assert FORCES.size[FORCES.unit("16TC")] == "corps"
    assert FORCES.size[FORCES.unit("75Inf")] == "division"
    g = board({"C": "soviet 7-5-5 0,0 tank size=corps"})
    assert is_tank_or_mech_corps(g, u(g, "C"))


@rule("2.3.3a")
@rule("2.3.3b")
def test_types_are_mechanized_or_not_and_of_infantry_type_or_not():
    table = charts(PACK).unit_types
    foot = {k for k, t in table.items() if not t.mech}
    assert foot == {
        *(
            "infantry",
            "security",
            "jaeger",
            "naval",
            "mountain",
            "bicycle",
            "nkvd",
            "engineer",
            "cavalry",
            "sturm",
            "ski",
        ),
        "reserve_army",
    }
    dagger = {k for k, t in table.items() if t.infantry_type}
    assert dagger == foot - {"reserve_army"} | {"mechanized", "motorized"}
    for x in range(len(FORCES)):
        assert bool(FORCES.mech[x]) == table[FORCES.type[x]].mech, FORCES.ids[x]


@rule("2.3.3d")
def test_only_dotted_units_are_tank_units():
    for x in range(len(FORCES)):
        if FORCES.dot[x] == "red":
            assert FORCES.side[x] != SOVIET, "red dots are Axis"
        if FORCES.dot[x] in ("black", "red"):
            assert FORCES.mech[x], FORCES.ids[x]


@rule("2.3.4")
@rule("20.5")
def test_nationalities_and_axis_allies():
    assert AXIS_ALLIES == ("romanian", "hungarian", "italian", "slovak", "croat", "caucasian")
    assert FORCES.is_ally(FORCES.unit("1Rom"))
    assert not FORCES.is_ally(FORCES.unit("75Inf"))
    assert {FORCES.nation[x] for x in FORCES.of_side(SOVIET)} == {"soviet"}


@rule("2.3.5a")
@rule("2.3.5b")
def test_units_have_one_two_or_three_steps_with_a_face_for_each():
    assert {FORCES.full_steps[x] for x in range(len(FORCES))} == {1, 2, 3, 4}
    assert [FORCES.ids[x] for x in range(len(FORCES)) if FORCES.full_steps[x] == 4] == ["Wiking-T13"]
    for x in range(len(FORCES)):
        assert len(FORCES.faces[x]) == FORCES.full_steps[x] + 1


@rule("18.2.1a")
def test_asus_are_artillery_divisions_front_hqs_and_axis_army_hqs():
    kinds = {(FORCES.asu[x], FORCES.side[x]) for x in range(len(FORCES)) if FORCES.asu[x]}
    assert kinds == {("army_hq", 0), ("front_hq", 1), ("artillery_division", 1)}


@rule("20.2a")
@rule("20.3")
@rule("20.4")
@rule("20.6a")
@rule("20.7")
@rule("20.8a")
def test_the_numbers_of_special_units():
    groups = [g for x in range(len(FORCES)) for g in FORCES.groups[x]]
    assert sum(FORCES.mountain) == 11
    assert groups.count("nkvd") == 8
    assert groups.count("garrison") == 12
    assert groups.count("bluecher") == 5
    assert groups.count("volunteer") == 6
    assert groups.count("north_caucasus") == 17, "fifteen units and two Front HQs"
    assert sum(t == "army_hq" for t in FORCES.type) == 3
    assert sum(t == "reserve_army" for t in FORCES.type) == 6
