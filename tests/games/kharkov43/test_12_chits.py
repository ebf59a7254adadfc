"""12.4 Drawing chits, 12.41 situations, 12.42 the cup, 12.5 hits, 12.51 adjustments."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.games.kharkov43.board import ASIDE, CUP, DRAWN, IP, Board
from kessel.games.kharkov43.combat.chits import (
    Hits,
    Situations,
    adjusted,
    adjustments,
    draw_chits,
    examine,
    hit_totals,
    hits_of,
    maximum_draw,
    most_draws,
    required_draw,
    set_aside,
)
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.sequence import end_turn
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    cup,
    dice,
    field,
    full_cup,
    german_attack,
    log,
    play,
    refused,
    scene,
    soviet_attack,
    step,
)
from tests.games.kharkov43.helpers import german, hx, panzer, soviet

RULE = "kharkov43"
CHITS = {c.id: c for c in scene([]).charts.chits}


def german_scene(defender: dict[str, Any] | None = None, **doc: Any) -> Board:
    return scene([german("a.XL", "1911"), defender or soviet("d.6", "1910", faces="3-4-05 2-4-06")], **doc)


def soviet_scene(defender: dict[str, Any] | None = None, **doc: Any) -> Board:
    return scene(
        [soviet("a.6", "1810", faces="6-4-05 2-4-06"), defender or german("d.XL", "1910", faces="3-4 2-4")], **doc
    )


# --- 12.4 how many ---------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.4a")
@pytest.mark.rule(RULE, "12.4j")
def test_the_required_draw_is_the_steps_of_the_defenders_whatever_the_maximum():
    g = scene(
        [
            german("a.XL", "1911"),
            soviet("d.6", "1910", faces="3-4-05 2-4-06 1-4-07"),
            soviet("e.6", "1910", faces="3-4-08 2-4-09"),
        ]
    )
    b = battle(g, "a.XL", "1910")
    assert (required_draw(g, b).total, maximum_draw(g, b).total, most_draws(g, b)) == (5, 1, 5)
    b.tactics = ("artillery", "intelligence")
    assert required_draw(g, b).total == 5
    full_cup(g)
    c = german_attack(g, "a.XL", "1910")
    assert len(c.drawn) == 5


@pytest.mark.rule(RULE, "12.4a")
@pytest.mark.rule(RULE, "12.4b")
@pytest.mark.rule(RULE, "12.4d")
@pytest.mark.rule(RULE, "12.4e")
@pytest.mark.rule(RULE, "12.4f")
@pytest.mark.example(RULE, "X30")
def test_example_five_units_two_tactics_draw_two_to_eight_chits():
    g = scene(
        [
            panzer("0.XL", "1911", faces="6-6 4-6 2-6"),
            german("1.XL", "1911"),
            german("2.XL", "1810"),
            german("3.XL", "1809"),
            german("4.XL", "1809", faces="1-4"),
            soviet("d.6", "1910", faces="3-4-05 2-4-06"),
        ],
        cards={"hand": "P23 P27"},
    )
    full_cup(g)
    c = german_attack(g, "0.XL 1.XL 2.XL 3.XL 4.XL", "1910")
    play(g, "tactic P23 artillery", "tactic P27 airpower")
    assert (required_draw(g, c).total, maximum_draw(g, c).total) == (2, 8)
    assert [i.value for i in maximum_draw(g, c).items] == [2, 1, 1, 1, 1, 1, 1]
    assert len(c.drawn) == 2
    assert choices(g) == [f"draw {n}" for n in range(7)]
    assert refused(g, "draw 7") == "12.4"
    play(g, "draw 6")
    assert len(c.drawn) == 8


@pytest.mark.rule(RULE, "12.4b")
def test_the_german_attacker_may_stop_and_is_asked_once():
    g = scene([*[german(f"{i}.XL", "1911") for i in range(3)], soviet("d.6", "1910", faces="3-4-05")], cards={})
    full_cup(g)
    c = german_attack(g, "0.XL 1.XL 2.XL", "1910")
    assert step(g) == "declared_draws"
    play(g, "draw 0")
    assert len(c.drawn) == 1
    assert step(g) != "declared_draws"
    again = scene([*[german(f"{i}.XL", "1911") for i in range(3)], soviet("d.6", "1910", faces="3-4-05")], cards={})
    full_cup(again)
    c = german_attack(again, "0.XL 1.XL 2.XL", "1910")
    play(again, "draw 1")
    assert len(c.drawn) == 2
    assert step(again) != "declared_draws"


@pytest.mark.rule(RULE, "12.4c")
def test_the_soviet_attacker_always_draws_the_maximum():
    g = scene(
        [
            soviet("a.6", "1810", faces="6-4-05 5-4-06 4-4-07"),
            soviet("b.6", "1809", faces="2-4-08 1-4-09"),
            german("d.XL", "1910", faces="5-4"),
        ],
        turn=5,
    )
    full_cup(g)
    c = soviet_attack(g, "a.6 b.6", "1910")
    assert len(c.drawn) == 3


@pytest.mark.rule(RULE, "13.21f")
@pytest.mark.rule(RULE, "13.22h")
@pytest.mark.rule(RULE, "12.4g")
@pytest.mark.parametrize(
    ("states", "more"),
    [
        (["out_of_supply"], 1),
        (["isolated"], 2),
        (["out_of_supply", "isolated"], 1),
        (["isolated", "isolated"], 2),
        (["isolated", ""], 0),
        (["out_of_supply", ""], 0),
        (["dispersed"], 0),
        ([""], 0),
    ],
)
def test_unsupplied_defenders_cost_them_chits(states: list[str], more: int):
    defenders = [soviet(f"{i}.6", "1910", faces="1-4-05", status=[s] if s else []) for i, s in enumerate(states)]
    g = scene([german("a.XL", "1911"), *defenders])
    assert maximum_draw(g, battle(g, "a.XL", "1910")).total == 1 + more


@pytest.mark.rule(RULE, "12.4h")
def test_screen_takes_two_chits_from_a_soviet_attack_down_to_the_minimum():
    g = scene(
        [
            *[soviet(f"{i}.6", "1810", faces="3-4-05 2-4-06") for i in range(3)],
            soviet("3.6", "1809", faces="3-4-05 2-4-06 1-4-07"),
            german("d.XL", "1910", faces="9-4"),
        ],
        turn=5,
        cards={"hand": "P23"},
    )
    full_cup(g)
    c = soviet_attack(g, "0.6 1.6 2.6 3.6", "1910")
    assert maximum_draw(g, c).total == 5
    play(g, "tactic P23 screen")
    assert (maximum_draw(g, c).total, len(c.drawn)) == (3, 3)
    few = soviet_scene(turn=5, cards={"hand": "P23"})
    full_cup(few)
    c = soviet_attack(few, "a.6", "1910")
    play(few, "tactic P23 screen")
    assert (maximum_draw(few, c).total, len(c.drawn)) == (-1, 2)


@pytest.mark.rule(RULE, "18.34d")
@pytest.mark.rule(RULE, "12.4i")
def test_in_light_mud_at_most_six_chits_are_drawn():
    units = [soviet(f"{i}.6", f"18{9 + i // 3:02d}"[:4], faces="3-4-05 2-4-06") for i in range(6)]
    units += [soviet("6.6", "2009", faces="3-4-05 2-4-06 1-4-07"), german("d.XL", "1910", faces="9-4")]
    for ground, most in (("light_mud", 6), ("frozen", 8)):
        g = scene(units, ground=ground)
        b = battle(g, " ".join(f"{i}.6" for i in range(7)), "1910")
        assert most_draws(g, b) == most
    big = scene(
        [
            soviet("a.6", "1810"),
            *[german(f"{i}.XL", "1910", faces="3-4 2-4 1-4") for i in range(2)],
        ],
        ground="light_mud",
    )
    assert most_draws(big, battle(big, "a.6", "1910")) == 6


# --- 12.42 the cup ---------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.42a")
def test_drawn_chits_stay_out_of_the_cup():
    g = german_scene(soviet("d.6", "1910", faces="9-4-05 8-4-06"))
    cup(g, "C14 C15 C16 C36")
    dice(g, 4, 1, *[10] * 5)
    c = german_attack(g, "a.XL", "1910")
    while g.stack:
        play(g, choices(g)[0])
    assert [g.charts.chits[i].id for i in c.drawn] == ["C36", "C14"]
    states = {x: g.chits[i] for i, x in enumerate(CHITS)}
    assert (states["C36"], states["C14"], states["C15"], states["C16"]) == (ASIDE, ASIDE, CUP, CUP)


@pytest.mark.rule(RULE, "12.42b")
@pytest.mark.rule(RULE, "12.42c")
def test_a_dark_chit_returns_earlier_chits_at_once_and_its_own_after_the_combat():
    g = german_scene(soviet("d.6", "1910", faces="9-4-05 8-4-06 7-4-07"))
    cup(g, "C10 C14", aside="C36 C37")
    b = battle(g, "a.XL", "1910")
    dice(g, 2, 1, 2)
    draw_chits(g, b, 3)
    assert [g.charts.chits[i].id for i in b.drawn] == ["C14", "C10", "C37"]
    ids = list(CHITS)
    assert g.chits[ids.index("C36")] == CUP
    assert g.chits[ids.index("C14")] == g.chits[ids.index("C10")] == DRAWN
    set_aside(g, b)
    assert all(g.chits[ids.index(x)] == CUP for x in ("C10", "C14", "C36", "C37"))
    assert "return to the cup" in log(g)


@pytest.mark.rule(RULE, "12.42c")
def test_without_a_dark_chit_the_chits_of_the_combat_are_set_aside():
    g = german_scene()
    cup(g, "C14 C15")
    b = battle(g, "a.XL", "1910")
    dice(g, 1, 1)
    draw_chits(g, b, 2)
    set_aside(g, b)
    assert [g.chits[i] for i in b.drawn] == [ASIDE, ASIDE]


def test_at_the_end_of_the_turn_all_chits_are_back():
    g = german_scene()
    cup(g, "C14", aside="C15 C16")
    end_turn(g)
    assert all(at == CUP for at in g.chits)


# --- 12.5 hits -------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.5a")
@pytest.mark.parametrize(
    ("code", "side", "hits"),
    [
        ("A1", SOVIET, Hits(1, 0)),
        ("D2", SOVIET, Hits(0, 2)),
        ("A1 D1", GERMAN, Hits(1, 1)),
        ("D-1", GERMAN, Hits(0, -1)),
        ("S1", SOVIET, Hits(1, 0)),
        ("S1", GERMAN, Hits(0, 1)),
        ("G1", SOVIET, Hits(0, 1)),
        ("G1", GERMAN, Hits(1, 0)),
    ],
)
def test_hit_codes(code: str, side: int, hits: Hits):
    assert hits_of(code, side) == hits


def added(chits: str, words: set[str], attack: int, defence: int, side: int) -> Hits:
    s = Situations(attack, defence, dict.fromkeys(words, ""))
    found = [examine(CHITS[c], s, side) for c in chits.split()]
    assert all(e.retained for e in found)
    return Hits(sum(e.hits.attacker for e in found), sum(e.hits.defender for e in found))


@pytest.mark.rule(RULE, "12.5a")
@pytest.mark.example(RULE, "X34")
def test_example_hit_sums():
    assert added("C16 C14 C53", {"command_value_1"}, 6, 3, SOVIET) == Hits(2, 2)
    words = {"flank_attack", "only_defender_armor", "defender_artillery"}
    assert added("C33 C14 C16 C39 C43", words, 6, 3, SOVIET) == Hits(1, 2)
    assert added("C33 C14 C16 C39", words, 6, 3, SOVIET) == Hits(1, 3)
    soviets = {"nkvd", "clear"}
    assert added("C14 C22 C27 C57", soviets, 6, 3, SOVIET) == Hits(1, 3)
    assert added("C14 C22 C27 C57", soviets, 6, 3, GERMAN) == Hits(0, 4)


# --- 12.51 adjustments -----------------------------------------------------------------------------------------------


def totals(g: Board, attackers: str, chits: str, **more: Any) -> tuple[int, int]:
    b = battle(g, attackers, "1910", **more)
    s = Situations(6, 3, dict.fromkeys(("clear", "nkvd", "flank_attack"), ""))
    found = hit_totals(g, b, [examine(CHITS[c], s, b.side) for c in chits.split()])
    assert found.attacker.total == sum(i.value for i in found.attacker if isinstance(i.value, int))
    return found.attacker.total, found.defender.total


@pytest.mark.rule(RULE, "12.51a")
@pytest.mark.parametrize(("terrain", "hits"), [("clear", 2), ("woods", 2), ("marsh", 2), ("town", 1), ("city", 1)])
def test_town_and_city_take_a_hit_from_the_defender(terrain: str, hits: int):
    g = german_scene(board=field(terrain={"1910": terrain}))
    assert totals(g, "a.XL", "C22 C14") == (0, hits)


@pytest.mark.rule(RULE, "14.2a")
@pytest.mark.rule(RULE, "14.24a")
@pytest.mark.rule(RULE, "12.51a")
@pytest.mark.rule(RULE, "12.51b")
def test_an_improved_position_takes_one_hit_and_is_gone():
    g = german_scene(soviet("d.6", "1910", faces="1-4-05"), improved_positions="1910")
    assert totals(g, "a.XL", "C22 C14") == (0, 1)
    cup(g, "C14")
    dice(g, 1, *[10] * 5)
    german_attack(g, "a.XL", "1910")
    assert not g.has_mark(hx(g, "1910"), IP)
    assert "0 on the defender" in log(g)
    kept = german_scene(soviet("d.6", "1910", faces="1-4-05"), improved_positions="1910")
    cup(kept, "C56")
    dice(kept, 1)
    german_attack(kept, "a.XL", "1910")
    assert kept.has_mark(hx(kept, "1910"), IP)


@pytest.mark.rule(RULE, "12.51c")
@pytest.mark.parametrize(
    ("rivers", "hits"),
    [
        ({"1911|1910": "donets", "1810|1910": "donets"}, 1),
        ({"1911|1910": "donets", "1810|1910": "dniepr"}, 1),
        ({"1911|1910": "donets"}, 2),
        ({"1911|1910": "minor_river", "1810|1910": "minor_river"}, 2),
    ],
)
def test_all_attackers_across_a_big_river_spare_the_defender_a_hit(rivers: dict[str, str], hits: int):
    g = scene(
        [german("a.XL", "1911"), german("b.XL", "1810"), soviet("d.6", "1910")], board=field(bare=True, rivers=rivers)
    )
    assert totals(g, "a.XL b.XL", "C22 C14") == (0, hits)


@pytest.mark.rule(RULE, "12.51c")
def test_a_town_behind_the_donets_spares_two_hits():
    g = german_scene(board=field(bare=True, terrain={"1910": "town"}, rivers={"1911|1910": "donets"}))
    assert totals(g, "a.XL", "C22 C14") == (0, 0)


@pytest.mark.rule(RULE, "13.21f")
@pytest.mark.rule(RULE, "13.22h")
@pytest.mark.rule(RULE, "12.51d")
@pytest.mark.rule(RULE, "12.51e")
@pytest.mark.rule(RULE, "12.9d")
@pytest.mark.parametrize(
    ("states", "attacker"),
    [
        (["dispersed"], 1),
        (["out_of_supply"], 1),
        (["dispersed", "out_of_supply"], 1),
        (["out_of_supply", "isolated"], 1),
        (["isolated"], 0),
        (["isolated", "isolated"], 0),
        (["dispersed", ""], 2),
        ([""], 2),
    ],
)
def test_unfit_defenders_spare_the_attacker_hits(states: list[str], attacker: int):
    defenders = [soviet(f"{i}.6", "1910", faces="1-4-05", status=[s] if s else []) for i, s in enumerate(states)]
    g = scene([german("a.XL", "1911"), *defenders])
    assert totals(g, "a.XL", "C16 C20") == (attacker, 2)


@pytest.mark.rule(RULE, "12.51f")
def test_tactics_change_the_totals():
    g = german_scene()
    assert totals(g, "a.XL", "C16 C20") == (2, 2)
    assert totals(g, "a.XL", "C16 C20", tactics=("intelligence",)) == (2, 3)
    assert totals(g, "a.XL", "C16 C20", tactics=("battlefield_replacements",)) == (1, 2)
    assert totals(g, "a.XL", "C16 C20", counter=("intelligence", "rifle_brigade")) == (3, 1)
    assert totals(g, "a.XL", "C16", counter=("tank_brigade",)) == (1, 1)
    assert totals(g, "a.XL", "C16 C20", counter=("tank_brigade",)) == (2, 1)


@pytest.mark.rule(RULE, "12.51f")
def test_hits_that_tactics_add_come_before_those_they_take_away():
    """A tactic that needs a hit to take away finds the one the enemy's tactic adds."""
    g = german_scene()
    assert totals(g, "a.XL", "") == (0, 0)
    assert totals(g, "a.XL", "", counter=("intelligence",)) == (1, 0)
    assert totals(g, "a.XL", "", tactics=("battlefield_replacements",), counter=("intelligence",)) == (0, 0)


@pytest.mark.rule(RULE, "12.51g")
def test_a_total_below_nothing_is_nothing():
    g = german_scene()
    s = Situations(1, 3, {})
    found = hit_totals(g, battle(g, "a.XL", "1910"), [examine(CHITS["C08"], s, GERMAN)])
    assert found.defender.total == 0
    assert [i.value for i in found.defender] == [-1, 1]
    town = german_scene(board=field(terrain={"1910": "town"}))
    assert totals(town, "a.XL", "C22") == (0, 0)
    assert adjusted(-3, []) == 0
    assert adjusted(0, adjustments(town, battle(town, "a.XL", "1910"))) == 0
