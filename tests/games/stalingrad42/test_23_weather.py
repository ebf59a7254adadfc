"""23.0 Weather."""

from __future__ import annotations

import pytest

from kessel.core.dice import NeedRoll, Scripted
from kessel.games.stalingrad42.columns import IN_PLAY
from kessel.games.stalingrad42.data.charts import WEATHERS
from kessel.games.stalingrad42.turn.weather import roll_weather

from .helpers import PACK, area, at, board, choices, do, example, rule, start, u


def weather(turn: int, *rolls: int, before: str = "clear", **more):
    g = board({}, turn=turn, **more)
    g.weather = g.rolled = WEATHERS.index(before)
    g.marsh = 0
    g.dice = Scripted(rolls)
    roll_weather(g)
    return g


@rule("3.A1")
@rule("23.1a")
def test_turns_1_to_16_are_clear_without_a_roll():
    for turn in (1, 16):
        assert weather(turn).weather_word == "clear"
    with pytest.raises(NeedRoll):
        weather(17)


@rule("23.1a")
@rule("3.A")
@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (17, "overcast overcast clear clear clear clear"),
        (22, "rain rain overcast overcast clear clear"),
        (30, "snow snow overcast_w overcast_w clear clear"),
    ],
)
def test_the_die_is_read_in_the_column_of_the_season(turn, words):
    assert [weather(turn, roll).weather_word for roll in range(1, 7)] == words.split()


@rule("23.1b")
def test_one_more_after_rain_or_snow():
    assert weather(22, 2, before="rain").weather_word == "mud"
    assert weather(22, 1, before="rain").weather_word == "rain"
    assert weather(30, 2, before="snow").weather_word == "overcast_w"
    assert weather(30, 4, before="snow").weather_word == "clear"
    assert weather(30, 6, before="snow").weather_word == "clear"
    assert weather(30, 2, before="overcast_w").weather_word == "snow"


@rule("23.2.3b")
def test_the_first_rain_makes_seasonal_marsh_marsh_for_good():
    g = weather(22, 1, terrain={"0,0": "seasonal_marsh"})
    h = g.map.grid.hex("0,0")
    assert g.terrain(h) == "marsh"
    g.dice = Scripted([6])
    g.set_track("turn", 23)
    roll_weather(g)
    assert g.terrain(h) == "marsh"
    assert weather(22, 6, terrain={"0,0": "seasonal_marsh"}).terrain(h) == "clear"


@rule("23.3.1")
@rule("23.3.2")
@example("E56")
def test_mud_follows_rain_when_the_rain_stops_in_the_rasputitsa():
    g = weather(22, 1)
    assert g.mud_turn == 23
    assert weather(23, 5, before="rain").weather_word == "mud"
    assert weather(23, 2, before="rain").weather_word == "mud"
    again = weather(23, 1, before="rain")
    assert (again.weather_word, again.mud_turn) == ("rain", 24)
    assert weather(24, 6, before="clear").weather_word == "clear"
    assert weather(28, 5, before="rain").weather_word == "clear", "not in Winter"


@rule("23.3.3")
def test_mud_is_as_rain_but_for_the_air():
    g = weather(23, 5, before="rain")
    assert g.wet
    assert g.effects.overland == 3
    assert g.effects.advance == "halve_up"
    assert WEATHERS[g.rolled] == "clear", "the weather rolled decides about Air Units"


@rule("23.2.1")
@rule("23.2.2a")
@rule("23.2.2b")
@rule("23.2.3a")
@rule("23.2.4a")
@rule("3.B1a")
@pytest.mark.parametrize(
    ("turn", "word", "german", "romanian"),
    [
        (18, "clear", 2, 1),
        (18, "overcast", 1, 0),
        (22, "rain", 0, 0),
        (30, "overcast_w", 0, 0),
        (30, "snow", 0, 0),
        (30, "clear", 1, 1),
    ],
)
def test_the_weather_gives_the_air_units(turn, word, german, romanian):
    from kessel.games.stalingrad42.combat.strength.air import available_air, is_romanian

    g = board({}, turn=turn, weather=word)
    found = available_air(g)
    assert sum(not is_romanian(g, a) for a in found) == german
    assert sum(is_romanian(g, a) for a in found) == romanian


@rule("23.4f")
def test_winter_closes_area_k_and_displaces_its_units():
    from kessel.core.procedure import run
    from kessel.games.stalingrad42.data.forces import SOVIET
    from kessel.games.stalingrad42.sequence import CloseAreas

    k = area("K", "soviet", "0,4") | {"facts": {"closes": 28, "displaced_to": ["J", "L"], "south_of_caspian": True}}
    boxes = [k, area("J", "soviet", "1,3"), area("L", "soviet", "2,2"), area("H", "soviet", "3,1")]
    g = board({"S": "soviet 3-5-3 K", "T": "soviet 3-5-3 J"}, boxes=boxes, turn=28)
    g.stack = [CloseAreas(SOVIET)]
    run(g)
    assert choices(g) == {"displace S J", "displace S L"}
    do(g, "displace S L")
    assert at(g, "S") == "L"
    g = board({"S": "soviet 3-5-3 K"}, boxes=boxes, turn=27)
    g.stack = [CloseAreas(SOVIET)]
    run(g)
    assert not g.stack
    g = start({"T": "soviet 3-5-3 J"}, boxes=boxes, turn=28, side="soviet")
    do(g, "move T")
    assert "transfer K" not in choices(g)
    assert "transfer L" in choices(g)
    assert g.pool[u(g, "T")] == IN_PLAY


@rule("23.1a")
def test_the_seasons_of_the_track():
    from kessel.games.stalingrad42.data.charts import charts

    table = charts(PACK).table("turns")
    seasons = [table.at(t, "season") for t in range(1, 37)]
    assert seasons == ["summer"] * 16 + ["early_fall"] * 4 + ["rasputitsa"] * 7 + ["winter"] * 9
