"""The games of a series as tables: one row a game, one row a turn. SQLite always, Parquet where pyarrow is installed.

    games   game scenario programs seed finished winner level actions cpu_s faults points_<side>...
    turns   game scenario programs seed turn name actions points lost_<side> units_<side> steps_<side> held_<side>
            cut_off_<side>...

`points` of a turn are Victory Points of the first side as they would count then, less the other's.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from kessel.core.errors import BadInput
from kessel.core.title import title
from kessel.lab.simulate import Result

SQLITE, PARQUET = (".sqlite", ".db"), ".parquet"
Row = dict[str, Any]


def check_out(path: Path) -> None:
    """BadInput where a series could not be kept there, before hours are spent on it."""
    if path.suffix not in (*SQLITE, PARQUET):
        ending = path.suffix or "without an ending"
        raise BadInput(f"a series is kept as .sqlite, .db or .parquet, not {ending}", str(path))
    if not path.absolute().parent.is_dir():
        raise BadInput("there is no such folder", str(path.parent))
    if path.suffix == PARQUET:
        _parquet()


def games_of(game: str, scenario: str, levels: Sequence[str], results: Sequence[Result]) -> Iterator[Row]:
    for r in results:
        yield {
            **_about(game, scenario, levels, r),
            "finished": int(r.finished),
            "winner": r.winner,
            "level": r.level,
            "actions": r.steps,
            "cpu_s": round(r.cpu_s, 3),
            "faults": "; ".join([*r.faults, *filter(None, (r.mismatch,))]),
            **{f"points_{side}": r.points.get(side) for side in title(game).sides},
        }


def turns_of(game: str, scenario: str, levels: Sequence[str], results: Sequence[Result]) -> Iterator[Row]:
    sides = title(game).sides
    for r in results:
        for t in r.turns:
            row = {**_about(game, scenario, levels, r), "turn": t.turn, "name": t.name, "actions": t.actions}
            row["points"] = t.points
            for what in ("lost", "units", "steps", "held", "cut_off"):
                row |= {f"{what}_{side}": n for side, n in zip(sides, getattr(t, what), strict=True)}
            yield row


def _about(game: str, scenario: str, levels: Sequence[str], r: Result) -> Row:
    return {"game": game, "scenario": scenario, "programs": ":".join(levels), "seed": r.seed}


def write_tables(path: Path, tables: dict[str, list[Row]]) -> list[Path]:
    """Write them whole or not at all: all into one SQLite file, or each into a Parquet file, of which the first has the
    name that was asked for. Gives the files written."""
    if path.suffix != PARQUET:
        new = path.with_name(f".{path.name}.new")
        new.unlink(missing_ok=True)
        with closing(sqlite3.connect(new)) as db, db:
            for name, rows in tables.items():
                _fill(db, name, rows)
        os.replace(new, path)
        return [path]
    arrow, parquet = _parquet()
    written = []
    for i, (name, rows) in enumerate(tables.items()):
        file = path.with_name(f"{path.stem}-{name}{PARQUET}") if i else path
        parquet.write_table(arrow.Table.from_pylist(rows), file)
        written.append(file)
    return written


def _fill(db: sqlite3.Connection, name: str, rows: list[Row]) -> None:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if not columns:
        return
    names = ", ".join(f'"{c}"' for c in columns)
    db.execute(f'CREATE TABLE "{name}" ({names})')
    marks = ", ".join("?" * len(columns))
    db.executemany(f'INSERT INTO "{name}" VALUES ({marks})', ([row.get(c) for c in columns] for row in rows))


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        need = "Parquet files need pyarrow: pip install 'kessel[parquet]'; a name that ends in .sqlite needs nothing"
        raise BadInput(need) from None
    return pyarrow, pyarrow.parquet
