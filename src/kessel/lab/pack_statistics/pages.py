"""Tables of statistics as they stand in the docs of a game, between two marks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from kessel.core.pack import Pack

BEGIN, END = "<!-- statistics: begin -->", "<!-- statistics: end -->"


def markdown(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    first = list(head)
    lines: list[Iterable[object]] = [first, ["---"] * len(first), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def sections(parts: Iterable[tuple[str, str]]) -> str:
    """Tables with their titles."""
    return "\n\n".join(f"### {title}\n\n{body}" for title, body in parts) + "\n"


def printed(page: str) -> str:
    """What stands between the marks of a page."""
    return page.partition(BEGIN)[2].partition(END)[0].strip() + "\n"


def write(game: str, report: Callable[[Pack], str]) -> None:
    """Print a report, or with `--write FILE.md` put it between the marks of that file."""
    text, arguments = report(Pack(game, overlays=())), sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "--write":
        path = Path(arguments[1])
        page = path.read_text(encoding="utf-8")
        head, tail = page.partition(BEGIN)[0], page.partition(END)[2]
        path.write_text(f"{head}{BEGIN}\n\n{text}\n{END}{tail}", encoding="utf-8")
    else:
        print(text, end="")
