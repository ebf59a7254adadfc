"""PA-TEC zones, PA-stacking, PA-disruption.0, pillboxes."""

from __future__ import annotations

import pytest

from kessel.core.hexset import members
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.movement.pillboxes import is_sheltered, pillbox_works, row_of
from kessel.games.bug41.movement.stacking import why_not_stack
from kessel.games.bug41.movement.zones import is_in_zone_of, zone_of

from .helpers import PACK, board, ger, h, hq, pos, sov, u

ZONES = (
    ("clear", "clear", True, True),
    ("marsh", "marsh", True, False),
    ("village", "village", True, True),
    ("town", "town", True, False),
    ("light_forest", "lforest", True, False),
    ("dense_forest", "dforest", True, False),
)


def zone(terrain: str, type: str, **more: object) -> bool:
    g = pos(ger("A", "0,0", type), on=board(terrain={"1,0": terrain}, **more))  # type: ignore[arg-type]
    found = bool(zone_of(g, GERMAN) >> h(g, "1,0") & 1)
    assert found == is_in_zone_of(g, u(g, "A"), h(g, "1,0"))
    return found


@pytest.mark.parametrize(
    ("terrain", "infantry", "afv"),
    [pytest.param(t, i, a, marks=pytest.mark.rule("bug41", f"PA-TEC.{r}.zoc")) for t, r, i, a in ZONES],
)
def test_zones_by_terrain(terrain: str, infantry: bool, afv: bool) -> None:
    assert zone(terrain, "infantry") == infantry
    assert zone(terrain, "afv") == zone(terrain, "anti_tank") == afv
    assert zone(terrain, "motorized_infantry") == infantry, "on wheels it is infantry still"


@pytest.mark.parametrize(
    ("ground", "afv"),
    [
        pytest.param("clear", True, marks=pytest.mark.rule("bug41", "PA-TEC.pillc.zoc")),
        pytest.param("light_forest", False, marks=pytest.mark.rule("bug41", "PA-TEC.pillf.zoc")),
        ("town", True),
    ],
)
def test_zones_into_a_pillbox_that_works(ground: str, afv: bool) -> None:
    on = board(terrain={"1,0": ground}, pillboxes=["1,0"])
    for type, expected in (("infantry", True), ("afv", afv)):
        g = pos(ger("A", "0,0", type), sov("S", "1,0"), on=on)
        assert bool(zone_of(g, GERMAN) >> h(g, "1,0") & 1) == expected


@pytest.mark.parametrize(
    ("side", "road", "infantry"),
    [
        pytest.param("stream", False, True, marks=pytest.mark.rule("bug41", "PA-TEC.stream.zoc")),
        pytest.param("stream", True, True, marks=pytest.mark.rule("bug41", "PA-TEC.bstream.zoc")),
        pytest.param("bug", False, False, marks=pytest.mark.rule("bug41", "PA-TEC.bug.zoc")),
        pytest.param("bug", True, False, marks=pytest.mark.rule("bug41", "PA-TEC.bbug.zoc")),
        pytest.param("lake", False, False, marks=pytest.mark.rule("bug41", "PA-TEC.lake.zoc")),
    ],
)
def test_zones_over_water(side: str, road: bool, infantry: bool) -> None:
    roads = [("road", "0,0 1,0")] if road else []
    assert zone("clear", "infantry", sides={"0,0|1,0": side}, roads=roads) == infantry
    assert not zone("clear", "afv", sides={"0,0|1,0": side}, roads=roads)


@pytest.mark.rule("bug41", "PA-TEC.road.zoc", "PA-TEC.rail.zoc", "PA-TEC.OT")
@pytest.mark.parametrize("kind", ["road", "railway"])
def test_roads_leave_zones_to_the_other_terrain(kind: str) -> None:
    assert not zone("light_forest", "afv", roads=[(kind, "0,0 1,0")])
    assert zone("light_forest", "infantry", roads=[(kind, "0,0 1,0")])


@pytest.mark.rule("bug41", "PA-disruption.0", "PA-counter.back")
def test_hqs_and_disrupted_units_have_no_zone() -> None:
    g = pos(ger("A", "0,0", status="disrupted"), hq("HQ", "3,0", "298ID"))
    assert zone_of(g, GERMAN) == 0
    g.rally(u(g, "A"), "")
    assert len(members(zone_of(g, GERMAN))) == 6


# --- stacking --------------------------------------------------------------------------------------------------------


def stack(*types: str, terrain: str = "village", hqs: int = 0) -> str:
    units = [sov(f"U{n}", "", t) for n, t in enumerate(types)]
    g = pos(*units, *(hq(f"H{n}", "", f) for n, f in zip(range(hqs), ("215MD", "19TD", "135RD"), strict=False)),
            on=board(terrain={"0,0": terrain}))  # fmt: skip
    everybody = [n for n in range(len(g.forces)) if g.forces.ids[n][0] in "UH" and not g.on_map(n)]
    found = why_not_stack(g, SOVIET, h(g, "0,0"), everybody)
    return "" if found is None else found.rule


@pytest.mark.rule("bug41", "PA-stacking.1")
def test_three_units_in_a_hex() -> None:
    assert stack("afv", "afv", "afv") == ""
    assert stack("afv", "afv", "afv", "afv") == "PA-stacking.1"


@pytest.mark.rule("bug41", "PA-stacking.2", "PA-stacking.3")
def test_one_of_them_of_an_infantry_type() -> None:
    assert stack("infantry", "infantry") == "PA-stacking.2"
    assert stack("infantry", "motorized_engineer") == "PA-stacking.2"
    assert stack("infantry", "border_guard", "anti_tank") == ""


@pytest.mark.rule("bug41", "PA-stacking.4", "PA-stacking.5", "PA-stacking.6")
def test_room_for_hqs() -> None:
    assert stack("afv", "afv", "afv", hqs=1) == ""
    assert stack(hqs=2) == "PA-stacking.5"
    assert stack(hqs=2, terrain="town") == ""
    assert stack(hqs=3, terrain="town") == "PA-stacking.6"
    assert stack(hqs=1, terrain="clear") == "PA-stacking.5"


@pytest.mark.rule("bug41", "PA-stacking.ex1")
@pytest.mark.example("bug41", "B-E01")
def test_example_1() -> None:
    assert stack("infantry", "afv", "afv", hqs=1) == ""


@pytest.mark.rule("bug41", "PA-stacking.ex2")
@pytest.mark.example("bug41", "B-E02")
def test_example_2() -> None:
    assert stack("infantry", "anti_tank", "anti_tank", hqs=1) == ""


@pytest.mark.rule("bug41", "PA-stacking.ex3")
@pytest.mark.example("bug41", "B-E03")
def test_example_3() -> None:
    assert stack("afv", "afv", "afv", hqs=1) == ""


# --- pillboxes -------------------------------------------------------------------------------------------------------


def pillbox(*types: str, side: int = SOVIET, **options: str) -> bool:
    make = sov if side == SOVIET else ger
    g = pos(*(make(f"U{n}", "0,0", t) for n, t in enumerate(types)), on=board(pillboxes=["0,0"]), **options)
    works = pillbox_works(g, h(g, "0,0"))
    assert row_of(g, h(g, "0,0")).name == ("pillbox_in_clear" if works else "clear")
    return works


@pytest.mark.rule("bug41", "PA-TEC.c1")
def test_a_pillbox_does_nothing_for_germans() -> None:
    assert not pillbox("infantry", side=GERMAN)


@pytest.mark.rule("bug41", "PA-TEC.c2")
def test_a_pillbox_needs_soviet_infantry() -> None:
    assert pillbox("infantry")
    assert pillbox("border_guard")
    assert pillbox("afv", "machine_gun")
    assert not pillbox("afv")
    assert not pillbox()


def test_other_readings_of_the_damaged_note() -> None:
    assert pillbox("afv", pillbox_note="any_soviet_unit")
    assert not pillbox("infantry", pillbox_note="not_for_infantry")
    assert pillbox("infantry", "afv", pillbox_note="not_for_infantry")


def test_only_infantry_is_sheltered() -> None:
    g = pos(sov("I", "0,0"), sov("T", "0,0", "afv"), on=board(pillboxes=["0,0"]))
    assert is_sheltered(g, u(g, "I"))
    assert not is_sheltered(g, u(g, "T"))


@pytest.mark.rule("bug41", "PA-TEC.star")
def test_a_town_beside_a_river_has_its_bridge() -> None:
    for water in ("bug", "stream"):
        g = pos(on=board(terrain={"1,0": "town"}, sides={"0,0|1,0": water, "0,0|0,1": water}))
        assert g.ground.side_row(h(g, "0,0"), g.map.grid.direction(h(g, "0,0"), h(g, "1,0"))).name == f"bridged_{water}"  # type: ignore[union-attr]
        assert g.ground.side_row(h(g, "0,0"), g.map.grid.direction(h(g, "0,0"), h(g, "0,1"))).name == water  # type: ignore[union-attr]
    assert PACK.map.name[PACK.map.grid.hex("1212")] == "Ustyluh"
