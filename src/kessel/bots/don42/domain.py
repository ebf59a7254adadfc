"""What Strike of the Heron tells the search: formations, scripts, worth of a position."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from kessel.bots.don42.greedy import Greedy
from kessel.bots.don42.plans import distances
from kessel.bots.don42.worth import worth
from kessel.bots.search.plans import Order
from kessel.core.forces import Side
from kessel.core.hexes import Hex
from kessel.games.don42.answers.evaluate import evaluate
from kessel.games.don42.board import G_MOTORIZED, G_MOVEMENT, POSITION_PHASE, S_COMBAT, Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import SOVIET

POSTURES = (
    ("storm", (("good_enough", 0.2), ("risk", 0.1), ("blood", 0.7)), "{} attacks at almost any odds"),
    ("careful", (("good_enough", 1.4), ("risk", 0.8)), "{} keeps out of danger"),
    ("hold", (("hold", 25), ("screen", 1.6), ("held", 0.8), ("good_enough", 1.0)), "{} holds what it has"),
)
FORMATIONS = 5
"""The formations with most strength near the enemy get orders of their own."""
OBJECTIVES = 2
"""For each of them, the objectives nearest for their worth."""
NEAR = 8


class HeronDomain:
    program = model = Greedy
    ahead = 1
    least = 2.0
    """Early in a game positions differ by little in what they foretell, and their errors too: plans that led by less
    than this were worth nothing in the suite.
    """

    def effort(self, g: Any) -> float:
        return 1.0

    def moment(self, g: Any, side: Side) -> Hashable | None:
        """From the activation of the Soviets to their combat; from the Germans' movement to their motorized one."""
        own = POSITION_PHASE < g.phase <= S_COMBAT if side == SOVIET else G_MOVEMENT <= g.phase <= G_MOTORIZED
        return (g.turn, side) if own else None

    def holds(self, g: Any, side: Side) -> bool:
        return self.moment(g, side) is not None

    def evaluate(self, g: Any, side: Side) -> float:
        return evaluate(g, side)

    def worth(self, g: Any, side: Side) -> float:
        return worth(g, side)

    def orders(self, g: Any, side: Side) -> list[Order]:
        found: list[Order] = []
        names = self._formations(g, side)
        for name, hexes in names.items():
            for h in self._objectives(g, side, hexes):
                words = f"{name} drives on {g.ground.name(h)}"
                found.append(Order(name, "focus", (("focus", h), ("focus_worth", 60.0)), words))
        for name in names:
            found += [Order(name, script, changes, words.format(name)) for script, changes, words in POSTURES]
        whole = [Order("", s, c, w.format("everybody")) for s, c, w in POSTURES]
        return [x for several in _in_turn(found, whole) for x in several]

    def _formations(self, g: Board, side: Side) -> dict[str, list[Hex]]:
        """By name: where its units stand, strongest near the enemy first."""
        enemies = [g.place[u] for u in g.units_on_map(1 - side)]
        found: dict[str, list[Hex]] = {}
        weight: dict[str, float] = {}
        for u in g.units_on_map(side):
            name = g.command_name(u)
            if not name or g.forces.hq[u]:
                continue
            found.setdefault(name, []).append(g.place[u])
            if any(g.map.grid.distance(g.place[u], e) <= NEAR for e in enemies):
                weight[name] = weight.get(name, 0.0) + g.attack_value(u) + g.defence_value(u)
        ranked = sorted(weight, key=lambda n: (-weight[n], n))
        return {n: found[n] for n in ranked[:FORMATIONS]}

    def _objectives(self, g: Board, side: Side, hexes: list[Hex]) -> list[Hex]:
        def promise(h: Hex, vp: int) -> float:
            away = distances(g, h)
            return vp / (3 + sum(away[x] for x in hexes) / len(hexes) / POINT)

        goals = [(promise(h, vp), h) for (h, vp), owner in zip(g.objectives, g.control, strict=True) if owner != side]
        return [h for _, h in sorted(goals, reverse=True)[:OBJECTIVES]]


def _in_turn(single: list[Order], whole: list[Order]) -> list[list[Order]]:
    """Some for the whole side, then one for each formation in turn."""
    by: dict[str, list[Order]] = {}
    for order in single:
        by.setdefault(order.formation, []).append(order)
    rows = [[several[i] for several in by.values() if i < len(several)] for i in range(5)]
    return [rows[0], whole, *rows[1:]]


DOMAIN = HeronDomain()
