"""Random positions as JSON for the second implementation, and the questions asked of them."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from kessel.core.analysis import analyze

from . import second
from .helpers import disc

GERMANS = ["245.88ID", "246.88ID", "248.88ID", "Fus.88ID", "Pio.88ID", "Art188.88ID", "I-108.42K", "Pio.42K",
           "I-2.16Pz", "II-2.16Pz", "64.16Pz", "79.16Pz", "Recon.16Pz", "PzJg.16Pz", "Flak.16Pz", "Pio.16Pz",
           "Art16.16Pz", "Alarm1", "Alarm13", "Alarm17", "503.Bake", "248a.88ID"]  # fmt: skip
SOVIETS = ["180.27A", "206.27A", "337.27A", "Aslt.27A", "Eng.27A", "AT1.27A", "SU.27A", "gun.27A", "1528how.27A",
           "54FAa.27A", "54FAb.27A", "20G.5GTkC", "21G.5GTkC", "6G.5GTkC", "1462.5GTkC", "Recon.5GTkC", "11Gcav.5GCC",
           "63cav.5GCC", "2mech.5MC", "233.5MC", "64mc.5MC", "1896.5GCC", "P1", "P2", "337a.27A"]  # fmt: skip
BONDS = {m: row["stays_with"] for m, row in second.printed().items() if row["stays_with"]}
PARTS = ["245a.88ID", "245b.88ID"]
SDMS = ("SDM1.42K", "SDM2.42K", "SDM1.3PzK", "SDM.16Pz", "SDM1.27A", "SDM2.27A", "SDM.5GTkC", "SDM.6TkA", "SDM.5GCC",
        "SDM1.11K")  # fmt: skip


def known(names: Sequence[str]) -> list[str]:
    return [n for n in names if n in second.printed()]


def random_doc(
    rng: random.Random,
    radius: int = 3,
    crowd: int = 20,
    pools: tuple[Sequence[str], Sequence[str]] = (GERMANS, SOVIETS),
) -> dict[str, Any]:
    """A board of any country with units anywhere; `pools` are the Germans and the Soviets to choose from."""
    hexes = {h: hex_words(rng, wild) for wild in [rng.choice([0.15, 0.4])] for h in disc(radius)}
    board: dict[str, Any] = {"grid": {"numbering": "axial"}, "hexes": hexes, "hexsides": {}, "links": []}
    draw_sides(rng, board)
    doc: dict[str, Any] = {"game": "korsun44", "board": board, "ground": rng.choice(["Frozen", "Mud"]),
                           "visibility": rng.choice(["Clear", "Storm"])}  # fmt: skip
    doc["bridges"], doc["fords"] = random_bridges(rng, board)
    doc["options"] = {o: rng.choice(["on", "off"]) for o in ("fords", "german_strengths", "intercept_88")}
    doc["options"]["partisans"] = "on"
    doc["options"]["continuous_front"] = doc["options"]["front_boundary"] = "off"
    doc["units"] = random_units(rng, hexes, crowd, pools)
    random_works(rng, doc)
    return doc


def hex_words(rng: random.Random, wild: float) -> dict[str, Any]:
    here: dict[str, Any] = {}
    if rng.random() < wild:
        here["terrain"] = rng.choice(["woods", "woods", "forest", "town", "town"])
    words = [
        w
        for w, p in (("village", 0.12), ("hilltop", 0.15))
        if rng.random() < p and (w != "village" or "terrain" not in here)
    ]
    return here | ({"features": words} if words else {})


def draw_sides(rng: random.Random, board: dict[str, Any]) -> None:
    """Waters and roads."""
    wet, roads = rng.choice([0.1, 0.3]), rng.choice([0.1, 0.3])
    for h in board["hexes"]:
        q, r = map(int, h.split(","))
        for a, b in ((1, 0), (0, 1), (-1, 1)):
            x = f"{q + a},{r + b}"
            if x not in board["hexes"]:
                continue
            if rng.random() < wet:
                word = rng.choice(["river", "river", "stream", "stream", "swamp", "lake"])
                named = word == "river" and rng.random() < 0.4
                board["hexsides"][f"{h}|{x}"] = {"features": [word], "name": "Gniloy Tikich"} if named else [word]
            if rng.random() < roads:
                kind = rng.choice(["primary", "secondary", "trail", "railroad"])
                board["links"].append({"kind": kind, "path": f"{h} {x}"})


def random_bridges(rng: random.Random, board: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Bridges and fords."""
    linked = {frozenset(x["path"].split()) for x in board["links"]}
    bridges: dict[str, Any] = {}
    fords = {}
    for key, said in board["hexsides"].items():
        named = not isinstance(said, list)
        word = (said["features"] if named else said)[0]
        if word in ("river", "stream") and frozenset(key.split("|")) in linked:
            if rng.random() < 0.4:
                bridges[key] = {"state": rng.choice(["destroyed", "repairing", "intact"])}
        elif word in ("river", "stream") and rng.random() < 0.2 and len(bridges) < 14:
            bridges[key] = {"kind": rng.choice(["new", "K", "J"]), "state": rng.choice(["intact", "building"])}
        if named and rng.random() < 0.5:
            fords[key] = rng.choice(["german", "soviet"])
    return bridges, fords


def random_works(rng: random.Random, doc: dict[str, Any]) -> None:
    """Positions, minefields, and who holds the empty hexes."""
    hexes = doc["board"]["hexes"]
    theirs = {u["at"] for u in doc["units"] if second.printed()[u["id"]]["side"] == "german"}
    mine = {u["at"] for u in doc["units"]} - theirs
    plain = [h for h in hexes if "terrain" not in hexes[h]]
    doc["improved_positions"] = [
        h for h in plain if h not in mine and "features" not in hexes[h] and rng.random() < 0.15
    ]
    doc["minefields"] = {}
    for h in plain:
        if h not in theirs and rng.random() < 0.1:
            q, r = map(int, h.split(","))
            ring = [x for x in (f"{q + a},{r + b}" for a, b in second.DIRECTIONS) if x in hexes]
            doc["minefields"][h] = {"facing": rng.choice(ring)} if rng.random() < 0.8 else {}
    doc["control"] = {
        h: rng.choice(["german", "soviet"]) for h in hexes if h not in mine | theirs and rng.random() < 0.5
    }


def on_printed_map(rng: random.Random, crowd: int = 24, radius: int = 4) -> dict[str, Any]:
    """Units somewhere on the printed map."""
    hexes = second.printed_map()["hexes"]
    land = sorted(h for h, said in hexes.items() if said["terrain"] != "dnepr")
    centre = rng.choice(land)
    near = {h: hexes[h] for h in land if second.distance(h, centre) <= radius}
    doc: dict[str, Any] = {"game": "korsun44", "ground": rng.choice(["Frozen", "Mud"]),
                           "visibility": rng.choice(["Clear", "Storm"])}  # fmt: skip
    doc["options"] = {o: rng.choice(["on", "off"]) for o in ("german_strengths", "intercept_88")}
    doc["options"] |= {"partisans": "on", "continuous_front": "off", "front_boundary": "off"}
    doc["units"] = random_units(rng, near, crowd, (GERMANS, SOVIETS))
    return doc


def written_out(rng: random.Random) -> dict[str, Any]:
    """A position some of whose units are no counters of the game: what is usual for the type is left out."""
    doc = random_doc(rng)
    tied = {*BONDS, *BONDS.values(), *(second.printed()[u["id"]]["parent"] for u in doc["units"])}
    for n, said in enumerate(doc["units"]):
        row = second.printed()[said["id"]]
        if row["role"] not in ("unit", "alarm", "partisans") or said["id"] in tied or rng.random() < 0.4:
            continue
        m = second.card(row)
        faces = [max(1, x + rng.choice([0, 0, 1, 2])) for x in m.powers]
        told: dict[str, Any] = {"side": m.side, "type": m.type, "faces": " ".join(map(str, reversed(faces)))}
        told |= {k: v for k, v in (("corps", m.corps), ("division", m.division), ("army", m.army)) if v}
        if m.corps and rng.random() < 0.5:
            told.pop("army", None)
        told |= {k: getattr(m, k) for k in ("size", "move", "ma", "white", "black", "attack") if rng.random() < 0.5}
        told |= {"star": True} if m.star else {}
        told |= {k: getattr(m, k) for k in ("obs", "dbs", "back_dbs", "range") if getattr(m, k)}
        if m.engineer and (rng.random() < 0.5 or m.type == "bridge_engineer"):
            told["engineer"] = sorted(m.engineer)
        said |= {"id": f"U{n}", **told}
    return doc


def random_marks(rng: random.Random, row: dict[str, str]) -> list[str]:
    """Markers a unit may bear."""
    status = [s for s, p in (("disorganized", 0.1), ("regroup", 0.1)) if rng.random() < p][:1]
    if row["role"] in ("unit", "part"):
        status += [s for s, p in (("OOS1", 0.1), ("OOS2", 0.1)) if rng.random() < p][:1]
    gun = row["type"] in second.GUNS
    if gun and rng.random() < 0.3:
        status.append("back")
    if row["type"] in second.WALKERS and rng.random() < 0.1:
        status.append("on_foot")
    rides = row["side"] == "german" and row["move"] == "foot" and row["role"] == "unit" and not gun
    if rides and rng.random() < 0.05:
        status.append("truck")
    return ["alarm"] if row["role"] == "alarm" and rng.random() < 0.4 else status


def random_units(
    rng: random.Random, hexes: dict[str, Any], crowd: int, pools: tuple[Sequence[str], Sequence[str]]
) -> list[dict[str, Any]]:
    names = [n for pool in pools for n in rng.sample(known(pool), min(crowd // 2, len(known(pool))))]
    spots = rng.sample(sorted(hexes), min(len(hexes), 2 * crowd // 3))
    owner: dict[str, str] = {}
    units: list[dict[str, Any]] = []

    def stand(name: str, at: str = "") -> str:
        row = second.printed()[name]
        at = at or rng.choice([h for h in spots if owner.get(h, row["side"]) == row["side"]])
        owner[at] = row["side"]
        steps = rng.randint(1, int(row["steps"]))
        units.append({"id": name, "at": at, "steps": steps, "status": random_marks(rng, row)})
        return at

    for name in names:
        if name in BONDS or any(u["id"] == name for u in units):
            continue
        at = stand(name)
        base = units[-1]
        for other in [m for m, n in BONDS.items() if n == name]:
            if rng.random() < 0.8:
                stand(other, at)
        x = f"{name.split('.')[0]}x.{name.split('.')[-1]}"
        if x in second.printed() and rng.random() < 0.3 and base["steps"] > 1:
            near = [h for h in second.ring(at) if h in hexes and owner.get(h, "soviet") == "soviet"]
            if near:
                there = rng.choice(near)
                owner[there] = "soviet"
                units.append({"id": x, "at": there, "status": [s for s in base["status"] if s in second.OUT]})
    return units


def draw_roads(rng: random.Random, doc: dict[str, Any]) -> None:
    """A net of longer roads and railroads."""
    hexes = doc["board"]["hexes"]
    for kind, n in (("secondary", 5), ("railroad", 3), ("trail", 2)):
        for _ in range(n):
            at, ahead = rng.choice(sorted(hexes)), rng.randrange(6)
            path = [at]
            for _ in range(12):
                q, r = map(int, at.split(","))
                a, b = second.DIRECTIONS[(ahead + rng.choice([0, 0, 0, 1, 5])) % 6]
                at = f"{q + a},{r + b}"
                if at not in hexes or at in path:
                    break
                path.append(at)
            doc["board"]["links"] += [{"kind": kind, "path": f"{a} {b}"} for a, b in itertools.pairwise(path)]


def with_network(
    rng: random.Random, crowd: int = 0, pools: tuple[Sequence[str], Sequence[str]] = (GERMANS, SOVIETS)
) -> dict[str, Any]:
    """A bigger board with a net of roads and railroads, sources and SDMs, and few units."""
    doc = random_doc(rng, 5, crowd or rng.choice([6, 12]), pools)
    draw_roads(rng, doc)
    hexes = doc["board"]["hexes"]
    ends = [h for x in doc["board"]["links"] for h in x["path"].split()]
    for who, word in (("1PzA", "german"), ("8A", "german"), ("27A", "soviet"), ("6TkA", "soviet"), ("5GTkA", "soviet")):
        for _ in range(2):
            here = hexes[rng.choice(ends)]
            if "facts" not in here:
                here["facts"] = {"source": who}
                here["features"] = [*here.get("features", []), f"{word}_source"]
    for _ in range(6):
        here = hexes[rng.choice(ends)]
        if "rail_terminal" not in here.get("features", []):
            here["features"] = [*here.get("features", []), "rail_terminal"]
    doc["rail_cuts"] = [rng.choice(ends)] if rng.random() < 0.3 else []
    doc["units"] += [{"id": s, "at": rng.choice(ends)} for s in SDMS]
    return doc


def ask(doc: dict[str, Any], *questions: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = analyze(json.dumps({**doc, "ask": list(questions)}))["answers"]
    return found


def number(x: float) -> Fraction:
    return Fraction(round(x * 6), 6)
