"""Records: a game as text, one action a line. The record is the truth; everything else is a cache of it.

    {"kessel": 1, "game": "stalingrad42", "scenario": "fall-blau", "options": {}, "pack": "…", "commitment": "…", …}
    {"side": "axis", "do": "move 16Pz 2130"}
    {"side": "axis", "do": "roll", "dice": [[6, 3]], "digest": "…"}
    {"undo": 1}
    {"back": 3}
    {"reseed": "…", "commitment": "…"}

The seed stands in the record while its owner plays; a record handed to others before the end carries only the
commitment, and its dice are then taken from the lines; `doubts` says so. Reading never trusts a line: every action is
checked. Where two persons play, what each added to the seed stands beside it. A branch goes on with a seed of its own,
which is committed to like the first.

`undo` takes back an action that rolled nothing and showed nothing. `back` takes back so many actions, dice and all, by
consent of both players: the dice that fell are spent, and the next ones are those that would have followed them, from
the same seed under the same commitment.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kessel.core.dice import UNTOLD, Roll, commitment, mixed, pledge
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
    entropy: dict[str, str] = {}
    """What each player added to the seed, by side, after it was committed to."""


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
    back: int = 0
    """So many actions are taken back, by consent of both."""
    reseed: str = ""
    """From here on the dice come from this seed (a branch of another game)."""
    commitment: str = ""
    """Of that seed; alone in a record that must not tell it."""


@dataclass(slots=True)
class Record:
    header: Header
    lines: list[Line] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    """Where in its file each of the lines read from it stands."""

    @property
    def seed(self) -> bytes | None:
        """What the dice come from, if it may be told."""
        return mixed(bytes.fromhex(self.header.seed), self.header.entropy) if self.header.seed else None

    @property
    def pledge(self) -> str:
        """What the dice that are rolled now are committed to; of a branch, its own."""
        branched = next((x.commitment for x in reversed(self.lines) if x.reseed or x.commitment), None)
        return pledge(self.header.commitment, self.header.entropy) if branched is None else branched

    def check_pledge(self, noted: str, entropy: str = "") -> None:
        """WrongRecord unless the dice come from the seed whose commitment a player noted, before or after all had
        added theirs, and with what that player added, if that is given.
        """
        untold = not self.header.seed and not any(x.reseed for x in self.lines)
        if untold:
            raise WrongRecord(
                "it tells no seed, so nothing can be checked against a commitment before the game is over"
            )
        if noted not in (self.pledge, self.pledge.partition(".")[0]):
            raise WrongRecord(f"its dice are committed to by {self.pledge}, not by {noted}")
        if entropy and entropy not in self.header.entropy.values():
            raise WrongRecord(f"nobody added {entropy} to its dice")

    def rolled(self) -> list[int]:
        """All dice of the record in order, those before the first decision included."""
        return [v for _, v in self.header.dice] + [v for line in self.lines for _, v in line.dice]

    def doubts(self) -> str:
        """What replaying cannot prove of the dice, for they follow from no seed that was committed to; or nothing."""
        if any(line.reseed and not line.commitment for line in self.lines):
            return "it is a branch: its dice come from seeds nobody was committed to"
        branched = max((n for n, line in enumerate(self.lines, start=2) if line.reseed), default=0)
        if branched and not self.header.seed:
            return f"it is a branch: its dice before line {branched} are taken as written"
        return "" if self.header.seed else "it tells no seed: its dice are taken as written"

    def text(self) -> str:
        return _lines(self.header, self.lines)

    def told(self, hidden: Callable[[Line], str] = lambda _: "", *, digests: bool = True) -> str:
        """What others may read before the game is over: no seeds, no secret draws, of hidden actions only a verb.

        It can be replayed from the dice in its lines if nothing had to be left out of them.
        """
        head = msgspec.structs.replace(_untold(self.header), seed="")
        bare = [msgspec.structs.replace(x, reseed="") if x.reseed else x for x in self.lines]
        shown = [x for x in bare if x != Line()]
        lines = [_untold(x, hidden(x)) for x in shown]
        if head.secret or lines != shown or not digests:
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


def _untold(part: T, hidden: str = "") -> T:
    if not part.secret and not hidden:
        return part
    dice = [(sides, UNTOLD if i in part.secret else value) for i, (sides, value) in enumerate(part.dice)]
    changes: dict[str, Any] = {"dice": dice}
    if hidden and isinstance(part, Line):
        changes["do"] = hidden
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
    seed = _from_hex(header.seed, f"{where}:1")
    if header.seed and commitment(seed) != header.commitment:
        raise WrongRecord("the seed is not the one that was committed to", f"{where}:1")
    numbers = [i for i, t in enumerate(lines[1:], start=2) if t.strip()]
    return Record(header, [_read_line(lines[i - 1], f"{where}:{i}") for i in numbers], numbers)


def _read_line(text: bytes, where: str) -> Line:
    line: Line = _decode(text, Line, where)
    if line.undo not in (0, 1):
        raise BadRecord(f"undo takes back 1 action, not {line.undo}", where)
    if line.back < 0:
        raise BadRecord(f"{line.back} actions cannot be taken back", where)
    if bool(line.do) + line.undo + bool(line.back) + bool(line.reseed or line.commitment) != 1:
        said = "a line is either an action (side and do), or undo, or back, or reseed with its commitment"
        raise BadRecord(said, where)
    if line.reseed and line.commitment and commitment(_from_hex(line.reseed, where)) != line.commitment:
        raise WrongRecord("the seed of the branch is not the one that was committed to", where)
    return line


def _from_hex(seed: str, where: str) -> bytes:
    try:
        return bytes.fromhex(seed)
    except ValueError:
        raise BadRecord("the seed is not hexadecimal", where) from None


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
