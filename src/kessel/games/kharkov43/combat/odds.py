"""What may come of a combat: exact chances of hits for every number of chits, and of what they do to Soviet defenders.

Chits are drawn without putting back, and a dark chit refills the cup in the middle of a draw (12.42); `sums` counts all
ways that can go. Hold checks are enumerated with the rules' own judgement of each hit (`hold.judge_hit`). A Soviet card
that is still to be drawn is one of those in the pile, each as likely as the other; nothing looks at an order, because
there is none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import Any, NamedTuple, TypeAlias

from kessel.core.breakdown import Breakdown
from kessel.core.facts import NOW, fact
from kessel.core.hexes import Hex
from kessel.core.procedure import Action
from kessel.games.kharkov43.board import ASIDE, CUP, DISCARD, DRAW, ISOLATED, TACTICS_ONLY, Board
from kessel.games.kharkov43.combat.battle import (
    Battle,
    all_have,
    attack_strength,
    battle_of,
    defence_strength,
    possible_attackers,
    ratio_text,
    steps_of,
)
from kessel.games.kharkov43.combat.chits import (
    Hits,
    Situations,
    adjusted,
    adjustments,
    examine,
    maximum_draw,
    most_draws,
    required_draw,
    situations,
    why_it_is_weak,
    why_it_overwhelms,
)
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.joining import join
from kessel.games.kharkov43.combat.results.hold import RETREAT, STAND, judge_hit
from kessel.games.kharkov43.combat.results.step_losses import loss_candidates, take_loss
from kessel.games.kharkov43.combat.tactics import apply_tactic, play_tactic, why_not_benefit, why_not_defence_card
from kessel.games.kharkov43.data.cards import Chit
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.system.cards.soviet_deck import NO_CARD
from kessel.games.kharkov43.turn.piles import soviet_pile

Chances: TypeAlias = dict[Hits, Fraction]
Kinds: TypeAlias = tuple[tuple[Hits, int], ...]
"""Chits by what they hit in this combat, and their number."""
DIGIT = 32
"""Bytes of a digit (`_Code`). Ways are brought to a common denominator that divides 60 times lcm(1..60) squared."""

# --- 12.42 drawing from the cup --------------------------------------------------------------------------------------


def _kinds(values: Iterable[Hits]) -> Kinds:
    return tuple(sorted(Counter(values).items()))


def _plus(a: Hits, b: Hits, times: int = 1) -> Hits:
    return Hits(a.attacker + times * b.attacker, a.defender + times * b.defender)


class _Code(NamedTuple):
    """Sums of hits as the digits of one big number, so that adding up ways adds all sums at once.

    A digit counts the ways to one sum; drawing a chit shifts all digits. A chit may take hits from the defender: each
    chit drawn counts `low` more than it hits, and the reader takes that off again.
    """

    low: int
    row: int

    @classmethod
    def of(cls, values: Iterable[Hits], draws: int) -> _Code:
        every = [*values, Hits()]
        low = -min(v.defender for v in every)
        return cls(low, draws * (max(v.defender for v in every) + low) + 1)

    def shift(self, v: Hits, times: int = 1) -> int:
        return times * (v.attacker * self.row + v.defender + self.low) * 8 * DIGIT


class _Sums(NamedTuple):
    """The ways to all sums of 0, 1, 2 ... chits, each beside the number of all ways.

    Kept as they are added up: read, they are thousands of small objects.
    """

    code: _Code
    ways: tuple[tuple[int, int], ...]

    def read(self, draws: int) -> Chances:
        """The chances of all sums of so many chits."""
        number, every = self.ways[draws]
        raw = number.to_bytes((number.bit_length() + 7) // 8 + DIGIT, "little")
        found = {}
        for digit in range(len(raw) // DIGIT):
            if ways := int.from_bytes(raw[digit * DIGIT : (digit + 1) * DIGIT], "little"):
                attacker, defender = divmod(digit, self.code.row)
                found[Hits(attacker, defender - draws * self.code.low)] = Fraction(ways, every)
        return found


def _two_stages(cup: Kinds, aside: Kinds, others: Sequence[Hits], most: int, code: _Code) -> dict[tuple[int, int], int]:
    """Ways to draw x light chits out of the cup, then y of what is left with the chits set aside and further dark ones.

    Keyed by x and y, which are `most` together at most; the sums are written in that code.
    """
    out = dict(aside)
    kinds = [(v, n, out.pop(v, 0)) for v, n in cup] + [(v, 0, n) for v, n in out.items()]
    kinds += [(v, 0, 1) for v in others]
    twice = bool(aside or others)
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for value, before, later in kinds:
        after: dict[tuple[int, int], int] = {}
        for (x, y), totals in ways.items():
            left = most - x - y
            for i in range(min(before, left) + 1):
                for j in range(min(before - i + later, left - i) + 1 if twice else 1):
                    w = comb(before, i) * comb(before - i + later, j)
                    key = (x + i, y + j)
                    after[key] = after.get(key, 0) + (totals * w << code.shift(value, i + j))
        ways = after
    return ways


@lru_cache(maxsize=256)
def _plain(cup: Kinds, most: int) -> _Sums:
    """The sums of 0 to `most` chits out of a cup that is not refilled."""
    size = sum(number for _, number in cup)
    code = _Code.of((v for v, _ in cup), most)
    ways = _two_stages(cup, (), (), most, code)
    return _Sums(code, tuple((ways[n, 0], comb(size, n)) for n in range(most + 1)))


@lru_cache(maxsize=64)
def _refilled(cup: Kinds, dark: tuple[Hits, ...], aside: Kinds, most: int) -> _Sums:
    """12.42 The sums of 0 to `most` chits: the first dark one returns the chits set aside to the cup.

    All shares of one number of chits are brought to one denominator before they are added.
    """
    light = sum(n for _, n in cup)
    size, returned = light + len(dark), sum(n for _, n in aside)
    code = _Code.of((*dict(cup), *dict(aside), *dark), most)
    shares: list[list[tuple[int, int]]] = [[] for _ in range(most + 1)]
    for (n, _), ways in _two_stages(cup, (), (), min(most, light), code).items():
        shares[n].append((ways, comb(size, n)))
    for i, first in enumerate(dark):
        others = (*dark[:i], *dark[i + 1 :])
        for (x, y), ways in _two_stages(cup, aside, others, most - 1, code).items():
            every = comb(size, x) * (size - x) * comb(size - x - 1 + returned, y)
            shares[x + 1 + y].append((ways << code.shift(first), every))
    found = []
    for parts in shares:
        common = lcm(*(every for _, every in parts))
        found.append((sum(ways * (common // every) for ways, every in parts), common))
    return _Sums(code, tuple(found))


@lru_cache(maxsize=256)
def _refilled_by(cup: Kinds, dark: tuple[Hits, ...], aside: Kinds, most: int, more: int) -> Chances:
    return _refilled(cup, dark, aside, most).read(more)


@lru_cache(maxsize=256)
def _values(chits: tuple[Chit, ...], attack: int, defence: int, words: frozenset[str], side: int) -> tuple[Hits, ...]:
    """12.41 What each chit hits where these situations hold."""
    s = Situations(attack, defence, dict.fromkeys(words, ""))
    return tuple(examine(chit, s, side).hits for chit in chits)


def sums(g: Board, b: Battle, more: int) -> Chances:
    """12.4, 12.5 The chances of all hit totals, chits drawn already and `more` to come, before 12.51."""
    s = situations(g, b, len(b.drawn) + more)
    values = _values(g.charts.chits, s.attack, s.defence, frozenset(s.words), b.side)
    cup = [i for i, where in enumerate(g.chits) if where == CUP]
    aside = [values[i] for i, where in enumerate(g.chits) if where == ASIDE]
    dark = tuple(values[i] for i in cup if g.charts.chits[i].dark)
    light = _kinds(values[i] for i in cup if not g.charts.chits[i].dark)
    more = min(more, len(cup) + len(aside))
    most = min(max(more, most_draws(g, b) - len(b.drawn)), len(cup) + len(aside))
    so_far = Hits()
    for i in b.drawn:
        so_far = _plus(so_far, values[i])
    if not more:
        return {so_far: Fraction(1)}
    if aside and dark:
        drawn = _refilled_by(light, dark, _kinds(aside), most, more)
    elif more > len(cup):
        for i in cup:
            so_far = _plus(so_far, values[i])
        drawn = _plain(_kinds(aside), more - len(cup)).read(more - len(cup))
    else:
        drawn = _plain(_kinds(values[i] for i in cup), min(most, len(cup))).read(more)
    return {_plus(so_far, total): p for total, p in drawn.items()}


def final_hits(g: Board, b: Battle, more: int) -> Chances:
    """12.51 The chances of the hits that have to be applied."""
    changes = adjustments(g, b)
    ours, theirs = [c for c in changes if c.attacker], [c for c in changes if not c.attacker]
    ignored = all_have(g, b.defenders, ISOLATED)
    found: defaultdict[Hits, Fraction] = defaultdict(Fraction)
    for total, p in sums(g, b, more).items():
        attacker = 0 if ignored else adjusted(total.attacker, ours)
        found[Hits(attacker, adjusted(total.defender, theirs))] += p
    return dict(found)


# --- 12.53 what hits do to Soviet defenders --------------------------------------------------------------------------


class Result(NamedTuple):
    """How a Soviet defence ends: steps lost, hexes retreated, and whether anybody is left."""

    lost: int
    retreated: int
    eliminated: bool

    @property
    def word(self) -> str:
        return "eliminated" if self.eliminated else ("holds", "retreats one", "retreats two")[self.retreated]


BEARING = ("card", "attackers", "defenders", "bystanders", "tactics", "counter", "lost", "retreat_cap", "capped_by")
"""What of a combat bears on the results of hits."""


def defence_results(g: Board, b: Battle, hits: int) -> dict[Result, Fraction]:
    """12.53 All ways so many hits can end, hold checks enumerated. Where the player would choose a Soviet loss, the
    first unit takes it."""
    return _defence_results(g, b.target, hits, tuple(getattr(b, name) for name in BEARING))


@fact(NOW)
def _defence_results(g: Board, target: Hex, hits: int, bearing: tuple[Any, ...]) -> dict[Result, Fraction]:
    c = GermanCombat(GERMAN, target)
    for name, value in zip(BEARING, bearing, strict=True):
        setattr(c, name, value)
    c.defender_hits = hits
    found: dict[Result, Fraction] = {}
    _branch(g, c, steps_of(g, c.defenders), Fraction(1), found)
    return found


def _branch(g: Board, c: GermanCombat, steps: int, p: Fraction, found: dict[Result, Fraction]) -> None:
    left = steps_of(g, c.defenders)
    if not c.defender_hits or not left:
        end = Result(steps - left, c.retreated, not left)
        found[end] = found.get(end, Fraction(0)) + p
        return
    verdict = judge_hit(g, c)
    branches = [(verdict.what, Fraction(1))]
    if verdict.chance is not None:
        die = g.charts.constants.die
        holds = Fraction(min(max(verdict.chance.total, 0), die), die)
        branches = [(what, share) for what, share in ((STAND, holds), (RETREAT, 1 - holds)) if share]
    for what, share in branches:
        h, d = g.copy(), c.copy()
        assert isinstance(d, GermanCombat)
        d.apply_hit(h, verdict, what)
        while d.owes():
            if units := loss_candidates(h, d.losers, d.lost):
                take_loss(h, d, units[0])
            d.owed = d.owed - 1 if units else 0
        _branch(h, d, steps, p * share, found)


# --- the whole picture -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prospect:
    """The chances if so many chits are drawn in all."""

    chits: int
    hits: Mapping[Hits, Fraction]
    results: Mapping[Result, Fraction]
    """German attacks only."""

    @property
    def expected(self) -> tuple[Fraction, Fraction]:
        a = sum((h.attacker * p for h, p in self.hits.items()), Fraction(0))
        return a, sum((h.defender * p for h, p in self.hits.items()), Fraction(0))

    def chance(self, word: str) -> Fraction:
        return sum((p for r, p in self.results.items() if r.word == word), Fraction(0))

    def as_json(self) -> dict[str, Any]:
        a, d = self.expected
        found: dict[str, Any] = {
            "chits": self.chits,
            "expected": {"attacker_hits": _mean(a), "defender_hits": _mean(d)},
            "hits": {str(h): float(p) for h, p in sorted(self.hits.items())},
        }
        if self.results:
            words = ("holds", "retreats one", "retreats two", "eliminated")
            lost = sum((r.lost * p for r, p in self.results.items()), Fraction(0))
            found["defender"] = {w.replace(" ", "_"): float(self.chance(w)) for w in words}
            found["defender"]["steps_lost"] = _mean(lost)
        return found


def _mean(x: Fraction) -> float:
    """What is to be expected, rounded to be read. Chances are told unrounded: they add up to 1."""
    return round(float(x), 6)


def prospect(g: Board, b: Battle, more: int) -> Prospect:
    """The chances with `more` chits after those drawn, nothing else to happen before."""
    hits = final_hits(g, b, more)
    results: dict[Result, Fraction] = {}
    if b.side == GERMAN:
        by_hits: defaultdict[int, Fraction] = defaultdict(Fraction)
        for h, p in hits.items():
            by_hits[h.defender] += p
        for number, share in by_hits.items():
            for end, p in defence_results(g, b, number).items():
                results[end] = results.get(end, Fraction(0)) + p * share
    return Prospect(len(b.drawn) + more, hits, results)


def mixed(parts: Sequence[tuple[Fraction, Prospect]]) -> Prospect:
    """One prospect of several that may come true."""
    hits: dict[Hits, Fraction] = {}
    results: dict[Result, Fraction] = {}
    for share, one in parts:
        for h, p in one.hits.items():
            hits[h] = hits.get(h, Fraction(0)) + share * p
        for r, p in one.results.items():
            results[r] = results.get(r, Fraction(0)) + share * p
    return Prospect(parts[0][1].chits, hits, results)


class Draws(NamedTuple):
    """12.4 How many chits must and may be drawn, and how many are."""

    required: Breakdown
    maximum: Breakdown
    most: int


def draws_of(g: Board, b: Battle) -> Draws:
    return Draws(required_draw(g, b), maximum_draw(g, b), most_draws(g, b))


def soviet_cards_to_come(g: Board, b: Battle) -> list[tuple[Fraction, tuple[str, ...]]]:
    """12.3, 12.37 The tactics the card drawn against a German attack may bring, with their chances."""
    if b.side != GERMAN or b.soviet_card != NO_CARD or b.counter or b.drawn or why_not_defence_card(g, b):
        return [(Fraction(1), ())]
    pile = soviet_pile(g, DRAW) or soviet_pile(g, TACTICS_ONLY) or soviet_pile(g, DISCARD)
    if not pile:
        return [(Fraction(1), ())]
    counted = Counter(
        tuple(t for t in g.charts.cards[i].tactics_on(g.turn) if why_not_benefit(g, b, t, False) is None) for i in pile
    )
    return [(Fraction(n, len(pile)), tactics) for tactics, n in sorted(counted.items())]


def with_defence(g: Board, b: Battle, tactics: Iterable[str]) -> tuple[Board, Battle]:
    """The board and the combat as these Soviet tactics would leave them."""
    tactics = tuple(tactics)
    if not tactics:
        return g, b
    h = g.copy()
    c = b.copy()
    assert isinstance(c, Battle)
    for name in tactics:
        apply_tactic(h, c, name, False, "if drawn")
    return h, c


def prospects(g: Board, b: Battle, *, card_to_come: bool = True) -> list[Prospect]:
    """What every number of chits brings, those of a German attack from the required ones on.

    Before the Soviet card is drawn against a German attack, over all cards it may be.
    """
    cards = soviet_cards_to_come(g, b) if card_to_come else [(Fraction(1), ())]
    cases = [(share, *with_defence(g, b, tactics)) for share, tactics in cards]
    need = max(required_draw(h, c).total for _, h, c in cases)
    most = max(most_draws(h, c) for _, h, c in cases)
    first = most if b.side == SOVIET else min(need, most)
    found = []
    for chits in range(max(first, len(b.drawn)), most + 1):
        parts = [(share, prospect(h, c, _more(h, c, chits))) for share, h, c in cases]
        found.append(Prospect(chits, (m := mixed(parts)).hits, m.results))
    return found


def _more(g: Board, b: Battle, chits: int) -> int:
    """How many chits are still drawn if that many in all are wanted: within what the combat requires and allows."""
    return max(min(chits, most_draws(g, b)), required_draw(g, b).total, len(b.drawn)) - len(b.drawn)


def explain(g: Board, b: Battle, *, card_to_come: bool = True) -> dict[str, Any]:
    """12.3-12.53 Everything about a combat before it is fought, each number with its rules."""
    attack, defence, draws = attack_strength(g, b), defence_strength(g, b), draws_of(g, b)
    s = situations(g, b, max(draws.most, len(b.drawn)))
    why = why_it_overwhelms(g, b) if b.side == SOVIET else why_it_is_weak(g, b)
    found: dict[str, Any] = {
        "attack": attack.as_json(),
        "defence": defence.as_json(),
        "ratio": ratio_text(attack.total, defence.total),
        "required_chits": draws.required.as_json(),
        "maximum_chits": draws.maximum.as_json(),
        "chits": draws.most,
        "tactics": {"attacker": list(b.tactics), "chit_only": list(b.idle), "defender": list(b.counter)},
        "situations": [{"situation": w, "why": why_, "rule": "12.41"} for w, why_ in sorted(s.words.items())],
        "adjustments": _adjustments(g, b),
        "prospects": [p.as_json() for p in prospects(g, b, card_to_come=card_to_come)],
    }
    if why is not None:
        found["overwhelming" if b.side == SOVIET else "weak"] = why.as_json()
    return found


def _adjustments(g: Board, b: Battle) -> list[dict[str, Any]]:
    """12.51 The changes of both totals of hits, each with its rule."""
    found: list[dict[str, Any]] = [
        {"side": "attacker" if a.attacker else "defender", "what": a.what, "rule": a.rule, "value": a.value}
        for a in adjustments(g, b)
    ]
    if all_have(g, b.defenders, ISOLATED):
        found.append({"side": "attacker", "what": "all defenders isolated", "rule": "12.51", "value": "ignored"})
    return found


# --- previews ---------------------------------------------------------------------------------------------------------


def preview(g: Board, action: Action) -> dict[str, Any]:
    """What a choice in a German attack leads to: the attack with it, before anything is done. Changes nothing."""
    p = g.stack[-1] if g.stack else None
    if action[0] == "attack":
        h = g.copy()
        return explain(h, battle_of(h, GERMAN, action[1], possible_attackers(g, GERMAN, action[1]), card_at_work(g)))
    if not isinstance(p, GermanCombat) or p.step is None:
        return {}
    h, b = g.copy(), p.copy()
    assert isinstance(b, GermanCombat)
    if p.step.name == "choose_attackers":
        units = [u for u in p.attackers if action != ("without", u)]
        units += [action[1]] if action[0] == "with" else []
        return explain(h, battle_of(h, GERMAN, p.target, units, p.card)) if units else {}
    if action[0] == "tactic":
        play_tactic(h, b, *action[1:])
    elif action[0] == "join":
        join(h, b, action[1], action[2], True)
    if p.step.name in ("german_tactics", "bring_in"):
        return explain(h, b)
    if action[0] == "draw":
        return {"chits_drawn": len(b.drawn), **prospect(h, b, action[1]).as_json()}
    return {}


def card_at_work(g: Board) -> int:
    """The card of the activation that is going on."""
    return next((int(card) for p in reversed(g.stack) if (card := getattr(p, "card", None)) is not None), -1)
