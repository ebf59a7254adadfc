"""What the reconstructed chits, tactics, cards and counters amount to, in numbers.

    python -m kessel.lab.pack_statistics.kharkov43                    prints the tables
    python -m kessel.lab.pack_statistics.kharkov43 --write FILE.md    puts them between the marks in that file

All chances are exact: chits are drawn without putting back, so a draw of n chits is a choice of n out of sixty.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import comb
from typing import TypeAlias

from kessel.core.pack import Pack
from kessel.games.kharkov43.data.cards import Chit, Part, Tactic, read_cards, read_chits, read_tactics
from kessel.lab.pack_statistics.pages import markdown, write

RATIOS = ("1:2", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1", "8:1")
DRAWS = (2, 3, 4, 5, 6, 7, 8, 10)
Hits: TypeAlias = tuple[int, int]
"""Hits on the attacker, hits on the defender."""


# --- 12.41 which side of a chit counts -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Combat:
    """As much of a combat as the chits ask for."""

    attack: int = 10
    defence: int = 4
    soviets_attack: bool = True
    chits: int = 5
    situations: frozenset[str] = frozenset({"clear", "command_value_3"})
    own: int = 0
    """Change of the attacker's total of hits by tactics (12.51)."""
    own_at_least: int = 0
    enemy: int = 0
    """Change of the defender's total."""
    enemy_at_least: int = 0

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.attack, self.defence)

    def with_(self, *words: str) -> Combat:
        return replace(self, situations=self.situations | set(words))


def applies(situation: str, c: Combat) -> bool:
    """Whether any one of a side's situations holds."""
    return any(
        _ratio(word, c.ratio) if word.startswith("ratio") else word in c.situations for word in situation.split()
    )


def _ratio(word: str, ratio: Fraction) -> bool:
    m = re.fullmatch(r"ratio(>=|>|<)([\d.]+)", word)
    assert m is not None, word
    limit = Fraction(m[2])
    return {">=": ratio >= limit, ">": ratio > limit, "<": ratio < limit}[m[1]]


def hits_of(code: str, soviets_attack: bool) -> Hits:
    """12.5 `A1 D1`, `D-1`; S and G follow the nation."""
    attacker = defender = 0
    for word in code.split():
        letter, number = word[0], int(word[1:])
        if letter == "A" or letter == ("S" if soviets_attack else "G"):
            attacker += number
        else:
            defender += number
    return attacker, defender


def counted(chit: Chit, c: Combat) -> Hits:
    """The hits of that chit in this combat; none if neither side applies."""
    front, back = applies(chit.front, c), applies(chit.back, c)
    if front and back:
        front = chit.front_priority
        back = not front
    return hits_of(chit.front_hits if front else chit.back_hits if back else "", c.soviets_attack)


# --- exact draws -----------------------------------------------------------------------------------------------------


Totals: TypeAlias = dict[tuple[int, ...], Fraction]


def draw(values: Iterable[tuple[int, ...]], n: int) -> Totals:
    """The distribution of the sum of n of these, drawn without putting back."""
    kinds = Counter(values)
    size = sum(kinds.values())
    width = len(next(iter(kinds)))
    ways: Counter[tuple[int, tuple[int, ...]]] = Counter({(0, (0,) * width): 1})
    for value, number in kinds.items():
        after: Counter[tuple[int, tuple[int, ...]]] = Counter()
        for (drawn, total), w in ways.items():
            for k in range(min(number, n - drawn) + 1):
                new = tuple(t + k * v for t, v in zip(total, value, strict=True))
                after[drawn + k, new] += w * comb(number, k)
        ways = after
    every = comb(size, n)
    return {total: Fraction(w, every) for (drawn, total), w in ways.items() if drawn == n}


def outcome(total: Sequence[int], c: Combat) -> Hits:
    """12.51 Tactics change the totals; less than nothing is nothing."""
    attacker, defender = total[0], total[1]
    if c.own > 0 or attacker >= c.own_at_least:
        attacker += c.own
    if c.enemy > 0 or defender >= c.enemy_at_least:
        defender += c.enemy
    return max(attacker, 0), max(defender, 0)


@dataclass(frozen=True)
class Expectation:
    attacker: float
    defender: float
    attacker_two: float
    defender_two: float


def expectation(chits: Sequence[Chit], c: Combat) -> Expectation:
    a = d = a2 = d2 = Fraction(0)
    for total, p in draw((counted(x, c) for x in chits), c.chits).items():
        attacker, defender = outcome(total, c)
        a, d = a + p * attacker, d + p * defender
        a2, d2 = a2 + p * (attacker >= 2), d2 + p * (defender >= 2)
    return Expectation(float(a), float(d), float(a2), float(d2))


# --- tactics ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reference:
    """A combat in which a tactic is tried."""

    name: str
    combat: Combat
    terrain: str = "clear"


SOVIET_ATTACK = Reference("Soviet attack", Combat(10, 4, True, 5, frozenset({"clear", "command_value_3"})))
GERMAN_ATTACK = Reference("German attack", Combat(8, 3, False, 4, frozenset({"clear", "command_value_3"})))
JOINER = 3
"""Strength of a unit that joins by a tactic, in these tables."""


def applied(tactic: Tactic, part: Part, soviet: bool, attacker: bool, c: Combat) -> Combat:
    """The combat with that tactic, without the chit it gives the attacker."""
    situation = part.situation
    if isinstance(situation, dict):
        situation = situation["soviet" if soviet else "german"]
    words = {w for w in c.situations if not (part.terrain and w == "clear")} | set(situation.split())
    if part.terrain:
        words.add(part.terrain[0])
    if part.armor:
        words.add("only_attacker_armor" if attacker else "only_defender_armor")
    strength = part.strength + (JOINER if part.joins else 0)
    joining = 1 if part.joins and attacker else 0
    c = replace(
        c,
        situations=frozenset(words),
        attack=c.attack + strength * attacker,
        defence=c.defence + strength * (not attacker),
        chits=max(c.chits + part.chits + joining, 1),
    )
    ip = 1 if part.places_ip else 0
    if attacker:
        return replace(c, own=part.own, own_at_least=part.own_at_least, enemy=part.enemy)
    return replace(c, own=part.enemy, enemy=part.own - ip, enemy_at_least=max(part.own_at_least, ip))


def chance_of_change(chits: Sequence[Chit], before: Combat, after: Combat) -> float:
    """How often the totals with the tactic differ from those without; of two draws the larger one is the smaller one
    and some chits more."""
    small = min(before.chits, after.chits)
    more = max(before.chits, after.chits) - small
    kinds = Counter((*counted(x, before), *counted(x, after)) for x in chits)
    ways: Counter[tuple[int, int, tuple[int, ...]]] = Counter({(0, 0, (0, 0, 0, 0)): 1})
    for value, number in kinds.items():
        further = (0, 0, *value[2:]) if after.chits > before.chits else (*value[:2], 0, 0)
        grown: Counter[tuple[int, int, tuple[int, ...]]] = Counter()
        for (n, m, total), w in ways.items():
            for k in range(min(number, small - n) + 1):
                for e in range(min(number - k, more - m) + 1):
                    new = tuple(t + k * v + e * f for t, v, f in zip(total, value, further, strict=True))
                    grown[n + k, m + e, new] += w * comb(number, k) * comb(number - k, e)
        ways = grown
    every = comb(len(chits), small) * comb(len(chits) - small, more)
    same = sum(
        w
        for (n, m, total), w in ways.items()
        if (n, m) == (small, more) and outcome(total[:2], before) == outcome(total[2:], after)
    )
    return float(1 - Fraction(same, every))


# --- tables ----------------------------------------------------------------------------------------------------------


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [markdown(head, rows), ""]


def _combat_at(ratio: str, chits: int, *words: str) -> Combat:
    attack, defence = (int(x) for x in ratio.split(":"))
    return Combat(attack, defence, True, chits, frozenset(words))


def hits_by_odds(chits: Sequence[Chit]) -> list[str]:
    lines = ["### Expected hits by odds and number of chits", ""]
    lines += ["Clear terrain, no other situation. Each cell: hits on the attacker / on the defender.", ""]
    rows = []
    for ratio in RATIOS:
        cells = [expectation(chits, _combat_at(ratio, n, "clear")) for n in DRAWS]
        rows.append([ratio, *(f"{e.attacker:.2f} / {e.defender:.2f}" for e in cells)])
    return lines + _table(["odds", *(f"{n} chits" for n in DRAWS)], rows)


def chances_by_odds(chits: Sequence[Chit]) -> list[str]:
    lines = [
        "### Chance of two hits or more",
        "",
        "The same combats: on the attacker / on the defender, in percent.",
        "",
    ]
    rows = []
    for ratio in RATIOS:
        cells = [expectation(chits, _combat_at(ratio, n, "clear")) for n in DRAWS]
        rows.append([ratio, *(f"{100 * e.attacker_two:.0f} / {100 * e.defender_two:.0f}" for e in cells)])
    return lines + _table(["odds", *(f"{n} chits" for n in DRAWS)], rows)


SITUATIONS = (
    ("clear", ()),
    ("broken", ("broken",)),
    ("woods", ("woods",)),
    ("town", ("town",)),
    ("city", ("city",)),
    ("clear, flank attack", ("clear", "flank_attack")),
    ("clear, one-hex attack", ("clear", "one_hex_attack")),
    ("clear, large attack", ("clear", "large_attack")),
    ("clear, only attacker armor", ("clear", "only_attacker_armor")),
    ("clear, only defender armor", ("clear", "only_defender_armor")),
    ("clear, defender adjacent", ("clear", "defender_adjacent")),
    ("clear, dispersed or unsupplied", ("clear", "dispersed_or_unsupplied")),
    ("clear, improved position", ("clear", "ip_crossfire")),
    ("clear, barrage artillery", ("clear", "attacker_artillery")),
    ("clear, attack not supported", ("clear", "attack_not_supported", "soviets_not_supported")),
    ("clear, command value 1", ("clear", "command_value_1")),
    ("clear, command value 5", ("clear", "command_value_5")),
)


def hits_by_situation(chits: Sequence[Chit]) -> list[str]:
    lines = ["### What the situations do", ""]
    lines += [
        "A Soviet attack at 3:1 with six chits, before 12.51 (town, city, improved position: one defender hit less).",
        "",
    ]
    rows = []
    for name, words in SITUATIONS:
        e = expectation(chits, _combat_at("3:1", 6, *(words or ("clear",))))
        rows.append([name, f"{e.attacker:.2f}", f"{e.defender:.2f}", f"{100 * e.defender_two:.0f} %"])
    return lines + _table(["situation", "hits on attacker", "hits on defender", "two or more on defender"], rows)


def chit_sides(chits: Sequence[Chit]) -> list[str]:
    words: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    for x in chits:
        for situation, code in ((x.front, x.front_hits), (x.back, x.back_hits)):
            codes[code] += 1
            for word in situation.split():
                words[word] += 1
    lines = ["### Sides of the sixty chits", ""]
    lines += _table(["situation", "sides"], [[f"`{w}`", str(n)] for w, n in sorted(words.items())])
    common = sorted(codes.items(), key=lambda x: (-x[1], x[0]))
    return lines + _table(["hits", "sides"], [[c, str(n)] for c, n in common])


def tactic_chances(chits: Sequence[Chit], tactics: dict[str, Tactic]) -> list[str]:
    lines = ["### How often each tactic helps", ""]
    lines += [
        "Soviet attack: 10 against 4 with five chits; German attack: 8 against 3 with four chits; clear terrain",
        "(woods where the tactic needs it), command value 3. A unit that joins has strength 3 and one chit.",
        "*Changes*: chance that the totals differ, the same chits drawn, without the chit every attacker tactic",
        "gives. *Hits*: change of the expected hits on attacker / defender with that chit.",
        "",
    ]
    rows = []
    for tactic in tactics.values():
        for side in tactic.sides:
            for attacker in (True, False):
                part = tactic.attack if attacker else tactic.defence
                if part is None or (tactic.id == "battlefield_replacements" and attacker and side == "soviet"):
                    continue
                rows.append(_tactic_row(chits, tactic, part, side, attacker))
    return lines + _table(["tactic", "role", "changes", "hits"], rows)


def _tactic_row(chits: Sequence[Chit], tactic: Tactic, part: Part, side: str, attacker: bool) -> list[str]:
    soviet = side == "soviet"
    reference = SOVIET_ATTACK if soviet == attacker else GERMAN_ATTACK
    before = reference.combat
    if part.terrain:
        before = replace(before, situations=before.situations - {"clear"} | {part.terrain[0]})
    if part.removes_ip:
        before = replace(before.with_("ip_crossfire"), enemy=-1, enemy_at_least=1)
    after = applied(tactic, part, soviet, attacker, before)
    if part.removes_ip:
        after = replace(after, situations=after.situations - {"ip_crossfire"})
    change = chance_of_change(chits, before, after)
    drawn = replace(after, chits=after.chits + attacker)
    was, now = expectation(chits, before), expectation(chits, drawn)
    hits = f"{now.attacker - was.attacker:+.2f} / {now.defender - was.defender:+.2f}"
    return [tactic.name, f"{side} {'attack' if attacker else 'defence'}", f"{100 * change:.0f} %", hits]


def forces(pack: Pack) -> list[str]:
    """Strength and steps by formation and by game-turn of entry."""
    totals: dict[tuple[str, str], Counter[str]] = {}
    arrivals: Counter[tuple[str, int]] = Counter()
    for row in pack.rows("counters.csv"):
        if "unused" in row.words("flags"):
            continue
        t = totals.setdefault((row["side"], row["army"]), Counter())
        strength = int(row["faces"].split("-")[0])
        t["units"] += 1
        t["steps"] += row.number("steps")
        t["strength"] += strength
        t["on the map"] += strength if row["setup"] != "reserve" else 0
        arrivals[row["side"], row.number("turn", 0)] += strength
    heads = ("units", "steps", "strength", "on the map")
    rows = [[side, army, *(str(t[h]) for h in heads)] for (side, army), t in totals.items()]
    lines = ["### Strength of the formations", "", *_table(["side", "formation", *heads], rows)]
    turns = sorted({t for _, t in arrivals})
    line = [[s, *(str(arrivals[s, t]) for t in turns)] for s in ("soviet", "german")]
    lines += ["Strength on the map at the start (GT0) and by game-turn of entry:", ""]
    return lines + _table(["side", *(f"GT{t}" for t in turns)], line)


@dataclass
class Deck:
    turn: int
    primaries: int = 0
    supplementals: int = 0
    dealt: int = 0
    available: int = 0
    soviet: int = 0
    commands: Counter[str] = field(default_factory=Counter)


def decks(pack: Pack) -> list[Deck]:
    """The piles turn by turn: 4.II and 5.0, without mud."""
    cards = read_cards(pack)
    calendar = pack.table("calendar")
    found: list[Deck] = []
    before = 0
    for turn in range(1, 15):
        german = [c for c in cards if c.is_german and c.enters <= turn]
        d = Deck(turn, sum(c.primary for c in german), sum(not c.primary for c in german))
        d.available = d.supplementals - before - (turn == 1)
        d.dealt = calendar.number(turn, "supplementals")
        soviet = [c for c in cards if not c.is_german and c.enters <= turn and not 0 < c.leaves < turn]
        d.soviet = len(soviet)
        for c in soviet:
            active = [k for k in c.commands if k.command == "activate" and k.valid(turn)]
            d.commands[(active[0].army or "largest of a front") if active else "-"] += 1
        found.append(d)
        before = d.dealt + (turn == 1)
    return found


def piles(pack: Pack) -> list[str]:
    lines = ["### Draw piles", ""]
    calendar = pack.table("calendar")
    rows = []
    for d in decks(pack):
        rows.append(
            [
                str(d.turn),
                calendar.at(d.turn, "dates"),
                calendar.at(d.turn, "hand"),
                str(d.primaries),
                f"{d.dealt} of {d.available}" + (" and P41" if d.turn == 1 else ""),
                str(d.primaries + d.dealt + (d.turn == 1)),
                str(d.soviet),
            ]
        )
    heads = ["GT", "dates", "hand", "primary", "supplemental dealt", "German pile", "Soviet cards"]
    lines += _table(heads, rows)
    activations = {d.turn: d.commands for d in decks(pack) if d.turn in (1, 3, 6, 9)}
    armies = sorted({a for c in activations.values() for a in c})
    lines += ["Soviet cards that activate each army (before the discards of the set-up on GT1):", ""]
    return lines + _table(["GT", *armies], [[str(t), *(str(c[a]) for a in armies)] for t, c in activations.items()])


def report(pack: Pack) -> str:
    chits = read_chits(pack)
    lines = hits_by_odds(chits) + chances_by_odds(chits) + hits_by_situation(chits) + chit_sides(chits)
    lines += tactic_chances(chits, read_tactics(pack)) + forces(pack) + piles(pack)
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    write("kharkov43", report)
