"""12.71 to 12.75 Retreats: room, losses, scattering and what comes of them."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import run
from kessel.games.kharkov43.board import DEFENDED, GARRISON, RETREATED, Board
from kessel.games.kharkov43.combat.battle import begin, defence_strength
from kessel.games.kharkov43.combat.chits import required_draw
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.results.hold import judge_hit
from kessel.games.kharkov43.combat.results.retreat import (
    FREE,
    SUPPLIED,
    Entry,
    hop_of,
    legal_routes,
    possible_routes,
    priority_of,
    scattered_routes,
    soviet_hop,
)
from kessel.games.kharkov43.combat.results.step_losses import must_eliminate
from kessel.games.kharkov43.data.forces import GERMAN
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    dice,
    field,
    hit_germans,
    hit_soviets,
    log,
    places,
    play,
    refused,
    scene,
    step,
    steps,
    units,
)
from tests.games.kharkov43.helpers import german, hx, panzer, soviet, tanks, unit

from .test_12_retreat import controlled, priorities, routes

RULE = "kharkov43"


# --- 12.71 to 12.75 --------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.71a")
def test_no_retreat_into_an_enemy_town():
    g = scene(
        [german("d.XL", "1910"), soviet("a.6", "1809")],
        board=field(terrain={"1911": "town", "2010": "city"}),
        soviet_towns="1911 2010",
    )
    assert "1911" not in priorities(g, "d.XL")
    assert routes(g, "d.XL", "1910", 1) == {"2009"}
    own = scene([german("d.XL", "1910"), soviet("a.6", "1809")], board=field(terrain={"1911": "town"}))
    assert "1911" in routes(own, "d.XL", "1910", 1)


@pytest.mark.rule(RULE, "12.71b")
def test_no_retreat_across_a_blocked_dniepr():
    g = scene(
        [german("d.XL", "1910"), soviet("a.6", "1809")],
        board=field(bare=True, rivers={"1910|1911": "blocked_dniepr"}),
    )
    assert "1911" not in priorities(g, "d.XL")


@pytest.mark.rule(RULE, "12.71c")
@pytest.mark.rule(RULE, "12.75b")
def test_a_retreat_does_not_end_overstacked_but_may_pass_through():
    full = [german(f"{i}.XL", "1911", faces="3-4 2-4") for i in range(3)]
    g = scene(
        [
            german("d.XL", "1910"),
            *full,
            soviet("a.6", "1809"),
            soviet("b.6", "2110"),
        ]
    )
    assert priorities(g, "d.XL")["1911"] == FREE
    assert "1911" not in routes(g, "d.XL", "1910", 1)
    assert "2010" in routes(g, "d.XL", "1910", 1)
    assert {r.split("-")[0] for r in routes(g, "d.XL", "1910", 2)} == {"1911"}
    assert "1911-1912" in routes(g, "d.XL", "1910", 2)


@pytest.mark.rule(RULE, "15.22e")
@pytest.mark.rule(RULE, "12.71d")
def test_germans_may_retreat_into_a_garrisoned_village_and_remove_the_garrison():
    g = scene(
        [german("d.XL", "1910"), soviet("a.6", "1809")],
        board=field(features={"1911": "village", "1912": "village"}),
        garrisons="1911 1912",
    )
    hit_germans(g, "a.6", "1910", 2)
    play(g, "retreat 1911-1912")
    assert not g.has_mark(hx(g, "1911"), GARRISON)
    assert not g.has_mark(hx(g, "1912"), GARRISON)


@pytest.mark.rule(RULE, "12.72a")
def test_a_lesser_priority_route_that_saves_the_unit_is_taken():
    """1911 and 1810 are free, but every hex beyond them costs a step; beyond the friend in 2010 lies a free one."""
    for left, expected in ((2, {"1810", "1911"}), (1, {"2010"})):
        g = scene(
            [
                german("d.XL", "1910", faces="3-4 2-4", steps=left),
                german("f.XL", "2010"),
                soviet("a.6", "2009"),
                soviet("b.6", "1712"),
                soviet("c.6", "2012"),
                soviet("e.6", "1709"),
            ]
        )
        found = legal_routes(g, units(g, "d.XL"), hx(g, "1910"), 2)
        assert {g.hex_name(r.path[0]) for r in found} == expected
        assert {r.losses for r in found} == {1 if left == 2 else 0}
        if left == 1:
            assert {g.hex_name(r.path[1]) for r in found} == {"2111"}


@pytest.mark.rule(RULE, "12.72a")
def test_if_no_route_saves_the_unit_the_priorities_stand():
    g = controlled([])
    g.steps[unit(g, "d.XL")] = 1
    assert {r.losses for r in legal_routes(g, units(g, "d.XL"), hx(g, "1910"), 1)} == {1}
    hit_germans(g, "a.6", "1910", 1)
    play(g, "retreat 1909")
    assert places(g, "d.XL") == {"d.XL": ""}


@pytest.mark.rule(RULE, "12.72a")
@pytest.mark.rule(RULE, "12.6a")
def test_whether_a_loss_must_eliminate_a_german_unit() -> None:
    """The first loss falls on armor, here of one step; once a unit has lost one, the infantry may take the next."""
    g = scene([panzer("x", "1910", "3-6"), german("y", "1910", "3-4 2-4"), german("z", "1910", "3-4 2-4", steps=1)])
    x, y, z = (unit(g, n) for n in "xyz")
    assert must_eliminate(g, [x, y], (), 1)
    assert not must_eliminate(g, [y], (), 1)
    assert must_eliminate(g, [y], (), 2)
    assert not must_eliminate(g, [x, y, z], (z,), 1)
    assert must_eliminate(g, [x, y, z], (z,), 2), "y, then x: no unit loses a second step before"
    assert not must_eliminate(g, [x, y], (), 0)


@pytest.mark.rule(RULE, "12.73a")
def test_units_stay_together_even_at_a_worse_priority():
    g = scene(
        [
            german("d.XL", "1910", faces="3-4 2-4"),
            german("e.XL", "1910", faces="3-4 2-4"),
            german("f.XL", "1911", faces="4-4 3-4 2-4"),
            soviet("a.6", "1809"),
            soviet("c.6", "2109"),
        ]
    )
    assert priorities(g, "d.XL")["1911"] == FREE
    assert "1911" not in routes(g, "d.XL e.XL", "1910", 1)
    c = hit_germans(g, "a.6", "1910", 1)
    assert not any(x.startswith("scatter") for x in choices(g))
    assert refused(g, "scatter 1") == "12.73"
    assert c.retreated == 0


def cramped() -> Board:
    """Around 1910 only 1911 and 2010 can be entered, and each has room for one unit."""
    return scene(
        [
            german("d.XL", "1910", faces="3-4 2-4"),
            german("e.XL", "1910", faces="3-4 2-4"),
            german("f.XL", "1911", faces="4-4 3-4 2-4"),
            german("h.XL", "2010", faces="4-4 3-4 2-4"),
            soviet("a.6", "1809"),
            soviet("b.6", "1810"),
            soviet("c.6", "1909"),
            soviet("i.6", "2009"),
        ]
    )


@pytest.mark.rule(RULE, "12.73a")
def test_units_retreat_to_different_hexes_only_to_avoid_overstacking():
    g = cramped()
    us = units(g, "d.XL e.XL")
    assert possible_routes(g, us, hx(g, "1910"), 1) == []
    assert set(scattered_routes(g, us, hx(g, "1910"), 1)) == set(us)
    c = hit_germans(g, "a.6 b.6 c.6", "1910", 1)
    assert "scatter 1" in choices(g)
    play(g, "scatter 1")
    assert step(g) == "fall_back_apart"
    play(g, "fallback e.XL 2010")
    assert set(choices(g)) == {"fallback d.XL 1911"}
    play(g, "fallback d.XL 1911")
    assert places(g, "d.XL e.XL") == {"d.XL": "1911", "e.XL": "2010"}
    assert (c.retreated, c.defender_hits) == (1, 0)
    assert {tuple(g.hex_name(h) for h in p) for p in c.paths} == {("1910", "1911"), ("1910", "2010")}


@pytest.mark.rule(RULE, "12.73b")
def test_soviet_units_that_do_not_fit_retreat_in_ascending_order():
    g = scene(
        [
            soviet("d.6", "1910", faces="3-4-09 2-4-10"),
            soviet("e.6", "1910", faces="3-4-03 2-4-04"),
            soviet("f.6", "1909", faces="4-4-11 3-4-12 2-4-13"),
            soviet("h.6", "2009", faces="4-4-14 3-4-15 2-4-16"),
            german("a.XL", "1911"),
            german("b.XL", "1810"),
            german("c.XL", "1809"),
            german("i.XL", "2010"),
        ]
    )
    b = battle(g, "a.XL b.XL c.XL", "1910", defender_hits=1)
    hops = soviet_hop(g, b, 0)
    assert [(g.id(h.units[0]), g.hex_name(h.entry.hex)) for h in hops] == [("e.6", "1909"), ("d.6", "2009")]
    dice(g, 10)
    hit_soviets(g, "a.XL b.XL c.XL", "1910", 1)
    assert places(g, "d.6 e.6") == {"d.6": "2009", "e.6": "1909"}


@pytest.mark.rule(RULE, "12.7g")
def test_every_group_that_retreats_into_enemy_control_loses_a_step_of_its_own():
    same = "3-4-05 2-4-06"
    g = scene(
        [
            soviet("d.6", "1910", faces=same),
            soviet("e.6", "1910", faces=same),
            soviet("f.6", "1910"),
            german("a.XL", "1911"),
        ]
    )
    c = GermanCombat(GERMAN, hx(g, "1910"), units(g, "a.XL"), g.charts.card_index("P26"))
    begin(g, c)
    one = hop_of(g, c, units(g, "d.6 e.6"), 0)
    assert one is not None
    one = one._replace(entry=Entry(hx(g, "1909"), SUPPLIED, False))
    c.hop(g, [one, one._replace(units=units(g, "f.6"), entry=Entry(hx(g, "2009"), SUPPLIED, False))])
    assert c.losers == units(g, "d.6 e.6")
    before = steps(g, "d.6 e.6 f.6")
    c.resume, c.at = "after_defence", c.index["soviet_losses"]
    g.stack = [c]
    run(g)
    play(g, "lose d.6")
    assert [a - b for a, b in zip(before, steps(g, "d.6 e.6 f.6"), strict=True)] == [1, 0, 1]


@pytest.mark.rule(RULE, "12.74a")
@pytest.mark.rule(RULE, "12.74b")
def test_units_that_retreated_add_nothing_to_a_later_defence_and_share_its_fate():
    def later() -> Board:
        g = scene(
            [
                soviet("d.6", "1910", faces="3-4-05 2-4-06"),
                soviet("r.6", "1910", faces="9-4-07 8-4-08"),
                german("a.XL", "1911"),
            ]
        )
        g.set_status(unit(g, "r.6"), RETREATED | DEFENDED)
        return g

    g = later()
    b = battle(g, "a.XL", "1910")
    assert (b.defenders, b.bystanders) == (units(g, "d.6"), units(g, "r.6"))
    assert defence_strength(g, b).total == 3
    assert required_draw(g, b).total == 2
    dice(g, 1)
    hit_soviets(g, "a.XL", "1910", 1)
    assert steps(g, "d.6 r.6") == [1, 2]
    gone = later()
    dice(gone, 10)
    hit_soviets(gone, "a.XL", "1910", 1)
    assert places(gone, "d.6 r.6") == {"d.6": "1909", "r.6": ""}
    dead = later()
    hit_soviets(dead, "a.XL", "1910", 4, counter=("nkvd",))
    assert places(dead, "d.6 r.6") == {"d.6": "", "r.6": ""}


@pytest.mark.rule(RULE, "12.75c")
def test_a_two_hex_retreat_ends_two_hexes_away():
    g = scene([german("d.XL", "1910"), soviet("a.6", "1809")])
    ends = {r.split("-")[1] for r in routes(g, "d.XL", "1910", 2)}
    away = g.map.grid.distance
    assert ends
    assert all(away(hx(g, "1910"), hx(g, e)) == 2 for e in ends)
    b = battle(g, "a.6", "1910")
    assert b.retreated == 0


def overstack(hits: int, *, way_on: bool = True) -> tuple[Board, Any]:
    """A Soviet pair in 1910 whose only free hex is 1909, which is full."""
    blockers = [] if way_on else [german(f"x{i}.XL", h) for i, h in enumerate(("1908", "2008", "1808"))]
    g = scene(
        [
            soviet("d.6", "1910", faces="3-4-05 2-4-06"),
            *[soviet(f"{i}.6", "1909", faces="3-4-21 2-4-22") for i in range(3)],
            german("a.XL", "1911"),
            german("b.XL", "1810"),
            german("c.XL", "1809"),
            german("e.XL", "2010"),
            german("f.XL", "2009"),
            *blockers,
        ]
    )
    return g, battle(g, "a.XL b.XL", "1910", defender_hits=hits)


@pytest.mark.rule(RULE, "12.75d")
def test_soviets_enter_an_overstacked_hex_only_if_another_hit_takes_them_on():
    g, b = overstack(1)
    assert soviet_hop(g, b, 0) == []
    assert judge_hit(g, b).letter == "A"
    g, b = overstack(2)
    hops = soviet_hop(g, b, 1)
    assert [(g.hex_name(h.entry.hex), h.overstacks) for h in hops] == [("1909", True)]
    c = hit_soviets(g, "a.XL b.XL", "1910", 2)
    assert c.retreated == 2
    assert "retreat: the hex is overstacked (12.75)" in log(g)
    assert places(g, "d.6")["d.6"] in ("1908", "1808", "2008")


@pytest.mark.rule(RULE, "12.75e")
def test_without_a_way_on_from_the_overstacked_hex_they_do_not_retreat_at_all():
    g, b = overstack(2, way_on=False)
    assert soviet_hop(g, b, 1) == []
    c = hit_soviets(g, "a.XL b.XL", "1910", 2)
    assert (c.retreated, places(g, "d.6")) == (0, {"d.6": ""})


@pytest.mark.rule(RULE, "12.75d")
def test_after_an_overstacked_first_hex_no_hold_check_is_made():
    g, b = overstack(3)
    g.steps[unit(g, "d.6")] = 2
    b.retreated, b.must_go_on, b.defender_hits = 1, True, 1
    g.move(unit(g, "d.6"), hx(g, "1909"))
    assert judge_hit(g, b).letter == "12.75"


def test_retreating_units_do_not_count_as_friends_where_they_go():
    g = scene([german("d.XL", "1910"), german("e.XL", "1910"), soviet("a.6", "1809"), soviet("b.6", "2011")])
    assert priority_of(g, units(g, "d.XL e.XL"), hx(g, "1911")) == SUPPLIED


def test_armor_retreats_like_others():
    g = scene([panzer("d.XL", "1910"), tanks("a.Popov", "1809")])
    assert "1911" in routes(g, "d.XL", "1910", 1)
