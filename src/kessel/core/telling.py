"""Telling: what happened since a moment, in chapters, as one side may see it.

The actions are played again on a copy of the board. Whatever is told on the way belongs to the innermost procedure that
opens a chapter (`Title.chapters`): two battles are two chapters, however many questions lie between, and an answer of
the other side stands in the battle it belongs to. What became of counters is found by comparing the side's own views
before and after each action, so that nothing hidden gets in. A telling can go on when more has happened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from kessel.core.board import Board, Event
from kessel.core.game import Entry, Game
from kessel.core.hexes import NO_HEX
from kessel.core.procedure import Procedure, asked, push
from kessel.core.title import MARCH, PHASE, Chapter
from kessel.core.view import Piece, SideView, Track, first_of

HEX, GONE = "hex", ""
NONE = -1
"""No chapter: what the side did itself."""


class Line(msgspec.Struct, omit_defaults=True):
    """One thing that was told."""

    entry: int
    """The number of the action it came with; 0 for what happened before the first."""
    event: Event
    dice: list[tuple[int, int]] = []
    """What was rolled for it: sides and value."""


class Change(msgspec.Struct, omit_defaults=True):
    """What became of a counter."""

    unit: str
    side: str
    entry: int
    """The action that led to it: of a counter's changes the one of the latest action counts."""
    after: Piece | None = None
    """None: it is no longer to be seen."""
    lost: int = 0
    """Steps."""
    gone: bool = False
    """It has left the map."""


class Told(msgspec.Struct, omit_defaults=True):
    """A chapter."""

    kind: str
    side: str
    title: str
    rule: str = ""
    formation: str = ""
    places: list[str] = []
    first: int = 0
    last: int = 0
    """The numbers of its first and last action."""
    lines: list[Line] = []
    answers: list[int] = []
    """Actions of the other side in it."""
    changes: list[Change] = []
    open: bool = False
    """It is not over yet."""


class Sums(msgspec.Struct, omit_defaults=True):
    """What it comes to."""

    lost: dict[str, int] = {}
    """Steps lost, by side."""
    gone: list[Piece] = []
    """Counters that have left the map, as they were."""
    control: dict[str, str] = {}
    """Hexes that have changed hands."""
    tracks: list[tuple[Track, Track]] = []
    """Tracks that differ, as they were and as they are."""


class Recap(msgspec.Struct, omit_defaults=True):
    since: int
    until: int
    chapters: list[Told]
    sums: Sums
    changes: list[Change] = []
    """What the side's own last action did before all this."""


class _Heard(list[Event]):
    """Events, each with the procedures that ran, whose turn it was, and how many dice had been rolled."""

    def __init__(self, g: Board, turn_of: Callable[[Board], int]) -> None:
        super().__init__()
        self.g, self.turn_of = g, turn_of
        self.scopes: list[tuple[tuple[Procedure, ...], int, int]] = []

    def append(self, event: Event) -> None:
        super().append(event)
        self.scopes.append((tuple(self.g.stack), self.turn_of(self.g), len(self.g.dice.rolled)))


class Telling:
    """`may_read` says whether the side may read an event before the game is over."""

    def __init__(self, game: Game, side: int | None, since: int, may_read: Callable[[Event], bool]) -> None:
        self.game, self.side, self.since, self.may_read = game, side, since, may_read
        self.number = since
        self.chapters: list[Told] = []
        self.own: dict[str, Change] = {}
        self._board = game.at(since)
        self._start = self._view = game.title.view(self._board, side)
        self._of: dict[tuple[int, str], Told] = {}
        self._frames: dict[int, Procedure] = {}
        """The procedures that have opened a chapter: kept, so that no other can have the same identity."""
        self._changes: dict[int, dict[str, Change]] = {}
        """By number of chapter."""
        self._last: Entry | None = game.entries[since - 1] if since else None
        if since == 0 and (told := [e for e in game.opening if may_read(e)]):
            self.chapters.append(Told(PHASE, "", "Before the first decision", lines=[Line(0, e) for e in told]))

    def holds(self) -> bool:
        """Whether what was told still stands: nothing of it was taken back."""
        entries = self.game.entries
        return self.number <= len(entries) and (not self.number or entries[self.number - 1] is self._last)

    def go_on(self) -> None:
        """Tell what has happened since."""
        for entry in self.game.entries[self.number :]:
            self._tell(entry)

    def recap(self) -> Recap:
        self.go_on()
        frames = {id(p) for p in self._board.stack}
        for (frame, _), chapter in self._of.items():
            chapter.open = frame in frames
        for n, chapter in enumerate(self.chapters):
            chapter.changes = list(self._changes.get(n, {}).values())
        return Recap(self.since, self.number, self.chapters, self._sums(), list(self.own.values()))

    # --- one action ------------------------------------------------------------------------------------------------

    def _tell(self, entry: Entry) -> None:
        g, t = self._board, self.game.title
        kept = self.game.snapshot_at(self.number)
        if kept is not None:  # a branch has other dice from there on
            g.dice = kept.dice.copy()
        g.dice.count = entry.count
        mine = entry.side == self.side and asked(g) == self.side and t.turn_of(g) in (self.side, -1)
        asking = self._frame(g.stack)
        g.events = heard = _Heard(g, t.turn_of)
        before = self._view
        push(g, entry.action)
        rolls = [(r.sides, r.value) if not r.secret or self.game.over else None for r in g.dice.take()]
        self.number += 1
        self._last = entry
        self._view = t.view(g, self.side)
        named: dict[str, int] = {}
        touched: list[int] = []
        at, done = NONE if mine else self._current(asking), 0
        if at != NONE and t.sides[entry.side] != self.chapters[at].side:
            self.chapters[at].answers.append(self.number)
        for event, (stack, turn, rolled) in zip(heard, heard.scopes, strict=True):
            if not self.may_read(event) and not self.game.over:
                continue
            if mine and self._frame(stack) is asking:
                at = NONE
            else:
                at = self._chapter(stack, event, turn)
                dice = [r for r in rolls[done:rolled] if r]
                chapter = self.chapters[at]
                chapter.lines.append(Line(self.number, event, dice))
                chapter.first, chapter.last = chapter.first or self.number, self.number
            done = rolled
            named |= dict.fromkeys(_units(event), at)
            touched.append(at)
        if at >= 0 and self.chapters[at].lines:
            self.chapters[at].lines[-1].dice += [r for r in rolls[done:] if r]
            self.chapters[at].last = self.number
        fights = [n for n in touched if n != NONE and self.chapters[n].kind != MARCH]
        last = at if mine or at != NONE else len(self.chapters) - 1
        self._compare(before, named, last, fights[-1] if fights else last)

    def _frame(self, stack: Iterable[Procedure]) -> Procedure | None:
        """The procedure whose chapter it is: the innermost that opens one, else the innermost."""
        found = None
        for p in stack:
            if type(p).__name__ in self.game.title.chapters:
                found = p
            last = p
        return found or (last if stack else None)

    def _current(self, frame: Procedure | None) -> int:
        """The number of that procedure's chapter, if it has begun."""
        found = [n for n, c in enumerate(self.chapters) if frame and self._of.get((id(frame), c.formation)) is c]
        return found[-1] if found else NONE

    def _chapter(self, stack: tuple[Procedure, ...], event: Event, turn: int) -> int:
        """The number of the event's chapter, which is opened if it is new."""
        frame = self._frame(stack)
        if frame is None:
            declared, key = Chapter(PHASE, "The end"), 0
        else:
            name = type(frame).__name__
            declared, key = self.game.title.chapters.get(name) or Chapter(PHASE, spaced(name)), id(frame)
            self._frames[key] = frame
        formation = self._formation(event) if declared.kind == MARCH else ""
        found = self._of.get((key, formation))
        if found is None:
            side = next((s for f in ("attacker", "side") if (s := getattr(frame, f, None)) is not None), turn)
            names = self.game.title.sides
            found = Told(declared.kind, names[side] if 0 <= side < len(names) else "", "", formation=formation)
            self._of[key, formation] = found
            self.chapters.append(found)
        if not found.title or ("{place}" in declared.name and not found.places):
            self._head(found, declared, frame, event)
        return self.chapters.index(found)

    def _head(self, chapter: Told, declared: Chapter, frame: Procedure | None, event: Event) -> None:
        """Its heading, its rule, and the hexes it is about."""
        g = self._board
        hexes = first_of(frame, frame.about_hexes, g.map.grid.size) if frame is not None else []
        chapter.places = [g.hex_name(h) for h in hexes]
        chapter.rule = chapter.rule or str(event["rule"])
        where = ", ".join(f"{g.map.name[h]} ({g.hex_name(h)})" if h in g.map.name else g.hex_name(h) for h in hexes)
        words = {"place": where or "somewhere", "formation": g.formation(chapter.formation)}
        name = declared.name
        if declared.kind == MARCH and not chapter.formation:
            name = "Others on the march" if _units(event) else "Movement"
        first, _, then = str(event["what"]).partition(":")
        chapter.title = name.format(**words, first=first, then=then.partition(",")[0].strip() or first)

    def _formation(self, event: Event) -> str:
        unit = next(iter(_units(event)), "")
        names = next((p.formation.split() for p in self._view.pieces if p.id == unit), []) if unit else []
        return names[max(self.game.title.marching, -len(names))] if names else ""

    # --- what became of the counters -------------------------------------------------------------------------------

    def _compare(self, before: SideView, named: dict[str, int], otherwise: int, harmed: int) -> None:
        """What differs between two views goes to the chapter whose events name the counter, or to the last one; what is
        lost unnamed, to the last that is no march."""
        after = {p.id: p for p in self._view.pieces}
        for was in before.pieces:
            now = after.pop(was.id, None)
            if now is not was and now != was:
                worse = now is None or now.steps < was.steps
                self._keep(named.get(was.id, harmed if worse else otherwise), was, now)
        for new in after.values():
            self._keep(named.get(new.id, otherwise), None, new)

    def _keep(self, at: int, was: Piece | None, now: Piece | None) -> None:
        piece = now or was
        assert piece is not None
        to = self.own if at < 0 else self._changes.setdefault(at, {})
        change = to.setdefault(piece.id, Change(piece.id, piece.side, self.number))
        change.entry = self.number
        change.after = now
        if was is None or self._stands(was) != HEX:
            return
        stands = GONE if now is None else self._stands(now)
        change.gone = stands not in (HEX, "entry")
        left = 0 if stands in (GONE, "eliminated") or now is None else now.steps
        hidden = change.after is not None and not left and stands == HEX
        if not hidden:  # of a counter that shows its steps no more, only what is said counts
            change.lost += max(was.steps - left, 0)

    def _stands(self, p: Piece) -> str:
        """Whether it stands in a hex; else the kind of the box it lies in, or GONE."""
        m = self._board.map
        if m.grid.find(p.place) != NO_HEX:
            return HEX
        return next((box.kind for box in m.boxes if box.id == p.place), GONE)

    def _sums(self) -> Sums:
        lost: dict[str, int] = {}
        start = {p.id: p for p in self._start.pieces}
        gone: dict[str, Piece] = {}
        for changes in self._changes.values():
            for c in changes.values():
                if c.lost:
                    lost[c.side] = lost.get(c.side, 0) + c.lost
                if c.gone and c.lost and c.unit in start:
                    gone[c.unit] = start[c.unit]
        was, now = self._start.control, self._view.control
        control = {h: now.get(h, "") for h in {*was, *now} if was.get(h, "") != now.get(h, "")}
        old = {x.name: x for x in self._start.tracks}
        tracks = [(old[x.name], x) for x in self._view.tracks if x.name in old and old[x.name] != x]
        return Sums(lost, list(gone.values()), control, tracks)


def _units(event: Event) -> list[str]:
    several: Any = event.get("units", ())
    one = event.get("unit")
    return [*([one] if isinstance(one, str) else []), *(u for u in several if isinstance(u, str))]


def spaced(name: str) -> str:
    """A class's name as words: SupplyPhase, Supply phase."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()
