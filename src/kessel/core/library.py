"""The library of a game: its charts and its rules, as they stand in the pack, for who wants to look something up."""

from __future__ import annotations

import csv

import msgspec

from kessel.core.pack import Pack
from kessel.core.rules import statements

NAMES = {"crt": "Combat results", "drm": "Die roll modifiers", "hq": "HQ", "vp": "Victory point", "zoc": "ZOC"}
"""What short words in the names of charts mean."""
FIRST = ("crt", "terrain")
"""Charts wanted most often."""


class Chart(msgspec.Struct):
    id: str
    title: str
    columns: list[str]
    rows: list[list[str]]
    """Each with its key first, as `columns` has."""
    provenance: str
    note: str
    words: dict[str, str] = {}
    """What its cells say, where they are codes; put in by the game."""


class RuleText(msgspec.Struct, omit_defaults=True):
    """A numbered statement of the rules in our words."""

    rule: str
    title: str
    source: str = ""
    """That it is reconstructed, and why it reads so."""


class Sign(msgspec.Struct):
    """A sign of the map: how it is drawn, in a field 100 wide and 62 high, and what it is called."""

    name: str
    svg: str


class Library(msgspec.Struct):
    charts: list[Chart]
    rules: list[RuleText]
    signs: list[Sign] = []
    """Put in by who can draw them."""
    counter: str = ""
    """How a counter is read, as the first battle teaches it."""


def library_of(pack: Pack) -> Library:
    names = [f for f in pack.files() if f.startswith("tables/") and f.endswith(".csv")]
    charts = [_chart(pack, name) for name in names]
    charts.sort(key=lambda c: (next((i for i, f in enumerate(FIRST) if c.id.startswith(f)), len(FIRST)), c.title))
    return Library(charts, [RuleText(s.rule, s.title, s.source) for s in statements(pack)])


def _chart(pack: Pack, name: str) -> Chart:
    about: dict[str, str] = {}
    rows: list[list[str]] = []
    for line in pack.text(name).splitlines():
        if line.startswith("#"):
            key, _, value = line[1:].partition(":")
            about.setdefault(key.strip(), value.strip())
        elif line.strip():
            rows.append([cell.strip().replace("_", " ") for cell in next(csv.reader([line]))])
    known = name.removeprefix("tables/").removesuffix(".csv")
    head, *rest = rows or [[]]
    provenance = about.get("provenance", "reconstructed")
    return Chart(known, title_of(known), head, rest, provenance, about.get("note", ""))


def title_of(name: str) -> str:
    """
    >>> [title_of(n) for n in ("crt-1-1", "hq-recovery", "advance_rates")]
    ['Combat results 1-1', 'HQ recovery', 'Advance rates']
    """
    first, *rest = name.replace("_", "-").split("-", 1)
    words = [NAMES.get(first, first.capitalize()), *(r if r[:1].isdigit() else r.replace("-", " ") for r in rest)]
    return " ".join(words)
