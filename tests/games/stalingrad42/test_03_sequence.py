"""3.0 Sequence of Play."""

from __future__ import annotations

from kessel.core.dice import Dice
from kessel.core.procedure import PASS, legal, push, run
from kessel.games.stalingrad42 import TITLE
from kessel.games.stalingrad42.columns import FLIPPED, PHASES
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.sequence import GameTurn, PlayerTurn

from .helpers import PACK, area, board, choices, do, has, rule, start

WEST = area("Z", "axis", "-4,0 -4,1 -4,2")


@rule("3.A")
@rule("3.C1")
@rule("3.D")
def test_a_game_turn_is_weather_two_player_turns_and_victory():
    names = [s.name for s in GameTurn.steps]
    order = ["weather", "first_player_turn", "second_player_turn", "victory"]
    assert [n for n in names if n in order] == order


@rule("3.C1")
@rule("3.B1")
@rule("3.B2a")
@rule("3.B3")
@rule("3.B4a")
def test_a_player_turn_has_its_phases_in_order_for_either_side():
    names = [s.name for s in PlayerTurn.steps]
    order = ["initial", "movement", "combat", "recovery", "supply"]
    assert [n for n in names if n in order] == order
    for side in (AXIS, SOVIET):
        g = board({"A": "axis 3-5-3 -3,0", "X": "soviet 3-5-3 3,0"})
        g.stack = [PlayerTurn(side)]
        run(g)
        seen = []
        while g.stack:
            seen.append(PHASES[g.phase])
            assert g.phasing == side
            push(g, PASS)
        assert [p for p in order if p in seen] == sorted(set(seen), key=order.index)


@rule("3.B1")
@rule("3.B1d")
def test_initial_activities_come_in_any_order():
    units = {
        "H": "axis S-(1)-5b -3,0 hq back=0-(1)-5 flipped",
        "S": "axis 0-0-5b -3,0 supply",
        "SP": "axis 0-0-5b - supply",
    }
    rail = [("rail", "-4,0 -3,0"), ("primary", "-4,0 -3,0")]
    for order in (["spend S H", "supply Z", "build"], ["supply Z", "ready H"], ["build"]):
        g = start(units, phase="initial", boxes=[WEST], links=rail, repaired="all")
        for text in order:
            do(g, text)


@rule("3.B1h")
@rule("28.1.1b")
def test_leaders_become_ready_in_their_owners_initial_phase():
    units = {"M": "axis 0-0-6 0,0 leader back=0-0-6 flipped", "C": "soviet 0-0-6 3,0 leader back=0-0-6 flipped"}
    g = start(units, phase="initial", boxes=[WEST])
    assert not has(g, "M", FLIPPED)
    assert has(g, "C", FLIPPED)


@rule("3.B2c")
def test_the_advances_of_automatic_ds_come_last_in_the_combat_phase():
    from kessel.games.stalingrad42.combat.combat_phase import CombatPhase

    names = [s.name for s in CombatPhase.steps]
    assert names.index("choose") < names.index("exploit")


@rule("3.C1")
@rule("3.B5a")
def test_the_soviets_have_no_railheads_to_move():
    line = " ".join(f"{i},0" for i in range(-4, 5))
    more = {"links": [("rail", line, "green")], "boxes": [WEST], "repaired": "-4,0 -3,0", "railheads": ["-3,0"]}
    g = start({}, phase="supply", side="soviet", **more)
    assert not g.stack
    g = start({}, phase="supply", side="axis", **more)
    assert "repair -3,0 -2,0" in choices(g)


@rule("3.C3")
@rule("9.7.7a")
@rule("9.7.7b")
def test_the_soviet_turn_ends_with_the_printed_fortifications():
    from .helpers import position, read

    doc = position({"X": "soviet 3-5-3 3,0"}, features={"0,0": ["fort"]}, phase="supply", side="soviet")
    doc["board"]["areas"] = {"fort_group_north": "0,0"}
    g = read(doc)
    run(g)
    assert g.deactivated & 1
    doc["units"][0]["at"] = "0,0"
    g = read(doc)
    run(g)
    assert not g.deactivated


@rule("3.A")
@rule("3.D")
@rule("S1.1a")
@rule("S1.2a")
def test_a_scenario_runs_turn_by_turn_to_its_end():
    options = TITLE.check_options(TITLE.scenario(PACK, "fall-blau"), {})
    g = TITLE.new(PACK, "fall-blau", options, Dice(3))
    run(g)
    assert (g.turn, g.phasing, PHASES[g.phase]) == (1, AXIS, "initial")
    turns = []
    steps = 0
    while g.stack:
        steps += 1
        assert steps < 5000
        if g.turn not in turns:
            turns.append(g.turn)
        found = legal(g)
        push(g, PASS if PASS in found else found[0])
    assert turns == [*range(1, 9)]
    assert TITLE.outcome(g) is not None
    assert g.faults() == []
