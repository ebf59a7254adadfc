"""12.15, 12.16 Advance after combat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, Call, Goto, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import BREAKTHROUGH, DISORDER, Board
from kessel.games.korsun44.combat.entering import Entering, why_not_step
from kessel.games.korsun44.combat.terrain import is_bridged
from kessel.games.korsun44.data.terrain import RIVER
from kessel.games.korsun44.engineering.bridges import bridge_holds
from kessel.games.korsun44.movement.costs import crosses_river
from kessel.games.korsun44.movement.groups import group_of
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.units.extension import extend
from kessel.games.korsun44.units.strength import is_attack_capable, is_cadre, is_extended

Path = tuple[Hex, ...]


def ends_advance(g: Board, a: Hex, h: Hex) -> Refusal | None:
    """12.16 Why an advance from a into h goes no further."""
    d = g.map.grid.direction(a, h)
    for word, sides in (("stream", g.ground.stream), ("river", g.ground.river), ("swamp", g.ground.swamp)):
        if sides[d] >> a & 1:
            rule = {"stream": "12.16.2", "river": "12.16.3", "swamp": "12.16.5"}[word]
            return Refusal(rule, f"an advance across a {word} ends in the first hex")
    if g.ground.town >> h & 1:
        return Refusal("12.16.6", "an advance into a town ends there")
    if (g.ground.woods | g.ground.forest) >> h & 1:
        if g.reads("road_hex") == "any_road":
            by_road = bool((g.ground.on_road | g.ground.on_railroad) >> h & 1)
        else:
            by_road = bool(g.ground.links[d] >> a & 1)
        if not by_road:
            return Refusal("12.16.4", "an advance into woods or forest ends there, but for a road")
    return None


@dataclass(slots=True)
class Advance(Procedure):
    """12.15 Victorious units go into the hexes left to them, at most two hexes far."""

    side: int
    units: tuple[int, ...]
    """Who may still advance."""
    hexes: tuple[int, ...]
    """12.15.1 The hexes left by the enemy."""
    far: tuple[int, ...] = ()
    """Those of them from which a second hex may be entered."""
    wiped: tuple[int, ...] = ()
    """12.15.1 Those in which all defenders were eliminated: any second hex will do."""
    trail: tuple[int, ...] = ()
    """12.15 The path of retreat beyond them."""
    marked: tuple[int, ...] = ()
    """12.1.4 Units that get a Breakthrough marker when they advance."""
    going: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    entered: int = 0
    """Hexes entered by those that go."""

    def why_not(self, g: Board, u: Unit, path: Path) -> Refusal | None:
        if u not in self.units:
            return Refusal("12.15", f"{g.name(u)} cannot advance")
        if not path or path[0] not in self.hexes or not g.map.grid.adjacent(g.place[u], path[0]):
            return Refusal("12.15.1", "the first hex must be one the enemy has left")
        if g.enemies_in(path[0], self.side):
            return Refusal("12.15.1", f"the enemy is still in {g.hex_name(path[0])}")
        group = group_of(g, u)
        for v in group:
            if v not in self.units or not is_attack_capable(g, v):
                return Refusal("12.15.2", f"{g.name(v)} cannot advance")
            if why := why_not_step(g, v, g.place[v], path[0]):
                return why
        if len(path) > 1 and (why := self._why_not_second(g, group, path)):
            return why
        return why_not_stack(g, self.side, path[-1], group)

    def _why_not_second(self, g: Board, group: tuple[Unit, ...], path: Path) -> Refusal | None:
        if len(path) > 2 or path[0] not in self.far:
            return Refusal("12.15.1", "the advance goes one hex")
        start, (first, second) = g.place[group[0]], path
        if not g.map.grid.adjacent(first, second) or second == start:
            return Refusal("12.15.1", "an advance leads from hex to hex")
        if why := ends_advance(g, start, first):
            return why
        d = g.map.grid.direction(first, second)
        if crosses_river(g, first, d):
            if not is_bridged(g, first, second, RIVER):
                return Refusal("12.15.2", "the second hex may not be entered across a river without a bridge")
            if g.reads("that_river") == "crossed_side" or not _by_river(g, start):
                return Refusal("12.16.3", "only units that stood by the river when the combat began advance over it")
        for v in group:
            if g.status[v] & DISORDER and not (v in self.marked and g.reads("d_and_breakthrough") == "two_hexes"):
                return Refusal("12.17.2", f"{g.name(v)} is Disorganized or in Regroup and advances one hex")
            free = first in self.wiped or g.charts.types[g.forces.type[v]].deviates
            if not free and second not in self.trail:
                return Refusal("12.15", f"{g.name(v)} keeps to the path of retreat")
            if why := why_not_step(g, v, first, second):
                return why
        return None

    def ways(self, g: Board) -> Iterator[tuple[Unit, Path]]:
        for u in self.units:
            for h in self.hexes:
                if not g.map.grid.adjacent(g.place[u], h):
                    continue
                around = g.map.grid.around[h] if h in self.far else ()
                for path in ((h,), *((h, x) for x in around)):
                    if self.why_not(g, u, path) is None:
                        yield u, path

    pick = Choice("side", "12.15", "Advance a unit, or end the advance.", passing=Goto("done"))

    @pick.verb("advance", legal=lambda p, g: list(p.ways(g)), why_not=why_not)
    def go(self, g: Board, u: Unit, path: Path) -> Out:
        self.going, self.path, self.entered = group_of(g, u), path, 0
        for v in self.going:
            g.tell_way(v, "advances to", path, "12.15")
        self.units = tuple(v for v in self.units if v not in self.going)
        return Goto("walk")

    def why_not_extend(self, g: Board, u: Unit, h: Hex) -> Refusal | None:
        """4.7 Why a Soviet division may not extend into a hex instead of advancing."""
        marker = g.forces.extension[u]
        if marker == NO_UNIT:
            return Refusal("4.7", f"{g.name(u)} is no Soviet division that can extend")
        if is_extended(g, u) or is_cadre(g, u):
            return Refusal("4.7", f"{g.name(u)} is extended already, or a cadre")
        return self.why_not(g, u, (h,)) or why_not_stack(g, self.side, h, (marker,))

    @pick.verb(
        "extend_into",
        legal=lambda p, g: [(u, h) for u in p.units for h in p.hexes if p.why_not_extend(g, u, h) is None],
        why_not=why_not_extend,
    )
    def extend_into(self, g: Board, u: Unit, h: Hex) -> Out:
        """4.7 The marker advances, the division stays."""
        a, marker = g.place[u], extend(g, u)
        g.tell_way(marker, "advances to", (h,), "4.7")
        g.put(marker, h)
        self.units = tuple(v for v in self.units if v != u)
        return Call(Entering(self.side, (marker,), a, h), again=True)

    @auto("12.15")
    def nobody(self, g: Board) -> Out:
        return Goto("done")

    @auto("12.15")
    def walk(self, g: Board) -> Out:
        if not self.path:
            for u in self.going:
                if u in self.marked and g.on_map(u):
                    g.set_status(u, BREAKTHROUGH)
                    g.tell(f"{g.name(u)} has broken through", "12.1.4", unit=g.id(u))
            return Goto("pick")
        a, h = g.place[self.going[0]], self.path[0]
        if not bridge_holds(g, self.going, a, h):
            if not self.entered:
                self.units, self.going = tuple(sorted((*self.units, *self.going))), ()
            self.path = ()
            return AGAIN
        for u in self.going:
            g.put(u, h)
        self.path, self.entered = self.path[1:], self.entered + 1
        return Call(Entering(self.side, self.going, a, h), again=True)

    @auto("12.15")
    def done(self, g: Board) -> Out:
        return None


def _by_river(g: Board, h: Hex) -> bool:
    return any(crosses_river(g, h, d) for d in range(6))
