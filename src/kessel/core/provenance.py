"""How much of a pack is stated in the rulebook, public, or reconstructed by us, counted value by value."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kessel.core.errors import BadPack
from kessel.core.pack import PROVENANCES, Pack, is_overlay

NOT_VALUES = {"provenance", "stated", "note", "id", "name", "rule", "title", "kind"}


def provenance_of(pack: Pack) -> Counter[str]:
    """Values by provenance."""
    found: Counter[str] = Counter()
    for name in pack.files():
        if name in ("rules.csv", "board-edits.toml") or is_overlay(name):
            continue
        if name.startswith("tables/") and name.endswith(".csv"):
            table = pack.table(name.removeprefix("tables/").removesuffix(".csv"))
            found[check(table.provenance, table.name)] += len(table.cells) - len(table.stated)
            found["stated"] += len(table.stated)
        elif name.endswith(".csv"):
            for row in pack.rows(name):
                stated = set(row.words("stated"))
                values = [k for k, v in row.items() if v and k not in NOT_VALUES]
                found["stated"] += sum(k in stated for k in values)
                found[check(row.get("provenance", "reconstructed"), row.where)] += sum(k not in stated for k in values)
        elif name.endswith(".toml"):
            _count(pack.toml(name), "reconstructed", pack.where(name), found)
    if pack.has("board.json"):
        found.update(_board(pack))
    return found


def check(word: str, where: str) -> str:
    """The provenance word itself; BadPack where it is none of the three."""
    if word not in PROVENANCES:
        raise BadPack(f"provenance is {word!r}, not one of {', '.join(PROVENANCES)}", where)
    return word


def _count(value: Any, above: str, where: str, found: Counter[str]) -> None:
    if isinstance(value, dict):
        own = check(value.get("provenance", above), where)
        for key, inner in value.items():
            if key not in NOT_VALUES:
                _count(inner, own, f"{where} [{key}]", found)
    elif isinstance(value, list) and value and isinstance(value[0], dict | list):
        for inner in value:
            _count(inner, above, where, found)
    else:
        found[above] += 1


def _board(pack: Pack) -> Counter[str]:
    doc = pack.map.doc
    found: Counter[str] = Counter()
    where = pack.where("board.json")
    cells = doc.hexes.values() if isinstance(doc.hexes, dict) else ()
    for thing in (*cells, *doc.hexsides.values(), *doc.links, *doc.areas.values(), *doc.lines.values(), *doc.arrows):
        found[check(getattr(thing, "provenance", "") or doc.provenance, where)] += 1
    return found
