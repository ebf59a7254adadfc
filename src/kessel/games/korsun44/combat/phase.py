"""12.1 The Combat Phase: its segments in order."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import nearby
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import filled
from kessel.core.procedure import AGAIN, DONE, Call, Goto, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import (
    AIR_1UK,
    AIR_2UK,
    AIR_SPENT,
    BREAKTHROUGH,
    BROKE_THROUGH,
    DECLARED,
    DEFENDED,
    DISORDER,
    FOUGHT,
    GERMAN,
    GUEST,
    MOVED,
    NEXT,
    RESERVE,
    SOVIET,
    STRUCK,
    STUBBORN,
    SUPPORTED,
    Board,
)
from kessel.games.korsun44.combat.artillery import refill
from kessel.games.korsun44.combat.battle import (
    BREAKTHROUGH_SEGMENT,
    COMBAT_SEGMENT,
    RESERVE_SEGMENT,
    Battle,
    able_in,
    attacked,
    barrage_shift,
    declared,
    defenders_in,
    is_shared,
    neighbours_of,
    stack_at,
    why_not_attack,
)
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.combat.declarations import FRONT_FLAGS
from kessel.games.korsun44.combat.entering import Entering, steps_from, why_not_step
from kessel.games.korsun44.combat.no_retreat import why_not_stand
from kessel.games.korsun44.combat.retreat import disorganize
from kessel.games.korsun44.engineering.bridges import bridge_holds
from kessel.games.korsun44.movement.costs import crosses_river
from kessel.games.korsun44.movement.groups import group_of
from kessel.games.korsun44.movement.reserve import NightWithdrawal, ReserveMovement, german_armor
from kessel.games.korsun44.movement.stacking import Overstacked, why_not_stack
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.special.breakout import is_last_soviet_turn
from kessel.games.korsun44.special.stand_fast import keeping_the_front, why_not_leave
from kessel.games.korsun44.turn.air import counter_at, fly, missions


@dataclass(slots=True)
class CombatPhase(Procedure):
    """12.1 Declaration, reaction, resolution, breakthrough, reserve movement and combat, night withdrawal."""

    side: int

    @auto("12.1.1")
    def declaration(self, g: Board) -> Out:
        refill(g)
        return Declaration(self.side, COMBAT_SEGMENT)

    @auto("12.1.1")
    def soviet_air(self, g: Board) -> Out:
        return SovietAir(self.side)

    @auto("12.14.1")
    def stands(self, g: Board) -> Out:
        return NoRetreatDeclaration(1 - self.side, self.side, COMBAT_SEGMENT)

    @auto("12.1.2")
    def reaction(self, g: Board) -> Out:
        """16.5.4 Not in the last Soviet turn after a Breakout."""
        return None if self.side == GERMAN or is_last_soviet_turn(g) else ArmorReaction()

    @auto("12.1.3")
    def resolution(self, g: Board) -> Out:
        return Resolution(self.side, COMBAT_SEGMENT)

    @auto("11.1.2")
    def after_combat(self, g: Board) -> Out:
        return self._check(g)

    @auto("12.1.4")
    def breakthrough(self, g: Board) -> Out:
        return Breakthrough(self.side)

    @auto("11.1.2")
    def after_breakthrough(self, g: Board) -> Out:
        return self._check(g)

    @auto("12.1.5")
    def reserve_movement(self, g: Board) -> Out:
        return ReserveMovement(self.side)

    @auto("11.1.2")
    def after_reserves(self, g: Board) -> Out:
        return self._check(g)

    def _check(self, g: Board) -> Out:
        """11.0, Q34 Limits hold at the end of each segment, or of the phase alone."""
        return Overstacked(self.side) if g.reads("stacking_check") == "segment_end" else None

    @auto("12.1.6")
    def reserve_declaration(self, g: Board) -> Out:
        return Declaration(self.side, RESERVE_SEGMENT)

    @auto("12.14.1")
    def reserve_stands(self, g: Board) -> Out:
        return NoRetreatDeclaration(1 - self.side, self.side, RESERVE_SEGMENT)

    @auto("12.1.6")
    def reserve_combat(self, g: Board) -> Out:
        return Resolution(self.side, RESERVE_SEGMENT)

    @auto("9.8")
    def night_withdrawal(self, g: Board) -> Out:
        g.clear_flags(RESERVE, self.side)
        return NightWithdrawal(GERMAN) if self.side == GERMAN else None

    @auto("11.1.2")
    def stacking(self, g: Board) -> Out:
        return Overstacked(self.side)

    @auto("12.1")
    def end(self, g: Board) -> Out:
        end_of_combat(g, self.side)
        g.clear_flags(MOVED | DEFENDED | STRUCK | BREAKTHROUGH | RESERVE | SUPPORTED)
        g.clear_flags(GUEST, 1 - self.side)
        return None


# --- 12.1.1 declaration --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Declaration(Procedure):
    """12.1.1, 12.1.6 The attacker marks all hexes he will attack."""

    side: int
    segment: int

    def why_not(self, g: Board, h: Hex) -> Refusal | None:
        if g.combats[h] & DECLARED:
            return Refusal("12.1.1", f"a combat is declared against {g.hex_name(h)} already")
        return why_not_attack(g, self.side, self.segment, h)

    pick = Choice("side", "12.1.1", "Declare a combat against a hex, or end declarations.", passing=DONE)

    def found(self, g: Board) -> list[Hex]:
        found = attacked(g, 1 - self.side, self.segment) if able_in(g, self.side, self.segment) else ()
        return [h for h in found if not g.combats[h] & DECLARED]

    @pick.verb("attack", legal=lambda p, g: p.found(g), why_not=why_not)
    def attack(self, g: Board, h: Hex) -> Out:
        g.mark_combat(h, DECLARED)
        g.tell(f"a combat is declared against {g.place_words(h)}", "12.1.1", place=g.hex_name(h))
        return AGAIN


@dataclass(slots=True)
class NoRetreatDeclaration(Procedure):
    """12.14.1, Q16 The other reading: the defender declares No Retreat for all combats before the first is resolved."""

    owner: int
    attacker: int
    segment: int

    def why_not(self, g: Board, h: Hex) -> Refusal | None:
        if not g.combats[h] & DECLARED:
            return Refusal("12.14.1", f"no combat is declared against {g.hex_name(h)}")
        if g.combats[h] & STUBBORN:
            return Refusal("12.14.1", "it is declared already")
        near = (stack_at(g, a, self.attacker, self.segment, (h,)) for a in neighbours_of(g, (h,)))
        units = tuple(u for stack in near for u in stack)
        b = Battle(self.attacker, self.segment, (h,), units, defenders_in(g, h, self.owner))
        return why_not_stand(g, b, h, ())

    pick = Choice(
        "owner", "12.14.1", "Declare No Retreat for a hex, or let the rest retreat.", passing=DONE,
        when=lambda p, g: g.reads("no_retreat_when") == "segment",
    )  # fmt: skip

    @pick.verb("no_retreat", among=lambda p, g: declared(g), why_not=why_not)
    def declare(self, g: Board, h: Hex) -> Out:
        g.mark_combat(h, STUBBORN)
        g.tell(f"the defenders of {g.hex_name(h)} declare No Retreat", "12.14.1", place=g.hex_name(h))
        return AGAIN


@dataclass(slots=True)
class SovietAir(Procedure):
    """12.1.1, 6.2 The Soviet player assigns aircraft to declared combats, in attack and in defence."""

    phasing: int
    side: int = SOVIET

    def why_not(self, g: Board, h: Hex, front: str) -> Refusal | None:
        if not g.combats[h] & DECLARED:
            return Refusal("12.1.1", f"no combat is declared against {g.hex_name(h)}")
        if counter_at(g, SOVIET, h) >= 0:
            return Refusal("6.2", "one mission is flown for this combat already")
        if is_shared(g, h):
            return Refusal("16.5.4", "no aircraft fly where both sides are in the hex")
        if front not in FRONT_FLAGS or not missions(g, f"air_{front}"):
            return Refusal("6.2", f"the {g.formation(front)} has no mission left this turn")
        if front not in self.fronts(g, h):
            return Refusal("6.2", f"no unit of the {g.formation(front)} fights there")
        return None

    def fronts(self, g: Board, h: Hex) -> set[str]:
        """6.2 The Fronts whose units may take part in a combat against a hex."""
        if self.phasing == SOVIET:
            near = neighbours_of(g, (h,))
            return {g.front_of(u) for a in near for u in stack_at(g, a, SOVIET, COMBAT_SEGMENT, (h,))}
        return {g.front_of(u) for u in g.of_side(h, SOVIET)}

    def found(self, g: Board) -> list[tuple[Hex, str]]:
        return [(h, f) for h in declared(g) for f in FRONT_FLAGS if self.why_not(g, h, f) is None]

    pick = Choice("side", "12.1.1", "Send aircraft to a combat, or send no more aircraft.", passing=DONE)

    @pick.verb("fly", legal=lambda p, g: p.found(g), why_not=why_not)
    def fly(self, g: Board, h: Hex, front: str) -> Out:
        if fly(g, SOVIET, f"air_{front}", h, "12.1.1") >= 0:
            g.mark_combat(h, FRONT_FLAGS[front])
            return AGAIN
        return DONE


# --- 12.1.2 German armor reaction ----------------------------------------------------------------------------------


def why_not_react(g: Board, u: Unit) -> Refusal | None:
    """12.1.2 Why a unit may not react at all."""
    if g.forces.side[u] != GERMAN or not g.forces.armor[u] or not g.on_map(u):
        return Refusal("12.1.2", f"{g.name(u)} is no German armor on the map")
    if g.status[u] & MOVED:
        return Refusal("12.1.2", f"{g.name(u)} has reacted")
    if g.status[u] & DISORDER:
        return Refusal("12.17.2", f"{g.name(u)} is Disorganized or in Regroup")
    if zone_of(g, SOVIET) >> g.place[u] & 1:
        return Refusal("12.1.2", f"{g.name(u)} is in a Soviet ZOC or ZOI")
    if barrage_shift(g, g.place[u]):
        return Refusal("12.1.2", f"{g.name(u)} is under a barrage")
    return None


def why_not_react_to(g: Board, u: Unit, h: Hex) -> Refusal | None:
    if why := why_not_react(g, u):
        return why
    if not g.map.grid.adjacent(g.place[u], h):
        return Refusal("12.1.2", "a reaction is one hex")
    return _why_not_enter(g, u, h) or why_not_leave(g, u, h)


def _why_not_enter(g: Board, u: Unit, h: Hex) -> Refusal | None:
    if barrage_shift(g, h):
        return Refusal("12.1.2", f"{g.hex_name(h)} is under a barrage")
    return why_not_step(g, u, g.place[u], h) or why_not_stack(g, GERMAN, h, (u,))


def reactions(g: Board) -> list[tuple[Unit, Hex]]:
    return keeping_the_front(g, _steps_back(g, GERMAN))


@nearby(NEXT, 2, of=german_armor)
def _steps_back(g: Board, side: Side, u: Unit) -> tuple[Hex, ...]:
    """Where each unit may react to, its front aside."""
    if why_not_react(g, u):
        return ()
    steps = [h for h in steps_from(g, u, g.place[u]) if not barrage_shift(g, h)]
    return tuple(h for h in steps if why_not_stack(g, GERMAN, h, (u,)) is None)


@dataclass(slots=True)
class ArmorReaction(Procedure):
    """12.1.2 German armor moves one hex."""

    side: int = GERMAN

    @auto("12.1.2")
    def begin(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        return None

    pick = Choice("side", "12.1.2", "Move an armor unit by a hex, or end the armor reaction.", passing=Goto("end"))

    @pick.verb("react", legal=lambda p, g: reactions(g), why_not=lambda p, g, u, h: why_not_react_to(g, u, h))
    def react(self, g: Board, u: Unit, h: Hex) -> Out:
        a = g.place[u]
        if not bridge_holds(g, (u,), a, h):
            return AGAIN
        g.tell_way(u, "reacts and moves to", (h,), "12.1.2")
        g.put(u, h)
        g.set_status(u, MOVED)
        return Call(Entering(GERMAN, (u,), a, h, False), again=True)

    @auto("12.1.2")
    def end(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        return None


# --- 12.1.3, 12.1.6 resolution -------------------------------------------------------------------------------------


@dataclass(slots=True)
class Resolution(Procedure):
    """12.1.3, 12.1.6 The declared combats one after the other, in the order the attacker likes."""

    side: int
    segment: int

    pick = Choice("side", "12.1.3", "Choose the combat to resolve next.")

    @pick.verb(
        "combat",
        among=lambda p, g: declared(g),
        why_not=lambda p, g, h: (
            why_not_attack(g, p.side, p.segment, h)
            if g.combats[h] & DECLARED
            else Refusal("12.1.3", f"no combat was declared against {g.hex_name(h)}")
        ),
    )
    def combat(self, g: Board, h: Hex) -> Out:
        return Call(Combat(self.side, 1 - self.side, self.segment, (h,)), again=True)

    @auto("12.1.3")
    def end(self, g: Board) -> Out:
        end_of_segment(g)
        return None


def end_of_segment(g: Board) -> None:
    """12.3.3, 12.6 Combats nobody can fight any more are off; who was attacked is remembered for later segments."""
    for h in filled(g.combats):
        for side in (GERMAN, SOVIET):
            counter = counter_at(g, side, h)
            if counter >= 0:
                g.air[counter] = AIR_SPENT
        g.mark_combat(h, DECLARED | AIR_1UK | AIR_2UK | FOUGHT | STUBBORN, on=False)
    for u in g.flagged(DEFENDED):
        g.set_status(u, DEFENDED, on=False)
        g.set_status(u, STRUCK)


# --- 12.1.4 breakthrough -------------------------------------------------------------------------------------------


def why_not_break(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """12.1.4.A Why a unit, and those that always stay with it (4.5.4), may not make a breakthrough move into a hex."""
    if not g.on_map(u) or not g.status[u] & BREAKTHROUGH:
        return Refusal("12.1.4", f"{g.name(u)} has no Breakthrough marker")
    a, group = g.place[u], group_of(g, u)
    for v in group:
        if not g.status[v] & BREAKTHROUGH:
            return Refusal("4.5.4", f"{g.name(u)} stays with {g.name(v)}, which has no Breakthrough marker")
    if not g.map.grid.adjacent(a, h):
        return Refusal("12.1.4", "a breakthrough move is one hex")
    if crosses_river(g, a, g.map.grid.direction(a, h)):
        return Refusal("12.1.4", "a breakthrough move crosses no river")
    found = next((why for v in group if (why := why_not_step(g, v, a, h))), None)
    return found or why_not_stack(g, g.forces.side[u], h, group)


def breaks(g: Board, side: Side) -> list[tuple[Unit, Hex]]:
    able = [u for u in g.flagged(BREAKTHROUGH) if g.forces.side[u] == side and g.on_map(u)]
    return [(u, h) for u in able for h in g.map.grid.around[g.place[u]] if why_not_break(g, u, h) is None]


@dataclass(slots=True)
class Breakthrough(Procedure):
    """12.1.4 Units with a Breakthrough marker move a hex or fight, one after the other."""

    side: int

    def why_not_move(self, g: Board, u: Unit, h: Hex) -> Refusal | None:
        if g.forces.side[u] != self.side:
            return Refusal("12.1.4", f"{g.name(u)} is not yours")
        return why_not_break(g, u, h)

    pick = Choice("side", "12.1.4", "Move a breakthrough unit, attack, or end the segment.", passing=Goto("end"))

    @pick.verb("break", legal=lambda p, g: breaks(g, p.side), why_not=why_not_move)
    def move(self, g: Board, u: Unit, h: Hex) -> Out:
        a, group = g.place[u], group_of(g, u)
        if not bridge_holds(g, group, a, h):
            return AGAIN
        for v in group:
            g.tell_way(v, "breaks through to", (h,), "12.1.4")
            g.put(v, h)
            g.set_status(v, BREAKTHROUGH, on=False)
            g.set_status(v, BROKE_THROUGH)
        return Call(Entering(self.side, group, a, h, False), again=True)

    @pick.verb(
        "attack",
        legal=lambda p, g: (
            list(attacked(g, 1 - p.side, BREAKTHROUGH_SEGMENT)) if able_in(g, p.side, BREAKTHROUGH_SEGMENT) else ()
        ),
        why_not=lambda p, g, h: why_not_attack(g, p.side, BREAKTHROUGH_SEGMENT, h),
    )
    def attack(self, g: Board, h: Hex) -> Out:
        return Call(Combat(self.side, 1 - self.side, BREAKTHROUGH_SEGMENT, (h,)), again=True)

    @auto("12.1.4")
    def end(self, g: Board) -> Out:
        g.clear_flags(BREAKTHROUGH)
        end_of_segment(g)
        return None


def end_of_combat(g: Board, side: Side) -> None:
    """17.1.3 Barrage Effects markers left over disorganize the units under them."""
    if side != SOVIET:
        return
    for i, h in enumerate(g.barrage_at):
        if h != NOWHERE:
            for u in g.of_side(h, GERMAN):
                if not g.status[u] & GUEST:  # 17.1.3.9 those that retreated there are spared
                    disorganize(g, u, "17.1.3", "the barrage")
            g.lay_barrage(i, NOWHERE)
