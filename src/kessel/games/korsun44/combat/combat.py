"""12.1.3.B-D, 12.12, 12.17.1 One combat: odds, shifts, the dice, and the result in its order."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import DONE, Call, Goto, Out, auto, into, takes
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import (
    AIR_1UK,
    AIR_2UK,
    AIR_SPENT,
    ALERT,
    ATTACKED,
    BREAKTHROUGH,
    BROKE_THROUGH,
    DECLARED,
    DEFENDED,
    DISORDER,
    DISORGANIZED,
    FOUGHT,
    GERMAN,
    OOS1,
    OOS2,
    REGROUP,
    SEEN,
    SOVIET,
    STUBBORN,
    SUPPORTED,
    Board,
)
from kessel.games.korsun44.combat.advance import Advance
from kessel.games.korsun44.combat.artillery import artillery_roll, artillery_shift
from kessel.games.korsun44.combat.battle import (
    ALARM_COMBAT,
    BREAKTHROUGH_SEGMENT,
    COMBAT_SEGMENT,
    RESERVE_SEGMENT,
    barrage_shift,
    in_hex,
    why_not_attack,
)
from kessel.games.korsun44.combat.declarations import Declarations
from kessel.games.korsun44.combat.losses import Loss, attacker_pool, defender_pool
from kessel.games.korsun44.combat.no_retreat import NoRetreat, infantry_in
from kessel.games.korsun44.combat.odds import (
    Outcome,
    armor_fire,
    first_column,
    is_armor_only,
    outcome_of,
    river_crossings,
)
from kessel.games.korsun44.combat.retreat import Retreat, disorganize, draw_together
from kessel.games.korsun44.combat.shifts import standing_shifts
from kessel.games.korsun44.combat.strengths import attack_strength, defence_strength
from kessel.games.korsun44.combat.support import is_supported
from kessel.games.korsun44.data.charts import Result, parse_result
from kessel.games.korsun44.engineering.bridges import bridge_holds
from kessel.games.korsun44.movement.zones import zoc_sources
from kessel.games.korsun44.turn.air import counter_at
from kessel.games.korsun44.units.breakdown import Shares, break_down, breakdowns, why_not_break_down
from kessel.games.korsun44.units.strength import is_attack_capable, is_extended, strength, whole_of


@dataclass(slots=True)
class Combat(Declarations):
    """12.1.3 One combat from its declarations to the last advance."""

    result: str = ""
    """12.12.2 As the table says it: 1/1DR."""
    attacker_d: bool = False
    defender_d: bool = False
    aims: tuple[int, ...] = ()
    """12.12.1 Defending armor of which one unit is hit."""
    victims: tuple[int, ...] = ()
    """12.12.1 Attacking armor of which one unit is hit."""
    attacker_due: int = 0
    defender_due: int = 0
    first: bool = True
    """The next loss is a side's first."""
    disordered: bool = False
    """12.17.1 All defenders were Disorganized when the combat began."""
    stacks: tuple[int, ...] = ()
    """The attacking hexes."""
    tanks: tuple[int, ...] = ()
    """12.1.4 Attacking hexes with armor."""
    d_due: int = 0
    """12.17.1 Attacking stacks still to be disorganized."""
    wiped: tuple[int, ...] = ()
    todo: tuple[int, ...] = ()
    """Hexes whose units must retreat."""
    trail: tuple[int, ...] = ()
    stays: bool = False
    halves: tuple[tuple[int, int], ...] = ()
    """4.7.2 Other halves of divisions that will be attacked by themselves, with their strength before this combat."""

    # --- B, C odds and shifts --------------------------------------------------------------------------------------

    @auto("12.1.3")
    def odds(self, g: Board) -> Out:
        """12.17.3, 12.1.3.B-D Regroup becomes Disorganized, chits are laid open, and the dice fall."""
        if not self.attackers:
            return Goto("finish")
        for u in self.attackers:
            if g.status[u] & REGROUP:
                disorganize(g, u, "12.17.3", "it attacks while in Regroup")
        self._lay_open(g)
        spares = DISORDER if g.reads("regroup_spares") == "both" else DISORGANIZED
        self.disordered = all(g.status[u] & spares for u in self.defenders)
        self.stacks = tuple(self.origins(g))
        self.tanks = tuple(h for h in self.stacks if any(g.forces.armor[u] for u in in_hex(g, self.attackers, h)))
        self.halves = self._other_halves(g)
        self._test_bridges(g)
        found = self._thrown(g)
        self._take(g, found)
        return None

    def _test_bridges(self, g: Board) -> None:
        """12.7, 12.8.1, 18.3 Bridges under heavy tanks are tested before combined arms and superiority are judged."""
        for a, h in river_crossings(g, self.battle()):
            bridge_holds(g, tuple(in_hex(g, self.attackers, a)), a, h)

    def _other_halves(self, g: Board) -> tuple[tuple[int, int], ...]:
        """4.7.2.5 Strengths of both halves are found before either combat."""
        found = []
        for u in self.defenders:
            if is_extended(g, u):
                whole = whole_of(g, u)
                other = g.forces.extension[whole] if u == whole else whole
                h = g.place[other]
                if h not in self.targets and g.combats[h] & DECLARED:
                    found.append((other, strength(g, other)))
        return tuple(found)

    def _lay_open(self, g: Board) -> None:
        """4.4.4, 4.8.2 Strength chits lie open while odds are determined; alarm units turn to their unit side."""
        for u in (*self.attackers, *self.defenders):
            for v in _with_chit(g, u):
                g.set_status(v, SEEN)
            g.set_status(u, ALERT, on=False)
        g.reveal()

    def _thrown(self, g: Board) -> Outcome:
        b = self.battle()
        attack, defence = attack_strength(g, b), defence_strength(g, b)
        first = first_column(g, attack.total, defence.total)
        shifts = Breakdown("shifts")
        for side in (self.side, self.enemy):
            if b.points if side == self.side else b.gun_points:
                self._fire(g, side, shifts)
        for side in sorted(self.flown):
            self._fly(g, side, shifts)
        shifts.join(standing_shifts(g, b))
        fire = armor_fire(g, b)
        black, red = g.die(), g.die()
        found = outcome_of(g, b, first, shifts.total, fire, black, red)
        self.aims = fire.targets if found.defender_hit else ()
        self.victims = fire.victims if found.attacker_hit else ()
        g.tell(
            f"{attack.total} to {defence.total}, {shifts.total:+d} shifts: {found.column}; "
            f"black {black}, red {red}: {found.result}, {parse_result(found.result).said}",
            "12.12", place=g.hex_name(self.targets[0]), attack=str(attack), defence=str(defence), shifts=str(shifts),
            column=found.column, dice=[black, red], result=found.result, fire=[fire.attack, fire.defence],
        )  # fmt: skip
        return found

    def _fire(self, g: Board, side: int, shifts: Breakdown) -> None:
        die = g.die()
        b = self.battle()
        shift = artillery_shift(g, b, side, die)
        word = "attacker" if side == self.side else "defender"
        moved = "1 shift" if abs(shift) == 1 else f"{abs(shift)} shifts"
        g.tell(
            f"artillery of the {word}: {artillery_roll(g, b, side, die)}, {moved}",
            "12.10.2",
            die=die,
        )
        shifts.add(f"artillery of the {word}", shift, "12.10")

    def _fly(self, g: Board, side: int, shifts: Breakdown) -> None:
        """6.2 The counter is turned over."""
        counter = max(counter_at(g, side, h) for h in self.targets)
        card = g.forces.counters[counter]
        shift = card.ocas if side == self.side else -card.dcas
        shifts.add(f"{'German' if side == GERMAN else 'Soviet'} aircraft", shift, "6.2")

    def _take(self, g: Board, found: Outcome) -> None:
        """12.11, 17.1.3, 12.12.1 What of the result counts."""
        self.result = found.result
        result = parse_result(found.result)
        barrage = self.segment == COMBAT_SEGMENT and self._is_shelled(g)
        self.attacker_d = result.attacker.disorganized or found.attacker_d
        self.defender_d = result.defender.disorganized or found.defender_d or barrage
        if is_armor_only(g, self.battle()):
            g.tell("only armor fights: the table takes no steps", "12.12.1")
        else:
            self.attacker_due, self.defender_due = result.attacker.steps, result.defender.steps

    def _is_shelled(self, g: Board) -> bool:
        return self.side == SOVIET and any(barrage_shift(g, h) for h in self.targets)

    def read(self) -> Result:
        return parse_result(self.result)

    # --- D losses --------------------------------------------------------------------------------------------------

    @auto("12.12.1")
    def armor_defender(self, g: Board) -> Out:
        return Loss(self.enemy, self.aims, "12.12.1") if self.aims else None

    @auto("12.12.1")
    def armor_attacker(self, g: Board) -> Out:
        return Loss(self.side, self.victims, "12.12.1") if self.victims else None

    @auto("12.12.3")
    def attacker_steps(self, g: Board) -> Out:
        pool = attacker_pool(g, self.battle(), self.withheld, self.first)
        if not self.attacker_due or not pool:
            self.first = True
            return None
        self.attacker_due, self.first = self.attacker_due - 1, False
        return Call(Loss(self.side, pool, "12.12.3"), again=True)

    @auto("12.12.4")
    def defender_steps(self, g: Board) -> Out:
        pool = defender_pool(g, self.battle(), self.first)
        if not self.defender_due or not pool:
            return None
        self.defender_due, self.first = self.defender_due - 1, False
        return Call(Loss(self.enemy, pool, "12.12.4"), again=True)

    # --- D disorganization -----------------------------------------------------------------------------------------

    def alive(self, g: Board, h: Hex) -> list[Unit]:
        return in_hex(g, self.defenders, h)

    def holds(self, g: Board, h: Hex) -> bool:
        """12.14.3 Whether No Retreat stands for a hex."""
        if h not in self.stubborn or self.read().defender.breakthrough or self.defender_d:
            return False
        return bool(infantry_in(g, self.alive(g, h), h))

    @auto("12.17.1")
    def disorganization(self, g: Board) -> Out:
        self.wiped = tuple(h for h in self.targets if not self.alive(g, h))
        if self.defender_d:
            for u in self.defenders:
                if g.on_map(u):
                    disorganize(g, u, "12.17.1", "the combat")
        if self.attacker_d:
            stacks, self.d_due = self.standing(g), self._stacks_hit(g)
            if self.d_due >= len(stacks):
                for h in stacks:
                    self.disorganizes(g, h)
                self.d_due = 0
        return None

    def _stacks_hit(self, g: Board) -> int:
        """12.17.1 How many attacking stacks a D disorganizes."""
        if self.disordered:
            return 0
        retreats = self.read().defender.retreat
        stay = [h for h in self.targets if self.alive(g, h) and (not retreats or self.holds(g, h))]
        return 2 if any(zoc_sources(g, self.enemy) >> h & 1 for h in stay) else 1

    def standing(self, g: Board) -> list[Hex]:
        """The attacking hexes with units that are not Disorganized yet."""
        units = [u for u in (*self.attackers, *self.withheld) if g.on_map(u) and not g.status[u] & DISORGANIZED]
        return [h for h in self.stacks if in_hex(g, units, h)]

    spread_d = Choice(
        "side", "12.17.1", "Choose an attacking stack that is Disorganized.", when=lambda p, g: p.d_due > 0
    )

    @spread_d.verb(
        "disorganize",
        legal=lambda p, g: p.standing(g),
        why_not=lambda p, g, h: (
            None if h in p.standing(g) else Refusal("12.17.1", "no stack that can be Disorganized attacks from there")
        ),
    )
    def disorganizes(self, g: Board, h: Hex) -> Out:
        for u in in_hex(g, (*self.attackers, *self.withheld), h):
            disorganize(g, u, "12.17.1", "the combat")
        self.d_due -= 1
        return Goto("spread_d")

    @auto("4.7.2")
    def other_half(self, g: Board) -> Out:
        """4.7.2.5 An attack on the other half of a division is resolved before anybody retreats."""
        for u, _ in self.halves:
            h = g.place[u]
            if g.on_map(u) and g.combats[h] & DECLARED and why_not_attack(g, self.side, self.segment, h) is None:
                self._is_over(g)
                return Call(Combat(self.side, self.enemy, self.segment, (h,), fixed=self.halves), again=True)
        return None

    def _is_over(self, g: Board) -> None:
        """The dice of this combat have fallen: nobody in it fights again in this segment."""
        b = self.battle()
        for u in self.attackers:
            if g.on_map(u):
                self._has_attacked(g, u, is_supported(g, b, u))
        for u in self.defenders:
            if g.on_map(u):
                g.set_status(u, DEFENDED)
        for h in self.targets:
            g.mark_combat(h, DECLARED, on=False)
            g.mark_combat(h, FOUGHT)

    # --- D breakdown -----------------------------------------------------------------------------------------------

    def retreating(self, g: Board, side: int) -> list[Hex]:
        """The hexes a side's units must leave."""
        if side == self.enemy:
            goes = bool(self.read().defender.retreat)
            return [h for h in self.targets if goes and g.of_side(h, side) and not self.holds(g, h)]
        goes = bool(self.read().attacker.retreat) and len(self.wiped) < len(self.targets)
        return [h for h in self.stacks if goes and g.of_side(h, side)]

    def breakable(self, g: Board) -> list[tuple[Unit, Shares]]:
        """12.13.3 German units that must retreat and the ways they may break down first."""
        units = [u for h in self.retreating(g, GERMAN) for u in g.of_side(h, GERMAN)]
        return [(u, given) for u in units for given in breakdowns(g, u)]

    def why_not_break_down(self, g: Board, u: Unit, given: Shares) -> Refusal | None:
        if g.forces.side[u] != GERMAN or g.place[u] not in self.retreating(g, GERMAN):
            return Refusal("12.13.3", "only German units that must retreat break down now")
        return why_not_break_down(g, u, given)

    breakdown = Choice(
        "german", "12.13.3", "Break down a unit before it retreats, or retreat as they are.", passing=None
    )

    @breakdown.verb("break_down", legal=lambda p, g: p.breakable(g), why_not=why_not_break_down)
    def breaks_down(self, g: Board, u: Unit, given: Shares) -> Out:
        parts = break_down(g, u, given)
        self.attackers = tuple(v for w in self.attackers for v in (parts if w == u else (w,)))
        self.defenders = tuple(v for w in self.defenders for v in (parts if w == u else (w,)))
        return Goto("breakdown")

    # --- D retreats ------------------------------------------------------------------------------------------------

    @auto("12.13")
    def order_retreats(self, g: Board) -> Out:
        if self.read().defender.breakthrough:
            also = tuple(h for u in self.defenders if g.on_map(u) for h in draw_together(g, u))
            self.todo = tuple(h for h in (*self.targets, *also) if g.of_side(h, self.enemy))
        elif self.read().defender.retreat:
            self.todo = tuple(h for h in self.targets if g.of_side(h, self.enemy))
        return None

    @auto("12.14.2")
    def stand_or_go(self, g: Board) -> Out:
        if not self.todo:
            return Goto("attacker_retreats")
        h = self.todo[0]
        self.stays = False
        if self.holds(g, h):
            return NoRetreat(self.enemy, self.side, h, self.defenders, (*self.attackers, *self.withheld))
        return None

    stood = into("stays", NoRetreat)

    @auto("12.13")
    def defender_retreats(self, g: Board) -> Out:
        h, self.todo = self.todo[0], self.todo[1:]
        far = self.read().defender.retreat
        units = tuple(g.of_side(h, self.enemy))
        if self.stays or not units:
            return Goto("stand_or_go")
        chooser = self.side if far == 2 else self.enemy
        return Retreat(chooser, self.enemy, h, far, units)

    @takes(Retreat)
    def left(self, g: Board, value: tuple[int, ...]) -> None:
        self.trail = tuple(sorted({*self.trail, *value}))

    @auto("12.13")
    def next_retreat(self, g: Board) -> Out:
        return Goto("stand_or_go")

    @auto("12.13")
    def attacker_retreats(self, g: Board) -> Out:
        """12.15.1.5 Attackers whose enemies are all eliminated stay."""
        if self.read().attacker.retreat and len(self.wiped) < len(self.targets):
            self.todo = self.stacks
        return None

    @auto("12.13")
    def attacker_goes(self, g: Board) -> Out:
        if not self.todo:
            return None
        h, self.todo = self.todo[0], self.todo[1:]
        whole = self.segment not in (BREAKTHROUGH_SEGMENT, RESERVE_SEGMENT)
        involved = (*self.attackers, *self.withheld)
        units = tuple(u for u in g.of_side(h, self.side) if whole or u in involved)
        return Call(Retreat(self.side, self.side, h, self.read().attacker.retreat, units), again=True) if units else (
            Goto("attacker_goes")
        )  # fmt: skip

    # --- D advances ------------------------------------------------------------------------------------------------

    @auto("12.15")
    def attacker_advances(self, g: Board) -> Out:
        """9.12 Who has attacked an alarm unit in his move enters its hex as part of it."""
        open_ = tuple(h for h in self.targets if not g.enemies_in(h, self.side))
        if self.segment == ALARM_COMBAT or not open_ or (self.read().attacker.retreat and not self.wiped):
            return None
        result = self.read().defender
        far = open_ if result.breakthrough or g.reads("retreat_advance") == "two" else self.wiped
        units = tuple(u for u in self.attackers if g.on_map(u) and is_attack_capable(g, u))
        marked = self._marked(g) if result.breakthrough and self.segment == COMBAT_SEGMENT else ()
        return Advance(self.side, units, open_, far, self.wiped, self.trail, marked)

    def _marked(self, g: Board) -> tuple[Unit, ...]:
        """12.1.4 Armor; motorized and mechanized infantry and reconnaissance that were stacked with armor."""
        return tuple(
            u for u in self.attackers
            if g.on_map(u)
            and (g.forces.armor[u] or (g.charts.types[g.forces.type[u]].breakthrough and g.place[u] in self.tanks))
        )  # fmt: skip

    @auto("12.15.2")
    def defender_advances(self, g: Board) -> Out:
        """Defenders go one hex where attackers retreated or died; not those that declared No Retreat."""
        open_ = tuple(h for h in self.stacks if not g.of_side(h, self.side))
        units = tuple(
            u for u in self.defenders
            if g.on_map(u) and g.place[u] in self.targets and g.place[u] not in self.stubborn
            and is_attack_capable(g, u)
        )  # fmt: skip
        return Advance(self.enemy, units, open_) if open_ and units else None

    # --- the end ---------------------------------------------------------------------------------------------------

    @auto("12.1.3")
    def finish(self, g: Board) -> Out:
        """12.1.3 Markers come off; 13.4.1 units out of supply that fought are OOS2."""
        b = self.battle()
        for u in (*self.attackers, *self.defenders):
            for v in _with_chit(g, u):
                g.set_status(v, SEEN, on=False)
            if g.on_map(u) and g.status[u] & OOS1:
                g.set_status(u, OOS1, on=False)
                g.set_status(u, OOS2)
                g.tell(f"{g.name(u)} fought out of supply and is OOS2", "13.4.1", unit=g.id(u))
        for u in self.defenders:
            if g.on_map(u):
                g.set_status(u, DEFENDED)
                if self._is_shelled(g):
                    disorganize(g, u, "17.1.3", "the barrage")
        for u in self.attackers:
            if g.on_map(u):
                self._has_attacked(g, u, is_supported(g, b, u))
        for h in self.targets:
            self._clear(g, h)
        return DONE

    def _has_attacked(self, g: Board, u: Unit, supported: bool) -> None:
        if self.segment == BREAKTHROUGH_SEGMENT:
            g.set_status(u, BREAKTHROUGH, on=False)
            g.set_status(u, BROKE_THROUGH)
        elif self.segment in (COMBAT_SEGMENT, RESERVE_SEGMENT):
            g.set_status(u, ATTACKED)
            g.set_status(u, SUPPORTED, on=supported)

    def _clear(self, g: Board, h: Hex) -> None:
        """12.1.3, 6.2, 17.1.3 Combat, air and Barrage Effects markers."""
        for side in (GERMAN, SOVIET):
            counter = counter_at(g, side, h)
            if counter >= 0:
                g.air[counter] = AIR_SPENT
        g.mark_combat(h, DECLARED | AIR_1UK | AIR_2UK | STUBBORN, on=False)
        g.mark_combat(h, FOUGHT)
        if self.side == SOVIET:
            for i, at in enumerate(g.barrage_at):
                if at == h:
                    g.lay_barrage(i, NOWHERE)


def _with_chit(g: Board, u: Unit) -> list[Unit]:
    """4.7.2 A unit and those that share its strength chit."""
    whole = whole_of(g, u)
    marker = g.forces.extension[whole]
    return [whole, *([marker] if marker != NO_UNIT else [])]
