"""A player who does in every turn what has been done least, a little of each: whole games that meet the rare rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from kessel.core.game import Game
from kessel.core.procedure import Action, asked, options
from kessel.lab.census import Census, count_action, counting

ENDS = ("pass", "halt", "engage")
"""What ends a question when enough has been tried, and now and then before."""
SOON = 0.1
SAMPLE = 40
"""Actions of a verb that are weighed."""

Wish = Callable[[Any, dict[str, list[Action]]], Action | None]
"""Of the legal actions, by verb, the one that is wanted before all others; or None."""


class Done(NamedTuple):
    """An action, the board it was done on and the one it led to, and what was told."""

    action: Action
    before: Any
    after: Any
    events: list[dict[str, Any]]

    def told(self, rule: str) -> list[str]:
        return [e["what"] for e in self.events if e["rule"] == rule]


class Played(NamedTuple):
    game: Game
    census: Census
    kept: list[Done]

    def with_verb(self, *verbs: str) -> list[Done]:
        return [d for d in self.kept if d.action[0] in verbs]


class Curious:
    """Uses every verb a few times a turn, the rarest first, and then ends the question."""

    def __init__(self, seed: int, quota: int, often: Mapping[str, int]) -> None:
        self.rng, self.quota, self.often = random.Random(seed), quota, often
        self.done: Counter[Any] = Counter()

    def choose(self, g: Any, by_verb: dict[str, list[Action]], side: int) -> Action:
        turn = (g.turn, side)
        fresh = [v for v in by_verb if v not in ENDS and self.done[turn, v] < self.often.get(v, self.quota)]
        ends = [v for v in ENDS if v in by_verb]
        verbs = ends if ends and (not fresh or self.rng.random() < SOON) else fresh or list(by_verb)
        verb = min(verbs, key=lambda v: (self.done[v], self.rng.random()))
        some = self.rng.sample(by_verb[verb], min(SAMPLE, len(by_verb[verb])))
        action = max(some, key=lambda a: self._interest(g, a, side))
        self.done[turn, verb] += 1
        self.done[verb] += 1
        self.done[action[:2]] += 1
        return action

    def _interest(self, g: Any, action: Action, side: int) -> tuple[float, ...]:
        """Whoever has done it least; of hexes those near the enemy."""
        last = action[-1]
        if action[0] in ("to", "step") and isinstance(last, int) and g.map.is_hex(last) and self.rng.random() < 0.7:
            near = (u for n in (last, *g.map.grid.around[last]) for u in g.units(n))
            return (float(any(g.forces.side[u] != side for u in near)), self.rng.random())
        return (-self.done[action[:2]], self.rng.random())


def curious_game(
    game: str,
    scenario: str,
    seed: int = 1,
    *,
    quota: int = 2,
    often: Mapping[str, int] = MappingProxyType({}),
    until: int = 999,
    most: int = 20_000,
    wish: Wish = lambda g, by_verb: None,
    keep: Callable[[Any, Action], bool] = lambda g, action: False,
    players: tuple[Any, ...] = (),
    **rules: str,
) -> Played:
    """Play to that turn or to the end; `players` decide (by side) what nobody wishes, else the curious do."""
    playing = Game.new(game, scenario, seed=seed, options=rules)
    found, curious = Played(playing, Census(playing.title), []), Curious(seed, quota, often)
    with counting(found.census):
        while not playing.over and playing.board.turn < until and len(playing.entries) < most:  # type: ignore[attr-defined]
            g: Any = playing.board
            found.census.now = ""
            side = asked(g)
            by_verb: dict[str, list[Action]] = {}
            for a in options(g):
                by_verb.setdefault(a[0], []).append(a)
            action = wish(g, by_verb)
            if action is None and players:
                action = players[side].choose(playing.title, playing.title.known_to(g, side), side)
            action = action or curious.choose(g, by_verb, side)
            before = g.copy() if keep(g, action) else None
            found.census.now = f"{scenario} {seed}"
            count_action(found.census, playing, lambda action=action, side=side: playing.play(action, side))  # type: ignore[misc]
            if before is not None:
                found.kept.append(Done(action, before, g.copy(), list(playing.entries[-1].events)))
    found.census.now = ""
    return found
