"""2.3 Piles of cards. A pile has no order: drawing picks one of the cards left."""

from __future__ import annotations

from kessel.games.kharkov43.board import OFF_MAP, Board


def german_pile(g: Board, pile: int) -> list[int]:
    return [i for i in g.charts.german_cards if g.cards[i] == pile]


def soviet_pile(g: Board, pile: int) -> list[int]:
    return [i for i in g.charts.soviet_cards if g.cards[i] == pile]


def draw(g: Board, cards: list[int], many: int, to: int) -> list[int]:
    """Draw so many of these cards at random into a pile; all of them where there are not more."""
    cards = list(cards)
    drawn: list[int] = []
    while cards and len(drawn) < many:
        all_of_them = len(cards) <= many - len(drawn)
        drawn.append(cards.pop(0 if all_of_them else g.dice.pick(len(cards), secret=True)))
    for i in drawn:
        g.cards[i] = to
    g.happened(OFF_MAP)
    return drawn
