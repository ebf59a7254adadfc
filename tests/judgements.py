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
    for info in pkgutil.walk_packages(game.__path__, f"{game.__name__}."):
        module = info.name.rpartition(".")[2]
        if module in leave_out:
            continue
        for name, f in vars(importlib.import_module(info.name)).items():
            if inspect.isfunction(f) and f.__module__ == info.name and not name.startswith("_"):
                found[f"{module}.{name}"] = f
    return found
