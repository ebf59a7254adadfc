"""17 Victory conditions and 18 scenarios, with ground conditions."""

from __future__ import annotations

import pytest

from kessel.core.dice import Dice, Scripted
from kessel.core.game import Game
from kessel.core.hexset import members
from kessel.core.procedure import DONE, PASS, Call, apply, legal, run
from kessel.games.kharkov43.board import (
    ACTIVE,
    AVAILABLE,
    CALENDAR,
    DISCARD,
    DRAW,
    ELIMINATED,
    FROZEN,
    HAND,
    HEAVY_MUD,
    LIGHT_MUD,
    OUT,
    RESERVE,
    Board,
)
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.data.scenario import read_scenario
from kessel.games.kharkov43.movement.movement import move_unit
from kessel.games.kharkov43.sequence import Campaign, GameTurn, SupplyPhase, end_turn
from kessel.games.kharkov43.system.soviet_activation import SovietActivation
from kessel.games.kharkov43.title import TITLE
from kessel.games.kharkov43.turn.german_cards import german_pile
from kessel.games.kharkov43.turn.ground_conditions import SET_ASIDE, UNSEEN, reveal_ground
from kessel.games.kharkov43.turn.setup import new_board
from kessel.games.kharkov43.turn.victory import GameOver, check_turn, level_at_end, outcome

from .helpers import PACK, hx, names, unit

rule = pytest.mark.rule
example = pytest.mark.example


def at_turn(scenario: str, turn: int, vp: int = 2, ground: int = FROZEN) -> Board:
    g = new_board(PACK, read_scenario(PACK, scenario), {})
    g.set_track("turn", turn)
    g.set_track("vp", vp)
    g.set_track("ground", ground)
    g.dice = Dice(1)
    return g


def level(g: Board) -> str:
    return g.charts.levels[g.track("result") - 1] if g.track("result") else ""


def take(g: Board, town: str) -> None:
    g.set_owner(hx(g, town), SOVIET)


@rule("kharkov43", "17.2a")
@rule("kharkov43", "18.1a")
@rule("kharkov43", "18.1c")
def test_the_initial_assault():
    scenario = read_scenario(PACK, "initial-assault")
    assert (scenario.first_turn, scenario.last_turn) == (1, 2)
    for vp, expected in ((8, "german_tactical_victory"), (9, "german_tactical_defeat"), (0, "german_tactical_victory")):
        g = at_turn("initial-assault", 2, vp)
        check_turn(g)
        assert level(g) == expected
    early = at_turn("initial-assault", 1, 12)
    check_turn(early)
    assert not level(early), "not before the end of turn 2"


@rule("kharkov43", "18.1b")
@rule("kharkov43", "2.1l")
def test_the_initial_assault_is_lost_at_once_with_kharkov_and_a_unit_past_the_west_line():
    def play(kharkov: bool, to: str) -> Board:
        g = at_turn("initial-assault", 1)
        g.stack = [GameTurn()]
        if kharkov:
            take(g, "0912")
        mover = g.on_map_of(SOVIET)[0]
        move_unit(g, mover, hx(g, to))
        return g

    assert level(play(False, "0117")) == ""
    assert level(play(True, "0110")) == ""
    lost = play(True, "0117")
    assert level(lost) == "german_operational_defeat"
    assert isinstance(lost.stack[-1], GameOver)
    run(lost)
    assert not lost.stack
    assert TITLE.outcome(lost).winner == SOVIET


@rule("kharkov43", "18.2a")
@rule("kharkov43", "18.2c")
def test_star_and_gallop():
    scenario = read_scenario(PACK, "star-and-gallop")
    assert scenario.last_turn == 6
    table = {
        25: "german_operational_defeat",
        24: "german_operational_defeat",
        23: "german_tactical_defeat",
        21: "german_tactical_defeat",
        20: "german_tactical_victory",
        18: "german_tactical_victory",
        17: "german_operational_victory",
        15: "german_operational_victory",
        14: "german_strategic_victory",
        0: "german_strategic_victory",
    }
    assert {vp: level_at_end(scenario, vp) for vp in table} == table
    g = at_turn("star-and-gallop", 6, 21)
    check_turn(g)
    assert level(g) == "german_tactical_defeat"


@rule("kharkov43", "18.2b")
def test_star_and_gallop_is_lost_at_once_at_26_vps():
    g = at_turn("star-and-gallop", 3, 25)
    g.stack = [GameTurn()]
    mover = g.on_map_of(SOVIET)[0]
    move_unit(g, mover, hx(g, "1009"))
    assert g.vp >= 26
    assert level(g) == "german_strategic_defeat"
    campaign = at_turn("campaign", 3, 25)
    move_unit(campaign, campaign.on_map_of(SOVIET)[0], hx(campaign, "1009"))
    assert not level(campaign)


@rule("kharkov43", "18.2b")
@pytest.mark.parametrize("vp", [24, 25])
def test_nobody_moves_after_the_unit_that_ends_the_game(vp):
    """Two units of 3rd Tank Army would take a town each; with 26 VPs the first of them ends the game at once."""
    g = at_turn("star-and-gallop", 3, vp)
    for u in range(len(g.forces)):
        if g.on_map(u):
            g.take_off(u, CALENDAR)
    army = g.forces.in_formation("3T")[:2]
    for u, at in zip(army, ("0606", "1007"), strict=True):
        g.put(u, hx(g, at))
        g.set_status(u, ACTIVE)
    g.events = []
    g.stack = [GameTurn(), SovietActivation(g.charts.card_index("E05"), "Voronezh", ("3T",))]
    g.stack[1].at = SovietActivation.index["movement"]
    run(g)
    taken = [e["what"] for e in g.events if e["rule"] == "14.1"]
    assert len(taken) == (1 if vp == 25 else 2)
    assert g.vp == 26
    assert level(g) == "german_strategic_defeat"
    assert len([u for u in army if g.place[u] in g.ground.town_list]) == len(taken)


@rule("kharkov43", "17.1d")
@rule("kharkov43", "18.2b")
def test_a_map_edge_hex_can_end_the_game_in_the_supply_phase():
    g = at_turn("star-and-gallop", 4, 25)
    mover = g.on_map_of(SOVIET)[0]
    edge = next(h for h in members(g.ground.edge_vps))
    g.put(mover, edge)
    for u in g.on_map_of(GERMAN):
        g.take_off(u, CALENDAR)
    for h in g.ground.town_list:
        g.set_owner(h, SOVIET)
    g.stack = [GameTurn(), SupplyPhase()]
    g.stack[1].at = SupplyPhase.index["map_edge_vps"]
    run(g)
    assert not g.stack
    assert level(g) == "german_strategic_defeat"


# --- 18.35 ---------------------------------------------------------------------------------------------------------


@rule("kharkov43", "18.31a")
@rule("kharkov43", "18.35a")
@rule("kharkov43", "18.35b")
@rule("kharkov43", "18.35c")
@rule("kharkov43", "18.35d")
def test_the_campaign_compares_vps_with_the_calendar_from_turn_4():
    assert read_scenario(PACK, "campaign").last_turn == 14
    for turn in range(1, 4):
        g = at_turn("campaign", turn, 60)
        check_turn(g)
        assert not level(g)
    for turn in range(4, 14):
        space = at_turn("campaign", turn).charts.calendar[turn]
        high, low = space.defeat_above, space.victory_below
        expected = {
            high + 1: f"german_{space.defeat_level}_defeat",
            high: "",
            low: "",
            low - 1: f"german_{space.victory_level}_victory",
        }
        for vp, wanted in expected.items():
            g = at_turn("campaign", turn, vp)
            check_turn(g)
            assert level(g) == wanted, (turn, vp)
        held = at_turn("campaign", turn, low - 1)
        take(held, "0912")
        check_turn(held)
        assert not level(held), "Kharkov is Soviet-owned: the game goes on"


@rule("kharkov43", "18.35e")
def test_on_the_last_turn_kharkov_soviet_makes_a_draw_of_a_victory():
    g = at_turn("campaign", 14, 5)
    take(g, "0912")
    check_turn(g)
    assert level(g) == "draw"
    assert outcome(g).winner is None
    won = at_turn("campaign", 14, 5)
    check_turn(won)
    assert level(won) == "german_operational_victory"
    assert outcome(won).winner == GERMAN
    for vp in range(40):
        g = at_turn("campaign", 14, vp)
        check_turn(g)
        assert level(g), "the last turn always decides"


# --- 18.33 ---------------------------------------------------------------------------------------------------------


def conditions(dice: list[int]) -> Board:
    g = at_turn("campaign", 6)
    g.dice = Scripted(dice)
    return g


@example("kharkov43", "X47")
@rule("kharkov43", "18.33a")
@rule("kharkov43", "18.33b")
def test_x47_the_next_turns_marker_is_revealed_at_the_end_of_each_turn():
    g = at_turn("campaign", 5)
    end_turn(g)
    assert (g.turn, g.ground_condition) == (6, FROZEN)
    assert all(m == UNSEEN for m in g.ground_markers)
    for turn in (7, 8, 9, 10):
        end_turn(g)
        assert g.turn == turn
        (revealed,) = [i for i, where in enumerate(g.ground_markers) if where == turn]
        assert g.ground_condition == g.charts.ground_markers[revealed]
    assert sum(m == UNSEEN for m in g.ground_markers) == 1, "the fifth is set aside unseen"
    assert g.reveals == 4


@rule("kharkov43", "18.33c")
@rule("kharkov43", "18.33d")
def test_at_the_end_of_turn_10_one_frozen_marker_is_set_aside_and_the_rest_mixed():
    seen = set()
    for seed in range(40):
        g = at_turn("campaign", 6)
        g.dice = Dice(seed)
        while g.turn < 10:
            end_turn(g)
        end_turn(g)
        aside = [i for i, where in enumerate(g.ground_markers) if where == SET_ASIDE]
        assert [g.charts.ground_markers[i] for i in aside] == [FROZEN]
        assert sum(m == UNSEEN for m in g.ground_markers) == 3
        end_turn(g)
        end_turn(g)
        assert g.turn == 13
        seen.add(g.ground_condition)
        end_turn(g)
        assert (g.turn, g.ground_condition) == (14, FROZEN)
    assert seen == {FROZEN, LIGHT_MUD, HEAVY_MUD}


@rule("kharkov43", "18.33a")
def test_only_the_campaign_has_ground_markers():
    g = at_turn("star-and-gallop", 5)
    end_turn(g)
    assert g.ground_condition == FROZEN
    assert not read_scenario(PACK, "star-and-gallop").ground_markers
    reveal_ground(g, 4)
    assert g.ground_condition == FROZEN


# --- 18.34 ---------------------------------------------------------------------------------------------------------


def mud_turn(turn: int = 8) -> Board:
    """A heavy mud turn up to its first question."""
    g = at_turn("campaign", turn, ground=HEAVY_MUD)
    for i in g.charts.german_cards:
        g.cards[i] = DISCARD
    for i in g.charts.soviet_cards:
        g.cards[i] = DISCARD
    foot = [u for u in (*g.on_map_of(GERMAN), *g.on_map_of(SOVIET)) if not g.is_mech(u) and g.steps[u] == 2]
    for higher in ("4Pz", "1Pz", "Voronezh", "Southwest"):
        for u in [u for u in foot if g.forces.higher[u] == higher][:2]:
            g.steps[u] = 1
    g.stack = [GameTurn()]
    run(g)
    while PASS in legal(g):
        apply(g, PASS)
    return g


@rule("kharkov43", "18.34f")
@rule("kharkov43", "18.34g")
@rule("kharkov43", "18.34j")
@rule("kharkov43", "18.34k")
def test_heavy_mud_no_cards_and_two_infantry_steps_for_each_side():
    g = mud_turn()
    assert not german_pile(g, HAND)
    assert not german_pile(g, DRAW)
    assert all(not g.charts.cards[i].primary for i in german_pile(g, AVAILABLE)), "step 3 only"
    assert all(g.charts.cards[i].primary for i in german_pile(g, DISCARD))
    assert all(a[0] == "replace" for a in legal(g))
    assert not any(g.is_mech(a[1]) for a in legal(g)), "infantry only"
    before = sum(g.steps)
    eliminated = [u for u in range(len(g.forces)) if g.box[u] == ELIMINATED]
    assert not eliminated
    g.events = []
    while g.stack and legal(g)[0][0] == "replace":
        apply(g, legal(g)[0])
    assert sum(g.steps) - before == 4, "two German steps and one for each Soviet front"
    given = [e["unit"] for e in g.events if "regains a step" in e["what"]]
    sides = [g.forces.side[unit(g, n)] for n in given]
    assert (sides.count(GERMAN), sides.count(SOVIET)) == (2, 2)
    assert {g.forces.higher[unit(g, n)] for n in given if g.forces.side[unit(g, n)] == SOVIET} == {
        "Voronezh",
        "Southwest",
    }


@rule("kharkov43", "18.34f")
def test_heavy_mud_reserves_still_arrive():
    g = mud_turn(8)
    assert not any(g.box[u] == CALENDAR and g.forces.entry_turn[u] == 8 for u in range(len(g.forces)))
    assert any(g.box[u] == RESERVE and g.forces.entry_turn[u] == 8 for u in range(len(g.forces)))


@rule("kharkov43", "18.34h")
def test_heavy_mud_on_turn_7_removes_stavka():
    g = mud_turn(7)
    assert [g.charts.cards[i].id for i in g.charts.soviet_cards if g.cards[i] == OUT] == ["E22"]
    later = at_turn("campaign", 6)
    later.set_track("turn", 6)
    assert later.cards[later.charts.card_index("E22")] == DRAW


@rule("kharkov43", "18.34i")
def test_heavy_mud_only_removes_supply_markers():
    g = at_turn("campaign", 8, ground=HEAVY_MUD)
    supplied, cut = g.on_map_of(GERMAN)[0], g.on_map_of(SOVIET)[0]
    g.set_status(supplied, 2)
    g.move(cut, hx(g, "1820"))
    g.set_status(cut, 2)
    g.stack = [TITLE.procedures["SupplyPhase"]()]
    run(g)
    assert g.is_supplied(supplied)
    assert g.status[cut] & 2, "not worsened"
    assert not g.garrisons
    assert names(g, g.garrisons) == set()


@rule("kharkov43", "18.34l")
def test_heavy_mud_no_victory_check():
    g = at_turn("campaign", 8, 60, ground=HEAVY_MUD)
    check_turn(g)
    assert not level(g)


@rule("kharkov43", "18.35b")
def test_a_decided_game_ends_its_stack():
    game = Game.new("kharkov43", "campaign", seed=1, pack=PACK)
    g = game.board
    g.set_track("turn", 4)
    g.set_track("vp", 60)
    g.stack = [GameTurn()]
    g.stack[0].at = GameTurn.index["end_of_turn_phase"]
    run(g)
    assert game.over
    assert game.outcome().level == "german_strategic_defeat"
    assert g.turn == 4


@rule("kharkov43", "18.1a")
@rule("kharkov43", "18.31a")
def test_the_last_game_turn_is_played():
    for scenario, last in (("initial-assault", 2), ("campaign", 14)):
        turns = Campaign.steps[Campaign.index["turns"]].fn
        assert isinstance(turns(Campaign(), at_turn(scenario, last)), Call)
        assert turns(Campaign(), at_turn(scenario, last + 1)) is DONE
