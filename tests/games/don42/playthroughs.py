"""Recorded play on small crowded boards and of turns of the scenarios: what may be done, what is refused by which rule,
what happens, the answers.

    python -m tests.games.don42.playthroughs

writes `playthroughs.json` anew after a wanted change.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from kessel.core.board import NOWHERE
from kessel.core.dice import Dice
from kessel.core.hexset import members
from kessel.core.procedure import run
from kessel.games.don42.board import DPT, DRG, HASTY, LEFT, PREPARED, RTD, Board
from kessel.games.don42.data.charts import charts_of, turn_name
from kessel.games.don42.data.forces import GERMAN, SIDES, SOVIET, read_counters
from kessel.games.don42.movement.stacking import why_not_fit
from kessel.games.don42.notation import NOTATION
from kessel.games.don42.sequence import Play, Turn
from kessel.games.don42.supply.headquarters import eliminate
from kessel.games.don42.title import TITLE
from tests.playthroughs import answers, short, steps, varied

from .helpers import PACK, board, disc, pos

FILE = Path(__file__).with_name("playthroughs.json")
SEEDS = range(140)
STEPS = 50
CHARTS = charts_of(PACK)
COUNTERS = {c.id: c for c in read_counters(PACK)}
PHASES = (
    "begin",
    "air_initiative",
    "air_initiative",
    "german_defensive_positions",
    "soviet_hq_activation",
    "soviet_movement",
    "soviet_bombardment",
    "soviet_bombardment",
    "soviet_bombardment",
    "soviet_combat",
    "soviet_combat",
    "german_movement",
    "german_combat",
    "german_combat",
    "german_motorized_movement",
    "mutual_recovery",
)
TURNS = ("Aug 21 AM", "Aug 24 PM", "Aug 25 AM", "Aug 28 PM", "Sep 2 AM", "Sep 5 PM", "Sep 8 PM")
MARKERS = ("",) * 18 + ("DRG", "DRG", "DPT", "DPT", "RTD")
FLAGS = ("",) * 16 + ("moved", "attacked", "defended", "bombed", "shelled", "fired", "guest", "released", "answers")
SUPPLIES = ("",) * 6 + ("attack", "general", "out of supply")
OWN = (
    {"side": "german", "type": "machine_gun", "size": "company", "faces": "1-2-6", "quality": "B"},
    {"side": "german", "type": "mortar", "size": "company", "faces": "2-1-10", "quality": "A", "motorized": True},
    {"side": "german", "type": "infantry", "size": "company", "faces": "1-1-6", "quality": "C"},
    {"side": "soviet", "type": "machine_gun", "faces": "1-3-5", "quality": "B"},
    {"side": "soviet", "type": "mortar", "faces": "3-1-5 2-1-5", "quality": "C"},
    {"side": "soviet", "type": "anti_tank", "faces": "2-3-5", "quality": "B"},
    {"side": "soviet", "type": "infantry", "faces": "0-2-5", "quality": "A"},
)
"""Kinds of units the counters have few of."""
LIKED = (
    {"attack": 8, "with": 6, "assault": 8, "gun": 6, "plane": 6, "strike": 6, "fire": 6, "fire_combat": 6}
    | {"bombard": 3, "bomb_bridge": 8, "shell": 3, "shell_bridge": 8, "activate": 8, "entrench": 4, "pontoon": 8}
    | {"repair": 8, "supply": 6, "airlift": 4, "airlift_fuel": 3, "airlift_ammo": 3, "drop": 3, "enter": 4, "at": 4}
    | {"leave": 20, "advance": 3, "step_loss": 0.7, "move": 1, "to": 1, "halt": 1, "pass": 3, "automatic": 0.3}
)
"""Weights of actions; all others weigh 1."""


def other_words(r: random.Random, g: Board, text: str) -> str:
    """An action with other units, places, hexsides or formations in it."""
    words = text.split(" ")
    for i, word in enumerate(words[1:], start=1):
        if "|" in word and r.random() < 0.6:
            a = r.choice(g.map.grid.hexes)
            bridges = [g.map.grid.hexside_name(s) for s in g.ground.bridges]
            near = f"{g.hex_name(a)}|{g.hex_name(r.choice(list(g.map.grid.around[a])))}"
            words[i] = r.choice((near, r.choice(bridges) if bridges else near))
        elif word in (*CHARTS.armies, *CHARTS.tank_corps) and r.random() < 0.6:
            words[i] = r.choice((*CHARTS.armies, *CHARTS.tank_corps))
    return varied(r, g, " ".join(words))


# --- crowded boards ------------------------------------------------------------------------------------------------


def _units(r: random.Random, hexes: list[str], wanted: str) -> list[dict[str, Any]]:
    """Units of a few formations with their HQs, most of them on the hexes, and the air units of both sides."""
    corps = r.sample(CHARTS.german_corps, 2) if not wanted else ["8C", "14PzC"]
    armies = [*r.sample(CHARTS.armies, 2), *r.sample(CHARTS.tank_corps, 2)]
    germans = [c for c in COUNTERS.values() if c.side == GERMAN and c.corps in corps and c.type != "hq"]
    soviets = [c for c in COUNTERS.values() if c.side == SOVIET and {c.army, c.corps} & set(armies) and c.type != "hq"]
    divisions = [*r.sample(sorted({c.division for c in germans if c.division}), 2), wanted or "16Pz"]
    germans = [c for c in germans if c.division in divisions]
    hqs = [c for c in COUNTERS.values() if c.type == "hq"]
    places = r.sample(hexes, 34)
    if r.random() < 0.5:
        places.sort(key=hexes.index)
    found: list[dict[str, Any]] = []
    for c in hqs:
        mine = c.division in divisions or (c.corps in corps and not c.division) if c.side == GERMAN else False
        if mine or (c.side == SOVIET and ({c.army, c.corps} & set(armies) or c.id.endswith("Kvch"))):
            found.append({"id": c.id, "status": [w for w in (r.choice(MARKERS),) if w]})
            if c.side == GERMAN and r.random() < 0.5:
                found[-1] |= {"supply_points": r.randrange(4), "fuel": r.randrange(3), "ammo": r.randrange(3)}
            if r.random() < 0.1:
                found[-1] = {"id": c.id, "due": r.choice(TURNS)}
    guns = [c for c in soviets if c.type in ("artillery", "mortar")]
    few = [c for c in soviets if c not in guns]
    many = [
        *r.sample(germans, min(16, len(germans))),
        *r.sample(guns, min(3, len(guns))),
        *r.sample(few, min(10, len(few))),
    ]
    for c in many:
        steps_left = r.randint(1, max(1, len(c.faces)))
        status = [w for w in (r.choice(MARKERS), r.choice(FLAGS)) if w]
        supply = r.choice(SUPPLIES)
        if supply == "general" and SIDES[c.side] == "german":
            supply = "attack"  # 4.3: they have no General Supply
        found.append({"id": c.id, "steps": steps_left, "status": status, "supply": supply})
    for i, kind in enumerate(r.sample(OWN, 4)):
        of = {"division": r.choice(divisions)} if kind["side"] == "german" else {"army": r.choice(CHARTS.armies)}
        found.append({"id": f"own{i}", "status": [w for w in (r.choice(MARKERS),) if w], **kind, **of})
    free = {"german": places[:17] * 2, "soviet": places[17:]}
    for unit in found:
        side = unit.get("side") or SIDES[COUNTERS[unit["id"]].side]
        if "due" not in unit and r.random() < 0.95:
            unit["at"] = r.choice(free[side])
            if r.random() < 0.96 and len(free[side]) > 1:
                free[side].remove(unit["at"])
    planes = [c.id for c in COUNTERS.values() if c.type in ("dive_bomber", "bomber", "transport")]
    return found + [{"id": p, "status": ["flown"] if r.random() < 0.15 else []} for p in planes]


def _ground(r: random.Random) -> dict[str, Any]:
    """A small board with everything a map can have: the Don in the west, the Volga in the east."""
    names = disc(4)
    sides: dict[str, str] = {}
    for q, word in ((-2, "minor_river"), (2, "major_river")):
        for row in range(-4, 5):
            for a, b in ((f"{q},{row}", f"{q + 1},{row}"), (f"{q},{row}", f"{q + 1},{row - 1}")):
                if a in names and b in names and not (q == 2 and r.random() < 0.3):
                    sides[f"{a}|{b}"] = word
    for a in r.sample(names, 12):
        q, s = map(int, a.split(","))
        b = r.choice((f"{q + 1},{s}", f"{q},{s + 1}"))
        if b in names:
            sides.setdefault(f"{a}|{b}", "gorge")
    terrain = {n: r.choice(("clear",) * 5 + ("hill", "town", "city")) for n in names}
    east_west, slope = [f"{q},0" for q in range(-4, 5)], [f"{q},{-q}" for q in range(-4, 5)]
    roads = [
        ("major_road", " ".join(east_west[: r.choice((5, 7, 9))])),
        ("minor_road", " ".join(slope)),
        ("minor_road", "0,-4 0,-3 0,-2 0,-1 0,0 -1,1 -2,2 -3,3"),
        ("railroad", "2,-4 1,-3 1,-2 0,-1 0,0"),
    ]
    features = {
        "-4,0": ["german_source", "entry"],
        "0,-4": ["soviet_source", "entry"],
        "4,-4": [r.choice(("soviet_source", "road_exit"))],
        "1,1": ["airfield"],
        "-2,2": ["pontoon_site"],
        "-1,-2": ["pontoon_site"],
    }
    areas = {
        "west_bank": " ".join(n for n in names if int(n.split(",")[0]) <= -2),
        "west_edge": " ".join(n for n in names if n.startswith("-4,")),
        "north_edge": " ".join(n for n in names if n.endswith(",-4")),
        "east_edge": " ".join(n for n in names if n.startswith("4,")),
    }
    return board(4, terrain=terrain, features=features, sides=sides, roads=roads, areas=areas)


PLACES = ("2539", "1806", "1445", "1505", "1025", "2621", "1001", "3115", "2222", "3144")
"""Middles of crowded parts of the printed map: both banks of the Don, the Volga, the edges, the flank line."""


def crowded_board(seed: int) -> Board:
    """A third of the hexes of a small board, or of a part of the printed map, hold units."""
    r = random.Random(seed)
    fields: dict[str, Any] = {}
    if seed % 2:
        fields["on"] = ground = _ground(r)
        names, don = disc(4), [s for s, w in ground["hexsides"].items() if w == ["minor_river"]]
        scenario = r.choice(("", "", "short-game", "kotluban"))
    else:
        fields["on"] = "printed"
        grid = PACK.map.grid
        middle = grid.hex(r.choice(PLACES))
        names = sorted(grid.name(h) for h in sorted(grid.hexes, key=lambda h: grid.distance(h, middle))[:61])
        don = _don_of_the_map()
        scenario = r.choice(("", "short-game", "kotluban", "crossing-the-don", "freestyle"))
    states = r.choices(("building", "ready", "ready", "destroyed"), k=2)
    options = {key: r.choice(o.values) for key, o in CHARTS.readings.switches.items() if r.random() < 0.3}
    options |= {
        key: r.choice(("on", "on", "off")) for key in CHARTS.readings.optional if key not in ("free_setup", "long")
    }
    options["artillery_table"] = r.choice(("bombardment", "either"))
    g = pos(
        *_units(r, names, "389Div" if scenario == "crossing-the-don" else ""),
        scenario=scenario,
        options=options,
        turn=r.choice(TURNS if scenario != "crossing-the-don" else ("Aug 25 AM", "Aug 26 PM", "Aug 27 PM")),
        weather=r.choice(("clear", "clear", "clear", "rain", "mud")),
        supply=r.choice(("traced", "assumed")),
        activated=r.choice((None, None, r.sample((*CHARTS.armies, *CHARTS.tank_corps), 4))),
        released=r.sample((*CHARTS.armies, *CHARTS.tank_corps), 2),
        positions={n: r.choice(("hasty", "prepared")) for n in r.sample(names, 6)},
        pontoons=[{"hexside": s, "state": w} for s, w in zip(r.sample(don, 2), states, strict=True)],
        air={"side": r.choice(("german", "german", "soviet")), "units": r.choice((1, 3, "all"))},
        victory_points={"german": r.randrange(9), "soviet": r.randrange(9)},
        **fields,
    )
    for i in range(len(g.bridges)):
        if r.random() < 0.3:
            g.bridges[i] = 1
    g.changed()
    g.stack = [Play(at=Play.index["turns"]), Turn(at=Turn.index[r.choice(PHASES)])]
    return g


def _don_of_the_map() -> list[str]:
    grid, don = PACK.map.grid, PACK.map.sides("minor_river")
    return [grid.hexside_name(h * 6 + d) for d in range(3) for h in grid.hexes if don[d] >> h & 1]


# --- questions -----------------------------------------------------------------------------------------------------


def questions(r: random.Random, g: Board) -> list[dict[str, Any]]:
    """Questions of every kind, sensible and not."""
    mapped = [u for s in (GERMAN, SOVIET) for u in g.units_on_map(s)]
    names = [g.hex_name(h) for h in sorted({n for u in mapped for n in (g.place[u], *g.map.grid.around[g.place[u]])})]
    held = sorted({g.hex_name(g.place[u]) for u in mapped})
    planes = [[g.id(p) for p in g.forces.air_units[side]] for side in (GERMAN, SOVIET)]
    asked: list[dict[str, Any]] = [{"question": "zoc"}, {"question": "victory"}, {"question": "supply"}]
    asked += [{"question": "activation"}, {"question": "legal"}]
    for u in r.sample(mapped, 6):
        asked.append({"question": "moves", "unit": g.id(u)})
        asked.append({"question": "supply", "unit": g.id(u)})
        asked.extend({"question": "moves", "unit": g.id(u), "to": to} for to in r.sample(names, 3))
        joining = [g.id(v) for v in r.sample(mapped, r.randint(0, 3))]
        asked.append({"question": "stacking", "hex": r.choice(held), "units": joining})
    asked.extend({"question": "recovery", "unit": g.id(u)} for u in mapped if g.disorder(u) and r.random() < 0.4)
    met = [n for n in held if _enemies_beside(g, g.map.place(n))]
    for name in (*r.sample(met, min(6, len(met))), r.choice(held)):
        h = g.map.place(name)
        side = g.forces.side[g.units(h)[0]]
        near = [g.id(u) for u in _enemies_beside(g, h)]
        fliers = r.choice((planes[1 - side], planes[1 - side], planes[side]))
        guns, friends = [[g.id(u) for u in g.forces.guns[s] if g.on_map(u)] for s in (1 - side, side)]
        units = r.sample(near, min(len(near), r.choice((0, 1, 1, 2, 2, 2, 3))))
        whole: dict[str, Any] = {"question": "attack", "hex": name, "units": units}
        if r.random() < 0.7:
            whole |= {"guns": r.sample(guns, min(len(guns), 1)), "planes": r.sample(fliers, r.randint(0, 2))}
            whole |= {"defence_guns": r.sample(friends, min(len(friends), r.randint(0, 1)))}
        asked.append(whole)
        asked.append({"question": "bombardment", "hex": name, "units": r.sample(guns, min(len(guns), r.randint(1, 3)))})
        asked.append({"question": "bombardment", "hex": name, "units": r.sample(fliers, r.randint(1, 2))})
        away = r.choice(({}, {"attackers": units}, {"rout": True}, {"attackers": r.sample(names, 2)}))
        asked.append({"question": "retreat", "hex": name, "hexes": r.choice((1, 2, 3))} | away)
        ahead = r.sample(near, min(2, len(near)))
        asked.append({"question": "advance", "hex": name, "units": ahead, "hexes": r.choice((1, 2, 3))})
    for side in r.sample(g.ground.bridges, min(3, len(g.ground.bridges))):
        by = r.sample(r.choice(planes), 1) if r.random() < 0.5 else [g.id(u) for u in r.sample(mapped, 1)]
        asked.append({"question": "bombardment", "bridge": g.map.grid.hexside_name(side), "units": by})
    return asked


def _enemies_beside(g: Board, h: int) -> list[int]:
    side = g.forces.side[g.units(h)[0]]
    return [u for n in g.map.grid.around[h] for u in g.units(n) if g.forces.side[u] != side]


# --- play ----------------------------------------------------------------------------------------------------------


def play(seed: int) -> list[str]:
    """A small crowded board."""
    g = crowded_board(seed)
    g.dice, g.events = Dice(seed), []
    r = random.Random(seed)
    run(g)
    return folded(answers(TITLE, g, questions(r, g))) + folded(steps(r, g, NOTATION, STEPS, LIKED, other_words))


BEGIN = ("begin", "soviet_movement", "german_movement")
"""Where the turns of scenarios are taken up."""
SCENARIO_TURNS = {
    "crossing-the-don": ("Aug 21 AM", "Aug 23 AM", "Aug 25 AM", "Aug 27 PM", "Aug 28 PM"),
    "kotluban": ("Sep 2 AM", "Sep 2 PM", "Sep 4 AM", "Sep 5 AM", "Sep 8 PM"),
    "short-game": ("Aug 26 AM", "Aug 27 PM", "Aug 30 PM"),
    "freestyle": ("Aug 21 PM", "Aug 24 PM", "Aug 26 AM", "Aug 28 PM"),
}
SCENARIOS = [(name, turn, begin) for name, turns in SCENARIO_TURNS.items() for turn in turns for begin in BEGIN]
SET_UPS = [(scenario, automatic) for scenario in SCENARIO_TURNS for automatic in (0.0, 2.0, 40.0)]
HURRIED = {"move": 0.2, "pass": 15.0, "halt": 4.0, "to": 0.5, "enter": 6.0, "place": 1.0}


def shaken(r: random.Random, g: Board) -> None:
    """Some time has passed: units are disordered, reduced, gone or elsewhere, bridges are down, positions dug."""
    for side in (GERMAN, SOVIET):
        enemies = g.units_on_map(1 - side)
        for u in r.sample(g.units_on_map(side), min(20, len(g.units_on_map(side)))):
            what = r.randrange(6)
            if what == 0 and r.random() < 0.4:
                eliminate(g, u, "13.2", "before the record")
            elif what == 1 and g.steps[u] > 1:
                g.steps[u] -= 1
            elif what == 2:
                g.set_disorder(u, r.choice((DRG, DPT, RTD)))
            else:
                target = r.choice(list(g.map.grid.around[g.place[r.choice(enemies)]]))
                if not g.enemies_in(target, side) and why_not_fit(g, side, target, [u]) is None:
                    g.move(u, target)
    for leaving in g.scenario.exits:
        edges = members(g.ground.edges["north"] | g.ground.edges["south"] | g.ground.edges["west"])
        for u in g.forces.of(leaving.formation):
            g.steps[u] = g.forces.full_steps[u]
            g.move(u, NOWHERE)
            h = r.choice(edges)
            if g.turn > leaving.turn and r.random() < 0.5:
                g.set_status(u, LEFT)
            elif not g.units(h):
                g.move(u, h)
    for h in {g.place[u] for u in r.sample(g.units_on_map(GERMAN), 5)}:
        g.position[h] = r.choice((HASTY, PREPARED))
    for i in range(len(g.bridges)):
        g.bridges[i] = int(r.random() < 0.2)
    for i in range(len(g.control)):
        g.control[i] = r.choice((GERMAN, SOVIET))
    g.changed()


def play_turn(scenario: str, turn: str, begin: str) -> list[str]:
    """A turn of a scenario, from the set-up as if that turn had come."""
    r = random.Random(f"{scenario} {turn} {begin}")
    g = _turn_board(r, scenario, turn, begin)
    run(g)
    few = [q for q in questions(r, g) if r.random() < 0.15]
    return folded(answers(TITLE, g, few)) + folded(steps(r, g, NOTATION, 40, LIKED | HURRIED, other_words))


def scenario_board(seed: int) -> Board:
    """A scenario at some phase of some turn, shaken."""
    r = random.Random(seed)
    scenario = r.choice(SET_UPS)[0]
    return _turn_board(r, scenario, r.choice(SCENARIO_TURNS[scenario]), r.choice(PHASES[1:]))


def _turn_board(r: random.Random, scenario: str, turn: str, begin: str) -> Board:
    g = _new(scenario, r, {"free_setup": "off"})
    g.set_track("turn", next(n for n in range(1, 39) if turn_name(n) == turn))
    if begin != "begin":
        shaken(r, g)
    g.stack = [Play(at=Play.index["turns"]), Turn(at=Turn.index[begin])]
    return g


def set_up(scenario: str, automatic: float) -> list[str]:
    """A free set-up; `automatic`: how much the players like to leave it to the file."""
    r = random.Random(f"{scenario} {automatic}")
    g = _new(scenario, r, {"free_setup": "on"})
    return folded(steps(r, g, NOTATION, 80, LIKED | HURRIED | {"automatic": automatic}, other_words))


def folded(digests: list[str]) -> list[str]:
    """One digest for every five."""
    return [short(digests[i : i + 5]) for i in range(0, len(digests), 5)]


def _new(scenario: str, r: random.Random, chosen: dict[str, str]) -> Board:
    options = TITLE.check_options(TITLE.scenario(PACK, scenario), chosen)
    g = TITLE.new(PACK, scenario, options, Dice(r.randrange(1000))).by_ids()
    assert isinstance(g, Board)
    g.events = []
    run(g)
    return g


def everything() -> dict[str, str]:
    found = {str(seed): play(seed) for seed in SEEDS}
    found |= {" ".join(which): play_turn(*which) for which in SCENARIOS}
    found |= {f"{scenario} {automatic}": set_up(scenario, automatic) for scenario, automatic in SET_UPS}
    return {key: " ".join(digests) for key, digests in found.items()}


if __name__ == "__main__":
    FILE.write_text(json.dumps(everything(), indent=0) + "\n")
