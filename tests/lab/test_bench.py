"""What `kessel bench` prints."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from kessel.core.pack import Pack
from kessel.core.title import titles
from kessel.lab import bench


def test_names_are_whole_on_a_narrow_terminal() -> None:
    names = [f"playout-{t.id}-{s.id}" for t in titles().values() for s in t.scenarios(Pack(t.id))]
    found = {name: bench.entry(11234.56, "steps/cpu s", 14321.0, 0.0784, "ours / chess") for name in names}
    found["copy-apply"] = bench.entry(1.25, "us", 0.5, 2.5, "ours / two copies")
    shown = io.StringIO()
    bench.show_benchmarks(found, Console(file=shown, width=80))
    text = shown.getvalue()
    assert all(name in text for name in found)
    assert "11,234.6" in text
    assert "0.078" in text
    assert text.index("ours / chess (steps/cpu s)") < text.index(names[0]) < text.index("ours / two copies (us)")


def test_the_step_of_another_machine_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "playout_steps_per_second", lambda *_: (13000.0, 9000.0))
    found = bench.playout_benchmarks("playout-stalingrad42-fall-blau")
    assert found["playout-stalingrad42-fall-blau"]["ratio"] == 1.44
    rally = found["playout-stalingrad42-fall-blau-rally"]
    assert (rally["ratio"], rally["reference"]) == (2.0, 6500.0)
    assert "not of this run" in rally["against"]
