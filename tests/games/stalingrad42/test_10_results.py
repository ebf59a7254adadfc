"""10.0 Combat Results."""

from __future__ import annotations

import pytest

from kessel.core.procedure import asked
from kessel.games.stalingrad42.board import REPLACEMENT_KINDS
from kessel.games.stalingrad42.columns import DISRUPTED, ELIMINATED, FULL_RETREAT
from kessel.games.stalingrad42.combat.losses import lose_step, remnants_free
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.turn.replacements import revive

from .fights import TABLES, TWO, attack, crt_roll, ends, fight, go_to, run_away, start, strength
from .helpers import at, board, choices, do, example, has, refused, rule, u

"""A defender with two steps."""


def steps(g, name: str) -> int:
    return g.steps[u(g, name)]


def distances(g, name: str) -> set[int]:
    """How far from 0,0 a unit may retreat."""
    centre = g.map.place("0,0")
    return {g.map.grid.distance(centre, g.map.place(p)) for p in ends(g, name)}


# --- 10.1 the results ------------------------------------------------------------------------------------------------


@rule("10.1a")
def test_ds_costs_a_step_of_the_attackers_choice_and_four_hexes():
    g = fight("DS", colour="noDD", defender=TWO, more={"Y": "soviet 0-0-3 -5,5 leader"})
    assert steps(g, "X") == 1
    assert distances(g, "X") == {4}
    assert not any(c.startswith("defend") for c in choices(g))
    run_away(g, "X")
    assert has(g, "X", FULL_RETREAT)
    g = fight("DS", colour="noDD", defender=TWO.replace("-5-", "-3-"), more={"Y": "soviet 2-2-3;1-1-3 0,0"})
    assert asked(g) == AXIS
    assert choices(g) == {"lose X", "lose Y"}


@rule("10.1b")
def test_dr4_is_a_retreat_of_four_hexes_in_full_retreat():
    g = fight("DR4", colour="noDD", defender=TWO)
    assert steps(g, "X") == 2
    assert distances(g, "X") == {4}
    assert not any(c.startswith("defend") for c in choices(g))
    run_away(g, "X")
    assert has(g, "X", FULL_RETREAT)


@rule("10.1c")
def test_d1_costs_a_step_and_three_hexes_or_a_determined_defense():
    g = fight("D1", defender=TWO)
    assert steps(g, "X") == 1
    assert "defend X" in choices(g)
    do(g, "pass")
    assert distances(g, "X") == {3}
    run_away(g, "X")
    assert has(g, "X", DISRUPTED)


@rule("10.1d")
def test_a1_d1_costs_a_step_each_and_two_hexes():
    g = fight("A1/D1", defender=TWO, attacker="axis {}-8-6;5-4-6 1,0")
    assert (steps(g, "A"), steps(g, "X")) == (1, 1)
    assert "defend X" in choices(g)
    do(g, "pass")
    assert distances(g, "X") == {2}
    run_away(g, "X")
    assert has(g, "X", DISRUPTED)


@rule("10.1e")
def test_dr2_is_a_retreat_of_two_hexes():
    g = fight("DR2", defender=TWO, attacker="axis {}-8-6;5-4-6 1,0")
    assert (steps(g, "A"), steps(g, "X")) == (2, 2)
    assert "defend X" in choices(g)
    do(g, "pass")
    assert distances(g, "X") == {2}
    run_away(g, "X")
    assert has(g, "X", DISRUPTED)


@rule("10.1f")
def test_a1_dr2_costs_the_attacker_a_step():
    g = fight("A1/DR2", defender=TWO, attacker="axis {}-8-6;5-4-6 1,0")
    assert (steps(g, "A"), steps(g, "X")) == (1, 2)
    assert "defend X" in choices(g)
    do(g, "pass")
    assert distances(g, "X") == {2}


@rule("10.1g")
@rule("10.2.2b")
def test_drx_each_player_picks_the_others_loss():
    more = {"B": "axis 0-4-3 1,0", "Y": "soviet 3-3-3;1-1-3 0,0"}
    column, die = crt_roll("DRX")
    units = {
        "A": f"axis {strength(column) - 1}-8-6;5-4-6 1,0",
        "B": "axis 1-4-3;1-1-3 1,0",
        "X": "soviet 3-2-3;2-1-3 0,0",
        "Y": "soviet 3-3-3;1-1-3 0,0",
    }
    assert more
    g = start(units, dice=(die,), phase="combat", turn=10, radius=5)
    attack(g, "0,0", "A", "B")
    assert asked(g) == SOVIET
    assert choices(g) == {"lose A", "lose B"}
    do(g, "lose A")
    assert asked(g) == AXIS
    assert choices(g) == {"lose X", "lose Y"}
    do(g, "lose Y")
    assert (steps(g, "A"), steps(g, "Y")) == (1, 1)
    assert asked(g) == SOVIET
    assert {"defend X", "pass"} <= choices(g)


@rule("10.1h")
@rule("10.2.2b")
def test_ex_costs_a_step_each_and_nobody_retreats():
    g = fight("EX", defender=TWO, attacker="axis {}-8-6;5-4-6 1,0")
    assert (steps(g, "A"), steps(g, "X")) == (1, 1)
    assert at(g, "X") == "0,0"
    assert not has(g, "X", DISRUPTED)
    assert "pass" in choices(g)
    assert asked(g) == AXIS
    assert not any(c.startswith(("advance", "retreat", "defend")) for c in choices(g))


@rule("10.1i")
@rule("14.2.3")
def test_ex_that_empties_the_hex_allows_a_limited_advance():
    g = fight("EX", attacker="axis {}-8-6;5-4-6 1,0 mech")
    assert at(g, "X") == "nowhere"
    do(g, "advance A")
    assert choices(g) == {"halt", "go 0,0"}
    assert refused(g, "go 1,-1") == "14.2.3"
    do(g, "go 0,0")
    assert at(g, "A") == "0,0"
    assert "attack" not in "".join(choices(g))


@rule("10.1j")
def test_a1_costs_the_attacker_a_step_and_nothing_moves():
    g = fight("A1", defender=TWO, attacker="axis {}-8-6;5-4-6 1,0", colour=None)
    assert (steps(g, "A"), steps(g, "X")) == (1, 2)
    assert choices(g) == {"pass"}


@rule("10.1k")
@rule("14.2.1")
@pytest.mark.parametrize(("code", "colour"), [("DR2", "plain"), ("D1", "plain"), ("DR4", "noDD")])
def test_adv_is_the_length_of_the_advance(code: str, colour: str):
    g = fight(code, colour=colour, defender=TWO, attacker="axis {}-8-6 1,0 mech")
    column, die = crt_roll(code, colour)
    hexes = TABLES.columns[column][die - 1].advance
    if "defend X" in choices(g):
        do(g, "pass")
    run_away(g, "X")
    do(g, "pass", "advance A")
    assert max(c.count(",") for c in choices(g) if c.startswith("go")) == hexes


# --- 10.2 selecting step losses --------------------------------------------------------------------------------------


@rule("10.2.1a")
def test_only_participating_units_lose_steps():
    more = {"B": "axis 9-4-3;1-1-3 1,0"}
    g = fight("A1", colour=None, attacker="axis {}-8-6;5-4-6 1,0", more=more)
    assert (steps(g, "A"), steps(g, "B")) == (1, 2), "B only stood by"


@rule("10.2.1b")
@rule("10.2.3b")
@rule("13.3.2d")
@example("E36")
def test_units_that_contribute_nothing_are_not_picked():
    more = {
        "L": "soviet 0-0-6 0,0 leader",
        "F": "soviet 3-9-3;1-1-3 0,0 full_retreat",
        "Q": "soviet S-(1)-5b 0,0 front",
    }
    g = fight("DS", colour="noDD", defender=TWO, more=more)
    assert steps(g, "X") == 1, "there was nobody else to pick"
    assert (steps(g, "F"), steps(g, "Q"), steps(g, "L")) == (2, 1, 1)


@rule("10.2.1b")
@example("E36")
def test_units_beyond_the_stacking_limit_are_not_picked():
    column, die = crt_roll("DS", "noDD")
    units = {
        "A": f"axis {strength(column, 2)}-8-6 1,0",
        "X": "soviet 1-1-3;1-1-3 0,0",
        "Y": "soviet 1-1-3;1-1-3 0,0",
        "Z": "soviet 9-9-3;1-1-3 0,0",
    }
    g = start(units, dice=(die,), phase="combat", radius=5)
    attack(g, "0,0", "A")
    assert asked(g) == SOVIET
    assert choices(g) == {"exclude X", "exclude Y", "exclude Z"}
    do(g, "exclude Z")
    assert choices(g) == {"lose X", "lose Y"}


@rule("10.2.1b")
def test_when_all_others_are_gone_the_rest_may_be_picked():
    g = start({"A": "axis 9-8-6 1,0", "F": "soviet 3-5-3;1-1-3 0,0 full_retreat"}, phase="movement", radius=5)
    assert at(g, "F") == "nowhere", "alone beside an enemy it is eliminated (13.3.2)"
    g = board({"A": "axis 9-8-6 2,0", "F": "soviet 3-5-3;1-1-3 0,0 full_retreat"}, radius=5)
    from kessel.games.stalingrad42.combat.results import defenders_to_lose

    from .fights import combat

    assert defenders_to_lose(g, combat(g, "0,0", "A"), AXIS) == [u(g, "F")]


@rule("10.2.2a")
def test_the_owner_picks_his_own_loss():
    more = {"Y": "soviet 3-1-3;1-1-3 0,0"}
    column, die = crt_roll("A1/D1")
    units = {
        "A": f"axis {strength(column) - 1}-8-6;5-4-6 1,0",
        "B": "axis 1-4-3;1-1-3 1,0",
        "X": "soviet 3-4-3;2-3-3 0,0",
        **more,
    }
    g = start(units, dice=(die,), phase="combat", turn=10, radius=5)
    attack(g, "0,0", "A", "B")
    assert asked(g) == AXIS
    assert choices(g) == {"lose A", "lose B"}
    do(g, "lose B")
    assert asked(g) == SOVIET
    assert choices(g) == {"lose X", "lose Y"}


@rule("10.2.3a")
@rule("20.5.2")
def test_a_reduced_ally_is_spared_while_a_full_german_stands_beside_it():
    column, die = crt_roll("DRX")
    units = {
        "R": "axis {}-4-3;3-3-3 1,0 nation=romanian steps=1",
        "G": "axis 1-4-3;1-1-3 1,0",
        "X": "soviet 3-5-3;2-3-3 0,0",
    }
    units["R"] = f"axis 9-4-3;{strength(column) - 1}-3-3 1,0 nation=romanian steps=1"
    g = start(units, dice=(die,), phase="combat", turn=10, radius=5)
    attack(g, "0,0", "R", "G")
    assert steps(g, "G") == 1, "the Soviet player had to pick the German"
    units["G"] += " steps=1"
    g = start(units, dice=(die,), phase="combat", turn=10, radius=5)
    attack(g, "0,0", "R", "G")
    assert choices(g) == {"lose R", "lose G"}, "a reduced German protects nobody"
    units["G"] = units["G"].removesuffix(" steps=1")
    g = start(units, dice=(die,), phase="combat", turn=10, radius=5, options={"step_loss_binds": "owner"})
    attack(g, "0,0", "R", "G")
    assert choices(g) == {"lose R", "lose G"}, "a switch: only the owner is bound"


@rule("10.2.3a")
def test_the_opponent_may_not_pick_parenthesized_units():
    more = {"Q": "soviet S-(1)-5b 0,0 front", "P": "soviet S-(1)-5b 0,0 artdiv"}
    g = fight("EX", defender=TWO, attacker="axis {}-8-6;5-4-6 1,0", more=more)
    assert steps(g, "X") == 1


# --- 10.3, 10.4 steps and Remnants -----------------------------------------------------------------------------------


@rule("10.3a")
def test_flipped_then_eliminated():
    g = board({"A": "axis 10-8-6;7-6-6 0,0", "B": "axis 2-2-3 0,0"})
    lose_step(g, u(g, "A"), "10.3")
    assert str(g.face(u(g, "A"))) == "7-6-6"
    lose_step(g, u(g, "A"), "10.3")
    lose_step(g, u(g, "B"), "10.3")
    assert g.pool[u(g, "A")] == g.pool[u(g, "B")] == ELIMINATED


PANZER = "axis 10-8-6;7-6-6;R {} tank red remnant=panzer"


@rule("10.3b")
@rule("10.4.1a")
@rule("10.4.1b")
def test_a_second_loss_makes_a_remnant():
    g = board({"A": PANZER.format("0,0") + " steps=2"})
    free = remnants_free(g, "panzer")
    lose_step(g, u(g, "A"), "10.3")
    assert g.is_remnant(u(g, "A"))
    assert at(g, "A") == "0,0"
    assert str(g.face(u(g, "A"))) == g.charts.remnants["panzer"].face
    assert remnants_free(g, "panzer") == free - 1, "one of the Display is in use, its parent waits there"


@rule("10.4.2")
def test_without_a_free_remnant_the_unit_is_eliminated():
    number = board({}).charts.remnants["panzer"].number
    used = {f"R{i}": PANZER.format(f"{i},0") + " steps=1" for i in range(number)}
    g = board(used | {"A": PANZER.format("0,1") + " steps=2"}, radius=6)
    assert remnants_free(g, "panzer") == 0
    lose_step(g, u(g, "A"), "10.3")
    assert g.pool[u(g, "A")] == ELIMINATED


@rule("10.4.3a")
def test_an_eliminated_remnant_can_be_used_again():
    number = board({}).charts.remnants["panzer"].number
    used = {f"R{i}": PANZER.format(f"{i},0") + " steps=1" for i in range(number)}
    g = board(used | {"A": PANZER.format("0,1") + " steps=2"}, radius=6)
    lose_step(g, u(g, "R0"), "10.3")
    assert g.pool[u(g, "R0")] == ELIMINATED
    assert remnants_free(g, "panzer") == 1
    lose_step(g, u(g, "A"), "10.3")
    assert g.is_remnant(u(g, "A"))


@rule("10.4.3b")
def test_such_a_unit_comes_back_as_a_remnant():
    g = board({"A": PANZER.format("0,0") + " steps=1"})
    lose_step(g, u(g, "A"), "10.3")
    free = remnants_free(g, "panzer")
    g.points[REPLACEMENT_KINDS.index("tank")] = 1
    revive(g, u(g, "A"), "tank", g.map.place("0,0"))
    assert g.is_remnant(u(g, "A")), "its lowest step is the Remnant"
    assert remnants_free(g, "panzer") == free - 1


@rule("10.4.1a")
def test_remnants_may_be_declined_where_the_reading_says_so():
    column, die = crt_roll("A1", None)
    units = {"A": f"axis 10-8-6;{strength(column)}-6-6;R 1,0 tank remnant=panzer steps=2", "X": "soviet 3-5-3 0,0"}
    g = start(units, dice=(die,), phase="combat", options={"remnants": "optional"})
    attack(g, "0,0", "A")
    assert choices(g) == {"remnant", "eliminate A"}
    do(g, "eliminate A")
    assert at(g, "A") == "nowhere"
    g = start(units, dice=(die,), phase="combat")
    attack(g, "0,0", "A")
    assert g.is_remnant(u(g, "A")), "as played it is mandatory"


@rule("10.1k")
def test_a_unit_that_advances_goes_where_it_says():
    g = fight("DR4", colour="noDD", defender=TWO, attacker="axis {}-8-6 1,0 mech")
    run_away(g, "X")
    do(g, "pass", "advance A")
    go_to(g, "0,1")
    assert at(g, "A") == "0,1"


@rule("10.1h")
@rule("10.1j")
def test_results_without_a_retreat_give_no_advance():
    advances = {r.code: r.advance for cells in TABLES.columns.values() for r in cells}
    assert (advances["EX"], advances["A1"]) == (0, 0)
    assert {code for code, hexes in advances.items() if not hexes} == {"EX", "A1"}
