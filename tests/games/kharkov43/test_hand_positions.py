"""Positions written by hand and asked as `kessel analyze` asks them: what the rules say, not what a module does."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.errors import BadInput
from kessel.games.kharkov43.board import DRAW
from kessel.games.kharkov43.supply.garrisons import why_not_village_garrison
from kessel.games.kharkov43.system.objective_markers import stage_of
from kessel.games.kharkov43.turn.piles import soviet_pile
from tests.games.kharkov43.combat_helpers import field, full_cup, scene
from tests.games.kharkov43.helpers import ask, german, hx, position, soviet
from tests.games.kharkov43.soviet_helpers import active, arena, southwest

RULE = "kharkov43"
WEST_OF_THE_LINE = {"west_support_zone": "1202-1210 1302-1310 1402-1410 1502-1510 1602-1610"}


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
        found = why_not_village_garrison(g, hx(g, "1910"))
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
    with pytest.raises(BadInput, match="have advanced to 1511 already"):
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


# --- what a document may say -----------------------------------------------------------------------------------------


VILLAGE_AND_TOWN = arena(roads_on=(), features={"1909": "village"}, terrain={"1910": "town", "1912": "town"})
HELD = [german("G", "1912"), soviet("S", "1914")]


@pytest.mark.parametrize(
    ("field_", "value", "where", "sentence"),
    [
        ("ground", "mud", "$.ground", "there is no ground condition 'mud'; there are frozen, light_mud, heavy_mud"),
        ("support_line", "far", "$.support_line", "there is no support line 'far'; there are whole_map, west, east"),
        (
            "objectives",
            {"40": {"hex": "1909", "facing": "W"}},
            "$.objectives.40.facing",
            "there is no facing 'W'; there are west, south",
        ),
        (
            "garrisons",
            ["1908"],
            "$.garrisons",
            "1908 is neither a village nor a Soviet town (soviet_towns): no garrison stands there",
        ),
        (
            "garrisons",
            "1912",
            "$.garrisons",
            "1912 is neither a village nor a Soviet town (soviet_towns): no garrison stands there",
        ),
        ("improved_positions", "1908", "$.improved_positions", "no unit is in 1908: an improved position needs one"),
        (
            "improved_positions",
            "1912",
            "$.improved_positions",
            "1912 is a town or city: no improved position is built there",
        ),
        ("forward_support", "1908 1909 1910", "$.forward_support", "there are only 2 Forward Support markers"),
        ("soviet_towns", "1912", "$.soviet_towns", "German units are in 1912, so the Soviets do not own it"),
        ("cards", {"draw": ["E01"], "discard": "E01"}, "$.cards.discard", "E01 is named twice"),
    ],
)
def test_what_can_not_be_is_refused_with_a_sentence(field_: str, value: Any, where: str, sentence: str) -> None:
    with pytest.raises(BadInput) as e:
        position(board=VILLAGE_AND_TOWN, turn=5, units=HELD, **{field_: value})
    assert (e.value.where, e.value.message) == (where, sentence)


def test_a_garrison_stands_in_no_hex_with_units() -> None:
    with pytest.raises(BadInput, match="units are in 1909: no garrison stands there"):
        position(board=VILLAGE_AND_TOWN, turn=5, units=[soviet("S", "1909")], garrisons="1909")


def test_lists_are_strings_or_arrays() -> None:
    words = {
        "soviet_towns": "1910",
        "garrisons": "1909 1910",
        "improved_positions": "1914",
        "forward_support": "1908",
        "activated": "XL III",
    }
    status, cards = "active dispersed", {"draw": "E01 E02"}
    one = position(board=VILLAGE_AND_TOWN, turn=5, units=[soviet("S", "1914", status=status)], cards=cards, **words)
    other = position(
        board=VILLAGE_AND_TOWN,
        turn=5,
        units=[soviet("S", "1914", status=status.split())],
        cards={"draw": ["E01", "E02"]},
        **{field_: text.split() for field_, text in words.items()},
    )
    assert one.digest() == other.digest()
    assert one.garrisons.bit_count() == 2


@pytest.mark.parametrize("die", [-1, 11])
def test_the_die_of_a_relocation_shows_one_to_ten(die: int) -> None:
    g = position(board=VILLAGE_AND_TOWN, turn=2, units=HELD)
    with pytest.raises(BadInput, match="a die shows 1 to 10"):
        ask(g, "system", formation="6", objective_die=die)


def test_a_hex_is_asked_for_the_supply_of_a_side() -> None:
    with pytest.raises(BadInput, match="say whose supply: german or soviet"):
        ask(position(board=VILLAGE_AND_TOWN, units=HELD), "supply", hex="1909")


@pytest.mark.rule(RULE, "10.1d")
def test_units_of_both_sides_never_stack() -> None:
    found = ask(position(board=VILLAGE_AND_TOWN, units=HELD), "stacking", hex="1914", units=["G"])
    assert not found["legal"]
    assert found["refusal"]["rule"] == "10.1"


@pytest.mark.rule(RULE, "9.11e")
@pytest.mark.rule(RULE, "9.11f")
@pytest.mark.parametrize(
    ("name", "hex_", "stage"),
    [
        ("Southwest", "1608", 1),
        ("Southwest", "2412", 2),
        ("Southwest", "3314", 3),
        ("Voronezh", "1009", 1),
        ("Voronezh", "0912", 2),
        ("Voronezh", "1421", 3),
        ("Voronezh", "0914", 1),
        ("40", "0311", 1),
        ("40", "0215", 3),
    ],
)
def test_the_stage_of_a_marker_is_that_of_its_hex(name: str, hex_: str, stage: int) -> None:
    g = position(board="", objectives={name: {"hex": hex_}})
    assert stage_of(g, name) == stage
    assert stage_of(position(board="", objectives={name: {"hex": hex_, "stage": 2}}), name) == 2


@pytest.mark.rule(RULE, "9.11e")
def test_on_a_board_without_the_next_hexes_the_marker_stays() -> None:
    units = [soviet("A", "1608", "3-4")]
    whole = ask(
        position(board="", turn=2, units=units, objectives={"Southwest": {"hex": "1608"}}), "system", formation="6"
    )
    assert whole["objective"]["by_die"]["7"] == "2412 W"
    small = position(board=arena(roads_on=()), turn=2, units=units, objectives={"Southwest": {"hex": "1608"}})
    assert "relocated" not in ask(small, "system", formation="6")["objective"]


@pytest.mark.rule(RULE, "9.21.1a-u")
@pytest.mark.rule(RULE, "10.6a")
def test_each_side_has_its_own_special_moves() -> None:
    g = position(board=VILLAGE_AND_TOWN, turn=3, units=HELD)
    assert ask(g, "moves", unit="G", mode="infiltration")["refusal"]["rule"] == "9.3"
    assert ask(g, "moves", unit="S", mode="strategic")["refusal"]["rule"] == "10.6"
    assert ask(g, "moves", unit="S", mode="infiltration")["reach"]


@pytest.mark.rule(RULE, "10.1i")
@pytest.mark.rule(RULE, "15.3c")
@pytest.mark.parametrize(
    ("status", "removed"), [([], True), (["out_of_supply"], False), (["isolated"], False), (["active"], False)]
)
def test_a_unit_that_is_activated_beside_a_garrison_removes_it_and_moves_on(status: list[str], removed: bool) -> None:
    """One that is active already has had that moment; an unsupplied one never has it."""
    ground = arena(roads_on=(19,), features={"1909": "village"})
    g = position(board=ground, turn=5, units=[german("G", "1910", status=status)], garrisons="1909")
    found = ask(g, "moves", unit="G")
    assert ("garrisons_removed" in found) is removed
    assert ("1909" in found["reach"]) is removed
    assert ask(g, "moves", unit="G", to="1909")["legal"] is removed
    assert g.garrisons, "nothing is changed"


@pytest.mark.rule(RULE, "9.3r")
@pytest.mark.rule(RULE, "15.22d")
def test_proximity_is_traced_past_a_garrison_only_from_beside_it() -> None:
    ground = arena(roads_on=(), features={"1909": "village"}, german_edge="")
    for at, past in (("1910", True), ("1911", False)):
        g = position(board=ground, turn=5, units=[german("G", at, "3-5", status=["out_of_supply"])], garrisons="1909")
        assert ("1908" in ask(g, "moves", unit="G", proximity=True)["reach"]) is past
        assert ask(g, "moves", unit="G", to="1908", proximity=True)["legal"] is past
        assert "1908" not in ask(g, "moves", unit="G")["reach"]


@pytest.mark.rule(RULE, "10.6b")
def test_strategic_movement_does_not_begin_beside_a_garrison() -> None:
    ground = arena(roads_on=(19,), features={"1909": "village"})
    g = position(board=ground, turn=5, units=[german("G", "1910")], garrisons="1909")
    assert ask(g, "moves", unit="G", mode="strategic")["refusal"]["rule"] == "10.6"


@pytest.mark.rule(RULE, "12.41r")
@pytest.mark.parametrize("card", ["P23", "P26", "P32"])
def test_the_command_value_is_that_of_the_card_whichever_it_is(card: str) -> None:
    g = scene([german("A", "1513", "3-4"), soviet("S", "1512", "3-4")], turn=4)
    words = {s["situation"]: s["why"] for s in ask(g, "attack", hex="1512", card=card)["situations"]}
    assert words[f"command_value_{g.charts.card(card).command_value}"] == f"activated by {card}"
    assert not [w for w in (s["situation"] for s in ask(g, "attack", hex="1512")["situations"]) if "command" in w]


@pytest.mark.rule(RULE, "12.41l")
def test_the_answer_says_from_where_a_flank_attack_comes() -> None:
    def why(*hexes: str) -> str:
        g = scene([*(german(f"A{h}", h, "3-4") for h in hexes), soviet("S", "1512", "3-4")], turn=4)
        words = {s["situation"]: s["why"] for s in ask(g, "attack", hex="1512")["situations"]}
        return words.get("flank_attack", "")

    assert why("1513", "1511") == "attack from 2 hexes that are not adjacent"
    assert why("1513", "1412", "1411") == "attack from 3 hexes"
    assert why("1513", "1412") == ""
