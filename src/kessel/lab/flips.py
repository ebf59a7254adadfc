"""Places of a game's rules modules that can be flipped, and what the modules look like with one of them flipped."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

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
HIT = "_kessel_hit"


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


def flipped(source: str, index: int) -> ast.Module:
    """The module with its n-th place flipped; lines stay where they are."""
    tree = ast.parse(source)
    _Flipper(index).visit(tree)
    return ast.fix_missing_locations(tree)


def modules(game: str, source: Path = ROOT / "src") -> Iterator[tuple[str, Path]]:
    """The rules modules of a game, by their names in its package."""
    folder = source / "kessel" / "games" / game
    for path in sorted(folder.rglob("*.py")):
        if path.stem not in NOT_RULES:
            yield ".".join(path.relative_to(folder).with_suffix("").parts), path


def places(game: str) -> list[Flip]:
    """All places that can be flipped in the game's rules modules."""
    found: list[Flip] = []
    for module, path in modules(game):
        flipper = _Flipper()
        flipper.visit(ast.parse(path.read_text()))
        found.extend(Flip(module, line, what, i) for i, (line, what) in enumerate(flipper.found))
    return found


def sample(game: str, n: int, seed: int, only: Iterable[str] = ()) -> list[Flip]:
    """Flips spread over the modules (or some of them): each module gets its share, chosen at random."""
    rng = random.Random(seed)
    wanted = set(only)
    every = [f for f in places(game) if not wanted or {f.module, f.module.rpartition(".")[2]} & wanted]
    rng.shuffle(every)
    chosen: list[Flip] = []
    by_module: dict[str, list[Flip]] = {}
    for flip in every:
        by_module.setdefault(flip.module, []).append(flip)
    for flips in by_module.values():
        share = round(n * len(flips) / len(every))
        chosen.extend(flips[:share])
    taken = set(chosen)
    rest = [f for f in every if f not in taken]
    return (chosen + rest)[:n]


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """The statement lists inside functions: what of one of them runs, runs from its first statement on."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            yield function.body
            inner = [node for statement in function.body for node in ast.walk(statement)]
            for node in inner:
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                    for name in ("body", "orelse", "finalbody"):
                        held = getattr(node, name, None)
                        if isinstance(held, list) and held:
                            yield held


def block_of(source: str, line: int) -> int | None:
    """The first line of the innermost block a line is in; None for lines that run when the module is read."""
    around = [
        (held[-1].end_lineno or 0, -held[0].lineno)
        for held in blocks(ast.parse(source))
        if held[0].lineno <= line <= (held[-1].end_lineno or 0)
    ]
    return max((-begin for _, begin in around), default=None)


def with_probes(source: str, module: str) -> str:
    """The module, each of its blocks telling that it was run."""
    tree = ast.parse(source)
    seen: set[int] = set()
    for held in list(blocks(tree)):
        if id(held) not in seen:
            seen.add(id(held))
            first = held[0]
            documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            probe = ast.parse(f"{HIT}(({module!r}, {first.lineno}))").body[0]
            held.insert(int(documented), probe)
    after = next(i for i, s in enumerate(tree.body) if not _opens(s))
    tree.body.insert(after, ast.parse(f"from kessel.lab.flip_runner import hit as {HIT}").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def _opens(statement: ast.stmt) -> bool:
    """Whether it must stay at the top of a module."""
    future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
    return future or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
