"""RX-7.4 Relocation, RX-7.8 displacement, PA-restrict the three tethers."""

from __future__ import annotations

import pytest

from kessel.core.board import NOWHERE
from kessel.core.hexset import members
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.movement.displacement import Displacement, refuges, tether_of, why_not_hq, why_not_tethered
from kessel.games.bug41.movement.relocation import relocation_path, relocation_price
from kessel.games.bug41.turn.reinforcements import Arrivals

from .helpers import act, at, board, do, f, fresh, ger, h, hq, points, pos, refusal, sov, start, texts, u

VILLAGES = dict.fromkeys(("-4,0", "-2,0", "0,0", "2,0", "4,0", "0,4", "0,-4"), "village")


def desk(*more: object, relocation: int = 2, points: int = 3, **options: object) -> Board:
    units = (hq("HQ", "-4,0", "298ID", relocation=relocation), ger("A", "-5,0"), *more)
    options = {"on": board(terrain=VILLAGES), **options}
    return act(pos(*units, **options), points=points)  # type: ignore[arg-type]


@pytest.mark.rule("bug41", "PA-AP.hq", "RX-7.4")
def test_each_point_takes_an_hq_its_relocation_points() -> None:
    g = desk()
    me = u(g, "HQ")
    assert {x: relocation_price(g, me, h(g, x)) for x in ("-2,0", "0,0", "2,0", "4,0")} == {
        "-2,0": 1, "0,0": 2, "2,0": 3, "4,0": 0,
    }  # fmt: skip
    assert refusal(g, "relocate 4,0").rule == "RX-7.4"
    assert refusal(g, "relocate -3,0").rule == "RX-7.4", "no village"
    assert refusal(desk(points=1), "relocate 0,0").rule == "PA-AP.hq"
    do(g, "relocate 0,0")
    assert at(g, "HQ") == "0,0"
    assert points(g) == 1
    assert relocation_path(g, me, h(g, "-2,0"))[0] == h(g, "0,0")


def test_enemies_room_and_water_limit_relocation() -> None:
    g = desk(hq("S", "-2,0", "215MD"))
    assert refusal(g, "relocate -2,0").rule == "RX-7.4"
    g = desk(hq("O", "-2,0", "44ID"))
    assert refusal(g, "relocate -2,0").rule == "PA-stacking.5"
    g = desk(sov("S", "-1,0"))
    assert refusal(g, "relocate -2,0").reason.endswith("no friendly combat unit is there")
    assert "relocate -2,0" in texts(desk(sov("S", "-1,0"), ger("B", "-2,0")))
    ring = {f"{a}|-2,0": "bug" for a in ("-1,0", "-1,-1", "-2,-1", "-3,0", "-3,1", "-2,1")}
    g = desk(on=board(terrain=VILLAGES, sides=ring))
    assert refusal(g, "relocate -2,0").reason.startswith("no open way")


# --- displacement ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "RX-7.8")
def test_a_displaced_hq_goes_to_the_nearest_place_and_loses_a_level() -> None:
    g = pos(
        hq("Q", "0,0", "215MD"), sov("S", "5,-5"), on=board(terrain={"0,0": "village", "3,0": "village", "6,0": "town"})
    )
    start(g, Displacement(SOVIET, h(g, "0,0")))
    assert at(g, "Q") == "3,0"
    assert g.levels[f(g, "215MD")] == 3
    g = pos(
        hq("Q", "0,0", "215MD"),
        hq("R", "0,0", "19TD"),
        on=board(terrain={"0,0": "town", "3,0": "village", "-3,0": "village"}),
    )
    start(g, Displacement(SOVIET, h(g, "0,0")))
    assert len(texts(g)) == 4, "two HQs, one after the other, as their owner likes"
    do(g, "displace R 3,0")
    assert (at(g, "Q"), at(g, "R")) == ("-3,0", "3,0")


def test_an_hq_without_a_place_leaves_the_map_and_comes_back_from_its_supply() -> None:
    g = pos(hq("Q", "0,0", "215MD"), sov("S", "0,1"), on=board(terrain={"0,0": "village"}), levels={"215MD": 0})
    start(g, Displacement(SOVIET, h(g, "0,0")))
    assert g.place[u(g, "Q")] == NOWHERE
    assert g.levels[f(g, "215MD")] == 0, "never below 0"
    g = pos(hq("Q", "", "215MD"), sov("S", "0,1"), on=board(terrain={"3,0": "village", "0,0": "village"}))
    start(g, Arrivals(SOVIET))
    assert texts(g) == ["place Q 3,0"], "within four hexes of the supply edge"


# --- tethers ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "PA-restrict.a1")
def test_87_rifle_stays_near_the_town_for_three_turns() -> None:
    g = fresh("campaign")
    q = u(g, "HQ87")
    near = {x for x in g.map.grid.hexes if min(g.map.grid.distance(x, h(g, t)) for t in ("1813", "1913")) <= 4}
    assert set(members(tether_of(g, f(g, "87RD")))) == near
    act(g, "87RD", points=3)
    outside = [x for x in members(g.ground.hq_hexes) if x not in near]
    assert all(why_not_tethered(g, q, x).rule == "PA-restrict.a1" for x in outside)  # type: ignore[union-attr]
    assert {h(g, t.split()[1]) for t in texts(g) if t.startswith("relocate")} <= near
    g.set_track("turn", 4)
    assert tether_of(g, f(g, "87RD")) == g.map.grid.all


@pytest.mark.rule("bug41", "PA-restrict.a2")
def test_that_ends_when_the_german_holds_a_hex_of_the_town() -> None:
    for reading, after in (("ends_for_good", True), ("while_german", False)):
        g = fresh("campaign", tether_87=reading)
        g.take_off(u(g, "KV2-81"))
        g.enter(u(g, "I-525"), h(g, "1813"))
        assert tether_of(g, f(g, "87RD")) == g.map.grid.all
        g.move(u(g, "I-525"), NOWHERE)
        g.enter(u(g, "I-96"), h(g, "1813"))
        assert (tether_of(g, f(g, "87RD")) == g.map.grid.all) == after


@pytest.mark.parametrize(
    ("formation", "area", "rule"),
    [
        pytest.param(
            "124RD", "south_soviet_supply", "PA-restrict.b1", marks=pytest.mark.rule("bug41", "PA-restrict.b1")
        ),
        pytest.param(
            "41TD", "north_soviet_supply", "PA-restrict.c1", marks=pytest.mark.rule("bug41", "PA-restrict.c1")
        ),
    ],
)
def test_two_hqs_stay_near_their_supply_all_game(formation: str, area: str, rule: str) -> None:
    g = fresh("campaign")
    for turn in (1, 7):
        g.set_track("turn", turn)
        edge = members(g.ground.area(area))
        near = {x for x in g.map.grid.hexes if min(g.map.grid.distance(x, e) for e in edge) <= 4}
        assert set(members(tether_of(g, f(g, formation)))) == near
    q = g.hq_of(f(g, formation))
    far = h(g, "1212")
    assert why_not_tethered(g, q, far).rule == rule  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "formation",
    [
        pytest.param("87RD", marks=pytest.mark.rule("bug41", "PA-restrict.a3")),
        pytest.param("124RD", marks=pytest.mark.rule("bug41", "PA-restrict.b2")),
        pytest.param("41TD", marks=pytest.mark.rule("bug41", "PA-restrict.c2")),
    ],
)
def test_a_displaced_hq_leaves_its_area_only_if_it_must(formation: str) -> None:
    g = fresh("campaign")
    q = g.hq_of(f(g, formation))
    inside = tether_of(g, f(g, formation))
    assert all(inside >> x & 1 for x in refuges(g, q))
    spare = [n for n in range(len(g.forces)) if g.forces.side[n] == GERMAN and not g.forces.hq[n]]
    free = [x for x in members(inside & g.ground.hq_hexes) if why_not_hq(g, q, x) is None and x != g.place[q]]
    for n, x in zip(spare, free, strict=False):
        g.move(n, x)
    rest = [x for x in members(inside & g.ground.hq_hexes) if why_not_hq(g, q, x) is None and x != g.place[q]]
    assert len(free) <= len(spare)
    assert not rest
    assert refuges(g, q)
    assert not any(inside >> x & 1 for x in refuges(g, q))
