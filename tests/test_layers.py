"""Who may import whom: core <- wargame <- games <- bots, render, lab <- table, cli; no game imports another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import kessel

ROOT = Path(kessel.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

ALLOWED = {
    "core": {"core"},
    "wargame": {"core", "wargame"},
    "games": {"core", "wargame"},
    "mapping": {"core", "mapping"},
    "bots": {"core", "wargame", "games", "bots"},
    "render": {"core", "render"},
    "lab": {"core", "wargame", "games", "bots", "render", "table", "lab"},
    "table": {"core", "wargame", "bots", "render", "table"},
}
"""What the modules of a package may import; a game also its own package."""


def imported(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((a.name, node.lineno) for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "kessel":
                yield from ((f"kessel.{a.name}", node.lineno) for a in node.names)
            else:
                yield node.module, node.lineno


def why_not_import(path: Path, name: str) -> str:
    """The layer that is crossed; empty if none is."""
    own = path.relative_to(ROOT).parts
    parts = name.split(".")
    if parts[0] != "kessel" or len(parts) < 2 or len(own) == 1:
        return ""
    if own[0] == "games" and parts[1] == "games":
        mine = len(parts) > 2 and parts[2] == own[1]
        return "" if mine else "a game knows no other game"
    return "" if parts[1] in ALLOWED[own[0]] else f"{own[0]} may not know {parts[1]}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_layer_is_crossed(path: Path) -> None:
    found = [f"line {line}: {name}: {why}" for name, line in imported(path) if (why := why_not_import(path, name))]
    assert not found


def test_a_crossed_layer_is_found() -> None:
    assert why_not_import(ROOT / "core" / "board.py", "kessel.games.don42.board")
    assert why_not_import(ROOT / "games" / "don42" / "combat.py", "kessel.games.kharkov43")
    assert why_not_import(ROOT / "games" / "don42" / "combat.py", "kessel.bots")
    assert not why_not_import(ROOT / "games" / "don42" / "combat.py", "kessel.games.don42.combat.odds")
