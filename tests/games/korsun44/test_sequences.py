"""Whole sequences that programs seldom or never play, worked out by hand from the text and then played."""

from __future__ import annotations

import pytest

from kessel.core.dice import Scripted
from kessel.games.korsun44.answers.attack import AskCombat, attack
from kessel.games.korsun44.board import (
    DESTROYED,
    DISORGANIZED,
    GERMAN,
    INTACT,
    OOS1,
    OOS2,
    REGROUP,
    REPAIRING,
    SOVIET,
)
from kessel.games.korsun44.engineering.phase import EngineeringPhase
from kessel.games.korsun44.special.declarations import SpecialDeclarations
from kessel.games.korsun44.special.waves import BreakoutPhase
from kessel.games.korsun44.supply.phases import Determination
from kessel.games.korsun44.supply.sources import open_terminals
from kessel.games.korsun44.turn.recovery import recovery_phase
from kessel.games.korsun44.turn.special_replacements import SpecialReplacements

from .fights import D1, D2, R1, R2, R3, T1, declare, on_map, phase, supply
from .helpers import board, choices, h, moving, play, position, refused, start, told, u, unit
from .supply_helpers import supply_board


@pytest.mark.rule("korsun44", "12.3.2", "12.14.2.1", "12.14.2.2", "12.15.1.3a", "12.17.1e")
def test_one_combat_against_two_hexes_one_of_which_stands() -> None:
    """Two unsupported divisions, 10 each, against regiments of 10 in woods and in a village, 2 more for each: 20 to 24
    is 1:2; two divisions shift to 3:2. Ten there is 1/1R. One hex stands, loses a second step and costs the attacker
    one; the other retreats."""
    on = board(terrain={"0,0": "woods"}, features={"0,1": ["village"]})
    g = position(unit(D1, "1,0"), unit(D2, "-1,1"), unit(R1, "0,0"), unit(R2, "0,1"), on=on)
    declare(phase(g, SOVIET), "0,0", "0,1")
    play(g, "combat 0,0", "from 1,0")
    play(g, "from -1,1", "also 0,1", "engage")
    play(g, "no_retreat 0,0", "pass", dice=[5, 5, 3])
    assert "20 to 24, +2 shifts: 3:2; black 5, red 5: 1/1R" in told(g)
    assert {c.split()[1] for c in choices(g)} == {D1, D2}, "the strongest infantry of the attacker"
    play(g, f"step_loss {D1}", dice=[])
    assert {c.split()[1] for c in choices(g)} == {R1, R2}, "the strongest defender, in either hex"
    play(g, f"step_loss {R1}", dice=[])
    assert set(choices(g)) >= {"pass"}, "the regiment that must go may break down first"
    play(g, "pass", dice=[2])
    assert [g.steps[u(g, x)] for x in (R1, R2, D1, D2)] == [2, 4, 5, 5], "a die of 2 against 2 steps left costs D2 one"
    assert on_map(g, R1) == "0,0"
    assert all(c.startswith(f"retreat {R2}") for c in choices(g))
    play(g, choices(g)[0])
    assert {c.split()[-1] for c in choices(g) if c.startswith("advance")} == {"0,1"}


@pytest.mark.rule("korsun44", "4.7.2.1a", "4.7.2.5a", "4.7.2.5b", "4.7.2.6a", "4.7.2.6b", "4.7.2.1c")
def test_both_halves_of_an_extended_division_are_attacked() -> None:
    """Half of 20 is 10 in each hex, found before the first combat costs a step; then both retreat, each by itself."""
    g = position(
        unit(D1, "0,0"), unit("180x.27A", "0,-1"), unit(R1, "0,1"), unit(R2, "0,1"), unit(R3, "0,-2"),
        unit("Fus.88ID", "0,-2"), unit("Pio.88ID", "0,-2"),
    )  # fmt: skip
    supply(g, "SDM1.42K", 4, R1, R2, R3, "Fus.88ID", "Pio.88ID")
    declare(phase(g, GERMAN), "0,0", "0,-1")
    play(g, "combat 0,0", "from 0,1", "engage", "support 42K by SDM1.42K", dice=[5, 4])
    assert "20 to 10, +0 shifts: 2:1; black 5, red 4: 1/1R" in told(g)
    play(g, f"step_loss {R1}")
    assert g.steps[u(g, D1)] == 5
    assert on_map(g, D1) == "0,0", "the other attack comes before the retreat"
    play(g, "from 0,-2", "engage", "support 42K by SDM1.42K", "assault Pio.88ID", dice=[6, 6])
    assert "19 to 10, +1 shifts: 2:1; black 6, red 6: -/1R" in told(g), "ten, as before the first loss"
    assert g.steps[u(g, D1)] == 4
    assert all(c.startswith("retreat 180x.27A") for c in choices(g)), "the combat fought last is ended first"
    play(g, "retreat 180x.27A 1,-1", "pass")
    assert choices(g) == [f"retreat {D1} -1,0"], "neither into the other half nor next to the enemy"
    play(g, f"retreat {D1} -1,0", "pass")
    assert [on_map(g, x) for x in (D1, "180x.27A")] == ["-1,0", "1,-1"]


@pytest.mark.rule("korsun44", "16.4.1", "16.4.2", "16.4a", "16.5a", "16.5.3.4e1", "16.5.3.5", "16.5.4.5")
def test_a_breakout_from_its_declaration_to_the_relief() -> None:
    g = position(
        unit(R1, "0,0", status=["Stemmermann", "OOS2"]), unit(R2, "-1,0", status=["Stemmermann"]),
        unit("54FAa.27A", "1,0"), unit("II-2.16Pz", "3,0"), turn=20, tracks={"korsun_declared": 5, "korsun_active": 5},
        on=supply_board(5, sources={"5,0": "1PzA"}, roads=()),
    )  # fmt: skip
    start(g, SpecialDeclarations())
    play(g, "declare_breakout", "pass")
    start(g, BreakoutPhase())
    play(g, "pass")
    assert choices(g) == ["pass", "break_out 0,0"], "the other stack is four hexes away: the second wave"
    steps = g.steps[u(g, R1)]
    play(g, "break_out 0,0", "to 1,0", dice=[6, 6])
    assert "surprise 2" in told(g)
    while any(c.startswith("step_loss") for c in choices(g)):
        play(g, choices(g)[0])
    play(g, "to 2,0", "to 3,0")
    assert g.track("steps_saved") == steps
    play(g, "break_out -1,0", "to 0,-1", "halt")
    assert not g.stack
    assert on_map(g, R2) == "0,-1"


@pytest.mark.rule("korsun44", "8.6.4a", "8.6.4.2", "8.6.4.3a", "8.6.4.3b", "8.6.4.3c", "8.6.4.4")
def test_korsun_is_abandoned_and_its_stock_given_away() -> None:
    doc = supply_board(12, korsun="0,0", airfield="0,-1", roads=(("secondary", "0,0 1,0 2,0 3,0"),))
    g = position(
        unit(R1, "1,1", status=["Stemmermann"]), unit("SDM1.42K", "3,0", sp=2), unit("SDM1.7K", "2,0", sp=1), on=doc,
        turn=12, options={"alternate_airfield": "on"},
        tracks={"korsun_declared": 5, "korsun_active": 5, "korsun_sp": 9, "airfield_at": "2,1", "airfield_state": 2},
    )  # fmt: skip
    g.dice = Scripted(())
    start(g, SpecialReplacements(GERMAN))
    play(g, "abandon_korsun")
    assert [g.sdm_sp[u(g, s)] for s in ("SDM1.42K", "SDM1.7K")] == [0, 1], "7th Korps has nobody in the pocket"
    assert refused(g, "store SDM1.7K 1").rule == "8.6.4"
    assert refused(g, "store SDM1.42K 5").rule == "8.6.4", "its capacity is 4"
    assert refused(g, "move_stock depot 1").rule == "8.6.4"
    play(g, "store SDM1.42K 4", "move_stock airfield 3", "pass")
    assert [g.track(x) for x in ("korsun_sp", "airfield_sp", "korsun_active")] == [0, 3, 0]
    assert "2 Supply Points are lost with Korsun" in told(g)


@pytest.mark.rule("korsun44", "12.17.4.1", "12.17.4.2", "12.17.3b", "10.3.2.2a", "12.13.4a", "13.4.1g")
def test_disorder_from_a_combat_to_its_end() -> None:
    """A brigade out of supply attacks in Regroup and is Disorganized for it; its D lasts until the German phase turns
    it, and the Soviet one takes it off."""
    g = position(unit(T1, "1,0", status=["regroup", "OOS1"]), unit(R1, "0,0"))
    declare(phase(g, SOVIET), "0,0")
    play(g, "combat 0,0", "from 1,0", "engage", dice=[3, 3, 3, 3])
    while T1 in " ".join(choices(g)) or "pass" in choices(g):
        play(g, "pass" if "pass" in choices(g) else choices(g)[0], dice=[3, 3, 3, 3])
        if not g.stack:
            break
    brigade = u(g, T1)
    assert g.status[brigade] & DISORGANIZED
    assert g.status[brigade] & OOS2
    recovery_phase(g, SOVIET)
    assert g.status[brigade] & DISORGANIZED
    recovery_phase(g, GERMAN)
    assert not g.status[brigade] & DISORGANIZED
    assert g.status[brigade] & REGROUP
    recovery_phase(g, SOVIET)
    assert not g.status[brigade] & REGROUP


@pytest.mark.rule("korsun44", "18.6.1", "18.6.3", "18.6.4", "12.5.2.fd", "12.5.2.rv")
def test_tanks_find_a_ford_attack_over_it_and_follow() -> None:
    """A five finds the ford. Over it a tank attacks with all its strength and its dots; beside it, over the river,
    with half and without them."""
    on = board(3)
    for a in ("0,0", "0,-1", "0,1", "0,2", "0,-2", "0,-3", "0,3"):
        q, r = map(int, a.split(","))
        for b in (f"{q + 1},{r}", f"{q + 1},{r - 1}"):
            if b in on["hexes"]:
                on["hexsides"][f"{a}|{b}"] = {"features": ["river"], "name": "Gniloy Tikich"}
    tank = unit("tank", "-2,0", side="german", type="PzIV", faces="8 4", army="1PzA", corps="3PzK", division="16Pz")
    units = (tank, unit("gun.27A", "1,0"))
    g = position(*units, on=on, options={"fords": "on"}, phase="german_movement")
    play(moving(g), "move tank")
    assert refused(g, "seek_ford 0,0|1,0").rule == "18.6", "only from beside it"
    play(g, "to 0,0", "seek_ford 0,0|1,0", "halt", dice=[5])
    found = attack(g, AskCombat(question="attack", target="1,0", units=("tank",), unsupported=()))
    assert found["attack"]["total"] == 8
    assert found["shifts"]["total"] == 2, "three white dots to none"
    g = position(*units, on=on, options={"fords": "on"})
    g.put(u(g, "tank"), h(g, "0,0"))
    found = attack(g, AskCombat(question="attack", target="1,0", units=("tank",)))
    assert (found["attack"]["total"], found["shifts"]["total"]) == (4, 0)
    assert found["armor"]["attacker_dots"] == 0, "it could not advance"


@pytest.mark.rule("korsun44", "13.4.3.1", "13.4.3.2", "13.4.3.4")
def test_a_transfer_counts_from_the_next_turn_and_ends_with_the_old_command() -> None:
    road = " ".join(f"{q},0" for q in range(-9, 10))
    doc = supply_board(10, sources={"-9,0": "1PzA"}, roads=(("secondary", road),))
    g = position(unit("SDM1.7K", "0,0"), unit("245.88ID", "2,1", status=["OOS1"]), on=doc)
    regiment = u(g, "245.88ID")
    start(g, Determination(GERMAN))
    play(g, "transfer 245.88ID 7K")
    assert g.status[regiment] & OOS1, "not in the turn it is named"
    start(g, Determination(GERMAN))
    assert not g.status[regiment] & OOS1
    assert g.supplier[regiment] == u(g, "SDM1.7K")
    g.place_sdm(u(g, "SDM1.42K"), h(g, "1,0"))
    start(g, Determination(GERMAN))
    assert g.supplier[regiment] == u(g, "SDM1.42K"), "back under its own korps"


@pytest.mark.rule("korsun44", "13.1.2a", "13.1.2b", "15.2.5.1", "15.2.5.2")
def test_a_railroad_is_cut_and_repaired_in_two_turns() -> None:
    """A brigade that ends its move on the line cuts it; two points and two phases of a construction engineer later
    the terminal beyond is a source again."""
    rail = " ".join(f"{q},0" for q in range(-5, 6))
    doc = supply_board(5, sources={"-5,0": "1PzA"}, terminals=("4,0",), roads=(("railroad", rail),))
    g = position(unit("20G.5GTkC", "0,1"), unit("SDM1.42K", "-3,0", sp=4), unit("Bau.42K", "-4,1"), on=doc,
                 phase="soviet_movement")  # fmt: skip
    play(moving(g), "move 20G.5GTkC", "to 0,0", "halt")
    assert not open_terminals(g) >> h(g, "4,0") & 1
    g.move(u(g, "20G.5GTkC"), -1)
    g.put(u(g, "Bau.42K"), h(g, "0,0"))
    g.supplier[u(g, "Bau.42K")] = u(g, "SDM1.42K")
    g.changed()
    for points, is_open in ((3, False), (2, True)):
        start(g, EngineeringPhase(GERMAN))
        play(g, "repair_rail Bau.42K")
        assert g.sdm_sp[u(g, "SDM1.42K")] == points
        assert bool(open_terminals(g) >> h(g, "4,0") & 1) == is_open


@pytest.mark.rule("korsun44", "15.2.1.p2", "15.2.2.3a", "15.2.2.3c", "15.2.2.3d", "9.2.2b")
def test_a_river_bridge_is_blown_in_the_enemys_face_and_repaired() -> None:
    on = board(3, sides={"0,0|1,0": "river"}, roads=[("secondary", "-3,0 -2,0 -1,0 0,0 1,0 2,0 3,0")])
    g = position(
        unit("Pio.88ID", "-1,0"), unit("180.27A", "2,0"), unit("SDM1.27A", "3,0", sp=2), unit("Eng.27A", "3,0"), on=on,
        bridges={"0,0|1,0": {"owner": "german"}}, phase="soviet_movement",
    )  # fmt: skip
    g.supplier[u(g, "Eng.27A")] = u(g, "SDM1.27A")
    play(moving(g), "move 180.27A", "to 1,0")
    assert choices(g) == ["pass", "destroy 0,0|1,0"]
    play(g, "destroy 0,0|1,0", dice=[5])
    assert g.bridge_state[0] == DESTROYED
    g.move(u(g, "Pio.88ID"), -1)
    for name, at in (("180.27A", "0,0"), ("Eng.27A", "1,0")):
        g.put(u(g, name), h(g, at))
    g.changed()
    for dice, state in (((), REPAIRING), ((6,), REPAIRING), ((5,), INTACT)):
        start(g, EngineeringPhase(SOVIET), dice=dice)
        if not dice:
            play(g, "repair 0,0|1,0 by Eng.27A")
        assert g.bridge_state[0] == state
    assert g.sdm_sp[u(g, "SDM1.27A")] == 1, "one point in all"
