"""Strengths and shifts once more, slowly and from the text alone, compared on random boards."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from math import ceil

import pytest

from kessel.games.korsun44.board import DISORGANIZED, IP, OOS1, OOS2, REGROUP, Board
from kessel.games.korsun44.combat.odds import armor_fire, first_column, is_armor_only
from kessel.games.korsun44.combat.shifts import standing_shifts
from kessel.games.korsun44.combat.strengths import attack_strength, defence_strength
from kessel.games.korsun44.combat.support import formation_of
from kessel.games.korsun44.data.forces import Counter

from .fights import (
    ART,
    ASSAULT,
    AT,
    D1,
    D2,
    FLAK,
    FUS,
    KGUN,
    MARDER,
    MECH,
    MOT,
    PIO,
    PZ4,
    PZ5,
    R1,
    R2,
    RECON,
    SU,
    T1,
    T2,
    UNARMED,
    battle,
)  # fmt: skip
from .helpers import board, h, position, u, unit

STEPS = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
RING = ["1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1"]
GERMANS = [R1, R2, FUS, PIO, ART, KGUN, UNARMED, PZ4, PZ5, MECH, MOT, RECON, MARDER, FLAK]
SOVIETS = [D1, D2, ASSAULT, AT, SU, T1, T2, "22G.5GTkC", "54FAa.27A", "6G.5GTkC", "gun.27A", "Eng.27A", "1462.5GTkC"]
DISORDER = {"disorganized", "regroup"}


@dataclass
class Man:
    """A unit as a player sees it."""

    card: Counter
    at: str
    steps: int
    marks: set[str]

    @property
    def power(self) -> int:
        return self.card.strengths[self.steps]

    @property
    def kind(self) -> str:
        if self.card.type in ("PzIV", "PzV", "Marder", "T-34", "SU-76", "SU-85"):
            return "armor"
        if self.card.type in ("at_gun", "flak_88"):
            return "anti-armor"
        return "artillery" if "artillery" in self.card.type else "infantry"

    @property
    def cadre(self) -> bool:
        return bool(self.card.chit) and self.steps == 1

    @property
    def star(self) -> bool:
        return self.card.star and not self.cadre

    @property
    def infantry(self) -> int:
        """Attack-capable infantry steps."""
        if self.card.star:
            return int(self.star)
        return self.steps if self.kind == "infantry" and self.card.attack else 0

    @property
    def white(self) -> int:
        return self.card.white - ("OOS2" in self.marks and self.card.white > 0)

    @property
    def dots(self) -> int:
        lost = "OOS2" in self.marks and self.kind in ("armor", "anti-armor")
        return self.card.white + self.card.black - lost


@dataclass
class World:
    terrain: dict[str, str]
    villages: set[str]
    hills: set[str]
    sides: dict[str, str]
    roads: set[str]
    positions: set[str]
    men: list[Man] = field(default_factory=list)

    def between(self, a: str, b: str) -> str:
        return self.sides.get(f"{a}|{b}") or self.sides.get(f"{b}|{a}", "")

    def road(self, a: str, b: str) -> bool:
        return f"{a} {b}" in self.roads or f"{b} {a}" in self.roads


def around(x: str) -> list[str]:
    q, r = map(int, x.split(","))
    return [f"{q + a},{r + b}" for a, b in STEPS.values()]


def half(n: int) -> int:
    return ceil(n / 2)


def naive_attack(w: World, who: list[Man], foes: list[Man], paid: set[str], formation: dict[str, str]) -> int:
    total = 0
    for m in who:
        reasons = 0
        if formation[m.card.id] not in paid or m.marks & {"OOS1", "OOS2"}:
            reasons += 1
        if m.kind == "armor" and w.terrain["0,0"] in ("woods", "forest", "town"):
            reasons += 1
        side = w.between(m.at, "0,0")
        if side in ("river", "stream") or (side == "swamp" and m.kind == "armor"):
            reasons += 1
        if naive_zoc(w, m.at, foes[0].card.side):
            reasons += 1
        power = m.power
        for _ in range(min(reasons, 2)):
            power = half(power)
        total += half(power) if m.marks & DISORDER else power
    return total


def naive_zoc(w: World, at: str, enemy: int) -> bool:
    """In the ZOC of enemies that are not attacked: three infantry steps in a neighbouring hex."""
    if w.terrain[at] in ("town", "forest"):
        return False
    swims = w.between(at, "0,0") == "river"
    for x in around(at):
        if x == "0,0" or (w.between(at, x) == "river" and not swims):
            continue
        steps = sum(m.infantry for m in w.men if m.at == x and m.card.side == enemy and not m.marks & DISORDER)
        if steps >= 3:
            return True
    return False


def naive_defence(w: World, foes: list[Man]) -> int:
    total = sum(half(m.power) if m.marks & DISORDER else m.power for m in foes)
    steps = sum(m.infantry for m in foes)
    word = w.terrain["0,0"]
    points = max(steps, 2) if word in ("town", "forest") and steps else 0
    some = any(m.kind == "infantry" or m.star for m in foes)
    dug_in = "0,0" in w.positions and foes[0].card.side == 0
    if some and (word == "woods" or "0,0" in w.villages or dug_in):
        points = max(points, 2)
    return total + points


def both_arms(stack: list[Man]) -> bool:
    fit = [m for m in stack if not m.marks & DISORDER and not m.cadre]
    if any(m.card.side == 1 for m in fit):
        return any(m.star for m in fit)
    return any(m.kind == "armor" for m in fit) and any(m.kind == "infantry" and m.card.attack for m in fit)


def barred(w: World, at: str) -> bool:
    return w.between(at, "0,0") in ("river", "swamp") and not w.road(at, "0,0")


def naive_shifts(w: World, who: list[Man], foes: list[Man]) -> int:
    word, total = w.terrain["0,0"], 0
    for m in who:
        good = m.card.size == "division" and m.steps >= 2 and not m.marks & {"OOS1", "OOS2"}
        if m.card.side == 1 and good and not naive_zoc(w, m.at, 0):
            total += 1
    stacks = {m.at for m in who}
    arms = sum(both_arms([m for m in who if m.at == x]) and not barred(w, x) for x in stacks)
    total += min(arms, {"town": 1, "forest": 0}.get(word, 2))
    total -= both_arms(foes) and word != "forest"
    if word not in ("town", "forest"):
        best = max([m.white for m in who if m.kind == "armor" and not barred(w, m.at)], default=0)
        held = max([m.white for m in foes if m.kind == "armor"], default=0)
        total += -1 if held > best else {0: 0, 1: 1, 5: 3}.get(best - held, 2)
    up, down = bool(stacks & w.hills), "0,0" in w.hills
    total += (up and not down) - (down and not up)
    for side, sign in ((foes, 1), (who, -1)):
        out = [m for m in side if "OOS2" in m.marks]
        total += sign * (0 if not out else 2 if len(out) == len(side) else 1)
    return total


def naive_fire(w: World, who: list[Man], foes: list[Man]) -> tuple[int, int]:
    """Dots on both sides of armor combat; nothing where it does not take place."""

    def goes(m: Man) -> bool:
        side = w.between(m.at, "0,0")
        if w.road(m.at, "0,0"):
            return True
        return side not in ("river", "swamp") and "forest" not in (w.terrain[m.at], w.terrain["0,0"])

    tanks = [m.white for m in who if m.kind == "armor" and m.white > 0 and goes(m)]
    dots = [m.dots for m in foes if m.dots > 0]
    return (max(tanks), max(dots)) if tanks and dots else (0, 0)


def random_world(rng: random.Random) -> World:
    hexes = ["0,0", *RING]
    terrain = {x: rng.choice(["clear", "clear", "woods", "town", "forest"]) for x in board(2)["hexes"]}
    w = World(
        terrain,
        {x for x in hexes if rng.random() < 0.2 and terrain[x] == "clear"},
        {x for x in hexes if rng.random() < 0.2},
        {}, set(), {"0,0"} if rng.random() < 0.2 and terrain["0,0"] == "clear" else set(),
    )  # fmt: skip
    for x in terrain:
        for y in around(x):
            if y in terrain and f"{y}|{x}" not in w.sides and rng.random() < 0.25:
                w.sides[f"{x}|{y}"] = rng.choice(["river", "stream", "swamp"])
            if y in terrain and f"{y} {x}" not in w.roads and rng.random() < 0.15:
                w.roads.add(f"{x} {y}")
    return w


def populate(w: World, rng: random.Random) -> tuple[Board, list[Man], list[Man]]:
    sides = [GERMANS[:], SOVIETS[:]]
    attacker = rng.randrange(2)
    for pool in sides:
        rng.shuffle(pool)
    spots = {"0,0": 1 - attacker}
    for x in RING:
        spots[x] = attacker if rng.random() < 0.5 else 1 - attacker
    cards = position()
    for at, side in spots.items():
        for _ in range(rng.randint(1, 3)):
            if not sides[side]:
                continue
            card = cards.forces.counters[u(cards, sides[side].pop())]
            marks = {rng.choice(["disorganized", "regroup"])} if rng.random() < 0.2 else set()
            marks |= {rng.choice(["OOS1", "OOS2"])} if rng.random() < 0.2 else set()
            w.men.append(Man(card, at, rng.randint(1, card.steps), marks))
    on = board(
        2, terrain=w.terrain, sides=w.sides, roads=[("secondary", x) for x in sorted(w.roads)],
        features={x: ["village"] * (x in w.villages) + ["hilltop"] * (x in w.hills) for x in w.terrain},
    )  # fmt: skip
    g = position(*(unit(m.card.id, m.at, steps=m.steps, status=sorted(m.marks)) for m in w.men), on=on)
    for x in w.positions:
        g.set_works(h(g, x), IP)
    able = [m for m in w.men if m.at != "0,0" and m.card.side == attacker and m.card.attack]
    stacks = sorted({m.at for m in able})
    chosen = set(rng.sample(stacks, rng.randint(1, len(stacks)))) if stacks else set()
    return g, [m for m in able if m.at in chosen], [m for m in w.men if m.at == "0,0"]


@pytest.mark.rule("korsun44", "12.1.3.B1", "12.5b", "12.5.1", "12.6a", "12.7c", "12.8.p1", "12.9.2a", "12.12.1a")
@pytest.mark.parametrize("seed", range(150))
def test_strengths_and_shifts_are_those_of_the_text(seed: int) -> None:
    rng = random.Random(seed)
    w = random_world(rng)
    g, who, foes = populate(w, rng)
    if not who or not foes:
        pytest.skip("nobody fights")
    formation = {m.card.id: formation_of(g, u(g, m.card.id)) for m in who}
    paid = {f for f in formation.values() if rng.random() < 0.7}
    b = battle(g, *(m.card.id for m in who), paid=tuple(sorted(paid)))
    attack, defence = naive_attack(w, who, foes, paid, formation), naive_defence(w, foes)
    assert attack_strength(g, b).total == attack
    assert defence_strength(g, b).total == defence
    assert standing_shifts(g, b).total == naive_shifts(w, who, foes)
    fire = armor_fire(g, b)
    assert (fire.attack, fire.defence) == naive_fire(w, who, foes)
    wheels = ("armor", "anti-armor")
    germans = who if who[0].card.side == 0 else foes
    stars = all(m.kind in wheels for m in germans)
    assert is_armor_only(g, b) == all(m.kind in wheels and (stars or not m.star) for m in (*who, *foes))
    columns = [1 / 3, 1 / 2, 1, 3 / 2, 2, 3, 4, 5, 6, 8, 10]
    if columns[0] <= attack / defence < 11:
        assert first_column(g, attack, defence) == sum(attack / defence >= c for c in columns) - 1


@pytest.mark.rule("korsun44", "12.5c", "13.5.1d")
def test_the_marks_of_the_naive_world_are_those_of_the_board() -> None:
    g = position(unit(R1, "0,0", status=["disorganized", "OOS2"]), unit(R2, "0,0", status=["regroup", "OOS1"]))
    assert g.status[u(g, R1)] == DISORGANIZED | OOS2
    assert g.status[u(g, R2)] == REGROUP | OOS1
