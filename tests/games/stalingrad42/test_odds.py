"""The exact odds, held against the procedures themselves played out with every fall of the dice."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import pytest

from kessel.core.procedure import asked, legal, outcomes, question
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.chances import final_chances
from kessel.games.stalingrad42.combat.combat_phase import CombatPhase
from kessel.games.stalingrad42.combat.odds import all_attackers, chances, distribution, outlook, with_support

from .fights import combat, start, strength
from .helpers import ask, at, board, do, h, u
from .test_11_determined_defense import POCKET

Ends = dict[tuple[int, int, bool], Fraction]


def play_out(g: Board, *, defend: bool) -> Ends:
    """Every end of the combat at hand: steps lost by A and X, and whether X is gone from 0,0."""
    before = (g.steps[u(g, "A")], g.steps[u(g, "X")])
    found: Ends = {}

    def go(b: Board, weight: Fraction) -> None:
        q = question(b)
        if q is None or isinstance(q[0], CombatPhase):
            key = (before[0] - b.steps[u(b, "A")], before[1] - b.steps[u(b, "X")], at(b, "X") != "0,0")
            found[key] = found.get(key, Fraction(0)) + weight
            return
        actions = legal(b)
        verbs = {a[0]: a for a in reversed(actions)}
        if "desperate" in verbs or "defend" in verbs:
            action = verbs.get("desperate", verbs.get("defend")) if defend else ("pass",)
        else:
            action = ("pass",) if ("pass",) in actions else actions[0]
        for p, _, after in outcomes(b, action):
            go(after, weight * p)

    for p, _, after in outcomes(g, ("declare",)):
        go(after, p)
    return found


def short(found: Any) -> Ends:
    ends: Ends = {}
    for e, p in found.items():
        key = (e.attacker_steps, e.defender_steps, e.empties)
        ends[key] = ends.get(key, Fraction(0)) + p
    return ends


CASES: dict[str, dict[str, Any]] = {
    "open ground": {},
    "woods": {"terrain": {"0,0": "woods"}},
    "city": {"terrain": {"0,0": "major_city"}, "control": {"0,0": "soviet"}},
    "vp hex": {"vp": {"0,0": 1}},
    "early": {"turn": 3},
    "pocket": {"pocket": True},
    "pocket in woods": {"pocket": True, "terrain": {"0,0": "woods"}},
}


@pytest.mark.parametrize("defend", [True, False])
@pytest.mark.parametrize("column", [-2, 0, 1, 2, 4, 6, 9])
@pytest.mark.parametrize("case", CASES)
def test_the_odds_are_those_of_the_procedures(case: str, column: int, defend: bool):
    more = dict(CASES[case])
    units = {"X": "soviet 3-4-3;2-3-3;1-1-3 0,0"} | (POCKET if more.pop("pocket", False) else {})
    defense = 8 if "city" in str(more.get("terrain")) else 4
    units["A"] = f"axis {min(strength(column, defense), 40)}-8-6;5-4-6 1,0"
    g = start(units, phase="combat", **({"turn": 10, "radius": 5} | more))
    do(g, "attack 0,0", "add A")
    g.events = None
    mine = short(distribution(g, combat(g, "0,0", "A"), defend=defend))
    assert sum(mine.values()) == 1
    assert mine == play_out(g, defend=defend)


def test_two_defenders_and_support_sum_to_one():
    units = {
        "A": "axis 20-8-6;5-4-6 1,0",
        "B": "axis 5-8-6;5-4-6 0,1",
        "X": "soviet 3-4-3;2-3-3 0,0 elite",
        "Y": "soviet 3-4-3;2-3-3 0,0",
        "F": "soviet S-(1)-5b -1,0 front range=3",
    }
    g = board(units, turn=10, radius=5)
    a = combat(g, "0,0", "A", "B")
    for defend in (True, False):
        for supported in (True, False):
            for dice in (1, 2, 3):
                assert sum(distribution(g, a, defend=defend, supported=supported, dice=dice).values()) == 1
    found = chances(g, a)
    assert set(found) == {"no_defense", "determined_defense", "supported_defense"}
    held = [found[k]["emptied"] for k in ("no_defense", "determined_defense", "supported_defense")]
    assert held == sorted(held, reverse=True), "each helps the defender"


def test_the_chances_shown_at_the_table_agree():
    units = {"A": "axis 12-8-6;5-4-6 1,0", "X": "soviet 3-4-3;2-3-3 0,0"}
    g = board(units, turn=10, radius=5)
    a = combat(g, "0,0", "A")
    for outcome, advance in (("retreats", "full"), ("delayed", "one hex")):
        shown = sum((c.chance for c in final_chances(g, a) if c.outcome == outcome), Fraction(0))
        assert shown == sum((p for e, p in distribution(g, a).items() if e.advance == advance), Fraction(0))


def test_what_is_told_to_players_sums_the_ends():
    units = {"A": "axis 12-8-6;5-4-6 1,0", "X": "soviet 3-4-3;2-3-3 0,0"}
    g = board(units, turn=10, radius=5)
    a = combat(g, "0,0", "A")
    found = outlook(g, a, ends=True)
    assert list(found["results"]) == ["without Determined Defense", "with Determined Defense"]
    assert list(found["on_the_die"]) == ["1", "2", "3", "4", "5", "6"]
    for told, data in zip(found["results"].values(), found["chances"].values(), strict=True):
        shares: dict[str, float] = {}
        for end in data["ends"]:
            word = f"{end['outcome']} {end['retreat']} hexes" if end["retreat"] else end["outcome"]
            shares[word] = shares.get(word, 0) + end["chance"]
        assert told["chances"] == pytest.approx(shares, abs=1e-5)
        assert told["hex_emptied"] == f"{100 * data['emptied']:.0f} %"
    assert found["results"]["with Determined Defense"]["chances"]["held"] > 0
    assert found["results"]["without Determined Defense"] != found["results"]["with Determined Defense"]


def test_where_no_defense_can_be_tried_one_answer_is_told():
    weak = board({"A": "axis 2-8-6;1-4-6 1,0", "X": "soviet 3-6-3;2-3-3 0,0"}, turn=10, radius=5)
    assert list(outlook(weak, combat(weak, "0,0", "A"))["results"]) == ["whatever the defender does"]
    hopeless = board({"A": "axis 1-8-6;1-4-6 1,0", "X": "soviet 3-40-3;2-3-3 0,0"}, turn=10, radius=5)
    assert outlook(hopeless, combat(hopeless, "0,0", "A")) == {}


def test_six_units_in_ten_milliseconds():
    ring = ("1,0", "0,1", "-1,1", "-1,0", "0,-1", "1,-1")
    units = {f"P{i}": f"axis 3-8-6;2-4-6;1-1-6 {p}" for i, p in enumerate(ring)}
    units |= {"X": "soviet 4-6-3;2-3-3 0,0 elite", "Y": "soviet 4-6-3;2-3-3 0,0"}
    g = board(units, turn=10, radius=5, terrain={"0,0": "woods"})
    a = combat(g, "0,0", *(f"P{i}" for i in range(6)))
    distribution(g, a)
    best = 1.0
    for _ in range(25):
        g.cache.clear()
        t = time.process_time()
        distribution(g, a)
        best = min(best, time.process_time() - t)
    assert best < 0.010


def test_best_case_before_declaring():
    units = {
        "A": "axis 6-8-6 1,0",
        "B": "axis 5-8-6 0,1 nation=romanian",
        "C": "axis 2-8-6 0,1 nation=italian",
        "H": "axis S-(1)-5b 2,0 hq range=5",
        "X": "soviet 3-5-3 0,0",
    }
    g = board(units, phase="combat", radius=5)
    assert all_attackers(g, h(g, "0,0"), 0) == (u(g, "A"), u(g, "B")), "Romanians and Italians do not mix"
    best = with_support(g, combat(g, "0,0", "A", "B"))
    assert best.guns == (u(g, "H"),)
    found = ask(g, "attack", target="0,0")
    assert found["units"] == ["A", "B"]
    assert found["column"] == "2-1"
    assert found["best_case"]["column"] == "3-1"
    assert found["legal"]
    assert asked(start(units, phase="combat")) == 0
