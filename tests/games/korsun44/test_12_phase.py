"""12.0, 12.1 The segments of the Combat Phase; 9.12 combat against alarm units."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import pytest

from kessel.core.procedure import PASS, Action, Options, Out, Procedure, ask, asked, into
from kessel.games.korsun44.board import (
    AIR_SPENT,
    ALERT,
    ATTACKED,
    BREAKTHROUGH,
    BROKE_THROUGH,
    DECLARED,
    DEFENDED,
    DISORGANIZED,
    GERMAN,
    RESERVE,
    SOVIET,
    STRUCK,
    SUPPORTED,
    Board,
)
from kessel.games.korsun44.combat.alarm import AlarmCombat
from kessel.games.korsun44.combat.battle import BREAKTHROUGH_SEGMENT, RESERVE_SEGMENT
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.combat.phase import (
    ArmorReaction,
    Breakthrough,
    CombatPhase,
    Declaration,
    Resolution,
    SovietAir,
    end_of_segment,
    why_not_break,
    why_not_react_to,
)
from kessel.games.korsun44.combat.support import is_supported
from kessel.games.korsun44.data.forces import AIR
from kessel.games.korsun44.turn.air import counter_at

from .fights import (
    ART,
    D1,
    D2,
    FUS,
    GUN,
    MECH,
    PIO,
    PZ4,
    PZ5,
    R1,
    R2,
    T1,
    applied,
    asked_verbs,
    declare,
    finish,
    on_map,
    phase,
    supply,
)  # fmt: skip
from .helpers import board, choices, h, play, position, refused, start, told, u, unit


def top(g: Board) -> str:
    return type(g.stack[-1]).__name__


# --- 12.0, 12.1 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.0", "12.1", "12.1.4c", "12.1.5")
def test_the_segments_come_in_order() -> None:
    readings = ("stands", "after_combat", "after_breakthrough", "after_reserves", "reserve_stands")
    names = [s.name for s in CombatPhase.steps if s.name not in readings]
    assert names[:8] == [
        "declaration", "soviet_air", "reaction", "resolution", "breakthrough", "reserve_movement",
        "reserve_declaration", "reserve_combat",
    ]  # fmt: skip
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(T1, "3,0", status=["reserve"]), phase="soviet_combat")
    assert top(g) == "Declaration"
    assert asked(g) == SOVIET
    play(g, "pass")
    assert top(g) == "ReserveMovement"


@pytest.mark.rule("korsun44", "12.1.1.1a", "12.1.1.1b", "12.3b")
def test_all_targets_are_marked_first() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1"), phase="soviet_combat")
    play(g, "attack 0,0")
    assert g.combats[h(g, "0,0")] & DECLARED
    assert refused(g, "attack 0,0").rule == "12.1.1"
    assert choices(g) == ["pass", "attack 2,-1"]
    play(g, "pass")
    assert top(g) == "Resolution"
    assert refused(g, "combat 2,-1").rule == "12.1.3"


@pytest.mark.rule("korsun44", "12.1.1.1c", "4.4.4b")
def test_declaring_tells_nothing_of_enemy_strengths() -> None:
    def seen(steps: int) -> tuple[list[str], str]:
        g = position(unit(D1, "1,0"), unit(R1, "0,0", steps=steps), phase="soviet_combat")
        declare(g, "0,0")
        play(g, "combat 0,0", "from 1,0")
        return choices(g), told(g)

    assert seen(4) == seen(2)


@pytest.mark.rule("korsun44", "12.1.3")
def test_combats_are_resolved_one_by_one_in_any_order() -> None:
    g = position(unit(D1, "1,0"), unit(D2, "-1,0"), unit(R1, "2,-1"), unit(R2, "-2,0"), phase="soviet_combat")
    declare(g, "2,-1", "-2,0")
    assert set(choices(g)) == {"combat 2,-1", "combat -2,0"}
    play(g, "combat -2,0", "from -1,0", "engage", dice=(3, 5))
    finish(g)
    assert choices(g) == ["combat 2,-1"]
    assert g.status[u(g, D2)] & ATTACKED
    assert not g.combats[h(g, "-2,0")] & DECLARED


@pytest.mark.rule("korsun44", "12.1.3", "12.1.3.E")
def test_a_combat_nobody_can_fight_any_more_is_off() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1"), phase="soviet_combat")
    declare(g, "0,0", "2,-1")
    play(g, "combat 0,0", "from 1,0", "engage", dice=(1, 1))
    finish(g)
    assert not any(isinstance(p, Resolution) for p in g.stack)
    assert not any(g.combats)


# --- aircraft ------------------------------------------------------------------------------------------------------


def flying(phasing: int) -> Board:
    """Both Fronts beside a German hex, or a Soviet hex of the first Front attacked."""
    if phasing == SOVIET:
        g = position(unit(D1, "1,0"), unit(R1, "0,0"))
    else:
        g = position(unit(R1, "1,0"), unit(D1, "0,0"))
    g.set_track("air_1Uk", 1)
    g.set_track("air_2Uk", 3)
    g.set_track("air_german", 2)
    return g


@pytest.mark.rule("korsun44", "12.1.1.2", "6.2b", "6.2.c3a", "6.2.c4", "6.2.c1")
@pytest.mark.parametrize("phasing", [SOVIET, GERMAN])
def test_the_soviets_send_aircraft_after_declaration(phasing: int) -> None:
    g = phase(flying(phasing), phasing)
    play(g, "attack 0,0")
    assert isinstance(g.stack[-1], SovietAir)
    assert asked(g) == SOVIET
    assert choices(g) == ["pass", "fly 0,0 for 1Uk"]
    assert refused(g, "fly 0,0 for 2Uk").rule == "6.2"
    play(g, "fly 0,0 for 1Uk", dice=(4,))
    assert g.track("air_1Uk") == 0
    assert counter_at(g, SOVIET, h(g, "0,0")) >= 0
    assert not isinstance(g.stack[-1], SovietAir)


@pytest.mark.rule("korsun44", "12.1.3.A1n", "12.1.3.A2", "12.4b")
def test_aircraft_for_an_unsupported_attack_are_lost() -> None:
    g = phase(flying(SOVIET), SOVIET)
    play(g, "attack 0,0", "fly 0,0 for 1Uk", dice=(4,))
    play(g, "combat 0,0", "from 1,0", "engage")
    assert "the air support is lost" in told(g)
    assert choices(g) == ["pass", "air_support"]
    assert asked(g) == GERMAN
    play(g, "pass", dice=(1, 1))
    assert "Soviet aircraft" not in str(g.events)
    finish(g)
    assert sum(g.air[c] == AIR_SPENT for c in g.forces.of_role[SOVIET][AIR]) == 1


@pytest.mark.rule("korsun44", "12.1.3.A2", "12.1.3.C2", "6.2c", "6.2d", "6.2.c3b")
def test_german_aircraft_shift_left_in_defence_and_need_support_in_attack() -> None:
    g = phase(flying(SOVIET), SOVIET)
    play(g, "attack 0,0", "pass", "combat 0,0", "from 1,0", "engage")
    play(g, "air_support", dice=(2, 6, 6))
    drawn = next(c for c in g.forces.of_role[GERMAN][AIR] if g.air[c] in (AIR_SPENT, h(g, "0,0") + 1))
    assert f"German aircraft {-g.forces.counters[drawn].dcas}" in str(g.events)
    assert g.track("air_german") == 1
    g = phase(flying(GERMAN), GERMAN)
    play(g, "attack 0,0", "pass", "combat 0,0", "from 1,0")
    combat = g.stack[-1]
    assert isinstance(combat, Combat)
    why = combat.why_not_german_air(g)
    assert why is not None
    assert why.rule == "12.4"


@pytest.mark.rule("korsun44", "12.1.3.C2", "6.2d")
def test_soviet_aircraft_shift_right_in_a_supported_attack() -> None:
    g = phase(flying(SOVIET), SOVIET)
    supply(g, "SDM1.27A", 1, D1)
    play(g, "attack 0,0", "fly 0,0 for 1Uk", dice=(4,))
    play(g, "combat 0,0", "from 1,0", "engage", "support 27A by SDM1.27A", "pass", dice=(6, 6))
    drawn = next(c for c in g.forces.of_role[SOVIET][AIR] if g.air[c])
    assert f"Soviet aircraft {g.forces.counters[drawn].ocas}" in str(g.events)


@pytest.mark.rule("korsun44", "12.1.3.A1", "12.1.3.A2", "12.1.3.A3", "12.1.3.A4", "12.1.3.A5", "12.1.3.A6", "12.10.2.1")
def test_declarations_come_in_the_books_order() -> None:
    names = [s.name for s in Combat.steps]
    wanted = ["gather", "support", "soviet_air", "german_air", "fire", "answer", "engineers", "stand", "odds"]
    assert [n for n in names if n in wanted] == wanted
    after = ["odds", "armor_defender", "armor_attacker", "attacker_steps", "defender_steps", "disorganization",
             "breakdown", "defender_retreats", "attacker_advances"]  # fmt: skip
    assert [n for n in names if n in after] == after


# --- 12.1.2 armor reaction -----------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.1.2a", "12.1.2b", "12.1.2c")
def test_german_armor_reacts_by_one_hex() -> None:
    g = position(unit(D1, "1,0"), unit(MECH, "0,0"), unit(PZ4, "-1,0"), unit(PZ5, "0,1"), phase="soviet_combat")
    play(g, "attack 0,0", "pass")
    assert isinstance(g.stack[-1], ArmorReaction)
    assert asked(g) == GERMAN
    assert f"react {PZ4} 0,0" in choices(g)
    assert refused(g, f"react {PZ5} 0,0").rule == "12.1.2"  # next to the Soviets
    assert refused(g, f"react {MECH} -1,0").rule == "12.1.2"
    assert refused(g, f"react {PZ4} 1,0").rule == "12.1.2"
    play(g, f"react {PZ4} 0,0")
    assert on_map(g, PZ4) == "0,0"
    assert "react" not in asked_verbs(g)


@pytest.mark.rule("korsun44", "12.1.2b", "12.1.2c")
def test_a_reaction_enters_zones_but_obeys_terrain_and_stacking() -> None:
    g = position(unit(D1, "1,0"), unit(PZ4, "-1,0"), on=board(terrain={"0,0": "forest"}))
    why = why_not_react_to(g, u(g, PZ4), h(g, "0,0"))
    assert why is not None
    g = position(unit(D1, "1,0"), unit(PZ4, "-1,1"))
    assert why_not_react_to(g, u(g, PZ4), h(g, "0,1")) is None  # a Soviet ZOC
    g = position(unit(D1, "1,0"), unit(PZ4, "-1,0"), *(unit(x, "0,0") for x in (R1, FUS, PIO)))
    why = why_not_react_to(g, u(g, PZ4), h(g, "0,0"))
    assert why is not None
    assert why.rule == "11.0"


@pytest.mark.rule("korsun44", "12.1.2d", "12.17.2.10")
def test_no_reaction_under_a_barrage_or_in_disorder() -> None:
    g = position(unit(D1, "3,0"), unit(PZ4, "-1,0"))
    assert why_not_react_to(g, u(g, PZ4), h(g, "0,0")) is None
    for at in ("0,0", "-1,0"):
        g.barrage_at[0], g.barrage_shift[0] = h(g, at), 3
        why = why_not_react_to(g, u(g, PZ4), h(g, "0,0"))
        assert why is not None
        assert why.rule == "12.1.2"
    g.barrage_at[0] = -1
    g.set_status(u(g, PZ4), DISORGANIZED)
    why = why_not_react_to(g, u(g, PZ4), h(g, "0,0"))
    assert why is not None
    assert why.rule == "12.17.2"


@pytest.mark.rule("korsun44", "12.1.2a")
def test_armor_reacts_where_no_combat_is_declared_too() -> None:
    g = position(unit(D1, "3,0"), unit(PZ4, "-1,0"), phase="soviet_combat")
    assert isinstance(g.stack[-1], ArmorReaction)
    play(g, f"react {PZ4} 0,0")
    assert on_map(g, PZ4) == "0,0"


@pytest.mark.rule("korsun44", "12.1.2a")
def test_there_is_no_reaction_in_the_german_phase() -> None:
    g = position(unit(R1, "1,0"), unit(PZ4, "3,0"), unit(D1, "0,0"), phase="german_combat")
    play(g, "attack 0,0")
    assert top(g) == "Resolution"


# --- 12.1.4 breakthrough -------------------------------------------------------------------------------------------


def broken_through(**more: object) -> Board:
    """Two German units with markers in the hex they took, Soviets on both sides."""
    g = position(
        unit(PZ4, "0,0", status=["breakthrough", "attacked"]), unit(MECH, "0,0", status=["breakthrough", "attacked"]),
        unit(D1, "-1,0"), unit(D2, "1,-1"), **more,
    )  # type: ignore[arg-type]  # fmt: skip
    g.set_track("phasing", GERMAN)
    return start(g, Breakthrough(GERMAN))


@pytest.mark.rule("korsun44", "12.1.4a", "12.1.4.A1", "12.1.4.A3", "12.1.4.B6")
def test_marked_units_move_a_hex_or_fight() -> None:
    g = broken_through()
    assert {"break", "attack", "pass"} == asked_verbs(g)
    play(g, f"break {PZ4} 0,1")
    assert on_map(g, PZ4) == "0,1"
    assert not g.status[u(g, PZ4)] & BREAKTHROUGH
    assert g.status[u(g, PZ4)] & BROKE_THROUGH
    assert not any(x.startswith(f"break {PZ4}") for x in choices(g))
    assert f"break {MECH} -1,1" in choices(g)  # from ZOC to ZOC
    play(g, "attack -1,0")
    assert choices(g) == [f"with {MECH}"]


@pytest.mark.rule("korsun44", "12.1.4.A2")
def test_a_breakthrough_move_obeys_terrain_stacking_and_rivers() -> None:
    on = board(terrain={"0,1": "forest"}, sides={"0,0|-1,1": "river"}, roads=[("primary", "0,0 -1,1")])
    g = broken_through(on=on)
    why = why_not_break(g, u(g, PZ4), h(g, "0,1"))
    assert why is not None
    why = why_not_break(g, u(g, PZ4), h(g, "-1,1"))
    assert why is not None
    assert why.rule == "12.1.4"
    g = broken_through()
    for x, at in ((R1, "0,1"), (R2, "0,1"), (FUS, "0,1")):
        g.steps[u(g, x)] = 2
        g.put(u(g, x), h(g, at))
    assert refused(g, f"break {PZ4} 0,1").rule == "11.0"


@pytest.mark.rule("korsun44", "12.1.4.B1", "12.3.3b", "12.1.4.B3", "12.1.4.B4a", "12.1.4.B5")
def test_marked_units_attack_together_or_apart() -> None:
    g = broken_through()
    g.set_status(u(g, PZ4), SUPPORTED)
    supply(g, "SDM.16Pz", 3, PZ4, MECH)
    g.put(u(g, ART), h(g, "2,1"))
    g.steps[u(g, ART)] = 1
    g.set_track("air_german", 3)
    play(g, "attack -1,0", f"with {PZ4}")
    assert refused(g, "from 0,0").rule == "12.1.4"
    assert "attacks already" in refused(g, f"with {PZ4}").reason
    combat = g.stack[-1]
    assert isinstance(combat, Combat)
    b = combat.battle()
    assert b.segment == BREAKTHROUGH_SEGMENT
    assert is_supported(g, b, u(g, PZ4))
    assert not is_supported(g, b, u(g, MECH))
    play(g, "engage", dice=(3, 4))  # no points, aircraft, guns or engineers are asked about
    finish(g)
    assert g.sdm_sp[u(g, "SDM.16Pz")] == 3
    assert not g.status[u(g, PZ4)] & BREAKTHROUGH
    assert g.status[u(g, MECH)] & BREAKTHROUGH
    assert refused(g, "attack -1,0").rule == "12.3.3"


@pytest.mark.rule("korsun44", "12.1.4.B5", "12.1.6.4", "9.12.c1b")
@pytest.mark.parametrize("segment", [BREAKTHROUGH_SEGMENT, RESERVE_SEGMENT])
def test_later_combats_give_no_marker(segment: int) -> None:
    g = position(unit(PZ4, "1,0"), unit("54FAa.27A", "0,0"))
    applied(g, "-/R>", PZ4, segment=segment)
    play(g, choices(g)[0], f"advance {PZ4} 0,0")
    assert not g.status[u(g, PZ4)] & BREAKTHROUGH


@pytest.mark.rule("korsun44", "12.1.4.B3", "12.4a")
def test_a_supported_attack_is_remembered() -> None:
    g = position(unit(PZ4, "1,0"), unit(R1, "0,1"), unit(D1, "0,0"))
    applied(g, "-/-", PZ4, R1)
    assert [bool(g.status[u(g, x)] & SUPPORTED) for x in (PZ4, R1)] == [True, True]


@pytest.mark.rule("korsun44", "12.6b", "12.3.3c")
def test_who_was_attacked_is_remembered_for_later_segments() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), phase="soviet_combat")
    declare(g, "0,0")
    play(g, "combat 0,0", "from 1,0", "engage", dice=(1, 2))
    finish(g)
    end_of_segment(g)
    assert not g.status[u(g, R1)] & DEFENDED
    g = position(unit(R1, "0,0"))
    g.set_status(u(g, R1), DEFENDED)
    end_of_segment(g)
    assert g.status[u(g, R1)] & (DEFENDED | STRUCK) == STRUCK


# --- 12.1.6 reserve ------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.1.6a", "12.1.6b", "12.1.6.1", "12.1.6.3a", "12.1.6.5", "12.1.5")
def test_reserves_fight_after_they_moved() -> None:
    g = position(
        unit(T1, "3,0", status=["reserve"]), unit(D1, "0,1"), unit(R1, "0,0"), unit(GUN, "4,0"), phase="soviet_combat"
    )  # fmt: skip
    supply(g, "SDM.5GTkC", 1, T1)
    play(g, "pass")
    play(g, f"move {T1}", "to 1,0")
    while not isinstance(g.stack[-1], Declaration):
        play(g, "halt" if "halt" in choices(g) else "pass")
    assert choices(g) == ["pass", "attack 0,0"]
    play(g, "attack 0,0", "combat 0,0")
    assert choices(g) == ["from 1,0"]
    assert refused(g, "from 0,1").rule == "12.1.6"
    play(g, "from 1,0", "engage")
    assert choices(g) == ["pass", "support 5GTkC by SDM.5GTkC"]
    play(g, "support 5GTkC by SDM.5GTkC", dice=(1, 1))
    assert "10 to 10" in told(g)
    while g.stack:
        play(g, "pass" if "pass" in choices(g) else choices(g)[0])
    assert not any(s & RESERVE for s in g.status)


# --- 9.12 alarm units ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Caller(Procedure):
    """Takes what an attack on an alarm unit hands over."""

    goes: bool = False
    taken = into("goes", AlarmCombat)

    @ask("goes", "9.12")
    def wait(self, g: Board) -> Generator[Options, Action, Out]:
        """Wait."""
        yield Options((), PASS)
        return None


@pytest.mark.rule("korsun44", "9.12.2b", "9.12.2c", "9.12.c1a", "4.8.2e", "4.8.2f")
def test_an_alarm_unit_is_attacked_free_and_supported() -> None:
    g = position(unit(D1, "1,0"), unit("Alarm17", "0,0", status=["alarm"]), unit(ART, "-1,0"), unit(GUN, "2,0"))
    g.set_track("air_german", 3)
    start(g, _Caller(), AlarmCombat(SOVIET, (u(g, D1),), h(g, "0,0")), dice=(3, 4))
    assert "20 to 4" in told(g)
    assert not g.status[u(g, "Alarm17")] & ALERT
    assert g.track("air_german") == 3


@pytest.mark.rule("korsun44", "9.12.2e", "9.12.2d")
@pytest.mark.parametrize(("dice", "goes"), [((6, 6), True), ((1, 1), False)])
def test_the_movers_go_on_unless_they_were_hurt(dice: tuple[int, int], goes: bool) -> None:
    g = position(unit(D1, "1,0", steps=2), unit("Alarm1", "0,0"))  # 8:1 with the bonus of a division
    caller = _Caller()
    start(g, caller, AlarmCombat(SOVIET, (u(g, D1),), h(g, "0,0")), dice=dice)
    while len(g.stack) > 1:
        play(g, choices(g)[0])
    assert caller.goes == goes
    assert on_map(g, D1) == "1,0"


@pytest.mark.rule("korsun44", "9.12.2c")
def test_neighbours_join_in_by_a_switch() -> None:
    g = position(
        unit(D1, "1,0"), unit(D2, "0,1"), unit("Alarm17", "0,0"), options={"alarm_helpers": "neighbours"}
    )  # fmt: skip
    start(g, _Caller(), AlarmCombat(SOVIET, (u(g, D1),), h(g, "0,0")), dice=(3, 4))
    assert "40 to 4" in told(g)


@pytest.mark.rule("korsun44", "12.1.4a", "4.5.4b", "4.5.5b")
def test_shermans_break_through_with_their_brigade_or_not_at_all() -> None:
    """A mechanized brigade beside its tanks is marked and goes with them; a cavalry division is not, and keeps its."""
    for whole, tanks, may in (("2mech.5MC", "2M4.5MC", True), ("11Gcav.5GCC", "11GM4.5GCC", False)):
        marked = [unit(whole, "0,0", status=["breakthrough"] * may), unit(tanks, "0,0", status=["breakthrough"])]
        g = position(*marked, unit("245.88ID", "4,0"))
        start(g, Breakthrough(SOVIET))
        assert any(c.startswith(f"break {tanks}") for c in choices(g)) == may
        if may:
            play(g, f"break {tanks} 1,0")
            assert {g.place[u(g, x)] for x in (whole, tanks)} == {h(g, "1,0")}
        else:
            assert not g.stack or refused(g, f"break {tanks} 1,0").rule == "4.5.4"
