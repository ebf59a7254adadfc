"""15.3 Soviet minefields."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Out, Procedure, Return, auto
from kessel.games.korsun44.board import (
    BUILT,
    DISORDER,
    FACING,
    GERMAN,
    MINES,
    MINES_BUILDING,
    OUT,
    SOVIET,
    Board,
)
from kessel.games.korsun44.data.forces import BARRAGE
from kessel.games.korsun44.engineering.bridges import engineers
from kessel.games.korsun44.supply.stage import paying_sdm

# --- 15.3.2 crossing one -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class MineCheck(Procedure):
    """15.3.2 Germans have moved over a minefield hexside: armor and engineers may lose a step. Hands over whether they
    must halt: infantry and engineers must."""

    units: tuple[int, ...]
    field: int

    @auto("15.3.2")
    def roll(self, g: Board) -> Out:
        halt = False
        for u in self.units:
            engineer = bool(g.forces.engineer[u])
            halt |= engineer or bool(g.forces.infantry_type[u])
            if g.forces.armor[u] or engineer:
                strike(g, u)
        if any(g.forces.engineer[u] for u in self.units):
            clear_mines(g, self.field)
        return Return(halt)


def strike(g: Board, u: Unit) -> None:
    """15.3.2 One to three costs a step."""
    die = g.die()
    hit = die <= g.charts.constants.mine_hit_up_to
    g.tell(f"{g.name(u)} crosses a minefield: {die}, {'a step lost' if hit else 'no loss'}", "15.3.2", unit=g.id(u))
    if hit:
        g.lose_step(u, "15.3.2")


def clear_mines(g: Board, h: Hex) -> None:
    """15.3.3 A minefield is eliminated for the rest of the game."""
    g.set_works(h, MINES | 7 << FACING, on=False)
    g.tell(f"the minefield in {g.hex_name(h)} is removed", "15.3.2", place=g.hex_name(h))


def mine_check(g: Board, side: Side, units: tuple[Unit, ...], a: Hex, b: Hex) -> MineCheck | None:
    """15.3.2 The die rolls for units that went from a to b, where a minefield hexside lies between."""
    if side != GERMAN or not g.map.grid.adjacent(a, b) or not g.mined(b, g.map.grid.direction(b, a)):
        return None
    return MineCheck(tuple(u for u in units if g.on_map(u)), b)


def clear_entered(g: Board) -> None:
    """15.3.2 In the German Engineering Phase fields that German infantry has entered are removed."""
    for h in g.works_of(MINES):
        if any(g.forces.infantry_type[u] for u in g.of_side(h, GERMAN)):
            clear_mines(g, h)


# --- 15.3.1 laying one ---------------------------------------------------------------------------------------------


@fact(GAME)
def layers(g: Board) -> list[Unit]:
    """All that ever lay mines."""
    return [u for u in g.forces.of_side(SOVIET) if lays_mines(g, u)]


def idle_layers(g: Board) -> list[Unit]:
    """Those of them that could work, while a minefield is left."""
    if not g.track("mines_left"):
        return []
    return [u for u in layers(g) if g.on_map(u) and not g.status[u] & (BUILT | DISORDER | OUT)]


def lifters(g: Board) -> list[Unit]:
    """15.3.3 The Soviet engineers in a minefield."""
    fields = g.works_of(MINES)
    return [u for u in engineers(g, SOVIET) if g.place[u] in fields] if fields else []


def lays_mines(g: Board, u: Unit) -> bool:
    """15.3.1 Soviet divisions and army engineers."""
    division = g.forces.counters[u].size == "division" and g.forces.role[u] != BARRAGE
    return g.forces.side[u] == SOVIET and (division or "army" in g.forces.engineer[u])


def why_not_lay_mines(g: Board, side: Side, u: Unit) -> Refusal | None:
    """15.3.1 Why a unit may not begin a minefield."""
    if side != SOVIET or not g.on_map(u) or not lays_mines(g, u):
        return Refusal("15.3.1", "Soviet divisions and army engineers lay minefields")
    h = g.place[u]
    if g.status[u] & (BUILT | DISORDER):
        return Refusal("15.3.1", f"{g.name(u)} has worked in this phase, or is in disorder")
    if not g.track("mines_left"):
        return Refusal("15.3", "no minefield is left in this scenario")
    if not g.ground.clear >> h & 1:
        return Refusal("15.3.1", f"{g.hex_name(h)} is not clear")
    if g.works[h] & (MINES | MINES_BUILDING):
        return Refusal("15.3.1", f"{g.hex_name(h)} has a minefield")
    if g.status[u] & OUT or mine_sdm(g, u) == NO_UNIT:
        return Refusal("15.3.1", f"no SDM of its army pays for {g.name(u)}")
    return None


def mine_sdm(g: Board, u: Unit) -> Unit:
    return paying_sdm(g, u, g.charts.constants.mine_points)


def lay_mines(g: Board, u: Unit) -> None:
    s = mine_sdm(g, u)
    g.set_sp(s, g.sdm_sp[s] - g.charts.constants.mine_points)
    g.set_status(u, BUILT)
    g.set_works(g.place[u], MINES_BUILDING)
    g.set_track("mines_left", g.track("mines_left") - 1)
    g.tell(f"{g.name(u)} begins a minefield in {g.hex_name(g.place[u])}", "15.3.1", unit=g.id(u))


def unfinished(g: Board) -> tuple[Hex, ...]:
    return g.works_of(MINES_BUILDING)


def is_tended(g: Board, h: Hex) -> bool:
    """15.3.1 A builder is in the hex for the second turn."""
    return any(lays_mines(g, u) for u in g.of_side(h, SOVIET))


def drop_untended(g: Board) -> None:
    """15.3.1 Fields whose builder has left are not completed; the marker can be used again."""
    for h in unfinished(g):
        if not is_tended(g, h):
            g.set_works(h, MINES_BUILDING, on=False)
            g.set_track("mines_left", g.track("mines_left") + 1)
            g.tell(f"the minefield in {g.hex_name(h)} is given up", "15.3.1", place=g.hex_name(h))


def complete_mines(g: Board, h: Hex, d: int) -> None:
    """15.3.1 The field faces the hexside in direction d and the next two."""
    g.set_works(h, MINES_BUILDING, on=False)
    g.set_works(h, MINES | d << FACING)
    ways = [g.map.grid.direction_names[(d + n) % 6] for n in range(g.charts.constants.mine_sides)]
    g.tell(f"the minefield in {g.hex_name(h)} is completed, facing {', '.join(ways)}", "15.3.1", place=g.hex_name(h))


def why_not_lift(g: Board, side: Side, u: Unit) -> Refusal | None:
    """15.3.3 A Soviet engineer in the hex lifts a minefield, which can be used again."""
    if side != SOVIET or not g.on_map(u) or not g.forces.engineer[u] or g.forces.side[u] != SOVIET:
        return Refusal("15.3.3", f"{g.name(u)} is no Soviet engineer on the map")
    if g.status[u] & DISORDER:
        return Refusal("12.17.2", f"{g.name(u)} is Disorganized or in Regroup")
    return None if g.works[g.place[u]] & MINES else Refusal("15.3.3", "it is in no minefield")


def lift(g: Board, u: Unit) -> None:
    g.set_works(g.place[u], MINES | 7 << FACING, on=False)
    g.set_track("mines_left", g.track("mines_left") + 1)
    g.tell(f"{g.name(u)} lifts the minefield in {g.hex_name(g.place[u])}", "15.3.3", unit=g.id(u))
