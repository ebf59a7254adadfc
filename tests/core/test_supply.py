"""Lines of supply by layers equal a search over all paths."""

from __future__ import annotations

import itertools
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from kessel.core.hexes import Grid
from kessel.core.hexset import NO_SIDES, bits, both_ways, members
from kessel.core.supply import connected, heads, overland
from kessel.core.zones import bonds, zone

G = Grid.printed([f"{a:02d}{b:02d}" for a in range(10, 17) for b in range(5, 11)])
some = st.sets(st.sampled_from(G.hexes), max_size=14)
some_sides = st.sets(st.sampled_from([h * 6 + d for h in G.hexes for d in range(6)]), max_size=25)


def six(sides: set[int]) -> tuple[int, ...]:
    out = [0] * 6
    for s in sides:
        if G.neighbours[s // 6][s % 6] >= 0:
            out[s % 6] |= 1 << s // 6
    return both_ways(G, out)


@given(some, some, some, some, some_sides, st.integers(1, 6))
def test_overland_equals_a_search_over_all_paths(
    goal: set[int], closed: set[int], heavy: set[int], lone: set[int], sides: set[int], limit: int
) -> None:
    blocked = six(sides)
    goal = goal - closed

    @cache
    def least(h: int, was_lone: bool, left: int) -> int:
        """The cheapest rest of the way from h; 99 if there is none within `left`."""
        if h in goal:
            return 0
        best = 99
        for d, n in enumerate(G.neighbours[h]):
            if n < 0 or n in closed or blocked[d] >> h & 1 or (was_lone and n in lone):
                continue
            weight = 2 if n in heavy else 1
            if weight <= left:
                best = min(best, weight + least(n, n in lone, left - weight))
        return best

    expected = {h for h in G.hexes if least(h, False, limit) <= limit}
    found = overland(
        G, bits(goal), limit, enter=bits(set(G.hexes) - closed), blocked=blocked, heavy=bits(heavy), lone=bits(lone)
    )
    assert set(members(found.starts())) == expected
    for h in G.hexes:
        way = found.path(h)
        assert (way is not None) == (h in expected)
        if way:
            cost = sum(2 if n in heavy else 1 for n in way)
            assert cost == least(h, False, limit)
            assert not any(a in lone and b in lone for a, b in itertools.pairwise(way))
            assert way[-1] in goal


@given(some, some, some)
def test_without_a_limit(goal: set[int], closed: set[int], lone: set[int]) -> None:
    enter = bits(set(G.hexes) - closed)
    far = overland(G, bits(goal), 60, enter=enter, blocked=NO_SIDES, lone=bits(lone))
    together = 0
    for layer in far.at:
        together |= layer
    assert connected(G, bits(goal), enter=enter, blocked=NO_SIDES, lone=bits(lone)) == together


def test_heads_follow_roads_only() -> None:
    h = [G.hex(n) for n in ("1005", "1006", "1007")]
    road = six({G.hexside(h[0], h[1])})
    assert heads(G, bits(h[:1]), road, G.all) == bits(h[:2])
    assert heads(G, bits(h[:1]), road, G.all & ~bits(h[:1])) == 0


@given(some, some_sides)
def test_zones(sources: set[int], sides: set[int]) -> None:
    blocked = six(sides)
    expected = {n for h in sources for d, n in enumerate(G.neighbours[h]) if n >= 0 and not blocked[d] >> h & 1}
    assert set(members(zone(G, bits(sources), blocked))) == expected


@given(some)
def test_bonds_join_all_pairs_two_apart_once(holders: set[int]) -> None:
    found = list(bonds(G, bits(holders)))
    pairs = [frozenset((b.a, b.b)) for b in found]
    assert len(set(pairs)) == len(pairs)
    for bond in found:
        between = {n for n in G.around[bond.a] if n in G.around[bond.b]}
        assert set(bond.via) == between
        assert bond.over_hex == (len(between) == 1)
    expected = {frozenset((a, b)) for a in holders for b in holders if G.distance(a, b) == 2 and _inside(a, b)}
    assert set(pairs) == expected


def _inside(a: int, b: int) -> bool:
    """No hex between the two lies off the board."""
    dq, dr = G.q[b] - G.q[a], G.r[b] - G.r[a]
    straight = (dq % 2, dr % 2) == (0, 0)
    return len(set(G.around[a]) & set(G.around[b])) == (1 if straight else 2)
