"""Where something stands in a file: lines of JSON paths, of TOML errors and of TOML keys."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")
_STEP = re.compile(r"\[(\d+)\]")


def json_line(text: str, *path: str | int) -> int:
    """The line of the deepest part of a path that is there; keys are strings, places in a list numbers."""
    at = _skip(text, 0)
    found = at
    for step in path:
        inner = _in_object(text, at, step) if isinstance(step, str) else _in_list(text, at, step)
        if inner is None:
            break
        found, at = inner
    return text.count("\n", 0, found) + 1


def json_path(written: str) -> list[str | int]:
    """`$.links[3].kind` as its steps; a key may hold anything but a dot."""
    steps: list[str | int] = []
    for word in written.removeprefix("$").split("."):
        key = _STEP.sub("", word)
        if key:
            steps.append(key)
        steps.extend(int(n) for n in _STEP.findall(word))
    return steps


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _in_object(text: str, at: int, wanted: str) -> tuple[int, int] | None:
    """Where the key and its value begin."""
    if text[at : at + 1] != "{":
        return None
    at = _skip(text, at + 1)
    while text[at : at + 1] == '"':
        begun = at
        key, at = _DECODER.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        if key == wanted:
            return begun, at
        at = _next(text, at)
    return None


def _in_list(text: str, at: int, wanted: int) -> tuple[int, int] | None:
    if text[at : at + 1] != "[":
        return None
    at = _skip(text, at + 1)
    for n in range(wanted + 1):
        if text[at : at + 1] == "]":
            return None
        if n == wanted:
            return at, at
        at = _next(text, at)
    return None


def _next(text: str, at: int) -> int:
    """Behind the value that begins here and the comma after it."""
    _, at = _DECODER.raw_decode(text, at)
    at = _skip(text, at)
    return _skip(text, at + 1) if text[at : at + 1] == "," else at


def toml_fault(e: tomllib.TOMLDecodeError, text: str) -> tuple[str, int]:
    """What is wrong with a TOML file, and its line."""
    message, _, place = str(e).rpartition(" (at ")
    found = re.match(r"line (\d+)", place)
    return message or str(e), int(found[1]) if found else max(len(text.splitlines()), 1)


def toml_line(text: str, path: Sequence[str | int]) -> int:
    """The line of the deepest part of a path of keys that is there; 1 if none is.

    Of a list of tables the first is meant, or the one whose number stands after its key.
    """
    table: list[str | int] = []
    best, line_of_best = 0, 1
    counts: dict[tuple[str | int, ...], int] = {}
    numbered = any(isinstance(step, int) for step in path)
    for number, line in enumerate(text.splitlines(), start=1):
        if head := re.match(r"\s*(\[+)\s*([^\]]+?)\s*\]+", line):
            here = table = _numbered(_keys(head[2]), counts, again=head[1] == "[[")
        elif key := re.match(r"""\s*([\w.\-]+|"[^"]*"|'[^']*')\s*=""", line):
            here = [*table, *_keys(key[1])]
        else:
            continue
        if not numbered:
            here = [step for step in here if isinstance(step, str)]
        if here == list(path[: len(here)]) and len(here) > best:
            best, line_of_best = len(here), number
    return line_of_best


def _numbered(keys: list[str], counts: dict[tuple[str | int, ...], int], *, again: bool) -> list[str | int]:
    """The path of a table with the number of each list of tables it stands in; `again`: one more of the last list."""
    found: list[str | int] = []
    for i, key in enumerate(keys):
        found.append(key)
        here = tuple(found)
        if again and i == len(keys) - 1:
            counts[here] = counts.get(here, -1) + 1
        if here in counts:
            found.append(counts[here])
    return found


def _keys(written: str) -> list[str]:
    return [k.strip().strip("\"'") for k in written.split(".")]


def same_shape(ours: Any, theirs: Any) -> bool:
    """Whether two values can stand for each other: numbers for numbers, tables for tables."""
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return isinstance(ours, bool) and isinstance(theirs, bool)
    if isinstance(ours, int | float):
        return isinstance(theirs, int | float)
    return isinstance(theirs, type(ours))
