"""What a position answers: the documentation's own examples, and each question against the rules or a second way."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kessel.core.analysis import analyze
from kessel.core.dice import Scripted
from kessel.core.errors import BadInput
from kessel.core.procedure import legal
from kessel.games.korsun44.answers.attack import exact_chances
from kessel.games.korsun44.answers.counters import UnitDoc
from kessel.games.korsun44.answers.position import (
    KINDS,
    PHASES,
    SDM_WORDS,
    STATES,
    TERRAINS,
    BarrageDoc,
    BridgeDoc,
    MinesDoc,
    PositionDoc,
)
from kessel.games.korsun44.answers.questions import QUESTIONS
from kessel.games.korsun44.board import BOXES, STATUS_WORDS, Board
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.combat.odds import Outcome
from kessel.games.korsun44.data.charts import charts_of
from kessel.games.korsun44.data.forces import ENGINEERS, ROLES, SIZES
from kessel.games.korsun44.movement.reserve import why_not_withdraw_to
from kessel.games.korsun44.movement.zones import has_zone
from kessel.games.korsun44.units.strength import infantry_steps, is_cadre

from .fights import ART, D1, D2, GUN, MECH, PIO, PZ4, PZ5, R1, R2, T1, battle
from .helpers import PACK, TITLE, board, h, moving, play, position, u, unit
from .supply_helpers import row, supply_board

DOCS = Path(__file__).parents[3] / "docs"
EXAMPLE: dict[str, Any] = json.loads((DOCS / "examples/korsun44.json").read_text())
TEXT = (DOCS / "positions-korsun44.md").read_text()
CHARTS = charts_of(PACK)


def ask(question: str, *units: dict[str, Any], on: dict[str, Any] | None = None, q: dict[str, Any], **more: Any) -> Any:
    doc = {
        "game": "korsun44",
        "board": on or board(),
        "units": list(units),
        **more,
        "ask": [{"question": question, **q}],
    }
    return analyze(json.dumps(doc))["answers"][0]


# --- the documentation -----------------------------------------------------------------------------------------------


def test_the_examples_of_the_documentation_are_true() -> None:
    blocks = [json.loads(b) for b in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
    questions, answers = blocks[::2], blocks[1::2]
    found = analyze(json.dumps({**EXAMPLE, "ask": questions}))["answers"]
    for q, a, said in zip(questions, found, answers, strict=True):
        assert {k: v for k, v in a.items() if k != "question"} == said, q
    assert {q["question"] for q in questions} == set(QUESTIONS)


def test_the_readings_of_the_documentation_are_those_of_the_game() -> None:
    for key, switch in CHARTS.readings.switches.items():
        assert f"| `{key}` | {switch.rule} | {', '.join(f'`{c}`' for c in switch.values)} |" in TEXT
    for key, option in CHARTS.readings.optional.items():
        assert f"`{key}` ({option.rule}, {option.default})" in TEXT


def test_the_words_of_the_documentation_are_those_of_the_game() -> None:
    words = set(re.findall(r"`([A-Za-z_0-9-]+)`", TEXT))
    forms = (PositionDoc, UnitDoc, BridgeDoc)
    fields = {f.name for form in forms for f in msgspec.structs.fields(form)} - {"game", "note", "ask"}
    asked = {f.name for q in QUESTIONS.values() for f in msgspec.structs.fields(q.form)} - {"question"}
    known = (
        fields, asked, set(CHARTS.types), set(STATUS_WORDS), set(PHASES), set(SDM_WORDS), set(STATES), set(KINDS),
        set(TERRAINS), set(BOXES), set(SIZES), set(ENGINEERS), set(ROLES), set(PACK.scenarios()),
        set(Board.track_names[5:]) - {"air_german", "air_1Uk", "air_2Uk", "over"},
    )  # fmt: skip
    for some in known:
        assert some <= words, some - words
    for form in (BarrageDoc, MinesDoc):
        assert all(f'"{f.name}"' in TEXT for f in msgspec.structs.fields(form))


# --- the document ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "where"), [
    ({"units": [{"id": "nobody", "at": "0,0"}]}, "$.units[0].id"),
    ({"units": [{"id": "X", "side": "german", "type": "infantry", "faces": "a"}]}, "$.units[0].faces"),
    ({"units": [{"id": "X", "side": "german", "type": "horse", "faces": "3"}]}, "$.units[0].type"),
    ({"units": [{"id": R1, "at": "0,0"}, {"id": D1, "at": "0,0"}]}, "$.units[1].at"),
    ({"units": [{"id": R1, "at": "0,0"}, {"id": R1}]}, "$.units[1].id"),
    ({"units": [{"id": R1, "at": "0,0", "sp": 2}]}, "$.units[0].sp"),
    ({"units": [{"id": R1, "at": "0,0", "supplied_by": "SDM9"}]}, "$.units[0].supplied_by"),
    ({"units": [{"id": R1, "ma": 100}]}, "$.units[0].ma"),
    ({"units": [{"id": "Alarm1", "strength": 77}]}, "$.units[0].strength"),
    ({"bridges": {"0,0|1,0": {}}}, "$.bridges.0,0|1,0"),
    ({"bridges": {"0,0|1,0": {"kind": "K", "state": "gone"}}}, "$.bridges.0,0|1,0.state"),
    ({"minefields": {"0,0": {"facing": "UP"}}}, "$.minefields.0,0.facing"),
    ({"fords": {"0,0|1,0": "german"}}, "$.fords.0,0|1,0"),
    ({"tracks": {"korsun": 3}}, "$.tracks.korsun"),
    ({"air": {"3Uk": 1}}, "$.air.3Uk"),
    ({"replacement_points": {"42K": {"infantry": 99}}}, "$.replacement_points.42K.infantry"),
    ({"barrage": [{"hex": "0,0", "shifts": 3, "army": "27A"}]}, "$.barrage[0].army"),
    ({"supply": "guessed"}, "$.supply"),
    ({"turn": 30}, "$.turn"),
    ({"board": {"hexes": {"0,0": {"terrain": "jungle"}}}}, "$.board.hexes.0,0.terrain"),
    ({"phase": "tea"}, "$.phase"),
])  # fmt: skip
def test_what_is_wrong_is_told_with_its_path(more: dict[str, Any], where: str) -> None:
    doc = {"game": "korsun44", "board": board(2), **more}
    with pytest.raises(BadInput) as e:
        analyze(json.dumps(doc))
    assert e.value.where == where


def test_a_document_says_everything() -> None:
    on = board(roads=[("secondary", row(-2, 2))], sides={"0,0|1,0": "river"})
    g = position(
        unit(R1, "0,0", ma=7, black=2), unit("X", "1,0", side="soviet", type="infantry", faces="6 4 2", army="27A"),
        unit("Depot", "-2,0", side="german", type="sdm", corps="42K", capacity=3, sp=2),
        unit("Alarm1", "2,2", strength=3, status="alarm"), unit(R2, box="eliminated"),
        on=on, bridges={"0,0|1,0": {"state": "destroyed", "owner": "german"}}, improved_positions="0,0",
        minefields={"2,0": {"facing": "3,0"}, "2,1": {}, "0,2": {"facing": "N"}},
        rail_cuts=["1,1"], control={"2,2": "german"}, combats="1,0",
        barrage=[{"hex": "0,0", "shifts": 2, "army": "4GA"}], air={"1Uk": 2},
        tracks={"korsun_sp": 7, "depot_at": "0,1"},
        replacement_points={"2Uk": {"armor": 1}}, released=["11K"],
    )  # fmt: skip
    assert g.forces.ma[u(g, R1)] == 7
    assert (g.steps[u(g, "X")], g.forces.strength[u(g, "X")]) == (3, (0, 2, 4, 6))
    assert g.forces.counters[u(g, "X")].chit
    assert (g.sdm_sp[u(g, "Depot")], g.forces.counters[u(g, "Depot")].capacity) == (2, 3)
    assert g.bridge_state[0] == 1
    assert g.bridge_owner[0] == 0
    assert g.works[h(g, "0,0")] == 1
    d = g.map.grid.direction(h(g, "2,0"), h(g, "3,0"))
    assert [g.mined(h(g, "2,0"), (d + n) % 6) for n in range(6)] == [True] * 3 + [False] * 3
    assert g.mined(h(g, "0,2"), g.map.grid.toward("N"))
    assert g.barrage_at[3] == h(g, "0,0")
    assert (g.track("air_1Uk"), g.track("korsun_sp"), g.track("depot_at")) == (2, 7, h(g, "0,1") + 1)
    assert g.rp("2Uk", True) == 1
    assert g.faults() == []


def test_supply_can_be_determined() -> None:
    on = supply_board(8, sources={"-8,0": "1PzA"}, roads=(("secondary", row(-8, 8)),))
    g = position(unit(R1, "0,0"), unit(R2, "8,-1"), unit("SDM1.42K", "-2,0"), on=on, supply="determined")
    assert g.supplier[u(g, R1)] == u(g, "SDM1.42K")
    assert not g.status[u(g, R1)]
    assert g.status[u(g, R2)] & STATUS_WORDS["OOS1"]


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_can_be_begun(phase: str) -> None:
    fields = {"tracks": {"breakout": 20}} if phase == "breakout" else {}
    g = position(unit(R1, "0,0"), unit(D1, "3,0"), unit("SDM1.42K", "-1,0", sp=2), phase=phase, turn=20, **fields)
    assert not g.stack or legal(g)


# --- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "9.9.2")
def test_the_one_hex_a_unit_may_always_enter_costs_no_more_than_it_has() -> None:
    moved = unit("79.16Pz", "0,0", status=["disorganized"])
    more: dict[str, Any] = {"on": board(terrain={"0,1": "woods"}), "ground": "Mud", "phase": "german_movement"}
    found = ask("moves", moved, q={"unit": "79.16Pz"}, **more)
    assert found["allowance"]["total"] == 3
    assert {way["cost"] for way in found["reach"].values()} == {3}, "each hex would cost four or six"
    (step,) = ask("moves", moved, q={"unit": "79.16Pz", "to": "0,1"}, **more)["steps"]
    assert (step["cost"], step["whole_allowance"], step["rule"]) == (3, True, "9.9.2")
    g = play(moving(position(moved, **more)), "move 79.16Pz")
    assert TITLE.preview(g, ("to", h(g, "0,1")))["cost"] == 3


@pytest.mark.rule("korsun44", "9.11a", "9.11.p3", "9.11.c3")
def test_the_risk_of_interception() -> None:
    """Each hex beside the way fires once, at the first chance it has."""
    other = unit("Pz", "2,-1", side="german", type="PzIV", faces="4 2", corps="3PzK")
    found = ask("moves", unit(T1, "1,-1"), unit(PZ4, "0,0"), other, q={"unit": T1, "to": "1,0"})
    fire = found["interception"]
    assert sorted((s["from"], s["at"], s["dots"]) for s in fire["shots"]) == [("0,0", "1,0", 3), ("2,-1", "1,0", 3)]
    assert fire["hit"] == "3/4"
    around = ask("moves", unit(T1, "1,-1"), unit(PZ4, "0,0"), q={"unit": T1, "to": "0,1"})
    assert len(around["interception"]["shots"]) == 1
    assert "interception" not in ask("moves", unit(D1, "1,-1"), unit(PZ4, "0,0"), q={"unit": D1, "to": "1,0"})


@pytest.mark.parametrize(("mode", "ma"), [("tactical", 10), ("strategic", 10), ("on_foot", 5), ("reserve", 8)])
def test_ways_of_moving(mode: str, ma: int) -> None:
    status = ["reserve"] if mode == "reserve" else []
    found = ask("moves", unit("79.16Pz", "0,0", status=status), on=board(3), q={"unit": "79.16Pz", "mode": mode})
    assert found["allowance"]["total"] == ma
    assert found["reach"]["1,0"]["cost"] == (1 if mode == "on_foot" else 2)


def test_a_stack_moves_together() -> None:
    found = ask("moves", unit(R1, "0,0"), unit(PZ4, "0,0"), q={"units": [R1, PZ4], "to": "1,0"})
    assert found["allowance"]["total"] == 5
    assert found["cost"] == 2
    with pytest.raises(BadInput, match="from one hex"):
        ask("moves", unit(R1, "0,0"), unit(PZ4, "1,0"), q={"units": [R1, PZ4]})


def test_moves_of_one_hex() -> None:
    units = (unit(PZ4, "0,0", status=["breakthrough"]), unit(D1, "2,0"))
    for mode in ("withdrawal", "reaction", "breakthrough"):
        found = ask("moves", *units, q={"unit": PZ4, "mode": mode})
        near = {"1,-1", "0,-1", "-1,0", "-1,1", "0,1"} | ({"1,0"} if mode != "withdrawal" else set())
        near -= {"1,-1"} if mode == "withdrawal" else set()
        assert set(found["hexes"]) >= near - {"1,-1", "0,1"}, mode
    assert ask("moves", *units, q={"unit": PZ4, "mode": "withdrawal", "to": "1,0"})["legal"] is False


def test_alarm_units_in_the_way() -> None:
    found = ask("moves", unit(D1, "0,0"), unit("Alarm1", "1,0", status="alarm"), q={"unit": D1})
    assert found["alarm_attacks"] == {"1,0": 2.0}
    assert "1,0" not in found["reach"]


# --- attack ----------------------------------------------------------------------------------------------------------


def test_chances_are_those_of_playing_it() -> None:
    """Every fall of the dice of a real combat with guns on both sides and armor, against the answer's chances."""
    g = position(unit(PZ4, "0,0"), unit(MECH, "0,0"), unit(T1, "1,0"), unit(GUN, "3,0"), unit(ART, "-1,0"))
    b = battle(g, PZ4, MECH, on=("1,0",))._replace(points=3, gun=u(g, GUN), gun_points=2)
    p = Combat(b.side, b.enemy, b.segment, b.targets, b.attackers, b.defenders, (), b.paid, (), 3, u(g, GUN), 2)
    found: dict[Outcome, Fraction] = {}
    for dice in product(range(1, 7), repeat=4):
        h = g.copy()
        h.dice = Scripted(dice)
        one = p._thrown(h)
        found[one] = found.get(one, Fraction(0)) + Fraction(1, 6**4)
    assert exact_chances(g, b) == found
    assert len(found) > 20


@pytest.mark.rule("korsun44", "18.3a", "12.7.5")
def test_an_untested_bridge_is_part_of_the_chances() -> None:
    on = board(sides={"0,0|1,0": "river"}, roads=[("secondary", row(0, 1))])
    units = (unit(PZ5, "0,0"), unit(MECH, "0,0"), unit(D1, "1,0"))
    q = {"target": "1,0", "units": [PZ5, MECH]}
    found = ask("attack", *units, on=on, q=q, options={"bridge_collapse": "on"})
    assert found["bridges_tested"] == ["0,0|1,0"]
    columns = {x["result"]: Fraction(x["chance"]) for x in found["columns"]}
    assert sorted(columns.values()) == [Fraction(1, 3), Fraction(2, 3)]
    plain = ask("attack", *units, on=on, q=q)
    held = {x["result"]: Fraction(x["chance"]) for x in plain["columns"]}
    assert columns[next(iter(held))] == Fraction(1, 3), "it holds one time in three"


def test_everything_an_attack_can_have() -> None:
    units = (
        unit(R1, "0,0"), unit(PIO, "0,0"), unit(ART, "-1,0"), unit(D1, "1,0"), unit(D2, "1,-1"), unit(GUN, "3,0"),
    )  # fmt: skip
    q = {"target": "1,0", "also": ["1,-1"], "units": [R1, PIO], "guns": [ART], "gun": GUN, "engineer": PIO,
         "air": {"german": 2, "soviet": 1}}  # fmt: skip
    found = ask("attack", *units, q=q)
    assert found["legal"]
    assert [x["result"] for x in found["air"]] == ["+1"]
    assert found["defence"]["total"] == 40
    assert sum(Fraction(x["chance"]) for x in found["chances"]) == 1
    assert found["support"] == {"42K": {"supported": [R1, PIO], "unsupported": [], "sdms": []}}
    half = ask("attack", *units, q={"target": "1,0", "units": [R1, PIO], "unsupported": ["42K"]})
    assert half["attack"]["total"] == 3 + 2, "unsupported, and in the ZOC of the other division"
    no_guns = ask("attack", *units, q={"target": "1,0", "units": [R1, PIO], "unsupported": ["42K"], "guns": [ART]})
    assert no_guns["refusal"]["rule"] == "12.4"
    later = ask("attack", *units, q={"target": "1,0", "units": [R1], "segment": "breakthrough", "gun": GUN})
    assert later["refusal"]["rule"] == "12.1.4"
    fixed = ask("attack", *units, q={"target": "1,0", "units": [R1, PIO], "fixed": {D1: 3}})
    assert fixed["defence"]["total"] == 3


@pytest.mark.rule("korsun44", "12.3.1.1a", "12.3.1.1b")
def test_the_whole_stack_attacks_but_for_units_out_of_supply() -> None:
    def asked(segment: str = "combat", status: str = "", **options: str) -> dict[str, Any]:
        units = unit(MECH, "0,0"), unit(PZ4, "0,0", status=status), unit(ART, "0,0"), unit(D1, "1,0")
        return ask("attack", *units, q={"target": "1,0", "units": [MECH], "segment": segment}, options=options)

    assert asked()["refusal"]["rule"] == "12.3.1"
    assert PZ4 in asked()["refusal"]["reason"]
    assert asked(status="OOS1")["legal"], "it may be withheld"
    assert asked(abstain="any")["legal"], "the other reading of Q53"
    assert asked("breakthrough")["legal"], "12.1.4: one by one"


@pytest.mark.parametrize(("q", "rule"), [
    ({"target": "3,0", "units": [R1]}, "12.3"),
    ({"target": "1,0", "units": [ART]}, "12.2"),
    ({"target": "1,0", "units": [R1], "engineer": R1}, "12.9.1"),
    ({"target": "1,0", "units": [R1], "guns": [R1]}, "12.10"),
    ({"target": "1,0", "units": [R1], "segment": "reserve"}, "12.1.6"),
])  # fmt: skip
def test_attacks_that_are_not_legal(q: dict[str, Any], rule: str) -> None:
    found = ask("attack", unit(R1, "0,0"), unit(ART, "0,0"), unit(D1, "1,0"), unit(D2, "3,0"), q=q)
    assert found["refusal"]["rule"] == rule


# --- retreat and advance ---------------------------------------------------------------------------------------------


def test_ways_of_retreat() -> None:
    on = board(sides={"0,0|0,1": "river"})
    ring = [unit(x, at) for x, at in zip((D1, D2, "337.27A"), ("1,0", "-1,0", "1,-2"), strict=True)]
    found = ask("retreat", unit(R1, "0,0"), *ring, on=on, q={"hex": "0,0"})
    ways = {w["path"][0]: w for w in found["units"][R1]["ways"]}
    assert ways["0,1"]["becomes"] == "regroup", "it swims the river"
    closed = [unit(x, at) for x, at in zip((D1, D2, "337.27A", "54FAa.27A", "54FAb.27A", "AT1.27A"),
              ("1,0", "-1,0", "1,-1", "0,-1", "-1,1", "0,1"), strict=True)]  # fmt: skip
    found = ask("retreat", unit(R1, "0,0"), *closed, q={"hex": "0,0", "hexes": 2})
    assert found["units"][R1] == {"ways": [], "loses_steps": 2, "rule": "12.13.1"}
    edge = ask("retreat", unit(R1, "0,0", status=["OOS1"]), *closed, on=board(1), q={"hex": "0,0"})
    assert "loses_steps" in edge["units"][R1]


@pytest.mark.parametrize(("edge", "leaves"), [("open", True), ("closed", False)])
def test_a_retreat_off_the_map(edge: str, leaves: bool) -> None:
    units = unit(R1, "1,0"), unit(D1, "0,0"), unit(D2, "1,-1"), unit("337.27A", "0,1")
    found = ask("retreat", *units, on=board(1), q={"hex": "1,0"}, options={"off_map": edge})
    gone = {"ways": [], "leaves_map": True, "eliminated": False, "rule": "12.16.1"}
    assert found["units"][R1] == (gone if leaves else {"ways": [], "loses_steps": 1, "rule": "12.13.1"})


@pytest.mark.parametrize(("result", "tanks", "foot"), [
    ("retreat", {"1,0"}, {"1,0"}),
    ("breakthrough", {"1,0", "2,0", "2,-1", "1,1", "0,1", "1,-1"}, {"1,0", "2,0"}),
    ("eliminated", {"1,0", "2,0", "2,-1", "1,1", "0,1", "1,-1"}, {"1,0", "2,0", "2,-1", "1,1", "0,1", "1,-1"}),
])  # fmt: skip
def test_ways_of_advance(result: str, tanks: set[str], foot: set[str]) -> None:
    q = {"hex": "1,0", "units": [PZ4, R1, ART], "result": result, "trail": "2,0"}
    found = ask("advance", unit(PZ4, "0,0"), unit(R1, "0,0"), unit(ART, "0,0"), unit(D1, "1,0"), q=q)["units"]
    assert {w[-1] for w in found[PZ4]["ways"]} == tanks
    assert {w[-1] for w in found[R1]["ways"]} == foot
    assert found[ART]["refusal"]["rule"] == "12.15"


# --- replacements and bridges ----------------------------------------------------------------------------------------


def test_replacements() -> None:
    on = supply_board(8, sources={"-8,0": "1PzA"}, roads=(("secondary", row(-8, 8)),))
    units = (unit(R1, "0,0", steps=2), unit(R2, "0,1", steps=1), unit("SDM1.42K", "-1,0", sp=1),
             unit(PZ4, box="eliminated"), unit(ART, "1,0"), unit("SDM1.3PzK", "-3,0"))  # fmt: skip
    points = {"42K": {"infantry": 1}, "3PzK": {"armor": 1}}
    found = ask("replacements", *units, on=on, q={"side": "german"}, replacement_points=points)
    assert found["replace"] == {R1: [1], R2: [1]}
    assert found["absorb"] == {R2: [R1]}
    assert found["disband"] == {ART: [R1, R2]}
    assert R1 in found["abandon"]["SDM1.42K"]
    assert found["armor"]["3PzK"]["PzIV"]["units"] == [PZ4]
    assert sum(Fraction(x["chance"]) for x in found["armor"]["3PzK"].values()) == 1
    one = ask("replacements", *units, on=on, q={"unit": R1, "steps": 2}, replacement_points=points)
    assert one["refusal"]["rule"] == "8.4"
    joins = ask("replacements", *units, on=on, q={"unit": R1, "into": R2}, replacement_points=points)
    assert joins["refusal"]["rule"] == "8.6.1"


def test_bridges() -> None:
    on = board(sides={"0,0|1,0": "river"}, roads=[("railroad", row(0, 1))])
    q = {"hexside": "0,0|1,0"}
    one = {"0,0|1,0": {"owner": "german"}}
    found = ask("bridges", unit(PIO, "0,0"), on=on, q=q, bridges=one)
    assert found["destroy"]["german"] == {"legal": True, "modifier": 2, "chance": "3/6"}
    assert found["destroy"]["soviet"]["refusal"]["rule"] == "15.2.1"
    down = ask("bridges", unit(PIO, "0,0"), on=on, q={}, bridges={"0,0|1,0": {"state": "destroyed"}})
    assert down["bridges"]["0,0|1,0"][0]["state"] == "destroyed"
    assert ask("bridges", on=on, q={})["bridges"] == {}


@pytest.mark.parametrize("faces", ["100 1", "x", ""])
def test_faces_are_strengths_below_a_hundred(faces: str) -> None:
    g = position(unit("own", "0,0", side="german", type="infantry", faces="99 1"))
    assert g.forces.strength[u(g, "own")] == (0, 1, 99)
    with pytest.raises(BadInput, match="faces"):
        position(unit("own", "0,0", side="german", type="infantry", faces=faces))


@pytest.mark.rule("korsun44", "9.8c")
def test_a_withdrawal_that_is_possible_is_not_refused() -> None:
    units = unit("II-2.16Pz", "0,0"), unit("180.27A", "0,-2")
    g = position(*units)
    first = g.map.grid.around[h(g, "0,0")][0]
    assert why_not_withdraw_to(g, u(g, "II-2.16Pz"), first) is not None
    found = ask("moves", *units, q={"unit": "II-2.16Pz", "mode": "withdrawal"})
    assert found["hexes"]
    assert "refusal" not in found


@pytest.mark.rule("korsun44", "16.5.4.4b")
def test_no_aircraft_where_both_sides_are_in_the_hex() -> None:
    units = unit(D1, "0,0"), unit(R1, "0,0")
    q = {"target": "0,0", "units": [D1], "air": {"soviet": None}}
    found = ask("attack", *units, q=q, turn=21, tracks={"breakout": 20})
    assert found["refusal"]["rule"] == "16.5.4"


def test_units_of_ones_own_are_what_their_type_says() -> None:
    own = [
        {"id": "T", "side": "soviet", "type": "T-34", "faces": "10 8 5 2", "star": True, "at": "0,0", "steps": 1},
        {"id": "A", "side": "german", "type": "alarm", "faces": "3", "at": "0,2", "status": "alarm"},
        {"id": "P", "side": "soviet", "type": "partisans", "faces": "3 2", "at": "-2,0"},
        {"id": "E", "side": "german", "type": "assault_engineer", "faces": "5 3", "at": "1,0", "division": "88ID"},
        {"id": "I", "side": "german", "type": "infantry", "faces": "9 6 3", "at": "1,0", "division": "88ID"},
    ]
    g = position(*own)
    assert not infantry_steps(g, u(g, "T")), "the last step of a brigade with a star is its cadre (4.5.3)"
    assert is_cadre(g, u(g, "T"))
    assert has_zone(g, u(g, "P"))
    assert not has_zone(g, u(g, "A")), "10.1.3"
    assert ask("attack", *own, q={"target": "0,0", "units": ["E", "I"], "engineer": "E"})["legal"]
    assert ask("moves", *own, q={"unit": "A"})["refusal"]["rule"] == "4.8.2"
    assert ask("stacking", *own, q={"hex": "0,0", "units": ["P"]})["refusal"]["rule"] == "18.1.2"


@pytest.mark.parametrize(
    ("kind", "points"), [("infantry", 5), ("mechanized_infantry", 10), ("at_gun", 10), ("PzIV", 12)]
)
def test_units_of_ones_own_move_as_their_type_does(kind: str, points: int) -> None:
    own = {"id": "X", "side": "german", "type": kind, "faces": "4 2", "at": "0,0"}
    assert ask("moves", own, q={"unit": "X"})["allowance"]["total"] == points


def test_units_of_ones_own_are_under_the_commands_of_the_game() -> None:
    made = {"faces": "9 6 3", "at": "0,0"}
    g = position(
        {"id": "I", "side": "german", "type": "infantry", "corps": "42K", **made},
        {"id": "D", "side": "soviet", "type": "infantry", "army": "27A", **made, "at": "2,0"},
        {"id": "B", "side": "soviet", "type": "motorized_infantry", "corps": "18TkC", **made, "at": "3,0"},
        {"id": "X", "side": "soviet", "type": "infantry", "army": "27A", "front": "2Uk", **made, "at": "4,0"},
    )
    f = g.forces
    assert f.army[u(g, "I")] == "1PzA"
    assert [(f.front[u(g, n)], f.army[u(g, n)]) for n in "DBX"] == [("1Uk", "27A"), ("2Uk", "5GTkA"), ("2Uk", "27A")]


@pytest.mark.rule("korsun44", "4.7.1.6a")
def test_a_counter_of_an_extended_division_stays_beside_the_other() -> None:
    men = [unit(D1, "0,0"), unit("180x.27A", "1,0"), unit("20G.5GTkC", "0,1", status="OOS1")]
    both = {"0,0", "1,0", "2,0", "1,1", "0,1", "1,-1", "2,-1"}
    found = ask("moves", *men, q={"unit": D1})
    assert set(found["reach"]) == both - {"0,0"}
    assert found["reach"]["2,0"] == {"cost": 2.0, "path": ["1,0", "2,0"], "stops": False}
    assert "overstacked" in found["reach"]["0,1"], "a division and a corps (11.0)"
    assert ask("moves", *men, q={"unit": D1, "to": "-1,0"})["refusal"]["rule"] == "4.7"
    assert ask("moves", *men, q={"unit": D1, "mode": "strategic"})["refusal"]["rule"] == "4.7.1"
    assert "-1,0" in ask("moves", *men, q={"unit": "180x.27A"})["reach"]
    german = unit(R1, "2,-2")
    found = ask("moves", *men, german, q={"unit": D1})
    assert found["reach"]["1,-1"]["stops"], "a ZOC halts it (10.3.1)"


@pytest.mark.rule("korsun44", "9.12.2c", "12.1.4a")
def test_attacks_outside_the_combat_segment_are_those_of_their_rule() -> None:
    men = [unit(D1, "1,0"), unit(T1, "0,-1"), unit("Alarm13", "0,0", status="alarm"), unit(R1, "-1,0"), unit(R2, "0,1")]
    one = {"target": "0,0", "units": [D1], "segment": "alarm"}
    found = ask("attack", *men, q=one)
    assert found["legal"]
    assert found["support"]["27A"]["supported"] == [D1], "a free supported combat"
    assert ask("attack", *men, q={**one, "units": [D1, T1]})["refusal"]["rule"] == "9.12"
    assert ask("attack", *men, q={**one, "target": "0,1"})["refusal"]["rule"] == "9.12"
    through = {"target": "-1,0", "units": [T1], "segment": "breakthrough"}
    assert ask("attack", *men, q=through)["legal"]
    assert ask("attack", *men, q={**through, "target": "0,1", "units": [D1]})["refusal"]["rule"] == "12.1.4"


@pytest.mark.rule("korsun44", "12.1.4.B2", "12.6b")
def test_the_zoc_of_enemies_struck_before_does_not_count_in_later_segments() -> None:
    def power(status: str) -> int:
        men = [unit(PZ4, "0,0"), unit(T1, "1,0"), unit(D1, "-1,0", status=status)]
        q = {"target": "1,0", "units": [PZ4], "segment": "breakthrough"}
        return int(ask("attack", *men, q=q)["attack"]["total"])

    assert (power(""), power("struck")) == (4, 8)
