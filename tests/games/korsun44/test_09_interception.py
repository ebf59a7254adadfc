"""9.11 Armor Interception."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import asked
from kessel.games.korsun44.board import GERMAN, MOVED, SOVIET, Board
from kessel.games.korsun44.movement.interception import interceptors

from .helpers import board, choices, h, moving, play, position, refused, told, u, unit

PZ, T34 = "II-2.16Pz", "110.18TkC"
"""A PzIV with three white dots in 0,0; a T-34 with two that goes past it, from -1,0 to -1,1."""


def drive(*more: Any, on: dict[str, Any] | None = None, **fields: Any) -> Board:
    """The T-34 begins to move next to the PzIV; a division far away has yet to move."""
    g = position(
        unit(PZ, "0,0"), unit(T34, "-1,0"), unit("337.27A", "-5,5"), *more, on=on, phase="soviet_movement", **fields
    )
    return play(moving(g), f"move {T34}")


@pytest.mark.rule("korsun44", "9.11a", "9.11b", "9.11.p1", "4.5.1c", "4.5.3.2")
def test_armor_that_goes_from_one_hex_beside_armor_to_another_may_be_intercepted() -> None:
    g = play(drive(), "to -1,1")
    assert asked(g) == GERMAN
    assert choices(g) == ["pass", f"intercept {PZ}"]
    play(g, "pass")
    assert asked(g) == SOVIET
    g = play(drive(), "to -2,0")  # away
    assert asked(g) == SOVIET


@pytest.mark.rule("korsun44", "9.11.p1")
def test_the_move_stops_in_the_second_hex_and_goes_on_afterwards() -> None:
    g = play(drive(), "to -2,2")
    assert asked(g) == SOVIET  # the cheapest way keeps clear of the tanks
    g = play(drive(), "to -1,1")
    assert g.place[u(g, T34)] == h(g, "-1,1")
    play(g, f"intercept {PZ}", dice=[6])
    play(g, "pass", "to -1,2", "halt")
    assert g.place[u(g, T34)] == h(g, "-1,2")


@pytest.mark.example("korsun44", "E11")
@pytest.mark.rule("korsun44", "9.11.p3")
@pytest.mark.parametrize(("die", "hit"), [(1, True), (3, True), (4, False), (6, False)])
def test_a_die_at_or_below_the_white_dots_hits(die: int, hit: bool) -> None:
    g = play(drive(), "to -1,1")
    play(g, f"intercept {PZ}", dice=[die])
    assert g.steps[u(g, T34)] == 4 - hit
    assert ("it hits" in told(g)) == hit


@pytest.mark.example("korsun44", "E12")
@pytest.mark.rule("korsun44", "9.11.p4", "9.11.p5a", "9.11.p5b")
@pytest.mark.parametrize(("die", "hit"), [(1, True), (2, True), (3, False)])
def test_the_target_may_halt_and_return_fire(die: int, hit: bool) -> None:
    g = play(drive(), "to -1,1")
    play(g, f"intercept {PZ}", dice=[6])
    assert asked(g) == SOVIET
    assert choices(g) == ["pass", "return_fire"]
    play(g, "return_fire", dice=[die])
    assert g.steps[u(g, PZ)] == 4 - hit
    assert g.status[u(g, T34)] & MOVED  # it halted
    assert asked(g) == SOVIET


@pytest.mark.rule("korsun44", "9.11.p2")
def test_the_interceptor_chooses_his_unit_and_his_target() -> None:
    more = [unit("I-2.16Pz", "0,0"), unit("170.18TkC", "-1,0")]
    g = play(drive(*more), "join 170.18TkC", "to -1,1")
    assert choices(g) == ["pass", "intercept I-2.16Pz", f"intercept {PZ}"]
    play(g, "intercept I-2.16Pz")
    assert choices(g) == [f"fire_at {T34}", "fire_at 170.18TkC"]
    play(g, "fire_at 170.18TkC", dice=[4])  # a Panther has four dots
    assert (g.steps[u(g, T34)], g.steps[u(g, "170.18TkC")]) == (4, 3)


@pytest.mark.rule("korsun44", "9.11.p6")
def test_those_that_do_not_return_fire_go_on() -> None:
    g = play(drive(unit("170.18TkC", "-1,0")), "join 170.18TkC", "to -1,1")
    play(g, f"intercept {PZ}")
    play(g, f"fire_at {T34}", dice=[6])
    play(g, "return_fire", dice=[6])
    play(g, "to -1,2", "halt")
    assert g.place[u(g, T34)] == h(g, "-1,1")
    assert g.place[u(g, "170.18TkC")] == h(g, "-1,2")


@pytest.mark.rule("korsun44", "9.11.p4", "13.5.2f")
@pytest.mark.parametrize(("supply", "may"), [("OOS1", True), ("OOS2", False)])
def test_who_has_lost_his_white_dot_does_not_return_fire(supply: str, may: bool) -> None:
    gun = "1543.18TkC"
    g = position(unit(PZ, "0,0"), unit(gun, "-1,0", status=supply), phase="soviet_movement")
    play(moving(g), f"move {gun}", "to -1,1", f"intercept {PZ}", dice=[6])
    assert asked(g) == SOVIET
    assert ("return_fire" in choices(g)) == may


@pytest.mark.rule("korsun44", "9.11.c1")
def test_black_dots_do_not_intercept_but_the_88_with_its_option() -> None:
    guns = [unit("Flak.16Pz", "0,0"), unit("PzJg.16Pz", "0,0"), unit("64.16Pz", "0,0")]
    g = position(*guns, unit(T34, "-1,0"))
    args = (GERMAN, h(g, "-1,0"), h(g, "-1,1"), ())
    assert interceptors(g, *args) == []
    g = position(*guns, unit(T34, "-1,0"), options={"intercept_88": "on"})
    assert interceptors(g, *args) == [u(g, "Flak.16Pz")]


@pytest.mark.example("korsun44", "E25")
@pytest.mark.rule("korsun44", "18.11")
@pytest.mark.parametrize(("die", "hit"), [(2, True), (3, False)])
def test_the_88_intercepts_with_two_dots(die: int, hit: bool) -> None:
    g = position(unit("Flak.16Pz", "0,0"), unit(T34, "-1,0"), phase="soviet_movement", options={"intercept_88": "on"})
    play(moving(g), f"move {T34}", "to -1,1")
    play(g, "intercept Flak.16Pz", dice=[die])
    assert g.steps[u(g, T34)] == 4 - hit


@pytest.mark.rule("korsun44", "9.11.c2a")
@pytest.mark.parametrize("where", ["-1,0", "-1,1"])
def test_both_hexes_must_be_clear_or_village(where: str) -> None:
    on = board(terrain={where: "woods"})
    g = position(unit(PZ, "0,0"), unit(T34, "-1,0"), on=on)
    assert interceptors(g, GERMAN, h(g, "-1,0"), h(g, "-1,1"), ()) == []
    on = board(features={where: ["village"]})
    g = position(unit(PZ, "0,0"), unit(T34, "-1,0"), on=on)
    assert interceptors(g, GERMAN, h(g, "-1,0"), h(g, "-1,1"), ()) == [u(g, PZ)]


@pytest.mark.rule("korsun44", "9.11.c2b")
def test_nobody_intercepts_across_a_river() -> None:
    g = position(unit(PZ, "0,0"), unit(T34, "-1,0"), on=board(sides={"0,0|-1,1": "river"}))
    assert interceptors(g, GERMAN, h(g, "-1,0"), h(g, "-1,1"), ()) == []
    river = board(sides={"0,0|-1,0": "river"})  # to the first hex: that is no bar unless it is read so
    g = position(unit(PZ, "0,0"), unit(T34, "-1,0"), on=river)
    assert interceptors(g, GERMAN, h(g, "-1,0"), h(g, "-1,1"), ()) == [u(g, PZ)]
    g = position(unit(PZ, "0,0"), unit(T34, "-1,0"), on=river, options={"intercept_river": "both_hexes"})
    assert interceptors(g, GERMAN, h(g, "-1,0"), h(g, "-1,1"), ()) == []


@pytest.mark.rule("korsun44", "9.11.c3")
def test_each_hex_intercepts_once_in_a_move() -> None:
    g = play(drive(unit("I-2.16Pz", "-2,2")), "to -1,1")  # -1,1 is next to both; -1,0 only to 0,0
    play(g, f"intercept {PZ}", dice=[6])
    play(g, "pass", "to -2,1")  # from beside -2,2 to beside it; 0,0 is no longer near
    assert choices(g) == ["pass", "intercept I-2.16Pz"]
    play(g, "intercept I-2.16Pz", dice=[6])
    play(g, "pass")
    assert "Move" in [type(p).__name__ for p in g.stack]
    play(g, "to -1,1")
    assert asked(g) == SOVIET  # -2,2 has fired, 0,0 too


@pytest.mark.rule("korsun44", "12.17.2.9")
def test_disordered_armor_does_not_intercept() -> None:
    g = position(unit(PZ, "0,0", status="regroup"), unit(T34, "-1,0"))
    assert interceptors(g, GERMAN, h(g, "-1,0"), h(g, "-1,1"), ()) == []


def test_infantry_alone_is_not_intercepted_and_the_refusal_says_why() -> None:
    g = position(unit(PZ, "0,0"), unit("206.27A", "-1,-1"), unit(T34, "-1,0"), phase="soviet_movement")
    play(moving(g), "move 206.27A", "to -1,0")
    assert asked(g) == SOVIET
    g = play(drive(), "to -1,1")
    assert refused(g, f"intercept {T34}").rule == "9.11"


@pytest.mark.rule("korsun44", "9.11.c3", "9.11.p4", "4.5.4b", "4.7.1.6a")
def test_the_shermans_of_an_extended_division_are_intercepted_once_and_halt_it() -> None:
    """The PzIV may fire at them once in their move, however many of the hexes beside it they pass; who returns fire
    halts, and the division with them."""
    cavalry = [unit("11Gcav.5GCC", "-1,0"), unit("11GM4.5GCC", "-1,0"), unit("11Gcavx.5GCC", "-2,0")]
    for answer, halts in (("pass", False), ("return_fire", True)):
        g = position(unit(PZ, "0,0", steps=1), *cavalry, unit("337.27A", "-5,5"), phase="soviet_movement")
        play(moving(g), "move 11Gcav.5GCC", "marker_to -2,1", "to -1,1")
        assert choices(g) == ["pass", f"intercept {PZ}"]
        play(g, f"intercept {PZ}", answer, dice=[6, 6])
        assert asked(g) == SOVIET
        assert (refused(g, "to -1,0").rule == "10.3.1") if halts else ("to -1,0" in choices(g))
        if not halts:
            play(g, "to -1,0")
            assert asked(g) == SOVIET, "its hex has fired"


@pytest.mark.rule("korsun44", "9.11.p4", "9.11.p6", "4.5.4b")
def test_a_cavalry_division_halts_with_its_shermans() -> None:
    cavalry = [unit("11Gcav.5GCC", "-1,0"), unit("11GM4.5GCC", "-1,0")]
    g = position(unit(PZ, "0,0", steps=1), *cavalry, unit("337.27A", "-5,5"), phase="soviet_movement")
    play(moving(g), "move 11Gcav.5GCC", "to -1,1", f"intercept {PZ}", "return_fire", dice=[6, 6])
    assert {g.place[u(g, x)] for x in ("11Gcav.5GCC", "11GM4.5GCC")} == {h(g, "-1,1")}
    assert all(g.status[u(g, x)] & MOVED for x in ("11Gcav.5GCC", "11GM4.5GCC"))
