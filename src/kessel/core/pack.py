"""Packs: a game's printed parts as files, with provenance, and an owner's overlay over them.

See docs/packs.md for the formats.
"""

from __future__ import annotations

import csv
import errno
import hashlib
import io
import json
import os
import pickle
import re
import stat
import tomllib
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec

from kessel.core.errors import BadInput, BadPack, malformed
from kessel.core.places import json_line, json_path, toml_fault
from kessel.core.registry import GAMES, installed, package_of
from kessel.core.tables import Table, read_table
from kessel.core.terrain import BoardDoc, HexDoc, Map

ABOUT_VALUES = ("provenance", "stated", "ours", "note")
PROVENANCES = ("stated", "public", "reconstructed")
OVERLAY_VARIABLE = "KESSEL_PACKS"
TOO_DEEP = "its tables or lists lie too deep in each other"

T = TypeVar("T")


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
        self.root = root or _home(game) / "pack"
        if not self.root.is_dir():
            raise BadPack(f"there is no pack for {game!r}", str(self.root))
        self.overlays = tuple(d / game for d in (overlays if overlays is not None else overlay_folders()))
        self._text: dict[str, str] = {}
        self._parsed: dict[str, bytes] = {}
        self._tables: dict[str, Table] = {}
        self._made: dict[Any, Any] = {}

    def once(self, make: Callable[[Pack], T]) -> T:
        """What a function makes of this pack, made once and kept with it: it goes when the pack goes."""
        if make not in self._made:
            self._made[make] = make(self)
        found: T = self._made[make]
        return found

    # --- files -----------------------------------------------------------------------------------------------------

    def path(self, name: str) -> Path:
        """The file that counts: the last overlay that has it, else ours."""
        for folder in reversed(self.overlays):
            if is_readable(folder / name):
                return folder / name
        return self.root / name

    def has(self, name: str) -> bool:
        return self.path(name).is_file()

    def layers(self, name: str) -> list[Path]:
        """All files of that name: ours, then those of the overlays in their order."""
        return [f / name for f in (self.root, *self.overlays) if is_readable(f / name)]

    def where(self, name: str, line: int | None = None, path: Path | None = None) -> str:
        path = path or self.path(name)
        shown = f"{self.game}/{name}" if path.is_relative_to(self.root) else str(path)
        return f"{shown}:{line}" if line is not None else shown

    def text(self, name: str) -> str:
        if name not in self._text:
            self._text[name] = self._read(name, self.path(name))
        return self._text[name]

    def _read(self, name: str, path: Path) -> str:
        try:
            return path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise BadPack("there is no such file in the pack", self.where(name)) from None
        except (OSError, UnicodeDecodeError) as e:
            raise BadPack(f"the file cannot be read: {e}", self.where(name, path=path)) from None

    def toml(self, name: str) -> dict[str, Any]:
        """A TOML file, read once; every caller has a copy of its own."""
        if name not in self._parsed:
            try:
                self._parsed[name] = pickle.dumps(tomllib.loads(self.text(name)))
            except tomllib.TOMLDecodeError as e:
                message, line = toml_fault(e, self.text(name))
                raise BadPack(message, self.where(name, line)) from None
            except RecursionError:
                raise BadPack(TOO_DEEP, self.where(name)) from None
        found: dict[str, Any] = pickle.loads(self._parsed[name])
        return found

    def rows(self, name: str) -> list[Row]:
        """A CSV file's lines; rows of an overlay (`counters-overlay.csv`) replace fields by the first column's key."""
        rows = list(self._read_rows(name))
        overlay = name.removesuffix(".csv") + "-overlay.csv"
        for path in self.layers(overlay):
            rows = _change_rows(name, rows, list(self._read_rows(overlay, path)))
        return rows

    def _read_rows(self, name: str, path: Path | None = None) -> Iterator[Row]:
        text = self.text(name) if path is None else self._read(name, path)
        lines = text.splitlines(keepends=True)
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
                        message = f"{len(fields)} fields where the head has {len(head)}"
                        raise BadPack(message, self.where(name, line, path))
                    yield Row(dict(zip(head, (f.strip() for f in fields), strict=True)), self.where(name, line, path))
        except csv.Error as e:
            raise BadPack(str(e), self.where(name, first + reader.line_num, path)) from None

    def table(self, name: str) -> Table:
        """A chart, read once."""
        if name not in self._tables:
            path = f"tables/{name}.csv"
            self._tables[name] = read_table(self.text(path), self.where(path))
        return self._tables[name]

    @cached_property
    def map(self) -> Map:
        (_, _, doc), *corrections = self.board_parts()
        for name, path, part in corrections:
            doc = _overlay(doc, part, json.loads(self._read(name, path)))
        try:
            return Map(doc)
        except BadInput as e:
            place = self.board_place(json_path(e.where) or _quoted(e.message))
            raise BadPack(str(e), place) from None

    def board_parts(self) -> list[tuple[str, Path, BoardDoc]]:
        """The board and an owner's corrections in the order they are laid over it."""
        files = [("board.json", self.path("board.json"))]
        files += [("board-overlay.json", path) for path in self.layers("board-overlay.json")]
        return [(name, path, self._board(name, path)) for name, path in files]

    def _board(self, name: str, path: Path) -> BoardDoc:
        text = self.text(name) if name == "board.json" else self._read(name, path)
        form = BoardDoc if name == "board.json" else BoardOverlay
        try:
            return msgspec.json.decode(text, type=form)
        except msgspec.ValidationError as e:
            raise self._misfit(name, path, text, str(e)) from None
        except msgspec.MsgspecError as e:
            fault = malformed(str(e), text)
            raise BadPack(fault.message, self.where(name, fault.line, path)) from None
        except RecursionError:
            raise BadPack(TOO_DEEP, self.where(name, path=path)) from None

    def _misfit(self, name: str, path: Path, text: str, said: str) -> BadPack:
        """What is wrong with a part of the board, by file and line."""
        message, _, at = said.partition(" - at `")
        try:
            steps = _bad_entry(text, at.rstrip("`"))
            told = f"{message} ({'.'.join(map(str, steps))})" if steps else message
            return BadPack(told, self.where(name, json_line(text, *steps), path))
        except RecursionError:
            return BadPack(TOO_DEEP, self.where(name, path=path))

    def board_place(self, steps: list[str | int]) -> str:
        """File and line of a part of the board, named as in the whole of it (`["links", 3]`)."""
        parts = self.board_parts()
        found = (*parts[0][:2], steps)
        for name, path, part in reversed(parts):
            held = getattr(part, str(steps[0]), None) if steps else None
            if len(steps) > 1 and isinstance(held, dict) and steps[1] in held:
                found = (name, path, steps)
                break
            if len(steps) > 1 and isinstance(held, list) and isinstance(steps[1], int):
                before = sum(len(getattr(p[2], str(steps[0]))) for p in parts[: parts.index((name, path, part))])
                if steps[1] >= before:
                    found = (name, path, [steps[0], steps[1] - before, *steps[2:]])
                    break
        name, path, steps = found
        return self.where(name, json_line(self._read(name, path), *steps), path)

    def scenarios(self) -> list[str]:
        names = {p.stem for folder in (self.root, *self.overlays) for p in (folder / "scenarios").glob("*.toml")}
        return sorted(names)

    # --- what it is made of ----------------------------------------------------------------------------------------

    def files(self) -> list[str]:
        found = set()
        for folder in (self.root, *self.overlays):
            if folder.is_dir():
                found |= {p.relative_to(folder).as_posix() for p in folder.rglob("*") if _counts(p)}
        return sorted(found)

    def stamp(self) -> tuple[Any, ...]:
        """Changes when a file is written, comes or goes."""
        found = []
        for folder in (self.root, *self.overlays):
            for path in folder.rglob("*"):
                about = path.lstat()
                found.append((str(path), about.st_mtime_ns, about.st_size, about.st_ino))
        return tuple(sorted(found))

    @cached_property
    def digest(self) -> str:
        """Changes when any value that play depends on changes. A record carries it."""
        h = hashlib.blake2b(digest_size=8)
        for name in self.files():
            if is_played_with(name):
                for path in self.layers(name) if is_overlay(name) else [self.path(name)]:
                    h.update(name.encode() + b"\0" + self._read(name, path).encode() + b"\0")
        return h.hexdigest()


def pack_of(game: str, overlays: tuple[Path, ...] | None = None) -> Pack:
    """The pack of a game as it is on the disk: the same one for everybody, until a file of it changes."""
    fresh = Pack(game, overlays)
    key, stamp = (fresh.root, fresh.overlays), fresh.stamp()
    known = _packs.get(key)
    if known is None or known[0] != stamp:
        if len(_packs) >= MOST_PACKS:
            _packs.pop(next(iter(_packs)))
        known = _packs[key] = (stamp, fresh)
    return known[1]


MOST_PACKS = 20
"""So many are kept; a study of many overlays makes more."""
_packs: dict[tuple[Path, tuple[Path, ...]], tuple[tuple[Any, ...], Pack]] = {}


def _home(game: str) -> Path:
    """The folder a game lives in: one of ours may have a pack before it can be played."""
    ours = Path(str(resources.files("kessel.games"))) / game
    package = package_of(game)
    return Path(str(resources.files(package))) if package else ours


def check_overlay(folder: Path) -> None:
    """An owner's folder that is none, or has files but none of a game, would change nothing: better say so."""
    if not folder.is_dir():
        raise BadInput("there is no such folder", str(folder))
    inside = [p.name for p in folder.iterdir() if not p.name.startswith(".")]
    games = list(installed(GAMES))
    if inside and not set(inside) & set(games):
        raise BadInput(f"it has no folder of a game ({', '.join(sorted(games))})", str(folder))


def overlay_folders() -> tuple[Path, ...]:
    text = os.environ.get(OVERLAY_VARIABLE, "")
    return tuple(Path(p) for p in text.split(os.pathsep) if p)


class BoardOverlay(BoardDoc, forbid_unknown_fields=True):
    """An owner's corrections of a board: what is left out stays as it is."""

    hexes: dict[str, HexDoc] | str = msgspec.field(default_factory=dict)


def is_played_with(name: str) -> bool:
    """Whether play depends on a file; what the others say is only read."""
    return name not in ("rules.csv", "board-edits.toml", "words.toml", "goals.toml") and not name.startswith("lessons/")


def is_overlay(name: str) -> bool:
    """Whether a file changes parts of another instead of replacing it."""
    return name.endswith(("-overlay.csv", "-overlay.json"))


def is_readable(path: Path) -> bool:
    """Whether there is a file; BadPack where something else has its name, for that can be no part of a pack."""
    try:
        path.lstat()
        found = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise BadPack("this is a link that leads nowhere", str(path)) from None
        return False
    except OSError as e:
        circle = "this is a link that leads in a circle"
        raise BadPack(circle if e.errno == errno.ELOOP else f"it cannot be read: {e.strerror}", str(path)) from None
    if not stat.S_ISREG(found):
        raise BadPack("this is a folder or something else, not a file", str(path))
    return True


def _counts(path: Path) -> bool:
    """Files that systems and editors leave about are no part of a pack."""
    return path.is_file() and not path.name.startswith(".") and not path.name.endswith(("~", ".bak", ".swp"))


def _change_rows(name: str, rows: list[Row], changes: list[Row]) -> list[Row]:
    """Rows with the fields an owner gives replaced; a key of its own makes a new row."""
    if not rows or not changes:
        return rows + changes
    key, first = next(iter(rows[0])), changes[0]
    if key not in first:
        raise BadPack(f"the column {key!r} must say which row of {name} is meant", first.where)
    for column in first:
        if column not in rows[0]:
            raise BadPack(f"{name} has no column {column!r}; it has {', '.join(rows[0])}", first.where)
    changed: dict[str, Row] = {}
    for r in changes:
        if r[key] in changed:
            raise BadPack(f"{r[key]!r} stands also at {changed[r[key]].where}", r.where)
        changed[r[key]] = r
    found = []
    for r in rows:
        new = changed.pop(r[key], None)
        found.append(r if new is None else Row({**r, **new}, new.where))
    needed = [c for c in rows[0] if c not in ABOUT_VALUES and all(r[c] for r in rows)]
    for r in changed.values():
        if missing := [c for c in needed if not r.get(c)]:
            raise BadPack(f"{name} has no {r[key]!r} to change, and a new one needs {', '.join(missing)}", r.where)
        found.append(Row({**{c: "" for c in rows[0] if c not in ABOUT_VALUES}, **r}, r.where))
    return found


def _bad_entry(text: str, at: str) -> list[str | int]:
    """The path of a wrong value; where it lies in a table of keys msgspec does not say which, so each is tried."""
    section, dots, rest = at.removeprefix("$").removeprefix(".").partition("[...]")
    if not dots:
        return json_path(at)
    hints: Any = get_type_hints(BoardDoc)[section]
    for key, value in json.loads(text)[section].items():
        try:
            msgspec.convert({key: value}, type=hints)
        except msgspec.ValidationError:
            return [section, key, *json_path(rest)]
    return [section]


def _quoted(message: str) -> list[str | int]:
    """A hex that a message names in quotes."""
    found = re.match(r"'([^']*)'", message)
    return ["hexes", found[1]] if found else []


def _overlay(doc: BoardDoc, over: BoardDoc, written: dict[str, Any]) -> BoardDoc:
    """An owner's corrections: what is written of a hex replaced, hexsides replaced, links and the rest added."""
    if isinstance(doc.hexes, dict) and isinstance(over.hexes, dict):
        for name, cell in over.hexes.items():
            changes = {key: getattr(cell, key) for key in written["hexes"][name]}
            doc.hexes[name] = msgspec.structs.replace(doc.hexes[name], **changes) if name in doc.hexes else cell
    doc.hexsides = {**doc.hexsides, **over.hexsides}
    doc.links = [*doc.links, *over.links]
    doc.areas = {**doc.areas, **over.areas}
    doc.lines = {**doc.lines, **over.lines}
    doc.arrows = [*doc.arrows, *over.arrows]
    doc.boxes = [*doc.boxes, *over.boxes]
    doc.labels = [*doc.labels, *over.labels]
    return doc
