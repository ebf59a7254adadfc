"""Positions written by hand and asked as `kessel analyze` asks them: what the rules say, not what a module does."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kessel.core.analysis import answer
from kessel.core.errors import BadInput
from kessel.games.kharkov43.board import DRAW, Board
from kessel.games.kharkov43.garrisons import why_no_village_garrison
from kessel.games.kharkov43.piles import soviet_pile
from kessel.games.kharkov43.title import TITLE
from tests.games.kharkov43.combat_helpers import field, full_cup, scene
from tests.games.kharkov43.helpers import german, hx, position, soviet
from tests.games.kharkov43.soviet_helpers import active, arena, southwest

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


# --- small boards ----------------------------------------------------------------------------------------------------


def kharkov_at(name: str, called: str) -> dict[str, Any]:
    """A city with that name, a target of both fronts, on a board with its own numbers."""
    ground = arena(roads_on=(), terrain={name: "city"}, features={name: "target_voronezh target_southwest"})
    ground["hexes"][name]["name"] = called
    return ground


@pytest.mark.rule(RULE, "9.22.3a-w")
@pytest.mark.parametrize(("called", "steps"), [("Kharkov", "two"), ("Poltava", "one")])
def test_kharkov_is_known_by_its_name_on_any_board(called: str, steps: str) -> None:
    units = [active("A", "1907"), soviet("S", "1910", "2-4 1-4"), german("G", "1914")]
    g = position(board=kharkov_at("1910", called), turn=8, vp=30, units=units)
    assert (ask(g, "system")["movement"]["moves"].get("A") == "1910") is (steps == "two")


@pytest.mark.rule(RULE, "9.6h")
@pytest.mark.parametrize("called", ["Kharkov", "Poltava"])
def test_no_unit_is_removed_from_a_city_called_kharkov(called: str) -> None:
    units = [active("A", "1910", status=["dispersed"]), soviet("S", "1910", "3-4 2-4"), german("G", "1911", "9-4")]
    g = position(board=kharkov_at("1910", called), turn=8, vp=30, units=units)
    (check,) = ask(g, "system")["removals"]
    assert check["removed"] is (called != "Kharkov")


@pytest.mark.rule(RULE, "15.1f")
def test_a_german_unit_across_the_blocked_dniepr_is_adjacent_to_a_village_hex() -> None:
    units = [soviet("S", "1909"), german("G", "1911")]
    for river in ({}, {"1910|1911": "blocked_dniepr"}):
        g = position(board=arena(roads_on=(), features={"1910": "village"}, rivers=river), turn=4, units=units)
        found = why_no_village_garrison(g, hx(g, "1910"))
        assert found is not None
        assert found.reason == "a German unit is adjacent"


# --- advance ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.83b")
@pytest.mark.rule(RULE, "12.83c")
def test_soviet_units_in_the_vacated_hex_have_advanced_into_it() -> None:
    units = [soviet("A", "1511", "3-4"), soviet("B", "1512", "3-4"), soviet("C", "1512", "3-4")]
    arrow = [{"kind": "primary", "from": "1511", "to": "1512"}]
    chances = []
    for board in (field(arrows=arrow), field()):
        for there in (1, 2, 3):
            g = scene(units[:there], board=board)
            chances.append(ask(g, "advance", hex="1512", units=["A"])["units"]["A"]["first"]["chance"]["total"])
    assert chances == [10, 6, 0, 7, 3, 0]
    with pytest.raises(BadInput, match="A is not adjacent to 1511"):
        ask(scene(units[:1]), "advance", hex="1511", units=["A"])


# --- cards left out --------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "9.4ze")
@pytest.mark.parametrize(
    ("cards", "value"),
    [({}, 4), ({"cards": {"draw": "E01 E02 E03 E05"}}, 4), ({"cards": {"draw": "E01 E02 E03"}}, 5)],
)
def test_where_a_position_says_nothing_of_cards_the_draw_pile_is_not_small(cards: dict[str, Any], value: int) -> None:
    """Command value 3 and a supported attack; the last point needs a pile of fewer than four cards."""
    units = [active("A", "1909", "3-4-05 1-4-15"), german("G", "1910", "3-4")]
    g = position(board=arena(roads_on=()), turn=3, objectives=southwest("1506"), units=units, **cards)
    (check,) = ask(g, "system", card="E11")["attacks"]
    assert check["tactical_value"]["total"] == value


@pytest.mark.rule(RULE, "8.2a")
@pytest.mark.rule(RULE, "8.0a")
@pytest.mark.parametrize(("turn", "number"), [(1, 19), (2, 21), (3, 22), (7, 22), (8, 21)])
def test_left_out_the_draw_pile_has_the_cards_of_the_turn(turn: int, number: int) -> None:
    assert len(soviet_pile(position(turn=turn), DRAW)) == number


@pytest.mark.rule(RULE, "12.3h")
def test_a_tactic_named_for_the_soviet_defence_is_that_of_the_card_drawn() -> None:
    attackers = [german(n, "1513", "3-4") for n in ("A", "B", "C")]
    g = scene([*attackers, soviet("S", "1512", "3-4")], cards={"draw": "E08"}, turn=4)
    full_cup(g)
    named = ask(g, "attack", hex="1512", counter=["airpower"])
    assert named["prospects"] == ask(g, "attack", hex="1512")["prospects"], "E08 has Airpower and nothing else"
    g = scene([*attackers, soviet("S", "1512", "3-4")], cards={"draw": "E08 E01"}, turn=4)
    full_cup(g)
    assert ask(g, "attack", hex="1512", counter=["airpower"])["prospects"] == named["prospects"]
    assert ask(g, "attack", hex="1512")["prospects"] != named["prospects"]
