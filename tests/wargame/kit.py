"""What tests of every game need: positions from a short description, units and hexes by name, questions, actions.

Positions go through the same door as hand-written JSON ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import pytest

from kessel.core.analysis import answer, decode
from kessel.core.breakdown import Refusal
from kessel.core.dice import Scripted
from kessel.core.errors import BadInput, IllegalAction
from kessel.core.forces import Unit
from kessel.core.game import Game
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure, apply, legal, run, why_not
from kessel.core.title import title
from kessel.wargame.reading import Words, words


class Kit:
    """The positions, questions and actions of one game."""

    def __init__(self, game: str) -> None:
        self.game, self.title, self.pack = game, title(game), Pack(game, overlays=())
        self._fresh: dict[tuple[Any, ...], Any] = {}

    def document(self, **doc: Any) -> bytes:
        return msgspec.json.encode({"game": self.game, **doc})

    def position(self, **doc: Any) -> Any:
        """The board of a position."""
        return self.title.from_position(decode(self.document(**doc), self.title.position_type), self.pack).by_ids()

    def fresh(self, scenario: str, seed: int = 1, **options: str) -> Any:
        """The board of a scenario at its first decision."""
        key = (scenario, seed, *sorted(options.items()))
        if key not in self._fresh:
            self._fresh[key] = Game.new(self.game, scenario, seed=seed, options=options, pack=self.pack).board.by_ids()
        return self._fresh[key].copy()

    def ask(self, g: Any, question: str, **fields: Any) -> dict[str, Any]:
        """The answer to a question, which changes nothing."""
        before = g.digest()
        found = answer(self.title, g, msgspec.json.encode({"question": question, **fields}))
        assert g.digest() == before
        msgspec.json.encode(found)
        return found

    def bad(self, g: Any, question: str, **fields: Any) -> tuple[str, str]:
        """Where a question is wrong, and why."""
        with pytest.raises(BadInput) as e:
            self.ask(g, question, **fields)
        return e.value.where, e.value.message

    def texts(self, g: Any) -> list[str]:
        """The legal actions as a player writes them."""
        return [self.title.notation.text(g, a) for a in legal(g)]

    def do(self, g: Any, *actions: str, dice: Sequence[int] = ()) -> Any:
        """Carry out actions, each checked; the dice fall as told."""
        if dice:
            g.dice = Scripted(dice)
        for text in actions:
            apply(g, self.title.notation.parse(g, text))
        return g

    def refusal(self, g: Any, text: str) -> Refusal:
        """Why an action is not legal; trying it changes nothing."""
        action, before = self.title.notation.parse(g, text), g.digest()
        found = why_not(g, action)
        assert found is not None, f"{text} is legal"
        with pytest.raises(IllegalAction) as caught:
            apply(g, action)
        assert caught.value.refusal == found
        assert g.digest() == before
        return found

    def rule(self, number: str) -> Any:
        """The test below is about that rule."""
        return pytest.mark.rule(self.game, number)

    def example(self, number: str) -> Any:
        return pytest.mark.example(self.game, number)


def start(g: Any, procedure: Procedure, dice: Sequence[int] = ()) -> Any:
    """Let a procedure run until somebody is asked."""
    g.stack = [procedure]
    g.dice = Scripted(dice)
    run(g)
    return g


# --- names -----------------------------------------------------------------------------------------------------------


def unit(g: Any, name: str) -> Unit:
    found: Unit = g.forces.unit(name)
    return found


def hx(g: Any, name: str) -> Hex:
    found: Hex = g.map.grid.hex(name)
    return found


def at(g: Any, name: str) -> str:
    """Where a unit stands."""
    return str(g.place_name(g.place[unit(g, name)]))


def hexset(g: Any, names: str) -> Bits:
    return bits(hx(g, n) for n in names.split())


def names(g: Any, s: Bits) -> set[str]:
    return set(g.map.grid.names(members(s)))


def shown(g: Any, s: Bits) -> str:
    """The hexes of a set, by number."""
    return " ".join(sorted(names(g, s)))


# --- boards ----------------------------------------------------------------------------------------------------------


def disc(radius: int) -> list[str]:
    """Axial names of all hexes at most that far from 0,0."""
    span = range(-radius, radius + 1)
    return [f"{q},{r}" for q in span for r in span if abs(q + r) <= radius]


def board(
    hexes: Iterable[str] | Mapping[str, Mapping[str, Any]],
    grid: Mapping[str, str],
    *,
    terrain: Mapping[str, str] | None = None,
    features: Mapping[str, Words] | None = None,
    vp: Mapping[str, int] | None = None,
    sides: Mapping[str, str] | None = None,
    links: Iterable[tuple[str, str] | Mapping[str, Any]] = (),
    **more: Any,
) -> dict[str, Any]:
    """A board of these hexes, clear but for what is said; `links` are (kind, path), or written out."""
    given = hexes if isinstance(hexes, Mapping) else {name: {} for name in hexes}
    cells: dict[str, dict[str, Any]] = {name: {"terrain": "clear", **cell} for name, cell in given.items()}
    for name, word in (terrain or {}).items():
        cells.setdefault(name, {})["terrain"] = word
    for name, some in (features or {}).items():
        cells[name]["features"] = words(some)
    for name, points in (vp or {}).items():
        cells[name]["vp"] = points
    return {
        "grid": dict(grid),
        "hexes": cells,
        "hexsides": {name: [word] for name, word in (sides or {}).items()},
        "links": [dict(x) if isinstance(x, Mapping) else dict(zip(("kind", "path"), x, strict=True)) for x in links],
        **more,
    }
