"""12.14 No Retreat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Out, Procedure, Return, auto
from kessel.games.korsun44.board import DISORDER, MINES, OOS2, SOVIET, Board
from kessel.games.korsun44.combat.battle import Battle, in_hex
from kessel.games.korsun44.combat.losses import Loss
from kessel.games.korsun44.combat.shifts import faces_armor_only
from kessel.games.korsun44.combat.terrain import hex_rows, side_rows
from kessel.games.korsun44.data.forces import ALARM
from kessel.games.korsun44.units.strength import infantry_steps, is_attack_capable, strength


def is_fit(g: Board, u: Unit) -> bool:
    """12.14.1, 12.17.2, 13.5.2 Attack-capable infantry type steps that are neither disordered nor OOS2."""
    return infantry_steps(g, u) > 0 and not g.status[u] & (DISORDER | OOS2)


def stands_here(g: Board, b: Battle, h: Hex) -> bool:
    """12.14.1 Terrain in which No Retreat may be declared."""
    if any(row.no_retreat == "yes" for _, row in hex_rows(g, h, b.enemy)):
        return True
    if b.enemy == SOVIET and g.works[h] & MINES:
        return True
    return all(any(r.no_retreat == "if_all" for _, r in side_rows(g, b.side, g.place[u], h)) for u in b.attackers)


def why_not_stand(g: Board, b: Battle, h: Hex, declared: Sequence[Hex]) -> Refusal | None:
    """12.14.1 Why No Retreat may not be declared for a hex."""
    if h not in b.targets:
        return Refusal("12.14.1", f"{g.hex_name(h)} is not attacked")
    if h in declared:
        return Refusal("12.14.1", "it is declared already")
    infantry = [u for u in in_hex(g, b.defenders, h) if infantry_steps(g, u)]
    if g.reads("star_alone") == "everything" and faces_armor_only(g, b):
        infantry = [u for u in infantry if not g.forces.star[u]]
    if not infantry:
        return Refusal("12.14.1", "no attack-capable infantry step defends there")
    fit = [u for u in infantry if is_fit(g, u)]
    if not fit or (len(fit) < len(infantry) and g.reads("nr_mixed") == "all_fit"):
        return Refusal("12.17.2", "Disorganized infantry and infantry in Regroup or OOS2 cannot declare No Retreat")
    if not stands_here(g, b, h):
        return Refusal("12.14.1", "the terrain gives no reason to stand: only woods, villages, towns, forests, "
                       "improved positions, minefields, or rivers and streams that all attackers cross")  # fmt: skip
    return None


def infantry_in(g: Board, units: Sequence[Unit], h: Hex) -> list[Unit]:
    """12.14.3 Infantry type units left in a hex; a star brigade has an infantry step (12.14.1)."""
    there = (u for u in in_hex(g, units, h) if g.forces.role[u] != ALARM)
    return [u for u in there if g.forces.infantry_type[u] or infantry_steps(g, u)]


def largest(g: Board, units: Sequence[Unit]) -> tuple[Unit, ...]:
    best = max((strength(g, u) for u in units), default=0)
    return tuple(u for u in units if strength(g, u) == best)


@dataclass(slots=True)
class NoRetreat(Procedure):
    """12.14.2 The defender loses a step instead of retreating, and may cost the attacker one.

    Hands over whether the defenders stay.
    """

    enemy: int
    side: int
    stood: int
    defenders: tuple[int, ...]
    attackers: tuple[int, ...]

    @auto("12.14.2")
    def defender(self, g: Board) -> Out:
        g.tell(f"the defenders of {g.hex_name(self.stood)} stand", "12.14.2", place=g.hex_name(self.stood))
        return Loss(self.enemy, largest(g, infantry_in(g, self.defenders, self.stood)), "12.14.2")

    @auto("12.14.2")
    def roll(self, g: Board) -> Out:
        """12.14.3, switch nr_last: where the last infantry is gone the rest retreats, or stays."""
        units = [u for u in self.defenders if g.place[u] == self.stood]
        if not infantry_in(g, units, self.stood):
            return Return(g.reads("nr_last") == "rest_stays")
        steps = sum(infantry_steps(g, u) for u in units)
        die = g.die()
        g.tell(f"die {die} against {steps} infantry steps", "12.14.2", die=die)
        left = [u for u in self.attackers if g.on_map(u) and is_attack_capable(g, u)]
        if die > steps or not left:
            return Return(True)
        free = g.reads("extra_attacker_loss") == "free"
        return Loss(self.side, tuple(left) if free else largest(g, left), "12.14.2")

    @auto("12.14.2")
    def done(self, g: Board) -> Out:
        return Return(True)
