"""12.7-12.10 Column shifts: combined arms, armor superiority, hilltops, engineers, divisions, artillery, barrages."""

from __future__ import annotations

import pytest

from kessel.games.korsun44.board import (
    BACK,
    DECLARED,
    DESTROYED,
    DISORGANIZED,
    FACING,
    FOUGHT,
    GERMAN,
    MINES,
    MINES_BUILDING,
    NO_FIRE_1,
    OOS1,
    OOS2,
    OUT_OF_AMMO,
    REGROUP,
    SOVIET,
    Board,
)
from kessel.games.korsun44.combat.artillery import (
    artillery_roll,
    artillery_shift,
    barrage_strength,
    flip,
    guns,
    serves,
    why_not_fire,
)
from kessel.games.korsun44.combat.battle import BREAKTHROUGH_SEGMENT, COMBAT_SEGMENT, RESERVE_SEGMENT
from kessel.games.korsun44.combat.shifts import (
    barrage,
    combined_arms,
    divisions,
    engineer,
    hilltop,
    mines,
    oos2,
    standing_shifts,
    superiority,
    why_not_engineer,
)

from .fights import (
    ART,
    ASSAULT,
    D1,
    D2,
    D3,
    FLAK,
    GUN,
    HOW,
    KGUN,
    MARDER,
    MECH,
    MOT,
    MOTOR,
    PIO,
    PZ4,
    PZ5,
    R1,
    R2,
    ROCKET,
    SU,
    T1,
    T2,
    battle,
    declare,
    phase,
)  # fmt: skip
from .helpers import board, choices, h, play, position, told, u, unit

# --- 12.7 combined arms --------------------------------------------------------------------------------------------


def arms(g: Board, *attackers: str, **more: object) -> int:
    return combined_arms(g, battle(g, *attackers, **more)).total  # type: ignore[arg-type]


@pytest.mark.rule("korsun44", "12.7a", "12.7c", "12.1.3.C4")
def test_german_armor_and_infantry_together() -> None:
    g = position(unit(PZ4, "1,0"), unit(MECH, "1,0"), unit(D1, "0,0"))
    assert arms(g, PZ4, MECH) == 1
    g = position(unit(PZ4, "1,0"), unit(MECH, "0,1"), unit(D1, "0,0"))
    assert arms(g, PZ4, MECH) == 0
    g = position(unit(PZ4, "1,0"), unit("Pio.42K", "1,0"), unit(D1, "0,0"))
    assert arms(g, PZ4) == 0


@pytest.mark.rule("korsun44", "12.7b", "4.5.3c")
def test_soviet_star_brigades_alone_give_it() -> None:
    g = position(unit(T1, "1,0"), unit(R1, "0,0"))
    assert arms(g, T1) == 1
    g = position(unit(SU, "1,0"), unit(D1, "1,0"), unit(R1, "0,0"))
    assert arms(g, SU, D1) == 0
    g = position(unit("1667.5GTkC", "1,0"), unit(MOTOR, "1,0"), unit(R1, "0,0"))
    assert arms(g, "1667.5GTkC", MOTOR) == 0


@pytest.mark.rule("korsun44", "12.7c", "12.7.3")
def test_two_shifts_at_most() -> None:
    where = {T1: "1,0", T2: "0,1", "22G.5GTkC": "-1,0"}
    g = position(*(unit(x, at) for x, at in where.items()), unit(R1, "0,0"))
    assert arms(g, *where) == 2


@pytest.mark.rule("korsun44", "12.7d", "12.7.3")
def test_each_defending_hex_gives_one_left() -> None:
    g = position(unit(D1, "1,0"), unit(PZ4, "0,0"), unit(MECH, "0,0"), unit(PZ5, "1,-1"), unit(MOT, "1,-1"))
    assert arms(g, D1) == -1
    assert arms(g, D1, on=("0,0", "1,-1")) == -2


@pytest.mark.rule("korsun44", "12.7.1", "12.17.2.4", "12.17.3a")
def test_cadres_and_disordered_units_do_not_count() -> None:
    g = position(unit(PZ4, "1,0"), unit(MECH, "1,0", steps=1), unit(D1, "0,0"))
    assert arms(g, PZ4, MECH) == 0
    g = position(unit(T1, "1,0", steps=1), unit(R1, "0,0"))
    assert arms(g, T1) == 0
    for flag in (DISORGANIZED, REGROUP):
        g = position(unit(T1, "1,0"), unit(R1, "0,0"))
        g.set_status(u(g, T1), flag)
        assert arms(g, T1) == 0


@pytest.mark.rule("korsun44", "12.7.2", "4.8.2h")
def test_anti_armor_and_alarm_units_neither_give_nor_spoil() -> None:
    g = position(unit(FLAK, "1,0"), unit(MECH, "1,0"), unit(D1, "0,0"))
    assert arms(g, FLAK, MECH) == 0
    g = position(unit(FLAK, "1,0"), unit(MECH, "1,0"), unit(PZ4, "1,0"), unit(D1, "0,0"))
    assert arms(g, FLAK, MECH, PZ4) == 1
    g = position(unit("Alarm1", "0,0"), unit(PZ4, "0,0"), unit(D1, "1,0"))
    assert arms(g, D1) == 0


@pytest.mark.rule("korsun44", "12.7a")
def test_a_marder_is_armor_or_not() -> None:
    units = unit(MARDER, "1,0"), unit(MECH, "1,0"), unit(D1, "0,0")
    assert arms(position(*units), MARDER, MECH) == 1
    assert arms(position(*units, options={"marder_arms": "not_armor"}), MARDER, MECH) == 0


@pytest.mark.rule("korsun44", "12.7.3", "12.7.4", "12.7.5", "12.7.6")
@pytest.mark.parametrize(
    ("word", "attack", "defence"), [("clear", 2, -1), ("woods", 2, -1), ("town", 1, -1), ("forest", 0, 0)]
)
def test_terrain_caps_combined_arms(word: str, attack: int, defence: int) -> None:
    on = board(terrain={"0,0": word})
    g = position(unit(T1, "1,0"), unit(T2, "0,1"), unit(R1, "0,0"), on=on)
    assert arms(g, T1, T2) == attack
    g = position(unit(R1, "1,0"), unit(T1, "0,0"), unit(T2, "0,0"), on=on)
    assert arms(g, R1) == defence


@pytest.mark.rule("korsun44", "12.7.5", "12.5.2.br", "12.8.1b")
@pytest.mark.parametrize("side", ["river", "swamp"])
def test_rivers_and_swamps_need_a_bridge(side: str) -> None:
    units = unit(T1, "1,0"), unit(R1, "0,0")
    g = position(*units, on=board(sides={"1,0|0,0": side}))
    assert arms(g, T1) == 0
    assert superiority(g, battle(g, T1)).total == 0
    g = position(*units, on=board(sides={"1,0|0,0": side}, roads=[("primary", "1,0 0,0")]))
    assert arms(g, T1) == 1
    assert superiority(g, battle(g, T1)).total == 2
    if side == "river":
        g.set_bridge(g.bridge_of(g.map.grid.hexside(h(g, "1,0"), h(g, "0,0")))[0], DESTROYED)
        assert arms(g, T1) == 0
    else:
        on = board(sides={"1,0|0,0": side}, roads=[("primary", "1,0 0,0")])
        assert arms(position(*units, on=on, options={"swamp_bridge": "none"}), T1) == 0


@pytest.mark.rule("korsun44", "12.7.5", "12.7d")
def test_a_river_does_not_keep_the_defender_from_combined_arms() -> None:
    g = position(unit(R1, "1,0"), unit(T1, "0,0"), on=board(sides={"1,0|0,0": "river"}))
    assert arms(g, R1) == -1


# --- 12.8 armor superiority ----------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.8a", "12.8.p1", "12.8.p4a", "12.8.p4b", "12.8.p4c", "12.8.p5", "12.8.p6", "12.1.3.C5")
@pytest.mark.example("korsun44", "E22")
@pytest.mark.parametrize(
    ("attacker", "defender", "shift"),
    [
        (PZ4, T1, 1),  # 3 against 2
        (PZ4, SU, 2),  # 3 against 1
        (PZ5, SU, 2),  # 4 against 1
        (PZ5, D1, 2),  # 4 against none
        ("503.Bake", D1, 3),  # 5 against none
        (T1, PZ4, -1),
        (T1, "503.Bake", -1),
        (PZ4, "1462.5GTkC", 0),  # 3 against 3
        (R1, D1, 0),
    ],
)
def test_armor_superiority(attacker: str, defender: str, shift: int) -> None:
    g = position(unit(attacker, "1,0"), unit(defender, "0,0"))
    assert superiority(g, battle(g, attacker)).total == shift


@pytest.mark.rule("korsun44", "12.8.p4b")
def test_the_body_of_the_text_gives_one_column() -> None:
    g = position(unit(PZ4, "1,0"), unit(SU, "0,0"), options={"superiority_table": "body"})
    assert superiority(g, battle(g, PZ4)).total == 1


@pytest.mark.rule("korsun44", "12.8a")
def test_black_dots_do_not_count() -> None:
    g = position(unit(T1, "1,0"), unit(FLAK, "0,0"), unit(MARDER, "0,0"))
    assert superiority(g, battle(g, T1)).total == 2


@pytest.mark.rule("korsun44", "12.8.1a")
@pytest.mark.parametrize("word", ["town", "forest"])
def test_there_is_no_superiority_in_towns_and_forests(word: str) -> None:
    on = board(terrain={"0,0": word})
    g = position(unit(T1, "1,0"), unit(R1, "0,0"), on=on)
    assert superiority(g, battle(g, T1)).total == 0
    g = position(unit(D1, "1,0"), unit(PZ4, "0,0"), on=on)
    assert superiority(g, battle(g, D1)).total == 0


@pytest.mark.rule("korsun44", "12.8.1b")
def test_behind_a_river_the_defender_may_have_it() -> None:
    units, on = (unit(T1, "1,0"), unit(PZ4, "0,0")), board(sides={"1,0|0,0": "river"})
    g = position(*units, on=on)
    assert superiority(g, battle(g, T1)).total == -1
    g = position(*units, on=on, options={"river_superiority": "nobody"})
    assert superiority(g, battle(g, T1)).total == 0


@pytest.mark.rule("korsun44", "13.5.2f", "12.8.p1")
def test_a_unit_in_oos2_has_a_dot_less() -> None:
    g = position(unit(PZ4, "1,0", status=["OOS2"]), unit(T1, "0,0"))
    assert superiority(g, battle(g, PZ4)).total == 0


# --- hilltops ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.5.2.hi-a", "12.5.2.hi-d", "12.5.2.hi-both", "12.5.2.hi-max", "12.1.3.C6")
@pytest.mark.parametrize(
    ("hills", "shift"), [([], 0), (["1,0"], 1), (["0,0"], -1), (["1,0", "0,0"], 0), (["1,0", "0,1"], 1)]
)
def test_hilltops(hills: list[str], shift: int) -> None:
    on = board(features={x: ["hilltop"] for x in hills})
    g = position(unit(D1, "1,0"), unit(D2, "0,1"), unit(R1, "0,0"), on=on)
    assert hilltop(g, battle(g, D1, D2)).total == shift


@pytest.mark.rule("korsun44", "12.5.2.hi-a", "12.5.2.hi-d")
def test_all_attackers_must_be_on_hilltops_with_the_other_reading() -> None:
    units = unit(D1, "1,0"), unit(D2, "0,1"), unit(R1, "0,0")
    on = board(features={"1,0": ["hilltop"]})
    g = position(*units, on=on, options={"hilltops": "all_attackers"})
    assert hilltop(g, battle(g, D1, D2)).total == 0


@pytest.mark.rule("korsun44", "12.5.2.hi-art", "12.5.2.hi-self")
def test_a_gun_on_an_adjacent_hilltop_gives_one_more_left() -> None:
    on = board(features={"-1,0": ["hilltop"], "0,0": ["hilltop"], "-2,0": ["hilltop"]})
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(ART, "-1,0"), on=on)
    assert hilltop(g, battle(g, D1, gun=u(g, ART), gun_points=2)).total == -2
    for mark in (DECLARED, FOUGHT):
        g.mark_combat(h(g, "-1,0"), mark)
        assert hilltop(g, battle(g, D1, gun=u(g, ART), gun_points=2)).total == -1
        g.mark_combat(h(g, "-1,0"), mark, on=False)
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(ART, "-2,0"), on=on)
    assert hilltop(g, battle(g, D1, gun=u(g, ART), gun_points=2)).total == -1
    units = unit(D1, "1,0"), unit(R1, "0,0"), unit(ART, "0,0")
    g = position(*units, on=on)
    assert hilltop(g, battle(g, D1, gun=u(g, ART))).total == -1
    g = position(*units, on=on, options={"gun_hill": "second"})
    assert hilltop(g, battle(g, D1, gun=u(g, ART))).total == -2


# --- 12.9 ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.9.1.1", "12.9.1.2", "12.1.3.A5", "12.1.3.C7", "12.12.3.a")
def test_a_declared_assault_engineer_gives_one_right() -> None:
    g = position(unit(PIO, "1,0"), unit(R1, "1,0"), unit(D1, "0,0"))
    assert engineer(g, battle(g, PIO, R1)).total == 0
    b = battle(g, PIO, R1, engineer=u(g, PIO))
    assert engineer(g, b).total == 1
    why = why_not_engineer(g, b, u(g, PIO))
    assert why is not None
    assert why.rule == "12.9.1"


@pytest.mark.rule("korsun44", "12.9.1.3")
@pytest.mark.parametrize(("division", "may"), [("88ID", True), ("", False)])
def test_an_assault_engineer_without_a_division_leads_nobody(division: str, may: bool) -> None:
    storm = unit("Storm", "1,0", side="german", type="assault_engineer", faces="5 3", corps="42K", division=division,
                 engineer="assault")  # fmt: skip
    g = position(storm, unit("StuG239.42K" if not division else R1, "1,0"), unit(D1, "0,0"))
    b = battle(g, "Storm", "StuG239.42K" if not division else R1)
    assert (why_not_engineer(g, b, u(g, "Storm")) is None) == may


@pytest.mark.rule("korsun44", "12.9.1.3", "12.4b", "12.17.2.3")
def test_who_may_be_an_assault_engineer() -> None:
    def rule(*units: dict[str, object], who: str = PIO, **more: object) -> str | None:
        g = position(*units, unit(D1 if who == PIO else R2, "0,0"))
        mine = [str(x["id"]) for x in units if x["id"] in (PIO, R1, PZ4, ASSAULT, D2, T1)]
        why = why_not_engineer(g, battle(g, *mine, **more), u(g, who))  # type: ignore[arg-type]
        return None if why is None else why.rule

    assert rule(unit(PIO, "1,0"), unit(R1, "1,0")) is None
    assert rule(unit(PIO, "1,0"), unit(R1, "0,1")) == "12.9.1"
    assert rule(unit(PIO, "1,0"), unit(PZ4, "1,0")) == "12.9.1"  # another division
    assert rule(unit(PIO, "1,0"), unit(R1, "1,0"), paid=()) == "12.4"
    assert rule(unit(PIO, "1,0", status=["disorganized"]), unit(R1, "1,0")) == "12.17.2"
    assert rule(unit(R1, "1,0"), unit(PIO, "1,0"), who=R1) == "12.9.1"
    assert rule(unit(ASSAULT, "1,0"), unit(D2, "1,0"), who=ASSAULT) is None
    assert rule(unit(ASSAULT, "1,0"), unit(T1, "1,0"), who=ASSAULT) == "12.9.1"
    for segment in (BREAKTHROUGH_SEGMENT, RESERVE_SEGMENT):
        assert rule(unit(PIO, "1,0"), unit(R1, "1,0"), segment=segment) == "12.1.4"


@pytest.mark.rule("korsun44", "12.9.2a", "12.1.3.C3")
def test_each_soviet_division_gives_one_right() -> None:
    g = position(unit(D1, "1,0"), unit(D2, "0,1", steps=2), unit(D3, "-1,0", steps=1), unit(R1, "0,0"))
    assert divisions(g, battle(g, D1)).total == 1
    assert divisions(g, battle(g, D1, D2, D3)).total == 2
    units = unit(D1, "1,0"), unit(D2, "0,1"), unit(R1, "0,0")
    g = position(*units, options={"division_shift": "once"})
    assert divisions(g, battle(g, D1, D2)).total == 1
    g = position(unit(R1, "1,0"), unit(D1, "0,0"))
    assert divisions(g, battle(g, R1)).total == 0


@pytest.mark.rule("korsun44", "12.9.2b", "12.9.2c", "12.9.2d", "4.7.2.3", "13.5.1f")
def test_when_a_division_gives_no_bonus() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1"))
    assert divisions(g, battle(g, D1)).total == 0
    for flag in (OOS1, OOS2):
        g = position(unit(D1, "1,0"), unit(R1, "0,0"))
        g.set_status(u(g, D1), flag)
        assert divisions(g, battle(g, D1)).total == 0
    g = position(unit(D1, "1,0"), unit("180x.27A", "0,1"), unit(R1, "0,0"))
    assert divisions(g, battle(g, D1, "180x.27A")).total == 0
    parts = g.forces.parts[u(g, D1)]
    g = position(unit(g.id(parts[0]), "1,0"), unit(R1, "0,0"))
    assert divisions(g, battle(g, g.id(parts[0]))).total == 0


@pytest.mark.rule("korsun44", "12.9.2b")
def test_a_zoc_spared_by_the_cap_still_takes_the_bonus() -> None:
    units, on = (unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1")), board(sides={"1,0|0,0": "stream"})
    g = position(*units, on=on)
    assert divisions(g, battle(g, D1, paid=())).total == 0
    g = position(*units, on=on, options={"capped_zoc": "bonus_kept"})
    assert divisions(g, battle(g, D1, paid=())).total == 1


@pytest.mark.rule("korsun44", "12.1.6.3a", "12.1.6.3b", "12.1.4.B4b")
def test_later_segments_know_no_divisions_but_the_other_shifts() -> None:
    on = board(features={"1,0": ["hilltop"]})
    g = position(unit(D1, "1,0"), unit(T1, "0,1"), unit(R1, "0,0", status=["OOS2"]), on=on)
    for segment, total in ((COMBAT_SEGMENT, 7), (BREAKTHROUGH_SEGMENT, 6), (RESERVE_SEGMENT, 6)):
        assert standing_shifts(g, battle(g, D1, T1, segment=segment)).total == total


@pytest.mark.rule("korsun44", "12.1.3.C8", "13.5.2b", "13.5.2c", "13.5.2d", "13.5.2e")
@pytest.mark.parametrize(
    ("attackers", "defenders", "shift"), [(2, 0, -2), (1, 0, -1), (0, 2, 2), (0, 1, 1), (1, 2, 1), (0, 0, 0)]
)
def test_units_in_oos2_shift_against_themselves(attackers: int, defenders: int, shift: int) -> None:
    out = ["OOS2"]
    g = position(
        unit(D1, "1,0", status=out if attackers else []), unit(D2, "0,1", status=out if attackers > 1 else []),
        unit(R1, "0,0", status=out if defenders else []), unit(R2, "0,0", status=out if defenders > 1 else []),
    )  # fmt: skip
    assert oos2(g, battle(g, D1, D2)).total == shift


# --- minefields ----------------------------------------------------------------------------------------------------


def mined(g: Board, at: str, toward: str) -> None:
    g.works[h(g, at)] = MINES | g.map.grid.direction(h(g, at), h(g, toward)) << FACING
    g.changed()


@pytest.mark.rule("korsun44", "15.3.2.c1", "15.3.2a", "15.3.2b", "12.10.2.4b")
def test_germans_attack_across_a_minefield_one_column_worse() -> None:
    g = position(unit(R1, "1,0"), unit(R2, "-1,0"), unit(D1, "0,0"))
    mined(g, "0,0", "1,0")
    assert mines(g, battle(g, R1)).total == -1
    assert mines(g, battle(g, R2)).total == 0
    assert mines(g, battle(g, R1, R2)).total == -1
    assert artillery_roll(g, battle(g, R1), GERMAN, 3).total == 4
    g.works[h(g, "0,0")] = MINES_BUILDING
    assert mines(g, battle(g, R1)).total == 0
    g = position(unit(R1, "1,0"), unit(R2, "-1,0"), unit(D1, "0,0"), options={"mine_any": "all"})
    mined(g, "0,0", "1,0")
    assert mines(g, battle(g, R1, R2)).total == 0
    g = position(unit(D1, "1,0"), unit(R1, "0,0"))
    mined(g, "0,0", "1,0")
    assert mines(g, battle(g, D1)).total == 0


@pytest.mark.rule("korsun44", "15.3.2.c2a", "15.3.2.c2b")
@pytest.mark.parametrize(("die", "steps"), [(3, 1), (4, 2)])
def test_an_engineer_clears_a_minefield_at_a_risk(die: int, steps: int) -> None:
    from .fights import supply

    g = position(unit(PIO, "1,0"), unit(R1, "1,0"), unit(D1, "0,0"), phase="german_combat")
    mined(g, "0,0", "1,0")
    supply(g, "SDM1.42K", 2, R1, PIO)
    declare(g, "0,0")
    play(g, "combat 0,0", "from 1,0", "engage", "support 42K by SDM1.42K")
    assert choices(g) == ["pass", f"assault {PIO}", f"clear_mines {PIO}"]
    b = g.stack[-1].battle()  # type: ignore[attr-defined]
    assert mines(g, b).total == -1
    play(g, f"clear_mines {PIO}", "pass", dice=(die, 1, 1))
    assert g.steps[u(g, PIO)] <= steps
    assert "minefield -1" not in told(g)


# --- 12.10 artillery -----------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.10a", "12.10.2.1", "12.10.2.2", "12.10.2.3", "12.1.3.A3", "12.10.3")
def test_three_guns_support_an_attack() -> None:
    from .fights import supply

    four = [unit(x, "2,0") for x in (GUN, HOW)], [unit(x, "2,-1") for x in (ROCKET, "mortar.27A")]
    g = position(unit(D1, "1,0"), *four[0], *four[1], unit(R1, "0,0"), phase="soviet_combat")
    supply(g, "SDM1.27A", 2, D1)
    declare(g, "0,0")
    play(g, "combat 0,0", "from 1,0", "engage", "support 27A by SDM1.27A")
    play(g, f"fire {GUN}", f"fire {HOW}", f"fire {ROCKET}", dice=(3, 1, 1))
    assert "artillery of the attacker" in told(g)
    assert all(g.status[u(g, x)] & BACK for x in (GUN, HOW, ROCKET))
    assert not g.status[u(g, "mortar.27A")] & BACK
    assert "supports the attack with 3 points" in told(g)


@pytest.mark.rule("korsun44", "12.10a", "12.10b", "12.1.3.A4")
def test_one_gun_supports_a_defence() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(ART, "-1,0"), unit(KGUN, "-2,0"))
    b = battle(g, D1)
    assert guns(g, b, GERMAN, ()) == [u(g, ART), u(g, KGUN)]
    why = why_not_fire(g, b, u(g, KGUN), GERMAN, 1)
    assert why is not None
    assert why.rule == "12.10"
    assert why_not_fire(g, battle(g, D1), u(g, ART), GERMAN, 0) is None


@pytest.mark.rule("korsun44", "12.10.1a", "12.10.1b")
def test_range_and_the_two_strengths() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(ART, "-4,0"), unit(KGUN, "-5,0"))
    assert why_not_fire(g, battle(g, D1), u(g, ART), GERMAN, 0) is None
    assert [barrage_strength(g, u(g, KGUN), attack) for attack in (True, False)] == [2, 1]
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(ART, "-5,0"))
    why = why_not_fire(g, battle(g, D1), u(g, ART), GERMAN, 0)
    assert why is not None
    assert why.rule == "12.10.1"


@pytest.mark.rule("korsun44", "12.10.4.1", "12.10.4.2", "12.10.4.3", "12.10.6.1", "12.10.6.2")
@pytest.mark.parametrize(
    ("gun", "of", "yes"),
    [
        ("454mortar.5GTkC", T1, True), ("454mortar.5GTkC", "2mech.5MC", False), (GUN, D1, True), (GUN, T1, False),
        ("Art1.4GArt", D1, False), (ART, R1, True), (ART, PZ4, False), (KGUN, R1, True), (KGUN, "Pio.KaB", True),
        (KGUN, PZ4, False),
    ],
)  # fmt: skip
def test_guns_support_their_own(gun: str, of: str, yes: bool) -> None:
    g = position()
    assert serves(g, u(g, gun), u(g, of)) == yes


@pytest.mark.rule("korsun44", "12.10.4.3", "12.10.4.2")
def test_army_guns_serve_corps_of_the_army_and_front_guns_the_front() -> None:
    g = position()
    f = g.forces
    for gun in f.of_side(SOVIET):
        if not f.artillery[gun]:
            continue
        for of in f.of_side(SOVIET):
            if f.corps[gun]:
                assert serves(g, gun, of) == (f.corps[gun] == f.corps[of])
            elif f.army[gun]:
                assert serves(g, gun, of) == (f.army[gun] == f.army[of])
            else:
                assert serves(g, gun, of) == (f.front[gun] == f.front[of])


@pytest.mark.rule("korsun44", "12.10.3", "12.10.5a")
@pytest.mark.example("korsun44", "E14")
@pytest.mark.parametrize("gun", [GUN, KGUN])
@pytest.mark.parametrize("attack", [True, False])
def test_a_gun_fires_once_a_turn(gun: str, attack: bool) -> None:
    enemy, own = (R1, D1) if gun == GUN else (D1, R1)
    g = position(unit(own, "1,0" if attack else "0,0"), unit(enemy, "0,0" if attack else "1,0"), unit(gun, "2,0"))
    b = battle(g, own if attack else enemy)
    side = g.forces.side[u(g, gun)]
    assert why_not_fire(g, b, u(g, gun), side, 0) is None
    flip(g, u(g, gun), attack)
    assert g.status[u(g, gun)] == BACK
    why = why_not_fire(g, b, u(g, gun), side, 0)
    assert why is not None
    assert why.rule in ("12.10.3", "12.10.5")


@pytest.mark.rule("korsun44", "12.10.5b", "12.10.5c", "12.10.5d", "12.10.5e", "12.10.5f")
def test_a_german_regiment_fires_once_in_attack_or_twice_in_defence() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(ART, "-1,0"))
    gun, attack, defence = u(g, ART), battle(g, R1, on=("1,0",)), battle(g, D1)
    assert barrage_strength(g, gun, False) == 2
    flip(g, gun, False)
    assert g.status[gun] == BACK
    assert why_not_fire(g, attack, gun, GERMAN, 0) is not None
    assert why_not_fire(g, defence, gun, GERMAN, 0) is None
    assert barrage_strength(g, gun, False) == 1
    flip(g, gun, False)
    assert g.status[gun] == BACK | OUT_OF_AMMO
    assert why_not_fire(g, defence, gun, GERMAN, 0) is not None
    divisional = [x for x in g.forces.of_side(GERMAN) if g.forces.counters[x].back_dbs]
    assert all(g.forces.division[x] for x in divisional)


@pytest.mark.example("korsun44", "E15")
@pytest.mark.rule("korsun44", "12.10.5c")
def test_offensive_fire_of_a_regiment_takes_all_its_ammunition() -> None:
    g = position(unit(ART, "0,0"))
    flip(g, u(g, ART), True)
    assert g.status[u(g, ART)] == BACK | OUT_OF_AMMO


@pytest.mark.example("korsun44", "E16")
@pytest.mark.rule("korsun44", "12.10.5d", "12.10.5e")
def test_two_defensive_fires() -> None:
    g = position(unit(ART, "0,0"))
    flip(g, u(g, ART), False)
    assert g.status[u(g, ART)] == BACK
    flip(g, u(g, ART), False)
    assert g.status[u(g, ART)] == BACK | OUT_OF_AMMO


@pytest.mark.rule("korsun44", "12.10.2.2")
def test_the_side_that_was_up_counts() -> None:
    g = position(unit(ART, "0,0"), options={"face_up": "after_flip"})
    assert barrage_strength(g, u(g, ART), False) == 1


@pytest.mark.rule("korsun44", "12.17.2.11", "12.17.3a", "9.10.3c", "12.10b")
@pytest.mark.parametrize(("flag", "rule"), [(DISORGANIZED, "12.17.2"), (REGROUP, "12.17.2"), (NO_FIRE_1, "9.10.3")])
def test_who_cannot_fire(flag: int, rule: str) -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(ART, "-1,0"))
    g.set_status(u(g, ART), flag)
    why = why_not_fire(g, battle(g, D1), u(g, ART), GERMAN, 0)
    assert why is not None
    assert why.rule == rule


@pytest.mark.rule("korsun44", "12.4b", "12.1.3.A3")
def test_guns_help_supported_attacks_only() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(GUN, "2,0"))
    assert why_not_fire(g, battle(g, D1), u(g, GUN), SOVIET, 0) is None
    why = why_not_fire(g, battle(g, D1, paid=()), u(g, GUN), SOVIET, 0)
    assert why is not None
    assert why.rule == "12.4"


@pytest.mark.rule("korsun44", "12.10.7.1", "12.10.7.2")
def test_a_gun_in_an_attacked_hex() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(ART, "0,1"))
    assert why_not_fire(g, battle(g, D1), u(g, ART), GERMAN, 0) is None  # next to the enemy, but not attacked
    g.mark_combat(h(g, "0,1"), DECLARED)
    why = why_not_fire(g, battle(g, D1), u(g, ART), GERMAN, 0)
    assert why is not None
    assert why.rule == "12.10.7"
    why = why_not_fire(g, battle(g, D1, on=("0,1",)), u(g, ART), GERMAN, 0)
    assert why is not None
    assert why.rule == "12.10.7"
    from kessel.games.korsun44.combat.strengths import defence_strength

    assert defence_strength(g, battle(g, D1, on=("0,1",))).total == 3


@pytest.mark.rule("korsun44", "12.10.7.3a", "12.10.7.3b", "12.3.1.2a")
def test_one_of_several_guns_fires_for_its_hex_the_others_lend_strength() -> None:
    from kessel.games.korsun44.combat.strengths import defence_strength

    g = position(unit(D1, "1,0"), unit(ART, "0,0"), unit(KGUN, "0,0"))
    assert guns(g, battle(g, D1), GERMAN, ()) == [u(g, ART), u(g, KGUN)]
    assert defence_strength(g, battle(g, D1)).total == 4
    assert defence_strength(g, battle(g, D1, gun=u(g, ART))).total == 1
    units = unit(D1, "1,0"), unit(ART, "0,0"), unit(R1, "0,0")
    g = position(*units)
    assert guns(g, battle(g, D1), GERMAN, ()) == [u(g, ART)]
    g = position(*units, options={"gun_in_hex": "strength_only"})
    assert guns(g, battle(g, D1), GERMAN, ()) == []


@pytest.mark.rule("korsun44", "12.10.2.4a", "12.10.2.5", "12.10.2.7", "12.1.3.C1")
def test_storms_and_the_direction_of_shifts() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), visibility="Storm")
    b = battle(g, D1, points=13, gun_points=7)
    assert [artillery_roll(g, b, side, 2).total for side in (GERMAN, SOVIET)] == [4, 4]
    assert artillery_shift(g, b, SOVIET, 2) == g.charts.shifts(SOVIET, 13, 4) == 2
    assert artillery_shift(g, b, GERMAN, 2) == -g.charts.shifts(GERMAN, 7, 4) == -2


@pytest.mark.example("korsun44", "E13")
@pytest.mark.rule("korsun44", "12.10.2.2", "12.10.2.5")
def test_five_german_points_and_a_four_are_two_columns() -> None:
    g = position(unit(R1, "1,0"), unit(D1, "0,0"))
    assert artillery_shift(g, battle(g, R1, points=1 + 2 + 2), GERMAN, 4) == 2


# --- 17.1.3 barrages -----------------------------------------------------------------------------------------------


def under_barrage(shift: int = 3, **more: object) -> tuple[Board, str]:
    g = position()
    own = next(g.id(x) for x in g.forces.of_side(SOVIET) if g.forces.army[x] == "53A" and g.forces.counters[x].chit)
    g = position(unit(own, "1,0"), unit(R1, "0,0"), unit(ART, "-1,0"), **more)  # type: ignore[arg-type]
    first = [b.army for b in g.charts.game.barrage.values()].index("53A") * g.charts.constants.barrage_markers
    g.barrage_at[first], g.barrage_shift[first] = h(g, "0,0"), shift
    return g, own


@pytest.mark.rule("korsun44", "17.1.3.5", "17.1.3.5a", "17.1.3.5b", "12.10.2.4c", "17.1.3.7")
def test_a_barrage_shifts_silences_and_shakes() -> None:
    g, own = under_barrage()
    b = battle(g, own)
    assert barrage(g, b).total == 3
    assert barrage(g, battle(g, own, segment=RESERVE_SEGMENT)).total == 0
    assert artillery_roll(g, b, GERMAN, 2).total == 3
    gun = next(g.id(x) for x in g.forces.of_side(SOVIET) if g.forces.army[x] == "53A" and g.forces.counters[x].obs)
    g.put(u(g, gun), h(g, "2,0"))
    g.steps[u(g, gun)] = 1
    why = why_not_fire(g, b, u(g, gun), SOVIET, 0)
    assert why is not None
    assert why.rule == "17.1.3"


@pytest.mark.rule("korsun44", "17.1.2c", "17.1b")
@pytest.mark.parametrize(("reading", "free"), [("marked_hex", False), ("barrage_unit", True)])
def test_only_its_army_attacks_under_a_barrage(reading: str, free: bool) -> None:
    from kessel.games.korsun44.combat.battle import why_not_attack_with

    g, own = under_barrage(options={"barrage_hex": reading})
    g.put(u(g, D1), h(g, "0,1"))
    g.steps[u(g, D1)] = 6
    target = (h(g, "0,0"),)
    assert why_not_attack_with(g, u(g, own), SOVIET, COMBAT_SEGMENT, target) is None
    assert (why_not_attack_with(g, u(g, D1), SOVIET, COMBAT_SEGMENT, target) is None) == free


@pytest.mark.rule("korsun44", "17.1.3.5c", "17.1.3.6")
def test_defenders_under_a_barrage_are_disorganized_whatever_the_result() -> None:
    from .fights import resolve

    g, own = under_barrage(2)
    resolve(g, own, dice=(1, 1))
    assert g.status[u(g, R1)] & DISORGANIZED
    assert not any(x == h(g, "0,0") for x in g.barrage_at)


@pytest.mark.rule("korsun44", "17.1.3.8")
def test_a_barrage_nobody_followed_up_disorganizes_at_the_end() -> None:
    g, own = under_barrage()
    phase(g, SOVIET)
    play(g, "pass")
    while g.stack:
        play(g, "pass")
    assert g.status[u(g, R1)] & DISORGANIZED
    assert own
