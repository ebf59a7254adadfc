"""Recorded judgements, for all games: which functions are asked what they say on boards made at random."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any


def public_functions(game: ModuleType, leave_out: Collection[str]) -> dict[str, Callable[..., Any]]:
    """By module (the last part of its name, in that order) and name: the public functions of a game's modules."""
    found = {}
    modules = {m.name: m.name.rpartition(".")[2] for m in pkgutil.walk_packages(game.__path__, f"{game.__name__}.")}
    for path, module in sorted(modules.items(), key=lambda m: m[1]):
        if module in leave_out:
            continue
        for name, f in vars(importlib.import_module(path)).items():
            if inspect.isfunction(f) and f.__module__ == path and not name.startswith("_"):
                found[f"{module}.{name}"] = f
    return found
