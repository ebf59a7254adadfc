"""A board while it is being drawn, and how it is written: one hex, hexside or link per line, in stable order."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kessel.mapping.grid import Grid, Hex, Side, hex_name, ranges, side_name, side_of

FORMAT = "kessel-board 1"
LINK_KEYS = ("kind", "path", "name", "features", "sea", "opens", "special")
HEX_KEYS = ("terrain", "features", "name", "vp", "group", "sea", "city")
BOX_KEYS = ("id", "name", "kind", "side", "hexes")
SOURCE_KEYS = ("provenance", "note")


@dataclass
class Link:
    kind: str
    path: list[Hex]
    values: dict[str, Any] = field(default_factory=dict)

    def edges(self) -> list[Side]:
        return [side_of(a, b) for a, b in zip(self.path, self.path[1:], strict=False)]


@dataclass
class Draft:
    game: str
    provenance: str
    grid: Grid
    hexes: dict[Hex, dict[str, Any]] = field(default_factory=dict)
    hexsides: dict[Side, dict[str, Any]] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    areas: dict[str, dict[str, Any]] = field(default_factory=dict)
    lines: dict[str, dict[str, Any]] = field(default_factory=dict)
    arrows: list[dict[str, Any]] = field(default_factory=list)
    boxes: list[dict[str, Any]] = field(default_factory=list)
    labels: list[dict[str, Any]] = field(default_factory=list)

    def add_feature(self, h: Hex, feature: str) -> None:
        features = self.hexes[h].setdefault("features", [])
        if feature not in features:
            features.append(feature)

    def add_note(self, h: Hex, note: str) -> None:
        old = self.hexes[h].get("note", "")
        if note and note not in old:
            self.hexes[h]["note"] = f"{old}; {note}" if old else note

    def places(self) -> dict[str, list[Hex]]:
        found: dict[str, list[Hex]] = {}
        for h, values in self.hexes.items():
            if "name" in values:
                found.setdefault(values["name"], []).append(h)
        return found

    def edges(self, kinds: Iterable[str]) -> set[Side]:
        wanted = set(kinds)
        return {edge for link in self.links if link.kind in wanted for edge in link.edges()}

    # ------------------------------------------------------------ writing

    def dumps(self) -> str:
        hexes = {hex_name(h): _ordered(self._own(values), HEX_KEYS) for h, values in sorted(self.hexes.items())}
        sides = {side_name(s): _ordered(self._own(v), ("features", "name")) for s, v in sorted(self.hexsides.items())}
        links = [self._link(link) for link in self.links]
        parts = [
            f'"format": {_json(FORMAT)}',
            f'"game": {_json(self.game)}',
            f'"provenance": {_json(self.provenance)}',
            f'"grid": {_json(self.grid.as_dict())}',
            f'"hexes": {_table(hexes)}',
            f'"hexsides": {_table(sides)}',
            f'"links": {_list(links)}',
            f'"areas": {_table(self.areas)}',
            f'"lines": {_table(self.lines)}',
            f'"arrows": {_list(self.arrows)}',
            f'"boxes": {_list([_ordered(box, BOX_KEYS) for box in self.boxes])}',
            f'"labels": {_list(self.labels)}',
        ]
        return "{\n" + ",\n".join(parts) + "\n}\n"

    def _own(self, values: dict[str, Any]) -> dict[str, Any]:
        """Without empty lists and without what the file's own provenance says already."""
        return {k: v for k, v in values.items() if v not in ([], "") and (k, v) != ("provenance", self.provenance)}

    def _link(self, link: Link) -> dict[str, Any]:
        values = {"kind": link.kind, "path": " ".join(map(hex_name, link.path)), **link.values}
        return _ordered(self._own(values), LINK_KEYS)


def area_values(hexes: Iterable[Hex], values: dict[str, Any]) -> dict[str, Any]:
    return {"hexes": ranges(hexes), **values}


def _ordered(values: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    """The known keys in order; what only the game itself understands goes under `facts`."""
    facts = {k: values[k] for k in sorted(values) if k not in known and k not in SOURCE_KEYS}
    found = {key: values[key] for key in known if key in values} | ({"facts": facts} if facts else {})
    return found | {key: values[key] for key in SOURCE_KEYS if key in values}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _table(rows: dict[str, Any]) -> str:
    return (
        "{\n" + ",\n".join(f"  {_json(key)}: {_json(value)}" for key, value in rows.items()) + "\n}" if rows else "{}"
    )


def _list(rows: list[Any]) -> str:
    return "[\n" + ",\n".join(f"  {_json(row)}" for row in rows) + "\n]" if rows else "[]"
