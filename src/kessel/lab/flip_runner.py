"""The processes in which flips are tried. Started by `kessel.lab.mutate` on a copy of the sources, never by hand.

measure   runs all tests once, the modules with probes, and tells which test runs which block
serve     collects the tests once; for each flip asked for it forks, turns the flip in the fork and runs tests there
"""

from __future__ import annotations

import ast
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TextIO

import pytest

from kessel.lab.flips import flipped

PASSED, FAILED, AFRESH = 0, 1, 2
"""How a fork ends; AFRESH: the flip lies in what runs when a module is read, so the fork cannot show it."""
OPTIONS = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler"]
MEMORY = 6 * 1024**3

_hits: set[tuple[str, int]] = set()
hit = _hits.add


class Measure:
    """Which blocks each test runs, and how long it takes."""

    def __init__(self) -> None:
        self.tests: dict[str, dict[str, Any]] = {}
        self.reading: list[tuple[str, int]] = []
        """What runs before the first test."""

    def pytest_collection_finish(self) -> None:
        self.reading = sorted(_hits)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        _hits.clear()
        begun = time.process_time()
        yield
        self.tests[item.nodeid] = {"seconds": time.process_time() - begun, "blocks": sorted(_hits)}


class Serve:
    """Answers each flip with the way its tests end."""

    def __init__(self, game: str, questions: TextIO, answers: TextIO) -> None:
        self.game, self.questions, self.answers = game, questions, answers

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for line in self.questions:
            question = json.loads(line)
            chosen = [(items[test], seconds) for test, seconds in question["tests"] if test in items]
            fork = os.fork()
            if fork == 0:
                os._exit(self._try(question, chosen))
            _, status = os.waitpid(fork, 0)
            end = os.WEXITSTATUS(status) if os.WIFEXITED(status) else FAILED
            print(end, file=self.answers, flush=True)
        return True

    def _try(self, question: dict[str, Any], chosen: list[tuple[pytest.Item, float]]) -> int:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            if not turn(f"kessel.games.{self.game}.{question['module']}", question["index"]):
                return AFRESH
            return PASSED if run(chosen) else FAILED
        except BaseException:
            return FAILED


def run(tests: list[tuple[pytest.Item, float]]) -> bool:
    """Run tests up to the first that fails; one that takes much longer than it did ends the process."""
    from _pytest.runner import runtestprotocol

    items = [item for item, _ in tests]
    for (item, seconds), following in zip(tests, [*items[1:], None], strict=True):
        signal.setitimer(signal.ITIMER_PROF, 3 + 10 * seconds)
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
            return False
    return True


def turn(name: str, index: int) -> bool:
    """Give the functions of a module the code they have with the flip; False if it lies outside of functions."""
    module = importlib.import_module(name)
    path = str(module.__file__)
    source = Path(path).read_text()
    before = _codes(compile(ast.parse(source), path, "exec"))
    after = _codes(compile(flipped(source, index), path, "exec"))
    changed = {key for key, code in after.items() if before[key] != code}
    functions = [f for f in gc.get_objects() if isinstance(f, FunctionType) and f.__code__.co_filename == path]
    inside = False
    for function in functions:
        key = (function.__code__.co_qualname, function.__code__.co_firstlineno)
        if key in changed:
            function.__code__ = after[key]
            inside = True
    return inside and ("<module>", 1) not in _own_changes(before, after)


def _codes(code: CodeType) -> dict[tuple[str, int], CodeType]:
    found = {(code.co_qualname, code.co_firstlineno): code}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found.update(_codes(constant))
    return found


def _own_changes(
    before: dict[tuple[str, int], CodeType], after: dict[tuple[str, int], CodeType]
) -> set[tuple[str, int]]:
    """The codes that differ in themselves, not only in a code they hold."""

    def own(code: CodeType) -> tuple[Any, ...]:
        constants = tuple(c if not isinstance(c, CodeType) else None for c in code.co_consts)
        return code.co_code, repr(constants), code.co_names

    return {key for key in after if own(before[key]) != own(after[key])}


def main() -> None:
    role, game, *tests = sys.argv[1:]
    if role == "measure":
        measure = Measure()
        out = Path(tests.pop(0))
        failed = pytest.main([*OPTIONS, "-x", *tests], plugins=[measure])
        out.write_text(json.dumps({"failed": int(failed), "tests": measure.tests, "reading": measure.reading}))
    else:
        questions, answers = (int(tests.pop(0)) for _ in range(2))
        with os.fdopen(questions) as asked, os.fdopen(answers, "w") as told:
            pytest.main([*OPTIONS, *tests], plugins=[Serve(game, asked, told)])


if __name__ == "__main__":
    main()
