"""Charts read from CSV: rows and columns with keys, shifts and clamping.

The first line names the columns, the first field of each further line the row. Lines that begin with `#` say where
the values come from: `# provenance: stated`, `# note: ...`, and for single cells `# stated: 3/Other 11.5.2` with the
rule, `# ours: 3/Other` with a reason where one is needed.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field

from kessel.core.errors import BadPack


@dataclass(slots=True)
class Table:
    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[str, str], str]
    provenance: str = "reconstructed"
    note: str = ""
    stated: dict[str, str] = field(default_factory=dict)
    """Cells (`row/column`) the rulebook states, with the rule."""
    ours: dict[str, str] = field(default_factory=dict)
    """Cells of a stated or public table that are reconstructed, with a reason."""
    _numbers: dict[tuple[str | int, str | int], int] = field(default_factory=dict, repr=False, compare=False)

    def at(self, row: str | int, column: str | int) -> str:
        """The cell of exactly these keys."""
        try:
            return self.cells[str(row), str(column)]
        except KeyError:
            raise BadPack(f"the table has no cell {row}/{column}", self.name) from None

    def clamp_row(self, value: int) -> str:
        """The row of a number, the first or last one where it lies outside (for rows that are numbers)."""
        numbers = [int(r) for r in self.rows]
        return str(min(max(value, min(numbers)), max(numbers)))

    def shift(self, column: str, by: int) -> str:
        """The column that many to the right, clamped to the table."""
        i = self.columns.index(column) + by
        return self.columns[min(max(i, 0), len(self.columns) - 1)]

    def row(self, key: str | int) -> dict[str, str]:
        return {c: self.at(key, c) for c in self.columns}

    def number(self, row: str | int, column: str | int) -> int:
        found = self._numbers.get((row, column))
        if found is None:
            text = self.at(row, column)
            try:
                found = self._numbers[row, column] = int(text)
            except ValueError:
                raise BadPack(f"cell {row}/{column} is {text!r}, not a whole number", self.name) from None
        return found


def read_table(text: str, name: str) -> Table:
    """Read a table; errors name file and line."""
    meta: dict[str, str] = {}
    marks: dict[str, dict[str, str]] = {"stated": {}, "ours": {}}
    lines: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            key, _, value = line[1:].partition(":")
            if key.strip() in marks:
                cell, _, why = value.strip().partition(" ")
                marks[key.strip()][cell] = why
            else:
                meta[key.strip()] = value.strip()
        elif line.strip():
            lines.append((number, next(csv.reader([line]))))
    if not lines:
        raise BadPack("the table is empty", name)
    _, head = lines[0]
    columns = tuple(c.strip() for c in head[1:])
    cells: dict[tuple[str, str], str] = {}
    rows: list[str] = []
    for number, fields in lines[1:]:
        if len(fields) != len(head):
            raise BadPack(f"{len(fields)} fields where the head has {len(head)}", f"{name}:{number}")
        key = fields[0].strip()
        if key in rows:
            raise BadPack(f"row {key!r} is listed twice", f"{name}:{number}")
        rows.append(key)
        cells.update({(key, c): v.strip() for c, v in zip(columns, fields[1:], strict=True)})
    if len(set(columns)) != len(columns):
        raise BadPack("two columns have the same name", f"{name}:{lines[0][0]}")
    provenance, note = meta.get("provenance", "reconstructed"), meta.get("note", "")
    return Table(name, tuple(rows), columns, cells, provenance, note, marks["stated"], marks["ours"])
