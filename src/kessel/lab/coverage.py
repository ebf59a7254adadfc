"""Which rules the project's tests prove: collected from the `rule` marks of the tests themselves."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kessel.core.errors import BadInput

OURS = Path(__file__).resolve().parents[3]
"""The checkout this code is part of, if it is part of one."""


def checkout() -> Path:
    """The checkout this is called in, else the one this code is part of."""
    here = Path.cwd()
    found = (p for p in (here, *here.parents) if (p / "tests/games").is_dir() and (p / "src/kessel").is_dir())
    return next(found, OURS)


class _Collector:
    def __init__(self, game: str) -> None:
        self.game = game
        self.rules: set[str] = set()
        self.examples: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        for item in items:
            if item.get_closest_marker("skip") or item.get_closest_marker("xfail"):
                continue
            for found, kind in ((self.rules, "rule"), (self.examples, "example")):
                for mark in item.iter_markers(kind):
                    if mark.args and mark.args[0] == self.game:
                        found.update(str(n) for n in mark.args[1:])
        items.clear()


def proven(game: str, tests: Path | None = None) -> tuple[set[str], set[str]]:
    """The rule numbers and example ids that tests of this game carry."""
    folder = (tests or checkout() / "tests") / "games" / game
    if not folder.is_dir():
        raise BadInput(f"there are no tests of {game} here; run this in a checkout of the project", str(folder))
    try:
        import pytest
    except ModuleNotFoundError:
        raise BadInput("pytest is needed to collect the tests; run `make test` once") from None
    collector = _Collector(game)
    wanted = [
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "",
        "--rootdir",
        str(folder.parents[2]),
        str(folder),
    ]
    told = io.StringIO()
    with contextlib.redirect_stdout(told), _importable(folder.parents[2]):
        code = pytest.main(wanted, plugins=[collector])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise BadInput(f"the tests of {game} cannot be collected: {told.getvalue().strip()[-400:]}", str(folder))
    return collector.rules, collector.examples


@contextlib.contextmanager
def _importable(root: Path) -> Iterator[None]:
    """Tests import from each other; wherever this is called, those of this checkout are meant."""
    sys.path.insert(0, str(root))
    try:
        yield
    finally:
        sys.path.remove(str(root))
