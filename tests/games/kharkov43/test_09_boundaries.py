"""9 Soviet activations at their boundaries: the very hex, the first hex of a board, the first front, other readings."""

from __future__ import annotations

import pytest

from kessel.core.errors import BadInput
from kessel.core.hexset import members, within
from kessel.core.procedure import run
from kessel.games.kharkov43.board import BOXES, DISCARD, HAND
from kessel.games.kharkov43.combat.battle import battle_of
from kessel.games.kharkov43.combat.combat_common import german_targets
from kessel.games.kharkov43.combat.results.advance_checks import Step, is_closer
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import MOVING, POINT, PROXIMITY, REGULAR, reach_of
from kessel.games.kharkov43.movement.proximity import could_enter
from kessel.games.kharkov43.movement.zones import zoc
from kessel.games.kharkov43.sequence import HeavyMudReplacements
from kessel.games.kharkov43.supply.garrisons import explain, place_garrisons, why_not_soviet_ground
from kessel.games.kharkov43.supply.supply import field_without
from kessel.games.kharkov43.system.attack_check import check_lead
from kessel.games.kharkov43.system.methods import methods_a as a
from kessel.games.kharkov43.system.methods.methods_unsupplied import to_supply
from kessel.games.kharkov43.system.objectives import check_in_supply_phase, why_relocated
from kessel.games.kharkov43.system.removal import why_not_removed
from kessel.games.kharkov43.system.terms.arrows import arrow_moves, arrows_at
from kessel.games.kharkov43.system.terms.preferences import distance_to, tiebreakers
from kessel.games.kharkov43.system.terms.restrictions import exposed_towns, why_not_permitted
from kessel.games.kharkov43.system.terms.terminology import (
    beside_germans,
    completing_hexes,
    cover_without,
    is_nearly_surrounded,
    other_soviets,
    suppose,
)
from kessel.games.kharkov43.turn.events import candidates
from kessel.games.kharkov43.turn.german_activation import kampfgruppe_hexes, moves
from kessel.games.kharkov43.turn.piles import german_pile

from .combat_helpers import choices, play
from .helpers import german, position, soviet, unit
from .soviet_helpers import (
    active,
    arena,
    hexset,
    orders,
    shown,
    southwest,
    wanted,
)

rule = pytest.mark.rule
OPEN = {"roads_on": ()}


# --- boundaries: the very hex counts, not its neighbours --------------------------------------------------------------


@rule("kharkov43", "9.23a-x2")
@pytest.mark.parametrize("last", range(7, 12))
def test_9_23a_binds_a_unit_that_starts_within_the_limit(last):
    zone = " ".join(f"{r}06-{r}{last:02d}" for r in range(15, 23))
    areas = dict.fromkeys(("far_limit_zone", "west_support_zone", "east_support_zone"), zone)
    units = [german("G", "1910"), soviet("S", "1911"), active("A", "1909")]
    g = position(board=arena(**OPEN, areas=areas), turn=6, vp=30, units=units)
    found = why_not_permitted(g, unit(g, "A"), g.map.grid.hex("1908"))
    assert (found is not None and found.rule == "9.23a") is (last >= 9)


@rule("kharkov43", "9.27d")
@pytest.mark.parametrize(("at", "beside"), [("1913", False), ("1914", True), ("1916", True), ("1917", False)])
def test_an_unsupplied_unit_away_from_germans_moves_only_closer_to_supply(at, beside):
    ground = arena(**OPEN, soviet_edge="1906", german_edge="1517")
    units = [active("A", at, "3-3-05", status=["out_of_supply"]), german("G", "1915", "9-4")]
    g = position(board=ground, turn=5, vp=30, units=units)
    free = orders(g, "A", to_supply)[1].hexes
    away = distance_to(g, field_without(g, unit(g, "A")).hexes)
    start = away[g.place[unit(g, "A")]]
    if start:
        assert any(away[h] >= start for h in members(free)) is beside
    assert not free & beside_germans(g)


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


# --- 15.1 the other reading ------------------------------------------------------------------------------------------


@rule("kharkov43", "15.1l")
@pytest.mark.parametrize(("reading", "kept"), [("if_the_new_marker_made_it_fail", True), ("if_it_fails", False)])
def test_a_garrison_that_failed_before_goes_only_by_the_other_reading(reading, kept):
    """O8: 1908 is out of every German's reach and was before the marker in 1912 was placed."""
    ground = arena(
        **OPEN,
        features={"1908": "village", "1912": "village"},
        german_edge="",
        soviet_edge="1906",
    )
    units = [soviet("S", "1910"), german("G", "1915", "3-4")]
    g = position(board=ground, turn=4, units=units, garrisons="1908", options={"garrison_removed": reading})
    assert shown(g, sum(1 << h for h in place_garrisons(g))) == "1912"
    assert (g.garrisons >> g.map.grid.hex("1908") & 1 == 1) is kept


# --- 9.3 in the first hex of a board ----------------------------------------------------------------------------------

CORNER = arena((15, 16), range(6, 12), **OPEN)


@rule("kharkov43", "9.3d")
@rule("kharkov43", "9.3f")
def test_a_unit_in_the_first_hex_of_a_board_is_left_out_like_any_other():
    g = position(board=CORNER, units=[soviet("A", "1506"), soviet("B", "1509")])
    u = unit(g, "A")
    assert g.place[u] == 0
    assert shown(g, other_soviets(g, u)) == "1509"
    assert shown(g, cover_without(g, u)) == "1508 1509 1510 1608 1609"
    both = position(board=CORNER, units=[soviet("A", "1506"), soviet("C", "1506", status=["isolated"])])
    assert shown(both, cover_without(both, unit(both, "A"))) == "1506", "C stands there but controls nothing"
    two = position(board=CORNER, units=[soviet("A", "1506"), soviet("C", "1506")])
    assert shown(two, cover_without(two, unit(two, "A"))) == "1506 1507 1606"
    off = position(board=CORNER, units=[soviet("A", "reserve"), soviet("B", "1509")])
    assert shown(off, other_soviets(off, unit(off, "A"))) == "1509"
    assert shown(off, cover_without(off, unit(off, "A"))) == "1508 1509 1510 1608 1609"


@rule("kharkov43", "9.3t")
def test_an_isolated_unit_closes_only_the_hex_it_stands_in():
    units = [active("A", "1507", status=["isolated"]), active("B", "1507")]
    g = position(board=arena(**OPEN), turn=5, units=units)
    assert shown(g, completing_hexes(g, unit(g, "A"), hexset(g, "1910"))) == "1910"
    assert completing_hexes(g, unit(g, "A"), hexset(g, "1910 1911")) == 0
    assert shown(g, completing_hexes(g, unit(g, "B"), hexset(g, "1910 1911"))) == "1810 1910 1911 2010"


@rule("kharkov43", "9.23d")
@pytest.mark.parametrize("town", ["1908", "1909", "1910"])
def test_a_move_is_judged_as_if_the_town_were_taken(town):
    ground = arena(**OPEN, terrain={"1908": "town", "1909": "town", "1910": "town"})
    g = position(board=ground, turn=4, units=[active("A", "1906")])
    x = suppose(g, unit(g, "A"), g.map.grid.hex(town))
    assert shown(x, x.towns_of(SOVIET)) == town
    assert g.towns_of(SOVIET) == 0


@rule("kharkov43", "9.3i")
@pytest.mark.parametrize(("at", "nearly"), [("1914", True), ("1915", False)])
def test_a_german_unit_surrounds_from_two_hexes_away_with_its_last_movement_point(at, nearly):
    """Only 1909 beside A is open; from 1910, two hexes from A, a unit of four points would close it."""
    units = [
        soviet("A", "1908"),
        german("N", "1708", "3-1", status=["dispersed"]),
        german("E", "1906", "3-1", status=["dispersed"]),
        german("S", "2108", "3-1", status=["dispersed"]),
        german("G", at, "3-4"),
    ]
    g = position(board=arena(**OPEN, soviet_edge="1506"), turn=8, units=units)
    assert shown(g, g.map.grid.near[g.map.grid.hex("1908")] & ~zoc(g, GERMAN)) == "1909"
    assert is_nearly_surrounded(g, unit(g, "A")) is nearly


# --- 9.4, 9.12 --------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.4u")
@rule("kharkov43", "9.4q")
def test_every_card_lends_its_command_value_and_nothing_is_added_to_a_strength_of_one():
    units = [active("A", "1909", "2-4-05 1-4-15"), german("G", "1910", "1-4")]
    g = position(board=arena(**OPEN), turn=3, objectives=southwest("1506"), units=units)
    a_unit = unit(g, "A")
    target = [g.map.grid.hex("1910")]
    for card in g.charts.soviet_cards:
        check = check_lead(g, a_unit, target, card)
        assert check.value is not None
        assert check.value.items[0].what == f"command value of {g.charts.cards[card].id}"
        assert check.value.items[0].value == g.charts.cards[card].command_value
    assert [i.what for i in check_lead(g, a_unit, target, -1).defence.items] == ["G"]


@rule("kharkov43", "9.12c")
@pytest.mark.parametrize(("at", "kept"), [("1910", True), ("1909", True), ("1908", False), ("1810", True)])
def test_on_game_turn_7_a_marker_needs_a_unit_in_or_beside_its_hex(at, kept):
    g = position(board=arena(), turn=7, objectives=southwest("1910", stage=3), units=[soviet("A", at)])
    check_in_supply_phase(g)
    assert g.has_objective("Southwest") is kept


# --- 15.1 -------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "15.1h")
@rule("kharkov43", "15.11a")
@pytest.mark.parametrize("column", range(8, 13))
def test_the_garrison_event_asks_for_the_limit_of_the_very_hex(column):
    zone = " ".join(f"{r}06-{r}10" for r in range(15, 23))
    areas = dict.fromkeys(("west_support_zone", "far_limit_zone", "east_support_zone"), zone)
    village = f"19{column:02d}"
    ground = arena(**OPEN, areas=areas, features={village: "village target_southwest"})
    g = position(board=ground, turn=6, vp=30, units=[soviet("S", "1909")])
    h = g.map.grid.hex(village)
    found = why_not_soviet_ground(g, h, "Southwest")
    beyond = found is not None and found.reason == "it is beyond the operational limit of the Southwest Front"
    assert beyond is (column > 10)


@rule("kharkov43", "15.1c")
def test_a_garrison_is_explained():
    ground = arena(**OPEN, features={"1909": "village", "1912": "village"}, terrain={"1910": "town"})
    units = [soviet("S", "1907"), german("G", "1914")]
    g = position(board=ground, turn=4, units=units, garrisons="1909", soviet_towns="1910")
    hex_ = g.map.grid.hex
    assert explain(g, hex_("1909"))["refusal"]["reason"] == "the hex is not empty"
    assert explain(g, hex_("1910")) == {"placed": True}
    assert explain(g, hex_("1907"))["refusal"]["reason"] == "the hex is not empty"
    no = explain(g, hex_("1912"))
    assert no["placed"] is False
    assert no["refusal"]["rule"] == "15.1"


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


@rule("kharkov43", "9.3l")
@rule("kharkov43", "10.0a")
def test_a_german_unit_leaves_the_first_hex_of_a_board_as_it_leaves_any_other():
    g = position(board=CORNER, turn=5, units=[german("G", "1506", "3-2")])
    u = unit(g, "G")
    assert g.place[u] == 0
    assert shown(g, could_enter(g, u)) == "1506 1507 1508 1606 1607"
    for purpose in (MOVING, PROXIMITY):
        found = reach_of(g, u, REGULAR, purpose)
        assert {g.hex_name(h): c // POINT for h, c in found.cost.items()} == {
            "1506": 0,
            "1507": 1,
            "1606": 1,
            "1508": 2,
            "1607": 2,
        }
    enters = position(board=CORNER, turn=5, units=[german("G", "1508", "3-3")])
    assert not reach_of(enters, unit(enters, "G"), REGULAR, PROXIMITY).stops(0), "nothing stops a unit there"


# --- both fronts: the first of a list is as good as the second --------------------------------------------------------


@rule("kharkov43", "9.24a")
@rule("kharkov43", "9.24c")
@rule("kharkov43", "9.21.2a")
@pytest.mark.parametrize(("army", "front"), [("69", "Voronezh"), ("6", "Southwest")])
def test_the_markers_of_both_fronts_guide_their_units(army, front):
    ground = arena(**OPEN, terrain={"1912": "town"})
    marker = {front: {"hex": "1914", "facing": "south", "stage": 1}}
    g = position(
        board=ground, turn=2, objectives=marker, units=[active("A", "1908", army=army), german("G", "1912", "9-4")]
    )
    assert wanted(g, "A", a.near_objective, front) == "1811 1911 2011"
    breakers = {p.rule: p for p in tiebreakers(g, unit(g, "A"))}
    assert shown(g, breakers["9.24a"].keep(hexset(g, "1908 1909 1910"))) == "1910"
    assert shown(g, breakers["9.24c"].keep(hexset(g, "1810 1910 2010"))) == "2010"


@rule("kharkov43", "12.83c")
@pytest.mark.parametrize(("army", "front"), [("69", "Voronezh"), ("6", "Southwest")])
def test_an_advance_closer_to_the_marker_of_either_front(army, front):
    marker = {front: {"hex": "1914", "facing": "west", "stage": 1}}
    units = [soviet("A", "1909", army=army), german("G", "1912", "9-4")]
    g = position(board=arena(**OPEN), turn=2, objectives=marker, units=units)
    b_ = battle_of(g, SOVIET, g.map.grid.hex("1910"), [unit(g, "A")])
    assert is_closer(g, Step(b_, unit(g, "A"), g.map.grid.hex("1910")))
    assert not is_closer(g, Step(b_, unit(g, "A"), g.map.grid.hex("1908")))


@rule("kharkov43", "9.21.10b")
def test_an_arrow_may_point_into_the_first_hex_of_a_board():
    ground = arena((15, 16), range(6, 12), **OPEN, arrows=[{"kind": "primary", "from": "1507", "to": "1506"}])
    g = position(board=ground, turn=2)
    assert arrows_at(g, g.map.grid.hex("1507"), "Southwest") == [(0, "primary")]


@rule("kharkov43", "5.6a")
def test_the_first_card_of_the_list_is_discarded_like_any_other():
    units = [german("A", "1910", corps="Raus"), soviet("S", "1506")]
    g = position(board=arena(), turn=2, units=units, cards={"hand": "P23", "draw": "P24 E01"}, phase="german_impulse")
    assert g.charts.card_index("P23") == 0
    play(g, "play P23 one_unit")
    while "P23" not in [g.charts.cards[i].id for i in german_pile(g, DISCARD)]:
        play(g, choices(g)[0])
    assert [g.charts.cards[i].id for i in german_pile(g, HAND)] == ["P24"], "and the hand is refilled"


# --- 2 pieces ---------------------------------------------------------------------------------------------------------


@rule("kharkov43", "14.1a")
def test_markers_and_towns_in_the_first_hex_of_a_board_are_seen():
    ground = arena((15, 16), range(6, 12), **OPEN, terrain={"1506": "town"})
    town = position(board=ground, turn=5, soviet_towns="1506", garrisons="1506", forward_support="1506")
    assert (town.garrisons, town.forward_support, town.towns_of(SOVIET), town.towns_of(GERMAN)) == (1, 1, 1, 0)
    held = position(board=CORNER, turn=5, units=[soviet("A", "1506")], improved_positions="1506")
    assert (held.improved_positions, held.hexes_of(SOVIET), held.hexes_of(GERMAN)) == (1, 1, 0)


@rule("kharkov43", "2.21g")
@rule("kharkov43", "2.21i")
@pytest.mark.parametrize(
    ("faces", "what"),
    [
        ("99-99-99", ""),
        ("0-0-00", ""),
        ("100-4-01", "a value that is not between 0 and 99"),
        ("3-100-01", "a value that is not between 0 and 99"),
        ("3-4-100", "a value that is not between 0 and 99"),
        ("3-4 2-4 1-4", ""),
        ("4-4 3-4 2-4 1-4", "has 4 faces; a unit has one to three steps"),
        ("3", "is not a face like 5-6-01"),
        ("3-4-5-6", "is not a face like 5-6-01"),
        ("3-x", "is not a face like 5-6-01"),
    ],
)
def test_the_printed_values_of_a_unit_have_bounds(faces, what):
    if not what:
        g = position(board=CORNER, units=[soviet("A", "1506", faces)])
        assert g.forces.full_steps[0] == len(faces.split())
        return
    with pytest.raises(BadInput, match=what):
        position(board=CORNER, units=[soviet("A", "1506", faces)])


@rule("kharkov43", "2.21j")
@rule("kharkov43", "2.21m")
def test_types_of_the_faces_from_full_strength_down():
    g = position(board=CORNER, units=[soviet("A", "1506", "5-6-01 3-6-02 1-6-03", "armor mechanized")])
    kinds = []
    for steps in (3, 2, 1):
        g.steps[0] = steps
        g.changed()
        kinds.append((g.is_armor(0), g.is_mech(0), g.strength(0), g.selector(0)))
    assert kinds == [(True, True, 5, 1), (False, True, 3, 2), (False, True, 1, 3)], "the last word holds for the rest"


@rule("kharkov43", "6.2a")
@rule("kharkov43", "5.2b")
def test_the_kampfgruppe_marker_is_placed_only_where_it_has_an_effect():
    g = position(board=arena(**OPEN), turn=3, units=[german("A", "1910", corps="XL"), german("B", "1913", corps="III")])
    card = g.charts.card("P37")
    hexes = kampfgruppe_hexes(g, card, 2)
    assert hexes == within(g.map.grid, hexset(g, "1910"), 2), "only the corps on the card"
    none = position(board=arena(**OPEN), turn=3, units=[german("B", "1913", corps="III")])
    assert kampfgruppe_hexes(none, card, 2) == 0


@rule("kharkov43", "9.21.10a")
@rule("kharkov43", "10.0e")
def test_along_arrows_too_a_unit_moves_at_least_one_hex():
    arrows = [{"kind": "primary", "from": "1909", "to": "1910"}, {"kind": "primary", "from": "1910", "to": "1911"}]
    ground = arena(**OPEN, arrows=arrows, terrain={"1910": "woods"})
    g = position(board=ground, turn=1, units=[active("A", "1909", "3-1-05")])
    assert [g.hex_name(h) for h in arrow_moves(g, unit(g, "A"), "Southwest")] == ["1910"], "two points, of one"
    two = position(board=ground, turn=1, units=[active("A", "1909", "3-2-05")])
    assert [two.hex_name(h) for h in arrow_moves(two, unit(two, "A"), "Southwest")] == ["1910"]
    four = position(board=ground, turn=1, units=[active("A", "1909", "3-4-05")])
    assert arrow_moves(four, unit(four, "A"), "Southwest") == {}, "one point is left in 1911"


@rule("kharkov43", "9.6g")
@pytest.mark.parametrize("last", range(7, 13))
def test_a_unit_within_the_limit_is_not_removed_from_a_ring(last):
    zone = " ".join(f"{r}06-{r}{last:02d}" for r in range(15, 23))
    areas = dict.fromkeys(("far_limit_zone", "west_support_zone", "east_support_zone"), zone)
    ring = [active("A", "1909", "3-4-09"), german("G", "1910", "9-4"), soviet("S", "1911")]
    g = position(board=arena(**OPEN, areas=areas), turn=8, vp=30, units=ring)
    found = why_not_removed(g, unit(g, "A"))
    kept = found is not None and found.reason == "a German unit would no longer be surrounded"
    assert kept is (last >= 9)


@rule("kharkov43", "12.1a")
def test_only_hexes_beside_active_units_can_be_attacked_the_first_hex_included():
    units = [german("A", "1508", status=["active"]), soviet("S", "1506"), soviet("T", "1509")]
    g = position(board=CORNER, turn=3, units=units)
    assert g.place[unit(g, "S")] == 0
    assert [g.hex_name(h) for h in german_targets(g)] == ["1509"]
    near = position(board=CORNER, turn=3, units=[german("A", "1507", status=["active"]), *units[1:]])
    assert german_targets(near) == [0]


@rule("kharkov43", "6.0b")
def test_what_is_no_move_is_not_among_the_moves():
    g = position(board=arena(), turn=3, units=[german("A", "1910", status=["active"]), german("B", "1912")])
    listed, a_unit, there = list(moves(g)), unit(g, "A"), g.map.grid.hex("1911")
    assert ("move", a_unit, there) in listed
    for action in ("move", ("move",), ("move", a_unit), ("move", a_unit, there, there), ("dig", a_unit, there)):
        assert action not in listed
    assert ("move", unit(g, "B"), there) not in listed
    assert ("strategic", a_unit, there) not in listed


@rule("kharkov43", "9.12a")
@pytest.mark.parametrize(("stage", "relocated"), [(1, True), (2, True), (3, False)])
def test_a_marker_in_its_third_hex_is_not_relocated(stage, relocated):
    g = position(board=arena(**OPEN), turn=3, objectives=southwest("1910", stage=stage), units=[soviet("A", "1910")])
    assert (why_relocated(g, "Southwest") is not None) is relocated


@rule("kharkov43", "18.34j")
def test_heavy_mud_replaces_infantry_steps_alone():
    units = [
        soviet("T", "eliminated", "5-6 3-6", "armor", army="Popov"),
        soviet("I", "eliminated", "3-4 1-4", army="3T"),
        german("P", "eliminated", "5-6 3-6", "armor", corps="XL"),
    ]
    g = position(board=arena(**OPEN), turn=8, ground="heavy_mud", units=units)
    g.stack = [HeavyMudReplacements()]
    run(g)
    assert not g.stack
    assert [BOXES[g.box[u]] for u in range(3)] == ["eliminated", "reserve", "eliminated"]


@rule("kharkov43", "5.4a")
@rule("kharkov43", "16.21a")
def test_panzer_workshops_mend_only_what_may_receive_a_step():
    units = [
        german("A", "1910", "5-6 3-6", "armor", corps="XL", steps=1),
        german("B", "1912", "5-6 3-6", "armor", corps="XL", steps=1, status=["out_of_supply"]),
        german("C", "1914", "5-6 3-6", "armor", corps="XL"),
        german("D", "1810", "3-4 1-4", corps="XL", steps=1),
    ]
    g = position(board=arena(), turn=5, units=units)
    event = g.charts.events["panzer_workshops"]
    assert [g.name(u) for u in candidates(g, event, "XL")] == ["A"]
