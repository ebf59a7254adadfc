"""23.0 Weather: the roll, Mud, and what a change of weather does to the map."""

from __future__ import annotations

from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.data.charts import WEATHERS

RAIN, SNOW = WEATHERS.index("rain"), WEATHERS.index("snow")


def season(g: Board) -> str:
    """The column of the Weather Table for this turn (the stripe on the Turn Record Track)."""
    return g.charts.table(g.scenario.track).at(g.turn, "season")


def roll_weather(g: Board) -> None:
    """23.1 The weather of the turn; from Turn 17 on it is rolled for, +1 after Rain or Snow."""
    before = g.rolled
    if g.turn < g.charts.constant("first_weather_roll"):
        word = "clear"
    else:
        roll = g.die()
        more = 1 if before in (RAIN, SNOW) else 0
        table = g.charts.table("weather")
        row = table.clamp_row(roll + more)
        word = table.at(row, season(g))
    set_weather(g, word, after_rain=before == RAIN)


def set_weather(g: Board, word: str, *, after_rain: bool = False) -> None:
    """23.3.1 Overcast or Clear after Rain is Mud during the Rasputitsa; 23.2.3 the first Rain makes the marshes."""
    g.rolled = WEATHERS.index(word)
    muddy = after_rain and word in ("clear", "overcast") and season(g) == "rasputitsa"
    g.weather = WEATHERS.index("mud") if muddy else g.rolled
    if g.rolled == RAIN:
        g.marsh = 1
        g.mud_turn = g.turn + 1  # 23.3.2
    word = g.weather_word
    g.tell(f"Turn {g.turn}: the weather is {word.replace('_', '-')}", "23.1", weather=word, turn=g.turn)
