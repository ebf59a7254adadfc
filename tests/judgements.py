"""Recorded judgements, for all games: which functions are asked what they say on boards made at random."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any


def public_functions(game: ModuleType, leave_out: Collection[str]) -> dict[str, Callable[..., Any]]:
    """By module and name: the public functions of a game's modules."""
    found = {}
    for module in pkgutil.iter_modules(game.__path__):
        if module.name in leave_out:
            continue
        for name, f in vars(importlib.import_module(f"{game.__name__}.{module.name}")).items():
            if inspect.isfunction(f) and f.__module__.endswith(f".{module.name}") and not name.startswith("_"):
                found[f"{module.name}.{name}"] = f
    return found
