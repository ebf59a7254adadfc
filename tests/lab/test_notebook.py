"""The notebook of the documentation runs, and shows what is written in it."""

from __future__ import annotations

import json
from pathlib import Path

from kessel.lab.notebook import differences, kept, run, write

BOOK = Path(__file__).parents[2] / "docs/lab.ipynb"


def test_the_notebook_shows_what_is_written() -> None:
    """Where play has changed for a reason: python -m kessel.lab.notebook docs/lab.ipynb --write"""
    assert differences(BOOK) == []


def test_a_cell_that_shows_something_else_is_found(tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": ["n = 1\n", "print(n)\n", "n + 1"], "outputs": []}]
    book = tmp_path / "book.ipynb"
    book.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": ["text"]}, *cells]}))
    assert [shown for _, shown in run(json.loads(book.read_text()))] == ["1\n2\n"]
    assert len(differences(book)) == 1
    write(book)
    assert differences(book) == []
    assert kept(json.loads(book.read_text())["cells"][1]) == "1\n2\n"
