"""26.2 Planned Offensives in combat: one more die on the CRT for each marker used."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.games.stalingrad42.board import ELSEWHERE, Board
from kessel.games.stalingrad42.combat.strength.artillery import can_reach, support_units
from kessel.games.stalingrad42.combat.strength.strengths import Attack

READY = 16
"""A Ready marker in the column `offensives`; one being prepared counts 1."""


def ready_offensives(g: Board, u: Unit) -> int:
    return g.offensives[u] // READY


def why_not_use_offensive(g: Board, u: Unit, a: Attack) -> Refusal | None:
    """Why a Planned Offensive of that HQ may not be used in this combat."""
    name = g.name(u)
    if not g.plays("planned_offensive"):
        return Refusal("26.1", "Planned Offensives are not used in this game")
    if a.breakthrough:
        return Refusal("26.2", "a Planned Offensive may not be used in Breakthrough Combat")
    if g.forces.side[u] != a.side or not ready_offensives(g, u):
        return Refusal("26.2", f"{name} has no Ready Planned Offensive marker")
    if not any(g.forces.nation[v] == g.forces.nation[u] for v in a.units):
        return Refusal("26.2", f"no unit of the nationality of {name} takes part")
    if not can_reach(g, u, a.units):
        return Refusal("26.2", f"the combat is out of the range of {name}")
    return None


def offensive_markers(g: Board, a: Attack) -> list[Unit]:
    """The HQs whose Planned Offensive could be used."""
    hqs = (u for u in support_units(g, a.side) if g.offensives[u] >= READY)
    return [u for u in hqs if why_not_use_offensive(g, u, a) is None]


def spend_offensive(g: Board, u: Unit) -> None:
    """Once used, the marker is removed."""
    g.offensives[u] -= READY
    g.happened(ELSEWHERE)
    g.tell(f"the Planned Offensive of {g.name(u)} is used", "26.2", unit=g.id(u))
