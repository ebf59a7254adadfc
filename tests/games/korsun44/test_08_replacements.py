"""8.0 Replacements."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.dice import Dice
from kessel.games.korsun44.board import DEAD, DISORGANIZED, GERMAN, GONE, REGROUP, REPLACED, SOVIET, UNUSED, Board
from kessel.games.korsun44.data.charts import charts_of
from kessel.games.korsun44.movement.movement import why_not_move
from kessel.games.korsun44.turn.points import add_points, receive
from kessel.games.korsun44.turn.replacements import (
    ReplacementSegment,
    kind_taken,
    most_steps,
    return_hexes,
    why_not_rebuild,
    why_not_replace,
)
from kessel.games.korsun44.turn.special_replacements import SpecialReplacements
from kessel.games.korsun44.units.alarms import conversions, convert

from .helpers import PACK, board, choices, h, moving, names, play, position, refused, start, told, u, unit
from .supply_helpers import supply_board

REGIMENT, DIVISION, BRIGADE, TANKS = "245.88ID", "180.27A", "110.18TkC", "II-2.16Pz"
SOURCES = {"-3,0": "1PzA", "3,-3": "27A", "-3,3": "5GTkA", "3,0": "8A"}
POINTS = {"42K": (3, 0), "3PzK": (3, 3), "1Uk": (4, 4), "2Uk": (4, 4)}


def segment(side: int, *units: dict[str, Any], dice: tuple[int, ...] = (), **fields: Any) -> Board:
    """A Replacement Segment on a turn without new points, with some on every track."""
    fields.setdefault("on", supply_board(5, sources=SOURCES))
    g = position(*units, turn=3, **fields)
    for command, (infantry, armor) in POINTS.items():
        g.set_rp(command, False, infantry)
        g.set_rp(command, True, armor)
    return start(g, ReplacementSegment(side), dice=dice)


def why(g: Board, name: str, steps: int = 1) -> str:
    found = why_not_replace(g, g.forces.side[u(g, name)], u(g, name), steps)
    return found.reason if found else ""


# --- 8.1, 8.3 points ----------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "8.3", "8.1.1a", "8.1.1b", "8.1.2.c1", "8.1.2.c3", "3.2.E2A", "3.2.F2A")
def test_the_track_gives_points_to_its_fronts_and_korps() -> None:
    g = position(turn=10)
    turn = charts_of(PACK).turn(10)
    receive(g, SOVIET)
    assert {c: g.rp(c, False) for c in ("1Uk", "2Uk")} == {c: turn.infantry[c] for c in ("1Uk", "2Uk")}
    assert g.rp("3PzK", False) == 0
    receive(g, GERMAN)
    assert g.rp("3PzK", False) == turn.infantry["3PzK"]
    receive(g, GERMAN)
    assert g.rp("3PzK", False) == 2 * turn.infantry["3PzK"]  # they are kept


@pytest.mark.example("korsun44", "E07")
@pytest.mark.rule("korsun44", "8.1.2a")
def test_armor_and_infantry_points_are_apart() -> None:
    g = position()
    add_points(g, "47PzK", True, 1, "8.3")
    add_points(g, "47PzK", False, 3, "8.3")
    assert (g.rp("47PzK", True), g.rp("47PzK", False)) == (1, 3)


@pytest.mark.rule("korsun44", "8.1.2.c4", "8.1.2b")
def test_points_beyond_the_track_are_lost_and_42nd_korps_has_no_armor_marker() -> None:
    g = position()
    g.events = []
    add_points(g, "11K", False, 12, "8.3")
    assert g.rp("11K", False) == g.charts.game.tracks.replacement
    assert "3 lost" in told(g)
    add_points(g, "42K", True, 1, "8.3")
    assert g.rp("42K", True) == 0


# --- 8.2 who takes them ----------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "8.2.1a", "8.2.1b", "8.2.2a", "8.2.2b", "8.2.3")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (DIVISION, "infantry"),
        ("180a.27A", "none"),
        ("11Gcav.5GCC", "none"),
        (BRIGADE, "armor"),
        ("32.18TkC", "none"),
        ("1438.18TkC", "none"),
        ("54FAa.27A", "none"),
        (REGIMENT, "infantry"),
        ("245a.88ID", "infantry"),
        ("DG112.KaB", "infantry"),
        ("417RG.88ID", "infantry"),
        ("64.16Pz", "infantry"),
        (TANKS, "armor"),
        ("PzJg.16Pz", "none"),
        ("PzIII-5SS.5SSPz", "none"),
        ("Fus.88ID", "none"),
        ("Recon.16Pz", "none"),
        ("Flak.16Pz", "none"),
        ("Pio.88ID", "none"),
        ("Art188.88ID", "none"),
        ("Alarm1", "none"),
    ],
)
def test_who_takes_which_points(name: str, kind: str) -> None:
    g = position()
    assert kind_taken(g, u(g, name)) == kind


# --- 8.4 ----------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "8.0a", "8.4a", "8.4.g1", "8.4.g2", "8.4.g3", "8.1.2.c2")
def test_a_german_regiment_takes_one_step_a_turn_even_next_to_the_enemy() -> None:
    g = segment(GERMAN, unit(REGIMENT, "0,0", steps=2), unit(DIVISION, "0,1"))
    play(g, f"replace {REGIMENT} 1")
    assert g.steps[u(g, REGIMENT)] == 3
    assert g.rp("42K", False) == 2
    assert g.status[u(g, REGIMENT)] & REGROUP
    assert why(g, REGIMENT) == f"{REGIMENT} has taken replacements this turn"
    g = segment(GERMAN, unit(REGIMENT, "0,0", steps=1))
    assert "at most 1 step" in why(g, REGIMENT, 2)


@pytest.mark.rule("korsun44", "8.4.s3", "8.4.s4", "8.4.s5", "8.4.s2")
def test_a_soviet_division_of_two_steps_or_fewer_takes_up_to_two_and_stays() -> None:
    g = segment(
        SOVIET, unit(DIVISION, "0,0", steps=2), unit("206.27A", "2,0", steps=3), unit("337.27A", "-3,0", steps=1)
    )
    assert "more than 2 steps" in why(g, "206.27A")
    assert "at most 2" in why(g, DIVISION, 3)
    play(g, f"replace {DIVISION} 2")
    assert g.steps[u(g, DIVISION)] == 4
    assert g.status[u(g, DIVISION)] & DISORGANIZED
    stays = why_not_move(g, u(g, DIVISION))
    assert stays is not None
    assert stays.rule == "8.4"
    assert g.rp("1Uk", False) == 2


@pytest.mark.rule("korsun44", "8.4.s1")
@pytest.mark.parametrize(("at", "may"), [("0,3", False), ("0,4", True)])
def test_a_soviet_unit_must_be_four_hexes_from_any_german(at: str, may: bool) -> None:
    g = segment(SOVIET, unit(DIVISION, "0,0", steps=1), unit("Alarm1", at))
    assert (why(g, DIVISION) == "") == may


@pytest.mark.rule("korsun44", "8.4.s3")
def test_q33_cadres_only_is_the_other_reading() -> None:
    g = segment(SOVIET, unit(DIVISION, "0,0", steps=2), options={"soviet_replacement": "cadres"})
    assert "more than 1 step" in why(g, DIVISION)


@pytest.mark.rule("korsun44", "8.4.c1", "12.17.2.8")
@pytest.mark.parametrize("status", ["OOS1", "disorganized", "regroup"])
def test_no_replacements_out_of_supply_or_in_disorder(status: str) -> None:
    g = segment(GERMAN, unit(REGIMENT, "0,0", steps=2, status=status))
    assert why(g, REGIMENT)


@pytest.mark.rule("korsun44", "8.4.c3a", "8.4.c3b", "8.4.c3c")
def test_infantry_is_never_brought_to_full_strength_parts_together() -> None:
    g = position(
        unit(REGIMENT, "0,0", steps=3), unit("246a.88ID", "0,1", steps=1), unit("246b.88ID", "0,2", steps=2),
        unit(TANKS, "1,1", steps=3),
    )  # fmt: skip
    assert most_steps(g, u(g, REGIMENT)) == 3
    assert most_steps(g, u(g, "246a.88ID")) == 1  # with the other battalion's two it would be full
    assert most_steps(g, u(g, TANKS)) == 4
    g = position(unit("246a.88ID", "0,1", steps=1), options={"never_full": "any_but_full"})
    assert most_steps(g, u(g, "246a.88ID")) == 2


@pytest.mark.rule("korsun44", "8.1.2.c2", "8.4.c2")
def test_points_serve_their_own_command_as_long_as_there_are_any() -> None:
    units = [unit(REGIMENT, "0,0", steps=2), unit("246.88ID", "0,2", steps=2), unit("105.72ID", "0,4", steps=2)]
    g = segment(GERMAN, *units)
    assert "11K has not enough" in why(g, "105.72ID")
    play(g, f"replace {REGIMENT} 1", "replace 246.88ID 1")
    assert g.rp("42K", False) == 1


# --- 8.5.1 Soviet armor ----------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "8.5.1a", "8.5.1.1")
def test_a_brigade_takes_armor_points_two_a_turn_up_to_full() -> None:
    g = segment(SOVIET, unit(BRIGADE, "0,0", steps=2))
    play(g, f"replace {BRIGADE} 2")
    assert g.steps[u(g, BRIGADE)] == 4
    assert (g.rp("2Uk", True), g.rp("2Uk", False)) == (2, 4)


@pytest.mark.rule("korsun44", "8.5.1.2a", "8.5.1.2b", "4.4.5b")
def test_an_eliminated_brigade_comes_back_as_a_cadre_next_to_an_sdm() -> None:
    g = position(unit("SDM.18TkC", "0,0"), turn=3)
    g.box[u(g, BRIGADE)] = DEAD
    for armor in (False, True):
        g.set_rp("2Uk", armor, 1)
    start(g, ReplacementSegment(SOVIET))
    assert names(g, return_hexes(g, u(g, BRIGADE))) == {"0,-1", "1,-1", "1,0", "0,1", "-1,1", "-1,0"}
    assert refused(g, f"rebuild {BRIGADE} 0,0").rule == "8.2.4"
    play(g, f"rebuild {BRIGADE} 0,1")
    assert (g.steps[u(g, BRIGADE)], g.place[u(g, BRIGADE)]) == (1, h(g, "0,1"))
    assert g.status[u(g, BRIGADE)] & (DISORGANIZED | REGROUP) == DISORGANIZED
    assert (g.rp("2Uk", False), g.rp("2Uk", True)) == (0, 0)


@pytest.mark.rule("korsun44", "8.2.4a", "8.2.4b")
def test_an_eliminated_regiment_comes_back_on_or_next_to_its_sdm() -> None:
    g = position(unit("SDM1.42K", "0,0"), unit("SDM1.7K", "3,0"), turn=3)
    for name in (REGIMENT, "Fus.88ID"):
        g.box[u(g, name)] = DEAD
    g.set_rp("42K", False, 1)
    start(g, ReplacementSegment(GERMAN))
    assert "0,0" in names(g, return_hexes(g, u(g, REGIMENT)))
    assert "3,0" not in names(g, return_hexes(g, u(g, REGIMENT)))
    assert "does not come back" in refused(g, "rebuild Fus.88ID 0,0").reason
    play(g, f"rebuild {REGIMENT} 0,0")
    assert g.steps[u(g, REGIMENT)] == 1
    assert g.status[u(g, REGIMENT)] & (DISORGANIZED | REGROUP) == REGROUP


@pytest.mark.rule("korsun44", "8.4.s1", "8.2.4b")
def test_a_soviet_unit_does_not_come_back_within_three_hexes_of_a_german() -> None:
    g = position(unit("SDM1.27A", "0,0"), unit(REGIMENT, "0,4"), turn=3)
    g.box[u(g, DIVISION)] = DEAD
    assert names(g, return_hexes(g, u(g, DIVISION))) == {"0,0", "0,-1", "1,-1", "1,0", "-1,1", "-1,0"}  # 0,1 is near


@pytest.mark.rule("korsun44", "8.2.4a", "8.2.1b")
def test_a_division_that_died_in_regiments_comes_back_as_a_cadre() -> None:
    g = position(unit("180a.27A", "4,0"), unit("180b.27A", "4,0"), unit("SDM1.27A", "0,0"), turn=3)
    g.eliminate(u(g, "180a.27A"), "x")
    assert g.box[u(g, DIVISION)] != DEAD
    g.eliminate(u(g, "180b.27A"), "x")
    assert g.box[u(g, DIVISION)] == DEAD
    g.set_rp("1Uk", False, 1)
    start(g, ReplacementSegment(SOVIET))
    assert {c.split()[1] for c in choices(g) if c.startswith("rebuild")} == {DIVISION}


# --- 8.5.2 German armor ----------------------------------------------------------------------------------------


@pytest.mark.example("korsun44", "E23")
@pytest.mark.rule("korsun44", "8.5.2c")
def test_the_armor_replacement_table() -> None:
    found = charts_of(PACK).armor_replacement
    expected = ["StuG", "PzVI", "PzIV", "PzV", "StuG", "PzIV", "PzIV", "PzV", "StuG", "PzVI", "StuG"]
    assert [found[n] for n in range(2, 13)] == expected


@pytest.mark.rule("korsun44", "8.5.2a", "8.5.2b", "8.5.2.2", "8.5.2.3")
def test_two_dice_name_the_tank_and_the_first_that_fits_is_taken() -> None:
    g = segment(GERMAN, unit(TANKS, "0,0", steps=2), unit("I-2.16Pz", "0,0", steps=2))
    play(g, "armor_roll 3PzK", dice=[3, 4])
    assert choices(g) == [f"receive {TANKS}"]
    assert refused(g, "receive I-2.16Pz").rule == "8.5.2"
    play(g, f"receive {TANKS}")
    assert (g.steps[u(g, TANKS)], g.rp("3PzK", True)) == (3, 2)
    assert g.status[u(g, TANKS)] & REPLACED
    assert "armor_roll 3PzK" in choices(g)  # the Panthers can still have one
    assert refused(g, "armor_roll 42K").rule == "8.1.2"


@pytest.mark.rule("korsun44", "8.5.2.1")
def test_a_type_nobody_can_take_is_rolled_again_or_the_point_is_saved() -> None:
    g = segment(GERMAN, unit(TANKS, "0,0", steps=2))
    play(g, "armor_roll 3PzK", dice=[1, 2])  # a Tiger
    assert choices(g) == ["pass", "roll_again"]
    play(g, "roll_again", dice=[3, 4])
    assert choices(g) == [f"receive {TANKS}"]
    g = segment(GERMAN, unit(TANKS, "0,0", steps=2))
    play(g, "armor_roll 3PzK", dice=[1, 2])
    play(g, "pass")
    assert g.rp("3PzK", True) == 3


@pytest.mark.rule("korsun44", "8.5.2.4a", "8.5.2.4b")
def test_an_eliminated_tank_battalion_returns_on_its_last_step() -> None:
    g = position(unit("SDM.16Pz", "0,0"), turn=3)
    g.box[u(g, TANKS)] = DEAD
    g.set_rp("3PzK", True, 1)
    start(g, ReplacementSegment(GERMAN))
    play(g, "armor_roll 3PzK", dice=[3, 4])
    play(g, f"receive {TANKS}", "at 0,1")
    assert (g.steps[u(g, TANKS)], g.place[u(g, TANKS)]) == (1, h(g, "0,1"))


# --- 8.6 special ----------------------------------------------------------------------------------------


def special(*units: dict[str, Any], **fields: Any) -> Board:
    return start(position(*units, turn=3, **fields), SpecialReplacements(GERMAN))


@pytest.mark.rule("korsun44", "8.6a", "8.6b", "8.6.1", "8.6.1.1")
def test_a_cadre_joins_a_unit_within_three_hexes() -> None:
    g = special(unit(REGIMENT, "0,0", steps=1), unit("246.88ID", "0,3", steps=2), unit("248.88ID", "0,-4", steps=2))
    assert "three hexes" in refused(g, f"absorb {REGIMENT} into 248.88ID").reason
    play(g, f"absorb {REGIMENT} into 246.88ID")
    assert g.steps[u(g, "246.88ID")] == 3
    assert g.box[u(g, REGIMENT)] == DEAD
    assert g.status[u(g, "246.88ID")] & REGROUP
    g = special(unit(REGIMENT, "0,0", steps=1), unit("246.88ID", "0,3", steps=3))
    assert choices(g) == ["pass"]  # one short of full already


@pytest.mark.rule("korsun44", "8.6.1.1")
def test_the_way_is_free_of_the_enemy() -> None:
    wall = [unit(n, at) for n, at in (("180.27A", "0,1"), ("206.27A", "-1,1"), ("337.27A", "1,0"))]
    g = special(unit(REGIMENT, "0,0", steps=1), unit("246.88ID", "0,2", steps=2), *wall, on=board(2))
    assert choices(g) == ["pass"]  # round the wall is too far


@pytest.mark.rule("korsun44", "8.6.1.2")
def test_the_own_division_comes_first() -> None:
    units = [unit(REGIMENT, "0,0", steps=1), unit("246.88ID", "0,1", steps=2), unit("DG112.KaB", "1,0", steps=2)]
    g = special(*units)
    assert "88ID come first" in refused(g, f"absorb {REGIMENT} into DG112.KaB").reason
    g = special(units[0], units[2])
    play(g, f"absorb {REGIMENT} into DG112.KaB")
    assert g.steps[u(g, "DG112.KaB")] == 3


@pytest.mark.rule("korsun44", "8.6.2a", "8.6.2.1", "8.6.2.2")
def test_an_artillery_regiment_becomes_two_steps_of_its_division() -> None:
    units = [unit("Art188.88ID", "0,0"), unit(REGIMENT, "0,1", steps=2), unit("246.88ID", "0,2", steps=2)]
    g = special(*units, unit("DG112.KaB", "1,0", steps=2))
    play(g, "disband Art188.88ID")
    assert choices(g) == ["pass", f"receive {REGIMENT}", "receive 246.88ID"]
    assert "which has infantry on the map" in refused(g, "receive DG112.KaB").reason
    play(g, f"receive {REGIMENT}", "receive 246.88ID")
    assert [g.steps[u(g, n)] for n in (REGIMENT, "246.88ID")] == [3, 3]
    assert g.box[u(g, "Art188.88ID")] == DEAD


@pytest.mark.rule("korsun44", "8.6.2b", "8.6.2.3", "8.0b")
def test_a_korps_battalion_becomes_one_step_of_any_infantry_of_its_korps() -> None:
    g = special(unit("I-108.42K", "0,0"), unit(REGIMENT, "0,1", steps=2), unit("DG112.KaB", "1,0", steps=2))
    play(g, "disband I-108.42K", "receive DG112.KaB")
    assert g.steps[u(g, "DG112.KaB")] == 3
    assert not g.on_map(u(g, "I-108.42K"))
    assert choices(g) == ["pass"]


@pytest.mark.rule("korsun44", "8.6.5a", "8.6.5b", "8.6.5c", "8.0b")
def test_an_sdm_is_given_up_for_one_step_of_its_command_in_range() -> None:
    g = special(unit("SDM1.42K", "0,0"), unit(REGIMENT, "0,5", steps=2), unit("305.198ID", "0,1", steps=2))
    play(g, "abandon SDM1.42K")
    assert "not of the command" in refused(g, "receive 305.198ID").reason
    play(g, f"receive {REGIMENT}")
    assert g.steps[u(g, REGIMENT)] == 3
    assert (g.sdm_at[u(g, "SDM1.42K")], g.box[u(g, "SDM1.42K")]) == (-1, GONE)


@pytest.mark.rule("korsun44", "8.6.4a", "8.6.4.4")
def test_korsun_is_abandoned_only_when_its_airfield_is_active() -> None:
    g = position(unit("SDM1.42K", "0,0"), unit(REGIMENT, "0,1", steps=2), turn=3)
    start(g, SpecialReplacements(GERMAN))
    assert refused(g, "abandon_korsun").rule == "8.6.4"
    g.set_track("korsun_active", 1)
    g.dice = Dice(1)
    start(g, SpecialReplacements(GERMAN))
    play(g, "abandon_korsun")
    assert g.track("korsun_abandoned") == 3
    assert g.track("korsun_active") == 0
    assert "not activated" in refused(g, "abandon_korsun").reason


@pytest.mark.rule("korsun44", "8.6.3c", "8.6.3a")
def test_alarm_units_are_given_up_in_the_german_movement_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kessel.games.korsun44.units.alarms.traced_korps", lambda g, h: ("42K",))
    for side, may in (("german", True), ("soviet", False)):
        g = position(unit("Alarm1", "0,0"), unit(REGIMENT, "0,0"), unit(DIVISION, "4,0"), phase=f"{side}_movement")
        assert ("convert_alarm 0,0 42K" in choices(moving(g))) == may


@pytest.mark.rule("korsun44", "8.6.3a", "8.6.3b", "4.8.2k")
def test_an_alarm_unit_becomes_a_point_of_the_korps_it_traces_to(monkeypatch: pytest.MonkeyPatch) -> None:
    g = position(unit("Alarm1", "0,0", status="alarm"), unit("Alarm2", "2,0", status="alarm"), unit(REGIMENT, "0,0"))
    monkeypatch.setattr("kessel.games.korsun44.units.alarms.traced_korps", lambda g, h: ("42K",))
    assert conversions(g) == [(h(g, "0,0"), "42K")]
    g.events = []
    convert(g, h(g, "0,0"), "42K")
    assert g.rp("42K", False) == 1
    assert g.box[u(g, "Alarm1")] == GONE
    assert "Alarm1" not in told(g)  # its name would tell nothing, but is not told either


@pytest.mark.rule("korsun44", "8.4.c1")
def test_a_place_on_the_supply_road_is_not_within_range() -> None:
    road = " ".join(f"{q},0" for q in range(-9, 10))
    doc = supply_board(10, sources={"-9,0": "1PzA"}, roads=(("secondary", road),))
    g = segment(GERMAN, unit("SDM1.42K", "8,0"), unit(REGIMENT, "0,0", steps=2), on=doc)
    assert "range" in why(g, REGIMENT)
    g.place_sdm(u(g, "SDM1.42K"), h(g, "6,0"))
    assert not why(g, REGIMENT)


@pytest.mark.rule("korsun44", "8.2.2a")
@pytest.mark.parametrize(
    ("size", "kind"),
    [("regiment", "infantry"), ("regiment_group", "infantry"), ("division_group", "infantry"), ("battalion", "none")],
)
def test_a_german_battalion_of_its_own_takes_no_replacements(size: str, kind: str) -> None:
    g = position(unit("own", "0,0", side="german", type="motorized_infantry", faces="6 3", size=size, corps="42K"))
    assert kind_taken(g, u(g, "own")) == kind
    assert kind_taken(g, u(g, "I.Wal")) == "none"
    part = next(v for v in g.forces.parts[u(g, REGIMENT)])
    assert kind_taken(g, part) == "infantry", "a breakdown unit does"


@pytest.mark.rule("korsun44", "8.5.1.2b")
def test_a_brigade_comes_back_beside_any_sdm_of_its_army_or_front() -> None:
    g = position(
        unit("SDM.18TkC", "0,0"), unit("SDM.20TkC", "3,0"), unit("SDM1.53A", "-3,0"), unit("SDM1.27A", "0,3"),
        unit(BRIGADE, box="eliminated"),
    )  # fmt: skip
    found = names(g, return_hexes(g, u(g, BRIGADE)))
    for at, beside in (("0,0", True), ("-3,0", True), ("3,0", True), ("0,3", False)):
        ring = {g.hex_name(x) for x in g.map.grid.around[h(g, at)]}
        assert at not in found
        assert (ring <= found) == beside, at


@pytest.mark.rule("korsun44", "8.2.1b", "8.2.2a", "8.2.4a")
def test_breakdown_units_come_back_for_the_germans_alone() -> None:
    g = segment(GERMAN, unit("SDM1.42K", "0,0"), unit("SDM1.27A", "3,-3"))
    for name, back in ((REGIMENT, True), (DIVISION, False)):
        part = g.forces.parts[u(g, name)][0]
        g.box[part], g.box[u(g, name)] = DEAD, UNUSED
        side = g.forces.side[part]
        why = why_not_rebuild(g, side, part, h(g, "0,1") if back else h(g, "3,-2"))
        assert (why is None) == back
        assert why is None or "does not come back" in why.reason


@pytest.mark.rule("korsun44", "8.6.2a", "8.6.2b")
def test_a_gun_regiment_gives_two_steps_and_a_battalion_one() -> None:
    weak = [unit(x, "0,1", steps=1) for x in (REGIMENT, "246.88ID")] + [unit("248.88ID", "1,0", steps=1)]
    for gun, given in (("Art188.88ID", 2), ("I-108.42K", 1)):
        g = position(*weak, unit(gun, "0,0"))
        start(g, SpecialReplacements(GERMAN))
        play(g, f"disband {gun}", f"receive {REGIMENT}")
        assert ("receive 246.88ID" in choices(g)) == (given == 2)
        if given == 2:
            play(g, "receive 246.88ID")
        assert not any(c.startswith("receive") for c in choices(g))
        assert not g.on_map(u(g, gun))
