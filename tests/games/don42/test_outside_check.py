"""Cases that a second reading of the rules judged otherwise than we did."""

from __future__ import annotations

import pytest

from kessel.games.don42.board import G_MOVEMENT
from kessel.games.don42.combat.odds import work_out
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.supply import supply

from .helpers import TITLE, ask, board, do, ger, h, homeland, hq62, pos, refusal, sov, start, texts, u
from .test_13_retreat import RED_RING, withdraw
from .test_questions_movement import road, row

# --- 4.1, 4.2.3 the road's exit --------------------------------------------------------------------------------------


def exits(**more):
    """Two roads off the map: by 0,-6 in the north, and a short one by -6,6 in the west."""
    return homeland(6, features={"-6,6": ["soviet_source"]}, roads=[("minor_road", "-6,6 -6,5 -6,4")], **more)


@pytest.mark.rule("don42", "4.1.b", "4.2.3.e")
def test_a_unit_negates_an_enemy_zone_in_the_hex_where_the_road_leaves_the_map():
    g = pos(hq62("-6,5"), sov("X", "-2,-3", "3-4-9", status=["active"]), ger("A", "1,-6"), on=exits())
    supply.check(g, SOVIET, "5.0.4")
    assert ask(g, "supply", unit="X")["state"] == "general"
    found = ask(g, "moves", unit="X", to="0,-6")
    there = pos(hq62("-6,5"), sov("X", "0,-6", "3-4-9"), ger("A", "1,-6"), on=exits())
    assert ask(there, "supply", unit="X")["state"] == "general", "its own presence opens the exit"
    assert found["legal"], "so it does not move out of supply"


@pytest.mark.rule("don42", "4.2.3.e")
def test_an_hq_whose_road_is_shut_by_the_move_gives_no_supply():
    b = board(
        8,
        roads=[("minor_road", "0,-8 0,-7 0,-6 0,-5 0,-4 0,-3 0,-2 0,-1 0,0")],
        features={"0,-8": ["soviet_source"]},
    )
    g = pos(hq62("0,0"), sov("X", "0,-6", "3-4-9", status=["active"]), sov("Y", "0,-5"), ger("A", "1,-6"), on=b)
    supply.check(g, SOVIET, "5.0.4")
    assert ask(g, "supply", unit="X")["state"] == "attack", "X in 0,-6 keeps the road open"
    found = ask(g, "moves", unit="X", to="-2,1")
    assert (found["legal"], found["refusal"]["rule"]) == (False, "4.2.3"), "without it the HQ has no road home"


# --- 12.4.1 guns in disorder -----------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "12.4.1.b2", "12.4.1.b3", "12.3.1.c")
@pytest.mark.parametrize(("status", "adds"), [([], 5), (["DRG"], 5), (["DPT"], 2), (["RTD"], 1)])
def test_a_gun_in_disorder_adds_to_a_defence_what_it_would_defend_with(status, adds):
    g = pos(sov("X", "0,0"), ger("A", "1,0"), ger("G", "3,0", "4-5-10", type="artillery", status=status))
    odds = work_out(g, SOVIET, [u(g, "X")], h(g, "1,0"), (), (), [u(g, "G")])
    assert odds.defence.items[-1].value == adds
    assert odds.defence.total == 4 + adds
    small = pos(sov("X", "0,0"), ger("A", "1,0"), ger("G", "3,0", "4-1-10", type="artillery", status=status))
    assert work_out(small, SOVIET, [u(small, "X")], h(small, "1,0"), (), (), [u(small, "G")]).defence.total == 5


# --- 13.3, 13.3.1 a retreat that goes on -----------------------------------------------------------------------------


@pytest.mark.rule("don42", "13.3.1.b", "13.3.b")
def test_a_retreat_that_goes_on_never_leads_back():
    g = pos(ger("A", "-1,0"), sov("X", "1,0"), sov("Y", "2,0"))
    withdraw(g, ["X"], 1, "-1,0")
    do(g, "retreat 2,0")
    assert "continue 1,1" in texts(g), "beside it is allowed"
    assert "continue 1,0" not in texts(g), "the hex it came from, though free of zones"
    asked = pos(ger("A", "-1,0"), sov("X", "1,0"), sov("Y", "2,0"))
    ways = ask(asked, "retreat", hex="1,0", hexes=1, attackers=["-1,0"])["ways"]
    full = next(w for w in ways if w["path"] == ["2,0"])
    assert "continue 1,1" in full["over_limit"]
    assert "continue 1,0" not in full["over_limit"]


@pytest.mark.rule("don42", "3.2.5.a")
def test_the_log_tells_a_retreat_as_far_as_it_went():
    """The first hex behind X is in the zone of B: X is lost there, whatever its length."""
    g = pos(ger("A", "0,0"), ger("B", "3,-1"), ger("C", "2,1"), sov("X", "1,0"))
    g.events = []
    withdraw(g, ["X"], 2, "0,0")
    do(g, texts(g)[0])
    told = [e["what"] for e in g.events if e.get("unit") == "X"]
    first = told[0].rsplit(" ", 1)[1]
    assert told[0].startswith("X retreats to ")
    assert told[1].endswith(f"zone of control at {first}")


@pytest.mark.rule("don42", "13.3.1.d", "13.3.b")
def test_nor_does_one_that_must_continue_its_retreat():
    """No hex is free of zones, 2,0 is full, and this reading lets a retreat bend as it likes."""
    full = [ger("B", "2,0"), ger("C", "2,0")]
    g = pos(*RED_RING, ger("A", "1,0"), *full, on=board(8), options={"away": "from_start"})
    withdraw(g, ["A"], 1, "0,0")
    do(g, "retreat 2,0")
    onward = {t.split()[1] for t in texts(g) if t.startswith("retreat ")}
    assert onward
    assert "1,0" not in onward
    assert refusal(g, "retreat 1,0").reason == "a retreat never leads back to a hex it came from"


@pytest.mark.rule("don42", "13.3.1.c")
def test_a_displaced_unit_may_take_the_hex_the_retreat_came_from_or_not_by_a_switch():
    def offered(**reading):
        g = pos(ger("A", "-1,0"), sov("X", "1,0"), sov("Y", "2,0"), options=reading)
        withdraw(g, ["X"], 1, "-1,0")
        do(g, "retreat 2,0")
        return "displace Y 1,0" in texts(g)

    assert offered()
    assert not offered(displaced_back="never")


# --- 4.2.2 with 9.5 --------------------------------------------------------------------------------------------------


def guards(corps_at="7,0", unit_at="8,0", corps="4TkC", **fields):
    """HQ 1GdA on the road at 0,0; a Tank Corps HQ and a unit of it further east."""
    army = sov("HQ1GdA", "0,0", "0-1-8", type="hq", size="army", army="1GdA")
    hq = sov(f"HQ{corps}", corps_at, "0-1-8", type="hq", size="corps", army="", corps=corps)
    return pos(army, hq, sov("X", unit_at, army="", corps=corps), on=homeland(12), **fields)


@pytest.mark.rule("don42", "4.2.2.a", "9.5.c")
def test_a_tank_corps_hq_off_the_road_supplies_its_units_through_its_army_hq():
    for corps in ("4TkC", "16TkC"):
        found = ask(guards(corps=corps), "supply", unit="X")
        assert found["state"] == "attack"
        held = next(x for x in found["lines"] if x["holds"])
        assert held["through"] == f"HQ{corps} to HQ1GdA, which is near a road home (9.5)"
        assert ask(guards(corps=corps), "supply", unit=f"HQ{corps}")["state"] == "attack"
    assert ask(guards(corps="7TkC"), "supply", unit="X")["state"] == "out of supply", "not one of 9.5"
    assert ask(guards("8,0", "9,0"), "supply", unit="X")["state"] == "out of supply", "its HQ is 8 MPs from the Army's"


@pytest.mark.rule("don42", "4.2.2.a", "9.5.c")
def test_the_check_of_a_phase_finds_the_same():
    g = guards()
    supply.check(g, SOVIET, "12.1")
    assert [g.supply[u(g, n)] for n in ("X", "HQ4TkC", "HQ1GdA")] == [2, 2, 2]
    assert ask(guards(unit_at="6,0"), "moves", unit="X", to="8,0")["legal"], "it stays in Attack Supply there"


# --- 9.2 no line to the HQ -------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "9.2.c")
def test_a_unit_without_a_line_to_its_hq_may_end_where_the_distance_decreases():
    b = row(20, roads=road("minor_road", 0, 20), features={0: ["soviet_source"], 20: ["soviet_source"]})
    for options in ({}, {"closer": "every_hex"}):
        g = pos(hq62("0,0"), sov("X", "14,0"), ger("A", "6,0"), on=b, turn="Aug 25 AM", options=options)
        assert not supply.has_line(g, u(g, "X"), u(g, "HQ62A"), 40), "a German stands on the only way"
        found = ask(g, "moves", unit="X")
        assert (found["allowance"]["total"], set(found["reach"])) == (2, {"13,0", "12,0"}), "half MPs, and nearer"
        away = ask(g, "moves", unit="X", to="15,0")
        assert (away["legal"], away["refusal"]["rule"]) == (False, "9.2")


# --- 10.0 the minimum move -------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "10.0.d")
def test_a_minimum_move_costs_all_mps_and_no_more():
    foot = ger("A", "0,0", "4-4-2", type="infantry", motorized=False)
    g = pos(foot, on=board(2, terrain={"1,0": "hill"}), weather="mud")
    found = ask(g, "moves", unit="A", to="1,0")
    assert found["cost"] == found["allowance"]["total"] == 2
    assert sum(s["cost"] for s in found["steps"]) == 2
    assert found["steps"][0]["items"][-1]["rule"] == "10.0"
    g.set_track("phase", G_MOVEMENT)
    start(g, MovementPhase(GERMAN, G_MOVEMENT))
    do(g, "move A")
    assert TITLE.preview(g, ("to", h(g, "1,0"))) == {"path": ["1,0"], "cost": 2.0, "left": 2.0}
