"""Reach equals a plain search over all ways."""

from __future__ import annotations

import heapq

from hypothesis import given
from hypothesis import strategies as st

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Grid
from kessel.core.hexset import bits
from kessel.core.paths import ALL, Costs, StepCost, reach

G = Grid.printed([f"{a:02d}{b:02d}" for a in range(10, 18) for b in range(5, 12)])
some_costs = st.lists(st.integers(1, 6), min_size=G.size * 6, max_size=G.size * 6)
some_hexes = st.sets(st.sampled_from(G.hexes), max_size=15)


def dijkstra(
    c: list[int], start: int, budget: int, closed: set[int], stops: set[int], extra: int = 0
) -> dict[int, int]:
    """The least costs by a plain search; steps of cost 0 are not allowed."""
    best = {start: 0}
    heap = [(0, start)]
    while heap:
        spent, h = heapq.heappop(heap)
        if spent > best[h] or (h in stops and h != start):
            continue
        for d, n in enumerate(G.neighbours[h]):
            total = spent + c[h * 6 + d] + (extra if h == start else 0)
            if n >= 0 and c[h * 6 + d] and n not in closed and total <= budget and total < best.get(n, 99):
                best[n] = total
                heapq.heappush(heap, (total, n))
    return best


@given(some_costs, st.sampled_from(G.hexes), st.integers(1, 14), some_hexes, some_hexes, st.integers(0, 4))
def test_reach_equals_dijkstra(
    c: list[int], start: int, budget: int, closed: set[int], stops: set[int], extra: int
) -> None:
    costs = Costs(G, lambda a, d, b: c[a * 6 + d])
    best = dijkstra(c, start, budget, closed, stops, extra)
    found = reach(costs, start, budget, enter=bits(set(G.hexes) - closed), stop=bits(stops), first_extra=extra)
    assert found.cost == best
    assert found.hexes == bits(best.keys() - {start})
    for h in best:
        way = found.path(h)
        spent, at = (extra if way else 0), start
        for n in way:
            spent += c[G.hexside(at, n)]
            at = n
        assert at == h
        assert spent == best[h]


ROAD, CLOSED, ODD = -1, -2, 7
sorts_of_steps = st.lists(
    st.sampled_from([0] * 12 + [1, 1, 3, 3, ROAD, ROAD, ROAD, CLOSED, ODD]), min_size=G.size * 6, max_size=G.size * 6
)
some_terrain = st.lists(st.sampled_from([2, 2, 2, 4, 6]), min_size=G.size, max_size=G.size)


@given(
    some_terrain,
    sorts_of_steps,
    st.sets(st.sampled_from((1, 3, ROAD, CLOSED, ODD))),
    st.booleans(),
    st.sampled_from(G.hexes),
    st.integers(1, 16),
    some_hexes,
)
def test_reach_over_roads_rivers_and_closed_hexsides(
    terrain: list[int], steps: list[int], there: set[int], told: bool, start: int, budget: int, stops: set[int]
) -> None:
    """Terrain with a usual price, and whichever sorts of other steps there are."""
    c = [0] * (G.size * 6)
    for h in G.hexes:
        for d, n in enumerate(G.neighbours[h]):
            kind = steps[h * 6 + d] if steps[h * 6 + d] in there else 0
            c[h * 6 + d] = 1 if kind == ROAD else 0 if kind == CLOSED else terrain[n] + kind
    closed = Refusal("1", "closed")
    costs = Costs(G, lambda a, d, b: c[a * 6 + d] or closed, (lambda h: terrain[h]) if told else None)
    assert reach(costs, start, budget, stop=bits(stops)).cost == dijkstra(c, start, budget, set(), stops)


@given(some_costs, st.sets(st.integers(0, G.size * 6 - 1), max_size=8), st.sampled_from(G.hexes), st.integers(1, 14))
def test_prices_altered_at_some_hexsides(c: list[int], sides: set[int], start: int, budget: int) -> None:
    there = [s for s in sorted(sides) if s // 6 in G.hexes and G.neighbours[s // 6][s % 6] >= 0]

    def rule(a: int, d: int, b: int) -> int | Refusal:
        if a * 6 + d not in there:
            return c[a * 6 + d]
        return Refusal("1", "no bridge") if c[a * 6 + d] == 1 else 7 - c[a * 6 + d]

    altered = Costs(G, lambda a, d, b: c[a * 6 + d]).altered(rule, there)
    found, anew = reach(altered, start, budget), reach(Costs(G, rule), start, budget)
    assert found.cost == anew.cost
    assert {h: sum(1 for _ in found.path(h)) > 0 for h in found.cost} == {h: h != start for h in anew.cost}


def test_a_step_only_as_the_first() -> None:
    def rule(a: int, d: int, b: int) -> StepCost:
        return StepCost(1, first_only=b == g.hex("1007") and a == g.hex("1006"))

    g = Grid.printed(["1005", "1006", "1007", "1008"])
    costs = Costs(g, rule)
    assert g.hex("1007") not in reach(costs, g.hex("1005"), 5)
    assert reach(costs, g.hex("1006"), 5).cost[g.hex("1008")] == 2


def test_a_step_that_takes_the_whole_allowance() -> None:
    g = Grid.printed(["1005", "1006", "1007", "1008"])
    costs = Costs(g, lambda a, d, b: ALL if b == g.hex("1006") else 1)
    found = reach(costs, g.hex("1005"), 4)
    assert found.cost == {g.hex("1005"): 0, g.hex("1006"): 4}
    assert found.stops(g.hex("1006"))


def test_the_same_hex_by_a_way_that_leaves_points_does_not_end_the_move() -> None:
    """From a to b directly takes all; by c it costs two, and d lies beyond b."""
    g = Grid.axial(["0,0", "1,0", "0,1", "2,0"])
    a, b, c, d = (g.hex(n) for n in ("0,0", "1,0", "0,1", "2,0"))
    costs = Costs(g, lambda h, _, n: ALL if (h, n) == (a, b) else 1)
    found = reach(costs, a, 4)
    assert found.cost == {a: 0, c: 1, b: 2, d: 3}
    assert found.path(d) == (c, b, d)
    assert not found.stops(b)
    just = reach(costs, a, 2)
    assert just.cost == {a: 0, c: 1, b: 2}
    few = reach(costs, a, 4, most_hexes=1)
    assert (few.cost, few.stops(b)) == ({a: 0, c: 1, b: 4}, True)


def test_always_one_hex() -> None:
    g = Grid.printed(["1005", "1006", "1007", "1008"])
    costs = Costs(g, lambda a, d, b: 9)
    assert set(reach(costs, g.hex("1005"), 4).cost) == {g.hex("1005")}
    found = reach(costs, g.hex("1005"), 4, at_least_one=True)
    assert found.cost == {g.hex("1005"): 0, g.hex("1006"): 4}, "it takes the whole allowance and no more"


def test_barred_and_opened_hexsides() -> None:
    g = Grid.printed(["1005", "1006", "1007", "1008"])
    side = g.hexside(g.hex("1006"), g.hex("1007"))
    costs = Costs(g, lambda a, d, b: 1)
    six = [1 << side // 6 if d == side % 6 else 0 for d in range(6)]
    assert g.hex("1007") not in reach(costs, g.hex("1005"), 4, barred=six)
    closed = Costs(g, lambda a, d, b: Refusal("1", "no bridge") if a * 6 + d == side else 1)
    assert g.hex("1007") not in reach(closed, g.hex("1005"), 4)
    opened = {g.hex("1006"): [(g.hex("1007"), 2, side)]}
    assert reach(closed, g.hex("1005"), 4, opened=opened).cost[g.hex("1007")] == 3
    assert closed.step(*divmod(side, 6)) == Refusal("1", "no bridge")
    assert closed.step(g.hex("1005"), 0) == Refusal("map", "the board ends there")


def test_the_first_step_may_have_its_own_limits() -> None:
    g = Grid.printed(["1005", "1006", "1007", "1008"])
    costs = Costs(g, lambda a, d, b: 1)
    only = bits([g.hex("1005")])
    assert set(reach(costs, g.hex("1006"), 3, first_enter=only).cost) == {g.hex("1005"), g.hex("1006")}


@given(some_costs, st.sampled_from(G.hexes), st.integers(2, 14), some_hexes, st.integers(1, 3))
def test_at_most_so_many_hexes(c: list[int], start: int, budget: int, stops: set[int], most: int) -> None:
    costs = Costs(G, lambda a, d, b: c[a * 6 + d])
    best: dict[int, int] = {}

    def go(h: int, spent: int, left: int) -> None:
        for d, n in enumerate(G.neighbours[h]):
            total = spent + c[h * 6 + d]
            if n >= 0 and n != start and total <= budget:
                best[n] = min(total, best.get(n, 99))
                if left > 1 and n not in stops:
                    go(n, total, left - 1)

    go(start, 0, most)
    found = reach(costs, start, budget, stop=bits(stops), most_hexes=most)
    assert found.cost == {**best, start: 0}
    for h in best:
        assert len(found.path(h)) <= most


@given(some_costs, st.sampled_from(G.hexes), st.integers(1, 7))
def test_first_steps_come_in_the_order_of_directions(c: list[int], start: int, budget: int) -> None:
    costs = Costs(G, lambda a, d, b: c[a * 6 + d])
    wanted = [(n, c[start * 6 + d]) for d, n in enumerate(G.neighbours[start]) if n >= 0]
    wanted = [(n, cost) for n, cost in wanted if cost <= budget]
    assert list(reach(costs, start, budget).first.items()) == wanted
    elsewhere = [0, 0, 0, 1 << G.hexes[0 if start != G.hexes[0] else -1], 0, 0]
    assert list(reach(costs, start, budget, barred=elsewhere).first.items()) == wanted
