"""Hex sets equal plain loops over Python sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kessel.core.hexes import Grid
from kessel.core.hexset import (
    HexSet,
    bits,
    both_ways,
    flood,
    flood_links,
    line,
    mask,
    members,
    shift,
    spread,
    spread_through,
    within,
)

NAMES = [f"{a:02d}{b:02d}" for a in range(10, 19) for b in range(5, 12) if (a, b) not in {(12, 7), (13, 7), (14, 9)}]
G = Grid.printed(NAMES)
hexes = st.sets(st.sampled_from(G.hexes), max_size=20)
sides = st.sets(st.sampled_from([h * 6 + d for h in G.hexes for d in range(6)]), max_size=40)


def blocked_sides(some: set[int]) -> list[int]:
    six = [0] * 6
    for s in some:
        h, d = divmod(s, 6)
        six[d] |= 1 << h
    return six


@given(hexes)
def test_members_and_masks(s: set[int]) -> None:
    b = bits(s)
    assert members(b) == sorted(s)
    assert [h for h, on in enumerate(mask(G, b)) if on] == sorted(s)
    assert len(mask(G, b)) == G.size


@given(hexes)
def test_spread(s: set[int]) -> None:
    assert set(members(spread(G, bits(s)))) == {n for h in s for n in G.around[h]}


@given(hexes, st.integers(0, 5))
def test_shift(s: set[int], d: int) -> None:
    assert set(members(shift(G, bits(s), d))) == {n for h in s if (n := G.step(h, d)) >= 0}


@given(hexes, sides)
def test_spread_through(s: set[int], some: set[int]) -> None:
    expected = {n for h in s for d, n in enumerate(G.neighbours[h]) if n >= 0 and h * 6 + d not in some}
    assert set(members(spread_through(G, bits(s), blocked_sides(some)))) == expected


@given(hexes, hexes, sides)
def test_flood(start: set[int], closed: set[int], some: set[int]) -> None:
    through = set(G.hexes) - closed
    seen, todo = set(start), list(start)
    while todo:
        h = todo.pop()
        for d, n in enumerate(G.neighbours[h]):
            if n >= 0 and n in through and n not in seen and h * 6 + d not in some:
                seen.add(n)
                todo.append(n)
    assert set(members(flood(G, bits(start), bits(through), blocked_sides(some)))) == seen
    if not some:
        assert flood(G, bits(start), bits(through)) == bits(seen)


@given(hexes, sides)
def test_flood_links(start: set[int], some: set[int]) -> None:
    links = both_ways(G, blocked_sides({s for s in some if G.neighbours[s // 6][s % 6] >= 0}))
    seen, todo = set(start), list(start)
    while todo:
        h = todo.pop()
        for d, n in enumerate(G.neighbours[h]):
            if n >= 0 and links[d] >> h & 1 and n not in seen:
                seen.add(n)
                todo.append(n)
    assert flood_links(G, bits(start), links, G.all) == bits(seen)


@given(hexes, st.integers(0, 4))
def test_within(s: set[int], n: int) -> None:
    assert within(G, bits(s), n) == bits(h for h in G.hexes if any(G.distance(h, x) <= n for x in s))


@given(st.sampled_from(G.hexes), st.sampled_from(G.hexes))
def test_a_line_goes_step_by_step(a: int, b: int) -> None:
    way = line(G, a, b)
    assert way[0] == a
    assert way[-1] == b
    assert len(way) <= G.distance(a, b) + 1
    assert [G.distance(a, h) for h in way] == sorted({G.distance(a, h) for h in way})


def test_the_set_api() -> None:
    s = HexSet.of(G, "1005 1006") | HexSet.of(G, "1105")
    assert len(s) == 3
    assert "1005" in s
    assert "9999" not in s
    assert s & HexSet.of(G, ["1105"]) == {"1105"}
    assert s - HexSet.of(G, "1105") == HexSet.of(G, "1005 1006")
    assert repr(HexSet.of(G, "1006 1005")) == "HexSet('1005 1006')"
    assert HexSet.of(G, "1005").spread() <= HexSet.of(G, "1005").within(1)
    assert HexSet.of(G, "1005").flood(HexSet.of(G, "1006 1007")) == {"1005", "1006", "1007"}
    assert len({s, HexSet.of(G, "1005 1006 1105")}) == 1


def test_within_counts_across_gaps() -> None:
    gapped = Grid([(f"{q},{r}", q, r) for q in range(-3, 4) for r in range(-3, 4) if q != 0 and (q + r) % 3])
    for a in gapped.hexes:
        for n in range(5):
            near = [b for b in gapped.hexes if gapped.distance(a, b) <= n]
            assert within(gapped, 1 << a, n) == bits(near)
