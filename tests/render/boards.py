"""Boards the render tests draw: a small one with everything on it, and those of the packs."""

from __future__ import annotations

from functools import cache

import msgspec

from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.terrain import BoardDoc, Map
from kessel.core.title import titles

SMALL = {
    "hexes": {
        f"{a:02d}{b:02d}": {"terrain": terrain}
        for a, row in enumerate(
            ["sea sea clear clear woods woods",
             "sea clear marsh clear rough mountain",
             "lake clear clear minor_city desert clear",
             "clear clear hill clear seasonal_marsh alpine"],
            start=10,
        )
        for b, terrain in enumerate(row.split(), start=1)
    },
    "hexsides": {
        "1102|1103": {"features": ["major_river"], "name": "Don"},
        "1103|1202": {"features": ["major_river"], "name": "Don"},
        "1103|1203": {"features": ["minor_river"], "name": "Chir"},
        "1304|1305": ["volga", "impassable"],
        "1204|1205": "gorge",
    },
    "links": [
        {"kind": "rail", "path": "1003 1103 1203 1303"},
        {"kind": "primary", "path": "1003 1103 1203 1304"},
        {"kind": "trail", "path": "1105 1205"},
        {"kind": "ferry_rail", "path": "1104 1306", "special": True},
    ],
    "areas": {"west": "1001-1006", "rest": "1101-1106 1201-1206"},
    "lines": {"front": {"inside": "west", "name": "Front"}},
    "arrows": [{"from": "1203", "to": "1103"}, {"from": "1204", "to": "1203", "kind": "secondary", "only": "V"}],
    "boxes": [
        {"id": "A", "name": "Entry A", "side": "soviet", "hexes": "1301-1303"},
        {"id": "B", "name": "Entry B", "side": "soviet", "hexes": "1304"},
        {"id": "dead", "name": "Eliminated"},
    ],
    "labels": [{"text": "Sea of Azov", "hex": "1001", "kind": "sea"}],
}  # fmt: skip
FEATURES = {
    "1203": {"features": ["port"], "name": "Rostov", "vp": 3},
    "1004": {"features": ["town"], "name": "Nizhne Chirskaya & Co"},
    "1102": {"features": ["village", "fort"], "name": "Azov"},
}


def small() -> Map:
    doc = msgspec.json.decode(msgspec.json.encode(SMALL))
    for name, more in FEATURES.items():
        doc["hexes"][name] |= more
    return Map(msgspec.convert(doc, BoardDoc))


@cache
def printed(game: str) -> Map:
    return Pack(game).map


def games_with_maps() -> list[str]:
    found = []
    for game in titles():
        try:
            if Pack(game).has("board.json"):
                found.append(game)
        except BadInput:
            continue
    return found
