"""16.1-16.4, 18.2, 22.1, 22.11, 18.13 Declarations, Stand Fast, Korps Isolation, Wanda, the boundary."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.breakdown import Refusal
from kessel.core.dice import Dice
from kessel.core.hexset import members
from kessel.games.korsun44.board import FIXED_SDM, GERMAN, NO_FIRE_1, SOVIET, STEMMERMANN, Board
from kessel.games.korsun44.movement.reserve import why_not_withdraw_to, withdrawals
from kessel.games.korsun44.special.boundary import (
    BoundarySegment,
    Intervention,
    fronts_have_met,
    is_beyond,
    is_out_of_bounds,
    is_stalin_alarmed,
    why_not_cross,
)
from kessel.games.korsun44.special.breakout import outside, why_not_breakout
from kessel.games.korsun44.special.declarations import SpecialDeclarations
from kessel.games.korsun44.special.isolation import KorpsIsolation, free_moves, why_not_free_move, why_not_isolate
from kessel.games.korsun44.special.reliability import check_reliability
from kessel.games.korsun44.special.stand_fast import Release, line_of, must_stand, why_not_leave
from kessel.games.korsun44.special.wanda import wanda_modifier, why_not_wanda
from kessel.games.korsun44.supply.determination import determine, supply_of
from kessel.games.korsun44.supply.korsun import isolated_units
from kessel.games.korsun44.supply.markers import serves
from kessel.games.korsun44.supply.phases import MarkerPhase, receive_points
from kessel.games.korsun44.turn.setup import new_board

from .helpers import PACK, choices, h, names, play, position, refused, start, told, u, unit
from .supply_helpers import supply_board

# --- 22.1 Stand Fast -----------------------------------------------------------------------------------------------


def game(**options: str) -> Board:
    return new_board(PACK, "campaign", options, Dice(1))


@pytest.mark.rule("korsun44", "22.1")
def test_the_line_of_the_two_korps(campaign: Board) -> None:
    first, second = line_of(campaign, "11K"), line_of(campaign, "42K")
    assert first
    assert second
    assert not first & second
    assert not first & ~campaign.ground.german_lines


def lonely(g: Board) -> tuple[int, int]:
    """A unit that alone keeps a hex of the line of 42nd Korps, and a hex far behind it."""
    for v in g.on_the_map(GERMAN):
        away = h(g, "2714")
        if g.forces.corps[v] == "42K" and why_not_leave(g, v, away) is not None:
            return v, away
    raise AssertionError("every unit is free to go")


@pytest.mark.rule("korsun44", "22.1")
def test_a_unit_may_not_leave_a_hole_in_the_front(campaign: Board) -> None:
    g = campaign
    v, away = lonely(g)
    why = why_not_leave(g, v, away)
    assert isinstance(why, Refusal)
    assert why.rule == "22.1"
    assert why_not_leave(g, v, g.place[v]) is None
    g.released[g.commands.index("42K")] = 1
    g.changed()
    assert why_not_leave(g, v, away) is None
    free = next(x for x in g.on_the_map(GERMAN) if g.forces.corps[x] == "47PzK")
    assert why_not_leave(g, free, away) is None


@pytest.mark.rule("korsun44", "22.1")
def test_each_unit_on_the_line_stays_with_that_reading() -> None:
    g = game(stand_fast="each_unit")
    on_line = next(
        x for x in g.on_the_map(GERMAN) if line_of(g, "42K") >> g.place[x] & 1 and g.forces.corps[x] == "42K"
    )
    assert why_not_leave(g, on_line, h(g, "2714")) is not None
    behind = next(
        x for x in g.on_the_map(GERMAN) if not line_of(g, "42K") >> g.place[x] & 1 and g.forces.corps[x] == "42K"
    )
    assert why_not_leave(g, behind, h(g, "2714")) is None


@pytest.mark.rule("korsun44", "22.1")
def test_armor_on_the_line_does_not_withdraw_from_it() -> None:
    g = game(stand_fast="each_unit")
    tank = next(x for x in range(len(g.forces)) if g.forces.armor[x] and g.forces.corps[x] == "11K")
    line, hexes = line_of(g, "11K"), g.map.grid.around
    for place in members(line & ~g.hexes_of(GERMAN)):
        g.put(tank, place)
        free = [x for x in hexes[place] if why_not_withdraw_to(g, tank, x) is None]
        assert not free
        g.released[g.commands.index("11K")] = 1
        g.changed()
        free = [x for x in hexes[place] if why_not_withdraw_to(g, tank, x) is None]
        assert set(free) == {x for p, x in withdrawals(g) if p == tank}
        if free:
            return
        g.released[g.commands.index("11K")] = 0
        g.changed()
    raise AssertionError("nowhere could it withdraw")


@pytest.mark.rule("korsun44", "22.1")
@pytest.mark.parametrize(
    ("turn", "dice", "free"),
    [(3, (), (False, False)), (4, (4, 5), (False, True)), (6, (3, 2), (True, False))],
)
def test_release_by_die(turn: int, dice: tuple[int, ...], free: tuple[bool, bool]) -> None:
    g = game()
    g.set_track("turn", turn)
    start(g, Release(), dice=dice)
    assert tuple(not must_stand(g, k) for k in ("11K", "42K")) == free


@pytest.mark.rule("korsun44", "22.1")
def test_both_korps_are_released_together_with_that_reading() -> None:
    g = game(korps_released="together")
    g.set_track("turn", 4)
    start(g, Release(), dice=(5,))
    assert not must_stand(g, "11K")
    assert not must_stand(g, "42K")


# --- 16.2 Korps Isolation ------------------------------------------------------------------------------------------


def cut(g: Board) -> Board:
    """A unit of 42nd Korps surrounded by Soviet divisions, far from everybody."""
    regiment = u(g, "245.88ID")
    g.put(regiment, h(g, "1005"))
    ring = [v for v in g.on_the_map(SOVIET) if g.forces.counters[v].size == "division"][:6]
    for v, n in zip(ring, g.map.grid.around[h(g, "1005")], strict=True):
        g.put(v, n)
    return g


@pytest.mark.rule("korsun44", "16.2a")
def test_a_korps_with_a_unit_without_a_path_may_be_declared_isolated(campaign: Board) -> None:
    assert why_not_isolate(campaign, "42K") is not None
    cut(campaign)
    assert why_not_isolate(campaign, "42K") is None
    assert why_not_isolate(campaign, "11K") is not None
    assert why_not_isolate(campaign, "7K") is not None


@pytest.mark.rule("korsun44", "16.2.1a", "16.2.1b", "16.2.1c", "16.2.5", "16.2.2", "16.2.3a", "16.2.3b")
def test_sdms_of_an_isolated_korps(campaign: Board) -> None:
    g = cut(campaign)
    start(g, SpecialDeclarations())
    play(g, "isolate_korps 42K")
    assert not must_stand(g, "42K")
    assert refused(g, "relocate SDM1.42K 2715 3").rule == "16.2.1"
    assert refused(g, "relocate SDM1.42K 2310 4").rule == "16.2.1"
    play(g, "relocate SDM1.42K 2310 3")
    s = u(g, "SDM1.42K")
    assert (g.sdm_at[s], g.sdm_sp[s]) == (h(g, "2310"), 3)
    assert g.sdm_flags[s] & FIXED_SDM
    receive_points(g, GERMAN)
    assert g.sdm_sp[s] == 3, "it receives nothing and keeps what it has"


@pytest.mark.rule("korsun44", "16.2.1a")
def test_the_hexes_of_11th_korps(campaign: Board) -> None:
    start(campaign, KorpsIsolation(GERMAN, "11K"))
    where = {c.split()[2] for c in choices(campaign) if c.startswith("relocate")}
    assert where == {"3821", "4223", "4114"}


@pytest.mark.rule("korsun44", "16.2.3b", "16.2.2")
def test_a_relocated_sdm_supplies_while_it_has_points(campaign: Board) -> None:
    g = campaign
    s, regiment = u(g, "SDM1.42K"), u(g, "245.88ID")
    g.place_sdm(s, h(g, "2310"))
    g.put(regiment, h(g, "2311"))
    g.sdm_flags[s] = FIXED_SDM
    g.sdm_sp[s] = 1
    g.changed()
    assert s in [x for _, x in supply_of(g, regiment).sdms]
    g.set_sp(s, 0)
    assert s not in [x for _, x in supply_of(g, regiment).sdms]
    g.set_sp(s, 1)
    start(g, MarkerPhase(GERMAN))
    assert not g.sdm_flags[s] & FIXED_SDM, "its korps can trace again"


@pytest.mark.rule("korsun44", "16.2.1d")
def test_an_active_korsun_pays_for_the_sdms(campaign: Board) -> None:
    g = campaign
    for track, value in (("korsun_declared", 1), ("korsun_active", 1), ("korsun_sp", 5), ("turn", 3)):
        g.set_track(track, value)
    start(g, KorpsIsolation(GERMAN, "42K"))
    play(g, "relocate SDM1.42K 2310 4")
    assert g.track("korsun_sp") == 1
    assert refused(g, "relocate SDM2.42K 1911 2").rule == "16.2.1"
    play(g, "relocate SDM2.42K 1911 1")
    assert g.track("korsun_sp") == 0


@pytest.mark.rule("korsun44", "16.2.4")
def test_the_special_move_of_two_hexes(campaign: Board) -> None:
    g = campaign
    regiment = u(g, "248.88ID")
    start(g, KorpsIsolation(GERMAN, "42K"))
    play(g, "pass")
    ends = free_moves(g, regiment)
    assert ends
    targets = [h(g, x) for x in ("2310", "1911", "2713")]
    for x in names(g, ends):
        assert g.map.grid.distance(g.place[regiment], h(g, x)) <= 2
        assert any(g.map.grid.distance(h(g, x), t) < g.map.grid.distance(g.place[regiment], t) for t in targets)
    end = sorted(names(g, ends))[0]
    assert why_not_free_move(g, "42K", regiment, h(g, end)) is None
    assert why_not_free_move(g, "11K", regiment, h(g, end)) is not None
    play(g, f"withdraw_to 248.88ID {end}")
    assert g.place[regiment] == h(g, end)
    assert refused(g, f"withdraw_to 248.88ID {end}").rule == "16.2.4"


@pytest.mark.rule("korsun44", "16.2.4", "9.10.3b")
def test_a_gun_that_makes_the_special_move_may_not_fire(campaign: Board) -> None:
    g = start(campaign, KorpsIsolation(GERMAN, "42K"))
    play(g, "pass")
    guns = [v for v in g.on_the_map(GERMAN) if g.forces.corps[v] == "42K" and g.forces.counters[v].no_fire]
    gun = next(v for v in guns if free_moves(g, v))
    play(g, f"withdraw_to {g.id(gun)} {sorted(names(g, free_moves(g, gun)))[0]}")
    assert g.status[gun] & NO_FIRE_1


# --- 16.3 Wanda ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "16.3a", "16.3.1", "16.3.2")
def test_wanda_is_declared_from_turn_ten_on() -> None:
    assert why_not_wanda(position(turn=9)) is not None
    g = start(position(turn=10), SpecialDeclarations())
    play(g, "declare_wanda", dice=[2, 3])
    assert g.track("air_german") == 4
    assert g.track("wanda_end") == 18
    assert why_not_wanda(g) is not None


@pytest.mark.rule("korsun44", "16.3.3", "16.3.4")
@pytest.mark.parametrize(("reading", "last"), [("counts", 3), ("does_not", 0)])
def test_wanda_adds_three_until_its_end(reading: str, last: int) -> None:
    found = []
    for turn in (10, 11, 18, 19):
        g = position(turn=turn, options={"wanda_last": reading})
        g.set_track("wanda_start", 10)
        g.set_track("wanda_end", 18)
        found.append(wanda_modifier(g))
    assert found == [0, 3, last, 0]
    g = position(turn=18)
    g.set_track("wanda_end", 18)
    start(g, SpecialDeclarations())
    assert "Operation Wanda ends" in told(g)


# --- 16.4 Breakout -------------------------------------------------------------------------------------------------


def pocket_and_relief(distance: int, declared: int = 5, **fields: Any) -> Board:
    g = position(unit("245.88ID", "0,0", status=["Stemmermann"]), unit("II-2.16Pz", f"{distance},0"), turn=8, **fields)
    g.set_track("korsun_declared", declared)
    return g


@pytest.mark.rule("korsun44", "16.4.1", "16.4.2", "16.4a")
def test_when_a_breakout_may_be_declared() -> None:
    assert why_not_breakout(pocket_and_relief(3)) is None
    assert why_not_breakout(pocket_and_relief(4)) is not None
    assert why_not_breakout(pocket_and_relief(3, declared=8)) is not None
    assert why_not_breakout(pocket_and_relief(3, declared=0)) is not None
    g = start(pocket_and_relief(2), SpecialDeclarations())
    play(g, "declare_breakout")
    assert g.track("breakout") == 8


def shut_in(*more: dict[str, Any], at: str = "0,0") -> Board:
    """A regiment of the pocket, a panzer battalion and an alarm unit inside a ring of six divisions."""
    divisions = ("180.27A", "206.27A", "136.40A", "167.40A", "133.40A", "232.40A")
    ring = zip(divisions, ("3,0", "0,3", "-3,3", "-3,0", "0,-3", "3,-3"), strict=True)
    g = position(
        unit("245.88ID", at, status=["Stemmermann"]), unit("II-2.16Pz", "1,0"), unit("Alarm1", "-1,0", status="alarm"),
        *(unit(name, where) for name, where in ring), *more,
        on=supply_board(7, sources={"7,0": "1PzA"}), turn=8,
    )  # fmt: skip
    g.set_track("korsun_declared", 5)
    return g


@pytest.mark.rule("korsun44", "16.4.2", "16.5.3.5")
def test_germans_shut_in_with_the_pocket_are_not_outside_it() -> None:
    g = shut_in()
    assert outside(g) == 0
    assert why_not_breakout(g) is not None, "those who could relieve it are in the ring themselves"
    g = shut_in(unit("I-2.16Pz", "5,0"), at="2,0")
    assert names(g, outside(g)) == {"5,0"}
    assert why_not_breakout(g) is None


# --- 18.2 reliability ----------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "18.2a", "18.2b", "18.2c")
@pytest.mark.parametrize(("name", "dice", "lost"), [("503.Bake", (3, 4), 1), ("503.Bake", (3, 3), 0),
                         ("II-23.Bake", (2, 3), 1), ("II-23.Bake", (3, 3), 1), ("II-23.Bake", (3, 4), 0)])  # fmt: skip
def test_panthers_and_tigers_break_down(name: str, dice: tuple[int, int], lost: int) -> None:
    turn = next(i for i, t in enumerate(position().charts.turns, 1) if t.reliability)
    g = start(
        position(unit(name, "0,0"), unit("II-2.16Pz", "1,0"), turn=turn, options={"reliability": "on"}), dice=dice
    )
    before = g.steps[u(g, name)]
    check_reliability(g)
    assert g.steps[u(g, name)] == before - lost
    plain = next(i for i, t in enumerate(g.charts.turns, 1) if not t.reliability)
    g.set_track("turn", plain)
    check_reliability(g)
    assert g.steps[u(g, name)] == before - lost


# --- 22.11, 18.13 the boundary -------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "22.11")
def test_units_beyond_their_boundary_are_out_of_supply(campaign: Board) -> None:
    g = campaign
    first, second = u(g, "180.27A"), u(g, "110.18TkC")
    for v, name, beyond in (
        (first, "3420", False),
        (first, "3520", True),
        (second, "2920", False),
        (second, "2820", True),
    ):
        assert is_beyond(g, v, h(g, name)) == beyond
    assert not is_beyond(g, _cavalry(g), h(g, "5020"))
    g.put(first, h(g, "3520"))
    assert is_out_of_bounds(g, first)
    assert not supply_of(g, first)
    assert why_not_cross(g, first, h(g, "3520")) is None


def _cavalry(g: Board) -> int:
    return next(v for v in g.on_the_map(SOVIET) if g.forces.corps[v] == "5GCC")


@pytest.mark.rule("korsun44", "22.11")
def test_with_the_other_reading_units_may_not_end_there() -> None:
    g = game(boundary_breach="forbidden")
    v = u(g, "180.27A")
    assert why_not_cross(g, v, h(g, "3520")) is not None
    g.put(v, h(g, "3520"))
    assert is_beyond(g, v, g.place[v])
    assert not is_out_of_bounds(g, v), "it keeps its supply where it was driven"


@pytest.mark.rule("korsun44", "22.11")
def test_the_boundary_moves_once_the_fronts_have_met(campaign: Board) -> None:
    g = campaign
    assert not fronts_have_met(g)
    start(g, BoundarySegment())
    assert not g.stack
    g.put(u(g, "180.27A"), h(g, "3020"))
    g.put(u(g, "110.18TkC"), h(g, "3120"))
    start(g, BoundarySegment())
    assert refused(g, "boundary 33").rule == "22.11"
    play(g, "boundary 32")
    assert g.track("boundary") == 32


@pytest.mark.rule("korsun44", "18.13a", "18.13b", "18.13c", "18.13d")
def test_stalin_takes_the_boundary_away() -> None:
    g = game(stalin="on")
    g.put(u(g, "245.88ID"), h(g, "2520"))
    tank = next(v for v in g.on_the_map(GERMAN) if g.forces.corps[v] == "47PzK")
    g.put(tank, h(g, "2526"))
    g.set_track("turn", 16)
    assert not is_stalin_alarmed(g)
    g.set_track("turn", 17)
    assert is_stalin_alarmed(g)
    g.put(u(g, "180.27A"), h(g, "3520"))
    start(g, Intervention())
    assert g.track("stalin") == 17
    assert not is_out_of_bounds(g, u(g, "180.27A"))
    division = next(v for v in g.on_the_map(SOVIET) if g.forces.army[v] == "52A")
    assert serves(g, u(g, "SDM1.4GA"), division)
    assert serves(g, u(g, "SDM1.40A"), u(g, "180.27A"))
    assert not serves(g, u(g, "SDM1.27A"), division)
    determine(g, SOVIET)
    assert not g.status[tank] & STEMMERMANN


@pytest.mark.rule("korsun44", "16.2a")
@pytest.mark.parametrize("korsun", ["0,0", "3,0", "0,3"])
def test_a_path_to_korsun_itself_keeps_a_korps_from_being_isolated(korsun: str) -> None:
    g = position(unit("245.88ID", "-2,0"), on=supply_board(5, korsun=korsun))
    assert not isolated_units(g, "42K"), "Korsun need not be declared"
    g = position(unit("245.88ID", "-2,0"), unit("180.27A", korsun), on=supply_board(5, korsun=korsun))
    assert [g.id(v) for v in isolated_units(g, "42K")] == ["245.88ID"]
