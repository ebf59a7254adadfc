"""Records: a game as text, one action a line. The record is the truth; everything else is a cache of it.

    {"kessel": 1, "game": "stalingrad42", "scenario": "fall-blau", "options": {}, "pack": "…", "commitment": "…", …}
    {"side": "axis", "do": "move 16Pz 2130"}
    {"side": "axis", "do": "roll", "dice": [[6, 3]], "digest": "…"}
    {"undo": 1}

The seed stands in the record while its owner plays; a record handed to others before the end carries only the
commitment, and its dice are then taken from the lines; `doubts` says so. Reading never trusts a line: every action is
checked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kessel.core.dice import UNTOLD, Roll, commitment
from kessel.core.errors import BadRecord, WrongRecord

FORMAT = 1
DIGEST_EVERY = 20


class Header(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    kessel: int
    game: str
    scenario: str
    pack: str
    commitment: str
    options: dict[str, str] = {}
    seed: str = ""
    """Hexadecimal; empty in a record that must not tell."""
    dice: list[tuple[int, int]] = []
    """What was rolled before the first decision."""
    secret: list[int] = []
    """Which of these dice are told only when the game is over."""


class _Format(msgspec.Struct):
    kessel: int


class Line(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    side: str = ""
    do: str = ""
    dice: list[tuple[int, int]] = []
    secret: list[int] = []
    """Which of these dice are told only when the game is over."""
    digest: str = ""
    undo: int = 0
    reseed: str = ""
    """From here on the dice come from this seed (a branch of another game)."""


@dataclass(slots=True)
class Record:
    header: Header
    lines: list[Line] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    """Where in its file each of the lines read from it stands."""

    @property
    def seed(self) -> bytes | None:
        return bytes.fromhex(self.header.seed) if self.header.seed else None

    def rolled(self) -> list[int]:
        """All dice of the record in order, those before the first decision included."""
        return [v for _, v in self.header.dice] + [v for line in self.lines for _, v in line.dice]

    def doubts(self) -> str:
        """What replaying cannot prove of the dice, for they follow from no seed that was committed to; or nothing."""
        if any(line.reseed for line in self.lines):
            return "it is a branch: its dice come from seeds nobody was committed to"
        return "" if self.header.seed else "it tells no seed: its dice are taken as written"

    def text(self) -> str:
        return _lines(self.header, self.lines)

    def told(self, hidden: Callable[[Line], bool] = lambda _: False) -> str:
        """What others may read before the game is over: no seeds, no secret draws, of hidden actions only the verb.

        It can be replayed from the dice in its lines if nothing had to be left out of them.
        """
        head = msgspec.structs.replace(_untold(self.header), seed="")
        shown = [x for x in self.lines if not x.reseed]
        lines = [_untold(x, hidden(x)) for x in shown]
        if head.secret or lines != shown:
            lines = [msgspec.structs.replace(x, digest="") for x in lines]  # by a digest a guess can be checked
        return _lines(head, lines)

    def write(self, path: Path) -> None:
        """Write the whole record so that a crash or a full disk leaves the old file as it was."""
        write_whole(path, self.text())


def dice_of(rolls: Iterable[Roll]) -> tuple[list[tuple[int, int]], list[int]]:
    """Rolls as a record holds them: sides and values, and which of them are secret."""
    rolls = list(rolls)
    return [(r.sides, r.value) for r in rolls], [i for i, r in enumerate(rolls) if r.secret]


def rolls_of(part: Header | Line) -> tuple[Roll, ...]:
    return tuple(Roll(sides, value, i in part.secret) for i, (sides, value) in enumerate(part.dice))


T = TypeVar("T", Header, Line)


def _untold(part: T, hidden: bool = False) -> T:
    if not part.secret and not hidden:
        return part
    dice = [(sides, UNTOLD if i in part.secret else value) for i, (sides, value) in enumerate(part.dice)]
    changes: dict[str, Any] = {"dice": dice}
    if hidden and isinstance(part, Line):
        changes["do"] = part.do.split()[0]
    return msgspec.structs.replace(part, **changes)


def _lines(header: Header, lines: Iterable[Line]) -> str:
    return "".join(msgspec.json.encode(x).decode() + "\n" for x in (header, *lines))


def read_record(path: Path) -> Record:
    try:
        raw = path.read_bytes()
    except OSError as e:
        raise BadRecord(f"the record cannot be read: {e.strerror}", str(path)) from None
    return parse_record(raw, str(path))


def parse_record(raw: bytes, where: str = "record") -> Record:
    """Read a record's lines; what they mean is checked when it is replayed."""
    lines = raw.splitlines()
    if not lines:
        raise BadRecord("the record is empty", where)
    made_for = _decode(lines[0], _Format, f"{where}:1").kessel  # first: a later format may have other fields
    if made_for != FORMAT:
        raise BadRecord(f"this is format {made_for}, known is {FORMAT}", f"{where}:1")
    header = _decode(lines[0], Header, f"{where}:1")
    try:
        seed = bytes.fromhex(header.seed)
    except ValueError:
        raise BadRecord("the seed is not hexadecimal", f"{where}:1") from None
    if header.seed and commitment(seed) != header.commitment:
        raise WrongRecord("the seed is not the one that was committed to", f"{where}:1")
    numbers = [i for i, t in enumerate(lines[1:], start=2) if t.strip()]
    return Record(header, [_read_line(lines[i - 1], f"{where}:{i}") for i in numbers], numbers)


def _read_line(text: bytes, where: str) -> Line:
    line: Line = _decode(text, Line, where)
    if line.undo not in (0, 1):
        raise BadRecord(f"undo takes back 1 action, not {line.undo}", where)
    if bool(line.do) + line.undo + bool(line.reseed) != 1:
        raise BadRecord("a line is either an action (side and do), or undo, or reseed", where)
    return line


def _decode(text: bytes, form: type[Any], where: str) -> Any:
    try:
        return msgspec.json.decode(text, type=form)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as e:
        raise BadRecord(str(e), where) from None


def write_whole(path: Path, text: str | Iterable[str]) -> None:
    """Replace a file in one step; on any failure the old one stays and no half-written file is left."""
    part = path.with_name(path.name + ".tmp")
    try:
        with part.open("w", encoding="utf-8") as f:
            f.write(text if isinstance(text, str) else "".join(text))
            f.flush()
            os.fsync(f.fileno())
        part.replace(path)
    except OSError as e:
        part.unlink(missing_ok=True)
        raise BadRecord(f"the file cannot be written: {e.strerror}", str(path)) from None
