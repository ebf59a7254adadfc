"""The parts of a hand-written position every game reads: scenario, options, turn, phase, units and their markers.

A game's own document adds its fields; what is wrong is refused with its JSON path, and nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from kessel.core.analysis import PositionDoc as CorePositionDoc
from kessel.core.board import Board
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure, run
from kessel.core.terrain import Map
from kessel.wargame.reading import Words, at_path, one_of, words

C = TypeVar("C")


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


def steps_left(g: Board, u: Unit, doc: UnitDoc) -> int:
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


def check_words(
    m: Map,
    *,
    terrain: Collection[str],
    features: Collection[str],
    hexsides: Collection[str],
    links: Collection[str],
    areas: Collection[str] | None = None,
) -> None:
    """An inline board uses the words of this game; areas too, where a game says which it knows."""
    for h in m.grid.hexes:
        name = m.grid.name(h)
        one_of(terrain, m.terrain[h], "terrain", f"$.board.hexes.{name}.terrain")
        for word in m.features(h):
            one_of(features, word, "feature", f"$.board.hexes.{name}.features")
        for d in range(6):
            for word in m.side_features(h, d):
                one_of(hexsides, word, "hexside", f"$.board.hexsides.{m.grid.hexside_name(h * 6 + d)}")
    for i, link in enumerate(m.doc.links):
        one_of(links, link.kind, "link", f"$.board.links[{i}].kind")
    for key in m.areas if areas is not None else ():
        one_of(areas or (), key, "area", f"$.board.areas.{key}")
