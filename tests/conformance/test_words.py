"""What a person reads: buttons named by what they do, sentences without keys or codes of the program, terms that the
glossary explains, prompts that name only what can be done, warnings before a loss. Read in games played by chance, in
which every verb has its turn."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from kessel.core.board import Board
from kessel.core.dice import Dice
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import PASS, Action, asked, options, push
from kessel.core.registry import GAMES, installed
from kessel.core.telling import Telling
from kessel.core.title import LOSS, Title, title
from kessel.core.view import Card, QuestionView, View
from kessel.core.words import words_of
from kessel.wargame.warnings import is_mending

STEPS = 160
READ = 2
"""So often all of the view is read at a question of one kind, and what a choice of each verb would do."""
NAMES = [(g, s.id) for g in sorted(installed(GAMES)) for s in title(g).scenarios(Pack(g))]
every_scenario = pytest.mark.parametrize(("game", "scenario"), NAMES, ids=["/".join(n) for n in NAMES])
RAW = re.compile(
    r"[A-Za-z]_[A-Za-z]|[<>=]=|\bNone\b|\bTrue\b|\bFalse\b|[{}]|\[\(|\(\)|\[\]|  |<[a-z.]+ |\d\|\d"
    r"|Fraction\(|0x[0-9a-f]{4}"
)
"""Keys, operators and values as a program writes them."""
TWICE = re.compile(r"\b([a-z]{3,}(?: [a-z]+)*) \1\b(?! \1)", re.IGNORECASE)
"""The same words twice, where a sentence is put together."""
ARTICLE = re.compile(r"(?<!part )\b[Aa] (?!one|or\b|un|us|eu)[aeiou][a-z]+|\b[Aa]n [bcdfgjklmnpqrtvwxyz][a-z]+")
"""A wrong article, where a sentence is put together."""
LEAVING = re.compile(r", or (end|stop|go on|keep|place no|let|none|no more|attack no|declare no|play none|dig in no)\b")
MACHINE = {"units", "hexes", "reach", "path", "corps", "rule", "plan"}
"""Ids in a preview, not words."""


WORD = re.compile(r"[^\w.+-]+|[.+-](?=\s|$)|(?<=\s)[+-]")
CODE = re.compile(r"^(?!\d+$)(?=.*[\d_.-])|^(IISS|XL|XLVIII|LVII|III|Bry|SW)$")
"""What nobody would say: letters with figures or points, not a mere number."""

TERM = re.compile(r"[A-Z][A-Za-z0-9]*(?:[ -][A-Z][A-Za-z0-9]*)*")
SENTENCE = re.compile(r"(?<=[.:;!?(])\s+|\n|, or ")
PLAIN = {
    "Axis",
    "Soviet",
    "German",
    "Soviets",
    "Germans",
    "Shift",
    "AM",
    "PM",
    "June",
    "Aug",
    "Sep",
    "January",
    "February",
    "Feb",
    "Mar",
    "Bug",
    "Ukrainian",
    "Freestyle",
}
"""Sides, the key, dates, and names that stand in no order of battle."""


class Heard(NamedTuple):
    """What a game played by chance says, and where."""

    raw: set[str]
    codes: set[str]
    """Sentences in which a unit or a formation has the short name of the notation instead of one a person says."""
    terms: set[str]
    """Terms of the rules that the glossary does not explain, each with a sentence."""
    buttons: set[str]
    unsaid: list[tuple[set[str], set[str]]]
    """Units that ending a phase costs without a die, and those it warns of."""


class Curious:
    """Chooses the verb that was chosen least often, and any action of it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.used: Counter[str] = Counter({PASS[0]: 3})

    def choose(self, by_verb: dict[str, list[Action]]) -> Action:
        verb = min(by_verb, key=lambda v: (self.used[v], self.rng.random()))
        self.used[verb] += 1
        return self.rng.choice(by_verb[verb])


def heard(game: str, scenario: str) -> Heard:
    playing = Game.new(game, scenario, seed=b"words")
    by = Curious(2)
    found = Heard(set(), set(), set(), set(), [])
    known = {form.lower() for w in words_of(playing.pack) for form in (w.word, *w.forms)}
    everything: set[str] = set()
    coded = codes(playing)
    kinds: Counter[tuple[str, str]] = Counter()
    for _ in range(STEPS):
        if playing.over:
            break
        q = playing.question_view(playing.side)
        assert q is not None
        by_verb: dict[str, list[Action]] = {}
        for action in playing.legal():
            by_verb.setdefault(action[0], []).append(action)
        said = [*asking(q), *readings(playing, by.rng, by_verb)]
        kind = (q.procedure, q.step)
        kinds[kind] += 1
        if kinds[kind] <= READ:
            said += [*shown(playing.view(playing.side)), *ahead(playing, by.rng, by_verb)]
        found.buttons.update(wrong_buttons(q))
        if PASS[0] in by_verb:
            found.unsaid.append(unwarned(playing))
        entry = playing.play(by.choose(by_verb))
        said += [event["what"] for event in entry.events]
        said.append(goal(playing))
        everything.update(said)
    everything.update(told(playing))
    found.raw.update(text for text in everything if RAW.search(text) or ARTICLE.search(text) or TWICE.search(text))
    found.codes.update(text for text in everything if text not in coded and coded.intersection(WORD.split(text)))
    found.terms.update(unexplained(everything, known, names_in(playing)))
    return found


def readings(playing: Game, rng: random.Random, by_verb: dict[str, list[Action]]) -> Iterator[str]:
    """Buttons as a client reads them: the phrase of the verb, and what it is done to by name."""
    for verb, actions in by_verb.items():
        if verb != PASS[0]:
            for text in map(playing.text, rng.sample(actions, min(READ, len(actions)))):
                of, *words = text.split()
                yield playing.title.reads(of, *map(playing.board.word, words))


def told(playing: Game) -> Iterator[str]:
    """The telling of the whole game, and what the schedule brings."""
    for chapter in Telling(playing, None, 0, lambda event: True).recap().chapters:
        yield chapter.title
    for one in playing.title.coming(playing.board):
        yield one.what


def unexplained(texts: set[str], known: set[str], names: list[str]) -> Iterator[str]:
    """Capitalised words and abbreviations that are no name and have no entry."""
    met: set[str] = set()
    for text in sorted(texts):
        if not any(unknown_terms(text, known)):
            continue
        for name in names:
            if name in text:
                text = re.sub(rf"(?<![\w]){re.escape(name)}(?![\w])", "~", text)
        for term in unknown_terms(text, known):
            if term not in met:
                met.add(term)
                yield f"{term}: {text}"


def unknown_terms(text: str, known: set[str]) -> Iterator[str]:
    """Terms without an entry. The first word of a sentence always has a capital, and may be no term.

    >>> list(unknown_terms("End the Movement Phase. Roll for OOS units of Army.", {"army"}))
    ['Movement Phase', 'OOS']
    """
    for sentence in SENTENCE.split(text):
        for match in TERM.finditer(sentence):
            first, _, rest = match[0].partition(" ")
            begins = match.start() == 0 and not (len(first) > 1 and first.isupper())
            inside = match.start() and sentence[match.start() - 1].isalnum()
            if len(match[0]) < 2 or inside or is_known(match[0], known):
                continue
            if not begins or (len(rest) > 1 and not is_known(rest, known)):
                yield rest if begins else match[0]


def is_known(term: str, known: set[str]) -> bool:
    """As a whole, or every part of it; the first may begin the sentence."""
    if term.lower() in known or term in PLAIN or term.isdigit() or len(term) == 1:
        return True
    words = re.split("[ -]", term)
    return any(
        is_known(" ".join(words[:n]), known) and is_known(" ".join(words[n:]), known) for n in range(1, len(words))
    )


def names_in(playing: Game) -> list[str]:
    """What is a name and no term: units, places, cards, formations."""
    g, view = playing.board, playing.title.view(playing.board, playing.side)
    found = {
        *g.forces.ids,
        *g.forces.names,
        *g.words().values(),
        *g.map.name.values(),
        *(x for c in view.cards for x in (c.id, c.name, *c.lines)),
    }
    found |= {w for p in view.pieces for w in (p.name, p.formation, *p.formation.split())}
    return sorted(filter(None, found), key=len, reverse=True)


def codes(playing: Game) -> set[str]:
    """What the notation writes of units and formations and nobody says; a number may be any number. A client reads
    a text that is nothing but such a word by the names the table gives."""
    words = playing.board.words()
    return {word for word, said in words.items() if CODE.search(word) and word not in said.split()}


def goal(playing: Game) -> str:
    """What matters now, as one text."""
    t, side = playing.title, playing.side
    if side < 0:
        return ""
    return " ".join(m.what for m in t.goal(t.known_to(playing.board, side), side, playing.pack, playing.scenario).now)


def asking(q: QuestionView) -> Iterator[str]:
    yield q.prompt
    yield from (c.label for c in q.choices)


def shown(view: View) -> Iterator[str]:
    """What a client shows as it comes."""
    table = view.table
    yield from (table.turn, table.phase)
    for p in table.pieces:
        yield from (p.values, p.note, *p.status)
        yield p.name.removeprefix("A of ")  # a part of a unit, by its letter
    yield from (m.text for m in table.markers)
    for t in table.tracks:
        yield from (t.name, t.text)
    for c in table.cards:
        yield from of_card(c)


def of_card(card: Card) -> Iterator[str]:
    yield from (card.name, card.about, card.value, *card.lines)
    yield from (text for use in (*card.uses, *card.tactics) for text in (use.says, use.why))
    yield from (text for half in card.halves for text in (half.when, half.does))


def ahead(playing: Game, rng: random.Random, by_verb: dict[str, list[Action]]) -> Iterator[str]:
    """What is told of one action of each verb before it is done."""
    t, known = playing.title, playing.title.known_to(playing.board, playing.side)
    for actions in by_verb.values():
        action = rng.choice(actions)
        yield from (caution.what for caution in t.warnings(known, action))
        yield from (way.says for way in t.ways(known, action))
        yield from values(t.preview(known, action))


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


def wrong_buttons(q: QuestionView) -> Iterator[str]:
    """A button that says "Pass"; a prompt that names a way out which is not there."""
    where = f"{q.procedure}.{q.step}: {q.prompt}"
    if re.search(r"\bpass\b", q.prompt, re.IGNORECASE) and "let it pass" not in q.prompt:
        yield where
    leaving = [c for c in q.choices if not (c.unit or c.units or c.place or c.path)]
    if LEAVING.search(q.prompt) and not leaving:
        yield f"{where} (nothing ends it)"
    for c in q.choices:
        bare = not c.label or c.label == q.prompt.removesuffix(".")
        if c.verb == PASS[0] and (bare or re.fullmatch(r"pass|not|end|done", c.label, re.IGNORECASE)):
            yield f"{where} ({c.label})"


def unwarned(playing: Game) -> tuple[set[str], set[str]]:
    """Units that lose steps without a die when the phase is ended, and those that are named before."""
    g, t, side = playing.board, playing.title, playing.side
    h = g.copy()
    h.dice = Dice(b"other dice")
    push(h, PASS)
    while asked(h) == side and is_mending(h):
        push(h, next(iter(options(h))))
    left = on_map(t, h, side)
    lost = {u for u, steps in on_map(t, g, side).items() if left.get(u, 0) < steps}
    if not lost or h.dice.rolled:
        return set(), set()
    return lost, {u for c in t.warnings(t.known_to(g, side), PASS) if c.level == LOSS for u in c.units}


def on_map(t: Title, g: Board, side: int) -> dict[str, int]:
    pieces = t.view(g, side).pieces
    return {p.id: p.steps for p in pieces if p.side == t.sides[side] and g.map.grid.find(p.place) >= 0}


@every_scenario
def test_everything_reads_as_a_person_would_say_it(game: str, scenario: str) -> None:
    found = heard(game, scenario)
    assert sorted(found.raw) == []
    assert sorted(found.codes) == []
    assert sorted(found.terms) == []
    assert sorted(found.buttons) == []
    for lost, warned in found.unsaid:
        assert lost <= warned, "who ends a phase is warned of every loss that needs no die"


def test_an_overstack_is_told_before_it_costs_units() -> None:
    """don42 3.1, 17.3.4: the Short Game begins with three HQs in one hex and a regiment too many in another."""
    playing = Game.new("don42", "short-game", seed=1)
    while playing.title.view(playing.board, 0).phase != "German Movement Phase":
        playing.play(PASS if PASS in options(playing.board) else next(iter(options(playing.board))))
    first = playing.title.warnings(playing.board, PASS)[0]
    assert (first.level, first.rule) == (LOSS, "3.1")
    assert set(first.hexes) == {"2537", "2528"}
    assert "3 units will be lost" in first.what


def test_a_key_would_be_found() -> None:
    assert all(RAW.search(text) for text in ("command_value_4", "ratio >= 3", "{did} is legal", "None", "lost  two"))
    assert not any(RAW.search(text) for text in ("4-1 (8.3)", "die 3 on 4-1: D1", "I-525: Prepared Attack on 1212"))
    assert ARTICLE.search("receives a infantry Replacement")
    assert not ARTICLE.search("an Artillery unit of a unit, a one-step unit")


@pytest.mark.parametrize("game", sorted(installed(GAMES)))
def test_a_phrase_has_a_gap_for_a_word_of_its_action_and_begins_with_a_verb(game: str) -> None:
    t = title(game)
    for verb, phrase in t.phrases.items():
        if gaps := phrase.count("{}"):
            assert gaps <= len(t.notation.verbs[verb].slots), verb
        assert not re.match(r"(Air|Artillery|Step|Hasty|Regular|Prepared|Strength|By|Pontoon)\b", phrase), phrase


def test_the_words_of_an_action_go_into_the_gaps_of_its_phrase() -> None:
    t = title("stalingrad42")
    assert t.reads("lose", "376Inf") == "Let 376Inf lose a step"
    assert t.reads("arrive", "16Pz", "X") == "Bring in 16Pz at X"
    assert t.reads("restore", "44Inf", "special") == "Restore a step of 44Inf from special Replacements"
    assert t.says("lose") == "Let … lose a step"
    assert t.could("lose", "2 units") == "let 2 units lose a step"
    assert t.could("restore", "5 units") == "restore a step of 5 units"
    assert t.could("supply", "3 hexes") == "place a Supply Point in 3 hexes"


VERBS = re.findall(
    r"\w+",
    """
    abandon absorb accompany activate add advance airlift assign attach attack attempt automatic bomb bombard
    break bring build call carry choose claim clear combine come complete cross declare deploy destroy
    disband disengage disorganize disperse displace do draw drop eliminate enter extend fall fight fill fire
    flip fly form fortify give go halt improve infiltrate intercept join keep lay lead leave let level lift
    look make move name open place play pretend put raze react ready rebuild receive recombine reduce refit
    relay release relocate repair replace reroll restore resupply retreat return roll send set spend stay
    stop supply support switch take transfer try turn unload use withdraw
    """,
)
"""Words with which a button may begin."""


@pytest.mark.parametrize("game", sorted(installed(GAMES)))
def test_every_button_begins_with_a_verb(game: str) -> None:
    t = title(game)
    first = {verb: t.says(verb).split()[0].lower() for verb in t.notation.verbs if verb != PASS[0]}
    assert {verb: word for verb, word in first.items() if word not in VERBS} == {}
