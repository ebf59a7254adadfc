"""OpenSpiel: every scenario as a game of that library, for its algorithms.

    import kessel.lab.environment.spiel
    game = pyspiel.load_game("python_kessel", {"game": "bug41", "scenario": "ustyluh"})

The first node is chance and draws the dice: one of `dice` seeds, all equally likely. From there on a line of play has
one course, so that it can be told by its history and copied. An action is the number of a choice on the page, as in the
other environments; where there are more choices than a page holds, the last number turns it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from kessel.core.game import Game
from kessel.lab.environment.encoding import CHOICES
from kessel.lab.environment.match import Match
from kessel.lab.environment.text import tell

LIMIT = 20_000
TYPE = pyspiel.GameType(
    short_name="python_kessel",
    long_name="Kessel: operational hex-and-counter wargames",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=1,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={"game": "bug41", "scenario": "ustyluh", "choices": CHOICES, "dice": 1024},
)


class _Kept:
    """A match that copies what changes and shares the rest."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def __deepcopy__(self, memo: dict[int, Any]) -> _Kept:
        old = self.match
        new = Match.__new__(Match)
        new.__dict__.update(old.__dict__)
        new.game = Game.__new__(Game)
        new.game.__dict__.update(old.game.__dict__)
        new.game.board = old.game.board.copy()
        new._legal = new.game.legal()
        return _Kept(new)


class KesselGame(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, params: Any = None) -> None:
        p = {**TYPE.parameter_specification, **(params or {})}
        self.begun = Match(str(p["game"]), str(p["scenario"]), choices=int(p["choices"]), limit=LIMIT)
        self.dice = int(p["dice"])
        info = pyspiel.GameInfo(
            num_distinct_actions=int(p["choices"]),
            max_chance_outcomes=self.dice,
            num_players=len(self.begun.title.played),
            min_utility=-1.0,
            max_utility=1.0,
            max_game_length=LIMIT,
        )
        super().__init__(TYPE, info, params or {})

    def new_initial_state(self) -> KesselState:
        return KesselState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> KesselObserver:
        return KesselObserver(self)


class KesselState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: KesselGame) -> None:
        super().__init__(game)
        self._begun, self._dice = _Shared(game.begun), game.dice
        self._kept: _Kept | None = None

    @property
    def match(self) -> Match | None:
        """None while the dice are not drawn."""
        return None if self._kept is None else self._kept.match

    def current_player(self) -> int:
        m = self.match
        if m is None:
            return int(pyspiel.PlayerId.CHANCE)
        if m.over or m.cut_short:
            return int(pyspiel.PlayerId.TERMINAL)
        return m.title.played.index(m.side)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(i, 1 / self._dice) for i in range(self._dice)]

    def _legal_actions(self, player: int) -> list[int]:
        m = self.match
        if m is None:
            return list(range(self._dice))
        side = m.title.played[player]
        return list(range(len(m.listed(side)) + m.has_more(side)))

    def _apply_action(self, action: int) -> None:
        if self._kept is None:
            self._kept = _Kept(_fresh(self._begun.match, action))
            return
        self._kept.match.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        m = self.match
        if m is None or player < 0:
            return f"dice {action}"
        listed = m.listed(m.side)
        return m.game.text(listed[action]) if action < len(listed) else "turn the page"

    def is_terminal(self) -> bool:
        m = self.match
        return m is not None and (m.over or m.cut_short)

    def returns(self) -> list[float]:
        m = self.match
        played = self._begun.match.title.played
        return [0.0] * len(played) if m is None else [m.standing(side) for side in played]

    def __str__(self) -> str:
        m = self.match
        return "the dice are drawn" if m is None else f"{m.game.board.digest()} after {m.steps}, page {m.page}"


class _Shared:
    """What all copies of a state share."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def __deepcopy__(self, memo: dict[int, Any]) -> _Shared:
        return self


def _fresh(begun: Match, seed: int) -> Match:
    new = Match.__new__(Match)
    new.__dict__.update(begun.__dict__)
    new.restart(seed)
    return new


class KesselObserver:
    """The hex planes as one row of numbers, and the position as text; nothing hidden from the player."""

    def __init__(self, game: KesselGame) -> None:
        shape = game.begun.encoding.space["planes"].shape
        assert shape is not None
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"planes": np.reshape(self.tensor, shape)}

    def set_from(self, state: KesselState, player: int) -> None:
        m = state.match
        self.tensor.fill(0)
        if m is not None:
            self.dict["planes"][:] = m.observe(m.title.played[player])["planes"]

    def string_from(self, state: KesselState, player: int) -> str:
        m = state.match
        return "the dice are drawn" if m is None else tell(m, m.title.played[player])


pyspiel.register_game(TYPE, KesselGame)
