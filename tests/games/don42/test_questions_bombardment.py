"""Positions worked out by hand from the rule text, as `kessel analyze` asks them: chapters 7 and 11."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.games.don42.helpers import ask, board, ger, pos, sov
from tests.games.don42.test_questions_movement import road, row

from .test_questions_combat import OUT, g_, s_

# --- 7.3, 7.4, 11.0 bombardment --------------------------------------------------------------------------------------


def barrage(guns: list[dict[str, Any]], target: dict[str, Any], *others: dict[str, Any], **fields: Any) -> Any:
    g = pos(*guns, {**target, "at": "0,0"}, *others, on=fields.pop("on", None) or board(8), **fields)
    found = ask(g, "bombardment", hex="0,0", units=[u["id"] for u in guns])
    assert sum(Fraction(c) for c in found["chances"].values()) == 1
    return found


def gun(factors: int, at: str = "6,0", kind: str = "artillery", **more: Any) -> dict[str, Any]:
    return s_("K", f"{factors}-1-5", at, type=kind, **more)


SPOTTER = s_("S", at="1,0")


@pytest.mark.rule("don42", "11.1.a")
@pytest.mark.rule("don42", "11.0.c")
@pytest.mark.parametrize(
    ("factors", "column", "chances"),
    [
        (1, "1-3", {"NE": "3/6", "DRG": "2/6", "DRG*": "1/6"}),
        (3, "1-3", {"NE": "3/6", "DRG": "2/6", "DRG*": "1/6"}),
        (4, "4-6", {"NE": "2/6", "DRG": "2/6", "DRG*": "1/6", "DPT": "1/6"}),
        (6, "4-6", {"NE": "2/6", "DRG": "2/6", "DRG*": "1/6", "DPT": "1/6"}),
        (7, "7-9", {"NE": "1/6", "DRG": "2/6", "DRG*": "1/6", "DPT": "1/6", "DPT*": "1/6"}),
        (10, "10-13", {"DRG": "2/6", "DRG*": "1/6", "DPT": "1/6", "DPT*": "2/6"}),
        (14, "14-18", {"DRG": "1/6", "DRG*": "1/6", "DPT": "1/6", "DPT*": "2/6", "RTD*": "1/6"}),
        (19, "19+", {"DRG*": "1/6", "DPT": "1/6", "DPT*": "2/6", "RTD*": "2/6"}),
    ],
)
def test_columns_of_the_bombardment_table(factors, column, chances):
    found = barrage([gun(factors)], g_("D"), SPOTTER)
    assert (found["legal"], found["column"], found["chances"]) == (True, column, chances)
    assert barrage([gun(1, bombard=factors)], g_("D"), SPOTTER)["column"] == column  # a factor of its own
    half = [gun(factors - factors // 2), {**gun(factors // 2, "5,0"), "id": "L"}]
    assert barrage(half, g_("D"), SPOTTER)["column"] == column


@pytest.mark.rule("don42", "7.3.2.c")
@pytest.mark.rule("don42", "7.3.2.d")
def test_bombardment_of_units_already_disordered():
    dice = ["NE", "NE", "DRG", "DRG", "DRG*", "DPT"]  # 4 factors
    after = {
        (): ["intact", "intact", "DRG", "DRG", "DRG", "DPT"],
        ("DRG",): ["DRG", "DRG", "DPT", "DPT", "DPT", "DPT"],
        ("DPT",): ["DPT", "DPT", "DPT", "DPT", "DPT", "RTD"],
        ("RTD",): ["RTD"] * 6,
    }
    for status, expected in after.items():
        found = barrage([gun(4)], g_("D", status=list(status)), SPOTTER)
        assert list(found["results"].values()) == dice
        assert list(found["becomes"]["D"].values()) == expected


@pytest.mark.rule("don42", "11.0.b1")
@pytest.mark.rule("don42", "11.0.b2")
@pytest.mark.rule("don42", "11.0.b3")
@pytest.mark.rule("don42", "11.0.b4")
@pytest.mark.rule("don42", "11.0.d")
@pytest.mark.rule("don42", "11.0.e")
def test_which_guns_bombard():
    def legal(one: dict[str, Any], *others: dict[str, Any], **fields: Any) -> bool:
        found = barrage([one], fields.pop("target", g_("D")), *others, **fields)
        if not found["legal"]:
            assert found["refusal"]["rule"] in ("11.0", "12.4.1")
        return bool(found["legal"])

    assert legal(gun(5), SPOTTER)
    assert not legal(gun(5, "7,0"), SPOTTER)
    assert legal(gun(5, "0,2", "mortar"), SPOTTER)
    assert not legal(gun(5, "0,3", "mortar"), SPOTTER)
    assert not legal(gun(5))  # nobody spots
    assert not legal(gun(5), {**SPOTTER, "army": "4TkA"})
    assert legal(gun(5, army=""), {**SPOTTER, "army": ""})  # no Army is told of either: it is the same
    assert legal(gun(5), {**SPOTTER, "status": ["RTD"]})
    assert legal(gun(5), s_("S", "0-1-8", "1,0", type="hq"))
    hill = board(8, terrain={"0,2": "hill"})
    assert legal(gun(5), s_("S", at="0,2"), on=hill)
    assert not legal(gun(5), s_("S", at="0,2"))
    assert not legal(gun(5), s_("S", at="0,3"), on=board(8, terrain={"0,3": "hill"}))
    assert legal(gun(5, "1,0"))  # it spots for itself
    assert not legal(gun(5, "0,2"), SPOTTER, g_("E", at="0,3"))  # other Germans are adjacent to it
    assert legal(gun(5, "0,1"), g_("E", at="0,2"))  # one of two adjacent hexes, by choice
    assert not legal(gun(5, active=False), SPOTTER)
    assert not legal(gun(5, **OUT), SPOTTER)
    assert legal(gun(5, supply="general"), SPOTTER)
    assert not legal(gun(5, status=["fired"]), SPOTTER)
    assert not legal(gun(5, status=["DRG"]), SPOTTER)
    assert legal(gun(5, status=["DRG"]), SPOTTER, options={"gun_status": "fires"})
    assert not legal(gun(5), SPOTTER, target=g_("D", status=["shelled"]))
    assert not legal(g_("K", "5-1-5", "1,0", type="artillery"), target=s_("D"))
    nobody = pos(gun(5), SPOTTER, on=board(8))
    assert ask(nobody, "bombardment", hex="0,0", units=["K"])["refusal"]["rule"] == "11.0"


@pytest.mark.rule("don42", "7.3.a")
@pytest.mark.rule("don42", "7.3.b")
@pytest.mark.rule("don42", "7.3.1.a")
@pytest.mark.rule("don42", "7.3.1.b")
@pytest.mark.rule("don42", "7.3.1.d")
@pytest.mark.rule("don42", "6.1.d")
def test_bombardment_from_the_air():
    def plane(id: str, kind: str = "bomber", side: str = "german", **more: Any) -> dict[str, Any]:
        return {"id": id, "at": "", "side": side, "type": kind, "bombard": 4, **more}

    two = [plane("P"), plane("Q", "dive_bomber", bombard=5)]
    found = barrage(two, s_("D"))
    assert (found["legal"], found["factors"]["total"], found["column"]) == (True, 9, "7-9")
    assert barrage(two, s_("D"), weather="mud")["refusal"]["rule"] == "6.2"
    assert barrage([plane("P", "transport", sp=8)], s_("D"))["refusal"]["rule"] == "7.3"
    assert barrage(two, s_("D", status=["bombed"]))["refusal"]["rule"] == "7.3.1"
    assert barrage(two, s_("D", status=["shelled"]))["legal"]
    assert barrage(two, s_("D"), air={"side": "soviet"})["refusal"]["rule"] == "7.1"
    red = [plane("P", side="soviet")]
    pair = barrage(red, g_("D"), g_("E", at="0,0", status=["DRG"]))
    assert {u: list(r.values())[2] for u, r in pair["becomes"].items()} == {"D": "DRG", "E": "DPT"}


@pytest.mark.rule("don42", "7.4.a")
@pytest.mark.rule("don42", "7.4.c")
@pytest.mark.rule("don42", "7.4.e")
def test_bombardment_of_bridges():
    b = row(12, roads=road("minor_road", 0, 3), sides={"1,0|2,0": "minor_river", "5,0|6,0": "minor_river"})
    stuka = {"id": "P", "side": "german", "type": "dive_bomber", "bombard": 4}
    g = pos(stuka, on=b)
    found = ask(g, "bombardment", bridge="1,0|2,0", units=["P"])
    assert (found["legal"], found["destroyed"]) == (True, "1/6")
    assert ask(g, "bombardment", bridge="5,0|6,0", units=["P"])["refusal"]["rule"] == "7.4"
    gone = pos(stuka, on=b, destroyed_bridges=["1,0|2,0"])
    assert not ask(gone, "bombardment", bridge="1,0|2,0", units=["P"])["legal"]
    pontoon = pos(stuka, on=b, pontoons=[{"hexside": "5,0|6,0"}])
    assert ask(pontoon, "bombardment", bridge="5,0|6,0", units=["P"])["legal"]
    shelled = pos(gun(19, "7,0"), s_("S", at="3,0"), on=b)
    assert ask(shelled, "bombardment", bridge="1,0|2,0", units=["K"])["destroyed"] == "5/6"
    assert ask(shelled, "bombardment", bridge="1,0|2,0", units=["K"])["legal"]


LATE = {"turn": "Aug 25 AM"}


PLANES = [{"id": name} for name in ("Ju87-1", "Ju87-2", "He111-1")]


def rule_of(found: dict[str, Any]) -> str:
    return str(found["refusal"]["rule"])


@pytest.mark.rule("don42", "7.2.a", "7.2.b", "7.2.c")
@pytest.mark.parametrize(("units", "flying", "legal"), [(2, 2, True), (2, 3, False), (3, 3, True), ("all", 3, True)])
def test_no_more_air_units_fly_than_are_available(units, flying, legal):
    g = pos(sov("X", "3,0"), *PLANES, on=row(6), air={"side": "german", "units": units}, **LATE)
    found = ask(g, "bombardment", hex="3,0", units=[p["id"] for p in PLANES[:flying]])
    assert found["legal"] is legal
    assert legal or rule_of(found) == "7.2"


@pytest.mark.rule("don42", "7.2.a", "7.5.a")
def test_one_air_unit_left_supports_alone():
    def two(units: int) -> dict[str, Any]:
        g = pos(ger("A", "2,0"), sov("X", "3,0"), *PLANES, on=row(6), air={"side": "german", "units": units}, **LATE)
        return ask(g, "attack", hex="3,0", units=["A"], planes=["Ju87-1", "Ju87-2"])

    assert two(2)["legal"]
    assert rule_of(two(1)) == "7.2"


@pytest.mark.rule("don42", "7.3.c")
def test_an_air_unit_that_has_flown_neither_bombards_nor_supports():
    flown = {"id": "Ju87-1", "status": ["flown"]}
    g = pos(ger("A", "2,0"), sov("X", "3,0"), flown, on=row(6), **LATE)
    assert rule_of(ask(g, "attack", hex="3,0", units=["A"], planes=["Ju87-1"])) == "7.3"
    assert rule_of(ask(g, "bombardment", hex="3,0", units=["Ju87-1"])) == "7.3"
