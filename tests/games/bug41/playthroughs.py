"""Recorded play on small crowded boards and of turns of the scenarios: what may be done, what is refused by which rule,
what happens, the answers.

    python -m tests.games.bug41.playthroughs

writes `playthroughs.json` anew after a wanted change.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec

from kessel.core.board import NOWHERE
from kessel.core.dice import Dice
from kessel.core.procedure import legal, run
from kessel.games.bug41.answers.position import PositionDoc, from_position
from kessel.games.bug41.board import EXPENDED, IMPROVED, Board
from kessel.games.bug41.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.bug41.movement.stacking import why_not_stack
from kessel.games.bug41.notation import NOTATION
from kessel.games.bug41.sequence import Play
from kessel.games.bug41.title import TITLE
from kessel.games.bug41.turn.activation import Activation
from kessel.games.bug41.turn.initiative import Operations
from tests.playthroughs import answers, short, steps, varied

from .helpers import CHARTS, PACK
from .test_second import document

FILE = Path(__file__).with_name("playthroughs.json")
SEEDS = range(120)
TURNS = [(scenario, seed) for scenario in ("ustyluh", "voinitsa", "campaign") for seed in range(14)]
STEPS = 60
BEGIN = ("recovery", "reinforcement", "operations", "operations", "activation", "activation", "activation")
LIKED = (
    {"hasty": 5, "regular": 8, "prepared": 8, "infiltrate": 8, "refit": 5, "improve": 0.6, "relocate": 0.3, "to": 0.5}
    | {"step": 0.7, "move": 1.5, "react": 8, "activate": 5, "pass": 0.7, "attach": 0.5, "place": 0.5, "fill": 8}
    | {"advance": 3, "rebuild": 4}
)
"""Weights of actions; all others weigh 1."""


def other_words(r: random.Random, g: Board, text: str) -> str:
    """An action with other units, places or formations in it."""
    words = text.split(" ")
    for i, word in enumerate(words[1:], start=1):
        if word in g.forces.commands and r.random() < 0.8:
            words[i] = r.choice((*g.forces.commands, *CHARTS.formations, "nobody"))
    return varied(r, g, " ".join(words))


def readings(r: random.Random) -> dict[str, str]:
    """Some of the switches read another way."""
    return {key: r.choice(o.values) for key, o in CHARTS.readings.switches.items() if r.random() < 0.3}


# --- boards --------------------------------------------------------------------------------------------------------


def crowded_board(seed: int) -> Board:
    """A small board on which every third hex holds units."""
    r = random.Random(seed)
    doc = document(seed) | {"options": readings(r), "turn": r.randint(1, 7)}
    for ground in doc["board"]["hexes"].values():
        if ground.get("terrain") in ("town", "marsh") and r.random() < 0.3:
            ground["features"] = ["pillbox"]
    g = from_position(msgspec.convert(doc, PositionDoc), PACK).by_ids()
    for u in range(len(g.forces)):
        if r.random() < 0.08:
            g.move(u, NOWHERE)
            g.due[u] = r.choice((0, g.turn + 9))
        elif r.random() < 0.3 and g.steps[u] > 1:
            g.steps[u] -= 1
        if not g.forces.hq[u] and r.random() < 0.1:
            side = g.forces.side[u]
            g.assign(u, r.choice(g.formations_of(side)))
    return begun(r, g)


def scenario_board(scenario: str, seed: int) -> Board:
    """A scenario as if some turn had come: units are disordered, weak, gone or elsewhere."""
    r = random.Random(f"{scenario} {seed}")
    options = TITLE.check_options(TITLE.scenario(PACK, scenario), readings(r))
    g = TITLE.new(PACK, scenario, options, Dice(seed)).by_ids()
    assert isinstance(g, Board)
    g.set_track("turn", r.randint(g.scenario.first_turn, g.scenario.last_turn))
    for side in (GERMAN, SOVIET):
        enemies = [u for u in g.forces.combat_units(1 - side) if g.on_map(u)]
        for u in g.forces.combat_units(side):
            what = r.randrange(12)
            if not g.on_map(u):
                continue
            if what < 2 and g.steps[u] > 1:
                g.lose(u, 1, "before the record")
            elif what == 2:
                g.disrupt(u, "before the record")
            elif what == 3:
                g.set_status(u, IMPROVED, on=not g.is_disrupted(u))
            elif what < 9:
                target = r.choice(list(g.map.grid.around[g.place[r.choice(enemies)]]))
                if why_not_stack(g, side, target, [u]) is None:
                    g.enter(u, target)
    return begun(r, g)


def begun(r: random.Random, g: Board) -> Board:
    """With levels, supply and the marker as they may be, at the beginning of a segment or of an activation."""
    for f, hq in enumerate(g.forces.hq_of):
        if hq >= 0:
            g.levels[f] = r.randint(0, g.forces.reaction[hq])
            g.set_status(hq, EXPENDED, on=r.random() < 0.2)
    g.set_track("space", r.randint(0, 3))
    g.set_track("shown", r.choice((GERMAN, SOVIET)))
    begin = r.choice(BEGIN)
    g.stack = [Play(at=Play.index[begin])] if begin != "activation" else [Play(at=Play.index["end"])]
    if begin == "activation":
        f = r.choice([f for f in range(len(g.levels)) if g.hq_of(f) >= 0] or [0])
        side = g.forces.side_of_command[f]
        g.stack += [
            Operations(side, last=f, contested=True, at=Operations.index["marker"]),
            Activation(side, f, points=r.randint(2, 6)),
        ]
    g.changed()
    return g


# --- questions -----------------------------------------------------------------------------------------------------


def questions(r: random.Random, g: Board) -> list[dict[str, Any]]:
    """Questions of every kind, sensible and not."""
    mapped = [u for u in range(len(g.forces)) if g.on_map(u)]
    names = [g.hex_name(h) for h in sorted({n for u in mapped for n in (g.place[u], *g.map.grid.around[g.place[u]])})]
    asked: list[dict[str, Any]] = [
        {"question": q} for q in ("zoc", "victory", "supply", "command", "recovery", "legal")
    ]
    asked += [{"question": "points", "formation": f} for f in r.sample(g.forces.commands, 2)]
    for u in r.sample(mapped, min(len(mapped), 5)):
        asked.append({"question": "moves", "unit": g.id(u), "boats": r.choice((None, 0, 1, 2))})
        asked.append({"question": "moves", "unit": g.id(u), "to": r.choice(names)})
        asked.append({"question": "moves", "units": [g.id(v) for v in g.units(g.place[u])]})
        asked.append({"question": "supply", "unit": g.id(u)})
        asked.append({"question": "command", "unit": g.id(u)})
        asked.append({"question": "recovery", "unit": g.id(u), "interdiction": r.choice((None, 0, 2))})
        joining = [g.id(v) for v in r.sample(mapped, r.randint(0, 3))]
        asked.append({"question": "stacking", "hex": r.choice(names), "units": joining})
        asked.append({"question": "reaction", "hex": r.choice(names), "side": r.choice(SIDES)})
    met = [(u, v) for u in mapped for n in g.map.grid.around[g.place[u]] for v in g.units(n) if _are_foes(g, u, v)]
    for u, v in r.sample(met, min(len(met), 4)):
        with_u = [g.id(w) for w in g.units(g.place[u]) if r.random() < 0.8]
        at, kind = g.hex_name(g.place[v]), r.choice(("hasty", "regular", "prepared"))
        asked.append({"question": "attack", "target": at, "units": with_u, "kind": kind})
        asked.append({"question": "retreat", "hex": at, "attacked_from": g.hex_name(g.place[u])})
        asked.append({"question": "reaction", "hex": g.hex_name(g.place[u]), "side": SIDES[g.forces.side[v]]})
    return asked


def _are_foes(g: Board, u: int, v: int) -> bool:
    return g.forces.side[u] != g.forces.side[v]


# --- play ----------------------------------------------------------------------------------------------------------


def played(r: random.Random, g: Board) -> list[str]:
    """Answers, play, and what is thought of the board then."""
    g.dice, g.events = Dice(r.randrange(1000)), []
    run(g)
    found = answers(TITLE, g, questions(r, g)) + steps(r, g, NOTATION, STEPS, LIKED, other_words)
    thought = [round(TITLE.evaluate(g, side), 6) for side in (GERMAN, SOVIET)]
    wrong, to_come = TITLE.faults(g), list(TITLE.coming(g))
    ways = [TITLE.ways(g, a) for a in legal(g)[:40]] if g.stack else []
    return folded([*found, short(thought), short(wrong, [str(c) for c in to_come]), short([str(w) for w in ways])])


def play(seed: int) -> list[str]:
    return played(random.Random(seed), crowded_board(seed))


def play_turn(scenario: str, seed: int) -> list[str]:
    return played(random.Random(seed), scenario_board(scenario, seed))


def folded(digests: list[str]) -> list[str]:
    """One digest for every five."""
    return [short(digests[i : i + 5]) for i in range(0, len(digests), 5)]


def everything() -> dict[str, str]:
    found = {str(seed): play(seed) for seed in SEEDS}
    found |= {f"{scenario} {seed}": play_turn(scenario, seed) for scenario, seed in TURNS}
    return {key: " ".join(digests) for key, digests in found.items()}


if __name__ == "__main__":
    FILE.write_text(json.dumps(everything(), indent=0) + "\n")
