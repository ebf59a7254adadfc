"""Which units are better off under another formation: those it commands and stands among."""

from __future__ import annotations

from kessel.bots.bug41.weights import Weights
from kessel.core.forces import Unit
from kessel.core.hexset import within
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.supply.command import commanded_hexes

AMONG = 2
"""Hexes around a unit in which friends are counted."""


def belongs(g: Board, w: Weights, u: Unit, f: Formation) -> float:
    """How well a unit would serve under a formation, where it stands now."""
    h = g.place[u]
    if not commanded_hexes(g, f) >> h & 1:
        return 0.0
    near = within(g.map.grid, 1 << h, AMONG)
    friends = sum(1 for v in g.of_formation(f) if v != u and near >> g.place[v] & 1)
    return w.in_command + w.among * min(friends, w.most_among) + w.per_level * g.levels[f]


def gain(g: Board, w: Weights, u: Unit, f: Formation) -> float:
    """What it is worth to put a unit under another formation than now."""
    return belongs(g, w, u, f) - belongs(g, w, u, g.command[u])
