"""What every `..._refusal` function says of units and places of crowded boards, kept beside the playthroughs.

    python -m tests.games.stalingrad42.judgements

writes `judgements.json` anew after a wanted change. A function is known by its name; new ones are taken up with the
next writing, and ones that are gone are passed over.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kessel.core.procedure import run
from kessel.games import stalingrad42
from kessel.games.stalingrad42.board import REPLACEMENT_KINDS, Board
from kessel.games.stalingrad42.strengths import Attack
from tests.playthroughs import short

from .playthroughs import crowded_board

FILE = Path(__file__).with_name("judgements.json")
SEEDS = range(60)
CALLS = 20


def refusals() -> dict[str, Callable[..., Any]]:
    """The public functions of the rules that say why something is not allowed."""
    found = {}
    for module in pkgutil.iter_modules(stalingrad42.__path__):
        for name, f in vars(importlib.import_module(f"{stalingrad42.__name__}.{module.name}")).items():
            own = inspect.isfunction(f) and f.__module__.endswith(f".{module.name}")
            if own and name.endswith("_refusal") and not name.startswith("_"):
                found[f"{module.name}.{name}"] = f
    return found


def an_attack(r: random.Random, g: Board) -> Attack:
    u = r.choice([u for u in range(len(g.forces)) if g.on_map(u) and g.forces.combat[u]])
    target, side = g.place[u], 1 - g.forces.side[u]
    near = [v for n in g.map.grid.around[target] for v in g.units(n) if g.forces.side[v] == side and g.forces.combat[v]]
    return Attack(side, target, tuple(sorted(r.sample(near, r.randint(0, min(3, len(near)))))), r.random() < 0.2)


def some_units(r: random.Random, g: Board) -> tuple[int, ...]:
    here = g.place[r.choice([u for u in range(len(g.forces)) if g.place[u] >= 0])]
    units = [u for u in range(len(g.forces)) if g.place[u] == here]
    return tuple(units[: r.randint(1, len(units))])


MAKERS: dict[str, Callable[[random.Random, Board], Any]] = {
    "Unit": lambda r, g: r.randrange(len(g.forces)),
    "Side": lambda r, g: r.randrange(2),
    "Hex": lambda r, g: r.choice(g.map.grid.hexes),
    "Place": lambda r, g: r.choice((*g.map.grid.hexes, *range(g.map.grid.size, g.map.grid.size + len(g.map.boxes)))),
    "Hexside": lambda r, g: r.choice(g.map.grid.hexes) * 6 + r.randrange(6),
    "AirUnit": lambda r, g: r.randrange(len(g.air)),
    "Attack": an_attack,
    "int": lambda r, g: r.choice((0, 1, 1, 2, 4, 8, 16)),
    "bool": lambda r, g: r.random() < 0.5,
    "str": lambda r, g: r.choice((*REPLACEMENT_KINDS, "crt", "defense", "", "tactical")),
    "list[Unit]": lambda r, g: list(some_units(r, g)),
    "Sequence[Unit]": some_units,
    "tuple[Unit, ...]": some_units,
    "tuple[int, ...]": lambda r, g: (),
}


def judge(seed: int) -> dict[str, str]:
    """A digest for each function of what it says on one board."""
    g = crowded_board(seed)
    g.events = []
    run(g)
    found = {}
    for name, f in refusals().items():
        wanted = list(inspect.signature(f).parameters.values())
        if wanted[0].annotation != "Board" or any(p.annotation not in MAKERS for p in wanted[1:]):
            continue
        r = random.Random(f"{name} {seed}")
        said = []
        for _ in range(CALLS):
            by_name = {p.name: MAKERS[p.annotation](r, g) for p in wanted[1:]}
            ordered = [by_name.pop(p.name) for p in wanted[1:] if p.kind is p.POSITIONAL_OR_KEYWORD]
            try:
                said.append(str(f(g, *ordered, **by_name)))
            except (IndexError, KeyError, ValueError, AssertionError) as e:
                said.append(type(e).__name__)
        found[name] = short(said)
    return found


if __name__ == "__main__":
    FILE.write_text(json.dumps({str(seed): judge(seed) for seed in SEEDS}, indent=0, sort_keys=True) + "\n")
