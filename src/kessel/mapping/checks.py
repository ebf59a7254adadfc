"""What must hold on every board: rivers run on, links lie on land, no place is cut off. Each lists its findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from kessel.mapping.draft import Draft
from kessel.mapping.grid import Corner, Hex, Side, hex_name, side_of

EdgeSet = Collection[Side]


def sides_with(draft: Draft, features: Iterable[str]) -> set[Side]:
    wanted = set(features)
    return {side for side, values in draft.hexsides.items() if wanted & set(values.get("features", ()))}


def river_pieces(draft: Draft, sides: set[Side], inside: Collection[str] = ()) -> list[set[Side]]:
    """Hexsides joined at corners, as connected pieces, largest first.

    A river may flow through the middle of a hex of a terrain of `inside` (a city, a marsh): all its corners are joined.
    """
    group: dict[Corner, Corner] = {}

    def leader(corner: Corner) -> Corner:
        while group.setdefault(corner, corner) != corner:
            corner = group[corner]
        return corner

    together: list[list[Corner]] = [list(draft.grid.side_corners(side)) for side in sides]
    together += [draft.grid.corners(h) for h, v in draft.hexes.items() if v["terrain"] in inside]
    for first, *others in together:
        for other in others:
            group[leader(other)] = leader(first)
    pieces: dict[Corner, set[Side]] = defaultdict(set)
    for side in sides:
        pieces[leader(draft.grid.side_corners(side)[0])].add(side)
    return sorted(pieces.values(), key=lambda p: (-len(p), min(p)))


def corner_hexes(draft: Draft, corner: Corner) -> list[Hex]:
    """The three hexes round a corner, on the map or not."""
    i, j = corner
    u, v = i / (2 * 3**0.5), j / 2
    h = draft.grid.nearest(u + 1e-4, v + 1e-4)
    return [x for x in [h, *draft.grid.neighbours(h)] if corner in draft.grid.corners(x)]


def open_hexes(draft: Draft, water: Collection[str], inside: Collection[str] = ()) -> set[Hex]:
    """Where a river may end: water, what lies beyond the map, and hexes of `inside` next to either."""
    reach = {h for h, values in draft.hexes.items() if values["terrain"] in water}
    reach |= {n for h in draft.hexes for n in draft.grid.neighbours(h) if n not in draft.hexes}
    frontier = list(reach)
    while frontier:
        for n in draft.grid.neighbours(frontier.pop()):
            if n in draft.hexes and n not in reach and draft.hexes[n]["terrain"] in inside:
                reach.add(n)
                frontier.append(n)
    return reach


def ends_in_water_or_edge(draft: Draft, piece: set[Side], water: Collection[str], inside: Collection[str] = ()) -> bool:
    """Does the piece touch a sea or lake hex, or the edge of the map?"""
    ends = open_hexes(draft, water, inside)
    corners = {corner for side in piece for corner in draft.grid.side_corners(side)}
    return any(h in ends for corner in corners for h in corner_hexes(draft, corner))


def stranded_rivers(
    draft: Draft, rivers: Iterable[str], water: Collection[str], inside: Collection[str] = (), lakes: Iterable[str] = ()
) -> list[set[Side]]:
    """River pieces that end nowhere: neither sea, lake, map edge nor a bigger river that does."""
    own = sides_with(draft, rivers)
    pieces = river_pieces(draft, own | sides_with(draft, lakes), inside)
    return [piece & own for piece in pieces if piece & own and not ends_in_water_or_edge(draft, piece, water, inside)]


def river_gaps(draft: Draft, name: str) -> int:
    """Into how many pieces the river of that name falls, other rivers counted as joining it; 1 is whole."""
    own = {side for side, values in draft.hexsides.items() if values.get("name") == name}
    return len(river_pieces(draft, own))


def connected(edges: EdgeSet, start: Hex) -> set[Hex]:
    at: dict[Hex, list[Hex]] = defaultdict(list)
    for a, b in edges:
        at[a].append(b)
        at[b].append(a)
    seen, frontier = {start}, [start]
    while frontier:
        for n in at[frontier.pop()]:
            if n not in seen:
                seen.add(n)
                frontier.append(n)
    return seen


def off_the_net(draft: Draft, features: Iterable[str], kinds: Iterable[str]) -> list[str]:
    """Named hexes with one of the features or terrains that no link of these kinds enters."""
    wanted = set(features)
    on_net = {h for edge in draft.edges(kinds) for h in edge}
    return [
        f"{hex_name(h)} {values.get('name', '')}"
        for h, values in sorted(draft.hexes.items())
        if (wanted & set(values.get("features", ())) or values["terrain"] in wanted) and h not in on_net
    ]


def links_over_water(draft: Draft, water: Collection[str]) -> list[str]:
    found = []
    for link in draft.links:
        if link.values.get("special"):
            continue
        for h in link.path:
            if draft.hexes[h]["terrain"] in water:
                found.append(f"{link.kind} {link.values.get('name', '')} at {hex_name(h)}")
    return found


def cut_off(draft: Draft, start: Hex, water: Collection[str], closed: Iterable[str]) -> list[str]:
    """Land hexes that cannot be reached from `start` over hexsides without the closed features (links always pass)."""
    walls = sides_with(draft, closed) - {edge for link in draft.links for edge in link.edges()}
    jumps = [link.path for link in draft.links if link.values.get("special")]
    seen, frontier = {start}, [start]
    while frontier:
        h = frontier.pop()
        onward = [n for n in draft.grid.neighbours(h) if side_of(h, n) not in walls]
        onward += [other for path in jumps if h in path for other in path]
        for n in onward:
            if n not in seen and n in draft.hexes and draft.hexes[n]["terrain"] not in water:
                seen.add(n)
                frontier.append(n)
    land = {h for h, values in draft.hexes.items() if values["terrain"] not in water}
    return [hex_name(h) for h in sorted(land - seen)]
