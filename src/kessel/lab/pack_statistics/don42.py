"""Figures of the reconstructed charts (docs/reconstruction-don42.md): `python -m kessel.lab.pack_statistics.don42`.

Everything is counted exactly from the pack's tables; nothing is simulated.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from kessel.core.pack import Pack, Row
from kessel.core.tables import Table
from kessel.lab.pack_statistics.pages import markdown, sections, write

LADDER = ("AE1", "ADPT", "ADRG", "NE", "BRE", "DRE1", "DRE2", "DRE3", "DRTD", "DE1")
ODDS = ("1-2", "1-1", "2-1")

FIGHTS = (
    ("two Pz III battalions and a motorized gun on a rifle brigade in the open", (4, 4, 2), (4,), 2),
    ("Pz III, trucked battalion and a motorized gun on the same (Combined Arms)", (4, 3, 2), (4,), 3),
    ("two trucked battalions (A) on a guards brigade in a town", (3, 3), (5,), 0),
    ("infantry regiment and gun on a rifle brigade in the open", (4, 3), (4,), 1),
    ("infantry regiment and gun on a guards brigade across the Don", (4, 3), (5,), -1),
    ("infantry regiment alone on a rifle division on a hill", (4,), (6,), 0),
    ("two rifle divisions and a gun on a motorized battalion (B) in a Hasty Position", (5, 5, 5), (4,), -2),
    ("T-34 and motorized brigade of one corps on a motorized battalion (A) in the open", (5, 3), (4,), -1),
    ("three rifle brigades on two battalions (A) in a Prepared Position", (3, 3, 3), (4, 5), -4),
    ("two rifle divisions and two guns on a regiment in a Prepared Position", (5, 5, 5, 5), (6,), -3),
    ("the same after bombardment (DPT) with two air units", (5, 5, 5, 5), (3,), 0),
)
"""What, attacking and defending strengths, sum of the shifts for quality, terrain, position and Combined Arms."""


def crt(pack: Pack, odds: str) -> Table:
    return pack.table(f"crt-{odds}")


def chances(table: Table, column: str) -> Counter[str]:
    return Counter(table.at(die, column) for die in range(1, 7))


def share(part: int, whole: int = 6) -> str:
    return str(round(Fraction(100 * part, whole)))


def combat_columns(pack: Pack) -> str:
    """Of six rolls, how many hurt the attacker, change nothing, drive back, rout or remove the defender."""
    rows = []
    for odds in ODDS:
        t = crt(pack, odds)
        for c in t.columns:
            n = chances(t, c)
            rung = Fraction(sum(LADDER.index(k) * v for k, v in n.items()), 6)
            rows.append(
                (
                    odds.replace("-", ":"),
                    c,
                    n["AE1"],
                    n["ADPT"] + n["ADRG"],
                    n["NE"],
                    n["BRE"],
                    n["DRE1"] + n["DRE2"] + n["DRE3"],
                    n["DRTD"],
                    n["DE1"],
                    f"{float(rung):.2f}",
                )
            )
    head = ("table", "column", "AE1", "A DPT/DRG", "NE", "B RE", "D RE", "D RTD", "DE1", "mean rung 0-9")
    return markdown(head, rows)


def bombardment(pack: Pack) -> str:
    t = pack.table("bombardment")
    rows = []
    for c in t.columns:
        cells = [t.at(d, c) for d in range(1, 7)]
        worst = Counter(x.rstrip("*") for x in cells)
        hurt = 6 - worst["NE"]
        rows.append((c, share(hurt), share(worst["DPT"] + worst["RTD"]), share(worst["RTD"]), share(_starred(cells))))
    return markdown(("factors", "any effect %", "DPT or worse %", "RTD %", "bridge falls %"), rows)


def _starred(cells: list[str]) -> int:
    return sum(x.endswith("*") for x in cells)


def activation(pack: Pack) -> str:
    t = pack.table("activation")
    sums = [a + b for a, b in product(range(1, 7), repeat=2)]
    rows = []
    for c in t.columns:
        least = t.number("activates_on", c)
        rows.append(
            (
                c,
                f"{least}+",
                share(sum(s >= least for s in sums), 36),
                share(sum(s - 2 >= least for s in sums), 36),
            )
        )
    return markdown(("line in MPs", "2D6", "activates %", "62 Army with 19.5 %"), rows)


def weather(pack: Pack) -> str:
    """How often each weather is met in the long run, by the chain of 6.0."""
    t = pack.table("weather")
    now = {w: Fraction(int(w == "clear")) for w in t.rows}
    for _ in range(60):
        nxt = dict.fromkeys(t.rows, Fraction(0))
        for w, p in now.items():
            for d in range(1, 7):
                nxt[t.at(w, d)] += p / 6
        now = {w: p.limit_denominator(10**9) for w, p in nxt.items()}
    return markdown(("weather", "share of turns %"), [(w, f"{float(100 * p):.1f}") for w, p in now.items()])


def fights(pack: Pack) -> str:
    rows = []
    for what, attack, defence, other in FIGHTS:
        odds, for_odds = odds_table(sum(attack), sum(defence))
        t = crt(pack, odds)
        column = t.shift("0", for_odds + other)
        n = chances(t, column)
        good = sum(v for k, v in n.items() if LADDER.index(k) >= LADDER.index("DRE1"))
        bad = sum(v for k, v in n.items() if LADDER.index(k) < LADDER.index("NE"))
        strengths = f"{'+'.join(map(str, attack))} : {'+'.join(map(str, defence))}"
        rows.append((what, strengths, f"{odds.replace('-', ':')}, {int(column):+d}", share(good), share(bad)))
    return markdown(("attack", "strengths", "table, column", "defender gives way %", "attacker hurt %"), rows)


def odds_table(attack: int, defence: int) -> tuple[str, int]:
    """12.4, 12.5.1: the table of these strengths and the columns for odds beyond it."""
    if attack >= defence:
        n = attack // defence
        return ("1-1", 0) if n == 1 else ("2-1", n - 2)
    n = -(-defence // attack)
    return "1-2", 2 - n


def forces(pack: Pack) -> str:
    rows = []
    groups: dict[tuple[str, str], list[Row]] = {}
    for r in pack.rows("counters.csv"):
        if r["size"] != "air":
            groups.setdefault((r["side"], r["army"] or r["corps"]), []).append(r)
    for (side, group), units in groups.items():
        full = [tuple(map(int, u["faces"].split()[0].split("-"))) for u in units]
        steps = sum(len(u["faces"].split()) for u in units)
        rows.append((side, group, len(units), steps, sum(f[0] for f in full), sum(f[1] for f in full)))
    return markdown(("side", "formation", "units", "steps", "attack", "defence"), rows)


def report(pack: Pack) -> str:
    parts = (
        ("Combat tables: results in six rolls", combat_columns(pack)),
        ("Typical attacks", fights(pack)),
        ("Bombardment Table", bombardment(pack)),
        ("Soviet Activation Table", activation(pack)),
        ("Weather", weather(pack)),
        ("Forces", forces(pack)),
    )
    return sections(parts)


if __name__ == "__main__":
    write("don42", report)
