"""Questions about replacements (16) and victory (17, 18)."""

from __future__ import annotations

import pytest

from kessel.core.errors import BadInput
from kessel.games.kharkov43.board import EDGE_HELD
from tests.games.kharkov43.helpers import ask

from .helpers import board, german, hx, panzer, position, soviet, tanks

rule = pytest.mark.rule
ROWS = range(15, 23)
EAST = " ".join(f"{r}08-{r}12" for r in ROWS)


def ground(**more):
    """Germans in the west, Soviets in the east, Kharkov in 1812 and a town in 1712; the west line runs behind 1812."""
    found = board(
        columns=range(8, 17),
        terrain={"1812": "city", "1712": "town"},
        vp={"1812": 5, "1712": 2, "1516": 3},
        features={"1516": "vp map_edge_vp"},
        german_edge=" ".join(f"{r}16" for r in ROWS if r != 15),
        soviet_edge=" ".join(f"{r}08" for r in ROWS),
        areas={"west_support_zone": EAST, "east_support_zone": EAST},
        **more,
    )
    found["hexes"]["1812"]["name"] = "Kharkov"
    return found


def end(scenario, turn, vp, *, soviet_towns="", units=(), **more):
    g = position(board=ground(), turn=turn, vp=vp, soviet_towns=soviet_towns, units=list(units), **more)
    found = ask(g, "victory", scenario=scenario)
    return found["level"], found["when"], found["why"]["rule"]


LAST = "at the end of this game-turn"


@rule("kharkov43", "18.1b")
@rule("kharkov43", "18.1c")
def test_the_initial_assault():
    assert end("initial-assault", 2, 8) == ("german_tactical_victory", LAST, "18.1")
    assert end("initial-assault", 2, 9) == ("german_tactical_defeat", LAST, "18.1")
    assert end("initial-assault", 1, 9) == ("", "", "18.1")
    past, short = soviet("S", "1813"), soviet("S", "1811")
    assert end("initial-assault", 1, 7, soviet_towns="1812", units=[past])[:2] == (
        "german_operational_defeat",
        "at once",
    )
    assert end("initial-assault", 1, 7, soviet_towns="1812", units=[short])[0] == "", "nobody past the west line"
    assert end("initial-assault", 1, 7, soviet_towns="1712", units=[past])[0] == "", "Kharkov is German"


@rule("kharkov43", "18.2b")
@rule("kharkov43", "18.2c")
@pytest.mark.parametrize(
    ("vp", "level"),
    [
        (25, "operational_defeat"),
        (24, "operational_defeat"),
        (23, "tactical_defeat"),
        (21, "tactical_defeat"),
        (20, "tactical_victory"),
        (18, "tactical_victory"),
        (17, "operational_victory"),
        (15, "operational_victory"),
        (14, "strategic_victory"),
    ],
)
def test_star_and_gallop(vp, level):
    assert end("star-and-gallop", 6, vp) == (f"german_{level}", LAST, "18.2")
    assert end("star-and-gallop", 5, vp)[0] == ""
    assert end("star-and-gallop", 5, 26)[:2] == ("german_strategic_defeat", "at once")


@rule("kharkov43", "18.34l")
@rule("kharkov43", "18.35a")
@rule("kharkov43", "18.35b")
@rule("kharkov43", "18.35c")
@rule("kharkov43", "18.35d")
@rule("kharkov43", "18.35e")
def test_the_campaign():
    space = position(board=ground(), turn=8).charts.calendar[8]
    low, high = space.victory_below, space.defeat_above
    assert end("campaign", 3, 0) == ("", "", "18.35")
    assert end("campaign", 8, high + 1)[0] == f"german_{space.defeat_level}_defeat"
    assert end("campaign", 8, high)[0] == ""
    assert end("campaign", 8, low)[0] == ""
    assert end("campaign", 8, low - 1)[0] == f"german_{space.victory_level}_victory"
    assert end("campaign", 8, low - 1, soviet_towns="1812")[0] == "", "Kharkov is Soviet"
    assert end("campaign", 8, low - 1, ground="heavy_mud") == ("", "", "18.34")
    assert end("campaign", 14, 0, soviet_towns="1812") == ("draw", LAST, "18.35")


@rule("kharkov43", "17.1b")
@rule("kharkov43", "17.1d")
@rule("kharkov43", "17.1e")
def test_what_the_vps_are_for():
    holder = soviet("S", "1516")
    g = position(board=ground(), turn=5, soviet_towns="1812", units=[holder])
    assert g.vp == 5, "1516 is too far from the Soviet edge"
    given = position(board=ground(), turn=5, vp=8, soviet_towns="1812", units=[holder])
    held = ask(given, "victory")["held"]
    assert [(i["what"], i["value"]) for i in held["items"]] == [("Kharkov", 5), ("map edge 1516", 3)]
    assert given.has_mark(hx(given, "1516"), EDGE_HELD)
    cut_off = position(board=ground(), turn=5, vp=8, soviet_towns="1812", units=[holder], phase="supply_phase")
    assert (cut_off.vp, ask(cut_off, "victory")["held"]["total"]) == (5, 5), "lost in the Supply Phase"


@rule("kharkov43", "16.1c")
@rule("kharkov43", "16.2a")
@rule("kharkov43", "16.2b")
@rule("kharkov43", "16.2d")
@rule("kharkov43", "16.21a")
def test_who_of_a_corps_gets_a_step():
    units = [
        german("a", "1815", steps=1),
        german("b", "1715", steps=1, status=["out_of_supply"]),
        panzer("p", "1615", steps=1),
        german("e", "eliminated"),
        german("f", "1915"),
        german("o", "1916", "2-4"),
        german("r", "reserve", steps=1),
        german("other", "1916", corps="III", steps=1),
    ]
    found = ask(position(board=ground(), turn=3, units=units), "replacements", formation="XL")
    assert (found["units"], found["priority"]) == (["a"], 1)
    assert {n: r["rule"] for n, r in found["others"].items()} == {
        "b": "16.21",
        "p": "16.1",
        "e": "16.1",
        "f": "16.2",
        "o": "16.2",
        "r": "16.2",
    }
    without = ask(position(board=ground(), turn=3, units=units[1:]), "replacements", formation="XL")
    assert (without["units"], without["priority"]) == (["e"], 2)


@rule("kharkov43", "16.0a")
@rule("kharkov43", "16.1d")
@rule("kharkov43", "16.1e")
@rule("kharkov43", "16.2e")
def test_who_of_an_army_gets_a_step():
    units = [
        soviet("on the map", "1810", "3-4-01 1-4-02", steps=1),
        soviet("gone 20", "eliminated", "3-4-01 1-4-20"),
        soviet("gone 11", "eliminated", "3-4-01 1-4-11"),
        tanks("tanks", "1813", army="6", steps=1),
    ]
    early = ask(position(board=ground(), turn=5, units=units), "replacements", formation="6")
    assert (early["units"], early["refusal"]["rule"]) == ([], "16.0")
    found = ask(position(board=ground(), turn=6, units=units), "replacements", formation="6")
    assert (found["units"], found["chosen"]) == (["gone 20", "gone 11"], "gone 11")
    assert {n: r["rule"] for n, r in found["others"].items()} == {"on the map": "16.1", "tanks": "16.2"}


@rule("kharkov43", "18.34j")
@rule("kharkov43", "18.34k")
def test_who_gets_a_step_in_heavy_mud():
    units = [
        german("a", "1815", steps=1),
        german("x", "1715", corps="III", steps=1),
        panzer("p", "1615", steps=1),
        soviet("S", "eliminated", army="6"),
        tanks("T", "eliminated", army="Popov"),
        soviet("V", "eliminated", army="69"),
    ]
    g = position(board=ground(), turn=8, ground="heavy_mud", units=units)
    mine = ask(g, "replacements")
    assert (mine["units"], mine["others"]["p"]["rule"]) == (["a", "x"], "18.34")
    front = ask(g, "replacements", formation="Southwest")
    assert (front["chosen"], front["others"]["T"]["rule"]) == ("S", "18.34")


def test_what_is_not_understood():
    g = position(board=ground(), turn=5)
    with pytest.raises(BadInput, match=r"\$.formation: name a corps or an army: Raus, "):
        ask(g, "replacements", formation="VI")
    with pytest.raises(BadInput, match=r"\$.scenario: there is no scenario 'winter'; there are campaign, "):
        ask(g, "victory", scenario="winter")
    mud = position(board=ground(), turn=8, ground="heavy_mud")
    with pytest.raises(BadInput, match=r"\$.formation: name a front, or nothing for the Germans"):
        ask(mud, "replacements", formation="XL")


@rule("kharkov43", "18.34f")
def test_in_heavy_mud_nobody_is_activated():
    doc = {"board": ground(), "turn": 8, "units": [german("A", "1815", corps="Raus"), soviet("S", "1810")]}
    hand = {"cards": {"hand": "P23", "draw": "E11"}}
    g = position(ground="heavy_mud", phase="german_impulse", **doc, **hand)
    assert ask(g, "legal")["actions"] == []
    assert ask(g, "legal", action="play P23 activate")["refusal"]["rule"] == "18.34"
    questions = [
        ("moves", {"unit": "A"}),
        ("moves", {"unit": "S", "to": "1811"}),
        ("activate", {"card": "P23"}),
        ("command_cards", {"cards": ["E11"]}),
        ("system", {"card": "E11"}),
    ]
    assert {ask(g, name, **q)["refusal"]["rule"] for name, q in questions} == {"18.34"}
    light = position(ground="light_mud", **doc, **hand)
    assert not any("refusal" in ask(light, name, **q) for name, q in questions)
    assert ask(g, "moves", unit="A", proximity=True)["reach"], "proximity is judged all the same"


@rule("kharkov43", "15.1a")
def test_no_garrisons_before_turn_4():
    assert ask(position(board=ground(), turn=3, soviet_towns="1712"), "garrisons")["refusal"]["rule"] == "15.1"
    assert ask(position(board=ground(), turn=4, soviet_towns="1712"), "garrisons")["placed"] == ["1712"]


@rule("kharkov43", "12.41r")
@rule("kharkov43", "12.35a")
def test_an_attack_is_asked_with_the_card_that_activated_the_units():
    """The position's own card, or the Soviet card in the command box; nobody's where the units are not active."""

    def situations(attacker, **more):
        units = [german("G", "1813"), soviet("S", "1812")]
        units = [{**u, "status": ["active"]} if u["id"] == attacker else u for u in units]
        target = {"G": "1812", "S": "1813"}[attacker or "G"]
        found = ask(
            position(board=board(), turn=5, support_line="whole_map", units=units, **more), "attack", hex=target
        )
        return {s["situation"] for s in found["situations"]} & {"command_value_3", "command_value_5", "nkvd"}

    going_on = {"phase": "german_activation", "card": "P26"}
    assert situations("G", **going_on) == {"command_value_3"}
    assert situations("", **going_on) == set(), "G was not activated"
    assert situations("S", cards={"command": "E17"}) == {"command_value_3"}
    assert "nkvd" in situations("S", cards={"command": "E22"}), "STAVKA"
    assert situations("S", **going_on) == set(), "a German card does not activate Soviets"
