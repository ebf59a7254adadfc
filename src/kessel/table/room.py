"""A room: a table that is open in this process, and what each of its seats may see."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

import msgspec

from kessel.core.board import Board, Event
from kessel.core.errors import BadInput
from kessel.core.game import Entry, Game
from kessel.core.learning import LessonGame
from kessel.core.telling import Recap, Sums, Telling
from kessel.core.view import LogEntry, View
from kessel.report.page import report
from kessel.table.differences import difference
from kessel.table.seats import KEEPER, OPEN, PROGRAM, WATCH, Seat


@dataclass(slots=True)
class Room:
    """To be used only by who holds its lock: between a change and its commit the game is ahead of the store."""

    id: str
    game: Game
    seats: dict[str, Seat]
    requests: dict[tuple[str, str], int] = field(default_factory=dict)
    """Seat and id of every accepted request, with the number of its line."""
    last_snapshot: int = 0
    kept_turn: str = ""
    """The turn as the list of tables names it."""
    turn_due: bool = False
    """It will be looked at soon."""
    users: int = 0
    """Who is inside or waits at the door."""
    used: float = field(default_factory=time.monotonic)
    """When somebody was inside last."""
    gone: bool = False
    """Thrown away: the table must be opened anew."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _views: dict[str, View] = field(default_factory=dict)
    _before: dict[str, View] = field(default_factory=dict)
    """The views of the version before, as far as they were made."""
    _told: dict[tuple[str, bool], bytes] = field(default_factory=dict)
    """By seat: the view as JSON, and what differs from the one before."""
    _known: dict[str, Board] = field(default_factory=dict)
    _news: dict[str, bytes] = field(default_factory=dict)
    _tellings: dict[str, Telling] = field(default_factory=dict)
    _last: Entry | None = None
    _report: str | None = None

    # --- who -------------------------------------------------------------------------------------------------------

    @property
    def asked(self) -> str:
        side = self.game.side
        return "" if side < 0 else self.game.title.sides[side]

    @property
    def waiting(self) -> list[str]:
        """Sides whose seat nobody has taken yet. The game begins, with dice of its own, when all have come."""
        return [side for side, s in self.seats.items() if s.kind == OPEN]

    @property
    def program(self) -> Seat | None:
        """The program that must decide now, if one must."""
        seat = self.seats.get(self.asked)
        return seat if seat is not None and seat.kind == PROGRAM and not self.waiting else None

    def seat_of(self, token: str) -> str | None:
        """The side whose token this is (WATCH for a spectator); None for a token of nobody here."""
        return next((side for side, s in self.seats.items() if side != KEEPER and s.opened_by(token)), None)

    def kept_by(self, token: str) -> bool:
        """Whether this is the key of whoever made the table."""
        return KEEPER in self.seats and self.seats[KEEPER].opened_by(token)

    def side(self, seat: str) -> int | None:
        return None if seat == WATCH else self.game.title.side(seat)

    # --- what a seat may see ---------------------------------------------------------------------------------------

    def view(self, seat: str) -> bytes:
        """The seat's view as JSON."""
        found = self._told.get((seat, True))
        if found is None:
            found = self._told[seat, True] = msgspec.json.encode(self._view(seat))
        return found

    def difference(self, seat: str, since: int) -> bytes | None:
        """What of the seat's view differs from the one of that version, and the action that led to it, as JSON; None
        if that version is not known here.
        """
        before = self._before.get(seat)
        if before is None or before.version != since:
            return None
        found = self._told.get((seat, False))
        if found is None:
            doc = {"difference": difference(before, self._view(seat)), "entry": self.last_entry(seat)}
            found = self._told[seat, False] = msgspec.json.encode(doc)
        return found

    def turn(self, seat: str) -> str:
        """How the seat's view names the turn."""
        return self._view(seat).table.turn

    def _view(self, seat: str) -> View:
        """Made once for every version."""
        found = self._views.get(seat)
        if found is None:
            found = self.game.view(self.side(seat))
            if self.waiting:
                q = found.question
                asked = None if q is None else msgspec.structs.replace(q, choices=[])
                found = msgspec.structs.replace(found, waiting=self.waiting, question=asked)
            self._views[seat] = found
        return found

    def news(self, seat: str) -> bytes:
        """What has just happened, as JSON: the new version, and the action unless it was an undo."""
        found = self._news.get(seat)
        if found is None:
            doc = {"version": self.game.version, "asked": self.asked, "entry": self.last_entry(seat)}
            found = self._news[seat] = msgspec.json.encode(doc)
        return found

    def known(self, seat: str) -> Board:
        """A board without anything the seat may not know. When the game is over there is nothing to hide."""
        if self.game.over:
            return self.game.board
        side = self.side(seat)
        if side is None:
            raise BadInput("who looks on may ask when the game is over")
        if seat not in self._known:
            self._known[seat] = self.game.title.known_to(self.game.board, side)
        return self._known[seat]

    def public(self) -> Board:
        """A board without anything that some side may not know: for who looks on."""
        board = self.game.board
        for side in self.game.title.played if not self.game.over else ():
            board = self.game.title.known_to(board, side)
        return board

    def log(self, seat: str, since: int = 0) -> list[LogEntry]:
        return [self._shown(n, seat) for n in range(since + 1, len(self.game.entries) + 1)]

    def seen(self, seat: str) -> int:
        """How many actions the seat's person has seen; all of them where that is not noted, as for who looks on."""
        seen, all_of_them = self.seats[seat].seen, len(self.game.entries)
        return all_of_them if seen < 0 or seat == WATCH else min(seen, all_of_them)

    def recap(self, seat: str, since: int | None) -> Recap:
        """What happened since so many actions, or since what the seat's person has seen."""
        if isinstance(self.game, LessonGame):  # its teacher tells what happened
            return Recap(len(self.game.entries), len(self.game.entries), [], Sums())
        since = self.seen(seat) if since is None else since
        telling = self._tellings.get(seat)
        if telling is None or telling.since != since or not telling.holds():
            telling = Telling(self.game, self.side(seat), since, lambda e: self._may_read(e, seat))
            self._tellings[seat] = telling
        return telling.recap()

    def last_entry(self, seat: str) -> LogEntry | None:
        """The action that led to the present position; None where that was an undo or the set-up."""
        entries = self.game.entries
        return self._shown(len(entries), seat) if entries and self._last is entries[-1] else None

    def entry_of_line(self, line: int, seat: str) -> LogEntry | None:
        """The action of that line of the record, if it still stands."""
        standing = self.game.standing()
        return self._shown(standing.index(line) + 1, seat) if line in standing else None

    def _shown(self, number: int, seat: str) -> LogEntry:
        e = self.game.entries[number - 1]
        side = self.game.title.sides[e.side]
        text = self._hidden(side, e.text, seat) or e.text
        return LogEntry(number, side, text, self.game.told(e), self.told(e.events, seat))

    def record(self, seat: str) -> str:
        """The game as text: with all its secrets when it is over."""
        record, secrets = self.game.record, bool(self.game.title.secret)
        if self.game.over:
            return record.text()
        return record.told(lambda x: self._hidden(x.side, x.do, seat), digests=not secrets)

    def report(self) -> str:
        """The after-action report; made once, when somebody asks for it."""
        if self._report is None:
            self._report = report(self.game)
        return self._report

    def _hidden(self, side: str, do: str, seat: str) -> str:
        """The verb that a seat may read of an action which only the side that acted may read; "" where it may all."""
        t, verb = self.game.title, do.partition(" ")[0]
        return t.disguised.get(verb, verb) if side != seat and not self.game.over and verb in t.secret else ""

    def told(self, events: list[Event], seat: str) -> list[Event]:
        """Without what only another side may read (an event's `only` names the side)."""
        if self.game.over:
            return events
        return [e for e in events if self._may_read(e, seat)]

    def _may_read(self, event: Event, seat: str) -> bool:
        return "only" not in event or (seat != WATCH and event["only"] == seat)

    # --- changing --------------------------------------------------------------------------------------------------

    def changed(self, entry: Entry | None) -> None:
        self._last = entry
        self._before, self._views = self._views, {}
        self._told.clear()
        self._known.clear()
        self._news.clear()
