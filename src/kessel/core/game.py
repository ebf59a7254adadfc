"""Game: a board being played, with its record, its log and honest undo.

    game = Game.new("stalingrad42", "fall-blau", seed=1)
    game.play("move 16Pz 2130")
    game.undo()

Undo goes back to the last die, revelation or change of the side that decides, never past one; `take_back` does, where
both players want it, and the dice go on from where they are. `at(n)` gives the board after n actions from snapshots
kept on the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Any, Self

import msgspec

from kessel.core import snapshot
from kessel.core.board import Board, Event
from kessel.core.breakdown import Refusal
from kessel.core.dice import Dice, NeedRoll, Roll, Scripted, commitment, mixed, seed_bytes
from kessel.core.errors import BadInput, BadPack, BadRecord, IllegalAction, WrongRecord
from kessel.core.pack import Pack, pack_of
from kessel.core.procedure import Action, asked, options, push, question, run, why_not
from kessel.core.record import DIGEST_EVERY, FORMAT, Header, Line, Record, dice_of, rolls_of
from kessel.core.title import Outcome, Title, title
from kessel.core.view import LogEntry, QuestionView, View, choice, subject

SNAPSHOT_EVERY = 16
SNAPSHOT_AFTER = 0.01
"""Seconds of computing after which a board is kept sooner, so that no position is far from one that is kept."""


@dataclass(slots=True)
class Entry:
    """One action that stands."""

    side: int
    action: Action
    text: str
    dice: tuple[Roll, ...]
    events: list[Event]
    count: int = 0
    """So many dice had been rolled before it, those of actions taken back included."""


class Game:
    def __init__(self, t: Title, pack: Pack, scenario: str, opts: Mapping[str, str], dice: Dice) -> None:
        self.title, self.pack, self.scenario = t, pack, scenario
        self.options = t.check_options(t.scenario(pack, scenario), opts)
        seed = dice.seed
        self.board = t.new(pack, scenario, self.options, dice)
        self.board.dice = dice
        self.board.events = []
        run(self.board)
        self.opening: list[Event] = self.board.events or []
        self.board.events = []
        rolled, secret = dice_of(self.board.dice.take())
        committed = commitment(seed)
        header = Header(FORMAT, t.id, scenario, pack.digest, committed, dict(self.options), seed.hex(), rolled, secret)
        self.record = Record(header)
        self.pledge = self.record.pledge
        """What the dice are committed to."""
        self.entries: list[Entry] = []
        self._snapshots: dict[int, Board] = {0: self.board.lean()}
        self._computed = 0.0
        """Seconds of computing since the last of them."""
        self._undo: list[Board] = []

    @classmethod
    def new(
        cls,
        game: str,
        scenario: str,
        *,
        seed: int | bytes | None = None,
        options: Mapping[str, str] | None = None,
        pack: Pack | None = None,
        entropy: Mapping[str, str] | None = None,
    ) -> Self:
        """`entropy` is what each player adds to a seed that was committed to before."""
        secret, added = seed_bytes(seed), dict(entropy or {})
        playing = cls(title(game), pack or pack_of(game), scenario, options or {}, Dice(mixed(secret, added)))
        committed = {"seed": secret.hex(), "commitment": commitment(secret), "entropy": added}
        playing.record.header = msgspec.structs.replace(playing.record.header, **committed)
        playing.pledge = playing.record.pledge
        return playing

    def __repr__(self) -> str:
        name, after = f"{self.title.id}/{self.scenario}", f"after {len(self.entries)} actions"
        if self.over:
            out = self.outcome()
            winner = "nobody" if out is None or out.winner is None else self.title.sides[out.winner]
            return f"<Game {name} {after}, over: {out.level if out else 'no result'}, won by {winner}>"
        asks = options(self.board).prompt.partition(". ")[0].removesuffix(".")
        return f"<Game {name} {after}, {self.title.sides[self.side]} to decide: {asks}.>"

    @property
    def version(self) -> int:
        """Counts accepted changes, undo included."""
        return len(self.record.lines)

    # --- asking ----------------------------------------------------------------------------------------------------

    @property
    def side(self) -> int:
        """The side that must choose now; -1 when the game is over."""
        return asked(self.board)

    @property
    def in_turn(self) -> bool:
        """Whether the side that must choose has its own turn; else it answers what the other side does."""
        return self.title.turn_of(self.board) in (self.side, -1)

    @property
    def over(self) -> bool:
        return not self.board.stack

    def outcome(self) -> Outcome | None:
        return self.title.outcome(self.board)

    def legal(self) -> list[Action]:
        return list(options(self.board))

    def legal_texts(self) -> list[str]:
        return [self.text(a) for a in self.legal()]

    def text(self, action: Action) -> str:
        return self.title.notation.text(self.board, action)

    def parse(self, text: str) -> Action:
        return self.title.notation.parse(self.board, text)

    def why_not(self, action: Action | str, side: int | None = None) -> Refusal | None:
        if isinstance(action, str):
            action = self.parse(action)
        elif not self.title.notation.fits(self.board, action):
            return Refusal("", f"this is no action of {self.title.id}")
        return why_not(self.board, action, side)

    # --- playing ---------------------------------------------------------------------------------------------------

    def play(self, action: Action | str, side: int | None = None) -> Entry:
        """Carry out an action; IllegalAction or BadInput and no change where it is not legal."""
        if isinstance(action, str):
            action = self.parse(action)
        refusal = self.why_not(action, side)
        if refusal is not None:
            raise IllegalAction(self._shown(action), refusal)
        return self._do(action)

    def replies(self) -> list[Entry]:
        """What is played after an action by nobody at the table: nothing, but in a lesson."""
        return []

    def _shown(self, action: Action) -> str:
        try:
            return self.text(action)
        except (KeyError, IndexError, TypeError, StopIteration, AttributeError):
            return repr(action)

    def _do(self, action: Action) -> Entry:
        g = self.board
        before = g.lean()
        who, text, count = asked(g), self.text(action), g.dice.count
        begun = thread_time()
        push(g, action)
        self._computed += thread_time() - begun
        events, g.events = g.events or [], []
        entry = Entry(who, action, text, tuple(g.dice.take()), events, count)
        self.entries.append(entry)
        if entry.dice or g.reveals != before.reveals or asked(g) != who:
            self._undo.clear()
        else:
            self._undo.append(before)
        n = len(self.entries)
        if n % SNAPSHOT_EVERY == 0 or self._computed > SNAPSHOT_AFTER:
            self._snapshots[n], self._computed = g.lean(), 0.0
        line = Line(self.title.sides[who], text, *dice_of(entry.dice))
        if n % DIGEST_EVERY == 0 or self.over:
            line.digest = g.digest()
        self.record.lines.append(line)
        return entry

    @property
    def can_undo(self) -> bool:
        return bool(self._undo)

    def undo(self) -> None:
        """Take back the last action, if that is honest."""
        if not self._undo:
            why = "a die, a revelation or the other side's decision lies between"
            raise IllegalAction("undo", Refusal("", why if self.entries else "nothing has been done yet"))
        self.board = self._undo.pop()
        self.board.events = []
        self._snapshots.pop(len(self.entries), None)
        self.entries.pop()
        self.record.lines.append(Line(undo=1))

    def standing(self) -> list[int]:
        """The numbers of the record's lines whose actions stand."""
        found: list[int] = []
        for n, line in enumerate(self.record.lines):
            if line.undo or line.back:
                del found[-(line.undo or line.back) :]
            elif line.do:
                found.append(n)
        return found

    def take_back(self, to: int) -> None:
        """Go back to the board after so many actions, past dice and all: only where every player wants it. What was
        rolled is spent: the dice go on from where they are.
        """
        self._check_number(to)
        back = len(self.entries) - to
        if not back:
            raise BadInput("there is nothing to take back")
        dice = self.board.dice
        self.board = self.at(to)
        self.board.dice, self.board.events = dice, []
        del self.entries[to:]
        self._snapshots = {n: g for n, g in self._snapshots.items() if n <= to}
        self._undo.clear()
        self.record.lines.append(Line(back=back))

    def undoable(self, action: Action) -> bool:
        """Whether a legal action could be taken back after it was done: to be told before it is done."""
        h = self.board.copy()
        h.dice = Scripted(())
        try:
            push(h, action)
        except NeedRoll:
            return False
        return h.reveals == self.board.reveals and asked(h) == self.side

    # --- looking back ----------------------------------------------------------------------------------------------

    def at(self, n: int) -> Board:
        """The board after n actions."""
        self._check_number(n)
        start = max(k for k in self._snapshots if k <= n)
        g = self._snapshots[start].copy()
        for entry in self.entries[start:n]:
            g.dice.count = entry.count
            push(g, entry.action)
        g.dice.take()
        return g

    def snapshot_at(self, n: int) -> Board | None:
        """The board after n actions, if it was kept; not to be changed."""
        return self._snapshots.get(n)

    def _check_number(self, n: int) -> None:
        if not 0 <= n <= len(self.entries):
            raise BadInput(f"the game has {len(self.entries)} actions, not {n}")

    def branch(self, n: int, *, seed: int | bytes | None = None) -> Self:
        """A new game that begins with the first n actions of this one and goes on with other dice."""
        self._check_number(n)
        before = [v for _, v in self.record.header.dice]
        dice = Scripted(before + [r.value for e in self.entries[:n] for r in e.dice])
        new = type(self)(self.title, self.pack, self.scenario, self.options, dice)
        for entry in self.entries[:n]:
            new._do(entry.action)
        new.record.header = msgspec.structs.replace(self.record.header, seed="")
        new._reseed(Dice(seed).seed)
        return new

    def _reseed(self, seed: bytes) -> None:
        self.board.dice = Dice(seed, self.board.dice.count)
        self._undo.clear()
        self._snapshots[len(self.entries)] = self.board.lean()
        self.record.lines.append(Line(reseed=seed.hex(), commitment=commitment(seed)))
        self.pledge = self.record.pledge

    # --- views -----------------------------------------------------------------------------------------------------

    def view(self, side: int | None) -> View:
        """What a seat gets to see; None for a spectator."""
        q = self.question_view(side)
        out = self.outcome()
        return View(
            game=self.title.id,
            scenario=self.scenario,
            version=self.version,
            sides=list(self.title.sides),
            seat="" if side is None else self.title.sides[side],
            table=self.title.view(self.board, side),
            question=q,
            can_undo=self.can_undo and side == self.side,
            outcome=None if out is None else outcome_json(self.title, out),
            commitment=self.pledge,
        )

    def question_view(self, side: int | None) -> QuestionView | None:
        q = question(self.board)
        if q is None:
            return None
        p, s = q
        found = options(self.board)
        notation = self.title.notation
        choices = []
        hexes, units = subject(self.board, self.board.stack)
        if side == self.side:
            choices = [choice(text, a[0], parts) for a in found for text, parts in [notation.described(self.board, a)]]
            for c in choices:
                if c.verb == "pass":
                    c.label = found.passing()
        else:
            units = []
        who, answer = self.title.sides[self.side], not self.in_turn
        prompt = found.prompt if side == self.side else found.open_prompt
        return QuestionView(who, s.rule, prompt, type(p).__name__, s.name, choices, hexes, units, answer)

    def log(self, since: int = 0) -> list[LogEntry]:
        return [
            LogEntry(i + 1, self.title.sides[e.side], e.text, self.told(e), e.events)
            for i, e in enumerate(self.entries[since:], start=since)
        ]

    def told(self, entry: Entry) -> list[tuple[int, int]]:
        """The dice of an action that may be shown: secret draws only when the game is over."""
        return [(r.sides, r.value) for r in entry.dice if not r.secret or self.over]

    # --- records ---------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        self.record.write(path)

    @classmethod
    def replay(
        cls, record: Record, *, pack: Pack | None = None, where: str = "record", game: Title | None = None
    ) -> Self:
        """Play a record again, checking every action, every die and every digest."""
        head = record.header
        try:
            t = game or title(head.game)
            pack = pack or pack_of(head.game)
            if pack.digest != head.pack:
                raise BadInput(f"it was made with other data of {head.game} (pack {head.pack}, here {pack.digest})")
            t.check_options(t.scenario(pack, head.scenario), head.options)
        except BadPack:
            raise
        except BadInput as e:
            raise BadRecord(e.message, f"{where}:1") from None
        seed = record.seed
        dice = Dice(seed) if seed is not None else Scripted(record.rolled())
        try:
            playing = cls(t, pack, head.scenario, head.options, dice)
        except NeedRoll:
            raise BadRecord("the dice of the set-up are missing", f"{where}:1") from None
        except BadPack:
            raise
        except BadInput as e:
            raise BadRecord(e.message, f"{where}:1") from None
        made = playing.record.header
        if (made.dice, made.secret) != (head.dice, head.secret):
            raise WrongRecord("the dice before the first decision differ from the recorded ones", f"{where}:1")
        numbers = record.numbers or range(2, len(record.lines) + 2)
        for number, line in zip(numbers, record.lines, strict=True):
            playing._replay_line(line, f"{where}:{number}")
        playing.record.header, playing.record.lines = head, list(record.lines)
        playing.pledge = playing.record.pledge
        return playing

    @classmethod
    def resume(
        cls,
        record: Record,
        snapshots: Mapping[int, Mapping[str, Any]],
        events: Mapping[int, list[Event]],
        *,
        pack: Pack,
        game: Title | None = None,
    ) -> Self:
        """Open a game of one's own keeping at once: from its snapshots (by number of actions), only the rest is played.

        `events` are what was told at each line of the record, by line number. A record from elsewhere must be replayed.
        """
        head = record.header
        t = game or title(head.game)
        if pack.digest != head.pack:
            raise BadRecord(f"it was made with other data of {head.game} (pack {head.pack}, here {pack.digest})")
        seed = record.seed
        dice = Dice(seed) if seed is not None else Scripted(record.rolled())
        playing = cls(t, pack, head.scenario, head.options, dice)
        fresh = playing.board
        entries: list[Entry] = []
        count = len(head.dice)
        for i, line in enumerate(record.lines):
            if line.undo or line.back:
                del entries[-(line.undo or line.back) :]
            elif line.reseed:
                seed = bytes.fromhex(line.reseed)
            elif line.do:
                action = playing.parse(line.do)
                rolls = rolls_of(line)
                entries.append(Entry(t.side(line.side), action, line.do, rolls, events.get(i, []), count))
                count += len(rolls)
        usable = [n for n in snapshots if n <= len(entries)]
        for n in usable:
            board = snapshot.load(dict(snapshots[n]), fresh, t.procedures)
            board.dice = Dice(seed, board.dice.count)
            playing._snapshots[n] = board
        start = max(usable, default=0)
        playing.entries = entries[:start]
        playing.board = playing._snapshots[start].copy()
        playing.board.events = []
        for entry in entries[start:]:
            playing.board.dice.count = entry.count
            if playing._do(entry.action).dice != entry.dice:
                raise BadRecord(f"the dice of {entry.text!r} differ from the recorded ones")
        playing.board.dice.count = count
        playing.record = record
        playing.pledge = record.pledge
        return playing

    def _replay_line(self, line: Line, where: str) -> None:
        try:
            if line.undo:
                self.undo()
                return
            if line.back:
                self.take_back(len(self.entries) - line.back)
                return
            if line.reseed:
                self._reseed(bytes.fromhex(line.reseed))
                return
            if line.commitment:
                return
            entry = self.play(line.do, self.title.side(line.side))
        except NeedRoll:
            raise WrongRecord("dice are missing", where) from None
        except (IllegalAction, BadInput, ValueError) as e:
            raise WrongRecord(f"the line cannot be played: {e}", where) from None
        dice, secret = dice_of(entry.dice)
        if dice != line.dice:
            raise WrongRecord(f"the dice were {line.dice}, the seed gives {dice}", where)
        if secret != line.secret:
            raise WrongRecord(f"the secret ones of its dice are said to be {line.secret}, they are {secret}", where)
        if line.digest and self.board.digest() != line.digest:
            raise WrongRecord("the position differs from the recorded one", where)


def outcome_json(t: Title, out: Outcome) -> dict[str, Any]:
    return {
        "winner": None if out.winner is None else t.sides[out.winner],
        "level": out.level,
        "rule": out.rule,
        "points": out.points,
    }
