"""The parts of a hand-written position every game reads: scenario, options, turn, phase, units and their markers.

A game's own document adds its fields; what is wrong is refused with its JSON path, and nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from kessel.core.analysis import PositionDoc as CorePositionDoc
from kessel.core.board import Board
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure, run
from kessel.core.terrain import Map
from kessel.wargame.reading import Words, at_path, named_hex, one_of, words

C = TypeVar("C")
T = TypeVar("T")


class UnitDoc(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A unit: a counter of the game by its id; a game's own document adds what can be written out."""

    id: str
    at: str = ""
    """Its hex or box; left out: it is off the map."""
    steps: int | None = None
    """Steps left; left out: all of them."""
    status: Words = []


class PhaseDoc(CorePositionDoc, kw_only=True):
    """A position of a game whose rules are the same in every scenario."""

    options: dict[str, str] = msgspec.field(default_factory=dict)
    phase: str = ""
    """What is going on; left out: nothing, and no action is legal."""


class PositionDoc(PhaseDoc, kw_only=True):
    scenario: str = ""
    """Its special rules, arrivals and victory conditions apply; its set-up does not."""


def known_scenario(doc: PositionDoc, pack: Pack) -> str:
    """The scenario named, if the pack has it."""
    return one_of(pack.scenarios(), doc.scenario, "scenario", "$.scenario") if doc.scenario else ""


def counters_of(
    units: Sequence[Any], printed: Mapping[str, C], make: Callable[[Any, C | None], C], where: str = "$.units"
) -> list[C]:
    """The counter of each unit of the document: that of its id, or as the game makes one of what is written."""
    seen: set[str] = set()
    found = []
    for i, doc in enumerate(units):
        here = f"{where}[{i}]"
        if not doc.id.strip():
            raise BadInput("a unit needs an id", f"{here}.id")
        if doc.id in seen:
            raise BadInput(f"unit {doc.id} is listed twice", here)
        seen.add(doc.id)
        found.append(at_path(here, make, doc, printed.get(doc.id)))
    return found


class HasSteps(Protocol):
    id: str
    steps: int | None


def steps_left(g: Board, u: Unit, doc: HasSteps) -> int:
    """The steps a unit has left, at least one."""
    full = g.forces.full_steps[u]
    steps = full if doc.steps is None else doc.steps
    if not 1 <= steps <= full:
        raise BadInput(f"{doc.id} has 1 to {full} steps, not {steps}", "$.steps")
    return steps


def set_statuses(g: Board, u: Unit, given: Words, known: Mapping[str, int]) -> None:
    """Put the markers a document names on a unit."""
    for i, word in enumerate(words(given)):
        where = "$.status" if isinstance(given, str) else f"$.status[{i}]"
        g.set_status(u, known[one_of(known, word, "status", where)])


def begin(g: Board, doc: PhaseDoc, phases: Mapping[str, Callable[[], Sequence[Procedure]]]) -> None:
    """Put the procedures of the phase named on the stack, and go on to the first decision."""
    if doc.phase:
        g.stack = list(phases[one_of(phases, doc.phase, "phase", "$.phase")]())
        run(g)


def between(n: int, low: int, high: int, what: str, where: str) -> int:
    """The number, if it is one that can be."""
    if not low <= n <= high:
        raise BadInput(f"{what}: {low} to {high}, not {n}", where)
    return n


def by_hex(g: Board, given: Mapping[str, T], where: str) -> Iterator[tuple[Hex, T, str]]:
    """What a document says of hexes: the hex, what is said, and the path of it."""
    for name, said in given.items():
        yield named_hex(g, name, f"{where}.{name}"), said, f"{where}.{name}"


def check_words(
    m: Map,
    *,
    terrain: Collection[str],
    features: Collection[str],
    hexsides: Collection[str],
    links: Collection[str],
    areas: Collection[str] | None = None,
    seas: Collection[str] | None = None,
    link_features: Collection[str] | None = None,
    boxes: tuple[Collection[str], Collection[str]] | None = None,
) -> None:
    """A board uses the words of this game: a misspelt river would be no river. Areas, seas, features of links, kinds
    and sides of boxes too, where a game says which it knows."""

    def known(words: Collection[str] | None, word: str, what: str, where: str) -> None:
        if words is not None and word not in words:
            one_of(sorted(words), word, what, f"$.board.{where}")

    for name, cell in m.doc.hexes.items() if isinstance(m.doc.hexes, dict) else ():
        known(terrain, cell.terrain, "terrain", f"hexes.{name}.terrain")
        for word in cell.features:
            known(features, word, "feature", f"hexes.{name}.features")
        known(seas, cell.sea, "sea", f"hexes.{name}.sea")
    for name in m.doc.hexsides:
        for word in m.side_names(m.grid.parse_hexside(name)):
            known(hexsides, word, "hexside", f"hexsides.{name}")
    for i, link in enumerate(m.doc.links):
        known(links, link.kind, "link", f"links[{i}].kind")
        known(seas, link.sea, "sea", f"links[{i}].sea")
        for word in link.features:
            known(link_features, word, "feature", f"links[{i}].features")
    for i, box in enumerate(m.doc.boxes if boxes else ()):
        kinds, sides = boxes or ((), ())
        known(kinds, box.kind, "kind of box", f"boxes[{i}].kind")
        known(sides, box.side, "side", f"boxes[{i}].side")
    for key in m.areas:
        known(areas, key, "area", f"areas.{key}")
