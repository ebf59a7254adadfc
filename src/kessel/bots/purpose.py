"""What a program means by what it does: its objectives, the attack it has in mind, what it weighed. Advice is made of
this (`kessel.bots.advice`); a game's program gives it from the plans it plays by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kessel.core.board import Board, Place
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Action

MOST_NAMED = 3
"""Names of a list that are said."""
NO_PLACES: Mapping[Unit, Place] = {}


class Aim(NamedTuple):
    """What a formation, or whoever stands somewhere, is to do."""

    who: str
    words: str
    """What follows the name: `is to take 3816`."""
    place: Place = -1
    units: tuple[Unit, ...] = ()


class Battle(NamedTuple):
    """An attack as it is meant to be made."""

    target: Hex
    units: tuple[Unit, ...]
    ask: Mapping[str, Any]
    """The fields of the game's own question `attack`."""
    worth: float | None = None
    places: Mapping[Unit, Place] = NO_PLACES
    """Where units go for it first."""


class Weighed(NamedTuple):
    """Something that was thought of, and what it seemed worth."""

    worth: float
    words: str
    action: Action
    why: str = ""
    """What speaks against it, besides its worth."""


class Adviser:
    """What advice asks about a program of a game; without one there is only what it does."""

    measure = ""
    """What a worth of 1 is."""

    def aims(self, program: Any, seen: Any) -> Sequence[Aim]:
        """What formations are after in this turn, the most important first."""
        return ()

    def keeps(self, program: Any, seen: Any) -> Sequence[Aim]:
        """Garrisons: who stays where, and what for."""
        return ()

    def planned(self, program: Any, seen: Any) -> Sequence[Battle]:
        """Attacks for which units still have to go somewhere, the best first."""
        return ()

    def made(self, g: Any, side: Side) -> Battle | None:
        """The attack that is being made now, with all that take part so far."""
        return None

    def odds(self, answer: Mapping[str, Any]) -> str:
        """What the game's answer to the question `attack` says, in words; "" where it has no odds."""
        return ""


def place_words(g: Board, place: Place) -> str:
    """A hex by name and number, for sentences."""
    name = g.map.name.get(place) if g.map.is_hex(place) else None
    return f"{name} ({g.hex_name(place)})" if name else g.place_name(place)


def listed(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def some_of(names: Sequence[str]) -> str:
    """`a, b, c and 4 more`."""
    more = len(names) - MOST_NAMED
    return listed([*names[:MOST_NAMED], f"{more} more"]) if more > 0 else listed(names)
