"""What a player sees beside counters: markers of bridges, fords, airfields, and tracks."""

from __future__ import annotations

import pytest

from kessel.games.korsun44.answers.view import side_view
from kessel.games.korsun44.board import FORD_SOVIET, GERMAN, SOVIET, Board

from .fights import D1, R1
from .helpers import board, position, unit


def markers(g: Board, side: int | None = None) -> set[tuple[str, str]]:
    return {(m.kind, m.hexside or m.place) for m in side_view(g, side).markers}


@pytest.mark.rule("korsun44", "18.3.p3", "15.2.4.1", "15.1.1a")
def test_bridges_and_works() -> None:
    on = board(sides={"0,0|1,0": "river", "0,1|1,1": "river", "0,2|1,2": "river"}, roads=[("secondary", "0,0 1,0")])
    g = position(
        unit(R1, "0,0"), unit(D1, "3,0"), on=on, options={"bridge_collapse": "on"}, improved_positions="2,2",
        bridges={"0,0|1,0": {"ok": True}, "0,1|1,1": {"kind": "J"}}, minefields={"3,0": {"facing": "N"}},
        rail_cuts="1,0", tracks={"airfield_at": "0,1", "airfield_state": 1, "depot_at": "0,2", "depot_state": 2},
    )  # fmt: skip
    found = markers(g)
    assert ("bridge OK", "0,0|1,0") in found
    assert ("bridge", "0,1|1,1") in found
    assert {("improved position", "2,2"), ("minefield", "3,0"), ("rail cut", "1,0")} <= found
    assert {("alternate airfield under construction", "0,1"), ("alternate depot", "0,2")} <= found
    g.set_bridge(0, 1)
    assert ("bridge destroyed", "0,0|1,0") in markers(g)


@pytest.mark.rule("korsun44", "18.6.2")
def test_fords(campaign: Board) -> None:
    assert not any(kind == "ford" for kind, _ in markers(campaign))
    campaign.fords[0] |= FORD_SOVIET
    name = campaign.map.grid.hexside_name(campaign.ground.ford_sides[0])
    assert ("ford", name) in markers(campaign)


def test_tracks_are_shown_when_there_is_something_on_them() -> None:
    g = position(tracks={"korsun_declared": 4, "uman_korsun": 3, "wanda_end": 20, "korsun_sp": 12}, air={"german": 2})
    found = {t.name: t.value for t in side_view(g, SOVIET).tracks}
    assert found["Korsun isolated on turn"] == 4
    assert found["Uman: points for Korsun"] == 3
    assert found["Operation Wanda ends on turn"] == 20
    assert (found["Korsun supply"], found["German air missions"]) == (12, 2)
    assert "Breakout on turn" not in found
    said = {t.name for t in side_view(g, SOVIET).tracks if t.says}
    assert {"Korsun supply", "German air missions"} <= said
    assert not [name for name in said if "replacements" in name or "Ukrainian" in name], "nothing is on them"
    assert {t.name for t in side_view(g, GERMAN).tracks} == set(found)
