"""17.0 Railheads and railroad repair."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, fact
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import Sides, flood_links, members, shift
from kessel.core.procedure import AGAIN, Out, Procedure
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import ELSEWHERE, RAILS, Board
from kessel.games.stalingrad42.columns import COMBAT
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.zones import zoc
from kessel.games.stalingrad42.supply.railroads import connecting_rail, rail_hexes, rails, repaired_hexes
from kessel.games.stalingrad42.supply.supply import source_edges


def green(g: Board) -> Sides:
    """17.1 The railroads that Railheads must repair."""
    return g.map.links_with("rail", "green")


@fact(FOREVER)
def green_hexes(g: Board) -> Bits:
    found = 0
    for six in green(g):
        found |= six
    return found


@fact(FOREVER)
def needs_repair(g: Board) -> Bits:
    """17.1, S4.1 The green hexes east of the start line: only these are ever without repair."""
    found = green_hexes(g) & ~g.map.area("west_of_start_line")
    for six in g.map.links_with("rail", "start_repaired"):
        found &= ~six
    return found


def unrepaired_next(g: Board, h: Hex) -> list[Hex]:
    """The green rail hexes next along the line that are not repaired."""
    six = green(g)
    return [n for d, n in enumerate(g.map.grid.neighbours[h]) if n != NO_HEX and six[d] >> h & 1 and not g.repaired[n]]


def forward(g: Board, h: Hex) -> list[Hex]:
    """17.2.1 Where a Railhead goes on: into green hexes to be repaired, or, where there are none next to it, over
    repaired ones towards such a hex.

    That is a Railhead set up behind the start line, or pushed back over it (S4.1, 17.3.1); one pushed off the green
    line comes back along the railroad it went by.
    """
    if todo := unrepaired_next(g, h):
        return sorted(todo)
    far = distances(g)
    return sorted(n for n in onward(g, h, far) if leads_on(g, n, far)) if h in far else []


def onward(g: Board, h: Hex, far: dict[Hex, int]) -> list[Hex]:
    """The repaired hexes next along the line and farther from home."""
    six = green(g) if green_hexes(g) >> h & 1 else rails(g)
    near = g.map.grid.neighbours[h]
    return [n for d, n in enumerate(near) if n != NO_HEX and six[d] >> h & 1 and far.get(n, -1) > far[h]]


def leads_on(g: Board, h: Hex, far: dict[Hex, int]) -> bool:
    """Whether the line leads from a repaired hex on to one that is not."""
    return any(unrepaired_next(g, x) for x in line_ahead(g, h, far))


def line_ahead(g: Board, h: Hex, far: dict[Hex, int]) -> list[Hex]:
    """A repaired hex and all to which the line leads on from it."""
    found = [h]
    for x in found:
        found.extend(n for n in onward(g, x, far) if n not in found)
    return found


def repair_plain_lines(g: Board) -> None:
    """17.1 Lines without green highlight are repaired as soon as each end of them is; dead ends never."""
    plain = plain_rails(g)
    through = rail_hexes(g) & ~(green_hexes(g) & ~repaired_hexes(g))  # a green hex waits for its Railhead
    todo = flood_links(g.map.grid, repaired_hexes(g), plain, through)
    ends = repaired_hexes(g) & todo
    while True:
        leaves = 0
        for h in members(todo & ~ends):
            near = sum(
                1 for d, n in enumerate(g.map.grid.neighbours[h]) if plain[d] >> h & 1 and n != NO_HEX and todo >> n & 1
            )
            if near < 2:
                leaves |= 1 << h
        if not leaves:
            break
        todo &= ~leaves
    for h in members(todo & ~ends):
        g.set_repaired(h)


def plain_rails(g: Board) -> Sides:
    """The railroads in use that are not green."""
    return tuple(a & ~b for a, b in zip(rails(g), green(g), strict=True))


# --- 17.2 repair ---------------------------------------------------------------------------------------------------


def why_not_railhead(g: Board, h: Hex, to: Hex) -> Refusal | None:
    """Why a Railhead in h may not move on to a hex."""
    if h not in g.railheads:
        return Refusal("17.2.1", f"there is no Railhead in {g.hex_name(h)}")
    if not connecting_rail(g, AXIS) >> h & 1:
        return Refusal("17.3.2", "a Railhead that is not on a Connecting Rail Hex is stalled")
    if to not in forward(g, h):
        return Refusal("17.2.1", "Railheads move forward along green rail hexes, to where repair goes on")
    if g.sets[COMBAT + SOVIET] >> to & 1:
        return Refusal("17.2.1", f"{g.hex_name(to)} is enemy occupied")
    if zoc(g, SOVIET) >> to & 1 and not g.sets[COMBAT + AXIS] >> to & 1:
        return Refusal("17.2.1", f"{g.hex_name(to)} is vacant and in an EZOC")
    return None


@dataclass(slots=True)
class RailroadRepair(Procedure):
    """17.2 The Axis player moves up to four Railheads forward up to two hexes each."""

    side: int = AXIS
    moved: tuple[int, ...] = ()
    """Hexes moved by each Railhead in this phase; -1 for one that was placed in it."""

    def _hexes(self, g: Board) -> list[int]:
        return list(self.moved) or [0] * len(g.railheads)

    def _railhead(self, g: Board, h: Hex) -> int | None:
        """The Railhead of that hex that may still move, one that has started first."""
        moved = self._hexes(g)
        limit = g.scenario.railhead_moves or g.charts.constant("railhead_moves")
        fresh = sum(1 for n in moved if n > 0) < limit
        able = [
            (-moved[i], i)
            for i, at in enumerate(g.railheads)
            if at == h and 0 <= moved[i] < g.charts.constant("railhead_hexes") and (moved[i] or fresh)
        ]
        return min(able)[1] if able else None

    advance = Choice("side", "17.2.1", "Move a Railhead forward one hex, or end railroad repair.", passing=None)

    def _repairs(self, g: Board) -> list[tuple[Hex, Hex]]:
        able = [h for h in sorted({h for h in g.railheads if h != NOWHERE}) if self._railhead(g, h) is not None]
        return [(h, n) for h in able for n in forward(g, h) if why_not_railhead(g, h, n) is None]

    def why_not_repair(self, g: Board, here: Hex, to: Hex) -> Refusal | None:
        if why := why_not_railhead(g, here, to):
            return why
        if self._railhead(g, here) is not None:
            return None
        return Refusal("17.2.1", "up to four Railheads move up to two hexes each, new ones from the next turn on")

    @advance.verb("repair", legal=_repairs, why_not=why_not_repair)
    def repair(self, g: Board, here: Hex, to: Hex) -> Out:
        i = self._railhead(g, here)
        assert i is not None
        moved = self._hexes(g)
        g.railheads[i] = to
        g.set_repaired(to)
        moved[i] += 1
        for j in split(g, to):
            moved[j] = -1
        repair_plain_lines(g)
        self.moved = tuple(moved)
        g.tell(f"a Railhead moves to {g.hex_name(to)}", "17.2.1", place=g.hex_name(to))
        return AGAIN


def split(g: Board, h: Hex) -> list[int]:
    """17.2.2 A Railhead that reaches a split of the green line is joined by one for each further branch, unless those
    pushed back from it are on their way there."""
    found: list[int] = []
    far = distances(g)
    coming = [x for x in g.railheads if x in far and not unrepaired_next(g, x) and h in line_ahead(g, x, far)]
    here = sum(1 for x in g.railheads if x == h)
    for _ in range(max(0, len(unrepaired_next(g, h)) - here - len(coming))):
        free = next((i for i, x in enumerate(g.railheads) if x == NOWHERE), None)
        if free is None:
            break
        g.railheads[free] = h
        found.append(free)
    return found


def place_first_railhead(g: Board) -> None:
    """S2.2 In the Caucasus Campaign the first Railhead appears on the fourth turn."""
    first = g.scenario.special.get("first_railhead")
    if first and g.turn == first["turn"]:
        h = g.map.grid.hex(first["hex"])
        g.railheads[0] = h
        g.set_repaired(h)
        split(g, h)
        g.tell(f"a Railhead is placed in {first['hex']}", "S2.2", place=first["hex"])


# --- 17.3 push back ------------------------------------------------------------------------------------------------


def is_threatened(g: Board, h: Hex) -> bool:
    """17.3.1 A Soviet unit is in the hex, or has it in its ZOC and no Axis unit negates that."""
    if g.sets[COMBAT + SOVIET] >> h & 1:
        return True
    return bool(zoc(g, SOVIET) >> h & 1) and not g.sets[COMBAT + AXIS] >> h & 1


def push_back(g: Board) -> None:
    """17.3.1 In a Soviet Player Turn threatened Railheads go back along the line until they are clear."""
    for i, start in enumerate(g.railheads):
        h, been = start, [start]
        while h != NOWHERE and is_threatened(g, h):
            before = _one_back(g, h, been)
            if before is None:
                break
            been.append(before)
            others = [x for j, x in enumerate(g.railheads) if j != i and x != NOWHERE]
            if needs_repair(g) >> h & 1 and not any(h in way_home(g, x) for x in others):
                g.set_repaired(h, False)
            h = before
        if h != start:
            g.railheads[i] = h
            g.happened(ELSEWHERE)
            g.tell(f"a Railhead is pushed back to {g.hex_name(h)}", "17.3.1", place=g.hex_name(h))


def way_home(g: Board, h: Hex) -> list[Hex]:
    """The hexes behind a Railhead: what it has repaired is not lost with another Railhead (17.3)."""
    found = [h]
    while (before := _one_back(g, found[-1], found)) is not None:
        found.append(before)
    return found


def _one_back(g: Board, h: Hex, been: list[Hex]) -> Hex | None:
    """17.3.1 The hex a Railhead is pushed back to: on the shorter way home, or on the one that leads farthest west."""
    if g.reads("push_back") == "west" and (west := _westward(g, h, been)) is not None:
        return west
    return back_along(g, h)


def _westward(g: Board, h: Hex, been: list[Hex]) -> Hex | None:
    far, six, own, q = distances(g), rails(g), green(g), g.map.grid.q
    near = [
        (not own[d] >> h & 1, q[n], far[n], n)
        for d, n in enumerate(g.map.grid.neighbours[h])
        if n != NO_HEX and six[d] >> h & 1 and n in far and q[n] <= q[h] and n not in been
    ]
    return min(near)[3] if near and far.get(h, 1) else None


def back_along(g: Board, h: Hex) -> Hex | None:
    """The repaired rail hex one step nearer to the Axis' own railroads, along the green line it came by (17.2.1)."""
    far = distances(g)
    six, own = rails(g), green(g)
    near = [
        (not own[d] >> h & 1, far[n], n)
        for d, n in enumerate(g.map.grid.neighbours[h])
        if n != NO_HEX and six[d] >> h & 1 and g.repaired[n] and n in far and far[n] < far.get(h, 1 << 20)
    ]
    return min(near)[2] if near else None


@fact(RAILS)
def distances(g: Board) -> dict[Hex, int]:
    """Rail hexes from the Axis Entry Areas along repaired railroads, whoever may stand on them."""
    grid, through = g.map.grid, repaired_hexes(g)
    here: Bits = source_edges(g, AXIS) & through
    if not here:
        here = through & g.map.area("west_of_start_line")
    found: dict[Hex, int] = {}
    seen, k = 0, 0
    six = rails(g)
    while here:
        found.update(dict.fromkeys(members(here), k))
        seen |= here
        out = 0
        for d in range(6):
            out |= shift(grid, here & six[d], d)
        here = out & through & ~seen
        k += 1
    return found


def watched(g: Board) -> Bits:
    """The hexes in or next to a Railhead: where a Soviet unit may push one back."""
    s = 0
    for h in g.railheads:
        if h != NOWHERE:
            s |= 1 << h | g.map.grid.near[h]
    return s
