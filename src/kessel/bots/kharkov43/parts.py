"""The parts of a position of Kharkov '43, for the Germans: what its worth is made of."""

from __future__ import annotations

from typing import Any, cast

from kessel.core.hexset import members
from kessel.games.kharkov43.board import DISPERSED, DRAW, HAND, ISOLATED, RESERVE, UNSUPPLIED, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.turn.piles import german_pile, soviet_pile
from kessel.games.kharkov43.turn.victory import is_kharkov

REACH = 6
"""Hexes from which units count for who will hold a town."""
WEAK = 0.4
"""What counts of a unit that is scattered or without supply."""
RESERVES = 0.7
"""What counts of the Germans that wait to be deployed."""
MARKER = 1.0
"""What a garrison marker counts."""


class KharkovParts:
    def left(self, g: Any) -> float:
        board = cast(Board, g)
        last = board.scenario.last_turn if board.scenario is not None else board.turn
        return max(0.0, (last - board.turn + 1) / last)

    def parts(self, g: Any) -> dict[str, float]:
        board = cast(Board, g)
        return {"points": -float(board.vp), **grip(board), **strength(board), **cards(board)}


def grip(g: Board) -> dict[str, float]:
    """Victory Points by who is likely to hold them, less what their owners say: towns to be won, towns to be lost;
    and how near Kharkov is to being German."""
    units = [
        (g.place[u], g.strength(u) * (WEAK if g.status[u] & (DISPERSED | UNSUPPLIED) else 1.0), side == GERMAN)
        for side in (GERMAN, SOVIET)
        for u in g.on_map_of(side)
        if not g.status[u] & ISOLATED
    ]
    found = {"to_win": 0.0, "to_lose": 0.0, "kharkov": 0.0}
    soviet = g.towns_of(SOVIET) | g.edges_held
    for h in members(g.ground.vp_hexes):
        far = g.ground.distances(h)
        ours, theirs = 0.0, MARKER if g.garrisons >> h & 1 else 0.1
        for place, value, german in units:
            if (d := far[place]) <= REACH:
                if german:
                    ours += value / (1 + d)
                else:
                    theirs += value / (1 + d)
        share, worth = ours / (ours + theirs), g.ground.vp_value(h)
        if soviet >> h & 1:
            found["to_win"] += worth * share
        elif ours > 0.0 or theirs > MARKER:
            found["to_lose"] -= worth * (1 - share)
        if is_kharkov(g, h):
            found["kharkov"] = share
    return found


def strength(g: Board) -> dict[str, float]:
    """Of both sides on the map, in tens; and of Germans that no supply reaches, as a loss."""
    mine: float = sum(g.strength(u) for u in g.on_map_of(GERMAN))
    theirs = sum(g.strength(v) for v in g.on_map_of(SOVIET))
    cut = sum(g.strength(u) for u in g.on_map_of(GERMAN) if g.status[u] & UNSUPPLIED)
    mine += RESERVES * sum(g.strength(u) for u in g.forces.of_side(GERMAN) if g.box[u] == RESERVE)
    return {"strength": mine / 10, "soviets": -theirs / 10, "cut_off": -cut / 10}


def cards(g: Board) -> dict[str, float]:
    """What is left to be played in this game-turn."""
    mine = len(german_pile(g, HAND)) + len(german_pile(g, DRAW))
    return {"cards": float(mine), "soviet_cards": -float(len(soviet_pile(g, DRAW)))}


PARTS = KharkovParts()
