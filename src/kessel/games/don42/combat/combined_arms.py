"""3.4 Combined Arms."""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.games.don42.board import ATTACK, Board
from kessel.games.don42.data.forces import SOVIET


def is_armor(g: Board, u: Unit) -> bool:
    if g.forces.type[u] == "recon":
        return g.reads("recon_armor") == "armor"
    return bool(g.forces.armor[u])


def is_soft(g: Board, u: Unit) -> bool:
    """A defender the attacker's bonus works against: infantry, motorized infantry or an HQ."""
    group = g.forces.group[u]
    return group in ("infantry", "hq") or (group == "machine_gun" and g.reads("mg_infantry") == "infantry")


def why_not_attacker_bonus(
    g: Board, side: Side, attackers: Sequence[Unit], guns: Sequence[Unit], defenders: Sequence[Unit]
) -> Refusal | None:
    """Why the attacker may not claim Combined Arms; None if he may."""
    fit = [u for u in attackers if not g.disorder(u)]
    armor = [u for u in fit if is_armor(g, u)]
    others = [u for u in fit if not is_armor(g, u)]
    if g.reads("ca_support") == "non_armor":
        others += [u for u in guns if not g.disorder(u)]
    if not armor or not others:
        return Refusal("3.4", "needs an armor and a non-armor unit in good order")
    supplied = [g.supply[u] == ATTACK for u in attackers]
    if g.reads("ca_supply") == "all":
        if not all(supplied):
            return Refusal("3.4", "an attacking unit is not in Attack Supply")
    elif not (any(g.supply[u] == ATTACK for u in armor) and any(g.supply[u] == ATTACK for u in others)):
        return Refusal("3.4", "needs an armor and a non-armor unit in Attack Supply")
    if not all(is_soft(g, u) for u in defenders):
        return Refusal("3.4", "the defending hex holds more than infantry, motorized infantry or HQs")
    if side == SOVIET:
        counted = [*attackers, *guns] if g.reads("ca_army") == "guns_count" else attackers
        if len({g.command[u] for u in counted}) > 1:
            return Refusal("3.4", "Soviet attackers come from more than one Army or Tank Corps")
    return None


def why_not_defender_bonus(g: Board, defenders: Sequence[Unit]) -> Refusal | None:
    """Why the defender may not claim Combined Arms; None if he may (in any supply state)."""
    forces = g.forces
    if any((forces.tank[u] or forces.anti_tank[u]) and not g.disorder(u) for u in defenders):
        return None
    return Refusal("3.4", "no tank or anti-tank unit in good order defends")
