"""What no program does by itself, in games carried through several turns; their records are read with the rules."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from kessel.core.procedure import Action, asked
from kessel.games.don42.board import ATTACK, FIRED, FLOWN, G_COMBAT, POSITION_PHASE, SHELLED, Board
from kessel.games.don42.combat.air import bridge_targets
from kessel.games.don42.combat.bombardment import why_not_aim_at_bridge, why_not_bombard
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.pontoons import ends
from kessel.games.don42.notation import NOTATION
from kessel.games.don42.supply.supply import can_reach_corps, is_isolated
from kessel.games.don42.turn.setup import area_of, entries_of

from .helpers import TITLE, u
from .whole_games import Played, play


def taking(seed: int, *verbs: str):
    """A helper that takes one of these verbs wherever it can, at random."""
    dice = random.Random(seed)

    def choose(g: Board, actions: list[Action]) -> Action | None:
        mine = [a for a in actions if a[0] in verbs]
        return dice.choice(mine) if mine else None

    return choose


# --- 17.0 the players' own set-up ------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "17.0", "17.3.4.07")
@pytest.mark.parametrize("seed", [1, 2])
def test_players_set_up_the_short_game_themselves_and_play_on(seed):
    played = play("short-game", taking(seed, "place"), until="Aug 27 AM", seed=seed, keep=("place",), free_setup="on")
    placed = played.with_verb("place")
    assert len(placed) == len({text.split()[1] for text, _, _ in placed}) > 150, "each unit once"
    g = played.game.board
    assert TITLE.faults(g) == []
    for text, before, _ in placed:
        _, unit, where = NOTATION.parse(before, text)
        p, side = before.stack[-1], before.forces.side[unit]
        line = p._entry(before, side)
        assert not before.enemies_in(where, side), text
        if area_of(before, line) & ~before.hexes_of(1 - side):
            near = area_of(before, line) >> where & 1
            assert near or side == SOVIET, f"{text}: where its line says, or the nearest free hex"
        if side == SOVIET:
            assert not before.units(where), "Soviets never stack"
    sides = [before.forces.side[NOTATION.parse(before, text)[1]] for text, before, _ in placed]
    assert sides == sorted(sides), "Germans set up first"
    assert len(entries_of(g, GERMAN)) > 0
    assert g.turn > g.scenario.first_turn, "and the game went on"


# --- 19.1 Fuel and Ammo Points in a pocket; 5.0.6 the Combat table ---------------------------------------------------


@pytest.fixture(scope="module")
def pocket() -> Played:
    """The Short Game to its end: loads of Fuel and of Ammo, dropped in parts; guns that use either table."""
    dice = random.Random(7)
    lifts = ("airlift_fuel", "airlift_ammo")

    def helper(g: Board, actions: list[Action]) -> Action | None:
        by = {verb: [a for a in actions if a[0] == verb] for verb in (*lifts, "drop", "supply", "fire_combat")}
        if by["airlift_fuel"]:
            return dice.choice(by[dice.choice(lifts)])
        if by["fire_combat"]:
            return by["fire_combat"][0] if len(g.stack[-1].guns) > 1 else None
        if by["supply"] and dice.random() < 0.5:
            return dice.choice(by["supply"])
        return dice.choice(by["drop"]) if by["drop"] else None

    keep = (*lifts, "drop", "supply", "entrench", "fire_combat", "gun")
    options = {"fuel_and_ammo": "on", "split_loads": "on", "artillery_table": "either"}
    return play("short-game", helper, seed=3, keep=keep, **options)


@pytest.mark.rule("don42", "4.4.b", "4.4.1.b", "4.4.2.a", "19.1")
def test_loads_of_fuel_and_ammo(pocket):
    assert pocket.verbs["airlift_fuel"] > 3
    assert pocket.verbs["airlift_ammo"] > 3
    assert pocket.verbs["drop"] > pocket.verbs["airlift_fuel"]
    flown: Counter[int] = Counter()
    left, corps, kind = 0, -1, ""
    for text, g, events in pocket.done:
        verb = text.split()[0]
        if verb in ("airlift_fuel", "airlift_ammo"):
            assert left == 0, "the load before was dropped whole"
            _, hq, (plane,) = NOTATION.parse(g, text)
            assert not g.status[plane] & FLOWN
            left, corps, kind = (
                min(g.forces.sp[plane], 30 - flown[g.turn]),
                g.command[hq],
                verb.removeprefix("airlift_"),
            )
        elif verb == "drop":
            _, hq, points = NOTATION.parse(g, text)
            assert g.command[hq] == corps, "one Corps a load"
            assert is_isolated(g, hq), "only to the cut off"
            assert points <= left
            left -= points
            flown[g.turn] += points
            assert kind.capitalize() in events[0]["what"]
    assert max(flown.values()) <= 30, "30 points a turn at most"


@pytest.mark.rule("don42", "4.4.3.a", "4.4.3.b", "19.1")
def test_fuel_moves_and_ammo_attacks_and_digs(pocket):
    spent = Counter()
    for text, g, events in pocket.with_verb("supply"):
        unit = NOTATION.parse(g, text)[1]
        assert g.supply[unit] != ATTACK
        assert is_isolated(g, unit)
        hq = re.match(r"(\S+) expends a point", events[0]["what"])
        assert hq is not None
        purse = g.ammo if g.phase == G_COMBAT else g.fuel
        assert purse[u(g, hq[1])] > 0
        assert can_reach_corps(g, unit) or hq[1] == g.id(g.forces.division_hq[unit])
        spent["ammo" if g.phase == G_COMBAT else "fuel"] += 1
    assert spent["fuel"] > 5
    assert spent["ammo"] > 5
    dug = [(g, e) for _, g, events in pocket.with_verb("entrench") for e in events if "builds a position" in e["what"]]
    for g, e in dug:
        assert g.phase == POSITION_PHASE
        assert g.ammo[u(g, e["what"].split()[0])] > 0


@pytest.mark.rule("don42", "5.0.6.c", "5.0.6.d", "11.1.a")
def test_barrages_on_the_combat_table(pocket):
    fired = pocket.with_verb("fire_combat")
    assert len(fired) > 5
    for _, g, events in fired:
        p = g.stack[-1]
        assert len(p.guns) > 1
        assert not any(g.status[x] & SHELLED for x in g.units(p.target)), "once a turn"
        said = next(e["what"] for e in events if e["rule"] == "5.0.6")
        assert re.fullmatch(r"barrage on the Combat table \d:\d, column [+-]\d, die [1-6]: \w+, \w.+", said)
        names = {g.id(x) for x in p.guns}
        hurt = {e.get("unit") for e in events if e["rule"].startswith("13.")}
        assert not names & hurt, "no adverse result for the guns"
    for text, g, _ in pocket.with_verb("gun"):
        unit = NOTATION.parse(g, text)[1]
        if g.forces.side[unit] == SOVIET:
            assert not g.status[unit] & FIRED, "a gun that bombarded never supports"


# --- 7.4 bridges under fire, 19.4.5 their repair ---------------------------------------------------------------------


NEAR = {"HQ62A": "2838", "457Art": "2838", "1103Art": "2739", "1105Art": "2939", "1158Art": "2938"}
"""Where 62 Army puts its HQ and guns in a set-up of its own choice: behind the bridge 2841|2842."""
WATCH = {"98Div-1": "2840", "98Div-2": "2940", "184Div": "2740"}
"""And the units that see the bridge."""


def helped(dice: random.Random):
    """62 Army at the bridge tries first and shells it; Soviet bombers go for the others; Germans repair them."""

    def set_up(g: Board, places: list[Action]) -> Action:
        name = g.id(places[0][1])
        wish = {**NEAR, **WATCH}.get(name) or g.scenario.automatic.get(name, g.hex_name(places[0][2]))
        return min(places, key=lambda a: g.map.grid.distance(a[2], g.map.grid.hex(wish)))

    def helper(g: Board, actions: list[Action]) -> Action | None:
        if places := [a for a in actions if a[0] == "place"]:
            return set_up(g, places)
        if ("activate", "62A") in actions:
            return ("activate", "62A")
        if asked(g) == SOVIET and actions[0][0] == "halt" and g.id(g.stack[-1].unit) in {**NEAR, **WATCH}:
            return ("halt",)
        for verb in ("shell_bridge", "repair"):
            if mine := [a for a in actions if a[0] == verb]:
                return dice.choice(mine)
        bombs = [a for a in actions if a[0] == "bomb_bridge" and asked(g) == SOVIET]
        return dice.choice(bombs) if bombs else None

    return helper


@pytest.fixture(scope="module")
def river() -> list[Played]:
    """Three games of Panzerwaffen Freestyle from a set-up by hand to Aug 24."""
    keep = ("shell_bridge", "repair", "fire", "bomb_bridge")
    games = [(seed, helped(random.Random(seed))) for seed in (1, 2, 3)]
    played = (play("freestyle", one, until="Aug 24 AM", seed=n, keep=keep, free_setup="on") for n, one in games)
    return list(played)


@pytest.mark.rule("don42", "7.4.c", "7.4.d", "7.4.e", "11.0.b1")
def test_guns_shell_bridges(river):
    assert sum(one.verbs["shell_bridge"] for one in river) >= 3
    for one in river:
        tried = Counter()
        for text, g, _ in [*one.with_verb("shell_bridge"), *one.with_verb("bomb_bridge")]:
            side = NOTATION.parse(g, text)[1]
            assert side in bridge_targets(g)
            tried[g.turn, side] += 1
        assert set(tried.values()) == {1}, "one attempt per bridge and turn, by air or by artillery"
    for _, g, events in (fired for one in river for fired in one.with_verb("fire")):
        p = g.stack[-1]
        if p.bridge < 0:
            continue
        assert all(why_not_bombard(g, gun) is None for gun in p.guns)
        assert all(why_not_aim_at_bridge(g, gun, p.bridge) is None for gun in p.guns)
        roll, fate = events[:2]
        assert ("*" in roll["result"]) is fate["what"].endswith("destroyed"), "an asterisk and nothing else destroys it"
    assert any("is destroyed" in what for one in river for what in one.told("7.4"))


@pytest.mark.rule("don42", "19.4.5")
def test_bridges_are_repaired(river):
    repairs = [(one, *repair) for one in river for repair in one.with_verb("repair")]
    assert len(repairs) >= 2
    tried = Counter()
    for one, text, g, events in repairs:
        side = NOTATION.parse(g, text)[1]
        tried[one, g.turn, side] += 1
        said = re.search(r"die (\d), (mended|not yet)$", events[0]["what"])
        assert said is not None
        assert (int(said[1]) >= 4) is (said[2] == "mended")
        near = {n for end in ends(g, side) for n in (end, *g.map.grid.around[end])}
        sides = {g.forces.side[x] for n in near for x in g.units(n)}
        assert sides == {GERMAN}, "a German next to it and no Soviet"
    assert max(tried.values()) == 1
    assert any("mended" in what for one in river for what in one.told("19.4.5"))
