"""Dice, and everything else that is random, from one counted source.

Roll number n is a hash of the secret seed and n; the counter is the only state. A record publishes the seed's hash at
the start and the seed at the end, so that both players can check every roll. Where two persons play, what each of them
adds is mixed in after the seed was committed to, so that nobody could choose the dice (`mixed`). A die, a card drawn
from a deck and a chit drawn from a cup are all one call: one of n equally likely outcomes. Decks therefore have no
hidden order.

`Scripted` dice serve tests and search: they give the values they were handed and raise `NeedRoll` when one more is
wanted.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kessel.core.errors import BadInput

UNTOLD = 0
"""Stands for a secret draw in a record that must not tell it."""


class Roll(NamedTuple):
    sides: int
    value: int
    """1..sides"""
    secret: bool = False
    """To be told to nobody before the game is over: what was drawn is seen only by some, or by nobody yet."""


class NeedRoll(Exception):
    """Scripted dice have run out; one of `sides` outcomes is wanted."""

    def __init__(self, sides: int) -> None:
        super().__init__(f"one more roll of {sides} is needed")
        self.sides = sides


class Dice:
    __slots__ = ("count", "rolled", "seed")

    def __init__(self, seed: bytes | int | None = None, count: int = 0) -> None:
        self.seed = seed_bytes(seed)
        self.count = count
        self.rolled: list[Roll] = []
        """The rolls since the last call of `take`."""

    def roll(self, sides: int = 6, *, secret: bool = False) -> int:
        """One die: 1..sides."""
        value = self._draw(sides) + 1
        self.rolled.append(Roll(sides, value, secret))
        return value

    def pick(self, n: int, *, secret: bool = False) -> int:
        """One of n equally likely things, 0..n-1: a card of a deck, a chit of a cup."""
        return self.roll(n, secret=secret) - 1

    def take(self) -> list[Roll]:
        rolled, self.rolled = self.rolled, []
        return rolled

    def _draw(self, sides: int) -> int:
        n, self.count = self.count, self.count + 1
        limit = (1 << 64) - (1 << 64) % sides
        attempt = 0
        while True:
            text = self.seed + n.to_bytes(8, "big") + attempt.to_bytes(2, "big")
            value = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
            if value < limit:
                return value % sides
            attempt += 1

    def copy(self) -> Dice:
        new = Dice.__new__(Dice)
        new.seed, new.count, new.rolled = self.seed, self.count, []
        return new

    def fork(self, salt: int = 0) -> Dice:
        """Dice that tell nothing of these: for search and for programs that play."""
        return Dice(hashlib.blake2b(b"fork" + self.seed + salt.to_bytes(8, "big"), digest_size=16).digest())


class Scripted(Dice):
    __slots__ = ("script",)

    def __init__(self, values: Sequence[int]) -> None:
        super().__init__(b"scripted")
        self.script = tuple(values)

    def roll(self, sides: int = 6, *, secret: bool = False) -> int:
        if self.count == len(self.script):
            raise NeedRoll(sides)
        value = self.script[self.count]
        if value == UNTOLD and secret:
            raise BadInput("it holds secret draws, which are told when the game is over; it can be replayed then")
        if not 1 <= value <= sides:
            raise BadInput(f"the script says {value}, but a roll of 1..{sides} is wanted")
        self.count += 1
        self.rolled.append(Roll(sides, value, secret))
        return value

    def copy(self) -> Scripted:
        new = Scripted(self.script)
        new.count = self.count
        return new

    def fork(self, salt: int = 0) -> Dice:
        return Dice(salt)


def seed_bytes(seed: bytes | int | None) -> bytes:
    if seed is None:
        return secrets.token_bytes(16)
    return seed if isinstance(seed, bytes) else b"%d" % seed


def commitment(seed: bytes) -> str:
    """What a record publishes before the first roll."""
    return hashlib.blake2b(b"kessel commitment" + seed, digest_size=16).hexdigest()


def mixed(seed: bytes, entropy: Mapping[str, str]) -> bytes:
    """What the dice come from: the seed that was committed to, and what each player added to it."""
    return hashlib.blake2b(b"kessel dice" + seed + _joined(entropy), digest_size=16).digest() if entropy else seed


def pledge(committed: str, entropy: Mapping[str, str]) -> str:
    """What a player notes: the commitment and, once all have added theirs, a hash of what was added."""
    if not entropy:
        return committed
    return f"{committed}.{hashlib.blake2b(b'kessel entropy' + _joined(entropy), digest_size=16).hexdigest()}"


def _joined(entropy: Mapping[str, str]) -> bytes:
    parts = [part.encode() for side in sorted(entropy) for part in (side, entropy[side])]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
