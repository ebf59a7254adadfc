"""12.0 Combat."""

from __future__ import annotations

import pytest

from kessel.core.board import NOWHERE
from kessel.core.procedure import outcomes
from kessel.games.don42.board import ATTACK, DEFENDED, FIRED, G_COMBAT, OOS
from kessel.games.don42.combat.combat import CombatPhase, supporters, targets, why_not_attack, why_not_support
from kessel.games.don42.combat.odds import odds_of, work_out
from kessel.games.don42.combat.results import MEANINGS
from kessel.games.don42.data.charts import DRE, RESULTS
from kessel.games.don42.notation import NOTATION
from kessel.games.don42.title import TITLE

from .helpers import PACK, ask, at, board, do, ger, h, homeland, hq62, pos, refusal, sov, start, texts, u, word

GUN = {"type": "artillery"}


def items(found, key="shifts"):
    return {i["what"]: i["value"] for i in found[key]["items"]}


def odds(g, hex_, *units, **more):
    return ask(g, "attack", hex=hex_, units=list(units), **more)


def even(attack, defence, **fields):
    """One C-rated unit against another, in the open."""
    return pos(ger("A", "0,0", f"{attack}-4-10", quality="C"), sov("X", "1,0", f"3-{defence}-5"), phase="german_combat",
               **fields)  # fmt: skip


@pytest.mark.rule("don42", "12.0.a", "12.3.a")
def test_combat_is_voluntary_between_adjacent_enemies():
    g = pos(ger("A", "0,0"), ger("B", "-2,0"), sov("X", "1,0"), phase="german_combat")
    assert "pass" in texts(g)
    do(g, "attack 1,0")
    assert texts(g) == ["with A"]
    assert refusal(g, "with B").rule == "12.3"
    far = pos(ger("A", "-1,0"), sov("X", "1,0"), phase="german_combat")
    assert not far.stack


@pytest.mark.rule("don42", "12.0.b", "12.0.c")
def test_attacks_are_made_one_at_a_time_in_any_order_without_declaration():
    units = [ger("A", "0,0"), ger("B", "0,3"), sov("X", "1,0", "3-9-5"), sov("Y", "1,3", "3-9-5")]
    for first, second in (("1,0", "1,3"), ("1,3", "1,0")):
        g = pos(*units, phase="german_combat")
        assert {f"attack {first}", f"attack {second}"} <= set(texts(g))
        do(g, f"attack {first}")
        assert not any(t.startswith("attack") for t in texts(g)), "the first one is finished first"
        do(g, texts(g)[0], "assault", dice=[4])
        assert f"attack {second}" in texts(g)


@pytest.mark.rule("don42", "12.0.d", "12.5")
def test_all_shifts_start_from_column_0_and_add_up():
    on = board(terrain={"1,0": "hill"}, sides={"0,0|1,0": "minor_river"})
    g = pos(sov("X", "0,0", "9-4-5"), ger("A", "1,0", "4-3-10", quality="B", status=["DPT"]), on=on,
            positions={"1,0": "hasty"}, phase="soviet_combat")  # fmt: skip
    found = odds(g, "1,0", "X")
    values = [v for v in items(found).values() if v != ""]
    assert sorted(values) == [-1, -1, -1, -1, 1, 7]
    assert found["shifts"]["total"] == 4
    assert found["column"] == 4


@pytest.mark.rule("don42", "12.0.e", "12.6")
def test_one_die_on_the_final_column_is_applied_at_once():
    results = odds(even(3, 4), "1,0", "A")["results"]
    for die in range(1, 7):
        g = even(3, 4)
        do(g, "attack 1,0", "with A", "assault", dice=[die])
        assert g.dice.count == 1
        if results[str(die)] == "ADPT":
            assert word(g, "A") == "DPT"
        if results[str(die)] == "ADRG":
            assert word(g, "A") == "DRG"


@pytest.mark.rule("don42", "12.0.g")
def test_a_unit_is_attacked_once_in_a_phase():
    units = [ger("A", "0,0"), ger("B", "0,1"), ger("C", "-3,0"), sov("X", "1,0", "3-9-5"), sov("Y", "-4,0")]
    g = pos(*units, phase="german_combat")
    do(g, "attack 1,0", "with A", "assault", dice=[4])
    assert g.status[u(g, "X")] & DEFENDED
    assert "attack -4,0" in texts(g)
    assert "attack 1,0" not in texts(g)
    assert refusal(g, "attack 1,0").rule == "12.0"


@pytest.mark.rule("don42", "12.1.b")
def test_units_out_of_supply_are_marked():
    g = pos(ger("A", "0,0"), sov("X", "1,0"))
    start(g, CombatPhase(0, G_COMBAT))
    view = TITLE.view(g, 0)
    assert "OOS" in next(p for p in view.pieces if p.id == "A").status
    assert g.supply[u(g, "A")] == OOS


@pytest.mark.rule("don42", "12.3.b")
def test_several_hexes_may_attack_one():
    g = pos(ger("A", "0,0"), ger("B", "0,1"), ger("C", "1,-1"), sov("X", "1,0"), phase="german_combat")
    assert odds(g, "1,0", "A", "B", "C")["attack"]["total"] == 12


@pytest.mark.rule("don42", "12.3.c")
def test_a_unit_never_splits_its_strength():
    g = pos(ger("A", "0,0", "9-4-10"), sov("X", "1,0"), sov("Y", "0,1"), phase="german_combat")
    assert odds(g, "1,0", "A")["attack"]["total"] == 9
    do(g, "attack 1,0", "with A", "assault", dice=[1])
    assert targets(g, 0) == []


def test_strength_0_cannot_attack_alone():
    mg = ger("M", "0,0", "0-2-6", type="machine_gun", size="company", motorized=False)
    g = pos(mg, sov("X", "1,0"), phase="german_combat")
    assert not g.stack
    both = pos(mg, ger("A", "0,0"), sov("X", "1,0"), phase="german_combat")
    do(both, "attack 1,0", "with M")
    assert refusal(both, "assault").rule == "12.3"
    do(both, "with A")
    assert "assault" in texts(both)


# --- 12.3.1 artillery support --------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "12.3.1.a")
def test_soviet_guns_support_if_activated_supplied_and_within_twelve_mps_of_their_hq():
    units = [hq62("0,-3"), sov("X", "0,2"), ger("A", "0,3")]
    gun = sov("G", "0,-1", "5-1-5", **GUN)
    g = pos(*units, gun, on=homeland(), phase="soviet_combat")
    found = odds(g, "0,3", "X", guns=["G"])
    assert found["legal"]
    assert items(found, "attack")["G in support"] == 5
    hungry = pos(*units, sov("G", "0,-1", "5-1-5", supply="out of supply", **GUN), on=homeland(), phase="soviet_combat")
    assert odds(hungry, "0,3", "X", guns=["G"])["refusal"]["rule"] == "12.3.1"
    idle = pos(*units, sov("G", "0,-1", "5-1-5", active=False, **GUN), on=homeland(), phase="soviet_combat")
    assert odds(idle, "0,3", "X", guns=["G"])["refusal"]["rule"] == "12.3.1"
    big = pos(hq62("0,-8"), sov("X", "0,7"), sov("G", "0,6", "5-1-5", **GUN), ger("A", "0,8"), on=homeland(9),
              phase="soviet_combat")  # fmt: skip
    assert "12 MPs" in why_not_support(big, u(big, "G"), h(big, "0,8"), attacking=True).reason
    mortar = pos(*units, sov("G", "0,0", "3-1-5", type="mortar"), on=homeland(), phase="soviet_combat")
    assert "reaches 2" in why_not_support(mortar, u(mortar, "G"), h(mortar, "0,3"), attacking=True).reason


@pytest.mark.rule("don42", "12.3.1.b")
def test_german_guns_need_only_a_line_of_supply():
    gun = ger("G", "-4,0", "5-2-10", **GUN)
    g = pos(ger("A", "0,0"), gun, sov("X", "1,0"), phase="german_combat")
    do(g, "attack 1,0", "with A", "assault")
    assert texts(g) == ["pass", "gun G"]
    hungry = pos(ger("A", "0,0"), {**gun, "supply": "out of supply"}, sov("X", "1,0"), phase="german_combat")
    assert why_not_support(hungry, u(hungry, "G"), h(hungry, "1,0"), attacking=True).rule == "12.3.1"
    assert (
        "reaches 6"
        in why_not_support(pos(ger("G", "-6,0", **GUN), sov("X", "1,0")), 0, h(g, "1,0"), attacking=True).reason
    )


@pytest.mark.rule("don42", "12.3.1.c")
def test_german_guns_support_in_attack_and_in_defence():
    gun = ger("G", "3,0", "5-2-10", **GUN)
    g = pos(hq62("0,-3"), sov("X", "0,0"), ger("A", "1,0"), gun, on=homeland(), phase="soviet_combat")
    do(g, "attack 1,0", "with X", "assault")
    assert texts(g) == ["pass", "gun G"], "the Germans are asked"
    found = odds(g, "1,0", "X", defence_guns=["G"])
    assert items(found, "defence")["G in support"] == 2
    other = pos(sov("X", "0,0"), ger("A", "1,0"), gun, options={"defence_gun": "attack"}, phase="soviet_combat")
    assert items(odds(other, "1,0", "X", defence_guns=["G"]), "defence")["G in support"] == 5
    do(g, "gun G", dice=[4])
    assert g.status[u(g, "G")] & FIRED
    assert supporters(g, 0, h(g, "1,0"), (), attacking=False) == []


# --- 12.4 odds -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "12.4.a", "12.4.b", "12.4.ex1")
@pytest.mark.example("don42", "D-E03")
def test_example_seven_against_three_is_two_to_one():
    assert odds_of(7, 3) == ("2:1", "2:1", 0)
    found = odds(even(7, 3), "1,0", "A")
    assert (found["ratio"], found["table"], found["column"]) == ("2:1", "2:1", 0)


@pytest.mark.rule("don42", "12.4.a", "12.4.b", "12.4.ex2", "12.5.1.b")
@pytest.mark.example("don42", "D-E04")
def test_example_three_against_seven_is_one_to_three():
    found = odds(even(3, 7), "1,0", "A")
    assert (found["ratio"], found["table"], found["column"]) == ("1:3", "1:2", -1)


@pytest.mark.rule("don42", "12.5.1.a", "12.5.1.b")
@pytest.mark.example("don42", "D-E05")
@pytest.mark.parametrize(
    ("attack", "defence", "table", "column"),
    [(9, 3, "2:1", 1), (8, 2, "2:1", 2), (2, 6, "1:2", -1), (2, 8, "1:2", -2), (5, 4, "1:1", 0), (4, 5, "1:2", 0)],
)
def test_example_odds_beyond_the_tables_shift_columns(attack, defence, table, column):
    found = odds(even(attack, defence), "1,0", "A")
    assert (found["table"], found["column"]) == (table, column)


@pytest.mark.rule("don42", "12.4.1.b1")
def test_drg_never_attacks_and_defends_fully():
    g = pos(ger("A", "0,0", status=["DRG"]), sov("X", "1,0", "3-5-5", status=["DRG"]), ger("B", "0,1"),
            phase="german_combat")  # fmt: skip
    assert why_not_attack(g, u(g, "A")).rule == "12.4.1"
    assert odds(g, "1,0", "B")["defence"]["total"] == 5


@pytest.mark.rule("don42", "12.4.1.b2")
def test_dpt_never_attacks_and_defends_at_half_but_at_least_1():
    g = pos(ger("A", "0,0", status=["DPT"]), sov("X", "1,0", "3-5-5", status=["DPT"]), ger("B", "0,1"),
            sov("Y", "-1,2", "1-1-5", status=["DPT"]), phase="german_combat")  # fmt: skip
    assert why_not_attack(g, u(g, "A")).rule == "12.4.1"
    assert odds(g, "1,0", "B")["defence"]["total"] == 2
    assert odds(g, "-1,2", "B")["defence"]["total"] == 1


@pytest.mark.rule("don42", "12.4.1.b3")
def test_rtd_never_attacks_and_defends_with_1():
    g = pos(ger("A", "0,0", status=["RTD"]), sov("X", "1,0", "3-9-5", status=["RTD"]), ger("B", "0,1"),
            phase="german_combat")  # fmt: skip
    assert why_not_attack(g, u(g, "A")).rule == "12.4.1"
    assert odds(g, "1,0", "B")["defence"]["total"] == 1


# --- 12.5 shifts ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "12.5.2.a")
@pytest.mark.parametrize(("terrain", "shift"), [("clear", 0), ("hill", -1), ("town", -1), ("city", -2)])
def test_the_defenders_terrain_shifts_columns(terrain, shift):
    g = even(4, 4, on=board(terrain={"1,0": terrain}))
    assert odds(g, "1,0", "A")["column"] == shift


@pytest.mark.rule("don42", "12.5.2.a")
def test_a_river_or_gorge_shifts_if_all_attackers_come_across_it():
    for side in ("minor_river", "gorge"):
        on = board(sides={"0,0|1,0": side})
        units = [ger("A", "0,0", quality="C"), ger("B", "1,-1", quality="C"), sov("X", "1,0", "3-4-5")]
        g = pos(*units, on=on, phase="german_combat")
        assert odds(g, "1,0", "A")["shifts"]["total"] == -1
        assert odds(g, "1,0", "A", "B")["shifts"]["total"] == 0
        loose = pos(*units, on=on, options={"hexside": "any"}, phase="german_combat")
        assert odds(loose, "1,0", "A", "B")["shifts"]["total"] == -1
    bridged = board(sides={"0,0|1,0": "minor_river"}, roads=[("minor_road", "0,0 1,0")])
    assert odds(even(4, 4, on=bridged), "1,0", "A")["column"] == -1
    other = even(4, 4, on=bridged, options={"bridged": "no_shift"})
    assert odds(other, "1,0", "A")["column"] == 0


@pytest.mark.rule("don42", "12.5.2.b")
def test_routed_defenders_gain_no_terrain():
    on = board(terrain={"1,0": "city"}, sides={"0,0|1,0": "minor_river"})
    g = pos(ger("A", "0,0", "1-4-10", quality="C"), sov("X", "1,0", status=["RTD"]), on=on, phase="german_combat")
    assert odds(g, "1,0", "A")["column"] == 0
    germans = [ger("B", "1,0", status=["RTD"], quality="C"), ger("C", "1,0", quality="C")]
    stack = pos(sov("X", "0,0"), *germans, on=on, phase="soviet_combat")
    assert "defender in city" in items(odds(stack, "1,0", "X"))
    harsh = pos(sov("X", "0,0"), *germans, on=on, options={"mixed_rtd": "any"}, phase="soviet_combat")
    assert "defender in city" not in items(odds(harsh, "1,0", "X"))


@pytest.mark.rule("don42", "12.5.6")
def test_a_dpt_defender_gives_the_attacker_a_column():
    g = pos(ger("A", "0,0", "2-4-10", quality="C"), sov("X", "1,0", "3-4-5", status=["DPT"]), phase="german_combat")
    assert items(odds(g, "1,0", "A"))["a defending unit is DPT"] == 1


@pytest.mark.rule("don42", "12.5")
def test_beyond_the_edge_the_edge_column_holds():
    found = odds(even(30, 2), "1,0", "A")
    assert (found["shifts"]["total"], found["column"]) == (13, 4)
    assert "beyond the edge of the table" in items(found)


def test_an_attacker_of_strength_0_counts_for_the_rating_or_not():
    mg = ger("M", "0,0", "0-2-6", type="machine_gun", size="company", quality="B")
    units = [ger("A", "0,0", quality="C"), mg, ger("N", "0,1", "0-2-6", size="company", quality="B"), sov("X", "1,0")]
    g = pos(*units, phase="german_combat")
    assert odds(g, "1,0", "A", "M", "N")["shifts"]["total"] == 1
    other = pos(*units, options={"zero_quality": "ignored"}, phase="german_combat")
    assert odds(other, "1,0", "A", "M", "N")["shifts"]["total"] == 0


@pytest.mark.rule("don42", "RX-CRT12", "RX-CRT11", "RX-CRT21")
def test_the_chances_of_an_attack_are_those_of_the_table_and_of_all_dice():
    for attack, defence, table in ((2, 4, "1-2"), (4, 4, "1-1"), (8, 4, "2-1")):
        g = even(attack, defence)
        found = odds(g, "1,0", "A")
        t = PACK.table(f"crt-{table}")
        assert list(found["results"].values()) == [t.at(d, 0) for d in range(1, 7)]
        do(g, "attack 1,0", "with A")
        branches = list(outcomes(g, NOTATION.parse(g, "assault")))
        assert sum(w for w, _, _ in branches) == 1
        assert [d for _, d, _ in branches] == [(n,) for n in range(1, 7)]


def test_the_preview_of_an_attack_is_the_same_computation():
    g = pos(ger("A", "0,0"), ger("B", "0,1"), sov("X", "1,0"), phase="german_combat")
    do(g, "attack 1,0", "with A")
    shown = TITLE.preview(g, NOTATION.parse(g, "with B"))
    meaning = shown.pop("meaning")
    assert shown == work_out(g, 0, [u(g, "A"), u(g, "B")], h(g, "1,0")).as_json()
    assert [m["what"].split(":")[0] for m in meaning] == list(shown["chances"])
    dice = [m["value"].removeprefix("die ").split(", ") for m in meaning]
    assert {die: m["what"].split(":")[0] for m, faces in zip(meaning, dice, strict=True) for die in faces} == (
        shown["results"]
    )
    assert ATTACK == 2
    assert at(g, "A") == "0,0"


def test_every_result_of_the_table_is_put_into_words():
    assert set(MEANINGS) == set(RESULTS)
    assert MEANINGS["BRE"] == ("the defenders, then the attackers retreat 1 hex or lose a step", "13.4")
    assert [MEANINGS[code][0].split()[3] for code in DRE] == ["1", "2", "3"]


@pytest.mark.rule("don42", "12.3.a")
def test_only_units_on_the_map_attack():
    g = pos(ger("A", "0,0"), sov("X", "1,0"))
    assert why_not_attack(g, u(g, "A")) is None
    g.move(u(g, "A"), NOWHERE)
    assert why_not_attack(g, u(g, "A")) == ("12.3", "A is not on the map")
