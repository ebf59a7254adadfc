"""Do the tests fail when a rule is broken? Guards and constants of a game's modules are flipped one at a time.

    python -m kessel.lab.mutate stalingrad42 --flips 60 --workers 2

Each flip is tried on a copy of the sources with the game's own tests; those that read the flipped module run first.
A flip that no test notices is a survivor and is printed with its place.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[3]
NOT_RULES = {
    "__init__",
    "pack_statistics",
    "statistics",
    "view",
    "title",
    "notation",
    "position",
    "overlays",
    "preview",
}
COMPARES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True, slots=True)
class Flip:
    module: str
    line: int
    what: str
    index: int
    """The n-th place of the module that can be flipped."""


class _Flipper(ast.NodeTransformer):
    """Counts the places that can be flipped, and flips one of them."""

    def __init__(self, wanted: int = -1) -> None:
        self.wanted, self.count = wanted, 0
        self.found: list[tuple[int, str]] = []

    def _here(self, node: ast.expr | ast.stmt, what: str) -> bool:
        self.found.append((node.lineno, what))
        self.count += 1
        return self.count - 1 == self.wanted

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        flipped = COMPARES.get(type(node.ops[0]))
        if len(node.ops) == 1 and flipped and self._here(node, f"{ast.unparse(node)}: the comparison turned"):
            return ast.copy_location(ast.Compare(node.left, [flipped()], node.comparators), node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if self._here(node, f"{ast.unparse(node)}: and/or exchanged"):
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            return ast.copy_location(ast.BoolOp(other, node.values), node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and self._here(node, f"{ast.unparse(node)}: the not left out"):
            return node.operand
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        last = node.body[-1]
        refuses = isinstance(last, ast.Return) and last.value is not None and "Refusal(" in ast.unparse(last)
        if refuses and self._here(node, f"if {ast.unparse(node.test)}: the guard left out"):
            return ast.copy_location(ast.If(ast.Constant(False), node.body, node.orelse), node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        number = isinstance(node.value, int) and not isinstance(node.value, bool)
        if number and self._here(node, f"{node.value!r}: one more"):
            return ast.copy_location(ast.Constant(int(node.value) + 1), node)  # type: ignore[arg-type]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        node.value = self.visit(node.value)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node


def places(game: str) -> list[Flip]:
    """All places that can be flipped in the game's rules modules."""
    found: list[Flip] = []
    for path in sorted((ROOT / "src" / "kessel" / "games" / game).glob("*.py")):
        if path.stem not in NOT_RULES:
            flipper = _Flipper()
            flipper.visit(ast.parse(path.read_text()))
            found.extend(Flip(path.stem, line, what, i) for i, (line, what) in enumerate(flipper.found))
    return found


def sample(game: str, n: int, seed: int) -> list[Flip]:
    """Flips spread over the modules: each module gets its share, chosen at random."""
    rng = random.Random(seed)
    every = places(game)
    rng.shuffle(every)
    chosen: list[Flip] = []
    by_module: dict[str, list[Flip]] = {}
    for flip in every:
        by_module.setdefault(flip.module, []).append(flip)
    for flips in by_module.values():
        share = round(n * len(flips) / len(every))
        chosen.extend(flips[:share])
    rest = [f for f in every if f not in set(chosen)]
    return (chosen + rest)[:n]


def test_files(game: str, module: str) -> list[str]:
    """The game's tests, those that speak of the module first."""
    files = sorted((ROOT / "tests" / "games" / game).glob("test_*.py"))
    return [str(f) for f in sorted(files, key=lambda f: (f".{module} import" not in f.read_text(), f.name))]


def caught(flip: Flip, game: str, folder: Path, seconds: float) -> bool:
    """Whether a test fails with the flip in place."""
    path = folder / "src" / "kessel" / "games" / game / f"{flip.module}.py"
    whole = path.read_text()
    tree = _Flipper(flip.index).visit(ast.parse(whole))
    path.write_text(ast.unparse(ast.fix_missing_locations(tree)))
    try:
        return not passes(game, folder, test_files(game, flip.module), seconds)
    finally:
        path.write_text(whole)


def passes(game: str, folder: Path, files: list[str], seconds: float) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def mutate(game: str, flips: list[Flip], workers: int) -> Iterator[tuple[Flip, bool]]:
    with tempfile.TemporaryDirectory() as home:
        folders: SimpleQueue[Path] = SimpleQueue()
        for i in range(workers):
            shutil.copytree(ROOT / "src", Path(home) / str(i) / "src", ignore=shutil.ignore_patterns("__pycache__"))
            folders.put(Path(home) / str(i))
        begun = time.monotonic()
        first = folders.get()
        if not passes(game, first, test_files(game, ""), 3600):
            raise SystemExit(f"the tests of {game} fail without any flip")
        folders.put(first)
        seconds = 60 + 4 * (time.monotonic() - begun)

        def one(flip: Flip) -> tuple[Flip, bool]:
            folder = folders.get()
            try:
                return flip, caught(flip, game, folder, seconds)
            finally:
                folders.put(folder)

        with ThreadPoolExecutor(workers) as pool:
            yield from pool.map(one, flips)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--flips", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    survivors = []
    n = 0
    for flip, noticed in mutate(options.game, sample(options.game, options.flips, options.seed), options.workers):
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
