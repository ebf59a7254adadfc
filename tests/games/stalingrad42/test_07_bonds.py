"""7.0 ZOC Bonds."""

from __future__ import annotations

import random

import pytest

from kessel.core.hexes import NO_HEX
from kessel.core.hexset import members
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.zones import bond_list, bonds, possible_bonds, why_not_bond

from .helpers import area, ask, board, choices, disc, do, example, h, names, refused, rule, start


def found(g: Board, side: int) -> set[str]:
    """The bonds as text: `a-b` over a hex, `a=b` over a hexside; the map edge is `edge`."""
    out = set()
    for b in bond_list(g, side):
        ends = [g.hex_name(x) if x != NO_HEX else "edge" for x in (b.a, b.b)]
        out.add(("-" if b.over_hex else "=").join(sorted(ends)))
    return out


@rule("7.1a")
@rule("7.1d")
def test_good_order_combat_units_two_hexes_apart_form_bonds_of_two_kinds():
    g = board({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 2,0", "C": "axis 3-5-3 -1,2"})
    assert found(g, AXIS) == {"0,0-2,0", "-1,2=0,0"}
    assert names(g, bonds(g, AXIS).hexes) == {"1,0"}
    sides = bonds(g, AXIS).sides
    barred = {
        frozenset((g.hex_name(x), g.hex_name(g.map.grid.neighbours[x][d]))) for d in range(6) for x in members(sides[d])
    }
    assert barred == {frozenset(("-1,1", "0,1"))}


@rule("7.1a")
@pytest.mark.parametrize("state", ["disrupted", "full_retreat", "train"])
def test_units_not_in_good_order_or_entrained_form_none(state):
    g = board({"A": "axis 3-5-3 0,0", "B": f"axis 3-5-3 2,0 {state}"})
    assert found(g, AXIS) == set()
    assert bonds(g, AXIS).hexes == 0


@rule("7.1a")
def test_non_combat_units_form_none():
    g = board({"A": "axis 3-5-3 0,0", "B": "axis 0-0-5b 2,0 supply"})
    assert found(g, AXIS) == set()


@rule("7.1b")
@rule("18.2.3b")
def test_it_takes_two_free_stacking_units_or_asus_together():
    one = {"A": "axis 3-5-3 0,0", "B": "axis 2-2-5 2,0 free"}
    assert found(board(one), AXIS) == set()
    assert found(board(one | {"C": "axis 2-2-5 2,0 free"}), AXIS) == {"0,0-2,0"}
    assert found(board(one | {"C": "axis S-(1)-5b 2,0 hq"}), AXIS) == {"0,0-2,0"}
    assert found(board(one | {"C": "axis 2-2-5 2,0 free disrupted"}), AXIS) == set()
    assert found(board({"A": "axis 3-5-3 0,0", "B": "axis S-(1)-5b 2,0 hq"}), AXIS) == set()


@rule("7.1c")
def test_a_bond_spans_two_hexes_with_the_hex_between_vacant():
    assert found(board({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 1,0"}), AXIS) == set()
    assert found(board({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 3,0"}), AXIS) == set()
    g = board({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 2,0", "C": "axis 3-5-3 1,0"})
    assert found(g, AXIS) == set(), "a friendly Combat Unit in the hex leaves the Hex Bond without effect"
    g = board({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 2,0", "C": "axis 0-0-5b 1,0 supply"})
    assert found(g, AXIS) == {"0,0-2,0"}


@rule("7.2a")
def test_no_unit_enters_an_enemy_hex_bond_or_crosses_a_hexside_bond():
    units = {"A": "axis 10-8-6 0,-1 tank", "X": "soviet 3-5-3 -1,0", "Y": "soviet 3-5-3 1,0", "Z": "soviet 3-5-3 2,1"}
    g = start(units)
    do(g, "move A")
    assert refused(g, "to 0,0 normal") == "7.2"
    assert refused(g, "step 0,0 tactical") == "7.2"
    assert "to 1,-1 normal" in choices(g)
    g = start({"A": "axis 3-5-3 0,0", "X": "soviet 3-5-3 1,0", "Y": "soviet 3-5-3 -1,1"})
    do(g, "move A")
    assert refused(g, "step 0,1 normal") == "7.2"
    assert not any(c.startswith(("to 0,1 ", "step 0,1 ")) for c in choices(g))


@rule("7.2a")
def test_friends_may_use_their_own_bonds():
    g = start({"A": "axis 3-5-3 -1,0", "B": "axis 3-5-3 1,0", "M": "axis 3-5-3 0,-1"})
    do(g, "move M")
    assert "to 0,0 normal" in choices(g)


@rule("7.3a")
@example("E10")
def test_enemies_on_both_sides_negate_a_hexside_bond():
    pair = {"D": "axis 3-5-3 0,0", "E": "axis 3-5-3 1,1"}
    assert found(board(pair), AXIS) == {"0,0=1,1"}
    one = pair | {"X": "soviet 3-5-3 1,0"}
    assert found(board(one), AXIS) == {"0,0=1,1"}
    assert found(board(one | {"Y": "soviet 3-5-3 0,1"}), AXIS) == set()


@rule("7.3b")
@example("E11")
def test_an_enemy_inside_negates_a_hex_bond():
    g = board({"E": "axis 3-5-3 0,0", "F": "axis 3-5-3 2,0", "X": "soviet 3-5-3 1,0 full_retreat"})
    assert found(g, AXIS) == set()
    g = board({"E": "axis 3-5-3 0,0", "F": "axis 3-5-3 2,0", "X": "soviet 0-0-5b 1,0 supply"})
    assert found(g, AXIS) == {"0,0-2,0"}, "Non-Combat Units do not negate"
    g = board(
        {"E": "axis 3-5-3 0,0", "F": "axis 3-5-3 2,0", "X": "soviet 0-0-5b 1,0 supply"},
        options={"negating_units": "any"},
    )
    assert found(g, AXIS) == set()


@rule("7.3c")
@example("E14")
def test_negation_takes_effect_the_moment_it_occurs():
    g = start({"B": "axis 3-5-3 0,0", "A": "axis 3-5-3 0,3", "X": "soviet 3-5-3 1,0", "Y": "soviet 3-5-3 -1,1"})
    do(g, "move B")
    assert refused(g, "step 0,1 normal") == "7.2"
    g = start({"B": "axis 3-5-3 0,0", "A": "axis 3-5-3 0,3", "X": "soviet 3-5-3 1,0", "Y": "soviet 3-5-3 -1,1"})
    do(g, "move A", "to 0,1 normal", "move B")
    assert "to 0,1 normal" in choices(g)


@rule("7.4")
@example("E12")
def test_crossing_bonds_of_both_sides_both_stand():
    g = board({"F": "axis 3-5-3 0,0", "G": "axis 3-5-3 2,0", "X": "soviet 3-5-3 1,-1", "Y": "soviet 3-5-3 1,1"})
    assert "0,0-2,0" in found(g, AXIS)
    assert "1,-1-1,1" in found(g, SOVIET)
    g = board({"F": "axis 3-5-3 1,0", "G": "axis 3-5-3 0,2", "X": "soviet 3-5-3 0,1", "Y": "soviet 3-5-3 1,1"})
    assert "0,2=1,0" not in found(g, AXIS)
    g = start({"F": "axis 3-5-3 0,0", "G": "axis 3-5-3 2,0", "X": "soviet 3-5-3 1,-1", "Y": "soviet 3-5-3 1,1"})
    do(g, "move F")
    assert refused(g, "to 1,0 normal") == "7.2", "neither player may cross the other's"


WEST = area("Z", "axis", "-4,0 -4,1 -4,2 -4,3 -4,4")
EAST = area("A", "soviet", "4,-4 4,-3 4,-2 4,-1 4,0")


@rule("7.5a")
@rule("7.5b")
@rule("22.3.2b")
def test_a_hexside_bond_with_the_friendly_map_edge_and_with_no_other():
    g = board({"A": "axis 3-5-3 -3,2", "B": "axis 3-5-3 3,-2"}, boxes=[WEST, EAST])
    assert found(g, AXIS) == {"-3,2=edge"}
    g = board({"X": "soviet 3-5-3 -3,2", "Y": "soviet 3-5-3 3,-2"}, boxes=[WEST, EAST])
    assert found(g, SOVIET) == {"3,-2=edge"}
    g = board({"A": "axis 3-5-3 0,-3", "B": "axis 3-5-3 -4,1"}, boxes=[WEST])
    assert found(g, AXIS) == set(), "no bond with a neutral edge, and no Hex Bond with a friendly one"


@rule("22.3.2b")
@example("E53")
def test_edge_bonds_trap_and_enemy_bonds_bar_entry():
    hexes = [f"{c:02d}{r:02d}" for c in range(10, 20) for r in range(6)]
    top = area("A", "soviet", " ".join(x for x in hexes if x.endswith("00")))
    units = {"A": "axis 3-5-3 1300", "B": "axis 3-5-3 1500", "S": "soviet 3-5-3 A"}
    g = start(units, hexes=" ".join(hexes), boxes=[top], side="soviet")
    do(g, "move S")
    assert refused(g, "to 1400 normal") == "22.3.2", "the bond of A and B lies along the edge at 1400"
    assert "to 1200 normal" in choices(g)
    assert bonds(g, AXIS).edges
    inside = board({**units, "S": "soviet 3-5-3 1400"}, hexes=" ".join(hexes), boxes=[top], side="soviet")
    assert bonds(inside, AXIS).edges == set(), "a Soviet unit inside negates it (7.3)"
    units = {"C": "soviet 3-5-3 1501", "B": "axis 3-5-3 1600"}
    g = start(units, hexes=" ".join(hexes), boxes=[top], side="axis")
    do(g, "move B")
    assert refused(g, "step 1500 normal") == "7.2", "C's bond with the map edge"


@rule("7.6.1a")
@rule("7.6.1b")
@pytest.mark.parametrize("feature", ["volga", "lake", "sea", "impassable"])
def test_no_bond_over_impassable_or_volga_hexsides(feature):
    pair = {"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 2,0"}
    assert found(board(pair, hexsides={"0,0|1,0": feature}), AXIS) == set()
    pair = {"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 1,1"}
    assert found(board(pair, hexsides={"0,0|1,0": feature}), AXIS) == {"0,0=1,1"}, "pushed to the other side"
    assert found(board(pair, hexsides={"0,0|1,0": feature, "0,1|1,1": feature}), AXIS) == set()


@rule("7.6.1c")
@example("E15")
def test_no_bond_over_two_major_river_hexsides():
    loop = {"0,0|1,0": "major_river", "1,0|1,1": "major_river", "0,0|0,1": "major_river", "0,1|1,1": "major_river"}
    g = board({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 1,1"}, hexsides=loop)
    assert found(g, AXIS) == set()
    hex_bond = {"0,0|1,0": "major_river", "1,0|2,0": "major_river"}
    assert found(board({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 2,0"}, hexsides=hex_bond), AXIS) == set()
    frozen = board({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 1,1"}, hexsides=loop, turn=28)
    assert found(frozen, AXIS) == {"0,0=1,1"}


@rule("7.6.1c")
@example("E16")
@example("E17")
def test_one_major_river_hexside_or_none_does_not_break_it():
    pair = {"B": "axis 3-5-3 0,0", "C": "axis 3-5-3 1,1"}
    one = {"0,0|1,0": "major_river", "0,0|0,1": "major_river"}
    assert found(board(pair, hexsides=one), AXIS) == {"0,0=1,1"}
    assert found(board(pair), AXIS) == {"0,0=1,1"}


@rule("7.6.1d")
@example("E18")
def test_a_bond_is_not_pushed_into_a_hex_an_enemy_holds():
    river = {"0,0|1,0": "major_river", "1,0|1,1": "major_river"}
    pair = {"D": "axis 3-5-3 0,0", "E": "axis 3-5-3 1,1"}
    assert found(board(pair, hexsides=river), AXIS) == {"0,0=1,1"}
    assert found(board(pair | {"X": "soviet 3-5-3 0,1"}, hexsides=river), AXIS) == set()


@example("E09")
@rule("7.6.1c")
def test_minor_rivers_do_not_break_a_bond():
    g = board(
        {"C": "axis 3-5-3 0,0", "D": "axis 3-5-3 2,0"}, hexsides={"0,0|1,0": "minor_river", "1,0|2,0": "minor_river"}
    )
    assert found(g, AXIS) == {"0,0-2,0"}


@rule("7.6.2")
@example("E13")
def test_no_bond_is_anchored_on_coast_alpine_volga_or_lake():
    boxes = [WEST]
    sea = {"-1,2": "sea", "0,1": "sea", "-2,3": "sea"}
    g = board({"G": "axis 3-5-3 -3,2", "H": "axis 3-5-3 -1,1"}, boxes=boxes, terrain=sea)
    assert found(g, AXIS) == {"-3,2=edge"} | {b for b in found(g, AXIS) if "edge" not in b}
    g = board({"H": "axis 3-5-3 0,0"}, hexsides={"1,0|1,-1": "volga", "0,1|-1,1": "lake", "-1,0|0,-1": "alpine"})
    assert found(g, AXIS) == set()


@rule("7.2d")
def test_supply_is_never_traced_into_or_across_an_enemy_bond():
    from kessel.games.stalingrad42.supply.supply import has_los

    more = {"links": [("primary", "-4,0 -3,0 -2,0")], "boxes": [WEST]}
    g = board({"A": "axis 3-5-3 1,0"}, **more)
    assert has_los(g, h(g, "1,0"), AXIS)
    wall = {f"X{i}": f"soviet 3-5-3 {p}" for i, p in enumerate(["0,-4", "0,-2", "0,2", "0,4", "-1,1", "-1,-1", "0,0"])}
    g = board({"A": "axis 3-5-3 2,0"} | wall, **more)
    assert not has_los(g, h(g, "2,0"), AXIS)


def random_board(seed: int) -> Board:
    r = random.Random(seed)
    hexes = disc(4)
    words = ["", "", "", "disrupted", "full_retreat", "train", "free", "free"]
    units = {
        f"u{i}": f"{r.choice(['axis', 'soviet'])} 3-5-3 {r.choice(hexes)} {r.choice(words)}"
        for i in range(r.randint(4, 24))
    }
    taken: dict[str, str] = {}
    for name, text in list(units.items()):
        side, _, place, *_ = text.split()
        if taken.setdefault(place, side) != side:
            del units[name]
    sides = {}
    for _ in range(r.randint(0, 60)):
        q, s = (int(x) for x in r.choice(hexes).split(","))
        dq, ds = r.choice([(1, 0), (0, 1), (1, -1)])
        other = f"{q + dq},{s + ds}"
        if other in hexes:
            sides[f"{q},{s}|{other}"] = r.choice(
                ["major_river", "major_river", "volga", "lake", "minor_river", "alpine"]
            )
    return board(units, hexsides=sides, boxes=[WEST, EAST], turn=r.choice([1, 28]))


@rule("7.1d")
@pytest.mark.parametrize("seed", range(60))
def test_the_fast_bonds_are_those_explained_one_by_one(seed):
    g = random_board(seed)
    for side in (AXIS, SOVIET):
        hexes, hexsides = set(), set()
        edges = set()
        for b in possible_bonds(g, side):
            if why_not_bond(g, side, b) is not None:
                continue
            if b.over_hex:
                hexes.add(b.via[0])
            elif NO_HEX in b.via:
                x = next(v for v in b.via if v != NO_HEX)
                six = g.map.grid.neighbours[x]
                edges |= {
                    x * 6 + d
                    for d in range(6)
                    if six[d] == NO_HEX and {six[(d + 1) % 6], six[(d + 5) % 6]} == {b.a, b.b}
                }
            else:
                hexsides |= {g.map.grid.hexside(*b.via), g.map.grid.hexside(*b.via[::-1])}
        fast = bonds(g, side)
        assert set(members(fast.hexes)) == hexes
        assert {x * 6 + d for d in range(6) for x in members(fast.sides[d])} == hexsides
        assert set(fast.edges) == edges


def test_the_question_zoc_says_what_negates_a_bond():
    g = board({"E": "axis 3-5-3 0,0", "F": "axis 3-5-3 2,0", "X": "soviet 3-5-3 1,0"})
    none = ask(g, "zoc", side="axis")["no_bonds"]
    assert none == [
        {
            "kind": "hex",
            "from": "0,0",
            "to": "2,0",
            "over": ["1,0"],
            "refusal": {"rule": "7.3", "reason": "an enemy unit in 1,0 negates the bond"},
        }
    ]


@rule("7.5a")
def test_bonds_with_the_map_edge_run_in_all_six_directions():
    rim = [name for name in disc(3) if max(map(abs, (*map(int, name.split(",")), sum(map(int, name.split(",")))))) == 3]
    barred = set()
    for place in disc(2):
        g = board({"A": f"axis 3-5-3 {place}"}, radius=3, boxes=[area("Z", "axis", " ".join(rim))])
        told = {b.via for b in bond_list(g, AXIS)}
        sides = bonds(g, AXIS).sides
        for d in range(6):
            barred |= {(x, g.map.grid.neighbours[x][d]) for x in members(sides[d])}
        assert {frozenset(via) for via in told} == {
            frozenset((x, g.map.grid.neighbours[x][d])) for d in range(6) for x in members(sides[d])
        }
    assert len(barred) == 2 * len(rim), "every hexside between two hexes of the rim"
