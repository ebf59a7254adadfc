"""How well a board sits: fit errors, and what geography alone says of hexsides and places read elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.mapping.build import Built
from kessel.mapping.grid import Side, hex_name


def lines(built: Built) -> Iterator[str]:
    yield from _fit(built)
    yield from _places(built)
    yield from _rivers(built)
    yield from _counts(built)


def _fit(built: Built) -> Iterator[str]:
    fit = built.fit
    low, high = fit.km_per_hex()
    yield f"fit of {len(fit.points)} points, {low:.2f} to {high:.2f} km per hex"
    yield f"  affine rms {fit.affine_rms():.2f} hex, leave-one-out {fit.affine_left_out():.2f}"
    yield f"  sheet (stiffness {fit.stiffness:g}) rms {fit.sheet_rms():.2f}, leave-one-out {fit.sheet_left_out():.2f}"
    for p in fit.point_errors():
        mark = "" if p.sheet_hex == p.stated else f"  sheet puts it in {p.sheet_hex}"
        yield f"  {p.name:<28} {p.stated}  affine {p.affine:.2f}  left out {p.left_out:.2f}{mark}"
    for check in fit.checks:
        at = hex_name(fit.hex_at(check.lat, check.lon))
        yield f"  check {check.name:<22} {hex_name(check.hex)}  sheet puts it in {at}"


def _places(built: Built) -> Iterator[str]:
    """Places with both coordinates and a hex: where the fit would have put them."""
    pairs = []
    for entry in built.edits["places"]:
        if entry.has("hex") and entry.has("at"):
            lat, lon = entry.values["at"]
            h = built.fit.grid.parse_hex(entry.text("hex"))
            pairs.append(built.fit.grid.distance(h, built.fit.hex_at(float(lat), float(lon))))
    if pairs:
        exact, near = sum(d == 0 for d in pairs), sum(d == 1 for d in pairs)
        yield f"places with a hex and coordinates: {exact} of {len(pairs)} where the fit puts them, {near} one off"


def read_sides(built: Built, features: set[str]) -> set[Side]:
    """River hexsides a public reading gives, of these features."""
    return {
        side
        for entry in built.edits["rivers"]
        if entry.values.get("provenance") == "public" and entry.values.get("feature") in features
        for side in built.fit.grid.parse_sides(entry.text("sides", ""))
    }


def agreement(built: Built, features: set[str]) -> tuple[int, int, int]:
    """(hexsides read, of them on the board with such a feature, of them given by geography alone)."""
    read = read_sides(built, features)
    board = {s for s, v in built.draft.hexsides.items() if features & set(v.get("features", ()))}
    return len(read), len(read & board), len(read & set(built.geography.river_sides))


def _rivers(built: Built) -> Iterator[str]:
    rivers = built.edits.board.words("river_features")
    for title, features in [*((word, {word}) for word in rivers), ("all rivers", set(rivers))]:
        total, board, alone = agreement(built, features)
        if total:
            yield (
                f"public reading, {title}: {total} hexsides, on the board {board} ({board / total:.0%}), "
                f"from geography alone {alone} ({alone / total:.0%})"
            )


def _counts(built: Built) -> Iterator[str]:
    draft = built.draft
    terrains: dict[str, int] = {}
    for values in draft.hexes.values():
        terrains[values["terrain"]] = terrains.get(values["terrain"], 0) + 1
    yield f"{len(draft.hexes)} hexes: " + ", ".join(f"{word} {n}" for word, n in sorted(terrains.items()))
    features: dict[str, int] = {}
    for values in draft.hexsides.values():
        for word in values.get("features", ()):
            features[word] = features.get(word, 0) + 1
    yield f"{len(draft.hexsides)} hexsides: " + ", ".join(f"{word} {n}" for word, n in sorted(features.items()))
    kinds: dict[str, int] = {}
    for link in draft.links:
        kinds[link.kind] = kinds.get(link.kind, 0) + len(link.path) - 1
    yield f"{len(draft.links)} links: " + ", ".join(f"{word} {n} steps" for word, n in sorted(kinds.items()))
    sources: dict[str, int] = {}
    for values in [*draft.hexes.values(), *draft.hexsides.values(), *(link.values for link in draft.links)]:
        word = values.get("provenance", draft.provenance)
        sources[word] = sources.get(word, 0) + 1
    yield "provenance: " + ", ".join(f"{word} {n}" for word, n in sorted(sources.items()))
