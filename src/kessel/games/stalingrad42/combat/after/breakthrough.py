"""15.0 Breakthrough Combat: steps 1 and 2 of an Advance After Combat (15.2.1). Step 3 is in `advance`.

A player forms the group in the vacated hex unit by unit (`form`), or lets a stack decline that hex (`decline`); then it
goes on hex by hex (`go`), fights (`strike`), drops units (`drop`) and stops (`halt`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import ClassVar

from kessel.core.board import Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.procedure import NOTHING, Action, Call, Goto, Options, Out, Procedure, ask, auto, takes
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import ADVANCED, COMBAT, IN_PLAY
from kessel.games.stalingrad42.combat.after.advance_paths import (
    FULL,
    Trip,
    advance_allowance,
    ends_at,
    terrain,
    vacated_hex,
    why_not_advance,
    why_not_stack_there,
    why_not_step,
)
from kessel.games.stalingrad42.combat.after.retreat import interruption
from kessel.games.stalingrad42.combat.battle import Battle
from kessel.games.stalingrad42.combat.crt import column_name, tables
from kessel.games.stalingrad42.combat.disruption import disrupt
from kessel.games.stalingrad42.combat.strength.air import is_romanian, place_air, return_air
from kessel.games.stalingrad42.combat.strength.eligibility import why_not_target
from kessel.games.stalingrad42.combat.strength.shifts import assess
from kessel.games.stalingrad42.combat.strength.strengths import Attack
from kessel.games.stalingrad42.movement.entering import enter
from kessel.games.stalingrad42.movement.maskirovka import challenge
from kessel.games.stalingrad42.movement.ways.crossings import is_at_flotilla, passable
from kessel.games.stalingrad42.movement.ways.stacking import CorrectStacking
from kessel.games.stalingrad42.movement.ways.zones import enemy_bonds, is_in_ezoc
from kessel.wargame.board import other

NO_STACK = Refusal("15.2.2", "the Breakthrough Group is a stack of units that took part in the attack")


@dataclass(slots=True)
class Breakthrough(Procedure):
    """15.2.1 The Breakthrough Group is declared, advances and fights."""

    side: int
    target: int
    """The hex the defender vacated."""
    hexes: int
    """14.2.1 Of the combat's result, weather applied."""
    units: tuple[int, ...]
    """The attackers that took part."""
    origins: tuple[int, ...] = ()
    """Where they attacked from."""
    fired: tuple[int, ...] = ()
    """14.1 ASUs that provided a shift: they may not advance."""
    air: int = -1
    mode: str = FULL
    escort: int = NO_UNIT
    """9.3.7 The unit the Air Unit stays with."""
    open: tuple[tuple[int, int], ...] = ()
    """Units that may still advance, and how many hexes."""
    group: tuple[int, ...] = ()
    spent: int = 0
    stopped: str = ""
    """Why the group may not go on: "ezoc" leaves it Breakthrough Combat (15.2.6), anything else nothing."""
    walked: tuple[int, ...] = ()
    """Units that have entered a hex in this advance."""
    trail: tuple[int, ...] = ()
    """The places of the unit that advances by itself, its start first."""
    struck: int = NO_HEX
    challenged: int = NO_HEX
    emptied: bool = False
    """The defenders of the last Breakthrough Combat are gone."""
    success: bool = False
    """15.2.8 It achieved Adv 3 or 4."""
    path: tuple[int, ...] = ()

    about_hexes = ("target",)
    about_units: ClassVar[tuple[str, ...]] = ("group", "units")

    @takes(Battle)
    def fought(self, g: Board, how: tuple[bool, bool]) -> None:
        """15.2.7, 15.2.8 What the Breakthrough Combat brought."""
        self.emptied, self.success = how

    # --- 14.1 who may advance, 9.3.7 the Air Unit --------------------------------------------------------------------

    @auto("14.1")
    def begin(self, g: Board) -> Out:
        self.open = tuple(self._able(g))
        if self.air >= 0 and is_romanian(g, self.air):
            self.air = -1  # 9.3.6: it has gone back to its box
        return None

    def _able(self, g: Board) -> Iterator[tuple[Unit, int]]:
        for u in self.units:
            if why_not_advance(g, u, took_part=True) is None:
                yield u, advance_allowance(g, u, self.hexes).total
        for place in sorted(set(self.origins)):
            for u in g.units(place):
                if u in self.units or u in self.fired or g.forces.side[u] != self.side:
                    continue
                if g.map.is_hex(place) and why_not_advance(g, u, took_part=False) is None:
                    yield u, advance_allowance(g, u, self.hexes).total

    @ask("side", "9.3.7")
    def station(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose the unit the Air Unit stays with."""
        if self.air < 0:
            yield NOTHING
            return None
        alive = [u for u in self.units if g.pool[u] == IN_PLAY]
        if len(alive) < 2 or (not self.hexes and len({g.place[u] for u in alive}) == 1):
            yield NOTHING
            return None
        action = yield Options([("station", u) for u in alive])
        self.escort = action[1]
        return None

    @auto("9.3.7")
    def put_air(self, g: Board) -> Out:
        alive = [u for u in self.units if g.pool[u] == IN_PLAY]
        if self.escort == NO_UNIT and alive:
            self.escort = alive[0]
        self._follow(g)
        if self.mode != FULL or self.hexes < 2 or self.target == NO_HEX or not self._fighters(g):
            return Goto("others")
        return None

    # --- 15.2.2, 15.2.3 the group ------------------------------------------------------------------------------------

    declare = Choice(
        "side",
        "15.2.1",
        "Form a Breakthrough Group, or go on without one.",
        passing=Goto("others"),
        otherwise=lambda p, g: NO_STACK,
    )

    def why_not_begin(self, g: Board, u: Unit) -> Refusal | None:
        idle = Refusal("15.2.1", f"{g.name(u)} did not take part in the attack")
        return self._why_not_form(g, u) or (None if u in self._fighters(g) else idle)

    @declare.verb("form", among=lambda p, g: p._fighters(g), why_not=why_not_begin)
    def form(self, g: Board, u: Unit) -> Out:
        self._join(g, u)
        self.spent = self._cost(g, "form")
        return None

    def _stacks(self, g: Board) -> list[Hex]:
        """15.2.4 The hexes of stacks that may decline the vacated hex."""
        places = sorted({g.place[u] for u in self._fighters(g)})
        return [h for h in places if g.map.is_hex(h) and h != self.target]

    def why_not_decline(self, g: Board, h: Hex) -> Refusal | None:
        return None if h in self._stacks(g) else NO_STACK

    @declare.verb("decline", legal=_stacks, why_not=why_not_decline)
    def decline(self, g: Board, h: Hex) -> Out:
        self.group = tuple(u for u in self._fighters(g) if g.place[u] == h)
        self.spent = self._cost(g, "decline")
        g.tell(f"the units in {g.hex_name(h)} are the Breakthrough Group", "15.2.4")
        return None

    def _fighters(self, g: Board) -> list[Unit]:
        return [u for u, _ in self.open if u in self.units and g.pool[u] == IN_PLAY]

    def _why_not_form(self, g: Board, u: Unit) -> Refusal | None:
        """15.2.3 Why a unit may not join the group in the vacated hex."""
        left = dict(self.open).get(u, 0)
        if not left or u in self.group:
            return Refusal("15.2.3", f"{g.name(u)} may not advance")
        if u not in self.units and g.forces.combat[u] and g.reads("idle_stackmates") == "separate":
            return Refusal("15.1", f"{g.name(u)} did not take part in the attack")
        v = vacated_hex(g, self.side, self.target)
        if v == NO_HEX:
            return Refusal("15.2.3", "the defender's hex is occupied again")
        if g.place[u] != v and (why := why_not_step(g, u, Trip(g.place[u], left, v), v)):
            return why
        return why_not_stack_there(g, u, v)

    def _join(self, g: Board, u: Unit) -> None:
        """A unit enters the vacated hex as part of the group."""
        start = g.place[u]
        if g.place[u] != self.target:
            self.stopped = self.stopped or ends_at(g, u, g.place[u], self.target, self.target)
            enter(g, (u,), self.target)
            self.walked = (*self.walked, u)
        self._follow(g)
        self.group = (*self.group, u)
        way = (g.place[u],) if g.place[u] != start else ()
        g.tell_move(u, "joins the Breakthrough Group", "15.2.3", start, way)

    @auto("13.3.2")
    def joined(self, g: Board) -> Out:
        return self._interrupt(g) if self.group else Goto("others")

    gather = Choice("side", "15.2.3", "Add units to the Breakthrough Group, or set out.", passing=None)

    def _joiners(self, g: Board) -> list[Unit]:
        here = g.place[self.group[0]]
        if here == self.target:
            return [u for u, _ in self.open if self._why_not_form(g, u) is None]
        return [u for u, _ in self.open if g.place[u] == here and self._rider(g, u)]

    def why_not_join(self, g: Board, u: Unit) -> Refusal | None:
        away = Refusal("15.2.3", f"{g.name(u)} is not where the group is")
        return None if u in self._joiners(g) else self._why_not_form(g, u) or away

    @gather.verb("form", legal=_joiners, why_not=why_not_join)
    def join(self, g: Board, u: Unit) -> Out:
        if g.place[self.group[0]] == self.target:
            self._join(g, u)
        else:
            self.group = (*self.group, u)
        return Goto("joined")

    def _rider(self, g: Board, u: Unit) -> bool:
        """A27: Non-Combat Units may ride along with a group that declined the vacated hex."""
        return u not in self.group and (not g.forces.combat[u] or g.reads("idle_stackmates") == "with_group")

    # --- 15.2.4 what the group does ----------------------------------------------------------------------------------

    def _cost(self, g: Board, action: str) -> int:
        return g.charts.table("breakthrough_costs").number(action, "cost")

    def _left(self, g: Board, u: Unit) -> int:
        return dict(self.open)[u] - self.spent

    def _actions(self, g: Board) -> Iterator[Action]:
        if not self.group or self.stopped not in ("", "ezoc"):
            return
        here = g.place[self.group[0]]
        moves = False
        for n in self._neighbours(g, here):
            if self._why_not_go(g, n) is None:
                moves = True
                yield ("go", (n,))
            elif self._why_not_strike(g, n) is None:
                moves = True
                yield ("strike", n)
        if len(self.group) > 1 and (moves or any(self._left(g, u) > 0 for u in self.group)):
            for u in self.group:
                yield ("drop", u)

    act = Choice(
        "side",
        "15.2.4",
        "Advance the Breakthrough Group, fight, drop a unit or halt.",
        when=lambda p, g: any(True for _ in p._actions(g)),
        every=lambda p, g: [*p._actions(g)],
    )

    @act.verb("halt")
    def halt(self, g: Board) -> Out:
        return Goto("disperse")

    def why_not_go(self, g: Board, way: tuple[Place, ...]) -> Refusal | None:
        hexwise = Refusal("15.2.4", "the group advances hex by hex")
        return self._why_not_go(g, way[0]) if len(way) == 1 else hexwise

    @act.verb("go", why_not=why_not_go)
    def set_out(self, g: Board, way: tuple[Place, ...]) -> Out:
        self.path = way
        self.spent += self._cost(g, "advance")
        return None

    @act.verb("strike", why_not=lambda p, g, h: p._why_not_strike(g, h))
    def fight(self, g: Board, h: Hex) -> Out:
        self.spent += self._cost(g, "combat")
        self.struck = h
        return Goto("in_order")

    def why_not_drop(self, g: Board, u: Unit) -> Refusal | None:
        if ("drop", u) in self._actions(g):
            return None
        return Refusal("15.2.10", "the group drops one of its units, not the last one")

    @act.verb("drop", why_not=why_not_drop)
    def drop(self, g: Board, u: Unit) -> Out:
        """15.2.10 A unit leaves the group; if nothing stops it, it may go on by itself in step 3."""
        left = 0 if self.stopped else self._left(g, u)
        self.group = tuple(v for v in self.group if v != u)
        self.open = tuple((v, left if v == u else n) for v, n in self.open)
        if left <= 0:
            self._close(g, u)
        return Goto("act")

    def _neighbours(self, g: Board, here: Place) -> list[Place]:
        boxes = [p for p in g.ground.entry_boxes if g.map.box(p).hexes >> here & 1]
        return [*g.map.grid.around[here], *boxes]

    def _why_not_go(self, g: Board, n: Place) -> Refusal | None:
        """Why the group may not advance into a hex next to it."""
        if self.stopped:
            return Refusal("15.2.6", "the group is in an EZOC: it must stop or fight")
        here = g.place[self.group[0]]
        v = vacated_hex(g, self.side, self.target)
        for u in self.group:
            if why := why_not_step(g, u, Trip(here, self._left(g, u), v, first=u not in self.walked), n):
                return why
        return None

    def _why_not_strike(self, g: Board, n: Place) -> Refusal | None:
        """15.2.4, 15.2.5, 15.2.9 Why the group may not make Breakthrough Combat against a hex."""
        here = g.place[self.group[0]]
        if not g.map.is_hex(here) or not g.map.is_hex(n) or not g.map.grid.near[here] >> n & 1:
            return Refusal("15.2.5", "Breakthrough Combat is made against a hex next to the group")
        if why := why_not_target(g, n, self.side, again=True):
            return why
        fighters = self.strikers(g)
        if not fighters:
            return Refusal("15.1", "no unit of the group took part in the attack")
        if not self._has_moved() and here != self.target and g.reads("decline_without_moving") == "no":
            return Refusal("15.2.5", "the group must move next to its target")
        for u in self.group:
            if self._left(g, u) < self._cost(g, "combat"):
                return Refusal("15.2.4", f"{g.name(u)} has no hexes of its advance left")
        for u in fighters:
            if why := why_not_ground(g, u, n):
                return why
        now = assess(g, self.attack(g, n))
        if now.too_low:
            lowest = column_name(tables(g.charts).lowest)
            return Refusal("8.4.1", f"the odds are {column_name(now.at)}, less than {lowest}")
        return None

    def _has_moved(self) -> bool:
        return any(u in self.walked for u in self.group)

    def strikers(self, g: Board) -> tuple[Unit, ...]:
        return tuple(u for u in self.group if u in self.units and g.face(u).attack)

    def attack(self, g: Board, n: Hex) -> Attack:
        """9.3.7 The Air Unit helps if its stack is the group."""
        air = self.air if self.escort in self.group else -1
        return Attack(self.side, n, self.strikers(g), breakthrough=True, air=air)

    @auto("15.2.4")
    def march(self, g: Board) -> Out:
        if not self.path:
            return Goto("disperse")
        n, here = self.path[0], g.place[self.group[0]]
        if n != self.challenged and (defend := self._challenge(g, n)):
            return Call(defend, again=True)
        if g.map.is_hex(n) and g.sets[COMBAT + other(self.side)] >> n & 1:  # units of a Reserve Army bar the way
            self.path = ()
            return Goto("act")
        self.path, self.walked = (), (*self.walked, *self.group)
        for u in self.group:
            self.stopped = self.stopped or ends_at(g, u, here, n, self.target)
        if g.map.is_hex(n):
            enter(g, self.group, n)
        else:
            for u in self.group:
                g.move(u, n)
        self._follow(g)
        self._tell(g, here)
        self.struck = NO_HEX
        return self._interrupt(g)

    def _challenge(self, g: Board, n: Place) -> Procedure | None:
        """34.6.2 A Reserve Army in the next hex may bring its units out before it is entered."""
        self.challenged = n
        return challenge(g, n, self.side) if g.map.is_hex(n) else None

    def _tell(self, g: Board, start: Place) -> None:
        for u in self.group:
            g.tell_move(u, "breaks through to {}", "15.2.4", start, (g.place[u],))

    def _follow(self, g: Board) -> None:
        """9.3.7 The Air Unit goes with its stack, or to its box if that is gone."""
        if self.air < 0:
            return
        if self.escort in self.group and g.pool[self.escort] != IN_PLAY:
            self.escort = next((u for u in self.group if g.pool[u] == IN_PLAY and u in self.units), self.escort)
        if self.escort != NO_UNIT and g.pool[self.escort] == IN_PLAY:
            place_air(g, self.air, g.place[self.escort])
        else:
            return_air(g, self.air)
            self.air = -1

    def _interrupt(self, g: Board) -> Out:
        return interruption(g, self.side, g.place[self.group[0]]) if self.group else None

    @auto("15.2.6")
    def go_on(self, g: Board) -> Out:
        self._release(g)
        return Goto("act")

    def _release(self, g: Board) -> None:
        """Enemies that ran may have taken their ZOC away."""
        if self.stopped == "ezoc" and self.group and not is_in_ezoc(g, g.place[self.group[0]], self.side):
            self.stopped = ""

    # --- 15.2.7, 15.2.8 the combat -----------------------------------------------------------------------------------

    @auto("4.4")
    def in_order(self, g: Board) -> Out:
        """Stacking is corrected before each Breakthrough Combat."""
        return CorrectStacking(self.side, g.place[self.group[0]])

    @auto("15.2.5")
    def strike(self, g: Board) -> Out:
        from kessel.games.stalingrad42.combat.combat import Combat

        self._follow(g)
        self.group = tuple(u for u in self.group if g.pool[u] == IN_PLAY)
        a = self.attack(g, self.struck)
        self.emptied = self.success = False
        if not a.units:
            return Goto("act")
        return Combat(self.side, other(self.side), a.target, a.units, breakthrough=True, air=a.air)

    @auto("15.2.7")
    def survivors(self, g: Board) -> Out:
        self._follow(g)
        self.group = tuple(u for u in self.group if g.pool[u] == IN_PLAY)
        return None

    def _may_enter(self, g: Board) -> bool:
        return self.emptied and bool(self.group) and vacated_hex(g, self.side, self.struck) != NO_HEX

    occupy = Choice("side", "15.2.8", "Enter the vacated hex, or stay.", when=_may_enter)

    @occupy.verb("enter", plain=False)
    def enter_vacated(self, g: Board) -> Out:
        here = g.place[self.group[0]]
        self.stopped, self.walked = "", (*self.walked, *self.group)
        exempt = self.struck if g.reads("breakthrough_exempt_hexes") == "all" else self.target
        for u in self.group:
            self.stopped = self.stopped or ends_at(g, u, here, self.struck, exempt)
        enter(g, self.group, self.struck)
        self._follow(g)
        self._tell(g, here)
        return None

    @occupy.verb("stay", plain=False)
    def stay(self, g: Board) -> Out:
        return None

    @auto("13.3.2")
    def occupied(self, g: Board) -> Out:
        return self._interrupt(g)

    @auto("15.2.7")
    def judge(self, g: Board) -> Out:
        """Without Adv 3 or 4 the group's advance ends."""
        self._release(g)
        if not self.success:
            self.stopped = "failed"
        return Goto("act")

    @auto("15.2.2")
    def disperse(self, g: Board) -> Out:
        """The group has completed its advance."""
        for u in self.group:
            self._close(g, u)
        self.group = ()
        return None

    def _close(self, g: Board, u: Unit) -> None:
        """The advance of a unit is over; an ASU is Disrupted by it (18.2.2)."""
        self.open = tuple((v, n) for v, n in self.open if v != u)
        if g.pool[u] != IN_PLAY:
            return
        g.set_status(u, ADVANCED)
        if g.forces.is_asu[u] and u in self.walked:
            disrupt(g, u, "18.2.2")

    @auto("15.2.1")
    def others(self, g: Board) -> Out:
        """Step 3 begins: the other units may advance."""
        return None


def bond_sides(g: Board, u: Unit, d: int) -> int:
    """Enemy bonds do not bar Breakthrough Combat: the hex it vacates may be entered across them (14.4.1)."""
    p = passable(g, u)
    return (p.land[d] | p.volga[d]) & enemy_bonds(g, g.forces.side[u]).sides[d]


def why_not_ground(g: Board, u: Unit, n: Hex) -> Refusal | None:
    """15.2.5, 15.2.9 Why a unit may not make Breakthrough Combat against a hex next to it: no advance leads there."""
    here = g.place[u]
    d = g.map.grid.offsets.index(n - here)
    if (terrain(g, u, -1).sides[d] | bond_sides(g, u, d)) >> here & 1 or is_at_flotilla(g, g.forces.side[u], here, d):
        return None
    return Refusal("15.2.9", f"{g.name(u)} could not advance into {g.hex_name(n)}")
