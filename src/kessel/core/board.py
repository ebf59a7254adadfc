"""Board: everything that changes in a game, as flat columns; plus the procedure stack and the dice.

A place is a hex index, or `grid.size + i` for box i of the map, or NOWHERE. The units of a place form a list kept in
ascending order, so that equal positions are equal whatever their history. A game subclasses `Board` with its own
columns and names them in `columns`; what it keeps up beside them it names in `derived`, what never changes in
`constant`. Nothing else is copied.

Facts found from the columns (zones, supply) are kept as long as they hold, see `kessel.core.facts`.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias

from kessel.core.dice import Dice
from kessel.core.facts import NONE, NOW, Ends, Lifetimes, Store, fact
from kessel.core.forces import NO_UNIT, Forces, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.procedure import ASKED, Procedure, save_stack
from kessel.core.terrain import Map

Place: TypeAlias = int
NOWHERE: Place = -1
Event: TypeAlias = dict[str, Any]


SPACED = str.maketrans({"_": " ", "|": " and "})
"""How words of the notation that hang together are read."""


class Board:
    columns: ClassVar[tuple[str, ...]] = ("place", "_under", "_top", "steps", "status", "tracks")
    """What changes: copied, saved and digested."""
    derived: ClassVar[tuple[str, ...]] = ()
    """Lists, sets and dicts kept up beside the columns by hand: copied, but neither saved nor digested."""
    constant: ClassVar[tuple[str, ...]] = ("map", "forces", "options", "settled", "called", "written")
    """What never changes: shared by all copies."""
    lifetimes: ClassVar[Lifetimes] = NONE
    """How long the facts of the game hold."""
    _on_move: ClassVar[tuple[Ends, Ends]] = ((), ())
    track_names: ClassVar[tuple[str, ...]] = ("turn",)
    """The small numbers of the game: turn, weather, victory points. A property `turn` reads `tracks[0]`."""

    _track_at: ClassVar[dict[str, int]] = {"turn": 0}

    def __init_subclass__(cls) -> None:
        cls._track_at = {name: i for i, name in enumerate(cls.track_names)}
        cls._on_move = (cls.lifetimes.ended_by("place", side=0), cls.lifetimes.ended_by("place", side=1))

    def __init__(self, map: Map, forces: Forces, options: Mapping[str, Any] | None = None) -> None:
        self.map = map
        self.forces = forces
        self.called: Sequence[str] = forces.said
        """How messages call each unit."""
        self.written = False
        """Messages call everything as positions and the notation do."""
        self.options: Mapping[str, Any] = options or {}
        n = len(forces)
        self.place = array("h", [NOWHERE]) * n
        self._under = array("h", [NO_UNIT]) * n
        self._top = array("h", [NO_UNIT]) * map.places
        self.steps = bytearray(n)
        self.status = array("H", [0]) * n
        self.tracks = array("i", [0]) * len(self.track_names)
        self.stack: list[Procedure] = []
        self.dice: Dice = Dice(0)
        self.events: list[Event] | None = None
        """What happened since somebody last looked, for the log; None where nobody will."""
        self.reveals = 0
        """Counts revelations of hidden things: undo does not go back past one."""
        self.kept: list[Store] = [{} for _ in range(self.lifetimes.stores)]
        """The facts kept, by lifetime."""
        self.cache: Store = self.kept[0]
        """Those that hold until anything changes."""
        self.settled: Store = {}
        """Those that hold as long as the game."""

    # --- copies and comparison -------------------------------------------------------------------------------------

    def copy(self) -> Self:
        new = self._copied()
        self.share_facts(new)
        new.cache.pop(ASKED, None)
        return new

    def share_facts(self, new: Board) -> None:
        """What was found of this board holds of a copy of it, until something happens on either."""
        new.kept = kept = self.kept[:]
        for n in self.lifetimes.own:
            kept[n] = kept[n].copy()
        new.cache = kept[0]

    def lean(self) -> Self:
        """A copy to be kept: without the facts, which would hold much memory."""
        new = self._copied()
        new.kept = [{} for _ in self.kept]
        new.cache = new.kept[0]
        return new

    def _copied(self) -> Self:
        new = object.__new__(type(self))
        for name in self.columns:
            setattr(new, name, getattr(self, name)[:])
        for name in self.constant:
            setattr(new, name, getattr(self, name))
        for name in self.derived:
            value = getattr(self, name)
            setattr(new, name, value.copy() if isinstance(value, set | dict) else value[:])
        new.stack = [p.copy() for p in self.stack]
        new.dice = self.dice.copy()
        new.events = None
        new.reveals = self.reveals
        return new

    def digest(self) -> str:
        """Equal for equal positions, procedure stack and dice counter included."""
        h = hashlib.blake2b(digest_size=16)
        for name in self.columns:
            h.update(bytes(getattr(self, name)))
        h.update(repr(save_stack(self)).encode())
        h.update(b"%d" % self.dice.count)
        return h.hexdigest()

    def faults(self) -> list[str]:
        """Everything that is wrong with the columns themselves; a game adds its own checks."""
        found = []
        n = len(self.forces)
        seen = [0] * n
        for place in range(self.map.places):
            last, u = NO_UNIT, self._top[place]
            while u != NO_UNIT:
                seen[u] += 1
                if self.place[u] != place or u <= last or seen[u] > 1:
                    found.append(f"the stack of place {place} is broken at {self.forces.ids[u]}")
                    break
                last, u = u, self._under[u]
        for u in range(n):
            where = self.place[u]
            if where != NOWHERE and not seen[u]:
                found.append(f"{self.forces.ids[u]} is in no stack")
            if 0 <= where < self.map.grid.size and not self.map.grid.all >> where & 1:
                found.append(f"{self.forces.ids[u]} is off the board")
            if self.steps[u] > self.forces.full_steps[u]:
                found.append(f"{self.forces.ids[u]} has {self.steps[u]} of {self.forces.full_steps[u]} steps")
        return found

    def happened(self, ends: Ends) -> None:
        """Forget what held only until this; `ends` is what `lifetimes.ended_by` says of it."""
        self.cache.clear()
        kept = self.kept
        for n in ends:
            kept[n] = {}

    def changed(self) -> None:
        """To be called after writing a column directly: every fact is forgotten."""
        self.kept = [{} for _ in self.kept]
        self.cache = self.kept[0]

    # --- pieces ----------------------------------------------------------------------------------------------------

    def move(self, u: Unit, place: Place) -> None:
        """Take the unit from where it is and put it there (NOWHERE: off the board)."""
        old = self.place[u]
        under, top = self._under, self._top
        if old != NOWHERE:
            if top[old] == u:
                top[old] = under[u]
            else:
                v = top[old]
                while under[v] != u:
                    v = under[v]
                under[v] = under[u]
        self.place[u] = place
        if place != NOWHERE:
            v = top[place]
            if v == NO_UNIT or v > u:
                under[u] = v
                top[place] = u
            else:
                while (w := under[v]) != NO_UNIT and w < u:
                    v = w
                under[u] = w
                under[v] = u
        else:
            under[u] = NO_UNIT
        self.cache.clear()
        kept = self.kept
        for n in self._on_move[self.forces.side[u]]:
            kept[n] = {}

    def units(self, place: Place) -> list[Unit]:
        """The units there, in ascending order."""
        found = []
        u = self._top[place]
        while u != NO_UNIT:
            found.append(u)
            u = self._under[u]
        return found

    def occupied(self, place: Place) -> bool:
        return self._top[place] != NO_UNIT

    def on_map(self, u: Unit) -> bool:
        return 0 <= self.place[u] < self.map.grid.size

    @fact(NOW)
    def hexes_of(self, side: Side) -> Bits:
        """All hexes with a unit of that side."""
        s, size, sides = 0, self.map.grid.size, self.forces.side
        for u, h in enumerate(self.place):
            if sides[u] == side and 0 <= h < size:
                s |= 1 << h
        return s

    def has_status(self, u: Unit, flag: int) -> bool:
        return bool(self.status[u] & flag)

    def set_status(self, u: Unit, flag: int, on: bool = True) -> None:
        self.status[u] = self.status[u] | flag if on else self.status[u] & ~flag
        self.cache.clear()

    # --- names, for messages and notation --------------------------------------------------------------------------

    def by_ids(self) -> Self:
        """From now on messages call everything as positions and the notation do."""
        self.called, self.written = self.forces.ids, True
        return self

    def name(self, u: Unit) -> str:
        """As a person reads it."""
        return self.called[u]

    def id(self, u: Unit) -> str:
        """As it is written in the notation, and in whatever a program reads."""
        return self.forces.ids[u]

    def formation(self, name: str, by_id: str = "{}") -> str:
        """A formation as a person reads it; by ids it is written so."""
        return by_id.format(name) if self.written else self.forces.called.get(name, name)

    def where(self, place: Place, by_id: str = "{}") -> str:
        """A place as a person reads it: a box by its name; by ids it is written so."""
        if self.written:
            return by_id.format(self.place_name(place))
        if place < self.map.grid.size:
            return self.place_name(place)
        box = self.map.box(place)
        return box.name or box.id

    def words(self) -> dict[str, str]:
        """How a person reads what the notation writes otherwise: units, formations, boxes."""
        boxes = {box.id: box.name for box in self.map.boxes if box.name not in ("", box.id)}
        return {**boxes, **self.forces.words()}

    def word(self, word: str) -> str:
        """A word of the notation as a person reads it: a way place for place, a hexside by its two."""
        names = self.words()
        is_way = word[:4].isdigit() and word[4:5] == "-"
        parts = word.split("-") if is_way else [word]
        return word if word.isdigit() else "-".join(names.get(w, w) for w in parts).translate(SPACED)

    def hex_name(self, h: Hex) -> str:
        return self.map.grid.name(h) if h < self.map.grid.size else self.place_name(h)

    def place_name(self, place: Place) -> str:
        return "nowhere" if place == NOWHERE else self.map.place_name(place)

    # --- chance and what is told -----------------------------------------------------------------------------------

    def die(self, sides: int = 6) -> int:
        return self.dice.roll(sides)

    def reveal(self) -> None:
        """Something hidden has become known: undo stops here."""
        self.reveals += 1

    def tell(self, what: str, rule: str, **facts: Any) -> None:
        """Something worth a line in the log; costs nothing where nobody listens.

        A fact `only` names the side that alone may read it before the game is over.
        """
        if self.events is not None:
            self.events.append({"what": what, "rule": rule, **facts})

    # --- tracks ----------------------------------------------------------------------------------------------------

    def track(self, name: str) -> int:
        return self.tracks[self._track_at[name]]

    def set_track(self, name: str, value: int) -> None:
        self.tracks[self._track_at[name]] = value
        self.cache.clear()

    @property
    def turn(self) -> int:
        return self.tracks[0]
