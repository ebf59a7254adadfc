"""10.3-10.4 Indicating step losses: steps, Remnants, the Eliminated Box."""

from __future__ import annotations

from kessel.core.forces import Unit
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import ELIMINATED, IN_PLAY, REMOVED, RETURNING, WAITING


def remnants_free(g: Board, kind: str) -> int:
    """10.4 Remnants of a kind left in the Display: each unit of that kind on its last step uses one."""
    steps, pool = g.steps, g.pool
    used = [u for u in g.forces.with_remnant.get(kind, ()) if steps[u] == 1 and pool[u] == IN_PLAY]
    return g.charts.remnants[kind].number - len(used)


def lose_step(g: Board, u: Unit, rule: str) -> None:
    """10.3 One step less. A reduced 3-step unit becomes a Remnant if one of its kind is left (10.4.1, 10.4.2)."""
    kind = g.forces.remnant[u]
    if g.steps[u] == 1 or (g.steps[u] == 2 and kind and remnants_free(g, kind) == 0):
        eliminate(g, u, rule)
        return
    g.set_steps(u, g.steps[u] - 1)
    what = "becomes a Remnant" if g.is_remnant(u) else "loses a step"
    g.tell(f"{g.name(u)} {what}", rule, unit=g.id(u), steps=g.steps[u])


def eliminate(g: Board, u: Unit, rule: str) -> None:
    """Take a unit off the map: Combat Units to the Eliminated Box; others come back as 19.4 says."""
    g.tell(f"{g.name(u)} is eliminated", rule, unit=g.id(u), place=g.place_name(g.place[u]))
    if g.forces.type[u] == "reserve_army":
        g.reveal()  # 34.1.2: what was in it is seen, and be it nothing
        box = g.assigned[g.forces.reserve_armies.index(u)]
        for v in range(len(g.forces)) if box else ():
            if g.inside[v] == box:
                _take_off(g, v)  # 34.6.2
    _take_off(g, u)


def _take_off(g: Board, u: Unit) -> None:
    if g.forces.combat[u]:
        g.take(u, ELIMINATED)
    elif g.forces.is_supply_point(u):
        g.take(u, WAITING)
    else:
        g.take(u, RETURNING)
        g.returns[u] = g.turn + g.charts.constant("noncombat_return_delay")


def remove(g: Board, u: Unit, rule: str) -> None:
    """Take a unit out of the game for good."""
    g.tell(f"{g.name(u)} leaves the game", rule, unit=g.id(u))
    g.take(u, REMOVED)
