"""Packs: a game's printed parts as files, with provenance, and an owner's overlay over them.

See docs/packs.md for the formats.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import pickle
import tomllib
from collections.abc import Iterator
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from kessel.core.errors import BadInput, BadPack
from kessel.core.tables import Table, read_table
from kessel.core.terrain import BoardDoc, Map

PROVENANCES = ("stated", "public", "reconstructed")
OVERLAY_VARIABLE = "KESSEL_PACKS"


class Row(dict[str, str]):
    """One line of a CSV file that knows where it stands."""

    def __init__(self, values: dict[str, str], where: str) -> None:
        super().__init__(values)
        self.where = where

    def number(self, key: str, default: int | None = None) -> int:
        text = self.get(key, "")
        if text == "" and default is not None:
            return default
        try:
            return int(text)
        except ValueError:
            raise BadPack(f"{key} is {text!r}, not a whole number", self.where) from None

    def words(self, key: str) -> list[str]:
        return self.get(key, "").split()


class Pack:
    """The data of one game: ours, overlaid file by file by an owner's folder."""

    def __init__(self, game: str, overlays: tuple[Path, ...] | None = None, root: Path | None = None) -> None:
        self.game = game
        self.root = root or Path(str(resources.files("kessel.games") / game / "pack"))
        if not self.root.is_dir():
            raise BadPack(f"there is no pack for {game!r}", str(self.root))
        self.overlays = tuple(d / game for d in (overlays if overlays is not None else overlay_folders()))
        self._text: dict[str, str] = {}
        self._parsed: dict[str, bytes] = {}

    # --- files -----------------------------------------------------------------------------------------------------

    def path(self, name: str) -> Path:
        """The file that counts: the last overlay that has it, else ours."""
        for folder in reversed(self.overlays):
            if (folder / name).is_file():
                return folder / name
        return self.root / name

    def has(self, name: str) -> bool:
        return self.path(name).is_file()

    def where(self, name: str, line: int | None = None) -> str:
        path = self.path(name)
        shown = f"{self.game}/{name}" if path.is_relative_to(self.root) else str(path)
        return f"{shown}:{line}" if line is not None else shown

    def text(self, name: str) -> str:
        if name not in self._text:
            try:
                self._text[name] = self.path(name).read_text(encoding="utf-8")
            except FileNotFoundError:
                raise BadPack("there is no such file in the pack", self.where(name)) from None
            except (OSError, UnicodeDecodeError) as e:
                raise BadPack(f"the file cannot be read: {e}", self.where(name)) from None
        return self._text[name]

    def toml(self, name: str) -> dict[str, Any]:
        """A TOML file, read once; every caller has a copy of its own."""
        if name not in self._parsed:
            try:
                self._parsed[name] = pickle.dumps(tomllib.loads(self.text(name)))
            except tomllib.TOMLDecodeError as e:
                raise BadPack(str(e), self.where(name)) from None
        found: dict[str, Any] = pickle.loads(self._parsed[name])
        return found

    def rows(self, name: str) -> list[Row]:
        """A CSV file's lines; rows of an overlay (`counters-overlay.csv`) replace fields by the first column's key."""
        rows = list(self._read_rows(name))
        overlay = name.removesuffix(".csv") + "-overlay.csv"
        if self.has(overlay):
            key = next(iter(rows[0])) if rows else ""
            changed = {r[key]: r for r in self._read_rows(overlay)}
            rows = [Row({**r, **changed.pop(r[key])}, r.where) if r[key] in changed else r for r in rows]
            rows.extend(changed.values())
        return rows

    def _read_rows(self, name: str) -> Iterator[Row]:
        lines = self.text(name).splitlines(keepends=True)
        first = next((i for i, line in enumerate(lines) if not line.startswith("#") and line.strip()), len(lines))
        reader = csv.reader(io.StringIO("".join(lines[first:]), newline=""), strict=True)
        head: list[str] = []
        try:
            for fields in reader:
                line = first + reader.line_num
                if not head:
                    head = [f.strip() for f in fields]
                elif fields and not fields[0].startswith("#"):
                    if len(fields) != len(head):
                        raise BadPack(f"{len(fields)} fields where the head has {len(head)}", self.where(name, line))
                    yield Row(dict(zip(head, (f.strip() for f in fields), strict=True)), self.where(name, line))
        except csv.Error as e:
            raise BadPack(str(e), self.where(name, first + reader.line_num)) from None

    def table(self, name: str) -> Table:
        path = f"tables/{name}.csv"
        return read_table(self.text(path), self.where(path))

    @cached_property
    def map(self) -> Map:
        try:
            doc = msgspec.json.decode(self.text("board.json"), type=BoardDoc)
            if self.has("board-overlay.json"):
                doc = _overlay(doc, msgspec.json.decode(self.text("board-overlay.json"), type=BoardDoc))
            return Map(doc)
        except msgspec.MsgspecError as e:
            raise BadPack(str(e), self.where("board.json")) from None
        except BadPack:
            raise
        except BadInput as e:
            raise BadPack(str(e), self.where("board.json")) from None

    def scenarios(self) -> list[str]:
        names = {p.stem for folder in (self.root, *self.overlays) for p in (folder / "scenarios").glob("*.toml")}
        return sorted(names)

    # --- what it is made of ----------------------------------------------------------------------------------------

    def files(self) -> list[str]:
        found = set()
        for folder in (self.root, *self.overlays):
            if folder.is_dir():
                found |= {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
        return sorted(found)

    @cached_property
    def digest(self) -> str:
        """Changes when any value that play depends on changes. A record carries it."""
        h = hashlib.blake2b(digest_size=8)
        for name in self.files():
            if name not in ("rules.csv", "board-edits.toml"):
                h.update(name.encode() + b"\0" + self.text(name).encode() + b"\0")
        return h.hexdigest()


def check_overlay(folder: Path) -> None:
    """An owner's folder that is none, or has files but none of a game, would change nothing: better say so."""
    if not folder.is_dir():
        raise BadInput("there is no such folder", str(folder))
    inside = [p.name for p in folder.iterdir() if not p.name.startswith(".")]
    games = [p.name for p in resources.files("kessel.games").iterdir() if (p / "pack").is_dir()]
    if inside and not set(inside) & set(games):
        raise BadInput(f"it has no folder of a game ({', '.join(sorted(games))})", str(folder))


def overlay_folders() -> tuple[Path, ...]:
    text = os.environ.get(OVERLAY_VARIABLE, "")
    return tuple(Path(p) for p in text.split(os.pathsep) if p)


def _overlay(doc: BoardDoc, over: BoardDoc) -> BoardDoc:
    """An owner's corrections: single hexes and hexsides replaced, links and the rest added."""
    if isinstance(doc.hexes, dict) and isinstance(over.hexes, dict):
        doc.hexes = {**doc.hexes, **over.hexes}
    doc.hexsides = {**doc.hexsides, **over.hexsides}
    doc.links = [*doc.links, *over.links]
    doc.areas = {**doc.areas, **over.areas}
    doc.lines = {**doc.lines, **over.lines}
    doc.arrows = [*doc.arrows, *over.arrows]
    doc.boxes = [*doc.boxes, *over.boxes]
    doc.labels = [*doc.labels, *over.labels]
    return doc
