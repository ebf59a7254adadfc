"""4.4 Supplying cut-off German units: transport by air, and spending the points."""

from __future__ import annotations

from array import array
from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.procedure import AGAIN, DONE, Action, Options, Out, Procedure, ask
from kessel.core.verbs import Choice
from kessel.games.don42.board import ATTACK, DISORDER, G_COMBAT, G_MOTORIZED, POSITION, Board
from kessel.games.don42.data.forces import GERMAN, NO_COMMAND
from kessel.games.don42.supply.supply import can_reach_corps, has_ground_line, has_line, is_isolated

# --- 4.4.1-4.4.2 flying points in ----------------------------------------------------------------------------------


def why_not_take(g: Board, hq: Unit) -> Refusal | None:
    """4.4 Only an HQ that cannot trace to the Don takes Supply Points: why another does not."""
    if not g.forces.hq[hq] or g.forces.side[hq] != GERMAN:
        return Refusal("4.4.2", "points are never delivered to units other than HQs")
    if not g.forces.is_command_hq(hq) and not g.plays("split_loads"):
        return Refusal("4.4.2", "points are delivered to a Corps HQ only")
    if not g.on_map(hq):
        return Refusal("4.4.2", f"{g.name(hq)} is not on the map")
    if not is_isolated(g, hq):
        return Refusal("4.4", f"{g.name(hq)} has a ground line to the Don")
    return None


def takers(g: Board) -> list[Unit]:
    """The HQs that points can be flown to; the same answer as `why_not_take` for each."""
    split = g.plays("split_loads")
    return [
        u for u in g.forces.hqs[GERMAN] if (split or g.forces.is_command_hq(u)) and g.on_map(u) and is_isolated(g, u)
    ]


def load(g: Board, plane: Unit) -> int:
    """4.4.1 Points an aircraft brings now; no more than 30 a turn (4.4)."""
    return min(g.forces.sp[plane], g.charts.constants.supply_points - g.track("flown_sp"))


STORES = ("sp", "fuel", "ammo")


def store(g: Board, kind: str) -> array[int]:
    found: array[int] = getattr(g, kind)
    return found


def deliver(g: Board, hq: Unit, points: int, kind: str = "sp") -> None:
    """4.4.2 The points are stored at the HQ and may be carried over to later turns."""
    store(g, kind)[hq] += points
    g.set_track("flown_sp", g.track("flown_sp") + points)
    words = {"sp": "Supply", "fuel": "Fuel", "ammo": "Ammo"}[kind]
    flown = f"{points} {words} Point{' is' if points == 1 else 's are'} flown to {g.name(hq)}"
    g.tell(flown, "4.4.2", unit=g.id(hq), points=points)


@dataclass(slots=True)
class SplitLoad(Procedure):
    """19.1 (option) An aircraft may divide its load between HQs of one Corps."""

    side: Side
    left: int
    kind: str = "sp"
    corps: int = NO_COMMAND

    @ask("side", "19.1")
    def drop(self, g: Board) -> Generator[Options, Action, Out]:
        """Drop part of the load at an HQ."""
        hqs = [u for u in takers(g) if self.corps in (NO_COMMAND, g.command[u])] if self.left else []
        _, hq, points = yield Options(("drop", u, n) for u in hqs for n in range(1, self.left + 1))
        deliver(g, hq, points, self.kind)
        self.corps = g.command[hq]
        self.left -= points
        return AGAIN


# --- 4.4.3 spending them -------------------------------------------------------------------------------------------


def purse(g: Board) -> str:
    """The kind of point this phase costs: with 19.1 Fuel for moves and Ammo for attacks and positions."""
    if not g.plays("fuel_and_ammo"):
        return "sp"
    return "ammo" if g.phase in (G_COMBAT, 3) else "fuel"


def payer(g: Board, u: Unit) -> Unit | None:
    """The HQ that can give an isolated unit a point: its Corps HQ, or its Division HQ where that holds some (19.1)."""
    if g.command[u] == NO_COMMAND:
        return None
    hq = giver(g, u, holders(g))
    return hq if hq is not None and is_isolated(g, u) else None


def holders(g: Board) -> tuple[Unit, ...]:
    """The HQs with points of the kind this phase costs."""
    points = store(g, purse(g))
    return tuple([hq for hq in g.forces.hqs[GERMAN] if points[hq]])


def giver(g: Board, u: Unit, holding: tuple[Unit, ...]) -> Unit | None:
    """The HQ with a point that a cut-off unit's line reaches (or its Corps HQ wherever it is, switch sp_chain)."""
    corps_hq, division_hq = g.forces.command_hq[g.command[u]], g.forces.division_hq[u]
    if corps_hq in holding and g.on_map(corps_hq) and (g.reads("sp_chain") == "corps" or can_reach_corps(g, u)):
        return corps_hq
    if division_hq in holding and g.on_map(division_hq):
        limit = g.charts.constants.german_trace
        if has_line(g, u, division_hq, limit):
            return division_hq
    return None


def pay(g: Board, u: Unit, what: str) -> None:
    """4.4.3 Expend one point for a unit."""
    hq = payer(g, u)
    assert hq is not None
    store(g, purse(g))[hq] -= 1
    g.touched()
    g.tell(f"{g.name(hq)} expends a point: {g.name(u)} {what}", "4.4.3", unit=g.id(u))


def can_use_point(g: Board, u: Unit) -> bool:
    """Whether Attack Supply changes anything for the unit in this phase."""
    forces = g.forces
    if g.status[u] & DISORDER and g.phase == G_COMBAT:
        return False
    if g.phase == G_COMBAT:
        return g.attack_value(u) > 0
    if g.phase == G_MOTORIZED:
        return bool(forces.motorized[u])
    return bool(forces.oos_half[u])


def buyers(g: Board) -> list[Unit]:
    """Cut-off units that a point can be given to."""
    holding = holders(g)
    if not holding:
        return []
    given, supply = _givers(g, holding), g.supply
    return [u for u in given if supply[u] != ATTACK and can_use_point(g, u) and is_isolated(g, u)]


@fact(POSITION)
def _givers(g: Board, holding: tuple[Unit, ...]) -> list[Unit]:
    """The units of Corps without a ground line that can have a point of one of these HQs."""
    alone = [c for c in range(len(g.charts.german_corps)) if not has_ground_line(g, c)]
    return [u for u in g.units_on_map(GERMAN) if g.command[u] in alone and giver(g, u, holding) is not None]


@dataclass(slots=True)
class SpendPoints(Procedure):
    """4.4.3 At the beginning of a phase: one point puts one cut-off unit in Attack Supply for the phase."""

    side: Side = GERMAN

    supply_unit = Choice("side", "4.4.3", "Give a Supply Point to a cut-off unit, or give no more.", passing=DONE)

    def why_not_supply(self, g: Board, u: Unit) -> Refusal | None:
        if g.forces.side[u] != GERMAN or not g.on_map(u):
            return Refusal("4.4", "only German units on the map are supplied by air")
        if not is_isolated(g, u):
            return Refusal("4.4", f"{g.name(u)} is not cut off")
        if g.supply[u] == ATTACK:
            return Refusal("4.4.3", f"{g.name(u)} is in Attack Supply already")
        if payer(g, u) is None:
            return Refusal(
                "4.4.3", f"no HQ within {g.charts.constants.german_trace} MPs of {g.name(u)} has a point to give"
            )
        if can_use_point(g, u):
            return None
        return Refusal("5.0", f"a point would change nothing for {g.name(u)} in this phase")

    @supply_unit.verb("supply", legal=lambda p, g: buyers(g), why_not=why_not_supply)
    def spend(self, g: Board, u: Unit) -> Out:
        pay(g, u, "is in Attack Supply for this phase")
        g.supply[u] = ATTACK
        return AGAIN
