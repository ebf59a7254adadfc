"""12.2, 12.3 Who fights: units that may attack, units that may be attacked, and the combat they make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact, nearby
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, filled
from kessel.games.korsun44.board import (
    ATTACKED,
    BREAKTHROUGH,
    DECLARED,
    DEFENDED,
    GERMAN,
    MARKS,
    NEAR,
    OUT,
    RESERVE,
    SOVIET,
    STRUCK,
    Board,
)
from kessel.games.korsun44.data.forces import PARTISANS
from kessel.games.korsun44.movement.groups import held_back
from kessel.games.korsun44.units.strength import is_attack_capable

COMBAT_SEGMENT, BREAKTHROUGH_SEGMENT, RESERVE_SEGMENT, ALARM_COMBAT = range(4)
"""12.1.3, 12.1.4, 12.1.6, 9.12 When a combat takes place; only the first knows guns, aircraft and engineers."""


class Battle(NamedTuple):
    """One combat as far as it is declared."""

    side: Side
    """The attacker."""
    segment: int
    targets: tuple[Hex, ...]
    attackers: tuple[Unit, ...]
    defenders: tuple[Unit, ...] = ()
    paid: tuple[str, ...] = ()
    """12.4 Formations supported by a Supply Point."""
    points: int = 0
    """12.10.2 OBS points of the attacker's guns."""
    gun: Unit = -1
    """12.10 The gun that fires for the defender; -1 for none."""
    gun_points: int = 0
    engineer: Unit = -1
    """12.9.1 The assault engineer declared; -1 for none."""
    cleared: bool = False
    """15.3.2 An engineer has neutralized the minefield."""
    fixed: tuple[tuple[Unit, int], ...] = ()
    """4.7.2 Strengths that were found before an earlier combat: of halves of a division that are both attacked."""

    @property
    def enemy(self) -> Side:
        return 1 - self.side


# --- 12.2 units which may attack -----------------------------------------------------------------------------------


def why_not_attack_with(g: Board, u: Unit, side: Side, segment: int, targets: Iterable[Hex]) -> Refusal | None:
    """12.2, 12.3 Why a unit may not attack these hexes in this segment."""
    if g.forces.side[u] != side or not g.on_map(u):
        return Refusal("12.3", f"{g.name(u)} is no unit of yours on the map")
    if not is_attack_capable(g, u):
        if is_partisan(g, u):
            return Refusal("18.1.3", f"{g.name(u)} attacks only on its front side")
        return Refusal("12.2", f"{g.name(u)} has a strength in parentheses and cannot attack")
    if why := _why_not_in(g, u, segment):
        return why
    if held := held_back(g, u):
        return held
    return next((why for h in targets if (why := _why_not_at(g, u, segment, h))), None)


def _why_not_in(g: Board, u: Unit, segment: int) -> Refusal | None:
    status = g.status[u]
    if segment == BREAKTHROUGH_SEGMENT:
        return None if status & BREAKTHROUGH else Refusal("12.1.4", f"{g.name(u)} has no Breakthrough marker")
    if segment == RESERVE_SEGMENT and not status & RESERVE:
        return Refusal("12.1.6", f"{g.name(u)} is not in Reserve")
    if segment == COMBAT_SEGMENT and status & RESERVE:
        return Refusal("9.6", f"{g.name(u)} is in Reserve")
    if segment != ALARM_COMBAT and status & ATTACKED:
        return Refusal("12.3.3", f"{g.name(u)} has attacked this turn")
    return None


def _why_not_at(g: Board, u: Unit, segment: int, h: Hex) -> Refusal | None:
    here = g.place[u]
    if is_shared(g, here):
        word = f"{g.name(u)} shares its hex with the enemy and may attack nobody else"
        return None if h == here else Refusal("16.5.4", word)
    if not g.map.grid.adjacent(here, h):
        return Refusal("12.3", f"{g.name(u)} is not next to {g.hex_name(h)}")
    if g.ground.lake[g.map.grid.direction(here, h)] >> here & 1:
        return Refusal("12.5.2", "nobody attacks across a lake")
    army = barrage_army(g, h)
    if army and g.forces.side[u] == SOVIET and g.forces.army[u] != army and g.reads("barrage_hex") == "marked_hex":
        return Refusal("17.1.2", f"only units of {g.formation(army)} may attack a hex under its barrage")
    if is_partisan(g, u) and any(g.status[v] & (DEFENDED | STRUCK) for v in g.of_side(h, GERMAN)):
        return Refusal("18.1.3", f"Soviet units have attacked {g.hex_name(h)} in this phase")
    return None


def is_shared(g: Board, h: Hex) -> bool:
    """16.5.3 Whether units of both sides are in a hex: a Breakout has ended there."""
    u = g._top[h]
    return u != NO_UNIT and g._under[u] != NO_UNIT and g.enemies_in(h, g.forces.side[u])


def is_partisan(g: Board, u: Unit) -> bool:
    return g.forces.role[u] == PARTISANS


def with_partisans(g: Board, b: Battle) -> bool:
    """18.1.3 Whether partisans fight: they never do together with Soviet units."""
    return any(is_partisan(g, u) for u in (*b.attackers, *b.defenders))


def barrage_army(g: Board, h: Hex) -> str:
    """17.1.2 The army whose Barrage Effects marker lies on a hex; empty for none."""
    if h not in g.barrage_at:
        return ""
    i = g.barrage_at.index(h) // g.charts.constants.barrage_markers
    return list(g.charts.game.barrage.values())[i].army


def barrage_shift(g: Board, h: Hex) -> int:
    """17.1.3 The shifts of the Barrage Effects marker on a hex; 0 for none."""
    return g.barrage_shift[g.barrage_at.index(h)] if h in g.barrage_at else 0


def stack_at(g: Board, h: Hex, side: Side, segment: int, targets: Sequence[Hex]) -> tuple[Unit, ...]:
    """12.3.1 The units of a hex that attack if any of them does."""
    return tuple(u for u in g.of_side(h, side) if why_not_attack_with(g, u, side, segment, targets) is None)


def neighbours_of(g: Board, targets: Sequence[Hex]) -> list[Hex]:
    """12.3.2 The hexes next to all of these; a hex that both sides share is attacked from within too (16.5.4)."""
    near = g.map.grid.near[targets[0]]
    for h in targets[1:]:
        near &= g.map.grid.near[h]
    found = [h for h in g.map.grid.around[targets[0]] if near >> h & 1]
    return [*targets, *found] if len(targets) == 1 and is_shared(g, targets[0]) else found


def stacks_beside(g: Board, side: Side, segment: int, targets: Sequence[Hex]) -> list[Hex]:
    """12.3.2 The hexes from which somebody may attack all of these."""
    return [h for h in neighbours_of(g, targets) if stack_at(g, h, side, segment, targets)]


def why_not_withhold(g: Board, u: Unit, attackers: Sequence[Unit]) -> Refusal | None:
    """12.3.1 Why a unit of an attacking hex must attack: only out-of-supply units may stay out (Q53)."""
    if u not in attackers:
        return Refusal("12.3.1", f"{g.name(u)} does not attack")
    if g.reads("abstain") == "oos_only" and not g.status[u] & OUT:
        return Refusal("12.3.1", f"{g.name(u)} is in supply: all units of an attacking hex attack")
    if len(attackers) == 1:
        return Refusal("12.3.1", "somebody must attack")
    return None


# --- 12.3 units which may be attacked ------------------------------------------------------------------------------


def defenders_in(g: Board, h: Hex, side: Side) -> tuple[Unit, ...]:
    """12.3.1, 12.3.3 The units of a side in a hex that were not attacked in this segment: others came in retreat."""
    return tuple([u for u in g.of_side(h, side) if not g.status[u] & DEFENDED])


@fact(MARKS)
def declared(g: Board) -> list[Hex]:
    """12.1.1 The hexes with a combat marker."""
    return [h for h in filled(g.combats) if g.combats[h] & DECLARED]


@nearby(NEAR, 1, hexes=True)
def attacked(g: Board, side: Side, h: Hex, segment: int) -> bool:
    """The hexes of a side that may be attacked in this segment."""
    near = (g.map.grid.near[h] | 1 << h) & able_in(g, 1 - side, segment)
    return bool(near) and why_not_attack(g, 1 - side, segment, h) is None


@fact(NOW)
def able_in(g: Board, side: Side, segment: int) -> Bits:
    """12.1.4, 12.1.6 The hexes with units that bear the marker a segment asks for; in others all hexes of a side."""
    marker = {BREAKTHROUGH_SEGMENT: BREAKTHROUGH, RESERVE_SEGMENT: RESERVE}.get(segment)
    if marker is None:
        return g.hexes_of(side)
    return bits(g.place[u] for u in g.flagged(marker) if g.forces.side[u] == side and g.on_map(u))


def why_not_attack(g: Board, side: Side, segment: int, h: Hex) -> Refusal | None:
    """12.3 Why a hex may not be attacked in this segment."""
    if not g.enemies_in(h, side):
        return Refusal("12.3", f"no enemy unit is in {g.hex_name(h)}")
    if not defenders_in(g, h, 1 - side):
        return Refusal("12.3.3", f"the units in {g.hex_name(h)} were attacked in this segment")
    mine = g.hexes_of(side)
    near = (u for n in neighbours_of(g, (h,)) if mine >> n & 1 for u in g.of_side(n, side))
    if all(why_not_attack_with(g, u, side, segment, (h,)) for u in near):
        return Refusal("12.3", f"no unit next to {g.hex_name(h)} may attack it")
    return None


def origins_of(g: Board, b: Battle) -> list[Hex]:
    """The hexes the attack comes from."""
    return sorted({g.place[u] for u in b.attackers})


def in_hex(g: Board, units: Iterable[Unit], h: Hex) -> list[Unit]:
    return [u for u in units if g.place[u] == h]
