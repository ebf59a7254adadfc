"""30.0-33.0 Campaign rules: Trans-Caucasus Box, Reserve Armies, removals and upgrades, the Winter Offensive."""

from __future__ import annotations

import dataclasses

import pytest

from kessel.core.procedure import Procedure, run
from kessel.games.stalingrad42.columns import ELIMINATED, FLIPPED, FROZEN, REMOVED, REPLACED
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.data.scenario import Entrant, Frozen, Upgrade
from kessel.games.stalingrad42.movement.special_units import release_by_turn
from kessel.games.stalingrad42.turn import removals
from kessel.games.stalingrad42.turn.initial import InitialPhase
from kessel.games.stalingrad42.turn.winter_offensive import WinterOffensive

from .helpers import area, at, board, choices, do, example, has, refused, rule, start, u

WEST = area("Z", "axis", "-4,0 -4,1 -4,2 -4,3 -4,4")
EAST = area("A", "soviet", "4,0 4,-1 4,-2 4,-3 4,-4")


def carry_out(units, *procedures: Procedure, **more):
    scenario = more.pop("scenario", {})
    g = board(units, boxes=[WEST, EAST], **more)
    g.scenario = dataclasses.replace(g.scenario, **scenario)
    g.stack = [*procedures]
    run(g)
    return g


PZ = "axis 10-8-6;7-6-6;R {} tank elite remnant=panzer"
GD = "axis 7-8-6;5-6-6;R {} mechanized remnant=panzergrenadier"


@rule("32.1a")
@rule("32.1b")
def test_two_elite_panzer_divisions_and_grossdeutschland_leave():
    units = {
        "P1": PZ.format("-4,0"),
        "P2": PZ.format("-4,1"),
        "P3": PZ.format("-4,2"),
        "N": "axis 7-5-6;4-3-6 -4,3 tank",
        "GD": GD.format("-3,0"),
    }
    g = carry_out(units, removals.PanzerRemoval(AXIS))
    assert choices(g) == {"withdraw P1", "withdraw P2", "withdraw P3"}, "Elite ones only"
    do(g, "withdraw P1", "withdraw P3")
    assert [g.pool[u(g, x)] for x in ("P1", "P3", "GD")] == [REMOVED] * 3
    assert at(g, "P2") == "-4,1"


@rule("32.1b")
def test_divisions_that_are_not_isolated_go_first():
    units = {"P1": PZ.format("3,0"), "P2": PZ.format("-4,1"), "P3": PZ.format("-4,2"), "GD": GD.format("3,0")}
    ring = {f"X{i}": f"soviet 3-5-3 {p}" for i, p in enumerate(["1,0", "2,1", "1,2", "2,-2", "3,-3", "1,-1", "0,3"])}
    g = carry_out(units | ring, removals.PanzerRemoval(AXIS))
    assert choices(g) == {"withdraw P2", "withdraw P3"}
    assert g.pool[u(g, "GD")] == REMOVED, "Grossdeutschland regardless of its position"


@rule("32.1c")
@example("E61")
def test_if_fewer_than_seven_steps_go_others_are_reduced():
    units = {
        "9Pz": PZ.format("-") + " eliminated",
        "11Pz": PZ.format("-") + " eliminated",
        "GD": GD.format("-") + " eliminated",
        **{f"N{i}": f"axis 7-5-6;4-3-6;2-2-6 -4,{i} tank" for i in range(3)},
    }
    g = carry_out(units, removals.PanzerRemoval(AXIS))
    do(g, "withdraw 9Pz", "withdraw 11Pz")
    lost = 0
    while g.stack:
        do(g, sorted(choices(g))[0])
        lost += 1
    assert lost == 7
    assert sum(g.steps[u(g, f"N{i}")] for i in range(3)) == 2


@rule("32.1d")
def test_extra_steps_feed_reduced_divisions_in_supply():
    units = {
        "P1": PZ.format("-4,0"),
        "P2": PZ.format("-4,1"),
        "GD": GD.format("-3,0"),
        "Q": "axis 7-5-6;4-3-6;2-2-6 -4,2 tank steps=1",
        "R": "axis 6-7-6;4-5-6 -4,3 mechanized steps=1",
        "I": "axis 6-7-3;4-5-3 -4,3 steps=1",
    }
    g = carry_out(units, removals.PanzerRemoval(AXIS))
    do(g, "withdraw P1", "withdraw P2")
    assert choices(g) == {"pass", "absorb Q", "absorb R"}
    do(g, "absorb Q", "absorb Q")
    assert g.steps[u(g, "Q")] == 3, "nine steps less seven"
    assert not has(g, "Q", REPLACED)
    assert not g.stack


TC = "soviet 7-5-5;4-3-5 {} tank black size=corps"


@rule("32.2a")
@rule("32.2b")
def test_a_tank_corps_in_supply_or_eliminated_is_removed_at_the_cost_of_a_step():
    cut = ["2,0", "-2,0", "0,2", "0,-2", "2,-2", "-2,2", "1,1", "-1,-1", "1,-2", "-1,2", "2,-1", "-2,1"]
    units = {"A1": TC.format("4,-1"), "E": TC.format("-") + " eliminated", "I": TC.format("0,0")}
    units |= {f"X{i}": f"axis 3-5-3 {p}" for i, p in enumerate(cut)}
    g = carry_out(units, removals.TankCorpsRemoval(SOVIET))
    assert choices(g) == {"withdraw A1", "withdraw E"}, "the one cut off may not"
    do(g, "withdraw E")
    assert choices(g) == {"reduce A1", "reduce I"}
    do(g, "reduce A1")
    assert g.steps[u(g, "A1")] == 1
    assert not g.stack
    g = carry_out({"E": TC.format("-") + " eliminated"}, removals.TankCorpsRemoval(SOVIET))
    do(g, "withdraw E")
    assert not g.stack


@rule("32.2c")
def test_an_extra_step_heals_a_corps_or_brings_a_tank_brigade():
    units = {
        "A1": TC.format("4,-1"),
        "B1": TC.format("4,-2") + " steps=1",
        "TB": "soviet 2-2-6 - t34 size=brigade free eliminated",
        "GTB": "soviet 2-2-6 - t34 size=brigade branch=guards eliminated",
    }
    g = carry_out(units, removals.TankCorpsRemoval(SOVIET))
    do(g, "withdraw A1")
    assert choices(g) == {"pass", "absorb B1", "arrive TB 4,-1"}
    do(g, "arrive TB 4,-1")
    assert at(g, "TB") == "4,-1"
    g = carry_out(units, removals.TankCorpsRemoval(SOVIET))
    do(g, "withdraw B1")
    assert not g.stack, "one step is all that goes"


@rule("32.2a")
def test_the_track_says_how_many():
    g = board({}, turn=11)
    assert removals.corps_removals(g) == g.charts.table("turns").number(11, "tank_corps_removals") == 1


@rule("32.3a")
@pytest.mark.parametrize(("text", "lost"), [("-4,0", 0), ("-4,0 steps=1", 1), ("- eliminated", 1)])
def test_1_rfss_leaves_or_costs_the_next_special_replacement(text, lost):
    from kessel.games.stalingrad42.turn.replacements import points_left, receive

    g = carry_out({"1RFSS": f"axis 4-4-4;2-2-4 {text}"}, removals.RemoveRFSS(AXIS), turn=17)
    assert g.pool[u(g, "1RFSS")] == REMOVED
    assert g.special_lost == lost
    receive(g, AXIS)
    assert points_left(g, AXIS, "special") == g.charts.table("turns").number(17, "axis_special") - lost
    receive(g, AXIS)
    assert points_left(g, AXIS, "special") == g.charts.table("turns").number(17, "axis_special")


@rule("32.3b")
def test_a_full_german_infantry_division_in_supply_leaves():
    inf = "axis 6-7-3;4-5-3;R {} remnant=infantry"
    units = {
        "A": inf.format("-4,0"),
        "B": inf.format("-4,1") + " steps=2",
        "C": "axis 3-5-3;1-3-3 -4,2",
        "R": "axis 2-5-3;1-2-3;1-1-3 -4,3 nation=romanian",
    }
    g = carry_out(units, removals.RemoveInfantry(AXIS))
    assert choices(g) == {"withdraw A"}
    do(g, "withdraw A")
    assert g.pool[u(g, "A")] == REMOVED


@rule("32.3c")
@pytest.mark.parametrize("text", ["-4,0", "- eliminated"])
def test_barbo_leaves_without_penalty(text):
    g = carry_out({"Barbo": f"axis 2-2-5 {text} cavalry nation=italian"}, removals.RemoveBarbo(AXIS))
    assert g.pool[u(g, "Barbo")] == REMOVED


WIKING = {
    "Wiking": "axis 6-8-6;4-5-6;R {} mechanized remnant=panzergrenadier",
    "New": "axis 8-10-6;6-8-6;4-5-6;R - mechanized black remnant=panzergrenadier",
}


def wiking(text: str, more: str = ""):
    units = {"Wiking": WIKING["Wiking"].format(text) + more, "New": WIKING["New"]}
    scenario = {"upgrades": (Upgrade(13, "Wiking", "New", "32.4"),)}
    callers = InitialPhase(AXIS, at=InitialPhase.index["act"]), removals.ScheduledChanges(AXIS, done=1)
    return carry_out(units, *callers, removals.Upgrading(AXIS, 0), scenario=scenario, turn=13)


@rule("32.4")
@rule("2.3.5a")
def test_wiking_gains_a_step_and_has_four():
    g = wiking("-4,0")
    assert at(g, "New") == "-4,0"
    assert g.steps[u(g, "New")] == 4
    assert str(g.face(u(g, "New"))) == "8-10-6"
    assert g.pool[u(g, "Wiking")] == REMOVED
    assert not has(g, "New", REPLACED)
    g = wiking("-4,0", " steps=2")
    assert g.steps[u(g, "New")] == 3
    g = wiking("-4,0", " steps=1")
    assert (g.steps[u(g, "New")], has(g, "New", REPLACED)) == (2, True), "a Remnant, by the Replacement rules"
    g = wiking("-", " eliminated")
    do(g, "place Z")
    assert (at(g, "New"), g.steps[u(g, "New")]) == ("Z", 1)


@rule("32.4")
@rule("10.4.3b")
def test_an_eliminated_wiking_waits_where_no_remnant_is_left_for_it():
    spare = board({}).charts.remnants["panzergrenadier"].number
    lost = "axis 6-8-6;4-5-6;R {} mechanized remnant=panzergrenadier steps=1"
    units = {"Wiking": WIKING["Wiking"].format("-") + " eliminated", "New": WIKING["New"]}
    units |= {f"G{i}": lost.format("-4,1") for i in range(spare)}
    scenario = {"upgrades": (Upgrade(13, "Wiking", "New", "32.4"),)}
    g = carry_out(units, removals.Upgrading(AXIS, 0), scenario=scenario, turn=13)
    assert (g.pool[u(g, "Wiking")], g.pool[u(g, "New")]) == (REMOVED, ELIMINATED)
    assert g.stack == []
    units.pop("G0")
    g = carry_out(units, removals.Upgrading(AXIS, 0), scenario=scenario, turn=13)
    assert choices(g) == {"place Z"}


@rule("32.4")
@rule("21.3.1g")
def test_the_hq_that_takes_wiking_in_takes_in_no_other_unit():
    units = {
        "Wiking": WIKING["Wiking"].format("-") + " eliminated",
        "New": WIKING["New"],
        "H": "axis 0-(1)-5 -4,0 hq",
        "I": "axis 5-7-3 - eliminated replacements=infantry",
    }
    g = board(
        units,
        boxes=[WEST],
        links=[("rail", "-4,0 -3,0")],
        repaired="all",
        phase="initial",
        turn=13,
        replacements={"infantry": 1},
    )
    g.scenario = dataclasses.replace(g.scenario, upgrades=(Upgrade(13, "Wiking", "New", "32.4"),))
    run(g)
    assert choices(g) == {"place Z", "place -4,0"}
    other = g.copy()
    do(g, "place -4,0", "revive I infantry")
    assert choices(g) == {"place Z"}
    do(other, "place Z", "revive I infantry")
    assert choices(other) == {"place Z", "place -4,0"}


@rule("32.5")
def test_michalik_becomes_the_27th_panzer_division():
    units = {"Michalik": "axis 4-3-6 {} tank", "27Pz": "axis 6-5-6;4-3-6 - tank"}
    scenario = {"upgrades": (Upgrade(20, "Michalik", "27Pz", "32.5"),)}

    def twenty(text):
        return carry_out(
            units | {"Michalik": units["Michalik"].format(text)},
            removals.Upgrading(AXIS, 0),
            scenario=scenario,
            turn=20,
            links=[("rail", "-4,0 -3,0")],
            repaired="all",
        )

    g = twenty("-4,0")
    assert (at(g, "27Pz"), g.steps[u(g, "27Pz")]) == ("-4,0", 2)
    units["H"] = "axis S-(1)-5b -4,0 hq back=0-(1)-5"
    g = twenty("- eliminated")
    assert choices(g) == {"place Z"}, "not at an HQ, as a rebuilt unit might"
    do(g, "place Z")
    assert (at(g, "27Pz"), g.steps[u(g, "27Pz")]) == ("Z", 1), "a reinforcement on its reduced side"
    assert g.pool[u(g, "Michalik")] == REMOVED


@rule("32.1a")
@rule("32.3a")
@rule("32.3b")
@rule("32.3c")
@rule("S4.3")
def test_the_calendar_of_the_campaign():
    g = board({})
    g.scenario = dataclasses.replace(g.scenario, rules=frozenset(["32.1", "32.2", "32.3", "32.4", "32.5"]))
    kinds = {}
    for turn in range(1, 37):
        g.set_track("turn", turn)
        for p in removals.changes(g, AXIS):
            kinds.setdefault(type(p).__name__, []).append(turn)
    assert kinds == {"RemoveInfantry": [9, 17], "PanzerRemoval": [10], "RemoveRFSS": [11], "RemoveBarbo": [23]}


# --- 31.0 ----------------------------------------------------------------------------------------------------------


def frozen(scenario_rules, units, **more):
    g = start(units, boxes=[WEST, EAST], **more)
    g.scenario = dataclasses.replace(g.scenario, frozen=tuple(scenario_rules))
    g.changed()
    return g


ARMY = Frozen("reserve_army_5", "31.0", ("R", "S"), ({"kind": "owner", "from_turn": 2, "per_turn": 1},))
OTHER = Frozen("reserve_army_7", "31.0", ("T",), ({"kind": "owner", "from_turn": 2, "per_turn": 1},))
UNITS = {x: f"soviet 3-5-3 3,-1 groups=reserve_army_{n} frozen" for x, n in (("R", 5), ("S", 5), ("T", 7))}


@rule("31.0a")
@rule("31.0c")
def test_reserve_armies_are_frozen_and_released_one_a_turn_from_turn_2():
    g = frozen([ARMY, OTHER], UNITS, side="soviet", phase="movement")
    assert refused(g, "move R") == "31.0"
    g = frozen([ARMY, OTHER], UNITS, side="soviet", phase="initial", turn=2)
    assert {"release reserve_army_5", "release reserve_army_7"} <= choices(g)
    do(g, "release reserve_army_5")
    assert not has(g, "R", FROZEN)
    assert not has(g, "S", FROZEN)
    assert has(g, "T", FROZEN)
    assert refused(g, "release reserve_army_7") == "31.0"
    g = frozen([ARMY], UNITS, side="soviet", phase="initial", turn=1)
    assert refused(g, "release reserve_army_5") == "31.0"


SARATOV = Frozen(
    "reserve_army_8", "31.0", ("R",), ({"kind": "turn", "turn": 15}, {"kind": "axis_near", "hex": "4,0", "distance": 6})
)


@rule("31.0b")
def test_the_8th_is_released_on_turn_15_or_by_an_axis_unit_within_six_hexes():
    g = frozen([SARATOV], {"R": "soviet 3-5-3 4,0 groups=reserve_army_8 frozen", "A": "axis 3-5-3 -4,0"}, turn=14)
    release_by_turn(g)
    assert has(g, "R", FROZEN)
    do(g, "move A", "to -3,0 normal")
    assert has(g, "R", FROZEN)
    g = frozen([SARATOV], {"R": "soviet 3-5-3 4,0 groups=reserve_army_8 frozen", "A": "axis 3-5-3 -4,0"}, turn=14)
    do(g, "move A", "to -2,0 normal")
    assert not has(g, "R", FROZEN)
    g = frozen([SARATOV], {"R": "soviet 3-5-3 4,0 groups=reserve_army_8 frozen"}, turn=15)
    release_by_turn(g)
    assert not has(g, "R", FROZEN)


# --- 30.0 ----------------------------------------------------------------------------------------------------------


@rule("30.0a")
@rule("30.0b")
def test_trans_caucasus_units_arrive_one_a_turn_once_the_axis_is_at_row_40():
    hexes = " ".join(f"30{r}" for r in range(36, 44))
    south = area("H", "soviet", "3043") | {"facts": {"south_of_caspian": True}}
    units = {"A": "axis 3-5-3 3038", "T": "soviet 3-5-3 -", "V": "soviet 3-5-3 -"}
    special = {"rules": frozenset(["30.0"]), "boxes": {"trans_caucasus": (Entrant("T"), Entrant("V"))}}

    def game(**more):
        g = start(units, hexes=hexes, boxes=[south, area("A", "soviet", "3036")], **more)
        g.scenario = dataclasses.replace(g.scenario, **special)
        g.changed()
        return g

    g = game()
    do(g, "move A", "to 3039 normal")
    assert not g.trans_caucasus
    g = game()
    do(g, "move A", "to 3040 normal")
    assert g.trans_caucasus == g.turn
    g = game(side="soviet", phase="initial")
    assert not any(c.startswith("arrive") for c in choices(g))
    g.trans_caucasus = 1
    assert {c for c in choices(g) if c.startswith("arrive")} == {"arrive T H", "arrive V H"}
    do(g, "arrive V H")
    assert at(g, "V") == "H"
    assert not any(c.startswith("arrive") for c in choices(g)), "one a turn"
    do(g, "pass", "move V")
    assert "to 3043 normal" in choices(g)


# --- 33.0 ----------------------------------------------------------------------------------------------------------

HQS = {"F": "soviet S-(1)-5b 4,-1 front", "I": "soviet S-(1)-5b 0,0 front"}
POINTS = {f"SP{i}": "soviet 0-0-5b - supply back=S-0-T" for i in range(4)}


def offensive(turn: int, units=None, **more):
    g = start({**HQS, **POINTS, **(units or {})}, boxes=[EAST], side="soviet", phase="initial", turn=turn, **more)
    g.scenario = dataclasses.replace(g.scenario, rules=frozenset(["33.0"]))
    return g


@rule("33.1")
def test_the_soviet_player_announces_it_from_turn_25_on_once():
    assert refused(offensive(24), "winter_offensive") == "33.1"
    g = offensive(25)
    assert "winter_offensive" in choices(g)
    do(g, "winter_offensive")
    assert g.winter_offensive == 25


@rule("33.2.1b")
def test_two_ready_offensives_and_supply_points_go_to_supplied_hqs():
    g = offensive(26)
    do(g, "winter_offensive")
    assert choices(g) == {"offensive F", "offensive I"}
    do(g, "offensive F", "offensive F")
    assert g.offensives[u(g, "F")] == 32
    do(g, "stock F", "stock I")
    assert (at(g, "SP0"), at(g, "SP1")) == ("4,-1", "0,0")
    assert has(g, "SP0", FLIPPED)
    assert refused(g, "winter_offensive") == "33.1"
    cut = ["2,0", "-2,0", "0,2", "0,-2", "2,-2", "-2,2", "1,1", "-1,-1", "1,-2", "-1,2", "2,-1", "-2,1"]
    g = offensive(26, {f"X{i}": f"axis 3-5-3 {p}" for i, p in enumerate(cut)})
    do(g, "winter_offensive")
    assert choices(g) == {"offensive F"}, "in supply it must be"


@rule("33.2.1b")
def test_no_more_than_two_markers_in_all():
    g = offensive(26, {"F": HQS["F"] + " offensives=1"})
    do(g, "winter_offensive", "offensive I")
    assert any(c.startswith("stock") for c in choices(g))


@rule("33.2.1a")
def test_the_romanian_air_unit_leaves():
    from kessel.games.stalingrad42.combat.strength.air import available_air, is_romanian

    g = board({}, turn=26)
    assert any(is_romanian(g, a) for a in available_air(g))
    g.winter_offensive = 26
    assert not any(is_romanian(g, a) for a in available_air(g))
    assert WinterOffensive.steps[0].rule == "33.2.1"
    g = board({}, turn=26, air={"Rom-Air": "ready", "IV-FK": "ready"})
    g.stack = [WinterOffensive(SOVIET)]
    run(g)
    assert list(g.air) == [0, 1, 0], "at once: it gives no Defensive Air Support in that Soviet Player Turn"


@rule("33.2.2")
@rule("33.2.3a")
@rule("33.2.3e")
def test_the_interchange_turn_comes_after_the_soviet_turn_and_the_order_flips():
    from kessel.games.stalingrad42.sequence import GameTurn, InterchangeTurn, PlayerTurn

    g = board({"A": "axis 3-5-3 0,0", "S": "soviet 3-5-3 4,0"}, turn=26)
    g.winter_offensive = 26
    g.stack = [GameTurn(at=GameTurn.index["interchange_turn"])]
    run(g)
    assert isinstance(g.stack[1], InterchangeTurn)
    assert [s.name for s in InterchangeTurn.steps] == ["movement", "limited_combat", "rally", "end"]
    g = board({"A": "axis 3-5-3 0,0", "S": "soviet 3-5-3 4,0"}, turn=27)
    g.winter_offensive = 26
    g.stack = [GameTurn(at=GameTurn.index["turn_order"])]
    run(g)
    assert g.first == SOVIET
    assert isinstance(g.stack[1], PlayerTurn)
    assert g.stack[1].side == SOVIET
    g = board({"A": "axis 3-5-3 0,0"}, turn=26)
    g.stack = [GameTurn(at=GameTurn.index["interchange_turn"])]
    run(g)
    assert not g.stack


def interchange(units, **more):
    from kessel.games.stalingrad42.sequence import InterchangeTurn

    g = board(units, **more)
    g.stack = [InterchangeTurn(AXIS)]
    run(g)
    return g


@rule("33.2.3b")
def test_in_it_units_move_tactically_or_fully_in_full_retreat():
    g = interchange({"A": "axis 3-5-6 0,0", "R": "axis 3-5-6 0,0 full_retreat"}, radius=7)
    do(g, "move A")
    assert {c.split()[2] for c in choices(g) if c.startswith("to ")} == {"tactical"}
    do(g, "full_retreat")
    assert "to 6,0 normal" in choices(g)
    do(g, "halt", "move R")
    assert "to 6,0 normal" in choices(g)


@rule("33.2.3c")
def test_units_detrain_in_it_but_none_may_rail():
    line = " ".join(f"{i},0" for i in range(-4, 5))
    g = interchange({"A": "axis 3-5-3 0,0 train"}, links=[("rail", line)], repaired="all")
    do(g, "move A")
    assert refused(g, "rail 4,0") == "33.2.3"


@rule("33.2.3d")
@rule("33.2.3c")
def test_in_it_there_is_neither_an_automatic_ds_nor_a_reserve():
    line = " ".join(f"{i},0" for i in range(-4, 5))
    units = {"A": "axis 12-8-6 0,0 tank", "S": "soviet 1-1-3 0,2"}
    near = units | {"S": "soviet 1-1-3 1,0"}
    g = start(near)
    assert "auto_ds 1,0" in choices(g), "as it is in a Movement Phase"
    do(g, "move A")
    assert "reserve" in choices(g)
    g = interchange(near)
    assert not any(c.startswith("auto_ds") for c in choices(g))
    assert refused(g, "auto_ds 1,0") == "33.2.3"
    g = interchange(units, links=[("rail", line)], repaired="all", boxes=[area("Z", "axis", "-4,0")])
    do(g, "move A")
    assert refused(g, "reserve") == "33.2.3"
    assert refused(g, "by rail") == "33.2.3"
