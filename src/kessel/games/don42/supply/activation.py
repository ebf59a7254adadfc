"""9.0 Soviet HQ activation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits
from kessel.core.hexset import bits
from kessel.core.paths import reach
from kessel.core.procedure import AGAIN, DONE, Goto, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.don42.board import (
    ACTIVE,
    C_ACTIVE,
    C_ATTACKED,
    C_RELEASED,
    C_TRIED,
    OOS,
    POSITION,
    RELEASED,
    Board,
)
from kessel.games.don42.data.charts import POINT, turn_number
from kessel.games.don42.data.forces import NO_COMMAND, SOVIET
from kessel.games.don42.data.lines import Lines
from kessel.games.don42.movement.zones import open_hexes
from kessel.games.don42.supply import supply
from kessel.games.don42.supply.headquarters import AssignOrphans
from kessel.games.don42.supply.supply import parent_hqs

PRIORITY = ("4TkA", "62A")
"""9.1 Armies that must be tried before any other, until Sep 2."""
LONGEST = 200 * POINT
"""Longer than any road on the map."""

# --- distances -----------------------------------------------------------------------------------------------------


def radius_open(g: Board) -> Bits:
    """Lines that measure a distance run along open hexes, or over terrain alone (switch radius)."""
    return open_hexes(g, SOVIET) if g.reads("radius") == "open_line" else g.map.grid.all


def is_in_command(g: Board, u: Unit) -> bool:
    """9.2, 11.0, 12.3.1 Within 12 MPs of a parent HQ."""
    limit, has_line, here = g.charts.constants.command_radius * POINT, g.crossings.has_line, g.place[u]
    open_, hqs = radius_open(g), parent_hqs(g, u)
    if not hqs and (g.scenario.says("supply_assumed") or not has_hq(g, u)):
        return True  # a position without its HQ: nothing can be measured
    return any(has_line("soviet", g.weather, g.place[hq], limit, open_, here) for hq in hqs)


def has_hq(g: Board, u: Unit) -> bool:
    """Whether the HQ of a unit's Army or Corps exists at all; in a position it may be left out."""
    c = g.command[u]
    return c != NO_COMMAND and g.forces.command_hq[c] != NO_UNIT


def command_distance(g: Board, u: Unit, far: int = 60) -> Lines | None:
    """Lines to the parent HQs as long as the unit's own, for units that must close up to them (9.2).

    Where no open line leads to one the distance is that of the ground alone.
    """
    goal = bits(g.place[hq] for hq in parent_hqs(g, u))
    if not goal:
        return None
    here = 1 << g.place[u]
    lines = g.crossings.lines("soviet", g.weather, goal, far * POINT, radius_open(g), here)
    if lines.reached & here:
        return lines
    return g.crossings.lines("soviet", g.weather, goal, far * POINT, g.map.grid.all, here)


# --- 9.2 eligibility and 9.3 the length of the line ----------------------------------------------------------------


def army_hq(g: Board, army: str) -> Unit:
    """The HQ an Army is activated by; HQ Kovachenko where a scenario has no HQ 1 Guards Army."""
    hq = g.forces.command_hq[g.command_index(army)] if army in g.forces.commands else NO_UNIT
    if army == "1GdA" and g.scenario.says("kovachenko_commands") and not _is_on_map(g, hq):
        return g.forces.kovachenko
    return hq


def why_not_try(g: Board, army: str) -> Refusal | None:
    """9.2 Why an Army may not try to activate; None if it may."""
    hq = army_hq(g, army)
    if hq == NO_UNIT or not g.on_map(hq):
        return Refusal("9.2", f"the HQ of {g.formation(army)} is not on the map")
    if g.disorder(hq):
        return Refusal("9.2", f"{g.name(hq)} is DRG, DPT or RTD")
    if g.supply[hq] == OOS:
        return Refusal("9.2", f"{g.name(hq)} is out of supply")
    if not line_hexes(g) >> g.place[hq] & 1:
        c = g.charts.constants
        return Refusal("9.2", f"{g.name(hq)} has no road within {c.activation_road} MPs that leads to a supply source")
    return None


@fact(POSITION)
def line_hexes(g: Board) -> Bits:
    """9.2 Where an HQ stands within 4 MPs of a road that leads to a supply source (switch act_road)."""
    open_, points = open_hexes(g, SOVIET), g.charts.constants.activation_road
    s = g.map.grid.all
    if g.reads("act_road") == "any_road":
        s = g.crossings.lines("soviet", g.weather, g.ground.on_road & open_, points * POINT, open_).reached
        points = g.charts.constants.soviet_trace
    return s & g.crossings.lines("soviet", g.weather, supply.soviet_net(g), points * POINT, open_).reached


def line_length(g: Board, hq: Unit) -> int | None:
    """9.3 Half MPs from an HQ to the nearest supply source: overland to a road within 4 MPs, then along roads."""
    open_ = open_hexes(g, SOVIET)
    crossings, constants = g.crossings, g.charts.constants
    points = constants.activation_road
    if g.reads("act_road") == "any_road":
        near = crossings.lines("soviet", g.weather, g.ground.on_road & open_, points * POINT, open_)
        if g.place[hq] not in near:
            return None
        points = constants.soviet_trace
    going = crossings.line_going(g.weather)
    overland = reach(going.costs, g.place[hq], points * POINT, enter=open_, opened=going.opened)
    seeds = [here & g.ground.on_road for here in overland.at]
    seeds[0] |= 1 << g.place[hq] & g.ground.on_road
    roads = crossings.line_costs("road", g.weather)
    return roads.nearest(seeds, g.ground.soviet_sources & open_, open_, LONGEST)


def activation_roll(g: Board, army: str) -> dict[str, Any]:
    """9.3 What an Army needs: length, column, least sum of 2D6, modifier."""
    length = line_length(g, army_hq(g, army))
    assert length is not None
    column = g.charts.activation_column(length, g.reads("act_column") == "shorter")
    modifier = g.charts.limit_62 if army == "62A" and g.plays("limit_62") else 0
    return {
        "army": army,
        "length": length / POINT,
        "column": column,
        "needs": g.charts.activation.number("activates_on", column),
        "modifier": modifier,
    }


# --- 9.7 Operational Reserve ---------------------------------------------------------------------------------------


def is_in_reserve(g: Board, u: Unit) -> bool:
    """9.7 Beyond 14 MPs of the Don, through Aug 24 PM, unless released by an attack."""
    if not has_reserve(g):
        return False
    if g.status[u] & RELEASED or (g.command[u] != NO_COMMAND and g.commands[g.command[u]] & C_RELEASED):
        return False
    return not near_don(g) >> g.place[u] & 1


def has_reserve(g: Board) -> bool:
    """9.7 Whether there is an Operational Reserve this turn."""
    last = turn_number(g.charts.constants.reserve_through)
    return g.turn <= last and not g.scenario.activation and bool(g.ground.don_hexes)


@fact(POSITION)
def near_don(g: Board) -> Bits:
    """9.7 The hexes within 14 MPs of the Don."""
    open_, limit = radius_open(g), g.charts.constants.reserve_distance * POINT
    return g.crossings.lines("soviet", g.weather, g.ground.don_hexes & open_, limit, open_).reached


def note_attack(g: Board, defenders: list[Unit]) -> None:
    """9.7, 17.2.2 Attacked Soviets leave Operational Reserve with all units of their HQ; a Tank Corps will answer."""
    for u in defenders:
        if g.forces.side[u] == SOVIET:
            g.status[u] |= RELEASED
            if g.command[u] != NO_COMMAND:
                g.commands[g.command[u]] |= C_RELEASED | C_ATTACKED
    g.touched()


# --- activating ----------------------------------------------------------------------------------------------------


def activate_units(g: Board, command: int, rule: str) -> None:
    """Let all units of a command act this turn; in scenario 2 each division or unit of an Army rolls (17.2.2)."""
    g.commands[command] |= C_ACTIVE
    name = g.forces.commands[command]
    g.tell(f"{g.formation(name)} is activated", rule, command=name)
    rolls = bool(g.scenario.says("subunit_rolls")) and name in g.charts.armies
    passed: dict[str, bool] = {}
    for u in g.forces.ground[SOVIET]:
        if g.command[u] != command or not g.on_map(u):
            continue
        if rolls and not g.forces.hq[u]:
            key = g.forces.subunit(u)
            if key not in passed:
                passed[key] = _subunit_roll(g, name, key)
            if not passed[key]:
                continue
        g.status[u] |= ACTIVE
    if name == "1GdA" and _is_on_map(g, g.forces.kovachenko):
        g.status[g.forces.kovachenko] |= ACTIVE  # 9.5
    g.touched()


def _is_on_map(g: Board, u: Unit) -> bool:
    return u != NO_UNIT and g.on_map(u)


def _subunit_roll(g: Board, army: str, key: str) -> bool:
    table = g.charts.subunits
    up_to = table.number(key if key in table.rows else army, "up_to")
    die = g.die()
    g.tell(f"{g.formation(key)}: die {die}, activates on 1-{up_to}", "17.2.2", die=die)
    return die <= up_to


def allowed_armies(g: Board) -> list[str]:
    """The Armies the scenario lets try this turn (17.2.2), or all of them."""
    now = g.scenario.activation_now(g.turn)
    return [a for a in g.charts.armies if now is None or a in now.armies]


@fact(NOW)
def untried(g: Board) -> list[str]:
    """Armies that may still try: allowed, eligible, not tried this turn, not active."""
    found = []
    for a in allowed_armies(g):
        fresh = a in g.forces.commands and not g.commands[g.command_index(a)] & (C_TRIED | C_ACTIVE)
        if fresh and why_not_try(g, a) is None:
            found.append(a)
    return found


def free_corps(g: Board) -> list[str]:
    """Tank Corps that can be activated: HQ on the map, allowed by the scenario, not active yet."""
    now = g.scenario.activation_now(g.turn)
    names = g.charts.tank_corps if now is None else now.tank_corps
    return [
        c
        for c in names
        if c in g.forces.commands
        and not g.commands[g.command_index(c)] & C_ACTIVE
        and _is_on_map(g, g.forces.command_hq[g.command_index(c)])
    ]


@dataclass(slots=True)
class ActivationPhase(Procedure):
    """5.0 phase 4."""

    side: Side = SOVIET
    attempts: int = 0
    failed: bool = False
    activated: int = 0
    corps: int = 0
    """Tank Corps chosen."""
    drawn: str = ""
    """9.6 The Army the priority die named."""

    @auto("13.2.1")
    def orphans(self, g: Board) -> Out:
        return AssignOrphans()

    @auto("5.0.4")
    def supply(self, g: Board) -> Out:
        """Check the supply of all Soviet units; last turn's activations are over."""
        supply.check(g, SOVIET, "5.0.4")
        return None

    @auto("17.2.2")
    def automatic(self, g: Board) -> Out:
        """Formations the scenario activates by itself; Tank Corps that were attacked."""
        now = g.scenario.activation_now(g.turn)
        names = list(now.automatic) if now else []
        if g.scenario.says("tank_corps_answer"):
            names += [c for c in g.charts.tank_corps if self._has_been_attacked(g, c) and c not in names]
        for name in names:
            if name in g.forces.commands and _is_on_map(g, g.forces.command_hq[g.command_index(name)]):
                activate_units(g, g.command_index(name), "17.2.2")
        for leaving in g.scenario.exits:
            if leaving.activates and leaving.turn == g.turn:
                for u in g.forces.of(leaving.formation):
                    if g.on_map(u):
                        g.set_status(u, ACTIVE)
                g.tell(f"{g.formation(leaving.formation)} is activated to leave the map", leaving.rule)
        for c in range(len(g.commands)):
            g.commands[c] &= ~C_ATTACKED
        return None

    def _has_been_attacked(self, g: Board, corps: str) -> bool:
        return corps in g.forces.commands and bool(g.commands[g.command_index(corps)] & C_ATTACKED)

    @auto("9.6")
    def priority(self, g: Board) -> Out:
        """From Sep 2 AM a die names the Army that tries, until one has activated; others are rolled again."""
        self.drawn = ""
        if g.turn < turn_number(g.charts.constants.priority_from) or self.activated:
            return None
        if self.attempts >= g.charts.constants.army_attempts:
            return None
        table, can = g.charts.priority, untried(g)
        faces = [d for d in range(1, 7) if table.at(d, "army") in can]
        if faces:
            die = faces[g.dice.pick(len(faces))]
            self.drawn = table.at(die, "army")
            g.tell(f"priority die {die}: {g.formation(self.drawn)}", "9.6", die=die, army=self.drawn)
        return None

    choose = Choice("side", "9.0", "Try to activate an Army, or activate a Tank Corps.", says="End the activations")

    def why_not_pass(self, g: Board) -> Refusal | None:
        armies, corps = self._armies(g), self._corps(g)
        if corps or (armies and not self.failed and not self.drawn):
            return None
        return Refusal("9.0", "after a failed attempt another Army must be tried")

    @choose.verb("pass", why_not=why_not_pass)
    def end(self, g: Board) -> Out:
        return DONE

    def why_not_activate(self, g: Board, name: str) -> Refusal | None:
        if name in self._able(g):
            return None
        if name in g.charts.tank_corps:
            if self.corps >= g.charts.constants.free_tank_corps:
                return Refusal("9.1", f"no more than {g.charts.constants.free_tank_corps} Tank Corps are activated")
            if name not in free_corps(g):
                return Refusal("9.8", f"{name} cannot be activated now")
            return Refusal("9.1", "Tank Corps are activated only if no other Army is eligible")
        if name not in g.charts.armies:
            return Refusal("9.0", f"there is no Army {name}")
        if self.attempts >= g.charts.constants.army_attempts:
            return Refusal("9.0", f"no more than {g.charts.constants.army_attempts} Armies try to activate in a turn")
        if name not in allowed_armies(g):
            return Refusal("17.2.2", f"{name} may not try to activate this turn")
        if name in g.forces.commands and g.commands[g.command_index(name)] & C_TRIED:
            return Refusal("9.0", f"{name} has tried this turn; the second attempt is another Army's")
        if why := why_not_try(g, name):
            return why
        if self.drawn:
            return Refusal("9.6", f"the priority die named {g.formation(self.drawn)}")
        return Refusal("9.1", "4 Tank Army and 62 Army must be tried before any other")

    def _able(self, g: Board) -> list[str]:
        return [*self._armies(g), *self._corps(g)]

    @choose.verb("activate", legal=_able, why_not=why_not_activate)
    def activate(self, g: Board, name: str) -> Out:
        if name in g.charts.tank_corps:
            self.corps += 1
            activate_units(g, g.command_index(name), "9.1" if not g.scenario.activation else "17.2.2")
            return AGAIN
        return self._attempt(g, name)

    def _attempt(self, g: Board, army: str) -> Out:
        """9.3 Roll 2D6 on the Soviet Activation Table."""
        self.attempts += 1
        roll = activation_roll(g, army)
        a, b = g.die(), g.die()
        total = a + b + roll["modifier"]
        success = total >= roll["needs"]
        g.commands[g.command_index(army)] |= C_TRIED
        g.tell(
            f"{g.formation(army)}: line of {roll['length']:g} MPs, needs {roll['needs']}+, rolled {total}",
            "9.3",
            die=total,
            army=army,
        )
        self.failed = not success
        if success:
            self.activated += 1
            activate_units(g, g.command_index(army), "9.3")
        else:
            g.tell(f"{g.formation(army)} is not activated", "9.3", army=army)
        g.touched()
        return Goto("priority")

    def _armies(self, g: Board) -> list[str]:
        """The Armies that may try now: two attempts a turn, first those with priority (9.0, 9.1, 9.6)."""
        if self.attempts >= g.charts.constants.army_attempts:
            return []
        if g.turn >= turn_number(g.charts.constants.priority_from) and not self.activated:
            return [self.drawn] if self.drawn else []
        can = untried(g)
        first = [a for a in can if a in PRIORITY]
        return first if first and g.turn < turn_number(g.charts.constants.priority_from) else can

    def _corps(self, g: Board) -> list[str]:
        """9.1, 9.6, 17.2.2 Up to three Tank Corps without a roll."""
        if self.corps >= g.charts.constants.free_tank_corps:
            return []
        if g.scenario.activation or not untried(g):
            return free_corps(g)
        late = g.turn >= turn_number(g.charts.constants.priority_from)
        if late and self.activated and self.attempts < g.charts.constants.army_attempts:
            return free_corps(g)  # 9.6: instead of another Army
        return []


def reset_commands(g: Board) -> None:
    """5.0.4 An activation lasts for one turn."""
    for c in range(len(g.commands)):
        g.commands[c] &= ~(C_ACTIVE | C_TRIED)


def active_commands(g: Board) -> Iterator[str]:
    for c, flags in enumerate(g.commands):
        if flags & C_ACTIVE:
            yield g.forces.commands[c]


def entering_hq(g: Board, hq: Unit) -> None:
    """15.0 A Soviet HQ that enters as a reinforcement gives its command a free activation."""
    if hq in g.forces.command_hq:
        activate_units(g, g.forces.command_hq.index(hq), "15.0")
    elif hq == g.forces.kovachenko:
        g.set_status(hq, ACTIVE)
        for u in g.forces.ground[SOVIET]:
            if g.forces.under_kovachenko[u] and g.on_map(u):
                g.set_status(u, ACTIVE)
