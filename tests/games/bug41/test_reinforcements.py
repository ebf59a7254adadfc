"""RX-11 arrivals, PA-RP, PA-reorg, PA-assign and RX-8.4 to 8.6."""

from __future__ import annotations

import pytest

from kessel.core.hexset import members
from kessel.core.procedure import run
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.sequence import Play
from kessel.games.bug41.supply.command import is_commanded
from kessel.games.bug41.turn.reinforcements import (
    Arrivals,
    Reassignment,
    Reinforcement,
    Reorganization,
    Replacements,
    entries_of,
    why_not_fill,
    why_not_place,
    why_not_rebuild,
)

from .helpers import PACK, board, do, f, fresh, ger, h, hq, pos, refusal, sov, start, texts, told, u

# --- arrivals --------------------------------------------------------------------------------------------------------


def at_turn(turn: int) -> Board:
    g = fresh("campaign")
    g.set_track("turn", turn)
    g.events = []
    return start(g, Arrivals(SOVIET))


@pytest.mark.rule("bug41", "RX-11")
def test_a_formation_arrives_near_its_entry_hex() -> None:
    g = at_turn(2)
    placed = {t.split()[1] for t in texts(g)}
    assert placed == {g.id(n) for n in range(len(g.forces)) if g.forces.commands[g.forces.command[n]] == "1AT"}
    entry = h(g, "4417")
    for t in texts(g):
        _, name, where = t.split()
        far = g.map.grid.distance(entry, h(g, where))
        if name == "HQ1AT":
            assert far <= 4
            assert g.ground.hq_room(h(g, where))
        else:
            assert far <= 3
    assert refusal(g, "place Sap1 3917").rule == "RX-11"
    while g.stack:
        do(g, texts(g)[0])
    assert g.levels[f(g, "1AT")] == 6
    assert all(g.on_map(n) for n in range(len(g.forces)) if g.forces.commands[g.forces.command[n]] == "1AT")


def test_nobody_arrives_next_to_the_enemy_and_who_must_wait_uses_any_supply() -> None:
    g = fresh("campaign")
    g.set_track("turn", 2)
    sap, q = u(g, "Sap1"), u(g, "HQ1AT")
    g.enter(u(g, "I-525"), h(g, "4317"))
    assert why_not_place(g, SOVIET, sap, h(g, "4316")).reason.startswith("the enemy or his zone")  # type: ignore[union-attr]
    assert members(entries_of(g, sap)) == [h(g, "4417")]
    g.set_track("turn", 3)
    assert entries_of(g, sap) == entries_of(g, q) == g.ground.supply[SOVIET]


@pytest.mark.rule("bug41", "RX-11")
@pytest.mark.parametrize("turn", [2, 3, 4])
def test_what_is_listed_is_what_is_not_refused(turn: int) -> None:
    g = at_turn(turn)
    listed = set(texts(g))
    for n in range(len(g.forces)):
        for x in g.map.grid.hexes:
            fits = why_not_place(g, SOVIET, n, x) is None
            assert fits == (f"place {g.id(n)} {g.hex_name(x)}" in listed)


def test_a_new_formation_recovers_only_from_the_next_turn_on() -> None:
    g = fresh("campaign")
    g.set_track("turn", 3)
    g.levels[f(g, "135RD")] = 2
    g.stack = [Play(at=Play.index["recovery"])]
    run(g)
    assert g.levels[f(g, "135RD")] == 2


# --- replacements ----------------------------------------------------------------------------------------------------


def hurt(**more: object) -> Board:
    types = ("infantry", "motorized_infantry", "engineer", "anti_tank", "afv")
    units = [ger(t.title().replace("_", ""), f"-3,{n}", t, strength=8, steps=5) for n, t in enumerate(types)]
    return pos(*units, sov("S", "4,0"), **more)  # type: ignore[arg-type]


@pytest.mark.rule("bug41", "PA-RP.turns", "PA-RP.inf", "PA-RP.afv")
def test_two_points_of_each_kind_on_three_turns() -> None:
    for turn in range(1, 8):
        g = hurt(turn=turn)
        start(g, Reinforcement(at=Reinforcement.index["replacements"]))
        p = g.stack[-1] if g.stack else None
        if turn in (3, 5, 7):
            assert isinstance(p, Replacements)
            assert (p.infantry, p.afv) == (2, 2)
        else:
            assert not isinstance(p, Replacements)


@pytest.mark.rule("bug41", "PA-RP.two", "RX-8.4")
def test_prices_of_a_strength_point() -> None:
    g = start(hurt(), Replacements(GERMAN, 2, 2))
    do(g, "rebuild Infantry", "rebuild Afv", "rebuild Afv")
    assert g.steps[u(g, "Infantry")] == 6
    assert g.steps[u(g, "Afv")] == 7
    for name in ("MotorizedInfantry", "Engineer", "AntiTank"):
        assert refusal(g, f"rebuild {name}").rule == "PA-RP.two"
    for name in ("MotorizedInfantry", "Engineer", "AntiTank"):
        g = start(hurt(), Replacements(GERMAN, 2, 0))
        do(g, f"rebuild {name}")
        assert not g.stack, "both points are spent"
    g = start(hurt(at_replacements="one_point"), Replacements(GERMAN, 2, 0))
    do(g, "rebuild AntiTank", "rebuild AntiTank")


@pytest.mark.rule("bug41", "RX-8.4", "PA-RP.two")
def test_what_is_short_by_one_point_is_refused_by_its_own_rule() -> None:
    g = hurt()
    none = {"infantry": 0, "afv": 0}
    assert why_not_rebuild(g, u(g, "Infantry"), none).rule == "RX-8.4"  # type: ignore[union-attr]
    assert why_not_rebuild(g, u(g, "AntiTank"), none).rule == "PA-RP.two"  # type: ignore[union-attr]
    assert why_not_rebuild(g, u(g, "AntiTank"), {"infantry": 2, "afv": 0}) is None


def test_who_gets_replacements() -> None:
    units = (ger("W", "-3,0"), ger("N", "0,0", steps=3), sov("S", "1,0"), ger("F", "-4,2", steps=3, formation="44ID"),
             hq("HQ", "", "44ID"), ger("K", "-4,0", steps=7))  # fmt: skip
    g = start(pos(*units), Replacements(GERMAN, 2, 2))
    assert texts(g) == ["pass", "rebuild K"]
    reasons = {n: refusal(g, f"rebuild {n}").reason for n in "WNF"}
    assert reasons["W"].endswith("printed strength")
    assert reasons["N"].endswith("next to an enemy")
    assert reasons["F"].endswith("out of command")
    do(g, "rebuild K")
    assert not g.stack, "up to printed strength, and the rest is lost"


# --- reorganization --------------------------------------------------------------------------------------------------

PAIRS = (("infantry", "infantry"), ("machine_gun", "infantry"), ("engineer", "infantry"), ("border_guard", "infantry"),
         ("anti_tank", "infantry"), ("motorized_infantry", "motorized_infantry"),
         ("motorized_engineer", "motorized_infantry"), ("machine_gun", "machine_gun"), ("engineer", "engineer"),
         ("motorized_engineer", "motorized_engineer"))  # fmt: skip


def pair(used: str, filled: str, **more: object) -> Board:
    g = pos(sov("V", "0,0", used, strength=5), sov("W", "1,0", filled, strength=7, steps=4), **more)  # type: ignore[arg-type]
    return start(g, Reorganization(SOVIET))


@pytest.mark.parametrize(
    ("used", "filled"),
    [pytest.param(a, b, marks=pytest.mark.rule("bug41", f"PA-reorg.{n}")) for n, (a, b) in enumerate(PAIRS, start=1)],
)
@pytest.mark.rule("bug41", "RX-8.5")
def test_pairs_that_reorganize(used: str, filled: str) -> None:
    g = pair(used, filled)
    assert "fill W from V" in texts(g)
    do(g, "fill W from V")
    assert g.steps[u(g, "W")] == 7, "what is above printed strength is lost"
    assert not g.on_map(u(g, "V"))
    assert g.track("lost_infantry") == 0, "without Victory Points"


@pytest.mark.rule("bug41", "PA-reorg.11", "PA-reorg.12")
def test_no_other_pair_does() -> None:
    kinds = ("infantry", "motorized_infantry", "machine_gun", "engineer", "motorized_engineer", "border_guard",
             "anti_tank", "afv")  # fmt: skip
    for used in kinds:
        for filled in kinds:
            assert ("fill W from V" in texts(pair(used, filled))) == ((used, filled) in PAIRS)
    g = pos(sov("V", "0,0"), sov("W", "1,0", steps=3), sov("X", "1,1", steps=3))
    start(g, Reorganization(SOVIET))
    assert refusal(g, "fill W from HQ-215MD").rule == "PA-reorg.11"


@pytest.mark.rule("bug41", "RX-8.5")
def test_units_two_hexes_apart_do_not_reorganize() -> None:
    g = start(pos(sov("V", "0,0"), sov("W", "2,0", steps=4)), Reorganization(SOVIET))
    assert why_not_fill(g, u(g, "W"), (u(g, "V"),)).rule == "RX-8.5"  # type: ignore[union-attr]
    g.move(u(g, "V"), h(g, "1,0"))
    assert why_not_fill(g, u(g, "W"), (u(g, "V"),)) is None


def test_reorganization_needs_neighbours_of_one_formation_in_command() -> None:
    weak = sov("W", "0,0", steps=3)
    for other in (sov("V", "2,0"), sov("V", "1,0", formation="135RD"), ger("V", "1,0")):
        g = start(pos(weak, other), Reorganization(SOVIET))
        assert not g.stack
    g = pos(weak, sov("V", "1,0"), hq("HQ", "", "215MD"))
    assert not start(g, Reorganization(SOVIET)).stack
    for reading, disrupted in (("keeps_its_own", False), ("worse_of_both", True)):
        g = pos(weak, sov("V", "1,0", status="disrupted"), reorganized_state=reading)
        do(start(g, Reorganization(SOVIET)), "fill W from V")
        assert g.is_disrupted(u(g, "W")) == disrupted


# --- reassignment ----------------------------------------------------------------------------------------------------

LOANS = (
    ("PA-assign.g1", "14Pz", ("44ID", "298ID"), "afv", 2),
    ("PA-assign.g2", "44ID", ("14Pz",), "infantry", 1),
    ("PA-assign.g2", "298ID", ("14Pz",), "engineer", 1),
    ("PA-assign.s1", "41TD", ("87RD", "215MD"), "afv", 2),
    ("PA-assign.s2", "215MD", ("41TD",), "motorized_infantry", 1),
    ("PA-assign.s3", "1AT", ("135RD",), "anti_tank", 2),
    ("PA-assign.s4", "19TD", ("135RD",), "afv", 2),
)


@pytest.mark.parametrize(
    ("rule", "lender", "receivers", "type", "most"),
    [pytest.param(*row, marks=pytest.mark.rule("bug41", row[0], "RX-8.6")) for row in LOANS],
)
def test_who_may_lend_what(rule: str, lender: str, receivers: tuple[str, ...], type: str, most: int) -> None:
    make = ger if lender in ("14Pz", "44ID", "298ID") else sov
    side = GERMAN if make is ger else SOVIET
    names = [x for x, doc in PACK.toml("pack.toml")["formations"].items() if isinstance(doc, dict)]
    own = [x for x in names if (make is ger) == (PACK.toml("pack.toml")["formations"][x]["side"] == "german")]
    units = [make(f"U{n}", f"{n - 2},0", type, lender) for n in range(3)]
    crowd = [make(f"X{n}", "-3,3", "afv", x) for n, x in enumerate(own) if x != lender]
    g = start(pos(*units, *crowd), Reassignment(side))
    assert {t.split()[2] for t in texts(g) if t.startswith("attach U")} == set(receivers)
    for n in range(most):
        do(g, f"attach U{n} {receivers[0]}")
        assert g.command[u(g, f"U{n}")] == f(g, receivers[0])
    assert not g.stack or not [t for t in texts(g) if t.startswith("attach U")]
    again = start(g, Reassignment(side))
    assert refusal(again, f"attach U2 {receivers[-1]}").rule == rule
    do(again, f"attach U0 {lender}")
    assert g.command[u(g, "U0")] == f(g, lender), "and back"


def test_a_lent_unit_serves_its_new_hq() -> None:
    g = pos(ger("T", "0,0", "afv", "14Pz"), ger("A", "1,0"), hq("HQ", "", "14Pz"), on=board())
    assert not is_commanded(g, u(g, "T"))
    do(start(g, Reassignment(GERMAN)), "attach T 298ID")
    assert is_commanded(g, u(g, "T"))
    assert any("goes to 298. Infantry Division" in t for t in told(g))


@pytest.mark.rule("bug41", "PA-assign.g1", "PA-assign.g2")
def test_who_may_be_lent_at_dawn() -> None:
    g = start(fresh("campaign"), Reassignment(GERMAN))
    tanks = {t.split()[2] for t in texts(g) if t.startswith("attach 1-36Pz ")}
    infantry = {t.split()[2] for t in texts(g) if t.startswith("attach I-525 ")}
    assert (tanks, infantry) == ({"298ID", "44ID"}, {"14Pz"})
    assert not [t for t in texts(g) if t.startswith(("attach PzJg298 ", "attach I-528 "))], "no guns, nobody of 299"
