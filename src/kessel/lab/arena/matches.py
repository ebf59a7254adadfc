"""A match: everything that determines a game between programs. A pair: one seed played twice with sides exchanged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import msgspec

import kessel
from kessel.core.pack import Pack
from kessel.core.registry import PLAYERS, installed, package_of
from kessel.core.title import title
from kessel.lab.simulate import STEP_LIMIT, play_game

KEPT_RECORDS = 20
"""The record of one game in so many is kept, and checked by replaying it; that of every game with a fault anyhow."""


@dataclass(frozen=True, slots=True)
class Match:
    """One game. `players` are the programs of the played sides in order, with their numbers: `greedy?risk=0.1`."""

    game: str
    scenario: str
    players: tuple[str, ...]
    seed: int
    pack: str
    """The digest of the data."""
    code: str
    """The digest of the rules and programs."""

    @property
    def id(self) -> str:
        """The hash of all that determines the game: a game that was played is not played again."""
        return hashlib.blake2b(msgspec.json.encode(asdict(self)), digest_size=12).hexdigest()

    @property
    def where(self) -> str:
        return f"{self.game}/{self.scenario}"


class Played(msgspec.Struct, frozen=True):
    """What came of a match."""

    winner: int
    """The place of the winner among the played sides; -1 for a draw, or a solitaire game lost."""
    level: str
    margin: float
    """Victory Points for the first played side, the other's taken off."""
    steps: int
    ended: str
    """By its rules, at the limit of steps, or with a fault."""
    cpu: tuple[tuple[float, ...], ...]
    """CPU seconds each side's program thought, by game turn."""
    faults: tuple[str, ...] = ()

    def score(self, place: int) -> float:
        """Of the program in that place: 1 for a win, 0.5 for a draw."""
        return 0.5 if self.winner < 0 else float(self.winner == place)


def play(match: Match) -> tuple[Played, str]:
    """Play it; and the record where it is to be kept, else nothing."""
    t = title(match.game)
    kept = int(match.id, 16) % KEPT_RECORDS == 0
    result, game = play_game(match.game, match.scenario, match.players, match.seed, verify=kept)
    faults = (*result.faults, *([result.mismatch] if result.mismatch else []))
    names = [t.sides[s] for s in t.played]
    winner = names.index(result.winner) if result.winner in names else -1
    ended = "fault" if faults else "rules" if result.finished else "limit"
    cpu = tuple(tuple(result.thought[name]) for name in names)
    played = Played(winner, result.level, result.margin, result.steps, ended, cpu, faults)
    return played, game.record.text() if kept or faults or result.steps >= STEP_LIMIT else ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two programs, one seed: both games of it, the first program on the first side and then on the other.

    In a game with one played side each of them plays it, and the better result wins.
    """

    game: str
    scenario: str
    a: str
    b: str
    seed: int

    def matches(self) -> tuple[Match, Match]:
        data, code = pack_of(self.game), code_of(self.game)
        seats = ((self.a, self.b), (self.b, self.a)) if len(title(self.game).played) == 2 else ((self.a,), (self.b,))
        first, second = (Match(self.game, self.scenario, who, self.seed, data, code) for who in seats)
        return first, second


@dataclass(frozen=True, slots=True)
class PairScore:
    """What a pair says of the first program."""

    pair: Pair
    games: tuple[float, ...]
    """Its scores: on the first side, on the second; one only in a game with one played side."""
    better: float
    """Victory Points it did better than the other on the same side with the same seed: between two programs this is
    the same on either side."""

    @property
    def score(self) -> float:
        """0 to 1."""
        return sum(self.games) / len(self.games)


def score_pair(pair: Pair, first: Played, second: Played) -> PairScore:
    if len(title(pair.game).played) == 2:
        games = (first.score(0), second.score(1))
        return PairScore(pair, games, first.margin - second.margin)
    ours, theirs = ((p.score(0) if p.winner >= 0 else 0.0, p.margin) for p in (first, second))
    return PairScore(pair, (0.5 if ours == theirs else float(ours > theirs),), first.margin - second.margin)


def pairs(wheres: list[str], a: str, b: str, seeds: range) -> Iterator[Pair]:
    """Seed by seed, every scenario: a series that is broken off has had some of each."""
    for seed in seeds:
        for where in wheres:
            game, _, scenario = where.partition("/")
            yield Pair(game, scenario, a, b, seed)


@cache
def pack_of(game: str) -> str:
    return Pack(game).digest


@cache
def code_of(game: str) -> str:
    """The digest of everything a game between programs depends on: engine, rules, programs. Results of another code
    are never mixed with these.
    """
    root = Path(kessel.__file__).parent
    entry = installed(PLAYERS).get(game)
    parts = [root / "core", root / "wargame", *_folder(package_of(game)), *(_folder(entry.module) if entry else [])]
    files = {f for part in parts for f in part.rglob("*.py")} | set((root / "bots").glob("*.py"))
    files |= set((root / "bots" / "search").glob("*.py"))
    found = hashlib.blake2b(digest_size=6)
    for f in sorted(files):
        found.update(f.name.encode() + b"\0" + f.read_bytes())
    return found.hexdigest()


def _folder(module: str) -> list[Path]:
    """Where a package lies."""
    from importlib.util import find_spec

    spec = find_spec(module)
    return [Path(x) for x in spec.submodule_search_locations or []] if spec is not None else []
