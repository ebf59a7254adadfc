"""Hand-written positions: the documented example, and one clear sentence for whatever is wrong."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kessel.core.analysis import analyze, decode
from kessel.core.errors import BadInput
from kessel.games.kharkov43.answers.position import PositionDoc, from_position

from .helpers import PACK, ask, board, german, position, soviet

DOC = Path(__file__).parents[3] / "docs" / "positions-kharkov43.md"
EXAMPLE: dict[str, Any] = json.loads(re.findall(r"```json\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)[0])


def test_the_documented_example():
    assert json.loads((DOC.parent / "examples" / "kharkov43.json").read_text(encoding="utf-8")) == EXAMPLE
    moves, why, supply = analyze(json.dumps(EXAMPLE))["answers"]
    assert moves["allowance"] == 4
    assert moves["from"] == "1717"
    assert moves["garrisons_removed"] == {"hexes": ["1617"], "rule": "15.3"}
    assert "1617" in moves["reach"]
    assert why["legal"] is False
    assert why["refusal"]["rule"] == "10.1"
    assert supply["supply"] == {"traced": True, "path": ["1614", "1613"], "length": 2, "rule": "13.1"}
    assert supply["state"] == "out_of_supply"
    assert supply["support"]["supported"] is False


def refused(**changes: Any) -> str:
    doc = {**copy.deepcopy(EXAMPLE), **changes}
    with pytest.raises(BadInput) as e:
        analyze(json.dumps(doc))
    return str(e.value)


UNIT = {"id": "U", "at": "1616", "faces": "3-4", "formation": "XL"}


@pytest.mark.parametrize(
    ("changes", "where", "what"),
    [
        ({"turn": 15}, "$.turn", "1 to 14"),
        ({"vp": -1}, "$.vp", "0 to 99"),
        ({"weather": "rain"}, "$", "unknown field `weather`"),
        ({"ground": "swamp"}, "$.ground", "no ground condition 'swamp'"),
        ({"units": [{**UNIT, "at": "9999"}]}, "$.units[0].at", "no hex 9999"),
        ({"units": [{**UNIT, "id": "99.XL", "faces": ""}]}, "$.units[0].id", "no counter 99.XL"),
        ({"units": [{**UNIT, "faces": "strong"}]}, "$.units[0].faces", "not a face"),
        ({"units": [{**UNIT, "type": "boat"}]}, "$.units[0].type", "type 'boat'"),
        ({"units": [{**UNIT, "type": "armor mechanized"}]}, "$.units[0].type", "more types than faces"),
        ({"units": [{**UNIT, "faces": "1-1 1-1 1-1 1-1"}]}, "$.units[0].faces", "one to three steps"),
        ({"units": [{**UNIT, "id": " "}]}, "$.units[0].id", "needs an id"),
        ({"cards": {"hand": "E01"}}, "$.cards.hand", "a Soviet card"),
        ({"cards": {"auxiliary": "P41"}}, "$.cards.auxiliary", "a German card"),
        ({"phase": "german_activation", "card": "E01"}, "$.card", "a Soviet card"),
        ({"units": [{**UNIT, "formation": "Foreign"}]}, "$.units[0].formation", "no formation 'Foreign'"),
        ({"units": [{**UNIT, "steps": 2}]}, "$.units[0].steps", "1 to 1 steps"),
        ({"units": [{**UNIT, "status": ["tired"]}]}, "$.units[0].status[0]", "no status 'tired'"),
        ({"units": [UNIT, UNIT]}, "$.units[1]", "listed twice"),
        ({"units": [UNIT, {**UNIT, "id": "V", "formation": "6"}]}, "$", "both sides stand in 1616"),
        ({"soviet_towns": "1616"}, "$.soviet_towns", "neither a town nor a city"),
        ({"garrisons": "1616"}, "$.garrisons", "no garrison stands there"),
        ({"improved_positions": "1514"}, "$.improved_positions", "no unit is in 1514"),
        ({"objectives": {"Steppe": {"hex": "1615"}}}, "$.objectives.Steppe", "no objective 'Steppe'"),
        ({"objectives": {"40": {"hex": "1615", "stage": 7}}}, "$.objectives.40.stage", "1, 2 or 3"),
        ({"cards": {"sleeve": "P23"}}, "$.cards.sleeve", "no pile 'sleeve'"),
        ({"cards": {"hand": "P99"}}, "$.cards.hand", "no card P99"),
        ({"activated": "XXX"}, "$.activated", "no corps 'XXX'"),
        ({"phase": "siesta"}, "$.phase", "no phase 'siesta'"),
        ({"phase": "german_activation"}, "$.card", "needs the card"),
        ({"options": {"garrison_removed": "often"}}, "$.options.garrison_removed", "is one of"),
        ({"options": {"colour": "red"}}, "$.options.colour", "no option 'colour'"),
        ({"ask": [{"question": "moves", "unit": "Z"}]}, "$.ask[0].unit", "no unit Z"),
        ({"ask": [{"question": "moves", "unit": "A", "mode": "fly"}]}, "$.ask[0].mode", "no mode 'fly'"),
        ({"ask": [{"question": "supply", "hex": "1615", "side": "red"}]}, "$.ask[0].side", "no side 'red'"),
        ({"ask": [{"question": "supply", "hex": "9999", "side": "german"}]}, "$.ask[0].hex", "no hex 9999"),
        ({"ask": [{"question": "tea"}]}, "$.ask[0].question", "answers no question 'tea'"),
        ({"ask": [{"question": "legal"}]}, "$.ask[0]", "names no phase"),
    ],
)
def test_what_is_wrong_is_said_with_its_path(changes: dict[str, Any], where: str, what: str) -> None:
    message = refused(**changes)
    assert what in message
    assert message.startswith(f"{where}: ")


def test_words_of_the_board_are_checked():
    def broken(**changes: Any) -> str:
        return refused(board={**copy.deepcopy(EXAMPLE["board"]), **changes})

    hexes = copy.deepcopy(EXAMPLE["board"]["hexes"])
    assert "there is no terrain 'swamp'" in broken(hexes={**hexes, "1513": {"terrain": "swamp"}})
    assert "there is no feature 'castle'" in broken(hexes={**hexes, "1513": {"features": ["castle"]}})
    assert "there is no hexside 'canal'" in broken(hexsides={"1513|1514": ["canal"]})
    assert "there is no link 'rail'" in broken(links=[{"kind": "rail", "path": "1513 1514"}])
    assert "there is no area 'moon'" in broken(areas={"moon": "1513"})
    assert "edge hex of both sides" in broken(areas={"german_edge": "1513", "soviet_edge": "1513"})


def test_an_axial_board_works():
    cells = {f"{q},{r}": {} for q in range(-3, 4) for r in range(-3, 4)}
    axial = {"grid": {"numbering": "axial"}, "hexes": cells, "areas": {"german_edge": "-3,0"}}
    g = position(board=axial, units=[german("A", "0,0"), soviet("S", "2,0")])
    found = ask(g, "moves", unit="A")["reach"]
    assert found["1,0"] == {"cost": 1.0, "path": ["1,0"], "stops": True}


def test_the_printed_map_and_counters():
    g = position(board="", units=[{"id": "1GC.3T", "at": "1102"}, {"id": "298.LVII", "at": "1003", "steps": 2}])
    assert g.strength(1) == 3
    assert ask(g, "supply", unit="1GC.3T")["supply"]["traced"]


def test_questions_about_everything_at_once():
    g = position(board=board(german_edge="1923"), units=[german("A", "1920"), soviet("S", "1710")], turn=4)
    assert ask(g, "supply")["units"] == {
        "A": {"traced": True, "state": "supplied"},
        "S": {"traced": False, "state": "supplied"},
    }
    assert set(ask(g, "supply", side="german")["units"]) == {"A"}
    assert set(ask(g, "zoc")) == {"question", "rule", "german", "soviet"}


def test_legal_actions_of_a_position():
    g = position(
        board=board(german_edge="1923"),
        phase="german_impulse",
        cards={"hand": "P26 P27"},
        units=[german("A", "1920", corps="XL")],
    )
    answer = ask(g, "legal")
    assert answer["side"] == "german"
    assert answer["rule"] == "5.1"
    assert {"play P26 activate", "play P26 one_unit", "play P27 one_unit"} == set(answer["actions"])
    assert ask(g, "legal", action="play P26 activate")["legal"]
    assert ask(g, "legal", action="play P27 activate")["refusal"]["rule"] == "6.0"
    with pytest.raises(BadInput, match="no action 'dance'"):
        ask(g, "legal", action="dance")


words = st.sampled_from(["", "1615", "german", "reserve", "-", "3-4", "P26", "é"])
fields = st.sampled_from(["id", "at", "hex", "faces"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 40) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(fields, inner, max_size=3),
    max_leaves=4,
)


def paths(doc: Any, prefix: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [prefix]
    if isinstance(doc, dict):
        for k, v in doc.items():
            found += paths(v, (*prefix, k))
    elif isinstance(doc, list):
        for i, v in enumerate(doc):
            found += paths(v, (*prefix, i))
    return found


@pytest.mark.fuzz
@settings(max_examples=300)
@given(st.data())
def test_mutated_positions_are_read_or_refused_with_a_sentence(data):
    doc = copy.deepcopy(EXAMPLE)
    doc["phase"], doc["cards"] = "german_impulse", {"hand": "P26 P41"}
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.sampled_from([p for p in paths(doc) if p]))
        at: Any = doc
        try:
            for key in where[:-1]:
                at = at[key]
            if data.draw(st.booleans()):
                at[where[-1]] = data.draw(values)
            elif isinstance(at, dict):
                del at[where[-1]]
        except (KeyError, IndexError, TypeError):
            continue
    answers, refusal = [], ""
    try:
        answers = analyze(json.dumps(doc))["answers"]
    except BadInput as e:
        refusal = str(e)
    assert "\n" not in refusal
    assert refusal or len(answers) == len(doc.get("ask", ()))


def test_the_position_type_is_strict():
    with pytest.raises(BadInput):
        decode(b'{"game": "kharkov43", "units": [{"id": "A"}]}', PositionDoc)
    doc = msgspec.convert({"game": "kharkov43"}, PositionDoc)
    assert from_position(doc, PACK).turn == 1


def test_a_phase_that_ends_without_a_choice_offers_nothing():
    """What its steps did can still be asked."""
    g = position(units=[german("A", "1910")], turn=5, phase="supply_phase")
    assert ask(g, "legal") == {"question": "legal", "side": "", "rule": "", "prompt": "", "actions": []}
    assert ask(g, "legal", action="lose A")["refusal"] == {
        "rule": "4.0",
        "reason": "the supply phase ended without a choice",
    }
    assert ask(g, "supply", unit="A")["state"] == "out_of_supply"
