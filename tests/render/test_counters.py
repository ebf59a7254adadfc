"""Counters: every kind has a symbol, everything a player must see is on them, sides stay apart for every eye."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from kessel.core.view import Piece
from kessel.render import counter_document, counter_svg, face_key, stack_svg
from kessel.render.counters import BADGES, SIZE, CounterStyle
from kessel.render.fonts import text_width
from kessel.render.style import NATIONS, SIDES
from kessel.render.symbols import KINDS, PARTS, initials, symbol


def texts(svg: str) -> list[str]:
    return [t.text or "" for t in ET.fromstring(f"<g>{svg}</g>").iter("text")]


def test_a_counter_shows_name_size_values_formation_and_steps() -> None:
    piece = Piece("16Pz", "axis", "1203", name="16th Panzer", kind="armor", size="XX", values="10-8-6", steps=2,
                  full_steps=3, formation="XIV")  # fmt: skip
    svg = counter_svg(piece)
    assert {"16Pz", "XX", "10-8-6", "XIV"} <= set(texts(svg))
    steps = [r for r in ET.fromstring(svg).iter("rect") if r.get("class") == "step"]
    assert [r.get("fill") != "none" for r in steps] == [True, True, False]
    middle = counter_svg(piece, CounterStyle(near=False))
    assert {"16Pz", "10-8-6"} <= set(texts(middle))
    assert "XIV" not in texts(middle)
    assert "16th Panzer" in (ET.fromstring(svg).findtext("title") or "")


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_has_a_symbol_of_known_parts(kind: str) -> None:
    assert all(part.startswith("=") or part in PARTS for part in KINDS[kind])
    ET.fromstring(f"<g>{symbol(kind, ink='#000', box='#fff')}</g>")


def test_an_unknown_kind_shows_its_letters() -> None:
    assert initials("ski_tank_hunter") == "STH"
    assert "STH" in texts(counter_svg(Piece("1", "axis", "1203", kind="ski_tank_hunter")))


def test_every_status_is_told_and_known_ones_differ_by_shape_or_letter() -> None:
    svg = counter_svg(Piece("1", "axis", "1203", status=["disrupted", "out of supply", "bewildered"]))
    titles = [t.text for t in ET.fromstring(svg).iter("title")]
    assert {"disrupted", "out of supply", "bewildered"} <= set(titles)
    looks = [(b.text, b.shape, b.fill) for b in BADGES.values()]
    assert len({(t, s) for t, s, _ in looks}) >= len(looks) - 3


def test_text_never_leaves_the_counter() -> None:
    piece = Piece("VeryLongNameOfAUnit-17", "axis", "1203", values="(12)-(12)-(12)b", formation="A very long formation")
    for t in ET.fromstring(counter_svg(piece)).iter("text"):
        assert text_width(t.text or "", float(t.get("font-size", "99")), weight=700) <= SIZE - 10


def test_a_face_key_tells_looks_apart_and_nothing_else() -> None:
    a = Piece("1", "axis", "1203", values="4-5-6")
    assert face_key(a) == face_key(Piece("1", "axis", "1001", values="4-5-6"))
    assert face_key(a) != face_key(Piece("1", "axis", "1203", values="4-5-6", status=["disrupted"]))


def test_a_deep_stack_shows_its_number() -> None:
    pieces = [Piece(str(i), "axis", "1203") for i in range(7)]
    assert "7" in texts(stack_svg(pieces))
    assert "3" not in texts(stack_svg(pieces[:3]))


def test_a_counter_can_be_a_picture_of_its_own() -> None:
    root = ET.fromstring(counter_document(Piece("<1>", "soviet", "1203", nation="guards")))
    assert root.tag.endswith("svg")


# Machado, Oliveira and Fernandes (2009), severity 1.0.
COLOUR_BLINDNESS = {
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def lab(colour: str, matrix: tuple[tuple[float, ...], ...] | None) -> tuple[float, float, float]:
    rgb = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    if matrix is not None:
        linear = [min(1.0, max(0.0, sum(k * c for k, c in zip(row, linear, strict=True)))) for row in matrix]
    r, g, b = linear
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", [None, *COLOUR_BLINDNESS])
def test_the_two_sides_stay_apart_for_every_kind_of_sight(sight: str | None) -> None:
    matrix = COLOUR_BLINDNESS[sight] if sight else None
    axis = [SIDES["axis"], *(NATIONS[n] for n in ("ss", "luftwaffe", "romanian", "hungarian", "italian", "slovak"))]
    soviet = [SIDES["soviet"], *(NATIONS[n] for n in ("guards", "nkvd", "naval"))]
    for a in axis:
        for b in soviet:
            difference = sum((p - q) ** 2 for p, q in zip(lab(a.ground, matrix), lab(b.ground, matrix), strict=True))
            assert difference**0.5 > 20, (a.ground, b.ground)
