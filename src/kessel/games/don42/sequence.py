"""5.0 Sequence of play: the table of contents of the game.

| phase | rule | modules |
| --- | --- | --- |
| set-up | 17.0 | turn: setup |
| 1 Weather Determination | 6.0 | movement: weather |
| 2 Air Initiative | 7.0, 4.4 | combat: air; supply: airlift |
| 3 German Defensive Position | 8.0, 19.4 | movement: defensive_positions, pontoons |
| 4 Soviet HQ Activation | 9.0 | supply: activation |
| 5 Soviet Movement | 10.0, 15.0 | movement: movement_phase, movement, reinforcements |
| 6 Soviet Artillery Bombardment | 11.0 | combat: bombardment |
| 7 Soviet Combat | 12.0, 13.0 | combat: combat, odds, results, retreat, advance; supply: headquarters |
| 8 German Movement | 10.0, 15.0 | as 5 |
| 9 German Combat | 12.0, 13.0 | as 7 |
| 10 German Motorized Movement | 10.0 | as 5 |
| 11 Mutual Recovery | 14.0 | turn: recovery |
| end of the turn | 16.0 | turn: victory |

Ideas used everywhere: 3.1 stacking and 3.2 zones (movement), 3.3 quality and 3.4 combined_arms (combat), 4.0 supply.
"""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.procedure import DONE, Call, Out, Procedure, auto
from kessel.games.don42.board import (
    FOR_TURN,
    G_COMBAT,
    G_MOTORIZED,
    G_MOVEMENT,
    POSITION_PHASE,
    RECOVERY,
    S_BOMBARDMENT,
    S_COMBAT,
    S_MOVEMENT,
    Board,
)
from kessel.games.don42.combat.air import AirPhase, forget_attempts
from kessel.games.don42.combat.bombardment import BombardmentPhase
from kessel.games.don42.combat.combat import CombatPhase
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement import pontoons
from kessel.games.don42.movement.defensive_positions import PositionPhase
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.movement.weather import WeatherPhase
from kessel.games.don42.supply.activation import ActivationPhase, reset_commands
from kessel.games.don42.turn import victory
from kessel.games.don42.turn.recovery import RecoveryPhase
from kessel.games.don42.turn.setup import SetUp


@dataclass(slots=True)
class Play(Procedure):
    """The whole game: set-up, then turns until the scenario's last one is over."""

    @auto("17.0")
    def set_up(self, g: Board) -> Out:
        return SetUp()

    @auto("5.0")
    def turns(self, g: Board) -> Out:
        if g.turn >= g.scenario.last_turn and g.phase == RECOVERY:
            out = victory.outcome(g)
            g.tell(f"the game is over: {out.level}", out.rule, points=out.points)
            return DONE
        return Call(Turn(), again=True)


@dataclass(slots=True)
class Turn(Procedure):
    """5.0 One game turn of half a day: eleven phases in order."""

    @auto("5.0")
    def begin(self, g: Board) -> Out:
        if g.phase == RECOVERY:
            g.set_track("turn", g.turn + 1)
        g.set_track("phase", 1)
        g.clear_flags(FOR_TURN)
        reset_commands(g)
        forget_attempts(g)
        pontoons.finish(g)
        g.set_track("contact", g.track("contact") >> 8)
        g.tell(f"{g.turn_name}", "5.0", turn=g.turn)
        return None

    @auto("5.0.1")
    def weather(self, g: Board) -> Out:
        return WeatherPhase()

    @auto("5.0.2")
    def air_initiative(self, g: Board) -> Out:
        g.set_track("phase", 2)
        return AirPhase()

    @auto("5.0.3")
    def german_defensive_positions(self, g: Board) -> Out:
        g.set_track("phase", POSITION_PHASE)
        return PositionPhase()

    @auto("5.0.4")
    def soviet_hq_activation(self, g: Board) -> Out:
        g.set_track("phase", 4)
        return ActivationPhase()

    @auto("5.0.5")
    def soviet_movement(self, g: Board) -> Out:
        g.set_track("phase", S_MOVEMENT)
        return MovementPhase(SOVIET, S_MOVEMENT)

    @auto("5.0.6")
    def soviet_bombardment(self, g: Board) -> Out:
        g.set_track("phase", S_BOMBARDMENT)
        return BombardmentPhase()

    @auto("5.0.7")
    def soviet_combat(self, g: Board) -> Out:
        g.set_track("phase", S_COMBAT)
        return CombatPhase(SOVIET, S_COMBAT)

    @auto("5.0.8")
    def german_movement(self, g: Board) -> Out:
        g.set_track("phase", G_MOVEMENT)
        return MovementPhase(GERMAN, G_MOVEMENT)

    @auto("5.0.9")
    def german_combat(self, g: Board) -> Out:
        g.set_track("phase", G_COMBAT)
        return CombatPhase(GERMAN, G_COMBAT)

    @auto("5.0.10")
    def german_motorized_movement(self, g: Board) -> Out:
        g.set_track("phase", G_MOTORIZED)
        return MovementPhase(GERMAN, G_MOTORIZED)

    @auto("5.0.11")
    def mutual_recovery(self, g: Board) -> Out:
        g.set_track("phase", RECOVERY)
        return RecoveryPhase()

    @auto("16.2")
    def score(self, g: Board) -> Out:
        victory.score_turn(g)
        return None
