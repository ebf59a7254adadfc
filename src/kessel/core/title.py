"""Title: what a game gives to the rest of the system. One instance per game, the only name other packages import.

The interface is small on purpose: set up a board, say who won, show one side's view, read a hand-written position,
answer questions about it. Everything else (legal actions, records, undo, odds) works on any board.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import msgspec

from kessel.core.action import Notation
from kessel.core.board import Board
from kessel.core.dice import Dice
from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.procedure import Action, Procedure, procedures_of
from kessel.core.registry import GAMES, installed, load
from kessel.core.view import SideView


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made when a game is started: an optional rule, a reading, a handicap."""

    id: str
    name: str
    rule: str
    values: tuple[str, ...] = ("off", "on")
    default: str = "off"
    about: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    name: str
    turns: int
    about: str = ""
    length: str = ""
    """How long it takes, in words for a person who chooses."""
    first: bool = False
    """The one to begin with."""
    options: tuple[Option, ...] = ()
    part: str = ""
    """The areas of the map it is played on, separated by blanks; empty for the whole map."""


MARCH, BATTLE, SYSTEM, PHASE = "march", "battle", "system", "phase"
"""Kinds of chapters: units on the move, told by formation; a fight; what a written system does; anything else."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """What a procedure opens when a game is told: its kind and its heading. In that `{place}` stands for the hexes the
    procedure is about, `{formation}` for the units that march, `{first}` for what is told first, up to a colon,
    `{then}` for what follows the colon, up to a comma.
    """

    kind: str
    name: str


LOSS, RISK, IDLE = "loss", "risk", "idle"


class Caution(msgspec.Struct, omit_defaults=True):
    """Something to be said before a phase is ended: what is lost for certain, what is at risk, what is left undone."""

    level: str
    what: str
    rule: str = ""
    units: list[str] = []
    hexes: list[str] = []


class Way(NamedTuple):
    """Several actions that are one thing to a person: what a button says, the actions, how the attack then stands."""

    says: str
    do: list[Action]
    at: str


class March(NamedTuple):
    """Units that go together: the actions that bring them to a place, who cannot come along, all places they could go
    to, path and cost of the first."""

    do: list[Action]
    left: list[str]
    places: list[str]
    way: dict[str, Any]


class Objective(msgspec.Struct, omit_defaults=True):
    """A place that counts."""

    hex: str
    name: str = ""
    worth: str = ""
    """What it counts, in words."""
    held: str = ""
    """The side that holds it, where that is known."""


class Matter(msgspec.Struct, omit_defaults=True):
    """One sentence on what matters now, and the hexes it speaks of."""

    what: str
    hexes: list[str] = []


class Goal(msgspec.Struct):
    """How a side wins, how that stands today, and what matters now."""

    side: str
    how: str
    stands: dict[str, Any]
    """Today's count, as the game answers it."""
    objectives: list[Objective]
    now: list[Matter]


class Coming(msgspec.Struct):
    """Something the schedule everybody knows holds for a turn: who or what comes, and where."""

    turn: int
    side: str
    what: str
    rule: str = ""


class Outcome(NamedTuple):
    """How a game ended: the winning side (None for a draw), how, and the points of each side that has any."""

    winner: int | None
    level: str
    rule: str
    points: dict[str, int]


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """Base of the questions a position can ask; `question` names the kind."""

    question: str


@dataclass(frozen=True, slots=True)
class Answerer:
    """One kind of question: how it is written and who answers it."""

    form: type[Asked]
    answer: Callable[[Any, Any], dict[str, Any]]
    about: str = field(default="")


class Title(ABC):
    id: ClassVar[str]
    name: ClassVar[str]
    about: ClassVar[str] = ""
    order: ClassVar[int] = 100
    """Where it stands in a list of games."""
    finished: ClassVar[bool] = True
    """Whether it is offered; a game still being written can be had by its id, but stands in no list."""
    sides: ClassVar[tuple[str, ...]]
    played: ClassVar[tuple[int, ...]] = (0, 1)
    """The sides that persons or programs play; the others are run by the rules."""
    notation: ClassVar[Notation]
    phrases: ClassVar[Mapping[str, str]] = {}
    """How a player reads a verb of the notation on a button, where it does not explain itself; `{}` stands for a word
    that follows it. A whole action may have a phrase of its own."""
    aside: ClassVar[frozenset[str]] = frozenset()
    """Verbs a click on the map means only with Shift, or where nothing else is meant: one hex, not all the way."""
    joins: ClassVar[frozenset[str]] = frozenset({"add", "with"})
    """Verbs with which one more unit joins an attack that was begun."""
    opens: ClassVar[frozenset[str]] = frozenset({"attack"})
    """Verbs that begin an attack on a hex."""
    closes: ClassVar[frozenset[str]] = frozenset({"declare", "engage", "assault"})
    """Verbs that end the choice of who attacks."""
    helps: ClassVar[frozenset[str]] = frozenset()
    """Verbs that add support to an attack before its die falls."""
    secret: ClassVar[frozenset[str]] = frozenset()
    """Verbs whose arguments only the side that acts may read before the game is over."""
    disguised: ClassVar[Mapping[str, str]] = {}
    """Secret verbs that others read as another verb: the verb itself would tell."""
    chapters: Mapping[str, Chapter] = {}
    """Which procedures open a chapter when the game is told, by name."""
    marching: ClassVar[int] = -1
    """Which word of a counter's formation names those who are told of together when they march."""
    luck: ClassVar[Mapping[str, Any]] = {}
    """What throws of the dice mean, by the rule of what is told of them: readers of `kessel.wargame.luck`."""
    position_type: ClassVar[type[msgspec.Struct]]
    questions: ClassVar[Mapping[str, Answerer]] = {}

    @abstractmethod
    def scenarios(self, pack: Pack) -> list[Scenario]: ...

    @abstractmethod
    def new(self, pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> Board:
        """A board set up, with its main procedure on the stack, not yet run."""

    @abstractmethod
    def outcome(self, g: Board) -> Outcome | None:
        """None while the game goes on."""

    @abstractmethod
    def view(self, g: Board, side: int | None) -> SideView:
        """What that side may see (None: a spectator who sees what both may see)."""

    @abstractmethod
    def from_position(self, doc: Any, pack: Pack) -> Board:
        """The board of a hand-written position (already decoded into `position_type`)."""

    def says(self, verb: str) -> str:
        """How a verb of the notation reads, without what it is done to."""
        return self._phrase(verb).replace("{}", "…").rstrip(": ")

    def reads(self, verb: str, *words: str) -> str:
        """How an action reads: its verb's phrase with the words in their gaps, and what is left of them behind."""
        first, *others = self._phrase(verb).split("{}")
        filled = first + "".join(word + part for word, part in zip(words, others, strict=False))
        return " ".join((filled, *words[len(others) :]))

    def could(self, verb: str, what: str) -> str:
        """A verb as something that could be done to so many units or hexes: "place 7 units"."""
        first, *others = self._phrase(verb).split("{}")
        text = f"{first.rstrip(': ')} {what}{others[0].rstrip(': ') if len(others) == 1 else ''}"
        return text[0].lower() + text[1:]

    def _phrase(self, verb: str) -> str:
        return self.phrases.get(verb, verb.replace("_", " ").capitalize())

    def turn_of(self, g: Board) -> int:
        """The side whose turn, impulse or activation it is; -1 if it is nobody's. Whoever else is asked answers."""
        return next((s for p in g.stack if (s := getattr(p, "side", -1)) >= 0), -1)

    def faults(self, g: Board) -> list[str]:
        """Everything wrong with the position; [] for a sound one."""
        return g.faults()

    def cell(self, pack: Pack, chart: str, cell: str) -> str:
        """What a cell of a chart says in words, where it is a code."""
        return ""

    def check_pack(self, pack: Pack) -> list[str]:
        """What the game itself finds wrong with its data, as file:line sentences."""
        return []

    def known_to(self, g: Board, side: int) -> Board:
        """A copy to think on: dice forked, and what the side may not see replaced by something it cannot tell apart."""
        h = g.copy()
        h.dice = g.dice.fork(g.dice.count)
        return h

    def preview(self, g: Board, action: Action) -> dict[str, Any]:
        """What a legal action would do, before it is done: path and cost, strengths, odds. Changes nothing."""
        return {}

    def standing(self, g: Board, side: int) -> float:
        """Victory Points as they would count now, for a side: more is better, and the other side's are taken off."""
        return 0.0

    def milestones(self, g: Board) -> list[str]:
        """What is so now that a study of games may ask the date of, in words: the ring is closed."""
        return []

    def goal(self, g: Board, side: int, pack: Pack, scenario: str) -> Goal:
        """How the side wins, and what matters now, of what it may know."""
        about = self.scenario(pack, scenario).about
        return Goal(self.sides[side], about, {}, [], [])

    def warnings(self, g: Board, action: Action) -> list[Caution]:
        """What is to be said before a legal action that ends a phase. Changes nothing."""
        return []

    def plan(self, g: Board, action: Action) -> list[Action]:
        """A legal action with those that best follow it, where that is one thing to a person: an attack and all who
        take part. [] where there is nothing to add. Changes nothing."""
        return []

    def coming(self, g: Board) -> list[Coming]:
        """Reinforcements and events the schedule holds for this turn and later ones."""
        return []

    def march(self, g: Board, units: Sequence[str], to: str) -> March:
        """How these units go to a place together; without a place, where they could go."""
        return March([], list(units), [], {})

    def ways(self, g: Board, action: Action) -> list[Way]:
        """How a legal action that sets an attack going can be carried on to its die without further questions."""
        return []

    def evaluate(self, g: Board, side: int) -> float:
        """How good the position is for a side; used by programs that play."""
        return 0.0

    def overlays(self, g: Board, side: int | None) -> dict[str, Any]:
        """Named layers for the map: zones, bonds, supply, victory hexes."""
        return {}

    @cached_property
    def procedures(self) -> dict[str, type[Procedure]]:
        return procedures_of(type(self).__module__.removesuffix(".title"))

    def scenario(self, pack: Pack, scenario: str) -> Scenario:
        found = self.scenarios(pack)
        for s in found:
            if s.id == scenario:
                return s
        raise BadInput(f"{self.id} has no scenario {scenario!r}; there are {', '.join(s.id for s in found)}")

    def side(self, name: str) -> int:
        if name not in self.sides:
            raise BadInput(f"{self.id} has no side {name!r}; there are {', '.join(self.sides)}")
        return self.sides.index(name)

    def check_options(self, scenario: Scenario, options: Mapping[str, str]) -> dict[str, str]:
        """The options with defaults filled in; BadInput names what is unknown."""
        known = {o.id: o for o in scenario.options}
        for key, value in options.items():
            if key not in known:
                raise BadInput(f"{scenario.id} has no option {key!r}; there are {', '.join(known) or 'none'}")
            if value not in known[key].values:
                raise BadInput(f"option {key} is one of {', '.join(known[key].values)}, not {value!r}")
        return {key: options.get(key, o.default) for key, o in known.items()}


def title(game: str) -> Title:
    """The game of that id; BadInput for an unknown one."""
    if game not in installed(GAMES):
        known = ", ".join(titles()) or "none: install Kessel with pip to have its games found"
        raise BadInput(f"there is no game {game!r}; there are {known}")
    found = load(GAMES, game)
    if not isinstance(found, Title):
        raise BadInput(f"{game} is installed, but it is no game: {type(found).__name__}")
    return found


def titles() -> dict[str, Title]:
    """All games there are to be played, in the order of a list."""
    found = sorted(map(title, installed(GAMES)), key=lambda t: (t.order, t.id))
    return {t.id: t for t in found if t.finished}
