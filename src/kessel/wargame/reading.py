"""Names in positions and questions: units, hexes, sides and words. A mistake is refused with its JSON path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from kessel.core.board import Board, Place
from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex, hex_list
from kessel.core.hexset import members
from kessel.core.terrain import Map

T = TypeVar("T")
Words: TypeAlias = str | list[str]
"""A list of names: in one string with blanks between them, or as an array."""


def at_path(where: str, do: Callable[..., T], *args: Any) -> T:
    """Do it; an error names the JSON path."""
    try:
        return do(*args)
    except BadInput as e:
        raise BadInput(e.message, where + e.where.removeprefix("$")) from None


def words(names: Words) -> list[str]:
    return names.split() if isinstance(names, str) else names


def one_of(known: Iterable[str], word: str, what: str, where: str) -> str:
    """The word, if it is one of those known; else the error tells which there are."""
    choices = list(known)
    if word not in choices:
        raise BadInput(f"there is no {what} {word!r}; there are {', '.join(filter(None, choices))}", where)
    return word


def index_of(known: Sequence[str], word: str, what: str, where: str) -> int:
    return known.index(one_of(known, word, what, where))


def named_side(sides: Sequence[str], name: str, where: str = "$.side") -> Side:
    return index_of(sides, name, "side", where)


def named_sides(sides: Sequence[str], name: str, where: str = "$.side") -> list[Side]:
    """The side named; all of them when none is."""
    return [named_side(sides, name, where)] if name else list(range(len(sides)))


def named_unit(g: Board, name: str, where: str = "$.unit", *, on_map: bool = True) -> Unit:
    """The unit of that id; it must stand on the map, unless told otherwise."""
    u = g.forces.find(name)
    if u == NO_UNIT:
        raise BadInput(f"there is no unit {name}", where)
    if on_map and not g.on_map(u):
        raise BadInput(f"{name} is not on the map", where)
    return u


def named_units(g: Board, names: Sequence[str], where: str, *, on_map: bool = True) -> list[Unit]:
    found = [named_unit(g, n, f"{where}[{i}]", on_map=on_map) for i, n in enumerate(names)]
    if len(set(found)) != len(found):
        raise BadInput("a unit is named twice", where)
    return found


def one_side(g: Board, units: Sequence[Unit], where: str, what: str) -> Side:
    """The side of these units; both sides together are refused."""
    sides = {g.forces.side[u] for u in units}
    if len(sides) != 1:
        raise BadInput(f"{what} are of both sides" if sides else f"{what} are missing", where)
    return sides.pop()


def named_hex(g: Board, name: str, where: str = "$.hex") -> Hex:
    h = g.map.grid.find(name)
    if h == NO_HEX:
        raise BadInput(f"there is no hex {name} on this board", where)
    return h


def named_stack(g: Board, name: str, where: str = "$.hex") -> tuple[Hex, list[Unit]]:
    """The hex of that name and the units in it; an empty one is refused."""
    h = named_hex(g, name, where)
    if not g.units(h):
        raise BadInput(f"no unit is in {name}", where)
    return h, list(g.units(h))


def named_place(g: Board, name: str, where: str) -> Place:
    """A hex or a box."""
    return at_path(where, g.map.place, name)


def named_hexes(m: Map, names: Words, where: str) -> list[Hex]:
    """Hexes, with ranges along a line: `1001-1004 1202`."""
    return at_path(where, lambda: [m.grid.hex(n) for n in hex_list(" ".join(words(names)))])


def hex_names(g: Board, s: Bits) -> list[str]:
    """The names of a set of hexes, sorted."""
    return sorted(g.map.grid.names(members(s)))


def no(refusal: Refusal) -> dict[str, Any]:
    """The answer that something may not be done."""
    return {"legal": False, "refusal": refusal.as_json()}


def judged(refusal: Refusal | None) -> dict[str, Any]:
    """The answer whether something may be done."""
    return {"legal": True} if refusal is None else no(refusal)


def check_dice(dice: Iterable[int], sides: int, where: str = "$.dice") -> None:
    """Dice whose numbers are given show what a die can show."""
    for i, die in enumerate(dice):
        check_die(die, sides, f"{where}[{i}]")


def check_die(die: int, sides: int, where: str) -> None:
    if not 1 <= die <= sides:
        raise BadInput(f"a die shows 1 to {sides}", where)
