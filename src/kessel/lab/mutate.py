"""Do the tests fail when a rule is broken? Guards and constants of a game's modules are flipped one at a time.

    python -m kessel.lab.mutate stalingrad42 --flips 60 --workers 2

Each flip is tried on a copy of the sources with the game's own tests. All tests run once without a flip, and it is
noted which of them run which block of which module. A flip is tried on the tests that run its block, those that run
much in little time first, in a fork of a process that has read everything already; one that survives there is tried
again on all tests in a fresh process. A flip that no test notices is a survivor and is printed with its place.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from kessel.lab.flips import ROOT, Flip, block_of, flipped, modules, sample, with_probes

PASSED, FAILED = 0, 1
"""As the forks of `flip_runner` end; anything else asks for a fresh process."""
RUNNER = [sys.executable, "-c", "from kessel.lab.flip_runner import main; main()"]


def test_files(game: str, module: str) -> list[str]:
    """The game's tests, those that speak of the module first."""
    files = sorted((ROOT / "tests" / "games" / game).glob("test_*.py"))
    return [str(f) for f in sorted(files, key=lambda f: (f".{module} import" not in f.read_text(), f.name))]


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(folder / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
    }


def copy(folder: Path) -> Path:
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@dataclass(slots=True)
class Measured:
    """What the tests do without any flip."""

    tests: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """The tests that run a block, those first that run much in little time."""
    seconds: dict[str, float] = field(default_factory=dict)
    reading: set[tuple[str, int]] = field(default_factory=set)
    """Blocks that run while the tests are read."""


def measure(game: str, folder: Path) -> Measured:
    for module, path in modules(game, folder / "src"):
        path.write_text(with_probes(path.read_text(), module))
    out = folder / "measured.json"
    command = [*RUNNER, "measure", game, str(out), *test_files(game, "")]
    done = subprocess.run(command, cwd=ROOT, env=environment(folder), capture_output=True, check=False, text=True)
    told: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {"failed": 1}
    if told["failed"]:
        raise SystemExit(f"the tests of {game} fail without any flip:\n{done.stdout[-1500:]}{done.stderr[-500:]}")
    measured = Measured(reading={(module, line) for module, line in told["reading"]})
    for test, facts in sorted(told["tests"].items(), key=lambda x: x[1]["seconds"] / (len(x[1]["blocks"]) + 1)):
        measured.seconds[test] = facts["seconds"]
        for module, line in facts["blocks"]:
            measured.tests.setdefault((module, line), []).append(test)
    return measured


class Worker:
    """A copy of the sources and a process that has collected the tests on it."""

    def __init__(self, game: str, folder: Path, measured: Measured, quick: bool) -> None:
        self.game, self.folder, self.measured, self.quick = game, folder, measured, quick
        asked, self._asking = os.pipe()
        self._telling, told = os.pipe()
        self._server = subprocess.Popen(
            [*RUNNER, "serve", game, str(asked), str(told), *test_files(game, "")],
            cwd=ROOT,
            env=environment(folder),
            pass_fds=(asked, told),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(asked)
        os.close(told)
        self._questions, self._answers = os.fdopen(self._asking, "w"), os.fdopen(self._telling)

    def close(self) -> None:
        self._questions.close()
        self._server.wait()
        self._answers.close()

    def caught(self, flip: Flip) -> bool:
        """Whether a test fails with the flip in place."""
        path = dict(modules(self.game, self.folder / "src"))[flip.module]
        whole = path.read_text()
        block = block_of(whole, flip.line)
        if block is not None and (flip.module, block) not in self.measured.reading:
            tests = self.measured.tests.get((flip.module, block))
            if tests is None:
                return False
            end = self._ask(flip, tests)
            if end == FAILED:
                return True
            if end == PASSED and self.quick:
                return False
        path.write_text(ast.unparse(flipped(whole, flip.index)))
        try:
            return not self._passes(test_files(self.game, flip.module))
        finally:
            path.write_text(whole)

    def _ask(self, flip: Flip, tests: list[str]) -> int:
        timed = [(test, self.measured.seconds[test]) for test in tests]
        question = {"module": flip.module, "index": flip.index, "tests": timed}
        print(json.dumps(question), file=self._questions, flush=True)
        return int(self._answers.readline())

    def _passes(self, files: list[str]) -> bool:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files]
        seconds = 30 + 3 * sum(self.measured.seconds.values())
        limited = ["prlimit", f"--cpu={int(seconds)}", *command] if shutil.which("prlimit") else command
        try:
            done = subprocess.run(
                limited,
                cwd=ROOT,
                env=environment(self.folder),
                capture_output=True,
                timeout=10 * seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def mutate(game: str, flips: list[Flip], workers: int, quick: bool = False) -> Iterator[tuple[Flip, bool]]:
    with tempfile.TemporaryDirectory() as home:
        folders = [copy(Path(home) / str(i)) for i in range(workers)]
        measured = measure(game, copy(Path(home) / "measured"))
        idle: SimpleQueue[Worker] = SimpleQueue()
        everyone = [Worker(game, folder, measured, quick) for folder in folders]
        for worker in everyone:
            idle.put(worker)

        def one(flip: Flip) -> tuple[Flip, bool]:
            worker = idle.get()
            try:
                return flip, worker.caught(flip)
            finally:
                idle.put(worker)

        try:
            with ThreadPoolExecutor(workers) as pool:
                yield from pool.map(one, flips)
        finally:
            for worker in everyone:
                worker.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--flips", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--modules", default="", help="only these modules, with commas between them")
    parser.add_argument("--quick", action="store_true", help="survivors are not tried again on all tests")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    survivors = []
    n = 0
    flips = sample(options.game, options.flips, options.seed, filter(None, options.modules.split(",")))
    for flip, noticed in mutate(options.game, flips, options.workers, options.quick):
        n += 1
        if not noticed:
            survivors.append(flip)
        if not options.json:
            print(f"{'caught  ' if noticed else 'SURVIVED'} {flip.module}:{flip.line} {flip.what[:140]}", flush=True)
    share = (n - len(survivors)) / n
    if options.json:
        print(
            json.dumps({"game": options.game, "flips": n, "caught": share, "survivors": [asdict(s) for s in survivors]})
        )
    else:
        print(f"{n - len(survivors)} of {n} flips caught ({share:.0%})")
    sys.exit(share < 0.9)


if __name__ == "__main__":
    main()
