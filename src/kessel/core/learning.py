"""A lesson being played: a real board whose dice and enemy follow a script, and a teacher who looks on.

Whatever is legal can be tried. What serves the step is played; anything else is answered and taken back, which means
that it is never played at all: the board, the record and the version stay as they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import msgspec

from kessel.core.analysis import answer
from kessel.core.board import Board
from kessel.core.breakdown import Refusal
from kessel.core.dice import Dice, Roll, commitment
from kessel.core.errors import BadInput, BadRecord, IllegalAction, KesselError
from kessel.core.game import Entry, Game
from kessel.core.lessons import Chain, Lesson, Step, fits, is_complete, left_of, position_of, read_lesson
from kessel.core.pack import Pack
from kessel.core.procedure import PASS, apply, options, push, question, run, why_not
from kessel.core.record import FORMAT, Header, Line, Record, dice_of
from kessel.core.title import Outcome, Title, title
from kessel.core.view import LessonView, View

NEXT = "next"
"""Stands in the record of a lesson where a step was left that asks for nothing more."""
MOST_SHOWN = 12


class Loaded(Dice):
    """Dice that fall as they are told, and after that by a seed."""

    __slots__ = ("script",)

    def __init__(self, seed: bytes, count: int = 0, script: Sequence[int] = ()) -> None:
        super().__init__(seed, count)
        self.script = tuple(script)

    def roll(self, sides: int = 6, *, secret: bool = False) -> int:
        if not self.script or self.script[0] > sides:
            return super().roll(sides, secret=secret)
        value, *rest = self.script
        self.script = tuple(rest)
        self.count += 1
        self.rolled.append(Roll(sides, value, secret))
        return value

    def copy(self) -> Loaded:
        return Loaded(self.seed, self.count, self.script)


class NotHere(IllegalAction):
    """A legal action that does not serve the step: what it would have done is told, and it was not played."""


@dataclass(slots=True)
class Stand:
    """Where the lesson stands."""

    board: Board
    step: int
    begun: int
    """So many actions had been played when the step began."""
    done: bool


class LessonGame(Game):
    def __init__(self, lesson: Lesson, t: Title, pack: Pack) -> None:
        self.title, self.pack, self.scenario, self.lesson = t, pack, lesson.scenario, lesson
        self.options = {"lesson": lesson.name}
        self.seed = f"lesson {t.id} {lesson.name}".encode()
        self.board = self._board(lesson.position)
        self.opening = []
        header = Header(
            FORMAT, t.id, lesson.scenario, pack.digest, commitment(self.seed), dict(self.options), self.seed.hex()
        )
        self.record = Record(header)
        self.pledge = self.record.pledge
        self.entries: list[Entry] = []
        self._snapshots: dict[int, Board] = {}
        self._undo: list[Board] = []
        self.step, self.begun, self.done = 0, 0, False
        self.said = ""
        """What the last try was told."""
        self.refusal: Refusal | None = None
        """The refusal the step shows, once it was asked for."""
        self._before: list[Stand] = []
        """Before every action."""
        self._enter(0)

    @classmethod
    def begin(cls, game: str, name: str, pack: Pack | None = None) -> Self:
        pack = pack or Pack(title(game).id)
        return cls(read_lesson(pack, name), title(game), pack)

    @classmethod
    def reopened(cls, record: Record, pack: Pack) -> Self:
        """A lesson as it was left."""
        playing = cls.begin(record.header.game, record.header.options["lesson"], pack)
        try:
            for line in record.lines:
                if line.undo:
                    playing.undo()
                else:
                    playing._put(line.do)
        except (KesselError, IndexError):
            raise BadRecord("this lesson has changed since; begin it anew") from None
        playing.record = record
        return playing

    def _board(self, file: str) -> Board:
        g = position_of(self.pack, file)
        g.dice = Loaded(self.seed)
        g.events = []
        run(g)
        g.events = []
        return g

    # --- where it stands -------------------------------------------------------------------------------------------

    @property
    def now(self) -> Step:
        return self.lesson.step[self.step]

    @property
    def seat(self) -> int:
        """The side the player takes in this step."""
        return self.title.side(self.lesson.seat_at(self.step))

    @property
    def over(self) -> bool:
        return False

    def outcome(self) -> Outcome | None:
        return None

    @property
    def finished(self) -> bool:
        return self.step == len(self.lesson.step) - 1 and (self.done or not self.now.acts)

    @property
    def can_undo(self) -> bool:
        return len(self.entries) > self.begun and not self.done

    def at(self, n: int) -> Board:
        self._check_number(n)
        return (self.board if n == len(self.entries) else self._before[n].board).copy()

    def snapshot_at(self, n: int) -> Board | None:
        return None

    def _played(self) -> list[str]:
        """What the player has done in this step."""
        return [e.text for e in self.entries[self.begun :] if e.side == self.seat and e.text != NEXT]

    def _left(self) -> list[Chain]:
        return left_of(self.now.expect, self._played())

    def fitting(self) -> list[str]:
        """The listed actions that serve the step now."""
        if not self.now.acts or self.done or self.side != self.seat:
            return []
        left = self._left()
        return [t for t in self.legal_texts() if left_of(left, [t])]

    # --- playing ---------------------------------------------------------------------------------------------------

    def play(self, action: Any, side: int | None = None) -> Entry:
        """A legal action that serves the step, or NEXT; NotHere for any other that is legal."""
        self.said = ""
        if action == NEXT:
            return self._go_on()
        action = self.parse(action) if isinstance(action, str) else action
        refusal = self.why_not(action, side)
        text = self._shown(action)
        if refusal is not None:
            raise IllegalAction(text, refusal)
        if self.done or not self.now.acts:
            raise self._not_here(action, "Read on first: press Next.")
        if not left_of(self._left(), [text]) and not self._is_free(action):
            raise self._not_here(action, self.now.other)
        return self._put(text)

    def replies(self) -> list[Entry]:
        """The other side answers, until the player is asked again."""
        found = []
        while question(self.board) is not None and self.side != self.seat:
            found.append(self._put(self._reply()))
        return found

    def _reply(self) -> str:
        listed = self.legal_texts()
        given = len([e for e in self.entries[self.begun :] if e.side != self.seat])
        if given < len(self.now.enemy):
            wanted = self.now.enemy[given]
            found = next((t for t in listed if fits(wanted, t)), None)
            if found is None:
                raise BadInput(f"step {self.step + 1}: the other side cannot {wanted!r}; it can {', '.join(listed)}")
            return found
        passing = self.text(PASS)
        return passing if passing in listed else listed[0]

    def _go_on(self) -> Entry:
        if self.finished:
            raise IllegalAction(NEXT, Refusal("", "this was the last step"))
        if self.now.acts and not self.done:
            raise IllegalAction(NEXT, Refusal("", f"first do this: {self.now.do}"))
        return self._put(NEXT)

    def _put(self, text: str) -> Entry:
        """Play it, and go to the next step if this one is done."""
        self._before.append(Stand(self.board.lean(), self.step, self.begun, self.done))
        self.said, self.refusal = "", None
        if text == NEXT:
            entry = Entry(self.seat, (NEXT,), NEXT, (), [])
            self.entries.append(entry)
            self._enter(self.step + 1)
        else:
            entry = self._carried_out(text)
            self._look()
        self.record.lines.append(Line(self.title.sides[entry.side], text, *dice_of(entry.dice)))
        return entry

    def _carried_out(self, text: str) -> Entry:
        g, action, who = self.board, self.parse(text), self.side
        push(g, action)
        events, g.events = g.events or [], []
        entry = Entry(who, action, text, tuple(g.dice.take()), events)
        self.entries.append(entry)
        return entry

    def _look(self) -> None:
        """Whether the step is done; then the next one follows unless something is to be said first."""
        waits = question(self.board) is not None and self.side != self.seat
        if self.done or waits or not self.now.acts:
            return
        self.done = any(is_complete(c) for c in self._left()) or self._answers(self.board)
        if self.done and not self.now.then and not self.finished:
            self._enter(self.step + 1)

    def _enter(self, n: int) -> None:
        self.step, self.begun, self.done = n, len(self.entries), False
        step = self.now
        if step.position:
            self.board = self._board(step.position)
        dice = self.board.dice
        self.board.dice = Loaded(self.seed, dice.count, step.dice)

    def _not_here(self, action: Any, told: str) -> NotHere:
        self.said = told.replace("{did}", f'"{self._read(action)}"')
        return NotHere("", Refusal("", self.said))

    def _read(self, action: Any) -> str:
        """An action as its button reads."""
        if action == PASS:
            return options(self.board).passing() or "Go on"
        verb, *words = self._shown(action).split(" ")
        return self.title.reads(verb, *map(self.board.word, words))

    def undo(self) -> None:
        if not self._before:
            raise IllegalAction("undo", Refusal("", "nothing has been done yet"))
        was = self._before.pop()
        self.board, self.step, self.begun, self.done = was.board, was.step, was.begun, was.done
        self.board.events = []
        self.entries.pop()
        self.said, self.refusal = "", None
        self.record.lines.append(Line(undo=1))

    def back_to(self, *, before: bool) -> int:
        """How many actions must be taken back to begin this step again, or the step before it."""
        here = len(self.entries) - self.begun
        if not before or not self.begun:
            return here
        return here + self.begun - self._before[self.begun - 1].begun

    # --- a position that answers a question as wanted --------------------------------------------------------------

    def _answers(self, g: Board) -> bool:
        """Whether the position answers the step's question as the step wants it."""
        if not self.now.or_:
            return False
        fields = self.title.questions[self.now.or_["question"]].form.__struct_fields__
        asked = {k: v for k, v in self.now.or_.items() if k in fields}
        found = answer(self.title, g, msgspec.json.encode(asked))
        return all(_holds(v, found.get(k)) for k, v in self.now.or_.items() if k not in asked)

    def _is_free(self, action: Any) -> bool:
        """Whether the position would answer the question as wanted: then any way there is as good."""
        if not self.now.or_ or not self.undoable(action):
            return False
        h = self.board.copy()
        push(h, action)
        return self._answers(h)

    # --- a refusal to be seen --------------------------------------------------------------------------------------

    def show_refusal(self) -> Refusal:
        """Try what the rules forbid here."""
        wanted = self.now.forbid
        if wanted is None:
            raise BadInput("this step forbids nothing")
        t = self.title
        g = self._board(wanted.position) if wanted.position else self.board.copy()
        for text in wanted.after:
            apply(g, t.notation.parse(g, text))
        found = why_not(g, t.notation.parse(g, wanted.do))
        if found is None:
            raise BadInput(f"step {self.step + 1}: {wanted.do!r} is legal, so it cannot be shown as forbidden")
        if found.rule != wanted.rule:
            raise BadInput(f"step {self.step + 1}: {wanted.do!r} is refused by {found.rule}, not by {wanted.rule}")
        self.refusal = found
        return found

    # --- what is seen ----------------------------------------------------------------------------------------------

    def view(self, side: int | None) -> View:
        return msgspec.structs.replace(super().view(side), lesson=self.lesson_view())

    def lesson_view(self) -> LessonView:
        step, lesson = self.now, self.lesson
        events = [e["what"] for x in self.entries[self.begun :] for e in x.events if "only" not in e]
        return LessonView(
            name=lesson.name,
            title=lesson.title,
            minutes=lesson.minutes,
            goal=lesson.goal,
            step=self.step + 1,
            of=len(lesson.step),
            heading=step.title,
            text=step.text,
            do=step.do,
            rules=step.rules,
            units=step.point.units,
            hexes=step.point.hexes,
            arrow=step.point.arrow,
            overlay=step.point.overlay,
            fits=self.fitting()[:MOST_SHOWN],
            said=self.said,
            then=step.then if self.done else "",
            happened=events if self.done else [],
            forbid=None if step.forbid is None else step.forbid.say,
            reason="" if self.refusal is None else self.refusal.reason,
            reason_rule="" if self.refusal is None else self.refusal.rule,
            ready=self.done or not step.acts,
            finished=self.finished,
            ours=step.ours,
            scenario=lesson.scenario,
            seat=lesson.seat,
        )


def _holds(wanted: Any, found: Any) -> bool:
    """Whether an answer has at least what is wanted of it."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(_holds(v, found.get(k)) for k, v in wanted.items())
    if isinstance(wanted, list):
        return isinstance(found, list) and all(any(_holds(w, f) for f in found) for w in wanted)
    return bool(wanted == found)


def walk(playing: LessonGame) -> int:
    """Play a lesson to its end by what each step expects first; how many actions that took."""
    for n in range(1000):
        if playing.finished:
            return n
        if playing.now.forbid is not None:
            playing.show_refusal()
        if playing.done or not playing.now.acts:
            playing.play(NEXT)
            playing.replies()
            continue
        wanted = playing.fitting()
        if not wanted:
            doing = f"{playing.now.expect}; listed are {', '.join(playing.legal_texts()[:40])}"
            raise BadInput(f"step {playing.step + 1}, {playing.now.title}: nothing listed fits {doing}")
        playing.play(wanted[0], playing.seat)
        playing.replies()
    raise BadInput("the lesson does not come to an end")
