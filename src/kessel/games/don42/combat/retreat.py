"""13.3-13.5 Retreats, displacements and routs.

`retreat_paths` says which ways are open; `Withdraw` lets the owner take one, hex by hex consequences included;
`Settle` sorts out a retreat that ends over the stacking limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Direction, Hex
from kessel.core.procedure import AGAIN, DONE, Action, Call, Goto, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.don42.board import DPT, DRG, GUEST, RTD, STATUS_WORDS, Board
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.stacking import why_not_fit, why_not_together
from kessel.games.don42.movement.zones import enemy_zone
from kessel.games.don42.supply.headquarters import eliminate, lose_step

Path = tuple[Hex, ...]

WORDS = {flag: word for word, flag in STATUS_WORDS.items()}


def why_not_step(g: Board, side: Side, h: Hex, d: Direction) -> Refusal | None:
    """Why no retreat, displacement or advance goes from h in that direction; None if one may."""
    n = g.map.grid.neighbours[h][d]
    if n == NO_HEX:
        return Refusal("2.1", "the map ends there")
    if g.ground.volga[d] >> h & 1:
        return Refusal("10.1.2", "no unit ever crosses the Volga")
    if side == SOVIET and g.scenario.says("soviets_cross_don") is False and g.ground.don[d] >> h & 1:
        return Refusal("17.2.3", "the Soviets may not cross the Don in this scenario")
    if g.enemies_in(n, side):
        return Refusal("13.3", "an enemy unit is there")
    return None


def ways_on(g: Board, side: Side, h: Hex) -> Iterator[Hex]:
    for d, n in enumerate(g.map.grid.neighbours[h]):
        if n != NO_HEX and why_not_step(g, side, h, d) is None:
            yield n


# --- 13.3 where a retreat may go -----------------------------------------------------------------------------------


def retreat_paths(
    g: Board, side: Side, start: Hex, length: int, threats: Sequence[Hex], came: Sequence[Hex] = ()
) -> list[Path]:
    """The ways of a retreat: full length if any has it, straight away from the enemy, avoiding EZOC as far as possible.

    With the switch away_first the order of the last two is turned round. Where no way of that length leads away it is a
    shorter one, or another (switch no_hex_away). `came`: the hexes it has come through, which
    it never goes back to.
    """
    return _retreat_paths(g, side, start, length, tuple(threats), tuple(came))


@fact(NOW)
def _retreat_paths(
    g: Board, side: Side, start: Hex, length: int, threats: tuple[Hex, ...], came: tuple[Hex, ...]
) -> list[Path]:
    found: list[tuple[tuple[int, ...], Path]] = []
    before = g.reads("away_first") == "before_zones"
    each = before and g.reads("away") == "each_hex"
    for n in range(length, 0, -1):
        for path in _ways(g, side, start, n, threats if each else None, came):
            off = 0 if each else _strayed(g, start, path, threats)
            if before and off:
                continue
            found.append(((*_zones_entered(g, side, path), off), path))
        if found:
            break
        if n == length and before and g.reads("no_hex_away") == "any_way":
            for path in _ways(g, side, start, n, None, came):
                found.append(((_strayed(g, start, path, threats), *_zones_entered(g, side, path)), path))
            if found:
                break
    best = min((rank for rank, _ in found), default=())
    return [path for rank, path in found if rank == best]


def _ways(
    g: Board, side: Side, start: Hex, length: int, threats: Sequence[Hex] | None, came: Sequence[Hex]
) -> Iterator[Path]:
    """All ways of that many hexes that never come back to a hex; with threats, each hex further from them."""
    todo: list[Path] = [()]
    while todo:
        path = todo.pop()
        if len(path) == length:
            yield path
            continue
        here = path[-1] if path else start
        for n in ways_on(g, side, here):
            if n != start and n not in path and n not in came and (threats is None or _is_further(g, here, n, threats)):
                todo.append((*path, n))


def _strayed(g: Board, start: Hex, path: Path, threats: Sequence[Hex]) -> int:
    """How many hexes of the path do not lead away from the enemy."""
    grid, reading = g.map.grid, g.reads("away")
    if reading == "straight":
        first = grid.direction(start, path[0])
        here, off = start, 0
        for h in path:
            off += grid.direction(here, h) != first
            here = h
        return off + (not _is_further(g, start, path[0], threats))
    if reading == "from_start":
        return sum(grid.distance(start, h) <= i for i, h in enumerate(path))
    here, off = start, 0
    for h in path:
        off += not _is_further(g, here, h, threats)
        here = h
    return off


def _is_further(g: Board, here: Hex, there: Hex, threats: Sequence[Hex]) -> bool:
    """Whether there is further from the nearest attacker than here."""
    if not threats:
        return True
    distance = g.map.grid.distance
    return min(distance(there, t) for t in threats) > min(distance(here, t) for t in threats)


def _zones_entered(g: Board, side: Side, path: Path) -> tuple[int, int]:
    """EZOC hexes without a friend, and those with one (unless they are as good as any, switch held_zone)."""
    zone, friends = enemy_zone(g, side), g.hexes_of(side)
    bare = sum(zone >> h & ~(friends >> h) & 1 for h in path)
    held = sum(zone >> h & friends >> h & 1 for h in path) if g.reads("held_zone") == "avoided" else 0
    return bare, held


def nearest_enemies(g: Board, side: Side, h: Hex) -> tuple[Hex, ...]:
    """The enemy units a bombarded unit flees from: the nearest ones."""
    grid = g.map.grid
    hexes = {g.place[u] for u in g.units_on_map(1 - side)}
    if not hexes:
        return ()
    least = min(grid.distance(h, x) for x in hexes)
    return tuple(sorted(x for x in hexes if grid.distance(h, x) == least))


# --- 13.3.2 what a retreat costs -----------------------------------------------------------------------------------


def worsen(g: Board, u: Unit, status: int, rule: str) -> None:
    """Give a unit the worse of its status and this one (or one step further, switch on_status)."""
    now = g.disorder(u)
    if g.reads("on_status") == "escalates":
        status = escalated(now, status)
    if status > now:
        g.set_disorder(u, status)
        g.tell(f"{g.name(u)} becomes {WORDS[status]}", rule, unit=g.id(u), status=WORDS[status])


def escalated(now: int, result: int) -> int:
    """7.3.2 A second DRG makes DPT, a second DPT makes RTD; otherwise the worse of both."""
    if now == DRG and result == DRG:
        return DPT
    if now == DPT and result == DPT:
        return RTD
    return max(now, result)


def zone_status(g: Board, entered: int) -> str:
    """13.3.2 What the table makes of a German who entered that many EZOC hexes without a German in them."""
    table = g.charts.zone_retreat
    return table.at(table.clamp_row(entered), "status") if entered else ""


def _leg(g: Board, side: Side, path: Path, i: int) -> int:
    """How far a retreat goes on before something may befall it: Soviets in the next EZOC hex."""
    zone = enemy_zone(g, side) if side == SOVIET else 0
    return next((k + 1 for k in range(i, len(path)) if zone >> path[k] & 1), len(path))


def take_path(g: Board, side: Side, units: Sequence[Unit], path: Path) -> int:
    """Carry out a retreat; returns the number of EZOC hexes without a German that a German stack entered.

    3.2.5: a Soviet unit that enters an EZOC hex without a friend is eliminated; 13.3.2: with a friend there it loses a
    step (where it ends by the switch end_step).
    """
    entered = 0
    stepped = False
    told = 0
    for i, h in enumerate(path):
        in_zone = bool(enemy_zone(g, side) >> h & 1)
        if i >= told:
            told = _leg(g, side, path, i)
            for u in units:
                if g.is_alive(u):
                    g.tell_way(u, "retreats to", path[i:told], "13.3")
        friend = g.occupied(h)
        for u in units:
            if g.is_alive(u):
                g.move(u, h)
        g.control_hex(h, side)
        if not in_zone:
            continue
        if side == GERMAN:
            entered += not friend
        elif not friend:
            for u in units:
                eliminate(g, u, "3.2.5", f"it retreated into a zone of control at {g.hex_name(h)}")
            return entered
        elif h == path[-1] and g.reads("end_step") == "free":
            pass
        elif not (stepped and g.reads("soviet_step") == "once"):
            stepped = True
            for u in units:
                if g.is_alive(u):
                    lose_step(g, u, "13.3.2", f"it retreated through a zone of control at {g.hex_name(h)}")
        if not any(g.is_alive(u) for u in units):
            return entered
    return entered


def join_stack(g: Board, retreated: Sequence[Unit]) -> None:
    """13.3.2 A stack joined by retreating units takes their status, never a better one."""
    if not retreated:
        return
    worst = max(g.disorder(u) for u in retreated)
    for u in g.units(g.place[retreated[0]]):
        if worst > g.disorder(u) and u not in retreated:
            g.set_disorder(u, worst)
            g.tell(f"{g.name(u)} becomes {WORDS[worst]} with the unit that joins it", "13.3.2", unit=g.id(u))


@dataclass(slots=True)
class Withdraw(Procedure):
    """13.3 A stack retreats so many hexes away from the threats; 13.5 routs use the same rules."""

    side: Side
    units: tuple[Unit, ...]
    length: int
    threats: tuple[Hex, ...] = ()
    entered: int = 0
    """EZOC hexes without a German entered so far (13.3.2)."""
    further: bool = False
    """The rout move that follows three such hexes."""
    stood: Hex = -1
    """Where the stack stood when it last had to go on (13.3.1)."""
    came: tuple[Hex, ...] = ()
    """The hexes it has left; a retreat never leads back."""

    about_hexes = ("stood",)
    about_units = ("units",)

    def alive(self, g: Board) -> list[Unit]:
        return [u for u in self.units if g.on_map(u)]

    retreat = Choice("side", "13.3", "Choose the way of the retreat.")

    def paths(self, g: Board) -> list[Path]:
        alive = self.alive(g)
        if not alive:
            return []
        return retreat_paths(g, self.side, g.place[alive[0]], self.length, self.threats, self.came)

    def why_not_retreat(self, g: Board, path: Path) -> Refusal | None:
        if path in self.paths(g):
            return None
        if not path:
            return NOT_NOW
        here = start = g.place[self.alive(g)[0]]
        for h in path:
            if not g.map.grid.adjacent(here, h):
                return Refusal("13.3", f"{g.hex_name(here)} and {g.hex_name(h)} are not adjacent")
            why = why_not_step(g, self.side, here, g.map.grid.direction(here, h))
            if why is not None:
                return why
            if h in self.came:
                return Refusal("13.3", "a retreat never leads back to a hex it came from")
            here = h
        if len(path) != self.length:
            return Refusal("13.3", f"the retreat is of {self.length} hexes")
        if _strayed(g, start, path, self.threats):
            return Refusal("13.3", "the way does not lead directly away from the enemy")
        return Refusal("13.3", "another way enters fewer enemy zones of control")

    @retreat.verb("retreat", legal=paths, why_not=why_not_retreat)
    def withdraw(self, g: Board, path: Path) -> Out:
        alive = self.alive(g)
        self.came = (*self.came, g.place[alive[0]], *path[:-1])
        self.entered += take_path(g, self.side, alive, path)
        for u in alive:
            if g.is_alive(u):
                g.set_status(u, GUEST)
        return None

    @auto("13.3.1")
    def settle(self, g: Board) -> Out:
        alive = self.alive(g)
        if alive and why_not_together(g, self.side, g.units(g.place[alive[0]])):
            return Settle(self.side, tuple(alive), came=self.came)
        return None

    @auto("13.3.1")
    def go_on(self, g: Board) -> Out:
        """Without a hex free of EZOC the retreat goes on; where it cannot, the stacking limit takes the units."""
        alive = self.alive(g)
        if not alive or why_not_together(g, self.side, g.units(g.place[alive[0]])) is None:
            return None
        here = g.place[alive[0]]
        if here != self.stood and retreat_paths(g, self.side, here, 1, self.threats, self.came):
            self.stood, self.length = here, 1
            return Goto("retreat")
        for u in alive:
            eliminate(g, u, "3.1", "no hex to retreat to within the stacking limit")
        return None

    @auto("13.3.2")
    def consequences(self, g: Board) -> Out:
        """The table of EZOC hexes entered, for Germans."""
        if self.side != GERMAN or not self.entered:
            return None
        word = zone_status(g, self.entered)
        for u in self.alive(g):
            if word == "eliminated":
                eliminate(g, u, "13.3.2", f"it retreated through {self.entered} hexes in enemy zones")
            else:
                worsen(g, u, STATUS_WORDS[word], "13.3.2")
        if word == "RTD" and not self.further and self.alive(g):
            rout = g.charts.constants.rout_hexes
            return Withdraw(self.side, self.units, rout, self.threats, self.entered, further=True, came=self.came)
        return None

    @auto("13.3.2")
    def join(self, g: Board) -> Out:
        join_stack(g, self.alive(g))
        return None


# --- 13.3.1 stacking after a retreat -------------------------------------------------------------------------------


def free_of_zones(g: Board, side: Side, h: Hex) -> list[Hex]:
    """The hexes next to h that a unit may be pushed into: no enemy there and no EZOC."""
    zone: Bits = enemy_zone(g, side)
    return [n for n in ways_on(g, side, h) if not zone >> n & 1]


@dataclass(slots=True)
class Settle(Procedure):
    """13.3.1 A retreat ended over the stacking limit: the retreating units go on, or displace the friends there."""

    side: Side
    units: tuple[Unit, ...]
    passed: tuple[Hex, ...] = ()
    """Hexes already involved: a chain of displacements never comes back."""
    displaced: bool = False
    came: tuple[Hex, ...] = ()
    """The hexes the retreating units have left; they never go back."""

    about_units = ("units",)

    go_on_or_displace = Choice("side", "13.3.1", "Go on to an adjacent hex, or displace a unit that is there.")

    @go_on_or_displace.verb("continue", legal=lambda p, g: p._open(g))
    def go_on(self, g: Board, h: Hex) -> Out:
        for u in self._alive(g):
            g.tell_way(u, "goes on to", (h,), "13.3.1")
            g.move(u, h)
        g.control_hex(h, self.side)
        return DONE

    @go_on_or_displace.verb("displace", legal=lambda p, g: p._displacements(g))
    def displace(self, g: Board, unit: Unit, to: Hex) -> Out:
        here = self._where(g)
        from_zone = bool(enemy_zone(g, self.side) >> here & 1)
        g.tell_way(unit, "is displaced to", (to,), "13.3.1")
        g.move(unit, to)
        g.control_hex(to, self.side)
        if self.side == SOVIET and from_zone:
            lose_step(g, unit, "13.3.2", "it was displaced through a zone of control")
        self.passed = (*self.passed, here)
        if g.is_alive(unit) and why_not_together(g, self.side, g.units(to)):
            return Call(Settle(self.side, (unit,), self.passed, displaced=True, came=self.came), again=True)
        return AGAIN

    @auto("3.1")
    def no_room(self, g: Board) -> Out:
        """A displaced unit with nowhere to go is lost; a retreating one goes on (see Withdraw)."""
        if self.displaced and self._where(g) != NO_HEX:
            for u in self._alive(g):
                eliminate(g, u, "3.1", "no hex to be displaced to within the stacking limit")
        return None

    def ways(self, g: Board) -> list[Action]:
        """What the owner may do about it."""
        return self.go_on_or_displace.list_of(self, g)

    def _alive(self, g: Board) -> list[Unit]:
        return [u for u in self.units if g.on_map(u)]

    def _where(self, g: Board) -> Hex:
        """The hex that is over its limit, or NO_HEX when all is settled."""
        alive = self._alive(g)
        if not alive:
            return NO_HEX
        h = g.place[alive[0]]
        return h if why_not_together(g, self.side, g.units(h)) else NO_HEX

    def _open(self, g: Board) -> list[Hex]:
        here, alive = self._where(g), self._alive(g)
        if here == NO_HEX:
            return []
        shut = self._shut(g) if self.displaced else self.came
        found = [h for h in free_of_zones(g, self.side, here) if h not in shut and self._has_room(g, h, alive)]
        if g.reads("onward") == "further":
            threats = nearest_enemies(g, self.side, here)
            found = [h for h in found if _is_further(g, here, h, threats)]
        return found

    def _has_room(self, g: Board, h: Hex, units: Sequence[Unit]) -> bool:
        """13.3.1 An open hex: with room for the units, or without any friend (switch open_hex)."""
        if g.reads("open_hex") == "empty" and g.occupied(h):
            return False
        return why_not_fit(g, self.side, h, units) is None

    def _shut(self, g: Board) -> tuple[Hex, ...]:
        """The hexes a displaced unit may not be put in: those the retreat came from, by the switch displaced_back."""
        return self.came if g.reads("displaced_back") == "never" else ()

    def _displacements(self, g: Board) -> list[tuple[Unit, Hex]]:
        """Friends in the hex and where they can be put: where they fit, else in a chain (3.2.5)."""
        here, alive = self._where(g), self._alive(g)
        if here == NO_HEX:
            return []
        friends = [u for u in g.units(here) if u not in alive]
        room = [h for h in free_of_zones(g, self.side, here) if h not in self._shut(g)]
        direct = [(u, h) for u in friends for h in room if self._has_room(g, h, [u])]
        return direct or [(u, h) for u in friends for h in room if h not in self.passed]
