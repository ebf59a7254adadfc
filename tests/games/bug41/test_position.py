"""Positions written by hand, and the questions they ask."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from kessel.core.analysis import analyze
from kessel.core.errors import BadInput

DISC = [f"{q},{r}" for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3]
UNITS = [
    {"id": "I-525", "at": "0,0"},
    {"id": "HQ298", "at": "-2,0"},
    {"id": "Own", "at": "1,0", "formation": "87RD", "type": "infantry", "effectiveness": 5, "ma": 5, "strength": 7},
    {"id": "HQ87", "at": "3,0"},
]


def ask(question: dict[str, Any], **more: Any) -> dict[str, Any]:
    board = {"hexes": {name: {} for name in DISC}, "areas": {"german_supply": "-3,0"}}
    doc = {"game": "bug41", "board": board, "units": UNITS, "turn": 2, "ask": [question], **more}
    found: dict[str, Any] = analyze(json.dumps(doc))["answers"][0]
    return found


def test_moves_and_refusals() -> None:
    found = ask({"question": "moves", "unit": "I-525"})
    assert found["allowance"]["total"] == 6, "next to an enemy there is no bonus"
    assert found["reach"]["-1,0"]["cost"] == 1
    assert ask({"question": "moves", "unit": "I-525", "to": "0,1"})["legal"], "round by free hexes"
    assert ask({"question": "moves", "unit": "I-525", "to": "1,0"})["refusal"]["rule"] == "RX-7.3.6"
    assert ask({"question": "moves", "unit": "HQ298"})["reach"] == {}, "there is no village for an HQ"


def test_attack_zones_supply_and_victory() -> None:
    found = ask({"question": "attack", "target": "1,0", "units": ["I-525"], "kind": "prepared"})
    assert found["attack"]["total"] == 8
    assert found["modifier"]["total"] == 3
    assert sum(Fraction(row["chance"]) for row in found["hits"]) == 1
    assert ask({"question": "attack", "target": "-1,0", "units": ["I-525"]})["refusal"]["rule"] == "RX-7.5.att"
    assert "0,0" in ask({"question": "zoc", "side": "soviet"})["soviet"]["hexes"]
    assert ask({"question": "supply", "unit": "HQ298"})["supplied"]
    assert not ask({"question": "supply", "unit": "HQ87"})["supplied"]
    assert ask({"question": "supply", "unit": "I-525"})["distance"] == 2
    lost = ask({"question": "victory"}, lost={"afv": 15, "infantry": 30})
    assert lost["points"]["total"] == 2
    assert ask({"question": "stacking", "hex": "1,0", "units": []})["legal"]


def test_legal_actions_of_an_activation() -> None:
    active = {"phase": "activation", "active": {"formation": "298ID", "points": 2}}
    found = ask({"question": "legal"}, **active)
    assert {"pass", "move I-525", "regular 1,0 with I-525"} <= set(found["actions"])
    why = ask({"question": "legal", "action": "prepared 1,0 with I-525"}, **active)
    assert why["refusal"]["reason"] == "this costs 3 AP and 2 are left"


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"turn": 9}, "$.turn"),
        ({"levels": {"9ID": 1}}, "$.levels"),
        ({"phase": "activation"}, "$.active"),
        ({"units": [{"id": "X", "at": "0,0", "formation": "87RD", "type": "infantry"}]}, "$.units[0].effectiveness"),
        ({"units": [{"id": "I-525", "at": "9,9"}]}, "$.units[0].at"),
        ({"control": {"0,0": "nobody"}}, "$.control.0,0"),
    ],
)
def test_mistakes_are_refused_with_their_path(more: dict[str, Any], where: str) -> None:
    with pytest.raises(BadInput) as e:
        ask({"question": "victory"}, **more)
    assert e.value.where == where
