"""PettingZoo: all sides that are played learn, each when it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gymnasium import spaces
from pettingzoo import AECEnv

from kessel.lab.environment.encoding import CHOICES, Observation
from kessel.lab.environment.match import LIMIT, Match, Reward
from kessel.lab.environment.text import tell


class Duel(AECEnv):  # type: ignore[misc]
    """One scenario. Agents are the sides by name; whoever must choose is next, also several times running.

    A number that stands for no choice changes nothing; `infos[agent]["refused"]` says so.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "kessel_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        scenario: str,
        *,
        options: Mapping[str, str] | None = None,
        reward: Reward = "outcome",
        choices: int = CHOICES,
        limit: int = LIMIT,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.match = Match(game, scenario, options=options, reward=reward, choices=choices, limit=limit)
        self.render_mode = render_mode
        t = self.match.title
        self._sides = {t.sides[i]: i for i in t.played}
        self.possible_agents = list(self._sides)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.match.encoding.space

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.match.encoding.actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The dice are those of the seed; without one, of the number after the last."""
        self._seed = seed if seed is not None else getattr(self, "_seed", -1) + 1
        self.match.restart(self._seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._standing = {agent: self.match.standing(side) for agent, side in self._sides.items()}
        self._next()

    def observe(self, agent: str) -> Observation:
        return self.match.observe(self._sides[agent])

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        if action is None:
            raise ValueError(f"{agent} must choose")
        self._cumulative_rewards[agent] = 0.0
        refused = self.match.choose(int(action))
        self.infos[agent] = {"refused": refused} if refused else {}
        for name, side in self._sides.items():
            now = self.match.standing(side)
            self.rewards[name] = now - self._standing[name]
            self._standing[name] = now
        if self.match.over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.match.cut_short:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._next()

    def _next(self) -> None:
        if not self.match.over:
            self.agent_selection = self.match.title.sides[self.match.side]

    def render(self) -> str | None:
        return tell(self.match, self.match.side) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to be let go."""
