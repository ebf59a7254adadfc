"""The story of a game: what happened in each turn, gathered by playing it again once.

Nothing here is hidden from anybody: a report is made when a game is over, or of one's own record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kessel.core.board import Board, Event
from kessel.core.dice import Scripted
from kessel.core.game import Game
from kessel.core.hexes import NO_HEX
from kessel.core.procedure import Procedure, push
from kessel.core.title import BATTLE
from kessel.core.view import Piece, first_of
from kessel.report.course import LOSES, Turn, is_cut_off, losses, named, on_map, stand
from kessel.wargame.luck import FIGHT, Ledger, Throw, ledger

ODDS = re.compile(
    r"^(\d[\d.]*) to (\d[\d.]*)(?: is|, [+-])|(\d[\d.]*) against (\d[\d.]*), (?:table|column)|\bratio (\d+):(\d+)"
)


@dataclass(slots=True)
class Fight:
    """An attack, a barrage, an air strike."""

    turn: int
    side: int
    hexes: list[str]
    name: str
    """Of the place, if it has one."""
    events: list[Event] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=lambda: [0, 0])
    dead: list[str] = field(default_factory=list)
    throws: list[Throw] = field(default_factory=list)
    taken: bool = False
    """The place changed hands in that turn."""

    @property
    def where(self) -> str:
        number = self.hexes[0] if self.hexes else ""
        return f"{self.name} ({number})" if self.name and number else self.name or number

    @property
    def odds(self) -> tuple[float, float] | None:
        """The strengths of attacker and defender, as the log tells them."""
        for event in self.events:
            found = ODDS.search(str(event["what"]))
            if found:
                a, b = (float(x) for x in found.groups() if x)
                return a, b
        return None

    @property
    def luck(self) -> float:
        """Of the side that attacked, in steps."""
        return float(sum(t.luck if t.fell and t.fell.side == self.side else -t.luck for t in self.throws))

    @property
    def weight(self) -> float:
        """How much hung on it."""
        return sum(self.lost) + len(self.dead) + 2 * self.taken + bool(self.name)


@dataclass(slots=True)
class Move:
    unit: str
    side: int
    start: str
    end: str


@dataclass(slots=True)
class Part:
    """A turn."""

    row: Turn
    pieces: list[Piece] = field(default_factory=list)
    """As they stood when it was over."""
    fights: list[Fight] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    taken: list[tuple[str, str, str]] = field(default_factory=list)
    """Name of a place, who had it, who has it."""
    arrived: list[Piece] = field(default_factory=list)
    cut_off: list[list[Piece]] = field(default_factory=list)
    """By side."""
    lost: list[int] = field(default_factory=lambda: [0, 0])
    """Steps, in this turn."""


@dataclass(slots=True)
class Story:
    game: Game
    begun: list[Piece]
    """The counters at the beginning."""
    first: Turn
    parts: list[Part]
    luck: Ledger
    dead: dict[str, int]
    """Counters that were lost, and the turn."""
    lost: dict[str, int]
    """Steps lost, by counter."""

    @property
    def fights(self) -> list[Fight]:
        return [f for part in self.parts for f in part.fights]

    def decisive(self, most: int) -> list[Fight]:
        """The fights on which most hung, in the order they were fought."""
        some = sorted(self.fights, key=lambda f: -f.weight)[:most]
        return [f for f in self.fights if f in some and f.weight > 1]


class _Heard(list[Event]):
    """Events, each with the procedures that ran and the turn."""

    def __init__(self, g: Board) -> None:
        super().__init__()
        self.g = g
        self.scopes: list[tuple[tuple[Procedure, ...], int]] = []

    def append(self, event: Event) -> None:
        super().append(event)
        self.scopes.append((tuple(self.g.stack), self.g.track("turn")))


def story(game: Game) -> Story:
    return _Teller(game).tell()


class _Teller:
    def __init__(self, game: Game) -> None:
        self.game, self.t, self.g = game, game.title, game.at(0)
        self.parts: list[Part] = []
        self.fights: list[Fight] = []
        self.of: dict[int, Fight] = {}
        self.frames: list[Procedure] = []
        """Kept, so that no other procedure can have the same identity."""
        self.dead: dict[str, int] = {}
        self.lost: dict[str, int] = {}
        self.sums = [0] * len(self.t.sides)
        self.owners: dict[str, str] = {}

    def tell(self) -> Story:
        g = self.g
        turn = g.track("turn")
        begun = self._pieces()
        first = stand(self.t, g, self.sums, wide=True)
        self.owners, start, name = first.owners, {p.id: p for p in begun}, first.name
        for number, entry in enumerate(self.game.entries, start=1):
            g.dice = Scripted([r.value for r in entry.dice])
            self._action(number, entry.action)
            if g.track("turn") != turn or number == len(self.game.entries):
                start = self._end_turn(turn, name, number, start)
                turn = g.track("turn")
                name = self.t.view(g, None).turn
        luck = ledger(self.game)
        self._share_luck(luck)
        return Story(self.game, begun, first, self.parts, luck, self.dead, self.lost)

    def _pieces(self) -> list[Piece]:
        """The counters on the map, each as its own side sees it."""
        return [p for i, s in enumerate(self.t.sides) for p in on_map(self.g, self.t.view(self.g, i), s)]

    def _action(self, number: int, action: tuple[Any, ...]) -> None:
        g = self.g
        before = bytes(g.steps), bytes(g.place)
        g.events = heard = _Heard(g)
        push(g, action)
        g.events, turn = None, self.g.track("turn")
        hurt: dict[str, Fight] = {}
        for event, (stack, when) in zip(heard, heard.scopes, strict=True):
            fight = self._fight(stack, when)
            if fight is None:
                continue
            fight.events.append(event)
            if number not in fight.entries:
                fight.entries.append(number)
            if LOSES.search(str(event["what"])):
                hurt |= dict.fromkeys(named(event), fight)
        for u, n in losses(g, *before, heard).items():
            unit, side = g.id(u), g.forces.side[u]
            self.sums[side] += n
            self.lost[unit] = self.lost.get(unit, 0) + n
            dead = not g.on_map(u)
            if dead:
                self.dead[unit] = hurt[unit].turn if unit in hurt else turn
            if unit in hurt:
                hurt[unit].lost[side] += n
                hurt[unit].dead += [unit] if dead else []

    def _fight(self, stack: tuple[Procedure, ...], turn: int) -> Fight | None:
        """The fight that something told belongs to."""
        chapters = self.t.chapters
        frame = next((p for p in reversed(stack) if _is_fight(chapters.get(type(p).__name__))), None)
        if frame is None:
            return None
        found = self.of.get(id(frame))
        if found is None:
            side = next((s for f in ("attacker", "side") if (s := getattr(frame, f, None)) is not None), -1)
            found = self.of[id(frame)] = Fight(turn, side if side in (0, 1) else 0, [], "")
            self.frames.append(frame)
            self.fights.append(found)
        if not found.hexes:
            hexes = first_of(frame, frame.about_hexes, self.g.map.grid.size)
            found.hexes = self.g.map.grid.names(hexes)
            found.name = next((self.g.map.name[h] for h in hexes if h in self.g.map.name), "")
        return found

    def _end_turn(self, turn: int, name: str, number: int, start: dict[str, Piece]) -> dict[str, Piece]:
        row = stand(self.t, self.g, self.sums, wide=True)
        row.turn, row.name, row.actions = turn, name, number
        part = Part(row, self._pieces())
        before = self.parts[-1].row.lost if self.parts else [0] * len(self.sums)
        part.lost = [a - b for a, b in zip(row.lost, before, strict=True)]
        part.taken = [
            (place, self.owners.get(place, ""), now)
            for place, now in sorted(row.owners.items())
            if now != self.owners.get(place, "")
        ]
        self.owners = row.owners
        part.arrived = [p for p in part.pieces if p.id not in start]
        part.moves = list(self._moves(start, part.pieces))
        part.cut_off = [[p for p in part.pieces if p.side == s and is_cut_off(p)] for s in self.t.sides]
        done = {id(f) for p in self.parts for f in p.fights}
        part.fights = [f for f in self.fights if id(f) not in done and f.turn <= turn and f.hexes]
        taken = {place: now for place, _, now in part.taken}
        for f in reversed(part.fights):
            if f.name and taken.get(f.name) == self.t.sides[f.side]:
                f.taken = True
                del taken[f.name]  # the last attack on it counts
        self.parts.append(part)
        return {p.id: p for p in part.pieces}

    def _moves(self, start: dict[str, Piece], now: Iterable[Piece]) -> Iterable[Move]:
        grid = self.g.map.grid
        for p in now:
            was = start.get(p.id)
            if was is not None and was.place != p.place and NO_HEX not in (grid.find(was.place), grid.find(p.place)):
                yield Move(p.id, self.t.sides.index(p.side), was.place, p.place)

    def _share_luck(self, luck: Ledger) -> None:
        """Each throw of a fight goes to that fight."""
        of: dict[int, list[Fight]] = {}
        for f in self.fights:
            for n in f.entries:
                of.setdefault(n, []).append(f)
        for throw in luck.counted:
            some = of.get(throw.entry, [])
            place = throw.fell.place if throw.fell else ""
            fight = next((f for f in some if place and place in f.hexes), some[0] if len(some) == 1 else None)
            if fight is not None and throw.fell is not None and throw.fell.kind == FIGHT:
                fight.throws.append(throw)


def _is_fight(chapter: Any) -> bool:
    return chapter is not None and chapter.kind == BATTLE
