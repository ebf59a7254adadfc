"""How one wins and what matters now, of every scenario: in words, with places, and never more than three sentences."""

from __future__ import annotations

import msgspec
import pytest

from kessel.bots import RandomPlayer
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import title
from kessel.wargame.goals import goal_faults

GAMES = ("stalingrad42", "kharkov43", "don42", "bug41", "korsun44")
SCENARIOS = [(g, s.id) for g in GAMES for s in title(g).scenarios(Pack(g))]
every_scenario = pytest.mark.parametrize(("game", "scenario"), SCENARIOS, ids=["/".join(s) for s in SCENARIOS])


@every_scenario
def test_every_scenario_says_how_it_is_won(game: str, scenario: str) -> None:
    t, pack = title(game), Pack(game)
    assert pack.has("goals.toml")
    assert goal_faults(t, pack) == []
    playing = Game.new(game, scenario, seed=1, pack=pack)
    program = RandomPlayer(1)
    for n in range(60):
        if playing.over:
            break
        if n % 20 == 0:
            before = playing.board.digest()
            for side in t.played:
                check(playing, side)
            assert playing.board.digest() == before, "asking changes nothing"
        playing.play(program.choose(t, playing.board, playing.side))


def check(playing: Game, side: int) -> None:
    t, g = playing.title, playing.board
    goal = t.goal(t.known_to(g, side), side, playing.pack, playing.scenario)
    msgspec.json.encode(goal)
    assert len(goal.how.split()) > 8
    assert len(goal.now) <= 3
    assert goal.stands
    assert goal.objectives
    for hex in (*(o.hex for o in goal.objectives), *(h for m in goal.now for h in m.hexes)):
        assert hex in g.map.grid, hex
    for m in goal.now:
        assert m.what.endswith(".")
        assert "_" not in m.what


def test_the_nearest_places_and_the_deadline_are_named() -> None:
    playing = Game.new("stalingrad42", "fall-blau", seed=1)
    goal = playing.title.goal(playing.board, 0, playing.pack, "fall-blau")
    assert "8 victory points" in goal.how
    told = [m.what for m in goal.now]
    assert any(w.startswith("The nearest you do not hold: ") and "away" in w for w in told)
    assert any("the next turn brings you 16Pz, 323Inf" in w for w in told)
    assert not any("ends" in w for w in told), "there are eight turns"
    voronezh = next(o for o in goal.objectives if o.hex == "2503")
    assert (voronezh.name, voronezh.worth, voronezh.held) == ("Voronezh", "2 points", "soviet")
    playing.board.set_track("turn", 8)
    last = playing.title.goal(playing.board, 0, playing.pack, "fall-blau")
    assert last.now[0].what == "This is the last turn."


def test_a_place_the_enemy_is_close_to_is_told() -> None:
    playing = Game.new("don42", "short-game", seed=1)
    told = [
        m
        for m in playing.title.goal(playing.board, 0, playing.pack, "short-game").now
        if "The enemy is within" in m.what
    ]
    assert told
    assert told[0].hexes
