"""12.31, 12.34 Units that join a combat by a tactic."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import asked, legal
from kessel.games.kharkov43.board import (
    ACTIVE,
    ATTACKED,
    CANNOT_ATTACK,
    DEFENDED,
    DISPERSED,
    MOVED,
    OFF_MAP,
    OOS,
    Board,
)
from kessel.games.kharkov43.combat.battle import defence_strength, has_armor
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.combat.joining import coordinated_units, joinable, soviet_reinforcement
from kessel.games.kharkov43.combat.tactics import (
    apply_tactic,
    why_not_german_tactics,
)
from kessel.games.kharkov43.data.forces import GERMAN
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    cup,
    dice,
    field,
    full_cup,
    german_attack,
    places,
    play,
    refused,
    scene,
    soviet_attack,
)
from tests.games.kharkov43.helpers import german, panzer, soviet, tanks, unit

from .test_12_tactics import GERMANS, germans_attack, soviets_attack

RULE = "kharkov43"


# --- units that join -------------------------------------------------------------------------------------------------


def reinforce_scene(**doc: Any) -> Board:
    return scene(
        [
            german("0.XL", "1911", status=["active"]),
            german("1.XL", "1911", status=["active"]),
            german("2.XL", "1911", status=["active"]),
            german("r.LVII", "1913", corps="LVII"),
            german("s.LVII", "1913", corps="LVII"),
            german("t.LVII", "2013", corps="LVII"),
            german("u.LVII", "1913", corps="LVII", status=["dispersed"]),
            german("v.LVII", "1818", corps="LVII"),
            soviet("d.6", "1910", faces="3-4-05 2-4-06"),
        ],
        cards={"hand": "P25"},
        **doc,
    )


@pytest.mark.rule(RULE, "6.3f")
@pytest.mark.rule(RULE, "12.1c")
@pytest.mark.rule(RULE, "12.8c")
def test_reinforce_battle_brings_units_of_one_german_hex_beside_the_defender():
    g = reinforce_scene()
    full_cup(g)
    german_attack(g, GERMANS, "1910", "P26")
    play(g, "tactic P25 reinforce_battle")
    movers = {c.split()[1] for c in choices(g)}
    assert movers == {"r.LVII", "s.LVII", "t.LVII"}
    assert "pass" not in choices(g)
    assert refused(g, "join v.LVII 1810") == "12.3"
    assert refused(g, "pass") == "12.3"
    play(g, "join r.LVII 1810")
    assert {c.split()[1] for c in choices(g) if c != "pass"} == {"s.LVII"}
    combat = g.stack[-1]
    assert isinstance(combat, GermanCombat)
    assert combat.joined == (unit(g, "r.LVII"),)
    assert g.status[unit(g, "r.LVII")] & (ATTACKED | MOVED) == ATTACKED | MOVED
    assert not g.status[unit(g, "r.LVII")] & ACTIVE
    play(g, "pass")
    assert len(combat.attackers) == 4


@pytest.mark.rule(RULE, "12.0a")
def test_reinforce_battle_moves_a_german_stack_into_the_defending_hex():
    g = scene(
        [
            soviet("a.6", "1810", faces="4-4-01 2-4-02"),
            soviet("b.6", "1809", faces="4-4-03 2-4-04"),
            german("d.XL", "1910", faces="3-4"),
            german("r.LVII", "1912", corps="LVII", faces="3-4 2-4"),
            german("s.LVII", "1912", corps="LVII", faces="3-4"),
        ],
        cards={"hand": "P25"},
    )
    cup(g, "C01 C02 C03 C04 C05 C06")
    dice(g, *[1] * 20)
    c = soviet_attack(g, "a.6 b.6", "1910", "E10")
    play(g, "tactic P25 reinforce_battle")
    assert choices(g) == ["join r.LVII 1910", "join s.LVII 1910"]
    play(g, "join r.LVII 1910", "join s.LVII 1910")
    assert places(g, "r.LVII s.LVII") == {"r.LVII": "1910", "s.LVII": "1910"}
    assert [g.id(u) for u in c.defenders] == ["d.XL", "r.LVII", "s.LVII"]
    assert len(c.drawn) == 4
    assert defence_strength(g, c).total == 9


@pytest.mark.rule(RULE, "12.31b")
def test_one_soviet_unit_comes_up_the_strongest_first_by_the_tactical_preferences():
    g = scene(
        [
            soviet("a.6", "1810", faces="4-4-01 2-4-02", status=["active"]),
            soviet("b.6", "1706", faces="3-4-03 2-4-04"),
            soviet("c.6", "1806", faces="4-4-05 2-4-06"),
            soviet("e.6", "1808", faces="9-4-07", status=["out_of_supply"]),
            german("d.XL", "1910", faces="9-4 2-4"),
        ],
        cards={"draw": "E10"},
    )
    full_cup(g)
    b = battle(g, "a.6", "1910")
    tactic = g.charts.tactics["reinforce_battle"]
    assert {g.id(u) for u in joinable(g, b, tactic.attack, True)} == {"b.6", "c.6"}
    u, choice = soviet_reinforcement(g, b, tactic, tactic.attack, True)
    assert (g.id(u), g.hex_name(choice.hex)) == ("c.6", "2009")
    assert [c.rule for c in choice.cuts] == ["9.25b"]
    c = soviet_attack(g, "a.6", "1910", "E11")
    assert c.attackers == (unit(g, "a.6"), unit(g, "c.6"))
    assert places(g, "b.6 c.6") == {"b.6": "1706", "c.6": "2009"}
    assert c.joined == (unit(g, "c.6"),)


@pytest.mark.rule(RULE, "6.3f")
@pytest.mark.rule(RULE, "12.1c")
def test_all_inactive_soviets_beside_the_defender_join_by_assault_coordination():
    g = scene(
        [
            soviet("a.6", "1810", faces="4-4-01 2-4-02", status=["active"]),
            soviet("b.1G", "1809", faces="3-4-03 2-4-04", army="1G"),
            soviet("c.1G", "1809", faces="3-4-05 2-4-06", army="1G", status=["dispersed"]),
            soviet("e.1G", "1808", faces="3-4-07 2-4-08", army="1G"),
            german("d.XL", "1910", faces="9-4 2-4"),
        ],
        cards={"draw": "E07"},
    )
    full_cup(g)
    assert [g.id(u) for u in coordinated_units(g, battle(g, "a.6", "1910"))] == ["b.1G"]
    c = soviet_attack(g, "a.6", "1910", "E10")
    assert isinstance(c, SovietCombat)
    assert [g.id(u) for u in c.attackers] == ["a.6", "b.1G"]
    assert not g.status[unit(g, "b.1G")] & ACTIVE


@pytest.mark.rule(RULE, "6.3f")
@pytest.mark.rule(RULE, "12.1c")
def test_the_player_chooses_inactive_germans_of_any_hexes_by_assault_coordination():
    g = scene(
        [
            german("a.XL", "1911", status=["active"]),
            german("b.III", "1810", corps="III"),
            german("c.LVII", "2010", corps="LVII"),
            german("e.LVII", "2012", corps="LVII"),
            soviet("d.6", "1910"),
        ],
        cards={"hand": "P26 P38"},
    )
    full_cup(g)
    c = german_attack(g, "a.XL", "1910", "P24")
    play(g, "tactic P38 assault_coordination")
    joins = {a[1] for a in legal(g) if a[0] == "join"}
    assert {g.id(u) for u in joins} == {"b.III", "c.LVII"}
    play(g, "join b.III 1810")
    assert ("join", unit(g, "c.LVII"), g.place[unit(g, "c.LVII")]) in legal(g), "from a second hex as well"
    play(g, "join c.LVII 2010")
    assert [g.id(u) for u in c.attackers] == ["a.XL", "b.III", "c.LVII"]
    assert not any(g.status[u] & ACTIVE for u in joins)


@pytest.mark.parametrize(
    ("status", "attacking", "able"),
    [
        (0, True, True),
        (DISPERSED, True, False),
        (OOS, True, False),
        (ATTACKED, True, False),
        (DEFENDED, True, True),
        (DEFENDED, False, False),
        (CANNOT_ATTACK, True, False),
    ],
)
def test_who_may_come_up_by_reinforce_battle(status: int, attacking: bool, able: bool):
    g = scene(
        [
            german("a.XL", "1911"),
            german("r.LVII", "1913", corps="LVII"),
            soviet("s.6", "1809"),
            soviet("d.6", "1910") if attacking else german("d.XL", "1910"),
        ]
    )
    g.set_status(unit(g, "r.LVII"), status)
    b = battle(g, "a.XL" if attacking else "s.6", "1910")
    part = g.charts.tactics["reinforce_battle"].attack if attacking else g.charts.tactics["reinforce_battle"].defence
    assert (unit(g, "r.LVII") in joinable(g, b, part, attacking)) is able


def test_reinforcements_do_not_abandon_what_9_23_protects():
    g = scene(
        [
            tanks("a.Popov", "1810", faces="4-6-01 2-6-02", status=["active"]),
            tanks("b.Popov", "1807", faces="9-6-03 2-6-04"),
            german("d.XL", "1910", faces="9-4 2-4"),
        ],
        board=field(terrain={"1911": "marsh", "2010": "marsh", "2009": "marsh", "1909": "marsh", "1809": "marsh"}),
    )
    tactic = g.charts.tactics["reinforce_battle"]
    found = soviet_reinforcement(g, battle(g, "a.Popov", "1910"), tactic, tactic.attack, True)
    assert found is not None
    assert g.hex_name(found[1].hex) == "1810"
    assert {r.rule for _, r in found[1].refused} == {"9.23e"}


@pytest.mark.rule(RULE, "12.3b")
def test_refusals_name_the_card_and_the_question_goes_to_the_german_player():
    g = germans_attack(cards={"hand": "P23", "draw": "E06", "discard": "P25"})
    full_cup(g)
    german_attack(g, GERMANS, "1910", "P26")
    assert asked(g) == GERMAN
    assert refused(g, "tactic P25 artillery") == "12.3"
    assert refused(g, "tactic P23 airpower") == "12.3"
    apply_tactic(g, g.stack[-1], "artillery", True, "test")  # type: ignore[arg-type]
    g.happened(OFF_MAP)
    assert refused(g, "tactic P23 artillery") == "12.3"


def test_dispersed_defenders_get_no_tactics():
    g = soviets_attack(german("d.XL", "1910", faces="9-4 8-4", status=["dispersed"]), cards={"hand": "P23"})
    b = battle(g, "a.6 b.6", "1910")
    assert why_not_german_tactics(g, b) is not None
    g.set_status(unit(g, "d.XL"), DISPERSED, False)
    assert why_not_german_tactics(g, b) is None


def test_panzers_and_armor():
    g = scene([panzer("1.XL", "1810"), soviet("d.6", "1910")])
    assert has_armor(g, battle(g, "1.XL", "1910"), True)
