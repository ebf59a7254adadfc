"""RX-SOP Sequence of play: the table of contents of the game.

| segment | rules | module |
| --- | --- | --- |
| 1 Recovery | RX-8.1 to 8.3, RX-5.9, PA-HQR, PA-attrition | turn.recovery |
| 2 Reinforcement | RX-11, RX-8.4 to 8.6, PA-RP, PA-reorg, PA-assign | turn.reinforcements |
| 3 Operations | RX-6.1, PA-T1.surprise | turn.initiative |
| activation and Reaction | RX-6.2 to 6.4, PA-APT, PA-AP | turn.activation, turn.actions |
| Movement | RX-7.3, PA-TEC, PA-road, PA-infil | movement.reach, movement.move |
| HQ Relocation, displacement | RX-7.4, RX-7.8, PA-restrict | movement.relocation, movement.displacement |
| attacks | PA-CS, PA-CRT, PA-DRM, RX-7.5 | combat.attack, .strength, .modifiers, .retreat, .odds |
| Refit, Improved Defense | RX-7.6, RX-7.7 | turn.refit |
| 4 End | RX-9 | turn.victory |

Ideas used everywhere: RX-5.3 zones, PA-stacking, RX-5.6 checks, PA-command and PA-isolation, PA-supply, pillboxes.
"""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.procedure import DONE, Goto, Out, Procedure, auto
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import SIDES
from kessel.games.bug41.turn.initiative import Operations
from kessel.games.bug41.turn.recovery import Recovery
from kessel.games.bug41.turn.reinforcements import Reinforcement
from kessel.games.bug41.turn.victory import result


@dataclass(slots=True)
class Play(Procedure):
    """RX-SOP Turns of four segments until the scenario's last one is over."""

    @auto("RX-8.1")
    def recovery(self, g: Board) -> Out:
        """RX-8.1 The first turn of a game has no Recovery segment."""
        g.tell(f"{g.charts.turn_name(g.turn)} begins", "RX-SOP")
        return Recovery() if g.turn >= g.scenario.first_recovery else None

    @auto("RX-SOP")
    def reinforcement(self, g: Board) -> Out:
        return Reinforcement()

    @auto("RX-6.1")
    def operations(self, g: Board) -> Out:
        return Operations()

    @auto("RX-9")
    def end(self, g: Board) -> Out:
        if g.turn >= g.scenario.last_turn:
            found = result(g)
            who = "nobody wins" if found.winner is None else f"the {SIDES[found.winner].capitalize()} wins"
            g.tell(f"the game is over: {found.level}; {who}", found.rule, points=found.points)
            return DONE
        if g.reads("marker_between_turns") == "taken_off":
            g.set_track("space", 0)
        g.set_track("turn", g.turn + 1)
        return Goto("recovery")
