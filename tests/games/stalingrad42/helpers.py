"""Small boards for tests of rules.

    g = board({"A": "axis 10-8-6 0,0 tank", "X": "soviet 3-5-3 2,0"}, radius=4)

A unit is written `side values place [words]`: words are a type, red/black/white (dot), elite/low, free, a status, or
key=value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kessel.core.action import Notation
from kessel.core.dice import Scripted
from kessel.core.procedure import Action, apply, legal, push, run, why_not
from kessel.games.stalingrad42.answers.position import STATUS_WORDS
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.data.charts import charts
from tests.wargame import kit
from tests.wargame.kit import Kit, disc

KIT = Kit("stalingrad42")
PACK, TITLE = KIT.pack, KIT.title
ask, rule, example = KIT.ask, KIT.rule, KIT.example
u, at, names = kit.unit, kit.at, kit.names
TYPES = tuple(charts(PACK).unit_types)
SWITCHES = {key: switch.values for key, switch in charts(PACK).readings.switches.items()}
NOTATION: Notation = TITLE.notation


def unit(name: str, text: str) -> dict[str, Any]:
    side, values, place, *words = text.split()
    doc: dict[str, Any] = {"id": name, "side": side, "values": values}
    if place != "-":
        doc["at"] = place
    for word in words:
        if "=" in word:
            key, _, value = word.partition("=")
            doc[key] = (
                int(value) if value.isdigit() else value.split("+") if key in ("groups", "replacements") else value
            )
        elif word in TYPES:
            doc["type"] = word
        elif word in ("red", "black", "white"):
            doc["dot"] = word
        elif word in ("elite", "low"):
            doc["quality"] = word
        elif word == "free":
            doc["free_stacking"] = True
        elif word == "eliminated":
            doc["eliminated"] = True
        elif word == "mech":
            doc["mech"] = True
        elif word in STATUS_WORDS:
            doc.setdefault("status", []).append(word)
        elif word in ("hq", "front", "artdiv"):
            kind = {"hq": "army_hq", "front": "front_hq", "artdiv": "artillery_division"}[word]
            doc |= {"asu": kind, "type": "artillery" if word == "artdiv" else "support_hq"}
        else:
            raise ValueError(f"{word!r} in {text!r}")
    return doc


def position(
    units: dict[str, str] | None = None,
    *,
    radius: int = 4,
    hexes: dict[str, Any] | str | None = None,
    terrain: dict[str, str] | None = None,
    features: dict[str, list[str]] | None = None,
    hexsides: dict[str, Any] | None = None,
    links: Iterable[tuple[Any, ...]] = (),
    boxes: Iterable[dict[str, Any]] = (),
    areas: dict[str, str] | None = None,
    grid: dict[str, Any] | None = None,
    vp: dict[str, int] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A position on a small inline board: a disk of clear hexes unless told otherwise."""
    cells = hexes.split() if isinstance(hexes, str) else disc(radius) if hexes is None else hexes
    inline = kit.board(
        cells,
        grid or ({"numbering": "axial"} if all("," in name for name in cells) else {}),
        terrain=terrain,
        features=features,
        vp=vp,
        hexsides=hexsides or {},
        links=[link(*x) for x in links],
        boxes=list(boxes),
        areas=areas or {},
    )
    return {
        "game": KIT.game,
        "board": inline,
        "units": [unit(name, text) for name, text in (units or {}).items()],
        **more,
    }


def link(kind: str, path: str, *features: str, **more: Any) -> dict[str, Any]:
    kind = {"primary": "primary_road", "secondary": "secondary_road"}.get(kind, kind)
    special = kind in ("ferry_rail", "shipping_path")
    found: dict[str, Any] = {"kind": kind, "path": path, "special": special}
    for word in features:
        if isinstance(word, dict):
            found |= word
        else:
            found.setdefault("features", []).append(word)
    return found | more


def area(box: str, side: str, hexes: str, kind: str = "entry") -> dict[str, Any]:
    return {"id": box, "side": side, "hexes": hexes, "kind": kind}


def read(doc: dict[str, Any]) -> Board:
    g = KIT.position(**doc)
    assert isinstance(g, Board)
    assert g.faults() == []
    return g


def board(units: dict[str, str] | None = None, **more: Any) -> Board:
    return read(position(units, **more))


def start(units: dict[str, str] | None = None, dice: Iterable[int] = (), **more: Any) -> Board:
    """A board whose procedures have run to the first question."""
    g = board(units, **more)
    g.dice = Scripted(tuple(dice))
    g.events = []
    run(g)
    return g


def h(g: Board, name: str) -> int:
    """A hex or a box."""
    return g.map.place(name)


DOORS = (("by", "tactical"), ("by", "rail"), ("disengagement",))
"""Actions that only ask for more of the same: tests may leave them out."""


def do(g: Board, *texts: str) -> None:
    """Play actions written as a player types them."""
    for text in texts:
        action = NOTATION.parse(g, text)
        if action not in DOORS and why_not(g, action) is not None:
            for door in DOORS:
                if door in legal(g) and action in legal(after(g, door)):
                    push(g, door)
                    break
        apply(g, action)


def after(g: Board, *actions: Action) -> Board:
    """A copy of the board on which these actions have been played."""
    t = g.copy()
    for a in actions:
        push(t, a)
    return t


def all_legal(g: Board) -> set[Action]:
    """The legal actions, those of the next question included where a door leads to them."""
    found = set(legal(g))
    for door in found & set(DOORS):
        found |= set(legal(after(g, door))) - {("by", "land"), ("cancel",)}
    return found


def choices(g: Board) -> set[str]:
    return {NOTATION.text(g, a) for a in all_legal(g) if a not in DOORS}


def refused(g: Board, text: str) -> str:
    """The rule that forbids an action."""
    return KIT.refusal(g, text).rule


def has(g: Board, name: str, status: int) -> bool:
    return g.has_status(u(g, name), status)


RIVER = {f"0,{r}|1,{r}": ["major_river"] for r in range(-4, 4)} | {
    f"0,{r}|1,{r - 1}": ["major_river"] for r in range(-3, 5)
}
"""A river from edge to edge of a disc, between columns 0 and 1."""


def how_to(g: Any, place: str, **fields: Any) -> tuple[str, Any]:
    """Kind of movement and cost, or "no" and the rule that refuses."""
    found = ask(g, "moves", unit="A", to=place, **fields)
    return ("no", found["refusal"]["rule"]) if "refusal" in found else (found["mode"], found["cost"])
