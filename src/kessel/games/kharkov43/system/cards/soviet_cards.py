"""8 Soviet draw pile and commands: the Soviet impulse.

8.0, 8.1  soviet_deck         drawing, selection, discards, re-use, exhaustion
8.11      soviet_events
8.12      replacements        (16.1)
8.13      soviet_formations   who is activated; soviet_activation: what they do
8.3       choosing            selection preferences
"""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.procedure import Call, Goto, Out, Procedure, auto
from kessel.games.kharkov43.board import AUXILIARY, COMMAND, Board
from kessel.games.kharkov43.data.cards import Card, Command
from kessel.games.kharkov43.system.cards.soviet_deck import (
    auxiliary_takes_command,
    discard_soviet,
    draw_command_cards,
    shown,
)
from kessel.games.kharkov43.system.cards.soviet_events import conduct_event, why_not_soviet_event
from kessel.games.kharkov43.system.soviet_activation import SovietActivation
from kessel.games.kharkov43.system.soviet_formations import activated_by, make_active
from kessel.games.kharkov43.turn.piles import soviet_pile
from kessel.games.kharkov43.turn.replacements import give_step, soviet_choice

# --- 8.1 first applicable command ------------------------------------------------------------------------------------


def why_not_performed(g: Board, card: Card, command: Command) -> Refusal | None:
    """8.1, 8.11-8.13 Why a command of the card can't be performed now; None for the first one that is."""
    if not command.valid(g.turn):
        return Refusal("8.1", f"it is not valid on game-turn {g.turn}")
    if command.command in ("event", "special_event"):
        return why_not_soviet_event(g, card, g.charts.events[command.event])
    if command.command == "replace":
        if soviet_choice(g, g.forces.in_formation(command.army)) is None:
            return Refusal("8.12", f"{g.formation(command.army, '{} Army')} has no unit eligible for replacement")
        return None
    found = activated_by(g, card, command)
    return found if isinstance(found, Refusal) else None


def command_text(g: Board, command: Command) -> str:
    if command.event:
        return g.charts.events[command.event].name
    if command.command == "replace":
        return f"assign {command.steps} replacement to {g.formation(command.army)}"
    return f"activate {g.formation(command.army) or command.select.replace('_', ' ')}"


def first_command(g: Board, card: Card) -> tuple[Command | None, list[tuple[Command, Refusal]]]:
    """8.1 From top to bottom the first command that can be carried out, and why those above it can't."""
    passed: list[tuple[Command, Refusal]] = []
    for command in card.commands:
        refusal = why_not_performed(g, card, command)
        if refusal is None:
            return command, passed
        passed.append((command, refusal))
    return None, passed


def perform(g: Board, i: int, command: Command) -> Procedure | None:
    """8.11-8.13 Carry a command out; an activation is a procedure of its own."""
    card = g.charts.cards[i]
    if command.command in ("event", "special_event"):
        conduct_event(g, card, g.charts.events[command.event])
        return None
    if command.command == "replace":
        for _ in range(command.steps):
            u = soviet_choice(g, g.forces.in_formation(command.army))
            if u is not None:
                give_step(g, u, "8.12")
        return None
    found = activated_by(g, card, command)
    assert not isinstance(found, Refusal)
    make_active(g, found)
    return SovietActivation(i, found.front, found.armies)


# --- 8.1 the impulse -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class SovietImpulse(Procedure):
    """8.1 Command card and auxiliary card, in sequence."""

    @auto("8.1")
    def draw(self, g: Board) -> Out:
        draw_command_cards(g)
        return None

    @auto("8.1")
    def auxiliary_event(self, g: Board) -> Out:
        """Step 1: a command event of the auxiliary card that applies is implemented; special events are not."""
        for i in soviet_pile(g, AUXILIARY):
            card = g.charts.cards[i]
            for command in card.commands:
                if command.command == "event" and why_not_performed(g, card, command) is None:
                    perform(g, i, command)
                    discard_soviet(g, i)
                    break
        return None

    @auto("8.1")
    def command(self, g: Board) -> Out:
        """Step 2: the first command of the command card that can be carried out."""
        i = soviet_pile(g, COMMAND)[0]
        card = g.charts.cards[i]
        found, passed = first_command(g, card)
        trace = [{"command": command_text(g, c), "passed_over": r.as_json()} for c, r in passed]
        if found is None:
            g.tell(f"no command of {shown(card)} can be conducted", "8.1", card=card.id, trace=trace)
            return None
        g.tell(f"{shown(card)}: {command_text(g, found)}", "8.1", card=card.id, trace=trace)
        called = perform(g, i, found)
        return None if called is None else Call(called)

    @auto("8.1")
    def finish(self, g: Board) -> Out:
        """Discard the command card; step 3: an auxiliary card still in its box takes command at once."""
        for i in soviet_pile(g, COMMAND):
            discard_soviet(g, i)
        return Goto("command") if auxiliary_takes_command(g) else None
