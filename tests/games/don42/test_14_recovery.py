"""14.0 Mutual Recovery Phase."""

from __future__ import annotations

import pytest

from kessel.core.procedure import run
from kessel.games.don42.turn.recovery import RecoveryPhase

from .helpers import ask, board, ger, pos, sov, u, word

HQ = ger("HQ14PzC", "0,0", "0-1-10", type="hq", size="corps", division="")


def recover(*units, **fields):
    g = pos(*units, **fields)
    g.stack = [RecoveryPhase()]
    run(g)
    return g


@pytest.mark.rule("don42", "14.1")
def test_drg_comes_off_by_itself_whatever_the_situation():
    around = [sov(f"X{i}", x) for i, x in enumerate(("1,0", "0,1", "-1,0"))]
    g = recover(ger("A", "0,0", status=["DRG"], supply="out of supply"), *around)
    assert word(g, "A") == ""
    assert u(g, "A") == 0


@pytest.mark.rule("don42", "14.2.a", "14.0")
def test_dpt_comes_off_with_a_path_of_six_mps_to_the_corps_or_army_hq():
    for far, recovers in ((6, True), (7, False)):
        g = recover(HQ, ger("A", f"{far},0", status=["DPT"]), on=board(8))
        assert (word(g, "A") == "") is recovers
    army = sov("HQ62A", "0,0", "0-1-8", type="hq", size="army")
    assert word(recover(army, sov("X", "0,6", status=["DPT"]), on=board(8)), "X") == ""
    division = ger("HQ16Pz", "3,0", "0-1-10", type="hq", size="division")
    g = recover(division, ger("A", "4,0", status=["DPT"]))
    assert word(g, "A") == "DPT", "a Division HQ does not serve"


@pytest.mark.rule("don42", "14.3.a", "14.0")
def test_rtd_comes_off_with_a_path_of_three_mps():
    for far, recovers in ((3, True), (4, False)):
        g = recover(HQ, ger("A", f"{far},0", status=["RTD"]))
        assert (word(g, "A") == "") is recovers


@pytest.mark.rule("don42", "14.2.b", "14.3.b")
@pytest.mark.parametrize("status", ["DPT", "RTD"])
def test_the_path_avoids_enemies_and_their_zones_but_friends_cancel_zones(status):
    enemies = [sov(f"X{r}", f"2,{r}") for r in (-5, -3, 1, 3)] + [sov("Y", "2,-1")]
    blocked = recover(HQ, ger("A", "3,0", status=[status]), *enemies)
    assert word(blocked, "A") == status
    held = recover(HQ, ger("A", "3,0", status=[status]), *enemies, ger("B", "2,0"), ger("C", "1,0"))
    assert word(held, "A") == ""


@pytest.mark.rule("don42", "14.2.c", "14.3.c")
def test_lack_of_supply_does_not_prevent_recovery():
    hungry = {**HQ, "supply": "out of supply"}
    for status in ("DPT", "RTD"):
        g = recover(hungry, ger("A", "2,0", status=[status], supply="out of supply"))
        assert word(g, "A") == ""


def test_an_hq_recovers_by_itself_or_never():
    shaken = {**HQ, "status": ["DPT"]}
    assert word(recover(shaken), "HQ14PzC") == ""
    assert word(recover(shaken, options={"hq_self": "never"}), "HQ14PzC") == "DPT"


def test_the_german_path_may_cross_the_don_or_not():
    straight = {f"1,{r}|2,{r}": "minor_river" for r in range(-6, 5)}
    slanting = {f"1,{r}|2,{r - 1}": "minor_river" for r in range(-5, 6)}
    on = board(sides=straight | slanting)
    assert word(recover(HQ, ger("A", "2,0", status=["DPT"]), on=on), "A") == ""
    other = recover(HQ, ger("A", "2,0", status=["DPT"]), on=on, options={"recovery_line": "supply"})
    assert word(other, "A") == "DPT"


def test_the_answer_names_the_path():
    g = pos(HQ, ger("A", "2,0", status=["DPT"]))
    found = ask(g, "recovery", unit="A")
    assert (found["recovers"], found["rule"], found["hq"], found["path"]) == (True, "14.2", "HQ14PzC", ["1,0", "0,0"])
