"""12.52-12.55 Processing hits, 12.6 step losses, 12.9 dispersal."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.games.kharkov43.board import (
    DISPERSED,
    DISPERSED_ATTACKING,
    Board,
)
from kessel.games.kharkov43.combat.results.hold import attacker_hit_result, hold_chance, judge_hit
from kessel.games.kharkov43.combat.results.retreat import soviet_hop
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    dice,
    field,
    hit_germans,
    hit_soviets,
    log,
    places,
    play,
    refused,
    scene,
    step,
    steps,
    units,
)
from tests.games.kharkov43.helpers import german, hx, panzer, soviet, unit

RULE = "kharkov43"
BIG_PILE = "E01 E02 E03 E04 E05"


def germans_defend(*defenders: Any, attackers: int = 1, **doc: Any) -> Board:
    """Germans in 1910, attacked from the north-east."""
    stack = defenders or (german("d.XL", "1910", faces="4-4 3-4 2-4"), german("e.XL", "1910", faces="3-4 2-4"))
    return scene([*attackers_of(attackers), *stack], **doc)


def attackers_of(number: int) -> list[Any]:
    return [soviet(f"{i}.6", "1809", faces=f"4-4-{2 * i + 1:02d} 2-4-{2 * i + 2:02d}") for i in range(number)]


def soviets_defend(*defenders: Any, **doc: Any) -> Board:
    """Soviets in 1910, attacked from the west; the Soviet edge lies east."""
    stack = defenders or (soviet("d.6", "1910", faces="3-4-05 2-4-06"),)
    return scene([german("a.XL", "1911"), *stack], **doc)


# --- 12.52 -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.52a")
def test_defenders_retreat_one_hex_for_a_hit_and_two_at_most():
    g = germans_defend()
    hit_germans(g, "0.6", "1910", 3)
    hexes = {len(c.split()[1].split("-")) for c in choices(g) if c.startswith("retreat")}
    assert hexes == {1, 2}
    assert refused(g, "retreat 1911-1912-1913").startswith("12.7")
    one = germans_defend()
    c = hit_germans(one, "0.6", "1910", 1)
    assert {len(x.split()[1].split("-")) for x in choices(one) if x.startswith("retreat")} == {1}
    assert refused(one, "retreat 1911-1912") == "12.52"
    play(one, "retreat 1911")
    assert (c.retreated, c.defender_hits) == (1, 0)
    assert places(one, "d.XL e.XL") == {"d.XL": "1911", "e.XL": "1911"}
    assert not one.status[unit(one, "d.XL")] & DISPERSED


@pytest.mark.rule(RULE, "12.52b")
@pytest.mark.rule(RULE, "12.9a")
def test_a_two_hex_retreat_disperses_all_defenders():
    g = germans_defend()
    c = hit_germans(g, "0.6", "1910", 3)
    play(g, "retreat 1911-1912")
    assert (c.defender_hits, c.retreated) == (0, 2)
    both = DISPERSED | DISPERSED_ATTACKING
    assert all(g.status[unit(g, n)] & both == DISPERSED for n in ("d.XL", "e.XL"))
    assert sum(steps(g, "d.XL e.XL")) == 4


@pytest.mark.rule(RULE, "12.52c")
@pytest.mark.rule(RULE, "12.9c")
def test_one_dispersed_defender_keeps_the_stack_to_one_hex():
    g = germans_defend(german("d.XL", "1910", faces="4-4 3-4"), german("e.XL", "1910", status=["dispersed"]))
    hit_germans(g, "0.6", "1910", 2)
    assert {len(c.split()[1].split("-")) for c in choices(g) if c.startswith("retreat")} == {1}
    assert refused(g, "retreat 1911-1912") == "12.75"
    s = soviets_defend(
        soviet("d.6", "1910", faces="3-4-05"), soviet("e.6", "1910", faces="3-4-07", status=["dispersed"])
    )
    hit_soviets(s, "a.XL", "1910", 4)
    assert "step loss: e.6 is dispersed: one hex only" in log(s)


@pytest.mark.rule(RULE, "12.52d")
@pytest.mark.rule(RULE, "12.52e")
@pytest.mark.parametrize(
    ("hits", "lost"),
    [(1, 1), (2, 1), (3, 1), (4, 2), (5, 3)],
)
def test_the_first_attacker_hit_is_a_step_and_dispersal_takes_two_more(hits: int, lost: int):
    g = scene(
        [
            panzer("a.XL", "1911", faces="6-6 5-6 4-6"),
            german("b.XL", "1911", faces="3-4 2-4 1-4"),
            soviet("d.6", "1910", faces="3-4-05 2-4-06"),
        ]
    )
    hit_soviets(g, "a.XL b.XL", "1910", 0, hits)
    assert "disperse" not in choices(g)
    assert refused(g, "disperse") == "12.52"
    play(g, "lose a.XL")
    if hits > 1:
        assert "disperse" in choices(g)
        play(g, "disperse")
        assert all(
            g.status[unit(g, n)] & (DISPERSED | DISPERSED_ATTACKING) == DISPERSED | DISPERSED_ATTACKING
            for n in ("a.XL", "b.XL")
        )
    while g.stack:
        assert "disperse" not in choices(g)
        play(g, choices(g)[0])
    assert 6 - sum(steps(g, "a.XL b.XL")) == lost


@pytest.mark.rule(RULE, "12.52e")
def test_dispersal_takes_only_the_second_and_third_hit():
    g = scene(
        [
            german("a.XL", "1911", faces="6-4 5-4 4-4"),
            german("b.XL", "1911", faces="3-4 2-4 1-4"),
            soviet("d.6", "1910"),
        ]
    )
    c = hit_soviets(g, "a.XL b.XL", "1910", 0, 4)
    play(g, "lose a.XL", "lose b.XL")
    assert "disperse" in choices(g)
    play(g, "disperse")
    assert (c.attacker_hits, c.taken) == (1, 3)


@pytest.mark.rule(RULE, "12.52f")
def test_the_german_may_take_every_hit_as_a_step():
    g = germans_defend()
    hit_germans(g, "0.6", "1910", 2)
    assert {c for c in choices(g) if c.startswith("lose")} == {"lose d.XL"}
    play(g, "lose d.XL", "lose e.XL")
    assert places(g, "d.XL e.XL") == {"d.XL": "1910", "e.XL": "1910"}
    assert steps(g, "d.XL e.XL") == [2, 1]
    a = scene([german("a.XL", "1911"), german("b.XL", "1911"), soviet("d.6", "1910")])
    hit_soviets(a, "a.XL b.XL", "1910", 0, 3)
    play(a, "lose a.XL", "lose b.XL", "lose a.XL")
    assert not a.stack
    assert steps(a, "a.XL b.XL") == [0, 1]
    assert not a.status[unit(a, "b.XL")] & DISPERSED


@pytest.mark.rule(RULE, "12.52a")
@pytest.mark.rule(RULE, "12.54a")
@pytest.mark.rule(RULE, "12.54b")
@pytest.mark.rule(RULE, "12.54c")
@pytest.mark.rule(RULE, "12.6b")
@pytest.mark.example(RULE, "X36")
def test_example_three_hits_on_the_attackers_two_on_the_defenders():
    def start() -> Board:
        return scene(
            [
                soviet("a.6", "1809", faces="3-4-03 2-4-13"),
                soviet("b.6", "1809", faces="3-4-07 2-4-17"),
                soviet("c.6", "1909", faces="1-4-21"),
                soviet("e.6", "1909", faces="1-4-22"),
                german("d.XL", "1910", faces="3-4 2-4"),
                german("f.XL", "1910", faces="3-4 2-4"),
            ],
            cards={"draw": BIG_PILE},
        )

    g = start()
    hit_germans(g, "a.6 b.6 c.6 e.6", "1910", 2, 3)
    kinds = {(c.split()[0], len(c.split()[1].split("-")) if c.startswith("retreat") else 0) for c in choices(g)}
    assert kinds == {("lose", 0), ("retreat", 1), ("retreat", 2)}
    two_steps = start()
    hit_germans(two_steps, "a.6 b.6 c.6 e.6", "1910", 2, 3)
    play(two_steps, "lose d.XL", "lose f.XL")
    assert not two_steps.stack
    one_and_one = start()
    hit_germans(one_and_one, "a.6 b.6 c.6 e.6", "1910", 2, 3)
    play(one_and_one, "lose d.XL", "retreat 1911")
    play(g, "retreat 1911-1912")
    for x in (g, two_steps):
        assert steps(x, "a.6 b.6 c.6 e.6") == [2, 1, 1, 1]
        assert all(x.status[u] & DISPERSED for u in units(x, "a.6 b.6 c.6 e.6"))
        assert "5 steps, 2 hits left: D" in log(x)
    assert places(g, "a.6 b.6") == {"a.6": "1809", "b.6": "1809"}


# --- 12.53 -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.53b")
@pytest.mark.rule(RULE, "12.53c")
@pytest.mark.rule(RULE, "12.53i")
@pytest.mark.rule(RULE, "12.53j")
@pytest.mark.rule(RULE, "12.53k")
@pytest.mark.rule(RULE, "12.6a")
@pytest.mark.rule(RULE, "12.61a")
@pytest.mark.example(RULE, "X35")
def test_example_two_hits_on_two_one_step_units():
    g = scene(
        [
            german("0.XL", "1911", faces="3-4 2-4 1-4"),
            *[german(f"{i}.XL", "1911" if i < 2 else "1810", faces="3-4 2-4") for i in range(1, 5)],
            soviet("d.6", "1910", faces="1-4-05"),
            soviet("e.6", "1910", faces="1-4-09"),
        ]
    )
    dice(g, 3)
    c = hit_soviets(g, "0.XL 1.XL 2.XL 3.XL 4.XL", "1910", 2, 2)
    told = log(g)
    assert "retreat: 2 hits on 2 steps (12.53b)" in told
    assert "hold check, 1-4: rolls 3, step loss (12.53c)" in told
    assert (c.retreated, places(g, "d.6 e.6")["e.6"]) == (1, "")
    chance = next(e["trace"] for e in g.events or [] if e["rule"] == "12.53c")
    assert [(i["what"], i["value"]) for i in chance["items"]] == [
        ("steps of the defending units", 2),
        ("already retreated one hex", 2),
    ]
    assert choices(g) == ["lose 0.XL"] or step(g) == "take_hits"
    assert steps(g, "0.XL") == [2]
    assert choices(g) == ["lose 1.XL", "lose 2.XL", "lose 3.XL", "lose 4.XL", "disperse"]
    assert refused(g, "lose 0.XL") == "12.61"
    play(g, "lose 2.XL")
    assert steps(g, "0.XL 1.XL 2.XL") == [2, 2, 1]


@pytest.mark.rule(RULE, "12.53j")
@pytest.mark.parametrize(("roll", "holds"), [(2, True), (3, False)])
def test_a_roll_up_to_the_hold_chance_costs_a_step_above_it_a_hex(roll: int, holds: bool):
    g = soviets_defend()
    dice(g, roll)
    c = hit_soviets(g, "a.XL", "1910", 1)
    assert (steps(g, "d.6"), c.retreated) == (([1], 0) if holds else ([2], 1))


@pytest.mark.rule(RULE, "12.53a")
def test_after_the_longest_retreat_the_rest_are_step_losses():
    g = soviets_defend(soviet("d.6", "1910", faces="3-4-05 2-4-06 1-4-07"))
    c = hit_soviets(g, "a.XL", "1910", 4, retreated=0)
    assert "retreat: 4 hits on 3 steps (12.53b)" in log(g)
    assert "step loss: they have retreated two hexes (12.53a)" in log(g)
    assert (c.retreated, steps(g, "d.6")) == (2, [1])
    assert g.status[unit(g, "d.6")] & DISPERSED


@pytest.mark.rule(RULE, "12.53b")
@pytest.mark.parametrize(("hits", "letter"), [(1, "C"), (2, "B"), (3, "B")])
def test_as_many_hits_as_steps_make_them_retreat(hits: int, letter: str):
    g = soviets_defend()
    b = battle(g, "a.XL", "1910", defender_hits=hits)
    assert judge_hit(g, b).letter == letter


@pytest.mark.rule(RULE, "12.53k")
def test_the_priorities_are_checked_again_for_every_hit():
    g = soviets_defend(soviet("d.6", "1910", faces="3-4-05 2-4-06 1-4-07"))
    dice(g, 10, 1)
    c = hit_soviets(g, "a.XL", "1910", 2)
    told = [e["what"] for e in g.events or [] if str(e["rule"]).startswith("12.53")]
    assert told == ["hold check, 1-3: rolls 10, retreat", "hold check, 1-5: rolls 1, step loss"]
    assert (c.retreated, steps(g, "d.6")) == (1, [2])


def chance(g: Board, attackers: str = "a.XL", **more: Any) -> dict[str, int]:
    b = battle(g, attackers, "1910", defender_hits=1, **more)
    found = hold_chance(g, b, tuple(soviet_hop(g, b, 0)))
    assert found.total == sum(i.value for i in found.items if isinstance(i.value, int))
    return {i.what: int(i.value) for i in found}


@pytest.mark.rule(RULE, "12.53d")
def test_hold_chance_counts_steps_and_twice_the_vps():
    g = soviets_defend(
        soviet("d.6", "1910", faces="3-4-05 2-4-06 1-4-07"),
        soviet("e.6", "1910", faces="3-4-08 2-4-09"),
        board=field(vp={"1910": 2}, features={"1910": "map_edge_vp"}),
    )
    assert chance(g) == {"steps of the defending units": 5, "VP value 2": 4}


@pytest.mark.rule(RULE, "12.53e")
@pytest.mark.parametrize(
    ("terrain", "bonus"), [("clear", 0), ("broken", 0), ("marsh", 0), ("woods", 1), ("town", 1), ("city", 1)]
)
def test_hold_chance_of_the_terrain(terrain: str, bonus: int):
    g = soviets_defend(board=field(terrain={"1910": terrain}))
    assert chance(g).get(terrain, 0) == bonus


@pytest.mark.rule(RULE, "12.53f")
def test_hold_chance_behind_a_big_river():
    rivers = {"1911|1910": "donets", "1810|1910": "dniepr"}
    g = scene(
        [german("a.XL", "1911"), german("b.XL", "1810"), german("c.XL", "1809"), soviet("d.6", "1910")],
        board=field(bare=True, rivers=rivers),
    )
    assert chance(g, "a.XL b.XL")["all attackers across Donets or Dniepr hexsides"] == 1
    assert "all attackers across Donets or Dniepr hexsides" not in chance(g, "a.XL b.XL c.XL")


@pytest.mark.rule(RULE, "12.53g")
def test_hold_chance_without_supply():
    g = soviets_defend(board=field(soviet_edge="", exits=""))
    assert chance(g)["supply can't be traced"] == -2
    assert "supply can't be traced" not in chance(soviets_defend())


@pytest.mark.rule(RULE, "12.53h")
def test_hold_chance_where_every_retreat_costs_a_step():
    ring = [german("1.XL", "1808"), german("2.XL", "2008")]
    g = scene([german("a.XL", "1911"), *ring, soviet("d.6", "1910")])
    assert chance(g)["every retreat costs a step"] == 2
    g.put(unit(g, "1.XL"), hx(g, "1212"))
    g.put(unit(g, "2.XL"), hx(g, "1213"))
    assert "every retreat costs a step" not in chance(g)
    friend = scene([german("a.XL", "1911"), *ring, soviet("d.6", "1910"), soviet("f.6", "1909")])
    assert "every retreat costs a step" not in chance(friend)


@pytest.mark.rule(RULE, "12.53i")
def test_after_one_hex_of_retreat_the_combat_hex_still_counts_unless_switched():
    for option, expected in (("combat_hex", {"woods": 1}), ("present_hex", {"town": 1, "VP value 1": 2})):
        g = soviets_defend(
            board=field(terrain={"1910": "woods", "1909": "town"}, vp={"1909": 1}),
            options={"second_hold_check": option},
            soviet_towns="1909",
        )
        b = battle(g, "a.XL", "1910", defender_hits=1, retreated=1)
        g.move(unit(g, "d.6"), hx(g, "1909"))
        found = {i.what: i.value for i in hold_chance(g, b, tuple(soviet_hop(g, b, 0)))}
        assert found == {"steps of the defending units": 2, "already retreated one hex": 2, **expected}


def test_nobody_checks_who_cannot_retreat():
    g = soviets_defend()
    b = battle(g, "a.XL", "1910", defender_hits=1, counter=("nkvd",))
    assert judge_hit(g, b)[:2] == ("A", "step loss")


# --- 12.54, 12.55 ----------------------------------------------------------------------------------------------------

TABLE = {
    1: "D D E E E E",
    2: "D D 1D E E E",
    3: "D D 1D 2D E E",
    4: "1 D 1D 2D 3D E",
    5: "1 D 1D 2D 3D 4D",
    6: "1 2 1D 2D 3D 4D",
    7: "1 2 1D 2D 3D 4D",
    8: "1 2 3 2D 3D 4D",
    9: "1 2 3 2D 3D 4D",
    10: "1 2 3 4 3D 4D",
    14: "1 2 3 4 3D 4D",
}
SMALL_PILE = {(4, 1): "0D", (5, 1): "0D", (6, 2): "0D", (7, 2): "0D", (8, 2): "0D", (9, 2): "0D"} | {
    (8, 3): "1D",
    (9, 3): "1D",
    (10, 3): "1D",
    (10, 4): "2D",
}


@pytest.mark.rule(RULE, "12.54b")
@pytest.mark.rule(RULE, "12.54e")
def test_the_attacker_hit_table():
    g = scene([])
    for left, row in TABLE.items():
        for hits, text in enumerate(row.split(), start=1):
            assert attacker_hit_result(g, left, hits, parenthetical=False).text == text
            small = SMALL_PILE.get((min(left, 10), hits), text)
            assert attacker_hit_result(g, left, hits, parenthetical=True).text == small
        assert attacker_hit_result(g, left, 9, parenthetical=False).text == row.split()[-1]


@pytest.mark.rule(RULE, "12.54b")
def test_a_result_without_parentheses_is_told_without_a_reason() -> None:
    attackers = [soviet(f"{i}.6", "1909", faces=f"3-4-0{i} 2-4-1{i} 1-4-2{i}") for i in range(3)]
    g = scene([*attackers, german("d.XL", "1910", faces="3-4 2-4")], cards={"draw": "E01"})
    hit_germans(g, "0.6 1.6 2.6", "1910", 0, 2)
    assert "8 steps, 1 hit left: 1 (12.54)" in log(g)


def soviets_attack(faces: str, pile_: str = BIG_PILE, **doc: Any) -> Board:
    return scene(
        [
            *[soviet(f"{i}.6", "1809" if i < 3 else "1810", faces=f) for i, f in enumerate(faces.split(","))],
            german("d.XL", "1910", faces="3-4 2-4"),
        ],
        cards={"draw": pile_},
        **doc,
    )


@pytest.mark.rule(RULE, "12.54a")
@pytest.mark.rule(RULE, "12.54c")
@pytest.mark.parametrize(
    ("faces", "hits", "left", "dispersed"),
    [
        ("3-4-01 2-4-02", 1, [1], False),
        ("3-4-01 2-4-02", 2, [1], True),
        ("3-4-01 2-4-02", 4, [0], False),
        ("3-4-01 2-4-02,3-4-03 2-4-04", 4, [1, 1], True),
        ("4-4-01 3-4-02 2-4-03,4-4-04 3-4-05 2-4-06", 2, [2, 2], False),
        ("4-4-01 3-4-02 2-4-03,4-4-04 3-4-05 2-4-06", 4, [2, 2], True),
    ],
)
def test_hits_on_soviet_attackers(faces: str, hits: int, left: list[int], dispersed: bool):
    g = soviets_attack(faces)
    names = " ".join(f"{i}.6" for i in range(len(left)))
    hit_germans(g, names, "1910", 0, hits)
    found = steps(g, names)
    if (faces, hits) == ("3-4-01 2-4-02,3-4-03 2-4-04", 4):
        assert "3 steps, 3 hits left: 1D" in log(g)
    if (faces, hits) == ("4-4-01 3-4-02 2-4-03,4-4-04 3-4-05 2-4-06", 4):
        assert "5 steps, 3 hits left: 1D" in log(g)
    assert found == left
    assert all(bool(g.status[u] & DISPERSED) is dispersed for u in units(g, names) if g.on_map(u))


@pytest.mark.rule(RULE, "12.54c")
def test_an_e_result_eliminates_all_attackers():
    g = soviets_attack("3-4-01 2-4-02,3-4-03")
    hit_germans(g, "0.6 1.6", "1910", 0, 5)
    assert "2 steps, 4 hits left: E" in log(g)
    assert places(g, "0.6 1.6") == {"0.6": "", "1.6": ""}


@pytest.mark.rule(RULE, "12.54c")
def test_a_dispersal_without_parentheses_is_told_without_a_reason_too() -> None:
    attackers = [soviet(f"{i}.6", "1909", faces=f"3-4-0{i} 2-4-1{i}") for i in range(3)]
    g = scene([*attackers, german("d.XL", "1910", faces="3-4 2-4")], cards={"draw": "E01"})
    hit_germans(g, "0.6 1.6 2.6", "1910", 0, 4)
    assert "5 steps, 3 hits left: 1D (12.54)" in log(g)


@pytest.mark.rule(RULE, "12.54d")
@pytest.mark.parametrize(
    ("pile_", "town", "vacated", "result"),
    [
        (BIG_PILE, False, False, "1"),
        ("E01 E02 E03", False, False, "0D"),
        ("E01 E02 E03", True, False, "0D"),
        ("E01 E02 E03", False, True, "0D"),
        ("E01 E02 E03", True, True, "1"),
        ("E01 E02 E03 E04", False, False, "1"),
    ],
)
def test_the_parenthetical_result_needs_a_small_pile_and_no_vp_hex_vacated(
    pile_: str, town: bool, vacated: bool, result: str
):
    terrain = {"1910": "town"} if town else {}
    g = soviets_attack(
        "4-4-01 3-4-02 2-4-03,4-4-04 3-4-05 2-4-06",
        pile_,
        board=field(terrain=terrain, vp={"1910": 1} if town else {}),
    )
    g.steps[unit(g, "0.6")] = 2
    hit_germans(g, "0.6 1.6", "1910", 1 if vacated else 0, 2)
    if vacated:
        play(g, "retreat 1911")
    assert f"4 steps, 1 hit left: {result}" in log(g)


@pytest.mark.rule(RULE, "12.54d")
@pytest.mark.parametrize(("cards", "told"), [("E01 E02 E03", True), ("E01 E02 E03 E05", False)])
def test_the_log_says_why_the_result_in_parentheses_is_used(cards: str, told: bool) -> None:
    attackers = [soviet(f"{i}.6", "1909", faces=f"3-4-0{i} 2-4-1{i}") for i in range(3)]
    g = scene([*attackers, german("d.XL", "1910", faces="3-4 2-4")], cards={"draw": cards})
    hit_germans(g, "0.6 1.6 2.6", "1910", 0, 2)
    line = "5 steps, 1 hit left: 0D, fewer than four cards are left and no VP hex was vacated"
    assert (line in log(g)) is told
    assert ("5 steps, 1 hit left: 1 " in log(g)) is not told


@pytest.mark.rule(RULE, "12.55a")
@pytest.mark.rule(RULE, "12.55b")
@pytest.mark.parametrize(
    ("hits", "attacker", "spared"),
    [(2, 3, 0), (4, 3, 0), (5, 3, 1), (6, 3, 2), (9, 3, 3)],
)
def test_hits_eliminated_germans_could_not_take_spare_the_soviets(hits: int, attacker: int, spared: int):
    """Two steps and a retreat of two hexes can take four hits, whether the unit retreats or not."""
    g = soviets_attack("4-4-01 3-4-02 2-4-03,4-4-04 3-4-05 2-4-06")
    hit_germans(g, "0.6 1.6", "1910", hits, attacker)
    play(g, "lose d.XL", *(["lose d.XL"] if step(g) == "defend" else []))
    while step(g) == "defend":
        play(g, "lose d.XL")
    assert places(g, "d.XL") == {"d.XL": ""}
    told = log(g)
    assert (f"{spared} Soviet hits less" in told) is bool(spared)
    assert ("Soviet hits less" in told) is bool(spared)


@pytest.mark.rule(RULE, "12.55a")
def test_without_elimination_nothing_is_spared():
    g = soviets_attack("4-4-01 3-4-02 2-4-03")
    c = hit_germans(g, "0.6", "1910", 3, 2)
    play(g, "retreat 1911-1912")
    assert steps(g, "d.XL") == [1]
    assert "Soviet hits less" not in log(g)
    assert c.attacker_hits == 0


@pytest.mark.rule(RULE, "12.55a")
@pytest.mark.rule(RULE, "12.55b")
def test_hits_that_eliminated_germans_could_have_satisfied() -> None:
    """Two hexes of retreat and all steps; one hex if they are dispersed or find no second one."""

    def could(*more, **doc) -> int:
        g = scene([*more, soviet("0.6", "1909")], **doc)
        return hit_germans(g, "0.6", "1910", 0).assumed

    assert could(german("d.XL", "1910", faces="3-4 2-4")) == 2 + 2
    assert could(german("d.XL", "1910", faces="3-4 2-4", status=["dispersed"])) == 1 + 2
    assert could(panzer("d.XL", "1910", faces="3-6 2-6", status=["isolated"])) == 2
    dead_end = [soviet(f"s{i}.6", at) for i, at in enumerate(("1712", "2112", "1914"))]
    closed = dict.fromkeys(("1911|1912", "1811|1911", "1911|2011"), "blocked_dniepr")
    only_one = field(
        rivers=closed | dict.fromkeys(("1910|2009", "1910|2010", "1810|1910", "1809|1910"), "blocked_dniepr")
    )
    assert could(german("d.XL", "1910", faces="3-4 2-4"), *dead_end, board=only_one) == 1 + 2


@pytest.mark.rule(RULE, "12.55b")
def test_if_no_retreat_was_possible_only_the_steps_count():
    g = soviets_attack("4-4-01 3-4-02 2-4-03", board=field())
    g.set_status(unit(g, "d.XL"), 0)
    tank = scene(
        [
            soviet("0.6", "1809", faces="4-4-01 3-4-02 2-4-03"),
            panzer("d.XL", "1910", faces="3-6 2-6", status=["isolated"]),
        ],
        cards={"draw": BIG_PILE},
    )
    hit_germans(tank, "0.6", "1910", 3, 2)
    assert "1 Soviet hits less" in log(tank)


@pytest.mark.rule(RULE, "12.55b")
@pytest.mark.parametrize(("faces", "hits", "spared"), [("3-4 2-4", 3, 1), ("3-4 2-4", 2, 0), ("3-4", 3, 1)])
def test_steps_that_the_retreat_itself_would_cost_take_no_hits(faces: str, hits: int, spared: int):
    """Every hex around 1910 and beyond is enemy-controlled: two hexes of retreat cost two steps."""
    around = ("1708", "1711", "1808", "1812", "1907", "2008", "2011", "2109", "2111")
    g = scene(
        [
            soviet("0.6", "1809", faces="4-4-01 3-4-02 2-4-03"),
            *[soviet(f"x{i}.6", h) for i, h in enumerate(around)],
            german("d.XL", "1910", faces=faces),
        ],
        cards={"draw": BIG_PILE},
    )
    hit_germans(g, "0.6", "1910", hits, 2)
    while step(g) == "defend":
        play(g, "lose d.XL")
    assert ("Soviet hits less" in log(g)) is bool(spared)
    assert not spared or f"{spared} Soviet hits less" in log(g)
