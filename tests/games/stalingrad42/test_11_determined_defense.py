"""11.0 Determined Defense."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import asked
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import DISRUPTED, FLIPPED
from kessel.games.stalingrad42.combat.city_battles import level, settle_city_battles
from kessel.games.stalingrad42.combat.defense import (
    defense_column,
    defense_modifier,
    is_desperate,
    why_not_attempt,
    why_not_lead,
)
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET

from .fights import TABLES, TWO, attack, combat, crt_roll, dd_roll, ends, fight, go_to, run_away, start, strength
from .helpers import area, at, board, choices, do, example, h, has, refused, rule, u

THREE = "soviet 3-5-3;2-3-3;1-1-3 0,0"
POCKET = {
    "P": "axis 2-2-3 1,-2",
    "Q": "axis 2-2-3 -1,-1",
    "R": "axis 2-2-3 -2,1",
    "S": "axis 2-2-3 -1,2",
    "T": "axis 2-2-3 1,1",
}
"""With A in 1,0 these shut 0,0 in: every way out leads through two EZOCs or a bond."""


def result(code: str, colour: str = "plain"):
    column, die = crt_roll(code, colour)
    return TABLES.columns[column][die - 1]


def steps(g: Board, name: str) -> int:
    return g.steps[u(g, name)]


# --- 11.1 who may try ------------------------------------------------------------------------------------------------


@rule("11.1.1a")
@pytest.mark.parametrize("code", ["A1/DR2", "DR2", "A1/D1", "DRX", "D1"])
def test_five_results_can_be_answered(code: str):
    g = fight(code, defender=TWO, attacker="axis {}-8-6;5-4-6 1,0")
    assert asked(g) == SOVIET
    assert {"defend X", "pass"} <= choices(g)
    assert refused(g, "attack 1,0") == refused(g, "cancel") == "11.1.1", "nothing else can be done now"


@rule("11.1.1a")
@rule("11.2.2a")
@pytest.mark.parametrize(("code", "colour"), [("DS", "noDD"), ("DR4", "noDD"), ("EX", "plain"), ("A1", "plain")])
def test_the_others_cannot(code: str, colour: str):
    g = fight(code, colour=colour, defender=THREE, attacker="axis {}-8-6;5-4-6 1,0")
    assert not any(c.startswith("defend") for c in choices(g))
    g = board({"A": "axis 9-8-6 1,0", "X": TWO}, turn=10)
    why = why_not_attempt(g, u(g, "X"), combat(g, "0,0", "A"), result(code, colour))
    assert why.rule in ("11.1.1", "11.2.2")


@rule("11.1.1b")
def test_a_step_must_have_survived():
    g = fight("D1")
    assert at(g, "X") == "nowhere"
    assert asked(g) == AXIS, "nobody is left to defend"


@rule("11.1.1c")
def test_success_cancels_retreat_disruption_and_advance():
    g = fight("DR2", defender=TWO, then=(dd_roll("clear_desert", "S"),))
    do(g, "defend X")
    assert at(g, "X") == "0,0"
    assert not has(g, "X", DISRUPTED)
    assert asked(g) == AXIS
    assert choices(g) == {"pass"}, "no advance: the next attack is asked for"


NEEDS = {
    "plain": ("soviet 3-5-3;2-3-3 0,0", {}, False),
    "nkvd type": ("soviet 3-5-3;2-3-3 0,0 nkvd", {}, True),
    "nkvd branch": ("soviet 3-5-3;2-3-3 0,0 branch=nkvd", {}, True),
    "city": ("soviet 3-5-3;2-3-3 0,0", {"terrain": {"0,0": "minor_city"}}, True),
    "river": ("soviet 3-5-3;2-3-3 0,0", {"hexsides": {"0,0|1,0": "minor_river"}}, True),
    "rough": ("soviet 3-5-3;2-3-3 0,0", {"terrain": {"0,0": "rough"}}, True),
    "fort": ("soviet 3-5-3;2-3-3 0,0", {"forts": {"0,0": "soviet"}}, True),
    "woods": ("soviet 3-5-3;2-3-3 0,0", {"terrain": {"0,0": "woods"}}, False),
    "mountain tank": ("soviet 3-5-3;2-3-3 0,0 tank", {"terrain": {"0,0": "mountain"}}, False),
}


@rule("11.1.2a")
@rule("11.1.2b")
@rule("11.1.2d")
@rule("20.3")
@pytest.mark.parametrize("case", NEEDS)
def test_not_one_step_back(case: str):
    defender, more, allowed = NEEDS[case]
    g = board({"A": "axis 9-8-6 1,0", "X": defender}, turn=7, **more)
    why = why_not_attempt(g, u(g, "X"), combat(g, "0,0", "A"), result("DR2"))
    assert (why is None) is allowed
    if why:
        assert why.rule == "11.1.2"


@rule("11.1.2c")
def test_before_turn_8_a_desperate_defense_qualifies():
    g = fight("DR2", defender=TWO, more=POCKET, turn=7, then=(6,))
    assert {"defend X", "desperate X", "pass"} == choices(g)


@rule("11.1.2a")
@rule("11.1.2e")
def test_the_restriction_is_soviet_and_ends_with_turn_8():
    g = board({"A": "axis 9-8-6 1,0", "X": TWO}, turn=8)
    assert why_not_attempt(g, u(g, "X"), combat(g, "0,0", "A"), result("DR2")) is None
    g = board({"A": "soviet 9-8-6 1,0", "X": TWO.replace("soviet", "axis")}, turn=1)
    assert why_not_attempt(g, u(g, "X"), combat(g, "0,0", "A"), result("DR2")) is None
    g = fight("DR2", defender=TWO, turn=7)
    assert not any(c.startswith("defend") for c in choices(g)), "the procedure keeps it"


@rule("11.1.2a")
def test_the_lead_unit_itself_must_qualify():
    units = {"A": "axis 9-8-6 1,0", "X": TWO, "N": "soviet 2-2-3 0,0 nkvd"}
    g = board(units, turn=5)
    a = combat(g, "0,0", "A")
    assert why_not_attempt(g, u(g, "X"), a, result("DR2")).rule == "11.1.2"
    assert why_not_attempt(g, u(g, "N"), a, result("DR2")) is None
    g = board(units, turn=5, options={"stack_eligibility": "any"})
    assert why_not_attempt(g, u(g, "X"), combat(g, "0,0", "A"), result("DR2")) is None


# --- 11.2 the table --------------------------------------------------------------------------------------------------


@rule("11.2.1a")
def test_crt_losses_come_first():
    g = fight("D1", defender=TWO, then=(dd_roll("clear_desert", "S"),))
    assert steps(g, "X") == 1
    assert "defend X" in choices(g)


@rule("11.2.1b")
def test_the_defender_picks_the_lead_and_a_sole_eligible_unit_must_lead():
    g = fight("DR2", defender="soviet 3-2-3 0,0", more={"Y": "soviet 3-3-3 0,0"})
    assert choices(g) == {"pass", "defend X", "defend Y"}
    g = fight("DR2", defender="soviet 3-2-3 0,0 disrupted", more={"Y": "soviet 3-4-3 0,0"})
    assert choices(g) == {"pass", "defend Y"}
    assert refused(g, "defend X") == "11.2.3"


@rule("11.2.1c")
@rule("11.2.1d")
@rule("11.2.1e")
def test_the_column_of_the_table():
    def column(side: int = SOVIET, **more: Any) -> str:
        g = board({}, **more)
        return defense_column(g, h(g, "0,0"), side)

    assert column() == "clear_desert"
    assert column(terrain={"0,0": "desert"}) == "clear_desert"
    for word in ("minor_city", "major_city"):
        assert column(terrain={"0,0": word}) == "city"
    for word in ("rough", "woods", "wooded_rough", "marsh", "mountain"):
        assert column(terrain={"0,0": word}) == "other"
    assert column(features={"0,0": ["town"]}) == "other"
    assert column(forts={"0,0": "soviet"}) == "other"
    assert column(features={"0,0": ["fort"]}) == "other"
    assert column(AXIS, features={"0,0": ["fort"]}) == "clear_desert", "printed Fortifications help no Axis unit"
    assert column(forts={"0,0": "soviet begun"}) == "clear_desert"
    assert column(features={"0,0": ["landmark"]}) == "clear_desert"
    assert column(terrain={"0,0": "seasonal_marsh"}) == "clear_desert"
    assert column(terrain={"0,0": "seasonal_marsh"}, seasonal_marsh="marsh") == "other"


@rule("11.2.2b")
@rule("11.2.4d")
def test_an_orange_result_needs_a_vp_hex_or_no_way_out():
    orange = next(r.code for c in TABLES.columns.values() for r in c if r.colour == "orange")
    g = fight(orange, colour="orange", defender=THREE)
    assert not any(c.startswith("defend") for c in choices(g))
    g = fight(orange, colour="orange", defender=THREE, vp={"0,0": 1}, then=(6,))
    do(g, "defend X")
    assert any(e.get("modifier") == -1 for e in g.events)
    g = fight(orange, colour="orange", defender=THREE, more=POCKET, then=(6,))
    assert "desperate X" in choices(g)


@rule("11.2.3")
@pytest.mark.parametrize(
    "text",
    [
        "soviet 3-5-3 0,0 disrupted",
        "soviet 3-5-3 0,0 full_retreat",
        "soviet 3-5-3 0,0 train",
        "soviet S-(1)-5b 0,0 front",
    ],
)
def test_who_cannot_lead(text: str):
    g = board({"A": "axis 9-8-6 1,0", "X": text, "L": "soviet 0-0-6 0,0 leader"}, turn=10)
    a = combat(g, "0,0", "A")
    assert why_not_attempt(g, u(g, "X"), a, result("DR2")).rule == "11.2.3"
    assert why_not_attempt(g, u(g, "L"), a, result("DR2")).rule == "11.2.3"
    assert why_not_attempt(g, u(g, "A"), a, result("DR2")).rule == "11.2.3"


def modifier(defender: str, *, colour: str = "plain", supported: bool = False, **more: Any) -> int:
    enemy = "soviet" if defender.startswith("axis") else "axis"
    g = board({"A": f"{enemy} 9-8-6 1,0", "X": defender}, **more)
    found = defense_modifier(g, u(g, "X"), h(g, "0,0"), result("D1", colour), supported=supported, quiet=False)
    return found.total


@rule("11.2.4a")
@rule("11.2.4b")
@rule("11.2.4c")
@rule("11.2.4d")
def test_die_roll_modifiers():
    assert modifier("soviet 3-5-3 0,0") == 0
    assert modifier("soviet 3-5-3 0,0 elite") == 1
    assert modifier("soviet 3-5-3 0,0 branch=guards") == 1, "Guards are Elite"
    assert modifier("soviet 3-5-3 0,0 low") == -1
    assert modifier("soviet 3-5-3 0,0", supported=True) == 1
    assert modifier("soviet 3-5-3 0,0 elite", colour="orange", supported=True) == 1


@rule("11.2.4e")
def test_germans_in_fortifications_and_cities_are_elite():
    assert modifier("axis 3-5-3 0,0") == 0
    assert modifier("axis 3-5-3 0,0", terrain={"0,0": "minor_city"}) == 1
    assert modifier("axis 3-5-3 0,0 low", terrain={"0,0": "major_city"}) == 1, "regardless of their quality"
    assert modifier("axis 3-5-3 0,0", forts={"0,0": "axis"}) == 1
    assert modifier("axis 3-5-3 0,0 nation=romanian", forts={"0,0": "axis"}) == 0
    assert modifier("soviet 3-5-3 0,0", terrain={"0,0": "major_city"}) == 0
    assert modifier("axis 3-5-3 0,0", features={"0,0": ["fort"]}) == 0


# --- 11.3 Defensive Support ------------------------------------------------------------------------------------------

FRONT = "soviet S-(1)-5b -2,0 front range=3 back=0-(1)-5"


@rule("11.3a")
@rule("11.3b")
@rule("11.3c")
@rule("18.3.2")
def test_one_ready_asu_in_range_adds_one():
    more = {"F": FRONT, "G": FRONT.replace("-2,0", "-2,1")}
    g = fight("DR2", defender=TWO, more=more, then=(6,))
    do(g, "defend X")
    assert choices(g) == {"pass", "artillery F", "artillery G"}
    assert g.dice.count == 1, "declared before the die is rolled"
    do(g, "artillery F")
    assert has(g, "F", FLIPPED)
    assert not has(g, "G", FLIPPED), "never more than one"
    assert any(e.get("modifier") == 1 for e in g.events)


@rule("11.3a")
def test_support_that_is_used_or_out_of_range_or_of_another_nation():
    for text in (f"{FRONT} flipped", FRONT.replace("-2,0", "-5,0"), f"{FRONT} disrupted"):
        g = fight("DR2", defender=TWO, more={"F": text}, then=(6,))
        do(g, "defend X")
        assert g.dice.count == 2, "nothing to choose: the die is rolled"
    hq = "axis S-(1)-5b -2,0 hq range=3 nation=romanian"
    for nation, count in (("german", 2), ("romanian", 1)):
        defender = f"axis 3-5-3;2-3-3 0,0 nation={nation}"
        g = fight("DR2", attacker="soviet {}-8-6 1,0", defender=defender, more={"H": hq}, then=(6,))
        do(g, "defend X")
        assert g.dice.count == count


@rule("11.3a")
def test_a_supply_point_pays_for_defensive_support():
    more = {"F": f"{FRONT} flipped", "S": "soviet 0-0-5 -2,0 supply back=S-0-T flipped"}
    g = fight("DR2", defender=TWO, more=more, then=(6,))
    do(g, "defend X", "artillery S")
    assert at(g, "S") == "nowhere"
    g = fight("DR2", defender=TWO, more=more, then=(6,), options={"sp_defensive_support": "no"})
    do(g, "defend X")
    assert g.dice.count == 2


@rule("18.5c")
def test_an_artillery_division_used_in_defense_flips():
    g = fight("DR2", defender=TWO, more={"F": FRONT.replace("front", "artdiv")}, then=(6,))
    do(g, "defend X", "artillery F")
    assert has(g, "F", FLIPPED)
    g = fight(
        "DR2",
        defender=TWO,
        more={"F": FRONT.replace("front", "artdiv")},
        then=(6,),
        options={"defensive_artillery_division": "removed"},
    )
    do(g, "defend X", "artillery F")
    assert at(g, "F") == "nowhere"


# --- 11.4 results ----------------------------------------------------------------------------------------------------


@rule("11.4.1a")
@rule("11.4.3")
def test_success_partial_and_fail():
    g = fight("DR2", defender=TWO, then=(dd_roll("other", "S"),), terrain={"0,0": "woods"})
    do(g, "defend X")
    assert at(g, "X") == "0,0"
    g = fight("DR2", defender=TWO, then=(dd_roll("other", "F"),), terrain={"0,0": "woods"})
    do(g, "defend X")
    assert asked(g) == SOVIET
    assert all(c.startswith("retreat") for c in choices(g)), "it fails: the stack must retreat"
    g = fight("DR2", defender=TWO, then=(dd_roll("other", "P"),), terrain={"0,0": "woods"})
    do(g, "defend X")
    assert ends(g, "X") >= {"-1,0", "-2,0"}, "a Delay: one or two hexes"


@rule("11.4.1b")
@rule("11.2.3")
def test_losses_are_attacker_slash_defender_and_the_lead_takes_them():
    cell = next(c for c in TABLES.defense["other"] if c.attacker_loss and c.defender_loss)
    die = dd_roll("other", cell.code, losses=str(cell).split()[1])
    more = {"Y": "soviet 3-1-3;1-1-3 0,0", "B": "axis 0-3-3;0-1-3 1,0"}
    g = fight(
        "DR2",
        defender="soviet 3-4-3;2-3-3 0,0",
        attacker="axis {}-8-6;5-4-6 1,0",
        more=more,
        then=(die,),
        terrain={"0,0": "woods"},
    )
    do(g, "defend Y")
    assert (steps(g, "A"), steps(g, "X"), steps(g, "Y")) == (1, 2, 1)


@rule("11.4.1c")
def test_an_asterisk_lets_the_defender_pick():
    column = next(n for n, cells in TABLES.defense.items() if any(c.defender_picks for c in cells[:-1]))
    cell = next(c for c in TABLES.defense[column] if c.defender_picks)
    terrain = {"city": "major_city", "other": "woods", "clear_desert": "clear"}[column]
    at_, die = crt_roll("DR2")
    defense = 10 if terrain == "major_city" else 5
    units = {
        "A": f"axis {strength(at_, defense) - 1}-8-6;5-4-6 1,0",
        "B": "axis 1-3-3;1-1-3 1,0",
        "X": TWO,
    }
    g = start(
        units,
        dice=(die, dd_roll(column, cell.code, losses=str(cell).split()[1])),
        phase="combat",
        turn=10,
        terrain={"0,0": terrain},
        radius=5,
    )
    attack(g, "0,0", "A", "B")
    do(g, "defend X")
    assert asked(g) == SOVIET
    assert choices(g) == {"lose A", "lose B"}


@rule("11.4.2a")
@rule("14.2.3")
def test_a_last_step_lost_in_success_gives_a_limited_advance():
    cell = next(c for c in TABLES.defense["other"] if c.code == "S" and c.defender_loss)
    die = dd_roll("other", "S", losses=str(cell).split()[1])
    more = {"terrain": {"0,0": "woods"}}
    g = fight("DR2", attacker="axis {}-8-6;5-4-6 1,0 mech", then=(die,), **more)
    do(g, "defend X")
    assert at(g, "X") == "nowhere"
    do(g, "advance A")
    assert choices(g) == {"halt", "go 0,0"}


@rule("11.4.2b")
def test_the_hex_holds_if_friends_are_left():
    cell = next(c for c in TABLES.defense["other"] if c.code == "S" and c.defender_loss)
    die = dd_roll("other", "S", losses=str(cell).split()[1])
    for other_unit in ("soviet S-(1)-5b 0,0 front", "soviet 1-1-3 0,0 disrupted", "soviet 3-3-3 0,0 train"):
        column, roll = crt_roll("DR2")
        units = {"A": "axis 9-8-6;5-4-6 1,0 mech", "X": "soviet 3-4-3 0,0", "Y": other_unit}
        g = board(units, terrain={"0,0": "woods"}, turn=10)
        from .fights import odds_of

        units["A"] = f"axis {strength(column, odds_of(g, '0,0', 'A').defense.total)}-8-6;5-4-6 1,0 mech"
        g = start(units, dice=(roll, die), phase="combat", turn=10, terrain={"0,0": "woods"}, radius=5)
        attack(g, "0,0", "A")
        do(g, "defend X")
        if "artillery Y" in choices(g):
            do(g, "pass")
        assert at(g, "X") == "nowhere"
        assert at(g, "Y") == "0,0"
        assert not any(c.startswith("advance") for c in choices(g)), other_unit


# --- 11.5 Desperate Defense ------------------------------------------------------------------------------------------


@rule("11.5.1a")
def test_desperate_if_the_whole_stack_would_die():
    g = board({"A": "axis 9-8-6 1,0", "X": TWO, **POCKET}, turn=10, radius=5)
    assert is_desperate(g, combat(g, "0,0", "A"), result("DR2"))
    g = board({"A": "axis 9-8-6 1,0", "X": TWO}, turn=10, radius=5)
    assert not is_desperate(g, combat(g, "0,0", "A"), result("DR2"))
    g = fight("DR2", defender=TWO)
    assert refused(g, "desperate X") == "11.5.1"


@rule("11.5.1a")
def test_a_unit_that_can_pay_does_not_face_elimination():
    ring = ("1,-1", "0,-1", "-1,-1", "-2,0", "-2,1", "-1,1", "0,1")
    units = {"A": "axis 9-8-6 1,0", "X": TWO, "Y": "soviet 3-5-3 -1,0"}
    units |= {f"R{i}": f"axis 2-2-3 {place}" for i, place in enumerate(ring)}
    g = board(units, turn=10, radius=5)
    assert not is_desperate(g, combat(g, "0,0", "A"), result("DR2")), "a step paid ends the retreat with Y"
    g = board(units, turn=10, radius=5, options={"pay_saves": "no"})
    assert is_desperate(g, combat(g, "0,0", "A"), result("DR2"))
    g = board(units | {"X": "soviet 3-5-3 0,0"}, turn=10, radius=5)
    assert is_desperate(g, combat(g, "0,0", "A"), result("DR2")), "a unit of one step cannot pay"


PORT: dict[str, Any] = {
    "hexes": {
        **{f"{q},{r}": {} for q in range(-4, 5) for r in range(-4, 5) if abs(q + r) <= 4},
        "0,0": {"features": ["port"], "sea": "black"},
    },
    "links": [("primary", "0,0 -1,0 -2,0 -3,0")],
    "control": {"0,0": "soviet"},
}


@rule("11.5.1b")
def test_desperate_if_the_port_that_supplies_them_would_be_lost():
    g = board({"A": "axis 9-8-6 1,0", "X": TWO}, turn=10, **PORT)
    assert is_desperate(g, combat(g, "0,0", "A"), result("DR2"))
    with_area = PORT | {"boxes": [area("B", "soviet", "-4,0 -4,1")]}
    g = board({"A": "axis 9-8-6 1,0", "X": TWO}, turn=10, **with_area)
    assert not is_desperate(g, combat(g, "0,0", "A"), result("DR2")), "another source supplies the end of the retreat"
    no_port = PORT | {"hexes": PORT["hexes"] | {"0,0": {}}, "control": {}}
    g = board({"A": "axis 9-8-6 1,0", "X": TWO}, turn=10, **no_port)
    assert not is_desperate(g, combat(g, "0,0", "A"), result("DR2"))


@rule("11.5.2a")
@rule("11.5.2b")
@rule("11.5.1c")
@example("E37")
def test_the_example_of_a_desperate_defense():
    column, die = crt_roll("D1")
    units = {
        "A": f"axis {strength(column, 8)}-8-6 1,0",
        "E": "soviet 3-4-3;2-3-3;1-1-3 0,0 elite",
        "N": "soviet 3-4-3;2-3-3 0,0",
    } | POCKET
    g = start(units, dice=(die, 2, 4), phase="combat", turn=10, terrain={"0,0": "woods"}, radius=5)
    attack(g, "0,0", "A")
    do(g, "lose N", "desperate E")
    assert steps(g, "E") == 2, "2 + 1 = 3 is a Fail: the Lead Unit loses a step"
    assert choices(g) == {"lead E", "lead N"}
    do(g, "lead E")
    assert steps(g, "E") == 1, "4 + 1 = 5 is S -/1"
    assert steps(g, "N") == 1
    assert at(g, "E") == at(g, "N") == "0,0"
    assert asked(g) == AXIS


@rule("11.5.2c")
def test_the_lead_may_change_between_attempts():
    more = {"Y": "soviet 3-1-3;1-1-3 0,0"} | POCKET
    fail = dd_roll("clear_desert", "F")
    g = fight("DR2", defender="soviet 3-4-3;2-3-3 0,0", more=more, then=(fail, fail, 6))
    do(g, "desperate X")
    assert steps(g, "X") == 1
    do(g, "lead Y")
    assert (steps(g, "X"), steps(g, "Y")) == (1, 1)
    do(g, "lead X")
    assert at(g, "X") == "nowhere" or at(g, "X") == "0,0"


@rule("11.5.1c")
@rule("12.3")
def test_desperate_defenders_roll_until_they_are_wiped_out():
    fail = dd_roll("clear_desert", "F")
    g = fight("DR2", defender=THREE, more=POCKET, then=(fail,) * 3, attacker="axis {}-8-6 1,0 mech")
    do(g, "desperate X")
    assert at(g, "X") == "nowhere"
    assert g.dice.count == 4
    assert asked(g) == AXIS
    assert "form A" in choices(g), "the attacker receives the full advance"


@rule("11.5.2a")
def test_exactly_one_step_for_each_failure():
    cell = next(c for c in TABLES.defense["clear_desert"] if c.code == "F" and c.defender_loss)
    die = dd_roll("clear_desert", "F", losses=str(cell).split()[1])
    g = fight("DR2", defender=THREE, more=POCKET, then=(die, 6))
    do(g, "desperate X")
    lost = 1 + TABLES.roll_defense("clear_desert", 6).defender_loss
    assert 3 - steps(g, "X") == lost
    g = fight("DR2", defender=THREE, more=POCKET, then=(die, 6), options={"desperate_printed_loss": "added"})
    do(g, "desperate X")
    assert 3 - steps(g, "X") == lost + 1


@rule("11.5.2b")
def test_support_covers_every_roll_of_a_desperate_defense():
    fail = dd_roll("clear_desert", "F", 1)
    more = {"F": "soviet S-(1)-5b 0,0 front range=3 back=0-(1)-5"} | POCKET
    g = fight("DR2", defender=THREE, more=more, then=(fail, fail, 6))
    do(g, "desperate X", "artillery F")
    assert [e["modifier"] for e in g.events if "modifier" in e] == [1, 1, 1]


# --- 11.6 Partial Success --------------------------------------------------------------------------------------------


@rule("11.6.1a")
@rule("11.6.1b")
@rule("14.2.4")
@example("E38")
def test_a_delay():
    die = dd_roll("other", "P")
    g = fight("DR2", defender=THREE, then=(die,), terrain={"0,0": "woods"}, attacker="axis {}-8-6 1,0 mech")
    do(g, "defend X")
    centre = h(g, "0,0")
    assert {g.map.grid.distance(centre, h(g, p)) for p in ends(g, "X")} == {1, 2}
    run_away(g, "X", "-1,0")
    assert has(g, "X", DISRUPTED), "still Disrupted in a retreat of one hex"
    assert choices(g) == {"pass", "advance A"}, "no Breakthrough Group"
    do(g, "advance A")
    assert {c for c in choices(g) if c != "halt"} == {"go 0,0", "go 0,1", "go 1,-1", "go 1,1", "go 2,-1", "go 2,0"}


@rule("11.6.1c")
def test_a_delay_that_kills_the_last_step_still_allows_one_hex():
    cell = next(c for c in TABLES.defense["other"] if c.code == "P")
    assert cell.defender_loss == 1
    g = fight("DR2", then=(dd_roll("other", "P"),), terrain={"0,0": "woods"}, attacker="axis {}-8-6 1,0 mech")
    do(g, "defend X")
    assert at(g, "X") == "nowhere"
    do(g, "advance A")
    assert all(c.count(",") <= 1 for c in choices(g) if c.startswith("go"))
    assert "go 1,1" in choices(g), "in any direction"


@rule("11.6.1d")
@rule("11.6.1e")
def test_delays_in_a_desperate_defense():
    die = dd_roll("other", "P")
    g = fight("DR2", defender=THREE, more=POCKET, then=(die, die), terrain={"0,0": "woods"})
    do(g, "desperate X")
    assert steps(g, "X") == 1, "the first is a Fail, the second S -/1"
    assert at(g, "X") == "0,0"
    assert not has(g, "X", DISRUPTED)
    assert g.dice.count == 3


CITY: dict[str, Any] = {"terrain": {"0,0": "major_city"}, "control": {"0,0": "soviet"}}


def partial(marker: int = 0, **more: Any) -> Board:
    """X defends a City and rolls a Partial Success."""
    column, die = crt_roll("DR2")
    units = {"A": f"axis {strength(column, 10)}-8-6 1,0 mech", "X": "soviet 3-5-3;2-3-3;1-1-3 0,0"}
    cell = next(c for c in TABLES.defense["city"] if c.code == "P" and not c.defender_loss)
    roll = dd_roll("city", "P", losses=str(cell).split()[1])
    battles = {"city_battles": {"0,0": marker}} if marker else {}
    g = start(units, dice=(die, roll), phase="combat", turn=10, radius=5, **(CITY | battles | more))
    attack(g, "0,0", "A")
    do(g, "defend X")
    return g


@rule("11.6.2a")
@example("E38")
def test_a_city_battle():
    g = partial()
    assert level(g, h(g, "0,0")) == 1
    assert at(g, "X") == "0,0"
    assert not has(g, "X", DISRUPTED)
    assert choices(g) == {"pass"}, "no advance"


@rule("11.6.2b")
@rule("11.6.2c")
def test_the_second_partial_flips_the_marker_and_the_third_is_a_delay():
    g = partial(1)
    assert level(g, h(g, "0,0")) == 2
    assert at(g, "X") == "0,0"
    g = partial(2)
    assert ends(g, "X"), "a Delay: it must retreat"


@rule("11.6.2c")
@rule("11.6.2d")
def test_a_minor_city_has_one_level():
    minor = {"terrain": {"0,0": "minor_city"}}
    g = partial(0, **minor)
    assert level(g, h(g, "0,0")) == 1
    g = partial(1, **minor)
    assert ends(g, "X")


@rule("11.6.2e")
def test_the_marker_goes_with_the_defender_or_the_attacker():
    units = {"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    more = CITY | {"city_battles": {"0,0": 1}}
    g = board(units, **more)
    settle_city_battles(g)
    assert level(g, h(g, "0,0")) == 1
    for gone in ("A", "X"):
        g = board(units, **more)
        g.move(u(g, gone), h(g, "3,0"))
        settle_city_battles(g)
        assert level(g, h(g, "0,0")) == 0, gone
    g = start(units, dice=(), side="axis", **more)
    do(g, "move A", "to 2,0 normal")
    assert level(g, h(g, "0,0")) == 0, "at once, when the attacker moves away"


@rule("11.6.1a")
def test_after_a_delay_the_defender_may_go_one_or_two():
    die = dd_roll("other", "P")
    g = fight("DR2", defender=THREE, then=(die,), terrain={"0,0": "woods"}, attacker="axis {}-8-6 1,0 mech")
    do(g, "defend X")
    run_away(g, "X", "-2,0")
    do(g, "advance A")
    go_to(g, "0,0")
    assert at(g, "A") == "0,0"
    assert not any(c.startswith(("strike", "form")) for c in choices(g))


def test_excluded_units_do_not_lead():
    g = board({"A": "axis 9-8-6 1,0", "X": TWO, "Y": "soviet 3-5-3 0,0"}, turn=10)
    a = combat(g, "0,0", "A", excess=(u(g, "Y"),))
    assert why_not_lead(g, u(g, "Y"), a).rule == "15.3.2"
    assert why_not_lead(g, u(g, "X"), a) is None


def test_a_partial_success_that_kills_the_last_defender_of_a_city():
    from .fights import TABLES

    cell = next(c for c in TABLES.defense["city"] if c.code == "P" and c.defender_loss)
    column, die = crt_roll("DR2")
    units = {"A": f"axis {strength(column, 10)}-8-6 1,0 mech", "X": "soviet 3-5-3 0,0"}
    more = {"terrain": {"0,0": "major_city"}, "control": {"0,0": "soviet"}, "turn": 10, "radius": 5}
    g = start(units, dice=(die, dd_roll("city", "P", losses=str(cell).split()[1])), phase="combat", **more)
    attack(g, "0,0", "A")
    do(g, "defend X")
    assert at(g, "X") == "nowhere"
    assert g.city_battle[h(g, "0,0")] == 0, "nobody is left to battle"
    do(g, "advance A")
    assert all(c.count(",") <= 1 for c in choices(g) if c.startswith("go")), "one hex, as after a Delay"


@pytest.mark.parametrize("word", ["defend", "desperate"])
def test_both_kinds_of_defense_are_offered_where_retreat_is_death(word: str):
    g = fight("DR2", defender="soviet 3-5-3;2-3-3;1-1-3 0,0", more=POCKET, then=(dd_roll("clear_desert", "F"), 6))
    assert {"defend X", "desperate X", "pass"} == choices(g)
    do(g, f"{word} X")
    if word == "defend":
        assert at(g, "X") == "nowhere", "a plain Determined Defense that fails must retreat, and dies"
    else:
        assert at(g, "X") == "0,0"


def test_which_enemy_keeps_a_city_battle_going():
    from kessel.games.stalingrad42.combat.city_battles import level, settle_city_battles

    more: dict[str, Any] = {
        "terrain": {"0,0": "major_city"},
        "control": {"0,0": "soviet"},
        "city_battles": {"0,0": 1},
    }
    for options, left in (({}, 0), ({"city_battle_marker": "any_adjacent"}, 1)):
        g = board({"L": "axis 0-0-6 1,0 leader", "X": TWO}, options=options, **more)
        settle_city_battles(g)
        assert level(g, h(g, "0,0")) == left
    g = board({"A": "axis 3-3-3 1,0", "X": TWO}, hexsides={"0,0|1,0": "volga"}, **more)
    settle_city_battles(g)
    assert level(g, h(g, "0,0")) == 0, "not adjacent across the Volga"
