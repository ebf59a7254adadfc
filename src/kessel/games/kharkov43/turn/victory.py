"""17 Victory conditions, and 18.1, 18.2, 18.35: when a scenario ends and how."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.facts import FOREVER, fact
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits
from kessel.core.procedure import Out, Procedure, auto
from kessel.core.title import Outcome
from kessel.games.kharkov43.board import HEAVY_MUD, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.data.scenario import Scenario

KHARKOV = "Kharkov"


@dataclass(slots=True)
class GameOver(Procedure):
    """Lies on top of all other procedures once the game is decided, and ends them."""

    @auto("17.2")
    def end(self, g: Board) -> Out:
        g.stack.clear()
        return None


def decide(g: Board, level: str, rule: str) -> None:
    """17.2 The game is over. The first decision stands."""
    if is_decided(g):
        return
    g.set_track("result", 1 + g.charts.levels.index(level))
    g.tell(f"{level.replace('_', ' ').capitalize()} with {g.vp} VPs", rule, level=level, vp=g.vp)
    if g.stack:
        g.stack.append(GameOver())


def is_decided(g: Board) -> bool:
    """17.2 Nothing more happens, not even to the units that would have moved in the same step."""
    return bool(g.track("result"))


def is_kharkov(g: Board, h: Hex) -> bool:
    """By its name on any board, or by its number."""
    return g.map.name.get(h) == KHARKOV or g.hex_name(h) == g.charts.constants.kharkov


def is_kharkov_soviet(g: Board) -> bool:
    return bool(_kharkov(g, g.charts.constants.kharkov) & g.towns_of(SOVIET))


@fact(FOREVER)
def _kharkov(g: Board, number: str) -> Bits:
    return bits(h for h in g.map.grid.hexes if is_kharkov(g, h))


def check_early_loss(g: Board) -> None:
    """18.1, 18.2 Early German loss, checked whenever a town changes hands or a Soviet unit enters a hex."""
    early = g.scenario.early_loss if g.scenario is not None else None
    if early is None or is_decided(g):
        return
    if early.vp_at_least is not None and g.vp < early.vp_at_least:
        return
    if early.kharkov and not is_kharkov_soviet(g):
        return
    if early.soviet_unit_beyond and not g.hexes_of(SOVIET) & ~g.ground.line_zone(early.soviet_unit_beyond):
        return
    decide(g, early.level, g.scenario.rule if g.scenario is not None else "17.2")


def level_at_end(scenario: Scenario, vp: int) -> str:
    """18.1, 18.2 The level of the scenario's last turn."""
    return next(x.level for x in scenario.levels if vp >= x.at_least)


def check_turn(g: Board) -> None:
    """4.V, 17.2 The victory check of the End of Turn Phase."""
    scenario = g.scenario
    if scenario is None or g.ground_condition == HEAVY_MUD:
        return
    if scenario.calendar_victory:
        check_calendar(g)
    elif g.turn == scenario.last_turn:
        decide(g, level_at_end(scenario, g.vp), scenario.rule)


def check_calendar(g: Board) -> None:
    """18.35 The campaign: compare the VPs with the levels of the calendar."""
    space = g.charts.calendar[g.turn]
    last = g.scenario is not None and g.turn == g.scenario.last_turn
    if space.defeat_above is not None and g.vp > space.defeat_above:
        decide(g, f"german_{space.defeat_level}_defeat", "18.35")
    elif space.victory_below is not None and g.vp < space.victory_below:
        if not is_kharkov_soviet(g):
            decide(g, f"german_{space.victory_level}_victory", "18.35")
        elif last:
            decide(g, "draw", "18.35")


def outcome(g: Board) -> Outcome | None:
    result = g.track("result")
    if not result:
        return None if g.stack else Outcome(None, "draw", "18.35", {"soviet": g.vp})
    level = g.charts.levels[result - 1]
    winner = None if level == "draw" else GERMAN if level.endswith("victory") else SOVIET
    return Outcome(winner, level, g.scenario.rule if g.scenario else "17.2", {"soviet": g.vp})


def standing(g: Board, side: int) -> float:
    """The points of a side now, less the other's: only the Soviets score (17.1)."""
    return float(g.vp if side == SOVIET else -g.vp)
