"""The trace of the Soviet system: the log of an activation, the question `system`, and what they must not tell."""

from __future__ import annotations

import json

import msgspec
import pytest

from kessel.core.analysis import analyze
from kessel.core.errors import BadInput
from kessel.core.procedure import run
from kessel.games.kharkov43.combat.battle import battle_of
from kessel.games.kharkov43.combat.joining import soviet_units_join
from kessel.games.kharkov43.movement.stacking import overstacked
from kessel.games.kharkov43.system.soviet_activation import SovietActivation
from kessel.games.kharkov43.title import TITLE

from .helpers import german, hx, position, soviet, tanks, unit
from .soviet_helpers import activate, active, active_tanks, arena, southwest, voronezh
from .test_09_examples import mobile_group_popov, third_tank_army

rule = pytest.mark.rule
OPEN = {"roads_on": ()}


def doc(*units, ask=None, **more):
    more.setdefault("board", arena(**OPEN))
    more.setdefault("turn", 3)
    more.setdefault("objectives", southwest("1917"))
    return {"game": "kharkov43", "units": list(units), "ask": [{"question": "system", **(ask or {})}], **more}


def system(*units, **more):
    return analyze(msgspec.json.encode(doc(*units, **more)))["answers"][0]


SCENE = (
    soviet("A", "1907", "3-4-05 1-4-15"),
    soviet("B", "1909", "9-4-02 4-4-12"),
    german("G", "1910", "2-4"),
    german("H", "1513", "3-4"),
)


# --- the question ----------------------------------------------------------------------------------------------------


def test_the_question_tells_who_is_active_what_is_checked_and_what_is_done():
    found = system(*SCENE, ask={"formation": "6"})
    assert found["active"]["units"] == {"A": "6 Army", "B": "6 Army"}
    assert found["movement"]["methods"] == "9.21"
    first = found["movement"]["checks"][0]
    assert (first["rule"], [u["unit"] for u in first["units"]]) == ("9.21.1", ["A", "B"]), "descending"
    assert found["attacks"][0]["target"] == "1910"
    assert found["attacks"][0]["attacks"] is True
    assert found["stopped"] == "what follows depends on the combat"
    assert any("leads a check against 1910" in line for line in found["log"])


@rule("kharkov43", "9.41a")
def test_of_several_targets_every_ratio_is_told():
    here = active("A", "1909", "6-4-05 1-4-15", status=["moved"])
    targets = system(here, german("G", "1910", "2-4"), german("H", "1809", "1-4"))["attacks"][0]["targets"]
    assert targets["ratios"] == {"1809": "6:2, that is 3:1", "1910": "6:3, that is 2:1"}, "each is beside the other"
    assert (targets["rule"], targets["hex"], targets["preferences"][0]["out"]) == ("9.41", "1809", ["1910"])


@rule("kharkov43", "9.4d")
@rule("kharkov43", "9.42a")
def test_units_that_lead_no_check_are_told_with_the_reason():
    units = [
        active("A", "1909", "2-4-05 1-4-15", status=["moved"]),
        active("B", "1708", "2-4-06", status=["moved"]),
        active("C", "2010", "3-4-07 1-4-17", status=["dispersed"]),
        active("D", "2008", "1-4-08 1-4-18", status=["moved"]),
        german("G", "1910", "9-4"),
        german("H", "1709", "9-4"),
    ]
    found = system(*units, ask={"attacks": "no_effect"})
    assert [(c["lead"], c["target"]) for c in found["attacks"]] == [("A", "1910")]
    why = {n: {h: (r["rule"], r["reason"]) for h, r in by.items()} for n, by in found["not_leading"].items()}
    assert why == {
        "B": {"1709": ("9.4", "B has just one step and the target is supplied")},
        "C": {"1910": ("9.42", "1910 has been the target of a check in this activation")},
    }
    assert found["movement"]["dispersed"] == ["C"]
    alone = system(*units[1:])["not_leading"]
    assert alone["C"]["1910"] == {"rule": "9.4", "reason": "C is dispersed"}


def test_a_reserve_left_in_its_box_is_told_why_no_hex_will_do():
    village = {"features": {"1812": "village target_southwest", "1815": "village target_southwest"}}
    units = [soviet("R", "reserve"), soviet("A", "1907"), german("G", "1815", "9-4"), german("H", "1811", "9-4")]
    found = system(*units, board=arena(**OPEN, **village), turn=5, ask={"formation": "6", "attacks": "no_effect"})
    (check,) = found["reserve_checks"]
    assert (check["unit"], check["rule"], check["hex"], check["candidates"]) == ("R", "9.5", "", [])
    assert check["not_eligible"] == {"1812": "reserve supply can't be traced to it", "1815": "it is occupied"}


def test_hexes_that_get_no_improved_position_are_told_why():
    town = arena(**OPEN, terrain={"1907": "town"})
    units = [soviet("A", "1907", status=["active"]), soviet("B", "2107", status=["active", "moved"])]
    found = system(*units, board=town, turn=5, soviet_towns="1907", objectives={}, ask={"attacks": "no_effect"})
    why = found["improved_position"]["not_qualifying"]
    assert why["1907"]["rule"] == "14.22"
    assert "9.7" in {r["rule"] for r in why.values()}


@rule("kharkov43", "9.11a")
@pytest.mark.parametrize(("turn", "stage", "by"), [(3, 1, "9.11"), (3, 3, "9.12"), (8, 1, "9.0")])
def test_why_the_objective_marker_remains(turn: int, stage: int, by: str):
    found = system(*SCENE, turn=turn, objectives=southwest("1617", stage=stage), ask={"formation": "6"})
    assert found["objective"]["remains"]["rule"] == by


def test_it_goes_on_as_if_combats_changed_nothing_if_asked_to():
    found = system(*SCENE, ask={"formation": "6", "attacks": "no_effect"})
    assert "stopped" not in found
    assert {"reserves", "removals", "improved_position"} <= set(found)


def test_each_cut_carries_its_rule_and_the_hexes_it_left():
    found = system(*SCENE, ask={"formation": "6"})
    steps = [t for m in found["movement"]["checks"] for u in m["units"] for t in u.get("tried", [])]
    assert steps
    for step in steps:
        left = set(step["candidates"]) - {f["hex"] for f in step.get("forbidden", [])}
        assert not step["hex"] or step["hex"] in left
        for cut in step.get("preferences", []):
            assert cut["rule"][0] == "9"
            assert not set(cut["out"]) & set(cut["left"])


def test_a_card_is_read_from_top_to_bottom():
    found = system(*SCENE, ask={"card": "E11"}, turn=6, vp=10)
    assert found["passed_over"][0]["rule"] == "8.12"
    assert found["command"] == "activate 6"
    assert found["attacks"][0]["lead"] == "B"
    event = system(soviet("S", "1907", army="40"), ask={"card": "E12"})
    assert event["refusal"]["rule"] == "8.1"


def test_active_units_of_the_position_are_taken_as_they_are():
    found = system(active("A", "1907"), soviet("B", "1807"))
    assert list(found["active"]["units"]) == ["A"]
    assert found["movement"]["moves"] == {"A": "1911"}


@rule("kharkov43", "9.11b")
def test_a_marker_that_would_be_relocated_to_hexes_off_a_small_board_stays_and_says_so():
    """1608 leads to 2015, Pavlograd and 2809, which are not all on the board; A occupies it."""
    units = [soviet("A", "1608", army="Popov"), soviet("Z", "2206")]
    asked = {"ask": {"formation": "6", "attacks": "no_effect"}, "objectives": southwest("1608"), "turn": 4}
    found = system(*units, **asked)
    assert found["objective"]["not_relocated"]["rule"] == "9.11"
    assert found["objective"]["not_relocated"]["reason"].startswith("A is in 1608, but")
    assert "relocated" not in found["objective"]
    assert found["objective"]["hex"] == "1608"
    apart = system(units[1], **asked)
    assert set(apart["objective"]) == {"front", "in_play", "hex", "remains"}


@rule("kharkov43", "9.12b")
def test_the_answer_tells_of_a_third_objective_entered():
    """A goes to the marker's hex; at the end of the activation the marker leaves play."""
    asked = {"ask": {"formation": "6"}, "objectives": southwest("1909", stage=3), "turn": 4}
    found = system(soviet("A", "1907"), **asked)
    assert found["movement"]["moves"] == {"A": "1909"}
    assert found["objectives_removed"] == ["Southwest"]
    assert "objectives_removed" not in system(soviet("A", "1907", "3-1"), **asked)


@rule("kharkov43", "12.2h")
@rule("kharkov43", "9.5a")
@pytest.mark.parametrize("attacks", ["stop", "no_effect"])
def test_the_answer_tells_which_reserves_join_an_attack_and_where(attacks):
    """Of the hexes beside G that B could get to 1809 and 2009 are empty, and 2009 is the higher number (12.2 e, f)."""
    units = [soviet("B", "1909", "9-4-02 4-4-12"), german("G", "1910", "2-4 1-4"), soviet("R", "reserve", "3-4-07")]
    found = system(*units, ask={"formation": "6", "card": "E11", "attacks": attacks}, turn=4)
    assert [a["reserves_placed"] for a in found["attacks"]] == [{"R": "2009"}]
    assert found.get("reserves", {}) == {}, "it is on the map already (9.5)"
    strong = soviet("B", "1909", "16-4-02 4-4-12")
    swamped = system(strong, *units[1:], ask={"formation": "6", "attacks": attacks}, turn=4)
    assert swamped["attacks"][0]["reserves"] == ["R"], "the check counts it"
    assert "reserves_placed" not in swamped["attacks"][0], "the attack is overwhelming (12.38)"


@rule("kharkov43", "9.0f")
def test_the_answer_tells_who_recovers():
    units = [soviet("A", "1907", status=["dispersed"]), soviet("B", "1907", army="Popov", status=["dispersed"])]
    found = system(*units, ask={"formation": "6"})
    assert found["movement"]["moves"] == {}
    assert found["undispersed"] == ["A"], "B is not active"


def test_a_relocation_waits_for_its_die():
    units = [soviet("A", "1608", army="6")]
    asked = {"board": "", "objectives": southwest("1608"), "turn": 2}
    found = system(*units, ask={"formation": "6"}, **asked)
    assert found["objective"]["relocated"]["rule"] == "9.11"
    assert list(found["objective"]["by_die"]) == [str(die) for die in range(1, 11)]
    assert found["objective"]["by_die"]["7"] == "2412 W"
    assert "movement" not in found
    found = system(*units, ask={"formation": "6", "objective_die": 7}, **asked)
    assert found["objective"]["hex"] == "2412"
    assert "movement" in found


def test_the_position_is_not_changed_and_the_answer_is_repeatable():
    raw = msgspec.json.encode(doc(*SCENE, ask={"formation": "6"}))
    assert analyze(raw) == analyze(raw)


@pytest.mark.parametrize(
    ("ask", "more", "where"),
    [
        ({"formation": "7"}, {}, "$.ask[0].formation"),
        ({"card": "E99"}, {}, "$.ask[0].card"),
        ({"card": "P23"}, {}, "$.ask[0].card"),
        ({}, {}, "$.ask[0]"),
        ({"formation": "6", "attacks": "maybe"}, {}, "$.ask[0].attacks"),
        ({"formation": "6", "colour": "red"}, {}, "$.ask[0]"),
    ],
)
def test_bad_questions_are_refused_with_one_sentence(ask, more, where):
    with pytest.raises(BadInput) as e:
        system(*SCENE, ask=ask, **more)
    assert e.value.where.startswith(where)
    assert "\n" not in str(e.value)


@pytest.mark.parametrize("ask", [{"card": "E11"}, {"formation": "6"}])
def test_the_question_can_be_asked_while_germans_are_active(ask):
    """What German units did in their activation does not bear on a Soviet one."""
    busy = german("G", "1910", "2-4", status=["active", "moved"])
    asked = {**ask, "attacks": "no_effect"}
    assert system(*SCENE[:2], busy, SCENE[3], ask=asked) == system(*SCENE, ask=asked)


def test_active_units_of_both_fronts_are_refused():
    with pytest.raises(BadInput, match="both fronts"):
        system(active("A", "1907"), active("V", "1707", army="3T"))


# --- the log ---------------------------------------------------------------------------------------------------------


def told(g, front, card="E10", armies=()):
    g.events = []
    g.stack = [SovietActivation(g.charts.card_index(card), front, armies)]
    run(g)
    return g.events


def test_the_short_form_names_unit_hex_method_and_what_decided():
    texts = [e["what"] for e in told(third_tank_army(), "Voronezh", "E07")]
    method = "9.21 method 11, move closest to front objective"
    assert f"3T unit 04 (04) to 1103: {method}, closer to 1009; the highest hex number" in texts
    assert "3T unit 05 (05) does not move: no method applies" in texts


def test_every_line_of_a_unit_carries_the_long_form():
    g = mobile_group_popov()
    events = told(g, "Southwest", "E17")
    moves = [e for e in events if e["rule"].startswith("9.21.")]
    assert len(moves) == 6
    for e in moves:
        assert e["trace"][-1]["result"] == "moves"
        assert e["trace"][-1]["to"] == e["to"]
        assert [c["rule"] for c in e["trace"]] == [f"9.21.{n}" for n in range(1, len(e["trace"]) + 1)]
    assert json.dumps(events), "plain data"


def test_without_listeners_nothing_is_told_and_the_moves_are_the_same():
    loud, silent = mobile_group_popov(), mobile_group_popov()
    told(loud, "Southwest", "E17")
    silent.stack = [SovietActivation(silent.charts.card_index("E17"), "Southwest")]
    run(silent)
    assert silent.events is None
    assert loud.digest() == silent.digest()


# --- hidden information ----------------------------------------------------------------------------------------------


def hidden_pair():
    """Two games that differ only in what lies in the piles."""
    known = {"auxiliary": "E12", "command": "E10"}
    first = {**known, "draw": "E01 E02 E03 E05 P24", "hand": "P23", "discard": "E07"}
    second = {**known, "draw": "E04 E06 E08 E09 P26", "hand": "P25", "discard": "E11"}
    return first, second


def test_the_answer_does_not_depend_on_undrawn_cards():
    one, two = (system(*SCENE, ask={"card": "E10", "attacks": "no_effect"}, cards=c) for c in hidden_pair())
    assert one == two
    text = json.dumps(one)
    assert not any(card in text for card in ("E01", "E04", "E06", "P24", "P23"))


def test_the_log_of_an_activation_does_not_tell_undrawn_cards():
    logs = []
    for cards in hidden_pair():
        g = position(**{k: v for k, v in doc(*SCENE, cards=cards).items() if k not in ("ask", "game")})
        activate(g, "A", "B")
        events = told(g, "Southwest")
        first_draw = next(i for i, e in enumerate(events) if "card drawn" in e["what"])
        logs.append(events[:first_draw])
    assert logs[0] == logs[1]
    assert any(e["rule"] == "9.4" for e in logs[0])


def test_the_question_is_offered_by_the_title():
    assert "system" in TITLE.questions


# --- Reinforce Battle ------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.25.3")
def test_soviet_reinforcements_of_a_battle_follow_the_tactical_preferences():
    """R could join from 1809 or 1909: from 1909 the defender would be surrounded."""
    g = position(
        board=arena(**OPEN),
        turn=3,
        objectives=southwest("1917"),
        units=[active("A", "1911"), german("G", "1910"), soviet("R", "1807", "3-4"), tanks("T", "2216")],
    )
    b = battle_of(g, 1, hx(g, "1910"), [unit(g, "A")])
    tactic = g.charts.tactics["reinforce_battle"]
    soviet_units_join(g, b, tactic, tactic.attack, True)
    assert g.hex_name(g.place[unit(g, "R")]) == "1909"


def test_an_activation_never_leaves_soviet_units_overstacked():
    g = position(
        board=arena(**OPEN),
        turn=3,
        objectives=southwest("1917") | voronezh("1517"),
        units=[active_tanks(f"U{i}", f"{17 + i % 3}07", f"3-6-{i:02d} 2-6-{i + 10:02d}") for i in range(9)],
    )
    told(g, "Southwest", "E17")
    assert not overstacked(g)
