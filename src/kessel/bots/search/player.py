"""The player: one plan a turn, found by trials, carried out by the program of the game."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import msgspec

from kessel.bots.search.choice import LEAST, Chosen, Halving
from kessel.bots.search.plans import PLAIN, Domain, Order, Plan, orders_of
from kessel.bots.search.trials import Trial
from kessel.bots.weights import Changes, changed, check_changes
from kessel.core.board import Board
from kessel.core.procedure import Action
from kessel.core.title import Title


@dataclass(frozen=True, slots=True)
class Settings:
    """How much it thinks."""

    rollouts: int = 0
    """Trials a turn; 0: as many as there is time for."""
    seconds: float = 1.0
    """CPU seconds for the plan of a turn, where trials are not counted."""
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
        now = self.domain.turn(g, side)
        if now is not None and _name(now) != self._turn:
            self._turn = _name(now)
            self._take(t, self._think(t, g, side))
        self._follow(now is not None)
        return self.program.choose(t, g, side)

    def _follow(self, own_turn: bool) -> None:
        """The plan holds in the side's own turn; in the other's the program does what it always does."""
        if own_turn != self._following:
            self._following = own_turn
            if self.plan:
                self.program.order(orders_of(self.plan) if own_turn else {})

    def _think(self, t: Title, g: Board, side: int) -> Chosen:
        found = self.domain.orders(g, side)
        if not found:
            return Chosen()
        seed = int.from_bytes(hashlib.blake2b(g.digest().encode(), digest_size=6).digest(), "big")
        trial = Trial(t, self.domain, g, side, seed, fitted=bool(self.settings.fitted))
        begun, s = time.process_time(), self.settings

        def may_go_on(n: int) -> bool:
            if s.rollouts:
                return trial.done + n <= s.rollouts
            spent = time.process_time() - begun
            return spent + n * spent / trial.done <= s.seconds

        if s.rollouts:
            most = min(s.plans, max(2, s.rollouts // 4))
        else:
            trial.value(PLAIN, 0)  # what a trial takes says how many plans there is time for
            most = min(s.plans, plans_for(s.seconds / max(time.process_time() - begun, 1e-6)))
        chosen = Halving(trial.value, may_go_on, s.caution, self.domain.least).run([(order,) for order in found], most)
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


def _name(turn: Hashable) -> str:
    return repr(turn)


def in_words(chosen: Chosen) -> str:
    """What it wants, what that promises, and what was rejected."""
    if not chosen.plan:
        return "No plan did better than going on as usual." if chosen.trials else ""
    wants = "; ".join(o.words for o in chosen.plan)
    found = f"{wants}: {chosen.lead:+.0f} Victory Points against going on as usual, in {chosen.trials} trials."
    if chosen.beaten and chosen.beaten[-1][1] < 0:
        plan, lead, _ = chosen.beaten[-1]
        found += f" Rejected: {'; '.join(o.words for o in plan)} ({lead:+.0f})."
    return found[:1].upper() + found[1:]
