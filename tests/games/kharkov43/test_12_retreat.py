"""12.7 Retreats."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.games.kharkov43.board import DISPERSED, Board
from kessel.games.kharkov43.combat.results.hold import judge_hit
from kessel.games.kharkov43.combat.results.retreat import (
    FREE,
    FRIEND,
    SUPPLIED,
    UNFIT,
    entries,
    hop_of,
    legal_routes,
    possible_routes,
    retreat_limit,
)
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    dice,
    field,
    hit_germans,
    hit_soviets,
    places,
    play,
    refused,
    scene,
    steps,
    units,
)
from tests.games.kharkov43.helpers import german, hx, soviet, unit

RULE = "kharkov43"


def routes(g: Board, names: str, start: str, hexes: int) -> set[str]:
    found = legal_routes(g, units(g, names), hx(g, start), hexes)
    return {"-".join(g.hex_name(h) for h in r.path) for r in found}


def priorities(g: Board, name: str) -> dict[str, int]:
    u = unit(g, name)
    return {g.hex_name(e.hex): e.priority for e in entries(g, [u], g.place[u])}


# --- the examples of the book ----------------------------------------------------------------------------------------


def german_retreats() -> Board:
    """The picture of 12.7: A in 1911, B in 1711, C in 1611, D in 2010; the attackers advance as they win."""
    return scene(
        [
            german("A.XL", "1911", faces="3-4 2-4"),
            german("B.XL", "1711", faces="4-4 3-4 2-4"),
            german("C1.XL", "1611", faces="3-4 2-4"),
            german("C2.XL", "1611", faces="3-4 2-4"),
            german("D.XL", "2010", faces="3-4 2-4"),
            soviet("a.6", "1810", faces="9-4-01 8-4-02"),
            soviet("b.6", "1710", faces="9-4-03 8-4-04"),
            soviet("c.6", "1511", faces="9-4-05 8-4-06"),
            soviet("i.6", "1610", faces="9-4-15 8-4-16"),
            soviet("d.6", "2009", faces="9-4-07 8-4-08"),
            soviet("e.6", "2110", faces="9-4-09 8-4-10"),
            soviet("f.6", "2112", faces="9-4-11 8-4-12"),
            soviet("h.6", "2211", faces="9-4-13 8-4-14"),
        ],
        board=field(terrain={"1910": "town"}),
        soviet_towns="1910",
    )


@pytest.mark.rule(RULE, "12.7e")
@pytest.mark.rule(RULE, "12.7f")
@pytest.mark.rule(RULE, "12.7g")
@pytest.mark.rule(RULE, "12.7j")
@pytest.mark.rule(RULE, "12.71a")
@pytest.mark.rule(RULE, "12.71c")
@pytest.mark.rule(RULE, "12.73a")
@pytest.mark.rule(RULE, "12.75c")
@pytest.mark.example(RULE, "X37")
def test_example_german_retreats():
    g = german_retreats()
    dice(g, *[1] * 8)
    hit_germans(g, "a.6", "1911", 1)
    assert choices(g) == ["lose A.XL", "retreat 1912"]
    play(g, "retreat 1912")
    assert places(g, "a.6 A.XL") == {"a.6": "1911", "A.XL": "1912"}

    hit_germans(g, "b.6", "1711", 2)
    two = {c.split()[1] for c in choices(g) if c.count("-") == 1}
    assert two == {"1712-1612", "1712-1713", "1712-1812"}
    play(g, "retreat 1712-1612")
    assert g.status[unit(g, "B.XL")] & DISPERSED
    assert places(g, "b.6 B.XL") == {"b.6": "1711", "B.XL": "1612"}

    hit_germans(g, "c.6", "1611", 1)
    assert {c for c in choices(g) if c.startswith("retreat")} == {"retreat 1512", "retreat 1712"}
    assert refused(g, "retreat 1612") == "12.71"
    play(g, "retreat 1512")
    assert choices(g) == ["lose C1.XL", "lose C2.XL"]
    play(g, "lose C2.XL")
    assert places(g, "C1.XL C2.XL") == {"C1.XL": "1512", "C2.XL": "1512"}
    assert steps(g, "C1.XL C2.XL") == [2, 1]

    c = hit_germans(g, "d.6 e.6", "2010", 2)
    assert min(priorities(g, "D.XL").values()) == SUPPLIED
    assert refused(g, "retreat 1910-1810") == "12.71"
    assert "retreat 2011-1912" in choices(g)
    southwest = [r for r in possible_routes(g, c.defenders, c.target, 2) if g.hex_name(r.path[0]) == "2111"]
    assert [(g.hex_name(r.path[1]), r.losses) for r in southwest] == [("2210", 2)]
    play(g, "retreat 2011-1912")
    assert steps(g, "D.XL") == [1]
    assert places(g, "D.XL A.XL") == {"D.XL": "1912", "A.XL": "1912"}


@pytest.mark.rule(RULE, "12.7k")
@pytest.mark.example(RULE, "X38")
def test_example_soviet_retreats():
    arrows = [
        {"from": "1712", "to": "1812", "kind": "primary"},
        {"from": "1711", "to": "1810", "kind": "primary"},
        {"from": "2011", "to": "2012", "kind": "primary"},
    ]
    a = scene(
        [german("x.XL", "1612"), german("y.XL", "1913"), soviet("d.6", "1712", faces="3-4-05 2-4-06")],
        board=field(arrows=arrows),
    )
    assert {h for h, p in priorities(a, "d.6").items() if p == FREE} == {"1711", "1811"}
    c = hit_soviets(a, "x.XL", "1712", 2)
    assert [a.hex_name(h) for h in c.paths[0]] == ["1712", "1711", "1610"]
    traces = [e["trace"] for e in a.events or [] if "trace" in e and e["rule"] == "12.7"]
    told = [[x["what"] for x in t["preferences"]] for t in traces]
    forward, beside = "not in a forward direction", "not adjacent to a forward direction"
    assert told == [[beside], [forward, beside]]
    b = scene(
        [
            german("x.XL", "2112"),
            german("y.XL", "1812"),
            german("z.XL", "2114"),
            soviet("d.6", "2012", faces="3-4-05 2-4-06"),
            soviet("f.6", "2011", faces="3-4-07 2-4-08"),
        ],
        board=field(arrows=arrows),
    )
    assert {h: p for h, p in priorities(b, "d.6").items() if p <= FRIEND} == {"2011": FRIEND}
    c = hit_soviets(b, "x.XL", "2012", 2)
    assert [b.hex_name(h) for h in c.paths[0]] == ["2012", "2011", "2010"]
    assert steps(b, "d.6") == [2]


# --- who may retreat, and how far ------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.7a")
def test_attackers_never_retreat():
    g = scene([german("a.XL", "1911", faces="3-4 2-4"), german("b.XL", "1911"), soviet("d.6", "1910")])
    hit_soviets(g, "a.XL b.XL", "1910", 0, 2)
    assert not any(c.startswith("retreat") for c in choices(g))
    play(g, "lose a.XL")
    assert not any(c.startswith("retreat") for c in choices(g))


@pytest.mark.rule(RULE, "13.22f")
@pytest.mark.rule(RULE, "12.7b")
@pytest.mark.rule(RULE, "12.7c")
@pytest.mark.rule(RULE, "12.75a")
@pytest.mark.parametrize(
    ("kinds", "limit"),
    [
        (["infantry:"], 2),
        (["infantry:out_of_supply"], 2),
        (["infantry:dispersed"], 1),
        (["armor:dispersed"], 1),
        (["infantry:isolated"], 1),
        (["cavalry:isolated"], 1),
        (["armor:isolated"], 0),
        (["mechanized:isolated"], 0),
        (["infantry:", "infantry:dispersed"], 1),
        (["infantry:", "armor:isolated"], 0),
        (["infantry:", "infantry:isolated"], 1),
    ],
)
def test_how_far_a_stack_may_retreat(kinds: list[str], limit: int):
    stack = []
    for i, kind in enumerate(kinds):
        word, status = kind.split(":")
        stack.append(german(f"{i}.XL", "1910", type=word, status=[status] if status else []))
    g = scene([soviet("a.6", "1809"), *stack])
    assert retreat_limit(g, battle(g, "a.6", "1910"))[0] == limit
    hit_germans(g, "a.6", "1910", 2)
    hexes = {len(c.split()[1].split("-")) for c in choices(g) if c.startswith("retreat")} if g.stack else set()
    assert max(hexes, default=0) == limit


@pytest.mark.rule(RULE, "12.52c")
@pytest.mark.rule(RULE, "12.75a")
def test_a_dispersed_unit_binds_its_stack_even_after_it_is_lost():
    """12.52: the stack attacked retreats one hex only, though the dispersed unit takes the first hit and is gone."""
    stack = [german("x.XL", "1910", "2-4", status=["dispersed"]), german("y.XL", "1910", "3-4 2-4")]
    g = scene([soviet("a.6", "1809"), *stack])
    hit_germans(g, "a.6", "1910", 3)
    play(g, "lose x.XL")
    assert not g.on_map(unit(g, "x.XL"))
    found = choices(g)
    assert any(c.startswith("retreat") for c in found)
    assert all("-" not in c for c in found if c.startswith("retreat")), "one hex, not two"


@pytest.mark.rule(RULE, "12.53a")
@pytest.mark.rule(RULE, "13.22c")
def test_once_the_most_is_retreated_every_hit_left_is_a_step_loss():
    """12.53 A: x is dispersed, so after one hex all hits are steps, also the one after x is lost."""
    stack = [soviet("x.6", "1910", "2-4-09", status=["dispersed"]), soviet("y.6", "1910", "3-4-05 2-4-06")]
    g = scene([german("a.XL", "1911"), *stack])
    c = hit_soviets(g, "a.XL", "1910", 4)
    assert (c.retreated, places(g, "x.6 y.6")) == (1, {"x.6": "", "y.6": ""})
    riders = soviet("y.6", "1910", "3-6-04 2-5-05", "armored_cavalry cavalry", status=["isolated"])
    g = scene([german("a.XL", "1911"), riders])
    c = hit_soviets(g, "a.XL", "1910", 2)
    assert c.retreated == 0, "mechanized and isolated when attacked; as cavalry it might have gone one hex"


@pytest.mark.rule(RULE, "12.7d")
def test_soviet_defenders_do_not_retreat_under_nkvd():
    g = scene([german("a.XL", "1911"), soviet("d.6", "1910", faces="3-4-05 2-4-06")])
    b = battle(g, "a.XL", "1910", defender_hits=2, counter=("nkvd",))
    assert retreat_limit(g, b)[0] == 0
    assert judge_hit(g, b).what == "step loss"
    c = hit_soviets(g, "a.XL", "1910", 2, counter=("nkvd",))
    assert (c.retreated, places(g, "d.6")) == (0, {"d.6": ""})
    germans = scene([soviet("a.6", "1809"), german("d.XL", "1910")])
    assert retreat_limit(germans, battle(germans, "a.6", "1910", tactics=("nkvd",)))[0] == 2


# --- priorities ------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "11.1d")
@pytest.mark.rule(RULE, "12.7e")
@pytest.mark.rule(RULE, "12.7f")
@pytest.mark.rule(RULE, "12.7g")
@pytest.mark.rule(RULE, "12.7h")
def test_the_four_priorities():
    g = scene(
        [
            german("d.XL", "1910"),
            german("f.XL", "1909"),
            german("u.XL", "1809", status=["dispersed"]),
            soviet("a.6", "1810"),
            soviet("b.6", "1708"),
            soviet("c.6", "2008"),
        ]
    )
    assert priorities(g, "d.XL") == {
        "1909": FRIEND,
        "1809": UNFIT,
        "2009": SUPPLIED,
        "2010": FREE,
        "1911": SUPPLIED,
    }
    assert routes(g, "d.XL", "1910", 1) == {"2010"}
    g.set_status(unit(g, "f.XL"), DISPERSED)
    assert priorities(g, "d.XL")["1909"] == UNFIT
    both = scene(
        [
            german("d.XL", "1910"),
            german("f.XL", "1911", status=["dispersed"]),
            german("h.XL", "1911"),
            soviet("a.6", "1810"),
        ]
    )
    assert priorities(both, "d.XL")["1911"] == FRIEND
    oos = scene([german("d.XL", "1910"), german("f.XL", "1911", status=["out_of_supply"]), soviet("a.6", "1810")])
    assert priorities(oos, "d.XL")["1911"] == UNFIT


def controlled(roads: list[str]) -> Board:
    """A German in 1910 with every hex around him enemy-controlled."""
    return scene(
        [
            german("d.XL", "1910", faces="4-4 3-4 2-4"),
            soviet("a.6", "1809"),
            soviet("b.6", "2011"),
            soviet("c.6", "2109"),
        ],
        board=field(roads=roads),
    )


@pytest.mark.rule(RULE, "11.1e")
@pytest.mark.rule(RULE, "12.7g")
@pytest.mark.rule(RULE, "12.7h")
def test_priority_3_costs_a_step_that_satisfies_no_hit():
    """A road along row 18 brings supply to 1810 and 1911, not to the others."""
    g = controlled([" ".join(f"18{c:02d}" for c in range(10, 21))])
    found = priorities(g, "d.XL")
    assert {h for h, p in found.items() if p == SUPPLIED} == {"1911", "1810"}
    assert {h for h, p in found.items() if p == UNFIT} == {"1909", "2009", "2010"}
    c = hit_germans(g, "a.6", "1910", 1)
    assert {x for x in choices(g) if x.startswith("retreat")} == {"retreat 1810", "retreat 1911"}
    play(g, "retreat 1911")
    assert (steps(g, "d.XL"), c.retreated, c.defender_hits) == ([2], 1, 0)


@pytest.mark.rule(RULE, "12.7h")
def test_priority_4_comes_last_and_costs_a_step():
    g = controlled([])
    assert set(priorities(g, "d.XL").values()) == {UNFIT}
    hit_germans(g, "a.6", "1910", 1)
    play(g, "retreat 1909")
    assert steps(g, "d.XL") == [2]


@pytest.mark.rule(RULE, "12.7i")
def test_an_unbridged_dniepr_is_crossed_only_if_no_other_hex_has_that_priority():
    rivers = {"1910|1911": "dniepr", "1910|2010": "dniepr"}
    g = scene([german("d.XL", "1910"), soviet("a.6", "1808")], board=field(bare=True, rivers=rivers))
    assert routes(g, "d.XL", "1910", 1) == {"1810", "2009"}
    closed = scene(
        [german("d.XL", "1910"), soviet("a.6", "1809"), soviet("c.6", "2008")], board=field(bare=True, rivers=rivers)
    )
    assert {h for h, p in priorities(closed, "d.XL").items() if p == FREE} == {"1911", "2010"}
    assert routes(closed, "d.XL", "1910", 1) == {"1911", "2010"}
    bridged = scene([german("d.XL", "1910"), soviet("a.6", "1808")], board=field(roads=["1910 1911"], rivers=rivers))
    assert routes(bridged, "d.XL", "1910", 1) == {"1810", "1911", "2009"}


@pytest.mark.rule(RULE, "12.7j")
def test_the_german_chooses_among_equal_hexes_whatever_their_terrain():
    g = scene([german("d.XL", "1910"), soviet("a.6", "1809")], board=field(terrain={"1911": "marsh", "2010": "woods"}))
    hit_germans(g, "a.6", "1910", 1)
    assert {c for c in choices(g) if c.startswith("retreat")} == {"retreat 1911", "retreat 2010", "retreat 2009"}


def soviet_choice(**doc: Any) -> tuple[str, list[str]]:
    """Where a Soviet unit in 1910 goes, attacked from 1911, and the preferences that cut."""
    extra = doc.pop("extra", [])
    g = scene([german("a.XL", "1911"), soviet("d.6", "1910", army=doc.pop("army", "6")), *extra], **doc)
    hop = hop_of(g, battle(g, "a.XL", "1910"), units(g, "d.6"), 0)
    assert hop is not None
    return g.hex_name(hop.entry.hex), [c.rule for c in hop.choice.cuts]


@pytest.mark.rule(RULE, "12.7k")
def test_soviet_preferences_in_their_order():
    """Free of German control are 1809, 1909 and 2009."""
    assert soviet_choice() == ("1909", ["12.7e"])
    assert soviet_choice(board=field(terrain={"2009": "woods"})) == ("2009", ["12.7d"])
    forward = [{"from": "1910", "to": "1909", "kind": "primary"}]
    assert soviet_choice(board=field(arrows=forward)) == ("1809", ["12.7b", "12.7f"])
    beside = [{"from": "1910", "to": "1810", "kind": "secondary"}]
    assert soviet_choice(board=field(arrows=beside, terrain={"1809": "woods"})) == ("1909", ["12.7c", "12.7e"])
    town = {"board": field(arrows=forward, terrain={"1909": "town", "2009": "woods"}), "soviet_towns": "1909"}
    assert soviet_choice(**town) == ("1909", ["12.7a"])


@pytest.mark.rule(RULE, "12.7k")
def test_arrows_of_the_other_front_and_secondary_arrows_if_switched_off_do_not_count():
    other = [{"from": "1910", "to": "1909", "kind": "primary", "only": "V"}]
    assert soviet_choice(board=field(arrows=other))[0] == "1909"
    assert soviet_choice(board=field(arrows=other), army="3T")[0] == "1809"
    second = [{"from": "1910", "to": "1909", "kind": "secondary"}]
    assert soviet_choice(board=field(arrows=second))[0] == "1809"
    assert soviet_choice(board=field(arrows=second), options={"forward_arrow": "primary"})[0] == "1909"
