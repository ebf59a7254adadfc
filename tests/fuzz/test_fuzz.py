"""Malformed and mutated positions and records: each is read or refused with a sentence; nothing else,no hanging."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kessel.bots import RandomPlayer
from kessel.core.analysis import analyze
from kessel.core.errors import KesselError
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.record import parse_record
from kessel.core.title import titles

pytestmark = pytest.mark.fuzz
EXAMPLES = sorted((Path(__file__).parents[2] / "docs" / "examples").glob("*.json"))
SECONDS = 20
WORDS = ["", "0", "9999", "clear", "axis", "-1", "x" * 300, "1e9", "\u0000", "2030", "0,0", "None", "pass", "\ud7ff"]


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    def late(*_: object) -> None:
        raise TimeoutError(f"took longer than {seconds} s")

    old = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def junk(rng: random.Random) -> Any:
    return rng.choice(
        [
            None,
            True,
            0,
            -1,
            3.5,
            10**18,
            -(10**18),
            [],
            {},
            [None],
            {"": 0},
            rng.choice(WORDS),
            [rng.choice(WORDS)] * rng.randint(0, 3),
            {rng.choice(WORDS): rng.choice(WORDS)},
        ]
    )


def mutate(rng: random.Random, doc: Any) -> Any:
    """The document with one thing changed, removed, doubled or added somewhere."""
    if isinstance(doc, dict) and doc and rng.random() < 0.85:
        key = rng.choice(list(doc))
        match rng.randint(0, 6):
            case 0:
                return {k: v for k, v in doc.items() if k != key}
            case 1:
                return {**doc, rng.choice([*WORDS, *doc]): junk(rng)}
            case 2:
                return {(rng.choice(WORDS) if k == key else k): v for k, v in doc.items()}
            case _:
                return {**doc, key: mutate(rng, doc[key])}
    if isinstance(doc, list) and doc and rng.random() < 0.85:
        i = rng.randrange(len(doc))
        match rng.randint(0, 5):
            case 0:
                return doc[:i] + doc[i + 1 :]
            case 1:
                return [*doc, doc[i]]
            case _:
                return [*doc[:i], mutate(rng, doc[i]), *doc[i + 1 :]]
    if isinstance(doc, int) and not isinstance(doc, bool) and rng.random() < 0.5:
        return doc + rng.choice([-1, 1, 100, -100])
    if isinstance(doc, str) and doc and rng.random() < 0.5:
        i = rng.randrange(len(doc))
        return doc[:i] + rng.choice(["", "0", "9", "z", " "]) + doc[i + 1 :]
    return junk(rng)


def garble(rng: random.Random, raw: bytes) -> bytes:
    """Bytes changed, cut or inserted."""
    data = bytearray(raw)
    for _ in range(rng.randint(1, 4)):
        i = rng.randrange(len(data) + 1)
        match rng.randint(0, 3):
            case 0:
                del data[i : i + rng.randint(1, 20)]
            case 1:
                data[i:i] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 5)))
            case 2 if i < len(data):
                data[i] = rng.randrange(256)
            case _:
                data = data[:i]
    return bytes(data)


def survives(job: Callable[[], object], case: object) -> bool:
    """True if it was read, False if it was refused with a sentence."""
    try:
        with time_limit(SECONDS):
            job()
        return True
    except KesselError as e:
        if str(e).strip():
            return False
        raise AssertionError(f"refused without a word; the input was {case!r}"[:3000]) from e
    except Exception as e:
        raise AssertionError(f"{type(e).__name__}: {e}; the input was {case!r}"[:3000]) from e


def run_positions(n: int, seed: int) -> None:
    rng = random.Random(seed)
    docs = [json.loads(p.read_text()) for p in EXAMPLES]
    read = 0
    for _ in range(n):
        doc = rng.choice(docs)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            doc = mutate(rng, doc)
        raw = json.dumps(doc).encode()
        if rng.random() < 0.15:
            raw = garble(rng, raw)
        read += survives(lambda raw=raw: analyze(raw), raw)
    assert 0 < read < n


def records() -> list[bytes]:
    found = []
    for t in titles().values():
        for s in t.scenarios(Pack(t.id))[:1]:
            game, program = Game.new(t.id, s.id, seed=9), RandomPlayer(9)
            for _ in range(40):
                if not game.over:
                    game.play(program.choose(t, game.board, game.side))
            found.append(game.record.text().encode())
    return found


def run_records(n: int, seed: int) -> None:
    rng = random.Random(seed)
    whole = records()
    packs = {t: Pack(t) for t in titles()}

    def replay(raw: bytes) -> None:
        record = parse_record(raw)
        Game.replay(record, pack=packs.get(record.header.game))

    for _ in range(n):
        lines = rng.choice(whole).splitlines()
        i = rng.randrange(len(lines))
        if rng.random() < 0.6:
            lines[i] = json.dumps(mutate(rng, json.loads(lines[i]))).encode()
        elif rng.random() < 0.5:
            lines[i:i] = [rng.choice(lines)]
        else:
            lines[i] = garble(rng, lines[i])
        raw = b"\n".join(lines[: rng.choice([5, 10, 41])])
        survives(lambda raw=raw: replay(raw), raw)


def test_there_is_an_example_position_of_every_game() -> None:
    assert {json.loads(p.read_text())["game"] for p in EXAMPLES} == set(titles())
    for p in EXAMPLES:
        assert analyze(p.read_bytes())["answers"], p.name


def test_positions() -> None:
    run_positions(400, 1)


def test_records() -> None:
    run_records(60, 1)


@pytest.mark.slow
def test_ten_thousand_positions() -> None:
    run_positions(10_000, 2)


@pytest.mark.slow
def test_many_records() -> None:
    run_records(2_000, 2)
