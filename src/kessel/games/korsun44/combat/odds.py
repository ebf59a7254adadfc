"""12.1.3.B2, 12.11, 12.12 Odds, the Combat Results Table, armor against armor, and how likely each outcome is."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import AIR_SPENT, GERMAN, Board
from kessel.games.korsun44.combat.artillery import artillery_shift
from kessel.games.korsun44.combat.battle import Battle, origins_of, with_partisans
from kessel.games.korsun44.combat.shifts import best_white, faces_armor_only, standing_shifts
from kessel.games.korsun44.combat.strengths import attack_strength, defence_strength
from kessel.games.korsun44.data.charts import Result
from kessel.games.korsun44.data.forces import AIR
from kessel.games.korsun44.movement.costs import TACTICAL, crosses_river, kind_of, prices
from kessel.games.korsun44.units.strength import black_dots, has_star, white_dots
from kessel.wargame.odds import by_dice

# --- 12.1.3.B2, 12.11 the column -----------------------------------------------------------------------------------


def ratio_of(column: str) -> Fraction:
    a, b = column.split(":")
    return Fraction(int(a), int(b))


def first_column(g: Board, attack: int, defence: int) -> int:
    """12.1.3.B2, 12.11 The column of the odds, rounded down; below 0 or beyond the last one off the table (Q67)."""
    found = beyond(g, attack, defence)
    last = len(g.charts.odds) - 1
    reading = g.reads("beyond_table")
    if reading == "clamp":
        return min(max(found, 0), last)
    return found if reading == "each_ratio" else min(max(found, -1), last + 1)


def beyond(g: Board, attack: int, defence: int) -> int:
    """The column, each whole ratio past the ends being one place more."""
    columns = [ratio_of(c) for c in g.charts.odds]
    odds = Fraction(attack, max(defence, 1))
    if odds < columns[0]:
        return -(-(-defence // max(attack, 1)) - columns[0].denominator)
    if odds >= columns[-1]:
        return len(columns) - 1 + attack // max(defence, 1) - columns[-1].numerator
    return max(i for i, c in enumerate(columns) if odds >= c)


class Column(NamedTuple):
    """Where a combat is resolved."""

    at: int
    """The column of the table."""
    attacker_d: bool
    defender_d: bool
    """12.11 Odds off the table disorganize."""


def final_column(g: Board, first: int, shifts: int) -> Column:
    """12.11, Q02 After all shifts; odds past the ends are judged after them, or before."""
    last, after = len(g.charts.odds) - 1, first + shifts
    judged = after if g.reads("off_table_odds") == "final" else first
    return Column(min(max(after, 0), last), judged < 0, judged > last)


def result_at(g: Board, column: int, total: int) -> Result:
    return g.charts.crt[total, g.charts.odds[column]]


def river_crossings(g: Board, b: Battle) -> list[tuple[Hex, Hex]]:
    """The rivers between attacking hexes and those they attack, as pairs of hexes."""
    pairs = ((a, h) for a in origins_of(g, b) for h in b.targets if a != h)
    return [(a, h) for a, h in pairs if crosses_river(g, a, g.map.grid.direction(a, h))]


# --- 12.12.1 armor against armor -----------------------------------------------------------------------------------


class Fire(NamedTuple):
    """12.12.1 Who fires at whom: dots are found before anything is resolved."""

    attack: int
    """White dots of the best attacker."""
    defence: int
    """Dots of the best defender."""
    targets: tuple[Unit, ...]
    """Defenders of which one is hit."""
    victims: tuple[Unit, ...]
    """Attackers of which one is hit."""


NO_FIRE = Fire(0, 0, (), ())


def can_step(g: Board, u: Unit, a: Hex, h: Hex) -> bool:
    """Whether terrain lets a unit go from a hex into the next (9.2, 12.16)."""
    if a == h:
        return True
    step = prices(g, g.forces.side[u], kind_of(g, u, TACTICAL), False).step(a, g.map.grid.direction(a, h))
    return isinstance(step, int)


def armor_fire(g: Board, b: Battle) -> Fire:
    """12.12.1 Armor with white dots that can advance into the hex fights defenders with dots."""
    tanks = [u for u in b.attackers if g.forces.armor[u] and white_dots(g, u) > 0]
    able = [u for u in tanks if any(can_step(g, u, g.place[u], h) for h in b.targets)]
    if g.reads("fire_all") == "all" and able:
        able = tanks
    dotted = [u for u in b.defenders if dots(g, u) > 0]
    if not able or not dotted:
        return NO_FIRE
    aims = [u for u in dotted if g.forces.armor[u] or g.forces.anti_armor[u]]
    if not aims and g.reads("infantry_dots") == "infantry":
        aims = dotted
    return Fire(best_white(g, able), max(map_dots(g, dotted)), _most(g, aims, dots), _most(g, able, white_dots))


def dots(g: Board, u: Unit) -> int:
    """12.12.1 White and black dots together."""
    return white_dots(g, u) + black_dots(g, u)


def map_dots(g: Board, units: Iterable[Unit]) -> list[int]:
    return [dots(g, u) for u in units]


def _most(g: Board, units: list[Unit], count: object) -> tuple[Unit, ...]:
    if not units:
        return ()
    best = max(count(g, u) for u in units)  # type: ignore[operator]
    return tuple(u for u in units if count(g, u) == best)  # type: ignore[operator]


def hits(g: Board, die: int, n: int) -> bool:
    """12.12.1, Q15 A die at or below the dots hits."""
    if not n:
        return False
    return die <= n if g.reads("dots_hit") == "at_or_below" else die >= n


def is_armor_only(g: Board, b: Battle) -> bool:
    """12.12.1 Only armor and anti-armor on both sides: the table takes no steps. Star brigades see 4.5.3.1."""
    stars_are_armor = faces_armor_only(g, b)
    return all(
        g.forces.anti_armor[u] or (g.forces.armor[u] and (stars_are_armor or not has_star(g, u)))
        for u in (*b.attackers, *b.defenders)
    )


# --- how likely ----------------------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What the dice decide: the result, automatic disorganization, and hits of armor."""

    result: str
    column: str
    attacker_d: bool
    defender_d: bool
    defender_hit: bool
    attacker_hit: bool


def outcome_of(g: Board, b: Battle, first: int, shifts: int, fire: Fire, black: int, red: int) -> Outcome:
    """12.1.3.D What a throw of the two dice means: black is German, red Soviet."""
    column = final_column(g, first, shifts)
    mine, theirs = (black, red) if b.side == GERMAN else (red, black)
    found = Outcome(
        result_at(g, column.at, black + red).text,
        g.charts.odds[column.at],
        column.attacker_d,
        column.defender_d,
        bool(fire.targets) and hits(g, mine, fire.attack),
        bool(fire.victims) and hits(g, theirs, fire.defence),
    )
    return _sparing_germans(b, found) if with_partisans(g, b) else found


def _sparing_germans(b: Battle, found: Outcome) -> Outcome:
    """18.1.4 Germans that fight partisans lose no step and do not retreat; they may be Disorganized."""
    attacker, defender = found.result.split("/")
    if b.side == GERMAN:
        return found._replace(result=f"{_d_alone(attacker)}/{defender}", attacker_hit=False)
    return found._replace(result=f"{attacker}/{_d_alone(defender)}", defender_hit=False)


def _d_alone(part: str) -> str:
    return "D" if "D" in part else "-"


def chances_of(g: Board, b: Battle, air: dict[int, Fraction] | None = None) -> dict[Outcome, Fraction]:
    """The exact chances of a combat: guns of both sides, aircraft (shifts by chance), and the two dice."""
    first = first_column(g, attack_strength(g, b).total, defence_strength(g, b).total)
    standing, fire = standing_shifts(g, b).total, armor_fire(g, b)
    found: dict[Outcome, Fraction] = {}
    for shift, p in gun_chances(g, b).items():
        for flown, q in (air or {0: Fraction(1)}).items():
            total = standing + shift + flown
            rolled = by_dice(lambda x, y, n=total: outcome_of(g, b, first, n, fire, x, y), 6, 6)
            for one, r in rolled.items():
                found[one] = found.get(one, Fraction(0)) + p * q * r
    return found


def gun_chances(g: Board, b: Battle) -> dict[int, Fraction]:
    """The shifts of all guns together, by chance."""
    sides = (b.side if b.points else None, b.enemy if b.gun_points else None)
    return by_dice(
        lambda *dice: sum(
            artillery_shift(g, b, s, die) for s, die in zip([s for s in sides if s is not None], dice, strict=True)
        ),
        *(6 for s in sides if s is not None),
    )


def air_chances(g: Board, side: Side, attack: bool) -> dict[int, Fraction]:
    """6.2 The shifts of a counter nobody has seen, by chance: any that is not known to be spent."""
    unseen = [c for c in g.forces.of_role[side][AIR] if g.air[c] != AIR_SPENT]
    found: dict[int, Fraction] = {}
    for c in unseen:
        counter = g.forces.counters[c]
        shift = counter.ocas if attack else -counter.dcas
        found[shift] = found.get(shift, Fraction(0)) + Fraction(1, len(unseen))
    return found
