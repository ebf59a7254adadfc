"""12.4 Supported and unsupported combat."""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.games.korsun44.board import DISPLACED, GERMAN, OUT, SDM_LOST, SUPPORTED, Board
from kessel.games.korsun44.combat.battle import ALARM_COMBAT, BREAKTHROUGH_SEGMENT, Battle


def formation_of(g: Board, u: Unit) -> str:
    """12.4 The formation one Supply Point supports: army or corps, korps or panzer division."""
    f, known = g.forces, g.charts.game.formations
    if f.side[u] == GERMAN:
        return f.division[u] if f.division[u] in known.panzer_divisions else f.corps[u] or f.army[u]
    return f.corps[u] if f.corps[u] in known.soviet_corps else f.army[u] or f.front[u]


def payers(g: Board, attackers: Sequence[Unit], formation: str) -> list[Unit]:
    """12.4 The SDMs that placed attackers of a formation in supply and still have a Supply Point."""
    found = {g.supplier[u] for u in attackers if formation_of(g, u) == formation and not g.status[u] & OUT}
    return sorted(s for s in found if s != NO_UNIT and _can_pay(g, s))


def _can_pay(g: Board, sdm: Unit) -> bool:
    """Q64 A displaced SDM still pays, or not; a removed one never does."""
    if g.sdm_at[sdm] == NOWHERE or g.sdm_flags[sdm] & SDM_LOST or not g.sdm_sp[sdm]:
        return False
    return not g.sdm_flags[sdm] & DISPLACED or g.reads("displaced_sdm") == "pays"


def why_not_support(g: Board, b: Battle, formation: str, sdm: Unit) -> Refusal | None:
    """12.4 Why that SDM may not support that formation in this combat."""
    of = [u for u in b.attackers if formation_of(g, u) == formation]
    if not of:
        return Refusal("12.4", f"no unit of {g.formation(formation)} takes part")
    if formation in b.paid:
        return Refusal("12.4", f"{g.formation(formation)} is supported already")
    if all(g.status[u] & OUT for u in of):
        return Refusal("12.4", f"no unit of {g.formation(formation)} that takes part is in supply")
    if sdm not in {g.supplier[u] for u in of if not g.status[u] & OUT}:
        return Refusal("12.4", f"{g.name(sdm)} placed no attacker of {g.formation(formation)} in supply")
    return None if _can_pay(g, sdm) else Refusal("14.3", f"{g.name(sdm)} has no Supply Point to give")


def supports(g: Board, b: Battle) -> list[tuple[str, Unit]]:
    """All formations that can still be supported, with the SDMs that can pay."""
    formations = sorted({formation_of(g, u) for u in b.attackers} - set(b.paid))
    return [(f, sdm) for f in formations for sdm in payers(g, b.attackers, f)]


def is_supported(g: Board, b: Battle, u: Unit) -> bool:
    """12.4, 12.1.4, 9.12 Whether an attacker has its full strength."""
    if b.segment == ALARM_COMBAT:
        return True
    if b.segment == BREAKTHROUGH_SEGMENT:
        return bool(g.status[u] & SUPPORTED)
    return formation_of(g, u) in b.paid and (not g.status[u] & OUT or g.reads("oos_support") == "with_friend")


def has_support(g: Board, b: Battle) -> bool:
    """12.4, Q44 Whether guns, aircraft and engineers may help this attack."""
    found = [is_supported(g, b, u) for u in b.attackers]
    return all(found) if g.reads("mixed_support") == "all_supported" else any(found)
