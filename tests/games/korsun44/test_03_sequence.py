"""3.0 The sequence of play."""

from __future__ import annotations

import pytest

from kessel.core.dice import Dice
from kessel.core.procedure import PASS, apply, legal, run
from kessel.games.korsun44.board import FOR_TURN, GERMAN, PHASES, SIDES, SOVIET, Board

from .helpers import PACK, TITLE

SOVIET_TURN = ("Event", "Replacement/Reinforcement", "Movement", "Combat", "Engineering", "Disorganization/Regroup")


def play_through(scenario: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Board, list[tuple[int, str]]]:
    """A game of passes, and the phases it went through by turn."""
    seen: list[tuple[int, str]] = []
    true = Board.set_track

    def set_track(self: Board, name: str, value: int) -> None:
        true(self, name, value)
        if name == "phase":
            word = PHASES[value]
            who = "" if word.endswith("Stage") else f"{SIDES[self.phasing]} "
            seen.append((self.turn, who + word))

    monkeypatch.setattr(Board, "set_track", set_track)
    g = TITLE.new(PACK, scenario, {}, Dice(4))
    assert isinstance(g, Board)
    run(g)
    while g.stack:
        actions = legal(g)
        apply(g, PASS if PASS in actions else actions[0])
    return g, seen


@pytest.mark.rule("korsun44", "3.1a", "3.2.GB", "3.2.E3B", "3.2.F3", "3.2.F4", "3.2.E5", "3.2.F5")
def test_every_turn_goes_through_all_phases_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    g, seen = play_through("kapitanovka", monkeypatch)
    expected = ["Weather Stage", "Mutual Air Stage", "Mutual Supply Stage", "German Air Supply Stage"]
    expected += [f"soviet {p} Phase" for p in SOVIET_TURN]
    expected += [f"german {p} Phase" for p in (*SOVIET_TURN, "Breakout")]
    expected += ["Game-Turn Stage"]
    for turn in range(g.scenario.first_turn, g.scenario.last_turn + 1):
        assert [p for t, p in seen if t == turn] == expected
    assert g.turn == g.scenario.last_turn + 1
    assert TITLE.outcome(g) is not None


@pytest.mark.rule("korsun44", "3.2.GB")
@pytest.mark.parametrize("scenario", PACK.scenarios())
def test_every_scenario_is_played_to_its_last_turn(scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    g, seen = play_through(scenario, monkeypatch)
    assert {t for t, _ in seen} == set(range(g.scenario.first_turn, g.scenario.last_turn + 1))
    assert g.faults() == []


def test_a_turn_begins_without_the_flags_of_the_last_one() -> None:
    g = TITLE.new(PACK, "tinovka", {}, Dice(4))
    assert isinstance(g, Board)
    for u in (*g.on_the_map(GERMAN), *g.on_the_map(SOVIET)):
        g.set_status(u, FOR_TURN)
    run(g)
    assert not any(g.status[u] & FOR_TURN for u in (*g.on_the_map(GERMAN), *g.on_the_map(SOVIET)))
