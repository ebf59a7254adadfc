"""PA-command, PA-OOC, PA-isolation, PA-supply, RX-5.9."""

from __future__ import annotations

import pytest

from kessel.core.hexset import members
from kessel.games.bug41.answers.view import side_view
from kessel.games.bug41.board import EMERGENCY, EXPENDED, Board
from kessel.games.bug41.combat.attack import Attack
from kessel.games.bug41.supply.command import (
    IN_COMMAND,
    ISOLATED,
    OUT_OF_COMMAND,
    command_distance,
    command_of,
    command_path,
)
from kessel.games.bug41.supply.supply import can_support, in_supply, supply_path
from kessel.games.bug41.turn.recovery import Recovery, recover_hq
from kessel.games.bug41.turn.refit import Refit

from .helpers import act, at, board, do, ger, h, hq, points, pos, refusal, sov, start, texts, told, u

WALL = [f"1,{r}" for r in range(-6, 6)]


def state(*more: object, unit: str = "0,0", place: str = "-3,0", range: int = 3, **options: str) -> int:
    g = pos(ger("A", unit), hq("HQ", place, "298ID", range=range), *more, **options)  # type: ignore[arg-type]
    return command_of(g, u(g, "A"))


@pytest.mark.rule("bug41", "PA-command.2", "PA-command.3", "PA-command.6")
def test_range_counts_the_hex_of_the_hq_and_not_that_of_the_unit() -> None:
    assert state(range=3) == IN_COMMAND
    assert state(range=2) == OUT_OF_COMMAND
    assert state(unit="-3,0", range=0) == IN_COMMAND
    g = pos(ger("A", "0,0"), hq("HQ", "-3,0", "298ID"))
    assert command_distance(g, u(g, "A")) == 3
    assert len(command_path(g, u(g, "A"))) == 4


@pytest.mark.rule("bug41", "PA-command.4", "PA-command.broken.1")
def test_enemy_units_break_the_path_and_a_longer_one_is_out_of_range() -> None:
    assert state(hq("S", "-1,0", "215MD"), unit="0,-1", place="-2,0", range=3) == IN_COMMAND, (
        "another way of three hexes"
    )
    g = pos(ger("A", "0,0"), hq("HQ", "-2,0", "298ID", range=2), hq("S", "-1,0", "215MD"))
    assert command_distance(g, u(g, "A")) == 3
    assert command_of(g, u(g, "A")) == OUT_OF_COMMAND


@pytest.mark.rule("bug41", "PA-command.broken.2")
def test_an_enemy_zone_breaks_the_path_unless_a_friend_is_there() -> None:
    enemy = sov("S", "0,-1")
    g = pos(ger("A", "0,0"), hq("HQ", "-2,0", "298ID", range=2), enemy)
    assert command_of(g, u(g, "A")) == OUT_OF_COMMAND, "round the zone it is farther"
    g = pos(ger("A", "0,0"), hq("HQ", "-2,0", "298ID", range=2), enemy, ger("F", "-1,0", status="disrupted"))
    assert command_of(g, u(g, "A")) == IN_COMMAND
    friends = (hq("FR", "-1,0", "44ID"), ger("X", "-6,5", formation="44ID"))
    for reading, expected in (("any_unit", IN_COMMAND), ("combat_units", OUT_OF_COMMAND)):
        g = pos(ger("A", "0,0"), hq("HQ", "-2,0", "298ID", range=2), enemy, *friends, path_friends=reading)
        assert command_of(g, u(g, "A")) == expected


@pytest.mark.rule("bug41", "PA-command.5", "PA-isolation.1", "PA-OOC.1")
def test_without_a_path_a_unit_is_isolated_and_marked_so() -> None:
    wall = [sov(f"S{n}", p) for n, p in enumerate(WALL)]
    g = pos(ger("A", "3,0"), hq("HQ", "-3,0", "298ID", range=4), *wall)
    assert command_of(g, u(g, "A")) == ISOLATED
    words = {p.id: p.status for p in side_view(g).pieces}
    assert words["A"] == ["isolated"]
    for n in range(len(WALL)):
        g.take_off(u(g, f"S{n}"))
    assert {p.id: p.status for p in side_view(g).pieces}["A"] == ["out of command"]
    g.move(u(g, "HQ"), h(g, "-1,0"))
    assert {p.id: p.status for p in side_view(g).pieces}["A"] == []


def test_without_its_hq_a_formation_is_isolated() -> None:
    g = pos(ger("A", "0,0"), hq("HQ", "", "298ID"))
    assert command_of(g, u(g, "A")) == ISOLATED


@pytest.mark.rule("bug41", "PA-command.terrain")
def test_terrain_never_breaks_command() -> None:
    ring = {f"{a}|0,0": "bug" for a in ("1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1")}
    g = pos(ger("A", "0,0"), hq("HQ", "-3,0", "298ID", range=3), on=board(sides=ring))
    assert command_of(g, u(g, "A")) == IN_COMMAND


# --- out of command --------------------------------------------------------------------------------------------------


def astray(**more: object) -> Board:
    """A unit out of command next to an enemy."""
    units = (ger("A", "0,0", **more), hq("HQ", "-4,0", "298ID", range=3), sov("S", "1,0"))  # type: ignore[arg-type]
    return act(pos(*units, levels={"215MD": 0}), points=3)


@pytest.mark.rule("bug41", "PA-OOC.2a")
def test_out_of_command_only_hasty_attacks() -> None:
    g = astray()
    assert refusal(g, "regular 1,0 with A").rule == "PA-OOC.2a"
    assert refusal(g, "prepared 1,0 with A").rule == "PA-OOC.2a"
    assert "hasty 1,0 with A" in texts(g)


@pytest.mark.rule("bug41", "PA-OOC.2b")
def test_out_of_command_actions_cost_double() -> None:
    assert points(do(astray(), "improve 0,0")) == 1
    assert points(do(astray(), "move A", "to -1,0")) == 1
    g = do(astray(), "hasty 1,0 with A", dice=[1, 1, 10, 1])
    assert points(g) == 1
    g = do(astray(status="disrupted"), "refit 0,0", dice=[1])
    assert points(g) == 1
    assert refusal(act(astray(), points=1), "improve 0,0").rule == "PA-OOC.2b"


@pytest.mark.rule("bug41", "PA-command.1")
def test_command_is_looked_at_before_every_action() -> None:
    g = astray()
    assert points(do(g, "move A", "to -1,0")) == 1
    g = act(g, points=1)
    assert "improve -1,0" in texts(g), "three hexes from its HQ now, so one point is enough"


@pytest.mark.rule("bug41", "PA-OOC.4")
def test_out_of_command_units_do_not_recover_by_themselves() -> None:
    g = pos(
        ger("A", "0,0", status="disrupted"), ger("B", "-2,0", status="disrupted"), hq("HQ", "-4,0", "298ID", range=3)
    )
    start(g, Recovery(), dice=[5])
    assert g.is_disrupted(u(g, "A"))
    assert not g.is_disrupted(u(g, "B"))


# --- isolation -------------------------------------------------------------------------------------------------------


def cut_off(*extra: object, status: str = "", levels: int = 0) -> Board:
    wall = [sov(f"S{n}", p) for n, p in enumerate(WALL)]
    units = (ger("A", "3,0", status=status), ger("T", "3,0", "afv", status=status), *wall, *extra)
    return act(pos(*units, levels={"215MD": levels}), points=4)  # type: ignore[arg-type]


@pytest.mark.rule("bug41", "PA-isolation.0", "PA-isolation.2", "PA-isolation.2a")
def test_isolated_units_check_before_they_act() -> None:
    g = cut_off()
    do(g, "move A T", "to 4,0", dice=[7, 6])
    assert texts(g) == ["go_on", "call_off"]
    do(g, "go_on")
    assert (at(g, "A"), at(g, "T")) == ("3,0", "4,0")
    assert g.is_disrupted(u(g, "A"))
    assert points(g) == 2, "isolated units pay as those out of command"
    assert not [t for t in texts(g) if t.startswith(("regular", "prepared"))]


@pytest.mark.rule("bug41", "PA-isolation.2b")
def test_points_are_spent_even_if_nobody_takes_part() -> None:
    g = do(cut_off(), "move A T", "to 4,0", dice=[7, 7])
    assert at(g, "T") == "3,0"
    assert points(g) == 2
    g = do(cut_off(), "move A T", "to 4,0", "call_off", dice=[7, 6])
    assert at(g, "T") == "3,0"
    assert points(g) == 2


def test_isolated_attackers_check() -> None:
    g = cut_off(sov("E", "3,1"))
    do(g, "hasty 3,1 with A", dice=[9])
    assert g.is_disrupted(u(g, "A"))
    assert not any("combat in" in t for t in told(g))


def test_nothing_is_fought_before_isolated_attackers_decide() -> None:
    g = do(cut_off(sov("E", "3,1")), "hasty 3,1 with A T", dice=[9, 1])
    assert texts(g) == ["go_on", "call_off"]
    (attack,) = (p for p in g.stack if isinstance(p, Attack))
    assert (attack.hits, attack.hits_on_defender, attack.cancelled, attack.defenders) == (0, 0, 0, ())
    do(g, "call_off")
    assert not any("combat in" in t for t in told(g))
    assert points(g) == 2


def test_isolated_refit() -> None:
    g = do(cut_off(status="disrupted"), "refit 3,0", "go_on", dice=[9, 1, 1])
    assert [g.is_disrupted(u(g, n)) for n in "AT"] == [True, False]
    g = pos(ger("A", "0,0", status="disrupted"), hq("HQ", "", "298ID"), isolated_refit="refit_check_alone")
    start(g, Refit(0, (u(g, "A"),)), dice=[1])
    assert not g.is_disrupted(u(g, "A"))


@pytest.mark.rule("bug41", "PA-isolation.3", "PA-attrition.1", "PA-attrition.5")
def test_isolated_and_disrupted_units_lose_strength() -> None:
    lone = [ger("A", "0,0", status="disrupted"), ger("B", "1,0", steps=1, status="disrupted"), ger("C", "2,0")]
    g = pos(*lone, hq("HQ", "", "298ID"))
    start(g, Recovery(), dice=[5, 9, 7])
    assert g.steps[u(g, "A")] == 6 + 1, "9 less 6 is 3: one point"
    assert not g.on_map(u(g, "B")), "7 less 6 is 1: its last one"
    assert g.steps[u(g, "C")] == 8
    g = pos(*lone[:1], hq("HQ", "", "298ID"))
    start(g, Recovery(), dice=[5, 10])
    assert g.steps[u(g, "A")] == 6


@pytest.mark.rule("bug41", "PA-TEC.c5")
def test_a_pillbox_helps_against_attrition() -> None:
    units = (sov("S", "0,0", status="disrupted"), hq("HQ", "", "215MD"))
    g = start(pos(*units, on=board(pillboxes=["0,0"])), Recovery(), dice=[5, 7])
    assert g.steps[u(g, "S")] == 7
    g = start(pos(*units), Recovery(), dice=[5, 7])
    assert g.steps[u(g, "S")] == 6


# --- supply of HQs ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "PA-supply.1", "PA-supply.2")
def test_a_chain_of_any_length_to_the_supply_edge() -> None:
    g = pos(hq("HQ", "6,-6", "298ID"), ger("A", "0,0"))
    assert in_supply(g, u(g, "HQ"))
    path = supply_path(g, u(g, "HQ"))
    assert (path[0], path[-1]) == (h(g, "6,-6"), h(g, "-6,0"))
    assert len(path) == 13
    g = pos(hq("HQ", "6,0", "298ID"), ger("A", "0,0"), on=board(areas={"german_supply": ""}))
    assert not in_supply(g, u(g, "HQ")), "the edge of the other side is no supply"


@pytest.mark.rule("bug41", "PA-supply.broken.1", "PA-supply.broken.2")
def test_enemies_and_their_zones_break_supply() -> None:
    wall = [sov(f"S{n}", p) for n, p in enumerate(WALL)]
    g = pos(hq("HQ", "3,0", "298ID"), ger("A", "4,0"), *wall)
    assert not in_supply(g, u(g, "HQ"))
    assert supply_path(g, u(g, "HQ")) == ()
    column = [sov(f"S{n}", f"1,{r}") for n, r in enumerate(range(-5, 6, 3))]
    g = pos(hq("HQ", "3,0", "298ID"), ger("A", "4,0"), *column)
    assert not in_supply(g, u(g, "HQ")), "zones close the gaps"
    friends = [ger(f"F{n}", f"{q},0") for n, q in enumerate((0, 1, 2))]
    g = pos(hq("HQ", "3,0", "298ID"), *friends, *column)
    assert in_supply(g, u(g, "HQ"))


@pytest.mark.rule("bug41", "PA-supply.broken.3")
def test_water_without_a_bridge_breaks_supply() -> None:
    ring = ("1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1")
    for water, expected in (("bug", False), ("lake", False), ("stream", True)):
        on = board(sides={f"{a}|0,0": water for a in ring})
        g = pos(hq("HQ", "0,0", "298ID"), ger("A", "0,0"), on=on)
        assert in_supply(g, u(g, "HQ")) == expected
    on = board(sides={f"{a}|0,0": "bug" for a in ring}, roads=[("road", "0,0 -1,0")])
    assert in_supply(pos(hq("HQ", "0,0", "298ID"), on=on), 0)


@pytest.mark.rule("bug41", "RX-5.9", "PA-counter.hqback")
def test_emergency_supply_serves_once() -> None:
    g = pos(hq("HQ", "3,0", "298ID"), ger("A", "4,0"), *(sov(f"S{n}", p) for n, p in enumerate(WALL)))
    me, f = u(g, "HQ"), g.forces.commands.index("298ID")
    g.levels[f] = 0
    assert can_support(g, me)
    recover_hq(g, me)
    assert g.levels[f] == 4
    assert g.status[me] == EXPENDED | EMERGENCY
    assert not g.is_disrupted(me), "markers of HQs are no Disruption"
    assert can_support(g, me), "the emergency supply serves in this turn"
    g.levels[f] = 0
    recover_hq(g, me)
    assert g.levels[f] == 0
    assert g.status[me] == EXPENDED
    assert not can_support(g, me)
    for n in range(len(WALL)):
        g.take_off(u(g, f"S{n}"))
    assert can_support(g, me)
    recover_hq(g, me)
    assert g.levels[f] == 4
    assert g.status[me] == 0
    assert members(g.ground.supply[0])
