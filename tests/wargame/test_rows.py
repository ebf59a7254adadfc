"""Rows of packs as records: what is read of a cell, and what is told of a wrong one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from kessel.core.errors import BadInput, BadPack
from kessel.core.pack import Pack
from kessel.wargame.rows import chart, entries, flag, records, side_of, tables, words_of

SIDES = ("red", "blue")


@dataclass(frozen=True, slots=True)
class Counter:
    id: str
    side: int
    strength: int
    armor: bool = False
    guards: bool = False
    name: str = "a unit"
    parts: tuple[str, ...] = ()


class Line(msgspec.Struct, frozen=True):
    x: int


class Card(msgspec.Struct, frozen=True):
    id: str
    line: tuple[Line, ...] = ()


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    (tmp_path / "tables").mkdir()
    return Pack("toy", overlays=(), root=tmp_path)


def write(pack: Pack, name: str, text: str) -> Pack:
    (pack.root / name).write_text(text)
    return pack


def counters(pack: Pack) -> tuple[Counter, ...]:
    made = {"side": side_of(SIDES), "guards": flag("guards"), "parts": words_of("parts")}
    return records(pack.rows("counters.csv"), Counter, **made)


def test_lines_of_a_file(pack):
    write(
        pack,
        "counters.csv",
        "id,side,strength,armor,name,parts,flags,note\nA,blue,3,yes,,x y,guards,n\nB,red,1,no,Bee,,,\n",
    )
    assert counters(pack) == (Counter("A", 1, 3, True, True, parts=("x", "y")), Counter("B", 0, 1, name="Bee"))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("A,green,3,yes,,,", "the side is 'green'; there are red, blue"),
        ("A,red,many,yes,,,", "not a whole number"),
        ("A,red,3,perhaps,,,", "Expected `bool`"),
        ("A,red,,yes,,,", "missing required field `strength`"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(pack, line, what):
    write(pack, "counters.csv", f"# a remark\nid,side,strength,armor,name,parts,flags\nB,red,1,no,,,\n{line}\n")
    with pytest.raises(BadPack) as e:
        counters(pack)
    assert what in e.value.message
    assert e.value.where.endswith("counters.csv:4")


def test_rows_of_a_chart(pack):
    write(pack, "tables/lines.csv", "row,x\nfirst,1\nsecond,2\n")
    assert chart(pack.table("lines"), Line) == {"first": Line(1), "second": Line(2)}
    write(pack, "tables/wrong.csv", "row,x\nfirst,1\nsecond,two\n")
    with pytest.raises(BadPack) as e:
        chart(pack.table("wrong"), Line)
    assert e.value.where.endswith("tables/wrong.csv: second")


CARDS = '[[card]]\nid = "a"\n[[card]]\nid = "b"\n[[card.line]]\nx = 1\n[[card.line]]\nx = "two"\n'


def test_tables_of_a_file(pack):
    write(pack, "cards.toml", CARDS.replace('"two"', "2"))
    assert entries(pack, "cards.toml", tuple[Card, ...], "card") == (Card("a"), Card("b", (Line(1), Line(2))))
    assert [row.where.rpartition(":")[2] for row in tables(pack, "cards.toml", "card")] == ["1", "3"]
    with pytest.raises(BadPack, match="chit is missing"):
        entries(pack, "cards.toml", tuple[Card, ...], "chit")


def test_a_wrong_value_is_told_with_its_line(pack):
    write(pack, "cards.toml", CARDS)
    with pytest.raises(BadPack, match="Expected `int`") as e:
        entries(pack, "cards.toml", tuple[Card, ...], "card")
    assert e.value.where.endswith("cards.toml:8")


def test_an_error_of_the_game_gets_the_place(pack):
    def refuse(row):
        raise BadInput("no such thing")

    write(pack, "cards.toml", CARDS)
    with pytest.raises(BadPack, match="no such thing") as e:
        records(tables(pack, "cards.toml", "card"), Card, line=refuse)
    assert e.value.where.endswith("cards.toml:1")
