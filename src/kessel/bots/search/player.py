"""The player: one plan for each moment the game names, a turn or an impulse, found by trials and carried out by the
program of the game."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import msgspec

from kessel.bots.search.choice import LEAST, Chosen, Halving
from kessel.bots.search.plans import PLAIN, USUAL, Domain, Order, Plan, orders_of
from kessel.bots.search.trials import Trial
from kessel.bots.weights import Changes, changed, check_changes
from kessel.core.board import Board
from kessel.core.dice import Dice
from kessel.core.procedure import Action
from kessel.core.title import Title


@dataclass(frozen=True, slots=True)
class Settings:
    """How much it thinks."""

    rollouts: int = 0
    """Trials for a plan; 0: as many as there is time for."""
    seconds: float = 1.0
    """CPU seconds for a plan, where trials are not counted."""
    plans: int = 12
    """Plans tried at most."""
    caution: float = 1.0
    """Errors by which a plan must lead."""
    fitted: int = 1
    """Whether positions are judged by weights fitted in the arena; 0: by the game's plain evaluation."""


class Remembered(msgspec.Struct):
    """What travels with the seat from decision to decision."""

    turn: str
    plan: list[tuple[str, str, list[tuple[str, int | float]], str]]
    words: str


class SearchPlayer:
    def __init__(self, domain: Domain, settings: Settings, seed: int = 0, changes: Changes | None = None) -> None:
        check_changes(Settings, changes or {})
        self.domain, self.settings, self.seed = domain, changed(settings, changes or {}), seed
        self.program = domain.program(seed)
        self.plan: Plan = PLAIN
        self.words = ""
        """What it wants in this turn and why: the side's own secret."""
        self.rollouts = 0
        """Trials so far."""
        self._turn: str | None = None
        self._following = False

    @property
    def reason(self) -> str:
        return self.program.reason

    def choose(self, t: Title, g: Board, side: int) -> Action:
        now = self.domain.moment(g, side)
        if now is not None and _name(now) != self._turn:
            self._turn = _name(now)
            self._take(t, self._think(t, g, side))
        self._follow(self.domain.holds(g, side))
        return self.program.choose(t, g, side)

    def _follow(self, holds: bool) -> None:
        """Where the plan does not hold the program does what it always does."""
        if holds != self._following:
            self._following = holds
            if self.plan:
                self.program.order(orders_of(self.plan) if holds else {})

    def _think(self, t: Title, g: Board, side: int) -> Chosen:
        found = self.domain.orders(g, side)
        if not found:
            return Chosen()
        seed = seed_of(t, g, side)
        usual = tuple(o for o in found if o.script == USUAL)
        trial = Trial(t, self.domain, g, side, seed, fitted=bool(self.settings.fitted), usual=usual)
        begun, s = time.process_time(), self.settings
        rollouts = int(s.rollouts * self.domain.effort(g))

        def may_go_on(n: int) -> bool:
            if rollouts:
                return trial.done + n <= rollouts
            spent = time.process_time() - begun
            return spent + n * spent / trial.done <= s.seconds

        if rollouts:
            most = min(s.plans, max(2, rollouts // 4))
        else:
            trial.value(PLAIN, 0)  # what a trial takes says how many plans there is time for
            most = min(s.plans, plans_for(s.seconds / max(time.process_time() - begun, 1e-6)))
        others: list[Plan] = [(order,) for order in found if order not in usual]
        chosen = Halving(trial.value, may_go_on, s.caution, self.domain.least).run(others, most)
        self.rollouts += trial.done
        return chosen

    def _take(self, t: Title, chosen: Chosen) -> None:
        if chosen.plan != self.plan or self._following:
            self.program.order({})
        self.plan, self.words, self._following = chosen.plan, in_words(chosen), False

    # --- between decisions -------------------------------------------------------------------------------------------

    def remember(self) -> dict[str, Any] | None:
        """What the next player in this seat must know to go on."""
        if self._turn is None:
            return None
        plan = [(o.formation, o.script, list(o.changes), o.words) for o in self.plan]
        return msgspec.to_builtins(Remembered(self._turn, plan, self.words))  # type: ignore[no-any-return]

    def recall(self, doc: dict[str, Any]) -> None:
        known = msgspec.convert(doc, Remembered)
        self._turn, self.words = known.turn, known.words
        self.plan = tuple(Order(f, s, tuple((k, v) for k, v in c), w) for f, s, c, w in known.plan)


def plans_for(trials: float) -> int:
    """How many plans so many trials can compare: each once, the better halves again, until two have had enough of them.

    >>> plans_for(5), plans_for(12), plans_for(40)
    (0, 4, 20)
    """
    most = 0
    for plans in range(1, int(trials)):
        needed, alive = 0, plans
        for _ in range(LEAST):
            needed += alive + 1
            alive = min(alive, max(2, (alive + 1) // 2))
        if needed > trials:
            break
        most = plans
    return most


def seed_of(t: Title, g: Board, side: int) -> int:
    """The luck of all trials from a position: the same for all positions the side can't tell apart."""
    h = g.copy()
    h.dice = Dice(0)
    h = t.known_to(h, side)
    h.dice = Dice(0)
    return int.from_bytes(hashlib.blake2b(h.digest().encode(), digest_size=6).digest(), "big")


def _name(turn: Hashable) -> str:
    return repr(turn)


def in_words(chosen: Chosen) -> str:
    """What it wants, what that promises, and what was rejected."""
    if not chosen.plan:
        return "No plan did better than going on as usual." if chosen.trials else ""
    wants = "; ".join(o.words for o in chosen.plan)
    found = f"{wants}: {_points(chosen.lead)} Victory Points against going on as usual, in {chosen.trials} trials."
    if chosen.beaten and chosen.beaten[-1][1] < 0:
        plan, lead, _ = chosen.beaten[-1]
        found += f" Rejected: {'; '.join(o.words for o in plan)} ({_points(lead)})."
    return found[:1].upper() + found[1:]


def _points(lead: float) -> str:
    return f"{lead:+.0f}" if abs(lead) >= 1 else f"{lead:+.1f}"
