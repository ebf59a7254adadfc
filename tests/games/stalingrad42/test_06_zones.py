"""6.0 Zones of Control."""

from __future__ import annotations

from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.zones import enemy_zoc, has_zoc, zoc

from .helpers import area, ask, at, board, choices, do, h, names, refused, rule, start, u


@rule("6.1a")
def test_a_combat_unit_controls_the_six_hexes_around_it():
    g = board({"X": "soviet 3-5-3 0,0"})
    assert names(g, zoc(g, SOVIET)) == {"1,0", "-1,0", "0,1", "0,-1", "1,-1", "-1,1"}
    assert zoc(g, AXIS) == 0
    assert enemy_zoc(g, AXIS) == zoc(g, SOVIET)


@rule("6.1a")
def test_free_stacking_units_and_parenthesized_units_have_a_zoc():
    for text in ("soviet 2-2-6 0,0 t34 free", "soviet S-(1)-5b 0,0 front", "soviet 3-5-3 0,0 disrupted"):
        g = board({"X": text})
        assert zoc(g, SOVIET).bit_count() == 6, text


@rule("6.1b")
def test_a_zoc_does_not_cross_the_volga_or_impassable_hexsides():
    sides = {"0,0|1,0": "volga", "0,0|0,1": "lake", "0,0|-1,0": "sea", "-1,1|0,0": "alpine", "0,-1|0,0": "major_river"}
    units = {"X": "soviet 3-5-3 0,0"}
    g = board(units, hexsides=sides)
    assert names(g, zoc(g, SOVIET)) == {"1,-1", "-1,1", "0,-1"}
    g = board(units, hexsides=sides, turn=28)
    assert names(g, zoc(g, SOVIET)) == {"1,-1", "0,-1"}, "Alpine hexsides are impassable in Winter"


@rule("6.1b")
@rule("22.4c")
def test_a_zoc_extends_neither_into_nor_out_of_entry_areas():
    g = start(
        {"A": "axis 3-5-3 Z", "X": "soviet 3-5-3 -4,2"},
        boxes=[area("Z", "axis", "-4,0 -4,1 -4,2 -4,3 -4,4")],
        side="axis",
    )
    assert zoc(g, AXIS) == 0
    do(g, "move A")
    assert "to -4,0 normal" in choices(g), "no +2 MPs and no stop in the Entry Area"


@rule("2.2.3a")
@rule("2.2.3b")
def test_units_parted_by_an_impassable_or_volga_hexside_are_not_adjacent():
    sides = {"0,0|1,0": "volga", "0,0|0,1": "lake", "0,0|-1,0": "sea", "-1,1|0,0": "alpine", "0,-1|0,0": "major_river"}
    g = board({}, hexsides=sides)
    near = {n for n in ("1,0", "0,1", "-1,0", "-1,1", "0,-1", "1,-1") if g.adjacent(h(g, "0,0"), h(g, n))}
    assert near == {"-1,1", "0,-1", "1,-1"}
    g = board({}, hexsides=sides, turn=28)
    assert not g.adjacent(h(g, "0,0"), h(g, "-1,1"))
    assert not g.adjacent(h(g, "0,0"), h(g, "2,0"))


@rule("2.2.3a")
def test_sea_and_unplayable_hexes_are_never_entered_or_controlled():
    g = start({"A": "axis 3-5-3 0,0"}, terrain={"1,0": "sea", "0,1": "unplayable"})
    assert names(g, zoc(g, AXIS)) == {"-1,0", "0,-1", "1,-1", "-1,1"}
    do(g, "move A")
    assert refused(g, "step 1,0 normal") == "2.2.3"
    assert refused(g, "step 0,1 tactical") == "2.2.3"


@rule("6.1c")
@rule("5.6.4a")
@rule("19.2a")
def test_non_combat_and_entrained_units_and_markers_have_no_zoc():
    for text in (
        "soviet 0-0-5b 0,0 supply",
        "soviet 0-0-3 0,0 army_hq",
        "soviet 0-0-6 0,0 leader",
        "soviet 3-5-3 0,0 train",
    ):
        g = board({"X": text}, forts={"0,0": "soviet"})
        assert zoc(g, SOVIET) == 0, text
        assert not has_zoc(g, u(g, "X"))


@rule("6.2a")
def test_every_unit_halts_on_entering_an_ezoc():
    g = start({"A": "axis 10-8-6 -3,0 tank", "SP": "axis 0-0-5b -3,0 supply", "X": "soviet 3-5-3 0,0"})
    for name in ("A", "SP"):
        do(g, f"move {name}")
        reached = {c.split()[1] for c in choices(g) if c.startswith("to ")}
        assert "-1,0" in reached
        assert "1,-1" in reached, "round the zone"
        do(g, "step -2,0 normal", "step -1,0 normal")
        assert at(g, name) == "-1,0"
        assert not any(c.startswith(("to ", "step ")) for c in choices(g)), "its move is over"


@rule("6.2b")
@rule("6.2c")
def test_entering_an_ezoc_costs_nothing_and_leaving_it_two():
    g = start({"A": "axis 3-5-3 -3,0", "B": "axis 3-5-3 -1,0", "X": "soviet 3-5-3 0,0"})
    assert ask(g, "moves", unit="A", to="-1,0")["cost"] == 2
    found = ask(g, "moves", unit="B", to="-2,0")
    assert found["cost"] == 3
    assert {"what": "leaving the EZOC in -1,0", "rule": "6.2", "value": 4} in found["breakdown"]["items"]
    assert "refusal" in ask(g, "moves", unit="B", to="-3,0", mode="normal")


@rule("6.2d")
def test_a_unit_may_move_from_ezoc_to_ezoc_and_stop():
    g = start({"A": "axis 3-5-3 -1,0", "X": "soviet 3-5-3 0,0"})
    do(g, "move A")
    assert "to -1,1 normal" in choices(g)
    do(g, "step -1,1 normal")
    assert at(g, "A") == "-1,1"
    assert choices(g) == {"pass"}


@rule("6.2d")
def test_not_into_or_across_a_bond():
    g = start({"A": "axis 3-5-3 -1,1", "X": "soviet 3-5-3 0,0", "Y": "soviet 3-5-3 0,2"})
    do(g, "move A")
    assert refused(g, "to 0,1 normal") == "7.2"


@rule("6.3")
def test_zones_reach_into_supply_and_rail_repair():
    from kessel.games.stalingrad42.supply.railroads import connecting_rail
    from kessel.games.stalingrad42.supply.supply import has_los

    road = [("primary", "-4,0 -3,0 -2,0 -1,0 0,0"), ("rail", "-4,0 -3,0 -2,0 -1,0 0,0")]
    more = {"links": road, "boxes": [area("Z", "axis", "-4,0")], "repaired": "all"}
    g = board({"A": "axis 3-5-3 0,0"}, **more)
    assert has_los(g, h(g, "0,0"), AXIS)
    assert connecting_rail(g, AXIS) >> h(g, "0,0") & 1
    g = board({"A": "axis 3-5-3 0,0", "X": "soviet 3-5-3 -3,1"}, **more)
    assert not connecting_rail(g, AXIS) >> h(g, "0,0") & 1


def test_the_question_zoc_names_zones_and_bonds():
    g = board({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 2,0", "X": "soviet 3-5-3 0,3"})
    found = ask(g, "zoc", side="axis")
    assert "1,0" in found["hexes"]
    assert found["bonds"] == [{"kind": "hex", "from": "0,0", "to": "2,0", "over": ["1,0"]}]
