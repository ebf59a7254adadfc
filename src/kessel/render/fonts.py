"""The two typefaces of the drawings and how wide their letters are.

The files are subsets of Barlow Semi Condensed and Alegreya Italic (SIL Open Font License, beside them), without
kerning, so that the sum of the letters' widths is the width of a word wherever it is drawn.
"""

from __future__ import annotations

import base64
import struct
from functools import cache, lru_cache
from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
FILES = {
    ("sans", 500): "sans-500.ttf",
    ("sans", 700): "sans-700.ttf",
    ("serif", 500): "serif-500-italic.ttf",
}


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, *, family: str = "sans", weight: int = 500, spacing: float = 0.0) -> float:
    """How wide a line of text is at that size."""
    widths, missing = _widths(FILES[family, weight])
    return sum(widths.get(ord(c), missing) for c in text) * size + spacing * len(text)


@cache
def _widths(file: str) -> tuple[dict[int, float], float]:
    """Advance widths by character, in ems, and that of a missing character."""
    data = (FOLDER / file).read_bytes()
    count = struct.unpack_from(">H", data, 4)[0]
    tables = {data[12 + 16 * i : 16 + 16 * i]: struct.unpack_from(">L", data, 20 + 16 * i)[0] for i in range(count)}
    em = struct.unpack_from(">H", data, tables[b"head"] + 18)[0]
    metrics = struct.unpack_from(">H", data, tables[b"hhea"] + 34)[0]

    def advance(glyph: int) -> float:
        width = struct.unpack_from(">H", data, tables[b"hmtx"] + 4 * min(glyph, metrics - 1))[0]
        return float(width / em)

    return {char: advance(glyph) for char, glyph in _characters(data, tables[b"cmap"]).items()}, advance(0)


def _characters(data: bytes, cmap: int) -> dict[int, int]:
    """The character map's table of format 4."""
    for i in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        at = cmap + struct.unpack_from(">L", data, cmap + 8 + 8 * i)[0]
        form, _, _, doubled = struct.unpack_from(">4H", data, at)
        if form != 4:
            continue
        n = doubled // 2
        ends = struct.unpack_from(f">{n}H", data, at + 14)
        starts = struct.unpack_from(f">{n}H", data, at + 16 + 2 * n)
        deltas = struct.unpack_from(f">{n}H", data, at + 16 + 4 * n)
        ranges = at + 16 + 6 * n
        offsets = struct.unpack_from(f">{n}H", data, ranges)
        found = {}
        for k in range(n):
            for char in range(starts[k], min(ends[k], 0xFFFE) + 1):
                glyph = char
                if offsets[k]:
                    glyph = struct.unpack_from(">H", data, ranges + 2 * k + offsets[k] + 2 * (char - starts[k]))[0]
                found[char] = (glyph + deltas[k]) & 0xFFFF
        return found
    raise ValueError("the font has no character map this program reads")


def font_faces() -> str:
    """CSS that carries the typefaces inside a drawing that must look right anywhere."""
    faces = []
    for (family, weight), file in FILES.items():
        data = base64.b64encode((FOLDER / file).read_bytes()).decode()
        style = "italic" if family == "serif" else "normal"
        faces.append(
            f"@font-face{{font-family:'Kessel {family.capitalize()}';font-weight:{weight};font-style:{style};"
            f"src:url(data:font/ttf;base64,{data})}}"
        )
    return "".join(faces)
