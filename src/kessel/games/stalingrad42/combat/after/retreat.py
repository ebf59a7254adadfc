"""12.0 Retreats, and the automatic retreat of units in Full Retreat (13.3.2).

The owner retreats the units of a hex one by one, or all that are left together (`retreat {units} by {path}`). On the
way whatever follows from entering a hex is settled; the enemy's own Full Retreat units may have to run (13.3.2).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from kessel.core.board import Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import NOTHING, PASS, Action, Call, Goto, Options, Out, Procedure, ask, auto
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, DISRUPTED, FULL_RETREAT, IN_PLAY, RETREATED, RETREATING, TRAIN
from kessel.games.stalingrad42.combat.after.retreat_paths import PAID, End, Flight, can_survive, ends_of, why_not_end
from kessel.games.stalingrad42.combat.disruption import disrupt, put_in_full_retreat, retreating_next_to
from kessel.games.stalingrad42.combat.losses import eliminate
from kessel.games.stalingrad42.combat.results import StepLoss, selectable
from kessel.games.stalingrad42.combat.strength.air import release_air
from kessel.games.stalingrad42.movement.entering import enter
from kessel.games.stalingrad42.movement.maskirovka import share_state
from kessel.games.stalingrad42.supply.resources import lose_offensives
from kessel.wargame.board import other


@dataclass(slots=True)
class Retreat(Procedure):
    """12.1 The units of a hex retreat from it."""

    side: int
    battle: int
    units: tuple[int, ...]
    """Still to retreat."""
    lengths: tuple[int, ...]
    state: str = ""
    """What they become: disrupted, full_retreat, or "" for no change (13.3.2)."""
    shun: bool = False
    group: tuple[int, ...] = ()
    """On their way now, along `path`."""
    path: tuple[int, ...] = ()
    debts: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    """12.1.3 #4 Steps to be paid: end, steps, the units that went there."""
    ends: tuple[int, ...] = ()
    """Where units that survived are now."""
    way: tuple[int, ...] = ()
    """The whole path of the group."""

    about_hexes = ("battle",)
    about_units = ("group", "units")

    def flight(self, g: Board) -> Flight:
        full = self.state == "full_retreat" or all(g.status[u] & FULL_RETREAT for u in self.units)
        return Flight(self.side, self.battle, self.lengths, self.units, self.shun, full)

    def _choices(self, g: Board) -> Iterator[tuple[tuple[Unit, ...], tuple[Place, ...]]]:
        if len(self.units) > 1 and self._alike(g):
            for e in self._ends(g, self.units):
                yield self.units, e.path
        for u in self.units:
            for e in self._ends(g, (u,)):
                yield (u,), e.path

    choose = Choice("side", "12.1.1", "Retreat a unit or all units.")

    def why_not_retreat(self, g: Board, units: tuple[Unit, ...], path: tuple[Place, ...]) -> Refusal | None:
        if not units or any(u not in self.units for u in units):
            return Refusal("12.1.2", "these units do not retreat now")
        if len(units) > 1 and (set(units) != set(self.units) or not self._alike(g)):
            return Refusal("12.1.2", "units retreat one by one, or all that are left together")
        if (units, path) in self._choices(g):
            return None
        why = why_not_end(g, units[0], self.flight(g), sum(g.steps[u] for u in units) - 1, path)
        return why or Refusal("12.1.1", "the retreat does not go that way")

    @choose.verb("retreat", legal=_choices, why_not=why_not_retreat)
    def set_out(self, g: Board, units: tuple[Unit, ...], path: tuple[Place, ...]) -> Out:
        end = next(e for e in self._ends(g, units) if e.path == path)
        if end.kind == PAID:
            self._owe(end, units)
        for u in units:
            start_retreat(g, u, self.state)
        self.units = tuple(u for u in self.units if u not in units)
        self.group, self.path, self.way = units, path, path
        return None

    def _alike(self, g: Board) -> bool:
        f = g.forces
        return len({(f.mech[u], f.mountain[u]) for u in self.units}) == 1

    def _ends(self, g: Board, units: tuple[Unit, ...]) -> list[End]:
        """The ends of units that go together: what they can pay for themselves, or with others already there (#4)."""
        own, flight = sum(g.steps[u] for u in units), self.flight(g)
        found = list(ends_of(g, units[0], flight, own - 1))
        for place, pay, others in self.debts:
            if pay >= own and own + sum(g.steps[u] for u in others if g.pool[u] == IN_PLAY) > pay:
                more = ends_of(g, units[0], flight, pay)
                found.extend(e for e in more if (e.place, e.pay) == (place, pay))
        if len(units) == 1 and not (found and self._alike(g)):
            known = {(e.place, e.pay) for e in found}
            shared = shared_ends(g, units[0], self.units, flight)
            found.extend(e for e in shared if (e.place, e.pay) not in known)
        return found

    def _owe(self, end: End, units: tuple[Unit, ...]) -> None:
        for i, (place, pay, others) in enumerate(self.debts):
            if (place, pay) == (end.place, end.pay):
                self.debts = (*self.debts[:i], (place, pay, (*others, *units)), *self.debts[i + 1 :])
                return
        self.debts = (*self.debts, (end.place, end.pay, units))

    @auto("12.1.1")
    def go(self, g: Board) -> Out:
        """Hex by hex; what interrupts is settled before the next."""
        while self.path:
            place, self.path = self.path[0], self.path[1:]
            if not g.map.is_hex(place):
                for u in self.group:
                    g.move(u, place)
                break
            enter(g, self.group, place)
            if interrupt := interruption(g, self.side, place):
                return Call(interrupt, again=True)
        if self.group:
            here = g.place[self.group[0]]
            for u in self.group:
                g.tell_move(u, "retreats to {}", "12.1.1", self.battle, self.way)
            self.ends = (*self.ends, here)
            self.group = ()
            return Goto("choose")
        return None

    @auto("12.2")
    def doomed(self, g: Board) -> Out:
        """Units without a way out are eliminated."""
        for u in self.units:
            eliminate(g, u, "12.2")
        self.units = ()
        return None

    @auto("12.1.3")
    def pay(self, g: Board) -> Out:
        """#4 The steps owed for a shortened retreat."""
        if not self.debts:
            return None
        (end, left, units), *rest = self.debts
        alive = [u for u in units if g.pool[u] == IN_PLAY]
        if not left or not alive:
            self.debts = tuple(rest)
            return Goto("pay")
        self.debts = ((end, left - 1, units), *rest)
        can = tuple(selectable(g, alive, (), self.side))
        return Call(StepLoss(self.side, self.side, can, "12.1.3"), again=True)

    @ask("side", "19.3")
    def accompany(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose where a Non-Combat Unit goes with the retreating units, or let it stay."""
        ends = sorted({p for p in self.ends if self._lives(g, p)})
        who = followers(g, self.battle, self.side) if ends else []
        if not who:
            yield NOTHING
            return None
        action = yield Options([("accompany", u, p) for u in who for p in ends], PASS)
        if action == PASS:
            return None
        _, u, place = action
        start_retreat(g, u, "")
        share_state(g, u, self.state)
        g.move(u, place)
        g.tell_move(u, "goes along to {}", "19.3", self.battle)
        return Goto("accompany")

    def _lives(self, g: Board, place: Place) -> bool:
        return any(g.forces.side[u] == self.side and g.forces.combat[u] for u in g.units(place))

    @auto("19.3")
    def abandoned(self, g: Board) -> Out:
        """Where no Combat Unit survived, Non-Combat Units are removed; Supply Points wait for the enemy (18.6.6)."""
        if not any(self._lives(g, p) for p in self.ends):
            leave_behind(g, self.battle, self.side)
        release_air(g)
        return None


def followers(g: Board, h: Hex, side: Side) -> list[Unit]:
    """19.3 Non-Combat Units that may retreat with others: all but Supply Points (18.6.6)."""
    f = g.forces
    return [u for u in g.units(h) if f.side[u] == side and not f.combat[u] and not f.is_supply_point(u)]


def leave_behind(g: Board, h: Hex, side: Side) -> None:
    """19.3 Without a surviving Combat Unit the Non-Combat Units of a hex are removed at once."""
    if not g.sets[COMBAT + side] >> h & 1:
        for u in followers(g, h, side):
            eliminate(g, u, "19.3")


def start_retreat(g: Board, u: Unit, state: str) -> None:
    """12.1, 13.1 What happens to a unit as it begins to retreat: it detrains (5.6.5), loses a Planned Offensive (26.2)
    and becomes Disrupted or goes into Full Retreat."""
    g.set_status(u, TRAIN, False)
    lose_offensives(g, u)
    if state == "full_retreat":
        put_in_full_retreat(g, u, "13.1.3")
    elif state == "disrupted":
        if g.status[u] & DISRUPTED:
            put_in_full_retreat(g, u, "13.1.3")
        else:
            disrupt(g, u, "13.1.2")
    g.set_status(u, RETREATED)


# --- 13.3.2 automatic retreat ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class AutomaticRetreat(Procedure):
    """13.3.2 Units in Full Retreat run two hexes when an enemy Combat Unit comes next to them."""

    side: int
    hexes: tuple[int, ...]

    @auto("13.3.2")
    def next_stack(self, g: Board) -> Out:
        if not self.hexes:
            return None
        h, self.hexes = self.hexes[0], self.hexes[1:]
        if not g.sets[RETREATING + self.side] >> h & 1:
            return Goto("next_stack")
        units = tuple(u for u in g.units(h) if g.forces.side[u] == self.side and g.forces.combat[u])
        g.tell(f"the units in {g.hex_name(h)} must run", "13.3.2", place=g.hex_name(h))
        return Call(Retreat(self.side, h, units, (g.charts.constant("automatic_retreat"),)), again=True)


def interruption(g: Board, side: Side, h: Hex) -> Procedure | None:
    """What must be carried out before that side's units, having entered h, go on; None if nothing interrupts."""
    enemy = other(side)
    if not g.sets[RETREATING + enemy] or not g.map.is_hex(h) or not g.sets[COMBAT + side] >> h & 1:
        return None
    moving = {g.place[u] for p in g.stack for u in on_the_way(p)}
    hexes = tuple(n for n in retreating_next_to(g, h, enemy) if n not in moving)
    return AutomaticRetreat(enemy, hexes) if hexes else None


def passed_by(g: Board, side: Side, way: Sequence[Hex]) -> Procedure | None:
    """13.3.2 The same for units that have gone along a whole way, as trains do."""
    hexes = dict.fromkeys(n for h in way for n in retreating_next_to(g, h, other(side)))
    return AutomaticRetreat(other(side), tuple(hexes)) if hexes else None


def on_the_way(p: Procedure) -> tuple[Unit, ...]:
    """The units a procedure is just moving: they do not run from others until they have arrived."""
    if isinstance(p, Retreat):
        return p.group
    units: tuple[Unit, ...] = getattr(p, "units", ())
    return units if getattr(p, "path", ()) else ()


def shared_ends(g: Board, u: Unit, units: Sequence[Unit], flight: Flight) -> list[End]:
    """12.1.3 #4 The ends of a unit for which a stack pays together: its units get there by whatever ways."""
    most = max(flight.lengths)
    if len(units) < 2 or not can_survive(g, u, flight, most):
        return []
    purses: dict[tuple[Place, int], int] = {}
    for v in units:
        for end in {(e.place, e.pay) for e in ends_of(g, v, flight, most) if e.kind == PAID}:
            purses[end] = purses.get(end, 0) + g.steps[v]
    return [e for e in ends_of(g, u, flight, most) if e.kind == PAID and purses[e.place, e.pay] > e.pay]


def is_stack_doomed(g: Board, units: Sequence[Unit], flight: Flight) -> bool:
    """11.5.1, 12.2 Whether all units of a stack will be eliminated if they retreat, paying together or not."""
    if not all(is_facing_elimination(g, u, flight) for u in units):
        return False
    return g.reads("pay_saves") != "yes" or not any(shared_ends(g, u, units, flight) for u in units)


def is_facing_elimination(g: Board, u: Unit, flight: Flight) -> bool:
    """11.5.1, 12.2 Whether a unit will be eliminated if it retreats; paying saves it (switch pay_saves)."""
    return not can_survive(g, u, flight, g.steps[u] - 1 if g.reads("pay_saves") == "yes" else 0)
