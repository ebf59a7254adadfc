"""8.1, 8.3 Replacement Points: what the tracks hold."""

from __future__ import annotations

from kessel.core.forces import Side, Unit
from kessel.games.korsun44.board import GERMAN, Board


def command_of(g: Board, u: Unit) -> str:
    """8.1.2 The Front or korps whose Replacement Points a unit takes."""
    return g.forces.corps[u] if g.forces.side[u] == GERMAN else g.front_of(u)


def add_points(g: Board, command: str, armor: bool, points: int, rule: str) -> None:
    """8.1.2 Points beyond the end of a track are lost; 42nd Korps has no armor marker."""
    most = g.charts.game.tracks.replacement
    if armor and command in NO_ARMOR:
        most = 0
    before = g.rp(command, armor)
    after = min(most, before + points)
    g.set_rp(command, armor, after)
    word = "armor" if armor else "infantry"
    lost = f", {before + points - after} lost" if before + points > after else ""
    g.tell(f"{g.formation(command)} has {after} {word} Replacement Point{'s' * (after != 1)}{lost}", rule)


NO_ARMOR = ("42K",)
"""8.1.2"""


def receive(g: Board, side: Side) -> None:
    """8.3 What the Turn Record Track gives this turn."""
    turn = g.charts.turn(g.turn)
    mine = g.charts.game.formations.german_korps if side == GERMAN else g.charts.game.formations.fronts
    for armor, given in ((False, turn.infantry), (True, turn.armor)):
        for command, points in given.items():
            if command in mine:
                add_points(g, command, armor, points, "8.3")
