"""Tracing supply backwards from its sources with hex sets, and finding the path that is part of the answer.

A line of supply is a path from a piece to a source: first overland, limited in length, then along roads or rails.
It is computed from the sources outward for the whole board at once: `heads` are the hexes from which a road leads
home, `overland` the hexes within so many of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.hexes import Bits, Grid, Hex
from kessel.core.hexset import Sides, flood_links, spread, spread_through, union


def heads(grid: Grid, sources: Bits, roads: Sides, through: Bits) -> Bits:
    """The hexes connected to a source along roads by hexes of `through`; a source must be in `through` itself."""
    return flood_links(grid, sources & through, roads, through)


@dataclass(slots=True)
class Overland:
    """The hexes a line of supply may enter, by what the rest of the way costs: `at[k]` costs k from there on.

    A line may start in a hex that it could not enter (one in an enemy zone, say): `starts` and `path` allow for that.
    """

    grid: Grid
    at: list[Bits]
    heavy: Bits
    lone: Bits
    blocked: Sides

    def starts(self) -> Bits:
        """All hexes a line of supply can start from."""
        nearer = union(self.at[:-1])
        if self.heavy:
            nearer &= ~self.heavy
            nearer |= union(self.at[:-2]) & self.heavy
        return self.at[0] | spread_through(self.grid, nearer, self.blocked)

    def path(self, start: Hex) -> list[Hex] | None:
        """A cheapest line from that hex to the goal, first hex entered first; [] at the goal, None if there is none."""
        if self.at[0] >> start & 1:
            return []
        way: list[Hex] = []
        here, left, may_be_lone = start, len(self.at) - 1, True
        while left > 0:
            found = min(self._steps(here, may_be_lone), default=None)
            if found is None or found[0] > left:
                return None
            cost, rest, here = found
            way.append(here)
            left, may_be_lone = min(rest, cost - 1), not self.lone >> here & 1
        return way

    def _steps(self, h: Hex, may_be_lone: bool) -> list[tuple[int, int, Hex]]:
        """Ways on from h: cost of the whole rest, cost after the step, hex entered."""
        found = []
        for d, n in enumerate(self.grid.neighbours[h]):
            if n < 0 or self.blocked[(d + 3) % 6] >> n & 1 or (self.lone >> n & 1 and not may_be_lone):
                continue
            rest = next((k for k, s in enumerate(self.at) if s >> n & 1), None)
            if rest is not None:
                found.append((rest + (2 if self.heavy >> n & 1 else 1), rest, n))
        return found


def overland(
    grid: Grid, goal: Bits, limit: int, *, enter: Bits, blocked: Sides, heavy: Bits = 0, lone: Bits = 0
) -> Overland:
    """Layers around the goal. `heavy` hexes count as two; of `lone` hexes no two may be entered in a row.

    What a hex may be reached from depends only on the hex itself, so it is settled the first time it is reached.
    """
    at = [0] * (limit + 1)
    at[0] = goal & enter
    done = 0
    for k in range(limit + 1):
        here = at[k] = at[k] & ~done
        if not here:
            continue
        done |= here
        slow = here & heavy
        if here != slow and k < limit:
            at[k + 1] |= _before(grid, here ^ slow, blocked, lone) & enter
        if slow and k + 1 < limit:
            at[k + 2] |= _before(grid, slow, blocked, lone) & enter
    return Overland(grid, at, heavy, lone, blocked)


def starts(grid: Grid, goal: Bits, limit: int, *, enter: Bits, blocked: Sides) -> Bits:
    """All hexes a line of supply can start from, as `overland` finds them, however far they are."""
    seen, shut = goal & enter, union(blocked)
    for _ in range(limit - 1):
        near = spread_through(grid, seen, blocked) if seen & shut else spread(grid, seen)
        wider = seen | near & enter
        if wider == seen:
            break
        seen = wider
    return goal & enter | spread_through(grid, seen, blocked)


def connected(grid: Grid, goal: Bits, *, enter: Bits, blocked: Sides, lone: Bits = 0) -> Bits:
    """As `overland` without a limit of length: all hexes that a line of supply may enter."""
    seen = frontier = goal & enter
    while frontier:
        frontier = _before(grid, frontier, blocked, lone) & enter & ~seen
        seen |= frontier
    return seen


def _before(grid: Grid, s: Bits, blocked: Sides, lone: Bits) -> Bits:
    """The hexes from which a line may go on into s."""
    out = spread_through(grid, s & ~lone, blocked)
    return out | spread_through(grid, s & lone, blocked) & ~lone if s & lone else out
