"""3.0 Sequence of play: the table of contents of the game.

| stage or phase | rule | module |
| --- | --- | --- |
| set-up | 4.8.1, 19-22 | turn.setup |
| A Weather Stage | 5.0 | turn.weather |
| B Mutual Air Stage | 6.1 | turn.air |
| C Mutual Supply Stage | 13.0, 14.0 | supply.stage |
| D German Air Supply Stage | 14.6 | supply.stage |
| E1 Soviet Event Phase | 17.1, 22.11 | special.barrage, special.boundary |
| F1 German Event Phase | 22.1, 13.1.3, 16.2-16.4, 18.2 | special.stand_fast, special.declarations |
| E2, F2 Replacement/Reinforcement Phase | 8.0, 8.6, 7.0 | turn: replacements, special_replacements, reinforcements |
| E3, F3 Movement Phase | 9.0-11.0 | movement.phase |
| E4, F4 Combat Phase | 12.0 | combat.phase |
| E5, F5 Engineering Phase | 15.0 | engineering.phase |
| E6, F6 Disorganization/Regroup Phase | 12.17.4 | turn.recovery |
| F7 Breakout Phase | 16.5 | special.breakout |
| G Game-Turn Stage | 3.2.G | special.victory |

Ideas used everywhere: 4.0 units, 10.0 movement.zones, 11.0 movement.stacking.
"""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.procedure import DONE, Call, Out, Procedure, auto
from kessel.games.korsun44.board import (
    AIR_STAGE,
    AIR_SUPPLY,
    BREAKOUT,
    COMBAT,
    ENGINEERING,
    EVENTS,
    FOR_PHASE,
    FOR_TURN,
    GERMAN,
    MOVEMENT,
    RECOVERY,
    REPLACEMENTS,
    SOVIET,
    SUPPLY_STAGE,
    TURN_END,
    WEATHER,
    Board,
)
from kessel.games.korsun44.combat.phase import CombatPhase
from kessel.games.korsun44.engineering.bridges import forget_attempts
from kessel.games.korsun44.engineering.phase import engineering_phase
from kessel.games.korsun44.movement.phase import MovementPhase
from kessel.games.korsun44.special.barrage import barrage_segment, creation_segment, redeployment_segment
from kessel.games.korsun44.special.boundary import boundary_segment
from kessel.games.korsun44.special.breakout import is_last_soviet_turn
from kessel.games.korsun44.special.declarations import declaration_segment, reliability_segment
from kessel.games.korsun44.special.panzer24 import Panzer24
from kessel.games.korsun44.special.partisans import reconstitute
from kessel.games.korsun44.special.stand_fast import release_segment
from kessel.games.korsun44.special.victory import outcome, score
from kessel.games.korsun44.special.waves import breakout_phase
from kessel.games.korsun44.supply.stage import air_supply_stage, end_of_turn, supply_stage
from kessel.games.korsun44.turn.air import air_stage, return_counters
from kessel.games.korsun44.turn.recovery import recovery_phase
from kessel.games.korsun44.turn.reinforcements import reinforcement_segment
from kessel.games.korsun44.turn.replacements import replacement_segment
from kessel.games.korsun44.turn.special_replacements import SpecialReplacements
from kessel.games.korsun44.turn.weather import weather_stage


@dataclass(slots=True)
class Play(Procedure):
    """The whole game: turns until the scenario's last one is over, or a Breakout has ended it (16.4)."""

    @auto("3.1")
    def turns(self, g: Board) -> Out:
        if g.turn > g.scenario.last_turn or g.track("over"):
            out = outcome(g)
            g.tell(f"the game is over: {out.level} ({score(g)})", out.rule, points=out.points)
            return DONE
        return Call(Turn(), again=True)


@dataclass(slots=True)
class Turn(Procedure):
    """3.2 One game-turn of a day."""

    @auto("3.1")
    def begin(self, g: Board) -> Out:
        g.clear_flags(FOR_TURN)
        g.set_track("rail_used", 0)
        g.tell(f"turn {g.turn}, {g.charts.turn(g.turn).day}", "3.1", turn=g.turn)
        return None

    @auto("5.0")
    def weather(self, g: Board) -> Out:
        g.set_track("phase", WEATHER)
        weather_stage(g)
        return None

    @auto("6.1")
    def mutual_air(self, g: Board) -> Out:
        g.set_track("phase", AIR_STAGE)
        air_stage(g)
        return None

    @auto("13.0")
    def mutual_supply(self, g: Board) -> Out:
        g.set_track("phase", SUPPLY_STAGE)
        return supply_stage(g)

    @auto("14.6")
    def german_air_supply(self, g: Board) -> Out:
        g.set_track("phase", AIR_SUPPLY)
        return None if is_last_soviet_turn(g) else air_supply_stage(g)

    @auto("3.2.E")
    def soviet_turn(self, g: Board) -> Out:
        return SovietTurn()

    @auto("3.2.F")
    def german_turn(self, g: Board) -> Out:
        return None if g.track("over") else GermanTurn()

    @auto("3.2.G")
    def end(self, g: Board) -> Out:
        g.set_track("phase", TURN_END)
        return_counters(g)
        end_of_turn(g)
        forget_attempts(g)
        g.set_track("turn", g.turn + 1)
        return None


@dataclass(slots=True)
class SovietTurn(Procedure):
    """3.2.E The Soviet player-turn."""

    @auto("17.1.5")
    def redeployment(self, g: Board) -> Out:
        g.set_track("phasing", SOVIET)
        g.set_track("phase", EVENTS)
        return None if is_last_soviet_turn(g) else redeployment_segment(g)

    @auto("17.1.1")
    def creation(self, g: Board) -> Out:
        return None if is_last_soviet_turn(g) else creation_segment(g)

    @auto("17.1.3")
    def barrage(self, g: Board) -> Out:
        return None if is_last_soviet_turn(g) else barrage_segment(g)

    @auto("22.11")
    def boundary(self, g: Board) -> Out:
        return None if is_last_soviet_turn(g) else boundary_segment(g)

    @auto("8.0")
    def replacements(self, g: Board) -> Out:
        g.set_track("phase", REPLACEMENTS)
        return None if is_last_soviet_turn(g) else replacement_segment(g, SOVIET)

    @auto("7.0")
    def reinforcements(self, g: Board) -> Out:
        if is_last_soviet_turn(g):
            return None
        reconstitute(g)
        return reinforcement_segment(g, SOVIET)

    @auto("9.0")
    def movement(self, g: Board) -> Out:
        g.set_track("phase", MOVEMENT)
        return MovementPhase(SOVIET)

    @auto("12.1")
    def combat(self, g: Board) -> Out:
        g.set_track("phase", COMBAT)
        return CombatPhase(SOVIET)

    @auto("16.5.4")
    def breakout_ends(self, g: Board) -> Out:
        """After a Breakout the game ends with the Soviet Combat Phase, or with the player-turn (Q46)."""
        if is_last_soviet_turn(g) and g.reads("game_end") == "combat_phase":
            g.set_track("over", 1)
            return DONE
        return None

    @auto("15.0")
    def engineering(self, g: Board) -> Out:
        g.set_track("phase", ENGINEERING)
        return engineering_phase(g, SOVIET)

    @auto("12.17.4")
    def recovery(self, g: Board) -> Out:
        g.set_track("phase", RECOVERY)
        recovery_phase(g, SOVIET)
        g.clear_flags(FOR_PHASE)
        g.set_track("over", int(is_last_soviet_turn(g)))
        return None


@dataclass(slots=True)
class GermanTurn(Procedure):
    """3.2.F The German player-turn."""

    @auto("22.1")
    def release(self, g: Board) -> Out:
        g.set_track("phasing", GERMAN)
        g.set_track("phase", EVENTS)
        return release_segment(g)

    @auto("3.2.F")
    def declarations(self, g: Board) -> Out:
        return declaration_segment(g)

    @auto("18.2")
    def reliability(self, g: Board) -> Out:
        return reliability_segment(g)

    @auto("8.0")
    def replacements(self, g: Board) -> Out:
        g.set_track("phase", REPLACEMENTS)
        return replacement_segment(g, GERMAN)

    @auto("8.6")
    def special_replacements(self, g: Board) -> Out:
        return SpecialReplacements(GERMAN)

    @auto("18.7")
    def panzer24(self, g: Board) -> Out:
        return Panzer24()

    @auto("7.0")
    def reinforcements(self, g: Board) -> Out:
        return reinforcement_segment(g, GERMAN)

    @auto("9.0")
    def movement(self, g: Board) -> Out:
        g.set_track("phase", MOVEMENT)
        return MovementPhase(GERMAN)

    @auto("12.1")
    def combat(self, g: Board) -> Out:
        g.set_track("phase", COMBAT)
        return CombatPhase(GERMAN)

    @auto("15.0")
    def engineering(self, g: Board) -> Out:
        g.set_track("phase", ENGINEERING)
        return engineering_phase(g, GERMAN)

    @auto("12.17.4")
    def recovery(self, g: Board) -> Out:
        g.set_track("phase", RECOVERY)
        recovery_phase(g, GERMAN)
        return None

    @auto("16.5")
    def breakout(self, g: Board) -> Out:
        g.set_track("phase", BREAKOUT)
        return breakout_phase(g) if g.track("breakout") == g.turn else None

    @auto("3.2.F")
    def end(self, g: Board) -> Out:
        g.clear_flags(FOR_PHASE)
        return None
