"""12.13, 12.16 Retreat after combat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.procedure import Goto, Out, Procedure, Return, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import (
    DISORDER,
    DISORGANIZED,
    GERMAN,
    GUEST,
    HOLDING,
    LEFT,
    OUT,
    REGROUP,
    UNUSED,
    Board,
)
from kessel.games.korsun44.combat.entering import leave_vehicles, why_not_step
from kessel.games.korsun44.combat.losses import components, lose, strongest
from kessel.games.korsun44.data.charts import FOOT
from kessel.games.korsun44.data.forces import BARRAGE
from kessel.games.korsun44.engineering.bridges import bridge_holds, note_crossing
from kessel.games.korsun44.engineering.positions import overrun_position
from kessel.games.korsun44.movement.groups import group_of, is_bound
from kessel.games.korsun44.movement.zones import zoc_of, zone_of
from kessel.games.korsun44.units.extension import take_in
from kessel.games.korsun44.units.strength import is_extended, whole_of

Path = tuple[Hex, ...]

# --- 12.13.1 where to ----------------------------------------------------------------------------------------------


def _ways(g: Board, u: Unit, start: Hex, n: int) -> Iterator[Path]:
    """All ways of at most n hexes that never come back to a hex."""

    def further(path: Path) -> Iterator[Path]:
        here = path[-1] if path else start
        for h in g.map.grid.around[here]:
            if h != start and h not in path and why_not_step(g, u, here, h) is None:
                yield (*path, h)
                if len(path) + 1 < n:
                    yield from further((*path, h))

    yield from further(())


def retreat_paths(g: Board, u: Unit, start: Hex, n: int) -> list[Path]:
    """12.13.1 The ways a unit may retreat: full length if it can, as far away as can be, out of zones if possible.

    Which comes first of the last two is a switch; the clause on front line and supply is left to the player.
    """
    found = list(_ways(g, u, start, n))
    if not found:
        return []
    length = max(map(len, found))
    zones = zone_of(g, 1 - g.forces.side[u])
    other = _other_half(g, u)

    def rank(path: Path) -> tuple[int, int, int]:
        away = -g.map.grid.distance(start, path[-1])
        zoned = sum(zones >> h & 1 for h in path)
        first, second = (away, zoned) if g.reads("retreat_order") == "distance_first" else (zoned, away)
        return int(other in path), first, second

    ranked = [(rank(p), p) for p in found if len(p) == length]
    best = min(r for r, _ in ranked)
    return [p for r, p in ranked if r == best]


def _other_half(g: Board, u: Unit) -> Hex:
    """4.7.2 Where the other counter of an extended division stands: it retreats there only if it must."""
    if not is_extended(g, u):
        return NO_HEX
    whole = whole_of(g, u)
    other = g.forces.extension[whole] if u == whole else whole
    return g.place[other]


# --- what a retreat does to a unit ---------------------------------------------------------------------------------


def disorganize(g: Board, u: Unit, rule: str, why: str) -> None:
    """12.17 Nothing more happens to a unit that is Disorganized already."""
    if not g.status[u] & DISORGANIZED:
        g.set_status(u, REGROUP, on=False)
        g.set_status(u, DISORGANIZED)
        g.tell(f"{g.name(u)} is Disorganized: {why}", rule, unit=g.id(u))


def regroup(g: Board, u: Unit, rule: str, why: str) -> None:
    if not g.status[u] & DISORDER:
        g.set_status(u, REGROUP)
        g.tell(f"{g.name(u)} is in Regroup: {why}", rule, unit=g.id(u))


def retreated(g: Board, u: Unit, start: Hex, path: Path) -> None:
    """12.13.3, 12.13.4, 12.16 What the way does to a unit: zones, rivers, swamps; guns and unarmed engineers."""
    german = g.forces.side[u] == GERMAN
    zoc = zoc_of(g, 1 - g.forces.side[u])
    entered = path if g.reads("retreat_zoc") == "any_hex" else path[-1:]
    if any(zoc >> h & 1 for h in entered) and not g.status[u] & DISORDER:
        if german:
            regroup(g, u, "12.13.4", "it retreated into an enemy ZOC")
        else:
            disorganize(g, u, "12.13.4", "it retreated into an enemy ZOC")
    for a, h in zip((start, *path), path, strict=False):
        _crossed(g, u, a, h)
    if g.forces.artillery[u]:
        disorganize(g, u, "12.13.3", "artillery that retreats")
    if g.forces.engineer[u] and not g.forces.attacks[u]:
        lose(g, u, "12.13.3")


def _crossed(g: Board, u: Unit, a: Hex, h: Hex) -> None:
    """12.16.3, 12.16.5, 12.17 Rivers put units in Regroup; so do swamps, but vehicles on a swamp road disorganize."""
    d, cls = g.map.grid.direction(a, h), g.forces.move[u]
    if g.ground.river[d] >> a & 1:
        regroup(g, u, "12.16.3", "it retreated across a river")
        leave_vehicles(g, u, a, h)
    if g.ground.swamp[d] >> a & 1:
        if cls != FOOT and g.reads("swamp_retreat") == "by_class":
            disorganize(g, u, "12.16.5", "it retreated over a swamp by road")
        else:
            regroup(g, u, "12.17", "it retreated across a swamp")


def is_at_edge(g: Board, h: Hex) -> bool:
    """12.16.1 Whether a hex lies on the edge of the printed map; the line between the sheets, and the edge of a board
    that is cut out of the map, are one by a switch."""
    around = g.map.grid.neighbours[h]
    if g.reads("off_map") == "open":
        return any(n == NO_HEX or not g.playable >> n & 1 for n in around)
    return any(g.ground.sheet.values()) and NO_HEX in around


# --- the procedure -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Retreat(Procedure):
    """12.13 The units of a hex retreat, each by itself. Hands over the hexes they left behind on the way."""

    chooser: int
    owner: int
    stood: int
    """The hex they leave."""
    far: int
    units: tuple[int, ...]
    gone: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Who has retreated, and how."""
    trail: tuple[int, ...] = ()
    charged: bool = False
    """Q19 The stack has paid for not retreating."""

    @auto("17.1.2")
    def scatter(self, g: Board) -> Out:
        """A barrage unit that must retreat becomes its components, all Disorganized."""
        for u in self.units:
            if g.forces.role[u] == BARRAGE:
                parts = [v for v in components(g, u) if g.box[v] == HOLDING]
                for v in parts:
                    g.put(v, self.stood)
                    disorganize(g, v, "17.1.2", "its barrage unit must retreat")
                g.take_off(u, UNUSED)
                self.units = tuple(sorted({*self.units, *parts} - {u}))
        return None

    @auto("12.13.1")
    def stuck(self, g: Board) -> Out:
        """Units that cannot retreat lose a step a hex, or leave the map at its edge."""
        self.units = tuple(u for u in self.units if g.place[u] == self.stood)
        for u in self.units:
            if not self.paths(g, u):
                self.units = tuple(v for v in self.units if v != u)
                if not self._leave_map(g, u):
                    self._charge(g, u, self.far)
                return Goto("stuck")
        return None if self.units else Return(self.trail)

    def _charge(self, g: Board, u: Unit, hexes: int) -> None:
        if g.reads("stuck_loss") == "each_stack":
            if self.charged:
                return
            self.charged = True
            u = strongest(g, g.of_side(g.place[u], self.owner))[0]
        for _ in range(hexes):
            if g.on_map(u):
                g.tell(f"{g.name(u)} cannot retreat", "12.13.1", unit=g.id(u))
                lose(g, u, "12.13.1")

    def _leave_map(self, g: Board, u: Unit) -> bool:
        """12.16.1 At the edge a supplied unit retreats off the map and comes back; another one is lost."""
        if not is_at_edge(g, self.stood):
            return False
        if g.status[u] & OUT:
            g.eliminate(u, "12.16.1")
        else:
            g.tell(f"{g.name(u)} retreats off the map", "12.16.1", unit=g.id(u))
            g.left_at[u] = self.stood
            g.take_off(u, LEFT, g.turn + 1)
        return True

    def paths(self, g: Board, u: Unit) -> list[Path]:
        """12.13.1 The ways of a unit; one that must stay with another follows it where it can (4.5.4)."""
        found = retreat_paths(g, u, self.stood, self.far)
        partners = {*group_of(g, u), *_partners(g, u)}
        led = [p for v, p in self.gone if v in partners and p in found]
        return led or found

    def why_not(self, g: Board, u: Unit, path: Path) -> Refusal | None:
        if u not in self.units:
            return Refusal("12.13", f"{g.name(u)} does not retreat")
        if not path or not g.map.grid.adjacent(self.stood, path[0]):
            return Refusal("12.13.1", "a retreat leads from hex to hex")
        for a, h in zip((self.stood, *path), path, strict=False):
            if not g.map.grid.adjacent(a, h):
                return Refusal("12.13.1", "a retreat leads from hex to hex")
            if why := why_not_step(g, u, a, h):
                return why
        if path in self.paths(g, u):
            return None
        return Refusal("12.13.1", "a retreat goes its full length, as far away as possible and out of enemy zones")

    where = Choice("chooser", "12.13.1", "Retreat a unit.")

    @where.verb("retreat", legal=lambda p, g: [(u, w) for u in p.units for w in p.paths(g, u)], why_not=why_not)
    def go(self, g: Board, u: Unit, path: Path) -> Out:
        for a, h in zip((self.stood, *path), path, strict=False):
            if not bridge_holds(g, (u,), a, h):
                return Goto("stuck")
        g.tell_way(u, "retreats to", path, "12.13")
        short = self.far - len(path)
        for a, h in zip((self.stood, *path), path, strict=False):
            g.put(u, h)
            note_crossing(g, self.owner, a, h)
            overrun_position(g, self.owner, h)
        g.set_status(u, GUEST)
        self.gone = (*self.gone, (u, path))
        self.trail = (*self.trail, *path[:-1])
        self.units = tuple(v for v in self.units if v != u)
        retreated(g, u, self.stood, path)
        _recombine(g, u)
        if short and g.on_map(u):
            self._charge(g, u, short)
        return Goto("stuck") if self.units else Return(self.trail)


def _partners(g: Board, u: Unit) -> Sequence[Unit]:
    """4.5.4 Units that must stay with this one, or it with them, wherever they are now."""
    if not is_bound(g, u):
        return ()
    partner = g.forces.stays_with[u]
    return [*([partner] if partner != NO_UNIT else []), *(v for v, w in enumerate(g.forces.stays_with) if w == u)]


def _recombine(g: Board, u: Unit) -> None:
    """4.7 A half of an extended division that retreats into the other makes the division whole."""
    if not g.on_map(u) or not is_extended(g, u):
        return
    whole = whole_of(g, u)
    if g.place[whole] == g.place[g.forces.extension[whole]]:
        take_in(g, whole, "4.7")


def draw_together(g: Board, u: Unit) -> tuple[Hex, ...]:
    """4.7.2 A breakthrough makes an extended division whole in the hex of the half that was attacked.

    Gives the hex the other half left, whose other units retreat too.
    """
    if not is_extended(g, u):
        return ()
    whole, here, left = whole_of(g, u), g.place[u], _other_half(g, u)
    if g.place[whole] != here:
        g.put(whole, here)
    take_in(g, whole, "4.7.2")
    return (left,)
