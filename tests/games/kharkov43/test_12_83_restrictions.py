"""12.83 Advances the Soviet system does not make."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.dice import Scripted
from kessel.games.kharkov43.board import DISPERSED, Board
from kessel.games.kharkov43.combat.battle import battle_of
from kessel.games.kharkov43.combat.combat_soviet import passes
from kessel.games.kharkov43.combat.results.advance_checks import (
    AdvanceCheck,
    Step,
    chance_of,
    is_closer,
)
from kessel.games.kharkov43.combat.results.advance_checks import Step as AdvanceStep
from kessel.games.kharkov43.data.forces import SOVIET
from tests.games.kharkov43.combat_helpers import (
    battle,
    dice,
    field,
    hit_germans,
    log,
    play,
    scene,
    step,
)
from tests.games.kharkov43.helpers import german, hx, position, soviet, tanks, unit
from tests.games.kharkov43.soviet_helpers import arena

from .test_12_advance import lone, refusal

RULE = "kharkov43"


# --- 12.83 restrictions ----------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.83f")
def test_no_advance_that_brings_a_german_within_reach_of_an_empty_soviet_town():
    """The German in 1808 can't slip from zone to zone into 1908 as long as a stands in 1909."""

    def make(allowance: int, garrisons: str = "") -> Board:
        return scene(
            [soviet("a.6", "1909"), german("g.XL", "1808", faces=f"3-{allowance}"), german("d.XL", "1912")],
            board=field(terrain={"1908": "town"}, vp={"1908": 1}, bare=True),
            soviet_towns="1908",
            turn=3,
            garrisons=garrisons,
        )

    assert refusal(make(2), "a.6") == "a German unit would become proximate to 1908"
    assert refusal(make(4), "a.6") == ""


@pytest.mark.rule(RULE, "12.83f")
@pytest.mark.parametrize(("turn", "refused_"), [(3, False), (4, True)])
def test_from_turn_4_no_advance_that_opens_german_supply_to_a_soviet_town(turn: int, refused_: bool):
    """a in 1909 closes the road along row 19 to the empty town in 1907; its zone closes the hexes beside it."""
    g = scene(
        [
            soviet("a.6", "1909"),
            soviet("n.6", "1707"),
            soviet("s.6", "2107"),
            german("d.XL", "1912", faces="3-2"),
        ],
        board=field(
            terrain={"1907": "town"},
            vp={"1907": 1},
            roads=[" ".join(f"19{c:02d}" for c in range(8, 21))],
            exits="1920",
            soviet_edge="1602 1702 1802 1902 2002 2102 2202",
        ),
        soviet_towns="1907",
        turn=turn,
    )
    assert bool(refusal(g, "a.6", "1809")) is refused_
    if refused_:
        assert refusal(g, "a.6", "1809") == "German supply could be traced to 1907"


@pytest.mark.rule(RULE, "12.83g")
def test_no_advance_that_vacates_a_supplied_map_edge_vp_hex():
    board = field(features={"1909": "map_edge_vp"}, vp={"1909": 1})
    g = lone(board=board)
    assert "map-edge VP hex 1909" in refusal(g, "a.6")
    mate = scene([soviet("a.6", "1909"), soviet("b.6", "1909"), german("d.XL", "1912")], board=board)
    assert refusal(mate, "a.6") == ""
    cut = lone(board=field(features={"1909": "map_edge_vp"}, vp={"1909": 1}, soviet_edge="", exits=""))
    assert refusal(cut, "a.6") == ""


@pytest.mark.rule(RULE, "12.83h")
def test_mechanized_units_never_advance_into_marsh():
    board = field(terrain={"1910": "marsh"})
    for turn in (3, 9):
        g = scene([tanks("a.Popov", "1909"), german("d.XL", "1912")], board=board, turn=turn)
        assert "marsh" in refusal(g, "a.Popov")
    foot = lone(board=board)
    assert refusal(foot, "a.6") == ""


@pytest.mark.rule(RULE, "12.83i")
def test_from_turn_3_no_advance_that_cuts_another_unit_off():
    """b in 1910 traces supply through a in 1909; from 2009 a would hold no way open."""

    def make(turn: int) -> Board:
        ring = [german(f"{i}.XL", h) for i, h in enumerate(("1810", "1911", "2010", "1809", "2108"))]
        return scene([soviet("a.6", "1909"), soviet("b.6", "1910"), *ring], turn=turn)

    assert refusal(make(3), "a.6", "2009") == "b.6 would be unable to trace supply"
    assert refusal(make(2), "a.6", "2009") == ""


@pytest.mark.rule(RULE, "12.83j")
def test_from_turn_6_no_advance_into_a_nearly_surrounded_hex_but_for_vps():
    """A unit in 1910 is surrounded if the German in 2107 comes to 1909."""

    def make(turn: int, **doc: Any) -> Board:
        return scene(
            [
                soviet("a.6", "1909", faces="4-4-01 2-4-02"),
                german("x.XL", "1811", faces="3-4"),
                german("y.XL", "2011", faces="3-4"),
                german("z.XL", "2107", faces="3-4"),
            ],
            turn=turn,
            **doc,
        )

    late, early = make(6), make(5)
    assert "nearly surrounded" in refusal(late, "a.6")
    assert refusal(early, "a.6") == ""
    assert refusal(make(6, board=field(terrain={"1910": "town"}, vp={"1910": 1})), "a.6") == ""


@pytest.mark.rule(RULE, "12.83a")
def test_units_advance_in_ascending_order_and_keep_stacking():
    g = scene(
        [
            soviet("9.6", "1909", faces="4-4-09 2-4-19"),
            soviet("3.6", "1909", faces="4-4-03 2-4-13"),
            german("d.XL", "1910", faces="3-4"),
        ]
    )
    dice(g, 1, 1)
    hit_germans(g, "9.6 3.6", "1910", 1)
    play(g, "retreat 1911")
    told = log(g)
    assert told.index("3.6 advances") < told.index("9.6 advances")
    assert not g.status[unit(g, "3.6")] & DISPERSED
    assert step(g) == ""


OPEN = {"roads_on": ()}


@pytest.mark.rule(RULE, "12.83c")
@pytest.mark.parametrize(("army", "front"), [("69", "Voronezh"), ("6", "Southwest")])
def test_an_advance_closer_to_the_marker_of_either_front(army, front):
    marker = {front: {"hex": "1914", "facing": "west", "stage": 1}}
    units = [soviet("A", "1909", army=army), german("G", "1912", "9-4")]
    g = position(board=arena(**OPEN), turn=2, objectives=marker, units=units)
    b_ = battle_of(g, SOVIET, g.map.grid.hex("1910"), [unit(g, "A")])
    assert is_closer(g, Step(b_, unit(g, "A"), g.map.grid.hex("1910")))
    assert not is_closer(g, Step(b_, unit(g, "A"), g.map.grid.hex("1908")))


@pytest.mark.rule(RULE, "12.83c")
@pytest.mark.parametrize(("roll", "told"), [(6, "advances"), (7, "advances"), (8, "does not advance")])
def test_the_highest_roll_that_advances_is_told_as_an_advance(roll: int, told: str) -> None:
    g = scene([soviet("a.6", "1909"), german("d.XL", "1912")])
    b = battle(g, "a.6", "1910")
    step = AdvanceStep(b, unit(g, "a.6"), hx(g, "1910"))
    g.dice = Scripted((roll,))
    check = AdvanceCheck(step.unit, step.hex, "attacked_hex", chance_of(g, step, "attacked_hex"))
    assert passes(g, check) is (told == "advances")
    assert f"a.6 {told} to 1910: attacked hex, rolls {roll} with 1-7" in log(g)
