"""14.0 Mutual Recovery Phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kessel.core.forces import NO_UNIT, Unit
from kessel.core.procedure import Out, Procedure, auto
from kessel.games.don42.board import DISORDER, DRG, Board
from kessel.games.don42.combat.retreat import WORDS
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.zones import open_hexes
from kessel.games.don42.supply.supply import corps_hqs, parent_hqs

RULES = {"DRG": "14.1", "DPT": "14.2", "RTD": "14.3"}


def recovery_hqs(g: Board, u: Unit) -> list[Unit]:
    """The Corps or Army HQs a unit may rally to."""
    found = corps_hqs(g, g.command[u]) if g.forces.side[u] == GERMAN else parent_hqs(g, u)
    if g.forces.is_command_hq(u) and g.reads("hq_self") == "never":
        found = [hq for hq in found if hq != u]
    return [hq for hq in found if hq != NO_UNIT]


def path_of(g: Board, u: Unit) -> tuple[str, int]:
    """The kind of line a unit rallies by, and its length in half MPs."""
    kind = "german" if g.forces.side[u] == GERMAN and g.reads("recovery_line") == "supply" else "soviet"
    return kind, g.charts.recovery.number(WORDS[g.disorder(u)], "path") * POINT


def rally_hq(g: Board, u: Unit) -> Unit:
    """14.2-14.3 The HQ that a path leads to, free of enemies and EZOC but for friends' hexes; NO_UNIT if none does."""
    kind, limit = path_of(g, u)
    open_, has_line = open_hexes(g, g.forces.side[u]), g.crossings.has_line
    for hq in recovery_hqs(g, u):
        if has_line(kind, g.weather, g.place[hq], limit, open_, g.place[u]):
            return hq
    return NO_UNIT


def recovery_path(g: Board, u: Unit) -> dict[str, Any]:
    """14.1-14.3 Whether a unit recovers, with its path."""
    if g.disorder(u) == DRG:
        return {"recovers": True, "rule": "14.1", "limit": None, "cost": 0, "path": []}
    rule = RULES[WORDS[g.disorder(u)]]
    hq, (kind, limit) = rally_hq(g, u), path_of(g, u)
    if hq == NO_UNIT:
        why = f"no path of {limit // POINT} MPs leads to a parent Corps or Army HQ"
        return {"recovers": False, "rule": rule, "limit": limit / POINT, "path": None, "why_not": why}
    lines = g.crossings.lines(kind, g.weather, 1 << g.place[hq], limit, open_hexes(g, g.forces.side[u]))
    way = lines.path(g.place[u]) or ()
    return {"recovers": True, "rule": rule, "limit": limit / POINT, "hq": g.id(hq),
            "cost": (lines.cost(g.place[u]) or 0) / POINT, "path": [g.hex_name(h) for h in way]}  # fmt: skip


@dataclass(slots=True)
class RecoveryPhase(Procedure):
    """5.0 phase 11."""

    @auto("14.0")
    def recover(self, g: Board) -> Out:
        """Markers come off every unit with a path. The rules name no die, so none is rolled."""
        rallied = [
            u
            for side in (GERMAN, SOVIET)
            for u in sorted(g.units_with(DISORDER))
            if g.forces.side[u] == side and g.on_map(u) and (g.disorder(u) == DRG or rally_hq(g, u) != NO_UNIT)
        ]
        for u in rallied:
            word = WORDS[g.disorder(u)]
            g.tell(f"{g.name(u)} recovers from {word}", RULES[word], unit=g.id(u))
            g.set_disorder(u, 0)
        return None
