"""12.15, 12.16 Advance after combat."""

from __future__ import annotations

import pytest

from kessel.games.korsun44.board import BREAKTHROUGH, FACING, GERMAN, INTACT, IP, MINES, ON_FOOT, SOVIET, Board
from kessel.games.korsun44.combat.advance import ends_advance

from .fights import (
    D1,
    FUS,
    MECH,
    MOT,
    PIO,
    PZ4,
    R1,
    R2,
    RECON,
    applied,
    asked_verbs,
    on_map,
)  # fmt: skip
from .helpers import board, choices, h, play, position, refused, u, unit


def advances(g: Board, name: str) -> set[str]:
    return {x.split()[-1] for x in choices(g) if x.startswith(f"advance {name} ")}


def beaten(
    result: str, *attackers: str, on: dict[str, object] | None = None, back: str = "-1,0", **more: object
) -> Board:
    """Attackers in 1,0 against a fusilier battalion in 0,0, which has retreated."""
    units = [unit(x, "1,0") for x in attackers]
    g = position(*units, unit("54FAa.27A", "0,0"), on=on, **more)  # type: ignore[arg-type]
    applied(g, result, *attackers)
    while "retreat" in asked_verbs(g):
        play(g, f"retreat 54FAa.27A {back}")
    return g


@pytest.mark.rule("korsun44", "12.15", "12.15.1.1", "12.15.1.2", "12.15.1.3a", "12.15.1.3b")
def test_units_follow_one_hex_if_they_like() -> None:
    g = beaten("-/R", R1, FUS)
    assert "pass" in choices(g)
    assert advances(g, R1) == {"0,0"} == advances(g, FUS)
    assert refused(g, f"advance {R1} 0,1").rule == "12.15.1"
    assert refused(g, f"advance {R1} 0,0--1,1").rule == "12.15.1"
    play(g, f"advance {R1} 0,0")
    assert advances(g, FUS) == {"0,0"}
    play(g, "pass")
    assert [on_map(g, x) for x in (R1, FUS)] == ["0,0", "1,0"]


@pytest.mark.rule("korsun44", "12.15", "12.15.3", "12.1.3.D3b", "12.1.3.D3d")
def test_after_a_breakthrough_infantry_keeps_to_the_path_and_armor_does_not() -> None:
    g = beaten("-/R>", R1, PZ4, MOT, back="-1,0--2,0")
    assert advances(g, R1) == {"0,0", "0,0--1,0"} == advances(g, MOT)
    assert len(advances(g, PZ4)) > 3
    assert refused(g, f"advance {R1} 0,0-0,-1").rule == "12.15"
    play(g, f"advance {R1} 0,0--1,0")
    assert not g.status[u(g, R1)] & BREAKTHROUGH


@pytest.mark.rule("korsun44", "12.15.3")
@pytest.mark.parametrize(("name", "free"), [(MECH, True), (RECON, True), (PZ4, True), (MOT, False), (R1, False)])
def test_who_may_leave_the_path(name: str, free: bool) -> None:
    g = beaten("-/R>", name, back="-1,0--2,0")
    assert ("0,0-0,-1" in advances(g, name)) == free


@pytest.mark.rule("korsun44", "12.15")
def test_two_hexes_after_an_ordinary_retreat_is_a_reading() -> None:
    g = beaten("-/R", PZ4, options={"retreat_advance": "two"})
    assert len(advances(g, PZ4)) > 1
    assert len(advances(beaten("-/R", PZ4), PZ4)) == 1


@pytest.mark.rule("korsun44", "12.15.1.4")
def test_where_all_defenders_died_the_second_hex_is_free() -> None:
    g = position(unit(R1, "1,0"), unit("AT1.27A", "0,0", steps=1))
    applied(g, "-/1", R1)
    assert advances(g, R1) >= {"0,0", "0,0--1,0", "0,0-0,-1", "0,0-0,1"}


@pytest.mark.rule("korsun44", "12.15.2.1")
def test_unarmed_units_never_advance() -> None:
    g = position(unit(R1, "1,0"), unit("Art188.88ID", "1,0"), unit("54FAa.27A", "0,0"))
    applied(g, "-/R", R1)
    play(g, "retreat 54FAa.27A -1,0")
    assert {x.split()[1] for x in choices(g) if x != "pass"} == {R1}


@pytest.mark.rule("korsun44", "12.15.2.2", "12.5.2.fo-r", "12.16.5b", "12.16.3d")
@pytest.mark.parametrize(
    "on", [{"terrain": {"0,0": "forest"}}, {"sides": {"1,0|0,0": "river"}}, {"sides": {"1,0|0,0": "swamp"}}]
)
def test_armor_does_not_advance_into_prohibited_terrain(on: dict[str, dict[str, str]]) -> None:
    g = beaten("-/R", PZ4, R1, on=board(**on))  # type: ignore[arg-type]
    assert advances(g, PZ4) == set()
    assert advances(g, R1) == {"0,0"}
    g = beaten("-/R", PZ4, R1, on=board(**on, roads=[("primary", "1,0 0,0")]))  # type: ignore[arg-type]
    assert advances(g, PZ4) == {"0,0"}


@pytest.mark.rule("korsun44", "12.15.2.3a", "12.15.2.3b")
def test_defenders_advance_one_hex_where_attackers_are_gone() -> None:
    g = position(unit(D1, "1,0", steps=1), unit(R1, "0,0"))
    applied(g, "1/-", D1)
    assert advances(g, R1) == {"1,0"}
    play(g, f"advance {R1} 1,0")
    assert on_map(g, R1) == "1,0"
    g = position(unit(D1, "1,0", steps=1), unit(R1, "0,0"))
    applied(g, "1/-", D1, stubborn=(h(g, "0,0"),))
    assert not g.stack


@pytest.mark.rule("korsun44", "12.15.2.4")
def test_an_advance_may_not_overstack() -> None:
    g = beaten("-/R", R1, R2, "248.88ID")
    play(g, f"advance {R1} 0,0", f"advance {R2} 0,0")
    assert not g.stack  # a third regiment may not follow


@pytest.mark.rule("korsun44", "12.15.2.5", "12.16.3c")
def test_the_second_hex_not_across_a_river_without_a_bridge() -> None:
    on = board(sides={"0,0|-1,0": "river"})
    assert advances(beaten("-/R>", PZ4, on=on, back="0,-1-0,-2"), PZ4).isdisjoint({"0,0--1,0"})
    on = board(sides={"0,0|-1,0": "river"}, roads=[("primary", "0,0 -1,0")])
    assert "0,0--1,0" not in advances(beaten("-/R>", PZ4, on=on, back="0,-1-0,-2"), PZ4)
    sides = {"0,0|-1,0": "river", "1,0|2,0": "river"}
    on = board(sides=sides, roads=[("primary", "0,0 -1,0")])
    assert "0,0--1,0" in advances(beaten("-/R>", PZ4, on=on, back="0,-1-0,-2"), PZ4)
    g = beaten("-/R>", PZ4, on=on, back="0,-1-0,-2", options={"that_river": "crossed_side"})
    assert "0,0--1,0" not in advances(g, PZ4)


@pytest.mark.rule("korsun44", "12.16.2", "12.16.3b", "12.16.4", "12.16.5a", "12.16.6")
@pytest.mark.parametrize(
    ("on", "rule"),
    [
        ({"sides": {"1,0|0,0": "stream"}}, "12.16.2"), ({"sides": {"1,0|0,0": "river"}}, "12.16.3"),
        ({"sides": {"1,0|0,0": "swamp"}}, "12.16.5"), ({"terrain": {"0,0": "woods"}}, "12.16.4"),
        ({"terrain": {"0,0": "forest"}}, "12.16.4"), ({"terrain": {"0,0": "town"}}, "12.16.6"), ({}, ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("road", [False, True])
def test_what_ends_an_advance(on: dict[str, dict[str, str]], rule: str, road: bool) -> None:
    roads = [("secondary", "1,0 0,0")] if road else []
    g = beaten("-/R>", R1, on=board(**on, roads=roads), back="-1,0--2,0")  # type: ignore[arg-type]
    if road and rule == "12.16.4":
        rule = ""
    assert (advances(g, R1) == {"0,0"}) == bool(rule)
    why = ends_advance(g, h(g, "1,0"), h(g, "0,0"))
    assert ("" if why is None else why.rule) == rule


@pytest.mark.rule("korsun44", "12.16.4")
def test_any_road_of_the_hex_will_do_with_the_other_reading() -> None:
    on = board(terrain={"0,0": "woods"}, roads=[("secondary", "0,-1 0,0")])
    assert advances(beaten("-/R>", R1, on=on, back="-1,0--2,0"), R1) == {"0,0"}
    g = beaten("-/R>", R1, on=on, back="-1,0--2,0", options={"road_hex": "any_road"})
    assert "0,0--1,0" in advances(g, R1)


@pytest.mark.rule("korsun44", "12.17.2.6")
@pytest.mark.parametrize(("reading", "far"), [("one_hex", False), ("two_hexes", True)])
def test_disorganized_units_advance_one_hex(reading: str, far: bool) -> None:
    g = beaten("D/R>", PZ4, back="-1,0--2,0", options={"d_and_breakthrough": reading})
    assert ("0,0--1,0" in advances(g, PZ4)) == far
    assert "0,0" in advances(g, PZ4)


@pytest.mark.rule("korsun44", "12.1.4b", "12.1.3.D3b")
def test_who_gets_a_breakthrough_marker() -> None:
    for units, marked in (((PZ4, MOT), (PZ4, MOT)), ((R1, PIO), ()), ((PZ4, RECON), (PZ4, RECON)), ((MOT,), ())):
        g = beaten("-/R>", *units, back="-1,0--2,0")
        for x in units:
            play(g, f"advance {x} 0,0")
        assert tuple(x for x in units if g.status[u(g, x)] & BREAKTHROUGH) == marked


@pytest.mark.rule("korsun44", "12.15.1.2", "4.5.4b")
def test_tanks_that_belong_to_cavalry_go_with_it() -> None:
    cavalry = "11Gcav.5GCC"
    g = position(unit(R1, "0,0", steps=1))
    tank = next(g.id(x) for x, y in enumerate(g.forces.stays_with) if y >= 0 and g.id(y) == cavalry)
    g = position(unit(cavalry, "1,0"), unit(tank, "1,0"), unit("Alarm1", "0,0"))
    applied(g, "-/R", cavalry, tank)
    play(g, "retreat Alarm1 -1,0", f"advance {cavalry} 0,0")
    assert [on_map(g, x) for x in (cavalry, tank)] == ["0,0", "0,0"]


@pytest.mark.rule("korsun44", "15.3.2.c3", "15.3.2.c4", "15.1.3a")
def test_advances_remove_minefields_and_improved_positions() -> None:
    g = position(unit(R1, "1,0"), unit(D1, "0,0"))
    g.works[h(g, "0,0")] = MINES | g.map.grid.direction(h(g, "0,0"), h(g, "1,0")) << FACING
    applied(g, "-/R", R1)
    play(g, choices(g)[0], f"advance {R1} 0,0")
    assert not g.works[h(g, "0,0")]
    g = position(unit(D1, "1,0"), unit(FUS, "0,0"))
    g.set_works(h(g, "0,0"), IP)
    applied(g, "-/R", D1)
    play(g, choices(g)[0], f"advance {D1} 0,0")
    assert not g.works[h(g, "0,0")] & IP
    assert g.control[h(g, "0,0")] == SOVIET


@pytest.mark.rule("korsun44", "12.16.3b", "15.2b")
def test_who_advances_over_a_bridge_controls_it() -> None:
    on = board(sides={"1,0|0,0": "river"}, roads=[("primary", "1,0 0,0")])
    g = beaten("-/R", PZ4, on=on)
    play(g, f"advance {PZ4} 0,0")
    i = g.bridge_of(g.map.grid.hexside(h(g, "1,0"), h(g, "0,0")))[0]
    assert (g.bridge_owner[i], g.bridge_state[i]) == (GERMAN, INTACT)


@pytest.mark.rule("korsun44", "9.2.1.2", "12.16.3b")
@pytest.mark.parametrize(("roads", "on_foot"), [([], True), ([("secondary", "1,0 0,0")], False)])
def test_motorized_infantry_that_advances_over_a_river_leaves_its_vehicles(
    roads: list[tuple[str, str]], on_foot: bool
) -> None:
    g = beaten("-/R", MOT, on=board(sides={"0,0|1,0": "river"}, roads=roads))
    play(g, f"advance {MOT} 0,0")
    assert bool(g.status[u(g, MOT)] & ON_FOOT) == on_foot


@pytest.mark.rule("korsun44", "12.16.5b", "12.16.5a")
@pytest.mark.parametrize(("roads", "may"), [([], set()), ([("secondary", "1,0 0,0")], {"0,0"})])
def test_motorized_infantry_crosses_a_swamp_by_road_alone(roads: list[tuple[str, str]], may: set[str]) -> None:
    g = beaten("-/R", MOT, R1, on=board(sides={"0,0|1,0": "swamp"}, roads=roads))
    assert advances(g, MOT) == may
    assert advances(g, R1) == {"0,0"}, "on its own feet"


@pytest.mark.rule("korsun44", "12.15.1.5", "12.15.1.4")
@pytest.mark.parametrize(("result", "follows"), [("R/R", False), ("R/2", True)])
def test_attackers_that_must_go_back_follow_nobody_unless_all_are_dead(result: str, follows: bool) -> None:
    g = position(unit(R1, "1,0"), unit("54FAa.27A", "0,0", steps=2))
    applied(g, result, R1)
    seen = set()
    while g.stack:
        seen |= asked_verbs(g)
        play(g, next((c for c in choices(g) if not c.startswith(("break_down", "pass"))), "pass"))
    assert ("advance" in seen) == follows
    assert (on_map(g, R1) == "0,0") == follows
