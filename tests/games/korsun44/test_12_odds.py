"""12.1.3.B2, 12.11, 12.12 Odds, the table, armor against armor; chances against played combats."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from kessel.core.procedure import PASS
from kessel.games.korsun44.board import DISORGANIZED, GERMAN, SOVIET, Board
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.combat.odds import (
    air_chances,
    armor_fire,
    chances_of,
    final_column,
    first_column,
    hits,
    is_armor_only,
    result_at,
)
from kessel.games.korsun44.data.charts import parse_result
from kessel.wargame.odds import by_play

from .fights import (
    ART,
    AT,
    D1,
    D2,
    FLAK,
    GUN,
    HOW,
    MECH,
    PZ4,
    PZ5,
    R1,
    R2,
    SU,
    T1,
    battle,
    declare,
    resolve,
    supply,
)  # fmt: skip
from .helpers import board, h, play, position, told, u, unit

LAST = 10
"""The number of the column 10:1."""


@pytest.mark.rule("korsun44", "12.1.3.B2", "12.11a")
@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (10, 10, 2), (14, 10, 2), (15, 10, 3), (19, 10, 3), (20, 10, 4), (29, 10, 4), (30, 10, 5), (79, 10, 8),
        (80, 10, 9), (99, 10, 9), (100, 10, 10), (105, 10, 10), (9, 10, 1), (5, 10, 1), (4, 10, 0), (10, 30, 0),
        (10, 31, -1), (1, 10, -1), (110, 10, 11), (300, 10, 11),
    ],
)  # fmt: skip
def test_odds_are_rounded_down_to_a_column(attack: int, defence: int, column: int) -> None:
    assert first_column(position(), attack, defence) == column


@pytest.mark.rule("korsun44", "12.11a")
def test_how_far_beyond_the_table_is_a_reading() -> None:
    g = position(options={"beyond_table": "each_ratio"})
    assert [first_column(g, a, 10) for a in (110, 125, 150)] == [11, 12, 15]
    assert [first_column(g, 10, d) for d in (31, 45, 60)] == [-1, -2, -3]
    assert first_column(g, 12, 0) == first_column(g, 12, 1), "defenders without any strength count one"
    g = position(options={"beyond_table": "clamp"})
    assert [first_column(g, a, d) for a, d in ((150, 10), (10, 60))] == [10, 0]


@pytest.mark.rule("korsun44", "12.11a", "12.11b", "12.11c")
def test_odds_off_the_table_disorganize() -> None:
    g = position()
    assert final_column(g, LAST, 1) == (LAST, False, True)
    assert final_column(g, LAST + 1, -1) == (LAST, False, False)
    assert final_column(g, 0, -2) == (0, True, False)
    assert final_column(g, 5, 2) == (7, False, False)
    g = position(options={"off_table_odds": "initial"})
    assert final_column(g, LAST, 3) == (LAST, False, False)
    assert final_column(g, LAST + 1, -3) == (LAST - 2, False, True)


@pytest.mark.rule("korsun44", "12.11b", "12.11c", "12.17.d1")
def test_the_automatic_d_falls_on_the_units() -> None:
    g = position(unit(R1, "1,0", steps=1), unit(D1, "0,0"), unit(D2, "0,0"))
    resolve(g, R1, dice=(6, 6))  # 2 to 40
    assert not g.on_map(u(g, R1)) or g.status[u(g, R1)] & DISORGANIZED
    g = position(unit(D1, "1,0"), unit(D2, "0,1"), unit(R1, "0,0", steps=2), unit("Alarm17", "-1,0"))
    resolve(g, D1, D2, dice=(1, 1))  # 40 to 4 and two divisions
    assert "D" not in result_at(g, LAST, 2).text, "the table has none for that roll"
    assert g.status[u(g, R1)] & DISORGANIZED


@pytest.mark.example("korsun44", "E17")
@pytest.mark.rule("korsun44", "12.12.2")
def test_what_1_1dr_means() -> None:
    found = parse_result("1/1DR")
    assert found.attacker == (1, False, 0)
    assert found.defender == (1, True, 1)
    g = position()
    assert {result_at(g, c, n).text for c, n in product(range(LAST + 1), range(2, 13))} >= {"1/1DR", "-/2DR>"}


# --- 12.12.1 -------------------------------------------------------------------------------------------------------


@pytest.mark.example("korsun44", "E24")
@pytest.mark.rule("korsun44", "12.12b", "12.12c", "12.12.1a", "12.12.1.2", "12.1.3.B3")
@pytest.mark.parametrize(
    ("attackers", "defenders", "fires", "steps"),
    [
        ((R1,), (T1, AT), False, True),
        ((PZ4,), (D1,), True, True),
        ((PZ4, MECH), (D1, T1), True, True),
        ((PZ4,), (T1, AT), True, False),
        ((FLAK,), (T1,), False, False),
    ],
)
def test_who_fights_whom(attackers: tuple[str, ...], defenders: tuple[str, ...], fires: bool, steps: bool) -> None:
    g = position(*(unit(x, "1,0") for x in attackers), *(unit(x, "0,0") for x in defenders))
    b = battle(g, *attackers)
    assert bool(armor_fire(g, b).attack) == fires
    assert is_armor_only(g, b) == (not steps)


@pytest.mark.rule("korsun44", "12.12.1a")
def test_infantry_without_a_dot_is_no_target_of_armor_combat() -> None:
    g = position(unit(SU, "1,0"), unit("318Sec.88ID", "0,0"))
    assert armor_fire(g, battle(g, SU)).attack == 0


@pytest.mark.rule("korsun44", "12.12.1a")
def test_armor_that_cannot_advance_does_not_fire() -> None:
    units = unit(T1, "1,0"), unit(PZ4, "0,0")
    g = position(*units, on=board(sides={"1,0|0,0": "river"}))
    assert armor_fire(g, battle(g, T1)).attack == 0
    g = position(*units, on=board(sides={"1,0|0,0": "river"}, roads=[("primary", "1,0 0,0")]))
    assert armor_fire(g, battle(g, T1)).attack == 2
    units = *units, unit("22G.5GTkC", "0,1")
    on = board(sides={"1,0|0,0": "river"})
    g = position(*units, on=on)
    assert armor_fire(g, battle(g, T1, "22G.5GTkC")).victims == (u(g, "22G.5GTkC"),)
    g = position(*units, on=on, options={"fire_all": "all"})
    assert len(armor_fire(g, battle(g, T1, "22G.5GTkC")).victims) == 2


@pytest.mark.rule("korsun44", "12.12.1c", "12.12.1d", "12.12.1.1", "12.12.1.3")
def test_the_best_dots_fire_and_suffer() -> None:
    g = position(
        unit(PZ4, "1,0"), unit(PZ5, "1,0"), unit(FLAK, "1,0"), unit(AT, "0,0"), unit(D1, "0,0"), unit(SU, "0,0")
    )
    fire = armor_fire(g, battle(g, PZ4, PZ5, FLAK))
    assert (fire.attack, fire.defence) == (4, 2)
    assert fire.targets == (u(g, AT),)  # two black dots; infantry has one, the SU-76 one
    assert fire.victims == (u(g, PZ5),)


@pytest.mark.rule("korsun44", "12.12.1c")
def test_infantry_with_dots_is_never_the_victim() -> None:
    units = unit(PZ4, "1,0"), unit(D1, "0,0")
    g = position(*units)
    assert armor_fire(g, battle(g, PZ4)).targets == ()
    g = position(*units, options={"infantry_dots": "infantry"})
    assert armor_fire(g, battle(g, PZ4)).targets == (u(g, D1),)


@pytest.mark.rule("korsun44", "12.12.1c", "12.12.1d")
def test_a_die_at_or_below_the_dots_hits() -> None:
    g = position()
    assert [hits(g, die, 3) for die in range(1, 7)] == [True, True, True, False, False, False]
    assert not hits(g, 1, 0)
    g = position(options={"dots_hit": "at_or_above"})
    assert [hits(g, die, 3) for die in range(1, 7)] == [False, False, True, True, True, True]


@pytest.mark.rule("korsun44", "12.12a", "12.12.1b", "12.12.5", "12.1.3.D", "12.1.3.D1", "12.12.1.1")
@pytest.mark.parametrize(("black", "red", "german", "soviet"), [(3, 2, 3, 3), (3, 3, 4, 3), (4, 2, 3, 4), (4, 3, 4, 4)])
def test_black_judges_german_dots_and_red_soviet_ones(black: int, red: int, german: int, soviet: int) -> None:
    g = position(unit(PZ4, "1,0"), unit(T1, "0,0"))
    resolve(g, PZ4, dice=(black, red))
    assert (g.steps[u(g, PZ4)], g.steps[u(g, T1)]) == (german, soviet)


@pytest.mark.rule("korsun44", "12.12.1.2", "4.5.3.1a", "4.5.3.1b")
def test_star_brigades_are_armor_against_armor_alone() -> None:
    g = position(unit(PZ4, "1,0"), unit(T1, "0,0"))
    assert is_armor_only(g, battle(g, PZ4))
    g = position(unit(PZ4, "1,0"), unit(MECH, "1,0"), unit(T1, "0,0"))
    assert not is_armor_only(g, battle(g, PZ4, MECH))
    g = position(unit(FLAK, "1,0"), unit(PZ4, "1,0"), unit(T1, "0,0"))
    assert is_armor_only(g, battle(g, PZ4, FLAK))
    g = position(unit(FLAK, "1,0"), unit(PZ4, "1,0"), unit(SU, "0,0"))
    assert is_armor_only(g, battle(g, PZ4, FLAK))


# --- chances -------------------------------------------------------------------------------------------------------


def fight(g: Board) -> Combat:
    return next(p for p in g.stack if isinstance(p, Combat))


@pytest.mark.rule("korsun44", "12.1.3.D2", "12.12b", "12.10.2.5")
def test_chances_are_those_of_played_combats() -> None:
    """Two guns, a gun in defence, armor on both sides: every fall of four dice is played to the next question.

    Each side has two strongest units, so that every result asks somebody for a loss and can be looked at.
    """
    g = position(
        unit(D1, "1,0"), unit(D2, "1,-1"), unit(T1, "0,1"), unit(GUN, "2,0"), unit(HOW, "2,0"), unit(R1, "0,0"),
        unit(R2, "0,0"), unit(PZ4, "0,0"), unit(ART, "-1,0"), on=board(terrain={"0,0": "woods"}), phase="soviet_combat",
    )  # fmt: skip
    supply(g, "SDM1.27A", 2, D1)
    supply(g, "SDM.5GTkC", 2, T1)
    declare(g, "0,0")
    play(g, "combat 0,0", "from 1,0", "from 1,-1", "from 0,1", "engage")
    play(g, "support 27A by SDM1.27A", "support 5GTkC by SDM.5GTkC", f"fire {GUN}", f"fire {HOW}", f"fire {ART}")
    found: dict[tuple[object, ...], Fraction] = {}
    for one, p in chances_of(g, fight(g).battle()).items():
        key = one.result, one.defender_hit, one.attacker_hit
        found[key] = found.get(key, Fraction(0)) + p

    def seen(after: Board) -> tuple[object, ...]:
        c = fight(after)
        return c.result, bool(c.aims), bool(c.victims)

    assert sum(found.values()) == 1
    assert len(found) > 20
    assert by_play(g, PASS, seen) == found


@pytest.mark.rule("korsun44", "6.2c", "6.2d")
def test_an_unseen_counter_is_any_of_those_left() -> None:
    g = position()
    for side, attack in product((GERMAN, SOVIET), (True, False)):
        found = air_chances(g, side, attack)
        assert sum(found.values()) == 1
        assert all((s >= 0) == attack or s == 0 for s in found)


__all__ = ["R2", "h", "told"]
