"""One combat in progress: what its steps and everything called from them share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, Out, Procedure
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.crt import Result, tables
from kessel.games.stalingrad42.combat.strength.eligibility import why_not_mix
from kessel.games.stalingrad42.combat.strength.strengths import Attack

WhyNotJoin: TypeAlias = Callable[[Board, Unit, Hex, Side], Refusal | None]

HELD, RETREATS, DELAYED, CITY, EJECTED = "held", "retreats", "delayed", "city", "ejected"
"""What became of the retreat: cancelled, carried out, a Delay (11.6.1), a City Battle (11.6.2), or the intruders of a
Contested City thrown out (29.1.3)."""


@dataclass(slots=True)
class Battle(Procedure):
    attacker: int
    defender: int
    target: int
    units: tuple[int, ...] = ()
    breakthrough: bool = False
    excess: tuple[int, ...] = ()
    air: int = -1
    guns: tuple[int, ...] = ()
    defensive_air: int = -1
    dice: int = 1
    """Dice rolled on the CRT: one more for each Planned Offensive (26.2)."""
    column: int = 0
    automatic: bool = False
    die: int = 0
    outcome: str = ""
    declared: bool = False
    tired: tuple[int, ...] = ()
    """12.4 Defenders that had retreated into the hex before this combat."""
    doubled_by: str = ""
    """9.5.1 Why the attackers' way doubled the defenders."""

    about_hexes = ("target",)
    about_units = ("units",)

    def attack(self) -> Attack:
        return Attack(
            self.attacker,
            self.target,
            self.units,
            self.breakthrough,
            self.excess,
            self.air,
            self.guns,
            self.defensive_air,
            self.tired if self.declared else None,
            self.doubled_by if self.declared else None,
        )

    def result(self, g: Board) -> Result:
        t = tables(g.charts)
        return t.shattered if self.automatic else t.columns[self.column][self.die - 1]


def battle(g: Board) -> Battle:
    """The combat being fought: the innermost one."""
    return next(p for p in reversed(g.stack) if isinstance(p, Battle))


def take_part(prepare: Choice, rule: str, why_not_join: WhyNotJoin) -> None:
    """8.2 The verbs by which units are added to an attack while it is prepared, and taken out of it."""

    def why_not_add(p: Battle, g: Board, u: Unit) -> Refusal | None:
        if u in p.units:
            return Refusal("8.2", f"{g.name(u)} takes part already")
        return why_not_join(g, u, p.target, p.attacker) or why_not_mix(g, (*p.units, u), p.target)

    def why_not_remove(p: Battle, g: Board, u: Unit) -> Refusal | None:
        return None if u in p.units else Refusal(rule, "that unit does not take part")

    @prepare.verb("add", why_not=why_not_add)
    def add(p: Battle, g: Board, u: Unit) -> Out:
        p.units = tuple(sorted((*p.units, u)))
        return AGAIN

    @prepare.verb("remove", why_not=why_not_remove)
    def remove(p: Battle, g: Board, u: Unit) -> Out:
        p.units = tuple(v for v in p.units if v != u)
        return AGAIN
