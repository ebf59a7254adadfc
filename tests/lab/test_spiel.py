"""The games under OpenSpiel: its own random simulation, copies, and the same course for the same history."""

from __future__ import annotations

import random

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'kessel[spiel]'")


def load(game: str, scenario: str, **more: int) -> object:
    import kessel.lab.environment.spiel  # noqa: F401

    return pyspiel.load_game("python_kessel", {"game": game, "scenario": scenario, **more})


def test_openspiel_finds_nothing_wrong() -> None:
    pyspiel.random_sim_test(load("bug41", "voinitsa", choices=64), num_sims=1, serialize=False, verbose=False)


def test_a_game_for_one_player() -> None:
    game = load("kharkov43", "initial-assault")
    assert game.num_players() == 1  # type: ignore[attr-defined]


def test_a_copy_goes_its_own_way_and_history_tells_all() -> None:
    game = load("bug41", "voinitsa", choices=16)
    state, rng = game.new_initial_state(), random.Random(1)  # type: ignore[attr-defined]
    state.apply_action(7)
    for _ in range(60):
        state.apply_action(rng.choice(state.legal_actions()))
    copy = state.clone()
    assert str(copy) == str(state)
    before = str(state)
    copy.apply_action(copy.legal_actions()[-1])
    assert str(state) == before != str(copy)
    again = game.new_initial_state()  # type: ignore[attr-defined]
    for action in state.history():
        again.apply_action(action)
    assert str(again) == before
    player = state.current_player()
    assert [state.action_to_string(player, a) for a in state.legal_actions()]


def test_what_a_player_sees() -> None:
    game = load("bug41", "voinitsa")
    state = game.new_initial_state()  # type: ignore[attr-defined]
    state.apply_action(0)
    observer = game.make_py_observer()  # type: ignore[attr-defined]
    observer.set_from(state, 0)
    assert observer.tensor.any()
    assert "german" in observer.string_from(state, 0)
