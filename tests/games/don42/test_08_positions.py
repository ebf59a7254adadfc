"""8.0 German Defensive Position Phase, 19.4 pontoon bridges."""

from __future__ import annotations

import pytest

from kessel.games.don42.answers.faults import faults
from kessel.games.don42.board import BUILDING, HASTY, NO_POSITION, PREPARED, READY
from kessel.games.don42.combat.retreat import Withdraw
from kessel.games.don42.movement.defensive_positions import dig, markers_left, remove_vacated, why_not_dig
from kessel.games.don42.movement.pontoons import finish, pontoon_sites

from .helpers import ask, at, board, disc, do, fresh, ger, h, pos, refusal, sov, start, texts, u, word

ROADS = [("minor_road", " ".join(f"0,{r}" for r in range(-6, 7)))]
HOME = board(roads=ROADS, features={"0,6": ["german_source"]})


def hqs(**more):
    corps = ger("HQ14PzC", "0,0", "0-1-10", type="hq", size="corps", division="", **more)
    return [corps, ger("HQ16Pz", "0,1", "0-1-10", type="hq", size="division")]


def site(*units, **fields):
    return pos(*hqs(**fields.pop("hq", {})), *units, on=fields.pop("on", HOME), supply="traced",
               phase="positions", **fields)  # fmt: skip


def shifts(g, hex_, units):
    found = ask(g, "attack", hex=hex_, units=units)["shifts"]["items"]
    return {i["what"]: i["value"] for i in found if "Position" in i["what"]}


@pytest.mark.rule("don42", "8.0.a", "8.1.a")
def test_a_supplied_german_within_ten_mps_of_its_corps_hq_creates_a_hasty_position():
    g = site(ger("A", "3,0"))
    do(g, "entrench 3,0")
    assert g.position[h(g, "3,0")] == HASTY
    hills = {f"{q},{r}": "hill" for q in range(1, 7) for r in range(-6, 7) if abs(q + r) <= 6}
    far = site(ger("A", "6,0"), on=board(roads=ROADS, features={"0,6": ["german_source"]}, terrain=hills))
    assert why_not_dig(far, h(far, "6,0"), ()).rule in ("8.1", "8.1.1")
    assert "entrench 6,0" not in texts(far)


@pytest.mark.rule("don42", "8.1.a", "8.2.a")
def test_eleven_mps_are_too_far():
    g = pos(*hqs(), ger("A", "6,0", supply="attack"), on=HOME, weather="mud", phase="positions")
    assert why_not_dig(g, h(g, "6,0"), ()).rule == "8.1"
    g.position[h(g, "6,0")] = HASTY
    assert why_not_dig(g, h(g, "6,0"), ()).rule == "8.1"
    near = pos(*hqs(), ger("A", "3,0", supply="attack"), on=HOME, weather="mud", phase="positions")
    assert why_not_dig(near, h(near, "3,0"), ()) is None


@pytest.mark.rule("don42", "8.0.b")
def test_one_kind_of_position_per_hex():
    g = site(ger("A", "3,0"), positions={"3,0": "hasty"})
    do(g, "entrench 3,0")
    assert g.position[h(g, "3,0")] == PREPARED, "the marker was replaced, not added"
    assert why_not_dig(g, h(g, "3,0"), ()).rule == "8.3"


@pytest.mark.rule("don42", "8.0.c")
def test_the_soviets_create_no_positions():
    g = site(sov("X", "3,0"))
    assert "entrench 3,0" not in texts(g)
    assert refusal(g, "entrench 3,0").rule == "8.0"


@pytest.mark.rule("don42", "8.0.d")
def test_terrain_still_counts_inside_a_position():
    on = board(terrain={"1,0": "hill"})
    g = pos(ger("A", "1,0"), sov("X", "0,0"), on=on, positions={"1,0": "hasty"}, phase="soviet_combat")
    items = {i["what"]: i["value"] for i in ask(g, "attack", hex="1,0", units=["X"])["shifts"]["items"]}
    assert items["defender in hill"] == -1
    assert items["Hasty Position"] == -1


@pytest.mark.rule("don42", "8.0.e")
def test_a_position_counts_for_nothing_when_its_germans_attack():
    g = pos(ger("A", "1,0"), sov("X", "0,0"), positions={"1,0": "prepared"}, phase="german_combat")
    assert shifts(g, "0,0", ["A"]) == {}


@pytest.mark.rule("don42", "8.1.b", "8.2.b")
def test_positions_are_built_in_a_soviet_zone_without_a_roll():
    g = site(ger("A", "3,0"), sov("X", "4,0"))
    do(g, "entrench 3,0")
    assert g.dice.count == 0
    assert g.position[h(g, "3,0")] == HASTY
    g = site(ger("A", "3,0"), sov("X", "4,0"), positions={"3,0": "hasty"})
    do(g, "entrench 3,0")
    assert g.position[h(g, "3,0")] == PREPARED


@pytest.mark.rule("don42", "8.1.c", "8.2.c", "12.5.3.a", "12.5.3.b")
def test_hasty_gives_one_column_prepared_two():
    for kind, value in (("hasty", -1), ("prepared", -2)):
        g = pos(ger("A", "1,0"), sov("X", "0,0"), positions={"1,0": kind}, phase="soviet_combat")
        assert shifts(g, "1,0", ["X"]) == {f"{kind.capitalize()} Position": value}


@pytest.mark.rule("don42", "8.1.d", "8.1.e", "8.2.d", "8.2.e")
def test_a_position_stays_while_a_german_is_there_at_the_end_of_german_movement():
    for kind in ("hasty", "prepared"):
        g = pos(ger("A", "1,0"), ger("B", "3,0"), positions={"1,0": kind, "3,0": kind}, phase="german_movement")
        do(g, "move A", "to -2,0", "halt", "pass")
        assert g.position[h(g, "1,0")] == NO_POSITION
        assert g.position[h(g, "3,0")] != NO_POSITION


@pytest.mark.rule("don42", "8.1.1.a", "8.2.1.a")
def test_a_cut_off_unit_pays_a_point():
    pocket = board(roads=[("minor_road", "0,0 0,1")])
    g = site(ger("A", "3,0"), on=pocket, hq={"supply_points": 1})
    assert "entrench 3,0" in texts(g)
    do(g, "entrench 3,0")
    assert g.sp[u(g, "HQ14PzC")] == 0
    poor = site(ger("A", "3,0"), on=pocket)
    assert why_not_dig(poor, h(poor, "3,0"), ()).rule == "8.1.1"


@pytest.mark.rule("don42", "8.1.1.b", "8.2.1.b", "4.3.2.e")
def test_unsupplied_or_disordered_units_build_nothing():
    for status in ("DRG", "DPT", "RTD"):
        g = site(ger("A", "3,0", status=[status]))
        assert why_not_dig(g, h(g, "3,0"), ()).rule == "8.1.1"
        g.position[h(g, "3,0")] = HASTY
        assert why_not_dig(g, h(g, "3,0"), ()).rule == "8.1.1"
    hungry = site(ger("A", "3,0", supply="out of supply"))
    assert why_not_dig(hungry, h(hungry, "3,0"), ()).rule == "8.1.1"


@pytest.mark.rule("don42", "8.1.1.c", "8.2.1.c")
def test_a_disordered_corps_hq_forbids_positions():
    for status in ("DRG", "DPT", "RTD"):
        g = site(ger("A", "3,0"), hq={"status": [status]})
        assert why_not_dig(g, h(g, "3,0"), ()).rule == "8.1.1"
        g.position[h(g, "3,0")] = HASTY
        assert why_not_dig(g, h(g, "3,0"), ()).rule == "8.1.1"


@pytest.mark.rule("don42", "8.3.a")
def test_markers_are_limited_and_come_back():
    spots = [f"{q},{r}" for q in (1, 2, 3, -1, -2, -3) for r in (0, 1)] + ["1,-1"]
    g = site(*(ger(f"A{i}", s) for i, s in enumerate(spots)))
    for s in spots[:12]:
        dig(g, h(g, s))
    assert markers_left(g) == 0
    assert why_not_dig(g, h(g, spots[12]), ()).rule == "8.3"
    g.move(u(g, "A0"), h(g, "5,0"))
    remove_vacated(g)
    assert markers_left(g) == 1
    assert why_not_dig(g, h(g, spots[12]), ()) is None


@pytest.mark.rule("don42", "8.3.a")
def test_a_board_with_more_positions_than_markers_is_unsound():
    g = pos(ger("A", "0,0"))
    for name in disc(2)[:12]:
        g.position[h(g, name)] = HASTY
    assert faults(g) == []
    g.position[h(g, disc(2)[12])] = HASTY
    assert faults(g) == ["more positions than markers"]


def test_a_pontoon_over_dry_land_is_unsound():
    g = pos(ger("A", "0,0"), on=board(sides={"1,0|2,0": "minor_river"}))
    wrong = ["a pontoon stands over no Don hexside"]
    g.pontoon_state[0] = READY
    assert faults(g) == wrong, "laid nowhere"
    g.pontoon_at[0] = g.map.grid.parse_hexside("0,0|1,0")
    assert faults(g) == wrong
    g.pontoon_at[0] = g.map.grid.parse_hexside("1,0|2,0")
    assert faults(g) == []


@pytest.mark.rule("don42", "8.3.b")
def test_disordered_germans_may_stay_inside():
    for status in ("DRG", "DPT"):
        g = pos(ger("A", "1,0", status=[status]), positions={"1,0": "hasty"}, phase="german_movement")
        do(g, "pass")
        assert g.position[h(g, "1,0")] == HASTY


@pytest.mark.rule("don42", "8.3.c")
def test_routed_or_retreating_germans_leave_the_position():
    g = pos(ger("A", "1,0"), sov("X", "0,0"), positions={"1,0": "prepared"})
    start(g, Withdraw(0, (u(g, "A"),), 1, (h(g, "0,0"),)))
    assert all(t != "retreat 1,0" for t in texts(g))
    do(g, texts(g)[0])
    assert at(g, "A") != "1,0"


@pytest.mark.rule("don42", "8.3.d")
def test_a_german_in_any_status_may_retreat_into_a_position():
    g = pos(ger("A", "1,0", status=["DPT"]), sov("X", "0,0"), positions={"2,0": "hasty"})
    start(g, Withdraw(0, (u(g, "A"),), 1, (h(g, "0,0"),)))
    do(g, "retreat 2,0")
    assert at(g, "A") == "2,0"
    assert g.position[h(g, "2,0")] == HASTY
    assert word(g, "A") == "DPT"


@pytest.mark.rule("don42", "8.3.e")
def test_germans_in_positions_may_be_displaced():
    there = [ger("B", "2,0"), ger("C", "2,0")]
    g = pos(ger("A", "1,0"), *there, sov("X", "0,0"), positions={"2,0": "prepared"})
    start(g, Withdraw(0, (u(g, "A"),), 1, (h(g, "0,0"),)))
    do(g, "retreat 2,0")
    assert any(t.startswith("displace B") for t in texts(g))


# --- 19.4 pontoons -------------------------------------------------------------------------------------------------

RIVER = {f"0,{r}|1,{r}": "minor_river" for r in range(-5, 6)} | {
    f"0,{r}|1,{r - 1}": "minor_river" for r in range(-5, 7)
}
WEST = " ".join(f"{q},{r}" for q in range(-6, 1) for r in range(-6, 7) if abs(q + r) <= 6)
BANKS = board(sides=RIVER, areas={"west_bank": WEST})


@pytest.mark.rule("don42", "7.4.b", "19.4", "RX-19.4")
def test_a_pontoon_is_begun_beside_a_supplied_german_on_the_west_bank_and_ready_next_turn():
    g = pos(ger("A", "0,0", "4-4-10"), on=BANKS, phase="positions")
    assert "pontoon 0,0|1,0" in texts(g)
    do(g, "pontoon 0,0|1,0")
    assert g.pontoon_state[0] == BUILDING
    walk = pos(ger("A", "0,0", "4-4-10"), on=BANKS, pontoons=[{"hexside": "0,0|1,0", "state": "building"}],
               phase="german_movement")  # fmt: skip
    assert ask(walk, "moves", unit="A", to="1,0")["cost"] == 3
    finish(g)
    assert g.pontoon_state[0] == READY
    ready = pos(ger("A", "0,0", "4-4-10"), on=BANKS, pontoons=[{"hexside": "0,0|1,0"}], phase="german_movement")
    assert ask(ready, "moves", unit="A", to="1,0")["cost"] == 1


@pytest.mark.rule("don42", "19.4", "RX-19.4")
def test_where_no_pontoon_can_be_begun():
    hungry = pos(ger("A", "0,0", supply="out of supply"), on=BANKS, phase="positions")
    assert pontoon_sites(hungry) == []
    zoned = pos(ger("A", "-1,0"), sov("X", "-1,1"), on=BANKS, phase="positions")
    assert "pontoon 0,0|1,0" not in texts(zoned)
    off = pos(ger("A", "0,0"), on=BANKS, phase="positions", options={"pontoons": "off"})
    assert pontoon_sites(off) == []
    east = pos(ger("A", "2,0"), on=BANKS, phase="positions")
    assert pontoon_sites(east) == []


@pytest.mark.rule("don42", "7.4.b")
def test_two_pontoons_at_most():
    g = pos(ger("A", "0,0"), on=BANKS, pontoons=[{"hexside": "0,3|1,3"}, {"hexside": "0,-3|1,-3"}], phase="positions")
    assert pontoon_sites(g) == []


@pytest.mark.rule("don42", "4.3.3.d", "19.4.5")
@pytest.mark.parametrize(("die", "mended"), [(3, False), (4, True)])
def test_a_destroyed_bridge_or_pontoon_is_repaired_on_4_or_more(die, mended):
    lost = [{"hexside": "0,0|1,0", "state": "destroyed"}]
    g = pos(ger("A", "0,0"), ger("B", "-3,0"), on=BANKS, pontoons=lost, phase="positions")
    assert refusal(g, "repair 0,0|0,1") == ("19.4.5", "no destroyed bridge is there")
    do(g, "repair 0,0|1,0", dice=[die])
    assert (g.pontoon_state[0] == READY) is mended
    assert "repair 0,0|1,0" not in texts(g), "once a turn"
    watched = pos(ger("A", "0,0"), sov("X", "2,0"), on=BANKS, pontoons=lost, phase="positions")
    assert refusal(watched, "repair 0,0|1,0").rule == "19.4.5"


def test_a_pontoon_between_two_road_ends_joins_them():
    on = board(sides=RIVER, areas={"west_bank": WEST}, roads=[("minor_road", "0,0 -1,0"), ("minor_road", "1,0 2,0")])
    g = pos(ger("A", "-1,0"), on=on, pontoons=[{"hexside": "0,0|1,0"}])
    assert g.crossings.road_net(1 << h(g, "-1,0"), g.map.grid.all) >> h(g, "2,0") & 1
    without = pos(ger("A", "-1,0"), on=on)
    assert not without.crossings.road_net(1 << h(without, "-1,0"), without.map.grid.all) >> h(without, "2,0") & 1
    assert fresh
