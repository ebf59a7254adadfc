"""Whole sequences that programs seldom or never play, worked out by hand from the text and then played."""

from __future__ import annotations

import pytest

from kessel.core.dice import Scripted
from kessel.games.korsun44.board import (
    DISORGANIZED,
    GERMAN,
    OOS2,
    REGROUP,
    SOVIET,
)
from kessel.games.korsun44.special.declarations import SpecialDeclarations
from kessel.games.korsun44.special.waves import BreakoutPhase
from kessel.games.korsun44.turn.recovery import recovery_phase
from kessel.games.korsun44.turn.special_replacements import SpecialReplacements

from .fights import D1, D2, R1, R2, R3, T1, declare, on_map, phase, supply
from .helpers import board, choices, play, position, refused, start, told, u, unit
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
