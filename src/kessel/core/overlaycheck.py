"""What is wrong with an owner's files beside ours: words, keys and numbers play could not use, as file:line sentences.

A file that replaces ours must say all that ours says, for the code reads it; what it says more does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kessel.core.errors import BadInput
from kessel.core.hexes import NO_HEX
from kessel.core.pack import ABOUT_VALUES, Pack, is_overlay, is_readable
from kessel.core.places import json_line, same_shape, toml_line
from kessel.core.tables import Table
from kessel.core.terrain import BoardDoc, SideDoc

FREE = {*ABOUT_VALUES, "name", "event", "rule", "dates", "first_day", "last_day"}
"""Columns a person reads; the code does not."""
NUMBER = re.compile(r"[-+]?\d+")


def overlay_faults(pack: Pack) -> Iterator[str]:
    yield from _unusable(pack)
    ours = Pack(pack.game, (), pack.root)
    known = _words(ours)
    for name in pack.files():
        path = pack.path(name)
        if path.is_relative_to(pack.root):
            continue
        if not ours.has(name):
            if not _may_be_new(ours, name):
                yield f"{path}: the game has no such file; it changes nothing"
        elif name.startswith("tables/"):
            yield from _table_faults(pack, ours, name, known)
        elif name.endswith(".toml"):
            yield from _toml_faults(pack, ours, name)
    yield from _board_faults(pack, ours)


def _unusable(pack: Pack) -> Iterator[str]:
    """What is neither a file nor a folder: links that lead nowhere, pipes."""
    for folder in pack.overlays:
        if not folder.is_dir():
            if folder.is_symlink() or folder.exists():
                yield f"{folder}: this is no folder, so it changes nothing"
            continue
        for path in sorted(folder.rglob("*")):
            try:
                if not path.is_dir():
                    is_readable(path)
            except BadInput as e:
                yield str(e)


def _may_be_new(ours: Pack, name: str) -> bool:
    if name.startswith("scenarios/"):
        return name.endswith(".toml")
    return is_overlay(name) and not name.startswith("tables/") and ours.has(name.replace("-overlay.", "."))


# --- tables --------------------------------------------------------------------------------------------------------


def _words(ours: Pack) -> set[str]:
    """All words in the cells of our tables, and the names of their rows."""
    found: set[str] = set()
    for name in ours.files():
        if name.startswith("tables/"):
            table = ours.table(_table_name(name))
            found.update(table.rows, *(_split(cell) for cell in table.cells.values()))
    return found


def _table_name(name: str) -> str:
    return name.removeprefix("tables/").removesuffix(".csv")


def _split(cell: str) -> list[str]:
    return [w for w in re.split(r"[\s/]+", cell) if w and not NUMBER.match(w) and w != "-"]


def _table_faults(pack: Pack, ours: Pack, name: str, known: set[str]) -> Iterator[str]:
    try:
        new = pack.table(_table_name(name))
    except BadInput:
        return  # told by the reading of all files
    old = ours.table(_table_name(name))
    line_of = _row_lines(pack.text(name))
    head = min(line_of.values(), default=2) - 1
    for column in old.columns:
        if column not in new.columns and column not in FREE:
            yield f"{pack.where(name, head)}: the column {column!r} of ours is missing"
    for row in old.rows:
        if row not in new.rows:
            yield f"{pack.where(name, head)}: the row {row!r} of ours is missing"
    for (row, column), cell in new.cells.items():
        if column in FREE or column not in old.columns:
            continue
        where = pack.where(name, line_of.get(row))
        if _numbers(old, column) and not NUMBER.fullmatch(cell):
            yield f"{where}: {row}/{column} is {cell!r}, not a whole number"
        elif strange := [w for w in _split(cell) if w not in known]:
            yield f"{where}: {row}/{column} says {strange[0]!r}, a word that no table of {pack.game} knows"


def _numbers(table: Table, column: str) -> bool:
    return all(NUMBER.fullmatch(table.cells[row, column]) for row in table.rows)


def _row_lines(text: str) -> dict[str, int]:
    lines = [(i, x) for i, x in enumerate(text.splitlines(), start=1) if x.strip() and not x.startswith("#")]
    return {x.split(",")[0].strip().strip('"'): i for i, x in lines[1:]}


# --- TOML ----------------------------------------------------------------------------------------------------------


def _toml_faults(pack: Pack, ours: Pack, name: str) -> Iterator[str]:
    try:
        new = pack.toml(name)
    except BadInput:
        return
    deep = 2 if name == "pack.toml" else 1
    for path, what in _differences(ours.toml(name), new, [], deep):
        yield f"{pack.where(name, toml_line(pack.text(name), path))}: {'.'.join(path)} {what}"


def _differences(
    ours: dict[str, Any], new: dict[str, Any], path: list[str], deep: int
) -> Iterator[tuple[list[str], str]]:
    """Keys of ours that are missing down to a depth, and values that cannot stand for ours."""
    for key, value in ours.items():
        here = [*path, key]
        if key not in new:
            if len(here) <= deep and key not in ABOUT_VALUES:
                yield here, "is missing"
        elif not same_shape(value, new[key]):
            yield (
                here,
                f"is {new[key]!r}; ours is {value!r}" if not isinstance(value, dict | list) else "is no list or table",
            )
        elif isinstance(value, dict):
            yield from _differences(value, new[key], here, deep)


# --- the board -----------------------------------------------------------------------------------------------------


def _board_faults(pack: Pack, ours: Pack) -> Iterator[str]:
    """Words of corrections that the vocabularies of our map do not have, and hexes that lie nowhere."""
    try:
        parts = [p for p in pack.board_parts() if not p[1].is_relative_to(pack.root)]
        grid = pack.map.grid
    except BadInput:
        return
    if not parts or not ours.has("board-edits.toml"):
        return
    words = ours.toml("board-edits.toml").get("board", {})
    for name, path, part in parts:
        text = path.read_text(encoding="utf-8")
        for steps, message in _strange_words(part, words):
            yield f"{pack.where(name, json_line(text, *steps), path)}: {message}"
        for hex_name in part.hexes if isinstance(part.hexes, dict) else ():
            if hex_name not in ours.map.grid and all(n == NO_HEX for n in grid.neighbours[grid.hex(hex_name)]):
                line = json_line(text, "hexes", hex_name)
                yield f"{pack.where(name, line, path)}: hex {hex_name} lies apart from the map"


def _strange_words(part: BoardDoc, words: dict[str, list[str]]) -> Iterator[tuple[list[str | int], str]]:
    def strange(word: str, what: str, key: str) -> Iterator[str]:
        if key in words and word not in words[key]:
            yield f"there is no {what} {word!r}; there are {', '.join(sorted(words[key]))}"

    for name, cell in part.hexes.items() if isinstance(part.hexes, dict) else ():
        for message in strange(cell.terrain, "terrain", "terrains"):
            yield ["hexes", name, "terrain"], message
        for feature in cell.features:
            for message in strange(feature, "feature", "features"):
                yield ["hexes", name, "features"], message
    for name, side in part.hexsides.items():
        for feature in side.features if isinstance(side, SideDoc) else [side] if isinstance(side, str) else side:
            for message in strange(feature, "hexside", "hexside_features"):
                yield ["hexsides", name], message
    for i, link in enumerate(part.links):
        for message in strange(link.kind, "kind of link", "link_kinds"):
            yield ["links", i], message


def strange_folders(folder: Path, games: list[str]) -> list[str]:
    """Folders and files of an owner that belong to no game."""
    return [
        f"{p}: there is no game {p.name!r}; there are {', '.join(games)}"
        for p in sorted(folder.iterdir())
        if not p.name.startswith(".") and p.name not in games
    ]
