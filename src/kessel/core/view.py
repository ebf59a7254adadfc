"""Views: what one side may see, as plain data a client can draw without knowing any rule.

A game fills a `SideView` (pieces, markers, tracks, cards) for one side; `Game.view` adds the question, its choices
and the log. Nothing hidden from that side is ever put in. Views are made by the thousand and hold no cycles: the
garbage collector need not follow them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from kessel.core.board import Board
    from kessel.core.procedure import Procedure


class Piece(msgspec.Struct, omit_defaults=True, gc=False):
    """One counter as it is to be drawn."""

    id: str
    side: str
    place: str
    name: str = ""
    kind: str = "infantry"
    """Symbol: infantry, armor, mechanized, motorized, cavalry, artillery, engineer, headquarters, supply, ..."""
    size: str = ""
    """II, III, X, XX, XXX, XXXX, XXXXX"""
    values: str = ""
    """As printed on the counter: 10-8-6"""
    steps: int = 1
    full_steps: int = 1
    nation: str = ""
    elite: int = 0
    """1 elite, -1 low, 0 normal"""
    status: list[str] = []
    """Words for states a player must see: disrupted, out of supply, spent, ..."""
    dot: str = ""
    formation: str = ""
    note: str = ""


class Marker(msgspec.Struct, omit_defaults=True, gc=False):
    kind: str
    place: str
    text: str = ""
    side: str = ""
    hexside: str = ""


class Track(msgspec.Struct, omit_defaults=True, gc=False):
    name: str
    value: int
    text: str = ""
    """How the value reads: a date, a weather, a benchmark."""
    low: int = 0
    high: int = 0
    quiet: bool = False
    """There is nothing to say of it while its value is nought."""

    @property
    def says(self) -> str:
        """As it is read; empty where there is nothing to say."""
        return "" if self.quiet and not self.value else self.text or str(self.value)


class Use(msgspec.Struct, omit_defaults=True, gc=False):
    """One thing a card can be played for."""

    word: str
    """As the notation writes it after the card."""
    says: str
    rule: str = ""
    why: str = ""
    """Why not now; empty where it can."""


class Half(msgspec.Struct, omit_defaults=True, gc=False):
    """One half of a chit: when it counts, what it then does, and whether it counts now."""

    when: str
    does: str
    counts: bool = False


class Card(msgspec.Struct, omit_defaults=True):
    id: str
    name: str
    where: str
    """hand, discard, play, ..."""
    side: str = ""
    lines: list[str] = []
    value: str = ""
    """The number on it."""
    about: str = ""
    """Whom it is about; of a chit, why it does not count."""
    uses: list[Use] = []
    tactics: list[Use] = []
    """What it can be played for in a fight."""
    halves: list[Half] = []


class SideView(msgspec.Struct, omit_defaults=True):
    """A game's own part of the view."""

    turn: str
    phase: str = ""
    pieces: list[Piece] = []
    markers: list[Marker] = []
    tracks: list[Track] = []
    cards: list[Card] = []
    control: dict[str, str] = {}
    """Hexes whose owner is known to both: number to side."""


class Choice(msgspec.Struct, omit_defaults=True, gc=False):
    """One legal action: its notation, and what of the table it is about."""

    text: str
    verb: str
    label: str = ""
    unit: str = ""
    units: list[str] = []
    place: str = ""
    path: list[str] = []
    hexside: str = ""
    number: int | None = None
    word: str = ""
    words: list[str] = []


class QuestionView(msgspec.Struct, omit_defaults=True):
    side: str
    rule: str
    prompt: str
    procedure: str = ""
    step: str = ""
    choices: list[Choice] = []
    """Empty in the view of a side that is not asked."""
    hexes: list[str] = []
    """What it is about: the hex fought over."""
    units: list[str] = []
    """The units it is about, for the side that is asked."""
    answer: bool = False
    """It is the other side's turn: this answers what that side does."""


class LogEntry(msgspec.Struct, omit_defaults=True):
    number: int
    side: str
    text: str
    dice: list[tuple[int, int]] = []
    events: list[dict[str, Any]] = []


class LessonView(msgspec.Struct, omit_defaults=True):
    """The step of a lesson, where the table is one."""

    name: str
    title: str
    minutes: int
    goal: str
    step: int
    of: int
    heading: str
    text: str
    do: str = ""
    """What is to be done; empty: nothing but reading."""
    rules: list[str] = []
    units: list[str] = []
    hexes: list[str] = []
    arrow: list[str] = []
    overlay: str = ""
    """What of the table it speaks of."""
    fits: list[str] = []
    """Choices that serve it now."""
    said: str = ""
    """What the last try was told, which was taken back."""
    then: str = ""
    """What is said when it is done."""
    happened: list[str] = []
    forbid: str | None = None
    """What a refusal of the rules teaches here; it can be tried."""
    reason: str = ""
    reason_rule: str = ""
    """The refusal, when it was tried."""
    ready: bool = False
    """The next step may follow."""
    finished: bool = False
    ours: str = ""
    """What of it is reconstructed."""
    scenario: str = ""
    seat: str = ""
    """The scenario to play next, and as whom."""


class View(msgspec.Struct, omit_defaults=True):
    """Everything a seat gets."""

    game: str
    scenario: str
    version: int
    """Counts accepted changes; an action names the version it was made for."""
    sides: list[str]
    seat: str
    table: SideView
    question: QuestionView | None = None
    can_undo: bool = False
    outcome: dict[str, Any] | None = None
    commitment: str = ""
    """What the dice are committed to: `kessel replay --verify --commitment` checks the record against it."""
    waiting: list[str] = []
    """Sides whose seat nobody has taken yet; the game begins when all have come."""
    lesson: LessonView | None = None


def subject(g: Board, stack: Sequence[Procedure]) -> tuple[list[str], list[str]]:
    """The hexes and units a question is about, as its procedure declares; hexes also as one below it does."""
    hexes = next((found for p in reversed(stack) if (found := first_of(p, p.about_hexes, g.map.grid.size))), [])
    units = first_of(stack[-1], stack[-1].about_units, len(g.forces)) if stack else []
    return [g.hex_name(h) for h in hexes], [g.forces.ids[u] for u in units]


def first_of(p: Procedure, names: tuple[str, ...], limit: int) -> list[int]:
    """What the first of these fields that holds anything holds."""
    for name in names:
        value = getattr(p, name)
        found = [n for n in ((value,) if isinstance(value, int) else value) if 0 <= n < limit]
        if found:
            return found
    return []


def choice(text: str, verb: str, parts: dict[str, Any], label: str = "") -> Choice:
    """A choice from an action's notation and its arguments by kind."""
    get = parts.get
    return Choice(
        text,
        verb,
        label,
        get("unit", ""),
        get("units", []),
        get("hex", "") or get("place", ""),
        get("path") or get("places", []),
        get("hexside", ""),
        get("number"),
        get("word", ""),
        get("words", []),
    )
