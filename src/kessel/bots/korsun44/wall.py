"""Closing the ring round Korsun and keeping it closed: which Soviet groups stand where for it, and who must stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kessel.bots.korsun44.attacks import Group
from kessel.bots.korsun44.ring import Ring
from kessel.bots.korsun44.situation import Situation, is_mobile
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, spread, union, within
from kessel.games.korsun44.board import SOVIET
from kessel.games.korsun44.movement.costs import STRATEGIC, TACTICAL
from kessel.games.korsun44.movement.movement import reach_of, why_not_end, why_not_strategic
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.movement.zones import has_zone, zone_around
from kessel.games.korsun44.units.strength import is_attack_capable

WORTH = 0.15
"""What a better place to stand counts against a hex more of the gap."""
SOON = 6
"""Hexes beyond what is reached now within which a gap can be closed soon."""
INNER = 4
"""Hexes round Korsun that are the enemy's."""
TRIES = 4
"""Times that another gap is looked for when nobody is left for the first."""


@dataclass(slots=True)
class Walls:
    """Who closes the ring."""

    moves: dict[Group, tuple[int, Hex]] = field(default_factory=dict)
    """How, and where to."""
    stays: set[Group] = field(default_factory=set)
    """Groups without which it would open again."""


class Builder:
    """Works out a wall on a board of its own, on which those who close it go where they are wanted."""

    def __init__(self, s: Situation, reach: dict[Group, Bits], worth: Callable[[Group, Hex], float]) -> None:
        self.s, self.g, self.worth = s, s.g, worth
        self.ring = Ring(s.g)
        self.reach = {k: v for k, v in reach.items() if any(has_zone(s.g, u) for u in k)}
        self.far: dict[Group, Bits] = {}
        self.at: dict[Hex, int] = {}
        """How many units with a zone stand in each hex."""
        for u in s.g.on_the_map(SOVIET):
            if has_zone(s.g, u):
                self.at[s.g.place[u]] = self.at.get(s.g.place[u], 0) + 1

    def build(self) -> Walls | None:
        """The wall that closes the ring in this phase; None where none does."""
        if not self.ring.matters:
            return None
        found = Walls()
        if self.ring.leaks(self.closed()):
            came = {group: self.g.place[group[0]] for group in self.reach}
            for group in self.reach:
                if all(why_not_strategic(self.g, v) is None for v in group):
                    self.far[group] = reach_of(self.g, group[0], STRATEGIC).hexes
            if not self.close(found):
                for group in found.moves:
                    self.put(group, came[group])
                return self.approach()
        self.keep(found, 0)
        return found

    # --- closing it --------------------------------------------------------------------------------------------------

    def close(self, found: Walls) -> bool:
        free, hopeless = dict(self.reach), self.ring.germans
        for _ in range(TRIES):
            there = self.there(free)
            can = (there | zone_around(self.g, there)) & ~hopeless
            gap = self.ring.gap(self.closed(), can)
            if gap is None:
                return False
            while gap:
                best = self.best(free, gap)
                if best is None:
                    break
                group, mode, h = best
                self.put(group, h)
                found.moves[group] = mode, h
                del free[group]
                gap &= ~self.closed()
            if not gap:
                return not self.ring.leaks(self.closed())
            hopeless |= gap
        return False

    def approach(self) -> Walls | None:
        """While the ring cannot be closed: those whom nobody needs in front close what they can of it, above all behind
        the armies, where a way leads round them to the edge of the map."""
        grid, ring = self.g.map.grid, self.ring
        soon = within(grid, self.there(self.reach), SOON) & ~ring.germans & ~within(grid, 1 << ring.korsun, INNER)
        gap, found = ring.gap(self.closed(), soon), Walls()
        if gap is None:
            return None
        free = {group: reach for group, reach in self.reach.items() if self.is_spare(group)}
        while gap:
            best = self.best(free, gap)
            if best is None:
                break
            group, mode, h = best
            self.put(group, h)
            found.moves[group] = mode, h
            del free[group]
            gap &= ~self.closed()
        self.keep(found, gap)
        return found

    def is_spare(self, group: Group) -> bool:
        """No enemy is near, and they are not on their way to attack."""
        return not self.s.near.get(self.g.place[group[0]]) and not self.drives(group)

    def drives(self, group: Group) -> bool:
        """Tanks, cavalry and motorized infantry on their way to the link-up."""
        g, s, u = self.g, self.s, group[0]
        return s.task(u).attack and is_mobile(g, u) and is_attack_capable(g, u)

    def there(self, free: dict[Group, Bits]) -> Bits:
        """Where anybody can go."""
        return union(reach | self.far.get(group, 0) for group, reach in free.items()) & ~self.ring.germans

    def closed(self) -> Bits:
        return self.ring.closed_by(bits(h for h, n in self.at.items() if n))

    def put(self, group: Group, h: Hex) -> None:
        for u in group:
            if has_zone(self.g, u):
                self.at[self.g.place[u]] -= 1
                self.at[h] = self.at.get(h, 0) + 1
            self.g.move(u, h)

    def best(self, free: dict[Group, Bits], gap: Bits) -> tuple[Group, int, Hex] | None:
        """Whoever closes most of a gap by going somewhere, and gives up least for it."""
        grid, near = self.g.map.grid, gap | spread(self.g.map.grid, gap)
        closes = {h: ((1 << h | zone_around(self.g, 1 << h)) & gap).bit_count() for h in members(near)}
        some: list[tuple[float, Group, int, Hex]] = []
        for group, reach in free.items():
            for mode, hexes in ((TACTICAL, reach), (STRATEGIC, self.far.get(group, 0) & ~reach)):
                here = self.g.place[group[0]]
                ends = [h for h in members(hexes & near & ~self.ring.germans) if closes[h] and h != here]
                ends.sort(key=lambda h: (-closes[h], grid.distance(h, here), h))
                some += [(closes[h] + WORTH * self.worth(group, h), group, mode, h) for h in ends[:3]]
        for _, group, mode, h in sorted(some, key=lambda x: (-x[0], x[1:])):
            if self.fits(group, h) and self.helps(group, h, gap):
                return group, mode, h
        return None

    def fits(self, group: Group, h: Hex) -> bool:
        return why_not_end(self.g, group, h) is None and why_not_stack(self.g, SOVIET, h, group) is None

    def helps(self, group: Group, h: Hex, gap: Bits) -> bool:
        """Whether leaving its hex opens nothing else."""
        here = self.g.place[group[0]]
        self.put(group, h)
        shut = self.closed()
        self.put(group, here)
        return bool(gap & shut) and not self.ring.leaks(shut | gap)

    # --- keeping it --------------------------------------------------------------------------------------------------

    def keep(self, found: Walls, gap: Bits) -> None:
        """As few as possible stay to keep closed all but a gap: those with the best use elsewhere are thought away
        first, and while there is a gap nobody stays who is to go there."""
        g = self.g
        for group in sorted(self.reach, key=self.use, reverse=True):
            if gap and self.drives(group):
                continue
            h, n = g.place[group[0]], sum(has_zone(g, u) for u in group)
            self.at[h] -= n
            if self.at[h] == 0 and self.ring.leaks(self.closed() | gap):
                self.at[h] += n
                found.stays.add(group)

    def use(self, group: Group) -> tuple[bool, float, Unit]:
        """Those that can attack, and most of all those whose goal is elsewhere."""
        g, s, u = self.g, self.s, group[0]
        far = s.field_of(u)
        away = far[g.place[u]] if far is not None and s.task(u).attack else 0
        return is_attack_capable(g, u), float(away), u
