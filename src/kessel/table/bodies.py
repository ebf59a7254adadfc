"""The bodies of requests."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Word = Annotated[str, Field(max_length=80)]
Text = Annotated[str, Field(min_length=1, max_length=2000)]
RequestId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._:-]+$")]


Entropy = Annotated[str, Field(pattern=r"^[0-9a-f]{32,128}$")]
"""Hexadecimal digits a client takes from its own source of chance."""


PersonName = Annotated[str, Field(max_length=40, pattern=r"^[^\x00-\x1f\x7f]*$")]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(Body):
    game: Word = ""
    scenario: Word = ""
    lesson: Word = ""
    """Instead of all else: a lesson to be played, `stalingrad42/voronezh`."""
    options: dict[Word, Word] = Field(default={}, max_length=50)
    seats: dict[Word, Word] = Field(default={}, max_length=10)
    seed: int | None = Field(default=None, ge=0, lt=2**63)
    """Not where another person plays."""
    entropy: Entropy | None = None
    """Must be there where another person plays."""
    name: PersonName = ""
    """What whoever makes it wants to be called."""
    for_all: bool = False
    """Whoever finds the table in the list may take an open seat."""


class Undo(Body):
    version: int = Field(ge=0, lt=2**31)
    id: RequestId
    differences: bool = False
    """Answered with what differs from the view of that version, where that is known."""


class Act(Undo):
    do: Text


class Plan(Undo):
    do: list[Text] = Field(min_length=1, max_length=60)
    """One after the other, as long as each is listed; after a die or a revelation no more."""


class Do(Body):
    do: Text


class Look(Do):
    decided: bool = False
    """It is about to be done: also what is to be said before, and what best follows."""


class Dos(Body):
    do: list[Text] = Field(max_length=400)


class Together(Body):
    units: list[Word] = Field(min_length=1, max_length=20)
    to: str = Field(default="", max_length=80)
    """Empty: where could they go?"""


class Side(Body):
    side: Word


class Join(Body):
    entropy: Entropy
    name: PersonName = ""


class Name(Body):
    name: PersonName


class Say(Body):
    text: str = Field(min_length=1, max_length=500)
    note: bool = False
    """For oneself alone."""
    name: PersonName = ""
    """Of who looks on; a player has that of the seat."""


class Back(Body):
    to: int = Field(ge=0, lt=2**31)
    """So many actions are to stand."""


class Answer(Body):
    n: int = Field(ge=1, lt=2**31)
    """The number of the message that asked."""
    allow: bool


class Import(Body):
    record: str = Field(min_length=1, max_length=4_000_000)
    """A record, as it is saved."""


class Recover(Body):
    recovery: Annotated[str, Field(min_length=1, max_length=200)]


class Teach(Body):
    """At a lesson: begin the step `again`, go `back` to the one before, or `try` what it says is forbidden."""

    version: int = Field(ge=0, lt=2**31)
    do: Literal["again", "back", "try"]


class Branch(Body):
    at: int = Field(ge=0, lt=2**31)


class Seen(Body):
    number: int = Field(ge=0, lt=2**31)
    """So many actions of the game."""


class Told(Body):
    """How to tell this seat's person that it is their turn; empty: not at all."""

    webhook: str = Field(default="", max_length=500)
    mail: str = Field(default="", max_length=200)
