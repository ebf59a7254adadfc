"""Drawn maps. Drawing one takes a second or two, so it is kept in a folder, under a name that changes with the data and
with the code that drew it. `python -m kessel.table.maps FOLDER` draws all that are missing there.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kessel.core.pack import Pack
from kessel.core.title import title, titles

SHIPPED = Path(__file__).parent / "static" / "maps"
"""Drawn when the page was built, or not at all."""


class Drawing(NamedTuple):
    svg: bytes
    packed: bytes
    tag: str
    """Changes with the drawing."""


def drawing(game: str, scenario: str, folder: Path | None) -> Drawing:
    """The map of a scenario, or of the whole game."""
    t, pack = title(game), Pack(title(game).id)
    return _drawing(game, t.scenario(pack, scenario).part if scenario else "", folder)


@lru_cache(maxsize=32)
def _drawing(game: str, part: str, folder: Path | None) -> Drawing:
    pack = Pack(game)
    named = hashlib.sha256(f"{pack.digest}\n{part}\n{_code()}".encode()).hexdigest()[:24]
    file = f"{game}-{named}.svg.gz"
    kept = folder / file if folder is not None else None
    packed = next((found for f in (SHIPPED / file, kept) if f is not None and (found := _read(f))), b"")
    if not packed:
        from kessel.render import LAYERS, map_svg

        svg = map_svg(pack.map, part=part, layers=[name for name in LAYERS if name != "legend"]).encode()
        packed = gzip.compress(svg, 6, mtime=0)
        if kept is not None:
            _write(kept, packed)
    svg = gzip.decompress(packed)
    return Drawing(svg, packed, f'"{hashlib.sha256(svg).hexdigest()[:24]}"')


def _read(kept: Path) -> bytes:
    """What was kept, if it can be read and is whole."""
    with contextlib.suppress(OSError, EOFError, gzip.BadGzipFile):
        packed = kept.read_bytes()
        gzip.decompress(packed)
        return packed
    return b""


def _write(kept: Path, packed: bytes) -> None:
    """Without room on the disk the map is drawn again the next time."""
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
            file.write(packed)
        os.replace(file.name, kept)


@lru_cache(maxsize=1)
def _code() -> str:
    """Changes with the modules that draw."""
    import kessel.render

    h = hashlib.sha256()
    for path in sorted(Path(kessel.render.__file__).parent.rglob("*.py")):
        h.update(path.read_bytes())
    return h.hexdigest()


if __name__ == "__main__":
    for found in titles().values():
        for listed in found.scenarios(Pack(found.id)):
            drawing(found.id, listed.id, Path(sys.argv[1]))
