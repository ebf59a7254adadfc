"""18.1.3, 18.1.4 How partisans fight."""

from __future__ import annotations

import pytest

from kessel.games.korsun44.board import COMBAT, DEFENDED, SOVIET, STRUCK, Board
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT, why_not_attack_with
from kessel.games.korsun44.combat.no_retreat import why_not_stand
from kessel.games.korsun44.combat.odds import Outcome, chances_of, outcome_of
from kessel.games.korsun44.combat.odds import armor_fire as fire_of
from kessel.games.korsun44.combat.shifts import standing_shifts
from kessel.games.korsun44.combat.strengths import attack_strength, defence_strength
from kessel.games.korsun44.data.charts import parse_result

from .fights import D1, PZ4, R1, battle, declare, finish, phase
from .helpers import board, h, play, position, refused, told, u, unit

ON = {"partisans": "on"}


def forest(*units: dict[str, object], hill: str = "", **more: str) -> Board:
    terrain = {"0,0": "woods", "1,0": "forest", "-1,0": "woods"}
    features = {hill: ["hilltop"]} if hill else {}
    return position(*units, on=board(terrain=terrain, features=features, sides=more), options=ON)  # type: ignore[arg-type]


@pytest.mark.rule("korsun44", "18.1.3.1")
@pytest.mark.parametrize(("steps", "rule"), [(2, ""), (1, "18.1.3")])
def test_they_attack_on_their_front_side(steps: int, rule: str) -> None:
    g = forest(unit("P1", "0,0", steps=steps), unit(R1, "1,0"))
    why = why_not_attack_with(g, u(g, "P1"), SOVIET, COMBAT_SEGMENT, (h(g, "1,0"),))
    assert ("" if why is None else why.rule) == rule


@pytest.mark.rule("korsun44", "18.1.3.2")
@pytest.mark.parametrize("mark", [DEFENDED, STRUCK])
def test_not_against_units_that_soviets_attack_in_this_phase(mark: int) -> None:
    g = forest(unit("P1", "0,0"), unit(R1, "1,0"), unit("246.88ID", "1,0"))
    g.set_status(u(g, R1), mark)
    why = why_not_attack_with(g, u(g, "P1"), SOVIET, COMBAT_SEGMENT, (h(g, "1,0"),))
    assert why is not None
    assert why.rule == "18.1.3"
    other = why_not_attack_with(g, u(g, "P1"), SOVIET, COMBAT_SEGMENT, ())
    assert other is None


@pytest.mark.rule("korsun44", "18.1.3.2")
@pytest.mark.parametrize(("first", "second"), [("0,0", "2,0"), ("2,0", "0,0")])
def test_partisans_and_soviets_do_not_attack_together(first: str, second: str) -> None:
    g = forest(unit("P1", "0,0"), unit(R1, "1,0"), unit(D1, "2,0"))
    g.set_track("phase", COMBAT)
    phase(g, SOVIET)
    declare(g, "1,0")
    play(g, "combat 1,0", f"from {first}")
    assert refused(g, f"from {second}").rule == "18.1.3"
    play(g, "engage", dice=[3, 3])


@pytest.mark.rule("korsun44", "18.1.3.3")
def test_terrain_does_nothing_for_them_in_defence() -> None:
    g = forest(unit("P1", "0,0"), unit(R1, "1,0"), unit(PZ4, "0,1"), hill="0,0", **{"0,0|1,0": "river"})
    infantry, tanks = battle(g, R1), battle(g, PZ4)
    assert defence_strength(g, infantry).total == 3, "no points for woods"
    assert attack_strength(g, infantry).total == 10, "the river does not halve"
    assert attack_strength(g, tanks).total == g.forces.strength[u(g, PZ4)][-1], "nor do the woods halve tanks"
    assert "hilltop" not in str(standing_shifts(g, infantry))
    why = why_not_stand(g, infantry, h(g, "0,0"), ())
    assert why is not None
    # the same against a division
    g = forest(unit(D1, "0,0"), unit(R1, "1,0"), unit(PZ4, "0,1"), hill="0,0", **{"0,0|1,0": "river"})
    infantry = battle(g, R1)
    assert defence_strength(g, infantry).total == 22
    assert attack_strength(g, infantry).total == 5
    assert "the defender is on a hilltop" in str(standing_shifts(g, infantry))


@pytest.mark.rule("korsun44", "18.1.3.3")
def test_terrain_does_nothing_for_them_in_attack() -> None:
    g = forest(unit("P1", "0,0"), unit(R1, "0,1"), hill="0,0")
    assert "hilltop" not in str(standing_shifts(g, battle(g, "P1", on=("0,1",))))
    g = forest(unit("P1", "0,0"), unit(R1, "1,0"), hill="1,0")
    b = battle(g, "P1", on=("1,0",))
    assert "the defender is on a hilltop" in str(standing_shifts(g, b)), "it helps the Germans as ever"
    assert defence_strength(g, b).total == 10 + 4


@pytest.mark.rule("korsun44", "18.1.4.1")
@pytest.mark.parametrize("attacker", ["P1", R1])
def test_germans_are_disorganized_at_worst(attacker: str) -> None:
    g = forest(unit("P1", "0,0"), unit(R1, "1,0"), unit(PZ4, "1,0"))
    b = battle(g, attacker, on=("1,0",) if attacker == "P1" else ("0,0",))
    found = chances_of(g, b)
    assert sum(found.values()) == 1
    partisans = set()
    for one in found:
        result = parse_result(one.result)
        mine, theirs = (result.defender, result.attacker) if attacker == "P1" else (result.attacker, result.defender)
        assert (mine.steps, mine.retreat) == (0, 0)
        partisans.add((theirs.steps, theirs.retreat))
        assert not (one.defender_hit if attacker == "P1" else one.attacker_hit)
    assert len(partisans) > 1, "partisans suffer what the table says"


@pytest.mark.rule("korsun44", "18.1.4.1")
def test_a_d_stays_a_d() -> None:
    g = forest(unit("P1", "0,0"), unit(R1, "1,0"))
    b = battle(g, "P1", on=("1,0",))
    last = len(g.charts.odds) - 1
    worst = [outcome_of(g, b, last, 0, fire_of(g, b), black, red) for black in range(1, 7) for red in range(1, 7)]
    assert all(isinstance(x, Outcome) for x in worst)
    assert {x.result.split("/")[1] for x in worst} == {"D", "-"}


@pytest.mark.rule("korsun44", "18.1.4.1", "18.1.4.2")
def test_a_whole_combat_leaves_the_germans_where_they_are() -> None:
    g = forest(unit("P1", "0,0"), unit(R1, "1,0", steps=2))
    g.set_track("phase", COMBAT)
    phase(g, SOVIET)
    declare(g, "1,0")
    play(g, "combat 1,0", "from 0,0", "engage", dice=[1, 1])
    finish(g)
    assert g.place[u(g, R1)] == h(g, "1,0")
    assert g.steps[u(g, R1)] == 2
    assert "attacks 1,0" in told(g)
