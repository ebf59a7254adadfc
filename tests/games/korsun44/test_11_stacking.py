"""11.0 Stacking."""

from __future__ import annotations

import pytest

from kessel.core.procedure import options
from kessel.games.korsun44.board import DISORGANIZED, GERMAN, GUEST, IP, MINES, SEEN, SOVIET
from kessel.games.korsun44.movement.stacking import overstacked, why_not_stack
from kessel.games.korsun44.turn.air import air_track

from .helpers import TITLE, board, choices, h, moving, play, position, refused, u, unit

CLEAR, FOREST = board(), board(terrain={"0,0": "forest"})


def together(*names: str, on: dict[str, object] = CLEAR) -> str:
    """The reason why these units may not stand in one hex; empty if they may."""
    g = position(*(unit(n, "0,0") for n in names), on=on)
    side = g.forces.side[u(g, names[0])]
    found = why_not_stack(g, side, h(g, "0,0"))
    return found.reason if found else ""


@pytest.mark.rule("korsun44", "11.0a")
def test_three_units_stack_two_in_a_forest() -> None:
    three = ("245.88ID", "246.88ID", "Fus.88ID")
    assert together(*three) == ""
    assert "4 units" in together(*three, "Pio.88ID")
    assert "3 units" in together(*three, on=FOREST)
    assert together("245.88ID", "246.88ID", on=FOREST) == ""


@pytest.mark.rule("korsun44", "11.0c")
def test_sdms_do_not_count() -> None:
    assert together("245.88ID", "246.88ID", "Fus.88ID", "SDM1.42K") == ""


@pytest.mark.rule("korsun44", "11.0.g1a", "11.0.g1b")
def test_germans_stack_within_armee_korps_and_division() -> None:
    assert "armees" in together("245.88ID", "105.72ID")
    assert "korps" in together("245.88ID", "305.198ID")
    assert "divisions" in together("245.88ID", "DG112.KaB")
    assert together("245.88ID", "StuG239.42K") == ""  # korps troops have no division


@pytest.mark.rule("korsun44", "11.0.g2", "11.0d")
def test_two_german_infantry_regiments_to_a_hex() -> None:
    assert "two German infantry regiments" in together("245.88ID", "246.88ID", "248.88ID")
    g = position(
        unit("245.88ID", "0,0", steps=1), unit("246.88ID", "0,0"), unit("248.88ID", "0,0"),
        options={"cadre_regiment": "does_not"},
    )  # fmt: skip
    assert why_not_stack(g, GERMAN, h(g, "0,0")) is None


@pytest.mark.rule("korsun44", "11.0.g4")
def test_a_german_cadre_stacks_with_anybody_of_its_korps() -> None:
    g = position(unit("245.88ID", "0,0", steps=1), unit("DG112.KaB", "0,0"))
    assert why_not_stack(g, GERMAN, h(g, "0,0")) is None


@pytest.mark.rule("korsun44", "11.0.g3")
def test_alarm_units_count() -> None:
    assert together("245.88ID", "246.88ID", "Alarm1") == ""
    assert "4 units" in together("245.88ID", "246.88ID", "Fus.88ID", "Alarm1")


@pytest.mark.rule("korsun44", "11.0.s1a", "11.0.s1b", "11.0.s1c")
def test_soviets_stack_within_front_army_and_corps() -> None:
    assert "Fronts" in together("180.27A", "Eng.53A")
    assert "armies" in together("180.27A", "gun.40A")
    assert "corps" in together("110.18TkC", "8G.20TkC")
    assert together("180.27A", "gun.27A", "AT1.27A") == ""


def test_the_cavalry_corps_is_of_the_front_it_is_read_to_be() -> None:
    for reading, front in (("first", "1Uk"), ("second", "2Uk")):
        g = position(unit("11Gcav.5GCC", "0,0"), options={"cavalry_front": reading})
        assert g.front_of(u(g, "11Gcav.5GCC")) == front
        assert air_track(g, u(g, "11Gcav.5GCC")) == f"air_{front}"


@pytest.mark.rule("korsun44", "11.0.s2", "4.7.1.1")
def test_one_soviet_division_to_a_hex() -> None:
    assert "one Soviet division" in together("180.27A", "206.27A")
    assert "one Soviet division" in together("180.27A", "206x.27A")


@pytest.mark.rule("korsun44", "11.0.s3")
def test_two_soviet_brigades_to_a_hex() -> None:
    assert together("110.18TkC", "170.18TkC", "1438.18TkC") == ""
    assert "two Soviet brigades" in together("110.18TkC", "170.18TkC", "32.18TkC")


@pytest.mark.rule("korsun44", "11.0.s4")
def test_a_regiment_does_not_stack_with_another_division_or_a_fortified_area() -> None:
    assert together("180a.27A", "180b.27A") == ""
    assert "different divisions" in together("180a.27A", "206a.27A")
    assert "different divisions" in together("180a.27A", "54FAa.27A")
    assert together("54FAa.27A", "54FAb.27A") == ""
    assert "different divisions" in together("54FAa.27A", "159FAa.27A")


@pytest.mark.rule("korsun44", "11.0.s5", "4.5.4b", "4.5.5b")
@pytest.mark.parametrize(("parent", "tanks"), [("11Gcav.5GCC", "11GM4.5GCC"), ("2mech.5MC", "2M4.5MC")])
def test_shermans_move_with_their_unit(parent: str, tanks: str) -> None:
    for first in (parent, tanks):
        g = position(unit(parent, "0,0"), unit(tanks, "0,0"), phase="soviet_movement")
        play(moving(g), f"move {first}", "to 0,1", "halt")
        assert g.place[u(g, parent)] == g.place[u(g, tanks)] == h(g, "0,1")


@pytest.mark.rule("korsun44", "11.0.s5", "4.5.4b", "4.5.5b", "11.1.2a")
@pytest.mark.parametrize(("parent", "tanks"), [("11Gcav.5GCC", "11GM4.5GCC"), ("2mech.5MC", "2M4.5MC")])
def test_shermans_apart_from_their_unit_break_the_limits(parent: str, tanks: str) -> None:
    g = position(unit(parent, "0,0"), unit(tanks, "1,0"))
    why = why_not_stack(g, SOVIET, h(g, "1,0"))
    assert why is not None
    assert why.reason == f"{tanks} stays with {parent}"
    assert overstacked(g, SOVIET) == [h(g, "1,0")]
    assert why_not_stack(g, SOVIET, h(g, "0,0")) is None, "the division keeps its place"
    assert why_not_stack(g, SOVIET, h(g, "0,0"), (u(g, tanks),)) is None
    assert why_not_stack(g, SOVIET, h(g, "2,0"), (u(g, tanks),)) is not None
    g.move(u(g, parent), -1)
    assert why_not_stack(g, SOVIET, h(g, "1,0")) is None, "while it is in play"
    assert overstacked(g, SOVIET) == []


@pytest.mark.rule("korsun44", "11.0.s5", "4.7.1.1")
def test_shermans_may_stay_with_either_half_of_an_extended_division() -> None:
    g = position(unit("11Gcav.5GCC", "0,0"), unit("11Gcavx.5GCC", "1,0"), unit("11GM4.5GCC", "1,0"))
    assert why_not_stack(g, SOVIET, h(g, "1,0")) is None
    assert overstacked(g, SOVIET) == []


@pytest.mark.rule("korsun44", "11.1.1", "9.9.3")
def test_units_pass_through_any_stack() -> None:
    three = [unit(n, "0,1") for n in ("245.88ID", "246.88ID", "Fus.88ID")]
    g = position(*three, unit("305.198ID", "0,0"), phase="german_movement")
    play(moving(g), "move 305.198ID", "to 0,2")
    assert g.place[u(g, "305.198ID")] == h(g, "0,2")


@pytest.mark.rule("korsun44", "11.1.2a", "11.1.2b", "11.0b")
def test_who_is_overstacked_at_the_end_of_the_phase_is_disorganized_and_loses_a_step_of_the_strongest() -> None:
    g = position(unit("245.88ID", "0,0"), unit("305.198ID", "0,0", steps=2), phase="german_movement")
    assert "0,0 is overstacked" in options(moving(g)).prompt, "told before the phase ends"
    play(g, "pass")
    assert choices(g) == ["step_loss 245.88ID"]
    assert "strongest" in refused(g, "step_loss 305.198ID").reason
    play(g, "step_loss 245.88ID")
    assert g.steps[u(g, "245.88ID")] == 3
    assert all(g.status[v] & DISORGANIZED for v in g.units(h(g, "0,0")))


@pytest.mark.rule("korsun44", "11.2")
def test_a_stack_that_a_retreat_made_is_excused() -> None:
    g = position(unit("180.27A", "0,0"), unit("206.27A", "0,0"))
    assert overstacked(g, SOVIET) == [h(g, "0,0")]
    g.set_status(u(g, "206.27A"), GUEST)
    assert overstacked(g, SOVIET) == []


@pytest.mark.rule("korsun44", "11.3.4")
@pytest.mark.parametrize(
    ("names", "flag", "owner"), [(("245.88ID", "Fus.88ID"), IP, GERMAN), (("180.27A", "gun.27A"), MINES, SOVIET)]
)
def test_positions_and_minefields_cover_the_units_under_them(names: tuple[str, ...], flag: int, owner: int) -> None:
    g = position(*(unit(n, "0,0") for n in names), unit("Pio.88ID", "3,0"), phase="german_movement")
    g.set_works(h(g, "0,0"), flag)

    def ids(side: int | None) -> set[str]:
        return {p.id for p in TITLE.view(g, side).pieces if p.place == "0,0"}

    assert ids(owner) == set(names)
    assert ids(1 - owner) == ids(None) == {"covered-0,0-1", "covered-0,0-2"}
    g.set_status(u(g, names[0]), SEEN)
    assert names[0] in ids(1 - owner)


@pytest.mark.rule("korsun44", "11.0.g1a")
@pytest.mark.parametrize(
    ("army", "corps", "reason"),
    [("1PzA", "", ""), ("8A", "", "armees"), ("8A", "11K", "armees"), ("1PzA", "7K", "korps"), ("", "", "")],
)
def test_troops_of_an_armee_do_not_stack_with_the_other(army: str, corps: str, reason: str) -> None:
    guns = unit("guns", "0,0", side="german", type="flak_88", faces="2 1", army=army, corps=corps)
    g = position(guns, unit("245.88ID", "0,0"))
    why = why_not_stack(g, GERMAN, h(g, "0,0"))
    assert (why is None) == (not reason)
    assert why is None or reason in why.reason
