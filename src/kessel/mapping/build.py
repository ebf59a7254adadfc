"""From geography and `board-edits.toml` to a board.

The generated part comes first, the hand's part is laid over it section by section, in the order of the steps below.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from kessel.mapping import geodata
from kessel.mapping.draft import Draft, Link, area_values
from kessel.mapping.edits import Edits, Entry, HexSets
from kessel.mapping.errors import EditError
from kessel.mapping.fit import Fit
from kessel.mapping.geography import Geography, survey
from kessel.mapping.grid import Hex, Side, hex_name, side_name
from kessel.mapping.raster import line_to_corners, sides_along, without_spurs
from kessel.mapping.routes import chains, cheapest, guided

SOURCE = ("provenance", "note")
PATH_KEYS = ("path", "via", "follow", "avoid", "kind", "remove", "features")


def pack_folder(game: str) -> Path:
    folder = Path(str(files("kessel").joinpath("games", game, "pack")))
    if not folder.is_dir():
        raise EditError(f"{game}: there is no pack folder {folder}")
    return folder


def games_with_edits() -> list[str]:
    games = Path(str(files("kessel").joinpath("games")))
    return sorted(p.parent.parent.name for p in games.glob("*/pack/board-edits.toml"))


@dataclass
class Built:
    """A board with what it was made from, for reports and checks."""

    edits: Edits
    fit: Fit
    geography: Geography
    draft: Draft


def build(path: Path) -> Built:
    """Read a `board-edits.toml` and draw its board."""
    edits = Edits(path)
    fit = edits.make_fit()
    geography = survey(fit, int(edits.take.values.get("river_rank", 99)))
    return Builder(edits, fit, geography).run()


class Builder:
    """The steps of drawing, in order."""

    def __init__(self, edits: Edits, fit: Fit, geography: Geography) -> None:
        self.edits, self.fit, self.geo, self.grid = edits, fit, geography, edits.grid
        board = edits.board
        self.draft = Draft(board.text("game"), board.text("provenance", "reconstructed"), self.grid)
        self.sets = HexSets(fit)
        self.terrains = edits.vocabulary("terrains")
        self.features = edits.vocabulary("features")
        self.side_features = edits.vocabulary("hexside_features")
        self.rivers = board.words("river_features")
        self.kinds = edits.vocabulary("link_kinds")
        self.water = set(board.words("water"))
        self.corners = self.grid.corner_graph()
        self.late_areas: list[Entry] = []

    def run(self) -> Built:
        self.areas()
        self.ground()
        self.terrain()
        self.hex_features()
        self.places()
        self.flooded_areas()
        self.generated_rivers()
        self.hexsides()
        self.generated_rails()
        self.links()
        self.prune()
        self.drawings()
        return Built(self.edits, self.fit, self.geo, self.draft)

    def check_word(self, entry: Entry, word: str, vocabulary: set[str], what: str) -> str:
        if word not in vocabulary:
            raise entry.fail(f"{word!r} is not a {what} of this board (board.{what.replace(' ', '_')}s)")
        return word

    # ------------------------------------------------------------ hexes

    def areas(self) -> None:
        """Named sets of hexes; later ones may be made of earlier ones. Those that need to know land from water wait."""
        for entry in self.edits["areas"]:
            waiting = {late.text("id") for late in self.late_areas}
            if entry.has("flood") or waiting & {*entry.words("in"), *entry.words("but")}:
                self.late_areas.append(entry)
            else:
                self.sets.areas[entry.text("id")] = self.sets.read(entry)

    def flooded_areas(self) -> None:
        self.sets.land = {h for h in self.draft.hexes if self.is_land(h)}
        for entry in self.late_areas:
            self.sets.areas[entry.text("id")] = self.sets.read(entry)

    def ground(self) -> None:
        """Every hex of the grid: base terrain, then sea, lakes and heights as the geodata has them."""
        board, take = self.edits.board, self.edits.take
        missing = self.sets.read(Entry(board.where, {"hexes": board.text("no_hex", "")}))
        base = self.check_word(board, board.text("base_terrain", "clear"), self.terrains, "terrain")
        self.draft.hexes = {h: {"terrain": base} for h in self.grid.hexes() if h not in missing}
        for band in take.values.get("heights", []):
            entry = Entry(f"{take.where} heights", band)
            word = self.check_word(entry, entry.text("terrain"), self.terrains, "terrain")
            for h in self.draft.hexes:
                if self.geo.height[h] >= band.get("over", -1e9) and self.geo.relief[h] >= band.get("relief", 0):
                    self.draft.hexes[h]["terrain"] = word
        for key, shares in (("lake", self.geo.lake), ("sea", self.geo.sea)):
            if key in take.values:
                entry = Entry(f"{take.where} {key}", take.values[key])
                word = self.check_word(entry, entry.text("terrain"), self.terrains, "terrain")
                for h, share in shares.items():
                    if h in self.draft.hexes and share >= float(take.values[key].get("over", 0.5)):
                        self.draft.hexes[h]["terrain"] = word

        self.sets.areas["water"] = {h for h in self.draft.hexes if not self.is_land(h)}

    def existing(self, entry: Entry, hexes: set[Hex]) -> list[Hex]:
        for h in sorted(hexes):
            if h not in self.draft.hexes:
                raise entry.fail(f"hex {hex_name(h)} does not exist")
        return sorted(hexes)

    def mark(self, h: Hex, entry: Entry, strong: bool) -> None:
        """Provenance of a hex: a place's holds over a feature's, a feature's over the terrain's; notes add up."""
        source = entry.source()
        if "provenance" in source and (strong or source["provenance"] != "reconstructed"):
            self.draft.hexes[h]["provenance"] = source["provenance"]
        self.draft.add_note(h, source.get("note", ""))

    def terrain(self) -> None:
        for entry in self.edits["terrain"]:
            word = self.check_word(entry, entry.text("terrain"), self.terrains, "terrain")
            extra = entry.rest("terrain", "name", *HexSets.KEYS, *SOURCE)
            hexes = self.sets.read(entry)
            if {"rect", "in", "polygon"} & set(entry.values):  # broad strokes pass over what does not exist
                hexes &= set(self.draft.hexes)
            for h in self.existing(entry, hexes):
                self.draft.hexes[h]["terrain"] = word
                self.draft.hexes[h].update(extra)
                self.mark(h, entry, strong=True)

    def hex_features(self) -> None:
        for entry in self.edits["features"]:
            word = self.check_word(entry, entry.text("feature"), self.features, "feature")
            extra = entry.rest("feature", *HexSets.KEYS, *SOURCE)
            for h in self.existing(entry, self.sets.read(entry)):
                self.draft.add_feature(h, word)
                self.draft.hexes[h].update(extra)
                self.mark(h, entry, strong=False)

    def places(self) -> None:
        known = ("name", "hex", "at", "gazetteer", "kind", "features", *SOURCE)
        for entry in self.edits["places"]:
            h = self.locate(entry)
            self.existing(entry, {h})
            values = self.draft.hexes[h]
            if "name" in values and values["name"] != entry.text("name"):
                raise entry.fail(f"hex {hex_name(h)} is {values['name']} already")
            values["name"] = entry.text("name")
            for word in [*entry.words("kind"), *entry.words("features")]:
                if word in self.terrains:
                    values["terrain"] = word
                else:
                    self.draft.add_feature(h, self.check_word(entry, word, self.features, "feature"))
            values.update(entry.rest(*known))
            self.mark(h, entry, strong=True)

    def locate(self, entry: Entry) -> Hex:
        """Where a place is: its stated hex, or where the fit puts its coordinates or its gazetteer entry."""
        try:
            if entry.has("hex"):
                return self.grid.parse_hex(entry.text("hex"))
            if entry.has("at"):
                lat, lon = entry.values["at"]
                h = self.fit.hex_at(float(lat), float(lon))
            else:
                place = find_place(entry.text("gazetteer", entry.text("name")))
                h = self.fit.hex_at(place.lat, place.lon)
            return self.grid.parse_hex(hex_name(h))
        except EditError as error:
            raise entry.fail(str(error)) from None

    # ------------------------------------------------------------ hexsides

    def generated_rivers(self) -> None:
        """The rivers `take.rivers` asks for, except where both hexes lie in `take.rivers_not_in`."""
        take = self.edits.take.values
        classes: dict[str, str] = take.get("rivers", {})
        default: str = take.get("rivers_default", "")
        for word in {default, *classes.values()} - {""}:
            self.check_word(self.edits.take, word, set(self.rivers), "river_feature")
        known = {name for names in self.geo.river_sides.values() for name in names}
        for name in sorted({*classes, *take.get("river_names", {})} - known):
            raise self.edits.take.fail(f"the geodata has no river {name!r} on this map")
        closed = self.sets.read(Entry(self.edits.take.where, {"in": take.get("rivers_not_in", [])}))
        for side, names in self.geo.river_sides.items():
            if side[0] in closed and side[1] in closed:
                continue
            found = [(classes.get(name, default), name) for name in sorted(names)]
            found = [(word, name) for word, name in found if word]
            if found:
                word, name = max(found, key=lambda pair: self.rivers.index(pair[0]))
                self.draft.hexsides[side] = {"features": [word], **self.river_name(name)}

    def river_name(self, name: str) -> dict[str, str]:
        """The name a river goes by on this board (`take.river_names`)."""
        renamed: dict[str, str] = self.edits.take.values.get("river_names", {})
        return {"name": renamed.get(name, name)} if name else {}

    def hexsides(self) -> None:
        for section in ("rivers", "hexsides"):
            for entry in self.edits[section]:
                try:
                    self.one_hexside_entry(entry)
                except EditError as error:
                    raise error if str(error).startswith(entry.where) else entry.fail(str(error)) from None

    def one_hexside_entry(self, entry: Entry) -> None:
        for side in self.grid.parse_sides(entry.text("remove", "")):
            if self.draft.hexsides.pop(side, None) is None:
                raise entry.fail(f"there is nothing on hexside {side_name(side)} to remove")
        sides = self.grid.parse_sides(entry.text("sides", ""))
        if entry.has("between"):
            banks = entry.values["between"]
            if not isinstance(banks, list) or len(banks) != 2:
                raise entry.fail("between must be two lists of hexes, one for each bank")
            near, far = (set(self.grid.parse_hexes(bank)) for bank in banks)
            sides += sorted({(min(a, b), max(a, b)) for a in near for b in self.grid.neighbours(a) if b in far})
        if entry.has("course"):
            line = self.fit.to_grid([(lon, lat) for lat, lon in entry.values["course"]])
            sides += [
                s for path in line_to_corners(line, self.grid, self.corners) for s in sides_along(path, self.corners)
            ]
        if not sides:
            return
        word = self.check_word(entry, entry.text("feature"), self.side_features, "hexside_feature")
        extra = entry.rest("feature", "sides", "between", "course", "remove")
        for side in sides:
            values = self.draft.hexsides.setdefault(side, {})
            features = values.setdefault("features", [])
            if word in self.rivers:
                features[:] = [f for f in features if f not in self.rivers]
                values.update(self.known_name(side))
            if word not in features:
                features.append(word)
            values.update(extra)

    def known_name(self, side: Side) -> dict[str, str]:
        """The name of the only river the geodata has along a hexside; a hand's own name overrides it."""
        names = self.geo.river_sides.get(side, set()) - {""}
        return self.river_name(min(names)) if len(names) == 1 else {}

    # ------------------------------------------------------------ links

    def generated_rails(self) -> None:
        """Today's main lines as they stand, where `take.rails` names the kind of link to make of them."""
        take = self.edits.take
        kind = take.text("rails", "")
        if not kind:
            return
        self.check_word(take, kind, self.kinds, "link_kind")
        dropped = set(take.values.get("rails_drop", []))
        ids = {edge: frozenset(found - dropped) for edge, found in self.geo.rails.items()}
        edges = {edge for edge, left in ids.items() if left and all(self.is_land(h) for h in edge)}
        for entry in self.edits["links"]:
            if entry.values.get("kind") == kind:
                if entry.has("path"):
                    edges -= set(Link(kind, self.grid.parse_path(entry.text("path"))).edges())
                edges -= set(Link(kind, self.grid.parse_path(entry.text("remove", ""))).edges())
        for path in chains(edges, lambda edge: ids[edge]):
            self.draft.links.append(Link(kind, path))

    def is_land(self, h: Hex) -> bool:
        return h in self.draft.hexes and self.draft.hexes[h]["terrain"] not in self.water

    def links(self) -> None:
        for entry in self.edits["links"]:
            kind = self.check_word(entry, entry.text("kind"), self.kinds, "link_kind")
            try:
                path = self.link_path(entry)
            except EditError as error:
                raise error if str(error).startswith(entry.where) else entry.fail(str(error)) from None
            if not path:
                continue
            if not entry.values.get("special"):
                for a, b in itertools.pairwise(path):
                    if not self.grid.adjacent(a, b):
                        raise entry.fail(f"{hex_name(a)} and {hex_name(b)} are not adjacent")
            values: dict[str, Any] = entry.rest(*PATH_KEYS)
            if entry.has("features"):
                values["features"] = entry.words("features")
            self.draft.links.append(Link(kind, path, values))

    def link_path(self, entry: Entry) -> list[Hex]:
        if entry.has("path"):
            return self.grid.parse_path(entry.text("path"))
        stops = [self.stop(entry, word) for word in entry.values.get("via", [])]
        if len(stops) == 1:
            raise entry.fail("via needs at least two places")
        guide = self.guide(entry)
        avoided = set(self.grid.parse_hexes(entry.text("avoid", "")))
        barriers = set(self.edits.board.words("route_barriers"))

        def extra(a: Hex, b: Hex) -> int | None:
            if not self.is_land(b) or b in avoided:
                return None
            crossing = self.draft.hexsides.get((min(a, b), max(a, b)), {}).get("features", [])
            if barriers & set(crossing):
                return None
            return 40 * sum(word in self.rivers for word in crossing) + self.rough_going(b)

        path: list[Hex] = stops[:1]
        for a, b in itertools.pairwise(stops):
            leg = cheapest(self.grid, a, b, guided(guide, extra))
            if leg is None:
                raise entry.fail(f"there is no way over land from {hex_name(a)} to {hex_name(b)}")
            path.extend(leg[1:])
        return without_spurs(path)

    def rough_going(self, h: Hex) -> int:
        costs: dict[str, int] = self.edits.board.values.get("route_costs", {})
        return int(costs.get(self.draft.hexes[h]["terrain"], 0))

    def guide(self, entry: Entry) -> set[Side]:
        """Edges a route keeps to: `follow` names link kinds drawn above, or `geography` for today's main rail lines."""
        found: set[Side] = set()
        for word in entry.words("follow"):
            found |= set(self.geo.rails) if word == "geography" else self.draft.edges([word])
        return found

    def stop(self, entry: Entry, word: str) -> Hex:
        if word.isdigit():
            return self.grid.parse_hex(word)
        found = self.draft.places().get(word, [])
        if len(found) != 1:
            raise entry.fail(f"via: {word!r} names {len(found)} hexes of the board")
        return found[0]

    # ------------------------------------------------------------ the rest

    def prune(self) -> None:
        """A hexside needs two hexes; a generated river ends where the sea or a lake begins."""
        for side, values in list(self.draft.hexsides.items()):
            missing = [h for h in side if h not in self.draft.hexes]
            drowned = "provenance" not in values and "note" not in values and not all(self.is_land(h) for h in side)
            if missing or (drowned and set(values["features"]) <= set(self.rivers)):
                del self.draft.hexsides[side]
        for link in self.draft.links:
            for h in link.path:
                if h not in self.draft.hexes:
                    where = f"{self.edits.path.name}: {link.kind}"
                    raise EditError(f"{where} runs through {hex_name(h)}, which does not exist")

    def drawings(self) -> None:
        draft = self.draft
        for entry in self.edits["areas"]:
            hexes = self.sets.areas[entry.text("id")] & set(draft.hexes)
            draft.areas[entry.text("id")] = area_values(hexes, entry.rest("id", *HexSets.KEYS))
        for entry in self.edits["lines"]:
            if entry.has("inside") and entry.text("inside") not in draft.areas:
                raise entry.fail(f"there is no area {entry.text('inside')!r}")
            draft.lines[entry.text("id")] = self.drawn(entry, entry.rest("id"))
        draft.arrows = [arrow for entry in self.edits["arrows"] for arrow in self.arrows(entry)]
        draft.boxes = [self.drawn(entry, dict(entry.values)) for entry in self.edits["boxes"]]
        draft.labels = [self.drawn(entry, dict(entry.values)) for entry in self.edits["labels"]]

    def arrows(self, entry: Entry) -> list[dict[str, Any]]:
        """One arrow `from` a hex `to` another, or `toward` the same side of every hex of a set."""
        if not entry.has("toward"):
            return [self.drawn(entry, dict(entry.values))]
        words, word = self.grid.side_words(), entry.text("toward")
        if word not in words:
            raise entry.fail(f"{word!r}: a hex of this grid has the sides {' '.join(words)}")
        extra = entry.rest("toward", *HexSets.KEYS)
        pairs = [(h, self.grid.neighbours(h)[words.index(word)]) for h in sorted(self.sets.read(entry))]
        self.existing(entry, {h for pair in pairs for h in pair})
        return [{"from": hex_name(a), "to": hex_name(b), **extra} for a, b in pairs]

    def drawn(self, entry: Entry, values: dict[str, Any]) -> dict[str, Any]:
        """Hexes named by a line, arrow, box or label must exist."""
        named = self.sets.read(Entry(entry.where, {k: v for k, v in values.items() if k == "hexes"}))
        for key in ("hex", "from", "to"):
            if key in values:
                named |= set(self.grid.parse_hexes(entry.text(key)))
        self.existing(entry, named)
        return values


def find_place(name: str) -> geodata.Place:
    """The gazetteer entry of that name; of several the one with most people."""
    found = [p for p in geodata.places() if p.name == name] or [p for p in geodata.places() if name in p.also]
    if not found:
        raise EditError(f"the gazetteer has no place {name!r}; give hex or at = [lat, lon]")
    return max(found, key=lambda p: (p.population, -p.id))
