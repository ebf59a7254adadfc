"""The question about supply: states, SDMs, paths, points."""

from __future__ import annotations

from typing import Any

from kessel.core.board import NOWHERE
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import (
    DISPLACED,
    FROM_AIRFIELD,
    FROM_DEPOT,
    FROM_KORSUN,
    FROM_RELAY,
    OOS1,
    OOS2,
    SIDES,
    STEMMERMANN,
    Board,
)
from kessel.games.korsun44.combat.support import formation_of
from kessel.games.korsun44.data.forces import PART, SDM, UNIT
from kessel.games.korsun44.supply.determination import road_between, supply_of
from kessel.games.korsun44.supply.markers import (
    increments,
    is_supplying,
    points_at,
    reaches,
    reception,
    traced,
    why_not_place,
)
from kessel.games.korsun44.supply.paths import land_path, road_path, supply_range
from kessel.games.korsun44.supply.sources import all_sources
from kessel.wargame.questions import AskSupply as WargameAskSupply
from kessel.wargame.reading import hex_names, judged, named_hex, named_sides, named_unit

DRAWS_ON = {FROM_KORSUN: "Korsun", FROM_AIRFIELD: "alternate airfield", FROM_DEPOT: "alternate depot",
            FROM_RELAY: "relay"}  # fmt: skip


class AskSupply(WargameAskSupply, kw_only=True):
    """The supply of a unit or SDM; of every unit when none is named. `hex`: may the SDM be placed there, with what."""

    hex: str = ""


def supply(g: Board, q: AskSupply) -> dict[str, Any]:
    if q.unit:
        u = named_unit(g, q.unit, on_map=False)
        if g.forces.role[u] == SDM:
            return {"sdm": q.unit, **(_placed(g, u, named_hex(g, q.hex)) if q.hex else _sdm(g, u))}
        return {"unit": q.unit, **_unit(g, named_unit(g, q.unit))}
    wanted = named_sides(SIDES, q.side)
    units = [u for s in wanted for u in g.on_the_map(s)]
    return {
        "units": {g.id(u): {"state": state_of(g, u), "in_supply_now": _traces(g, u)} for u in units},
        "sdms": {g.id(s): _sdm(g, s) for side in wanted for s in g.sdms(side)},
    }


def state_of(g: Board, u: Unit) -> str:
    return "OOS2" if g.status[u] & OOS2 else "OOS1" if g.status[u] & OOS1 else "in supply"


def _is_judged(g: Board, u: Unit) -> bool:
    return g.forces.role[u] in (UNIT, PART)


def _traces(g: Board, u: Unit) -> bool:
    return not _is_judged(g, u) or bool(supply_of(g, u))


def _unit(g: Board, u: Unit) -> dict[str, Any]:
    side = g.forces.side[u]
    found: dict[str, Any] = {"state": state_of(g, u), "rule": "13.4", "range": supply_range(g, side)}
    if not _is_judged(g, u):
        return {**found, "in_supply_now": True, "line": "it needs no supply"}
    now = supply_of(g, u)
    found |= {"in_supply_now": bool(now), "line": now.words(g), "sdms": [], "formation": formation_of(g, u)}
    for length, s in now.sdms:
        path = land_path(g, side, g.place[u], 1 << g.sdm_at[s], found["range"], across=True)
        found["sdms"].append({"sdm": g.id(s), "at": g.hex_name(g.sdm_at[s]), "length": length, "sp": g.sdm_sp[s],
                              "path": _names(g, path)})  # fmt: skip
    if now.source is not None:
        across = g.reads("river_source") == "source_too"
        path = land_path(g, side, g.place[u], all_sources(g, u), found["range"], across=across)
        found["source"] = {"length": now.source, "path": _names(g, path)}
    if now.road != NO_UNIT:
        found["on_road_of"] = g.id(now.road)
    if g.supplier[u] != NO_UNIT:
        s = g.supplier[u]
        found["supplied_by"] = {"sdm": g.id(s), "sp": g.sdm_sp[s], "displaced": bool(g.sdm_flags[s] & DISPLACED)}
    if g.status[u] & STEMMERMANN:
        found["Stemmermann"] = True
    return found


def _names(g: Board, path: tuple[Hex, ...]) -> list[str]:
    return [g.hex_name(h) for h in path]


def _sdm(g: Board, s: Unit) -> dict[str, Any]:
    """13.2, 14.2 Where an SDM lies, its source and road, its points now and those it would receive there."""
    counter = g.forces.counters[s]
    found: dict[str, Any] = {"sp": g.sdm_sp[s], "capacity": counter.capacity,
                             "increment": counter.increments[g.condition], "rule": "13.2"}  # fmt: skip
    h = g.sdm_at[s]
    if h == NOWHERE:
        return {**found, "at": None, "supplies": False}
    found |= {"at": g.hex_name(h), "supplies": is_supplying(g, s)}
    return {**found, **_traced(g, s, h), "receives": reception(g, s).as_json(),
            "road": hex_names(g, road_between(g, s))}  # fmt: skip


def _traced(g: Board, s: Unit, h: Hex) -> dict[str, Any]:
    way = traced(g, s, h)
    if way is None:
        return {"traces": False}
    starts = next(found for flag, found in reaches(g, s) if flag == way.flag)
    path = road_path(g, g.forces.side[s], h, starts)
    source = g.hex_name(path[-1] if path else h)
    more = {"draws_on": DRAWS_ON[way.flag]} if way.flag else {}
    return {"traces": True, "source": source, "length": way.length, "increments": increments(g, s, way.length),
            "path": _names(g, path), **more}  # fmt: skip


def _placed(g: Board, s: Unit, h: Hex) -> dict[str, Any]:
    """13.2.1, 14.2 Whether an SDM may be placed in a hex, and the points it would have."""
    why = why_not_place(g, g.forces.side[s], s, h)
    found = {"hex": g.hex_name(h), **judged(why)}
    if why is None:
        way = traced(g, s, h)
        assert way is not None
        found |= {**_traced(g, s, h), "sp": min(points_at(g, s, way.length), way.points)}
    return found
