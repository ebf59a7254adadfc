"""PA-CS The combat sequence: declaration, chits, ratio, modifiers, die, hits, and who takes them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from kessel.core.breakdown import Refusal
from kessel.core.facts import LAST, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, DONE, PASS, Action, Call, Options, Out, Procedure, Return, ask, auto, into
from kessel.games.bug41.board import DISRUPTED, FRONT, IMPROVED, Board, Formation
from kessel.games.bug41.combat.checks import passes
from kessel.games.bug41.combat.modifiers import modifiers
from kessel.games.bug41.combat.retreat import Retreat
from kessel.games.bug41.combat.strength import (
    HASTY,
    attack_value,
    column_of,
    defence_value,
    is_below_the_table,
)
from kessel.games.bug41.movement.displacement import Displacement
from kessel.games.bug41.movement.move import groups_in, undisrupted
from kessel.games.bug41.movement.pillboxes import row_of
from kessel.games.bug41.movement.stacking import why_not_together
from kessel.games.bug41.movement.zones import beside_fighters
from kessel.games.bug41.supply.command import commanded_hexes, is_commanded
from kessel.games.bug41.turn.actions import Preparation, payable_hexes, preparation, why_not_pay
from kessel.wargame.board import other
from kessel.wargame.cups import draw, put_back

Fronts: TypeAlias = "tuple[tuple[Hex, Hex, tuple[Unit, ...]], ...]"
Attacks: TypeAlias = "tuple[tuple[Hex, tuple[Unit, ...]], ...]"
ATTACKER, DEFENDER = 1, 2
"""Where the chit of each lies while a combat is fought."""


# --- A declaration ---------------------------------------------------------------------------------------------------


def why_not_attack_with(g: Board, f: Formation, u: Unit) -> Refusal | None:
    """Why a unit may not take part in an attack of that formation."""
    if g.forces.hq[u]:
        return Refusal("RX-7.5.att", f"{g.name(u)} is an HQ")
    if g.command[u] != f or not g.on_map(u):
        return Refusal("RX-7.5.att", f"{g.name(u)} is no unit of {g.formation_name(f)} on the map")
    if g.status[u] & DISRUPTED:
        return Refusal("PA-disruption.7", f"{g.name(u)} is Disrupted and can only Refit")
    return None


def why_not_attack_from(g: Board, a: Hex, h: Hex) -> Refusal | None:
    """Why nobody in one hex may attack another."""
    side = next((g.forces.side[u] for u in g.units(a)), None)
    if side is None or not g.map.grid.adjacent(a, h):
        return Refusal("RX-7.5.att", f"{g.hex_name(h)} is not next to the attackers")
    if not g.hexes_with_combat_units(other(side)) >> h & 1:
        return Refusal("RX-7.5.att", f"no enemy combat unit is in {g.hex_name(h)}")
    water = g.ground.side_row(a, g.map.grid.direction(a, h))
    if water is not None and water.no_attack:
        rule = "PA-TEC.lake.combat" if water.name == "lake" else "PA-TEC.bug.combat"
        return Refusal(rule, f"nobody attacks across the water before {g.hex_name(h)}")
    return None


def why_not_attack(g: Board, f: Formation, kind: str, h: Hex, units: Sequence[Unit], points: int) -> Refusal | None:
    """PA-CS.A Why these units may not attack a hex so for that many Action Points."""
    if not units or len({g.place[u] for u in units}) > 1:
        return Refusal("RX-7.5.att", "the units of one hex attack")
    for u in units:
        if refusal := why_not_attack_with(g, f, u):
            return refusal
    if refusal := why_not_attack_from(g, g.place[units[0]], h):
        return refusal
    for u in units if kind != HASTY else ():
        if not is_commanded(g, u):
            return Refusal("PA-OOC.2a", f"{g.name(u)} is out of command and can only make a Hasty Attack")
    if g.reads("low_odds") == "no_attack" and is_below_the_table(g, units, h):
        return Refusal("RX-7.5.1.D", "the odds are below the table")
    return why_not_pay(g, f"{kind}_attack", units, points)


def attacks(g: Board, f: Formation, kind: str, points: int) -> Sequence[tuple[Hex, tuple[Unit, ...]]]:
    """All attacks of a kind a formation can make."""
    action = f"{kind}_attack"
    before_enemies = fronts(g, f) if points >= g.charts.costs[action][0] else ()
    if not before_enemies:
        return ()
    hasty = kind == HASTY
    hexes = payable_hexes(g, action, f, points) if hasty else commanded_hexes(g, f)
    found = _attacks_from(g, (f, hasty), before_enemies, hexes)
    if g.reads("low_odds") == "no_attack":
        return [(h, units) for h, units in found if not is_below_the_table(g, units, h)]
    return found


@fact(LAST)
def _attacks_from(g: Board, of: tuple[Formation, bool], fronts: Fronts, hexes: Bits) -> Attacks:
    """Those of groups in some hexes."""
    found: list[tuple[Hex, tuple[Unit, ...]]] = []
    for a, h, units in fronts:
        if hexes >> a & 1:
            found += product((h,), groups_in(units))
    return tuple(found)


@fact(FRONT)
def fronts(g: Board, f: Formation) -> Fronts:
    """The hexes of undisrupted units of a formation, an enemy hex each stands before, and the units."""
    enemy, found = other(g.forces.side_of_command[f]), []
    targets, enemies, beside = g.ground.attackable, g.hexes_with_combat_units(enemy), beside_fighters(g, enemy)
    for a, units in undisrupted(g, f):
        if beside >> a & 1:
            found += [(a, h, units) for h in members(targets[a] & enemies)]
    return tuple(found)


# --- B to G ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Attack(Procedure):
    """PA-CS One attack, paid already; hands over whether it won the hex."""

    side: int
    formation: int
    kind: str
    target: int
    units: tuple[int, ...]
    defenders: tuple[int, ...] = ()
    stood: int = -1
    """The hex attacked from."""
    hits: int = 0
    """Hits on the attacker that are left."""
    hits_on_defender: int = 0
    red: bool = False
    red_for_defender: bool = False
    was_hit: bool = False
    cancelled: int = 0
    advancing: tuple[int, ...] = ()

    about_hexes = ("target", "stood")
    about_units = ("units",)

    @auto("PA-CS.A")
    def prepare(self, g: Board) -> Out:
        names = ", ".join(map(g.name, self.units))
        g.tell(f"{names}: {self.kind.capitalize()} Attack on {g.hex_name(self.target)}", "PA-CS.A")
        self.stood = g.place[self.units[0]]
        return preparation(g, self.side, self.units)

    taking_part = into("units", Preparation)

    @auto("PA-CS.B")
    def fight(self, g: Board) -> Out:
        """PA-CS.B to G: each side draws a chit, the attacker first; both go back."""
        if not self.units:
            return Return(False)
        for u in self.units:
            g.set_status(u, IMPROVED, on=False)
        self.defenders = tuple(g.combat_units(self.target))
        ours, theirs = (g.charts.chits[draw(g, g.chits, who)] for who in (ATTACKER, DEFENDER))
        put_back(g, g.chits)
        attack, defence = attack_value(g, self.units, self.kind, ours), defence_value(g, self.target, theirs)
        column = column_of(g, self.target, attack / defence)
        added, die = modifiers(g, self.formation, self.units, self.kind, self.target), g.d10()
        hits = g.charts.hits_of(die + added.total, column, g.reads("crt_row_7"))
        self.hits, self.hits_on_defender = hits
        least = g.numbers.red.hits
        self.red, self.red_for_defender, self.was_hit = hits[0] >= least, hits[1] >= least, hits[1] > 0
        g.tell(
            f"combat in {g.hex_name(self.target)} ({row_of(g, self.target).name.replace('_', ' ')}): "
            f"{shown(attack)} against {shown(defence)}, column {column}, die {die}{added.total:+d}: "
            f"{counted(hits[0])} on the attacker, {counted(hits[1])} on the defender",
            "PA-CS.G",
            place=g.hex_name(self.target),
            die=die,
            modifiers=added.as_json(),
            hits=list(hits),
        )
        return None

    # --- H who takes the hits --------------------------------------------------------------------------------------

    @auto("PA-CS.H1")
    def attacker_loses_first(self, g: Board) -> Out:
        if not self.hits:
            return None
        self.hits -= 1
        return Losses(self.side, self.units, 1, "PA-CS.H1")

    @auto("PA-CS.H1")
    def defender_loses_first(self, g: Board) -> Out:
        if not self.hits_on_defender:
            return None
        self.hits_on_defender -= 1
        return Losses(other(self.side), self.defenders, 1, "PA-CS.H1")

    @auto("PA-CS.H2")
    def check(self, g: Board) -> Out:
        """RX-7.5.red Every unit of a side with a red number checks, those already Disrupted excepted."""
        for red, units, shelter in ((self.red, self.units, False), (self.red_for_defender, self.defenders, True)):
            for u in units if red else ():
                if g.on_map(u) and not g.is_disrupted(u) and not passes(g, u, "in combat", "PA-CS.H2", shelter=shelter):
                    g.disrupt(u, "PA-CS.H2")
        return None

    @auto("PA-CS.H3")
    def retreat(self, g: Board) -> Out:
        """RX-7.5.H The defender must go if he was hit and all his units are Disrupted; else he may, to cancel hits."""
        left = [u for u in self.defenders if g.on_map(u)]
        hit = self.was_hit or g.reads("forced_retreat") == "always"
        forced = bool(left) and hit and all(g.is_disrupted(u) for u in left)
        if not left or not (forced or self.hits_on_defender):
            return None
        return Retreat(other(self.side), tuple(left), self.stood, forced)

    gone = into("cancelled", Retreat)

    @auto("PA-CS.H4")
    def attacker_loses_more(self, g: Board) -> Out:
        return Losses(self.side, self.units, self.hits, "PA-CS.H4") if self.hits else None

    @auto("PA-CS.H4")
    def defender_loses_more(self, g: Board) -> Out:
        left = max(0, self.hits_on_defender - self.cancelled)
        return Losses(other(self.side), self.defenders, left, "PA-CS.H4") if left else None

    def has_won(self, g: Board) -> bool:
        """RX-7.5.adv No enemy combat unit is left in the hex, and an attacker is."""
        return not g.combat_units(self.target) and any(g.on_map(u) for u in self.units)

    @ask("side", "RX-7.5.adv")
    def advance(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose the units that advance into the hex, or stay."""
        able = tuple(u for u in self.units if g.on_map(u) and not g.is_disrupted(u)) if self.has_won(g) else ()
        found = [some for some in groups_in(able) if why_not_together(g, self.target, some) is None]
        action = yield Options([("advance", some) for some in found], *([PASS] if found else []))
        self.advancing = () if action == PASS else action[1]
        return None

    @auto("RX-7.5.adv")
    def go_in(self, g: Board) -> Out:
        if not self.advancing:
            return None
        if g.hqs_in(self.target):
            return Call(Displacement(other(self.side), self.target), again=True)
        for u in self.advancing:
            g.tell_way(u, "advances to", (self.target,), "RX-7.5.adv")
            g.enter(u, self.target)
        return None

    @auto("PA-CS.H5")
    def battle_victory(self, g: Board) -> Out:
        won = not any(g.on_map(u) and g.place[u] == self.target for u in self.defenders)
        return Return(won and any(g.on_map(u) for u in self.units))


def counted(hits: int) -> str:
    return "1 hit" if hits == 1 else f"{hits} hits"


def shown(value: Fraction) -> str:
    """A multiplied strength as a person writes it.

    >>> shown(Fraction(21, 2)), shown(Fraction(8))
    ('10.5', '8')
    """
    return f"{float(value):g}"


@dataclass(slots=True)
class Losses(Procedure):
    """PA-CS.H1, H4 Strength points lost by units of a combat, as their owner likes."""

    side: int
    units: tuple[int, ...]
    left: int
    rule: str

    about_units = ("units",)

    @auto("PA-CS.H1")
    def without_choice(self, g: Board) -> Out:
        alive = [u for u in self.units if g.on_map(u)]
        if not alive or not self.left:
            return DONE
        if len(alive) == 1:
            g.lose(alive[0], self.left, self.rule)
            return DONE
        return None

    @ask("side", "PA-CS.H1")
    def choose(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose the unit that loses a strength point."""
        _, u = yield Options([("lose", u) for u in self.units if g.on_map(u)])
        g.lose(u, 1, self.rule)
        self.left -= 1
        self.at = 0
        return AGAIN
