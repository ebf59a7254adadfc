"""What no program does by itself, in campaigns of curious players who are led there; read with the rules."""

from __future__ import annotations

import re

import pytest

from kessel.core.game import Game
from kessel.core.procedure import Action
from kessel.games.bug41.board import Board
from kessel.games.bug41.movement.move import Move, infiltrations
from kessel.games.bug41.movement.zones import zone_of
from kessel.games.bug41.supply.command import is_isolated
from kessel.games.bug41.turn.actions import Preparation
from kessel.games.bug41.turn.activation import Activation
from kessel.lab.census import as_json
from tests.games.curious import Played, curious_game

SEEDS = (3, 8)
OFTEN = {"move": 60, "to": 60, "activate": 30}
CHECK = re.compile(r"(\S+) (passes|fails) its check to (infiltrate|act in isolation): ")


class Led:
    """Stacks in enemy zones infiltrate, isolated ones act; the rest is as it comes."""

    def __call__(self, g: Board, by: dict[str, list[Action]]) -> Action | None:
        if "infiltrate" in by:
            return by["infiltrate"][0]
        if not isinstance(g.stack[-1], Activation):
            return None
        stacks = [a for verb in ("hasty", "move") for a in by.get(verb, ())]
        if cut_off := next((a for a in stacks if any(is_isolated(g, u) for u in a[-1])), None):
            return cut_off
        return next((a for a in by.get("move", ()) if infiltrations(g, a[1])), None)


@pytest.fixture(scope="module")
def campaigns() -> list[Played]:
    def keep(g: Board, action: Action) -> bool:
        return action[0] == "infiltrate"

    return [curious_game("bug41", "campaign", n, quota=25, often=OFTEN, wish=Led(), keep=keep) for n in SEEDS]


BY_HAND = {"verbs": {"go_on", "call_off"}, "steps": {"Preparation.decide"}}
"""What is left when some of an isolated stack fail: nobody comes to it, test_command.py plays it (PA-isolation.2b)."""


def test_they_meet_all_that_programs_never_do(campaigns: list[Played]) -> None:
    """With them every other verb and step has been in a whole game; `kessel census bug41` misses some."""
    never = [as_json(c.census)["never"] for c in campaigns]
    for what, rest in BY_HAND.items():
        assert set.intersection(*(set(n[what]) for n in never)) <= rest
    for played in campaigns:
        assert played.game.over
        assert played.game.title.faults(played.game.board) == []
        assert Game.replay(played.game.record).board.digest() == played.game.board.digest()


def checks(events: list[dict[str, str]], what: str) -> dict[str, bool]:
    found = (CHECK.match(e["what"]) for e in events)
    return {m[1]: m[2] == "passes" for m in found if m and m[3] == what}


@pytest.mark.rule("bug41", "PA-infil.1", "PA-infil.2", "PA-infil.3", "PA-infil.4", "PA-infil.5")
def test_infiltration(campaigns: list[Played]) -> None:
    """From zone to zone; each unit checks, goes or is Disrupted where it is; the points are spent either way."""
    tried = [d for c in campaigns for d in c.with_verb("infiltrate")]
    gone = 0
    for d in tried:
        g, after, h = d.before, d.after, d.action[1]
        p = g.stack[-1]
        assert isinstance(p, Move)
        assert not p.entered, "it takes the whole allowance"
        start, enemy = g.place[p.units[0]], 1 - g.forces.side[p.units[0]]
        assert g.map.grid.adjacent(start, h)
        assert zone_of(g, enemy) >> start & zone_of(g, enemy) >> h & 1
        assert not any(g.forces.side[u] == enemy and not g.forces.hq[u] for u in g.units(h))
        if isinstance(after.stack[-1], Preparation):
            continue
        said = checks(d.events, "infiltrate")
        for u in p.units:
            if said.get(g.id(u)):
                assert after.place[u] == h
                gone += 1
            elif g.id(u) in said:
                assert (after.place[u], after.is_disrupted(u)) == (start, True)
        spent = next((x for x in reversed(after.stack) if isinstance(x, Activation) and x.side == p.side), None)
        before = next(x for x in reversed(g.stack) if isinstance(x, Activation))
        if spent is not None and spent.formation == before.formation:
            assert spent.points < before.points
    assert len(tried) > 10
    assert gone > 3
