"""12.0 Combat: who attacks whom with what support. 13.0 Combat results are in results.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members, spread
from kessel.core.procedure import AGAIN, DONE, Call, Goto, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.don42.board import (
    ACTIVE,
    ANSWERS,
    ATTACK,
    ATTACKED,
    DEFENDED,
    DISORDER,
    ENTERED,
    FIRED,
    GENERAL,
    GUEST,
    OOS,
    OTHER,
    Board,
)
from kessel.games.don42.combat.air import fly, strikers, why_not_strike
from kessel.games.don42.combat.bombardment import gun_range, why_not_fire
from kessel.games.don42.combat.odds import attack_strength, work_out
from kessel.games.don42.combat.results import MEANINGS, Results
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.stacking import Overstacked
from kessel.games.don42.movement.withdrawal import must_leave, rule_of
from kessel.games.don42.supply import supply
from kessel.games.don42.supply.activation import is_in_command, is_in_reserve, note_attack
from kessel.games.don42.supply.airlift import SpendPoints
from kessel.games.don42.supply.headquarters import AssignOrphans

# --- 12.3 which units may attack -----------------------------------------------------------------------------------


def why_not_attack(g: Board, u: Unit) -> Refusal | None:
    """Why a unit may not attack in this phase; None if it may."""
    forces, status = g.forces, g.status[u]
    if not g.on_map(u) or forces.air[u]:
        return Refusal("12.3", f"{g.name(u)} is not on the map")
    if forces.gun[u] and status & FIRED and (status & ATTACKED or g.reads("gun_attack") == "never"):
        return Refusal("5.0.6", f"{g.name(u)} has bombarded or supported")
    if status & ATTACKED:
        return Refusal("12.0", f"{g.name(u)} has attacked in this phase")
    if g.disorder(u):
        return Refusal("12.4.1", f"{g.name(u)} is DRG, DPT or RTD and never attacks")
    if must_leave(g, u):
        return Refusal(rule_of(forces.side[u]), f"{g.name(u)} is under orders to leave the map")
    if forces.side[u] == SOVIET:
        if not status & ACTIVE:
            return Refusal("5.0.7", f"{g.name(u)} is not activated")
        if g.supply[u] != ATTACK:
            return Refusal("4.2", f"{g.name(u)} is not in Attack Supply")
        if not status & ENTERED and is_in_reserve(g, u) and g.reads("reserve_attack") == "never":
            return Refusal("9.7", f"{g.name(u)} is in Operational Reserve until it or its HQ's units are attacked")
        return None
    if forces.division[u] in (g.scenario.says("attack_only_back") or ()) and not status & ANSWERS:
        return Refusal("17.3.3", f"{g.name(u)} may attack only after it or a neighbour was attacked this turn")
    return None


@fact(NOW)
def attackers_of(g: Board, side: Side, target: Hex) -> list[Unit]:
    """Units next to a hex that may attack it."""
    return [
        u
        for n in g.map.grid.around[target]
        for u in g.units(n)
        if g.forces.side[u] == side and why_not_attack(g, u) is None and not is_across_volga(g, n, target)
    ]


def is_across_volga(g: Board, h: Hex, target: Hex) -> bool:
    return bool(g.ground.volga[g.map.grid.direction(h, target)] >> h & 1)


def why_not_target(g: Board, side: Side, target: Hex) -> Refusal | None:
    """12.0 Why a hex cannot be attacked now."""
    if not g.enemies_in(target, side):
        return Refusal("12.0", "there is no enemy unit to attack")
    if has_defended(g, target):
        return Refusal("12.0", "no unit is attacked more than once in a combat phase")
    able = attackers_of(g, side, target)
    if not able:
        near = [u for n in g.map.grid.around[target] for u in g.units(n) if g.forces.side[u] == side]
        reasons = [r for u in near if (r := why_not_attack(g, u))]
        return reasons[0] if reasons else Refusal("12.3", "no unit is adjacent to that hex")
    if not any(attack_strength(g, u) for u in able):
        return Refusal("12.3", "units of attack strength 0 cannot attack alone")
    return None


@fact(NOW)
def targets(g: Board, side: Side) -> list[Hex]:
    """All hexes that can be attacked now; the same answer as `why_not_target` for each, found quickly."""
    theirs, status = g.hexes_of(OTHER[side]), g.status
    able = ACTIVE if side == SOVIET else 0
    reached = 0
    for h in members(spread(g.map.grid, theirs) & g.hexes_of(side)):
        for u in g.units(h):
            ready = status[u] & (able | ATTACKED | DISORDER) == able
            if ready and attack_strength(g, u) and why_not_attack(g, u) is None:
                reached |= g.ground.attackable[h]
                break
    return [h for h in members(reached & theirs) if not has_defended(g, h)]


def has_defended(g: Board, h: Hex) -> bool:
    """12.0 Whether a unit that defended there in this phase is still there; one that retreated in is only a guest."""
    status = [g.status[u] for u in g.units(h)]
    return all(s & DEFENDED for s in status) or any(s & DEFENDED and not s & GUEST for s in status)


def is_in_contact(g: Board) -> bool:
    """Whether any units of both sides are adjacent."""
    return bool(spread(g.map.grid, g.hexes_of(GERMAN)) & g.hexes_of(SOVIET))


# --- 12.3.1 artillery support --------------------------------------------------------------------------------------


def why_not_support(g: Board, u: Unit, target: Hex, *, attacking: bool) -> Refusal | None:
    """Why a gun may not add its strength to a combat; None if it may."""
    forces, name = g.forces, g.name(u)
    if not forces.gun[u] or not g.on_map(u):
        return Refusal("12.3.1", f"{name} is no artillery or mortar unit on the map")
    if g.status[u] & (FIRED | ATTACKED):
        return Refusal("12.3.1", f"{name} has fired")
    far = g.map.grid.distance(g.place[u], target)
    if far > gun_range(g, u):
        return Refusal("12.3.1", f"{name} reaches {gun_range(g, u)} hexes, not {far}")
    if attacking and (why := why_not_fire(g, u)):
        return why
    if forces.side[u] == SOVIET:
        if not attacking:
            return Refusal("12.3.1", "Soviet guns support attacks only")
        if not g.status[u] & ACTIVE:
            return Refusal("12.3.1", f"the Army of {name} is not activated")
        if g.supply[u] < GENERAL:
            return Refusal("12.3.1", f"{name} has no line of supply")
        if not is_in_command(g, u):
            return Refusal("12.3.1", f"{name} is more than {g.charts.constants.command_radius} MPs from its HQ")
        return None
    if g.supply[u] == OOS:
        return Refusal("12.3.1", f"{name} has no line of supply")
    return None


def supporters(g: Board, side: Side, target: Hex, taken: Sequence[Unit], *, attacking: bool) -> list[Unit]:
    return [u for u in _supporters(g, side, target, attacking) if u not in taken]


@fact(NOW)
def _supporters(g: Board, side: Side, target: Hex, attacking: bool) -> list[Unit]:
    return [
        u
        for u in g.forces.guns[side]
        if g.on_map(u) and g.place[u] != target and why_not_support(g, u, target, attacking=attacking) is None
    ]


# --- 17.3.3 attacking back -----------------------------------------------------------------------------------------


def let_answer(g: Board, target: Hex) -> None:
    """17.3.3 The attacked Germans and those next to them may attack back this turn."""
    for h in (target, *g.map.grid.around[target]):
        for u in g.units(h):
            if g.forces.side[u] == GERMAN:
                g.status[u] |= ANSWERS
    g.touched()


# --- the phase -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class CombatPhase(Procedure):
    """5.0 phases 7 and 9."""

    side: Side
    phase: int

    @auto("13.2.1")
    def orphans(self, g: Board) -> Out:
        return AssignOrphans()

    @auto("12.1")
    def begin(self, g: Board) -> Out:
        """Check supply at the beginning of the phase; guns of the Germans are free again (12.3.1)."""
        g.clear_flags(ATTACKED | DEFENDED | GUEST)
        g.clear_flags(FIRED, g.forces.ground[GERMAN])
        if not is_in_contact(g):
            return Goto("stacking")  # nobody can attack or be attacked
        supply.check(g, self.side, "12.1")
        supply.check(g, OTHER[self.side], "12.1")
        return SpendPoints() if self.side == GERMAN else None

    attack = Choice("side", "12.0", "Attack a hex, or end the Combat Phase.", passing=None)

    @attack.verb("attack", legal=lambda p, g: targets(g, p.side), why_not=lambda p, g, h: why_not_target(g, p.side, h))
    def attack_hex(self, g: Board, h: Hex) -> Out:
        return Call(Combat(self.side, OTHER[self.side], h), again=True)

    @auto("3.1")
    def stacking(self, g: Board) -> Out:
        """Limits hold again at the end of the phase (3.1)."""
        return Overstacked(self.side)

    @auto("12.0")
    def end(self, g: Board) -> Out:
        g.clear_flags(ATTACKED | DEFENDED | GUEST)
        return None


@dataclass(slots=True)
class Combat(Procedure):
    """12.0 One attack on one hex."""

    side: Side
    other: Side
    target: Hex
    attackers: tuple[Unit, ...] = ()
    guns: tuple[Unit, ...] = ()
    planes: tuple[Unit, ...] = ()
    defence_guns: tuple[Unit, ...] = ()

    about_hexes = ("target",)
    about_units = ("attackers",)

    choose_attackers = Choice("side", "12.3", "Choose the units that attack.")

    def why_not_assault(self, g: Board) -> Refusal | None:
        if any(attack_strength(g, u) for u in self.attackers):
            return None
        return Refusal("12.3", "units of attack strength 0 cannot attack alone")

    @choose_attackers.verb("assault", why_not=why_not_assault)
    def assault(self, g: Board) -> Out:
        return None

    def _able(self, g: Board) -> list[Unit]:
        return [u for u in attackers_of(g, self.side, self.target) if u not in self.attackers]

    def why_not_with(self, g: Board, u: Unit) -> Refusal | None:
        if g.on_map(u) and not g.map.grid.adjacent(g.place[u], self.target):
            return Refusal("12.3", f"{g.name(u)} is not adjacent to {g.hex_name(self.target)}")
        return why_not_attack(g, u) or (None if u in self._able(g) else NOT_NOW)

    @choose_attackers.verb("with", legal=_able, why_not=why_not_with)
    def add_attacker(self, g: Board, u: Unit) -> Out:
        self.attackers = (*self.attackers, u)
        return AGAIN

    artillery = Choice(
        "side", "12.3.1", "Add an artillery or mortar unit in support, or add no more guns.", passing=None
    )

    def _supporting(self, g: Board) -> list[Unit]:
        return supporters(g, self.side, self.target, (*self.attackers, *self.guns), attacking=True)

    def why_not_gun(self, g: Board, u: Unit) -> Refusal | None:
        why = why_not_support(g, u, self.target, attacking=True)
        return why or (None if u in self._supporting(g) else NOT_NOW)

    @artillery.verb("gun", legal=_supporting, why_not=why_not_gun)
    def add_gun(self, g: Board, u: Unit) -> Out:
        self.guns = (*self.guns, u)
        return AGAIN

    air_support = Choice(
        "side", "12.3.2", "Add an air unit in ground support (two at most), or add no more aircraft.", passing=None
    )

    def _flying(self, g: Board) -> list[Unit]:
        return strikers(g, self.side) if len(self.planes) < g.charts.constants.air_support else []

    def why_not_plane(self, g: Board, plane: Unit) -> Refusal | None:
        return why_not_strike(g, plane) or (None if plane in self._flying(g) else NOT_NOW)

    @air_support.verb("plane", legal=_flying, why_not=why_not_plane)
    def add_plane(self, g: Board, plane: Unit) -> Out:
        fly(g, plane)
        self.planes = (*self.planes, plane)
        return AGAIN

    defensive_artillery = Choice("other", "12.3.1", "Add a gun to the defence, or add no more.", passing=None)

    def _defending(self, g: Board) -> list[Unit]:
        if self.other != GERMAN:
            return []
        return supporters(g, GERMAN, self.target, self.defence_guns, attacking=False)

    def why_not_defence_gun(self, g: Board, u: Unit) -> Refusal | None:
        why = why_not_support(g, u, self.target, attacking=False)
        return why or (None if u in self._defending(g) else NOT_NOW)

    @defensive_artillery.verb("gun", legal=_defending, why_not=why_not_defence_gun)
    def add_defence_gun(self, g: Board, u: Unit) -> Out:
        self.defence_guns = (*self.defence_guns, u)
        return AGAIN

    @auto("12.6")
    def roll(self, g: Board) -> Out:
        """Work out the odds and all shifts, roll one die, and apply the result at once."""
        odds = work_out(g, self.side, self.attackers, self.target, self.guns, self.planes, self.defence_guns)
        defenders = g.units(self.target)
        die = g.die()
        result = odds.results[die - 1]
        g.tell(
            f"attack on {g.hex_name(self.target)}: {odds.attack.total} against {odds.defence.total}, table "
            f"{odds.table}, column {odds.column:+d}, die {die}: {result}, {MEANINGS[result][0]}",
            "12.6",
            die=die,
            result=result,
            odds=odds.as_json() if g.events is not None else None,
        )
        for u in (*self.attackers, *self.guns):
            g.status[u] |= ATTACKED
        for u in (*self.guns, *self.defence_guns):
            g.status[u] |= FIRED
        for u in defenders:
            g.status[u] |= DEFENDED
        note_attack(g, defenders)
        if self.other == GERMAN:
            let_answer(g, self.target)
        return Results(self.side, self.other, self.target, self.attackers, tuple(defenders), result)

    @auto("13.0")
    def over(self, g: Board) -> Out:
        return DONE
