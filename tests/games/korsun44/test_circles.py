"""Random play never comes back to a position it was in: whatever can be chosen leads on."""

from __future__ import annotations

import pytest

from kessel.bots import RandomPlayer
from kessel.core.game import Game
from kessel.games.korsun44.board import GERMAN, SOVIET
from kessel.games.korsun44.supply.phases import Determination, MarkerPhase

from .helpers import choices, play, position, refused, start, u, unit
from .supply_helpers import row, supply_board

ROAD = (("secondary", row(-12, 12)),)
EDGE = {"-12,0": "1PzA", "12,0": "27A"}
REGIMENT, DIVISION = "245.88ID", "180.27A"

RULES = {"trucks": "on", "fords": "on", "partisans": "on", "bridge_collapse": "on", "sdm_relay": "on"}


@pytest.mark.parametrize(("scenario", "seed"), [("kapitanovka", 8), ("lysyanka", 1), ("campaign", 2)])
def test_random_play_never_goes_round_in_circles(scenario: str, seed: int) -> None:
    playing = Game.new("korsun44", scenario, seed=seed, options=RULES)
    program = RandomPlayer(seed)
    seen = {playing.board.digest()}
    while not playing.over and len(playing.entries) < 600:
        playing.play(program.choose(playing.title, playing.board, playing.side))
        digest = playing.board.digest()
        assert digest not in seen, [e.text for e in playing.entries[-8:]]
        seen.add(digest)


@pytest.mark.rule("korsun44", "12.4.r")
def test_an_sdm_is_named_for_a_unit_once_in_a_phase() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(
        unit("SDM1.42K", "0,0"), unit("SDM2.42K", "1,0"), unit(REGIMENT, "0,2"), unit("246.88ID", "0,3"), on=doc
    )
    start(g, Determination(GERMAN))
    first = g.supplier[u(g, REGIMENT)]
    other = next(s for s in ("SDM1.42K", "SDM2.42K") if u(g, s) != first)
    play(g, f"supplied_by {REGIMENT} {other}")
    assert g.supplier[u(g, REGIMENT)] == u(g, other)
    assert {c.split()[1] for c in choices(g) if c != "pass"} == {"246.88ID"}
    assert "in this phase" in refused(g, f"supplied_by {REGIMENT} {g.name(first)}").reason


@pytest.mark.rule("korsun44", "12.4.r", "13.2.2a")
def test_the_owner_names_one_of_the_two_sdms_of_an_army() -> None:
    g = position(
        unit("SDM1.27A", "8,0"), unit("SDM2.27A", "7,0"), unit(DIVISION, "8,2"),
        on=supply_board(sources=EDGE, roads=ROAD),
    )  # fmt: skip
    start(g, Determination(SOVIET))
    assert g.supplier[u(g, DIVISION)] == u(g, "SDM1.27A"), "the nearest"
    assert choices(g) == ["pass", f"supplied_by {DIVISION} SDM2.27A"]
    play(g, f"supplied_by {DIVISION} SDM2.27A")
    assert g.supplier[u(g, DIVISION)] == u(g, "SDM2.27A")


@pytest.mark.rule("korsun44", "13.2.1a")
def test_an_sdm_is_placed_once_in_a_turn() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(unit("SDM1.42K", "0,0"), unit("SDM2.42K", "0,0"), on=doc)
    start(g, MarkerPhase(GERMAN))
    play(g, "place_sdm SDM1.42K", "at 1,0")
    assert choices(g) == ["pass", "place_sdm SDM2.42K"]
    assert "moves no more" in refused(g, "place_sdm SDM1.42K").reason


@pytest.mark.rule("korsun44", "13.4.3.1", "13.4.3.2")
def test_a_unit_is_named_for_transfer_once_in_a_phase() -> None:
    doc = supply_board(sources=EDGE, roads=ROAD)
    g = position(unit("SDM1.7K", "0,0"), unit(REGIMENT, "0,2"), unit("246.88ID", "0,3"), on=doc)
    start(g, Determination(GERMAN))
    play(g, f"transfer {REGIMENT} 3PzK")
    assert refused(g, f"transfer {REGIMENT} 7K").reason == f"{REGIMENT} was named for transfer in this phase"
    assert {c.split()[1] for c in choices(g) if c != "pass"} == {"246.88ID"}
    start(g, Determination(GERMAN))
    assert f"transfer {REGIMENT} 7K" in choices(g), "it has no path to 3rd Panzer Korps either"
