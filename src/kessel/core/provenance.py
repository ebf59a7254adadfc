"""How much of a pack is stated in the rulebook, public, or reconstructed by us, counted value by value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from kessel.core.errors import BadPack
from kessel.core.pack import ABOUT_VALUES, PROVENANCES, Pack, is_overlay, is_played_with
from kessel.core.tables import Table

NOT_VALUES = {*ABOUT_VALUES, "id", "name", "rule", "title", "kind"}


def provenance_of(pack: Pack) -> Counter[str]:
    """Values by provenance."""
    found: Counter[str] = Counter()
    for name in pack.files():
        if not is_played_with(name) or is_overlay(name):
            continue
        if name.startswith("tables/") and name.endswith(".csv"):
            _count_table(pack.table(name.removeprefix("tables/").removesuffix(".csv")), found)
        elif name.endswith(".csv"):
            for row in pack.rows(name):
                _count_row(row, _named(row), "reconstructed", row.where, found)
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


def _named(about: Mapping[str, Any]) -> dict[str, str]:
    """What the words of `ours` and `stated` say of single values of a row or a TOML table."""
    ours, stated = (str(about.get(key, "")).split() for key in ("ours", "stated"))
    return {**dict.fromkeys(ours, "reconstructed"), **dict.fromkeys(stated, "stated")}


def _count_row(row: Mapping[str, str], named: Mapping[str, str], above: str, where: str, found: Counter[str]) -> None:
    own = check(row.get("provenance", above), where)
    found.update(named.get(key, own) for key, value in row.items() if value and key not in NOT_VALUES)


def _count_table(table: Table, found: Counter[str]) -> None:
    for key in table.rows:
        row = table.row(key)
        marks = (("reconstructed", table.ours), ("stated", table.stated))
        cells = {c: word for word, of in marks for c in row if f"{key}/{c}" in of}
        _count_row(row, {**_named(row), **cells}, table.provenance, table.name, found)


def _count(value: Any, above: str, where: str, found: Counter[str]) -> None:
    if isinstance(value, dict):
        own = check(value.get("provenance", above), where)
        named = _named(value)
        for key, inner in value.items():
            if key not in NOT_VALUES:
                _count(inner, named.get(key, own), f"{where} [{key}]", found)
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
