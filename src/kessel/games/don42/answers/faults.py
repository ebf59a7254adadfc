"""Everything that can be wrong with a position; [] for a sound one."""

from __future__ import annotations

from kessel.core.hexset import members
from kessel.games.don42.board import DISORDER, NO_SIDE, READY, S_MOVEMENT, Board
from kessel.games.don42.combat.retreat import Settle, Withdraw
from kessel.games.don42.data.forces import GERMAN, NO_COMMAND, SOVIET
from kessel.games.don42.movement.stacking import why_not_together
from kessel.games.don42.turn.setup import SetUp


def faults(g: Board, *, stacking: bool = True) -> list[str]:
    """`stacking`: Soviets over their limit are a fault (a position may show them, to ask about it)."""
    found = g.faults()
    found += _shared_hexes(g, stacking)
    for u in range(len(g.forces)):
        name = g.name(u)
        if (g.status[u] & DISORDER).bit_count() > 1:
            found.append(f"{name} has more than one of DRG, DPT and RTD")
        if g.on_map(u) and not g.steps[u]:
            found.append(f"{name} is on the map without a step")
        if g.due[u] and (g.on_map(u) or not g.forces.hq[u]):
            found.append(f"{name} is due to return but is on the map or no HQ")
        if (g.sp[u] or g.fuel[u] or g.ammo[u]) and not (g.forces.hq[u] and g.forces.side[u] == GERMAN):
            found.append(f"{name} holds Supply Points")
    for c, command in enumerate(g.command):
        if command != NO_COMMAND and command >= len(g.forces.commands):
            found.append(f"{g.name(c)} is under no known command")
    for side, state in zip(g.pontoon_at, g.pontoon_state, strict=True):
        if state & 3 == READY and (side == NO_SIDE or not g.ground.don[side % 6] >> side // 6 & 1):
            found.append("a pontoon stands over no Don hexside")
    if sum(1 for p in g.position if p) > g.charts.position_markers and not g.scenario.says("unlimited_positions"):
        found.append("more positions than markers")
    return found


def _shared_hexes(g: Board, stacking: bool) -> list[str]:
    """3.1 Only friends share a hex; Soviets over their limit outside their own Movement and Combat Phases."""
    found = []
    both = g.hexes_of(GERMAN) & g.hexes_of(SOVIET)
    if both:
        found.append(f"both sides are in {', '.join(g.map.grid.names(members(both)))}")
    if stacking and g.phase < S_MOVEMENT and len(g.stack) <= 3 and not _is_settling(g):
        for h in members(g.hexes_of(SOVIET)):
            if why_not_together(g, SOVIET, g.units(h)):
                found.append(f"Soviet units are stacked in {g.hex_name(h)}")
    return found


def _is_settling(g: Board) -> bool:
    return any(isinstance(p, Withdraw | Settle | SetUp) for p in g.stack)
