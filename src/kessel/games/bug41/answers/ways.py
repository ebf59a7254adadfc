"""The best attack of each kind on a hex: who takes part, and what is to be expected of it."""

from __future__ import annotations

from kessel.core.procedure import Action, options
from kessel.core.title import Way
from kessel.games.bug41.board import Board
from kessel.games.bug41.combat.odds import odds_of
from kessel.games.bug41.combat.strength import HASTY, PREPARED, REGULAR
from kessel.games.bug41.turn.activation import Activation

KINDS = (HASTY, REGULAR, PREPARED)


def ways(g: Board, action: Action) -> list[Way]:
    p = g.stack[-1] if g.stack else None
    if action[0] not in KINDS or not isinstance(p, Activation):
        return []
    listed = [a for a in options(g) if a[0] in KINDS and a[1] == action[1]]
    best = [max(of, key=lambda a: _worth(g, p, a)) for kind in KINDS if (of := [a for a in listed if a[0] == kind])]
    return [_way(g, p, a) for a in best]


def _hits(g: Board, p: Activation, a: Action) -> tuple[float, float]:
    return odds_of(g, p.formation, a[0], a[1], a[2]).expected()


def _worth(g: Board, p: Activation, a: Action) -> tuple[float, int]:
    """Hits to be expected on them, less those on us; of groups as good as each other the smaller."""
    ours, theirs = _hits(g, p, a)
    return round(theirs - ours, 6), -len(a[2])


def _way(g: Board, p: Activation, a: Action) -> Way:
    ours, theirs = _hits(g, p, a)
    who = " and ".join(map(g.name, a[2]))
    says = f"{a[0].capitalize()} Attack with {who}: {theirs:.1f} hits on them, {ours:.1f} on us"
    return Way(says, [a], "")
