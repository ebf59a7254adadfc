"""7 German reserves."""

from __future__ import annotations

import pytest

from kessel.core.procedure import PASS, apply, legal, run, why_not
from kessel.games.kharkov43.board import RESERVE, Board
from kessel.games.kharkov43.sequence import GameTurn
from kessel.games.kharkov43.turn.german_reserves import (
    DeployReserves,
    ends,
    is_delayed,
    reserves_of,
    strategic_hexes,
    tactical_ends,
    tactical_hexes,
    why_not_deploy,
)

from .helpers import board, german, hexes, hx, names, panzer, position, soviet, unit

rule = pytest.mark.rule
example = pytest.mark.example
ROWS, COLUMNS = (10, 20), range(1, 16)
ALL = " ".join(hexes(*ROWS, COLUMNS))
ROAD = " ".join(f"15{c:02d}" for c in range(15, 3, -1))


def sheet(**more):
    """A German west edge at column 15, a road along row 15 from it; all of the map in all areas."""
    areas = {"deploy_4pz": ALL, "deploy_1pz": ALL, "deploy_raus": ALL, **more.pop("areas", {})}
    more.setdefault("german_edge", " ".join(f"{r}15" for r in range(10, 21)))
    return board(ROWS, COLUMNS, roads=[ROAD], exits="1515", areas=areas, **more)


def where(g: Board, name: str = "R") -> set[str]:
    return {g.hex_name(h) for h in ends(g, unit(g, name))}


def deploying(*units, **more) -> Board:
    more.setdefault("board", sheet())
    g = position(units=list(units), **more)
    reserves = tuple(u for u in range(len(g.forces)) if g.box[u] == RESERVE)
    g.stack = [DeployReserves(reserves)]
    run(g)
    return g


R = german("R", "reserve", corps="XL")
MATE = german("M", "1510", corps="XL")


@rule("kharkov43", "7.0a")
def test_a_reserve_is_a_unit_in_the_reserve_box():
    g = position(
        board=sheet(), units=[R, MATE, german("E", "eliminated", corps="XL"), german("C", "calendar", corps="XL")]
    )
    assert [g.id(u) for u in reserves_of(g, "XL")] == ["R"]
    assert why_not_deploy(g, unit(g, "E"), hx(g, "1511")).rule == "7.0"


@rule("kharkov43", "7.1a")
def test_all_reserves_that_can_be_placed_must_be():
    g = deploying(R, german("Q", "reserve", corps="XL"), MATE)
    assert PASS not in legal(g)
    apply(g, ("deploy", unit(g, "R"), hx(g, "1511")))
    assert {g.id(a[1]) for a in legal(g)} == {"Q"}
    apply(g, legal(g)[0])
    assert not g.stack


@rule("kharkov43", "2.21c")
@rule("kharkov43", "7.1h")
def test_corps_raus_is_no_part_of_4th_panzer_army_when_reserves_are_deployed():
    """4th Panzer Army for command, by itself for deployment: M of Raus helps no reserve of II SS to its place."""
    reserve = german("R", "reserve", corps="IISS")
    with_raus = position(board=sheet(), units=[reserve, german("M", "1510", corps="Raus"), soviet("S", "1502")])
    with_lvii = position(board=sheet(), units=[reserve, german("M", "1510", corps="LVII"), soviet("S", "1502")])
    assert "1115" in where(with_raus), "strategic deployment needs nobody"
    assert tactical_ends(with_raus, unit(with_raus, "R")) == []
    assert with_lvii.hex_name(tactical_ends(with_lvii, unit(with_lvii, "R"))[0]) in where(with_lvii)
    other_way = position(board=sheet(), units=[german("R", "reserve", corps="Raus"), german("M", "1510", corps="LVII")])
    assert tactical_ends(other_way, unit(other_way, "R")) == []


@rule("kharkov43", "7.1b")
@rule("kharkov43", "2.1d")
@rule("kharkov43", "2.21c")
def test_only_in_the_units_army_area():
    b = sheet(areas={"deploy_1pz": "1511 1512 1513 1514 1515 1611", "deploy_raus": "1208 1209"})
    g = position(board=b, units=[R, MATE, german("Z", "reserve", corps="Raus"), german("Y", "1510", corps="Raus")])
    assert where(g) <= {"1511", "1512", "1513", "1514", "1515", "1611"}
    assert "outside the deployment area of 1Pz" in why_not_deploy(g, unit(g, "R"), hx(g, "1509")).reason
    assert "outside the deployment area of 1Pz" in why_not_deploy(g, unit(g, "R"), hx(g, "1510")).reason
    assert where(g, "Z") == set(), "no supply head in the area of Corps Raus"


@rule("kharkov43", "7.1c")
@rule("kharkov43", "7.1h")
def test_tactical_a_supply_head_or_a_clear_hex_beside_one_within_three_of_a_mate():
    g = position(board=sheet(terrain={"1409": "woods"}), units=[R, MATE])
    tactical = {g.hex_name(h) for h in tactical_ends(g, unit(g, "R"))}
    assert {"1510", "1507", "1513", "1410", "1610"} <= tactical
    assert "1409" not in tactical, "woods beside the road"
    assert "1506" not in tactical, "four hexes from the mate"
    assert "1309" not in tactical, "not beside a head"
    assert "neither a German supply head" in why_not_deploy(g, unit(g, "R"), hx(g, "1309")).reason


@rule("kharkov43", "7.1d")
@rule("kharkov43", "7.1f")
@rule("kharkov43", "13.22k")
def test_tactical_three_hexes_from_enemies_isolated_ones_excepted():
    g = position(board=sheet(terrain={"1505": "town"}), soviet_towns="1505", units=[R, MATE, soviet("S", "1312")])
    tactical = {g.hex_name(h) for h in tactical_ends(g, unit(g, "R"))}
    grid = g.map.grid
    assert all(grid.distance(hx(g, h), hx(g, "1312")) >= 3 for h in tactical)
    assert all(grid.distance(hx(g, h), hx(g, "1505")) >= 3 for h in tactical)
    assert "1508" in tactical
    assert "1507" not in tactical, "two hexes from the Soviet town"
    assert "1512" not in tactical, "two hexes from S"
    assert "too near" in why_not_deploy(g, unit(g, "R"), hx(g, "1412")).reason
    g = position(board=sheet(), units=[R, MATE, soviet("S", "1312", status=["isolated"])])
    assert "1512" in where(g)
    assert "1412" in where(g)
    own = position(board=sheet(), units=[R, MATE, soviet("S", "1511", status=["isolated"])])
    assert "1511" not in where(own), "except in its own hex"


@rule("kharkov43", "7.1e")
@rule("kharkov43", "7.1l")
def test_two_hexes_suffice_in_a_map_edge_hex():
    g = position(board=sheet(), units=[R, german("M", "1415", corps="XL"), soviet("S", "1314")])
    edge, inland = hx(g, "1415"), hx(g, "1514")
    assert g.map.grid.distance(edge, hx(g, "1314")) == 2
    assert g.map.grid.distance(inland, hx(g, "1314")) == 2
    assert tactical_hexes(g, unit(g, "R")) >> edge & 1
    assert not tactical_hexes(g, unit(g, "R")) >> inland & 1
    assert strategic_hexes(g, unit(g, "R")) >> edge & 1
    assert not strategic_hexes(g, unit(g, "R")) >> inland & 1


@rule("kharkov43", "7.1g")
@rule("kharkov43", "15.22c")
def test_not_in_a_garrisoned_hex_but_beside_it():
    b = sheet(features={"1410": "village"})
    g = position(board=b, turn=4, garrisons="1410", units=[R, MATE])
    assert "1410" not in where(g)
    assert "1411" in where(g)
    assert why_not_deploy(g, unit(g, "R"), hx(g, "1410")).reason == "1410 is garrisoned"


@rule("kharkov43", "7.1h")
def test_an_army_mate_counts_only_if_no_corps_mate_will_do():
    army = german("A", "1505", corps="III")
    g = position(board=sheet(), units=[R, army])
    tactical = {g.hex_name(h) for h in tactical_ends(g, unit(g, "R"))}
    assert "1508" in tactical
    both = position(board=sheet(), units=[R, army, german("M", "1513", corps="XL")])
    tactical = {both.hex_name(h) for h in tactical_ends(both, unit(both, "R"))}
    assert "1508" not in tactical
    assert "1510" in tactical
    far = position(board=sheet(), units=[R, army, german("M", "1513", corps="XL"), soviet("S", "1101")])
    assert (
        why_not_deploy(far, unit(far, "R"), hx(far, "1408")).reason == "1408 is not within three hexes of a unit of XL"
    )
    lone = position(board=sheet(), units=[R, army])
    assert (
        why_not_deploy(lone, unit(lone, "R"), hx(lone, "1410")).reason
        == "1410 is not within three hexes of a unit of 1Pz"
    )


@rule("kharkov43", "7.1i")
def test_without_a_mate_there_is_no_tactical_deployment():
    g = position(board=sheet(), units=[R, german("other", "1510", corps="IISS")])
    assert tactical_ends(g, unit(g, "R")) == []
    assert where(g), "strategic deployment needs none"
    assert "1410" not in where(g), "but a supply head"


@rule("kharkov43", "7.1j")
@rule("kharkov43", "7.1k")
def test_strategic_a_supply_head_five_hexes_from_all_enemies():
    b = sheet(features={"1114": "village"}, terrain={"2014": "town"})
    g = position(board=b, turn=4, garrisons="1114", soviet_towns="2014", units=[R, soviet("S", "1502")])
    grid = g.map.grid
    found = names(g, strategic_hexes(g, unit(g, "R")))
    inland = found - {f"{r}15" for r in range(10, 21)}
    assert inland
    for h in inland:
        assert h[:2] == "15", "a road hex that is a supply head"
        for enemy in ("1502", "1114", "2014"):
            assert grid.distance(hx(g, h), hx(g, enemy)) >= 5
    assert "1507" in found
    assert "1506" not in found
    assert "1115" not in found, "edge hex beside the garrison"
    isolated = position(board=b, turn=4, units=[R, soviet("S", "1502", status=["isolated"])])
    assert "1504" in names(isolated, strategic_hexes(isolated, unit(isolated, "R")))


@example("kharkov43", "X09")
@rule("kharkov43", "7.2a")
def test_x09_a_unit_just_placed_counts_for_the_next():
    g = deploying(
        R, german("Q", "reserve", corps="XL"), german("M", "1513", corps="XL"), soviet("S", "1510", faces="1-1")
    )
    g = deploying(R, german("Q", "reserve", corps="XL"), german("M", "1513", corps="XL"), soviet("S", "1004"))
    q = unit(g, "Q")
    far = hx(g, "1507")
    assert far not in tactical_ends(g, q)
    apply(g, ("deploy", unit(g, "R"), hx(g, "1510")))
    assert far in tactical_ends(g, q)


@rule("kharkov43", "7.2b")
def test_deployment_observes_stacking():
    full = [german(f"F{i}", "1511", corps="XL") for i in range(3)]
    g = position(board=sheet(), units=[R, *full])
    assert "1511" not in where(g)
    assert why_not_deploy(g, unit(g, "R"), hx(g, "1511")).rule == "7.2"


@example("kharkov43", "X08")
@rule("kharkov43", "7.1h")
@rule("kharkov43", "7.2a")
@rule("kharkov43", "7.2b")
def test_x08_deploying_the_second_ss_panzer_corps():
    """On the printed map, with the counters of the pack."""
    reserves = [{"id": i, "at": "reserve"} for i in ("AH.LAH.IISS", "DF.DR.IISS", "LG.DR.IISS", "DL.DR.IISS")]
    g = deploying(
        *reserves, {"id": "FB.GD.XLVIII", "at": "1009"}, {"id": "1GC.3T", "at": "1104"}, board="", soviet_towns="1103"
    )
    ah, df, lg, dl = (unit(g, i["id"]) for i in reserves)
    assert g.map.grid.distance(hx(g, "1108"), hx(g, "1407")) == 3
    apply(g, ("deploy", ah, hx(g, "1108")))
    apply(g, ("deploy", df, hx(g, "1407")))
    apply(g, ("deploy", lg, hx(g, "1407")))
    assert why_not(g, ("deploy", dl, hx(g, "1407"))).rule == "7.2"
    assert hx(g, "1507") in tactical_ends(g, dl), "within three of the units just placed in 1407"
    apply(g, ("deploy", dl, hx(g, "1507")))
    assert not g.stack


@example("kharkov43", "X10")
@rule("kharkov43", "7.3a")
@rule("kharkov43", "7.3b")
@rule("kharkov43", "4.Ib")
def test_x10_delayed_reserves():
    def delayed(turn, **more):
        g = position(board=sheet(), turn=turn, units=[german("R", "reserve", corps="XL", entry=1, **more), MATE])
        return is_delayed(g, unit(g, "R"))

    assert not delayed(2)
    assert delayed(3)
    assert not delayed(3, steps=1), "a reduced unit"
    g = position(board=sheet(), turn=3, units=[R, MATE])
    assert not is_delayed(g, unit(g, "R")), "a replacement that never had a turn of entry"


@rule("kharkov43", "4.Ib")
@rule("kharkov43", "7.3a")
def test_delayed_reserves_deploy_without_a_card_in_the_reserve_phase_if_the_player_wants():
    def phase(turn):
        g = position(
            board=sheet(), turn=turn, units=[german("R", "reserve", corps="XL", entry=1), MATE, panzer("P", "1512")]
        )
        g.stack = [GameTurn()]
        g.stack[0].at = GameTurn.index["delayed_reserves"]
        run(g)
        return g

    assert not any(isinstance(p, DeployReserves) for p in phase(2).stack)
    g = phase(3)
    assert isinstance(g.stack[-1], DeployReserves)
    assert PASS in legal(g)
    apply(g, ("deploy", unit(g, "R"), hx(g, "1511")))
    assert g.place[unit(g, "R")] == hx(g, "1511")


@rule("kharkov43", "7.3a")
@rule("kharkov43", "4.Ib")
def test_a_position_can_stand_in_the_reserve_phase():
    """Delayed: full strength, printed two game-turns earlier or more; all of it may be left in the box."""
    everywhere = " ".join(hexes(15, 22))
    ground = board(german_edge="1923", areas={"deploy_1pz": everywhere})
    units = [
        german("A", "1921", corps="XL"),
        german("Late", "reserve", corps="XL", entry=3),
        german("Early", "reserve", corps="XL", entry=4),
        german("Reduced", "reserve", corps="XL", entry=1, steps=1),
    ]
    g = position(board=ground, phase="reserve_phase", turn=5, units=units)
    assert {g.id(a[1]) for a in legal(g) if a != PASS} == {"Late"}
    assert PASS in legal(g)
    assert legal(position(board=ground, phase="reserve_phase", turn=4, units=units)) == []
