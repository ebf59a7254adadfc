"""Whole activations on crowded boards, against the methods and checks written again from the book."""

from __future__ import annotations

import pytest

from kessel.core.breakdown import Refusal
from kessel.core.hexes import NO_HEX
from kessel.games.kharkov43.board import ACTIVE, ATTACKED, DEFENDED, ELIMINATED, FOR_ACTIVATION, RESERVE, Board
from kessel.games.kharkov43.data.forces import ARMIES, SOVIET
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.system.attack_check import AttackCheck
from kessel.games.kharkov43.system.methods.methods import Check
from kessel.games.kharkov43.system.objectives import place_army_objectives
from kessel.games.kharkov43.system.removal import remove_units
from kessel.games.kharkov43.system.soviet_activation import SovietActivation
from kessel.games.kharkov43.system.soviet_formations import army, make_active
from kessel.games.kharkov43.system.soviet_movement import move_active_units
from kessel.games.kharkov43.system.soviet_positions import position_choice
from kessel.games.kharkov43.system.soviet_reserves import place_reserves
from kessel.games.kharkov43.system.terms.restrictions import why_not_permitted
from kessel.games.kharkov43.system.trace import MovementTrace

from .plain_checks import Checked, PlainChecks
from .plain_methods import PlainMethods
from .playthroughs import crowded_board

RULE = "kharkov43"


def activated(seed: int, name: str, *, reserves: bool = False) -> tuple[Board, str] | None:
    """The board with that army active, and its front; `reserves`: eliminated units wait in reserve."""
    g = crowded_board(seed)
    g.stack, g.events = [], None
    for u in g.in_box(SOVIET, ELIMINATED) if reserves else ():
        g.box[u] = RESERVE
    for u in range(len(g.forces)):
        g.status[u] &= ~FOR_ACTIVATION
    g.changed()
    found = army(g, name)
    if isinstance(found, Refusal):
        return None
    make_active(g, found)
    place_army_objectives(g, found.armies)
    return g, found.front


@pytest.mark.rule(RULE, "9.2d")
@pytest.mark.rule(RULE, "9.2e")
@pytest.mark.rule(RULE, "9.25.2")
@pytest.mark.rule(RULE, "9.26a")
@pytest.mark.rule(RULE, "9.27a")
@pytest.mark.parametrize("seed", range(32))
def test_armies_move_as_the_book_read_plainly_has_them(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the leave to overstack for a while (10.4), which the plain reading does not know."""

    def strictly(c: Check, h: int) -> Refusal | None:
        return why_not_fit(c.g, h, [c.unit]) or why_not_permitted(c.g, c.unit, h)

    monkeypatch.setattr(Check, "why_not", strictly)
    for name in ARMIES:
        found = activated(seed, name)
        if found is None:
            continue
        g, front = found
        plain = PlainMethods(g.copy(), front).run()
        checks = move_active_units(g, front, MovementTrace()).checks
        moves = {c.unit: g.hex_name(c.end) for c in checks if c.end != NO_HEX}
        assert {g.id(u): h for u, h in moves.items()} == {g.id(u): h for u, h in plain.items()}, name


CARDS = {"3T": "E05", "6": "E11", "40": "E04", "69": "E08", "1G": "E01", "Popov": "E17"}


@pytest.mark.rule(RULE, "9.4a")
@pytest.mark.rule(RULE, "9.41a")
@pytest.mark.rule(RULE, "9.5i")
@pytest.mark.rule(RULE, "9.6a")
@pytest.mark.rule(RULE, "9.7c")
@pytest.mark.rule(RULE, "12.2h")
@pytest.mark.parametrize("seed", range(32))
def test_attack_checks_and_what_follows_are_as_the_book_read_plainly_has_them(seed: int) -> None:
    """Steps 3 to 6, as if combats changed nothing; every other board has more reserves."""
    for name in ARMIES:
        found = activated(seed, name, reserves=bool(seed % 2))
        if found is None:
            continue
        g, front = found
        move_active_units(g, front)
        plain = PlainChecks(g.copy(), front)
        card = g.charts.card_index(CARDS[name])
        plain.command = g.charts.cards[card].command_value
        activation = SovietActivation(card, front, (name,))
        checks = []
        while check := activation.next_check(g):
            checks.append(shown(g, check))
            for u in check.attackers if check.succeeds else ():
                g.set_status(u, ATTACKED)
            for v in check.defenders if check.succeeds else ():
                g.set_status(v, DEFENDED)
        assert checks == plain.attack_checks()
        waiting = [u for u in g.in_box(SOVIET, RESERVE) if g.status[u] & ACTIVE]
        place_reserves(g, front)
        assert {g.id(u): g.hex_name(g.place[u]) for u in waiting if g.on_map(u)} == plain.place_reserves()
        assert [g.id(r.unit) for r in remove_units(g) if r.removed] == plain.removals()
        assert g.hex_name(position_choice(g).hex if g.turn >= 4 else NO_HEX) == plain.position()


def shown(g: Board, c: AttackCheck) -> Checked:
    units, reserves = ([g.id(u) for u in g.ascending(us)] for us in (c.attackers, c.reserves))
    value = c.value.total if c.value is not None else None
    target = g.hex_name(c.target)
    return Checked(g.id(c.lead), target, units, reserves, c.attack.total, c.defence.total, value, c.succeeds)
