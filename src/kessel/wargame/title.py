"""What a game of two sides gives to the rest of the system, where it is the same for all: its list of scenarios, and
into which chapters a turn falls when it is told.

scenarios/<id>.toml:  id, title, summary, length (words), turns or first_turn and last_turn,
                      [options] a scenario's own defaults of optional rules and readings
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from kessel.core.board import Board
from kessel.core.pack import Pack
from kessel.core.procedure import Action
from kessel.core.telling import spaced
from kessel.core.title import BATTLE, MARCH, PHASE, Caution, Chapter, Scenario, Title
from kessel.wargame.plans import attack_plan
from kessel.wargame.readings import Readings
from kessel.wargame.warnings import before_ending

FIGHTS = {
    "Combat": "Attack on {place}",
    "Attack": "Attack on {place}",
    "Battle": "Attack on {place}",
    "Barrage": "Bombardment of {place}",
    "AirStrike": "Air strike on {place}",
}
"""Procedures that are a fight, by the end of their names."""


class WargameTitle(Title):
    tells: ClassVar[Mapping[str, Chapter]] = {}
    """Chapters of its own, where a procedure's name does not say enough."""

    @cached_property
    def chapters(self) -> Mapping[str, Chapter]:  # type: ignore[override]
        """Fights one by one, the Movement Phase by formation, every other phase or stage for itself."""
        found: dict[str, Chapter] = {}
        for name in self.procedures:
            fight = next((says for end, says in FIGHTS.items() if name.endswith(end)), "")
            if fight:
                found[name] = Chapter(BATTLE, fight)
            elif name == "MovementPhase":
                found[name] = Chapter(MARCH, "{formation} on the march")
            elif name.endswith(("Phase", "Stage", "Segment")):
                found[name] = Chapter(PHASE, spaced(name))
        return {**found, **self.tells}

    def warnings(self, g: Board, action: Action) -> list[Caution]:
        return before_ending(self, g, action)

    def plan(self, g: Board, action: Action) -> list[Action]:
        return attack_plan(self, g, action) if action[0] == "attack" else []

    def scenarios(self, pack: Pack) -> list[Scenario]:
        """Those pack.toml names, in its order; the first is the one to begin with, unless another says it is."""
        names = pack.toml("pack.toml")["scenarios"]
        docs = [pack.toml(f"scenarios/{name}.toml") for name in names]
        begin = next((d["id"] for d in docs if d.get("first")), docs[0]["id"])
        return [self.listed(pack, doc, first=doc["id"] == begin) for doc in docs]

    def listed(self, pack: Pack, doc: dict[str, Any], *, first: bool) -> Scenario:
        """A scenario as it stands in the list."""
        turns = doc["turns"] if "turns" in doc else doc["last_turn"] - doc["first_turn"] + 1
        options = pack.once(Readings).listed(doc.get("options", {}))
        return Scenario(doc["id"], doc["title"], turns, doc["summary"], doc.get("length", ""), first, options)
