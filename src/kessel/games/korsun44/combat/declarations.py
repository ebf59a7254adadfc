"""12.1.3.A What both players declare before the odds of a combat are found, in the book's order."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, DONE, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import AIR_1UK, AIR_2UK, DECLARED, GERMAN, SOVIET, STUBBORN, Board
from kessel.games.korsun44.combat.artillery import barrage_strength, flip, guns, why_not_fire
from kessel.games.korsun44.combat.battle import (
    ALARM_COMBAT,
    BREAKTHROUGH_SEGMENT,
    COMBAT_SEGMENT,
    RESERVE_SEGMENT,
    Battle,
    declared,
    defenders_in,
    in_hex,
    is_partisan,
    is_shared,
    neighbours_of,
    stack_at,
    stacks_beside,
    why_not_attack,
    why_not_attack_with,
    why_not_withhold,
)
from kessel.games.korsun44.combat.no_retreat import why_not_stand
from kessel.games.korsun44.combat.shifts import why_not_engineer
from kessel.games.korsun44.combat.support import has_support, is_supported, supports, why_not_support
from kessel.games.korsun44.combat.terrain import crosses_mines
from kessel.games.korsun44.turn.air import counter_at, fly, missions

FRONT_FLAGS = {"1Uk": AIR_1UK, "2Uk": AIR_2UK}
DECLARED_SEGMENTS = (COMBAT_SEGMENT, RESERVE_SEGMENT)
"""12.1.1, 12.1.6 Segments whose combats are all declared before the first is resolved."""


@dataclass(slots=True)
class Declarations(Procedure):
    """12.1.3.A One combat up to its odds: who attacks whom, support, aircraft, guns, engineers, No Retreat."""

    about_hexes = ("targets",)
    about_units = ("attackers",)
    side: int
    enemy: int
    segment: int
    targets: tuple[int, ...]
    attackers: tuple[int, ...] = ()
    defenders: tuple[int, ...] = ()
    withheld: tuple[int, ...] = ()
    paid: tuple[str, ...] = ()
    guns: tuple[int, ...] = ()
    points: int = 0
    gun: int = -1
    gun_points: int = 0
    engineer: int = -1
    cleared: bool = False
    stubborn: tuple[int, ...] = ()
    """12.14 Hexes for which No Retreat is declared."""
    german: int = GERMAN
    flown: tuple[int, ...] = ()
    """Sides whose aircraft take part."""
    fixed: tuple[tuple[int, int], ...] = ()
    """4.7.2 Strengths of halves of a division found before an earlier combat."""

    def battle(self) -> Battle:
        return Battle(
            self.side, self.segment, self.targets, self.attackers, self.defenders, self.paid, self.points,
            self.gun, self.gun_points, self.engineer, self.cleared, self.fixed,
        )  # fmt: skip

    # --- 12.3 who fights -------------------------------------------------------------------------------------------

    def origins(self, g: Board) -> list[Hex]:
        return sorted({g.place[u] for u in self.attackers})

    def why_not_from(self, g: Board, h: Hex) -> Refusal | None:
        if self.segment == BREAKTHROUGH_SEGMENT:
            return Refusal("12.1.4", "units with a Breakthrough marker are named one by one")
        if h in self.origins(g):
            return Refusal("12.3.1", f"the units in {g.hex_name(h)} attack already")
        if h not in neighbours_of(g, self.targets):
            return Refusal("12.3.2", f"{g.hex_name(h)} is not next to all hexes attacked")
        if found := stack_at(g, h, self.side, self.segment, self.targets):
            if set(found) <= set(self.withheld):
                return Refusal("12.3.1", f"the units in {g.hex_name(h)} are kept out of the attack")
            return self._why_not_mix(g, found)
        units = g.of_side(h, self.side)
        why = next((why_not_attack_with(g, u, self.side, self.segment, self.targets) for u in units), None)
        return why or Refusal("12.3", f"no unit of yours is in {g.hex_name(h)}")

    def _why_not_mix(self, g: Board, units: tuple[Unit, ...]) -> Refusal | None:
        """18.1.3 Partisans do not attack whom Soviet units attack."""
        if len({is_partisan(g, u) for u in (*self.attackers, *units)}) > 1:
            return Refusal("18.1.3", "partisans and Soviet units do not attack together")
        return None

    def why_not_also(self, g: Board, h: Hex) -> Refusal | None:
        if self.segment == BREAKTHROUGH_SEGMENT:
            return Refusal("12.1.4", "breakthrough combat is against one hex")
        if h in self.targets:
            return Refusal("12.3.2", f"{g.hex_name(h)} is attacked already")
        if not g.combats[h] & DECLARED:
            return Refusal("12.1.3", f"no combat was declared against {g.hex_name(h)}")
        if why := why_not_attack(g, self.side, self.segment, h):
            return why
        both = (*self.targets, h)
        for u in self.attackers:
            if why := why_not_attack_with(g, u, self.side, self.segment, (h,)):
                return Refusal("12.3.2", f"all attackers must be next to all hexes attacked: {why.reason}")
        if not stacks_beside(g, self.side, self.segment, both):
            return Refusal("12.3.2", f"nobody is next to all of {', '.join(g.hex_name(x) for x in both)}")
        return None

    def why_not_with(self, g: Board, u: Unit) -> Refusal | None:
        if self.segment != BREAKTHROUGH_SEGMENT:
            return Refusal("12.3.1", "all units of a hex attack together")
        if u in self.attackers:
            return Refusal("12.1.4", f"{g.name(u)} attacks already")
        return why_not_attack_with(g, u, self.side, self.segment, self.targets)

    gather = Choice("side", "12.3", "Say who attacks, then go on.", when=lambda p, g: not p.defenders)

    @gather.verb("engage", why_not=lambda p, g: None if p.attackers else Refusal("12.3", "nobody attacks yet"))
    def engage(self, g: Board) -> Out:
        return None

    def beside(self, g: Board) -> list[Hex]:
        """12.3.2 The hexes with units of the attacker next to all hexes attacked."""
        mine = g.hexes_of(self.side) if self.segment != BREAKTHROUGH_SEGMENT else 0
        return [h for h in neighbours_of(g, self.targets) if mine >> h & 1]

    @gather.verb("from", among=lambda p, g: p.beside(g), why_not=why_not_from)
    def add_hex(self, g: Board, h: Hex) -> Out:
        self.attackers = tuple(sorted((*self.attackers, *stack_at(g, h, self.side, self.segment, self.targets))))
        return AGAIN

    @gather.verb("also", among=lambda p, g: declared(g), why_not=why_not_also)
    def add_target(self, g: Board, h: Hex) -> Out:
        self.targets = (*self.targets, h)
        return AGAIN

    @gather.verb(
        "with",
        among=lambda p, g: g.on_the_map(p.side) if p.segment == BREAKTHROUGH_SEGMENT else (),
        why_not=why_not_with,
    )
    def add_unit(self, g: Board, u: Unit) -> Out:
        self.attackers = tuple(sorted((*self.attackers, u)))
        return AGAIN

    @gather.verb(
        "withhold",
        among=lambda p, g: p.attackers,
        why_not=lambda p, g, u: (
            Refusal("12.1.4", "units with a Breakthrough marker are named one by one")
            if p.segment == BREAKTHROUGH_SEGMENT
            else why_not_withhold(g, u, p.attackers)
        ),
    )
    def withhold(self, g: Board, u: Unit) -> Out:
        self.attackers = tuple(v for v in self.attackers if v != u)
        self.withheld = (*self.withheld, u)
        return AGAIN

    @auto("12.3.1")
    def face(self, g: Board) -> Out:
        where = ", ".join(g.hex_name(h) for h in self.targets)
        self.defenders = tuple(sorted(u for h in self.targets for u in defenders_in(g, h, self.enemy)))
        g.tell(
            f"{g.list_of(self.attackers)} attack{'s' * (len(self.attackers) == 1)} {where}",
            "12.3",
            place=g.hex_name(self.targets[0]),
        )
        return None

    def crowded(self, g: Board) -> list[Unit]:
        """12.3.1 The units of hexes in which more than three defend."""
        stacks = (in_hex(g, self.defenders, h) for h in self.targets)
        return [u for units in stacks if len(units) > g.charts.constants.stack for u in units]

    leave_out = Choice("enemy", "12.3.1", "Three units defend in a hex: choose one that stays out.")

    @leave_out.verb(
        "leave_out",
        legal=lambda p, g: p.crowded(g),
        why_not=lambda p, g, u: (
            None if u in p.crowded(g) else Refusal("12.3.1", f"{g.name(u)} is not one of more than three defenders")
        ),
    )
    def stays_out(self, g: Board, u: Unit) -> Out:
        self.defenders = tuple(v for v in self.defenders if v != u)
        return AGAIN

    # --- A1 support ------------------------------------------------------------------------------------------------

    support = Choice(
        "side", "12.4", "Support a formation with a Supply Point, or declare no more support.", passing=None
    )

    @support.verb(
        "support",
        legal=lambda p, g: supports(g, p.battle()) if p.needs_points() else [],
        why_not=lambda p, g, f, u: (
            why_not_support(g, p.battle(), f, u) if p.needs_points() else Refusal("12.1.4", "no point is needed")
        ),
    )
    def pay(self, g: Board, formation: str, sdm: Unit) -> Out:
        g.set_sp(sdm, g.sdm_sp[sdm] - 1)
        self.paid = (*self.paid, formation)
        g.tell(
            f"{g.name(sdm)} supports the attack of {g.formation(formation)} with a Supply Point", "12.4", unit=g.id(sdm)
        )
        return AGAIN

    def needs_points(self) -> bool:
        """12.1.4, 9.12 Breakthrough combats and attacks on alarm units cost nothing."""
        return self.segment not in (BREAKTHROUGH_SEGMENT, ALARM_COMBAT)

    @auto("12.1.3")
    def soviet_air(self, g: Board) -> Out:
        """A1 note, 6.2 Aircraft declared for an attack that is not supported, or of the wrong Front, are lost."""
        for h in self.targets:
            if counter_at(g, SOVIET, h) >= 0 and SOVIET not in self.flown:
                if self.side == SOVIET and not self._front_flies(g, h):
                    g.tell("the air support is lost: no attacker it may help is supported", "12.1.3")
                else:
                    self.flown = (*self.flown, SOVIET)
        return None

    def _front_flies(self, g: Board, h: Hex) -> bool:
        b = self.battle()
        fronts = {f for f, flag in FRONT_FLAGS.items() if g.combats[h] & flag}
        able = (u for u in self.attackers if is_supported(g, b, u))
        return has_support(g, b) and any(g.front_of(u) in fronts for u in able)

    # --- A2 German aircraft ----------------------------------------------------------------------------------------

    def why_not_german_air(self, g: Board) -> Refusal | None:
        if self.segment != COMBAT_SEGMENT:
            return Refusal("12.1.4", "no aircraft support this combat")
        if not missions(g, "air_german"):
            return Refusal("6.2", "no mission is left this turn")
        if GERMAN in self.flown:
            return Refusal("6.2", "one mission is flown for this combat already")
        if any(is_shared(g, h) for h in self.targets):
            return Refusal("16.5.4", "no aircraft fly where both sides are in the hex")
        if self.side == GERMAN and not has_support(g, self.battle()):
            return Refusal("12.4", "aircraft help supported attacks only")
        return None

    german_air = Choice("german", "12.1.3", "Fly combat air support for this combat, or fly none.", passing=None)

    @german_air.verb("air_support", why_not=why_not_german_air)
    def fly_german(self, g: Board) -> Out:
        if fly(g, GERMAN, "air_german", self.targets[0], "6.2") >= 0:
            self.flown = (*self.flown, GERMAN)
        return None

    # --- A3, A4 guns -----------------------------------------------------------------------------------------------

    fire = Choice("side", "12.10", "Let an artillery unit support the attack, or fire no more guns.", passing=None)

    @fire.verb(
        "fire",
        legal=lambda p, g: guns(g, p.battle(), p.side, p.guns),
        why_not=lambda p, g, u: why_not_fire(g, p.battle(), u, p.side, len(p.guns)),
    )
    def fires(self, g: Board, u: Unit) -> Out:
        self.points += barrage_strength(g, u, True)
        self.guns = (*self.guns, u)
        self._shoots(g, u, True)
        return AGAIN

    def _shoots(self, g: Board, u: Unit, attack: bool) -> None:
        points = barrage_strength(g, u, attack)
        word = "attack" if attack else "defence"
        g.tell(f"{g.name(u)} supports the {word} with {points} point{'s' * (points != 1)}", "12.10", unit=g.id(u))
        flip(g, u, attack)

    answer = Choice("enemy", "12.10", "Let an artillery unit support the defence, or fire no more guns.", passing=None)

    @answer.verb(
        "fire",
        legal=lambda p, g: guns(g, p.battle(), p.enemy, () if p.gun < 0 else (p.gun,)),
        why_not=lambda p, g, u: why_not_fire(g, p.battle(), u, p.enemy, int(p.gun >= 0)),
    )
    def answers(self, g: Board, u: Unit) -> Out:
        self.gun, self.gun_points = u, barrage_strength(g, u, False)
        self._shoots(g, u, False)
        return AGAIN

    # --- A5 assault engineers --------------------------------------------------------------------------------------

    engineers = Choice("side", "12.9.1", "Declare an assault engineer, or declare no engineers.", passing=None)

    @engineers.verb(
        "assault", among=lambda p, g: p.attackers, why_not=lambda p, g, u: why_not_engineer(g, p.battle(), u)
    )
    def assault(self, g: Board, u: Unit) -> Out:
        self.engineer = u
        g.tell(f"the assault engineers of {g.name(u)} lead the attack", "12.9.1", unit=g.id(u))
        return None

    @engineers.verb(
        "clear_mines",
        among=lambda p, g: p.attackers,
        why_not=lambda p, g, u: (
            why_not_engineer(g, p.battle(), u)
            or (None if crosses_mines(g, p.battle()) else Refusal("15.3.2", "no minefield is attacked"))
        ),
    )
    def clear_mines(self, g: Board, u: Unit) -> Out:
        """15.3.2 The engineer neutralizes the minefield instead of giving its bonus, at a risk."""
        die = g.die()
        hit = die <= g.charts.constants.mine_hit_up_to
        g.tell(f"{g.name(u)} clears the minefield: {die}", "15.3.2", unit=g.id(u), die=die)
        if hit:
            g.lose_step(u, "15.3.2")
        if g.on_map(u):
            self.engineer, self.cleared = u, True
        else:
            self.attackers = tuple(v for v in self.attackers if v != u)
        return None if self.attackers else DONE

    # --- A6 No Retreat ---------------------------------------------------------------------------------------------

    @auto("12.14.1")
    def stood_before(self, g: Board) -> Out:
        """Q16 No Retreat that was declared in the Declaration Segment stands, where it still may."""
        marked = [h for h in self.targets if g.combats[h] & STUBBORN]
        self.stubborn = tuple(h for h in marked if why_not_stand(g, self.battle(), h, ()) is None)
        return None

    stand = Choice(
        "enemy", "12.14.1", "Declare No Retreat for a hex, or let the rest retreat.", passing=None,
        when=lambda p, g: p.segment not in DECLARED_SEGMENTS or g.reads("no_retreat_when") == "last_declaration",
    )  # fmt: skip

    @stand.verb(
        "no_retreat", among=lambda p, g: p.targets, why_not=lambda p, g, h: why_not_stand(g, p.battle(), h, p.stubborn)
    )
    def stands(self, g: Board, h: Hex) -> Out:
        self.stubborn = (*self.stubborn, h)
        g.tell(f"the defenders of {g.hex_name(h)} declare No Retreat", "12.14.1", place=g.hex_name(h))
        return AGAIN
