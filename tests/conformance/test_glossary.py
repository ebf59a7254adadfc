"""No term of the rules stands unexplained before a player: every capitalised or abbreviated one has its entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from kessel.bots import RandomPlayer
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import options
from kessel.core.title import title
from kessel.core.words import MOST_LETTERS, word_faults, words_of

GAMES = ("stalingrad42", "kharkov43", "don42", "bug41", "korsun44")
STEPS = 160
PREVIEWED = 3
TERM = re.compile(r"[A-Z][A-Za-z0-9]*(?:[ -][A-Z][A-Za-z0-9]*)*")
SENTENCE = re.compile(r"(?<=[.:;!?(])\s+|\n|, or ")
PLAIN = {"Axis", "Soviet", "German", "Soviets", "Germans", "Shift"}
"""Sides, and the key."""


def texts_of(doc: Any) -> Iterator[str]:
    """Sentences of a preview, without the keys it is written with."""
    if isinstance(doc, dict):
        for key, value in doc.items():
            if isinstance(value, dict | list) or key in ("what", "name", "why", "meaning", "result", "reason"):
                yield from texts_of(value)
    elif isinstance(doc, list):
        for value in doc:
            yield from texts_of(value)
    elif isinstance(doc, str):
        yield doc


def terms_in(text: str) -> Iterator[str]:
    """Capitalised words and abbreviations, but for the first word of a sentence, which always has a capital.

    >>> list(terms_in("End the Movement Phase. Roll for OOS units of Army."))
    ['Movement Phase', 'OOS', 'Army']
    """
    for sentence in SENTENCE.split(text):
        for match in TERM.finditer(sentence):
            first, _, rest = match[0].partition(" ")
            begins = match.start() == 0 and not (len(first) > 1 and first.isupper())
            term = rest if begins else match[0]
            if len(term) > 1 and not (match.start() and sentence[match.start() - 1].isalnum()):
                yield term


def read_by(playing: Game) -> Iterator[str]:
    """What a player reads at a decision: the question, its buttons, and what some of the choices would do."""
    t, g = playing.title, playing.board
    q = playing.question_view(playing.side)
    assert q is not None
    yield q.prompt
    yield from (c.label for c in q.choices)
    known = t.known_to(g, playing.side)
    for action in list(options(g))[:PREVIEWED]:
        yield from texts_of(t.preview(known, action))


def names_in(playing: Game) -> list[str]:
    """What is a name and no term: units, places, cards, formations."""
    g, view = playing.board, playing.title.view(playing.board, playing.side)
    found = {
        *g.forces.ids,
        *g.words().values(),
        *g.map.name.values(),
        *(c.name for c in view.cards),
        *(x for c in view.cards for x in c.lines),
    }
    found |= {w for p in view.pieces for w in (p.name, p.formation, *p.formation.split())}
    return sorted(filter(None, found), key=len, reverse=True)


def unexplained(game: str, scenario: str) -> set[str]:
    pack = Pack(game)
    known = {form.lower() for w in words_of(pack) for form in (w.word, *w.forms)}
    playing = Game.new(game, scenario, seed=b"terms", pack=pack)
    program, found = RandomPlayer(3), set[str]()
    names = names_in(playing)
    for _ in range(STEPS):
        if playing.over:
            break
        for text in read_by(playing):
            for name in names:
                if name in text:
                    text = re.sub(rf"(?<![\w]){re.escape(name)}(?![\w])", "~", text)
            found |= {t for t in terms_in(text) if not is_known(t, known)}
        playing.play(program.choose(playing.title, playing.board, playing.side))
    return found


def is_known(term: str, known: set[str]) -> bool:
    """As a whole, or every part of it."""
    if term.lower() in known or term in PLAIN:
        return True
    words = term.split()
    return len(words) > 1 and all(is_known(w, known) for w in words)


@pytest.mark.parametrize("game", GAMES)
def test_every_term_a_player_reads_has_its_meaning(game: str) -> None:
    for scenario in title(game).scenarios(Pack(game))[:2]:
        assert sorted(unexplained(game, scenario.id)) == []


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
