"""Exact chances that questions tell, against every fall of the dice played out; and the answers on combat."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest

from kessel.core.analysis import analyze, read_position
from kessel.core.errors import BadInput
from kessel.games.bug41.board import Board
from kessel.games.bug41.combat.attack import Attack
from kessel.games.bug41.combat.odds import odds_of
from kessel.games.bug41.notation import NOTATION
from kessel.wargame.odds import by_play

from .test_questions import HQS, ask, disc, ger, hq, sov


def position(units: list[dict[str, Any]], formation: str = "298ID", points: int = 7, **more: Any) -> Board:
    doc = {"game": "bug41", "board": {"hexes": disc()}, "turn": 2, "units": units, "phase": "activation", **more}
    found = read_position(json.dumps({**doc, "active": {"formation": formation, "points": points}}))[1]
    assert isinstance(found, Board)
    return found


def with_few_chits(g: Board, *kept: int) -> Board:
    """The same board with only these chits in the cup, so that every fall of the dice can be played out."""
    g.charts = copy.copy(g.charts)
    g.charts.chits = tuple(g.charts.chits[i] for i in kept)
    g.chits = bytearray(len(kept))
    g.changed()
    return g


def chances(found: list[dict[str, Any]]) -> dict[str, Fraction]:
    return {row["result"]: Fraction(row["chance"]) for row in found}


# --- attacks ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "PA-CS.G")
@pytest.mark.parametrize("kind", ["hasty", "regular", "prepared"])
def test_chances_of_hits_disruption_and_retreat_are_those_of_play(kind: str) -> None:
    units = [ger("A", "0,0", "afv", tank_points=3, effectiveness=7), sov("R", "1,0"), *HQS]
    g = with_few_chits(position(units), 0, 11)
    a, r = g.forces.unit("A"), g.forces.unit("R")
    action = NOTATION.parse(g, f"{kind} 1,0 with A")
    odds = odds_of(g, g.command[a], kind, g.map.grid.hex("1,0"), (a,))

    def result(h: Board) -> tuple[int, int, bool, bool, bool]:
        p = next((p for p in h.stack if isinstance(p, Attack)), None)
        forced = bool(h.stack and getattr(h.stack[-1], "forced", False))
        return g.steps[a] - h.steps[a], p.hits if p else 0, h.is_disrupted(a), h.is_disrupted(r), forced

    played = by_play(g, action, result)
    assert sum(played.values()) == 1
    assert sum((p for key, p in played.items() if key[2]), Fraction(0)) == odds.disruption[a]
    assert sum((p for key, p in played.items() if key[3]), Fraction(0)) == odds.disruption[r]
    assert sum((p for key, p in played.items() if key[4]), Fraction(0)) == odds.must_go
    assert odds.must_go > 0


@pytest.mark.rule("bug41", "PA-CS.D")
def test_an_attack_with_multipliers_that_are_known() -> None:
    units = [ger("A", "0,0"), sov("R", "1,0", strength=4), *HQS]
    question = {"question": "attack", "target": "1,0", "units": ["A"], "kind": "hasty", "multipliers": ["1 1/2", "1"]}
    found = ask(units, question)
    assert (found["ratio"], found["printed_ratio"], found["column"]) == ("3:1", "3:1", 10)
    assert found["modifier"]["total"] == 0
    assert (found["results"]["3"], found["results"]["10"]) == ("2/2", "1/3")
    assert found["red"]["3"] == ["attacker", "defender"]
    dense = ask(units, question, {"terrain": {"1,0": "dense_forest"}})
    assert (dense["printed_ratio"], dense["column"]) == ("3:1", 6)
    for given, where in ((["x", "1"], "[0]"), (["1", "0"], "[1]")):
        with pytest.raises(BadInput) as e:
            ask(units, {**question, "multipliers": given})
        assert e.value.where == f"$.ask[0].multipliers{where}"


@pytest.mark.rule("bug41", "PA-disruption.6")
def test_a_disrupted_defender_reads_the_left_column() -> None:
    question = {"question": "attack", "target": "1,0", "units": ["A"]}
    fit = ask([ger("A", "0,0"), sov("R", "1,0"), *HQS], question)
    weak = ask([ger("A", "0,0"), sov("R", "1,0", status="disrupted"), *HQS], question)
    assert (fit["state"], weak["state"]) == ("defense", "disrupted")

    def mean(found: dict[str, Any]) -> Fraction:
        return sum((int(c) * p for c, p in chances(found["columns"]).items()), Fraction(0))

    assert mean(weak) > mean(fit)
    assert weak["must_retreat"] == str(sum(p for h, p in chances(weak["hits"]).items() if not h.endswith("/0")))


@pytest.mark.rule("bug41", "RX-7.5.red")
def test_how_many_units_are_disrupted() -> None:
    units = [ger("A", "0,0"), ger("G", "0,0", "anti_tank"), sov("R", "1,0"), *HQS]
    found = ask(units, {"question": "attack", "target": "1,0", "units": ["A", "G"]})
    mine = chances(found["disrupted"]["attackers"])
    assert sum(mine.values()) == 1
    red = sum(p for h, p in chances(found["hits"]).items() if int(h[0]) >= 2)
    assert mine["2"] == red * Fraction(4, 10) ** 2
    assert mine["1"] + 2 * mine["2"] == sum(Fraction(found["disruption"][u]) for u in ("A", "G"))


@pytest.mark.rule("bug41", "PA-OOC.2a")
def test_attacks_that_are_not_legal() -> None:
    far = [ger("A", "0,0"), sov("R", "1,0"), hq("HG", "-3,0", "298ID", range=1), HQS[1]]
    question = {"question": "attack", "target": "1,0", "units": ["A"]}
    assert ask(far, question)["refusal"]["rule"] == "PA-OOC.2a"
    assert ask(far, {**question, "kind": "hasty"})["cost"]["total"] == 2
    river = {"hexsides": {"0,0|1,0": ["bug"]}}
    assert ask([ger("A", "0,0"), sov("R", "1,0"), *HQS], question, river)["refusal"]["rule"] == "PA-TEC.bug.combat"
    poor = {"phase": "activation", "active": {"formation": "298ID", "points": 1}}
    assert ask([ger("A", "0,0"), sov("R", "1,0"), *HQS], question, **poor)["refusal"]["rule"] == "PA-AP.regular"


# --- retreats --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "RX-7.5.ret")
def test_ways_of_a_retreat() -> None:
    units = [ger("A", "0,0"), sov("R", "1,0"), ger("B", "2,1"), *HQS]
    found = ask(units, {"question": "retreat", "hex": "1,0", "attacked_from": "0,0"})
    ways = {tuple(w["path"]): w for w in found["ways"]}
    assert ways["2,-1",]["cancels"] == 1
    assert ways["2,-1",]["costly"] == []
    assert ways["2,0",]["each_unit_loses"] == 1, "in the zone of B"
    assert all(abs(int(path[0].split(",")[0])) == 2 or path[0] == "1,1" for path in ways)
    question = {"question": "retreat", "hex": "1,0", "attacked_from": "0,0"}
    lakes = {f"1,0|{n}": ["lake"] for n in ("2,0", "2,-1", "1,1", "1,-1", "0,1")}
    closed = ask([ger("A", "0,0"), sov("R", "1,0"), *HQS], question, {"hexsides": lakes})
    assert closed["ways"] == []
    assert closed["blocked"] == "stay, Disrupted"


# --- Reactions, points, recovery -------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "RX-6.4.2")
def test_the_chance_of_a_reaction_is_that_of_play() -> None:
    units = [ger("A", "0,0"), sov("R", "1,0"), *HQS]
    found = ask(units, {"question": "reaction", "hex": "0,0", "side": "soviet"}, levels={"87RD": 3})["formations"][
        "87RD"
    ]
    active = {"formation": "298ID", "points": 3, "moved_to": "0,0"}
    doc = {
        "game": "bug41",
        "board": {"hexes": disc()},
        "turn": 2,
        "units": units,
        "phase": "reaction",
        "active": active,
    }
    g: Any = read_position(json.dumps({**doc, "levels": {"87RD": 3}}))[1]
    played = by_play(g, ("react", "87RD"), lambda h: h.stack[-1].points if h.stack[-1].side == 1 else 0)
    assert 1 - played[0] == Fraction(found["chance"]) == Fraction(6, 10)
    for points, p in chances(found["points"]).items():
        assert played[int(points)] == p * Fraction(found["chance"])


@pytest.mark.rule("bug41", "PA-T1.surprise.6")
def test_surprise_spoils_reactions() -> None:
    units = [ger("A", "0,0"), sov("R", "1,0"), *HQS]
    question = {"question": "reaction", "hex": "0,0", "side": "soviet"}
    found = ask(units, question, surprise=True, turn=1)["formations"]["87RD"]
    assert (found["modifier"], found["chance"]) == (2, "2/5")
    weak = ask([ger("A", "0,0"), sov("R", "1,0", status="disrupted"), *HQS], question)["formations"]["87RD"]
    assert weak["refusal"]["rule"] == "RX-6.4.1"


@pytest.mark.rule("bug41", "PA-APT.red")
def test_action_points_by_the_die() -> None:
    found = ask(HQS, {"question": "points", "formation": "298ID", "level": 5})
    assert [found["normal"][str(d)] for d in range(1, 11)] == [1, 2, 3, 4, 5, 5, 5, 5, 6, 7]
    assert all(found["reaction"][d] == -(-n // 2) for d, n in found["normal"].items())
    assert sum(chances(found["chances"]).values()) == 1
    spent = ask(HQS, {"question": "points", "formation": "298ID"}, levels={"298ID": 0})
    assert spent["refusal"]["rule"] == "RX-6.2"


@pytest.mark.rule("bug41", "PA-attrition.1")
def test_recovery_of_isolated_units() -> None:
    ring = ["1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1"]
    units = [ger("A", "0,0", status="disrupted"), *(sov(f"R{i}", h) for i, h in enumerate(ring)), *HQS]
    found = ask(units, {"question": "recovery", "unit": "A"})
    assert found["command"] == "isolated"
    assert found["refit"]["chance"] == str(Fraction(36, 100)), "the check of isolation, then that of the Refit"
    assert found["refit"]["cost"]["total"] == 2
    assert found["recovery_segment"] == {"chance": "0", "rule": "PA-OOC.4"}
    assert chances(found["attrition"]["strength_lost"]) == {
        "0": Fraction(6, 10),
        "1": Fraction(3, 10),
        "2": Fraction(1, 10),
    }


@pytest.mark.rule("bug41", "PA-TEC.c4")
def test_the_chance_of_a_refit_is_that_of_play() -> None:
    units = [sov("R", "1,0", status="disrupted"), *HQS]
    found = ask(units, {"question": "recovery", "unit": "R"}, {"pillboxes": ["1,0"]})
    assert found["refit"]["chance"] == "7/10"
    doc = {"game": "bug41", "board": {"hexes": {**disc(), "1,0": {"features": ["pillbox"]}}}, "turn": 2, "units": units}
    more = {"phase": "activation", "active": {"formation": "87RD", "points": 1}}
    g: Any = read_position(json.dumps({**doc, **more}))[1]
    u = g.forces.unit("R")
    assert by_play(g, ("refit", g.place[u]), lambda h: not h.is_disrupted(u))[True] == Fraction(7, 10)


@pytest.mark.rule("bug41", "RX-8.2")
def test_recovery_of_levels() -> None:
    question = {"question": "recovery", "unit": "HS"}
    supply = {"areas": {"east_soviet_supply": "3,0"}}
    levels = {"87RD": 1}
    gains = [ask(HQS, {**question, "interdiction": n}, supply, levels=levels)["after"] for n in (0, 1, 2)]
    assert gains == [5, 4, 3]
    cut = ask([hq("HS", "3,0", "87RD", status="expended")], question, levels=levels)
    assert (cut["gain"], cut["after"], cut["uses_emergency_supply"]) == (0, 1, False)


# --- victory ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "RX-9")
def test_how_the_game_stands() -> None:
    doc = {
        "game": "bug41",
        "scenario": "ustyluh",
        "control": {"1212": "german", "1813": "german"},
        "lost": {"infantry": 31},
    }
    found = analyze(json.dumps({**doc, "ask": [{"question": "victory"}]}))["answers"][0]
    assert (found["points"]["total"], found["losses"], found["winner"]) == (4, "31/30", "german")
    assert found["places"] == {"1212": "german", "1813": "german", "1913": "soviet"}


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"initiative": {"space": 9, "side": "soviet"}}, "$.initiative.space"),
        ({"initiative": {"space": 1, "side": "roman"}}, "$.initiative.side"),
        ({"interdiction": 3}, "$.interdiction"),
        ({"lost": {"afv": -1}}, "$.lost.afv"),
        ({"phase": "dinner"}, "$.phase"),
        ({"phase": "replacements"}, "$.phase"),
        ({"phase": "activation", "active": {"formation": "298ID", "points": -1}}, "$.active.points"),
        ({"phase": "activation", "active": {"formation": "298ID", "points": 1, "boats": 3}}, "$.active.boats"),
        ({"phase": "reaction", "active": {"formation": "298ID", "points": 1}}, "$.active.moved_to"),
        ({"last_activated": "9ID", "phase": "german_choice"}, "$.last_activated"),
        ({"control": {"9,9": "german"}}, "$.control.9,9"),
        ({"units": [ger("A", "0,0"), sov("R", "0,0")]}, "$.units[1].at"),
        ({"units": [ger("A", "0,0", status="expended")]}, "$.units[0].status"),
        ({"units": [ger("A", "0,0", status=["disrupted", "improved"])]}, "$.units[0].status"),
        ({"units": [ger("A", "0,0", under="87RD"), hq("HS", "1,0", "87RD")]}, "$.units[0].under"),
        ({"units": [ger("A", "0,0", steps=9)]}, "$.units[0].steps"),
        ({"options": {"hq_half": "sideways"}}, "$.options.hq_half"),
        ({"nonsense": 1}, "$"),
    ],
)
def test_mistakes_in_positions_are_refused_with_their_path(more: dict[str, Any], where: str) -> None:
    given = more.pop("units", [ger("A", "0,0"), *HQS])
    with pytest.raises(BadInput) as e:
        ask(given, {"question": "victory"}, **more)
    assert e.value.where == where
