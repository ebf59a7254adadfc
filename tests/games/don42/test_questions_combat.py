"""Positions worked out by hand from the rule text, as `kessel analyze` asks them: chapters 3.3, 3.4, 7, 8, 11, 12."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.games.don42.helpers import ask, board, ger, pos, sov
from tests.games.don42.test_questions_movement import row

RING = ("1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1")
PLAIN = {"type": "infantry", "motorized": False, "quality": "B"}


def fight(attackers: list[dict[str, Any]], defenders: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """Attackers without a place stand around 0,0; defenders stand there. Guns, planes and options by name."""
    b = fields.pop("on", None) or board(8)
    asked = {k: fields.pop(k) for k in ("guns", "planes", "defence_guns") if k in fields}
    units, names = [], []
    for i, u in enumerate(attackers):
        units.append({**u, "at": u["at"] or RING[i]})
        names.append(u["id"])
    support = [*asked.get("guns", ()), *asked.get("planes", ()), *asked.get("defence_guns", ())]
    others = fields.pop("others", [])
    g = pos(*units, *({**u, "at": "0,0"} for u in defenders), *support, *others, on=b, **fields)
    more = {k: [u["id"] for u in v] for k, v in asked.items()}
    found = ask(g, "attack", hex="0,0", units=names, **more)
    if "chances" in found:
        assert sum(Fraction(c) for c in found["chances"].values()) == 1
        assert (
            sum(i["value"] or 0 for i in found["shifts"]["items"] if isinstance(i["value"], int))
            == (found["shifts"]["total"])
        )
    return found


def g_(id: str, faces: str = "4-4-10", at: str = "", **more: Any) -> dict[str, Any]:
    return ger(id, at, faces, **{**PLAIN, "size": "company", **more})


def s_(id: str, faces: str = "3-4-5", at: str = "", **more: Any) -> dict[str, Any]:
    return sov(id, at, faces, **{"quality": "B", **more})


def shifts(found: dict[str, Any], rule: str) -> list[int]:
    return [i["value"] for i in found["shifts"]["items"] if i["rule"] == rule and i["value"] not in ("", 0)]


def strengths(found: dict[str, Any]) -> tuple[int, int]:
    return found["attack"]["total"], found["defence"]["total"]


# --- 12.4 odds -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "12.4.a")
@pytest.mark.rule("don42", "12.4.b")
@pytest.mark.rule("don42", "12.5")
@pytest.mark.rule("don42", "12.5.1.a")
@pytest.mark.rule("don42", "12.5.1.b")
@pytest.mark.rule("don42", "12.6")
@pytest.mark.parametrize(
    ("attack", "defence", "ratio", "table", "column"),
    [
        (7, 3, "2:1", "2:1", 0),
        (3, 7, "1:3", "1:2", -1),
        (5, 5, "1:1", "1:1", 0),
        (9, 5, "1:1", "1:1", 0),
        (10, 5, "2:1", "2:1", 0),
        (11, 4, "2:1", "2:1", 0),
        (12, 4, "3:1", "2:1", 1),
        (15, 4, "3:1", "2:1", 1),
        (16, 4, "4:1", "2:1", 2),
        (20, 4, "5:1", "2:1", 3),
        (24, 4, "6:1", "2:1", 4),
        (28, 4, "7:1", "2:1", 4),  # beyond the edge
        (4, 5, "1:2", "1:2", 0),
        (2, 4, "1:2", "1:2", 0),
        (2, 5, "1:3", "1:2", -1),
        (1, 3, "1:3", "1:2", -1),
        (2, 8, "1:4", "1:2", -2),
        (2, 9, "1:5", "1:2", -3),
        (1, 9, "1:9", "1:2", -4),
    ],
)
def test_odds_for_both_sides(attack, defence, ratio, table, column):
    german = fight([g_("A", f"{attack}-1-6")], [s_("D", f"1-{defence}-5")])
    soviet = fight([s_("A", f"{attack}-1-6")], [g_("D", f"1-{defence}-5")])
    for found in (german, soviet):
        assert found["legal"]
        assert (found["ratio"], found["table"], found["column"]) == (ratio, table, column)


@pytest.mark.rule("don42", "12.6")
def test_results_are_read_from_the_column():
    found = fight([g_("A", "4-1-6")], [s_("D", "1-4-5")])
    assert list(found["results"].values()) == ["ADPT", "ADRG", "NE", "BRE", "DRE1", "DRE2"]
    found = fight([g_("A", "9-1-6")], [s_("D", "1-3-5")])  # 3:1
    assert list(found["results"].values()) == ["NE", "DRE1", "DRE2", "DRE2", "DRE3", "DRTD"]
    assert found["chances"]["DRE2"] == "2/6"


# --- 12.4.1, 4.2.3, 4.3.2 strengths ----------------------------------------------------------------------------------

OUT = {"supply": "out of supply"}


@pytest.mark.rule("don42", "12.4.1.b1")
@pytest.mark.rule("don42", "12.4.1.b2")
@pytest.mark.rule("don42", "12.4.1.b3")
@pytest.mark.rule("don42", "4.2.3.b")
@pytest.mark.rule("don42", "4.3.2.d")
@pytest.mark.rule("don42", "3.6")
@pytest.mark.parametrize(
    ("defenders", "total"),
    [
        ([s_("D", "1-5-5", status=["DRG"])], 5),
        ([s_("D", "1-5-5", status=["DPT"])], 2),
        ([s_("D", "1-1-5", status=["DPT"])], 1),
        ([s_("D", "1-5-5", status=["RTD"])], 1),
        ([s_("D", "1-5-5", **OUT)], 2),
        ([s_("D", "1-5-5", supply="general")], 5),
        ([s_("D", "1-1-5", **OUT)], 1),  # 0, but a defence is at least 1
        ([s_("D", "1-7-5", status=["DPT"], **OUT)], 1),  # 3, then 1
        ([s_("D", "1-5-5", status=["RTD"], **OUT)], 1),
        ([g_("D", "1-5-5", **OUT)], 5),
        ([g_("D", "1-5-5"), g_("E", "1-3-5", status=["DPT"])], 6),
        ([g_("D", "1-5-5", status=["DPT"]), g_("E", "1-3-5", status=["DPT"])], 3),
        ([g_("D", "1-5-5", status=["RTD"]), g_("E", "1-3-5", status=["RTD"])], 2),
        ([g_("D", "1-5-5 1-2-5", steps=1)], 2),
    ],
)
def test_strength_in_defence(defenders, total):
    foe = g_("A", "9-9-9") if defenders[0]["side"] == "soviet" else s_("A", "9-9-9")
    assert strengths(fight([foe], defenders))[1] == total


@pytest.mark.rule("don42", "4.3.2.d")
@pytest.mark.rule("don42", "12.3.b")
@pytest.mark.rule("don42", "12.3.c")
@pytest.mark.rule("don42", "3.1.5.a")
def test_strength_in_attack():
    three = [g_("A", "3-1-6"), g_("B", "3-1-6"), g_("C", "5-1-6")]
    assert strengths(fight(three, [s_("D")]))[0] == 11
    assert strengths(fight([{**u, **OUT} for u in three], [s_("D")]))[0] == 1 + 1 + 2
    assert strengths(fight([three[0], {**three[2], **OUT}], [s_("D")]))[0] == 3 + 2
    assert strengths(fight([g_("A", "5-1-6 2-1-6", steps=1)], [s_("D")]))[0] == 2


@pytest.mark.rule("don42", "12.4.1.b1")
@pytest.mark.rule("don42", "12.4.1.b2")
@pytest.mark.rule("don42", "12.4.1.b3")
@pytest.mark.rule("don42", "4.2.a")
@pytest.mark.rule("don42", "4.2.b")
@pytest.mark.rule("don42", "4.2.2.d")
@pytest.mark.rule("don42", "12.3.a")
@pytest.mark.parametrize(
    ("attackers", "rule"),
    [
        ([g_("A", status=["DRG"])], "12.4.1"),
        ([s_("A", status=["DPT"])], "12.4.1"),
        ([g_("A", status=["RTD"])], "12.4.1"),
        ([s_("A", supply="general")], "4.2"),
        ([s_("A", supply="out of supply")], "4.2"),
        ([s_("A", active=False)], "5.0.7"),
        ([g_("A", at="2,0")], "12.3"),
        ([g_("A"), g_("B", at="0,2")], "12.3"),
        ([g_("A", status=["attacked"])], "12.0"),
        ([g_("A", "0-2-6")], "12.3"),  # strength 0 never attacks alone
        ([g_("A", "1-2-6", **OUT)], "12.3"),
    ],
)
def test_who_may_not_attack(attackers, rule):
    foe = s_("D") if attackers[0]["side"] == "german" else g_("D")
    found = fight(attackers, [foe])
    assert (found["legal"], found["refusal"]["rule"]) == (False, rule)
    assert fight([g_("A", "0-2-6"), g_("B")], [s_("D")])["legal"]


@pytest.mark.rule("don42", "12.0.g")
@pytest.mark.rule("don42", "13.3.4")
def test_a_hex_is_attacked_once_and_a_guest_adds_nothing():
    assert fight([g_("A")], [s_("D", status=["defended"])])["refusal"]["rule"] == "12.0"
    host, guest = g_("D", "1-4-6"), g_("E", "1-3-6", status=["guest", "DRG"])
    found = fight([s_("A")], [host, guest])
    assert (found["legal"], found["defence"]["total"]) == (True, 4)
    assert not fight([s_("A")], [{**host, "status": ["defended"]}, {**guest, "status": ["guest", "defended"]}])["legal"]


# --- 12.5.2 terrain --------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "12.5.2.a")
@pytest.mark.rule("don42", "12.5.2.b")
@pytest.mark.parametrize(("terrain", "shift"), [("clear", 0), ("hill", -1), ("town", -1), ("city", -2)])
def test_terrain_of_the_hex(terrain, shift):
    b = board(2, terrain={"0,0": terrain})
    expected = [shift] if shift else []
    assert shifts(fight([g_("A")], [s_("D")], on=b), "12.5.2") == expected
    assert shifts(fight([s_("A")], [g_("D")], on=b), "12.5.2") == expected
    assert shifts(fight([g_("A")], [s_("D", status=["RTD"])], on=b), "12.5.2") == []
    assert shifts(fight([g_("A")], [s_("D", status=["DPT"])], on=b), "12.5.2") == expected
    mixed = [g_("D", status=["RTD"]), g_("E")]
    assert shifts(fight([s_("A")], mixed, on=b), "12.5.2") == expected
    assert shifts(fight([s_("A")], mixed, on=b, options={"mixed_rtd": "any"}), "12.5.2") == []


@pytest.mark.rule("don42", "12.5.2.a")
def test_rivers_and_gorges_between():
    one, two = [g_("A")], [g_("A"), g_("B")]
    for side in ("minor_river", "gorge"):
        b = board(2, sides={"0,0|1,0": side})
        assert shifts(fight(one, [s_("D")], on=b), "12.5.2") == [-1]
        assert shifts(fight(two, [s_("D")], on=b), "12.5.2") == []  # B comes from 1,-1
        assert shifts(fight(two, [s_("D")], on=b, options={"hexside": "any"}), "12.5.2") == [-1]
        assert shifts(fight(one, [s_("D", status=["RTD"])], on=b), "12.5.2") == []
    hill = board(2, sides={"0,0|1,0": "gorge", "0,0|1,-1": "minor_river"}, terrain={"0,0": "hill"})
    assert sorted(shifts(fight(two, [s_("D")], on=hill), "12.5.2")) == [-1, -1]  # the hill, and all come across
    bridge = board(2, sides={"0,0|1,0": "minor_river"}, roads=[("minor_road", "0,0 1,0")])
    assert shifts(fight(one, [s_("D")], on=bridge), "12.5.2") == [-1]
    assert shifts(fight(one, [s_("D")], on=bridge, options={"bridged": "no_shift"}), "12.5.2") == []
    down = {"options": {"bridged": "no_shift"}, "destroyed_bridges": ["0,0|1,0"]}
    assert shifts(fight(one, [s_("D")], on=bridge, **down), "12.5.2") == [-1]


@pytest.mark.rule("don42", "12.5.3.a")
@pytest.mark.rule("don42", "12.5.3.b")
@pytest.mark.rule("don42", "8.0.d")
@pytest.mark.rule("don42", "8.0.e")
@pytest.mark.rule("don42", "12.5.6")
def test_positions_and_disrupted_defenders():
    town = board(2, terrain={"0,0": "town"})
    for word, shift in (("hasty", -1), ("prepared", -2)):
        found = fight([s_("A")], [g_("D")], on=town, positions={"0,0": word})
        assert (shifts(found, "12.5.3"), shifts(found, "12.5.2")) == ([shift], [-1])
        assert shifts(fight([g_("A")], [s_("D")], positions={"1,0": word}), "12.5.3") == []
        broken = fight([s_("A")], [g_("D", status=["DPT"])], positions={"0,0": word})
        assert (shifts(broken, "12.5.3"), shifts(broken, "12.5.6")) == ([shift], [1])
    both = fight([s_("A")], [g_("D", status=["DPT"]), g_("E", status=["DPT"])])
    assert shifts(both, "12.5.6") == [1]
    assert shifts(fight([s_("A")], [g_("D", status=["DRG"])]), "12.5.6") == []
    assert shifts(fight([s_("A")], [g_("D"), g_("E", status=["DPT"])]), "12.5.6") == [1]


# --- 3.3 quality -----------------------------------------------------------------------------------------------------


def quality(german: str, soviet: str, attacker: str = "german", **fields: Any) -> int:
    """The shift for units of these ratings: one letter for each unit."""
    ours = [g_(f"G{i}", "3-3-6", quality=q) for i, q in enumerate(german)]
    theirs = [s_(f"S{i}", "3-3-6", quality=q) for i, q in enumerate(soviet)]
    found = fight(ours, theirs, **fields) if attacker == "german" else fight(theirs, ours, **fields)
    return sum(shifts(found, "3.3.1"))


@pytest.mark.rule("don42", "3.3.1.a")
@pytest.mark.rule("don42", "3.3.1.b")
@pytest.mark.rule("don42", "3.3.1.c")
@pytest.mark.rule("don42", "3.3.1.d")
@pytest.mark.rule("don42", "12.5.5")
def test_quality_of_one_and_of_many():
    table = {"AA": 0, "AB": 1, "AC": 2, "BA": -1, "BB": 0, "BC": 1, "CA": -2, "CB": -1, "CC": 0}
    for (ours, theirs), shift in table.items():
        assert quality(ours, theirs) == shift
        assert quality(theirs, ours, "soviet") == shift
    assert quality("AB", "B") == 1  # tied: A for Germans
    assert quality("ABC", "B") == 1
    assert quality("ABB", "B") == 0
    assert quality("AABB", "C") == 2
    assert quality("BC", "C") == 1
    assert quality("A", "BC", "soviet") == -2  # tied: C for Soviets
    assert quality("A", "ABC", "soviet") == -2
    assert quality("A", "BBC", "soviet") == -1
    assert quality("AB", "C", "soviet") == -2
    assert quality("CCA", "C", "soviet") == 0


@pytest.mark.rule("don42", "3.3.b")
@pytest.mark.rule("don42", "3.3.1.c")
def test_quality_counts_heads_not_strength_and_not_markers():
    tank, guards = g_("A", "9-1-6", quality="A"), [g_("B", "1-1-6"), g_("C", "1-1-6")]
    assert shifts(fight([tank, *guards], [s_("D")]), "3.3.1") == []
    weak = g_("A", "0-1-6", quality="A")
    assert shifts(fight([weak, g_("B")], [s_("D")]), "3.3.1") == [1]
    assert shifts(fight([weak, g_("B")], [s_("D")], options={"zero_quality": "ignored"}), "3.3.1") == []
    for status in ("DRG", "DPT", "RTD"):
        assert shifts(fight([g_("A")], [s_("D", quality="A", status=[status])]), "3.3.1") == [-1]


@pytest.mark.rule("don42", "3.3.1.c")
@pytest.mark.rule("don42", "12.3.1.a")
@pytest.mark.rule("don42", "12.3.1.c")
def test_guns_whose_strength_counts_count_for_quality():
    def gun(id: str, at: str, q: str, make: Any) -> dict[str, Any]:
        return make(id, "2-1-6", at, type="artillery", quality=q)

    a, c = gun("K", "3,0", "A", g_), [gun("L", "3,0", "C", s_), gun("M", "0,3", "C", s_)]
    assert shifts(fight([g_("G")], [s_("D")], guns=[a]), "3.3.1") == [1]  # B and A: tied, the highest
    assert shifts(fight([s_("S")], [g_("D")], guns=c), "3.3.1") == [-1]  # B, C and C
    assert shifts(fight([s_("S")], [g_("D")], guns=c[:1]), "3.3.1") == [-1]  # tied, the lowest
    assert shifts(fight([s_("S")], [g_("D")], defence_guns=[a]), "3.3.1") == [-1]  # B and A defend


# --- 3.4 Combined Arms -----------------------------------------------------------------------------------------------

PZ = {"type": "pz4", "motorized": True}
T34 = {"type": "t34", "motorized": True}


def arms(attackers: list[dict[str, Any]], defenders: list[dict[str, Any]], **fields: Any) -> list[int]:
    return shifts(fight(attackers, defenders, **fields), "12.5.4")


@pytest.mark.rule("don42", "3.4.a")
@pytest.mark.rule("don42", "3.4.b")
@pytest.mark.rule("don42", "3.4.h")
@pytest.mark.rule("don42", "12.5.4.a")
def test_attacking_with_tanks_and_infantry():
    tank, foot = g_("A", **PZ), g_("B", division="3Mot")
    assert arms([tank, foot], [s_("D")]) == [1]
    assert arms([tank], [s_("D")]) == []
    assert arms([foot], [s_("D")]) == []
    assert arms([tank, foot], [s_("D", type="trucked_infantry")]) == [1]
    assert arms([tank, foot], [s_("D", "0-1-8", type="hq")]) == [1]
    assert arms([tank, foot], [s_("D", type="mortar")]) == []
    assert arms([tank, foot], [s_("D", type="artillery")]) == []
    assert arms([{**tank, **OUT}, foot], [s_("D")]) == []
    assert arms([tank, foot, g_("C", **OUT)], [s_("D")]) == []
    assert arms([tank, foot, g_("C", **OUT)], [s_("D")], options={"ca_supply": "pair"}) == [1]
    assert arms([g_("A", type="pzjg"), foot], [s_("D")]) == [1]
    assert arms([g_("A", type="recon"), foot], [s_("D")]) == [1]
    assert arms([g_("A", type="recon"), foot], [s_("D")], options={"recon_armor": "other"}) == []
    assert arms([tank, g_("B", type="machine_gun")], [s_("D")]) == [1]
    assert arms([tank, g_("B", type="engineer")], [s_("D")]) == [1]
    gun = g_("K", "2-1-6", "3,0", type="artillery")
    assert arms([tank], [s_("D")], guns=[gun]) == []
    assert arms([tank], [s_("D")], guns=[gun], options={"ca_support": "non_armor"}) == [1]
    for word in ("city", "town", "hill"):
        assert arms([tank, foot], [s_("D")], on=board(2, terrain={"0,0": word})) == [1]
    assert arms([tank, foot], [s_("D")], on=board(2, sides={"0,0|1,0": "minor_river"})) == [1]


@pytest.mark.rule("don42", "3.4.c")
@pytest.mark.rule("don42", "3.4.d")
@pytest.mark.rule("don42", "3.4.f")
@pytest.mark.rule("don42", "12.5.4.b")
def test_defending_with_tanks_or_anti_tank_guns():
    foe = [g_("A")]
    for kind in ("t34", "t70", "anti_tank", "mech_anti_tank"):
        assert arms(foe, [s_("D", type=kind)]) == [-1]
        assert arms(foe, [s_("D", type=kind, **OUT)]) == [-1]
        for status in ("DRG", "DPT", "RTD"):
            assert arms(foe, [s_("D", type=kind, status=[status])]) == []
    assert arms(foe, [s_("D")]) == []
    red = [s_("A")]
    assert arms(red, [g_("D", type="pzjg")]) == [-1]
    assert arms(red, [g_("D", type="recon")]) == []
    assert arms(red, [g_("D"), g_("E", type="anti_tank")]) == [-1]
    assert arms(red, [g_("D", type="pz3"), g_("E", type="pz3")]) == [-1]
    assert arms(red, [g_("D", type="machine_gun")]) == []


@pytest.mark.rule("don42", "3.4.g")
@pytest.mark.rule("don42", "3.4.b")
def test_soviet_attackers_come_from_one_army_or_tank_corps():
    tank, foot = s_("A", **T34), s_("B")
    assert arms([tank, foot], [g_("D")]) == [1]
    assert arms([tank, s_("B", army="4TkA")], [g_("D")]) == []
    assert arms([s_("A", army="", corps="2TkC", **T34), foot], [g_("D")]) == []
    own = s_("B", army="", corps="2TkC", type="trucked_infantry")
    assert arms([s_("A", army="", corps="2TkC", **T34), own], [g_("D")]) == [1]
    assert arms([tank, foot, s_("C", army="4TkA")], [g_("D")]) == []
    gun = s_("K", "5-1-5", "3,0", type="artillery", army="4TkA")
    assert arms([tank, foot], [g_("D")], guns=[gun]) == []
    assert arms([tank, foot], [g_("D")], guns=[gun], options={"ca_army": "guns_ignored"}) == [1]
    company = g_("D", "0-2-6", type="machine_gun")
    assert arms([tank, foot], [company]) == [1]
    assert arms([tank, foot], [company], options={"mg_infantry": "other"}) == []
    assert arms([tank, foot], [g_("D"), g_("E", type="anti_tank")]) == [-1]
    assert arms([tank, foot], [g_("D"), g_("E", type="anti_tank", status=["DRG"])]) == []  # still not infantry alone


# --- 12.3.1, 7.5 support ---------------------------------------------------------------------------------------------


def support(gun: dict[str, Any], **fields: Any) -> int | str:
    """The strength of the attack with this gun, or the rule that silences it."""
    foot, foe = (g_("A", "1-1-6"), s_("D")) if gun["side"] == "german" else (s_("A", "1-1-6"), g_("D"))
    found = fight([foot], [foe], guns=[gun], **fields)
    return strengths(found)[0] - 1 if found["legal"] else str(found["refusal"]["rule"])


@pytest.mark.rule("don42", "12.3.1.a")
@pytest.mark.rule("don42", "12.3.1.b")
@pytest.mark.rule("don42", "5.0.6.g")
def test_which_guns_support_an_attack():
    gun, mortar = {"type": "artillery"}, {"type": "mortar"}
    assert support(s_("K", "5-1-5", "6,0", **gun)) == 5
    assert support(s_("K", "5-1-5", "7,0", **gun)) == "12.3.1"
    assert support(s_("K", "3-1-5", "2,0", **mortar)) == 3
    assert support(s_("K", "3-1-5", "3,0", **mortar)) == "12.3.1"
    assert support(g_("K", "4-1-6", "6,0", **gun)) == 4
    assert support(g_("K", "4-1-6", "7,0", **gun)) == "12.3.1"
    assert support(g_("K", "4-1-6", "3,0", **gun, **OUT)) == "12.3.1"
    assert support(s_("K", "5-1-5", "3,0", **gun, **OUT)) == "12.3.1"
    assert support(s_("K", "5-1-5", "3,0", **gun, supply="general")) == 5
    assert support(s_("K", "5-1-5", "3,0", **gun, active=False)) == "12.3.1"
    assert support(s_("K", "5-1-5", "3,0", **gun, status=["fired"])) == "12.3.1"
    assert support(s_("K", "5-1-5", "3,0")) == "12.3.1"  # no gun
    for status in ("DRG", "DPT", "RTD"):
        assert support(s_("K", "5-1-5", "3,0", **gun, status=[status])) == "12.4.1"
        assert support(g_("K", "5-1-5", "3,0", **gun, status=[status]), options={"gun_status": "fires"}) == 5


@pytest.mark.rule("don42", "12.3.1.a")
@pytest.mark.rule("don42", "11.0.a")
def test_soviet_guns_within_twelve_points_of_their_hq():
    for at, answer in ((15, 5), (16, "12.3.1")):  # the gun at 3,0
        b = row(20)
        units = [s_("A", "1-1-6", "1,0"), g_("D", at="0,0"), s_("K", "5-1-5", "3,0", type="artillery")]
        g = pos(*units, s_("HQ62A", "0-1-8", f"{at},0", type="hq"), on=b, turn="Aug 25 AM")
        found = ask(g, "attack", hex="0,0", units=["A"], guns=["K"])
        assert (found["attack"]["total"] - 1 if found["legal"] else found["refusal"]["rule"]) == answer
        shell = ask(g, "bombardment", hex="0,0", units=["K"])
        assert shell["legal"] is (answer == 5)


@pytest.mark.rule("don42", "12.3.1.c")
def test_german_guns_in_defence():
    gun = g_("K", "4-2-6", "3,0", type="artillery")
    assert strengths(fight([s_("A")], [g_("D", "1-5-6")], defence_guns=[gun]))[1] == 7
    attack = {"options": {"defence_gun": "attack"}}
    assert strengths(fight([s_("A")], [g_("D", "1-5-6")], defence_guns=[gun], **attack))[1] == 9
    far = fight([s_("A")], [g_("D")], defence_guns=[{**gun, "at": "7,0"}])
    assert far["refusal"]["rule"] == "12.3.1"
    hungry = fight([s_("A")], [g_("D")], defence_guns=[{**gun, **OUT}])
    assert hungry["refusal"]["rule"] == "12.3.1"
    red = s_("K", "5-2-6", "3,0", type="artillery")
    assert fight([g_("A")], [s_("D")], defence_guns=[red])["refusal"]["rule"] == "12.3.1"
    assert not fight([s_("A")], [g_("D")], guns=[gun])["legal"]  # a gun of the other side
    g = pos(s_("A", at="1,0"), g_("D", at="0,0"), {**gun, "at": "0,0"}, on=board(2))
    inside = ask(g, "attack", hex="0,0", units=["A"], defence_guns=["K"])
    assert inside["refusal"]["rule"] == "12.2"  # it defends there anyway


@pytest.mark.rule("don42", "7.5.a")
@pytest.mark.rule("don42", "7.5.b")
@pytest.mark.rule("don42", "12.3.2")
@pytest.mark.rule("don42", "6.1.d")
@pytest.mark.rule("don42", "6.2.d")
def test_ground_support():
    stuka, heinkel, ju88 = ({"id": i, "at": ""} for i in ("Ju87-1", "He111-1", "Ju88-1"))
    assert shifts(fight([g_("A")], [s_("D")], planes=[stuka]), "7.5") == [1]
    assert shifts(fight([g_("A")], [s_("D")], planes=[stuka, heinkel]), "7.5") == [2]
    assert fight([g_("A")], [s_("D")], planes=[stuka, heinkel, ju88])["refusal"]["rule"] == "7.5"
    transport = {"id": "T", "at": "", "side": "german", "type": "transport", "sp": 8}
    assert fight([g_("A")], [s_("D")], planes=[transport])["refusal"]["rule"] == "7.5"
    assert fight([s_("A")], [g_("D")], planes=[stuka])["refusal"]["rule"] == "7.5"
    for weather, rule in (("rain", "6.1"), ("mud", "6.2")):
        assert fight([g_("A")], [s_("D")], planes=[stuka], weather=weather)["refusal"]["rule"] == rule
    soviet = {"air": {"side": "soviet"}}
    assert fight([g_("A")], [s_("D")], planes=[stuka], **soviet)["refusal"]["rule"] == "7.1"
    flown = {**stuka, "status": ["flown"]}
    assert not fight([g_("A")], [s_("D")], planes=[flown], air={"side": "german"})["legal"]


LATE = {"turn": "Aug 25 AM"}


def rule_of(found: dict[str, Any]) -> str:
    return str(found["refusal"]["rule"])


@pytest.mark.rule("don42", "12.0.f", "3.1.5.c")
def test_after_the_only_attack_nobody_is_left_who_may():
    g = pos(ger("A", "2,0", "4-4-6", quality="C"), sov("X", "3,0", "4-4-5"), on=row(6), phase="german_combat", **LATE)
    fought = {"after": ["attack 3,0", "with A", "assault"], "dice": [3]}
    found = ask(g, "legal", **fought)
    assert ("die 3: NE, " in found["told"][-1]["what"], found["actions"]) == (True, [])
    assert rule_of(ask(g, "legal", action="attack 3,0", **fought)) == "12.0"
    passed = ask(g, "legal", after=["pass"], action="attack 3,0")
    assert rule_of(passed) == "5.0"


@pytest.mark.rule("don42", "12.2")
def test_a_gun_in_the_defended_hex_is_counted_once():
    gun = ger("Gun", "2,0", "3-2-6", type="artillery")
    g = pos(ger("A", "2,0", "4-4-6"), gun, sov("X", "3,0"), on=row(6), **LATE)
    found = ask(g, "attack", hex="2,0", units=["X"], defence_guns=["Gun"])
    assert (rule_of(found), found["defence"]["total"]) == ("12.2", 6)


@pytest.mark.rule("don42", "12.0.g")
def test_a_unit_that_defended_shields_its_hex_from_a_second_attack():
    def legal(*status: str, joined: tuple[str, ...] = ()) -> bool:
        units = [ger("A", "2,0", status=list(status)), ger("B", "2,0", status=list(joined))]
        g = pos(*units, sov("X", "3,0"), on=row(6), **LATE)
        return bool(ask(g, "attack", hex="2,0", units=["X"])["legal"])

    assert legal()
    assert not legal("defended"), "B was displaced into a hex whose defender has been attacked"
    assert not legal("defended", joined=("defended",))
    assert legal("defended", "guest"), "A retreated onto B, which may still be attacked (13.3.4)"
    assert not legal("defended", "guest", joined=("defended", "guest"))
