"""A whole campaign with a little help: nobody wins before its last turn, and whoever plays tries everything once.

The help is an overlay of the scenario without Automatic Victory and with a benchmark of Turn 28 that is always met, so
that the records are those of a game like any other and replay.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import Action, options
from kessel.games import stalingrad42
from kessel.games.stalingrad42.data.forces import SOVIET
from kessel.lab.census import Census, count_action, counting

SCENARIOS = Path(stalingrad42.__file__).parent / "pack/scenarios"
HELP = (("automatic_victory = true", "automatic_victory = false"), ("vp = 24 }", "vp = -99 }"))


def to_the_end(folder: Path, scenario: str) -> Pack:
    """The data of a game that goes on to its last turn."""
    text = (SCENARIOS / f"{scenario}.toml").read_text()
    for old, new in HELP:
        text = text.replace(old, new)
    place = folder / f"stalingrad42/scenarios/{scenario}.toml"
    place.parent.mkdir(parents=True)
    place.write_text(text)
    return Pack("stalingrad42", overlays=(folder,))


class Told(NamedTuple):
    """Something told, and when the action was done that led to it."""

    turn: int
    phasing: int
    first: int
    """The side that goes first in this turn."""
    part: str
    what: str
    rule: str


ENDS = ("pass", "halt", "declare", "roll")
"""What ends a question when enough has been tried."""
IDLE = {"pass", "halt", "declare", "cancel", "remove", "eliminate", "raze", "keep"}
"""What takes back or ends, and is done only when there is nothing else to do."""
BY_THE_TURN = {"MovementPhase", "March", "CombatPhase", "InitialPhase", "SupplyPhase", "Unload"}
"""Procedures in which every verb is used a few times a turn; in others as often as it is offered."""
FIERCE = 6
"""So many attacks are made a turn."""


class Curious:
    """Does in every turn what has been done least, a little of each, and then ends the phase."""

    def __init__(self, seed: int, quota: int = 2) -> None:
        self.rng, self.quota = random.Random(seed), quota
        self.done: Counter[Any] = Counter()

    def choose(self, playing: Game) -> Action:
        g: Any = playing.board
        now = (g.turn, g.phasing, playing.side)
        by_verb: dict[str, list[Action]] = {}
        for a in options(g):
            by_verb.setdefault(a[0], []).append(a)
        fresh = [v for v in by_verb if v not in IDLE and self._is_wanted(g, v, now)]
        if "add" in fresh and self.rng.random() < 0.9:
            fresh = ["add"]
        if self._leads_army(g) and {"rail", "to", "by"} & set(by_verb):
            fresh = [v for v in ("rail", "to", "by") if v in by_verb]
        verbs = fresh or [v for v in ENDS if v in by_verb] or list(by_verb)
        verb = min(verbs, key=lambda v: (self.done[v], self.rng.random()))
        actions = self.rng.sample(by_verb[verb], min(60, len(by_verb[verb])))
        return self._do(now, max(actions, key=lambda a: self._interest(g, a, playing.side)))

    def _leads_army(self, g: Any) -> bool:
        """34.3 Reserve Armies are brought up to the front."""
        p = g.stack[-1]
        return type(p).__name__ == "March" and bool(p.units) and g.forces.type[p.units[0]] == "reserve_army"

    def _is_wanted(self, g: Any, verb: str, now: Any) -> bool:
        if type(g.stack[-1]).__name__ not in BY_THE_TURN:
            return True
        if verb in ("supply", "offensive") and now[2] == SOVIET and not g.winter_offensive:
            return False  # they are saved for the Winter Offensive (33.2.1)
        return self.done[now, verb] < (FIERCE if verb in ("attack", "move", "to", "auto_ds") else self.quota)

    def _interest(self, g: Any, action: Action, side: int) -> tuple[float, ...]:
        """Rare things first: units that could put to sea, places next to the enemy, whoever has done it least."""
        often = -self.done[action[0], action[1]] if len(action) > 1 else 0
        if action[0] == "by":
            return (action[1] == "rail",)
        if action[0] in ("to", "rail") and self._leads_army(g):
            enemies = [g.place[u] for u in g.forces.units_of[1 - side] if g.on_map(u)]
            far = [g.map.grid.distance(action[1], h) for h in enemies] if g.map.is_hex(action[1]) else []
            return (-min(far, default=999), self.rng.random())
        if action[0] == "unload":
            return (often, self.rng.random())
        if action[0] == "move":
            here = g.place[action[1]]
            if g.forces.type[action[1]] == "reserve_army" and self.rng.random() < 0.5:
                return (2, often, self.rng.random())
            by_sea = g.ground.port >> here & 1 if g.map.is_hex(here) else here in g.ground.kerch_boxes
            return (by_sea, often, self.rng.random())
        if action[0] in ("to", "step") and g.map.is_hex(action[1]) and self.rng.random() < 0.7:
            near = [u for n in (action[1], *g.map.grid.around[action[1]]) for u in g.units(n)]
            enemies = [u for u in near if g.forces.side[u] != side]
            armies = [u for u in enemies if g.forces.type[u] == "reserve_army"]
            return (len(armies), bool(enemies), self.rng.random())
        if action[0] == "attack":
            armies = [u for u in g.units(action[1]) if g.forces.type[u] == "reserve_army"]
            return (len(armies), often, self.rng.random())
        return (often, self.rng.random())

    def _do(self, now: Any, action: Action) -> Action:
        self.done[now, action[0]] += 1
        self.done[action[0]] += 1
        for x in action[1:2]:
            self.done[action[0], x] += 1
        return action


def helped_game(folder: Path, scenario: str, seed: int, quota: int = 2) -> tuple[Game, Census, list[Told]]:
    """A game to the end of its last turn, what came up in it, and what was told when."""
    options = {"contested_cities": "on", "remnants": "optional"} if seed % 2 else {}
    playing = Game.new("stalingrad42", scenario, seed=seed, pack=to_the_end(folder, scenario), options=options)
    census = Census(playing.title)
    player = Curious(seed, quota)
    told: list[Told] = []
    with counting(census):
        while not playing.over:
            census.now = ""
            action = player.choose(playing)
            census.now = f"{scenario} {seed}"
            g: Any = playing.board
            when = (g.turn, g.phasing, g.first, type(g.stack[1]).__name__)
            count_action(census, playing, lambda action=action: playing.play(action))  # type: ignore[misc]
            told += [Told(*when, e["what"], e["rule"]) for e in playing.entries[-1].events]
    census.now = ""
    return playing, census, told
