"""The trace of a Soviet activation: who was checked by what, which rule cut which hexes, and what came of it.

The rules fill it as they decide, so that it cannot differ from what was done. Short texts go to the log; the long form
is the `trace` of a log event, and the answer of the question `system`. Where nobody listens nothing is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.citations import of_method
from kessel.games.kharkov43.system.terms.choosing import Choice, Cut


def unit_text(g: Board, u: Unit) -> str:
    """`3T unit 04 (A.15.3T)`: as the examples of the rules call it."""
    return f"{g.formation(g.forces.formation[u])} unit {g.selector(u):02d} ({g.name(u)})"


@dataclass(slots=True)
class Tried:
    """One wish of a method: the choice it led to and, where the hex was beside a German unit, the review by 9.25."""

    what: str
    choice: Choice
    shift: Choice | None = None

    @property
    def end(self) -> Hex:
        return self.choice.hex if self.shift is None else self.shift.hex

    @property
    def last_cut(self) -> Cut | None:
        cuts = self.choice.cuts if self.shift is None else self.shift.cuts
        return cuts[-1] if cuts else None

    def as_json(self, g: Board) -> dict[str, Any]:
        found = {"what": self.what, **self.choice.as_json(g)}
        if self.shift is not None:
            found["beside_germans"] = {"rule": "9.25", **self.shift.as_json(g)}
        return found


@dataclass(slots=True)
class Considered:
    """One unit checked by one method."""

    unit: Unit
    rule: str
    method: str
    start: Hex
    tried: list[Tried] = field(default_factory=list)
    end: Hex = NO_HEX
    stays: Refusal | None = None
    """Told not to move by this or any later method."""
    skipped: Refusal | None = None
    """Why the method does not apply to the unit at all."""

    @property
    def cited(self) -> str:
        return of_method(self.rule)

    def short(self, g: Board) -> str:
        """`3T unit 04 to 1103: 9.21 method 11, closest to Chuguev; the highest hex number`."""
        who = unit_text(g, self.unit)
        if self.end != NO_HEX:
            last = self.tried[-1]
            text = f"{who} to {g.ground.name(self.end)}: {self.method}"
            if last.what:
                text += f", {last.what}"
            return f"{text}; {last.last_cut.what}" if last.last_cut else text
        if self.stays is not None:
            return f"{who} stays in {g.ground.name(self.start)}: {self.method}, {self.stays.reason}"
        return f"{who} does not move by {self.method}"

    def as_json(self, g: Board) -> dict[str, Any]:
        found: dict[str, Any] = {"unit": g.id(self.unit), "rule": self.cited, "method": self.method}
        if self.skipped is not None:
            return {**found, "result": "skipped", "why": self.skipped.as_json()}
        if tried := [t.as_json(g) for t in self.tried if t.choice.candidates]:
            found["tried"] = tried
        if self.end != NO_HEX:
            if self.stays is not None:
                found["told_to_stay"] = self.stays.as_json()
            return {**found, "result": "moves", "from": g.hex_name(self.start), "to": g.hex_name(self.end)}
        if self.stays is not None:
            return {**found, "result": "stays", "why": self.stays.as_json()}
        why = "every candidate hex is forbidden" if tried else "no hex or situation qualifies"
        return {**found, "result": "no move", "why": {"rule": self.cited, "reason": why}}


@dataclass(slots=True)
class MovementTrace:
    """9.2 All checks of one movement step, in the order made."""

    on: bool = True
    checks: list[Considered] = field(default_factory=list)

    def add(self, c: Considered) -> None:
        if self.on:
            self.checks.append(c)

    def of(self, u: Unit) -> list[Considered]:
        return [c for c in self.checks if c.unit == u]

    def as_json(self, g: Board) -> list[dict[str, Any]]:
        """Method by method, each unit in the order checked."""
        found: list[dict[str, Any]] = []
        for c in self.checks:
            if not found or found[-1]["rule"] != c.cited:
                found.append({"rule": c.cited, "method": c.method, "units": []})
            line = c.as_json(g)
            del line["rule"], line["method"]
            found[-1]["units"].append(line)
        return found
