"""The census counts what whole games between programs meet, and names what they never do."""

from __future__ import annotations

import json
from io import StringIO

from rich.console import Console

from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import title
from kessel.lab.census import Census, as_json, count_action, counting, show, take_census
from kessel.lab.simulate import play_game
from tests.test_cli import kessel, refused

GAME, SCENARIO = "kharkov43", "initial-assault"


def test_every_decision_of_a_game_is_counted_once() -> None:
    found = take_census(GAME, [SCENARIO], ("random",), 2, seed=3)
    games = [play_game(GAME, SCENARIO, ("random",), seed, verify=False)[1] for seed in (3, 4)]
    doc = as_json(found)
    assert doc["games"] == [f"{SCENARIO} 3", f"{SCENARIO} 4"]
    verbs = [e.action[0] for playing in games for e in playing.entries]
    assert {v: row["count"] for v, row in doc["verbs"].items()} == {v: verbs.count(v) for v in verbs}
    asked = [k for k in doc["steps"] if title(GAME).procedures[k.split(".")[0]].steps]
    assert sum(doc["steps"][k]["count"] for k in asked) > len(verbs), "steps the rules carry out are counted too"
    for what in ("chapters", "verbs", "steps"):
        assert not set(doc[what]) & set(doc["never"][what])
        assert all(row["games"] <= 2 and row["first"] in doc["games"] for row in doc[what].values())
    first = {e.action[0] for e in games[0].entries}
    assert all((row["first"] == f"{SCENARIO} 3") is (v in first) for v, row in doc["verbs"].items())


def test_thinking_is_not_counted_and_the_rules_are_as_before() -> None:
    procedures = title(GAME).procedures.values()
    before = {s: s.fn for cls in procedures for s in cls.steps if s.who is None}
    found = Census(title(GAME))
    with counting(found):
        playing = Game.new(GAME, SCENARIO, seed=1, pack=Pack(GAME))
        assert not any(t.count for t in found.steps.values()), "nothing is counted that no game is said to be"
        found.now = "one"
        count_action(found, playing, lambda: playing.play(playing.legal()[0]))
    assert sum(t.count for t in found.verbs.values()) == 1
    assert all(s.fn is fn for s, fn in before.items())


def test_the_tables_name_what_never_came_up() -> None:
    found = take_census(GAME, [SCENARIO], ("random",), 1)
    text = StringIO()
    show(found, Console(file=text, width=160))
    assert f"never among the verbs ({len(as_json(found)['never']['verbs'])})" in text.getvalue()
    assert f"{SCENARIO} 0" in text.getvalue()


def test_the_command() -> None:
    done = kessel("census", f"{GAME}/{SCENARIO}", "--games", "1", "--bots", "random", "--json")
    assert done.returncode == 0, done.stderr
    doc = json.loads(done.stdout)
    assert doc["game"] == GAME
    assert doc["verbs"]["pass"]["count"] > 0
    assert "scenario" in refused("census", f"{GAME}/nowhere")
    assert "program" in refused("census", GAME, "--bots", "clever")
