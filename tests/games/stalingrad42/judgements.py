"""What the public functions of the rules say of units and places, kept beside the playthroughs.

    python -m tests.games.stalingrad42.judgements

writes `judgements.json` anew after a wanted change. A function is known by its name; new ones are taken up with the
next writing, and ones that are gone are passed over. Of functions that change the board the change is kept.
"""

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from kessel.core.breakdown import Breakdown
from kessel.core.procedure import run
from kessel.games import stalingrad42
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.defense import Effect
from kessel.lab.flips import NOT_RULES
from tests.judgements import public_functions
from tests.playthroughs import short

from .makers import TYPES, Stock
from .playthroughs import crowded_board
from .scattered import scattered_board

FILE = Path(__file__).with_name("judgements.json")
CROWDED, SCATTERED = (*range(30), *range(80, 96)), range(16)
BOARDS = [f"crowded {seed}" for seed in CROWDED] + [f"scattered {seed}" for seed in SCATTERED]
CALLS = {"crowded": 12, "scattered": 7}
CHANGING = {
    "city_battles.apply_partial",
    "combat.auto_ds_advance",
    "rail.ride",
    "railheads.split",
    "reinforcements.arrive",
    "resources.switch",
    "sea.sail",
    "setup.place_entrant",
}
"""Functions that change the board and return something all the same."""


class NotWritten(Exception):
    """A result that has no written form."""


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """The public functions of the rules whose arguments can be made."""
    found = public_functions(stalingrad42, NOT_RULES)
    return {
        name: f
        for name, f in found.items()
        if all(p.annotation in TYPES for p in inspect.signature(f).parameters.values())
    }


def written(x: Any) -> Any:
    """A result as plain values, sets in order."""
    if x is None or isinstance(x, str | int | float | Fraction):
        return str(x)
    if isinstance(x, Breakdown):
        return [x.name, x.total, [list(map(str, item)) for item in x.items]]
    if isinstance(x, Board):
        return x.digest()
    if isinstance(x, Mapping):
        return sorted([written(k), written(v)] for k, v in x.items())
    if isinstance(x, Set):
        return sorted(map(written, x))
    if isinstance(x, list | tuple | Iterator):
        return [written(each) for each in x]
    if is_dataclass(x):
        return [type(x).__name__, *(written(getattr(x, f.name)) for f in fields(x))]
    if isinstance(x, Effect):
        return [getattr(x, name) for name in x.__slots__]
    if hasattr(x, "hexes") and hasattr(x, "first"):  # a Reach
        return [str(x.hexes), written(x.first)]
    raise NotWritten(type(x).__name__)


def some_board(name: str) -> Board:
    kind, seed = name.split(" ")
    if kind == "scattered":
        return scattered_board(int(seed))
    g = crowded_board(int(seed))
    g.events = []
    run(g)
    return g


@cache
def parameters(f: Callable[..., Any]) -> tuple[list[inspect.Parameter], bool]:
    """What a function wants, and whether it says nothing and so must do something."""
    signature = inspect.signature(f)
    return list(signature.parameters.values()), signature.return_annotation in ("None", "Out")


def said(f: Callable[..., Any], name: str, g: Board, stock: Stock, r: random.Random) -> Any:
    """What a function says of arguments made at random, and what it does to the board."""
    wanted, acts = parameters(f)
    changes = acts or name in CHANGING
    board = g.copy() if changes else g
    board.events = []
    m = stock.maker(r, board, name.split(".")[0])
    try:
        made = {p.name: m.make(p) for p in wanted}
    except (IndexError, KeyError, ValueError) as e:  # there is none on this board
        return type(e).__name__
    ordered = [made[p.name] for p in wanted if p.kind is p.POSITIONAL_OR_KEYWORD]
    by_name = {p.name: made[p.name] for p in wanted if p.kind is p.KEYWORD_ONLY}
    try:
        found = written(f(*ordered, **by_name))
    except NotWritten:
        raise
    except Exception as e:  # arguments that make no sense together
        return type(e).__name__
    told = [written(x) for x in made.values() if isinstance(x, Breakdown)]
    return [found, told, [sorted(e.items()) for e in board.events], board.digest()] if changes else [found, told]


def judge(name: str) -> dict[str, str]:
    """A digest for each function of what it says on one board."""
    g = some_board(name)
    before, stock, calls = g.digest(), Stock(g), CALLS[name.split(" ")[0]]
    found = {}
    for function, f in functions().items():
        r = random.Random(f"{function} {name}")
        try:
            found[function] = short([said(f, function, g, stock, r) for _ in range(calls)])[:4]
        except NotWritten:
            continue
    assert g.digest() == before, "a function changes the board that is not in CHANGING"
    return found


if __name__ == "__main__":
    judged = {name: judge(name) for name in BOARDS}
    kept = {f: " ".join(judged[name].get(f, "-") for name in BOARDS) for f in functions()}
    FILE.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n")
