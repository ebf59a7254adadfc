"""PA-CS.H3, RX-7.5.ret Retreats: which ways a stack can go, and what they cost it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.procedure import PASS, Action, Options, Out, Procedure, Return, ask, auto
from kessel.games.bug41.board import IMPROVED, Board
from kessel.games.bug41.movement.stacking import fits
from kessel.games.bug41.movement.zones import zone_of
from kessel.wargame.board import other


def is_costly(g: Board, side: int, h: Hex) -> bool:
    """Whether a hex costs those who retreat into it strength: an enemy zone and no friend there."""
    return bool(zone_of(g, other(side)) >> h & 1) and not g.units(h)


def retreat_paths(g: Board, units: Sequence[Unit], stood: Hex) -> list[tuple[Hex, ...]]:
    """All ways a stack can retreat: away from the attackers, one hex or two, farther where there is no room."""
    side, start, grid = g.forces.side[units[0]], g.place[units[0]], g.map.grid
    most, longest = g.numbers.retreat.most_hexes, g.numbers.retreat.most_hexes_for_room
    each = g.reads("retreat_away") == "each_hex"
    free = grid.all & ~g.hexes_of(other(side))

    def go(path: tuple[Hex, ...], at: Hex) -> Iterator[tuple[Hex, ...]]:
        has_room = bool(path) and fits(g, at, units)
        if has_room and grid.distance(stood, at) > grid.distance(stood, start):
            yield path
        if len(path) >= longest or (len(path) >= most and has_room):
            return
        for d, n in enumerate(grid.neighbours[at]):
            if n in (NO_HEX, start, *path) or not free >> n & 1 or g.ground.path_blocked[d] >> at & 1:
                continue
            if (each or len(path) >= most) and grid.distance(stood, n) <= grid.distance(stood, at):
                continue
            yield from go((*path, n), n)

    return sorted(go((), start), key=lambda path: (len(path), path))


@dataclass(slots=True)
class Retreat(Procedure):
    """RX-7.5.ret A stack that must or may retreat; hands over the hits this cancels."""

    side: int
    units: tuple[int, ...]
    stood: int
    forced: bool

    about_hexes = ("stood",)
    about_units = ("units",)

    @auto("RX-7.5.ret")
    def blocked(self, g: Board) -> Out:
        if retreat_paths(g, self.units, self.stood):
            return None
        if self.forced:
            g.tell("the defenders find no way to retreat", "RX-7.5.ret")
            for u in self.units:
                if g.reads("retreat_blocked") == "eliminated":
                    g.lose(u, g.steps[u], "RX-7.5.ret")
                else:
                    g.disrupt(u, "RX-7.5.ret")
        return Return(0)

    @ask("side", "RX-7.5.ret")
    def choose(self, g: Board) -> Generator[Options, Action, Out]:
        """Retreat, each hex cancelling a hit, or stand if you may."""
        paths = retreat_paths(g, self.units, self.stood)
        action = yield Options([("retreat", path) for path in paths], *([] if self.forced else [PASS]), says="Stand")
        if action == PASS:
            return Return(0)
        path, numbers = action[1], g.numbers.retreat
        way: tuple[Hex, ...] = ()
        for h in path:
            way = (*way, h)
            costly = is_costly(g, self.side, h)
            if costly or h == path[-1]:
                self._go(g, way, costly)
                way = ()
        return Return(min(len(path), numbers.most_hexes) * numbers.hits_per_hex)

    def _go(self, g: Board, way: tuple[Hex, ...], costly: bool) -> None:
        """Into the next hex that costs strength, or into the last one."""
        alive = [u for u in self.units if g.on_map(u)]
        for u in alive:
            g.tell_way(u, "retreats to", way, "RX-7.5.ret")
            g.set_status(u, IMPROVED, on=False)
            g.enter(u, *way)
        for u in alive if costly else ():
            g.lose(u, g.numbers.retreat.zone_loss, "RX-7.5.ret")
