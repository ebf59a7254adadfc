"""9.23 Restrictions on Soviet movement."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.proximity import is_anyone_proximate
from kessel.games.kharkov43.supply.supply import can_trace
from kessel.games.kharkov43.system.terms.restrictions import exposed_towns, why_not_permitted
from kessel.games.kharkov43.system.terms.terminology import caused_by, suppose

from .helpers import german, hexes, hx, position, soviet, unit
from .soviet_helpers import active, active_tanks, arena, march, shown, southwest, traced

rule = pytest.mark.rule
example = pytest.mark.example
OPEN = {"roads_on": ()}


def why(g, name, to):
    """The letter of the restriction, or "" where the move is free."""
    found = why_not_permitted(g, unit(g, name), hx(g, to))
    return "" if found is None else found.rule


RING = [german("G", "1910"), soviet("S", "1911")]


@rule("kharkov43", "9.23a")
def test_a_surrounded_german_unit_stays_surrounded():
    g = position(board=arena(**OPEN), turn=6, objectives=southwest("1917"), units=[*RING, active("A", "1909")])
    assert shown(g, caused_by(g, unit(g, "A"))) == "1910"
    assert why(g, "A", "1908") == "9.23a"
    assert why(g, "A", "1809") == "9.23a", "from there 2009 is not covered"
    g = position(
        board=arena(**OPEN),
        turn=6,
        objectives=southwest("1917"),
        units=[*RING, active("A", "1909"), soviet("T", "1909")],
    )
    assert why(g, "A", "1908") == "", "T keeps the ring closed"


@rule("kharkov43", "9.23a")
def test_a_unit_may_move_if_the_surround_holds_from_its_new_hex():
    """S and T leave only 1909 open: A covers it from 1909 and from any hex beside it."""
    units = [german("G", "1910"), soviet("S", "1911"), soviet("T", "1810"), soviet("U", "2109"), active("A", "1908")]
    g = position(board=arena(**OPEN), turn=6, objectives=southwest("1917"), units=units)
    assert why(g, "A", "1808") == ""
    assert why(g, "A", "1907") == "9.23a"


@rule("kharkov43", "9.23a-x1")
def test_an_isolated_german_unit_may_go_free():
    ring = [german("G", "1910", status=["isolated"]), soviet("S", "1911")]
    doc = {"board": arena(**OPEN), "turn": 6, "objectives": southwest("1917")}
    g = position(**doc, units=[*ring, active("A", "1909")])
    assert caused_by(g, unit(g, "A")), "it is surrounded all the same"
    assert why(g, "A", "1908") == ""
    g = position(**doc, units=[*ring, german("H", "1910"), active("A", "1909")])
    assert why(g, "A", "1908") == "9.23a", "H is not isolated"


@rule("kharkov43", "9.23a-x2")
def test_a_unit_that_starts_beyond_the_operational_limit_is_free():
    zone = " ".join(f"{r}06-{r}08" for r in range(15, 23))
    ground = arena(**OPEN, areas={"far_limit_zone": zone, "west_support_zone": zone})
    units = [*RING, active("A", "1909")]
    assert why(position(board=ground, turn=6, vp=30, units=units), "A", "1908") == "", "1909 is beyond the limit"
    assert why(position(board=ground, turn=5, vp=30, units=units), "A", "1908") == "9.23a", "no limit yet"
    with_marker = position(board=ground, turn=6, vp=30, objectives=southwest("1917"), units=units)
    assert why(with_marker, "A", "1908") == "9.23a", "the front is not subject to it"


@rule("kharkov43", "9.23a-x2")
@pytest.mark.parametrize("last", range(7, 12))
def test_9_23a_binds_a_unit_that_starts_within_the_limit(last):
    zone = " ".join(f"{r}06-{r}{last:02d}" for r in range(15, 23))
    areas = dict.fromkeys(("far_limit_zone", "west_support_zone", "east_support_zone"), zone)
    units = [german("G", "1910"), soviet("S", "1911"), active("A", "1909")]
    g = position(board=arena(**OPEN, areas=areas), turn=6, vp=30, units=units)
    found = why_not_permitted(g, unit(g, "A"), g.map.grid.hex("1908"))
    assert (found is not None and found.rule == "9.23a") is (last >= 9)


# --- b ---------------------------------------------------------------------------------------------------------------

TOWN = {"terrain": {"1908": "town"}, "features": {"1908": "target_southwest"}}


def exposing(*units, turn=3, garrisons="", **more):
    """A Soviet town in 1908 and Germans to the west; nobody is in supply of anything."""
    more.setdefault("german_edge", "")
    ground = arena(**TOWN, **OPEN, **{k: more.pop(k) for k in ("german_edge", "roads", "exits") if k in more})
    return position(
        board=ground,
        turn=turn,
        soviet_towns="1908",
        garrisons=garrisons,
        objectives=southwest("1917"),
        units=list(units),
        **more,
    )


@rule("kharkov43", "9.23b")
def test_no_german_unit_becomes_proximate_to_an_empty_soviet_town():
    """A bars the way of G (four points) to 1908, four hexes away."""
    g = exposing(active("A", "1810"), german("G", "1912"))
    assert shown(g, exposed_towns(g)[0]) == ""
    assert why(g, "A", "1708") == "9.23b", "the road to the town would be open"
    assert why(g, "A", "1909") == "", "from there it is still barred"
    town = exposing(active("A", "1908"), german("G", "1912"))
    assert why(town, "A", "1907") == "9.23b", "the town itself would be left empty"
    assert why(exposing(active("A", "1908"), soviet("B", "1908"), german("G", "1912")), "A", "1907") == ""
    garrison = exposing(active("A", "1910"), german("G", "1913"), turn=4, garrisons="1908")
    assert shown(garrison, exposed_towns(garrison)[0]) == ""
    assert why(garrison, "A", "1708") == "9.23b", "a garrisoned town is guarded too: G could get beside it"


@rule("kharkov43", "9.23b-x")
def test_a_town_exposed_before_the_move_does_not_forbid_it():
    g = exposing(active("A", "1706"), german("G", "1911"))
    assert shown(g, exposed_towns(g)[0]) == "1908"
    assert why(g, "A", "1606") == ""


@rule("kharkov43", "9.23b")
@rule("kharkov43", "10.1b")
def test_a_unit_held_between_two_zones_would_be_let_loose():
    """From 1812, which S controls, G can't step to 1813 as long as A controls it from the town."""
    units = [active("A", "1814"), soviet("S", "1811"), german("G", "1812", "3-3")]
    town = arena(**OPEN, rows=(18, 19), terrain={"1814": "town", "1913": "woods"})
    g = position(board=town, turn=3, objectives=southwest("1817"), soviet_towns="1814", units=units)
    assert why(g, "A", "1817") == "9.23b"


@rule("kharkov43", "9.23b-s")
@example("kharkov43", "X49")
def test_from_turn_4_no_german_supply_is_opened_to_an_empty_soviet_town():
    """A stands on the only road from the German edge; the town is out of reach of every German unit."""
    road = " ".join(f"19{c:02d}" for c in range(8, 18))
    block = {"german_edge": "1917", "roads": [road], "exits": "1917"}
    for turn, letter in ((3, ""), (4, "9.23b")):
        g = exposing(active_tanks("A", "1914"), turn=turn, **block)
        assert why(g, "A", "1614") == letter, turn
    assert why(exposing(active_tanks("A", "1914"), turn=4, **block), "A", "1913") == "", "still on the road"
    held = exposing(active("A", "1908"), turn=4, german_edge="1913")
    assert why(held, "A", "1907") == "9.23b", "the town in German supply would be left empty"
    open_already = exposing(active_tanks("A", "1614"), turn=4, **block)
    assert shown(open_already, exposed_towns(open_already)[1]) == "1908"
    assert why(open_already, "A", "1514") == "", "the situation exists before the move"


@rule("kharkov43", "9.23b-x")
@pytest.mark.parametrize(("option", "letter"), [("two_situations", "9.23b"), ("one_situation", "")])
def test_whether_proximity_and_supply_are_one_situation_is_a_switch(option, letter):
    """O9: German supply reaches the town already; G is not proximate to it yet."""
    g = exposing(
        active("A", "1810"),
        german("G", "1912"),
        turn=4,
        german_edge="1507",
        options={"town_exposure": option},
    )
    near, supplied = exposed_towns(g)
    assert (shown(g, near), shown(g, supplied)) == ("", "1908")
    assert why(g, "A", "1708") == letter


@rule("kharkov43", "9.23b")
@pytest.mark.parametrize("at", ["1907", "1908", "1909"])
def test_a_unit_that_leaves_a_threatened_town_empty_stays_wherever_the_town_is(at):
    ground = arena(**OPEN, terrain={at: "town"}, german_edge="")
    away = f"19{int(at[2:]) - 1:02d}"
    units = [active("A", at), german("G", f"19{int(at[2:]) + 4:02d}", "3-4")]
    g = position(board=ground, turn=3, objectives=southwest("1917"), units=units)
    found = why_not_permitted(g, unit(g, "A"), g.map.grid.hex(away))
    assert found is not None
    assert found.rule == "9.23b"
    held = position(board=ground, turn=3, objectives=southwest("1917"), units=[*units, soviet("S", at)])
    assert why_not_permitted(held, unit(held, "A"), held.map.grid.hex(away)) is None, "S stays in the town"


@rule("kharkov43", "9.23b")
@rule("kharkov43", "9.23b-x")
@pytest.mark.parametrize(
    ("reading", "turn", "forbidden"),
    [("two_situations", 4, True), ("one_situation", 4, False), ("one_situation", 3, True)],
)
def test_a_town_in_german_supply_may_come_within_german_reach_by_the_other_reading(reading, turn, forbidden):
    """O9: German supply reaches 1908 round A; if A goes, G does too. Before game-turn 4 supply does not count."""
    ground = arena(roads_on=(19,), terrain={"1908": "town"})
    units = [active("A", "1910"), german("G", "1913", "3-6")]
    g = position(board=ground, turn=turn, units=units, soviet_towns="1908", options={"town_exposure": reading})
    near, supplied = exposed_towns(g)
    assert (shown(g, near), shown(g, supplied)) == ("", "1908")
    found = why_not_permitted(g, unit(g, "A"), g.map.grid.hex("1907"))
    assert (found is not None and found.rule == "9.23b") is forbidden


# --- c, d, e ---------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.23c")
def test_a_map_edge_vp_hex_in_soviet_supply_is_not_left_vacant():
    edge = {"features": {"2210": "map_edge_vp"}, "vp": {"2210": 2}}

    def run(*units, **more):
        g = position(board=arena(**edge, **more), turn=3, objectives=southwest("1917"), units=list(units))
        return why(g, "A", "2110")

    assert run(active("A", "2210")) == "9.23c"
    assert run(active("A", "2210"), soviet("B", "2210")) == "", "not vacant"
    assert run(active("A", "2210"), soviet_edge="", roads=[], exits="") == "", "no supply can be traced to it"
    assert run(active("A", "2209")) == ""


def road(turn, *units, **ground):
    """One road; G controls 1809 and 1810 on it, F holds 1809: all units far to the west hang on a unit in 1810."""
    return position(
        board=arena(roads_on=(18,), **ground),
        turn=turn,
        objectives=southwest("1917"),
        units=[german("G", "1710"), soviet("F", "1809"), *units],
    )


@rule("kharkov43", "9.23d")
def test_from_turn_4_no_soviet_unit_loses_its_line_of_supply():
    holder = [active("A", "1810"), soviet("S", "1816")]
    assert why(road(4, *holder), "A", "1910") == "9.23d", "S would be cut off"
    assert why(road(3, *holder), "A", "1910") == ""
    assert why(road(4, active("A", "1810"), soviet("S", "1812")), "A", "1910") == "", "S is not cut off"
    assert why(road(4, active("A", "1808")), "A", "1816") == "9.23d", "A itself would be"
    assert why(road(4, active("A", "1815")), "A", "1816") == "9.23d", "seven hexes from 1809, then eight"
    assert why(road(4, active("A", "1816")), "A", "1815") == "", "it cannot trace supply where it starts"


@rule("kharkov43", "9.23d-x")
def test_a_move_into_a_german_vp_hex_may_cut_supply():
    g = road(4, active("A", "1810"), soviet("S", "1816"), terrain={"1912": "town"})
    assert why(g, "A", "1912") == ""
    assert why(g, "A", "1911") == "9.23d"


@rule("kharkov43", "9.23d")
@pytest.mark.parametrize("town", ["1908", "1909", "1910"])
def test_a_move_is_judged_as_if_the_town_were_taken(town):
    ground = arena(**OPEN, terrain={"1908": "town", "1909": "town", "1910": "town"})
    g = position(board=ground, turn=4, units=[active("A", "1906")])
    x = suppose(g, unit(g, "A"), g.map.grid.hex(town))
    assert shown(x, x.towns_of(SOVIET)) == town
    assert g.towns_of(SOVIET) == 0


@rule("kharkov43", "9.23e")
def test_until_turn_6_mechanized_units_do_not_end_in_marsh():
    for turn, letter in ((1, "9.23e"), (6, "9.23e"), (7, "")):
        g = position(
            board=arena(terrain={"1908": "marsh"}),
            turn=turn,
            objectives=southwest("1917"),
            units=[active_tanks("A", "1907"), active("B", "1907")],
        )
        assert why(g, "A", "1908") == letter
        assert why(g, "B", "1908") == ""


@rule("kharkov43", "9.23z")
def test_if_the_preferred_hex_is_forbidden_the_next_one_is_taken():
    g = position(
        board=arena(**OPEN, terrain={"1910": "marsh", "1810": "marsh"}),
        turn=3,
        objectives=southwest("1917"),
        units=[active_tanks("A", "1907", "5-8-05")],
    )
    check = next(c for c in traced(g) if c.rule == "9.21.11")
    assert g.hex_name(check.end) not in ("1910", "1810")
    g = position(
        board=arena(**OPEN, rows=(19, 19), terrain={"1910": "marsh"}),
        turn=3,
        objectives=southwest("1917"),
        units=[active_tanks("A", "1907", "5-5-05")],
    )
    check = next(c for c in traced(g) if c.rule == "9.21.11")
    assert g.hex_name(check.end) == "1909"
    assert [(g.hex_name(h), r.rule) for h, r in check.tried[0].choice.refused] == [("1910", "9.23e")]


def test_hexes_that_are_full_are_passed_over():
    full = [soviet("S", "1910", "3-4 2-4 1-4"), soviet("T", "1910", "3-4 2-4 1-4")]
    g = position(
        board=arena(**OPEN, rows=(19, 19)),
        turn=3,
        objectives=southwest("1917"),
        units=[active("A", "1907", "3-3"), *full],
    )
    assert march(g)["A"] == ("1909", "9.21.11")


# --- the quick answers against the plain ones ------------------------------------------------------------------------


@st.composite
def crowded(draw):
    names = hexes(15, 20, range(6, 15))
    places = draw(st.lists(st.sampled_from(names), min_size=9, max_size=14, unique=True))
    towns = places[:3]
    units = [soviet(f"S{i}", h, status=["active"]) for i, h in enumerate(places[2:6])]
    units += [soviet("T", places[2])] * draw(st.booleans())
    units += [german(f"G{i}", h, "3-4") for i, h in enumerate(places[6:])]
    garrisoned = draw(st.sampled_from(["", towns[0]]))
    return {
        "board": arena((15, 20), range(6, 15), roads_on=(17,), terrain=dict.fromkeys(towns, "town")),
        "turn": draw(st.sampled_from([3, 4, 8])),
        "vp": 30,
        "soviet_towns": " ".join(towns),
        "garrisons": garrisoned,
        "units": units,
        "objectives": southwest("1514"),
    }


def plainly(g, u, h):
    """9.23b and d by comparing the board before and after the move, town by town and unit by unit."""
    x = suppose(g, u, h)
    if g.turn >= 4 and not g.towns_of(GERMAN) >> h & 1:
        for v in g.on_map_of(SOVIET):
            if can_trace(g, g.place[v], SOVIET) and not can_trace(x, x.place[v], SOVIET):
                return "9.23d"

    def situations(b):
        open_ = [t for t in b.ground.town_list if b.owner[t] == SOVIET + 1 and not b.occupied(t)]
        near = {("near", t) for t in open_ if is_anyone_proximate(b, GERMAN, t)}
        return near | {("supply", t) for t in open_ if g.turn >= 4 and can_trace(b, t, GERMAN)}

    return "9.23b" if situations(x) - situations(g) else ""


@settings(max_examples=50)
@given(crowded(), st.data())
def test_restrictions_agree_with_comparing_the_boards(case, data):
    g = position(**case)
    u = data.draw(st.sampled_from(g.on_map_of(SOVIET)))
    free = [h for h in g.map.grid.hexes if not g.occupied(h)]
    for h in data.draw(st.lists(st.sampled_from(free), min_size=4, max_size=8)):
        found = why_not_permitted(g, u, h)
        letter = found.rule if found else ""
        if letter != "9.23a":
            assert letter == plainly(g, u, h), (g.id(u), g.hex_name(h))
