"""27.0 Disengagement: a way to retreat in one's own Combat Phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.procedure import DONE, Out, Procedure, auto, into
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import (
    ARRIVED,
    ATTACKED,
    AUTO_DS,
    COMBAT,
    DISENGAGED,
    DISRUPTED,
    FROZEN,
    FULL_RETREAT,
    IN_PLAY,
    REPLACED,
    RESERVE,
    STEADY,
)
from kessel.games.stalingrad42.combat.after.retreat import Retreat
from kessel.games.stalingrad42.combat.results import StepLoss, selectable
from kessel.games.stalingrad42.combat.strength.leaders import DISENGAGEMENT, Reroll, offer_reroll
from kessel.games.stalingrad42.movement.ways.crossings import next_to, passable
from kessel.games.stalingrad42.movement.ways.zones import enemy_bonds, enemy_zoc, next_to_enemies
from kessel.wargame.board import other

BUSY = ATTACKED | AUTO_DS | DISENGAGED | REPLACED | ARRIVED | RESERVE | FROZEN


def why_not_disengage(g: Board, u: Unit, side: Side) -> Refusal | None:
    """27.2.1 Why a unit may not attempt Disengagement."""
    s, h, name = g.status[u], g.place[u], g.name(u)
    if not g.plays("disengagement"):
        return Refusal("27.0", "Disengagement is not used in this game")
    if g.forces.side[u] != side or not g.map.is_hex(h) or not g.forces.combat[u]:
        return Refusal("27.2.1", f"{name} is not a Combat Unit of yours on the map")
    if s & BUSY:
        return _why_not_busy(g, u)
    if not (next_to_enemies(g, side) | g.sets[COMBAT + other(side)]) >> h & 1:
        return Refusal("27.2.1", f"{name} is not adjacent to an enemy unit")
    if s & FULL_RETREAT and not g.sets[STEADY + side] >> h & 1:
        return Refusal("27.2.1", "units in Full Retreat disengage only if stacked with others")
    if not exits(g, u) >> h & 1:
        return Refusal("27.2.1", f"there is no hex {name} could retreat to")
    return None


def _why_not_busy(g: Board, u: Unit) -> Refusal:
    s, name = g.status[u], g.name(u)
    if s & (ATTACKED | AUTO_DS):
        return Refusal("27.2.1", f"{name} has attacked in this turn")
    if s & DISENGAGED:
        return Refusal("27.2.1", f"{name} has tried already")
    if s & (REPLACED | ARRIVED):
        return Refusal("21.4" if s & REPLACED else "20.8", f"{name} may not disengage in this turn")
    if s & RESERVE:
        return Refusal("25.2.1", f"{name} is in Reserve")
    return Refusal("20.4", f"{name} may not move until it is released")


def exits(g: Board, u: Unit) -> Bits:
    """The hexes from which a unit of this class has a first hex to disengage to (27.2.3, 12.2, reading A56)."""
    f = g.forces
    side = f.side[u]
    known, key = _memo_of_exits(g), (f.mech[u], f.mountain[u], side)
    if key not in known:
        friends, bonds, p = g.sets[COMBAT + side], enemy_bonds(g, side), passable(g, u)
        free = g.ground.playable & ~g.sets[COMBAT + other(side)] & ~bonds.hexes
        free &= ~(enemy_zoc(g, side) & ~friends)
        found = g.friendly_edges[side]
        for d in range(6):
            beyond = next_to(g, friends, d)
            open_ = (p.land[d] | p.river[d] & beyond) & ~(bonds.sides[d] & ~beyond)
            found |= next_to(g, free, d) & open_
        known[key] = found
    return known[key]


@fact(NOW)
def _memo_of_exits(g: Board) -> dict[tuple[int, ...], Bits]:
    """By class of unit."""
    return {}


def able(g: Board, side: Side) -> dict[Hex, list[Unit]]:
    """The units that may try, by hex."""
    found: dict[Hex, list[Unit]] = {}
    for h, u in _able(g, side):
        found.setdefault(h, []).append(u)
    return found


def _able(g: Board, side: Side) -> Iterator[tuple[Hex, Unit]]:
    if not g.plays("disengagement"):
        return
    f, status, under = g.forces, g.status, g._under
    mine = g.sets[COMBAT + side]
    near = (next_to_enemies(g, side) | g.sets[COMBAT + other(side)]) & mine
    steady = g.sets[STEADY + side]
    ways: dict[int, Bits] = {}
    for h in members(near):
        u = g._top[h]
        while u >= 0:
            if not status[u] & BUSY and f.side[u] == side and f.combat[u]:
                kind = f.mech[u] + 2 * f.mountain[u]
                if kind not in ways:
                    ways[kind] = exits(g, u) & near
                if ways[kind] >> h & 1 and (not status[u] & FULL_RETREAT or steady >> h & 1):
                    yield h, u
            u = under[u]


@fact(NOW)
def has_able_units(g: Board, side: Side) -> bool:
    """Whether some unit may try: most often the first one looked at."""
    return next(_able(g, side), None) is not None


def tries(g: Board, side: Side) -> Iterator[tuple[Unit, ...]]:
    """27.2.1 Unit by unit, or the whole stack at once."""
    for units in able(g, side).values():
        for u in units:
            yield (u,)
        if len(units) > 1:
            yield tuple(units)


def why_not_attempts(g: Board, side: Side) -> Refusal | None:
    """Why no Disengagement may be tried now."""
    if not g.plays("disengagement"):
        return Refusal("27.0", "Disengagement is not used in this game")
    return None if has_able_units(g, side) else Refusal("27.2.1", "no unit may try to disengage now")


def not_yet(g: Board, side: Side, units: tuple[Unit, ...]) -> Refusal:
    """Units are named after a Disengagement has been announced."""
    return why_not(g, side, units) or Refusal("27.2.1", "say first that a Disengagement is tried")


def why_not(g: Board, side: Side, units: tuple[Unit, ...]) -> Refusal | None:
    """27.2.1 Why these units may not try together."""
    if not units:
        return Refusal("27.2.1", "name the units that try to disengage")
    for u in units:
        if why := why_not_disengage(g, u, side):
            return why
    if units in tries(g, side):
        return None
    return Refusal("27.2.1", "one roll is made for a unit, or for all units of a stack that may try")


def modifiers(g: Board, units: tuple[Unit, ...]) -> Breakdown:
    """27.2.2 Die roll modifiers."""
    table = g.charts.table("disengagement_modifiers")
    found = Breakdown("modifier")
    f = g.forces
    if all(f.mech[u] or f.type[u] == "cavalry" for u in units):
        found.add("all Cavalry or Mechanized", table.number("all_cavalry_or_mechanized", "drm"), "27.2.2")
    if any(g.status[u] & DISRUPTED for u in units):
        found.add("a Disrupted unit", table.number("any_disrupted", "drm"), "27.2.2")
    return found


@dataclass(slots=True)
class Disengage(Procedure):
    """27.2 One Disengagement Attempt."""

    side: int
    units: tuple[int, ...] = ()
    die: int = 0

    about_units = ("units",)

    rolled_again = into("die", Reroll)

    who = Choice("side", "27.2.1", "Choose a unit or a stack that tries to disengage.")

    @who.verb("cancel")
    def cancel(self, g: Board) -> Out:
        return DONE

    @who.verb("disengage", legal=lambda p, g: tries(g, p.side), why_not=lambda p, g, units: why_not(g, p.side, units))
    def disengage(self, g: Board, units: tuple[Unit, ...]) -> Out:
        self.units = units
        return None

    @auto("27.2.1")
    def roll(self, g: Board) -> Out:
        for u in self.units:
            g.set_status(u, DISENGAGED)
        self.die = g.die()
        return offer_reroll(g, DISENGAGEMENT, self.side, self.units)

    @auto("27.2")
    def result(self, g: Board) -> Out:
        """No, Yes, or Yes at the cost of a step before the retreat."""
        table = g.charts.table("disengagement")
        drm = modifiers(g, self.units)
        row = table.clamp_row(self.die + drm.total)
        word, lost = table.at(row, "result"), table.number(row, "steps_lost")
        names = ", ".join(map(g.name, self.units))
        g.tell(f"{names} roll {self.die}{drm.total:+d} to disengage: {word}", "27.2", lost=lost)
        if word == "no":
            return DONE
        if lost:
            return StepLoss(self.side, self.side, tuple(selectable(g, list(self.units), (), self.side)), "27.2.3")
        return None

    @auto("27.2.3")
    def retreat(self, g: Board) -> Out:
        """One or two hexes; the units become Disrupted, or go into Full Retreat if they were Disrupted."""
        left = tuple(u for u in self.units if g.pool[u] == IN_PLAY)
        if not left:
            return DONE
        return Retreat(self.side, g.place[left[0]], left, (1, 2), "disrupted", shun=True)
