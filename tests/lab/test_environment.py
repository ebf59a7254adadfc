"""The environments under the libraries' own tests, and what they may not do: show what is hidden, lose a choice."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, performance_benchmark, seed_test

from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.title import title, titles
from kessel.lab.environment import Duel, Match, Seat, tell
from kessel.lab.environment.encoding import CHOICE_COLUMNS, Encoding
from kessel.lab.environment.text import act

ALL = [(t.id, s.id) for t in titles().values() for s in t.scenarios(Pack(t.id))]
FIRST = [(t.id, t.scenarios(Pack(t.id))[0].id) for t in titles().values()]


def picks(seed: int) -> Iterator[int]:
    """Numbers to pick choices by."""
    rng = np.random.default_rng(seed)
    while True:
        yield int(rng.integers(1 << 30))


def walk(env: Duel, steps: int, seed: int = 0) -> list[int]:
    """Choose at random so many times, or until the game is over."""
    done, number = [], picks(seed)
    for _ in range(steps):
        seen, _, over, cut, _ = env.last()
        if over or cut:
            break
        legal = np.flatnonzero(seen["action_mask"])
        done.append(int(legal[next(number) % len(legal)]))
        env.step(done[-1])
    return done


@pytest.mark.parametrize(("game", "scenario"), ALL)
def test_observations_are_of_the_shape_that_is_said(game: str, scenario: str) -> None:
    env = Duel(game, scenario)
    env.reset(seed=3)
    walk(env, 12)
    for agent in env.agents:
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert seen["planes"].shape[0] == len(env.match.encoding.planes)
        assert np.isfinite(seen["planes"]).all()


@pytest.mark.parametrize(("game", "scenario"), ALL)
def test_pettingzoo_finds_nothing_wrong(game: str, scenario: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about values of observations beyond noughts and ones
        api_test(Duel(game, scenario, reward="points"), num_cycles=60)
        seed_test(lambda: Duel(game, scenario), num_cycles=15)


@pytest.mark.parametrize(("game", "scenario"), FIRST)
def test_pettingzoo_measures_it(game: str, scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It plays for five seconds and prints what it counted."""
    performance_benchmark(Duel(game, scenario))
    assert float(capsys.readouterr().out.split(" turns per second")[0].split()[-1]) > 1


@pytest.mark.parametrize(("game", "scenario"), ALL)
def test_gymnasium_finds_nothing_wrong(game: str, scenario: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(Seat(game, scenario, choices=64), skip_render_check=True)


def test_a_whole_game_pays_one_side_what_it_takes_from_the_other() -> None:
    env = Duel("bug41", "ustyluh")
    env.reset(seed=2)
    total = dict.fromkeys(env.agents, 0.0)
    number = picks(5)
    while env.agents:
        seen, reward, over, cut, _ = env.last()
        total[env.agent_selection] += reward
        if over or cut:
            env.step(None)
            continue
        legal = np.flatnonzero(seen["action_mask"])
        env.step(int(legal[next(number) % len(legal)]))
    out = env.match.game.outcome()
    assert env.match.over
    assert out is not None
    winner = None if out.winner is None else env.match.title.sides[out.winner]
    assert total == {agent: 0.0 if winner is None else 1.0 if agent == winner else -1.0 for agent in total}


def test_points_are_paid_as_they_change() -> None:
    env = Duel("don42", "freestyle", reward="points")
    env.reset(seed=1)
    before = env.match.standing(0)
    paid = 0.0
    for number in range(40):
        seen = env.observe(env.agent_selection)
        env.step(int(np.flatnonzero(seen["action_mask"])[number % seen["action_mask"].sum()]))
        paid += env.rewards["german"]
        assert env.rewards["german"] == -env.rewards["soviet"]
    assert paid == env.match.standing(0) - before


def test_pages_hold_every_choice() -> None:
    wide, narrow = Match("don42", "freestyle"), Match("don42", "freestyle", choices=7)
    side = wide.side
    found = []
    while not found or narrow.page:
        found += narrow.listed(side)
        assert narrow.has_more(side)
        assert narrow.observe(side)["action_mask"].all() == (len(narrow.listed(side)) == 6)
        assert narrow.choose(len(narrow.listed(side))) == ""
    assert found == list(wide.listed(side))
    assert len(found) > 14
    assert narrow.game.board.digest() == wide.game.board.digest(), "turning pages changes nothing"


def test_a_number_without_a_choice_changes_nothing() -> None:
    seat = Seat("kharkov43", "initial-assault")
    seat.reset(seed=1)
    before = seat.match.game.board.digest()
    _, reward, over, cut, info = seat.step(seat.match.encoding.choices - 1)
    assert (reward, over, cut) == (0.0, False, False)
    assert "there is no choice" in info["refused"]
    assert seat.match.game.board.digest() == before


def test_a_match_is_cut_short_at_its_limit() -> None:
    seat = Seat("don42", "crossing-the-don", limit=5)
    seat.reset(seed=1)
    for _ in range(5):
        *_, over, cut, _ = seat.step(0)
        if over or cut:
            break
    assert cut
    assert not over


def test_the_same_seed_is_the_same_match_against_a_program() -> None:
    seats = [Seat("bug41", "ustyluh", "german", against="greedy") for _ in range(2)]
    for seat in seats:
        seat.reset(seed=11)
        for i in range(25):
            seat.step(int(np.flatnonzero(seat.action_masks())[i % 3 % seat.action_masks().sum()]))
    assert seats[0].match.game.board.digest() == seats[1].match.game.board.digest()


def test_choices_say_what_they_are_about() -> None:
    m = Match("stalingrad42", "fall-blau")
    moved = False
    number = picks(4)
    for _ in range(400):
        listed = m.listed(m.side)
        for row, action in zip(m.observe(m.side)["choices"], listed, strict=False):
            named = dict(zip(CHOICE_COLUMNS, row, strict=True))
            assert list(m.encoding.verbs)[int(named["verb"])] == action[0]
            if action[0] == "move":
                moved = True
                assert named["unit"] == action[1]
        if moved:
            return
        m.choose(next(number) % len(listed))
    raise AssertionError("nobody ever moved")


def test_counters_stand_in_planes_where_they_stand_on_the_map() -> None:
    m = Match("don42", "short-game")
    e, g = m.encoding, m.game.board
    planes, units = (m.observe(0)[key] for key in ("planes", "units"))
    own, enemy = (planes[e.planes.index(f"{who} units")] for who in ("own", "enemy"))
    for side, plane in enumerate((own, enemy)):
        standing = [u for u in range(len(g.forces)) if g.forces.side[u] == side and 0 <= g.place[u] < g.map.grid.size]
        assert plane.sum() == len(standing) > 20
        for u in standing:
            cell = divmod(g.place[u], e.width)
            assert plane[cell] >= 1
            assert tuple(units[u][3:5]) == cell
            assert units[u][0] == 1
            assert units[u][1 + side] == 1
    assert planes[0].sum() == len(g.map.grid.hexes)


def test_words_on_counters_have_their_columns() -> None:
    assert Encoding.state_column("disrupted") == Encoding.state_column("disrupted")
    assert len({Encoding.state_column(w) for w in ("disrupted", "out of supply", "isolated", "routed")}) == 4


def test_the_position_in_words_lists_what_is_legal() -> None:
    m = Match("bug41", "ustyluh")
    text = tell(m, m.side)
    assert "(you)" in text
    assert "must choose" in text
    for choice in m.game.legal_texts():
        assert f"  {choice}\n" in text + "\n"
    assert "must choose" in tell(m, 1 - m.side)
    assert m.game.legal_texts()[0] + "\n" not in tell(m, 1 - m.side)


def test_an_action_in_words_is_played_or_refused_with_its_reason() -> None:
    m = Match("bug41", "ustyluh")
    before = m.game.board.digest()
    assert "there is no action 'fly'" in act(m, "fly home")
    assert m.game.board.digest() == before
    assert act(m, m.game.legal_texts()[0]) == ""
    assert m.game.board.digest() != before


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(BadInput, match="by outcome or points"):
        Match("bug41", "ustyluh", reward="glory")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="two choices at least"):
        Match("bug41", "ustyluh", choices=1)
    with pytest.raises(BadInput, match="one can sit as german"):
        Seat("kharkov43", "campaign", "soviet")
    with pytest.raises(BadInput, match="no program"):
        Seat("bug41", "ustyluh", against="nobody")


@pytest.mark.parametrize(("game", "scenario"), FIRST)
def test_sides_learn_nothing_that_is_hidden_from_them(game: str, scenario: str) -> None:
    """What a side does not know may be anything: boards that differ in nothing else look the same to it, in arrays,
    in words, and in what it is rewarded for."""
    t, m = title(game), Match(game, scenario, reward="points")
    number, differ = picks(8), 0
    for step in range(240):
        if m.over:
            break
        if step % 12 == 0:
            g, side = m.game.board, m.side
            other = t.known_to(g, side)
            differ += other.digest() != g.digest()
            assert t.standing(g, side) == t.standing(other, side)
            one, two = (m.encoding.observe(b, side, m.listed(side), False) for b in (g, other))
            for key, value in one.items():
                assert np.array_equal(value, two[key]), key
            told = tell(m, side)
            m.game.board = other
            assert tell(m, side) == told
            m.game.board = g
        m.choose(next(number) % len(m.listed(m.side)))
    assert differ or game not in ("kharkov43", "korsun44"), "something was hidden"
