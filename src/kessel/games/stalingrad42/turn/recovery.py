"""13.4, 13.5 The Recovery Phase and the Rally Table."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import Place
from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.procedure import AGAIN, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BAD_ORDER, DISRUPTED, FULL_RETREAT
from kessel.games.stalingrad42.combat.strength.fortifications import shelters
from kessel.games.stalingrad42.combat.strength.strengths import sheet
from kessel.games.stalingrad42.movement.entering import occupy
from kessel.games.stalingrad42.movement.ways.zones import is_in_ezoc


@dataclass(slots=True)
class RecoveryPhase(Procedure):
    """13.4 Disrupted and Full Retreat units recover one level; in an EZOC they must roll."""

    side: int
    kept: tuple[int, ...] = ()
    """Units in Full Retreat that stay so, for their Automatic Retreat."""

    keep = Choice("side", "13.4", "Choose units that stay in Full Retreat, or let all recover.", passing=None)

    def _running(self, g: Board) -> list[Unit]:
        return [u for u in shaken(g, self.side) if g.status[u] & FULL_RETREAT and u not in self.kept]

    def why_not_keep(self, g: Board, u: Unit) -> Refusal | None:
        return None if u in self._running(g) else Refusal("13.4", "only units in Full Retreat may stay as they are")

    @keep.verb("keep", legal=_running, why_not=why_not_keep)
    def stay(self, g: Board, u: Unit) -> Out:
        self.kept = (*self.kept, u)
        return AGAIN

    @auto("13.4")
    def recover(self, g: Board) -> Out:
        """Out of EZOCs recovery is automatic."""
        units = [u for u in shaken(g, self.side) if u not in self.kept]
        rolling = [u for u in units if must_rally(g, u)]
        for u in units:
            if u not in rolling:
                recover(g, u, "13.4")
        for u in rolling:
            rally(g, u)
        return None


def shaken(g: Board, side: Side) -> list[Unit]:
    """The units of a side that are Disrupted or in Full Retreat."""
    return g.marked_with(side, BAD_ORDER)


def must_rally(g: Board, u: Unit) -> bool:
    """13.4 In an EZOC recovery is determined by the Rally Table."""
    h = stands_at(g, u)
    return g.map.is_hex(h) and is_in_ezoc(g, h, g.forces.side[u])


def stands_at(g: Board, u: Unit) -> Place:
    """Where a unit is; in a Holding Box it is where its Reserve Army stands (34.6.2)."""
    army = g.carrier(u) if g.inside[u] > 0 else -1
    return g.place[army] if army != NO_UNIT else g.place[u]


def recover(g: Board, u: Unit, rule: str) -> None:
    """One level: from Full Retreat to Disrupted, from Disrupted to Good Order."""
    if g.status[u] & FULL_RETREAT:
        g.set_status(u, FULL_RETREAT, False)
        g.set_status(u, DISRUPTED)
        g.tell(f"{g.name(u)} is Disrupted", rule, unit=g.id(u))
        if g.on_map(u):
            occupy(g, (u,), g.place[u])  # 16.3.4: in Full Retreat it could not
    else:
        g.set_status(u, DISRUPTED, False)
        g.tell(f"{g.name(u)} is in Good Order", rule, unit=g.id(u))


def rally_modifier(g: Board, u: Unit, quiet: bool = True) -> Breakdown:
    """13.5 Die roll modifiers."""
    b, t = sheet("modifier", quiet), g.charts.table("rally_modifiers")
    h, side = stands_at(g, u), g.forces.side[u]
    if (g.ground.city | shelters(g, side)) >> h & 1:
        b.add("in a City or Fort hex", t.number("city_or_fort", "drm"), "13.5")
    if g.forces.quality[u] > 0:
        b.add("Elite", t.number("elite", "drm"), "13.5")
    elif g.forces.quality[u] < 0:
        b.add("Low Quality", t.number("low", "drm"), "13.5")
    return b


def rally(g: Board, u: Unit) -> None:
    """13.5 One die, its result clamped to 1-6."""
    die, drm = g.die(), rally_modifier(g, u).total
    t = g.charts.table("rally")
    result = t.at(t.clamp_row(die + drm), "result")
    g.tell(f"{g.name(u)} tries to rally: {die}{drm:+d}", "13.5", unit=g.id(u), die=die, modifier=drm)
    if result == "recover":
        recover(g, u, "13.5")
