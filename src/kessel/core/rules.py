"""The numbered statements of a game's rules, and which of them a marked test proves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kessel.core.errors import BadInput
from kessel.core.pack import Pack

MOST_NOTES = 0.08
"""At most this share of a game's statements may be marked as having no behaviour of their own."""


@dataclass(frozen=True, slots=True)
class Statement:
    rule: str
    title: str
    kind: str
    note: str
    """Why the statement has no behaviour of its own; empty for one that must be enforced."""
    provenance: str = ""
    """Stated, public or reconstructed; empty where the pack does not say."""
    why: str = ""
    """Why it reads so, where the text is lost or damaged."""

    @property
    def chapter(self) -> str:
        m = re.match(r"[A-Z]{2}-[A-Za-z]*\d*|[A-Za-z]*\d+", self.rule)
        return m[0] if m else self.rule

    @property
    def source(self) -> str:
        """What a reader must know of where it comes from: that it is reconstructed, and why it reads so."""
        told = [self.provenance if self.provenance == "reconstructed" else "", self.why]
        return ": ".join(t for t in told if t)


def statements(pack: Pack) -> list[Statement]:
    return [
        Statement(r["rule"], r["title"], r["kind"], r.get("note", ""), r.get("provenance", ""), r.get("why", ""))
        for r in pack.rows("rules.csv")
    ]


def find(pack: Pack, number: str) -> list[Statement]:
    """The statement of that number and those below it (7.6 finds 7.6.1)."""
    found = [s for s in statements(pack) if s.rule == number or re.match(re.escape(number) + r"(?![0-9])", s.rule)]
    if not found:
        raise BadInput(f"{pack.game} has no rule {number}")
    return found


def coverage(pack: Pack, proven: Iterable[str], number: str = "") -> dict[str, Any]:
    """How many statements a test proves, by chapter, of all or of a number; those that are only notes do not count."""
    proven = set(proven)
    every = statements(pack)
    counted = [s for s in every if not s.note]
    notes = len(every) - len(counted)
    if notes > MOST_NOTES * len(every):
        raise BadInput(f"{notes} of {len(every)} statements of {pack.game} are notes; at most 8 % may be")
    unknown = sorted(proven - {s.rule for s in every})
    if number:
        every = find(pack, number)
        counted = [s for s in every if not s.note]
        notes = len(every) - len(counted)
    chapters: dict[str, dict[str, int]] = {}
    for s in counted:
        c = chapters.setdefault(s.chapter, {"statements": 0, "covered": 0})
        c["statements"] += 1
        c["covered"] += s.rule in proven
    return {
        "game": pack.game,
        "statements": len(counted),
        "covered": sum(s.rule in proven for s in counted),
        "notes": notes,
        "chapters": chapters,
        "uncovered": [s.rule for s in counted if s.rule not in proven],
        "unknown": unknown,
    }
