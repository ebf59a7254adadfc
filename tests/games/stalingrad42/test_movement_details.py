"""Rules of chapters 4-7 at their edges: what stops a move is named by its own rule."""

from __future__ import annotations

from typing import Any

import pytest

from .helpers import ask, board, example, read, rule

RIVER = {f"0,{r}|1,{r}": ["major_river"] for r in range(-4, 4)} | {
    f"0,{r}|1,{r - 1}": ["major_river"] for r in range(-3, 5)
}
"""A river from edge to edge of a disk, between columns 0 and 1."""


def to(g: Any, place: str, **fields: Any) -> tuple[str, Any]:
    """Kind of movement and cost, or "no" and the rule that refuses."""
    found = ask(g, "moves", unit="A", to=place, **fields)
    return ("no", found["refusal"]["rule"]) if "refusal" in found else (found["mode"], found["cost"])


@rule("17.5")
@rule("5.2c")
@pytest.mark.parametrize(("turn", "answer"), [(8, ("no", "5.5.2")), (9, ("normal", 3))])
def test_an_unfinished_railroad_bridges_no_river(turn, answer):
    rails = [("rail", "0,0 1,0", "unfinished", {"opens": 9})]
    assert to(board({"A": "axis 6-7-3 -1,0"}, hexsides=RIVER, links=rails, turn=turn), "1,0") == answer


@rule("17.5")
@rule("12.2f")
def test_no_retreat_over_the_bridge_of_an_unfinished_railroad():
    rails = [("rail", "0,0 1,0", "unfinished", {"opens": 9})]
    units = {"X": "soviet 3-5-3 0,0", "A": "axis 5-5-3 -1,0", "B": "axis 5-5-3 -1,1", "C": "axis 5-5-3 0,-1"}
    ends = {}
    for turn in (8, 9):
        g = board(units, hexsides=RIVER, links=rails, turn=turn)
        ends[turn] = [e["to"] for e in ask(g, "retreat", units=["X"], hexes=2)["units"][0].get("ends", [])]
    assert "2,0" in ends[9]
    assert "2,0" not in ends[8]


@rule("5.5.3b")
def test_a_road_alone_is_no_way_over_the_volga():
    volga = {side: ["volga"] for side in RIVER}
    g = board({"A": "axis 10-8-6 0,0 tank"}, hexsides=volga, links=[("primary", "-1,0 0,0 1,0")])
    assert to(g, "1,0") == ("no", "5.5.3")
    g = board(
        {"A": "axis 10-8-6 0,0 tank"},
        hexsides=volga | {"0,0|1,0": ["volga", "ferry"]},
        links=[("primary", "-1,0 0,0 1,0")],
    )
    assert to(g, "1,0") == ("normal", 4)


@rule("5.5.2a")
@example("E06")
def test_a_foot_unit_one_hex_short_of_the_river_is_told_of_the_river():
    assert to(board({"A": "axis 6-7-3 -1,0"}, hexsides=RIVER), "1,0") == ("no", "5.5.2")


@rule("5.3b")
@rule("5.3d")
def test_a_hex_that_needs_extended_movement_names_what_forbids_it():
    assert to(board({"A": "axis 4-5-3b 0,0"}), "4,0") == ("no", "5.3")
    assert to(board({"A": "axis 4-5-3 0,0", "X": "soviet 3-5-3 4,-1"}, radius=5), "4,0") == ("no", "5.3")
    assert to(board({"A": "axis 4-5-3 0,0"}, radius=8), "7,0") == ("no", "5.1"), "too far even so"


@rule("2.2.3a")
@rule("20.2a")
@pytest.mark.parametrize(
    ("kind", "turn", "why"),
    [("alpine", 1, "20.2"), ("alpine", 28, "2.2.3"), ("lake", 28, "2.2.3"), ("sea", 1, "2.2.3"), ("volga", 1, "5.5.3")],
)
def test_ground_that_bars_the_way_is_named(kind, turn, why):
    g = board({"A": "axis 6-7-3 0,0"}, hexes="0,0 1,0 2,0", hexsides={"0,0|1,0": [kind]}, turn=turn)
    assert to(g, "1,0") == ("no", why)
    assert to(g, "2,0") == ("no", why), "also for what lies behind"


@rule("5.4a")
def test_the_kind_of_movement_asked_for_is_the_one_answered():
    g = board({"A": "axis 10-8-6 0,0 tank"}, links=[("primary", "0,0 1,0 2,0")])
    assert to(g, "2,0") == ("normal", 1)
    assert to(g, "2,0", mode="tactical") == ("tactical", 2)
    assert to(g, "3,0", mode="tactical") == ("no", "5.4")


# --- 5.6, 5.7 --------------------------------------------------------------------------------------------------------


@rule("5.6.3f")
def test_a_train_marker_of_this_turn_in_a_position_counts():
    rails = [("rail", "0,0 1,0 2,0 3,0")]
    units = {"A": "soviet 3-5-3 0,0", "B": "soviet 3-5-3 3,0 train"}
    g = board(units, links=rails, side="soviet", phase="movement")
    found = ask(g, "moves", unit="A", to="3,0", mode="rail")
    assert found["refusal"]["rule"] == "5.6.3"
    assert "refusal" not in ask(g, "moves", unit="A", to="2,0", mode="rail")


def naval(start: str, kind: str = "naval size=brigade") -> Any:
    ports = {"0,0": {"features": ["port"], "sea": "azov"}, "3,0": {"features": ["port"], "sea": "azov"}}
    hexes = {name: ports.get(name, {}) for name in ("-1,0", "0,0", "1,0", "2,0", "3,0", "4,0", "5,0")}
    paths = [("shipping_path", "0,0 3,0", {"sea": "azov"})]
    owners = {"0,0": "soviet", "3,0": "axis"}
    return board(
        {"A": f"soviet 3-4-3 {start} {kind}"},
        hexes=hexes,
        links=paths,
        control=owners,
        side="soviet",
        phase="movement",
    )


@rule("5.7.1f")
@rule("5.7.1h")
def test_a_naval_brigade_uses_its_other_hex_before_or_after_the_sea():
    places = {m["to"] for m in ask(naval("0,0"), "moves", unit="A", mode="sea")["moves"]}
    assert places == {"3,0", "2,0", "4,0"}
    assert ask(naval("0,0"), "moves", unit="A", to="4,0", mode="sea")["path"] == ["3,0", "4,0"]
    places = {m["to"] for m in ask(naval("-1,0"), "moves", unit="A", mode="sea")["moves"]}
    assert places == {"3,0"}
    assert ask(naval("-1,0"), "moves", unit="A", to="3,0", mode="sea")["path"] == ["0,0", "3,0"]
    assert ask(naval("0,0", "infantry"), "moves", unit="A", mode="sea")["moves"] == [], "no enemy port for others"


# --- 5.7.2, 22.6 -----------------------------------------------------------------------------------------------------


def in_area(at: str, side: str = "axis", **more: Any) -> Any:
    doc = {"game": "stalingrad42", "units": [{"id": "24Pz" if side == "axis" else "16TC", "at": at}], "side": side}
    return read(doc | {"turn": 10} | more)


@rule("5.7.2a")
@rule("20.7")
def test_the_question_moves_knows_the_kerch_strait():
    g = in_area("W", control={"1549": "axis"})
    moves = {(m["to"], m["mode"]) for m in ask(g, "moves", unit="24Pz")["moves"]}
    assert moves == {("1549", "strait"), ("X", "transfer"), ("Y", "transfer"), ("Z", "transfer")}
    assert ask(g, "moves", unit="24Pz", to="1549")["mode"] == "strait"
    assert ask(g, "moves", unit="24Pz", to="1550", mode="strait")["refusal"]["rule"] == "5.7.2"
    doc = {"game": "stalingrad42", "units": [{"id": "24Pz", "at": "W"}, {"id": "TamGar", "at": "1549"}], "turn": 10}
    assert ask(read(doc), "moves", unit="24Pz", to="1549")["refusal"]["rule"] == "5.7.2"


@rule("22.6.2")
@rule("22.6.3")
def test_the_question_moves_knows_the_ways_between_entry_areas():
    g = in_area("A", "soviet")
    assert ask(g, "moves", unit="16TC", to="F")["mode"] == "transfer"
    assert ask(g, "moves", unit="16TC", to="E")["mode"] == "transfer"
    assert ask(g, "moves", unit="16TC", to="G")["mode"] == "rail", "through the whole of southern Russia"
    assert ask(g, "moves", unit="16TC", to="G", mode="transfer")["refusal"]["rule"] == "22.6.3"
    assert ask(g, "moves", unit="16TC", to="Z")["refusal"]["rule"] == "22.6.1"


@rule("5.6.1a")
def test_a_far_hex_on_the_railroad_is_reached_by_rail():
    rails = [("rail", "-4,0 -3,0 -2,0 -1,0 0,0 1,0 2,0 3,0 4,0")]
    g = board({"A": "soviet 3-5-3 -4,0"}, links=rails, side="soviet", phase="movement")
    assert ask(g, "moves", unit="A", to="4,0")["mode"] == "rail"
    assert ask(g, "moves", unit="A", to="4,-1")["refusal"]["rule"] == "5.1"


@rule("5.4a")
@rule("13.2.1a")
@rule("16.4a")
@rule("21.4a")
@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [
        ("disrupted", "normal", "13.2.1"),
        ("disrupted", "extended", "13.2.1"),
        ("tank oos", "normal", "16.4"),
        ("replaced", "normal", "21.4"),
        ("", "normal", ""),
        ("disrupted", "tactical", ""),
    ],
)
def test_a_kind_of_movement_that_is_forbidden_says_why_though_another_leads_there(text, mode, why):
    g = board({"A": f"axis 10-8-6 0,0 {text}"})
    found = ask(g, "moves", unit="A", to="1,0", mode=mode)
    assert found.get("refusal", {"rule": ""})["rule"] == why


@rule("5.4a")
def test_asked_for_one_kind_of_movement_all_its_places_are_told():
    g = board({"A": "axis 10-8-3 0,0"}, radius=7)

    def count(mode: str) -> int:
        return len(ask(g, "moves", unit="A", mode=mode)["moves"])

    assert [count(mode) for mode in ("tactical", "normal", "extended", "")] == [18, 36, 90, 126]


@rule("5.5.3d")
@rule("5.1b")
@pytest.mark.parametrize(("tank", "works"), [("7-5-3", False), ("7-5-4", True)])
def test_each_class_of_a_stack_pays_for_the_flotilla_as_it_must(tank, works):
    volga = {name: ["volga"] for name in RIVER}
    units = {"A": "soviet 3-5-3 0,0", "T": f"soviet {tank} 0,0 tank"}
    g = board(units, hexsides=volga, side="soviet", flotilla="0,0|1,0")
    found = ask(g, "moves", units=["A", "T"], to="1,0", mode="normal")
    assert ("refusal" not in found) is works
    assert "cost" in ask(g, "moves", unit="A", to="1,0", mode="normal")
