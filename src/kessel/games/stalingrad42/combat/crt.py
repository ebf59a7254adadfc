"""8.3-8.4 Odds and columns, and the two tables of combat: the Combat Results Table and the Determined Defense Table.

Columns are counted from 1-1, which is 0: 2-1 is 1, 1-2 is -1. So shifts are added, and columns beyond the table exist.
"""

from __future__ import annotations

from typing import NamedTuple

from kessel.core.errors import BadPack
from kessel.core.pack import Pack
from kessel.games.stalingrad42.data.charts import Charts

INFINITE = 1 << 10
"""The column against a defense of zero."""


class Result(NamedTuple):
    """One cell of the CRT: `D1 Adv3 orange` (10.1, 11.2.2)."""

    code: str
    advance: int
    colour: str
    """plain, orange or noDD"""
    attacker_loss: int
    defender_loss: int
    by_opponent: bool
    """10.2.2 The opposing player picks the losses."""
    retreat: int
    state: str
    """What the retreating defender becomes: disrupted, full_retreat or none."""
    determined: bool
    """11.1.1 A Determined Defense can answer this result."""
    limited: bool
    """10.1 EX: if the hex is emptied, a Limited Advance."""

    def __str__(self) -> str:
        return f"{self.code} Adv {self.advance}" if self.advance else self.code

    @property
    def said(self) -> str:
        """In words: the defender loses a step and retreats 3 hexes; advance 3."""
        each = "each side loses a step" if self.attacker_loss and self.defender_loss else ""
        alone = "the attacker loses a step" if self.attacker_loss else "the defender loses a step"
        lost = each or (alone if self.attacker_loss or self.defender_loss else "")
        back = f"the defender retreats {self.retreat} hexes" if self.retreat else ""
        advance = f"advance {self.advance}" if self.advance else ""
        return "; ".join(filter(None, (" and ".join(filter(None, (lost, back))), advance)))


class Outcome(NamedTuple):
    """One cell of the Determined Defense Table: `P 1*/-` (11.4.1)."""

    code: str
    """S success, P partial success, F fail"""
    attacker_loss: int
    defender_loss: int
    defender_picks: bool

    def __str__(self) -> str:
        star = "*" if self.defender_picks else ""
        return f"{self.code} {self.attacker_loss or '-'}{star}/{self.defender_loss or '-'}"

    @property
    def said(self) -> str:
        """In words: a partial success, the attacker loses a step."""
        lost = ("the attacker", self.attacker_loss), ("the Lead Unit", self.defender_loss)
        steps = [f"{who} loses {'a step' if n == 1 else f'{n} steps'}" for who, n in lost if n]
        return ", ".join((SUCCESS[self.code], " and ".join(steps))) if steps else SUCCESS[self.code]


SUCCESS = {"S": "a success", "P": "a partial success", "F": "a failure"}


class Tables(NamedTuple):
    columns: dict[int, tuple[Result, ...]]
    """By column, then by die - 1."""
    lowest: int
    highest: int
    automatic: int
    """8.4.1 From this column on a DS without a roll."""
    shattered: Result
    """The DS of an automatic result: with the longest advance."""
    defense: dict[str, tuple[Outcome, ...]]
    """By column of the Determined Defense Table; entry i is the modified roll i + `defense_lowest`."""
    defense_lowest: int
    drm: dict[str, int]

    def column(self, at: int) -> int:
        """8.4.2 The column a combat is resolved on: the minimum and maximum apply after all shifts."""
        return min(max(at, self.lowest), self.highest)

    def roll_defense(self, column: str, roll: int) -> Outcome:
        cells = self.defense[column]
        return cells[min(max(roll - self.defense_lowest, 0), len(cells) - 1)]


def tables(charts: Charts) -> Tables:
    return charts.pack.once(_read)


def column_number(name: str) -> int:
    """
    >>> [column_number(c) for c in ("1-3", "1-1", "7-1")]
    [-2, 0, 6]
    """
    attack, defense = name.split("-")
    return int(attack) - 1 if int(defense) == 1 else 1 - int(defense)


def column_name(at: int) -> str:
    """
    >>> [column_name(c) for c in (-2, 0, 9)]
    ['1-3', '1-1', '10-1']
    """
    if at >= INFINITE // 2:
        return "automatic"
    return f"{at + 1}-1" if at >= 0 else f"1-{1 - at}"


def odds(attack: int, defense: int) -> int:
    """8.3 The odds ratio rounded in the defender's favour, as a column.

    >>> [column_name(odds(*x)) for x in ((7, 2), (9, 4), (6, 4), (5, 6))]
    ['3-1', '2-1', '1-1', '1-2']
    """
    if not defense:
        return INFINITE
    if not attack:
        return -INFINITE
    return attack // defense - 1 if attack >= defense else 1 - -(-defense // attack)


def _read(pack: Pack) -> Tables:
    charts = pack.once(Charts)
    crt = charts.table("crt")
    names: list[str] = charts.constants["crt_columns"]
    high = charts.constants["crt"]["best_roll"] == "high"
    dice = sorted(crt.rows, key=int, reverse=high)
    columns = {column_number(c): tuple(_result(charts, crt.at(d, c)) for d in dice) for c in names}
    longest = max(r.advance for cells in columns.values() for r in cells)
    rows = charts.table("determined_defense").rows
    defense = {
        c: tuple(outcome(charts.table("determined_defense").at(r, c)) for r in rows)
        for c in charts.table("determined_defense").columns
    }
    drm = charts.table("determined_defense_modifiers")
    return Tables(
        columns,
        min(columns),
        max(columns),
        charts.constant("automatic_ds_odds") - 1,
        _result(charts, f"DS Adv{longest} noDD"),
        defense,
        int(rows[0].rstrip("-")),
        {row: drm.number(row, "drm") for row in drm.rows},
    )


def _result(charts: Charts, text: str) -> Result:
    code, *words = text.split()
    row = charts.table("results").row(code)
    advance, colour = 0, "plain"
    for word in words:
        if word.startswith("Adv"):
            advance = int(word.removeprefix("Adv"))
        elif word in ("orange", "noDD"):
            colour = word
        else:
            raise BadPack(f"the CRT cell {text!r} has an unknown word {word!r}", charts.pack.where("tables/crt.csv"))
    return Result(
        code,
        advance,
        colour,
        int(row["attacker_loss"]),
        int(row["defender_loss"]),
        row["picked_by"] == "opponent",
        int(row["retreat"]),
        row["state"],
        row["determined_defense"] == "1" and colour != "noDD",
        row["advance"] == "limited",
    )


def cell_said(pack: Pack, chart: str, cell: str) -> str:
    """A result of the combat tables in words."""
    if chart == "crt" and cell:
        found = _result(pack.once(Charts), cell)
        return found.said + ("" if found.determined else ", without a Determined Defense") if found.said else ""
    return outcome(cell).said if chart == "determined_defense" and cell else ""


def outcome(text: str) -> Outcome:
    code, losses = text.split()
    attacker, _, defender = losses.partition("/")
    picked = attacker.endswith("*")
    attacker = attacker.rstrip("*")
    return Outcome(code, 0 if attacker == "-" else int(attacker), 0 if defender == "-" else int(defender), picked)
