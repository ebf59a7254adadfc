"""Gymnasium: one seat learns, programs play the others; in a game for one player there are none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

from kessel.bots import decide, player
from kessel.core.errors import BadInput
from kessel.lab.environment.encoding import CHOICES, Observation
from kessel.lab.environment.match import LIMIT, Match, Reward
from kessel.lab.environment.text import tell


class Seat(gymnasium.Env[Any, Any]):
    """One side of a scenario, against programs of a level.

    A number that stands for no choice changes nothing; `info["refused"]` says so. `info["action_mask"]` is that of
    the observation.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        scenario: str,
        side: str = "",
        *,
        against: str = "random",
        options: Mapping[str, str] | None = None,
        reward: Reward = "outcome",
        choices: int = CHOICES,
        limit: int = LIMIT,
        render_mode: str | None = None,
    ) -> None:
        self.match = Match(game, scenario, options=options, reward=reward, choices=choices, limit=limit)
        t = self.match.title
        self.side = t.side(side) if side else t.played[0]
        if self.side not in t.played:
            raise BadInput(f"the rules play {t.sides[self.side]}; one can sit as {t.sides[t.played[0]]}")
        self.against, self.render_mode = against, render_mode
        self.others = {i: player(game, against, 0) for i in t.played if i != self.side}
        self.observation_space = self.match.encoding.space
        self.action_space = self.match.encoding.actions
        self._standing = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        dice = int(self.np_random.integers(1 << 31))
        self.match.restart(dice)
        self.others = {i: player(self.match.title.id, self.against, dice + i) for i in self.others}
        self._let_others_play()
        self._standing = self.match.standing(self.side)
        return self._seen(), self._info("")

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self.match.over:
            raise BadInput("the game is over: reset begins another")
        refused = self.match.choose(int(action))
        self._let_others_play()
        now = self.match.standing(self.side)
        gained, self._standing = now - self._standing, now
        return self._seen(), gained, self.match.over, self.match.cut_short, self._info(refused)

    def _let_others_play(self) -> None:
        m = self.match
        while not m.over and m.side != self.side and not m.cut_short:
            m.steps += 1
            m.act(decide(self.others[m.side], m.title, m.game.board, m.side))

    def _seen(self) -> Observation:
        return self.match.observe(self.side)

    def _info(self, refused: str) -> dict[str, Any]:
        listed = len(self.match.listed(self.side)) + self.match.has_more(self.side)
        return {"choices": listed, **({"refused": refused} if refused else {})}

    def action_masks(self) -> Any:
        """Which numbers stand for a choice now; the name that masked learners ask for."""
        return self._seen()["action_mask"].astype(bool)

    def render(self) -> str | None:
        return tell(self.match, self.side) if self.render_mode == "ansi" else None
