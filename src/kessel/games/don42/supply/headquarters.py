"""13.2.1-13.2.4 Losses, and what becomes of an HQ that is lost."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.procedure import AGAIN, Action, Options, Out, Procedure, ask
from kessel.games.don42.board import C_MOTHERLESS, ON_COMMAND, Board
from kessel.games.don42.data.charts import turn_name
from kessel.games.don42.data.forces import GERMAN, NO_COMMAND, SOVIET
from kessel.games.don42.supply.supply import is_isolated


def eliminate(g: Board, u: Unit, rule: str, why: str) -> None:
    """Remove a unit from the map; an HQ may come back (13.2.2-13.2.4)."""
    forces = g.forces
    isolated = forces.side[u] == GERMAN and u in forces.command_hq and g.on_map(u) and is_isolated(g, u)
    g.tell(f"{g.name(u)} is eliminated: {why}", rule, unit=g.id(u))
    g.steps[u] = 0
    g.status[u] = 0
    g.move(u, NOWHERE)
    if forces.is_command_hq(u):
        _lose_hq(g, u, isolated)


def lose_step(g: Board, u: Unit, rule: str, why: str) -> None:
    """Flip a unit to its reduced side, or eliminate it if it has none left (13.3.3)."""
    if g.steps[u] > 1:
        g.steps[u] -= 1
        g.tell(f"{g.name(u)} loses a step: {why}", rule, unit=g.id(u))
        g.touched()
    else:
        eliminate(g, u, rule, why)


def _lose_hq(g: Board, u: Unit, isolated: bool) -> None:
    forces = g.forces
    if u not in forces.command_hq:
        return  # 13.2.1: Kovachenko's units are those of 1 Guards Army anyway
    c = forces.command_hq.index(u)
    name = forces.commands[c]
    if name in g.charts.tank_corps:
        g.commands[c] |= C_MOTHERLESS
        g.tell(f"{g.name(u)} is gone for good; its units join an Army", "13.2.1", unit=g.id(u))
        return
    g.due[u] = g.turn + (2 if isolated else 1)
    rule = "13.2.2" if name in g.charts.armies else "13.2.4" if name == "14PzC" else "13.2.3"
    if isolated:
        g.sp[u] = g.fuel[u] = g.ammo[u] = 0
        g.tell(f"the Supply Points of {g.name(u)} are lost with it", rule, unit=g.id(u))
    g.tell(f"{g.name(u)} is reconstituted on {turn_name(g.due[u])}", rule, unit=g.id(u))


def returning_hqs(g: Board, side: Side) -> list[Unit]:
    """HQs that come back in this turn's Movement Phase, or are still waiting to."""
    return [u for u, turn in enumerate(g.due) if turn and turn <= g.turn and g.forces.side[u] == side]


def orphans(g: Board) -> list[int]:
    """Tank Corps without HQ whose units wait for an Army."""
    return [
        c
        for c, flags in enumerate(g.commands)
        if flags & C_MOTHERLESS and any(g.command[u] == c and g.is_alive(u) for u in g.forces.ground[SOVIET])
    ]


@dataclass(slots=True)
class AssignOrphans(Procedure):
    """13.2.1 The units of a Tank Corps whose HQ is lost are assigned to an Army HQ of the player's choice."""

    side: Side = SOVIET

    @ask("side", "13.2.1")
    def choose_army(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose the Army that takes over the units of a Tank Corps without HQ."""
        waiting = orphans(g)
        corps = waiting[0] if waiting else NO_COMMAND
        armies = [a for a in g.charts.armies if _has_hq(g, a)] if waiting else []
        actions = [("assign", (g.forces.commands[corps], a)) for a in armies]
        _, (_, army) = yield Options(actions)
        index = g.command_index(army)
        for u in g.forces.ground[SOVIET]:
            if g.command[u] == corps:
                g.command[u] = index
        g.commands[corps] &= ~C_MOTHERLESS
        g.happened(ON_COMMAND)
        g.tell(f"the units of {g.forces.commands[corps]} join {g.formation(army)}", "13.2.1", army=army)
        return AGAIN


def _has_hq(g: Board, army: str) -> bool:
    if army not in g.forces.commands:
        return False
    hq = g.forces.command_hq[g.command_index(army)]
    return hq != NO_UNIT and (g.on_map(hq) or bool(g.due[hq]))
