"""Rows of a pack as records: lines of a CSV file, rows of a chart, tables of a TOML file.

A record is a msgspec Struct or a dataclass whose fields are named as the columns or keys. An empty cell is left out, so
that the record's own default holds; `yes` and `no` (or 1 and 0) answer a field that is true or false, `-` says nothing
where a field may be None. What is not simply a word or a number the game makes of the row:

    records(pack.rows("counters.csv"), Counter, faces=lambda row: read_faces(row["faces"]))

What is wrong is told with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec

from kessel.core.errors import BadInput, BadPack
from kessel.core.forces import Side
from kessel.core.pack import Pack, Row
from kessel.core.places import json_path, toml_line
from kessel.core.tables import Table

T = TypeVar("T")
Made = Callable[[Row], Any]
YES_NO = {"yes": True, "no": False}


def record(row: Row, form: type[T], **made: Made) -> T:
    """One row as a record; `made` says what becomes of fields that are no column as it stands."""
    return _record(row, form, made, _kinds(form))


def records(rows: Iterable[Row], form: type[T], **made: Made) -> tuple[T, ...]:
    kinds = _kinds(form)
    return tuple(_record(row, form, made, kinds) for row in rows)


class _Kinds(NamedTuple):
    """The columns of fields that are true or false, and of those that may be None."""

    answers: Collection[str]
    optional: Collection[str]

    def read(self, column: str, cell: Any) -> Any:
        if cell == "-" and column in self.optional:
            return None
        return YES_NO.get(cell, cell) if column in self.answers else cell


def _record(row: Row, form: type[T], made: Mapping[str, Made], kinds: _Kinds) -> T:
    cells = {k: kinds.read(k, v) for k, v in row.items() if v != "" and k not in made}
    try:
        return msgspec.convert({**cells, **{k: make(row) for k, make in made.items()}}, type=form, strict=False)
    except KeyError as e:
        raise BadPack(f"{e} is missing", row.where) from None
    except BadPack:
        raise
    except BadInput as e:
        raise BadPack(e.message, row.where) from None
    except msgspec.ValidationError as e:
        raise BadPack(_said(str(e), row), row.where) from None


NUMBERS = {"int": "a whole number", "float": "a number"}


def _said(message: str, row: Row) -> str:
    """What is wrong with a cell, in words; what is wrong otherwise as it is."""
    found = re.fullmatch(r"Expected `(\w+)`.* - at `\$\.(\w+)`", message)
    if found is None or found[1] not in NUMBERS:
        return message
    return f"{found[2]} is {row.get(found[2])!r}, not {NUMBERS[found[1]]}"


def _kinds(form: type[Any]) -> _Kinds:
    fields = msgspec.structs.fields(form) if issubclass(form, msgspec.Struct) else ()
    columns = {f.name: f.encode_name for f in fields}
    hints = {columns.get(name, name): kind for name, kind in get_type_hints(form).items()}
    answers = frozenset(column for column, kind in hints.items() if kind is bool)
    return _Kinds(answers, frozenset(column for column, kind in hints.items() if type(None) in get_args(kind)))


def chart(table: Table, form: type[T], **made: Made) -> dict[str, T]:
    """The rows of a chart by their names."""
    rows = (Row(table.row(key), f"{table.name}: {key}") for key in table.rows)
    return dict(zip(table.rows, records(rows, form, **made), strict=True))


def tables(pack: Pack, name: str, key: str) -> list[Row]:
    """The tables `[[key]]` of a TOML file, each with its line."""
    found, text = pack.toml(name).get(key, []), pack.text(name)
    heads = [text.count("\n", 0, m.start()) + 1 for m in re.finditer(rf"^\[\[{re.escape(key)}\]\]", text, re.M)]
    if len(heads) != len(found):  # written some other way
        heads = [toml_line(text, [key, i]) for i in range(len(found))]
    return [Row(doc, pack.where(name, line)) for doc, line in zip(found, heads, strict=True)]


def entries(pack: Pack, name: str, form: type[T], key: str = "") -> T:
    """A TOML file, or what stands under a key of it, in the form given."""
    doc = pack.toml(name)
    if key and key not in doc:
        raise BadPack(f"{key} is missing", pack.where(name))
    try:
        return msgspec.convert(doc[key] if key else doc, type=form)
    except msgspec.ValidationError as e:
        _, _, at = str(e).partition(" - at `")
        path = [*([key] if key else []), *json_path(at.rstrip("`"))]
        raise BadPack(str(e), pack.where(name, toml_line(pack.text(name), path))) from None


# --- what rows of all games say ---------------------------------------------------------------------------------------


def side_of(sides: Sequence[str]) -> Made:
    """The side the row names, as its number."""

    def read(row: Row) -> Side:
        if row["side"] not in sides:
            raise BadInput(f"the side is {row['side']!r}; there are {', '.join(sides)}")
        return sides.index(row["side"])

    return read


def words_of(key: str) -> Made:
    """Words with blanks between them; none where nothing is said."""
    return lambda row: tuple(row.words(key))


def flag(word: str) -> Made:
    """Whether the word is among the row's flags."""
    return lambda row: word in row.words("flags")
