"""4.0 Units: chits, cadres, stars, breakdown, extension, alarm units."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest

from kessel.core.dice import Dice
from kessel.games.korsun44.board import (
    ALERT,
    DEAD,
    DISORGANIZED,
    IP,
    MINES,
    MINES_BUILDING,
    MOVED,
    OOS1,
    OOS2,
    RAIL_CUT,
    RAIL_REPAIR,
    REGROUP,
    SEEN,
    SOVIET,
    STATUS_WORDS,
    UNUSED,
)
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.data.forces import ALARM, GERMAN, PART, UNIT
from kessel.games.korsun44.movement.costs import TACTICAL, is_vehicle
from kessel.games.korsun44.movement.extension import is_apart
from kessel.games.korsun44.movement.phase import MovementPhase
from kessel.games.korsun44.movement.zones import zoc_sources, zone_sources
from kessel.games.korsun44.units.alarms import raise_alarms
from kessel.games.korsun44.units.breakdown import shares
from kessel.games.korsun44.units.strength import (
    alarm_chit,
    black_dots,
    has_star,
    infantry_steps,
    is_attack_capable,
    is_cadre,
    steps_here,
    strength,
    white_dots,
)

from .helpers import PACK, TITLE, choices, h, moving, names, play, position, refused, start, told, u, unit

DIVISION = "180.27A"
BRIGADE = "110.18TkC"
REGIMENT = "245.88ID"


@pytest.mark.example("korsun44", "E01")
@pytest.mark.rule("korsun44", "4.4.4a", "4.4.4f", "4.4d")
def test_a_chit_is_turned_to_the_next_lower_value() -> None:
    g = position(unit(DIVISION, "0,0", steps=4))
    assert strength(g, u(g, DIVISION)) == 12
    g.lose_step(u(g, DIVISION), "12.12")
    assert (strength(g, u(g, DIVISION)), g.steps[u(g, DIVISION)]) == (9, 3)


@pytest.mark.rule("korsun44", "4.4.4b")
def test_only_the_owner_sees_a_chit_except_while_odds_are_determined() -> None:
    g = position(unit(DIVISION, "0,0", steps=4), unit(REGIMENT, "2,0", steps=3), phase="soviet_movement")

    def piece(side: int | None, name: str) -> tuple[str, int]:
        p = next(p for p in TITLE.view(g, side).pieces if p.id == name)
        return p.values, p.steps

    assert piece(SOVIET, DIVISION) == ("12-5", 4)
    assert piece(GERMAN, DIVISION) == ("A-5", 0)
    assert piece(None, DIVISION) == ("A-5", 0)
    assert piece(SOVIET, REGIMENT) == ("B-5", 0)
    g.set_status(u(g, DIVISION), SEEN)
    assert piece(GERMAN, DIVISION) == ("12-5", 4)
    g.set_status(u(g, DIVISION), SEEN, on=False)
    g.set_steps(u(g, DIVISION), 1)
    assert piece(GERMAN, DIVISION) == ("3-5", 1)  # a cadre lies open


@pytest.mark.rule("korsun44", "4.4.4b", "4.7.2.1a")
def test_an_extension_marker_does_not_tell_the_chit_either() -> None:
    g = position(unit(DIVISION, "0,0", steps=4), unit("180x.27A", "0,1"), phase="soviet_movement")
    shown = {p.id: (p.values, p.steps) for p in TITLE.view(g, GERMAN).pieces}
    assert shown["180x.27A"][1] == shown[DIVISION][1] == 0
    assert not any(c.isdigit() for c in shown["180x.27A"][0].split("-")[0])
    own = {p.id: p.values for p in TITLE.view(g, SOVIET).pieces}
    assert own["180x.27A"] == "6-5"
    g.dice = Dice(1)
    k = TITLE.known_to(g, GERMAN)
    assert zoc_sources(k, SOVIET) == zoc_sources(g, SOVIET)


@pytest.mark.rule("korsun44", "4.4.4b")
def test_a_program_thinks_on_other_chits_that_look_the_same() -> None:
    units = [unit(DIVISION, "0,0", steps=4), unit("206.27A", "0,2", steps=2), unit(REGIMENT, "2,0", steps=3)]
    g = position(*units, phase="soviet_movement")
    g.dice = Dice(5)
    seen = set()
    for n in range(40):
        g.dice.count = n
        k = TITLE.known_to(g, GERMAN)
        assert msgspec.json.encode(TITLE.view(k, GERMAN)) == msgspec.json.encode(TITLE.view(g, GERMAN))
        assert k.steps[u(g, REGIMENT)] == 3
        assert zoc_sources(k, SOVIET) == zoc_sources(g, SOVIET)
        seen.add((k.steps[u(g, DIVISION)], k.steps[u(g, "206.27A")]))
    assert {a for a, _ in seen} == {3, 4, 5, 6}
    assert {b for _, b in seen} == {2}


@pytest.mark.rule("korsun44", "4.4.3", "4.4.1b", "4.4.2")
def test_units_without_a_chit_flip_and_die() -> None:
    g = position(unit("Fus.88ID", "0,0"), unit("Art188.88ID", "0,1"))
    fusiliers, guns = u(g, "Fus.88ID"), u(g, "Art188.88ID")
    assert strength(g, fusiliers) == 4
    g.lose_step(fusiliers, "x")
    assert strength(g, fusiliers) == 2
    assert not is_cadre(g, fusiliers)
    g.lose_step(fusiliers, "x")
    assert g.box[fusiliers] == DEAD
    g.lose_step(guns, "x")
    assert not g.on_map(guns)


@pytest.mark.rule("korsun44", "4.4.5a")
def test_the_last_step_of_a_chit_unit_is_a_cadre() -> None:
    g = position(unit(REGIMENT, "0,0", steps=3))
    g.lose_step(u(g, REGIMENT), "x")
    assert (is_cadre(g, u(g, REGIMENT)), g.reveals) == (False, 0), "the chit is turned, unseen"
    g.lose_step(u(g, REGIMENT), "x")
    assert is_cadre(g, u(g, REGIMENT))
    assert g.reveals == 1, "everybody sees the counter turned over"
    assert strength(g, u(g, REGIMENT)) == 2


@pytest.mark.example("korsun44", "E02")
@pytest.mark.rule("korsun44", "4.9a", "4.9b", "4.9c")
def test_a_four_step_panzer_battalion_has_two_counters_one_after_the_other() -> None:
    g = position(unit("II-2.16Pz", "0,0"))
    tanks = u(g, "II-2.16Pz")
    assert g.forces.counters[tanks].counters == 2
    seen = []
    while g.on_map(tanks):
        seen.append((g.steps[tanks], strength(g, tanks)))
        g.lose_step(tanks, "x")
    assert seen == [(4, 8), (3, 6), (2, 4), (1, 2)]
    assert not is_cadre(g, tanks)
    assert g.track("german_armor_lost") == 4


@pytest.mark.rule("korsun44", "4.5.3a", "4.5.3b", "4.5.3c")
def test_a_star_brigade_has_one_infantry_step_until_it_is_a_cadre() -> None:
    g = position(unit(BRIGADE, "0,0", steps=2), unit("32a.18TkC", "0,0"))
    brigade = u(g, BRIGADE)
    assert has_star(g, brigade)
    assert infantry_steps(g, brigade) == 1
    assert zoc_sources(g, SOVIET) == 1 << h(g, "0,0")  # with the two of the battalion
    g.set_steps(brigade, 1)
    assert infantry_steps(g, brigade) == 0
    assert zoc_sources(g, SOVIET) == 0


@pytest.mark.rule("korsun44", "4.5.1a", "4.5.1b", "4.5.2")
def test_dots() -> None:
    g = position(unit("II-2.16Pz", "0,0"), unit("Flak.16Pz", "0,0", status="OOS2"), unit(REGIMENT, "0,1"))
    assert (white_dots(g, u(g, "II-2.16Pz")), black_dots(g, u(g, "II-2.16Pz"))) == (3, 0)
    assert (white_dots(g, u(g, "Flak.16Pz")), black_dots(g, u(g, "Flak.16Pz"))) == (0, 2)
    assert (white_dots(g, u(g, REGIMENT)), black_dots(g, u(g, REGIMENT))) == (0, 1)


# --- 4.6 breakdown -------------------------------------------------------------------------------------------------


def test_ways_to_share_out_steps() -> None:
    assert shares(6, (2, 2, 2)) == ((2, 2, 2),)
    assert shares(3, (2, 2)) == ((2, 1),)
    assert shares(4, (3, 2)) == ((3, 1), (2, 2))
    assert shares(1, (2, 2)) == ()


@pytest.mark.rule("korsun44", "4.6a", "4.6.p1a", "4.6.c3", "4.6.c1b")
@pytest.mark.parametrize(("name", "side", "parts"), [(DIVISION, "soviet", 3), (REGIMENT, "german", 2)])
def test_a_full_unit_becomes_all_its_parts_at_full_strength(name: str, side: str, parts: int) -> None:
    g = position(unit(name, "0,0"), phase=f"{side}_movement")
    play(moving(g), f"break_down {name} into {' '.join(['2'] * parts)}")
    there = g.units(h(g, "0,0"))
    assert [g.steps[v] for v in there] == [2] * parts
    assert all(g.forces.parent[v] == u(g, name) for v in there)
    assert (g.on_map(u(g, name)), g.box[u(g, name)]) == (False, UNUSED)


@pytest.mark.rule("korsun44", "4.6.p1b")
def test_a_reduced_unit_gives_its_steps_to_its_parts_as_the_player_likes() -> None:
    g = position(unit(DIVISION, "0,0", steps=4), phase="soviet_movement")
    moving(g)
    found = [c for c in choices(g) if c.startswith("break_down")]
    assert found == [f"break_down {DIVISION} into 2 2 0", f"break_down {DIVISION} into 2 1 1"]
    assert "4 steps" in refused(g, f"break_down {DIVISION} into 2 2 1").reason
    play(g, found[1])
    assert sum(g.steps[v] for v in g.units(h(g, "0,0"))) == 4


@pytest.mark.example("korsun44", "E04")
@pytest.mark.rule("korsun44", "4.6.p1c", "4.6.p1d")
def test_one_battalion_keeps_the_dot_and_a_three_step_one_ends_as_the_cadre() -> None:
    g = position(unit("64.16Pz", "0,0"), phase="german_movement")
    play(moving(g), "break_down 64.16Pz into 3 2")
    first, second = g.units(h(g, "0,0"))
    assert sorted(g.forces.black[v] for v in (first, second)) == [0, 1]
    g.set_steps(first, 1)
    assert is_cadre(g, first)
    assert strength(g, first) == g.forces.strength[u(g, "64.16Pz")][1]
    assert not is_cadre(g, second)


@pytest.mark.rule("korsun44", "4.6.c4", "4.6.c2")
def test_parts_take_over_the_state_of_the_unit_and_its_move() -> None:
    g = position(unit(REGIMENT, "0,0", status=["OOS1", "regroup"]), phase="german_movement")
    play(moving(g), f"move {REGIMENT}", "halt", f"break_down {REGIMENT} into 2 2")
    for v in g.units(h(g, "0,0")):
        assert g.status[v] & (OOS1 | REGROUP | MOVED) == OOS1 | REGROUP | MOVED
    assert not [c for c in choices(g) if c.startswith("move")]


@pytest.mark.rule("korsun44", "4.6.c5", "4.6.p2", "4.6.c1")
def test_parts_recombine_with_the_worst_of_their_states() -> None:
    g = position(
        unit("245a.88ID", "0,0", steps=1, status="regroup"),
        unit("245b.88ID", "0,0", status=["OOS2", "disorganized"]),
        phase="german_movement",
    )
    play(moving(g), f"recombine {REGIMENT}")
    assert g.steps[u(g, REGIMENT)] == 3
    assert g.status[u(g, REGIMENT)] & (REGROUP | DISORGANIZED | OOS1 | OOS2) == DISORGANIZED | OOS2
    assert g.box[u(g, "245a.88ID")] == UNUSED
    assert g.faults() == []


@pytest.mark.rule("korsun44", "4.6.c1b")
def test_parts_in_different_hexes_do_not_recombine() -> None:
    g = position(unit("245a.88ID", "0,0"), unit("245b.88ID", "0,1"), phase="german_movement")
    moving(g)
    assert "one hex" in refused(g, f"recombine {REGIMENT}").reason


# --- 4.7 extension -------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "4.7a", "4.7b", "4.7.p1", "4.7.1.3", "4.7.2.1a", "4.7.2.1b")
def test_a_division_extends_into_the_next_hex() -> None:
    g = position(unit(DIVISION, "0,0", steps=5), phase="soviet_movement")
    play(moving(g), f"extend {DIVISION}", "marker_to 0,1")
    assert "next to each other" in refused(g, "marker_to 0,2").reason
    play(g, "halt")
    marker = u(g, "180x.27A")
    assert is_apart(g, u(g, DIVISION))
    assert g.place[marker] == h(g, "0,1")
    assert (strength(g, u(g, DIVISION)), strength(g, marker)) == (8, 8)  # half of 16
    assert (steps_here(g, u(g, DIVISION)), steps_here(g, marker)) == (3, 2)


@pytest.mark.rule("korsun44", "4.7.2.1a", "4.7.2.1c")
def test_half_strength_is_rounded_up_and_losses_come_off_the_one_chit() -> None:
    g = position(unit(DIVISION, "0,0", steps=4), unit("180x.27A", "0,1"))
    g.lose_step(u(g, DIVISION), "x")
    assert (strength(g, u(g, DIVISION)), strength(g, u(g, "180x.27A"))) == (5, 5)  # half of 9
    g.eliminate(u(g, DIVISION), "x")
    assert not g.on_map(u(g, "180x.27A"))


@pytest.mark.rule("korsun44", "4.7c")
def test_a_cadre_and_a_german_do_not_extend() -> None:
    g = position(unit(DIVISION, "0,0", steps=1), unit(REGIMENT, "3,0"), phase="soviet_movement")
    moving(g)
    assert "cadre" in refused(g, f"extend {DIVISION}").reason
    assert refused(g, f"extend {REGIMENT}").rule == "4.7"


@pytest.mark.rule("korsun44", "4.7.p3", "4.7.1.4", "4.7.1.6a", "4.7.1.6b", "4.7.1.2")
def test_both_counters_move_side_by_side_and_may_join() -> None:
    g = position(unit(DIVISION, "0,0"), unit("180x.27A", "0,1"), phase="soviet_movement")
    play(moving(g), "move 180x.27A")
    play(g, "marker_to 1,0", "to 1,0")
    p = g.stack[-1]
    assert p.spent == (POINT, POINT)  # type: ignore[attr-defined]
    play(g, "halt")
    assert not g.on_map(u(g, "180x.27A"))
    assert g.status[u(g, DIVISION)] & MOVED


@pytest.mark.example("korsun44", "E03")
@pytest.mark.rule("korsun44", "4.7.1.5a", "4.7.1.5b", "4.7.1.6c")
def test_no_extension_straight_from_zoc_to_zoc_but_by_a_free_hex() -> None:
    # 1,-1 is next to the German in 1,-2, as the division's own hex 0,-1 is; 0,0 is free
    g = position(unit(DIVISION, "0,-1"), unit(REGIMENT, "1,-2"), phase="soviet_movement")
    play(moving(g), f"extend {DIVISION}")
    assert refused(g, "marker_to 1,-1").rule == "10.3.1"
    play(g, "marker_to 0,0", "marker_to 1,-1", "halt")
    assert g.place[u(g, "180x.27A")] == h(g, "1,-1")


@pytest.mark.rule("korsun44", "4.7.3")
def test_disorder_of_one_counter_leaves_the_other_alone() -> None:
    g = position(unit(DIVISION, "0,0"), unit("180x.27A", "0,1", status="disorganized"))
    assert zoc_sources(g, SOVIET) == 1 << h(g, "0,0")
    assert zone_sources(g, SOVIET) == 1 << h(g, "0,0") | 1 << h(g, "0,1")


# --- 4.8 alarm units -----------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "4.8.1a", "4.8.1b", "4.8a")
def test_alarm_units_are_drawn_unseen() -> None:
    strengths = set()
    for seed in range(12):
        g = TITLE.new(PACK, "kapitanovka", {}, Dice(seed))
        alarms = [v for v in g.forces.of_role[GERMAN][ALARM] if g.on_map(v)]  # type: ignore[attr-defined]
        assert [g.place[v] for v in alarms] == list(g.scenario.alarm)  # type: ignore[attr-defined]
        assert all(g.status[v] & ALERT for v in alarms)
        assert all(r.secret for r in g.dice.take())
        strengths.add(tuple(strength(g, v) for v in alarms))  # type: ignore[arg-type]
        hidden = [p for p in TITLE.view(g, SOVIET).pieces if p.id.startswith("Alarm")] if g.stack else []
        assert {p.values for p in hidden} == {"(?)-4"}
    assert len(strengths) > 3


@pytest.mark.rule("korsun44", "4.8.2a", "4.8.2b", "4.8.2d", "4.8.2j", "4.8.2l")
def test_an_alarm_unit_has_no_zone_and_moves_only_when_turned_over() -> None:
    g = position(
        unit("Alarm1", "0,0", status="alarm"), unit("Alarm2", "3,0", status="alarm"), unit(REGIMENT, "0,0"),
        phase="german_movement",
    )  # fmt: skip
    assert zone_sources(g, GERMAN) == 1 << h(g, "0,0")
    moving(g)
    assert refused(g, "move Alarm1").rule == "4.8.2"
    assert "with it" in refused(g, "turn_over 3,0").reason
    reveals = g.reveals
    play(g, "turn_over 0,0")
    assert g.reveals > reveals
    play(g, "move Alarm1", "to 0,3")
    assert g.place[u(g, "Alarm1")] == h(g, "0,3")


@pytest.mark.rule("korsun44", "4.8.2l", "8.6.3a")
def test_germans_that_move_through_may_turn_an_alarm_unit_over_or_give_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kessel.games.korsun44.units.alarms.traced_korps", lambda g, h: ("42K",))
    g = position(unit("Alarm1", "0,1", status="alarm"), unit(REGIMENT, "0,0"), phase="german_movement")
    play(moving(g), f"move {REGIMENT}")
    assert refused(g, "turn_over 0,1").rule == "4.8.2"
    play(g, "to 0,1", "turn_over 0,1", "convert_alarm 0,1 42K", "to 0,2")
    assert not g.on_map(u(g, "Alarm1"))
    assert g.rp("42K", False) == 1
    assert g.place[u(g, REGIMENT)] == h(g, "0,2")


@pytest.mark.rule("korsun44", "8.6.4.2")
def test_alarm_units_come_back_at_random_from_the_eliminated() -> None:
    g = position(*(unit(f"Alarm{n}", f"0,{n}") for n in range(5)[1:]))
    g.dice = Dice(3)
    for n in range(1, 5):
        g.alarm[u(g, f"Alarm{n}")] = u(g, f"Alarm{n}") + 1
        g.eliminate(u(g, f"Alarm{n}"), "x")
    assert raise_alarms(g, h(g, "0,0"), 3, "8.6.4") == 3
    raised = g.units(h(g, "0,0"))
    assert len(raised) == 3
    chits = [alarm_chit(g, v) for v in raised]
    assert len(set(chits)) == 3
    assert all(g.status[v] & ALERT for v in raised)


def test_the_log_tells_what_happened() -> None:
    g = start(position(unit(DIVISION, "0,0", steps=4)), MovementPhase(SOVIET))
    play(moving(g), f"break_down {DIVISION} into 2 2 0")
    assert "breaks down into 180a.27A, 180b.27A in 0,0 (4.6)" in told(g)
    assert names(g, g.hexes_of(SOVIET)) == {"0,0"}


# --- what counters are -----------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "4.1a", "4.1b", "4.1c", "4.4b", "4.4.4c")
def test_every_unit_has_one_to_six_steps_with_a_strength_each() -> None:
    f = position().forces
    for v in range(len(f)):
        if f.role[v] in (UNIT, PART):
            assert 1 <= f.full_steps[v] <= 6, f.ids[v]
            ladder = f.strength[v]
            assert len(ladder) == f.full_steps[v] + 1
            assert all(a < b for a, b in pairwise(ladder)), f.ids[v]
            assert f.army[v] or f.corps[v] or f.front[v], f.ids[v]


@pytest.mark.rule("korsun44", "4.4a", "4.4.4e", "4.4.4d")
def test_who_has_a_chit() -> None:
    f = position().forces
    chits = {f.counters[v].size for v in range(len(f)) if f.counters[v].chit and f.side[v] == GERMAN}
    assert chits <= {"regiment", "regiment_group", "division_group"}
    soviet = {f.counters[v].size for v in range(len(f)) if f.counters[v].chit and f.side[v] == SOVIET}
    assert soviet == {"division", "brigade", "battalion"}
    big = [v for v in range(len(f)) if f.role[v] == UNIT and f.full_steps[v] > 2 and not f.counters[v].chit]
    assert all(f.armor[v] and f.side[v] == GERMAN for v in big)  # these have a second counter (4.9)


@pytest.mark.rule("korsun44", "4.4c", "4.8.2g")
def test_parentheses_mean_defence_only() -> None:
    g = position(unit("Art188.88ID", "0,0"), unit("Alarm1", "0,1"), unit("Kbr.42K", "0,2"), unit(REGIMENT, "1,0"))
    assert not any(is_attack_capable(g, u(g, n)) for n in ("Art188.88ID", "Alarm1", "Kbr.42K"))
    assert is_attack_capable(g, u(g, REGIMENT))
    shown = {p.id: p.values for p in TITLE.view(g, GERMAN).pieces}
    assert shown["Art188.88ID"].startswith("(3)")
    assert not shown[REGIMENT].startswith("(")


@pytest.mark.rule("korsun44", "4.3.2", "2.8a", "2.8b", "2.8d", "2.8i")
@pytest.mark.parametrize(
    ("name", "infantry", "armor", "artillery", "anti"),
    [
        (REGIMENT, 1, 0, 0, 0),
        ("64.16Pz", 1, 0, 0, 0),
        ("Recon.16Pz", 1, 0, 0, 0),
        ("Pio.16Pz", 1, 0, 0, 0),
        ("Fus.88ID", 1, 0, 0, 0),
        ("11Gcav.5GCC", 1, 0, 0, 0),
        ("II-2.16Pz", 0, 1, 0, 0),
        ("StuG239.42K", 0, 1, 0, 0),
        ("1438.18TkC", 0, 1, 0, 0),
        ("PzJg.16Pz", 0, 1, 0, 0),
        ("Flak.16Pz", 0, 0, 0, 1),
        ("AT1.27A", 0, 0, 0, 1),
        ("Werf54.7K", 0, 0, 1, 0),
        ("gun.27A", 0, 0, 1, 0),
    ],
)
def test_what_the_words_of_the_rules_mean(name: str, infantry: int, armor: int, artillery: int, anti: int) -> None:
    f = position().forces
    v = f.unit(name)
    assert (f.infantry_type[v], f.armor[v], f.artillery[v], f.anti_armor[v]) == (infantry, armor, artillery, anti)


@pytest.mark.rule("korsun44", "2.5.1b")
def test_the_back_of_an_artillery_unit_is_weaker() -> None:
    for c in position().forces.counters:
        if c.obs or c.dbs:
            assert c.back_dbs < max(c.obs, c.dbs), c.id
            assert not c.back_dbs or (c.side == GERMAN and c.size == "regiment" and c.division), c.id


@pytest.mark.rule("korsun44", "2.8j")
def test_motorized_means_all_that_moves_by_vehicle() -> None:
    g = position(*(unit(n, "0,0") for n in ("64.16Pz", "II-2.16Pz", "Flak.16Pz", REGIMENT)))
    assert [is_vehicle(g, u(g, n), TACTICAL) for n in ("64.16Pz", "II-2.16Pz", "Flak.16Pz", REGIMENT)] == [1, 1, 1, 0]


@pytest.mark.rule("korsun44", "2.8k", "2.4f")
def test_a_parent_is_what_can_break_down_or_extend() -> None:
    f = position().forces
    for v in range(len(f)):
        for part in f.parts[v]:
            assert f.parent[part] == v
            assert f.side[part] == f.side[v]
        if f.extension[v] >= 0:
            assert f.side[v] == SOVIET
            assert f.counters[v].size == "division"


@pytest.mark.rule("korsun44", "4.2d", "2.8e", "2.8f", "2.8p")
def test_who_belongs_to_whom() -> None:
    g = position()
    f, known = g.forces, g.charts.game.formations
    for v in range(len(f)):
        if f.role[v] not in (UNIT, PART):
            continue
        if f.side[v] == GERMAN:
            assert f.corps[v] in known.german_korps
            assert f.corps[v] in known.korps_of[f.army[v]]
        else:
            assert f.front[v] in known.fronts
            assert not f.army[v] or f.army[v] in known.soviet_armies


@pytest.mark.rule("korsun44", "4.6.c5", "4.6.p2")
def test_a_recombined_unit_is_supplied_by_the_sdm_of_its_parts() -> None:
    g = position(unit(REGIMENT, "0,0"), unit("SDM1.42K", "3,0"), phase="german_movement")
    g.supplier[u(g, REGIMENT)] = u(g, "SDM1.42K")
    play(moving(g), f"break_down {REGIMENT} into 2 2")
    first = g.forces.parts[u(g, REGIMENT)][0]
    g.supplier[first] = -1
    play(g, f"recombine {REGIMENT}")
    assert g.supplier[u(g, REGIMENT)] == u(g, "SDM1.42K")


@pytest.mark.rule("korsun44", "4.6.p1b")
def test_steps_are_given_out_in_every_way_once() -> None:
    assert shares(3, (2, 2)) == ((2, 1),)
    assert shares(4, (2, 2, 2)) == ((2, 2, 0), (2, 1, 1))
    assert shares(3, (3, 2)) == ((2, 1), (1, 2)), "parts that differ are told apart"


@pytest.mark.rule("korsun44", "13.5.2f")
@pytest.mark.parametrize(
    ("name", "dots"), [("AT1.27A", (0, 1)), ("Flak.16Pz", (0, 2)), ("PzJg.16Pz", (0, 2)), ("II-2.16Pz", (2, 0)),
                       ("245.88ID", (0, 1))],
)  # fmt: skip
def test_a_gun_in_oos2_loses_a_dot_and_infantry_none(name: str, dots: tuple[int, int]) -> None:
    g = position(unit(name, "0,0", status=["OOS2"]))
    assert (white_dots(g, u(g, name)), black_dots(g, u(g, name))) == dots


@pytest.mark.rule("korsun44", "4.5.4b", "9.9.4b")
def test_tanks_that_stay_with_an_extended_division_pay_for_their_way() -> None:
    cavalry, tanks = "11Gcav.5GCC", "11GM4.5GCC"
    g = position(unit(cavalry, "0,0"), unit(tanks, "0,0"), unit("11Gcavx.5GCC", "1,0"), phase="soviet_movement")
    play(moving(g), f"move {cavalry}", "to 0,1")
    assert g.stack[-1].spent == (2 * POINT, 0), "two points for tanks in the open, one for horses"  # type: ignore[attr-defined]


@pytest.mark.parametrize(("hexes", "expected"), [(("0,1",), OOS1), (("0,1", "0,0"), OOS2)])
@pytest.mark.rule("korsun44", "4.5.4b", "13.5.1i")
def test_tanks_that_stay_with_an_extended_division_go_out_of_supply_for_good(
    hexes: tuple[str, ...], expected: int
) -> None:
    cavalry, tanks, marker = "11Gcav.5GCC", "11GM4.5GCC", "11Gcavx.5GCC"
    stack = [unit(name, "0,0", status="OOS1") for name in (cavalry, tanks)]
    g = position(*stack, unit(marker, "1,0", status="OOS1"), phase="soviet_movement")
    play(moving(g), f"move {cavalry}", *(f"to {h}" for h in hexes), "halt")
    assert g.status[u(g, tanks)] & (OOS1 | OOS2) == expected
    assert g.status[u(g, cavalry)] & (OOS1 | OOS2) == OOS1, "horses need no fuel"


@pytest.mark.rule("korsun44", "4.6.c1")
def test_a_regiment_breaks_down_and_is_made_whole_once_in_a_phase() -> None:
    g = moving(position(unit("245.88ID", "0,0"), phase="german_movement"))
    play(g, "break_down 245.88ID into 2 2", "recombine 245.88ID")
    assert refused(g, "break_down 245.88ID into 2 2").reason == "245.88ID broke down in this phase"
    assert not [c for c in choices(g) if c.startswith("break_down")]


@pytest.mark.parametrize("flags", [tuple(STATUS_WORDS.values()), (IP, RAIL_CUT, RAIL_REPAIR, MINES_BUILDING, MINES)])
def test_no_marker_stands_for_another(flags: tuple[int, ...]) -> None:
    assert not [(one, other) for i, one in enumerate(flags) for other in flags[i + 1 :] if one & other]
