"""13.3-13.5 Retreats, displacements and routs."""

from __future__ import annotations

import pytest

from kessel.games.don42.board import GUEST, STATUS_WORDS
from kessel.games.don42.combat.odds import work_out
from kessel.games.don42.combat.results import Results
from kessel.games.don42.combat.retreat import Withdraw, worsen
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.notation import NOTATION

from .helpers import ask, at, board, do, ger, h, pos, refusal, sov, start, texts, u, word


def withdraw(g, names, hexes, *threats, side=None):
    units = tuple(u(g, n) for n in names)
    side = g.forces.side[units[0]] if side is None else side
    return start(g, Withdraw(side, units, hexes, tuple(h(g, t) for t in threats)))


def paths(g, hex_, hexes, *attackers):
    return {tuple(p) for p in ask(g, "retreat", hex=hex_, hexes=hexes, attackers=list(attackers))["paths"]}


def result(g, code, *, attackers, target, dice=()):
    side = g.forces.side[u(g, attackers[0])]
    units = tuple(u(g, n) for n in attackers)
    return start(g, Results(side, 1 - side, h(g, target), units, tuple(g.units(h(g, target))), code), dice)


def ways(g):
    """The ways offered, as names."""
    return {tuple(g.hex_name(x) for x in NOTATION.parse(g, t)[1]) for t in texts(g)}


SHUT = ("3,-1", "2,1")
"""Enemies here cover all three hexes by which a unit in 1,0 can leave an attacker in 0,0."""


# --- 13.3 ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "13.3.a")
@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_retreat_is_of_so_many_hexes(n):
    g = pos(ger("A", "0,0"), sov("X", "1,0"))
    result(g, f"DRE{n}", attackers=["A"], target="1,0")
    do(g, "give_way")
    assert {len(w) for w in ways(g)} == {n}
    do(g, texts(g)[0])
    assert g.map.grid.distance(g.place[u(g, "X")], h(g, "0,0")) == n + 1


@pytest.mark.rule("don42", "13.3.b")
def test_a_retreat_leads_away_from_the_attackers_and_avoids_zones():
    g = pos(ger("A", "0,0"), sov("X", "1,0"))
    assert paths(g, "1,0", 1, "A") == {("2,0",), ("1,1",), ("2,-1",)}
    grid = g.map.grid
    for path in paths(g, "1,0", 3, "A"):
        away = [grid.distance(h(g, "0,0"), h(g, x)) for x in path]
        assert away == [2, 3, 4]
    zoned = pos(ger("A", "0,0"), ger("B", "3,-2"), sov("X", "1,0"))
    assert paths(zoned, "1,0", 1, "A") == {("1,1",), ("2,0",)}, "2,-1 is in the zone of B"


@pytest.mark.rule("don42", "13.3.b")
def test_readings_of_away():
    units = [ger("A", "0,0"), sov("X", "1,0")]
    straight = pos(*units, options={"away": "straight"})
    assert paths(straight, "1,0", 2, "A") == {("2,0", "3,0"), ("1,1", "1,2"), ("2,-1", "3,-2")}
    distant = [ger("A", "-2,0"), sov("X", "1,0")]
    assert ("1,-1", "1,-2") not in paths(pos(*distant), "1,0", 2, "A")
    assert ("1,-1", "1,-2") in paths(pos(*distant, options={"away": "from_start"}), "1,0", 2, "A")
    germans = [ger("A", "-1,0"), *(ger(f"B{i}", x) for i, x in enumerate(SHUT)), sov("X", "1,0")]
    assert paths(pos(*germans), "1,0", 1, "A") == {("2,0",), ("1,1",), ("2,-1",)}, "away, though all are in zones"
    zones_first = pos(*germans, options={"away_first": "after_zones"})
    assert paths(zones_first, "1,0", 1, "A") == {("1,-1",), ("0,1",)}


@pytest.mark.rule("don42", "13.3.c")
def test_a_retreat_never_enters_an_enemy_hex():
    g = pos(ger("A", "0,0"), ger("B", "2,0"), sov("X", "1,0"))
    assert ("2,0",) not in paths(g, "1,0", 1, "A")
    withdraw(g, ["X"], 1, "0,0")
    assert refusal(g, "retreat 2,0").rule == "13.3"


@pytest.mark.rule("don42", "13.3.d")
def test_a_stack_retreats_together():
    g = pos(sov("X", "0,0"), ger("A", "1,0"), ger("B", "1,0"))
    result(g, "DRE1", attackers=["X"], target="1,0")
    do(g, "give_way", "retreat 2,0")
    assert at(g, "A") == at(g, "B") == "2,0"


def test_the_longest_way_there_is_if_none_is_long_enough():
    g = pos(ger("A", "0,0"), sov("X", "1,0"), on=board(2))
    found = ask(g, "retreat", hex="1,0", hexes=3, attackers=["A"])
    assert not found["full_length"]
    assert {len(p) for p in found["paths"]} == {1}


# --- 3.2.5, 13.3.2 zones -------------------------------------------------------------------------------------------

RING = [ger("A", "0,0"), *(ger(f"B{i}", x) for i, x in enumerate(SHUT))]
RED_RING = [sov("X", "0,0"), *(sov(f"Y{i}", x) for i, x in enumerate(SHUT))]


@pytest.mark.rule("don42", "3.2.5.a")
def test_a_soviet_unit_that_must_enter_an_empty_zone_hex_is_eliminated():
    g = pos(*RING, sov("X", "1,0", "3-4-5 2-2-5"))
    withdraw(g, ["X"], 1, "0,0")
    do(g, texts(g)[0])
    assert g.steps[u(g, "X")] == 0


@pytest.mark.rule("don42", "13.3.2.a", "13.3.2.b", "3.2.5.b")
def test_a_soviet_unit_in_a_friends_zone_hex_loses_a_step_or_its_last_one():
    strong = pos(*RING, sov("X", "1,0", "3-4-5 2-2-5"), sov("Y", "2,0"))
    withdraw(strong, ["X"], 1, "0,0")
    assert texts(strong) == ["retreat 2,0"], "the hex with a friend comes before bare zone hexes"
    do(strong, "retreat 2,0")
    assert strong.steps[u(strong, "X")] == 1
    do(strong, "retreat 3,0")
    assert strong.steps[u(strong, "X")] == 0, "no room beside Y: it had to go on into a bare zone hex"
    for faces, steps in (("3-4-5 2-2-5", 2), ("3-4-5 2-2-5", 1), ("3-4-5", 1)):
        g = pos(
            ger("A", "0,0"), ger("B", "2,-2"), ger("D", "2,1"), sov("X", "1,0", faces, steps=steps), sov("Y", "2,0")
        )
        withdraw(g, ["X"], 1, "0,0")
        assert texts(g) == ["retreat 2,0"]
        do(g, "retreat 2,0")
        assert g.steps[u(g, "X")] == steps - 1
        assert at(g, "Y") == "2,0"


@pytest.mark.rule("don42", "13.3.2.a")
def test_one_step_for_each_such_hex_or_one_in_all():
    def line(**options):
        friends = [sov("Y", "2,0"), sov("Z", "3,0")]
        g = pos(*RING, sov("X", "1,0", "3-4-5 2-2-5"), *friends, options=options, on=board(8))
        zone = set(ask(g, "zoc", side="german")["german"]["hexes"])
        assert {"2,0", "3,0"} <= zone
        withdraw(g, ["X"], 2, "0,0")
        do(g, "retreat 2,0-3,0")
        return g

    assert line().steps[u(line(), "X")] == 0
    once = line(soviet_step="once")
    assert once.steps[u(once, "X")] == 1


@pytest.mark.rule("don42", "13.3.2.d")
def test_germans_pass_a_friend_in_a_zone_without_harm():
    g = pos(*RED_RING, ger("A", "1,0"), ger("B", "2,0"))
    withdraw(g, ["A"], 1, "0,0")
    do(g, "retreat 2,0")
    assert word(g, "A") == ""
    assert at(g, "A") == "2,0"


@pytest.mark.rule("don42", "13.3.2.e1", "13.3.2.e2", "13.3.2.e3", "13.3.2.e4")
@pytest.mark.parametrize(("entered", "status"), [(0, ""), (1, "DRG"), (2, "DPT"), (3, "RTD"), (4, "gone")])
def test_the_table_of_zone_hexes_entered(entered, status):
    g = pos(sov("X", "-6,0"), ger("A", "1,0"), on=board(8))
    start(g, Withdraw(GERMAN, (u(g, "A"),), 1, (h(g, "-6,0"),), entered=entered))
    do(g, texts(g)[0])
    if status == "gone":
        assert g.steps[u(g, "A")] == 0
        return
    assert word(g, "A") == status
    assert bool(g.stack) is (status == "RTD")
    if status == "RTD":
        assert {len(w) for w in ways(g)} == {3}, "three hexes: a rout move of three more"
        do(g, texts(g)[0])
        assert not g.stack


@pytest.mark.rule("don42", "13.3.2.e1", "13.3.2.e2")
def test_zone_hexes_are_counted_on_the_way():
    free = pos(sov("X", "0,0"), ger("A", "1,0"))
    withdraw(free, ["A"], 1, "0,0")
    do(free, texts(free)[0])
    assert word(free, "A") == ""
    one = pos(*RED_RING, ger("A", "1,0"))
    withdraw(one, ["A"], 1, "0,0")
    do(one, texts(one)[0])
    assert word(one, "A") == "DRG"
    two = pos(*RED_RING, ger("A", "1,0"))
    withdraw(two, ["A"], 2, "0,0")
    do(two, texts(two)[0])
    assert word(two, "A") == "DPT"


@pytest.mark.rule("don42", "13.3.2.e1")
def test_on_a_unit_in_disorder_the_worse_counts_or_it_escalates():
    for options, word_after in (({}, "DRG"), ({"on_status": "escalates"}, "DPT")):
        g = pos(*RED_RING, ger("A", "1,0", status=["DRG"]), options=options)
        withdraw(g, ["A"], 1, "0,0")
        do(g, texts(g)[0])
        assert word(g, "A") == word_after


@pytest.mark.rule("don42", "13.3.2.f", "13.3.2.ex")
@pytest.mark.example("don42", "D-E06")
def test_example_a_drg_battalion_makes_the_battalion_it_joins_drg():
    g = pos(*RED_RING, ger("A", "1,0"), ger("B", "3,0"))
    withdraw(g, ["A"], 2, "0,0")
    assert texts(g) == ["retreat 2,0-3,0"], "one bare zone hex, then the friend"
    do(g, "retreat 2,0-3,0")
    assert at(g, "A") == at(g, "B") == "3,0"
    assert (word(g, "A"), word(g, "B")) == ("DRG", "DRG")
    sound = pos(sov("X", "0,0"), ger("A", "1,0"), ger("B", "2,0", status=["DPT"]))
    withdraw(sound, ["A"], 1, "0,0")
    do(sound, "retreat 2,0")
    assert (word(sound, "A"), word(sound, "B")) == ("", "DPT"), "an intact retreater improves nobody"


# --- 13.3.1 stacking -----------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "13.3.1.a", "13.3.1.b", "13.3.1.c")
def test_a_retreat_over_the_limit_goes_on_or_displaces_the_friend():
    g = pos(ger("A", "0,0"), sov("X", "1,0"), sov("Y", "2,0"))
    withdraw(g, ["X"], 1, "0,0")
    do(g, "retreat 2,0")
    found = texts(g)
    assert "continue 3,0" in found
    assert "displace Y 3,0" in found
    assert not any(t.startswith("displace X") for t in found)
    assert "continue 1,0" not in found, "the hex it came from is in A's zone"
    displaced = pos(ger("A", "0,0"), sov("X", "1,0"), sov("Y", "2,0"))
    withdraw(displaced, ["X"], 1, "0,0")
    do(displaced, "retreat 2,0", "displace Y 3,-1")
    assert (at(displaced, "X"), at(displaced, "Y")) == ("2,0", "3,-1")
    do(g, "continue 3,0")
    assert (at(g, "X"), at(g, "Y")) == ("3,0", "2,0")


@pytest.mark.rule("don42", "13.3.1.b")
def test_the_other_reading_lets_a_retreater_go_on_only_further_away():
    g = pos(ger("A", "-1,0"), sov("X", "1,0"), sov("Y", "2,0"), options={"onward": "further"})
    withdraw(g, ["X"], 1, "-1,0")
    do(g, "retreat 2,0")
    ends = {t.split()[1] for t in texts(g) if t.startswith("continue")}
    assert ends == {"3,0", "2,1", "3,-1"}
    free = pos(ger("A", "-1,0"), sov("X", "1,0"), sov("Y", "2,0"))
    withdraw(free, ["X"], 1, "-1,0")
    do(free, "retreat 2,0")
    assert "continue 1,1" in texts(free)


@pytest.mark.rule("don42", "3.2.5.c")
def test_displacements_chain():
    around = [sov(f"Y{i}", x) for i, x in enumerate(("2,-1", "3,-1", "3,0", "2,1", "1,1"))]
    g = pos(ger("A", "0,0"), sov("X", "1,0"), sov("M", "2,0"), *around)
    withdraw(g, ["X"], 1, "0,0")
    do(g, "retreat 2,0")
    chain = [t for t in texts(g) if t.startswith("displace M")]
    assert chain
    do(g, "displace M 3,0")
    assert any(t.startswith("displace Y2") for t in texts(g))
    do(g, next(t for t in texts(g) if t.startswith("displace Y2")))
    assert not g.stack
    assert (at(g, "X"), at(g, "M")) == ("2,0", "3,0")


@pytest.mark.rule("don42", "13.3.1.d")
def test_if_no_hex_is_free_of_zones_the_retreater_continues_its_retreat():
    g = pos(*RED_RING, ger("A", "1,0"), ger("B", "2,0"), ger("C", "2,0"), on=board(8))
    withdraw(g, ["A"], 1, "0,0")
    do(g, "retreat 2,0")
    assert ways(g) == {("3,0",)}, "no displacement, no open hex: on it goes, into a zone"
    do(g, "retreat 3,0")
    assert (at(g, "A"), word(g, "A")) == ("3,0", "DRG")
    assert at(g, "B") == at(g, "C") == "2,0"


@pytest.mark.rule("don42", "13.3.2.c", "3.2.5.b")
def test_a_soviet_displaced_out_of_a_zone_loses_a_step_too():
    g = pos(ger("A", "0,0"), ger("B", "2,-2"), ger("D", "2,1"), sov("X", "1,0", "3-4-5 2-2-5"),
            sov("Y", "2,0", "3-4-5 2-2-5"))  # fmt: skip
    withdraw(g, ["X"], 1, "0,0")
    do(g, "retreat 2,0")
    assert set(texts(g)) == {"continue 3,-1", "displace Y 3,-1"}, "the one hex free of zones"
    do(g, "displace Y 3,-1")
    assert (g.steps[u(g, "X")], g.steps[u(g, "Y")]) == (1, 1)
    free = pos(ger("A", "0,0"), sov("X", "1,0", "3-4-5 2-2-5"), sov("Y", "2,0", "3-4-5 2-2-5"))
    withdraw(free, ["X"], 1, "0,0")
    do(free, "retreat 2,0", "displace Y 3,0")
    assert (free.steps[u(free, "X")], free.steps[u(free, "Y")]) == (2, 2)


# --- 13.3.3 step losses --------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "13.3.3.a")
@pytest.mark.parametrize("code", ["DRE1", "DRE2", "DRE3", "BRE"])
def test_one_step_may_replace_any_retreat(code):
    g = pos(ger("A", "0,0"), sov("X", "1,0", "3-4-5 2-2-5"))
    result(g, code, attackers=["A"], target="1,0")
    assert set(texts(g)) == {"give_way", "step_loss X"}
    do(g, "step_loss X")
    assert (g.steps[u(g, "X")], at(g, "X")) == (1, "1,0")


@pytest.mark.rule("don42", "13.3.3.b")
def test_a_reduced_or_one_step_unit_is_eliminated_instead():
    for unit in (sov("X", "1,0", "3-4-5"), sov("X", "1,0", "3-4-5 2-2-5", steps=1)):
        g = pos(ger("A", "0,0"), unit)
        result(g, "DRE1", attackers=["A"], target="1,0")
        do(g, "step_loss X")
        assert g.steps[u(g, "X")] == 0


@pytest.mark.rule("don42", "13.3.3.d")
def test_a_rout_allows_no_step_loss():
    g = pos(ger("A", "0,0"), sov("X", "1,0", "3-4-5 2-2-5"))
    result(g, "DRTD", attackers=["A"], target="1,0")
    assert all(t.startswith("retreat") for t in texts(g))


@pytest.mark.rule("don42", "13.3.4")
def test_a_unit_that_retreated_onto_a_friend_adds_nothing_but_shares_the_result():
    g = pos(*RED_RING, ger("A", "1,0", "4-4-10"), ger("B", "2,0", "4-3-10"))
    result(g, "DRE1", attackers=["X"], target="1,0")
    do(g, "give_way", "retreat 2,0")
    assert g.status[u(g, "A")] & GUEST
    odds = work_out(g, SOVIET, [u(g, "Y0")], h(g, "2,0"))
    assert odds.defence.total == 3
    result(g, "DE1", attackers=["Y0"], target="2,0")
    assert sorted(texts(g)) == ["eliminate A", "eliminate B"]


# --- 13.4 both retreat ---------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "13.4.a", "13.4.b")
def test_both_retreat_one_hex_the_defender_first():
    g = pos(ger("A", "0,0"), sov("X", "1,0"))
    result(g, "BRE", attackers=["A"], target="1,0")
    do(g, "give_way", "retreat 2,0")
    assert at(g, "A") == "0,0", "the attacker's turn comes now"
    assert set(texts(g)) == {"give_way", "step_loss A"}
    do(g, "give_way")
    do(g, texts(g)[0])
    assert g.map.grid.distance(g.place[u(g, "A")], h(g, "1,0")) == 2
    assert not g.stack, "nobody advances"


@pytest.mark.rule("don42", "13.4.a")
def test_attackers_of_several_hexes_retreat_hex_by_hex_or_lose_one_step_in_all():
    units = [ger("A", "0,0", "4-4-10 2-2-10"), ger("B", "0,1", "4-4-10 2-2-10"), sov("X", "1,0")]
    g = pos(*units)
    result(g, "BRE", attackers=["A", "B"], target="1,0")
    do(g, "give_way", "retreat 2,0", "give_way")
    do(g, texts(g)[0])
    do(g, texts(g)[0])
    assert all(g.map.grid.distance(g.place[u(g, n)], h(g, "1,0")) == 2 for n in "AB")
    stays = pos(*units)
    result(stays, "BRE", attackers=["A", "B"], target="1,0")
    do(stays, "give_way", "retreat 2,0", "step_loss B")
    assert (at(stays, "A"), at(stays, "B"), stays.steps[u(stays, "B")]) == ("0,0", "0,1", 1)


# --- 13.5 routs ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "13.5.a", "13.5.b")
def test_routed_defenders_retreat_three_hexes_and_are_marked():
    g = pos(ger("A", "0,0"), sov("X", "1,0", "3-4-5 2-2-5"))
    result(g, "DRTD", attackers=["A"], target="1,0")
    do(g, texts(g)[0])
    assert word(g, "X") == "RTD"
    assert g.map.grid.distance(g.place[u(g, "X")], h(g, "1,0")) == 3


@pytest.mark.rule("don42", "13.5.1.a", "13.5.1.b", "13.5.1.c")
@pytest.mark.parametrize("quality", ["A", "B", "C"])
@pytest.mark.parametrize("die", [4, 5])
def test_german_a_and_b_units_roll(quality, die):
    g = pos(sov("X", "0,0"), ger("A", "1,0", quality=quality))
    result(g, "DRTD", attackers=["X"], target="1,0", dice=[die])
    do(g, texts(g)[0])
    assert word(g, "A") == ("RTD" if quality == "C" or die >= 5 else "DPT")
    assert g.map.grid.distance(g.place[u(g, "A")], h(g, "1,0")) == 3
    assert g.dice.count == (0 if quality == "C" else 1)


@pytest.mark.rule("don42", "13.5.1.a")
def test_each_german_unit_of_a_stack_rolls_for_itself():
    g = pos(sov("X", "0,0"), ger("A", "1,0"), ger("B", "1,0"))
    result(g, "DRTD", attackers=["X"], target="1,0", dice=[1, 6])
    assert {word(g, "A"), word(g, "B")} == {"DPT", "RTD"}
    do(g, texts(g)[0])
    assert at(g, "A") == at(g, "B")


def test_a_status_that_is_no_worse_is_neither_given_nor_told():
    g = pos(ger("A", "0,0", status=["DPT"]))
    g.events = []
    for status in ("DRG", "DPT"):
        worsen(g, u(g, "A"), STATUS_WORDS[status], "13.3.2")
    assert word(g, "A") == "DPT"
    assert g.events == []
    worsen(g, u(g, "A"), STATUS_WORDS["RTD"], "13.3.2")
    assert word(g, "A") == "RTD"
    assert [e["what"] for e in g.events] == ["A becomes RTD"]
