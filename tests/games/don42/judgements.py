"""What the public functions of the rules say of units and places of crowded boards, kept beside the playthroughs.

    python -m tests.games.don42.judgements

writes `judgements.json` anew after a wanted change. A function is known by its name; new ones are taken up with the
next writing, and ones that are gone are passed over. Of functions that change the board the change is kept.
"""

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from kessel.core.breakdown import Breakdown
from kessel.core.dice import Dice
from kessel.core.errors import BadInput
from kessel.core.procedure import run
from kessel.games import don42
from kessel.games.don42.board import DPT, DRG, RTD, Board
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.data.lines import Lines
from kessel.lab.flips import NOT_RULES
from tests.judgements import public_functions
from tests.playthroughs import short

from .playthroughs import CHARTS, crowded_board, scenario_board

FILE = Path(__file__).with_name("judgements.json")
BOARDS = [*(f"crowded {seed}" for seed in range(1000, 1060)), *(f"scenario {seed}" for seed in range(20))]
TOGETHER = 8
"""So many boards share a digest."""
CALLS = 6
CHANGING = {"air.roll_bombardment", "air.suffer", "retreat.take_path"}
"""Functions that change the board and return something all the same."""
FORMERLY = {
    "activation.has_reserve": "activation.reserve_holds",
    "activation.is_in_command": "activation.within_command",
    "activation.is_in_reserve": "activation.in_reserve",
    "activation.why_not_try": "activation.why_ineligible",
    "air.is_tried": "air.tried",
    "air.why_not_bridge": "air.why_no_bridge",
    "air.why_not_fly": "air.can_fly",
    "air.why_not_strike": "air.can_strike",
    "airlift.can_use_point": "airlift.gains_from_point",
    "airlift.why_not_take": "airlift.cut_off",
    "bombardment.is_spotted": "bombardment.spotted",
    "bombardment.why_not_aim": "bombardment.can_target",
    "bombardment.why_not_aim_at_bridge": "bombardment.can_target_bridge",
    "bombardment.why_not_bombard": "bombardment.can_bombard",
    "bombardment.why_not_fire": "bombardment.is_silent",
    "combat.has_defended": "combat.was_attacked",
    "combat.is_across_volga": "combat.across_volga",
    "combat.is_in_contact": "combat.in_contact",
    "combat.why_not_support": "combat.why_no_support",
    "combined_arms.why_not_attacker_bonus": "combined_arms.attacker_bonus",
    "combined_arms.why_not_defender_bonus": "combined_arms.defender_bonus",
    "defensive_positions.why_not_digger": "defensive_positions.why_unit_cannot_dig",
    "movement.is_beyond_line": "movement.beyond_line",
    "movement.is_don_closed": "movement.never_don",
    "movement.why_not_move": "movement.why_stays",
    "odds.has_terrain_shift": "odds.keeps_terrain",
    "pontoons.why_not_pontoon": "pontoons.why_no_pontoon",
    "pontoons.why_not_repair": "pontoons.why_no_repair",
    "retreat.why_not_step": "retreat.may_step",
    "stacking.why_not_fit": "stacking.fits",
    "stacking.why_not_together": "stacking.over_limit",
    "explanation.explain": "supply.explain",
    "supply.can_reach_corps": "supply.reaches_corps",
    "supply.has_road": "supply.hq_has_road",
    "supply.is_bridge_lost": "supply.bridge_lost",
    "supply.is_fully_supplied": "supply.fully_supplied",
    "supply.is_in_reach": "supply.in_reach",
    "weather.is_grounded": "weather.grounded",
    "zones.has_zone": "zones.exerts_zone",
}
"""Functions that had another name when the judgements were written: their arguments are drawn as they were then."""
WORDS = {
    "rule": ("13.2",),
    "why": ("a reason",),
    "army": (*CHARTS.armies, "7TkC"),
    "kind": ("sp", "fuel", "ammo"),
    "word": ("NE", "DRG", "DRG*", "DPT", "DPT*", "RTD", "RTD*"),
    "division": ("16Pz", "3Mot", "60Mot", "384Div", "389Div"),
    "table": ("1:1", "1:2", "2:1"),
}
NUMBERS = {
    "command": range(len((*CHARTS.german_corps, *CHARTS.armies, *CHARTS.tank_corps))),
    "corps": range(len(CHARTS.german_corps)),
    "status": (DRG, DPT, RTD),
    "now": (0, DRG, DPT, RTD),
    "length": (1, 2, 3),
    "entered": (0, 1, 2, 3, 4),
    "left": (1, 4, 9, 16, 24),
}


class Scene:
    """An attack, or a few units and places near each other."""

    def __init__(self, r: random.Random, g: Board) -> None:
        self.r, self.g = r, g
        units = g.units_on_map(r.choice((GERMAN, SOVIET))) or g.units_on_map(GERMAN) or g.units_on_map(SOVIET)
        self.unit = r.choice(units)
        self.hex = r.choice((g.place[self.unit], r.choice(list(g.map.grid.around[g.place[self.unit]]))))
        self.side = 1 - g.forces.side[self.unit] if r.random() < 0.8 else g.forces.side[self.unit]
        beside = [u for n in g.map.grid.around[self.hex] for u in g.units(n) if g.forces.side[u] == self.side]
        self.attackers = tuple(r.sample(beside, min(len(beside), r.randint(1, 3))))

    def make(self, p: inspect.Parameter) -> Any:
        r, g = self.r, self.g
        match p.annotation:
            case "Board":
                return g
            case "Unit":
                return self._unit(p.name)
            case "Side":
                return self.side
            case "Hex":
                from_ = p.name == "h" and self.attackers and r.random() < 0.5
                return g.place[self.attackers[0]] if from_ else self.hex
            case "Hexside":
                return self._hexside()
            case "Direction":
                return r.randrange(6)
            case "bool":
                return r.random() < 0.5
            case "int":
                return r.choice(NUMBERS.get(p.name, (0, 1, 2, 6, 12)))
            case "str":
                return r.choice(WORDS.get(p.name, (*CHARTS.german_corps, *CHARTS.armies, "16Pz")))
            case "Bits":
                return g.hexes_of(self.side)
            case "Sequence[Unit]" | "list[Unit]" | "Iterable[Unit]":
                return self._units(p.name)
            case "Sequence[Hex]" | "tuple[Hex, ...]":
                return tuple(g.place[u] for u in self.attackers)
            case "Path":
                return tuple(self._way())
            case "Entry":
                return r.choice([*g.scenario.setup])
            case "tuple[str, ...]":
                edges = ("north", "east", "south", "west")
                return (r.choice(edges),) if p.name == "edges" else tuple(g.map.grid.names([self.hex]))
            case "dict[str, Any]":
                return g.scenario.victory
            case "Lines":
                return g.crossings.lines("soviet", g.weather, 1 << self.hex, 14, g.map.grid.all)
            case "Sequence[int]":
                return [r.randint(0, 6) for _ in self.attackers]
        raise ValueError(p.annotation)

    def _unit(self, name: str) -> int:
        g = self.g
        if name == "plane":
            return self.r.choice(g.forces.air_units[self.side])
        if name == "hq":
            return self.r.choice([u for s in (GERMAN, SOVIET) for u in g.forces.hqs[s] if g.on_map(u)])
        return self.r.choice((self.unit, *self.attackers, self.r.randrange(len(g.forces))))

    def _units(self, name: str) -> list[int]:
        g, r = self.g, self.r
        if name == "planes":
            return r.sample(g.forces.air_units[self.side], r.randint(0, 2))
        if name in ("guns", "defence_guns"):
            mine = self.side if name == "guns" else 1 - self.side
            near = [u for u in g.forces.guns[mine] if g.on_map(u) and u not in self.attackers]
            return r.sample(near, min(len(near), r.randint(0, 1)))
        if name in ("attackers", "taken", "arriving"):
            return list(self.attackers)
        return g.units(g.place[self.unit])

    def _hexside(self) -> int:
        g, r = self.g, self.r
        bridges = [*g.ground.bridges, *(s for s in g.pontoon_at if s >= 0)]
        if bridges and r.random() < 0.6:
            return r.choice(bridges)
        river = [h * 6 + d for d in range(6) for h in g.map.grid.hexes if g.ground.don[d] >> h & 1]
        return r.choice(river) if river and r.random() < 0.8 else self.hex * 6 + self._open_direction()

    def _open_direction(self) -> int:
        return self.r.choice([d for d, n in enumerate(self.g.map.grid.neighbours[self.hex]) if n >= 0])

    def _way(self) -> Iterator[int]:
        h = self.g.place[self.unit]
        for _ in range(self.r.randint(1, 3)):
            h = self.r.choice(list(self.g.map.grid.around[h]))
            yield h


def functions() -> dict[str, Callable[..., Any]]:
    """The public functions of the rules that look at a board."""
    found = public_functions(don42, NOT_RULES | {"questions", "questions_combat", "faults"})
    return {name: f for name, f in found.items() if "g" in inspect.signature(f).parameters}


def written(x: Any) -> Any:
    """A result as plain values, sets in order."""
    if isinstance(x, Breakdown):
        return [x.name, x.total, [str(item) for item in x.items]]
    if isinstance(x, Lines):
        return [str(s) for s in x.by]
    if isinstance(x, Mapping):
        return sorted([written(k), written(v)] for k, v in x.items())
    if isinstance(x, Set):
        return sorted(map(written, x))
    if isinstance(x, list | tuple | Iterator):
        return [written(each) for each in x]
    if hasattr(x, "levels"):  # a Reach
        return [str(x.hexes), [str(s) for s in x.levels], str(x.over)]
    if is_dataclass(x):
        return [type(x).__name__, *(written(getattr(x, f.name)) for f in fields(x))]
    return str(x)


def some_board(name: str) -> Board:
    kind, seed = name.split(" ")
    g = crowded_board(int(seed)) if kind == "crowded" else scenario_board(int(seed))
    g.dice, g.events = Dice(int(seed)), []
    run(g)
    return g


def said(f: Callable[..., Any], name: str, g: Board, r: random.Random) -> Any:
    """What a function says of arguments made at random, and what it does to the board."""
    signature = inspect.signature(f)
    changes = signature.return_annotation == "None" or name in CHANGING
    on = g.copy() if changes else g
    on.events, on.dice = [], Dice(r.randrange(1000))
    try:
        scene = Scene(r, on)
        made = {p.name: scene.make(p) for p in signature.parameters.values()}
        by_name = {p.name: made.pop(p.name) for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY}
        found = written(f(*made.values(), **by_name))
    except (BadInput, IndexError, KeyError, ValueError, AssertionError, TypeError, AttributeError) as e:
        return type(e).__name__  # arguments that make no sense together
    return [found, [sorted(map(str, e.items())) for e in on.events], on.digest()] if changes else found


def judge(boards: list[str]) -> dict[str, str]:
    """A digest for each function of what it says on these boards."""
    heard: dict[str, list[Any]] = {}
    for board in boards:
        g = some_board(board)
        for name, f in functions().items():
            r = random.Random(f"{FORMERLY.get(name, name)} {board}")
            heard.setdefault(name, []).extend(said(f, name, g, r) for _ in range(CALLS))
    return {name: short(all_) for name, all_ in heard.items()}


GROUPS = [BOARDS[i : i + TOGETHER] for i in range(0, len(BOARDS), TOGETHER)]


if __name__ == "__main__":
    judged = [judge(group) for group in GROUPS]
    kept = {name: " ".join(group[name] for group in judged) for name in judged[0]}
    FILE.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n")
