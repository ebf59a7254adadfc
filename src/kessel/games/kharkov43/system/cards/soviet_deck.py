"""8.0, 8.2, 12.32, 12.37 The Soviet cards: drawing, discarding, re-use, exhaustion, removal.

The pile has no order (`kessel.core.dice`); "shuffled" needs nothing to be done.
"""

from __future__ import annotations

from collections.abc import Sequence

from kessel.games.kharkov43.board import (
    AUXILIARY,
    COMMAND,
    DISCARD,
    DRAW,
    IN_PLAY,
    LIGHT_MUD,
    OFF_MAP,
    OUT,
    TACTICS_ONLY,
    Board,
)
from kessel.games.kharkov43.data.cards import Card
from kessel.games.kharkov43.turn.piles import draw, soviet_pile

NO_CARD = -1


def has_soviet_cards(g: Board) -> bool:
    """8.0 Impulses go on while the draw pile lasts; cards reshuffled for tactics alone do not count (12.37)."""
    return bool(soviet_pile(g, DRAW))


def is_small_pile(g: Board) -> bool:
    """9.4, 12.54 Fewer than four cards are left in the Soviet draw pile."""
    return len(soviet_pile(g, DRAW)) < g.charts.constants.small_pile


def auxiliary_card(g: Board) -> Card | None:
    found = soviet_pile(g, AUXILIARY)
    return g.charts.cards[found[0]] if found else None


def shown(card: Card) -> str:
    return f"{card.name} ({card.id})"


# --- 8.1 the cards of an impulse -------------------------------------------------------------------------------------


def command_order(card: Card) -> tuple[bool, int, str]:
    """8.1 The command card is the primary one, else that with the higher command value, else the lower id."""
    return not card.primary, -card.command_value, card.id


def draw_command_cards(g: Board) -> None:
    """8.1 Draw two cards, or the last one: the first in order becomes the command card, the other the auxiliary."""
    cards = draw(g, soviet_pile(g, DRAW), g.charts.constants.cards_per_soviet_impulse, IN_PLAY)
    cards.sort(key=lambda i: command_order(g.charts.cards[i]))
    for i, box in zip(cards, (COMMAND, AUXILIARY), strict=False):
        g.cards[i] = box
    g.happened(OFF_MAP)
    g.reveal()
    command = g.charts.cards[cards[0]]
    text = f"command card: {shown(command)}, {why_first([g.charts.cards[i] for i in cards])}"
    if len(cards) > 1:
        text += f"; auxiliary card: {shown(g.charts.cards[cards[1]])}"
    g.tell(text, "8.1", cards=[g.charts.cards[i].id for i in cards])


def why_first(cards: Sequence[Card]) -> str:
    """8.1 Why the first of these cards, in their order, commands."""
    if len(cards) == 1:
        return "the last card"
    a, b = cards
    if a.primary != b.primary:
        return "primary"
    if a.command_value != b.command_value:
        return f"command value {a.command_value} against {b.command_value}"
    return "the lower id"


def auxiliary_takes_command(g: Board) -> bool:
    """8.1 step 3: an auxiliary card still in its box becomes the command card."""
    left = soviet_pile(g, AUXILIARY)
    if not left:
        return False
    g.cards[left[0]] = COMMAND
    g.happened(OFF_MAP)
    g.tell(
        f"the auxiliary card takes command: {shown(g.charts.cards[left[0]])}", "8.1", card=g.charts.cards[left[0]].id
    )
    return True


def discard_soviet(g: Board, i: int, rule: str = "8.0") -> None:
    """8.0 Face up to the discards; 8.2 the STAVKA card leaves the game instead from game-turn 7 on."""
    card = g.charts.cards[i]
    gone = card.leaves and g.turn >= card.leaves
    g.cards[i] = OUT if gone else DISCARD
    g.happened(OFF_MAP)
    if gone:
        g.tell(f"{shown(card)} leaves the game", "8.2", card=card.id)
    else:
        g.tell(f"{shown(card)} is discarded", rule, card=card.id)


# --- 12.3, 12.32, 12.37 cards as combat tactics ----------------------------------------------------------------------


def draw_tactic_card(g: Board) -> int:
    """12.3 Draw a card for its tactics; from the discards once the pile is exhausted (12.37). NO_CARD: none is left."""
    pile = soviet_pile(g, DRAW)
    rule = "12.3"
    if not pile:
        rule = "12.37"
        if not soviet_pile(g, TACTICS_ONLY):
            for i in soviet_pile(g, DISCARD):
                g.cards[i] = TACTICS_ONLY
        pile = soviet_pile(g, TACTICS_ONLY)
    drawn = draw(g, pile, 1, IN_PLAY)
    if not drawn:
        g.tell("no Soviet card is left to draw", rule)
        return NO_CARD
    g.reveal()
    card = g.charts.cards[drawn[0]]
    g.tell(f"card drawn for a combat tactic: {shown(card)}", rule, card=card.id)
    return drawn[0]


def why_not_returned(g: Board, i: int) -> str:
    """12.32 Why a card used for its tactics does not go back to the pile (counted without it); "" if it does."""
    if not g.charts.cards[i].reuse:
        return "it is not marked for re-use"
    if g.ground_condition == LIGHT_MUD:
        return "light mud"
    if len(soviet_pile(g, DRAW)) < g.charts.constants.reuse_minimum_pile:
        return "the draw pile has fewer than four cards"
    return ""


def finish_tactic_card(g: Board, i: int) -> None:
    """12.0 step 9, 12.32: back to the draw pile or to the discards, for a card drawn or an auxiliary card applied."""
    if why_not_returned(g, i):
        discard_soviet(g, i, "12.0")
        return
    g.cards[i] = DRAW
    g.happened(OFF_MAP)
    g.tell(f"{shown(g.charts.cards[i])} is shuffled back into the draw pile", "12.32", card=g.charts.cards[i].id)
