"""A match: a game behind an environment. Choices by number, page by page, and what a side has gained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import Action, push
from kessel.core.title import title
from kessel.lab.environment.encoding import CHOICES, Encoding, Observation

Reward = Literal["outcome", "points"]
REWARDS: tuple[Reward, ...] = ("outcome", "points")
LIMIT = 50_000
"""A match is cut short after so many choices, turned pages and refused ones included."""


class Match:
    def __init__(
        self,
        game: str,
        scenario: str,
        *,
        options: Mapping[str, str] | None = None,
        reward: Reward = "outcome",
        choices: int = CHOICES,
        limit: int = LIMIT,
    ) -> None:
        if reward not in REWARDS:
            raise BadInput(f"rewards are counted by {' or '.join(REWARDS)}, not by {reward!r}")
        if choices < 2:
            raise BadInput(f"a page has room for two choices at least, not for {choices}")
        self.title, self.pack, self.scenario = title(game), Pack(game), scenario
        self.options, self.reward, self.limit = dict(options or {}), reward, limit
        self.game = self._begin(0)
        self.encoding = Encoding(self.game, choices)
        self.steps = self.page = 0
        self._legal: list[Action] = []
        self.restart(0)

    def _begin(self, seed: int) -> Game:
        return Game.new(self.title.id, self.scenario, seed=seed, options=self.options, pack=self.pack)

    def restart(self, seed: int) -> None:
        """A new game with these dice."""
        self.game = self._begin(seed)
        self.steps, self.page, self._legal = 0, 0, self.game.legal()

    @property
    def side(self) -> int:
        """The side that must choose; -1 when the game is over."""
        return self.game.side

    @property
    def over(self) -> bool:
        return self.game.over

    @property
    def cut_short(self) -> bool:
        return self.steps >= self.limit and not self.over

    # --- choices ---------------------------------------------------------------------------------------------------

    @property
    def _room(self) -> int:
        """How many actions stand on a page: where there are several pages, the last choice turns it."""
        most = self.encoding.choices
        return most if len(self._legal) <= most else most - 1

    def listed(self, side: int) -> Sequence[Action]:
        """The actions on the page before a side; none if it is not asked."""
        start = self.page * self._room
        return self._legal[start : start + self._room] if side == self.side else ()

    def has_more(self, side: int) -> bool:
        """Whether there is a page to be turned."""
        return side == self.side and len(self._legal) > self.encoding.choices

    def observe(self, side: int) -> Observation:
        return self.encoding.observe(self.game.board, side, self.listed(side), self.has_more(side))

    def choose(self, number: int) -> str:
        """Carry out the choice of that number for the side that is asked; why not, where there is none such."""
        listed = self.listed(self.side)
        self.steps += 1
        if 0 <= number < len(listed):
            self.act(listed[number])
            return ""
        if number == len(listed) and self.has_more(self.side):
            self.page = (self.page + 1) % -(-len(self._legal) // self._room)
            return ""
        return f"there is no choice {number}; there are {len(listed)}"

    def act(self, action: Action) -> None:
        """Carry out a legal action. Nothing is recorded for undo: a match only goes forward."""
        g = self.game.board
        push(g, action)
        g.dice.take()
        g.events = None
        self.page, self._legal = 0, self.game.legal()

    # --- rewards ---------------------------------------------------------------------------------------------------

    def standing(self, side: int) -> float:
        """What a side has by now: points as they would count, or nothing before the game is won or lost."""
        if self.reward == "points":
            return self.title.standing(self.game.board, side)
        out = self.game.outcome()
        if out is None or out.winner is None or not self.over:
            return 0.0
        return 1.0 if out.winner == side else -1.0
