"""28.1 Leaders: one die roll a turn rolled again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, fact
from kessel.core.forces import Side, Unit
from kessel.core.procedure import Out, Procedure, Return
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import FLIPPED, TRAIN
from kessel.games.stalingrad42.combat.strength.artillery import can_reach
from kessel.games.stalingrad42.data.forces import AXIS

CRT, DEFENSE, DISENGAGEMENT = "crt", "defense", "disengagement"
POWERS = {AXIS: (CRT, DEFENSE, DISENGAGEMENT), 1 - AXIS: (DEFENSE,)}
"""28.1.3 Chuikov: Determined Defenses. 28.1.4 Manstein: these, Disengagements, and CRT rolls of either side."""


@fact(GAME)
def leader_units(g: Board) -> tuple[Unit, ...]:
    return tuple(u for u in range(len(g.forces)) if g.forces.is_leader(u))


def why_not_reroll(g: Board, u: Unit, kind: str, roller: Side, units: Sequence[Unit]) -> Refusal | None:
    """Why a leader may not have a die rolled again; `units` take part in what it was rolled for."""
    side, name = g.forces.side[u], g.name(u)
    if not g.plays("leaders") or not g.forces.is_leader(u):
        return Refusal("28.1.1", f"{name} has no such ability")
    if g.place[u] == NOWHERE:
        return Refusal("28.1.1", f"{name} is not on the map")
    if g.status[u] & TRAIN:
        return Refusal("5.6.4", f"{name} is under a Train marker")
    if g.status[u] & FLIPPED:
        return Refusal("28.1.1", f"{name} has used the ability in this turn")
    if kind not in POWERS[side] or (kind != CRT and roller != side):
        return Refusal("28.1.3" if side != AXIS else "28.1.4", f"{name} may not have this die rolled again")
    if not can_reach(g, u, [v for v in units if g.forces.side[v] == side]):
        return Refusal("28.1.2", f"no unit that takes part is in range of {name}")
    return None


def rerollers(g: Board, kind: str, roller: Side, units: Sequence[Unit]) -> list[Unit]:
    return [u for u in leader_units(g) if why_not_reroll(g, u, kind, roller, units) is None]


@dataclass(slots=True)
class Reroll(Procedure):
    """28.1.1 A leader may have the die of the procedure that asks rolled again; the new roll must be taken."""

    side: int
    kind: str
    roller: int
    units: tuple[int, ...]

    about_units = ("units",)

    decide = Choice(
        "side",
        "28.1.1",
        "Let the roll stand, or have a leader's die rolled again.",
        passing=None,
        alone=True,
        says="Let the roll stand",
    )

    @decide.verb(
        "reroll",
        legal=lambda p, g: rerollers(g, p.kind, p.roller, p.units),
        why_not=lambda p, g, u: why_not_reroll(g, u, p.kind, p.roller, p.units),
    )
    def roll_again(self, g: Board, u: Unit) -> Out:
        g.set_status(u, FLIPPED)
        die = g.die()
        g.tell(f"{g.name(u)} has the die rolled again: {die}", "28.1.1", unit=g.id(u))
        return Return(die)


def offer_reroll(g: Board, kind: str, roller: Side, units: Sequence[Unit]) -> Reroll | None:
    """The question whether a leader uses his ability, if there is one who can."""
    if not g.plays("leaders") or not leader_units(g):
        return None
    found = rerollers(g, kind, roller, units)
    return Reroll(g.forces.side[found[0]], kind, roller, tuple(units)) if found else None
