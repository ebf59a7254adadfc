"""The numbers a program plays by, as data: one frozen dataclass a game, changed by name.

A weaker or a bolder copy of a program, a plan for one formation, a copy tuned in the arena: each is a few changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeAlias, TypeVar

from kessel.core.errors import BadInput

W = TypeVar("W")
Changes: TypeAlias = Mapping[str, float]
"""New values by the names of the numbers."""


def changed(weights: W, changes: Changes) -> W:
    """The same numbers but for these."""
    return replace(weights, **changes) if changes else weights  # type: ignore[type-var]


def check_changes(form: type[Any] | None, changes: Changes) -> None:
    """BadInput names a number that programs of this form do not have."""
    known = sorted(f.name for f in fields(form)) if form is not None else []
    for name in changes:
        if name not in known:
            raise BadInput(f"this program has no number {name!r}; there are {', '.join(known) or 'none'}")


def read_changes(text: str) -> dict[str, float]:
    """`risk=0.1,hold=5` as changes; whole numbers stay whole."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            found[name.strip()] = int(value) if value.strip().lstrip("-").isdigit() else float(value)
        except ValueError:
            raise BadInput(f"a changed number is written name=value, not {part!r}") from None
    return found
