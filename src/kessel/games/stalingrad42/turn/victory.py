"""24.0 Victory Points and Automatic Victory, and the victory conditions of the scenarios (S1.3, S2.5, S3.5, S4.4)."""

from __future__ import annotations

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Breakdown
from kessel.core.forces import Unit
from kessel.core.hexset import members
from kessel.core.title import Outcome
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, MOVED, PRESENT
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.data.scenario import Bonus
from kessel.games.stalingrad42.movement.special_units import stalingrad
from kessel.games.stalingrad42.supply.supply import baku_area, has_los, supply, unlimited_starts

AUTOMATIC, CONDITIONS, GATE, STALINGRAD = range(4)
LEVELS = ("automatic victory", "victory", "victory at the Turn 28 benchmark", "victory at Stalingrad")
RULES = ("24.2", "S1-S4", "S4.4", "S3.5")


def victory_points(g: Board) -> Breakdown:
    """24.1 The Axis' Victory Points now, with their reasons."""
    found = Breakdown("Victory Points")
    _objectives(g, found)
    _baku(g, found)
    _penalties(g, found)
    v = g.scenario.victory
    if g.elbrus and v.elbrus != "none" and not (v.elbrus == "not_on_last_turn" and g.turn == g.scenario.last_turn):
        found.add("Mt. Elbrus", g.charts.constant("elbrus_vp"), "24.3")
    for bonus in v.bonus:
        _bonus(g, bonus, found)
    return found


def counts(g: Board, h: Place) -> bool:
    """24.1.1 Whether an Axis controlled VP hex has its Line of Supply."""
    if g.reads("vp_test") == "not_isolated":
        return bool(unlimited_starts(g, AXIS) >> h & 1)
    return has_los(g, h, AXIS)


def _objectives(g: Board, found: Breakdown) -> None:
    for h, vp in sorted(g.ground.vp.items()):
        name = g.map.name.get(h, g.hex_name(h))
        if g.controller(h) == AXIS:
            if counts(g, h):
                found.add(name, vp, "24.1.1")
            else:
                found.note(f"{name} has no Line of Supply", "24.1.1")
        elif g.scenario.victory.isolated_count and not _soviet_line(g, h):
            found.add(f"{name}, isolated from all Soviet sources", vp, "S1.3")


def _soviet_line(g: Board, h: Place) -> bool:
    """Whether a Soviet Line of Supply of any length leads to a hex; most have a short one."""
    return has_los(g, h, SOVIET) or bool(unlimited_starts(g, SOVIET) >> h & 1)


def _penalties(g: Board, found: Breakdown) -> None:
    """24.1.4 Soviet units at the Axis map edge or in western Cities."""
    kind = COMBAT if g.reads("soviet_edge_units") == "combat" else PRESENT
    soviets = g.sets[kind + SOVIET]
    for p in g.ground.land_boxes:
        box = g.map.box(p)
        if box.facts.get("vp_penalty") and soviets & box.hexes:
            found.add(f"Soviet units at Entry Area {box.id}", -g.charts.constant("edge_penalty"), "24.1.4")
    west = g.map.area("west_of_start_line") & g.sets[COMBAT + SOVIET] & ~g.sets[COMBAT + AXIS]
    for what, cities in (("major_city", g.ground.major_city), ("minor_city", g.ground.minor_city)):
        for name in sorted({g.map.city.get(h) or g.map.name.get(h, g.hex_name(h)) for h in members(cities & west)}):
            found.add(f"Soviet units in {name}", -g.charts.constant(f"{what}_penalty"), "24.1.4")


# --- 24.1.2 Baku ---------------------------------------------------------------------------------------------------


def division_weight(g: Board, u: Unit) -> int:
    """24.1.2 What a unit counts, in half divisions."""
    f = g.forces
    if f.side[u] != AXIS or f.size[u] != "division" or g.is_remnant(u):
        return 0
    if f.is_german(u):
        return 2 if g.is_full_strength(u) else 1
    if g.reads("baku_halves") == "whole":
        return 0
    return 1 if g.is_full_strength(u) else 0


def is_panzer_division(g: Board, u: Unit) -> bool:
    f = g.forces
    return f.is_german(u) and f.size[u] == "division" and f.type[u] == "tank" and not g.is_remnant(u)


def has_enough_for_baku(g: Board, units: list[Unit]) -> bool:
    """Five divisions, one of them a Panzer division."""
    weight = sum(division_weight(g, u) for u in units)
    if g.reads("baku_halves") == "whole":
        weight = sum(2 for u in units if division_weight(g, u) == 2)
    return weight >= 2 * g.charts.constant("baku_divisions") and any(is_panzer_division(g, u) for u in units)


def exit_towards_baku(g: Board) -> None:
    """24.1.2 At the end of an Axis Movement Phase: five divisions that left through G in this phase."""
    area = baku_area(g)
    leave_baku(g)
    if area == NOWHERE or g.baku:
        return
    left = [u for u in g.units(area) if g.forces.side[u] == AXIS and g.status[u] & MOVED]
    if has_enough_for_baku(g, left):
        g.baku = 1
        g.tell("five Axis divisions stand before Baku", "24.1.2")


def leave_baku(g: Board) -> None:
    """24.1.2 With fewer than five divisions the VPs are lost: five must go there anew, all in one phase."""
    if g.baku and not has_enough_for_baku(g, [u for u in g.units(baku_area(g)) if g.forces.side[u] == AXIS]):
        g.baku = 0
        g.tell("fewer than five Axis divisions are left before Baku", "24.1.2")


def _baku(g: Board, found: Breakdown) -> None:
    """24.1.2 The VPs are kept while the force stays in G with a road-bound line to an Axis source."""
    if not g.baku:
        return
    area = baku_area(g)
    units = [u for u in g.units(area) if g.forces.side[u] == AXIS]
    if not has_enough_for_baku(g, units):
        found.note("fewer than five divisions are left in Entry Area G", "24.1.2")
    elif not supply(g, AXIS).heads & g.map.box(area).hexes:
        found.note("Entry Area G has no road-bound Line of Supply", "24.1.2")
    else:
        found.add("Baku oil fields", g.charts.constant("baku_vp"), "24.1.2")


# --- S1.3 ----------------------------------------------------------------------------------------------------------


def _bonus(g: Board, bonus: Bonus, found: Breakdown) -> None:
    f = g.forces
    if bonus.mech_steps:
        areas = [p for p in g.ground.land_boxes if g.map.box(p).id in bonus.areas]
        reached = [p for p in areas if supply(g, AXIS).heads & g.map.box(p).hexes]
        units = [u for p in areas for u in g.units(p) if f.side[u] == AXIS and f.mech[u] and f.combat[u]]
        steps = sum(g.steps[u] for u in units)
        if steps >= bonus.mech_steps and reached:
            found.add(f"{steps} steps of Mechanized units left the map", bonus.vp, bonus.rule)
        elif steps >= bonus.mech_steps:
            found.note("the Mechanized units that left the map have no road-bound supply", "S1.3e")
        return
    area = members(g.map.area(bonus.area) & g.sets[COMBAT + AXIS])
    south = [u for h in area if g.ground.row(h) >= bonus.first_row for u in g.units(h)]
    there = sorted(u for u in south if f.is_german(u) and f.combat[u])
    if len(there) >= bonus.german_units:
        found.add(f"{g.name(there[0])} stands south of the Don", bonus.vp, bonus.rule)


# --- the end -------------------------------------------------------------------------------------------------------


def win(g: Board, side: int, how: int) -> None:
    g.result = 1 + side + 2 * how
    g.tell(f"the {('Axis', 'Soviet')[side]} player wins: {LEVELS[how]}", RULES[how])


def outcome(g: Board) -> Outcome | None:
    if not g.result:
        return None
    how, side = divmod(g.result - 1, 2)
    return Outcome(side, LEVELS[how], RULES[how], {"axis": g.vp})


def benchmark(g: Board) -> int | None:
    """24.2 The number on the Turn Record Track."""
    table = g.charts.table(g.scenario.track)
    return table.number(g.turn, "benchmark") if "benchmark" in table.columns else None


def automatic_winner(g: Board, points: int) -> int | None:
    """24.2 Who has an Automatic Victory with so many VPs on this turn: six above or below the benchmark."""
    mark, margin = benchmark(g), g.charts.constant("automatic_victory_margin")
    if mark is None or abs(points - mark) < margin:
        return None
    return AXIS if points > mark else SOVIET


def victory_phase(g: Board) -> None:
    """3.D, 24.2 Count the VPs and see whether somebody has won."""
    leave_baku(g)
    g.vp = victory_points(g).total
    v = g.scenario.victory
    automatic = v.automatic or (g.scenario.has("S1.3b") and g.reads("s1_benchmarks") == "on")
    winner = automatic_winner(g, g.vp) if automatic else None
    if winner is not None:
        win(g, winner, AUTOMATIC)
    elif v.every_turn and g.vp >= v.axis_vp:
        win(g, AXIS, CONDITIONS)
    elif g.turn >= g.scenario.last_turn:
        win(g, AXIS if g.vp >= v.axis_vp else SOVIET, CONDITIONS)


def start_of_axis_turn(g: Board) -> None:
    """S3.5 At the start of his Player Turn on Turn 34 the Axis must still hold a hex of Stalingrad."""
    v = g.scenario.victory
    if v.stalingrad_needed and g.turn == g.scenario.special.get("stalingrad_until"):
        held = stalingrad(g) & (g.control_hexes[AXIS] | g.sets[COMBAT + AXIS])
        if held.bit_count() < v.stalingrad_needed:
            win(g, SOVIET, STALINGRAD)


def end_of_axis_turn(g: Board) -> None:
    """S4.4 The Turn 28 benchmark is tested at the end of the Axis Player Turn."""
    turn, needed = g.scenario.victory.gate.turn, g.scenario.victory.gate.vp
    if turn and g.turn == turn and g.reads("gate_turn_28") == "axis_turn":
        check_gate(g, needed)


def check_gate(g: Board, needed: int) -> None:
    g.vp = victory_points(g).total
    if g.vp < needed:
        win(g, SOVIET, GATE)


def standing(g: Board, side: int) -> float:
    """The points of a side as they would count now, less the other's: only the Axis scores (24.1)."""
    points = float(victory_points(g).total)
    return points if side == AXIS else -points
