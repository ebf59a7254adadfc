"""The questions a position can ask on movement, zones, stacking, command and supply; and the documentation."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kessel.core.analysis import analyze
from kessel.core.errors import BadInput
from kessel.games.bug41.answers.position import PHASES, Active, Marker, PositionDoc, UnitDoc
from kessel.games.bug41.answers.questions import QUESTIONS
from kessel.games.bug41.board import STATUS

from .helpers import CHARTS

DOCS = Path(__file__).parents[3] / "docs"
EXAMPLE: dict[str, Any] = json.loads((DOCS / "examples/bug41.json").read_text())
TEXT = (DOCS / "positions-bug41.md").read_text()


def disc(radius: int = 3) -> dict[str, Any]:
    span = range(-radius, radius + 1)
    return {f"{q},{r}": {} for q in span for r in span if abs(q + r) <= radius}


def ask(units: list[dict[str, Any]], question: dict[str, Any], board: dict[str, Any] | None = None, **more: Any) -> Any:
    hexes = disc()
    given = dict(board or {})
    for name, terrain in given.pop("terrain", {}).items():
        hexes[name]["terrain"] = terrain
    for name in given.pop("pillboxes", ()):
        hexes[name]["features"] = ["pillbox"]
    doc = {"game": "bug41", "board": {"hexes": hexes, **given}, "turn": 2, "units": units, **more, "ask": [question]}
    return analyze(json.dumps(doc))["answers"][0]


def ger(id: str, at: str, type: str = "infantry", **more: Any) -> dict[str, Any]:
    numbers = {"effectiveness": 6, "ma": 6, "strength": 8}
    return {"id": id, "at": at, "formation": "298ID", "type": type, **numbers, **more}


def sov(id: str, at: str, type: str = "infantry", **more: Any) -> dict[str, Any]:
    numbers = {"effectiveness": 5, "ma": 5, "strength": 7}
    return {"id": id, "at": at, "formation": "87RD", "type": type, **numbers, **more}


def hq(id: str, at: str, formation: str, **more: Any) -> dict[str, Any]:
    numbers = {"reaction": 6, "relocation": 4, "range": 5, "support": 3}
    return {"id": id, "at": at, "formation": formation, "type": "hq", **numbers, **more}


HQS = [hq("HG", "-3,0", "298ID"), hq("HS", "3,0", "87RD")]
WEST_OF_0 = {
    f"-1,{r + more}|0,{r}": ["bug"] for r in range(-3, 4) for more in (0, 1) if -2 <= r + more <= 3 and abs(r) <= 3
}
"""The Bug from edge to edge."""


# --- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "PA-TEC.a")
def test_armor_checks_in_marsh_beside_the_road() -> None:
    panzer = [ger("P", "0,0", "afv", effectiveness=7), *HQS]
    question = {"question": "moves", "unit": "P", "to": "1,0"}
    found = ask(panzer, question, {"terrain": {"1,0": "marsh"}})
    assert found["cost"] == 3
    assert found["marsh_checks"] == {"1,0": {"P": "7/10"}}
    road = {"terrain": {"1,0": "marsh"}, "links": [{"kind": "road", "path": "0,0 1,0"}]}
    found = ask(panzer, question, road)
    assert found["cost"] == 0.5
    assert "marsh_checks" not in found


@pytest.mark.rule("bug41", "PA-TEC.e2")
def test_boats_carry_two_leg_units_of_an_activation() -> None:
    units = [ger("A", "-1,0"), *HQS]
    board = {"hexsides": WEST_OF_0}
    question = {"question": "moves", "unit": "A", "to": "0,0"}
    found = ask(units, question, board)
    assert found["cost"] == 2
    assert found["boats"] == 1
    assert ask(units, {**question, "boats": 0}, board)["refusal"]["rule"] == "PA-TEC.bug.move"
    active = {"phase": "activation", "active": {"formation": "298ID", "points": 2, "boats": 0}}
    assert not ask(units, question, board, **active)["legal"], "the activation has used its boats"
    assert not ask([ger("A", "-1,0", "motorized_infantry"), *HQS], question, board)["legal"]
    stack = [ger("A", "-1,0"), ger("B", "-1,0", "border_guard"), *HQS]
    assert ask(stack, {"question": "moves", "units": ["A", "B"], "to": "0,0"}, board)["boats"] == 2


@pytest.mark.rule("bug41", "RX-7.3.1")
def test_a_mixed_stack_pays_by_class() -> None:
    units = [ger("A", "0,0"), ger("P", "0,0", "afv", ma=8), *HQS]
    found = ask(units, {"question": "moves", "units": ["A", "P"], "to": "1,0"}, {"terrain": {"1,0": "light_forest"}})
    assert found["cost_by_class"] == {"leg": 1, "motorized": 3}


@pytest.mark.rule("bug41", "PA-TEC.leg2", "RX-7.3.2")
def test_what_the_bonus_of_leg_units_pays_for_takes_no_whole_allowance() -> None:
    board = {"terrain": {"1,0": "marsh"}, "hexsides": {"0,0|1,0": ["stream"]}}
    question = {"question": "moves", "unit": "A", "to": "1,0"}
    found = ask([ger("A", "0,0", ma=1), *HQS], question, board)
    assert (found["cost"], found["stops"], found["leg_bonus"]) == (2.5, False, True), "marsh and stream of three points"
    beside = ask([ger("A", "0,0", ma=1), sov("R", "-1,0", status="disrupted"), *HQS], question, board)
    assert (beside["cost"], beside["stops"]) == (1, True), "beside an enemy one hex takes all"


@pytest.mark.rule("bug41", "PA-infil.3")
def test_infiltration_names_each_units_chance_and_who_may_react() -> None:
    units = [ger("A", "0,0"), sov("R", "1,0"), *HQS]
    found = ask(units, {"question": "moves", "unit": "A"})
    assert found["infiltration"]["0,1"] == {"rule": "PA-infil.1", "chances": {"A": "3/5"}, "may_react": ["87RD"]}
    assert set(found["infiltration"]) == {"0,1", "1,-1"}
    assert ask(units, {"question": "moves", "unit": "A", "to": "0,1"})["path"] != ["0,1"], "only round about"


@pytest.mark.rule("bug41", "PA-TEC.leg2")
def test_leg_units_away_from_enemies_have_two_points_more() -> None:
    alone = ask([ger("A", "-3,3", ma=4), *HQS[:1]], {"question": "moves", "unit": "A"})
    assert alone["allowance"]["total"] == 6
    assert alone["reach"]["3,-3"]["leg_bonus"]
    assert "leg_bonus" not in alone["reach"]["0,0"]
    near = ask([ger("A", "0,0"), sov("R", "1,0"), *HQS], {"question": "moves", "unit": "A"})
    assert near["allowance"]["total"] == 6


@pytest.mark.rule("bug41", "PA-OOC.2b")
def test_who_is_out_of_command_pays_double() -> None:
    far = [ger("A", "3,0"), hq("HG", "-3,0", "298ID", range=2)]
    found = ask(far, {"question": "moves", "unit": "A", "to": "2,0"})
    assert found["action_points"]["total"] == 2
    active = {"phase": "activation", "active": {"formation": "298ID", "points": 1}}
    assert ask(far, {"question": "moves", "unit": "A"}, **active)["refusal"]["rule"] == "PA-OOC.2b"
    other = {"phase": "activation", "active": {"formation": "14Pz", "points": 1}}
    both = [*far, hq("HP", "-3,1", "14Pz")]
    assert ask(both, {"question": "moves", "unit": "A", "to": "2,0"}, **other)["legal"], "not its own points"


@pytest.mark.rule("bug41", "RX-7.4")
def test_an_hq_relocates_to_villages_and_towns() -> None:
    board = {"terrain": {"1,0": "village", "2,-2": "town", "-3,1": "village"}}
    found = ask([hq("HG", "-3,0", "298ID")], {"question": "moves", "unit": "HG"}, board)
    assert found["reach"] == {
        "-3,1": {"action_points": 1, "path": ["-3,1"]},
        "1,0": {"action_points": 1, "path": ["-2,0", "-1,0", "0,0", "1,0"]},
        "2,-2": {"action_points": 2, "path": found["reach"]["2,-2"]["path"]},
    }
    assert (
        ask([hq("HG", "-3,0", "298ID")], {"question": "moves", "unit": "HG", "to": "0,0"})["refusal"]["rule"]
        == "RX-7.4"
    )


# --- zones, stacking, command, supply --------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "PA-TEC.town.zoc")
def test_zones_by_class() -> None:
    units = [ger("A", "0,0"), ger("P", "0,0", "afv"), *HQS]
    found = ask(units, {"question": "zoc", "side": "german"}, {"terrain": {"1,0": "town"}})["german"]
    assert "1,0" in found["by_unit"]["A"]
    assert "1,0" not in found["by_unit"]["P"]
    assert found["from"] == ["0,0"]
    assert len(found["hexes"]) == 6


@pytest.mark.example("bug41", "B-E02")
@pytest.mark.rule("bug41", "PA-stacking.3")
def test_an_hq_infantry_and_two_at_units_stack() -> None:
    units = [hq("H", "0,0", "298ID"), ger("A", "0,0"), ger("G1", "0,0", "anti_tank")]
    village = {"terrain": {"0,0": "village"}}
    more = [*units, ger("G2", "1,0", "anti_tank"), ger("B", "1,0")]
    question = {"question": "stacking", "hex": "0,0"}
    assert ask(more, {**question, "units": ["G2"]}, village)["legal"]
    assert ask(more, {**question, "units": ["B"]}, village)["refusal"]["rule"] == "PA-stacking.2"


@pytest.mark.rule("bug41", "PA-command.5")
def test_command_states_and_what_they_mean() -> None:
    units = [ger("A", "-1,0"), ger("B", "3,-3"), hq("HG", "-3,0", "298ID", range=3)]
    found = ask(units, {"question": "command", "formation": "298ID"})["units"]
    assert found["A"]["state"] == "in command"
    assert (found["A"]["distance"], found["A"]["path"]) == (2, ["-2,0", "-3,0"])
    assert found["B"]["state"] == "out of command"
    assert found["B"]["attacks"] == ["hasty"]
    ring = ["1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1"]
    closed = [ger("A", "0,0"), *(sov(f"R{i}", h) for i, h in enumerate(ring)), *HQS]
    alone = ask(closed, {"question": "command", "unit": "A"})
    assert (alone["state"], alone["distance"], alone["check_to_act"]) == ("isolated", None, "3/5")


@pytest.mark.rule("bug41", "RX-5.9")
def test_supply_of_hqs() -> None:
    areas = {"areas": {"german_supply": "-3,3"}}
    found = ask(HQS, {"question": "supply"}, areas)["units"]
    assert found["HG"]["supplied"]
    assert found["HG"]["path"][-1] == "-3,3"
    assert found["HS"] == {
        "supplied": False, "path": [], "marker": "front side", "attack_support": 3, "recovers": True, "rule": "RX-5.9"
    }  # fmt: skip
    spent = ask([hq("HS", "3,0", "87RD", status="expended")], {"question": "supply", "unit": "HS"})
    assert (spent["attack_support"], spent["recovers"]) == (0, False)


# --- what is going on ------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "RX-6.4.2")
def test_a_move_that_has_ended_lets_the_enemy_react() -> None:
    units = [ger("A", "0,0"), sov("R", "1,0"), *HQS]
    going = {"phase": "reaction", "active": {"formation": "298ID", "points": 3, "moved_to": "0,0"}}
    found = ask(units, {"question": "legal"}, **going)
    assert (found["side"], found["actions"]) == ("soviet", ["pass", "react 87RD"])
    after = ask(units, {"question": "legal", "after": ["react 87RD"], "dice": [6, 10]}, **going)
    assert after["side"] == "soviet"
    assert "87. Rifle Division passes its Reaction Check: 6 against 6" in [t["what"] for t in after["told"]]
    failed = ask(units, {"question": "legal", "after": ["react 87RD"], "dice": [7]}, **going)
    assert failed["side"] == "german"


@pytest.mark.rule("bug41", "RX-6.4.3")
@pytest.mark.parametrize(
    ("active", "told"),
    [
        ({"reacted": 1}, "a formation has reacted to this activation"),
        ({"reaction": True}, "nobody reacts to a Reaction"),
    ],
)
def test_nobody_reacts_twice_or_to_a_reaction(active: dict[str, Any], told: str) -> None:
    units = [*HQS, ger("A", "-1,0"), sov("S", "1,0")]
    more: dict[str, Any] = {"phase": "activation", "active": {"formation": "298ID", "points": 3, **active}}
    found = ask(units, {"question": "reaction", "hex": "0,0", "side": "soviet"}, **more)
    assert found["formations"]["87RD"]["refusal"] == {"rule": "RX-6.4.3", "reason": told}
    assert "may_react" not in ask(units, {"question": "moves", "unit": "A", "to": "0,0"}, **more)


@pytest.mark.rule("bug41", "RX-6.4.1", "PA-TEC.e2")
def test_a_formation_that_is_not_active_is_answered_as_if_it_began() -> None:
    other = {"formation": "44ID"}
    units = [*HQS, hq("H44", "-3,1", "44ID"), ger("A", "-1,0", **other), sov("S", "1,0")]
    used = {"formation": "298ID", "points": 3, "boats": 0, "failed": ["87RD"], "reacted": 1}
    more: dict[str, Any] = {"phase": "activation", "active": used}
    found = ask(units, {"question": "moves", "unit": "A", "to": "0,0"}, {"hexsides": WEST_OF_0}, **more)
    assert found["boats"] == 1
    assert found["may_react"] == ["87RD"]
    units[3] = ger("A", "-1,0")
    own = ask(units, {"question": "moves", "unit": "A", "to": "0,0"}, {"hexsides": WEST_OF_0}, **more)
    assert own["refusal"]["rule"] == "PA-TEC.bug.move"


@pytest.mark.rule("bug41", "RX-5.9")
def test_emergency_supply_of_this_turn_is_expended_in_the_next() -> None:
    """The marker of this turn alone says that the HQ has been turned over."""
    units = [hq("HS", "3,0", "87RD", status="emergency")]
    found = ask(units, {"question": "supply", "unit": "HS"})
    assert (found["supplied"], found["attack_support"], found["recovers"]) == (False, 3, False)
    assert ask(units, {"question": "recovery", "unit": "HS"}, levels={"87RD": 2})["after"] == 2


def test_a_reaction_rating_is_at_most_the_highest_level() -> None:
    with pytest.raises(BadInput, match=r"\$.units\[0\].reaction"):
        ask([hq("HS", "3,0", "87RD", reaction=8)], {"question": "points", "formation": "87RD"})


@pytest.mark.rule("bug41", "RX-6.1")
def test_dice_of_the_initiative_fall_as_told() -> None:
    units = [ger("A", "-1,0"), sov("R", "2,0"), *HQS]
    more = {"phase": "operations", "initiative": {"space": 2, "side": "soviet"}}
    assert ask(units, {"question": "legal", "dice": [8, 5]}, **more)["side"] == "soviet", "8 against 5+4"
    assert ask(units, {"question": "legal", "dice": [10, 5]}, **more)["side"] == "german"
    for dice, why in (([8], "more dice"), ([0, 1], "1 or more"), ([11, 1], "1..10")):
        with pytest.raises(BadInput, match=re.escape(why)) as e:
            ask(units, {"question": "legal", "dice": dice}, **more)
        assert e.value.where == "$.ask[0].dice"


@pytest.mark.rule("bug41", "PA-isolation.2a")
def test_half_of_an_isolated_mixed_stack_goes_on_hex_by_hex() -> None:
    ring = ["2,0", "3,-1", "2,1"]
    units = [ger("A", "0,0"), ger("P", "0,0", "afv"), hq("HG", "3,0", "298ID")]
    units += [sov(f"R{i}", at) for i, at in enumerate(ring)]
    going = {"phase": "activation", "active": {"formation": "298ID", "points": 7}}
    question = {"question": "legal", "after": ["move A P", "step -1,0", "go_on"], "dice": [10, 1]}
    found = ask(units, question, **going)
    assert {"halt", "to -2,0"} <= set(found["actions"])


@pytest.mark.parametrize("phase", sorted(PHASES))
def test_every_phase_comes_to_a_question(phase: str) -> None:
    doc = {**EXAMPLE, "phase": phase, "turn": 3, "active": {"formation": "298ID", "points": 4, "moved_to": "3,0"}}
    found = analyze(json.dumps({**doc, "ask": [{"question": "legal"}]}))["answers"][0]
    assert found["side"] in ("german", "soviet")
    assert found["actions"]


# --- the documentation -----------------------------------------------------------------------------------------------


def test_the_examples_of_the_documentation_are_true() -> None:
    blocks = [json.loads(b) for b in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
    questions, answers = blocks[::2], blocks[1::2]
    found = analyze(json.dumps({**EXAMPLE, "ask": questions}))["answers"]
    assert [{k: v for k, v in a.items() if k != "question"} for a in found] == answers
    assert {q["question"] for q in questions} == set(QUESTIONS)


def test_the_readings_of_the_documentation_are_those_of_the_game() -> None:
    for key, switch in CHARTS.readings.switches.items():
        assert f"| `{key}` | {switch.rule} | {', '.join(f'`{c}`' for c in switch.values)} |" in TEXT


def test_the_words_of_the_documentation_are_those_of_the_game() -> None:
    words = set(re.findall(r"`([A-Za-z_0-9]+)`", TEXT))
    fields = {f.name for form in (PositionDoc, UnitDoc, Active, Marker) for f in msgspec.structs.fields(form)}
    asked = {f.name for q in QUESTIONS.values() for f in msgspec.structs.fields(q.form)}
    terrain = {key for key, row in CHARTS.terrain.items() if row.kind == "hex" and not key.startswith("pillbox")}
    fields -= {"game", "note", "ask"}
    known = (fields, asked - {"question"}, set(CHARTS.types), set(STATUS), set(PHASES), set(CHARTS.formations), terrain)
    for some in known:
        assert some <= words, some - words
