"""What is wrong with a pack of The Jaws of Victory is told by file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kessel.core.board import NOWHERE
from kessel.core.errors import BadPack
from kessel.core.pack import Pack
from kessel.games.korsun44.board import ALERT
from kessel.games.korsun44.data.charts import charts_of
from kessel.games.korsun44.data.forces import read_forces

from .helpers import position, u, unit

PACK = Pack("korsun44", overlays=())


def with_file(tmp_path: Path, name: str, old: str, new: str) -> Pack:
    """The pack with one file changed."""
    text = PACK.text(name)
    assert old in text
    path = tmp_path / "korsun44" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return Pack("korsun44", overlays=(tmp_path,))


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("counters.csv", ",infantry,regiment,foot,B,4,", ",infantry,regiment,foot,Z,4,", "german_Z"),
        ("counters.csv", ",infantry,regiment,foot,B,4,", ",infantery,regiment,foot,B,4,", "infantery"),
        ("counters.csv", ",2,5 3,yes,", ",2,5 3 1,yes,", "2 strengths"),
        ("counters.csv", ",german,unit,", ",german,soldier,", "soldier"),
        ("tables/crt.csv", ",1/1DR", ",1/1DX", "1DX"),
        ("tables/terrain.csv", "1/3", "1/7", "1/6"),
        ("tables/turns.csv", "47PzK:1", "48PzK:1", "48PzK"),
        ("tables/unit-types.csv", "Cavalry,infantry", "Cavalry,horse", "horse"),
        ("pack.toml", "stack = 3 ", 'stack = "three" ', "stack"),
        ("pack.toml", "zoc_steps = 3 ", "zoc_step = 3 ", "zoc_step"),
        ("pack.toml", 'choices = ["each", "once"]', 'choices = "each"', "division_shift"),
    ],
)
def test_a_fault_names_file_and_line(tmp_path: Path, name: str, old: str, new: str, told: str) -> None:
    pack = with_file(tmp_path, name, old, new)
    line = PACK.text(name)[: PACK.text(name).index(old)].count("\n") + 1
    with pytest.raises(BadPack) as e:
        read_forces(pack, charts_of(pack))
    assert told in str(e.value)
    assert f"{name}:{line}" in e.value.where or (name == "pack.toml" and f"{name}:" in e.value.where)


def test_an_owner_may_change_one_counter(tmp_path: Path) -> None:
    folder = tmp_path / "korsun44"
    folder.mkdir()
    (folder / "counters-overlay.csv").write_text("id,faces\nI-2.16Pz,12 8 4\n")
    pack = Pack("korsun44", overlays=(tmp_path,))
    forces = read_forces(pack, charts_of(pack))
    assert forces.strength[forces.unit("I-2.16Pz")] == (0, 4, 8, 12)


def test_what_is_wrong_with_a_position() -> None:
    g = position(unit("245.88ID", "0,0"), unit("Alarm1", "1,0", status="alarm"))
    assert g.faults() == []
    away = g.copy()
    away.move(u(g, "Alarm1"), NOWHERE)
    assert away.faults() == ["Alarm1 is alert but nowhere"]
    other = g.copy()
    other.status[u(g, "246.88ID")] |= ALERT
    assert other.faults() == [], "only alarm units have that side"
    empty = g.copy()
    empty.steps[u(g, "245.88ID")] = 0
    assert empty.faults() == ["245.88ID is on the map without a step"]
