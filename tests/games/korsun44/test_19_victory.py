"""3.2.G, 19-21 Victory: what the scenarios count."""

from __future__ import annotations

import pytest

from kessel.core.dice import Dice
from kessel.games.korsun44.answers.milestones import CLOSE, CLOSED, RELIEF, milestones
from kessel.games.korsun44.board import DEAD, OOS1, SAVED, SOVIET, STEMMERMANN, Board
from kessel.games.korsun44.special.victory import is_brigade, is_joined, outcome, score
from kessel.games.korsun44.supply.determination import supplied_from_edge
from kessel.games.korsun44.turn.setup import new_board

from .helpers import PACK, h, position, u, unit
from .supply_helpers import row, supply_board


def game(scenario: str) -> Board:
    return new_board(PACK, scenario, {}, Dice(1))


def lines(g: Board, word: str) -> list[int]:
    return [int(i.value) for i in score(g) if word in i.what]


@pytest.mark.rule("korsun44", "3.2.GA")
def test_korsun_cut_off_from_every_edge() -> None:
    g = game("closing-the-ring")
    assert not lines(g, "is cut off")
    ring = [v for v in g.on_the_map(SOVIET) if g.forces.counters[v].size == "division"][:6]
    for v, n in zip(ring, g.map.grid.around[h(g, "2715")], strict=True):
        g.put(v, n)
    assert lines(g, "is cut off") == [-15]


@pytest.mark.rule("korsun44", "3.2.GA")
def test_an_open_road_to_korsun_counts_for_the_germans(campaign: Board) -> None:
    assert lines(campaign, "is open") == [15]
    ring = [v for v in campaign.on_the_map(SOVIET) if campaign.forces.counters[v].size == "division"][:6]
    for v, n in zip(ring, campaign.map.grid.around[h(campaign, "2715")], strict=True):
        campaign.put(v, n)
    assert not lines(campaign, "is open")


def test_a_ring_is_closed_when_no_way_leads_out(campaign: Board) -> None:
    """13.3 is the rule of what closes a way; the relief counts when it stands outside, ten hexes from those inside."""
    assert milestones(campaign) == []
    ring = [v for v in campaign.on_the_map(SOVIET) if campaign.forces.counters[v].size == "division"][:6]
    for v, n in zip(ring, campaign.map.grid.around[h(campaign, "2715")], strict=True):
        campaign.put(v, n)
    assert milestones(campaign) == [CLOSED], "nobody is inside"
    inside, relief = (
        next(v for v in campaign.on_the_map(0) if campaign.forces.corps[v] == k) for k in ("42K", "47PzK")
    )
    campaign.put(inside, h(campaign, "2715"))
    for at, found in (("2724", [CLOSED, CLOSE]), ("2729", [CLOSED])):
        for v in campaign.on_the_map(0):
            if campaign.forces.corps[v] in RELIEF and v != relief:
                campaign.take_off(v, DEAD)
        campaign.put(relief, h(campaign, at))
        assert milestones(campaign) == found, at


@pytest.mark.rule("korsun44", "3.2.GA")
def test_brigades_by_column_and_supply() -> None:
    g = game("kapitanovka")
    brigade = next(v for v in g.on_the_map(SOVIET) if is_brigade(g, v))
    name = g.name(brigade)
    assert not lines(g, name)
    g.put(brigade, h(g, "3922"))
    assert lines(g, name) == [-2]
    g.set_status(brigade, OOS1)
    assert lines(g, name) == [2]
    g.put(brigade, h(g, "5030"))
    assert not lines(g, name)


@pytest.mark.rule("korsun44", "3.2.GA")
def test_units_near_a_place_and_armor_lost() -> None:
    g = game("wanda")
    tank = next(v for v in g.forces.of_side(0) if g.forces.type[v] == "PzV")
    g.steps[tank] = 2
    g.put(tank, h(g, "2126"))
    assert lines(g, g.name(tank)) == [2]
    g.set_status(tank, OOS1)
    assert not lines(g, g.name(tank))
    before = score(g).total
    for _ in range(2):
        g.steps[tank] = 2
        g.lose_step(tank, "12.12")
    assert score(g).total == before - 1


@pytest.mark.rule("korsun44", "16.5.3.5", "16.5.1.1c", "16.5.4.5")
def test_steps_out_of_the_pocket() -> None:
    g = game("lysyanka")
    regiment = next(v for v in g.on_the_map(0) if g.forces.corps[v] == "42K" and g.steps[v] > 1)
    before = lines(g, "steps out")
    steps = g.steps[regiment]
    assert g.status[regiment] & STEMMERMANN
    g.take_off(regiment, SAVED)
    after = lines(g, "steps out")
    assert sum(after) == sum(before) + steps
    g.box[regiment] = DEAD
    assert lines(g, "steps out") == before


@pytest.mark.rule("korsun44", "3.2.GA")
@pytest.mark.parametrize(
    "scenario", ["kapitanovka", "tinovka", "closing-the-ring", "vormann", "wanda", "lysyanka", "campaign"]
)
def test_every_scenario_has_a_result(scenario: str) -> None:
    g = game(scenario)
    out = outcome(g)
    assert out.level in {x.name for x in g.scenario.levels}


@pytest.mark.rule("korsun44", "3.2.GA")
def test_brigades_cut_off_east_of_the_column() -> None:
    g = game("tinovka")
    brigade = next(v for v in g.on_the_map(1) if g.forces.star[v])
    g.set_status(brigade, OOS1)
    for at, points in (("1125", []), ("1225", [2]), ("2025", [2])):
        g.put(brigade, h(g, at))
        assert lines(g, f"{g.name(brigade)} out of supply") == points


@pytest.mark.rule("korsun44", "3.2.GA", "13.4.1e")
@pytest.mark.parametrize(("at", "supplied"), [("0,0", True), ("0,2", False), ("10,0", True), ("-8,0", True)])
def test_who_stands_on_the_road_of_its_sdm_is_supplied_from_the_edge(at: str, supplied: bool) -> None:
    doc = supply_board(sources={"-12,0": "1PzA"}, roads=(("secondary", row(-12, 12)),))
    g = position(unit("SDM1.42K", "12,0"), unit("245.88ID", at), on=doc)
    assert supplied_from_edge(g, u(g, "245.88ID")) == supplied


@pytest.mark.rule("korsun44", "3.2.GA", "13.1.1b")
@pytest.mark.parametrize("kind", ["railroad", "secondary"])
def test_a_place_is_joined_to_the_edge_by_road_or_railroad(kind: str) -> None:
    doc = supply_board(6, sources={"-6,0": "1PzA"}, roads=((kind, row(-6, 3)),))
    g = position(on=doc)
    assert is_joined(g, h(g, "3,0"))
    assert not is_joined(g, h(g, "4,0"))
    assert not is_joined(g, h(g, "3,1"))
    g = position(unit("20G.5GTkC", "0,0"), on=doc)
    assert not is_joined(g, h(g, "3,0"))
