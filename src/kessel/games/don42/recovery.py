"""14.0 Mutual Recovery Phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kessel.core.forces import NO_UNIT, Unit
from kessel.core.procedure import Out, Procedure, auto
from kessel.games.don42.board import DRG, Board
from kessel.games.don42.charts import HALF
from kessel.games.don42.forces import GERMAN, SOVIET
from kessel.games.don42.retreat import WORDS
from kessel.games.don42.supply import corps_hqs, parent_hqs
from kessel.games.don42.zones import open_hexes

RULES = {"DRG": "14.1", "DPT": "14.2", "RTD": "14.3"}


def recovery_hqs(g: Board, u: Unit) -> list[Unit]:
    """The Corps or Army HQs a unit may rally to."""
    found = corps_hqs(g, g.command[u]) if g.forces.side[u] == GERMAN else parent_hqs(g, u)
    if g.forces.is_command_hq(u) and g.reads("hq_self") == "never":
        found = [hq for hq in found if hq != u]
    return [hq for hq in found if hq != NO_UNIT]


def recovery_path(g: Board, u: Unit) -> dict[str, Any]:
    """14.1-14.3 Whether a unit recovers, with its path: free of enemies and EZOC but for friends' hexes."""
    word = WORDS[g.disorder(u)]
    if g.disorder(u) == DRG:
        return {"recovers": True, "rule": "14.1", "limit": None, "cost": 0, "path": []}
    limit = g.charts.recovery.number(word, "path") * HALF
    side = g.forces.side[u]
    kind = "german" if side == GERMAN and g.reads("recovery_line") == "supply" else "soviet"
    for hq in recovery_hqs(g, u):
        lines = g.crossings.lines(kind, g.weather, 1 << g.place[hq], limit, open_hexes(g, side))
        if g.place[u] in lines:
            way = lines.path(g.place[u]) or ()
            return {"recovers": True, "rule": RULES[word], "limit": limit / HALF, "hq": g.name(hq),
                    "cost": (lines.cost(g.place[u]) or 0) / HALF, "path": [g.hex_name(h) for h in way]}  # fmt: skip
    why = f"no path of {limit // HALF} MPs leads to a parent Corps or Army HQ"
    return {"recovers": False, "rule": RULES[word], "limit": limit / HALF, "path": None, "why_not": why}


@dataclass(slots=True)
class RecoveryPhase(Procedure):
    """5.0 phase 11."""

    @auto("14.0")
    def recover(self, g: Board) -> Out:
        """Markers come off wherever the path stands; no die is given, so none is rolled."""
        rallied = [
            (u, found["rule"])
            for side in (GERMAN, SOVIET)
            for u in g.units_on_map(side)
            if g.disorder(u) and (found := recovery_path(g, u))["recovers"]
        ]
        for u, rule in rallied:
            g.tell(f"{g.name(u)} recovers from {WORDS[g.disorder(u)]}", rule, unit=g.name(u))
            g.set_disorder(u, 0)
        return None
