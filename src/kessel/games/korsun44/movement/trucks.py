"""18.5 German trucks: a Supply Point lets foot infantry move as motorized."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.games.korsun44.board import GERMAN, MOVED, ON_SDM, OUT, TRUCK, TRUCKED, Board
from kessel.games.korsun44.data.charts import FOOT
from kessel.games.korsun44.data.forces import ALARM, SDM
from kessel.games.korsun44.supply.stage import within_range_of


def why_not_truck(g: Board, side: Side, sdm: Unit, u: Unit) -> Refusal | None:
    """18.5 Why a korps SDM may not give trucks to a unit."""
    f = g.forces
    if side != GERMAN or not g.plays("trucks"):
        return Refusal("18.5", "trucks are not played")
    if f.role[sdm] != SDM or f.side[sdm] != GERMAN or f.division[sdm] or not f.corps[sdm] or g.sdm_at[sdm] < 0:
        return Refusal("18.5.1", f"{g.name(sdm)} is no German korps SDM on the map")
    if g.sdm_flags[sdm] & TRUCKED and g.reads("truck_moves") == "one_each":
        return Refusal("18.5.2", f"{g.name(sdm)} has given its truck move this turn")
    if g.sdm_sp[sdm] < g.charts.constants.truck_points:
        return Refusal("18.5.1", f"{g.name(sdm)} has no Supply Point")
    if f.side[u] != GERMAN or not g.on_map(u) or f.move[u] != FOOT or not f.infantry_type[u] or f.role[u] == ALARM:
        return Refusal("18.5.1", f"{g.name(u)} is no German foot infantry on the map")
    if g.status[u] & (OUT | MOVED | TRUCK):
        return Refusal("18.5.1", f"{g.name(u)} is out of supply, has moved or has trucks")
    if f.corps[u] != f.corps[sdm] or not within_range_of(g, u, sdm):
        return Refusal("18.5.1", f"{g.name(u)} is not of {g.formation(f.corps[sdm])}, or not in range of {g.name(sdm)}")
    return None


def truck_choices(g: Board, side: Side) -> list[tuple[Unit, Unit]]:
    if side != GERMAN or not g.plays("trucks"):
        return []
    return [(s, u) for s in g.sdms(GERMAN) for u in g.on_the_map(GERMAN) if why_not_truck(g, side, s, u) is None]


def give_trucks(g: Board, sdm: Unit, u: Unit) -> None:
    g.set_sp(sdm, g.sdm_sp[sdm] - g.charts.constants.truck_points)
    g.sdm_flags[sdm] |= TRUCKED
    g.happened(ON_SDM)
    g.set_status(u, TRUCK)
    g.tell(f"{g.name(u)} is put on trucks by {g.name(sdm)}", "18.5.1", unit=g.id(u))
