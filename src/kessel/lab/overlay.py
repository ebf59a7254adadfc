"""An overlay of pack values made from a list of changes: what a study varies.

    file = "tables/crt.csv"        row = "4"  column = "2-1"  value = "DR2 Adv2"
    file = "tables/crt.csv"        column = "2-1"  value = ["AE", "EX", "DR1", "DR2", "DR2", "DE"]
    file = "counters.csv"          row = "2A-HQ"  column = "faces"  value = "S-(1)-6b"
    file = "scenarios/campaign.toml"  key = "victory.levels.0.points"  value = 20

Only what is named changes; everything else stays as the pack has it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from kessel.core.errors import BadInput
from kessel.core.pack import Pack


class Change(msgspec.Struct, forbid_unknown_fields=True):
    file: str
    value: str | int | float | bool | list[Any]
    row: str = ""
    column: str = ""
    key: str = ""
    """Of a TOML file: keys and places in lists, separated by dots."""


def write_overlay(game: str, changes: Sequence[Change], folder: Path) -> None:
    """Write the files that differ into that folder, as `--packs` takes it."""
    pack = Pack(game)
    by_file: dict[str, list[Change]] = {}
    for change in changes:
        by_file.setdefault(change.file, []).append(change)
    for name, some in by_file.items():
        if Path(name).is_absolute() or ".." in Path(name).parts or not pack.has(name):
            raise BadInput(f"{game} has no file {name}")
        changed = {".csv": changed_csv, ".toml": changed_toml}.get(Path(name).suffix)
        if changed is None:
            raise BadInput(f"{name} cannot be varied: values of .csv and .toml files can")
        path = folder / game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(changed(pack.text(name), some), encoding="utf-8")


def changed_csv(text: str, changes: Sequence[Change]) -> str:
    """The cells named by the key of a row (its first column) and a column, or all cells of a column, top down.

    >>> changed_csv("die,1-1\\n1,DR1\\n2,EX\\n", [Change("crt.csv", ["EX", "D1"], column="1-1")])
    'die,1-1\\n1,EX\\n2,D1\\n'
    >>> changed_csv("die,1-1\\n1,DR1\\n2,EX\\n", [Change("crt.csv", "D1", row="2", column="1-1")])
    'die,1-1\\n1,DR1\\n2,D1\\n'
    """
    lines = text.splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    rows = list(csv.reader(io.StringIO("".join(lines[first:]), newline="")))
    for c in changes:
        if not rows or c.column not in rows[0]:
            raise BadInput(f"{c.file} has no column {c.column!r}; it has {', '.join(rows[0] if rows else [])}")
        at, body = rows[0].index(c.column), [r for r in rows[1:] if r]
        some = body if isinstance(c.value, list) and not c.row else [r for r in body if r[0] == c.row][:1]
        values = c.value if isinstance(c.value, list) else [c.value]
        if not some:
            raise BadInput(f"{c.file} has no row {c.row!r}")
        if len(values) != len(some):
            raise BadInput(f"{c.file}: {c.column} has {len(some)} cells for {len(values)} values")
        for row, value in zip(some, values, strict=True):
            row[at] = str(value)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return "".join(lines[:first]) + out.getvalue()


def changed_toml(text: str, changes: Sequence[Change]) -> str:
    """The values named by their keys.

    >>> changed_toml("[victory]\\nlevels = [3, 8]\\n", [Change("a.toml", 9, key="victory.levels.1")])
    'victory = {"levels" = [3, 9]}\\n'
    """
    import tomllib

    doc = tomllib.loads(text)
    for c in changes:
        *way, last = c.key.split(".")
        at: Any = doc
        try:
            for word in way:
                at = at[int(word)] if isinstance(at, list) else at[word]
            place: Any = int(last) if isinstance(at, list) else last
            at[place] = _like(at[place], c)
        except (KeyError, IndexError, ValueError, TypeError):
            raise BadInput(f"{c.file} has no value {c.key!r}") from None
    return "".join(f"{_key(k)} = {_written(v)}\n" for k, v in doc.items())


def _like(was: Any, c: Change) -> Any:
    if isinstance(was, dict) or (isinstance(was, str) != isinstance(c.value, str)):
        raise BadInput(f"{c.file}: {c.key} is {was!r}; {c.value!r} cannot stand in its place")
    return c.value


def _key(k: str) -> str:
    return k if k.replace("_", "").replace("-", "").isalnum() and k.isascii() else json.dumps(k)


def _written(v: Any) -> str:
    if isinstance(v, dict):
        return "{" + ", ".join(f"{json.dumps(k, ensure_ascii=False)} = {_written(x)}" for k, x in v.items()) + "}"
    if isinstance(v, list):
        return "[" + ", ".join(map(_written, v)) + "]"
    if isinstance(v, bool | int | float | str):
        return json.dumps(v, ensure_ascii=False)
    return str(v)
