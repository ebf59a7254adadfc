"""9.0 The sequence of a Soviet activation, 9.2 the order of movement methods, 10.4 Soviet stacking while moving."""

from __future__ import annotations

import pytest

from kessel.core.procedure import run
from kessel.games.kharkov43.board import ACTIVE, ATTACKED, DISPERSED, DISPERSED_ATTACKING, MOVED, RESERVE
from kessel.games.kharkov43.movement.movement import INFILTRATION, reach_of
from kessel.games.kharkov43.movement.stacking import is_overstacked, overstacked
from kessel.games.kharkov43.system.methods.methods import Check, Go
from kessel.games.kharkov43.system.methods.methods_a import METHODS_A
from kessel.games.kharkov43.system.methods.methods_army import METHODS_ARMY
from kessel.games.kharkov43.system.methods.methods_b import METHODS_B
from kessel.games.kharkov43.system.methods.methods_unsupplied import METHODS_UNSUPPLIED
from kessel.games.kharkov43.system.soviet_activation import SovietActivation
from kessel.games.kharkov43.system.soviet_movement import must_use_methods_a
from tests.games.kharkov43.soviet_helpers import shown

from .helpers import german, hx, position, soviet, tanks, unit
from .soviet_helpers import active, active_tanks, arena, march, moved, southwest, traced, voronezh, with_dice

rule = pytest.mark.rule
OPEN = {"roads_on": ()}


def activation(g, card="E10", front="Southwest", armies=("6",)):
    """Run a whole activation; it must ask nobody."""
    g.events = []
    g.stack = [SovietActivation(g.charts.card_index(card), front, armies)]
    run(g)
    return [(e["rule"], e["what"]) for e in g.events]


# --- 9.0 -------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.0a")
def test_seven_steps_in_order():
    names = [s.name for s in SovietActivation.steps]
    assert names == [
        "objective_check",
        "movement",
        "attacks",
        "reserves",
        "removals",
        "improved_position",
        "undisperse",
        "complete",
    ]
    assert [s.rule for s in SovietActivation.steps][:7] == ["9.1", "9.2", "9.4", "9.5", "9.6", "9.7", "12.9"]


@rule("kharkov43", "9.0a")
def test_a_whole_activation_tells_its_steps_in_that_order():
    ground = arena(**OPEN, features={"2008": "village target_southwest"})
    g = position(
        board=ground,
        turn=4,
        objectives=southwest("1907"),
        units=[
            active("A", "1907", "3-4-05"),
            active("B", "1708", "3-4-06"),
            active("R", "reserve", "3-4-07"),
            active("D", "1506", "3-4-08", status=["dispersed"]),
        ],
    )
    told = [r for r, _ in activation(with_dice(g))]
    steps = [r for r in told if r in ("9.2", "9.5", "9.7", "12.9") or r.startswith("9.21")]
    order = [min(i for i, r in enumerate(steps) if r.startswith(x)) for x in ("9.2", "9.5", "9.7", "12.9")]
    assert order == sorted(order)


@rule("kharkov43", "9.0b")
@pytest.mark.parametrize(("turn", "relocated"), [(1, True), (7, True), (8, False)])
def test_the_objective_check_is_for_turns_1_to_7(turn, relocated):
    g = position(board="", turn=turn, vp=30, objectives=southwest("1608"), units=[active("A", "1608")])
    with_dice(g, 1)
    activation(g)
    assert (g.dice.count == 1) is relocated


@rule("kharkov43", "9.0b")
def test_the_objective_check_is_skipped_if_the_marker_is_gone():
    g = with_dice(position(board="", turn=5, units=[active("A", "1608")]))
    activation(g)
    assert g.dice.count == 0


@rule("kharkov43", "9.0c")
@pytest.mark.parametrize(("turn", "placed"), [(3, False), (4, True)])
def test_reserves_are_placed_from_turn_4(turn, placed):
    ground = arena(features={"1908": "village target_southwest"})
    g = position(board=ground, turn=turn, objectives=southwest("1917"), units=[active("R", "reserve")])
    activation(g)
    assert g.on_map(unit(g, "R")) is placed


@rule("kharkov43", "9.0d")
@pytest.mark.parametrize(("turn", "removed"), [(1, False), (2, True)])
def test_units_are_removed_from_turn_2(turn, removed):
    """A and B stand together beside G, too weak to attack and with nowhere to go."""
    g = position(
        board=arena((19, 19), range(6, 18), roads_on=()),
        turn=turn,
        objectives=southwest("1917"),
        units=[active("A", "1909", "1-4-05"), active("B", "1909", "1-4-06"), german("G", "1910", "9-4 5-4")],
    )
    activation(g, card="E12")
    assert (g.box[unit(g, "B")] == RESERVE) is removed


@rule("kharkov43", "9.0e")
@pytest.mark.parametrize(("turn", "placed"), [(3, False), (4, True)])
def test_an_improved_position_is_placed_from_turn_4(turn, placed):
    g = position(board=arena(), turn=turn, objectives=southwest("1907"), units=[active("A", "1907")])
    activation(g)
    assert bool(g.improved_positions) is placed


@rule("kharkov43", "9.0f")
def test_active_units_recover_unless_dispersed_by_attacking_in_this_activation():
    g = position(
        board=arena(),
        turn=3,
        objectives=southwest("1917"),
        units=[
            active("A", "1907", status=["dispersed"]),
            active("B", "1807", status=["dispersed"]),
            soviet("C", "1707", status=["dispersed"]),
        ],
    )
    g.set_status(unit(g, "B"), ATTACKED | DISPERSED_ATTACKING)
    activation(g)
    assert [bool(g.status[unit(g, n)] & DISPERSED) for n in "ABC"] == [False, True, True]
    assert not any(g.status[u] & (ACTIVE | MOVED | ATTACKED) for u in range(3)), "the activation is over"


@rule("kharkov43", "9.0g")
def test_an_activation_in_which_nothing_happens_is_complete():
    g = position(board=arena(), turn=3, objectives=southwest("1907"), units=[active("A", "1907", status=["dispersed"])])
    before = g.place[unit(g, "A")]
    activation(g)
    assert not g.stack
    assert g.place[unit(g, "A")] == before


# --- 9.2 -------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.2a")
def test_active_undispersed_units_on_the_map_move():
    g = position(
        board=arena(),
        turn=3,
        objectives=southwest("1917"),
        units=[
            active("A", "1907"),
            active("B", "1907", status=["dispersed"]),
            soviet("C", "1807"),
            active("R", "reserve"),
        ],
    )
    assert set(march(g)) == {"A"}


@rule("kharkov43", "9.2b")
@rule("kharkov43", "9.2c")
@pytest.mark.parametrize(
    ("turn", "marker", "methods"),
    [(4, False, "9.21"), (4, True, "9.21"), (5, True, "9.21"), (5, False, "9.22"), (9, False, "9.22")],
)
def test_which_methods_are_in_effect(turn, marker, methods):
    g = position(
        board=arena(),
        turn=turn,
        vp=30,
        objectives=(southwest("1917") if marker else {}) | voronezh("1515"),
        units=[active("A", "1907")],
    )
    assert must_use_methods_a(g, "Southwest") is (methods == "9.21")
    assert {c.rule[:4] for c in traced(g)} == {methods}


@rule("kharkov43", "9.2d")
def test_methods_are_processed_in_numerical_order():
    assert [m.number for m in METHODS_A] == [f"9.21.{n}" for n in range(1, 13)]
    assert [m.number for m in METHODS_B] == [f"9.22.{n}" for n in range(1, 12)]
    down_a = [m.number for m in METHODS_A if m.order == "descending"]
    assert down_a == [f"9.21.{n}" for n in (1, 3, 4, 5, 7, 8, 9)]
    down_b = [m.number for m in METHODS_B if m.order == "descending"]
    assert down_b == [f"9.22.{n}" for n in (1, 2, 7, 8, 9)]


@rule("kharkov43", "9.2d")
@rule("kharkov43", "9.2e")
def test_every_method_checks_all_units_in_its_order_before_the_next():
    g = position(
        board=arena(),
        turn=3,
        objectives=southwest("1907"),
        units=[active("A", "1907", "3-1-05"), active("B", "1907", "3-1-09"), active("C", "1907", "2-1-01")],
    )
    seen = {}
    order = []
    for c in traced(g):
        if c.rule not in order:
            order.append(c.rule)
        seen.setdefault(c.rule, []).append(g.id(c.unit))
    assert order == [m.number for m in METHODS_A]
    for m in METHODS_A:
        assert seen[m.number] == (["C", "A", "B"] if m.order == "ascending" else ["B", "A", "C"]), m.number


@rule("kharkov43", "9.2d")
def test_of_equal_selectors_the_lower_numbered_army_is_first_either_way():
    g = position(
        board=arena(),
        turn=3,
        objectives=southwest("1907"),
        units=[active("A", "1907", "3-1-05", army="6"), active("B", "1907", "3-1-05", army="Popov")],
    )
    checks = [(c.rule, g.id(c.unit)) for c in traced(g) if c.rule in ("9.21.1", "9.21.2")]
    assert checks == [("9.21.1", "B"), ("9.21.1", "A"), ("9.21.2", "B"), ("9.21.2", "A")]


@rule("kharkov43", "9.2f")
def test_no_unit_moves_twice():
    g = position(
        board=arena(**OPEN),
        turn=3,
        objectives=southwest("1917"),
        units=[active(f"U{i}", f"{15 + i}07", f"3-4-{i:02d}") for i in range(1, 7)] + [german("G", "1712")],
    )
    ends = [g.id(c.unit) for c in traced(g) if c.end >= 0]
    assert len(ends) == len(set(ends))


# --- 10.4 ------------------------------------------------------------------------------------------------------------


def column(*, leaves: bool):
    """Three one-step units fill 1908. A can only go there; the others go on by the same method, or can't."""
    wall = {} if leaves else {"rivers": {"1908|1909": "blocked_dniepr"}}
    units = [active("A", "1907", "3-1-01")] + [active(f"F{i}", "1908", f"3-1-{i:02d}") for i in (2, 3, 4)]
    return position(
        board=arena((19, 19), range(6, 18), roads_on=(), **wall), turn=2, objectives=southwest("1917"), units=units
    )


@rule("kharkov43", "10.4c")
def test_a_soviet_unit_may_overstack_a_hex_that_others_are_sure_to_leave():
    g = column(leaves=True)
    assert moved(g) == {"A": "1908", "F2": "1909", "F3": "1909", "F4": "1909"}
    assert not overstacked(g)


@rule("kharkov43", "10.4c")
def test_but_not_one_that_they_will_not_leave():
    g = column(leaves=False)
    assert "A" not in moved(g)
    assert not is_overstacked(g, hx(g, "1908"))


@rule("kharkov43", "10.4c")
def test_nobody_enters_a_hex_full_of_units_that_do_not_move():
    full = [tanks("S", "1910", "5-6 4-6 3-6"), tanks("T", "1910", "5-6 4-6 3-6")]
    g = position(
        board=arena((19, 19), range(6, 18), roads_on=()),
        turn=2,
        objectives=southwest("1917"),
        units=[active_tanks("A", "1907", "5-3-05"), *full],
    )
    assert moved(g) == {"A": "1909"}


EVERY_METHOD = [
    *((m, "A") for m in METHODS_A),
    *((m, "B") for m in METHODS_B),
    *((m, "A") for m in METHODS_ARMY),
    *((m, "B") for m in METHODS_UNSUPPLIED),
]


MARKERS = southwest("1915") | {"1G": {"hex": "1713", "facing": "west"}}


def crowded(turn, *, inside_to, **doc):
    """Units of both sides about a line west of which the operational limit ends; a bit of everything."""
    zone = " ".join(f"{r}06-{r}{inside_to:02d}" for r in range(15, 23))
    ground = arena(
        roads_on=(16, 20),
        terrain={"1911": "town", "1609": "town", "2108": "town", "1712": "woods"},
        vp={"1911": 2, "1609": 1, "2108": 1},
        features={
            "1911": "target_southwest",
            "1609": "target_southwest",
            "2108": "target_southwest",
            "2010": "village target_southwest",
            "1713": "logistics_southwest",
        },
        areas=dict.fromkeys(("west_support_zone", "far_limit_zone", "east_support_zone"), zone),
        arrows=[{"kind": "primary", "from": f"18{c:02d}", "to": f"18{c + 1:02d}"} for c in range(6, 16)],
    )
    units = [
        active("A", "1809", "3-4-05"),
        active_tanks("B", "1812", "5-6-02", army="6"),
        active("C", "2008", "2-4-09"),
        active("D", "2112", "2-4-12", status=["out_of_supply"]),
        active("E", "1608", "1-4-14", army="1G"),
        soviet("T", "2108", "3-6-20", "armor"),
        soviet("S", "1714", army="40"),
        german("G", "1911", "2-4", status=["out_of_supply"]),
        german("H", "1713", "3-4"),
        german("K", "1710", "3-4"),
    ]
    return position(board=ground, turn=turn, vp=15, units=units, soviet_towns="1609", garrisons="2010", **doc)


@rule("kharkov43", "9.2d")
@pytest.mark.parametrize(("method", "chapter"), EVERY_METHOD, ids=lambda x: getattr(x, "number", x))
def test_a_method_sends_units_only_where_they_can_go(method, chapter):
    for inside_to in (7, 10, 17):
        doc = {"objectives": MARKERS} if chapter == "A" else {}
        g = crowded(4 if chapter == "A" else 8, inside_to=inside_to, **doc)
        for name in "ABCDE":
            if method.skip is not None and method.skip(g, "Southwest"):
                continue
            if method in METHODS_ARMY and name != "E":
                continue
            c = Check(g, unit(g, name), "Southwest")
            reach = c.ends | reach_of(g, c.unit, INFILTRATION).hexes
            for order in method.orders(c):
                if isinstance(order, Go):
                    assert shown(g, order.hexes & ~reach) == "", (method.number, name, inside_to)
                    assert shown(g, order.hexes & 1 << c.start) == ""
