"""Recorded play on small crowded boards: what may be done, what is refused by which rule, what happens, the answers.

    python -m tests.games.stalingrad42.playthroughs

writes `playthroughs.json` anew after a wanted change.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from kessel.core.dice import Dice
from kessel.core.procedure import run
from kessel.games.stalingrad42 import TITLE
from kessel.games.stalingrad42.board import REPLACEMENT_KINDS, Board
from kessel.games.stalingrad42.data.forces import AXIS, SIDES, SOVIET
from kessel.games.stalingrad42.sequence import GameTurn, PlayerTurn
from tests.playthroughs import answers, short, steps

from .helpers import NOTATION, PACK, SWITCHES, area, board, disc
from .scattered import scattered_board

FILE = Path(__file__).with_name("playthroughs.json")
SEEDS = range(120)
READINGS = range(80, 120)
"""The seeds whose boards are played by other readings of the rules."""
STEPS = 60
PHASES = ("initial", "movement", "movement", "combat", "combat", "combat", "recovery", "supply")
TERRAINS = ("clear",) * 8 + (
    "rough",
    "woods",
    "wooded_rough",
    "marsh",
    "mountain",
    "minor_city",
    "major_city",
    "desert",
)
INF, PANZER = "replacements=infantry+cavalry+special remnant=infantry", "replacements=tank remnant=panzer"
KINDS = {
    "axis": (
        f"10-8-6;7-6-6;R {{}} tank red {PANZER}",
        f"5-7-4;3-5-4;R {{}} {INF}",
        "4-5-3;2-3-3 {} nation=romanian replacements=rom+axis",
        "4-5-3;2-3-3 {} nation=italian replacements=ital+axis",
        "3-4-5;2-2-5 {} cavalry replacements=cavalry",
        "2-3-3 {} low replacements=infantry",
        "S-(1)-5b {} hq range=4 back=0-(1)-5 replacements=special",
        "S-(1)-5b {} hq range=3 back=0-(1)-5 nation=romanian flipped",
        "0-0-5b {} supply back=S-0-T flipped",
        "0-0-5b {} supply back=S-0-T",
        "6-6-6;4-4-6 {} mechanized black replacements=tank+special",
        "5[10]-5-4;3[6]-3-4 {} mountain replacements=special",
        "2-2-6 {} sturmgeschuetz free black replacements=tank+special",
        "0-0-6 {} leader range=3 back=0-0-6",
    ),
    "soviet": (
        "3-5-3 {} replacements=infantry",
        "4-6-3;2-3-3 {} elite branch=guards replacements=infantry",
        "7-5-5;4-3-5 {} tank size=corps black replacements=tank",
        "2-2-6 {} t34 free black replacements=tank+special",
        "3-4-3 {} nkvd replacements=special",
        "2-3-3 {} low replacements=infantry",
        "S-(1)-4b {} artdiv range=4 back=0-(1)-4",
        "S-(1)-5b {} front range=4 back=0-(1)-5 replacements=special",
        "S-(1)-5b {} front range=3 back=0-(1)-5 offensives=1",
        "0-0-6 {} army_hq",
        "0-0-3 {} army_hq",
        "4-4-4;2-2-4 {} cavalry replacements=cavalry",
        "2-3-3 {} tank_destroyer white free replacements=special",
        "3-3-4;1-2-4 {} naval branch=naval size=brigade replacements=special",
        "0-0-6 {} leader range=3 back=0-0-6",
        "0-0-5b {} supply back=S-0-T flipped",
    ),
}
STATES = ("",) * 14 + ("disrupted", "disrupted", "full_retreat", "oos", "isolated", "train", "replaced", "flipped")
LIKED = {"attack": 6, "add": 6, "declare": 30, "auto_ds": 20, "form": 6, "strike": 12, "go": 3, "defend": 4}
SHUNNED = {"cancel": 0.02, "remove": 0.05, "pass": 0.3, "raze": 0.1, "reserve": 0.2, "move": 0.6}


def crowded_board(seed: int) -> Board:
    """Half the hexes of a small board hold units; everything the map can have is there."""
    r = random.Random(seed)
    names = disc(4)
    units: dict[str, str] = {}
    for i, place in enumerate((*r.sample(names, 20), "Z", "E", "E", "Z", "-", "-", "-", "-")):
        side = {"Z": "axis", "E": "soviet"}.get(place, "axis" if i % 2 else "soviet")
        for k in range(1 if place == "-" else r.choice((1, 1, 2, 2, 3))):
            words = r.choice(KINDS[side]).format(place)
            state = r.choice(STATES)
            if words.split("-")[1].startswith("0"):
                state = ""
            if place == "-":
                state = "eliminated"
            units[f"{side[0].upper()}{i}{'abc'[k]}"] = f"{side} {words} {state}".strip()
    sides: dict[str, Any] = {}
    waters = (
        ["major_river"],
        ["minor_river"],
        ["volga", "ferry"],
        ["volga"],
        ["lake"],
        ["major_river", "ferry"],
        ["alpine"],
    )
    for a in r.sample(names, 16):
        q, s = map(int, a.split(","))
        for b in (f"{q + 1},{s}", f"{q},{s + 1}"):
            if b in names and r.random() < 0.6:
                sides[f"{a}|{b}"] = r.choice(waters)
    west_east, slope = [f"{q},0" for q in range(-4, 5)], [f"{q},{-q}" for q in range(-4, 5)]
    cells: dict[str, Any] = {n: {"terrain": r.choice(TERRAINS)} for n in names}
    for port, sea in (("-4,4", "azov"), ("0,4", "azov"), ("4,-4", "black"), ("0,-4", "black")):
        cells[port] = {"terrain": "clear", "features": ["port"], "sea": sea}
    cells["-3,0"]["features"], cells["2,0"]["features"] = ["town"], ["landmark"]
    for n in r.sample(names, 3):
        cells[n]["features"] = ["fort"]
    for n in r.sample(names, 3):
        cells[n]["vp"] = 1
    kept = [n for n in names if "city" in cells[n]["terrain"] or "vp" in cells[n]]
    links = [
        ("primary", " ".join(west_east)),
        ("rail", " ".join(west_east), "green"),
        ("secondary", " ".join(slope)),
        ("rail", " ".join(slope[:6])),
        ("shipping_path", "-4,4 0,4", {"sea": "azov"}),
        ("shipping_path", "4,-4 0,-4", {"sea": "black"}),
    ]
    side, phase = r.choice(("axis", "soviet")), r.choice(PHASES)
    readings: dict[str, str] = {}
    if seed in READINGS:
        readings = {key: r.choice(words) for key, words in sorted(SWITCHES.items())}
    g = board(
        units,
        side=side,
        phase=phase,
        hexes=cells,
        hexsides=sides,
        links=links,
        boxes=[area("Z", "axis", "-4,0 -4,1 -4,2"), area("E", "soviet", "4,0 4,-1 4,-2")],
        areas={"fort_group_north": "0,0 1,0 -1,0"},
        control={n: r.choice(("axis", "soviet")) for n in kept},
        forts={n: r.choice(("axis", "soviet", "axis begun", "soviet begun")) for n in r.sample(names, 6)},
        repaired=r.choice(("all", "-4,0 -3,0 -2,0 -1,0")),
        railheads=["-1,0"],
        turn=r.choice((3, 7, 10, 22, 28, 30)),
        weather=r.choice(("clear", "clear", "overcast", "rain", "mud", "snow")),
        air={"VIII-FK": "ready", "IV-FK": r.choice(("ready", "used")), "Rom-Air": "ready"},
        options=readings | {"contested_cities": r.choice(("on", "off"))},
    )
    g.points[:] = bytes(r.choice((0, 1, 2)) for _ in range(2 * len(REPLACEMENT_KINDS)))
    g.changed()
    return g


def questions(r: random.Random, g: Board) -> list[dict[str, Any]]:
    """Questions of every kind, sensible and not."""
    placed = [u for u in range(len(g.forces)) if g.place[u] >= 0]
    mapped = [u for u in placed if g.on_map(u)]
    names = sorted(g.map.grid.names(g.map.grid.hexes))
    held = sorted({g.hex_name(g.place[u]) for u in mapped if g.forces.combat[u]})
    guns = [g.id(u) for u in placed if g.forces.is_asu[u] or g.forces.is_supply_point(u)]
    modes = ("normal", "extended", "tactical", "rail", "sea")
    asked: list[dict[str, Any]] = [{"question": "zoc", "side": side} for side in ("axis", "soviet")]
    for u in r.sample(placed, 5):
        stack = [g.id(v) for v in g.units(g.place[u]) if g.forces.side[v] == g.forces.side[u]]
        asked.append({"question": "moves", "unit": g.id(u)})
        asked.append({"question": "supply", "unit": g.id(u)})
        for to in (*r.sample(names, 4), r.choice(("Z", "E"))):
            asked.append({"question": "moves", "unit": g.id(u), "to": to})
            asked.append({"question": "moves", "units": stack, "to": to, "mode": r.choice(modes)})
    for name in r.sample(names, 3):
        asked.append({"question": "supply", "hex": name, "side": r.choice(("axis", "soviet"))})
    for name in r.sample(held, 5):
        h = g.map.place(name)
        side = g.forces.side[next(u for u in g.units(h) if g.forces.combat[u])]
        near = [g.id(u) for n in g.map.grid.around[h] for u in g.units(n) if g.forces.side[u] != side]
        asked.append({"question": "stacking", "side": ("axis", "soviet")[side], "hex": name})
        asked.append({"question": "attack", "target": name, "side": ("soviet", "axis")[side]})
        whole = {"question": "attack", "target": name, "units": r.sample(near, r.randint(0, len(near)))}
        if r.random() < 0.5:
            whole |= {"air": "VIII-FK", "artillery": r.sample(guns, min(len(guns), 2)), "dice": r.choice((1, 2))}
        else:
            whole |= {"breakthrough": r.random() < 0.5, "defensive_air": r.choice(("", "VIII-FK", "IV-FK"))}
        asked.append(whole)
        away = r.choice(({"hexes": r.choice((1, 2, 3, 4))}, {"delay": True}, {"hexes": 2, "shun": True}))
        asked.append({"question": "retreat", "hex": name} | away)
        by = r.choice([g.hex_name(n) for n in g.map.grid.around[h]])
        asked.append({"question": "retreat", "hex": name, "hexes": 2, "by": f"{by} {r.choice(names)}"})
    for u in r.sample(mapped, 4):
        around = [g.hex_name(n) for n in g.map.grid.around[g.place[u]]]
        way = {"unit": g.id(u), "hexes": r.choice((2, 3, 4)), "vacated": r.choice(around), "to": r.choice(names)}
        asked.append({"question": "advance", **way, "limited": r.random() < 0.2, "first": r.random() < 0.7})
    return asked


def play(seed: int) -> list[str]:
    """A small crowded board."""
    g = crowded_board(seed)
    g.dice, g.events = Dice(seed), []
    r = random.Random(seed)
    run(g)
    return answers(TITLE, g, questions(r, g)) + steps(r, g, NOTATION, STEPS, LIKED | SHUNNED)


TURNS = {
    "fall-blau": (1, 2, 3, 5, 8),
    "caucasus": (10, 11, 13, 18),
    "uranus": (28, 30, 34, 36),
    "campaign": (2, 9, 10, 11, 17, 20, 21, 23, 25, 27, 28, 33),
}
SCENARIOS = [(scenario, turn, side) for scenario, turns in TURNS.items() for turn in turns for side in (AXIS, SOVIET)]
HURRIED = {"move": 0.05, "disengage": 0.1, "raze": 0.02, "pass": 12.0, "halt": 12.0}


def play_turn(scenario: str, turn: int, side: int) -> list[str]:
    """A player turn of a scenario, from the set-up as if that turn had come."""
    options = TITLE.check_options(TITLE.scenario(PACK, scenario), {})
    g = TITLE.new(PACK, scenario, options, Dice(turn)).by_ids()
    assert isinstance(g, Board)
    g.set_track("turn", turn)
    g.phasing = side
    g.stack = [PlayerTurn(side)]
    g.events = []
    g.changed()
    run(g)
    r = random.Random(f"{scenario} {turn} {side}")
    return steps(r, g, NOTATION, 40, HURRIED | LIKED)


ROUNDS = range(100, 160)
WAITING = {"pass": 400.0, "halt": 400.0, "raze": 0.02}
STAGES = ("weather", "weather", "turn_order", "second_player_turn", "interchange_turn", "victory")


def play_round(seed: int) -> list[str]:
    """A Game Turn of a scenario whose units have been scattered, most of it passed, from one of its steps on."""
    g = scattered_board(seed)
    r = random.Random(f"round {seed}")
    stage = r.choice(STAGES)
    if stage == "interchange_turn":
        g.winter_offensive = g.turn
    g.stack = [GameTurn(at=GameTurn.index[stage])]
    run(g)
    begun = [short([sorted(e.items()) for e in g.events or ()], g.digest())]
    return begun + steps(r, g, NOTATION, 60, WAITING)


def everything() -> dict[str, str]:
    small = {str(seed): " ".join(play(seed)) for seed in SEEDS}
    turns = {f"{s} {t} {SIDES[side]}": " ".join(play_turn(s, t, side)) for s, t, side in SCENARIOS}
    return small | turns | {f"round {seed}": " ".join(play_round(seed)) for seed in ROUNDS}


if __name__ == "__main__":
    FILE.write_text(json.dumps(everything(), indent=0) + "\n")
