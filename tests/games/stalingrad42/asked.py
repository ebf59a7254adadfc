"""Positions written out as JSON and asked as `kessel analyze` is asked: the answer must be what the rulebook says."""

from __future__ import annotations

import json
from typing import Any

from kessel.core.analysis import analyze

from .helpers import position

Units = dict[str, str]


def asked(units: Units, question: str, fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    doc = position(units, **more) | {"ask": [{"question": question, **fields}]}
    (found,) = analyze(json.dumps(doc))["answers"]
    return dict(found)


def move(units: Units, to: str, mode: str = "", **more: Any) -> tuple[str, float] | str:
    """How A gets there and for how much, or the rule that refuses it."""
    fields = {"unit": "A", "to": to} | ({"mode": mode} if mode else {})
    found = asked(units, "moves", fields, **more)
    return str(found["refusal"]["rule"]) if found.get("refusal") else (found["mode"], found["cost"])


def zoc(units: Units, side: str = "soviet", **more: Any) -> set[str]:
    return set(asked(units, "zoc", {"side": side}, **more)["hexes"])


def bonds(units: Units, side: str = "soviet", **more: Any) -> list[tuple[str, str, str]]:
    found = asked(units, "zoc", {"side": side}, **more)["bonds"]
    return [(b["kind"], b["from"], b["to"]) for b in found]


def excess(units: Units, side: str, **more: Any) -> int:
    return int(asked(units, "stacking", {"side": side, "hex": "0,0"}, **more)["excess"])


class Fight:
    """What the attack question says of an attack on 0,0."""

    def __init__(self, units: Units, names: str = "A", **more: Any) -> None:
        fields: dict[str, Any] = {"target": "0,0", "units": names.split()}
        for key in ("air_unit", "artillery", "defensive_air", "breakthrough", "dice"):
            if key in more:
                fields[key.removesuffix("_unit")] = more.pop(key)
        more.setdefault("phase", "combat")
        self.answer = asked(units, "attack", fields, **more)
        self.legal = self.answer["legal"]
        self.refused = [r["rule"] for r in self.answer["refusals"]]
        self.column = self.answer.get("column")
        self.automatic = self.answer.get("automatic")
        self.attack, self.defense, self.shift = (
            self.answer[key]["total"] if key in self.answer else None for key in ("attack", "defense", "shifts")
        )

    @property
    def ratio(self) -> tuple[int, int]:
        return self.attack, self.defense


def retreats(units: Units, hexes: int, at: str = "0,0", unit: str = "X", **more: Any) -> dict[str, str] | None:
    """Ends of X's retreat with their kind; None where it is eliminated."""
    more.setdefault("phase", "combat")
    if "board_hexes" in more:
        more["hexes"] = more.pop("board_hexes")
    (found,) = (u for u in asked(units, "retreat", {"hex": at, "hexes": hexes}, **more)["units"] if u["unit"] == unit)
    return None if found["eliminated"] else {e["to"]: e["kind"] for e in found["ends"]}


def advance(units: Units, hexes: int, vacated: str = "0,0", **more: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {"unit": "A", "hexes": hexes, "vacated": vacated}
    for key in ("limited", "first", "to"):
        if key in more:
            fields[key] = more.pop(key)
    if "board_hexes" in more:
        more["hexes"] = more.pop("board_hexes")
    more.setdefault("phase", "combat")
    return asked(units, "advance", fields, **more)


def why_not_advance(units: Units, hexes: int, to: str, vacated: str = "0,0", **more: Any) -> str | None:
    """The rule that keeps A's advance from a place; None if it gets there."""
    found = advance(units, hexes, vacated, to=to, **more)["to"]
    assert found["reached"] == (found["refusal"] is None or found["refusal"]["rule"] == "14.1")
    return found["refusal"]["rule"] if found["refusal"] else None


def supply(units: Units, **more: Any) -> dict[str, Any]:
    return asked(units, "supply", {"unit": "A"}, **more)


def strip(*more: str, begin: int = -4, end: int = 10) -> dict[str, Any]:
    """A board one hex wide, with a few hexes beside it."""
    return {name: {} for name in (*(f"{q},0" for q in range(begin, end + 1)), *more)}
