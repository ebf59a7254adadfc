"""2.0 turn tags, 2.3 cards, their commands, events and tactics, and 2.22 combat chits: what is printed on them."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from kessel.core.errors import BadPack
from kessel.core.pack import Pack
from kessel.wargame.rows import entries, flag, records

_TAG = re.compile(r"(\d+)(?:(\+)|-(\d+))?")


class Turns(msgspec.Struct, frozen=True):
    """2.0 A turn tag: `8`, `8+`, `4-7`, or several of them, `1,3`; empty: always.

    >>> [t for t in range(1, 15) if t in Turns("1,3,8-12")]
    [1, 3, 8, 9, 10, 11, 12]
    """

    text: str = ""

    def __contains__(self, turn: int) -> bool:
        return not self.text or _is_on(self.text, turn)


@cache
def _is_on(text: str, turn: int) -> bool:
    return any(_within(turn, part) for part in text.split(","))


def _within(turn: int, part: str) -> bool:
    m = _TAG.fullmatch(part.strip())
    if m is None:
        return False
    low = int(m[1])
    if m[2]:
        return turn >= low
    return low <= turn <= int(m[3] or m[1])


def is_tag(text: str) -> bool:
    return not text or all(_TAG.fullmatch(p.strip()) for p in text.split(","))


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a card's command section."""

    command: str
    """German: activate_corps, kampfgruppe, deploy, replace, event, special_event, any_event. Soviet: activate, replace,
    event, special_event."""
    turns: str = ""
    corps: int = 0
    hexes: int = 0
    steps: int = 0
    event: str = ""
    select: str = ""
    army: str = ""
    most: int = 0
    otherwise: str = ""

    def valid(self, turn: int) -> bool:
        """2.31 A command with a turn range is playable only in it."""
        return turn in Turns(self.turns)


class CardTactic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tactic: str
    turns: str = ""

    def valid(self, turn: int) -> bool:
        return turn in Turns(self.turns)


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """2.31, 2.32 A command card."""

    id: str
    name: str
    kind: str
    formation: str
    command_value: int
    primary: bool
    enters: int
    """The game-turn it enters play; 1 for an initial card."""
    commands: tuple[Command, ...]
    tactics: tuple[CardTactic, ...]
    front: str = ""
    reuse: bool = False
    leaves: int = 0
    """8.2 Removed from play when used on this game-turn or later."""
    starts_in_hand: bool = False
    activation_tactic: str = ""
    """12.34, 12.35 A tactic every attack of its activation gets."""
    ignores_consecutive_restriction: bool = False
    stated: str = ""
    note: str = ""

    @property
    def is_german(self) -> bool:
        return self.id.startswith("P")

    def tactics_on(self, turn: int) -> tuple[str, ...]:
        return tuple(t.tactic for t in self.tactics if t.valid(turn))


class Event(msgspec.Struct, frozen=True):
    """A command event or special event of the player aid."""

    id: str
    name: str
    side: str
    kind: str
    action: str
    effect: str
    needs: str
    turns: str = ""
    hexes: int = 0
    steps: int = 0
    count: int = 0
    minimum: int = 0
    front: str = ""
    most_on_map: int = 0
    candidates: tuple[str, ...] = ()
    prefer: tuple[str, ...] = ()

    def valid(self, turn: int) -> bool:
        return turn in Turns(self.turns)


class Part(msgspec.Struct, frozen=True):
    """What a tactic does for the attacker or for the defender."""

    situation: str | dict[str, str] = ""
    strength: int = 0
    armor: bool = False
    own: int = 0
    enemy: int = 0
    own_at_least: int = 0
    chits: int = 0
    terrain: tuple[str, ...] = ()
    removes_ip: bool = False
    places_ip: bool = False
    no_retreat: bool = False
    joins: str = ""
    soviet_units: int = 0
    """How many Soviet units may join."""
    german_hexes: int = 0
    """The units of how many hexes may join a German combat."""
    only: str = ""
    """The side it is for, where only one side gets this part."""
    infantry_advances_as_mechanized: int = 0


class Tactic(msgspec.Struct, frozen=True):
    """12.3 A combat tactic of the player aid."""

    id: str
    name: str
    sides: tuple[str, ...]
    effect: str
    attack: Part | None = None
    defence: Part | None = None
    counts_as: str = ""
    range: str = ""
    soviet_prefer: tuple[str, ...] = ()


class Chit(msgspec.Struct, frozen=True):
    """2.22 A combat chit."""

    id: str
    dark: bool
    front: str
    front_hits: str
    front_priority: bool
    back: str
    back_hits: str
    back_priority: bool


def read_cards(pack: Pack) -> tuple[Card, ...]:
    """The German cards, then the Soviet ones, each in the order of their ids."""
    found: list[Card] = []
    for name in ("cards-german.toml", "cards-soviet.toml"):
        cards = entries(pack, name, tuple[Card, ...], "card")
        for card in cards:
            for tag in (*(c.turns for c in card.commands), *(t.turns for t in card.tactics)):
                if not is_tag(tag):
                    raise BadPack(f"{card.id} has the turn tag {tag!r}", pack.where(name))
        found += sorted(cards, key=lambda c: c.id)
    return tuple(found)


def read_events(pack: Pack) -> dict[str, Event]:
    return {e.id: e for e in entries(pack, "events.toml", tuple[Event, ...], "event")}


def read_tactics(pack: Pack) -> dict[str, Tactic]:
    return {t.id: t for t in entries(pack, "tactics.toml", tuple[Tactic, ...], "tactic")}


def read_chits(pack: Pack) -> tuple[Chit, ...]:
    return records(
        pack.rows("chits.csv"),
        Chit,
        dark=flag("dark"),
        front_priority=lambda row: bool(row["front_priority"]),
        back_priority=lambda row: bool(row["back_priority"]),
    )
