"""20.0 Special units that wait, arrive or stack in a way of their own."""

from __future__ import annotations

import dataclasses

import pytest

from kessel.core.dice import Scripted
from kessel.core.procedure import run
from kessel.games.stalingrad42.columns import ARRIVED, FROZEN
from kessel.games.stalingrad42.combat.after.advance_paths import why_not_advance
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.data.scenario import Entrant, Frozen
from kessel.games.stalingrad42.movement.ways.stacking import stack_excess

from .helpers import PACK, at, board, choices, do, h, has, read, refused, rule, start, u

GARRISON = Frozen("garrisons", "20.4", ("S", "T"), ({"kind": "axis_within", "distance": 5},))


def waiting(groups, units, **more):
    more = {"radius": 8} | more
    areas = more.pop("areas_", None)
    from .helpers import position, read

    doc = position(units, **more)
    if areas:
        doc["board"]["areas"] = areas
    g = read(doc)
    g.scenario = dataclasses.replace(g.scenario, frozen=tuple(groups))
    g.changed()
    from kessel.core.procedure import run

    g.events = []
    run(g)
    return g


@rule("20.4")
def test_a_garrison_stays_until_an_axis_combat_unit_comes_within_five_hexes():
    units = {
        "S": "soviet 1-3-3 8,0 groups=garrison frozen",
        "T": "soviet 1-3-3 -1,8 groups=garrison frozen",
        "A": "axis 10-8-6 -3,0 tank",
        "P": "axis 0-0-5b 2,0 supply",
    }
    g = waiting([GARRISON], units, side="soviet")
    assert refused(g, "move S") == "20.4"
    g = waiting([GARRISON], units)
    do(g, "move P", "to 5,0 normal")
    assert has(g, "S", FROZEN), "a Non-Combat Unit does not count"
    do(g, "move A", "to 2,0 normal")
    assert has(g, "S", FROZEN), "six hexes"
    g = waiting([GARRISON], units)
    do(g, "move A", "to 3,0 normal")
    assert not has(g, "S", FROZEN)
    assert has(g, "T", FROZEN), "each by itself"


@rule("20.4")
def test_passing_by_is_enough():
    units = {"S": "soviet 1-3-3 8,0 groups=garrison frozen", "A": "axis 10-8-6 2,0 tank"}
    g = waiting([GARRISON], units)
    do(g, "move A", "step 3,0 normal", "step 2,0 normal", "halt")
    assert not has(g, "S", FROZEN)


NORTH_CAUCASUS = Frozen(
    "north_caucasus", "20.6", ("S",), ({"kind": "don_crossed"}, {"kind": "stalingrad_within", "distance": 5})
)


@rule("20.6a")
def test_the_north_caucasus_waits_for_the_don_or_stalingrad():
    units = {"S": "soviet 3-5-3 0,7 groups=north_caucasus frozen", "A": "axis 3-5-3 0,-2"}
    south = {"south_of_rostov": "0,0 1,0 0,1"}
    g = waiting([NORTH_CAUCASUS], units, side="soviet", areas_=south)
    assert refused(g, "move S") == "20.6"
    g = waiting([NORTH_CAUCASUS], units, areas_=south)
    do(g, "move A", "to 0,-1 normal")
    assert has(g, "S", FROZEN)
    g = waiting([NORTH_CAUCASUS], units, areas_=south)
    do(g, "move A", "to 0,0 normal")
    assert not has(g, "S", FROZEN), "over the Don"
    hexes = {f"55{r:02d}": {} for r in range(10, 30)} | {f"56{r:02d}": {} for r in range(10, 30)}
    hexes["5522"] = {"terrain": "major_city", "city": "Stalingrad"}
    units = {"S": "soviet 3-5-3 5629 groups=north_caucasus frozen", "A": "axis 3-5-3 5515"}
    for to, free in (("5516", False), ("5517", True)):
        g = waiting([NORTH_CAUCASUS], units, hexes={k: dict(v) for k, v in hexes.items()})
        do(g, "move A", f"to {to} normal")
        assert has(g, "S", FROZEN) is not free


@rule("20.6b")
def test_soviet_units_that_move_there_later_are_not_frozen():
    units = {"S": "soviet 3-5-3 0,7 groups=north_caucasus frozen", "N": "soviet 3-5-3 0,3"}
    g = waiting([NORTH_CAUCASUS], units, side="soviet", areas_={"south_of_rostov": "0,5 0,6 0,7"})
    do(g, "move N", "to 0,5 normal")
    assert not has(g, "N", FROZEN)


@rule("20.1.2")
def test_units_stacked_with_an_army_hq_stand_in_its_hex():
    g = board({"HQ": "soviet 0-0-6 0,0 army_hq", **{f"R{i}": "soviet 3-5-3 0,0" for i in range(3)}})
    assert g.units(h(g, "0,0")) == [u(g, x) for x in ("HQ", "R0", "R1", "R2")]
    assert stack_excess(g, h(g, "0,0"), SOVIET) == 0


@rule("20.1.3a")
def test_an_army_hq_picks_up_and_drops_units_because_each_moves_its_own_points():
    g = start({"HQ": "soviet 0-0-6 0,0 army_hq", "R": "soviet 3-5-3 0,0", "S": "soviet 3-5-3 2,0"}, side="soviet")
    do(
        g,
        "move HQ",
        "with R",
        "step 1,0 normal",
        "step 2,0 normal",
        "drop R",
        "to 4,0 normal",
        "move S",
        "to 4,0 normal",
    )
    assert (at(g, "HQ"), at(g, "R"), at(g, "S")) == ("4,0", "2,0", "4,0")


@rule("20.5.1c")
def test_axis_allies_may_stack_together():
    g = board({"R": "axis 2-5-3 0,0 nation=romanian", "H": "axis 2-4-3 0,0 nation=hungarian", "G": "axis 6-7-3 0,0"})
    assert stack_excess(g, h(g, "0,0"), AXIS) == 0


def volunteers(control, **more):
    hexes = {"2850": {"terrain": "minor_city"}, "4549": {"terrain": "minor_city"}}
    hexes |= {f"28{r}": {} for r in (47, 48, 49, 51, 52)} | {f"45{r}": {} for r in (47, 48, 50)}
    units = {f"V{i}": "axis 1-2-3 - nation=caucasian groups=volunteer" for i in range(3)}
    from kessel.core.procedure import run

    g = board(units, hexes=hexes, control=control, phase="initial", **more)
    g.scenario = dataclasses.replace(
        g.scenario, boxes={"volunteers": tuple(Entrant(f"V{i}") for i in range(3))}, rules=frozenset(["20.8"])
    )
    run(g)
    return g


@rule("20.8a")
def test_one_volunteer_a_turn_once_krasnodar_and_voroshilovsk_are_axis():
    g = volunteers({"2850": "axis", "4549": "soviet"})
    assert not any(c.startswith("enlist") for c in choices(g))
    g = volunteers({"2850": "axis", "4549": "axis"})
    assert {c for c in choices(g) if c.startswith("enlist")} == {
        f"enlist V{i} {p}" for i in range(3) for p in ("2850", "4549")
    }
    do(g, "enlist V1 4549")
    assert at(g, "V1") == "4549"
    assert not any(c.startswith("enlist") for c in choices(g))


@rule("20.8b")
def test_a_volunteer_moves_one_hex_on_its_first_turn():
    g = volunteers({"2850": "axis", "4549": "axis"})
    do(g, "enlist V0 2850", "pass")
    assert has(g, "V0", ARRIVED)
    do(g, "move V0")
    assert {c for c in choices(g) if c.startswith("to ")} == {"to 2849 tactical", "to 2851 tactical"}
    do(g, "to 2849 tactical")
    from kessel.games.stalingrad42.turn.initial import begin_initial

    begin_initial(g, AXIS)
    assert not has(g, "V0", ARRIVED)


@rule("20.8b")
@pytest.mark.parametrize("verb", ["attack 0,0"])
def test_and_does_not_fight(verb):
    g = start({"V": "axis 3-2-3 -1,0 nation=caucasian arrived", "X": "soviet 1-1-3 0,0"}, phase="combat")
    assert verb not in choices(g)


@rule("20.4")
@rule("S1.2h")
def test_units_that_may_not_move_yet_attack_on_the_soviet_side_alone():
    for side, enemy in (("soviet", "axis"), ("axis", "soviet")):
        units = {"A": f"{side} 10-5-3 1,0 frozen", "B": f"{side} 10-5-3 0,1", "X": f"{enemy} 3-5-3 0,0"}
        g = start(units, phase="combat", side=side)
        do(g, "attack 0,0")
        assert ("add A" in choices(g)) is (side == "soviet"), "a garrison fights where it stands, an idle division not"
        assert "add B" in choices(g)
    assert refused(g, "add A") == "S1.2"


@rule("20.4")
def test_a_garrison_does_not_advance_with_the_units_it_stands_with():
    g = board({"A": "soviet 10-5-3 1,0", "S": "soviet 3-5-3 1,0 frozen groups=garrison", "T": "soviet 3-5-3 1,0"})
    assert why_not_advance(g, u(g, "S"), took_part=False).rule == "20.4"
    assert why_not_advance(g, u(g, "T"), took_part=False) is None


@rule("20.4")
@pytest.mark.parametrize(("to", "still"), [("6,0", True), ("5,0", False)])
def test_a_frozen_garrison_of_a_position_is_released_at_five_hexes(to, still):
    units = {"A": "axis 3-3-6 8,0 tank", "S": "soviet 1-3-3 0,0 groups=garrison frozen"}
    g = start(units, radius=9, phase="movement")
    do(g, "move A", f"to {to} normal")
    assert has(g, "S", FROZEN) == still


@rule("31.0c")
def test_a_frozen_reserve_army_of_a_position_is_released_by_its_owner():
    units = {"S": "soviet 3-5-3 0,0 groups=reserve_army_6 frozen", "A": "axis 3-3-3 5,0"}
    assert "release reserve_army_6" not in choices(start(units, radius=6, phase="initial", side="soviet", turn=1))
    g = start(units, radius=6, phase="initial", side="soviet", turn=2)
    do(g, "release reserve_army_6")
    assert not has(g, "S", FROZEN)


DON = """
3034|3035 3034|3135 3134|3135 3134|3234 3233|3234 3234|3334 3334|3335 3334|3434 3334|3433 3333|3433 3432|3433 3432|3533
3532|3533 3532|3632 3631|3632 3631|3732 3731|3732 3731|3831 3830|3831 3831|3931 3931|3932 3931|4031 4030|4031 4030|4131
4130|4131 4131|4230 4230|4231 4231|4331 4331|4332 4331|4431 4430|4431 4430|4531 4530|4531 4530|4630 4629|4630 4629|4730
4629|4729 4628|4729 4728|4729 4728|4828 4728|4827 4727|4827 4727|4826 4726|4826 4825|4826 4825|4926 4825|4925 4824|4925
4924|4925 4924|5024
"""
"""The river hex by hex from the sea towards Kalach."""


@rule("20.6a")
@rule("S1.3d")
def test_the_don_parts_the_hexes_beyond_it_from_the_others():
    m = PACK.map
    beyond = m.areas["beyond_don"]
    for name in DON.split():
        a, b = (m.grid.hex(x) for x in name.split("|"))
        assert m.side_has(a, m.grid.direction(a, b), "major_river"), name
        assert (beyond >> a & 1) != (beyond >> b & 1), name
    assert m.areas["south_of_don_below_31"] >> m.grid.hex("3433") & 1


@rule("20.6a")
@pytest.mark.parametrize(
    ("start_", "to", "free"), [("4727", "4827", True), ("4231", "4331", False), ("3333", "3433", True)]
)
def test_on_the_printed_map_north_caucasus_is_released_where_the_don_is_crossed(start_, to, free):
    units = [{"id": "24Pz", "at": start_}, {"id": "S", "side": "soviet", "values": "3-5-3", "at": "3850"}]
    units[1] |= {"groups": ["north_caucasus"], "status": ["frozen"]}
    g = read({"game": "stalingrad42", "turn": 5, "units": units})
    g.events, g.dice = [], Scripted(())
    run(g)
    do(g, "move 24Pz", f"step {to} {'normal' if f'to {to} normal' in choices_of(g, '24Pz') else 'tactical'}")
    assert has(g, "S", FROZEN) is not free


def choices_of(g, name):
    t = g.copy()
    do(t, f"move {name}")
    return choices(t)


@rule("20.4")
@rule("31.0a")
def test_frozen_units_may_attack_but_not_advance():
    units = {
        "R": "soviet 12-5-3 0,0 groups=reserve_army_5 frozen",
        "S": "soviet 12-5-3 0,0",
        "X": "axis 3-2-3 1,0",
    }
    g = start(units, side="soviet", phase="combat")
    do(g, "attack 1,0", "add R", "add S", "declare")
    assert g.place[u(g, "X")] < 0
    assert choices(g) == {"pass", "form S", "decline 0,0"}
    assert why_not_advance(g, u(g, "R"), took_part=True).rule == "31.0"
