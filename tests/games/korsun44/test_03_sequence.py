"""3.0 The sequence of play."""

from __future__ import annotations

import pytest

from kessel.core.dice import Dice
from kessel.core.procedure import PASS, Procedure, apply, legal, run
from kessel.games.korsun44.board import FOR_TURN, GERMAN, PHASES, SIDES, SOVIET, Board
from kessel.games.korsun44.combat.phase import CombatPhase
from kessel.games.korsun44.sequence import GermanTurn, SovietTurn
from kessel.games.korsun44.supply.air_supply import AirSupplyStage
from kessel.games.korsun44.supply.phases import SupplyStage

from .helpers import PACK, TITLE

SOVIET_TURN = ("Event", "Replacement/Reinforcement", "Movement", "Combat", "Engineering", "Disorganization/Regroup")


def play_through(scenario: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Board, list[tuple[int, str]]]:
    """A game of passes, and the phases it went through by turn."""
    seen: list[tuple[int, str]] = []
    true = Board.set_track

    def set_track(self: Board, name: str, value: int) -> None:
        true(self, name, value)
        if name == "phase":
            word = PHASES[value]
            who = "" if word.endswith("Stage") else f"{SIDES[self.phasing]} "
            seen.append((self.turn, who + word))

    monkeypatch.setattr(Board, "set_track", set_track)
    g = TITLE.new(PACK, scenario, {}, Dice(4))
    assert isinstance(g, Board)
    run(g)
    while g.stack:
        actions = legal(g)
        apply(g, PASS if PASS in actions else actions[0])
    return g, seen


@pytest.mark.rule("korsun44", "3.1a", "3.2.GB", "3.2.E3B", "3.2.F3", "3.2.F4", "3.2.E5", "3.2.F5")
def test_every_turn_goes_through_all_phases_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    g, seen = play_through("kapitanovka", monkeypatch)
    expected = ["Weather Stage", "Mutual Air Stage", "Mutual Supply Stage", "German Air Supply Stage"]
    expected += [f"soviet {p} Phase" for p in SOVIET_TURN]
    expected += [f"german {p} Phase" for p in (*SOVIET_TURN, "Breakout")]
    expected += ["Game-Turn Stage"]
    for turn in range(g.scenario.first_turn, g.scenario.last_turn + 1):
        assert [p for t, p in seen if t == turn] == expected
    assert g.turn == g.scenario.last_turn + 1
    assert TITLE.outcome(g) is not None


@pytest.mark.rule("korsun44", "3.2.GB")
@pytest.mark.parametrize("scenario", PACK.scenarios())
def test_every_scenario_is_played_to_its_last_turn(scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    g, seen = play_through(scenario, monkeypatch)
    assert {t for t, _ in seen} == set(range(g.scenario.first_turn, g.scenario.last_turn + 1))
    assert g.faults() == []


def test_a_turn_begins_without_the_flags_of_the_last_one() -> None:
    g = TITLE.new(PACK, "tinovka", {}, Dice(4))
    assert isinstance(g, Board)
    for u in (*g.on_the_map(GERMAN), *g.on_the_map(SOVIET)):
        g.set_status(u, FOR_TURN)
    run(g)
    assert not any(g.status[u] & FOR_TURN for u in (*g.on_the_map(GERMAN), *g.on_the_map(SOVIET)))


def steps_of(p: Procedure, g: Board) -> list[str]:
    """What each step of a procedure leads to, in order."""
    return [type(out).__name__ for s in p.steps if s.who is None and (out := s.fn(p, g)) is not None]


@pytest.mark.rule("korsun44", "3.2.C1", "3.2.C2", "3.2.C3", "3.2.C4", "3.2.C5", "3.2.C6")
def test_the_mutual_supply_stage(campaign: Board) -> None:
    assert steps_of(SupplyStage(), campaign) == [
        "MarkerPhase", "MarkerPhase", "DepotTransfer", "RailReduction", "Determination", "Determination",
        "ExtendedSupply", "ExtendedSupply", "Resupply", "Resupply", "SovietDrop", "SovietDrop",
    ]  # fmt: skip
    names = [s.name for s in SupplyStage.steps]
    assert names.index("german_markers") < names.index("receive") < names.index("soviet_units")
    sdm = next(s for s in campaign.forces.of_role[SOVIET][6] if campaign.steps[s])
    campaign.place_sdm(sdm, next(iter(campaign.map.grid.hexes)))
    campaign.sdm_sp[sdm] = 9
    SupplyStage.steps[names.index("receive")].fn(SupplyStage(), campaign)
    assert campaign.sdm_sp[sdm] < 9, "points are received, what was there is lost"


@pytest.mark.rule("korsun44", "3.2.D1", "3.2.D2", "3.2.D3", "3.2.D4")
def test_the_german_air_supply_stage(campaign: Board) -> None:
    assert [s.name for s in AirSupplyStage.steps][:4] == ["drops", "lift", "allocate_drops", "allocate_lift"]
    campaign.set_track("uman_drop", 2)
    campaign.set_track("uman_korsun", 3)
    campaign.set_track("turn", 10)
    run_on(campaign, AirSupplyStage())
    assert campaign.track("uman_korsun") == 0, "what was allocated last turn is flown before this turn's allocation"
    while "drop_to" in {a[0] for a in legal(campaign)}:
        apply(campaign, PASS)
    assert {a[0] for a in legal(campaign)} == {"pass", "allocate_drops"}


def run_on(g: Board, p: Procedure) -> None:
    g.stack = [p]
    g.dice = Dice(3)
    run(g)


@pytest.mark.rule("korsun44", "3.2.E1A", "3.2.E1B", "3.2.E1C", "3.2.E1D", "3.2.E2A", "3.2.E2B")
def test_the_soviet_player_turn(campaign: Board) -> None:
    campaign.set_track("turn", 2)
    assert steps_of(SovietTurn(), campaign) == [
        "Redeployment", "Creation", "BarrageSegment", "Intervention", "ReplacementSegment", "ReinforcementSegment",
        "MovementPhase", "CombatPhase", "EngineeringPhase",
    ]  # fmt: skip


@pytest.mark.rule("korsun44", "3.2.E4A", "3.2.E4B", "3.2.E4C", "3.2.E4D", "3.2.E4E", "3.2.E4F", "3.2.F4")
def test_the_combat_phase_of_either_side(campaign: Board) -> None:
    common = ["Breakthrough", "ReserveMovement", "Declaration", "NoRetreatDeclaration", "Resolution"]
    first = ["Declaration", "SovietAir", "NoRetreatDeclaration"]
    soviet = steps_of(CombatPhase(SOVIET), campaign)
    assert soviet == [*first, "ArmorReaction", "Resolution", *common, "Overstacked"]
    german = steps_of(CombatPhase(GERMAN), campaign)
    assert german == [*first, "Resolution", *common, "NightWithdrawal", "Overstacked"]


@pytest.mark.rule("korsun44", "3.2.F1A", "3.2.F1B", "3.2.F1C", "3.2.F2A", "3.2.F2B", "3.2.F7")
@pytest.mark.parametrize("declared", [False, True])
def test_the_german_player_turn(campaign: Board, declared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = []
    monkeypatch.setattr("kessel.games.korsun44.special.declarations.check_reliability", checked.append)
    campaign.set_track("turn", 2)
    campaign.set_track("breakout", 2 if declared else 0)
    assert steps_of(GermanTurn(), campaign) == [
        "Release", "SpecialDeclarations", "ReplacementSegment", "SpecialReplacements", "Panzer24",
        "ReinforcementSegment", "MovementPhase", "CombatPhase", "EngineeringPhase", *["BreakoutPhase"] * declared,
    ]  # fmt: skip
    assert checked == [campaign], "the armor reliability roll ends the Event Phase"
    names = [s.name for s in GermanTurn.steps]
    assert names[:4] == ["release", "declarations", "reliability", "replacements"]
