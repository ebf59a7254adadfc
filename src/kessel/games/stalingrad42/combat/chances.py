"""Exact chances of a combat: the die on the CRT, then the Determined Defense that may answer it (10.1, 11.0).

The dice are counted out, not rolled. Where a player has a choice that matters the usual one is taken and said: the
attacker takes the best of several dice (26.2), the defender tries a Determined Defense whenever he may, with the Lead
Unit that holds most often, and a Desperate one where retreat is death (11.5).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import NamedTuple, TypeVar

from kessel.core.forces import NO_UNIT, Unit
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.battle import CITY, DELAYED, EJECTED, HELD, RETREATS
from kessel.games.stalingrad42.combat.crt import Result, tables
from kessel.games.stalingrad42.combat.defense import (
    AGAIN,
    Effect,
    defense_column,
    defense_modifier,
    effect_of,
    is_desperate,
    leads,
    why_not_attempt,
    why_not_result,
)
from kessel.games.stalingrad42.combat.losses import lose_step, remnants_free
from kessel.games.stalingrad42.combat.results import defenders_to_lose
from kessel.games.stalingrad42.combat.strength.shifts import Assessment, assess
from kessel.games.stalingrad42.combat.strength.strengths import Attack, declared, defenders
from kessel.wargame.board import other

ONE = Fraction(1)
"""What chances are counted in. Programs that only estimate give the float 1.0 instead, which is quicker."""
WORDS = {HELD: "held", DELAYED: "delayed", CITY: "city battle", EJECTED: "thrown out"}
Chances = dict[str, Fraction]


class Case(NamedTuple):
    """One way a combat can end."""

    chance: Fraction
    result: Result
    outcome: str
    """RETREATS, HELD, ... for a result with a retreat; "" for one without."""


def roll_chances(g: Board, now: Assessment, dice: int = 1, one: Fraction = ONE) -> Iterator[tuple[Fraction, Result]]:
    """What the die gives on the column; of several dice the attacker takes the best."""
    t = tables(g.charts)
    if now.automatic:
        yield one, t.shattered
        return
    cells = t.columns[now.column]
    low = g.charts.constants["crt"]["best_roll"] != "high"
    for die, result in enumerate(cells, start=1):
        better = die - 1 if low else 6 - die
        yield one * ((6 - better) ** dice - (5 - better) ** dice) / 6**dice, result


def final_chances(g: Board, a: Attack, dice: int = 1, one: Fraction = ONE) -> list[Case]:
    """Every end of a combat before the die is rolled; [] where the odds are too low."""
    now = assess(g, a)
    if now.too_low:
        return []
    a = declared(g, a)
    found: dict[tuple[Result, str], Fraction] = {}
    for chance, result in roll_chances(g, now, dice, one):
        for outcome, share in _answer(g, a, result, one).items():
            key = (result, outcome)
            found[key] = found.get(key, 0 * one) + chance * share
    return [Case(p, r, o) for (r, o), p in found.items()]


def _answer(g: Board, a: Attack, result: Result, one: Fraction) -> Chances:
    """What becomes of a result's retreat."""
    if not result.retreat:
        return {"": one}
    best: Chances = {RETREATS: one}
    if not result.determined:
        return best
    h = after_loss(g, a, result)
    if why_not_result(h, a, result) is not None:
        return best
    for u in leads(h, a):
        if why_not_attempt(h, u, a, result) is None:
            found = attempt(h, a, result, u, desperate=is_desperate(h, a, result), one=one)
            if found.get(RETREATS, 0) < best[RETREATS]:
                best = {RETREATS: 0 * one, **found}
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
    g: Board,
    a: Attack,
    result: Result,
    lead: Unit,
    *,
    desperate: bool,
    supported: bool = False,
    delays: int = 0,
    one: Fraction = ONE,
) -> Chances:
    """11.4, 11.5 The chances of a Determined Defense, or of a Desperate one, led by a unit; found without boards,
    by the steps of the units that can lead."""
    able, alone = leads(g, a), len(defenders(g, a)) == 1
    drms = {u: drm_of(g, u, a, result, supported) for u in (lead, *able)}

    def after(steps: Steps, u: Unit, e: Effect) -> Steps:
        left = dict(steps)
        for _ in range(e.lead_loss):
            if u in left:
                left[u] = _left(g, u, left[u])
                if not left[u]:
                    del left[u]
        return tuple(left.items())

    found = roll_out(
        lead,
        tuple((u, g.steps[u]) for u in able),
        delays,
        lambda _, u, delays: effects(g, a, drms[u], desperate, delays),
        after=after,
        next_lead=lambda steps: max(steps, key=lambda x: (drms[x[0]], x[1]))[0] if steps else NO_UNIT,
        gone=lambda steps: alone and not steps,
        end=lambda steps: None,
        one=one,
    )
    return {outcome: p for (outcome, _), p in found.items()}


Steps = tuple[tuple[Unit, int], ...]
S = TypeVar("S", bound=Hashable)
E = TypeVar("E", bound=Hashable)


def drm_of(g: Board, u: Unit, a: Attack, result: Result, supported: bool) -> int:
    return defense_modifier(g, u, a.target, result, supported=supported).total


def effects(g: Board, a: Attack, drm: int, desperate: bool, delays: int) -> Iterator[Effect]:
    """What the six rolls on the Determined Defense Table do."""
    t, side = tables(g.charts), other(a.side)
    column = defense_column(g, a.target, side)
    for die in range(1, 7):
        cell = t.roll_defense(column, die + drm)
        yield effect_of(g, cell, a.target, side, desperate=desperate, delays=delays)


def roll_out(
    lead: Unit,
    start: S,
    delays: int,
    effects: Callable[[S, Unit, int], Iterator[Effect]],
    *,
    after: Callable[[S, Unit, Effect], S],
    next_lead: Callable[[S], Unit],
    gone: Callable[[S], bool],
    end: Callable[[S], E],
    one: Fraction = ONE,
) -> dict[tuple[str, E], Fraction]:
    """11.4, 11.5 A Determined Defense, rolled out from a state of the units: outcomes and the states they end in."""
    known: dict[tuple[Unit, S, int], dict[tuple[str, E], Fraction]] = {}

    def roll(u: Unit, here: S, delays: int) -> dict[tuple[str, E], Fraction]:
        key = (u, here, delays)
        if key in known:
            return known[key]
        found: dict[tuple[str, E], Fraction] = {}
        for e in effects(here, u, delays):
            for way, p in go_on(after(here, u, e), e).items():
                found[way] = found.get(way, 0 * one) + p / 6
        known[key] = found
        return found

    def go_on(here: S, e: Effect) -> dict[tuple[str, E], Fraction]:
        outcome = e.outcome
        if outcome == AGAIN:
            if (u := next_lead(here)) != NO_UNIT:
                return roll(u, here, e.delays)
            outcome = RETREATS
        elif outcome in (CITY, EJECTED) and gone(here):
            outcome = DELAYED
        return {(outcome, end(here)): one}

    return roll(lead, start, delays)


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
