"""Where the values of the pack of Kharkov '43 come from: marks name what exists, what the text states is stated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kessel.core.provenance import provenance_of
from tests.games.kharkov43.pack_facts import CARDS, PACK, UNITS

LISTS = {
    "cards-soviet.toml": "card",
    "cards-german.toml": "card",
    "events.toml": "event",
    "tactics.toml": "tactic",
}


def entries(name: str) -> dict[str, dict[str, Any]]:
    return {e["id"]: e for e in PACK.toml(name)[LISTS[name]]}


def stated(entry: dict[str, Any]) -> set[str]:
    return set(entry.get("stated", "").split())


def marked() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in LISTS:
        yield from ((f"{name} {i}", e) for i, e in entries(name).items())


@pytest.mark.parametrize(("where", "entry"), list(marked()), ids=[w for w, _ in marked()])
def test_stated_names_keys_that_are_there(where: str, entry: dict[str, Any]) -> None:
    assert stated(entry) <= set(entry), where


def test_the_reports_of_the_set_up_are_stated_and_their_paths_are_not() -> None:
    told = {"army", "command", "drawn", "auxiliary", "tactics", "overwhelming", "target"}
    for adjustment in PACK.toml("adjustments.toml")["adjustment"]:
        for attack in adjustment["attack"]:
            assert attack["provenance"] == "reconstructed"
            assert stated(attack) == told
            assert {"army", "command", "tactics", "target"} <= set(attack)


@pytest.mark.parametrize("card", ["E01", "E02", "E03", "E05", "E08", "E11", "E17", "E20", "E22"])
def test_cards_that_survive_as_text_are_stated(card: str) -> None:
    assert {"commands", "tactics", "primary", "reuse"} <= stated(entries("cards-soviet.toml")[card])


def test_command_values_the_text_shows_are_stated_and_no_others() -> None:
    found = {c: e["command_value"] for c, e in entries("cards-soviet.toml").items() if "command_value" in stated(e)}
    assert found == {"E03": 1, "E11": 3, "E17": 3, "E20": 4}


def test_wild_cards_may_do_what_the_rules_say_of_their_kind() -> None:
    """5.2-5.4, 12.33, 12.34."""
    german = entries("cards-german.toml")
    for card in ("P29", "P30", "P31", "P32"):
        assert "commands" in stated(german[card])
        assert CARDS[card].kind in ("army", "army_group", "manstein")
    assert "activation_tactic" in stated(german["P32"])


@pytest.mark.parametrize(
    ("event", "keys"),
    [
        ("forward_support", {"most_on_map", "range", "turns"}),
        ("engineers", {"hexes"}),
        ("air_interdiction", {"marker", "count"}),
        ("garrison_voronezh", {"front"}),
        ("garrison_southwest", {"front"}),
    ],
)
def test_numbers_of_events_in_the_rules_are_stated(event: str, keys: set[str]) -> None:
    """13.53, 13.54, 14.21, 15.11."""
    assert keys <= stated(entries("events.toml")[event])


def test_types_the_examples_name_are_stated() -> None:
    """2.21 (cavalry), 10.6 B (armor), 16.1 (mechanized; the 333rd is infantry)."""
    for unit in ("1GC.3T", "73.19P.III", "Wes.Wik.XL", "679.333.XL"):
        assert "type" in UNITS[unit].words("stated")


def test_no_strength_is_called_stated() -> None:
    assert not [u for u, r in UNITS.items() if "faces" in r.words("stated")]
    counts = provenance_of(PACK)
    assert counts["public"] == 0
    assert 900 < counts["stated"] < counts["reconstructed"]
