"""Readings a second reader decided otherwise: each switch played both ways."""

from __future__ import annotations

import pytest

from kessel.games.don42.board import ATTACK, ATTACKED, FIRED, G_MOVEMENT, OOS
from kessel.games.don42.combat.advance import Advance
from kessel.games.don42.combat.combat import why_not_attack
from kessel.games.don42.combat.retreat import retreat_paths
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.defensive_positions import PositionPhase
from kessel.games.don42.supply import supply
from kessel.games.don42.supply.activation import is_in_command, note_attack
from kessel.games.don42.supply.airlift import SpendPoints, buyers
from kessel.games.don42.turn.recovery import rally_hq

from .helpers import ask, board, do, fresh, ger, h, homeland, hq62, pos, refusal, sov, start, texts, u
from .test_04_airlift import hqs
from .test_13_retreat import withdraw
from .test_questions_movement import road, row
from .test_questions_supply import bridgehead

GUN = {"type": "artillery"}
STEPS = "3-4-5 2-2-5"


@pytest.mark.rule("don42", "13.6.a", "13.6.1.a")
@pytest.mark.parametrize(("reading", "far"), [("motorized", 2), ("never", 0)])
def test_hq_advance(reading, far):
    hq = ger("H", "0,0", "0-1-10", type="hq", size="division")
    g = pos(ger("A", "0,0"), hq, on=board(), options={"hq_advance": reading})
    start(g, Advance(GERMAN, (u(g, "A"), u(g, "H")), h(g, "1,0"), 2))
    ends = [t.split()[2] for t in texts(g) if t.startswith("advance H ")]
    assert max((g.map.grid.distance(h(g, "0,0"), h(g, x)) for x in ends), default=0) == far
    foot = ger("H", "0,0", "0-1-6", type="hq", size="division", motorized=False)
    slow = pos(ger("A", "0,0"), foot, on=board(), options={"hq_advance": reading})
    start(slow, Advance(GERMAN, (u(slow, "A"), u(slow, "H")), h(slow, "1,0"), 2))
    assert not any(t.startswith("advance H ") for t in texts(slow))


@pytest.mark.rule("don42", "5.0.6.e", "12.0.g")
@pytest.mark.parametrize(("reading", "may"), [("never", False), ("attacks", True)])
def test_a_gun_that_fired_and_attacks(reading, may):
    gun = sov("G", "0,2", "5-1-5", status=["active", "fired"], **GUN)
    other = sov("K", "0,0", "5-1-5", status=["active"], **GUN)
    g = pos(hq62("0,-3"), gun, other, sov("X", "1,2", status=["active"]), ger("A", "0,3"), on=homeland(),
            options={"gun_attack": reading}, phase="soviet_combat")  # fmt: skip
    assert (why_not_attack(g, u(g, "G")) is None) is may
    do(g, "attack 0,3")
    assert ("with G" in texts(g)) is may
    if not may:
        assert refusal(g, "with G").rule == "5.0.6"
    do(g, "with X", "assault")
    assert refusal(g, "gun G").rule == "12.3.1", "support is denied in either reading"


@pytest.mark.rule("don42", "5.0.6.e", "12.3.1.a")
def test_a_gun_that_supported_in_this_phase_attacks_in_no_reading():
    gun = sov("G", "0,1", "5-1-5", status=["active"], **GUN)
    both = [sov("X", "0,2", status=["active"]), sov("Y", "2,1", status=["active"])]
    g = pos(hq62("0,-3"), gun, *both, ger("A", "0,3"), ger("B", "1,1"), on=homeland(),
            options={"gun_attack": "attacks"}, phase="soviet_combat")  # fmt: skip
    do(g, "attack 0,3", "with X", "assault", "gun G", dice=[3])
    assert g.status[u(g, "G")] & FIRED
    assert g.status[u(g, "G")] & ATTACKED
    assert why_not_attack(g, u(g, "G")).rule == "5.0.6"


@pytest.mark.rule("don42", "9.7.b")
@pytest.mark.parametrize(("reading", "may"), [("never", False), ("attacks", True)])
def test_reserve_attack(reading, may):
    b = row(30, roads=road("minor_road", 0, 30), features={30: ["soviet_source"]}, sides={"0,0|1,0": "minor_river"})
    units = [hq62("24,0"), sov("X", "20,0", status=["active"]), ger("A", "19,0")]
    g = pos(*units, on=b, turn="Aug 23 AM", options={"reserve_attack": reading})
    supply.check(g, SOVIET, "12.1")
    found = why_not_attack(g, u(g, "X"))
    assert (None if found is None else found.rule) == (None if may else "9.7")
    note_attack(g, [u(g, "X")])
    assert why_not_attack(g, u(g, "X")) is None, "an attack releases it"


@pytest.mark.rule("don42", "4.3.1.c")
@pytest.mark.parametrize(("reading", "home"), [("home", True), ("bridge", False)])
def test_west_edge(reading, home):
    """The only bridge is held by a Soviet at its eastern end; the Corps HQ stands west of it on the road."""
    corps = ger("HQ14PzC", "2,0", "0-1-10", type="hq", size="corps", division="")
    g = pos(corps, sov("X", "5,0"), on=bridgehead(12), options={"west_edge": reading})
    assert supply.has_ground_line(g, g.command_index("14PzC")) is home
    across = pos(ger("HQ14PzC", "2,0", "0-1-10", type="hq", size="corps", division=""), on=bridgehead(12),
                 options={"west_edge": reading})  # fmt: skip
    assert supply.has_ground_line(across, across.command_index("14PzC")), "an open bridge does in both"


@pytest.mark.rule("don42", "4.3.3.b")
@pytest.mark.parametrize(("reading", "state"), [("lost", "attack"), ("stands", "out of supply")])
def test_shut_bridge(reading, state):
    """The Corps HQ is off the road; a Soviet zone shuts the bridge, which stands."""
    b = bridgehead(12, roads=road("minor_road", 0, 6), sides={"4,1|5,0": "minor_river"})
    b["hexes"]["4,1"] = {}
    corps = ger("HQ14PzC", "9,0", "0-1-10", type="hq", size="corps", division="")
    division = ger("HQ16Pz", "8,0", "0-1-10", type="hq", size="division")
    g = pos(corps, division, ger("A", "7,0"), sov("X", "4,1"), on=b, options={"shut_bridge": reading})
    assert ask(g, "supply", unit="A")["state"] == state


@pytest.mark.rule("don42", "13.3.b")
@pytest.mark.parametrize(("reading", "ways"), [("shorter", {("2,0",)}), ("any_way", {("2,0", "2,1")})])
def test_no_hex_away(reading, ways):
    """Behind 2,0 the map ends but for 2,1, which is no further from the attacker."""
    b = board(1)
    b["hexes"] = {x: {} for x in ("0,0", "1,0", "2,0", "2,1")}
    g = pos(ger("A", "0,0"), sov("X", "1,0"), on=b, options={"no_hex_away": reading, "away": "straight"})
    found = retreat_paths(g, SOVIET, h(g, "1,0"), 2, (h(g, "0,0"),))
    assert {tuple(g.hex_name(x) for x in p) for p in found} == ways


@pytest.mark.rule("don42", "13.3.b", "13.3.2.d")
@pytest.mark.parametrize(("reading", "ways"), [("avoided", {"1,1"}), ("free", {"1,1", "2,-1"})])
def test_held_zone(reading, ways):
    """2,-1 is in a zone but a friend stands there; 2,0 is in a zone without one; 1,1 is free."""
    units = [ger("A", "1,0"), ger("F", "2,-1"), sov("X", "0,0"), sov("Z", "3,-1")]
    g = pos(*units, options={"held_zone": reading})
    found = retreat_paths(g, GERMAN, h(g, "1,0"), 1, (h(g, "0,0"),))
    assert {g.hex_name(p[0]) for p in found} == ways


@pytest.mark.rule("don42", "13.3.1.b", "13.3.1.c")
@pytest.mark.parametrize(("reading", "may"), [("room", True), ("empty", False)])
def test_open_hex(reading, may):
    """2,0 is full; in 3,0 one battalion stands, so that another has room."""
    full = [ger("B", "2,0"), ger("C", "2,0")]
    g = pos(sov("X", "0,0"), ger("A", "1,0"), *full, ger("D", "3,0"), options={"open_hex": reading})
    withdraw(g, ["A"], 1, "0,0")
    do(g, "retreat 2,0")
    assert ("continue 3,0" in texts(g)) is may
    assert ("displace B 3,0" in texts(g)) is may
    assert "continue 3,-1" in texts(g), "an empty hex is open in both"


@pytest.mark.rule("don42", "13.3.2.a", "3.2.5.b")
@pytest.mark.parametrize(("reading", "steps"), [("loses", 1), ("free", 2)])
def test_end_step(reading, steps):
    units = [ger("A", "0,0"), ger("B", "2,-2"), ger("D", "2,1"), sov("X", "1,0", STEPS), sov("Y", "2,0", STEPS)]
    g = pos(*units, options={"end_step": reading})
    withdraw(g, ["X"], 1, "0,0")
    do(g, "retreat 2,0")
    assert g.steps[u(g, "X")] == steps
    do(g, "displace Y 3,-1")
    assert g.steps[u(g, "Y")] == 1, "the one displaced through the zone loses a step in both"


@pytest.mark.rule("don42", "4.4.3.a", "4.3.1.a")
@pytest.mark.parametrize(("reading", "may"), [("chain", False), ("corps", True)])
def test_sp_chain(reading, may):
    b = row(40, roads=road("minor_road", 0, 1))
    far = ger("A", "30,0", type="pz3")
    g = pos(*hqs(supply_points=5), far, on=b, supply="traced", options={"sp_chain": reading})
    g.set_track("phase", G_MOVEMENT)
    start(g, SpendPoints())
    assert ("supply A" in texts(g)) is may
    if may:
        do(g, "supply A")
        assert (g.supply[u(g, "A")], g.sp[u(g, "HQ14PzC")]) == (ATTACK, 4)
    near = pos(*hqs(supply_points=5), ger("A", "9,0", type="pz3"), on=b, supply="traced", options={"sp_chain": reading})
    near.set_track("phase", G_MOVEMENT)
    start(near, SpendPoints())
    assert "supply A" in texts(near)


@pytest.mark.rule("don42", "9.5.c", "9.2.c", "14.2.a")
@pytest.mark.parametrize(("reading", "led"), [("parent", True), ("supply", False)])
def test_kovachenko(reading, led):
    """HQ Kovachenko is beside the unit, HQ 1GdA 20 hexes away."""
    b = row(40, roads=road("minor_road", 0, 40), features={0: ["soviet_source"]})
    kvch = sov("HQKvch", "25,0", "0-1-8", type="hq", size="corps", corps="Kvch", army="1GdA")
    army = sov("HQ1GdA", "6,0", "0-1-8", type="hq", size="army", army="1GdA")
    unit = sov("X", "26,0", army="1GdA", division="38Gds", status=["DPT"])
    g = pos(kvch, army, unit, on=b, turn="Aug 27 PM", options={"kovachenko": reading})
    assert ask(g, "supply", unit="X")["state"] == "attack", "it may trace to either in both"
    assert is_in_command(g, u(g, "X")) is led
    assert (rally_hq(g, u(g, "X")) == u(g, "HQKvch")) is led


# --- small faults ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "8.2.d", "19.4.5")
def test_what_was_built_over_a_hexside_shuts_no_hex():
    """The number of the hexside of a pontoon may be that of a hex: they are kept apart."""
    g = fresh("crossing-the-don")
    p = PositionPhase()
    start(g, p)
    side = next(t for t in texts(g) if t.startswith("pontoon "))
    do(g, side)
    assert (p.dug, p.mended) == ((), ())
    dug = next(t for t in texts(g) if t.startswith("entrench "))
    do(g, dug)
    assert p.dug == (h(g, dug.split()[1]),)


@pytest.mark.rule("don42", "4.4.3.a")
def test_a_unit_written_down_as_out_of_supply_that_is_not_cut_off_is_given_no_point():
    """It stands within 14 MPs of the Don, whose only bridge is gone: a line by 4.3.3."""
    b = bridgehead(30)
    far = ger("HQ14PzC", "25,0", "0-1-10", type="hq", size="corps", division="", supply_points=3)
    units = [far, ger("HQ16Pz", "16,0", "0-1-10", type="hq", size="division"), ger("A", "8,0", type="pz3")]
    g = pos(*units, on=b, destroyed_bridges=["4,0|5,0"])
    g.supply[u(g, "A")] = OOS
    g.set_track("phase", G_MOVEMENT)
    assert not supply.is_isolated(g, u(g, "A"))
    start(g, SpendPoints())
    assert u(g, "A") not in buyers(g)
    assert "supply A" not in texts(g)
