"""What can go wrong at the borders. Every message is one sentence that names the thing and the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kessel.core.breakdown import Refusal


class KesselError(Exception):
    """Base of all errors a caller may show to a person as they are."""


class BadInput(KesselError):
    """A position, option, name or notation that cannot be read; `where` is a JSON path, file:line or word."""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where


class Malformed(BadInput):
    """Text that is not JSON at all, or breaks off; `line` and `column` count from 1."""

    def __init__(self, message: str, raw: bytes, offset: int, where: str = "$") -> None:
        super().__init__(message, where)
        before = raw[:offset]
        self.line = before.count(b"\n") + 1
        self.column = len(before) - before.rfind(b"\n")


def malformed(message: str, raw: bytes | str, where: str = "$") -> Malformed:
    """What msgspec says of text that is no JSON, with its byte turned into a line and a column."""
    data = raw.encode() if isinstance(raw, str) else raw
    text, _, byte = message.partition(" (byte ")
    return Malformed(text, data, int(byte.rstrip(")")) if byte else len(data.rstrip()), where)


class BadPack(BadInput):
    """A pack file that cannot be used; `where` is file:line."""


class BadRecord(BadInput):
    """A record that is damaged, or was made with other rules or other data."""


class WrongRecord(BadRecord):
    """A record that can be read, but does not hold: an action, a die, a digest or its seed is not as it says."""


class IllegalAction(KesselError):
    """An action that is not among the legal ones; carries the rule that forbids it."""

    def __init__(self, action: str, refusal: Refusal) -> None:
        super().__init__(f"{action}: {refusal}" if action else str(refusal))
        self.action = action
        self.refusal = refusal
