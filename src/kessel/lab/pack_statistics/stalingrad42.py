"""What the reconstructed Combat Results Table and Determined Defense Table do on average.

`python -m kessel.lab.pack_statistics.stalingrad42` prints the tables of docs/reconstruction-stalingrad42.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kessel.core.pack import Pack
from kessel.games.stalingrad42.combat.crt import Outcome, Result, column_name, tables
from kessel.games.stalingrad42.data.charts import charts
from kessel.lab.pack_statistics.pages import markdown, sections, write

DIE = range(1, 7)


def crt(pack: Pack) -> dict[str, tuple[Result, ...]]:
    """The six results of each column, best for the attacker first."""
    return {column_name(at): cells for at, cells in tables(charts(pack)).columns.items()}


def determined_defense(pack: Pack) -> dict[str, dict[int, Outcome]]:
    """The outcome of each modified roll from -1 to 8 by column; open ends filled in."""
    t = tables(charts(pack))
    return {column: {roll: t.roll_defense(column, roll) for roll in range(-1, 9)} for column in t.defense}


def share(items: Iterable[bool]) -> Fraction:
    found = list(items)
    return Fraction(sum(found), len(found))


def mean(items: Iterable[int]) -> Fraction:
    found = list(items)
    return Fraction(sum(found), len(found))


@dataclass(frozen=True, slots=True)
class ColumnStatistics:
    """Means and tails of one CRT column, before any Determined Defense."""

    attacker_loss: Fraction
    defender_loss: Fraction
    retreat: Fraction
    retreat_hexes: Fraction
    adv3: Fraction
    ds: Fraction
    cancellable: Fraction
    """Chance of a result that any defender may try to cancel (plain colour)."""
    orange: Fraction


def column_statistics(column: Sequence[Result]) -> ColumnStatistics:
    return ColumnStatistics(
        attacker_loss=mean(r.attacker_loss for r in column),
        defender_loss=mean(r.defender_loss for r in column),
        retreat=share(r.retreat > 0 for r in column),
        retreat_hexes=mean(r.retreat for r in column),
        adv3=share(r.advance >= 3 for r in column),
        ds=share(r.code == "DS" for r in column),
        cancellable=share(r.retreat > 0 and r.colour == "plain" for r in column),
        orange=share(r.colour == "orange" for r in column),
    )


@dataclass(frozen=True, slots=True)
class DefenseStatistics:
    """Chances of one Determined Defense column at one modifier."""

    success: Fraction
    partial: Fraction
    fail: Fraction
    attacker_loss: Fraction
    defender_loss: Fraction


def defense_statistics(column: dict[int, Outcome], modifier: int) -> DefenseStatistics:
    outcomes = [column[die + modifier] for die in DIE]
    return DefenseStatistics(
        success=share(o.code == "S" for o in outcomes),
        partial=share(o.code == "P" for o in outcomes),
        fail=share(o.code == "F" for o in outcomes),
        attacker_loss=mean(o.attacker_loss for o in outcomes),
        defender_loss=mean(o.defender_loss for o in outcomes),
    )


def held(column: Sequence[Result], defense: dict[int, Outcome], modifier: int) -> Fraction:
    """Chance that a defender who always tries a Determined Defense (outside VP hexes) is still in his hex."""
    success = defense_statistics(defense, modifier).success
    chances = (Fraction(1) if not r.retreat else success if r.colour == "plain" else Fraction(0) for r in column)
    return sum(chances, Fraction(0)) / len(column)


# --- printing ------------------------------------------------------------------------------------------------------


def percent(value: Fraction) -> str:
    return f"{round(100 * value)} %"


def number(value: Fraction) -> str:
    return f"{float(value):.2f}"


def crt_report(pack: Pack) -> str:
    head = ["column", "attacker steps", "defender steps", "mean hexes"]
    head += ["retreat", "Adv 3+", "DS", "DD open to all", "orange"]
    lines = []
    for name, column in crt(pack).items():
        s = column_statistics(column)
        means = [number(v) for v in (s.attacker_loss, s.defender_loss, s.retreat_hexes)]
        shares = [percent(v) for v in (s.retreat, s.adv3, s.ds, s.cancellable, s.orange)]
        lines.append([name, *means, *shares])
    return markdown(head, lines)


def defense_report(pack: Pack) -> str:
    head = ["column", "modifier", "success", "partial", "fail", "attacker steps", "defender steps"]
    lines = []
    for name, column in determined_defense(pack).items():
        for modifier in (-2, -1, 0, 1, 2):
            s = defense_statistics(column, modifier)
            shares = [percent(v) for v in (s.success, s.partial, s.fail)]
            lines.append([name, f"{modifier:+d}", *shares, number(s.attacker_loss), number(s.defender_loss)])
    return markdown(head, lines)


def held_report(pack: Pack) -> str:
    """The two tables together: how often the defender keeps his hex."""
    defense = determined_defense(pack)
    cases = [("none", {}, 0), ("clear", defense["clear_desert"], 0), ("other", defense["other"], 0)]
    cases += [("other +1", defense["other"], 1), ("city", defense["city"], 0), ("city +2", defense["city"], 2)]
    lines = []
    for name, column in crt(pack).items():
        kept = [1 - column_statistics(column).retreat, *(held(column, table, m) for _, table, m in cases[1:])]
        lines.append([name, *(percent(v) for v in kept)])
    return markdown(["column", *(label for label, _, _ in cases)], lines)


def report(pack: Pack) -> str:
    parts = (
        ("Combat Results Table", crt_report(pack)),
        ("Determined Defense Table", defense_report(pack)),
        ("Defender keeps the hex (always tries; no VP hex)", held_report(pack)),
    )
    return sections(parts)


if __name__ == "__main__":
    write("stalingrad42", report)
