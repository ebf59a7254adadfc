"""What a hand says in a fight: which tactics can be played with each card now, and why the others cannot."""

from __future__ import annotations

from kessel.core.game import Game
from kessel.core.procedure import PASS, options
from kessel.games.kharkov43.data.forces import GERMAN


def test_a_hand_offers_in_a_fight_what_is_listed_and_says_why_not() -> None:
    game = Game.new("kharkov43", "initial-assault", seed=1)
    asked = wild = 0
    whys: set[str] = set()
    for _ in range(60):
        listed = list(options(game.board))
        if any(a[0] == "tactic" for a in listed):
            asked += 1
            hand = [c for c in game.view(GERMAN).table.cards if c.where == "hand"]
            offered = {("tactic", c.id, u.word) for c in hand for u in c.tactics if not u.why}
            assert offered == {a for a in listed if a[0] == "tactic"}
            whys |= {u.why for c in hand for u in c.tactics if u.why}
            wild += any(len(c.tactics) > 4 for c in hand)
        else:
            assert not any(
                u.word == "any" and u.says != "Any tactic" for c in game.view(GERMAN).table.cards for u in c.tactics
            )
        game.play(PASS if PASS in listed else listed[0])
    assert asked > 3
    assert wild, "a card that is any tactic names them"
    assert any("never helps" in why for why in whys)
