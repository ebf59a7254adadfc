"""Notebooks of the documentation: run their cells, and compare or write down what they show.

    python -m kessel.lab.notebook docs/lab.ipynb          compare
    python -m kessel.lab.notebook docs/lab.ipynb --write  run it and keep what it shows

A cell shows what it prints and the value of its last line, as text; of what shows itself as a picture the text is kept
alone, so that the file stays small. Anybody's Jupyter opens and runs the same file.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def run(doc: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Each cell of code with what it shows. All share one namespace."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in doc["cells"]:
        if cell["cell_type"] == "code":
            yield cell, _run("".join(cell["source"]), names)


def _run(source: str, names: dict[str, Any]) -> str:
    body = ast.parse(source).body
    last = body[-1] if body else None
    if isinstance(last, ast.Expr):
        body.pop()
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if value is not None:
                print(repr(value))
    return told.getvalue()


def kept(cell: dict[str, Any]) -> str:
    """What a cell showed when it was written down."""
    return "".join(text for out in cell["outputs"] for text in out.get("text", []))


def write(path: Path) -> None:
    doc = json.loads(path.read_text(encoding="utf-8"))
    for n, (cell, shown) in enumerate(run(doc), start=1):
        lines = shown.splitlines(keepends=True)
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
        cell["execution_count"] = n
    path.write_text(json.dumps(doc, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def differences(path: Path) -> list[str]:
    """The cells that show something else than is written down."""
    doc = json.loads(path.read_text(encoding="utf-8"))
    return [
        f"cell {n}: {kept(cell)!r} is written, it shows {shown!r}"
        for n, (cell, shown) in enumerate(run(doc), start=1)
        if shown != kept(cell)
    ]


def main() -> None:
    path = Path(sys.argv[1])
    if "--write" in sys.argv:
        write(path)
        return
    found = differences(path)
    print(*found, sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
