"""What no program does by itself, in games of several game-turns; their records are read with the rules."""

from __future__ import annotations

import pytest

from kessel.core.procedure import Action
from kessel.games.kharkov43.board import RESERVE, RETREATED, Board
from kessel.games.kharkov43.combat.battle import alive
from kessel.games.kharkov43.combat.results.retreat import legal_routes, possible_routes
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.stacking import is_overstacked
from kessel.games.kharkov43.supply.supply import supply_heads
from kessel.games.kharkov43.turn.german_reserves import DeployReserves

from .helpers import hx, unit
from .whole_games import Done, beginning, carry_on

RULE = "kharkov43"

# --- 12.73 retreats to different hexes -------------------------------------------------------------------------------

CROWD = "Fus.GD.XLVIII Gre.GD.XLVIII 213.Raus FB.GD.XLVIII 403.LVII 27.19P.III 73.19P.III 74.19P.III"
"""Two of them fill every hex behind 0205, so that one more unit has room there and two have not."""


def crowded() -> Board:
    """Operation Star with the Germans at 0205 crowded into one place."""
    g = beginning("star-and-gallop")
    names = CROWD.split()
    for h in (n for n in g.map.grid.around[hx(g, "0205")] if not g.hexes_of(SOVIET) >> n & 1):
        for _ in range(2):
            g.move(unit(g, names.pop(0)), h)
    assert not names
    return g


@pytest.fixture(scope="module")
def retreats() -> list[Done]:
    """Two game-turns each: the Germans stand still until they have fallen back apart, then play as they like."""
    found: list[Done] = []
    for seed in (0, 2, 4, 8):
        apart: list[Action] = []

        def helper(g: Board, actions: list[Action], apart: list[Action] = apart) -> Action | None:
            for verb in ("scatter", "fallback"):
                if mine := [a for a in actions if a[0] == verb]:
                    apart.append(mine[-1])
                    return mine[-1]
            waits = not apart and any(a[0] in ("move", "attack") for a in actions) and ("pass",) in actions
            return ("pass",) if waits else None

        g = crowded()
        for action, before, after, events in carry_on(g, helper, 2, seed):
            if action[0] in ("scatter", "fallback"):
                found.append((action, before, after.copy(), events))
        assert g.faults() == []
        assert g.turn > 1, "the game went on"
    return found


@pytest.mark.rule(RULE, "12.73a", "12.71c", "12.52a")
def test_units_that_do_not_fit_into_one_hex_retreat_apart(retreats):
    scattered = [one for one in retreats if one[0][0] == "scatter"]
    assert len(scattered) >= 3
    for (_, hexes), g, _, _ in scattered:
        p = g.stack[-1]
        units = alive(g, p.defenders)
        assert len(units) > 1
        assert hexes <= p.defender_hits
        assert not possible_routes(g, units, p.target, hexes), "no hex has room for all of them"


@pytest.mark.rule(RULE, "12.7a", "12.73a", "12.74a")
def test_each_of_them_takes_a_way_of_its_own_and_the_hit_is_satisfied_once(retreats):
    fallen = [one for one in retreats if one[0][0] == "fallback"]
    assert len(fallen) >= 6
    for (_, u, path), g, after, events in fallen:
        p = g.stack[-1]
        assert path in [r.path for r in legal_routes(g, [u], p.target, p.scatter, p.lost)], "by the priorities of 12.7"
        assert g.map.grid.distance(p.target, path[-1]) == p.scatter
        assert any(e["rule"] == "12.7" and e.get("unit") == g.id(u) for e in events)
        if after.on_map(u) and after.place[u] == path[-1]:
            assert not is_overstacked(after, path[-1])
            assert after.status[u] & RETREATED or not any(q is p for q in after.stack)
    last = [one for one in fallen if not any(getattr(q, "scatter", 0) for q in one[2].stack)]
    assert len(last) >= 3, "and the combat was over"


# --- 7.3 delayed reserves --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def late() -> list[Done]:
    """The campaign to game-turn 6: no card deploys reserves, which come by themselves two game-turns late."""

    def helper(g: Board, actions: list[Action]) -> Action | None:
        p = g.stack[-1]
        if isinstance(p, DeployReserves) and p.optional:
            mine = [a for a in actions if a[0] == "deploy"]
            return mine[len(mine) // 2]
        if any(a[0] == "play" for a in actions):
            return next((a for a in actions if a[0] == "play" and a[2] in ("activate", "one_unit")), None)
        return None

    g = beginning("campaign")
    found = []
    for action, before, after, events in carry_on(g, helper, 5, 3):
        p = before.stack[-1]
        if isinstance(p, DeployReserves) and p.optional:
            found.append((action, before, after.copy(), events))
    assert g.faults() == []
    return found


@pytest.mark.rule(RULE, "7.3a", "7.3b")
def test_full_strength_reserves_come_two_game_turns_late(late):
    assert len(late) >= 3
    for (verb, *what), g, after, _ in late:
        assert g.turn >= 3
        p = g.stack[-1]
        for u in p.units:
            assert g.forces.entry_turn[u] + 2 <= g.turn
            assert g.forces.entry_turn[u] > 0, "a replacement is none"
        if verb == "deploy":
            u, h = what
            assert g.box[u] == RESERVE
            assert g.steps[u] == g.forces.full_steps[u]
            assert (after.on_map(u), after.place[u]) == (True, h)


@pytest.mark.rule(RULE, "7.1b", "7.1c", "7.1d", "7.1h", "7.1j", "7.1k")
def test_delayed_reserves_are_placed_as_any_others(late):
    for (verb, *what), g, _, _ in late:
        if verb != "deploy":
            continue
        u, h = what
        grid, heads = g.map.grid, supply_heads(g, GERMAN)
        assert g.ground.deployment[g.forces.area[u]] >> h & 1
        foes = [grid.distance(h, g.place[v]) for v in g.on_map_of(SOVIET) if not g.is_isolated(v)]
        mates = [grid.distance(h, g.place[v]) for v in g.on_map_of(GERMAN) if g.forces.area[v] == g.forces.area[u]]
        edge = bool(g.ground.edge(GERMAN) >> h & 1)
        tactical = min(mates, default=99) <= 3 and min(foes) >= (2 if edge else 3)
        strategic = bool(heads >> h & 1) and min(foes) >= (2 if edge else 5)
        assert tactical or strategic
        assert heads >> h & 1 or any(heads >> n & 1 for n in grid.around[h])
