"""Switches and optional rules of a pack, and how a game is started with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kessel.core.errors import BadInput, BadPack
from kessel.core.pack import Pack
from kessel.wargame.readings import Readings

TOML = """
[switches]
provenance = "reconstructed"
[switches.closer]
rule = "9.2"
choices = ["at_end", "every_hex"]
note = "when it stops, or with every hex"
[options.leaders]
rule = "28.0"
default = "off"
"""


def readings(folder: Path, text: str = TOML) -> Readings:
    (folder / "pack.toml").write_text(text)
    return Readings(Pack("ours", root=folder))


def test_what_is_not_chosen_is_at_its_default(tmp_path: Path) -> None:
    r = readings(tmp_path)
    assert r.chosen({}) == {"leaders": "off", "closer": "at_end"}
    assert r.chosen({"closer": "every_hex"})["closer"] == "every_hex"


def test_unknown_options_and_values_are_refused_with_their_place(tmp_path: Path) -> None:
    r = readings(tmp_path)
    with pytest.raises(BadInput, match=r"\$\.options\.fog: there is no option 'fog'; there are leaders, closer"):
        r.chosen({"fog": "on"}, "$.options")
    with pytest.raises(BadInput, match=r"closer is one of at_end, every_hex, not 'never'"):
        r.chosen({"closer": "never"})


def test_a_scenario_has_defaults_of_its_own_and_settles_some(tmp_path: Path) -> None:
    listed = readings(tmp_path).listed({"leaders": "on"}, without=("closer",))
    assert [(o.id, o.name, o.values, o.default) for o in listed] == [("leaders", "Leaders", ("off", "on"), "on")]


def test_a_broken_switch_names_file_and_key(tmp_path: Path) -> None:
    with pytest.raises(BadPack, match=r"switches: closer: .*choices"):
        readings(tmp_path, '[switches.closer]\nrule = "9.2"\n')
