"""20.4, 20.6, 31.0 Units that wait until they are released; 24.3 and 30.0, which Axis moves bring about.

Distances are plain hex distances over any terrain, looked at whenever an Axis Combat Unit enters a hex (reading A61).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kessel.core.facts import FOREVER, GAME, fact
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, within
from kessel.games.stalingrad42.board import WATCH, Board
from kessel.games.stalingrad42.columns import FROZEN, PHASES
from kessel.games.stalingrad42.data.scenario import Frozen


def waiting(g: Board, group: Frozen) -> list[Unit]:
    """The units of a group that are still frozen."""
    units = (g.forces.find(name) for name in group.units)
    return [u for u in units if u != NO_UNIT and g.status[u] & FROZEN]


def release(g: Board, units: Sequence[Unit], rule: str) -> None:
    for u in units:
        g.set_status(u, FROZEN, False)
        g.tell(f"{g.name(u)} is released", rule, unit=g.id(u))


def release_by_turn(g: Board) -> None:
    """31.0, S1.2 Groups released on a turn."""
    for group in g.scenario.frozen:
        if any(r["kind"] == "turn" and g.turn >= r["turn"] for r in group.release):
            release(g, waiting(g, group), group.rule)


def owner_releases(g: Board) -> list[str]:
    """31.0 The groups the Soviet player may release on this turn, one a turn."""
    if g.reserve_released >= g.turn:
        return []
    return [group.id for group, first in _owner_groups(g) if g.turn >= first and waiting(g, group)]


@fact(GAME)
def _owner_groups(g: Board) -> list[tuple[Frozen, int]]:
    return [(x, r["from_turn"]) for x in g.scenario.frozen for r in x.release if r["kind"] == "owner"]


def release_by_owner(g: Board, name: str) -> None:
    group = next(x for x in g.scenario.frozen if x.id == name)
    release(g, waiting(g, group), group.rule)
    g.reserve_released = g.turn


# --- what an Axis unit sets off ------------------------------------------------------------------------------------


def stalingrad(g: Board) -> Bits:
    """The City hexes of Stalingrad."""
    return bits(h for h, city in g.map.city.items() if city == "Stalingrad")


def beyond_don(g: Board) -> Bits:
    """20.6 The far bank of the Don between the Sea of Azov and Kalach."""
    return g.map.area("beyond_don") or g.map.area("south_of_rostov")


def _trigger(g: Board, rule: Mapping[str, Any], units: Sequence[Unit]) -> Bits:
    """The hexes in which an Axis Combat Unit sets off a release."""
    grid = g.map.grid
    match rule["kind"]:
        case "axis_within":
            return within(grid, bits(g.place[u] for u in units if g.on_map(u)), rule["distance"])
        case "axis_near":
            h = grid.find(rule["hex"])
            return within(grid, 1 << h, rule["distance"]) if h != NO_HEX else 0
        case "stalingrad_within":
            return within(grid, stalingrad(g), rule["distance"])
        case "don_crossed":
            return beyond_don(g)
    return 0


@fact(WATCH)
def watch(g: Board) -> Bits:
    """All hexes in which an entering Axis unit may set something off."""
    found = 0
    for group in g.scenario.frozen:
        units = waiting(g, group)
        for rule in group.release if units else ():
            found |= _trigger(g, rule, units)
    if g.scenario.has("30.0") and not g.trans_caucasus:
        found |= caucasus(g)
    if not g.elbrus and (h := elbrus(g)) != NO_HEX:
        found |= 1 << h
    return found


def axis_entered(g: Board, units: Sequence[Unit], h: Hex) -> None:
    """An Axis unit has entered or passed a hex of `watch`."""
    if any(g.forces.combat[u] for u in units):
        counts = g.reads("frozen_trigger") == "any_phase" or PHASES[g.phase] == "movement"
        for group in g.scenario.frozen if counts else ():
            for rule in group.release:
                _release_near(g, group, rule, h)
        if g.scenario.has("30.0") and not g.trans_caucasus and caucasus(g) >> h & 1:
            g.trans_caucasus = g.turn
            g.tell("Trans-Caucasus Front units begin to arrive", "30.0")
    if h == elbrus(g) and not g.elbrus and any(g.forces.mountain[u] for u in units):
        g.elbrus = 1
        g.tell("an Axis Mountain unit stands on Mt. Elbrus", "24.3")


def _release_near(g: Board, group: Frozen, rule: Mapping[str, Any], h: Hex) -> None:
    units = waiting(g, group)
    if rule["kind"] == "axis_within":  # each by itself (20.4)
        units = [u for u in units if g.on_map(u) and g.map.grid.distance(g.place[u], h) <= rule["distance"]]
        release(g, units, group.rule)
    elif units and _trigger(g, rule, units) >> h & 1:
        release(g, units, group.rule)


@fact(FOREVER)
def caucasus(g: Board) -> Bits:
    """30.0 Row xx40 and south of it."""
    row = g.charts.constant("trans_caucasus_row")
    return bits(h for h in g.map.grid.hexes if g.ground.row(h) >= row)


def elbrus(g: Board) -> Hex:
    return g.map.grid.find(g.charts.hex("elbrus"))
