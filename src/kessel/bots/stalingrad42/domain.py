"""What Stalingrad '42 tells the search: objectives, tempers, worth of a position."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from kessel.bots.search.plans import WHOLE_SIDE, Order
from kessel.bots.stalingrad42.goals import distances
from kessel.bots.stalingrad42.greedy import Greedy
from kessel.core.forces import Side
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.stalingrad42.answers.evaluate import evaluate
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT
from kessel.games.stalingrad42.data.forces import AXIS

TEMPERS = (
    ("bold", (("danger", 0.3), ("lure", 1.4), ("least", 0.0), ("care", 0.7)), "everybody attacks at almost any odds"),
    ("careful", (("danger", 1.8), ("least", 1.0)), "everybody keeps out of danger"),
    ("line", (("line", 2.0), ("lure", 0.6)), "everybody keeps a line"),
)
OBJECTIVES = 6
FAR = 14
"""Objectives farther from the front are nobody's in this turn."""


class StalingradDomain:
    program = model = Greedy
    ahead = 1
    least = 0.0

    def effort(self, g: Any) -> float:
        return 1.0

    def moment(self, g: Any, side: Side) -> Hashable | None:
        return (g.turn, side) if g.phasing == side else None

    def holds(self, g: Any, side: Side) -> bool:
        return self.moment(g, side) is not None

    def evaluate(self, g: Any, side: Side) -> float:
        return evaluate(g, side)

    worth = evaluate
    """Nothing is fitted yet."""

    def orders(self, g: Any, side: Side) -> list[Order]:
        found = []
        for h in self._objectives(g, side):
            verb = "main effort against" if (g.controller(h) == AXIS) != (side == AXIS) else "main effort to hold"
            found.append(Order(WHOLE_SIDE, "focus", (("focus", h), ("focus_worth", 3.0)), f"{verb} {g.place_name(h)}"))
        postures = [Order(WHOLE_SIDE, *three) for three in TEMPERS]
        return [*found[:3], *postures, *found[3:]]

    def _objectives(self, g: Board, side: Side) -> list[Hex]:
        """Victory Point hexes near where both sides stand, the richest and nearest first."""
        own, theirs = members(g.sets[COMBAT + side]), members(g.sets[COMBAT + 1 - side])

        def worth(h: Hex) -> float:
            away = distances(g, h)
            far = max(min((away[x] for x in own), default=99), min((away[x] for x in theirs), default=99))
            return g.ground.vp[h] / (2 + far) if far <= FAR else 0.0

        ranked = sorted(g.ground.vp, key=lambda h: (-worth(h), h))
        return [h for h in ranked[:OBJECTIVES] if worth(h) > 0]


DOMAIN = StalingradDomain()
