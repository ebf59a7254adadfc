"""The glossary of a game: what its words mean, one sentence each, as data in the pack.

words.toml:

    [[word]]
    word = "zone of control"
    forms = ["ZOC", "zones of control", "EZOC"]
    means = "The six hexes around a fighting unit. Whoever enters one of an enemy must stop."
    rules = ["6.1"]
    overlay = "Axis zones"                  optional: what shows it on the map
"""

from __future__ import annotations

import msgspec

from kessel.core.errors import BadPack
from kessel.core.lessons import is_rule
from kessel.core.pack import Pack
from kessel.core.rules import statements

FILE = "words.toml"
MOST_LETTERS = 160


class Word(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    word: str
    means: str
    forms: list[str] = []
    """Other ways it is written."""
    rules: list[str] = []
    overlay: str = ""


class _Words(msgspec.Struct, forbid_unknown_fields=True):
    word: list[Word]


def words_of(pack: Pack) -> list[Word]:
    if not pack.has(FILE):
        return []
    try:
        return msgspec.convert(pack.toml(FILE), type=_Words).word
    except msgspec.ValidationError as e:
        raise BadPack(str(e), pack.where(FILE)) from None


def word_faults(pack: Pack) -> list[str]:
    known = {s.rule for s in statements(pack)}
    found: list[str] = []
    seen: dict[str, str] = {}
    for w in words_of(pack):
        if len(w.means) > MOST_LETTERS:
            found.append(f"{w.word}: its meaning has {len(w.means)} letters, more than {MOST_LETTERS}")
        found += [f"{w.word}: there is no rule {r}" for r in w.rules if not is_rule(r, known)]
        for form in (w.word, *w.forms):
            if form in seen:
                found.append(f"{form!r} stands for {seen[form]} and for {w.word}")
            seen[form] = w.word
    return [f"{pack.where(FILE)}: {fault}" for fault in found]
