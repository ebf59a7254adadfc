"""Everything a view sends reads as words: no snake case, no code of the program, in random games of every title."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from kessel.core.game import Game
from kessel.core.pack import pack_of
from kessel.core.procedure import options
from kessel.core.title import titles

SNAKE = re.compile(r"\b[a-z]+_[a-z_]+\b")
CODE = re.compile(r"None\b|\bTrue\b|\bFalse\b|<[a-z.]+ |\{|\}|\(\)|\[\]|Fraction\(|0x[0-9a-f]{4}")
ACTIONS = 120
LOOKED = 12
"""Every so many actions all of the view is read, and what some choices would do."""


def said_by(playing: Game) -> Iterator[str]:
    """All a player reads of the position, and of what may be done."""
    view = playing.view(playing.side)
    table, q = view.table, view.question
    yield from (table.turn, table.phase)
    for track in table.tracks:
        yield from (track.name, track.text)
    for card in table.cards:
        yield from (card.name, card.about, card.value, *card.lines)
        yield from (text for use in (*card.uses, *card.tactics) for text in (use.says, use.why))
        yield from (text for half in card.halves for text in (half.when, half.does))
    for piece in table.pieces:
        yield from (piece.name, piece.note, *piece.status)
    yield from (marker.text for marker in table.markers)
    if q is not None:
        yield from (q.prompt, *(c.label for c in q.choices))


def read_ahead(playing: Game, rng: random.Random) -> Iterator[str]:
    known = playing.title.known_to(playing.board, playing.side)
    listed = list(options(playing.board))
    for action in rng.sample(listed, min(6, len(listed))):
        for caution in playing.title.warnings(known, action):
            yield caution.what
        for way in playing.title.ways(known, action):
            yield way.says
        yield from values(playing.title.preview(known, action))


def values(doc: Any) -> Iterator[str]:
    """The texts of a document for people; keys are read by the page, which writes them with blanks."""
    if isinstance(doc, str):
        yield doc
    elif isinstance(doc, dict):
        for key, value in doc.items():
            if key not in MACHINE:
                yield from values(value)
    elif isinstance(doc, list):
        for value in doc:
            yield from values(value)


MACHINE = {"units", "hexes", "reach", "path", "corps", "rule"}
"""Ids, not words."""


@pytest.mark.parametrize("game", titles())
def test_nothing_a_player_reads_is_a_code(game: str) -> None:
    rng = random.Random(5)
    pack = pack_of(game)
    scenario = next(s for s in titles()[game].scenarios(pack) if s.first)
    playing = Game.new(game, scenario.id, seed=7, pack=pack)
    wrong: dict[str, str] = {}

    def check(text: str, where: str) -> None:
        if SNAKE.search(text) or CODE.search(text):
            wrong.setdefault(text, where)

    for n in range(ACTIONS):
        if playing.over:
            break
        if n % LOOKED == 0:
            for text in said_by(playing):
                check(text, "view")
            for text in read_ahead(playing, rng):
                check(text, "preview")
        q = playing.question_view(playing.side)
        assert q is not None
        check(q.prompt, "prompt")
        for choice in q.choices:
            check(choice.label, "label")
        entry = playing.play(rng.choice(playing.legal()))
        for event in entry.events:
            check(event["what"], "event")
    assert wrong == {}
