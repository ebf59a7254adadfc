"""Chances of combats, the questions about them, and previews. Exact numbers are checked by trying every draw."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from kessel.core.analysis import analyze, answer
from kessel.core.errors import BadInput
from kessel.core.procedure import legal, outcomes, push
from kessel.games.kharkov43.board import ASIDE, CUP, DRAWN, Board
from kessel.games.kharkov43.combat.battle import Battle
from kessel.games.kharkov43.combat.chits import Hits, adjusted, adjustments, examine, situations
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.odds import (
    Result,
    defence_results,
    final_hits,
    prospect,
    prospects,
    soviet_cards_to_come,
    sums,
)
from kessel.games.kharkov43.notation import NOTATION
from kessel.games.kharkov43.title import TITLE
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    cup,
    dice,
    field,
    full_cup,
    german_attack,
    hit_soviets,
    play,
    scene,
    step,
    steps,
)
from tests.games.kharkov43.helpers import ask, german, hx, panzer, soviet, tanks, unit

RULE = "kharkov43"


def tried(g: Board, b: Battle, more: int) -> dict[Hits, Fraction]:
    """Every order of drawing by 12.42, one chit at a time."""
    s = situations(g, b, len(b.drawn) + more)
    values = [examine(c, s, b.side).hits for c in g.charts.chits]
    found: dict[Hits, Fraction] = {}

    def draw(inside: tuple[int, ...], aside: tuple[int, ...], left: int, total: Hits, p: Fraction) -> None:
        if not left:
            found[total] = found.get(total, Fraction(0)) + p
            return
        for i in inside:
            rest = tuple(x for x in inside if x != i)
            out = aside
            if g.charts.chits[i].dark:
                rest, out = (*rest, *aside), ()
            hit = Hits(total.attacker + values[i].attacker, total.defender + values[i].defender)
            draw(rest, out, left - 1, hit, p / len(inside))

    inside = tuple(i for i, at in enumerate(g.chits) if at == CUP)
    aside = tuple(i for i, at in enumerate(g.chits) if at == ASIDE)
    draw(inside, aside, more, Hits(), Fraction(1))
    return found


def attack_scene(**doc: Any) -> Board:
    return scene(
        [
            panzer("a.XL", "1911", faces="6-6 5-6 3-6"),
            german("b.XL", "1911"),
            german("c.XL", "1810"),
            soviet("d.6", "1910", faces="3-4-05 2-4-06"),
        ],
        **doc,
    )


@pytest.mark.rule(RULE, "12.42b")
@pytest.mark.parametrize(
    ("inside", "aside", "more"),
    [
        ("C10 C14 C16 C20 C22 C36", "", 3),
        ("C10 C14 C16 C20 C22 C36", "C11 C33 C06", 1),
        ("C10 C14 C16 C20 C22 C36", "C11 C33 C06", 3),
        ("C10 C22 C30 C14 C26", "C11 C33 C06 C21 C16", 4),
        ("C10 C22 C30", "C11 C33 C06 C21", 5),
        ("C14 C16 C20", "", 3),
    ],
)
def test_sums_agree_with_every_order_of_drawing(inside: str, aside: str, more: int):
    g = attack_scene()
    cup(g, inside, aside)
    b = battle(g, "a.XL b.XL c.XL", "1910")
    found = sums(g, b, more)
    assert found == tried(g, b, more)
    assert sum(found.values()) == 1


def test_an_empty_cup_is_refilled_from_the_side():
    g = attack_scene()
    cup(g, "C14 C16", "C20 C22")
    b = battle(g, "a.XL b.XL c.XL", "1910")
    found = sums(g, b, 3)
    assert sum(found.values()) == 1
    assert set(found) == {Hits(2, 3), Hits(1, 3)}


def test_final_hits_are_the_sums_after_the_adjustments():
    g = attack_scene(board=field(terrain={"1910": "town"}))
    full_cup(g)
    b = battle(g, "a.XL b.XL c.XL", "1910", tactics=("intelligence",), counter=("rifle_brigade",))
    changes = adjustments(g, b)
    expected: dict[Hits, Fraction] = {}
    for total, p in sums(g, b, 4).items():
        end = Hits(
            adjusted(total.attacker, [c for c in changes if c.attacker]),
            adjusted(total.defender, [c for c in changes if not c.attacker]),
        )
        expected[end] = expected.get(end, Fraction(0)) + p
    assert final_hits(g, b, 4) == expected
    isolated = attack_scene()
    full_cup(isolated)
    isolated.status[unit(isolated, "d.6")] |= 4
    hits = final_hits(isolated, battle(isolated, "a.XL", "1910"), 3)
    assert all(h.attacker == 0 for h in hits)


@pytest.mark.rule(RULE, "12.53j")
@pytest.mark.parametrize("hits", [0, 1, 2, 3])
def test_defence_results_agree_with_every_roll_of_the_die(hits: int):
    """The combat itself, with each die value tried in turn."""

    def start() -> Board:
        return scene([german("a.XL", "1911"), soviet("d.6", "1910", faces="3-4-05 2-4-06 1-4-07")])

    def played(values: tuple[int, ...]) -> dict[Result, Fraction]:
        from kessel.core.dice import NeedRoll

        g = start()
        dice(g, *values)
        try:
            c = hit_soviets(g, "a.XL", "1910", hits)
        except NeedRoll:
            found: dict[Result, Fraction] = {}
            for v in range(1, 11):
                for end, p in played((*values, v)).items():
                    found[end] = found.get(end, Fraction(0)) + p / 10
            return found
        left = steps(g, "d.6")[0]
        return {Result(3 - left, c.retreated, not left): Fraction(1)}

    g = start()
    assert defence_results(g, battle(g, "a.XL", "1910"), hits) == played(())


def test_prospects_of_a_german_attack_run_from_the_required_to_the_most_chits():
    g = attack_scene(turn=5)
    full_cup(g)
    found = prospects(g, battle(g, "a.XL b.XL c.XL", "1910"))
    assert [p.chits for p in found] == [2, 3, 4]
    for p in found:
        assert sum(p.hits.values()) == sum(p.results.values()) == 1
    assert found[0].expected[1] < found[2].expected[1]
    s = scene([tanks("a.Popov", "1909", faces="5-6-01 4-6-02 3-6-03"), german("d.XL", "1910", faces="3-4")], turn=5)
    full_cup(s)
    assert [(p.chits, p.results) for p in prospects(s, battle(s, "a.Popov", "1910"))] == [(2, {})]


def test_after_the_required_draw_the_prospects_start_from_what_was_drawn():
    g = attack_scene(turn=5)
    cup(g, "C14 C16 C20 C22 C36")
    dice(g, 1, 1)
    c = german_attack(g, "a.XL b.XL c.XL", "1910")
    assert step(g) == "declared_draws"
    assert prospect(g, c, 0).hits == {Hits(1, 2): Fraction(1)}
    one = prospect(g, c, 1)
    assert (one.chits, one.hits) == (3, {Hits(2, 3): Fraction(1, 3), Hits(1, 3): Fraction(2, 3)})
    assert [p.chits for p in prospects(g, c)] == [2, 3, 4]
    told = TITLE.preview(g, ("draw", 1))
    assert told["hits on average"] == "3.0 on the defender, 1.3 on the attacker"
    assert set(told["chances of hits"]) == {
        "3 on the defender, 1 on the attacker",
        "3 on the defender, 2 on the attacker",
    }
    before = g.digest()
    ways = list(outcomes(g, ("draw", 1)))
    assert sum(w for w, _, _ in ways) == 1
    assert g.digest() == before


def test_the_soviet_card_to_come_is_one_of_the_pile():
    g = attack_scene(cards={"draw": "E16 E11 E09 E06"})
    full_cup(g)
    b = battle(g, "a.XL b.XL c.XL", "1910")
    assert soviet_cards_to_come(g, b) == [
        (Fraction(1, 4), ()),
        (Fraction(1, 4), ("battlefield_replacements",)),
        (Fraction(1, 4), ("rifle_brigade",)),
        (Fraction(1, 4), ("tank_brigade",)),
    ]
    weak = attack_scene(cards={"draw": "E16"})
    assert soviet_cards_to_come(weak, battle(weak, "b.XL", "1910")) == [(Fraction(1), ())]
    parts = []
    for tactics in ((), ("battlefield_replacements",), ("rifle_brigade",), ("tank_brigade",)):
        parts.append(final_hits(g, battle(g, "a.XL b.XL c.XL", "1910", counter=tactics), 3))
    mean = {h: sum((p.get(h, Fraction(0)) for p in parts), Fraction(0)) / 4 for h in set().union(*parts)}
    whole = next(p for p in prospects(g, b) if p.chits == 3)
    assert whole.hits == mean


@pytest.mark.rule(RULE, "12.53a")
@pytest.mark.rule(RULE, "12.75a")
def test_the_chances_know_that_a_stack_with_a_dispersed_unit_retreats_one_hex():
    """Three hits on x, dispersed, and y: back one hex (B), then steps of y and x; nobody goes on once x is lost."""
    stack = [soviet("x.6", "1910", "2-4-09", status=["dispersed"]), soviet("y.6", "1910", "3-4-05 2-4-06")]
    g = scene([german("a.XL", "1911", "9-4"), *stack])
    assert defence_results(g, battle(g, "a.XL", "1910"), 3) == {Result(2, 1, False): 1}
    assert defence_results(g, battle(g, "a.XL", "1910"), 4) == {Result(3, 1, True): 1}


# --- questions -------------------------------------------------------------------------------------------------------


def test_the_question_attack_explains_every_number():
    g = attack_scene(improved_positions="1910")
    full_cup(g)
    found = ask(g, "attack", hex="1910", tactics=["artillery", "screen"], card="P26")
    assert (found["legal"], found["ratio"]) == (True, "12:3, that is 4:1")
    assert found["units"] == ["a.XL", "b.XL", "c.XL"]
    assert found["attack"]["total"] == 12
    assert found["required_chits"]["total"] == 2
    assert found["maximum_chits"]["total"] == 5
    assert {s["situation"] for s in found["situations"]} >= {"clear", "attacker_artillery", "command_value_3"}
    assert found["adjustments"] == [
        {"side": "defender", "what": "improved position", "rule": "12.51", "value": -1},
    ]
    assert found["refused_tactics"][0]["tactic"] == "screen"
    assert [p["chits"] for p in found["prospects"]] == [2, 3, 4, 5]
    assert [d["priority"] for d in found["defence_by_hits"]] == ["C", "B"]
    assert found["defence_by_hits"][0]["hold_chance"]["total"] == 2


@pytest.mark.rule(RULE, "12.3h")
def test_an_empty_counter_says_that_no_soviet_card_helps():
    """Left out: over the cards that may be drawn. E16 lists Battlefield Replacements, which spare a hit."""
    g = attack_scene(cards={"draw": "E16"})
    full_cup(g)
    whole, none, idle = (
        ask(g, "attack", hex="1910", card="P26", **more)["prospects"][0]["hits"]
        for more in ({}, {"counter": []}, {"counter": ["partisans"]})
    )
    assert none == idle != whole, "a tactic that does not help leaves no card to come"
    b = battle(g, "a.XL b.XL c.XL", "1910", card="P26")
    assert none == {str(h): float(p) for h, p in sorted(final_hits(g, b, 2).items())}


def test_the_question_attack_of_a_soviet_attack():
    g = scene(
        [
            soviet("a.6", "1909", faces="8-4-01 2-4-02"),
            german("d.XL", "1910", faces="1-4"),
        ],
        turn=1,
        board=field(areas={"east_support_zone": "1910"}),
    )
    full_cup(g)
    found = ask(g, "attack", hex="1910", units=["a.6"])
    assert (found["side"], found["tactics"]["attacker"]) == ("soviet", ["artillery"])
    assert found["overwhelming"]["rule"] == "12.38"
    assert "defence_by_hits" not in found


def test_the_question_attack_refuses_with_the_rule():
    g = scene([german("a.XL", "1911", status=["dispersed"]), german("b.XL", "1914"), soviet("d.6", "1910")])
    assert ask(g, "attack", hex="1910", units=["a.XL"])["refusal"]["rule"] == "12.1"
    assert ask(g, "attack", hex="1910", units=["b.XL"])["refusal"]["rule"] == "12.1"
    assert ask(g, "attack", hex="1910")["refusal"]["rule"] == "12.0"
    active = scene([german("a.XL", "1911", status=["active"]), german("b.XL", "1911"), soviet("d.6", "1910")])
    full_cup(active)
    assert ask(active, "attack", hex="1910")["units"] == ["a.XL"]
    assert ask(active, "attack", hex="1910", units=["b.XL"])["refusal"]["reason"] == "b.XL is not active"


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ({"question": "attack", "hex": "9999"}, "$.hex"),
        ({"question": "attack", "hex": "1912"}, "$.hex"),
        ({"question": "attack", "hex": "1910", "units": ["x.XL"]}, "$.units[0]"),
        ({"question": "attack", "hex": "1910", "units": ["a.XL", "d.6"]}, "$.units"),
        ({"question": "attack", "hex": "1910", "tactics": ["magic"]}, "$.tactics[0]"),
        ({"question": "attack", "hex": "1910", "card": "P99"}, "$.card"),
        ({"question": "retreat", "hex": "1913"}, "$.hex"),
        ({"question": "retreat", "hex": "1910", "hexes": 3}, "$.hexes"),
        ({"question": "advance", "hex": "1910", "units": ["a.XL"]}, "$.hex"),
        ({"question": "advance", "hex": "1812", "units": []}, "$.units"),
        ({"question": "advance", "hex": "1909", "units": ["a.XL"]}, "$.units[0]"),
        ({"question": "advance", "hex": "1912", "units": ["a.XL"], "retreat": ["1913"]}, "$.retreat"),
    ],
)
def test_bad_questions_name_the_place(question: dict[str, Any], where: str):
    g = attack_scene()
    with pytest.raises(BadInput) as e:
        answer(TITLE, g, msgspec.json.encode(question))
    assert e.value.where == where


@pytest.mark.rule(RULE, "12.7j")
def test_the_question_retreat():
    g = scene(
        [german("d.XL", "1910"), soviet("a.6", "1809")], board=field(terrain={"1911": "town"}), soviet_towns="1911"
    )
    found = ask(g, "retreat", hex="1910")
    assert {tuple(r["path"]) for r in found["routes"]} == {("2010",), ("2009",)}
    assert found["hexes"]["1911"]["refusal"]["rule"] == "12.71"
    assert found["hexes"]["1810"]["priority"] == 3
    assert found["most_hexes"] == 2
    s = scene([german("a.XL", "1911"), soviet("d.6", "1910", faces="3-4-05 2-4-06")])
    found = ask(s, "retreat", hex="1910", hexes=2)
    assert [x["to"] for x in found["steps"]] == ["1909", "1908"]
    assert found["steps"][0]["preferences"][0]["what"] == "the easternmost hex"
    assert ask(s, "retreat", hex="1910", nkvd=True)["limit"]["rule"] == "12.7"


@pytest.mark.rule(RULE, "12.83b")
def test_the_question_advance():
    g = scene([panzer("a.XL", "1911"), german("b.XL", "1911"), soviet("d.6", "1908")])
    found = ask(g, "advance", hex="1910", units=["a.XL", "b.XL"], retreat=["1909", "1908"])
    assert "1910-1909" in found["units"]["a.XL"]["advances"]
    assert found["units"]["b.XL"]["advances"] == ["1910"]
    assert found["units"]["b.XL"]["refused"]["1910-1909"]["rule"] == "12.81"
    s = scene(
        [tanks("a.Popov", "1909"), german("d.XL", "1912")],
        board=field(arrows=[{"from": "1909", "to": "1910", "kind": "primary"}]),
    )
    found = ask(s, "advance", hex="1910", units=["a.Popov"], retreat=["1911", "1912"])
    assert found["units"]["a.Popov"]["first"]["advances"] == "yes"
    assert found["units"]["a.Popov"]["second"]["route"] == "second_hex_along_retreat"


def test_a_hand_written_position_asks_about_combat():
    doc = {
        "game": "kharkov43",
        "board": field(),
        "turn": 3,
        "units": [german("a.XL", "1911"), soviet("d.6", "1910")],
        "ask": [
            {"question": "attack", "hex": "1910"},
            {"question": "retreat", "hex": "1910"},
        ],
    }
    answers = analyze(msgspec.json.encode(doc))["answers"]
    assert [a["question"] for a in answers] == ["attack", "retreat"]
    assert answers[0]["legal"]


# --- previews --------------------------------------------------------------------------------------------------------


def test_every_choice_of_a_german_attack_has_a_preview_that_changes_nothing():
    g = scene(
        [
            panzer("a.XL", "1911", status=["active"], faces="6-6 5-6 3-6"),
            german("b.XL", "1911", status=["active"]),
            german("r.LVII", "1913", corps="LVII"),
            soviet("d.6", "1910", faces="3-4-05 2-4-06"),
        ],
        phase="german_activation",
        card="P26",
        cards={"hand": "P25 P29", "draw": "E06 E16 E11"},
    )
    full_cup(g)
    play(g, "pass")
    told = TITLE.preview(g, ("attack", hx(g, "1910")))
    assert told["attack"]["total"] == 9
    play(g, "attack 1910")
    seen = set()
    for _ in range(12):
        if not g.stack or not isinstance(g.stack[-1], GermanCombat) or step(g) in ("take_hits", "advance"):
            break
        for action in legal(g):
            before = g.digest()
            told = TITLE.preview(g, action)
            assert g.digest() == before
            if told:
                seen.add(action[0])
        wanted = [a for a in legal(g) if a[0] in ("tactic", "join")] or [legal(g)[0]]
        push(g, wanted[-1])
    assert {"without", "tactic", "pass", "draw"} <= seen


def test_previews_show_what_a_unit_or_tactic_adds():
    g = attack_scene(cards={"hand": "P36 P44"})
    full_cup(g)
    c = GermanCombat(0, hx(g, "1910"), (unit(g, "a.XL"),), g.charts.card_index("P26"))
    g.stack = [c]
    g.status[unit(g, "b.XL")] |= 8
    assert TITLE.preview(g, ("with", unit(g, "b.XL")))["attack"]["total"] == 9
    assert TITLE.preview(g, ("without", unit(g, "a.XL"))) == {}
    german_attack(g, "a.XL", "1910")
    assert TITLE.preview(g, NOTATION.parse(g, "tactic P36 panzer_battalion"))["attack"]["total"] == 8
    assert TITLE.preview(g, ("pass",))["attack"]["total"] == 6
    assert "tactic P44 intelligence" in choices(g)


def test_no_chit_of_the_combat_is_left_drawn():
    g = attack_scene(turn=5)
    full_cup(g)
    german_attack(g, "a.XL b.XL c.XL", "1910")
    while g.stack:
        play(g, choices(g)[0])
    assert DRAWN not in g.chits


def test_the_chances_of_a_defence_add_up():
    g = scene([german("a.XL", "1911", faces="6-4 3-4"), soviet("d.6", "1910", faces="3-4-01 2-4-02")])
    full_cup(g)
    for p in prospects(g, battle(g, "a.XL", "1910")):
        assert sum(p.chance(w) for w in ("holds", "retreats one", "retreats two", "eliminated")) == 1
