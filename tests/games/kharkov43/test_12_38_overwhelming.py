"""12.38, 12.39 Overwhelming and weak attacks."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.board import (
    AUXILIARY,
    DRAW,
    Board,
)
from kessel.games.kharkov43.combat.chits import why_it_is_weak, why_it_overwhelms
from kessel.games.kharkov43.combat.combat_common import german_targets
from tests.games.kharkov43.combat_helpers import (
    battle,
    field,
    full_cup,
    german_attack,
    log,
    scene,
    soviet_attack,
    where,
)
from tests.games.kharkov43.helpers import german, panzer, position, soviet, unit
from tests.games.kharkov43.soviet_helpers import arena

RULE = "kharkov43"


# --- 12.38, 12.39 ----------------------------------------------------------------------------------------------------


def ratio_scene(attack: int, defence: int, *, status: tuple[str, ...] = (), at: str = "1910", **more: object) -> Board:
    return scene(
        [
            soviet("a.6", "1810", faces=f"{attack}-4-01"),
            german("d.XL", at, faces=f"{defence}-4", status=list(status)),
        ],
        **more,
    )


@pytest.mark.rule(RULE, "12.38a")
@pytest.mark.parametrize(("attack", "defence", "is_one"), [(16, 2, True), (15, 2, False), (8, 1, True), (23, 3, False)])
def test_eight_to_one_is_overwhelming_by_the_true_ratio(attack: int, defence: int, is_one: bool):
    g = ratio_scene(attack, defence)
    assert (why_it_overwhelms(g, battle(g, "a.6", "1910")) is not None) is is_one


@pytest.mark.rule(RULE, "12.38b")
@pytest.mark.parametrize(("attack", "chits", "is_one"), [(12, 7, True), (11, 7, False), (12, 6, False)])
def test_six_to_one_is_overwhelming_in_a_large_attack(attack: int, chits: int, is_one: bool):
    g = ratio_scene(attack, 2)
    tactics = ("artillery", "airpower", "intelligence", "partisans", "nkvd", "tank_brigade")[: chits - 1]
    b = battle(g, "a.6", "1910", idle=tactics)
    assert (why_it_overwhelms(g, b) is not None) is is_one


@pytest.mark.rule(RULE, "12.38c")
@pytest.mark.parametrize(
    ("attack", "status", "is_one"),
    [(10, "out_of_supply", True), (10, "dispersed", True), (9, "dispersed", False), (10, "", False)],
)
def test_five_to_one_is_overwhelming_against_unsupplied_or_dispersed_units(attack: int, status: str, is_one: bool):
    g = ratio_scene(attack, 2, status=(status,) if status else ())
    assert (why_it_overwhelms(g, battle(g, "a.6", "1910")) is not None) is is_one


@pytest.mark.rule(RULE, "12.38d")
def test_isolated_defenders_are_overwhelmed_at_any_ratio_outside_a_vp_hex():
    g = ratio_scene(1, 9, status=("isolated",))
    assert why_it_overwhelms(g, battle(g, "a.6", "1910")) is not None
    town = ratio_scene(1, 9, status=("isolated",), board=field(terrain={"1910": "town"}, vp={"1910": 1}))
    assert why_it_overwhelms(town, battle(town, "a.6", "1910")) is None


@pytest.mark.rule(RULE, "12.38e")
def test_the_ratio_of_an_overwhelming_attack_counts_marsh_and_dniepr():
    river = ratio_scene(16, 2, board=field(bare=True, rivers={"1810|1910": "dniepr"}))
    assert why_it_overwhelms(river, battle(river, "a.6", "1910")) is None
    marsh = scene(
        [soviet("a.6", "1810", faces="8-4-01"), panzer("d.XL", "1910", faces="2-6")],
        board=field(terrain={"1910": "marsh"}),
    )
    assert why_it_overwhelms(marsh, battle(marsh, "a.6", "1910")) is not None


@pytest.mark.rule(RULE, "12.38f")
def test_an_overwhelming_attack_draws_no_card_and_leaves_the_auxiliary_alone():
    g = ratio_scene(16, 2, cards={"draw": "E06 E09", "auxiliary": "E01"})
    full_cup(g)
    c = soviet_attack(g, "a.6", "1910", "E11")
    assert (where(g, "E06"), where(g, "E09"), where(g, "E01")) == (DRAW, DRAW, AUXILIARY)
    assert c.tactics == ()
    assert "8:1 or better" in log(g)


@pytest.mark.rule(RULE, "12.38g")
def test_a_drawn_card_that_makes_the_attack_overwhelming_keeps_the_auxiliary_out():
    g = ratio_scene(14, 2, cards={"draw": "E16", "auxiliary": "E01"})
    full_cup(g)
    c = soviet_attack(g, "a.6", "1910", "E11")
    assert c.tactics == ("tank_brigade",)
    assert where(g, "E01") == AUXILIARY
    less = ratio_scene(12, 2, cards={"draw": "E16", "auxiliary": "E01"})
    full_cup(less)
    c = soviet_attack(less, "a.6", "1910", "E11")
    assert c.tactics == ("tank_brigade", "artillery")


@pytest.mark.rule(RULE, "12.39a")
def test_a_weak_german_attack_meets_no_soviet_card():
    many = [german(f"{i}.XL", "1810", faces="3-4 2-4") for i in range(3)]
    g = scene([*many, soviet("d.6", "1910", faces="1-4-05")], cards={"draw": "E01 E06"})
    full_cup(g)
    assert why_it_is_weak(g, battle(g, "0.XL 1.XL", "1910")).rule == "12.39"
    assert why_it_is_weak(g, battle(g, "0.XL 1.XL 2.XL", "1910")) is None
    german_attack(g, "0.XL 1.XL", "1910")
    assert (where(g, "E01"), where(g, "E06")) == (DRAW, DRAW)
    strong = scene([*many, soviet("d.6", "1910", faces="1-4-05")], cards={"draw": "E06"})
    full_cup(strong)
    german_attack(strong, "0.XL 1.XL 2.XL", "1910")
    assert where(strong, "E06") != DRAW


@pytest.mark.rule(RULE, "12.39a")
def test_weakness_is_judged_by_the_maximum_before_the_mandatory_minimum():
    g = scene([german("a.XL", "1810"), soviet("d.6", "1910", faces="5-4-05 4-4-06 3-4-07")], cards={"draw": "E01 E06"})
    assert why_it_is_weak(g, battle(g, "a.XL", "1910")) is not None


OPEN = {"roads_on": ()}


CORNER = arena((15, 16), range(6, 12), **OPEN)


@pytest.mark.rule(RULE, "12.1a")
def test_only_hexes_beside_active_units_can_be_attacked_the_first_hex_included():
    units = [german("A", "1508", status=["active"]), soviet("S", "1506"), soviet("T", "1509")]
    g = position(board=CORNER, turn=3, units=units)
    assert g.place[unit(g, "S")] == 0
    assert [g.hex_name(h) for h in german_targets(g)] == ["1509"]
    near = position(board=CORNER, turn=3, units=[german("A", "1507", status=["active"]), *units[1:]])
    assert german_targets(near) == [0]
