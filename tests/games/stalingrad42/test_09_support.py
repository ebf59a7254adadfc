"""9.3 Air Support, 9.4 Artillery Shifts."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import asked
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import AIR_AWAY, AIR_PLACED, AIR_READY, AIR_USED, FLIPPED, REMOVED, WAITING
from kessel.games.stalingrad42.combat.crt import column_name
from kessel.games.stalingrad42.combat.strength.air import (
    air_range,
    available_air,
    collect_air,
    why_not_defensive,
    why_not_offensive,
)
from kessel.games.stalingrad42.data.forces import AXIS

from .fights import AIR_BASE, attack, combat, crt_roll, dd_roll, go_to, odds_of, run_away, start, strength
from .helpers import area, at, board, choices, do, h, has, names, refused, rule, u

BASE: dict[str, Any] = {
    "features": {"0,-2": ["town"]},
    "links": [("rail", "0,-2 -1,-2")],
    "boxes": [area("Z", "axis", "-1,-2")],
    "repaired": "all",
    "radius": 5,
}
"""A Town on a Connecting Rail Hex: everything on the board is in range."""


def air(g: Board, name: str = "VIII-FK") -> int:
    return g.air[g.charts.table("air_units").rows.index(name)]


def air_at(g: Board, name: str = "VIII-FK") -> str:
    place = g.air_place[g.charts.table("air_units").rows.index(name)]
    return g.place_name(place)


# --- 9.3 air ---------------------------------------------------------------------------------------------------------


@rule("9.3.1a")
def test_weather_sets_how_many_air_units_fly():
    for turn, weather, count in (
        (1, "clear", 2),
        (17, "clear", 3),
        (17, "overcast", 1),
        (21, "rain", 0),
        (28, "snow", 0),
        (28, "overcast_w", 0),
        (27, "clear", 2),
        (27, "overcast", 0),
    ):
        assert len(available_air(board({}, turn=turn, weather=weather))) == count, (turn, weather)


@rule("9.3.1a")
def test_mud_leaves_the_air_to_the_weather_that_was_rolled():
    g = board({}, turn=22, weather="mud")
    g.rolled = 0
    assert len(available_air(g)) == 3
    g.rolled = 1
    assert len(available_air(g)) == 1


@rule("9.3.1a")
def test_the_soviets_have_no_air():
    g = start(
        {"A": "soviet 15-8-6 1,0", "X": "axis 3-5-3 0,0"},
        phase="combat",
        side="soviet",
        air={"VIII-FK": "ready"},
        **BASE,
    )
    do(g, "attack 0,0", "add A", "declare")
    assert asked(g) == AXIS, "only the Axis is asked about Air Units"


@rule("9.3.1b")
def test_air_units_return_ready_in_the_axis_initial_phase():
    g = start({"A": "axis 5-5-3 0,0"}, phase="initial", turn=5, air={"VIII-FK": "used", "IV-FK": "1,0"}, radius=3)
    assert (air(g), air(g, "IV-FK")) == (AIR_READY, AIR_READY)
    assert air_at(g, "IV-FK") == "nowhere"
    g = board({}, turn=17, weather="overcast", air={"VIII-FK": "used", "IV-FK": "ready"})
    collect_air(g)
    assert (air(g), air(g, "IV-FK")) == (AIR_READY, AIR_AWAY), "those not available are set aside"


def offensive(dice: tuple[int, ...] = (), **more: Any) -> Board:
    units = {"A": "axis 15-8-6 1,0", "B": "axis 3-3-3 0,1", "X": "soviet 3-5-3 0,0"} | more.pop("units", {})
    return start(units, dice, phase="combat", **(BASE | {"air": {"VIII-FK": "ready", "IV-FK": "ready"}} | more))


@rule("9.3.2")
@rule("9.3.3")
@rule("9.3.4c")
def test_offensive_air_gives_one_shift_and_lies_on_the_hex():
    g = offensive((1,))
    attack(g, "0,0", "A", "B")
    assert choices(g) == {"pass", "air VIII-FK", "air IV-FK"}
    do(g, "air VIII-FK")
    (told,) = [e for e in g.events if "odds" in e]
    assert {"what": "Air Support", "rule": "9.3.3", "value": 1} in told["odds"]["shifts"]["items"]
    assert told["odds"]["column"] == "4-1"


@rule("9.3.3")
def test_one_air_unit_a_combat():
    g = offensive((1,), units={"H": "axis S-(1)-5b 2,0 hq range=5"})
    attack(g, "0,0", "A")
    do(g, "air VIII-FK")
    assert choices(g) == {"pass", "artillery H"}
    assert refused(g, "air IV-FK") == "9.3.3"
    assert air_at(g) == "0,0", "placed on the defending unit"


@rule("9.3.4a")
def test_defensive_air_gives_one_left():
    g = start(
        {"A": "soviet 15-8-6 1,0", "X": "axis 3-5-3 0,0"},
        dice=(1,),
        phase="combat",
        side="soviet",
        air={"VIII-FK": "ready", "IV-FK": "ready"},
        **BASE,
    )
    attack(g, "0,0", "A")
    assert choices(g) == {"pass", "air VIII-FK", "air IV-FK"}
    assert refused(g, "artillery A") == "9.3.4", "Air Units alone answer an attack"
    assert refused(g, "air Luftflotte") == "9.3.1", "and those of the game"
    do(g, "air VIII-FK")
    (told,) = [e for e in g.events if "odds" in e]
    assert told["odds"]["column"] == "2-1"
    assert told["odds"]["rule"] == "8.3", "on the table"
    assert {"what": "Defensive Air Support", "rule": "9.3.4", "value": -1} in told["odds"]["shifts"]["items"]
    assert air(g) == AIR_USED


@rule("9.3.4b")
@rule("9.3.2")
@rule("11.3a")
@rule("11.3c")
def test_air_may_help_a_determined_defense_instead():
    column, die = crt_roll("DR2")
    g = start(
        {"A": f"soviet {strength(column)}-8-6 1,0", "X": "axis 3-5-3 0,0"},
        dice=(die, dd_roll("clear_desert", "S", 1)),
        phase="combat",
        side="soviet",
        air={"VIII-FK": "ready"},
        **BASE,
    )
    attack(g, "0,0", "A")
    do(g, "pass", "defend X")
    assert choices(g) == {"pass", "air VIII-FK"}
    do(g, "air VIII-FK")
    assert air(g) == AIR_USED
    assert any(e.get("modifier") == 1 for e in g.events)


@rule("9.3.5a")
def test_air_range_is_fifteen_hexes_from_a_base_on_a_connecting_rail():
    line = " ".join(f"{q},0" for q in range(30))
    more = {
        "hexes": line,
        "boxes": [area("Z", "axis", "0,0")],
        "links": [("rail", "0,0 1,0 2,0 3,0")],
        "repaired": "all",
    }
    g = board({}, features={"3,0": ["town"]}, **more)
    assert names(g, air_range(g)) == {f"{q},0" for q in range(19)}
    g = board({}, features={"3,0": ["landmark"]}, **more)
    assert h(g, "18,0") in {h(g, n) for n in names(g, air_range(g))}
    assert not air_range(board({}, **more)), "no base at all"
    g = board({}, features={"5,0": ["town"]}, **more)
    assert not air_range(g), "not on the railroad"
    g = board({"X": "soviet 3-5-3 2,0"}, features={"3,0": ["town"]}, **more)
    assert not air_range(g), "not connected"
    g = board({}, terrain={"3,0": "minor_city"}, control={"3,0": "soviet"}, **more)
    assert not air_range(g), "not a friendly City"
    g = board({}, terrain={"3,0": "minor_city"}, control={"3,0": "axis"}, **more)
    assert air_range(g)
    g = board({}, features={"3,0": ["town"]}, **(more | {"repaired": "0,0 1,0"}))
    assert not air_range(g), "not repaired"


@rule("9.3.5a")
def test_a_target_out_of_range():
    g = offensive((1,), boxes=[])
    attack(g, "0,0", "A", "B")
    assert g.dice.count == 1, "no support to choose: the die is rolled"
    g = offensive((1,), boxes=[], units={"H": "axis S-(1)-5b 2,0 hq range=5"})
    attack(g, "0,0", "A", "B")
    assert refused(g, "air VIII-FK") == "9.3.5"


@rule("9.3.5b")
def test_all_railroads_of_a_repaired_hex_are_usable():
    more = {"boxes": [area("Z", "axis", "-3,0")], "links": [("rail", "-3,0 -2,0 -1,0"), ("rail", "-1,0 0,0 1,0")]}
    g = board({}, features={"0,0": ["town"]}, repaired="-3,0 -2,0 -1,0 0,0", radius=3, **more)
    assert air_range(g)
    g = board({}, features={"0,0": ["town"]}, repaired="-3,0 -2,0 0,0", radius=3, **more)
    assert not air_range(g)


@rule("9.3.6a")
@rule("9.3.8a")
def test_the_romanian_air_unit():
    more = {"air": {"Rom-Air": "ready"}, "turn": 20}
    g = offensive((1,), units={"A": "axis 15-4-6 1,0 nation=romanian", "B": "axis 3-3-3 0,1"}, **more)
    attack(g, "0,0", "A", "B")
    do(g, "air Rom-Air")
    assert air(g, "Rom-Air") == AIR_USED
    hq = {"H": "axis S-(1)-5b 2,0 hq range=5"}
    g = offensive((1,), units={"A": "axis 15-4-6 1,0 nation=romanian", "B": "axis 3-4-3 0,1"} | hq, **more)
    attack(g, "0,0", "A", "B")
    assert refused(g, "air Rom-Air") == "9.3.8", "4 to 4 is no majority by defense strength"


@rule("9.3.8a")
@rule("9.3.8b")
def test_the_romanian_air_unit_in_defense():
    column, die = crt_roll("DR2")

    def defend(first: str, second: str) -> Board:
        g = start(
            {"A": f"soviet {2 * strength(column)}-8-6 1,0", "X": first, "Y": second},
            dice=(die, 6),
            phase="combat",
            side="soviet",
            turn=20,
            air={"Rom-Air": "ready"},
            **BASE,
        )
        attack(g, "0,0", "A")
        return g

    romanian, german = "axis 3-5-3 0,0 nation=romanian", "axis 3-5-3 0,0"
    g = defend(romanian, romanian)
    do(g, "pass", "defend X")
    assert choices(g) == {"pass", "air Rom-Air"}
    g = defend(romanian, german)
    assert "air Rom-Air" not in choices(g), "no majority: no shift"
    do(g, "defend X")
    assert "air Rom-Air" in choices(g), "a Romanian Lead Unit"
    g = defend(romanian, german)
    do(g, "defend Y")
    assert "air Rom-Air" not in choices(g), "a German one"


@rule("9.3.8c")
def test_the_romanian_air_unit_leaves_with_the_winter_offensive():
    g = board({}, turn=26)
    assert len(available_air(g)) == 3
    g.winter_offensive = 26
    assert len(available_air(g)) == 2


@rule("9.3.6b")
@rule("9.3.7a")
def test_german_air_stays_ready_to_defend_with_a_stack_it_supported():
    column, die = crt_roll("A1", None)
    g = offensive((die,), units={"A": "axis 1-8-6;1-1-6 1,0", "X": "soviet 3-4-3 0,0"})
    assert column_name(odds_of(g, "0,0", "A").at + 1) == column_name(column)
    attack(g, "0,0", "A")
    do(g, "air VIII-FK")
    assert air(g) == AIR_PLACED
    assert air_at(g) == "1,0", "it is with the only unit that took part"
    units = {"A": "axis 1-8-6;1-1-6 1,0", "B": "axis 1-3-3;1-1-3 0,1", "X": "soviet 3-8-3 0,0"}
    g = offensive((die,), units=units)
    attack(g, "0,0", "A", "B")
    do(g, "air VIII-FK", "lose A")
    assert choices(g) == {"station A", "station B"}
    do(g, "station B")
    assert air_at(g) == "0,1"
    assert refused(g, "attack 0,0") == "8.1"


@rule("9.3.7a")
def test_german_air_advances_with_its_stack():
    column, die = crt_roll("DR4", "noDD")
    g = offensive((die,), units={"A": f"axis {strength(column - 1)}-8-6 1,0 mech"})
    attack(g, "0,0", "A")
    do(g, "air VIII-FK")
    run_away(g, "X")
    do(g, "pass", "advance A")
    go_to(g, "0,-1")
    assert air_at(g) == "0,-1"
    do(g, "halt")
    assert air_at(g) == at(g, "A") == "0,-1"


@rule("9.3.7b")
@rule("15.2.9b")
def test_german_air_with_the_breakthrough_group_shifts_every_breakthrough_combat():
    column, die = crt_roll("DS", "noDD")
    units = {"A": f"axis {strength(column - 1)}-8-6 1,0 mech", "X": "soviet 3-5-3 0,0", "Y": "soviet 3-5-3 -2,0"}
    del_b = {"B": "axis 1-1-1 4,0"}
    g = offensive((die, 6), units=units | del_b)
    attack(g, "0,0", "A")
    do(g, "air VIII-FK", "form A", "go -1,0", "strike -2,0")
    told = [e["odds"] for e in g.events if "odds" in e][-1]
    assert {"what": "Air Support", "rule": "9.3.7", "value": 1} in told["shifts"]["items"]
    g = offensive((die, 6), units=units | del_b)
    attack(g, "0,0", "A")
    do(g, "pass")
    if "form A" in choices(g):
        do(g, "form A", "go -1,0", "strike -2,0")
        told = [e["odds"] for e in g.events if "odds" in e][-1]
        assert told["shifts"]["items"] == [], "no air in the original combat, none now"


@rule("15.2.9b")
def test_the_romanian_air_unit_does_not_follow_a_breakthrough():
    column, die = crt_roll("DS", "noDD")
    units = {
        "A": f"axis {strength(column - 1)}-8-6 1,0 mech nation=romanian",
        "X": "soviet 3-5-3 0,0",
        "Y": "soviet 3-5-3 -2,0",
        "B": "axis 1-1-1 4,0",
    }
    g = offensive((die, 6), units=units, air={"Rom-Air": "ready"}, turn=20)
    attack(g, "0,0", "A")
    do(g, "air Rom-Air", "form A", "go -1,0", "strike -2,0")
    told = [e["odds"] for e in g.events if "odds" in e][-1]
    assert told["shifts"]["items"] == []


@rule("9.3.7c")
def test_placed_air_defends_within_one_hex():
    def soviet_attack(place: str, **options: str) -> Board:
        g = start(
            {"A": "soviet 15-8-6 1,0", "X": "axis 3-5-3 0,0", "Y": f"axis 3-5-3 {place}"},
            dice=(1,),
            phase="combat",
            side="soviet",
            air={"VIII-FK": place},
            options=options,
            **BASE,
        )
        attack(g, "0,0", "A")
        return g

    g = soviet_attack("-1,0")
    do(g, "air VIII-FK")
    assert air(g) == AIR_USED
    assert air_at(g) == "nowhere"
    assert "air VIII-FK" not in choices(soviet_attack("-2,0"))
    assert "air VIII-FK" in choices(soviet_attack("-2,0", placed_air_range="fifteen"))


@rule("9.3.7d")
def test_placed_air_returns_to_its_box_if_its_stack_retreats_or_dies():
    for defender in ("axis 3-5-3 0,0", "axis 3-5-3;2-2-3 0,0"):
        column, die = crt_roll("DS", "noDD")
        g = start(
            {"A": f"soviet {strength(column)}-8-6 1,0", "X": defender},
            dice=(die,),
            phase="combat",
            side="soviet",
            air={"VIII-FK": "0,0"},
            **BASE,
        )
        attack(g, "0,0", "A")
        do(g, "pass")
        if any(c.startswith("retreat") for c in choices(g)):
            run_away(g)
        assert air(g) == AIR_READY
        assert air_at(g) == "nowhere"


@rule("9.3.9a")
@rule("9.3.9b")
def test_one_german_air_unit_leaves_on_turn_27():
    g = board({}, turn=26)
    rows = g.charts.table("air_units").rows
    assert {rows[i] for i in available_air(g)} == {"VIII-FK", "IV-FK", "Rom-Air"}
    g = board({}, turn=27)
    g.winter_offensive = 1
    assert [rows[i] for i in available_air(g)] == ["VIII-FK"]
    for weather in ("overcast", "snow"):
        g = board({}, turn=28, weather=weather)
        g.winter_offensive = 1
        assert available_air(g) == []


# --- 9.4 artillery ---------------------------------------------------------------------------------------------------

HQ = "axis S-(1)-5b 2,0 hq range=5 back=0-(1)-5"


def barrage(units: dict[str, str], side: str = "axis", **more: Any) -> Board:
    enemy = "soviet" if side == "axis" else "axis"
    units = {"A": f"{side} 15-8-6 1,0", "X": f"{enemy} 3-5-3 0,0"} | units
    g = start(units, dice=(1,), phase="combat", side=side, radius=5, **more)
    attack(g, "0,0", "A")
    return g


@rule("9.4")
@rule("18.2.1b")
@rule("18.3.1a")
def test_an_asu_gives_one_shift_and_is_used():
    g = barrage({"H": HQ})
    assert choices(g) == {"pass", "artillery H"}
    do(g, "artillery H")
    assert has(g, "H", FLIPPED)
    told = [e["odds"] for e in g.events if "odds" in e][-1]
    assert told["column"] == "4-1"
    assert told["shifts"]["items"] == [{"what": "Artillery Shift", "rule": "9.4", "value": 1}]


@rule("18.3.1c")
@rule("18.5b")
def test_one_artillery_shift_a_combat():
    g = barrage(
        {"H": HQ, "G": HQ, "S": "axis 0-0-5 2,0 supply back=S-0-T flipped"},
        air={"VIII-FK": "ready"},
        **{k: v for k, v in BASE.items() if k != "radius"},
    )
    do(g, "artillery H")
    assert choices(g) == {"pass", "air VIII-FK"}
    assert refused(g, "artillery G") == "18.3.1"
    assert refused(g, "artillery S") == "18.3.1"


@rule("9.4")
@rule("18.5a")
@rule("18.5c")
def test_a_massive_barrage_gives_two_shifts():
    division = "soviet S-(1)-4b 2,0 artdiv range=5"
    for second in (division, "soviet S-(1)-5b 2,0 front range=5"):
        g = barrage({"D": division, "E": second}, side="soviet")
        do(g, "artillery D")
        assert choices(g) == {"pass", "artillery E"}
        do(g, "artillery E")
        told = [e["odds"] for e in g.events if "odds" in e][-1]
        assert told["column"] == "5-1"
        assert told["shifts"]["items"] == [{"what": "Massive Barrage", "rule": "18.5", "value": 2}]
        assert g.pool[u(g, "D")] == REMOVED
        assert (g.pool[u(g, "E")] == REMOVED) is (second == division)


@rule("18.5b")
def test_a_supply_point_makes_no_massive_barrage():
    units = {
        "D": "soviet S-(1)-4b 2,0 artdiv range=5",
        "F": "soviet S-(1)-5b 2,0 front range=5 flipped back=0-(1)-5",
        "S": "soviet 0-0-5 2,0 supply back=S-0-T flipped",
    }
    g = barrage(units, side="soviet")
    assert choices(g) == {"pass", "artillery D", "artillery S"}
    do(g, "artillery D")
    assert g.dice.count == 1, "no second shift to choose"


@rule("18.6.5")
def test_a_ready_supply_point_gives_the_shift_of_a_used_hq():
    g = barrage({"H": HQ + " flipped", "S": "axis 0-0-5 2,0 supply back=S-0-T flipped"})
    assert choices(g) == {"pass", "artillery S"}
    assert refused(g, "artillery H") == "18.2.1"
    do(g, "artillery S")
    assert g.pool[u(g, "S")] == WAITING
    assert at(g, "S") == "nowhere"


@rule("18.6.5")
def test_a_supply_point_on_its_mobile_side_or_alone_gives_nothing():
    for units in (
        {"H": HQ + " flipped", "S": "axis 0-0-5 2,0 supply back=S-0-T"},
        {"H": HQ + " flipped", "S": "axis 0-0-5 3,0 supply back=S-0-T flipped"},
        {"H": HQ + " disrupted", "S": "axis 0-0-5 2,0 supply back=S-0-T flipped"},
    ):
        g = barrage(units)
        assert g.dice.count == 1, "nothing to commit"


@rule("18.2.3c")
@rule("13.2.1f")
@pytest.mark.parametrize("word", ["disrupted", "train", "replaced"])
def test_an_asu_in_no_state_to_support(word: str):
    g = barrage({"H": f"{HQ} {word}", "G": HQ})
    assert "artillery H" not in choices(g)
    assert refused(g, "artillery H") == "18.2.3"


@rule("18.3.3a")
@rule("15.2.9c")
def test_no_artillery_in_breakthrough_combat():
    g = board({"A": "axis 15-8-6 1,0", "H": HQ, "X": "soviet 3-5-3 0,0"})
    from kessel.games.stalingrad42.combat.strength.artillery import why_not_shift

    from .fights import combat

    assert why_not_shift(g, u(g, "H"), combat(g, "0,0", "A")) is None
    assert why_not_shift(g, u(g, "H"), combat(g, "0,0", "A", breakthrough=True)).rule == "15.2.9"


@rule("18.3.3b")
def test_an_allied_hq_needs_a_unit_of_its_nation():
    g = barrage({"H": f"{HQ} nation=romanian", "G": HQ})
    assert refused(g, "artillery H") == "18.3.3"
    g = barrage({"H": f"{HQ} nation=romanian", "A": "axis 15-8-6 1,0 nation=romanian"})
    assert "artillery H" in choices(g)


@rule("18.4a")
@rule("18.4c")
def test_range_is_measured_along_a_path():
    far = "axis S-(1)-5b {} hq range=2"
    assert "artillery H" in choices(barrage({"H": far.format("3,0")}))
    g = barrage({"H": far.format("4,0"), "G": HQ})
    assert refused(g, "artillery H") == "18.4"
    ring = {"Y": "soviet 3-5-3 2,0", "Z": "soviet 3-5-3 3,-1"}
    g = barrage({"H": far.format("3,0"), "G": "axis S-(1)-5b 1,0 hq range=5"} | ring)
    assert refused(g, "artillery H") == "18.4", "enemy-occupied hexes are in the way"


@rule("9.4")
def test_the_odds_with_artillery_are_what_the_procedure_uses():
    g = board({"A": "axis 15-8-6 1,0", "H": HQ, "X": "soviet 3-5-3 0,0"})
    assert odds_of(g, "0,0", "A", guns=(u(g, "H"),)).name == "4-1"


@rule("9.3.7d")
def test_air_goes_home_if_its_stack_dies_in_a_breakthrough_combat():
    column, die = crt_roll("A1", None)
    units = {
        "A": f"axis {strength(column - 1, 8)}-8-6 1,0 mech",
        "B": "axis 36-8-3 0,1",
        "X": "soviet 3-4-3 0,0",
        "Y": "soviet 3-8-3 -1,0",
    }
    g = start(units, dice=(die,), phase="combat", turn=10, **AIR_BASE)
    attack(g, "0,0", "A", "B")
    do(g, "air VIII-FK", "station A")
    assert g.air[0] == AIR_PLACED
    do(g, "form A", "pass", "strike -1,0")
    assert at(g, "A") == "nowhere"
    assert g.air[0] == AIR_READY
    assert choices(g) == {"pass", "advance B"}


def test_air_refusals():
    g = board({"A": "soviet 9-8-6 1,0", "X": "axis 3-5-3 0,0"}, air={"VIII-FK": "ready", "IV-FK": "used"})
    a = combat(g, "0,0", "A")
    assert why_not_offensive(g, 0, a).rule == "9.3.1", "Soviet attackers"
    assert why_not_defensive(g, 1, a).rule == "9.3.6", "used"
    assert why_not_defensive(g, 2, a).rule == "9.3.1", "the Romanian unit is not there"
    assert why_not_defensive(g, 0, a).rule == "9.3.5", "out of range"
    g = board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0"}, air={"VIII-FK": "1,0"})
    a = combat(g, "0,0", "A")
    assert why_not_offensive(g, 0, a).rule == "9.3.7"
    assert why_not_defensive(g, 0, a).rule == "9.3.1", "the defender is Soviet"
    assert why_not_offensive(g, 0, a._replace(breakthrough=True)).rule == "15.2.9"
