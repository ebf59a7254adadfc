"""22.11, 18.13 The boundary between the Fronts; Stalin takes it away."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, GAME, NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import spread
from kessel.core.procedure import Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import GERMAN, SOVIET, Board
from kessel.games.korsun44.data.forces import PARTISANS

FIRST = "1Uk"


def is_drawn(g: Board) -> bool:
    """22.11, 18.13 Whether the boundary is in force."""
    return g.plays("front_boundary") and g.track("boundary") > 0 and not g.track("stalin")


def is_exempt(g: Board, u: Unit) -> bool:
    """22.11 Formations that belong to one Front and fight with the other."""
    f = g.forces
    return bool({f.front[u], f.army[u], f.corps[u]} & set(g.charts.game.front_boundary.exempt))


def is_beyond(g: Board, u: Unit, h: Hex) -> bool:
    """22.11 Whether a hex is further over the boundary than a unit of that Front may stand."""
    rule = g.charts.game.front_boundary
    if not _is_kept(g)[u] or not is_drawn(g):
        return False
    column, line = _columns(g)[h], g.track("boundary")
    return column > line + rule.beyond if g.front_of(u) == FIRST else column <= line - rule.beyond


@fact(FOREVER)
def _columns(g: Board) -> dict[Hex, int]:
    return {h: g.ground.column(h) for h in g.map.grid.hexes}


@fact(GAME)
def _is_kept(g: Board) -> list[bool]:
    """22.11 By unit: whether the boundary keeps it at all."""
    f = g.forces
    mine = [f.side[u] == SOVIET and bool(f.front[u]) and f.role[u] != PARTISANS for u in range(len(f))]
    return [kept and not is_exempt(g, u) for u, kept in enumerate(mine)]


def may_be_out_of_bounds(g: Board, side: Side) -> bool:
    """22.11 Whether the boundary puts units of a side out of supply at all."""
    return side == SOVIET and g.reads("boundary_breach") == "out_of_supply" and is_drawn(g)


def is_out_of_bounds(g: Board, u: Unit) -> bool:
    """22.11 A unit too far beyond its Front's boundary is out of supply (switch boundary_breach)."""
    return g.reads("boundary_breach") == "out_of_supply" and g.on_map(u) and is_beyond(g, u, g.place[u])


def may_be_bound(g: Board, side: Side) -> bool:
    """22.11 Whether the boundary keeps units of a side from any hex at all."""
    return side == SOVIET and g.reads("boundary_breach") == "forbidden" and is_drawn(g)


def why_not_cross(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """22.11 Why a Soviet unit may not end a move beyond its Front's boundary."""
    if g.reads("boundary_breach") == "forbidden" and is_beyond(g, u, h):
        return Refusal("22.11", f"{g.hex_name(h)} is beyond the boundary of {g.front_of(u)}")
    return None


# --- 22.11 moving it -----------------------------------------------------------------------------------------------


@fact(NOW)
def fronts_have_met(g: Board) -> bool:
    """22.11 Units of both Fronts stand side by side."""
    places = []
    for front in g.charts.game.formations.fronts:
        s = 0
        for u in g.on_the_map(SOVIET):
            if g.front_of(u) == front and g.forces.role[u] != PARTISANS and not is_exempt(g, u):
                s |= 1 << g.place[u]
        places.append(s)
    first, second = places
    return bool((spread(g.map.grid, first) | first) & second) if first and second else False


def why_not_shift(g: Board, column: int) -> Refusal | None:
    step, line = g.charts.game.front_boundary.step, g.track("boundary")
    if not is_drawn(g):
        return Refusal("22.11", "there is no boundary between the Fronts")
    if not fronts_have_met(g):
        return Refusal("22.11", "the boundary moves once the Fronts have met")
    if column == line or abs(column - line) > step:
        return Refusal("22.11", f"the boundary moves {step} column{'s' * (step > 1)} a turn")
    return None


def shifts(g: Board) -> list[int]:
    """22.11 The columns the boundary may move behind."""
    step, line = g.charts.game.front_boundary.step, g.track("boundary")
    return [c for c in range(max(1, line - step), min(62, line + step) + 1) if why_not_shift(g, c) is None]


@dataclass(slots=True)
class BoundarySegment(Procedure):
    """3.2.E1D The boundary may be moved."""

    side: int = SOVIET

    move = Choice("side", "22.11", "Move the boundary between the Fronts, or leave it.", passing=None)

    @move.verb(
        "boundary",
        legal=lambda p, g: shifts(g),
        why_not=lambda p, g, column: why_not_shift(g, column),
    )
    def shift(self, g: Board, column: int) -> Out:
        g.set_track("boundary", column)
        g.tell(f"the boundary between the Fronts lies behind column {column}", "22.11")
        return None


@dataclass(slots=True)
class Intervention(Procedure):
    """18.13 Stalin intervenes when the pocket and the relief are close."""

    @auto("18.13")
    def stalin(self, g: Board) -> Out:
        if g.plays("stalin") and not g.track("stalin") and is_stalin_alarmed(g):
            g.set_track("stalin", g.turn)
            g.tell("Stalin intervenes: the boundary between the Fronts is gone", "18.13")
        return BoundarySegment() if is_drawn(g) else None


def is_stalin_alarmed(g: Board) -> bool:
    """18.13 From turn 17 on: units of 11th or 42nd Korps within six hexes of the relieving korps."""
    c, formations = g.charts.constants, g.charts.game.formations
    if g.turn < c.stalin_from:
        return False
    mine = g.on_the_map(GERMAN)
    pocket = {g.place[u] for u in mine if g.forces.corps[u] in formations.pocket_korps}
    relief = {g.place[u] for u in mine if g.forces.corps[u] in formations.relief_korps}
    return any(g.map.grid.distance(a, b) <= c.stalin_distance for a in pocket for b in relief)


def boundary_segment(g: Board) -> Procedure | None:
    return Intervention()
