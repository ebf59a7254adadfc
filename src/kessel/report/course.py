"""The course of a game: how it stands at the end of each turn, and what each side has lost by then.

    watch = Watch(game)
    while not game.over:
        watch.saw(game.play(...))
    rows = watch.end()

A side's counters are read from its own view, so that hidden strengths count, and nothing here knows a game: what a turn
is says the track of that name, points come from `Title.standing`, losses from the counters and the log.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from kessel.core.board import Board
from kessel.core.game import Entry, Game
from kessel.core.hexes import NO_HEX, Bits
from kessel.core.hexset import bits, spread
from kessel.core.title import Title
from kessel.core.view import Piece, SideView

LOSES = re.compile(r"\blos[est]+\b|remnant|attrition|eliminat|destroy|surrender|disband|starv", re.IGNORECASE)
"""How the log says that a counter lost steps."""
DIES = re.compile(r"eliminat|destroy|surrender|disband|starv", re.IGNORECASE)
"""How it says that it lost all of them."""
CUT_OFF = ("out of supply", "oos", "isolated", "out of command")
"""How the states of a counter that is badly supplied begin."""


FAR = 5
"""So many hexes from a counter a side's part of the map ends."""


class Turn(msgspec.Struct, omit_defaults=True):
    """How a game stood when a turn was over. What belongs to sides is listed in their order."""

    turn: int
    name: str
    actions: int
    """How many had been done."""
    points: float
    """Victory Points of the first side as they would count then, less the other's."""
    lost: list[int]
    """Steps, since the beginning."""
    units: list[int]
    """Counters on the map."""
    steps: list[int]
    held: list[int]
    """Named places."""
    cut_off: list[int]
    """Counters out of supply or command."""
    milestones: list[str] = []
    """What was so then of what the game lets one date; only where it was asked for."""
    owners: dict[str, str] = {}
    """Who holds what is named on the map, by name; only where it was asked for."""
    front: list[str] = []
    """For each side the hexes that lie nearer to its counters than to the other's, and not further than `FAR`, as hex
    sets in hexadecimal; only where it was asked for."""


class Watch:
    """Follows a game action by action."""

    def __init__(self, game: Game, *, wide: bool = False) -> None:
        self.game, self.wide = game, wide
        self.rows: list[Turn] = []
        self.lost = [0] * len(game.title.sides)
        self._turn = game.board.track("turn")
        self._name = game.title.view(game.board, None).turn
        self.seen: Counter[str] = Counter()
        """Rules the log told of and verbs that were done, by whom and with which units, where it was asked for."""
        self.first: dict[str, int] = {}
        """By rule: the turn in which the log first told of it, where it was asked for."""
        self.been: dict[str, dict[str, int]] = {}
        """By side and unit: the turn in which it first came to a place with a name, where it was asked for."""
        self._steps = bytes(game.board.steps)
        self._place = bytes(game.board.place)

    def saw(self, entry: Entry) -> None:
        g = self.game.board
        steps, place = bytes(g.steps), bytes(g.place)
        if steps != self._steps or place != self._place:
            for u, n in losses(g, self._steps, self._place, entry.events).items():
                self.lost[g.forces.side[u]] += n
            self._steps, self._place = steps, place
        if self.wide:
            rules = [str(e["rule"]) for e in entry.events]
            self.seen.update(rules)
            self.first = dict.fromkeys(rules, self._turn) | self.first
            done = f"{self.game.title.sides[entry.side]} {entry.action[0]}"
            self.seen[done] += 1
            self.seen.update(f"{done} {word}" for word in entry.text.split() if g.forces.find(word) >= 0)
            self._went(entry.events)
        turn = g.track("turn")
        if turn != self._turn:
            self._keep()
            self._turn, self._name = turn, self.game.title.view(g, None).turn

    def _went(self, events: Sequence[dict[str, Any]]) -> None:
        g = self.game.board
        for e in events:
            u = g.forces.find(str(e.get("unit", "")))
            names = (g.map.name.get(g.map.grid.find(p)) for p in e.get("path", ())) if u >= 0 else ()
            for name in filter(None, names):
                key = f"{self.game.title.sides[g.forces.side[u]]} {g.id(u)}"
                self.been.setdefault(key, {}).setdefault(name, self._turn)

    def end(self) -> list[Turn]:
        if not self.rows or self.rows[-1].actions != len(self.game.entries):
            self._keep()
        return self.rows

    def _keep(self) -> None:
        row = stand(self.game.title, self.game.board, self.lost, wide=self.wide)
        row.turn, row.name, row.actions = self._turn, self._name, len(self.game.entries)
        self.rows.append(row)


def losses(g: Board, steps: bytes, place: bytes, events: Sequence[dict[str, Any]]) -> dict[int, int]:
    """The steps that counters lost since their columns were these, where the log says that they lost any."""
    said = {u for e in events if LOSES.search(str(e.get("what", ""))) for u in named(e)}
    if not said:
        return {}
    dead = {u for e in events if DIES.search(str(e.get("what", ""))) for u in named(e)}
    places = array(g.place.typecode, place)
    found = {}
    for u, was in enumerate(steps):
        if not was or not 0 <= places[u] < g.map.grid.size or g.forces.ids[u] not in said:
            continue
        left = 0 if g.place[u] < 0 and g.forces.ids[u] in dead else g.steps[u]
        if left < was:
            found[u] = was - left
    return found


def named(event: dict[str, Any]) -> list[str]:
    """The counters an event is about, and those its text begins with."""
    one, several = event.get("unit"), event.get("units", ())
    found = [x for x in (one, *several) if isinstance(x, str)]
    return found or [str(event.get("what", "")).partition(" ")[0]]


def stand(t: Title, g: Board, lost: Sequence[int], *, wide: bool = False) -> Turn:
    """How a game stands now."""
    views = [t.view(g, side) for side in range(len(t.sides))]
    own = [on_map(g, view, name) for view, name in zip(views, t.sides, strict=True)]
    owners = owners_of(g, views[0])
    return Turn(
        turn=g.track("turn"),
        name=views[0].turn,
        actions=0,
        points=t.standing(g, 0),
        lost=list(lost),
        units=[len(some) for some in own],
        steps=[sum(p.steps for p in some) for some in own],
        held=[sum(side == name for side in owners.values()) for name in t.sides],
        cut_off=[sum(map(is_cut_off, some)) for some in own],
        milestones=t.milestones(g) if wide else [],
        owners=owners if wide else {},
        front=[f"{some:x}" for some in nearer(g, own[0], own[1])] if wide and len(own) == 2 else [],
    )


def owners_of(g: Board, view: SideView) -> dict[str, str]:
    """Who holds each place with a name; "" where it has several hexes and not all are one side's."""
    held: dict[str, set[str]] = {}
    for h, name in g.map.name.items():
        side = view.control.get(g.map.grid.name(h))
        if side is not None:
            held.setdefault(name, set()).add(side)
    return {name: next(iter(sides)) if len(sides) == 1 else "" for name, sides in held.items()}


def on_map(g: Board, view: SideView, side: str) -> list[Piece]:
    """The counters of a side that stand in a hex."""
    return [p for p in view.pieces if p.side == side and g.map.grid.find(p.place) != NO_HEX]


def is_cut_off(p: Piece) -> bool:
    return any(word.lower().startswith(CUT_OFF) for word in p.status)


def nearer(g: Board, ours: Sequence[Piece], theirs: Sequence[Piece]) -> tuple[Bits, Bits]:
    """The hexes that lie nearer to our counters, and nearer to theirs; those as near to both are ours."""
    grid = g.map.grid
    a, b = (bits({grid.hex(p.place) for p in some}) for some in (ours, theirs))
    free = bits(grid.hexes) & ~(a | b)
    for _ in range(FAR):
        more = spread(grid, a) & free
        other = spread(grid, b) & free & ~more
        a, b, free = a | more, b | other, free & ~(more | other)
    return a, b
