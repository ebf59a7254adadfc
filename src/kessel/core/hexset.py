"""Sets of hexes as the bits of an int, and the floods that zones and supply are made of.

Rules code works on the bare ints (`Bits`): union, intersection and difference are `|`, `&` and `& ~`. The functions
here know the grid. `HexSet` wraps such an int with the API of a set, for tests, printing and borders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from kessel.core.hexes import Bits, Direction, Grid, Hex

Sides = Sequence[Bits]
"""Six sets: entry d holds the hexes whose hexside in direction d is meant."""

NO_SIDES: Sides = (0, 0, 0, 0, 0, 0)
_DIGITS = bytes.maketrans(b"01", b"\x00\x01")


def union(sets: Iterable[Bits]) -> Bits:
    """The hexes of all these sets."""
    s = 0
    for x in sets:
        s |= x
    return s


def any_side(*several: Sides) -> tuple[Bits, ...]:
    """The hexsides of all these sets."""
    return tuple(map(union, zip(*several, strict=True)))


def minus(sides: Sides, *less: Sides) -> tuple[Bits, ...]:
    """The hexsides of the first set that are in no other."""
    return tuple(s & ~gone for s, gone in zip(sides, any_side(*less), strict=True))


def bits(hexes: Iterable[Hex]) -> Bits:
    s = 0
    for h in hexes:
        s |= 1 << h
    return s


def members(s: Bits) -> list[Hex]:
    """The hexes of the set in ascending order.

    Bit by bit: tables of what bytes stand for are read faster by a processor that does nothing else, and slower by all
    others, whose memory they crowd.
    """
    found: list[Hex] = []
    if not s:
        return found
    if not s & s - 1:
        return [s.bit_length() - 1]
    first = (s & -s).bit_length() - 1
    s >>= first
    while s:
        last = s.bit_length() - 1
        found.append(first + last)
        s ^= 1 << last
    found.reverse()
    return found


def filled(column: bytes | bytearray) -> list[int]:
    """The numbers of the entries that are not 0, in ascending order: for columns where few are."""
    s, found = int.from_bytes(column, "little"), []
    while s:
        last = (s.bit_length() - 1) >> 3
        found.append(last)
        s &= (1 << last * 8) - 1
    found.reverse()
    return found


def digits(s: Bits) -> bytes:
    """One byte for each number up to the highest member, 1 for members."""
    return f"{s:b}"[::-1].encode().translate(_DIGITS)


def mask(grid: Grid, s: Bits) -> bytes:
    """The same with one byte for every hex: for loops that test single hexes."""
    return f"{s:0{grid.size}b}"[::-1].encode().translate(_DIGITS)


def shift(grid: Grid, s: Bits, d: Direction) -> Bits:
    """The set moved one hex in a direction."""
    o = grid.offsets[d]
    return (s << o if o > 0 else s >> -o) & grid.all


def spread(grid: Grid, s: Bits) -> Bits:
    """All neighbours of the set's hexes (members only if they have a neighbour in the set)."""
    n, k = 1, grid.stride
    return (s << n | s >> n | s << k | s >> k | s << k - n | s >> k - n) & grid.all


def spread_through(grid: Grid, s: Bits, blocked: Sides) -> Bits:
    """All neighbours reached without leaving a hex over a blocked hexside."""
    k = grid.stride
    n, ne, se, south, sw, nw = blocked
    out = (s ^ s & n) >> 1 | (s ^ s & south) << 1
    out |= (s ^ s & ne) << k - 1 | (s ^ s & sw) >> k - 1
    out |= (s ^ s & se) << k | (s ^ s & nw) >> k
    return out & grid.all


def spread_along(grid: Grid, s: Bits, links: Sides) -> Bits:
    """All neighbours reached by leaving a hex along a link."""
    k = grid.stride
    n, ne, se, south, sw, nw = links
    out = (s & n) >> 1 | (s & south) << 1
    out |= (s & ne) << k - 1 | (s & sw) >> k - 1
    out |= (s & se) << k | (s & nw) >> k
    return out & grid.all


def flood(grid: Grid, start: Bits, through: Bits, blocked: Sides | None = None) -> Bits:
    """Everything connected to `start` by hexes of `through`; the start itself need not be in it."""
    seen = frontier = start
    left, shut = through & ~start, 0 if blocked is None else union(blocked)
    while frontier:
        near = spread_through(grid, frontier, blocked or NO_SIDES) if frontier & shut else spread(grid, frontier)
        frontier = near & left
        left ^= frontier
        seen |= frontier
    return seen


def flood_links(grid: Grid, start: Bits, links: Sides, through: Bits) -> Bits:
    """Everything connected to `start` along links (roads, rails) by hexes of `through`."""
    seen = frontier = start
    while frontier:
        frontier = spread_along(grid, frontier, links) & through & ~seen
        seen |= frontier
    return seen


def within(grid: Grid, s: Bits, n: int) -> Bits:
    """The set and all hexes at most n away from it, in a straight line: gaps in the board are counted across."""
    d, k = 1, grid.stride
    for _ in range(n):
        s |= (s << d | s >> d | s << k | s >> k | s << k - d | s >> k - d) & grid.field
    return s & grid.all


def line(grid: Grid, a: Hex, b: Hex) -> list[Hex]:
    """Hexes on the straight line from a to b, both included; ties go to one side consistently."""
    n = grid.distance(a, b)
    found = [a]
    qa, ra, qb, rb = grid.q[a], grid.r[a], grid.q[b] + 1e-6, grid.r[b] + 2e-6
    at = {(grid.q[h], grid.r[h]): h for h in grid.hexes} if n else {}
    for i in range(1, n + 1):
        h = at.get(_round(qa + (qb - qa) * i / n, ra + (rb - ra) * i / n))
        if h is not None:
            found.append(h)
    return found


def _round(q: float, r: float) -> tuple[int, int]:
    s = -q - r
    rq, rr, rs = round(q), round(r), round(s)
    dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
    if dq > dr and dq > ds:
        rq = -rr - rs
    elif dr > ds:
        rr = -rq - rs
    return rq, rr


def both_ways(grid: Grid, sides: Sides) -> tuple[Bits, ...]:
    """The same hexsides marked from either hex."""
    return tuple(sides[d] | shift(grid, sides[(d + 3) % 6], (d + 3) % 6) for d in range(6))


class HexSet(AbstractSet[str]):
    """A set of hexes of one grid, by printed number.

    >>> g = Grid.printed(["1001", "1002", "1101", "1102"])
    >>> HexSet.of(g, "1001") | HexSet.of(g, "1002 1101")
    HexSet('1001 1002 1101')
    """

    __slots__ = ("bits", "grid")

    def __init__(self, grid: Grid, s: Bits) -> None:
        self.grid, self.bits = grid, s

    @classmethod
    def of(cls, grid: Grid, names: str | Iterable[str]) -> HexSet:
        return cls(grid, bits(grid.hex(n) for n in (names.split() if isinstance(names, str) else names)))

    def _from_iterable(self, it: Iterable[str]) -> HexSet:  # type: ignore[override]
        return HexSet.of(self.grid, it)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.grid and bool(self.bits >> self.grid.hex(name) & 1)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.grid.names(members(self.bits))))

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __eq__(self, other: object) -> bool:
        return self.bits == other.bits if isinstance(other, HexSet) else set(self) == other

    def __hash__(self) -> int:
        return hash(self.bits)

    def spread(self) -> HexSet:
        return HexSet(self.grid, spread(self.grid, self.bits))

    def flood(self, through: HexSet, blocked: Sides | None = None) -> HexSet:
        return HexSet(self.grid, flood(self.grid, self.bits, through.bits, blocked))

    def within(self, n: int) -> HexSet:
        return HexSet(self.grid, within(self.grid, self.bits, n))

    def __repr__(self) -> str:
        return f"HexSet({' '.join(self)!r})"
