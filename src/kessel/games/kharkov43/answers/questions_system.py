"""The question `system`: activate a formation in a position and tell what the Soviet system would do, and why.

Everything is told that the rules make knowable. Where chance comes in the answer stops and says so: a relocated
objective marker needs its die (`objective_die`), a combat is not resolved. What lies in a pile is never looked at;
only how many cards are left counts.
"""

from __future__ import annotations

from typing import Any, Literal

from kessel.core.breakdown import Refusal
from kessel.core.dice import Scripted
from kessel.core.errors import BadInput
from kessel.core.hexes import NO_HEX
from kessel.core.title import Answerer, Asked
from kessel.games.kharkov43.answers.names import named_card
from kessel.games.kharkov43.board import ACTIVE, ENTERED, FOR_ACTIVATION, ON_ACTIVE, RESERVE, Board
from kessel.games.kharkov43.combat.attack_reserves import add_reserves
from kessel.games.kharkov43.combat.battle import battle_of, begin, leave_positions
from kessel.games.kharkov43.combat.tactics import apply_standing_tactics
from kessel.games.kharkov43.data.cards import Card, Command
from kessel.games.kharkov43.data.forces import ARMIES, GERMAN, SOVIET
from kessel.games.kharkov43.system.attack_check import AttackCheck, why_not_lead_to
from kessel.games.kharkov43.system.cards.soviet_cards import command_text, first_command
from kessel.games.kharkov43.system.cards.soviet_events import conduct_event
from kessel.games.kharkov43.system.objective_markers import LAST_STAGE, stage_of
from kessel.games.kharkov43.system.objectives import (
    CHECKED,
    check_objective,
    check_third_objectives,
    forget_entries,
    is_listed,
    new_objective,
    place_army_objectives,
    third_objectives,
    why_relocated,
)
from kessel.games.kharkov43.system.removal import remove_units
from kessel.games.kharkov43.system.soviet_activation import SovietActivation
from kessel.games.kharkov43.system.soviet_formations import Activated, activated_by, army, make_active
from kessel.games.kharkov43.system.soviet_movement import move_active_units, must_use_methods_a
from kessel.games.kharkov43.system.soviet_positions import (
    PLACED_FROM,
    place_position,
    position_choice,
    unqualified_hexes,
)
from kessel.games.kharkov43.system.soviet_reserves import place_reserves
from kessel.games.kharkov43.system.trace import MovementTrace
from kessel.games.kharkov43.turn.german_activation import recover
from kessel.games.kharkov43.turn.ground_conditions import why_not_in_mud
from kessel.games.kharkov43.turn.replacements import priority, soviet_choice
from kessel.wargame.reading import check_die, one_of

HIDDEN = "return_hand_card"
"""What an event does that takes a card unseen."""


class AskSystem(Asked, kw_only=True):
    """What the Soviet system does when a formation is activated."""

    formation: str = ""
    """An army; or leave it out and name a card, or mark the active units in the position."""
    card: str = ""
    """The command card: its first command that can be carried out, and its command value (9.4)."""
    objective_die: int = 0
    """The die of a relocation (9.11), 1 to 10."""
    attacks: Literal["stop", "no_effect"] = "stop"
    """At an attack: stop, or go on as if nothing came of it once its reserves were placed (12.2)."""


def system(g: Board, q: AskSystem) -> dict[str, Any]:
    if q.objective_die:
        check_die(q.objective_die, g.charts.constants.die, "$.objective_die")
    x = g.copy()
    x.stack, x.events = [], []
    x.dice = Scripted((q.objective_die,) if q.objective_die else ())
    card = named_card(x, q.card, SOVIET) if q.card else None
    found: dict[str, Any] = {}
    if still := why_not_in_mud(g):
        return {"refusal": still.as_json()}
    activated = _activated(x, q, card, found)
    if activated is None:
        return found
    make_active(x, activated)
    found["active"] = activated.as_json(x)
    number = x.charts.card_index(card.id) if card is not None else -1
    activation = SovietActivation(number, activated.front, activated.armies)
    found |= _steps(x, q, activation)
    found["log"] = [e["what"] for e in x.events]
    return found


# --- who -------------------------------------------------------------------------------------------------------------


def _activated(g: Board, q: AskSystem, card: Card | None, found: dict[str, Any]) -> Activated | None:
    """The units activated; None, and the answer filled in, if there are none."""
    active = [u for u in g.active_units() if g.forces.side[u] == SOVIET]
    for u in g.on_map_of(GERMAN):
        g.set_status(u, ACTIVE, False)
    if q.formation:
        one_of(ARMIES, q.formation, "army", "$.formation")
        _forget(g)
        chosen = army(g, q.formation)
    elif active:
        fronts = sorted({g.forces.higher[u] for u in active})
        if len(fronts) > 1:
            raise BadInput("the active units belong to both fronts; an activation is of one", "$")
        armies = tuple(dict.fromkeys(g.forces.formation[u] for u in active))
        return Activated(fronts[0], armies, dict.fromkeys(active, "active in the position"))
    elif card is not None:
        _forget(g)
        return _by_card(g, card, found)
    else:
        raise BadInput("name a formation or a card, or mark the active units", "$")
    if isinstance(chosen, Refusal):
        found["refusal"] = chosen.as_json()
        return None
    return chosen


def _forget(g: Board) -> None:
    for u, s in enumerate(g.status):
        g.status[u] = s & ~FOR_ACTIVATION
    g.happened(ON_ACTIVE)


def _by_card(g: Board, card: Card, found: dict[str, Any]) -> Activated | None:
    command, passed = first_command(g, card)
    found["passed_over"] = [{"command": command_text(g, c), **r.as_json()} for c, r in passed]
    if command is None:
        found["refusal"] = Refusal("8.1", f"no command of {card.id} can be conducted").as_json()
        return None
    found["command"] = command_text(g, command)
    if command.command == "replace":
        found |= _replacement(g, command)
    elif command.command != "activate":
        found |= _event(g, card, command)
    if command.command != "activate":
        return None
    chosen = activated_by(g, card, command)
    assert not isinstance(chosen, Refusal)
    return chosen


def _replacement(g: Board, command: Command) -> dict[str, Any]:
    """8.12, 16.1 The unit that gets the step, and its place in the order of priority."""
    u = soviet_choice(g, g.forces.in_formation(command.army))
    assert u is not None
    return {"replacement": {"unit": g.id(u), "priority": priority(g, u), "rule": "16.1"}}


def _event(g: Board, card: Card, command: Command) -> dict[str, Any]:
    """8.11 What the event does; nothing more is known where a hidden card decides."""
    event = g.charts.events[command.event]
    found: dict[str, Any] = {"event": {"id": event.id, "effect": event.effect, "rule": "8.11"}}
    if event.action != HIDDEN:
        conduct_event(g, card, event)
        found["log"] = [e["what"] for e in g.events or ()]
    return found


# --- the steps of 9.0 ------------------------------------------------------------------------------------------------


def _steps(g: Board, q: AskSystem, activation: SovietActivation) -> dict[str, Any]:
    front = activation.front
    found: dict[str, Any] = {}
    place_army_objectives(g, activation.armies)
    found["objective"] = _objective(g, front)
    if found["objective"].get("relocated") and not q.objective_die:
        return {**found, "stopped": "the objective marker is relocated by a die; say which (objective_die)"}
    check_objective(g, front)
    forget_entries(g)
    if (now := g.objective_of(front)) != NO_HEX:
        found["objective"]["hex"] = g.hex_name(now)
    trace = move_active_units(g, front, MovementTrace())
    found["movement"] = {
        "methods": "9.21" if must_use_methods_a(g, front) else "9.22",
        "checks": trace.as_json(g),
        "moves": {g.id(c.unit): g.hex_name(c.end) for c in trace.checks if c.end != NO_HEX},
    }
    if still := [u for u in g.ascending(g.active_units()) if g.on_map(u) and g.is_dispersed(u)]:
        found["movement"]["dispersed"] = [g.id(u) for u in still]
    found["attacks"], stopped = _attacks(g, q, activation)
    if idle := _not_leading(g, activation, {c["lead"] for c in found["attacks"]}):
        found["not_leading"] = idle
    if stopped:
        return {**found, "stopped": "what follows depends on the combat"}
    return found | _rest(g, front)


def _objective(g: Board, front: str) -> dict[str, Any]:
    if not g.has_objective(front):
        return {"front": front, "in_play": False}
    found: dict[str, Any] = {"front": front, "in_play": True, "hex": g.hex_name(g.objective_of(front))}
    why = why_relocated(g, front) if g.turn in CHECKED else None
    if why is not None and is_listed(g, front):
        found["relocated"] = why.as_json()
        found["by_die"] = {str(die): new_objective(g, front, die) for die in range(1, g.charts.constants.die + 1)}
    elif why is not None:
        reason = f"{why.reason}, but the placement tables have no row for it with hexes of this board"
        found["not_relocated"] = Refusal("9.11", reason).as_json()
    else:
        found["remains"] = _why_it_remains(g, front).as_json()
    return found


def _why_it_remains(g: Board, front: str) -> Refusal:
    """9.0 step 1, 9.11, 9.12 Why the objective marker is left where it is."""
    if g.turn not in CHECKED:
        return Refusal("9.0", f"objectives are not checked on game-turn {g.turn}")
    if stage_of(g, front) >= LAST_STAGE:
        return Refusal("9.12", "it is in its third hex")
    return Refusal("9.11", f"no unit of the {front} Front is in it, beside it if Germans hold it, or proximate to it")


def _attacks(g: Board, q: AskSystem, activation: SovietActivation) -> tuple[list[dict[str, Any]], bool]:
    """9.4 The checks one after the other; of an attack all that is known before its first card is drawn."""
    told: list[dict[str, Any]] = []
    while check := activation.next_check(g):
        told.append(check.as_json(g))
        g.tell(check.short(g), "9.4")
        if not check.succeeds:
            continue
        stops = q.attacks == "stop"
        if placed := _begin_attack(g.copy() if stops else g, check, activation.card):
            told[-1]["reserves_placed"] = placed
        if stops:
            return told, True
    return told, False


def _not_leading(g: Board, activation: SovietActivation, leads: set[str]) -> dict[str, dict[str, Any]]:
    """9.4 The active units beside Germans that led no check, with the reason for each German-occupied hex."""
    found: dict[str, dict[str, Any]] = {}
    for u in g.ascending(u for u in g.active_units() if g.on_map(u) and g.id(u) not in leads):
        why = why_not_lead_to(g, u, activation.checked)
        if why:
            found[g.id(u)] = {g.hex_name(h): r.as_json() for h, r in why.items()}
    return found


def _begin_attack(g: Board, check: AttackCheck, card: int) -> dict[str, str]:
    """12.2 Step 1 of the attack: the reserves that join it, with their hexes."""
    b = battle_of(g, SOVIET, check.target, check.attackers, card)
    begin(g, b)
    apply_standing_tactics(g, b)
    placed = {g.id(u): g.hex_name(choice.hex) for u, choice in add_reserves(g, b) if choice.hex != NO_HEX}
    leave_positions(g, b)
    return placed


def _rest(g: Board, front: str) -> dict[str, Any]:
    """Steps 4 to 7, and what the end of the activation brings (9.12)."""
    waiting = [u for u in g.in_box(SOVIET, RESERVE) if g.status[u] & ACTIVE]
    placings = place_reserves(g, front)
    placed = {g.id(u): g.hex_name(g.place[u]) for u in waiting if g.on_map(u)}
    removals = remove_units(g)
    position = position_choice(g) if g.turn >= PLACED_FROM else None
    others = unqualified_hexes(g) if position is not None else {}
    place_position(g)
    dispersed = [u for u in g.active_units() if g.is_dispersed(u)]
    recover(g)
    entered = [front for front, h in third_objectives(g) if g.has_mark(h, ENTERED)]
    check_third_objectives(g)
    found: dict[str, Any] = {
        "reserves": placed,
        "removals": [r.as_json(g) for r in removals],
        "improved_position": position.as_json(g) if position is not None else {},
        "undispersed": [g.id(u) for u in dispersed if not g.is_dispersed(u)],
    }
    if placings:
        found["reserve_checks"] = [p.as_json(g) for p in placings]
    if others:
        found["improved_position"]["not_qualifying"] = {g.hex_name(h): r.as_json() for h, r in others.items()}
    return {**found, "objectives_removed": entered} if entered else found


SYSTEM_QUESTIONS = {
    "system": Answerer(AskSystem, system, "what the Soviet system does when a formation is activated, and why"),
}
