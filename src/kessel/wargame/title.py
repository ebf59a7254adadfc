"""What a game of two sides gives to the rest of the system, where it is the same for all: its list of scenarios.

scenarios/<id>.toml:  id, title, summary, length (words), turns or first_turn and last_turn,
                      [options] a scenario's own defaults of optional rules and readings
"""

from __future__ import annotations

from typing import Any

from kessel.core.pack import Pack
from kessel.core.title import Scenario, Title
from kessel.wargame.readings import Readings


class WargameTitle(Title):
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
