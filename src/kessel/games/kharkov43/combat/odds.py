"""What may come of a combat: exact chances of hits for every number of chits, and of what they do to Soviet defenders.

What the chits drawn hit is counted in `chances`. Hold checks are enumerated with the rules' own judgement of each hit
(`hold.judge_hit`). A Soviet card that is still to be drawn is one of those in the pile, each as likely as the other;
nothing looks at an order, because there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple

from kessel.core.breakdown import Breakdown
from kessel.core.facts import fact
from kessel.core.hexes import Hex
from kessel.core.procedure import Action
from kessel.games.kharkov43.board import ASIDE, CUP, DISCARD, DRAW, ISOLATED, POSITION, TACTICS_ONLY, Board
from kessel.games.kharkov43.combat.battle import (
    Battle,
    all_have,
    attack_strength,
    battle_of,
    defence_strength,
    part_of,
    parts,
    possible_attackers,
    ratio_text,
    steps_of,
)
from kessel.games.kharkov43.combat.chances import Chances, Kinds, mixed, sums_of
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
from kessel.games.kharkov43.data.cards import Part
from kessel.games.kharkov43.data.charts import Charts
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.system.cards.soviet_deck import NO_CARD
from kessel.games.kharkov43.system.terms.terminology import is_large
from kessel.games.kharkov43.turn.piles import soviet_pile

# --- 12.4, 12.5 what is drawn ----------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _values(charts: Charts, attack: int, defence: int, words: frozenset[str], side: int) -> tuple[Hits, ...]:
    """12.41 What each chit hits where these situations hold."""
    s = Situations(attack, defence, dict.fromkeys(words, ""))
    return tuple(examine(chit, s, side).hits for chit in charts.chits)


def _kinds(values: Iterable[Hits]) -> Kinds:
    return tuple(sorted(Counter(values).items()))


def _plus(a: Hits, b: Hits) -> Hits:
    return Hits(a.attacker + b.attacker, a.defender + b.defender)


class Outlook:
    """A combat as it stands, asked about several numbers of chits still to be drawn."""

    def __init__(self, g: Board, b: Battle) -> None:
        self.g, self.b = g, b
        self._known: dict[bool, tuple[Hits, ...]] = {}

    @cached_property
    def required(self) -> int:
        return required_draw(self.g, self.b).total

    @cached_property
    def most(self) -> int:
        return most_draws(self.g, self.b)

    def more(self, chits: int) -> int:
        """How many are still drawn if that many in all are wanted: within what the combat requires and allows."""
        drawn = len(self.b.drawn)
        return max(min(chits, self.most), self.required, drawn) - drawn

    def values(self, draws: int) -> tuple[Hits, ...]:
        """What each chit hits if so many are drawn: only a large attack differs from others (12.41)."""
        g, b = self.g, self.b
        large = is_large(g, draws, b.side)
        if large not in self._known:
            s = situations(g, b, draws)
            self._known[large] = _values(g.charts, s.attack, s.defence, frozenset(s.words), b.side)
        return self._known[large]

    def sums(self, more: int) -> Chances[Hits]:
        """12.4, 12.5 The chances of all hit totals, chits drawn already and `more` to come, before 12.51."""
        g, b = self.g, self.b
        values = self.values(len(b.drawn) + more)
        cup = [i for i, where in enumerate(g.chits) if where == CUP]
        aside = [values[i] for i, where in enumerate(g.chits) if where == ASIDE]
        dark = [i for i in cup if g.charts.chits[i].dark]
        more = min(more, len(cup) + len(aside))
        most = min(max(more, self.most - len(b.drawn)), len(cup) + len(aside))
        for_sure = [values[i] for i in b.drawn]
        if aside and dark:
            light = _kinds(values[i] for i in cup if i not in dark)
            drawn = sums_of(light, _kinds(values[i] for i in dark), _kinds(aside), most).of(more)
        elif more > len(cup):
            for_sure += [values[i] for i in cup]
            drawn = sums_of(_kinds(aside), (), (), len(aside)).of(more - len(cup))
        else:
            drawn = sums_of(_kinds(values[i] for i in cup), (), (), min(most, len(cup))).of(more)
        so_far = Hits(sum(v.attacker for v in for_sure), sum(v.defender for v in for_sure))
        return drawn.of(partial(_plus, so_far)) if for_sure else drawn

    def final_hits(self, more: int) -> Chances[Hits]:
        """12.51 The chances of the hits that have to be applied."""
        g, b = self.g, self.b
        changes = adjustments(g, b)
        ours, theirs = [c for c in changes if c.attacker], [c for c in changes if not c.attacker]
        ignored = all_have(g, b.defenders, ISOLATED)

        def applied(total: Hits) -> Hits:
            return Hits(0 if ignored else adjusted(total.attacker, ours), adjusted(total.defender, theirs))

        return self.sums(more).of(applied)

    def prospect(self, more: int) -> Prospect:
        """The chances with `more` chits after those drawn, nothing else to happen before."""
        g, b = self.g, self.b
        hits = self.final_hits(more)
        results: Chances[Result] = Chances({}, 1)
        if b.side == GERMAN:
            on_defender = hits.of(lambda h: h.defender)
            results = mixed([(p, defence_results(g, b, number)) for number, p in on_defender.items()])
        return Prospect(len(b.drawn) + more, hits, results)


def sums(g: Board, b: Battle, more: int) -> Chances[Hits]:
    return Outlook(g, b).sums(more)


def final_hits(g: Board, b: Battle, more: int) -> Chances[Hits]:
    return Outlook(g, b).final_hits(more)


def prospect(g: Board, b: Battle, more: int) -> Prospect:
    return Outlook(g, b).prospect(more)


# --- 12.53 what hits do to Soviet defenders --------------------------------------------------------------------------


class Result(NamedTuple):
    """How a Soviet defence ends: steps lost, hexes retreated, and whether anybody is left."""

    lost: int
    retreated: int
    eliminated: bool

    @property
    def word(self) -> str:
        return "eliminated" if self.eliminated else ("holds", "retreats one", "retreats two")[self.retreated]


BEARING = ("attackers", "defenders", "bystanders", "lost", "retreat_cap", "capped_by")
"""What of a combat bears on the results of hits, and the tactics that forbid a retreat."""


def defence_results(g: Board, b: Battle, hits: int) -> Chances[Result]:
    """12.53 All ways so many hits can end, hold checks enumerated. Where the player would choose a Soviet loss, the
    first unit takes it."""
    standing = tuple(t.id for t, part in parts(g, b, attacking=False) if part.no_retreat)
    return _defence_results(g, b.target, hits, standing, tuple(getattr(b, name) for name in BEARING))


@fact(POSITION)
def _defence_results(
    g: Board, target: Hex, hits: int, standing: tuple[str, ...], bearing: tuple[Any, ...]
) -> Chances[Result]:
    c = GermanCombat(GERMAN, target, counter=standing)
    for name, value in zip(BEARING, bearing, strict=True):
        setattr(c, name, value)
    c.defender_hits = hits
    return _branch(g, c, steps_of(g, c.defenders))


def _branch(g: Board, c: GermanCombat, steps: int) -> Chances[Result]:
    left = steps_of(g, c.defenders)
    if not c.defender_hits or not left:
        return Chances({Result(steps - left, c.retreated, not left): 1}, 1)
    verdict = judge_hit(g, c)
    branches = [(verdict.what, Fraction(1))]
    if verdict.chance is not None:
        die = g.charts.constants.die
        holds = Fraction(min(max(verdict.chance.total, 0), die), die)
        branches = [(what, share) for what, share in ((STAND, holds), (RETREAT, 1 - holds)) if share]
    found = []
    for what, share in branches:
        h, d = g.copy(), c.copy()
        assert isinstance(d, GermanCombat)
        d.apply_hit(h, verdict, what)
        while d.owes():
            if units := loss_candidates(h, d.losers, d.lost):
                take_loss(h, d, units[0])
            d.owed = d.owed - 1 if units else 0
        found.append((share, _branch(h, d, steps)))
    return mixed(found) if len(found) > 1 else found[0][1]


# --- the whole picture -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prospect:
    """The chances if so many chits are drawn in all."""

    chits: int
    hits: Chances[Hits]
    results: Chances[Result]
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
    c = b.copy()
    assert isinstance(c, Battle)
    if not any(_changes_board(part_of(g.charts.tactics[name], False)) for name in tactics):
        c.counter = (*c.counter, *tactics)
        return g, c
    h = g.copy()
    for name in tactics:
        apply_tactic(h, c, name, False, "if drawn")
    return h, c


def _changes_board(part: Part | None) -> bool:
    return part is not None and bool(part.places_ip or part.removes_ip or part.joins)


def prospects(g: Board, b: Battle, *, card_to_come: bool = True) -> list[Prospect]:
    """What every number of chits brings, those of a German attack from the required ones on.

    Before the Soviet card is drawn against a German attack, over all cards it may be.
    """
    cards = soviet_cards_to_come(g, b) if card_to_come else [(Fraction(1), ())]
    cases = [(share, Outlook(*with_defence(g, b, tactics))) for share, tactics in cards]
    need = max(case.required for _, case in cases)
    most = max(case.most for _, case in cases)
    first = most if b.side == SOVIET else min(need, most)
    found = []
    for chits in range(max(first, len(b.drawn)), most + 1):
        parts = [(share, case.prospect(case.more(chits))) for share, case in cases]
        hits = mixed([(share, one.hits) for share, one in parts])
        results = mixed([(share, one.results) for share, one in parts])
        found.append(Prospect(parts[0][1].chits, hits, results))
    return found


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
