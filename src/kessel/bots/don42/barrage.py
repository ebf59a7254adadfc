"""Which Germans the Soviet guns fire at: a stack in disorder neither attacks nor gets far in its next turn (12.4.1,
10.5), so guns are shared out by how much attack strength they are likely to silence.
"""

from __future__ import annotations

from kessel.bots.don42.plans import held_value
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.don42.board import DISORDER, SHELLED, Board
from kessel.games.don42.combat.air import bombardment_chances
from kessel.games.don42.combat.bombardment import ready_guns, targets_of
from kessel.games.don42.data.forces import SOVIET

LASTING = 0.6
"""What it adds that disrupted units must find back to order."""
AFAR = 0.25
"""What silencing Germans who have no Soviets beside them counts."""
HELD = 0.1
"""What a Victory Point in danger adds."""
ENOUGH = 0.3
"""What a gun must add, else it stays free for an attack."""


def shared_out(g: Board) -> dict[Hex, list[Unit]]:
    """Which guns fire at which hex: one gun after the other where it adds most."""
    aims = {u: [h for h in members(targets_of(g, u)) if not _is_shelled(g, h)] for u in ready_guns(g)}
    prize = {h: _prize(g, h) for h in {h for several in aims.values() for h in several}}
    fire: dict[Hex, list[Unit]] = {}
    power: dict[Hex, int] = {}

    def adds(u: Unit, h: Hex) -> float:
        now = power.get(h, 0)
        return prize[h] * (effect(g, now + g.forces.bombard[u]) - effect(g, now))

    while aims:
        best = max(((adds(u, h), -h, -u) for u, several in aims.items() for h in several), default=(0.0, 0, 0))
        if best[0] < ENOUGH:
            break
        h, u = -best[1], -best[2]
        del aims[u]
        fire.setdefault(h, []).append(u)
        power[h] = power.get(h, 0) + g.forces.bombard[u]
    return fire


def _is_shelled(g: Board, h: Hex) -> bool:
    return any(g.status[u] & SHELLED for u in g.units(h))


def _prize(g: Board, h: Hex) -> float:
    """The attack strength in a hex, and what it could take."""
    found = sum(g.attack_value(u) + 0.5 for u in g.units(h) if not g.status[u] & DISORDER)
    beside = [n for n in g.map.grid.around[h] if g.enemies_in(n, 1 - SOVIET)]
    if not beside:
        return AFAR * found
    return found * (1.0 + HELD * max(held_value(g, n, SOVIET) for n in beside))


def effect(g: Board, factors: int) -> float:
    """How likely a barrage of such a strength silences its target, and more where it does so beyond this turn."""
    if not factors:
        return 0.0
    results = bombardment_chances(g, factors)
    return sum(0.0 if r == "NE" else 1.0 if "DRG" in r else 1.0 + LASTING for r in results) / len(results)
