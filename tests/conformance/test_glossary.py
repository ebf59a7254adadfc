"""The glossary of every game; that no term a player reads is missing in it, test_words.py sees to."""

from __future__ import annotations

import pytest

from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import title
from kessel.core.words import MOST_LETTERS, word_faults, words_of

GAMES = ("stalingrad42", "kharkov43", "don42", "bug41", "korsun44")


@pytest.mark.parametrize("game", GAMES)
def test_the_glossary_is_sound(game: str) -> None:
    pack = Pack(game)
    words = words_of(pack)
    assert len(words) >= 25
    assert word_faults(pack) == []
    overlays = title(game).overlays(Game.new(game, title(game).scenarios(pack)[0].id, seed=1).board, None)
    for w in words:
        assert len(w.means) <= MOST_LETTERS
        assert w.means.endswith(".")
        assert w.rules
        assert not w.overlay or w.overlay in overlays, w.word


def test_faults_of_a_glossary_are_named() -> None:
    pack = Pack("stalingrad42")
    pack._text["words.toml"] = (
        f'[[word]]\nword = "a"\nmeans = "{"x" * 161}"\nrules = ["99.9"]\n'
        '[[word]]\nword = "b"\nforms = ["a"]\nmeans = "y."\n'
    )
    found = "\n".join(word_faults(pack))
    for fault in ("161 letters", "no rule 99.9", "'a' stands for a and for b"):
        assert fault in found
