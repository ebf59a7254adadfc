"""22.0 Reinforcements and Entry Areas (what chapter 5 does not test)."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from kessel.core.procedure import run
from kessel.games.stalingrad42.combat.strength.eligibility import why_not_join_attack, why_not_mix
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET, read_counters
from kessel.games.stalingrad42.data.scenario import Arrival, Entrant, read_scenario
from kessel.games.stalingrad42.movement.ways.stacking import stack_excess

from .helpers import PACK, area, ask, at, board, choices, do, h, read, refused, rule, start, u

CAMPAIGN = read_scenario(PACK, "campaign")
UNITS = read_counters(PACK)


def areas_of(name: str) -> set[str]:
    return {x for a in CAMPAIGN.arrivals for e in a.units if e.id == name for x in a.areas}


@rule("22.1.1a")
@rule("22.1.1b")
@rule("22.1.1c")
def test_arrivals_use_the_areas_of_their_code():
    for a in CAMPAIGN.arrivals:
        for e in a.units:
            code = UNITS[e.id].arrival
            if a.side == AXIS:
                assert set(a.areas) <= set("WXYZ"), e.id
            elif code.endswith("C"):
                assert set(a.areas) == set("GHJKL"), e.id
            elif UNITS[e.id].type != "reserve_army":
                assert set(a.areas) == set("ABC"), e.id


def arrive(arrival, units, **more):
    boxes = [area("A", "soviet", "4,0"), area("B", "soviet", "4,-1"), area("Z", "axis", "-4,0")]
    g = board(units, boxes=more.pop("boxes", boxes), phase="initial", **more)
    g.scenario = dataclasses.replace(g.scenario, arrivals=(arrival,))
    run(g)
    return g


@rule("22.1.2a")
@rule("3.B1f")
def test_reinforcements_are_placed_in_the_initial_phase():
    arrival = Arrival(5, SOVIET, ("A", "B"), (Entrant("R"), Entrant("S", 1)), "22.1")
    g = arrive(arrival, {"R": "soviet 3-5-3 -", "S": "soviet 3-5-3;1-3-3 -"}, turn=5, side="soviet")
    assert {"arrive R A", "arrive R B", "arrive S A", "arrive S B"} <= choices(g)
    assert refused(g, "pass") == "22.1.2"
    do(g, "arrive R B", "arrive S A")
    assert (at(g, "R"), at(g, "S"), g.steps[u(g, "S")]) == ("B", "A", 1)
    do(g, "pass", "move R")
    assert "to 4,-1 normal" in choices(g)
    assert "transfer A" in choices(g)
    g = arrive(arrival, {"R": "soviet 3-5-3 -", "S": "soviet 3-5-3;1-3-3 -"}, turn=4, side="soviet")
    assert not any(c.startswith("arrive") for c in choices(g))


@rule("22.1.3")
def test_triangle_units_begin_the_campaign_reduced():
    reduced = {s.id for s in UNITS.values() if s.start_steps and s.start_steps < len(s.faces)}
    assert {"44Inf", "23Pz", "68Inf", "14Pz"} <= reduced
    for _, e in CAMPAIGN.setup:
        spec = UNITS[e.id]
        if spec.id in reduced and spec.arrival == "start":
            assert e.steps == spec.start_steps, e.id


@rule("22.2")
def test_the_campaigns_entry_areas():
    assert {k for k, v in CAMPAIGN.sides.items() if v == "soviet"} == set("ABCDEFGHJKL")
    assert {k for k, v in CAMPAIGN.sides.items() if v == "axis"} == set("WXYZ")


@rule("22.4a")
def test_entry_areas_have_no_stacking_limit():
    g = start({f"A{i}": "axis 3-5-3 Z" for i in range(9)}, boxes=[area("Z", "axis", "-4,0")])
    assert stack_excess(g, h(g, "Z"), AXIS) == 0
    do(g, "pass")
    assert all(at(g, f"A{i}") == "Z" for i in range(9))


@rule("22.4b")
@rule("22.4c")
def test_units_in_an_entry_area_cannot_be_attacked_and_are_adjacent_to_nobody():
    units = {"A": "axis 3-5-3 Z", "X": "soviet 9-5-3 -4,0"}
    g = start(units, boxes=[area("Z", "axis", "-4,0")], side="soviet", phase="combat")
    assert not any(c.startswith("attack") for c in choices(g))
    from kessel.games.stalingrad42.movement.ways.zones import next_to_enemies

    assert next_to_enemies(g, SOVIET) == 0


@rule("22.6.1b")
@rule("22.7a")
@pytest.mark.parametrize(("transfer", "may"), [(False, True), (True, False)])
def test_unmoved_units_attack_onto_the_map_and_transferred_ones_do_not(transfer, may):
    boxes = [area("Z", "axis", "-4,0"), area("Y", "axis", "-4,4")]
    g = start({"A": f"axis 9-8-6 {'Y' if transfer else 'Z'} tank", "X": "soviet 3-5-3 -4,0"}, boxes=boxes)
    if transfer:
        do(g, "move A", "transfer Z")
    do(g, "pass")
    assert ("attack -4,0" in choices(g)) is may


@rule("22.3.2a")
def test_attackers_at_the_edge_count():
    g = start({"A": "axis 9-8-6 Z tank", "X": "soviet 3-5-3 -3,0"}, boxes=[area("Z", "axis", "-4,0")])
    do(g, "move A", "to -4,0 normal")
    assert at(g, "A") == "-4,0"


@rule("23.4f")
@rule("24.1.3b")
@pytest.mark.parametrize(
    ("box", "turn", "enemy", "state"),
    [("K", 27, "", "in supply"), ("K", 28, "", "isolated"), ("G", 5, "", "in supply"), ("G", 5, "G", "isolated")],
)
def test_an_entry_area_that_may_not_be_used_gives_no_supply(box, turn, enemy, state):
    units = {"X": "soviet 3-3-3 1,0"} | ({"A": f"axis 1-1-1 {enemy}"} if enemy else {})
    g = board(units, hexes="0,0 1,0", boxes=[area(box, "soviet", "0,0")], turn=turn)
    assert ask(g, "supply", unit="X")["state"] == state


def kerch(side: str = "axis") -> list[dict[str, object]]:
    return [area("Z", side, "-4,0"), area("W", side, "") | {"facts": {"kerch": True}}]


@rule("18.6.1")
@rule("21.3.1a")
@rule("22.2")
def test_entry_area_w_takes_supply_points_and_returning_units():
    units = {"P": "axis 0-0-5 - supply back=S-0-T", "E": "axis 4-5-3 - replacements=infantry eliminated"}
    g = start(units, boxes=kerch(), phase="initial", turn=10)
    assert {"supply W", "supply Z"} <= choices(g)
    do(g, "revive E infantry")
    assert choices(g) >= {"place W", "place Z"}


@rule("23.4f")
def test_no_supply_point_is_placed_in_a_closed_area():
    boxes = [area("K", "soviet", "-4,0"), area("J", "soviet", "4,0")]
    g = start({"P": "soviet 0-0-5 - supply back=S-0-T"}, boxes=boxes, phase="initial", side="soviet", turn=28)
    assert "supply J" in choices(g)
    assert refused(g, "supply K") == "23.4"


@rule("22.7a")
@rule("22.6.1b")
@pytest.mark.parametrize(
    ("word", "why"),
    [("moved", "22.7"), ("disrupted", "13.2.1"), ("full_retreat", "13.3.2"), ("train", "5.6.4"), ("replaced", "21.4")],
)
def test_the_rule_that_keeps_a_unit_in_its_area_from_attacking_is_told(word, why):
    units = {"A": f"axis 10-8-6 X tank {word}", "S": "soviet 3-5-3 -4,2"}
    g = start(units, boxes=[area("X", "axis", "-4,0 -4,1 -4,2 -4,3 -4,4")], phase="combat")
    assert refused(g, "attack -4,2") == why


def test_axis_allies_and_the_edge_of_an_entry_area():
    g = board({"R": "axis 3-3-3 1,0 nation=romanian", "H": "axis 3-3-3 1,0 nation=hungarian", "G": "axis 3-3-3 1,0"})
    a, b, c = (u(g, n) for n in ("R", "H", "G"))
    assert why_not_mix(g, (a, b), h(g, "0,0")).rule == "20.5.1"
    assert why_not_mix(g, (a, c), h(g, "0,0")) is None
    units = {f"E{i}": "axis 3-3-3 Z" for i in range(8)} | {"X": "soviet 3-5-3 -3,0"}
    g = board(units, boxes=[area("Z", "axis", "-3,0")], radius=3)
    every = tuple(u(g, f"E{i}") for i in range(8))
    open_sides = sum(1 for n in g.map.grid.neighbours[h(g, "-3,0")] if n < 0)
    assert why_not_mix(g, every[: min(8, 3 * open_sides)], h(g, "-3,0")) is None
    units = {f"E{i}": "axis 3-3-3 Z" for i in range(12)} | {"X": "soviet 3-5-3 -3,0"}
    g = board(units, boxes=[area("Z", "axis", "-3,0")], radius=3)
    every = tuple(u(g, f"E{i}") for i in range(3 * open_sides + 1))
    assert why_not_mix(g, every, h(g, "-3,0")).rule == "22.7"


def test_units_of_an_entry_area_that_moved_do_not_attack():
    units = {"E": "axis 9-3-3 Z moved", "F": "axis 9-3-3 Z", "X": "soviet 3-5-3 -3,0"}
    g = board(units, boxes=[area("Z", "axis", "-3,0")], radius=3)
    assert why_not_join_attack(g, u(g, "E")).rule == "22.7"
    assert why_not_join_attack(g, u(g, "F")) is None


def test_nobody_attacks_out_of_an_enemy_entry_area():
    units = {"A": "axis 9-3-3 G", "X": "soviet 3-5-3 -3,0"}
    g = board(units, boxes=[area("G", "soviet", "-3,0")], radius=3)
    assert why_not_join_attack(g, u(g, "A")).rule == "22.7"


@rule("22.7a")
def test_an_advance_from_an_entry_area_into_an_enemy_hex_or_bond():
    from kessel.games.stalingrad42.combat.after.advance_paths import Trip, why_not_step

    units = {"A": "axis 9-8-6 Z", "Y": "soviet 3-5-3 -3,1"}
    g = board(units, boxes=[area("Z", "axis", "-3,0 -3,1 -3,2")], radius=3)
    trip = Trip(g.place[u(g, "A")], 2)
    assert why_not_step(g, u(g, "A"), trip, h(g, "-3,1")).rule == "5.1"
    assert why_not_step(g, u(g, "A"), trip, h(g, "-3,2")) is None
    assert why_not_step(g, u(g, "A"), trip, h(g, "0,0")).rule == "22.7"


def in_area(at: str, side: str = "axis", **more: Any) -> Any:
    doc = {"game": "stalingrad42", "units": [{"id": "24Pz" if side == "axis" else "16TC", "at": at}], "side": side}
    return read(doc | {"turn": 10} | more)


@rule("22.6.2")
@rule("22.6.3")
def test_the_question_moves_knows_the_ways_between_entry_areas():
    g = in_area("A", "soviet")
    assert ask(g, "moves", unit="16TC", to="F")["mode"] == "transfer"
    assert ask(g, "moves", unit="16TC", to="E")["mode"] == "transfer"
    assert ask(g, "moves", unit="16TC", to="G")["mode"] == "rail", "through the whole of southern Russia"
    assert ask(g, "moves", unit="16TC", to="G", mode="transfer")["refusal"]["rule"] == "22.6.3"
    assert ask(g, "moves", unit="16TC", to="Z")["refusal"]["rule"] == "22.6.1"
