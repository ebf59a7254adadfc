"""Readings a game can be started with: each switch does what it says, and every switch is read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from kessel.core.breakdown import Refusal
from kessel.games import stalingrad42
from kessel.games.stalingrad42.columns import FROZEN, RETREATED, RETURNING
from kessel.games.stalingrad42.combat.auto_ds import contributors
from kessel.games.stalingrad42.combat.strength.air import air_bases, available_air, is_romanian
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.movement.rail import ends as rail_ends
from kessel.games.stalingrad42.movement.rail import why_not_end as why_not_rail
from kessel.games.stalingrad42.movement.ways.modes import exit_cost
from kessel.games.stalingrad42.turn.replacements import why_not_return
from kessel.games.stalingrad42.turn.victory import has_enough_for_baku

from .asked import Fight, retreats, strip, supply
from .helpers import SWITCHES, area, board, choices, do, h, has, rule, start, u
from .test_20_special_units import GARRISON, waiting


def test_every_switch_is_read_somewhere():
    sources = "".join(p.read_text() for p in Path(stalingrad42.__file__).parent.rglob("*.py"))
    read = set(re.findall(r"""reads\(["']([a-z0-9_]+)["']""", sources))
    assert set(SWITCHES) <= read


def reading(name: str, choice: str) -> dict[str, Any]:
    return {"options": {name: choice}}


@rule("12.1.4")
@rule("4.4b")
def test_overstacking_after_a_disengagement():
    units = {k: f"axis 3-5-3 -2,0 type={t}" for k, t in (("B", "infantry"), ("C", "infantry"), ("D", "jaeger"))}
    units |= {"A": "axis 3-5-3 -1,0", "X": "soviet 3-5-3 0,0"}

    def after(**more: Any) -> Any:
        g = start(units, dice=[6], phase="combat", **more)
        do(g, "disengage A")
        do(g, next(c for c in choices(g) if c.endswith("by -2,0")))
        assert has(g, "A", RETREATED)
        if "pass" in choices(g):
            do(g, "pass")
        return g

    assert not any(c.startswith("eliminate") for c in choices(after()))
    g = after(**reading("overstack_after_disengagement", "at_once"))
    assert {c for c in choices(g) if c.startswith("eliminate")} == {f"eliminate {k}" for k in "ABCD"}


@rule("12.1.4")
@rule("4.4b")
def test_what_did_not_retreat_is_corrected_at_once():
    units = dict.fromkeys("ABCDE", "axis 3-5-3 -2,0") | {"X": "soviet 3-5-3 -1,0"}
    g = start(units, dice=[6] * 9, phase="combat")
    g.set_status(u(g, "A"), RETREATED)
    do(g, "pass")
    assert {c for c in choices(g) if c.startswith("eliminate")} == {f"eliminate {k}" for k in "BCDE"}
    do(g, "eliminate B")
    assert not any(c.startswith("eliminate") for c in choices(g)), "A may wait"


@rule("16.5.4a")
def test_pitomnik():
    pocket: dict[str, Any] = {"hexes": {"7,0": {}, "8,0": {"features": ["landmark", "airfield"]}}}
    units = {"A": "axis 3-5-3 8,0", "X": "soviet 3-5-3 7,0"}
    assert supply(units, **pocket)["attrition_modifier"]["total"] == 0
    assert supply(units, **pocket, **reading("pitomnik", "on"))["attrition_modifier"]["total"] == 1
    plain: dict[str, Any] = {"hexes": {"7,0": {}, "8,0": {"features": ["landmark"]}}}
    assert supply(units, **plain, **reading("pitomnik", "on"))["attrition_modifier"]["total"] == 0


@rule("5.6.3f")
def test_trains_in_an_entry_area():
    line: dict[str, Any] = {
        "links": [("rail", "-4,0 -3,0 -2,0 -1,0")],
        "boxes": [area("Z", "axis", "-4,0")],
        "repaired": "all",
    }
    units = {"A": "axis 3-5-3 -1,0", "B": "axis 3-5-3 Z train", "S": "axis 0-0-5 -2,0 supply"}

    def ways(name: str, **more: Any) -> tuple[bool, Refusal | None]:
        g = board(units, **line, **more)
        z = g.map.place("Z")
        return z in rail_ends(g, u(g, name)), why_not_rail(g, u(g, name), z)

    assert ways("A") == (True, None)
    may_not = reading("railed_in_entry_area", "may_not")
    listed, why = ways("A", **may_not)
    assert not listed
    assert why is not None
    assert ways("S", **may_not) == (True, None), "only Combat Units"


@rule("20.4")
def test_what_sets_a_garrison_free():
    units = {"S": "soviet 1-3-3 8,0 groups=garrison frozen", "A": "axis 20-8-6 2,0 tank", "X": "soviet 0-2-3 3,0"}

    def freed(phase: str, **more: Any) -> bool:
        from kessel.games.stalingrad42.movement.special_units import axis_entered

        g = waiting([GARRISON], units, phase=phase, **more)
        axis_entered(g, [u(g, "A")], h(g, "3,0"))
        return not has(g, "S", FROZEN)

    assert freed("movement")
    assert freed("combat")
    movement = reading("frozen_trigger", "movement")
    assert freed("movement", **movement)
    assert not freed("combat", **movement)


@rule("9.3.5a")
def test_air_bases():
    g_of = {
        "links": [("rail", "-4,0 -3,0 -2,0 -1,0")],
        "boxes": [area("Z", "axis", "-4,0")],
        "repaired": "all",
        "features": {"-2,0": ["town"], "-1,0": ["landmark"], "2,0": ["town"]},
        "terrain": {"-3,0": "minor_city"},
        "control": {"-3,0": "axis"},
    }

    def bases(**more: Any) -> set[str]:
        g = board({}, **g_of, **more)
        return {n for n in ("-3,0", "-2,0", "-1,0", "2,0") if air_bases(g) >> h(g, n) & 1}

    assert bases() == {"-3,0", "-2,0", "-1,0"}
    assert bases(**reading("air_base_control", "city")) == {"-3,0"}


@rule("8.6.1a")
def test_who_adds_to_an_automatic_ds():
    units = {
        "A": "axis 9-8-6 1,0",
        "B": "axis 9-8-6 1,0 disrupted",
        "C": "axis 9-8-6 0,1 auto_ds",
        "D": "axis 0-8-6 0,1",
        "E": "axis 9-8-6 2,0",
        "S": "axis 0-0-5 1,0 supply",
        "X": "soviet 1-1-3 0,0",
        "Y": "soviet 1-1-3 -1,0",
    }

    def who(**more: Any) -> set[str]:
        g = board(units, **more)
        return {g.id(x) for x in contributors(g, h(g, "0,0"), AXIS)}

    assert who() == {"A"}
    assert who(**reading("auto_ds_who", "any")) == {"A", "B"}
    lake = reading("auto_ds_who", "any") | {"hexsides": {"0,0|1,0": "lake"}}
    assert who(**lake) == set()


@rule("8.1g")
def test_bonds_and_attacks():
    units = {"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0", "Y": "soviet 3-5-3 2,-1", "Z": "soviet 3-5-3 1,1"}
    assert Fight(units).legal
    for near, legal in (({"Y": "soviet 3-5-3 1,-1", "Z": "soviet 3-5-3 -1,1"}, True),):
        assert Fight(units | near, **reading("bonds_bar_attacks", "yes")).legal == legal
    across = {"A": "axis 9-8-6 1,0", "T": "soviet 3-5-3 0,1", "X": "soviet 3-5-3 0,0", "Y": "soviet 3-5-3 1,1"}
    g = board(across, **reading("bonds_bar_attacks", "yes"))
    from kessel.games.stalingrad42.combat.strength.eligibility import why_not_way

    why = why_not_way(g, u(g, "A"), h(g, "0,1"))
    assert why is not None
    assert why.rule == "8.1"
    assert why_not_way(g, u(g, "A"), h(g, "0,0")) is None
    assert why_not_way(board(across), u(g, "A"), h(g, "0,1")) is None


@rule("16.3.4a")
def test_who_takes_control():
    for word, taken in (("steady_combat", False), ("any", True)):
        held = {"vp": {"-1,0": 1}, "control": {"-1,0": "soviet"}}
        g = start({"A": "axis 0-0-5b -2,0 supply"}, **held, **reading("control_takers", word))
        do(g, "move A", "step -1,0 normal", "halt")
        assert (g.controller(h(g, "-1,0")) == AXIS) is taken


@rule("16.3.2a")
def test_the_first_road_hex():
    road: dict[str, Any] = {
        "boxes": [area("Z", "axis", "-4,0")],
        "links": [("secondary", "3,0 2,0 1,0 0,0 -1,0 -2,0 -3,0 -4,0")],
    }
    for word, place, state in (
        ("counts", "8,0", "in supply"),
        ("counts", "9,0", "out of supply"),
        ("free", "9,0", "in supply"),
        ("free", "10,0", "out of supply"),
    ):
        found = supply({"A": f"axis 3-5-3 {place}"}, hexes=strip(), **road, **reading("first_road_hex", word))
        assert found["state"] == state


@rule("5.5.3d")
def test_the_flotilla_at_the_limit():
    for word, listed in (("either", True), ("both", False)):
        g = start(
            {},
            hexes="5622 5623 5722 5723",
            hexsides={"5622|5723": "volga"},
            side="soviet",
            **reading("flotilla_hexside", word),
        )
        assert any(c.startswith("flotilla") for c in choices(g)) is listed


@rule("13.3.1b")
def test_who_leaves_a_zone_for_free():
    units = {
        "A": "axis 3-5-3 -1,0 full_retreat",
        "B": "axis 3-5-3 -1,0 full_retreat chose_retreat",
        "C": "axis 3-5-3 -1,0",
    }
    for word, free in (("voluntary", {"B"}), ("all", {"A", "B"})):
        g = board(units, **reading("full_retreat_exit", word))
        assert {k for k in units if not exit_cost(g, u(g, k))} == free


@rule("12.1.3d")
def test_a_paid_retreat_and_its_distance():
    units = {"X": "soviet 6-6-3;4-5-3;2-3-3 0,0", "A": "axis 9-8-6 -1,0", "F": "soviet 3-5-3 1,0"}
    for word, kind in (("exact", None), ("any", "paid")):
        found = retreats(units, 3, **reading("pay_bent", word))
        assert found is not None
        assert "1,0" in found or kind is None
    bent = {"X": "soviet 6-6-3;4-5-3;2-3-3 0,0", "A": "axis 9-8-6 -1,0", "F": "soviet 3-5-3 0,1"}
    assert (retreats(bent, 3) or {}).get("0,1") == "paid", "one hex away for two steps"
    one = bent | {"X": "soviet 6-6-3;4-5-3 0,0"}
    assert "0,1" not in (retreats(one, 3) or {}), "two hexes lead one hex away: not exact"
    assert (retreats(one, 3, **reading("pay_bent", "any")) or {}).get("0,1") == "paid"


@rule("23.2.2a")
def test_romanian_air_on_overcast_turns():
    for word, flies in (("no", False), ("yes", True)):
        for weather in ("clear", "overcast", "rain"):
            g = board({}, turn=20, weather=weather, **reading("romanian_air_overcast", word))
            found = any(is_romanian(g, a) for a in available_air(g))
            assert found == (weather == "clear" or (weather == "overcast" and flies))


@rule("23.4j")
def test_winter_with_other_penalties():
    winter: dict[str, Any] = {"turn": 28} | reading("winter_and_states", "winter_only")
    assert Fight({"A": "axis 9-8-6 1,0 oos", "X": "soviet 3-5-3 0,0"}, **winter).attack == 8
    found = Fight({"A": "soviet 9-5-3 1,0", "X": "axis 4-5-3 0,0 disrupted"}, side="soviet", **winter)
    assert found.defense == 4


@rule("24.1.2c")
def test_halves_on_the_way_to_baku():
    pz, inf, rom = (
        "axis 10-8-6;7-6-6;R 0,0 tank remnant=panzer",
        "axis 6-7-3;4-5-3;R 0,0 remnant=infantry",
        "axis 2-5-3;1-2-3 0,0 nation=romanian",
    )
    whole = {"P": pz, **{f"I{i}": inf for i in range(4)}}
    halves = {"P": pz, **{f"I{i}": inf for i in range(3)}, "R": rom, "S": rom}
    reduced = {"P": pz, **{f"I{i}": inf for i in range(3)}, "R": inf + " steps=2", "S": inf + " steps=2"}
    for units, by_sum, by_whole in ((whole, True, True), (halves, True, False), (reduced, True, False)):
        for word, enough in (("sum", by_sum), ("whole", by_whole)):
            g = board(units, **reading("baku_halves", word))
            assert has_enough_for_baku(g, list(range(len(units)))) is enough


@rule("34.2b")
def test_where_a_reserve_army_returns():
    units = {"R": "soviet 0-0-3 - reserve_army", "F": "soviet S-(1)-5b 0,0 front"}
    more: dict[str, Any] = {
        "boxes": [area("A", "soviet", "4,0")],
        "links": [("primary", "0,0 1,0 2,0 3,0 4,0"), ("rail", "0,0 1,0 2,0 3,0 4,0")],
    }
    for word, refused in (("any_area", "34.2"), ("replacement", None)):
        g = board(units, **more, **reading("reserve_army_return", word))
        g.pool[u(g, "R")] = RETURNING
        why = why_not_return(g, u(g, "R"), h(g, "0,0"))
        assert (why.rule if why else None) == refused
        assert why_not_return(g, u(g, "R"), g.map.place("A")) is None


@rule("33.2.1b")
def test_more_than_two_planned_offensives():
    from .test_32_removals import HQS, offensive

    for word, number in (("lost", 2), ("kept", 3)):
        g = offensive(26, {"F": HQS["F"] + " offensives=1"}, **reading("planned_offensive_excess", word))
        do(g, "winter_offensive", "offensive I")
        if word == "kept":
            do(g, "offensive I")
        assert sum(n // 16 for n in g.offensives) == number
        assert not any(c.startswith("offensive") for c in choices(g))


@rule("S4.4b")
@pytest.mark.parametrize(("word", "ends"), [("axis_turn", True), ("turn_end", False)])
def test_when_the_points_of_turn_28_are_counted(word, ends):
    from kessel.games.stalingrad42.data.scenario import Gate, Victory
    from kessel.games.stalingrad42.turn.victory import end_of_axis_turn

    from .test_24_victory import vp

    g = vp(scenario={"victory": Victory(axis_vp=21, gate=Gate(28, 24))}, turn=28, **reading("gate_turn_28", word))
    end_of_axis_turn(g)
    assert bool(g.result) is ends


@rule("12.2e")
@rule("12.2i")
def test_the_one_more_hex_into_an_entry_area():
    where = {"board_hexes": strip("-3,1", begin=-2, end=1), "boxes": [area("A", "soviet", "-2,0")]}
    units = {"X": "soviet 3-5-3 0,0", "A": "axis 5-5-3 1,0", "B": "axis 5-5-3 -3,1"}
    assert retreats(units, 2, **where) is None, "it ends next to an enemy"
    assert retreats(units, 2, **where, **reading("extra_area", "yes")) == {"A": "extra hex"}
    assert retreats(units, 3, **where) == {"A": "entry area"}


@rule("8.1a")
@rule("13.3.2f")
def test_a_hex_of_units_in_full_retreat_alone():
    units = {"A": "axis 5-5-3 1,0", "X": "soviet 3-5-3 0,0 full_retreat", "Y": "soviet 3-5-3 3,0"}
    found = Fight(units)
    assert found.legal
    assert found.column == "automatic"
    found = Fight(units, **reading("full_retreat_attacked", "no"))
    assert found.refused == ["13.3.2"]
    more = units | {"Z": "soviet 3-5-3 0,0"}
    assert Fight(more, **reading("full_retreat_attacked", "no")).legal, "with others they are attacked as before"
