"""13.0 Disruption and Recovery."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import asked
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BAD_ORDER, DISRUPTED, FULL_RETREAT, RETREATED
from kessel.games.stalingrad42.combat.after.retreat import interruption
from kessel.games.stalingrad42.combat.strength.artillery import why_not_fit
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.zones import bonds, zoc
from kessel.games.stalingrad42.turn.recovery import rally_modifier

from .fights import TWO, dd_roll, ends, fight, go_to, odds_of, run_away, start
from .helpers import area, at, board, choices, do, h, has, names, refused, rule, u
from .test_15_breakthrough import charge

# --- 13.1 states -----------------------------------------------------------------------------------------------------


@rule("13.1.1")
def test_three_states_and_non_combat_units_always_in_good_order():
    g = fight("DR2", defender=TWO, more={"L": "soviet 0-0-6 0,0 leader"})
    assert not g.status[u(g, "X")] & BAD_ORDER
    do(g, "pass")
    run_away(g, "X", "-2,0")
    do(g, "accompany L -2,0")
    assert has(g, "X", DISRUPTED)
    assert not g.status[u(g, "L")] & BAD_ORDER
    with pytest.raises(Exception, match="Good Order"):
        board({"L": "soviet 0-0-6 0,0 leader disrupted"})
    with pytest.raises(Exception, match="not both"):
        board({"X": "soviet 3-5-3 0,0 disrupted full_retreat"})


@rule("13.1.2a")
@rule("13.1.3a")
@pytest.mark.parametrize(
    ("code", "colour", "state"),
    [
        ("DR2", "plain", DISRUPTED),
        ("D1", "plain", DISRUPTED),
        ("DR4", "noDD", FULL_RETREAT),
        ("DS", "noDD", FULL_RETREAT),
    ],
)
def test_what_retreating_units_become(code: str, colour: str, state: int):
    g = fight(code, colour=colour, defender="soviet 3-5-3;2-3-3;1-1-3 0,0")
    if "pass" in choices(g):
        do(g, "pass")
    run_away(g, "X")
    assert g.status[u(g, "X")] & BAD_ORDER == state
    g = fight("DR2", defender=TWO, then=(dd_roll("other", "P"),), terrain={"0,0": "woods"})
    do(g, "defend X")
    run_away(g, "X", "-1,0")
    assert has(g, "X", DISRUPTED), "a Delay of one hex too"


@rule("13.1.2b")
@rule("18.2.2b")
def test_an_asu_that_moves_more_than_two_hexes():
    for hexes, disrupted in ((2, False), (3, True)):
        g = start({"H": "axis S-(1)-5 0,0 hq back=0-(1)-5", "A": "axis 1-1-1 4,0"})
        do(g, "move H", f"to -{hexes},0 normal")
        assert has(g, "H", DISRUPTED) is disrupted


@rule("13.1.3b")
def test_a_disrupted_unit_that_retreats_again_goes_into_full_retreat():
    g = fight("DR2", defender="soviet 3-9-3;2-3-3 0,0 disrupted")
    if "pass" in choices(g) and not any(c.startswith("retreat") for c in choices(g)):
        do(g, "pass")
    run_away(g, "X")
    assert has(g, "X", FULL_RETREAT)
    assert not has(g, "X", DISRUPTED)


@rule("13.1.3c")
@rule("13.3.1b")
def test_full_retreat_of_ones_own_will_before_moving():
    units = {"A": "axis 5-5-5 0,0", "X": "soviet 3-5-3 1,0"}
    g = start(units, radius=6)
    do(g, "move A", "full_retreat")
    assert has(g, "A", FULL_RETREAT)
    do(g, "to -5,0 normal")
    assert at(g, "A") == "-5,0", "five MPs: no two more to leave the EZOC"
    g = start(units, radius=6)
    do(g, "move A", "step -1,0 normal")
    assert refused(g, "full_retreat") == "13.1.3", "only before it moves"
    g = start(units | {"A": "axis 5-5-5 0,0 full_retreat", "B": "axis 5-5-5 0,0"}, radius=6)
    do(g, "move A")
    assert "to -3,0 normal" in choices(g)
    assert "to -4,0 normal" not in choices(g), "units already in Full Retreat pay the two MPs (reading A44)"


# --- 13.2 Disruption -------------------------------------------------------------------------------------------------


@rule("13.2.1a")
def test_disrupted_units_use_tactical_movement_only():
    g = start({"A": "axis 5-5-6 0,0 disrupted"}, links=[("rail", "0,0 1,0 2,0")], repaired="all")
    do(g, "move A")
    assert {c.split()[-1] for c in choices(g) if c.startswith("to ")} == {"tactical"}
    assert not any(c.startswith("rail") for c in choices(g))
    assert refused(g, "rail 2,0") == "5.6.3"
    g = start({"A": "axis 5-5-6 Z disrupted"}, boxes=[area("Z", "axis", "-4,0")])
    do(g, "move A")
    assert refused(g, "to -4,0 normal") in ("13.2.1", "22.3.1")
    assert not any(c.startswith("to ") for c in choices(g))


@rule("13.2.1b")
@rule("13.2.2")
def test_disrupted_units_keep_their_zoc_but_hold_no_bond():
    g = board({"A": "axis 5-5-6 0,0 disrupted", "B": "axis 5-5-6 2,0"})
    assert "0,1" in names(g, zoc(g, AXIS))
    assert bonds(g, AXIS).hexes == 0
    g = board({"A": "axis 5-5-6 0,0", "B": "axis 5-5-6 2,0"})
    assert names(g, bonds(g, AXIS).hexes) == {"1,0"}


@rule("13.2.1c")
def test_disrupted_units_do_not_attack_defend_halved_and_never_lead():
    g = start({"A": "axis 9-8-6 1,0 disrupted", "X": TWO}, phase="combat")
    assert refused(g, "attack 0,0") == "13.2.1"
    g = board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0 disrupted"})
    assert odds_of(g, "0,0", "A").defense.total == 3
    g = fight("DR2", defender="soviet 3-10-3;2-3-3 0,0 disrupted")
    assert not any(c.startswith("defend") for c in choices(g))


@rule("13.2.1d")
@rule("13.2.2")
def test_disrupted_tanks_keep_their_shifts_in_defense():
    g = board({"A": "axis 9-8-6 1,0 tank black", "X": "soviet 3-5-3 0,0 tank black disrupted"})
    assert odds_of(g, "0,0", "A").shifts.total == 0
    g = board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0 tank black disrupted"})
    assert odds_of(g, "0,0", "A").shifts.total == -1


@rule("13.2.1e")
def test_disrupted_units_receive_no_replacements():
    from kessel.games.stalingrad42.turn.replacements import why_not_restore

    units = {"A": "axis 5-5-6;2-2-6 -3,0 steps=1 replacements=infantry disrupted", "B": "axis 1-1-1 0,0"}
    more: dict[str, Any] = {"boxes": [area("Z", "axis", "-4,0")], "phase": "initial"}
    g = start(units, **more)
    g.points[1] = 3
    assert why_not_restore(g, u(g, "A"), "infantry", AXIS).rule == "21.2"
    g = start(units | {"A": units["A"].removesuffix(" disrupted")}, **more)
    g.points[1] = 3
    assert why_not_restore(g, u(g, "A"), "infantry", AXIS) is None


@rule("13.2.1f")
def test_disrupted_asus_support_nothing_and_are_not_made_ready():
    from kessel.games.stalingrad42.supply.resources import why_not_ready

    text = "axis S-(1)-5 -4,0 hq range=5 back=0-(1)-5 flipped"
    more: dict[str, Any] = {"boxes": [area("Z", "axis", "-4,0")], "links": [("rail", "-4,0 -3,0")], "repaired": "all"}
    g = board({"H": f"{text} disrupted"}, **more)
    assert why_not_fit(g, u(g, "H")).rule == "18.2.3"
    assert why_not_ready(g, u(g, "H"), AXIS) is not None
    g = board({"H": text}, **more)
    assert why_not_fit(g, u(g, "H")) is None
    assert why_not_ready(g, u(g, "H"), AXIS) is None


@rule("13.2.2")
def test_friends_pass_through_disrupted_units():
    g = start({"A": "axis 5-5-6 0,0", "B": "axis 5-5-6 1,0 disrupted"})
    do(g, "move A", "step 1,0 normal", "step 2,0 normal", "halt")
    assert not has(g, "A", DISRUPTED)


# --- 13.3 Full Retreat -----------------------------------------------------------------------------------------------


@rule("13.3.1a")
def test_full_retreat_moves_with_the_whole_allowance():
    g = start({"A": "axis 5-5-3 0,0 mech full_retreat"}, links=[("primary", "0,0 -1,0 -2,0 -3,0 -4,0 -5,0")], radius=6)
    do(g, "move A")
    assert "to -5,0 normal" in choices(g), "roads at half a point"
    do(g, "extended")
    assert "to 0,6 extended" in choices(g), "and Extended Movement"


@rule("13.3.2a")
def test_no_zoc_in_full_retreat():
    assert zoc(board({"A": "axis 5-5-6 0,0 full_retreat"}), AXIS) == 0


@rule("13.3.2b")
def test_no_entry_into_ezocs_without_steady_friends():
    units = {"A": "axis 5-5-6 0,0 full_retreat", "X": "soviet 3-5-3 2,0"}
    g = start(units)
    do(g, "move A")
    assert refused(g, "step 1,0 normal") == "13.3.2"
    g = start(units | {"B": "axis 5-5-6 1,0"})
    do(g, "move A", "step 1,0 normal")
    g = start(units | {"B": "axis 5-5-6 1,0 disrupted"})
    do(g, "move A", "step 1,0 normal")


@rule("13.3.2c")
def test_no_entry_into_enemy_cities():
    city = {"terrain": {"1,0": "minor_city"}}
    g = start({"A": "axis 5-5-6 0,0 full_retreat"}, control={"1,0": "soviet"}, **city)
    do(g, "move A")
    assert refused(g, "step 1,0 normal") == "13.3.2"
    g = start({"A": "axis 5-5-6 0,0 full_retreat"}, control={"1,0": "axis"}, **city)
    do(g, "move A", "step 1,0 normal")


@rule("13.3.2b")
@rule("13.3.2c")
def test_the_bans_hold_for_movement_not_for_retreats():
    from .test_12_retreats import all_ends, corridor, flight

    land = corridor("0,0", "-1,0", "-2,0")
    land["terrain"]["-2,0"] = "minor_city"
    g = board({"X": "soviet 3-5-3 0,0 full_retreat"}, control={"-2,0": "axis"}, **land)
    assert all_ends(g, "X") == {"-2,0": "full"}
    from kessel.games.stalingrad42.combat.after.retreat_paths import ends_of

    strict = board(
        {"X": "soviet 3-5-3 0,0 full_retreat"},
        control={"-2,0": "axis"},
        **land,
        options={"fr_retreat_bans": "also_retreat"},
    )
    assert ends_of(strict, u(strict, "X"), flight(strict, "X", full=True), 0) == ()


@rule("13.3.2d")
def test_full_retreat_defends_with_nothing():
    g = board({"A": "axis 9-8-6 1,0", "X": TWO, "F": "soviet 3-9-3 0,0 tank black full_retreat"})
    now = odds_of(g, "0,0", "A")
    assert (now.defense.total, now.shifts.total) == (5, 0)
    g = fight("DR2", defender=TWO, more={"F": "soviet 3-9-3 0,0 full_retreat"})
    assert choices(g) == {"pass", "defend X"}
    assert refused(g, "defend F") == "11.2.3"


@rule("13.3.2e")
@rule("13.3.2h")
def test_stackmates_take_full_retreat_units_along():
    g = fight("DR2", defender=TWO, more={"F": "soviet 3-9-3;1-1-3 0,0 full_retreat"})
    do(g, "pass")
    assert {c.split()[1] for c in choices(g)} == {"X", "F"}
    run_away(g, "F", "-2,0")
    run_away(g, "X", "-2,0")
    assert has(g, "F", FULL_RETREAT)
    assert g.steps[u(g, "F")] == 2, "no additional penalty"


RUNNER = {"A": "axis 5-5-6 3,0", "F": "soviet 3-5-3 0,0 full_retreat", "L": "soviet 0-0-6 0,0 leader"}


@rule("13.3.2f")
@rule("13.3.2g")
@rule("19.3d")
def test_an_enemy_that_comes_adjacent_makes_them_run():
    g = start(RUNNER, radius=6)
    do(g, "move A", "to -1,1 normal")
    assert asked(g) == SOVIET
    assert {len(c.split(" by ")[1].split(",")) for c in choices(g)} == {3}, "two hexes"
    run_away(g, "F", "-2,0")
    assert choices(g) == {"pass", "accompany L -2,0"}
    do(g, "accompany L -2,0")
    while asked(g) == SOVIET:  # A's way leads past them a second time
        run_away(g) if any(c.startswith("retreat") for c in choices(g)) else do(g, "pass")
    assert at(g, "A") == "-1,1", "the move went on"
    assert has(g, "F", RETREATED)


@rule("13.3.2f")
def test_they_run_step_by_step_too_and_only_if_alone():
    g = start(RUNNER, radius=6)
    do(g, "move A", "step 2,0 normal", "step 1,0 normal")
    assert asked(g) == SOVIET
    for friend in ("soviet 3-5-3 0,0", "soviet 3-5-3 0,0 disrupted"):
        g = start(RUNNER | {"Y": friend}, radius=6)
        do(g, "move A", "to 1,0 normal")
        assert asked(g) == AXIS, "a friend not in Full Retreat holds them"
    g = start(RUNNER | {"A": "axis 0-0-6 3,0 leader"}, radius=6)
    do(g, "move A", "to 1,0 normal")
    assert asked(g) == AXIS, "only Combat Units frighten them"


@rule("13.3.2f")
@rule("13.3.2g")
def test_an_advance_and_a_retreat_make_them_run_too():
    more = {"F": "soviet 3-5-3 -2,0 full_retreat"}
    g = fight("DR4", colour="noDD", defender="soviet 3-5-3 0,0", more=more, attacker="axis {}-8-6 1,0 mech", radius=7)
    run_away(g, "X", "0,-4")
    do(g, "pass", "advance A")
    go_to(g, "-1,0")
    assert asked(g) == SOVIET
    run_away(g, "F")
    assert asked(g) == AXIS
    assert any(c.startswith("go") for c in choices(g)), "and the advance goes on"
    more = {"F": "axis 3-5-3 -3,0 full_retreat"}
    g = fight("DR2", defender=TWO, more=more, radius=7)
    do(g, "pass")
    run_away(g, "X", "-2,0")
    assert asked(g) == AXIS
    assert ends(g, "F"), "the attacker's own Full Retreat units run from a retreat"


@rule("13.3.2f")
def test_without_a_way_out_they_are_eliminated():
    from .test_12_retreats import corridor

    g = start(RUNNER, **corridor("0,0", "1,0", "2,0", "3,0"))
    do(g, "move A", "to 1,0 normal")
    assert at(g, "F") == "nowhere"
    assert at(g, "L") == "nowhere"
    assert asked(g) == AXIS


@rule("13.3.2i")
@pytest.mark.parametrize("phase", ["movement", "combat"])
@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_full_retreat_beside_an_enemy_as_a_phase_begins(phase: str, side: str):
    units = {"A": "axis 5-5-3 1,0", "F": "soviet 3-5-3 0,0 full_retreat", "G": "soviet 3-5-3 -3,0 full_retreat"}
    g = start(units, phase=phase, side=side)
    assert at(g, "F") == "nowhere"
    assert at(g, "G") == "-3,0"
    g = start(units | {"Y": "soviet 3-5-3 0,0"}, phase=phase, side=side)
    assert at(g, "F") == "0,0"
    g = start(units | {"A": "axis 0-0-6 1,0 leader"}, phase=phase, side=side)
    assert at(g, "F") == "0,0", "a Non-Combat Unit does not count (reading A20)"


# --- 13.4, 13.5 recovery ---------------------------------------------------------------------------------------------


@rule("13.4a")
def test_out_of_ezocs_units_recover_one_level():
    units = {"D": "axis 5-5-3 0,0 disrupted", "F": "axis 5-5-3 2,0 full_retreat", "X": "soviet 3-5-3 -4,0 disrupted"}
    g = start(units, phase="recovery")
    do(g, "pass")
    assert not g.status[u(g, "D")] & BAD_ORDER
    assert has(g, "F", DISRUPTED)
    assert not has(g, "F", FULL_RETREAT)
    assert has(g, "X", DISRUPTED), "only the phasing player's units"


@rule("13.4b")
@rule("13.5a")
@pytest.mark.parametrize("die", range(1, 7))
def test_in_an_ezoc_they_roll(die: int):
    units = {"D": "axis 5-5-3 0,0 disrupted", "X": "soviet 3-5-3 1,0"}
    g = start(units, dice=(die,), phase="recovery")
    assert has(g, "D", DISRUPTED) is (die < 5)


@rule("13.4c")
def test_a_player_may_keep_units_in_full_retreat():
    units = {"F": "axis 5-5-3 0,0 full_retreat", "G": "axis 5-5-3 2,0 full_retreat", "D": "axis 5-5-3 0,2 disrupted"}
    g = start(units, phase="recovery")
    assert choices(g) == {"pass", "keep F", "keep G"}
    assert refused(g, "keep D") == "13.4"
    do(g, "keep F", "pass")
    assert has(g, "F", FULL_RETREAT)
    assert has(g, "G", DISRUPTED)


def drm(text: str, **more: Any) -> int:
    g: Board = board({"D": text}, **more)
    return rally_modifier(g, u(g, "D"), quiet=False).total


@rule("13.5b")
def test_rally_modifiers():
    text = "axis 5-5-3 0,0 disrupted"
    assert drm(text) == 0
    assert drm(text, terrain={"0,0": "minor_city"}) == 2
    assert drm(text, terrain={"0,0": "major_city"}) == 2
    assert drm(text, forts={"0,0": "axis"}) == 2
    assert drm(text, forts={"0,0": "axis begun"}) == 0
    assert drm(text, features={"0,0": ["fort"]}) == 0
    assert drm("soviet 5-5-3 0,0 disrupted", features={"0,0": ["fort"]}) == 2
    assert drm(f"{text} elite") == 1
    assert drm(f"{text} low") == -1
    assert drm("soviet 5-5-3 0,0 disrupted branch=guards", terrain={"0,0": "major_city"}) == 3


@rule("13.5c")
def test_the_roll_is_clamped():
    units = {"D": "axis 5-5-3 0,0 disrupted low", "X": "soviet 3-5-3 1,0"}
    g = start(units, dice=(1,), phase="recovery")
    assert has(g, "D", DISRUPTED)
    units = {"D": "axis 5-5-3 0,0 disrupted elite", "X": "soviet 3-5-3 1,0"}
    g = start(units, dice=(6,), phase="recovery", terrain={"0,0": "major_city"})
    assert not has(g, "D", DISRUPTED), "6 + 3 is read as 6"
    g = start(units, dice=(2,), phase="recovery", terrain={"0,0": "major_city"})
    assert not has(g, "D", DISRUPTED), "2 + 3 = 5"


@rule("13.4a")
@rule("16.3.4a")
def test_a_unit_that_recovers_from_full_retreat_in_an_enemy_vp_hex_controls_it():
    def after_recovery(more: str) -> Board:
        units = {"A": "axis 3-5-3 -4,0", "R": f"soviet 3-5-3 0,0 full_retreat {more}"}
        g = start(units, vp={"0,0": 1}, control={"0,0": "axis"}, side="soviet", phase="recovery")
        assert g.controller(g.map.place("0,0")) == AXIS, "in Full Retreat it does not take control"
        return g

    g = after_recovery("")
    do(g, "pass")
    assert has(g, "R", DISRUPTED)
    assert g.controller(g.map.place("0,0")) == SOVIET
    g = after_recovery("")
    do(g, "keep R")
    assert has(g, "R", FULL_RETREAT)
    assert g.controller(g.map.place("0,0")) == AXIS


def test_who_interrupts_whom():
    units = {"A": "axis 5-5-3 1,0", "F": "soviet 3-5-3 0,0 full_retreat", "L": "axis 0-0-6 0,1 leader"}
    g = board(units)
    assert interruption(g, AXIS, h(g, "1,0")) is not None
    assert interruption(g, AXIS, h(g, "0,1")) is None, "a leader alone"
    assert interruption(g, SOVIET, h(g, "0,0")) is None
    assert interruption(g, AXIS, h(g, "3,0")) is None
    g = board(units, hexsides={"0,0|1,0": "volga"})
    assert interruption(g, AXIS, h(g, "1,0")) is None, "not adjacent across the Volga"


@rule("13.3.2g")
def test_full_retreat_units_run_from_a_breakthrough_group():
    g = charge(more={"F": "soviet 3-5-3 -2,0 full_retreat"})
    do(g, "form A1", "form A2", "form A3", "go -1,0")
    assert asked(g) == SOVIET
    run_away(g, "F")
    assert asked(g) == AXIS
    assert any(c.startswith("go") for c in choices(g)), "the group goes on"
