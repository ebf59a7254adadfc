"""9.2 What a step costs on the printed map."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Direction, Hex
from kessel.core.pack import Pack
from kessel.games.korsun44.data.charts import ALL, ARMOR, FOOT, FROZEN, MOTORIZED, MUD, NO, POINT, charts_of
from kessel.games.korsun44.data.terrain import ground_of

PACK = Pack("korsun44", overlays=())
CHARTS = charts_of(PACK)
GROUND = ground_of(PACK, CHARTS)
GRID = GROUND.grid


def way(a: str, b: str) -> tuple[Hex, Direction, Hex]:
    x, y = GRID.hex(a), GRID.hex(b)
    return x, GRID.direction(x, y), y


def steps() -> Iterator[tuple[Hex, Direction, Hex]]:
    for a in GRID.hexes:
        for d, b in enumerate(GRID.neighbours[a]):
            if b >= 0 and GROUND.playable >> a & GROUND.playable >> b & 1:
                yield a, d, b


@pytest.mark.parametrize("cls", [FOOT, MOTORIZED, ARMOR])
@pytest.mark.parametrize("ground", [FROZEN, MUD])
def test_the_table_of_steps_says_what_each_step_says(cls: int, ground: int) -> None:
    for strategic in (False, True):
        table = GROUND.printed(cls, ground, strategic)
        for a in GRID.hexes:
            for d, b in enumerate(GRID.neighbours[a]):
                found = GROUND.step(cls, ground, a, d, b, strategic=strategic)
                assert table[d][a] == (NO if isinstance(found, Refusal) else found)


def test_a_road_replaces_the_terrain_and_the_hexside() -> None:
    """9.2.2: the secondary road from Steblev to Korsun."""
    a, d, b = way("2416", "2516")
    assert GROUND.map.linked(a, d, "secondary")
    assert not GROUND.map.linked(a, d, "primary", "trail", "railroad")
    assert GROUND.step(MOTORIZED, FROZEN, a, d, b) == POINT
    assert GROUND.step(MOTORIZED, FROZEN, a, d, b, strategic=True) == POINT // 3
    assert GROUND.step(MOTORIZED, MUD, a, d, b) == 2 * POINT


def test_the_cheapest_link_counts() -> None:
    """Railroad and primary road between Smela and Cherkassy."""
    a, d, b = way("4510", "4509")
    assert GROUND.map.linked(a, d, "primary")
    assert GROUND.map.linked(a, d, "railroad")
    assert GROUND.step(ARMOR, MUD, a, d, b) == POINT


def test_a_destroyed_bridge_carries_no_road() -> None:
    """Lysyanka's bridge over the Gniloy Tikich."""
    a, d, b = way("2124", "2125")
    side = GRID.canonical(a * 6 + d)
    assert side in GROUND.bridges
    assert GROUND.step(ARMOR, FROZEN, a, d, b) == POINT
    assert isinstance(GROUND.step(ARMOR, FROZEN, a, d, b, destroyed=[side]), Refusal)
    assert GROUND.step(FOOT, FROZEN, a, d, b, destroyed=[side]) == ALL
    clear = CHARTS.terrain["clear"].cost[ARMOR][FROZEN]
    assert GROUND.step(ARMOR, FROZEN, a, d, b, destroyed=[side], built=[side]) == clear


@pytest.mark.rule("korsun44", "9.2.3b")
def test_what_is_forbidden_to_whom() -> None:
    """Armor in forest and over rivers, motorized units over rivers and swamps: by road only."""
    seen = set()
    for a, d, b in steps():
        if GROUND.links[d] >> a & 1:
            continue
        cost = GROUND.step(ARMOR, FROZEN, a, d, b)
        wet = (GROUND.river[d] | GROUND.swamp[d] | GROUND.lake[d]) >> a & 1
        forest = GROUND.forest >> b & 1
        assert isinstance(cost, Refusal) == bool(wet or forest)
        seen.add((bool(wet), bool(forest)))
    assert len(seen) == 4


def test_every_step_of_terrain_can_be_taken_back_unless_into_forest() -> None:
    """9.9.1 asks for both ways; forest alone is closed one way, and the caller has to ask for the way back."""
    one_way = set()
    for a, d, b in steps():
        for cls in (FOOT, MOTORIZED, ARMOR):
            there, back = GROUND.step(cls, FROZEN, a, d, b), GROUND.step(cls, FROZEN, b, (d + 3) % 6, a)
            if isinstance(there, Refusal) != isinstance(back, Refusal):
                one_way.add((cls, PACK.map.terrain[a], PACK.map.terrain[b]))
    assert {(c, "forest" in (x, y)) for c, x, y in one_way} == {(ARMOR, True)}


def test_nobody_enters_the_dnieper() -> None:
    shore = next(
        (a, d, b)
        for a in GRID.hexes
        for d, b in enumerate(GRID.neighbours[a])
        if b >= 0 and GROUND.dnepr >> b & 1 and GROUND.playable >> a & 1
    )
    refused = GROUND.step(FOOT, FROZEN, *shore)
    assert isinstance(refused, Refusal)
    assert refused.rule == "10.6.3"


def test_mud_is_never_cheaper() -> None:
    for a, d, b in steps():
        for cls in (FOOT, MOTORIZED, ARMOR):
            frozen, mud = GROUND.step(cls, FROZEN, a, d, b), GROUND.step(cls, MUD, a, d, b)
            if isinstance(mud, int) and mud >= 0:
                assert isinstance(frozen, int)
                assert frozen <= mud
