"""Numbers and refusals that explain themselves.

A `Breakdown` is a number together with the items that made it; the code that computes the number fills it, so that
the explanation cannot differ from the answer. A `Refusal` is a "no" with its rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Refusal(NamedTuple):
    """Why something is not allowed. Truthy, so that `if why := can_move(...)` reads as a sentence."""

    rule: str
    """Empty where no rule of the game forbids it: the table itself does."""
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})" if self.rule else self.reason

    def as_json(self) -> dict[str, str]:
        return {"rule": self.rule, "reason": self.reason}


class Item(NamedTuple):
    """One line of a breakdown: what, by which rule, and the value after it was applied or added."""

    what: str
    rule: str
    value: int | float | str

    def as_json(self) -> dict[str, Any]:
        return {"what": self.what, "rule": self.rule, "value": self.value}


@dataclass(slots=True)
class Breakdown:
    """A running total with its reasons.

    >>> b = Breakdown("defence").add("62Rfl", 5, "9.1").times("behind a river", 2, "9.5.1")
    >>> b.total
    10
    >>> print(b)
    defence 10 (62Rfl 5; behind a river x2)
    """

    name: str
    total: int = 0
    items: list[Item] = field(default_factory=list)

    def add(self, what: str, value: int, rule: str) -> Breakdown:
        self.total += value
        self.items.append(Item(what, rule, value))
        return self

    def times(self, what: str, factor: int, rule: str) -> Breakdown:
        self.total *= factor
        self.items.append(Item(what, rule, f"x{factor}"))
        return self

    def halve(self, what: str, rule: str, *, up: bool = True) -> Breakdown:
        self.total = -(-self.total // 2) if up else self.total // 2
        self.items.append(Item(what, rule, "/2"))
        return self

    def cap(self, what: str, most: int, rule: str) -> Breakdown:
        if self.total > most:
            self.total = most
            self.items.append(Item(what, rule, f"at most {most}"))
        return self

    def note(self, what: str, rule: str, value: int | float | str = "") -> Breakdown:
        """A line that explains without changing the total (a denied shift, a condition that was checked)."""
        self.items.append(Item(what, rule, value))
        return self

    def join(self, other: Breakdown) -> Breakdown:
        self.total += other.total
        self.items.extend(other.items)
        return self

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __str__(self) -> str:
        lines = (f"{i.what} {i.value}".strip() for i in self.items)
        return f"{self.name} {self.total} ({'; '.join(lines)})" if self.items else f"{self.name} {self.total}"

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "total": self.total, "items": [i.as_json() for i in self.items]}
