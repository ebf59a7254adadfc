"""14.0 Advance After Combat."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import ADVANCED, DISRUPTED
from kessel.games.stalingrad42.combat.after.advance_paths import (
    Trip,
    advance_allowance,
    advance_rate,
    in_weather,
    trips,
    why_not_step,
)

from .fights import attack, dd_roll, fight, go_to, run_away, start
from .helpers import area, at, board, choices, do, example, h, has, refused, rule, u
from .test_15_breakthrough import charge

MECH = "axis {}-8-6 1,0 mech"


def after(code: str = "DR4", colour: str = "noDD", attacker: str = MECH, **more: Any) -> Board:
    """A has attacked 0,0; X has run, no Breakthrough Group is formed."""
    g = fight(code, colour=colour, attacker=attacker, radius=6, **more)
    run_away(g, "X")
    if any(c.startswith(("form", "decline")) for c in choices(g)):
        do(g, "pass")
    return g


def reach(g: Board, name: str, left: int, vacated: str = "0,0", **more: Any) -> set[str]:
    trip = Trip(g.place[u(g, name)], left, h(g, vacated) if vacated else -1, **more)
    return {g.place_name(p) for p in trips(g, u(g, name), trip)}


def step(g: Board, name: str, place: str, left: int = 4, vacated: str = "0,0", **more: Any) -> str:
    trip = Trip(g.place[u(g, name)], left, h(g, vacated) if vacated else -1, **more)
    why = why_not_step(g, u(g, name), trip, h(g, place))
    return "" if why is None else why.rule


# --- 14.1 who --------------------------------------------------------------------------------------------------------


@rule("14.1a")
def test_all_that_took_part_may_advance_but_no_asu_that_supported():
    more = {"B": "axis 1-2-3 0,1", "H": "axis S-(1)-5 1,0 hq range=3 back=0-(1)-5"}
    from .fights import crt_roll, strength

    column, die = crt_roll("DR4", "noDD")
    units = {"A": f"axis {strength(column - 1) - 1}-8-6 1,0 mech", "X": "soviet 3-5-3 0,0", **more}
    g = start(units, dice=(die,), phase="combat", radius=6)
    attack(g, "0,0", "A", "B")
    do(g, "artillery H")
    run_away(g, "X")
    do(g, "pass")
    assert choices(g) == {"pass", "advance A", "advance B"}
    assert refused(g, "advance H") == "14.1"


@rule("14.1b")
def test_idle_stackmates_in_good_order_may_advance_once():
    more = {
        "S": "axis 2-2-3 1,0",
        "D": "axis 2-2-3 1,0 disrupted",
        "L": "axis 0-0-6 1,0 army_hq",
        "R": "axis 2-2-3 3,0",
    }
    g = after(more=more)
    assert choices(g) == {"pass", "advance A", "advance S", "advance L"}
    do(g, "advance S")
    go_to(g, "0,1")
    do(g, "halt") if "halt" in choices(g) else None
    assert has(g, "S", ADVANCED)
    assert "advance S" not in choices(g)


@rule("14.1b")
@pytest.mark.parametrize("word", ["train", "auto_ds", "reserve", "attacked", "advanced"])
def test_stackmates_that_are_not_free_to(word: str):
    g = fight("DR4", colour="noDD", attacker=MECH, radius=6, more={"S": "axis 2-2-3 1,0", "T": "axis 2-2-3 1,0"})
    from kessel.games.stalingrad42.answers.position import STATUS_WORDS

    g.set_status(u(g, "S"), int(STATUS_WORDS[word]))
    run_away(g, "X")
    do(g, "pass")
    assert "advance S" not in choices(g)
    assert "advance T" in choices(g)


@rule("14.1b")
@rule("18.2.2b")
def test_an_idle_asu_that_advances_is_disrupted():
    g = after(more={"H": "axis S-(1)-5 1,0 hq range=3 back=0-(1)-5 flipped"})
    do(g, "advance H")
    go_to(g, "0,1")
    do(g, "halt") if "halt" in choices(g) else None
    assert has(g, "H", DISRUPTED)


@rule("14.1c")
def test_hexes_are_counted_no_movement_points():
    slow = {f"{q},0": "wooded_rough" for q in range(-4, 2)}
    g = board({"A": "axis 9-8-1 1,0 mech"}, terrain=slow, radius=6)
    assert "-3,0" in reach(g, "A", 4), "four hexes at three MPs each with an MA of 1"


@rule("14.1d")
def test_stacking_is_observed_at_the_end_of_an_advance():
    more = {f"F{i}": "axis 2-2-3 0,1" for i in range(3)}
    g = after(more=more)
    do(g, "advance A")
    ways = {c for c in choices(g) if c.endswith("0,1")}
    assert not ways, "three Combat Units are there"
    assert refused(g, "go 0,1") == "14.1"
    assert any(c.endswith("-1,2") for c in choices(g)), "passing through is allowed"


# --- 14.2 how far ----------------------------------------------------------------------------------------------------


@rule("14.2.2a")
@rule("14.2.2b")
@rule("14.2.2c")
@rule("20.1.3b")
@example("E41")
def test_advance_rates():
    g = board(
        {
            "M": "axis 9-8-6 0,0 tank",
            "G": "axis 9-8-6 0,0 motorized",
            "C": "axis 3-3-5 0,1 cavalry",
            "I": "axis 3-3-3 0,1 infantry",
            "S": "axis 3-3-3 1,0 security",
            "N": "soviet 3-3-3 3,0 nkvd",
            "T": "soviet 0-0-6 3,0 army_hq",
            "K": "soviet 0-0-3 3,0 army_hq",
        }
    )
    rates = {name: advance_rate(g, u(g, name)) for name in ("M", "G", "C", "I", "S", "N", "T", "K")}
    assert rates == {"M": 4, "G": 4, "C": 3, "I": 2, "S": 2, "N": 2, "T": 4, "K": 2}


@rule("14.2.1")
@example("E41")
def test_the_allowance_is_the_result_capped_by_the_rate():
    g = board(
        {
            "M": "axis 9-8-6 0,0 tank",
            "C": "axis 3-3-5 0,1 cavalry",
            "I": "axis 3-3-3 0,1",
            "O": "axis 9-8-6 0,0 tank oos",
        }
    )
    for adv, expected in ((4, (4, 3, 2, 2)), (3, (3, 3, 2, 2)), (2, (2, 2, 2, 2))):
        assert tuple(advance_allowance(g, u(g, n), adv, quiet=False).total for n in "MCIO") == expected


@rule("14.2.1")
@rule("23.2.3d")
@example("E55")
def test_weather_changes_the_result():
    for weather, expected in (("clear", (2, 3, 4)), ("rain", (1, 2, 2)), ("mud", (1, 2, 2)), ("snow", (1, 2, 3))):
        g = board({}, weather=weather)
        assert tuple(in_weather(g, n) for n in (2, 3, 4)) == expected
    assert in_weather(board({}, weather="snow"), 1) == 1


@rule("14.2.3")
def test_a_limited_advance_leads_into_the_vacated_hex_and_stops():
    g = fight("EX", attacker="axis {}-8-6;5-4-6 1,0 mech", more={"S": "axis 2-2-3 1,0"})
    assert choices(g) == {"pass", "advance A", "advance S"}
    do(g, "advance A")
    assert choices(g) == {"halt", "go 0,0"}
    do(g, "go 0,0")
    assert choices(g) == {"pass", "advance S"}, "A has stopped"
    g = board({"A": "axis 9-8-6 1,0 mech"})
    assert step(g, "A", "1,1", limited=True) == "14.2.3"


@rule("14.2.4")
def test_one_hex_in_any_direction_after_a_delay():
    g = fight(
        "DR2", then=(dd_roll("other", "P"),), terrain={"0,0": "woods"}, attacker=MECH, defender="soviet 3-5-3;2-3-3 0,0"
    )
    do(g, "defend X")
    run_away(g, "X")
    do(g, "advance A")
    assert {c.count(",") for c in choices(g) if c.startswith("go")} == {1}
    assert "go 2,0" in choices(g)


# --- 14.3, 14.4 directions, zones, bonds -----------------------------------------------------------------------------


@rule("14.3")
@example("E42")
def test_any_direction_and_not_necessarily_the_vacated_hex():
    g = after()
    do(g, "advance A")
    found = {c for c in choices(g) if c.startswith("go")}
    assert "go 2,0" in found
    assert any(c.endswith("5,0") for c in found), "four hexes away from the battle"
    assert any(c.endswith("-3,0") for c in found)


@rule("14.4.1")
@example("E42")
def test_enemy_bonds_bar_the_way_but_not_into_the_vacated_hex():
    hex_bond = {"A": "axis 9-8-6 1,0 mech", "P": "soviet 3-5-3 0,-1", "Q": "soviet 3-5-3 2,-1"}
    g = board(hex_bond, radius=6)
    assert step(g, "A", "1,-1", vacated="") == "14.4.1"
    assert step(g, "A", "1,-1", vacated="1,-1") == ""
    side_bond = {"A": "axis 9-8-6 1,0 mech", "P": "soviet 3-5-3 0,1", "Q": "soviet 3-5-3 1,-1"}
    g = board(side_bond, radius=6)
    assert step(g, "A", "0,0", vacated="") == "14.4.1"
    assert step(g, "A", "0,0", vacated="0,0") == ""


@rule("14.4.2a")
def test_an_advance_stops_in_an_ezoc_even_with_friends():
    units = {"A": "axis 9-8-6 1,0 mech", "Y": "soviet 3-5-3 -3,0"}
    g = board(units, radius=6)
    assert "-2,0" in reach(g, "A", 4)
    ways = trips(g, u(g, "A"), Trip(h(g, "1,0"), 4, h(g, "0,0"))).values()
    assert not any(h(g, "-2,0") in way[:-1] for way in ways)
    g = board(units | {"F": "axis 2-2-3 -2,0"}, radius=6)
    trip = Trip(h(g, "-1,0"), 3, h(g, "0,0"), first=False)
    g.move(u(g, "A"), h(g, "-1,0"))
    onward = {g.place_name(p) for p, way in trips(g, u(g, "A"), trip).items() if h(g, "-2,0") in way[:-1]}
    assert onward == set(), "a friend in the hex does not let it pass"


@rule("14.4.2b")
@example("E42")
def test_the_vacated_hex_may_be_passed():
    units = {"A": "axis 9-8-6 1,0 mech", "Y": "soviet 3-5-3 0,-2", "Z": "soviet 3-5-3 -1,2"}
    g = board(units, radius=6)
    assert "-1,0" in reach(g, "A", 4, vacated="0,0")
    from kessel.games.stalingrad42.combat.after.advance_paths import ends_at

    units = {"A": "axis 9-8-6 1,0 mech", "Y": "soviet 3-5-3 0,-1"}
    g = board(units, radius=6)
    assert ends_at(g, u(g, "A"), h(g, "1,0"), h(g, "0,0"), h(g, "0,0")) == ""
    assert ends_at(g, u(g, "A"), h(g, "1,0"), h(g, "0,0"), -1) == "ezoc"


@rule("14.4.2c")
@rule("15.2.6")
def test_only_breakthrough_combat_frees_a_group_from_an_ezoc():
    more = {"Y": "soviet 3-5-3 -2,0"}
    g = fight("DR4", colour="noDD", attacker=MECH, more=more, radius=6)
    run_away(g, "X", "0,-4") if any(c.endswith("0,-4") for c in choices(g)) else run_away(g, "X")
    do(g, "form A", "go -1,0")
    assert "strike -2,0" in choices(g)
    assert not any(c.startswith("go") for c in choices(g))
    assert refused(g, "go -1,1") == "15.2.6"


# --- 14.5 terrain ----------------------------------------------------------------------------------------------------


@rule("14.5a")
@rule("14.5f")
def test_no_advance_where_the_unit_may_not_move():
    g = board(
        {"A": "axis 9-8-6 1,0 mech"}, terrain={"0,1": "mountain"}, hexsides={"1,0|2,0": "lake", "1,-1|1,0": "alpine"}
    )
    assert step(g, "A", "0,1") == "14.5"
    assert step(g, "A", "2,0") == "14.5"
    assert step(g, "A", "1,-1") == "14.5"
    g = board({"A": "axis 9-8-6 1,0 mech"}, terrain={"0,1": "mountain"}, links=[("secondary", "1,0 0,1 -1,1")])
    assert step(g, "A", "0,1") == "", "along a road"
    assert "-1,1" in reach(g, "A", 2), "and it need not stop"
    g = board({"A": "axis 9-8-3 1,0"}, terrain={"0,1": "mountain"})
    assert step(g, "A", "0,1") == "", "infantry may"


@rule("14.5b")
def test_an_unbridged_major_river_only_first_and_into_the_vacated_hex():
    sides = {"0,0|1,0": "major_river", "0,1|1,0": "major_river", "-1,0|0,0": "major_river"}
    g = board({"A": "axis 9-8-6 1,0 mech"}, hexsides=sides, radius=6)
    assert step(g, "A", "0,0") == ""
    assert step(g, "A", "0,1") == "14.5", "not the vacated hex"
    assert step(g, "A", "0,0", first=False) == "14.5", "not the first hex"
    assert step(g, "A", "0,0", rivers=False) == "14.5", "not for Reserves"
    assert "-1,0" not in {p for p in reach(g, "A", 2) if p == "-1,0"}


@rule("14.5c")
def test_bridges_at_any_point():
    sides = {"-1,0|0,0": "major_river"}
    for more in (
        {"hexsides": sides, "links": [("primary", "0,0 -1,0")]},
        {"hexsides": sides, "links": [("rail", "0,0 -1,0")]},
        {"hexsides": {"-1,0|0,0": ["major_river", "ferry"]}},
    ):
        g = board({"A": "axis 9-8-6 1,0 mech"}, radius=6, **more)
        g.move(u(g, "A"), h(g, "0,0"))
        assert step(g, "A", "-1,0", vacated="", first=False) == ""
    g = board({"A": "axis 9-8-6 0,0 mech", "F": "axis 2-2-3 -1,0"}, hexsides=sides, radius=6)
    assert step(g, "A", "-1,0", vacated="", first=False) == "", "a Pontoon Bridge: friends on both banks"
    g = board({"A": "axis 9-8-6 0,0 mech"}, hexsides=sides, radius=6)
    assert step(g, "A", "-1,0", vacated="", first=False) == "14.5"


@rule("14.5d")
def test_ice_lifts_the_limits():
    g = board({"A": "axis 9-8-6 0,0 mech"}, hexsides={"-1,0|0,0": "major_river"}, radius=6, turn=28)
    assert step(g, "A", "-1,0", vacated="", first=False) == ""


@rule("14.5e")
@pytest.mark.parametrize("word", ["marsh", "mountain"])
def test_marsh_and_mountain_end_an_advance(word: str):
    units = {"A": "axis 9-8-3 1,0"}
    g = board(units, terrain={"0,0": word}, radius=6)
    assert "0,0" in reach(g, "A", 2)
    assert "-1,0" not in reach(g, "A", 2)
    g = board(units, terrain={"0,0": word}, links=[("secondary", "1,0 0,0")], radius=6)
    assert "-1,0" in reach(g, "A", 2), "unless entered along a road"


@rule("14.5g")
def test_other_terrain_has_no_effect():
    for word in ("minor_city", "desert", "rough", "woods", "wooded_rough"):
        g = board({"A": "axis 9-8-6 1,0 mech"}, terrain={"0,0": word, "-1,0": word}, radius=6)
        assert "-3,0" in reach(g, "A", 4), word
    g = board({"A": "axis 9-8-6 1,0 mech"}, hexsides={"0,0|1,0": "minor_river", "-1,0|0,0": "minor_river"}, radius=6)
    assert "-3,0" in reach(g, "A", 4)
    g = board({"A": "axis 9-8-6 1,0 mech"}, features={"0,0": ["town"]}, radius=6)
    assert "-3,0" in reach(g, "A", 4)


@rule("14.5a")
@rule("22.3.1a")
def test_an_advance_may_end_in_a_friendly_entry_area():
    g = board({"A": "axis 9-8-6 1,0 mech"}, boxes=[area("Z", "axis", "2,0 2,-1"), area("S", "soviet", "0,1")], radius=2)
    assert step(g, "A", "Z", left=1) == "22.3.1", "not next to it"
    assert "Z" in reach(g, "A", 2)
    assert "S" not in reach(g, "A", 4)


@rule("22.7c")
def test_units_that_attack_onto_the_map_may_advance_onto_it():
    units = {"A": "axis 20-8-6 Z mech", "X": "soviet 3-2-3 -3,0"}
    g = start(units, phase="combat", boxes=[area("Z", "axis", "-3,0 -3,1")], radius=3)
    attack(g, "-3,0", "A")
    assert at(g, "X") == "nowhere"
    assert "decline" not in "".join(choices(g)), "no Breakthrough Combat from an Entry Area"
    do(g, "pass", "advance A")
    assert "go -3,0" in choices(g)


@rule("14.5e")
def test_a_vacated_marsh_ends_the_advance_of_the_group():
    g = charge(terrain={"0,0": "marsh"}, defender="soviet 3-1-3 0,0")
    do(g, "form A1", "form A2", "form A3")
    assert not any(c.startswith(("go", "strike")) for c in choices(g))
    assert has(g, "A1", ADVANCED)
    road = {"terrain": {"0,0": "marsh"}, "links": [("primary", "1,0 0,0 -1,0")]}
    g = charge(defender="soviet 3-1-3 0,0", **road)
    do(g, "form A1", "pass")
    assert any(c.startswith("go") for c in choices(g))


def test_an_advance_may_be_made_hex_by_hex():
    g = fight("DR4", colour="noDD", attacker="axis {}-8-6 1,0 mech", radius=6)
    run_away(g, "X")
    do(g, "pass", "advance A", "go 0,0", "go -1,0")
    assert at(g, "A") == "-1,0"
    assert max(c.count(",") for c in choices(g) if c.startswith("go")) == 2
    assert refused(g, "go -2,0--3,0--4,0") == "14.2.1"
    do(g, "halt")
    assert has(g, "A", ADVANCED)
    assert choices(g) == {"pass"}


def test_refused_ways_of_an_advance():
    more = {"Y": "soviet 3-5-3 -3,0", "F1": "axis 1-1-1 0,1", "F2": "axis 1-1-1 0,1", "F3": "axis 1-1-1 0,1"}
    g = fight("DR4", colour="noDD", attacker="axis {}-8-6 1,0 mech", more=more, radius=6, terrain={"2,-1": "marsh"})
    run_away(g, "X")
    do(g, "pass", "advance A")
    assert refused(g, "go 0,0--1,0--2,0--2,1") == "14.4.2", "it stops in the EZOC of Y"
    assert refused(g, "go 2,-1-3,-1") == "14.5", "and in the Marsh"
    assert refused(g, "go 0,1") == "14.1", "and does not overstack"
    assert refused(g, "go 3,0") == "14.1", "nor jumps"


def test_the_phase_remembers_the_vacated_hex():
    from kessel.games.stalingrad42.combat.combat_phase import CombatPhase

    def vacated(g) -> int:
        (phase,) = [p for p in g.stack if isinstance(p, CombatPhase)]
        return phase.vacated

    g = fight("DS", colour="noDD")
    assert vacated(g) == h(g, "0,0")
    g = fight("A1", colour=None, attacker="axis {}-8-6;5-5-6 1,0")
    assert vacated(g) == -1
