"""10.4 Stacking."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.games.kharkov43.board import UNITS, Board


def can_fit(g: Board, units: int, steps: int) -> bool:
    """10.4 At most three units and six steps."""
    return units <= g.charts.constants.stack_units and steps <= g.charts.constants.stack_steps


def why_not_fit(g: Board, h: Hex, joining: Collection[Unit], leaving: Collection[Unit] = ()) -> Refusal | None:
    """Why these units could not stand in h with the units there, less those that leave it."""
    units, steps = len(joining), 0
    for u in joining:
        steps += g.steps[u]
    for u in g.units(h):
        if u not in leaving and u not in joining:
            units, steps = units + 1, steps + g.steps[u]
    if can_fit(g, units, steps):
        return None
    return Refusal(
        "10.4", f"{g.hex_name(h)} would hold {units} units with {steps} steps; it holds three units or six steps"
    )


def full_hexes(g: Board, side: Side, steps: int) -> Bits:
    """The hexes with units of that side in which another one with so many steps could not stand."""
    return _full(g, side)[steps]


@fact(UNITS)
def _full(g: Board, side: Side) -> tuple[Bits, ...]:
    return full_of(g, g.on_map_of(side))


def full_of(g: Board, standing: Iterable[Unit]) -> tuple[Bits, ...]:
    """By the steps of another unit: the hexes in which there is no room for it beside these."""
    held: dict[Hex, list[int]] = {}
    place, steps = g.place, g.steps
    for u in standing:
        held.setdefault(place[u], []).append(steps[u])
    full, most, room = [0] * 4, g.charts.constants.stack_units, g.charts.constants.stack_steps
    for h, stack in held.items():
        for k in range(4) if len(stack) >= most else range(max(room - sum(stack) + 1, 0), 4):
            full[k] |= 1 << h
    return tuple(full)


def is_overstacked(g: Board, h: Hex) -> bool:
    return not can_fit(g, len(g.units(h)), g.steps_in(h))


def overstacked(g: Board) -> list[Hex]:
    return [h for h in g.map.grid.hexes if g.occupied(h) and is_overstacked(g, h)]


def too_many(g: Board, side: Side) -> str:
    """10.4 What the side must be told while steps of it would be removed when its movement ends."""
    return " ".join(
        f"{g.hex_name(h)} is over the stacking limit (10.4: {len(g.units(h))} units with {g.steps_in(h)} steps); "
        "unless units move on, steps are removed there when movement ends."
        for h in overstacked(g)
        if g.forces.side[g.units(h)[0]] == side
    )


def explain(g: Board, h: Hex) -> Breakdown:
    """The stack step by step."""
    b = Breakdown("steps")
    for u in g.units(h):
        b.add(g.name(u), g.steps[u], "10.4")
    return b
