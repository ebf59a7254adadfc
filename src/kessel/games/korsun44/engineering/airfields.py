"""18.8, 18.9 The alternate airfield and the alternate depot of the pocket."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.games.korsun44.board import BUILT, DISORDER, GERMAN, OUT, Board
from kessel.games.korsun44.engineering.bridges import engineers
from kessel.games.korsun44.supply.paths import on_road
from kessel.games.korsun44.supply.sources import READY

BEGUN = 1


def _why_not_site(g: Board, side: Side, u: Unit, what: str, rule: str) -> Refusal | None:
    option = f"alternate_{what}"
    if side != GERMAN or not g.plays(option):
        return Refusal(rule, f"no alternate {what} is built in this game")
    if not g.on_map(u) or g.forces.side[u] != GERMAN or "korps" not in g.forces.engineer[u]:
        return Refusal(rule, f"{g.name(u)} is no German korps engineer on the map")
    if g.status[u] & (BUILT | OUT):
        return Refusal(rule, f"{g.name(u)} has worked, or is out of supply")
    if g.status[u] & DISORDER:
        return Refusal("12.17.2", f"{g.name(u)} is Disorganized or in Regroup")
    if g.track(f"{what}_at"):
        return Refusal(rule, f"there is an alternate {what}")
    if not on_road(g) >> g.place[u] & 1:
        return Refusal(rule, f"{g.hex_name(g.place[u])} is no road hex")
    return None


def why_not_airfield(g: Board, side: Side, u: Unit) -> Refusal | None:
    """18.8 A korps engineer on a road in clear terrain within six hexes of Korsun; two of Korsun's points."""
    c = g.charts.constants
    if why := _why_not_site(g, side, u, "airfield", "18.8"):
        return why
    if not g.ground.clear >> g.place[u] & 1:
        return Refusal("18.8", f"{g.hex_name(g.place[u])} is not clear")
    if g.ground.korsun < 0 or g.map.grid.distance(g.place[u], g.ground.korsun) > c.airfield_distance:
        return Refusal("18.8", f"Korsun is more than {c.airfield_distance} hexes away")
    if g.track("korsun_sp") < c.airfield_points:
        return Refusal("18.8", f"Korsun has not {c.airfield_points} Supply Points")
    return None


def site_builders(g: Board, what: str) -> list[Unit]:
    """18.8, 18.9 The engineers that could build one, while there is none."""
    if not g.plays(f"alternate_{what}") or g.track(f"{what}_at"):
        return []
    return [u for u in engineers(g, GERMAN) if "korps" in g.forces.engineer[u]]


def begin_airfield(g: Board, u: Unit) -> None:
    g.set_track("korsun_sp", g.track("korsun_sp") - g.charts.constants.airfield_points)
    g.set_track("airfield_at", g.place[u] + 1)
    g.set_track("airfield_state", BEGUN)
    g.set_track("airfield_sp", 0)
    g.set_status(u, BUILT)
    g.tell(f"{g.name(u)} begins an airfield in {g.hex_name(g.place[u])}", "18.8", unit=g.id(u))


def complete_airfield(g: Board) -> None:
    """18.8 In the next Engineering Phase it is completed."""
    if g.track("airfield_state") == BEGUN:
        g.set_track("airfield_state", READY)
        g.tell(f"the alternate airfield in {g.hex_name(g.track('airfield_at') - 1)} is completed", "18.8")


def why_not_depot(g: Board, side: Side, u: Unit, stock: str) -> Refusal | None:
    """18.9 A korps engineer on a road within ten hexes of Korsun or of the alternate airfield; one of their points."""
    c, grid = g.charts.constants, g.map.grid
    if why := _why_not_site(g, side, u, "depot", "18.9"):
        return why
    near = [h for h in (g.ground.korsun, g.track("airfield_at") - 1) if h >= 0]
    if not any(grid.distance(g.place[u], h) <= c.depot_distance for h in near):
        return Refusal("18.9", f"Korsun and the alternate airfield are more than {c.depot_distance} hexes away")
    if stock not in ("korsun", "airfield") or g.track(f"{stock}_sp") < c.depot_points:
        return Refusal("18.9", f"{stock} has no Supply Point")
    return None


def build_depot(g: Board, u: Unit, stock: str) -> None:
    g.set_track(f"{stock}_sp", g.track(f"{stock}_sp") - g.charts.constants.depot_points)
    g.set_track("depot_at", g.place[u] + 1)
    g.set_track("depot_state", READY)
    g.set_track("depot_sp", 0)
    g.set_status(u, BUILT)
    g.tell(f"{g.name(u)} sets up a depot in {g.hex_name(g.place[u])}", "18.9", unit=g.id(u))
