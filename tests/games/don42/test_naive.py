"""Answers of `kessel analyze` on random small boards against a second, plain reading of the rules (naive.py)."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from kessel.core.analysis import analyze
from tests.games.don42.naive import FAST, FOE, World, apart, name

SEEDS = range(12)


def answers(w: World, questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list(analyze(msgspec.json.encode({**w.document(), "ask": questions}))["answers"])


@pytest.mark.rule("don42", "3.2.a", "3.2.b", "3.2.2.a", "3.2.2.b", "3.2.2.d", "3.2.6")
@pytest.mark.rule("don42", "4.1.a", "4.1.b", "4.1.g", "4.2.1.a", "4.2.1.b", "4.2.2.a", "4.2.2.b", "4.3.b", "4.3.c")
@pytest.mark.rule("don42", "4.3.1.a", "4.3.1.b", "4.3.1.c", "4.3.3.a", "4.3.3.b", "4.3.3.c")
@pytest.mark.parametrize("seed", SEEDS)
def test_zones_and_supply(seed):
    w = World(random.Random(seed))
    questions = [{"question": "zoc"}, {"question": "supply"}]
    zones, supply = answers(w, questions)
    for side in FOE:
        assert set(zones[side]["hexes"]) == {name(h) for h in w.zone(side)}
    assert supply["units"] == {id: w.supply(id) for id in supply["units"]}
    assert set(supply["units"]) == set(w.units)


@pytest.mark.rule("don42", "10.0.d", "10.0.g", "10.1", "10.1.1.a", "10.1.1.b", "10.1.2.a", "10.1.2.b", "10.1.2.c")
@pytest.mark.rule("don42", "10.2.a", "10.2.1.a", "10.3.a", "10.3.b", "10.5.a", "10.5.b", "10.6", "4.3.2.c", "6.1.c")
@pytest.mark.parametrize("seed", SEEDS)
def test_moves_of_germans(seed):
    w = World(random.Random(seed))
    germans = [id for id, u in w.units.items() if u.side == "german"]
    for u in w.units.values():
        u.out = False
    for id in germans:
        w.units[id].out = w.supply(id) == "out of supply"
    for id, found in zip(germans, answers(w, [{"question": "moves", "unit": id} for id in germans]), strict=True):
        expected = w.moves(id)
        if expected is None:
            assert found["refusal"]["rule"] == "10.6"
        else:
            assert {h: way["cost"] for h, way in found["reach"].items()} == expected


@pytest.mark.rule("don42", "13.3.a", "13.3.b", "13.3.c", "13.3.2.a", "13.3.2.b", "13.3.2.d", "3.2.5.a")
@pytest.mark.rule("don42", "13.3.2.e1", "13.3.2.e2", "13.3.2.e3")
@pytest.mark.parametrize("seed", SEEDS)
def test_retreats(seed):
    w = World(random.Random(seed))
    for id, u in w.units.items():
        threats = [v.at for v in w.units.values() if v.side == FOE[u.side] and apart(v.at, u.at) == 1]
        for length in (1, 3) if threats else ():
            asked = {"question": "retreat", "hex": name(u.at), "hexes": length, "attackers": list(map(name, threats))}
            (found,) = answers(w, [asked])
            got = {tuple(way["path"]): way.get("becomes", {}).get(id, "") for way in found["ways"]}
            assert got == w.retreats(id, length, threats)


@pytest.mark.rule("don42", "14.2.a", "14.2.b", "14.3.a", "14.3.b")
@pytest.mark.parametrize("seed", SEEDS)
def test_recoveries(seed):
    w = World(random.Random(seed))
    hurt = [id for id, u in w.units.items() if u.status in ("DPT", "RTD")]
    for id, found in zip(hurt, answers(w, [{"question": "recovery", "unit": id} for id in hurt]), strict=True):
        u = w.units[id]
        hq = w.units["HQ62A" if u.side == "soviet" else "HQ14PzC"]
        limit = 12 if u.status == "DPT" else 6
        near = u.division != "76Div" and w.line(u.side, u.at, {hq.at}, moves=True) <= limit
        assert found["recovers"] == near, "the HQ of 51C is not in these worlds"


@pytest.mark.rule("don42", "13.6.a", "13.6.b", "13.6.1.a", "13.6.1.c")
@pytest.mark.parametrize("seed", SEEDS)
def test_lengths_of_advances(seed):
    w = World(random.Random(seed))
    for id, u in w.units.items():
        foes = [v.at for v in w.units.values() if v.side == FOE[u.side] and apart(v.at, u.at) == 1]
        if foes and u.type != "hq":
            (found,) = answers(w, [{"question": "advance", "units": [id], "hex": name(foes[0]), "hexes": 3}])
            far = u.type in FAST and w.supply(id) != "out of supply"
            assert found["units"][id]["hexes"] == (0 if u.type == "artillery" else 3 if far else 1)
