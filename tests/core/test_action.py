from __future__ import annotations

import pytest

from kessel.core.action import Notation
from kessel.core.errors import BadInput

from .toy import toy_board

N = Notation(
    [
        "move {unit} {path}",
        "attack {hex} with {units}",
        "support {units} by {word}",
        "build {hexside}",
        "spend {number}",
        "visit {places}",
        "roll",
    ]
)


def ids(*names: str) -> tuple[int, ...]:
    g = toy_board()
    return tuple(g.map.grid.hex(n) for n in names)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (("pass",), "pass"),
        (("roll",), "roll"),
        (("move", 0, ids("1,0", "2,0")), "move red 1,0-2,0"),
        (("attack", ids("3,0")[0], (0, 1)), "attack 3,0 with red blue"),
        (("support", (0,), "air"), "support red by air"),
        (("support", (), "air"), "support by air"),
        (("spend", 3), "spend 3"),
        (("visit", ids("1,0", "5,0")), "visit 1,0 5,0"),
    ],
)
def test_there_and_back(action: tuple[object, ...], text: str) -> None:
    g = toy_board()
    assert N.text(g, action) == text
    assert N.parse(g, text) == action


def test_a_hexside_is_read_from_either_hex() -> None:
    g = toy_board()
    side = g.map.grid.hexside(*ids("1,0", "2,0"))
    assert N.text(g, ("build", side)) == "build 1,0|2,0"
    assert N.parse(g, "build 1,0|2,0") == ("build", side)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with a verb"),
        ("fly red", "there is no action 'fly'"),
        ("move green 1,0", "no unit green"),
        ("move red 9,9", "no hex or box 9,9"),
        ("move red", "not of the form"),
        ("attack 3,0 by red", "not of the form"),
        ("spend much", "not a whole number"),
        ("roll again", "not of the form"),
        ("build 1,0", "not a hexside"),
        ("build 1,0|4,0", "not adjacent"),
    ],
)
def test_bad_notation_is_refused_with_a_reason(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        N.parse(toy_board(), text)


def test_parts_tell_a_client_what_to_ring() -> None:
    g = toy_board()
    assert N.parts(g, ("move", 0, ids("1,0", "2,0"))) == {"unit": "red", "path": ["1,0", "2,0"]}
    assert N.parts(g, ("attack", ids("3,0")[0], (0, 1))) == {"hex": "3,0", "units": ["red", "blue"]}
    assert N.parts(g, ("spend", 3)) == {"number": 3}


def test_a_template_with_an_unknown_kind_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="unknown kind"):
        Notation(["move {horse}"])
