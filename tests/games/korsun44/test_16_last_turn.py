"""16.5.4 The Soviet turn after a Breakout: hexes that both sides share."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.games.korsun44.board import COMBAT, DECLARED, GERMAN, MOVEMENT, SOVIET, Board
from kessel.games.korsun44.combat.artillery import why_not_fire
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.combat.odds import armor_fire
from kessel.games.korsun44.combat.phase import ArmorReaction, SovietAir
from kessel.games.korsun44.combat.shifts import standing_shifts
from kessel.games.korsun44.combat.strengths import attack_strength
from kessel.games.korsun44.movement.phase import MovementPhase
from kessel.games.korsun44.sequence import SovietTurn

from .fights import D1, D2, GUN, PZ4, R1, R2, T1, T2, battle, declare, finish, phase
from .helpers import board, choices, h, play, position, refused, start, told, u, unit

IN = ["Stemmermann"]


def last_turn(*units: dict[str, Any], **fields: Any) -> Board:
    g = position(*units, turn=21, tracks={"breakout": 20, "korsun_declared": 5}, **fields)
    g.set_track("phasing", SOVIET)
    return g


@pytest.mark.rule("korsun44", "16.5.4.3a")
def test_soviets_may_stay_with_germans_but_not_come_to_them() -> None:
    g = last_turn(unit(R1, "0,0", status=IN), unit(D1, "0,0"), unit(D2, "2,0"))
    g.set_track("phase", MOVEMENT)
    start(g, MovementPhase(SOVIET))
    play(g, f"move {D2}")
    assert refused(g, "to 0,0").rule == "9.10.4"
    assert "to 1,0" in choices(g)
    play(g, "halt", f"move {D1}")
    assert "to 1,0" in choices(g), "it may leave"
    play(g, "halt")
    assert g.place[u(g, D1)] == g.place[u(g, R1)]


@pytest.mark.rule("korsun44", "16.5.4.3b")
@pytest.mark.parametrize(("breakout", "reserves"), [(20, False), (0, True)])
def test_nobody_is_placed_in_reserve(breakout: int, reserves: bool) -> None:
    g = last_turn(unit(R1, "4,0"), unit(D1, "-3,0"))
    g.set_track("breakout", breakout)
    start(g, MovementPhase(SOVIET))
    assert (f"reserve {D1}" in choices(g)) == reserves


@pytest.mark.rule("korsun44", "16.5.4.3c")
@pytest.mark.parametrize(("breakout", "reacts"), [(20, False), (0, True)])
def test_german_armor_does_not_react(breakout: int, reacts: bool) -> None:
    g = last_turn(unit(PZ4, "3,0"), unit(R1, "0,0"), unit(D1, "-1,0"))
    g.set_track("breakout", breakout)
    phase(g, SOVIET)
    play(g, "attack 0,0")
    assert isinstance(g.stack[-1], ArmorReaction) == reacts


@pytest.mark.rule("korsun44", "16.5.4.3c")
@pytest.mark.parametrize(("breakout", "fires"), [(20, False), (0, True)])
def test_german_armor_does_not_intercept(breakout: int, fires: bool) -> None:
    g = last_turn(unit(PZ4, "0,0"), unit(T1, "2,-1"))
    g.set_track("breakout", breakout)
    start(g, MovementPhase(SOVIET))
    if breakout == 0:
        play(g, "pass")
    play(g, f"move {T1}", "to 1,-1", "to 1,0")
    assert (f"intercept {PZ4}" in choices(g)) == fires


@pytest.mark.rule("korsun44", "16.5.4.4a")
def test_soviets_attack_the_germans_in_their_hex_alone() -> None:
    g = last_turn(unit(R1, "0,0", status=IN), unit(D1, "0,0"), unit(R2, "1,0"))
    phase(g, SOVIET)
    assert choices(g) == ["pass", "attack 0,0"]
    assert refused(g, "attack 1,0").rule == "12.3"
    declare(g, "0,0")
    play(g, "combat 0,0", "from 0,0", "engage", dice=[3, 4])
    finish(g)
    assert f"{D1} attacks 0,0" in told(g)


@pytest.mark.rule("korsun44", "16.5.4.4a")
def test_others_beside_the_hex_may_join() -> None:
    g = last_turn(unit(R1, "0,0", status=IN), unit(D1, "0,0"), unit(D2, "-1,0"))
    phase(g, SOVIET)
    declare(g, "0,0")
    play(g, "combat 0,0")
    assert {"from 0,0", "from -1,0"} <= set(choices(g))
    play(g, "from 0,0", "from -1,0", "engage", dice=[3, 3])
    assert f"{D1}, {D2} attack 0,0" in told(g)


@pytest.mark.rule("korsun44", "16.5.4.4a")
def test_terrain_between_hexes_does_not_matter_within_one() -> None:
    on = board(sides={f"0,0|{x}": "river" for x in ("1,0", "0,1", "-1,1")})
    g = last_turn(unit(PZ4, "0,0", status=IN), unit(T1, "0,0"), unit(T2, "1,0"), on=on)
    inside, outside = battle(g, T1), battle(g, T2)
    assert attack_strength(g, inside).total == 10
    assert attack_strength(g, outside).total == 5
    assert armor_fire(g, inside).attack == 2, "it need not advance"
    assert armor_fire(g, outside).attack == 0
    assert "combined arms in 0,0" in str(standing_shifts(g, inside))


@pytest.mark.rule("korsun44", "16.5.4.4b")
@pytest.mark.parametrize("shared", [True, False])
def test_no_guns_and_aircraft_in_shared_hexes(shared: bool) -> None:
    g = last_turn(unit(R1, "0,0", status=IN), unit(D1, "0,0" if shared else "-1,0"), unit(GUN, "-2,0"),
                  unit("Art188.88ID", "2,0"))  # fmt: skip
    g.set_track("phase", COMBAT)
    for name in ("air_1Uk", "air_german"):
        g.set_track(name, 2)
    b = battle(g, D1)
    for name, side in ((GUN, SOVIET), ("Art188.88ID", GERMAN)):
        why = why_not_fire(g, b, u(g, name), side, 0)
        assert (why is not None and why.rule == "16.5.4") == shared
    g.mark_combat(h(g, "0,0"), DECLARED)
    start(g, SovietAir(SOVIET))
    assert ("fly 0,0 for 1Uk" in choices(g) if g.stack else False) != shared
    if shared:
        why = SovietAir(SOVIET).why_not(g, h(g, "0,0"), "1Uk")
        assert why is not None
        assert why.rule == "16.5.4"
        p = Combat(SOVIET, GERMAN, COMBAT_SEGMENT, (h(g, "0,0"),), (u(g, D1),), (u(g, R1),))
        why = p.why_not_german_air(g)
        assert why is not None
        assert why.rule == "16.5.4"


@pytest.mark.rule("korsun44", "16.5.4.5", "16.4b")
@pytest.mark.parametrize(("reading", "engineers"), [("combat_phase", False), ("player_turn", True)])
def test_the_game_ends_with_the_combat_phase_or_the_turn(reading: str, engineers: bool) -> None:
    """Q46"""
    g = last_turn(unit(R1, "4,0"), unit(D1, "-4,0"), options={"game_end": reading})
    seen = []
    p = SovietTurn()
    p.at = p.index["combat"]
    start(g, p)
    while g.stack:
        seen.append(type(g.stack[-1]).__name__)
        play(g, "pass")
    assert g.track("over") == 1
    assert (g.phase > COMBAT) == engineers
    assert seen == []
