"""Named layers for the map: zones, supply, objectives with their owners, and what the enemy can reach and attack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from kessel.core.board import Board
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, spread, union
from kessel.wargame.reading import hex_names

G = TypeVar("G", bound=Board)


def layer(g: Board, s: Bits, about: str = "") -> Any:
    """A set of hexes; with a sentence on what it shows."""
    names = hex_names(g, s & g.map.grid.all)
    return {"hexes": names, "about": about} if about else names


def owners(g: Board, held: Iterable[tuple[Hex, Side | None]], sides: Sequence[str], about: str) -> dict[str, Any]:
    """Objectives and who holds them."""
    words = {g.hex_name(h): "nobody" if side is None else sides[side] for h, side in held}
    return {"hexes": words, "about": about}


def targets(g: Board, side: Side, reach: Mapping[Unit, Bits], able: Callable[[Unit], bool]) -> dict[Hex, list[Unit]]:
    """By hex with units of a side: the enemies with that reach that are able to attack and can come beside it."""
    own = bits(g.place[u] for u in range(len(g.forces)) if g.forces.side[u] == side and g.on_map(u))
    near: dict[Hex, list[Unit]] = {}
    for u, s in reach.items():
        if able(u):
            for target in members(own & spread(g.map.grid, s)):
                near.setdefault(target, []).append(u)
    return dict(sorted(near.items()))


def gathered(
    g: G,
    target: Hex,
    who: Iterable[Unit],
    reach: Mapping[Unit, Bits],
    strength: Callable[[Unit], int],
    fits: Callable[[G, Hex, Unit], bool],
    beside: Bits | None = None,
) -> tuple[G, list[Unit]]:
    """The best attack on a hex: a board on which the strongest stand beside it where they fit, and those units."""
    h = g.copy()
    attackers = []
    near = g.map.grid.near[target] if beside is None else beside
    for u in sorted(who, key=lambda u: (-strength(u), u)):
        for n in members(reach[u] & near):
            if h.place[u] == n or fits(h, n, u):
                if h.place[u] != n:
                    h.move(u, n)
                attackers.append(u)
                break
    return h, attackers


def danger(
    g: Board,
    side: Side,
    names: Sequence[str],
    reach: Mapping[Unit, Bits],
    threats: Mapping[Hex, str],
    about: tuple[str, str],
) -> dict[str, Any]:
    """Two layers for a side: what the enemy can reach, and which units it threatens at what odds."""
    threatened = {"hexes": {g.hex_name(h): text for h, text in threats.items()}, "about": about[1]}
    return {
        f"{names[1 - side]} reach": layer(g, union(reach.values()), about[0]),
        f"Threatened {names[side]} units": threatened,
    }
