"""The tactician: its next attack by what comes of it on average, thought over anew after each battle."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from kessel.bots import decide, player
from kessel.bots.don42.tactics import HeronFights
from kessel.bots.search.tactics import Outlook, Tactician, Tactics
from kessel.core.board import Board
from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.core.procedure import PASS, asked, options, outcomes, push
from kessel.core.title import title
from kessel.games.don42.combat.combat import CombatPhase

DON = title("don42")


@cache
def before_an_attack() -> Board:
    """Crossing the Don where the Germans choose their first attack."""
    g = Game.new("don42", "crossing-the-don", seed=3).board
    programs = {s: player("don42", "greedy", s) for s in DON.played}
    while g.stack[-1].step is not CombatPhase.attack or not any(a[0] == "attack" for a in options(g)):
        side = asked(g)
        push(g, decide(programs[side], DON, g, side))
    return g


class Flat(HeronFights):
    """Nothing is better than anything else."""

    def worth(self, g: Any, side: int) -> float:
        return 0.0


class Weird(HeronFights):
    """What matters is that one hex is empty of enemies."""

    def __init__(self, target: int) -> None:
        self.target = target

    def worth(self, g: Any, side: int) -> float:
        return 0.0 if g.enemies_in(self.target, side) else 10.0


def tactician(fights: Any, **numbers: float) -> Tactician:
    return Tactician(fights, Tactics(trust=0.0), 1, numbers)


def test_an_attack_that_leads_nowhere_is_not_made() -> None:
    g = before_an_attack()
    assert tactician(Flat()).choose(DON, g, asked(g)) == PASS
    assert tactician(Flat(), least=-1.0).choose(DON, g, asked(g))[0] == "attack"


def test_what_the_program_thinks_counts_as_much_as_it_is_trusted() -> None:
    g = before_an_attack()
    side = asked(g)
    assert Tactician(Flat(), Tactics(trust=1.0)).choose(DON, g, side) == player("don42", "greedy").choose(DON, g, side)


def test_the_attack_with_the_best_mean_is_made_and_the_board_left_as_it_is() -> None:
    g = before_an_attack()
    side = asked(g)
    before = g.digest()
    targets = [w.action[1] for w in _seen(g, side)][:4]
    for target in targets:
        assert tactician(Weird(target)).choose(DON, g, side) == ("attack", target)
    assert g.digest() == before


def _seen(g: Board, side: int) -> list[Any]:
    program = HeronFights.program(1)
    chosen = program.choose(DON, g, side)
    return sorted(HeronFights().attacks(program, g, side, chosen), key=lambda w: -w.worth)


def test_the_mean_is_over_all_dice() -> None:
    """Worked out once more by hand: every fall of the die of an attack, the rest decided by the programs."""
    g = before_an_attack()
    side = asked(g)
    target = _seen(g, side)[0].action[1]
    fights = Weird(target)
    programs = {s: fights.program(s) for s in DON.played}

    def value(h: Board) -> float:
        if len(h.stack) <= len(g.stack):
            return fights.worth(h, side)
        s = asked(h)
        after = outcomes(h, programs[s].choose(DON, h, s))
        return sum(float(p) * value(x) for p, _, x in after)

    start = g.copy()
    push(start, ("attack", target))
    wanted = value(start)
    assert 0 < wanted <= 10
    assert Outlook(DON, fights, g, side, 12).mean(("attack", target)) == pytest.approx(wanted)


@pytest.mark.parametrize(("game", "scenario", "steps"), [("don42", "crossing-the-don", 260), ("bug41", "voinitsa", 60)])
def test_it_plays_by_the_rules_and_alike(game: str, scenario: str, steps: int) -> None:
    t, ends = title(game), []
    for _ in range(2):
        g = Game.new(game, scenario, seed=4).board
        programs = {s: player(game, "tactician?attacks=2,ways=6", s) for s in t.played}
        for _ in range(steps):
            side = asked(g)
            action = decide(programs[side], t, g, side)
            assert options(g).allows(action)
            push(g, action)
        ends.append(g.digest())
    assert ends[0] == ends[1]


def test_its_numbers_are_checked() -> None:
    with pytest.raises(BadInput, match="no number 'luck'"):
        player("don42", "tactician?luck=1")
