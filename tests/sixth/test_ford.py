"""A game of our own in under 400 lines goes through all that every game goes through (docs/adding-a-game.md)."""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import kessel
from kessel.bots import levels, player
from kessel.core.pack import Pack
from kessel.core.packcheck import check_pack
from kessel.core.rules import coverage
from kessel.core.title import title
from kessel.lab.simulate import play
from kessel.wargame.odds import by_play
from tests.conformance import test_conformance as suite
from tests.table.people import Seat, server

HOME = Path(__file__).parent / "kessel_ford"
CHECKS = [f for name, f in inspect.getmembers(suite, inspect.isfunction) if name.startswith("test_")]


@pytest.mark.parametrize("check", CHECKS, ids=lambda f: f.__name__)
def test_conformance(check: Callable[[str, str], None]) -> None:
    check("ford", "crossing")


def test_it_is_small() -> None:
    """Without blank lines."""
    lines = sum(bool(line.strip()) for p in HOME.glob("*.py") for line in p.read_text().splitlines())
    assert lines < 400


def test_its_pack_is_sound_and_its_rules_are_listed() -> None:
    assert check_pack(title("ford"), Pack("ford")) == []
    assert coverage(Pack("ford"), [str(n) for n in range(1, 11)])["uncovered"] == []


def test_programs_play_it() -> None:
    assert levels("ford") == ["random", "greedy"]
    for names in (("random", "random"), ("greedy", "random"), ("greedy", "greedy")):
        results = [play("ford", "crossing", names, seed) for seed in range(6)]
        assert all(r.finished and r.replayed and not r.faults and not r.mismatch for r in results)
    assert {r.winner for r in results} <= {"blue", "red"}


def test_greedy_beats_random() -> None:
    won = sum(play("ford", "crossing", ("greedy", "random"), seed, verify=False).winner == "blue" for seed in range(30))
    assert won >= 20
    assert player("ford", "greedy").reason == ""


POSITION = {
    "game": "ford",
    "phase": "blue_combat",
    "units": [
        {"id": "B1", "at": "0402"},
        {"id": "B2", "at": "0403"},
        {"id": "R1", "at": "0503"},
    ],
}


def ask(*questions: dict[str, object], **changes: object) -> list[dict[str, object]]:
    found: list[dict[str, object]] = kessel.analyze(json.dumps({**POSITION, **changes, "ask": questions}))["answers"]
    return found


def test_it_answers_the_questions_every_game_answers() -> None:
    attack, moves, zoc, legal, stack, victory = ask(
        {"question": "attack", "target": "0503", "units": ["B1", "B2"]},
        {"question": "moves", "unit": "R1"},
        {"question": "zoc", "side": "red"},
        {"question": "legal", "after": ["attack 0503", "with B1"], "action": "with B1"},
        {"question": "stacking", "hex": "0402", "units": ["B2", "B3"]},
        {"question": "victory"},
    )
    assert attack["column"] == "2:1"
    assert {c["result"]: c["chance"] for c in attack["chances"]} == {"AE": "1/6", "EX": "1/6", "DR": "1/2", "DE": "1/6"}
    assert moves["reach"]["0603"] == {"cost": 0.5, "path": ["0603"], "stops": False}
    assert "0402" in zoc["red"]["hexes"]
    assert legal["refusal"] == {"rule": "5", "reason": "B1 takes part already"}
    assert stack["refusal"]["rule"] == "4"
    assert victory["holder"] == "red"


def test_the_odds_told_are_those_of_play() -> None:
    t, pack = title("ford"), Pack("ford")
    doc = {**POSITION, "ask": []}
    g = t.from_position(kessel.core.analysis.decode(json.dumps(doc), t.position_type), pack)
    for action in (("attack", g.map.grid.hex("0503")), ("with", 0), ("with", 1)):
        kessel.core.procedure.apply(g, action)
    lost = by_play(g, ("roll",), lambda h: (sum(h.steps[:2]), sum(h.steps[4:])))
    assert lost == {(1, 1): Fraction(1, 6), (1, 0): Fraction(1, 6), (2, 1): Fraction(1, 2), (2, 0): Fraction(1, 6)}


def test_a_wrong_word_is_refused_with_its_place() -> None:
    with pytest.raises(kessel.BadInput, match=r"\$\.units\[0\]\.at: there is no hex 9999"):
        ask(units=[{"id": "B1", "at": "9999"}])
    with pytest.raises(kessel.BadInput, match=r"\$\.phase: there is no phase 'lunch'"):
        ask(phase="lunch")


def test_the_table_plays_it(tmp_path: Path) -> None:
    """The page's own calls: list, make a table, see it, act, and the program answers."""
    with server(tmp_path) as client:
        assert "ford" in {g["id"] for g in client.get("/api/v1/games").json()}
        assert "<svg" in client.get("/api/v1/games/ford/map.svg").text
        body = {"game": "ford", "scenario": "crossing", "seed": 3, "seats": {"red": "program:greedy"}}
        made = client.post("/api/v1/tables", json=body).json()
        seat = Seat(client, made["id"], made["tokens"]["blue"])
        assert seat.view()["question"]["prompt"] == "Move a unit, or end movement."
        assert seat.act("move B3 0203", seat.view()["version"]).status_code == 200
        for _ in range(8):
            if (view := seat.view())["question"]["side"] != "blue":
                break
            seat.act("pass", view["version"])
        begun = time.monotonic()
        while seat.view()["table"]["turn"] == "Turn 1" and time.monotonic() < begun + 30:
            time.sleep(0.05)
        assert any(e["side"] == "red" for e in seat.get("log").json())
