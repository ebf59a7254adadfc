"""PA-CS.H, RX-7.5.H, .red, .ret, .adv: who takes the hits; and the exact odds against played outcomes."""

from __future__ import annotations

from collections import Counter
from copy import copy
from fractions import Fraction

import pytest

from kessel.core.procedure import asked, outcomes
from kessel.core.terrain import Map
from kessel.games.bug41.board import Board
from kessel.games.bug41.combat.attack import Attack
from kessel.games.bug41.combat.odds import odds_of
from kessel.games.bug41.combat.retreat import Retreat, retreat_paths
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.notation import NOTATION

from .helpers import Placed, act, at, board, do, f, ger, h, hq, points, pos, sov, start, texts, told, u


def result(g: Board, step: str, hits: tuple[int, int], dice: list[int] | None = None, names: str = "A") -> Board:
    """In the middle of an attack on 1,0 after the die, with so many hits."""
    units, defenders = tuple(u(g, n) for n in names.split()), tuple(g.combat_units(h(g, "1,0")))
    p = Attack(GERMAN, f(g, "298ID"), "regular", h(g, "1,0"), units, defenders, h(g, "0,0"), hits[0], hits[1])
    p.red, p.red_for_defender, p.was_hit = hits[0] > 1, hits[1] > 1, hits[1] > 0
    act(g, points=5)
    g.stack[-1].at += 1
    p.at = Attack.index[step]
    g.stack.append(p)
    return start_again(g, dice or [])


def start_again(g: Board, dice: list[int]) -> Board:
    from kessel.core.dice import Scripted
    from kessel.core.procedure import run

    g.dice = Scripted(dice)
    run(g)
    return g


def battle(*more: Placed, s: Placed | None = None, on: Map | None = None, **options: str) -> Board:
    return pos(ger("A", "0,0"), s or sov("S", "1,0"), *more, on=on, levels={"215MD": 0}, **options)


@pytest.mark.rule("bug41", "PA-CS.H1", "PA-CS.H4", "RX-7.5.H")
def test_first_and_further_losses() -> None:
    g = result(battle(), "attacker_loses_first", (1, 1))
    assert (g.steps[u(g, "A")], g.steps[u(g, "S")]) == (7, 6)
    g = result(battle(), "attacker_loses_first", (3, 3), [1, 1])
    assert (g.steps[u(g, "A")], g.steps[u(g, "S")]) == (7, 6), "one each; then the defender may go"
    assert asked(g) == SOVIET
    do(g, "pass")
    assert (g.steps[u(g, "A")], g.steps[u(g, "S")]) == (5, 4)


def test_the_owner_chooses_who_loses() -> None:
    g = result(battle(sov("T", "1,0", "afv")), "attacker_loses_first", (0, 1))
    assert texts(g) == ["lose S", "lose T"]
    assert asked(g) == SOVIET
    do(g, "lose T")
    assert (g.steps[u(g, "S")], g.steps[u(g, "T")]) == (7, 6)


@pytest.mark.rule("bug41", "PA-CS.H2", "PA-CRT.red", "RX-7.5.red")
def test_a_red_number_makes_every_unit_check() -> None:
    g = result(battle(sov("T", "1,0", "afv")), "check", (2, 1), [7])
    assert g.is_disrupted(u(g, "A"))
    assert not any("S " in t and "check" in t for t in told(g))
    g = result(battle(sov("T", "1,0", "afv")), "check", (1, 2), [6, 5])
    assert [g.is_disrupted(u(g, n)) for n in "AST"] == [False, True, False]
    g = result(battle(s=sov("S", "1,0", status="disrupted")), "check", (0, 2))
    assert asked(g) == SOVIET, "already Disrupted, nobody rolls, and it must go"


@pytest.mark.rule("bug41", "PA-TEC.c3", "RX-5.6")
def test_a_pillbox_helps_the_defender_to_pass() -> None:
    for pillboxes, disrupted in ((["1,0"], False), ([], True)):
        g = result(battle(on=board(pillboxes=pillboxes)), "check", (0, 2), [7])
        assert g.is_disrupted(u(g, "S")) == disrupted
    g = result(battle(), "check", (2, 0), [6])
    assert not g.is_disrupted(u(g, "A")), "passed at the rating"


@pytest.mark.rule("bug41", "PA-CS.H3")
def test_forced_and_voluntary_retreats() -> None:
    g = result(battle(), "retreat", (0, 0))
    assert not any(isinstance(p, Retreat) for p in g.stack), "no hit is left and nobody is Disrupted"
    g = result(battle(), "retreat", (0, 2))
    assert "pass" in texts(g)
    g = result(battle(s=sov("S", "1,0", status="disrupted")), "retreat", (0, 1))
    assert "pass" not in texts(g)
    mixed = battle(sov("T", "1,0", "afv"), s=sov("S", "1,0", status="disrupted"))
    assert "pass" in texts(result(mixed, "retreat", (0, 1))), "one of them still stands"
    g = battle(s=sov("S", "1,0", status="disrupted"))
    p = Attack(GERMAN, f(g, "298ID"), "regular", h(g, "1,0"), (0,), (1,), h(g, "0,0"), at=Attack.index["retreat"])
    assert p.retreat.fn(p, g) is None, "not hit at all"  # type: ignore[attr-defined]
    g = battle(s=sov("S", "1,0", status="disrupted"), forced_retreat="always")
    assert isinstance(p.retreat.fn(p, g), Retreat)  # type: ignore[attr-defined]


def test_each_hex_of_a_retreat_cancels_a_hit() -> None:
    for path, left in (("2,0", 7 - 2), ("2,0-3,0", 7 - 1), (None, 7 - 3)):
        g = result(battle(), "defender_loses_first", (0, 3), [1])
        do(g, f"retreat {path}" if path else "pass")
        assert g.steps[u(g, "S")] == left


@pytest.mark.rule("bug41", "RX-7.5.ret")
def test_ways_of_retreat() -> None:
    def ends(g: Board) -> set[str]:
        return {" ".join(g.map.grid.names(path)) for path in retreat_paths(g, [u(g, "S")], h(g, "0,0"))}

    g = battle()
    assert {p for p in ends(g) if " " not in p} == {"2,-1", "2,0", "1,1"}, "away from the attackers"
    assert all(g.map.grid.distance(h(g, "0,0"), h(g, p.split()[-1])) > 1 for p in ends(g))
    g = battle(sov("F", "2,0"))
    assert "2,0" not in ends(g), "a second infantry unit has no room"
    assert "2,0 3,0" in ends(g), "so it goes on"
    g = battle(ger("B", "2,-1"), hq("HQ", "1,1", "298ID"))
    assert ends(g) & {"2,-1", "1,1"} == set(), "enemies bar the way, HQs too"
    wet = {f"{a}|1,0": w for a, w in (("2,-1", "bug"), ("2,0", "lake"), ("1,1", "stream"))}
    assert {p.split()[0] for p in ends(battle(on=board(sides=wet)))} == {"1,1"}
    g = battle(sov("F", "2,0"), sov("G", "3,0"), sov("K", "3,-1"), sov("L", "2,1"))
    assert any(p.count(" ") >= 2 for p in ends(g)), "farther than two where there is no room"


def test_an_empty_enemy_zone_costs_strength_and_a_friend_opens_it() -> None:
    g = result(battle(ger("B", "2,1")), "retreat", (0, 2))
    do(g, "retreat 2,0")
    assert g.steps[u(g, "S")] == 7 - 1 - 1, "one of two hits left, and one for the zone"
    g = result(battle(ger("B", "2,1"), sov("T", "2,0", "afv")), "retreat", (0, 2))
    do(g, "retreat 2,0")
    assert g.steps[u(g, "S")] == 7 - 1
    assert g.track("lost_infantry") == 1


def test_a_stack_without_a_way() -> None:
    ring = {f"{a}|1,0": "lake" for a in ("2,-1", "2,0", "1,1")}
    cut = {"s": sov("S", "1,0", status="disrupted"), "on": board(sides=ring)}
    g = result(battle(**cut), "retreat", (0, 2))  # type: ignore[arg-type]
    assert at(g, "S") == "1,0"
    assert g.steps[u(g, "S")] == 5, "no hit is cancelled"
    g = result(battle(**cut, retreat_blocked="eliminated"), "retreat", (0, 2))  # type: ignore[arg-type]
    assert not g.on_map(u(g, "S"))


def test_the_last_hex_alone_away() -> None:
    g = battle(sov("F", "2,0"), retreat_away="last_hex")
    short = [p for p in retreat_paths(g, [u(g, "S")], h(g, "0,0")) if p[0] == h(g, "0,1")]
    assert short, "sideways first"
    assert all(g.map.grid.distance(h(g, "0,0"), p[-1]) > 1 for p in short)


@pytest.mark.rule("bug41", "PA-CS.H5", "RX-7.5.adv")
def test_battle_victory_gives_a_point_and_an_advance() -> None:
    g = battle(ger("B", "0,0", "afv"), s=sov("S", "1,0", steps=1))
    result(g, "defender_loses_first", (0, 1), names="A B")
    assert texts(g) == ["pass", "advance A B", "advance A", "advance B"]
    do(g, "advance A")
    assert (at(g, "A"), at(g, "B")) == ("1,0", "0,0")
    assert points(g) == 6
    assert g.owner[h(g, "1,0")] == GERMAN
    g = result(battle(s=sov("S", "1,0", steps=1)), "defender_loses_first", (0, 1))
    do(g, "pass")
    assert points(g) == 6, "no advance is needed"
    g = result(battle(), "defender_loses_first", (0, 1))
    assert points(g) == 5


def test_two_bonus_points_in_an_activation_at_most() -> None:
    g = battle(s=sov("S", "1,0", steps=1))
    act(g, points=3, bonus=2)
    do(g, "hasty 1,0 with A", "pass", dice=[12, 1, 10])
    assert points(g) == 2


def test_disrupted_attackers_do_not_advance_and_dead_ones_win_nothing() -> None:
    g = battle(s=sov("S", "1,0", steps=1))
    g.disrupt(u(g, "A"), "")
    result(g, "defender_loses_first", (0, 1))
    assert points(g) == 6
    assert not any("advance" in t for t in texts(g))
    g = pos(ger("A", "0,0", steps=1), sov("S", "1,0", steps=1))
    result(g, "attacker_loses_first", (1, 1))
    assert points(g) == 5


def test_an_advance_displaces_hqs() -> None:
    towns = {"1,0": "town", "3,0": "village"}
    g = battle(hq("Q", "1,0", "215MD"), s=sov("S", "1,0", steps=1), on=board(terrain=towns))
    result(g, "defender_loses_first", (0, 1))
    do(g, "advance A")
    assert (at(g, "A"), at(g, "Q")) == ("1,0", "3,0")


def test_attackers_lose_their_improved_defense() -> None:
    g = battle()
    g.set_status(u(g, "A"), 2)
    do(act(g), "hasty 1,0 with A", dice=[1, 1, 1, 1])
    assert not g.status[u(g, "A")]


def few_chits(g: Board) -> Board:
    """Four chits of the twelve: every fall of chits and dice is played."""
    g.charts = copy(g.charts)
    g.charts.chits, g.chits = g.charts.chits[::3], bytearray(4)
    return g


# --- odds ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["hasty", "regular", "prepared"])
def test_exact_odds_are_those_of_play(kind: str) -> None:
    """Two defenders stop the play after the die, at the choice of the first loss; one attacker has none."""
    g = few_chits(battle(sov("T", "1,0", "afv", strength=4), hq("HQ", "-6,0", "298ID", support=2)))
    odds = odds_of(g, f(g, "298ID"), kind, h(g, "1,0"), [u(g, "A")])
    assert sum(odds.hits.values()) == sum(odds.columns.values()) == 1
    act(g)
    found: Counter[tuple[int, int]] = Counter()
    for weight, _, after in outcomes(g, NOTATION.parse(g, f"{kind} 1,0 with A")):
        lost = 8 - after.steps[u(g, "A")]
        combat = [p for p in after.stack if isinstance(p, Attack)]
        if combat and combat[0].hits_on_defender + 1 and after.stack[-1] is not combat[0]:
            found[combat[0].hits + min(lost, 1), combat[0].hits_on_defender + 1] += weight
        else:
            found[lost, 0] += weight
    assert {k: v for k, v in found.items() if k[1]} == {(a, d): p for (a, d), p in odds.hits.items() if d}
    assert sum(v for k, v in found.items() if not k[1]) == sum(p for hit, p in odds.hits.items() if not hit.defender)


@pytest.mark.parametrize("status", ["", "disrupted"])
def test_the_chance_that_the_defender_must_go_is_that_of_play(status: str) -> None:
    g = few_chits(battle(s=sov("S", "1,0", status=status, effectiveness=4), on=board(pillboxes=["1,0"])))
    odds = odds_of(g, f(g, "298ID"), "regular", h(g, "1,0"), [u(g, "A")])
    act(g)
    forced = Fraction(0)
    disrupted = Fraction(0)
    for weight, _, after in outcomes(g, NOTATION.parse(g, "regular 1,0 with A")):
        forced += weight * any(isinstance(p, Retreat) and p.forced for p in after.stack)
        disrupted += weight * after.is_disrupted(u(g, "A"))
    assert forced == odds.must_go
    assert disrupted == odds.disruption[u(g, "A")]
    assert (u(g, "S") in odds.disruption) == (not status)


def test_odds_explain_themselves() -> None:
    g = battle()
    doc = odds_of(g, f(g, "298ID"), "prepared", h(g, "1,0"), [u(g, "A")]).as_json(g)
    assert doc["attack"]["total"] == 8
    assert sum(Fraction(row["chance"]) for row in doc["hits"]) == 1
    assert doc["can_retreat"]
    assert start(battle(), Retreat(SOVIET, (1,), h(g, "0,0"), True)).stack
