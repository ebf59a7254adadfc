"""Positions written by hand and asked as `kessel analyze` asks them: what the rules say, not what a module does."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kessel.core.analysis import answer
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.title import TITLE
from tests.games.kharkov43.combat_helpers import field, scene
from tests.games.kharkov43.helpers import german, soviet

RULE = "kharkov43"
WEST_OF_THE_LINE = {"west_support_zone": "1202-1210 1302-1310 1402-1410 1502-1510 1602-1610"}


def ask(g: Board, question: str, **more: Any) -> dict[str, Any]:
    return answer(TITLE, g, msgspec.json.encode({"question": question, **more}))


# --- attack: when tactics are out of the question --------------------------------------------------------------------


def refused(found: dict[str, Any]) -> dict[str, str]:
    return {t["tactic"]: t["refusal"]["rule"] for t in found.get("refused_tactics", [])}


@pytest.mark.rule(RULE, "13.52d")
@pytest.mark.parametrize(("turn", "rule"), [(4, {}), (5, {"artillery": "13.52"})])
def test_an_unsupported_soviet_attack_has_no_tactics(turn: int, rule: dict[str, str]) -> None:
    board = field(areas=WEST_OF_THE_LINE)
    g = scene([soviet("S", "1511", "3-4"), german("G", "1512", "3-4")], board=board, turn=turn)
    found = ask(g, "attack", hex="1512", tactics=["artillery"])
    assert refused(found) == rule
    assert found["maximum_chits"]["total"] == (1 if rule else 2)


@pytest.mark.rule(RULE, "13.52d")
@pytest.mark.parametrize(("turn", "rule"), [(4, {}), (5, {"artillery": "13.52"})])
def test_an_unsupported_soviet_defence_has_no_tactics(turn: int, rule: dict[str, str]) -> None:
    attackers = [german(n, "1513", "3-4") for n in ("A", "B", "C")]
    g = scene([*attackers, soviet("S", "1512", "3-4")], board=field(areas=WEST_OF_THE_LINE), turn=turn)
    assert refused(ask(g, "attack", hex="1512", counter=["artillery"])) == rule


@pytest.mark.rule(RULE, "12.39a")
def test_no_soviet_tactic_answers_a_weak_attack() -> None:
    g = scene([german("A", "1513", "3-4"), german("B", "1513", "3-4"), soviet("S", "1512", "3-4")])
    assert refused(ask(g, "attack", hex="1512", counter=["artillery"])) == {"artillery": "12.39"}
    assert refused(ask(g, "attack", hex="1512", tactics=["artillery"], counter=["airpower"])) == {}


@pytest.mark.rule(RULE, "12.38f")
def test_an_overwhelming_attack_has_no_tactic_of_a_card() -> None:
    units = [soviet("S", "1511", "8-4"), german("G", "1512", "1-4")]
    assert refused(ask(scene(units), "attack", hex="1512", tactics=["airpower"])) == {"airpower": "12.38"}


@pytest.mark.rule(RULE, "12.9d")
@pytest.mark.rule(RULE, "12.3a")
@pytest.mark.parametrize("status", ["dispersed", "out_of_supply", "isolated"])
def test_tactics_are_not_applied_to_defenders_that_are_all_dispersed_or_unsupplied(status: str) -> None:
    attackers = [german(n, "1513", "3-4") for n in ("A", "B", "C")]
    g = scene([*attackers, soviet("S", "1512", "3-4", status=[status])], turn=4)
    assert refused(ask(g, "attack", hex="1512", counter=["artillery"])) == {"artillery": "12.3"}
    g = scene([soviet("S", "1511", "3-4"), german("G", "1512", "3-4", status=[status])], turn=4)
    assert refused(ask(g, "attack", hex="1512", counter=["artillery"])) == {"artillery": "12.3"}
    g = scene([soviet("S", "1511", "3-4"), german("G", "1512", status=[status]), german("H", "1512")], turn=4)
    assert refused(ask(g, "attack", hex="1512", counter=["artillery"])) == {}


@pytest.mark.rule(RULE, "12.51e")
def test_the_answer_says_that_hits_are_ignored_when_all_defenders_are_isolated() -> None:
    g = scene([soviet("S", "1511", "3-4"), german("G", "1512", status=["isolated"])], turn=4)
    said = {"side": "attacker", "what": "all defenders isolated", "rule": "12.51", "value": "ignored"}
    assert said in ask(g, "attack", hex="1512")["adjustments"]
    g = scene([soviet("S", "1511", "3-4"), german("G", "1512", status=["isolated"]), german("H", "1512")], turn=4)
    assert ask(g, "attack", hex="1512")["adjustments"] == []
