"""16.4 Breakout: when it may be declared, and what it changes."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits
from kessel.core.hexset import bits, members
from kessel.games.korsun44.board import GERMAN, LINES, STEMMERMANN, Board
from kessel.games.korsun44.supply.paths import joined
from kessel.games.korsun44.supply.sources import all_edges


def is_last_soviet_turn(g: Board) -> bool:
    """16.5.4 The Soviet player-turn after a Breakout: no Event and Replacement Phases, then the game ends."""
    declared = g.track("breakout")
    return bool(declared) and g.turn > declared


def in_pocket(g: Board) -> list[Unit]:
    """The units of Gruppe Stemmermann on the map."""
    return [u for u in g.on_the_map(GERMAN) if g.status[u] & STEMMERMANN]


@fact(LINES)
def connected(g: Board) -> Bits:
    """16.4 The hexes from which a free path leads to a German edge source: who stands elsewhere is isolated."""
    edges = all_edges(g, GERMAN)
    return joined(g, GERMAN, edges) if edges else g.playable


def outside(g: Board) -> Bits:
    """16.5.3 Hexes with Germans that are not in the pocket: alarm units in its towns do not count."""
    mine = (g.place[u] for u in g.on_the_map(GERMAN) if not g.status[u] & STEMMERMANN)
    return bits(mine) & connected(g)


def relief(g: Board) -> Bits:
    """16.4 Hexes with units of 7th Korps and of 3rd and 47th Panzer Korps that are not isolated."""
    korps = g.charts.game.formations.relief_korps
    mine = (u for u in g.on_the_map(GERMAN) if g.forces.corps[u] in korps and not g.status[u] & STEMMERMANN)
    return bits(g.place[u] for u in mine) & connected(g)


def why_not_breakout(g: Board) -> Refusal | None:
    """16.4 Korsun was isolated in an earlier turn, and the pocket is within three hexes of the relief."""
    declared, most = g.track("korsun_declared"), g.charts.constants.breakout_distance
    if g.track("breakout"):
        return Refusal("16.4", "a Breakout was declared")
    if not declared or declared >= g.turn:
        return Refusal("16.4", "Korsun must have been declared isolated in an earlier turn")
    near = members(relief(g))
    for u in in_pocket(g):
        if any(g.map.grid.distance(g.place[u], h) <= most for h in near):
            return None
    return Refusal("16.4", f"no unit of Gruppe Stemmermann is within {most} hexes of the relieving korps")


def declare_breakout(g: Board) -> None:
    g.set_track("breakout", g.turn)
    g.tell("Breakout is declared: every man for himself", "16.4")
