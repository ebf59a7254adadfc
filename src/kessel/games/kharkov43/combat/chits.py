"""12.4, 12.5 Combat chits: how many are drawn, which situations hold, what they hit, how the totals are adjusted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.hexset import members
from kessel.games.kharkov43.board import ASIDE, CUP, DISPERSED, DRAWN, IP, ISOLATED, OFF_MAP, STRUCK, UNSUPPLIED, Board
from kessel.games.kharkov43.combat.battle import (
    Battle,
    all_have,
    attack_strength,
    counted,
    defence_strength,
    has_armor,
    is_supported,
    parts,
    situation_of,
)
from kessel.games.kharkov43.combat.strengths import (
    BIG_RIVERS,
    all_across_river,
    chit_maximum,
    chits_drawn,
    hexes_of_units,
    is_flank_attack,
)
from kessel.games.kharkov43.data.cards import Chit
from kessel.games.kharkov43.data.forces import SOVIET
from kessel.games.kharkov43.data.situations import hits_said, situation_said
from kessel.games.kharkov43.supply.support import is_in_support
from kessel.games.kharkov43.system.terms.terminology import is_large, is_weak, why_overwhelming

_RATIO = re.compile(r"ratio(>=|>|<)([\d.]+)")

# --- 12.4 how many --------------------------------------------------------------------------------------------------


def required_draw(g: Board, b: Battle) -> Breakdown:
    """12.4 The minimum: the steps of the defending units, whatever else applies."""
    found = Breakdown("required chits")
    for u in b.defenders:
        found.add(f"steps of {g.name(u)}", g.steps[u], "12.4")
    return found


def maximum_draw(g: Board, b: Battle) -> Breakdown:
    """12.4 The maximum as the factors add up, before the mandatory minimum."""
    names = [g.charts.tactics[t].name for t in b.tactics]
    names += [f"{g.charts.tactics[t].name}, drawn but of no other use" for t in b.idle]
    screen = any(part.chits for _, part in parts(g, b, attacking=False))
    return chit_maximum(g, b.attackers, b.defenders, names, screen=screen)


def most_draws(g: Board, b: Battle) -> int:
    """12.4 The chits the attacker may draw at most, which is what a Soviet attack draws: never less than required."""
    return chits_drawn(g, maximum_draw(g, b), b.defenders)


def why_it_overwhelms(g: Board, b: Battle) -> Refusal | None:
    """12.38 What makes this Soviet attack overwhelming as it stands now, or None."""
    attack, defence = attack_strength(g, b).total, defence_strength(g, b).total
    return why_overwhelming(g, attack, defence, most_draws(g, b), b.defenders, b.target)


def why_it_is_weak(g: Board, b: Battle) -> Refusal | None:
    """12.39 A German attack that may draw one or two chits, by the maximum of 12.4 before the mandatory minimum."""
    most = maximum_draw(g, b).total
    return Refusal("12.39", f"the attack is weak: {counted(most, 'chit')} at most") if is_weak(g, most) else None


# --- 12.41 situations -----------------------------------------------------------------------------------------------


@cache
def _ratio(word: str) -> tuple[str, Fraction] | None:
    """The ratio a situation asks for, if it does."""
    found = _RATIO.fullmatch(word)
    return None if found is None else (found[1], Fraction(found[2]))


@cache
def _words(side: str) -> tuple[str, ...]:
    return tuple(side.split())


class Situations(NamedTuple):
    """What holds in a combat: words of the chits with the reason, and the strengths that make the ratio."""

    attack: int
    defence: int
    words: Mapping[str, str]

    def holds(self, word: str) -> bool:
        if word in self.words:
            return True
        ratio = _ratio(word)
        if ratio is None:
            return False
        than, times = ratio
        over = self.attack * times.denominator - times.numerator * self.defence
        return over < 0 if than == "<" else over > 0 or (than == ">=" and not over)

    def any_of(self, side: str) -> str:
        """The first situation of a chit's side that holds; empty if none does."""
        return next(filter(self.holds, _words(side)), "")


def situations(g: Board, b: Battle, draws: int) -> Situations:
    """12.41 All situations of a combat in which that many chits are drawn."""
    words = {g.map.terrain[b.target]: "terrain of the defender's hex"}
    for attacking in (True, False):
        side = b.side if attacking else b.defender_side
        for tactic, part in parts(g, b, attacking):
            if word := situation_of(part, side):
                words[word] = f"{tactic.name} applied by the {'attacker' if attacking else 'defender'}"
    words |= _of_defenders(g, b) | _of_attack(g, b, draws) | _of_support(g, b)
    return Situations(attack_strength(g, b).total, defence_strength(g, b).total, words)


def _of_defenders(g: Board, b: Battle) -> dict[str, str]:
    found = {}
    if friend := adjacent_friend(g, b):
        found["defender_adjacent"] = f"{friend} is adjacent, supplied, undispersed and not yet attacked"
    if all_have(g, b.defenders, DISPERSED | UNSUPPLIED):
        found["dispersed_or_unsupplied"] = "all defending units are dispersed, out of supply or isolated"
    if g.has_mark(b.target, IP):
        found["ip_crossfire"] = "the defender is in an improved position"
    return found


def _of_attack(g: Board, b: Battle, draws: int) -> dict[str, str]:
    found = {}
    number = hexes_of_units(g, b.attackers).bit_count()
    if is_flank_attack(g, b.attackers, b.target):
        found["flank_attack"] = f"attack from {number} hexes" + (" that are not adjacent" if number == 2 else "")
    if number == 1:
        found["one_hex_attack"] = "all attacking units are in one hex"
    if is_large(g, draws, b.side):
        found["large_attack"] = f"{draws} chits are drawn"
    ours, theirs = has_armor(g, b, True), has_armor(g, b, False)
    if ours != theirs:
        found[f"only_{'attacker' if ours else 'defender'}_armor"] = "only one side has armor"
    if b.card >= 0:
        card = g.charts.cards[b.card]
        found[f"command_value_{card.command_value}"] = f"activated by {card.id}"
    return found


def _of_support(g: Board, b: Battle) -> dict[str, str]:
    """12.41 From game-turn 5 on: Soviet attacks and defences outside support."""
    if g.turn < g.charts.constants.support_from or is_supported(g, b):
        return {}
    word = "attack_not_supported" if b.side == SOVIET else "defender_not_supported"
    why = "all units of both sides are" if b.side == SOVIET else "the Soviet units are"
    return dict.fromkeys((word, "soviets_not_supported"), f"{why} outside Soviet support")


def adjacent_friend(g: Board, b: Battle) -> str:
    """12.41 Defender Adjacent: a unit of the defender beside him that can help; from GT5 Soviets need support."""
    side = b.defender_side
    needs_support = side == SOVIET and g.turn >= g.charts.constants.support_from
    if needs_support and not is_in_support(g, b.target):
        return ""
    for h in members(g.ground.adjacent_units(b.target) & g.hexes_of(side)):
        if needs_support and not is_in_support(g, h):
            continue
        for u in g.units_of(h, side):
            if not g.status[u] & (DISPERSED | UNSUPPLIED | STRUCK) and u not in b.defenders:
                return g.id(u)
    return ""


# --- 12.5 hits of a chit ---------------------------------------------------------------------------------------------


class Hits(NamedTuple):
    attacker: int = 0
    defender: int = 0

    def __str__(self) -> str:
        return f"A{self.attacker} D{self.defender}"


NO_HITS = Hits()


@cache
def hits_of(code: str, attacker: int) -> Hits:
    """12.5 `A1`, `A1 D1`, `D-1`; S and G follow the nationality.

    >>> str(hits_of("A1 D1", SOVIET)), str(hits_of("S1", SOVIET)), str(hits_of("S1", 1 - SOVIET))
    ('A1 D1', 'A1 D0', 'A0 D1')
    """
    ours = {"A", "S" if attacker == SOVIET else "G"}
    a = d = 0
    for word in code.split():
        if word[0] in ours:
            a += int(word[1:])
        else:
            d += int(word[1:])
    return Hits(a, d)


class Examined(NamedTuple):
    """12.41 A chit that was looked at: the situation that applies, if any, and its hits."""

    chit: Chit
    situation: str
    hits: Hits

    @property
    def retained(self) -> bool:
        return bool(self.situation)


def examine(chit: Chit, s: Situations, attacker: int) -> Examined:
    """12.41 The side that applies; if both do, the one with the P symbol."""
    front, back = s.any_of(chit.front), s.any_of(chit.back)
    if front and (not back or chit.front_priority or not chit.back_priority):
        return Examined(chit, front, hits_of(chit.front_hits, attacker))
    if back:
        return Examined(chit, back, hits_of(chit.back_hits, attacker))
    return Examined(chit, "", NO_HITS)


# --- 12.51 adjustments -----------------------------------------------------------------------------------------------


class Adjustment(NamedTuple):
    """12.51 One change of a hit total; `at_least`: only if the total so far is that high."""

    attacker: bool
    what: str
    rule: str
    value: int
    at_least: int | None = None
    uses_ip: bool = False

    def counts(self, total: int) -> bool:
        return self.at_least is None or total >= self.at_least


def adjustments(g: Board, b: Battle) -> list[Adjustment]:
    """12.51 Terrain, rivers and states, then tactics, hits added before hits taken away.

    The improved position comes last: it is used up only if a hit is left for it (14.24).
    """
    found: list[Adjustment] = []
    terrain = g.map.terrain[b.target]
    if fewer := g.charts.table("terrain").number(terrain, "defender_hits"):
        found.append(Adjustment(False, f"defender in a {terrain}", "12.51", fewer))
    if river := river_crossed(g, b):
        fewer = g.charts.table("hexsides").number(river, "defender_hits")
        found.append(Adjustment(False, "all attackers across Donets or Dniepr hexsides", "12.51", fewer))
    if all_have(g, b.defenders, DISPERSED | UNSUPPLIED) and not all_have(g, b.defenders, ISOLATED):
        found.append(Adjustment(True, "all defenders dispersed or out of supply", "12.51", -1))
    found += sorted(_of_tactics(g, b), key=lambda a: -a.value)
    if g.has_mark(b.target, IP):
        found.append(Adjustment(False, "improved position", "12.51", -1, at_least=1, uses_ip=True))
    return found


def river_crossed(g: Board, b: Battle) -> str:
    """12.51, 12.53 The river, if all attackers attack across Donets or Dniepr hexsides; else empty."""
    if not b.attackers or not all_across_river(g, b.attackers, b.target):
        return ""
    here = g.place[b.attackers[0]]
    names = g.map.side_features(here, g.map.grid.direction(here, b.target))
    return next(r for r in names if r in BIG_RIVERS)


def _of_tactics(g: Board, b: Battle) -> Iterable[Adjustment]:
    for attacking in (True, False):
        for tactic, part in parts(g, b, attacking):
            if part.own:
                yield Adjustment(attacking, tactic.name, "12.51", part.own, part.own_at_least or None)
            if part.enemy:
                yield Adjustment(not attacking, tactic.name, "12.51", part.enemy)


def adjusted(total: int, changes: Iterable[Adjustment]) -> int:
    """A hit total after these changes; less than nothing is nothing."""
    for change in changes:
        if change.counts(total):
            total += change.value
    return max(0, total)


class Totals(NamedTuple):
    """12.5, 12.51 The hits of a combat, item by item."""

    attacker: Breakdown
    defender: Breakdown
    uses_ip: bool


def hit_totals(g: Board, b: Battle, examined: Iterable[Examined]) -> Totals:
    """12.5 The retained chits added up, then 12.51."""
    sums = {True: Breakdown("attacker hits"), False: Breakdown("defender hits")}
    for one in examined:
        for attacking, hits in ((True, one.hits.attacker), (False, one.hits.defender)):
            if hits:
                sums[attacking].add(f"chit: {situation_said(one.situation)}", hits, "12.5")
    uses_ip = False
    for change in adjustments(g, b):
        total = sums[change.attacker]
        if change.counts(total.total):
            total.add(change.what, change.value, change.rule)
            uses_ip = uses_ip or change.uses_ip
    if all_have(g, b.defenders, ISOLATED) and sums[True].total > 0:
        sums[True].add("all defenders are isolated: attacker hits are ignored", -sums[True].total, "12.51")
    for total in sums.values():
        if total.total < 0:
            total.add("a total less than 0 is 0", -total.total, "12.51")
    return Totals(sums[True], sums[False], uses_ip)


# --- 12.42 the cup ---------------------------------------------------------------------------------------------------


def in_cup(g: Board) -> list[int]:
    return [i for i, where in enumerate(g.chits) if where == CUP]


def replenish(g: Board, where: int) -> None:
    """Return all chits from there to the cup."""
    for i, at in enumerate(g.chits):
        if at == where:
            g.chits[i] = CUP


def draw_chit(g: Board, b: Battle) -> int:
    """12.42 One chit out of the cup; a dark one returns those of earlier combats at once."""
    if CUP not in g.chits:
        replenish(g, ASIDE)
    cup = in_cup(g)
    i = cup[g.dice.pick(len(cup))]
    g.chits[i] = DRAWN
    b.drawn = (*b.drawn, i)
    if g.charts.chits[i].dark:
        replenish(g, ASIDE)
        g.tell("a dark chit: the chits of earlier combats return to the cup", "12.42", chit=g.charts.chits[i].id)
    g.happened(OFF_MAP)
    return i


def draw_chits(g: Board, b: Battle, number: int) -> None:
    """12.4 Draw so many, one at a time, and tell what each shows.

    Large Attack is judged by all chits drawn and declared (A55): a chit drawn before may turn out to apply.
    """
    s = situations(g, b, len(b.drawn) + number)
    if b.drawn and g.events is not None:
        was = situations(g, b, len(b.drawn))
        for i in b.drawn:
            one = examine(g.charts.chits[i], s, b.side)
            if one != examine(g.charts.chits[i], was, b.side):
                _tell_chit(g, one, " drawn before, now")
    for _ in range(number):
        if CUP not in g.chits and ASIDE not in g.chits:
            g.tell("the cup is empty", "12.42")
            return
        _tell_chit(g, examine(g.charts.chits[draw_chit(g, b)], s, b.side))


def _tell_chit(g: Board, one: Examined, when: str = "") -> None:
    what = f"{situation_said(one.situation)}, {hits_said(str(one.hits))}" if one.retained else "does not apply"
    g.tell(f"chit{when}: {what}", "12.41", chit=one.chit.id, applies=one.situation)


def examined_chits(g: Board, b: Battle) -> list[Examined]:
    """12.41 All chits drawn in this combat, judged by what holds at the end of drawing."""
    s = situations(g, b, len(b.drawn))
    return [examine(g.charts.chits[i], s, b.side) for i in b.drawn]


def set_aside(g: Board, b: Battle) -> None:
    """12.42 After the combat: to the side, or back into the cup if a dark chit was among them."""
    dark = any(g.charts.chits[i].dark for i in b.drawn)
    for i in b.drawn:
        g.chits[i] = CUP if dark else ASIDE
    g.happened(OFF_MAP)
