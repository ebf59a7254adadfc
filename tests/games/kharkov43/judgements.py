"""What the functions of the rules say of units, hexes and combats of crowded boards, kept beside the playthroughs.

    python -m tests.games.kharkov43.judgements

writes `judgements.json` anew after a wanted change. Every public function is asked that judges a board: one that takes
the board and things this module can make up, and answers something. It is known by its name; new ones are taken up with
the next writing, and ones that are gone are passed over.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from kessel.core.errors import BadInput
from kessel.core.facts import fact
from kessel.core.hexset import members
from kessel.core.paths import Reach
from kessel.games import kharkov43
from kessel.games.kharkov43.board import ACTIVE, ATTACKED, DEFENDED, MOVED, POSITION, RESERVE, RETREATED, Board
from kessel.games.kharkov43.combat.battle import Battle, battle_of
from kessel.games.kharkov43.combat.results.advance_checks import Step
from kessel.games.kharkov43.data.cards import Part
from kessel.games.kharkov43.data.forces import FORMATIONS, FRONTS, GERMAN
from kessel.games.kharkov43.movement.kept import Kept
from kessel.games.kharkov43.movement.movement import MODES
from tests.judgements import public_functions
from tests.playthroughs import short

from .playthroughs import crowded_board

FILE = Path(__file__).with_name("judgements.json")
DRAWN: dict[str, str] = json.loads(Path(__file__).with_name("judgements_names.json").read_text())
"""By which name the questions to a function are drawn that had another one when its answers were written."""
SEEDS = range(8)
CALLS = 10
NO_JUDGEMENTS = ("luck", "overlays", "pack_statistics", "position", "title", "view")


def judging() -> dict[str, Callable[..., Any]]:
    """The public functions of the rules that answer something about a board."""
    found = public_functions(kharkov43, NO_JUDGEMENTS)
    return {name: f for name, f in found.items() if inspect.signature(f).return_annotation not in ("None", "Out")}


# --- things made up --------------------------------------------------------------------------------------------------


def a_mapped_unit(r: random.Random, g: Board) -> int:
    return r.choice([u for u in range(len(g.forces)) if g.on_map(u)])


def a_hex(r: random.Random, g: Board) -> int:
    """Mostly one with units in it or beside it."""
    if r.random() < 0.2:
        return r.choice(g.map.grid.hexes)
    here = g.place[a_mapped_unit(r, g)]
    return here if r.random() < 0.6 else r.choice(g.map.grid.around[here])


def a_battle(r: random.Random, g: Board) -> Battle:
    """A combat that has come so far: cards, tactics, hits, losses, a retreat."""
    u, near = r.choice(fights(g))
    side = 1 - g.forces.side[u]
    cards = [i for i, c in enumerate(g.charts.cards) if c.is_german == (side == GERMAN)]
    b = battle_of(g, side, g.place[u], sorted(r.sample(near, r.randint(1, min(4, len(near))))), r.choice((-1, *cards)))
    tactics = list(g.charts.tactics)
    b.tactics, b.counter = tuple(r.sample(tactics, r.randint(0, 2))), tuple(r.sample(tactics, r.randint(0, 2)))
    b.attacker_hits, b.defender_hits = r.choice((0, 0, 1, 2)), r.choice((0, 1, 1, 2, 3, 4))
    b.drawn = tuple(r.sample(range(len(g.chits)), r.randint(0, 4)))
    if r.random() < 0.4:
        b.lost = (r.choice((*b.attackers, *b.defenders)),)
    if r.random() < 0.3:
        b.joined = b.attackers[-1:]
    if r.random() < 0.3:
        way = r.choice(g.map.grid.around[b.target])
        b.paths, b.retreated = ((b.target, way),), 1
    return b


@fact(POSITION)
def fights(g: Board) -> list[tuple[int, list[int]]]:
    """Who stands beside enemies, and beside which."""
    return [(u, near) for u in range(len(g.forces)) if (near := beside(g, u))]


def beside(g: Board, u: int) -> list[int]:
    """The enemies adjacent to a unit."""
    around = members(g.ground.adjacent_units(g.place[u])) if g.on_map(u) else []
    return [v for n in around for v in g.units(n) if g.forces.side[v] != g.forces.side[u]]


def some_units(r: random.Random, g: Board) -> tuple[int, ...]:
    if r.random() < 0.3:
        return tuple(sorted(r.sample(g.on_map_of(r.randrange(2)), 3)))
    units = g.units(g.place[a_mapped_unit(r, g)])
    return tuple(units[: r.randint(1, len(units))])


def some_hexes(r: random.Random, g: Board) -> int:
    here = g.place[a_mapped_unit(r, g)]
    return r.choice((g.ground.around(here, 1), g.ground.around(here, 2), g.hexes_of(r.randrange(2)), g.ground.towns))


def a_word(r: random.Random, g: Board) -> str:
    commands = ("activate", "kampfgruppe", "one_unit", "deploy", "replace", "event", "special_event", "nothing")
    return r.choice((*FRONTS, *FRONTS, *MODES, *FORMATIONS, *g.charts.tactics, *g.charts.events, *commands))


def some_word(parameter: str, r: random.Random, g: Board) -> str:
    """A word as the name of the parameter asks for it."""
    words: Mapping[str, tuple[str, ...]] = {
        "front": FRONTS,
        "mode": MODES,
        "army": tuple(f for f, x in FORMATIONS.items() if x.side != GERMAN),
        "corps": tuple(f for f, x in FORMATIONS.items() if x.side == GERMAN),
        "tactic": tuple(g.charts.tactics),
        "name": tuple(g.charts.tactics),
        "purpose": ("moving", "proximity"),
        "kind": ("command", "special"),
        "rule": ("12.6", "9.2"),
    }
    return r.choice(words[parameter]) if parameter in words else a_word(r, g)


def a_part(r: random.Random, g: Board) -> Part:
    tactics = list(g.charts.tactics.values())
    return r.choice([part for t in tactics for part in (t.attack, t.defence) if part is not None])


MAKERS: dict[str, Callable[[random.Random, Board], Any]] = {
    "Side": lambda r, g: r.randrange(2),
    "Bits": some_hexes,
    "Board": lambda r, g: g,
    "Card": lambda r, g: r.choice(g.charts.cards),
    "Event": lambda r, g: r.choice(list(g.charts.events.values())),
    "Tactic": lambda r, g: r.choice(list(g.charts.tactics.values())),
    "Part": a_part,
    "Command": lambda r, g: r.choice(r.choice(g.charts.cards).commands),
    "int": lambda r, g: r.choice((0, 1, 1, 2, 3, 5, 8)),
    "bool": lambda r, g: r.random() < 0.5,
    "Sequence[Hex]": lambda r, g: members(some_hexes(r, g)),
}
UNITS = ("Sequence[Unit]", "Iterable[Unit]", "Collection[Unit]", "tuple[Unit, ...]", "list[Unit]")
OF_SCENE = ("Battle", "Unit", "Hex", "Step", "tuple[Hex, ...]", "str", *UNITS, *(f"{word} | None" for word in UNITS))


class Scene:
    """A combat, and units and hexes that mostly have to do with it."""

    def __init__(self, r: random.Random, g: Board) -> None:
        self.r, self.g, self.battle = r, g, a_battle(r, g)
        self.last = self.battle.target

    def made(self, p: inspect.Parameter) -> Any:
        kind = str(p.annotation).removesuffix(" | None")
        if kind in UNITS:
            units = self.units()
            return list(units) if kind.startswith("list") else units
        match kind:
            case "Battle":
                return self.battle
            case "Unit":
                return self.unit()
            case "Hex":
                return self.battle.target if p.name == "target" else self.hex()
            case "Step":
                return Step(self.battle, self.unit(), self.r.choice((self.battle.target, self.hex())))
            case "tuple[Hex, ...]":
                return (self.battle.target, self.hex())[: self.r.randint(1, 2)]
            case "str":
                return some_word(p.name, self.r, self.g)
        return MAKERS[kind](self.r, self.g)

    def unit(self) -> int:
        chance, r, g = self.r.random(), self.r, self.g
        if chance < 0.5:
            u = r.choice((*self.battle.attackers * 2, *self.battle.defenders))
        else:
            u = a_mapped_unit(r, g) if chance < 0.75 else r.randrange(len(g.forces))
        self.last = g.place[u] if g.on_map(u) and r.random() < 0.5 else self.last
        return u

    def units(self) -> tuple[int, ...]:
        chance = self.r.random()
        if chance < 0.7:
            return self.battle.attackers if chance < 0.45 else self.battle.defenders
        return some_units(self.r, self.g)

    def hex(self) -> int:
        chance, r = self.r.random(), self.r
        if chance < 0.3:
            self.last = a_hex(r, self.g)
        elif chance < 0.7:
            self.last = r.choice(self.g.map.grid.around[self.last])
        return self.last


# --- what is said ----------------------------------------------------------------------------------------------------


def plain(x: Any) -> Any:
    """An answer that reads the same in every run: sets sorted, objects by their fields, and without the reaches that
    happen to be kept from what was asked before."""
    if isinstance(x, Board):
        return x.digest()
    if isinstance(x, set | frozenset):
        return sorted((plain(i) for i in x), key=str)
    if isinstance(x, Mapping):
        return sorted(([plain(k), plain(v)] for k, v in x.items()), key=str)
    if isinstance(x, list | tuple) and not hasattr(x, "_fields"):
        return [plain(i) for i in x if not isinstance(i, Kept)]
    if isinstance(x, msgspec.Struct):
        return [plain(getattr(x, f)) for f in x.__struct_fields__]
    if dataclasses.is_dataclass(x):
        return [plain(getattr(x, f.name)) for f in dataclasses.fields(x)]
    if isinstance(x, tuple):
        return [plain(i) for i in x]
    if inspect.isgenerator(x):
        return [plain(i) for i in x]
    if isinstance(x, Reach):
        return plain(x.cost)
    if callable(x) or type(x).__repr__ is object.__repr__:
        return type(x).__name__
    return str(x)


def busy(seed: int) -> Board:
    """A crowded board in the middle of an activation."""
    g = crowded_board(seed)
    r = random.Random(seed)
    side = seed % 2
    for u in range(len(g.forces)):
        if g.forces.side[u] == side and (g.on_map(u) or g.box[u] == RESERVE) and r.random() < 0.7:
            g.set_status(u, r.choice((ACTIVE, ACTIVE, ACTIVE, ACTIVE | MOVED, ACTIVE | ATTACKED)))
        elif g.on_map(u) and r.random() < 0.15:
            g.set_status(u, r.choice((DEFENDED, DEFENDED | RETREATED)))
    g.changed()
    return g


def judge(seed: int) -> dict[str, str]:
    """A digest for each function of what it says on one board, and of what it does to it."""
    g = busy(seed)
    found = {}
    for name, f in judging().items():
        wanted = list(inspect.signature(f).parameters.values())
        if not wanted or wanted[0].annotation != "Board":
            continue
        if any(p.annotation not in MAKERS and p.annotation not in OF_SCENE for p in wanted[1:]):
            continue
        r = random.Random(f"{DRAWN.get(name, name)} {seed}")
        found[name] = short([one_answer(f, wanted[1:], r, g) for _ in range(CALLS if len(wanted) > 1 else 1)])
    return found


def one_answer(f: Callable[..., Any], wanted: list[inspect.Parameter], r: random.Random, g: Board) -> Any:
    scene = Scene(r, g)
    by_name = {p.name: scene.made(p) for p in wanted}
    ordered = [by_name.pop(p.name) for p in wanted if p.kind is p.POSITIONAL_OR_KEYWORD]
    x = g.copy()
    try:
        said = plain(f(x, *ordered, **by_name))
    except (IndexError, KeyError, ValueError, AssertionError, StopIteration, AttributeError, BadInput) as e:
        return type(e).__name__
    return [said, x.digest() if x.digest() != g.digest() else ""]


def everything() -> dict[str, str]:
    """By function: its digest on each board."""
    boards = [judge(seed) for seed in SEEDS]
    return {name: " ".join(found[name] for found in boards) for name in sorted(boards[0])}


if __name__ == "__main__":
    FILE.write_text(json.dumps(everything(), indent=0) + "\n")
