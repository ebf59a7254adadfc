"""Recorded random play, for all games: what may be done, what is refused by which rule, what happens, the answers.

Each step is kept as a short digest, so that a difference shows where it begins. Lists are sorted: the order in which
actions are listed is not kept. A record says only that something changed; whether that is right the rule tests say.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from kessel.core.analysis import answer
from kessel.core.errors import BadInput
from kessel.core.procedure import legal, push, why_not
from kessel.core.title import Title

Vary = Callable[[random.Random, Any, str], str]
"""Makes another action of the text of one."""


def short(*what: Any) -> str:
    return hashlib.blake2b(json.dumps(what, default=str).encode(), digest_size=4).hexdigest()


def varied(r: random.Random, g: Any, text: str) -> str:
    """An action with other units or places in it."""
    words = text.split(" ")
    boxes = [b.id for b in g.map.boxes]
    for i, word in enumerate(words[1:], start=1):
        if r.random() < 0.7:
            if g.forces.find(word) >= 0:
                words[i] = g.id(r.randrange(len(g.forces)))
            elif word in boxes or g.map.grid.find(word) >= 0:
                box = boxes and r.random() < 0.3
                words[i] = r.choice(boxes) if box else g.hex_name(r.choice(g.map.grid.hexes))
    return " ".join(words)


def refusals(
    r: random.Random, g: Any, notation: Any, listed: list[str], known: dict[str, str], vary: Vary = varied
) -> list[str]:
    """The rules by which actions like those listed now or before are refused."""
    for text in listed:
        known.setdefault(text.split(" ")[0], text)
    found = []
    for text in [*r.choices(listed, k=6), *r.choices([known[verb] for verb in sorted(known)], k=10)]:
        other = vary(r, g, text)
        try:
            why = why_not(g, notation.parse(g, other))
        except BadInput as e:
            found.append(f"{other}: {e}")
            continue
        found.append(f"{other}: {why}")
    return found


def answers(title: Title, g: Any, questions: Iterable[dict[str, Any]]) -> list[str]:
    found = []
    for q in questions:
        try:
            found.append(short(answer(title, g, msgspec.json.encode(q))))
        except BadInput as e:
            found.append(short(str(e)))
    return found


def steps(
    r: random.Random, g: Any, notation: Any, n: int, liking: Mapping[str, float], vary: Vary = varied
) -> list[str]:
    """Random play: one digest a step of all that is listed, refused, told and changed. `liking`: weights of verbs."""
    found: list[str] = []
    known: dict[str, str] = {}
    while g.stack and len(found) < n:
        listed = sorted((notation.text(g, a), a) for a in legal(g))
        texts = [text for text, _ in listed]
        actions = [a for _, a in listed]
        refused = refusals(r, g, notation, texts, known, vary)
        action = r.choices(actions, [liking.get(a[0], 1.0) for a in actions])[0]
        g.events = []
        push(g, action)
        told = [sorted(e.items()) for e in g.events]
        found.append(short(texts, refused, told, g.digest()))
    return found


def same(kept: str, found: list[str]) -> None:
    """The digests are those kept."""
    differ = next((i for i, (a, b) in enumerate(zip(kept.split(), found, strict=False)) if a != b), None)
    assert differ is None, f"step {differ} differs; if that is wanted, write the playthroughs anew"
    assert len(found) == len(kept.split())
