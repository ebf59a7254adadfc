"""6.0 Weather Determination Phase."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.procedure import Out, Procedure, auto
from kessel.games.don42.board import Board
from kessel.games.don42.data.charts import CLEAR, WEATHERS


@dataclass(slots=True)
class WeatherPhase(Procedure):
    """5.0 phase 1."""

    @auto("6.0")
    def roll(self, g: Board) -> Out:
        """One D6: clear or rain, mud after rain; some scenarios say the weather of a turn (17.1.2, 17.3.2)."""
        said = g.scenario.weather.get(g.turn)
        if said is not None:
            g.set_track("weather", WEATHERS.index(said))
            g.tell(f"{g.turn_name}: {said}, as the scenario says", f"{g.scenario.rule}.2", weather=said)
            return None
        die = g.die()
        now = g.charts.weather.at(g.weather_name, die)
        g.set_track("weather", WEATHERS.index(now))
        g.tell(f"{g.turn_name}: weather die {die}, {now}", "6.0", die=die, weather=now)
        return None


def is_grounded(g: Board) -> bool:
    """6.1, 6.2 Rain and Mud ground all air units."""
    return g.weather != CLEAR
