"""11.0 Soviet Artillery Bombardment Phase."""

from __future__ import annotations

import pytest

from kessel.core.board import NOWHERE
from kessel.games.don42.board import FIRED, SHELLED
from kessel.games.don42.combat.bombardment import gun_range, is_spotted, why_not_aim, why_not_bombard
from kessel.games.don42.combat.combat import why_not_support

from .helpers import PACK, ask, at, board, do, ger, h, homeland, hq62, pos, refusal, sov, texts, u, word

GUN = {"type": "artillery"}
MORTAR = {"type": "mortar"}


def battery(*units, **fields):
    return pos(hq62("0,-3"), *units, on=fields.pop("on", homeland()), phase=fields.pop("phase", "soviet_bombardment"),
               **fields)  # fmt: skip


@pytest.mark.rule("don42", "11.0.a")
def test_a_gun_needs_its_hq_within_twelve_mps_and_a_line_of_supply():
    g = battery(sov("G", "0,0", "5-1-5", **GUN), sov("X", "1,2"), ger("A", "1,3"))
    assert why_not_bombard(g, u(g, "G")) is None
    hungry = battery(sov("G", "0,0", "5-1-5", supply="out of supply", **GUN), sov("X", "1,2"), ger("A", "1,3"))
    assert why_not_bombard(hungry, u(hungry, "G")).rule == "11.0"
    far = pos(
        hq62("0,-8"), sov("G", "0,6", "5-1-5", **GUN), ger("A", "1,6"), on=homeland(9), phase="soviet_bombardment"
    )
    assert "12 MPs" in why_not_bombard(far, u(far, "G")).reason
    assert why_not_bombard(g, u(g, "X")).reason == "X is no artillery or mortar unit on the map"
    g.move(u(g, "G"), NOWHERE)
    assert why_not_bombard(g, u(g, "G")).reason == "G is no artillery or mortar unit on the map"


@pytest.mark.rule("don42", "11.0.b1")
def test_its_army_must_be_activated():
    g = battery(sov("G", "0,0", "5-1-5", **GUN), sov("X", "1,2"), ger("A", "1,3"), activated=[])
    assert "not activated" in why_not_bombard(g, u(g, "G")).reason
    assert not g.stack


@pytest.mark.rule("don42", "5.0.6.a", "11.0.b2")
def test_a_spotter_of_the_same_army_must_be_adjacent():
    gun, foe = sov("G", "0,0", "5-1-5", **GUN), ger("A", "1,3")
    assert "shell 1,3" in texts(battery(gun, sov("X", "1,2"), foe))
    other = battery(gun, sov("X", "1,2", army="4TkA"), foe)
    assert why_not_aim(other, u(other, "G"), h(other, "1,3")).rule == "11.0"
    blind = battery(gun, sov("X", "1,1"), foe)
    assert not is_spotted(blind, h(blind, "1,3"), blind.command[u(blind, "G")])


@pytest.mark.rule("don42", "5.0.6.b", "11.0.b2")
def test_or_a_spotter_on_a_hill_within_two_hexes():
    gun, foe = sov("G", "0,0", "5-1-5", **GUN), ger("A", "1,3")
    hill = battery(gun, sov("X", "1,1"), foe, on=homeland(terrain={"1,1": "hill"}))
    assert "shell 1,3" in texts(hill)
    further = battery(gun, sov("X", "1,0"), foe, on=homeland(terrain={"1,0": "hill"}))
    assert not is_spotted(further, h(further, "1,3"), further.command[u(further, "G")])


@pytest.mark.rule("don42", "11.0.b3")
def test_range_is_six_hexes_for_artillery_and_two_for_mortars():
    g = battery(sov("G", "1,-3", "5-1-5", **GUN), sov("M", "0,1", "3-1-5", **MORTAR), sov("X", "0,2"), ger("A", "0,3"),
                ger("B", "0,4"), on=homeland())  # fmt: skip
    assert (gun_range(g, u(g, "G")), gun_range(g, u(g, "M"))) == (6, 2)
    assert why_not_aim(g, u(g, "G"), h(g, "0,3")) is None
    assert "reaches 6" in why_not_aim(g, u(g, "G"), h(g, "0,4")).reason
    assert why_not_aim(g, u(g, "M"), h(g, "0,3")) is None
    assert "reaches 2" in why_not_aim(g, u(g, "M"), h(g, "0,4")).reason


@pytest.mark.rule("don42", "5.0.6.e", "11.0.b4", "11.0.b5")
def test_a_gun_next_to_germans_may_target_only_those():
    near = [sov("G", "0,0", "5-1-5", **GUN), ger("A", "1,0"), ger("B", "0,1"), ger("C", "0,3"), sov("X", "1,2")]
    g = battery(*near)
    assert texts(g) == ["pass", "shell 0,1", "shell 1,0"], "the Soviet player selects which"
    assert why_not_aim(g, u(g, "G"), h(g, "0,3")).reason.endswith("may target only those")


@pytest.mark.rule("don42", "5.0.6.f", "11.0.c", "11.1.a")
def test_any_number_of_guns_combine_on_one_roll():
    guns = [sov(f"G{i}", f"{i},-2", "5-1-5", **GUN) for i in range(3)]
    g = battery(*guns, sov("X", "0,1"), ger("A", "0,2"), ger("B", "0,2"))
    found = ask(g, "bombardment", hex="0,2", units=["G0", "G1", "G2"])
    assert (found["factors"]["total"], found["column"]) == (15, "14-18")
    do(g, "shell 0,2", "gun G0", "gun G1", "gun G2", "fire", dice=[3])
    assert PACK.table("bombardment").at(3, "14-18") == "DPT"
    assert (word(g, "A"), word(g, "B")) == ("DPT", "DPT")
    assert g.dice.count == 1


@pytest.mark.rule("don42", "5.0.6.d", "11.1.b")
def test_guns_never_suffer_from_their_own_fire():
    for die in range(1, 7):
        g = battery(sov("G", "0,0", "5-1-5", **GUN), sov("X", "1,2"), ger("A", "1,3"))
        do(g, "shell 1,3", "gun G", "fire", dice=[die])
        assert (word(g, "G"), at(g, "G"), g.steps[u(g, "G")]) == ("", "0,0", 1)


@pytest.mark.rule("don42", "5.0.6.g")
def test_a_gun_that_bombarded_gives_no_support_in_the_combat_phase():
    g = battery(sov("G", "0,0", "5-1-5", **GUN), sov("X", "1,2"), ger("A", "1,3"))
    do(g, "shell 1,3", "gun G", "fire", dice=[1])
    assert g.status[u(g, "G")] & FIRED
    assert why_not_support(g, u(g, "G"), h(g, "1,3"), attacking=True).rule == "12.3.1"


@pytest.mark.rule("don42", "11.0.d")
def test_a_german_unit_is_bombarded_once_a_turn():
    guns = [sov(f"G{i}", f"{i},-2", "5-1-5", **GUN) for i in range(2)]
    g = battery(*guns, sov("X", "0,1"), ger("A", "0,2"), ger("B", "1,1"))
    do(g, "shell 0,2", "gun G0", "fire", dice=[1])
    assert g.status[u(g, "A")] & SHELLED
    assert "shell 0,2" not in texts(g)
    assert "shell 1,1" in texts(g)
    assert refusal(g, "shell 0,2").rule == "11.0"


@pytest.mark.rule("don42", "11.0.e")
def test_german_artillery_never_bombards():
    g = battery(ger("K", "3,0", "5-2-10", **GUN), sov("G", "0,0", "5-1-5", **GUN), sov("X", "1,2"), ger("A", "1,3"))
    assert why_not_bombard(g, u(g, "K")).rule == "11.0"
    do(g, "shell 1,3")
    assert refusal(g, "gun K").rule == "11.0"


@pytest.mark.rule("don42", "7.4.c", "7.4.d")
def test_guns_may_try_a_bridge_once_a_turn():
    river = homeland(sides={"2,1|2,2": "minor_river"}, roads=[("minor_road", "2,1 2,2")])
    g = battery(sov("G", "0,0", "5-1-5", **GUN), sov("H", "0,-1", "5-1-5", **GUN), sov("X", "2,1"), ger("A", "6,0"),
                on=river)  # fmt: skip
    do(g, "shell_bridge 2,1|2,2", "gun G", "fire", dice=[5])
    assert PACK.table("bombardment").at(5, "4-6") == "DRG*"
    assert g.bridges[0] & 1
    assert not g.stack


def test_disordered_guns_are_silent_or_fire():
    units = [sov("G", "0,0", "5-1-5", status=["DRG"], **GUN), sov("X", "1,2"), ger("A", "1,3")]
    assert not battery(*units).stack
    assert "shell 1,3" in texts(battery(*units, options={"gun_status": "fires"}))


@pytest.mark.rule("don42", "5.0.6.c")
def test_with_the_other_reading_guns_may_use_the_combat_table_without_harm():
    units = [sov("G", "0,0", "9-1-5", **GUN), sov("X", "1,2"), ger("A", "1,3", "4-4-10 2-2-10", quality="C")]
    only = battery(*units)
    do(only, "shell 1,3", "gun G")
    assert texts(only) == ["fire"]
    for die in range(1, 7):
        g = battery(*units, options={"artillery_table": "either"})
        do(g, "shell 1,3", "gun G", "fire_combat", dice=[die])
        assert word(g, "G") == ""
        assert at(g, "G") == "0,0"
        result = PACK.table("crt-2-1").at(die, "0")
        assert (at(g, "A") == "1,3") or result.startswith(("D", "B"))
        if result.startswith("DRE"):
            assert set(texts(g)) == {"give_way", "step_loss A"}
    assert board
