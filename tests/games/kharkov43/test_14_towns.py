"""14 Towns, cities and improved positions; 17.1 their VPs."""

from __future__ import annotations

import pytest

from kessel.core.procedure import apply
from kessel.games.kharkov43.combat.improved_positions import place_ip, why_not_ip
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.arrival import check_edge_vps, leave_hex
from kessel.games.kharkov43.movement.movement import move_unit
from kessel.games.kharkov43.supply.supply import can_trace
from kessel.games.kharkov43.system.cards.soviet_events import conduct_event
from tests.games.kharkov43.combat_helpers import field, hit_germans, scene
from tests.games.kharkov43.helpers import panzer
from tests.games.kharkov43.soviet_helpers import arena

from .helpers import board, german, hexes, hx, names, position, reach, soviet, unit
from .test_06_german_activation import activation

rule = pytest.mark.rule
ROW = range(6, 16)
TOWN = board((19, 19), ROW, terrain={"1910": "town"}, vp={"1910": 2}, features={"1910": "target_voronezh"})


def owner(g, at):
    return {1: "german", 2: "soviet"}[g.owner[hx(g, at)]]


@rule("kharkov43", "14.1a")
@rule("kharkov43", "17.1b")
@rule("kharkov43", "17.1c")
def test_a_town_belongs_to_the_side_that_entered_it_last_with_its_vps():
    g = position(board=TOWN, units=[soviet("S", "1909"), german("A", "1914")], vp=5)
    move_unit(g, unit(g, "S"), hx(g, "1910"))
    assert owner(g, "1910") == "soviet"
    assert g.vp == 7
    move_unit(g, unit(g, "S"), hx(g, "1908"))
    assert owner(g, "1910") == "soviet", "even when it is empty again"
    assert g.vp == 7
    move_unit(g, unit(g, "A"), hx(g, "1910"))
    assert owner(g, "1910") == "german"
    assert g.vp == 5


@rule("kharkov43", "14.1c")
def test_zones_and_supply_never_change_an_owner():
    g = position(board=TOWN, turn=4, units=[soviet("S", "1909"), soviet("T", "1911")], phase="supply_phase")
    assert owner(g, "1910") == "german"


@rule("kharkov43", "14.11a")
@rule("kharkov43", "2.1t")
def test_a_target_symbol_bars_nobody():
    g = position(board=TOWN, units=[soviet("S", "1909", army="Popov")])
    assert "1910" in reach(g, "S"), "a Southwest unit enters a Voronezh target"
    move_unit(g, unit(g, "S"), hx(g, "1910"))
    assert owner(g, "1910") == "soviet"


@rule("kharkov43", "2.1s")
def test_a_village_has_no_effect_on_movement_or_supply():
    plain = board((19, 19), ROW, german_edge="1906")
    village = board((19, 19), ROW, german_edge="1906", features={"1909": "village", "1911": "village"})
    here, there = (position(board=b, units=[german("A", "1910")]) for b in (plain, village))
    assert reach(here, "A") == reach(there, "A")
    assert can_trace(here, hx(here, "1912"), GERMAN) == can_trace(there, hx(there, "1912"), GERMAN)


# --- 17.1 map edge -------------------------------------------------------------------------------------------------

EDGE = board((19, 19), ROW, soviet_edge="1906", german_edge="1915", features={"1912": "map_edge_vp"}, vp={"1912": 3})


@rule("kharkov43", "17.1d")
@rule("kharkov43", "2.1e")
def test_a_map_edge_vp_hex_counts_while_a_soviet_unit_holds_it_and_traces_supply():
    g = position(board=EDGE, units=[soviet("S", "1911")], vp=4)
    move_unit(g, unit(g, "S"), hx(g, "1912"))
    assert g.vp == 7
    move_unit(g, unit(g, "S"), hx(g, "1911"))
    assert g.vp == 4
    cut = position(board=EDGE, units=[soviet("S", "1911"), german("A", "1908")], vp=4)
    move_unit(cut, unit(cut, "S"), hx(cut, "1912"))
    assert cut.vp == 4, "no supply, no VPs"
    cut.move(unit(cut, "A"), hx(cut, "1915"))
    check_edge_vps(cut)
    assert cut.vp == 7, "once it can trace it counts"


@rule("kharkov43", "17.1e")
def test_edge_vps_are_lost_when_vacated_or_untraceable_in_a_supply_phase():
    g = position(board=EDGE, units=[soviet("S", "1912"), german("A", "1915")], turn=5)
    assert g.vp == 3
    g.move(unit(g, "A"), hx(g, "1908"))
    check_edge_vps(g)
    assert g.vp == 3, "not before the Supply Phase"
    check_edge_vps(g, supply_phase=True)
    assert g.vp == 0
    g = position(board=EDGE, units=[soviet("S", "1912"), german("A", "1915")], turn=5)
    g.take_off(unit(g, "S"), 1)
    leave_hex(g, hx(g, "1912"))
    assert g.vp == 0


# --- 14.2 improved positions -----------------------------------------------------------------------------------------


@rule("kharkov43", "14.22a")
@rule("kharkov43", "14.22b")
def test_where_no_ip_can_be_placed():
    b = board((19, 19), ROW, terrain={"1910": "town", "1911": "city"})
    g = position(
        board=b,
        improved_positions="1914",
        units=[
            german("A", "1910"),
            german("B", "1911"),
            german("C", "1912", status=["dispersed"]),
            german("D", "1913", status=["out_of_supply"]),
            german("E", "1914"),
            german("F", "1915", status=["isolated"]),
            german("G", "1915"),
        ],
    )
    for at in ("1910", "1911", "1912", "1913", "1914"):
        assert why_not_ip(g, hx(g, at), GERMAN).rule == "14.22", at
    assert why_not_ip(g, hx(g, "1915"), GERMAN) is None, "stacked with an eligible unit"


@rule("kharkov43", "14.22c")
@rule("kharkov43", "13.52e")
def test_no_soviet_ip_outside_support_but_an_old_one_stays():
    b = board((19, 19), ROW, areas={"west_support_zone": "1906 1907 1908"})
    g = position(board=b, turn=5, units=[soviet("S", "1907"), soviet("T", "1910")], improved_positions="1910")
    assert why_not_ip(g, hx(g, "1907"), SOVIET) is None
    g.mark(hx(g, "1910"), 1, False)
    assert why_not_ip(g, hx(g, "1910"), SOVIET).rule == "14.22"
    early = position(board=b, turn=4, units=[soviet("T", "1910")])
    assert why_not_ip(early, hx(early, "1910"), SOVIET) is None


@rule("kharkov43", "14.23a")
@rule("kharkov43", "14.24d")
def test_an_ip_is_shared_by_arriving_friends_and_lost_when_abandoned():
    edge = " ".join(hexes(19, 19, ROW))
    g = activation(
        [german("A", "1910", status=["active"]), german("B", "1912", status=["active"])],
        board=board((19, 19), ROW, german_edge=edge),
        improved_positions="1910",
    )
    apply(g, ("move", unit(g, "B"), hx(g, "1910")))
    apply(g, ("move", unit(g, "A"), hx(g, "1908")))
    assert names(g, g.improved_positions) == {"1910"}, "B keeps it although A dug it"
    move_unit(g, unit(g, "B"), hx(g, "1911"))
    assert names(g, g.improved_positions) == set()


@rule("kharkov43", "14.24d")
def test_an_eliminated_unit_leaves_its_ip_behind_for_nobody():
    from kessel.games.kharkov43.combat.results.losses import eliminate

    g = position(units=[german("A", "1910"), german("B", "1910")], improved_positions="1910")
    eliminate(g, unit(g, "A"))
    assert names(g, g.improved_positions) == {"1910"}, "B is still there"
    eliminate(g, unit(g, "B"))
    assert names(g, g.improved_positions) == set()


def test_placing_an_ip_is_told():
    g = position(units=[german("A", "1910")])
    g.events = []
    place_ip(g, hx(g, "1910"), "14.21")
    assert g.events[0]["rule"] == "14.21"


@rule("kharkov43", "14.21e")
def test_the_soviet_combat_engineers_event_places_ips_in_support_only():
    area = board(soviet_edge="1901", areas={"west_support_zone": "1909 1709"})
    units = [
        soviet("in 1", "1909", army="40"),
        soviet("in 2", "1709", army="40"),
        soviet("out", "2009", army="40"),
        german("G", "1911"),
    ]
    g = position(board=area, turn=5, units=units)
    card, event = g.charts.card("E04"), g.charts.events["combat_engineers"]
    conduct_event(g, card, event)
    assert names(g, g.improved_positions) == {"1909", "1709"}


@rule("kharkov43", "14.1a")
@rule("kharkov43", "12.83b")
def test_an_advance_is_told_once_and_before_what_comes_of_it() -> None:
    town = field(terrain={"1910": "town"}, vp={"1910": 2})
    g = scene(
        [soviet("a.6", "1909", faces="9-4-05"), panzer("d.XL", "1910", faces="1-6", status=["isolated"])], board=town
    )
    hit_germans(g, "a.6", "1910", 9)
    told = [e["what"] for e in g.events or () if "advance" in e["what"] or "Soviet-owned" in e["what"]]
    assert told == [
        "a.6 advances to 1910: vp hex, 0 Soviet units in the hex by advance",
        "1910 becomes Soviet-owned",
    ]
    (event,) = [e for e in g.events or () if e["what"].startswith("a.6 advances")]
    assert (event["unit"], event["from"], event["to"], event["trace"]["route"]) == ("a.6", "1909", "1910", "vp_hex")


@rule("kharkov43", "14.1a")
def test_markers_and_towns_in_the_first_hex_of_a_board_are_seen():
    ground = arena((15, 16), range(6, 12), **OPEN, terrain={"1506": "town"})
    town = position(board=ground, turn=5, soviet_towns="1506", garrisons="1506", forward_support="1506")
    assert (town.garrisons, town.forward_support, town.towns_of(SOVIET), town.towns_of(GERMAN)) == (1, 1, 1, 0)
    held = position(board=CORNER, turn=5, units=[soviet("A", "1506")], improved_positions="1506")
    assert (held.improved_positions, held.hexes_of(SOVIET), held.hexes_of(GERMAN)) == (1, 1, 0)


OPEN = {"roads_on": ()}


CORNER = arena((15, 16), range(6, 12), **OPEN)
