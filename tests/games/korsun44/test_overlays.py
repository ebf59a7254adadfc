"""Layers of the map: zones, supply, objectives."""

from __future__ import annotations

import pytest

from kessel.games.korsun44.answers.overlays import overlays
from kessel.games.korsun44.board import SIDES, Board
from kessel.games.korsun44.supply.determination import supply_of

from .fights import D1, R1, R2
from .helpers import position, u, unit
from .supply_helpers import row, supply_board


@pytest.mark.rule("korsun44", "10.1.1a", "13.4.1d")
def test_zones_and_supply() -> None:
    on = supply_board(10, sources={"-10,0": "1PzA"}, roads=(("secondary", row(-10, 10)),))
    g = position(unit(R1, "0,0"), unit(R2, "6,0"), unit(D1, "9,0"), unit("SDM1.42K", "-2,0"), on=on)
    found = overlays(g)
    assert "1,0" in found["German ZOC"]["hexes"]
    assert "8,0" in found["Soviet ZOC"]["hexes"]
    for name in (R1, R2):
        here = g.hex_name(g.place[u(g, name)])
        assert (here in found["German supply"]["hexes"]) == bool(supply_of(g, u(g, name)))
    assert found["Soviet supply"]["hexes"] == []


def test_objectives_and_their_owners(campaign: Board) -> None:
    found = overlays(campaign)["Objectives"]["hexes"]
    assert found
    for name, owner in found.items():
        side = campaign.control[campaign.map.grid.hex(name)]
        assert owner == (SIDES[side] if side < 2 else "nobody")
