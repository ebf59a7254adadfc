"""Recorded play on crowded boards: what may be done, what is refused by which rule, what happens and why, the answers.

    python -m tests.games.kharkov43.playthroughs

writes `playthroughs.json` anew after a wanted change.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from kessel.core.dice import Dice
from kessel.core.procedure import Procedure, run
from kessel.games.kharkov43.board import ACTIVE, CALENDAR, CUP, GROUND_CONDITIONS, HAND, RESERVE, SUPPORT_LINES, Board
from kessel.games.kharkov43.data.charts import charts_of
from kessel.games.kharkov43.data.forces import ARMIES, CORPS, FORMATIONS, GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.notation import NOTATION
from kessel.games.kharkov43.sequence import CommandPhase, GameTurn
from kessel.games.kharkov43.title import TITLE
from kessel.games.kharkov43.turn.german_activation import GermanActivation
from kessel.games.kharkov43.turn.piles import german_pile
from tests.playthroughs import answers, steps

from .helpers import PACK, board, hexes, position

FILE = Path(__file__).with_name("playthroughs.json")
SEEDS = range(96)
STEPS = 45
ROWS, COLUMNS = (15, 22), range(6, 16)
TURNS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14)
TERRAINS = ("clear",) * 8 + ("broken", "marsh", "woods", "woods", "town", "town", "city")
RIVERS = ("minor_river", "minor_river", "donets", "dniepr", "blocked_dniepr")
CORNERS = (("0507", "0915"), ("0809", "1217"), ("1407", "1916"), ("1913", "2520"), ("2203", "2810"), ("2714", "3318"))
"""Pieces of the printed map on which units are crowded."""
GERMAN_FACES = (
    ("3-4 2-4", "infantry"),
    ("2-4", "infantry"),
    ("4-4-1 3-4-11 1-4-21", "infantry"),
    ("5-6 3-6", "armor mechanized"),
    ("8-6-2 5-6-12 3-6-22", "armor"),
    ("4-6 2-6", "mechanized"),
    ("2-6", "armor"),
    ("3-5 1-5", "cavalry"),
)
SOVIET_FACES = (
    ("3-4-05 1-4-15", "infantry"),
    ("4-4-06 2-4-16", "infantry"),
    ("2-4-08", "infantry"),
    ("5-6-01 3-6-11", "armor mechanized"),
    ("7-6-02 4-6-12 2-6-22", "armor"),
    ("4-6-03 2-6-18", "mechanized"),
    ("3-6-04 2-5-19", "armored_cavalry cavalry"),
    ("9-4-09 4-4-20", "infantry"),
)
STATUSES: tuple[list[str], ...] = ([],) * 12 + (["dispersed"], ["out_of_supply"], ["isolated"], ["struck"])
LIKED = {"attack": 12, "target": 6, "with": 3, "tactic": 3, "join": 4, "draw": 3, "deploy": 3, "kg": 3, "dig": 3}
SHUNNED = {"move": 0.15, "strategic": 0.05, "without": 0.1, "pass": 0.8, "retreat": 1.0}


def some_units(r: random.Random, names: list[str], turn: int) -> list[dict[str, Any]]:
    """Units of both sides in neighbouring hexes, and some in the boxes."""
    units: list[dict[str, Any]] = []
    places = r.sample(names, min(len(names), r.randint(20, 28)))
    sizes = r.choice(((1, 1, 2, 2, 3), (1, 1, 2, 2, 3), (2, 3, 3)))
    boxes = ["reserve"] * 6 + ["eliminated"] * 4 + ["calendar", "calendar", "destroyed", "destroyed"]
    for i, at in enumerate((*places, *boxes)):
        side = i % 2
        for k in range(1 if at in boxes else r.choice(sizes)):
            faces, kinds = r.choice((GERMAN_FACES, SOVIET_FACES)[side])
            formation = r.choice([f.id for f in FORMATIONS.values() if f.side == side])
            full = len(faces.split())
            unit = {"id": f"{'GS'[side]}{i}{'abc'[k]}", "at": at, "faces": faces, "type": kinds, "formation": formation}
            unit["steps"] = r.randint(1, full) if r.random() < 0.4 else full
            unit["status"] = r.choice(STATUSES) if at in names else []
            if at in ("reserve", "calendar"):
                unit["entry"] = r.choice((1, turn, turn + 1))
            units.append(unit)
    return units


def small_board(r: random.Random) -> tuple[dict[str, Any], list[str]]:
    names = hexes(*ROWS, COLUMNS)
    terrain = {n: r.choice(TERRAINS) for n in names}
    features = {n: "village" for n in r.sample(names, 12) if terrain[n] not in ("town", "city")}
    for n in names:
        words = [w for w in ("target_voronezh", "target_southwest") if r.random() < 0.3]
        features[n] = " ".join([features.get(n, ""), *words]).strip()
    for n in r.sample(names, 4):
        features[n] += " logistics_" + r.choice(("voronezh", "southwest"))
    for n in (names[0], names[len(COLUMNS) - 1]):
        if terrain[n] not in ("town", "city"):
            features[n] += " map_edge_vp vp"
    value = {n: r.choice((1, 1, 2, 3)) for n in names if terrain[n] in ("town", "city") or "vp" in features[n].split()}
    column = [f"{row:02d}{c:02d}" for c in COLUMNS[::3] for row in range(ROWS[0], ROWS[1] + 1)]
    rivers: dict[str, str] = {}
    kind = r.choice(RIVERS)
    for a in column:
        b = f"{a[:2]}{int(a[2:]) + 1:02d}"
        if b in names and r.random() < 0.6:
            rivers[f"{a}|{b}"] = kind if r.random() < 0.7 else r.choice(RIVERS)
    roads = [" ".join(f"{row:02d}{c:02d}" for c in COLUMNS) for row in r.sample(range(ROWS[0], ROWS[1] + 1), 3)]
    east, west = ([f"{row:02d}{c:02d}" for row in range(ROWS[0], ROWS[1] + 1)] for c in (COLUMNS[0], COLUMNS[-1]))
    ends = [n for road in roads for n in (road.split()[0], road.split()[-1])]

    def within(columns: int) -> str:
        return " ".join(n for n in names if int(n[2:]) < COLUMNS[0] + columns)

    ways = []
    for n in r.sample(names, 24):
        to = r.choice([f"{n[:2]}{int(n[2:]) + 1:02d}", f"{n[:2]}{int(n[2:]) - 1:02d}"])
        if to in names:
            ways.append(
                {"kind": r.choice(("primary", "secondary")), "from": n, "to": to, "only": r.choice("V S  ").strip()}
            )
    areas = {
        "east_support_zone": within(r.choice((2, 3, 5))),
        "west_support_zone": within(r.choice((5, 7, 10))),
        "far_limit_zone": within(r.choice((7, 9, 10))),
        "deploy_raus": " ".join(west[:3]),
        "deploy_4pz": " ".join(west[2:6]),
        "deploy_1pz": " ".join(west[5:]),
    }
    made = board(
        ROWS,
        COLUMNS,
        terrain=terrain,
        features=features,
        vp=value,
        rivers=rivers,
        roads=roads,
        german_edge=" ".join(west),
        soviet_edge=" ".join(east),
        exits=" ".join(dict.fromkeys(ends)),
        areas=areas,
        arrows=ways,
    )
    if terrain[names[44]] in ("town", "city"):
        made["hexes"][names[44]]["name"] = "Kharkov"
    return made, names


def printed_piece(r: random.Random) -> list[str]:
    a, b = r.choice(CORNERS)
    on_map = {PACK.map.grid.name(h) for h in PACK.map.grid.hexes}
    return [n for n in hexes(int(a[:2]), int(b[:2]), range(int(a[2:]), int(b[2:]) + 1)) if n in on_map]


def some_cards(r: random.Random, turn: int) -> dict[str, list[str]]:
    piles: dict[str, list[str]] = {p: [] for p in ("hand", "draw", "available", "discard", "entering")}
    charts = charts_of(PACK)
    german = [c for c in charts.cards if c.is_german]
    r.shuffle(german)
    for i, c in enumerate(german):
        pile = "hand" if i < 6 else r.choice(("draw", "discard")) if c.primary else r.choice(("draw", "available"))
        piles["entering" if c.enters > turn + 1 else pile].append(c.id)
    for i in charts.soviet_cards:
        c = charts.cards[i]
        piles[r.choice(("draw", "draw", "draw", "discard")) if c.enters <= turn else "entering"].append(c.id)
    return piles


def some_objectives(r: random.Random, names: list[str], printed: bool) -> dict[str, Any]:
    found = {}
    for name in ("Voronezh", "Southwest", "40", "1G"):
        chance = r.random()
        if printed and chance < 0.6 and name in ("Voronezh", "Southwest"):
            table = charts_of(PACK).table(r.choice(("second_objective", "third_objective")))
            listed = [n for n in table.rows if n in names] or list(table.rows)
            found[name] = {"hex": r.choice(listed), "facing": r.choice(("west", "south"))}
        elif chance < 0.85:
            found[name] = {"hex": r.choice(names), "facing": r.choice(("west", "south")), "stage": r.choice((1, 2, 3))}
    return found


def crowded_board(seed: int) -> Board:
    """Everything the map can have, on a small board or a piece of the printed one."""
    r = random.Random(seed)
    printed = seed % 3 == 2
    doc: dict[str, Any] = {"turn": r.choice(TURNS)}
    if printed:
        names = printed_piece(r)
        doc["board"] = ""
        ground = PACK.map
        kinds = {n: ground.terrain[ground.grid.hex(n)] for n in names}
        villages = [n for n in names if "village" in ground.features(ground.grid.hex(n))]
    else:
        doc["board"], names = small_board(r)
        cells = doc["board"]["hexes"]
        kinds = {n: cells[n]["terrain"] for n in names}
        villages = [n for n in names if "village" in cells[n].get("features", ())]
    units = some_units(r, names, doc["turn"])
    held = {u["at"]: "GS".index(u["id"][0]) for u in units}
    towns = [n for n in names if kinds[n] in ("town", "city")]
    free = [n for n in towns if n not in held and r.random() < 0.5]
    doc["units"], doc["soviet_towns"] = units, free
    doc["garrisons"] = [n for n in (*villages, *free) if n not in held and r.random() < 0.5]
    doc["improved_positions"] = [n for n in names if n in held and n not in towns and r.random() < 0.2]
    doc["forward_support"] = r.sample([n for n in names if held.get(n) == SOVIET], 1) if r.random() < 0.4 else []
    doc["ground"] = r.choice((*GROUND_CONDITIONS[:2], GROUND_CONDITIONS[0]))
    doc["support_line"] = r.choice((*SUPPORT_LINES, ""))
    doc["objectives"] = some_objectives(r, names, printed) if doc["turn"] < 8 else {}
    doc["cards"] = some_cards(r, doc["turn"])
    doc["activated"] = r.sample(list(CORPS), 1)
    doc["one_unit_used"] = r.random() < 0.3
    g = position(**doc)
    g.dice, g.events = Dice(seed), []
    for i in range(len(g.chits)):
        g.chits[i] = CUP if r.random() < 0.8 else 1
    g.changed()
    return g


def what_is_played(seed: int, g: Board) -> list[Procedure]:
    """A German activation, the impulses of a game-turn, or the whole of it, sometimes in mud; and so on."""
    if seed % 4 == 3:
        g.set_track("ground", seed // 4 % len(GROUND_CONDITIONS))
        return [GameTurn()]
    if seed % 4 == 1:
        r = random.Random(seed)
        for u in g.on_map_of(GERMAN):
            if r.random() < 0.6:
                g.set_status(u, ACTIVE)
        return [CommandPhase(), GermanActivation(r.choice(german_pile(g, HAND)))]
    return [GameTurn(), CommandPhase()]


def questions(r: random.Random, g: Board) -> list[dict[str, Any]]:
    """Questions of every kind, sensible and not."""
    mapped = [u for u in range(len(g.forces)) if g.on_map(u)]
    names = sorted({g.hex_name(n) for u in mapped for n in (g.place[u], *g.map.grid.around[g.place[u]])})
    held = sorted({g.hex_name(g.place[u]) for u in mapped})
    asked: list[dict[str, Any]] = [
        {"question": "zoc"},
        {"question": "zoc", "hex": r.choice(names)},
        {"question": "supply"},
    ]
    for u in r.sample(mapped, 3):
        asked.append({"question": "moves", "unit": g.id(u), "proximity": r.random() < 0.3})
        asked.append({"question": "supply", "unit": g.id(u)})
        for to in r.sample(names, 3):
            mode = r.choice(("regular", "regular", "strategic", "infiltration"))
            asked.append({"question": "moves", "unit": g.id(u), "to": to, "mode": mode})
    for name in r.sample(names, 2):
        asked.append({"question": "supply", "hex": name, "side": r.choice(SIDES)})
        asked.append({"question": "stacking", "hex": name, "units": [g.id(u) for u in r.sample(mapped, 2)]})
    tactics = list(g.charts.tactics)
    for name in r.sample(held, min(3, len(held))):
        h = g.map.place(name)
        side = g.forces.side[g.units(h)[0]]
        near = [g.id(u) for n in g.map.grid.around[h] for u in g.units(n) if g.forces.side[u] != side]
        some = {"units": r.sample(near, r.randint(1, len(near)))} if near and r.random() < 0.5 else {}
        card = r.choice(g.charts.cards).id
        mine, theirs = r.sample(tactics, r.randint(0, 3)), r.sample(tactics, r.randint(0, 2))
        whole = {"question": "attack", "hex": name, "card": card, "tactics": mine, **some}
        asked.append(whole | ({"counter": theirs} if side == GERMAN or theirs else {}))
        asked.append({"question": "retreat", "hex": name, "hexes": r.choice((1, 2)), "hits": r.choice((0, 1, 2, 3))})
    for name in r.sample(names, 3):
        around = [u for n in g.map.grid.around[g.map.place(name)] for u in g.units(n)]
        if around:
            side = g.forces.side[r.choice(around)]
            units = [g.id(u) for u in around if g.forces.side[u] == side]
            gone = [g.hex_name(n) for n in g.map.grid.around[g.map.place(name)] if g.units_of(n, 1 - side)]
            way = {"retreat": r.sample(gone, 1)} if gone and r.random() < 0.6 else {}
            asked.append({"question": "advance", "hex": name, "units": units, "tactics": r.sample(tactics, 1), **way})
    for army in r.sample(list(ARMIES), 3):
        effect = r.choice(("stop", "no_effect", "no_effect"))
        die = r.choice((0, 1, 7, 10))
        asked.append({"question": "system", "formation": army, "attacks": effect, "objective_die": die})
    for i in r.sample(list(g.charts.soviet_cards), 2):
        asked.append({"question": "system", "card": g.charts.cards[i].id, "attacks": "no_effect", "objective_die": 3})
    return asked


def play(seed: int) -> list[str]:
    """A crowded board: what is answered, then random play."""
    g = crowded_board(seed)
    r = random.Random(seed)
    found = answers(TITLE, g, questions(r, g))
    g.stack = what_is_played(seed, g)
    run(g)
    return found + steps(r, g, NOTATION, STEPS, LIKED | SHUNNED)


SCENARIOS = [
    *(("initial-assault", turn) for turn in (1, 2, 3)),
    *(("star-and-gallop", turn) for turn in (1, 2, 4, 6)),
    *(("campaign", turn) for turn in (1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 12, 14)),
]
HURRIED = {"deploy": 0.2, "move": 0.02, "strategic": 0.005, "corps": 3, "unit": 0.2}


def play_scenario(i: int) -> list[str]:
    """A scenario from its set-up on, as if that game-turn had come."""
    scenario, turn = SCENARIOS[i]
    g = TITLE.new(PACK, scenario, TITLE.check_options(TITLE.scenario(PACK, scenario), {}), Dice(i)).by_ids()
    assert isinstance(g, Board)
    g.events = []
    run(g)
    if turn > 1:
        g.set_track("turn", turn)
        g.set_track("ground", i % 2 if turn >= 7 else 0)
        for u, box in enumerate(g.box):
            if box == CALENDAR and g.forces.entry_turn[u] < turn:
                g.box[u] = RESERVE
        g.changed()
        g.stack = [GameTurn()]
        run(g)
    return steps(random.Random(f"{scenario} {turn} {i}"), g, NOTATION, STEPS, LIKED | SHUNNED | HURRIED)


def everything() -> dict[str, str]:
    small = {str(seed): " ".join(play(seed)) for seed in SEEDS}
    return small | {f"{i} {s} {turn}": " ".join(play_scenario(i)) for i, (s, turn) in enumerate(SCENARIOS)}


if __name__ == "__main__":
    FILE.write_text(json.dumps(everything(), indent=0) + "\n")
