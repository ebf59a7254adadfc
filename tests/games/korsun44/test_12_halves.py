"""4.7.2 Combats against extended divisions; 18.3 bridges under heavy tanks in the Combat Phase."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.games.korsun44.board import BRIDGE_OK, DESTROYED, GERMAN, INTACT, OUT, SOVIET, Board
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.combat.phase import ArmorReaction, Breakthrough, Resolution
from kessel.games.korsun44.combat.retreat import Retreat, retreat_paths
from kessel.games.korsun44.movement.reserve import NightWithdrawal
from kessel.games.korsun44.supply.determination import determine, supply_of

from .fights import D1, D2, MECH, PZ4, PZ5, R1, R2, R3, applied, battle, declare, finish, on_map, phase
from .helpers import board, choices, h, play, position, start, told, u, unit
from .supply_helpers import row, supply_board

MARK, SDM = "180x.27A", "SDM1.27A"


def halves(*units: dict[str, Any], **fields: Any) -> Board:
    """A division in 0,0 and 0,1; Germans on either side."""
    return position(unit(D1, "0,0"), unit(MARK, "0,1"), unit(R1, "1,-1"), unit(R2, "0,2"), *units, **fields)


def leave(g: Board, side: int, name: str) -> Board:
    """A unit must retreat a hex from 0,0."""
    caller = Combat(1 - side, side, COMBAT_SEGMENT, (h(g, "0,0"),), result="-/-")
    caller.at = caller.index["attacker_advances"]
    return start(g, caller, Retreat(side, side, h(g, "0,0"), 1, (u(g, name),)))


def attacked(g: Board, *dice: int) -> Board:
    phase(g, GERMAN)
    declare(g, "0,0", "0,1")
    return play(g, "combat 0,0", "from 1,-1", "engage", dice=dice)


@pytest.mark.rule("korsun44", "4.7.2.5a", "4.7.2.5b")
def test_two_attacks_on_the_halves_come_before_any_retreat() -> None:
    g = halves(unit(R3, "1,-1"))
    result = next(
        (d for d in [(a, b) for a in range(1, 7) for b in range(1, 7)] if "/1R" in g.charts.crt[sum(d), "1:1"].text),
        None,
    )
    assert result, "10 against 10 can cost a step and a retreat"
    attacked(g, *result)
    play(g, f"step_loss {R1}")
    assert g.steps[u(g, D1)] == 5, "the step is lost at once"
    assert on_map(g, D1) == "0,0", "but nobody retreats yet"
    p = g.stack[-1]
    assert isinstance(p, Combat)
    assert p.targets == (h(g, "0,1"),), "the other half is attacked next"
    assert sum(isinstance(x, Combat) for x in g.stack) == 2
    play(g, "from 0,2", "engage", dice=[3, 4])
    assert "5 to 10" in told(g).split("attacks 0,1")[1], "the strength of 20 before both combats, halved"
    finish(g)
    assert on_map(g, D1) != "0,0", "now it retreats"


@pytest.mark.rule("korsun44", "4.7.2.5a")
def test_one_attack_knows_nothing_of_it() -> None:
    g = halves()
    phase(g, GERMAN)
    declare(g, "0,0")
    play(g, "combat 0,0", "from 1,-1", "engage", dice=[6, 5])
    assert sum(isinstance(x, Combat) for x in g.stack) <= 1
    finish(g)
    assert not any(isinstance(x, Combat) for x in g.stack)


@pytest.mark.rule("korsun44", "4.7.2.5b")
def test_nobody_fights_twice_for_it() -> None:
    g = halves(unit("248.88ID", "1,0"))
    attacked(g, 3, 3)
    assert set(choices(g)) == {"from 1,0", "from 0,2"}
    play(g, "from 1,0", "engage", dice=[3, 3])
    finish(g)
    assert not any(isinstance(x, (Combat, Resolution)) for x in g.stack), "both combats are over"


@pytest.mark.rule("korsun44", "4.7.p4", "4.7.2.6b")
def test_a_half_retreats_into_the_other_only_if_it_must() -> None:
    g = halves()
    assert all(h(g, "0,1") not in p for p in retreat_paths(g, u(g, D1), h(g, "0,0"), 1))
    around = [x for x in ("1,0", "0,-1", "-1,0", "-1,1") if x != "1,-1"]
    g = halves(*(unit(f"{n}.57ID", x) for n, x in zip(("179", "199", "217"), around, strict=False)),
               unit("Fus.57ID", "-1,1"))  # fmt: skip
    assert retreat_paths(g, u(g, D1), h(g, "0,0"), 1) == [(h(g, "0,1"),)]
    leave(g, SOVIET, D1)
    play(g, f"retreat {D1} 0,1")
    assert not g.on_map(u(g, MARK)), "the division is whole again"
    assert on_map(g, D1) == "0,1"


@pytest.mark.rule("korsun44", "4.7.4")
@pytest.mark.parametrize(("mark", "inside"), [("9,0", True), ("11,0", False)])
def test_either_half_in_supply_supplies_the_division(mark: str, inside: bool) -> None:
    """The SDM reaches ten hexes."""
    on = supply_board(12, sources={"-12,0": "27A"}, roads=(("secondary", row(-12, 12)),))
    g = position(unit(D1, "10,0"), unit(MARK, mark), unit(SDM, "-1,0"), on=on)
    determine(g, SOVIET)
    assert bool(supply_of(g, u(g, D1))) == inside
    for name in (D1, MARK):
        assert bool(g.status[u(g, name)] & OUT) != inside


# --- 18.3 ----------------------------------------------------------------------------------------------------------


def river(*units: dict[str, Any], water: str = "river", kind: str = "secondary", on: str = "on") -> Board:
    """A bridge between 0,0 and 1,0; the defender is in 1,0."""
    doc = board(sides={"0,0|1,0": water}, roads=[(kind, row(-5, 5))])
    return position(*units, on=doc, options={"bridge_collapse": on})


@pytest.mark.rule("korsun44", "12.7.5", "12.8.1b", "18.3a")
@pytest.mark.parametrize(("die", "both"), [(2, True), (3, False)])
def test_the_bridge_is_tested_before_combined_arms_and_superiority(die: int, both: bool) -> None:
    g = river(unit(PZ5, "0,0"), unit(MECH, "0,0"), unit(D1, "1,0"))
    start(g, _at_odds(g, PZ5, MECH), dice=[die, 3, 3])
    line = next(e for e in g.events or () if e.get("column"))
    assert ("combined arms" in line["shifts"]) == both
    assert ("armor superiority" in line["shifts"]) == both
    assert (g.bridge_state[0] == INTACT) == both


def _at_odds(g: Board, *names: str) -> Combat:
    b = battle(g, *names, on=("1,0",))
    p = Combat(b.side, b.enemy, b.segment, b.targets, b.attackers, b.defenders, paid=b.paid)
    p.at = p.index["odds"]
    return p


@pytest.mark.rule("korsun44", "12.7.5", "18.3b")
@pytest.mark.parametrize(("name", "water", "kind", "option"), [
    (PZ4, "river", "secondary", "on"), (PZ5, "river", "primary", "on"), (PZ5, "river", "railroad", "on"),
    (PZ5, "river", "secondary", "off"), (PZ5, "stream", "secondary", "on"),
])  # fmt: skip
def test_where_no_bridge_is_tested_before_the_odds(name: str, water: str, kind: str, option: str) -> None:
    g = river(unit(name, "0,0"), unit(MECH, "0,0"), unit(D1, "1,0"), water=water, kind=kind, on=option)
    start(g, _at_odds(g, name, MECH), dice=[3, 3])
    assert any(e.get("column") for e in g.events or ()), "two dice were enough"
    assert "18.3" not in told(g)


@pytest.mark.rule("korsun44", "18.3a", "18.3.p2")
@pytest.mark.parametrize(("die", "where"), [(1, "1,0"), (5, "0,0")])
def test_a_heavy_tank_tests_the_bridge_before_it_advances(die: int, where: str) -> None:
    g = river(unit(PZ5, "0,0"), unit("206.27A", "1,0"), water="stream")
    applied(g, "-/1R", PZ5, on=("1,0",), dice=())
    while not any(c.startswith("advance") for c in choices(g)):
        play(g, choices(g)[0])
    play(g, f"advance {PZ5} 1,0", dice=[die])
    assert on_map(g, PZ5) == where
    assert bool(g.bridge_flags[0] & BRIDGE_OK) == (die == 1)
    if die == 5:
        assert g.bridge_state[0] == DESTROYED
        assert f"advance {PZ5} 1,0" in choices(g), "the stream can be crossed without it"


@pytest.mark.rule("korsun44", "18.3a", "18.3.p2")
def test_a_heavy_tank_that_loses_its_bridge_does_not_advance_over_a_river() -> None:
    g = river(unit(PZ5, "0,0"), unit(PZ4, "0,0"), unit("206.27A", "1,0"))
    applied(g, "-/1R", PZ5, PZ4, on=("1,0",), dice=())
    while not any(c.startswith("advance") for c in choices(g)):
        play(g, choices(g)[0])
    play(g, f"advance {PZ5} 1,0", dice=[6])
    assert on_map(g, PZ5) == "0,0"
    assert not any(c.startswith("advance") for c in (choices(g) if g.stack else [])), "nobody may use it"


@pytest.mark.rule("korsun44", "18.3a")
@pytest.mark.parametrize(("die", "retreats"), [(2, True), (3, False)])
def test_a_heavy_tank_tests_the_bridge_before_it_retreats(die: int, retreats: bool) -> None:
    g = river(unit(PZ5, "0,0"))
    around = ("1,-1", "0,-1", "-1,0", "-1,1", "0,1")
    for x, name in zip(around, ("AT1.27A", "54FAa.27A", "54FAb.27A", D2, "SU.27A"), strict=True):
        g.steps[u(g, name)] = 1
        g.put(u(g, name), h(g, x))
    leave(g, GERMAN, PZ5)
    assert choices(g) == [f"retreat {PZ5} 1,0"]
    full = g.steps[u(g, PZ5)]
    play(g, f"retreat {PZ5} 1,0", dice=[die])
    assert (on_map(g, PZ5) == "1,0") == retreats
    assert g.steps[u(g, PZ5)] == (full if retreats else full - 1), "who cannot retreat loses a step"


@pytest.mark.rule("korsun44", "18.3a")
@pytest.mark.parametrize("kind", [ArmorReaction, NightWithdrawal, Breakthrough])
@pytest.mark.parametrize(("die", "there"), [(2, True), (6, False)])
def test_other_moves_of_the_combat_phase_test_it_too(kind: Any, die: int, there: bool) -> None:
    g = river(unit(PZ5, "0,0", status=["breakthrough"]), unit(D1, "-5,5"), water="stream")
    start(g, kind() if kind is ArmorReaction else kind(GERMAN))
    verb = next(c.split()[0] for c in choices(g) if c.endswith(f"{PZ5} 1,0"))
    play(g, f"{verb} {PZ5} 1,0", dice=[die])
    assert (on_map(g, PZ5) == "1,0") == there
