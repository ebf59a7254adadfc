"""Exact chances of a combat: the die on the CRT, then the Determined Defense that may answer it (10.1, 11.0).

The dice are counted out, not rolled. Where a player has a choice that matters the usual one is taken and said: the
attacker takes the best of several dice (26.2), the defender tries a Determined Defense whenever he may, with the Lead
Unit that holds most often, and a Desperate one where retreat is death (11.5).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from kessel.core.forces import Unit
from kessel.games.stalingrad42.battle import CITY, DELAYED, EJECTED, HELD, RETREATS
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.crt import Result, tables
from kessel.games.stalingrad42.defense import (
    AGAIN,
    attempt_refusal,
    defense_column,
    defense_modifier,
    effect_of,
    is_desperate,
    leads,
    result_refusal,
)
from kessel.games.stalingrad42.losses import lose_step, remnants_free
from kessel.games.stalingrad42.results import defenders_to_lose
from kessel.games.stalingrad42.shifts import Assessment, assess
from kessel.games.stalingrad42.strengths import Attack, declared, defenders
from kessel.wargame.board import other

SIXTH = Fraction(1, 6)
WORDS = {HELD: "held", DELAYED: "delayed", CITY: "city battle", EJECTED: "thrown out"}
Chances = dict[str, Fraction]


class Case(NamedTuple):
    """One way a combat can end."""

    chance: Fraction
    result: Result
    outcome: str
    """RETREATS, HELD, ... for a result with a retreat; "" for one without."""


def roll_chances(g: Board, now: Assessment, dice: int = 1) -> Iterator[tuple[Fraction, Result]]:
    """What the die gives on the column; of several dice the attacker takes the best."""
    t = tables(g.charts)
    if now.automatic:
        yield Fraction(1), t.shattered
        return
    cells = t.columns[now.column]
    low = g.charts.constants["crt"]["best_roll"] != "high"
    for die, result in enumerate(cells, start=1):
        better = die - 1 if low else 6 - die
        yield Fraction((6 - better) ** dice - (5 - better) ** dice, 6**dice), result


def final_chances(g: Board, a: Attack, dice: int = 1) -> list[Case]:
    """Every end of a combat before the die is rolled; [] where the odds are too low."""
    now = assess(g, a)
    if now.too_low:
        return []
    a = declared(g, a)
    found: dict[tuple[Result, str], Fraction] = {}
    for chance, result in roll_chances(g, now, dice):
        for outcome, share in _answer(g, a, result).items():
            key = (result, outcome)
            found[key] = found.get(key, Fraction(0)) + chance * share
    return [Case(p, r, o) for (r, o), p in found.items()]


def _answer(g: Board, a: Attack, result: Result) -> Chances:
    """What becomes of a result's retreat."""
    if not result.retreat:
        return {"": Fraction(1)}
    best: Chances = {RETREATS: Fraction(1)}
    if not result.determined:
        return best
    h = after_loss(g, a, result)
    if result_refusal(h, a, result) is not None:
        return best
    for u in leads(h, a):
        if attempt_refusal(h, u, a, result) is None:
            found = attempt(h, a, result, u, desperate=is_desperate(h, a, result))
            if found.get(RETREATS, 0) < best[RETREATS]:
                best = {RETREATS: Fraction(0), **found}
    return {o: p for o, p in best.items() if p}


def after_loss(g: Board, a: Attack, result: Result) -> Board:
    """The board after the defender's step: the owner gives one of the strongest unit, the enemy takes a Lead Unit."""
    can = defenders_to_lose(g, a, a.side if result.by_opponent else other(a.side)) if result.defender_loss else []
    if not can:
        return g
    h = g.copy()
    good = leads(g, a)
    key = (lambda u: (u in good, -g.steps[u])) if result.by_opponent else (lambda u: (g.steps[u], u not in good))
    lose_step(h, max(can, key=key), "10.1")
    return h


def _left(g: Board, u: Unit, steps: int) -> int:
    """10.3, 10.4 The steps a unit has after losing one of that many."""
    kind = g.forces.remnant[u]
    return 0 if steps == 1 or (steps == 2 and kind and not remnants_free(g, kind)) else steps - 1


def attempt(
    g: Board, a: Attack, result: Result, lead: Unit, *, desperate: bool, supported: bool = False, delays: int = 0
) -> Chances:
    """11.4, 11.5 The chances of a Determined Defense, or of a Desperate one, led by a unit."""
    alive = tuple((u, g.steps[u]) for u in leads(g, a))
    alone = len(defenders(g, a)) == 1
    known: dict[tuple[Unit, tuple[tuple[Unit, int], ...], int], Chances] = {}

    def roll(u: Unit, alive: tuple[tuple[Unit, int], ...], delays: int) -> Chances:
        key = (u, alive, delays)
        if key in known:
            return known[key]
        t, side = tables(g.charts), other(a.side)
        drm = defense_modifier(g, u, a.target, result, supported=supported).total
        column = defense_column(g, a.target, side)
        found: Chances = {}
        for die in range(1, 7):
            cell = t.roll_defense(column, die + drm)
            e = effect_of(g, cell, a.target, side, desperate=desperate, delays=delays)
            steps = dict(alive)
            for _ in range(e.lead_loss):
                if u in steps:
                    steps[u] = _left(g, u, steps[u])
                    if not steps[u]:
                        del steps[u]
            if e.outcome == AGAIN and steps:
                left = tuple(steps.items())
                more = roll(next_lead(left), left, e.delays)
            elif e.outcome == AGAIN:
                more = {RETREATS: Fraction(1)}
            elif e.outcome in (CITY, EJECTED) and alone and not steps:
                more = {DELAYED: Fraction(1)}
            else:
                more = {e.outcome: Fraction(1)}
            for outcome, p in more.items():
                found[outcome] = found.get(outcome, Fraction(0)) + p * SIXTH
        known[key] = found
        return found

    def next_lead(left: tuple[tuple[Unit, int], ...]) -> Unit:
        def worth(item: tuple[Unit, int]) -> tuple[int, int]:
            return defense_modifier(g, item[0], a.target, result, supported=supported).total, item[1]

        return max(left, key=worth)[0]

    return roll(lead, alive, delays)


class Worth(NamedTuple):
    """What a combat brings on average."""

    attacker_steps: float
    defender_steps: float
    empties: float
    """The chance that the defenders leave the hex."""
    shatters: float
    """The chance that they leave it in Full Retreat."""


def average(cases: list[Case]) -> Worth:
    lost = taken = gone = broken = Fraction(0)
    for c in cases:
        lost += c.chance * c.result.attacker_loss
        taken += c.chance * c.result.defender_loss
        if c.outcome in (RETREATS, DELAYED, EJECTED):
            gone += c.chance
            if c.outcome == RETREATS and c.result.state == "full_retreat":
                broken += c.chance
    return Worth(float(lost), float(taken), float(gone), float(broken))
