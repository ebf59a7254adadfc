"""9.26 Movement methods for units with army objectives: 40th and 1st Guards Army while their marker is in play."""

from __future__ import annotations

from kessel.core.hexes import NO_HEX, Hex
from kessel.games.kharkov43.board import OBJECTIVES, Board
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.system.methods.methods import DOWN, Check, Go, Method, Order, Stay
from kessel.games.kharkov43.system.methods.methods_a import beside_german_unit, take_vp_hex
from kessel.games.kharkov43.system.terms.choosing import choose, closest, highest_number
from kessel.games.kharkov43.system.terms.terminology import germans_beside


def has_army_objective(g: Board, u: int) -> bool:
    army = g.forces.formation[u]
    return army in OBJECTIVES and g.objective_of(army) != NO_HEX


def german_near_objective(c: Check) -> Hex:
    """9.26.3 The German unit in or closest to the army objective; of several the one closest to the moving unit."""
    g = c.g
    prefer = (
        closest("9.26.3", "closest to the army objective", g, g.objective_of(g.forces.formation[c.unit])),
        closest("9.26.3a", "closest to the moving unit", g, c.start),
        highest_number(g, "9.26.3b"),
    )
    return choose(g.hexes_of(GERMAN), prefer).hex


def closer_to_german_unit(c: Check) -> tuple[Order, ...]:
    """9.26.3 As close as possible to the German unit nearest to the army objective."""
    g = c.g
    x = german_near_objective(c)
    if x == NO_HEX:
        return ()
    go = _closer(c, x, "9.26.3", f"closer to the German unit in {g.ground.name(x)}")
    if here := germans_beside(g, c.start) & 1 << x:
        reason = f"it is beside the German unit nearest to its objective, in {g.ground.name(x)}"
        return (Stay("9.26f", reason, review=True, germans=here, prefer=go.prefer),)
    return (go,)


def _closer(c: Check, goal: Hex, rule: str, what: str) -> Go:
    ground = c.g.ground
    hexes = c.ends & ground.closer(goal, ground.distance(goal, c.start))
    return Go(hexes, (closest(rule, "as close as possible", c.g, goal),), what=what)


def closer_to_front_objective(c: Check) -> tuple[Order, ...]:
    """9.26.4 As close as possible to the front objective; of such hexes the one closest to the army objective."""
    g = c.g
    front = g.objective_of(c.front)
    if front == NO_HEX:
        return ()
    go = _closer(c, front, "9.26.4", f"closer to {g.ground.name(front)}")
    nearer = closest("9.26.4", "closer to its army objective", g, g.objective_of(g.forces.formation[c.unit]))
    return (Go(go.hexes, (*go.prefer, nearer), what=go.what),)


METHODS_ARMY = (
    Method("9.26.1", "take VP hex", DOWN, take_vp_hex),
    Method("9.26.2", "adjacent to German unit", DOWN, beside_german_unit),
    Method("9.26.3", "closer to German unit and army objective", DOWN, closer_to_german_unit),
    Method("9.26.4", "closer to front objective", DOWN, closer_to_front_objective),
)
