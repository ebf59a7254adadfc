"""12.2-12.6 Who attacks, support, terrain, zones."""

from __future__ import annotations

import pytest

from kessel.games.korsun44.board import (
    ATTACKED,
    DECLARED,
    DEFENDED,
    DISORGANIZED,
    DISPLACED,
    GERMAN,
    GUEST,
    IP,
    REGROUP,
    SDM_LOST,
    SOVIET,
    STRUCK,
    Board,
)
from kessel.games.korsun44.combat.battle import (
    BREAKTHROUGH_SEGMENT,
    COMBAT_SEGMENT,
    RESERVE_SEGMENT,
    defenders_in,
    stack_at,
    why_not_attack,
    why_not_attack_with,
    why_not_withhold,
)
from kessel.games.korsun44.combat.strengths import attack_of, attack_strength, defence_strength, in_foreign_zoc
from kessel.games.korsun44.combat.support import formation_of, has_support, is_supported, payers, why_not_support

from .fights import (
    ART,
    D1,
    D2,
    FLAK,
    FUS,
    MECH,
    PIO,
    PZ4,
    PZ5,
    R1,
    R2,
    T1,
    UNARMED,
    battle,
    declare,
    phase,
    supply,
)  # fmt: skip
from .helpers import board, choices, h, play, position, refused, told, u, unit


def attack(g: Board, *attackers: str, **more: object) -> int:
    return attack_strength(g, battle(g, *attackers, **more)).total  # type: ignore[arg-type]


def defence(g: Board, *attackers: str, **more: object) -> int:
    return defence_strength(g, battle(g, *attackers, **more)).total  # type: ignore[arg-type]


# --- 12.2, 12.3 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.2", "12.3a")
def test_only_strengths_without_parentheses_attack() -> None:
    g = position(unit(ART, "1,0"), unit(R1, "1,0"), unit(D1, "0,0"))
    assert why_not_attack_with(g, u(g, R1), GERMAN, COMBAT_SEGMENT, (h(g, "0,0"),)) is None
    why = why_not_attack_with(g, u(g, ART), GERMAN, COMBAT_SEGMENT, (h(g, "0,0"),))
    assert why is not None
    assert why.rule == "12.2"
    assert stack_at(g, h(g, "1,0"), GERMAN, COMBAT_SEGMENT, (h(g, "0,0"),)) == (u(g, R1),)


@pytest.mark.rule("korsun44", "12.3a", "12.3b", "12.0")
def test_adjacency_and_not_zones_decides_and_nobody_must_attack() -> None:
    g = position(unit(R1, "1,0", steps=1), unit(D1, "0,0"), on=board(terrain={"1,0": "town", "0,0": "forest"}))
    phase(g, GERMAN)
    assert choices(g) == ["pass", "attack 0,0"]
    assert why_not_attack(g, GERMAN, COMBAT_SEGMENT, h(g, "2,0")) is not None
    g = position(unit(R1, "2,0"), unit(D1, "0,0"))
    why = why_not_attack(g, GERMAN, COMBAT_SEGMENT, h(g, "0,0"))
    assert why is not None
    assert why.rule == "12.3"


@pytest.mark.rule("korsun44", "12.3.1.1a", "12.3.1.1b", "13.5.1a")
def test_all_units_of_a_hex_attack_but_those_out_of_supply_may_stay_out() -> None:
    g = position(unit(R1, "1,0"), unit(R2, "1,0", status=["OOS1"]), unit(D1, "0,0"), phase="german_combat")
    declare(g, "0,0")
    play(g, "combat 0,0", "from 1,0")
    assert refused(g, f"withhold {R1}").rule == "12.3.1"
    assert f"withhold {R2}" in choices(g)
    play(g, f"withhold {R2}")
    assert g.stack[-1].attackers == (u(g, R1),)  # type: ignore[attr-defined]
    assert why_not_withhold(g, u(g, R1), (u(g, R1),)) is not None


@pytest.mark.rule("korsun44", "12.3.1.1b")
def test_any_unit_may_abstain_with_the_other_reading() -> None:
    units = unit(R1, "1,0"), unit(R2, "1,0"), unit(D1, "0,0")
    g = position(*units, options={"abstain": "any"}, phase="german_combat")
    declare(g, "0,0")
    play(g, "combat 0,0", "from 1,0")
    assert f"withhold {R1}" in choices(g)


@pytest.mark.rule("korsun44", "12.3.1.2", "12.3.1.2b", "12.3.3c", "12.17.1g")
def test_units_that_retreated_into_a_hex_do_not_defend() -> None:
    g = position(unit(R1, "0,0"), unit(R2, "0,0"), unit(D1, "1,0"))
    g.set_status(u(g, R2), GUEST | DEFENDED)
    assert defenders_in(g, h(g, "0,0"), GERMAN) == (u(g, R1),)
    g.set_status(u(g, R1), DEFENDED)
    why = why_not_attack(g, SOVIET, COMBAT_SEGMENT, h(g, "0,0"))
    assert why is not None
    assert why.rule == "12.3.3"


@pytest.mark.rule("korsun44", "12.3.1.2", "12.3.1.4")
def test_at_most_three_units_defend_a_hex() -> None:
    four = [unit(x, "0,0") for x in (R1, R2, FUS, PIO)]
    g = position(*four, unit(D1, "1,0"), phase="soviet_combat")
    declare(g, "0,0")
    play(g, "combat 0,0", "from 1,0", "engage")
    assert choices(g) == [f"leave_out {x}" for x in (R1, R2, FUS, PIO)]
    assert refused(g, f"leave_out {D1}").rule == "12.3.1"
    play(g, f"leave_out {FUS}", dice=(1, 1))
    assert g.status[u(g, FUS)] & DEFENDED == 0


@pytest.mark.rule("korsun44", "12.3.1.4")
def test_three_units_attack_a_forest_in_which_two_may_stand() -> None:
    g = position(*(unit(x, "1,0") for x in (R1, R2, FUS)), unit(D1, "0,0"), on=board(terrain={"0,0": "forest"}))
    assert len(stack_at(g, h(g, "1,0"), GERMAN, COMBAT_SEGMENT, (h(g, "0,0"),))) == 3


@pytest.mark.rule("korsun44", "12.3.2", "12.1.1.1b")
def test_all_attackers_are_next_to_all_hexes_attacked() -> None:
    g = position(
        unit(R1, "1,0"), unit(R2, "-1,0"), unit(D1, "0,0"), unit(D2, "1,-1"), phase="german_combat"
    )  # fmt: skip
    declare(g, "0,0", "1,-1")
    play(g, "combat 0,0")
    play(g, "also 1,-1")
    assert refused(g, "from -1,0").rule == "12.3.2"
    play(g, "from 1,0", "engage", dice=(6, 6))
    assert "5 to 40" in told(g)


@pytest.mark.rule("korsun44", "12.3.2")
def test_strengths_of_several_hexes_are_added() -> None:
    g = position(unit(R1, "1,0"), unit(D1, "0,0"), unit(D2, "1,-1"))
    assert defence(g, R1, on=("0,0", "1,-1")) == 40


@pytest.mark.rule("korsun44", "12.3.3a", "12.3.3b")
def test_a_unit_attacks_once_but_again_after_a_breakthrough() -> None:
    g = position(unit(PZ4, "1,0", status=["attacked"]), unit(D1, "0,0"))
    target = (h(g, "0,0"),)
    for segment in (COMBAT_SEGMENT, RESERVE_SEGMENT):
        assert why_not_attack_with(g, u(g, PZ4), GERMAN, segment, target) is not None
    g = position(unit(PZ4, "1,0", status=["attacked", "breakthrough"]), unit(D1, "0,0"))
    assert g.status[u(g, PZ4)] & ATTACKED
    assert why_not_attack_with(g, u(g, PZ4), GERMAN, BREAKTHROUGH_SEGMENT, target) is None


@pytest.mark.rule("korsun44", "12.1.6a", "12.1.6b")
def test_only_units_in_reserve_fight_in_the_reserve_segment() -> None:
    g = position(unit(PZ4, "1,0", status=["reserve"]), unit(MECH, "1,0"), unit(D1, "0,0"))
    target = (h(g, "0,0"),)
    assert stack_at(g, h(g, "1,0"), GERMAN, RESERVE_SEGMENT, target) == (u(g, PZ4),)
    assert stack_at(g, h(g, "1,0"), GERMAN, COMBAT_SEGMENT, target) == (u(g, MECH),)


# --- 12.4 ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.4a", "12.4b", "12.5c")
def test_supported_units_have_full_strength_others_half_rounded_up() -> None:
    g = position(unit(R1, "1,0", steps=3), unit(D1, "0,0"))
    assert attack(g, R1) == 7
    assert attack(g, R1, paid=()) == 4
    assert not has_support(g, battle(g, R1, paid=()))


@pytest.mark.rule("korsun44", "12.4c", "12.4.g2")
def test_some_attackers_may_be_supported_and_others_not() -> None:
    g = position(unit(R1, "1,0"), unit(PZ4, "0,1"), unit(D1, "0,0"))
    assert formation_of(g, u(g, R1)) == "42K"
    assert formation_of(g, u(g, PZ4)) == "16Pz"
    b = battle(g, R1, PZ4, paid=("16Pz",))
    assert attack_strength(g, b).total == 5 + 8
    assert has_support(g, b)
    g = position(unit(R1, "1,0"), unit(PZ4, "0,1"), unit(D1, "0,0"), options={"mixed_support": "all_supported"})
    assert not has_support(g, battle(g, R1, PZ4, paid=("16Pz",)))


@pytest.mark.rule("korsun44", "12.4.s2", "12.4.s1")
def test_soviet_armies_and_corps_pay_each() -> None:
    g = position(unit(D1, "1,0"), unit(T1, "0,1"), unit(R1, "0,0"))
    assert [formation_of(g, u(g, x)) for x in (D1, T1)] == ["27A", "5GTkC"]


@pytest.mark.rule("korsun44", "12.4.r", "12.4.g1", "12.1.3.A1", "14.3c")
def test_the_sdm_that_supplied_a_unit_pays_for_its_attack() -> None:
    g = position(unit(R1, "1,0"), unit(R2, "1,0", status=["OOS1"]), unit(D1, "0,0"), phase="german_combat")
    supply(g, "SDM1.42K", 1, R1)
    supply(g, "SDM2.42K", 2)
    b = battle(g, R1, R2, paid=())
    assert payers(g, b.attackers, "42K") == [u(g, "SDM1.42K")]
    why = why_not_support(g, b, "42K", u(g, "SDM2.42K"))
    assert why is not None
    assert why.rule == "12.4"
    declare(g, "0,0")
    play(g, "combat 0,0", "from 1,0", "engage")
    assert choices(g) == ["pass", "support 42K by SDM1.42K"]
    play(g, "support 42K by SDM1.42K", dice=(1, 1))
    assert g.sdm_sp[u(g, "SDM1.42K")] == 0


@pytest.mark.rule("korsun44", "12.4.g1", "12.4.s1", "13.5.1a")
def test_units_out_of_supply_are_never_supported_unless_a_friend_counts() -> None:
    units = unit(R1, "1,0"), unit(R2, "1,0", status=["OOS1"]), unit(D1, "0,0")
    g = position(*units)
    b = battle(g, R1, R2)
    assert [is_supported(g, b, u(g, x)) for x in (R1, R2)] == [True, False]
    g = position(*units, options={"oos_support": "with_friend"})
    assert is_supported(g, battle(g, R1, R2), u(g, R2))
    g = position(unit(R2, "1,0", status=["OOS2"]), unit(D1, "0,0"))
    supply(g, "SDM1.42K", 2, R2)
    why = why_not_support(g, battle(g, R2, paid=()), "42K", u(g, "SDM1.42K"))
    assert why is not None
    assert why.rule == "12.4"


@pytest.mark.rule("korsun44", "12.4.r")
@pytest.mark.parametrize(
    ("flag", "reading", "pays"),
    [(0, "pays", True), (DISPLACED, "pays", True), (DISPLACED, "silent", False), (SDM_LOST, "pays", False)],
)
def test_a_displaced_sdm_still_pays(flag: int, reading: str, pays: bool) -> None:
    g = position(unit(R1, "1,0"), unit(D1, "0,0"), options={"displaced_sdm": reading})
    supply(g, "SDM1.42K", 2, R1)
    g.sdm_flags[u(g, "SDM1.42K")] = flag
    assert (why_not_support(g, battle(g, R1, paid=()), "42K", u(g, "SDM1.42K")) is None) == pays


# --- 12.5 ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.5.2.wo-a", "12.5.2.fo-a", "12.5.2.to-a", "12.5.2.vi-a", "12.5a")
@pytest.mark.parametrize(
    ("word", "armor", "infantry"), [("clear", 8, 17), ("woods", 4, 17), ("forest", 4, 17), ("town", 4, 17)]
)
def test_armor_attacks_woods_forests_and_towns_with_half(word: str, armor: int, infantry: int) -> None:
    g = position(unit(PZ4, "1,0"), unit(MECH, "1,0"), unit(D1, "0,0"), on=board(terrain={"0,0": word}))
    assert attack(g, PZ4) == armor
    assert attack(g, MECH) == infantry


@pytest.mark.rule("korsun44", "12.5.2.vi-a", "12.5.2.rd")
def test_villages_and_roads_do_not_change_the_attack() -> None:
    on = board(features={"0,0": ["village"]}, roads=[("primary", "1,0 0,0")])
    g = position(unit(PZ4, "1,0"), unit(D1, "0,0"), on=on)
    assert attack(g, PZ4) == 8


@pytest.mark.rule("korsun44", "12.5.2.wo-d", "12.5.2.vi-d", "12.5.2.fo-d", "12.5.2.to-d")
@pytest.mark.parametrize(
    ("where", "points"), [({}, 0), ({"terrain": "woods"}, 2), ({"terrain": "forest"}, 6), ({"terrain": "town"}, 6)]
)
def test_terrain_adds_to_the_defence(where: dict[str, str], points: int) -> None:
    g = position(
        unit(R1, "0,0"), unit(FUS, "0,0"), unit(D1, "1,0"), on=board(terrain={"0,0": where.get("terrain", "clear")})
    )
    assert defence(g, D1) == 10 + 4 + points


@pytest.mark.rule("korsun44", "12.5.2.vi-d", "12.5.1", "15.1.2a")
def test_the_best_of_several_terrains_counts() -> None:
    on = board(terrain={"0,0": "town"}, features={"0,0": ["village"]})
    g = position(unit(R1, "0,0", steps=1), unit(D1, "1,0"), on=on)
    assert defence(g, D1) == 2 + 2
    g = position(unit(R1, "0,0"), unit(D1, "1,0"), on=board(features={"0,0": ["village"]}))
    assert defence(g, D1) == 12
    g = position(unit(R1, "0,0"), unit(D1, "1,0"))
    g.set_works(h(g, "0,0"), IP)
    assert defence(g, D1) == 12


@pytest.mark.rule("korsun44", "12.5.2.to-d", "12.5.2.fo-d", "12.5.2.wo-d")
def test_two_points_at_least_and_nothing_for_armor_guns_and_unarmed_units() -> None:
    for word in ("town", "forest"):
        g = position(unit(R1, "0,0", steps=1), unit(D1, "1,0"), on=board(terrain={"0,0": word}))
        assert defence(g, D1) == 4
        g = position(unit(PZ4, "0,0"), unit(FLAK, "0,0"), unit(D1, "1,0"), on=board(terrain={"0,0": word}))
        assert defence(g, D1) == 10
        g = position(unit(UNARMED, "0,0"), unit(D1, "1,0"), on=board(terrain={"0,0": word}))
        assert defence(g, D1) == 3
    g = position(unit(PZ4, "0,0"), unit(D1, "1,0"), on=board(terrain={"0,0": "woods"}))
    assert defence(g, D1) == 8


@pytest.mark.rule("korsun44", "12.5.2.wo-d", "12.5.2.to-d", "4.5.3a", "4.5.3b")
def test_star_brigades_earn_points_and_cadres_of_them_do_not() -> None:
    for word, points in (("woods", 2), ("town", 2)):
        g = position(unit(T1, "0,0"), unit(R1, "1,0"), on=board(terrain={"0,0": word}))
        assert defence(g, R1) == 10 + points
        g = position(unit(T1, "0,0", steps=1), unit(R1, "1,0"), on=board(terrain={"0,0": word}))
        assert defence(g, R1) == 2


@pytest.mark.rule("korsun44", "12.5.2.wo-d", "4.8.2i", "4.8.2g")
def test_alarm_units_earn_nothing_and_unarmed_engineers_by_a_switch() -> None:
    on = board(terrain={"0,0": "woods"})
    g = position(unit("Alarm1", "0,0"), unit(D1, "1,0"), on=on)
    assert defence(g, D1) == 1
    g = position(unit(UNARMED, "0,0"), unit(D1, "1,0"), on=on)
    assert defence(g, D1) == 5
    g = position(unit(UNARMED, "0,0"), unit(D1, "1,0"), on=on, options={"engineer_plus": "does_not"})
    assert defence(g, D1) == 3


@pytest.mark.rule("korsun44", "18.10")
@pytest.mark.parametrize(
    ("units", "points"),
    [
        ({R1: 4, FUS: 2}, 3),
        ({MECH: 4}, 3),
        ({R1: 4, FUS: 1}, 2),
        ({R1: 3}, 2),
        ({MECH: 2}, 1),
        ({FUS: 2}, 1),
    ],
    ids=["14", "13", "12", "7", "6", "4"],
)
def test_german_points_follow_the_strength_of_the_infantry(units: dict[str, int], points: int) -> None:
    on = board(terrain={"0,0": "woods"})
    there = [unit(x, "0,0", steps=n) for x, n in units.items()]
    plain = defence(position(*there, unit(D1, "1,0"), on=on), D1)
    g = position(*there, unit(D1, "1,0"), on=on, options={"german_strengths": "on"})
    assert defence(g, D1) == plain - 2 + points


@pytest.mark.rule("korsun44", "12.5.2.rv", "12.5.2.sw", "12.5.2.br")
@pytest.mark.parametrize(("side", "armor", "infantry"), [("river", 4, 9), ("stream", 4, 9), ("swamp", 4, 17)])
@pytest.mark.parametrize("bridge", [False, True])
def test_hexsides_halve_attackers_bridge_or_no_bridge(side: str, armor: int, infantry: int, bridge: bool) -> None:
    roads = [("primary", "1,0 0,0")] if bridge else []
    g = position(unit(PZ4, "1,0"), unit(MECH, "1,0"), unit(D1, "0,0"), on=board(sides={"1,0|0,0": side}, roads=roads))
    assert attack(g, PZ4) == armor
    assert attack(g, MECH) == infantry


@pytest.mark.rule("korsun44", "12.5d", "12.5.2.lk")
def test_nobody_attacks_across_a_lake() -> None:
    g = position(unit(R1, "1,0"), unit(D1, "0,0"), on=board(sides={"1,0|0,0": "lake"}))
    why = why_not_attack_with(g, u(g, R1), GERMAN, COMBAT_SEGMENT, (h(g, "0,0"),))
    assert why is not None
    assert why.rule == "12.5.2"


@pytest.mark.rule("korsun44", "12.5b", "12.5c", "12.17.2.1")
def test_two_halvings_at_most_and_disorder_on_top() -> None:
    on = board(terrain={"0,0": "woods"}, sides={"1,0|0,0": "river"})
    g = position(unit(PZ5, "1,0"), unit(D1, "0,0"), on=on)
    assert attack(g, PZ5) == 3  # 9, 5, 3: woods and river
    assert attack(g, PZ5, paid=()) == 3
    g.set_status(u(g, PZ5), DISORGANIZED)
    assert attack(g, PZ5) == 2
    text = str(attack_of(g, battle(g, PZ5, paid=()), u(g, PZ5)))
    assert "halved 2 times already" in text


@pytest.mark.rule("korsun44", "12.5.1", "12.5b")
def test_hex_and_hexside_may_count_once_by_a_switch() -> None:
    on = board(terrain={"0,0": "woods"}, sides={"1,0|0,0": "river"})
    g = position(unit(PZ5, "1,0"), unit(D1, "0,0"), on=on, options={"hex_and_side": "worse"})
    assert attack(g, PZ5) == 5


@pytest.mark.rule("korsun44", "12.5.1")
def test_against_several_hexes_the_worst_counts() -> None:
    units = unit(PZ4, "1,0"), unit(D1, "0,0"), unit(D2, "1,-1")
    g = position(*units, on=board(terrain={"1,-1": "woods"}))
    assert attack(g, PZ4, on=("0,0", "1,-1")) == 4
    on = board(sides={"1,0|1,-1": "river"})
    assert attack(position(*units, on=on), PZ4, on=("0,0", "1,-1")) == 4
    g = position(*units, on=on, options={"worst_hexside": "best"})
    assert attack(g, PZ4, on=("0,0", "1,-1")) == 8


@pytest.mark.rule("korsun44", "12.17.2.1", "12.17.3a", "12.1.3.B1")
@pytest.mark.parametrize("flag", [DISORGANIZED, REGROUP])
def test_disordered_units_have_half_in_attack_and_defence(flag: int) -> None:
    g = position(unit(R1, "0,0", steps=3), unit(D1, "1,0"), on=board(terrain={"0,0": "woods"}))
    g.set_status(u(g, R1), flag)
    assert defence(g, D1) == 4 + 2
    g.set_status(u(g, D1), flag)
    assert attack(g, D1) == 10


@pytest.mark.rule("korsun44", "12.17.2.0")
def test_only_marked_units_suffer() -> None:
    g = position(unit(R1, "0,0", status=["disorganized"]), unit(R2, "0,0"), unit(D1, "1,0"))
    assert defence(g, D1) == 5 + 10


@pytest.mark.rule("korsun44", "12.17.2.1")
def test_points_may_be_halved_too_by_a_switch() -> None:
    on = board(terrain={"0,0": "woods"})
    g = position(unit(R1, "0,0", status=["disorganized"]), unit(D1, "1,0"), on=on, options={"terrain_points": "before"})
    assert defence(g, D1) == 5 + 1


# --- 12.6 ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.6a", "12.6c")
def test_an_attacker_in_the_zoc_of_others_is_halved() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1"))
    assert attack(g, D1) == 10
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1", steps=2))
    assert attack(g, D1) == 20


@pytest.mark.rule("korsun44", "12.6a", "12.3.2")
def test_enemies_under_a_combat_marker_do_not_count() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1"))
    g.mark_combat(h(g, "2,-1"), DECLARED)
    assert attack(g, D1) == 20
    units = unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1")
    g = position(*units, options={"being_attacked": "same_combat"})
    g.mark_combat(h(g, "2,-1"), DECLARED)
    assert attack(g, D1) == 10
    g = position(*units)
    g.set_status(u(g, R2), DEFENDED)
    assert attack(g, D1) == 20


@pytest.mark.rule("korsun44", "12.6b", "12.1.4.B2", "12.1.6.2")
@pytest.mark.parametrize("segment", [BREAKTHROUGH_SEGMENT, RESERVE_SEGMENT])
def test_later_segments_ignore_enemies_attacked_before(segment: int) -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1"))
    b = battle(g, D1, segment=segment)
    assert in_foreign_zoc(g, b, h(g, "1,0"))
    g.set_status(u(g, R2), STRUCK)
    assert not in_foreign_zoc(g, b, h(g, "1,0"))


@pytest.mark.rule("korsun44", "12.6a", "10.6.2.2")
def test_a_zoc_crosses_a_river_only_against_those_who_attack_across_one() -> None:
    units = unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1")
    g = position(*units, on=board(sides={"1,0|2,-1": "river"}))
    assert attack(g, D1) == 20
    g = position(*units, on=board(sides={"1,0|2,-1": "river", "1,0|0,0": "river"}))
    assert attack(g, D1) == 5


@pytest.mark.rule("korsun44", "12.6a")
def test_there_are_no_zones_in_towns_and_forests() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), unit(R2, "2,-1"), on=board(terrain={"1,0": "town"}))
    assert attack(g, D1) == 20


@pytest.mark.rule("korsun44", "4.7.2.1a", "4.7.2.2a", "4.7.2.2b")
def test_each_half_of_an_extended_division_has_half_its_strength() -> None:
    g = position(unit(D1, "1,0", steps=3), unit("180x.27A", "0,1"), unit(R1, "0,0"))
    assert attack(g, D1) == 5
    assert attack(g, "180x.27A") == 5
    assert attack(g, D1, "180x.27A") == 10
