"""12.0, 12.1 One combat as the rules see it: who fights whom and where, and what has come of it so far.

`Battle` holds what a combat knows of itself; the two sequences (`combat`) are procedures made of it. Everything else of
chapter 12 asks a `Battle` and the board, so that a hand-written position or an attack that is only thought about (an
attack check by 9.4, the preview of a German attack) gets the same answers as one that is fought.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Procedure
from kessel.games.kharkov43.board import (
    ACTIVE,
    ATTACKED,
    CANNOT_ATTACK,
    DEFENDED,
    DISPERSED,
    ISOLATED,
    OFF_MAP,
    OOS,
    STRUCK,
    UNSUPPLIED,
    Board,
)
from kessel.games.kharkov43.combat import strengths
from kessel.games.kharkov43.combat.improved_positions import remove_ip
from kessel.games.kharkov43.data.cards import Part, Tactic
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.movement.zones import enemy_of
from kessel.games.kharkov43.supply.support import is_in_support


@dataclass(slots=True)
class Battle(Procedure):
    """12.0 One combat. The fields after `card` are filled as the combat goes on."""

    side: Side
    """The attacker's."""
    target: Hex
    attackers: tuple[Unit, ...] = ()
    card: int = -1
    """The card that activated the attackers."""
    german: int = GERMAN
    defenders: tuple[Unit, ...] = ()
    bystanders: tuple[Unit, ...] = ()
    """12.74 Units in the target hex that were attacked before in this activation and retreated there."""
    retreat_cap: int = -1
    """12.52 The hexes the stack could retreat at most when it was attacked; -1 before that."""
    capped_by: str = ""
    joined: tuple[Unit, ...] = ()
    """Units brought in by a tactic; attackers among them can't advance (12.8)."""
    tactics: tuple[str, ...] = ()
    """Applied by the attacker."""
    idle: tuple[str, ...] = ()
    """12.3 On the card drawn for a Soviet attack, but of no use beyond their chit."""
    counter: tuple[str, ...] = ()
    """Applied by the defender."""
    played: tuple[int, ...] = ()
    """German cards played as tactics."""
    bonus_used: bool = False
    """12.34 The attack has had its tactic of the Von Manstein card."""
    soviet_card: int = -1
    """The Soviet card drawn for its tactics."""
    auxiliary: int = -1
    """12.31 The auxiliary card, if its tactics were applied."""
    drawn: tuple[int, ...] = ()
    """Chits, in the order drawn."""
    attacker_hits: int = 0
    """Still to be applied."""
    defender_hits: int = 0
    lost: tuple[Unit, ...] = ()
    """12.61 One entry for each step lost in this combat."""
    retreated: int = 0
    """Hexes the defenders have retreated."""
    must_go_on: bool = False
    """12.75 Soviet defenders stand in an overstacked hex and retreat on with the next hit."""
    paths: tuple[tuple[Hex, ...], ...] = ()
    """12.81 The paths of retreat, the hex of the combat first."""
    advanced: tuple[Unit, ...] = ()
    riding: tuple[Unit, ...] = ()
    """12.81 Infantry that advanced two hexes as if mechanized."""

    about_hexes = ("target",)
    about_units = ("attackers",)

    @property
    def defender_side(self) -> Side:
        return enemy_of(self.side)


# --- 12.1, 12.74 who fights -----------------------------------------------------------------------------------------


def set_defenders(g: Board, b: Battle) -> None:
    """12.1, 12.74 The units of the target hex, those attacked before in this activation apart."""
    b.defenders = tuple(strengths.defenders_of(g, b.target, b.defender_side))
    b.bystanders = tuple(u for u in g.units_of(b.target, b.defender_side) if u not in b.defenders)
    b.retreat_cap, b.capped_by = stack_limit(g, b.defenders)


def stack_limit(g: Board, units: Sequence[Unit]) -> tuple[int, str]:
    """12.7, 12.75, 13.22 How many hexes these units may retreat together as they are now, and why not two."""
    for u in units:
        if g.status[u] & ISOLATED and g.is_mech(u):
            return 0, f"{g.name(u)} is mechanized and isolated and can't retreat"
    for u in units:
        if g.status[u] & (DISPERSED | ISOLATED):
            return 1, f"{g.name(u)} is {'dispersed' if g.status[u] & DISPERSED else 'isolated'}: one hex only"
    return g.charts.constants.most_retreat, ""


def battle_of(g: Board, side: Side, target: Hex, attackers: Iterable[Unit], card: int = -1) -> Battle:
    """A combat that is only thought about: for attack checks (9.4), previews and questions."""
    b = Battle(side, target, tuple(attackers), card)
    set_defenders(g, b)
    return b


def is_adjacent(g: Board, a: Hex, b: Hex) -> bool:
    """9.3 Units in these hexes are adjacent: not across a blocked Dniepr hexside."""
    return bool(g.ground.adjacent_units(a) >> b & 1)


def why_not_attacker(g: Board, u: Unit) -> Refusal | None:
    """12.1 Why the unit can't take part in any attack, whether active or not."""
    status, name = g.status[u], g.name(u)
    if not g.on_map(u):
        return Refusal("12.1", f"{name} is not on the map")
    if status & DISPERSED:
        return Refusal("12.1", f"{name} is dispersed")
    if status & ISOLATED:
        return Refusal("12.1", f"{name} is isolated")
    if status & OOS and g.forces.side[u] == SOVIET:
        return Refusal("12.1", f"{name} is a Soviet unit out of supply")
    if status & ATTACKED:
        return Refusal("12.1", f"{name} has attacked in this activation")
    if status & CANNOT_ATTACK:
        return Refusal("6.1", f"{name} was activated as one unit or moved strategically and can't attack")
    return None


def why_not_join_attack(g: Board, u: Unit, target: Hex) -> Refusal | None:
    """12.1 Why a unit can't take part in an attack on that hex as an active unit."""
    if not g.status[u] & ACTIVE:
        return Refusal("12.1", f"{g.name(u)} is not active")
    if refusal := why_not_attacker(g, u):
        return refusal
    if not is_adjacent(g, g.place[u], target):
        return Refusal("12.1", f"{g.name(u)} is not adjacent to {g.hex_name(target)}")
    return None


def why_not_target(g: Board, side: Side, target: Hex) -> Refusal | None:
    """12.1 Why that hex can't be attacked by this side in this activation."""
    if strengths.defenders_of(g, target, enemy_of(side)):
        return None
    if g.units_of(target, enemy_of(side)):
        return Refusal("12.1", f"the units in {g.hex_name(target)} have been attacked in this activation")
    return Refusal("12.1", f"no enemy unit is in {g.hex_name(target)}")


def possible_attackers(g: Board, side: Side, target: Hex) -> list[Unit]:
    """12.1 The active units that may take part in an attack on that hex."""
    return [u for u in g.active_units() if g.forces.side[u] == side and why_not_join_attack(g, u, target) is None]


def why_not_together(g: Board, side: Side, attackers: Sequence[Unit]) -> Refusal | None:
    """12.1 Why these units can't attack together: out of supply Germans need one supplied unit beside them."""
    if not attackers:
        return Refusal("12.0", "an attack needs at least one attacking unit")
    if side == GERMAN and all(g.status[u] & UNSUPPLIED for u in attackers):
        return Refusal("12.1", "German units out of supply attack only together with a supplied unit")
    return None


def begin(g: Board, b: Battle) -> None:
    """12.1 From here on the attackers have attacked and the defenders have been attacked."""
    set_defenders(g, b)
    for u in b.attackers:
        g.status[u] |= ATTACKED
    mark_defenders(g, b.defenders)
    g.happened(OFF_MAP)
    names = ", ".join(g.name(u) for u in b.attackers)
    g.tell(
        f"{names} attack{'s' * (len(b.attackers) == 1)} {g.hex_name(b.target)}",
        "12.0",
        hex=g.hex_name(b.target),
        side=SIDES[b.side],
    )


def leave_positions(g: Board, b: Battle) -> None:
    """14.24 An improved position all of whose units attack is removed."""
    for h in sorted({g.place[u] for u in b.attackers}):
        if all(u in b.attackers for u in g.units_of(h, b.side)):
            remove_ip(g, h, "14.24")


def mark_defenders(g: Board, units: Iterable[Unit]) -> None:
    for u in units:
        g.status[u] |= DEFENDED | STRUCK


def alive(g: Board, units: Iterable[Unit]) -> list[Unit]:
    """Those still on the map."""
    return [u for u in units if g.on_map(u)]


def all_have(g: Board, units: Sequence[Unit], flags: int) -> bool:
    """Whether there are units and each of them has one of these states."""
    return bool(units) and all(g.status[u] & flags for u in units)


def steps_of(g: Board, units: Iterable[Unit]) -> int:
    return sum(g.steps[u] for u in units if g.on_map(u))


def tell(g: Board, what: str, rule: str, long: Callable[[], dict[str, Any]]) -> None:
    """A line of the log whose long form is the event's `trace`, made only where somebody listens."""
    if g.events is not None:
        g.tell(what, rule, trace=long())


# --- tactics as they stand ------------------------------------------------------------------------------------------


def part_of(tactic: Tactic, attacking: bool) -> Part | None:
    return tactic.attack if attacking else tactic.defence


def parts(g: Board, b: Battle, attacking: bool) -> list[tuple[Tactic, Part]]:
    """The tactics one side has applied, with what they do for it."""
    found = []
    for name in b.tactics if attacking else b.counter:
        tactic = g.charts.tactics[name]
        part = part_of(tactic, attacking)
        if part is not None:
            found.append((tactic, part))
    return found


def situation_of(part: Part, side: Side) -> str:
    """12.41 The situation that side's tactic makes true."""
    return part.situation if isinstance(part.situation, str) else part.situation.get(SIDES[side], "")


# --- 12.41 strengths and ratio ---------------------------------------------------------------------------------------


def attack_strength(g: Board, b: Battle) -> Breakdown:
    """12.41 All attacking units, and tactics that add strength."""
    return _with_tactics(g, b, strengths.attack_strength(g, b.attackers, b.target), attacking=True)


def defence_strength(g: Board, b: Battle) -> Breakdown:
    """12.41 All defending units, and tactics that add strength; units that retreated here add nothing (12.74)."""
    total = _with_tactics(g, b, strengths.defence_strength(g, b.defenders), attacking=False)
    for u in b.bystanders:
        total.note(f"{g.name(u)} retreated here in this activation", "12.74", 0)
    return total


def _with_tactics(g: Board, b: Battle, total: Breakdown, *, attacking: bool) -> Breakdown:
    for tactic, part in parts(g, b, attacking):
        if part.strength:
            total.add(tactic.name, part.strength, "12.3")
    return total


def rounded(attack: int, defence: int) -> Fraction:
    """A41 The ratio rounded down to 1, 1.5, 2, 3, 4 and so on; below 1 it is left as it is.

    >>> rounded(6, 4), rounded(8, 3), rounded(22, 3), rounded(3, 5)
    (Fraction(3, 2), Fraction(2, 1), Fraction(7, 1), Fraction(3, 5))
    """
    if not defence:
        return Fraction(attack)
    ratio = Fraction(attack, defence)
    if ratio >= 2:
        return Fraction(ratio.__floor__())
    return max((x for x in (Fraction(1), Fraction(3, 2)) if x <= ratio), default=ratio)


def counted(n: int, what: str) -> str:
    """`1 hit`, `2 hits`"""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def ratio_text(attack: int, defence: int) -> str:
    """`22:3, that is 7:1`"""
    simple = rounded(attack, defence)
    return f"{attack}:{defence}" + (f", that is {float(simple):g}:1" if simple >= 1 else ", less than 1:1")


# --- 12.41, 13.52 what the combat is ---------------------------------------------------------------------------------


def is_supported(g: Board, b: Battle) -> bool:
    """13.52 A Soviet attack with an attacker or the defender in support; a Soviet defence in support."""
    if b.side == SOVIET:
        return strengths.is_supported_attack(g, b.attackers, b.target)
    return is_in_support(g, b.target)


def has_armor(g: Board, b: Battle, attacking: bool) -> bool:
    """12.41 An armor unit, or a tactic that stands for one."""
    units = b.attackers if attacking else b.defenders
    return strengths.any_armor(g, units) or any(part.armor for _, part in parts(g, b, attacking))


def rivers_between(g: Board, a: Hex, b: Hex) -> list[str]:
    """The rivers on the hexside between two adjacent hexes, bridged or not."""
    return g.map.side_features(a, g.map.grid.direction(a, b))


def is_unbridged_between(g: Board, a: Hex, b: Hex) -> bool:
    """12.82 An unbridged Donets or Dniepr hexside lies between two adjacent hexes."""
    d = g.map.grid.direction(a, b)
    return bool((g.ground.donets[d] | g.ground.dniepr[d]) >> a & 1)
