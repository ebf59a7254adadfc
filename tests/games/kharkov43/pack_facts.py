"""The pack of Kharkov '43 as the tests of the pack read it."""

from __future__ import annotations

from kessel.core.pack import Pack
from kessel.games.kharkov43.data.cards import read_cards, read_chits, read_events, read_tactics

PACK = Pack("kharkov43", overlays=())
UNITS = {r["id"]: r for r in PACK.rows("counters.csv")}
IN_PLAY = {u: r for u, r in UNITS.items() if "unused" not in r.words("flags")}
CHITS = read_chits(PACK)
CARDS = {c.id: c for c in read_cards(PACK)}
EVENTS = read_events(PACK)
TACTICS = read_tactics(PACK)
DOC = PACK.toml("pack.toml")
ADJUSTMENTS = {a["id"]: a for a in PACK.toml("adjustments.toml")["adjustment"]}
GRID = PACK.map.grid
ARMIES = ("3T", "40", "69", "6", "1G", "Popov")
CORPS = ("Raus", "XLVIII", "LVII", "IISS", "III", "XL")
GAME = "kharkov43"


def faces(unit: str) -> list[tuple[int, int, int]]:
    """Strength, allowance, selector; full strength first."""
    return [tuple(map(int, f.split("-"))) for f in UNITS[unit]["faces"].split()]


def kind(unit: str, lost: int = 0) -> str:
    words = UNITS[unit].words("type")
    return words[min(lost, len(words) - 1)]


def of(army: str) -> list[str]:
    return [u for u, r in IN_PLAY.items() if r["army"] == army]


def face(army: str, selector: int) -> tuple[str, int]:
    """The unit that shows this selector, and how many steps it has then."""
    found = [(u, len(faces(u)) - i) for u in of(army) for i, f in enumerate(faces(u)) if f[2] == selector]
    assert len(found) == 1, f"{army} {selector}"
    return found[0]


def strength(army: str, selector: int) -> int:
    u, steps = face(army, selector)
    return faces(u)[len(faces(u)) - steps][0]


def near(a: str, b: str) -> bool:
    return GRID.adjacent(GRID.hex(a), GRID.hex(b))


def distance(a: str, b: str) -> int:
    return GRID.distance(GRID.hex(a), GRID.hex(b))


START = {u: r["setup"] for u, r in IN_PLAY.items() if r["setup"] != "reserve"}
GERMAN_HEXES = {h for u, h in START.items() if UNITS[u]["side"] == "german"}
