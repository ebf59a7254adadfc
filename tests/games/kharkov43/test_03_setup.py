"""3 Setting up for play."""

from __future__ import annotations

import pytest

from kessel.core.dice import Scripted
from kessel.core.game import Game
from kessel.core.procedure import run
from kessel.games.kharkov43.board import (
    AVAILABLE,
    CALENDAR,
    DESTROYED,
    DISCARD,
    DISPERSED,
    DRAW,
    ELIMINATED,
    ENTERING,
    FACINGS,
    HAND,
    OBJECTIVES,
    ON_MAP,
    RESERVE,
    Board,
)
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.data.scenario import read_adjustments, read_scenario
from kessel.games.kharkov43.title import TITLE
from kessel.games.kharkov43.turn.german_cards import GermanImpulse, german_pile, soviet_pile
from kessel.games.kharkov43.turn.setup import new_board

from .helpers import PACK, hx, unit

rule = pytest.mark.rule
ADJUSTMENTS = {a.id: a for a in read_adjustments(PACK)}


def printed() -> Board:
    """Units and markers as printed, before anything is drawn or rolled."""
    return new_board(PACK, read_scenario(PACK, "campaign"), {})


def adjusted(adjustment: str, **options: str) -> Board:
    game = Game.new("kharkov43", "campaign", seed=3, options={"adjustment": adjustment, **options}, pack=PACK)
    board = game.board
    assert isinstance(board, Board)
    assert TITLE.faults(board) == []
    return board


def changes(g: Board) -> dict[str, set[str]]:
    """What the adjustment did to the units: relocated, eliminated, placed, losses, dispersed."""
    before = printed()
    found: dict[str, set[str]] = {k: set() for k in ("relocated", "eliminated", "placed", "dispersed")}
    for u, name in enumerate(g.forces.ids):
        if g.box[u] in (ELIMINATED, DESTROYED):
            found["eliminated"].add(name)
        elif before.box[u] == ON_MAP and g.place[u] != before.place[u]:
            found["relocated"].add(name)
        elif before.box[u] == RESERVE and g.box[u] == ON_MAP:
            found["placed"].add(name)
        if g.status[u] & DISPERSED:
            found["dispersed"].add(name)
    return found


def lost(g: Board) -> dict[str, int]:
    return {
        n: g.forces.full_steps[u] - g.steps[u]
        for u, n in enumerate(g.forces.ids)
        if g.box[u] == ON_MAP and g.steps[u] < g.forces.full_steps[u]
    }


def objectives(g: Board) -> dict[str, str]:
    return {
        name: f"{g.hex_name(g.objective[i])} {FACINGS[g.facing[i]]}"
        for i, name in enumerate(OBJECTIVES)
        if g.objective[i] >= 0
    }


def discards(g: Board) -> set[str]:
    return {g.charts.cards[i].id for i in soviet_pile(g, DISCARD)}


def at(g: Board, name: str) -> str:
    return g.hex_name(g.place[unit(g, name)])


@rule("kharkov43", "3.0a")
def test_three_scenarios_to_choose_from():
    assert {s.id: s.turns for s in TITLE.scenarios(PACK)} == {
        "initial-assault": 2,
        "star-and-gallop": 6,
        "campaign": 14,
    }
    for s in TITLE.scenarios(PACK):
        assert Game.new("kharkov43", s.id, seed=1, pack=PACK).board.turn == 1


@rule("kharkov43", "3.0b")
@rule("kharkov43", "3.0c")
@rule("kharkov43", "3.0d")
def test_units_start_in_their_hexes_in_reserve_or_on_the_calendar():
    g = printed()
    for u, c in enumerate(g.forces.counters):
        if c.entry in g.map.grid:
            assert (g.box[u], g.hex_name(g.place[u])) == (ON_MAP, c.entry)
        elif c.entry == "1":
            assert g.box[u] == RESERVE
        else:
            assert g.box[u] == CALENDAR
        assert g.steps[u] == len(c.faces)
    assert g.faults() == []


@rule("kharkov43", "3.0g")
@rule("kharkov43", "3.0h")
@rule("kharkov43", "17.1a")
@rule("kharkov43", "14.1b")
def test_turn_vps_and_owners_at_the_start():
    g = printed()
    assert (g.turn, g.vp) == (1, 2)
    soviet = {g.ground.name(h) for h in g.ground.town_list if g.owner[h] == SOVIET + 1}
    assert soviet == {"Valuyki", "Kupiansk"}
    assert all(g.owner[h] for h in g.ground.town_list)
    assert sum(g.ground.vp_value(h) for h in g.ground.town_list if g.owner[h] == SOVIET + 1) == g.vp


@rule("kharkov43", "3.0k")
@rule("kharkov43", "3.0l")
@rule("kharkov43", "3.0m")
@rule("kharkov43", "3.0n")
@rule("kharkov43", "3.0o")
@rule("kharkov43", "3.0p")
def test_the_german_cards_are_prepared():
    g = printed()
    assert [g.charts.cards[i].id for i in german_pile(g, HAND)] == ["P41"]
    assert len(german_pile(g, AVAILABLE)) == 4
    assert len(german_pile(g, DRAW)) == 5
    assert all(g.charts.cards[i].primary for i in german_pile(g, DRAW))
    assert len(german_pile(g, ENTERING)) == 13
    seen = set()
    for seed in range(12):
        g = Game.new("kharkov43", "campaign", seed=seed, pack=PACK).board
        hand = [g.charts.cards[i].id for i in german_pile(g, HAND)]
        assert len(hand) == 4
        assert "P41" in hand
        assert len(german_pile(g, DRAW)) == 4
        assert len(german_pile(g, AVAILABLE)) == 2
        seen.add(tuple(hand))
    assert len(seen) > 3, "drawn at random"


@rule("kharkov43", "3.0q")
@rule("kharkov43", "3.0t")
def test_the_soviet_deck():
    g = printed()
    assert len(soviet_pile(g, DRAW)) == 19
    assert len(soviet_pile(g, ENTERING)) == 3
    sizes = {a: len(soviet_pile(adjusted(a), DRAW)) for a in ADJUSTMENTS}
    assert list(sizes.values()) == [15, 15, 14, 14, 15]


@rule("kharkov43", "3.0r")
def test_the_adjustment_is_rolled_or_chosen():
    for die in range(1, 11):
        g = printed()
        g.stack = [TITLE.procedures["SetUp"]()]
        g.dice = Scripted([1, 1, 1, 1, 1, die])
        run(g)
        expected = next(a for a in ADJUSTMENTS.values() if die in a.die)
        assert discards(g) == set(expected.discards)
    for name, a in ADJUSTMENTS.items():
        assert discards(adjusted(name)) == set(a.discards)


@rule("kharkov43", "3.0s")
def test_units_the_adjustment_does_not_name_stay_where_they_were():
    before = printed()
    for name, a in ADJUSTMENTS.items():
        g = adjusted(name)
        named = {*a.eliminated, *a.placed, *(m.unit for m in a.relocated.units)}
        for u, i in enumerate(g.forces.ids):
            if i not in named:
                assert g.place[u] == before.place[u]


@rule("kharkov43", "3.0s")
@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_the_log_tells_every_instruction_of_the_adjustment(name: str):
    a = ADJUSTMENTS[name]
    game = Game.new("kharkov43", "campaign", seed=1, options={"adjustment": name})
    told = [e["what"] for e in game.opening]
    assert sum(" is relocated from " in t for t in told) == len(a.relocated.units)
    assert sum(t.endswith("from reserve") for t in told) == len(a.placed)
    assert sum(t.endswith("loses a step") for t in told) == sum(loss.steps for loss in a.step_losses.units)
    dispersed = {game.board.name(unit(game.board, i)) for i in a.dispersed}
    assert {t.removesuffix(" is dispersed") for t in told if t.endswith(" is dispersed")} == dispersed
    assert sum("objective marker" in t for t in told) == len(a.objectives) == 2
    assert f"the Soviets have {a.victory_points} VPs" in told
    assert {t[t.index("(") + 1 : t.index(")")] for t in told if t.endswith("is discarded")} == set(a.discards)


@rule("kharkov43", "3.0u")
@rule("kharkov43", "4.0b")
def test_play_starts_with_the_first_german_impulse():
    g = adjusted("bloody-izyum")
    assert isinstance(g.stack[-1], GermanImpulse)
    assert g.turn == 1
    assert len(soviet_pile(g, DRAW)) == 14, "no Soviet impulse was played"


@rule("kharkov43", "3.A12a")
@rule("kharkov43", "3.A12b")
@rule("kharkov43", "3.A12c")
@rule("kharkov43", "3.A12d")
@rule("kharkov43", "3.A12e")
@rule("kharkov43", "3.A12f")
@rule("kharkov43", "3.A12g")
def test_raus_overrun():
    g = adjusted("raus-overrun")
    found = changes(g)
    assert found["eliminated"] == {"586.320.Raus", "587.320.Raus"}
    assert len(found["relocated"]) == 9
    assert found["dispersed"] == {"585.320.Raus"}
    losses = lost(g)
    assert losses.pop("585.320.Raus") == 1
    assert list(losses.values()) == [1, 1, 1]
    assert all(g.forces.side[unit(g, n)] == SOVIET for n in losses)
    assert found["placed"] == {"18.Popov", "41G.Popov"}
    assert at(g, "18.Popov") == at(g, "41G.Popov") == "1504"
    assert objectives(g) == {"Voronezh": "1009 west", "Southwest": "1608 west"}
    assert discards(g) == {"E03", "E11", "E17", "E20"}
    assert g.vp == 2


@rule("kharkov43", "3.A34a")
@rule("kharkov43", "3.A34b")
@rule("kharkov43", "3.A34c")
@rule("kharkov43", "3.A34d")
@rule("kharkov43", "3.A34e")
@rule("kharkov43", "3.A34f")
@rule("kharkov43", "3.A34g")
@rule("kharkov43", "3.A34h")
def test_slavyansk_liberated():
    g = adjusted("slavyansk-liberated")
    found = changes(g)
    assert found["eliminated"] == {"587.320.Raus"}
    assert len(found["relocated"]) == 6
    assert found["placed"] == {"38G.1G", "41G.Popov", "18.Popov"}
    assert [at(g, n) for n in ("38G.1G", "41G.Popov", "18.Popov")] == ["1702", "1502", "1602"]
    assert lost(g) == {"38G.1G": 1, "10.Popov": 2, "27.19P.III": 1}
    assert found["dispersed"] == {"27.19P.III"}
    assert objectives(g) == {"Voronezh": "1311 west", "Southwest": "1906 west"}
    assert objectives(adjusted("slavyansk-liberated", zmiyev_objective="1210"))["Voronezh"] == "1210 west"
    assert g.vp == 4
    assert g.owner[hx(g, "1802")] == SOVIET + 1
    assert discards(g) == {"E01", "E02", "E05", "E22"}


@rule("kharkov43", "3.A56a")
@rule("kharkov43", "3.A56b")
@rule("kharkov43", "3.A56c")
@rule("kharkov43", "3.A56d")
@rule("kharkov43", "3.A56e")
@rule("kharkov43", "3.A56f")
@rule("kharkov43", "3.A56g")
def test_bloody_izyum():
    g = adjusted("bloody-izyum")
    found = changes(g)
    assert found["eliminated"] == {"587.320.Raus"}
    assert len(found["relocated"]) == 5
    assert {at(g, n) for n in found["placed"]} == {"1403", "1603"}
    assert found["placed"] == {"18.Popov", "41G.Popov"}
    losses = lost(g)
    assert set(losses.values()) == {1}
    sides = [g.forces.side[unit(g, n)] for n in losses]
    assert (sides.count(SOVIET), sides.count(GERMAN)) == (4, 3)
    assert found["dispersed"] == {"586.320.Raus"}
    assert objectives(g) == {"Voronezh": "0608 south", "Southwest": "1410 south"}
    assert discards(g) == {"E03", "E08", "E12", "E17", "E20"}


@rule("kharkov43", "3.A78a")
@rule("kharkov43", "3.A78b")
@rule("kharkov43", "3.A78c")
@rule("kharkov43", "3.A78d")
@rule("kharkov43", "3.A78e")
@rule("kharkov43", "3.A78f")
@rule("kharkov43", "3.A78g")
def test_voronezh_front_breakout():
    g = adjusted("voronezh-front-breakout")
    found = changes(g)
    assert found["eliminated"] == {"429.168.Raus", "Fus.GD.XLVIII"}
    assert len(found["relocated"]) == 11
    (placed,) = found["placed"]
    assert at(g, placed) == "0205"
    assert g.forces.formation[unit(g, placed)] == "40"
    losses = lost(g)
    assert losses.pop("Gre.GD.XLVIII") == 1
    assert list(losses.values()) == [1, 1, 1]
    assert all(g.forces.side[unit(g, n)] == SOVIET for n in losses)
    assert found["dispersed"] == {"Gre.GD.XLVIII", "417.168.Raus"}
    assert objectives(g) == {"Voronezh": "1009 west", "Southwest": "1410 west"}
    assert discards(g) == {"E04", "E05", "E11", "E19", "E22"}


@rule("kharkov43", "3.A90a")
@rule("kharkov43", "3.A90b")
@rule("kharkov43", "3.A90c")
@rule("kharkov43", "3.A90d")
@rule("kharkov43", "3.A90e")
@rule("kharkov43", "3.A90f")
def test_drive_on_the_donets():
    g = adjusted("drive-on-the-donets")
    found = changes(g)
    assert found["eliminated"] == {"Gre.GD.XLVIII"}
    assert len(found["relocated"]) == 11
    assert not found["placed"]
    losses = lost(g)
    assert losses.pop("298.LVII") == 1
    assert list(losses.values()) == [1, 1]
    assert all(g.forces.side[unit(g, n)] == SOVIET for n in losses)
    assert found["dispersed"] == {"298.LVII"}
    assert objectives(g) == {"Voronezh": "1311 west", "Southwest": "1608 west"}
    assert discards(g) == {"E03", "E05", "E19", "E20"}
