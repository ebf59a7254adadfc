"""18.1 Soviet partisans: home bases."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import MOVED, ON_TRACK, SOVIET, Board
from kessel.games.korsun44.data.forces import PARTISANS


def home_of(g: Board, u: Unit) -> Hex:
    """18.1.1 The home base of a partisan unit; -1 where the scenario gives none."""
    return g.scenario.partisans.get(u, -1)


def why_not_go_home(g: Board, side: Side, u: Unit) -> Refusal | None:
    """18.1.5 Partisans return to their base from wherever they are, in the Soviet Movement Phase."""
    if side != SOVIET or g.forces.role[u] != PARTISANS or not g.on_map(u):
        return Refusal("18.1.5", f"{g.name(u)} is no partisan unit on the map")
    h = home_of(g, u)
    if h < 0 or g.place[u] == h or g.units(h):
        return Refusal("18.1.5", "its home base is not free, or it is there")
    return Refusal("9.0", f"{g.name(u)} has moved") if g.status[u] & MOVED else None


def go_home(g: Board, u: Unit) -> None:
    g.tell_way(u, "goes home to", (home_of(g, u),), "18.1.5")
    g.put(u, home_of(g, u))
    g.set_status(u, MOVED)


def reconstitute(g: Board) -> None:
    """18.1.5 In the Soviet Reinforcement Segment: partisans come back from the track, and are whole again at home."""
    if not g.plays("partisans"):
        return
    for u in g.forces.of_role[SOVIET][PARTISANS]:
        h = home_of(g, u)
        if h < 0:
            continue
        if not g.on_map(u) and g.box[u] == ON_TRACK and g.due[u] <= g.turn and not g.units(h):
            g.steps[u] = 1
            g.put(u, h)
            g.tell(f"{g.name(u)} comes back in {g.hex_name(h)}", "18.1.5", unit=g.id(u))
        if g.on_map(u) and g.place[u] == h and g.steps[u] < g.forces.full_steps[u]:
            g.set_steps(u, g.forces.full_steps[u])
            g.tell(f"{g.name(u)} is at full strength again", "18.1.5", unit=g.id(u))
