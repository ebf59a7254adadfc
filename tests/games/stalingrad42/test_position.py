"""Hand-written positions and their questions."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kessel.core.analysis import analyze
from kessel.core.dice import Scripted
from kessel.core.errors import BadInput
from kessel.core.procedure import run
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.data.forces import read_counters

from .helpers import PACK, area, ask, choices, do, position, read, refused, rule, start, u

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "docs" / "examples" / "stalingrad42.json"


def test_the_documented_example_is_the_file_and_is_answered():
    text = (ROOT / "docs" / "positions-stalingrad42.md").read_text(encoding="utf-8")
    shown = re.search(r"```json\n(.*?)```", text, re.S)
    assert shown is not None
    assert json.loads(shown[1]) == json.loads(EXAMPLE.read_text(encoding="utf-8"))
    answers = analyze(EXAMPLE.read_bytes())["answers"]
    assert [a["question"] for a in answers] == ["moves", "moves", "zoc", "supply", "stacking", "legal"]
    assert answers[1]["refusal"]["rule"] == "7.2"
    assert answers[3]["state"] == "isolated"


GOOD = {"A": "axis 3-5-3 0,0", "X": "soviet 3-5-3 3,0"}


def broken(path: list, value) -> bytes:
    doc = position(GOOD)
    doc["ask"] = [{"question": "moves", "unit": "A"}]
    here = doc
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return json.dumps(doc).encode()


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (["turn"], 37, "$.turn"),
        (["weather"], "fog", "$.weather"),
        (["side"], "german", "$.side"),
        (["phase"], "lunch", "$.phase"),
        (["colour"], "red", "$"),
        (["units", 0, "eliminated"], True, "$.units[0].eliminated"),
        (["units", 0, "box"], 2, "$.units[0].box"),
        (["units", 1, "box"], 2, "$.units[1].box"),
        (["units", 0, "at"], "9,9", "$.units[0].at"),
        (["units", 0, "values"], "3-5", "$.units[0].values"),
        (["units", 0, "type"], "elephant", "$.units[0].type"),
        (["units", 0, "status"], ["asleep"], "$.units[0].status"),
        (["units", 0, "status"], ["disrupted", "full_retreat"], "$.units[0].status"),
        (["units", 0, "steps"], 4, "$.units[0].steps"),
        (["units", 0, "steps"], 0, "$.units[0].steps"),
        (["units", 0, "box"], 9, "$.units[0].box"),
        (["units", 1, "id"], "A", "$.units[1]"),
        (["units", 1, "id"], "two words", "$.units[1].id"),
        (["units", 0, "nation"], "soviet", "$.units[0].nation"),
        (["control"], {"0,0": "axis"}, "$.control.0,0"),
        (["control"], {"9,9": "axis"}, "$.control.9,9"),
        (["forts"], {"0,0": "axis broken"}, "$.forts.0,0"),
        (["railheads"], ["9,9"], "$.railheads[0]"),
        (["repaired"], "0,0", "$.repaired"),
        (["areas"], {"Q": "axis"}, "$.areas.Q"),
        (["flotilla"], "0,0", "$.flotilla"),
        (["city_battles"], {"0,0": 1}, "$.city_battles.0,0"),
        (["air"], {"Zeppelin": "ready"}, "$.air.Zeppelin"),
        (["options"], {"cheat": "on"}, "$.options.cheat"),
        (["options"], {"reserves": "maybe"}, "$.options.reserves"),
        (["deactivated"], ["fort_group_east"], "$.deactivated"),
        (["board", "hexes", "0,0"], {"terrain": "lava"}, "$.board.hexes.0,0.terrain"),
        (["board", "hexsides"], {"0,0|1,0": "moat"}, "$.board.hexsides.0,0|1,0"),
        (["board", "links"], [{"kind": "canal", "path": "0,0 1,0"}], "$.board.links[0].kind"),
        (["ask", 0, "unit"], "B", "$.ask[0].unit"),
        (["ask", 0, "to"], "9,9", "$.ask[0].to"),
        (["ask", 0, "mode"], "balloon", "$.ask[0].mode"),
        (["ask", 0, "question"], "why", "$.ask[0].question"),
    ],
)
def test_bad_input_is_refused_with_its_place(path, value, where):
    with pytest.raises(BadInput) as caught:
        analyze(broken(path, value))
    assert caught.value.where == where


def test_actions_that_are_not_legal_are_refused_with_their_place():
    doc = position(GOOD)
    for after, where in ((["move X"], "$.ask[0].after[0]"), (["move A", "fly"], "$.ask[0].after[1]")):
        doc["ask"] = [{"question": "legal", "after": after}]
        with pytest.raises(BadInput) as caught:
            analyze(json.dumps(doc).encode())
        assert caught.value.where == where


def test_a_unit_of_the_pack_needs_no_values_and_may_be_changed():
    doc = position({})
    doc["units"] = [{"id": "24Pz", "at": "0,0"}, {"id": "16TC", "at": "3,0", "steps": 1}, {"id": "Nobody", "at": "1,0"}]
    with pytest.raises(BadInput, match="no counter Nobody"):
        analyze(json.dumps(doc).encode())
    doc["units"].pop()
    doc["ask"] = [{"question": "moves", "unit": "24Pz"}]
    assert analyze(json.dumps(doc).encode())["answers"][0]["allowance"] == 6


def test_the_printed_board_serves_a_position_without_one():
    doc = {
        "game": "stalingrad42",
        "units": [{"id": "24Pz", "at": "1303"}],
        "ask": [{"question": "supply", "unit": "24Pz"}],
    }
    assert analyze(json.dumps(doc).encode())["answers"][0]["state"] == "in supply"


def test_entry_areas_of_single_scenarios_are_there_only_if_named():
    doc = {
        "game": "stalingrad42",
        "units": [{"id": "16TC", "at": "4105"}],
        "ask": [{"question": "moves", "unit": "16TC"}],
    }
    doc["side"] = "soviet"
    assert "M" not in {m["to"] for m in analyze(json.dumps(doc).encode())["answers"][0]["moves"]}
    doc["areas"] = {"M": "soviet"}
    assert "M" in {m["to"] for m in analyze(json.dumps(doc).encode())["answers"][0]["moves"]}


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(200))
def test_mutated_positions_are_read_or_refused(seed):
    import random

    r = random.Random(seed)
    doc = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    junk = [None, -1, 0, 99999, "", "0,0", "axis", [], {}, [1], {"a": 1}, True, "1,0|0,0", 3.5]

    def places(x, path=()):
        yield path
        if isinstance(x, dict):
            for k in x:
                yield from places(x[k], (*path, k))
        elif isinstance(x, list):
            for k in range(len(x)):
                yield from places(x[k], (*path, k))

    for _ in range(r.randint(1, 3)):
        path = r.choice([p for p in places(doc) if p])
        here = doc
        for key in path[:-1]:
            here = here[key]
        if r.random() < 0.3 and isinstance(here, dict):
            here.pop(path[-1])
        else:
            here[path[-1]] = r.choice(junk)
    answers, refusal = [], ""
    try:
        answers = analyze(json.dumps(doc).encode())["answers"]
    except BadInput as e:
        refusal = str(e)
    assert "\n" not in refusal
    assert refusal or len(answers) == len(doc.get("ask", ()))


CITY = {"terrain": {"0,0": "minor_city"}}


@pytest.mark.parametrize(
    ("units", "more", "where"),
    [
        ({"A": "axis 3-5-3 0,0", "X": "soviet 3-5-3 0,0"}, {}, "$.units[0].at"),
        ({"A": "axis 3-5-3 0,0", "X": "soviet 3-5-3 0,0"}, CITY | {"city_battles": {"0,0": 1}}, "$.units[0].at"),
        ({}, CITY | {"city_battles": {"0,0": 2}}, "$.city_battles.0,0"),
        ({}, {"flotilla": "0,0|1,0"}, "$.flotilla"),
        ({}, {"railheads": ["0,0"]}, "$.railheads[0]"),
        ({}, {"rules": ["31.0", "99.9"]}, "$.rules[1]"),
        ({}, {"resource_points": -1}, "$.resource_points"),
        ({"A": "axis 3-5-3 0,0 offensives=1"}, {}, "$.units[0].offensives"),
        ({"A": "axis S-(1)-5b 0,0 hq offensives=3"}, {}, "$.units[0].offensives"),
        ({"A": "axis 3-5-3 0,0"}, {"terrain": {"0,0": "sea"}}, "$.units[0].at"),
        ({}, {"terrain": {"0,0": "sea"}, "forts": {"0,0": "axis"}}, "$.forts.0,0"),
    ],
)
def test_what_the_rules_exclude_is_refused_with_its_place(units, more, where):
    with pytest.raises(BadInput) as caught:
        analyze(json.dumps(position(units, **more)))
    assert caught.value.where == where


def test_what_they_allow_is_read():
    both = {"A": "axis 3-5-3 0,0", "X": "soviet 3-5-3 0,0", "S": "axis 0-0-5 1,0 supply", "Y": "soviet 3-5-3 1,0"}
    doc = position(both, terrain={"0,0": "major_city"}, city_battles={"0,0": 2}, options={"contested_cities": "on"})
    assert analyze(json.dumps(doc)) == {"answers": []}
    doc = position(hexsides={"0,0|1,0": ["volga"]}, flotilla="0,0|1,0", links=[("rail", "0,0 -1,0")], railheads=["0,0"])
    assert analyze(json.dumps(doc)) == {"answers": []}


def test_mud_does_not_ground_the_air_units():
    doc = position({"A": "axis 3-5-3 0,0"}, weather="mud", phase="initial", turn=23)
    doc["ask"] = [{"question": "legal"}]
    assert analyze(json.dumps(doc))["answers"][0]["actions"]


def test_a_box_where_a_hex_belongs_is_refused_with_a_sentence():
    from kessel.core.procedure import why_not

    from .helpers import NOTATION, start

    line = {"links": [("rail", "-4,0 -3,0 -2,0", "green")], "boxes": [area("Z", "axis", "-4,0")]}
    g = start({}, phase="supply", repaired="-4,0 -3,0", railheads=["-3,0"], **line)
    why = why_not(g, NOTATION.parse(g, "repair Z -2,0"))
    assert why is not None
    assert why.reason == "there is no Railhead in Z"


@pytest.mark.parametrize(
    ("fields", "column"),
    [
        ({"id": "T", "side": "axis", "values": "10-8-6", "type": "tank", "mech": False}, "mech"),
        ({"id": "I", "side": "axis", "values": "4-4-3", "type": "infantry", "infantry_type": False}, "infantry_type"),
        ({"id": "177+243StuG", "free_stacking": False}, "free_stacking"),
    ],
)
def test_a_field_that_says_no_is_heard(fields, column):
    from .helpers import read

    doc = position()
    doc["units"] = [{"at": "0,0", **fields}]
    assert not getattr(read(doc).forces, column)[0]


def test_a_counter_with_other_values_keeps_the_rest():
    from .helpers import read

    doc = position()
    doc["units"] = [{"id": "24Pz", "at": "0,0", "values": "12-9-6;8-7-6"}]
    g = read(doc)
    assert g.attack(0) == 12
    assert g.forces.quality[0] > 0
    assert g.forces.side[0] == 0


def test_an_action_that_is_not_allowed_is_told_in_its_own_words():
    doc = position({"A": "axis 3-5-3 0,0"})
    doc["ask"] = [{"question": "legal", "after": ["move A", "to 4,0 tactical"]}]
    with pytest.raises(BadInput) as caught:
        analyze(json.dumps(doc))
    assert caught.value.where == "$.ask[0].after[1]"
    assert caught.value.message.startswith("to 4,0 tactical is not legal: ")


def test_victory_points_off_the_track_are_refused():
    with pytest.raises(BadInput) as caught:
        analyze(json.dumps(position() | {"vp": -(10**12)}))
    assert caught.value.where == "$.vp"


def on_the_map(units: list[dict[str, Any]], **more: Any) -> Board:
    g = read({"game": "stalingrad42", "units": units, **more})
    g.events, g.dice = [], Scripted(())
    return g


PANZER = [{"id": "24Pz", "at": "2101"}, {"id": "AxSP1", "at": "2101"}]
CORPS = [{"id": "16TC", "at": "4618"}, {"id": "21TC", "at": "A"}]


@rule("S1.2b")
@rule("S4.2")
@pytest.mark.parametrize(
    ("rules", "turn", "why"), [(["S4.2"], 1, "S4.2"), (["S1.2"], 1, "S1.2"), (["S4.2"], 2, ""), ([], 1, "")]
)
def test_a_position_of_the_first_turn_moves_tactically(rules, turn, why):
    g = on_the_map(PANZER, rules=rules, turn=turn)
    found = ask(g, "moves", unit="24Pz", to="2401")
    assert found.get("refusal", {"rule": ""})["rule"] == why
    assert ask(g, "moves", unit="AxSP1", to="2401")["mode"] == "normal", "Supply Points move fully"
    assert ask(g, "moves", unit="24Pz", to="2301", mode="tactical")["cost"] == 2
    run(g)
    do(g, "move 24Pz")
    assert ("to 2401 normal" in choices(g)) is (why == "")


@rule("S3.4c")
def test_a_position_of_the_first_turn_of_uranus_moves_tactically_or_by_rail():
    g = on_the_map(CORPS, rules=["S3.4"], turn=28, side="soviet", weather="overcast_w")
    assert ask(g, "moves", unit="16TC", to="4622")["refusal"]["rule"] == "S3.4"
    assert ask(g, "moves", unit="21TC", to="2100", mode="rail")["mode"] == "rail"
    assert {m["mode"] for m in ask(g, "moves", unit="21TC")["moves"]} == {"tactical", "rail"}


@rule("S2.4a")
def test_a_position_of_the_pre_move_has_neither_rail_nor_extended_movement():
    g = on_the_map(CORPS, rules=["S2.4"], turn=10, side="soviet")
    assert ask(g, "moves", unit="21TC", to="2100", mode="rail")["refusal"]["rule"] == "S2.4.1"
    assert ask(g, "moves", unit="21TC", to="2100")["refusal"]["rule"] == "S2.4.1", "only units on the map move"
    assert {m["mode"] for m in ask(g, "moves", unit="16TC")["moves"]} == {"normal", "tactical"}
    run(g)
    do(g, "pass")
    assert not g.stack, "the pre-move is all there is"


@rule("33.2.3b")
@rule("33.2.3d")
def test_a_position_of_the_interchange_turn():
    units = [*PANZER, {"id": "X", "side": "soviet", "values": "3-5-3", "at": "2201"}]
    g = on_the_map(units, rules=["33.2.3"], turn=26)
    assert {m["mode"] for m in ask(g, "moves", unit="24Pz")["moves"]} == {"tactical"}
    g = on_the_map(units, rules=["33.2.3"], turn=26, phase="combat")
    run(g)
    assert choices(g) == {"disengage 24Pz", "pass"}
    with pytest.raises(BadInput, match=r"\$\.phase"):
        on_the_map(units, rules=["33.2.3"], turn=26, phase="supply")


@rule("30.0b")
@rule("20.8a")
def test_units_in_the_boxes_of_a_position_arrive():
    front = [{"id": f"T{i}", "side": "soviet", "values": "3-5-3", "groups": ["trans_caucasus"]} for i in range(2)]
    g = on_the_map([{"id": "24Pz", "at": "3850"}, *front], rules=["30"], turn=12, side="soviet", phase="initial")
    run(g)
    assert {f"arrive T{i} {area_}" for i in range(2) for area_ in "GHJKL"} <= choices(g)
    do(g, "arrive T0 G")
    assert not any(c.startswith("arrive") for c in choices(g)), "one a turn"
    away = on_the_map([{"id": "24Pz", "at": "3830"}, *front], rules=["30"], turn=12, side="soviet", phase="initial")
    run(away)
    assert not any(c.startswith("arrive") for c in choices(away)), "no Axis unit is south of row 40"
    troops = [{"id": "V", "side": "axis", "values": "1-2-3", "nation": "caucasian", "groups": ["volunteer"]}]
    homes = [{"id": "24Pz", "at": "2850"}, {"id": "23Pz", "at": "4549"}]
    g = on_the_map([*homes, *troops], turn=12, phase="initial")
    run(g)
    assert {"enlist V 2850", "enlist V 4549"} <= choices(g)


@rule("33.1")
def test_a_chapter_named_brings_all_its_rules():
    g = on_the_map(CORPS, rules=["33"], turn=25, side="soviet", phase="initial")
    run(g)
    assert "winter_offensive" in choices(g)
    assert {"32.1", "32.2", "32.3", "32.5"} <= on_the_map([], rules=["32"]).scenario.rules


INITIAL: dict[str, Any] = {
    "boxes": [area("Z", "axis", "-4,0")],
    "links": [("primary", "-4,0 -3,0 -2,0 -1,0 0,0")],
    "phase": "initial",
}
REDUCED = {"A": "axis 6-7-3;4-5-3 0,0 steps=1 replacements=infantry", "B": "axis 6-7-3;4-5-3 0,0 replacements=infantry"}


@rule("18.1a")
@pytest.mark.parametrize("points", [0, 1, 2])
def test_a_position_says_its_resource_points(points):
    g = start(REDUCED, resource_points=points, **INITIAL)
    for _ in range(points):
        do(g, "build", sorted(c for c in choices_after(g, "build"))[0])
    assert refused(g, "build") == "18.1"


def choices_after(g: Board, text: str) -> set[str]:
    t = g.copy()
    do(t, text)
    return choices(t)


@rule("21.1.1a")
def test_a_position_says_its_replacements():
    g = start(REDUCED, replacements={"infantry": 1}, **INITIAL)
    assert {c for c in choices(g) if c.startswith("restore")} == {"restore A infantry"}
    do(g, "restore A infantry")
    assert g.steps[u(g, "A")] == 2
    g = start(REDUCED, replacements={}, **INITIAL)
    assert refused(g, "restore A infantry") == "21.1.1"
    for wrong, where in (({"guards": 1}, "guards"), ({"tank": -1}, "tank")):
        with pytest.raises(BadInput, match=rf"\$\.replacements\.{where}"):
            read(position(REDUCED, replacements=wrong, **INITIAL))


@rule("5.1d")
@rule("5.6.2a")
def test_a_position_may_stand_in_the_middle_of_a_phase():
    g = start({"A": "axis 3-5-3 0,0 done", "B": "axis 3-5-3 0,1"})
    assert choices(g) == {"move B", "pass"}
    assert ask(g, "moves", unit="A", to="1,0")["refusal"]["rule"] == "5.1"
    line = [("rail", " ".join(f"{i},0" for i in range(-4, 5)))]
    trains = {f"T{i}": f"soviet 3-5-3 {i},0 train" for i in range(4)}
    for number in (3, 4):
        units = {k: trains[k] for k in sorted(trains)[:number]} | {"U": "soviet 3-5-3 A"}
        g = start(units, links=line, boxes=[area("A", "soviet", "4,0")], side="soviet")
        do(g, "move U")
        assert any(c.startswith("rail") for c in choices(g)) is (number < 4)
        assert ("refusal" in ask(g, "moves", unit="U", to="-4,0", mode="rail")) is (number == 4)
    units = {"A": "axis 9-5-3 0,0 attacked", "B": "axis 9-5-3 0,1", "X": "soviet 3-5-3 1,0 defended"}
    g = start(units, phase="combat")
    assert refused(g, "attack 1,0") == "8.1"


def one(**fields: Any) -> tuple[Board, int]:
    """A board with a unit written out, and the unit."""
    doc = position({})
    doc["units"] = [{"id": "U", "side": "axis", "at": "0,0"} | fields]
    g = read(doc)
    return g, u(g, "U")


@rule("18.2.1a")
@rule("18.2.3d")
@pytest.mark.parametrize(
    ("fields", "asu"),
    [
        ({"values": "S-(1)-5b"}, "army_hq"),
        ({"values": "S-(1)-5b;0-(1)-5"}, "army_hq"),
        ({"values": "S-(1)-5b", "side": "soviet"}, "front_hq"),
        ({"values": "0-(1)-5", "asu": "army_hq"}, "army_hq"),
        ({"values": "S-(1)-5b", "type": "support_hq"}, "army_hq"),
        ({"values": "S-(1)-4b", "type": "artillery", "side": "soviet"}, "artillery_division"),
        ({"values": "S-(1)-4b", "asu": "artillery_division", "side": "soviet"}, "artillery_division"),
        ({"values": "3-5-3"}, ""),
    ],
)
def test_an_asu_is_known_by_its_face_its_type_or_its_word(fields, asu):
    g, who = one(**fields)
    assert g.forces.asu[who] == asu
    assert bool(g.forces.mech[who]) is bool(asu)
    assert g.forces.full_steps[who] == 1


@rule("18.6.2")
def test_a_supply_point_has_its_ready_side():
    for values in ("0-0-5b", "0-0-5b;S-0-T"):
        g, who = one(values=values, type="supply", status=["flipped"])
        assert g.face(who).tactical_only
        assert g.forces.full_steps[who] == 1


@rule("2.3.2e")
@rule("21.5.2")
def test_what_a_written_unit_is_by_its_type():
    def values(**fields: Any) -> tuple[str, int, bool]:
        g, who = one(values="3-5-3", **fields)
        return g.forces.size[who], g.forces.quality[who], bool(g.forces.free_stacking[who])

    assert values(side="soviet", branch="guards") == ("division", 1, False)
    assert values(side="soviet", type="tank") == ("corps", 0, False)
    assert values(side="soviet", type="tank", free_stacking=True) == ("brigade", 0, True)
    assert values(side="soviet", type="naval") == ("brigade", 0, False)
    assert values(type="sturmgeschuetz") == ("division", 0, True)
    assert values(type="sturmgeschuetz", free_stacking=False, size="battalion") == ("battalion", 0, False)
    assert values(type="tank") == ("division", 0, False)


@rule("2.3.3a")
@pytest.mark.parametrize(
    ("fields", "kind", "mech"),
    [
        ({"dot": "red"}, "tank", True),
        ({"dot": "black", "side": "soviet"}, "tank", True),
        ({"dot": "black", "free_stacking": True}, "sturmgeschuetz", True),
        ({"dot": "black", "free_stacking": True, "side": "soviet"}, "t34", True),
        ({"dot": "white"}, "tank_destroyer", True),
        ({"dot": "black", "type": "motorized"}, "motorized", True),
        ({"branch": "nkvd", "side": "soviet"}, "nkvd", False),
        ({"branch": "naval", "side": "soviet"}, "naval", False),
        ({}, "infantry", False),
    ],
)
def test_a_written_unit_is_of_the_type_its_dot_or_colour_tells(fields, kind, mech):
    g, who = one(values="3-5-3", **fields)
    assert g.forces.type[who] == kind
    assert bool(g.forces.mech[who]) is mech


@rule("21.1.2a")
@rule("21.1.2b")
@rule("21.1.2c")
@rule("21.1.2d")
@rule("21.1.2e")
@rule("21.5.1")
def test_written_units_take_the_replacements_of_their_type_as_the_counters_do():
    for spec in read_counters(PACK).values():
        if not spec.replacements or spec.type in ("supply", "leader", "army_hq", "reserve_army"):
            continue
        doc = {"type": spec.type, "nation": spec.nation, "side": spec.side, "free_stacking": spec.free_stacking}
        g, who = one(values="3-5-3", **doc)
        assert set(g.forces.replacements[who]) == set(spec.replacements), spec.id


def test_a_box_is_an_entry_area_unless_it_says_otherwise():
    doc = position({"A": "axis 3-5-3 0,0"})
    doc["board"]["boxes"] = [{"id": "Z", "side": "axis", "hexes": "-4,0"}]
    assert ask(read(doc), "supply", unit="A")["state"] == "in supply"


def test_shipping_paths_and_rail_ferries_need_no_word_of_their_own():
    doc = position({"S": "soviet 3-5-3 0,0"}, side="soviet", features={"0,0": ["port"], "3,0": ["port"]})
    for name in ("0,0", "3,0"):
        doc["board"]["hexes"][name]["sea"] = "black"
    doc["board"]["links"] = [{"kind": "shipping_path", "path": "0,0 3,0", "sea": "black"}]
    doc["control"] = {"0,0": "soviet", "3,0": "soviet"}
    assert ask(read(doc), "moves", unit="S", to="3,0", mode="sea")["mode"] == "sea"


@pytest.mark.parametrize(
    ("where", "change"),
    [
        ("boxes[0].kind", {"boxes": [{"id": "Z", "kind": "area", "side": "axis", "hexes": "-4,0"}]}),
        ("boxes[0].side", {"boxes": [{"id": "Z", "side": "german", "hexes": "-4,0"}]}),
        ("hexes.0,0.features", {"hexes": {"0,0": {"features": ["airport"]}}}),
        ("hexes.0,0.sea", {"hexes": {"0,0": {"features": ["port"], "sea": "caspian"}}}),
        ("links[0].features", {"links": [{"kind": "rail", "path": "0,0 1,0", "features": ["gren"]}]}),
        ("links[0].sea", {"links": [{"kind": "shipping_path", "path": "0,0 1,0", "sea": "red"}]}),
    ],
)
def test_words_of_a_board_that_mean_nothing_are_refused(where, change):
    doc = position({"A": "axis 3-5-3 0,0"})
    doc["board"] |= change
    with pytest.raises(BadInput, match=re.escape(f"$.board.{where}: there is no")):
        read(doc)


@rule("5.5.3d")
def test_the_flotilla_of_a_position_is_on_the_volga_north_of_5622():
    text = (ROOT / "docs" / "positions-stalingrad42.md").read_text(encoding="utf-8")
    shown = re.search(r"Flotilla's hexside, `(\d{4})\\\|(\d{4})`", text)
    assert shown is not None
    assert on_the_map([], flotilla=f"{shown[1]}|{shown[2]}").flotilla
    for wrong in ("6424|6525", "2101|2201"):
        with pytest.raises(BadInput, match=r"\$\.flotilla"):
            on_the_map([], flotilla=wrong)


def initial(turn: int, units: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    doc = {"game": "stalingrad42", "turn": turn, "phase": "initial", "units": units, "ask": [{"question": "legal"}]}
    return analyze(json.dumps(doc | more).encode())["answers"][0]


@rule("32.4")
@rule("32.5")
def test_counters_are_upgraded_in_positions_of_the_campaign_too():
    found = initial(13, [{"id": "Wiking", "at": "1103"}], rules=["32"])
    assert {"what": "Wiking-T13 takes the place of Wiking", "rule": "32.4"} in found["told"]
    assert initial(13, [{"id": "Wiking", "eliminated": True}], rules=["32"])["actions"] == [
        f"place {p}" for p in "WXYZ"
    ]
    found = initial(20, [{"id": "Michalik", "at": "1103"}], rules=["32.5"])
    assert {"what": "27Pz takes the place of Michalik", "rule": "32.5"} in found["told"]
    for turn, rules in ((12, ["32"]), (13, []), (13, ["32.5"])):
        assert "told" not in initial(turn, [{"id": "Wiking", "at": "1103"}], rules=rules)


@rule("18.1d")
@rule("18.6.1")
@rule("33.2.1b")
def test_supply_points_lie_ready_in_an_initial_phase():
    found = initial(3, [{"id": "24Pz", "at": "1103"}])
    assert {f"supply {p}" for p in "WXYZ"} <= set(found["actions"])
    assert not any(x.startswith("supply") for x in initial(3, [], resource_points=0)["actions"])
    units = [{"id": "Bryansk-F", "at": "2701"}]
    ask = {"question": "legal", "after": ["winter_offensive", "offensive Bryansk-F", "offensive Bryansk-F"]}
    found = initial(25, units, side="soviet", rules=["33"], ask=[ask])
    assert found["actions"] == ["stock Bryansk-F"]


@rule("33.2.3c")
def test_in_a_position_of_the_interchange_turn_units_have_detrained():
    units = {"T": "axis 4-5-3 -2,0 train", "X": "soviet 3-5-3 3,0"}
    more = {"links": [("rail", "-3,0 -2,0 -1,0")], "repaired": "all"}
    g = start(units, rules=["33.2.3"], **more)
    assert "move T" in choices(g)
    assert ask(g, "moves", unit="T", to="0,0")["mode"] == "tactical"
    g = start(units, **more)
    assert refused(g, "move T") == "5.6.5", "in a regular turn it has just come by rail"


@rule("S1.2h")
@rule("S1.2d")
def test_first_turn_rules_of_fall_blau_hold_in_positions():
    doc = {
        "game": "stalingrad42",
        "rules": ["S1.2"],
        "units": [{"id": "14Pz", "at": "1823"}, {"id": "24Pz", "at": "1823"}, {"id": "1TC", "at": "1923"}],
        "ask": [{"question": "moves", "unit": "14Pz"}, {"question": "attack", "target": "1923", "units": ["14Pz"]}],
    }
    moves, attack = analyze(json.dumps(doc).encode())["answers"]
    assert moves["refusal"]["rule"] == attack["refusals"][0]["rule"] == "S1.2"
    doc |= {"turn": 2}
    moves, attack = analyze(json.dumps(doc).encode())["answers"]
    assert moves["moves"]
    assert attack["legal"]
    edge = {"boxes": [area("N", "soviet", "3,0 2,1")]}
    for rules, exit_ in ((["S1.2"], True), ([], False)):
        g = start({"A": "axis 6-5-6 1,0 tank"}, turn=3, rules=rules, **edge)
        do(g, "move A")
        assert ("to N normal" in choices(g)) is exit_
