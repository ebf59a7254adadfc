"""The second implementation: combat, retreat and advance (12.0), from the text and the JSON of a position alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from .second import (
    ANTI,
    BAD,
    ENGINEERS,
    OUT,
    PANZER,
    SOVIET_CORPS,
    WALKERS,
    F,
    Man,
    World,
    front,
    half,
    table,
    terrain_cost,
    zones,
)

# --- 12 combat -----------------------------------------------------------------------------------------------------


def formation(m: Man) -> str:
    """12.4"""
    if m.side == "german":
        return m.division if m.division in PANZER else m.corps or m.army
    return m.corps if m.corps in SOVIET_CORPS else m.army or m.front


@dataclass
class Fight:
    w: World
    side: str
    targets: list[str]
    who: list[Man]
    foes: list[Man]
    segment: str = "combat"
    unsupported: set[str] = field(default_factory=set)
    guns: list[Man] = field(default_factory=list)
    gun: Man | None = None
    engineer: Man | None = None
    cleared: bool = False

    @property
    def partisans(self) -> bool:
        return any(m.role == "partisans" for m in (*self.who, *self.foes))

    def supported(self, m: Man) -> bool:
        if self.segment == "alarm":
            return True
        if m.role == "partisans" or formation(m) in self.unsupported:
            return False
        return self.segment == "breakthrough" or not m.marks & OUT

    def words(self, h: str) -> set[str]:
        """What lies in a defending hex."""
        if any(m.role == "partisans" for m in self.foes if m.at == h):
            return {"clear"}
        found = {self.w.terrain(h)}
        if self.w.has(h, "village"):
            found.add("village")
        if h in self.w.positions and self.side == "soviet":
            found.add("ip")
        return found

    def water(self, a: str, h: str) -> set[str]:
        """The water between an attacking and a defending hex; a ford does away with its river."""
        if a == h or any(m.role == "partisans" for m in self.foes if m.at == h):
            return set()
        found = self.w.water(a, h)
        return found - {"river"} if self.w.ford(a, h, self.side) else found

    def bridged(self, a: str, h: str) -> bool:
        return bool(self.w.road(a, h)) or bool(self.w.built(a, h))

    def barred(self, a: str) -> bool:
        """12.7.5, 12.8.1 A river or swamp without a bridge on the way into any hex attacked."""
        return any(self.water(a, h) & {"river", "swamp"} and not self.bridged(a, h) for h in self.targets)


def in_zoc(f: Fight, a: str) -> bool:
    """12.6, 10.6.2.2 In the ZOC of units that are not being attacked."""
    w, enemy = f.w, "soviet" if f.side == "german" else "german"
    if w.terrain(a) in ("town", "forest"):
        return False
    swims = any("river" in w.water(a, h) for h in f.targets if h != a)
    for e in w.around(a):
        if e in f.targets or "lake" in w.water(a, e) or ("river" in w.water(a, e) and not swims):
            continue
        if f.segment in ("combat", "reserve") and e in w.combats:
            continue
        later = f.segment in ("breakthrough", "reserve")  # 12.6: who was attacked before does not count then
        there = [m for m in w.here(e, enemy) if not m.marks & BAD and not (later and "struck" in m.marks)]
        if sum(w.foot_steps(m) for m in there) >= 3:
            return True
    return False


def attack(f: Fight) -> int:
    """12.1.3.B1, 12.5"""
    total = 0
    for m in f.who:
        reasons = int(not f.supported(m))
        into = {x for h in f.targets for x in f.words(h)}
        reasons += int(m.armor and bool(into & {"woods", "forest", "town"}))
        over = {x for h in f.targets for x in f.water(m.at, h)}
        reasons += int(bool(over & {"river", "stream"}) or (m.armor and "swamp" in over))
        reasons += int(in_zoc(f, m.at))
        power = f.w.power(m)
        for _ in range(min(reasons, 2)):
            power = half(power)
        total += half(power) if m.marks & BAD else power
    return total


def defence(f: Fight) -> int:
    """12.5.2, 15.1.2, 12.10.7, 4.8.2, 18.10"""
    w, total = f.w, 0
    for h in f.targets:
        there = [m for m in f.foes if m.at == h]
        for m in there:
            if m is not f.gun:
                total += half(w.power(m)) if m.marks & BAD else w.power(m)
        words, points = f.words(h), 0
        if words & {"town", "forest"}:
            steps = sum(w.foot_steps(m) for m in there)
            points = max(steps, 2) if steps else 0
        earns = [m for m in there if (m.infantry and m.role != "alarm") or w.star(m)]
        if words & {"woods", "village", "ip"} and earns:
            plus = 2
            if f.side == "soviet" and "german_strengths" in w.options:
                some = sum(w.power(m) for m in there if m.infantry and m.attack)
                plus = 3 if some >= 13 else 2 if some >= 7 else 1
            points = max(points, plus)
        total += points
    return total


def both_arms(f: Fight, men: Iterable[Man]) -> bool:
    """12.7"""
    fit = [m for m in men if not m.marks & BAD and not f.w.cadre(m)]
    if fit and fit[0].side == "soviet":
        return any(f.w.star(m) for m in fit)
    return any(m.armor for m in fit) and any(m.infantry and m.attack and m.role != "alarm" for m in fit)


def shifts(f: Fight) -> int:
    """12.1.3.C3-C8, 15.3.2, 17.1.3"""
    w, total = f.w, 0
    if f.segment in ("combat", "alarm"):
        for m in f.who:
            plain = m.role == "unit" and m.size == "division" and not w.other_half(m)
            if m.side == "soviet" and plain and m.steps >= 2 and not m.marks & OUT and not in_zoc(f, m.at):
                total += 1
    caps = [1 if "town" in f.words(h) else 0 if "forest" in f.words(h) else 2 for h in f.targets]
    stacks = sorted({m.at for m in f.who})
    arms = sum(both_arms(f, [m for m in f.who if m.at == a]) and not f.barred(a) for a in stacks)
    total += min([arms, *caps])
    held = [c for h, c in zip(f.targets, caps, strict=True) if both_arms(f, [m for m in f.foes if m.at == h]) and c]
    total -= min(len(held), max([1, *held]))
    total += superiority(f)
    up, down = any(w.has(a, "hilltop") for a in stacks), any(w.has(h, "hilltop") for h in f.targets)
    if f.partisans:
        up, down = up and f.side == "german", down and f.side == "soviet"
    total += int(up and not down) - int(down and not up)
    if f.gun and w.has(f.gun.at, "hilltop") and f.gun.at not in f.targets and f.gun.at not in w.combats:
        total -= int(any(h in w.around(f.gun.at) for h in f.targets))
    total += int(f.engineer is not None and not f.cleared)
    for men, sign in ((f.foes, 1), (f.who, -1)):
        out = [m for m in men if "OOS2" in m.marks]
        total += sign * (0 if not out else 2 if len(out) == len(men) else 1)
    total -= int(mined(f) and not f.cleared)
    if f.side == "soviet" and f.segment == "combat":
        total += max(w.barrage[h]["shifts"] if h in w.barrage else 0 for h in f.targets)
    return total


def mined(f: Fight) -> bool:
    return f.side == "german" and any(m.at in f.w.mines.get(h, set()) for m in f.who for h in f.targets)


def superiority(f: Fight) -> int:
    """12.8"""
    bad = {h for h in f.targets if f.words(h) & {"town", "forest"}}
    mine = [f.w.white(m) for m in f.who if m.armor and not f.barred(m.at)] if not bad else []
    theirs = [f.w.white(m) for m in f.foes if m.armor and m.at not in bad]
    lead = max(mine, default=0) - max(theirs, default=0)
    return -1 if lead < 0 else (0, 1, 2, 2, 2, 3)[min(lead, 5)]


def fire(f: Fight) -> tuple[int, int, set[str], set[str]]:
    """12.12.1 Dots of both sides, who is hit, and who is hit back."""
    w = f.w

    def goes(m: Man) -> bool:
        return any(terrain_cost(w, m, "tactical", m.at, h) is not None for h in f.targets)

    tanks = [m for m in f.who if m.armor and w.white(m) > 0 and goes(m)]
    dotted = [m for m in f.foes if w.dots(m) > 0]
    if not tanks or not dotted:
        return 0, 0, set(), set()
    best, most = max(w.white(m) for m in tanks), max(w.dots(m) for m in dotted)
    wheels = [m for m in dotted if m.armor or m.type in ANTI]
    top = max((w.dots(m) for m in wheels), default=0)
    return best, most, {m.id for m in wheels if w.dots(m) == top}, {m.id for m in tanks if w.white(m) == best}


def only_armor(f: Fight) -> bool:
    """12.12.1.2, 4.5.3.1"""
    germans = f.who if f.side == "german" else f.foes
    alone = all(m.armor or m.type in ANTI for m in germans)
    return all((m.armor and (alone or not f.w.star(m))) or m.type in ANTI for m in (*f.who, *f.foes))


COLUMNS = ["1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1", "8:1", "10:1"]


def place(a: int, d: int) -> int:
    """12.1.3.B2, 12.11, Q67 The column by number; -1 and 11 are off the table."""
    d = max(d, 1)
    ratios = [F(*map(int, c.split(":"))) for c in COLUMNS]
    if F(a, d) < ratios[0]:
        return -1
    return 11 if a // d > 10 else sum(F(a, d) >= r for r in ratios) - 1


def gun_shift(f: Fight, side: str, points: int, die: int) -> int:
    """12.10.2"""
    if not points:
        return 0
    roll = die + 2 * f.w.storm
    if side == "german" and f.side == "german" and mined(f):
        roll += 1
    if side == "german" and f.side == "soviet" and any(h in f.w.barrage for h in f.targets):
        roll += 1
    rows = table(f"artillery-{side}")
    row = rows[str(min(roll, max(map(int, rows))))]
    names = [c for c in row if c != "roll"]
    inside = [c for c in names if points >= int(c.rstrip("+").split("-")[0])]
    return int(row[inside[-1] if inside else names[0]])


def outcomes(f: Fight, air: dict[int, Fraction]) -> dict[str, Fraction]:
    """12.1.3.D Every fall of the dice, in the words of the answer."""
    w, enemy = f.w, "soviet" if f.side == "german" else "german"
    first, standing = place(attack(f), defence(f)), shifts(f)
    best, most, aims, victims = fire(f)
    points = sum(m.obs for m in f.guns)
    gun = 0 if f.gun is None else f.gun.back_dbs if "back" in f.gun.marks else f.gun.dbs
    crt = table("crt")
    found: dict[str, Fraction] = {}
    mine = range(1, 7) if points else (0,)
    theirs = range(1, 7) if gun else (0,)
    each = F(1, 36 * len(mine) * len(theirs))
    for x, y, (flown, p), black, red in product(mine, theirs, air.items(), range(1, 7), range(1, 7)):
        right = gun_shift(f, f.side, points, x) if x else 0
        left = gun_shift(f, enemy, gun, y) if y else 0
        at = first + standing + flown + right - left
        col = COLUMNS[min(max(at, 0), 10)]
        text = crt[str(black + red)][col]
        own, other = (black, red) if f.side == "german" else (red, black)
        hit, back = bool(aims) and own <= best, bool(victims) and other <= most
        if f.partisans:
            a, d = text.split("/")
            if f.side == "german":
                text, back = f"{'D' if 'D' in a else '-'}/{d}", False
            else:
                text, hit = f"{a}/{'D' if 'D' in d else '-'}", False
        words = [f"{col} {text}"]
        words += ["attacker disorganized"] * (at < 0) + ["defender disorganized"] * (at > 10)
        words += ["defending armor hit"] * hit + ["attacking armor hit"] * back
        key = ", ".join(words)
        found[key] = found.get(key, F(0)) + each * p
    del w
    return found


def may_stand(f: Fight, h: str) -> bool:
    """12.14.1, 12.17.2.5, 13.5.2 Whether the defenders of a hex may declare No Retreat."""
    w, there = f.w, [m for m in f.foes if m.at == h]
    fit = [m for m in there if w.foot_steps(m) and not m.marks & (BAD | {"OOS2"})]
    if not fit:
        return False
    words = f.words(h)
    if words & {"woods", "village", "town", "forest"}:
        return True
    if (h in w.positions and f.side == "soviet") or (h in w.mines and f.side == "german"):
        return True
    return all(f.water(m.at, h) & {"river", "stream"} for m in f.who)


# --- 12.13-12.16 retreat and advance ---------------------------------------------------------------------------------


def goes(w: World, m: Man, a: str, b: str) -> bool:
    """12.13.1, 12.16 Whether terrain and enemies let a unit go into the next hex in combat."""
    enemy = "soviet" if m.side == "german" else "german"
    if b not in w.hexes or w.here(b, enemy) or w.terrain(b) == "dnepr":
        return False
    if m.role == "partisans" and w.terrain(b) not in ("woods", "forest"):
        return False
    if terrain_cost(w, m, "tactical", a, b) is not None:
        return True
    walks = m.move == "motorized" and (
        m.type in WALKERS or (m.type in ENGINEERS and m.engineer and not m.engineer & {"bridge_K", "bridge_J"})
    )
    return walks and "swamp" not in w.water(a, b) and terrain_cost(w, m, "on_foot", a, b) is not None


def retreats(w: World, m: Man, n: int) -> set[tuple[str, ...]]:
    """12.13.1"""

    def longer(paths: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
        for path in paths:
            here = path[-1] if path else m.at
            for b in w.around(here):
                if b != m.at and b not in path and goes(w, m, here, b):
                    yield (*path, b)

    ways: list[tuple[str, ...]] = [()]
    for _ in range(n):
        more = list(longer(ways))
        if not more:
            break
        ways = more
    if ways == [()]:
        return set()
    other = w.other_half(m)
    home = other.at if other else ""
    if any(home not in p for p in ways):
        ways = [p for p in ways if home not in p]
    zoc, zoi = zones(w, "soviet" if m.side == "german" else "german")
    far = max(w.far(m.at, p[-1]) for p in ways)
    ways = [p for p in ways if w.far(m.at, p[-1]) == far]
    least = min(sum(h in zoc | zoi for h in p) for p in ways)
    return {p for p in ways if sum(h in zoc | zoi for h in p) == least}


def becomes(w: World, m: Man, path: tuple[str, ...]) -> str:
    """12.13.3, 12.13.4, 12.16, 12.17 The order of a unit after a retreat: "", regroup or disorganized."""
    zoc, _ = zones(w, "soviet" if m.side == "german" else "german")
    state = "disorganized" if "disorganized" in m.marks else "regroup" if "regroup" in m.marks else ""
    if not state and any(h in zoc for h in path):
        state = "regroup" if m.side == "german" else "disorganized"
    for a, b in zip((m.at, *path), path, strict=False):
        if "river" in w.water(a, b) and not state:
            state = "regroup"
        if "swamp" in w.water(a, b):
            if m.move != "foot":
                state = "disorganized"
            elif not state:
                state = "regroup"
    return "disorganized" if m.gun else state


def advances(w: World, m: Man, hole: str, result: str, trail: set[str]) -> set[tuple[str, ...]]:
    """12.15, 12.16 The ways of a unit into a hex the enemy has left, stacking aside."""
    if not w.can_attack(m) or not goes(w, m, m.at, hole):
        return set()
    found: set[tuple[str, ...]] = {(hole,)}
    road = bool(w.links.get(frozenset((m.at, hole))))
    stops = w.water(m.at, hole) & {"stream", "river", "swamp"} or w.terrain(hole) == "town"
    stops = stops or (w.terrain(hole) in ("woods", "forest") and not road)
    if result == "retreat" or stops or m.marks & BAD:
        return found
    deviates = m.armor or m.type in ("reconnaissance", "mechanized_infantry")
    for b in w.around(hole):
        if b == m.at or not goes(w, m, hole, b):
            continue
        if "river" in w.water(hole, b):
            bridge = bool(w.road(hole, b)) or bool(w.built(hole, b))
            if not bridge or not any("river" in w.water(m.at, x) for x in w.ring(m.at)):
                continue
        if result == "eliminated" or deviates or b in trail:
            found.add((hole, b))
    return found


# --- who may fight ----------------------------------------------------------------------------------------------------


def may_attack(f: Fight) -> bool:
    """12.2, 12.3, 12.10, 12.9.1, 17.1.2, 18.1.3 Whether a combat with its guns and engineers is allowed."""
    w = f.w
    if any(len([m for m in f.foes if m.at == h]) not in (1, 2, 3) for h in f.targets):
        return False
    if len({m.role == "partisans" for m in f.who}) > 1:
        return False
    if f.segment == "breakthrough" and not all(m.armor or m.type in WALKERS for m in f.who):
        return False
    for m in f.who:
        if not _able(f, m):
            return False
        rest = [x for x in w.here(m.at, f.side) if x not in f.who and _able(f, x)]
        if f.segment in ("combat", "reserve") and any(not x.marks & OUT for x in rest):
            return False
    return _guns_may(f) and _engineer_may(f)


def _able(f: Fight, m: Man) -> bool:
    w = f.w
    if not w.can_attack(m) or "attacked" in m.marks or ("reserve" in m.marks) != (f.segment == "reserve"):
        return False
    for h in f.targets:
        if h not in w.around(m.at) or "lake" in w.water(m.at, h):
            return False
        if f.side == "soviet" and h in w.barrage and w.barrage[h]["army"] != m.army:
            return False
    return True


def serves(gun: Man, m: Man) -> bool:
    """12.10.4, 12.10.6"""
    for mine, theirs in ((gun.division, m.division), (gun.corps, m.corps), (gun.army, m.army)):
        if mine:
            return mine == theirs
    return front(gun) == front(m)


def _ready(gun: Man, attack_: bool) -> bool:
    """12.10.3, 12.10.5, 12.17.2.11, 9.10.3"""
    if gun.marks & (BAD | {"out_of_ammo", "no_fire_1", "no_fire_2"}):
        return False
    if "back" in gun.marks:
        return not attack_ and gun.back_dbs > 0
    return (gun.obs if attack_ else gun.dbs) > 0


def _guns_may(f: Fight) -> bool:
    w = f.w
    helped = [m for m in f.who if f.supported(m)]
    for gun in f.guns:
        if not helped or not _ready(gun, True) or len(f.guns) > 3 or f.segment != "combat":
            return False
        if f.side == "soviet" and any(h in w.barrage for h in f.targets):
            return False
        if all(w.far(gun.at, h) > gun.range for h in f.targets) or not any(serves(gun, m) for m in helped):
            return False
    if f.gun is None:
        return True
    gun = f.gun
    if not _ready(gun, False) or all(w.far(gun.at, h) > gun.range for h in f.targets) or f.segment != "combat":
        return False
    if gun in f.foes:
        return any(m is not gun and m.at == gun.at for m in f.foes)
    return gun.at not in w.combats and any(serves(gun, m) for m in f.foes)


def _engineer_may(f: Fight) -> bool:
    """12.9.1, 15.3.2"""
    m, w = f.engineer, f.w
    if m is None:
        return True
    own = m.division if m.side == "german" else m.army
    mates = [x for x in w.here(m.at, m.side) if x is not m and w.can_attack(x)]
    same = [x for x in mates if own and (x.division if m.side == "german" else x.army) == own]
    fit = "assault" in m.engineer and not m.marks & BAD and f.supported(m) and f.segment == "combat"
    return fit and bool(same) and (not f.cleared or mined(f))
