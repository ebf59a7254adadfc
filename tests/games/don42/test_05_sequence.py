"""5.0 Sequence of play, 6.0 weather."""

from __future__ import annotations

import pytest

from kessel.core.dice import Scripted
from kessel.core.procedure import asked, run
from kessel.games.don42.board import ACTIVE, C_ACTIVE, PHASES, RECOVERY
from kessel.games.don42.data.charts import CLEAR, MUD, RAIN, WEATHERS, turn_number
from kessel.games.don42.movement.weather import WeatherPhase, is_grounded
from kessel.games.don42.sequence import Turn

from .helpers import ask, at, do, fresh, ger, homeland, hq62, pos, sov, start, texts, u


def phase_names():
    return [s.name for s in Turn.steps]


@pytest.mark.rule("don42", "5.0.a")
def test_eleven_phases_in_order_each_finished_before_the_next():
    names = phase_names()[1:-1]
    assert names == [
        "weather",
        "air_initiative",
        "german_defensive_positions",
        "soviet_hq_activation",
        "soviet_movement",
        "soviet_bombardment",
        "soviet_combat",
        "german_movement",
        "german_combat",
        "german_motorized_movement",
        "mutual_recovery",
    ]
    assert len(PHASES) == 12
    g = fresh("crossing-the-don")
    seen = []
    while g.turn == 1:
        if g.phase not in seen:
            seen.append(g.phase)
        do(g, "pass" if "pass" in texts(g) else texts(g)[0])
    assert seen == sorted(seen)
    assert {3, 4, 5, 8} <= set(seen)


@pytest.mark.rule("don42", "5.0.b", "5.0.11.b", "16.0.a")
def test_the_game_ends_after_the_last_turn_and_points_decide():
    g = fresh("short-game")
    turns = set()
    while g.stack:
        turns.add(g.turn)
        do(g, "pass" if "pass" in texts(g) else texts(g)[0])
    assert turns == set(range(turn_number("Aug 26 AM"), turn_number("Aug 29 PM") + 1))
    from kessel.games.don42.title import TITLE

    out = TITLE.outcome(g)
    winner = "german" if out.points["german"] > out.points["soviet"] else "soviet"
    assert TITLE.sides[out.winner] == winner


@pytest.mark.rule("don42", "5.0.c")
def test_the_phasing_player_is_asked():
    g = fresh("crossing-the-don")
    asked_in = {}
    while g.turn == 1:
        asked_in.setdefault(g.phase, asked(g))
        do(g, "pass" if "pass" in texts(g) else texts(g)[0])
    assert {asked_in[p] for p in asked_in if p in (3, 8, 9, 10)} == {0}
    assert {asked_in[p] for p in asked_in if p in (4, 5, 6, 7)} == {1}


@pytest.mark.rule("don42", "5.0.3")
def test_phase_3_is_for_german_positions():
    g = fresh("crossing-the-don")
    while g.phase < 3:
        do(g, "pass")
    assert g.phase == 3
    assert asked(g) == 0
    assert "entrench 2040" in texts(g)


@pytest.mark.rule("don42", "5.0.4.f")
def test_an_activation_lasts_for_one_turn():
    g = fresh("crossing-the-don")
    g.commands[g.command_index("62A")] |= C_ACTIVE
    g.set_status(u(g, "184Div"), ACTIVE)
    g.set_track("phase", RECOVERY)
    start(g, Turn(), dice=[1, 1, 1, 1, 1, 1])
    assert not g.commands[g.command_index("62A")] & C_ACTIVE
    assert not g.status[u(g, "184Div")] & ACTIVE


@pytest.mark.rule("don42", "5.0.5.a", "9.0.e")
def test_activated_hqs_and_their_units_move():
    units = [hq62(), sov("X", "0,0"), sov("Y", "1,0", army="4TkA")]
    g = pos(*units, on=homeland(), activated=["62A"], phase="soviet_movement")
    assert "move X" in texts(g)
    assert "move HQ62A" in texts(g)
    assert "move Y" not in texts(g)


@pytest.mark.rule("don42", "5.0.8.b", "10.0.a")
def test_all_german_units_and_hqs_may_move():
    hq = ger("H", "1,0", "0-1-10", type="hq", size="division")
    g = pos(ger("A", "0,0"), hq, phase="german_movement")
    assert texts(g) == ["pass", "move A", "move H"]


@pytest.mark.rule("don42", "5.0.8.a", "5.0.9.a")
def test_german_supply_is_checked_when_the_german_phases_begin():
    from kessel.games.don42.board import ATTACK, G_COMBAT, G_MOVEMENT, OOS
    from kessel.games.don42.combat.combat import CombatPhase
    from kessel.games.don42.movement.movement_phase import MovementPhase

    for phase in (MovementPhase(0, G_MOVEMENT), CombatPhase(0, G_COMBAT)):
        g = pos(ger("A", "0,0"), sov("X", "1,0"))
        assert g.supply[u(g, "A")] == ATTACK
        start(g, phase)
        assert g.supply[u(g, "A")] == OOS


@pytest.mark.rule("don42", "5.0.9.b")
def test_german_units_may_attack_in_their_combat_phase():
    g = pos(ger("A", "0,0"), sov("X", "1,0"), phase="german_combat")
    assert "attack 1,0" in texts(g)


@pytest.mark.rule("don42", "5.0.10.b", "5.0.10.d")
def test_only_motorized_germans_move_again_with_their_full_allowance():
    foot = ger("F", "1,0", type="infantry", size="regiment", motorized=False)
    g = pos(ger("A", "0,0", "4-4-10"), foot, phase="german_motorized")
    assert texts(g) == ["pass", "move A"]
    assert ask(g, "moves", unit="A")["allowance"]["total"] == 10
    do(g, "move A", "to 4,0", "halt")
    assert at(g, "A") == "4,0"


@pytest.mark.rule("don42", "5.0.11.a", "14.0")
def test_the_last_phase_removes_markers():
    hq = ger("HQ14PzC", "0,0", "0-1-10", type="hq", size="corps", division="")
    g = pos(hq, ger("A", "1,0", status=["DRG"]), ger("B", "2,0", status=["DPT"]), phase="recovery")
    run(g)
    assert not g.disorder(u(g, "A"))
    assert not g.disorder(u(g, "B"))


# --- 6.0 weather ---------------------------------------------------------------------------------------------------


def weather_after(before, die):
    g = pos(ger("A", "0,0"), weather=before)
    start(g, WeatherPhase(), dice=[die])
    return g.weather_name


@pytest.mark.rule("don42", "5.0.1", "6.0.a")
@pytest.mark.parametrize("die", range(1, 7))
def test_the_weather_die(die):
    assert weather_after("clear", die) == ("rain" if die == 6 else "clear")


@pytest.mark.rule("don42", "6.0.b1")
def test_rain_after_rain_is_mud():
    assert weather_after("rain", 6) == "mud"


@pytest.mark.rule("don42", "6.0.b2")
def test_a_clear_roll_clears_rain_and_mud():
    assert weather_after("rain", 3) == weather_after("mud", 3) == "clear"


@pytest.mark.rule("don42", "6.0.b3")
def test_mud_stays_on_a_rain_roll():
    assert weather_after("mud", 6) == "mud"


@pytest.mark.rule("don42", "6.0.b4")
def test_the_view_shows_the_weather():
    from kessel.games.don42.answers.view import side_view

    for name in WEATHERS:
        g = pos(ger("A", "0,0"), weather=name)
        assert {t.name: t.text for t in side_view(g).tracks}["weather"] == name


ROADS = [("major_road", "0,0 1,0 2,0"), ("minor_road", "0,0 0,1 0,2")]


def costs(weather):
    from .helpers import board

    g = pos(ger("A", "0,0", "4-4-20"), on=board(roads=ROADS, terrain={"-1,0": "hill"}), weather=weather,
            phase="german_movement")  # fmt: skip
    reach = ask(g, "moves", unit="A")["reach"]
    return {n: reach[n]["cost"] for n in ("1,0", "0,1", "0,-1", "-1,0")}


@pytest.mark.rule("don42", "6.1.a", "6.1.b", "6.1.c")
def test_rain_costs():
    assert costs("clear") == {"1,0": 0.5, "0,1": 1.0, "0,-1": 1.0, "-1,0": 2.0}
    assert costs("rain") == {"1,0": 1.0, "0,1": 2.0, "0,-1": 2.0, "-1,0": 3.0}


@pytest.mark.rule("don42", "6.2.a", "6.2.b", "6.2.c", "RX-TEC")
def test_mud_costs():
    assert costs("mud") == {"1,0": 1.0, "0,1": 3.0, "0,-1": 3.0, "-1,0": 4.0}


@pytest.mark.rule("don42", "6.1.d", "6.2.d")
def test_rain_and_mud_ground_all_air_units():
    from kessel.games.don42.combat.air import AirPhase, has_air

    for weather in (CLEAR, RAIN, MUD):
        g = fresh("crossing-the-don")
        g.set_track("turn", 3)
        g.set_track("weather", weather)
        g.stack = [AirPhase()]
        g.dice = Scripted([1, 6])
        run(g)
        assert is_grounded(g) is (weather != CLEAR)
        assert has_air(g, 0) is (weather == CLEAR)
        assert bool(g.stack) is (weather == CLEAR)
