"""16.5 Every man for himself."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.games.korsun44.board import (
    DEAD,
    DISORGANIZED,
    GERMAN,
    MOVED,
    OOS1,
    REGROUP,
    SAVED,
    SOVIET,
    STEMMERMANN,
    Board,
)
from kessel.games.korsun44.special.breakout import is_last_soviet_turn
from kessel.games.korsun44.special.waves import BreakoutPhase, Fight, Waves, wave_of, why_not_merge, why_not_one_hex
from kessel.games.korsun44.supply.determination import determine

from .helpers import board, choices, h, play, position, refused, start, told, u, unit

A, B, C, RELIEF = "245.88ID", "246.88ID", "248.88ID", "II-2.16Pz"
IN = ["Stemmermann"]


def pocket(*units: dict[str, Any], **fields: Any) -> Board:
    return position(unit(RELIEF, "5,0"), *units, turn=20, tracks={"breakout": 20, "korsun_declared": 5}, **fields)


# --- 16.5.1 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "16.5.1.1a", "16.5.1.2", "16.5.1.3", "16.5a")
def test_units_of_a_division_merge_into_its_regiments() -> None:
    g = pocket(
        unit(A, "0,0", steps=1, status=IN), unit("Art188.88ID", "0,0", status=IN), unit(B, "0,0", steps=1, status=IN)
    )
    start(g, BreakoutPhase())
    play(g, f"merge Art188.88ID into {A}")
    assert g.steps[u(g, A)] == 3, "an artillery regiment has two steps"
    assert g.box[u(g, "Art188.88ID")] == DEAD
    play(g, f"merge {B} into {A}")
    assert g.steps[u(g, A)] == 4
    assert not g.on_map(u(g, B))


@pytest.mark.rule("korsun44", "16.5.1.1a", "4.6.c5")
@pytest.mark.parametrize(
    ("one", "other", "both"),
    [("", "disorganized", DISORGANIZED), ("regroup", "disorganized", DISORGANIZED), ("", "regroup", REGROUP),
     ("disorganized", "regroup", DISORGANIZED), ("", "", 0)],
)  # fmt: skip
def test_a_regiment_takes_over_the_worse_order(one: str, other: str, both: int) -> None:
    marks = [[*IN, *filter(None, (word,))] for word in (one, other)]
    g = pocket(unit(A, "0,0", steps=1, status=marks[0]), unit(B, "0,0", steps=1, status=marks[1]))
    play(start(g, BreakoutPhase()), f"merge {B} into {A}")
    assert g.status[u(g, A)] & (DISORGANIZED | REGROUP) == both


@pytest.mark.rule("korsun44", "16.5.1.1b")
def test_an_eliminated_regiment_is_formed_anew() -> None:
    g = pocket(unit("Pio.88ID", "0,0", status=IN))
    g.box[u(g, A)] = DEAD
    start(g, BreakoutPhase())
    play(g, f"merge Pio.88ID into {A}")
    assert g.place[u(g, A)] == h(g, "0,0")
    assert g.steps[u(g, A)] == g.forces.full_steps[u(g, "Pio.88ID")]
    assert g.status[u(g, A)] & STEMMERMANN


@pytest.mark.rule("korsun44", "16.5.1.1b")
def test_a_regiment_that_was_combined_is_not_formed_anew_in_the_same_phase() -> None:
    regiments = [unit(name, "0,0", steps=1, status=IN) for name in (A, B)]
    g = pocket(*regiments, unit("Pio.88ID", "0,0", status=IN))
    start(g, BreakoutPhase())
    play(g, f"merge {B} into {A}")
    assert "in this phase" in refused(g, f"merge {A} into {B}").reason, "else the two could change names for ever"
    assert choices(g) == ["pass", f"merge Pio.88ID into {A}"]


@pytest.mark.rule("korsun44", "16.5.1.2", "16.5.1.4", "16.5.1.1a")
def test_who_does_not_merge() -> None:
    others = (("StuG239.42K", "0,0"), ("Pio.72ID", "0,0"), ("Fus.88ID", "1,0"))
    g = pocket(
        unit(A, "0,0", steps=4, status=IN),
        unit(B, "0,0", steps=2, status=IN),
        *(unit(n, at, status=IN) for n, at in others),
    )

    def why(name: str) -> str:
        return str(why_not_merge(g, u(g, name), u(g, A)))

    assert "more than 4 steps" in why(B)
    assert "armor" in why("StuG239.42K")
    assert "same division" in why("Pio.72ID")
    assert "not in the hex" in why("Fus.88ID")


# --- 16.5.2 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "16.5.2a", "16.5.2b")
def test_a_move_of_one_hex_ignores_zones_and_mixes_divisions() -> None:
    g = pocket(unit(A, "0,0", status=IN), unit("DG112.KaB", "1,0", status=IN), unit("180.27A", "1,1"))
    g.put(u(g, "105.72ID"), h(g, "0,-1"))
    start(g, BreakoutPhase())
    assert "different armees" in str(why_not_one_hex(g, u(g, A), h(g, "0,-1"))), "the rest of 11.0 holds"
    play(g, f"one_hex {A} 1,0")
    assert g.place[u(g, A)] == h(g, "1,0")
    assert refused(g, f"one_hex {A} 0,0").rule == "16.5.2"
    assert str(why_not_one_hex(g, u(g, "DG112.KaB"), h(g, "1,1"))).startswith("an enemy")
    assert refused(g, f"one_hex {RELIEF} 4,0").rule == "16.5.2"


# --- 16.5.3 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "16.5.3b", "16.5.3c")
@pytest.mark.parametrize(("at", "wave"), [("2,0", 1), ("1,0", 2), ("0,0", 3), ("-1,0", 4), ("-5,0", 4)])
def test_waves_by_distance(at: str, wave: int) -> None:
    g = pocket(unit(A, at, status=IN))
    assert wave_of(g, h(g, at)) == wave


@pytest.mark.rule("korsun44", "16.5.3a", "16.5.3d", "16.5.3.1", "16.5.3.3a", "16.5.3.4a", "16.5.3.5")
def test_stacks_go_wave_by_wave_and_are_out_when_they_reach_the_relief() -> None:
    g = pocket(unit(A, "2,0", status=IN), unit("Fus.88ID", "2,0", status=IN), unit(C, "0,0", status=IN))
    start(g, Waves(GERMAN))
    assert choices(g) == ["pass", "break_out 2,0"]
    assert refused(g, "break_out 0,0").rule == "16.5.3"
    steps = g.steps[u(g, A)] + g.steps[u(g, "Fus.88ID")]
    play(g, "break_out 2,0", "to 3,0", "to 4,0", "to 5,0")
    assert g.box[u(g, A)] == g.box[u(g, "Fus.88ID")] == SAVED
    assert g.track("steps_saved") == steps
    assert choices(g) == ["pass", "break_out 0,0"], "the second wave has nobody, the third one stack"
    play(g, "break_out 0,0", "to 1,0", "to 2,0", "to 3,0", "to 4,0")
    assert not g.stack, "four hexes and no more"
    assert g.place[u(g, C)] == h(g, "4,0")
    assert g.status[u(g, C)] & MOVED


@pytest.mark.rule("korsun44", "16.5.3.1", "16.5.3.3a")
def test_a_stack_passes_through_a_full_hex_and_halts_in_none_while_it_can_go_on() -> None:
    full = [unit(name, "1,0", status=IN) for name in (B, C)]
    g = pocket(unit(A, "0,0", status=IN), *full)
    start(g, Waves(GERMAN))
    play(g, "pass", "break_out 0,0")
    assert "halt" in choices(g), "it need not go at all"
    play(g, "to 1,0")
    assert "halt" not in choices(g)
    assert refused(g, "halt").rule == "16.5.3"
    play(g, "to 2,0")
    assert "halt" in choices(g), "there is room"


@pytest.mark.rule("korsun44", "16.5.3.3b", "16.5.3.4f", "16.5.3.4g", "16.5.3.6")
def test_soviets_in_the_way_are_attacked_and_stay() -> None:
    g = pocket(unit(A, "2,0", status=IN), unit("180.27A", "3,0"))
    start(g, Waves(GERMAN))
    play(g, "break_out 2,0", "to 3,0", dice=[1, 1, *[6] * 8])
    assert g.on_map(u(g, "180.27A"))
    assert "breakout at 3,0" in told(g)
    if g.on_map(u(g, A)) and g.stack:
        assert "to 4,0" in choices(g), "it may go on"
        play(g, "halt")
        assert g.place[u(g, A)] == g.place[u(g, "180.27A")]


def fight(*units: dict[str, Any], surprise: bool = False, dice: tuple[int, int] = (3, 4), **fields: Any) -> Board:
    g = pocket(unit("180.27A", "0,0"), *units, **fields)
    mine = tuple(v for v in g.of_side(h(g, "0,0"), GERMAN))
    return start(g, Fight(GERMAN, mine, h(g, "0,0"), surprise), dice=dice)


@pytest.mark.rule("korsun44", "16.5.3.4b", "16.5.3.4c", "16.5.3.4e1", "16.5.3.4e2", "16.5.3.4d")
def test_what_counts_in_a_breakout_combat() -> None:
    g = fight(unit(A, "0,0", status=[*IN, "OOS2"]))
    assert "shifts 0" in told(g)
    assert "unsupported" not in told(g)
    g = fight(unit(A, "0,0", status=IN), unit("StuG239.42K", "0,0", status=IN), surprise=True)
    assert "armor in the stack 1" in told(g)
    assert "surprise 2" in told(g)
    g = fight(unit(A, "0,0", status=[*IN, "regroup"]))
    assert "Disorganized or in Regroup" in told(g)


@pytest.mark.rule("korsun44", "16.5.3.4b")
@pytest.mark.parametrize(("reading", "found"), [("no_points", False), ("points", True)])
def test_terrain_in_a_breakout_combat(reading: str, found: bool) -> None:
    g = fight(unit(A, "0,0", status=IN), options={"breakout_terrain": reading}, on=board(terrain={"0,0": "woods"}))
    assert ("woods in 0,0" in told(g)) == found


@pytest.mark.rule("korsun44", "16.5.3.4e1", "16.5.3.4e2")
@pytest.mark.parametrize(
    ("reading", "bonus"), [("first_fights", [True, False, True]), ("any_fight", [True, True, False])]
)
def test_who_surprises(reading: str, bonus: list[bool]) -> None:
    g = pocket(
        unit(A, "2,0", status=IN), unit(B, "3,1", status=IN), unit("54FAa.27A", "3,0"), unit("54FAb.27A", "4,0"),
        unit("AT1.27A", "4,1"), options={"breakout_surprise": reading},
    )  # fmt: skip
    start(g, Waves(GERMAN), dice=[1] * 40)
    play(g, "break_out 2,0", "to 3,0", dice=[4] * 40)
    for text in ("to 4,0", "halt", "break_out 3,1", "to 4,1"):
        while text not in choices(g) and any(c.startswith("step_loss") for c in choices(g)):
            play(g, choices(g)[0], dice=[4] * 40)
        if text in choices(g):
            play(g, text, dice=[4] * 40)
    lines = [e["what"] for e in g.events or () if e["what"].startswith("breakout at")]
    assert ["surprise" in x for x in lines] == bonus


@pytest.mark.rule("korsun44", "16.5.3.4f")
def test_only_steps_and_d_count() -> None:
    g = fight(unit(A, "0,0", status=IN), unit(B, "0,0", status=IN), dice=(6, 6), surprise=True)
    while g.stack:
        play(g, choices(g)[0])
    assert "R" in told(g).split("dice 12: ")[1].split()[0], "the table says retreat"
    assert g.place[u(g, "180.27A")] == h(g, "0,0")


# --- 16.5.4 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "16.5.4.1", "16.4b", "16.5.4.2")
def test_nobody_new_is_out_of_supply_in_the_last_turn() -> None:
    g = pocket(unit(A, "0,0", status=IN), unit("180.27A", "2,2"), unit(B, "-4,0"))
    g.set_track("turn", 21)
    assert is_last_soviet_turn(g)
    determine(g, SOVIET, spared=True)
    determine(g, GERMAN, spared=True)
    assert not g.status[u(g, "180.27A")] & OOS1
    assert not g.status[u(g, A)] & OOS1
    assert g.status[u(g, B)] & OOS1, "Germans outside are judged as ever"


@pytest.mark.rule("korsun44", "16.5.3.4f", "12.12.3.b", "12.12.4a", "12.12.4c")
def test_steps_are_lost_in_a_breakout_as_in_any_combat() -> None:
    """The strongest infantry loses first; guns and unarmed units of the Soviets last."""
    g = fight(unit(A, "0,0", status=IN), unit("Fus.88ID", "0,0", status=IN), unit("StuG239.42K", "0,0", status=IN),
              unit("gun.27A", "0,0"), dice=(1, 1))  # fmt: skip
    full = g.forces.full_steps
    assert g.steps[u(g, A)] == full[u(g, A)] - 1, "nobody is asked"
    assert {c.split()[1] for c in choices(g)} == {A, "Fus.88ID", "StuG239.42K"}
    g = fight(unit(A, "0,0", status=IN), unit("Fus.88ID", "0,0", status=IN), unit("AT1.27A", "0,0"),
              unit("gun.27A", "0,0"), dice=(5, 5), surprise=True)  # fmt: skip
    assert "dice 10: 1/1R" in told(g)
    assert [g.steps[u(g, x)] - full[u(g, x)] for x in (A, "180.27A", "AT1.27A", "gun.27A")] == [-1, -1, 0, 0]


@pytest.mark.rule("korsun44", "16.5.3.4f", "12.17.1c")
@pytest.mark.parametrize(("status", "marked"), [("disorganized", False), ("regroup", True)])
def test_disorganized_soviets_spare_a_breakout_stack_the_d(status: str, marked: bool) -> None:
    g = pocket(unit("180.27A", "0,0", status=[status]), unit(A, "0,0", status=IN))
    start(g, Fight(GERMAN, (u(g, A),), h(g, "0,0"), False), dice=(2, 3))
    assert "D" in told(g).split("dice 5: ")[1].split("/")[0]
    assert bool(g.status[u(g, A)] & DISORGANIZED) == marked
