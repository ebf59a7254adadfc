"""The German of Kharkov '43 who saves nothing on the last turn: when, what is worth what then, what it says."""

from __future__ import annotations

import re

import pytest

from kessel.bots import decide, player
from kessel.bots.advice import advise
from kessel.bots.kharkov43.commander import Commander, Finish
from kessel.core.dice import Dice
from kessel.core.game import Game
from kessel.core.procedure import asked, legal, push
from kessel.core.title import title
from kessel.games.kharkov43.board import DESTROYED, RESERVE, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET

GAME = "kharkov43"
T = title(GAME)
SPEARHEAD = ("Pz.DR.IISS", "DF.DR.IISS", "DL.DR.IISS")


def march(*, turn: int = 14, kharkov: int = SOVIET, vp: int = 20) -> Board:
    """A campaign with a panzer division south of Kharkov, and one Soviet unit in the way."""
    g = Game.new(GAME, "campaign", seed=1).board
    assert isinstance(g, Board)
    g.events = None
    for u in range(len(g.forces)):
        g.take_off(u, DESTROYED)
    for name in SPEARHEAD:
        put(g, name, "1515")
    put(g, "219.69", "1213")
    g.set_owner(at(g, "0912"), kharkov)
    g.set_track("turn", turn)
    g.set_track("vp", vp)
    return g


def at(g: Board, name: str) -> int:
    return g.map.grid.hex(name)


def put(g: Board, name: str, place: str) -> int:
    u = g.forces.unit(name)
    g.steps[u] = g.forces.full_steps[u]
    g.put(u, at(g, place))
    g.changed()
    return u


def test_until_the_last_turn_it_is_greedy():
    g = Game.new(GAME, "campaign", seed=3).board
    g.events = None
    for _ in range(25):
        action = decide(Commander(1), T, g, asked(g))
        assert action == decide(player(GAME, "greedy", 1), T, g, asked(g))
        push(g, action)
    assert isinstance(Commander(1).look(march(), GERMAN), Finish)
    assert not isinstance(Commander(1).look(march(turn=13), GERMAN), Finish)


def test_who_stands_in_the_way_is_worth_attacking():
    g = march()
    s, taken = Commander(1).look(g, GERMAN), Commander(1).look(march(kharkov=GERMAN), GERMAN)
    assert s.hex_value(at(g, "1213")) > taken.hex_value(at(g, "1213")) + 0.5
    assert s.hex_value(at(g, "2909")) == pytest.approx(taken.hex_value(at(g, "2909")))


def test_regiments_and_cards_are_not_saved():
    last, before = (Commander(1).look(march(turn=n), GERMAN).w for n in (14, 13))
    assert last.step < before.step
    assert last.card < before.card
    assert last.replacement == 0.0


def test_its_words_agree_with_the_board():
    g = march(vp=19)
    told = [a.words for a in advise(T, T.known_to(g, GERMAN), program=Commander(1)).aims]
    words = r"save nothing on the last turn; the Soviets have (\d+) points.*, and Kharkov \((\d{4})\) comes first"
    found = next((m for w in told if (m := re.fullmatch(words, w))), None)
    assert found, told
    assert found[1] == "19"
    assert g.owner[at(g, found[2])] == SOVIET + 1
    german = advise(T, T.known_to(march(kharkov=GERMAN), GERMAN), program=Commander(1))
    assert not any("comes first" in a.words for a in german.aims)
    before = advise(T, T.known_to(march(turn=13), GERMAN), program=Commander(1))
    assert not any("save nothing" in a.words for a in before.aims)


def test_what_it_may_not_know_changes_nothing():
    g, other = march(), march()
    other.dice = Dice(99)
    one, two = Commander(1), Commander(1)
    assert decide(one, T, g, GERMAN) == decide(two, T, other, GERMAN)
    assert one.reason == two.reason


def test_nobody_runs_in_circles_with_a_new_player_for_every_decision():
    g = march()
    for name in ("AH.LAH.IISS", "LG.DR.IISS"):
        put(g, name, "1615")
    seen = set()
    for _ in range(200):
        action = decide(player(GAME, "elite?rollouts=6", 1), T, g, asked(g))
        assert action in legal(g)
        state = (g.digest(), action)
        assert state not in seen
        seen.add(state)
        push(g, action)
        if not g.stack:
            break
    assert not g.stack
    assert not g.faults()
    assert all(g.box[u] != RESERVE or g.forces.side[u] == SOVIET for u in range(len(g.forces)))
