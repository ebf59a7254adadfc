"""`kessel analyze` on German commands: whom a card activates (5.2, 6) and where reserves are deployed (7)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.kharkov43.helpers import ask, german, position, soviet
from tests.games.kharkov43.helpers import bad as refusal
from tests.games.kharkov43.soviet_helpers import arena

RULE = "kharkov43"
rule = pytest.mark.rule
UNITS = [
    german("R1", "1812", corps="Raus"),
    german("R2", "1814", corps="Raus"),
    german("I1", "1811", corps="IISS"),
    german("X1", "1813", corps="XL"),
    german("L1", "1809", corps="LVII", status=["dispersed"]),
]


def asked(card: str, turn: int = 5, activated: str = "", used: bool = False, **q: Any) -> dict[str, Any]:
    g = position(board=arena(), turn=turn, units=UNITS, activated=activated, one_unit_used=used)
    return ask(g, "activate", card=card, **q)


@rule(RULE, "5.2a")
@rule(RULE, "5.2c")
@rule(RULE, "6.0e")
def test_a_corps_or_one_corps_of_an_army() -> None:
    assert asked("P23")["units"] == ["R1", "R2"]
    assert asked("P29", corps="Raus")["units"] == ["R1", "R2"], "for commands Raus is of 4th Panzer Army"
    assert asked("P29", corps="LVII")["units"] == ["L1"], "dispersed units too"
    assert asked("P29", corps="XL")["refusal"]["rule"] == "5.2"
    assert asked("P29", corps="XLVIII")["refusal"]["rule"] == "6.0", "nobody of it is on the map"
    assert asked("P41")["refusal"]["rule"] == "5.2", "a Kampfgruppe card"


@rule(RULE, "5.2d")
@rule(RULE, "5.2f")
@rule(RULE, "5.2g")
@rule(RULE, "6.2b")
@rule(RULE, "6.2c")
def test_a_kampfgruppe_takes_all_eligible_units_within_range() -> None:
    army = asked("P29", command="kampfgruppe", hex="1811")
    assert (army["range"], army["units"]) == (2, ["R1", "I1", "L1"])
    assert {n: r["rule"] for n, r in army["left_out"].items()} == {"X1": "5.2"}
    assert asked("P31", command="kampfgruppe", hex="1811")["units"] == ["R1", "R2", "I1", "X1", "L1"], "three hexes"
    assert asked("P32", turn=8, command="kampfgruppe", hex="1811")["range"] == 2
    assert asked("P41", command="kampfgruppe", hex="1816")["refusal"]["rule"] == "6.2"


@rule(RULE, "6.3a")
@rule(RULE, "6.3b")
@rule(RULE, "6.3c")
@rule(RULE, "6.3d")
def test_what_was_activated_in_the_preceding_impulse_is_barred() -> None:
    assert asked("P23", activated="Raus")["refusal"]["rule"] == "6.3"
    group = asked("P31", activated="Raus", command="kampfgruppe", hex="1811")
    assert (group["units"], group["left_out"]["R1"]["rule"]) == (["I1", "X1", "L1"], "6.3")
    assert asked("P32", turn=8, activated="Raus", corps="Raus")["legal"], "Von Manstein is free of it"
    assert asked("P41", activated="XL", command="one_unit", unit="X1")["refusal"]["rule"] == "6.3"


@rule(RULE, "5.2h")
@rule(RULE, "6.1b")
@rule(RULE, "6.1c")
def test_one_unit_by_any_card_once_a_turn() -> None:
    found = asked("P41", command="one_unit", unit="X1")
    assert (found["units"], found["may_attack"]) == (["X1"], False)
    assert asked("P41", used=True, command="one_unit", unit="X1")["refusal"]["rule"] == "6.1"


def test_an_activation_must_be_complete() -> None:
    g = position(board=arena(), turn=5, units=UNITS)
    assert refusal(g, "activate", card="P29")[0] == "$.corps"
    assert refusal(g, "activate", card="P29", corps="VII")[0] == "$.corps"
    assert refusal(g, "activate", card="P29", command="kampfgruppe")[0] == "$.hex"
    assert refusal(g, "activate", card="P29", command="one_unit")[0] == "$.unit"
    assert refusal(g, "activate", card="E01") == ("$.card", "E01 is a Soviet card")
    assert refusal(g, "activate", card="P99")[0] == "$.card"


# --- 7.1 -------------------------------------------------------------------------------------------------------------

NORTH, SOUTH = (" ".join(f"{r}06-{r}17" for r in rows) for rows in (range(15, 19), range(19, 23)))
AREAS = {"deploy_4pz": NORTH, "deploy_raus": NORTH, "deploy_1pz": SOUTH}
N = german("N", "reserve", corps="IISS")
M = german("M", "1814", corps="IISS")


def deploy(*others: Any, new: Any = N, hex: str = "", ground: dict[str, Any] | None = None, **doc: Any) -> Any:
    """A road from the west edge along row 18, and no other."""
    board = arena(roads_on=(18,), areas=AREAS, **(ground or {}))
    g = position(board=board, turn=5, units=[new, *others], **doc)
    return ask(g, "deploy", unit="N", hex=hex)


@rule(RULE, "7.1b")
@rule(RULE, "7.1c")
@rule(RULE, "7.1h")
@rule(RULE, "7.1i")
def test_tactical_deployment_on_a_supply_head_or_a_clear_hex_beside_it_near_the_corps() -> None:
    found = deploy(M)
    assert {"1811", "1712", "1817"} <= set(found["tactical"])
    assert not {"1810", "1612", "1914"} & set(found["tactical"]), "four from M; two off the road; another army's area"
    assert found["near"] == "units of its corps"
    assert "1712" not in deploy(M, ground={"terrain": {"1712": "woods"}})["tactical"]
    assert deploy(M, hex="1914")["refusal"]["rule"] == "7.1"
    assert deploy(german("M", "1814", corps="LVII"))["near"] == "units of its army"
    assert deploy(german("M", "1814", corps="Raus"))["tactical"] == [], "for deployment Raus is by itself"


@rule(RULE, "7.1d")
@rule(RULE, "7.1e")
@rule(RULE, "7.1f")
@rule(RULE, "7.1g")
def test_tactical_deployment_keeps_three_hexes_from_enemies_two_on_the_edge() -> None:
    assert "1811" in deploy(M, soviet("S", "1808"))["tactical"]
    assert "1811" not in deploy(M, soviet("S", "1809"))["tactical"]
    assert deploy(M, soviet("S", "1809"), hex="1811")["refusal"]["rule"] == "7.1"
    assert "1811" in deploy(M, soviet("S", "1809", status=["isolated"]))["tactical"]
    assert "1817" in deploy(M, soviet("S", "1617"))["tactical"], "two hexes away, on the edge"
    assert "1717" not in deploy(M, soviet("S", "1617"))["tactical"], "one hex away"
    village = {"features": {"1812": "village"}}
    assert {"1812", "1813"} & set(deploy(M, ground=village, garrisons="1812")["tactical"]) == {"1813"}


@rule(RULE, "7.1j")
@rule(RULE, "7.1k")
def test_strategic_deployment_keeps_five_hexes() -> None:
    assert "1810" in deploy(M)["strategic"]
    found = deploy(M, soviet("S", "1808"))
    assert {"1812", "1813"} & set(found["strategic"]) == {"1813"}
    assert deploy(M, soviet("S", "1808"), hex="1813")["ways"] == ["tactical", "strategic"]
    village = {"features": {"1812": "village"}}
    assert "1813" not in deploy(M, ground=village, garrisons="1812")["strategic"]


@rule(RULE, "7.0a")
def test_only_german_reserves_are_deployed() -> None:
    g = position(board=arena(), turn=5, units=[M, german("C", "calendar", corps="IISS"), soviet("S", "reserve")])
    for name in ("S", "X"):
        assert refusal(g, "deploy", unit=name)[0] == "$.unit"
    for name in ("M", "C"):
        found = ask(g, "deploy", unit=name)
        assert (found["legal"], found["refusal"]["rule"], found["tactical"]) == (False, "7.0", [])
        assert ask(g, "deploy", unit=name, hex="1811")["refusal"]["rule"] == "7.0"
