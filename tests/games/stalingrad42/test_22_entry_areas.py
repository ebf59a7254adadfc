"""22.0 Reinforcements and Entry Areas (what chapter 5 does not test)."""

from __future__ import annotations

import dataclasses

import pytest

from kessel.core.procedure import run
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET, read_counters
from kessel.games.stalingrad42.data.scenario import Arrival, Entrant, read_scenario
from kessel.games.stalingrad42.movement.ways.stacking import stack_excess

from .helpers import PACK, area, ask, at, board, choices, do, h, refused, rule, start, u

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
