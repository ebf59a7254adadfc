"""Who may import whom: core <- wargame <- games <- bots, render, report, lab <- table, cli; no game imports another,
and the modules of a game do not import each other in circles."""

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
    "report": {"core", "wargame", "render", "report"},
    "lab": {"core", "wargame", "games", "bots", "render", "report", "table", "lab"},
    "table": {"core", "wargame", "bots", "render", "report", "table"},
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


# --- inside a game ---------------------------------------------------------------------------------------------------

KNOTS = {
    (
        "stalingrad42",
        "breakthrough",
        "combat",
    ): "the fight of a Breakthrough Group may lead to another (15.2)",
}
"""Imports that close a circle, by game, module and the module imported, and why they stay."""

GAMES = sorted(p for p in (ROOT / "games").iterdir() if (p / "title.py").exists())


def imports_of(path: Path, game: str, known: set[str]) -> set[str]:
    """The modules of its own game that a module imports, at its head or late; not those imported for types alone."""
    tree = ast.parse(path.read_text())
    tests = [n for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    for_types = {id(n) for test in tests for n in ast.walk(test)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in for_types:
            found |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)} & known
    return {name for name in found if name.startswith(f"kessel.games.{game}.")}


def circles(graph: dict[str, set[str]]) -> set[str]:
    """The modules from which a way of imports leads back to themselves."""
    left = dict(graph)
    while free := {m for m, others in left.items() if not others & left.keys()}:
        left = {m: others for m, others in left.items() if m not in free}
    while unused := left.keys() - {o for others in left.values() for o in others}:
        left = {m: others for m, others in left.items() if m not in unused}
    return set(left)


def import_graph(folder: Path) -> dict[str, set[str]]:
    paths = {".".join(("kessel", *p.relative_to(ROOT).with_suffix("").parts)): p for p in folder.rglob("*.py")}
    return {m: imports_of(p, folder.name, set(paths)) for m, p in paths.items()}


@pytest.mark.parametrize("folder", GAMES, ids=lambda p: p.name)
def test_no_game_is_knotted(folder: Path) -> None:
    graph = import_graph(folder)
    for game, module, other in KNOTS:
        if game == folder.name:
            (one,) = (m for m in graph if m.endswith(f".{module}"))
            (two,) = (m for m in graph[one] if m.endswith(f".{other}"))
            graph[one] = graph[one] - {two}
    assert not circles(graph)


def test_a_knot_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}, "e": set()}) == {"b", "c"}
    assert not circles({"a": {"b", "c"}, "b": {"c"}, "c": set()})
