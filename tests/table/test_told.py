"""Answers in words: yes or no first, sums with their reasons, chances in per cent; JSON where nobody reads along."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kessel.cli import app
from kessel.core.analysis import analyze
from kessel.table.told import tell_answers

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GAMES = sorted(p.stem for p in EXAMPLES.glob("*.json"))


def test_a_refusal_is_told_with_its_rule() -> None:
    told = tell_answers(analyze((EXAMPLES / "stalingrad42.json").read_bytes()))
    assert "No: 0,0 lies in an enemy Hex Bond (7.2)." in told


def test_a_sum_is_told_with_its_reasons() -> None:
    told = tell_answers(analyze((EXAMPLES / "bug41.json").read_bytes())).splitlines()
    at = told.index("defence: 6")
    assert told[at + 1] == "        6  MG1 (PA-CS.C)"


def test_chances_are_told_in_per_cent() -> None:
    answers = {
        "answers": [{"question": "attack", "chances": [{"result": "DR", "chance": "1/8", "probability": 0.125}]}]
    }
    assert tell_answers(answers).splitlines()[-1] == "   12.50 %  DR"


def test_fractions_of_all_cases_are_told_in_per_cent() -> None:
    told = tell_answers(
        {"answers": [{"question": "attack", "chances": {"DR": "1/8", "-": "7/8"}, "must_retreat": "1/8"}]}
    )
    assert told.splitlines()[-2:] == ["chances: DR 12.5 %; - 87.5 %", "must retreat: 12.5 %"]


def test_hits_say_whose_they_are() -> None:
    one = {"result": "1/2", "chance": "1/1", "probability": 1.0}
    assert "hits (on the attacker / on the defender):" in tell_answers(
        {"answers": [{"question": "attack", "hits": [one]}]}
    )


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"question": "moves", "unit": "A", "from": "0101", "to": "0203"}, "May A go from 0101 to 0203?"),
        ({"question": "attack", "side": "german", "hex": "0203"}, "What comes of the Germans attacking 0203?"),
        ({"question": "legal", "side": "soviet"}, "What may the Soviets do now?"),
        ({"question": "supply", "unit": "A"}, "Is A in supply?"),
        ({"question": "proximity", "unit": "A"}, "Proximity, unit A"),
        ({"question": "supply"}, "Supply"),
    ],
)
def test_a_question_is_told_as_a_sentence(asked: dict[str, str], sentence: str) -> None:
    assert tell_answers({"answers": [asked]}).splitlines()[0] == sentence


def test_ways_stay_apart_and_wide_tables_become_lists() -> None:
    ways = [{"path": ["6,1", "6,2"], "over_limit": ["displace R2 8,1"] * 8, "rule": "13.3"}]
    told = tell_answers(
        {"answers": [{"question": "retreat", "unit": "A", "paths": [["6,1", "6,2"], ["7,1"]], "ways": ways}]}
    )
    assert "paths: 6,1 6,2; 7,1" in told
    assert max(map(len, told.splitlines())) <= 100


def test_reach_is_told_by_cost() -> None:
    reach = {"1213": {"cost": 1.5, "stops": True}, "1214": {"cost": 1.0, "stops": False}, "1215": {"cost": 1.0}}
    told = tell_answers({"answers": [{"question": "moves", "unit": "A", "reach": reach}]}).splitlines()
    assert told[0] == "Where may A go?"
    assert told[-2:] == ["      1  1214  1215", "    1.5  1213*"]


def test_actions_are_told_as_they_are_written() -> None:
    told = tell_answers({"answers": [{"question": "legal", "actions": ["full_retreat", *(["to 1213 normal"] * 12)]}]})
    assert "full_retreat, " in told
    assert all(line.count("to") == line.count("normal") for line in told.splitlines()[2:])


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_can_be_told(game: str) -> None:
    found = analyze((EXAMPLES / f"{game}.json").read_bytes())
    told = tell_answers(found)
    assert told.count("\n---") == len(found["answers"])
    assert "{" not in told
    assert "'" not in told.replace("'s ", "")


def test_a_program_gets_json_and_a_person_words() -> None:
    path = str(EXAMPLES / "don42.json")
    plain = CliRunner().invoke(app, ["analyze", path])
    assert json.loads(plain.stdout)["answers"]
    text = CliRunner().invoke(app, ["analyze", path, "--text"])
    assert text.stdout.startswith("Where may I-79 go (from 5,0)?")
