"""12.12.3, 12.12.4, 12.14, 12.17.1 Step losses, No Retreat, disorganization."""

from __future__ import annotations

import pytest

from kessel.games.korsun44.board import (
    DISORGANIZED,
    GERMAN,
    GUEST,
    IP,
    MINES,
    OOS1,
    OOS2,
    REGROUP,
    SEEN,
    SOVIET,
    Board,
)
from kessel.games.korsun44.combat.no_retreat import why_not_stand
from kessel.games.korsun44.turn.recovery import recovery_phase

from .fights import (
    ART,
    D1,
    D2,
    D3,
    FUS,
    PIO,
    PZ4,
    R1,
    R2,
    T1,
    UNARMED,
    applied,
    asked_verbs,
    battle,
    on_map,
    resolve,
)  # fmt: skip
from .helpers import board, choices, h, play, position, refused, told, u, unit


def steps(g: Board, *names: str) -> list[int]:
    return [g.steps[u(g, x)] for x in names]


def is_disorganized(g: Board, *names: str) -> list[bool]:
    return [bool(g.status[u(g, x)] & DISORGANIZED) for x in names]


# --- 12.12.3 attackers ---------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.12.3.a")
def test_the_declared_engineer_loses_first() -> None:
    g = position(unit(PIO, "1,0"), unit(R1, "1,0"), unit(D1, "0,0"))
    applied(g, "1/-", PIO, R1, engineer=u(g, PIO))
    assert steps(g, PIO, R1) == [1, 4]
    g = position(unit(PIO, "1,0"), unit(R1, "1,0"), unit(D1, "0,0"))
    applied(g, "1/-", PIO, R1, engineer=u(g, PIO), cleared=True)  # it clears mines instead
    assert steps(g, PIO, R1) == [2, 3]


@pytest.mark.rule("korsun44", "12.12.3.b", "12.12.3.d")
def test_then_the_strongest_infantry_and_the_rest_as_the_owner_likes() -> None:
    g = position(unit(R1, "1,0", steps=2), unit(R2, "1,0"), unit(PZ4, "1,0"), unit(D1, "0,0"))
    applied(g, "2/-", R1, R2, PZ4)
    assert steps(g, R1, R2, PZ4) == [2, 3, 4]
    assert choices(g) == [f"step_loss {x}" for x in (R1, R2, PZ4)]
    play(g, f"step_loss {PZ4}")
    assert steps(g, R1, R2, PZ4) == [2, 3, 3]


@pytest.mark.rule("korsun44", "12.12.3.b", "12.12.3.c")
def test_equal_infantry_or_none_leaves_the_choice() -> None:
    g = position(unit(R1, "1,0"), unit(R2, "1,0"), unit(PZ4, "1,0"), unit(D1, "0,0"))
    applied(g, "1/-", R1, R2, PZ4)
    assert choices(g) == [f"step_loss {x}" for x in (R1, R2)]
    assert refused(g, f"step_loss {PZ4}").rule == "12.12.3"
    g = position(unit(PZ4, "1,0"), unit("I-2.16Pz", "1,0"), unit(D1, "0,0"))
    applied(g, "1/-", PZ4, "I-2.16Pz")
    assert len(choices(g)) == 2


@pytest.mark.rule("korsun44", "12.12.3.b", "4.5.3.1b")
@pytest.mark.parametrize(("reading", "loser"), [("infantry", T1), ("armor", "6G.5GTkC")])
def test_a_star_brigade_facing_infantry_counts_as_infantry(reading: str, loser: str) -> None:
    g = position(unit(T1, "1,0"), unit("6G.5GTkC", "1,0"), unit(R1, "0,0"), options={"star_loss": reading})
    applied(g, "1/-", T1, "6G.5GTkC")
    assert steps(g, loser) == [3]


@pytest.mark.rule("korsun44", "12.3.1.3a")
def test_units_withheld_suffer_too() -> None:
    g = position(unit(R1, "1,0"), unit(R2, "1,0", status=["OOS1"]), unit(D1, "0,0"))
    applied(g, "2DR/-", R1, withheld=(u(g, R2),))
    assert choices(g) == [f"step_loss {R1}", f"step_loss {R2}"]
    play(g, f"step_loss {R2}")
    assert is_disorganized(g, R1, R2) == [True, True]
    play(g, "pass")
    assert {x.split()[1] for x in choices(g)} == {R1, R2}


# --- 12.12.4 defenders ---------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.12.4a", "12.12.4b", "12.12.2")
def test_the_strongest_defender_loses_first_then_any() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0", status=["disorganized"]), unit(FUS, "0,0"), unit(PZ4, "0,0"))
    applied(g, "-/2", D1)
    assert steps(g, R1, FUS, PZ4) == [3, 2, 4]  # ten, though halved by disorder
    assert choices(g) == [f"step_loss {x}" for x in (R1, FUS, PZ4)]


@pytest.mark.rule("korsun44", "12.12.4c", "12.3.1.3b", "12.3.1.3c")
def test_guns_unarmed_units_and_guests_lose_last() -> None:
    g = position(unit(D1, "1,0"), unit(FUS, "0,0", steps=1), unit(ART, "0,0"), unit(UNARMED, "0,0"))
    applied(g, "-/2", D1, gun=u(g, ART))
    assert on_map(g, FUS) == ""
    assert choices(g) == [f"step_loss {x}" for x in (ART, UNARMED)]
    g = position(unit(D1, "1,0"), unit(FUS, "0,0", steps=1), unit(R1, "0,0"))
    b = battle(g, D1)
    from kessel.games.korsun44.combat.losses import defender_pool

    alone = b._replace(defenders=(u(g, FUS),))
    assert defender_pool(g, alone, True) == (u(g, FUS),)
    g.eliminate(u(g, FUS), "12.12.4")
    assert defender_pool(g, alone, True) == (u(g, R1),)


@pytest.mark.rule("korsun44", "4.7.2.1c")
def test_an_extended_division_loses_from_its_one_chit() -> None:
    g = position(unit(R1, "1,0"), unit("180x.27A", "0,0"), unit(D1, "-1,0", steps=4))
    applied(g, "-/1", R1)
    assert steps(g, D1) == [3]


@pytest.mark.rule("korsun44", "17.1.2d", "17.1.2f")
def test_a_barrage_unit_loses_its_best_component() -> None:
    g = position(unit(R1, "1,0"), unit("Barrage.53A", "0,0"))
    from kessel.games.korsun44.board import HOLDING
    from kessel.games.korsun44.combat.losses import components
    from kessel.games.korsun44.combat.strengths import defence_strength

    assert defence_strength(g, battle(g, R1)).total == 9
    held = components(g, u(g, "Barrage.53A"))
    for x in held:
        g.box[x], g.steps[x] = HOLDING, 1
    applied(g, "-/1", R1)
    assert g.steps[u(g, "90hvhow.16Art")] == 0
    assert sum(g.box[x] == HOLDING for x in held) == 4


# --- 12.14 No Retreat ----------------------------------------------------------------------------------------------


def stands(g: Board, *attackers: str) -> str:
    why = why_not_stand(g, battle(g, *attackers), h(g, "0,0"), ())
    return "" if why is None else why.rule


@pytest.mark.rule("korsun44", "12.14.1a", "12.14.1b")
@pytest.mark.parametrize(("word", "yes"), [("clear", False), ("woods", True), ("town", True), ("forest", True)])
def test_where_no_retreat_may_be_declared(word: str, yes: bool) -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), on=board(terrain={"0,0": word}))
    assert (stands(g, D1) == "") == yes
    g = position(unit(D1, "1,0"), unit(PZ4, "0,0"), on=board(terrain={"0,0": word}))
    assert stands(g, D1) == "12.14.1"


@pytest.mark.rule("korsun44", "12.14.1b", "12.14.1c", "15.1.2b")
def test_villages_improved_positions_and_minefields_will_do() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), on=board(features={"0,0": ["village"]}))
    assert stands(g, D1) == ""
    g = position(unit(D1, "1,0"), unit(R1, "0,0"))
    g.set_works(h(g, "0,0"), IP)
    assert stands(g, D1) == ""
    g = position(unit(R1, "1,0"), unit(D1, "0,0"))
    assert stands(g, R1) == "12.14.1"
    g.set_works(h(g, "0,0"), MINES)
    assert stands(g, R1) == ""


@pytest.mark.rule("korsun44", "12.14.1d")
def test_in_the_clear_all_attackers_must_cross_water() -> None:
    units = unit(D1, "1,0"), unit(D2, "0,1"), unit(R1, "0,0")
    g = position(*units, on=board(sides={"1,0|0,0": "river", "0,1|0,0": "stream"}))
    assert stands(g, D1, D2) == ""
    g = position(*units, on=board(sides={"1,0|0,0": "river"}))
    assert stands(g, D1) == ""
    assert stands(g, D1, D2) == "12.14.1"


@pytest.mark.rule("korsun44", "12.17.2.5", "12.17.3a", "13.5.2g", "12.14.1a")
def test_who_cannot_declare_it() -> None:
    on = board(terrain={"0,0": "woods"})
    for flag in (DISORGANIZED, REGROUP, OOS2):
        g = position(unit(D1, "1,0"), unit(R1, "0,0"), on=on)
        g.set_status(u(g, R1), flag)
        assert stands(g, D1) == "12.17.2"
    units = unit(D1, "1,0"), unit(R1, "0,0", status=["disorganized"]), unit(R2, "0,0")
    assert stands(position(*units, on=on), D1) == ""
    assert stands(position(*units, on=on, options={"nr_mixed": "all_fit"}), D1) == "12.17.2"


@pytest.mark.rule("korsun44", "12.14.1a", "4.5.3a")
def test_a_star_brigade_has_the_step_it_takes() -> None:
    on = board(terrain={"0,0": "woods"})
    assert stands(position(unit(R1, "1,0"), unit(T1, "0,0"), on=on), R1) == ""
    assert stands(position(unit(R1, "1,0"), unit(T1, "0,0", steps=1), on=on), R1) == "12.14.1"


@pytest.mark.rule("korsun44", "12.14.2.1", "12.14.2.2", "12.14.2.3", "12.1.3.D3a", "12.15.2.3b")
@pytest.mark.parametrize(("die", "lost"), [(5, 1), (6, 0)])
def test_no_retreat_costs_a_step_and_perhaps_one_of_the_attacker(die: int, lost: int) -> None:
    g = position(unit(D1, "1,0"), unit(D2, "0,1", steps=3), unit(R1, "0,0"), unit(FUS, "0,0"), unit(PZ4, "0,0"))
    applied(g, "-/R", D1, D2, stubborn=(h(g, "0,0"),), dice=(die,))
    assert steps(g, R1, FUS, PZ4) == [3, 2, 4]
    assert steps(g, D1, D2) == [6 - lost, 3]
    assert on_map(g, R1) == "0,0"
    assert not g.stack


@pytest.mark.rule("korsun44", "12.14.2.2")
def test_the_extra_loss_may_be_free_by_a_switch() -> None:
    units = unit(D1, "1,0"), unit(D2, "0,1", steps=3), unit(R1, "0,0")
    g = position(*units, options={"extra_attacker_loss": "free"})
    applied(g, "-/R", D1, D2, stubborn=(h(g, "0,0"),), dice=(1,))
    assert choices(g) == [f"step_loss {D1}", f"step_loss {D2}"]


@pytest.mark.rule("korsun44", "12.14.3a", "12.14.3c", "12.1.3.D3c")
@pytest.mark.parametrize("result", ["-/DR", "-/R>"])
def test_a_d_or_a_breakthrough_cancels_it(result: str) -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0", steps=1), unit(FUS, "5,0"))
    applied(g, result, D1, stubborn=(h(g, "0,0"),))
    assert asked_verbs(g) == {"retreat"}
    assert steps(g, R1, D1) == [1, 6]


@pytest.mark.rule("korsun44", "12.14.3b", "12.14.3c")
def test_without_infantry_the_rest_retreats() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0", steps=1), unit(PZ4, "0,0"))
    applied(g, "-/1R", D1, stubborn=(h(g, "0,0"),))  # the tanks are stronger
    assert steps(g, PZ4) == [3]
    g = position(unit(D1, "1,0"), unit(R1, "0,0", steps=1), unit("AT.Wal", "0,0", steps=1))
    applied(g, "-/1R", D1, stubborn=(h(g, "0,0"),))
    assert on_map(g, R1) == ""
    assert asked_verbs(g) == {"retreat"}


@pytest.mark.rule("korsun44", "12.14.3b")
@pytest.mark.parametrize(("reading", "verbs"), [("rest_retreats", {"retreat"}), ("rest_stays", set())])
def test_when_the_no_retreat_loss_takes_the_last_infantry(reading: str, verbs: set[str]) -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0", steps=1), unit(PZ4, "0,0"), options={"nr_last": reading})
    applied(g, "-/R", D1, stubborn=(h(g, "0,0"),))
    assert on_map(g, R1) == ""
    assert asked_verbs(g) == verbs


@pytest.mark.rule("korsun44", "12.1.3.A6", "12.14.1a")
def test_the_defender_declares_last() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0"), on=board(terrain={"0,0": "woods"}), phase="soviet_combat")
    from .fights import declare

    declare(g, "0,0")
    play(g, "combat 0,0", "from 1,0", "engage")
    assert choices(g) == ["pass", "no_retreat 0,0"]
    assert g.stack[-1].enemy == GERMAN  # type: ignore[attr-defined]
    assert refused(g, "no_retreat 1,0").rule == "12.14.1"


# --- 12.17 disorganization -----------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "12.17.1a", "12.17.1b", "12.17.d1", "12.1.3.D2a")
def test_a_d_disorganizes_all_defenders_before_they_retreat() -> None:
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"), unit(PZ4, "0,0"))
    applied(g, "-/1DR", D1)
    assert is_disorganized(g, FUS, PZ4) == [True, True]
    assert steps(g, FUS, PZ4) == [2, 3]
    assert asked_verbs(g) == {"retreat"}


@pytest.mark.rule("korsun44", "12.17.1g", "12.17.2.0")
def test_units_that_retreated_in_are_not_disorganized_but_go_along() -> None:
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"), unit(PIO, "0,0"))
    g.set_status(u(g, PIO), GUEST)
    b = battle(g, D1)
    from kessel.games.korsun44.combat.combat import Combat
    from kessel.games.korsun44.combat.odds import Outcome

    from .helpers import start

    c = Combat(SOVIET, GERMAN, 0, b.targets, b.attackers, (u(g, FUS),), paid=b.paid, stacks=(h(g, "1,0"),))
    c._take(g, Outcome("-/DR", "", False, False, False, False))
    c.at = c.index["armor_defender"]
    start(g, c)
    assert is_disorganized(g, FUS, PIO) == [True, False]
    assert {x.split()[1] for x in choices(g)} == {FUS, PIO}


@pytest.mark.rule("korsun44", "12.17.1c")
def test_no_stack_suffers_where_all_defenders_were_disorganized() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0", status=["disorganized"]))
    applied(g, "D/-", D1)
    assert is_disorganized(g, D1) == [False]
    g = position(unit(D1, "1,0"), unit(R1, "0,0", status=["disorganized"]), unit(FUS, "0,0"))
    applied(g, "D/-", D1)
    assert is_disorganized(g, D1) == [True]


@pytest.mark.rule("korsun44", "12.17.1c")
@pytest.mark.parametrize(("reading", "hurt"), [("disorganized_only", True), ("both", False)])
def test_regroup_may_spare_attackers_by_a_switch(reading: str, hurt: bool) -> None:
    g = position(unit(R1, "1,0"), unit(D1, "0,0", status=["regroup"]), options={"regroup_spares": reading})
    resolve(g, R1, dice=(2, 4))  # 1:1, the roll of 6 is 1D/-
    assert is_disorganized(g, R1) == [hurt]


@pytest.mark.rule("korsun44", "12.17.1d", "12.17.1e", "12.17.1f")
@pytest.mark.parametrize(
    ("result", "size", "hit"),
    [("D/-", 4, 2), ("D/-", 2, 1), ("D/R", 4, 1), ("D/D", 4, 1), ("D/2", 2, 1)],
)
def test_how_many_attacking_stacks_are_disorganized(result: str, size: int, hit: int) -> None:
    g = position(unit(D1, "1,0"), unit(D2, "0,1"), unit(D3, "-1,0"), unit(R1, "0,0", steps=size))
    applied(g, result, D1, D2, D3)
    chosen = 0
    while asked_verbs(g) == {"disorganize"}:
        assert len(choices(g)) == 3 - chosen
        play(g, choices(g)[-1])
        chosen += 1
    assert chosen == hit
    assert sum(is_disorganized(g, D1, D2, D3)) == hit


@pytest.mark.rule("korsun44", "12.17.1f")
def test_the_attacker_chooses_the_stack() -> None:
    g = position(unit(D1, "1,0"), unit(D2, "0,1"), unit(R1, "0,0", steps=2))
    applied(g, "D/-", D1, D2)
    assert set(choices(g)) == {"disorganize 0,1", "disorganize 1,0"}
    assert refused(g, "disorganize 0,0").rule == "12.17.1"
    play(g, "disorganize 0,1")
    assert is_disorganized(g, D1, D2) == [False, True]


@pytest.mark.rule("korsun44", "12.17.2.13")
def test_a_second_disorganized_has_no_effect() -> None:
    g = position(unit(D1, "1,0"), unit(R1, "0,0", status=["disorganized"]))
    before = g.status[u(g, R1)]
    applied(g, "-/D", D1)
    assert g.status[u(g, R1)] & ~(1 << 15) == before
    assert "is Disorganized" not in told(g)


@pytest.mark.rule("korsun44", "12.17.d2", "12.17.3b")
def test_a_regroup_unit_that_attacks_is_disorganized_before_the_odds() -> None:
    g = position(unit(R1, "1,0", status=["regroup"]), unit(D1, "0,0"))
    resolve(g, R1, dice=(3, 4))
    assert "it attacks while in Regroup" in told(g)
    assert "5 to 20" in told(g)
    assert g.status[u(g, R1)] & (DISORGANIZED | REGROUP) == DISORGANIZED


@pytest.mark.rule("korsun44", "12.17.4.1", "12.17.4.2", "12.17.4n", "12.17.r1")
def test_recovery_takes_two_phases() -> None:
    g = position(unit(R1, "0,0", status=["disorganized", "OOS2"]), unit(D1, "1,0"))
    recovery_phase(g, GERMAN)
    assert g.status[u(g, R1)] & DISORGANIZED
    recovery_phase(g, SOVIET)
    assert g.status[u(g, R1)] & (DISORGANIZED | REGROUP) == REGROUP
    recovery_phase(g, SOVIET)
    assert g.status[u(g, R1)] & REGROUP
    recovery_phase(g, GERMAN)
    assert not g.status[u(g, R1)] & (DISORGANIZED | REGROUP)


# --- after the combat ----------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "13.4.1g", "13.5.1b", "13.5.1c")
def test_units_in_oos1_that_fight_are_oos2() -> None:
    g = position(unit(R1, "1,0", status=["OOS1"]), unit(D1, "0,0", status=["OOS1"]))
    applied(g, "-/-", R1)
    assert [g.status[u(g, x)] & (OOS1 | OOS2) for x in (R1, D1)] == [OOS2, OOS2]


@pytest.mark.rule("korsun44", "4.4.4b", "12.1.1.1c")
def test_chits_lie_open_only_while_the_combat_is_resolved() -> None:
    from kessel.games.korsun44.answers.view import sees

    g = position(unit(D1, "1,0"), unit(D2, "2,0"), unit(R1, "0,0"), unit(R2, "0,0"))
    reveals = g.reveals
    resolve(g, D1, dice=(5, 6))
    assert g.reveals == reveals + 1
    assert asked_verbs(g) == {"step_loss"}
    assert sees(g, SOVIET, u(g, R1))
    assert not sees(g, GERMAN, u(g, D2))
    applied(g, "-/-", D1)
    assert not g.status[u(g, R1)] & SEEN
